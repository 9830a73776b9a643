/* query.c: the entry points. See fioreport.h and query.h. */
#include "query.h"
#include "strbuf.h"

#include "banned.h"

/* "EXT4, XFS and ZFS", where there are few and they are short: what a table of all kinds of figures is about. */
static void add_labels(struct fr_q *q, struct fr_strbuf *title)
{
    enum { LABELS = 5, LENGTH = 60 };
    const char *labels[LABELS];
    size_t n = 0, length = 0;
    for (size_t i = 0; i < q->tests_n; i++) {
        const char *label = q->tests[i].run->label;
        size_t j = 0;
        while (j < n && labels[j] != label)
            j++;
        if (!q->tests[i].used || j < n)
            continue;
        length += strlen(label);
        if (n == LABELS || length > LENGTH)
            return;
        labels[n++] = label;
    }
    for (size_t i = 0; i < n; i++)
        fr_strbuf_addf(title, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " and ", labels[i]);
}

/* Of several percentiles of one metric only the first says of what: "completion latency p50, p99 and p99.9". */
static const char *short_name(const struct fr_q_metric *m, const struct fr_q_metric *before, const char *name)
{
    bool both =
        before && m->metric == before->metric && m->stat && before->stat && m->stat[0] == 'p' && before->stat[0] == 'p';
    return both && fr_str_ends(fr_str(name), m->stat) ? m->stat : name;
}

/* "write IOPS and write bandwidth", "IOPS, bandwidth and completion latency p99": what the columns show. */
static const char *made_title(struct fr_q *q, const struct fr_q_plan *plan)
{
    const char *names[FR_Q_METRICS_MAX], *shown[FR_Q_METRICS_MAX];
    const struct fr_q_metric *before = NULL;
    size_t n = 0;
    int op = -2; /* of all, where it is one */
    for (size_t i = 0; i < plan->metrics.n; i++) {
        const struct fr_q_metric *m = &plan->metrics.metric[i];
        if (!m->hidden)
            op = op == -2 || op == m->op ? m->op : -1;
    }
    for (size_t i = 0; i < plan->metrics.n && !plan->mixed; i++) {
        struct fr_q_metric m = plan->metrics.metric[i];
        m.say_better = false;
        const char *name = m.hidden ? NULL : fr_q_word(q, fr_q_metric_title(q, &m, op > 0 && n == 0));
        size_t j = 0;
        while (name && j < n && strcmp(names[j], name) != 0)
            j++;
        if (!name || j < n)
            continue;
        names[n] = name;
        shown[n++] = short_name(&m, before, name);
        before = &plan->metrics.metric[i];
    }
    struct fr_strbuf title = FR_STRBUF_INIT;
    if (!n && !plan->label)
        add_labels(q, &title);
    if (plan->label)
        fr_strbuf_addf(&title, "%s%s", plan->label, n ? ": " : "");
    for (size_t i = 0; i < n; i++)
        fr_strbuf_addf(&title, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " and ", shown[i]);
    const char *copy = title.len ? fr_arena_strdup(&q->arena, fr_strbuf_str(&title)) : NULL;
    fr_strbuf_release(&title);
    return copy;
}

static struct fr_table *pivot(struct fr_q *q)
{
    unsigned long long metrics;
    struct fr_q_plan plan;
    if (fr_q_wanted(q, &metrics) != 0 || fr_q_load_values(q, 0, metrics) != 0 || fr_q_where(q) != 0 ||
        fr_q_plan(q, &plan) != 0)
        return NULL;
    struct fr_table *table = fr_q_pivot(q, &plan);
    if (!table)
        return NULL;
    fr_q_titles(q, table, made_title(q, &plan));
    return table;
}

struct fr_table *fr_query_table(struct fr_store *store, const struct fr_query *query, enum fr_shape shape,
                                struct fr_log *log)
{
    struct fr_q q;
    struct fr_table *table = NULL;
    if (fr_q_load(&q, store, query, log) == 0)
        table = shape == FR_SHAPE_PIVOT ? pivot(&q) : fr_q_curves(&q, shape);
    fr_q_release(&q);
    return table;
}

enum fr_shape fr_query_shape(struct fr_store *store, const struct fr_query *query, const char *kind)
{
    struct fr_log silent = {.say = NULL};
    struct fr_q q = {.arena = FR_ARENA_INIT};
    struct fr_q_metrics asked = {.n = 0};
    enum fr_shape shape = FR_SHAPE_PIVOT, other;
    const char *name;
    for (size_t i = 0; (name = fr_chart_kind_name(i, NULL, &other)) != NULL; i++)
        if (strcmp(name, kind ? kind : name) == 0) {
            shape = other;
            break;
        }
    if (!kind || strcmp(kind, "heatmap") != 0 || (query->x && strcmp(query->x, "time") != 0))
        return shape;
    bool time =
        query->x || (query->metrics && !query->rows && !query->cols && fr_q_load(&q, store, query, &silent) == 0 &&
                     fr_q_metrics_parse(&q, query->metrics, &asked) == 0 && fr_q_latency_log(&q, &asked));
    fr_q_release(&q);
    return time ? FR_SHAPE_TIME : shape;
}

struct fr_table *fr_query_sql(struct fr_store *store, const char *sql, struct fr_log *log)
{
    return fr_store_select(store, sql, log);
}
