/*
 * tables_own.c: tables that fioreport wrote as Markdown, see tables.h. Their heads are keys, then figures by their
 * titles ("read completion latency p99 [µs]"); what they say is said again, so they are read when it is insisted on.
 */
#include "tables.h"

#include "banned.h"

enum { LINES_AROUND = 40, NOTES_MAX = 64 };

enum head_kind { HEAD_KEY, HEAD_FIGURE, HEAD_RATIO };

struct head {
    enum head_kind kind;
    struct fr_str key; /* of a key */
    enum fr_op op;
    enum fr_metric_id metric;
    const char *stat;
    double factor;
    struct fr_str unit; /* of a score */
};

struct own {
    struct fr_doc *doc;
    const struct fr_grid *g;
    struct fr_batch *batch;
    struct head *heads;
    size_t label, test, op; /* columns of these keys; 0 is cols: none */
    struct fr_str title_label, group;
    struct fr_str notes[NOTES_MAX + 1]; /* by number */
    struct fr_run *run;                 /* of the row above */
    struct fr_str run_label;
};

/* ---- heads ------------------------------------------------------------------------------------------------------- */

static const char *main_stat(enum fr_metric_id id)
{
    enum fr_dim dim = fr_metric_get(id)->dim;
    if (id == FR_M_IO_BYTES || id == FR_M_IOS || id == FR_M_RUNTIME)
        return "total";
    return dim == FR_DIM_COUNT || id == FR_M_CPU_USR || id == FR_M_CPU_SYS || id == FR_M_ERROR ? "value" : "mean";
}

/* The metric whose title the text begins with, the longest such; what follows it stays. */
static bool take_title(struct fr_str *s, enum fr_metric_id *out)
{
    size_t longest = 0;
    for (int id = 0; id < FR_M_COUNT; id++) {
        const char *title = fr_metric_get((enum fr_metric_id)id)->title;
        size_t n = strlen(title);
        if (n > longest && fr_str_starts(*s, title) && (s->n == n || s->s[n] == ' ')) {
            longest = n;
            *out = (enum fr_metric_id)id;
        }
    }
    *s = fr_str_from(*s, longest);
    return longest > 0;
}

/* "p99.9", "stdev", ...: what stands behind a title. */
static bool read_stat(struct fr_batch *batch, struct fr_str s, const char **out)
{
    static const char *const words[] = {"stdev", "n", "total", "value"};
    double percentile;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fr_str_is(s, words[i])) {
            *out = words[i];
            return true;
        }
    if (fr_str_starts(s, "p") && fr_str_double(fr_str_from(s, 1), &percentile) && percentile >= 0 && percentile <= 100)
        *out = fr_stat_percentile(batch, percentile);
    else
        *out = fr_stat_depth(s);
    return *out != NULL;
}

static bool read_unit(struct head *h, struct fr_str unit)
{
    struct fr_unit found;
    enum fr_dim dim = fr_metric_get(h->metric)->dim;
    h->factor = 1;
    h->unit = unit;
    if (dim == FR_DIM_NONE || (h->stat && strcmp(h->stat, "n") == 0))
        return true;
    if (!unit.n) /* the title says it */
        return dim == FR_DIM_OPS || dim == FR_DIM_COUNT;
    if (!fr_unit_find(unit, FR_KILO_1000, &found) || found.dim != dim)
        return false;
    h->factor = found.factor;
    return true;
}

/* `[STAT ][OP ]TITLE[ STAT][ [UNIT]]`, as query_metric.c makes it. */
static bool read_figure(struct fr_batch *batch, struct fr_str s, struct head *h)
{
    static const char *const before[] = {"mean", "min", "max"};
    size_t open = s.n && s.s[s.n - 1] == ']' ? fr_str_rfind(s, " [") : (size_t)-1;
    struct fr_str unit = open == (size_t)-1 ? fr_strn("", 0) : fr_str_range(s, open + 2, s.n - 1);
    s = fr_str_range(s, 0, open);
    *h = (struct head){.kind = HEAD_FIGURE};
    for (size_t i = 0; i < sizeof before / sizeof *before && !h->stat; i++) {
        struct fr_str rest = s;
        if (fr_take(&rest, before[i]) && fr_take_ch(&rest, ' ')) {
            s = rest;
            h->stat = before[i];
        }
    }
    for (int op = FR_OP_NONE + 1; op < FR_OP_COUNT && h->op == FR_OP_NONE; op++) {
        struct fr_str rest = s;
        if (fr_take(&rest, fr_op_name((enum fr_op)op)) && fr_take_ch(&rest, ' ')) {
            s = rest;
            h->op = (enum fr_op)op;
        }
    }
    if (!take_title(&s, &h->metric) || (s.n && (h->stat || !read_stat(batch, fr_str_trim(s), &h->stat))))
        return false;
    if (!h->stat)
        h->stat = main_stat(h->metric);
    return read_unit(h, unit);
}

static bool read_heads(struct own *o)
{
    size_t figures = 0;
    o->label = o->test = o->op = o->g->cols;
    for (size_t c = 0; c < o->g->cols; c++) {
        struct fr_str text = fr_grid_cell(o->g, 0, c);
        struct head *h = &o->heads[c];
        if (read_figure(o->batch, text, h)) {
            figures++;
            continue;
        }
        bool ratio = fr_str_find(text, " vs ") != (size_t)-1;
        *h = (struct head){.kind = ratio ? HEAD_RATIO : HEAD_KEY, .key = text};
        if (ratio != (figures > 0)) /* keys stand before all figures */
            return false;
        size_t *known = fr_str_is(text, "label")  ? &o->label
                        : fr_str_is(text, "test") ? &o->test
                        : fr_str_is(text, "op")   ? &o->op
                                                  : NULL;
        if (known)
            *known = c;
    }
    return figures > 0 && o->heads[0].kind == HEAD_KEY;
}

/* ---- around the table -------------------------------------------------------------------------------------------- */

/* A footnote's number, as raised digits. */
static bool take_raised(struct fr_str *s, unsigned *out)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    bool any = false, more = true;
    *out = 0;
    while (more) {
        more = false;
        for (unsigned d = 0; d < 10 && !more; d++)
            if (fr_take(s, digits[d])) {
                *out = *out < 1000 ? *out * 10 + d : *out;
                any = more = true;
            }
    }
    return any;
}

/* Footnotes, up to the line that says where it all came from; false where there is none: not ours. */
static bool read_notes(struct own *o, size_t *last)
{
    for (size_t i = o->g->last + 1; i < o->doc->n && i <= o->g->last + LINES_AROUND; i++) {
        struct fr_str s = fr_str_trim(o->doc->lines[i].text);
        unsigned number;
        if (fr_str_starts(s, "Source: ")) {
            *last = i;
            return true;
        }
        if (fr_str_starts(s, "|"))
            return false;
        if (take_raised(&s, &number) && number <= NOTES_MAX)
            o->notes[number] = fr_str_trim(s);
    }
    return false;
}

/* `**lvm: read IOPS**` above a table without labels: the label. */
static void read_title(struct own *o)
{
    for (size_t i = o->g->first; i-- > 0 && i + 6 > o->g->first;) {
        struct fr_str s = fr_str_trim(o->doc->lines[i].text);
        if (!fr_take(&s, "**") || !fr_str_ends(s, "**"))
            continue;
        size_t colon = fr_str_find(s, ": ");
        if (colon != (size_t)-1)
            o->title_label = fr_str_range(s, 0, colon);
        return;
    }
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Without Markdown's backslashes. */
static struct fr_str unescaped(struct own *o, struct fr_str s)
{
    char *copy = fr_arena_copy(&o->batch->arena, s.s, s.n);
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        bool escape = s.s[i] == '\\' && i + 1 < s.n && (unsigned char)s.s[i + 1] < 0x80 && !fr_is_alpha(s.s[i + 1]) &&
                      !fr_is_digit(s.s[i + 1]);
        i += escape;
        copy[n++] = s.s[i];
    }
    copy[n] = 0;
    return fr_strn(copy, n);
}

static struct fr_str cell(struct own *o, size_t r, size_t c)
{
    struct fr_str s = c < o->g->cols ? fr_str_trim(fr_grid_cell(o->g, r, c)) : fr_strn("", 0);
    return fr_str_is(s, "–") ? fr_strn("", 0) : unescaped(o, s);
}

/* What a note says that is no failure. */
static bool is_remark(struct fr_str note)
{
    return fr_str_starts(note, "the ") || fr_str_starts(note, "without a run") ||
           fr_str_find(note, " runs left out: ") != (size_t)-1;
}

/* `**113.6** (n=5, 110–118)¹`, `–¹`, `0†` */
static void read_cell(struct own *o, struct fr_test *test, size_t r, size_t c, enum fr_op row_op)
{
    const struct head *h = &o->heads[c];
    struct fr_str s = fr_str_trim(fr_grid_cell(o->g, r, c));
    uint32_t line = o->doc->lines[o->g->lines[r]].no;
    enum fr_op op = h->op == FR_OP_NONE ? row_op : h->op;
    double value;
    uint64_t runs;
    unsigned note;
    fr_take(&s, "**");
    if (fr_take_double(&s, &value)) {
        fr_value_add(o->batch, test, op, h->metric, h->stat, fr_to_base(value, h->factor), line);
        if (h->metric == FR_M_SCORE && h->unit.n)
            test->unit = fr_arena_copy(&o->batch->arena, h->unit.s, h->unit.n);
    }
    fr_take(&s, "**");
    if (fr_take(&s, " (n=") && fr_take_u64(&s, &runs, NULL)) {
        fr_value_add(o->batch, test, op, h->metric, "n", (double)runs, line);
        size_t close = fr_str_chr(s, ')');
        s = fr_str_from(s, close == (size_t)-1 ? s.n : close + 1);
    }
    fr_take(&s, "–");
    fr_take(&s, " ");
    if (take_raised(&s, &note) && note <= NOTES_MAX && o->notes[note].n && !is_remark(o->notes[note]))
        test->error = unescaped(o, o->notes[note]).s;
    else if (fr_take(&s, "†"))
        test->error = "failed or cut short";
}

/* A key that becomes a parameter; what else a row may be named by says nothing of the workload. */
static bool is_param(struct fr_str key)
{
    static const char *const other[] = {"label", "test",  "op",      "source", "run",    "run_id",
                                        "tool",  "host",  "version", "title",  "metric", "stat",
                                        "job",   "table", "unit",    "better", "started"};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (fr_str_is(key, other[i]))
            return false;
    return key.n > 0;
}

static void read_row(struct own *o, size_t r)
{
    uint32_t line = o->doc->lines[o->g->lines[r]].no;
    bool grouped = o->group.n > 0, by_group = grouped && o->label == o->g->cols && !o->title_label.n;
    struct fr_str label = o->label < o->g->cols ? cell(o, r, o->label) : by_group ? o->group : o->title_label;
    if (!o->run || !fr_str_eq(label, o->run_label)) {
        o->run = fr_run_new(o->batch, "table", "table", line);
        o->run->own_label = label.n ? fr_arena_copy(&o->batch->arena, label.s, label.n) : NULL;
        o->run_label = label;
    }
    o->run->line_end = line;
    struct fr_test *test = fr_test_new(o->batch, o->run, cell(o, r, o->test), line);
    int op = fr_op_find(cell(o, r, o->op));
    for (size_t c = 0; c < o->g->cols; c++) {
        struct fr_str text = o->heads[c].kind == HEAD_KEY && is_param(o->heads[c].key) ? cell(o, r, c) : fr_strn("", 0);
        if (o->heads[c].kind == HEAD_FIGURE)
            read_cell(o, test, r, c, op < 0 ? FR_OP_NONE : (enum fr_op)op);
        else if (text.n)
            fr_param_set(o->batch, o->run, test, fr_arena_copy(&o->batch->arena, o->heads[c].key.s, o->heads[c].key.n),
                         text, FR_FROM_FORMAT, line);
    }
    if (grouped && !by_group)
        fr_param_set(o->batch, o->run, test, "group", o->group, FR_FROM_FORMAT, line);
}

/* A heading over the rows below: nothing in the other cells. */
static bool is_group(const struct own *o, size_t r)
{
    for (size_t c = 1; c < o->g->cols; c++)
        if (fr_str_trim(fr_grid_cell(o->g, r, c)).n)
            return false;
    return true;
}

enum fr_own fr_tables_own(struct fr_doc *doc, const struct fr_grid *g, struct fr_batch *batch, unsigned owner)
{
    struct fr_arena arena = FR_ARENA_INIT;
    struct own o = {.doc = doc, .g = g, .batch = batch, .title_label = {"", 0}, .group = {"", 0}};
    size_t last = g->last;
    o.heads = fr_arena_alloc(&arena, g->cols * sizeof *o.heads);
    bool ours = read_heads(&o) && read_notes(&o, &last);
    if (ours && doc->insist) {
        if (o.label == g->cols)
            read_title(&o);
        o.title_label = unescaped(&o, o.title_label);
        for (size_t r = 1; r < g->rows; r++)
            if (is_group(&o, r))
                o.group = cell(&o, r, 0);
            else if (!fr_str_starts(fr_grid_cell(g, r, 0), "geometric mean"))
                read_row(&o, r);
    }
    if (ours)
        fr_doc_claim(doc, g->first, last, owner, 0);
    fr_arena_release(&arena);
    return !ours ? FR_OWN_NO : doc->insist ? FR_OWN_READ : FR_OWN_LEFT;
}
