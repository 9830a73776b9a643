/*
 * tables_summary.c: see tables.h. What kbench, which measures storage of Kubernetes with fio, makes of its results:
 *
 *     FIO Benchmark Summary
 *     For: test_device
 *     Size: 30G
 *     IOPS (Read/Write)
 *             Random:     90,546 / 73,514
 *     Bandwidth in KiB/sec (Read/Write)
 *             Random:     438,403 / 315,218
 *
 * Two volumes beside each other have ` vs ` between their figures and ` : ` before the change in percent; older ones
 * have a line for each direction. IOPS, bandwidth and latency come from jobs of their own: each is a test.
 */
#include "tables.h"

#include "banned.h"

enum { SIDES_MAX = 2, SUMMARY_LINES_MAX = 60 };

static const char default_name[] = "test_device"; /* what kbench calls a volume that nobody named */

struct quantity {
    const char *name, *word;
    enum fr_metric_id metric;
    struct fr_unit unit;
};

struct summary {
    struct fr_doc *doc;
    struct fr_batch *batch;
    struct fr_log *log;
    struct fr_run *runs[SIDES_MAX];
    struct fr_str labels[SIDES_MAX], size;
    size_t first, last; /* lines */
    struct quantity now;
    size_t values;
};

static const size_t none = (size_t)-1;

static struct fr_str text_of(const struct fr_doc *doc, size_t i)
{
    struct fr_str s = fr_str_trim(doc->lines[i].text);
    while (s.n && memchr("#>*", *s.s, 3))
        s = fr_str_ltrim(fr_str_from(s, 1));
    return s;
}

static bool begins(struct fr_str s)
{
    return fr_str_starts(s, "FIO Benchmark ") && fr_str_ends(s, " Summary");
}

/* `IOPS (Read/Write)`, `Latency in ns`: what the figures below are of. */
static bool read_quantity(struct fr_str s, struct quantity *out)
{
    static const struct quantity known[] = {{"IOPS", "IOPS", FR_M_IOPS, {1, FR_DIM_OPS}},
                                            {"Bandwidth", "bandwidth", FR_M_BW, {0, FR_DIM_BYTES_PER_S}},
                                            {"Latency", "latency", FR_M_LAT, {0, FR_DIM_SECONDS}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct fr_str rest = s;
        if (!fr_take(&rest, known[i].name))
            continue;
        *out = known[i];
        size_t paren = fr_str_find(rest, "(Read/Write)");
        rest = fr_str_trim(fr_str_range(rest, 0, paren == none ? rest.n : paren));
        if (!fr_take(&rest, "in "))
            return !rest.n && out->unit.factor > 0;
        return fr_tables_unit(rest, &out->unit) && out->unit.dim == known[i].unit.dim;
    }
    return false;
}

static struct fr_run *run_of(struct summary *s, size_t side)
{
    struct fr_arena *arena = &s->batch->arena;
    if (s->runs[side])
        return s->runs[side];
    uint32_t line = s->doc->lines[s->first].no;
    struct fr_run *run = fr_run_new(s->batch, "table", "table", line);
    run->title = "FIO Benchmark Summary";
    run->column = fr_doc_column(s->first, side);
    if (s->labels[side].n && !fr_str_is(s->labels[side], default_name))
        run->own_label = fr_arena_copy(arena, s->labels[side].s, s->labels[side].n);
    if (s->size.n)
        fr_param_set(s->batch, run, NULL, "size", s->size, FR_FROM_FORMAT, line);
    return s->runs[side] = run;
}

static void add_value(struct summary *s, size_t side, size_t i, const struct fr_words *w, double value)
{
    uint32_t line = s->doc->lines[i].no;
    char name[64];
    struct fr_run *run = run_of(s, side);
    bool read = w->op == FR_OP_READ;
    snprintf(name, sizeof name, "%s %s %s", w->random ? "Random" : "Sequential", read ? "read" : "write", s->now.word);
    struct fr_test *test = fr_test_new(s->batch, run, fr_str(name), line);
    fr_param_set(s->batch, run, test, "rw",
                 fr_str(w->random ? read ? "randread" : "randwrite"
                        : read    ? "read"
                                  : "write"),
                 FR_FROM_FORMAT, line);
    fr_value_add(s->batch, test, w->op, s->now.metric, "mean", fr_to_base(value, s->now.unit.factor), line);
    run->line_end = line;
    s->values++;
}

/* `90,546 / 73,514`, or one figure where the name says the direction. */
static void read_side(struct summary *s, size_t side, size_t i, struct fr_words w, struct fr_str text)
{
    struct fr_quantity q[2];
    size_t paren = fr_str_find(text, " ("); /* the CPU */
    text = fr_str_trim(fr_str_range(text, 0, paren == none ? text.n : paren));
    bool named = w.op != FR_OP_NONE;
    for (size_t k = 0; k < (named ? 1 : 2); k++) {
        size_t slash = fr_str_find(text, " / ");
        struct fr_str figure = fr_str_trim(fr_str_range(text, 0, slash == none ? text.n : slash));
        text = fr_str_from(text, slash == none ? text.n : slash + 3);
        if (!named)
            w.op = k == 0 ? FR_OP_READ : FR_OP_WRITE;
        enum fr_cell kind = fr_tables_cell(figure, false, q);
        if (kind == FR_CELL_NUMBER && q->unit.factor == 1)
            add_value(s, side, i, &w, q->value);
        else if (kind != FR_CELL_EMPTY)
            fr_log_warn(s->log, s->doc->source, s->doc->lines[i].no, "'%.*s' is no figure, left out",
                        (int)(figure.n < 40 ? figure.n : 40), figure.s);
    }
}

/* `Random:   96,735 / 89,565   vs   98,135 / 88,990    :      1.45% / -0.64%` */
static bool read_row(struct summary *s, size_t i, struct fr_str text)
{
    struct fr_words w;
    size_t colon = fr_str_chr(text, ':');
    struct fr_str name = fr_str_range(text, 0, colon == none ? 0 : colon), rest = fr_str_from(text, colon + 1);
    fr_words_read(name, &w);
    if (!s->now.name || colon == none || (!w.random && !w.sequential))
        return colon != none && fr_str_starts(name, "CPU Idle");
    size_t rread = fr_str_find(name, "Rread"); /* so one of its versions spells it */
    w.op = rread != none ? FR_OP_READ : w.op;
    size_t change = fr_str_find(rest, " : ");
    rest = fr_str_range(rest, 0, change == none ? rest.n : change);
    size_t vs = fr_str_find(rest, " vs ");
    read_side(s, 0, i, w, fr_str_range(rest, 0, vs == none ? rest.n : vs));
    if (vs != none)
        read_side(s, 1, i, w, fr_str_from(rest, vs + 4));
    return true;
}

/* What stands between the title and the figures; false: neither that nor blank. */
static bool read_head(struct summary *s, struct fr_str text)
{
    if (fr_take(&text, "For: ")) {
        size_t vs = fr_str_find(text, " vs ");
        s->labels[0] = fr_str_trim(fr_str_range(text, 0, vs == none ? text.n : vs));
        s->labels[1] = vs == none ? s->labels[1] : fr_str_trim(fr_str_from(text, vs + 4));
        return true;
    }
    if (fr_str_starts_nocase(text, "size: ")) {
        s->size = fr_str_trim(fr_str_from(text, 6));
        return true;
    }
    return !text.n || fr_str_starts(text, "==") || fr_str_starts(text, "CPU Idleness Prof") ||
           fr_str_starts_nocase(text, "quick mode") || fr_str_ends(text, "Change");
}

/* What kbench says while it works, above its summary, is no heading: a heading above that names the run. */
static void claim_steps(struct fr_doc *doc, size_t i, unsigned owner)
{
    static const char *const steps[] = {"==", "TEST_FILE: ", "TEST_OUTPUT_PREFIX: ", "TEST_SIZE: ", "Benchmarking "};
    bool known = true;
    while (i-- > 0 && known && !doc->lines[i].owner && !(doc->lines[i].flags & FR_LINE_FENCE)) {
        struct fr_str text = text_of(doc, i);
        known = !text.n;
        for (size_t k = 0; text.n && !known && k < sizeof steps / sizeof *steps; k++)
            known = fr_str_starts(text, steps[k]);
        if (known && text.n)
            fr_doc_claim(doc, i, i, owner, FR_LINE_NOISE);
    }
}

size_t fr_summary_read(struct fr_doc *doc, size_t i, unsigned owner, struct fr_batch *batch, struct fr_log *log)
{
    struct summary s = {.doc = doc, .batch = batch, .log = log, .first = i, .last = i};
    if (doc->lines[i].owner || fr_str_chr(doc->lines[i].text, 'F') == none || !begins(text_of(doc, i)))
        return i;
    for (size_t k = i + 1; k < doc->n && k < i + SUMMARY_LINES_MAX; k++) {
        struct fr_str text = text_of(doc, k);
        if (doc->lines[k].owner || (doc->lines[k].flags & FR_LINE_FENCE) || begins(text))
            break;
        if (!read_quantity(text, &s.now) && !read_row(&s, k, text) && !read_head(&s, text))
            break;
        s.last = text.n ? k : s.last;
    }
    if (!s.values)
        return i;
    fr_doc_claim(doc, s.first, s.last, owner, 0);
    claim_steps(doc, s.first, owner);
    return s.last + 1;
}
