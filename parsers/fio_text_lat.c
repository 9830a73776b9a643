/*
 * fio_text_lat.c: latencies: their statistics, percentiles, buckets. Each line has a unit of its own, the percentiles
 * another one than the line above.
 */
#include "fio_text.h"

#include <math.h>

#include "banned.h"

static const char *const stat_names[FT_STATS] = {"min", "max", "mean", "stdev", "n"};

/* slat, clat, lat, sync at the start, taken. */
static bool take_metric(struct fr_str *s, enum fr_metric_id *metric, bool *sync)
{
    *sync = false;
    if (fr_take(s, "slat"))
        *metric = FR_M_SLAT;
    else if (fr_take(s, "clat"))
        *metric = FR_M_CLAT;
    else if (fr_take(s, "lat"))
        *metric = FR_M_LAT;
    else if (fr_take(s, "sync")) {
        *metric = FR_M_LAT;
        *sync = true;
    } else {
        return false;
    }
    fr_take_blanks(s);
    return true;
}

/* The metric of a part of these latencies by command priority. */
static enum fr_metric_id of_priority(enum fr_metric_id metric)
{
    return metric == FR_M_CLAT ? FR_M_CLAT_PRIO : FR_M_LAT_PRIO;
}

static void say_orphan(struct ft_scan *s)
{
    if (!s->t.skip && !s->orphan_said)
        fr_log_warn(s->log, s->doc->source, s->line, "a latency without its direction's line, skipped");
    s->orphan_said = true;
}

/* Whose latencies they are: a direction's; false when its line is not there (said once). */
static bool find_op(struct ft_scan *s, bool sync, enum fr_op *op)
{
    if (sync) {
        *op = FR_OP_SYNC;
        s->t.short_sync = s->t.short_sync || s->t.test;
        return ft_test_orphan(s) != NULL;
    }
    if (s->t.test && s->t.has_op) {
        *op = s->t.op;
        return true;
    }
    say_orphan(s);
    return false;
}

/* `clat (usec): avg=85, p99=120, p99.99=500`, as people sum it up. */
static void take_short_percentiles(struct ft_scan *s, struct fr_str line, enum fr_op op, enum fr_metric_id metric,
                                   double factor)
{
    double p, v;
    int decimals;
    for (size_t at; (at = fr_str_find(line, " p")) != (size_t)-1;) {
        line = fr_str_from(line, at + 2);
        if (!ft_take_number(&line, &p, &decimals) || p > 100 || !fr_take_ch(&line, '=') ||
            !ft_take_number(&line, &v, &decimals))
            continue;
        fr_value_add(s->batch, s->t.test, op, metric, fr_stat_percentile(s->batch, p), fr_to_base(v, factor), s->line);
    }
}

/* Has this one of the direction's lines been there? It has now. */
static bool was_seen(struct ft_scan *s, enum fr_op op, enum fr_metric_id metric, bool percentiles)
{
    unsigned kind = metric == FR_M_SLAT ? 0 : metric == FR_M_CLAT ? 1 : 2;
    uint64_t bit = (uint64_t)1 << ((unsigned)op * 6 + kind * 2 + percentiles), seen = s->t.seen & bit;
    s->t.seen |= bit;
    return seen;
}

/*
 * Has the direction got these already? The same once more says nothing; others are those of a direction whose line is
 * missing, and what follows up to one is nobody's.
 */
static bool has_already(struct ft_scan *s, enum fr_op op, enum fr_metric_id metric, double mean)
{
    if (!was_seen(s, op, metric, false))
        return false;
    const struct fr_value *have = fr_value_get(s->t.test, op, metric, "mean");
    if (have && fabs(have->value - mean) > 1e-9 * fabs(mean)) {
        s->t.has_op = s->t.has_op && op == FR_OP_SYNC;
        say_orphan(s);
    }
    return true;
}

void ft_lat_line(struct ft_scan *s, struct fr_str line)
{
    enum fr_metric_id metric;
    enum fr_op op;
    struct ft_stats stats;
    double factor;
    bool sync;
    s->t.pct = false;
    if (!take_metric(&line, &metric, &sync) || !ft_take_unit(&line, FR_KILO_1000, &factor) ||
        !ft_take_stats(line, &stats)) {
        fr_log_warn(s->log, s->doc->source, s->line, "latency line cannot be read, skipped");
        return;
    }
    if (!find_op(s, sync, &op))
        return;
    if (sync)
        s->t.short_sync = true;
    if (stats.have & 1U << FT_MEAN && has_already(s, op, metric, fr_to_base(stats.v[FT_MEAN], factor)))
        return;
    for (int i = 0; i < FT_STATS; i++)
        if (stats.have & 1U << i)
            fr_value_add(s->batch, s->t.test, op, metric, stat_names[i],
                         i == FT_N ? stats.v[i] : fr_to_base(stats.v[i], factor), s->line);
    take_short_percentiles(s, line, op, metric, factor);
    s->t.lat_metric = metric;
    s->t.lat_factor = factor;
}

/* The unit of percentiles; where it was left out, that of the statistics right above them. */
static bool take_percentiles_unit(struct ft_scan *s, struct fr_str *line)
{
    if (ft_take_unit(line, FR_KILO_1000, &s->t.pct_factor))
        return true;
    bool known = fr_take_ch(line, ':') && s->t.test && s->t.lat_factor > 0 && s->t.lat_metric == s->t.pct_metric;
    s->t.pct_factor = s->t.lat_factor;
    return known;
}

void ft_pct_head(struct ft_scan *s, struct fr_str line)
{
    bool sync;
    s->t.pct = false;
    if (!take_metric(&line, &s->t.pct_metric, &sync) || !fr_take(&line, "percentiles") ||
        !take_percentiles_unit(s, &line)) {
        fr_log_warn(s->log, s->doc->source, s->line, "percentiles without a unit, skipped");
        return;
    }
    enum fr_metric_id metric = s->t.pct_metric;
    double factor = s->t.pct_factor;
    s->t.pct_priority = NULL;
    if (!find_op(s, sync, &s->t.pct_op))
        return;
    if (sync) {
        s->t.pct_op = FR_OP_SYNC;
        s->t.short_sync = true;
    }
    if (was_seen(s, s->t.pct_op, metric, true)) {
        say_orphan(s);
        return;
    }
    s->t.pct = true;
    s->t.pct_last = -1;
    s->t.pct_unsampled = !fr_value_get(s->t.test, s->t.pct_op, metric, "mean");
    s->t.pct_metric = metric;
    s->t.pct_factor = factor;
    ft_pct_row(s, line); /* to 1.60, and where line ends were lost */
}

/*
 * The words before the unit of a priority's line, taken: `clat prio 1/0 `, `high prio_clat `, and, before percentiles,
 * with the share of the I/Os (else -1): `clat prio 1/0 (29.30% of IOs) `, `high prio (30.71%) clat `.
 */
static bool take_priority_head(struct fr_str *s, struct fr_str *priority, double *share, enum fr_metric_id *metric)
{
    bool sync, worded = fr_str_starts(*s, "high") || fr_str_starts(*s, "low");
    int decimals;
    *share = -1;
    if (worded ? !fr_take_priority(s, priority) || !fr_take(s, " prio")
               : !take_metric(s, metric, &sync) || !fr_take(s, "prio ") || !fr_take_priority(s, priority))
        return false;
    struct fr_str rest = fr_str_ltrim(*s);
    if (fr_take_ch(&rest, '(') && ft_take_number(&rest, share, &decimals) && fr_take_ch(&rest, '%')) {
        fr_take_until(&rest, ')');
        *s = rest;
    }
    fr_take_ch(s, '_');
    fr_take_blanks(s);
    return !worded || take_metric(s, metric, &sync);
}

void ft_prio_line(struct ft_scan *s, struct fr_str line)
{
    struct fr_str priority;
    struct ft_stats stats;
    enum fr_metric_id metric;
    enum fr_op op;
    double share, factor;
    s->t.pct = false;
    bool ok = take_priority_head(&line, &priority, &share, &metric), head = ok && fr_take(&line, "percentiles");
    if (!ok || !ft_take_unit(&line, FR_KILO_1000, &factor) || (!head && !ft_take_stats(line, &stats))) {
        fr_log_warn(s->log, s->doc->source, s->line, "latencies of a priority cannot be read, skipped");
        return;
    }
    if (!find_op(s, false, &op))
        return;
    const char *name = fr_arena_copy(&s->batch->arena, priority.s, priority.n);
    if (head) {
        if (share >= 0)
            fr_value_add(s->batch, s->t.test, op, FR_M_SHARE_PRIO, name, share / 100, s->line);
        s->t.pct = true;
        s->t.pct_last = -1;
        s->t.pct_unsampled = false;
        s->t.pct_op = op;
        s->t.pct_metric = of_priority(metric);
        s->t.pct_priority = name;
        s->t.pct_factor = factor;
        ft_pct_row(s, line); /* where line ends were lost */
        return;
    }
    for (int i = 0; i < FT_STATS; i++)
        if (stats.have & 1U << i)
            fr_value_add(s->batch, s->t.test, op, of_priority(metric), fr_stat_of(s->batch, name, stat_names[i]),
                         fr_to_base(stats.v[i], factor), s->line);
}

void ft_pct_row(struct ft_scan *s, struct fr_str line)
{
    double p, v;
    int decimals;
    if (!s->t.pct || !s->t.test)
        return;
    while (line.n) {
        while (line.n && !fr_is_digit(*line.s))
            line.s++, line.n--;
        if (!ft_take_number(&line, &p, &decimals)) { /* more digits than a number has */
            while (line.n && fr_is_digit(*line.s))
                line = fr_str_from(line, 1);
            continue;
        }
        if (!fr_take(&line, "th="))
            continue;
        fr_take_ch(&line, '[');
        fr_take_blanks(&line);
        if (p > 100 && p <= 100000) /* 99,990th: three decimals behind a comma */
            p /= 1000;
        if (p <= s->t.pct_last) { /* a row of another list, whose head is missing */
            s->t.pct = false;
            return;
        }
        s->t.pct_last = p;
        if (p <= 100 && ft_take_number(&line, &v, &decimals) && !(v == 0 && s->t.pct_unsampled))
            fr_value_add(s->batch, s->t.test, s->t.pct_op, s->t.pct_metric,
                         fr_stat_of(s->batch, s->t.pct_priority, fr_stat_percentile(s->batch, p)),
                         fr_to_base(v, s->t.pct_factor), s->line);
    }
}

/* ---- buckets ----------------------------------------------------------------------------------------------------- */

/* fio's bounds, in the unit of their line. */
static const double steps[] = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000};

void ft_bucket_line(struct ft_scan *s, struct fr_str line)
{
    double factor, bound, share;
    int decimals;
    s->t.pct = false;
    if (!fr_take(&line, "lat") || !ft_take_unit(&line, FR_KILO_1000, &factor) || !ft_test_orphan(s))
        return;
    if (!s->t.buckets)
        s->t.buckets_line = s->line;
    while (line.n && s->t.buckets < sizeof s->t.bucket / sizeof *s->t.bucket) {
        while (line.n && !fr_is_digit(*line.s) && *line.s != '>')
            line.s++, line.n--;
        bool beyond = fr_take(&line, ">=");
        if (!line.n || !ft_take_number(&line, &bound, &decimals) || !fr_take_ch(&line, '=') ||
            !ft_take_number(&line, &share, &decimals))
            break;
        fr_take_ch(&line, '%');
        s->t.bucket[s->t.buckets].bound = beyond ? INFINITY : fr_to_base(bound, factor);
        s->t.bucket[s->t.buckets++].share = share / 100;
    }
}

/* The bound before this one: of the same unit, else the last of the unit below. */
static double bound_below(double bound)
{
    if (!isfinite(bound))
        return 2;
    static const double units[] = {1e-9, 1e-6, 1e-3};
    size_t u = bound < 1.0005e-6 ? 0 : bound < 1.0005e-3 ? 1 : 2; /* 1000 of one unit is the last bound of that */
    for (size_t i = 0; i < sizeof steps / sizeof *steps - (u < 2); i++)
        if (fabs(steps[i] * units[u] - bound) < units[u] / 2)
            return i ? fr_to_base(steps[i - 1], units[u]) : u ? units[u] : 0;
    return 0;
}

/* fio prints shares of the completion latencies (with disable_clat they are empty); with the number of I/Os they are
 * counts. */
void ft_buckets_store(struct ft_scan *s)
{
    uint64_t total = 0;
    for (int op = 0; op < FR_OP_COUNT; op++)
        if (op != FR_OP_SYNC && (op != FR_OP_MIXED || total == 0))
            total += s->t.dir[op].has_ios ? s->t.dir[op].ios : 0;
    if (!s->t.buckets || !total)
        return;
    struct fr_hist *h = fr_hist_new(s->batch, s->t.test, FR_OP_NONE, FR_M_CLAT, s->t.buckets, s->t.buckets_line);
    for (unsigned i = 0; i < s->t.buckets; i++) {
        h->bins[i].upper = s->t.bucket[i].bound;
        h->bins[i].lower = bound_below(s->t.bucket[i].bound);
        h->bins[i].count = (uint64_t)llround(s->t.bucket[i].share * (double)total);
    }
}
