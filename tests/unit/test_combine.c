/* test_combine: the series of several jobs on a common grid. */
#include "series.h"

#include <math.h>

#include "banned.h"
#include "check.h"

static struct fr_batch batch;
static struct fr_test *test;

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

/* Samples t, value; with bs, raw ones of that block size. */
static const struct fr_series *make(enum fr_metric_id metric, double step, int64_t bs, bool averaged,
                                    const int64_t (*samples)[2], size_t n)
{
    struct fr_series_builder *b = fr_series_begin(&batch, FR_OP_READ, metric, "log", step, FR_COL_BS, 1);
    fr_series_of(b)->averaged = averaged;
    for (size_t i = 0; i < n; i++)
        fr_series_add(b, samples[i][0], samples[i][1], &bs);
    return fr_series_end(b, test);
}

/* Bandwidth of two averaged logs adds up, though their lines do not fall together; the last second is cut. */
static void test_rates(void)
{
    static const int64_t a[][2] = {{500, 100}, {1000, 200}, {1500, 300}, {2000, 300}, {2400, 500}};
    static const int64_t b[][2] = {{1000, 10}, {2000, 30}, {2400, 70}};
    struct fr_part parts[] = {{make(FR_M_BW, 1024, 0, true, a, 5), NULL}, {make(FR_M_BW, 1024, 0, true, b, 3), NULL}};
    struct fr_grid g;
    int rc = fr_series_combine(parts, 2, 1000, &g, NULL);
    CHECK("combine rates", rc == 0 && g.n == 3 && g.t0 == 0);
    CHECK("combine rates sum", near(g.cells[0].value, 160 * 1024.0) && near(g.cells[1].value, 330 * 1024.0));
    CHECK("combine rates last", near(g.cells[2].value, 570 * 1024.0) && g.cells[2].partial && !g.cells[1].partial);
    CHECK("combine rates jobs", g.cells[0].jobs == 2 && g.cells[2].jobs == 2);
    fr_grid_release(&g);

    static const int64_t odd[][2] = {{750, 100}, {1500, 200}};
    struct fr_part one = {make(FR_M_IOPS, 1, 0, true, odd, 2), NULL};
    rc = fr_series_combine(&one, 1, 1000, &g, NULL);
    /* 750 ms at 100 and 250 ms at 200; then 500 ms at 200 */
    CHECK("combine odd interval", rc == 0 && g.n == 2 && near(g.cells[0].value, 125) && near(g.cells[1].value, 200));
    CHECK("combine ios", near(g.cells[0].ios, 125) && near(g.cells[1].ios, 100) && g.cells[1].partial);
    fr_grid_release(&g);
}

/* A job that ends before the others is missed in `jobs`, and no zero is made up. */
static void test_early_end(void)
{
    static const int64_t a[][2] = {{1000, 100}, {2000, 100}, {3000, 100}};
    static const int64_t b[][2] = {{1000, 50}};
    struct fr_part parts[] = {{make(FR_M_IOPS, 1, 0, true, a, 3), NULL}, {make(FR_M_IOPS, 1, 0, true, b, 1), NULL}};
    struct fr_grid g;
    int rc = fr_series_combine(parts, 2, 1000, &g, NULL);
    CHECK("combine early end", rc == 0 && g.n == 3 && near(g.cells[0].value, 150) && near(g.cells[2].value, 100) &&
                                   g.cells[0].jobs == 2 && g.cells[1].jobs == 1 && !g.cells[2].partial);
    fr_grid_release(&g);
}

/* Raw logs: an I/O a line. Bandwidth is bytes a second, not the mean of what each I/O alone would give. */
static void test_raw(void)
{
    static const int64_t rates[][2] = {{1, 900000}, {400, 100}, {800, 900000}, {999, 5}, {1500, 7}};
    static const int64_t ones[][2] = {{1, 1}, {400, 1}, {800, 1}, {999, 1}, {1500, 1}};
    struct fr_part bw = {make(FR_M_BW, 1024, 4096, false, rates, 5), NULL};
    struct fr_part iops = {make(FR_M_IOPS, 1, 4096, false, ones, 5), NULL};
    struct fr_grid g;
    int rc = fr_series_combine(&bw, 1, 1000, &g, NULL);
    CHECK("combine raw bandwidth", rc == 0 && g.n == 2 && near(g.cells[0].value, 4 * 4096.0));
    CHECK("combine raw last", g.cells[1].partial && near(g.cells[1].value, 4096 / 0.5));
    fr_grid_release(&g);
    rc = fr_series_combine(&iops, 1, 1000, &g, NULL);
    CHECK("combine raw IOPS", rc == 0 && near(g.cells[0].value, 4) && near(g.cells[0].ios, 4));
    fr_grid_release(&g);
}

static void test_latencies(void)
{
    static const int64_t a[][2] = {{100, 1000}, {200, 3000}, {300, 2000}};
    static const int64_t b[][2] = {{100, 10000}};
    struct fr_part raw[] = {{make(FR_M_LAT, 1e-9, 4096, false, a, 3), NULL},
                            {make(FR_M_LAT, 1e-9, 4096, false, b, 1), NULL}};
    struct fr_grid g;
    int rc = fr_series_combine(raw, 2, 1000, &g, NULL);
    CHECK("combine raw latencies",
          rc == 0 && near(g.cells[0].value * 1e9, 4000) && near(g.cells[0].ios, 4) && g.by_count);
    CHECK("combine raw extremes", near(g.cells[0].min * 1e9, 1000) && near(g.cells[0].max * 1e9, 10000));
    fr_grid_release(&g);

    /* Averaged: 900 I/Os of 1 ms and 100 of 11 ms are 2 ms, not 6. */
    static const int64_t fast[][2] = {{1000, 1000}}, slow[][2] = {{1000, 11000}};
    static const int64_t many[][2] = {{1000, 900}}, few[][2] = {{1000, 100}};
    const struct fr_series *x = make(FR_M_LAT, 1e-6, 0, true, fast, 1), *y = make(FR_M_LAT, 1e-6, 0, true, slow, 1);
    struct fr_part counted[] = {{x, make(FR_M_IOPS, 1, 0, true, many, 1)}, {y, make(FR_M_IOPS, 1, 0, true, few, 1)}};
    struct fr_part blind[] = {{x, NULL}, {y, NULL}};
    rc = fr_series_combine(counted, 2, 1000, &g, NULL);
    CHECK("combine latencies by count", rc == 0 && g.n == 1 && near(g.cells[0].value, 2e-3) && g.by_count);
    fr_grid_release(&g);
    rc = fr_series_combine(blind, 2, 1000, &g, NULL);
    CHECK("combine latencies by time", rc == 0 && near(g.cells[0].value, 6e-3) && !g.by_count);
    fr_grid_release(&g);
    /* I/Os of the one and milliseconds of the other are no weights of one kind. */
    struct fr_part half[] = {counted[0], blind[1]};
    rc = fr_series_combine(half, 2, 1000, &g, NULL);
    CHECK("combine latencies, some counted",
          rc == 0 && near(g.cells[0].value, 6e-3) && near(g.cells[0].ios, 900) && !g.by_count);
    fr_grid_release(&g);
}

static void test_refused(void)
{
    static const int64_t a[][2] = {{1000, 1}, {2000000000, 1}};
    struct fr_series_builder *b = fr_series_begin(&batch, FR_OP_READ, FR_M_IOPS, "log", 1, 0, 1);
    fr_series_of(b)->unix_time = true;
    fr_series_add(b, 1796026964073, 5, NULL);
    const struct fr_series *absolute = fr_series_end(b, test), *relative = make(FR_M_IOPS, 1, 0, true, a, 1);
    struct fr_part mixed[] = {{absolute, NULL}, {relative, NULL}};
    struct fr_part metrics[] = {{make(FR_M_LAT, 1e-9, 0, true, a, 1), NULL}, {relative, NULL}};
    struct fr_part huge = {make(FR_M_IOPS, 1, 0, true, a, 2), NULL};
    struct fr_grid g;
    CHECK("combine clocks", fr_series_combine(mixed, 2, 1000, &g, NULL) == -1 && !g.cells);
    CHECK("combine metrics", fr_series_combine(metrics, 2, 1000, &g, NULL) == -1);
    CHECK("combine too many", fr_series_combine(&huge, 1, 1, &g, NULL) == -1 && !g.cells);
    CHECK("combine nothing", fr_series_combine(NULL, 0, 1000, &g, NULL) == -1);
    struct fr_part epoch = {absolute, NULL};
    CHECK("combine since 1970", fr_series_combine(&epoch, 1, 1000, &g, NULL) == 0 && g.n == 1 && g.t0 == 1796026964000);
    fr_grid_release(&g);
}

int main(void)
{
    fr_batch_init(&batch, "test");
    test = fr_test_new(&batch, fr_run_new(&batch, "test", "fio", 1), fr_str("t"), 1);
    test_rates();
    test_early_end();
    test_raw();
    test_latencies();
    test_refused();
    fr_batch_release(&batch);
    return check_failed;
}
