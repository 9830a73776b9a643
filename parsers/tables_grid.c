/* tables_grid.c: see tables.h. */
#include "tables.h"

#include "banned.h"

enum kind { TABS, PIPES, COMMAS, SEMICOLONS, BLANKS, KIND_COUNT };

struct row {
    struct fr_str cells[FR_TABLES_COLS];
    size_t n;
    bool indented; /* begins with blanks: its first cell may be missing */
};

struct source {
    const struct fr_doc *doc;
    struct fr_arena *arena;
    bool tabbed; /* all lines are indented by a tab */
};

static bool is_blank(struct fr_str s)
{
    return fr_str_trim(s).n == 0;
}

/* `|| a || b ||` of Jira, MoinMoin and Trac, `^ a ^ b ^` of DokuWiki: with single bars. */
static struct fr_str wiki_line(const struct source *in, struct fr_str s)
{
    struct fr_str trimmed = fr_str_trim(s);
    bool twice = fr_str_starts(trimmed, "||"), caret = trimmed.n > 2 && *trimmed.s == '^';
    char last = trimmed.n ? trimmed.s[trimmed.n - 1] : 0;
    if ((!twice && !caret) || (last != '|' && last != '^'))
        return s;
    char *copy = fr_arena_alloc(in->arena, trimmed.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < trimmed.n; i++) {
        copy[n++] = caret && trimmed.s[i] == '^' ? '|' : trimmed.s[i];
        i += twice && trimmed.s[i] == '|' && i + 1 < trimmed.n && trimmed.s[i + 1] == '|';
    }
    return fr_strn(copy, n);
}

/*
 * The lines of boxes that database shells and terminals draw (U+2500 to U+257F), as ASCII draws them: what stands
 * upright is a '|', all else of a rule a '-'. Other text is lent.
 */
static struct fr_str line_of(const struct source *in, size_t i)
{
    struct fr_str s = in->doc->lines[i].text, trimmed = fr_str_ltrim(s);
    if (in->tabbed)
        fr_take_ch(&s, '\t');
    if (!fr_str_starts(trimmed, "\xe2\x94") && !fr_str_starts(trimmed, "\xe2\x95"))
        return wiki_line(in, s);
    char *copy = fr_arena_alloc(in->arena, s.n + 1);
    size_t n = 0;
    for (size_t k = 0; k < s.n; k++) {
        unsigned char second = k + 2 < s.n ? (unsigned char)s.s[k + 1] : 0;
        if ((unsigned char)s.s[k] == 0xe2 && (second == 0x94 || second == 0x95)) {
            struct fr_str drawn = fr_str_range(s, k, k + 3);
            copy[n++] = fr_str_is(drawn, "│") || fr_str_is(drawn, "┃") || fr_str_is(drawn, "║") ? '|' : '-';
            k += 2;
        } else {
            copy[n++] = s.s[k];
        }
    }
    return fr_strn(copy, n);
}

/* `|---|:--:|`, `+----+----+`, `-----  -----`: nothing but rule characters, at least three of them. */
static bool is_rule(struct fr_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (!memchr("-=+|: \t", s.s[i], 7))
            return false;
        n += s.s[i] == '-' || s.s[i] == '=';
    }
    return n >= 3;
}

/* `| <l> | <r10> |`: how Org mode aligns its columns. */
static bool is_alignment(struct fr_str s)
{
    bool any = false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.s[i] == '<') {
            size_t close = fr_str_chr(fr_str_from(s, i), '>');
            struct fr_str inner = fr_str_range(s, i + 1, close == (size_t)-1 ? s.n : i + close);
            while (inner.n && (memchr("lrc", *inner.s, 3) || fr_is_digit(*inner.s)))
                inner = fr_str_from(inner, 1);
            if (inner.n || close < 2 || close == (size_t)-1)
                return false;
            any = true;
            i += close;
        } else if (s.s[i] != '|' && s.s[i] != ' ') {
            return false;
        }
    }
    return any;
}

/* Without emphasis and code marks around it. */
static struct fr_str plain(struct fr_str s)
{
    for (;;) {
        s = fr_str_trim(s);
        if (s.n >= 2 && s.s[0] == s.s[s.n - 1] && memchr("*_`\"", s.s[0], 4))
            s = fr_str_range(s, 1, s.n - 1);
        else
            return s;
    }
}

static bool add_cell(struct row *row, struct fr_str cell)
{
    if (row->n == FR_TABLES_COLS)
        return false;
    row->cells[row->n++] = plain(cell);
    return true;
}

/* By a character; within double quotes, and after a backslash, it is text. */
static bool split_at(struct fr_str s, char sep, struct row *row)
{
    bool quoted = false;
    size_t from = 0;
    row->n = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.s[i] == '"' && sep != '|' && sep != '\t')
            quoted = !quoted;
        else if (s.s[i] == sep && !quoted && !(sep == '|' && i && s.s[i - 1] == '\\')) {
            if (!add_cell(row, fr_str_range(s, from, i)))
                return false;
            from = i + 1;
        }
    }
    return !quoted && add_cell(row, fr_str_from(s, from)) && row->n >= 2;
}

static bool split_pipes(struct fr_str s, struct row *row)
{
    s = fr_str_trim(s);
    bool led = fr_take_ch(&s, '|');
    if (s.n && s.s[s.n - 1] == '|' && !(s.n > 1 && s.s[s.n - 2] == '\\'))
        s.n--;
    else if (!led && fr_str_chr(s, '|') == (size_t)-1)
        return false;
    return split_at(s, '|', row);
}

/* By two blanks and more. */
static bool split_blanks(struct fr_str s, struct row *row)
{
    row->n = 0;
    row->indented = s.n && *s.s == ' ';
    s = fr_str_trim(s);
    for (size_t i = 0, from = 0; i < s.n; i++) {
        size_t j = i;
        while (j < s.n && s.s[j] == ' ')
            j++;
        if (j - i >= 2) {
            if (!add_cell(row, fr_str_range(s, from, i)))
                return false;
            from = j;
            i = j - 1;
        } else if (i + 1 == s.n && !add_cell(row, fr_str_from(s, from))) {
            return false;
        }
    }
    return row->n >= 2;
}

static bool split(struct fr_str s, enum kind kind, struct row *row)
{
    row->indented = false;
    switch (kind) {
    case TABS:
        return split_at(fr_str_rtrim(s), '\t', row);
    case PIPES:
        return split_pipes(s, row);
    case COMMAS:
        return split_at(fr_str_trim(s), ',', row);
    case SEMICOLONS:
        return split_at(fr_str_trim(s), ';', row);
    case BLANKS:
    case KIND_COUNT:
        break;
    }
    return fr_str_chr(s, '\t') == (size_t)-1 && split_blanks(s, row);
}

static bool usable(const struct fr_doc *doc, size_t i)
{
    const struct fr_line *l = &doc->lines[i];
    return !l->owner && !(l->flags & (FR_LINE_FENCE | FR_LINE_CR)) && !is_blank(l->text);
}

/* May a row of n cells stand below a head of `cols`? Only tabs and pipes may leave cells out at the end. */
static bool fits(enum kind kind, size_t cols, size_t n)
{
    return kind == TABS || kind == PIPES ? n <= cols : n == cols;
}

/* A line between rows. */
static bool is_no_row(struct fr_str s, enum kind kind)
{
    return (is_rule(s) && (kind == PIPES || kind == BLANKS)) || (kind == PIPES && is_alignment(s));
}

/* Rows of this kind from line i; returns how many lines they take. */
static size_t measure(const struct source *in, size_t i, enum kind kind, size_t *rows, size_t *cols, bool *marked)
{
    struct row row;
    size_t j = i;
    bool short_head = false;
    *rows = *cols = 0;
    *marked = false;
    for (; j < in->doc->n && usable(in->doc, j) && *rows < FR_TABLES_ROWS; j++) {
        struct fr_str s = line_of(in, j);
        if (is_no_row(s, kind)) {
            *marked = *marked || *rows == 1;
            continue;
        }
        if (!split(s, kind, &row))
            break;
        if (*rows == 0) {
            *cols = row.n;
            short_head = kind == BLANKS && row.indented;
        } else if (*rows == 1 && short_head && row.n == *cols + 1 && *cols < FR_TABLES_COLS - 1) {
            *cols = row.n; /* the corner is empty */
        } else if (!fits(kind, *cols, row.n)) {
            break;
        }
        ++*rows;
    }
    return j - i;
}

static void fill(const struct source *in, size_t i, size_t lines, enum kind kind, struct fr_grid *g)
{
    struct row row;
    size_t r = 0;
    for (size_t j = i; j < i + lines; j++) {
        struct fr_str s = line_of(in, j);
        if (is_no_row(s, kind) || !split(s, kind, &row) || r == g->rows)
            continue;
        size_t shift = r == 0 && kind == BLANKS && row.n + 1 == g->cols ? 1 : 0;
        for (size_t c = 0; c < row.n && c + shift < g->cols; c++)
            g->cells[r * g->cols + c + shift] = row.cells[c];
        g->lines[r++] = j;
    }
    g->rows = r;
}

bool fr_grid_find(const struct fr_doc *doc, size_t i, struct fr_arena *arena, struct fr_grid *out)
{
    if (!usable(doc, i))
        return false;
    struct source in = {doc, arena, false};
    in.tabbed =
        i + 1 < doc->n && fr_str_starts(doc->lines[i].text, "\t") && fr_str_starts(doc->lines[i + 1].text, "\t");
    for (int k = 0; k < KIND_COUNT; k++) {
        enum kind kind = (enum kind)k;
        size_t rows, cols;
        bool marked;
        size_t lines = measure(&in, i, kind, &rows, &cols, &marked);
        if (rows < 2 || cols < 2)
            continue;
        memset(out, 0, sizeof *out);
        out->rows = rows;
        out->cols = cols;
        out->cells = fr_arena_alloc(arena, rows * cols * sizeof *out->cells);
        out->lines = fr_arena_alloc(arena, rows * sizeof *out->lines);
        out->first = i;
        out->last = i + lines - 1;
        out->marked = marked;
        out->aligned = kind == BLANKS;
        fill(&in, i, lines, kind, out);
        return true;
    }
    return false;
}
