/* test_hist: fio's buckets, and percentiles of several jobs taken together. */
#include "hist.h"

#include <math.h>

#include "banned.h"

static int failed;

static void check(bool ok, const char *name, const char *why)
{
    if (ok)
        printf("ok hist %s\n", name);
    else
        printf("FAIL hist %s: %s\n", name, why);
    failed |= !ok;
}

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-15 * fabs(b);
}

static void test_buckets(void)
{
    bool own = true, round = true, inside = true, gapless = true, width = true;
    uint64_t last = 0;
    for (unsigned i = 0; i < FR_HIST_BINS; i++) {
        uint64_t lower, upper, value = fr_hist_value(i);
        fr_hist_bounds(i, &lower, &upper);
        own = own && (i >= 128 || value == i);
        round = round && fr_hist_index(value, FR_HIST_BINS) == i;
        inside = inside && fr_hist_index(lower, FR_HIST_BINS) == i && fr_hist_index(upper - 1, FR_HIST_BINS) == i;
        gapless = gapless && lower == last;
        width = width && (i < 128 || (double)(upper - value) / (double)lower <= 1.0 / 128);
        last = upper;
    }
    check(own, "small values", "a value below 128 has no bucket of its own");
    check(round, "value and index", "what is printed for a bucket lies in another one");
    check(inside && gapless, "bounds", "buckets overlap or leave gaps");
    check(width, "width", "a bucket is wider than 0.78 % to each side");
    check(fr_hist_index(UINT64_MAX, FR_HIST_BINS) == 1855 && fr_hist_index(1u << 30, FR_HIST_BINS_OLD) == 1215,
          "last bucket", "it does not take what is too large");
    /* Keys that fio 3.33 printed for latencies that its log shows. */
    check(fr_hist_value(fr_hist_index(12739, FR_HIST_BINS)) == 12736 &&
              fr_hist_value(fr_hist_index(5508, FR_HIST_BINS)) == 5536 &&
              fr_hist_value(fr_hist_index(8983, FR_HIST_BINS)) == 9024,
          "fio's keys", "a latency falls into another bucket than fio's");
}

static struct fr_bins count(const uint64_t *values, size_t n, double per_second)
{
    struct fr_bins sum = FR_BINS_INIT;
    for (size_t i = 0; i < n; i++) {
        struct fr_bin bin = fr_hist_bin(fr_hist_index(values[i], FR_HIST_BINS), per_second, 1);
        fr_bins_add(&sum, &bin, 1);
    }
    return sum;
}

static const double asked[] = {1, 10, 25, 50, 75, 90, 99, 99.9};
enum { ASKED = 8, JOBS = 4, IOS = 20 };

/* Every latency of four jobs of fio 3.33 on its null engine, from its clat logs, and the percentiles it printed. */
static const uint64_t latencies[JOBS][IOS] = {
    {5508, 70, 40, 50, 40, 50, 40, 40, 40, 50, 40, 50, 50, 40, 40, 50, 50, 40, 40, 50},
    {8983, 50, 50, 50, 50, 50, 40, 40, 41, 40, 40, 51, 40, 40, 40, 50, 40, 40, 40, 40},
    {6570, 40, 30, 20, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 20, 30},
    {5809, 70, 80, 40, 50, 40, 50, 41, 40, 40, 50, 40, 40, 40, 40, 40, 40, 50, 50, 50},
};
static const double printed[JOBS][ASKED] = {
    {40, 40, 40, 40, 50, 50, 5536, 5536},
    {40, 40, 40, 40, 50, 50, 9024, 9024},
    {20, 20, 30, 30, 30, 30, 6560, 6560},
    {40, 40, 40, 40, 50, 70, 5792, 5792},
};
/* The json+ bins of the same jobs: value, count. */
static const uint64_t bins[JOBS][6][2] = {
    {{40, 10}, {50, 8}, {70, 1}, {5536, 1}},
    {{40, 11}, {41, 1}, {50, 6}, {51, 1}, {9024, 1}},
    {{20, 2}, {30, 16}, {40, 1}, {6560, 1}},
    {{40, 10}, {41, 1}, {50, 6}, {70, 1}, {80, 1}, {5792, 1}},
};

static void test_real(void)
{
    struct fr_bins merged = FR_BINS_INIT;
    bool each = true, equal = true;
    for (int j = 0; j < JOBS; j++) {
        struct fr_bins job = FR_BINS_INIT;
        for (int i = 0; i < 6 && bins[j][i][1]; i++) {
            struct fr_bin bin = fr_hist_bin(fr_hist_index(bins[j][i][0], FR_HIST_BINS), 1e9, bins[j][i][1]);
            fr_bins_add(&job, &bin, 1);
        }
        for (int i = 0; i < ASKED; i++) {
            double x;
            each = each && fr_bins_percentile(&job, asked[i], &x) && same(x, printed[j][i] / 1e9);
        }
        fr_bins_add(&merged, job.bins, job.n);
        fr_bins_release(&job);
    }
    check(each, "percentiles of a job", "they differ from what fio printed");
    struct fr_bins group = count(&latencies[0][0], JOBS * IOS, 1e9);
    equal = merged.total == group.total && merged.n == group.n;
    for (int i = 0; i < ASKED; i++) {
        double x, y;
        equal = equal && fr_bins_percentile(&merged, asked[i], &x) && fr_bins_percentile(&group, asked[i], &y) &&
                same(x, y);
    }
    check(equal, "percentiles of four jobs", "merged bins differ from the same I/Os counted in one group");
    fr_bins_release(&merged);
    fr_bins_release(&group);
}

/* The same with many I/Os over the whole range. */
static void test_random(void)
{
    enum { N = 4000 };
    static uint64_t values[N];
    uint64_t state = 11;
    for (int i = 0; i < N; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        values[i] = (state >> 24) >> (state % 39);
    }
    struct fr_bins group = count(values, N, 1e9), merged = FR_BINS_INIT;
    for (int j = 0; j < 4; j++) {
        struct fr_bins job = count(values + j * (N / 4), N / 4, 1e9);
        fr_bins_add(&merged, job.bins, job.n);
        fr_bins_release(&job);
    }
    bool equal = group.n == merged.n && group.total == merged.total && group.n > 200, ascending = true;
    for (size_t i = 0; equal && i < group.n; i++) {
        equal = group.bins[i].count == merged.bins[i].count && same(group.bins[i].lower, merged.bins[i].lower);
        ascending = ascending && (i == 0 || group.bins[i].lower >= group.bins[i - 1].upper);
    }
    check(equal && ascending, "many I/Os", "merged bins differ from the same I/Os counted in one group");
    double x = -1, y = -1, z = -1;
    bool got = fr_bins_percentile(&group, 0, &x) && fr_bins_percentile(&group, 100, &y);
    check(got && same(x, fr_bin_value(&group.bins[0])) && same(y, fr_bin_value(&group.bins[group.n - 1])), "ends",
          "percentile 0 or 100 is not the first or last bin");
    check(!fr_bins_percentile(&group, 100.5, &z) && !fr_bins_percentile(&group, NAN, &z), "no percentile",
          "a percentile over 100 was given");
    fr_bins_release(&group);
    fr_bins_release(&merged);
    check(!fr_bins_percentile(&merged, 50, &z), "no bins", "a percentile of nothing was given");
}

/* A rank that is hit exactly belongs to the bin that reaches it, as in fio. */
static void test_ranks(void)
{
    struct fr_bins sum = FR_BINS_INIT;
    struct fr_bin three[] = {fr_hist_bin(10, 1e6, 50), fr_hist_bin(20, 1e6, 49),
                             fr_hist_bin(fr_hist_index(5000, 1216), 1e6, 1)};
    fr_bins_add(&sum, three, 3);
    double p50, p99, p999;
    bool got = fr_bins_percentile(&sum, 50, &p50) && fr_bins_percentile(&sum, 99, &p99) &&
               fr_bins_percentile(&sum, 99.9, &p999);
    check(got && same(p50, 10e-6) && same(p99, 20e-6) && same(p999, 5024e-6), "ranks in microseconds",
          "an exactly reached rank is not in its bin");
    fr_bins_release(&sum);
}

int main(void)
{
    test_buckets();
    test_real();
    test_random();
    test_ranks();
    return failed;
}
