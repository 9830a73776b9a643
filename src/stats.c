/* stats.c: see stats.h. */
#include "stats.h"

#include <math.h>

#include "banned.h"

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void fr_stats_sort(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare);
}

double fr_stats_median(const double *sorted, size_t n)
{
    if (n % 2)
        return sorted[n / 2];
    return sorted[n / 2 - 1] / 2 + sorted[n / 2] / 2; /* halves first: no overflow */
}

bool fr_stats_median_interval(const double *sorted, size_t n, double confidence, double *lo, double *hi)
{
    /* below = P(B < r), term = P(B = r); in logarithms, as 2^-n underflows. */
    double below = 0, log_term = -(double)n * log(2);
    size_t r = 0;
    while (r < n / 2) {
        double next = below + exp(log_term);
        if (1 - 2 * next < confidence)
            break;
        below = next;
        log_term += log((double)(n - r)) - log((double)(r + 1));
        r++;
    }
    if (r == 0)
        return false;
    *lo = sorted[r - 1];
    *hi = sorted[n - r];
    return true;
}

double fr_stats_geomean(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(values[i] > 0))
            return NAN;
        sum += log(values[i]);
    }
    return exp(sum / (double)n);
}
