/* query_runs.c: list and show. See query.h. */
#include "query.h"

#include <math.h>

#include "strbuf.h"

#include "banned.h"

/* ---- list -------------------------------------------------------------------------------------------------------- */

enum list_column { L_ID, L_LABEL, L_TOOL, L_VERSION, L_TESTS, L_STARTED, L_SOURCE, L_PROBLEM };

struct listed {
    const struct fr_q_run *run;
    const struct fr_q_test *first; /* its first test that is used */
    const struct fr_q_test *failed;
    const char *sort;
    enum fr_q_dim_kind kind; /* of `sort` */
    size_t place;
    bool descending;
};

static int by_list_order(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;
    int order = fr_q_compare(x->kind, x->sort, y->sort);
    if (x->descending && x->sort && y->sort)
        order = -order;
    return order ? order : x->place < y->place ? -1 : 1;
}

/* The runs with a test that is used, in order; yours to free. */
static struct listed *choose_runs(struct fr_q *q, size_t *n)
{
    const char *by = q->query->sort;
    struct fr_q_dim dim = {.kind = FR_DIM_RUN};
    bool descending = by && *by == '-';
    if (by && !fr_q_dim_find(q, fr_str(by + descending), "--sort", &dim))
        return NULL;
    struct listed *list = calloc(q->runs_n, sizeof *list);
    size_t t = 0;
    *n = 0;
    for (size_t i = 0; list && i < q->runs_n; i++) {
        struct listed one = {.run = &q->runs[i], .kind = dim.kind, .place = i, .descending = descending};
        for (; t < q->tests_n && q->tests[t].run == one.run; t++) {
            if (!one.first && q->tests[t].used)
                one.first = &q->tests[t];
            if (!one.failed && fr_q_failed(&q->tests[t]))
                one.failed = &q->tests[t];
        }
        one.sort = by && one.first ? fr_q_dim_get(&dim, one.first, NULL) : NULL;
        if (one.first || (!one.run->tests && !q->query->where_n))
            list[(*n)++] = one;
    }
    if (!list)
        fr_log_error(q->log, NULL, 0, "out of memory");
    else if (by)
        qsort(list, *n, sizeof *list, by_list_order);
    return list;
}

static void list_row(struct fr_q *q, struct fr_table *table, const struct listed *one)
{
    const struct fr_q_run *run = one->run;
    struct fr_row *row = fr_table_row(table);
    char when[40] = "";
    fr_table_number(table, row, L_ID, (double)run->id);
    fr_table_text(table, row, L_LABEL, run->label);
    fr_table_text(table, row, L_TOOL, run->tool);
    fr_table_text(table, row, L_VERSION, run->version);
    fr_table_number(table, row, L_TESTS, run->tests);
    if (run->started)
        snprintf(when, sizeof when, "%.19s", run->started);
    if (strlen(when) > 10 && when[10] == 'T')
        when[10] = ' ';
    fr_table_text(table, row, L_STARTED, *when ? when : NULL);
    fr_table_text(table, row, L_SOURCE, run->source);
    if (one->failed) {
        row->flags |= FR_CELL_FAILED;
        fr_table_text(table, row, L_PROBLEM, fr_q_failure(q, one->failed));
    }
}

static struct fr_table *list_table(struct fr_q *q)
{
    static const char *const heads[] = {"id", "label", "tool", "version", "tests", "started", "source"};
    size_t n;
    if (fr_q_where_tests(q) != 0)
        return NULL;
    struct listed *list = choose_runs(q, &n);
    if (!list)
        return NULL;
    struct fr_table *table = fr_table_new();
    bool problem = false;
    for (size_t i = 0; i < n; i++)
        problem = problem || list[i].failed;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        fr_table_column(table, heads[i], i == L_ID ? FR_COL_KEY : FR_COL_INFO);
    if (problem)
        fr_table_column(table, "problem", FR_COL_INFO);
    for (size_t i = 0; i < n; i++)
        list_row(q, table, &list[i]);
    free(list);
    return table;
}

struct fr_table *fr_query_runs(struct fr_store *store, const struct fr_query *query, struct fr_log *log)
{
    struct fr_q q;
    struct fr_table *table = NULL;
    if (fr_q_load(&q, store, query, log) == 0)
        table = list_table(&q);
    fr_q_release(&q);
    return table;
}

/* ---- show -------------------------------------------------------------------------------------------------------- */

enum show_column { S_RUN, S_PART, S_TEST, S_NAME, S_VALUE, S_UNIT, S_FROM };

struct show {
    struct fr_q *q;
    struct fr_table *table;
    const struct fr_q_run *run;
    size_t test, value; /* where the walk over tests and values stands: they are in the order of runs */
};

static struct fr_row *show_row(struct show *s, const char *part, const char *test, const char *name, const char *from)
{
    struct fr_row *row = fr_table_row(s->table);
    fr_table_text(s->table, row, S_RUN, s->run->id_text);
    fr_table_text(s->table, row, S_PART, part);
    fr_table_text(s->table, row, S_TEST, test ? test : "");
    fr_table_text(s->table, row, S_NAME, name);
    fr_table_text(s->table, row, S_UNIT, "");
    fr_table_text(s->table, row, S_FROM, from ? from : "");
    return row;
}

static void show_text(struct show *s, const char *part, const char *test, const char *name, const char *value,
                      const char *from)
{
    if (value)
        fr_table_text(s->table, show_row(s, part, test, name, from), S_VALUE, value);
}

static const char *origin_word(enum fr_origin origin)
{
    static const char *const words[] = {"", "inferred", "around the run", "the tool's output", "the user"};
    return words[origin];
}

static const char *line_word(struct show *s, unsigned line)
{
    return line ? fr_arena_printf(&s->q->arena, "line %u", line) : "";
}

static void show_params(struct show *s, const struct fr_q_param *params, const char *test)
{
    for (const struct fr_q_param *p = params; p; p = p->next)
        show_text(s, "param", test, p->key, p->value, origin_word(p->origin));
}

/* A figure in the unit that suits it; nine digits are more than any tool prints. */
static void show_number(struct show *s, struct fr_row *row, enum fr_dim dim, const char *unit, double value)
{
    double scale = 1, back;
    char text[40];
    if (dim != FR_DIM_NONE && dim != FR_DIM_COUNT)
        unit = fr_unit_choose(dim, fabs(value), FR_UNITS_AUTO, &scale);
    snprintf(text, sizeof text, dim == FR_DIM_COUNT ? "%.15g" : "%.9g", value / scale);
    fr_table_number(s->table, row, S_VALUE, fr_str_double(fr_str(text), &back) ? back : value / scale);
    fr_table_text(s->table, row, S_UNIT, unit ? unit : "");
}

static void show_value(struct show *s, const struct fr_q_value *v)
{
    const struct fr_metric *m = fr_metric_get(v->metric);
    const char *op = fr_op_name(v->op);
    const char *name = fr_arena_printf(&s->q->arena, "%s%s%s:%s", op, *op ? "." : "", m->name, v->stat);
    struct fr_row *row = show_row(s, "value", v->test->name, name, line_word(s, v->line));
    bool count = strcmp(v->stat, "n") == 0;
    show_number(s, row, count ? FR_DIM_COUNT : m->dim, count ? "" : v->unit, v->value);
}

static int show_disk(void *ctx, const struct fr_disk_row *row)
{
    struct show *s = ctx;
    fr_table_number(s->table, show_row(s, "disk", row->disk, row->key, NULL), S_VALUE, row->value);
    return 0;
}

static int show_note(void *ctx, const struct fr_note_row *row)
{
    struct show *s = ctx;
    show_text(s, "note", NULL, row->key, row->value, line_word(s, row->line));
    return 0;
}

static void show_head(struct show *s)
{
    const struct fr_q_run *run = s->run;
    const char *parser = fr_arena_printf(&s->q->arena, "read as %s", run->parser ? run->parser : "?");
    show_text(s, "run", NULL, "label", run->label, NULL);
    show_text(s, "run", NULL, "source", run->source, line_word(s, run->line));
    show_text(s, "run", NULL, "tool", run->tool, parser);
    show_text(s, "run", NULL, "tool_version", run->version, NULL);
    show_text(s, "run", NULL, "title", run->title, NULL);
    show_text(s, "run", NULL, "host", run->host, NULL);
    show_text(s, "run", NULL, "started_at", run->started, NULL);
    show_text(s, "run", NULL, "command", run->command, NULL);
    if (run->cut_short)
        show_text(s, "run", NULL, "problem", "cut short, figures may be partial", NULL);
    show_params(s, run->params, NULL);
}

static int show_run(struct show *s)
{
    struct fr_q *q = s->q;
    show_head(s);
    for (; s->test < q->tests_n && q->tests[s->test].run <= s->run; s->test++) {
        const struct fr_q_test *test = &q->tests[s->test];
        if (test->run != s->run)
            continue;
        if (test->err || test->error)
            show_text(s, "test", test->name, "problem", fr_q_failure(q, test), NULL);
        show_params(s, test->params, test->name);
        for (; s->value < q->values_n && q->values[s->value].test <= test; s->value++)
            if (q->values[s->value].test == test)
                show_value(s, &q->values[s->value]);
    }
    if (fr_store_disks(q->store, s->run->id, show_disk, s, q->log) != 0)
        return -1;
    return fr_store_notes(q->store, s->run->id, show_note, s, q->log) != 0 ? -1 : 0;
}

/* Of these runs, or of more: a few are asked for one by one. */
static int load_shown(struct fr_q *q, const long long *ids, size_t n)
{
    enum { FEW = 64 };
    int result = 0;
    if (!ids || n > FEW)
        return fr_q_load_values(q, 0, FR_Q_EVERY_METRIC);
    for (size_t i = 0; i < n && result == 0; i++)
        result = fr_q_load_values(q, ids[i], FR_Q_EVERY_METRIC);
    return result;
}

/* Of n runs, by their ids in ascending order; of all where ids is NULL. */
static struct fr_table *show_table(struct fr_q *q, const long long *ids, size_t n)
{
    static const char *const heads[] = {"run", "part", "test", "name", "value", "unit", "from"};
    struct show s = {.q = q, .table = fr_table_new()};
    bool failed = load_shown(q, ids, n) != 0;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        fr_table_column(s.table, heads[i], i < S_VALUE ? FR_COL_KEY : FR_COL_INFO);
    for (size_t i = 0, k = 0; i < q->runs_n && !failed; i++) {
        while (k < n && ids[k] < q->runs[i].id)
            k++;
        s.run = &q->runs[i];
        failed = (!ids || (k < n && ids[k] == s.run->id)) && show_run(&s) != 0;
    }
    if (!failed)
        return s.table;
    fr_table_free(s.table);
    return NULL;
}

struct fr_table *fr_query_show(struct fr_store *store, const char *selector, struct fr_log *log)
{
    static const struct fr_query everything = {.metrics = NULL};
    struct fr_q q;
    struct fr_table *table = NULL;
    long long *ids = NULL;
    size_t n = 0;
    if (selector && fr_store_find(store, selector, &ids, &n, log) != 0)
        return NULL;
    if (fr_q_load(&q, store, &everything, log) == 0)
        table = show_table(&q, ids, n);
    fr_q_release(&q);
    free(ids);
    return table;
}
