/*
 * store_join.c: fio's logs to the runs that wrote them. A log is a run of its own until then (form FR_FORM_LOG): one
 * test, whose params log_prefix and log_job hold what the file's name says. Joined, its series and distributions belong
 * to a test of the other run, and the run of its own is gone.
 *
 * Which run: one of fio in the same folder that names the prefix as its write_..._log; else one that has a job called
 * like it; else one whose file or label is; else the only one in the folder, when it names no other log. Of two that
 * are equally good the one read from JSON is taken (the other is its text), else none. Which test: where the log's name
 * has no number, the only one whose option names it. Else the number counts fio's threads, in the order of the tests,
 * `numjobs` for each: the test that has it, where its option names the log, or no options are known; else the only one
 * that is called like the log; else the one that has the number all the same; else the only one whose name is a word of
 * the log's. A log that several jobs wrote (per_job_logs=0) is of none of them.
 */
#include "store_db.h"

#include <ctype.h>

#include "banned.h"

enum fit { FIT_NONE, FIT_FOLDER, FIT_FILE, FIT_JOB, FIT_OPTION };

struct job_log {
    sqlite3_int64 run_id, test_id, source_id;
    char *source, *prefix;
    long long job; /* 0: its name has no number */
};

struct found {
    sqlite3_int64 run_id, test_id;
    enum fit fit;
    bool ambiguous;
};

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

static void log_release(struct job_log *l)
{
    free(l->source);
    free(l->prefix);
}

#define LOG_OPTIONS "'write_bw_log', 'write_lat_log', 'write_iops_log', 'write_hist_log'"

/* ---- which test ---------------------------------------------------------------------------------------------------
 */

struct test_place {
    const struct job_log *log;
    sqlite3_int64 by_number, by_name, by_option, by_word, only;
    int named, options, words, tests;
    bool any_options, number_fits; /* the one by_number names the log in its options */
    long long threads;             /* of the tests so far */
};

/* Does one of these values of write_..._log, a line each, name the log? Its file may have been renamed to `md0.L`. */
static bool names_log(const char *values, const char *prefix)
{
    struct fr_str rest = fr_str(values ? values : ""), log = fr_str(prefix);
    while (rest.n) {
        struct fr_str value = fr_take_until(&rest, '\n');
        size_t slash = fr_str_rfind(value, "/");
        value = fr_str_from(value, slash == (size_t)-1 ? 0 : slash + 1);
        if (value.n && log.n >= value.n && memcmp(log.s + log.n - value.n, value.s, value.n) == 0 &&
            (log.n == value.n || log.s[log.n - value.n - 1] == '.'))
            return true;
    }
    return false;
}

/* Is the job's name a word of the log's: `job1` of `md0.job1-log`? */
static bool has_word(const char *prefix, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = n ? strstr(prefix, name) : NULL; at; at = strstr(at + 1, name))
        if ((at == prefix || ispunct((unsigned char)at[-1])) && (!at[n] || ispunct((unsigned char)at[n])))
            return true;
    return false;
}

static void place_test(struct test_place *p, sqlite3_int64 id, const char *name, long long numjobs, const char *logs)
{
    bool by_option = names_log(logs, p->log->prefix);
    p->tests++;
    p->any_options = p->any_options || logs;
    if (by_option) {
        p->options++;
        p->by_option = id;
    }
    p->only = id;
    if (strcmp(name, p->log->prefix) == 0) {
        p->named++;
        p->by_name = id;
    }
    if (has_word(p->log->prefix, name)) {
        p->words++;
        p->by_word = id;
    }
    if (p->log->job > p->threads && p->log->job <= p->threads + numjobs) {
        p->by_number = id;
        p->number_fits = by_option;
    }
    p->threads += numjobs;
}

/*
 * The test of that run which wrote the log, 0 when it is not clear which. A test stands for numjobs threads, but for
 * one where each thread has its own, of the same name.
 */
static int find_test(struct fr_store *store, const struct job_log *l, sqlite3_int64 run_id, sqlite3_int64 *test,
                     struct fr_log *log)
{
    struct test_place p = {.log = l};
    sqlite3_stmt *st = fr_store_prepare(
        store,
        "WITH alike AS (SELECT name, count(*) AS tests FROM test WHERE run_id = ?1 GROUP BY name) "
        "SELECT t.test_id, n.text, CASE WHEN a.tests > 1 THEN 1 ELSE max(1, coalesce((SELECT cast(v.text AS integer) "
        "FROM param q JOIN word k ON k.word_id = q.key JOIN word v ON v.word_id = q.value WHERE q.run_id = ?1 AND "
        "q.test_no IN (0, t.test_no) AND k.text = 'numjobs' ORDER BY q.test_no DESC LIMIT 1), 1)) END, "
        "(SELECT group_concat(v.text, char(10)) FROM param q JOIN word k ON k.word_id = q.key "
        "JOIN word v ON v.word_id = q.value WHERE q.run_id = ?1 AND q.test_no IN (0, t.test_no) AND k.text IN "
        "(" LOG_OPTIONS ")) "
        "FROM test t JOIN alike a ON a.name = t.name JOIN word n ON n.word_id = t.name WHERE t.run_id = ?1 "
        "ORDER BY t.test_no",
        log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, run_id);
    int rc;
    while ((rc = sqlite3_step(st)) == SQLITE_ROW)
        place_test(&p, sqlite3_column_int64(st, 0), (const char *)sqlite3_column_text(st, 1),
                   sqlite3_column_int64(st, 2), (const char *)sqlite3_column_text(st, 3));
    sqlite3_finalize(st);
    if (rc != SQLITE_DONE)
        return fr_store_error(store, log, "cannot be read");
    bool numbered = p.by_number && (p.number_fits || !p.any_options);
    *test = p.options > 1 && !l->job    ? 0
            : p.options == 1 && !l->job ? p.by_option
            : numbered                  ? p.by_number
            : p.named == 1              ? p.by_name
            : p.tests == 1              ? p.only
            : p.by_number               ? p.by_number
            : p.words == 1              ? p.by_word
                                        : 0;
    return 0;
}

/* ---- which run ----------------------------------------------------------------------------------------------------
 */

/* What a run in the folder could be known by. */
struct key {
    char *text;
    sqlite3_int64 run_id;
    enum fit fit;
    bool json;
};

/* The runs of one folder: logs lie together, so it is loaded once for many of them. */
struct folder {
    char *path; /* with its slash; NULL: none is loaded */
    struct key *keys;
    size_t n, alloc;
    size_t runs, options;
    sqlite3_int64 run_id; /* the last of the runs */
    bool json;            /* of the row that is being added */
};

static void folder_release(struct folder *f)
{
    for (size_t i = 0; i < f->n; i++)
        free(f->keys[i].text);
    free(f->keys);
    free(f->path);
    *f = (struct folder){.path = NULL};
}

static int add_key(struct folder *f, const char *text, size_t n, sqlite3_int64 run_id, enum fit fit)
{
    if (f->n == f->alloc) {
        size_t alloc = f->alloc ? f->alloc * 2 : 64;
        struct key *more = realloc(f->keys, alloc * sizeof *more);
        if (!more)
            return -1;
        f->keys = more;
        f->alloc = alloc;
    }
    char *copy = strndup(text, n);
    if (!copy)
        return -1;
    f->keys[f->n++] = (struct key){.text = copy, .run_id = run_id, .fit = fit, .json = f->json};
    return 0;
}

/* A file is known by its name up to any of its dots: `md0.fio.json` by `md0` and `md0.fio` too. */
static int add_file(struct folder *f, const char *name, sqlite3_int64 run_id)
{
    int rc = add_key(f, name, strlen(name), run_id, FIT_FILE);
    for (const char *dot = strchr(name, '.'); rc == 0 && dot; dot = strchr(dot + 1, '.'))
        rc = add_key(f, name, (size_t)(dot - name), run_id, FIT_FILE);
    return rc;
}

/* An option `L` of the run in `md0.fio.json` is known as `L`, and as `md0.L` and `md0.fio.L` where logs were renamed.
 */
static int add_option(struct folder *f, const char *file, const char *value, sqlite3_int64 run_id)
{
    char name[512];
    int rc = add_key(f, value, strlen(value), run_id, FIT_OPTION);
    f->options++;
    file += folder_length(file);
    for (const char *dot = strchr(file, '.'); rc == 0 && dot; dot = strchr(dot + 1, '.')) {
        int n = snprintf(name, sizeof name, "%.*s.%s", (int)(dot - file), file, value);
        if (n > 0 && (size_t)n < sizeof name)
            rc = add_key(f, name, (size_t)n, run_id, FIT_OPTION);
    }
    return rc;
}

/* One row: run, what kind of name, the name, the run's file. */
static int add_row(struct folder *f, sqlite3_int64 run_id, enum fit fit, const char *text, const char *file)
{
    if (!text)
        return 0;
    const char *last = text + folder_length(text);
    switch (fit) {
    case FIT_FOLDER:
        f->runs++;
        f->run_id = run_id;
        return add_file(f, last, run_id);
    case FIT_OPTION:
        return add_option(f, file, last, run_id);
    default:
        return add_key(f, text, strlen(text), run_id, fit);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct key *)a)->text, ((const struct key *)b)->text);
}

/* ?1 is the folder with its slash, ?2 the same with the character after the slash: what lies between begins with ?1. */
#define RUNS_OF_FOLDER                                                                                                 \
    "WITH f AS (SELECT r.run_id, s.name, r.label, r.form FROM source s JOIN run r ON r.source_id = s.source_id "       \
    "JOIN word t ON t.word_id = r.tool WHERE %s AND instr(substr(s.name, length(?1) + 1), '/') = 0 "                   \
    "AND r.form <> 4 AND t.text = 'fio') "                                                                             \
    "SELECT run_id, 1, name, name, form FROM f UNION ALL SELECT run_id, 2, label, name, form FROM f "                  \
    "UNION ALL SELECT f.run_id, 3, n.text, f.name, form FROM f JOIN test t ON t.run_id = f.run_id "                    \
    "JOIN word n ON n.word_id = t.name "                                                                               \
    "UNION ALL SELECT DISTINCT f.run_id, 4, v.text, f.name, form FROM f JOIN param p ON p.run_id = f.run_id "          \
    "JOIN word k ON k.word_id = p.key JOIN word v ON v.word_id = p.value "                                             \
    "WHERE k.text IN (" LOG_OPTIONS ")"

static int folder_load(struct fr_store *store, struct folder *f, const char *source, struct fr_log *log)
{
    size_t n = folder_length(source);
    if (f->path && strlen(f->path) == n && memcmp(f->path, source, n) == 0)
        return 0;
    folder_release(f);
    f->path = strndup(source, n);
    char *end = strndup(source, n), sql[1024];
    int rc = SQLITE_NOMEM;
    snprintf(sql, sizeof sql, RUNS_OF_FOLDER, n ? "s.name > ?1 AND s.name < ?2" : "?1 = ?2");
    sqlite3_stmt *st = f->path && end ? fr_store_prepare(store, sql, log) : NULL;
    if (st) {
        if (n)
            end[n - 1] = '/' + 1;
        sqlite3_bind_text(st, 1, f->path, -1, SQLITE_STATIC);
        sqlite3_bind_text(st, 2, end, -1, SQLITE_STATIC);
        while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
            f->json = sqlite3_column_int(st, 4) == FR_FORM_JSON;
            if (add_row(f, sqlite3_column_int64(st, 0), (enum fit)sqlite3_column_int(st, 1),
                        (const char *)sqlite3_column_text(st, 2), (const char *)sqlite3_column_text(st, 3)) != 0)
                break;
        }
        sqlite3_finalize(st);
    }
    free(end);
    if (rc != SQLITE_DONE)
        return fr_store_error(store, log, "cannot be read");
    if (f->n)
        qsort(f->keys, f->n, sizeof *f->keys, by_text);
    return 0;
}

/* The first key that is not less than the text. */
static size_t lower_bound(const struct folder *f, const char *text)
{
    size_t from = 0, to = f->n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (strcmp(f->keys[middle].text, text) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static int find_run(struct fr_store *store, struct folder *f, const struct job_log *l, struct found *best,
                    struct fr_log *log)
{
    *best = (struct found){.fit = FIT_NONE};
    if (folder_load(store, f, l->source, log) != 0)
        return -1;
    bool json = false;
    if (f->runs == 1 && !f->options)
        *best = (struct found){.run_id = f->run_id, .fit = FIT_FOLDER};
    for (size_t i = lower_bound(f, l->prefix); *l->prefix && i < f->n && strcmp(f->keys[i].text, l->prefix) == 0; i++) {
        const struct key *k = &f->keys[i];
        if (k->fit > best->fit || (k->fit == best->fit && k->json && !json)) {
            *best = (struct found){.run_id = k->run_id, .fit = k->fit};
            json = k->json;
        } else if (k->fit == best->fit && k->run_id != best->run_id && k->json == json) {
            best->ambiguous = true;
        }
    }
    if (!best->run_id || best->ambiguous)
        return 0;
    return find_test(store, l, best->run_id, &best->test_id, log);
}

/* ---- joining ------------------------------------------------------------------------------------------------------
 */

#define LATENCIES "(SELECT metric_id FROM metric WHERE name IN ('slat', 'clat', 'lat'))"

/*
 * A log does not say its unit: microseconds up to fio 2.21, nanoseconds from 2.99. The run's version does: where the
 * log was taken otherwise, its step and seconds are set right. A log that says it (log_unit, of a head line) was
 * converted by somebody: it stays as it is.
 */
static int set_unit(struct fr_store *store, sqlite3_int64 test, sqlite3_int64 target, struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_prepare(store,
                                        "SELECT v.text FROM test t JOIN run r ON r.run_id = t.run_id "
                                        "JOIN word v ON v.word_id = r.tool_version WHERE t.test_id = ?1 "
                                        "AND NOT EXISTS (SELECT 1 FROM param p JOIN word k ON k.word_id = p.key "
                                        "JOIN test l ON l.run_id = p.run_id WHERE l.test_id = ?2 AND k.text = "
                                        "'log_unit')",
                                        log);
    uint64_t major = 0, minor = 0;
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, target);
    sqlite3_bind_int64(st, 2, test);
    bool known = false;
    int rc = sqlite3_step(st);
    if (rc == SQLITE_ROW) {
        struct fr_str version = fr_str((const char *)sqlite3_column_text(st, 0));
        known = fr_take_u64(&version, &major, NULL) && fr_take_ch(&version, '.') && fr_take_u64(&version, &minor, NULL);
    } else if (rc != SQLITE_DONE) {
        fr_store_error(store, log, "cannot be read");
    }
    sqlite3_finalize(st);
    if (!known)
        return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : -1;
    bool nano = major > 2 || (major == 2 && minor >= 99);
    const sqlite3_int64 numbers[] = {test, nano, nano ? 1 : 1000, nano ? 1000 : 1};
    if (fr_store_run(
            store,
            "UPDATE second SET mean = mean * ?3 / ?4, min = min * ?3 / ?4, max = max * ?3 / ?4 WHERE log_id IN "
            "(SELECT log_id FROM log WHERE test_id = ?1 AND (step > 3e-8) = ?2 AND metric_id IN " LATENCIES ")",
            numbers, 4, log) != 0)
        return -1;
    return fr_store_run(store,
                        "UPDATE log SET step = CASE ?2 WHEN 1 THEN 1e-9 ELSE 1e-6 END "
                        "WHERE test_id = ?1 AND metric_id IN " LATENCIES,
                        numbers, 2, log);
}

/* The same I/Os may not be counted twice: what the test has already, in words; NULL: it may be joined. -1 in *status.
 */
static const char *has_already(struct fr_store *store, const struct job_log *l, sqlite3_int64 target, int *status,
                               struct fr_log *log)
{
    static const char *const words[] = {NULL, "has bins of its own (json+)", "has other content of this log"};
    char sql[1024];
    snprintf(sql, sizeof sql,
             "WITH older AS (SELECT o.source_id FROM source s JOIN source o ON o.name = s.name "
             "WHERE s.source_id = %lld) "
             "SELECT CASE WHEN EXISTS (SELECT 1 FROM hist a JOIN hist b ON b.op_id = a.op_id AND "
             "b.metric_id = a.metric_id WHERE a.test_id = %lld AND b.test_id = %lld AND b.exact AND "
             "b.source_id IS NULL) THEN 1 "
             "WHEN EXISTS (SELECT 1 FROM log WHERE test_id = %lld AND source_id IN older) OR "
             "EXISTS (SELECT 1 FROM hist WHERE test_id = %lld AND source_id IN older) THEN 2 ELSE 0 END",
             (long long)l->source_id, (long long)l->test_id, (long long)target, (long long)target, (long long)target);
    return words[fr_store_number(store, sql, 0, status, log)];
}

/* *summed: the test, if it has histograms of the log now. */
static int join(struct fr_store *store, const struct job_log *l, sqlite3_int64 target, struct fr_store_list *summed,
                struct fr_log *log)
{
    const sqlite3_int64 ids[] = {target, l->test_id, l->source_id};
    if (set_unit(store, l->test_id, target, log) != 0 ||
        fr_store_run(store, "UPDATE log SET test_id = ?1, source_id = ?3 WHERE test_id = ?2", ids, 3, log) != 0 ||
        fr_store_run(store, "UPDATE hist SET test_id = ?1, source_id = ?3 WHERE test_id = ?2", ids, 3, log) != 0 ||
        (sqlite3_changes(store->db) && fr_store_list_add(store, summed, target, log) != 0))
        return -1;
    return fr_store_run(store, "DELETE FROM run WHERE run_id = ?1", &l->run_id, 1, log);
}

/*
 * The logs that belong to no run yet, the latest first: of one that grew from ingest to ingest the last content counts.
 * Of the source, if one is given. The next before `before`; 1, 0 when none, -1.
 */
static int next_log(struct fr_store *store, sqlite3_int64 before, sqlite3_int64 source_id, struct job_log *l,
                    struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_prepare(
        store,
        "SELECT r.run_id, t.test_id, s.source_id, s.name, "
        "(SELECT v.text FROM param p JOIN word k ON k.word_id = p.key JOIN word v ON v.word_id = p.value "
        "WHERE p.run_id = r.run_id AND k.text = 'log_prefix'), "
        "(SELECT cast(v.text AS integer) FROM param p JOIN word k ON k.word_id = p.key JOIN word v ON v.word_id = "
        "p.value "
        "WHERE p.run_id = r.run_id AND k.text = 'log_job') "
        "FROM run r JOIN source s ON s.source_id = r.source_id JOIN test t ON t.run_id = r.run_id AND t.test_no = 1 "
        "WHERE r.form = 4 AND r.run_id < ?1 AND (?2 = 0 OR s.source_id = ?2) ORDER BY r.run_id DESC LIMIT 1",
        log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, before);
    sqlite3_bind_int64(st, 2, source_id);
    int rc = sqlite3_step(st);
    if (rc == SQLITE_ROW) {
        const char *prefix = (const char *)sqlite3_column_text(st, 4);
        *l = (struct job_log){.run_id = sqlite3_column_int64(st, 0),
                              .test_id = sqlite3_column_int64(st, 1),
                              .source_id = sqlite3_column_int64(st, 2),
                              .source = strdup((const char *)sqlite3_column_text(st, 3)),
                              .prefix = strdup(prefix ? prefix : ""),
                              .job = sqlite3_column_int64(st, 5)};
    }
    sqlite3_finalize(st);
    if (rc == SQLITE_ROW && l->source && l->prefix)
        return 1;
    return rc == SQLITE_DONE ? 0 : fr_store_error(store, log, "cannot be read");
}

int fr_store_join_source(struct fr_store *store, sqlite3_int64 source_id, sqlite3_int64 run_id, struct fr_log *log)
{
    struct job_log l = {.run_id = 0};
    struct fr_store_list summed = FR_STORE_LIST_INIT;
    sqlite3_int64 test = 0;
    int rc = next_log(store, INT64_MAX, source_id, &l, log);
    if (rc <= 0)
        return rc;
    rc = find_test(store, &l, run_id, &test, log);
    const char *has = rc == 0 && test ? has_already(store, &l, test, &rc, log) : NULL;
    if (rc == 0 && !test)
        fr_log_warn(log, l.source, 0, "does not say to which test of run %lld it belongs, kept as a run of its own",
                    run_id);
    else if (rc == 0 && has)
        fr_log_warn(log, l.source, 0, "belongs to run %lld, which %s: kept apart, so that no I/O counts twice", run_id,
                    has);
    else if (rc == 0)
        rc = join(store, &l, test, &summed, log);
    if (rc == 0)
        rc = fr_store_joined_take(store, &summed, log);
    free(summed.id);
    log_release(&l);
    return rc;
}

/* Logs that are being joined. */
struct joining {
    struct folder folder;
    struct fr_store_list summed; /* tests that got histograms */
    size_t joined;
};

static int join_found(struct fr_store *store, struct joining *j, const struct job_log *l, struct fr_log *log)
{
    struct found best;
    int status = 0;
    if (find_run(store, &j->folder, l, &best, log) != 0)
        return -1;
    const char *has = best.test_id ? has_already(store, l, best.test_id, &status, log) : NULL;
    if (best.ambiguous)
        fr_log_explain(log, l->source, 0, "could belong to several runs, kept as one of its own (--join says which)");
    else if (best.run_id && !best.test_id)
        fr_log_explain(log, l->source, 0,
                       "belongs to run %lld, but does not say to which of its tests, kept as a run of its own",
                       best.run_id);
    else if (has)
        fr_log_explain(log, l->source, 0, "belongs to run %lld, which %s: kept apart, so that no I/O counts twice",
                       best.run_id, has);
    if (status != 0 || best.ambiguous || !best.test_id || has)
        return status;
    j->joined++;
    fr_log_explain(log, l->source, 0, "joined to run %lld: %s", best.run_id,
                   best.fit == FIT_OPTION ? "its option names the log"
                   : best.fit == FIT_JOB  ? "its job is called like the log"
                   : best.fit == FIT_FILE ? "its file is called like the log"
                                          : "it is the only one in the folder");
    return join(store, l, best.test_id, &j->summed, log);
}

int fr_store_join_logs(struct fr_store *store, size_t *joined, struct fr_log *log)
{
    *joined = 0;
    int status;
    if (!fr_store_number(store, "SELECT EXISTS (SELECT 1 FROM run WHERE form = 4)", 0, &status, log) || status != 0)
        return status;
    if (fr_store_begin(store, log) != 0)
        return -1;
    struct job_log l = {.run_id = INT64_MAX};
    struct joining j = {.summed = FR_STORE_LIST_INIT};
    int rc;
    while ((rc = next_log(store, l.run_id, 0, &l, log)) > 0) {
        rc = join_found(store, &j, &l, log);
        log_release(&l);
        if (rc != 0)
            break;
    }
    if (rc == 0)
        rc = fr_store_joined_take(store, &j.summed, log);
    if (rc == 0)
        rc = fr_store_commit(store, log);
    if (rc != 0)
        fr_store_rollback(store);
    *joined = rc == 0 ? j.joined : 0;
    folder_release(&j.folder);
    free(j.summed.id);
    return rc;
}
