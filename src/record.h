/*
 * record.h: what was measured: the narrow waist between parsers and everything else.
 *
 * A parser fills a batch with runs; a run has tests; a test has values, params, histograms and series. Values are in
 * base units (units.h). A missing number is left out, never 0 (docs/schema.md, "Zero and absent").
 *
 * Everything lives in the batch's arenas: strings given to these functions are copied unless the comment says lent, and
 * nothing is freed alone. Lists are in the order of adding.
 */
#ifndef FR_RECORD_H
#define FR_RECORD_H

#include <stdint.h>

#include "arena.h"
#include "metrics.h"
#include "scan.h"
#include "units.h"

/* for (T *x = list.head; x; x = x->next) */
#define fr_list_each(T, x, list) for (T *x = (list).head; x; x = x->next)
#define FR_LIST(T)                                                                                                     \
    struct {                                                                                                           \
        T *head, *tail;                                                                                                \
        size_t n;                                                                                                      \
    }
#define fr_list_add(list, item)                                                                                        \
    do {                                                                                                               \
        if ((list)->tail)                                                                                              \
            (list)->tail->next = (item);                                                                               \
        else                                                                                                           \
            (list)->head = (item);                                                                                     \
        (list)->tail = (item);                                                                                         \
        (list)->n++;                                                                                                   \
    } while (0)

/* Where a fact comes from; a stronger one is never overridden by a weaker. */
enum fr_origin {
    FR_FROM_NONE,
    FR_FROM_DICTIONARY, /* inferred from words in labels, names, headings: shown as inferred */
    FR_FROM_SURROUND,   /* stands around the run: a command line, lsblk, uname */
    FR_FROM_FORMAT,     /* the tool's own output says so */
    FR_FROM_USER        /* --label, --name-pattern, --tag */
};

struct fr_value {
    double value;
    const char *stat; /* mean min max stdev n total value, or p50, p99.9 ... */
    uint32_t line;
    uint8_t op;     /* enum fr_op */
    uint8_t metric; /* enum fr_metric_id */
    int8_t better;  /* enum fr_better, FR_BETTER_DEFAULT: the metric's own */
    bool own_unit;  /* it is in the test's unit; else in the metric's base unit */
};

/* Values side by side: of a big file they are most of what there is. */
struct fr_value_row {
    struct fr_value_row *next;
    uint32_t n, room; /* room: for how many there is some */
    struct fr_value at[];
};

/* for each value of the test; `break` leaves a row only. */
#define fr_value_each(v, test)                                                                                         \
    for (struct fr_value_row *v##_row = (test)->values.rows; v##_row; v##_row = v##_row->next)                         \
        for (struct fr_value *v = v##_row->at; v < v##_row->at + v##_row->n; v++)

struct fr_param {
    struct fr_param *next;
    const char *key, *value;
    enum fr_origin origin;
    uint32_t line;
};

struct fr_bin {
    double lower, upper; /* base unit; lower <= x < upper */
    uint64_t count;
};

/* A distribution: json+ bins, clat_hist logs, fio's latency buckets (whose counts are known as shares only: `share`).
 */
struct fr_hist {
    struct fr_hist *next;
    struct fr_bin *bins; /* NULL: packed */
    size_t n;
    const char *packed; /* fio's own bins as text (hist.h), most of what a big file has; NULL: not packed */
    double per_second;  /* of packed ones: fio's units in a second */
    uint32_t first;     /* of packed ones: the number of the first bin */
    uint32_t line;
    uint8_t op, metric;
    bool exact; /* bins of fio's 0.78 % width, fit for merging; false: coarse buckets */
};

struct fr_series; /* series.h */

struct fr_test {
    struct fr_test *next;
    const char *name;
    int no;        /* 1, 2, ...: set by fr_test_new; a parser may raise it where the source skips one */
    uint32_t line; /* where it begins */
    struct {
        struct fr_value_row *rows, *last;
        size_t n;
    } values;
    const char *unit; /* of its scores, as printed; or NULL */
    FR_LIST(struct fr_param) params;
    FR_LIST(struct fr_hist) hists;
    FR_LIST(struct fr_series) series;
    const char *error; /* the error's text, or NULL */
    /* Identity, for telling snapshots of one run from several runs (identity.h); unknown is 0. */
    int64_t pid, group;
    double start, end; /* seconds since 1970 */
    double elapsed;    /* seconds */
};

struct fr_disk {
    struct fr_disk *next;
    const char *disk, *key; /* "sda", "read_ios" */
    double value;
    uint32_t line;
};

/* Which of its formats a tool wrote this in; the stronger wins where several show one run. */
enum fr_form { FR_FORM_TEXT = 1, FR_FORM_TERSE, FR_FORM_JSON, FR_FORM_LOG };

struct fr_run {
    struct fr_run *next;
    const char *parser;       /* name of the parser, static */
    const char *tool;         /* fio crystaldiskmark dd phoronix table; static */
    const char *tool_version; /* without the tool's name, or NULL */
    const char *host, *started_at, *command, *title;
    const char *label; /* final, set by label.c; a parser may leave it NULL */
    enum fr_origin label_origin;
    const char *label_why; /* for --explain: "heading at line 12" */
    const char *own_label; /* what the format itself names: a Phoronix system, a table's column; or NULL */
    enum fr_form form;
    uint32_t line, line_end; /* first and last line of it in the source */
    size_t column;           /* orders runs that stand side by side or in one line; see fr_doc_column */
    uint64_t digest;         /* of its own bytes, for finding byte-equal copies; 0: not known */
    FR_LIST(struct fr_test) tests;
    FR_LIST(struct fr_param) params; /* of the whole run */
    FR_LIST(struct fr_disk) disks;
    FR_LIST(struct fr_param) notes; /* what stands around: uname, lsblk, hardware */
    bool cut_short;                 /* killed, truncated: figures may be partial; marked wherever it is shown */
    bool steps_only;                /* nothing but progress was found */
    bool announced;                 /* what fio prints when it begins stands before it: no later report of another */
};

struct fr_series;
struct fr_chunk;

/* Who may take the chunks of long series as they are closed, so that they need not wait in the batch. */
struct fr_chunk_taker {
    /* True: it has a copy of the chunk, and what it set in the series stands for it. False: the batch keeps it. */
    bool (*take)(void *ctx, struct fr_series *series, const struct fr_chunk *chunk);
    void *ctx;
};

/* All that was read from one source. */
struct fr_batch {
    struct fr_arena arena;       /* figures and texts: most of it, and read little */
    struct fr_arena heads;       /* runs, tests, params: little of it, and walked again and again */
    struct fr_chunk_taker taker; /* .take NULL: nobody */
    size_t document;             /* bytes of the source that are in memory anyway: its heads may take as many */
    const char *source;          /* its name as the database will show it */
    FR_LIST(struct fr_run) runs;
    size_t tests;       /* made so far */
    size_t checkpoints; /* calls of fr_batch_checkpoint (fr_batch_pass_head) since it gave memory back */
    size_t passes;
    size_t percentile; /* the place in their list of the one after the last (fr_stat_percentile) */
};

void fr_batch_init(struct fr_batch *batch, const char *source);
void fr_batch_release(struct fr_batch *batch);
/* How much it holds. */
size_t fr_batch_bytes(const struct fr_batch *batch);

/* A new run at the end of the batch. `parser` and `tool` are static strings. */
struct fr_run *fr_run_new(struct fr_batch *batch, const char *parser, const char *tool, uint32_t line);
/*
 * A new test at the end of the run; its no is one more than the last one's. A tab or other control character in the
 * name becomes a blank: fio prints it raw in its JSON and terse lines. Blanks around it go: indentation hides them.
 */
struct fr_test *fr_test_new(struct fr_batch *batch, struct fr_run *run, struct fr_str name, uint32_t line);

/* Add a value. `stat` must live as long as the batch (a literal, or fr_stat_percentile). Not finite: not added, NULL.
 */
struct fr_value *fr_value_add(struct fr_batch *batch, struct fr_test *test, enum fr_op op, enum fr_metric_id metric,
                              const char *stat, double value, uint32_t line);
/* The value of that name, or NULL. */
struct fr_value *fr_value_get(const struct fr_test *test, enum fr_op op, enum fr_metric_id metric, const char *stat);

/* "p50", "p99.9", "p99.99": no trailing zeros. For a percentile 0..100; common ones are shared. */
const char *fr_stat_percentile(struct fr_batch *batch, double percentile);
/* "PART:STAT", the stat of a part such as a priority (clat_prio in metrics.def); the stat itself where part is NULL. */
const char *fr_stat_of(struct fr_batch *batch, const char *part, const char *stat);

/*
 * Set a param, on a test or on the run (test NULL). The stronger origin wins, of equals the first. An empty value is
 * dropped.
 */
void fr_param_set(struct fr_batch *batch, struct fr_run *run, struct fr_test *test, const char *key,
                  struct fr_str value, enum fr_origin origin, uint32_t line);
/* The same, of several that stand together. */
struct fr_target {
    struct fr_batch *batch;
    struct fr_run *run;
    struct fr_test *test;
    enum fr_origin origin;
    uint32_t line;
};
void fr_target_set(const struct fr_target *target, const char *key, struct fr_str value);
/* The param of the test, else of the run (test may be NULL); NULL when it has none. */
const char *fr_param_get(const struct fr_run *run, const struct fr_test *test, const char *key);

void fr_note_add(struct fr_batch *batch, struct fr_run *run, const char *key, struct fr_str value, uint32_t line);
/* `key` must live as long as the batch. */
void fr_disk_add(struct fr_batch *batch, struct fr_run *run, struct fr_str disk, const char *key, double value,
                 uint32_t line);
/* A histogram of n bins, zeroed, for the caller to fill. */
struct fr_hist *fr_hist_new(struct fr_batch *batch, struct fr_test *test, enum fr_op op, enum fr_metric_id metric,
                            size_t n, uint32_t line);

/* A test was added, or walked through: give memory back if much is in use. Call it after each test that may be big. */
void fr_batch_checkpoint(struct fr_batch *batch);
/* The same where only heads were looked at. */
void fr_batch_pass_head(struct fr_batch *batch);

#endif
