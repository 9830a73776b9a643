/* series_combine.c: the series of several jobs on a common grid. See series.h. */
#include "series.h"

#include <math.h>

#include "banned.h"

/* What one job has in one cell. */
struct share {
    double amount;  /* rate times milliseconds; or, of raw logs, bytes or I/Os times 1000 */
    double weighed; /* latency times weight */
    double weight;  /* milliseconds, or I/Os of a raw log */
    double min, max;
    bool any;
};

struct combine {
    struct fr_grid *grid;
    struct share *shares; /* of the job at hand, one a cell */
    double *ios;          /* of the job at hand; 0: not known */
    double *weight;       /* of all jobs so far */
    int64_t end;          /* last time that any job has something */
    bool rate;
};

static size_t cell_of(const struct fr_grid *g, int64_t t)
{
    int64_t i = t <= g->t0 ? 0 : (t - g->t0) / g->step;
    return (size_t)i < g->n ? (size_t)i : g->n - 1;
}

static void note(struct share *s, double value)
{
    s->min = !s->any || value < s->min ? value : s->min;
    s->max = !s->any || value > s->max ? value : s->max;
    s->any = true;
}

/* A value that holds from (exclusive) to: over each cell by the time it has of it. */
static void spread(const struct fr_grid *g, struct share *shares, int64_t from, int64_t to, double value)
{
    if (from < g->t0)
        from = g->t0;
    for (size_t i = cell_of(g, from); i < g->n; i++) {
        int64_t start = g->t0 + (int64_t)i * g->step, end = start + g->step;
        int64_t a = from > start ? from : start, b = to < end ? to : end;
        if (b <= a)
            break;
        shares[i].amount += value * (double)(b - a);
        shares[i].weighed += value * (double)(b - a);
        shares[i].weight += (double)(b - a);
        note(&shares[i], value);
    }
}

/* One I/O of a raw log. */
static void count(const struct fr_series *s, struct share *share, const struct fr_sample *x)
{
    double value = fr_series_base((double)x->value, s->step);
    double size = s->columns & FR_COL_BS ? (double)x->extra[0] : value; /* the first of the extra columns */
    share->amount += (s->metric == FR_M_BW ? size : 1) * 1000;
    share->weighed += value;
    share->weight += 1;
    note(share, value);
}

/* One series into shares, one a cell. */
static void fill(const struct combine *c, const struct fr_series *s, struct share *shares)
{
    struct fr_series_reader r;
    struct fr_sample x;
    int64_t before = s->unix_time ? INT64_MIN : 0;
    memset(shares, 0, c->grid->n * sizeof *shares);
    fr_series_reader_init(&r, s);
    while (fr_series_next(&r, &x)) {
        if (!s->averaged) {
            count(s, &shares[cell_of(c->grid, x.t)], &x);
            continue;
        }
        /* Without one before it, or behind it in time, an interval is as long as the others. */
        int64_t interval = s->interval > 0 ? s->interval : 1000;
        int64_t from = before == INT64_MIN || x.t <= before ? x.t - interval : before;
        spread(c->grid, shares, from, x.t, fr_series_base((double)x.value, s->step));
        before = x.t;
    }
}

static bool bounds(const struct fr_part *parts, size_t n, int64_t *from, int64_t *to)
{
    bool any = false;
    *from = 0;
    *to = 0;
    for (size_t i = 0; i < n; i++)
        fr_list_each (struct fr_chunk, c, parts[i].series->chunks) {
            int64_t start =
                parts[i].series->unix_time ? c->t0 - (parts[i].series->averaged ? parts[i].series->interval : 0) : 0;
            *from = !any || start < *from ? start : *from;
            *to = !any || c->t1 > *to ? c->t1 : *to;
            any = true;
        }
    return any;
}

/* Rates add up: amount over time. In the last cell the time is what there is of it. */
static void add_rates(const struct combine *c)
{
    const struct fr_grid *g = c->grid;
    for (size_t i = 0; i < g->n; i++) {
        int64_t start = g->t0 + (int64_t)i * g->step, length = g->step;
        if (i + 1 == g->n && c->end < start + length)
            length = c->end > start ? c->end - start : 1;
        if (c->shares[i].any)
            g->cells[i].value += c->shares[i].amount / (double)length;
        g->cells[i].min = g->cells[i].max = g->cells[i].value;
    }
}

/* Latencies merge: by I/Os, where they are known of all jobs, else by time. */
static void merge_latencies(const struct combine *c, bool raw)
{
    const struct fr_grid *g = c->grid;
    for (size_t i = 0; i < g->n; i++) {
        const struct share *s = &c->shares[i];
        struct fr_grid_cell *cell = &g->cells[i];
        if (!s->any)
            continue;
        double mean = s->weighed / s->weight, time = raw ? (double)g->step : s->weight;
        double weight = g->by_count ? fmax(c->ios[i], 0) : time;
        double total = c->weight[i] + weight;
        cell->min = cell->jobs == 0 || s->min < cell->min ? s->min : cell->min;
        cell->max = cell->jobs == 0 || s->max > cell->max ? s->max : cell->max;
        if (total > 0)
            cell->value = (cell->value * c->weight[i] + mean * weight) / total;
        else if (cell->jobs == 0)
            cell->value = mean;
        c->weight[i] = total;
    }
}

static void add_part(struct combine *c, const struct fr_part *p)
{
    struct fr_grid *g = c->grid;
    const struct fr_series *own = p->series;
    if (p->iops)
        fill(c, p->iops, c->shares);
    for (size_t i = 0; p->iops && i < g->n; i++)
        c->ios[i] = c->shares[i].amount / 1000;
    fill(c, own, c->shares);
    for (size_t i = 0; !p->iops && i < g->n; i++)
        c->ios[i] = !own->averaged ? c->shares[i].weight : own->metric == FR_M_IOPS ? c->shares[i].amount / 1000 : 0;
    if (c->rate)
        add_rates(c);
    else
        merge_latencies(c, !own->averaged);
    for (size_t i = 0; i < g->n; i++) {
        g->cells[i].ios += c->ios[i];
        g->cells[i].jobs += c->shares[i].any;
    }
}

static int check(const struct fr_part *parts, size_t n, int64_t step, struct fr_log *log)
{
    if (n == 0 || step <= 0)
        return fr_log_error(log, NULL, 0, "there is no series to combine");
    for (size_t i = 1; i < n; i++) {
        if (parts[i].series->unix_time != parts[0].series->unix_time)
            return fr_log_error(log, NULL, 0,
                                "some series count time from 1970 and some from the start of their job, not combined");
        if (parts[i].series->metric != parts[0].series->metric)
            return fr_log_error(log, NULL, 0, "series of several metrics cannot be combined");
    }
    return 0;
}

int fr_series_combine(const struct fr_part *parts, size_t n, int64_t step, struct fr_grid *out, struct fr_log *log)
{
    int64_t from, to;
    *out = (struct fr_grid)FR_GRID_INIT;
    if (check(parts, n, step, log) != 0)
        return -1;
    if (!bounds(parts, n, &from, &to))
        return fr_log_error(log, NULL, 0, "there is no sample to combine");
    out->step = step;
    out->t0 = from - (from % step + step) % step;
    uint64_t cells = ((uint64_t)to - (uint64_t)out->t0) / (uint64_t)step + 1;
    /* A sample of an average that falls on a boundary belongs to what lies before it. */
    if (parts[0].series->averaged && cells > 1 && (to - out->t0) % step == 0)
        cells--;
    if (cells > FR_GRID_MAX)
        return fr_log_error(log, NULL, 0, "%llu steps of %lld ms are too many to combine (at most %zu)",
                            (unsigned long long)cells, (long long)step, FR_GRID_MAX);
    out->n = (size_t)cells;
    struct combine c = {.grid = out, .end = to, .rate = fr_series_is_rate(parts[0].series)};
    out->cells = calloc(out->n, sizeof *out->cells);
    c.shares = calloc(out->n, sizeof *c.shares);
    c.ios = calloc(out->n, sizeof *c.ios);
    c.weight = calloc(out->n, sizeof *c.weight);
    int rc = out->cells && c.shares && c.ios && c.weight ? 0 : fr_log_error(log, NULL, 0, "out of memory");
    out->by_count = !c.rate;
    for (size_t i = 0; i < n; i++)
        out->by_count = out->by_count && (!parts[i].series->averaged || parts[i].iops);
    for (size_t i = 0; rc == 0 && i < n; i++)
        add_part(&c, &parts[i]);
    int64_t last_end = out->t0 + (int64_t)out->n * step;
    if (rc == 0)
        out->cells[out->n - 1].partial = to < last_end - step / 10;
    free(c.shares);
    free(c.ios);
    free(c.weight);
    if (rc != 0)
        fr_grid_release(out);
    return rc;
}

void fr_grid_release(struct fr_grid *grid)
{
    free(grid->cells);
    *grid = (struct fr_grid)FR_GRID_INIT;
}
