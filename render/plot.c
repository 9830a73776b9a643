/* plot.c: see plot.h: the axes. The curves are in curves.c. */
#include "plot.h"

#include <math.h>

#include "scan.h"

#include "banned.h"

/* The y axis' lowest label stands half below the area: the x axis' labels begin under it. */
#define TICK_GAP   7.0
#define TICK_APART 6.0 /* labels beside each other */

static double line_height(struct fr_frame *f, double size)
{
    struct fr_text t = fr_frame_text("0", size, 0, 0);
    return fr_text_measure(f->canvas, &t).h;
}

static struct fr_text heading_text(const struct fr_plot *p, double width)
{
    struct fr_text t = fr_frame_text(p->heading, FR_SIZE_HEAD, p->frame->theme->text, 0);
    t.weight = FR_WEIGHT_BOLD;
    t.wrap = width;
    return t;
}

static struct fr_text title_text(const struct fr_plot *p, const char *text, double width)
{
    struct fr_text t = fr_frame_text(text, FR_SIZE_TICK, p->frame->theme->muted, 0);
    t.wrap = width;
    return t;
}

void fr_plot_measure(struct fr_plot *p, double width)
{
    struct fr_text t;
    p->head_h = 6 + p->strip_h;
    if (p->heading && *p->heading) {
        t = heading_text(p, width);
        p->head_h += fr_text_measure(p->frame->canvas, &t).h + 2;
    }
    if (p->y_title && *p->y_title) {
        t = title_text(p, p->y_title, width);
        p->head_h += fr_text_measure(p->frame->canvas, &t).h + 4;
    }
    p->foot_h = line_height(p->frame, FR_SIZE_TICK) + TICK_GAP + 2;
    if (p->x_title && *p->x_title) {
        t = title_text(p, p->x_title, width);
        p->foot_h += fr_text_measure(p->frame->canvas, &t).h + 2;
    }
}

double fr_plot_label_width(const struct fr_plot *p)
{
    double widest = 0;
    for (size_t i = 0; i < p->y.ticks_n; i++) {
        struct fr_text t = fr_frame_text(p->y.ticks[i].label, FR_SIZE_TICK, 0, 0);
        widest = fmax(widest, fr_text_measure(p->frame->canvas, &t).w);
    }
    return widest + 10;
}

void fr_plot_place(struct fr_plot *p, double x, double y, double w, double h, double least_left)
{
    p->edge = x;
    p->left = x + fmax(fr_plot_label_width(p), least_left);
    p->right = x + w;
    p->top = y + p->head_h;
    p->bottom = y + h - p->foot_h;
    p->x.from = p->left;
    p->x.to = p->right;
    p->y.from = p->bottom;
    p->y.to = p->top;
}

static void draw_y(const struct fr_plot *p)
{
    struct fr_frame *f = p->frame;
    struct fr_paint grid = fr_theme_stroke(f->theme->grid, 1, 0);
    double last = 1e9, h = line_height(f, FR_SIZE_TICK);
    for (size_t i = 0; i < p->y.ticks_n; i++) {
        double y = fr_axis_at(&p->y, p->y.ticks[i].value);
        fr_draw_line(f->canvas, p->left, y, p->right, y, &grid);
        if (y + h / 2 > last - 1)
            continue;
        struct fr_text t = fr_frame_text(p->y.ticks[i].label, FR_SIZE_TICK, f->theme->muted, 1);
        fr_text_draw(f->canvas, &t, p->left - 8, y, 0.5);
        last = y - h / 2;
    }
}

static struct fr_text tick_text(const struct fr_frame *f, const struct fr_tick *tick)
{
    return fr_frame_text(tick->label, FR_SIZE_TICK, f->theme->muted, 0.5);
}

/* Where the label's middle is: below its tick, but within the picture's or panel's limits. */
static double tick_at(const struct fr_axis *a, const struct fr_tick *tick, double w, double least, double most)
{
    return fmax(least + w / 2, fmin(fr_axis_at(a, tick->value), most - w / 2));
}

static bool ticks_fit(struct fr_frame *f, const struct fr_axis *a, double least, double most)
{
    double last = -1e9;
    for (size_t i = 0; i < a->ticks_n; i++) {
        struct fr_text t = tick_text(f, &a->ticks[i]);
        double w = fr_text_measure(f->canvas, &t).w, x = tick_at(a, &a->ticks[i], w, least, most);
        if (x - w / 2 < last + TICK_APART)
            return false;
        last = x + w / 2;
    }
    return true;
}

void fr_plot_ticks(struct fr_frame *f, const struct fr_axis *axis, double top, double bottom, double gap, double least,
                   double most)
{
    struct fr_paint grid = fr_theme_stroke(f->theme->grid, 1, 0);
    struct fr_axis a = *axis;
    double last = -1e9;
    for (int n = (int)a.ticks_n; n > 1 && !a.given && a.scale == FR_SCALE_LINEAR && !ticks_fit(f, &a, least, most); n--)
        fr_axis_ticks(&a, n - 1);
    for (size_t i = 0; i < a.ticks_n; i++) {
        double at = fr_axis_at(&a, a.ticks[i].value);
        fr_draw_line(f->canvas, at, top, at, bottom, &grid);
        struct fr_text t = tick_text(f, &a.ticks[i]);
        double w = fr_text_measure(f->canvas, &t).w, x = tick_at(&a, &a.ticks[i], w, least, most);
        if (x - w / 2 < last + TICK_APART || at > most || at < least)
            continue;
        fr_text_draw(f->canvas, &t, x, bottom + gap, 0);
        last = x + w / 2;
    }
}

static void draw_x(const struct fr_plot *p)
{
    struct fr_frame *f = p->frame;
    struct fr_paint axis = fr_theme_stroke(f->theme->axis, 1, 0);
    fr_plot_ticks(f, &p->x, p->top, p->bottom, TICK_GAP, 4, p->right + FR_MARGIN - 4);
    fr_draw_line(f->canvas, p->left, p->bottom, p->right, p->bottom, &axis);
}

void fr_plot_axes(const struct fr_plot *p)
{
    struct fr_canvas *canvas = p->frame->canvas;
    draw_y(p);
    draw_x(p);
    for (size_t i = 0; i < p->bases_n; i++) {
        double at = fr_axis_at(&p->y, p->bases[i].value);
        struct fr_paint paint = fr_base_paint(p->frame->theme, i);
        fr_draw_line(canvas, p->left, at, p->right, at, &paint);
    }
    for (size_t i = 0; i < p->x_bases_n; i++) {
        double at = fr_axis_at(&p->x, p->x_bases[i].value);
        struct fr_paint paint = fr_base_paint(p->frame->theme, p->bases_n + i);
        fr_draw_line(canvas, at, p->top, at, p->bottom, &paint);
    }
    /* Headings begin at the picture's margin, where the labels of the y axis do. */
    double x = p->edge, width = p->right - x, y = p->top - p->head_h;
    if (p->heading && *p->heading) {
        struct fr_text t = heading_text(p, width);
        y += fr_text_draw(canvas, &t, x, y, 0).h + 2;
    }
    if (p->y_title && *p->y_title) {
        struct fr_text t = title_text(p, p->y_title, width);
        fr_text_draw(canvas, &t, x, y, 0);
    }
    if (p->x_title && *p->x_title) {
        struct fr_text t = title_text(p, p->x_title, 0);
        bool fits = fr_text_measure(canvas, &t).w <= p->right - p->left;
        t.wrap = fits ? 0 : width;
        fr_text_draw(canvas, &t, fits ? p->left : x, p->bottom + p->foot_h, 1);
    }
    fr_canvas_box(canvas, FR_BOX_AREA, p->left, p->top, p->right - p->left, p->bottom - p->top);
}

/* Gaps between plots, and the least height of an area. */
#define GAP_PLOTS 14.0
#define AREA_MIN  90.0

int fr_plots_begin(struct fr_plot *plots, size_t n, const struct fr_chart_options *options, double each,
                   struct fr_log *log)
{
    struct fr_frame *f = plots[0].frame;
    fr_frame_measure(f);
    double width = f->width - 2 * FR_MARGIN, height = -GAP_PLOTS, left = 0;
    for (size_t i = 0; i < n; i++) {
        fr_plot_measure(&plots[i], width);
        left = fmax(left, fr_plot_label_width(&plots[i]));
        height += plots[i].head_h + plots[i].foot_h + GAP_PLOTS;
    }
    if (options->height > 0)
        each = fmax(AREA_MIN, (options->height - f->top - f->bottom - height) / (double)n);
    if (fr_frame_begin(f, height + each * (double)n, log) != 0)
        return -1;
    double y = f->top;
    for (size_t i = 0; i < n; i++) {
        double h = plots[i].head_h + plots[i].foot_h + each;
        fr_plot_place(&plots[i], FR_MARGIN, y, width, h, left);
        fr_plot_axes(&plots[i]);
        y += h + GAP_PLOTS;
    }
    return 0;
}

const char *fr_axis_title(struct fr_arena *arena, const char *name, const char *unit, bool log_axis, const char *better)
{
    bool said = name && unit && fr_str_ends(fr_str(name), unit);
    const char *parts[] = {name, said ? "" : unit, log_axis ? "log scale" : "", better};
    struct fr_strbuf s = FR_STRBUF_INIT;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i] && *parts[i])
            fr_strbuf_addf(&s, "%s%s", s.len ? ", " : "", parts[i]);
    const char *copy = fr_arena_copy(arena, fr_strbuf_str(&s), s.len);
    fr_strbuf_release(&s);
    return copy;
}

const char *fr_time_axis(double seconds, double *unit)
{
    *unit = seconds >= 4 * 3600 ? 3600 : seconds >= 20 * 60 ? 60 : seconds >= 1 ? 1 : 1e-3;
    return *unit > 60 ? "time, h" : *unit > 1 ? "time, min" : *unit < 1 ? "time, ms" : "time, s";
}
