/*
 * chart_cdf.c: distributions of latency: the share of I/Os at or below each (`cdf`), and how many took how long
 * (`histogram`). Table: KEY series, X lower, X_END upper, VALUE count; lower and upper in seconds.
 */
#include <math.h>

#include "log.h"
#include "marks.h"
#include "plot.h"
#include "render.h"

#include "banned.h"

#define CDF_H    276.0
#define HIST_H   150.0 /* of one series */
#define HIST_MAX 24    /* series with a histogram each */
enum { BARS = 90 };    /* of a histogram of fine bins */

struct dist {
    struct fr_curves bins; /* x: lower, lo: lower, hi: upper, y: count; seconds */
    double lo, hi;         /* least lower above 0, greatest finite upper */
    double open;           /* where a bin without an upper end begins; 0: there is none */
    const char *name;      /* of the metric */
};

static int load(struct dist *d, const struct fr_table *t, struct fr_frame *f, struct fr_log *log)
{
    int key = fr_column_of(t, FR_COL_KEY, 0), lower = fr_column_of(t, FR_COL_X, 0),
        upper = fr_column_of(t, FR_COL_X_END, 0), count = fr_column_of(t, FR_COL_VALUE, 0);
    if (lower < 0 || upper < 0 || count < 0)
        return fr_log_error(log, NULL, 0, "the table has no histogram, no chart was written");
    for (const struct fr_row *row = t->head; row; row = row->next) {
        const struct fr_cell *cell = &row->cells[count];
        if (cell->kind != FR_CELL_NUMBER || !(cell->value > 0) || row->cells[lower].kind != FR_CELL_NUMBER)
            continue;
        bool open = row->cells[upper].kind != FR_CELL_NUMBER;
        double a = row->cells[lower].value, z = open ? INFINITY : row->cells[upper].value;
        const char *name = fr_curve_name(row, key);
        fr_curve_add(fr_curves_find(&d->bins, name), (struct fr_curve_point){a, cell->value, a, z, false});
        fr_curve_note(f, row, cell, name[0] ? fr_arena_printf(&f->arena, "%s: ", name) : "");
        if (a > 0 && (d->lo == 0 || a < d->lo))
            d->lo = a;
        d->open = open ? fmax(d->open, a) : d->open;
        d->hi = fmax(d->hi, open ? a : z);
    }
    if (d->bins.n == 0 || !(d->hi > 0))
        return fr_log_error(log, NULL, 0, "the selection has no histogram, no chart was written");
    if (d->lo == 0 || d->lo >= d->hi)
        d->lo = d->hi / 10;
    fr_curves_sort(&d->bins);
    fr_curves_looks(&d->bins, t, &f->arena);
    return 0;
}

static double total_of(const struct fr_curve *curve)
{
    double total = 0;
    for (size_t i = 0; i < curve->n; i++)
        total += curve->points[i].y;
    return total;
}

/* The upper end of a bin, in the picture: an open one ends where the axis does. */
static double end_of(const struct dist *d, const struct fr_curve_point *p)
{
    return isfinite(p->hi) ? p->hi : d->hi;
}

static void fit_x(struct fr_axis *x, const struct dist *d)
{
    x->scale = FR_SCALE_LOG;
    x->seconds = 1;
    fr_axis_fit(x, d->lo, d->hi, false, true, 8);
}

/* ---- cdf --------------------------------------------------------------------------------------------------------- */

/* Steps: below a bin's upper end nothing is known of where in it the I/Os are. */
static void accumulate(const struct dist *d, struct fr_curves *out)
{
    for (size_t i = 0; i < d->bins.n; i++) {
        const struct fr_curve *in = &d->bins.list[i];
        double total = total_of(in), sum = 0;
        struct fr_curve *curve = fr_curves_find(out, in->name);
        curve->index = in->index;
        double first = in->points[0].lo > 0 ? in->points[0].lo : d->lo;
        fr_curve_add(curve, (struct fr_curve_point){first, 0, (double)NAN, (double)NAN, false});
        for (size_t k = 0; k < in->n && isfinite(in->points[k].hi); k++) {
            sum += in->points[k].y;
            double x = in->points[k].hi;
            fr_curve_add(curve, (struct fr_curve_point){x, sum / total * 100, (double)NAN, (double)NAN, false});
        }
    }
}

static int draw_cdf_plot(struct fr_frame *f, const struct dist *d, const struct fr_curves *curves,
                         const struct fr_chart_options *options, struct fr_log *log)
{
    struct fr_plot p = {.frame = f, .x_title = "latency, log scale, ← lower is better"};
    p.y_title = "share of I/Os that took at most so long, %";
    fit_x(&p.x, d);
    fr_axis_fit(&p.y, 0, 100, true, false, 5);
    fr_curves_keys(curves, f, false, false);
    if (fr_plots_begin(&p, 1, options, CDF_H, log) != 0)
        return -1;
    fr_clip(f->canvas, p.left, p.top - 2, p.right - p.left, p.bottom - p.top + 4);
    fr_curves_draw(curves, &p, false, true);
    fr_unclip(f->canvas);
    return 0;
}

static int draw_cdf(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                    struct fr_log *log)
{
    struct fr_frame f;
    struct dist d = {.lo = 0};
    struct fr_curves curves = {0};
    int rc = fr_frame_init(&f, canvas, table, options, log);
    if (rc == 0)
        rc = load(&d, table, &f, log);
    if (rc == 0) {
        if (d.open > 0)
            fr_frame_note(&f, "What a line lacks to 100 %% took longer than its end.");
        accumulate(&d, &curves);
        rc = draw_cdf_plot(&f, &d, &curves, options, log);
    }
    fr_curves_release(&curves);
    fr_curves_release(&d.bins);
    fr_frame_release(&f);
    return rc;
}

/* ---- histogram --------------------------------------------------------------------------------------------------- */

struct bars {
    double edge[BARS + 1]; /* of fine bins: equal on the log axis */
    double share[BARS];
    bool fine;
};

/* Fine bins are put together into bars of equal width on the axis; coarse ones stay as they are. */
static void rebin(struct bars *b, const struct dist *d, const struct fr_axis *x, const struct fr_curve *curve)
{
    double total = total_of(curve);
    *b = (struct bars){.fine = curve->n > 60};
    if (!b->fine)
        return;
    for (size_t i = 0; i <= BARS; i++)
        b->edge[i] = x->min * pow(x->max / x->min, (double)i / (double)BARS);
    for (size_t k = 0; k < curve->n; k++) {
        double a = fmax(curve->points[k].lo, x->min), z = end_of(d, &curve->points[k]);
        double at = fr_axis_share(x, sqrt(a * fmax(z, a))) * (double)BARS;
        size_t i = at < 0 ? 0 : at >= (double)BARS ? BARS - 1 : (size_t)at;
        b->share[i] += curve->points[k].y / total * 100;
    }
}

static double highest(const struct bars *b, const struct fr_curve *curve)
{
    double most = 0, total = total_of(curve);
    if (b->fine) {
        for (size_t i = 0; i < BARS; i++)
            most = fmax(most, b->share[i]);
        return most;
    }
    for (size_t k = 0; k < curve->n; k++)
        most = fmax(most, curve->points[k].y / total * 100);
    return most;
}

static void draw_bars(const struct fr_plot *p, const struct bars *b, const struct dist *d, const struct fr_curve *curve)
{
    struct fr_canvas *canvas = p->frame->canvas;
    struct fr_paint paint = fr_theme_fill(p->frame->theme, curve->index);
    paint.line = b->fine ? 0 : 0.75;
    double total = total_of(curve);
    for (size_t i = 0; b->fine && i < BARS; i++) {
        double x = fr_axis_at(&p->x, b->edge[i]), end = fr_axis_at(&p->x, b->edge[i + 1]);
        double y = fr_axis_at(&p->y, b->share[i]);
        if (b->share[i] > 0)
            fr_draw_rect(canvas, x, fmin(y, p->bottom - 0.7), end - x - 0.7, p->bottom - fmin(y, p->bottom - 0.7),
                         &paint);
    }
    for (size_t k = 0; !b->fine && k < curve->n; k++) {
        const struct fr_curve_point *bin = &curve->points[k];
        double x = fr_axis_at(&p->x, fmax(bin->lo, p->x.min)), end = fr_axis_at(&p->x, end_of(d, bin));
        double y = fmin(fr_axis_at(&p->y, bin->y / total * 100), p->bottom - 0.7);
        fr_draw_rect(canvas, x, y, fmax(end - x - 0.7, 1), p->bottom - y, &paint);
    }
}

static int draw_histograms(struct fr_frame *f, const struct dist *d, const struct fr_chart_options *options,
                           struct fr_log *log)
{
    size_t n = d->bins.n < HIST_MAX ? d->bins.n : HIST_MAX;
    if (n < d->bins.n)
        fr_frame_note(f, "The first %zu of %zu distributions.", n, d->bins.n);
    fr_frame_note(f, "Height: share of I/Os in a bar, %%.%s",
                  d->open > 0 ? " The last bar has no upper end: it holds all that took longer." : "");
    struct bars *bars = fr_arena_alloc(&f->arena, n * sizeof *bars);
    struct fr_plot *plots = fr_arena_alloc(&f->arena, n * sizeof *plots);
    for (size_t i = 0; i < n; i++) {
        struct fr_plot *p = &plots[i];
        *p = (struct fr_plot){.frame = f, .heading = d->bins.list[i].name, .y_title = "%"};
        p->x_title = i + 1 == n ? "latency, log scale, ← lower is better" : "";
        fit_x(&p->x, d);
        rebin(&bars[i], d, &p->x, &d->bins.list[i]);
        fr_axis_fit(&p->y, 0, highest(&bars[i], &d->bins.list[i]), true, true, 3);
    }
    if (fr_plots_begin(plots, n, options, HIST_H, log) != 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        draw_bars(&plots[i], &bars[i], d, &d->bins.list[i]);
    return 0;
}

static int draw_histogram(struct fr_canvas *canvas, const struct fr_table *table,
                          const struct fr_chart_options *options, struct fr_log *log)
{
    struct fr_frame f;
    struct dist d = {.lo = 0};
    int rc = fr_frame_init(&f, canvas, table, options, log);
    if (rc == 0)
        rc = load(&d, table, &f, log);
    if (d.open > 0) /* room for a bar that begins there */
        d.hi = fmax(d.hi, d.open * 2);
    if (rc == 0)
        rc = draw_histograms(&f, &d, options, log);
    fr_curves_release(&d.bins);
    fr_frame_release(&f);
    return rc;
}

const struct fr_chart_kind fr_chart_cdf = {"cdf", "share of I/Os against latency", FR_SHAPE_BINS, draw_cdf, false};
const struct fr_chart_kind fr_chart_histogram = {"histogram", "how many I/Os took how long", FR_SHAPE_BINS,
                                                 draw_histogram, false};
