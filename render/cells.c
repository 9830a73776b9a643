/* cells.c: see cells.h. */
#include "cells.h"

#include <math.h>

#include "utf8.h"

#include "banned.h"

bool fr_column_right(const struct fr_table *table, size_t column)
{
    bool number = false;
    for (const struct fr_row *row = table->head; row; row = row->next) {
        if (row->cells[column].kind == FR_CELL_TEXT)
            return false;
        number = number || row->cells[column].kind == FR_CELL_NUMBER;
    }
    enum fr_column_role role = table->columns[column].role;
    return number || (role != FR_COL_KEY && role != FR_COL_INFO);
}

/* The name, or the group's, says it already: "write IOPS". */
static bool ends_in(const char *name, const char *unit)
{
    return name && fr_str_ends(fr_str(name), unit);
}

static bool sign_in_cell(const struct fr_column *column)
{
    return column->role == FR_COL_RATIO && column->unit && strcmp(column->unit, "%") == 0;
}

/* Units are ours, but for a score's, which is as printed. */
static void add_unit(struct fr_strbuf *out, const struct fr_dialect *dialect, const char *unit)
{
    static const char micro[] = "µs";
    if (dialect->words && fr_str_is(fr_str(unit), micro)) {
        fr_strbuf_addstr(out, dialect->words->micro);
        fr_strbuf_addch(out, 's');
    } else {
        dialect->escape(out, unit);
    }
}

static void add_brackets(struct fr_strbuf *out, const struct fr_dialect *dialect, bool blank, const char *unit)
{
    fr_strbuf_addstr(out, blank ? " [" : "[");
    add_unit(out, dialect, unit);
    fr_strbuf_addch(out, ']');
}

void fr_head_add(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table, size_t i,
                 bool group)
{
    const struct fr_column *column = &table->columns[i];
    bool named = column->name && *column->name;
    if (group && column->group) {
        dialect->escape(out, column->group);
        fr_strbuf_addstr(out, dialect->words ? dialect->words->newline : " ");
    }
    dialect->escape(out, named ? column->name : "");
    bool said = !column->unit || !*column->unit || ends_in(column->name, column->unit) ||
                ends_in(column->group, column->unit) || (dialect->words && sign_in_cell(column)) ||
                (!group && *fr_group_unit(table, i));
    if (!said)
        add_brackets(out, dialect, named, column->unit);
}

void fr_group_head_add(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table, size_t i)
{
    const char *group = table->columns[i].group, *unit = fr_group_unit(table, i);
    if (!group)
        return;
    dialect->escape(out, group);
    if (*unit && !ends_in(group, unit))
        add_brackets(out, dialect, *group, unit);
}

void fr_bold_add(struct fr_strbuf *out, const struct fr_dialect *dialect, const char *text)
{
    fr_strbuf_addstr(out, dialect->words->bold);
    dialect->escape(out, text);
    fr_strbuf_addstr(out, dialect->words->bold_end);
}

static void add_raised(struct fr_strbuf *out, const struct fr_dialect *dialect, unsigned number)
{
    if (dialect->words->raised) {
        bool begins = out->len == 0 || out->buf[out->len - 1] == '\n';
        fr_strbuf_addstr(out, dialect->words->raised + (begins && *dialect->words->raised == ' '));
        fr_strbuf_addf(out, "%u%s", number, dialect->words->raised_end);
    } else {
        fr_superscript_add(out, number);
    }
}

/* A failed row whose cells all lack the mark is marked at its key. */
static bool needs_dagger(const struct fr_table *table, const struct fr_row *row, size_t column)
{
    const struct fr_cell *cell = &row->cells[column];
    if (cell->note)
        return false;
    if (cell->flags & FR_CELL_FAILED)
        return true;
    if (!(row->flags & FR_CELL_FAILED) || column != 0)
        return false;
    for (size_t i = 0; i < table->columns_n; i++)
        if (row->cells[i].note || (row->cells[i].flags & FR_CELL_FAILED))
            return false;
    return true;
}

static void add_number(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_column *column,
                       const struct fr_cell *cell, bool sign)
{
    char s[64];
    fr_strbuf_addstr(out, fr_cell_format(column, cell, s));
    if (sign && sign_in_cell(column))
        fr_strbuf_addstr(out, dialect->words->percent);
}

static void add_repeats(struct fr_strbuf *tail, const struct fr_dialect *dialect, const struct fr_column *column,
                        const struct fr_cell *cell)
{
    if (cell->n <= 1)
        return;
    fr_strbuf_addf(tail, " (n=%u", cell->n);
    if (cell->lo <= cell->hi) {
        struct fr_cell end = {.kind = FR_CELL_NUMBER, .decimals = cell->decimals, .value = cell->lo};
        fr_strbuf_addstr(tail, ", ");
        add_number(tail, dialect, column, &end, false);
        fr_strbuf_addstr(tail, dialect->words->range);
        end.value = cell->hi;
        add_number(tail, dialect, column, &end, true);
    }
    fr_strbuf_addch(tail, ')');
}

void fr_cell_add(const struct fr_dialect *dialect, const struct fr_table *table, const struct fr_row *row,
                 size_t column, struct fr_strbuf *body, struct fr_strbuf *tail)
{
    const struct fr_cell *cell = &row->cells[column];
    const struct fr_column *head = &table->columns[column];
    if (cell->kind == FR_CELL_ABSENT || (cell->kind == FR_CELL_NUMBER && !isfinite(cell->value))) {
        fr_strbuf_addstr(body, dialect->words->absent);
    } else if (cell->kind == FR_CELL_TEXT) {
        if (row->summary && column == 0)
            fr_bold_add(body, dialect, cell->text);
        else
            dialect->escape(body, cell->text ? cell->text : "");
    } else {
        bool best = (cell->flags & FR_CELL_BEST) != 0;
        fr_strbuf_addstr(body, best ? dialect->words->bold : "");
        add_number(body, dialect, head, cell, true);
        fr_strbuf_addstr(body, best ? dialect->words->bold_end : "");
        add_repeats(tail, dialect, head, cell);
    }
    if (cell->note || needs_dagger(table, row, column)) {
        /* After a closing mark Markdown and its kin need a blank, or the mark does not close. */
        if ((cell->flags & FR_CELL_BEST) && tail->len == 0)
            fr_strbuf_addch(tail, ' ');
        if (cell->note)
            add_raised(tail, dialect, cell->note);
        else
            fr_strbuf_addstr(tail, dialect->words->dagger);
    }
}

/* What the brackets behind a median are, where there are some. */
static void add_interval_note(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table,
                              const char *before, const char *after)
{
    const char *interval = NULL;
    bool repeats = false;
    for (size_t i = 0; i < table->columns_n; i++) {
        bool spread = false;
        for (const struct fr_row *row = table->head; row && !spread; row = row->next) {
            const struct fr_cell *cell = &row->cells[i];
            bool several = cell->kind == FR_CELL_NUMBER && cell->n > 1;
            repeats = repeats || several;
            spread = several && cell->lo <= cell->hi;
        }
        if (spread)
            interval = fr_column_interval(&table->columns[i], interval);
    }
    if (!repeats)
        return;
    fr_strbuf_addstr(out, before);
    dialect->escape(out, "In brackets: n, the number of runs");
    if (interval) {
        dialect->escape(out, ", and ");
        dialect->escape(out, interval);
    }
    fr_strbuf_addch(out, '.');
    fr_strbuf_addstr(out, after);
}

void fr_notes_add(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table,
                  const char *before, const char *after)
{
    for (size_t i = 0; i < table->notes_n; i++) {
        fr_strbuf_addstr(out, before);
        add_raised(out, dialect, (unsigned)i + 1);
        fr_strbuf_addch(out, ' ');
        dialect->escape(out, table->notes[i]);
        fr_strbuf_addstr(out, after);
    }
    bool dagger = false;
    for (const struct fr_row *row = table->head; row && !dagger; row = row->next)
        for (size_t i = 0; i < table->columns_n && !dagger; i++)
            dagger = needs_dagger(table, row, i);
    if (dagger) {
        fr_strbuf_addstr(out, before);
        fr_strbuf_addstr(out, dialect->words->dagger + (*dialect->words->dagger == ' '));
        fr_strbuf_addch(out, ' ');
        dialect->escape(out, "From a run that ended with an error or was cut short.");
        fr_strbuf_addstr(out, after);
    }
    add_interval_note(out, dialect, table, before, after);
    if (table->source && *table->source) {
        fr_strbuf_addstr(out, before);
        dialect->escape(out, "Source: ");
        dialect->escape(out, table->source);
        fr_strbuf_addstr(out, after);
    }
}

static bool same_group(const struct fr_table *table, size_t a, size_t b)
{
    const char *x = table->columns[a].group, *y = table->columns[b].group;
    return x && y && strcmp(x, y) == 0;
}

bool fr_row_has_note(const struct fr_table *table, const struct fr_row *row)
{
    bool note = (row->flags & FR_CELL_FAILED) != 0;
    for (size_t i = 0; i < table->columns_n && !note; i++)
        note = row->cells[i].note || (row->cells[i].flags & FR_CELL_FAILED);
    return note;
}

void fr_row_notes_add(struct fr_strbuf *out, const struct fr_table *table, const struct fr_row *row)
{
    size_t before = out->len;
    for (size_t i = 0; i < table->columns_n; i++) {
        unsigned note = row->cells[i].note;
        bool said = note == 0 || note > table->notes_n;
        for (size_t k = 0; k < i && !said; k++)
            said = row->cells[k].note == note;
        if (!said)
            fr_strbuf_addf(out, "%s%s", out->len > before ? "; " : "", table->notes[note - 1]);
    }
    if (out->len == before && fr_row_has_note(table, row))
        fr_strbuf_addstr(out, "failed or cut short");
}

size_t fr_group_span(const struct fr_table *table, size_t column)
{
    size_t n = 1;
    while (column + n < table->columns_n && same_group(table, column, column + n))
        n++;
    return n;
}

const char *fr_group_unit(const struct fr_table *table, size_t column)
{
    const char *unit = "";
    size_t first = column;
    while (first > 0 && same_group(table, first - 1, column))
        first--;
    for (size_t i = first; i < table->columns_n && same_group(table, i, column); i++) {
        const struct fr_column *c = &table->columns[i];
        if (sign_in_cell(c))
            continue;
        if (!c->unit || !*c->unit || (*unit && strcmp(unit, c->unit) != 0))
            return "";
        unit = c->unit;
    }
    return unit;
}

bool fr_has_groups(const struct fr_table *table)
{
    for (size_t i = 0; i < table->columns_n; i++)
        if (table->columns[i].group && *table->columns[i].group)
            return true;
    return false;
}

bool fr_row_begins_group(const struct fr_row *before, const struct fr_row *row)
{
    return row->group && *row->group && !(before && before->group && strcmp(before->group, row->group) == 0);
}

const char *fr_full_number(double value, char out[32])
{
    out[0] = 0;
    if (!isfinite(value))
        return out;
    for (int digits = 15; digits <= 17; digits++) {
        double back = 0;
        snprintf(out, 32, "%.*g", digits, value);
        if (fr_str_double(fr_str(out), &back) && back == value)
            break;
    }
    return out;
}

const char *fr_base_unit(const struct fr_column *column)
{
    if (column->role == FR_COL_RATIO || column->dim == FR_DIM_RATIO)
        return "ratio";
    if (column->dim != FR_DIM_NONE && column->dim != FR_DIM_COUNT)
        return fr_unit_base(column->dim);
    return column->unit && column->scale == 1 ? column->unit : "";
}
