/* bars_standing.c: vertical bars, for few and short labels. See bars.h. */
#include <math.h>

#include "bars.h"

#include "banned.h"

#define PLOT_H  280.0
#define BAR_MAX 72.0

struct standing {
    struct fr_bars *b;
    const struct fr_panel *panel;
    struct fr_axis axis;
    double left, right;     /* of the plot */
    double slot;            /* width of a row's place */
    double head_h, label_h; /* above and below the plot */
    double plot_h;
};

static struct fr_text label_text(const struct standing *s, const char *text)
{
    struct fr_text t = fr_frame_text(text, FR_SIZE_LABEL, s->b->frame.theme->text, 0.5);
    t.wrap = s->slot - 10;
    return t;
}

/* A label fits when no word is broken and it takes at most two lines. */
static bool label_fits(struct standing *s, const char *label)
{
    struct fr_canvas *canvas = s->b->frame.canvas;
    struct fr_text t = label_text(s, label);
    struct fr_text one = fr_frame_text("x", FR_SIZE_LABEL, 0, 0);
    double h = fr_text_measure(canvas, &t).h;
    s->label_h = fmax(s->label_h, h);
    if (h > 2.4 * fr_text_measure(canvas, &one).h)
        return false;
    for (const char *p = label; *p;) {
        size_t n = strcspn(p, " ");
        one = fr_frame_text(fr_arena_copy(&s->b->frame.arena, p, n), FR_SIZE_LABEL, 0, 0);
        if (fr_text_measure(canvas, &one).w > t.wrap)
            return false;
        p += n + (p[n] == ' ');
    }
    return true;
}

static bool fits(struct standing *s)
{
    struct fr_bars *b = s->b;
    double n = (double)s->panel->series_n;
    b->pitch = fmin(BAR_MAX, (s->slot - 16) / n);
    for (size_t r = 0; r < s->panel->rows_n; r++) {
        if (!label_fits(s, s->panel->rows[r].label))
            return false;
        for (size_t k = 0; k < s->panel->series_n; k++) {
            struct fr_text t = fr_frame_text(fr_bar_label(b, s->panel, k, r), FR_SIZE_VALUE, 0, 0);
            if (fr_text_measure(b->frame.canvas, &t).w > b->pitch - 2)
                return false;
        }
    }
    return true;
}

static void fit_axis(struct standing *s)
{
    double lo, hi;
    fr_bars_range(s->panel, &lo, &hi);
    s->axis.binary = fr_unit_is_binary(s->panel->unit);
    if (s->b->frame.table->columns[s->panel->series[0].column].dim == FR_DIM_SECONDS)
        s->axis.seconds = s->panel->scale;
    s->axis.scale = s->b->log_axis && hi > 0 ? FR_SCALE_LOG : FR_SCALE_LINEAR;
    if (s->axis.scale == FR_SCALE_LOG) {
        fr_axis_fit(&s->axis, fr_bars_least(s->panel) / (s->axis.binary ? 2 : 3), hi, false, false, 5);
    } else {
        fr_axis_fit(&s->axis, 0, hi, true, false, 5);
    }
    /* Room for the labels above the highest bar. */
    double more = s->plot_h / (s->plot_h - 20);
    if (s->axis.scale == FR_SCALE_LOG)
        s->axis.max = s->axis.min * pow(s->axis.max / s->axis.min, more);
    else
        s->axis.max *= more;
    fr_axis_ticks(&s->axis, 5);
}

static void fit_sides(struct standing *s)
{
    struct fr_frame *f = &s->b->frame;
    double widest = 0;
    for (size_t i = 0; i < s->axis.ticks_n; i++) {
        struct fr_text t = fr_frame_text(s->axis.ticks[i].label, FR_SIZE_TICK, 0, 0);
        widest = fmax(widest, fr_text_measure(f->canvas, &t).w);
    }
    s->left = FR_MARGIN + widest + 8;
    s->right = f->width - FR_MARGIN;
    s->slot = (s->right - s->left) / (double)s->panel->rows_n;
}

static void draw_head(struct standing *s, double y)
{
    struct fr_frame *f = &s->b->frame;
    const struct fr_panel *p = s->panel;
    struct fr_text t = fr_frame_text(p->title, FR_SIZE_HEAD, f->theme->text, 0);
    t.weight = FR_WEIGHT_BOLD;
    t.wrap = f->width - 2 * FR_MARGIN;
    if (*p->title)
        y += fr_text_draw(f->canvas, &t, FR_MARGIN, y, 0).h + 2;
    bool log_axis = s->axis.scale == FR_SCALE_LOG;
    bool said = (log_axis && s->axis.seconds > 0) || strcmp(p->unit, p->title) == 0;
    const char *parts[] = {said ? "" : p->unit, log_axis ? "log scale" : "", fr_better_text(p->better, false)};
    struct fr_strbuf text = FR_STRBUF_INIT;
    for (size_t i = 0; i < 3; i++)
        if (*parts[i])
            fr_strbuf_addf(&text, "%s%s", text.len ? ", " : "", parts[i]);
    t = fr_frame_text(fr_strbuf_str(&text), FR_SIZE_TICK, f->theme->muted, 0);
    if (text.len)
        fr_text_draw(f->canvas, &t, FR_MARGIN, y, 0);
    fr_strbuf_release(&text);
}

static void draw_bar(struct standing *s, size_t r, size_t k, double x)
{
    struct fr_bars *b = s->b;
    double v = fr_panel_value(s->panel, k, r), w = b->pitch - (s->panel->series_n > 1 ? 3 : 0), lo, hi;
    double zero = s->axis.from, top = isnan(v) ? zero : fr_axis_at(&s->axis, v);
    if (isnan(v))
        return;
    struct fr_paint paint = fr_bar_paint(b, s->panel, k, r);
    top = fmin(top, zero - 1.5);
    if (v != 0)
        fr_draw_rect(b->frame.canvas, x, top, w, zero - top, &paint);
    if (fr_cell_spread(s->panel, fr_panel_cell(s->panel, k, r), &lo, &hi)) {
        struct fr_paint p = fr_theme_stroke(b->frame.theme->text, 1.2, 0);
        double middle = x + w / 2, a = fr_axis_at(&s->axis, lo), z = fr_axis_at(&s->axis, hi), cap = fmin(5, w / 3);
        fr_draw_line(b->frame.canvas, middle, a, middle, z, &p);
        fr_draw_line(b->frame.canvas, middle - cap, a, middle + cap, a, &p);
        fr_draw_line(b->frame.canvas, middle - cap, z, middle + cap, z, &p);
    }
}

/* The figure above the bar and its whisker. */
static void draw_value(struct standing *s, size_t r, size_t k, double x)
{
    struct fr_bars *b = s->b;
    double v = fr_panel_value(s->panel, k, r), w = b->pitch - (s->panel->series_n > 1 ? 3 : 0), lo, hi;
    double top = isnan(v) || v == 0 ? s->axis.from : fmin(fr_axis_at(&s->axis, v), s->axis.from - 1.5);
    if (!isnan(v) && fr_cell_spread(s->panel, fr_panel_cell(s->panel, k, r), &lo, &hi))
        top = fmin(top, fr_axis_at(&s->axis, hi));
    struct fr_text t = fr_frame_text(fr_bar_label(b, s->panel, k, r), FR_SIZE_VALUE, b->frame.theme->text, 0.5);
    if (isnan(v))
        t.color = b->frame.theme->muted;
    if (s->panel->bases_n)
        fr_bar_patch(b, &t, x + w / 2, top - 3, 1);
    fr_text_draw(b->frame.canvas, &t, x + w / 2, top - 3, 1);
}

static void draw_grid(struct standing *s)
{
    struct fr_frame *f = &s->b->frame;
    struct fr_paint grid = fr_theme_stroke(f->theme->grid, 1, 0), axis = fr_theme_stroke(f->theme->axis, 1, 0);
    for (size_t i = 0; i < s->axis.ticks_n; i++) {
        double y = fr_axis_at(&s->axis, s->axis.ticks[i].value);
        fr_draw_line(f->canvas, s->left, y, s->right, y, &grid);
        struct fr_text t = fr_frame_text(s->axis.ticks[i].label, FR_SIZE_TICK, f->theme->muted, 1);
        fr_text_draw(f->canvas, &t, s->left - 6, y, 0.5);
    }
    fr_draw_line(f->canvas, s->left, s->axis.from, s->right, s->axis.from, &axis);
}

/* Their names are in the legend. */
static void draw_bases(struct standing *s)
{
    struct fr_frame *f = &s->b->frame;
    for (size_t i = 0; i < s->panel->bases_n; i++) {
        double y = fr_axis_at(&s->axis, s->panel->bases[i].value);
        struct fr_paint p = fr_base_paint(f->theme, i);
        fr_draw_line(f->canvas, s->left, y, s->right, y, &p);
    }
}

static void each_bar(struct standing *s, void (*draw)(struct standing *, size_t, size_t, double))
{
    size_t *bars = fr_arena_alloc(&s->b->frame.arena, s->panel->series_n * sizeof *bars);
    for (size_t r = 0; r < s->panel->rows_n; r++) {
        size_t n = fr_panel_bars(s->panel, r, bars);
        double first = s->left + s->slot * (double)r + (s->slot - (double)n * s->b->pitch) / 2;
        for (size_t i = 0; i < n; i++)
            draw(s, r, bars[i], first + (double)i * s->b->pitch);
    }
}

static void draw(struct standing *s)
{
    struct fr_bars *b = s->b;
    double top = b->frame.top + s->head_h;
    s->axis.from = top + s->plot_h;
    s->axis.to = top;
    draw_head(s, b->frame.top);
    draw_grid(s);
    fr_canvas_box(b->frame.canvas, FR_BOX_AREA, s->left, top, s->right - s->left, s->plot_h);
    each_bar(s, draw_bar);
    draw_bases(s);
    each_bar(s, draw_value);
    for (size_t r = 0; r < s->panel->rows_n; r++) {
        struct fr_text t = label_text(s, s->panel->rows[r].label);
        fr_text_draw(b->frame.canvas, &t, s->left + s->slot * ((double)r + 0.5), s->axis.from + 5, 0);
    }
}

int fr_bars_standing(struct fr_bars *b, struct fr_log *log)
{
    struct standing s = {.b = b, .panel = &b->panels.panels[0]};
    struct fr_text t = fr_frame_text("0", FR_SIZE_TICK, 0, 0);
    double line = fr_text_measure(b->frame.canvas, &t).h;
    t = fr_frame_text(s.panel->title, FR_SIZE_HEAD, 0, 0);
    t.weight = FR_WEIGHT_BOLD;
    t.wrap = b->frame.width - 2 * FR_MARGIN;
    s.head_h = (*s.panel->title ? fr_text_measure(b->frame.canvas, &t).h + 2 : 0) + line + 8;
    s.plot_h = PLOT_H;
    if (b->options->height)
        s.plot_h = fmax(120, b->options->height - b->frame.top - b->frame.bottom - s.head_h - 24);
    fit_axis(&s);
    fit_sides(&s);
    if (!fits(&s))
        return 1;
    if (fr_frame_begin(&b->frame, s.head_h + s.plot_h + 5 + s.label_h, log) != 0)
        return -1;
    draw(&s);
    return 0;
}
