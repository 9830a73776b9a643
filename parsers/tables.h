/*
 * tables.h: tables that people publish (private to parsers/tables*.c).
 *
 * tables_grid.c finds cells in a document, tables_words.c knows what names and commands say of a workload, tables.c
 * makes runs of a grid whose cells have units, tables_own.c of one that fioreport wrote.
 */
#ifndef FR_TABLES_H
#define FR_TABLES_H

#include "parser.h"

#define FR_TABLES_COLS 64      /* cells of a row; a wider line is no row */
#define FR_TABLES_ROWS 1000000 /* rows of a table; what is beyond is reported */

/* Cells of consecutive lines; the first row is the head. Texts are lent by the document. */
struct fr_grid {
    struct fr_str *cells; /* rows * cols; absent ones are empty */
    size_t *lines;        /* index into the document, of each row */
    size_t rows, cols;
    size_t first, last; /* lines of all of it, rules too */
    bool marked;        /* Markdown, or a rule under the head: the first row is a head for sure */
    bool aligned;       /* columns by blanks alone: the weakest evidence */
};

/*
 * The table that begins in line i: separated by tabs, by '|', by commas or semicolons, or by two blanks and more.
 * Needs a head and a row of two cells and more. Into `arena`. False when none begins there.
 */
bool fr_grid_find(const struct fr_doc *doc, size_t i, struct fr_arena *arena, struct fr_grid *out);

static inline struct fr_str fr_grid_cell(const struct fr_grid *g, size_t row, size_t col)
{
    return g->cells[row * g->cols + col];
}

enum fr_own { FR_OWN_NO, FR_OWN_LEFT, FR_OWN_READ };

/*
 * Is this a table that fioreport wrote: heads of its own making, and below it the line that says where it came from?
 * Read when the document insists, else left: it shows again what was read elsewhere.
 */
enum fr_own fr_tables_own(struct fr_doc *doc, const struct fr_grid *g, struct fr_batch *batch, unsigned owner);

/* What a name or a command says of the workload. */
struct fr_words {
    enum fr_op op;
    bool random, sequential;
    double bs; /* bytes; 0: not said */
    unsigned iodepth, numjobs;
    const char *stat; /* `max`, `p99`; NULL: not said */
    bool latency;     /* names a latency */
    bool workload;    /* all words are of workloads, metrics and units: this is no label */
    bool metric;      /* all words are of metrics and units: `IOPS`, `latency` */
};

/* Read a name: `4k rand-write`, `SEQ1M Q8T1`, `Random Read 4 KiB`, `write IOPS`. */
void fr_words_read(struct fr_str name, struct fr_words *out);
/* `write IOPS` -> `write`: without the metric and unit words at its end; empty when it has no others. */
struct fr_str fr_words_base(struct fr_str name);
/* Fill what `into` lacks from `from`. */
void fr_words_add(struct fr_words *into, const struct fr_words *from);

/*
 * Params of the command that a legend gives to this name (`4k write: dd if=... bs=4k`), nearest above line `above`,
 * else right below line `below`; or, for a table of fio, of the one fio command line above with this rw and bs.
 * Sets params on the test and fills `words`.
 */
void fr_legend_apply(const struct fr_doc *doc, size_t above, size_t below, struct fr_str name, bool of_fio,
                     struct fr_batch *batch, struct fr_run *run, struct fr_test *test, struct fr_words *words);

#endif
