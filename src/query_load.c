/* query_load.c: the store's rows in memory. See query.h. */
#include "query.h"

#include <math.h>

#include "banned.h"

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* FNV-1a, 64 bits. */
static size_t hash(const char *s)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 0x100000001b3u;
    return (size_t)h;
}

static const char **slot(const char **words, size_t alloc, const char *text)
{
    size_t i = hash(text) & (alloc - 1);
    while (words[i] && strcmp(words[i], text) != 0)
        i = (i + 1) & (alloc - 1);
    return &words[i];
}

static void rehash(struct fr_q *q)
{
    size_t alloc = q->words_alloc ? q->words_alloc * 2 : 1024;
    const char **words = calloc(alloc, sizeof *words);
    if (!words) {
        fprintf(stderr, "fioreport: error: out of memory\n");
        exit(4);
    }
    for (size_t i = 0; i < q->words_alloc; i++)
        if (q->words[i])
            *slot(words, alloc, q->words[i]) = q->words[i];
    free(q->words);
    q->words = words;
    q->words_alloc = alloc;
}

const char *fr_q_word(struct fr_q *q, const char *text)
{
    if (!text)
        return NULL;
    if (q->words_n * 2 >= q->words_alloc)
        rehash(q);
    const char **place = slot(q->words, q->words_alloc, text);
    if (!*place) {
        *place = fr_arena_strdup(&q->arena, text);
        q->words_n++;
    }
    return *place;
}

static const char *number_word(struct fr_q *q, long long n)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", n);
    return fr_q_word(q, text);
}

void fr_q_release(struct fr_q *q)
{
    fr_q_merged_release(q);
    free(q->runs);
    free(q->tests);
    free(q->values);
    free(q->words);
    free(q->keys);
    free(q->own);
    fr_arena_release(&q->arena);
}

/* ---- rows of the store ------------------------------------------------------------------------------------------- */

struct walk {
    struct fr_q *q;
    size_t run, test; /* where the walk stands: the store's order is ours */
};

static int on_run(void *ctx, const struct fr_run_row *row)
{
    struct fr_q *q = ((struct walk *)ctx)->q;
    q->runs = fr_grow(q->runs, q->runs_n, &q->runs_alloc, sizeof *q->runs);
    q->runs[q->runs_n++] = (struct fr_q_run){.id = row->run_id,
                                             .no = row->run_no,
                                             .tests = row->tests,
                                             .id_text = number_word(q, row->run_id),
                                             .source = fr_q_word(q, row->source),
                                             .tool = fr_q_word(q, row->tool),
                                             .version = fr_q_word(q, row->tool_version),
                                             .label = fr_q_word(q, row->label ? row->label : row->source),
                                             .host = fr_q_word(q, row->host),
                                             .started = fr_q_word(q, row->started_at),
                                             .command = fr_q_word(q, row->command),
                                             .title = fr_q_word(q, row->title),
                                             .sha256 = fr_q_word(q, row->sha256),
                                             .parser = fr_q_word(q, row->parser),
                                             .cut_short = row->cut_short,
                                             .line = row->line};
    return 0;
}

static bool is_table(const struct fr_q_run *run)
{
    return run->tool && strcmp(run->tool, "table") == 0 && run->line;
}

/* What tells the table of run i from the others of its source: its title, the line where it stands, or both. */
static const char *table_text(struct fr_q *q, size_t i)
{
    const struct fr_q_run *run = &q->runs[i];
    char place[32];
    bool alone = run->title && *run->title;
    snprintf(place, sizeof place, "line %u", run->line);
    if (!alone)
        return fr_q_word(q, place);
    while (i && q->runs[i - 1].source == run->source)
        i--;
    for (; alone && i < q->runs_n && q->runs[i].source == run->source; i++)
        alone = q->runs[i].line == run->line || q->runs[i].title != run->title || !is_table(&q->runs[i]);
    return alone ? run->title : fr_q_word(q, fr_arena_printf(&q->arena, "%s, %s", run->title, place));
}

/* Runs of one table, its columns, stand beside each other. */
static void name_tables(struct fr_q *q)
{
    for (size_t i = 0; i < q->runs_n; i++) {
        struct fr_q_run *run = &q->runs[i], *before = i ? run - 1 : NULL;
        if (!is_table(run))
            continue;
        bool same = before && is_table(before) && before->source == run->source && before->line == run->line &&
                    before->title == run->title;
        run->table_text = same ? before->table_text : table_text(q, i);
    }
}

/* The run of that id, at or after the place of the walk; NULL when there is none. */
static struct fr_q_run *run_of(struct walk *w, long long id)
{
    struct fr_q *q = w->q;
    while (w->run < q->runs_n && q->runs[w->run].id < id)
        w->run++;
    return w->run < q->runs_n && q->runs[w->run].id == id ? &q->runs[w->run] : NULL;
}

static int on_test(void *ctx, const struct fr_test_row *row)
{
    struct walk *w = ctx;
    struct fr_q *q = w->q;
    struct fr_q_run *run = run_of(w, row->run_id);
    if (!run)
        return 0;
    q->tests = fr_grow(q->tests, q->tests_n, &q->tests_alloc, sizeof *q->tests);
    q->tests[q->tests_n++] = (struct fr_q_test){
        .run = run, .no = row->test_no, .name = fr_q_word(q, row->test), .error = fr_q_word(q, row->error)};
    return 0;
}

static int by_run_and_name(const void *a, const void *b)
{
    const struct fr_q_test *x = *(struct fr_q_test *const *)a, *y = *(struct fr_q_test *const *)b;
    if (x->run != y->run)
        return x->run < y->run ? -1 : 1;
    uintptr_t n = (uintptr_t)x->name, m = (uintptr_t)y->name;
    return n != m ? (n < m ? -1 : 1) : x < y ? -1 : x > y;
}

/* Number the tests of one name within each run. */
static int count_jobs(struct fr_q *q)
{
    struct fr_q_test **list = malloc((q->tests_n + 1) * sizeof *list);
    if (!list)
        return fr_log_error(q->log, NULL, 0, "out of memory");
    for (size_t i = 0; i < q->tests_n; i++)
        list[i] = &q->tests[i];
    qsort(list, q->tests_n, sizeof *list, by_run_and_name);
    for (size_t i = 0; i < q->tests_n; i++) {
        const struct fr_q_test *before = i ? list[i - 1] : NULL;
        bool same = before && before->run == list[i]->run && before->name == list[i]->name;
        list[i]->job = same ? before->job + 1 : 1;
        list[i]->job_text = number_word(q, list[i]->job);
    }
    free(list);
    return 0;
}

struct fr_q_test *fr_q_test_at(struct fr_q *q, size_t *at, long long run_id, int no)
{
    while (*at < q->tests_n &&
           (q->tests[*at].run->id < run_id || (q->tests[*at].run->id == run_id && q->tests[*at].no < no)))
        ++*at;
    struct fr_q_test *t = *at < q->tests_n ? &q->tests[*at] : NULL;
    return t && t->run->id == run_id && t->no == no ? t : NULL;
}

static void add_key(const char ***keys, size_t *n, size_t *alloc, const char *key)
{
    for (size_t i = 0; i < *n; i++)
        if ((*keys)[i] == key)
            return;
    *keys = fr_grow(*keys, *n, alloc, sizeof **keys);
    (*keys)[(*n)++] = key;
}

static int on_param(void *ctx, const struct fr_param_row *row)
{
    struct walk *w = ctx;
    struct fr_q *q = w->q;
    struct fr_q_run *run = run_of(w, row->run_id);
    struct fr_q_test *test = row->test_no ? fr_q_test_at(q, &w->test, row->run_id, row->test_no) : NULL;
    if (!run || (row->test_no && !test))
        return 0;
    struct fr_q_param *p = fr_arena_new(&q->arena, struct fr_q_param);
    struct fr_q_param **end = test ? &test->params : &run->params;
    p->key = fr_q_word(q, row->key);
    p->value = fr_q_word(q, row->value);
    p->origin = row->origin;
    add_key(&q->keys, &q->keys_n, &q->keys_alloc, p->key);
    if (p->origin == FR_FROM_USER)
        add_key(&q->own, &q->own_n, &q->own_alloc, p->key);
    while (*end)
        end = &(*end)->next;
    *end = p;
    return 0;
}

/* Only the errno of each test. */
static int on_error(void *ctx, const struct fr_result_row *row)
{
    struct walk *w = ctx;
    struct fr_q_test *test = fr_q_test_at(w->q, &w->test, row->run_id, row->test_no);
    if (test && fabs(row->value) < 1e6)
        test->err = (int)row->value;
    return 0;
}

static int on_value(void *ctx, const struct fr_result_row *row)
{
    struct walk *w = ctx;
    struct fr_q *q = w->q;
    struct fr_q_test *test = fr_q_test_at(q, &w->test, row->run_id, row->test_no);
    if (!test)
        return 0;
    q->values = fr_grow(q->values, q->values_n, &q->values_alloc, sizeof *q->values);
    q->values[q->values_n++] = (struct fr_q_value){.test = test,
                                                   .op = row->op,
                                                   .metric = row->metric,
                                                   .stat = fr_q_word(q, row->stat),
                                                   .unit = fr_q_word(q, row->unit),
                                                   .value = row->value,
                                                   .better = row->better,
                                                   .line = row->line};
    return 0;
}

int fr_q_load(struct fr_q *q, struct fr_store *store, const struct fr_query *query, struct fr_log *log)
{
    *q = (struct fr_q){.store = store, .query = query, .log = log, .arena = FR_ARENA_INIT};
    if (fr_store_runs(store, on_run, &(struct walk){.q = q}, log) != 0)
        return -1;
    if (!q->runs_n)
        return fr_log_error(log, NULL, 0, "there are no runs");
    name_tables(q);
    if (fr_store_tests(store, 0, on_test, &(struct walk){.q = q}, log) != 0 || count_jobs(q) != 0 ||
        fr_store_params(store, 0, on_param, &(struct walk){.q = q}, log) != 0 ||
        fr_store_results(store, 0, FR_M_ERROR, on_error, &(struct walk){.q = q}, log) != 0)
        return -1;
    return 0;
}

/* Values in the order of tests, and within one in that of metrics, ops; the same on every machine. */
static int in_order(const void *a, const void *b)
{
    const struct fr_q_value *x = a, *y = b;
    if (x->test != y->test)
        return x->test < y->test ? -1 : 1;
    if (x->metric != y->metric)
        return x->metric < y->metric ? -1 : 1;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return strverscmp(x->stat, y->stat);
}

int fr_q_load_values(struct fr_q *q, long long run_id, unsigned long long metrics)
{
    bool every = metrics == FR_Q_EVERY_METRIC;
    for (int m = every ? -1 : 0; m < (every ? 0 : FR_M_COUNT); m++)
        if ((every || metrics >> m & 1) &&
            fr_store_results(q->store, run_id, m, on_value, &(struct walk){.q = q}, q->log) != 0)
            return -1;
    if (q->values_n)
        qsort(q->values, q->values_n, sizeof *q->values, in_order);
    return 0;
}

/* ---- what is known of a test ------------------------------------------------------------------------------------- */

const char *fr_q_param(const struct fr_q_test *test, const char *key)
{
    for (const struct fr_q_param *p = test->params; p; p = p->next)
        if (strcmp(p->key, key) == 0)
            return p->value;
    for (const struct fr_q_param *p = test->run->params; p; p = p->next)
        if (strcmp(p->key, key) == 0)
            return p->value;
    return NULL;
}

bool fr_q_failed(const struct fr_q_test *test)
{
    return test->err || (test->error && *test->error) || test->run->cut_short;
}

const char *fr_q_failure(struct fr_q *q, const struct fr_q_test *test)
{
    const char *text = test->error && *test->error ? test->error : NULL;
    if (text && (!test->err || strncmp(text, "err=", 4) == 0))
        return text;
    if (test->err)
        return fr_arena_printf(&q->arena, "err=%d%s%s", test->err, text ? " " : "", text ? text : "");
    return "cut short, figures may be partial";
}
