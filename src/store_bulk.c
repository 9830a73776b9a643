/*
 * store_bulk.c: many rows by one statement, which is a fraction of what a statement a row costs: the rows stand in
 * memory until there are enough, and a virtual table of SQLite, `bulk`, shows those of one statement at a time to its
 * `INSERT ... SELECT`. See store_db.h.
 */
#include "store_db.h"

#include "banned.h"

enum {
    COLUMNS = 21,     /* of the widest statement */
    BEGIN_ROWS = 64,  /* of a statement */
    MANY_ROWS = 1024, /* of all together */
    MANY_BYTES = 1 << 20
};

static const char declaration[] =
    "CREATE TABLE bulk (c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20)";

struct rows {
    struct fr_bulk_cell (*row)[COLUMNS];
    size_t n, alloc;
};

struct fr_bulk {
    struct rows of[FR_ST_BULK_COUNT];
    const struct rows *shown; /* to the statement that runs */
    size_t n;                 /* of all */
};

static int connect(sqlite3 *db, void *bulk, int argc, const char *const *argv, sqlite3_vtab **out, char **why)
{
    (void)argc, (void)argv, (void)why;
    return fr_module_connect(db, declaration, bulk, out);
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
    (void)table;
    return fr_module_open(sizeof(struct fr_module_cursor), out);
}

/* The row that the cursor is at. */
static sqlite3_int64 *row_of(sqlite3_vtab_cursor *cursor)
{
    return &((struct fr_module_cursor *)(void *)cursor)->row;
}

static const struct rows *rows_of(sqlite3_vtab_cursor *cursor)
{
    return ((const struct fr_bulk *)((const struct fr_module_table *)(const void *)cursor->pVtab)->owner)->shown;
}

static int filter(sqlite3_vtab_cursor *cursor, int number, const char *text, int argc, sqlite3_value **argv)
{
    (void)number, (void)text, (void)argc, (void)argv;
    *row_of(cursor) = 0;
    return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor)
{
    ++*row_of(cursor);
    return SQLITE_OK;
}

static int at_end(sqlite3_vtab_cursor *cursor)
{
    const struct rows *rows = rows_of(cursor);
    return !rows || *row_of(cursor) >= (sqlite3_int64)rows->n;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *out, int i)
{
    const struct fr_bulk_cell *cell = &rows_of(cursor)->row[*row_of(cursor)][i];
    switch (cell->kind) {
    case FR_BULK_IS_INTEGER:
        sqlite3_result_int64(out, cell->integer);
        break;
    case FR_BULK_IS_REAL:
        sqlite3_result_double(out, cell->real);
        break;
    case FR_BULK_IS_TEXT:
        sqlite3_result_text(out, cell->text, -1, SQLITE_STATIC);
        break;
    case FR_BULK_IS_NULL:
        break; /* nothing set: NULL */
    }
    return SQLITE_OK;
}

static const sqlite3_module module =
    FR_MODULE(connect, best_index, open_cursor, fr_module_close, filter, next, at_end, column);

static void release(void *bulk)
{
    struct fr_bulk *b = bulk;
    for (size_t i = 0; i < FR_ST_BULK_COUNT; i++)
        free(b->of[i].row);
    free(b);
}

static int make(struct fr_store *store, struct fr_log *log)
{
    struct fr_bulk *bulk = calloc(1, sizeof *bulk);
    if (!bulk)
        return fr_log_error(log, store->path, 0, "out of memory");
    if (sqlite3_create_module_v2(store->db, "bulk", &module, bulk, release) != SQLITE_OK) /* releases it */
        return fr_store_error(store, log, "cannot be used");
    store->bulk = bulk;
    return 0;
}

int fr_store_bulk_begin(struct fr_store *store, struct fr_log *log)
{
    if (!store->bulk && make(store, log) != 0)
        return -1;
    if (store->last.known)
        return 0;
    const struct {
        sqlite3_int64 *last;
        const char *sql;
    } ids[] = {{&store->last.run, "SELECT seq FROM sqlite_sequence WHERE name = 'run'"},
               {&store->last.test, "SELECT max(test_id) FROM test"},
               {&store->last.hist, "SELECT max(hist_id) FROM hist"},
               {&store->last.shape, "SELECT max(shape_id) FROM shape"},
               {&store->last.log, "SELECT max(log_id) FROM log"}};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        int status;
        *ids[i].last = fr_store_number(store, ids[i].sql, 0, &status, log);
        if (status != 0)
            return -1;
    }
    store->last.known = true;
    return 0;
}

struct fr_bulk_cell *fr_store_bulk_row(struct fr_store *store, enum fr_statement id, struct fr_log *log)
{
    struct rows *r = &store->bulk->of[id];
    if (r->n == r->alloc) {
        size_t alloc = r->alloc ? r->alloc * 2 : BEGIN_ROWS;
        void *row = realloc(r->row, alloc * sizeof *r->row);
        if (!row) {
            fr_log_error(log, store->path, 0, "out of memory");
            return NULL;
        }
        r->row = row;
        r->alloc = alloc;
    }
    memset(r->row[r->n], 0, sizeof r->row[r->n]);
    store->bulk->n++;
    return r->row[r->n++];
}

int fr_store_bulk_insert(struct fr_store *store, struct fr_log *log)
{
    struct fr_bulk *b = store->bulk;
    int rc = 0;
    for (int i = 0; i < FR_ST_BULK_COUNT && rc == 0; i++) {
        if (!b->of[i].n)
            continue;
        sqlite3_stmt *st = fr_store_statement(store, (enum fr_statement)i, log);
        b->shown = &b->of[i];
        rc = st ? fr_store_step(store, st, log) : -1;
        b->shown = NULL;
    }
    fr_store_bulk_forget(store);
    return rc;
}

int fr_store_bulk_insert_many(struct fr_store *store, struct fr_log *log)
{
    bool many = store->bulk->n >= MANY_ROWS || store->texts.used >= MANY_BYTES;
    return !many ? 0 : fr_store_bulk_insert(store, log);
}

void fr_store_bulk_forget(struct fr_store *store)
{
    for (size_t i = 0; i < FR_ST_BULK_COUNT; i++)
        store->bulk->of[i].n = 0;
    store->bulk->n = 0;
    fr_arena_release(&store->texts);
}
