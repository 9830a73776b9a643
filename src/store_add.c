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

/* A row to be filled, NULL after a message. */
static struct fr_bulk_cell *row_of(struct adding *a, enum fr_statement id)
{
    return fr_store_bulk_row(a->store, id, a->log);
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
    fr_value_each (v, t)
        if (fr_value_get(t, (enum fr_op)v->op, (enum fr_metric_id)v->metric, v->stat) != v)
            fr_log_warn(a->log, a->source->name, v->line, "gives %s %s %s of one test twice, kept the first",
                        fr_op_name((enum fr_op)v->op), fr_metric_get((enum fr_metric_id)v->metric)->name, v->stat);
}

/* The test's numbers as the store keeps them; what was given twice is left out and said. */
static int collect_values(struct adding *a, const struct fr_test *t, struct fr_values_head *head)
{
    struct fr_values *values = &a->store->values;
    values->n = 0;
    fr_value_each (v, t) {
        struct fr_slot *slot = fr_values_add(values, v->value, v->line);
        if (!slot)
            return fr_log_error(a->log, a->source->name, 0, "out of memory");
        slot->op = v->op;
        slot->metric = a->store->metric_id[v->metric];
        slot->better = v->better;
        slot->name = v->stat;
        slot->unit = v->own_unit ? t->unit : NULL;
    }
    if (fr_store_values_head(a->store, values, head, a->log) != 0)
        return -1;
    if (values->n < t->values.n)
        name_doubles(a, t);
    return 0;
}

/* test_no 0: of the whole run. */
static int add_params(struct adding *a, int test_no, const struct fr_param *params)
{
    for (const struct fr_param *p = params; p; p = p->next) {
        sqlite3_int64 key, value;
        struct fr_bulk_cell *row;
        if (word(a, p->key, &key) != 0 || word(a, p->value, &value) != 0 || !(row = row_of(a, FR_ST_PARAM_ADD)))
            return -1;
        row[0] = FR_BULK_INTEGER(a->run_id);
        row[1] = FR_BULK_INTEGER(test_no);
        row[2] = FR_BULK_INTEGER(key);
        row[3] = FR_BULK_INTEGER(value);
        row[4] = FR_BULK_INTEGER(p->origin);
        row[5] = FR_BULK_ID(p->line);
    }
    return 0;
}

static int add_seconds(struct adding *a, sqlite3_int64 id, const struct fr_series *series)
{
    for (size_t i = 0; i < series->seconds_n; i++) {
        const struct fr_second *s = &series->seconds[i];
        if (!s->n)
            continue;
        struct fr_bulk_cell *row = row_of(a, FR_ST_SECOND_ADD);
        if (!row)
            return -1;
        row[0] = FR_BULK_INTEGER(id);
        row[1] = FR_BULK_INTEGER(s->t);
        row[2] = FR_BULK_INTEGER(s->n);
        row[3] = FR_BULK_REAL(s->mean);
        row[4] = FR_BULK_REAL(s->min);
        row[5] = FR_BULK_REAL(s->max);
        if (fr_store_bulk_insert_many(a->store, a->log) != 0)
            return -1;
    }
    return 0;
}

static int add_series_head(struct adding *a, sqlite3_int64 id, const struct fr_series *s)
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
    if (s->line)
        sqlite3_bind_int64(st, 12, s->line);
    sqlite3_bind_int64(st, 13, id);
    return fr_store_step(a->store, st, a->log);
}

static int add_series(struct adding *a, const struct fr_series *s)
{
    enum { COOL = 8 }; /* chunks between two coolings of the arena */
    sqlite3_int64 id = fr_store_series_id(a->store, s, a->log);
    if (id < 0 || fr_store_bulk_insert(a->store, a->log) != 0 || /* its test waits there */
        add_series_head(a, id, s) != 0)
        return -1;
    fr_list_each (struct fr_chunk, c, s->chunks) {
        if (fr_store_chunk_add(a->store, id, c, a->log) != 0)
            return -1;
        if (c->no % COOL == COOL - 1)
            fr_arena_cool(&a->batch->arena);
    }
    return add_seconds(a, id, s);
}

static int add_test(struct adding *a, const struct fr_test *t)
{
    struct fr_values_head head;
    struct fr_bulk_cell *row;
    sqlite3_int64 name;
    if (word(a, t->name ? t->name : "", &name) != 0 || collect_values(a, t, &head) != 0 ||
        !(row = row_of(a, FR_ST_TEST_ADD)))
        return -1;
    a->test_id = ++a->store->last.test;
    row[0] = FR_BULK_INTEGER(a->test_id);
    row[1] = FR_BULK_INTEGER(a->run_id);
    row[2] = FR_BULK_INTEGER(t->no);
    row[3] = FR_BULK_INTEGER(name);
    row[4] = FR_BULK_ID(t->line);
    row[5] = FR_BULK_TEXT(t->error);
    row[6] = FR_BULK_ID(head.shape_id);
    row[7] = FR_BULK_INTEGER(head.line_from);
    row[8] = FR_BULK_ID(head.lines);
    if (fr_store_values_add(a->store, a->test_id, &a->store->values, a->log) != 0 ||
        add_params(a, t->no, t->params.head) != 0)
        return -1;
    fr_list_each (struct fr_hist, h, t->hists)
        if (fr_store_hist_add(a->store, a->test_id, h, a->log) != 0)
            return -1;
    fr_list_each (struct fr_series, s, t->series)
        if (add_series(a, s) != 0)
            return -1;
    if (fr_store_bulk_insert_many(a->store, a->log) != 0)
        return -1;
    fr_batch_checkpoint(a->batch);
    return 0;
}

/* A number of a disk; `disk` is the number of its name, `place` its own in the run. */
struct disk_number {
    sqlite3_int64 disk;
    size_t place;
    const struct fr_disk *of;
};

static int by_disk(const void *a, const void *b)
{
    const struct disk_number *x = a, *y = b;
    if (x->disk != y->disk)
        return x->disk < y->disk ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* All of the run, those of one disk together. */
static int sort_disks(struct adding *a, const struct fr_run *r, struct disk_number *list)
{
    size_t n = 0;
    fr_list_each (struct fr_disk, d, r->disks) {
        list[n] = (struct disk_number){.place = n, .of = d};
        if (n && d->disk == list[n - 1].of->disk) /* fr_disk_add keeps the name of several once */
            list[n].disk = list[n - 1].disk;
        else if (word(a, d->disk, &list[n].disk) != 0)
            return -1;
        n++;
    }
    qsort(list, n, sizeof *list, by_disk);
    return 0;
}

/* n numbers of one disk. */
static int add_disk(struct adding *a, const struct disk_number *list, size_t n)
{
    struct fr_values *values = &a->store->values;
    struct fr_values_head head;
    values->n = 0;
    for (size_t i = 0; i < n; i++) {
        struct fr_slot *slot = fr_values_add(values, list[i].of->value, list[i].of->line);
        if (!slot)
            return fr_log_error(a->log, a->source->name, 0, "out of memory");
        slot->name = list[i].of->key;
    }
    if (fr_store_values_head(a->store, values, &head, a->log) != 0)
        return -1;
    for (size_t part = 0; part * FR_PART < values->n; part++) {
        struct fr_bulk_cell *row = row_of(a, FR_ST_DISK_ADD);
        if (!row)
            return -1;
        row[0] = FR_BULK_INTEGER(a->run_id);
        row[1] = FR_BULK_INTEGER(list->disk);
        row[2] = FR_BULK_INTEGER(part);
        row[3] = FR_BULK_INTEGER(head.shape_id);
        row[4] = FR_BULK_ID(values->line[0]);
        fr_store_values_part(values, part, row + 5);
    }
    return 0;
}

static int add_disks(struct adding *a, const struct fr_run *r)
{
    size_t n = r->disks.n;
    struct disk_number *list = n ? malloc(n * sizeof *list) : NULL;
    if (n && !list)
        return fr_log_error(a->log, a->source->name, 0, "out of memory");
    int rc = n ? sort_disks(a, r, list) : 0;
    for (size_t i = 0, end; rc == 0 && i < n; i = end) {
        for (end = i + 1; end < n && list[end].disk == list[i].disk;)
            end++;
        rc = add_disk(a, list + i, end - i);
    }
    free(list);
    return rc;
}

static int add_note(struct adding *a, int no, const struct fr_param *n)
{
    sqlite3_int64 key;
    struct fr_bulk_cell *row;
    if (word(a, n->key, &key) != 0 || !(row = row_of(a, FR_ST_NOTE_ADD)))
        return -1;
    row[0] = FR_BULK_INTEGER(a->run_id);
    row[1] = FR_BULK_INTEGER(no);
    row[2] = FR_BULK_INTEGER(key);
    row[3] = FR_BULK_TEXT(n->value ? n->value : "");
    row[4] = FR_BULK_ID(n->line);
    return 0;
}

static int add_run_row(struct adding *a, int run_no, const struct fr_run *r)
{
    sqlite3_int64 parser, tool, version, host;
    struct fr_bulk_cell *row;
    if (word(a, r->parser ? r->parser : "", &parser) != 0 || word(a, r->tool ? r->tool : "", &tool) != 0 ||
        word(a, r->tool_version, &version) != 0 || word(a, r->host, &host) != 0 || !(row = row_of(a, FR_ST_RUN_ADD)))
        return -1;
    a->run_id = ++a->store->last.run;
    const struct fr_bulk_cell cells[] = {FR_BULK_INTEGER(a->run_id),
                                         FR_BULK_INTEGER(a->source_id),
                                         FR_BULK_INTEGER(run_no),
                                         FR_BULK_INTEGER(parser),
                                         FR_BULK_INTEGER(tool),
                                         FR_BULK_ID(version),
                                         FR_BULK_TEXT(r->label),
                                         FR_BULK_INTEGER(r->label_origin),
                                         FR_BULK_ID(host),
                                         FR_BULK_TEXT(r->started_at),
                                         FR_BULK_TEXT(r->command),
                                         FR_BULK_TEXT(r->title),
                                         FR_BULK_INTEGER(r->form),
                                         FR_BULK_ID(r->line),
                                         FR_BULK_ID(r->line_end),
                                         FR_BULK_INTEGER(r->cut_short),
                                         FR_BULK_INTEGER(r->steps_only)};
    memcpy(row, cells, sizeof cells);
    return 0;
}

static int add_run(struct adding *a, int run_no, const struct fr_run *r)
{
    if (add_run_row(a, run_no, r) != 0 || add_params(a, 0, r->params.head) != 0 || add_disks(a, r) != 0)
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

/* Sources of that name with other content; `but` is none of them. */
static int find_older(struct fr_store *store, const struct fr_source *source, sqlite3_int64 but,
                      struct fr_store_list *older, struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_prepare(
        store, "SELECT source_id FROM source WHERE name = ?1 AND sha256 <> ?2 AND source_id <> ?3", log);
    if (st) {
        sqlite3_bind_text(st, 1, source->name, -1, SQLITE_STATIC);
        sqlite3_bind_text(st, 2, source->sha256, -1, SQLITE_STATIC);
        sqlite3_bind_int64(st, 3, but);
    }
    return fr_store_list_collect(store, st, older, log);
}

static int drop_all(struct fr_store *store, const struct fr_store_list *sources, struct fr_log *log)
{
    store->dropped = true;
    for (size_t i = 0; i < sources->n; i++)
        if (fr_store_joined_drop(store, sources->id[i], log) != 0)
            return -1;
    return 0;
}

int fr_store_drop_older(struct fr_store *store, const struct fr_source *source, size_t *dropped, struct fr_log *log)
{
    struct fr_store_list older = FR_STORE_LIST_INIT;
    int rc = find_older(store, source, 0, &older, log);
    if (rc == 0 && older.n) {
        rc = fr_store_begin(store, log) != 0 || drop_all(store, &older, log) != 0 ? -1 : fr_store_commit(store, log);
        if (rc != 0)
            fr_store_rollback(store);
    }
    *dropped = rc == 0 ? older.n : 0;
    free(older.id);
    return rc;
}

/* Older sources of that name; not the one set aside, from which something is still to be kept. */
static int drop_name(struct adding *a, sqlite3_int64 aside)
{
    struct fr_store_list older = FR_STORE_LIST_INIT;
    if (fr_store_bulk_insert(a->store, a->log) != 0) /* one of them may be of this list, and its rows wait there */
        return -1;
    int rc = find_older(a->store, a->source, aside, &older, a->log);
    if (rc == 0)
        rc = drop_all(a->store, &older, a->log);
    free(older.id);
    return rc;
}

/* FR_STORE_ADDED, FR_STORE_WAS_KNOWN, -1. */
static int add_source_row(struct adding *a)
{
    sqlite3_stmt *st = fr_store_statement(a->store, FR_ST_SOURCE_ADD, a->log);
    if (!st)
        return -1;
    bind_text(st, 1, a->source->name);
    bind_text(st, 2, a->source->sha256);
    sqlite3_bind_int64(st, 3, a->source->size);
    if (fr_store_step(a->store, st, a->log) != 0)
        return -1;
    a->source_id = sqlite3_last_insert_rowid(a->store->db);
    if (!sqlite3_changes(a->store->db))
        return FR_STORE_WAS_KNOWN;
    fr_store_known_add(a->store, a->source);
    return FR_STORE_ADDED;
}

/* The rows of one source wait to be inserted with those of others. */
static int add_source(struct adding *a, const struct fr_addition *in)
{
    sqlite3_int64 old = 0;
    if (in->force && fr_store_set_aside(a->store, a->source->sha256, &old, a->log) != 0)
        return -1;
    int rc = add_source_row(a);
    if (rc != FR_STORE_ADDED)
        return rc;
    if (in->replace && drop_name(a, old) != 0)
        return -1;
    int run_no = 0;
    fr_list_each (struct fr_run, r, a->batch->runs)
        if (add_run(a, ++run_no, r) != 0)
            return -1;
    if ((old || a->store->join) && fr_store_bulk_insert(a->store, a->log) != 0)
        return -1;
    if (old && fr_store_keep(a->store, old, a->source_id, a->log) != 0)
        return -1;
    if (a->store->join && fr_store_join_source(a->store, a->source_id, a->store->join, a->log) != 0)
        return -1;
    return FR_STORE_ADDED;
}

/* All of them, or none. *code: SQLite's, when it is none. */
static int add_together(struct fr_store *store, struct fr_addition *list, size_t n, int *code, struct fr_log *log)
{
    sqlite3_stmt *savepoint = fr_store_statement(store, FR_ST_SAVEPOINT, log);
    if (!savepoint || fr_store_bulk_begin(store, log) != 0 || fr_store_step(store, savepoint, log) != 0)
        return -1;
    size_t added = 0;
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        struct adding a = {.store = store, .source = &list[i].source, .batch = list[i].batch, .log = log};
        list[i].outcome = add_source(&a, &list[i]);
        added += list[i].outcome == FR_STORE_ADDED;
        rc = list[i].outcome < 0 ? -1 : 0;
    }
    if (rc == 0)
        rc = fr_store_bulk_insert(store, log);
    sqlite3_stmt *release = rc == 0 ? fr_store_statement(store, FR_ST_RELEASE, log) : NULL;
    if (release && fr_store_step(store, release, log) == 0) {
        store->pending += added;
        return 0;
    }
    *code = sqlite3_errcode(store->db) & 0xff;
    /* A full disk makes SQLite roll back everything by itself: then there is no savepoint any more. */
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK TO source; RELEASE source", NULL, NULL, NULL);
    else
        store->pending = 0;
    fr_store_forget(store);
    return -1;
}

static void none_is_in(struct fr_addition *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        list[i].outcome = -1;
}

int fr_store_add_all(struct fr_store *store, struct fr_addition *list, size_t n, struct fr_log *log)
{
    int code = SQLITE_OK, rc = fr_store_begin(store, log);
    none_is_in(list, n);
    if (rc == 0 && (rc = add_together(store, list, n, &code, log)) != 0) {
        none_is_in(list, n);
        /* The fault is one source's own: the others shall not suffer. */
        for (size_t i = 0; n > 1 && code == SQLITE_CONSTRAINT && i < n; i++)
            if (add_together(store, &list[i], 1, &code, log) != 0)
                list[i].outcome = -1;
        if (sqlite3_get_autocommit(store->db)) /* rolled back by SQLite, with those that were in */
            none_is_in(list, n);
    }
    if (store->pending < FR_STORE_BATCH && fr_store_now_ms() - store->began_ms < FR_STORE_BATCH_MS)
        return rc;
    if (fr_store_commit(store, log) != 0) {
        none_is_in(list, n);
        return -1;
    }
    return rc;
}

int fr_store_add(struct fr_store *store, const struct fr_source *source, struct fr_batch *batch, bool replace,
                 bool force, struct fr_log *log)
{
    struct fr_addition one = {.source = *source, .batch = batch, .replace = replace, .force = force};
    return fr_store_add_all(store, &one, 1, log) != 0 ? -1 : one.outcome;
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
    store->early = store->dropped = false;
    return 0;
}
