/*
 * cells.h: what all dialects need of a table: its cells, heads and notes as escaped text.
 */
#ifndef FR_CELLS_H
#define FR_CELLS_H

#include "render.h"

/* A column's figures are set flush right: figures, and texts never. */
bool fr_column_right(const struct fr_table *table, size_t column);

/*
 * The head of a column, escaped: the group (when asked for), the name, the unit in brackets, unless it stands in the
 * cells, a name says it, or the group's head does.
 */
void fr_head_add(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table, size_t column,
                 bool group);
/* The head above the columns of a group, which begin with this one: its name, and the unit that all of them have. */
void fr_group_head_add(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table,
                       size_t column);

/* The cell, escaped: the text or figure (bold when best) to `body`; repeats and footnote mark to `tail`. */
void fr_cell_add(const struct fr_dialect *dialect, const struct fr_table *table, const struct fr_row *row,
                 size_t column, struct fr_strbuf *body, struct fr_strbuf *tail);

/* Escaped text in bold. */
void fr_bold_add(struct fr_strbuf *out, const struct fr_dialect *dialect, const char *text);

/* All that stands below the table, each escaped and between `before` and `after`: footnotes, what the brackets mean,
 * source. */
void fr_notes_add(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table,
                  const char *before, const char *after);

/* Has the row a footnote, or failed figures? */
bool fr_row_has_note(const struct fr_table *table, const struct fr_row *row);
/* What a column of notes says of it, as plain text: its footnotes, each once. */
void fr_row_notes_add(struct fr_strbuf *out, const struct fr_table *table, const struct fr_row *row);

/* How many neighbours from `column` on (itself included) share its group; groups that are NULL are not shared. */
size_t fr_group_span(const struct fr_table *table, size_t column);
/* The unit that all figures of the column's group are in; "" where there is none, or no group. */
const char *fr_group_unit(const struct fr_table *table, size_t column);
bool fr_has_groups(const struct fr_table *table);
/* The row begins a new group of rows. `before` is the row above, or NULL. */
bool fr_row_begins_group(const struct fr_row *before, const struct fr_row *row);

/* The figure in full: the shortest digits that give the same double. `out` holds 32 characters; "" when it is not
 * finite. */
const char *fr_full_number(double value, char out[32]);
/* The unit of base values of the column: "s", "B", "B/s", "IOPS", "ratio", or the column's own; "" for none. */
const char *fr_base_unit(const struct fr_column *column);

#endif
