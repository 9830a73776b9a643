/*
 * table.h: what is shown: the narrow waist between the query and the renderers.
 *
 * Every cell keeps its value in the base unit; a column says how it is shown: value / scale, with `digits` decimals and
 * the unit in the head. So all renderers show the same figures, and a spreadsheet can hold the full one.
 */
#ifndef FR_TABLE_H
#define FR_TABLE_H

#include "arena.h"
#include "fioreport.h"
#include "metrics.h"

enum fr_cell_kind { FR_CELL_ABSENT, FR_CELL_TEXT, FR_CELL_NUMBER };

enum fr_cell_flags {
    FR_CELL_BEST = 1,   /* the best of its column (by the metric's direction) */
    FR_CELL_FAILED = 2, /* from a run with an error, or cut short */
    FR_CELL_PARTIAL = 4 /* a last interval that is shorter than the others: never draw a spike from it */
};

struct fr_cell {
    enum fr_cell_kind kind : 8;
    unsigned decimals : 8; /* one more than it is shown with; 0: as its column says */
    unsigned flags;
    const char *text; /* of a text; lent by the table */
    double value;     /* of a number, base unit */
    double lo, hi;    /* spread of repeats (order-statistic interval, else min and max); lo > hi: none */
    unsigned n;       /* runs behind it; 0 or 1: one */
    unsigned note;    /* footnote number, from 1; 0: none */
};

enum fr_column_role {
    FR_COL_KEY,   /* names the row */
    FR_COL_VALUE, /* a figure */
    FR_COL_RATIO, /* a figure in relation to the baseline, 1 = equal */
    FR_COL_X,     /* the x of a curve: percentile, t, lower */
    FR_COL_X_END, /* upper end of a bin */
    FR_COL_INFO   /* other text or count */
};

struct fr_column {
    const char *name;  /* head, without the unit */
    const char *group; /* heading above neighbours of the same group, or NULL */
    enum fr_column_role role;
    const char *unit; /* as shown, "" when there is none */
    double scale;     /* shown = value / scale; 1 by default */
    int digits;       /* decimals shown; -1: as many as the number has (%.15g) */
    int significant;  /* a figure too small for these decimals gets more, for so many digits; 0: it does not */
    enum fr_dim dim;
    enum fr_better better;
    const char *metric, *op, *stat; /* what it shows, or NULL */
    const char *baseline;           /* of a ratio: what it is relative to */
    double baseline_value;          /* base unit; NaN: none */
    const char *interval;           /* what lo and hi are: one of FR_INTERVAL_*; NULL: FR_INTERVAL_RANGE */
};
#define FR_INTERVAL_RANGE  "lowest and highest"
#define FR_INTERVAL_MEDIAN "the 95 % interval of the median"
#define FR_INTERVAL_BOTH   FR_INTERVAL_MEDIAN ", " FR_INTERVAL_RANGE " where n is below 6"

struct fr_row {
    struct fr_row *next;
    const char *group; /* heading above rows of the same group, or NULL */
    unsigned flags;    /* enum fr_cell_flags */
    bool summary;      /* the geometric mean row */
    struct fr_cell *cells;
};

/* A stretch of a series' time that the run itself names: its steady state window. */
struct fr_span {
    const char *series;
    double from, to; /* seconds */
    const char *label;
};

struct fr_table {
    struct fr_arena arena;
    const char *title;    /* may be NULL */
    const char *subtitle; /* what was run: "randrw 4k, iodepth 1, libaio, direct"; may be NULL */
    const char *source;   /* where from: "fio 3.19, 2022-08-13"; may be NULL */
    const char *command;  /* what made it; may be NULL */
    struct fr_column *columns;
    size_t columns_n, columns_alloc;
    const char *groups; /* what the groups of rows are: "bs"; NULL: not said */
    struct fr_row *head, *tail;
    size_t rows_n;
    const char **notes; /* footnotes, 1 is notes[0] */
    size_t notes_n, notes_alloc;
    struct fr_span *spans; /* of tables of series */
    size_t spans_n, spans_alloc;
    const char *
        *labels; /* all that there are, shown or not, where they are few: a label keeps its colour by its place */
    size_t labels_n;
};
#define FR_TABLE_LABELS 64

struct fr_table *fr_table_new(void);
/* A column at the end (all columns before the first row). Lent until the next one is added. `name` is copied. */
struct fr_column *fr_table_column(struct fr_table *table, const char *name, enum fr_column_role role);
/* What lo and hi are in this column and in others, of which it was `so_far` (NULL: of none). */
const char *fr_column_interval(const struct fr_column *column, const char *so_far);
/* A row at the end, all cells absent. */
struct fr_row *fr_table_row(struct fr_table *table);
/* Put the last row after `before` instead. */
void fr_table_move_last(struct fr_table *table, struct fr_row *before);
void fr_table_text(struct fr_table *table, struct fr_row *row, size_t column, const char *text);
void fr_table_number(struct fr_table *table, struct fr_row *row, size_t column, double value);
/* The footnote's number; the same text gives the same number. */
unsigned fr_table_note(struct fr_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Add a span; one that is there already is not added again. */
void fr_table_span(struct fr_table *table, const char *series, double from, double to, const char *label);

/*
 * For a walk over a big table: give the memory of rows back to the kernel (arena.h, fr_arena_cool). What the table
 * holds stays as it is, and so do pointers into it. Call it every FR_TABLE_WALK rows.
 */
void fr_table_cool(const struct fr_table *table);
#define FR_TABLE_WALK 4096

/*
 * Choose unit, scale and decimals of every number column: one per column, so many decimals that the smallest figure
 * keeps `significant` digits (0: three), at most two digits more for the largest, and none that no figure of three or
 * more digits before the point has: 342 beside 0.33 is not 342.00. A figure that these leave fewer digits gets decimals
 * of its own, if it has them; so what is not 0 is never shown as 0. All columns of one metric, or of one
 * dimension in a group, share the unit.
 */
void fr_table_fit(struct fr_table *table, enum fr_unit_choice units, int significant);
/*
 * The largest unit in which the smallest figure is still a whole one, so that 3.3 ms beside 17 s is not "0.0033"; of
 * figures a thousand times apart the one that is between them, as the small ones get decimals of their own: 492.52 MB/s
 * beside 0.183. But no figure of five digits before the point where in the next unit the smallest is still a tenth
 * (282.98 MB/s beside 0.527), and none of more than six. As fr_unit_choose.
 */
const char *fr_table_unit(enum fr_dim dim, double min, double max, enum fr_unit_system system, double *scale);
/* The same for the decimals of the figures of one row, which are in a unit of its own. */
void fr_table_fit_row(struct fr_table *table, struct fr_row *row, int significant);
/* Decimals that a number is shown with; -1: as many as it has (%.15g). */
int fr_cell_decimals(const struct fr_column *column, const struct fr_cell *cell);
/* The cell as shown, without unit; "–" when absent. `out` holds 64 characters; a text is lent as it is. */
const char *fr_cell_format(const struct fr_column *column, const struct fr_cell *cell, char out[64]);

#endif
