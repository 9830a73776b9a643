/* store_db.c: SQLite with messages, kept statements, the dictionary of words. See store_db.h. */
#include "store_db.h"

#include <time.h>

#include "banned.h"

/* The first columns of bulk. */
#define C0_17 "c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17"

static const char *const statement_sql[FR_ST_COUNT] = {
    [FR_ST_SHAPE_ADD] = "INSERT INTO shape (shape_id, digest) SELECT c0, c1 FROM bulk",
    [FR_ST_SLOT_ADD] = "INSERT INTO slot (shape_id, part, cell, op_id, metric_id, name, unit, better) "
                       "SELECT c0, c1, c2, c3, c4, c5, c6, c7 FROM bulk",
    [FR_ST_RUN_ADD] = "INSERT INTO run (run_id, source_id, run_no, parser, tool, tool_version, label, label_origin, "
                      "host, started_at, command, title, form, line, line_end, cut_short, steps_only) "
                      "SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16 FROM bulk",
    [FR_ST_TEST_ADD] = "INSERT INTO test (test_id, run_id, test_no, name, line, error, shape_id, line_from, lines) "
                       "SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8 FROM bulk",
    [FR_ST_RESULT_ADD] = "INSERT INTO result (test_id, part, " FR_STORE_CELLS ") SELECT " C0_17 " FROM bulk",
    [FR_ST_PARAM_ADD] = "INSERT OR REPLACE INTO param (run_id, test_no, key, value, origin, line) "
                        "SELECT c0, c1, c2, c3, c4, c5 FROM bulk",
    [FR_ST_NOTE_ADD] = "INSERT INTO note (run_id, no, key, value, line) SELECT c0, c1, c2, c3, c4 FROM bulk",
    [FR_ST_DISK_ADD] =
        "INSERT INTO disk (run_id, disk, part, shape_id, line, " FR_STORE_CELLS ") SELECT " C0_17 ", c18, c19, "
        "c20 FROM bulk",
    [FR_ST_HIST_ADD] = "INSERT INTO hist (hist_id, test_id, op_id, metric_id, exact, line, per_second, first, bounds, "
                       "counts) SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 FROM bulk",
    [FR_ST_BIN_ADD] = "INSERT INTO bin (hist_id, no, lower, upper, count) SELECT c0, c1, c2, c3, c4 FROM bulk",
    [FR_ST_SECOND_ADD] = "INSERT OR IGNORE INTO second (log_id, t, n, mean, min, max) "
                         "SELECT c0, c1, c2, c3, c4, c5 FROM bulk",
    [FR_ST_WORD_GET] = "SELECT word_id FROM word WHERE text = ?1",
    [FR_ST_WORD_ADD] = "INSERT INTO word (text) VALUES (?1) ON CONFLICT (text) DO NOTHING",
    [FR_ST_SHAPE_FIND] = "SELECT shape_id FROM shape WHERE digest = ?1",
    [FR_ST_SLOT_GET] = "SELECT k.op_id, k.metric_id, k.better, n.text, u.text FROM slot k "
                       "JOIN word n ON n.word_id = k.name LEFT JOIN word u ON u.word_id = k.unit "
                       "WHERE k.shape_id = ?1 ORDER BY k.part, k.cell",
    [FR_ST_SOURCE_BY_HASH] = "SELECT source_id FROM source WHERE sha256 = ?1",
    [FR_ST_SOURCE_KNOWN] = "SELECT 1, name FROM source WHERE sha256 = ?1 "
                           "UNION ALL SELECT 2, name FROM source WHERE name = ?2 LIMIT 1",
    [FR_ST_SOURCE_ADD] = "INSERT INTO source (name, sha256, size) VALUES (?1, ?2, ?3) ON CONFLICT (sha256) DO NOTHING",
    [FR_ST_SAVEPOINT] = "SAVEPOINT source",
    [FR_ST_RELEASE] = "RELEASE source",
    [FR_ST_LOG_ADD] = "INSERT INTO log (test_id, op_id, metric_id, kind, step, averaged, unix_time, columns, interval, "
                      "n, last_partial, line, log_id) "
                      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    [FR_ST_CHUNK_ADD] =
        "INSERT INTO chunk (log_id, no, n, t0, t1, min, max, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    [FR_ST_BIN_GET] = "SELECT lower, upper, count FROM bin WHERE hist_id = ?1 ORDER BY no",
};

int fr_store_error_code(struct fr_store *store, int code, struct fr_log *log, const char *what)
{
    const char *path = store->path;
    store->failed = true;
    switch (code & 0xff) {
    case SQLITE_FULL:
        return fr_log_error(log, path, 0, "%s: the disk is full; what was in the database before is whole", what);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return fr_log_error(log, path, 0, "%s: another program holds its lock, gave up after %d seconds", what,
                            FR_STORE_BUSY_MS / 1000);
    case SQLITE_READONLY:
        return fr_log_error(log, path, 0,
                            "%s: it, or its folder (where a journal has to be made), is read-only for you", what);
    case SQLITE_CORRUPT:
        return fr_log_error(log, path, 0,
                            "%s: the database is damaged (%s); restore a copy, or save what is left with "
                            "`sqlite3 OLD .recover | sqlite3 NEW`",
                            what, sqlite3_errmsg(store->db));
    case SQLITE_NOTADB:
        return fr_log_error(log, path, 0, "%s: it is no SQLite database, left as it is", what);
    case SQLITE_CANTOPEN:
        return fr_log_error(log, path, 0,
                            "%s: it cannot be opened or made here (does the folder exist, may you write in it?)", what);
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return fr_log_error(log, path, 0, "%s: no permission", what);
    case SQLITE_IOERR:
        return fr_log_error(log, path, 0,
                            "%s: its file failed (%s): a fault of the disk, or a limit such as `ulimit -f`; what was "
                            "committed before is whole",
                            what, sqlite3_errstr(code));
    case SQLITE_NOMEM:
        return fr_log_error(log, path, 0, "%s: out of memory", what);
    default:
        return fr_log_error(log, path, 0, "%s: %s", what, sqlite3_errmsg(store->db));
    }
}

int fr_store_error(struct fr_store *store, struct fr_log *log, const char *what)
{
    return fr_store_error_code(store, sqlite3_extended_errcode(store->db), log, what);
}

int fr_store_exec(struct fr_store *store, const char *sql, const char *what, struct fr_log *log)
{
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return fr_store_error(store, log, what);
    return 0;
}

int fr_store_run(struct fr_store *store, const char *sql, const sqlite3_int64 *numbers, int n, struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_prepare(store, sql, log);
    if (!st)
        return -1;
    for (int i = 0; i < n; i++)
        sqlite3_bind_int64(st, i + 1, numbers[i]);
    int rc = fr_store_step(store, st, log);
    sqlite3_finalize(st);
    return rc;
}

int fr_store_step(struct fr_store *store, sqlite3_stmt *st, struct fr_log *log)
{
    int rc = sqlite3_step(st);
    sqlite3_reset(st);
    return rc == SQLITE_DONE ? 0 : fr_store_error(store, log, "cannot be written");
}

sqlite3_stmt *fr_store_prepare(struct fr_store *store, const char *sql, struct fr_log *log)
{
    sqlite3_stmt *st = NULL;
    if (sqlite3_prepare_v3(store->db, sql, -1, 0, &st, NULL) != SQLITE_OK) {
        fr_store_error(store, log, "cannot be read");
        return NULL;
    }
    return st;
}

sqlite3_stmt *fr_store_statement(struct fr_store *store, enum fr_statement id, struct fr_log *log)
{
    sqlite3_stmt **st = &store->statements[id];
    if (!*st &&
        sqlite3_prepare_v3(store->db, statement_sql[id], -1, SQLITE_PREPARE_PERSISTENT, st, NULL) != SQLITE_OK) {
        fr_store_error(store, log, "cannot be used");
        return NULL;
    }
    sqlite3_reset(*st);
    sqlite3_clear_bindings(*st);
    return *st;
}

long long fr_store_number(struct fr_store *store, const char *sql, long long none, int *status, struct fr_log *log)
{
    long long number = none;
    int rc = SQLITE_ERROR;
    sqlite3_stmt *st = fr_store_prepare(store, sql, log);
    if (st) {
        rc = sqlite3_step(st);
        if (rc == SQLITE_ROW)
            number = sqlite3_column_int64(st, 0);
        else if (rc != SQLITE_DONE)
            fr_store_error(store, log, "cannot be read");
        sqlite3_finalize(st);
    }
    if (status)
        *status = rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : -1;
    return number;
}

long long fr_store_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- lists of ids ---- */

int fr_store_list_add(struct fr_store *store, struct fr_store_list *list, long long id, struct fr_log *log)
{
    if (list->n == list->alloc) {
        size_t alloc = list->alloc ? list->alloc * 2 : 64;
        long long *more = realloc(list->id, alloc * sizeof *more);
        if (!more)
            return fr_log_error(log, store->path, 0, "out of memory");
        list->id = more;
        list->alloc = alloc;
    }
    list->id[list->n++] = id;
    return 0;
}

int fr_store_list_collect(struct fr_store *store, sqlite3_stmt *st, struct fr_store_list *list, struct fr_log *log)
{
    int rc = SQLITE_ERROR;
    while (st && (rc = sqlite3_step(st)) == SQLITE_ROW)
        if (fr_store_list_add(store, list, sqlite3_column_int64(st, 0), log) != 0)
            break;
    if (st && rc != SQLITE_ROW && rc != SQLITE_DONE)
        fr_store_error(store, log, "cannot be read");
    sqlite3_finalize(st);
    return rc == SQLITE_DONE ? 0 : -1;
}

static int by_number(const void *a, const void *b)
{
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}

void fr_store_list_sort(struct fr_store_list *list)
{
    size_t n = 0;
    if (list->n)
        qsort(list->id, list->n, sizeof *list->id, by_number);
    for (size_t i = 0; i < list->n; i++)
        if (!i || list->id[i] != list->id[n - 1])
            list->id[n++] = list->id[i];
    list->n = n;
}

/* ---- transactions ---- */

int fr_store_begin(struct fr_store *store, struct fr_log *log)
{
    if (store->db && !sqlite3_get_autocommit(store->db))
        return 0;
    if (store->mode == FR_STORE_READ)
        return fr_log_error(log, store->path, 0, "was opened for reading alone, nothing was changed");
    /* IMMEDIATE: the lock is taken at once and waited for; a transaction that read first could not wait for it. */
    if (fr_store_exec(store, "BEGIN IMMEDIATE", "cannot be written", log) != 0)
        return -1;
    store->pending = 0;
    store->early = false;
    store->began_ms = fr_store_now_ms();
    int status;
    sqlite3_int64 version = fr_store_number(store, "PRAGMA data_version", 0, &status, log);
    if (status != 0) {
        fr_store_rollback(store);
        return -1;
    }
    if (version != store->data_version) {
        fr_store_forget(store);
        fr_store_known_forget(store);
    }
    store->last.known = false;
    store->data_version = version;
    return 0;
}

void fr_store_rollback(struct fr_store *store)
{
    for (int i = 0; i < FR_ST_COUNT; i++)
        sqlite3_reset(store->statements[i]);
    if (store->db && !sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    store->pending = 0;
    store->early = store->dropped = false;
    fr_store_forget(store);
}

void fr_store_forget(struct fr_store *store)
{
    fr_store_words_forget(store);
    fr_store_shapes_forget(store);
    store->lines.word = 0;
    store->last.known = false;
    if (store->bulk)
        fr_store_bulk_forget(store);
}

/* ---- words ---- */

void fr_store_words_forget(struct fr_store *store)
{
    for (size_t i = 0; i < store->words_alloc; i++)
        free(store->words[i].text);
    free(store->words);
    store->words = NULL;
    store->words_n = store->words_alloc = 0;
}

uint64_t fr_store_hash(const char *s)
{
    uint64_t h = 14695981039346656037u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211u;
    return h ^ h >> 32;
}

/* The slot of that text, or the free one where it belongs. */
static struct fr_word *slot(struct fr_word *words, size_t alloc, const char *text)
{
    size_t i = (size_t)fr_store_hash(text) & (alloc - 1);
    while (words[i].text && strcmp(words[i].text, text) != 0)
        i = (i + 1) & (alloc - 1);
    return &words[i];
}

enum {
    WORDS_MAX = 1 << 15, /* of a cache; then it begins anew */
    WORD_LONG = 256      /* longer ones hardly come twice */
};

/* Room for one more. Without memory the cache is simply not used. */
static bool grow(struct fr_store *store)
{
    if (store->words_n >= WORDS_MAX)
        fr_store_words_forget(store);
    if (store->words_n * 2 < store->words_alloc)
        return true;
    size_t alloc = store->words_alloc ? store->words_alloc * 2 : 1024;
    struct fr_word *words = calloc(alloc, sizeof *words);
    if (!words)
        return false;
    for (size_t i = 0; i < store->words_alloc; i++)
        if (store->words[i].text)
            *slot(words, alloc, store->words[i].text) = store->words[i];
    free(store->words);
    store->words = words;
    store->words_alloc = alloc;
    return true;
}

/* Most that are not at hand are new. */
static sqlite3_int64 word_in_database(struct fr_store *store, const char *text, struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_statement(store, FR_ST_WORD_ADD, log);
    if (!st)
        return -1;
    sqlite3_bind_text(st, 1, text, -1, SQLITE_STATIC);
    if (fr_store_step(store, st, log) != 0)
        return -1;
    if (sqlite3_changes(store->db))
        return sqlite3_last_insert_rowid(store->db);
    st = fr_store_statement(store, FR_ST_WORD_GET, log);
    if (!st)
        return -1;
    sqlite3_bind_text(st, 1, text, -1, SQLITE_STATIC);
    int rc = sqlite3_step(st);
    sqlite3_int64 id = rc == SQLITE_ROW ? sqlite3_column_int64(st, 0) : fr_store_error(store, log, "cannot be read");
    sqlite3_reset(st);
    return id;
}

sqlite3_int64 fr_store_word(struct fr_store *store, const char *text, struct fr_log *log)
{
    if (!text)
        return 0;
    if (store->words_alloc) {
        struct fr_word *found = slot(store->words, store->words_alloc, text);
        if (found->text)
            return found->id;
    }
    sqlite3_int64 id = word_in_database(store, text, log);
    if (id > 0 && strlen(text) < WORD_LONG && grow(store)) {
        struct fr_word *w = slot(store->words, store->words_alloc, text);
        w->text = strdup(text);
        w->id = id;
        if (w->text)
            store->words_n++;
    }
    return id;
}
