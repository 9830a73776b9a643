/*
 * chart_percentiles.c: latency against percentile, on an axis where 90, 99 and 99.9 are equally far apart.
 * Table: KEY series, X percentile (0..100), VALUE.
 */
#include <math.h>

#include "log.h"
#include "marks.h"
#include "plot.h"
#include "render.h"

#include "banned.h"

#define PLOT_H         340.0
#define PERCENTILE_MAX 99.99999 /* 100 would be infinitely far away on this axis */

static void load(struct fr_curves *curves, struct fr_frame *f, int key, int x, int y)
{
    const struct fr_table *t = f->table;
    const struct fr_column *c = &t->columns[y];
    for (const struct fr_row *row = t->head; row; row = row->next) {
        const struct fr_cell *cell = &row->cells[y];
        if (cell->kind != FR_CELL_NUMBER || row->cells[x].kind != FR_CELL_NUMBER ||
            row->cells[x].value > PERCENTILE_MAX)
            continue;
        const char *name = key >= 0 && row->cells[key].kind == FR_CELL_TEXT ? row->cells[key].text : "";
        double scale = c->scale != 0 ? c->scale : 1;
        fr_curve_add(fr_curves_find(curves, name),
                     (struct fr_curve_point){row->cells[x].value, cell->value / scale, (double)NAN, (double)NAN,
                                             fr_cell_failed(row, cell)});
        if (fr_cell_failed(row, cell) && cell->note && cell->note <= t->notes_n)
            fr_frame_note(f, "Open markers: %s", t->notes[cell->note - 1]);
    }
    fr_curves_sort(curves);
}

/* Latencies are spread over decades more often than not: then their axis is logarithmic. */
static void fit_y(struct fr_axis *y, const struct fr_curves *curves, double lo, double hi, bool log_axis)
{
    double least = fr_curves_least(curves);
    if (least > 0 && (log_axis || hi / least > 30)) {
        y->scale = FR_SCALE_LOG;
        fr_axis_fit(y, least, hi, false, true, 6);
    } else {
        y->scale = FR_SCALE_LINEAR;
        fr_axis_fit(y, fmin(lo, 0), hi, true, true, 6);
    }
}

static int draw_plot(struct fr_frame *f, struct fr_curves *curves, const struct fr_column *c,
                     const struct fr_chart_options *options, struct fr_log *log)
{
    double x0, x1, y0, y1;
    if (!fr_curves_range(curves, &x0, &x1, &y0, &y1))
        return fr_log_error(log, NULL, 0, "the selection has no percentiles, no chart was written");
    struct fr_plot p = {.frame = f, .x_title = "percentile, %"};
    p.y.seconds = c->dim == FR_DIM_SECONDS ? c->scale : 0;
    fit_y(&p.y, curves, y0, y1, options->log_axis);
    bool log_axis = p.y.scale == FR_SCALE_LOG;
    p.y_title = fr_axis_title(&f->arena, c->name, log_axis && p.y.seconds > 0 ? "" : c->unit, log_axis,
                              fr_better_text(c->better, false));
    fr_axis_percentiles(&p.x, 0, fmax(99.9, x1));
    fr_curves_keys(curves, f, true, false);
    fr_frame_measure(f);
    double width = f->width - 2 * FR_MARGIN;
    fr_plot_measure(&p, width);
    double height = options->height > 0 ? fmax(200, options->height - f->top - f->bottom) : PLOT_H;
    if (fr_frame_begin(f, height, log) != 0)
        return -1;
    fr_plot_place(&p, FR_MARGIN, f->top, width, height, 0);
    fr_plot_axes(&p);
    fr_curves_draw(curves, &p, true, false);
    return 0;
}

static int draw(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                struct fr_log *log)
{
    struct fr_frame f;
    struct fr_curves curves = {0};
    int key = fr_column_of(table, FR_COL_KEY, 0), x = fr_column_of(table, FR_COL_X, 0),
        y = fr_column_of(table, FR_COL_VALUE, 0);
    int rc = fr_frame_init(&f, canvas, table, options, log);
    if (rc == 0 && (x < 0 || y < 0))
        rc = fr_log_error(log, NULL, 0, "the table has no percentiles, no chart was written");
    if (rc == 0) {
        load(&curves, &f, key, x, y);
        rc = draw_plot(&f, &curves, &table->columns[y], options, log);
    }
    fr_curves_release(&curves);
    fr_frame_release(&f);
    return rc;
}

const struct fr_chart_kind fr_chart_percentiles = {"percentiles", "latency against percentile", FR_SHAPE_PERCENTILES,
                                                   draw};
