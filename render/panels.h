/*
 * panels.h: a pivot table as small multiples: one panel a metric (charts never have two axes), one series a column.
 */
#ifndef FR_PANELS_H
#define FR_PANELS_H

#include "table.h"

struct fr_panel_series {
    size_t column;
    const char *name; /* what tells it from the others of its panel */
    size_t index;     /* for its looks: the same name has the same in all panels */
};

struct fr_panel {
    const char *title; /* what the columns have in common */
    const char *unit;  /* of the axis, "" for none */
    enum fr_better better;
    double scale; /* shown = value / scale */
    struct fr_panel_series *series;
    size_t series_n;
    double baseline; /* shown unit; NaN: none */
    const char *baseline_name;
};

struct fr_panel_row {
    const struct fr_row *row;
    const char *label; /* the key columns */
    const char *group; /* set where a group begins, else NULL */
};

struct fr_panels {
    struct fr_panel *panels;
    size_t panels_n;
    struct fr_panel_row *rows; /* without the geometric mean */
    size_t rows_n;
    const char **names; /* of series, by index */
    size_t names_n;
};

/* Made in the arena. Panels without any figure are left out. `role`: FR_COL_VALUE or FR_COL_RATIO. */
void fr_panels_make(struct fr_panels *out, const struct fr_table *table, enum fr_column_role role,
                    struct fr_arena *arena);

/* The figure in shown units, or NaN when absent. */
double fr_panel_value(const struct fr_panel *panel, size_t series, const struct fr_row *row);
/* The figure as a label: three significant digits, whole digits never cut; a value far below the axis' unit gets its
 * own. */
const char *fr_panel_label(const struct fr_table *table, const struct fr_panel *panel, size_t series,
                           const struct fr_row *row, struct fr_arena *arena);
/* The row's key columns in one text. */
const char *fr_row_label(const struct fr_table *table, const struct fr_row *row, struct fr_arena *arena);

#endif
