/*
 * query_series.c: logs over time: a row for each window, with the median, the tails and the extremes of the samples in
 * it; or for each window and latency, how many there are. See query.h.
 *
 * What a sample is. One averaged log, and raw logs of latency: what the log has, each I/O of all jobs by itself. Rates
 * of several jobs, and raw logs of rates: what all jobs together did in each interval (series.h), as single I/Os have
 * no rate. Averaged latencies of several jobs: their mean in each interval, weighed by I/Os. So the median of a window
 * is of what was measured, never of means of seconds. Jobs of one name in one run are one curve.
 */
#include "query_curves.h"

#include <math.h>
#include <time.h>

#include "series.h"
#include "stats.h"
#include "strbuf.h"

#include "banned.h"

struct log_series {
    const char *name;
    const struct fr_q_test *test;
    size_t metric;      /* among those asked for */
    long long id, iops; /* in the store; iops 0: none */
    int64_t t0, t1;     /* milliseconds, to the second: where it begins and ends */
    double min, max;    /* of its samples, base unit */
    struct fr_series series, weights;
    bool done;
};

struct logs {
    struct fr_q_curves *c;
    size_t metric; /* the one at hand */
    struct log_series *list;
    size_t n, alloc;
    int64_t origin; /* milliseconds: what is shown as 0 of logs that count from 1970 */
    int64_t span;   /* of the longest */
};

/* ---- which there are --------------------------------------------------------------------------------------------- */

/* Milliseconds between averages; where they are not quite even, as many as fit into the fullest second. */
static int64_t interval_of(const struct fr_series_row *row)
{
    uint64_t most = 1;
    if (row->interval || !row->averaged)
        return row->interval;
    for (size_t i = 0; i < row->seconds_n; i++)
        most = row->seconds[i].n > most ? row->seconds[i].n : most;
    return most < 1000 ? 1000 / (int64_t)most : 1;
}

static struct fr_series head_of(const struct fr_series_row *row)
{
    return (struct fr_series){.op = (uint8_t)row->op,
                              .metric = (uint8_t)row->metric,
                              .test_no = row->test_no,
                              .step = row->step,
                              .averaged = row->averaged,
                              .unix_time = row->unix_time,
                              .columns = (uint8_t)row->columns,
                              .interval = interval_of(row),
                              .n = row->n,
                              .last_partial = row->last_partial};
}

static int add_log(void *ctx, const struct fr_series_row *row)
{
    struct logs *s = ctx;
    const struct fr_q_test *test = fr_q_curve_test(s->c, row->run_id, row->test_no, row->op);
    if (!test || !row->n || !row->seconds_n)
        return 0;
    fr_q_curve_note(s->c, test, row->op);
    s->list = fr_grow(s->list, s->n, &s->alloc, sizeof *s->list);
    double min = row->seconds[0].min, max = row->seconds[0].max;
    for (size_t i = 1; i < row->seconds_n; i++) {
        min = fmin(min, row->seconds[i].min);
        max = fmax(max, row->seconds[i].max);
    }
    s->list[s->n++] = (struct log_series){.test = test,
                                          .min = min,
                                          .max = max,
                                          .metric = s->metric,
                                          .id = row->series_id,
                                          .t0 = row->seconds[0].t * 1000,
                                          .t1 = row->seconds[row->seconds_n - 1].t * 1000 + 1000,
                                          .series = head_of(row)};
    return 0;
}

/* Averages of latencies are weighed by the IOPS of the same job. */
static int add_weights(void *ctx, const struct fr_series_row *row)
{
    struct logs *s = ctx;
    for (size_t i = 0; i < s->n; i++) {
        struct log_series *l = &s->list[i];
        if (l->test->run->id != row->run_id || l->test->no != row->test_no || l->series.op != row->op || l->iops)
            continue;
        l->iops = row->series_id;
        l->weights = head_of(row);
    }
    return 0;
}

/* Tests of one label and name in several runs: their runs tell them apart. */
static void name_logs(struct logs *s)
{
    struct fr_q_curves *c = s->c;
    bool runs = c->runs;
    for (size_t i = 0; i < s->n; i++) {
        c->metric = c->metrics.metric[s->list[i].metric];
        s->list[i].name = fr_q_curve_name(c, s->list[i].test, (enum fr_op)s->list[i].series.op);
    }
    for (size_t i = 0; i < s->n && !runs; i++)
        for (size_t j = 0; j < i && !runs; j++)
            runs = s->list[i].test->run != s->list[j].test->run && s->list[i].name == s->list[j].name &&
                   s->list[i].metric == s->list[j].metric;
    for (size_t i = 0; runs && i < s->n; i++)
        s->list[i].name =
            fr_q_word(c->q, fr_arena_printf(&c->q->arena, "%s #%s", s->list[i].name, s->list[i].test->run->id_text));
}

/* Logs that count from 1970 begin where the first of them does. */
static void find_times(struct logs *s)
{
    bool any = false;
    char text[40];
    struct tm tm;
    for (size_t i = 0; i < s->n; i++) {
        const struct log_series *l = &s->list[i];
        int64_t begin = l->t0 - (l->series.interval + 999) / 1000 * 1000; /* an average is of the time before it */
        if (l->series.unix_time && (!any || begin < s->origin))
            s->origin = begin;
        any = any || l->series.unix_time;
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct log_series *l = &s->list[i];
        int64_t length = l->t1 - l->t0, end = l->t1 - (l->series.unix_time ? s->origin : 0);
        end = l->series.unix_time || l->t0 < length ? end : length; /* one that begins late is not drawn from 0 on */
        s->span = end > s->span ? end : s->span;
    }
    time_t origin = (time_t)(s->origin / 1000);
    if (any && gmtime_r(&origin, &tm) && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm) > 0)
        fr_table_note(s->c->table, "0 s is %s UTC.", text);
}

static int gather(struct logs *s)
{
    struct fr_q_curves *c = s->c;
    struct fr_store *store = c->q->store;
    for (s->metric = 0; s->metric < c->metrics.n; s->metric++) {
        c->metric = c->metrics.metric[s->metric];
        c->test = 0;
        if (fr_store_series(store, 0, (int)c->metric.metric, add_log, s, c->q->log) != 0)
            return -1;
    }
    name_logs(s);
    find_times(s);
    return s->n ? fr_store_series(store, 0, FR_M_IOPS, add_weights, s, c->q->log) : 0;
}

static bool same_curve(const struct log_series *a, const struct log_series *b)
{
    return a->metric == b->metric && a->name == b->name && a->test->run == b->test->run && a->series.op == b->series.op;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* The least of the usual lengths that is at least so many milliseconds. */
static int64_t usual_step(double least)
{
    static const int64_t steps[] = {1,      2,      5,      10,      20,      50,     100,   200,
                                    500,    1000,   2000,   5000,    10000,   20000,  30000, 60000,
                                    120000, 300000, 600000, 1200000, 1800000, 3600000};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if ((double)steps[i] >= least)
            return steps[i];
    return (int64_t)ceil(least / 3600e3) * 3600000;
}

enum {
    POINTS = 680,
    LEAST = 40, /* windows at least */
    TIMES = 120,
    ENOUGH = 100 /* samples that have a 99th percentile */
};

static double points_of(const struct fr_q_curves *c)
{
    return c->q->query->points ? (double)c->q->query->points : (double)POINTS;
}

/*
 * The window of a picture's column of pixels. Raw logs get wider ones, as long as there are enough of them, until a
 * window has samples enough for its percentiles.
 */
static int64_t window_step(const struct logs *s, const struct log_series *first)
{
    int64_t step = usual_step((double)s->span / points_of(s->c));
    double per_ms = (double)first->series.n / (double)(first->t1 - first->t0);
    while (!first->series.averaged && !fr_series_is_rate(&first->series) &&
           per_ms * (double)step < (double)ENOUGH * 1.5) {
        int64_t next = usual_step((double)step + 1);
        if ((double)s->span / (double)next < (double)LEAST)
            break;
        step = next;
    }
    return step;
}

/* Of the grid of several jobs: the averages' interval; of raw rates a second, or what gives a short run 100 points. */
static int64_t grid_step(const struct log_series *const *logs, size_t n, int64_t span)
{
    double least = 0;
    for (size_t i = 0; i < n; i++)
        if (logs[i]->series.averaged)
            least = fmax(least, (double)logs[i]->series.interval * 0.9); /* 501 ms are 500 */
    if (least <= 0)
        least = fmin((double)span / 100, 1000);
    return usual_step(fmax(least, (double)span / 200e3));
}

/* Of all curves of a map. */
static int64_t time_step(const struct logs *s)
{
    double least = (double)s->span / (double)TIMES;
    for (size_t i = 0; i < s->n; i++)
        least = fmax(least, (double)s->list[i].series.interval * 0.9);
    return usual_step(least);
}

/* ---- windows ----------------------------------------------------------------------------------------------------- */

struct windows {
    struct logs *s;
    const struct log_series *log;
    size_t column; /* of the metric's first figure */
    unsigned note;
    int64_t step; /* milliseconds; 0: each sample is a window of its own */
    int64_t at;   /* number of the window that is being filled */
    double *values;
    size_t n, alloc;
    double sum, min, max, ios;
};

/* The columns of a metric. p1 is there where higher is better, as the tail that hurts is at that end. */
enum { MEDIAN, P1, P99, MIN, MAX, MEAN, FIGURES };

static struct fr_row *new_row(struct windows *w, int64_t t, double n)
{
    struct fr_q_curves *c = w->s->c;
    struct fr_row *row = fr_table_row(c->table);
    if (w->log->series.unix_time)
        t -= w->s->origin;
    fr_table_text(c->table, row, 0, w->log->name);
    fr_table_number(c->table, row, 1, (double)t / 1000);
    fr_table_number(c->table, row, 2, n);
    return row;
}

static void fill_row(struct windows *w, struct fr_row *row, const double figures[FIGURES], bool partial)
{
    struct fr_q_curves *c = w->s->c;
    for (size_t i = 0; i < FIGURES; i++) {
        if (!isnan(figures[i]))
            fr_table_number(c->table, row, w->column + i, figures[i]);
        if (partial)
            row->cells[w->column + i].flags |= FR_CELL_PARTIAL;
    }
    row->cells[w->column].note = w->note;
    fr_q_curve_failed(c, row, w->column, w->log->test);
}

static void write_one(struct windows *w, int64_t t, double value, double lo, double hi, double ios, bool partial)
{
    const double figures[FIGURES] = {value, (double)NAN, (double)NAN, lo, hi, value};
    fill_row(w, new_row(w, t, ios), figures, partial);
}

/* The median of n values, and their first and last percentile by the nearest rank. The values change places. */
static void write_window(struct windows *w)
{
    double *v = w->values, figures[FIGURES];
    size_t n = w->n, last = (size_t)ceil(0.99 * (double)n) - 1, middle = n / 2;
    if (!n)
        return;
    figures[P99] = fr_stats_select(v, n, last);
    double upper = fr_stats_select(v, last + 1, middle), lower = upper;
    for (size_t i = 0; n % 2 == 0 && i < middle; i++)
        lower = i == 0 || v[i] > lower ? v[i] : lower;
    figures[MEDIAN] = lower / 2 + upper / 2;
    figures[P1] = fr_stats_select(v, middle + 1, (size_t)ceil(0.01 * (double)n) - 1);
    if (n < ENOUGH) /* they would be the least and the greatest */
        figures[P1] = figures[P99] = (double)NAN;
    figures[MIN] = w->min;
    figures[MAX] = w->max;
    figures[MEAN] = w->sum / (double)n;
    fill_row(w, new_row(w, w->at * w->step, w->ios), figures, false);
    w->n = 0;
    w->sum = w->ios = 0;
}

static void put(struct windows *w, double value, double lo, double hi, double ios)
{
    if (w->n == w->alloc)
        w->values = fr_grow(w->values, w->n, &w->alloc, sizeof *w->values);
    w->min = w->n == 0 || lo < w->min ? lo : w->min;
    w->max = w->n == 0 || hi > w->max ? hi : w->max;
    w->values[w->n++] = value;
    w->sum += value;
    w->ios += ios;
}

/* ---- samples as logged ------------------------------------------------------------------------------------------- */

/* The samples of one log, in the order of the log. */
struct source {
    struct fr_series_reader in;
    struct fr_sample at;
    uint64_t left;  /* a partial last one is not among them */
    double step;    /* of a packed value, in base units */
    int max_column; /* which of the extra ones is a maximum; -1: none */
    int64_t back;   /* milliseconds from a sample's time back into the time that it is of */
    bool more;
};

static void next_sample(struct source *x)
{
    x->more = x->left > 0 && fr_series_next(&x->in, &x->at);
    x->left -= x->more;
}

/* An average is of the time before it: fio writes it some milliseconds late, so its middle says to which window. */
static int64_t back_of(const struct fr_series *series)
{
    return !series->averaged ? 0 : series->interval > 1 ? series->interval / 2 : 1;
}

static void open_source(struct source *x, const struct fr_series *series)
{
    *x = (struct source){.back = back_of(series), .step = series->step, .max_column = -1, .left = series->n};
    if (series->columns & FR_COL_MAX)
        x->max_column = __builtin_popcount(series->columns & (FR_COL_MAX - 1u));
    x->left -= series->averaged && series->last_partial && x->left > 1;
    fr_series_reader_init(&x->in, series);
    next_sample(x);
}

static double base(const struct source *x, int64_t steps)
{
    return fr_series_base((double)steps, x->step);
}

/* Rounded down also below 0: logs may begin there. */
static int64_t window_at(int64_t t, int64_t step)
{
    return t >= 0 ? t / step : -((-t + step - 1) / step);
}

static int64_t window_of(const struct source *x, int64_t step)
{
    return window_at(x->at.t - x->back, step);
}

static void put_sample(struct windows *w, const struct source *x)
{
    double value = base(x, x->at.value);
    put(w, value, value, x->max_column >= 0 ? base(x, x->at.extra[x->max_column]) : value, 1);
}

/* Each sample of one averaged log as it is: there are no more of them than the picture has columns. */
static void write_each(struct windows *w, const struct fr_series *series)
{
    struct source x;
    for (open_source(&x, series); x.more; next_sample(&x)) {
        double value = base(&x, x.at.value);
        write_one(w, x.at.t - series->interval, value, value,
                  x.max_column >= 0 ? base(&x, x.at.extra[x.max_column]) : value, 1, false);
    }
}

/* All sources window by window; false when one steps back in time, after some rows. */
static bool write_in_order(struct windows *w, struct source *sources, size_t n)
{
    bool begun = false;
    for (;;) {
        int64_t first = INT64_MAX;
        for (size_t i = 0; i < n; i++)
            if (sources[i].more && window_of(&sources[i], w->step) < first)
                first = window_of(&sources[i], w->step);
        if (first == INT64_MAX || (begun && first < w->at))
            break;
        w->at = first;
        begun = true;
        for (size_t i = 0; i < n; i++)
            for (; sources[i].more && window_of(&sources[i], w->step) == first; next_sample(&sources[i]))
                put_sample(w, &sources[i]);
        bool back = false;
        for (size_t i = 0; i < n; i++)
            back = back || (sources[i].more && window_of(&sources[i], w->step) < first);
        if (back)
            return false;
        write_window(w);
    }
    return true;
}

struct placed {
    int64_t window;
    double value, hi;
};

static int by_window(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return (x->window > y->window) - (x->window < y->window);
}

/* Where several jobs wrote one log, time steps back: put all in order first. */
static void write_sorted(struct windows *w, struct source *sources, size_t n)
{
    struct placed *all = NULL;
    size_t used = 0, alloc = 0;
    for (size_t i = 0; i < n; i++)
        for (; sources[i].more; next_sample(&sources[i])) {
            const struct source *x = &sources[i];
            double value = base(x, x->at.value);
            all = fr_grow(all, used, &alloc, sizeof *all);
            all[used++] = (struct placed){window_of(x, w->step), value,
                                          x->max_column >= 0 ? base(x, x->at.extra[x->max_column]) : value};
        }
    if (used)
        qsort(all, used, sizeof *all, by_window);
    for (size_t i = 0; i < used; i++) {
        if (i && all[i].window != w->at)
            write_window(w);
        w->at = all[i].window;
        put(w, all[i].value, all[i].value, all[i].hi, 1);
    }
    write_window(w);
    free(all);
}

static void write_samples(struct windows *w, const struct fr_part *parts, size_t n)
{
    struct fr_table *table = w->s->c->table;
    struct source *sources = fr_arena_alloc(&w->s->c->q->arena, n * sizeof *sources);
    struct fr_row *tail = table->tail;
    size_t rows = table->rows_n;
    for (size_t i = 0; i < n; i++)
        open_source(&sources[i], parts[i].series);
    if (write_in_order(w, sources, n))
        return;
    table->rows_n = rows;
    table->tail = tail;
    if (tail)
        tail->next = NULL;
    else
        table->head = NULL;
    w->n = 0;
    w->sum = w->ios = 0;
    for (size_t i = 0; i < n; i++)
        open_source(&sources[i], parts[i].series);
    write_sorted(w, sources, n);
}

/* The last average, when its interval is shorter than the others. */
static void write_partial(struct windows *w, const struct fr_series *series)
{
    struct source x;
    if (!series->averaged || !series->last_partial || series->n < 2)
        return;
    open_source(&x, series);
    for (x.left++; x.left > 0 && x.more; next_sample(&x))
        continue;
    write_one(w, x.at.t - series->interval, base(&x, x.at.value), base(&x, x.at.value), base(&x, x.at.value), 1, true);
}

/* ---- several jobs, and raw rates --------------------------------------------------------------------------------- */

/* What a combined curve is made of, as a footnote; 0: nothing to say. */
static unsigned combined_note(struct fr_q_curves *c, size_t jobs, const struct fr_grid *grid, bool rate)
{
    if (jobs < 2)
        return 0;
    if (rate)
        return fr_table_note(c->table, "Rates are the sum of %zu jobs.", jobs);
    return fr_table_note(c->table, "Latencies are of %zu jobs together, weighed by %s.", jobs,
                         grid->by_count ? "their I/Os" : "time: their logs tell no number of I/Os");
}

static int write_combined(struct windows *w, const struct fr_part *parts, size_t n, int64_t grid_ms)
{
    const struct fr_series *first = parts[0].series;
    struct fr_grid grid;
    bool rate = fr_series_is_rate(first);
    if (fr_series_combine(parts, n, grid_ms, &grid, w->s->c->q->log) != 0)
        return -1;
    w->note = combined_note(w->s->c, n, &grid, rate);
    for (size_t i = 0; i < grid.n; i++) {
        const struct fr_grid_cell *x = &grid.cells[i];
        int64_t t = grid.t0 + (int64_t)i * grid.step;
        if (!x->jobs && !(rate && !first->averaged)) /* a raw log without I/O: the rate was 0 */
            continue;
        double ios = x->ios >= 1 ? nearbyint(x->ios) : x->jobs, lo = x->jobs ? x->min : x->value,
               hi = x->jobs ? x->max : x->value;
        if (w->step < grid.step * 3 / 2 || x->partial) {
            write_window(w);
            write_one(w, t, x->value, lo, hi, ios, x->partial);
            continue;
        }
        int64_t at = window_at(t, w->step);
        if (at != w->at)
            write_window(w);
        w->at = at;
        put(w, x->value, lo, hi, ios);
    }
    write_window(w);
    fr_grid_release(&grid);
    return 0;
}

/* ---- latencies by time ------------------------------------------------------------------------------------------- */

enum { BUCKETS_MAX = 48 };

/* Buckets of the same share of a power of two. */
struct buckets {
    int first; /* number of the least: lower end is exp2(number / each) nanoseconds */
    int n, each;
};

/* The same for all curves of the picture. */
static void choose_buckets(const struct logs *s, struct buckets *b)
{
    double lo = INFINITY, hi = 0;
    for (size_t i = 0; i < s->n; i++) {
        lo = fmin(lo, s->list[i].min);
        hi = fmax(hi, s->list[i].max);
    }
    double least = log2(fmax(lo * 1e9, 1)), most = log2(fmax(hi * 1e9, 2));
    b->each = 16;
    while (b->each > 1 && (floor(most * b->each) - floor(least * b->each) + 1) > (double)BUCKETS_MAX)
        b->each /= 2;
    b->first = (int)floor(least * b->each);
    b->n = (int)floor(most * b->each) - b->first + 1;
}

static int bucket_of(const struct buckets *b, double seconds)
{
    int i = (int)floor(log2(fmax(seconds * 1e9, 1)) * b->each) - b->first;
    return i < 0 ? 0 : i >= b->n ? b->n - 1 : i;
}

static void write_counts(struct windows *w, const struct buckets *b, const uint64_t *counts, size_t cells,
                         int64_t first)
{
    struct fr_table *table = w->s->c->table;
    for (size_t i = 0; i < cells; i++)
        for (int k = 0; k < b->n; k++) {
            uint64_t count = counts[i * (size_t)b->n + (size_t)k];
            int64_t t = (first + (int64_t)i) * w->step - (w->log->series.unix_time ? w->s->origin : 0);
            if (!count)
                continue;
            struct fr_row *row = fr_table_row(table);
            fr_table_text(table, row, 0, w->log->name);
            fr_table_number(table, row, 1, (double)t / 1000);
            fr_table_number(table, row, 2, (double)(t + w->step) / 1000);
            fr_table_number(table, row, 3, exp2((double)(b->first + k) / b->each) * 1e-9);
            fr_table_number(table, row, 4, exp2((double)(b->first + k + 1) / b->each) * 1e-9);
            fr_table_number(table, row, 5, (double)count);
            row->cells[5].note = w->note;
            fr_q_curve_failed(w->s->c, row, 5, w->log->test);
        }
}

static int write_times(struct windows *w, const struct fr_part *parts, size_t n)
{
    struct fr_q_curves *c = w->s->c;
    struct buckets b;
    const struct fr_series *series = parts[0].series;
    int64_t first = INT64_MAX, last = INT64_MIN;
    choose_buckets(w->s, &b);
    for (size_t i = 0; i < n; i++)
        fr_list_each (struct fr_chunk, chunk, parts[i].series->chunks) {
            struct source ends = {.back = back_of(parts[i].series), .at = {.t = chunk->t0}};
            first = window_of(&ends, w->step) < first ? window_of(&ends, w->step) : first;
            ends.at.t = chunk->t1;
            last = window_of(&ends, w->step) > last ? window_of(&ends, w->step) : last;
        }
    if (first > last || last - first >= 100000)
        return fr_log_error(c->q->log, NULL, 0, "the times of a log make no sense, it cannot be drawn");
    size_t cells = (size_t)(last - first) + 1;
    uint64_t *counts = calloc(cells * (size_t)b.n, sizeof *counts);
    if (!counts)
        return fr_log_error(c->q->log, NULL, 0, "out of memory");
    if (series->averaged)
        w->note = fr_table_note(c->table, "Counted are fio's values of %lld ms each, not single I/Os.",
                                (long long)series->interval);
    for (size_t i = 0; i < n; i++) {
        struct source x;
        for (open_source(&x, parts[i].series); x.more; next_sample(&x)) {
            int64_t at = window_of(&x, w->step);
            if (at >= first && at <= last) /* not so in a damaged database only */
                counts[(size_t)(at - first) * (size_t)b.n + (size_t)bucket_of(&b, base(&x, x.at.value))]++;
        }
    }
    write_counts(w, &b, counts, cells, first);
    free(counts);
    return 0;
}

/* ---- what a run says of its time --------------------------------------------------------------------------------- */

/* A param in seconds, as fio_options.h spells them; 0: none. */
static double seconds_of(const struct fr_q_test *test, const char *key)
{
    const char *text = fr_q_param(test, key);
    double value;
    return text && fr_str_double(fr_str(text), &value) ? value : 0;
}

/* A job ends when it attains the steady state: the window is what lies before the end. */
static void add_spans(struct logs *s, const struct log_series *l, const struct fr_part *parts, size_t n)
{
    const char *attained = fr_q_param(l->test, "steadystate_attained");
    struct fr_table *table = s->c->table;
    int64_t end = INT64_MIN, start = INT64_MAX, origin = l->series.unix_time ? s->origin : 0;
    double steady = seconds_of(l->test, "steadystate_duration"), ramp = seconds_of(l->test, "ramp_time");
    for (size_t i = 0; i < n; i++)
        fr_list_each (struct fr_chunk, chunk, parts[i].series->chunks) {
            end = chunk->t1 > end ? chunk->t1 : end;
            start = chunk->t0 < start ? chunk->t0 : start;
        }
    double to = (double)(end - origin) / 1000, from = (double)(start - origin) / 1000;
    if (attained && strcmp(attained, "1") == 0 && steady > 0)
        fr_table_span(table, l->name, fmax(to - steady, 0), to, "steady state");
    else if (attained && strcmp(attained, "1") == 0)
        fr_table_note(table, "A steady state was attained; its length is not known.");
    else if (attained)
        fr_table_note(table, "No steady state was attained.");
    if (ramp > 0 && from < ramp * 0.9 && !l->series.unix_time)
        fr_table_span(table, l->name, 0, ramp, "ramp_time");
    else if (ramp > 0)
        fr_table_note(table, "Not in the log: fio's ramp_time of %g s before it.", ramp);
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

struct chunk_copy {
    struct fr_arena *arena;
    struct fr_series *series;
};

static int add_chunk(void *ctx, const struct fr_chunk *chunk)
{
    struct chunk_copy *copy = ctx;
    struct fr_chunk *mine = fr_arena_new(copy->arena, struct fr_chunk);
    uint8_t *data = fr_arena_alloc(copy->arena, chunk->size + 1);
    if (chunk->size) /* a damaged one has no bytes */
        memcpy(data, chunk->data, chunk->size);
    *mine = *chunk;
    mine->next = NULL;
    mine->data = data;
    fr_list_add(&copy->series->chunks, mine);
    return 0;
}

static int load_chunks(struct fr_q_curves *c, long long id, struct fr_series *series, struct fr_arena *arena)
{
    struct chunk_copy copy = {arena, series};
    series->chunks.head = series->chunks.tail = NULL;
    return fr_store_chunks(c->q->store, id, add_chunk, &copy, c->q->log);
}

/* Do the samples make the curve? A raw bandwidth that tells no sizes is what single I/Os were said to have. */
static bool by_samples(const struct fr_series *series, size_t n)
{
    if (series->averaged)
        return n == 1;
    return !fr_series_is_rate(series) || (series->metric == FR_M_BW && !(series->columns & FR_COL_BS));
}

/* With log_max_value fio logs the greatest of each interval in place of the mean. */
static void note_maxima(const struct windows *w, const struct fr_series *series)
{
    const char *maxima = fr_q_param(w->log->test, "log_max_value");
    if (series->averaged && maxima && strcmp(maxima, "1") == 0)
        fr_table_note(w->s->c->table, "Logged is the greatest of each %lld ms (log_max_value), not the mean.",
                      (long long)usual_step((double)series->interval * 0.9));
}

static int write_curve(struct windows *w, const struct fr_part *parts, const struct log_series *const *logs, size_t n,
                       enum fr_shape shape)
{
    const struct fr_series *first = parts[0].series;
    note_maxima(w, first);
    if (shape == FR_SHAPE_TIME)
        return write_times(w, parts, n);
    add_spans(w->s, w->log, parts, n);
    if (!by_samples(first, n))
        return write_combined(w, parts, n, grid_step(logs, n, w->s->span));
    if (first->averaged && w->step < first->interval * 3 / 2)
        write_each(w, first);
    else
        write_samples(w, parts, n);
    write_partial(w, first);
    return 0;
}

/* The curve that begins with log i. */
static int add_curve(struct logs *s, size_t i, enum fr_shape shape)
{
    struct log_series *first = &s->list[i];
    struct fr_arena arena = FR_ARENA_INIT;
    struct fr_part *parts = fr_arena_alloc(&arena, (s->n - i) * sizeof *parts);
    const struct log_series **logs = fr_arena_alloc(&arena, (s->n - i) * sizeof *logs);
    size_t n = 0;
    int rc = 0;
    for (size_t j = i; rc == 0 && j < s->n; j++) {
        struct log_series *l = &s->list[j];
        if (l->done || !same_curve(l, first))
            continue;
        l->done = true;
        logs[n] = l;
        parts[n] = (struct fr_part){.series = &l->series};
        rc = load_chunks(s->c, l->id, &l->series, &arena);
        if (rc == 0 && l->iops && l->series.averaged && !fr_series_is_rate(&l->series)) {
            rc = load_chunks(s->c, l->iops, &l->weights, &arena);
            parts[n].iops = &l->weights;
        }
        n++;
    }
    struct windows w = {.s = s, .log = first, .column = 3 + first->metric * FIGURES, .step = window_step(s, first)};
    if (shape == FR_SHAPE_TIME)
        w.step = time_step(s);
    if (rc == 0)
        rc = write_curve(&w, parts, logs, n, shape);
    free(w.values);
    fr_arena_release(&arena);
    return rc;
}

static void series_columns(struct fr_q_curves *c)
{
    static const char *const heads[FIGURES] = {"median", "p1", "p99", "min", "max", "mean"};
    fr_table_column(c->table, "series", FR_COL_KEY);
    fr_q_curve_column(c->table, "t", FR_COL_X, FR_DIM_SECONDS);
    fr_q_curve_column(c->table, "n", FR_COL_INFO, FR_DIM_COUNT);
    for (size_t m = 0; m < c->metrics.n; m++) {
        const struct fr_metric *info = fr_metric_get(c->metrics.metric[m].metric);
        const char *title = fr_arena_strdup(&c->table->arena, fr_q_curve_title(c, m));
        for (size_t i = 0; i < FIGURES; i++) {
            fr_q_curve_column(c->table, heads[i], FR_COL_VALUE, info->dim);
            struct fr_column *column = &c->table->columns[c->table->columns_n - 1];
            column->better = info->better;
            column->metric = info->name;
            column->group = c->metrics.n > 1 ? title : NULL;
        }
    }
}

static void time_columns(struct fr_q_curves *c)
{
    fr_table_column(c->table, "series", FR_COL_KEY);
    fr_q_curve_column(c->table, "t", FR_COL_X, FR_DIM_SECONDS);
    fr_q_curve_column(c->table, "t end", FR_COL_X_END, FR_DIM_SECONDS);
    fr_q_curve_column(c->table, "lower", FR_COL_X, FR_DIM_SECONDS);
    fr_q_curve_column(c->table, "upper", FR_COL_X_END, FR_DIM_SECONDS);
    fr_q_curve_column(c->table, "count", FR_COL_VALUE, FR_DIM_COUNT);
}

int fr_q_series(struct fr_q_curves *c, enum fr_shape shape)
{
    struct logs s = {.c = c};
    int rc = gather(&s);
    if (shape == FR_SHAPE_TIME)
        time_columns(c);
    else
        series_columns(c);
    for (size_t i = 0; i < s.n && rc == 0; i++)
        if (!s.list[i].done)
            rc = add_curve(&s, i, shape);
    free(s.list);
    return rc != 0 ? -1 : c->table->rows_n ? 0 : fr_q_curve_nothing(c, shape);
}
