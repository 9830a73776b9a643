/* fio_json_job.c: see fio_json_job.h. */
#include "fio_json_job.h"
#include "fio_options.h"
#include "hist.h"

#include <math.h>

#include "banned.h"

/* One direction of a job at work. */
struct side {
    const struct fr_fj_context *c;
    struct fr_test *test;
    const struct fr_fj_node *node;
    enum fr_op op;
    double ios;      /* NaN: not printed */
    double io_bytes; /* likewise */
    double runtime;  /* seconds; likewise */
};

/* The member as a number; NaN when there is none. */
static double number(const struct fr_fj_context *c, const struct fr_fj_node *object, const char *key, uint32_t *line)
{
    double value;
    return fr_fj_number(fr_fj_get(c->tree, object, key, line), &value, NULL) ? value : NAN;
}

static void add(const struct side *s, enum fr_metric_id metric, const char *stat, double value, uint32_t line)
{
    fr_value_add(s->c->batch, s->test, s->op, metric, stat, value, line);
}

/* The member as a value, scaled. Nothing when it is not there. */
static void add_member(const struct side *s, enum fr_metric_id metric, const char *stat, const char *key, double unit)
{
    uint32_t line = 0;
    double value = number(s->c, s->node, key, &line);
    add(s, metric, stat, fr_to_base(value, unit), line);
}

/* ---- histograms -------------------------------------------------------------------------------------------------- */

static bool is_bin(const struct fr_fj_bin *bin, bool indexed)
{
    return bin->count > 0 && (!indexed || bin->key < FR_HIST_BINS_OLD);
}

static int by_lower(const void *a, const void *b)
{
    const struct fr_bin *x = a, *y = b;
    return (x->lower > y->lower) - (x->lower < y->lower);
}

/* Bins in any order, or some twice (other programs sort keys as words): one by one. */
static void read_unsorted(const struct side *s, enum fr_metric_id metric, const struct fr_fj_bin *bins, size_t n,
                          bool indexed, double per_second, uint32_t line)
{
    size_t used = 0;
    unsigned most = per_second > 1e8 ? FR_HIST_BINS : FR_HIST_BINS_OLD;
    for (size_t i = 0; i < n; i++)
        used += is_bin(&bins[i], indexed);
    if (!used)
        return;
    struct fr_hist *hist = fr_hist_new(s->c->batch, s->test, s->op, metric, used, line);
    hist->exact = true;
    used = 0;
    for (size_t i = 0; i < n; i++)
        if (is_bin(&bins[i], indexed)) {
            unsigned index = indexed ? (unsigned)bins[i].key : fr_hist_index(bins[i].key, most);
            hist->bins[used++] = fr_hist_bin(index, per_second, bins[i].count);
        }
    qsort(hist->bins, used, sizeof *hist->bins, by_lower);
}

static void read_bins(const struct side *s, enum fr_metric_id metric, const struct fr_fj_node *node, double per_second,
                      uint32_t line)
{
    size_t n;
    bool indexed, fine = true;
    unsigned most = per_second > 1e8 ? FR_HIST_BINS : FR_HIST_BINS_OLD;
    struct fr_packer packer;
    const struct fr_fj_bin *bins = fr_fj_bins(s->c->tree, node, &n, &indexed);
    FR_PACKER_BEGIN(&packer);
    for (size_t i = 0; bins && fine && i < n; i++)
        if (is_bin(&bins[i], indexed)) {
            unsigned index = indexed ? (unsigned)bins[i].key : fr_hist_index(bins[i].key, most);
            fine = fr_packer_add(&packer, index, bins[i].count);
        }
    if (!fine)
        read_unsorted(s, metric, bins, n, indexed, per_second, line);
    else if (packer.n)
        fr_hist_new_packed(s->c->batch, s->test, s->op, metric, &packer, per_second, line);
}

/*
 * The job's coarse buckets: shares in per cent of all completions, `latency_ns` (2.99 on), `latency_us`, `latency_ms`:
 * a key is the bucket's upper bound in that unit. fio raises a share below 0.01 to 0.01.
 */
struct shares {
    const struct fr_fj_context *c;
    double total;
    double scale; /* the unit in seconds */
    double least; /* where the unit's first bucket begins, in that unit */
    struct fr_bin bins[40];
    size_t n;
    double sum;
    bool exact; /* all shares say which whole number they were */
};

/* Where the bucket below `bound` begins; -1: fio has no such bucket. */
static double bucket_begins(const struct shares *s, double bound)
{
    static const double bounds[] = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (fabs(bounds[i] - bound) < 1e-9)
            return fr_to_base(i ? bounds[i - 1] : s->least, s->scale);
    return -1;
}

static void read_share(void *ctx, const char *key, const struct fr_fj_node *node, uint32_t line)
{
    struct shares *s = ctx;
    double bound, share;
    (void)line;
    if (!key || !fr_fj_number(node, &share, NULL))
        return;
    bool beyond = strncmp(key, ">=", 2) == 0;
    if (!fr_str_double(fr_str(key + (beyond ? 2 : 0)), &bound) || s->n == sizeof s->bins / sizeof *s->bins) {
        s->exact = false;
        return;
    }
    double lower = beyond ? fr_to_base(bound, s->scale) : bucket_begins(s, bound),
           count = round(share * s->total / 100);
    if (lower < 0)
        s->exact = false;
    if (share <= 0)
        return;
    if (share < 0.0100005 && s->total * 1e-4 >= 2)
        s->exact = false; /* any number up to a ten-thousandth */
    else if (share < 0.0100005)
        count = 1;
    else if (fabs(count - share * s->total / 100) > s->total * 6e-9 + 1e-9)
        s->exact = false;
    s->sum += count;
    s->bins[s->n++] = (struct fr_bin){lower, beyond ? INFINITY : fr_to_base(bound, s->scale), (uint64_t)count};
}

/* Kept only where the shares give whole numbers that add up: nothing is guessed. */
static void read_shares(const struct fr_fj_context *c, struct fr_test *test, const struct fr_fj_node *job)
{
    struct shares s = {.c = c, .exact = true};
    uint32_t line = 0, at;
    bool any = false;
    static const struct {
        const char *key;
        double scale;
    } units[] = {{"latency_ns", 1e-9}, {"latency_us", 1e-6}, {"latency_ms", 1e-3}};
    for (int op = FR_OP_READ; op <= FR_OP_MIXED; op++) {
        const struct fr_value *ios = fr_value_get(test, (enum fr_op)op, FR_M_IOS, "total");
        if (ios && (op != FR_OP_MIXED || s.total <= 0))
            s.total += ios->value;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const struct fr_fj_node *node = fr_fj_get(c->tree, job, units[i].key, &at);
        if (!node)
            continue;
        s.scale = units[i].scale;
        s.least = any ? 1 : 0; /* 1000 of the unit below */
        line = any ? line : at;
        any = true;
        fr_fj_each(c->tree, node, read_share, &s);
    }
    if (!s.exact || !s.n || s.total > 8e7 || fabs(s.sum - s.total) > 0.5)
        return;
    struct fr_hist *hist = fr_hist_new(c->batch, test, FR_OP_NONE, FR_M_CLAT, s.n, line);
    qsort(s.bins, s.n, sizeof *s.bins, by_lower);
    memcpy(hist->bins, s.bins, s.n * sizeof *s.bins);
}

/* ---- latencies --------------------------------------------------------------------------------------------------- */

/* Of which latencies: those of a direction, or the part of them that had one command priority. */
struct latencies {
    const struct side *side;
    const struct fr_fj_node *object;
    enum fr_metric_id metric;
    const char *priority; /* NULL: all of them */
    double unit;          /* of its values, in seconds */
};

static void add_figure(const struct latencies *l, const char *stat, double value, uint32_t line)
{
    add(l->side, l->metric, fr_stat_of(l->side->c->batch, l->priority, stat), fr_to_base(value, l->unit), line);
}

static void read_percentile(void *ctx, const char *key, const struct fr_fj_node *node, uint32_t line)
{
    const struct latencies *l = ctx;
    double percent, value;
    /* 2.x fills the list up with `"0.00" : 0`. */
    if (!key || !fr_str_double(fr_str(key), &percent) || percent <= 0 || percent > 100 ||
        !fr_fj_number(node, &value, NULL))
        return;
    add_figure(l, fr_stat_percentile(l->side->c->batch, percent), value, line);
}

/* Figures and percentiles; their number goes to `count`. False where it has no samples: then nothing is added. */
static bool read_figures(struct latencies *l, enum fr_metric_id count, const char *count_stat)
{
    const struct fr_fj_context *c = l->side->c;
    uint32_t at_min = 0, at_max = 0, at_mean = 0, at_dev = 0, at_n = 0;
    double min = number(c, l->object, "min", &at_min), max = number(c, l->object, "max", &at_max);
    double mean = number(c, l->object, "mean", &at_mean), dev = number(c, l->object, "stddev", &at_dev);
    double n = number(c, l->object, "N", &at_n);
    if (isnan(n) ? !(max > 0 || mean > 0) : n <= 0)
        return false;
    if (min < 18446744073709551615.0) /* ULONG_MAX: no sample came by */
        add_figure(l, "min", min, at_min);
    add_figure(l, "max", max, at_max);
    add_figure(l, "mean", mean, at_mean);
    add_figure(l, "stdev", dev, at_dev);
    add(l->side, count, count_stat, n, at_n);
    const struct fr_fj_node *list = fr_fj_get(c->tree, l->object, "percentile", NULL);
    if (fr_fj_is_object(list))
        fr_fj_each(c->tree, list, read_percentile, l);
    return true;
}

static void read_latency(const struct side *s, enum fr_metric_id metric, const struct fr_fj_node *object, double unit)
{
    struct latencies l = {.side = s, .object = object, .metric = metric, .unit = unit};
    uint32_t line = 0;
    if (!read_figures(&l, metric, "n"))
        return;
    const struct fr_fj_node *bins = fr_fj_get(s->c->tree, object, "bins", &line);
    if (bins)
        read_bins(s, metric, bins, round(1 / unit), line);
}

/* Their bins are part of those of the direction. */
static void read_priority(const struct side *s, enum fr_metric_id metric, const char *priority,
                          const struct fr_fj_node *object)
{
    struct latencies l = {.side = s, .object = object, .metric = metric, .priority = priority, .unit = 1e-9};
    if (object)
        read_figures(&l, FR_M_IOS_PRIO, priority);
}

/* An element of `prios` (3.30 on), called as the text of the same version calls it: class/level, 3.36 on /hint. */
static void read_prio(void *ctx, const char *key, const struct fr_fj_node *node, uint32_t line)
{
    const struct side *s = ctx;
    double class = number(s->c, node, "prioclass", NULL), level = number(s->c, node, "prio", NULL);
    double hint = number(s->c, node, "priohint", NULL);
    (void)key;
    (void)line;
    if (isnan(class) || isnan(level))
        return;
    const char *name = isnan(hint) ? fr_arena_printf(&s->c->batch->arena, "%.0f/%.0f", class, level)
                                   : fr_arena_printf(&s->c->batch->arena, "%.0f/%.0f/%.0f", class, level, hint);
    read_priority(s, FR_M_CLAT_PRIO, name, fr_fj_get(s->c->tree, node, "clat_ns", NULL));
    read_priority(s, FR_M_LAT_PRIO, name, fr_fj_get(s->c->tree, node, "lat_ns", NULL));
}

static void read_priorities(struct side *s)
{
    static const struct {
        const char *key, *priority;
        enum fr_metric_id metric;
    } old[] = {{"clat_high_prio", "high", FR_M_CLAT_PRIO}, /* 3.18 to 3.29 */
               {"clat_low_prio", "low", FR_M_CLAT_PRIO},
               {"lat_high_prio", "high", FR_M_LAT_PRIO},
               {"lat_low_prio", "low", FR_M_LAT_PRIO}};
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        read_priority(s, old[i].metric, old[i].priority, fr_fj_get(s->c->tree, s->node, old[i].key, NULL));
    const struct fr_fj_node *list = fr_fj_get(s->c->tree, s->node, "prios", NULL);
    if (list)
        fr_fj_each(s->c->tree, list, read_prio, s);
}

static void read_latencies(const struct side *s)
{
    static const struct {
        enum fr_metric_id metric;
        const char *ns, *us;
    } kinds[] = {{FR_M_SLAT, "slat_ns", "slat"}, {FR_M_CLAT, "clat_ns", "clat"}, {FR_M_LAT, "lat_ns", "lat"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct fr_fj_node *object = fr_fj_get(s->c->tree, s->node, kinds[i].ns, NULL);
        if (object)
            read_latency(s, kinds[i].metric, object, 1e-9);
        else if ((object = fr_fj_get(s->c->tree, s->node, kinds[i].us, NULL)) != NULL)
            read_latency(s, kinds[i].metric, object, 1e-6);
    }
}

/* ---- a direction ------------------------------------------------------------------------------------------------- */

static void read_samples(const struct side *s, enum fr_metric_id metric, double unit, const char *const keys[5])
{
    static const char *const stats[] = {"min", "max", "mean", "stdev", "n"};
    double value[5];
    uint32_t line[5] = {0};
    for (int i = 0; i < 5; i++)
        value[i] = number(s->c, s->node, keys[i], &line[i]);
    if (isnan(value[4]) ? !(value[1] > 0 || value[2] > 0) : value[4] <= 0)
        return;
    for (int i = 0; i < 5; i++)
        if (i != 0 || value[i] < 18446744073709551615.0)
            add(s, metric, stats[i], i == 4 ? value[i] : fr_to_base(value[i], unit), line[i]);
}

/* Where no time was spent fio prints rates of 0, which are none. */
static void read_rates(const struct side *s)
{
    uint32_t at_iops = 0, at_bw = 0;
    bool whole = false;
    double iops, bw = number(s->c, s->node, "bw_bytes", &at_bw);
    if (fr_fj_number(fr_fj_get(s->c->tree, s->node, "iops", &at_iops), &iops, &whole)) {
        double exact = s->ios / s->runtime;
        if (whole && exact >= iops && exact < iops + 1)
            iops = exact;
        if (iops > 0 || s->runtime != 0)
            add(s, FR_M_IOPS, "mean", iops, at_iops);
    }
    if (isnan(bw)) {
        bw = number(s->c, s->node, "bw", &at_bw) * 1024;
        double exact = s->io_bytes / s->runtime;
        if (exact >= bw && exact < bw + 1024)
            bw = exact;
    }
    if (bw > 0 || s->runtime != 0)
        add(s, FR_M_BW, "mean", bw, at_bw);
}

/*
 * Is io_bytes in bytes? The keys beside it tell; where a document was cut down to a few, its rate and run time do (`bw`
 * is in KiB/s always), else the version.
 */
static bool counts_bytes(const struct fr_fj_context *c, const struct fr_fj_node *node, double bytes)
{
    static const char *const keys[] = {"io_kbytes", "bw_bytes", "clat_ns", "lat_ns"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (fr_fj_get(c->tree, node, keys[i], NULL))
            return true;
    double kib = number(c, node, "bw", NULL) * number(c, node, "runtime", NULL) / 1000;
    if (kib > 0 && bytes > 0)
        return bytes > 32 * kib; /* half way between one and 1024 */
    uint64_t major, minor;
    return fr_fio_version(c->version, &major, &minor) && (major > 2 || (major == 2 && minor >= 21));
}

/* io_bytes in bytes, whatever the version; NaN when it is not there. */
static double bytes_of(const struct fr_fj_context *c, const struct fr_fj_node *node, uint32_t *line)
{
    double bytes = number(c, node, "io_bytes", line);
    if (isnan(bytes) && fr_fj_get(c->tree, node, "io_kbytes", NULL))
        return number(c, node, "io_kbytes", line) * 1024;
    return counts_bytes(c, node, bytes) ? bytes : bytes * 1024;
}

/* Any figure will do: where a document was cut down to a few, the counts are not among them. */
static bool is_idle(const struct side *s)
{
    static const char *const rates[] = {"bw", "bw_bytes", "iops"};
    static const char *const latencies[] = {"clat_ns", "clat", "lat_ns", "lat"};
    if (s->ios > 0 || s->io_bytes > 0)
        return false;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (number(s->c, s->node, rates[i], NULL) > 0)
            return false;
    for (size_t i = 0; i < sizeof latencies / sizeof *latencies; i++) {
        const struct fr_fj_node *object = fr_fj_get(s->c->tree, s->node, latencies[i], NULL);
        if (number(s->c, object, "max", NULL) > 0 || number(s->c, object, "mean", NULL) > 0)
            return false;
    }
    return true;
}

/* Did the job ask for this direction? */
static bool was_asked_for(const struct side *s)
{
    const char *rw = fr_param_get(s->c->run, s->test, "rw");
    return rw && fr_fio_rw_ops(fr_str(rw)) & 1U << s->op;
}

static void read_side(const struct fr_fj_context *c, struct fr_test *test, const struct fr_fj_node *node, enum fr_op op)
{
    static const char *const bw_keys[] = {"bw_min", "bw_max", "bw_mean", "bw_dev", "bw_samples"};
    static const char *const iops_keys[] = {"iops_min", "iops_max", "iops_mean", "iops_stddev", "iops_samples"};
    uint32_t at_ios = 0, at_bytes = 0, at_runtime = 0;
    struct side s = {.c = c, .test = test, .node = node, .op = op};
    s.ios = number(c, node, "total_ios", &at_ios);
    s.io_bytes = bytes_of(c, node, &at_bytes);
    s.runtime = number(c, node, "runtime", &at_runtime) / 1000;
    if (is_idle(&s)) {
        if (was_asked_for(&s) && !isnan(s.ios))
            add(&s, FR_M_IOS, "total", 0, at_ios);
        return;
    }
    read_rates(&s);
    read_samples(&s, FR_M_IOPS_SAMPLE, 1, iops_keys);
    read_samples(&s, FR_M_BW_SAMPLE, 1024, bw_keys);
    read_latencies(&s);
    read_priorities(&s);
    add(&s, FR_M_IO_BYTES, "total", s.io_bytes, at_bytes);
    add(&s, FR_M_IOS, "total", s.ios, at_ios);
    add_member(&s, FR_M_SHORT_IOS, "total", "short_ios", 1);
    add_member(&s, FR_M_DROP_IOS, "total", "drop_ios", 1);
    add_member(&s, FR_M_CACHEHIT, "value", "cachehit", 0.01);
    add(&s, FR_M_RUNTIME, "total", s.runtime, at_runtime);
}

/* fsync and its kin: latencies and a count, no bandwidth. With fdatasync fio leaves the count at 0. */
static void read_sync(const struct fr_fj_context *c, struct fr_test *test, const struct fr_fj_node *node)
{
    uint32_t at = 0;
    struct side s = {.c = c, .test = test, .node = node, .op = FR_OP_SYNC};
    double ios = number(c, node, "total_ios", &at);
    read_latencies(&s);
    if (ios > 0)
        add(&s, FR_M_IOS, "total", ios, at);
}

/* ---- a job ------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *key;
    enum fr_op op;
} sides[] = {{"read", FR_OP_READ}, {"write", FR_OP_WRITE}, {"trim", FR_OP_TRIM}, {"mixed", FR_OP_MIXED}};

bool fr_fj_is_job(const struct fr_fj_tree *tree, const struct fr_fj_node *job)
{
    if (fr_fj_get(tree, job, "jobname", NULL))
        return true;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const struct fr_fj_node *side = fr_fj_get(tree, job, sides[i].key, NULL);
        if (fr_fj_get(tree, side, "io_bytes", NULL) || fr_fj_get(tree, side, "iops", NULL))
            return true;
    }
    return false;
}

bool fr_fj_is_sum(const struct fr_fj_tree *tree, const struct fr_fj_node *job)
{
    struct fr_str name;
    return fr_fj_string(fr_fj_get(tree, job, "jobname", NULL), &name) && fr_str_is(name, "All clients");
}

bool fr_fj_is_surplus(const struct fr_fj_tree *tree, const struct fr_fj_node *job)
{
    struct fr_str name;
    double group, bytes;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const struct fr_fj_node *side = fr_fj_get(tree, job, sides[i].key, NULL);
        if (side && fr_fj_number(fr_fj_get(tree, side, "io_bytes", NULL), &bytes, NULL) && bytes > 0)
            return false;
    }
    return !fr_fj_string(fr_fj_get(tree, job, "jobname", NULL), &name) &&
           fr_fj_number(fr_fj_get(tree, job, "groupid", NULL), &group, NULL) && (group < 0 || group >= UINT32_MAX);
}

static void read_whole_job(const struct fr_fj_context *c, struct fr_test *test, const struct fr_fj_node *job)
{
    static const struct {
        const char *key;
        enum fr_metric_id metric;
        double unit;
    } figures[] = {{"usr_cpu", FR_M_CPU_USR, 0.01},
                   {"sys_cpu", FR_M_CPU_SYS, 0.01},
                   {"ctx", FR_M_CTX, 1},
                   {"majf", FR_M_MAJF, 1},
                   {"minf", FR_M_MINF, 1}};
    struct side s = {.c = c, .test = test, .node = job, .op = FR_OP_NONE};
    uint32_t at = 0;
    double error = number(c, job, "error", &at);
    add(&s, FR_M_ERROR, "value", error, at);
    if (error != 0 && fabs(error) < 1e6)
        test->error = fr_arena_strdup(&c->batch->arena, strerror((int)fabs(error)));
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        add_member(&s, figures[i].metric, "value", figures[i].key, figures[i].unit);
}

/* What tells runs apart (identity.h), and client mode's host. */
static void read_identity(const struct fr_fj_context *c, struct fr_test *test, const struct fr_fj_node *job)
{
    uint32_t at = 0;
    struct fr_str text;
    double start = number(c, job, "job_start", NULL), elapsed = number(c, job, "elapsed", NULL);
    double group = number(c, job, "groupid", NULL);
    if (start > 1e12 && start < 1e14) /* milliseconds of the real-time clock; fio can be told to use another one */
        test->start = start / 1000;
    if (elapsed > 0)
        test->elapsed = elapsed;
    if (group >= 0 && group < 1e9)
        test->group = (int64_t)group;
    if (fr_fj_string(fr_fj_get(c->tree, job, "desc", &at), &text))
        fr_param_set(c->batch, c->run, test, "description", text, FR_FROM_FORMAT, at);
    if (fr_fj_string(fr_fj_get(c->tree, job, "hostname", &at), &text))
        fr_param_set(c->batch, c->run, test, "hostname", text, FR_FROM_FORMAT, at);
    double port = number(c, job, "port", &at);
    if (port > 0 && port < 65536) {
        char digits[16];
        snprintf(digits, sizeof digits, "%.0f", port);
        fr_param_set(c->batch, c->run, test, "port", fr_str(digits), FR_FROM_FORMAT, at);
    }
}

void fr_fj_job(const struct fr_fj_context *c, const struct fr_fj_node *job, uint32_t line)
{
    struct fr_str name = fr_str("");
    fr_fj_string(fr_fj_get(c->tree, job, "jobname", NULL), &name);
    struct fr_test *test = fr_test_new(c->batch, c->run, name, line);
    read_identity(c, test, job);
    fr_fj_options(c, test, fr_fj_get(c->tree, job, "job options", NULL));
    read_whole_job(c, test, job);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const struct fr_fj_node *side = fr_fj_get(c->tree, job, sides[i].key, NULL);
        if (side)
            read_side(c, test, side, sides[i].op);
    }
    read_sync(c, test, fr_fj_get(c->tree, job, "sync", NULL));
    read_shares(c, test, job);
    fr_fj_state(c, test, job);
}
