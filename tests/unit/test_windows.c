/* test_windows: series by windows: median, tails and extremes against a sort of all samples; and latencies by time. */
#include "check.h"
#include "series.h"
#include "stats.h"
#include "store.h"

#include <math.h>

#include "banned.h"

enum { N = 5000, SPAN = 10000, STEP = 1000, WINDOWS = SPAN / STEP };

static struct fr_log quiet = {.say = NULL};

struct sample {
    int64_t t, value;
};

static unsigned long long state = 12345;

static unsigned next(void)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33);
}

/* What logs are to hold. */
struct given {
    struct sample samples[2][N];
    size_t n[2];
    bool averaged;
    enum fr_metric_id metric;
    const char *params[8]; /* key, value ... */
};

static struct fr_store *store_of(const struct given *g)
{
    struct fr_store *store = fr_store_open(NULL, FR_STORE_MEMORY, &quiet);
    struct fr_batch b;
    struct fr_source source = {.name = "x.json", .size = 5};
    char hash[65] = "0123456789012345678901234567890123456789012345678901234567890123";
    source.sha256 = hash;
    fr_batch_init(&b, "x.json");
    struct fr_run *run = fr_run_new(&b, "fio-json", "fio", 1);
    run->label = "lvm";
    for (size_t job = 0; job < 2 && g->n[job]; job++) {
        struct fr_test *test = fr_test_new(&b, run, fr_str("job"), 1);
        for (size_t i = 0; i < 8 && g->params[i]; i += 2)
            fr_param_set(&b, run, test, g->params[i], fr_str(g->params[i + 1]), FR_FROM_FORMAT, 1);
        struct fr_series_builder *s = fr_series_begin(&b, FR_OP_READ, g->metric, "log", 1e-9, 0, 1);
        fr_series_of(s)->averaged = g->averaged;
        for (size_t i = 0; i < g->n[job]; i++)
            fr_series_add(s, g->samples[job][i].t, g->samples[job][i].value, NULL);
        fr_series_end(s, test);
    }
    CHECK("windows: the source is in", fr_store_add(store, &source, &b, false, false, &quiet) == FR_STORE_ADDED);
    fr_batch_release(&b);
    return store;
}

static struct fr_table *series_of(struct fr_store *store, enum fr_shape shape)
{
    struct fr_query query = {.points = WINDOWS + 1, .metrics = "clat"};
    return fr_query_table(store, &query, shape, &quiet);
}

static double number(const struct fr_row *row, size_t column)
{
    return row && row->cells[column].kind == FR_CELL_NUMBER ? row->cells[column].value : (double)NAN;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

/* The window's figures, as by a sort. */
static bool right(const struct given *g, const struct fr_row *row, int64_t window)
{
    static double v[2 * N];
    size_t n = 0;
    for (size_t job = 0; job < 2; job++)
        for (size_t i = 0; i < g->n[job]; i++)
            if (g->samples[job][i].t / STEP == window)
                v[n++] = (double)g->samples[job][i].value / 1e9;
    fr_stats_sort(v, n);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i];
    return near(number(row, 2), (double)n) && near(number(row, 3), fr_stats_median(v, n)) &&
           near(number(row, 4), v[(size_t)ceil(0.01 * (double)n) - 1]) &&
           near(number(row, 5), v[(size_t)ceil(0.99 * (double)n) - 1]) && near(number(row, 6), v[0]) &&
           near(number(row, 7), v[n - 1]) && fabs(number(row, 8) - sum / (double)n) < 1e-9;
}

static void check_windows(const struct given *g, const char *name)
{
    struct fr_store *store = store_of(g);
    struct fr_table *t = series_of(store, FR_SHAPE_SERIES);
    bool fine = t && t->rows_n == WINDOWS;
    int64_t window = 0;
    for (const struct fr_row *row = t ? t->head : NULL; row && fine; row = row->next, window++)
        fine = near(number(row, 1) + 1, (double)window + 1) && right(g, row, window);
    CHECK(name, fine);
    fr_table_free(t);
    t = series_of(store, FR_SHAPE_TIME);
    double sum = 0;
    fine = t != NULL;
    for (const struct fr_row *row = t ? t->head : NULL; row; row = row->next) {
        double count = 0;
        for (size_t job = 0; job < 2; job++)
            for (size_t i = 0; i < g->n[job]; i++) {
                const struct sample *s = &g->samples[job][i];
                double value = (double)s->value / 1e9, time = (double)s->t / 1000;
                count += time >= number(row, 1) && time < number(row, 2) && value >= number(row, 3) * (1 - 1e-12) &&
                         value < number(row, 4) * (1 - 1e-12);
            }
        fine = fine && near(count, number(row, 5));
        sum += number(row, 5);
    }
    CHECK("time by latency: every cell counts what is in it", fine);
    CHECK("time by latency: every sample is in a cell", near(sum, (double)(g->n[0] + g->n[1])));
    fr_table_free(t);
    fr_store_close(store);
}

static void fill(struct given *g, size_t job, bool back)
{
    g->n[job] = N;
    for (size_t i = 0; i < N; i++) {
        g->samples[job][i].t = (int64_t)i * SPAN / N;
        g->samples[job][i].value = 1000 + (int64_t)(next() % 1000 < 20 ? next() % 90000000 : next() % 90000);
    }
    for (size_t i = 0; back && i + 2000 < N; i += 2500) { /* another job wrote the same log */
        struct sample swap = g->samples[job][i];
        g->samples[job][i] = g->samples[job][i + 2000];
        g->samples[job][i + 2000] = swap;
    }
}

static void test_raw(void)
{
    static struct given g = {.metric = FR_M_CLAT};
    fill(&g, 0, false);
    check_windows(&g, "windows: one raw log");
    fill(&g, 1, false);
    check_windows(&g, "windows: two jobs' I/Os together");
    fill(&g, 0, true);
    check_windows(&g, "windows: a log in which time steps back");
    for (size_t i = 0; i < N; i++)
        g.samples[0][i].value = g.samples[1][i].value = 4242;
    check_windows(&g, "windows: all equal");
}

/* Averages: too few for tails; the last is of a shorter interval, and in no window. */
static void test_averaged(void)
{
    static struct given g = {.metric = FR_M_CLAT, .averaged = true, .n = {101, 0}};
    g.params[0] = "steadystate_attained", g.params[1] = "1", g.params[2] = "steadystate_duration", g.params[3] = "4";
    g.params[4] = "ramp_time", g.params[5] = "2";
    for (size_t i = 0; i < 101; i++)
        g.samples[0][i] = (struct sample){i < 100 ? (int64_t)(i + 1) * 100 : 10030, i < 100 ? 5000 : 900000};
    struct fr_store *store = store_of(&g);
    struct fr_table *t = series_of(store, FR_SHAPE_SERIES);
    const struct fr_row *last = t ? t->tail : NULL;
    bool fine = t && t->rows_n == WINDOWS + 1;
    for (const struct fr_row *row = t ? t->head : NULL; fine && row != last; row = row->next)
        fine = near(number(row, 2), 10) && near(number(row, 3), 5e-6) && near(number(row, 7), 5e-6) &&
               row->cells[5].kind == FR_CELL_ABSENT && !(row->cells[3].flags & FR_CELL_PARTIAL);
    CHECK("windows: averages, without tails", fine);
    CHECK("windows: a partial last interval stands alone and says so",
          last && (last->cells[3].flags & FR_CELL_PARTIAL) && near(number(last, 3), 9e-4));
    CHECK("spans: two", t && t->spans_n == 2);
    if (t && t->spans_n == 2) {
        CHECK("spans: the steady state window ends with the log", strcmp(t->spans[0].label, "steady state") == 0 &&
                                                                      near(t->spans[0].from, 6.03) &&
                                                                      near(t->spans[0].to, 10.03));
        CHECK("spans: ramp_time, as the log begins before its end",
              strcmp(t->spans[1].label, "ramp_time") == 0 && near(t->spans[1].to, 2));
    }
    fr_table_free(t);
    g.params[1] = "0";
    fr_store_close(store);
    store = store_of(&g);
    t = series_of(store, FR_SHAPE_SERIES);
    CHECK("spans: none where the steady state was not attained", t && t->spans_n == 1 && t->notes_n == 1);
    fr_table_free(t);
    fr_store_close(store);
}

/* What a heat map is of. */
static void test_shape(void)
{
    static struct given g = {.metric = FR_M_CLAT};
    fill(&g, 0, false);
    struct fr_store *store = store_of(&g);
    struct fr_query query = {.metrics = "clat"};
    CHECK("heat map: of time, where a latency has a log", fr_query_shape(store, &query, "heatmap") == FR_SHAPE_TIME);
    query.rows = "label";
    CHECK("heat map: of two parameters, where rows are asked for",
          fr_query_shape(store, &query, "heatmap") == FR_SHAPE_PIVOT);
    query.x = "time";
    CHECK("heat map: of time, where that is asked for", fr_query_shape(store, &query, "heatmap") == FR_SHAPE_TIME);
    query = (struct fr_query){.metrics = "clat:p99"};
    CHECK("heat map: of two parameters, where a stat is asked for",
          fr_query_shape(store, &query, "heatmap") == FR_SHAPE_PIVOT);
    query = (struct fr_query){.metrics = "lat"};
    CHECK("heat map: of two parameters, where there is no log",
          fr_query_shape(store, &query, "heatmap") == FR_SHAPE_PIVOT);
    CHECK("other kinds keep their shape", fr_query_shape(store, &query, "cdf") == FR_SHAPE_BINS &&
                                              fr_query_shape(store, &query, NULL) == FR_SHAPE_PIVOT);
    fr_store_close(store);
}

int main(void)
{
    test_raw();
    test_averaged();
    test_shape();
    return check_failed;
}
