/* xlsx_sheet.c: one table on a sheet. See xlsx.h. */
#include <math.h>

#include "cells.h"
#include "log.h"
#include "scan.h"
#include "utf8.h"
#include "xlsx.h"

#include "banned.h"

enum { WIDTH_MIN = 7, WIDTH_MAX = 60, HEAD_MAX = 22 };
#define BOLD 1.15 /* how much wider bold letters are than digits */

static bool is_ratio(const struct fr_column *c)
{
    return c->role == FR_COL_RATIO;
}

/* What a cell holds of the figure: a ratio stays one (the format shows per cent), all else is in the unit of the head.
 */
static double shown(const struct fr_column *c, double value)
{
    if (is_ratio(c) || c->scale == 0 || c->scale == 1)
        return value;
    char s[40];
    double rounded = value / c->scale;
    /* The division's last bits are noise that Excel would show in the formula bar. */
    snprintf(s, sizeof s, "%.15g", rounded);
    fr_str_double(fr_str(s), &rounded);
    return rounded;
}

/* How a figure of so many decimals is shown, with its unit; -1: in full. */
static char *number_format(struct fr_xlsx *x, const char *unit, bool ratio, int decimals)
{
    static const char zeros[] = "000000000000000000";
    const char *mark = *unit ? "\"" : "", *blank = *unit ? " " : "";
    if (decimals < 0)
        return fr_arena_printf(&x->arena, "General%s%s%s%s", mark, blank, unit, mark);
    return fr_arena_printf(&x->arena, "%s%s%.*s%s%s%s%s%s", ratio ? "0" : "#,##0", decimals ? "." : "", decimals, zeros,
                           ratio ? "%" : "", mark, blank, unit, mark);
}

/* The number of a unit among those that have formats; 0 where it has none, or cannot stand in one. */
static size_t unit_number(struct fr_xlsx *x, const char *unit)
{
    size_t i = 1;
    if (!unit || !*unit || strpbrk(unit, "\"\\") || strlen(unit) > 16)
        return 0;
    while (i < x->units_n && strcmp(x->units[i], unit) != 0)
        i++;
    if (i >= FR_XLSX_UNITS)
        return 0;
    if (i >= x->units_n) {
        x->units[0] = "";
        x->units[i] = unit;
        x->units_n = i + 1;
    }
    return i;
}

static const struct fr_xlsx_formats *formats_for(struct fr_xlsx *x, const char *unit, bool ratio, int decimals)
{
    size_t number = unit_number(x, unit);
    decimals = decimals < FR_XLSX_DECIMALS ? decimals : FR_XLSX_DECIMALS;
    struct fr_xlsx_formats *f = &x->formats[number][ratio][decimals + 1];
    if (f->plain)
        return f;
    char *code = number_format(x, number ? unit : "", ratio, decimals);
    lxw_format **all[] = {&f->plain, &f->best, &f->failed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i] = workbook_add_format(x->workbook);
        format_set_num_format(*all[i], code);
    }
    format_set_bold(f->best);
    format_set_bg_color(f->failed, FR_XLSX_FAILED);
    return f;
}

/* A figure, or an end of its spread, with the decimals that dialects show. */
static const struct fr_xlsx_formats *formats_of(struct fr_xlsx *x, const struct fr_column *c,
                                                const struct fr_cell *cell, double value)
{
    struct fr_cell figure = {.kind = FR_CELL_NUMBER, .decimals = cell->decimals, .value = value};
    return formats_for(x, is_ratio(c) ? "" : c->unit, is_ratio(c), fr_cell_decimals(c, &figure));
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* `group`: it has to say the group and its unit as well; else these stand above it. */
static char *column_head(struct fr_xlsx *x, const struct fr_table *t, size_t i, const char *what, bool group)
{
    struct fr_strbuf s = FR_STRBUF_INIT;
    const struct fr_column *c = &t->columns[i];
    const char *name = c->name ? c->name : "";
    if (group && c->group && *c->group)
        fr_strbuf_addf(&s, "%s: ", c->group);
    fr_strbuf_addf(&s, "%s%s", name, what);
    bool said =
        !c->unit || !*c->unit || is_ratio(c) || fr_str_ends(fr_str(name), c->unit) || (!group && *fr_group_unit(t, i));
    if (!said && strcmp(what, " n") != 0)
        fr_strbuf_addf(&s, " [%s]", c->unit);
    char *copy = fr_arena_strdup(&x->arena, fr_xlsx_text(x, fr_strbuf_str(&s)));
    fr_strbuf_release(&s);
    return copy;
}

static void add_column(struct fr_xlsx_place *p, enum fr_xlsx_part part, size_t column, char *head)
{
    p->columns[p->columns_n++] =
        (struct fr_xlsx_column){.part = part, .column = column, .head = head, .width = WIDTH_MIN};
}

/* Of many rows the first stand for all. */
static bool column_right(const struct fr_table *t, size_t column)
{
    size_t n = 0;
    for (const struct fr_row *row = t->head; row && n < FR_TABLE_WALK; row = row->next, n++)
        if (row->cells[column].kind == FR_CELL_TEXT)
            return false;
    return t->columns[column].role != FR_COL_KEY;
}

/* What the rows need of columns beside the table's. */
struct needs {
    bool groups, notes;
    bool *runs, *spread; /* of each column */
};

static void need_cell(struct needs *n, size_t i, const struct fr_cell *cell)
{
    n->notes = n->notes || cell->note || (cell->flags & FR_CELL_FAILED);
    if (cell->kind != FR_CELL_NUMBER || cell->n <= 1)
        return;
    n->runs[i] = true;
    n->spread[i] = n->spread[i] || cell->lo <= cell->hi;
}

static struct needs needs_of(struct fr_xlsx *x, const struct fr_table *t)
{
    struct needs n = {.runs = fr_arena_alloc(&x->arena, t->columns_n * sizeof *n.runs),
                      .spread = fr_arena_alloc(&x->arena, t->columns_n * sizeof *n.spread)};
    size_t walked = 0;
    for (const struct fr_row *row = t->head; row; row = row->next) {
        n.groups = n.groups || (row->group && *row->group);
        n.notes = n.notes || (row->flags & FR_CELL_FAILED);
        for (size_t i = 0; i < t->columns_n; i++)
            need_cell(&n, i, &row->cells[i]);
        if (++walked % FR_TABLE_WALK == 0)
            fr_table_cool(t);
    }
    return n;
}

static void make_columns(struct fr_xlsx *x, struct fr_xlsx_place *p, const struct fr_table *t, bool group_heads)
{
    struct needs needs = needs_of(x, t);
    p->columns = fr_arena_alloc(&x->arena, (t->columns_n * 4 + 2) * sizeof *p->columns);
    if (needs.groups)
        add_column(p, FR_XLSX_GROUP, 0, fr_arena_strdup(&x->arena, fr_xlsx_text(x, t->groups ? t->groups : "group")));
    for (size_t i = 0; i < t->columns_n; i++) {
        size_t first = p->columns_n;
        add_column(p, FR_XLSX_CELL, i, column_head(x, t, i, "", !group_heads));
        if (needs.runs[i])
            add_column(p, FR_XLSX_RUNS, i, column_head(x, t, i, " n", !group_heads));
        if (needs.spread[i]) {
            add_column(p, FR_XLSX_LOW, i, column_head(x, t, i, " low", !group_heads));
            add_column(p, FR_XLSX_HIGH, i, column_head(x, t, i, " high", !group_heads));
        }
        for (size_t k = first; k < p->columns_n; k++)
            p->columns[k].right = column_right(t, i);
    }
    if (needs.notes)
        add_column(p, FR_XLSX_NOTE, 0, fr_arena_strdup(&x->arena, "note"));
}

/* A table's heads must differ, also without regard to case. */
static void make_unique(struct fr_xlsx *x, struct fr_xlsx_place *p)
{
    for (size_t i = 0; i < p->columns_n; i++) {
        char *plain = p->columns[i].head;
        unsigned again = 2;
        if (!*plain)
            p->columns[i].head = plain = fr_arena_printf(&x->arena, "column %zu", i + 1);
        for (size_t k = 0; k < i; k++)
            if (strcasecmp(p->columns[k].head, p->columns[i].head) == 0) {
                p->columns[i].head = fr_arena_printf(&x->arena, "%s (%u)", plain, again++);
                k = (size_t)-1;
            }
    }
}

/* ---- widths ------------------------------------------------------------------------------------------------------ */

static double width_of(const struct fr_xlsx_column *col, const struct fr_table *t, const struct fr_row *row)
{
    const struct fr_column *c = &t->columns[col->column];
    const struct fr_cell *cell = &row->cells[col->column];
    char s[64];
    if (col->part == FR_XLSX_GROUP)
        return row->group ? (double)fr_utf8_width(row->group) : 0;
    if (col->part == FR_XLSX_NOTE)
        return cell->note && cell->note <= t->notes_n ? (double)fr_utf8_width(t->notes[cell->note - 1]) : 20;
    if (cell->kind == FR_CELL_TEXT)
        return (double)fr_utf8_width(cell->text);
    if (cell->kind != FR_CELL_NUMBER || col->part == FR_XLSX_RUNS)
        return 0;
    fr_cell_format(c, cell, s);
    size_t n = strlen(s), whole = strcspn(s, ".");
    size_t unit = c->unit && *c->unit && !is_ratio(c) ? 1 + (size_t)fr_utf8_width(c->unit) : 0;
    return (double)(n + unit + (whole > 3 ? (whole - 1) / 3 : 0));
}

/* Of many rows the first thousands stand for all. */
static void fit_widths(struct fr_xlsx_place *p, const struct fr_table *t)
{
    for (size_t i = 0; i < p->columns_n; i++) {
        struct fr_xlsx_column *col = &p->columns[i];
        double head = (double)fr_utf8_width(col->head);
        col->width = fmax(WIDTH_MIN, fmin(head * BOLD, HEAD_MAX));
        size_t n = 0;
        for (const struct fr_row *row = t->head; row && n < 5000; row = row->next, n++)
            col->width = fmax(col->width, width_of(col, t, row));
        col->width = fmin(col->width + 2.5, WIDTH_MAX); /* room for the filter's button */
    }
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* `format` NULL: the default; one that is just as that is looked up anew for each cell by the library. */
static void put_text(struct fr_xlsx *x, const struct fr_xlsx_place *p, lxw_row_t r, size_t i, const char *text,
                     lxw_format *format)
{
    text = fr_xlsx_text(x, text);
    if (*text)
        worksheet_write_string(p->sheet, r, (lxw_col_t)i, text, format);
}

static void put_number(const struct fr_xlsx_place *p, lxw_row_t r, size_t i, double value, lxw_format *format)
{
    if (isfinite(value))
        worksheet_write_number(p->sheet, r, (lxw_col_t)i, value, format);
}

static void put_cell(struct fr_xlsx *x, const struct fr_xlsx_place *p, const struct fr_table *t,
                     const struct fr_row *row, lxw_row_t r, size_t i)
{
    const struct fr_xlsx_column *col = &p->columns[i];
    const struct fr_column *c = &t->columns[col->column];
    const struct fr_cell *cell = &row->cells[col->column];
    bool failed = ((row->flags | cell->flags) & FR_CELL_FAILED) != 0, best = (cell->flags & FR_CELL_BEST) != 0;
    bool number = cell->kind == FR_CELL_NUMBER, spread = number && cell->n > 1 && cell->lo <= cell->hi;
    switch (col->part) {
    case FR_XLSX_GROUP:
        put_text(x, p, r, i, row->group, NULL);
        break;
    case FR_XLSX_CELL:
        if (cell->kind == FR_CELL_TEXT)
            put_text(x, p, r, i, cell->text, failed ? x->failed_text : row->summary ? x->bold : NULL);
        else if (number && c->role == FR_COL_KEY) /* the number of a run or test is a name */
            put_number(p, r, i, cell->value, failed ? x->failed_text : x->id);
        else if (number) {
            const struct fr_xlsx_formats *f = formats_of(x, c, cell, cell->value);
            put_number(p, r, i, shown(c, cell->value), failed ? f->failed : best || row->summary ? f->best : f->plain);
        }
        break;
    case FR_XLSX_RUNS:
        if (number)
            put_number(p, r, i, cell->n ? cell->n : 1, formats_for(x, "", false, 0)->plain);
        break;
    case FR_XLSX_LOW:
        if (spread)
            put_number(p, r, i, shown(c, cell->lo), formats_of(x, c, cell, cell->lo)->plain);
        break;
    case FR_XLSX_HIGH:
        if (spread)
            put_number(p, r, i, shown(c, cell->hi), formats_of(x, c, cell, cell->hi)->plain);
        break;
    case FR_XLSX_NOTE: {
        struct fr_strbuf text = FR_STRBUF_INIT;
        fr_row_notes_add(&text, t, row);
        put_text(x, p, r, i, fr_strbuf_str(&text), x->muted);
        fr_strbuf_release(&text);
        break;
    }
    }
}

/* ---- heads ------------------------------------------------------------------------------------------------------- */

/* "completion latency p99 [µs]" */
static const char *group_head(struct fr_xlsx *x, const struct fr_table *t, size_t column)
{
    const char *group = t->columns[column].group, *unit = fr_group_unit(t, column);
    if (!group)
        return "";
    bool said = !*unit || fr_str_ends(fr_str(group), unit);
    return fr_xlsx_text(x, said ? group : fr_arena_printf(&x->arena, "%s [%s]", group, unit));
}

static void put_group_heads(struct fr_xlsx *x, const struct fr_xlsx_place *p, const struct fr_table *t, lxw_row_t r)
{
    for (size_t i = 0, n; i < p->columns_n; i += n) {
        const struct fr_xlsx_column *col = &p->columns[i];
        bool plain = col->part == FR_XLSX_GROUP || col->part == FR_XLSX_NOTE;
        const char *group = plain ? NULL : t->columns[col->column].group;
        for (n = 1; group && i + n < p->columns_n; n++) {
            const struct fr_xlsx_column *next = &p->columns[i + n];
            const char *other = next->part == FR_XLSX_NOTE ? NULL : t->columns[next->column].group;
            if (!other || strcmp(group, other) != 0)
                break;
        }
        const char *head = plain ? "" : group_head(x, t, col->column);
        if (group && n > 1)
            worksheet_merge_range(p->sheet, r, (lxw_col_t)i, r, (lxw_col_t)(i + n - 1), head, x->group_head);
        else
            worksheet_write_string(p->sheet, r, (lxw_col_t)i, head, x->group_head);
    }
}

/* Title, subtitle and group headings above the head of a summary. The row for the head. */
static lxw_row_t put_top(struct fr_xlsx *x, const struct fr_xlsx_place *p, const struct fr_table *t, bool group_heads)
{
    lxw_row_t r = 0;
    if (t->title && *t->title)
        put_text(x, p, r++, 0, t->title, x->title);
    if (t->subtitle && *t->subtitle)
        put_text(x, p, r++, 0, t->subtitle, x->subtitle);
    if (t->source && *t->source)
        put_text(x, p, r++, 0, t->source, x->subtitle);
    r += r > 0;
    if (group_heads)
        put_group_heads(x, p, t, r++);
    return r;
}

static lxw_format *head_format(const struct fr_xlsx *x, const struct fr_xlsx_column *col)
{
    return col->right ? x->head_right : x->head;
}

static void put_head(struct fr_xlsx *x, const struct fr_xlsx_place *p)
{
    double lines = 1;
    for (size_t i = 0; i < p->columns_n; i++)
        lines = fmax(lines, ceil((double)fr_utf8_width(p->columns[i].head) * BOLD / p->columns[i].width));
    worksheet_set_row(p->sheet, p->head, 15 * fmin(lines, 6) + 3, NULL);
    for (size_t i = 0; i < p->columns_n; i++)
        worksheet_write_string(p->sheet, p->head, (lxw_col_t)i, p->columns[i].head, head_format(x, &p->columns[i]));
}

static void set_columns(const struct fr_xlsx_place *p, const struct fr_table *t)
{
    for (size_t i = 0; i < p->columns_n; i++)
        worksheet_set_column(p->sheet, (lxw_col_t)i, (lxw_col_t)i, p->columns[i].width, NULL);
    lxw_col_t keys = 0;
    while (keys < p->columns_n &&
           (p->columns[keys].part == FR_XLSX_GROUP ||
            (p->columns[keys].part == FR_XLSX_CELL && t->columns[p->columns[keys].column].role == FR_COL_KEY)))
        keys++;
    worksheet_freeze_panes(p->sheet, p->head + 1, keys < p->columns_n && keys <= 4 ? keys : 0);
    worksheet_set_landscape(p->sheet);
    worksheet_set_paper(p->sheet, 9); /* A4 */
    worksheet_fit_to_pages(p->sheet, 1, 0);
    worksheet_repeat_rows(p->sheet, p->head, p->head);
    worksheet_set_footer(p->sheet, "&L&8fioreport " FR_VERSION "&R&8&A, &P / &N");
}

/* ---- after the rows ---------------------------------------------------------------------------------------------- */

static void add_table(struct fr_xlsx *x, const struct fr_xlsx_place *p)
{
    lxw_col_t last = (lxw_col_t)(p->columns_n - 1);
    if (x->constant_memory || p->last < p->first) {
        if (p->last >= p->first)
            worksheet_autofilter(p->sheet, p->head, 0, p->last, last);
        return;
    }
    lxw_table_column *columns = fr_arena_alloc(&x->arena, p->columns_n * sizeof *columns);
    lxw_table_column **list = fr_arena_alloc(&x->arena, (p->columns_n + 1) * sizeof *list);
    for (size_t i = 0; i < p->columns_n; i++) {
        columns[i].header = p->columns[i].head;
        columns[i].header_format = head_format(x, &p->columns[i]);
        list[i] = &columns[i];
    }
    lxw_table_options options = {.columns = list,
                                 .name = fr_arena_printf(&x->arena, "fioreport_%zu", x->names_n),
                                 .style_type = LXW_TABLE_STYLE_TYPE_LIGHT,
                                 .style_type_number = 1};
    worksheet_add_table(p->sheet, p->head, 0, p->last, last, &options);
}

/* Ratios from half to double the baseline, orange for worse, blue for better; equal is white. */
static void color_ratios(const struct fr_xlsx_place *p, const struct fr_table *t)
{
    for (size_t i = 0; i < p->columns_n; i++) {
        const struct fr_column *c = &t->columns[p->columns[i].column];
        if (p->columns[i].part != FR_XLSX_CELL || !is_ratio(c) || p->last < p->first ||
            (c->better != FR_HIGHER && c->better != FR_LOWER)) /* each row has its own direction */
            continue;
        bool lower = c->better == FR_LOWER;
        lxw_conditional_format f = {.type = LXW_CONDITIONAL_3_COLOR_SCALE,
                                    .min_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
                                    .mid_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
                                    .max_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
                                    .min_value = 0.5,
                                    .mid_value = 1,
                                    .max_value = 2,
                                    .min_color = lower ? 0x9CCFEF : 0xF6C877,
                                    .mid_color = 0xFFFFFF,
                                    .max_color = lower ? 0xF6C877 : 0x9CCFEF};
        worksheet_conditional_format_range(p->sheet, p->first, (lxw_col_t)i, p->last, (lxw_col_t)i, &f);
    }
}

/* One sheet from `row` on, as many rows as fit. The next row, or NULL. */
static const struct fr_row *put_sheet(struct fr_xlsx *x, struct fr_xlsx_place *p, const struct fr_sheet *sheet,
                                      const struct fr_row *row, bool group_heads)
{
    const struct fr_table *t = sheet->table;
    bool summary = sheet->role && strcmp(sheet->role, "summary") == 0;
    p->name = fr_xlsx_name(x, sheet->name);
    p->sheet = workbook_add_worksheet(x->workbook, p->name);
    if (!p->sheet)
        return NULL;
    p->head = summary ? put_top(x, p, t, group_heads) : 0;
    set_columns(p, t);
    put_head(x, p);
    p->first = p->head + 1;
    lxw_row_t r = p->first;
    for (; row && r < x->rows_max; row = row->next, r++) {
        for (size_t i = 0; i < p->columns_n; i++)
            put_cell(x, p, t, row, r, i);
        if (r % FR_TABLE_WALK == 0)
            fr_table_cool(t);
    }
    p->last = r - 1;
    if (sheet->role && strcmp(sheet->role, "data") == 0)
        add_table(x, p);
    if (summary) {
        color_ratios(p, t);
        if (!row)
            fr_xlsx_charts(x, p, t);
    }
    return row;
}

int fr_xlsx_sheet(struct fr_xlsx *x, const struct fr_sheet *sheet)
{
    const struct fr_table *t = sheet->table;
    bool summary = sheet->role && strcmp(sheet->role, "summary") == 0;
    bool group_heads = summary && fr_has_groups(t);
    struct fr_xlsx_place p = {0};
    if (t->columns_n == 0) {
        workbook_add_worksheet(x->workbook, fr_xlsx_name(x, sheet->name));
        return 0;
    }
    make_columns(x, &p, t, group_heads);
    if (!group_heads)
        make_unique(x, &p);
    if (p.columns_n > FR_XLSX_COLUMNS)
        return fr_log_error(x->log, NULL, 0,
                            "sheet '%s' would have %zu columns, more than Excel's %u, nothing was written", sheet->name,
                            p.columns_n, FR_XLSX_COLUMNS);
    fit_widths(&p, t);
    const struct fr_row *row = t->head;
    do {
        row = put_sheet(x, &p, sheet, row, group_heads);
        if (!p.sheet)
            return fr_log_error(x->log, NULL, 0, "sheet '%s' cannot be made, nothing was written", sheet->name);
    } while (row);
    return 0;
}
