/* chart_bars.c: grouped bars, zero-based: see bars.h. The drawing is in bars_lying.c and bars_standing.c. */
#include <math.h>

#include "bars.h"
#include "log.h"

#include "banned.h"

const char *fr_bar_label(struct fr_bars *b, const struct fr_panel *panel, size_t series, size_t row)
{
    const struct fr_row *r = b->panels.rows[row].row;
    const struct fr_cell *cell = &r->cells[panel->series[series].column];
    const char *value = fr_panel_label(b->frame.table, panel, series, r, &b->frame.arena);
    const char *mark = fr_cell_mark(r, cell, &b->frame.arena);
    if (cell->kind != FR_CELL_NUMBER && !cell->note)
        mark = "";
    return *mark ? fr_arena_printf(&b->frame.arena, "%s%s", value, mark) : value;
}

void fr_bars_range(const struct fr_bars *b, const struct fr_panel *panel, double *lo, double *hi)
{
    *lo = 0;
    *hi = 0;
    for (size_t r = 0; r < b->panels.rows_n; r++)
        for (size_t s = 0; s < panel->series_n; s++) {
            double v = fr_panel_value(panel, s, b->panels.rows[r].row), l = v, h = v;
            if (isnan(v))
                continue;
            fr_cell_spread(panel, &b->panels.rows[r].row->cells[panel->series[s].column], &l, &h);
            *lo = fmin(*lo, fmin(v, l));
            *hi = fmax(*hi, fmax(v, h));
        }
    if (!isnan(panel->baseline))
        *hi = fmax(*hi, panel->baseline);
}

double fr_bars_least(const struct fr_bars *b, const struct fr_panel *panel)
{
    double least = 0;
    for (size_t r = 0; r < b->panels.rows_n; r++)
        for (size_t s = 0; s < panel->series_n; s++) {
            double v = fr_panel_value(panel, s, b->panels.rows[r].row);
            if (v > 0 && (least == 0 || v < least))
                least = v;
        }
    return least;
}

struct fr_paint fr_bar_paint(const struct fr_bars *b, const struct fr_panel *panel, size_t series, size_t row)
{
    const struct fr_row *r = b->panels.rows[row].row;
    size_t index = panel->series[series].index;
    if (fr_cell_failed(r, &r->cells[panel->series[series].column]))
        return fr_theme_failed(b->frame.theme, index);
    return fr_theme_fill(b->frame.theme, index);
}

static bool wants_standing(const struct fr_bars *b)
{
    if (b->panels.panels_n != 1 || b->panels.rows_n * b->series_max > 12 || b->panels.rows_n > 8)
        return false;
    double lo, hi;
    fr_bars_range(b, &b->panels.panels[0], &lo, &hi);
    for (size_t r = 0; r < b->panels.rows_n; r++)
        if (b->panels.rows[r].group)
            return false;
    return lo >= 0 && (b->panels.rows_n > 1 || b->series_max > 1);
}

static int draw_frame(struct fr_bars *b, const struct fr_table *table, struct fr_log *log)
{
    fr_panels_make(&b->panels, table, FR_COL_VALUE, &b->frame.arena);
    if (b->panels.panels_n == 0)
        return fr_log_error(log, NULL, 0, "the selection has no figure to draw, no chart was written");
    for (size_t i = 0; i < b->panels.panels_n; i++)
        if (b->panels.panels[i].series_n > b->series_max)
            b->series_max = b->panels.panels[i].series_n;
    for (size_t i = 0; i < b->panels.names_n; i++)
        fr_frame_key(&b->frame, FR_KEY_FILL, b->panels.names[i], fr_theme_fill(b->frame.theme, i), 0);
    fr_marks_notes(&b->frame, &b->panels);
    fr_frame_measure(&b->frame);
    int rc = wants_standing(b) ? fr_bars_standing(b, log) : 1;
    return rc == 1 ? fr_bars_lying(b, log) : rc;
}

static int draw(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                struct fr_log *log)
{
    struct fr_bars b = {.options = options, .log_axis = options->log_axis};
    int rc = fr_frame_init(&b.frame, canvas, table, options, log);
    if (rc == 0)
        rc = draw_frame(&b, table, log);
    fr_frame_release(&b.frame);
    return rc;
}

const struct fr_chart_kind fr_chart_bars = {"bars", "bars, grouped; one panel a metric", FR_SHAPE_PIVOT, draw};
