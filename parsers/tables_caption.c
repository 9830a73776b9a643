/*
 * tables_caption.c: see tables.h. The unit that is said once for a table: in its corner (`Read (MB/s)`) or in the line
 * above it (`Table 1: throughput in MB/s`). It is taken where it fits: one unit, and no column counts something else.
 * And the units that have a column of their own.
 */
#include "tables.h"

#include "banned.h"

enum { CAPTION_MAX_BYTES = 300, LINES_ABOVE = 6 };

/* `(MB/s).` without what stands around it; *bracketed: a bracket did. */
static struct fr_str bare_word(struct fr_str s, bool *bracketed)
{
    *bracketed = false;
    while (s.n && memchr("([{*_`\"'", *s.s, 8)) {
        *bracketed = *bracketed || *s.s == '(' || *s.s == '[';
        s = fr_str_from(s, 1);
    }
    while (s.n && memchr(")]}.,:;*_`\"'=", s.s[s.n - 1], 13))
        s.n--;
    return s;
}

/* The one unit that a line names, and no number in front of it. A time only as `in ms` or `(ms)`. */
static bool unit_in(struct fr_str line, struct fr_unit *out)
{
    struct fr_str before = {"", 0};
    bool any = false;
    while (line.n) {
        bool bracketed;
        struct fr_str word = bare_word(fr_take_word(&line), &bracketed);
        struct fr_unit unit;
        bool known = fr_tables_unit(word, &unit) &&
                     (fr_is_rate(unit.dim) || (unit.dim == FR_DIM_SECONDS && (bracketed || fr_str_is(before, "in"))));
        if (known && before.n && fr_is_digit(before.s[before.n - 1]) && !bracketed)
            return false; /* `at 100 MB/s` */
        if (known && any && (unit.dim != out->dim || unit.factor < out->factor || unit.factor > out->factor))
            return false;
        if (known)
            *out = unit;
        any = any || known;
        before = word;
    }
    return any;
}

/* A line that sets a table or frames it, between its caption and its rows. */
static bool is_setting(const struct fr_doc *doc, size_t i)
{
    struct fr_str s = fr_str_trim(doc->lines[i].text);
    return !s.n || (doc->lines[i].flags & FR_LINE_FENCE) || *s.s == '[' || fr_str_starts(s, "\\begin{tabular") ||
           fr_str_starts(s, "\\centering") || fr_str_starts(s, "\\label") || fr_str_starts(s, "+--") ||
           fr_str_starts(s, "|==");
}

/* The unit that the line above names, or the directive that begins the table; and what else that line says. */
static bool unit_around(const struct fr_doc *doc, const struct fr_grid *g, struct fr_unit *out, struct fr_words *words)
{
    struct fr_str own = fr_str_trim(doc->lines[g->first].text);
    if (fr_str_starts(own, ".. ") && own.n <= CAPTION_MAX_BYTES && unit_in(own, out)) {
        fr_words_read(own, words);
        return true;
    }
    for (size_t i = g->first; i-- > 0 && i + LINES_ABOVE >= g->first;) {
        struct fr_str s = doc->lines[i].text;
        if (is_setting(doc, i))
            continue;
        fr_words_read(s, words);
        return !doc->lines[i].owner && s.n <= CAPTION_MAX_BYTES && fr_str_chr(s, '|') == (size_t)-1 && unit_in(s, out);
    }
    return false;
}

/* A head that counts things: a unit of all figures cannot be meant for them. */
static bool counts(struct fr_str head)
{
    static const char *const words[] = {
        "#",    "n",       "no",      "cpu",   "cpus",    "cores", "nodes",  "count",   "runs", "files",   "clients",
        "size", "ratio",   "speedup", "score", "volumes", "disks", "drives", "osds",    "ram",  "memory",  "replicas",
        "rank", "samples", "year",    "pods",  "workers", "depth", "jobs",   "threads", "qd",   "numjobs", "vms"};
    while (head.n) {
        bool bracketed;
        struct fr_str word = bare_word(fr_take_word(&head), &bracketed);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (fr_str_is_nocase(word, words[i]))
                return true;
    }
    return false;
}

/* Has the column bare numbers? */
static bool has_numbers(const struct fr_grid *g, size_t c, bool decimal_comma)
{
    struct fr_quantity q[2];
    for (size_t r = 1; r < g->rows; r++)
        if (fr_tables_cell(fr_grid_cell(g, r, c), decimal_comma, q) == FR_CELL_NUMBER)
            return true;
    return false;
}

size_t fr_tables_caption(struct fr_names *t, const struct fr_doc *doc, bool decimal_comma)
{
    struct fr_unit unit = t->heads[0].unit;
    struct fr_words words = {.op = FR_OP_NONE};
    size_t n = 0;
    if (!(t->heads[0].has_unit && fr_is_rate(unit.dim)) && !unit_around(doc, t->g, &unit, &words))
        return 0;
    for (size_t r = 1; r < t->g->rows; r++)
        if (t->rows[r].has_unit)
            return 0;
    for (int apply = 0; apply < (t->insist ? 2 : 1); apply++) {
        n = 0;
        for (size_t c = 1; c < t->g->cols; c++) {
            struct fr_name *head = &t->heads[c];
            if (head->has_unit || head->unit.dim == FR_DIM_RATIO || fr_names_block(head) ||
                !has_numbers(t->g, c, decimal_comma))
                continue;
            if (counts(head->text))
                return 0;
            n++;
            if (apply) {
                head->unit = unit;
                head->has_unit = true;
                t->caption = words;
            }
        }
    }
    return n;
}

/* ---- a column of units ------------------------------------------------------------------------------------------- */

/* `Unit`, and below it nothing but words, one a unit of a rate at least. */
static bool is_unit_column(const struct fr_grid *g, size_t c)
{
    static const char *const heads[] = {"unit",  "units",  "单位",  "單位",    "単位",    "단위",     "einheit",
                                        "unité", "unidad", "unità", "unidade", "единица", "jednostka"};
    bool named = false, rate = false;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        named = named || fr_str_is_nocase(fr_grid_cell(g, 0, c), heads[i]);
    for (size_t r = 1; r < g->rows && named; r++) {
        struct fr_str cell = fr_grid_cell(g, r, c);
        struct fr_unit unit;
        rate = rate || (fr_tables_unit(cell, &unit) && fr_is_rate(unit.dim));
        named = !cell.n || !fr_is_digit(*cell.s);
    }
    return named && rate;
}

/* The one column of bare numbers; where it is insisted on, all of them, if none counts. */
static size_t figure_columns(const struct fr_grid *g, bool insist, bool figures[FR_TABLES_COLS])
{
    size_t n = 0;
    for (size_t c = 1; c < g->cols; c++) {
        figures[c] = has_numbers(g, c, false);
        if (figures[c] && counts(fr_grid_cell(g, 0, c)))
            return 0;
        n += figures[c];
    }
    return n == 1 || insist ? n : 0;
}

void fr_tables_unit_column(struct fr_grid *g, bool insist, struct fr_arena *arena)
{
    bool figures[FR_TABLES_COLS] = {false};
    size_t u = 1;
    while (u < g->cols && !is_unit_column(g, u))
        u++;
    if (u == g->cols || !figure_columns(g, insist, figures))
        return;
    for (size_t r = 1; r < g->rows; r++) {
        struct fr_str *cells = g->cells + r * g->cols;
        struct fr_quantity q[2];
        struct fr_unit unit;
        if (!fr_tables_unit(cells[u], &unit))
            continue;
        for (size_t c = 1; c < g->cols; c++)
            if (figures[c] && fr_tables_cell(cells[c], false, q) == FR_CELL_NUMBER)
                cells[c] = fr_str(fr_arena_printf(arena, "%.*s %.*s", FR_STR(cells[c]), FR_STR(cells[u])));
        cells[u] = fr_strn("", 0);
    }
}
