/* query_sheets.c: the sheets of a workbook. See fr_query_sheets in fioreport.h, and query.h. */
#include "query.h"

#include <math.h>

#include "banned.h"

enum { SHEETS_MAX = 5 };

static void columns(struct fr_table *table, const char *const *heads, size_t n, size_t keys)
{
    for (size_t i = 0; i < n; i++)
        fr_table_column(table, heads[i], i < keys ? FR_COL_KEY : FR_COL_INFO);
}

/* As the view `results` has it. */
static const char *base_unit(const struct fr_q_value *v)
{
    if (strcmp(v->stat, "n") == 0)
        return "";
    if (v->unit && *v->unit)
        return v->unit;
    return fr_unit_base(fr_metric_get(v->metric)->dim);
}

/* One row a figure, in base units: for pivots of one's own. */
static struct fr_table *results(struct fr_q *q)
{
    enum { RUN, SOURCE, LABEL, TOOL, NO, TEST, OP, METRIC, STAT, VALUE, UNIT, LINE };
    static const char *const heads[] = {"run", "source", "label", "tool",  "test no", "test",
                                        "op",  "metric", "stat",  "value", "unit",    "line"};
    struct fr_table *table = fr_table_new();
    columns(table, heads, sizeof heads / sizeof *heads, RUN + 1);
    table->columns[NO].role = FR_COL_KEY;
    table->columns[VALUE].role = FR_COL_VALUE;
    for (size_t i = 0; i < q->values_n; i++) {
        const struct fr_q_value *v = &q->values[i];
        struct fr_row *row = fr_table_row(table);
        fr_table_number(table, row, RUN, (double)v->test->run->id);
        fr_table_text(table, row, SOURCE, v->test->run->source);
        fr_table_text(table, row, LABEL, v->test->run->label);
        fr_table_text(table, row, TOOL, v->test->run->tool);
        fr_table_number(table, row, NO, v->test->no);
        fr_table_text(table, row, TEST, v->test->name);
        fr_table_text(table, row, OP, fr_op_name(v->op));
        fr_table_text(table, row, METRIC, fr_metric_get(v->metric)->name);
        fr_table_text(table, row, STAT, v->stat);
        fr_table_number(table, row, VALUE, v->value);
        fr_table_text(table, row, UNIT, base_unit(v));
        fr_table_number(table, row, LINE, v->line ? (double)v->line : NAN);
        if (fr_q_failed(v->test)) {
            row->flags |= FR_CELL_FAILED;
            row->cells[VALUE].flags |= FR_CELL_FAILED;
        }
    }
    return table;
}

/* Mean, percentiles and maximum side by side, where there are some. */
static struct fr_table *latency(struct fr_store *store, const struct fr_query *query, const char *metric)
{
    struct fr_log silent = {.say = NULL};
    struct fr_query own = *query;
    char list[256];
    snprintf(list, sizeof list, "%s:mean,%s:p50,%s:p90,%s:p95,%s:p99,%s:p99.9,%s:p99.99,%s:max", metric, metric, metric,
             metric, metric, metric, metric, metric);
    own.metrics = list;
    own.rows = "label,test,op";
    own.cols = own.group = own.sort = own.baseline = own.x = own.title = NULL;
    own.baseline_values_n = 0;
    own.geomean = false;
    return fr_query_table(store, &own, FR_SHAPE_PIVOT, &silent);
}

struct seconds {
    struct fr_q *q;
    struct fr_table *table;
    size_t test;  /* where the walk over tests stands */
    unsigned ops; /* that --where leaves, a bit each */
};

static int add_seconds(void *ctx, const struct fr_series_row *row)
{
    struct seconds *s = ctx;
    const struct fr_metric *metric = fr_metric_get(row->metric);
    const struct fr_q_test *t = fr_q_test_at(s->q, &s->test, row->run_id, row->test_no);
    if (!t || !t->used || !(s->ops >> row->op & 1))
        return 0;
    for (size_t i = 0; i < row->seconds_n; i++) {
        struct fr_row *r = fr_table_row(s->table);
        fr_table_text(s->table, r, 0, t->run->label);
        fr_table_text(s->table, r, 1, t->name);
        fr_table_text(s->table, r, 2, fr_op_name(row->op));
        fr_table_text(s->table, r, 3, metric->name);
        fr_table_number(s->table, r, 4, (double)row->seconds[i].t);
        fr_table_number(s->table, r, 5, (double)row->seconds[i].n);
        fr_table_number(s->table, r, 6, row->seconds[i].mean);
        fr_table_number(s->table, r, 7, row->seconds[i].min);
        fr_table_number(s->table, r, 8, row->seconds[i].max);
        fr_table_text(s->table, r, 9, fr_unit_base(metric->dim));
    }
    return 0;
}

static struct fr_table *per_second(struct fr_q *q)
{
    static const char *const heads[] = {"label", "test", "op", "metric", "second", "n", "mean", "min", "max", "unit"};
    struct seconds s = {.q = q, .table = fr_table_new()};
    columns(s.table, heads, sizeof heads / sizeof *heads, 4);
    for (size_t i = 6; i < 9; i++)
        s.table->columns[i].role = FR_COL_VALUE;
    int result = fr_q_where_ops(q, &s.ops);
    if (result == 0)
        result = fr_store_series(q->store, 0, -1, add_seconds, &s, q->log);
    if (result == 0 && s.table->rows_n)
        return s.table;
    fr_table_free(s.table);
    return NULL;
}

static struct fr_table *metadata(struct fr_q *q)
{
    static const char *const heads[] = {"run",  "label", "tool",   "version", "tests",   "started",
                                        "host", "title", "source", "sha256",  "command", "problem"};
    struct fr_table *table = fr_table_new();
    size_t t = 0;
    columns(table, heads, sizeof heads / sizeof *heads, 1);
    for (size_t i = 0; i < q->runs_n; i++) {
        const struct fr_q_run *run = &q->runs[i];
        const struct fr_q_test *failed = NULL;
        bool used = false;
        for (; t < q->tests_n && q->tests[t].run == run; t++) {
            used = used || q->tests[t].used;
            if (!failed && fr_q_failed(&q->tests[t]))
                failed = &q->tests[t];
        }
        if (!used)
            continue;
        struct fr_row *row = fr_table_row(table);
        const char *const texts[] = {NULL,        run->label,   run->tool,    run->version,
                                     NULL,        run->started, run->host,    run->title,
                                     run->source, run->sha256,  run->command, failed ? fr_q_failure(q, failed) : NULL};
        for (size_t c = 0; c < sizeof texts / sizeof *texts; c++)
            fr_table_text(table, row, c, texts[c]);
        fr_table_number(table, row, 0, (double)run->id);
        fr_table_number(table, row, 4, run->tests);
        row->flags |= failed ? FR_CELL_FAILED : 0;
    }
    return table;
}

static void add_sheet(struct fr_sheet *sheets, size_t *n, const char *name, const char *role, struct fr_table *table)
{
    if (table)
        sheets[(*n)++] = (struct fr_sheet){.name = name, .role = role, .table = table};
}

/* Everything but the summary. */
static int details(struct fr_store *store, const struct fr_query *query, struct fr_sheet *sheets, size_t *n,
                   struct fr_log *log)
{
    struct fr_q q;
    struct fr_query all = *query;
    int result = -1;
    all.metrics = all.sort = NULL;
    if (fr_q_load(&q, store, &all, log) == 0 && fr_q_load_values(&q, 0, FR_Q_EVERY_METRIC) == 0 &&
        fr_q_where(&q) == 0) {
        struct fr_table *percentiles = latency(store, query, "clat");
        add_sheet(sheets, n, "Results", "data", results(&q));
        add_sheet(sheets, n, "Latency", "data", percentiles ? percentiles : latency(store, query, "lat"));
        add_sheet(sheets, n, "Series", "data", per_second(&q));
        add_sheet(sheets, n, "Runs", "info", metadata(&q));
        result = 0;
    }
    fr_q_release(&q);
    return result;
}

/* Means go below all rows: charts refer to rows that stand together, and a filter shows rows of one kind. */
static void means_last(struct fr_table *table)
{
    struct fr_row *lists[2] = {NULL, NULL}, **ends[2] = {&lists[0], &lists[1]}, *next;
    for (struct fr_row *row = table->head; row; row = next) {
        next = row->next;
        row->next = NULL;
        *ends[row->summary] = row;
        ends[row->summary] = &row->next;
    }
    *ends[0] = lists[1];
    table->head = lists[0];
    for (struct fr_row *row = table->head; row; row = row->next)
        table->tail = row;
}

static size_t unit_column(const struct fr_table *table)
{
    for (size_t i = 0; i < table->columns_n; i++)
        if (table->columns[i].role == FR_COL_INFO && strcmp(table->columns[i].name, "unit") == 0)
            return i;
    return table->columns_n;
}

static bool same_unit(const struct fr_row *a, const struct fr_row *b, size_t column)
{
    const struct fr_cell *x = &a->cells[column], *y = &b->cells[column];
    return x->kind == y->kind && (x->kind != FR_CELL_TEXT || strcmp(x->text, y->text) == 0);
}

/* Where each row has a unit, those of one stand together, for the same reason; units in the order in which they come.
 */
static void units_together(struct fr_table *table)
{
    size_t column = unit_column(table);
    struct fr_row *rest = table->head, **end = &table->head, **from, *row;
    if (column == table->columns_n)
        return;
    while (rest) {
        const struct fr_row *first = rest;
        for (from = &rest; (row = *from) != NULL;) {
            if (!same_unit(first, row, column)) {
                from = &row->next;
                continue;
            }
            *from = row->next;
            *end = table->tail = row;
            end = &row->next;
        }
    }
    *end = NULL;
}

int fr_query_sheets(struct fr_store *store, const struct fr_query *query, struct fr_sheet **sheets, size_t *n,
                    struct fr_log *log)
{
    *n = 0;
    *sheets = calloc(SHEETS_MAX, sizeof **sheets);
    if (!*sheets)
        return fr_log_error(log, NULL, 0, "out of memory");
    struct fr_table *summary = fr_query_table(store, query, FR_SHAPE_PIVOT, log);
    if (!summary)
        return -1;
    if (!query->sort && !query->group)
        units_together(summary);
    means_last(summary);
    add_sheet(*sheets, n, "Summary", "summary", summary);
    return details(store, query, *sheets, n, log);
}

void fr_sheets_free(struct fr_sheet *sheets, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fr_table_free(sheets[i].table);
    free(sheets);
}
