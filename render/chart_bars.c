/* chart_bars.c: grouped bars, zero-based: see bars.h. The drawing is in bars_lying.c and bars_standing.c. */
#include <math.h>

#include "bars.h"
#include "log.h"

#include "banned.h"

const char *fr_bar_label(struct fr_bars *b, const struct fr_panel *panel, size_t series, size_t row)
{
    const struct fr_row *r = panel->rows[row].row;
    const struct fr_cell *cell = fr_panel_cell(panel, series, row);
    const char *value = fr_panel_label(&b->panels, panel, series, row, &b->frame.arena);
    const char *mark = fr_cell_mark(r, cell, &b->frame.arena);
    if (cell->kind != FR_CELL_NUMBER && !cell->note)
        mark = "";
    return *mark ? fr_arena_printf(&b->frame.arena, "%s%s", value, mark) : value;
}

void fr_bar_patch(struct fr_bars *b, const struct fr_text *text, double x, double y, double valign)
{
    struct fr_extent e = fr_text_measure(b->frame.canvas, text);
    double left = x - e.w * text->align - 2, top = y - e.h * valign, right = left + e.w + 4, bottom = top + e.h;
    struct fr_point patch[] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
    struct fr_paint paint = {.fill = b->frame.theme->background, .fill_alpha = 1};
    fr_draw_path(b->frame.canvas, patch, 4, true, &paint);
}

void fr_bars_range(const struct fr_panel *panel, double *lo, double *hi)
{
    *lo = 0;
    *hi = 0;
    for (size_t r = 0; r < panel->rows_n; r++)
        for (size_t s = 0; s < panel->series_n; s++) {
            double v = fr_panel_value(panel, s, r), l = v, h = v;
            if (isnan(v))
                continue;
            fr_cell_spread(panel, fr_panel_cell(panel, s, r), &l, &h);
            *lo = fmin(*lo, fmin(v, l));
            *hi = fmax(*hi, fmax(v, h));
        }
    for (size_t i = 0; i < panel->bases_n; i++)
        *hi = fmax(*hi, panel->bases[i].value);
}

double fr_bars_least(const struct fr_panel *panel)
{
    double least = 0;
    for (size_t r = 0; r < panel->rows_n; r++)
        for (size_t s = 0; s < panel->series_n; s++) {
            double v = fr_panel_value(panel, s, r);
            if (v > 0 && (least == 0 || v < least))
                least = v;
        }
    return least;
}

struct fr_paint fr_bar_paint(const struct fr_bars *b, const struct fr_panel *panel, size_t series, size_t row)
{
    size_t index = fr_panel_index(panel, series, row);
    if (panel->relative) {
        bool up = fr_panel_value(panel, series, row) > 0;
        bool directed = panel->better == FR_HIGHER || panel->better == FR_LOWER;
        index = !directed ? FR_LOOK_PLAIN : up == (panel->better == FR_HIGHER) ? FR_LOOK_BETTER : FR_LOOK_WORSE;
    }
    if (fr_cell_failed(panel->rows[row].row, fr_panel_cell(panel, series, row)))
        return fr_theme_failed(b->frame.theme, index);
    return fr_theme_fill(b->frame.theme, index);
}

static bool wants_standing(const struct fr_bars *b)
{
    const struct fr_panel *panel = &b->panels.panels[0];
    if (b->panels.panels_n != 1 || panel->rows_n * b->series_max > 12 || panel->rows_n > 8)
        return false;
    double lo, hi;
    fr_bars_range(panel, &lo, &hi);
    for (size_t r = 0; r < panel->rows_n; r++)
        if (panel->rows[r].group)
            return false;
    return lo >= 0 && (panel->rows_n > 1 || b->series_max > 1);
}

/* Standing where that fits; there the legend names the baselines. */
static int draw_figures(struct fr_bars *b, struct fr_log *log)
{
    const struct fr_panel *panel = &b->panels.panels[0];
    size_t keys = b->frame.keys_n;
    int rc = 1;
    if (wants_standing(b)) {
        for (size_t i = 0; i < panel->bases_n; i++)
            fr_frame_base_key(&b->frame, &panel->bases[i], i, panel->unit);
        fr_frame_measure(&b->frame);
        rc = fr_bars_standing(b, log);
    }
    if (rc != 1)
        return rc;
    b->frame.keys_n = keys;
    fr_frame_measure(&b->frame);
    return fr_bars_lying(b, log);
}

/* What one picture lays side by side is compared by eye: panels of one metric and unit have one axis. */
#define SHARE_MAX 20.0 /* unless the smallest of them would be this much shorter */

static bool comparable(const struct fr_bars *b, const struct fr_panel *p, const struct fr_panel *q)
{
    const struct fr_column *columns = b->frame.table->columns;
    const char *mine = columns[p->series[0].column].metric, *its = columns[q->series[0].column].metric;
    return strcmp(p->unit, q->unit) == 0 && !(p->scale < q->scale || p->scale > q->scale) &&
           (mine == its || (mine && its && strcmp(mine, its) == 0));
}

static void share_axes(struct fr_bars *b)
{
    const char *asked = b->options->axes ? b->options->axes : "auto";
    bool differ = false, shared = false;
    for (size_t i = 0; i < b->panels.panels_n; i++) {
        struct fr_panel *p = &b->panels.panels[i];
        double most = 0, least_most = INFINITY, least = INFINITY, lo, hi;
        size_t n = 0;
        for (size_t k = 0; k < b->panels.panels_n; k++) {
            const struct fr_panel *q = &b->panels.panels[k];
            if (!comparable(b, p, q))
                continue;
            fr_bars_range(q, &lo, &hi);
            most = fmax(most, hi);
            least_most = fmin(least_most, hi);
            if (fr_bars_least(q) > 0)
                least = fmin(least, fr_bars_least(q));
            n++;
        }
        bool near = b->log_axis || most <= least_most * SHARE_MAX;
        if (n > 1 && (strcmp(asked, "shared") == 0 || (near && strcmp(asked, "free") != 0))) {
            p->axis_max = most;
            p->axis_least = isfinite(least) ? least : 0;
            shared = true;
        } else {
            differ = differ || n > 1;
        }
    }
    if (differ)
        fr_frame_note(&b->frame, shared ? "Not all panels share an axis." : "Each panel has an axis of its own.");
}

/* Bars too short to be seen are no fault of the picture, but there is another. */
static void tell_spread(const struct fr_bars *b, struct fr_log *log)
{
    for (size_t i = 0; i < b->panels.panels_n && !b->log_axis; i++) {
        double lo, hi, least = fr_bars_least(&b->panels.panels[i]);
        fr_bars_range(&b->panels.panels[i], &lo, &hi);
        if (least > 0 && lo >= 0 && hi / least > 1000) {
            fr_log_note(log, NULL, 0, "the longest bar is %.0f times the shortest; --log shows the short ones",
                        hi / least);
            return;
        }
    }
}

static int draw_panels(struct fr_bars *b, struct fr_log *log)
{
    if (b->panels.panels_n == 0)
        return fr_log_error(log, NULL, 0, "the selection has no figure to draw, no chart was written");
    for (size_t i = 0; i < b->panels.panels_n; i++) {
        struct fr_panel *panel = &b->panels.panels[i];
        double lo, hi;
        if (panel->series_n > b->series_max)
            b->series_max = panel->series_n;
        fr_bars_range(panel, &lo, &hi);
        panel->own_units =
            b->log_axis && lo >= 0 && hi > 0 && b->frame.table->columns[panel->series[0].column].dim == FR_DIM_SECONDS;
    }
    share_axes(b);
    tell_spread(b, log);
    for (size_t i = 0; i < b->panels.names_n; i++)
        fr_frame_key(&b->frame, FR_KEY_FILL, b->panels.names[i], fr_theme_fill(b->frame.theme, b->panels.looks[i]), 0);
    const char *title = b->frame.title ? b->frame.title : "";
    if (b->panels.common && !fr_str_ends(fr_str(title), b->panels.common)) /* the title may have said it */
        fr_frame_note(&b->frame, "All: %s", b->panels.common);
    for (size_t i = 0; i < b->panels.left_out_n; i++)
        fr_frame_note(&b->frame, "%s", b->panels.left_out[i]);
    fr_marks_notes(&b->frame, &b->panels, true, true);
    return draw_figures(b, log);
}

static int draw(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                struct fr_log *log, bool facets)
{
    struct fr_bars b = {.options = options, .log_axis = options->log_axis};
    int rc = fr_frame_init(&b.frame, canvas, table, options, log);
    if (rc == 0) {
        if (facets)
            fr_panels_facets(&b.panels, table, &b.frame.arena);
        else
            fr_panels_make(&b.panels, table, FR_COL_VALUE, true, &b.frame.arena);
        fr_panels_title_once(&b.panels, b.frame.title);
        rc = draw_panels(&b, log);
    }
    fr_frame_release(&b.frame);
    return rc;
}

static int draw_bars(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                     struct fr_log *log)
{
    return draw(canvas, table, options, log, false);
}

static int draw_facets(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                       struct fr_log *log)
{
    return draw(canvas, table, options, log, true);
}

const struct fr_chart_kind fr_chart_bars = {"bars", "bars, grouped; one panel a metric", FR_SHAPE_PIVOT, draw_bars,
                                            true};
const struct fr_chart_kind fr_chart_facets = {"facets", "bars, one panel a test, for suites", FR_SHAPE_PIVOT,
                                              draw_facets, false};
