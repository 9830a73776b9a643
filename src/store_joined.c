/*
 * store_joined.c: what histogram logs say of the tests that they were joined to: where a test has no percentiles of its
 * own, those of all its logs together, a log for each thread. They are taken anew whenever a log comes or goes. They
 * stand in no line of the test's source; that tells them from what it says itself.
 */
#include "hist.h"
#include "store_db.h"

#include "banned.h"

/* The joined histograms of one op, added up. */
struct sum {
    struct fr_bins bins;
    bool coarse; /* one of them is too coarse to take percentiles from */
};

/* Leave out what was taken from logs before. */
static void drop_taken(struct fr_values *v, int metric)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++) {
        const struct fr_slot *slot = &v->slot[i];
        v->slot[n] = *slot;
        v->value[n] = v->value[i];
        v->line[n] = v->line[i];
        n += v->line[n] || slot->metric != metric || (slot->name[0] != 'p' && strcmp(slot->name, "n") != 0);
    }
    v->n = n;
}

static int sum_up(struct fr_store *store, sqlite3_int64 test_id, int metric, struct sum *sums, struct fr_log *log)
{
    enum { OP, EXACT, HIST };
    struct fr_store_bins bins = {.at = NULL};
    sqlite3_stmt *st = fr_store_prepare(store,
                                        "SELECT h.op_id, h.exact, " FR_STORE_HIST " FROM hist h "
                                        "LEFT JOIN word w ON w.word_id = h.bounds "
                                        "WHERE h.test_id = ?1 AND h.metric_id = ?2 AND h.source_id IS NOT NULL",
                                        log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, test_id);
    sqlite3_bind_int(st, 2, metric);
    int rc;
    while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
        int op = sqlite3_column_int(st, OP);
        if (op < 0 || op >= FR_OP_COUNT)
            continue;
        if (!sqlite3_column_int(st, EXACT))
            sums[op].coarse = true;
        else if (fr_store_hist_read(store, st, HIST, &bins, log) == 0)
            fr_bins_add(&sums[op].bins, bins.at, bins.n);
        else
            break;
    }
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        fr_store_error(store, log, "cannot be read");
    free(bins.at);
    sqlite3_finalize(st);
    return rc == SQLITE_DONE ? 0 : -1;
}

static int add(struct fr_values *v, int op, int metric, const char *name, double value)
{
    struct fr_slot *slot = fr_values_add(v, value, 0);
    if (!slot)
        return -1;
    slot->op = op;
    slot->metric = metric;
    slot->name = name;
    return 0;
}

/* What the sum says; of what the test says itself that stays. */
static int add_taken(struct fr_values *v, int op, int metric, const struct sum *sum, struct fr_arena *texts)
{
    double value;
    if (sum->coarse || !sum->bins.total)
        return 0;
    for (size_t i = 0; i < FR_HIST_DEFAULTS; i++)
        if (fr_bins_percentile(&sum->bins, fr_hist_defaults[i], &value) &&
            add(v, op, metric, fr_arena_printf(texts, "p%g", fr_hist_defaults[i]), value) != 0)
            return -1;
    return add(v, op, metric, "n", (double)sum->bins.total);
}

static int take(struct fr_store *store, sqlite3_int64 test_id, struct fr_log *log)
{
    struct sum sums[FR_OP_COUNT] = {{.coarse = false}};
    struct fr_values v = FR_VALUES_INIT;
    struct fr_arena texts = FR_ARENA_INIT;
    int metric = store->metric_id[FR_M_CLAT];
    int rc = fr_store_values_read(store, test_id, &v, &texts, log);
    size_t before = v.n;
    drop_taken(&v, metric);
    size_t own = v.n;
    if (rc == 0)
        rc = sum_up(store, test_id, metric, sums, log);
    for (int op = 0; op < FR_OP_COUNT; op++) {
        if (rc == 0 && add_taken(&v, op, metric, &sums[op], &texts) != 0)
            rc = fr_log_error(log, store->path, 0, "out of memory");
        fr_bins_release(&sums[op].bins);
    }
    if (rc == 0 && (own < before || own < v.n))
        rc = fr_store_values_write(store, test_id, &v, log);
    fr_arena_release(&texts);
    fr_values_release(&v);
    return rc;
}

int fr_store_joined_take(struct fr_store *store, struct fr_store_list *tests, struct fr_log *log)
{
    int rc = 0;
    fr_store_list_sort(tests);
    for (size_t i = 0; i < tests->n && rc == 0; i++)
        rc = take(store, tests->id[i], log);
    return rc;
}

int fr_store_joined_drop(struct fr_store *store, sqlite3_int64 source_id, struct fr_log *log)
{
    struct fr_store_list tests = FR_STORE_LIST_INIT;
    sqlite3_stmt *st = fr_store_prepare(store, "SELECT test_id FROM hist WHERE source_id = ?1", log);
    if (st)
        sqlite3_bind_int64(st, 1, source_id);
    int rc = fr_store_list_collect(store, st, &tests, log);
    if (rc == 0)
        rc = fr_store_run(store, "DELETE FROM source WHERE source_id = ?1", &source_id, 1, log);
    if (rc == 0)
        rc = fr_store_joined_take(store, &tests, log);
    free(tests.id);
    return rc;
}
