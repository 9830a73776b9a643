/*
 * store_keep.c: a source is read anew (--force): what people and logs added to its runs goes over to the new ones. The
 * old source is set aside under a hash that no content has, and dropped at the end.
 */
#include "store_db.h"

#include "banned.h"

int fr_store_set_aside(struct fr_store *store, const char *sha256, sqlite3_int64 *id, struct fr_log *log)
{
    *id = 0;
    sqlite3_stmt *st = fr_store_statement(store, FR_ST_SOURCE_BY_HASH, log);
    if (!st)
        return -1;
    sqlite3_bind_text(st, 1, sha256, -1, SQLITE_STATIC);
    int rc = sqlite3_step(st);
    if (rc == SQLITE_ROW)
        *id = sqlite3_column_int64(st, 0);
    sqlite3_reset(st);
    if (rc == SQLITE_DONE)
        return 0;
    if (rc != SQLITE_ROW)
        return fr_store_error(store, log, "cannot be read");
    return fr_store_run(store, "UPDATE source SET sha256 = 'old ' || substr(sha256, 5) WHERE source_id = ?1", id, 1,
                        log);
}

/* The tests of a source that histogram logs were joined to: these say something of them. */
static int take_joined(struct fr_store *store, sqlite3_int64 source_id, struct fr_log *log)
{
    struct fr_store_list tests = FR_STORE_LIST_INIT;
    sqlite3_stmt *st = fr_store_prepare(store,
                                        "SELECT t.test_id FROM run r JOIN test t ON t.run_id = r.run_id "
                                        "WHERE r.source_id = ?1 AND EXISTS (SELECT 1 FROM hist h "
                                        "WHERE h.test_id = t.test_id AND h.source_id IS NOT NULL)",
                                        log);
    if (st)
        sqlite3_bind_int64(st, 1, source_id);
    int rc = fr_store_list_collect(store, st, &tests, log);
    if (rc == 0)
        rc = fr_store_joined_take(store, &tests, log);
    free(tests.id);
    return rc;
}

/* Runs and tests are the same by their numbers: the content is the same. What the user says now is not overridden. */
int fr_store_keep(struct fr_store *store, sqlite3_int64 from, sqlite3_int64 to, struct fr_log *log)
{
    static const char *const steps[] = {
        "UPDATE run SET label_origin = 4, label = (SELECT o.label FROM run o WHERE o.source_id = ?1 AND o.run_no = "
        "run.run_no) WHERE source_id = ?2 AND label_origin < 4 AND EXISTS (SELECT 1 FROM run o WHERE o.source_id = ?1 "
        "AND o.run_no = run.run_no AND o.label_origin = 4)",
        "UPDATE run SET title_origin = 4, title = (SELECT o.title FROM run o WHERE o.source_id = ?1 AND o.run_no = "
        "run.run_no) WHERE source_id = ?2 AND EXISTS (SELECT 1 FROM run o WHERE o.source_id = ?1 AND o.run_no = "
        "run.run_no AND o.title_origin = 4)",
        "INSERT OR REPLACE INTO param (run_id, test_no, key, value, origin) "
        "SELECT n.run_id, p.test_no, p.key, p.value, 4 FROM run o JOIN param p ON p.run_id = o.run_id "
        "JOIN run n ON n.source_id = ?2 AND n.run_no = o.run_no WHERE o.source_id = ?1 AND p.origin = 4 "
        "AND NOT EXISTS (SELECT 1 FROM param q WHERE q.run_id = n.run_id AND q.key = p.key AND q.origin = 4)",
        "UPDATE log SET test_id = nt.test_id FROM test ot JOIN run o ON o.run_id = ot.run_id "
        "JOIN run n ON n.source_id = ?2 AND n.run_no = o.run_no "
        "JOIN test nt ON nt.run_id = n.run_id AND nt.test_no = ot.test_no "
        "WHERE log.test_id = ot.test_id AND o.source_id = ?1 AND log.source_id IS NOT NULL",
        "UPDATE hist SET test_id = nt.test_id FROM test ot JOIN run o ON o.run_id = ot.run_id "
        "JOIN run n ON n.source_id = ?2 AND n.run_no = o.run_no "
        "JOIN test nt ON nt.run_id = n.run_id AND nt.test_no = ot.test_no "
        "WHERE hist.test_id = ot.test_id AND o.source_id = ?1 AND hist.source_id IS NOT NULL",
    };
    const sqlite3_int64 ids[] = {from, to};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (fr_store_run(store, steps[i], ids, 2, log) != 0)
            return -1;
    if (take_joined(store, to, log) != 0)
        return -1;
    return fr_store_joined_drop(store, from, log);
}
