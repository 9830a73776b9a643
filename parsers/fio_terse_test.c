/* fio_terse_test.c: a terse line as a test with its values. See fio_terse.h. */
#include "fio_options.h"
#include "fio_terse.h"

#include <math.h>

#include "banned.h"

enum { DISK_FIELDS = 9 };

struct at {
    struct fr_batch *batch;
    struct fr_test *test;
    const struct terse_line *line;
    enum fr_op op;
    uint32_t no;
};

static void add(const struct at *at, enum fr_metric_id metric, const char *stat, double value)
{
    fr_value_add(at->batch, at->test, at->op, metric, stat, value, at->no);
}

/* min max mean stdev; all zero: there were no samples. */
static bool add_stats(const struct at *at, enum fr_metric_id metric, size_t field, bool with_share, double divisor)
{
    static const char *const stats[] = {"min", "max", "mean", "stdev"};
    double x[4], sum = 0;
    if (!field)
        return false;
    for (size_t i = 0; i < 4; i++) {
        x[i] = terse_number(at->line, field + i + (with_share && i >= 2));
        sum += fabs(x[i]);
    }
    if (!(sum > 0))
        return false;
    for (size_t i = 0; i < 4; i++)
        add(at, metric, stats[i], x[i] / divisor);
    return true;
}

static bool split_percentile(struct fr_str f, double *percentile, double *usec)
{
    size_t percent = fr_str_chr(f, '%');
    return fr_str_double(fr_str_range(f, 0, percent), percentile) && fr_str_double(fr_str_from(f, percent + 2), usec);
}

/*
 * Percentiles are of clat, or of lat where the job asked for lat_percentiles; the line does not say which. They are of
 * lat when clat has no samples, or when one of them lies above clat's maximum by more than a bucket.
 */
static void add_percentiles(const struct at *at, const struct terse_block *b, bool has_clat, bool has_lat)
{
    double p, usec, top = 0;
    for (size_t i = 0; i < b->n; i++)
        if (split_percentile(at->line->f[b->percentiles + i], &p, &usec) && usec > top)
            top = usec;
    if (top <= 0 && !has_clat)
        return;
    double max = has_clat ? terse_number(at->line, b->clat + 1) : 0;
    bool of_lat = has_lat && (!has_clat || top > max + max / 64 + 1);
    if (!has_clat && !has_lat)
        return;
    for (size_t i = 0; i < b->n; i++)
        if (split_percentile(at->line->f[b->percentiles + i], &p, &usec) && p > 0 && p <= 100)
            add(at, of_lat ? FR_M_LAT : FR_M_CLAT, fr_stat_percentile(at->batch, p), usec / 1e6);
}

static void add_block(const struct at *at, const struct terse_block *b)
{
    const struct terse_line *l = at->line;
    double iops = terse_number(l, b->iops), io = terse_number(l, b->io);
    /* Printed in whole units, rounded down: 0 says less than one where there was I/O. */
    if (iops > 0)
        add(at, FR_M_IOPS, "mean", iops);
    add(at, FR_M_BW, "mean", terse_bandwidth(l, b));
    if (io > 0)
        add(at, FR_M_IO_BYTES, "total", io * 1024);
    add(at, FR_M_RUNTIME, "total", terse_number(l, b->runtime) / 1000);
    add_stats(at, FR_M_SLAT, b->slat, false, 1e6);
    bool has_clat = add_stats(at, FR_M_CLAT, b->clat, false, 1e6);
    bool has_lat = add_stats(at, FR_M_LAT, b->lat, false, 1e6);
    add_percentiles(at, b, has_clat, has_lat);
    if (add_stats(at, FR_M_BW_SAMPLE, b->bw_samples, true, 1.0 / 1024))
        add(at, FR_M_BW_SAMPLE, "n", terse_number(l, b->bw_n));
    if (add_stats(at, FR_M_IOPS_SAMPLE, b->iops_samples, false, 1))
        add(at, FR_M_IOPS_SAMPLE, "n", terse_number(l, b->iops_samples + 4));
}

static struct fr_str joined(const struct terse_line *l, size_t from, size_t to)
{
    const char *start = l->f[from].s, *end = l->f[to - 1].s + l->f[to - 1].n;
    return fr_strn(start, (size_t)(end - start));
}

/* A share of 0 is a depth that no I/O had. */
static void add_depths(const struct at *at)
{
    static const char *const depths[] = {"1", "2", "4", "8", "16", "32", ">=64"};
    for (size_t i = 0; at->line->depths && i < sizeof depths / sizeof *depths; i++) {
        double share = terse_number(at->line, at->line->depths + i);
        if (share > 0)
            add(at, FR_M_IODEPTH_LEVEL, depths[i], share / 100);
    }
}

/* With continue_on_error. */
static void add_errors(const struct at *at, struct fr_run *run)
{
    double total = terse_number(at->line, at->line->errors);
    add(at, FR_M_TOTAL_ERR, "total", total);
    if (!(total > 0))
        return;
    struct fr_str first = at->line->f[at->line->errors + 1];
    fr_param_set(at->batch, run, at->test, "first_error", first, FR_FROM_FORMAT, at->no);
    if (!at->test->error)
        at->test->error = fr_arena_printf(&at->batch->arena, "error %.*s", FR_STR(first));
}

/* `/dev/sda;randread;4k;...`: what is plain of the columns that a script put before fio's, the rest as it stands. */
static void add_columns(const struct at *at, struct fr_run *run)
{
    char size[24];
    double bytes;
    size_t first = at->line->columns;
    for (size_t i = 0; i < at->line->columns; i++) {
        struct fr_str s = fr_str_trim(at->line->f[i]);
        bool sized = s.n && fr_is_alpha(s.s[s.n - 1]) && fr_fio_size(s, false, &bytes);
        const char *key = fr_str_starts(s, "/dev/") ? "device" : fr_fio_rw_ops(s) ? "rw" : sized ? "bs" : NULL;
        if (key)
            fr_param_set(at->batch, run, at->test, key, sized ? fr_str(fr_size_format(bytes, size)) : s, FR_FROM_FORMAT,
                         at->no);
        else if (s.n && first == at->line->columns)
            first = i;
    }
    if (first < at->line->columns)
        fr_param_set(at->batch, run, at->test, "columns", joined(at->line, first, at->line->columns), FR_FROM_FORMAT,
                     at->no);
}

struct fr_test *terse_test(struct fr_batch *batch, struct fr_run *run, const struct terse_line *line, uint32_t no)
{
    struct fr_test *test = fr_test_new(batch, run, joined(line, line->name, line->name_end), no);
    struct at at = {batch, test, line, FR_OP_NONE, no};
    double error = terse_number(line, line->error);
    test->group = (int64_t)terse_number(line, line->group);
    add(&at, FR_M_ERROR, "value", error);
    if (error > 0 || error < 0)
        test->error = fr_arena_printf(&batch->arena, "error %.0f", error);
    for (size_t i = 0; i < line->blocks; i++) {
        at.op = terse_op(line, i);
        if (terse_active(line, &line->block[i]))
            add_block(&at, &line->block[i]);
    }
    at.op = FR_OP_NONE;
    if (line->cpu) {
        add(&at, FR_M_CPU_USR, "value", terse_number(line, line->cpu) / 100);
        add(&at, FR_M_CPU_SYS, "value", terse_number(line, line->cpu + 1) / 100);
        add(&at, FR_M_CTX, "value", terse_number(line, line->cpu + 2));
    }
    if (line->faults) {
        add(&at, FR_M_MAJF, "value", terse_number(line, line->cpu + 3));
        add(&at, FR_M_MINF, "value", terse_number(line, line->cpu + 4));
    }
    add_depths(&at);
    if (line->errors)
        add_errors(&at, run);
    if (line->description)
        fr_param_set(batch, run, test, "description", joined(line, line->description, line->n), FR_FROM_FORMAT, no);
    add_columns(&at, run);
    if (line->host.n)
        fr_param_set(batch, run, test, "hostname", line->host, FR_FROM_FORMAT, no);
    return test;
}

void terse_disks(struct fr_batch *batch, struct fr_run *run, const struct terse_line *line, uint32_t no)
{
    static const char *const keys[] = {"read_ios",   "write_ios",   "read_merges", "write_merges",
                                       "read_ticks", "write_ticks", "in_queue",    "util"};
    static const char *const sums[] = {"aggr_read_ios",   "aggr_write_ios",   "aggr_read_merges", "aggr_write_merge",
                                       "aggr_read_ticks", "aggr_write_ticks", "aggr_in_queue",    "aggr_util"};
    struct fr_str disk = fr_strn("", 0);
    for (size_t i = line->disks; i < line->disks_end; i += DISK_FIELDS) {
        /* `slaves` is no disk: the sum over what the one before it is made of. */
        bool slaves = disk.n && fr_str_is(line->f[i], "slaves");
        disk = slaves ? disk : line->f[i];
        for (size_t k = 0; k + 1 < DISK_FIELDS; k++)
            fr_disk_add(batch, run, disk, slaves ? sums[k] : keys[k],
                        terse_number(line, i + 1 + k) / (k + 2 == DISK_FIELDS ? 100 : 1), no);
    }
}
