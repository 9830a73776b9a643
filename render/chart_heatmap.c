/*
 * chart_heatmap.c: a figure for each pair of two parameters, as colour and number; the other form, of latencies over
 * time, is in heatmap_time.c.
 *
 * Table: a pivot. Rows are the rows of the picture, by their keys; columns are the value columns of one metric. With
 * one value column and two or more keys the last key gives the columns. One panel a metric.
 */
#include <math.h>

#include "heatmap.h"
#include "log.h"
#include "marks.h"
#include "plot.h"
#include "render.h"

#include "banned.h"

#define CELL_H     30.0
#define CELL_MIN_W 26.0
#define SCALE_H    10.0
enum { SIDE_MAX = 200 };

struct grid {
    const struct fr_panel *panel;
    const char **rows, **columns; /* labels */
    size_t rows_n, columns_n;
    const struct fr_cell **cells; /* rows_n * columns_n, NULL where there is none */
    const struct fr_row **origin; /* the row of each cell */
    const char *column_name;      /* what the columns are, or NULL */
    double lo, hi;                /* shown units */
    bool log_scale;
    double label_w, cell_w, head_h, foot_h;
};

static size_t place_of(const char **list, size_t *n, const char *text)
{
    for (size_t i = 0; i < *n; i++)
        if (strcmp(list[i], text) == 0)
            return i;
    list[*n] = text;
    return (*n)++;
}

static int last_key(const struct fr_table *t)
{
    int last = -1, n = 0;
    for (size_t i = 0; i < t->columns_n; i++)
        if (t->columns[i].role == FR_COL_KEY || t->columns[i].role == FR_COL_X) {
            last = (int)i;
            n++;
        }
    return n >= 2 ? last : -1;
}

/* Value columns are the columns of the picture. */
static void make_wide(struct grid *g, struct fr_arena *arena)
{
    g->rows_n = g->panel->rows_n;
    g->columns_n = g->panel->series_n;
    g->rows = fr_arena_alloc(arena, (g->rows_n + 1) * sizeof *g->rows);
    g->columns = fr_arena_alloc(arena, (g->columns_n + 1) * sizeof *g->columns);
    g->cells = fr_arena_alloc(arena, (g->rows_n * g->columns_n + 1) * sizeof *g->cells);
    g->origin = fr_arena_alloc(arena, (g->rows_n * g->columns_n + 1) * sizeof *g->origin);
    for (size_t k = 0; k < g->columns_n; k++)
        g->columns[k] = g->panel->series[k].name;
    for (size_t r = 0; r < g->rows_n; r++) {
        g->rows[r] = g->panel->rows[r].label;
        for (size_t k = 0; k < g->columns_n; k++) {
            g->cells[r * g->columns_n + k] = fr_panel_cell(g->panel, k, r);
            g->origin[r * g->columns_n + k] = g->panel->rows[r].row;
        }
    }
}

/* "iodepth" above the columns 1, 4, 16: what they are, not what the picture is of. */
static void name_columns(struct grid *g, struct fr_panels *panels, size_t i)
{
    struct fr_panel *p = &panels->panels[i];
    double number;
    for (size_t k = 0; k < g->columns_n; k++) {
        struct fr_str s = fr_str(g->columns[k]);
        if (!fr_str_double(s, &number) && !fr_size_parse(s, &number))
            return;
    }
    const char *group = panels->table->columns[p->series[0].column].group;
    size_t n = group ? strlen(group) : 0;
    if (n && strncmp(p->title, group, n) == 0 && p->title[n] == ' ') { /* of several metrics each panel says which */
        g->column_name = p->title + n + 1;
        p->title = group;
    } else if (panels->panels_n == 1 && *p->title) {
        g->column_name = p->title;
        p->title = "";
    }
}

static bool is_too_big(const struct grid *g, double width)
{
    return g->rows_n > SIDE_MAX || (double)g->columns_n * CELL_MIN_W > width;
}

/*
 * The last key's values are the columns of the picture; the other keys name its rows. Of a grid that is too big only as
 * much is named as makes it so: all its cells might not fit into memory.
 */
static void make_long(struct grid *g, const struct fr_table *t, int key, double width, struct fr_arena *arena)
{
    size_t n = g->panel->rows_n;
    g->rows = fr_arena_alloc(arena, (n + 1) * sizeof *g->rows);
    g->columns = fr_arena_alloc(arena, (n + 1) * sizeof *g->columns);
    size_t *row_at = fr_arena_alloc(arena, (n + 1) * sizeof *row_at);
    size_t *column_at = fr_arena_alloc(arena, (n + 1) * sizeof *column_at);
    for (size_t r = 0; r < n && !is_too_big(g, width); r++) {
        const struct fr_row *row = g->panel->rows[r].row;
        char s[64];
        const char *text = fr_cell_format(&t->columns[key], &row->cells[key], s);
        row_at[r] = place_of(g->rows, &g->rows_n, fr_row_label(t, row, key, arena));
        column_at[r] = place_of(g->columns, &g->columns_n, fr_arena_strdup(arena, text));
    }
    if (is_too_big(g, width))
        return;
    g->cells = fr_arena_alloc(arena, (g->rows_n * g->columns_n + 1) * sizeof *g->cells);
    g->origin = fr_arena_alloc(arena, (g->rows_n * g->columns_n + 1) * sizeof *g->origin);
    for (size_t r = 0; r < n; r++) {
        size_t at = row_at[r] * g->columns_n + column_at[r];
        g->cells[at] = fr_panel_cell(g->panel, 0, r);
        g->origin[at] = g->panel->rows[r].row;
    }
    g->column_name = t->columns[key].name;
}

static double value_at(const struct grid *g, size_t at)
{
    const struct fr_cell *cell = g->cells[at];
    return cell && cell->kind == FR_CELL_NUMBER && isfinite(cell->value) ? cell->value / g->panel->scale : (double)NAN;
}

static void find_range(struct grid *g, bool log_axis)
{
    bool any = false;
    for (size_t i = 0; i < g->rows_n * g->columns_n; i++) {
        double v = value_at(g, i);
        if (isnan(v))
            continue;
        g->lo = any ? fmin(g->lo, v) : v;
        g->hi = any ? fmax(g->hi, v) : v;
        any = true;
    }
    g->log_scale = g->lo > 0 && (log_axis || g->hi / g->lo > 100);
}

static double share(const struct grid *g, double v)
{
    if (!(g->hi > g->lo))
        return 0.5;
    return g->log_scale ? log(v / g->lo) / log(g->hi / g->lo) : (v - g->lo) / (g->hi - g->lo);
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static double text_width(struct fr_frame *f, const char *text, double size)
{
    struct fr_text t = fr_frame_text(text, size, 0, 0);
    return fr_text_measure(f->canvas, &t).w;
}

static struct fr_text head_text(struct fr_frame *f, const char *text)
{
    struct fr_text t = fr_frame_text(text, FR_SIZE_HEAD, f->theme->text, 0);
    t.weight = FR_WEIGHT_BOLD;
    t.wrap = f->width - 2 * FR_MARGIN;
    return t;
}

static struct fr_text column_text(struct fr_frame *f, const struct grid *g, size_t k)
{
    struct fr_text t = fr_frame_text(g->columns[k], FR_SIZE_TICK, f->theme->text, 0.5);
    t.wrap = g->cell_w - 4;
    return t;
}

static struct fr_text row_text(struct fr_frame *f, const struct grid *g, size_t r)
{
    struct fr_text t = fr_frame_text(g->rows[r], FR_SIZE_TICK, f->theme->text, 1);
    t.wrap = g->label_w;
    return t;
}

static double label_width(const struct grid *g, struct fr_frame *f)
{
    double widest = 0;
    for (size_t r = 0; r < g->rows_n; r++)
        widest = fmax(widest, text_width(f, g->rows[r], FR_SIZE_TICK));
    return fmax(fmin(ceil(widest) + 1, (f->width - 2 * FR_MARGIN) * 0.35), 1);
}

/* Unit, direction, and what the columns are. */
static struct fr_text unit_text(struct fr_frame *f, const struct grid *g)
{
    const char *better = g->panel->better == FR_HIGHER  ? "higher is better"
                         : g->panel->better == FR_LOWER ? "lower is better"
                                                        : "";
    const char *title =
        fr_axis_title(&f->arena, g->panel->unit, g->log_scale ? "colours on a log scale" : "", false, better);
    if (g->column_name)
        title = fr_arena_printf(&f->arena, "%s%scolumns: %s", title, *title ? "; " : "", g->column_name);
    struct fr_text t = fr_frame_text(title, FR_SIZE_TICK, f->theme->muted, 0);
    t.wrap = f->width - 2 * FR_MARGIN;
    return t;
}

static void measure(struct grid *g, struct fr_frame *f, double label_w)
{
    double room = f->width - 2 * FR_MARGIN, one = 0, tallest = 0;
    g->label_w = label_w;
    g->cell_w = (room - g->label_w - 8) / (double)g->columns_n;
    struct fr_text t = head_text(f, g->panel->title);
    g->head_h = (*g->panel->title ? fr_text_measure(f->canvas, &t).h + 4 : 0);
    t = unit_text(f, g);
    g->head_h += fr_text_measure(f->canvas, &t).h + 4;
    t = fr_frame_text("0", FR_SIZE_TICK, 0, 0);
    one = fr_text_measure(f->canvas, &t).h;
    for (size_t k = 0; k < g->columns_n; k++) {
        t = column_text(f, g, k);
        tallest = fmax(tallest, fr_text_measure(f->canvas, &t).h);
    }
    g->head_h += tallest + 4;
    g->foot_h = 10 + SCALE_H + 4 + one;
}

static double row_height(struct fr_frame *f, const struct grid *g, size_t r)
{
    struct fr_text t = row_text(f, g, r);
    return fmax(CELL_H, fr_text_measure(f->canvas, &t).h + 4);
}

static double grid_height(struct fr_frame *f, const struct grid *g)
{
    double h = g->head_h + g->foot_h;
    for (size_t r = 0; r < g->rows_n; r++)
        h += row_height(f, g, r);
    return h;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static const char *cell_label(double v, struct fr_arena *arena)
{
    char s[40];
    fr_number_format(v, 3, s);
    fr_group_digits(s, sizeof s);
    return (v != 0 && fabs(v) < 1e-5) || fabs(v) >= 1e15 ? fr_arena_printf(arena, "%.1e", v)
                                                         : fr_arena_strdup(arena, s);
}

static void draw_cell(struct fr_frame *f, const struct grid *g, size_t at, double x, double y, double h)
{
    double v = value_at(g, at);
    struct fr_text t = fr_frame_text("–", FR_SIZE_TICK, f->theme->muted, 0.5);
    if (!isnan(v)) {
        uint32_t color = fr_theme_sequential(f->theme, share(g, v));
        fr_draw_cells(f->canvas, x + 0.75, y + 0.75, g->cell_w - 1.5, h - 1.5, 1, 1, &color);
        t.color = fr_theme_on(color);
        const char *mark = fr_cell_mark(g->origin[at], g->cells[at], &f->arena);
        t.text = fr_arena_printf(&f->arena, "%s%s", cell_label(v, &f->arena), mark);
    } else if (g->cells[at] && g->cells[at]->note) {
        t.text = fr_arena_printf(&f->arena, "–%s", fr_cell_mark(g->origin[at], g->cells[at], &f->arena));
    }
    /* A number that does not fit its cell is left to the colour and the file's data. */
    if (fr_text_measure(f->canvas, &t).w <= g->cell_w - 4)
        fr_text_draw_on(f->canvas, &t, x + g->cell_w / 2, y + h / 2, 0.5);
}

/* The scale from the lowest to the highest value, and which of them is better: the colours do not say. */
static void draw_scale(struct fr_frame *f, const struct grid *g, double x, double y)
{
    enum { STEPS = 60 };
    uint32_t colors[STEPS];
    double w = fmin(260, f->width - FR_MARGIN - x);
    for (size_t i = 0; i < STEPS; i++)
        colors[i] = fr_theme_sequential(f->theme, (double)i / (STEPS - 1));
    fr_draw_cells(f->canvas, x, y, w, SCALE_H, STEPS, 1, colors);
    bool higher = g->panel->better == FR_HIGHER, lower = g->panel->better == FR_LOWER;
    const char *low = cell_label(g->lo, &f->arena), *high = cell_label(g->hi, &f->arena);
    low = lower && g->hi > g->lo ? fr_arena_printf(&f->arena, "best: %s", low) : low;
    struct fr_text t = fr_frame_text(low, FR_SIZE_TICK, f->theme->muted, 0);
    double used = fr_text_draw(f->canvas, &t, x, y + SCALE_H + 3, 0).w;
    t.text = fr_arena_printf(&f->arena, "%s%s %s", higher ? "best: " : "", high, g->panel->unit);
    t.align = 1;
    if (g->hi > g->lo && used + 8 + fr_text_measure(f->canvas, &t).w <= w)
        fr_text_draw(f->canvas, &t, x + w, y + SCALE_H + 3, 0);
}

static void draw_grid(struct fr_frame *f, const struct grid *g, double y)
{
    double left = FR_MARGIN + g->label_w + 8;
    struct fr_text t = head_text(f, g->panel->title);
    double at = y;
    if (*g->panel->title)
        at += fr_text_draw(f->canvas, &t, FR_MARGIN, at, 0).h + 4;
    t = unit_text(f, g);
    if (*t.text)
        fr_text_draw(f->canvas, &t, FR_MARGIN, at, 0);
    y += g->head_h;
    for (size_t k = 0; k < g->columns_n; k++) {
        t = column_text(f, g, k);
        fr_text_draw(f->canvas, &t, left + ((double)k + 0.5) * g->cell_w, y - 3, 1);
    }
    for (size_t r = 0; r < g->rows_n; r++) {
        double h = row_height(f, g, r);
        t = row_text(f, g, r);
        fr_text_draw(f->canvas, &t, left - 8, y + h / 2, 0.5);
        for (size_t k = 0; k < g->columns_n; k++)
            draw_cell(f, g, r * g->columns_n + k, left + (double)k * g->cell_w, y, h);
        y += h;
    }
    draw_scale(f, g, left, y + 10);
}

static int draw_grids(struct fr_frame *f, struct fr_panels *panels, const struct fr_chart_options *options,
                      struct fr_log *log)
{
    struct grid *grids = fr_arena_alloc(&f->arena, panels->panels_n * sizeof *grids);
    double height = -16, label_w = 0;
    int key = last_key(f->table);
    for (size_t i = 0; i < panels->panels_n; i++) {
        struct grid *g = &grids[i];
        g->panel = &panels->panels[i];
        if (g->panel->series_n == 1 && key >= 0)
            make_long(g, f->table, key, f->width, &f->arena);
        else
            make_wide(g, &f->arena);
        if (is_too_big(g, f->width))
            return fr_log_error(
                log, NULL, 0,
                "a heat map %.0f wide has room for %d rows and %.0f columns, the selection has more, no "
                "chart was written (--where and --width)",
                f->width, SIDE_MAX, floor(f->width / CELL_MIN_W));
        if (!g->column_name)
            name_columns(g, panels, i);
        find_range(g, options->log_axis);
        label_w = fmax(label_w, label_width(g, f));
    }
    for (size_t i = 0; i < panels->panels_n; i++) {
        measure(&grids[i], f, label_w);
        height += grid_height(f, &grids[i]) + 16;
    }
    if (fr_frame_begin(f, height, log) != 0)
        return -1;
    double y = f->top;
    for (size_t i = 0; i < panels->panels_n; i++) {
        draw_grid(f, &grids[i], y);
        y += grid_height(f, &grids[i]) + 16;
    }
    return 0;
}

static int draw(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                struct fr_log *log)
{
    struct fr_frame f;
    struct fr_panels panels;
    if (fr_heatmap_is_time(table))
        return fr_heatmap_time(canvas, table, options, log);
    int rc = fr_frame_init(&f, canvas, table, options, log);
    if (rc == 0) {
        fr_panels_make(&panels, table, FR_COL_VALUE, true, &f.arena);
        fr_panels_title_once(&panels, f.title);
        if (panels.panels_n == 0)
            rc = fr_log_error(log, NULL, 0, "the selection has no figure to draw, no chart was written");
    }
    if (rc == 0) {
        fr_marks_notes(&f, &panels, false, true);
        fr_frame_measure(&f);
        rc = draw_grids(&f, &panels, options, log);
    }
    fr_frame_release(&f);
    return rc;
}

const struct fr_chart_kind fr_chart_heatmap = {"heatmap", "a metric for pairs of two parameters", FR_SHAPE_PIVOT, draw,
                                               false};
