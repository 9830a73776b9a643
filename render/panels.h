/*
 * panels.h: a pivot table as small multiples: one panel a metric (charts never have two axes), one series a column.
 *
 * Where rows have units of their own (a text column named "unit", and maybe "better"), there is a panel for each unit;
 * of ratios for each quantity, whatever prefix its units have.
 * Where something else than the direction tells columns apart, reads and writes have a panel each: else the columns of
 * one label would have two colours, and rows of one direction gaps for the other.
 */
#ifndef FR_PANELS_H
#define FR_PANELS_H

#include "frame.h"

struct fr_panel_series {
    size_t column;
    const char *name; /* what tells it from the others of its panel */
    size_t index;     /* for its looks: the same name has the same in all panels */
};

struct fr_panel_row {
    const struct fr_row *row;
    size_t number;     /* of the row in the table, without those that are summaries */
    size_t column;     /* of a facet: where its figure stands; else not used */
    size_t look;       /* of a facet: of its bar */
    const char *label; /* the key columns */
    const char *group; /* set where a group begins, else NULL */
};

struct fr_panel {
    const char *title; /* what the columns have in common */
    const char *unit;  /* of the axis, "" for none */
    enum fr_better better;
    double scale; /* shown = value / scale */
    struct fr_panel_series *series;
    size_t series_n;
    struct fr_panel_row *rows;
    size_t rows_n;
    bool own_units; /* times on a log axis, whose ticks carry units: so do the figures */
    bool relative;  /* figures are ratios, shown as change: 100 * (ratio - 1) */
    bool facet;     /* one row of the table: its columns are the bars, each in its own colour */
    struct fr_base bases[FR_BASES_MAX];
    size_t bases_n;
    double axis_max, axis_least; /* shown unit: greatest and least that the axis is to show; 0: its own figures say */
    bool directions;             /* its series are directions: a test of one has no place for the others */
    bool by_op; /* there is a panel for each direction: rows without a figure here are not among its rows */
};

struct fr_panels {
    const struct fr_table *table;
    struct fr_panel *panels;
    size_t panels_n;
    bool rescaled;      /* as asked of fr_panels_make */
    bool shared;        /* all panels have the same rows */
    const char **names; /* of series */
    size_t *looks;      /* of each name */
    size_t names_n;
    const char *common;    /* of facets: what was left out of the names of all bars, or NULL */
    const char **left_out; /* of facets: what was left out of titles: "IOzone: File Size: 4GB" */
    size_t left_out_n;
};

/*
 * Made in the arena. Panels without any figure are left out. `role`: FR_COL_VALUE or FR_COL_RATIO. `rescale`: columns
 * of one metric in different units (ms and µs) share a panel, in the larger one; else each unit has its panel.
 */
void fr_panels_make(struct fr_panels *out, const struct fr_table *table, enum fr_column_role role, bool rescale,
                    struct fr_arena *arena);
/* The same, but where several columns share a panel there is a panel for each row, with the columns as its bars. */
void fr_panels_facets(struct fr_panels *out, const struct fr_table *table, struct fr_arena *arena);

/* The baselines of one column, in units of `scale`: how many. */
size_t fr_column_bases(const struct fr_table *table, size_t column, double scale, struct fr_base out[FR_BASES_MAX],
                       struct fr_arena *arena);

/* What the picture's title ends with is not said again by its panels, if all say it: "lvm: MB/s" is "MB/s" below "lvm".
 */
void fr_panels_title_once(struct fr_panels *panels, const char *title);

/* The cell behind a bar: row `r` of the panel. */
const struct fr_cell *fr_panel_cell(const struct fr_panel *panel, size_t series, size_t r);
/* The figure in shown units, or NaN when absent. */
double fr_panel_value(const struct fr_panel *panel, size_t series, size_t r);
/*
 * Which series have a bar in row `r`, into `out` (series_n of them): how many. All, but for directions those that the
 * row has; the first, for a dash, where it has none.
 */
size_t fr_panel_bars(const struct fr_panel *panel, size_t r, size_t *out);
/* The index of its looks. */
size_t fr_panel_index(const struct fr_panel *panel, size_t series, size_t r);
/* The figure as a label: three significant digits, whole digits never cut; one far below the axis' unit gets its own.
 */
const char *fr_panel_label(const struct fr_panels *panels, const struct fr_panel *panel, size_t series, size_t r,
                           struct fr_arena *arena);
/* The row's key columns in one text, all but column `without` (-1: all): "lvm · iodepth 4". In the arena. */
const char *fr_row_label(const struct fr_table *table, const struct fr_row *row, int without, struct fr_arena *arena);
/* The text of a row's first column of that name (`unit`), or NULL. */
const char *fr_row_text(const struct fr_table *table, const struct fr_row *row, const char *name);

#endif
