/* query_metric.c: `[op.]metric[:stat]`. See query.h. */
#include "query.h"
#include "strbuf.h"

#include "banned.h"

/* A metric has one of these: that is its main stat. */
static bool is_main(const char *stat)
{
    return strcmp(stat, "mean") == 0 || strcmp(stat, "total") == 0 || strcmp(stat, "value") == 0;
}

bool fr_q_metric_has(const struct fr_q_metric *metric, const struct fr_q_value *value)
{
    if (metric->metric != value->metric || (metric->op >= 0 && metric->op != (int)value->op))
        return false;
    if (metric->unit && strcmp(metric->unit, value->unit ? value->unit : "") != 0)
        return false;
    if (metric->better != FR_BETTER_DEFAULT && metric->better != value->better)
        return false;
    return metric->stat ? strcmp(metric->stat, value->stat) == 0 : is_main(value->stat);
}

/* Cut "op.metric:stat" apart; op and stat may be empty. */
static void cut(struct fr_str text, struct fr_str *op, struct fr_str *name, struct fr_str *stat)
{
    size_t colon = fr_str_chr(text, ':'), dot;
    *name = fr_str_range(text, 0, colon == (size_t)-1 ? text.n : colon);
    *stat = colon == (size_t)-1 ? fr_strn(NULL, 0) : fr_str_from(text, colon + 1);
    dot = fr_str_chr(*name, '.');
    *op = dot == (size_t)-1 ? fr_strn(NULL, 0) : fr_str_range(*name, 0, dot);
    if (dot != (size_t)-1)
        *name = fr_str_from(*name, dot + 1);
}

/* "p99.90" -> "p99.9", "median" -> "p50"; all else as it is. */
static const char *stat_word(struct fr_str stat, char out[32])
{
    if (fr_str_is(stat, "median"))
        return "p50";
    snprintf(out, 32, "%.*s", FR_STR(stat));
    if (out[0] == 'p' && strchr(out, '.')) {
        size_t n = strlen(out);
        while (out[n - 1] == '0')
            out[--n] = 0;
        if (out[n - 1] == '.')
            out[n - 1] = 0;
    }
    return out;
}

static bool stat_is_known(const char *stat)
{
    static const char *const words[] = {"mean", "min", "max", "stdev", "n", "total", "value"};
    double percentile;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], stat) == 0)
            return true;
    if (fr_stat_depth(fr_str(stat)))
        return true;
    struct fr_str rest = fr_str(stat), priority;
    if (fr_take_priority(&rest, &priority))
        return !rest.n || (fr_take_ch(&rest, ':') && stat_is_known(rest.s));
    return stat[0] == 'p' && fr_str_double(fr_str(stat + 1), &percentile) && percentile >= 0 && percentile <= 100;
}

/* 0, or which part is wrong: 'o', 'm', 's'. */
static char parse(struct fr_str text, struct fr_q_metric *out, char stat[32], const char **word)
{
    struct fr_str op, name, stat_text;
    cut(text, &op, &name, &stat_text);
    *out = (struct fr_q_metric){.op = -1};
    *word = NULL;
    if (op.n && (out->op = fr_op_find(op)) < 0)
        return 'o';
    int metric = fr_metric_find(name);
    if (metric < 0)
        return 'm';
    out->metric = (enum fr_metric_id)metric;
    if (stat_text.n) {
        *word = stat_word(stat_text, stat);
        if (!stat_is_known(*word))
            return 's';
    }
    return 0;
}

bool fr_q_metric_is(struct fr_str text, struct fr_q_metric *out)
{
    char stat[32];
    const char *word;
    return parse(text, out, stat, &word) == 0;
}

static const char *metric_name(const void *ctx, size_t i)
{
    (void)ctx;
    return i < FR_M_COUNT ? fr_metric_get((enum fr_metric_id)i)->name : NULL;
}

static const char *op_name(const void *ctx, size_t i)
{
    (void)ctx;
    return i + 1 < FR_OP_COUNT ? fr_op_name((enum fr_op)(i + 1)) : NULL;
}

/* The metric that is written so, or titled so in tables: "IOPS", "bandwidth"; NULL: none. */
static const char *metric_titled(const char *word)
{
    if (strcasecmp(word, "throughput") == 0)
        return fr_metric_get(FR_M_BW)->name;
    for (int i = 0; i < FR_M_COUNT; i++) {
        const struct fr_metric *m = fr_metric_get((enum fr_metric_id)i);
        if (strcasecmp(m->title, word) == 0 || strcasecmp(m->name, word) == 0)
            return m->name;
    }
    return NULL;
}

static int complain(struct fr_q *q, struct fr_str text, const char *option, char part)
{
    struct fr_str op, name, stat;
    cut(text, &op, &name, &stat);
    struct fr_str wrong = part == 'o' ? op : part == 'm' ? name : stat;
    const char *word = fr_arena_copy(&q->arena, wrong.s, wrong.n), *near = NULL;
    if (part == 's')
        return fr_log_error(
            q->log, NULL, 0,
            "%s: unknown stat '%s'; it is mean, min, max, stdev, n, a percentile like p99.9, a depth like >=64 "
            "or of a priority, like 0/0:mean",
            option, word);
    if (part == 'm' && stat_is_known(word) && !fr_stat_depth(wrong))
        return fr_log_error(q->log, NULL, 0, "%s: '%s' is a stat of a metric; did you mean '%.*s%sclat:%s'?", option,
                            word, FR_STR(op), op.n ? "." : "", word);
    near = part == 'm' ? metric_titled(word) : NULL;
    near = near ? near : fr_nearest(word, part == 'o' ? op_name : metric_name, NULL);
    const char *what = part == 'o' ? "direction" : "metric";
    if (near)
        return fr_log_error(q->log, NULL, 0, "%s: unknown %s '%s'; did you mean '%s'?", option, what, word, near);
    if (part == 'o')
        return fr_log_error(q->log, NULL, 0, "%s: unknown direction '%s'; it is read, write, trim, mixed or sync",
                            option, word);
    return fr_log_error(q->log, NULL, 0, "%s: unknown metric '%s'; 'fioreport metrics' lists them", option, word);
}

int fr_q_metric_parse(struct fr_q *q, struct fr_str text, const char *option, struct fr_q_metric *out)
{
    char stat[32];
    const char *word;
    char wrong = parse(text, out, stat, &word);
    if (wrong)
        return complain(q, text, option, wrong);
    out->stat = word ? fr_q_word(q, word) : NULL;
    return 0;
}

int fr_q_metrics_parse(struct fr_q *q, const char *list, struct fr_q_metrics *out)
{
    struct fr_str rest = fr_str(list);
    while (rest.n) {
        struct fr_str text = fr_str_trim(fr_take_until(&rest, ','));
        if (!text.n)
            continue;
        if (out->n == FR_Q_METRICS_MAX / 8)
            return fr_log_error(q->log, NULL, 0, "--metric: more than %d metrics", FR_Q_METRICS_MAX / 8);
        if (fr_q_metric_parse(q, text, "--metric", &out->metric[out->n]) != 0)
            return -1;
        out->n++;
    }
    return out->n ? 0 : fr_log_error(q->log, NULL, 0, "--metric: no metric is named");
}

const char *fr_q_metric_title(struct fr_q *q, const struct fr_q_metric *m, bool with_op)
{
    const struct fr_metric *info = fr_metric_get(m->metric);
    const char *op = with_op && m->op > 0 ? fr_op_name((enum fr_op)m->op) : "", *stat = m->stat ? m->stat : "";
    bool latency = m->metric == FR_M_SLAT || m->metric == FR_M_CLAT || m->metric == FR_M_LAT;
    if (latency && !m->stat)
        stat = "mean";
    else if (!latency && is_main(stat))
        stat = "";
    bool before = strcmp(stat, "mean") == 0 || strcmp(stat, "min") == 0 || strcmp(stat, "max") == 0;
    const char *better = !m->say_better ? "" : m->better == FR_LOWER ? " (lower is better)" : " (higher is better)";
    return fr_arena_printf(&q->arena, "%s%s%s%s%s%s%s%s", before ? stat : "", before ? " " : "", op, *op ? " " : "",
                           info->title, before || !*stat ? "" : " ", before ? "" : stat, better);
}

const char *fr_q_metric_name(struct fr_q *q, const struct fr_q_metric *m)
{
    const char *op = m->op > 0 ? fr_op_name((enum fr_op)m->op) : "";
    return fr_arena_printf(&q->arena, "%s%s%s%s%s", op, *op ? "." : "", fr_metric_get(m->metric)->name,
                           m->stat ? ":" : "", m->stat ? m->stat : "");
}
