/*
 * store_db.h: inside the store: what its files share. Nothing outside store*.c includes it (but its own test).
 *
 * The journal is SQLite's rollback journal (journal_mode DELETE), on purpose. A write-ahead log needs shared memory,
 * which network file systems do not give; its -wal file beside the database is lost when somebody mails or copies the
 * database alone; and a database that is in that mode cannot be read from a folder that cannot be written. What it
 * would give, readers beside a writer, is little missed: sources are parsed outside the lock, so the lock is held for
 * the inserts alone.
 */
#ifndef FR_STORE_DB_H
#define FR_STORE_DB_H

#include <sqlite3.h>
#include <sys/types.h>

#include "log.h"
#include "store.h"

#define FR_STORE_APPLICATION 0x66696f72 /* "fior", in the header of the file */
#define FR_STORE_SCHEMA      3          /* user_version */
#define FR_STORE_OLDEST      3          /* the first that was released: none before it is brought forward */
#define FR_STORE_BUSY_MS     60000      /* how long to wait for another program's lock */
#define FR_STORE_BATCH       500        /* sources between two commits, at most */
#define FR_STORE_BATCH_MS    1000       /* and milliseconds */

/*
 * The statements that are prepared once and kept. Their SQL stands in store_db.c, in this order. The first insert rows
 * that were collected (store_bulk.c), in this order: what others belong to comes before them.
 */
enum fr_statement {
    FR_ST_SHAPE_ADD,
    FR_ST_SLOT_ADD,
    FR_ST_RUN_ADD,
    FR_ST_TEST_ADD,
    FR_ST_RESULT_ADD,
    FR_ST_PARAM_ADD,
    FR_ST_NOTE_ADD,
    FR_ST_DISK_ADD,
    FR_ST_HIST_ADD,
    FR_ST_BIN_ADD,
    FR_ST_SECOND_ADD,
    FR_ST_BULK_COUNT,
    FR_ST_WORD_GET = FR_ST_BULK_COUNT,
    FR_ST_WORD_ADD,
    FR_ST_SHAPE_FIND,
    FR_ST_SLOT_GET,
    FR_ST_SOURCE_KNOWN,
    FR_ST_SOURCE_BY_HASH,
    FR_ST_SOURCE_ADD,
    FR_ST_SAVEPOINT,
    FR_ST_RELEASE,
    FR_ST_LOG_ADD,
    FR_ST_CHUNK_ADD,
    FR_ST_BIN_GET,
    FR_ST_COUNT
};

enum { FR_KIND_LOG = 1, FR_KIND_INTERVAL }; /* log.kind */

struct fr_word {
    char *text; /* NULL: free slot */
    sqlite3_int64 id;
};

/* What a number is called. */
struct fr_slot {
    int op, metric;   /* metric: its number in this database; 0: a number of a disk */
    int better;       /* 0: the metric's own */
    const char *name; /* the stat, or the disk's key */
    const char *unit; /* NULL: the metric's own */
};

/* Numbers and what they are called; ended by fr_values_release. */
struct fr_values {
    struct fr_slot *slot;
    double *value;
    uint32_t *line; /* 0: none */
    size_t n, alloc;
};

struct fr_bulk;
struct fr_slots;

enum { FR_SHAPES = 1024 }; /* that are kept at hand, each in its place */

/* Ids that we give ourselves, the last ones: within a write transaction nobody else gives any. */
struct fr_store_ids {
    bool known;
    sqlite3_int64 run, test, hist, shape, log;
};

/* Hashes of the names and contents of all sources (store_known.c): open addressing. */
struct fr_store_known {
    uint64_t *at;
    size_t n, alloc, asked;
    bool loaded;
};

/* The lines of the last test, in the form in which they were stored. */
struct fr_store_lines {
    uint32_t *at;
    size_t n, alloc;
    sqlite3_int64 word; /* 0: there is none */
};

struct fr_store {
    sqlite3 *db;
    struct fr_bulk *bulk; /* the connection's */
    struct fr_store_ids last;
    struct fr_slots *shapes[FR_SHAPES];       /* by their names */
    struct fr_slots *shapes_by_id[FR_SHAPES]; /* by id */
    char *path;                               /* for messages */
    dev_t device;                             /* the file, once it was looked at; inode 0: not yet */
    ino_t inode;
    enum fr_store_mode mode;
    sqlite3_stmt *statements[FR_ST_COUNT];
    int metric_id[FR_M_COUNT];     /* as this database numbers them; 0: it does not have it */
    struct fr_values values;       /* for use while a test or a disk goes in */
    struct fr_strbuf text, counts; /* likewise */
    struct fr_store_lines lines;
    struct fr_store_known known;
    struct fr_arena texts; /* of rows that wait to be inserted */
    /* Words whose id is known: open addressing. Emptied when another program changed the database. */
    struct fr_word *words;
    size_t words_n, words_alloc;
    sqlite3_int64 data_version;
    bool failed;        /* it could not be read or written, some time */
    bool dropped;       /* sources went: others may have lost all they had */
    long long join;     /* run that logs belong to; 0: not said */
    size_t pending;     /* sources since the transaction began */
    bool early;         /* it has chunks of a source that is still being read */
    long long began_ms; /* when it began */
};

/* ---- store_db.c: SQLite with messages ---- */

/* Say what SQLite's error means and what a person can do. `what` was being done: "cannot be read". Always -1. */
int fr_store_error(struct fr_store *store, struct fr_log *log, const char *what);
/* The same for a result code that the connection does not know (any more). */
int fr_store_error_code(struct fr_store *store, int code, struct fr_log *log, const char *what);

/* Run SQL that gives no rows; -1 with a message. */
int fr_store_exec(struct fr_store *store, const char *sql, const char *what, struct fr_log *log);
/* The same for one statement whose ?1, ?2 ... are these n numbers. */
int fr_store_run(struct fr_store *store, const char *sql, const sqlite3_int64 *numbers, int n, struct fr_log *log);
/* Step a statement that gives no rows, and reset it; -1 with a message. */
int fr_store_step(struct fr_store *store, sqlite3_stmt *st, struct fr_log *log);
/* The statement, reset and unbound; NULL with a message. */
sqlite3_stmt *fr_store_statement(struct fr_store *store, enum fr_statement id, struct fr_log *log);
/* Any other statement; NULL with a message. Finalize it. */
sqlite3_stmt *fr_store_prepare(struct fr_store *store, const char *sql, struct fr_log *log);
/* First column of the first row of a query; `none` when there is no row. -1 in *status (may be NULL) and a message on
 * error. */
long long fr_store_number(struct fr_store *store, const char *sql, long long none, int *status, struct fr_log *log);
long long fr_store_now_ms(void);

/* Ids; the array is to be freed. */
struct fr_store_list {
    long long *id;
    size_t n, alloc;
};
#define FR_STORE_LIST_INIT                                                                                             \
    {                                                                                                                  \
        .id = NULL, .n = 0, .alloc = 0                                                                                 \
    }
int fr_store_list_add(struct fr_store *store, struct fr_store_list *list, long long id, struct fr_log *log);
/* Add what the statement (NULL: could not be prepared, which was reported) gives in its first column; it is finalized.
 */
int fr_store_list_collect(struct fr_store *store, sqlite3_stmt *st, struct fr_store_list *list, struct fr_log *log);
/* Ascending, each once. */
void fr_store_list_sort(struct fr_store_list *list);

/* Begin a write transaction if none is open, waiting for the lock. */
int fr_store_begin(struct fr_store *store, struct fr_log *log);
/* Give up all that was not committed. Silent. */
void fr_store_rollback(struct fr_store *store);

/* FNV-1a. */
uint64_t fr_store_hash(const char *text);
/* The number of a text; made when missing (within a write transaction). 0 for NULL; -1 with a message. */
sqlite3_int64 fr_store_word(struct fr_store *store, const char *text, struct fr_log *log);
void fr_store_words_forget(struct fr_store *store);
/* All that is known of ids: another program wrote, or those that were given are rolled back. */
void fr_store_forget(struct fr_store *store);

/* ---- store_known.c ---- */

/* A source went in. */
void fr_store_known_add(struct fr_store *store, const struct fr_source *source);
void fr_store_known_forget(struct fr_store *store);

/* ---- store_keep.c ---- */

/* Set the source of that content aside, so that it can be added anew; *id 0: there is none. */
int fr_store_set_aside(struct fr_store *store, const char *sha256, sqlite3_int64 *id, struct fr_log *log);
/* What the user said of its runs, and logs that were joined to them, go to the new source; the old one goes. */
int fr_store_keep(struct fr_store *store, sqlite3_int64 from, sqlite3_int64 to, struct fr_log *log);

/* ---- store_bulk.c: rows that are collected, and inserted by one statement a table ---- */

enum fr_bulk_kind { FR_BULK_IS_NULL, FR_BULK_IS_INTEGER, FR_BULK_IS_REAL, FR_BULK_IS_TEXT };
struct fr_bulk_cell {
    enum fr_bulk_kind kind;
    union {
        sqlite3_int64 integer;
        double real;
        const char *text; /* lent until the row is inserted */
    };
};
#define FR_BULK_INTEGER(value) ((struct fr_bulk_cell){.kind = FR_BULK_IS_INTEGER, .integer = (sqlite3_int64)(value)})
#define FR_BULK_REAL(value)    ((struct fr_bulk_cell){.kind = FR_BULK_IS_REAL, .real = (value)})
/* NULL, and 0 of an id or a line, are no value. */
#define FR_BULK_TEXT(value)                                                                                            \
    ((struct fr_bulk_cell){.kind = (value) ? FR_BULK_IS_TEXT : FR_BULK_IS_NULL, .text = (value)})
#define FR_BULK_ID(value)                                                                                              \
    ((struct fr_bulk_cell){.kind = (value) ? FR_BULK_IS_INTEGER : FR_BULK_IS_NULL, .integer = (sqlite3_int64)(value)})

/* Before the first row of a transaction; sets store->last. */
int fr_store_bulk_begin(struct fr_store *store, struct fr_log *log);
/* The next row of a statement, its cells all NULL, to be filled; lent until the next. NULL with a message. */
struct fr_bulk_cell *fr_store_bulk_row(struct fr_store *store, enum fr_statement id, struct fr_log *log);
/* Insert the rows of all statements, or only when there are many. */
int fr_store_bulk_insert(struct fr_store *store, struct fr_log *log);
int fr_store_bulk_insert_many(struct fr_store *store, struct fr_log *log);
/* Rows that came to nothing. */
void fr_store_bulk_forget(struct fr_store *store);

/* ---- store_module.c: what virtual tables have in common ---- */

struct fr_module_table {
    sqlite3_vtab base;
    void *owner;
};
int fr_module_connect(sqlite3 *db, const char *declaration, void *owner, sqlite3_vtab **out);
int fr_module_disconnect(sqlite3_vtab *table);
/* What a cursor begins with. */
struct fr_module_cursor {
    sqlite3_vtab_cursor base;
    sqlite3_int64 row;
};
/* A zeroed cursor of that size; its xClose ends with fr_module_close. */
int fr_module_open(size_t size, sqlite3_vtab_cursor **out);
int fr_module_close(sqlite3_vtab_cursor *cursor);
int fr_module_row(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out);

/* An sqlite3_module of these functions and the common ones. */
#define FR_MODULE(connect, best, open, close, filter, next, eof, column)                                               \
    {                                                                                                                  \
        .xConnect = (connect), .xBestIndex = (best), .xDisconnect = fr_module_disconnect, .xOpen = (open),             \
        .xClose = (close), .xFilter = (filter), .xNext = (next), .xEof = (eof), .xColumn = (column),                   \
        .xRowid = fr_module_row                                                                                        \
    }

/* ---- store_digits.c: whole numbers as a text that SQL takes apart with substr ---- */

/* All have one width, which is the first character ('0' + width). Begin with the greatest of them; the width. */
int fr_store_digits_begin(struct fr_strbuf *out, uint64_t most);
void fr_store_digits_add(struct fr_strbuf *out, int width, uint64_t n);
/* Number i; false: there is none. */
bool fr_store_digits_get(const char *text, size_t i, uint64_t *n);

/* ---- store_shape.c: what the numbers of a test or a disk are called ---- */

enum { FR_PART = 16 }; /* numbers in a row */
#define FR_STORE_CELLS "v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15"

struct fr_slots {
    sqlite3_int64 id;
    size_t n;
    struct fr_slot slot[]; /* their texts stand behind them */
};

/* Shapes are lent until the next call. -1 or NULL: with a message. */

/* The shape that has these slots; *out NULL: the database has none. */
int fr_store_shape_find(struct fr_store *store, const struct fr_slot *slots, size_t n, const struct fr_slots **out,
                        struct fr_log *log);
/* Make it, within a write transaction; no two slots may have the same op, metric and name. */
const struct fr_slots *fr_store_shape_make(struct fr_store *store, const struct fr_slot *slots, size_t n,
                                           struct fr_log *log);
const struct fr_slots *fr_store_shape_get(struct fr_store *store, sqlite3_int64 id, struct fr_log *log);
void fr_store_shapes_forget(struct fr_store *store);

/* ---- store_values.c: numbers to rows and back ---- */

#define FR_VALUES_INIT                                                                                                 \
    {                                                                                                                  \
        .slot = NULL                                                                                                   \
    }

/* One more; its slot, zeroed, to be filled. NULL: out of memory. */
struct fr_slot *fr_values_add(struct fr_values *values, double value, uint32_t line);
void fr_values_release(struct fr_values *values);

/* What test has of its numbers beside the rows. */
struct fr_values_head {
    sqlite3_int64 shape_id, line_from, lines; /* 0: NULL */
};
/*
 * The head of numbers that are to go in; what of them was given twice leaves `values` but for the first, which is the
 * only change. -1 with a message.
 */
int fr_store_values_head(struct fr_store *store, struct fr_values *values, struct fr_values_head *head,
                         struct fr_log *log);
/* Fill the cells of a row with numbers 16 * part and on. */
void fr_store_values_part(const struct fr_values *values, size_t part, struct fr_bulk_cell *cells);
/* The rows of a test's numbers. */
int fr_store_values_add(struct fr_store *store, sqlite3_int64 test_id, const struct fr_values *values,
                        struct fr_log *log);
/* The line of number i, from test.line_from and the text of test.lines; 0: none. */
unsigned fr_store_values_line(sqlite3_int64 from, const char *lines, size_t i);
/* Add what a test has to v, with the lines; the texts go to the arena. */
int fr_store_values_read(struct fr_store *store, sqlite3_int64 test_id, struct fr_values *v, struct fr_arena *texts,
                         struct fr_log *log);
/* These are what the test has from now on; of those given twice the first. */
int fr_store_values_write(struct fr_store *store, sqlite3_int64 test_id, struct fr_values *v, struct fr_log *log);

/* ---- store_chunk.c ---- */

/* The id of a series that is to go in: a new one, or that under which chunks of it are in; -1 with a message. */
sqlite3_int64 fr_store_series_id(struct fr_store *store, const struct fr_series *series, struct fr_log *log);
int fr_store_chunk_add(struct fr_store *store, sqlite3_int64 series_id, const struct fr_chunk *chunk,
                       struct fr_log *log);

/* ---- store_hist.c ---- */

/* Bins that were read; the array grows as needed and is to be freed. */
struct fr_store_bins {
    struct fr_bin *at;
    size_t n, alloc;
};

int fr_store_hist_add(struct fr_store *store, sqlite3_int64 test_id, const struct fr_hist *hist, struct fr_log *log);
/* What fr_store_hist_read needs of a row; its query joins word w ON w.word_id = h.bounds. */
#define FR_STORE_HIST "h.hist_id, h.per_second, h.first, w.text, h.counts"
/* The bins of a distribution, of which `st` is at a row that has those columns from `column` on; -1 with a message. */
int fr_store_hist_read(struct fr_store *store, sqlite3_stmt *st, int column, struct fr_store_bins *bins,
                       struct fr_log *log);

/* ---- store_joined.c ---- */

/* Joined histograms of these tests came or went: take their percentiles anew. Within the transaction; sorts the list.
 */
int fr_store_joined_take(struct fr_store *store, struct fr_store_list *tests, struct fr_log *log);
/* Drop a source, and what its histograms said of tests that they were joined to. Within the transaction. */
int fr_store_joined_drop(struct fr_store *store, sqlite3_int64 source_id, struct fr_log *log);

/* ---- store_join.c ---- */

/* Join the log of that source to that run; a source that is no log is left. Within the transaction. */
int fr_store_join_source(struct fr_store *store, sqlite3_int64 source_id, sqlite3_int64 run_id, struct fr_log *log);

/* ---- store_vtab.c ---- */

/* Give this connection the table `samples`: the full resolution of all series. SQLite's result code. */
int fr_store_samples(struct fr_store *store);

/* ---- store_schema.c ---- */

struct fr_migration {
    int from; /* user_version before; one more after */
    const char *sql;
};
/*
 * Make the schema in an empty database, or bring an older one forward through `steps` (ended by from 0), all in one
 * transaction. Refuses what is no database of ours, and a newer one. `newest` is the version that is wanted.
 */
int fr_store_schema(struct fr_store *store, const struct fr_migration *steps, int newest, struct fr_log *log);
extern const struct fr_migration fr_store_migrations[];
/* Fill store->metric_id, adding what the database lacks when it is written. */
int fr_store_metrics(struct fr_store *store, struct fr_log *log);

#endif
