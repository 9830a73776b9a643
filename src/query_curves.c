/*
 * query_curves.c: percentiles and bins: a curve for each test and direction; series are in query_series.c. See query.h.
 *
 * Percentiles of several tests are never averaged. Where all tests of a curve have exact histograms these are added up
 * and the percentiles taken from the sum; else each test is a curve of its own.
 */
#include "query_curves.h"

#include <math.h>

#include "hist.h"
#include "strbuf.h"

#include "banned.h"

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* "zfs randread 4k read" */
const char *fr_q_curve_name(struct fr_q_curves *c, const struct fr_q_test *test, enum fr_op op)
{
    struct fr_strbuf name = FR_STRBUF_INIT;
    if (c->labels || (!c->tests && !(c->ops && c->metric.op < 0)))
        fr_strbuf_addstr(&name, test->run->label);
    if (c->tests && !(name.len && strcmp(test->name, test->run->label) == 0))
        fr_strbuf_addf(&name, "%s%s", name.len ? " " : "", test->name);
    for (size_t i = 0; i < c->dims.n; i++) {
        const struct fr_q_dim *dim = &c->dims.dim[i];
        const char *text = fr_q_dim_get(dim, test, NULL);
        if (text)
            fr_strbuf_addf(&name, "%s%s %s", name.len ? " " : "", dim->key, text);
    }
    if (c->ops && c->metric.op < 0)
        fr_strbuf_addf(&name, "%s%s", name.len ? " " : "", op == FR_OP_NONE ? "all" : fr_op_name(op));
    if (c->runs)
        fr_strbuf_addf(&name, " #%s.%s", test->run->id_text, test->job_text);
    const char *word = fr_q_word(c->q, fr_strbuf_str(&name));
    fr_strbuf_release(&name);
    return word;
}

void fr_q_curve_note(struct fr_q_curves *c, const struct fr_q_test *test, enum fr_op op)
{
    if (c->metric.op < 0) { /* else the metric's own name says it */
        c->first_op = c->first_op >= 0 ? c->first_op : (int)op;
        c->ops = c->ops || (int)op != c->first_op;
    }
    c->labels = c->labels || (c->first && test->run->label != c->first->run->label);
    c->tests = c->tests || (c->first && test->name != c->first->name);
    c->first = c->first ? c->first : test;
}

static int by_label_and_name(const void *a, const void *b)
{
    const struct fr_q_test *x = *(const struct fr_q_test *const *)a, *y = *(const struct fr_q_test *const *)b;
    int order = x->run->label == y->run->label ? 0 : strcmp(x->run->label, y->run->label);
    order = order || x->name == y->name ? order : strcmp(x->name, y->name);
    return order ? order : x < y ? -1 : x > y;
}

/* Which dimensions tell tests of one label and name apart? They are no repeats then. */
static int choose_dims(struct fr_q_curves *c)
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

const struct fr_q_test *fr_q_curve_test(struct fr_q_curves *c, long long run_id, int test_no, enum fr_op op)
{
    const struct fr_q_test *t = fr_q_test_at(c->q, &c->test, run_id, test_no);
    if (!t || !t->used)
        return NULL;
    return (c->metric.op < 0 || c->metric.op == (int)op) && (c->wanted_ops >> op & 1) ? t : NULL;
}

void fr_q_curve_column(struct fr_table *table, const char *name, enum fr_column_role role, enum fr_dim dim)
{
    struct fr_column *c = fr_table_column(table, name, role);
    c->dim = dim;
}

void fr_q_curve_failed(struct fr_q_curves *c, struct fr_row *row, size_t column, const struct fr_q_test *test)
{
    if (!fr_q_failed(test))
        return;
    row->flags |= FR_CELL_FAILED;
    row->cells[column].flags |= FR_CELL_FAILED;
    row->cells[column].note = fr_table_note(c->table, "%s: %s", test->name, fr_q_failure(c->q, test));
}

/* What a curve of that shape is made from. */
static const char *what_of(enum fr_shape shape)
{
    return shape == FR_SHAPE_BINS ? "a histogram" : shape == FR_SHAPE_PERCENTILES ? "percentiles" : "a series";
}

/* Where that comes from. */
static const char *source_of(enum fr_shape shape)
{
    return shape == FR_SHAPE_BINS          ? "fio's json+ and its logs of histograms have them"
           : shape == FR_SHAPE_PERCENTILES ? "fio prints those of clat, and of lat with lat_percentiles=1"
                                           : "fio's logs have them (write_bw_log, write_lat_log ...), read beside its "
                                             "output";
}

int fr_q_curve_nothing(struct fr_q_curves *c, enum fr_shape shape)
{
    struct fr_strbuf names = FR_STRBUF_INIT;
    for (size_t i = 0; i < c->metrics.n; i++)
        fr_strbuf_addf(&names, "%s%s", i ? ", " : "", fr_q_metric_name(c->q, &c->metrics.metric[i]));
    int rc = fr_log_error(c->q->log, NULL, 0, "nothing matches: no run has %s of %s; %s", what_of(shape),
                          fr_strbuf_str(&names), source_of(shape));
    fr_strbuf_release(&names);
    return rc;
}

/* ---- distributions: one sum of bins for each curve --------------------------------------------------------------- */

struct sum {
    const char *name;
    const struct fr_q_test *test; /* the first */
    size_t tests;
    struct fr_bins bins;   /* exact ones added up; or else */
    struct fr_bin *coarse; /* those of one test, in the arena */
    size_t coarse_n;
};

struct sums {
    struct fr_q_curves *c;
    struct sum *list;
    size_t n, alloc;
    size_t *slots, slots_n; /* where a name is in the list, by its address: 1 for the first; 0 where there is none */
    unsigned *exact;        /* of each test: the ops that it has exact ones of, a bit each */
    bool torn;              /* two distributions that cannot be added have one name */
};

static int find_exact(void *ctx, const struct fr_hist_row *row)
{
    struct sums *s = ctx;
    if (fr_q_curve_test(s->c, row->run_id, row->test_no, row->op) && row->exact && row->n)
        s->exact[s->c->test] |= 1u << row->op;
    return 0;
}

/*
 * The test that the row is of. Coarse buckets beside exact ones of the test would show everything twice: fio's own are
 * of all directions together.
 */
static const struct fr_q_test *used_hist(struct sums *s, const struct fr_hist_row *row)
{
    const struct fr_q_test *test = fr_q_curve_test(s->c, row->run_id, row->test_no, row->op);
    if (!test || !row->n)
        return NULL;
    unsigned exact = s->exact[s->c->test];
    return row->exact || (row->op == FR_OP_NONE ? !exact : !(exact >> row->op & 1)) ? test : NULL;
}

static int name_hist(void *ctx, const struct fr_hist_row *row)
{
    struct sums *s = ctx;
    const struct fr_q_test *test = used_hist(s, row);
    if (test)
        fr_q_curve_note(s->c, test, row->op);
    return 0;
}

/* Where the name is, or goes; slots_n is a power of two and more than there are names. */
static size_t *slot_of(const struct sums *s, const char *name)
{
    size_t i = (size_t)((uint64_t)(uintptr_t)name * 0x9e3779b97f4a7c15u >> 32) & (s->slots_n - 1);
    while (s->slots[i] && s->list[s->slots[i] - 1].name != name)
        i = (i + 1) & (s->slots_n - 1);
    return &s->slots[i];
}

static struct sum *sum_of(struct sums *s, const char *name, const struct fr_q_test *test)
{
    if (s->n * 2 >= s->slots_n) {
        s->slots_n = s->slots_n ? s->slots_n * 4 : 64;
        s->slots = fr_resize(s->slots, s->slots_n * sizeof *s->slots);
        memset(s->slots, 0, s->slots_n * sizeof *s->slots);
        for (size_t i = 0; i < s->n; i++)
            *slot_of(s, s->list[i].name) = i + 1;
    }
    size_t *slot = slot_of(s, name);
    if (*slot)
        return &s->list[*slot - 1];
    s->list = fr_grow(s->list, s->n, &s->alloc, sizeof *s->list);
    s->list[s->n] = (struct sum){.name = name, .test = test, .bins = FR_BINS_INIT};
    *slot = ++s->n;
    return &s->list[s->n - 1];
}

static int add_hist(void *ctx, const struct fr_hist_row *row)
{
    struct sums *s = ctx;
    const struct fr_q_test *test = used_hist(s, row);
    if (!test)
        return 0;
    struct sum *sum = sum_of(s, fr_q_curve_name(s->c, test, row->op), test);
    if (sum->coarse || (sum->bins.n && !row->exact)) {
        s->torn = true;
        return 0;
    }
    sum->tests++;
    if (row->exact) {
        fr_bins_add(&sum->bins, row->bins, row->n);
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
    free(s->slots);
    s->list = NULL;
    s->slots = NULL;
    s->n = s->alloc = s->slots_n = 0;
}

static void release_sums(struct sums *s)
{
    drop_sums(s);
    free(s->exact);
}

static int walk_hists(struct sums *s, int (*row)(void *ctx, const struct fr_hist_row *))
{
    s->c->test = 0;
    return fr_store_hists(s->c->q->store, 0, (int)s->c->metric.metric, row, s, s->c->q->log);
}

/* Look at the distributions of the metric at hand. Release `s` after, also on failure. */
static int begin_sums(struct fr_q_curves *c, struct sums *s)
{
    *s = (struct sums){.c = c, .exact = calloc(c->q->tests_n + 1, sizeof *s->exact)};
    if (!s->exact)
        return fr_log_error(c->q->log, NULL, 0, "out of memory");
    return walk_hists(s, find_exact) != 0 || walk_hists(s, name_hist) != 0 ? -1 : 0;
}

/*
 * All distributions of the metric, added up by curve. Repeats of which one has wide bins only stay apart, each with its
 * run in its name.
 */
static int add_sums(struct sums *s)
{
    if (walk_hists(s, add_hist) != 0)
        return -1;
    if (!s->torn)
        return 0;
    s->c->runs = true;
    drop_sums(s);
    return walk_hists(s, add_hist) != 0 ? -1 : 0;
}

/* Of all metrics, so that curves of one name are of one kind in all of them. */
static int load_sums(struct fr_q_curves *c, struct sums *sums)
{
    int result = 0;
    for (size_t m = 0; m < c->metrics.n; m++) {
        c->metric = c->metrics.metric[m];
        result = begin_sums(c, &sums[m]) != 0 ? -1 : result;
    }
    for (size_t m = 0; m < c->metrics.n && result == 0; m++) {
        c->metric = c->metrics.metric[m];
        result = add_sums(&sums[m]);
    }
    return result;
}

const char *fr_q_curve_title(struct fr_q_curves *c, size_t m)
{
    /* No stat: a percentile is not of the mean, which a latency without one would be called. */
    struct fr_q_metric plain = {.op = c->metrics.metric[m].op, .metric = c->metrics.metric[m].metric, .stat = ""};
    if (plain.op < 0 && !c->ops)
        plain.op = c->first_op;
    return fr_q_metric_title(c->q, &plain, true);
}

/* "the bins of 4 tests added up"; 0: of one alone. */
static unsigned sum_note(struct fr_q_curves *c, const struct sum *sum)
{
    return sum->tests > 1 ? fr_table_note(c->table, "Merged from the bins of %zu jobs or runs.", sum->tests) : 0;
}

static void bins_of_sum(struct fr_q_curves *c, const struct sum *sum, const char *name)
{
    const struct fr_bin *bins = sum->bins.n ? sum->bins.bins : sum->coarse;
    unsigned note = sum_note(c, sum);
    for (size_t j = 0; j < (sum->bins.n ? sum->bins.n : sum->coarse_n); j++) {
        struct fr_row *row = fr_table_row(c->table);
        fr_table_text(c->table, row, 0, name);
        fr_table_number(c->table, row, 1, bins[j].lower);
        fr_table_number(c->table, row, 2, bins[j].upper);
        fr_table_number(c->table, row, 3, (double)bins[j].count);
        row->cells[3].note = note;
        fr_q_curve_failed(c, row, 3, sum->test);
    }
}

static int bins_table(struct fr_q_curves *c)
{
    struct sums sums[FR_Q_METRICS_MAX] = {{.c = NULL}};
    int result = load_sums(c, sums);
    fr_table_column(c->table, "series", FR_COL_KEY);
    fr_q_curve_column(c->table, "lower", FR_COL_X, FR_DIM_SECONDS);
    fr_q_curve_column(c->table, "upper", FR_COL_X_END, FR_DIM_SECONDS);
    fr_q_curve_column(c->table, "count", FR_COL_VALUE, FR_DIM_COUNT);
    for (size_t m = 0; m < c->metrics.n; m++) {
        for (size_t i = 0; !result && i < sums[m].n; i++) {
            const struct sum *sum = &sums[m].list[i];
            bins_of_sum(c, sum,
                        c->metrics.n == 1 ? sum->name
                                          : fr_arena_printf(&c->q->arena, "%s: %s", fr_q_curve_title(c, m), sum->name));
        }
        release_sums(&sums[m]);
    }
    return !result && !c->table->rows_n ? fr_q_curve_nothing(c, FR_SHAPE_BINS) : result;
}

/* ---- percentiles ------------------------------------------------------------------------------------------------- */

static struct fr_row *percentile_row(struct fr_q_curves *c, size_t column, const char *name, double percentile,
                                     double value, const struct fr_q_test *test)
{
    struct fr_row *row = fr_table_row(c->table);
    fr_table_text(c->table, row, 0, name);
    fr_table_number(c->table, row, 1, percentile);
    fr_table_number(c->table, row, column, value);
    fr_q_curve_failed(c, row, column, test);
    return row;
}

/* From the sums of exact histograms: as many percentiles as there are bins would be noise, so fio's and some more. */
static void percentiles_of_sums(struct fr_q_curves *c, const struct sums *s, size_t column)
{
    for (size_t i = 0; i < s->n; i++) {
        unsigned note = sum_note(c, &s->list[i]);
        for (size_t j = 0; j < FR_HIST_DEFAULTS; j++) {
            double value;
            if (!fr_bins_percentile(&s->list[i].bins, fr_hist_defaults[j], &value))
                continue;
            struct fr_row *row =
                percentile_row(c, column, s->list[i].name, fr_hist_defaults[j], value, s->list[i].test);
            if (!row->cells[column].note)
                row->cells[column].note = note;
        }
    }
}

static bool is_percentile(const struct fr_q_curves *c, const struct fr_q_value *v, double *percentile)
{
    return v->metric == c->metric.metric && (c->metric.op < 0 || c->metric.op == (int)v->op) && v->stat[0] == 'p' &&
           fr_str_double(fr_str(v->stat + 1), percentile);
}

static void note_printed(struct fr_q_curves *c)
{
    double p;
    for (size_t i = 0; i < c->q->values_n; i++)
        if (is_percentile(c, &c->q->values[i], &p))
            fr_q_curve_note(c, c->q->values[i].test, c->q->values[i].op);
}

/* Values are in the order of tests and ops: does this one begin another curve? */
static bool begins_curve(const struct fr_q_value *v, const struct fr_q_value *before)
{
    return !before || v->test != before->test || v->op != before->op;
}

static int by_pointer(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t) * (const char *const *)a, y = (uintptr_t) * (const char *const *)b;
    return x < y ? -1 : x > y;
}

/* Have two tests curves of one name? */
static bool names_clash(struct fr_q_curves *c)
{
    const struct fr_q *q = c->q;
    const char **names = fr_arena_alloc(&c->q->arena, (q->values_n + 1) * sizeof *names);
    const struct fr_q_value *before = NULL;
    size_t n = 0;
    double p;
    for (size_t i = 0; i < q->values_n; i++) {
        const struct fr_q_value *v = &q->values[i];
        if (!is_percentile(c, v, &p))
            continue;
        if (begins_curve(v, before))
            names[n++] = fr_q_curve_name(c, v->test, v->op);
        before = v;
    }
    qsort(names, n, sizeof *names, by_pointer);
    for (size_t i = 1; i < n; i++)
        if (names[i] == names[i - 1])
            return true;
    return false;
}

static void percentiles_as_printed(struct fr_q_curves *c, size_t column)
{
    const struct fr_q *q = c->q;
    const struct fr_q_value *before = NULL;
    const char *name = NULL;
    double p;
    note_printed(c);
    c->runs = c->runs || names_clash(c); /* the runs tell them apart */
    for (size_t i = 0; i < q->values_n; i++) {
        const struct fr_q_value *v = &q->values[i];
        if (!is_percentile(c, v, &p))
            continue;
        if (begins_curve(v, before))
            name = fr_q_curve_name(c, v->test, v->op);
        percentile_row(c, column, name, p, v->value, v->test);
        before = v;
    }
}

static bool all_exact(const struct sums *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (!s->list[i].bins.n)
            return false;
    return s->n > 0;
}

/* Tests that have no bins are not drawn beside those that have: their curves would be of another kind. */
static void note_left_out(struct fr_q_curves *c, const struct sums *s)
{
    const struct fr_q_test *last = NULL;
    size_t n = 0;
    double p;
    for (size_t i = 0; i < c->q->values_n; i++) {
        const struct fr_q_value *v = &c->q->values[i];
        if (v->test == last || !is_percentile(c, v, &p) || s->exact[v->test - c->q->tests])
            continue;
        last = v->test;
        n++;
    }
    if (n)
        fr_log_note(c->q->log, NULL, 0,
                    "%zu %s left out that %s printed percentiles alone, for others have bins (json+); --where shows "
                    "one kind alone",
                    n, n == 1 ? "test is" : "tests are", n == 1 ? "has" : "have");
}

static int percentiles_table(struct fr_q_curves *c)
{
    struct sums sums[FR_Q_METRICS_MAX] = {{.c = NULL}};
    int result = load_sums(c, sums);
    fr_table_column(c->table, "series", FR_COL_KEY);
    fr_q_curve_column(c->table, "percentile", FR_COL_X, FR_DIM_NONE);
    for (size_t m = 0; m < c->metrics.n; m++) {
        const struct fr_metric *info = fr_metric_get(c->metrics.metric[m].metric);
        fr_q_curve_column(c->table, fr_q_curve_title(c, m), FR_COL_VALUE, info->dim);
        c->table->columns[2 + m].better = info->better;
        c->table->columns[2 + m].metric = info->name;
    }
    for (size_t m = 0; m < c->metrics.n; m++) {
        c->metric = c->metrics.metric[m];
        if (!result && all_exact(&sums[m])) {
            percentiles_of_sums(c, &sums[m], 2 + m);
            note_left_out(c, &sums[m]);
        } else if (!result) {
            if (c->metrics.n == 1) { /* those that have wide bins only may be others than those with percentiles */
                c->labels = c->tests = c->ops = false;
                c->first = NULL;
                c->first_op = -1;
            }
            percentiles_as_printed(c, 2 + m);
        }
        release_sums(&sums[m]);
    }
    return !result && !c->table->rows_n ? fr_q_curve_nothing(c, FR_SHAPE_PERCENTILES) : result;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static int a_series(void *ctx, const struct fr_series_row *row)
{
    (void)row;
    *(bool *)ctx = true;
    return 1;
}

static int a_hist(void *ctx, const struct fr_hist_row *row)
{
    *(bool *)ctx = row->n > 0;
    return row->n > 0;
}

static int a_percentile(void *ctx, const struct fr_result_row *row)
{
    double p;
    *(bool *)ctx = row->stat[0] == 'p' && fr_str_double(fr_str(row->stat + 1), &p);
    return *(bool *)ctx;
}

/* Is there anything of this metric that the shape shows? */
static bool has_data(struct fr_q *q, enum fr_metric_id metric, enum fr_shape shape)
{
    bool any = false;
    if (shape == FR_SHAPE_SERIES || shape == FR_SHAPE_TIME)
        fr_store_series(q->store, 0, (int)metric, a_series, &any, q->log);
    else
        fr_store_hists(q->store, 0, (int)metric, a_hist, &any, q->log);
    if (!any && shape == FR_SHAPE_PERCENTILES)
        fr_store_results(q->store, 0, (int)metric, a_percentile, &any, q->log);
    return any;
}

bool fr_q_latency_log(struct fr_q *q, const struct fr_q_metrics *asked)
{
    const struct fr_q_metric *m = &asked->metric[0];
    bool latency = m->metric == FR_M_CLAT || m->metric == FR_M_LAT || m->metric == FR_M_SLAT;
    return asked->n == 1 && latency && !m->stat && has_data(q, m->metric, FR_SHAPE_SERIES);
}

/* Of several metrics those go that there is nothing of; one stays in any case, to be named in an error. */
static void drop_metrics(struct fr_q_curves *c, enum fr_shape shape)
{
    size_t n = 0;
    for (size_t i = 0; i < c->metrics.n; i++) {
        const struct fr_q_metric *m = &c->metrics.metric[i];
        bool last = n == 0 && i + 1 == c->metrics.n;
        if (last || has_data(c->q, m->metric, shape))
            c->metrics.metric[n++] = *m;
        else
            fr_log_warn(c->q->log, NULL, 0, "no run has %s of %s, it is left out", what_of(shape),
                        fr_q_metric_name(c->q, m));
    }
    c->metrics.n = n;
}

/* The metrics asked for, each once; else what such a curve usually shows, of what is there. */
static int choose_metrics(struct fr_q_curves *c, enum fr_shape shape)
{
    static const enum fr_metric_id usual[] = {FR_M_BW, FR_M_IOPS, FR_M_CLAT, FR_M_LAT, FR_M_SLAT};
    struct fr_q_metrics asked = {.n = 0};
    if (c->q->query->metrics) {
        if (fr_q_metrics_parse(c->q, c->q->query->metrics, &asked) != 0)
            return -1;
        for (size_t i = 0; i < asked.n; i++) {
            bool known = false;
            for (size_t k = 0; k < c->metrics.n && !known; k++)
                known = c->metrics.metric[k].metric == asked.metric[i].metric &&
                        c->metrics.metric[k].op == asked.metric[i].op;
            if (!known)
                c->metrics.metric[c->metrics.n++] = asked.metric[i];
        }
        drop_metrics(c, shape);
        return 0;
    }
    size_t first = shape == FR_SHAPE_SERIES ? 0 : 2, i = first;
    if (shape == FR_SHAPE_SERIES || shape == FR_SHAPE_TIME)
        while (i < sizeof usual / sizeof *usual && !has_data(c->q, usual[i], shape))
            i++;
    c->metrics.metric[0] =
        (struct fr_q_metric){.op = -1, .metric = i < sizeof usual / sizeof *usual ? usual[i] : usual[first]};
    c->metrics.n = 1;
    return 0;
}

/* A latency by time is of one metric, as its picture has one scale of latencies. */
static int check_metrics(struct fr_q_curves *c, enum fr_shape shape)
{
    const struct fr_q_metric *m = &c->metrics.metric[0];
    if (shape != FR_SHAPE_TIME)
        return 0;
    if (c->metrics.n > 1 || fr_metric_get(m->metric)->dim != FR_DIM_SECONDS)
        return fr_log_error(c->q->log, NULL, 0, "a heat map over time is of one latency: --metric clat");
    return 0;
}

/* A curve is read off an axis, whose end its greatest value is: that one chooses the unit of its metric's columns. */
static void fit_to_greatest(struct fr_table *table, enum fr_unit_choice units)
{
    for (size_t i = 0, n; i < table->columns_n; i += n) {
        const struct fr_column *first = &table->columns[i];
        double max = 0;
        for (n = 1; first->role == FR_COL_VALUE && i + n < table->columns_n; n++)
            if (table->columns[i + n].role != FR_COL_VALUE || table->columns[i + n].group != first->group)
                break;
        if (first->role != FR_COL_VALUE || first->dim == FR_DIM_NONE)
            continue;
        for (const struct fr_row *row = table->head; row; row = row->next)
            for (size_t k = i; k < i + n; k++)
                if (row->cells[k].kind == FR_CELL_NUMBER && fabs(row->cells[k].value) > max)
                    max = fabs(row->cells[k].value);
        for (size_t k = i; k < i + n; k++)
            table->columns[k].unit = fr_unit_choose(first->dim, max, units == FR_UNIT_SI ? FR_UNITS_SI : FR_UNITS_IEC,
                                                    &table->columns[k].scale);
    }
}

/* "bandwidth and completion latency" */
static const char *title_of(struct fr_q_curves *c)
{
    struct fr_strbuf title = FR_STRBUF_INIT;
    for (size_t m = 0; m < c->metrics.n; m++)
        fr_strbuf_addf(&title, "%s%s", m == 0 ? "" : m + 1 < c->metrics.n ? ", " : " and ", fr_q_curve_title(c, m));
    const char *copy = fr_arena_strdup(&c->q->arena, fr_strbuf_str(&title));
    fr_strbuf_release(&title);
    return copy;
}

struct fr_table *fr_q_curves(struct fr_q *q, enum fr_shape shape)
{
    struct fr_q_curves c = {.q = q, .first_op = -1};
    unsigned long long metrics = 0;
    if (choose_metrics(&c, shape) != 0 || check_metrics(&c, shape) != 0)
        return NULL;
    for (size_t m = 0; m < c.metrics.n; m++)
        metrics |= 1ull << c.metrics.metric[m].metric;
    if (fr_q_load_values(q, 0, metrics) != 0 || fr_q_where_ops(q, &c.wanted_ops) != 0 ||
        /* Logs and bins are there without a value as well. */
        (shape == FR_SHAPE_PERCENTILES && q->values_n ? fr_q_where(q) : fr_q_where_tests(q)) != 0 ||
        choose_dims(&c) != 0)
        return NULL;
    c.table = fr_table_new();
    c.table->groups = fr_arena_strdup(&c.table->arena, q->query->group);
    int result = shape == FR_SHAPE_PERCENTILES ? percentiles_table(&c)
                 : shape == FR_SHAPE_BINS      ? bins_table(&c)
                                               : fr_q_series(&c, shape);
    if (result != 0) {
        fr_table_free(c.table);
        return NULL;
    }
    fr_table_fit(c.table, q->query->units, q->query->digits);
    if (shape == FR_SHAPE_SERIES)
        fit_to_greatest(c.table, q->query->units);
    fr_q_titles(q, c.table, title_of(&c));
    return c.table;
}
