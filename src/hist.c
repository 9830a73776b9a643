/* hist.c: see hist.h. */
#include "hist.h"

#include <math.h>

#include "banned.h"

const double fr_hist_defaults[FR_HIST_DEFAULTS] = {1,  5,  10, 20, 30,   40,   50,    60,   70,
                                                   80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};

/* ---- fio's buckets ----------------------------------------------------------------------------------------------- */

static unsigned top_bit(uint64_t value)
{
    return value ? 63u - (unsigned)__builtin_clzll(value) : 0;
}

unsigned fr_hist_index(uint64_t value, unsigned bins)
{
    unsigned top = top_bit(value);
    if (top <= FR_HIST_BITS)
        return value < bins ? (unsigned)value : bins - 1;
    unsigned shift = top - FR_HIST_BITS;
    unsigned index = (shift + 1) * FR_HIST_SUB + (unsigned)(value >> shift & (FR_HIST_SUB - 1));
    return index < bins ? index : bins - 1;
}

void fr_hist_bounds(unsigned index, uint64_t *lower, uint64_t *upper)
{
    unsigned shift = index < 2 * FR_HIST_SUB ? 0 : index / FR_HIST_SUB - 1;
    uint64_t sub = index < 2 * FR_HIST_SUB ? index : FR_HIST_SUB + index % FR_HIST_SUB;
    *lower = sub << shift;
    *upper = (sub + 1) << shift;
}

uint64_t fr_hist_value(unsigned index)
{
    uint64_t lower, upper;
    fr_hist_bounds(index, &lower, &upper);
    return lower + (upper - lower) / 2;
}

struct fr_bin fr_hist_bin(unsigned index, double per_second, uint64_t count)
{
    uint64_t lower, upper;
    fr_hist_bounds(index, &lower, &upper);
    return (struct fr_bin){(double)lower / per_second, (double)upper / per_second, count};
}

double fr_bin_value(const struct fr_bin *bin)
{
    /* One unit wide (nanosecond or microsecond; wider ones are powers of two of these): the value itself. */
    double ns = nearbyint((bin->upper - bin->lower) * 1e9);
    if (ns <= 1 || fabs(ns - 1000) < 0.5)
        return bin->lower;
    /* Whole units have an exact middle: the same double as the printed number has. */
    bool micro = fmod(ns, 1000) < 0.5;
    double per_second = micro ? 1e6 : 1e9;
    return nearbyint((bin->lower + bin->upper) / 2 * per_second) / per_second;
}

/* ---- packed ------------------------------------------------------------------------------------------------------ */

bool fr_packer_add(struct fr_packer *packer, unsigned index, uint64_t count)
{
    enum { DIGITS = 20 };
    char digits[2 * DIGITS], *p = packer->text + packer->len; /* and what is copied from behind them */
    size_t at = DIGITS;
    if (!count)
        return true;
    if (index >= FR_HIST_BINS || index < packer->next)
        return false;
    if (!packer->len)
        packer->first = packer->next = index;
    for (; packer->next < index; packer->next++) {
        *p++ = ',';
        *p++ = '0';
    }
    *p = packer->len ? ',' : '[';
    p++;
    for (count = count > INT64_MAX ? INT64_MAX : count; count > UINT32_MAX; count /= 10)
        digits[--at] = (char)('0' + count % 10);
    for (uint32_t rest = (uint32_t)count; rest; rest /= 10) /* nearly all there is, and cheaper to divide */
        digits[--at] = (char)('0' + rest % 10);
    memcpy(p, digits + at, DIGITS); /* of a length that is known here */
    packer->len = (size_t)(p - packer->text) + (DIGITS - at);
    packer->next = index + 1;
    packer->n++;
    return true;
}

const char *fr_packer_end(struct fr_packer *packer)
{
    if (packer->len)
        packer->text[packer->len++] = ']';
    packer->text[packer->len] = 0;
    return packer->text;
}

struct fr_hist *fr_hist_new_packed(struct fr_batch *batch, struct fr_test *test, enum fr_op op,
                                   enum fr_metric_id metric, struct fr_packer *packer, double per_second, uint32_t line)
{
    struct fr_hist *h = fr_hist_new(batch, test, op, metric, 0, line);
    fr_packer_end(packer);
    h->packed = fr_arena_copy(&batch->arena, packer->text, packer->len);
    h->bins = NULL;
    h->n = packer->n;
    h->first = packer->first;
    h->per_second = per_second;
    h->exact = true;
    return h;
}

int fr_hist_unpack(const char *packed, unsigned first, double per_second, struct fr_bin *out)
{
    struct fr_str rest = fr_str(packed);
    int n = 0;
    if (!fr_take_ch(&rest, '[') || !(per_second >= 1))
        return -1;
    for (unsigned index = first; !fr_take_ch(&rest, ']'); index++) {
        uint64_t count;
        if (index >= FR_HIST_BINS || !fr_take_u64(&rest, &count, NULL))
            return -1;
        if (count)
            out[n++] = fr_hist_bin(index, per_second, count);
        fr_take_ch(&rest, ',');
    }
    return n;
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

static int compare(const struct fr_bin *a, const struct fr_bin *b)
{
    if (a->lower < b->lower || a->lower > b->lower)
        return a->lower < b->lower ? -1 : 1;
    return a->upper < b->upper ? -1 : a->upper > b->upper;
}

void fr_bins_add(struct fr_bins *sum, const struct fr_bin *bins, size_t n)
{
    struct fr_bin *out = calloc(sum->n + n + 1, sizeof *out);
    if (!out) {
        fprintf(stderr, "fioreport: error: out of memory\n");
        exit(4);
    }
    size_t used = 0;
    for (size_t i = 0, j = 0; i < sum->n || j < n;) {
        int order = i == sum->n ? 1 : j == n ? -1 : compare(&sum->bins[i], &bins[j]);
        struct fr_bin bin = order <= 0 ? sum->bins[i++] : bins[j];
        if (order >= 0) {
            bin.count = (order == 0 ? bin.count : 0) + bins[j].count;
            sum->total += bins[j++].count;
        }
        if (bin.count)
            out[used++] = bin;
    }
    free(sum->bins);
    sum->bins = out;
    sum->n = used;
}

void fr_bins_release(struct fr_bins *sum)
{
    free(sum->bins);
    *sum = (struct fr_bins)FR_BINS_INIT;
}

bool fr_bins_percentile(const struct fr_bins *sum, double percentile, double *out)
{
    /* The comparison in fio's own precision and order, so that a count that hits the rank exactly falls as there. */
    long double rank = (long double)percentile / 100.0L * (long double)sum->total;
    uint64_t count = 0;
    if (!sum->n || !(percentile >= 0 && percentile <= 100))
        return false;
    for (size_t i = 0; i < sum->n; i++) {
        count += sum->bins[i].count;
        if ((long double)count >= rank || i + 1 == sum->n) {
            *out = fr_bin_value(&sum->bins[i]);
            return true;
        }
    }
    return false;
}
