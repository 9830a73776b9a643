/* curves.c: the curves of plot.h. */
#include <math.h>

#include "marks.h"
#include "plot.h"

#include "banned.h"

enum { MARKERS_MAX = 60 }; /* points of a curve that are drawn one by one */

/* Where the name is, or goes; slots_n is a power of two and more than there are names. */
static size_t *slot_of(const struct fr_curves *c, const char *name)
{
    size_t i = (size_t)fr_str_hash(fr_str(name), 0) & (c->slots_n - 1);
    while (c->slots[i] && strcmp(c->list[c->slots[i] - 1].name, name) != 0)
        i = (i + 1) & (c->slots_n - 1);
    return &c->slots[i];
}

static void more_slots(struct fr_curves *c)
{
    c->slots_n = c->slots_n ? c->slots_n * 4 : 64;
    c->slots = fr_resize(c->slots, c->slots_n * sizeof *c->slots);
    memset(c->slots, 0, c->slots_n * sizeof *c->slots);
    for (size_t i = 0; i < c->n; i++)
        *slot_of(c, c->list[i].name) = i + 1;
}

struct fr_curve *fr_curves_find(struct fr_curves *c, const char *name)
{
    if (c->n && strcmp(c->list[c->n - 1].name, name) == 0) /* rows of a curve mostly stand together */
        return &c->list[c->n - 1];
    if (c->n * 2 >= c->slots_n)
        more_slots(c);
    size_t *slot = slot_of(c, name);
    if (*slot)
        return &c->list[*slot - 1];
    c->list = fr_grow(c->list, c->n, &c->alloc, sizeof *c->list);
    c->list[c->n] = (struct fr_curve){.name = name, .index = c->n};
    *slot = ++c->n;
    return &c->list[c->n - 1];
}

void fr_curve_add(struct fr_curve *curve, struct fr_curve_point point)
{
    curve->points = fr_grow(curve->points, curve->n, &curve->alloc, sizeof *curve->points);
    curve->points[curve->n++] = point;
}

void fr_curves_release(struct fr_curves *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->list[i].points);
    free(c->list);
    free(c->slots);
    *c = (struct fr_curves){0};
}

static int by_x(const void *a, const void *b)
{
    const struct fr_curve_point *p = a, *q = b;
    return p->x < q->x ? -1 : p->x > q->x;
}

void fr_curves_sort(struct fr_curves *c)
{
    for (size_t i = 0; i < c->n; i++)
        qsort(c->list[i].points, c->list[i].n, sizeof *c->list[i].points, by_x);
}

void fr_curves_looks(struct fr_curves *all, const struct fr_table *table, struct fr_arena *arena)
{
    const char **names = fr_arena_alloc(arena, (all->n + 1) * sizeof *names);
    size_t *looks = fr_arena_alloc(arena, (all->n + 1) * sizeof *looks);
    for (size_t i = 0; i < all->n; i++)
        names[i] = all->list[i].name;
    fr_looks(table, names, all->n, looks);
    for (size_t i = 0; i < all->n; i++)
        all->list[i].index = looks[i];
}

void fr_curves_look_like(struct fr_curves *c, const struct fr_curves *all)
{
    for (size_t i = 0; all->n && i < c->n; i++) {
        size_t at = *slot_of(all, c->list[i].name);
        if (at)
            c->list[i].index = all->list[at - 1].index;
    }
}

void fr_curves_keys(const struct fr_curves *c, struct fr_frame *frame, bool markers, bool always)
{
    if (c->n < 2 && !always)
        return;
    for (size_t i = 0; i < c->n; i++)
        fr_frame_key(frame, FR_KEY_LINE, c->list[i].name, fr_theme_line(frame->theme, c->list[i].index),
                     markers ? fr_theme_marker(c->list[i].index) : FR_MARKERS);
}

bool fr_curves_range(const struct fr_curves *c, double *x0, double *x1, double *y0, double *y1)
{
    bool any = false;
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->list[i].n; k++) {
            const struct fr_curve_point *p = &c->list[i].points[k];
            double lo = isnan(p->lo) ? p->y : fmin(p->y, p->lo), hi = isnan(p->hi) ? p->y : fmax(p->y, p->hi);
            *x0 = any ? fmin(*x0, p->x) : p->x;
            *x1 = any ? fmax(*x1, p->x) : p->x;
            *y0 = any ? fmin(*y0, lo) : lo;
            *y1 = any ? fmax(*y1, hi) : hi;
            any = true;
        }
    return any;
}

double fr_curves_least(const struct fr_curves *c)
{
    double least = 0;
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->list[i].n; k++) {
            const struct fr_curve_point *p = &c->list[i].points[k];
            double v = p->lo > 0 && p->lo < p->y ? p->lo : p->y;
            if (v > 0 && (least == 0 || v < least))
                least = v;
        }
    return least;
}

void fr_curves_fit_y(const struct fr_curves *c, struct fr_plot *p, const struct fr_figure *figure)
{
    double x0, x1, y0 = 0, y1 = 1, least = fr_curves_least(c);
    fr_curves_range(c, &x0, &x1, &y0, &y1);
    for (size_t i = 0; i < p->bases_n; i++) {
        y0 = fmin(y0, p->bases[i].value);
        y1 = fmax(y1, p->bases[i].value);
        least = least > 0 ? fmin(least, p->bases[i].value) : least;
    }
    bool is_log = least > 0 && (figure->log_axis || (figure->spread && y1 / least > 30));
    p->y.binary = fr_unit_is_binary(figure->unit);
    p->y.seconds = figure->seconds;
    p->y.scale = is_log ? FR_SCALE_LOG : FR_SCALE_LINEAR;
    fr_axis_fit(&p->y, is_log ? least : fmin(y0, 0), y1, true, true, 5);
    p->y_title = fr_axis_title(&p->frame->arena, figure->name, is_log && figure->seconds > 0 ? "" : figure->unit,
                               is_log, fr_better_text(figure->better, false));
}

static void draw_markers(const struct fr_curve *curve, const struct fr_plot *plot)
{
    struct fr_frame *f = plot->frame;
    struct fr_paint paint = fr_theme_line(f->theme, curve->index);
    paint.line = paint.dash = 0;
    for (size_t k = 0; k < curve->n; k++) {
        const struct fr_curve_point *p = &curve->points[k];
        double x = fr_axis_at(&plot->x, p->x), y = fr_axis_at(&plot->y, p->y);
        if (!isnan(p->lo) && p->lo < p->hi) {
            struct fr_paint whisker = fr_theme_stroke(paint.fill, 1.2, 0);
            double a = fr_axis_at(&plot->y, p->lo), z = fr_axis_at(&plot->y, p->hi);
            fr_draw_line(f->canvas, x, a, x, z, &whisker);
            fr_draw_line(f->canvas, x - 3, a, x + 3, a, &whisker);
            fr_draw_line(f->canvas, x - 3, z, x + 3, z, &whisker);
        }
        struct fr_paint own = paint;
        if (p->failed) { /* open: only the outline */
            own.fill = f->theme->background;
            own.line = 1.5;
        }
        fr_draw_marker(f->canvas, x, y, 7, fr_theme_marker(curve->index), &own);
    }
}

void fr_curves_draw(const struct fr_curves *c, const struct fr_plot *plot, bool markers, bool steps)
{
    struct fr_frame *f = plot->frame;
    for (size_t i = 0; i < c->n; i++) {
        const struct fr_curve *curve = &c->list[i];
        struct fr_point *points = malloc((curve->n * 2 + 1) * sizeof *points);
        size_t n = 0;
        for (size_t k = 0; points && k < curve->n; k++) {
            double x = fr_axis_at(&plot->x, curve->points[k].x), y = fr_axis_at(&plot->y, curve->points[k].y);
            if (steps && n > 0) {
                points[n] = (struct fr_point){x, points[n - 1].y};
                n++;
            }
            points[n++] = (struct fr_point){x, y};
        }
        struct fr_paint line = fr_theme_line(f->theme, curve->index);
        if (points)
            fr_draw_path(f->canvas, points, n, false, &line);
        free(points);
        if ((markers && curve->n <= MARKERS_MAX) || curve->n == 1)
            draw_markers(curve, plot);
    }
}

const char *fr_curve_name(const struct fr_row *row, int key)
{
    return key >= 0 && row->cells[key].kind == FR_CELL_TEXT ? row->cells[key].text : "";
}

void fr_curve_note(struct fr_frame *frame, const struct fr_row *row, const struct fr_cell *cell, const char *failed)
{
    if (cell->note && cell->note <= frame->table->notes_n)
        fr_frame_note(frame, "%s%s", fr_cell_failed(row, cell) ? failed : "", frame->table->notes[cell->note - 1]);
}

int fr_column_of(const struct fr_table *table, enum fr_column_role role, size_t n)
{
    for (size_t i = 0; i < table->columns_n; i++)
        if (table->columns[i].role == role && n-- == 0)
            return (int)i;
    return -1;
}
