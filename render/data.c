/* data.c: tables for machines, with full figures: CSV, TSV, JSON. See writers.h. */
#include <math.h>

#include "cells.h"
#include "escape.h"
#include "utf8.h"
#include "writers.h"

#include "banned.h"

/* ---- CSV and TSV ------------------------------------------------------------------------------------------------- */

/* What a column needs beside itself. */
struct extra {
    bool runs, spread;
};

static struct extra extra_of(const struct fr_table *table, size_t column)
{
    struct extra extra = {false, false};
    for (const struct fr_row *row = table->head; row; row = row->next) {
        const struct fr_cell *cell = &row->cells[column];
        if (cell->kind != FR_CELL_NUMBER || cell->n <= 1)
            continue;
        extra.runs = true;
        extra.spread = extra.spread || cell->lo <= cell->hi;
    }
    return extra;
}

static bool has_notes(const struct fr_table *table)
{
    for (const struct fr_row *row = table->head; row; row = row->next)
        if (fr_row_has_note(table, row))
            return true;
    return false;
}

static bool has_row_groups(const struct fr_table *table)
{
    for (const struct fr_row *row = table->head; row; row = row->next)
        if (row->group && *row->group)
            return true;
    return false;
}

struct dsv {
    const struct fr_dialect *dialect;
    const struct fr_table *table;
    struct fr_strbuf *out;
    char separator;
    bool first; /* of its line */
};

static void next_field(struct dsv *d)
{
    if (!d->first)
        fr_strbuf_addch(d->out, d->separator);
    d->first = false;
}

static void put_text(struct dsv *d, const char *text)
{
    next_field(d);
    d->dialect->escape(d->out, text ? text : "");
}

static void put_number(struct dsv *d, double value, double scale)
{
    char s[32];
    next_field(d);
    if (scale == 1 || scale == 0)
        fr_strbuf_addstr(d->out, fr_full_number(value, s));
    else if (isfinite(value)) /* the division's last bits are noise */
        fr_strbuf_addf(d->out, "%.15g", value / scale);
}

static void put_head(struct dsv *d, const struct fr_column *column, const char *what)
{
    struct fr_strbuf head = FR_STRBUF_INIT;
    if (column->group && *column->group)
        fr_strbuf_addf(&head, "%s: ", column->group);
    fr_strbuf_addstr(&head, column->name ? column->name : "");
    fr_strbuf_addstr(&head, what);
    if (column->unit && *column->unit && strcmp(what, " n") != 0 &&
        !(*what == 0 && fr_str_ends(fr_str(column->name ? column->name : ""), column->unit)))
        fr_strbuf_addf(&head, " [%s]", column->unit);
    put_text(d, fr_strbuf_str(&head));
    fr_strbuf_release(&head);
}

static void put_cell(struct dsv *d, const struct fr_column *column, const struct fr_cell *cell)
{
    if (cell->kind == FR_CELL_NUMBER)
        put_number(d, cell->value, column->scale);
    else
        put_text(d, cell->kind == FR_CELL_TEXT ? cell->text : "");
}

static void put_extra(struct dsv *d, const struct fr_column *column, const struct fr_cell *cell, struct extra extra)
{
    bool number = cell->kind == FR_CELL_NUMBER;
    if (extra.runs) {
        next_field(d);
        if (number)
            fr_strbuf_addf(d->out, "%u", cell->n ? cell->n : 1);
    }
    if (extra.spread) {
        bool known = number && cell->lo <= cell->hi;
        put_number(d, known ? cell->lo : (double)NAN, column->scale);
        put_number(d, known ? cell->hi : (double)NAN, column->scale);
    }
}

static int write_dsv(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out,
                     char separator)
{
    struct dsv d = {dialect, table, out, separator, true};
    bool notes = has_notes(table), groups = has_row_groups(table);
    struct extra *extra = calloc(table->columns_n + 1, sizeof *extra);
    if (!extra)
        return -1;
    if (groups)
        put_text(&d, table->groups ? table->groups : "group");
    for (size_t i = 0; i < table->columns_n; i++) {
        extra[i] = extra_of(table, i);
        put_head(&d, &table->columns[i], "");
        if (extra[i].runs)
            put_head(&d, &table->columns[i], " n");
        if (extra[i].spread) {
            put_head(&d, &table->columns[i], " low");
            put_head(&d, &table->columns[i], " high");
        }
    }
    if (notes)
        put_text(&d, "note");
    for (const struct fr_row *row = table->head; row; row = row->next) {
        fr_strbuf_addch(out, '\n');
        d.first = true;
        if (groups)
            put_text(&d, row->group);
        for (size_t i = 0; i < table->columns_n; i++) {
            put_cell(&d, &table->columns[i], &row->cells[i]);
            put_extra(&d, &table->columns[i], &row->cells[i], extra[i]);
        }
        if (notes) {
            struct fr_strbuf text = FR_STRBUF_INIT;
            fr_row_notes_add(&text, table, row);
            put_text(&d, fr_strbuf_str(&text));
            fr_strbuf_release(&text);
        }
    }
    fr_strbuf_addch(out, '\n');
    free(extra);
    return 0;
}

int fr_write_csv(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out)
{
    return write_dsv(dialect, table, out, ',');
}

int fr_write_tsv(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out)
{
    return write_dsv(dialect, table, out, '\t');
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_string(struct fr_strbuf *out, const char *text)
{
    fr_strbuf_addch(out, '"');
    fr_escape_json(out, text ? text : "");
    fr_strbuf_addch(out, '"');
}

/* The key of each column: group and name, made unique by a number. */
static char **json_keys(const struct fr_table *table, struct fr_arena *arena)
{
    char **keys = fr_arena_alloc(arena, (table->columns_n + 1) * sizeof *keys);
    for (size_t i = 0; i < table->columns_n; i++) {
        const struct fr_column *column = &table->columns[i];
        const char *name = column->name ? column->name : "";
        keys[i] = column->group && *column->group ? fr_arena_printf(arena, "%s: %s", column->group, name)
                                                  : fr_arena_strdup(arena, name);
        const char *plain = keys[i];
        for (size_t k = 0, again = 2; k < i; k++)
            if (strcmp(keys[k], keys[i]) == 0) {
                keys[i] = fr_arena_printf(arena, "%s (%zu)", plain, again++);
                k = (size_t)-1;
            }
    }
    return keys;
}

static void json_number(struct fr_strbuf *out, double value)
{
    char s[32];
    const char *number = fr_full_number(value, s);
    fr_strbuf_addstr(out, *number ? number : "null");
}

/* A figure that was measured is an object with its unit; a count or an SQL result is a bare number. */
static bool is_measure(const struct fr_column *column)
{
    return column->role == FR_COL_VALUE || column->role == FR_COL_RATIO || column->metric || *fr_base_unit(column) != 0;
}

static void json_measure(struct fr_strbuf *out, const struct fr_table *table, const struct fr_row *row, size_t i)
{
    const struct fr_column *column = &table->columns[i];
    const struct fr_cell *cell = &row->cells[i];
    fr_strbuf_addstr(out, "{\"value\": ");
    json_number(out, cell->value);
    fr_strbuf_addstr(out, ", \"unit\": ");
    json_string(out, fr_base_unit(column));
    if (cell->n > 1) {
        fr_strbuf_addf(out, ", \"n\": %u", cell->n);
        if (cell->lo <= cell->hi) {
            fr_strbuf_addstr(out, ", \"low\": ");
            json_number(out, cell->lo);
            fr_strbuf_addstr(out, ", \"high\": ");
            json_number(out, cell->hi);
            fr_strbuf_addstr(out, ", \"interval\": ");
            json_string(out, fr_column_interval(column, NULL));
        }
    }
    if ((cell->flags | row->flags) & FR_CELL_FAILED)
        fr_strbuf_addstr(out, ", \"failed\": true");
    if (cell->flags & FR_CELL_PARTIAL)
        fr_strbuf_addstr(out, ", \"partial\": true");
    if (cell->note && cell->note <= table->notes_n) {
        fr_strbuf_addstr(out, ", \"note\": ");
        json_string(out, table->notes[cell->note - 1]);
    }
    fr_strbuf_addch(out, '}');
}

static void json_row(struct fr_strbuf *out, const struct fr_table *table, const struct fr_row *row, char **keys)
{
    const char *between = "";
    fr_strbuf_addstr(out, "  {");
    if (row->group && *row->group) {
        json_string(out, table->groups ? table->groups : "group");
        fr_strbuf_addstr(out, ": ");
        json_string(out, row->group);
        between = ", ";
    }
    for (size_t i = 0; i < table->columns_n; i++, between = ", ") {
        const struct fr_cell *cell = &row->cells[i];
        fr_strbuf_addstr(out, between);
        json_string(out, keys[i]);
        fr_strbuf_addstr(out, ": ");
        if (cell->kind == FR_CELL_TEXT)
            json_string(out, cell->text);
        else if (cell->kind == FR_CELL_ABSENT || !isfinite(cell->value))
            fr_strbuf_addstr(out, "null");
        else if (is_measure(&table->columns[i]))
            json_measure(out, table, row, i);
        else
            json_number(out, cell->value);
    }
    fr_strbuf_addch(out, '}');
}

int fr_write_json(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out)
{
    (void)dialect;
    struct fr_arena arena = FR_ARENA_INIT;
    char **keys = json_keys(table, &arena);
    fr_strbuf_addch(out, '[');
    for (const struct fr_row *row = table->head; row; row = row->next) {
        fr_strbuf_addstr(out, row == table->head ? "\n" : ",\n");
        json_row(out, table, row, keys);
    }
    fr_strbuf_addstr(out, table->head ? "\n]\n" : "]\n");
    fr_arena_release(&arena);
    return 0;
}
