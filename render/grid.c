/* grid.c: tables whose source lines up: Markdown, plain text, reStructuredText, Org. See writers.h. */
#include "cells.h"
#include "utf8.h"
#include "writers.h"

#include "banned.h"

/* A line between rows. A crossing depends on where the row above and the row below have a column edge. */
struct line {
    const char *left, *fill, *right;
    const char *cross[4]; /* no edge, above only, below only, both */
};

struct lines {
    const struct line *top, *head, *group, *row, *bottom; /* NULL: no such line */
    const char *left, *edge, *right;                      /* around and between cells */
    bool spans;                                           /* a heading may span columns; else it is in the first cell */
};

struct piece {
    const char *body, *tail;
    size_t body_width, tail_width;
};

struct grid {
    const struct fr_table *table;
    const struct fr_dialect *dialect;
    const struct lines *lines;
    struct fr_strbuf *out;
    struct fr_arena arena;
    size_t n;            /* columns */
    struct piece *heads; /* n */
    struct piece *cells; /* rows_n * n */
    size_t *width;       /* n: of the column */
    size_t *tail_width;  /* n */
    bool *right;         /* n */
    bool *above, *below; /* n: column edges after column i of the rows around a line */
};

static struct piece piece_of(struct grid *g, const struct fr_strbuf *body, const struct fr_strbuf *tail)
{
    struct piece p = {fr_arena_copy(&g->arena, fr_strbuf_str(body), body->len),
                      fr_arena_copy(&g->arena, fr_strbuf_str(tail), tail->len), 0, 0};
    p.body_width = fr_utf8_width(p.body);
    p.tail_width = fr_utf8_width(p.tail);
    return p;
}

/* Make a column wider until it holds its cells. */
static void fit_column(struct grid *g, size_t i)
{
    size_t body = 0;
    for (size_t r = 0; r < g->table->rows_n; r++) {
        const struct piece *p = &g->cells[r * g->n + i];
        if (p->body_width > body)
            body = p->body_width;
        if (p->tail_width > g->tail_width[i])
            g->tail_width[i] = p->tail_width;
    }
    g->width[i] = body + g->tail_width[i];
    if (g->heads[i].body_width > g->width[i])
        g->width[i] = g->heads[i].body_width;
    if (g->width[i] < 1)
        g->width[i] = 1;
}

static size_t span_width(const struct grid *g, size_t i, size_t n)
{
    size_t width = (n - 1) * fr_utf8_width(g->lines->edge);
    for (size_t k = i; k < i + n; k++)
        width += g->width[k];
    return width;
}

/* Make the last of n columns wider until they hold the text; which is then empty. */
static void widen(struct grid *g, size_t i, size_t n, struct fr_strbuf *text)
{
    size_t need = fr_utf8_width(fr_strbuf_str(text)), have = span_width(g, i, n);
    if (need > have)
        g->width[i + n - 1] += need - have;
    fr_strbuf_reset(text);
}

static void add_row_group(const struct grid *g, struct fr_strbuf *out, const char *group)
{
    if (g->lines->spans)
        g->dialect->escape(out, group);
    else
        fr_bold_add(out, g->dialect, group);
}

static void fit_spans(struct grid *g)
{
    struct fr_strbuf text = FR_STRBUF_INIT;
    for (size_t i = 0; i < g->n && g->lines->spans; i += fr_group_span(g->table, i)) {
        fr_group_head_add(&text, g->dialect, g->table, i);
        widen(g, i, fr_group_span(g->table, i), &text);
    }
    const struct fr_row *before = NULL;
    for (const struct fr_row *row = g->table->head; row; before = row, row = row->next)
        if (fr_row_begins_group(before, row)) {
            add_row_group(g, &text, row->group);
            widen(g, 0, g->lines->spans ? g->n : 1, &text);
        }
    fr_strbuf_release(&text);
}

static void measure(struct grid *g)
{
    const struct fr_table *t = g->table;
    struct fr_strbuf body = FR_STRBUF_INIT, tail = FR_STRBUF_INIT;
    for (size_t i = 0; i < g->n; i++) {
        fr_head_add(&body, g->dialect, t, i, !g->lines->spans);
        g->heads[i] = piece_of(g, &body, &tail);
        fr_strbuf_reset(&body);
        g->right[i] = fr_column_right(t, i);
    }
    size_t r = 0;
    for (const struct fr_row *row = t->head; row; row = row->next, r++)
        for (size_t i = 0; i < g->n; i++) {
            fr_cell_add(g->dialect, t, row, i, &body, &tail);
            g->cells[r * g->n + i] = piece_of(g, &body, &tail);
            fr_strbuf_reset(&body);
            fr_strbuf_reset(&tail);
        }
    for (size_t i = 0; i < g->n; i++)
        fit_column(g, i);
    fit_spans(g);
    fr_strbuf_release(&body);
    fr_strbuf_release(&tail);
}

static void add_times(struct fr_strbuf *out, const char *s, size_t n)
{
    while (n--)
        fr_strbuf_addstr(out, s);
}

static void edges(bool *edge, size_t n, bool value)
{
    for (size_t i = 0; i < n; i++)
        edge[i] = value;
}

/* The line, given where above and below have edges. */
static void put_line(struct grid *g, const struct line *line)
{
    if (!line)
        return;
    fr_strbuf_addstr(g->out, line->left);
    for (size_t i = 0; i < g->n; i++) {
        add_times(g->out, line->fill, g->width[i]);
        if (i + 1 < g->n)
            fr_strbuf_addstr(g->out, line->cross[(g->above[i] ? 1 : 0) | (g->below[i] ? 2 : 0)]);
    }
    fr_strbuf_addstr(g->out, line->right);
    fr_strbuf_addch(g->out, '\n');
}

static void put_piece(struct grid *g, const struct piece *p, size_t width, size_t tail_width, bool right)
{
    size_t used = p->body_width + p->tail_width;
    size_t after = right ? tail_width - p->tail_width : width - used;
    if (after > width - used)
        after = width - used;
    fr_strbuf_pad(g->out, ' ', width - used - after);
    fr_strbuf_addstr(g->out, p->body);
    fr_strbuf_addstr(g->out, p->tail);
    fr_strbuf_pad(g->out, ' ', after);
}

static void put_heads(struct grid *g)
{
    fr_strbuf_addstr(g->out, g->lines->left);
    for (size_t i = 0; i < g->n; i++) {
        put_piece(g, &g->heads[i], g->width[i], 0, g->right[i]);
        fr_strbuf_addstr(g->out, i + 1 < g->n ? g->lines->edge : g->lines->right);
    }
    fr_strbuf_addch(g->out, '\n');
}

/* Headings over columns of one group, in the middle of them. */
static void put_group_heads(struct grid *g)
{
    fr_strbuf_addstr(g->out, g->lines->left);
    for (size_t i = 0, n; i < g->n; i += n) {
        n = fr_group_span(g->table, i);
        struct fr_strbuf text = FR_STRBUF_INIT;
        fr_group_head_add(&text, g->dialect, g->table, i);
        size_t room = span_width(g, i, n) - fr_utf8_width(fr_strbuf_str(&text));
        fr_strbuf_pad(g->out, ' ', room / 2);
        fr_strbuf_addstr(g->out, fr_strbuf_str(&text));
        fr_strbuf_pad(g->out, ' ', room - room / 2);
        fr_strbuf_addstr(g->out, i + n < g->n ? g->lines->edge : g->lines->right);
        fr_strbuf_release(&text);
        for (size_t k = i; k < i + n; k++)
            g->below[k] = k + 1 == i + n;
    }
    fr_strbuf_addch(g->out, '\n');
}

static void put_row_group(struct grid *g, const char *group)
{
    struct fr_strbuf text = FR_STRBUF_INIT;
    add_row_group(g, &text, group);
    size_t width = fr_utf8_width(fr_strbuf_str(&text));
    fr_strbuf_addstr(g->out, g->lines->left);
    fr_strbuf_addstr(g->out, fr_strbuf_str(&text));
    if (g->lines->spans) {
        fr_strbuf_pad(g->out, ' ', span_width(g, 0, g->n) - width);
    } else {
        fr_strbuf_pad(g->out, ' ', width < g->width[0] ? g->width[0] - width : 0);
        for (size_t i = 1; i < g->n; i++) {
            fr_strbuf_addstr(g->out, g->lines->edge);
            fr_strbuf_pad(g->out, ' ', g->width[i]);
        }
    }
    fr_strbuf_addstr(g->out, g->lines->right);
    fr_strbuf_addch(g->out, '\n');
    fr_strbuf_release(&text);
}

static void put_row(struct grid *g, size_t r)
{
    fr_strbuf_addstr(g->out, g->lines->left);
    for (size_t i = 0; i < g->n; i++) {
        put_piece(g, &g->cells[r * g->n + i], g->width[i], g->tail_width[i], g->right[i]);
        fr_strbuf_addstr(g->out, i + 1 < g->n ? g->lines->edge : g->lines->right);
    }
    fr_strbuf_addch(g->out, '\n');
}

static void put_head(struct grid *g)
{
    edges(g->above, g->n, false);
    edges(g->below, g->n, true);
    bool groups = g->lines->spans && fr_has_groups(g->table);
    if (groups)
        for (size_t i = 0, n; i < g->n; i += n) {
            n = fr_group_span(g->table, i);
            for (size_t k = i; k + 1 < i + n; k++)
                g->below[k] = false;
        }
    put_line(g, g->lines->top);
    if (groups) {
        put_group_heads(g);
        for (size_t i = 0; i < g->n; i++)
            g->above[i] = g->below[i];
        edges(g->below, g->n, true);
        put_line(g, g->lines->group);
    }
    put_heads(g);
    edges(g->above, g->n, true);
}

static void put_body(struct grid *g)
{
    const struct fr_row *before = NULL;
    size_t r = 0;
    const struct line *line = g->lines->head;
    for (const struct fr_row *row = g->table->head; row; before = row, row = row->next, r++) {
        if (fr_row_begins_group(before, row)) {
            edges(g->below, g->n, !g->lines->spans);
            put_line(g, line ? line : g->lines->group);
            put_row_group(g, row->group);
            edges(g->above, g->n, !g->lines->spans);
            line = g->lines->spans ? g->lines->group : NULL;
        } else if (row->summary && before && !line) {
            line = g->lines->group;
        }
        edges(g->below, g->n, true);
        put_line(g, line);
        put_row(g, r);
        edges(g->above, g->n, true);
        line = g->lines->row;
    }
    if (!before)
        put_line(g, line);
    edges(g->below, g->n, false);
    put_line(g, g->lines->bottom);
}

static void put_grid(const struct fr_dialect *dialect, const struct lines *lines, const struct fr_table *table,
                     struct fr_strbuf *out, void (*rule)(struct grid *))
{
    struct grid g = {.table = table, .dialect = dialect, .lines = lines, .out = out, .arena = FR_ARENA_INIT};
    g.n = table->columns_n;
    if (g.n > 0) {
        g.heads = fr_arena_alloc(&g.arena, g.n * sizeof *g.heads);
        g.cells = fr_arena_alloc(&g.arena, g.n * table->rows_n * sizeof *g.cells);
        g.width = fr_arena_alloc(&g.arena, g.n * sizeof *g.width);
        g.tail_width = fr_arena_alloc(&g.arena, g.n * sizeof *g.tail_width);
        g.right = fr_arena_alloc(&g.arena, g.n * sizeof *g.right);
        g.above = fr_arena_alloc(&g.arena, g.n * sizeof *g.above);
        g.below = fr_arena_alloc(&g.arena, g.n * sizeof *g.below);
        measure(&g);
        if (rule)
            for (size_t i = 0; i < g.n; i++)
                if (g.width[i] < 3)
                    g.width[i] = 3;
        put_head(&g);
        if (rule)
            rule(&g);
        put_body(&g);
    }
    fr_arena_release(&g.arena);
}

/* Title and subtitle, each in a paragraph of its own. */
static void put_titles(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table,
                       const char *between)
{
    if (table->title && *table->title) {
        fr_bold_add(out, dialect, table->title);
        fr_strbuf_addstr(out, between);
    }
    if (table->subtitle && *table->subtitle) {
        dialect->escape(out, table->subtitle);
        fr_strbuf_addstr(out, between);
    }
}

/* Notes after an empty line. */
static void put_notes(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table,
                      const char *before, const char *after)
{
    struct fr_strbuf notes = FR_STRBUF_INIT;
    fr_notes_add(&notes, dialect, table, before, after);
    if (notes.len) {
        fr_strbuf_addch(out, '\n');
        fr_strbuf_add(out, notes.buf, notes.len);
        while (out->len > 1 && out->buf[out->len - 1] == '\n' && out->buf[out->len - 2] == '\n')
            fr_strbuf_cut(out, out->len - 1);
    }
    fr_strbuf_release(&notes);
}

static void md_rule(struct grid *g)
{
    fr_strbuf_addstr(g->out, "|");
    for (size_t i = 0; i < g->n; i++) {
        fr_strbuf_addstr(g->out, g->right[i] ? " " : " :");
        fr_strbuf_pad(g->out, '-', g->width[i] - 1);
        fr_strbuf_addstr(g->out, g->right[i] ? ": |" : " |");
    }
    fr_strbuf_addch(g->out, '\n');
}

int fr_write_md(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out)
{
    static const struct lines lines = {.left = "| ", .edge = " | ", .right = " |"};
    put_titles(out, dialect, table, "\n\n");
    put_grid(dialect, &lines, table, out, md_rule);
    put_notes(out, dialect, table, "", "\n\n");
    return 0;
}

int fr_write_text(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out)
{
    static const struct line top = {"┌─", "─", "─┐", {"───", "─┴─", "─┬─", "─┼─"}};
    static const struct line mid = {"├─", "─", "─┤", {"───", "─┴─", "─┬─", "─┼─"}};
    static const struct line bottom = {"└─", "─", "─┘", {"───", "─┴─", "─┬─", "─┼─"}};
    static const struct lines lines = {&top, &mid, &mid, NULL, &bottom, "│ ", " │ ", " │", true};
    put_titles(out, dialect, table, "\n");
    put_grid(dialect, &lines, table, out, NULL);
    fr_notes_add(out, dialect, table, "", "\n");
    return 0;
}

int fr_write_ascii(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out)
{
    static const struct line line = {"+-", "-", "-+", {"---", "-+-", "-+-", "-+-"}};
    static const struct lines lines = {&line, &line, &line, NULL, &line, "| ", " | ", " |", true};
    put_titles(out, dialect, table, "\n");
    put_grid(dialect, &lines, table, out, NULL);
    fr_notes_add(out, dialect, table, "", "\n");
    return 0;
}

/*
 * docutils counts columns of a grid table by its own rules for joined emoji and some combining marks. A table with such
 * characters is written as a list, where nothing has to line up.
 */
static bool lines_up_anywhere(const char *text)
{
    for (uint32_t c; text && (c = fr_utf8_clean(&text)) != 0;) {
        bool simple = c < 0x300 || (c >= 0x370 && c < 0x480) || (c >= 0x2010 && c < 0x2028) ||
                      (c >= 0x2190 && c < 0x2200) || (c >= 0x3041 && c < 0x3097) || (c >= 0x30A1 && c < 0x4DC0) ||
                      (c >= 0x4E00 && c < 0xA000) || (c >= 0xAC00 && c < 0xD7A4) || c == FR_REPLACEMENT;
        if (!simple)
            return false;
    }
    return true;
}

static bool grid_is_safe(const struct fr_table *t)
{
    for (size_t i = 0; i < t->columns_n; i++)
        if (!lines_up_anywhere(t->columns[i].name) || !lines_up_anywhere(t->columns[i].group) ||
            !lines_up_anywhere(t->columns[i].unit))
            return false;
    for (const struct fr_row *row = t->head; row; row = row->next) {
        if (!lines_up_anywhere(row->group))
            return false;
        for (size_t i = 0; i < t->columns_n; i++)
            if (row->cells[i].kind == FR_CELL_TEXT && !lines_up_anywhere(row->cells[i].text))
                return false;
    }
    return true;
}

static void put_item(struct fr_strbuf *out, size_t column, const struct fr_strbuf *text)
{
    fr_strbuf_addf(out, column ? "     -%s" : "   * -%s", text->len ? " " : "");
    fr_strbuf_add(out, fr_strbuf_str(text), text->len);
    fr_strbuf_addch(out, '\n');
}

static void put_list(const struct fr_dialect *dialect, const struct fr_table *t, struct fr_strbuf *out)
{
    struct fr_strbuf text = FR_STRBUF_INIT;
    if (t->columns_n == 0)
        return;
    fr_strbuf_addstr(out, ".. list-table::\n   :header-rows: 1\n\n");
    for (size_t i = 0; i < t->columns_n; i++) {
        fr_head_add(&text, dialect, t, i, true);
        put_item(out, i, &text);
        fr_strbuf_reset(&text);
    }
    const struct fr_row *before = NULL;
    for (const struct fr_row *row = t->head; row; before = row, row = row->next) {
        for (size_t i = 0; i < t->columns_n && fr_row_begins_group(before, row); i++) {
            if (i == 0)
                fr_bold_add(&text, dialect, row->group);
            put_item(out, i, &text);
            fr_strbuf_reset(&text);
        }
        for (size_t i = 0; i < t->columns_n; i++) {
            struct fr_strbuf tail = FR_STRBUF_INIT;
            fr_cell_add(dialect, t, row, i, &text, &tail);
            fr_strbuf_addstr(&text, fr_strbuf_str(&tail));
            put_item(out, i, &text);
            fr_strbuf_reset(&text);
            fr_strbuf_release(&tail);
        }
    }
    fr_strbuf_release(&text);
}

int fr_write_rst(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out)
{
    static const struct line line = {"+-", "-", "-+", {"---", "-+-", "-+-", "-+-"}};
    static const struct line head = {"+=", "=", "=+", {"===", "=+=", "=+=", "=+="}};
    static const struct lines lines = {&line, &head, &line, &line, &line, "| ", " | ", " |", true};
    put_titles(out, dialect, table, "\n\n");
    if (grid_is_safe(table))
        put_grid(dialect, &lines, table, out, NULL);
    else
        put_list(dialect, table, out);
    put_notes(out, dialect, table, "", "\n\n");
    return 0;
}

/* Org sets columns of numbers flush right by itself; the cookie says it for those with brackets. */
static void org_rule(struct grid *g)
{
    static const struct line line = {"|-", "-", "-|", {"-+-", "-+-", "-+-", "-+-"}};
    put_line(g, &line);
    fr_strbuf_addstr(g->out, g->lines->left);
    for (size_t i = 0; i < g->n; i++) {
        fr_strbuf_pad(g->out, ' ', g->right[i] ? g->width[i] - 3 : 0);
        fr_strbuf_addstr(g->out, g->right[i] ? "<r>" : "<l>");
        fr_strbuf_pad(g->out, ' ', g->right[i] ? 0 : g->width[i] - 3);
        fr_strbuf_addstr(g->out, i + 1 < g->n ? g->lines->edge : g->lines->right);
    }
    fr_strbuf_addch(g->out, '\n');
}

int fr_write_org(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out)
{
    static const struct lines lines = {.left = "| ", .edge = " | ", .right = " |"};
    if (table->title && *table->title) {
        fr_strbuf_addstr(out, "#+CAPTION: ");
        dialect->escape(out, table->title);
        fr_strbuf_addch(out, '\n');
    }
    put_grid(dialect, &lines, table, out, org_rule);
    if (table->subtitle && *table->subtitle) {
        fr_strbuf_addch(out, '\n');
        dialect->escape(out, table->subtitle);
        fr_strbuf_addch(out, '\n');
    }
    put_notes(out, dialect, table, "", "\n\n");
    return 0;
}
