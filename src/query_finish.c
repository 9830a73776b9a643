/* query_finish.c: the order of rows, ratios to a baseline, and the best of what can be compared. See query.h. */
#include "query.h"

#include <math.h>

#include "stats.h"
#include "strbuf.h"

#include "banned.h"

/* ---- the usual order --------------------------------------------------------------------------------------------- */

/* One row or column while it is put in order: a rank for each dimension. */
struct item {
    size_t index, first;
    double rank[FR_Q_DIMS_MAX];
};

struct keyed {
    const char *key;
    size_t first, item;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->key != y->key)
        return (uintptr_t)x->key < (uintptr_t)y->key ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static int by_rank(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    for (size_t i = 0; i < FR_Q_DIMS_MAX; i++)
        if (x->rank[i] != y->rank[i])
            return x->rank[i] < y->rank[i] ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Rank of dimension d: a parameter's number, where all are numbers; else the place of its first appearance. */
static void rank(struct item *items, struct keyed *keyed, size_t n, size_t d, bool may_be_number)
{
    bool numbers = may_be_number;
    for (size_t i = 0; i < n && numbers; i++)
        numbers = !keyed[i].key || fr_q_number(keyed[i].key, &items[i].rank[d]);
    if (numbers) {
        for (size_t i = 0; i < n; i++)
            if (!keyed[i].key)
                items[i].rank[d] = INFINITY;
        return;
    }
    qsort(keyed, n, sizeof *keyed, by_key);
    for (size_t i = 0, first = 0; i < n; i++) {
        if (i == 0 || keyed[i].key != keyed[i - 1].key)
            first = keyed[i].first;
        items[keyed[i].item].rank[d] = (double)first;
    }
}

/* Room for putting rows or columns in order: n of each. */
struct ordering {
    struct item *items;
    struct keyed *keyed;
    uint32_t *place; /* where each of them goes */
};

static void order_rows(struct fr_q_pivot *p, struct ordering *o, struct fr_q_row *copy)
{
    const struct fr_q_dims *dims = &p->plan->rows;
    for (size_t i = 0; i < p->rows_n; i++)
        o->items[i] = (struct item){.index = i, .first = p->rows[i].first};
    for (size_t d = 0; d < dims->n; d++) {
        for (size_t i = 0; i < p->rows_n; i++)
            o->keyed[i] = (struct keyed){p->rows[i].key[d], p->rows[i].first, i};
        rank(o->items, o->keyed, p->rows_n, d, dims->dim[d].kind == FR_DIM_PARAM);
    }
    qsort(o->items, p->rows_n, sizeof *o->items, by_rank);
    memcpy(copy, p->rows, p->rows_n * sizeof *copy);
    for (size_t i = 0; i < p->rows_n; i++) {
        p->rows[i] = copy[o->items[i].index];
        o->place[o->items[i].index] = (uint32_t)i;
    }
    for (size_t i = 0; i < p->entries_n; i++)
        p->entries[i].row = o->place[p->entries[i].row];
}

static void order_cols(struct fr_q_pivot *p, struct ordering *o, struct fr_q_col *copy)
{
    const struct fr_q_dims *dims = &p->plan->cols;
    for (size_t i = 0; i < p->cols_n; i++) {
        o->items[i] = (struct item){.index = i, .first = i};
        o->items[i].rank[0] = p->cols[i].metric;
    }
    for (size_t d = 0; d < dims->n; d++) {
        for (size_t i = 0; i < p->cols_n; i++)
            o->keyed[i] = (struct keyed){p->cols[i].key[d], i, i};
        rank(o->items, o->keyed, p->cols_n, d + 1, dims->dim[d].kind == FR_DIM_PARAM);
    }
    qsort(o->items, p->cols_n, sizeof *o->items, by_rank);
    memcpy(copy, p->cols, p->cols_n * sizeof *copy);
    for (size_t i = 0; i < p->cols_n; i++) {
        p->cols[i] = copy[o->items[i].index];
        o->place[o->items[i].index] = (uint32_t)i;
    }
    for (size_t i = 0; i < p->entries_n; i++)
        if (p->entries[i].metric != FR_Q_NO_METRIC)
            p->entries[i].col = o->place[p->entries[i].col];
}

int fr_q_order(struct fr_q_pivot *p)
{
    size_t n = (p->rows_n > p->cols_n ? p->rows_n : p->cols_n) + 1;
    struct ordering o = {malloc(n * sizeof *o.items), malloc(n * sizeof *o.keyed), malloc(n * sizeof *o.place)};
    struct fr_q_row *rows = malloc(n * sizeof *rows);
    struct fr_q_col *cols = malloc(n * sizeof *cols);
    int result = 0;
    if (!o.items || !o.keyed || !o.place || !rows || !cols)
        result = fr_log_error(p->q->log, NULL, 0, "out of memory");
    if (result == 0 && p->rows_n)
        order_rows(p, &o, rows);
    if (result == 0 && p->cols_n)
        order_cols(p, &o, cols);
    free(o.items);
    free(o.keyed);
    free(o.place);
    free(rows);
    free(cols);
    return result;
}

/* ---- --sort ------------------------------------------------------------------------------------------------------ */

struct sorter {
    struct fr_row *row;
    const char *text;
    double number;
    enum fr_q_dim_kind kind; /* of the text */
    size_t place, group;     /* group: the first row's of its group */
    bool descending, numeric;
};

static int by_sort(const void *a, const void *b)
{
    const struct sorter *x = a, *y = b;
    int order;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->numeric) {
        if (isnan(x->number) || isnan(y->number)) /* what has no figure is last in either direction */
            order = isnan(x->number) && isnan(y->number) ? 0 : isnan(x->number) ? 1 : -1;
        else
            order = (x->number < y->number ? -1 : x->number > y->number) * (x->descending ? -1 : 1);
    } else {
        order = fr_q_compare(x->kind, x->text, y->text);
        if (x->text && y->text && x->descending)
            order = -order;
    }
    return order ? order : x->place < y->place ? -1 : x->place > y->place;
}

/* Rows a and b stand below one heading. They are in their usual order, so groups are together. */
static bool same_group(const struct fr_q_pivot *p, size_t a, size_t b)
{
    return memcmp(p->rows[a].key, p->rows[b].key, p->plan->group.n * sizeof *p->rows[a].key) == 0;
}

static void relink(struct fr_table *table, const struct sorter *sorters, size_t n)
{
    table->head = n ? sorters[0].row : NULL;
    for (size_t i = 0; i < n; i++)
        sorters[i].row->next = i + 1 < n ? sorters[i + 1].row : NULL;
    table->tail = n ? sorters[n - 1].row : NULL;
}

int fr_q_sort(struct fr_q_pivot *p)
{
    const char *by = p->q->query->sort;
    struct fr_q_metric metric;
    struct fr_q_dim dim = {.kind = FR_DIM_LABEL};
    if (!by)
        return 0;
    bool descending = *by == '-';
    by += descending;
    bool numeric = fr_q_metric_is(fr_str(by), &metric);
    if (numeric && p->plan->mixed)
        return fr_log_error(p->q->log, NULL, 0,
                            "--sort: the rows show different metrics, '%s' puts them in no order; choose one with "
                            "--metric",
                            by);
    if (!numeric && !fr_q_dim_find(p->q, fr_str(by), "--sort", &dim))
        return -1;
    struct sorter *sorters = malloc((p->rows_n + 1) * sizeof *sorters);
    if (!sorters)
        return fr_log_error(p->q->log, NULL, 0, "out of memory");
    for (size_t i = 0; i < p->rows_n; i++) {
        const struct fr_q_entry *e = &p->entries[p->rows[i].first];
        sorters[i] = (struct sorter){.row = p->rows[i].row,
                                     .place = i,
                                     .group = i && same_group(p, i, i - 1) ? sorters[i - 1].group : i,
                                     .numeric = numeric,
                                     .kind = dim.kind,
                                     .descending = descending,
                                     .number = p->rows[i].sort_value,
                                     .text = numeric ? NULL : fr_q_dim_get(&dim, e->test, e->value)};
    }
    qsort(sorters, p->rows_n, sizeof *sorters, by_sort);
    relink(p->table, sorters, p->rows_n);
    free(sorters);
    return 0;
}

/* ---- ratios ------------------------------------------------------------------------------------------------------ */

/* The first dimension of rows, or of columns, that has this value somewhere; (size_t)-1: none. */
static size_t row_dim_of(const struct fr_q_pivot *p, const char *value)
{
    for (size_t d = 0; d < p->plan->rows.n; d++)
        for (size_t i = 0; i < p->rows_n; i++)
            if (p->rows[i].key[d] == value)
                return d;
    return (size_t)-1;
}

static size_t col_dim_of(const struct fr_q_pivot *p, const char *value)
{
    for (size_t d = 0; d < p->plan->cols.n; d++)
        for (size_t i = 0; i < p->cols_n; i++)
            if (p->cols[i].key[d] == value)
                return d;
    return (size_t)-1;
}

static const char *run_label(const void *ctx, size_t i)
{
    const struct fr_q *q = ctx;
    return i < q->runs_n ? q->runs[i].label : NULL;
}

static int no_baseline(struct fr_q_pivot *p, const char *baseline)
{
    const char *near = fr_nearest(baseline, run_label, p->q);
    if (near && strcmp(near, baseline) != 0)
        return fr_log_error(p->q->log, NULL, 0, "--baseline: nothing shown is named '%s'; did you mean '%s'?", baseline,
                            near);
    return fr_log_error(p->q->log, NULL, 0, "--baseline: nothing shown is named '%s'", baseline);
}

static void add_ratio(struct fr_q_pivot *p, struct fr_q_col *col, const char *than, double base)
{
    const struct fr_column *value = &p->table->columns[col->column];
    const char *group = value->group, *name = fr_arena_printf(&p->q->arena, "%s vs %s", value->name, than);
    struct fr_column copy = *value;
    struct fr_column *c = fr_table_column(p->table, name, FR_COL_RATIO);
    c->group = group;
    c->better = copy.better;
    c->metric = copy.metric;
    c->op = copy.op;
    c->stat = copy.stat;
    c->baseline = fr_arena_strdup(&p->table->arena, than);
    c->baseline_value = base;
    col->ratio[col->ratios_n].column = p->table->columns_n - 1;
    col->ratio[col->ratios_n++].base = base;
}

/* "36000", "500MiB/s", "2 ms": in the base unit of the metric. */
static bool parse_base(struct fr_str text, enum fr_dim dim, double *out)
{
    struct fr_unit unit;
    text = fr_str_trim(text);
    if (dim == FR_DIM_BYTES && fr_size_parse(text, out))
        return true;
    if (!fr_take_double(&text, out))
        return false;
    text = fr_str_trim(text);
    if (!text.n)
        return true;
    if (fr_unit_find(text, FR_KILO_1000, &unit) && unit.dim == dim) {
        *out = fr_to_base(*out, unit.factor);
        return true;
    }
    double factor = fr_prefix_factor(text, FR_KILO_1000);
    *out *= factor;
    return factor != 0;
}

/* A --baseline-value: "write.iops=36k". */
struct to_reach {
    struct fr_q_metric metric;
    const char *text; /* "36k" */
    double value;     /* base unit */
};

static int parse_to_reach(struct fr_q_pivot *p, const char *option, struct to_reach *out)
{
    struct fr_str rest = fr_str(option), name = fr_str_trim(fr_take_until(&rest, '='));
    if (fr_q_metric_parse(p->q, name, "--baseline-value", &out->metric) != 0)
        return -1;
    if (!parse_base(rest, fr_metric_get(out->metric.metric)->dim, &out->value) || !(out->value > 0))
        return fr_log_error(p->q->log, NULL, 0,
                            "--baseline-value: '%s' is no METRIC=NUMBER with a number above 0, like write.iops=36k, "
                            "read.bw=500MiB/s, read.clat:p99=2ms",
                            option);
    rest = fr_str_trim(rest);
    out->text = fr_arena_copy(&p->q->arena, rest.s, rest.n);
    return 0;
}

static bool is_of_column(const struct fr_q_pivot *p, const struct fr_q_metric *wanted, const struct fr_q_col *col)
{
    const struct fr_q_metric *shown = &p->plan->metrics.metric[col->metric];
    return !shown->hidden && wanted->metric == shown->metric && (wanted->op < 0 || wanted->op == shown->op) &&
           (!wanted->stat || wanted->stat == shown->stat);
}

/* The ratio to a number to reach, where it is of this column's metric. */
static int value_ratio(struct fr_q_pivot *p, struct fr_q_col *col, const char *option)
{
    struct to_reach to_reach;
    if (parse_to_reach(p, option, &to_reach) != 0)
        return -1;
    if (!is_of_column(p, &to_reach.metric, col))
        return 0;
    if (col->ratios_n == FR_Q_RATIOS_MAX)
        return fr_log_error(p->q->log, NULL, 0, "--baseline-value: more than %d baselines of one metric",
                            FR_Q_RATIOS_MAX);
    add_ratio(p, col, to_reach.text, to_reach.value);
    return 0;
}

int fr_q_check_baselines(struct fr_q_pivot *p)
{
    for (size_t i = 0; i < p->q->query->baseline_values_n && p->cols_n; i++) {
        struct to_reach to_reach;
        size_t c = 0;
        if (parse_to_reach(p, p->q->query->baseline_values[i], &to_reach) != 0)
            return -1;
        while (c < p->cols_n && !is_of_column(p, &to_reach.metric, &p->cols[c]))
            c++;
        if (c == p->cols_n)
            return fr_log_error(p->q->log, NULL, 0, "--baseline-value: no column shows %s",
                                fr_q_metric_name(p->q, &to_reach.metric));
    }
    return 0;
}

int fr_q_ratio_columns(struct fr_q_pivot *p, struct fr_q_col *col)
{
    const struct fr_query *query = p->q->query;
    if (query->geomean && !query->baseline && !query->baseline_values_n)
        return fr_log_error(p->q->log, NULL, 0,
                            "--geomean needs --baseline or --baseline-value: it is the mean of ratios");
    if (p->plan->mixed && query->baseline_values_n)
        return fr_log_error(p->q->log, NULL, 0,
                            "--baseline-value: the rows show different metrics; choose one with --metric");
    if (query->baseline) {
        const char *word = fr_q_word(p->q, query->baseline);
        size_t in_cols = col_dim_of(p, word);
        if (in_cols == (size_t)-1 && row_dim_of(p, word) == (size_t)-1)
            return no_baseline(p, query->baseline);
        if (in_cols == (size_t)-1 || col->key[in_cols] != word)
            add_ratio(p, col, word, NAN);
    }
    for (size_t i = 0; i < query->baseline_values_n; i++)
        if (value_ratio(p, col, query->baseline_values[i]) != 0)
            return -1;
    return 0;
}

/* Keys to bring together what is equal in all of them, in the order of `place`. */
struct placed {
    const char *key[FR_Q_DIMS_MAX];
    size_t place;
};

static int by_keys(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    int order = memcmp(x->key, y->key, sizeof x->key);
    return order ? order : x->place < y->place ? -1 : x->place > y->place;
}

/*
 * For each row the one like it but with `word` in dimension d; NULL where there is none. Yours to free; NULL: out of
 * memory.
 */
static const struct fr_q_row **base_rows(const struct fr_q_pivot *p, size_t d, const char *word)
{
    struct placed *list = malloc((p->rows_n + 1) * sizeof *list);
    const struct fr_q_row **bases = calloc(p->rows_n + 1, sizeof *bases);
    for (size_t i = 0; list && i < p->rows_n; i++) {
        memcpy(list[i].key, p->rows[i].key, sizeof list[i].key);
        list[i].key[d] = NULL;
        list[i].place = i;
    }
    if (list && bases)
        qsort(list, p->rows_n, sizeof *list, by_keys);
    for (size_t i = 0, j; list && bases && i < p->rows_n; i = j) {
        const struct fr_q_row *base = NULL;
        for (j = i; j < p->rows_n && memcmp(list[i].key, list[j].key, sizeof list[i].key) == 0; j++)
            if (!base && p->rows[list[j].place].key[d] == word)
                base = &p->rows[list[j].place];
        for (size_t k = i; k < j; k++)
            bases[list[k].place] = base;
    }
    free(list);
    return bases;
}

/* The column like this one but with the baseline's value in dimension d. */
static const struct fr_q_col *base_col(const struct fr_q_pivot *p, const struct fr_q_col *col, size_t d,
                                       const char *word)
{
    for (size_t i = 0; i < p->cols_n; i++) {
        bool same = p->cols[i].metric == col->metric && p->cols[i].key[d] == word;
        for (size_t k = 0; k < p->plan->cols.n && same; k++)
            same = k == d || p->cols[i].key[k] == col->key[k];
        if (same)
            return &p->cols[i];
    }
    return NULL;
}

static void ratio_cell(struct fr_q_pivot *p, const struct fr_q_row *row, size_t column, const struct fr_cell *value,
                       const struct fr_cell *base, double number)
{
    double below = base ? base->value : number;
    if (value->kind != FR_CELL_NUMBER || (base && base->kind != FR_CELL_NUMBER) || below == 0)
        return;
    fr_table_number(p->table, row->row, column, value->value / below);
    if (!base && value->n > 1) { /* against a number the spread stays what it is */
        row->row->cells[column].n = value->n;
        row->row->cells[column].lo = value->lo / below;
        row->row->cells[column].hi = value->hi / below;
    }
    row->row->cells[column].flags |= (value->flags | (base ? base->flags : 0)) & FR_CELL_FAILED;
    if (value->flags & FR_CELL_FAILED)
        row->row->cells[column].note = value->note;
    else if (base && base->flags & FR_CELL_FAILED)
        row->row->cells[column].note = base->note;
}

/* The baseline is the column `other`, or in each row's row among `bases`; both NULL: there is none but numbers. */
static void fill_ratios(struct fr_q_pivot *p, const struct fr_q_col *col, const struct fr_q_col *other,
                        const struct fr_q_row *const *bases)
{
    for (size_t r = 0; r < p->rows_n; r++) {
        const struct fr_q_row *row = &p->rows[r];
        const struct fr_cell *value = &row->row->cells[col->column], *base = NULL;
        if (other)
            base = &row->row->cells[other->column];
        else if (bases && bases[r])
            base = &bases[r]->row->cells[col->column];
        for (size_t i = 0; i < col->ratios_n; i++)
            if (!isnan(col->ratio[i].base))
                ratio_cell(p, row, col->ratio[i].column, value, NULL, col->ratio[i].base);
            else if (base)
                ratio_cell(p, row, col->ratio[i].column, value, base, 0);
    }
}

/* Rows without a baseline of their own stay without a ratio: say so, for in dimensions beside it equals alone compare.
 */
static void note_unlike(const struct fr_q_pivot *p, const struct fr_q_row *const *bases)
{
    size_t n = 0;
    for (size_t r = 0; r < p->rows_n; r++)
        n += !bases[r];
    if (n)
        fr_log_note(p->q->log, NULL, 0, "%zu of %zu rows have no ratio: no row of '%s' is like them in all else", n,
                    p->rows_n, p->q->query->baseline);
}

/* Rows whose ratios are summed up: `n` from `first` on whose key in dimension d is `of`, where that is not NULL. */
struct summed {
    size_t first, n, d;
    const char *of;
};

static bool is_summed(const struct fr_q_pivot *p, const struct summed *s, size_t r)
{
    return !s->of || p->rows[r].key[s->d] == s->of;
}

static size_t count_summed(const struct fr_q_pivot *p, const struct summed *s)
{
    size_t n = 0;
    for (size_t r = s->first; r < s->first + s->n; r++)
        n += is_summed(p, s, r);
    return n;
}

/*
 * The geometric mean of one column of ratios. Where each row has a direction of its own, a mean of all would say
 * nothing: what is better when lower counts as its inverse, and what has no direction does not count.
 */
static double geomean_of(const struct fr_q_pivot *p, size_t column, const struct summed *s, double *room, bool *inverse)
{
    size_t n = 0;
    for (size_t r = s->first; r < s->first + s->n; r++) {
        const struct fr_cell *cell = &p->rows[r].row->cells[column];
        enum fr_better better = p->plan->mixed ? p->rows[r].better : FR_HIGHER;
        if (!is_summed(p, s, r) || cell->kind != FR_CELL_NUMBER || cell->flags & FR_CELL_FAILED ||
            (better != FR_HIGHER && better != FR_LOWER))
            continue;
        *inverse = *inverse || better == FR_LOWER;
        room[n++] = better == FR_LOWER ? 1 / cell->value : cell->value;
    }
    return n ? fr_stats_geomean(room, n) : NAN;
}

/* The row goes to the end of its group. */
static void geomean_row(struct fr_q_pivot *p, const struct summed *s, const char *group, double *room)
{
    struct fr_row *row = fr_table_row(p->table), *last = NULL;
    row->summary = true;
    row->group = group;
    fr_table_text(p->table, row, 0,
                  s->of ? fr_arena_printf(&p->q->arena, "geometric mean, %s", s->of) : "geometric mean");
    for (size_t i = 0; i < p->table->columns_n; i++)
        if (p->table->columns[i].role == FR_COL_RATIO) {
            bool inverse = false;
            fr_table_number(p->table, row, i, geomean_of(p, i, s, room, &inverse));
            if (inverse)
                row->cells[i].note = fr_table_note(p->table, "above 100 %% is better: what is better when lower counts "
                                                             "as its inverse");
        }
    for (struct fr_row *r = p->table->head; r && group; r = r->next)
        if (r != row && r->group && strcmp(r->group, group) == 0)
            last = r;
    if (last)
        fr_table_move_last(p->table, last);
}

/*
 * Of n rows: one mean, or one for each other value of the baseline's dimension d where that names the rows; none of a
 * single row. How many there are.
 */
static size_t geomeans(struct fr_q_pivot *p, size_t first, size_t n, size_t d, const char *group, double *room)
{
    const char *word = p->q->query->baseline ? fr_q_word(p->q, p->q->query->baseline) : NULL;
    struct summed all = {.first = first, .n = n};
    size_t made = 0;
    if (d == (size_t)-1) {
        if (p->plan->group.n && n < 2)
            return 0;
        geomean_row(p, &all, group, room);
        return 1;
    }
    for (size_t i = first; i < first + n; i++) {
        const struct summed one = {.first = first, .n = n, .d = d, .of = p->rows[i].key[d]};
        bool seen = !one.of || one.of == word;
        for (size_t j = first; j < i && !seen; j++)
            seen = p->rows[j].key[d] == one.of;
        if (seen || count_summed(p, &one) < 2)
            continue;
        geomean_row(p, &one, group, room);
        made++;
    }
    return made;
}

/* Of each group, and of all. */
static int geomean_rows(struct fr_q_pivot *p)
{
    const char *word = p->q->query->baseline ? fr_q_word(p->q, p->q->query->baseline) : NULL;
    size_t d = word && col_dim_of(p, word) == (size_t)-1 ? row_dim_of(p, word) : (size_t)-1, made = 0;
    bool each_is_group = d != (size_t)-1 && d < p->plan->group.n; /* each group is one value of the baseline's kind */
    double *room = malloc((p->rows_n + 1) * sizeof *room);
    if (!room)
        return fr_log_error(p->q->log, NULL, 0, "out of memory");
    for (size_t i = 0, n; i < p->rows_n && p->plan->group.n; i += n) {
        for (n = 1; i + n < p->rows_n && same_group(p, i, i + n); n++)
            continue;
        if (!each_is_group)
            made += geomeans(p, i, n, d, p->rows[i].row->group, room);
        else if (p->rows[i].key[d] != word)
            made += geomeans(p, i, n, (size_t)-1, p->rows[i].row->group, room);
    }
    if (!each_is_group)
        made += geomeans(p, 0, p->rows_n, d, p->plan->group.n ? "all together" : NULL, room);
    if (!made)
        fr_log_note(p->q->log, NULL, 0, "--geomean: there is one row of each, nothing to take a mean of");
    free(room);
    return 0;
}

int fr_q_ratio_cells(struct fr_q_pivot *p)
{
    const char *word = p->q->query->baseline ? fr_q_word(p->q, p->q->query->baseline) : NULL;
    size_t col_dim = word ? col_dim_of(p, word) : (size_t)-1,
           row_dim = word && col_dim == (size_t)-1 ? row_dim_of(p, word) : (size_t)-1;
    const struct fr_q_row **bases = row_dim != (size_t)-1 ? base_rows(p, row_dim, word) : NULL;
    if (row_dim != (size_t)-1 && !bases)
        return fr_log_error(p->q->log, NULL, 0, "out of memory");
    for (size_t i = 0; i < p->cols_n; i++)
        if (p->cols[i].ratios_n)
            fill_ratios(p, &p->cols[i], col_dim == (size_t)-1 ? NULL : base_col(p, &p->cols[i], col_dim, word), bases);
    if (bases)
        note_unlike(p, bases);
    free(bases);
    return p->q->query->geomean ? geomean_rows(p) : 0;
}

/* ---- the best ---------------------------------------------------------------------------------------------------- */

/* What was measured, as against on what: figures of different workloads are no contest. */
static bool is_workload(const struct fr_q_dim *dim)
{
    static const char *const params[] = {"rw",      "bs",      "bs_read", "bs_write",  "bs_trim",
                                         "iodepth", "numjobs", "size",    "rwmixread", "runtime"};
    static const enum fr_q_dim_kind kinds[] = {FR_DIM_TEST, FR_DIM_OP,    FR_DIM_RW,
                                               FR_DIM_JOB,  FR_DIM_TABLE, FR_DIM_METRIC};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (dim->kind == kinds[i])
            return true;
    for (size_t i = 0; dim->kind == FR_DIM_PARAM && i < sizeof params / sizeof *params; i++)
        if (strcmp(dim->key, params[i]) == 0)
            return true;
    return false;
}

struct contest {
    struct placed placed; /* first, for by_keys */
    struct fr_cell *cell;
    const struct fr_column *column;
};

static bool better_than(double a, double b, enum fr_better better)
{
    return better == FR_HIGHER ? a > b : a < b;
}

/* They look the same in the table: neither is the better one to a reader. */
static bool look_same(const struct contest *a, const struct contest *b)
{
    char x[64], y[64];
    return a->cell->value == b->cell->value ||
           strcmp(fr_cell_format(a->column, a->cell, x), fr_cell_format(b->column, b->cell, y)) == 0;
}

static void mark(struct contest *c, size_t n, enum fr_better better)
{
    const struct contest *best = c;
    bool differ = false;
    for (size_t i = 1; i < n; i++)
        if (better_than(c[i].cell->value, best->cell->value, better))
            best = &c[i];
    for (size_t i = 0; i < n && !differ; i++)
        differ = !look_same(&c[i], best);
    for (size_t i = 0; differ && i < n; i++)
        if (look_same(&c[i], best))
            c[i].cell->flags |= FR_CELL_BEST;
}

/* Figures of one metric and one workload are a contest, across rows and columns. */
static void mark_metric(struct fr_q_pivot *p, uint32_t metric, struct contest *room)
{
    size_t n = 0;
    enum fr_better better = FR_NEITHER;
    for (size_t c = 0; c < p->cols_n; c++) {
        const struct fr_q_col *col = &p->cols[c];
        if (col->metric != metric || col->column == (size_t)-1)
            continue;
        better = p->table->columns[col->column].better;
        for (size_t r = 0; r < p->rows_n; r++) {
            struct fr_cell *cell = &p->rows[r].row->cells[col->column];
            if (cell->kind != FR_CELL_NUMBER || cell->flags & FR_CELL_FAILED)
                continue;
            room[n] = (struct contest){.cell = cell, .column = &p->table->columns[col->column], .placed.place = n};
            for (size_t d = 0, k = 0; d < p->plan->rows.n + p->plan->cols.n && k < FR_Q_DIMS_MAX; d++) {
                bool of_row = d < p->plan->rows.n;
                const struct fr_q_dim *dim = of_row ? &p->plan->rows.dim[d] : &p->plan->cols.dim[d - p->plan->rows.n];
                if (is_workload(dim))
                    room[n].placed.key[k++] = of_row ? p->rows[r].key[d] : col->key[d - p->plan->rows.n];
            }
            n++;
        }
    }
    if (better != FR_HIGHER && better != FR_LOWER)
        return;
    qsort(room, n, sizeof *room, by_keys);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && memcmp(room[i].placed.key, room[j].placed.key, sizeof room[i].placed.key) == 0; j++)
            continue;
        mark(room + i, j - i, better);
    }
}

/* In a mixed table each row is a contest of its own. */
static void mark_row(struct fr_q_pivot *p, const struct fr_q_row *row, struct contest *room)
{
    size_t n = 0;
    for (size_t c = 0; c < p->cols_n; c++) {
        struct fr_cell *cell = &row->row->cells[p->cols[c].column];
        if (cell->kind == FR_CELL_NUMBER && !(cell->flags & FR_CELL_FAILED))
            room[n++] = (struct contest){.cell = cell, .column = &p->table->columns[p->cols[c].column]};
    }
    if (n > 1 && (row->better == FR_HIGHER || row->better == FR_LOWER))
        mark(room, n, row->better);
}

void fr_q_mark_best(struct fr_q_pivot *p)
{
    struct contest *room = malloc((p->rows_n * p->cols_n + 1) * sizeof *room);
    if (!room)
        return; /* a mark less is no lie */
    for (uint32_t m = 0; m < p->plan->metrics.n && !p->plan->mixed; m++)
        mark_metric(p, m, room);
    for (size_t r = 0; r < p->rows_n && p->plan->mixed; r++)
        mark_row(p, &p->rows[r], room);
    free(room);
}
