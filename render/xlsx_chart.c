/* xlsx_chart.c: native charts that refer to the cells, so that a reader can restyle them. See xlsx.h. */
#include "panels.h"
#include "theme.h"
#include "xlsx.h"

#include "banned.h"

enum { CHART_W = 620, CHART_H = 320, ROW_H = 20, ROWS_MAX = 60 };

/* The sheet's column that shows the table's, or -1. */
static int sheet_column(const struct fr_xlsx_place *p, size_t column)
{
    for (size_t i = 0; i < p->columns_n; i++)
        if (p->columns[i].part == FR_XLSX_CELL && p->columns[i].column == column)
            return (int)i;
    return -1;
}

/* The columns that name a row: keys that stand beside each other at the left. */
static bool key_range(const struct fr_xlsx_place *p, const struct fr_table *t, lxw_col_t *first, lxw_col_t *last)
{
    *first = p->columns[0].part == FR_XLSX_GROUP;
    lxw_col_t n = *first;
    while (n < p->columns_n && p->columns[n].part == FR_XLSX_CELL &&
           t->columns[p->columns[n].column].role == FR_COL_KEY)
        n++;
    *last = (lxw_col_t)(n - 1);
    return n > *first;
}

static void add_series(lxw_chart *chart, const struct fr_xlsx_place *p, const struct fr_table *t, lxw_row_t last,
                       const struct fr_panel *panel, size_t k, const struct fr_theme *theme)
{
    int column = sheet_column(p, panel->series[k].column);
    lxw_col_t key_first, key_last;
    if (column < 0)
        return;
    lxw_chart_series *series = chart_add_series(chart, NULL, NULL);
    chart_series_set_values(series, p->name, p->first, (lxw_col_t)column, last, (lxw_col_t)column);
    if (key_range(p, t, &key_first, &key_last))
        chart_series_set_categories(series, p->name, p->first, key_first, last, key_last);
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

static double least(const struct fr_panels *panels, const struct fr_panel *panel)
{
    double low = 0;
    for (size_t r = 0; r < panels->rows_n; r++)
        for (size_t s = 0; s < panel->series_n; s++) {
            double v = fr_panel_value(panel, s, panels->rows[r].row);
            if (v < low)
                low = v;
        }
    return low;
}

void fr_xlsx_charts(struct fr_xlsx *x, const struct fr_xlsx_place *p, const struct fr_table *t)
{
    struct fr_panels panels;
    const struct fr_theme *theme = fr_theme_find("light");
    fr_panels_make(&panels, t, FR_COL_VALUE, &x->arena);
    lxw_row_t at = p->last + 3;
    int tallest = 0;
    if (panels.rows_n == 0 || panels.rows_n > ROWS_MAX)
        return;
    /* The last rows may be the geometric mean: not a bar. */
    lxw_row_t last = p->first + (lxw_row_t)panels.rows_n - 1;
    size_t longest = 0;
    for (size_t r = 0; r < panels.rows_n; r++)
        longest = strlen(panels.rows[r].label) > longest ? strlen(panels.rows[r].label) : longest;
    bool lying = panels.rows_n > 6 || longest > 12;
    for (size_t i = 0; i < panels.panels_n; i++) {
        const struct fr_panel *panel = &panels.panels[i];
        lxw_chart *chart = workbook_add_chart(x->workbook, lying ? LXW_CHART_BAR : LXW_CHART_COLUMN);
        if (!chart)
            return;
        for (size_t k = 0; k < panel->series_n; k++)
            add_series(chart, p, t, last, panel, k, theme);
        if (*panel->title)
            chart_title_set_name(chart, fr_xlsx_text(x, panel->title));
        lxw_chart_font font = {.size = 12, .bold = LXW_TRUE};
        chart_title_set_name_font(chart, &font);
        set_axes(x, chart, p, panel, lying);
        if (least(&panels, panel) < 0)
            (lying ? chart->x_axis : chart->y_axis)->has_min = LXW_FALSE;
        if (panel->series_n == 1)
            chart_legend_set_position(chart, LXW_CHART_LEGEND_NONE);
        else
            chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
        int height = CHART_H + (lying && panels.rows_n > 10 ? (int)(panels.rows_n - 10) * 16 : 0);
        chart_set_style(chart, 2);
        chart_set_series_gap(chart, 60);
        lxw_chart_options options = {
            .x_scale = CHART_W / 480.0, .y_scale = height / 288.0, .x_offset = i % 2 ? CHART_W + 12 : 0};
        worksheet_insert_chart_opt(p->sheet, at, 0, chart, &options);
        tallest = height > tallest ? height : tallest;
        if (i % 2)
            at += (lxw_row_t)(tallest / ROW_H + 2);
    }
}
