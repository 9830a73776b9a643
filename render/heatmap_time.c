/*
 * heatmap_time.c: how many I/Os took how long when: time to the right, latency upwards, the count as colour. The other
 * form of the chart kind `heatmap`. Table: KEY series, X t, X_END, X lower, X_END upper (seconds), VALUE count; all
 * windows are equally long and all buckets equally wide on a logarithmic axis.
 */
#include <math.h>

#include "heatmap.h"
#include "log.h"
#include "marks.h"
#include "plot.h"

#include "banned.h"

#define AREA_H         276.0
#define AREA_SEVERAL_H 190.0
enum { CELLS_MAX = 1 << 20, MAPS_MAX = 24 };

struct columns {
    int key, t, end, lower, upper, count;
};

struct grid {
    double t0, step; /* seconds */
    double least, ratio;
    size_t columns, rows;
    double most; /* count of a cell */
};

static bool find_columns(const struct fr_table *t, struct columns *c)
{
    *c = (struct columns){.key = fr_column_of(t, FR_COL_KEY, 0),
                          .t = fr_column_of(t, FR_COL_X, 0),
                          .end = fr_column_of(t, FR_COL_X_END, 0),
                          .lower = fr_column_of(t, FR_COL_X, 1),
                          .upper = fr_column_of(t, FR_COL_X_END, 1),
                          .count = fr_column_of(t, FR_COL_VALUE, 0)};
    return c->t >= 0 && c->end >= 0 && c->lower >= 0 && c->upper >= 0 && c->count >= 0;
}

bool fr_heatmap_is_time(const struct fr_table *table)
{
    struct columns c;
    return find_columns(table, &c);
}

/* The grid that all rows are cells of. */
static bool find_grid(const struct fr_table *table, const struct columns *c, struct grid *g)
{
    double t1 = 0, most = 0;
    *g = (struct grid){.t0 = INFINITY, .least = INFINITY};
    for (const struct fr_row *row = table->head; row; row = row->next) {
        double lower = row->cells[c->lower].value, upper = row->cells[c->upper].value;
        if (!(row->cells[c->count].value > 0) || !(lower > 0) || !(upper > lower))
            continue;
        g->step = row->cells[c->end].value - row->cells[c->t].value;
        g->ratio = upper / lower;
        g->t0 = fmin(g->t0, row->cells[c->t].value);
        t1 = fmax(t1, row->cells[c->end].value);
        g->least = fmin(g->least, lower);
        most = fmax(most, upper);
        g->most = fmax(g->most, row->cells[c->count].value);
    }
    if (!(g->step > 0) || !(g->ratio > 1))
        return false;
    double columns = round((t1 - g->t0) / g->step), rows = round(log(most / g->least) / log(g->ratio));
    if (!(columns >= 1) || !(rows >= 1) || columns * rows > (double)CELLS_MAX)
        return false;
    g->columns = (size_t)columns;
    g->rows = (size_t)rows;
    return true;
}

/* Few and many are powers apart: colours go by the logarithm. */
static uint32_t color_of(const struct fr_theme *theme, const struct grid *g, double count)
{
    return fr_theme_sequential(theme, g->most > 1 ? log(fmax(count, 1)) / log(g->most) : 1);
}

static void draw_map(const struct fr_plot *p, const struct grid *g, const struct columns *c, const char *name)
{
    const struct fr_table *table = p->frame->table;
    uint32_t *colors = fr_arena_alloc(&p->frame->arena, g->columns * g->rows * sizeof *colors);
    for (size_t i = 0; i < g->columns * g->rows; i++)
        colors[i] = FR_NO_COLOR;
    for (const struct fr_row *row = table->head; row; row = row->next) {
        if (strcmp(fr_curve_name(row, c->key), name) != 0 || !(row->cells[c->count].value > 0))
            continue;
        double x = round((row->cells[c->t].value - g->t0) / g->step),
               y = round(log(row->cells[c->lower].value / g->least) / log(g->ratio));
        if (x >= 0 && x < (double)g->columns && y >= 0 && y < (double)g->rows)
            colors[(g->rows - 1 - (size_t)y) * g->columns + (size_t)x] =
                color_of(p->frame->theme, g, row->cells[c->count].value);
    }
    fr_draw_cells(p->frame->canvas, p->left, p->top, p->right - p->left, p->bottom - p->top, g->columns, g->rows,
                  colors);
}

/* "1 [colours] 1,234 I/Os", at the right above the first area. */
static void draw_scale(const struct fr_plot *p, const struct grid *g)
{
    enum { STEPS = 60 };
    struct fr_frame *f = p->frame;
    uint32_t colors[STEPS];
    char most[40];
    fr_tick_format(g->most, 1, most, sizeof most);
    struct fr_text t =
        fr_frame_text(fr_arena_printf(&f->arena, "%s samples a cell", most), FR_SIZE_TICK, f->theme->muted, 1);
    double y = p->top - 12, w = fr_text_draw(f->canvas, &t, p->right, y, 0.5).w,
           bar = fmin(140, (p->right - p->left) / 3);
    double x = p->right - w - 8 - bar;
    for (size_t i = 0; i < STEPS; i++)
        colors[i] = color_of(f->theme, g, pow(g->most, (double)i / (STEPS - 1)));
    fr_draw_cells(f->canvas, x, y - 5, bar, 10, STEPS, 1, colors);
    t.text = "1";
    if (g->most > 1)
        fr_text_draw(f->canvas, &t, x - 8, y, 0.5);
}

static void fit(struct fr_plot *p, const struct grid *g, const char *metric)
{
    double span = g->step * (double)g->columns, unit = 1;
    p->x_title = fr_time_axis(span, &unit);
    p->x.min = g->t0 / unit;
    p->x.max = (g->t0 + span) / unit;
    fr_axis_ticks(&p->x, 8);
    p->y.scale = FR_SCALE_LOG;
    p->y.seconds = 1;
    p->y.min = g->least;
    p->y.max = g->least * pow(g->ratio, (double)g->rows);
    fr_axis_ticks(&p->y, 6);
    p->y_title = fr_axis_title(&p->frame->arena, metric, "", true, fr_better_text(FR_LOWER, false));
}

static int draw_maps(struct fr_frame *f, const struct columns *c, const struct fr_curves *series,
                     const struct fr_chart_options *options, struct fr_log *log)
{
    struct grid g;
    size_t n = series->n < MAPS_MAX ? series->n : MAPS_MAX;
    if (!find_grid(f->table, c, &g))
        return fr_log_error(log, NULL, 0, "the selection has no latencies over time, no chart was written");
    struct fr_plot *plots = fr_arena_alloc(&f->arena, n * sizeof *plots);
    for (size_t i = 0; i < n; i++) {
        plots[i] = (struct fr_plot){.frame = f, .heading = n > 1 ? series->list[i].name : NULL, .strip_h = i ? 0 : 22};
        fit(&plots[i], &g, "latency");
        plots[i].x_title = i + 1 == n ? plots[i].x_title : "";
    }
    if (n < series->n)
        fr_frame_note(f, "The first %zu of %zu series.", n, series->n);
    for (size_t i = 0; i < f->table->notes_n; i++)
        fr_frame_note(f, "%s", f->table->notes[i]);
    char each[40];
    fr_number_format(g.step < 1 ? g.step * 1000 : g.step, 3, each);
    fr_frame_note(f, "A cell: %s %s; colours on a log scale.", each, g.step < 1 ? "ms" : "s");
    if (fr_plots_begin(plots, n, options, n > 1 ? AREA_SEVERAL_H : AREA_H, log) != 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        draw_map(&plots[i], &g, c, series->list[i].name);
    draw_scale(&plots[0], &g);
    return 0;
}

int fr_heatmap_time(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                    struct fr_log *log)
{
    struct fr_frame f;
    struct fr_curves series = {0};
    struct columns c;
    int rc = fr_frame_init(&f, canvas, table, options, log);
    find_columns(table, &c);
    for (const struct fr_row *row = table->head; row; row = row->next)
        fr_curves_find(&series, fr_curve_name(row, c.key));
    if (rc == 0)
        rc = draw_maps(&f, &c, &series, options, log);
    fr_curves_release(&series);
    fr_frame_release(&f);
    return rc;
}
