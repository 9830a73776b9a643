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

static void swap(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

double fr_stats_select(double *v, size_t n, size_t k)
{
    size_t lo = 0, hi = n - 1;
    for (int rounds = 0; lo < hi; rounds++) {
        if (rounds == 128) { /* made to be slow: sorting has a bound */
            fr_stats_sort(v + lo, hi - lo + 1);
            break;
        }
        size_t mid = lo + (hi - lo) / 2, i = lo, j = hi;
        if (v[mid] < v[lo])
            swap(&v[mid], &v[lo]);
        if (v[hi] < v[lo])
            swap(&v[hi], &v[lo]);
        if (v[hi] < v[mid])
            swap(&v[hi], &v[mid]);
        double pivot = v[mid];
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i <= j) {
                swap(&v[i], &v[j]);
                i++;
                if (j-- == 0)
                    break;
            }
        }
        if (k <= j && j != (size_t)-1)
            hi = j;
        else if (k >= i)
            lo = i;
        else
            break;
    }
    return v[k];
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
