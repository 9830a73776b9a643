/* params.c: see params.h. */
#include "params.h"

#include <math.h>

#include "banned.h"

/* *size: it has a unit letter, so it is a size. */
static bool text_value(const char *text, double *value, bool *size)
{
    struct fr_str s = fr_str(text ? text : "");
    if (fr_str_double(s, value))
        return true;
    *size = true;
    return fr_size_parse(s, value);
}

static bool cell_value(const struct fr_cell *cell, double *value, bool *size)
{
    if (cell->kind == FR_CELL_NUMBER) {
        *value = cell->value;
        return true;
    }
    return cell->kind == FR_CELL_TEXT && text_value(cell->text, value, size);
}

/* All of the column's cells are values: 2 when some differ, else 1; 0 when not. */
static int rate_column(const struct fr_table *table, size_t column, bool *size)
{
    double first = (double)NAN;
    int rate = 0;
    *size = false;
    for (const struct fr_row *row = table->head; row; row = row->next) {
        double v;
        if (row->summary || row->cells[column].kind == FR_CELL_ABSENT)
            continue;
        if (!cell_value(&row->cells[column], &v, size))
            return 0;
        if (rate == 0)
            first = v;
        rate = rate == 2 || v != first ? 2 : 1;
    }
    return rate;
}

static void add_value(struct fr_param_axis *a, double v)
{
    size_t i = 0;
    a->least = a->values_n ? fmin(a->least, v) : v;
    a->greatest = a->values_n ? fmax(a->greatest, v) : v;
    while (i < a->values_n && a->values[i] < v)
        i++;
    if (i < a->values_n && a->values[i] == v)
        return;
    a->many = a->values_n == FR_TICKS_MAX;
    if (a->many)
        return;
    memmove(&a->values[i + 1], &a->values[i], (a->values_n - i) * sizeof *a->values);
    a->values[i] = v;
    a->values_n++;
}

void fr_param_find(struct fr_param_axis *out, const struct fr_table *table)
{
    *out = (struct fr_param_axis){.column = -1};
    int best = 0;
    for (size_t i = 0; i < table->columns_n; i++) {
        bool size;
        enum fr_column_role role = table->columns[i].role;
        int rate = role == FR_COL_KEY || role == FR_COL_X ? rate_column(table, i, &size) : 0;
        /* What loads a device is what its figures are shown against. */
        if (rate == 2 &&
            (strcmp(table->columns[i].name, "iodepth") == 0 || strcmp(table->columns[i].name, "numjobs") == 0))
            rate = 3;
        if (rate && role == FR_COL_X)
            rate = 4;
        if (rate > best) {
            best = rate;
            out->column = (int)i;
            out->size = size;
        }
    }
    for (const struct fr_row *row = table->head; row && out->column >= 0; row = row->next) {
        double v = fr_param_value(out, row);
        if (!isnan(v) && !row->summary)
            add_value(out, v);
    }
}

double fr_param_value(const struct fr_param_axis *axis, const struct fr_row *row)
{
    double v = (double)NAN;
    bool size = false;
    if (axis->column < 0 || !cell_value(&row->cells[axis->column], &v, &size))
        return (double)NAN;
    return v;
}

const char *fr_param_format(const struct fr_param_axis *axis, double value, char out[40])
{
    char size[24];
    if (axis->size)
        snprintf(out, 40, "%s", fr_size_format(value, size));
    else
        snprintf(out, 40, "%.10g", value);
    return out;
}

void fr_param_axis_fit(const struct fr_param_axis *params, struct fr_axis *axis)
{
    size_t n = params->values_n;
    double lo = n ? params->least : 0, hi = n ? params->greatest : 1;
    bool factors = lo > 0 && n > 2 && hi / lo >= 8;
    axis->scale = factors ? FR_SCALE_LOG : FR_SCALE_LINEAR;
    if (factors) { /* some room at the sides, so that markers are whole */
        double room = pow(hi / lo, 0.03);
        axis->min = lo / room;
        axis->max = hi * room;
    } else {
        double room = hi > lo ? (hi - lo) * 0.04 : fabs(hi) * 0.1 + 0.5;
        axis->min = lo - room;
        axis->max = hi + room;
    }
    if (params->many) {
        axis->binary = params->size;
        fr_axis_ticks(axis, 8);
        return;
    }
    axis->ticks_n = 0;
    axis->given = true;
    for (size_t i = 0; i < n; i++) {
        struct fr_tick *t = &axis->ticks[axis->ticks_n++];
        char label[40];
        t->value = params->values[i];
        snprintf(t->label, sizeof t->label, "%.31s", fr_param_format(params, t->value, label));
    }
}
