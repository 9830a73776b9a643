/* store_schema.c: making the schema, bringing an older one forward, refusing what is not ours. */
#include "store_db.h"

#include "banned.h"

static const char *const schema[] = {
#include "schema.inc"
};

/* { 3, "ALTER TABLE ..." } brings schema 3 to 4. schema.sql always holds the newest. */
const struct fr_migration fr_store_migrations[] = {{0, NULL}};

static int add_metric(struct fr_store *store, const struct fr_metric *m, struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_prepare(
        store, "INSERT OR IGNORE INTO metric (name, unit, better, title) VALUES (?1, ?2, ?3, ?4)", log);
    if (!st)
        return -1;
    sqlite3_bind_text(st, 1, m->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 2, fr_unit_base(m->dim), -1, SQLITE_STATIC);
    sqlite3_bind_int(st, 3, (int)m->better);
    sqlite3_bind_text(st, 4, m->title, -1, SQLITE_STATIC);
    int rc = sqlite3_step(st);
    if (rc != SQLITE_DONE)
        fr_store_error(store, log, "cannot be written");
    sqlite3_finalize(st);
    return rc == SQLITE_DONE ? 0 : -1;
}

/* Those that the database is not known to have. */
static int add_metrics(struct fr_store *store, struct fr_log *log)
{
    for (int i = 0; i < FR_M_COUNT; i++)
        if (!store->metric_id[i] && add_metric(store, fr_metric_get((enum fr_metric_id)i), log) != 0)
            return -1;
    return 0;
}

static int make(struct fr_store *store, int newest, struct fr_log *log)
{
    struct fr_strbuf sql = FR_STRBUF_INIT;
    for (size_t i = 0; i < sizeof schema / sizeof *schema; i++)
        fr_strbuf_addstr(&sql, schema[i]);
    for (int i = 0; i < FR_OP_COUNT; i++)
        fr_strbuf_addf(&sql, "INSERT INTO op VALUES (%d, '%s');\n", i, fr_op_name((enum fr_op)i));
    fr_strbuf_addf(&sql, "PRAGMA application_id = %d; PRAGMA user_version = %d;", FR_STORE_APPLICATION, newest);
    int rc = fr_store_exec(store, fr_strbuf_str(&sql), "cannot be made", log);
    fr_strbuf_release(&sql);
    return rc == 0 ? add_metrics(store, log) : -1;
}

static int migrate(struct fr_store *store, const struct fr_migration *steps, int version, int newest,
                   struct fr_log *log)
{
    for (; version < newest; version++) {
        const struct fr_migration *step = steps;
        while (step->from && step->from != version)
            step++;
        if (!step->from)
            return fr_log_error(log, store->path, 0, "has schema %d, from which there is no way to %d; left as it is",
                                version, newest);
        if (fr_store_exec(store, step->sql, "cannot be brought to the new schema", log) != 0)
            return -1;
    }
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d", newest);
    return fr_store_exec(store, sql, "cannot be brought to the new schema", log);
}

enum state { STATE_ERROR = -1, STATE_EMPTY, STATE_OURS };

/* What lies there, and its version. A message for what cannot be used. */
static enum state look(struct fr_store *store, int newest, int *version, struct fr_log *log)
{
    int status;
    long long tables = fr_store_number(store, "SELECT count(*) FROM sqlite_schema", 0, &status, log);
    if (status != 0)
        return STATE_ERROR;
    long long application = fr_store_number(store, "PRAGMA application_id", 0, &status, log);
    *version = (int)fr_store_number(store, "PRAGMA user_version", 0, NULL, log);
    if (status != 0)
        return STATE_ERROR;
    if (tables == 0 && application == 0 && *version == 0)
        return STATE_EMPTY;
    if (application != FR_STORE_APPLICATION) {
        fr_log_error(log, store->path, 0, "is another program's SQLite database, left as it is");
        return STATE_ERROR;
    }
    if (*version > newest) {
        fr_log_error(log, store->path, 0,
                     "was written by a newer fioreport (schema %d, this one knows %d), left as it is; use that one",
                     *version, newest);
        return STATE_ERROR;
    }
    if (*version < FR_STORE_OLDEST) {
        fr_log_error(log, store->path, 0,
                     "was made by a build before the first release (schema %d), left as it is; "
                     "ingest its sources into a new database",
                     *version);
        return STATE_ERROR;
    }
    return STATE_OURS;
}

/* Within the write transaction: somebody else may have been quicker, so look again. */
static int make_or_migrate(struct fr_store *store, const struct fr_migration *steps, int newest, struct fr_log *log)
{
    int version;
    enum state state = look(store, newest, &version, log);
    if (state == STATE_ERROR)
        return -1;
    if (state == STATE_EMPTY)
        return make(store, newest, log);
    if (version == newest)
        return 0;
    if (migrate(store, steps, version, newest, log) != 0)
        return -1;
    fr_log_note(log, store->path, 0, "brought from schema %d to %d", version, newest);
    return 0;
}

int fr_store_schema(struct fr_store *store, const struct fr_migration *steps, int newest, struct fr_log *log)
{
    int version;
    enum state state = look(store, newest, &version, log);
    if (state == STATE_ERROR)
        return -1;
    if (state == STATE_OURS && version == newest)
        return 0;
    if (store->mode == FR_STORE_READ && state == STATE_EMPTY)
        return fr_log_error(log, store->path, 0, "is empty, no fioreport database");
    if (store->mode == FR_STORE_READ)
        return fr_log_error(log, store->path, 0,
                            "has the older schema %d; any command that writes (fioreport ingest) brings it to %d",
                            version, newest);
    if (fr_store_begin(store, log) != 0)
        return -1;
    if (make_or_migrate(store, steps, newest, log) != 0 || fr_store_exec(store, "COMMIT", "cannot be made", log) != 0) {
        fr_store_rollback(store);
        return -1;
    }
    return 0;
}

/* ---- metrics: numbered by the database, known by name, so that the list may grow and change its order ---- */

static int load_metrics(struct fr_store *store, struct fr_log *log)
{
    memset(store->metric_id, 0, sizeof store->metric_id);
    sqlite3_stmt *st = fr_store_prepare(store, "SELECT metric_id, name FROM metric", log);
    if (!st)
        return -1;
    int rc;
    while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
        int metric = fr_metric_find(fr_str((const char *)sqlite3_column_text(st, 1)));
        if (metric >= 0)
            store->metric_id[metric] = sqlite3_column_int(st, 0);
    }
    if (rc != SQLITE_DONE)
        fr_store_error(store, log, "cannot be read");
    sqlite3_finalize(st);
    return rc == SQLITE_DONE ? 0 : -1;
}

int fr_store_metrics(struct fr_store *store, struct fr_log *log)
{
    if (load_metrics(store, log) != 0)
        return -1;
    bool missing = false;
    for (int i = 0; i < FR_M_COUNT; i++)
        missing |= !store->metric_id[i];
    if (!missing || store->mode == FR_STORE_READ)
        return 0;
    if (fr_store_begin(store, log) != 0)
        return -1;
    if (add_metrics(store, log) != 0 || fr_store_exec(store, "COMMIT", "cannot be written", log) != 0) {
        fr_store_rollback(store);
        return -1;
    }
    return load_metrics(store, log);
}
