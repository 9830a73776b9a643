/* store_select.c: a person's SELECT, which can change nothing, into a table. See fr_store_select in store.h. */
#include "store_db.h"

#include <math.h>

#include "banned.h"

enum { BLOB_SHOWN = 64 }; /* bytes of a blob that are shown */

/*
 * What a statement may do, beyond what sqlite3_stmt_readonly() sees: pragmas that only tell something; no ATTACH, which
 * would make a file; no transactions, which are ours. Making tables is not judged here: table-valued functions declare
 * theirs in this way.
 */
static int authorize(void *ctx, int action, const char *a, const char *b, const char *c, const char *d)
{
    static const char *const pragmas[] = {
        "table_info",       "table_xinfo",       "table_list",    "index_list",     "index_info",      "user_version",
        "application_id",   "database_list",     "page_count",    "page_size",      "integrity_check", "quick_check",
        "foreign_key_list", "foreign_key_check", "function_list", "compile_options"};
    (void)ctx, (void)c, (void)d;
    switch (action) {
    case SQLITE_FUNCTION:
        return b && sqlite3_stricmp(b, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
        if (b && (sqlite3_stricmp(a, "user_version") == 0 || sqlite3_stricmp(a, "application_id") == 0 ||
                  sqlite3_stricmp(a, "page_size") == 0))
            return SQLITE_DENY; /* with a value they set it */
        for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++)
            if (sqlite3_stricmp(a, pragmas[i]) == 0)
                return SQLITE_OK;
        return SQLITE_DENY;
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_CREATE_TEMP_TRIGGER:
    case SQLITE_ANALYZE:
    case SQLITE_REINDEX:
        return SQLITE_DENY;
    default:
        return SQLITE_OK;
    }
}

/* Is there more than blanks and comments? */
static bool any_statement(struct fr_store *store, const char *sql)
{
    sqlite3_stmt *st = NULL;
    int rc = SQLITE_OK;
    while (rc == SQLITE_OK && !st && *sql)
        rc = sqlite3_prepare_v2(store->db, sql, -1, &st, &sql);
    bool any = st || rc != SQLITE_OK;
    sqlite3_finalize(st);
    return any;
}

static sqlite3_stmt *compile(struct fr_store *store, const char *sql, struct fr_log *log)
{
    sqlite3_stmt *st = NULL;
    const char *tail = "";
    sqlite3_set_authorizer(store->db, authorize, NULL);
    int rc = sqlite3_prepare_v2(store->db, sql, -1, &st, &tail);
    sqlite3_set_authorizer(store->db, NULL, NULL);
    if (rc == SQLITE_AUTH || (st && !sqlite3_stmt_readonly(st)))
        fr_log_error(log, NULL, 0, "the SQL would change something, refused: only SELECT, WITH, VALUES and EXPLAIN");
    else if (rc == SQLITE_ERROR)
        fr_log_error(log, NULL, 0, "the SQL is wrong: %s", sqlite3_errmsg(store->db));
    else if (rc != SQLITE_OK)
        fr_store_error(store, log, "cannot be read");
    else if (!st)
        fr_log_error(log, NULL, 0, "the SQL is empty");
    else if (any_statement(store, tail))
        fr_log_error(log, NULL, 0, "there is more than one statement in the SQL, refused");
    else
        return st;
    sqlite3_finalize(st);
    return NULL;
}

static void blob_cell(struct fr_table *table, struct fr_row *row, int i, sqlite3_stmt *st)
{
    const unsigned char *p = sqlite3_column_blob(st, i);
    int n = sqlite3_column_bytes(st, i);
    struct fr_strbuf hex = FR_STRBUF_INIT;
    fr_strbuf_addstr(&hex, "x'");
    for (int k = 0; k < n && k < BLOB_SHOWN; k++)
        fr_strbuf_addf(&hex, "%02x", p[k]);
    fr_strbuf_addstr(&hex, n > BLOB_SHOWN ? "...'" : "'");
    fr_table_text(table, row, (size_t)i, fr_strbuf_str(&hex));
    fr_strbuf_release(&hex);
}

static void cell(struct fr_table *table, struct fr_row *row, int i, sqlite3_stmt *st)
{
    const sqlite3_int64 exact = (sqlite3_int64)1 << 53; /* beyond it a double would show another number */
    switch (sqlite3_column_type(st, i)) {
    case SQLITE_NULL:
        break;
    case SQLITE_INTEGER: {
        sqlite3_int64 v = sqlite3_column_int64(st, i);
        if (v >= -exact && v <= exact) {
            fr_table_number(table, row, (size_t)i, (double)v);
            break;
        }
        fr_table_text(table, row, (size_t)i, (const char *)sqlite3_column_text(st, i));
        break;
    }
    case SQLITE_FLOAT:
        if (isfinite(sqlite3_column_double(st, i)))
            fr_table_number(table, row, (size_t)i, sqlite3_column_double(st, i));
        else
            fr_table_text(table, row, (size_t)i, (const char *)sqlite3_column_text(st, i));
        break;
    case SQLITE_BLOB:
        blob_cell(table, row, i, st);
        break;
    default:
        fr_table_text(table, row, (size_t)i, (const char *)sqlite3_column_text(st, i));
        break;
    }
}

struct fr_table *fr_store_select(struct fr_store *store, const char *sql, struct fr_log *log)
{
    sqlite3_stmt *st = compile(store, sql, log);
    if (!st)
        return NULL;
    struct fr_table *table = fr_table_new();
    int n = sqlite3_column_count(st), rc;
    for (int i = 0; i < n; i++)
        fr_table_column(table, sqlite3_column_name(st, i), FR_COL_INFO);
    while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
        struct fr_row *row = fr_table_row(table);
        for (int i = 0; i < n; i++)
            cell(table, row, i, st);
    }
    if (rc != SQLITE_DONE) {
        if ((rc & 0xff) == SQLITE_ERROR)
            fr_log_error(log, NULL, 0, "the SQL failed: %s", sqlite3_errmsg(store->db));
        else
            fr_store_error(store, log, "cannot be read");
        fr_table_free(table);
        table = NULL;
    }
    sqlite3_finalize(st);
    return table;
}
