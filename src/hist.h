/*
 * hist.h: latency distributions: fio's own buckets, and percentiles of several jobs or hosts taken together.
 *
 * fio counts each latency in one of 64 buckets per power of two (its stat.h and stat.c, io_u_plat): values below 128
 * have a bucket of their own, above that the bucket is 1/64 to 1/128 of the value wide. What fio prints for a bucket
 * (percentiles, the keys of json+ `bins`) is the value itself below 128, else the middle. So bins can be added up over
 * jobs and hosts, and a percentile of the sum is what fio would have printed for one group: to the bin (0.78 %).
 * Averages of percentiles are never taken.
 */
#ifndef FR_HIST_H
#define FR_HIST_H

#include "record.h"

#define FR_HIST_BITS     6
#define FR_HIST_SUB      (1u << FR_HIST_BITS)
#define FR_HIST_BINS     1856u /* 29 groups of 64: clat_hist logs since 2.99 (nanoseconds) */
#define FR_HIST_BINS_OLD 1216u /* 19 groups: until 2.21 (microseconds) */

/* The bucket of a value, in fio's unit; the last of `bins` takes all that is larger. */
unsigned fr_hist_index(uint64_t value, unsigned bins);
/* What fio prints for that bucket. index < FR_HIST_BINS. */
uint64_t fr_hist_value(unsigned index);
/* The bucket holds lower <= value < upper. */
void fr_hist_bounds(unsigned index, uint64_t *lower, uint64_t *upper);

/*
 * The bin of a bucket in base units. `per_second` is how many of fio's units a second has: 1e9 (since 2.99) or 1e6.
 */
struct fr_bin fr_hist_bin(unsigned index, double per_second, uint64_t count);
/* What fio prints for a bin made by fr_hist_bin, in seconds. */
double fr_bin_value(const struct fr_bin *bin);

/*
 * fio's own bins packed: a JSON array of their counts, from the first bin that has any, in the order of their numbers;
 * a bin without a sample within is 0. SQLite's own functions can read it, and it is a fraction of struct fr_bin.
 */
#define FR_HIST_PACKED_MAX (FR_HIST_BINS * 21u + 2u)
struct fr_packer {
    unsigned first, next; /* numbers of bins */
    size_t n;             /* bins with a count */
    size_t len;
    char text[FR_HIST_PACKED_MAX];
};
#define FR_PACKER_BEGIN(packer) ((packer)->first = (packer)->next = 0, (packer)->n = (packer)->len = 0)
/* Bins in ascending order; false: this one is not above the last, or there is no such bin. 0 is left out. A count is at
 * most INT64_MAX, as SQLite's are. */
bool fr_packer_add(struct fr_packer *packer, unsigned index, uint64_t count);
/* The packed text, ended by NUL; lent. "" when nothing has a count. */
const char *fr_packer_end(struct fr_packer *packer);
/* A histogram of packed bins (exact). */
struct fr_hist *fr_hist_new_packed(struct fr_batch *batch, struct fr_test *test, enum fr_op op,
                                   enum fr_metric_id metric, struct fr_packer *packer, double per_second,
                                   uint32_t line);
/* Bins from packed text into out: at most FR_HIST_BINS. How many; -1: it is damaged. */
int fr_hist_unpack(const char *packed, unsigned first, double per_second, struct fr_bin *out);

/*
 * Bins added up; ascending. The array is the struct's own. Bins of microseconds and of nanoseconds may be mixed: each
 * keeps its width.
 */
struct fr_bins {
    struct fr_bin *bins;
    size_t n;
    uint64_t total; /* sum of the counts */
};

#define FR_BINS_INIT                                                                                                   \
    {                                                                                                                  \
        .bins = NULL, .n = 0, .total = 0                                                                               \
    }

/* Add n bins (ascending, as parsers store them; exact ones only: `exact` of struct fr_hist). Empty bins are left out.
 */
void fr_bins_add(struct fr_bins *sum, const struct fr_bin *bins, size_t n);
void fr_bins_release(struct fr_bins *sum);

/*
 * The percentile (0..100) as fio takes it: the first bin at which the running count reaches percentile/100 of the
 * total. In seconds. False when there is nothing to take it from.
 */
bool fr_bins_percentile(const struct fr_bins *sum, double percentile, double *out);

/* fio's default percentile_list. */
#define FR_HIST_DEFAULTS 17
extern const double fr_hist_defaults[FR_HIST_DEFAULTS];

#endif
