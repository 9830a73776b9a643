/*
 * store.h: the database. All SQL stands in store*.c and schema.sql; nothing of SQLite is in these signatures.
 * docs/schema.md describes the public views.
 */
#ifndef FR_STORE_H
#define FR_STORE_H

#include "record.h"
#include "series.h"
#include "strbuf.h"
#include "table.h"

struct fr_source {
    const char *name;   /* as given; `-`; `a.tar.gz/x.json` */
    const char *sha256; /* of its content, hex */
    long long size;     /* bytes */
};

/* Is this path the database itself, or its journal? */
bool fr_store_is_file(struct fr_store *store, const char *path);

enum fr_known { FR_NEW, FR_KNOWN_CONTENT, FR_KNOWN_NAME };

/*
 * Is this content (or only this name) in the database? -1 on a database error. *other: the name it has there (copied
 * into it). What another program has just added may be missed; fr_store_add_all does not miss it.
 */
int fr_store_known(struct fr_store *store, const struct fr_source *source, struct fr_strbuf *other, struct fr_log *log);
/* Is a source of so many bytes in the database? 1; 0; -1 on an error, reported. */
int fr_store_has_size(struct fr_store *store, long long size, struct fr_log *log);

enum { FR_STORE_ADDED, FR_STORE_WAS_KNOWN };

/* A source that is to go in with all its runs. */
struct fr_addition {
    struct fr_source source;
    struct fr_batch *batch;
    bool replace; /* older sources of the same name go */
    bool force;   /* so does the same content */
    int outcome;  /* FR_STORE_ADDED; FR_STORE_WAS_KNOWN: without force, nothing was changed; -1: it is not in */
};

/*
 * Add sources, each whole or not at all, in few statements. The runs are in order and get run_no 1, 2, ... Commits at
 * the latest after a second or 500 sources; fr_store_commit does so now. The batches' values stay as they are; their
 * arenas are cooled on the way. -1 with a message when not all could be added; `outcome` says which.
 */
int fr_store_add_all(struct fr_store *store, struct fr_addition *list, size_t n, struct fr_log *log);
/* One source; its outcome. */
int fr_store_add(struct fr_store *store, const struct fr_source *source, struct fr_batch *batch, bool replace,
                 bool force, struct fr_log *log);
/*
 * Drop sources of that name that have other content: what `replace` does, for content that is in the database already.
 * Commits. *dropped: how many.
 */
int fr_store_drop_older(struct fr_store *store, const struct fr_source *source, size_t *dropped, struct fr_log *log);
/* Sources that were added and are not committed yet. */
size_t fr_store_pending(const struct fr_store *store);
/* -1: all that was pending is out again. */
int fr_store_commit(struct fr_store *store, struct fr_log *log);

/*
 * Chunks of a series whose source is still being read go in at once, under an id that is set in the series; they are in
 * for good when the source is added. Until then this connection holds the lock, and nothing else is to be added by it.
 * -1 with a message: it is not in.
 */
int fr_store_chunk_early(struct fr_store *store, struct fr_series *series, const struct fr_chunk *chunk,
                         struct fr_log *log);
/* The source is not added: its chunks are out again. */
void fr_store_chunks_forget(struct fr_store *store);

/* From now on, logs of fio that are added belong to that run; 0: fr_store_join_logs finds out. */
void fr_store_join_to(struct fr_store *store, long long run_id);
/* Join logs that belong to no run yet to the runs that wrote them, where that is clear. *joined: how many. */
int fr_store_join_logs(struct fr_store *store, size_t *joined, struct fr_log *log);

/* ---- reading ---- */

/* A run as the views show it. Strings are lent until the callback returns; NULL where unknown. */
struct fr_run_row {
    long long run_id, source_id;
    int run_no, tests;
    const char *source, *tool, *tool_version, *label, *host, *started_at, *command, *title, *sha256, *parser;
    bool cut_short;
    unsigned line;
};

struct fr_result_row {
    long long run_id;
    int run_no, test_no;
    const char *source, *label, *tool, *test;
    enum fr_op op;
    enum fr_metric_id metric;
    const char *stat, *unit;
    double value;
    enum fr_better better;
    unsigned line;
};

struct fr_param_row {
    long long run_id;
    int test_no;
    const char *key, *value;
    enum fr_origin origin;
};

struct fr_hist_row {
    long long run_id;
    int test_no;
    enum fr_op op;
    enum fr_metric_id metric;
    bool exact;
    const struct fr_bin *bins; /* in order; those with a count; upper INFINITY: no upper end */
    size_t n;
};

struct fr_series_row {
    long long run_id, series_id;
    int test_no;
    enum fr_op op;
    enum fr_metric_id metric;
    const char *kind; /* as in series.h */
    double step;
    bool averaged, unix_time, last_partial;
    unsigned columns; /* mask of enum fr_series_column */
    long long interval;
    unsigned long long n;
    const struct fr_second *seconds;
    size_t seconds_n;
};

struct fr_disk_row {
    long long run_id;
    const char *disk, *key;
    double value;
};

struct fr_note_row {
    long long run_id;
    const char *key, *value;
    unsigned line;
};

struct fr_test_row {
    long long run_id;
    int test_no;
    const char *test, *error; /* error NULL: none */
    unsigned line;
};

/*
 * Call `row` for each, in the order of ingest (source, run_no, test_no). A callback's nonzero ends the walk and is
 * returned; -1 with a message when the database cannot be read. run_id 0: of all runs; metric -1: all.
 */
int fr_store_runs(struct fr_store *store, int (*row)(void *ctx, const struct fr_run_row *), void *ctx,
                  struct fr_log *log);
int fr_store_tests(struct fr_store *store, long long run_id, int (*row)(void *ctx, const struct fr_test_row *),
                   void *ctx, struct fr_log *log);
int fr_store_results(struct fr_store *store, long long run_id, int metric,
                     int (*row)(void *ctx, const struct fr_result_row *), void *ctx, struct fr_log *log);
int fr_store_params(struct fr_store *store, long long run_id, int (*row)(void *ctx, const struct fr_param_row *),
                    void *ctx, struct fr_log *log);
int fr_store_disks(struct fr_store *store, long long run_id, int (*row)(void *ctx, const struct fr_disk_row *),
                   void *ctx, struct fr_log *log);
int fr_store_notes(struct fr_store *store, long long run_id, int (*row)(void *ctx, const struct fr_note_row *),
                   void *ctx, struct fr_log *log);
int fr_store_hists(struct fr_store *store, long long run_id, int metric,
                   int (*row)(void *ctx, const struct fr_hist_row *), void *ctx, struct fr_log *log);
int fr_store_series(struct fr_store *store, long long run_id, int metric,
                    int (*row)(void *ctx, const struct fr_series_row *), void *ctx, struct fr_log *log);
/* The packed samples of one series, chunk by chunk. */
int fr_store_chunks(struct fr_store *store, long long series_id, int (*row)(void *ctx, const struct fr_chunk *),
                    void *ctx, struct fr_log *log);

/*
 * The ids of the runs that a selector names (fioreport.h: `7`, `3,5-8`, a label, a source), ascending; *ids is to be
 * freed. -1 with a message when there are none.
 */
int fr_store_find(struct fr_store *store, const char *selector, long long **ids, size_t *n, struct fr_log *log);

/* A SELECT, read-only, into a table with a column per result column. NULL with a message. */
struct fr_table *fr_store_select(struct fr_store *store, const char *sql, struct fr_log *log);

#endif
