/*
 * fioreport.h: the public interface of libfioreport, complete.
 *
 * Storage benchmark results (fio, CrystalDiskMark, dd, Phoronix Test Suite, published tables) go into one SQLite file
 * (fr_ingest), are selected (struct fr_query) into tables, and tables are written as text, pictures and spreadsheets.
 *
 * Conventions. Functions that can fail return -1 or NULL and have then told the reason through the log: the library
 * never prints. It keeps no globals; different objects may be used in different threads. A pointer in a `**out` or
 * returned by `_open`/`_new` is yours to free with the function named beside it; a `const *` is lent. Values are in
 * base units: seconds, bytes, bytes per second, operations per second, ratios 0..1.
 */
#ifndef FIOREPORT_H
#define FIOREPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define FR_VERSION "0.1.0"

/* The versions of the libraries behind it, for --version: "sqlite 3.40.1, json-c 0.16, ...". Static. */
const char *fr_library_versions(void);

/* ---- messages ---------------------------------------------------------------------------------------------------- */

enum fr_level { FR_ERROR, FR_WARNING, FR_NOTE, FR_EXPLAIN, FR_LEVEL_COUNT };

struct fr_message {
    enum fr_level level;
    const char *file; /* NULL: not about a file */
    unsigned line;    /* 0: the file as a whole */
    const char *text; /* one sentence; may hold characters of the input: escape before a terminal sees it */
    const char *kind; /* static, the same pointer for messages that differ only in what they are about; or NULL */
};

/* Where messages go. `say` may be NULL: then they are only counted. */
struct fr_log {
    void (*say)(void *ctx, const struct fr_message *message);
    void *ctx;
    bool unexplained; /* no FR_EXPLAIN messages are wanted: they are not made */
    unsigned long count[FR_LEVEL_COUNT];
};

struct fr_table;

/* ---- facts ------------------------------------------------------------------------------------------------------- */

enum fr_better { FR_BETTER_DEFAULT, FR_HIGHER, FR_LOWER, FR_NEITHER };

/* The list of metrics: i from 0; NULL past the end. *name, *unit (of the base), *title, *help, static. */
struct fr_metric_info {
    const char *name, *unit, *title, *help;
    enum fr_better better;
};
bool fr_metric_info(size_t i, struct fr_metric_info *out);

/* The list of input formats, likewise. */
struct fr_format_info {
    const char *name, *tool, *title, *versions;
};
bool fr_format_info(size_t i, struct fr_format_info *out);

/* Both as tables, one fact a row. Free with fr_table_free. */
struct fr_table *fr_metrics_table(void);
struct fr_table *fr_formats_table(void);

/*
 * The word of a list that is nearest to `word` (fewest insertions, deletions, changes, swaps of neighbours, at most a
 * third of its length; or it begins so), or NULL. `list` is called with 0, 1, ... until it gives NULL.
 */
const char *fr_nearest(const char *word, const char *(*list)(const void *ctx, size_t i), const void *ctx);

/* ---- database ---------------------------------------------------------------------------------------------------- */

struct fr_store;

enum fr_store_mode {
    FR_STORE_READ,  /* must exist; never written */
    FR_STORE_WRITE, /* made when missing, migrated when older */
    FR_STORE_MEMORY /* path is not used: gone with fr_store_close */
};

struct fr_store *fr_store_open(const char *path, enum fr_store_mode mode, struct fr_log *log);
void fr_store_close(struct fr_store *store);
/* Could it not be read or written, some time since it was opened? What failed then was not for a wrong question. */
bool fr_store_failed(const struct fr_store *store);

/* ---- ingest ------------------------------------------------------------------------------------------------------ */

struct fr_ingest_options {
    const char *label;        /* for all runs, or NULL */
    const char *name_pattern; /* 'output.{label}.fio.txt', or NULL */
    const char *const *tags;  /* "key=value" */
    size_t tags_n;
    const char *format; /* only the parser of this name, or NULL */
    const char *join;   /* id of the run that logs belong to, or NULL: found by name, folder, order */
    bool recursive, force, replace, dry_run;
    bool explain; /* FR_EXPLAIN messages are made, and no note is held back that was given a few times */
    /* Called now and then, may be NULL: sources done, sources known so far, bytes done. Not 0: stop after this source.
     */
    int (*progress)(void *ctx, size_t done, size_t total, unsigned long long bytes);
    void *progress_ctx;
};

struct fr_ingest_counts {
    size_t files, runs, tests, values; /* of sources that went in */
    size_t known;                      /* sources skipped: the same content is in the database */
    size_t failed;                     /* sources of which something could not be read */
    bool stopped;
};

/*
 * Read all these files, folders (with recursive), archives, and "-". For dry_run the store may be open for reading
 * alone, or NULL where there is none yet. 0: all in; 3: some or all could not be read (the rest is in); 4: the database
 * could not be written; -1: an option is wrong.
 */
int fr_ingest(struct fr_store *store, const char *const *paths, size_t n, const struct fr_ingest_options *options,
              struct fr_ingest_counts *counts, struct fr_log *log);

/* ---- changing what is there -------------------------------------------------------------------------------------- */

/*
 * `selector` is a run id (`7`), ids and ranges (`3,5-8`), or a label, or a source's name. 0 and *changed = how many
 * runs; -1 when nothing matches or the database cannot be written.
 */
int fr_store_remove(struct fr_store *store, const char *selector, size_t *changed, struct fr_log *log);
struct fr_changes {
    const char *label, *title; /* NULL: leave */
    const char *const *tags;   /* "key=value"; "key=" removes it */
    size_t tags_n;
};
int fr_store_change(struct fr_store *store, const char *selector, const struct fr_changes *changes, size_t *changed,
                    struct fr_log *log);

/* ---- selecting --------------------------------------------------------------------------------------------------- */

enum fr_unit_choice { FR_UNIT_AUTO, FR_UNIT_IEC, FR_UNIT_SI };

/* One selection for every renderer. All zero is the sensible default: what a person wants from these runs. */
struct fr_query {
    const char *metrics;      /* "write.iops,write.bw,write.clat:p99" or NULL */
    const char *const *where; /* "backend=zfs", "op!=read", "iodepth>=8", "label~zfs.*": all must hold */
    size_t where_n;
    const char *rows, *cols; /* dimensions: label, test, op, source, run, any param; comma separated; NULL: default */
    const char *group;       /* dimensions that stand as headings over groups of rows; NULL: no headings */
    const char *sort;        /* "write.iops", "-write.iops", "label"; NULL: as ingested */
    const char *baseline;    /* label (or row) to compare with */
    const char *const *baseline_values; /* "write.iops=36000" */
    size_t baseline_values_n;
    enum fr_unit_choice units;
    int digits;          /* significant digits; 0: chosen */
    bool geomean;        /* a last row with the geometric mean of the ratios */
    const char *x;       /* scaling, heatmap: the parameter on the x axis; heatmap: "time" */
    bool x_across;       /* x names columns, which are the x axis of a heat map; else rows */
    size_t points;       /* of a series: windows at most, a picture's columns; 0: some 700 */
    const char *title;   /* NULL: made from the data */
    const char *command; /* the command line, for provenance in what is written; may be NULL */
};

/* What kind of table a renderer needs. */
enum fr_shape {
    FR_SHAPE_PIVOT, /* rows and columns of single figures: tables, bars, relative, facets, latency-iops, scaling */
    FR_SHAPE_PERCENTILES, /* series, percentile, value */
    FR_SHAPE_BINS,        /* series, lower, upper, count */
    FR_SHAPE_SERIES,      /* series, t, n; median, p1, p99, min, max, mean of the samples from t on */
    FR_SHAPE_TIME         /* series, t, t end, lower, upper, count: latencies by time */
};

/* NULL with a message when nothing matches or the selection is wrong. Free with fr_table_free. */
struct fr_table *fr_query_table(struct fr_store *store, const struct fr_query *query, enum fr_shape shape,
                                struct fr_log *log);
/*
 * The shape for this kind of chart (NULL: the first) of this selection: a heat map is of latency by time where
 * query->x is "time", or where only a latency that has a log is asked for, without --rows and --cols.
 */
enum fr_shape fr_query_shape(struct fr_store *store, const struct fr_query *query, const char *kind);
/* One row a run: id, label, tool, version, tests, started, source. */
struct fr_table *fr_query_runs(struct fr_store *store, const struct fr_query *query, struct fr_log *log);
/* Everything known of the runs that `selector` names, one value a row. */
struct fr_table *fr_query_show(struct fr_store *store, const char *selector, struct fr_log *log);
/* What a read-only SELECT gives. Anything that would write is refused. */
struct fr_table *fr_query_sql(struct fr_store *store, const char *sql, struct fr_log *log);
size_t fr_table_rows(const struct fr_table *table);
void fr_table_free(struct fr_table *table);

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* The list of table dialects (`md`, `csv` ...) and of chart kinds (`bars` ...), i from 0; NULL past the end; *help
 * static. */
const char *fr_dialect_name(size_t i, const char **help);
const char *fr_chart_kind_name(size_t i, const char **help, enum fr_shape *shape);

/* Write the table as text. -1 when the dialect is unknown or `out` fails. */
int fr_table_write(const struct fr_table *table, const char *dialect, FILE *out, struct fr_log *log);

struct fr_chart_options {
    const char *kind;  /* NULL: bars */
    const char *theme; /* light, dark, print; NULL: light */
    int width, height; /* CSS pixels; 0: chosen */
    double scale;      /* pixels per CSS pixel of a PNG; 0: 2 */
    bool log_axis;
    const char *axes; /* of panels of one metric: "shared", "free", or NULL, "auto": shared unless far apart */
    const char *title, *subtitle; /* NULL: the table's */
    bool force;                   /* overwrite a file that fioreport did not write */
};
/*
 * Write a picture; the file's ending (.png .svg .pdf) says which. Written beside and renamed, so never half. -1: it
 * could not be written; -2: this table cannot be drawn so, or an option is wrong.
 */
int fr_chart_write(const struct fr_table *table, const struct fr_chart_options *options, const char *path,
                   struct fr_log *log);

/* A workbook: one sheet a table. */
struct fr_sheet {
    const char *name; /* at most 31 characters */
    const char
        *role; /* "summary" (pivot: ratios coloured, native charts), "data" (an Excel table with filter), "info" */
    struct fr_table *table; /* yours to free */
};
/* The sheets that show this selection: Summary, Results, Latency, Series, Runs. *sheets is to be freed with
 * fr_sheets_free. */
int fr_query_sheets(struct fr_store *store, const struct fr_query *query, struct fr_sheet **sheets, size_t *n,
                    struct fr_log *log);
void fr_sheets_free(struct fr_sheet *sheets, size_t n);
/* Written beside and renamed, so never half. */
int fr_xlsx_write(const struct fr_sheet *sheets, size_t n, const char *path, bool force, struct fr_log *log);

#endif
