/*
 * tables_html.c: see tables.h. A table of HTML as a grid: rows and columns that a cell spans have its text, rows of
 * heads become one. It is read from the text as it was, for the lines of the document have lost its elements.
 */
#include "doc_clean.h"
#include "tables.h"

#include "banned.h"

enum { NAME_MAX_BYTES = 12, TAG_MAX_BYTES = 2000, CELL_MAX_BYTES = 4000, CELLS_MAX = 4 << 20 };

struct cell {
    size_t row, col;
    struct fr_str text;
    bool head;
};

/* A cell that reaches down into rows to come. */
struct span {
    size_t rows;
    struct fr_str text;
};

struct reading {
    struct fr_str whole;
    struct fr_arena *arena;
    size_t at;   /* where it reads */
    uint32_t no; /* the number of the line there */
    char newline;
    struct fr_strbuf text;
    struct cell *cells;
    size_t n, alloc;
    size_t rows, cols, col; /* of the row that is open */
    uint32_t *lines;        /* numbers, of each row */
    size_t lines_n, lines_alloc;
    struct span spans[FR_TABLES_COLS];
    bool open, head, bad; /* a cell is open; it is a head; this is no grid */
    size_t wide, high;    /* what it spans */
};

struct tag {
    char name[NAME_MAX_BYTES];
    bool closes;
    struct fr_str attributes;
};

/* ---- text and tags ----------------------------------------------------------------------------------------------- */

/* The tag that begins at s. Returns its length; 0: none. */
static size_t read_tag(struct fr_str s, struct tag *tag)
{
    struct fr_str rest = fr_str_from(s, 1);
    size_t n = 0, end = fr_str_chr(rest, '>');
    tag->closes = fr_take_ch(&rest, '/');
    if (end == (size_t)-1)
        return 0;
    for (; n < rest.n && n < NAME_MAX_BYTES - 1 && (fr_is_alpha(rest.s[n]) || fr_is_digit(rest.s[n])); n++)
        tag->name[n] = fr_lower(rest.s[n]);
    tag->name[n] = 0;
    tag->attributes = fr_str_range(rest, n, end - tag->closes);
    return n && fr_is_alpha(tag->name[0]) ? end + 2 : 0;
}

static void pass(struct reading *r, size_t n)
{
    for (; n > 0 && r->at < r->whole.n; n--)
        r->no += r->whole.s[r->at++] == r->newline;
}

/* Text up to the next tag, which is taken; false at the end of the document. */
static bool next_tag(struct reading *r, struct tag *tag)
{
    while (r->at < r->whole.n) {
        struct fr_str s = fr_str_range(r->whole, r->at, r->at + TAG_MAX_BYTES);
        const char *text = NULL;
        size_t n = *s.s == '<' ? read_tag(s, tag) : 0;
        if (n) {
            pass(r, n);
            return true;
        }
        if (fr_str_starts(s, "<!--")) {
            n = fr_str_find(fr_str_from(r->whole, r->at), "-->");
            pass(r, n == (size_t)-1 ? r->whole.n : n + 3);
            continue;
        }
        n = *s.s == '&' || (unsigned char)*s.s >= 0x80 ? fr_doc_replacement(s, &text) : 0;
        if (n)
            fr_strbuf_addstr(&r->text, text);
        else
            fr_strbuf_addch(&r->text, *s.s);
        pass(r, n ? n : 1);
    }
    return false;
}

/* `rowspan="2"`: 2; 1 where there is none. */
static size_t span_of(struct fr_str attributes, const char *name)
{
    uint64_t n;
    for (; attributes.n; attributes = fr_str_from(attributes, 1)) {
        struct fr_str rest = attributes;
        if (!fr_str_starts_nocase(rest, name))
            continue;
        rest = fr_str_ltrim(fr_str_from(rest, strlen(name)));
        if (!fr_take_ch(&rest, '='))
            continue;
        while (rest.n && (*rest.s == '"' || *rest.s == '\'' || *rest.s == ' '))
            rest = fr_str_from(rest, 1);
        return fr_take_u64(&rest, &n, NULL) && n > 0 && n <= 1000 ? (size_t)n : 1;
    }
    return 1;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

/* Blanks of all lengths are one. */
static struct fr_str cell_text(struct reading *r)
{
    char *copy = fr_arena_alloc(r->arena, r->text.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < r->text.len; i++)
        if (!fr_is_space(r->text.buf[i]))
            copy[n++] = r->text.buf[i];
        else if (n && copy[n - 1] != ' ')
            copy[n++] = ' ';
    return fr_str_trim(fr_strn(copy, n));
}

static void put(struct reading *r, struct fr_str text)
{
    if (r->col >= FR_TABLES_COLS || r->n >= CELLS_MAX) {
        r->bad = true;
        return;
    }
    r->cells = fr_grow(r->cells, r->n, &r->alloc, sizeof *r->cells);
    r->cells[r->n++] = (struct cell){r->rows - 1, r->col++, text, r->head};
    r->cols = r->col > r->cols ? r->col : r->cols;
}

/* Cells from above that reach into this place of the row. */
static void take_spans(struct reading *r)
{
    while (r->col < FR_TABLES_COLS && r->spans[r->col].rows > 0) {
        struct span *span = &r->spans[r->col];
        span->rows--;
        put(r, span->text);
    }
}

static void end_cell(struct reading *r)
{
    if (!r->open)
        return;
    struct fr_str text = cell_text(r);
    r->open = false;
    take_spans(r);
    for (size_t k = 0; k < r->wide && !r->bad; k++) {
        if (r->col < FR_TABLES_COLS && r->high > 1)
            r->spans[r->col] = (struct span){r->high - 1, text};
        put(r, text);
    }
}

static void end_row(struct reading *r)
{
    end_cell(r);
    if (r->rows)
        take_spans(r);
}

static void begin_row(struct reading *r)
{
    end_row(r);
    r->lines = fr_grow(r->lines, r->lines_n, &r->lines_alloc, sizeof *r->lines);
    r->lines[r->lines_n++] = r->no;
    r->rows++;
    r->col = 0;
}

static void begin_cell(struct reading *r, const struct tag *tag)
{
    end_cell(r);
    if (!r->rows)
        begin_row(r);
    r->open = true;
    r->head = strcmp(tag->name, "th") == 0;
    r->wide = span_of(tag->attributes, "colspan");
    r->high = span_of(tag->attributes, "rowspan");
    fr_strbuf_reset(&r->text);
    r->text.max = CELL_MAX_BYTES;
    r->text.truncated = 0;
}

/* Marks of footnotes and of struck text are for fr_tables_undress. */
static void keep_tag(struct reading *r, const struct tag *tag)
{
    if (strcmp(tag->name, "sup") == 0 || strcmp(tag->name, "del") == 0)
        fr_strbuf_addf(&r->text, "<%s%s>", tag->closes ? "/" : "", tag->name);
    else if (strcmp(tag->name, "br") == 0)
        fr_strbuf_addch(&r->text, ' ');
}

/*
 * From behind `<table>` to its end; false when it holds another, or is too wide. Where the page breaks off, so does the
 * last cell, which is none then.
 */
static bool read_rows(struct reading *r)
{
    struct tag tag;
    while (!r->bad && next_tag(r, &tag)) {
        bool cell = strcmp(tag.name, "td") == 0 || strcmp(tag.name, "th") == 0;
        if (strcmp(tag.name, "table") == 0) {
            end_row(r);
            return tag.closes;
        }
        if (strcmp(tag.name, "tr") == 0 && !tag.closes)
            begin_row(r);
        else if (strcmp(tag.name, "tr") == 0)
            end_row(r);
        else if (cell && tag.closes)
            end_cell(r);
        else if (cell)
            begin_cell(r, &tag);
        else
            keep_tag(r, &tag);
    }
    return !r->bad;
}

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

/* Rows of nothing but heads at the top; one at least, as the first row is a head. */
static size_t head_rows(const struct reading *r, bool *marked)
{
    size_t n = r->rows;
    for (size_t i = 0; i < r->n; i++)
        if (!r->cells[i].head && r->cells[i].row < n)
            n = r->cells[i].row;
    *marked = n > 0;
    return n ? n : 1;
}

/* The first line from `from` on that has this number, or a higher one. */
static size_t line_of(const struct fr_doc *doc, size_t from, uint32_t no)
{
    while (from < doc->n && doc->lines[from].no < no)
        from++;
    return from < doc->n ? from : doc->n - 1;
}

static void fill(struct reading *r, const struct fr_doc *doc, struct fr_grid *out)
{
    size_t heads = head_rows(r, &out->marked);
    out->rows = r->rows < heads ? 0 : r->rows - heads + 1;
    out->cols = r->cols;
    if (out->rows < 2 || out->cols < 2)
        return;
    out->cells = fr_arena_alloc(r->arena, out->rows * out->cols * sizeof *out->cells);
    out->lines = fr_arena_alloc(r->arena, out->rows * sizeof *out->lines);
    for (size_t i = 0; i < r->n; i++) {
        const struct cell *c = &r->cells[i];
        size_t row = c->row < heads ? 0 : c->row - heads + 1;
        struct fr_str *at = &out->cells[row * out->cols + c->col];
        if (row == 0 && at->n && c->text.n && !fr_str_eq(*at, c->text))
            *at = fr_str(fr_arena_printf(r->arena, "%.*s %.*s", FR_STR(*at), FR_STR(c->text)));
        else
            *at = c->text.n ? c->text : *at;
    }
    for (size_t row = 0; row < out->rows; row++)
        out->lines[row] = line_of(doc, row ? out->lines[row - 1] : out->first, r->lines[row ? row + heads - 1 : 0]);
}

bool fr_html_grid_find(const struct fr_doc *doc, struct fr_html_place *place, struct fr_arena *arena,
                       struct fr_grid *out)
{
    struct reading r = {.whole = doc->whole, .arena = arena, .at = place->at, .no = place->no};
    struct tag tag;
    bool found = false;
    r.newline = fr_str_chr(doc->whole, '\n') == (size_t)-1 ? '\r' : '\n';
    r.text.max = 1; /* of no use until a table begins */
    memset(out, 0, sizeof *out);
    while (!found && doc->n && next_tag(&r, &tag)) {
        if (strcmp(tag.name, "table") != 0 || tag.closes)
            continue;
        struct fr_html_place begin = {r.at, r.no, place->line};
        out->first = place->line = line_of(doc, place->line, r.no);
        if (read_rows(&r)) {
            fill(&r, doc, out);
            found = out->rows >= 2 && out->cols >= 2;
            out->last = line_of(doc, out->first, r.no + 1);
            while (out->last > out->first && doc->lines[out->last].no > r.no)
                out->last--;
        } else { /* it holds another: look right behind its beginning */
            r.at = begin.at;
            r.no = begin.no;
        }
        r.n = r.rows = r.cols = r.lines_n = 0;
        r.bad = r.open = false;
        memset(r.spans, 0, sizeof r.spans);
    }
    place->at = r.at;
    place->no = r.no;
    free(r.cells);
    free(r.lines);
    fr_strbuf_release(&r.text);
    return found;
}
