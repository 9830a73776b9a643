/*
 * stats.h: the statistics of repeated runs.
 */
#ifndef FR_STATS_H
#define FR_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* Sort ascending. */
void fr_stats_sort(double *values, size_t n);

/*
 * The k-th of n values, k < n, from 0 in ascending order. The values change places: those before k are not greater,
 * those behind it not less. C. A. R. Hoare, Algorithm 65: Find, CACM 4(7), 1961.
 */
double fr_stats_select(double *values, size_t n, size_t k);

/* The median of n sorted values, n > 0; the mean of the two in the middle where n is even. */
double fr_stats_median(const double *sorted, size_t n);

/*
 * The interval of the median from order statistics: the narrowest pair X(r), X(n+1-r) of the sorted values that covers
 * the median of the distribution with at least this confidence, whatever the distribution is. Its coverage is
 * 1 - 2 P(B < r) for B binomial(n, 1/2). H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed., 2003, section 7.1.
 * False where even the whole range covers less: for 0.95 that is n < 6.
 */
bool fr_stats_median_interval(const double *sorted, size_t n, double confidence, double *lo, double *hi);

/*
 * The geometric mean of n positive values, n > 0; NaN where one is not positive. For ratios: P. J. Fleming,
 * J. J. Wallace, How not to lie with statistics, CACM 29(3), 1986.
 */
double fr_stats_geomean(const double *values, size_t n);

#endif
