/*
 * query_curves.c: percentiles, bins and series: a curve for each test and direction. See query.h.
 *
 * Percentiles of several tests are never averaged. Where all tests of a curve have exact histograms these are added up
 * and the percentiles taken from the sum; else each test is a curve of its own.
 */
#include "query.h"

#include <math.h>

#include "hist.h"
#include "series.h"
#include "strbuf.h"

#include "banned.h"

struct curves {
    struct fr_q *q;
    struct fr_table *table;
    struct fr_q_metric metric;
    bool labels, tests, ops, runs; /* what the names of curves need */
    size_t test;                   /* where the walk over tests stands */
};

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* "zfs randread 4k read" */
static const char *curve_name(struct curves *c, const struct fr_q_test *test, enum fr_op op)
{
    struct fr_strbuf name = FR_STRBUF_INIT;
    if (c->labels || (!c->tests && !c->ops))
        fr_strbuf_addstr(&name, test->run->label);
    if (c->tests)
        fr_strbuf_addf(&name, "%s%s", name.len ? " " : "", test->name);
    if (c->ops)
        fr_strbuf_addf(&name, "%s%s", name.len ? " " : "", fr_op_name(op));
    if (c->runs)
        fr_strbuf_addf(&name, " #%s.%s", test->run->id_text, test->job_text);
    const char *word = fr_q_word(c->q, fr_strbuf_str(&name));
    fr_strbuf_release(&name);
    return word;
}

/* Look at the tests that have something to draw: which parts of a name tell them apart? */
static void note_test(struct curves *c, const struct fr_q_test **first, int *op, const struct fr_q_test *test,
                      int its_op)
{
    if (!*first) {
        *first = test;
        *op = its_op;
        return;
    }
    c->labels = c->labels || test->run->label != (*first)->run->label;
    c->tests = c->tests || test->name != (*first)->name;
    c->ops = c->ops || its_op != *op;
}

/* The test that a row of the store belongs to, if it is used and of the op asked for. */
static const struct fr_q_test *wanted(struct curves *c, long long run_id, int test_no, enum fr_op op)
{
    struct fr_q *q = c->q;
    while (c->test < q->tests_n && (q->tests[c->test].run->id < run_id ||
                                    (q->tests[c->test].run->id == run_id && q->tests[c->test].no < test_no)))
        c->test++;
    const struct fr_q_test *t = c->test < q->tests_n ? &q->tests[c->test] : NULL;
    if (!t || t->run->id != run_id || t->no != test_no || !t->used)
        return NULL;
    return c->metric.op < 0 || c->metric.op == (int)op ? t : NULL;
}

static void add_x(struct fr_table *table, const char *name, enum fr_column_role role, enum fr_dim dim)
{
    struct fr_column *c = fr_table_column(table, name, role);
    c->dim = dim;
}

static void mark_failed(struct curves *c, struct fr_row *row, size_t column, const struct fr_q_test *test)
{
    if (!fr_q_failed(test))
        return;
    row->flags |= FR_CELL_FAILED;
    row->cells[column].flags |= FR_CELL_FAILED;
    row->cells[column].note = fr_table_note(c->table, "%s: %s", test->name, fr_q_failure(c->q, test));
}

static int nothing(struct curves *c, const char *what)
{
    return fr_log_error(c->q->log, NULL, 0, "nothing matches: no run has %s of %s", what,
                        fr_q_metric_name(c->q, &c->metric));
}

/* ---- distributions: one sum of bins for each curve --------------------------------------------------------------- */

struct sum {
    const char *name;
    const struct fr_q_test *test; /* the first */
    struct fr_bins bins;
    struct fr_bin *coarse; /* in the arena */
    size_t coarse_n;
};

struct sums {
    struct curves *c;
    const struct fr_q_test *first;
    int op;
    struct sum *list;
    size_t n, alloc;
};

static int name_hist(void *ctx, const struct fr_hist_row *row)
{
    struct sums *s = ctx;
    const struct fr_q_test *test = wanted(s->c, row->run_id, row->test_no, row->op);
    if (test)
        note_test(s->c, &s->first, &s->op, test, (int)row->op);
    return 0;
}

static struct sum *sum_of(struct sums *s, const char *name, const struct fr_q_test *test)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->list[i].name == name)
            return &s->list[i];
    s->list = fr_q_grow(s->list, s->n, &s->alloc, sizeof *s->list);
    s->list[s->n] = (struct sum){.name = name, .test = test, .bins = FR_BINS_INIT};
    return &s->list[s->n++];
}

static int add_hist(void *ctx, const struct fr_hist_row *row)
{
    struct sums *s = ctx;
    const struct fr_q_test *test = wanted(s->c, row->run_id, row->test_no, row->op);
    if (!test || !row->n)
        return 0;
    struct sum *sum = sum_of(s, curve_name(s->c, test, row->op), test);
    if (row->exact) {
        fr_bins_add(&sum->bins, row->bins, row->n);
    } else if (!sum->coarse) {
        sum->coarse = fr_arena_alloc(&s->c->q->arena, row->n * sizeof *sum->coarse);
        memcpy(sum->coarse, row->bins, row->n * sizeof *sum->coarse);
        sum->coarse_n = row->n;
    }
    return 0;
}

/* All distributions of the metric, added up by curve. Release them after, also on failure. */
static int load_sums(struct curves *c, struct sums *s)
{
    *s = (struct sums){.c = c};
    if (fr_store_hists(c->q->store, 0, (int)c->metric.metric, name_hist, s, c->q->log) != 0)
        return -1;
    c->test = 0;
    return fr_store_hists(c->q->store, 0, (int)c->metric.metric, add_hist, s, c->q->log) != 0 ? -1 : 0;
}

static void release_sums(struct sums *s)
{
    for (size_t i = 0; i < s->n; i++)
        fr_bins_release(&s->list[i].bins);
    free(s->list);
}

static int bins_table(struct curves *c)
{
    struct sums s;
    int result = load_sums(c, &s);
    fr_table_column(c->table, "series", FR_COL_KEY);
    add_x(c->table, "lower", FR_COL_X, FR_DIM_SECONDS);
    add_x(c->table, "upper", FR_COL_X_END, FR_DIM_SECONDS);
    add_x(c->table, "count", FR_COL_VALUE, FR_DIM_COUNT);
    for (size_t i = 0; !result && i < s.n; i++) {
        const struct sum *sum = &s.list[i];
        const struct fr_bin *bins = sum->bins.n ? sum->bins.bins : sum->coarse;
        for (size_t j = 0; j < (sum->bins.n ? sum->bins.n : sum->coarse_n); j++) {
            struct fr_row *row = fr_table_row(c->table);
            fr_table_text(c->table, row, 0, sum->name);
            fr_table_number(c->table, row, 1, bins[j].lower);
            fr_table_number(c->table, row, 2, bins[j].upper);
            fr_table_number(c->table, row, 3, (double)bins[j].count);
            mark_failed(c, row, 3, sum->test);
        }
    }
    if (!result && !s.n)
        result = nothing(c, "a histogram");
    release_sums(&s);
    return result;
}

/* ---- percentiles ------------------------------------------------------------------------------------------------- */

static void percentile_row(struct curves *c, const char *name, double percentile, double value,
                           const struct fr_q_test *test)
{
    struct fr_row *row = fr_table_row(c->table);
    fr_table_text(c->table, row, 0, name);
    fr_table_number(c->table, row, 1, percentile);
    fr_table_number(c->table, row, 2, value);
    mark_failed(c, row, 2, test);
}

/* From the sums of exact histograms: as many percentiles as there are bins would be noise, so fio's and some more. */
static void percentiles_of_sums(struct curves *c, const struct sums *s)
{
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < FR_HIST_DEFAULTS; j++) {
            double value;
            if (fr_bins_percentile(&s->list[i].bins, fr_hist_defaults[j], &value))
                percentile_row(c, s->list[i].name, fr_hist_defaults[j], value, s->list[i].test);
        }
}

static bool is_percentile(const struct curves *c, const struct fr_q_value *v, double *percentile)
{
    return v->metric == c->metric.metric && (c->metric.op < 0 || c->metric.op == (int)v->op) && v->stat[0] == 'p' &&
           fr_str_double(fr_str(v->stat + 1), percentile);
}

static void percentiles_as_printed(struct curves *c)
{
    const struct fr_q *q = c->q;
    const struct fr_q_test *first = NULL;
    double p;
    int op = 0;
    for (size_t i = 0; i < q->values_n; i++)
        if (is_percentile(c, &q->values[i], &p))
            note_test(c, &first, &op, q->values[i].test, (int)q->values[i].op);
    for (int pass = 0; pass < 2; pass++) { /* the same name for two tests: their runs tell them apart */
        const char *name = NULL;
        const struct fr_q_test *owner = NULL;
        const char *seen[512];
        size_t seen_n = 0;
        for (size_t i = 0; i < q->values_n && !(pass == 0 && c->runs); i++) {
            const struct fr_q_value *v = &q->values[i];
            if (!is_percentile(c, v, &p))
                continue;
            const char *its = curve_name(c, v->test, v->op);
            if (pass == 1)
                percentile_row(c, its, p, v->value, v->test);
            if (its == name && v->test == owner)
                continue;
            for (size_t k = 0; k < seen_n && pass == 0; k++)
                c->runs = c->runs || (seen[k] == its && !(its == name && v->test == owner));
            if (seen_n < sizeof seen / sizeof *seen)
                seen[seen_n++] = its;
            name = its;
            owner = v->test;
        }
    }
}

static bool all_exact(const struct sums *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (!s->list[i].bins.n)
            return false;
    return s->n > 0;
}

static int percentiles_table(struct curves *c)
{
    struct sums s;
    int result = load_sums(c, &s);
    fr_table_column(c->table, "series", FR_COL_KEY);
    add_x(c->table, "percentile", FR_COL_X, FR_DIM_NONE);
    /* No stat: a percentile is not of the mean, which a latency without one would be called. */
    struct fr_q_metric plain = {.op = c->metric.op, .metric = c->metric.metric, .stat = ""};
    add_x(c->table, fr_q_metric_title(c->q, &plain, true), FR_COL_VALUE, fr_metric_get(c->metric.metric)->dim);
    c->table->columns[2].better = fr_metric_get(c->metric.metric)->better;
    if (!result && all_exact(&s)) {
        percentiles_of_sums(c, &s);
    } else if (!result) {
        c->labels = c->tests = c->ops = false;
        percentiles_as_printed(c);
    }
    release_sums(&s);
    return !result && !c->table->rows_n ? nothing(c, "percentiles") : result;
}

/* ---- series ------------------------------------------------------------------------------------------------------ */

struct named {
    struct curves *c;
    const struct fr_q_test *first;
    int op;
};

static int name_series(void *ctx, const struct fr_series_row *row)
{
    struct named *s = ctx;
    const struct fr_q_test *test = wanted(s->c, row->run_id, row->test_no, row->op);
    if (test) {
        if (s->first && test != s->first && test->name == s->first->name && test->run->label == s->first->run->label)
            s->c->runs = true;
        note_test(s->c, &s->first, &s->op, test, (int)row->op);
    }
    return 0;
}

static int add_series(void *ctx, const struct fr_series_row *row)
{
    struct curves *c = ((struct named *)ctx)->c;
    const struct fr_q_test *test = wanted(c, row->run_id, row->test_no, row->op);
    for (size_t i = 0; test && i < row->seconds_n; i++) {
        const struct fr_second *second = &row->seconds[i];
        struct fr_row *r = fr_table_row(c->table);
        fr_table_text(c->table, r, 0, curve_name(c, test, row->op));
        fr_table_number(c->table, r, 1, (double)second->t);
        fr_table_number(c->table, r, 2, (double)second->n);
        fr_table_number(c->table, r, 3, second->mean);
        fr_table_number(c->table, r, 4, second->min);
        fr_table_number(c->table, r, 5, second->max);
        if (row->last_partial && i + 1 == row->seconds_n)
            for (size_t k = 3; k < 6; k++)
                r->cells[k].flags |= FR_CELL_PARTIAL;
        mark_failed(c, r, 3, test);
    }
    return 0;
}

static int series_table(struct curves *c)
{
    static const char *const heads[] = {"mean", "min", "max"};
    struct named named = {.c = c};
    fr_table_column(c->table, "series", FR_COL_KEY);
    add_x(c->table, "t", FR_COL_X, FR_DIM_SECONDS);
    add_x(c->table, "n", FR_COL_INFO, FR_DIM_COUNT);
    for (size_t i = 0; i < 3; i++)
        add_x(c->table, heads[i], FR_COL_VALUE, fr_metric_get(c->metric.metric)->dim);
    if (fr_store_series(c->q->store, 0, (int)c->metric.metric, name_series, &named, c->q->log) != 0)
        return -1;
    c->test = 0;
    if (fr_store_series(c->q->store, 0, (int)c->metric.metric, add_series, &named, c->q->log) != 0)
        return -1;
    return c->table->rows_n ? 0 : nothing(c, "a series");
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

/* The metric asked for, else what such a curve usually shows. */
static int choose_metric(struct curves *c, enum fr_shape shape)
{
    struct fr_q_metrics asked = {.n = 0};
    if (c->q->query->metrics) {
        if (fr_q_metrics_parse(c->q, c->q->query->metrics, &asked) != 0)
            return -1;
        c->metric = asked.metric[0];
        if (asked.n > 1)
            fr_log_warn(c->q->log, NULL, 0, "only %s is shown, one metric at a time",
                        fr_q_metric_name(c->q, &c->metric));
        return 0;
    }
    c->metric = (struct fr_q_metric){.op = -1, .metric = shape == FR_SHAPE_SERIES ? FR_M_BW : FR_M_CLAT};
    return 0;
}

struct fr_table *fr_q_curves(struct fr_q *q, enum fr_shape shape)
{
    struct curves c = {.q = q};
    if (choose_metric(&c, shape) != 0 || fr_q_load_values(q, 1ull << c.metric.metric) != 0 || fr_q_where(q) != 0)
        return NULL;
    c.table = fr_table_new();
    int result = shape == FR_SHAPE_PERCENTILES ? percentiles_table(&c)
                 : shape == FR_SHAPE_BINS      ? bins_table(&c)
                                               : series_table(&c);
    if (result != 0) {
        fr_table_free(c.table);
        return NULL;
    }
    fr_table_fit(c.table, q->query->units, q->query->digits);
    c.metric.stat = NULL;
    fr_q_titles(q, c.table,
                fr_arena_printf(&q->arena, "%s%s%s", c.metric.op > 0 ? fr_op_name((enum fr_op)c.metric.op) : "",
                                c.metric.op > 0 ? " " : "", fr_metric_get(c.metric.metric)->title));
    return c.table;
}
