/* panels.c: see panels.h. */
#include "panels.h"

#include <math.h>

#include "axes.h"
#include "strbuf.h"

#include "banned.h"

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Columns of one panel: the same metric in the same unit; where the metric is not known, the same unit. */
static bool together(const struct fr_column *a, const struct fr_column *b)
{
    return a->dim == b->dim && a->scale == b->scale && same_text(a->unit, b->unit) && a->better == b->better &&
           same_text(a->metric, b->metric);
}

static bool has_figures(const struct fr_table *table, size_t column)
{
    for (const struct fr_row *row = table->head; row; row = row->next)
        if (!row->summary && row->cells[column].kind == FR_CELL_NUMBER && isfinite(row->cells[column].value))
            return true;
    return false;
}

const char *fr_row_label(const struct fr_table *table, const struct fr_row *row, struct fr_arena *arena)
{
    struct fr_strbuf label = FR_STRBUF_INIT;
    for (size_t i = 0; i < table->columns_n; i++) {
        if (table->columns[i].role != FR_COL_KEY || row->cells[i].kind == FR_CELL_ABSENT)
            continue;
        char s[64];
        const char *text = fr_cell_format(&table->columns[i], &row->cells[i], s);
        if (text && *text) {
            fr_strbuf_addstr(&label, label.len ? " · " : "");
            fr_strbuf_addstr(&label, text);
        }
    }
    const char *copy = fr_arena_copy(arena, fr_strbuf_str(&label), label.len);
    fr_strbuf_release(&label);
    return copy;
}

static void make_rows(struct fr_panels *out, const struct fr_table *table, struct fr_arena *arena)
{
    out->rows = fr_arena_alloc(arena, (table->rows_n + 1) * sizeof *out->rows);
    const char *group = NULL;
    for (const struct fr_row *row = table->head; row; row = row->next) {
        if (row->summary)
            continue;
        struct fr_panel_row *r = &out->rows[out->rows_n++];
        r->row = row;
        r->label = fr_row_label(table, row, arena);
        r->group = row->group && *row->group && !same_text(group, row->group) ? row->group : NULL;
        group = row->group;
    }
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static const char *full_name(const struct fr_column *column, struct fr_arena *arena)
{
    const char *name = column->name ? column->name : "";
    if (!column->group || !*column->group)
        return name;
    return *name ? fr_arena_printf(arena, "%s %s", column->group, name) : column->group;
}

/* Length of the words that all names begin with (with the blank after), leaving each something. */
static size_t common_start(const struct fr_panel *p)
{
    const char *first = p->series[0].name;
    size_t best = 0;
    for (size_t n = 1; first[n]; n++) {
        if (first[n - 1] != ' ')
            continue;
        for (size_t i = 1; i < p->series_n; i++)
            if (strncmp(p->series[i].name, first, n) != 0 || !p->series[i].name[n])
                return best;
        best = n;
    }
    return best;
}

/* Likewise at the end (with the blank before). */
static size_t common_end(const struct fr_panel *p, size_t start)
{
    const char *first = p->series[0].name + start;
    size_t length = strlen(first), best = 0;
    for (size_t n = 1; n < length; n++) {
        if (first[length - n] != ' ')
            continue;
        for (size_t i = 1; i < p->series_n; i++) {
            const char *other = p->series[i].name + start;
            size_t m = strlen(other);
            if (m <= n || strcmp(other + m - n, first + length - n) != 0)
                return best;
        }
        best = n;
    }
    return best;
}

/* What the columns share becomes the title, what differs the name of the series. */
static void name_series(struct fr_panel *p, const struct fr_table *table, struct fr_arena *arena)
{
    for (size_t i = 0; i < p->series_n; i++)
        p->series[i].name = full_name(&table->columns[p->series[i].column], arena);
    const struct fr_column *column = &table->columns[p->series[0].column];
    if (p->series_n == 1) {
        p->title = p->series[0].name;
        return;
    }
    size_t start = common_start(p), end = common_end(p, start);
    const char *first = p->series[0].name;
    size_t length = strlen(first);
    const char *head = start ? fr_arena_copy(arena, first, start - 1) : "";
    const char *tail = end ? first + length - end + 1 : "";
    p->title = fr_arena_printf(arena, "%s%s%s", head, *head && *tail ? " " : "", tail);
    for (size_t i = 0; i < p->series_n; i++) {
        const char *name = p->series[i].name + start;
        p->series[i].name = fr_arena_copy(arena, name, strlen(name) - end);
    }
    struct fr_metric_info info;
    for (size_t i = 0; !*p->title && column->metric && fr_metric_info(i, &info); i++)
        if (strcmp(info.name, column->metric) == 0)
            p->title = info.title;
}

static size_t index_of(struct fr_panels *out, const char *name)
{
    for (size_t i = 0; i < out->names_n; i++)
        if (strcmp(out->names[i], name) == 0)
            return i;
    out->names[out->names_n] = name;
    return out->names_n++;
}

/* A panel of one series has the colour of what it shows if the legend has that, else one that is not in the legend. */
static size_t index_alone(const struct fr_panels *out, const struct fr_column *column)
{
    for (size_t i = 0; i < out->names_n; i++) {
        const char *name = out->names[i];
        size_t n = strlen(name);
        if (same_text(column->group, name) || same_text(column->op, name) ||
            (column->name && strncmp(column->name, name, n) == 0 && column->name[n] == ' '))
            return i;
    }
    return out->names_n;
}

/* ---- panels ------------------------------------------------------------------------------------------------------ */

/* The baseline of a panel of one series: a ratio column of the same metric knows it, or the column itself. */
static void find_baseline(struct fr_panel *p, const struct fr_table *table)
{
    p->baseline = (double)NAN;
    const struct fr_column *own = &table->columns[p->series[0].column];
    for (size_t i = 0; i < table->columns_n; i++) {
        const struct fr_column *c = &table->columns[i];
        bool match =
            c == own || (c->role == FR_COL_RATIO && same_text(c->metric, own->metric) && same_text(c->op, own->op) &&
                         same_text(c->stat, own->stat) && same_text(c->group, own->group));
        if (match && isfinite(c->baseline_value) && p->series_n == 1) {
            p->baseline = c->baseline_value / p->scale;
            p->baseline_name = c->baseline;
        }
    }
}

void fr_panels_make(struct fr_panels *out, const struct fr_table *table, enum fr_column_role role,
                    struct fr_arena *arena)
{
    *out = (struct fr_panels){0};
    make_rows(out, table, arena);
    size_t n = table->columns_n;
    out->panels = fr_arena_alloc(arena, (n + 1) * sizeof *out->panels);
    out->names = fr_arena_alloc(arena, (n + 1) * sizeof *out->names);
    bool *taken = fr_arena_alloc(arena, (n + 1) * sizeof *taken);
    for (size_t i = 0; i < n; i++) {
        const struct fr_column *c = &table->columns[i];
        if (taken[i] || c->role != role || !has_figures(table, i))
            continue;
        struct fr_panel *p = &out->panels[out->panels_n++];
        *p = (struct fr_panel){.unit = c->unit ? c->unit : "",
                               .better = c->better,
                               .scale = c->scale != 0 ? c->scale : 1,
                               .series = fr_arena_alloc(arena, (n - i) * sizeof *p->series)};
        for (size_t k = i; k < n; k++) {
            if (taken[k] || table->columns[k].role != role || !together(c, &table->columns[k]) ||
                !has_figures(table, k))
                continue;
            taken[k] = true;
            p->series[p->series_n++].column = k;
        }
        name_series(p, table, arena);
        find_baseline(p, table);
    }
    for (size_t i = 0; i < out->panels_n; i++)
        for (size_t k = 0; k < out->panels[i].series_n; k++)
            if (out->panels[i].series_n > 1)
                out->panels[i].series[k].index = index_of(out, out->panels[i].series[k].name);
    for (size_t i = 0; i < out->panels_n; i++)
        if (out->panels[i].series_n == 1)
            out->panels[i].series[0].index = index_alone(out, &table->columns[out->panels[i].series[0].column]);
}

double fr_panel_value(const struct fr_panel *p, size_t series, const struct fr_row *row)
{
    const struct fr_cell *cell = &row->cells[p->series[series].column];
    return cell->kind == FR_CELL_NUMBER && isfinite(cell->value) ? cell->value / p->scale : (double)NAN;
}

const char *fr_panel_label(const struct fr_table *table, const struct fr_panel *p, size_t series,
                           const struct fr_row *row, struct fr_arena *arena)
{
    double value = fr_panel_value(p, series, row);
    const struct fr_column *c = &table->columns[p->series[series].column];
    char s[40];
    if (isnan(value))
        return "–";
    double a = fabs(value);
    if (a > 0 && a < 0.001 && c->dim != FR_DIM_NONE && c->dim != FR_DIM_COUNT) {
        double scale;
        bool decimal = !fr_unit_is_binary(p->unit) && strcmp(p->unit, "B") != 0 && strcmp(p->unit, "B/s") != 0;
        const char *unit = fr_unit_choose(c->dim, a * p->scale, decimal ? FR_UNITS_SI : FR_UNITS_IEC, &scale);
        if (scale < p->scale)
            return fr_arena_printf(arena, "%s %s", fr_number_format(value * p->scale / scale, 3, s), unit);
    }
    if ((a > 0 && a < 1e-5) || a >= 1e15)
        return fr_arena_printf(arena, "%.2e", value);
    fr_number_format(value, 3, s);
    fr_group_digits(s, sizeof s);
    return fr_arena_strdup(arena, s);
}
