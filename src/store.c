/* store.c: opening and closing the database. See store.h; how it lies on the disk: store_db.h. */
#include "store_db.h"

#include <errno.h>
#include <sys/stat.h>

#include "banned.h"

static struct fr_store *store_new(const char *path, enum fr_store_mode mode)
{
    struct fr_store *store = calloc(1, sizeof *store);
    if (!store)
        return NULL;
    store->path = strdup(path);
    store->mode = mode;
    store->texts = (struct fr_arena)FR_ARENA_INIT;
    if (!store->path) {
        free(store);
        return NULL;
    }
    return store;
}

/* What is settled for every connection. */
static int settings(struct fr_store *store, struct fr_log *log)
{
    sqlite3_busy_timeout(store->db, FR_STORE_BUSY_MS);
    sqlite3_extended_result_codes(store->db, 1);
    /* A database may come from anywhere: its schema must not run functions, nor be corrupted by SQL. */
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return fr_store_exec(store,
                         "PRAGMA page_size = 16384;" /* of a new file: the samples of a log are few writes */
                         "PRAGMA foreign_keys = ON;"
                         "PRAGMA cache_size = -7000;" /* kB: with it a file of any size is read within 32 MiB */
                         "PRAGMA temp_store = MEMORY;",
                         "cannot be used", log);
}

static int connect(struct fr_store *store, struct fr_log *log)
{
    const char *name = store->path;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    if (store->mode == FR_STORE_MEMORY)
        name = ":memory:";
    if (store->mode == FR_STORE_READ) {
        struct stat st;
        if (stat(name, &st) != 0)
            return fr_log_error(log, name, 0, "cannot be opened (%s)%s", strerror(errno),
                                errno == ENOENT ? "; `fioreport ingest FILE...` makes a database" : "");
        if (S_ISDIR(st.st_mode))
            return fr_log_error(log, name, 0, "is a folder, no database");
    } else {
        flags |= SQLITE_OPEN_CREATE;
    }
    /* Also for reading: what a killed program left half has to be rolled back first. SQLite itself falls back to
     * read-only. */
    int rc = sqlite3_open_v2(name, &store->db, flags, NULL);
    if (rc != SQLITE_OK)
        return fr_store_error_code(store, rc, log, "cannot be opened");
    if (fr_store_samples(store) != SQLITE_OK)
        return fr_store_error(store, log, "cannot be used");
    return settings(store, log);
}

struct fr_store *fr_store_open(const char *path, enum fr_store_mode mode, struct fr_log *log)
{
    struct fr_store *store = store_new(mode == FR_STORE_MEMORY ? "(memory)" : path, mode);
    if (!store) {
        fr_log_error(log, path, 0, "cannot be opened: out of memory");
        return NULL;
    }
    if (connect(store, log) != 0 || fr_store_schema(store, fr_store_migrations, FR_STORE_SCHEMA, log) != 0 ||
        fr_store_metrics(store, log) != 0 ||
        (mode == FR_STORE_READ && fr_store_exec(store, "PRAGMA query_only = ON", "cannot be read", log) != 0)) {
        fr_store_close(store);
        return NULL;
    }
    return store;
}

bool fr_store_failed(const struct fr_store *store)
{
    return store->failed;
}

void fr_store_close(struct fr_store *store)
{
    if (!store)
        return;
    fr_store_rollback(store);
    for (int i = 0; i < FR_ST_COUNT; i++)
        sqlite3_finalize(store->statements[i]);
    sqlite3_close(store->db);
    fr_store_words_forget(store);
    fr_store_shapes_forget(store);
    fr_store_known_forget(store);
    free(store->lines.at);
    fr_values_release(&store->values);
    fr_strbuf_release(&store->text);
    fr_strbuf_release(&store->counts);
    fr_arena_release(&store->texts);
    free(store->path);
    free(store);
}

static bool is_same(const char *a, const struct stat *b)
{
    struct stat x;
    return stat(a, &x) == 0 && x.st_dev == b->st_dev && x.st_ino == b->st_ino;
}

/* Asked for every file there is: the database's own is looked at but once. */
static bool is_database(struct fr_store *store, const struct stat *b)
{
    struct stat x;
    if (!store->inode && stat(store->path, &x) == 0) {
        store->device = x.st_dev;
        store->inode = x.st_ino;
    }
    return store->inode && store->device == b->st_dev && store->inode == b->st_ino;
}

bool fr_store_is_file(struct fr_store *store, const char *path)
{
    static const char *const endings[] = {"-journal", "-wal", "-shm"};
    struct stat st;
    if (store->mode == FR_STORE_MEMORY || stat(path, &st) != 0)
        return false;
    if (is_database(store, &st))
        return true;
    struct fr_strbuf name = FR_STRBUF_INIT;
    bool is = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (!fr_str_ends(fr_str(path), endings[i]))
            continue;
        fr_strbuf_reset(&name);
        fr_strbuf_addf(&name, "%s%s", store->path, endings[i]);
        is |= is_same(fr_strbuf_str(&name), &st);
    }
    fr_strbuf_release(&name);
    return is;
}
