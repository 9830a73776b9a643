/*
 * store_known.c: is a source in the database already? Who ingests a folder asks that of each of its files, before it is
 * parsed and outside of the lock, and nearly always the answer is no: so hashes of all names and contents are at hand,
 * and the database is asked only where one of them matches, or where few are asked at all.
 */
#include "store_db.h"

#include "banned.h"

enum {
    ASKED_FIRST = 64,      /* of the database, before the hashes are loaded */
    SOURCES_MAX = 1 << 18, /* of a database whose hashes are loaded */
    BEGIN = 1024           /* places */
};

/* The place of that hash, or the free one where it belongs. 0 is free. */
static uint64_t *place_of(uint64_t *at, size_t alloc, uint64_t hash)
{
    size_t i = hash & (alloc - 1);
    while (at[i] && at[i] != hash)
        i = (i + 1) & (alloc - 1);
    return &at[i];
}

static bool has(const struct fr_store_known *k, const char *text)
{
    return *place_of(k->at, k->alloc, fr_store_hash(text) | 1) != 0;
}

/* Without memory for it they are not used any more. */
static void put(struct fr_store_known *k, const char *text)
{
    uint64_t hash = fr_store_hash(text) | 1;
    if (k->n * 2 >= k->alloc) {
        size_t alloc = k->alloc ? k->alloc * 2 : BEGIN;
        uint64_t *at = calloc(alloc, sizeof *at);
        if (!at) {
            k->loaded = false;
            k->asked = 0;
            return;
        }
        for (size_t i = 0; i < k->alloc; i++)
            if (k->at[i])
                *place_of(at, alloc, k->at[i]) = k->at[i];
        free(k->at);
        k->at = at;
        k->alloc = alloc;
    }
    uint64_t *place = place_of(k->at, k->alloc, hash);
    k->n += *place == 0;
    *place = hash;
}

void fr_store_known_forget(struct fr_store *store)
{
    free(store->known.at);
    store->known = (struct fr_store_known){.at = NULL};
}

void fr_store_known_add(struct fr_store *store, const struct fr_source *source)
{
    if (!store->known.loaded)
        return;
    put(&store->known, source->name);
    put(&store->known, source->sha256);
}

static int load(struct fr_store *store, struct fr_log *log)
{
    int status, rc;
    struct fr_store_known *k = &store->known;
    if (fr_store_number(store, "SELECT count(*) FROM source", 0, &status, log) > SOURCES_MAX || status != 0)
        return status;
    sqlite3_stmt *st = fr_store_prepare(store, "SELECT name, sha256 FROM source", log);
    if (!st)
        return -1;
    k->loaded = true;
    put(k, "");
    while ((rc = sqlite3_step(st)) == SQLITE_ROW && k->loaded)
        for (int i = 0; i < 2 && k->loaded; i++)
            put(k, (const char *)sqlite3_column_text(st, i));
    if (rc != SQLITE_DONE && rc != SQLITE_ROW)
        fr_store_error(store, log, "cannot be read");
    sqlite3_finalize(st);
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? 0 : -1;
}

/* In the database itself. */
static int look(struct fr_store *store, const struct fr_source *source, struct fr_strbuf *other, struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_statement(store, FR_ST_SOURCE_KNOWN, log);
    if (!st)
        return -1;
    sqlite3_bind_text(st, 1, source->sha256, -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 2, source->name, -1, SQLITE_STATIC);
    int rc = sqlite3_step(st), found = FR_NEW;
    if (rc == SQLITE_ROW) {
        found = sqlite3_column_int(st, 0) == 1 ? FR_KNOWN_CONTENT : FR_KNOWN_NAME;
        fr_strbuf_reset(other);
        fr_strbuf_addstr(other, (const char *)sqlite3_column_text(st, 1));
    }
    sqlite3_reset(st);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? found : fr_store_error(store, log, "cannot be read");
}

int fr_store_known(struct fr_store *store, const struct fr_source *source, struct fr_strbuf *other, struct fr_log *log)
{
    struct fr_store_known *k = &store->known;
    if (!k->loaded && k->asked++ == ASKED_FIRST && load(store, log) != 0)
        return -1;
    if (k->loaded && !has(k, source->sha256) && !has(k, source->name))
        return FR_NEW;
    return look(store, source, other, log);
}

int fr_store_has_size(struct fr_store *store, long long size, struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_prepare(store, "SELECT 1 FROM source WHERE size = ?1 LIMIT 1", log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, size);
    int rc = sqlite3_step(st);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        fr_store_error(store, log, "cannot be read");
    sqlite3_finalize(st);
    return rc == SQLITE_ROW ? 1 : rc == SQLITE_DONE ? 0 : -1;
}
