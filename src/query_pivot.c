/* query_pivot.c: values into rows and columns. See query.h. */
#include "query.h"

#include <math.h>

#include "strbuf.h"

#include "banned.h"

enum { COLUMNS_MAX = 2000 };

/* ---- entries: the values that some metric of the plan shows ------------------------------------------------------ */

static void add_entry(struct fr_q_pivot *p, const struct fr_q_test *test, const struct fr_q_value *value,
                      uint32_t metric)
{
    p->entries = fr_grow(p->entries, p->entries_n, &p->entries_alloc, sizeof *p->entries);
    p->entries[p->entries_n++] = (struct fr_q_entry){.value = value, .test = test, .metric = metric};
}

/* A failed test without any figure gets an entry all the same: it must not vanish. */
static void collect(struct fr_q_pivot *p)
{
    struct fr_q *q = p->q;
    size_t v = 0;
    bool directions = fr_q_by_op(p->plan);
    for (size_t t = 0; t < q->tests_n; t++) {
        const struct fr_q_test *test = &q->tests[t];
        size_t before = p->entries_n;
        bool sorted = false;
        for (; v < q->values_n && q->values[v].test == test; v++)
            for (size_t m = 0; m < p->plan->metrics.n; m++)
                if (fr_q_metric_has(&p->plan->metrics.metric[m], &q->values[v])) {
                    bool hidden = p->plan->metrics.metric[m].hidden;
                    if (hidden && sorted) /* a row is sorted by its first direction */
                        continue;
                    sorted = sorted || (hidden && !directions);
                    add_entry(p, test, &q->values[v], p->plan->mixed ? 0 : (uint32_t)m);
                    if (p->plan->mixed)
                        break;
                }
        if (p->entries_n == before && test->used && fr_q_failed(test))
            add_entry(p, test, NULL, FR_Q_NO_METRIC);
    }
}

/* ---- rows and columns by key ------------------------------------------------------------------------------------- */

/* Open addressing over p->rows: index plus 1. Keys are compared as pointers: all are shared words. */
struct index {
    uint32_t *slots;
    size_t alloc;
};

static size_t hash_keys(const char *const *key, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (uint64_t)(uintptr_t)key[i]) * 0x9e3779b97f4a7c15u ^ h >> 29;
    return (size_t)(h ^ h >> 32);
}

static uint32_t *find_slot(const struct fr_q_pivot *p, const struct index *index, const char *const *key, size_t n)
{
    size_t i = hash_keys(key, n) & (index->alloc - 1);
    while (index->slots[i] && memcmp(p->rows[index->slots[i] - 1].key, key, n * sizeof *key) != 0)
        i = (i + 1) & (index->alloc - 1);
    return &index->slots[i];
}

/* What a mixed row is of, as a part of its key: the metric's name, or a score's unit. */
static const char *meaning(const struct fr_q_value *v)
{
    if (!v)
        return NULL;
    return v->metric == FR_M_SCORE ? v->unit : fr_metric_get(v->metric)->name;
}

static void row_key(const struct fr_q_pivot *p, const struct fr_q_entry *e, const char **key, size_t *n)
{
    const struct fr_q_dims *dims = &p->plan->rows;
    for (*n = 0; *n < dims->n; ++*n)
        key[*n] = fr_q_dim_get(&dims->dim[*n], e->test, e->value);
    if (p->plan->mixed)
        key[(*n)++] = meaning(e->value);
}

static uint32_t find_col(struct fr_q_pivot *p, const struct fr_q_entry *e)
{
    const struct fr_q_dims *dims = &p->plan->cols;
    struct fr_q_col col = {.metric = e->metric};
    for (size_t i = 0; i < dims->n; i++)
        col.key[i] = fr_q_dim_get(&dims->dim[i], e->test, e->value);
    for (size_t i = 0; i < p->cols_n; i++)
        if (p->cols[i].metric == col.metric && memcmp(p->cols[i].key, col.key, dims->n * sizeof *col.key) == 0)
            return (uint32_t)i;
    p->cols = fr_grow(p->cols, p->cols_n, &p->cols_alloc, sizeof *p->cols);
    p->cols[p->cols_n] = col;
    return (uint32_t)p->cols_n++;
}

/* Give every entry its row and column, anew. */
static int assign(struct fr_q_pivot *p)
{
    struct index index = {.alloc = 64};
    while (index.alloc < p->entries_n * 2)
        index.alloc *= 2;
    index.slots = calloc(index.alloc, sizeof *index.slots);
    if (!index.slots)
        return fr_log_error(p->q->log, NULL, 0, "out of memory");
    p->rows_n = p->cols_n = 0;
    for (size_t i = 0; i < p->entries_n; i++) {
        struct fr_q_entry *e = &p->entries[i];
        const char *key[FR_Q_DIMS_MAX] = {NULL};
        size_t n;
        row_key(p, e, key, &n);
        uint32_t *slot = find_slot(p, &index, key, n);
        if (!*slot) {
            p->rows = fr_grow(p->rows, p->rows_n, &p->rows_alloc, sizeof *p->rows);
            struct fr_q_row *row = &p->rows[p->rows_n++];
            *row = (struct fr_q_row){.first = i};
            memcpy(row->key, key, sizeof key);
            *slot = (uint32_t)p->rows_n;
        }
        e->row = *slot - 1;
        if (e->metric != FR_Q_NO_METRIC)
            e->col = find_col(p, e);
        if (p->cols_n > COLUMNS_MAX)
            break;
    }
    free(index.slots);
    if (p->cols_n > COLUMNS_MAX)
        return fr_log_error(p->q->log, NULL, 0, "more than %d columns; choose other --cols or narrow it with --where",
                            COLUMNS_MAX);
    return 0;
}

/* ---- repeats, or not --------------------------------------------------------------------------------------------- */

static int by_cell(const void *a, const void *b)
{
    const struct fr_q_entry *x = *(const struct fr_q_entry *const *)a, *y = *(const struct fr_q_entry *const *)b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->metric == FR_Q_NO_METRIC || y->metric == FR_Q_NO_METRIC) {
        if (x->metric != y->metric)
            return x->metric == FR_Q_NO_METRIC ? 1 : -1;
    } else if (x->col != y->col) {
        return x->col < y->col ? -1 : 1;
    }
    return x < y ? -1 : x > y;
}

/* The entries in the order of cells; yours to free. */
static const struct fr_q_entry **sorted_entries(const struct fr_q_pivot *p)
{
    const struct fr_q_entry **list = malloc((p->entries_n + 1) * sizeof *list);
    if (!list)
        return NULL;
    for (size_t i = 0; i < p->entries_n; i++)
        list[i] = &p->entries[i];
    qsort(list, p->entries_n, sizeof *list, by_cell);
    return list;
}

bool fr_q_same_cell(const struct fr_q_entry *a, const struct fr_q_entry *b)
{
    return a->row == b->row && a->metric != FR_Q_NO_METRIC && b->metric != FR_Q_NO_METRIC && a->col == b->col;
}

/* Does some cell hold entries of two tables of one source? An author repeats no table: it shows something else. */
static bool tables_apart(const struct fr_q_entry *const *list, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        /* As ingested: those of one source stand beside each other, so two of a kind are neighbours somewhere. */
        const struct fr_q_run *a = list[i - 1]->test->run, *b = list[i]->test->run;
        if (fr_q_same_cell(list[i - 1], list[i]) && a->source == b->source && a->table_text != b->table_text)
            return true;
    }
    return false;
}

/* Does some cell hold entries that differ in this dimension? */
static bool divides(const struct fr_q_entry *const *list, size_t n, const struct fr_q_dim *dim)
{
    for (size_t i = 1; i < n; i++)
        if (fr_q_same_cell(list[i - 1], list[i]) && fr_q_dim_get(dim, list[i - 1]->test, list[i - 1]->value) !=
                                                        fr_q_dim_get(dim, list[i]->test, list[i]->value))
            return true;
    return false;
}

/*
 * Runs are repeats when these are equal; where one differs within a cell it becomes a key of the rows. Adds one
 * dimension; false when nothing is left to add.
 */
static bool divide(struct fr_q_pivot *p, const struct fr_q_entry *const *list)
{
    static const struct fr_q_dim figure[] = {{FR_DIM_OP, "op"}, {FR_DIM_STAT, "stat"}};
    struct fr_q_dim dim;
    /* Where rows tell metrics apart, columns do not say what a figure is. */
    for (size_t i = 0; p->plan->mixed && i < sizeof figure / sizeof *figure; i++)
        if (!fr_q_dims_has(&p->plan->rows, figure[i].kind, NULL) && divides(list, p->entries_n, &figure[i])) {
            fr_q_dims_add(&p->plan->rows, figure[i].kind, figure[i].key);
            return true;
        }
    bool op = fr_q_by_op(p->plan);
    for (size_t i = 0; fr_q_identity(p->q, i, &dim); i++) {
        if (op && strcmp(dim.key, "rw") == 0)
            dim.kind = FR_DIM_RW;
        if (divides(list, p->entries_n, &dim)) {
            fr_q_dims_add(&p->plan->rows, dim.kind, dim.key);
            return true;
        }
    }
    if (!fr_q_dims_has(&p->plan->rows, FR_DIM_TABLE, NULL) && tables_apart(list, p->entries_n)) {
        fr_q_dims_add(&p->plan->rows, FR_DIM_TABLE, NULL);
        return true;
    }
    if (!fr_q_jobs_apart(list, p->entries_n) || fr_q_dims_has(&p->plan->rows, FR_DIM_JOB, NULL))
        return false;
    fr_q_dims_add(&p->plan->rows, FR_DIM_JOB, NULL);
    return true;
}

static int keep_apart(struct fr_q_pivot *p)
{
    bool more = true;
    while (more && p->plan->rows.n < FR_Q_DIMS_MAX - 1) {
        const struct fr_q_entry **list = sorted_entries(p);
        if (!list)
            return fr_log_error(p->q->log, NULL, 0, "out of memory");
        more = divide(p, list);
        free(list);
        if (more && assign(p) != 0)
            return -1;
    }
    return 0;
}

/*
 * A single row of repeats beside a number to reach: what is asked is which of the runs reach it, so each has its row.
 */
static int show_each_run(struct fr_q_pivot *p)
{
    struct fr_q_plan *plan = p->plan;
    const struct fr_q_run *first = p->entries_n ? p->entries[0].test->run : NULL;
    bool several = false;
    for (size_t i = 0; i < p->entries_n && !several; i++)
        several = p->entries[i].test->run != first;
    if (!p->q->query->baseline_values_n || plan->asked || plan->group.n || p->rows_n != 1 || !several)
        return 0;
    if (fr_q_dims_has(&plan->rows, FR_DIM_LABEL, NULL))
        plan->label = first->label;
    plan->rows.n = 0;
    fr_q_dims_add(&plan->rows, FR_DIM_RUN, NULL);
    return assign(p) != 0 || keep_apart(p) != 0 ? -1 : 0;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static enum fr_unit_choice units_of(const struct fr_q_pivot *p)
{
    return p->q->query->units == FR_UNIT_AUTO && p->plan->si ? FR_UNIT_SI : p->q->query->units;
}

/* In a mixed table every row has a unit of its own. */
static double row_scale(struct fr_q_pivot *p, const struct fr_q_entry *const *list, size_t n, const char **unit)
{
    double min = 0, max = 0, scale = 1;
    const struct fr_q_value *first = list[0]->value;
    if (!first) {
        *unit = "";
        return 1;
    }
    for (size_t i = 0; i < n; i++) {
        double a = list[i]->value ? fabs(list[i]->value->value) : 0;
        max = a > max ? a : max;
        min = a > 0 && (min == 0 || a < min) ? a : min;
    }
    const struct fr_metric *m = fr_metric_get(first->metric);
    if (m->dim == FR_DIM_NONE || m->dim == FR_DIM_COUNT) {
        *unit = first->unit ? first->unit : "";
        return 1;
    }
    *unit = fr_table_unit(m->dim, min, max, units_of(p) == FR_UNIT_SI ? FR_UNITS_SI : FR_UNITS_IEC, &scale);
    return scale;
}

/* Without the noise of a division. */
static double rounded(double x)
{
    char text[40];
    double back;
    snprintf(text, sizeof text, "%.12g", x);
    return fr_str_double(fr_str(text), &back) ? back : x;
}

static void unit_cells(struct fr_q_pivot *p, struct fr_row *row, const struct fr_q_entry *const *list, size_t n,
                       double *scale)
{
    const char *unit;
    *scale = row_scale(p, list, n, &unit);
    fr_table_text(p->table, row, p->unit_column, unit);
    const struct fr_q_value *v = list[0]->value;
    if (v && p->unit_column + 1 < p->keys_n)
        fr_table_text(p->table, row, p->unit_column + 1,
                      v->better == FR_HIGHER  ? "higher"
                      : v->better == FR_LOWER ? "lower"
                                              : "");
}

static void key_cells(struct fr_q_pivot *p, const struct fr_q_row *row)
{
    size_t groups = p->plan->group.n;
    for (size_t i = groups; i < p->plan->rows.n; i++) {
        double number;
        fr_table_text(p->table, row->row, i - groups, row->key[i] && *row->key[i] ? row->key[i] : NULL);
        if (row->key[i] && p->plan->rows.dim[i].kind == FR_DIM_PARAM && fr_q_number(row->key[i], &number))
            row->row->cells[i - groups].value = number;
    }
}

/* The heading above the row and its like. */
static void name_group(struct fr_q_pivot *p, const struct fr_q_row *row)
{
    struct fr_strbuf name = FR_STRBUF_INIT;
    for (size_t i = 0; i < p->plan->group.n; i++) {
        const struct fr_q_dim *dim = &p->plan->group.dim[i];
        bool any = row->key[i] && *row->key[i];
        fr_strbuf_addf(&name, "%s%s%s", i ? ", " : "", any ? "" : "no ",
                       any ? fr_q_dim_text(p->q, dim, row->key[i]) : dim->key);
    }
    row->row->group = name.len ? fr_arena_strdup(&p->table->arena, fr_strbuf_str(&name)) : NULL;
    fr_strbuf_release(&name);
}

/* A test that failed before it measured anything: its row says why. */
static void fill_empty(struct fr_q_pivot *p, struct fr_q_row *row, const struct fr_q_entry *e)
{
    struct fr_cell *cell = &row->row->cells[p->keys_n];
    const char *why = fr_q_failure(p->q, e->test);
    if (p->table->columns[p->keys_n].role == FR_COL_INFO) {
        fr_table_text(p->table, row->row, p->keys_n, why);
    } else if (cell->kind != FR_CELL_ABSENT && !cell->note) {
        cell->note = fr_table_note(p->table, "without a run that failed: %s", why);
    } else if (!cell->note) {
        cell->flags |= FR_CELL_FAILED;
        cell->note = fr_table_note(p->table, "%s", why);
    }
}

static void fill_row(struct fr_q_pivot *p, struct fr_q_row *row, const struct fr_q_entry *const *list, size_t n,
                     double *room)
{
    double scale = 1;
    bool all_failed = true;
    key_cells(p, row);
    name_group(p, row);
    if (p->plan->mixed)
        unit_cells(p, row->row, list, n, &scale);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && fr_q_same_cell(list[i], list[j]); j++)
            continue;
        for (size_t k = i; k < j; k++)
            all_failed = all_failed && fr_q_failed(list[k]->test);
        if (list[i]->metric == FR_Q_NO_METRIC) {
            fill_empty(p, row, list[i]);
            continue;
        }
        struct fr_q_col *col = &p->cols[list[i]->col];
        struct fr_cell cell;
        fr_q_cell_fill(p, list + i, j - i, room, scale, &cell);
        if (p->plan->mixed) {
            cell.value = rounded(cell.value);
            cell.lo = rounded(cell.lo);
            cell.hi = rounded(cell.hi);
        }
        if (col->metric < p->plan->metrics.n && p->plan->metrics.metric[col->metric].hidden) {
            if (isnan(row->sort_value))
                row->sort_value = cell.value;
        } else {
            row->row->cells[col->column] = cell;
        }
    }
    /* A score is as printed. */
    bool score = list[0]->value && fr_metric_get(list[0]->value->metric)->dim == FR_DIM_NONE;
    if (p->plan->mixed && (!score || p->q->query->digits))
        fr_table_fit_row(p->table, row->row, p->q->query->digits);
    if (all_failed)
        row->row->flags |= FR_CELL_FAILED;
}

static int fill_rows(struct fr_q_pivot *p)
{
    const struct fr_q_entry **list = sorted_entries(p);
    double *room = malloc((p->entries_n + 1) * sizeof *room);
    int result = list && room ? 0 : fr_log_error(p->q->log, NULL, 0, "out of memory");
    for (size_t i = 0, j; !result && i < p->entries_n; i = j) {
        for (j = i + 1; j < p->entries_n && list[j]->row == list[i]->row; j++)
            continue;
        struct fr_q_row *row = &p->rows[list[i]->row];
        row->row = fr_table_row(p->table);
        row->sort_value = NAN;
        row->better = list[i]->value ? list[i]->value->better : FR_NEITHER;
        fill_row(p, row, list + i, j - i, room);
    }
    free(list);
    free(room);
    return result;
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static bool several_metrics(const struct fr_q_plan *plan)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->metrics.n; i++)
        n += !plan->metrics.metric[i].hidden;
    return n > 1 && !plan->mixed;
}

/* "zfs 4k": the keys of a column. */
static const char *col_name(struct fr_q_pivot *p, const struct fr_q_col *col)
{
    struct fr_strbuf name = FR_STRBUF_INIT;
    for (size_t i = 0; i < p->plan->cols.n; i++) {
        const char *text = col->key[i] ? fr_q_dim_text(p->q, &p->plan->cols.dim[i], col->key[i]) : "–";
        fr_strbuf_addf(&name, "%s%s", i ? ", " : "", text);
    }
    const char *copy = fr_arena_strdup(&p->q->arena, fr_strbuf_str(&name));
    fr_strbuf_release(&name);
    return copy;
}

/* Higher is better goes without saying; else each row says which. */
static bool any_lower(const struct fr_q_pivot *p)
{
    for (size_t i = 0; i < p->entries_n; i++)
        if (p->entries[i].value && p->entries[i].value->better != FR_HIGHER)
            return true;
    return false;
}

static void describe(struct fr_q_pivot *p, struct fr_column *c, const struct fr_q_col *col)
{
    const struct fr_q_metric *m = &p->plan->metrics.metric[col->metric];
    const struct fr_q_value *v = NULL;
    for (size_t i = 0; i < p->entries_n && !v; i++)
        if (p->entries[i].metric == col->metric)
            v = p->entries[i].value;
    c->better = v ? v->better : FR_NEITHER;
    if (p->plan->mixed) {
        c->better = any_lower(p) ? FR_NEITHER : FR_HIGHER; /* each row has its own */
        return;
    }
    c->dim = fr_metric_get(m->metric)->dim;
    if (m->stat && strcmp(m->stat, "n") == 0)
        c->dim = FR_DIM_COUNT;
    c->metric = fr_metric_get(m->metric)->name;
    c->op = m->op > 0 ? fr_op_name((enum fr_op)m->op) : NULL;
    c->stat = v ? fr_arena_strdup(&p->table->arena, v->stat) : NULL;
    if (c->dim == FR_DIM_NONE && v && v->unit)
        c->unit = fr_arena_strdup(&p->table->arena, v->unit);
}

static int value_columns(struct fr_q_pivot *p)
{
    bool many = several_metrics(p->plan);
    for (size_t i = 0; i < p->cols_n; i++) {
        struct fr_q_col *col = &p->cols[i];
        const struct fr_q_metric *m = &p->plan->metrics.metric[col->metric];
        if (m->hidden) {
            col->column = (size_t)-1;
            continue;
        }
        const char *title = fr_q_metric_title(p->q, m, true);
        const char *name = p->plan->cols.n ? col_name(p, col) : p->plan->mixed ? "result" : title;
        struct fr_column *c = fr_table_column(p->table, name, FR_COL_VALUE);
        col->column = p->table->columns_n - 1;
        if (p->plan->cols.n && many)
            c->group = fr_arena_strdup(&p->table->arena, title);
        describe(p, c, col);
        if (fr_q_ratio_columns(p, col) != 0)
            return -1;
    }
    return fr_q_check_baselines(p);
}

static int make_columns(struct fr_q_pivot *p)
{
    for (size_t i = p->plan->group.n; i < p->plan->rows.n; i++)
        fr_table_column(p->table, p->plan->rows.dim[i].key, FR_COL_KEY);
    p->keys_n = p->plan->rows.n - p->plan->group.n;
    p->table->groups = p->q->query->group ? fr_arena_strdup(&p->table->arena, p->q->query->group) : NULL;
    if (p->plan->mixed) {
        p->unit_column = p->keys_n;
        fr_table_column(p->table, "unit", FR_COL_INFO);
        p->keys_n++;
        if (any_lower(p)) {
            fr_table_column(p->table, "better", FR_COL_INFO);
            p->keys_n++;
        }
    }
    if (!p->cols_n) /* all of them failed before they measured anything */
        fr_table_column(p->table, "problem", FR_COL_INFO);
    return value_columns(p);
}

/* What the brackets mean. */
static void name_intervals(struct fr_table *t)
{
    for (size_t i = 0; i < t->columns_n; i++) {
        bool few = false, enough = false;
        for (const struct fr_row *row = t->head; row; row = row->next) {
            few = few || (row->cells[i].n > 1 && row->cells[i].n < 6);
            enough = enough || row->cells[i].n >= 6;
        }
        if (few && enough)
            t->columns[i].interval = FR_INTERVAL_BOTH;
        else if (few || enough)
            t->columns[i].interval = enough ? FR_INTERVAL_MEDIAN : FR_INTERVAL_RANGE;
    }
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static int is_any(void *ctx, const struct fr_series_row *row)
{
    (void)row;
    *(bool *)ctx = true;
    return 1; /* one is enough */
}

static int nothing_matches(struct fr_q_pivot *p)
{
    bool logs = false;
    if (fr_store_series(p->q->store, 0, -1, is_any, &logs, p->q->log) < 0)
        return -1;
    return fr_log_error(p->q->log, NULL, 0, "nothing matches: these runs have %s",
                        logs ? "logs and no results; 'fioreport chart --kind series' draws them, the views series and "
                               "samples of 'fioreport sql' hold them"
                             : "none of the usual figures; 'fioreport sql' and 'fioreport show' tell what they have");
}

/* What makes repeats doubtful. */
static void tell_repeats(const struct fr_q_pivot *p)
{
    if (p->counted)
        fr_log_note(p->q->log, NULL, 0,
                    "runs that differ in %s (%s, %s) count as repeats, as its name says: their median is shown; "
                    "--rows label,run shows each",
                    p->counted, p->counts[0], p->counts[1]);
    if (p->apart > 0)
        fr_log_note(p->q->log, NULL, 0,
                    "repeats of '%s' are up to %.3g times apart: if they are none, --rows label,run shows each and "
                    "'fioreport tag' tells them apart",
                    p->apart_label, p->apart);
}

static int build(struct fr_q_pivot *p)
{
    collect(p);
    if (assign(p) != 0 || keep_apart(p) != 0 || show_each_run(p) != 0)
        return -1;
    if (!p->cols_n && !p->entries_n)
        return nothing_matches(p);
    if (fr_q_order(p) != 0 || make_columns(p) != 0 || fill_rows(p) != 0 || fr_q_sort(p) != 0 ||
        fr_q_ratio_cells(p) != 0)
        return -1;
    /* The best is marked by what is shown; a mixed table's rows are fitted one by one. */
    fr_table_fit(p->table, units_of(p), p->plan->mixed ? 0 : p->q->query->digits);
    fr_q_mark_best(p);
    name_intervals(p->table);
    tell_repeats(p);
    return 0;
}

struct fr_table *fr_q_pivot(struct fr_q *q, struct fr_q_plan *plan)
{
    struct fr_q_pivot p = {.q = q, .plan = plan, .table = fr_table_new()};
    int result = build(&p);
    free(p.entries);
    free(p.rows);
    free(p.cols);
    if (!result)
        return p.table;
    fr_table_free(p.table);
    return NULL;
}
