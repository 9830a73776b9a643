/*
 * query.h: inside the query: what its files share. Nothing outside query*.c includes it.
 *
 *   query_load.c    the store's rows in memory: runs, tests, params, values
 *   query_dims.c    dimensions of a value (label, test, op, any param) and conditions on them (--where)
 *   query_metric.c  `[op.]metric[:stat]`
 *   query_plan.c    which metrics, rows and columns: as asked, else what fits these runs
 *   query_pivot.c   values into rows and columns; repeats into medians; failed runs marked
 *   query_cells.c   one cell: the median of repeats, the sum of jobs side by side
 *   query_merge.c   percentiles of several jobs, from their bins
 *   query_finish.c  sorting, ratios, marks; title, subtitle, source
 *   query_curves.c  percentiles, bins
 *   query_series.c  logs over time
 *   query_runs.c    list and show
 *   query_sheets.c  the sheets of a workbook
 *
 * Everything lives in the arena of one struct fr_q; strings in it are shared, so equal strings are equal pointers where
 * they come from fr_q_word().
 */
#ifndef FR_QUERY_H
#define FR_QUERY_H

#include "hist.h"
#include "log.h"
#include "store.h"

struct fr_q_param {
    struct fr_q_param *next;
    const char *key, *value;
    enum fr_origin origin;
};

struct fr_q_run {
    long long id;
    int no, tests;
    const char *id_text;    /* the id in digits */
    const char *table_text; /* of a published table: "On the host", "dd, line 95", "line 95"; else NULL */
    const char *source, *tool, *version, *label, *host, *started, *command, *title, *sha256, *parser;
    bool cut_short;
    unsigned line;
    struct fr_q_param *params; /* of the whole run */
};

struct fr_q_test {
    struct fr_q_run *run;
    int no, job;                         /* job: 1, 2, ... among the run's tests of this name */
    const char *job_text, *name, *error; /* error: text, or NULL */
    int err;                             /* errno, 0: none */
    bool used;                           /* fulfils the conditions */
    struct fr_q_param *params;
};

struct fr_q_value {
    struct fr_q_test *test;
    enum fr_op op;
    enum fr_metric_id metric;
    const char *stat, *unit;
    double value;
    enum fr_better better;
    unsigned line;
};

/* The exact bins of the jobs of a run, added up: kept for the next percentile of the same jobs. */
struct fr_q_merged {
    const struct fr_q_test *first;
    size_t jobs;
    enum fr_op op;
    enum fr_metric_id metric;
    struct fr_bins bins; /* none: not all jobs have some */
};
#define FR_Q_MERGED_MAX 4 /* directions that stand beside each other */

struct fr_q {
    struct fr_store *store;
    const struct fr_query *query;
    struct fr_log *log;
    struct fr_arena arena;
    struct fr_q_run *runs;
    size_t runs_n, runs_alloc;
    struct fr_q_test *tests;
    size_t tests_n, tests_alloc;
    struct fr_q_value *values;
    size_t values_n, values_alloc;
    const char **words; /* open addressing */
    size_t words_n, words_alloc;
    const char **keys; /* of all params, each once */
    size_t keys_n, keys_alloc;
    const char **own; /* of those that the user set: --tag, --name-pattern, fioreport tag */
    size_t own_n, own_alloc;
    struct fr_q_merged merged[FR_Q_MERGED_MAX];
    size_t merged_next;
};

/* ---- query_load.c ---- */

/* Runs, tests and params. -1 with a message, also where there are no runs. Release it after, also on failure. */
int fr_q_load(struct fr_q *q, struct fr_store *store, const struct fr_query *query, struct fr_log *log);
/* Values of these metrics (bit i: metric i) of a run, 0: of all, beside those that are loaded; in the order of ingest.
 */
int fr_q_load_values(struct fr_q *q, long long run_id, unsigned long long metrics);
#define FR_Q_EVERY_METRIC ((1ull << FR_M_COUNT) - 1)
/*
 * The test of that run and number; NULL: none. For a walk in the order of the store: *at, 0 at its begin, is the place
 * of the first test that may still come.
 */
struct fr_q_test *fr_q_test_at(struct fr_q *q, size_t *at, long long run_id, int no);
void fr_q_release(struct fr_q *q);
/* The shared copy of a string; NULL gives NULL. */
const char *fr_q_word(struct fr_q *q, const char *text);
/* The param of a test, else of its run, or NULL. */
const char *fr_q_param(const struct fr_q_test *test, const char *key);
bool fr_q_failed(const struct fr_q_test *test);
/* "err=28 No space left on device", "cut short ..."; into the arena. For tests that failed. */
const char *fr_q_failure(struct fr_q *q, const struct fr_q_test *test);

/* ---- query_dims.c ---- */

enum fr_q_dim_kind {
    FR_DIM_LABEL,
    FR_DIM_TEST,
    FR_DIM_OP,
    FR_DIM_SOURCE,
    FR_DIM_RUN,
    FR_DIM_TOOL,
    FR_DIM_VERSION,
    FR_DIM_HOST,
    FR_DIM_TITLE,
    FR_DIM_STARTED,
    FR_DIM_METRIC,
    FR_DIM_STAT,
    FR_DIM_JOB,   /* 1, 2, ... among tests of one name within a run */
    FR_DIM_TABLE, /* of a published table: its title, the line where it stands in the source */
    FR_DIM_RW,    /* the parameter rw, of a list of ways ("randread,randwrite") that of the value's op */
    FR_DIM_PARAM
};

struct fr_q_dim {
    enum fr_q_dim_kind kind;
    const char *key; /* its name; of a param as it is looked up */
};

/* Two lists that were asked for (--group, --rows), what keeps runs apart that are no repeats, and what a mixed row is
 * of.
 */
#define FR_Q_DIMS_MAX   24
#define FR_Q_DIMS_ASKED 10
struct fr_q_dims {
    struct fr_q_dim dim[FR_Q_DIMS_MAX];
    size_t n;
};

/* The dimension of that name; false (with a message and what comes near) when no run has it. */
bool fr_q_dim_find(struct fr_q *q, struct fr_str name, const char *option, struct fr_q_dim *out);
/* "label,bs,iodepth" into dims; -1 with a message. */
int fr_q_dims_parse(struct fr_q *q, const char *list, const char *option, struct fr_q_dims *out);
bool fr_q_dims_has(const struct fr_q_dims *dims, enum fr_q_dim_kind kind, const char *key);
void fr_q_dims_add(struct fr_q_dims *dims, enum fr_q_dim_kind kind, const char *key);
/* Where op is a dimension, what rw says of the other ops does not matter. */
void fr_q_dims_of_op(struct fr_q_dims *dims);
/* A value of the dimension where its name does not stand beside it: "zfs", "4k", but "iodepth 16". In the arena. */
const char *fr_q_dim_text(struct fr_q *q, const struct fr_q_dim *dim, const char *value);
/* NULL where the value has none of it. `value` may be NULL for what only a test has. */
const char *fr_q_dim_get(const struct fr_q_dim *dim, const struct fr_q_test *test, const struct fr_q_value *value);
/*
 * What must be equal in repeats: the i-th such dimension, false after the last. Label, test and the parameters of
 * docs/schema.md, "Repeats", then what the user set, but for names that count runs: {run}, {repeat}, {date} ...
 */
bool fr_q_identity(const struct fr_q *q, size_t i, struct fr_q_dim *out);
/* The number that a text stands for: `16`, `4k`, `1.5`; false when it is none. */
bool fr_q_number(const char *text, double *out);
/*
 * Order of two texts of one dimension: what begins with a number before all else and by that number (4k, 4k-64k, 1M),
 * else by natural order (3.9, 3.19); NULL last. 0 of equal texts alone.
 */
int fr_q_compare(enum fr_q_dim_kind kind, const char *a, const char *b);
/* Drop values that do not fulfil the conditions, and set tests' `used`. -1 with a message that names the one at fault.
 */
int fr_q_where(struct fr_q *q);
/* Tests only, where no values were loaded. */
int fr_q_where_tests(struct fr_q *q);
/* The directions that fulfil the conditions on `op`, a bit each; -1 with a message. */
int fr_q_where_ops(struct fr_q *q, unsigned *ops);

/* ---- query_metric.c ---- */

struct fr_q_metric {
    int op; /* enum fr_op, -1: each that there is */
    enum fr_metric_id metric;
    const char *stat;      /* NULL: the main one */
    const char *unit;      /* of scores: only this one; NULL: any */
    enum fr_better better; /* of scores: only those; FR_BETTER_DEFAULT: any */
    bool say_better;       /* the title has to: another has the opposite */
    bool hidden;           /* only to sort by */
};

#define FR_Q_METRICS_MAX 64
struct fr_q_metrics {
    struct fr_q_metric metric[FR_Q_METRICS_MAX];
    size_t n;
    bool cut; /* there are more */
};

/* Parse one; -1 with a message and what comes near. `option` is named in the message. */
int fr_q_metric_parse(struct fr_q *q, struct fr_str text, const char *option, struct fr_q_metric *out);
int fr_q_metrics_parse(struct fr_q *q, const char *list, struct fr_q_metrics *out);
/* Is this text a metric at all? No message. */
bool fr_q_metric_is(struct fr_str text, struct fr_q_metric *out);
bool fr_q_metric_has(const struct fr_q_metric *metric, const struct fr_q_value *value);
/* "write IOPS", "read completion latency p99"; into the arena. with_op false: without the op. */
const char *fr_q_metric_title(struct fr_q *q, const struct fr_q_metric *metric, bool with_op);
/* "write.iops" */
const char *fr_q_metric_name(struct fr_q *q, const struct fr_q_metric *metric);

/* ---- query_plan.c ---- */

struct fr_q_plan {
    struct fr_q_metrics metrics; /* ops spread out, unless op is a dimension */
    struct fr_q_dims rows, cols; /* rows begin with those of `group` */
    struct fr_q_dims group;      /* headings over groups of rows: no columns of the table */
    bool mixed;                  /* metrics are told apart by rows: unit in a column of its own */
    bool si;                     /* these tools print MB */
    const char *label;           /* of all runs, where neither rows nor columns say it; or NULL */
    bool asked;                  /* rows or cols came from the user */
};

/* Do rows or columns tell directions apart? */
bool fr_q_by_op(const struct fr_q_plan *plan);
/* Decide from the query and the values. -1 with a message. */
int fr_q_plan(struct fr_q *q, struct fr_q_plan *plan);
/* Which metrics have to be loaded for this query: bits. -1 with a message when a metric is unknown. */
int fr_q_wanted(struct fr_q *q, unsigned long long *metrics);

/* ---- query_pivot.c ---- */

struct fr_q_entry {
    const struct fr_q_value *value; /* NULL: of a failed test that has none */
    const struct fr_q_test *test;
    uint32_t metric, row, col; /* plan metric; row and column */
};

struct fr_q_row {
    const char *key[FR_Q_DIMS_MAX]; /* one a dim of the plan's rows */
    size_t first;                   /* its first entry */
    struct fr_row *row;
    enum fr_better better; /* of a mixed plan's row */
    double sort_value;
};

#define FR_Q_RATIOS_MAX 9

struct fr_q_col {
    uint32_t metric;
    const char *key[FR_Q_DIMS_MAX]; /* one a dim of the plan's cols */
    size_t column;                  /* of the table; (size_t)-1: hidden. Its ratios stand after it */
    struct {
        size_t column;
        double base; /* a number to reach, NaN: the baseline's figure */
    } ratio[FR_Q_RATIOS_MAX];
    size_t ratios_n;
};

struct fr_q_pivot {
    struct fr_q *q;
    struct fr_q_plan *plan;
    struct fr_table *table;
    struct fr_q_entry *entries;
    size_t entries_n, entries_alloc;
    struct fr_q_row *rows;
    size_t rows_n, rows_alloc;
    struct fr_q_col *cols;
    size_t cols_n, cols_alloc;
    size_t keys_n;      /* key columns of the table */
    size_t unit_column; /* of a mixed plan */
    /* A key of the user's in which runs of a cell differ although they count as repeats, and two values; or NULL. */
    const char *counted, *counts[2];
    double apart; /* of the repeats that are farthest apart: highest / lowest; 0: none are far */
    const char *apart_label;
};

/* The table, or NULL with a message. */
struct fr_table *fr_q_pivot(struct fr_q *q, struct fr_q_plan *plan);

#define FR_Q_NO_METRIC UINT32_MAX /* of a failed test that measured nothing */
bool fr_q_same_cell(const struct fr_q_entry *a, const struct fr_q_entry *b);

/* ---- query_cells.c ---- */

/* Does some cell hold several tests of one run that are not known to have run side by side? The list is in cells'
 * order. */
bool fr_q_jobs_apart(const struct fr_q_entry *const *list, size_t n);
/*
 * The cell of these n entries: the median of those runs that did not fail, of all where all failed; values are divided
 * by scale. `room` holds n numbers.
 */
void fr_q_cell_fill(struct fr_q_pivot *p, const struct fr_q_entry *const *list, size_t n, double *room, double scale,
                    struct fr_cell *cell);

/* ---- query_merge.c ---- */

/*
 * The percentile (0..100) of n entries of one run, metric and op taken together, from their bins; false unless all have
 * exact ones.
 */
bool fr_q_merged_percentile(struct fr_q *q, const struct fr_q_entry *const *list, size_t n, double percentile,
                            double *out);
void fr_q_merged_release(struct fr_q *q);

/* ---- query_finish.c ---- */

/* Put rows and columns in their usual order: numbers of a parameter ascending, all else as ingested. */
int fr_q_order(struct fr_q_pivot *p);
/* Add the columns of ratios to a column of values. -1 with a message where a baseline is wrong. */
int fr_q_ratio_columns(struct fr_q_pivot *p, struct fr_q_col *col);
/* Each --baseline-value is of a column that is shown; -1 with a message where one is not. */
int fr_q_check_baselines(struct fr_q_pivot *p);
/* Fill them, and add rows of geometric means where asked for. */
int fr_q_ratio_cells(struct fr_q_pivot *p);
/* Put the rows in the order asked for; -1 with a message where --sort names nothing. */
int fr_q_sort(struct fr_q_pivot *p);
void fr_q_mark_best(struct fr_q_pivot *p);

/* ---- query_curves.c ---- */

/* The table of percentiles, bins, series or latencies by time; NULL with a message. */
struct fr_table *fr_q_curves(struct fr_q *q, enum fr_shape shape);
/* Is a latency alone asked for, without a stat, and is there a log of it? */
bool fr_q_latency_log(struct fr_q *q, const struct fr_q_metrics *asked);

/* ---- query_text.c ---- */

/* "fio 3.19": the program that made a run. */
const char *fr_q_program(struct fr_q *q, const struct fr_q_run *run);
/* Title, subtitle, source and command of a table about the tests that are used. */
void fr_q_titles(struct fr_q *q, struct fr_table *table, const char *title);

#endif
