/* test_store_packed.c: numbers lie packed in the database: what comes out of it is what went in, and no test's fault is
 * another's. */
#include "check.h"
#include "hist.h"
#include "store_db.h"

#include <math.h>
#include <unistd.h>

#include "banned.h"

static char last[1024]; /* the last message */

static void say(void *ctx, const struct fr_message *m)
{
    (void)ctx;
    snprintf(last, sizeof last, "%s", m->text);
}

static struct fr_log test_log = {.say = say};

enum { NUMBERS = 40, STATS = 8 };
static const char *const stats[STATS] = {"mean", "min", "max", "stdev", "n", "p50", "p99", "p99.99"};

/* Numbers of every kind: no two have one name; every third has no line, the others lie far apart. */
static double number(size_t i)
{
    static const double some[] = {0, 1.0 / 3, -2.5, 9007199254740993.0, 1e300, 108.531524474592, 1e-9, 42};
    return some[i % 8] + (double)(i / 8);
}

static unsigned line_of(size_t i)
{
    return i % 3 == 2 ? 0 : (unsigned)(7 + i * i * 100);
}

static void add_numbers(struct fr_batch *b, struct fr_test *t)
{
    static const enum fr_metric_id metrics[] = {FR_M_SCORE, FR_M_IOPS, FR_M_CLAT, FR_M_LAT, FR_M_BW};
    t->unit = "Frames Per Second";
    for (size_t i = 0; i < NUMBERS; i++) {
        struct fr_value *v =
            fr_value_add(b, t, FR_OP_READ, metrics[i / STATS], stats[i % STATS], number(i), line_of(i));
        v->own_unit = i < STATS;
        v->better = i % 2 ? FR_LOWER : FR_BETTER_DEFAULT;
    }
}

static struct fr_test *new_test(struct fr_batch *b, const char *source)
{
    fr_batch_init(b, source);
    struct fr_run *run = fr_run_new(b, "fio-json", "fio", 1);
    run->label = "x";
    return fr_test_new(b, run, fr_str("job"), 1);
}

static struct fr_addition addition(struct fr_batch *b, char content)
{
    static char hashes[128][65];
    memset(hashes[(int)content], content, 64);
    return (struct fr_addition){.source = {.name = b->source, .sha256 = hashes[(int)content], .size = 5}, .batch = b};
}

static int add(struct fr_store *w, struct fr_batch *b, char content)
{
    struct fr_addition a = addition(b, content);
    int rc = fr_store_add_all(w, &a, 1, &test_log);
    fr_batch_release(b);
    return rc;
}

static long long ask(struct fr_store *w, const char *sql)
{
    return fr_store_number(w, sql, -1, NULL, &test_log);
}

/* ---- numbers ---- */

struct seen {
    size_t n, differ;
};

static int on_number(void *ctx, const struct fr_result_row *r)
{
    struct seen *s = ctx;
    size_t i = s->n++;
    double want = number(i);
    bool own_unit = strcmp(r->unit, "Frames Per Second") == 0;
    s->differ += memcmp(&r->value, &want, sizeof want) != 0 || r->line != line_of(i) ||
                 strcmp(r->stat, stats[i % STATS]) != 0 || own_unit != (i < STATS) || (i % 2 && r->better != FR_LOWER);
    return 0;
}

/* How many rows the view has for number i that are right to the bit. */
static size_t rows_of(struct fr_store *w, size_t i)
{
    static const char *const metrics[] = {"score", "iops", "clat", "lat", "bw"};
    sqlite3_stmt *st = fr_store_prepare(w,
                                        "SELECT value, line FROM results WHERE metric = ?1 AND stat = ?2 AND op = "
                                        "'read' AND typeof(value) = 'real'",
                                        &test_log);
    size_t n = 0;
    sqlite3_bind_text(st, 1, metrics[i / STATS], -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 2, stats[i % STATS], -1, SQLITE_STATIC);
    while (sqlite3_step(st) == SQLITE_ROW) {
        double value = sqlite3_column_double(st, 0), want = number(i);
        n += memcmp(&value, &want, sizeof want) == 0 &&
             (sqlite3_column_type(st, 1) == SQLITE_NULL) == (line_of(i) == 0) &&
             (unsigned)sqlite3_column_int64(st, 1) == line_of(i);
    }
    sqlite3_finalize(st);
    return n;
}

static void test_numbers(void)
{
    struct fr_store *w = fr_store_open("", FR_STORE_MEMORY, &test_log);
    struct fr_batch b;
    add_numbers(&b, new_test(&b, "a"));
    CHECK("many numbers", add(w, &b, 'a') == 0);
    struct seen seen = {.n = 0};
    CHECK("walked", fr_store_results(w, 0, -1, on_number, &seen, &test_log) == 0 && seen.n == NUMBERS && !seen.differ);
    size_t right = 0;
    for (size_t i = 0; i < NUMBERS; i++)
        right += rows_of(w, i);
    CHECK("the view has each, once", right == NUMBERS && ask(w, "SELECT count(*) FROM results") == NUMBERS);
    add_numbers(&b, new_test(&b, "b"));
    CHECK("again", add(w, &b, 'b') == 0);
    CHECK("what they are called is kept once", ask(w, "SELECT count(*) FROM slot") == NUMBERS);
    fr_store_shapes_forget(w);
    add_numbers(&b, new_test(&b, "c"));
    CHECK("found again", add(w, &b, 'c') == 0 && ask(w, "SELECT count(*) FROM slot") == NUMBERS);
    new_test(&b, "d");
    CHECK("a test without numbers", add(w, &b, 'd') == 0 && ask(w, "SELECT count(*) FROM tests") == 4);
    fr_store_close(w);
}

/* Given twice, in two rows of sixteen: the first stays, as often as that comes. */
static void test_doubles(void)
{
    struct fr_store *w = fr_store_open("", FR_STORE_MEMORY, &test_log);
    for (char content = 'a'; content <= 'b'; content++) {
        struct fr_batch b;
        struct fr_test *t = new_test(&b, "x");
        add_numbers(&b, t);
        fr_value_add(&b, t, FR_OP_READ, FR_M_SCORE, "mean", 99, 5);
        fr_value_add(&b, t, FR_OP_WRITE, FR_M_SCORE, "mean", 77, 6);
        last[0] = 0;
        CHECK("given twice", add(w, &b, content) == 0 && strstr(last, "twice"));
    }
    CHECK("the first stays", ask(w, "SELECT count(*) FROM results WHERE value = 99") == 0);
    CHECK("and what comes after", ask(w, "SELECT count(*) FROM results WHERE value = 77 AND line = 6") == 2);
    CHECK("all others", ask(w, "SELECT count(*) FROM results") == 2 * (NUMBERS + 1));
    fr_store_close(w);
}

/* ---- disks ---- */

static int on_disk(void *ctx, const struct fr_disk_row *r)
{
    struct seen *s = ctx;
    char key[16];
    snprintf(key, sizeof key, "key%.0f", r->value);
    s->n++;
    s->differ += strcmp(r->key, key) != 0;
    return 0;
}

static void test_disks(void)
{
    struct fr_store *w = fr_store_open("", FR_STORE_MEMORY, &test_log);
    struct fr_batch b;
    new_test(&b, "disks");
    for (int i = 0; i < 20; i++)
        for (int disk = 0; disk < 3; disk++)
            fr_disk_add(&b, b.runs.head, fr_str(disk == 1 ? "sdb" : "sda"), fr_arena_printf(&b.arena, "key%d", i), i,
                        9);
    CHECK("disks in turns, one named twice", add(w, &b, 'a') == 0);
    CHECK("each number once",
          ask(w, "SELECT count(*) FROM disks WHERE key = 'key' || CAST(value AS INTEGER) AND disk IN ('sda', 'sdb')") ==
              40);
    struct seen seen = {.n = 0};
    CHECK("walked", fr_store_disks(w, 0, on_disk, &seen, &test_log) == 0 && seen.n == 40 && !seen.differ);
    fr_store_close(w);
}

/* ---- distributions ---- */

struct bins_seen {
    size_t hists, bins, right;
};

static int on_hist(void *ctx, const struct fr_hist_row *r)
{
    struct bins_seen *s = ctx;
    s->hists++;
    for (size_t i = 0; i < r->n; i++, s->bins++)
        s->right += r->bins[i].count == s->bins + 1 && (s->bins == 3) == (r->bins[i].upper > 1e300);
    return 0;
}

static void add_hist(struct fr_batch *b, struct fr_test *t, size_t n, const struct fr_bin *bins)
{
    struct fr_hist *h = fr_hist_new(b, t, FR_OP_READ, FR_M_CLAT, n, 3);
    memcpy(h->bins, bins, n * sizeof *bins);
}

/* Bins without any count, one that ends at 0, one that has no end. */
static void test_hists(void)
{
    static const struct fr_bin none[] = {{0, 3e-9, 0}, {3e-9, 7e-9, 0}}, at_zero[] = {{0, 0, 1}, {0, 3e-9, 2}},
                               endless[] = {{1e-3, 3e-3, 3}, {3e-3, INFINITY, 4}};
    struct fr_store *w = fr_store_open("", FR_STORE_MEMORY, &test_log);
    struct fr_batch b;
    struct fr_test *t = new_test(&b, "hists");
    add_hist(&b, t, 2, none);
    add_hist(&b, t, 0, none);
    add_hist(&b, t, 2, at_zero);
    add_hist(&b, t, 2, endless);
    CHECK("distributions", add(w, &b, 'a') == 0);
    struct bins_seen seen = {.hists = 0};
    CHECK("those without counts are empty, not damaged",
          fr_store_hists(w, 0, -1, on_hist, &seen, &test_log) == 0 && seen.hists == 4);
    CHECK("ends are kept", seen.bins == 4 && seen.right == 4);
    CHECK("the view has them too", ask(w, "SELECT count(*) FROM histogram") == 4 &&
                                       ask(w, "SELECT count(*) FROM histogram WHERE upper IS NULL") == 1 &&
                                       ask(w, "SELECT count(*) FROM histogram WHERE upper = 0") == 1);
    fr_store_close(w);
}

/* ---- several sources at once ---- */

static void test_together(void)
{
    struct fr_store *w = fr_store_open("", FR_STORE_MEMORY, &test_log);
    struct fr_batch b[4];
    struct fr_addition list[4];
    for (int i = 0; i < 4; i++) {
        char name[2] = {(char)('p' + i), 0};
        add_numbers(&b[i], new_test(&b[i], name));
        list[i] = addition(&b[i], i == 3 ? 'p' : name[0]);
    }
    b[1].runs.head->tests.head->no = -1;
    CHECK("one of them is bad", fr_store_add_all(w, list, 4, &test_log) == -1);
    CHECK("and stays out alone", list[0].outcome == FR_STORE_ADDED && list[1].outcome == -1 &&
                                     list[2].outcome == FR_STORE_ADDED && list[3].outcome == FR_STORE_WAS_KNOWN);
    CHECK("the others are in", ask(w, "SELECT count(*) FROM results") == 2 * NUMBERS);
    CHECK("sound", ask(w, "SELECT count(*) FROM pragma_foreign_key_check") == 0);
    for (int i = 0; i < 4; i++)
        fr_batch_release(&b[i]);
    struct fr_batch again[2];
    for (int i = 0; i < 2; i++) {
        add_numbers(&again[i], new_test(&again[i], "p"));
        list[i] = addition(&again[i], (char)('x' + i));
        list[i].replace = true;
    }
    CHECK("two of one name, which replace", fr_store_add_all(w, list, 2, &test_log) == 0);
    fr_store_commit(w, &test_log);
    CHECK("the last stays", ask(w, "SELECT count(*) FROM sources WHERE source = 'p' AND sha256 LIKE 'yyy%'") == 1 &&
                                ask(w, "SELECT count(*) FROM sources WHERE source = 'p'") == 1);
    for (int i = 0; i < 2; i++)
        fr_batch_release(&again[i]);
    fr_store_close(w);
}

/*
 * One of them is bad, so each goes in alone; then the disk is full, at which SQLite may take back those before as well:
 * what is said to be in is in.
 */
static void test_full(void)
{
    size_t told = 0, in = 0, full = 0;
    for (int pages = 0; pages < 300; pages += 6) {
        struct fr_store *w = fr_store_open("", FR_STORE_MEMORY, &test_log);
        struct fr_batch b[3];
        struct fr_addition list[3];
        char pragma[64];
        for (int i = 0; i < 3; i++) {
            struct fr_test *t = new_test(&b[i], "x");
            add_numbers(&b[i], t);
            if (i == 2) /* a shape of its own: what waits goes in before that, the bad one, too */
                fr_value_add(&b[i], t, FR_OP_TRIM, FR_M_BW, "max", 1, 1);
            for (int k = 0; i == 2 && k < 100; k++) { /* texts that are kept once are inserted one by one */
                const char *text = fr_arena_printf(&b[i].arena, "text%01000d", k);
                fr_param_set(&b[i], b[i].runs.head, t, text, fr_str("x"), FR_FROM_FORMAT, 1);
            }
            list[i] = addition(&b[i], (char)('a' + i));
        }
        b[1].runs.head->tests.head->no = -1;
        snprintf(pragma, sizeof pragma, "PRAGMA max_page_count = %lld",
                 fr_store_number(w, "PRAGMA page_count", 0, NULL, &test_log) + pages);
        fr_store_exec(w, pragma, "x", &test_log);
        fr_store_add_all(w, list, 3, &test_log);
        full += strstr(last, "the disk is full") != NULL;
        for (int i = 0; i < 3; i++) {
            told += list[i].outcome == FR_STORE_ADDED;
            fr_batch_release(&b[i]);
        }
        in += (size_t)fr_store_number(w, "SELECT count(*) FROM source", 0, NULL, &test_log);
        fr_store_close(w);
    }
    CHECK("the disk was full", full > 0);
    CHECK("what is said to be in is in", told > 0 && told == in);
}

/* ---- logs ---- */

static void add_run(struct fr_store *w, char content)
{
    struct fr_batch b;
    struct fr_test *t = new_test(&b, "d/run.json");
    fr_param_set(&b, b.runs.head, t, "numjobs", fr_str("2"), FR_FROM_FORMAT, 1);
    fr_value_add(&b, t, FR_OP_READ, FR_M_CLAT, "p50", 0.5, 7);
    fr_value_add(&b, t, FR_OP_READ, FR_M_IOPS, "p99", 3, 0);
    struct fr_addition a = addition(&b, content);
    a.force = true;
    CHECK("the run is in", fr_store_add_all(w, &a, 1, &test_log) == 0 && a.outcome == FR_STORE_ADDED);
    fr_batch_release(&b);
}

/* The histogram log of a thread: `count` samples in one of fio's bins. */
static void add_log(struct fr_store *w, const char *source, const char *thread, unsigned bin, uint64_t count,
                    char content, bool replace)
{
    struct fr_batch b;
    struct fr_test *t = new_test(&b, source);
    const struct fr_bin one = fr_hist_bin(bin, 1e9, count);
    b.runs.head->form = FR_FORM_LOG;
    fr_param_set(&b, b.runs.head, t, "log_prefix", fr_str("job"), FR_FROM_FORMAT, 1);
    fr_param_set(&b, b.runs.head, t, "log_job", fr_str(thread), FR_FROM_FORMAT, 1);
    fr_value_add(&b, t, FR_OP_READ, FR_M_CLAT, "p99", fr_bin_value(&one), 3);
    add_hist(&b, t, 1, &one);
    t->hists.head->exact = true;
    struct fr_addition a = addition(&b, content);
    size_t joined;
    a.replace = replace;
    CHECK("the log is in", fr_store_add_all(w, &a, 1, &test_log) == 0 && a.outcome == FR_STORE_ADDED);
    CHECK("its runs are looked for", fr_store_join_logs(w, &joined, &test_log) == 0);
    fr_batch_release(&b);
}

/* Has the run these values, `p99` being what fio prints for that bin, and its own? */
static bool says(struct fr_store *w, unsigned bin, long long n)
{
    char sql[400];
    struct fr_bin p99 = fr_hist_bin(bin, 1e9, 1);
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM results WHERE source = 'd/run.json' AND ((metric = 'iops' AND value = 3) OR "
             "(stat = 'p50' AND value = 0.5 AND line = 7) OR (stat = 'p99' AND metric = 'clat' AND line IS NULL AND "
             "abs(value / %.17g - 1) < 1e-9) OR (stat = 'n' AND value = %lld))",
             fr_bin_value(&p99), n);
    return ask(w, sql) == 4;
}

/*
 * What a test does not say itself is taken from the histograms of all its logs, and anew when one comes or goes; what
 * it says stays, also when it is read anew.
 */
static void test_joined(void)
{
    enum { FAST = 400, SLOW = 900, SLOWER = 1200 };
    struct fr_store *w = fr_store_open("", FR_STORE_MEMORY, &test_log);
    size_t n;
    add_run(w, 'a');
    add_log(w, "d/job_clat_hist.1.log", "1", FAST, 90, 'b', false);
    CHECK("one log", says(w, FAST, 90));
    add_log(w, "d/job_clat_hist.2.log", "2", SLOW, 10, 'c', false);
    CHECK("both together", says(w, SLOW, 100));
    add_run(w, 'a');
    CHECK("also when the run is read anew", says(w, SLOW, 100));
    add_log(w, "d/job_clat_hist.2.log", "2", SLOWER, 11, 'd', true);
    CHECK("what replaces a log counts in its place", says(w, SLOWER, 101));
    add_log(w, "d/job_clat_hist.2.log", "2", SLOW, 12, 'e', false);
    CHECK("other content of a log does not count beside it", says(w, SLOWER, 101));
    CHECK("but stays alone", ask(w, "SELECT count(*) FROM runs") == 2);
    CHECK("the bins are the logs'", ask(w, "SELECT sum(count) FROM histogram WHERE source = 'd/run.json'") == 101);
    struct fr_batch b;
    const struct fr_bin own = fr_hist_bin(FAST, 1e9, 5);
    add_hist(&b, new_test(&b, "d/plus.json"), 1, &own);
    b.runs.head->tests.head->hists.head->exact = true;
    add(w, &b, 'f');
    fr_store_join_to(w, ask(w, "SELECT max(run_id) FROM runs"));
    add_log(w, "d/job_clat_hist.3.log", "1", FAST, 5, 'g', false);
    fr_store_join_to(w, 0);
    CHECK("nor does a log beside bins of json+, where it is told to",
          ask(w, "SELECT sum(count) FROM histogram WHERE source = 'd/plus.json'") == 5);
    CHECK("all gone with the run",
          fr_store_remove(w, "d/run.json", &n, &test_log) == 0 && ask(w, "SELECT count(*) FROM sources") == 3);
    fr_store_close(w);
}

/* Asked so often that the answers come from memory: they are those of the database. */
static void test_known(void)
{
    char path[] = "/tmp/fioreport-known-XXXXXX";
    int fd = mkstemp(path);
    struct fr_store *w = fr_store_open(path, FR_STORE_WRITE, &test_log);
    struct fr_store *other = fr_store_open(path, FR_STORE_WRITE, &test_log);
    struct fr_strbuf name = FR_STRBUF_INIT;
    struct fr_batch b, old;
    new_test(&old, "old");
    struct fr_addition known = addition(&old, 'o');
    CHECK("one is in", fr_store_add_all(w, &known, 1, &test_log) == 0 && fr_store_commit(w, &test_log) == 0);
    size_t wrong = 0;
    for (int i = 0; i < 300; i++) {
        char hash[65], text[16];
        snprintf(hash, sizeof hash, "%064d", i);
        snprintf(text, sizeof text, "new %d", i);
        struct fr_source fresh = {.name = text, .sha256 = hash}, named = {.name = "old", .sha256 = hash};
        wrong += fr_store_known(w, &fresh, &name, &test_log) != FR_NEW;
        wrong += fr_store_known(w, &named, &name, &test_log) != FR_KNOWN_NAME;
        wrong += fr_store_known(w, &known.source, &name, &test_log) != FR_KNOWN_CONTENT;
    }
    CHECK("asked often", wrong == 0);
    new_test(&b, "mine");
    struct fr_addition mine = addition(&b, 'm');
    fr_store_add_all(w, &mine, 1, &test_log);
    CHECK("what was added since", fr_store_known(w, &mine.source, &name, &test_log) == FR_KNOWN_CONTENT);
    fr_store_commit(w, &test_log);
    struct fr_batch theirs;
    new_test(&theirs, "theirs");
    struct fr_addition that = addition(&theirs, 't');
    CHECK("another program's",
          fr_store_add_all(other, &that, 1, &test_log) == 0 && fr_store_commit(other, &test_log) == 0);
    CHECK("is not added again", fr_store_add_all(w, &that, 1, &test_log) == 0 && that.outcome == FR_STORE_WAS_KNOWN);
    CHECK("and known from then on", fr_store_known(w, &that.source, &name, &test_log) == FR_KNOWN_CONTENT);
    fr_batch_release(&old);
    fr_batch_release(&b);
    fr_batch_release(&theirs);
    fr_strbuf_release(&name);
    fr_store_close(other);
    fr_store_close(w);
    close(fd);
    unlink(path);
}

static int on_series(void *ctx, const struct fr_series_row *r)
{
    *(size_t *)ctx += r->seconds_n;
    return 0;
}

static int on_chunk(void *ctx, const struct fr_chunk *c)
{
    *(size_t *)ctx += c->n;
    return 0;
}

/* Times with which nobody could reckon. */
static void test_times(void)
{
    struct fr_store *w = fr_store_open("", FR_STORE_MEMORY, &test_log);
    struct fr_batch b;
    size_t n = 0;
    add_numbers(&b, new_test(&b, "a"));
    add(w, &b, 'a');
    fr_store_exec(w,
                  "INSERT INTO log (log_id, test_id, op_id, metric_id, kind, step, averaged, unix_time, columns, "
                  "interval, n, last_partial) SELECT 1, test_id, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0 FROM test; "
                  "INSERT INTO second VALUES (1, 1700000000, 1, 1, 1, 1); "
                  "INSERT INTO chunk VALUES (1, 0, 1, 1700000000000, 1700000000000, 1, 1, x'00')",
                  "x", &test_log);
    CHECK("times", fr_store_series(w, 0, -1, on_series, &n, &test_log) == 0 &&
                       fr_store_chunks(w, 1, on_chunk, &n, &test_log) == 0 && n == 2);
    fr_store_exec(w, "UPDATE second SET t = 9223372036854775807; UPDATE chunk SET t0 = -9223372036854775807", "x",
                  &test_log);
    CHECK("times that are none", fr_store_series(w, 0, -1, on_series, &n, &test_log) == -1 &&
                                     fr_store_chunks(w, 1, on_chunk, &n, &test_log) == -1 && n == 2 &&
                                     strstr(last, "damaged") && fr_store_failed(w));
    fr_store_close(w);
}

/* What this program does not expect to find. */
static void test_damage(void)
{
    struct fr_store *w = fr_store_open("", FR_STORE_MEMORY, &test_log);
    struct fr_batch b;
    add_numbers(&b, new_test(&b, "a"));
    add(w, &b, 'a');
    fr_store_commit(w, &test_log);
    uint64_t n;
    CHECK("numbers as text", fr_store_digits_get("2001234", 2, &n) && n == 34 &&
                                 !fr_store_digits_get("2001234", 3, &n) && !fr_store_digits_get("", 0, &n) &&
                                 !fr_store_digits_get("x12", 0, &n));
    fr_store_exec(w, "UPDATE test SET lines = (SELECT word_id FROM word WHERE text = 'job')", "x", &test_log);
    struct seen seen = {.n = 0};
    CHECK("lines that are none", fr_store_results(w, 0, -1, on_number, &seen, &test_log) == 0 && seen.n == NUMBERS);
    fr_store_exec(w, "DELETE FROM slot WHERE part > 0", "x", &test_log);
    fr_store_shapes_forget(w);
    seen.n = 0;
    CHECK("names that are missing", fr_store_results(w, 0, -1, on_number, &seen, &test_log) == 0 && seen.n == FR_PART);
    fr_store_close(w);
}

static int on_param(void *ctx, const struct fr_param_row *r)
{
    *(int *)ctx = (int)r->origin;
    return 0;
}

/* An edited database has what no program of ours writes. */
static void test_edited(void)
{
    static const char *const origins[] = {"265", "-1", "5", "'x'"};
    struct fr_store *w = fr_store_open(NULL, FR_STORE_MEMORY, &test_log);
    struct fr_batch b;
    struct fr_test *t = new_test(&b, "x");
    fr_param_set(&b, b.runs.head, t, "bs", fr_str("4k"), FR_FROM_USER, 1);
    struct fr_addition in = addition(&b, 'e');
    int origin = -1;
    CHECK("added", fr_store_add_all(w, &in, 1, &test_log) == 0 && fr_store_commit(w, &test_log) == 0);
    CHECK("origin", fr_store_params(w, 0, on_param, &origin, &test_log) == 0 && origin == FR_FROM_USER);
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        char sql[128];
        snprintf(sql, sizeof sql, "PRAGMA ignore_check_constraints = ON; UPDATE param SET origin = %s", origins[i]);
        CHECK("edited", sqlite3_exec(w->db, sql, NULL, NULL, NULL) == SQLITE_OK);
        CHECK("an origin that there is not is none",
              fr_store_params(w, 0, on_param, &origin, &test_log) == 0 && origin == FR_FROM_NONE);
    }
    fr_batch_release(&b);
    fr_store_close(w);
}

int main(void)
{
    test_numbers();
    test_doubles();
    test_disks();
    test_hists();
    test_together();
    test_full();
    test_joined();
    test_known();
    test_times();
    test_damage();
    test_edited();
    return check_failed;
}
