/*
 * xlsx.h: a workbook of tables: what the parts xlsx*.c share.
 *
 * A sheet has a head, frozen, and below it one row a row: figures as numbers in the unit of the head with the decimals
 * that dialects show, a ratio as a percentage, texts never as formulas or links. An absent figure is an empty cell.
 * Columns for runs and spread stand beside figures that have them; notes are the last column. The role "summary" has a
 * title above and native charts below; "data" is an Excel table with filter.
 */
#ifndef FR_XLSX_H
#define FR_XLSX_H

#include <xlsxwriter.h>

#include "render.h"

#define FR_XLSX_ROWS    1048576u
#define FR_XLSX_COLUMNS 16384u
#define FR_XLSX_UNITS   16u     /* with number formats of their own; figures of more units show none but in the head */
#define FR_XLSX_TEXT    32767u  /* UTF-16 units in a cell */
#define FR_XLSX_BIG     200000u /* cells of a workbook from which on it is written with constant memory */

#define FR_XLSX_DECIMALS 18       /* most that are shown */
#define FR_XLSX_FAILED   0xFBE3D0 /* behind figures of failed runs */

/* What a column of the sheet shows of a column of the table. */
enum fr_xlsx_part { FR_XLSX_GROUP, FR_XLSX_CELL, FR_XLSX_RUNS, FR_XLSX_LOW, FR_XLSX_HIGH, FR_XLSX_NOTE };

struct fr_xlsx_column {
    enum fr_xlsx_part part;
    size_t column; /* of the table */
    char *head;
    bool right;   /* its head is set flush right, as figures are */
    double width; /* characters */
};

/* Of figures with one number format. */
struct fr_xlsx_formats {
    lxw_format *plain, *best, *failed;
};

struct fr_xlsx {
    lxw_workbook *workbook;
    bool constant_memory;
    lxw_row_t rows_max; /* of a sheet, head included */
    lxw_format *title, *subtitle, *head, *head_right, *group_head, *id, *bold, *failed_text, *muted;
    /* As needed: by unit, of figures and ratios, by decimals from -1. units[0] is none. */
    struct fr_xlsx_formats formats[FR_XLSX_UNITS][2][FR_XLSX_DECIMALS + 2];
    const char *units[FR_XLSX_UNITS];
    size_t units_n;
    struct fr_arena arena;
    char **names; /* of the sheets so far */
    size_t names_n, names_alloc;
    bool cut; /* a text was too long for a cell */
    struct fr_log *log;
};

/* Where a table came to stand on a sheet. */
struct fr_xlsx_place {
    lxw_worksheet *sheet;
    const char *name;
    lxw_row_t head, first, last; /* rows; last < first: none */
    struct fr_xlsx_column *columns;
    size_t columns_n;
};

/* As fr_xlsx_write, with sheets of at most `rows_max` rows. */
int fr_xlsx_write_split(const struct fr_sheet *sheets, size_t n, const char *path, bool force, unsigned rows_max,
                        struct fr_log *log);

/* One table, on as many sheets as it needs. -1 with a message. */
int fr_xlsx_sheet(struct fr_xlsx *xlsx, const struct fr_sheet *sheet);
/* A sheet's name as Excel takes it: legal characters, at most 31, not there yet. In the arena. */
const char *fr_xlsx_name(struct fr_xlsx *xlsx, const char *name);
/* A text as a cell takes it: without control characters, UTF-8, not too long. In the arena. */
const char *fr_xlsx_text(struct fr_xlsx *xlsx, const char *text);
/* A native chart for each metric of the table, beside it. */
void fr_xlsx_charts(struct fr_xlsx *xlsx, const struct fr_xlsx_place *place, const struct fr_table *table);

#endif
