/* test_stats: median, its interval, geometric mean, against values worked out by hand or known from tables. */
#include "check.h"
#include "stats.h"

#include <math.h>

#include "banned.h"

static void test_median(void)
{
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, huge[] = {1.7e308, 1.7e308};
    fr_stats_sort(odd, 3);
    fr_stats_sort(even, 4);
    CHECK("stats median odd", fr_stats_median(odd, 3) == 2);
    CHECK("stats median even", fr_stats_median(even, 4) == 2.5);
    CHECK("stats median does not overflow", fr_stats_median(huge, 2) == 1.7e308);
}

/* The ranks of the 95 % interval, as published tables have them (n: lower rank). */
static void test_interval(void)
{
    static const struct {
        size_t n, rank;
    } known[] = {{6, 1},  {7, 1},  {8, 1},  {9, 2},  {10, 2},  {11, 2},
                 {12, 3}, {15, 4}, {20, 6}, {25, 8}, {30, 10}, {100, 40}};
    double values[3000], lo, hi;
    for (size_t i = 0; i < 3000; i++)
        values[i] = (double)(i + 1);
    for (size_t n = 1; n < 6; n++)
        CHECK("stats no interval below six", !fr_stats_median_interval(values, n, 0.95, &lo, &hi));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        bool any = fr_stats_median_interval(values, known[i].n, 0.95, &lo, &hi);
        CHECK("stats interval", any && lo == (double)known[i].rank && hi == (double)(known[i].n + 1 - known[i].rank));
    }
    CHECK("stats interval of many", fr_stats_median_interval(values, 3000, 0.95, &lo, &hi) && lo > 1440 && lo < 1450);
}

static void test_geomean(void)
{
    CHECK("stats geomean", fabs(fr_stats_geomean((double[]){0.5, 2}, 2) - 1) < 1e-15);
    CHECK("stats geomean of three", fabs(fr_stats_geomean((double[]){1, 10, 100}, 3) - 10) < 1e-12);
    CHECK("stats geomean of zero", isnan(fr_stats_geomean((double[]){1, 0}, 2)));
}

int main(void)
{
    test_median();
    test_interval();
    test_geomean();
    return check_failed;
}
