/*
 * chart_scaling.c: a metric against a parameter (`scaling`), and latency against throughput (`latency-iops`).
 *
 * scaling: a pivot with the parameter in a key column (params.h says which; FR_COL_X takes precedence), the other keys
 * and the value columns being the series; one panel a metric. latency-iops: a pivot with a column of IOPS or bandwidth
 * and one of latency, of the same op where there are several; the points of a series are joined in the order of the
 * parameter.
 */
#include <math.h>

#include "log.h"
#include "marks.h"
#include "params.h"
#include "plot.h"
#include "render.h"

#include "banned.h"

#define AREA_SEVERAL_H 190.0
#define AREA_H         280.0

/* ---- scaling ----------------------------------------------------------------------------------------------------- */

struct scaling {
    struct fr_frame frame;
    struct fr_panels panels;
    struct fr_param_axis params;
    struct fr_curves *curves; /* of each panel */
    struct fr_plot *plots;
};

static const char *curve_name(struct scaling *s, const struct fr_panel *panel, size_t series, const char *rest)
{
    if (panel->series_n == 1 && !s->panels.names_n) /* the panel's heading says what it is */
        return rest;
    if (panel->series_n == 1)
        return *rest ? rest : panel->series[0].name;
    if (!*rest)
        return panel->series[series].name;
    return fr_arena_printf(&s->frame.arena, "%s · %s", rest, panel->series[series].name);
}

static void load_panel(struct scaling *s, const struct fr_panel *panel, struct fr_curves *out, struct fr_curves *all)
{
    for (size_t r = 0; r < panel->rows_n; r++) {
        const struct fr_row *row = panel->rows[r].row;
        double x = fr_param_value(&s->params, row);
        const char *rest = fr_row_label(s->frame.table, row, s->params.column, &s->frame.arena);
        for (size_t k = 0; k < panel->series_n; k++) {
            double y = fr_panel_value(panel, k, r);
            if (isnan(x) || isnan(y))
                continue;
            struct fr_curve_point p = {x, y, (double)NAN, (double)NAN, fr_cell_failed(row, fr_panel_cell(panel, k, r))};
            fr_cell_spread(panel, fr_panel_cell(panel, k, r), &p.lo, &p.hi);
            const char *name = curve_name(s, panel, k, rest);
            struct fr_curve *curve = fr_curves_find(out, name);
            fr_curves_find(all, name);
            fr_curve_add(curve, p);
        }
    }
    fr_curves_sort(out);
}

static void fit_panel(struct scaling *s, const struct fr_panel *panel, size_t i, bool log_axis)
{
    struct fr_plot *p = &s->plots[i];
    const struct fr_column *c = &s->frame.table->columns[panel->series[0].column];
    struct fr_figure figure = {.name = "",
                               .unit = panel->unit,
                               .seconds = c->dim == FR_DIM_SECONDS ? panel->scale : 0,
                               .better = panel->better,
                               .log_axis = log_axis};
    *p =
        (struct fr_plot){.frame = &s->frame, .heading = panel->title, .bases = panel->bases, .bases_n = panel->bases_n};
    fr_param_axis_fit(&s->params, &p->x);
    fr_curves_fit_y(&s->curves[i], p, &figure);
    p->x_title = fr_axis_title(&s->frame.arena, s->frame.table->columns[s->params.column].name, "",
                               p->x.scale == FR_SCALE_LOG, "");
}

/* The legend names the baselines, with their metric where several are shown. */
static void base_keys(struct scaling *s)
{
    for (size_t i = 0; i < s->panels.panels_n; i++)
        for (size_t k = 0; k < s->panels.panels[i].bases_n; k++) {
            const struct fr_panel *p = &s->panels.panels[i];
            struct fr_base base = p->bases[k];
            if (s->panels.panels_n > 1 && *p->title)
                base.name = fr_arena_printf(&s->frame.arena, "%s: %s", p->title, base.name);
            fr_frame_base_key(&s->frame, &base, k, p->unit);
        }
}

static int scale_panels(struct scaling *s, const struct fr_chart_options *options, struct fr_log *log)
{
    struct fr_curves all = {0};
    size_t n = s->panels.panels_n;
    s->curves = fr_arena_alloc(&s->frame.arena, n * sizeof *s->curves);
    s->plots = fr_arena_alloc(&s->frame.arena, n * sizeof *s->plots);
    for (size_t i = 0; i < n; i++) {
        load_panel(s, &s->panels.panels[i], &s->curves[i], &all);
        fit_panel(s, &s->panels.panels[i], i, options->log_axis);
    }
    fr_curves_looks(&all, s->frame.table, &s->frame.arena);
    for (size_t i = 0; i < n; i++)
        fr_curves_look_like(&s->curves[i], &all);
    fr_curves_keys(&all, &s->frame, true, false);
    base_keys(s);
    fr_marks_notes(&s->frame, &s->panels, true, false);
    int rc = fr_plots_begin(s->plots, n, options, n == 1 ? AREA_H : AREA_SEVERAL_H, log);
    for (size_t i = 0; rc == 0 && i < n; i++)
        fr_curves_draw(&s->curves[i], &s->plots[i], true, false);
    for (size_t i = 0; i < n; i++)
        fr_curves_release(&s->curves[i]);
    fr_curves_release(&all);
    return rc;
}

static int draw_scaling(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                        struct fr_log *log)
{
    struct scaling s = {.params = {.column = -1}};
    int rc = fr_frame_init(&s.frame, canvas, table, options, log);
    if (rc == 0) {
        fr_param_find(&s.params, table);
        fr_panels_make(&s.panels, table, FR_COL_VALUE, true, &s.frame.arena);
        fr_panels_title_once(&s.panels, s.frame.title);
        if (s.params.column < 0)
            rc = fr_log_error(log, NULL, 0,
                              "nothing that tells the rows apart is a number in each of them, no chart was written "
                              "(--x names a parameter: --x iodepth)");
        else if (s.panels.panels_n == 0)
            rc = fr_log_error(log, NULL, 0, "the selection has no figure to draw, no chart was written");
        else
            rc = scale_panels(&s, options, log);
    }
    fr_frame_release(&s.frame);
    return rc;
}

/* ---- latency against throughput ---------------------------------------------------------------------------------- */

/* A column of latency and one of throughput, of the same op and group. */
static bool find_pair(const struct fr_table *t, int *x, int *y)
{
    for (size_t i = 0; i < t->columns_n; i++) {
        const struct fr_column *a = &t->columns[i];
        if (a->role != FR_COL_VALUE || (a->dim != FR_DIM_OPS && a->dim != FR_DIM_BYTES_PER_S))
            continue;
        for (size_t k = 0; k < t->columns_n; k++) {
            const struct fr_column *b = &t->columns[k];
            if (b->role == FR_COL_VALUE && b->dim == FR_DIM_SECONDS && fr_same_text(a->op, b->op) &&
                fr_same_text(a->group, b->group)) {
                *x = (int)i;
                *y = (int)k;
                return true;
            }
        }
    }
    *x = *y = -1;
    for (size_t i = 0; i < t->columns_n; i++) {
        const struct fr_column *c = &t->columns[i];
        if (c->role == FR_COL_VALUE && *x < 0 && (c->dim == FR_DIM_OPS || c->dim == FR_DIM_BYTES_PER_S))
            *x = (int)i;
        if (c->role == FR_COL_VALUE && *y < 0 && c->dim == FR_DIM_SECONDS)
            *y = (int)i;
    }
    return *x >= 0 && *y >= 0;
}

static void load_pairs(struct fr_curves *curves, struct fr_frame *f, const struct fr_param_axis *params, int x, int y)
{
    const struct fr_table *t = f->table;
    double xs = t->columns[x].scale != 0 ? t->columns[x].scale : 1;
    double ys = t->columns[y].scale != 0 ? t->columns[y].scale : 1;
    for (const struct fr_row *row = t->head; row; row = row->next) {
        const struct fr_cell *a = &row->cells[x], *b = &row->cells[y];
        if (row->summary || a->kind != FR_CELL_NUMBER || b->kind != FR_CELL_NUMBER)
            continue;
        const char *name = fr_row_label(t, row, params->column, &f->arena);
        /* lo keeps the parameter until the points are in its order. */
        fr_curve_add(fr_curves_find(curves, name),
                     (struct fr_curve_point){fr_param_value(params, row), b->value / ys, a->value / xs, (double)NAN,
                                             fr_cell_failed(row, a) || fr_cell_failed(row, b)});
    }
    if (params->column >= 0)
        fr_curves_sort(curves);
    for (size_t i = 0; i < curves->n; i++)
        for (size_t k = 0; k < curves->list[i].n; k++) {
            struct fr_curve_point *p = &curves->list[i].points[k];
            p->x = p->lo;
            p->lo = (double)NAN;
        }
}

static void note_params(struct fr_frame *f, const struct fr_param_axis *params)
{
    struct fr_strbuf s = FR_STRBUF_INIT;
    char number[40], last[40];
    for (size_t i = 0; i < params->values_n && !params->many; i++)
        fr_strbuf_addf(&s, "%s%s", i ? ", " : "", fr_param_format(params, params->values[i], number));
    if (params->many)
        fr_strbuf_addf(&s, "%s to %s", fr_param_format(params, params->least, number),
                       fr_param_format(params, params->greatest, last));
    if (params->column >= 0 && params->values_n > 1)
        fr_frame_note(f, "Points of a line, in order: %s %s.", f->table->columns[params->column].name,
                      fr_strbuf_str(&s));
    fr_strbuf_release(&s);
}

static int draw_pairs(struct fr_frame *f, struct fr_curves *curves, int x, int y,
                      const struct fr_chart_options *options, struct fr_log *log)
{
    double x0, x1, y0, y1;
    if (!fr_curves_range(curves, &x0, &x1, &y0, &y1))
        return fr_log_error(log, NULL, 0, "no row has both throughput and latency, no chart was written");
    const struct fr_column *cx = &f->table->columns[x], *cy = &f->table->columns[y];
    struct fr_base across[FR_BASES_MAX], upright[FR_BASES_MAX];
    struct fr_plot p = {.frame = f, .bases = across, .x_bases = upright};
    p.bases_n = fr_column_bases(f->table, (size_t)y, cy->scale, across, &f->arena);
    p.x_bases_n = fr_column_bases(f->table, (size_t)x, cx->scale, upright, &f->arena);
    for (size_t i = 0; i < p.x_bases_n; i++)
        x1 = fmax(x1, upright[i].value);
    struct fr_figure figure = {.name = cy->name,
                               .unit = cy->unit,
                               .seconds = cy->scale,
                               .better = FR_LOWER,
                               .log_axis = options->log_axis,
                               .spread = true};
    p.x.binary = fr_unit_is_binary(cx->unit);
    fr_axis_fit(&p.x, fmin(x0, 0), x1, true, true, 7);
    fr_curves_fit_y(curves, &p, &figure);
    p.x_title = fr_axis_title(&f->arena, cx->name, cx->unit, false, "higher is better →");
    fr_curves_keys(curves, f, true, false);
    for (size_t i = 0; i < p.bases_n; i++)
        fr_frame_base_key(f, &across[i], i, cy->unit);
    for (size_t i = 0; i < p.x_bases_n; i++)
        fr_frame_base_key(f, &upright[i], p.bases_n + i, cx->unit);
    if (fr_plots_begin(&p, 1, options, AREA_H, log) != 0)
        return -1;
    fr_curves_draw(curves, &p, true, false);
    return 0;
}

/* The picture has room for one direction: who asked for none learns that there is another. */
static void tell_left_out(const struct fr_table *t, int y, struct fr_log *log)
{
    const struct fr_column *drawn = &t->columns[y];
    for (size_t i = 0; i < t->columns_n; i++) {
        const struct fr_column *c = &t->columns[i];
        if (c->role == FR_COL_VALUE && c->dim == FR_DIM_SECONDS && c->op && drawn->op &&
            strcmp(c->op, drawn->op) != 0) {
            fr_log_note(log, NULL, 0, "only %s is drawn, --metric %s.iops,%s.%s%s%s draws %s", drawn->op, c->op, c->op,
                        c->metric ? c->metric : "lat", c->stat ? ":" : "", c->stat ? c->stat : "", c->op);
            return;
        }
    }
}

/* A picture of two of the table's figures says which; that there are others is for who makes it. */
static void name_pair(struct fr_frame *f, int x, int y, const struct fr_chart_options *options, struct fr_log *log)
{
    size_t figures = 0;
    const struct fr_column *c = f->table->columns;
    for (size_t i = 0; i < f->table->columns_n; i++)
        figures += c[i].role == FR_COL_VALUE;
    if (figures <= 2)
        return;
    if (!options->title)
        f->title = fr_arena_printf(&f->arena, "%s and %s", c[x].name, c[y].name);
    fr_log_note(log, NULL, 0, "two of %zu figures are shown; --metric chooses them", figures);
}

static int draw_latency(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                        struct fr_log *log)
{
    struct fr_frame f;
    struct fr_curves curves = {0};
    struct fr_param_axis params;
    int x, y, rc = fr_frame_init(&f, canvas, table, options, log);
    if (rc == 0 && !find_pair(table, &x, &y))
        rc = fr_log_error(log, NULL, 0, "the selection has not both a throughput and a latency, no chart was written");
    if (rc == 0) {
        fr_param_find(&params, table);
        load_pairs(&curves, &f, &params, x, y);
        fr_curves_looks(&curves, table, &f.arena);
        name_pair(&f, x, y, options, log);
        note_params(&f, &params);
        tell_left_out(table, y, log);
        rc = draw_pairs(&f, &curves, x, y, options, log);
    }
    fr_curves_release(&curves);
    fr_frame_release(&f);
    return rc;
}

const struct fr_chart_kind fr_chart_scaling = {"scaling", "a metric against a parameter", FR_SHAPE_PIVOT, draw_scaling,
                                               false};
const struct fr_chart_kind fr_chart_latency_iops = {"latency-iops", "latency against throughput", FR_SHAPE_PIVOT,
                                                    draw_latency, false};
