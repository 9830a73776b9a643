/*
 * tables.h: tables that people publish (private to parsers/tables*.c).
 *
 * tables_grid.c, tables_markup.c and tables_html.c find cells in a document, tables_cell.c reads figures in them,
 * tables_caption.c the unit that is said once for a whole table, and columns that hold units; tables_legend.c knows
 * what the commands beside it say, tables_names.c what its names say together (one by one: words.h), tables.c makes
 * runs of a grid whose cells have units, tables_own.c of one that fioreport wrote, tables_summary.c of kbench's
 * summaries.
 */
#ifndef FR_TABLES_H
#define FR_TABLES_H

#include "parser.h"
#include "words.h"

#define FR_TABLES_COLS 64      /* cells of a row; a wider line is no row, which is reported */
#define FR_TABLES_ROWS 1000000 /* rows of a table; what is beyond is reported */

/* Cells of consecutive lines; the first row is the head. Texts are lent by the document. */
struct fr_grid {
    struct fr_str *cells; /* rows * cols; absent ones are empty */
    size_t *lines;        /* index into the document, of each row */
    size_t *at;           /* of each cell, where a row takes several lines; else NULL */
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

/*
 * A table of other markup that begins in line i: AsciiDoc, MediaWiki, reStructuredText, LaTeX; likewise. *looked grows
 * by the lines that were looked through in vain.
 */
bool fr_markup_grid_find(const struct fr_doc *doc, size_t i, struct fr_arena *arena, struct fr_grid *out,
                         size_t *looked);

/* How far a document was looked through for HTML: a byte of its whole text, the number of the line there, a line. */
struct fr_html_place {
    size_t at;
    uint32_t no;
    size_t line;
};

/* The next table of HTML from there on that has a head and a row of two cells and more; false when there is none. */
bool fr_html_grid_find(const struct fr_doc *doc, struct fr_html_place *place, struct fr_arena *arena,
                       struct fr_grid *out);

static inline struct fr_str fr_grid_cell(const struct fr_grid *g, size_t row, size_t col)
{
    return g->cells[row * g->cols + col];
}

/* A head or a row's name without what it says of which figures are better: `MB/s (higher is better)`. */
struct fr_str fr_tables_name(struct fr_str s, struct fr_arena *arena);
static inline size_t fr_grid_line(const struct fr_grid *g, size_t row, size_t col)
{
    return g->at ? g->at[row * g->cols + col] : g->lines[row];
}

/* Take emphasis, code marks and marks of footnotes out of all cells. */
void fr_tables_undress(struct fr_grid *g, struct fr_arena *arena);

/*
 * A figure as people write it. A share in percent is of another number of the table: neither taken nor missed, as if
 * the cell were empty. A number without a unit has FR_DIM_NONE, and a factor above 1 where it says `k` or `M`.
 */
struct fr_quantity {
    double value;
    struct fr_unit unit;
};

/* ODD: speaks of a rate, and is no figure that can be read: `~9k IOPS`, `400-450 MB/s`. */
enum fr_cell { FR_CELL_EMPTY, FR_CELL_VALUE, FR_CELL_NUMBER, FR_CELL_TEXT, FR_CELL_ODD };

/*
 * `97.7 MB/s`, `12.3k IOPS`, `500 ± 5 MB/s`; `436KiB/s (446kB/s)`: the first counts; `500 MB/s / 125k IOPS`: the second
 * as well, in q[1], whose factor is 0 where there is none.
 */
enum fr_cell fr_tables_cell(struct fr_str s, bool decimal_comma, struct fr_quantity q[2]);
/* A unit, also one of those that only tables have: `Mbps`, `k IOPS`. */
bool fr_tables_unit(struct fr_str text, struct fr_unit *out);
/* Does any number of the table show a comma as its decimal mark? */
bool fr_tables_decimal_comma(const struct fr_grid *g);
/* Is there a unit of a rate in the line? *behind_number: right behind a number, so that the line is no head. */
bool fr_tables_mention_rate(struct fr_str s, bool *behind_number);

static inline bool fr_is_rate(enum fr_dim dim)
{
    return dim == FR_DIM_BYTES_PER_S || dim == FR_DIM_OPS;
}

enum fr_own { FR_OWN_NO, FR_OWN_LEFT, FR_OWN_READ };

/*
 * Is this a table that fioreport wrote: heads of its own making, and below it the line that says where it came from?
 * Read when the document insists, else left: it shows again what was read elsewhere.
 */
enum fr_own fr_tables_own(struct fr_doc *doc, const struct fr_grid *g, struct fr_batch *batch, unsigned owner);

/* The summary that kbench writes, if one begins in line i: into `batch`. The line to go on with; i: none. */
size_t fr_summary_read(struct fr_doc *doc, size_t i, unsigned owner, struct fr_batch *batch, struct fr_log *log);

/* A head or a row name: its text without the unit, the unit, what it says of the workload. */
struct fr_name {
    struct fr_str text;
    struct fr_str own; /* of a row: its first cell alone */
    bool has_unit;
    struct fr_unit unit;
    struct fr_words words;
};

enum fr_layout {
    LABELS_ACROSS, /* heads are labels, rows are tests: the usual one */
    LABELS_DOWN,   /* row names are labels, heads are tests */
    NO_LABELS,     /* both say what was done: one run */
    METRICS_ACROSS /* heads are metrics, rows are tests: one run */
};

/* What the key columns of a row say, where rows begin with a label. */
struct fr_row_key {
    struct fr_str text;
    struct fr_words words;
    size_t first; /* the first row with this label */
    int nth;      /* place among the rows with this label */
};

/* What the names of a table say: of its heads, and of what stands before the figures of a row. */
struct fr_names {
    const struct fr_grid *g; /* columns may change places */
    struct fr_arena *arena;  /* of this table alone */
    bool insist;
    bool quantities;               /* heads name quantities: columns differ in their units */
    bool valued[FR_TABLES_COLS];   /* the columns of values; others are remarks */
    bool key[FR_TABLES_COLS];      /* columns that say what was done: `randread`, a queue depth */
    struct fr_name *heads, *rows;  /* cols, rows of them; [0] is the corner */
    size_t label[FR_TABLES_COLS];  /* labels across: the first column that has this one's label; the column itself */
    enum fr_op op[FR_TABLES_COLS]; /* and the direction that its head says beside it: `ext4 read`, `ext4 write` */
    struct fr_words caption;       /* of the line that says the unit of all figures */
    enum fr_layout layout;
    struct fr_row_key *keys;            /* where there are key columns and labels down: by row; else NULL */
    int slots[FR_TABLES_COLS], slots_n; /* then: which test of a row a column is of */
};

/* `Block size`, `IO size (KiB)`: a column that says what was done, though its cells be quantities. */
bool fr_names_block(const struct fr_name *head);
/* Texts and units of heads and rows. g, arena and insist are set. */
void fr_names_init(struct fr_names *names);
/* All else, once it is certain that this is a table, and `valued` is known. */
void fr_names_understand(struct fr_names *names);

/* Put the units of a column `Unit` behind the figures of their rows. */
void fr_tables_unit_column(struct fr_grid *g, bool insist, struct fr_arena *arena);

/*
 * Give heads without a unit, over bare numbers, the one that the corner or the line above the table says for all, where
 * it is insisted on. Returns how many columns it is for; 0: there is none, or it does not fit.
 */
size_t fr_tables_caption(struct fr_names *names, const struct fr_doc *doc, bool decimal_comma);

/*
 * Params of the command that a legend gives to this name (`4k write: dd if=... bs=4k`), nearest above line `above`,
 * else right below line `below`; or, for a table of fio, of the one fio command line above with this rw and bs.
 * Sets params on the test and fills `words`.
 */
void fr_legend_apply(const struct fr_doc *doc, size_t above, size_t below, struct fr_str name, bool of_fio,
                     struct fr_batch *batch, struct fr_run *run, struct fr_test *test, struct fr_words *words);

#endif
