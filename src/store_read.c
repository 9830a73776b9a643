/* store_read.c: walking over what is there. See store.h. */
#include "store_db.h"

#include <math.h>

#include "banned.h"

/* A prepared walk: the statement, and which metric each number of this database is. */
struct walk {
    struct fr_store *store;
    struct fr_log *log;
    sqlite3_stmt *st;
};

/* `sql` with its %s made a condition on the run and, with `metric_is` (whose %d is its number), on the metric. */
static int walk_begin(struct walk *w, const char *sql, long long run_id, const char *metric_is, int metric)
{
    char where[256] = "", full[2048];
    size_t n = 0;
    if (run_id)
        n += (size_t)snprintf(where, sizeof where, "AND r.run_id = %lld ", run_id);
    if (metric_is && metric >= 0) {
        n += (size_t)snprintf(where + n, sizeof where - n, "AND ");
        snprintf(where + n, sizeof where - n, metric_is, w->store->metric_id[metric]);
    }
    snprintf(full, sizeof full, sql, where);
    w->st = fr_store_prepare(w->store, full, w->log);
    return w->st ? 0 : -1;
}

/* 1 when there is a row; else 0, or -1 after a message. */
static int walk_next(struct walk *w)
{
    int rc = sqlite3_step(w->st);
    if (rc == SQLITE_ROW)
        return 1;
    return rc == SQLITE_DONE ? 0 : fr_store_error(w->store, w->log, "cannot be read");
}

static const char *text(const struct walk *w, int column)
{
    return (const char *)sqlite3_column_text(w->st, column);
}

static unsigned line(const struct walk *w, int column)
{
    return (unsigned)sqlite3_column_int64(w->st, column);
}

/* The metric of a number; -1 for one that a newer program added and this one does not know. */
static int metric_of(const struct fr_store *store, int number)
{
    for (int i = 0; i < FR_M_COUNT; i++)
        if (store->metric_id[i] == number)
            return i;
    return -1;
}

/* A database that was edited may hold any number. */
static enum fr_origin origin_of(int number)
{
    return number > FR_FROM_NONE && number <= FR_FROM_USER ? (enum fr_origin)number : FR_FROM_NONE;
}

static bool op_is_known(int op)
{
    return op >= 0 && op < FR_OP_COUNT;
}

int fr_store_runs(struct fr_store *store, int (*row)(void *ctx, const struct fr_run_row *), void *ctx,
                  struct fr_log *log)
{
    struct walk w = {.store = store, .log = log};
    if (walk_begin(&w,
                   "SELECT r.run_id, r.source_id, r.run_no, (SELECT count(*) FROM test t WHERE t.run_id = r.run_id), "
                   "s.name, t.text, v.text, r.label, h.text, r.started_at, r.command, r.title, s.sha256, p.text, "
                   "r.cut_short, r.line FROM run r JOIN source s ON s.source_id = r.source_id "
                   "JOIN word t ON t.word_id = r.tool JOIN word p ON p.word_id = r.parser "
                   "LEFT JOIN word v ON v.word_id = r.tool_version LEFT JOIN word h ON h.word_id = r.host "
                   "WHERE true %s ORDER BY r.run_id",
                   0, NULL, -1) != 0)
        return -1;
    int rc;
    while ((rc = walk_next(&w)) > 0) {
        struct fr_run_row r = {.run_id = sqlite3_column_int64(w.st, 0),
                               .source_id = sqlite3_column_int64(w.st, 1),
                               .run_no = sqlite3_column_int(w.st, 2),
                               .tests = sqlite3_column_int(w.st, 3),
                               .source = text(&w, 4),
                               .tool = text(&w, 5),
                               .tool_version = text(&w, 6),
                               .label = text(&w, 7),
                               .host = text(&w, 8),
                               .started_at = text(&w, 9),
                               .command = text(&w, 10),
                               .title = text(&w, 11),
                               .sha256 = text(&w, 12),
                               .parser = text(&w, 13),
                               .cut_short = sqlite3_column_int(w.st, 14),
                               .line = line(&w, 15)};
        if ((rc = row(ctx, &r)) != 0)
            break;
    }
    sqlite3_finalize(w.st);
    return rc;
}

int fr_store_tests(struct fr_store *store, long long run_id, int (*row)(void *ctx, const struct fr_test_row *),
                   void *ctx, struct fr_log *log)
{
    struct walk w = {.store = store, .log = log};
    if (walk_begin(&w,
                   "SELECT r.run_id, t.test_no, n.text, t.error, t.line FROM run r JOIN test t ON t.run_id = r.run_id "
                   "JOIN word n ON n.word_id = t.name WHERE true %s ORDER BY r.run_id, t.test_no",
                   run_id, NULL, -1) != 0)
        return -1;
    int rc;
    while ((rc = walk_next(&w)) > 0) {
        struct fr_test_row r = {.run_id = sqlite3_column_int64(w.st, 0),
                                .test_no = sqlite3_column_int(w.st, 1),
                                .test = text(&w, 2),
                                .error = text(&w, 3),
                                .line = line(&w, 4)};
        if ((rc = row(ctx, &r)) != 0)
            break;
    }
    sqlite3_finalize(w.st);
    return rc;
}

/* The numbers of one row, each a result. */
struct result_walk {
    struct walk w;
    int metric; /* that is wanted; -1: all */
    int (*row)(void *ctx, const struct fr_result_row *);
    void *ctx;
};

enum { R_SHAPE = 7, R_FROM, R_LINES, R_PART, R_CELLS };

static int result_part(struct result_walk *x)
{
    struct walk *w = &x->w;
    const struct fr_slots *shape = fr_store_shape_get(w->store, sqlite3_column_int64(w->st, R_SHAPE), w->log);
    if (!shape)
        return -1;
    struct fr_result_row r = {.run_id = sqlite3_column_int64(w->st, 0),
                              .run_no = sqlite3_column_int(w->st, 1),
                              .test_no = sqlite3_column_int(w->st, 2),
                              .source = text(w, 3),
                              .label = text(w, 4),
                              .tool = text(w, 5),
                              .test = text(w, 6)};
    const char *lines = text(w, R_LINES);
    size_t i = (size_t)sqlite3_column_int64(w->st, R_PART) * FR_PART;
    for (int cell = 0, rc; cell < FR_PART && i < shape->n; cell++, i++) {
        const struct fr_slot *slot = &shape->slot[i];
        int metric = metric_of(w->store, slot->metric);
        if (metric < 0 || !op_is_known(slot->op) || (x->metric >= 0 && metric != x->metric))
            continue;
        const struct fr_metric *m = fr_metric_get((enum fr_metric_id)metric);
        r.op = (enum fr_op)slot->op;
        r.metric = (enum fr_metric_id)metric;
        r.stat = slot->name;
        r.unit = slot->unit ? slot->unit : fr_unit_base(m->dim);
        r.value = sqlite3_column_double(w->st, R_CELLS + cell);
        r.better = slot->better ? (enum fr_better)slot->better : m->better;
        r.line = fr_store_values_line(sqlite3_column_int64(w->st, R_FROM), lines, i);
        if ((rc = x->row(x->ctx, &r)) != 0)
            return rc;
    }
    return 0;
}

int fr_store_results(struct fr_store *store, long long run_id, int metric,
                     int (*row)(void *ctx, const struct fr_result_row *), void *ctx, struct fr_log *log)
{
    struct result_walk x = {.w = {.store = store, .log = log}, .metric = metric, .row = row, .ctx = ctx};
    if (walk_begin(
            &x.w,
            "SELECT r.run_id, r.run_no, t.test_no, s.name, r.label, tool.text, n.text, t.shape_id, t.line_from, "
            "l.text, "
            "v.part, " FR_STORE_CELLS " FROM run r JOIN source s ON s.source_id = r.source_id "
            "JOIN word tool ON tool.word_id = r.tool JOIN test t ON t.run_id = r.run_id "
            "JOIN word n ON n.word_id = t.name JOIN result v ON v.test_id = t.test_id "
            "LEFT JOIN word l ON l.word_id = t.lines WHERE true %s ORDER BY r.run_id, t.test_no, v.part",
            run_id,
            "EXISTS (SELECT 1 FROM slot k WHERE k.metric_id = %d AND k.shape_id = t.shape_id AND k.part = v.part) ",
            metric) != 0)
        return -1;
    int rc;
    while ((rc = walk_next(&x.w)) > 0)
        if ((rc = result_part(&x)) != 0)
            break;
    sqlite3_finalize(x.w.st);
    return rc;
}

int fr_store_params(struct fr_store *store, long long run_id, int (*row)(void *ctx, const struct fr_param_row *),
                    void *ctx, struct fr_log *log)
{
    struct walk w = {.store = store, .log = log};
    if (walk_begin(&w,
                   "SELECT r.run_id, r.test_no, k.text, v.text, r.origin FROM param r "
                   "JOIN word k ON k.word_id = r.key JOIN word v ON v.word_id = r.value "
                   "WHERE true %s ORDER BY r.run_id, r.test_no",
                   run_id, NULL, -1) != 0)
        return -1;
    int rc;
    while ((rc = walk_next(&w)) > 0) {
        struct fr_param_row r = {.run_id = sqlite3_column_int64(w.st, 0),
                                 .test_no = sqlite3_column_int(w.st, 1),
                                 .key = text(&w, 2),
                                 .value = text(&w, 3),
                                 .origin = origin_of(sqlite3_column_int(w.st, 4))};
        if ((rc = row(ctx, &r)) != 0)
            break;
    }
    sqlite3_finalize(w.st);
    return rc;
}

int fr_store_disks(struct fr_store *store, long long run_id, int (*row)(void *ctx, const struct fr_disk_row *),
                   void *ctx, struct fr_log *log)
{
    struct walk w = {.store = store, .log = log};
    if (walk_begin(&w,
                   "SELECT r.run_id, d.text, r.shape_id, r.part, " FR_STORE_CELLS " FROM disk r "
                   "JOIN word d ON d.word_id = r.disk WHERE true %s ORDER BY r.run_id, r.disk, r.part",
                   run_id, NULL, -1) != 0)
        return -1;
    int rc;
    while ((rc = walk_next(&w)) > 0) {
        const struct fr_slots *shape = fr_store_shape_get(store, sqlite3_column_int64(w.st, 2), log);
        size_t i = (size_t)sqlite3_column_int64(w.st, 3) * FR_PART;
        struct fr_disk_row r = {.run_id = sqlite3_column_int64(w.st, 0), .disk = text(&w, 1)};
        rc = shape ? 0 : -1;
        for (int cell = 0; rc == 0 && cell < FR_PART && i < shape->n; cell++, i++) {
            r.key = shape->slot[i].name;
            r.value = sqlite3_column_double(w.st, 4 + cell);
            rc = row(ctx, &r);
        }
        if (rc != 0)
            break;
    }
    sqlite3_finalize(w.st);
    return rc;
}

int fr_store_notes(struct fr_store *store, long long run_id, int (*row)(void *ctx, const struct fr_note_row *),
                   void *ctx, struct fr_log *log)
{
    struct walk w = {.store = store, .log = log};
    if (walk_begin(&w,
                   "SELECT r.run_id, k.text, r.value, r.line FROM note r JOIN word k ON k.word_id = r.key "
                   "WHERE true %s ORDER BY r.run_id, r.no",
                   run_id, NULL, -1) != 0)
        return -1;
    int rc;
    while ((rc = walk_next(&w)) > 0) {
        struct fr_note_row r = {
            .run_id = sqlite3_column_int64(w.st, 0), .key = text(&w, 1), .value = text(&w, 2), .line = line(&w, 3)};
        if ((rc = row(ctx, &r)) != 0)
            break;
    }
    sqlite3_finalize(w.st);
    return rc;
}

/* ---- distributions and series: a head, and what belongs to it in an array ---- */

/* One more item in an array that grows; NULL after a message. */
static void *more(void **items, size_t n, size_t *alloc, size_t size, struct walk *w)
{
    if (n == *alloc) {
        size_t wanted = *alloc ? *alloc * 2 : 256;
        void *p = realloc(*items, wanted * size);
        if (!p) {
            fr_log_error(w->log, w->store->path, 0, "out of memory");
            return NULL;
        }
        *items = p;
        *alloc = wanted;
    }
    return (char *)*items + n * size;
}

struct items {
    void *at;
    size_t n, alloc;
};

int fr_store_hists(struct fr_store *store, long long run_id, int metric,
                   int (*row)(void *ctx, const struct fr_hist_row *), void *ctx, struct fr_log *log)
{
    struct walk w = {.store = store, .log = log};
    if (walk_begin(&w,
                   "SELECT r.run_id, t.test_no, h.op_id, h.metric_id, h.exact, " FR_STORE_HIST
                   " FROM run r JOIN test t ON t.run_id = r.run_id JOIN hist h ON h.test_id = t.test_id "
                   "LEFT JOIN word w ON w.word_id = h.bounds WHERE true %s ORDER BY r.run_id, t.test_no, h.hist_id",
                   run_id, "h.metric_id = %d", metric) != 0)
        return -1;
    struct fr_store_bins bins = {.at = NULL};
    int rc;
    while ((rc = walk_next(&w)) > 0) {
        int m = metric_of(store, sqlite3_column_int(w.st, 3));
        if (m < 0 || !op_is_known(sqlite3_column_int(w.st, 2)))
            continue;
        if ((rc = fr_store_hist_read(store, w.st, 5, &bins, log)) != 0)
            break;
        struct fr_hist_row r = {.run_id = sqlite3_column_int64(w.st, 0),
                                .test_no = sqlite3_column_int(w.st, 1),
                                .op = (enum fr_op)sqlite3_column_int(w.st, 2),
                                .metric = (enum fr_metric_id)m,
                                .exact = sqlite3_column_int(w.st, 4),
                                .bins = bins.at,
                                .n = bins.n};
        if ((rc = row(ctx, &r)) != 0)
            break;
    }
    free(bins.at);
    sqlite3_finalize(w.st);
    return rc;
}

/* Is it a time in units of so many milliseconds? What reckons with it must be free to add and subtract. */
static bool is_time(int64_t t, int64_t unit)
{
    return t <= INT64_MAX / 4 / unit && t >= INT64_MIN / 4 / unit;
}

static int damaged_series(const struct walk *w)
{
    w->store->failed = true;
    return fr_log_error(w->log, w->store->path, 0, "holds a series that is damaged");
}

static int read_seconds(struct walk *w, sqlite3_stmt *st, sqlite3_int64 id, struct items *seconds)
{
    seconds->n = 0;
    sqlite3_reset(st);
    sqlite3_bind_int64(st, 1, id);
    int rc;
    while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
        struct fr_second *s = more(&seconds->at, seconds->n, &seconds->alloc, sizeof *s, w);
        if (!s)
            return -1;
        seconds->n++;
        *s = (struct fr_second){.t = sqlite3_column_int64(st, 0),
                                .n = (uint64_t)sqlite3_column_int64(st, 1),
                                .mean = sqlite3_column_double(st, 2),
                                .min = sqlite3_column_double(st, 3),
                                .max = sqlite3_column_double(st, 4)};
        if (!is_time(s->t, 1000))
            return damaged_series(w);
    }
    return rc == SQLITE_DONE ? 0 : fr_store_error(w->store, w->log, "cannot be read");
}

static struct fr_series_row series_row(const struct walk *w, int metric, const struct items *seconds)
{
    return (struct fr_series_row){.run_id = sqlite3_column_int64(w->st, 0),
                                  .test_no = sqlite3_column_int(w->st, 1),
                                  .op = (enum fr_op)sqlite3_column_int(w->st, 2),
                                  .metric = (enum fr_metric_id)metric,
                                  .series_id = sqlite3_column_int64(w->st, 4),
                                  .kind = sqlite3_column_int(w->st, 5) == FR_KIND_INTERVAL ? "interval" : "log",
                                  .step = sqlite3_column_double(w->st, 6),
                                  .averaged = sqlite3_column_int(w->st, 7),
                                  .unix_time = sqlite3_column_int(w->st, 8),
                                  .columns = (unsigned)sqlite3_column_int(w->st, 9),
                                  .n = (unsigned long long)sqlite3_column_int64(w->st, 10),
                                  .last_partial = sqlite3_column_int(w->st, 11),
                                  .interval = sqlite3_column_int64(w->st, 12),
                                  .seconds = seconds->at,
                                  .seconds_n = seconds->n};
}

int fr_store_series(struct fr_store *store, long long run_id, int metric,
                    int (*row)(void *ctx, const struct fr_series_row *), void *ctx, struct fr_log *log)
{
    struct walk w = {.store = store, .log = log};
    if (walk_begin(
            &w,
            "SELECT r.run_id, t.test_no, l.op_id, l.metric_id, l.log_id, l.kind, l.step, l.averaged, "
            "l.unix_time, l.columns, l.n, l.last_partial, l.interval FROM run r JOIN test t ON t.run_id = r.run_id "
            "JOIN log l ON l.test_id = t.test_id WHERE true %s ORDER BY r.run_id, t.test_no, l.log_id",
            run_id, "l.metric_id = %d", metric) != 0)
        return -1;
    struct items seconds = {.at = NULL};
    sqlite3_stmt *st =
        fr_store_prepare(store, "SELECT t, n, mean, min, max FROM second WHERE log_id = ?1 ORDER BY t", log);
    int rc = st ? 0 : -1;
    while (st && (rc = walk_next(&w)) > 0) {
        int m = metric_of(store, sqlite3_column_int(w.st, 3));
        if (m < 0 || !op_is_known(sqlite3_column_int(w.st, 2)))
            continue;
        if ((rc = read_seconds(&w, st, sqlite3_column_int64(w.st, 4), &seconds)) != 0)
            break;
        struct fr_series_row r = series_row(&w, m, &seconds);
        if ((rc = row(ctx, &r)) != 0)
            break;
    }
    free(seconds.at);
    sqlite3_finalize(st);
    sqlite3_finalize(w.st);
    return rc;
}

int fr_store_chunks(struct fr_store *store, long long series_id, int (*row)(void *ctx, const struct fr_chunk *),
                    void *ctx, struct fr_log *log)
{
    struct walk w = {.store = store, .log = log};
    w.st = fr_store_prepare(store, "SELECT n, t0, t1, min, max, data FROM chunk WHERE log_id = ?1 ORDER BY no", log);
    if (!w.st)
        return -1;
    sqlite3_bind_int64(w.st, 1, series_id);
    int rc;
    while ((rc = walk_next(&w)) > 0) {
        struct fr_chunk c = {.n = (uint32_t)sqlite3_column_int64(w.st, 0),
                             .t0 = sqlite3_column_int64(w.st, 1),
                             .t1 = sqlite3_column_int64(w.st, 2),
                             .min = sqlite3_column_int64(w.st, 3),
                             .max = sqlite3_column_int64(w.st, 4),
                             .data = sqlite3_column_blob(w.st, 5),
                             .size = (size_t)sqlite3_column_bytes(w.st, 5)};
        rc = is_time(c.t0, 1) && is_time(c.t1, 1) ? row(ctx, &c) : damaged_series(&w);
        if (rc != 0)
            break;
    }
    sqlite3_finalize(w.st);
    return rc;
}
