/* test_store: what goes in comes out; whole or not at all; what may not be done is refused. */
#include "check.h"
#include "hist.h"
#include "store_db.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "banned.h"

static char folder[64] = "/tmp/fioreport-test-XXXXXX";
static char last[1024]; /* the last message */

static void say(void *ctx, const struct fr_message *m)
{
    (void)ctx;
    snprintf(last, sizeof last, "%s", m->text);
}

static struct fr_log test_log = {.say = say};

static const char *in_folder(const char *name)
{
    static char path[4][128];
    static int i;
    i = (i + 1) % 4;
    snprintf(path[i], sizeof path[i], "%s/%s", folder, name);
    return path[i];
}

static bool said(const char *what)
{
    bool yes = strstr(last, what) != NULL;
    if (!yes)
        fprintf(stdout, "# last message: %s\n", last);
    last[0] = 0;
    return yes;
}

/* A 64-digit hash made of one character. */
static const char *hash(char c)
{
    static char text[2][65];
    static int i;
    i = !i;
    memset(text[i], c, 64);
    return text[i];
}

/* The first cell of a SELECT as text; "?" when it failed. */
static const char *ask(struct fr_store *store, const char *sql)
{
    static char out[256];
    struct fr_table *t = fr_store_select(store, sql, &test_log);
    snprintf(out, sizeof out, "?");
    if (t && t->head && t->head->cells[0].kind == FR_CELL_TEXT)
        snprintf(out, sizeof out, "%s", t->head->cells[0].text);
    else if (t && t->head && t->head->cells[0].kind == FR_CELL_NUMBER)
        snprintf(out, sizeof out, "%.15g", t->head->cells[0].value);
    else if (t)
        snprintf(out, sizeof out, "%s", t->head ? "absent" : "none");
    fr_table_free(t);
    return out;
}

/* ---- a batch that has one of everything ---- */

static void fill_test(struct fr_batch *b, struct fr_run *run)
{
    struct fr_test *t = fr_test_new(b, run, fr_str("job \xc3\xa9"), 12);
    fr_value_add(b, t, FR_OP_READ, FR_M_IOPS, "mean", 108.898185, 13);
    fr_value_add(b, t, FR_OP_READ, FR_M_CLAT, "p99.9", 0.00123, 14);
    fr_value_add(b, t, FR_OP_NONE, FR_M_ERROR, "value", 0, 12);
    struct fr_value *score = fr_value_add(b, t, FR_OP_NONE, FR_M_SCORE, "mean", 42, 15);
    score->own_unit = true;
    score->better = FR_LOWER;
    t->unit = "Frames Per Second";
    fr_param_set(b, run, t, "bs", fr_str("4k"), FR_FROM_FORMAT, 12);
    t->error = "No space left on device";
    struct fr_hist *h = fr_hist_new(b, t, FR_OP_READ, FR_M_CLAT, 3, 20);
    h->exact = true;
    h->bins[0] = (struct fr_bin){0, 1e-6, 7};
    h->bins[1] = (struct fr_bin){1e-6, 2e-6, 0};
    h->bins[2] = (struct fr_bin){2e-6, INFINITY, 1};
    struct fr_series_builder *s = fr_series_begin(b, FR_OP_READ, FR_M_BW, "log", 1024, 0, 30);
    for (int i = 0; i < 100000; i++)
        fr_series_add(s, i * 10, 100 + i % 7, NULL);
    fr_series_end(s, t);
}

static void fill(struct fr_batch *b, const char *name)
{
    fr_batch_init(b, name);
    struct fr_run *run = fr_run_new(b, "fio-json", "fio", 10);
    run->tool_version = "3.36";
    run->label = "zfs";
    run->label_origin = FR_FROM_SURROUND;
    run->host = "box";
    run->started_at = "2024-05-01T10:00:00";
    run->command = "fio x";
    run->cut_short = true;
    fr_param_set(b, run, NULL, "backend", fr_str("zfs"), FR_FROM_DICTIONARY, 0);
    fr_note_add(b, run, "uname", fr_str("Linux"), 2);
    fr_disk_add(b, run, fr_str("sda"), "read_ios", 17, 40);
    fill_test(b, run);
    struct fr_run *second = fr_run_new(b, "dd", "dd", 50);
    second->label = "second";
    struct fr_test *t = fr_test_new(b, second, fr_str("dd"), 50);
    fr_value_add(b, t, FR_OP_WRITE, FR_M_BW, "mean", 1e9, 51);
}

static int add(struct fr_store *store, const char *name, char content, bool replace, bool force)
{
    struct fr_batch b;
    fill(&b, name);
    struct fr_source source = {.name = name, .sha256 = hash(content), .size = 5};
    int rc = fr_store_add(store, &source, &b, replace, force, &test_log);
    fr_batch_release(&b);
    return rc;
}

/* ---- out again ---- */

struct seen {
    int rows;
    char text[1024];
};

static void note(struct seen *s, const char *text)
{
    size_t n = strlen(s->text);
    snprintf(s->text + n, sizeof s->text - n, "%s|", text ? text : "-");
    s->rows++;
}

static int on_run(void *ctx, const struct fr_run_row *r)
{
    char line[512];
    snprintf(line, sizeof line, "%lld %d %s %s %s %s %s %s %s %s %d %u", r->run_id, r->run_no, r->source, r->tool,
             r->tool_version ? r->tool_version : "-", r->label, r->host ? r->host : "-",
             r->started_at ? r->started_at : "-", r->command ? r->command : "-", r->parser, r->cut_short, r->line);
    note(ctx, line);
    return 0;
}

static int on_result(void *ctx, const struct fr_result_row *r)
{
    char line[256];
    snprintf(line, sizeof line, "%lld.%d %s %s %s %s=%.10g%s%s @%u", r->run_id, r->test_no, r->test, fr_op_name(r->op),
             fr_metric_get(r->metric)->name, r->stat, r->value, r->unit,
             r->better == FR_HIGHER  ? "+"
             : r->better == FR_LOWER ? "-"
                                     : "",
             r->line);
    note(ctx, line);
    return 0;
}

static int on_param(void *ctx, const struct fr_param_row *r)
{
    char line[256];
    snprintf(line, sizeof line, "%lld.%d %s=%s %d", r->run_id, r->test_no, r->key, r->value, (int)r->origin);
    note(ctx, line);
    return 0;
}

static int on_hist(void *ctx, const struct fr_hist_row *r)
{
    char line[256];
    snprintf(line, sizeof line, "%lld.%d %s %s %d %zu: %g-%g %llu, %g-%s %llu", r->run_id, r->test_no,
             fr_op_name(r->op), fr_metric_get(r->metric)->name, r->exact, r->n, r->bins[0].lower, r->bins[0].upper,
             (unsigned long long)r->bins[0].count, r->bins[1].lower, isinf(r->bins[1].upper) ? "inf" : "?",
             (unsigned long long)r->bins[1].count);
    note(ctx, line);
    return 0;
}

static long long series_id;

static int on_series(void *ctx, const struct fr_series_row *r)
{
    char line[256];
    series_id = r->series_id;
    snprintf(line, sizeof line, "%lld.%d %s %s %s n=%llu seconds=%zu %lld %.10g", r->run_id, r->test_no,
             fr_op_name(r->op), fr_metric_get(r->metric)->name, r->kind, r->n, r->seconds_n,
             (long long)r->seconds[999].t, r->seconds[0].max);
    note(ctx, line);
    return 0;
}

static int on_chunk(void *ctx, const struct fr_chunk *c)
{
    struct fr_chunk_reader reader;
    struct fr_sample s;
    long long *sum = ctx;
    fr_chunk_reader_init(&reader, c->data, c->size, c->n, 0);
    while (fr_chunk_next(&reader, &s))
        *sum += s.value;
    return reader.bad ? 1 : 0;
}

static int on_disk(void *ctx, const struct fr_disk_row *r)
{
    char line[128];
    snprintf(line, sizeof line, "%s %s %g", r->disk, r->key, r->value);
    note(ctx, line);
    return 0;
}

static int on_note(void *ctx, const struct fr_note_row *r)
{
    char line[128];
    snprintf(line, sizeof line, "%s=%s @%u", r->key, r->value, r->line);
    note(ctx, line);
    return 0;
}

static int on_test(void *ctx, const struct fr_test_row *r)
{
    char line[128];
    snprintf(line, sizeof line, "%lld.%d %s %s @%u", r->run_id, r->test_no, r->test, r->error ? r->error : "-",
             r->line);
    note(ctx, line);
    return 0;
}

static void test_round_trip(void)
{
    struct fr_store *w = fr_store_open(in_folder("a.db"), FR_STORE_WRITE, &test_log);
    CHECK("made", w != NULL);
    CHECK("added", add(w, "one.txt", 'a', false, false) == FR_STORE_ADDED);
    CHECK("pending or committed", fr_store_commit(w, &test_log) == 0 && fr_store_pending(w) == 0);
    fr_store_close(w);
    struct fr_store *r = fr_store_open(in_folder("a.db"), FR_STORE_READ, &test_log);
    CHECK("opened for reading", r != NULL);
    struct seen s = {.rows = 0};
    fr_store_runs(r, on_run, &s, &test_log);
    CHECK_STR("runs", s.text,
              "1 1 one.txt fio 3.36 zfs box 2024-05-01T10:00:00 fio x fio-json 1 10|"
              "2 2 one.txt dd - second - - - dd 0 50|");
    s = (struct seen){.rows = 0};
    fr_store_results(r, 1, FR_M_IOPS, on_result, &s, &test_log);
    fr_store_results(r, 1, FR_M_SCORE, on_result, &s, &test_log);
    fr_store_results(r, 0, FR_M_BW, on_result, &s, &test_log);
    CHECK_STR("results", s.text,
              "1.1 job \xc3\xa9 read iops mean=108.898185IOPS+ @13|"
              "1.1 job \xc3\xa9  score mean=42Frames Per Second- @15|2.1 dd write bw mean=1000000000B/s+ @51|");
    s = (struct seen){.rows = 0};
    CHECK("walk all results", fr_store_results(r, 0, -1, on_result, &s, &test_log) == 0 && s.rows == 5);
    s = (struct seen){.rows = 0};
    fr_store_params(r, 0, on_param, &s, &test_log);
    CHECK_STR("params", s.text, "1.0 backend=zfs 1|1.1 bs=4k 3|");
    s = (struct seen){.rows = 0};
    fr_store_hists(r, 0, -1, on_hist, &s, &test_log);
    CHECK_STR("histograms", s.text, "1.1 read clat 1 2: 0-1e-06 7, 2e-06-inf 1|");
    s = (struct seen){.rows = 0};
    fr_store_series(r, 1, FR_M_BW, on_series, &s, &test_log);
    CHECK_STR("series", s.text, "1.1 read bw log n=100000 seconds=1000 999 108544|");
    long long sum = 0;
    CHECK("chunks", fr_store_chunks(r, series_id, on_chunk, &sum, &test_log) == 0 && sum == 10299995);
    s = (struct seen){.rows = 0};
    fr_store_disks(r, 0, on_disk, &s, &test_log);
    fr_store_notes(r, 0, on_note, &s, &test_log);
    fr_store_tests(r, 0, on_test, &s, &test_log);
    CHECK_STR("disks, notes, tests", s.text,
              "sda read_ios 17|uname=Linux @2|1.1 job \xc3\xa9 No space left on device @12|2.1 dd - @50|");
    fr_store_close(r);
}

/* The contract: names and order of the columns. */
static void test_views(void)
{
    static const char *const views[][2] = {
        {"runs", "run_id source run_no tool tool_version label host started_at command title "},
        {"params", "run_id source run_no test_no key value "},
        {"results", "run_id source run_no label tool test_no test op metric stat value unit better line "},
        {"disks", "run_id source run_no disk key value "},
        {"histogram", "run_id source run_no test_no op metric lower upper count "},
        {"series", "run_id source run_no test_no op metric t n mean min max "},
    };
    struct fr_store *r = fr_store_open(in_folder("a.db"), FR_STORE_READ, &test_log);
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        char sql[64], columns[256] = "";
        snprintf(sql, sizeof sql, "SELECT * FROM %s", views[i][0]);
        struct fr_table *t = fr_store_select(r, sql, &test_log);
        for (size_t k = 0; t && k < t->columns_n; k++) {
            size_t n = strlen(columns);
            snprintf(columns + n, sizeof columns - n, "%s ", t->columns[k].name);
        }
        CHECK_STR(views[i][0], columns, views[i][1]);
        CHECK("has rows", t && t->rows_n > 0);
        fr_table_free(t);
    }
    CHECK_STR("better as text", ask(r, "SELECT better FROM results WHERE metric = 'score'"), "lower");
    CHECK_STR("no upper end", ask(r, "SELECT upper FROM histogram WHERE upper IS NULL"), "absent");
    CHECK_STR("origin", ask(r, "SELECT origin FROM origins WHERE key = 'backend'"), "inferred");
    CHECK_STR("foreign keys hold", ask(r, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
    fr_store_close(r);
}

static void test_known(void)
{
    struct fr_store *w = fr_store_open(NULL, FR_STORE_MEMORY, &test_log);
    struct fr_strbuf other = FR_STRBUF_INIT;
    add(w, "one.txt", 'a', false, false);
    struct fr_source same = {.name = "two.txt", .sha256 = hash('a')};
    CHECK("same content", fr_store_known(w, &same, &other, &test_log) == FR_KNOWN_CONTENT);
    CHECK_STR("its name", fr_strbuf_str(&other), "one.txt");
    struct fr_source name = {.name = "one.txt", .sha256 = hash('b')};
    CHECK("same name", fr_store_known(w, &name, &other, &test_log) == FR_KNOWN_NAME);
    struct fr_source neither = {.name = "x", .sha256 = hash('c')};
    CHECK("neither", fr_store_known(w, &neither, &other, &test_log) == FR_NEW);
    CHECK("the same twice", add(w, "two.txt", 'a', false, false) == FR_STORE_WAS_KNOWN);
    CHECK_STR("is in once", ask(w, "SELECT count(*) FROM sources"), "1");
    CHECK("other content beside it", add(w, "one.txt", 'b', false, false) == FR_STORE_ADDED);
    CHECK_STR("both are in", ask(w, "SELECT count(*) FROM runs"), "4");
    CHECK("replace", add(w, "one.txt", 'c', true, false) == FR_STORE_ADDED);
    CHECK_STR("drops the older", ask(w, "SELECT count(*) || ' ' || min(run_id) FROM runs"), "2 5");
    CHECK("force", add(w, "one.txt", 'c', false, true) == FR_STORE_ADDED);
    CHECK_STR("reads it anew", ask(w, "SELECT count(*) || ' ' || min(run_id) FROM runs"), "2 7");
    struct fr_changes said_by_user = {
        .label = "mine", .title = "my title", .tags = (const char *[]){"raid=z2"}, .tags_n = 1};
    size_t changed;
    fr_store_commit(w, &test_log);
    CHECK("the user says", fr_store_change(w, "7", &said_by_user, &changed, &test_log) == 0);
    CHECK("forced again", add(w, "one.txt", 'c', true, true) == FR_STORE_ADDED);
    CHECK_STR("what the user said is kept",
              ask(w, "SELECT label || title || (SELECT value FROM params p WHERE p.run_id = r.run_id AND key = 'raid') "
                     "FROM runs r WHERE run_no = 1"),
              "minemy titlez2");
    CHECK_STR("of that run alone", ask(w, "SELECT label FROM runs WHERE run_no = 2"), "second");
    CHECK_STR("nothing is left behind", ask(w, "SELECT count(*) FROM results"), "5");
    fr_strbuf_release(&other);
    fr_store_close(w);
}

/* A source in which something is wrong late: nothing of it is in, the one before is. */
static void test_whole(void)
{
    struct fr_store *w = fr_store_open(in_folder("whole.db"), FR_STORE_WRITE, &test_log);
    add(w, "good.txt", 'a', false, false);
    struct fr_batch b;
    fill(&b, "bad.txt");
    fr_param_set(&b, b.runs.head, NULL, "only_here", fr_str("only there"), FR_FROM_FORMAT, 0);
    b.runs.tail->tests.tail->no = -1;
    struct fr_source source = {.name = "bad.txt", .sha256 = hash('b'), .size = 5};
    CHECK("refused", fr_store_add(w, &source, &b, false, false, &test_log) == -1);
    fr_batch_release(&b);
    CHECK("one is pending", fr_store_pending(w) <= 1);
    CHECK_STR("nothing of it is in", ask(w, "SELECT count(*) FROM sources"), "1");
    CHECK_STR("nor its words", ask(w, "SELECT count(*) FROM word WHERE text LIKE 'only%'"), "0");
    CHECK("the next goes in", add(w, "next.txt", 'c', false, false) == FR_STORE_ADDED);
    CHECK("committed", fr_store_commit(w, &test_log) == 0);
    fr_store_close(w);
    w = fr_store_open(in_folder("whole.db"), FR_STORE_READ, &test_log);
    CHECK_STR("both good ones", ask(w, "SELECT group_concat(source) FROM (SELECT DISTINCT source FROM results)"),
              "good.txt,next.txt");
    CHECK_STR("sound", ask(w, "PRAGMA integrity_check"), "ok");
    fr_store_close(w);
}

/* Added, and the process ends before the commit: it is out. */
static void test_uncommitted(void)
{
    struct fr_store *w = fr_store_open(in_folder("un.db"), FR_STORE_WRITE, &test_log);
    add(w, "a.txt", 'a', false, false);
    bool pending = fr_store_pending(w) == 1;
    fr_store_close(w);
    w = fr_store_open(in_folder("un.db"), FR_STORE_WRITE, &test_log);
    CHECK_STR("what was not committed is out", ask(w, "SELECT count(*) FROM sources"), pending ? "0" : "1");
    fr_store_close(w);
}

static void test_twice(void)
{
    struct fr_store *w = fr_store_open(NULL, FR_STORE_MEMORY, &test_log);
    struct fr_batch b;
    fill(&b, "x");
    fr_value_add(&b, b.runs.tail->tests.tail, FR_OP_WRITE, FR_M_BW, "mean", 2e9, 52);
    struct fr_source source = {.name = "x", .sha256 = hash('a'), .size = 5};
    CHECK("a value given twice", fr_store_add(w, &source, &b, false, false, &test_log) == FR_STORE_ADDED);
    CHECK("is said", said("twice"));
    CHECK_STR("and the first kept", ask(w, "SELECT value FROM results WHERE metric = 'bw'"), "1000000000");
    fr_batch_release(&b);
    fr_store_close(w);
}

static void test_select(void)
{
    static const char *const refused[] = {
        "INSERT INTO word (text) VALUES ('x')",
        "DELETE FROM source",
        "DROP VIEW runs",
        "ATTACH '/tmp/fioreport-test-attached.db' AS x",
        "PRAGMA journal_mode = WAL",
        "PRAGMA user_version = 7",
        "PRAGMA query_only = OFF",
        "PRAGMA writable_schema = ON",
        "ANALYZE",
        "REINDEX",
        "UPDATE run SET label = 'x'",
        "CREATE TABLE t (a)",
        "CREATE VIRTUAL TABLE t USING fts5(a)",
        "DETACH main",
        "VACUUM",
        "VACUUM INTO '/tmp/fioreport-test-vacuum.db'",
        "BEGIN",
        "SAVEPOINT x",
        "CREATE TEMP TABLE t (a)",
        "WITH x AS (SELECT 1) DELETE FROM source",
        "REPLACE INTO word VALUES (1, 'y')",
        "SELECT load_extension('x')",
        "SELECT 1; DELETE FROM source",
        "SELECT 1; SELECT 2",
        "",
        "-- nothing",
        "SELECT nothing FROM nowhere",
        "SELEC",
    };
    struct fr_store *w = fr_store_open(in_folder("a.db"), FR_STORE_WRITE, &test_log);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct fr_table *t = fr_store_select(w, refused[i], &test_log);
        CHECK(refused[i], t == NULL && last[0]);
        last[0] = 0;
        fr_table_free(t);
    }
    CHECK("no file was made",
          access("/tmp/fioreport-test-attached.db", F_OK) != 0 && access("/tmp/fioreport-test-vacuum.db", F_OK) != 0);
    CHECK_STR("a comment after it", ask(w, "SELECT 5; -- five\n"), "5");
    CHECK_STR("WITH",
              ask(w, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) "
                     "SELECT sum(i) FROM n"),
              "45");
    CHECK_STR("a big integer is exact", ask(w, "SELECT 9007199254740993"), "9007199254740993");
    CHECK_STR("a blob", ask(w, "SELECT x'00ff'"), "x'00ff'");
    CHECK_STR("a function that gives rows", ask(w, "SELECT value FROM json_each('[7]')"), "7");
    CHECK_STR("NULL", ask(w, "SELECT NULL"), "absent");
    CHECK_STR("all is still there", ask(w, "SELECT count(*) FROM sources"), "1");
    fr_store_close(w);
}

static size_t change(struct fr_store *w, const char *selector, const char *label, const char *title, const char *tag)
{
    size_t changed = 0;
    struct fr_changes c = {.label = label, .title = title, .tags = &tag, .tags_n = tag != NULL};
    return fr_store_change(w, selector, &c, &changed, &test_log) == 0 ? changed : 0;
}

static void test_change(void)
{
    struct fr_store *w = fr_store_open(in_folder("change.db"), FR_STORE_WRITE, &test_log);
    for (char c = 'a'; c <= 'd'; c++)
        add(w, (char[]){c, 0}, c, false, false);
    fr_store_commit(w, &test_log);
    CHECK("by id", change(w, "3", "new", NULL, NULL) == 1);
    CHECK_STR("label", ask(w, "SELECT label FROM runs WHERE run_id = 3"), "new");
    CHECK_STR("by the user", ask(w, "SELECT origin FROM origins WHERE key = 'label' AND run_id = 3"), "user");
    CHECK("ids and ranges", change(w, "1,5-7", NULL, "a title", NULL) == 4);
    CHECK("a range over the end", change(w, "7-99", NULL, "", NULL) == 2);
    CHECK_STR("an empty title is none", ask(w, "SELECT count(title) FROM runs"), "3");
    CHECK("by label", change(w, "zfs", NULL, NULL, "backend=lvm") == 3);
    CHECK("by source", change(w, "b", NULL, NULL, "bs=8k") == 2);
    CHECK_STR("the user's word is the strongest",
              ask(w, "SELECT group_concat(value || test_no) FROM params WHERE run_id = 3 AND key = 'bs'"), "8k0,8k1");
    CHECK("tag removed", change(w, "3", NULL, NULL, "backend=") == 1);
    CHECK_STR("is gone", ask(w, "SELECT count(*) FROM params WHERE run_id = 3 AND key = 'backend'"), "0");
    CHECK("no such run", change(w, "nowhere", "x", NULL, NULL) == 0 && said("no run"));
    CHECK("a bad tag", change(w, "1", "changed", NULL, "=x") == 0 && said("key=value"));
    CHECK_STR("changes nothing", ask(w, "SELECT count(*) FROM runs WHERE label = 'changed'"), "0");
    CHECK("a backward range is no range", change(w, "7-5", "x", NULL, NULL) == 0);
    size_t n = 0;
    CHECK("remove", fr_store_remove(w, "1,2,99", &n, &test_log) == 0 && n == 2 && said("no run 99"));
    CHECK_STR("the source went too", ask(w, "SELECT group_concat(source) FROM sources"), "b,c,d");
    CHECK_STR("with all it had",
              ask(w, "SELECT (SELECT count(*) FROM results) || ' ' || (SELECT count(*) FROM histogram) || ' ' || "
                     "(SELECT count(*) FROM chunk) || ' ' || (SELECT count(*) FROM param)"),
              "15 6 6 7");
    CHECK("remove nothing", fr_store_remove(w, "1", &n, &test_log) == -1 && n == 0);
    CHECK("the same content again", add(w, "a", 'a', false, false) == FR_STORE_ADDED);
    CHECK_STR("with new ids", ask(w, "SELECT min(run_id) FROM runs WHERE source = 'a'"), "9");
    fr_store_commit(w, &test_log);
    fr_store_close(w);
    struct fr_store *r = fr_store_open(in_folder("change.db"), FR_STORE_READ, &test_log);
    CHECK("not when opened for reading", fr_store_remove(r, "3", &n, &test_log) == -1 && said("for reading"));
    fr_store_close(r);
}

static void sql_into(const char *path, const char *sql)
{
    sqlite3 *db;
    if (sqlite3_open(path, &db) == SQLITE_OK)
        sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_close(db);
}

static void write_file(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "w");
    if (f) {
        fwrite(bytes, 1, n, f);
        fclose(f);
    }
}

static void refuse(const char *name, const char *path, enum fr_store_mode mode, const char *why)
{
    struct fr_store *s = fr_store_open(path, mode, &test_log);
    CHECK(name, s == NULL && said(why));
    fr_store_close(s);
}

static void test_open(void)
{
    static char noise[4096];
    memset(noise, 'n', sizeof noise);
    sql_into(in_folder("other.db"), "CREATE TABLE t (a)");
    refuse("another program's database", in_folder("other.db"), FR_STORE_WRITE, "another program's");
    sql_into(in_folder("app.db"), "PRAGMA application_id = 77");
    refuse("another application_id", in_folder("app.db"), FR_STORE_WRITE, "another program's");
    write_file(in_folder("noise"), noise, sizeof noise);
    refuse("not SQLite", in_folder("noise"), FR_STORE_WRITE, "no SQLite database");
    write_file(in_folder("empty"), noise, 0);
    refuse("empty, for reading", in_folder("empty"), FR_STORE_READ, "is empty");
    struct fr_store *s = fr_store_open(in_folder("empty"), FR_STORE_WRITE, &test_log);
    CHECK("empty, for writing", s != NULL);
    fr_store_close(s);
    refuse("missing, for reading", in_folder("missing.db"), FR_STORE_READ, "ingest");
    CHECK("and not made", access(in_folder("missing.db"), F_OK) != 0);
    refuse("a folder, for reading", folder, FR_STORE_READ, "is a folder");
    refuse("a folder, for writing", folder, FR_STORE_WRITE, "cannot be opened");
    refuse("in a missing folder", in_folder("no/where.db"), FR_STORE_WRITE, "folder exist");
    sql_into(in_folder("empty"), "PRAGMA user_version = 99");
    refuse("a newer schema", in_folder("empty"), FR_STORE_WRITE, "newer fioreport");
    refuse("a newer schema, for reading", in_folder("empty"), FR_STORE_READ, "newer fioreport");
    sql_into(in_folder("empty"), "PRAGMA user_version = 2");
    refuse("a schema that was never released", in_folder("empty"), FR_STORE_WRITE, "before the first release");
    refuse("likewise, for reading", in_folder("empty"), FR_STORE_READ, "before the first release");
}

static void test_damaged(void)
{
    struct fr_store *w = fr_store_open(in_folder("damaged.db"), FR_STORE_WRITE, &test_log);
    add(w, "a", 'a', false, false);
    fr_store_commit(w, &test_log);
    fr_store_close(w);
    FILE *f = fopen(in_folder("damaged.db"), "r+");
    for (long at = 4096; f && at < 4096 * 40; at += 64) {
        fseek(f, at, SEEK_SET);
        fwrite("\xff\xff\xff\xff damaged \xff\xff\xff\xff", 1, 17, f);
    }
    if (f)
        fclose(f);
    w = fr_store_open(in_folder("damaged.db"), FR_STORE_WRITE, &test_log);
    int rc = w ? add(w, "b", 'b', false, false) : -1;
    CHECK("damaged", rc == -1 && said("damaged"));
    fr_store_close(w);
}

static void test_migration(void)
{
    static const struct fr_migration good[] = {{3, "ALTER TABLE source ADD COLUMN note TEXT; CREATE TABLE extra (a);"},
                                               {4, "INSERT INTO extra VALUES (23);"},
                                               {0, NULL}};
    static const struct fr_migration bad[] = {{5, "CREATE TABLE more (a); INSERT INTO nowhere VALUES (1);"}, {0, NULL}};
    struct fr_store *w = fr_store_open(in_folder("a.db"), FR_STORE_WRITE, &test_log);
    CHECK("two steps forward", fr_store_schema(w, good, 5, &test_log) == 0);
    CHECK_STR("its version", ask(w, "PRAGMA user_version"), "5");
    CHECK_STR("its rows", ask(w, "SELECT a FROM extra"), "23");
    CHECK_STR("the old ones", ask(w, "SELECT count(*) FROM results"), "5");
    CHECK("a step that fails", fr_store_schema(w, bad, 6, &test_log) == -1 && said("new schema"));
    CHECK_STR("leaves all as it was",
              ask(w, "SELECT (SELECT user_version FROM pragma_user_version) || "
                     "(SELECT count(*) FROM sqlite_schema WHERE name = 'more')"),
              "50");
    CHECK("a step that is missing", fr_store_schema(w, good, 9, &test_log) == -1 && said("no way to"));
    fr_store_close(w);
    refuse("by an older program", in_folder("a.db"), FR_STORE_WRITE, "newer fioreport");
}

static void test_locked(void)
{
    struct fr_store *w = fr_store_open(in_folder("lock.db"), FR_STORE_WRITE, &test_log);
    struct fr_store *other = fr_store_open(in_folder("lock.db"), FR_STORE_WRITE, &test_log);
    sqlite3_busy_timeout(w->db, 20);
    CHECK("another writes", add(other, "a", 'a', false, false) == FR_STORE_ADDED);
    if (fr_store_pending(other)) {
        CHECK("locked", add(w, "b", 'b', false, false) == -1 && said("lock"));
    }
    CHECK("it is done", fr_store_commit(other, &test_log) == 0);
    CHECK("free again", add(w, "b", 'b', false, false) == FR_STORE_ADDED);
    CHECK("committed", fr_store_commit(w, &test_log) == 0);
    CHECK("seen by the other", add(other, "c", 'b', false, false) == FR_STORE_WAS_KNOWN);
    CHECK("words of both", add(other, "c", 'c', false, false) == FR_STORE_ADDED);
    fr_store_commit(other, &test_log);
    CHECK_STR("none twice", ask(w, "SELECT count(*) - count(DISTINCT text) FROM word"), "0");
    fr_store_close(other);
    fr_store_close(w);
}

/* ---- logs ---- */

static void add_batch(struct fr_store *w, struct fr_batch *b, char content)
{
    struct fr_source source = {.name = b->source, .sha256 = hash(content), .size = 5};
    if (fr_store_add(w, &source, b, false, false, &test_log) != FR_STORE_ADDED)
        printf("FAIL add %s: %s\n", b->source, last);
    fr_batch_release(b);
}

/* A run of fio with jobs a (two threads) and b. */
static void add_fio(struct fr_store *w, const char *source, char content, const char *prefix)
{
    struct fr_batch b;
    fr_batch_init(&b, source);
    struct fr_run *run = fr_run_new(&b, "fio-json", "fio", 1);
    run->form = FR_FORM_JSON;
    run->tool_version = "2.1.11";
    run->label = "run";
    struct fr_test *a = fr_test_new(&b, run, fr_str("a"), 1);
    fr_param_set(&b, run, a, "numjobs", fr_str("2"), FR_FROM_FORMAT, 1);
    fr_test_new(&b, run, fr_str("b"), 1);
    if (prefix)
        fr_param_set(&b, run, a, "write_lat_log", fr_str(prefix), FR_FROM_FORMAT, 1);
    add_batch(w, &b, content);
}

static void add_log(struct fr_store *w, const char *source, char content, const char *prefix, const char *job)
{
    struct fr_batch b;
    fr_batch_init(&b, source);
    struct fr_run *run = fr_run_new(&b, "fio-log", "fio", 1);
    run->form = FR_FORM_LOG;
    struct fr_test *t = fr_test_new(&b, run, fr_str(prefix), 1);
    fr_param_set(&b, run, t, "log_prefix", fr_str(prefix), FR_FROM_FORMAT, 1);
    fr_param_set(&b, run, t, "log_job", fr_str(job), FR_FROM_FORMAT, 1);
    struct fr_series_builder *s = fr_series_begin(&b, FR_OP_READ, FR_M_LAT, "log", 1e-9, 0, 1);
    fr_series_add(s, 100, 50, NULL);
    fr_series_end(s, t);
    add_batch(w, &b, content);
}

static void test_logs(void)
{
    struct fr_store *w = fr_store_open(NULL, FR_STORE_MEMORY, &test_log);
    size_t joined = 9;
    CHECK("no logs", fr_store_join_logs(w, &joined, &test_log) == 0 && joined == 0);
    add_log(w, "d/L_lat.3.log", '1', "L", "3");
    add_log(w, "d/L_lat.2.log", '2', "L", "2");
    add_log(w, "other/L_lat.1.log", '3', "L", "1");
    add_fio(w, "d/out.json", '4', "some/where/L");
    add_fio(w, "d/more.json", '5', NULL);
    add_fio(w, "d/below/L.json", '6', NULL);
    CHECK("joined by the option", fr_store_join_logs(w, &joined, &test_log) == 0 && joined == 2);
    CHECK_STR("to the tests of the job's number",
              ask(w, "SELECT group_concat(run_id || '.' || test_no || ' ' || mean) FROM "
                     "(SELECT * FROM series WHERE source = 'd/out.json' ORDER BY test_no)"),
              "4.1 5.0e-05,4.2 5.0e-05");
    CHECK_STR("the one of another folder stays alone",
              ask(w, "SELECT group_concat(run_id) FROM runs WHERE source LIKE '%log'"), "3");
    add_log(w, "d/more_lat.1.log", '7', "more", "1");
    add_log(w, "d/none_lat.1.log", '8', "none", "1");
    add_log(w, "d/below/x_lat.1.log", '9', "x", "1");
    CHECK("joined by the file, by the folder", fr_store_join_logs(w, &joined, &test_log) == 0 && joined == 2);
    CHECK_STR("and no guess", ask(w, "SELECT count(*) FROM runs WHERE source = 'd/none_lat.1.log'"), "1");
    fr_store_join_to(w, 5);
    add_log(w, "d/told_lat.3.log", 'a', "told", "3");
    fr_store_join_to(w, 0);
    CHECK_STR("joined as told",
              ask(w, "SELECT group_concat(test_no) FROM (SELECT * FROM series WHERE run_id = 5 ORDER BY test_no)"),
              "1,2");
    size_t n;
    CHECK("its run removed", fr_store_remove(w, "d/out.json", &n, &test_log) == 0);
    CHECK_STR("its logs may be read again", ask(w, "SELECT count(*) FROM sources WHERE source LIKE 'd/L%'"), "0");
    CHECK_STR("foreign keys hold", ask(w, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
    fr_store_close(w);
}

/* Bins of every kind come out as they went in, through the walk and through the view: as the same doubles. */
struct bins {
    const struct fr_bin *bins;
    size_t n, differ;
};

static int on_bins(void *ctx, const struct fr_hist_row *r)
{
    struct bins *b = ctx;
    b->differ += r->n != b->n || memcmp(r->bins, b->bins, b->n * sizeof *r->bins) != 0;
    return 0;
}

static bool keeps(const struct fr_bin *bins, size_t n, const char *rows)
{
    struct fr_store *w = fr_store_open("", FR_STORE_MEMORY, &test_log);
    struct fr_batch b;
    fr_batch_init(&b, "x");
    struct fr_test *t = fr_test_new(&b, fr_run_new(&b, "fio-json", "fio", 1), fr_str("t"), 1);
    memcpy(fr_hist_new(&b, t, FR_OP_READ, FR_M_CLAT, n, 1)->bins, bins, n * sizeof *bins);
    struct fr_source source = {.name = "x", .sha256 = hash('h'), .size = 5};
    bool fine = fr_store_add(w, &source, &b, false, false, &test_log) == FR_STORE_ADDED;
    struct bins seen = {.bins = bins, .n = n};
    fine = fine && fr_store_hists(w, 0, -1, on_bins, &seen, &test_log) == 0 && !seen.differ;
    fine = fine && strcmp(ask(w, "SELECT count(*) FROM bin"), rows) == 0;
    for (size_t i = 0; i < n; i++) {
        char sql[256];
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM histogram WHERE abs(lower - %.17g) <= lower * 1e-15 AND "
                 "abs(upper - %.17g) <= upper * 1e-15 AND count = %llu",
                 bins[i].lower, bins[i].upper, (unsigned long long)bins[i].count);
        fine = fine && strcmp(ask(w, sql), "1") == 0;
    }
    fr_batch_release(&b);
    fr_store_close(w);
    return fine;
}

static void test_hists(void)
{
    struct fr_bin bins[10];
    for (int us = 0; us < 2; us++) {
        static const unsigned at[] = {0, 1, 127, 128, 129, 191, 192, 700, 1001, FR_HIST_BINS - 1};
        for (size_t i = 0; i < 10; i++)
            bins[i] = fr_hist_bin(at[i], us ? 1e6 : 1e9, i == 5 ? 9223372036854775807u : i + 1);
        CHECK("fio's own bins", keeps(bins, 10, "0"));
        CHECK("one bin", keeps(bins + 9, 1, "0"));
    }
    struct fr_bin swap = bins[3];
    bins[3] = bins[4];
    bins[4] = swap;
    CHECK("not in order", keeps(bins, 10, "0"));
    bins[0] = bins[2] = (struct fr_bin){2e-6, 4e-6, 5};
    bins[1] = (struct fr_bin){5e-6, 9.5e-6, 6};
    CHECK("other bins", keeps(bins, 2, "0"));
    bins[1] = (struct fr_bin){1.0 / 3, 2.0 / 3, 6};
    CHECK("bounds that are no whole nanoseconds", keeps(bins, 2, "2"));
    bins[1] = (struct fr_bin){2, 1e9, 1};
    CHECK("far apart", keeps(bins, 2, "0"));
}

int main(void)
{
    if (!mkdtemp(folder))
        return 2;
    test_round_trip();
    test_views();
    test_known();
    test_whole();
    test_uncommitted();
    test_twice();
    test_select();
    test_change();
    test_open();
    test_damaged();
    test_migration();
    test_locked();
    test_logs();
    test_hists();
    char remove_all[96];
    snprintf(remove_all, sizeof remove_all, "rm -rf '%s'", folder);
    return system(remove_all) != 0 ? 2 : check_failed;
}
