/* query_plan.c: which metrics, rows and columns to show. See query.h. */
#include "query.h"

#include <math.h>

#include "strbuf.h"

#include "banned.h"

#define BIT(metric) (1ull << FR_M_##metric)

/* What the default looks at. */
static const unsigned long long usual =
    BIT(IOPS) | BIT(BW) | BIT(CLAT) | BIT(LAT) | BIT(TIME) | BIT(SIZE) | BIT(SCORE) | BIT(PASS);

int fr_q_wanted(struct fr_q *q, unsigned long long *metrics)
{
    struct fr_q_metrics asked = {.n = 0};
    struct fr_q_metric sort;
    const char *by = q->query->sort;
    *metrics = usual;
    if (q->query->metrics) {
        if (fr_q_metrics_parse(q, q->query->metrics, &asked) != 0)
            return -1;
        *metrics = 0;
        for (size_t i = 0; i < asked.n; i++)
            *metrics |= 1ull << asked.metric[i].metric;
    }
    if (by && fr_q_metric_is(fr_str(*by == '-' ? by + 1 : by), &sort))
        *metrics |= 1ull << sort.metric;
    return 0;
}

/* ---- what there is ----------------------------------------------------------------------------------------------- */

struct facts {
    size_t labels;      /* different ones */
    bool several_tests; /* some label has more than one test name */
    bool ops;           /* more than one op among the values */
    bool tabular;       /* no fio, no dd: names of tests say what was measured */
    bool crystal;       /* nothing but CrystalDiskMark */
    bool si;            /* no fio: MB as printed */
    const char *label;  /* the only one */
};

struct name_pair {
    const char *label, *test;
};

static int compare_pairs(const void *a, const void *b)
{
    const struct name_pair *x = a, *y = b;
    int order = strcmp(x->label, y->label);
    return order ? order : strcmp(x->test, y->test);
}

/* Labels and how many tests each has, over the tests that are used. */
static void count_labels(const struct fr_q *q, struct facts *facts)
{
    struct name_pair *pairs = malloc((q->tests_n + 1) * sizeof *pairs);
    size_t n = 0;
    if (!pairs)
        return;
    for (size_t i = 0; i < q->tests_n; i++)
        if (q->tests[i].used)
            pairs[n++] = (struct name_pair){q->tests[i].run->label, q->tests[i].name};
    qsort(pairs, n, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < n; i++) {
        bool same_label = i && pairs[i].label == pairs[i - 1].label;
        facts->labels += !same_label;
        if (same_label && pairs[i].test != pairs[i - 1].test)
            facts->several_tests = true;
    }
    facts->label = facts->labels == 1 ? pairs[0].label : NULL;
    free(pairs);
}

static struct facts find_facts(const struct fr_q *q)
{
    struct facts facts = {.tabular = true, .crystal = true, .si = true};
    for (size_t i = 0; i < q->tests_n; i++) {
        const char *tool = q->tests[i].run->tool;
        if (!q->tests[i].used)
            continue;
        if (strcmp(tool, "fio") == 0)
            facts.si = facts.tabular = false;
        else if (strcmp(tool, "dd") == 0)
            facts.tabular = false;
        if (strcmp(tool, "crystaldiskmark") != 0)
            facts.crystal = false;
    }
    for (size_t i = 1; i < q->values_n; i++)
        if (q->values[i].op != q->values[0].op)
            facts.ops = true;
    count_labels(q, &facts);
    return facts;
}

static size_t count(const struct fr_q *q, const struct fr_q_metric *m)
{
    size_t n = 0;
    for (size_t i = 0; i < q->values_n; i++)
        n += fr_q_metric_has(m, &q->values[i]);
    return n;
}

/* Which of the metrics each test has: a bit a metric. Yours to free. */
static uint64_t *coverage(const struct fr_q *q, const struct fr_q_metrics *metrics)
{
    uint64_t *has = calloc(q->tests_n + 1, sizeof *has);
    for (size_t i = 0; has && i < q->values_n; i++)
        for (size_t m = 0; m < metrics->n; m++)
            if (fr_q_metric_has(&metrics->metric[m], &q->values[i]))
                has[q->values[i].test - q->tests] |= (uint64_t)1 << m;
    return has;
}

/* What the table is about: tests that have one of the metrics, or failed. */
static void use_only(struct fr_q *q, const struct fr_q_metrics *metrics)
{
    uint64_t *has = coverage(q, metrics);
    for (size_t i = 0; has && i < q->tests_n; i++)
        q->tests[i].used = q->tests[i].used && (has[i] || fr_q_failed(&q->tests[i]));
    free(has);
}

/* ---- metrics ----------------------------------------------------------------------------------------------------- */

static void add_metric(struct fr_q_metrics *list, struct fr_q_metric m)
{
    list->cut = list->cut || list->n == FR_Q_METRICS_MAX;
    if (!list->cut)
        list->metric[list->n++] = m;
}

/* The latency that most of what was measured has; of equals the one that says most. */
static bool choose_latency(struct fr_q *q, struct fr_q_metric *out)
{
    const char *p99 = fr_q_word(q, "p99");
    const struct fr_q_metric candidates[] = {{.op = -1, .metric = FR_M_CLAT, .stat = p99},
                                             {.op = -1, .metric = FR_M_LAT, .stat = p99},
                                             {.op = -1, .metric = FR_M_LAT},
                                             {.op = -1, .metric = FR_M_CLAT}};
    size_t best = 0;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        size_t n = 0;
        for (size_t j = 0; j < q->values_n; j++)
            n += q->values[j].op != FR_OP_SYNC && fr_q_metric_has(&candidates[i], &q->values[j]);
        if (n > best) {
            best = n;
            *out = candidates[i];
        }
    }
    return best > 0;
}

/* IOPS, bandwidth and latency side by side; what Phoronix measures beside them where there is some. */
static void default_metrics(struct fr_q *q, struct fr_q_metrics *out)
{
    static const enum fr_metric_id others[] = {FR_M_TIME, FR_M_SIZE, FR_M_SCORE, FR_M_PASS};
    struct fr_q_metric m = {.op = -1, .metric = FR_M_IOPS};
    if (count(q, &m))
        add_metric(out, m);
    m.metric = FR_M_BW;
    if (count(q, &m))
        add_metric(out, m);
    if (choose_latency(q, &m))
        add_metric(out, m);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        m = (struct fr_q_metric){.op = -1, .metric = others[i]};
        if (count(q, &m))
            add_metric(out, m);
    }
    /* Flushes have only a latency: it is shown where there is nothing else. */
    m = (struct fr_q_metric){.op = FR_OP_SYNC, .metric = FR_M_LAT, .stat = fr_q_word(q, "p99")};
    if (!out->n && !count(q, &m))
        m.stat = NULL;
    if (!out->n && count(q, &m))
        add_metric(out, m);
}

/* Spread a metric over the ops that have it, and a score over its units. */
static void spread(struct fr_q *q, struct fr_q_metric m, bool ops, struct fr_q_metrics *out)
{
    static const enum fr_op order[] = {FR_OP_READ, FR_OP_WRITE, FR_OP_TRIM, FR_OP_MIXED, FR_OP_SYNC, FR_OP_NONE};
    bool default_latency = m.op < 0 && !q->query->metrics && (m.metric == FR_M_LAT || m.metric == FR_M_CLAT);
    for (size_t k = 0; k < FR_OP_COUNT; k++) {
        struct fr_q_metric one = m;
        if (ops && m.op < 0)
            one.op = (int)order[k];
        else if (k)
            break;
        if (default_latency && one.op == FR_OP_SYNC)
            continue;
        for (size_t i = 0; i < q->values_n; i++) {
            one.unit = NULL;
            one.better = FR_BETTER_DEFAULT;
            if (!fr_q_metric_has(&one, &q->values[i]))
                continue;
            if (m.metric == FR_M_SCORE) {
                one.unit = q->values[i].unit;
                one.better = q->values[i].better;
            }
            size_t j = 0;
            while (j < out->n && (out->metric[j].metric != one.metric || out->metric[j].op != one.op ||
                                  out->metric[j].stat != one.stat || out->metric[j].unit != one.unit ||
                                  out->metric[j].better != one.better))
                j++;
            if (j == out->n)
                add_metric(out, one);
            if (m.metric != FR_M_SCORE)
                break;
        }
    }
}

static bool has_op(const struct fr_q *q, const struct fr_q_metric *m)
{
    for (size_t i = 0; i < q->values_n; i++)
        if (q->values[i].metric == m->metric && (int)q->values[i].op == m->op)
            return true;
    return false;
}

/* What there is instead: stats, where the op has the metric but not this stat; else which ops and metrics. */
static int nothing_of(struct fr_q *q, const struct fr_q_metric *m)
{
    struct fr_strbuf have = FR_STRBUF_INIT;
    const char *seen[48];
    size_t n = 0;
    bool stats = m->stat && (m->op < 0 || has_op(q, m));
    for (size_t i = 0; i < q->values_n && n < 48; i++) {
        const struct fr_q_value *v = &q->values[i];
        struct fr_q_metric one = {.op = (int)v->op, .metric = v->metric};
        if ((q->query->metrics && v->metric != m->metric) || (stats && m->op >= 0 && (int)v->op != m->op) ||
            (!stats && !fr_q_metric_has(&one, v)))
            continue;
        const char *name = stats ? v->stat : fr_q_word(q, fr_q_metric_name(q, &one));
        size_t j = 0;
        while (j < n && seen[j] != name)
            j++;
        if (j == n) {
            fr_strbuf_addf(&have, "%s%s", n ? ", " : "", name);
            seen[n++] = name;
        }
    }
    fr_log_error(q->log, NULL, 0, "nothing matches: no run has %s%s%s", fr_q_metric_name(q, m),
                 !have.len ? ""
                 : stats   ? "; it has "
                           : "; there are ",
                 fr_strbuf_str(&have));
    fr_strbuf_release(&have);
    return -1;
}

/* Of shares at depths, without a stat: each depth that there is, from the lowest. */
static void spread_depths(struct fr_q *q, struct fr_q_metric m, bool ops, struct fr_q_metrics *out)
{
    static const char *const depths[] = {"0", "1", "2", "4", "8", "16", "32", "64", ">=64"};
    bool shares = m.metric >= FR_M_IODEPTH_LEVEL && m.metric <= FR_M_IODEPTH_COMPLETE;
    for (size_t i = 0; shares && !m.stat && i < sizeof depths / sizeof *depths; i++) {
        struct fr_q_metric one = m;
        one.stat = fr_q_word(q, depths[i]);
        spread(q, one, ops, out);
    }
}

/* Of priorities, without a stat: each that there is, its mean where it has several figures. */
static void spread_priorities(struct fr_q *q, struct fr_q_metric m, bool ops, struct fr_q_metrics *out)
{
    enum { PRIORITIES_MAX = 16 };
    const char *seen[PRIORITIES_MAX];
    size_t n = 0;
    bool wanted = m.metric >= FR_M_CLAT_PRIO && m.metric <= FR_M_SHARE_PRIO && !m.stat;
    for (size_t i = 0; wanted && i < q->values_n && n < PRIORITIES_MAX; i++) {
        const struct fr_q_value *v = &q->values[i];
        struct fr_str rest = fr_str(v->stat), priority;
        if (v->metric != m.metric || !fr_take_priority(&rest, &priority) || (rest.n && !fr_str_is(rest, ":mean")))
            continue;
        size_t j = 0;
        while (j < n && seen[j] != v->stat)
            j++;
        if (j < n)
            continue;
        struct fr_q_metric one = m;
        one.stat = seen[n++] = v->stat;
        spread(q, one, ops, out);
    }
}

/* Scores in one unit of which more is better here, and less there: their heads say which. */
static void tell_scores_apart(struct fr_q_metrics *list)
{
    for (size_t i = 0; i < list->n; i++)
        for (size_t j = 0; j < list->n; j++) {
            const struct fr_q_metric *a = &list->metric[i], *b = &list->metric[j];
            if (a->metric == b->metric && a->op == b->op && a->stat == b->stat && a->unit == b->unit &&
                a->better != b->better)
                list->metric[i].say_better = true;
        }
}

static int choose_metrics(struct fr_q *q, const struct fr_q_metrics *wish, bool ops, struct fr_q_metrics *out)
{
    const struct fr_q_metric *lacking = NULL;
    for (size_t i = 0; i < wish->n; i++) {
        size_t before = out->n;
        spread(q, wish->metric[i], ops, out);
        spread_depths(q, wish->metric[i], ops, out);
        spread_priorities(q, wish->metric[i], ops, out);
        if (out->n != before)
            continue;
        lacking = &wish->metric[i];
        if (wish->n > 1)
            fr_log_warn(q->log, NULL, 0, "no run has %s, left out", fr_q_metric_name(q, lacking));
    }
    if (out->cut)
        fr_log_warn(q->log, NULL, 0,
                    "there are more than %d metrics, directions and units, the others are left out; --where shows less",
                    FR_Q_METRICS_MAX);
    tell_scores_apart(out);
    return out->n || !lacking ? 0 : nothing_of(q, lacking);
}

/* ---- what few tests have ----------------------------------------------------------------------------------------- */

/* How many tests have one of these; with `but`, how many have nothing else that is kept. */
static size_t count_tests(const struct fr_q *q, const uint64_t *has, uint64_t kept, uint64_t but)
{
    size_t n = 0;
    for (size_t i = 0; i < q->tests_n; i++)
        n += but ? (has[i] & but) != 0 && (has[i] & kept & ~but) == 0 : (has[i] & kept) != 0;
    return n;
}

/* The metric that the fewest tests have, less than a third of them, and none of them alone; 0: there is none. */
static uint64_t rarest(const struct fr_q *q, const uint64_t *has, uint64_t kept, size_t metrics_n)
{
    size_t total = count_tests(q, has, kept, 0), fewest = total;
    uint64_t found = 0;
    for (size_t m = metrics_n; m-- > 0;) {
        uint64_t bit = (uint64_t)1 << m;
        size_t n = kept & bit ? count_tests(q, has, bit, 0) : total;
        if (n < fewest && n * 3 < total && !count_tests(q, has, kept, bit)) {
            fewest = n;
            found = bit;
        }
    }
    return found;
}

/* What Phoronix measures beside throughput and latency, where it is not what these tests are about. */
static uint64_t side_issues(const struct fr_q *q, const uint64_t *has, const struct fr_q_metrics *metrics)
{
    uint64_t side = 0, all = 0;
    for (size_t m = 0; m < metrics->n; m++) {
        enum fr_metric_id id = metrics->metric[m].metric;
        all |= (uint64_t)1 << m;
        if (id == FR_M_TIME || id == FR_M_SIZE || id == FR_M_SCORE || id == FR_M_PASS)
            side |= (uint64_t)1 << m;
    }
    return count_tests(q, has, side, 0) * 3 < count_tests(q, has, all, 0) ? side : 0;
}

/* Remove what is not kept, and say so. */
static void leave_out(struct fr_q *q, struct fr_q_metrics *metrics, uint64_t kept, size_t vanished)
{
    struct fr_strbuf names = FR_STRBUF_INIT;
    const char *last = NULL;
    size_t n = 0;
    for (size_t m = 0; m < metrics->n; m++)
        if (kept & (uint64_t)1 << m)
            metrics->metric[n++] = metrics->metric[m];
        else {
            const char *name = fr_q_word(q, fr_q_metric_name(q, &metrics->metric[m]));
            if (name != last) /* scores, which stand beside each other, differ in their unit alone */
                fr_strbuf_addf(&names, "%s%s", names.len ? "," : "", name);
            last = name;
        }
    metrics->n = n;
    if (vanished)
        fr_log_note(q->log, NULL, 0,
                    "left out is what few tests have, and %zu test%s with nothing else: --metric %s shows it", vanished,
                    vanished == 1 ? "" : "s", fr_strbuf_str(&names));
    else
        fr_log_note(q->log, NULL, 0, "left out is what few tests have: --metric %s shows it", fr_strbuf_str(&names));
    fr_strbuf_release(&names);
}

/* A table of all kinds of tests would be wider than anybody reads: columns that most rows lack are left out of it. */
static void drop_rare(struct fr_q *q, struct fr_q_metrics *metrics)
{
    enum { WIDE = 6 };
    uint64_t *has = metrics->n > WIDE ? coverage(q, metrics) : NULL, all = 0, rare;
    if (!has)
        return;
    for (size_t m = 0; m < metrics->n; m++)
        all |= (uint64_t)1 << m;
    uint64_t kept = all & ~side_issues(q, has, metrics);
    while (__builtin_popcountll(kept) > WIDE && (rare = rarest(q, has, kept, metrics->n)) != 0)
        kept &= ~rare;
    if (kept != all)
        leave_out(q, metrics, kept, count_tests(q, has, all, 0) - count_tests(q, has, kept, 0));
    free(has);
}

/* ---- rows and columns -------------------------------------------------------------------------------------------- */

/* Does the word that ends at `end` in the text call this parameter: `qd32`, `numjobs=4`, `jobs-4`? */
static bool is_called(const char *text, const char *end, const char *key)
{
    static const char *const words[][2] = {{"iodepth", "depth"}, {"iodepth", "qd"},      {"iodepth", "q"},
                                           {"numjobs", "jobs"},  {"numjobs", "job"},     {"numjobs", "nj"},
                                           {"numjobs", "j"},     {"numjobs", "threads"}, {"numjobs", "t"}};
    while (end > text && strchr("-_=. ", end[-1]))
        end--;
    const char *begin = end;
    while (begin > text && fr_is_alpha(begin[-1]))
        begin--;
    struct fr_str word = fr_strn(begin, (size_t)(end - begin));
    bool is = fr_str_is_nocase(word, key);
    for (size_t i = 0; i < sizeof words / sizeof *words && !is; i++)
        is = strcmp(key, words[i][0]) == 0 && fr_str_is_nocase(word, words[i][1]);
    return is;
}

/* Does the text say that the parameter has this value? A bare number may be that of anything. */
static bool says(const char *text, const char *key, const char *value)
{
    size_t n = strlen(value);
    if (strspn(value, "0123456789") < n)
        return strcasestr(text, value) != NULL;
    for (const char *at = text; (at = strstr(at, value)) != NULL; at++)
        if ((at == text || !fr_is_digit(at[-1])) && !fr_is_digit(at[n]) && is_called(text, at, key))
            return true;
    return false;
}

/* The names of its tests say what was done. */
static bool names_tell(const struct fr_q_test *t)
{
    return strcmp(t->run->tool, "fio") != 0 && strcmp(t->run->tool, "dd") != 0;
}

/* Does the parameter differ among the tests, and is there one whose names do not say so? */
static bool param_tells(const struct fr_q *q, const char *key)
{
    const char *first = NULL;
    bool differs = false, unsaid = false;
    for (size_t i = 0; i < q->tests_n; i++) {
        const struct fr_q_test *t = &q->tests[i];
        const char *value = t->used ? fr_q_param(t, key) : NULL;
        if (!value)
            continue;
        if (first && strcmp(first, value) != 0)
            differs = true;
        first = first ? first : value;
        if (!names_tell(t) && !says(t->name, key, value) && !says(t->run->label, key, value))
            unsaid = true;
    }
    return differs && unsaid;
}

/* It stands at the head of a column, or over a group of rows. */
static bool said_elsewhere(const struct fr_q_plan *plan, enum fr_q_dim_kind kind, const char *key)
{
    return fr_q_dims_has(&plan->cols, kind, key) || fr_q_dims_has(&plan->group, kind, key);
}

static void default_rows(const struct fr_q *q, const struct facts *facts, struct fr_q_plan *plan)
{
    static const char *const telling[] = {"rw", "bs", "bs_read", "bs_write", "iodepth", "numjobs"};
    bool label = said_elsewhere(plan, FR_DIM_LABEL, NULL), test = said_elsewhere(plan, FR_DIM_TEST, NULL);
    if (facts->labels > 1 && !label)
        fr_q_dims_add(&plan->rows, FR_DIM_LABEL, NULL);
    if ((facts->several_tests || facts->tabular || fr_q_dims_has(&plan->cols, FR_DIM_LABEL, NULL)) && !test)
        fr_q_dims_add(&plan->rows, FR_DIM_TEST, NULL);
    if (!facts->tabular)
        for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
            if (!said_elsewhere(plan, FR_DIM_PARAM, telling[i]) && param_tells(q, telling[i]))
                fr_q_dims_add(&plan->rows, FR_DIM_PARAM, telling[i]);
}

/* Groups first, so that their rows stand together; and something that names each row. */
static void finish_rows(struct fr_q_plan *plan)
{
    struct fr_q_dims rows = plan->group;
    for (size_t i = 0; i < plan->rows.n; i++)
        fr_q_dims_add(&rows, plan->rows.dim[i].kind, plan->rows.dim[i].key);
    if (rows.n == plan->group.n)
        fr_q_dims_add(&rows,
                      !said_elsewhere(plan, FR_DIM_LABEL, NULL)  ? FR_DIM_LABEL
                      : !said_elsewhere(plan, FR_DIM_TEST, NULL) ? FR_DIM_TEST
                                                                 : FR_DIM_RUN,
                      NULL);
    plan->rows = rows;
}

/* Tests down, labels across: for tools whose tests have names that everybody knows. */
static void tabular_dims(const struct facts *facts, struct fr_q_plan *plan)
{
    fr_q_dims_add(&plan->rows, FR_DIM_TEST, NULL);
    if (facts->ops)
        fr_q_dims_add(&plan->rows, FR_DIM_OP, NULL);
    if (!fr_q_dims_has(&plan->group, FR_DIM_LABEL, NULL))
        fr_q_dims_add(&plan->cols, FR_DIM_LABEL, NULL);
}

static int choose_dims(struct fr_q *q, const struct facts *facts, bool tabular, struct fr_q_plan *plan)
{
    const struct fr_query *query = q->query;
    const char *rows = query->rows, *cols = query->cols;
    plan->asked = rows || cols || query->x;
    if (cols && fr_q_dims_parse(q, cols, "--cols", &plan->cols) != 0)
        return -1;
    if (rows && fr_q_dims_parse(q, rows, "--rows", &plan->rows) != 0)
        return -1;
    if (query->group && fr_q_dims_parse(q, query->group, "--group", &plan->group) != 0)
        return -1;
    if (query->x && fr_q_dims_parse(q, query->x, "--x", query->x_across ? &plan->cols : &plan->rows) != 0)
        return -1;
    if (query->x && !query->x_across && !rows && !cols && facts->labels > 1)
        fr_q_dims_add(&plan->cols, FR_DIM_LABEL, NULL);
    if (!plan->asked && tabular)
        tabular_dims(facts, plan);
    else if (!plan->rows.n)
        default_rows(q, facts, plan);
    finish_rows(plan);
    for (size_t i = 0; i < plan->cols.n; i++)
        if (fr_q_dims_has(&plan->rows, plan->cols.dim[i].kind, plan->cols.dim[i].key))
            return fr_log_error(q->log, NULL, 0, "'%s' cannot be in %s and in --cols", plan->cols.dim[i].key,
                                fr_q_dims_has(&plan->group, plan->cols.dim[i].kind, plan->cols.dim[i].key) ? "--group"
                                                                                                           : "--rows");
    return 0;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

/* Different things are measured: bandwidth here, a score there. */
static bool differ_in_meaning(const struct fr_q *q, const struct fr_q_metrics *metrics)
{
    const struct fr_q_value *first = NULL;
    for (size_t i = 0; i < q->values_n; i++)
        for (size_t j = 0; j < metrics->n; j++) {
            const struct fr_q_value *v = &q->values[i];
            if (!fr_q_metric_has(&metrics->metric[j], v))
                continue;
            first = first ? first : v;
            if (v->metric != first->metric || (v->metric == FR_M_SCORE && v->unit != first->unit))
                return true;
        }
    return false;
}

static int add_sort_metric(struct fr_q *q, struct fr_q_plan *plan)
{
    const char *by = q->query->sort;
    struct fr_q_metric m;
    if (!by)
        return 0;
    by += *by == '-';
    if (!fr_q_metric_is(fr_str(by), &m))
        return 0;
    if (fr_q_metric_parse(q, fr_str(by), "--sort", &m) != 0)
        return -1;
    if (!count(q, &m))
        return nothing_of(q, &m);
    m.hidden = true;
    if (!plan->mixed)
        add_metric(&plan->metrics, m);
    return 0;
}

/* The figures lie so far apart that one unit for all would leave nothing of the small ones. */
static bool differ_in_size(const struct fr_q *q, const struct fr_q_metrics *metrics)
{
    double min = 0, max = 0;
    for (size_t i = 0; i < q->values_n; i++)
        for (size_t j = 0; j < metrics->n; j++) {
            double x = fabs(q->values[i].value);
            if (x == 0 || !fr_q_metric_has(&metrics->metric[j], &q->values[i]))
                continue;
            min = min == 0 || x < min ? x : min;
            max = x > max ? x : max;
        }
    return max > 1000 * min;
}

enum layout {
    SIDE_BY_SIDE, /* metrics across */
    GRID,         /* tests down, labels across, one metric */
    MIXED         /* the same with a unit in each row */
};

static enum layout choose_layout(struct fr_q *q, const struct facts *facts, struct fr_q_metrics *wish)
{
    const struct fr_q_metric bw = {.op = -1, .metric = FR_M_BW};
    if (!facts->tabular || q->query->rows || q->query->cols || q->query->x)
        return SIDE_BY_SIDE;
    if (q->query->metrics)
        return wish->n == 1 && facts->labels > 1 ? GRID : SIDE_BY_SIDE;
    if (!facts->crystal && (differ_in_meaning(q, wish) || differ_in_size(q, wish)))
        return MIXED;
    if (facts->labels < 2)
        return SIDE_BY_SIDE;
    if (facts->crystal && count(q, &bw)) { /* the figure everybody compares */
        wish->metric[0] = bw;
        wish->n = 1;
    }
    return wish->n == 1 ? GRID : SIDE_BY_SIDE;
}

bool fr_q_by_op(const struct fr_q_plan *plan)
{
    return fr_q_dims_has(&plan->rows, FR_DIM_OP, NULL) || fr_q_dims_has(&plan->cols, FR_DIM_OP, NULL);
}

int fr_q_plan(struct fr_q *q, struct fr_q_plan *plan)
{
    struct fr_q_metrics wish = {.n = 0};
    if (!q->query->metrics)
        default_metrics(q, &wish);
    else if (fr_q_metrics_parse(q, q->query->metrics, &wish) != 0)
        return -1;
    use_only(q, &wish);
    struct facts facts = find_facts(q);
    *plan = (struct fr_q_plan){.si = facts.si};
    enum layout layout = choose_layout(q, &facts, &wish);
    if (choose_dims(q, &facts, layout != SIDE_BY_SIDE, plan) != 0)
        return -1;
    plan->label = fr_q_dims_has(&plan->rows, FR_DIM_LABEL, NULL) || fr_q_dims_has(&plan->cols, FR_DIM_LABEL, NULL)
                      ? NULL
                      : facts.label;
    plan->mixed = layout == MIXED || fr_q_dims_has(&plan->rows, FR_DIM_METRIC, NULL);
    if (fr_q_by_op(plan))
        fr_q_dims_of_op(&plan->rows);
    if (plan->mixed)
        plan->metrics = wish;
    else if (choose_metrics(q, &wish, !fr_q_by_op(plan), &plan->metrics) != 0)
        return -1;
    if (!plan->mixed && !q->query->metrics)
        drop_rare(q, &plan->metrics);
    if (!plan->mixed && plan->metrics.n)
        use_only(q, &plan->metrics);
    return add_sort_metric(q, plan);
}
