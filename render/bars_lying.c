/* bars_lying.c: horizontal bars. See bars.h. */
#include <math.h>

#include "bars.h"
#include "plot.h"
#include "scan.h"

#include "banned.h"

#define GAP_PANELS 26.0
#define PANEL_MIN  170.0

/* Panels beside each other, which have the same rows. */
struct line {
    const struct fr_panel *panels;
    size_t n;
    double panel_w;
    double *slot_h;  /* of each row */
    double *group_h; /* of the heading above each row, 0 for none */
    double slots_h;  /* of all, with group headings */
    double head_h;
    double base_h; /* room for the baseline's name */
};

/* Where everything is, before anything is drawn. */
struct lying {
    struct fr_bars *b;
    struct line *lines;
    size_t lines_n;
    size_t per_line;
    size_t *bars;   /* room for the series of a row */
    double label_w; /* of the row labels' column */
    double panel_w; /* of the line at hand */
    double axis_h;
    double shared_w; /* of the widest figure in panels that share an axis */
    double x;        /* of the panel being drawn */
};

static struct fr_text label_text(const struct lying *l, const char *text)
{
    struct fr_text t = fr_frame_text(text, FR_SIZE_LABEL, l->b->frame.theme->text, 1);
    t.wrap = l->label_w;
    return t;
}

/* All panels have titles of one size: a smaller one where some are long. */
static bool long_titles(const struct lying *l)
{
    for (size_t i = 0; i < l->b->panels.panels_n; i++)
        if (strlen(l->b->panels.panels[i].title) > 40)
            return true;
    return false;
}

static struct fr_text head_text(const struct lying *l, const struct fr_panel *panel)
{
    /* Names of tests can be sentences: those are set smaller. */
    double size = l->per_line > 1 && long_titles(l) ? FR_SIZE_TICK : FR_SIZE_HEAD;
    struct fr_text t = fr_frame_text(panel->title, size, l->b->frame.theme->text, 0);
    t.weight = FR_WEIGHT_BOLD;
    t.wrap = l->panel_w;
    return t;
}

static struct fr_text group_text(const struct lying *l, const char *text)
{
    struct fr_text t = fr_frame_text(text, FR_SIZE_LABEL, l->b->frame.theme->text, 0);
    t.weight = FR_WEIGHT_BOLD;
    t.wrap = l->label_w;
    return t;
}

/* Labels get what they need, up to a share of the width; longer ones wrap. */
static void fit_labels(struct lying *l)
{
    struct fr_frame *f = &l->b->frame;
    double widest = 0, room = f->width - 2 * FR_MARGIN;
    for (size_t i = 0; i < (l->b->panels.shared ? 1 : l->b->panels.panels_n); i++) {
        const struct fr_panel *panel = &l->b->panels.panels[i];
        for (size_t r = 0; r < panel->rows_n; r++) {
            struct fr_text t = fr_frame_text(panel->rows[r].label, FR_SIZE_LABEL, 0, 0);
            widest = fmax(widest, fr_text_measure(f->canvas, &t).w);
            if (panel->rows[r].group) {
                t = group_text(l, panel->rows[r].group);
                t.wrap = 0;
                widest = fmax(widest, fr_text_measure(f->canvas, &t).w);
            }
        }
    }
    l->label_w = fmax(fmin(ceil(widest) + 1, room * 0.38), 1);
}

static double widest_value(const struct lying *l, const struct fr_panel *panel)
{
    double widest = 0;
    for (size_t r = 0; r < panel->rows_n; r++)
        for (size_t s = 0; s < panel->series_n; s++) {
            struct fr_text t = fr_frame_text(fr_bar_label(l->b, panel, s, r), FR_SIZE_VALUE, 0, 0);
            widest = fmax(widest, fr_text_measure(l->b->frame.canvas, &t).w + 8);
        }
    return widest;
}

/* A panel needs its value labels, at both sides where there are bars to both sides, and some bar. */
static double panel_need(struct lying *l)
{
    double need = PANEL_MIN, lo, hi;
    for (size_t i = 0; i < l->b->panels.panels_n; i++) {
        const struct fr_panel *panel = &l->b->panels.panels[i];
        double widest = widest_value(l, panel);
        fr_bars_range(panel, &lo, &hi);
        need = fmax(need, widest * (lo < 0 ? 2 : 1) + 40);
        /* Or a length would mean another value in each. */
        if (panel->axis_max > 0)
            l->shared_w = fmax(l->shared_w, widest);
    }
    return need;
}

/* Fewer panels than the other lines have are wider, unless their bars are to be compared with those of the others. */
static double line_panel_width(const struct lying *l, const struct line *line, double room)
{
    for (size_t i = 0; i < line->n; i++)
        if (line->panels[i].axis_max > 0)
            return l->panel_w;
    return line->n ? (room - GAP_PANELS * (double)(line->n - 1)) / (double)line->n : l->panel_w;
}

static void fit_lines(struct lying *l)
{
    struct fr_bars *b = l->b;
    double need = panel_need(l), room = b->frame.width - 2 * FR_MARGIN - 8;
    if (room - l->label_w < need) /* rather wrap the labels more */
        l->label_w = fmax(fmin(40, l->label_w), room - need);
    room -= l->label_w;
    size_t n = b->panels.panels_n, most = (size_t)fmax(1, floor((room + GAP_PANELS) / (need + GAP_PANELS)));
    if (!b->panels.shared)
        most = 1;
    l->lines_n = (n + most - 1) / most;
    l->per_line = (n + l->lines_n - 1) / l->lines_n;
    l->panel_w = (room - GAP_PANELS * (double)(l->per_line - 1)) / (double)l->per_line;
    l->lines = fr_arena_alloc(&b->frame.arena, l->lines_n * sizeof *l->lines);
    for (size_t i = 0; i < l->lines_n; i++) {
        size_t first = i * l->per_line;
        l->lines[i].panels = &b->panels.panels[first < n ? first : n - 1];
        l->lines[i].n = first >= n ? 0 : n - first < l->per_line ? n - first : l->per_line;
        l->lines[i].panel_w = line_panel_width(l, &l->lines[i], room);
    }
}

static void fit_pitch(struct lying *l)
{
    struct fr_bars *b = l->b;
    size_t bars = 0;
    for (size_t i = 0; i < l->lines_n; i++)
        bars += l->lines[i].panels->rows_n * b->series_max;
    b->pitch = bars <= 16 ? 24 : bars <= 40 ? 19 : 16;
    if ((b->series_max > 1 || l->lines_n > 2) && b->pitch > 19)
        b->pitch = 19;
}

/* The most bars that a panel has in the row. */
static size_t most_bars(const struct lying *l, const struct line *line, size_t r)
{
    size_t most = 1;
    for (size_t i = 0; i < line->n; i++) {
        size_t n = fr_panel_bars(&line->panels[i], r, l->bars);
        most = n > most ? n : most;
    }
    return most;
}

static void fit_slots(struct lying *l, struct line *line)
{
    struct fr_bars *b = l->b;
    const struct fr_panel *panel = line->panels;
    double gap = b->series_max > 1 ? 9 : 5;
    line->slot_h = fr_arena_alloc(&b->frame.arena, (panel->rows_n + 1) * sizeof *line->slot_h);
    line->group_h = fr_arena_alloc(&b->frame.arena, (panel->rows_n + 1) * sizeof *line->group_h);
    for (size_t r = 0; r < panel->rows_n; r++) {
        struct fr_text t = group_text(l, panel->rows[r].group);
        if (panel->rows[r].group)
            line->group_h[r] = fr_text_measure(b->frame.canvas, &t).h + 10;
        t = label_text(l, panel->rows[r].label);
        double label_h = fr_text_measure(b->frame.canvas, &t).h;
        line->slot_h[r] = fmax((double)most_bars(l, line, r) * b->pitch, label_h) + gap;
        line->slots_h += line->slot_h[r] + line->group_h[r];
    }
    /* A height that was asked for is met by thicker bars, never by thinner ones than can be read. */
    double want = b->options->height - b->frame.top - b->frame.bottom - 60;
    if (l->lines_n == 1 && want > line->slots_h && panel->rows_n) {
        double more = (want - line->slots_h) / (double)panel->rows_n;
        for (size_t r = 0; r < panel->rows_n; r++)
            line->slot_h[r] += more;
        b->pitch = fmin(b->pitch + more / (double)b->series_max, 48);
        line->slots_h = want;
    }
}

static struct fr_text base_text(const struct lying *l, const struct fr_panel *panel, size_t i)
{
    const char *text = fr_base_text(&l->b->frame.arena, &panel->bases[i], "");
    struct fr_text t = fr_frame_text(text, FR_SIZE_TICK, l->b->frame.theme->text, 0.5);
    t.wrap = l->panel_w;
    return t;
}

static double base_height(const struct lying *l, const struct fr_panel *panel, size_t i)
{
    struct fr_text t = base_text(l, panel, i);
    return fr_text_measure(l->b->frame.canvas, &t).h + 2;
}

static void fit_heads(struct lying *l, struct line *line)
{
    struct fr_bars *b = l->b;
    for (size_t i = 0; i < line->n; i++) {
        const struct fr_panel *panel = &line->panels[i];
        struct fr_text t = head_text(l, panel);
        double h = *panel->title ? fr_text_measure(b->frame.canvas, &t).h + 4 : 0;
        line->head_h = fmax(line->head_h, h);
        double base_h = 0;
        for (size_t k = 0; k < panel->bases_n; k++)
            base_h += base_height(l, panel, k);
        line->base_h = fmax(line->base_h, base_h);
    }
}

static void draw_labels(const struct lying *l, const struct line *line, double y)
{
    struct fr_bars *b = l->b;
    for (size_t r = 0; r < line->panels->rows_n; r++) {
        const struct fr_panel_row *row = &line->panels->rows[r];
        if (row->group) {
            struct fr_text t = group_text(l, row->group);
            fr_text_draw(b->frame.canvas, &t, FR_MARGIN, y + line->group_h[r] - 2, 1);
            y += line->group_h[r];
        }
        struct fr_text t = label_text(l, row->label);
        fr_text_draw(b->frame.canvas, &t, FR_MARGIN + l->label_w, y + line->slot_h[r] / 2, 0.5);
        y += line->slot_h[r];
    }
}

/* Seconds of one shown unit where the panel shows times, else 0. */
static double panel_seconds(const struct fr_bars *b, const struct fr_panel *panel)
{
    return b->frame.table->columns[panel->series[0].column].dim == FR_DIM_SECONDS ? panel->scale : 0;
}

/* The axis: room is kept for the value labels at both ends of the bars. */
static void fit_axis(struct lying *l, struct fr_axis *axis, const struct fr_panel *panel, double x)
{
    struct fr_bars *b = l->b;
    double lo, hi, widest = widest_value(l, panel);
    if (panel->axis_max > 0)
        widest = l->shared_w;
    fr_bars_range(panel, &lo, &hi);
    hi = fmax(hi, panel->axis_max);
    axis->binary = fr_unit_is_binary(panel->unit);
    axis->scale = b->log_axis && lo >= 0 && hi > 0 ? FR_SCALE_LOG : FR_SCALE_LINEAR;
    axis->from = x + (lo < 0 ? widest : 0);
    double end = x + l->panel_w;
    axis->to = fmax(end - widest, axis->from + 20);
    int count = (int)fmax(3, l->panel_w / 85);
    axis->seconds = panel_seconds(b, panel);
    if (axis->scale == FR_SCALE_LOG) {
        double least = panel->axis_least > 0 ? panel->axis_least : fr_bars_least(panel);
        fr_axis_fit(axis, least / (axis->binary ? 2 : 3), hi, false, false, count);
    } else {
        fr_axis_fit(axis, lo, hi, true, false, count);
        /* Ticks may go on above the longest bar, up to the panel's edge. */
        double more = (end - axis->to) / (axis->to - axis->from) * (axis->max - axis->min);
        axis->max += more;
        axis->to = end;
        fr_axis_ticks(axis, count);
    }
}

/* Unit, scale and direction, below the ticks. */
static struct fr_text axis_title(const struct lying *l, const struct fr_panel *panel, bool log_scale)
{
    const char *parts[] = {log_scale && panel_seconds(l->b, panel) > 0 ? "" : panel->unit, log_scale ? "log scale" : "",
                           fr_better_text(panel->better, true)};
    struct fr_strbuf s = FR_STRBUF_INIT;
    for (size_t i = 0; i < 3; i++)
        if (*parts[i])
            fr_strbuf_addf(&s, "%s%s", s.len ? ", " : "", parts[i]);
    struct fr_text t = fr_frame_text(fr_arena_copy(&l->b->frame.arena, fr_strbuf_str(&s), s.len), FR_SIZE_TICK,
                                     l->b->frame.theme->muted, 0);
    t.wrap = l->panel_w;
    fr_strbuf_release(&s);
    return t;
}

static void fit_axis_height(struct lying *l)
{
    double tallest = 0;
    for (size_t i = 0; i < l->b->panels.panels_n; i++) {
        struct fr_text t = axis_title(l, &l->b->panels.panels[i], l->b->log_axis);
        tallest = fmax(tallest, fr_text_measure(l->b->frame.canvas, &t).h);
    }
    struct fr_text t = fr_frame_text("0", FR_SIZE_TICK, 0, 0);
    l->axis_h = fr_text_measure(l->b->frame.canvas, &t).h + tallest + 6;
}

static void draw_axis(struct lying *l, const struct fr_axis *axis, const struct fr_panel *panel, double top,
                      double bottom)
{
    struct fr_frame *f = &l->b->frame;
    fr_plot_ticks(f, axis, top, bottom, 3, l->x - GAP_PANELS / 2,
                  l->x + l->panel_w + fmin(GAP_PANELS, FR_MARGIN) / 2 - 3);
    struct fr_text t = axis_title(l, panel, axis->scale == FR_SCALE_LOG);
    if (*t.text)
        fr_text_draw(f->canvas, &t, l->x, bottom + l->axis_h, 1);
}

static void draw_whisker(struct lying *l, const struct fr_axis *axis, double lo, double hi, double y, double thick)
{
    struct fr_frame *f = &l->b->frame;
    struct fr_paint p = fr_theme_stroke(f->theme->text, 1.2, 0);
    double a = fr_axis_at(axis, lo), z = fr_axis_at(axis, hi), cap = fmin(thick / 2 - 1, 4);
    fr_draw_line(f->canvas, a, y, z, y, &p);
    fr_draw_line(f->canvas, a, y - cap, a, y + cap, &p);
    fr_draw_line(f->canvas, z, y - cap, z, y + cap, &p);
}

/* Where a bar and its whisker end; the axis' zero when absent. A value that is not 0 leaves a trace. */
static double bar_end(const struct fr_axis *axis, const struct fr_panel *panel, size_t s, size_t r, bool whisker)
{
    double v = fr_panel_value(panel, s, r), lo, hi;
    double zero = axis->scale == FR_SCALE_LOG ? axis->from : fr_axis_at(axis, 0);
    if (isnan(v) || v == 0)
        return zero;
    double end = fr_axis_at(axis, v);
    if (fabs(end - zero) < 1.5)
        end = zero + (v < 0 ? -1.5 : 1.5);
    if (whisker && fr_cell_spread(panel, fr_panel_cell(panel, s, r), &lo, &hi))
        end = v < 0 ? fmin(end, fr_axis_at(axis, lo)) : fmax(end, fr_axis_at(axis, hi));
    return end;
}

static void draw_bar(struct lying *l, const struct fr_axis *axis, const struct fr_panel *panel, size_t s, size_t r,
                     double y)
{
    struct fr_bars *b = l->b;
    const struct fr_cell *cell = fr_panel_cell(panel, s, r);
    double zero = axis->scale == FR_SCALE_LOG ? axis->from : fr_axis_at(axis, 0), thick = b->pitch - 3, lo, hi;
    double end = bar_end(axis, panel, s, r, false);
    struct fr_paint paint = fr_bar_paint(b, panel, s, r);
    if (end != zero)
        fr_draw_rect(b->frame.canvas, zero, y + 1.5, end - zero, thick, &paint);
    if (fr_cell_spread(panel, cell, &lo, &hi))
        draw_whisker(l, axis, lo, hi, y + 1.5 + thick / 2, thick);
}

static void draw_value(struct lying *l, const struct fr_axis *axis, const struct fr_panel *panel, size_t s, size_t r,
                       double y)
{
    struct fr_bars *b = l->b;
    double v = fr_panel_value(panel, s, r);
    double x = bar_end(axis, panel, s, r, true) + (v < 0 ? -5 : 5), middle = y + b->pitch / 2;
    struct fr_text t = fr_frame_text(fr_bar_label(b, panel, s, r), FR_SIZE_VALUE, b->frame.theme->text, v < 0 ? 1 : 0);
    if (isnan(v))
        t.color = b->frame.theme->muted;
    if (panel->bases_n)
        fr_bar_patch(b, &t, x, middle, 0.5);
    fr_text_draw(b->frame.canvas, &t, x, middle, 0.5);
}

/* Each with its name above, one line higher than the one before. */
static void draw_bases(struct lying *l, const struct fr_axis *axis, const struct fr_panel *panel, double top,
                       double bottom)
{
    struct fr_canvas *canvas = l->b->frame.canvas;
    for (size_t i = 0; i < panel->bases_n; i++) {
        double x = fr_axis_at(axis, panel->bases[i].value), end = l->x + l->panel_w;
        struct fr_paint p = fr_base_paint(l->b->frame.theme, i);
        fr_draw_line(canvas, x, top, x, bottom, &p);
        struct fr_text t = base_text(l, panel, i);
        double w = fr_text_measure(canvas, &t).w;
        x = fmax(end - l->panel_w + w / 2, fmin(x, end - w / 2));
        fr_text_draw(canvas, &t, x, top - 2, 1);
        top -= base_height(l, panel, i);
    }
}

static void each_bar(struct lying *l, const struct line *line, const struct fr_axis *axis, const struct fr_panel *panel,
                     double y,
                     void (*draw)(struct lying *, const struct fr_axis *, const struct fr_panel *, size_t, size_t,
                                  double))
{
    for (size_t r = 0; r < panel->rows_n; r++) {
        y += line->group_h[r];
        size_t n = fr_panel_bars(panel, r, l->bars);
        double first = y + (line->slot_h[r] - (double)n * l->b->pitch) / 2;
        for (size_t i = 0; i < n; i++)
            draw(l, axis, panel, l->bars[i], r, first + (double)i * l->b->pitch);
        y += line->slot_h[r];
    }
}

static void draw_panel(struct lying *l, const struct line *line, const struct fr_panel *panel, double x, double y)
{
    struct fr_bars *b = l->b;
    struct fr_text head = head_text(l, panel);
    if (*panel->title)
        fr_text_draw(b->frame.canvas, &head, x, y + line->head_h - 4, 1);
    double top = y + line->head_h + line->base_h, bottom = top + line->slots_h;
    struct fr_axis axis = {0};
    l->x = x;
    fit_axis(l, &axis, panel, x);
    draw_axis(l, &axis, panel, top, bottom);
    fr_canvas_box(b->frame.canvas, FR_BOX_AREA, x, top, l->panel_w, line->slots_h);
    each_bar(l, line, &axis, panel, top, draw_bar);
    double zero = axis.scale == FR_SCALE_LOG ? axis.from : fr_axis_at(&axis, 0);
    struct fr_paint p = fr_theme_stroke(b->frame.theme->axis, 1, 0);
    fr_draw_line(b->frame.canvas, zero, top, zero, bottom, &p);
    draw_bases(l, &axis, panel, top, bottom);
    each_bar(l, line, &axis, panel, top, draw_value);
}

static void draw_line_of_panels(struct lying *l, const struct line *line, double y)
{
    draw_labels(l, line, y + line->head_h + line->base_h);
    for (size_t i = 0; i < line->n; i++)
        draw_panel(l, line, &line->panels[i], FR_MARGIN + l->label_w + 8 + (double)i * (l->panel_w + GAP_PANELS), y);
}

int fr_bars_lying(struct fr_bars *b, struct fr_log *log)
{
    struct lying l = {.b = b, .bars = fr_arena_alloc(&b->frame.arena, b->series_max * sizeof *l.bars)};
    fit_labels(&l);
    fit_lines(&l);
    fit_pitch(&l);
    fit_axis_height(&l);
    double height = -GAP_PANELS;
    for (size_t i = 0; i < l.lines_n; i++) {
        l.panel_w = l.lines[i].panel_w;
        fit_slots(&l, &l.lines[i]);
        fit_heads(&l, &l.lines[i]);
        height += l.lines[i].head_h + l.lines[i].base_h + l.lines[i].slots_h + l.axis_h + GAP_PANELS;
    }
    if (fr_frame_begin(&b->frame, height, log) != 0)
        return -1;
    double y = b->frame.top;
    for (size_t i = 0; i < l.lines_n; i++) {
        l.panel_w = l.lines[i].panel_w;
        draw_line_of_panels(&l, &l.lines[i], y);
        y += l.lines[i].head_h + l.lines[i].base_h + l.lines[i].slots_h + l.axis_h + GAP_PANELS;
    }
    return 0;
}
