/*
 * store_vtab.c: `samples`, the full resolution of all series as a table, for a person's SQL. See docs/schema.md.
 *
 * A table without a name in the schema (SQLite calls it eponymous): it is there on our own connections and leaves
 * nothing in the file. It can only be read, and only from the statement itself, not from a view or trigger that a
 * database from elsewhere brings along. What is asked of its key columns and of t is handed to the tables behind it, so
 * that chunks which hold nothing of that are not even read; SQLite checks every row again.
 */
#include "store_db.h"

#include <math.h>

#include "banned.h"

enum column {
    C_SERIES,
    C_RUN,
    C_TEST,
    C_OP,
    C_METRIC,
    C_KEYS, /* so many columns say which series it is */
    C_KIND = C_KEYS,
    C_T,
    C_VALUE,
    C_EXTRA /* the columns of series.h, in the order of their bits */
};

static const char declaration[] =
    "CREATE TABLE samples (series_id INTEGER, run_id INTEGER, test_no INTEGER, op TEXT, metric TEXT, kind TEXT, "
    "t REAL, value REAL, bs INTEGER, \"offset\" INTEGER, prio INTEGER, issued REAL, max REAL)";

static const char *const key_sql[C_KEYS] = {
    [C_SERIES] = "l.log_id", [C_RUN] = "t.run_id", [C_TEST] = "t.test_no", [C_OP] = "o.name", [C_METRIC] = "m.name"};

enum { SINCE = C_KEYS, UNTIL, BOUNDS }; /* what else may be asked: t above, t below */

struct samples_cursor {
    struct fr_module_cursor common;
    sqlite3_stmt *st; /* a row a chunk; the bytes that `in` reads are the row's */
    struct fr_chunk_reader in;
    struct fr_sample at;
    double step;
    unsigned columns;
    bool end;
};

static int samples_connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out, char **error)
{
    (void)aux, (void)argc, (void)argv, (void)error;
    sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
    return fr_module_connect(db, declaration, db, out);
}

/* Which of what may be asked is that? -1: none. */
static int asked(sqlite3_index_info *info, int i)
{
    int column = info->aConstraint[i].iColumn, op = info->aConstraint[i].op;
    if (!info->aConstraint[i].usable)
        return -1;
    if (column == C_T && (op == SQLITE_INDEX_CONSTRAINT_GE || op == SQLITE_INDEX_CONSTRAINT_GT))
        return SINCE;
    if (column == C_T && (op == SQLITE_INDEX_CONSTRAINT_LE || op == SQLITE_INDEX_CONSTRAINT_LT))
        return UNTIL;
    if (column < 0 || column >= C_KEYS || op != SQLITE_INDEX_CONSTRAINT_EQ)
        return -1;
    /* Compared without regard to case there would be more rows. */
    if ((column == C_OP || column == C_METRIC) && sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") != 0)
        return -1;
    return column;
}

/* idxNum: a bit for each that was asked; they come as arguments in the order of the bits. */
static int samples_best(sqlite3_vtab *table, sqlite3_index_info *info)
{
    int of[BOUNDS], n = 0;
    (void)table;
    for (int k = 0; k < BOUNDS; k++)
        of[k] = -1;
    for (int i = 0; i < info->nConstraint; i++) {
        int k = asked(info, i);
        if (k >= 0 && of[k] < 0)
            of[k] = i;
    }
    info->estimatedCost = 1e9;
    for (int k = 0; k < BOUNDS; k++) {
        if (of[k] < 0)
            continue;
        info->aConstraintUsage[of[k]].argvIndex = ++n;
        info->idxNum |= 1 << k;
        info->estimatedCost /= k == C_SERIES ? 1e5 : k == C_RUN ? 1e4 : 4;
    }
    info->estimatedRows = (sqlite3_int64)info->estimatedCost + 1;
    return SQLITE_OK;
}

static int samples_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    (void)table;
    return fr_module_open(sizeof(struct samples_cursor), out);
}

static int samples_close(sqlite3_vtab_cursor *cursor)
{
    struct samples_cursor *c = (struct samples_cursor *)cursor;
    sqlite3_finalize(c->st);
    return fr_module_close(cursor);
}

/* The next sample, from the next chunk where this one has no more. */
static int samples_next(sqlite3_vtab_cursor *cursor)
{
    struct samples_cursor *c = (struct samples_cursor *)cursor;
    c->common.row++;
    while (!fr_chunk_next(&c->in, &c->at)) {
        if (c->in.bad)
            return SQLITE_CORRUPT_VTAB;
        int rc = sqlite3_step(c->st);
        if (rc != SQLITE_ROW) {
            c->end = true;
            return rc == SQLITE_DONE ? SQLITE_OK : rc;
        }
        c->step = sqlite3_column_double(c->st, 6);
        c->columns = (unsigned)sqlite3_column_int(c->st, 7);
        fr_chunk_reader_init(&c->in, sqlite3_column_blob(c->st, 9), (size_t)sqlite3_column_bytes(c->st, 9),
                             (uint32_t)sqlite3_column_int64(c->st, 8), c->columns);
    }
    return SQLITE_OK;
}

static void add_conditions(struct fr_strbuf *sql, int index)
{
    for (int k = 0; k < C_KEYS; k++)
        if (index >> k & 1)
            fr_strbuf_addf(sql, " AND %s = ?%d", key_sql[k], k + 1);
    if (index >> SINCE & 1)
        fr_strbuf_addf(sql, " AND c.t1 >= ?%d", SINCE + 1);
    if (index >> UNTIL & 1)
        fr_strbuf_addf(sql, " AND c.t0 <= ?%d", UNTIL + 1);
}

/* A bound of t in milliseconds, a little wider. What is no number is no bound here. */
static void bind_bound(sqlite3_stmt *st, int k, sqlite3_value *value)
{
    int type = sqlite3_value_numeric_type(value);
    double wide = k == SINCE ? -1 : 1, t = wide * INFINITY;
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
        t = sqlite3_value_double(value) * 1000 + wide;
    sqlite3_bind_double(st, k + 1, t);
}

static int samples_filter(sqlite3_vtab_cursor *cursor, int index, const char *name, int argc, sqlite3_value **argv)
{
    struct samples_cursor *c = (struct samples_cursor *)cursor;
    sqlite3 *db = ((struct fr_module_table *)cursor->pVtab)->owner;
    struct fr_strbuf sql = FR_STRBUF_INIT;
    (void)name, (void)argc;
    sqlite3_finalize(c->st);
    *c = (struct samples_cursor){.common.base = c->common.base};
    fr_strbuf_addstr(&sql,
                     "SELECT l.log_id, t.run_id, t.test_no, o.name, m.name, l.kind, l.step, l.columns, c.n, c.data "
                     "FROM log l JOIN test t ON t.test_id = l.test_id JOIN op o ON o.op_id = l.op_id "
                     "JOIN metric m ON m.metric_id = l.metric_id JOIN chunk c ON c.log_id = l.log_id WHERE true");
    add_conditions(&sql, index);
    fr_strbuf_addstr(&sql, " ORDER BY l.log_id, c.no");
    int rc = sqlite3_prepare_v2(db, fr_strbuf_str(&sql), -1, &c->st, NULL);
    fr_strbuf_release(&sql);
    if (rc != SQLITE_OK)
        return rc;
    for (int k = 0, i = 0; k < BOUNDS; k++) {
        if (!(index >> k & 1))
            continue;
        if (k < C_KEYS)
            sqlite3_bind_value(c->st, k + 1, argv[i++]);
        else
            bind_bound(c->st, k, argv[i++]);
    }
    return samples_next(cursor);
}

static int samples_eof(sqlite3_vtab_cursor *cursor)
{
    return ((struct samples_cursor *)cursor)->end;
}

/* One of the extra columns; NULL where the series does not have it. `bit`: its number. */
static void extra(sqlite3_context *out, const struct samples_cursor *c, unsigned bit)
{
    int place = 0;
    if (!(c->columns >> bit & 1))
        return;
    for (unsigned i = 0; i < bit; i++)
        place += (c->columns >> i & 1) != 0;
    int64_t v = c->at.extra[place];
    switch (1U << bit) {
    case FR_COL_ISSUE:
        sqlite3_result_double(out, (double)v / 1e9);
        break;
    case FR_COL_MAX:
        sqlite3_result_double(out, fr_series_base((double)v, c->step));
        break;
    default:
        if (v || 1U << bit != FR_COL_BS) /* a block size of 0 stands where the line is an average */
            sqlite3_result_int64(out, v);
        break;
    }
}

static int samples_column(sqlite3_vtab_cursor *cursor, sqlite3_context *out, int column)
{
    struct samples_cursor *c = (struct samples_cursor *)cursor;
    switch (column) {
    case C_KIND:
        sqlite3_result_text(out, sqlite3_column_int(c->st, 5) == FR_KIND_INTERVAL ? "interval" : "log", -1,
                            SQLITE_STATIC);
        break;
    case C_T:
        sqlite3_result_double(out, (double)c->at.t / 1000);
        break;
    case C_VALUE:
        sqlite3_result_double(out, fr_series_base((double)c->at.value, c->step));
        break;
    default:
        if (column < C_KEYS)
            sqlite3_result_value(out, sqlite3_column_value(c->st, column));
        else if (column >= C_EXTRA)
            extra(out, c, (unsigned)(column - C_EXTRA));
        break;
    }
    return SQLITE_OK;
}

static const sqlite3_module samples = FR_MODULE(samples_connect, samples_best, samples_open, samples_close,
                                                samples_filter, samples_next, samples_eof, samples_column);

int fr_store_samples(struct fr_store *store)
{
    return sqlite3_create_module_v2(store->db, "samples", &samples, NULL, NULL);
}
