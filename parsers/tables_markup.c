/*
 * tables_markup.c: see tables.h. Tables of markup whose cells need not stand in the line of their row: AsciiDoc,
 * MediaWiki, simple tables, list-table and csv-table of reStructuredText, tabular of LaTeX. Each reader makes a list of
 * cells; what a cell spans has its text.
 */
#include "tables.h"

#include "banned.h"

enum {
    CELLS_MAX = 1 << 20,
    BLOCK_LINES_MAX = 100000,
    TEXT_MAX = 4000 /* bytes of a cell that is more than a figure: what is beyond says nothing */
};

struct cell {
    struct fr_str text;
    size_t line, wide, high;
    bool begins; /* a row */
};

struct reading {
    const struct fr_doc *doc;
    struct fr_arena *arena;
    struct cell *cells;
    size_t n, alloc;
    size_t cols;   /* rows end after so many cells; 0: where the next one begins */
    bool begins;   /* the next cell begins a row */
    bool spelled;  /* cells below one that reaches down are there, and empty */
    size_t looked; /* lines that were looked through */
};

static const size_t none = (size_t)-1;

/* ---- lines and cells --------------------------------------------------------------------------------------------- */

static struct fr_str line_of(const struct fr_doc *doc, size_t i)
{
    return fr_str_trim(doc->lines[i].text);
}

static struct cell *add(struct reading *r, struct fr_str text, size_t line)
{
    if (r->n == r->alloc) {
        size_t alloc = r->alloc ? 2 * r->alloc : 64;
        struct cell *cells = fr_arena_alloc(r->arena, alloc * sizeof *cells);
        if (r->n)
            memcpy(cells, r->cells, r->n * sizeof *cells);
        r->cells = cells;
        r->alloc = alloc;
    }
    struct cell *c = &r->cells[r->n++];
    *c = (struct cell){fr_str_trim(text), line, 1, 1, r->begins};
    r->begins = false;
    return c;
}

/* Text below a cell's first line belongs to it. */
static void extend(struct reading *r, struct fr_str text)
{
    text = fr_str_range(fr_str_trim(text), 0, TEXT_MAX);
    if (!r->n || !text.n || r->cells[r->n - 1].text.n > TEXT_MAX)
        return;
    struct fr_str *to = &r->cells[r->n - 1].text;
    *to = to->n ? fr_str(fr_arena_printf(r->arena, "%.*s %.*s", FR_STR(*to), FR_STR(text))) : text;
}

/* Where the next cell goes, and what reaches down from rows above. */
struct placing {
    struct fr_grid *out; /* without cells: rows and columns are only counted */
    struct fr_str down[FR_TABLES_COLS];
    size_t rows_left[FR_TABLES_COLS], row, col, cols;
};

static void put(struct placing *p, struct fr_str text, size_t line)
{
    struct fr_grid *g = p->out;
    if (g->cells) {
        g->cells[p->row * g->cols + p->col] = text;
        g->at[p->row * g->cols + p->col] = line;
        g->lines[p->row] = g->lines[p->row] ? g->lines[p->row] : line;
    }
    p->col++;
    p->cols = p->col > p->cols ? p->col : p->cols;
}

/* Pass columns that a cell above reaches into; all that are left where the row ends. */
static void pass_spans(struct placing *p, bool all, size_t line)
{
    for (; p->col < FR_TABLES_COLS && (all || p->rows_left[p->col]);)
        if (p->rows_left[p->col]) {
            p->rows_left[p->col]--;
            put(p, p->down[p->col], line);
        } else {
            p->col++;
        }
}

static void end_row(struct placing *p, bool spelled, size_t line)
{
    if (!spelled)
        pass_spans(p, true, line);
    p->row++;
    p->col = 0;
}

static void place(const struct reading *r, struct fr_grid *out)
{
    struct placing p = {.out = out};
    for (size_t i = 0; i < r->n; i++) {
        const struct cell *c = &r->cells[i];
        if (i && c->begins)
            end_row(&p, r->spelled, r->cells[i - 1].line);
        if (!r->spelled)
            pass_spans(&p, false, c->line);
        if (r->cols && p.col >= r->cols) {
            end_row(&p, r->spelled, r->cells[i - 1].line);
            pass_spans(&p, false, c->line);
        }
        for (size_t k = 0; k < c->wide && p.col < FR_TABLES_COLS; k++) {
            bool below = r->spelled && p.rows_left[p.col];
            if (!below)
                p.down[p.col] = c->text;
            p.rows_left[p.col] = below ? p.rows_left[p.col] - 1 : c->high - 1;
            put(&p, c->text.n ? c->text : p.down[p.col], c->line);
        }
    }
    out->rows = p.row + (r->n > 0);
    out->cols = p.cols;
}

static bool finish(const struct reading *r, struct fr_grid *out)
{
    if (r->n > CELLS_MAX)
        return false;
    for (size_t i = 0; i < r->n; i++)
        if (r->cells[i].high > FR_TABLES_ROWS || r->cells[i].wide > FR_TABLES_COLS)
            return false;
    place(r, out);
    if (out->rows < 2 || out->cols < 2 || out->rows > CELLS_MAX / out->cols)
        return false;
    out->cells = fr_arena_alloc(r->arena, out->rows * out->cols * sizeof *out->cells);
    out->at = fr_arena_alloc(r->arena, out->rows * out->cols * sizeof *out->at);
    out->lines = fr_arena_alloc(r->arena, out->rows * sizeof *out->lines);
    place(r, out);
    out->marked = true;
    return true;
}

/* The line from `i` on that holds this; none: there is none, or another parser has read what is before it. */
static size_t find_line(struct reading *r, size_t i, const char *what, bool starts)
{
    const struct fr_doc *doc = r->doc;
    for (size_t k = i; k < doc->n && k - i < BLOCK_LINES_MAX && !doc->lines[k].owner; k++) {
        struct fr_str s = line_of(doc, k);
        r->looked++;
        if (starts ? fr_str_starts(s, what) : fr_str_find(s, what) != none)
            return k;
    }
    return none;
}

/* ---- AsciiDoc ---------------------------------------------------------------------------------------------------- */

/* `2+`, `.3+`, `2.3+`, `3*`, `^`, `>s`, `a` in front of a bar: what it spans; false: it is text. */
static bool read_spec(struct fr_str s, size_t *wide, size_t *high, bool *again)
{
    uint64_t n;
    *wide = *high = 1;
    *again = false;
    if (fr_take_u64(&s, &n, NULL)) {
        *wide = (size_t)n;
        if (!s.n || !memchr("+*.", *s.s, 3))
            return false;
    }
    if (s.n > 1 && *s.s == '.' && fr_is_digit(s.s[1])) {
        s = fr_str_from(s, 1);
        if (!fr_take_u64(&s, &n, NULL) || !s.n || *s.s != '+')
            return false;
        *high = (size_t)n;
    }
    *again = fr_take_ch(&s, '*');
    if (!*again)
        fr_take_ch(&s, '+');
    while (s.n && memchr("<^>.", *s.s, 4))
        s = fr_str_from(s, 1);
    if (s.n == 1 && memchr("aehlmdsv", *s.s, 8))
        s = fr_str_from(s, 1);
    return !s.n && *wide && *high;
}

/* The cells of a line. */
static void read_bars(struct reading *r, size_t line)
{
    struct fr_str s = line_of(r->doc, line);
    size_t bars = 0, from = 0, wide = 1, high = 1;
    bool again = false;
    for (size_t i = 0; i <= s.n; i++) {
        if (i < s.n && (s.s[i] != '|' || (i && s.s[i - 1] == '\\')))
            continue;
        size_t spec = i, w = 1, h = 1;
        bool a = false;
        while (i < s.n && spec > from && s.s[spec - 1] != ' ')
            spec--;
        if (i == s.n || !read_spec(fr_str_range(s, spec, i), &w, &h, &a))
            spec = i;
        struct fr_str text = fr_str_range(s, from, spec);
        if (!bars)
            extend(r, text);
        for (size_t k = 0; bars && k < (again ? wide : 1) && k < FR_TABLES_COLS; k++) {
            struct cell *c = add(r, text, line);
            c->wide = again ? 1 : wide;
            c->high = high;
        }
        bars += i < s.n;
        from = i + 1;
        wide = w, high = h, again = a;
    }
}

/* A quote, also one that a word processor has made beautiful. */
static bool skip_quote(struct fr_str *s)
{
    return fr_take_ch(s, '"') || fr_take_ch(s, '\'') || fr_take(s, "“") || fr_take(s, "”") || fr_take(s, "„");
}

/* `cols="1,2*,<3"`: how many; 0: not said. */
static size_t columns_said(struct fr_str attributes)
{
    size_t at = fr_str_find(attributes, "cols="), n = 0;
    uint64_t times;
    if (at == none)
        return 0;
    struct fr_str s = fr_str_from(attributes, at + 5);
    bool quoted = skip_quote(&s);
    for (bool more = true; more && n < FR_TABLES_COLS;) {
        while (s.n && *s.s == ' ')
            s = fr_str_from(s, 1);
        struct fr_str number = s;
        n += fr_take_u64(&number, &times, NULL) && number.n && *number.s == '*' ? (size_t)times : 1;
        while (s.n && !memchr(",]\"'", *s.s, 4) && (unsigned char)*s.s < 0x80)
            s = fr_str_from(s, 1);
        more = quoted && fr_take_ch(&s, ',');
    }
    return n;
}

static bool read_asciidoc(struct reading *r, size_t i, struct fr_grid *out)
{
    size_t last = find_line(r, i + 1, "|===", true);
    if (last == none)
        return false;
    for (size_t k = i; k-- > 0 && i - k <= 2 && !r->cols;)
        r->cols = fr_str_starts(line_of(r->doc, k), "[") ? columns_said(line_of(r->doc, k)) : 0;
    for (size_t k = i + 1; k < last; k++) {
        read_bars(r, k);
        if (!r->cols && r->n)
            r->cols = r->n; /* as the first line has */
    }
    out->last = last;
    return true;
}

/* ---- MediaWiki --------------------------------------------------------------------------------------------------- */

static size_t attribute(struct fr_str s, const char *name)
{
    uint64_t n = 1;
    size_t at = fr_str_find(s, name);
    if (at != none) {
        s = fr_str_from(s, at + strlen(name));
        skip_quote(&s);
        n = fr_take_u64(&s, &n, NULL) && n ? n : 1;
    }
    return (size_t)n;
}

/* `align="right" | 100 MB/s`: what stands before the bar is no text. */
static void add_wiki_cell(struct reading *r, struct fr_str s, size_t line)
{
    size_t bar = fr_str_chr(s, '|');
    struct fr_str before = fr_str_range(s, 0, bar == none ? 0 : bar);
    bool attributes = fr_str_chr(before, '=') != none && fr_str_find(before, "[[") == none;
    struct cell *c = add(r, attributes ? fr_str_from(s, bar + 1) : s, line);
    if (attributes) {
        c->wide = attribute(before, "colspan=");
        c->high = attribute(before, "rowspan=");
    }
}

static bool read_mediawiki(struct reading *r, size_t i, struct fr_grid *out)
{
    size_t last = find_line(r, i + 1, "|}", true);
    if (last == none)
        return false;
    for (size_t k = i + 1; k < last; k++) {
        struct fr_str s = line_of(r->doc, k);
        if (fr_str_starts(s, "|-")) {
            r->begins = true;
        } else if (fr_str_starts(s, "|+")) {
            continue;
        } else if (fr_str_starts(s, "|") || fr_str_starts(s, "!")) {
            bool head = *s.s == '!';
            s = fr_str_from(s, 1);
            while (s.n || r->begins) {
                size_t two = fr_str_find(s, "||"), marks = head ? fr_str_find(s, "!!") : none;
                two = marks < two ? marks : two;
                add_wiki_cell(r, fr_str_range(s, 0, two == none ? s.n : two), k);
                s = fr_str_from(s, two == none ? s.n : two + 2);
            }
        } else {
            extend(r, s);
        }
    }
    out->last = last;
    return true;
}

/* ---- reStructuredText -------------------------------------------------------------------------------------------- */

/* `Test` of `* - Test`, of which cleaning took the marks for those of a list within a log. */
static bool lost_marks(const struct fr_doc *doc, size_t i)
{
    struct fr_str s = doc->lines[i].text;
    return (doc->lines[i].flags & FR_LINE_QUOTED) && s.n && *s.s != ' ' && i + 1 < doc->n &&
           fr_str_starts(line_of(doc, i + 1), "- ");
}

/* The last line of the directive in line i: what is indented below it. */
static size_t directive_ends(const struct fr_doc *doc, size_t i)
{
    size_t last = i;
    struct fr_str own = doc->lines[i].text;
    size_t indent = own.n - fr_str_ltrim(own).n;
    for (size_t k = i + 1; k < doc->n && k - i < BLOCK_LINES_MAX && !doc->lines[k].owner; k++) {
        struct fr_str s = doc->lines[k].text, text = fr_str_ltrim(s);
        if (text.n && s.n - text.n <= indent && !lost_marks(doc, k))
            break;
        last = text.n ? k : last;
    }
    return last;
}

static bool read_list_table(struct reading *r, size_t i, struct fr_grid *out)
{
    out->last = directive_ends(r->doc, i);
    for (size_t k = i + 1; k <= out->last; k++) {
        struct fr_str s = line_of(r->doc, k);
        if (fr_take(&s, "* -") || fr_take(&s, "*  -") || lost_marks(r->doc, k))
            r->begins = true;
        else if (!fr_take(&s, "- ") && !fr_str_is(s, "-")) {
            extend(r, s);
            continue;
        }
        if (fr_str_is(s, "-"))
            s = fr_strn("", 0);
        add(r, s, k);
    }
    return true;
}

/* `"a, b", c`: cells between commas, quotes around them. */
static void add_csv(struct reading *r, struct fr_str s, size_t line)
{
    r->begins = true;
    for (bool more = true; more;) {
        size_t end = 0;
        s = fr_str_ltrim(s);
        bool quoted = skip_quote(&s);
        struct fr_str rest = s;
        while (end < s.n && (quoted ? !skip_quote(&rest) : *rest.s != ','))
            rest = fr_str_from(s, ++end);
        add(r, fr_str_range(s, 0, end), line);
        s = fr_str_ltrim(rest);
        more = fr_take_ch(&s, ',');
    }
}

/* Without `:header:` the rows alone are a table, and read as CSV is. */
static bool read_csv_table(struct reading *r, size_t i, struct fr_grid *out)
{
    bool header = false;
    out->last = directive_ends(r->doc, i);
    for (size_t k = i + 1; k <= out->last; k++) {
        struct fr_str s = line_of(r->doc, k);
        bool is_header = fr_take(&s, ":header:");
        header = header || is_header;
        if (s.n && (is_header || *s.s != ':'))
            add_csv(r, s, k);
    }
    return header;
}

/* `=====  =====`: where columns begin, in characters; how many. */
static size_t read_ruler(struct fr_str s, size_t begins[FR_TABLES_COLS])
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.s[i] != '=' && s.s[i] != ' ')
            return 0;
        if (s.s[i] == '=' && (!i || s.s[i - 1] == ' ')) {
            if (n == FR_TABLES_COLS)
                return 0;
            begins[n++] = i;
        }
    }
    return n;
}

/* Bytes of so many characters. */
static size_t characters(struct fr_str s, size_t count)
{
    size_t i = 0;
    for (; i < s.n && count; count--)
        for (i++; i < s.n && ((unsigned char)s.s[i] & 0xc0) == 0x80;)
            i++;
    return i;
}

/* A simple table: a ruler, heads, the ruler again, rows, the ruler. A cell may be empty. */
static bool read_simple(struct reading *r, size_t i, struct fr_grid *out)
{
    size_t begins[FR_TABLES_COLS], rulers = 1, k = i + 1;
    struct fr_str ruler = fr_str_rtrim(r->doc->lines[i].text);
    r->cols = read_ruler(ruler, begins);
    for (; r->cols >= 2 && k < r->doc->n && k - i < BLOCK_LINES_MAX && rulers < 3 && !r->doc->lines[k].owner; k++) {
        struct fr_str s = fr_str_rtrim(r->doc->lines[k].text);
        r->looked++;
        if (!s.n)
            break;
        if (fr_str_eq(s, ruler)) {
            rulers++;
            continue;
        }
        for (size_t c = 0; c < r->cols; c++) {
            size_t from = characters(s, begins[c]), to = c + 1 < r->cols ? characters(s, begins[c + 1]) : s.n;
            if (from && from < s.n && s.s[from - 1] != ' ')
                return false; /* text stands across the columns */
            add(r, fr_str_range(s, from, to), k);
        }
    }
    out->last = k - 1;
    return rulers == 3;
}

/* ---- LaTeX ------------------------------------------------------------------------------------------------------- */

/* In place of a command, what it shows: `\textbf{x}`, `\SI{5}{MB/s}`, `\,`, `$\pm$`, `~`. */
static struct fr_str without_commands(struct reading *r, struct fr_str s)
{
    char *to = fr_arena_alloc(r->arena, 2 * s.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.s[i];
        if (c == '\\' && i + 1 < s.n && fr_is_alpha(s.s[i + 1])) {
            size_t from = ++i;
            while (i < s.n && fr_is_alpha(s.s[i]))
                i++;
            struct fr_str name = fr_str_range(s, from, i--);
            if (fr_str_is(name, "pm"))
                n += (size_t)snprintf(to + n, 3, "±");
            else if (fr_str_is(name, "mu") || fr_str_is(name, "textmu"))
                n += (size_t)snprintf(to + n, 3, "µ");
            else if (fr_str_is(name, "times"))
                to[n++] = 'x';
        } else if (c == '\\' && i + 1 < s.n) {
            c = s.s[++i];
            to[n++] = c == ',' || c == ';' || c == ' ' || c == '!' ? ' ' : c;
        } else if (c == '}' && i + 1 < s.n && s.s[i + 1] == '{') {
            to[n++] = ' '; /* a number and its unit */
        } else if (c == '~') {
            to[n++] = ' ';
        } else if (c != '{' && c != '}' && c != '$') {
            to[n++] = c;
        }
    }
    return fr_str_trim(fr_strn(to, n));
}

/* `\multicolumn{2}{c}{Read}`, `\multirow{2}{*}{ext4}` */
static void add_latex(struct reading *r, struct fr_str s, size_t line)
{
    static const char *const spans[] = {"\\multicolumn{", "\\multirow{"};
    size_t span[2] = {1, 1};
    s = fr_str_trim(s);
    for (size_t k = 0; k < 2; k++) {
        struct fr_str rest = s;
        uint64_t n;
        if (!fr_take(&rest, spans[k]) || !fr_take_u64(&rest, &n, NULL) || !n || !fr_take(&rest, "}{"))
            continue;
        size_t close = fr_str_find(rest, "}{");
        if (close == none)
            continue;
        span[k] = (size_t)n;
        s = fr_str_from(rest, close + 2);
    }
    struct cell *c = add(r, without_commands(r, s), line);
    c->wide = span[0];
    c->high = span[1];
}

/* Rules, and what sets the table: no text. */
static bool is_latex_setting(struct fr_str s)
{
    static const char *const names[] = {"\\hline", "\\toprule",   "\\midrule",      "\\bottomrule",
                                        "\\cline", "\\cmidrule",  "\\end",          "\\caption",
                                        "\\label", "\\centering", "\\addlinespace", "%"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fr_str_starts(s, names[i]))
            return true;
    return false;
}

static bool read_latex(struct reading *r, size_t i, struct fr_grid *out)
{
    size_t last = find_line(r, i, "\\end{", false);
    if (last == none || last == i)
        return false;
    r->begins = r->spelled = true;
    for (size_t k = i + 1; k < last; k++) {
        struct fr_str s = line_of(r->doc, k);
        while (fr_take(&s, "\\hline") || fr_take(&s, "\\midrule") || fr_take(&s, "\\toprule"))
            s = fr_str_ltrim(s);
        if (!s.n || is_latex_setting(s))
            continue;
        size_t end = fr_str_find(s, "\\\\");
        struct fr_str cells = fr_str_range(s, 0, end == none ? s.n : end);
        size_t from = 0;
        for (size_t j = 0; j <= cells.n; j++)
            if (j == cells.n || (cells.s[j] == '&' && !(j && cells.s[j - 1] == '\\'))) {
                if (j > from || j < cells.n || end != none)
                    add_latex(r, fr_str_range(cells, from, j), k);
                from = j + 1;
            }
        r->begins = end != none;
    }
    out->last = last;
    return true;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

bool fr_markup_grid_find(const struct fr_doc *doc, size_t i, struct fr_arena *arena, struct fr_grid *out,
                         size_t *looked)
{
    static const struct {
        const char *begin;
        bool (*read)(struct reading *r, size_t i, struct fr_grid *out);
    } kinds[] = {{"|===", read_asciidoc},
                 {"==", read_simple},
                 {"{|", read_mediawiki},
                 {".. list-table::", read_list_table},
                 {".. csv-table::", read_csv_table},
                 {"\\begin{tabular", read_latex},
                 {"\\begin{longtable", read_latex}};
    struct reading r = {.doc = doc, .arena = arena};
    if (doc->lines[i].owner || doc->lines[i].text.n < 2)
        return false;
    struct fr_str s = fr_str_ltrim(doc->lines[i].text);
    for (size_t k = 0; s.n && memchr("|{.=\\", *s.s, 5) && k < sizeof kinds / sizeof *kinds; k++) {
        if (!fr_str_starts(s, kinds[k].begin))
            continue;
        memset(out, 0, sizeof *out);
        out->first = out->last = i;
        bool is = kinds[k].read(&r, i, out) && finish(&r, out);
        *looked += is ? 0 : r.looked;
        return is;
    }
    return false;
}
