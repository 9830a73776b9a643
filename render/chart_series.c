/*
 * chart_series.c: a metric over time: the median as a line, the tails as thin dashed ones, lowest to highest as a band.
 * Table: KEY series, X t (seconds), VALUE median (or mean), p1, p99, min, max (all but the first may be missing), by
 * group where there are several metrics, each of which has a panel. A row is a window of time; there are no more of
 * them than the picture has columns, so nothing that stands out is lost.
 *
 * A last interval that is shorter than the others (FR_CELL_PARTIAL) is left out: it would draw a spike that was not
 * there. Spans of the table (a steady state window) are shaded and named above.
 */
#include <math.h>

#include "log.h"
#include "marks.h"
#include "plot.h"
#include "render.h"
#include "units.h"

#include "banned.h"

#define AREA_H         256.0
#define AREA_SEVERAL_H 170.0
enum {
    BANDS_MAX = 4, /* series with a band; more would hide each other */
    TAILS_MAX = 2, /* series with lines of their tails */
    SPANS_MAX = 3,
    SPECK = 2 /* pixels */
};

struct panel {
    int line, low, high, min, max; /* columns; -1: none */
    struct fr_curves lines, lows, highs;
    double t0, t1;            /* of what is drawn, seconds: begin and end */
    double step;              /* of a window, seconds */
    bool spread, band, tails; /* spread: some windows hold several values */
    struct fr_plot plot;
};

struct series {
    struct fr_frame frame;
    struct panel *panels;
    size_t n;
    int key, t;
    struct fr_curves all; /* of all panels: for their looks */
    double t0, t1, unit;  /* seconds; unit: of one shown */
    const char *x_title;
};

/* The value column of that name among those of the group. */
static int named(const struct fr_table *table, const char *group, const char *name)
{
    for (size_t i = 0; i < table->columns_n; i++)
        if (table->columns[i].role == FR_COL_VALUE && fr_same_text(table->columns[i].group, group) &&
            fr_same_text(table->columns[i].name, name))
            return (int)i;
    return -1;
}

/* A panel for each group of value columns. */
static void find_panels(struct series *s)
{
    const struct fr_table *table = s->frame.table;
    s->panels = fr_arena_alloc(&s->frame.arena, (table->columns_n + 1) * sizeof *s->panels);
    for (size_t i = 0; i < table->columns_n; i++) {
        const struct fr_column *c = &table->columns[i];
        bool known = c->role != FR_COL_VALUE;
        for (size_t k = 0; k < i && !known; k++)
            known = table->columns[k].role == FR_COL_VALUE && fr_same_text(table->columns[k].group, c->group);
        if (known)
            continue;
        struct panel *p = &s->panels[s->n++];
        p->line = named(table, c->group, "median");
        p->line = p->line < 0 ? named(table, c->group, "mean") : p->line;
        p->line = p->line < 0 ? (int)i : p->line;
        p->low = c->better == FR_HIGHER ? named(table, c->group, "p1") : -1;
        p->high = named(table, c->group, "p99");
        p->min = named(table, c->group, "min");
        p->max = named(table, c->group, "max");
    }
}

static double shown(const struct series *s, const struct fr_row *row, int column)
{
    if (column < 0 || row->cells[column].kind != FR_CELL_NUMBER)
        return (double)NAN;
    double scale = s->frame.table->columns[column].scale;
    return row->cells[column].value / (scale != 0 ? scale : 1);
}

static void add_point(struct fr_curves *curves, const char *name, struct fr_curve_point point)
{
    fr_curve_add(fr_curves_find(curves, name), point);
}

/* The usual distance between two points, seconds: of the shortest and those that are little longer, the mean. */
static double usual_distance(const struct fr_curves *curves)
{
    double least = INFINITY, sum = 0;
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < curves->n; i++)
            for (size_t k = 1; k < curves->list[i].n; k++) {
                double d = curves->list[i].points[k].x - curves->list[i].points[k - 1].x;
                if (d > 0 && pass == 0)
                    least = fmin(least, d);
                else if (d > 0 && d < 1.5 * least) {
                    sum += d;
                    n++;
                }
            }
    return n ? sum / (double)n : 1;
}

static void load(struct series *s, struct panel *p)
{
    const struct fr_table *table = s->frame.table;
    for (const struct fr_row *row = table->head; row; row = row->next) {
        const struct fr_cell *cell = &row->cells[p->line];
        if (row->cells[s->t].kind != FR_CELL_NUMBER || cell->kind != FR_CELL_NUMBER || (cell->flags & FR_CELL_PARTIAL))
            continue;
        double t = row->cells[s->t].value, y = shown(s, row, p->line), lo = shown(s, row, p->min),
               hi = shown(s, row, p->max), low = shown(s, row, p->low), high = shown(s, row, p->high);
        const char *name = fr_curve_name(row, s->key);
        fr_curves_find(&s->all, name);
        add_point(&p->lines, name, (struct fr_curve_point){t, y, isnan(lo) ? y : lo, isnan(hi) ? y : hi, false});
        add_point(&p->lows, name, (struct fr_curve_point){t, low, (double)NAN, (double)NAN, false});
        add_point(&p->highs, name, (struct fr_curve_point){t, high, (double)NAN, (double)NAN, false});
        p->spread = p->spread || lo < hi;
        p->tails = p->tails || !isnan(low) || !isnan(high);
    }
    /* Where several jobs wrote one log, time steps back in it. */
    fr_curves_sort(&p->lines);
    fr_curves_sort(&p->lows);
    fr_curves_sort(&p->highs);
    p->step = usual_distance(&p->lines);
    p->band = p->spread && p->lines.n <= BANDS_MAX;
    p->tails = p->tails && p->lines.n <= TAILS_MAX;
}

/* Points stand in the middle of their windows. What is not drawn does not stretch the axis. */
static void settle(struct series *s, struct panel *p)
{
    struct fr_curves *sets[] = {&p->lines, &p->lows, &p->highs};
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < sets[k]->n; i++)
            for (size_t j = 0; j < sets[k]->list[i].n; j++) {
                struct fr_curve_point *point = &sets[k]->list[i].points[j];
                point->x = (point->x + p->step / 2) / s->unit;
                if (!p->band)
                    point->lo = point->hi = (double)NAN;
            }
}

/* Begin and end of all that is drawn; long runs are shown in minutes or hours. */
static bool find_times(struct series *s)
{
    bool any = false;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->panels[i].lines.n; k++) {
            const struct fr_curve *c = &s->panels[i].lines.list[k];
            for (size_t j = 0; j < c->n; j++) {
                s->t0 = any ? fmin(s->t0, c->points[j].x) : c->points[j].x;
                s->t1 = any ? fmax(s->t1, c->points[j].x + s->panels[i].step) : c->points[j].x + s->panels[i].step;
                any = true;
            }
        }
    for (size_t i = 0; i < s->frame.table->spans_n && any; i++) {
        s->t0 = fmin(s->t0, s->frame.table->spans[i].from);
        s->t1 = fmax(s->t1, s->frame.table->spans[i].to);
    }
    s->x_title = fr_time_axis(s->t1 - s->t0, &s->unit);
    return any;
}

/* ---- spans ------------------------------------------------------------------------------------------------------- */

/* The i-th of those that differ in time and meaning; false after the last. *whose: its series, NULL when of several. */
static bool span_of(const struct fr_table *t, size_t i, const struct fr_span **out, const char **whose)
{
    for (size_t k = 0; k < t->spans_n; k++) {
        const struct fr_span *a = &t->spans[k];
        bool first = true;
        *whose = a->series;
        for (size_t j = 0; j < t->spans_n; j++) {
            const struct fr_span *b = &t->spans[j];
            double slack = 0.005 * (b->to - b->from);
            if (j == k || strcmp(a->label, b->label) != 0 || fabs(a->from - b->from) > slack ||
                fabs(a->to - b->to) > slack)
                continue;
            first = first && k < j;
            *whose = NULL;
        }
        if (first && i-- == 0) {
            *out = a;
            return true;
        }
    }
    return false;
}

static size_t spans_of(const struct fr_table *t)
{
    const struct fr_span *span;
    const char *whose;
    size_t n = 0;
    while (n < SPANS_MAX + 1 && span_of(t, n, &span, &whose))
        n++;
    return n;
}

static struct fr_text span_text(struct series *s, const struct fr_span *span, const char *whose, double width)
{
    struct fr_text t = fr_frame_text(span->label, FR_SIZE_TICK, s->frame.theme->text, 0.5);
    if (whose && s->all.n > 1)
        t.text = fr_arena_printf(&s->frame.arena, "%s: %s", whose, span->label);
    t.wrap = width;
    return t;
}

/* Room above each area for the names of the spans, one below the other. */
static void make_room(struct series *s)
{
    const struct fr_span *span;
    const char *whose;
    size_t n = spans_of(s->frame.table);
    double room = 0, width = s->frame.width - 3 * FR_MARGIN;
    for (size_t i = 0; i < n && n <= SPANS_MAX; i++) {
        span_of(s->frame.table, i, &span, &whose);
        struct fr_text t = span_text(s, span, whose, width);
        room += fr_text_measure(s->frame.canvas, &t).h + 5;
    }
    for (size_t i = 0; i < s->n; i++)
        s->panels[i].plot.strip_h = room > 0 ? room + 2 : 0;
    for (size_t i = 0; n > SPANS_MAX && i < s->frame.table->spans_n; i++) {
        span = &s->frame.table->spans[i];
        fr_frame_note(&s->frame, "%s: %s from %.4g to %.4g s.", span->series, span->label, span->from, span->to);
    }
}

static void draw_spans(struct series *s, const struct fr_plot *p)
{
    struct fr_canvas *canvas = s->frame.canvas;
    const struct fr_span *span;
    const char *whose;
    size_t n = spans_of(s->frame.table);
    double y = p->top - p->strip_h;
    for (size_t i = 0; i < n && n <= SPANS_MAX; i++) {
        span_of(s->frame.table, i, &span, &whose);
        double from = fr_axis_at(&p->x, span->from / s->unit), to = fr_axis_at(&p->x, span->to / s->unit);
        struct fr_paint shade = {.fill = s->frame.theme->muted, .fill_alpha = 0.13};
        struct fr_point area[] = {{from, p->top}, {to, p->top}, {to, p->bottom}, {from, p->bottom}};
        fr_draw_path(canvas, area, 4, true, &shade);
        struct fr_paint line = fr_theme_stroke(s->frame.theme->muted, 2, 0);
        if (whose && s->all.n > 1)
            line = fr_theme_line(s->frame.theme, fr_curves_find(&s->all, whose)->index);
        struct fr_text t = span_text(s, span, whose, p->right - p->left);
        double w = fr_text_measure(canvas, &t).w, middle = (from + to) / 2;
        middle = fmax(p->left + w / 2, fmin(middle, p->right - w / 2));
        y += fr_text_draw(canvas, &t, middle, y, 0).h + 2;
        fr_draw_line(canvas, from, y, to, y, &line);
        y += 3;
    }
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* How many points from i on stand together: NaN and gaps break a line. */
static size_t piece(const struct fr_curve *curve, size_t i, double gap)
{
    size_t n = 0;
    while (i + n < curve->n && !isnan(curve->points[i + n].y) &&
           (n == 0 || curve->points[i + n].x - curve->points[i + n - 1].x <= gap))
        n++;
    return n;
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

/* What is narrower than SPECK pixels between two pauses would hardly be seen: a dot marks it. */
static void draw_curve(const struct fr_curve *curve, const struct fr_plot *plot, double gap, bool band, bool tail)
{
    struct fr_paint line = fr_theme_line(plot->frame->theme, curve->index);
    struct fr_point *points = malloc((curve->n + 1) * sizeof *points);
    line.line = tail ? 1 : 1.6;
    line.dash = tail ? 2.5 : line.dash;
    line.dot = tail ? 0 : line.dot;
    for (size_t i = 0, n; points && i < curve->n; i += n ? n : 1) {
        n = piece(curve, i, gap);
        for (size_t k = 0; k < n; k++)
            points[k] = (struct fr_point){fr_axis_at(&plot->x, curve->points[i + k].x),
                                          fr_axis_at(&plot->y, curve->points[i + k].y)};
        if (band && n > 1)
            draw_band(curve, i, n, plot);
        if (n > 1)
            fr_draw_path(plot->frame->canvas, points, n, false, &line);
        if (n > 0 && points[n - 1].x - points[0].x < SPECK && !tail) {
            struct fr_paint dot = line;
            dot.line = 0;
            fr_draw_marker(plot->frame->canvas, points[0].x, points[0].y, 5, 0, &dot);
        }
    }
    free(points);
}

static void draw_panel(struct series *s, const struct panel *p)
{
    struct fr_frame *f = &s->frame;
    double gap = p->step / s->unit * 3.5;
    draw_spans(s, &p->plot);
    fr_clip(f->canvas, p->plot.left - 3, p->plot.top - 3, p->plot.right - p->plot.left + 6,
            p->plot.bottom - p->plot.top + 6);
    for (size_t i = 0; i < p->lines.n; i++) {
        draw_curve(&p->lines.list[i], &p->plot, gap, p->band, false);
        if (p->tails) {
            draw_curve(&p->lows.list[i], &p->plot, gap, false, true);
            draw_curve(&p->highs.list[i], &p->plot, gap, false, true);
        }
    }
    fr_unclip(f->canvas);
}

/* What the lines and the band are. */
static void explain(struct series *s, const struct panel *p)
{
    const struct fr_column *c = &s->frame.table->columns[p->line];
    double step = p->step;
    const char *unit = "s";
    char each[40];
    if (step < 1) {
        step *= 1000;
        unit = "ms";
    }
    const char *what = c->group && s->n > 1 ? fr_arena_printf(&s->frame.arena, "%s: line", c->group) : "Line";
    fr_number_format(step, 3, each);
    if (!p->band && !p->tails) {
        if (!p->spread && fr_same_text(c->name, "median"))
            fr_frame_note(&s->frame, "%s: one value every %s %s.", what, each, unit);
        else
            fr_frame_note(&s->frame, "%s: %s of %s %s each.", what, c->name, each, unit);
        return;
    }
    fr_frame_note(&s->frame, "%s: %s of %s %s each%s%s.", what, c->name, each, unit,
                  !p->tails     ? ""
                  : p->low >= 0 ? "; dashed: 1st and 99th percentile"
                                : "; dashed: 99th percentile",
                  p->band ? "; band: lowest to highest" : "");
}

static void fit(struct series *s, struct panel *p, const struct fr_chart_options *options)
{
    const struct fr_column *c = &s->frame.table->columns[p->line];
    struct fr_figure figure = {.name = "",
                               .unit = c->unit,
                               .seconds = c->dim == FR_DIM_SECONDS ? c->scale : 0,
                               .better = c->better,
                               .log_axis = options->log_axis,
                               .spread = c->dim == FR_DIM_SECONDS};
    p->plot = (struct fr_plot){.frame = &s->frame, .heading = s->n > 1 ? c->group : NULL};
    settle(s, p);
    for (size_t i = 0; p->tails && !p->band && i < p->highs.n; i++) /* within the band, where there is one */
        for (size_t k = 0; k < p->highs.list[i].n; k++)
            p->lines.list[i].points[k].hi = p->highs.list[i].points[k].y;
    fr_curves_fit_y(&p->lines, &p->plot, &figure);
    fr_axis_fit(&p->plot.x, s->t0 / s->unit, s->t1 / s->unit, false, false, 8);
    explain(s, p);
}

static int draw_panels(struct series *s, const struct fr_chart_options *options, struct fr_log *log)
{
    size_t drawn = 0;
    if (!find_times(s))
        return fr_log_error(log, NULL, 0, "the series is too short to draw, no chart was written");
    struct fr_plot *plots = fr_arena_alloc(&s->frame.arena, s->n * sizeof *plots);
    fr_curves_looks(&s->all, s->frame.table, &s->frame.arena);
    for (size_t i = 0; i < s->n; i++) {
        fr_curves_look_like(&s->panels[i].lines, &s->all);
        fr_curves_look_like(&s->panels[i].lows, &s->all);
        fr_curves_look_like(&s->panels[i].highs, &s->all);
        fit(s, &s->panels[i], options);
    }
    make_room(s);
    for (size_t i = 0; i < s->n; i++)
        if (s->panels[i].lines.n)
            plots[drawn++] = s->panels[i].plot;
    plots[drawn - 1].x_title = s->x_title;
    fr_curves_keys(&s->all, &s->frame, false, false);
    if (fr_plots_begin(plots, drawn, options, drawn > 1 ? AREA_SEVERAL_H : AREA_H, log) != 0)
        return -1;
    for (size_t i = 0, k = 0; i < s->n; i++)
        if (s->panels[i].lines.n) {
            s->panels[i].plot = plots[k++];
            draw_panel(s, &s->panels[i]);
        }
    return 0;
}

static int draw(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                struct fr_log *log)
{
    struct series s = {.key = fr_column_of(table, FR_COL_KEY, 0), .t = fr_column_of(table, FR_COL_X, 0)};
    int rc = fr_frame_init(&s.frame, canvas, table, options, log);
    if (rc == 0)
        find_panels(&s);
    if (rc == 0 && (s.t < 0 || s.n == 0 || !table->head))
        rc = fr_log_error(log, NULL, 0, "the selection has no series, no chart was written");
    for (size_t i = 0; rc == 0 && i < s.n; i++)
        load(&s, &s.panels[i]);
    for (size_t i = 0; rc == 0 && i < table->notes_n; i++) /* of the whole, not of a point */
        fr_frame_note(&s.frame, "%s", table->notes[i]);
    if (rc == 0)
        rc = draw_panels(&s, options, log);
    for (size_t i = 0; i < s.n; i++) {
        fr_curves_release(&s.panels[i].lines);
        fr_curves_release(&s.panels[i].lows);
        fr_curves_release(&s.panels[i].highs);
    }
    fr_curves_release(&s.all);
    fr_frame_release(&s.frame);
    return rc;
}

const struct fr_chart_kind fr_chart_series = {"series", "a metric over time, from logs", FR_SHAPE_SERIES, draw, false};
