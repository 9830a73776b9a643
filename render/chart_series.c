/*
 * chart_series.c: a metric over time: the mean as a line, lowest to highest as a band.
 * Table: KEY series, X t (seconds), VALUE mean, min, max (the last two may be missing), INFO n.
 *
 * A picture has fewer columns than a log has seconds: what falls into one column of pixels becomes one point, its mean
 * weighted by n and its band from the least minimum to the greatest maximum, so nothing that stands out is lost. A last
 * interval that is shorter than the others (FR_CELL_PARTIAL) is left out: it would draw a spike that was not there.
 */
#include <math.h>

#include "log.h"
#include "marks.h"
#include "plot.h"
#include "render.h"

#include "banned.h"

#define PLOT_H 320.0
enum { BANDS_MAX = 4 }; /* series with a band; more would hide each other */

struct columns {
    int key, t, n, mean, min, max;
};

static bool find_columns(const struct fr_table *table, struct columns *c)
{
    *c = (struct columns){.key = fr_column_of(table, FR_COL_KEY, 0),
                          .t = fr_column_of(table, FR_COL_X, 0),
                          .n = fr_column_of(table, FR_COL_INFO, 0),
                          .mean = fr_column_named(table, "mean"),
                          .min = fr_column_named(table, "min"),
                          .max = fr_column_named(table, "max")};
    if (c->mean < 0)
        c->mean = fr_column_of(table, FR_COL_VALUE, 0);
    return c->t >= 0 && c->mean >= 0;
}

/* The least distance between two rows of a curve, in seconds; 1 where there is none. */
static double least_step(const struct fr_table *table, const struct columns *c)
{
    double least = INFINITY;
    for (const struct fr_row *row = table->head; row && row->next; row = row->next) {
        double d = row->next->cells[c->t].value - row->cells[c->t].value;
        if (d > 0 && d < least)
            least = d;
    }
    return isfinite(least) ? least : 1;
}

/* First and last second that is drawn. */
static bool time_range(const struct fr_table *table, const struct columns *c, double *t0, double *t1)
{
    bool any = false;
    for (const struct fr_row *row = table->head; row; row = row->next) {
        if (row->cells[c->t].kind != FR_CELL_NUMBER || row->cells[c->mean].kind != FR_CELL_NUMBER)
            continue;
        double t = row->cells[c->t].value;
        *t0 = any ? fmin(*t0, t) : t;
        *t1 = any ? fmax(*t1, t) : t;
        any = true;
    }
    return any;
}

/* Add a row to the last point of its curve, when both are in one column of pixels; else it is a new point. */
static void add_row(struct fr_curve *curve, double column, double *column_n, double t, const struct fr_curve_point *p,
                    double n, double t0)
{
    struct fr_curve_point *last = curve->n ? &curve->points[curve->n - 1] : NULL;
    if (!last || floor((last->x - t0) / column) != floor((t - t0) / column)) {
        fr_curve_add(curve, *p);
        *column_n = n;
        return;
    }
    last->y = (last->y * *column_n + p->y * n) / (*column_n + n);
    *column_n += n;
    last->lo = fmin(last->lo, p->lo);
    last->hi = fmax(last->hi, p->hi);
}

static double number_or(const struct fr_row *row, int column, double otherwise)
{
    return column >= 0 && row->cells[column].kind == FR_CELL_NUMBER ? row->cells[column].value : otherwise;
}

/* Rows of a curve stand together and in order of time. */
static void load(struct fr_curves *curves, struct fr_frame *f, const struct columns *c, double t0, double column)
{
    const struct fr_table *table = f->table;
    double scale = table->columns[c->mean].scale != 0 ? table->columns[c->mean].scale : 1, column_n = 0;
    const char *name = NULL;
    struct fr_curve *curve = NULL;
    for (const struct fr_row *row = table->head; row; row = row->next) {
        const struct fr_cell *mean = &row->cells[c->mean];
        if (row->cells[c->t].kind != FR_CELL_NUMBER || mean->kind != FR_CELL_NUMBER || (mean->flags & FR_CELL_PARTIAL))
            continue;
        const char *its = c->key >= 0 && row->cells[c->key].kind == FR_CELL_TEXT ? row->cells[c->key].text : "";
        if (!curve || (its != name && strcmp(its, name) != 0)) {
            curve = fr_curves_find(curves, its);
            column_n = 0;
        }
        name = its;
        double t = row->cells[c->t].value, n = fmax(number_or(row, c->n, 1), 1);
        struct fr_curve_point p = {t, mean->value / scale, number_or(row, c->min, mean->value) / scale,
                                   number_or(row, c->max, mean->value) / scale, false};
        add_row(curve, column, &column_n, t, &p, n, t0);
        if (mean->note && mean->note <= table->notes_n)
            fr_frame_note(f, "%s", table->notes[mean->note - 1]);
    }
}

/* Long runs are shown in minutes or hours. */
static const char *choose_time(struct fr_curves *curves, double seconds)
{
    double unit = seconds >= 4 * 3600 ? 3600 : seconds >= 20 * 60 ? 60 : 1;
    for (size_t i = 0; i < curves->n && unit > 1; i++)
        for (size_t k = 0; k < curves->list[i].n; k++)
            curves->list[i].points[k].x /= unit;
    return unit == 3600 ? "time, h" : unit == 60 ? "time, min" : "time, s";
}

/* The usual distance between points; where it is much longer the line is broken. */
static double usual_step(const struct fr_curve *curve)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 1; i < curve->n && n < 64; i++, n++)
        sum += curve->points[i].x - curve->points[i - 1].x;
    return n ? sum / (double)n : 0;
}

static void draw_band(const struct fr_curve *curve, size_t i, size_t n, const struct fr_plot *plot)
{
    struct fr_point *points = malloc(2 * n * sizeof *points);
    if (!points)
        return;
    for (size_t k = 0; k < n; k++) {
        const struct fr_curve_point *p = &curve->points[i + k];
        double x = fr_axis_at(&plot->x, p->x);
        points[k] = (struct fr_point){x, fr_axis_at(&plot->y, p->lo)};
        points[2 * n - 1 - k] = (struct fr_point){x, fr_axis_at(&plot->y, p->hi)};
    }
    struct fr_paint paint = fr_theme_line(plot->frame->theme, curve->index);
    paint.line = 0;
    paint.fill_alpha = 0.2;
    fr_draw_path(plot->frame->canvas, points, 2 * n, true, &paint);
    free(points);
}

static void draw_curve(const struct fr_curve *curve, const struct fr_plot *plot, bool band)
{
    double step = usual_step(curve);
    struct fr_paint line = fr_theme_line(plot->frame->theme, curve->index);
    line.line = 1.6;
    for (size_t i = 0, n; i < curve->n; i += n) {
        for (n = 1; i + n < curve->n && curve->points[i + n].x - curve->points[i + n - 1].x <= step * 3.5; n++)
            ;
        struct fr_point *points = malloc(n * sizeof *points);
        for (size_t k = 0; points && k < n; k++)
            points[k] = (struct fr_point){fr_axis_at(&plot->x, curve->points[i + k].x),
                                          fr_axis_at(&plot->y, curve->points[i + k].y)};
        if (band && n > 1)
            draw_band(curve, i, n, plot);
        if (points)
            fr_draw_path(plot->frame->canvas, points, n, false, &line);
        if (points && n == 1) {
            struct fr_paint dot = line;
            dot.line = 0;
            fr_draw_marker(plot->frame->canvas, points[0].x, points[0].y, 5, 0, &dot);
        }
        free(points);
    }
}

static void fit_axes(struct fr_plot *p, const struct fr_curves *curves, const struct fr_column *c, bool band,
                     bool log_axis)
{
    double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
    fr_curves_range(curves, &x0, &x1, &y0, &y1);
    if (!band) {
        y1 = 0;
        for (size_t i = 0; i < curves->n; i++)
            for (size_t k = 0; k < curves->list[i].n; k++)
                y1 = fmax(y1, curves->list[i].points[k].y);
    }
    p->y.binary = fr_unit_is_binary(c->unit);
    p->y.seconds = c->dim == FR_DIM_SECONDS ? c->scale : 0;
    double least = fr_curves_least(curves);
    p->y.scale = log_axis && least > 0 ? FR_SCALE_LOG : FR_SCALE_LINEAR;
    fr_axis_fit(&p->y, p->y.scale == FR_SCALE_LOG ? least : fmin(y0, 0), y1, true, true, 5);
    fr_axis_fit(&p->x, x0, x1, false, false, 8);
}

static int draw_plot(struct fr_frame *f, struct fr_curves *curves, const struct columns *c, bool band, double column,
                     double step, double seconds, const struct fr_chart_options *options, struct fr_log *log)
{
    const struct fr_column *mean = &f->table->columns[c->mean];
    struct fr_plot p = {.frame = f, .x_title = choose_time(curves, seconds)};
    fit_axes(&p, curves, mean, band, options->log_axis);
    bool log_axis = p.y.scale == FR_SCALE_LOG;
    p.y_title = fr_axis_title(&f->arena, "", log_axis && p.y.seconds > 0 ? "" : mean->unit, log_axis,
                              fr_better_text(mean->better, false));
    fr_curves_keys(curves, f, false, false);
    char each[40];
    if (column > step || step != 1)
        fr_frame_note(f, "Line: mean of %s %s each%s.", fr_number_format(column < 1 ? column * 1000 : column, 2, each),
                      column < 1 ? "ms" : "s", band ? "; band: lowest to highest" : "");
    else
        fr_frame_note(f, "Line: mean of each second%s.", band ? "; band: lowest to highest" : "");
    fr_frame_measure(f);
    double width = f->width - 2 * FR_MARGIN;
    fr_plot_measure(&p, width);
    double height = options->height > 0 ? fmax(200, options->height - f->top - f->bottom) : PLOT_H;
    if (fr_frame_begin(f, height, log) != 0)
        return -1;
    fr_plot_place(&p, FR_MARGIN, f->top, width, height, 0);
    fr_plot_axes(&p);
    fr_clip(f->canvas, p.left - 1, p.top - 1, p.right - p.left + 2, p.bottom - p.top + 2);
    for (size_t i = 0; i < curves->n; i++)
        draw_curve(&curves->list[i], &p, band);
    fr_unclip(f->canvas);
    return 0;
}

static bool has_spread(const struct fr_curves *curves)
{
    for (size_t i = 0; i < curves->n; i++)
        for (size_t k = 0; k < curves->list[i].n; k++)
            if (curves->list[i].points[k].hi > curves->list[i].points[k].lo)
                return true;
    return false;
}

static int draw(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                struct fr_log *log)
{
    struct fr_frame f;
    struct fr_curves curves = {0};
    struct columns c;
    double t0 = 0, t1 = 0;
    int rc = fr_frame_init(&f, canvas, table, options, log);
    if (rc == 0 && (!find_columns(table, &c) || !time_range(table, &c, &t0, &t1)))
        rc = fr_log_error(log, NULL, 0, "the selection has no series, no chart was written");
    if (rc == 0) {
        /* One point for a CSS pixel; never less than what a row of the table is of. */
        double step = least_step(table, &c), column = fmax((t1 - t0) / (f.width - 2 * FR_MARGIN - 60), step);
        load(&curves, &f, &c, t0, column);
        bool band = curves.n <= BANDS_MAX && has_spread(&curves);
        rc = curves.n ? draw_plot(&f, &curves, &c, band, column, step, t1 - t0, options, log)
                      : fr_log_error(log, NULL, 0, "the series is too short to draw, no chart was written");
    }
    fr_curves_release(&curves);
    fr_frame_release(&f);
    return rc;
}

const struct fr_chart_kind fr_chart_series = {"series", "a metric over time, from logs", FR_SHAPE_SERIES, draw};
