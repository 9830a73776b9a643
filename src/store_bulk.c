/*
 * store_bulk.c: many rows into a table by one statement, which halves what a row costs: the rows stand in memory, and a
 * virtual table of SQLite, `bulk`, shows them to `INSERT ... SELECT`. See store_db.h.
 */
#include "store_db.h"

#include "banned.h"

enum { COLUMNS = 7, BEGIN_ROWS = 64 };

struct fr_bulk {
    struct fr_bulk_cell (*rows)[COLUMNS];
    size_t n, alloc;
};

struct bulk_table {
    sqlite3_vtab base;
    const struct fr_bulk *bulk;
};

struct bulk_cursor {
    sqlite3_vtab_cursor base;
    size_t row;
};

static int connect(sqlite3 *db, void *bulk, int argc, const char *const *argv, sqlite3_vtab **out, char **why)
{
    (void)argc;
    (void)argv;
    (void)why;
    int rc = sqlite3_declare_vtab(db, "CREATE TABLE bulk (a, b, c, d, e, f, g)");
    struct bulk_table *table = rc == SQLITE_OK ? sqlite3_malloc64(sizeof *table) : NULL;
    if (!table)
        return rc == SQLITE_OK ? SQLITE_NOMEM : rc;
    memset(table, 0, sizeof *table);
    table->bulk = bulk;
    *out = &table->base;
    return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *table)
{
    sqlite3_free(table);
    return SQLITE_OK;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    info->estimatedRows = 100;
    info->estimatedCost = 100;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    struct bulk_cursor *cursor = sqlite3_malloc64(sizeof *cursor);
    (void)table;
    if (!cursor)
        return SQLITE_NOMEM;
    memset(cursor, 0, sizeof *cursor);
    *out = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    sqlite3_free(cursor);
    return SQLITE_OK;
}

/* SQLite hands out what open_cursor gave it: its first member, so the address of the whole. */
static struct bulk_cursor *cursor_of(sqlite3_vtab_cursor *cursor)
{
    return (struct bulk_cursor *)(void *)cursor;
}

static const struct fr_bulk *bulk_of(sqlite3_vtab_cursor *cursor)
{
    return ((const struct bulk_table *)(const void *)cursor->pVtab)->bulk;
}

static int filter(sqlite3_vtab_cursor *cursor, int number, const char *text, int argc, sqlite3_value **argv)
{
    (void)number;
    (void)text;
    (void)argc;
    (void)argv;
    cursor_of(cursor)->row = 0;
    return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor)
{
    cursor_of(cursor)->row++;
    return SQLITE_OK;
}

static int at_end(sqlite3_vtab_cursor *cursor)
{
    return cursor_of(cursor)->row >= bulk_of(cursor)->n;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *out, int i)
{
    const struct fr_bulk_cell *cell = &bulk_of(cursor)->rows[cursor_of(cursor)->row][i];
    if (cell->kind == FR_BULK_IS_INTEGER)
        sqlite3_result_int64(out, cell->integer);
    else if (cell->kind == FR_BULK_IS_REAL)
        sqlite3_result_double(out, cell->real);
    return SQLITE_OK; /* nothing set: NULL */
}

static int row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    *out = (sqlite3_int64)cursor_of(cursor)->row;
    return SQLITE_OK;
}

static const sqlite3_module module = {.xConnect = connect,
                                      .xBestIndex = best_index,
                                      .xDisconnect = disconnect,
                                      .xOpen = open_cursor,
                                      .xClose = close_cursor,
                                      .xFilter = filter,
                                      .xNext = next,
                                      .xEof = at_end,
                                      .xColumn = column,
                                      .xRowid = row_id};

static void release(void *bulk)
{
    struct fr_bulk *b = bulk;
    free(b->rows);
    free(b);
}

int fr_store_bulk_begin(struct fr_store *store, struct fr_log *log)
{
    if (store->bulk)
        return 0;
    struct fr_bulk *bulk = calloc(1, sizeof *bulk);
    if (!bulk)
        return fr_log_error(log, store->path, 0, "out of memory");
    if (sqlite3_create_module_v2(store->db, "bulk", &module, bulk, release) != SQLITE_OK) /* releases it */
        return fr_store_error(store, log, "cannot be used");
    store->bulk = bulk;
    return 0;
}

struct fr_bulk_cell *fr_store_bulk_row(struct fr_store *store, struct fr_log *log)
{
    struct fr_bulk *b = store->bulk;
    if (b->n == b->alloc) {
        size_t alloc = b->alloc ? b->alloc * 2 : BEGIN_ROWS;
        void *rows = realloc(b->rows, alloc * sizeof *b->rows);
        if (!rows) {
            fr_log_error(log, store->path, 0, "out of memory");
            return NULL;
        }
        b->rows = rows;
        b->alloc = alloc;
    }
    memset(b->rows[b->n], 0, sizeof b->rows[b->n]);
    return b->rows[b->n++];
}

int fr_store_bulk_insert(struct fr_store *store, enum fr_statement id, sqlite3_int64 owner, size_t *left_out,
                         struct fr_log *log)
{
    struct fr_bulk *b = store->bulk;
    if (left_out)
        *left_out = 0;
    if (!b->n)
        return 0;
    sqlite3_stmt *st = fr_store_statement(store, id, log);
    int rc = SQLITE_ERROR;
    if (st) {
        sqlite3_bind_int64(st, 1, owner);
        rc = sqlite3_step(st);
        sqlite3_reset(st);
        if (left_out && rc == SQLITE_DONE)
            *left_out = b->n - (size_t)sqlite3_changes(store->db);
    }
    b->n = 0;
    return rc == SQLITE_DONE ? 0 : st ? fr_store_error(store, log, "cannot be written") : -1;
}

void fr_store_bulk_forget(struct fr_store *store)
{
    store->bulk->n = 0;
}
