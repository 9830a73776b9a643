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
    struct fr_q_dims dims;         /* and these, without which tests of one label and name would be one curve */
    size_t test;                   /* where the walk over tests stands */
};

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* "zfs randread 4k read" */
static const char *curve_name(struct curves *c, const struct fr_q_test *test, enum fr_op op)
{
    struct fr_strbuf name = FR_STRBUF_INIT;
    if (c->labels || (!c->tests && !c->ops))
        fr_strbuf_addstr(&name, test->run->label);
    if (c->tests && !(name.len && strcmp(test->name, test->run->label) == 0))
        fr_strbuf_addf(&name, "%s%s", name.len ? " " : "", test->name);
    for (size_t i = 0; i < c->dims.n; i++) {
        const struct fr_q_dim *dim = &c->dims.dim[i];
        const char *text = fr_q_dim_get(dim, test, NULL);
        if (text)
            fr_strbuf_addf(&name, "%s%s %s", name.len ? " " : "", dim->key, text);
    }
    if (c->ops)
        fr_strbuf_addf(&name, "%s%s", name.len ? " " : "", op == FR_OP_NONE ? "all" : fr_op_name(op));
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

static int by_label_and_name(const void *a, const void *b)
{
    const struct fr_q_test *x = *(const struct fr_q_test *const *)a, *y = *(const struct fr_q_test *const *)b;
    int order = x->run->label == y->run->label ? 0 : strcmp(x->run->label, y->run->label);
    order = order || x->name == y->name ? order : strcmp(x->name, y->name);
    return order ? order : x < y ? -1 : x > y;
}

/* Which dimensions tell tests of one label and name apart? They are no repeats then. */
static int choose_dims(struct curves *c)
{
    struct fr_q *q = c->q;
    const struct fr_q_test **list = malloc((q->tests_n + 1) * sizeof *list);
    struct fr_q_dim dim;
    size_t n = 0;
    if (!list)
        return fr_log_error(q->log, NULL, 0, "out of memory");
    for (size_t i = 0; i < q->tests_n; i++)
        if (q->tests[i].used)
            list[n++] = &q->tests[i];
    qsort(list, n, sizeof *list, by_label_and_name);
    for (size_t k = 0; fr_q_identity(q, k, &dim); k++)
        for (size_t i = 1; i < n && dim.kind == FR_DIM_PARAM; i++)
            if (list[i]->name == list[i - 1]->name && list[i]->run->label == list[i - 1]->run->label &&
                fr_q_dim_get(&dim, list[i], NULL) != fr_q_dim_get(&dim, list[i - 1], NULL)) {
                fr_q_dims_add(&c->dims, dim.kind, dim.key);
                break;
            }
    free(list);
    return 0;
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
    bool *exact; /* of each test: it has exact ones */
    bool torn;   /* two distributions that cannot be added have one name */
};

static int find_exact(void *ctx, const struct fr_hist_row *row)
{
    struct sums *s = ctx;
    if (wanted(s->c, row->run_id, row->test_no, row->op) && row->exact)
        s->exact[s->c->test] = true;
    return 0;
}

/* The test that the row is of. fio's own coarse buckets are of all directions together: beside exact ones of each they
 * would show everything twice. */
static const struct fr_q_test *used_hist(struct sums *s, const struct fr_hist_row *row)
{
    const struct fr_q_test *test = wanted(s->c, row->run_id, row->test_no, row->op);
    return test && row->n && (row->exact || row->op != FR_OP_NONE || !s->exact[s->c->test]) ? test : NULL;
}

static int name_hist(void *ctx, const struct fr_hist_row *row)
{
    struct sums *s = ctx;
    const struct fr_q_test *test = used_hist(s, row);
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
    const struct fr_q_test *test = used_hist(s, row);
    if (!test)
        return 0;
    struct sum *sum = sum_of(s, curve_name(s->c, test, row->op), test);
    if (row->exact) {
        fr_bins_add(&sum->bins, row->bins, row->n);
    } else if (sum->coarse) {
        s->torn = true;
    } else {
        sum->coarse = fr_arena_alloc(&s->c->q->arena, row->n * sizeof *sum->coarse);
        memcpy(sum->coarse, row->bins, row->n * sizeof *sum->coarse);
        sum->coarse_n = row->n;
    }
    return 0;
}

static void drop_sums(struct sums *s)
{
    for (size_t i = 0; i < s->n; i++)
        fr_bins_release(&s->list[i].bins);
    free(s->list);
    s->list = NULL;
    s->n = s->alloc = 0;
}

static void release_sums(struct sums *s)
{
    drop_sums(s);
    free(s->exact);
}

/*
 * All distributions of the metric, added up by curve. Those of repeats that only have fio's wide bins stay apart, each
 * with its run in its name. Release them after, also on failure.
 */
static int load_sums(struct curves *c, struct sums *s)
{
    int (*const passes[])(void *, const struct fr_hist_row *) = {find_exact, name_hist, add_hist, add_hist};
    *s = (struct sums){.c = c, .exact = calloc(c->q->tests_n + 1, sizeof *s->exact)};
    if (!s->exact)
        return fr_log_error(c->q->log, NULL, 0, "out of memory");
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        if (i == 3 && !s->torn)
            break;
        if (i == 3) {
            c->runs = true;
            drop_sums(s);
        }
        c->test = 0;
        if (fr_store_hists(c->q->store, 0, (int)c->metric.metric, passes[i], s, c->q->log) != 0)
            return -1;
    }
    return 0;
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

/*
 * Jobs of one name in one run are one curve: their rates add up, their latencies merge by I/Os (series.h). So are raw
 * logs, whose samples are single I/Os: their bandwidth is what they moved in an interval, not the mean of the speeds of
 * single I/Os. One averaged log is shown as it is, with the spread of its samples in each second.
 */
struct log_series {
    const char *name;
    const struct fr_q_test *test;
    long long id, iops; /* in the store; iops 0: none */
    struct fr_series series, weights;
    bool done;
};

struct logs {
    struct curves *c;
    const struct fr_q_test *first;
    int op;
    struct log_series *list;
    size_t n, alloc;
    int64_t step; /* of the grid, milliseconds */
};

/* Milliseconds between averages; where they are not quite even, as many as fit into the fullest second. */
static int64_t interval_of(const struct fr_series_row *row)
{
    uint64_t most = 1;
    if (row->interval || !row->averaged)
        return row->interval;
    for (size_t i = 0; i < row->seconds_n; i++)
        most = row->seconds[i].n > most ? row->seconds[i].n : most;
    return most < 1000 ? 1000 / (int64_t)most : 1;
}

static int add_log(void *ctx, const struct fr_series_row *row)
{
    struct logs *s = ctx;
    const struct fr_q_test *test = wanted(s->c, row->run_id, row->test_no, row->op);
    if (!test || !row->n)
        return 0;
    note_test(s->c, &s->first, &s->op, test, (int)row->op);
    s->list = fr_q_grow(s->list, s->n, &s->alloc, sizeof *s->list);
    s->list[s->n] = (struct log_series){.test = test, .id = row->series_id};
    s->list[s->n++].series = (struct fr_series){.op = (uint8_t)row->op,
                                                .metric = (uint8_t)row->metric,
                                                .test_no = row->test_no,
                                                .step = row->step,
                                                .averaged = row->averaged,
                                                .unix_time = row->unix_time,
                                                .columns = (uint8_t)row->columns,
                                                .interval = interval_of(row),
                                                .n = row->n,
                                                .seconds_n = row->seconds_n,
                                                .last_partial = row->last_partial};
    return 0;
}

/* Averages of latencies are weighed by the IOPS of the same job. */
static int add_weights(void *ctx, const struct fr_series_row *row)
{
    struct logs *s = ctx;
    for (size_t i = 0; i < s->n; i++) {
        struct log_series *l = &s->list[i];
        if (l->test->run->id != row->run_id || l->test->no != row->test_no || l->series.op != row->op || l->iops)
            continue;
        l->iops = row->series_id;
        l->weights = (struct fr_series){.op = (uint8_t)row->op,
                                        .metric = (uint8_t)row->metric,
                                        .step = row->step,
                                        .averaged = row->averaged,
                                        .unix_time = row->unix_time,
                                        .columns = (uint8_t)row->columns,
                                        .interval = interval_of(row),
                                        .n = row->n};
    }
    return 0;
}

struct chunk_copy {
    struct fr_arena *arena;
    struct fr_series *series;
};

static int add_chunk(void *ctx, const struct fr_chunk *chunk)
{
    struct chunk_copy *copy = ctx;
    struct fr_chunk *mine = fr_arena_new(copy->arena, struct fr_chunk);
    uint8_t *data = fr_arena_alloc(copy->arena, chunk->size + 1);
    memcpy(data, chunk->data, chunk->size);
    *mine = *chunk;
    mine->next = NULL;
    mine->data = data;
    fr_list_add(&copy->series->chunks, mine);
    return 0;
}

static bool same_curve(const struct log_series *a, const struct log_series *b)
{
    return a->name == b->name && a->test->run == b->test->run && a->series.op == b->series.op;
}

/* Tests of one label and name in several runs: their runs tell them apart. */
static void name_logs(struct logs *s)
{
    struct curves *c = s->c;
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < i && !c->runs; j++)
            c->runs = s->list[i].test->run != s->list[j].test->run &&
                      curve_name(c, s->list[i].test, (enum fr_op)s->list[i].series.op) ==
                          curve_name(c, s->list[j].test, (enum fr_op)s->list[j].series.op);
    bool runs = c->runs;
    c->runs = false;
    for (size_t i = 0; i < s->n; i++) {
        const char *name = curve_name(c, s->list[i].test, (enum fr_op)s->list[i].series.op);
        s->list[i].name =
            runs ? fr_q_word(c->q, fr_arena_printf(&c->q->arena, "%s #%s", name, s->list[i].test->run->id_text)) : name;
    }
}

/* A second, or what gives a short run some hundred points; never finer than the averages are. */
static int64_t choose_step(const struct logs *s, int64_t span)
{
    static const int64_t steps[] = {10, 20, 50, 100, 200, 500};
    int64_t least = span / 100;
    for (size_t i = 0; i < s->n; i++)
        if (s->list[i].series.averaged && s->list[i].series.interval * 9 / 10 > least)
            least = s->list[i].series.interval * 9 / 10; /* 501 ms are 500 */
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] >= least)
            return steps[i];
    return 1000;
}

static struct fr_row *series_row(struct curves *c, const struct log_series *l, double t, double n)
{
    struct fr_row *row = fr_table_row(c->table);
    fr_table_text(c->table, row, 0, l->name);
    fr_table_number(c->table, row, 1, t);
    fr_table_number(c->table, row, 2, n);
    return row;
}

static void series_cells(struct curves *c, struct fr_row *row, double mean, double min, double max, bool partial)
{
    fr_table_number(c->table, row, 3, mean);
    fr_table_number(c->table, row, 4, min);
    fr_table_number(c->table, row, 5, max);
    for (size_t k = 3; k < 6 && partial; k++)
        row->cells[k].flags |= FR_CELL_PARTIAL;
}

struct one {
    struct curves *c;
    const struct log_series *log;
};

static int add_seconds(void *ctx, const struct fr_series_row *row)
{
    struct one *one = ctx;
    if (row->series_id != one->log->id)
        return 0;
    for (size_t i = 0; i < row->seconds_n; i++) {
        const struct fr_second *x = &row->seconds[i];
        struct fr_row *r = series_row(one->c, one->log, (double)x->t, (double)x->n);
        series_cells(one->c, r, x->mean, x->min, x->max, row->last_partial && i + 1 == row->seconds_n);
        mark_failed(one->c, r, 3, one->log->test);
    }
    return 0;
}

/* What a combined curve is made of, as a footnote; 0: nothing to say. */
static unsigned combined_note(struct curves *c, size_t jobs, const struct fr_grid *grid, bool rate)
{
    if (jobs < 2)
        return 0;
    if (rate)
        return fr_table_note(c->table, "The sum of %zu jobs.", jobs);
    return fr_table_note(c->table, "%zu jobs together, weighed by %s.", jobs,
                         grid->by_count ? "their I/Os" : "time: their logs tell no number of I/Os");
}

static int combined(struct logs *s, const struct log_series *first, const struct fr_part *parts, size_t n)
{
    struct curves *c = s->c;
    struct fr_grid grid;
    bool rate = first->series.metric == FR_M_BW || first->series.metric == FR_M_IOPS;
    if (fr_series_combine(parts, n, s->step, &grid, c->q->log) != 0)
        return -1;
    unsigned note = combined_note(c, n, &grid, rate);
    for (size_t i = 0; i < grid.n; i++) {
        const struct fr_grid_cell *x = &grid.cells[i];
        if (!x->jobs && !(rate && !first->series.averaged)) /* a raw log without I/O: the rate was 0 */
            continue;
        struct fr_row *r = series_row(c, first, (double)(grid.t0 + (int64_t)i * grid.step) / 1000,
                                      x->ios >= 1 ? nearbyint(x->ios) : x->jobs);
        series_cells(c, r, x->value, x->jobs ? x->min : x->value, x->jobs ? x->max : x->value, x->partial);
        r->cells[3].note = note;
        mark_failed(c, r, 3, first->test);
    }
    fr_grid_release(&grid);
    return 0;
}

static int load_chunks(struct curves *c, long long id, struct fr_series *series, struct fr_arena *arena)
{
    struct chunk_copy copy = {arena, series};
    return fr_store_chunks(c->q->store, id, add_chunk, &copy, c->q->log);
}

/* An averaged log on a grid of seconds, or a raw one of bandwidth that tells no sizes. */
static bool shown_as_is(const struct fr_series *series, int64_t step)
{
    if (series->averaged)
        return step >= 1000;
    return series->metric == FR_M_BW && !(series->columns & FR_COL_BS);
}

/* The curve that begins with log i. */
static int add_curve(struct logs *s, size_t i)
{
    struct log_series *first = &s->list[i];
    struct fr_arena arena = FR_ARENA_INIT;
    struct fr_part *parts = malloc((s->n - i) * sizeof *parts);
    size_t n = 0;
    int rc = parts ? 0 : fr_log_error(s->c->q->log, NULL, 0, "out of memory");
    for (size_t j = i; rc == 0 && j < s->n; j++) {
        struct log_series *l = &s->list[j];
        if (l->done || !same_curve(l, first))
            continue;
        l->done = true;
        parts[n] = (struct fr_part){.series = &l->series};
        rc = load_chunks(s->c, l->id, &l->series, &arena);
        if (rc == 0 && l->iops && l->series.averaged) {
            rc = load_chunks(s->c, l->iops, &l->weights, &arena);
            parts[n].iops = &l->weights;
        }
        n++;
    }
    if (rc == 0 && n == 1 && shown_as_is(&first->series, s->step)) {
        struct one one = {s->c, first};
        rc = fr_store_series(s->c->q->store, first->test->run->id, (int)first->series.metric, add_seconds, &one,
                             s->c->q->log);
    } else if (rc == 0) {
        rc = combined(s, first, parts, n);
    }
    free(parts);
    fr_arena_release(&arena);
    return rc;
}

static int add_curves(struct logs *s)
{
    struct fr_store *store = s->c->q->store;
    size_t longest = 0;
    for (size_t i = 0; i < s->n; i++)
        longest = s->list[i].series.seconds_n > longest ? s->list[i].series.seconds_n : longest;
    s->step = longest < 60 ? choose_step(s, (int64_t)longest * 1000) : 1000;
    bool rate = s->n && (s->list[0].series.metric == FR_M_BW || s->list[0].series.metric == FR_M_IOPS);
    if (!rate && s->n && fr_store_series(store, 0, FR_M_IOPS, add_weights, s, s->c->q->log) != 0)
        return -1;
    for (size_t i = 0; i < s->n; i++)
        if (!s->list[i].done && add_curve(s, i) != 0)
            return -1;
    return 0;
}

static int series_table(struct curves *c)
{
    static const char *const heads[] = {"mean", "min", "max"};
    struct logs s = {.c = c};
    fr_table_column(c->table, "series", FR_COL_KEY);
    add_x(c->table, "t", FR_COL_X, FR_DIM_SECONDS);
    add_x(c->table, "n", FR_COL_INFO, FR_DIM_COUNT);
    for (size_t i = 0; i < 3; i++) {
        add_x(c->table, heads[i], FR_COL_VALUE, fr_metric_get(c->metric.metric)->dim);
        c->table->columns[3 + i].better = fr_metric_get(c->metric.metric)->better;
    }
    int rc = fr_store_series(c->q->store, 0, (int)c->metric.metric, add_log, &s, c->q->log);
    if (rc == 0) {
        name_logs(&s);
        rc = add_curves(&s);
    }
    free(s.list);
    return rc != 0 ? -1 : c->table->rows_n ? 0 : nothing(c, "a series");
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

/* A curve is read off an axis, whose end its greatest value is: that one chooses the unit. */
static void fit_to_greatest(struct fr_table *table, enum fr_unit_choice units)
{
    double max = 0;
    for (const struct fr_row *row = table->head; row; row = row->next)
        for (size_t i = 3; i < 6; i++)
            if (row->cells[i].kind == FR_CELL_NUMBER && fabs(row->cells[i].value) > max)
                max = fabs(row->cells[i].value);
    for (size_t i = 3; i < 6 && table->columns[i].dim != FR_DIM_NONE; i++)
        table->columns[i].unit = fr_unit_choose(
            table->columns[i].dim, max, units == FR_UNIT_SI ? FR_UNITS_SI : FR_UNITS_IEC, &table->columns[i].scale);
}

struct fr_table *fr_q_curves(struct fr_q *q, enum fr_shape shape)
{
    struct curves c = {.q = q};
    if (choose_metric(&c, shape) != 0 || fr_q_load_values(q, 1ull << c.metric.metric) != 0 || fr_q_where(q) != 0 ||
        choose_dims(&c) != 0)
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
    if (shape == FR_SHAPE_SERIES)
        fit_to_greatest(c.table, q->query->units);
    c.metric.stat = NULL;
    fr_q_titles(q, c.table,
                fr_arena_printf(&q->arena, "%s%s%s", c.metric.op > 0 ? fr_op_name((enum fr_op)c.metric.op) : "",
                                c.metric.op > 0 ? " " : "", fr_metric_get(c.metric.metric)->title));
    return c.table;
}
