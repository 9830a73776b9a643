/*
 * chart_percentiles.c: latency against percentile, on an axis where 90, 99 and 99.9 are equally far apart.
 * Table: KEY series, X percentile (0..100), VALUE; a panel for each VALUE.
 */
#include <math.h>

#include "log.h"
#include "marks.h"
#include "plot.h"
#include "render.h"

#include "banned.h"

#define AREA_H         276.0
#define AREA_SEVERAL_H 190.0
#define PERCENTILE_MAX 99.99999 /* 100 would be infinitely far away on this axis */

static void load(struct fr_curves *curves, struct fr_curves *all, struct fr_frame *f, int y)
{
    const struct fr_table *t = f->table;
    double scale = t->columns[y].scale != 0 ? t->columns[y].scale : 1;
    int key = fr_column_of(t, FR_COL_KEY, 0), x = fr_column_of(t, FR_COL_X, 0);
    for (const struct fr_row *row = t->head; row; row = row->next) {
        const struct fr_cell *cell = &row->cells[y];
        if (cell->kind != FR_CELL_NUMBER || row->cells[x].kind != FR_CELL_NUMBER ||
            row->cells[x].value > PERCENTILE_MAX)
            continue;
        struct fr_curve *curve = fr_curves_find(curves, fr_curve_name(row, key));
        fr_curves_find(all, curve->name);
        fr_curve_add(curve, (struct fr_curve_point){row->cells[x].value, cell->value / scale, (double)NAN, (double)NAN,
                                                    fr_cell_failed(row, cell)});
        fr_curve_note(f, row, cell, "Open markers: ");
    }
    fr_curves_sort(curves);
}

static void fit(struct fr_plot *p, const struct fr_curves *curves, const struct fr_column *c, bool alone,
                const struct fr_chart_options *options)
{
    bool said = !alone || (p->frame->title && strcmp(p->frame->title, c->name) == 0);
    struct fr_figure figure = {.name = said ? "" : c->name,
                               .unit = c->unit,
                               .seconds = c->dim == FR_DIM_SECONDS ? c->scale : 0,
                               .better = c->better,
                               .log_axis = options->log_axis,
                               .spread = true};
    p->heading = alone ? NULL : c->name;
    fr_curves_fit_y(curves, p, &figure);
}

static int draw_panels(struct fr_frame *f, struct fr_curves *curves, struct fr_curves *all, size_t n,
                       const struct fr_chart_options *options, struct fr_log *log)
{
    struct fr_plot *plots = fr_arena_alloc(&f->arena, n * sizeof *plots);
    const struct fr_curves **shown = fr_arena_alloc(&f->arena, n * sizeof(struct fr_curves *));
    double x0, x1, y0, y1, end = 99.9;
    size_t drawn = 0;
    for (size_t i = 0; i < n; i++)
        if (fr_curves_range(&curves[i], &x0, &x1, &y0, &y1)) {
            end = fmax(end, x1);
            plots[drawn] = (struct fr_plot){.frame = f};
            fit(&plots[drawn], &curves[i], &f->table->columns[fr_column_of(f->table, FR_COL_VALUE, i)], n == 1,
                options);
            shown[drawn++] = &curves[i];
        }
    if (drawn == 0)
        return fr_log_error(log, NULL, 0, "the selection has no percentiles, no chart was written");
    for (size_t i = 0; i < drawn; i++)
        fr_axis_percentiles(&plots[i].x, 0, end);
    plots[drawn - 1].x_title = "percentile, %";
    fr_curves_looks(all, f->table, &f->arena);
    for (size_t i = 0; i < n; i++)
        fr_curves_look_like(&curves[i], all);
    fr_curves_keys(all, f, true, false);
    if (fr_plots_begin(plots, drawn, options, drawn > 1 ? AREA_SEVERAL_H : AREA_H, log) != 0)
        return -1;
    for (size_t i = 0; i < drawn; i++)
        fr_curves_draw(shown[i], &plots[i], true, false);
    return 0;
}

static int draw(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                struct fr_log *log)
{
    struct fr_frame f;
    struct fr_curves all = {0};
    size_t n = 0;
    while (fr_column_of(table, FR_COL_VALUE, n) >= 0)
        n++;
    int rc = fr_frame_init(&f, canvas, table, options, log);
    struct fr_curves *curves = fr_arena_alloc(&f.arena, (n + 1) * sizeof *curves);
    if (rc == 0 && (fr_column_of(table, FR_COL_X, 0) < 0 || n == 0))
        rc = fr_log_error(log, NULL, 0, "the table has no percentiles, no chart was written");
    if (rc == 0) {
        for (size_t i = 0; i < n; i++)
            load(&curves[i], &all, &f, fr_column_of(table, FR_COL_VALUE, i));
        rc = draw_panels(&f, curves, &all, n, options, log);
    }
    for (size_t i = 0; i < n; i++)
        fr_curves_release(&curves[i]);
    fr_curves_release(&all);
    fr_frame_release(&f);
    return rc;
}

const struct fr_chart_kind fr_chart_percentiles = {"percentiles", "latency against percentile", FR_SHAPE_PERCENTILES,
                                                   draw, false};
