/* store_chunk.c: the packed samples of series going in, some before the rest of their source. See store.h. */
#include "store_db.h"

#include "banned.h"

int fr_store_chunk_add(struct fr_store *store, sqlite3_int64 series_id, const struct fr_chunk *chunk,
                       struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_statement(store, FR_ST_CHUNK_ADD, log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, series_id);
    sqlite3_bind_int(st, 2, chunk->no);
    sqlite3_bind_int64(st, 3, chunk->n);
    sqlite3_bind_int64(st, 4, chunk->t0);
    sqlite3_bind_int64(st, 5, chunk->t1);
    sqlite3_bind_int64(st, 6, chunk->min);
    sqlite3_bind_int64(st, 7, chunk->max);
    sqlite3_bind_blob64(st, 8, chunk->data, chunk->size, SQLITE_STATIC);
    return fr_store_step(store, st, log);
}

/* The transaction that holds early chunks: their series is not there yet, which is looked at when it ends. */
static int begin(struct fr_store *store, struct fr_log *log)
{
    if (store->early)
        return 0;
    if (fr_store_begin(store, log) != 0 || fr_store_bulk_begin(store, log) != 0 ||
        fr_store_exec(store, "PRAGMA defer_foreign_keys = ON", "cannot be written", log) != 0)
        return -1;
    store->early = true;
    return 0;
}

int fr_store_chunk_early(struct fr_store *store, struct fr_series *series, const struct fr_chunk *chunk,
                         struct fr_log *log)
{
    if (begin(store, log) != 0)
        return -1;
    if (!series->taken)
        series->taken = ++store->last.log;
    return fr_store_chunk_add(store, series->taken, chunk, log);
}

void fr_store_chunks_forget(struct fr_store *store)
{
    if (store->early)
        fr_store_rollback(store);
}

sqlite3_int64 fr_store_series_id(struct fr_store *store, const struct fr_series *series, struct fr_log *log)
{
    if (!series->taken)
        return ++store->last.log;
    /* SQLite rolls everything back by itself when the disk is full. */
    if (!store->early || sqlite3_get_autocommit(store->db))
        return fr_log_error(log, store->path, 0, "cannot be written: samples that were written before are gone");
    return series->taken;
}
