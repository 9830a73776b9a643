/*
 * fio_log_hist.c: clat_hist logs (write_hist_log): time, direction, block size, and a count for each bucket.
 *
 * A line holds the I/Os of one interval (log_hist_msec), so lines add up; what came after the last interval is not in
 * the file. 1216 buckets of microseconds until 2.21, 1856 of nanoseconds since 2.99. log_hist_coarseness joins 2, 4, 8
 * ... buckets into one column: such bins are kept, but no percentiles are taken from them, they would be off by more
 * than fio's own 0.78 %.
 */
#include "fio_log.h"
#include "hist.h"

#include "banned.h"

enum { COARSENESS_MAX = 6, HEAD = 3 };

struct hist {
    struct fr_batch *batch;
    struct fr_log *log;
    unsigned buckets, stride; /* columns of counts; buckets of fio's that one holds */
    double per_second;
    uint64_t count[LOG_OPS][FR_HIST_BINS];
    uint32_t first[LOG_OPS]; /* line */
    uint64_t until[LOG_OPS]; /* milliseconds: time of the last line */
    unsigned long bad;
};

/* Is this number of columns one that fio writes? */
static bool set_buckets(struct hist *h, size_t columns)
{
    for (unsigned c = 0; c <= COARSENESS_MAX; c++)
        for (int old = 0; old < 2; old++) {
            unsigned all = old ? FR_HIST_BINS_OLD : FR_HIST_BINS;
            if (all % (1u << c) == 0 && columns == (all >> c) + HEAD) {
                h->buckets = all >> c;
                h->stride = 1u << c;
                h->per_second = old ? 1e6 : 1e9;
                return true;
            }
        }
    return false;
}

/* Numbers of a line: counted, and stored as far as there is room. 0 when anything else stands in it. */
static size_t numbers(const char *p, const char *end, uint64_t *out, size_t max)
{
    size_t n = 0;
    while (p < end) {
        struct fr_str rest = fr_strn(p, (size_t)(end - p));
        uint64_t x;
        fr_take_blanks(&rest);
        if (!fr_take_u64(&rest, &x, NULL))
            return 0;
        if (n < max)
            out[n] = x;
        n++;
        fr_take_blanks(&rest);
        bool comma = fr_take_ch(&rest, ',');
        rest = comma ? fr_str_ltrim(rest) : fr_str_trim(rest);
        if (!comma && rest.n)
            return 0;
        p = rest.s + (comma ? 0 : rest.n);
        if (!comma || !rest.n)
            break;
    }
    return n;
}

bool log_is_hist(const char *bytes, size_t n)
{
    uint64_t head[HEAD];
    struct hist h;
    const char *end = memchr(bytes, '\n', n);
    size_t columns = numbers(bytes, end ? end : bytes + n, head, HEAD);
    return end && columns > HEAD && head[1] < LOG_OPS && set_buckets(&h, columns);
}

static void one_line(struct hist *h, const char *p, const char *end, uint32_t line)
{
    uint64_t v[FR_HIST_BINS + HEAD + 1];
    size_t n = numbers(p, end, v, sizeof v / sizeof *v);
    if (h->buckets == 0 && n)
        set_buckets(h, n);
    if (h->buckets == 0 || n != h->buckets + HEAD || v[1] >= LOG_OPS) {
        if (h->bad++ < 5)
            fr_log_error(h->log, h->batch->source, line,
                         "is no line of a clat_hist log (%zu numbers), left out of the histogram", n);
        return;
    }
    if (!h->first[v[1]])
        h->first[v[1]] = line;
    h->until[v[1]] = v[0] > h->until[v[1]] ? v[0] : h->until[v[1]];
    for (unsigned i = 0; i < h->buckets; i++)
        h->count[v[1]][i] += v[HEAD + i];
}

static void lines(void *ctx, const char *p, const char *end, uint32_t *line)
{
    while (p < end) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        const char *s = p;
        while (s < stop && fr_is_space(*s))
            s++;
        if (s < stop)
            one_line(ctx, p, stop, *line);
        p = stop + 1;
        ++*line;
    }
}

static void add_percentiles(struct hist *h, struct fr_test *test, const struct fr_hist *hist, enum fr_op op)
{
    struct fr_bins sum = FR_BINS_INIT;
    fr_bins_add(&sum, hist->bins, hist->n);
    for (size_t i = 0; i < FR_HIST_DEFAULTS; i++) {
        double value;
        if (fr_bins_percentile(&sum, fr_hist_defaults[i], &value))
            fr_value_add(h->batch, test, op, FR_M_CLAT, fr_stat_percentile(h->batch, fr_hist_defaults[i]), value,
                         hist->line);
    }
    fr_value_add(h->batch, test, op, FR_M_CLAT, "n", (double)sum.total, hist->line);
    fr_bins_release(&sum);
}

/* No count is more than a billion I/Os a second: fio 3.7 can begin with memory that it never set. */
static bool is_possible(const struct hist *h, unsigned ddir)
{
    const uint64_t per_ms = 1000000, late = 1000; /* a line may come that late */
    uint64_t ms = h->until[ddir] + late;
    for (unsigned i = 0; i < h->buckets; i++)
        if (h->count[ddir][i] / per_ms > ms)
            return false;
    return true;
}

/* -1 after a message. */
static int add_hist(struct hist *h, struct fr_test *test, unsigned ddir)
{
    static const enum fr_op ops[LOG_OPS] = {FR_OP_READ, FR_OP_WRITE, FR_OP_TRIM, FR_OP_SYNC};
    size_t used = 0, at = 0;
    for (unsigned i = 0; i < h->buckets; i++)
        used += h->count[ddir][i] > 0;
    if (!used)
        return 0;
    if (!is_possible(h, ddir))
        return fr_log_error(h->log, h->batch->source, h->first[ddir],
                            "counts more I/Os than there can have been in that time, the histogram of %s is left out",
                            fr_op_name(ops[ddir]));
    struct fr_hist *hist = fr_hist_new(h->batch, test, ops[ddir], FR_M_CLAT, used, h->first[ddir]);
    hist->exact = h->stride == 1;
    for (unsigned i = 0; i < h->buckets; i++) {
        if (!h->count[ddir][i])
            continue;
        struct fr_bin bin = fr_hist_bin(i * h->stride, h->per_second, h->count[ddir][i]);
        bin.upper = fr_hist_bin((i + 1) * h->stride - 1, h->per_second, 0).upper;
        hist->bins[at++] = bin;
    }
    if (hist->exact)
        add_percentiles(h, test, hist, ops[ddir]);
    return 0;
}

int log_hist_read(struct fr_input *in, struct fr_batch *batch, struct fr_test *test, struct fr_log *log)
{
    struct hist *h = calloc(1, sizeof *h);
    if (!h)
        return fr_log_error(log, batch->source, 0, "out of memory, skipped");
    h->batch = batch;
    h->log = log;
    struct log_reader reader = {h, lines};
    bool open_end = false;
    int status = log_read_lines(in, &reader, &open_end, log);
    for (unsigned ddir = 0; ddir < LOG_OPS; ddir++)
        if (add_hist(h, test, ddir) != 0)
            status = -1;
    if (h->stride > 1)
        fr_log_note(log, batch->source, 1, "log_hist_coarseness joined %u buckets into one, no percentiles are taken",
                    h->stride);
    if (h->bad) {
        if (h->bad > 5)
            fr_log_error(log, batch->source, 0, "%lu lines in all are no lines of a clat_hist log", h->bad);
        status = -1;
    }
    free(h);
    return status;
}
