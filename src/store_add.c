/* store_add.c: sources going in, whole or not at all. See store.h. */
#include "store_db.h"

#include <math.h>

#include "banned.h"

/* Where we are, so that the functions below stay short. */
struct adding {
    struct fr_store *store;
    const struct fr_source *source;
    struct fr_batch *batch;
    struct fr_log *log;
    sqlite3_int64 source_id, run_id, test_id;
};

static void bind_text(sqlite3_stmt *st, int i, const char *text)
{
    if (text)
        sqlite3_bind_text(st, i, text, -1, SQLITE_STATIC);
}

/* 0 and NULL stay NULL. */
static void bind_id(sqlite3_stmt *st, int i, sqlite3_int64 id)
{
    if (id > 0)
        sqlite3_bind_int64(st, i, id);
}

static int step(struct adding *a, sqlite3_stmt *st)
{
    int rc = sqlite3_step(st);
    sqlite3_reset(st);
    return rc == SQLITE_DONE ? 0 : fr_store_error(a->store, a->log, "cannot be written");
}

/* *id = the number of a text, 0 for NULL. */
static int word(struct adding *a, const char *text, sqlite3_int64 *id)
{
    *id = fr_store_word(a->store, text, a->log);
    return *id < 0 ? -1 : 0;
}

/* Some were left out: say which. */
static void name_doubles(struct adding *a, const struct fr_test *t)
{
    fr_value_each(v, t) if (fr_value_get(t, (enum fr_op)v->op, (enum fr_metric_id)v->metric, v->stat) != v)
        fr_log_warn(a->log, a->source->name, v->line, "gives %s %s %s of one test twice, kept the first",
                    fr_op_name((enum fr_op)v->op), fr_metric_get((enum fr_metric_id)v->metric)->name, v->stat);
}

static int add_values(struct adding *a, const struct fr_test *t)
{
    size_t doubles;
    fr_value_each(v, t)
    {
        sqlite3_int64 stat, unit;
        struct fr_bulk_cell *row = fr_store_bulk_row(a->store, a->log);
        if (!row || word(a, v->stat, &stat) != 0 || word(a, v->own_unit ? t->unit : NULL, &unit) != 0)
            return -1;
        row[0] = FR_BULK_INTEGER(v->op);
        row[1] = FR_BULK_INTEGER(a->store->metric_id[v->metric]);
        row[2] = FR_BULK_INTEGER(stat);
        row[3] = FR_BULK_REAL(v->value);
        if (v->line)
            row[4] = FR_BULK_INTEGER(v->line);
        if (unit)
            row[5] = FR_BULK_INTEGER(unit);
        if (v->better != FR_BETTER_DEFAULT)
            row[6] = FR_BULK_INTEGER(v->better);
    }
    if (fr_store_bulk_insert(a->store, FR_ST_RESULT_ADD, a->test_id, &doubles, a->log) != 0)
        return -1;
    if (doubles)
        name_doubles(a, t);
    return 0;
}

/* test_no 0: of the whole run. */
static int add_params(struct adding *a, int test_no, const struct fr_param *params)
{
    for (const struct fr_param *p = params; p; p = p->next) {
        sqlite3_int64 key, value;
        struct fr_bulk_cell *row = fr_store_bulk_row(a->store, a->log);
        if (!row || word(a, p->key, &key) != 0 || word(a, p->value, &value) != 0)
            return -1;
        row[0] = FR_BULK_INTEGER(test_no);
        row[1] = FR_BULK_INTEGER(key);
        row[2] = FR_BULK_INTEGER(value);
        row[3] = FR_BULK_INTEGER(p->origin);
        if (p->line)
            row[4] = FR_BULK_INTEGER(p->line);
    }
    return fr_store_bulk_insert(a->store, FR_ST_PARAM_ADD, a->run_id, NULL, a->log);
}

static int add_chunk(struct adding *a, sqlite3_int64 id, int no, const struct fr_chunk *c)
{
    sqlite3_stmt *st = fr_store_statement(a->store, FR_ST_CHUNK_ADD, a->log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, id);
    sqlite3_bind_int(st, 2, no);
    sqlite3_bind_int64(st, 3, c->n);
    sqlite3_bind_int64(st, 4, c->t0);
    sqlite3_bind_int64(st, 5, c->t1);
    sqlite3_bind_int64(st, 6, c->min);
    sqlite3_bind_int64(st, 7, c->max);
    sqlite3_bind_blob64(st, 8, c->data, c->size, SQLITE_STATIC);
    return step(a, st);
}

static int add_seconds(struct adding *a, sqlite3_int64 id, const struct fr_series *series)
{
    enum { ROWS = 4096 }; /* at once */
    for (size_t i = 0, n = 0; i < series->seconds_n; i++) {
        const struct fr_second *s = &series->seconds[i];
        if (!s->n)
            continue;
        struct fr_bulk_cell *row = fr_store_bulk_row(a->store, a->log);
        if (!row)
            return -1;
        row[0] = FR_BULK_INTEGER(s->t);
        row[1] = FR_BULK_INTEGER(s->n);
        row[2] = FR_BULK_REAL(s->mean);
        row[3] = FR_BULK_REAL(s->min);
        row[4] = FR_BULK_REAL(s->max);
        if (++n % ROWS == 0 && fr_store_bulk_insert(a->store, FR_ST_SECOND_ADD, id, NULL, a->log) != 0)
            return -1;
    }
    return fr_store_bulk_insert(a->store, FR_ST_SECOND_ADD, id, NULL, a->log);
}

static int add_series_head(struct adding *a, const struct fr_series *s)
{
    sqlite3_stmt *st = fr_store_statement(a->store, FR_ST_LOG_ADD, a->log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, a->test_id);
    sqlite3_bind_int(st, 2, s->op);
    sqlite3_bind_int(st, 3, a->store->metric_id[s->metric]);
    sqlite3_bind_int(st, 4, s->kind && strcmp(s->kind, "interval") == 0 ? FR_KIND_INTERVAL : FR_KIND_LOG);
    sqlite3_bind_double(st, 5, s->step);
    sqlite3_bind_int(st, 6, s->averaged);
    sqlite3_bind_int(st, 7, s->unix_time);
    sqlite3_bind_int(st, 8, s->columns);
    sqlite3_bind_int64(st, 9, s->interval);
    sqlite3_bind_int64(st, 10, (sqlite3_int64)s->n);
    sqlite3_bind_int(st, 11, s->last_partial);
    bind_id(st, 12, s->line);
    return step(a, st);
}

static int add_series(struct adding *a, const struct fr_series *s)
{
    enum { COOL = 8 }; /* chunks between two coolings of the arena */
    if (add_series_head(a, s) != 0)
        return -1;
    sqlite3_int64 id = sqlite3_last_insert_rowid(a->store->db);
    int no = 0;
    fr_list_each (struct fr_chunk, c, s->chunks) {
        if (add_chunk(a, id, no++, c) != 0)
            return -1;
        if (no % COOL == 0)
            fr_arena_cool(&a->batch->arena);
    }
    return add_seconds(a, id, s);
}

static int add_test(struct adding *a, const struct fr_test *t)
{
    sqlite3_int64 name;
    if (word(a, t->name ? t->name : "", &name) != 0)
        return -1;
    sqlite3_stmt *st = fr_store_statement(a->store, FR_ST_TEST_ADD, a->log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, a->run_id);
    sqlite3_bind_int(st, 2, t->no);
    sqlite3_bind_int64(st, 3, name);
    bind_id(st, 4, t->line);
    bind_text(st, 5, t->error);
    if (step(a, st) != 0)
        return -1;
    a->test_id = sqlite3_last_insert_rowid(a->store->db);
    if (add_values(a, t) != 0 || add_params(a, t->no, t->params.head) != 0)
        return -1;
    fr_list_each (struct fr_hist, h, t->hists)
        if (fr_store_hist_add(a->store, a->test_id, h, a->log) != 0)
            return -1;
    fr_list_each (struct fr_series, s, t->series)
        if (add_series(a, s) != 0)
            return -1;
    fr_batch_checkpoint(a->batch);
    return 0;
}

static int add_disks(struct adding *a, const struct fr_run *r)
{
    fr_list_each (struct fr_disk, d, r->disks) {
        sqlite3_int64 disk, key;
        struct fr_bulk_cell *row = fr_store_bulk_row(a->store, a->log);
        if (!row || word(a, d->disk, &disk) != 0 || word(a, d->key, &key) != 0)
            return -1;
        row[0] = FR_BULK_INTEGER(disk);
        row[1] = FR_BULK_INTEGER(key);
        row[2] = FR_BULK_REAL(d->value);
        if (d->line)
            row[3] = FR_BULK_INTEGER(d->line);
    }
    return fr_store_bulk_insert(a->store, FR_ST_DISK_ADD, a->run_id, NULL, a->log);
}

static int add_note(struct adding *a, int no, const struct fr_param *n)
{
    sqlite3_int64 key;
    if (word(a, n->key, &key) != 0)
        return -1;
    sqlite3_stmt *st = fr_store_statement(a->store, FR_ST_NOTE_ADD, a->log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, a->run_id);
    sqlite3_bind_int(st, 2, no);
    sqlite3_bind_int64(st, 3, key);
    bind_text(st, 4, n->value ? n->value : "");
    bind_id(st, 5, n->line);
    return step(a, st);
}

static int add_run_row(struct adding *a, int run_no, const struct fr_run *r)
{
    sqlite3_int64 parser, tool, version, host;
    if (word(a, r->parser ? r->parser : "", &parser) != 0 || word(a, r->tool ? r->tool : "", &tool) != 0 ||
        word(a, r->tool_version, &version) != 0 || word(a, r->host, &host) != 0)
        return -1;
    sqlite3_stmt *st = fr_store_statement(a->store, FR_ST_RUN_ADD, a->log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, a->source_id);
    sqlite3_bind_int(st, 2, run_no);
    sqlite3_bind_int64(st, 3, parser);
    sqlite3_bind_int64(st, 4, tool);
    bind_id(st, 5, version);
    bind_text(st, 6, r->label);
    sqlite3_bind_int(st, 7, (int)r->label_origin);
    bind_id(st, 8, host);
    bind_text(st, 9, r->started_at);
    bind_text(st, 10, r->command);
    bind_text(st, 11, r->title);
    sqlite3_bind_int(st, 12, (int)r->form);
    bind_id(st, 13, r->line);
    bind_id(st, 14, r->line_end);
    sqlite3_bind_int(st, 15, r->cut_short);
    sqlite3_bind_int(st, 16, r->steps_only);
    return step(a, st);
}

static int add_run(struct adding *a, int run_no, const struct fr_run *r)
{
    if (add_run_row(a, run_no, r) != 0)
        return -1;
    a->run_id = sqlite3_last_insert_rowid(a->store->db);
    if (add_params(a, 0, r->params.head) != 0 || add_disks(a, r) != 0)
        return -1;
    int no = 0;
    fr_list_each (struct fr_param, n, r->notes)
        if (add_note(a, no++, n) != 0)
            return -1;
    fr_list_each (struct fr_test, t, r->tests)
        if (add_test(a, t) != 0)
            return -1;
    return 0;
}

/* ---- sources ---- */

int fr_store_known(struct fr_store *store, const struct fr_source *source, struct fr_strbuf *other, struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_statement(store, FR_ST_SOURCE_KNOWN, log);
    if (!st)
        return -1;
    bind_text(st, 1, source->sha256);
    bind_text(st, 2, source->name);
    int rc = sqlite3_step(st), found = FR_NEW;
    if (rc == SQLITE_ROW) {
        found = sqlite3_column_int(st, 0) == 1 ? FR_KNOWN_CONTENT : FR_KNOWN_NAME;
        if (other) {
            fr_strbuf_reset(other);
            fr_strbuf_addstr(other, (const char *)sqlite3_column_text(st, 1));
        }
    }
    sqlite3_reset(st);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? found : fr_store_error(store, log, "cannot be read");
}

/* Older sources of that name; not the one set aside, from which something is still to be kept. */
static int drop_name(struct adding *a, sqlite3_int64 but)
{
    sqlite3_stmt *st = fr_store_statement(a->store, FR_ST_SOURCE_DROP_NAME, a->log);
    if (!st)
        return -1;
    sqlite3_bind_text(st, 1, a->source->name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(st, 2, but);
    a->store->dropped = true;
    return step(a, st);
}

static int add_source(struct adding *a, bool replace, bool force)
{
    sqlite3_int64 old = 0;
    if (force && fr_store_set_aside(a->store, a->source->sha256, &old, a->log) != 0)
        return -1;
    if (replace && drop_name(a, old) != 0)
        return -1;
    sqlite3_stmt *st = fr_store_statement(a->store, FR_ST_SOURCE_ADD, a->log);
    if (!st)
        return -1;
    bind_text(st, 1, a->source->name);
    bind_text(st, 2, a->source->sha256);
    sqlite3_bind_int64(st, 3, a->source->size);
    if (step(a, st) != 0)
        return -1;
    a->source_id = sqlite3_last_insert_rowid(a->store->db);
    int run_no = 0;
    fr_list_each (struct fr_run, r, a->batch->runs)
        if (add_run(a, ++run_no, r) != 0)
            return -1;
    if (old && fr_store_keep(a->store, old, a->source_id, a->log) != 0)
        return -1;
    return a->store->join ? fr_store_join_source(a->store, a->source_id, a->store->join, a->log) : 0;
}

int fr_store_add(struct fr_store *store, const struct fr_source *source, struct fr_batch *batch, bool replace,
                 bool force, struct fr_log *log)
{
    if (fr_store_begin(store, log) != 0)
        return -1;
    /* Again, now that nobody else can write: another program may have read the same file meanwhile. */
    int known = force ? FR_NEW : fr_store_known(store, source, NULL, log);
    if (known == FR_KNOWN_CONTENT)
        return FR_STORE_WAS_KNOWN;
    struct adding a = {.store = store, .source = source, .batch = batch, .log = log};
    sqlite3_stmt *savepoint = known < 0 ? NULL : fr_store_statement(store, FR_ST_SAVEPOINT, log);
    if (!savepoint || fr_store_bulk_begin(store, log) != 0 || step(&a, savepoint) != 0)
        return -1;
    if (add_source(&a, replace, force) != 0) {
        /* A full disk makes SQLite roll back everything by itself: then there is no savepoint any more. */
        if (!sqlite3_get_autocommit(store->db))
            sqlite3_exec(store->db, "ROLLBACK TO source; RELEASE source", NULL, NULL, NULL);
        else
            store->pending = 0;
        fr_store_bulk_forget(store);
        fr_store_words_forget(store);
        return -1;
    }
    sqlite3_stmt *release = fr_store_statement(store, FR_ST_RELEASE, log);
    if (!release || step(&a, release) != 0)
        return -1;
    store->pending++;
    if (store->pending >= FR_STORE_BATCH || fr_store_now_ms() - store->began_ms >= FR_STORE_BATCH_MS)
        return fr_store_commit(store, log);
    return FR_STORE_ADDED;
}

void fr_store_join_to(struct fr_store *store, long long run_id)
{
    store->join = run_id;
}

size_t fr_store_pending(const struct fr_store *store)
{
    return store->pending;
}

int fr_store_commit(struct fr_store *store, struct fr_log *log)
{
    if (sqlite3_get_autocommit(store->db))
        return 0;
    /* A source that has nothing left may be read again. */
    if ((store->dropped && fr_store_exec(store,
                                         "DELETE FROM source WHERE source_id NOT IN (SELECT source_id FROM run) "
                                         "AND source_id NOT IN (SELECT source_id FROM log WHERE source_id NOT NULL) "
                                         "AND source_id NOT IN (SELECT source_id FROM hist WHERE source_id NOT NULL)",
                                         "cannot be written", log) != 0) ||
        fr_store_exec(store, "COMMIT", "cannot be written", log) != 0) {
        fr_store_rollback(store);
        return -1;
    }
    store->pending = 0;
    store->dropped = false;
    return 0;
}
