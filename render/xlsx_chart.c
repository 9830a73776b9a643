/* xlsx_chart.c: native charts that refer to the cells, so that a reader can restyle them. See xlsx.h. */
#include "log.h"
#include "panels.h"
#include "theme.h"
#include "xlsx.h"

#include "banned.h"

enum { CHART_W = 620, CHART_H = 320, ROW_H = 20, ROWS_MAX = 60 };
enum { AROUND_H = 160, BAR_H = 10, GAP_H = 6 }; /* of lying bars */

/* The sheet's column that shows the table's, or -1. */
static int sheet_column(const struct fr_xlsx_place *p, size_t column)
{
    for (size_t i = 0; i < p->columns_n; i++)
        if (p->columns[i].part == FR_XLSX_CELL && p->columns[i].column == column)
            return (int)i;
    return -1;
}

/* The columns that name a row: its group and keys, which stand beside each other at the left. */
static bool key_range(const struct fr_xlsx_place *p, const struct fr_table *t, lxw_col_t *first, lxw_col_t *last)
{
    lxw_col_t n = p->columns[0].part == FR_XLSX_GROUP;
    *first = 0;
    while (n < p->columns_n && p->columns[n].part == FR_XLSX_CELL &&
           t->columns[p->columns[n].column].role == FR_COL_KEY)
        n++;
    *last = (lxw_col_t)(n - 1);
    return n > 0;
}

static void add_series(lxw_chart *chart, const struct fr_xlsx_place *p, const struct fr_table *t,
                       const struct fr_panel *panel, size_t k)
{
    const struct fr_theme *theme = fr_theme_find("light");
    lxw_row_t first = p->first + (lxw_row_t)panel->rows[0].number, last = first + (lxw_row_t)panel->rows_n - 1;
    int column = sheet_column(p, panel->series[k].column);
    lxw_col_t key_first, key_last;
    if (column < 0)
        return;
    lxw_chart_series *series = chart_add_series(chart, NULL, NULL);
    chart_series_set_values(series, p->name, first, (lxw_col_t)column, last, (lxw_col_t)column);
    if (key_range(p, t, &key_first, &key_last))
        chart_series_set_categories(series, p->name, first, key_first, last, key_last);
    /* The head's cell where it says it all; under group headings the name that tells the series apart. */
    if (t->columns[panel->series[k].column].group)
        chart_series_set_name(series, panel->series[k].name);
    else
        chart_series_set_name_range(series, p->name, p->head, (lxw_col_t)column);
    struct fr_paint paint = fr_theme_fill(theme, panel->series[k].index);
    lxw_chart_fill fill = {.color = paint.fill};
    chart_series_set_fill(series, &fill);
}

static void set_axes(struct fr_xlsx *x, lxw_chart *chart, const struct fr_xlsx_place *p, const struct fr_panel *panel,
                     bool lying)
{
    const char *better = panel->better == FR_HIGHER  ? "higher is better"
                         : panel->better == FR_LOWER ? "lower is better"
                                                     : "";
    const char *between = *panel->unit && *better ? ", " : "";
    const char *name = fr_arena_printf(&x->arena, "%s%s%s", panel->unit, between, better);
    /* The library calls the axis of lying bars that lies x. */
    lxw_chart_axis *values = lying ? chart->x_axis : chart->y_axis, *names = lying ? chart->y_axis : chart->x_axis;
    lxw_chart_font plain = {.bold = LXW_EXPLICIT_FALSE, .size = 9};
    if (*name) {
        chart_axis_set_name(values, name);
        chart_axis_set_name_font(values, &plain);
    }
    int column = sheet_column(p, panel->series[0].column);
    if (column >= 0)
        chart_axis_set_num_format(values, strcmp(panel->unit, "%") == 0 ? "0%" : "#,##0.##");
    chart_axis_set_min(values, 0);
    lxw_chart_line grid = {.color = 0xE4E7EB, .width = 0.75};
    chart_axis_major_gridlines_set_line(values, &grid);
    if (lying) { /* the first row on top, the values' axis still below */
        chart_axis_set_reverse(names);
        chart_axis_set_crossing_max(names);
    }
}

static double least(const struct fr_panel *panel)
{
    double low = 0;
    for (size_t r = 0; r < panel->rows_n; r++)
        for (size_t s = 0; s < panel->series_n; s++) {
            double v = fr_panel_value(panel, s, r);
            if (v < low)
                low = v;
        }
    return low;
}

static size_t longest_label(const struct fr_panel *panel)
{
    size_t longest = 0;
    for (size_t r = 0; r < panel->rows_n; r++)
        if (strlen(panel->rows[r].label) > longest)
            longest = strlen(panel->rows[r].label);
    return longest;
}

/* Why there is no chart of it, or NULL: it can refer to rows that stand together; those of one unit may not. */
static const char *no_chart(const struct fr_panel *panel)
{
    size_t n = panel->rows_n;
    if (!n || panel->rows[n - 1].number - panel->rows[0].number != n - 1)
        return "rows of one unit do not stand together, as they do without --sort and --group";
    return n > ROWS_MAX ? "more rows than a chart can show, --where leaves fewer" : NULL;
}

/* What is not drawn is said, below the rows and to the user. */
static void tell_missing(struct fr_xlsx *x, const struct fr_xlsx_place *p, const struct fr_panels *panels)
{
    struct fr_strbuf names = FR_STRBUF_INIT;
    const char *why = NULL;
    for (size_t i = 0; i < panels->panels_n; i++) {
        const struct fr_panel *panel = &panels->panels[i];
        const char *reason = no_chart(panel);
        if (!reason)
            continue;
        fr_strbuf_addf(&names, "%s%s", names.len ? ", " : "", *panel->title ? panel->title : panel->unit);
        why = why ? why : reason;
    }
    if (why) {
        const char *text = fr_arena_printf(&x->arena, "There is no chart of %s: %s", fr_strbuf_str(&names), why);
        worksheet_write_string(p->sheet, p->last + 2, 0, fr_xlsx_text(x, text), x->muted);
        fr_log_note(x->log, NULL, 0, "there is no chart of %s in the workbook: %s", fr_strbuf_str(&names), why);
    }
    fr_strbuf_release(&names);
}

/* Its height, or 0 when there is no chart. */
static int add_chart(struct fr_xlsx *x, const struct fr_xlsx_place *p, const struct fr_table *t,
                     const struct fr_panel *panel, lxw_row_t at, int left)
{
    bool lying = panel->rows_n > 6 || longest_label(panel) > 12;
    lxw_chart *chart = workbook_add_chart(x->workbook, lying ? LXW_CHART_BAR : LXW_CHART_COLUMN);
    if (!chart)
        return 0;
    for (size_t k = 0; k < panel->series_n; k++)
        add_series(chart, p, t, panel, k);
    lxw_chart_font font = {.size = 12, .bold = LXW_TRUE};
    if (*panel->title)
        chart_title_set_name(chart, fr_xlsx_text(x, panel->title));
    chart_title_set_name_font(chart, &font);
    set_axes(x, chart, p, panel, lying);
    if (least(panel) < 0)
        (lying ? chart->x_axis : chart->y_axis)->has_min = LXW_FALSE;
    chart_legend_set_position(chart, panel->series_n == 1 ? LXW_CHART_LEGEND_NONE : LXW_CHART_LEGEND_BOTTOM);
    chart_set_style(chart, 2);
    chart_set_series_gap(chart, 60);
    int height = AROUND_H + (int)panel->rows_n * (BAR_H * (int)panel->series_n + GAP_H);
    height = lying && height > CHART_H ? height : CHART_H;
    lxw_chart_options options = {.x_scale = (double)CHART_W / 480.0, .y_scale = height / 288.0, .x_offset = left};
    worksheet_insert_chart_opt(p->sheet, at, 0, chart, &options);
    return height;
}

void fr_xlsx_charts(struct fr_xlsx *x, const struct fr_xlsx_place *p, const struct fr_table *t)
{
    struct fr_panels panels;
    fr_panels_make(&panels, t, FR_COL_VALUE, false, &x->arena);
    tell_missing(x, p, &panels);
    lxw_row_t at = p->last + 3;
    int tallest = 0, place = 0;
    for (size_t i = 0; i < panels.panels_n; i++) {
        if (no_chart(&panels.panels[i]))
            continue;
        int height = add_chart(x, p, t, &panels.panels[i], at, place % 2 ? CHART_W + 12 : 0);
        tallest = height > tallest ? height : tallest;
        if (place++ % 2) {
            at += (lxw_row_t)(tallest / ROW_H + 2);
            tallest = 0;
        }
    }
}
