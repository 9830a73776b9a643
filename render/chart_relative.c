/*
 * chart_relative.c: change against the baseline, in per cent, to both sides of zero. Table: a pivot with columns of
 * role FR_COL_RATIO (--baseline or --baseline-value). Blue is better, orange is worse, by each metric's direction.
 */
#include <math.h>

#include "bars.h"
#include "log.h"

#include "banned.h"

static bool is_base(const struct fr_table *t, const struct fr_row *row, const char *baseline)
{
    if (row->group && strcmp(row->group, baseline) == 0)
        return true;
    for (size_t i = 0; i < t->columns_n; i++)
        if (t->columns[i].role == FR_COL_KEY && row->cells[i].kind == FR_CELL_TEXT &&
            strcmp(row->cells[i].text, baseline) == 0)
            return true;
    return false;
}

/*
 * The baseline itself does not change: one row of it is what the others are seen against, as many as the others have
 * are of no use.
 */
static void drop_bases(struct fr_panel *p, const struct fr_table *t, const char *baseline)
{
    size_t bases = 0, n = 0;
    const char *group = NULL;
    for (size_t r = 0; r < p->rows_n; r++)
        bases += is_base(t, p->rows[r].row, baseline);
    if (bases < 2 || bases == p->rows_n)
        return;
    for (size_t r = 0; r < p->rows_n; r++) {
        group = p->rows[r].group ? p->rows[r].group : group;
        if (is_base(t, p->rows[r].row, baseline))
            continue;
        p->rows[n] = p->rows[r];
        p->rows[n++].group = group;
        group = NULL;
    }
    p->rows_n = n;
}

static int draw_panels(struct fr_bars *b, struct fr_log *log)
{
    const char *baseline = NULL;
    bool directed = false;
    fr_panels_make(&b->panels, b->frame.table, FR_COL_RATIO, true, &b->frame.arena);
    if (b->panels.panels_n == 0)
        return fr_log_error(log, NULL, 0,
                            "the selection has no ratio to a baseline, no chart was written (give --baseline)");
    for (size_t i = 0; i < b->panels.panels_n; i++) {
        struct fr_panel *panel = &b->panels.panels[i];
        const struct fr_column *c = &b->frame.table->columns[panel->series[0].column];
        panel->relative = true;
        panel->scale = 0.01;
        panel->unit = "% change";
        panel->bases_n = 0;
        directed = directed || panel->better == FR_HIGHER || panel->better == FR_LOWER;
        baseline = c->baseline ? c->baseline : baseline;
    }
    for (size_t i = 0; i < b->panels.panels_n && baseline; i++)
        drop_bases(&b->panels.panels[i], b->frame.table, baseline);
    b->series_max = 1;
    if (directed) {
        fr_frame_key(&b->frame, FR_KEY_FILL, "better", fr_theme_fill(b->frame.theme, FR_LOOK_BETTER), 0);
        fr_frame_key(&b->frame, FR_KEY_FILL, "worse", fr_theme_fill(b->frame.theme, FR_LOOK_WORSE), 0);
    }
    if (baseline)
        fr_frame_note(&b->frame, "Change against %s.", baseline);
    fr_marks_notes(&b->frame, &b->panels, true, true);
    fr_frame_measure(&b->frame);
    return fr_bars_lying(b, log);
}

static int draw(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                struct fr_log *log)
{
    struct fr_bars b = {.options = options};
    int rc = fr_frame_init(&b.frame, canvas, table, options, log);
    if (rc == 0)
        rc = draw_panels(&b, log);
    fr_frame_release(&b.frame);
    return rc;
}

const struct fr_chart_kind fr_chart_relative = {"relative", "change against the baseline", FR_SHAPE_PIVOT, draw, true};
