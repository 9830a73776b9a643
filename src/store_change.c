/* store_change.c: removing runs, correcting their labels, titles and tags. See fioreport.h. */
#include "dims.h"
#include "store_db.h"

#include "banned.h"

/* Take `7` or `5-8`. */
static bool take_range(struct fr_str *s, uint64_t *from, uint64_t *to)
{
    if (!fr_take_u64(s, from, NULL))
        return false;
    *to = *from;
    if (fr_take_ch(s, '-') && !fr_take_u64(s, to, NULL))
        return false;
    return *from <= *to && *to <= INT64_MAX;
}

/* Is it `3,5-8`, and nothing else? */
static bool is_numbers(const char *selector)
{
    struct fr_str s = fr_str(selector);
    uint64_t from, to;
    do {
        if (!take_range(&s, &from, &to))
            return false;
    } while (fr_take_ch(&s, ','));
    return s.n == 0;
}

static int find_numbers(struct fr_store *store, const char *selector, struct fr_store_list *ids, struct fr_log *log)
{
    struct fr_str s = fr_str(selector);
    uint64_t from, to, missing = 0;
    do {
        size_t before = ids->n;
        take_range(&s, &from, &to);
        sqlite3_stmt *st = fr_store_prepare(store, "SELECT run_id FROM run WHERE run_id BETWEEN ?1 AND ?2", log);
        if (st) {
            sqlite3_bind_int64(st, 1, (sqlite3_int64)from);
            sqlite3_bind_int64(st, 2, (sqlite3_int64)to);
        }
        if (fr_store_list_collect(store, st, ids, log) != 0)
            return -1;
        if (ids->n == before && from == to && !missing)
            missing = from;
    } while (fr_take_ch(&s, ','));
    if (ids->n && missing)
        fr_log_warn(log, store->path, 0, "has no run %llu, left out", (unsigned long long)missing);
    return 0;
}

static int find_text(struct fr_store *store, const char *sql, const char *text, struct fr_store_list *ids,
                     struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_prepare(store, sql, log);
    if (st)
        sqlite3_bind_text(st, 1, text, -1, SQLITE_STATIC);
    return fr_store_list_collect(store, st, ids, log);
}

int fr_store_find(struct fr_store *store, const char *selector, long long **out, size_t *n, struct fr_log *log)
{
    struct fr_store_list ids = FR_STORE_LIST_INIT;
    int rc = is_numbers(selector) ? find_numbers(store, selector, &ids, log) : 0;
    if (rc == 0 && !ids.n)
        rc = find_text(store, "SELECT run_id FROM run WHERE label = ?1", selector, &ids, log);
    if (rc == 0 && !ids.n)
        rc = find_text(store, "SELECT run_id FROM run JOIN source USING (source_id) WHERE name = ?1", selector, &ids,
                       log);
    if (rc == 0 && !ids.n)
        rc = fr_log_error(log, store->path, 0, "has no run `%s`: no such id, label or source (`fioreport list`)",
                          selector);
    if (rc != 0) {
        free(ids.id);
        return -1;
    }
    fr_store_list_sort(&ids);
    *out = ids.id;
    *n = ids.n;
    return 0;
}

/* ---- changing ---- */

/* Step a statement whose ?1 is each of the ids in turn; it is finalized. */
static int for_each(struct fr_store *store, const struct fr_store_list *ids, sqlite3_stmt *st, struct fr_log *log)
{
    int rc = st ? SQLITE_DONE : SQLITE_ERROR;
    for (size_t i = 0; i < ids->n && rc == SQLITE_DONE; i++) {
        sqlite3_bind_int64(st, 1, ids->id[i]);
        rc = sqlite3_step(st);
        if (rc != SQLITE_DONE)
            fr_store_error(store, log, "cannot be changed");
        sqlite3_reset(st);
    }
    sqlite3_finalize(st);
    return rc == SQLITE_DONE ? 0 : -1;
}

/* The transaction of a change: commit, or give all of it up. */
static int conclude(struct fr_store *store, int rc, struct fr_log *log)
{
    if (rc == 0)
        rc = fr_store_commit(store, log);
    if (rc != 0)
        fr_store_rollback(store);
    return rc;
}

static int find_and_begin(struct fr_store *store, const char *selector, struct fr_store_list *ids, size_t *changed,
                          struct fr_log *log)
{
    *changed = 0;
    if (fr_store_begin(store, log) != 0)
        return -1;
    if (fr_store_find(store, selector, &ids->id, &ids->n, log) == 0)
        return 0;
    fr_store_rollback(store);
    return -1;
}

int fr_store_remove(struct fr_store *store, const char *selector, size_t *changed, struct fr_log *log)
{
    struct fr_store_list ids = FR_STORE_LIST_INIT;
    if (find_and_begin(store, selector, &ids, changed, log) != 0)
        return -1;
    int rc = for_each(store, &ids, fr_store_prepare(store, "DELETE FROM run WHERE run_id = ?1", log), log);
    store->dropped = true;
    rc = conclude(store, rc, log);
    if (rc == 0)
        *changed = ids.n;
    free(ids.id);
    return rc;
}

static int set_text(struct fr_store *store, const struct fr_store_list *ids, const char *sql, const char *text,
                    struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_prepare(store, sql, log);
    if (st)
        sqlite3_bind_text(st, 2, text, -1, SQLITE_STATIC);
    return for_each(store, ids, st, log);
}

/* With a value: of the run, and of its tests where they had one of their own; the user's word is the strongest. */
static int set_tag(struct fr_store *store, const struct fr_store_list *ids, const char *tag, struct fr_log *log)
{
    const char *eq = strchr(tag, '=');
    struct fr_strbuf name = FR_STRBUF_INIT;
    fr_strbuf_add(&name, tag, (size_t)(eq - tag));
    sqlite3_int64 key = fr_store_word(store, fr_strbuf_str(&name), log);
    sqlite3_int64 value = eq[1] ? fr_store_word(store, eq + 1, log) : 0;
    fr_strbuf_release(&name);
    if (key < 0 || value < 0)
        return -1;
    static const char *const set[] = {
        "UPDATE param SET value = ?3, origin = 4, line = NULL WHERE run_id = ?1 AND key = ?2",
        "INSERT OR REPLACE INTO param (run_id, test_no, key, value, origin) VALUES (?1, 0, ?2, ?3, 4)", NULL};
    static const char *const drop[] = {"DELETE FROM param WHERE run_id = ?1 AND key = ?2", NULL};
    for (const char *const *sql = value ? set : drop; *sql; sql++) {
        sqlite3_stmt *st = fr_store_prepare(store, *sql, log);
        if (st) {
            sqlite3_bind_int64(st, 2, key);
            if (value)
                sqlite3_bind_int64(st, 3, value);
        }
        if (for_each(store, ids, st, log) != 0)
            return -1;
    }
    return 0;
}

static int check(const struct fr_changes *changes, struct fr_log *log)
{
    if (changes->label && !*changes->label)
        return fr_log_error(log, NULL, 0, "a label cannot be empty, nothing was changed");
    for (size_t i = 0; i < changes->tags_n; i++)
        if (fr_dims_check(changes->tags[i], ", nothing was changed", log) != 0)
            return -1;
    return 0;
}

int fr_store_change(struct fr_store *store, const char *selector, const struct fr_changes *changes, size_t *changed,
                    struct fr_log *log)
{
    struct fr_store_list ids = FR_STORE_LIST_INIT;
    *changed = 0;
    if (check(changes, log) != 0 || find_and_begin(store, selector, &ids, changed, log) != 0)
        return -1;
    int rc = 0;
    if (changes->label)
        rc =
            set_text(store, &ids, "UPDATE run SET label = ?2, label_origin = 4 WHERE run_id = ?1", changes->label, log);
    if (rc == 0 && changes->title)
        rc = set_text(store, &ids, "UPDATE run SET title = nullif(?2, ''), title_origin = 4 WHERE run_id = ?1",
                      changes->title, log);
    for (size_t i = 0; rc == 0 && i < changes->tags_n; i++)
        rc = set_tag(store, &ids, changes->tags[i], log);
    rc = conclude(store, rc, log);
    if (rc == 0)
        *changed = ids.n;
    free(ids.id);
    return rc;
}
