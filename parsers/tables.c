/*
 * tables.c: tables that people publish, see tables.h. A table is read where its cells carry their units; one whose
 * heads or row names carry them only when it is insisted on (--format table), because such tables mostly repeat what
 * stands around them. docs/formats/table.md.
 */
#include "tables.h"

#include "banned.h"

enum {
    NAME_MAX_BYTES = 512,
    LINE_MAX_BYTES = 4000,
    TRIES_MAX = 4,
    CAPTION_LINES = 6,
    LOOKS = 64 /* at a line on average */
};

/* Cells that were not read. */
struct missed {
    size_t n;
    uint32_t line; /* of the first, and what it holds */
    struct fr_str text;
};

struct table {
    struct fr_doc *doc;
    struct fr_batch *batch;
    struct fr_log *log;
    unsigned owner;
    bool decimal_comma;
    size_t place; /* among tables of one line */
    struct fr_names n;
    struct fr_run *runs[FR_TABLES_ROWS];
    struct missed no_unit, odd;
};

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static const char *keep(struct table *t, struct fr_str s)
{
    return s.n ? fr_arena_copy(&t->batch->arena, s.s, s.n) : NULL;
}

static struct fr_run *run_new(struct table *t, struct fr_str label, size_t order)
{
    const struct fr_grid *g = t->n.g;
    struct fr_run *run = fr_run_new(t->batch, "table", "table", t->doc->lines[g->lines[0]].no);
    run->own_label = keep(t, label);
    run->title = keep(t, t->n.heads[0].text);
    run->column = t->place + order;
    run->line_end = t->doc->lines[g->lines[g->rows - 1]].no;
    return run;
}

/* A column or row without any value makes no run; fr_identity_join puts them in the order of labels. */
static struct fr_run *run_of(struct table *t, size_t r, size_t c)
{
    size_t i = t->n.keys                      ? t->n.keys[r].first
               : t->n.layout == LABELS_DOWN   ? r
               : t->n.layout == LABELS_ACROSS ? t->n.label[c]
                                              : 0;
    const struct fr_str none = {"", 0};
    if (!t->runs[i])
        t->runs[i] = run_new(t, i == 0 ? none : t->n.layout == LABELS_DOWN ? t->n.rows[r].text : t->n.heads[c].text, i);
    return t->runs[i];
}

static void set(struct table *t, struct fr_run *run, struct fr_test *test, const char *key, const char *value,
                uint32_t line)
{
    fr_param_set(t->batch, run, test, key, fr_str(value), FR_FROM_FORMAT, line);
}

static enum fr_metric_id metric_of(enum fr_dim dim, const struct fr_words *words)
{
    switch (dim) {
    case FR_DIM_BYTES_PER_S:
        return FR_M_BW;
    case FR_DIM_OPS:
        return FR_M_IOPS;
    case FR_DIM_SECONDS:
        return words->clat ? FR_M_CLAT : words->slat ? FR_M_SLAT : words->latency ? FR_M_LAT : FR_M_TIME;
    case FR_DIM_BYTES:
        return FR_M_SIZE;
    case FR_DIM_NONE:
    case FR_DIM_RATIO:
    case FR_DIM_COUNT:
        break;
    }
    return FR_M_SCORE;
}

/* What a cell is of: the name of its test and its place in the run, and what the names say of it. */
struct of {
    struct fr_str name;
    int no;
    struct fr_words words;
    const char *rw; /* where the words do not say it */
    char both[NAME_MAX_BYTES];
};

/* `randrw` and below it `read IOPS`: the figures are of the one direction, the job is of both. */
static void add_head(struct of *of, const struct fr_words *row, const struct fr_words *head)
{
    of->words = *row;
    fr_words_add(&of->words, head);
    if (head->op == FR_OP_NONE || of->words.op == head->op)
        return;
    of->rw = fr_words_rw(row);
    of->words.op = head->op;
    of->words.random = of->words.sequential = false;
}

/* The first column whose head has this base: `write IOPS` and `write speed` are of one test. */
static int column_of(const struct table *t, size_t c, struct fr_str base)
{
    size_t first = c;
    for (size_t k = c; k-- > 1;)
        if (fr_str_eq(fr_words_base(t->n.heads[k].text), base))
            first = k;
    return (int)first;
}

static void name_of(const struct table *t, size_t r, size_t c, struct of *of)
{
    const struct fr_name *row = &t->n.rows[r], *head = &t->n.heads[c], *corner = &t->n.heads[0];
    struct fr_str base = fr_words_base(head->text);
    switch (t->n.layout) {
    case LABELS_DOWN:
        if (t->n.keys) {
            const struct fr_row_key *key = &t->n.keys[r];
            add_head(of, &key->words, &head->words);
            snprintf(of->both, sizeof of->both, "%.*s %.*s", FR_STR(key->text), FR_STR(base));
            of->name = fr_str_trim(fr_str(of->both));
            of->no = (key->nth - 1) * t->n.slots_n + t->n.slots[c];
            break;
        }
        of->words = head->words;
        of->name = base.n ? base : corner->words.workload ? corner->text : head->text;
        of->no = column_of(t, c, base);
        break;
    case NO_LABELS:
        add_head(of, &row->words, &head->words);
        snprintf(of->both, sizeof of->both, "%.*s %.*s", FR_STR(row->text), FR_STR(base));
        of->name = fr_str_trim(fr_str(of->both));
        of->no = (int)((r - 1) * (t->n.g->cols - 1)) + column_of(t, c, base);
        break;
    case LABELS_ACROSS:
    case METRICS_ACROSS:
        of->words = row->words;
        fr_words_add_latency(&of->words, &head->words);
        if (!of->words.stat && t->n.layout == METRICS_ACROSS)
            of->words.stat = head->words.stat;
        of->words.op = of->words.op == FR_OP_NONE ? t->n.op[c] : of->words.op;
        of->name = row->text;
        of->no = (int)r;
        break;
    }
}

static bool has_value(const struct fr_test *test, enum fr_metric_id metric, const char *stat)
{
    fr_value_each (v, test)
        if (v->metric == metric && strcmp(v->stat, stat) == 0)
            return true;
    return false;
}

/* The test of that name and place, unless it has a value of this kind already: then a further one. */
static struct fr_test *test_of(struct table *t, struct fr_run *run, const struct of *of, enum fr_metric_id metric,
                               const char *stat, uint32_t line)
{
    bool taken = false;
    /* Numbers only grow along the list: a place beyond its end is new, without a look at thousands of others. */
    bool beyond = run->tests.tail && run->tests.tail->no < of->no;
    for (struct fr_test *test = beyond ? NULL : run->tests.head; test; test = test->next)
        if (test->no == of->no) {
            taken = true;
            if (fr_str_eq(fr_str(test->name), of->name) && !has_value(test, metric, stat))
                return test;
        }
    struct fr_test *test = fr_test_new(t->batch, run, of->name, line);
    if (!taken && (!run->tests.head->next || of->no >= test->no))
        test->no = of->no; /* its place in the table, also where a neighbour's cell is empty */
    return test;
}

static void add_value(struct table *t, size_t r, size_t c, const struct fr_quantity *q)
{
    const struct fr_grid *g = t->n.g;
    const struct fr_name *corner = &t->n.heads[0];
    struct fr_run *run = run_of(t, r, c);
    uint32_t line = t->doc->lines[fr_grid_line(g, r, c)].no;
    struct of of = {.rw = NULL};
    name_of(t, r, c, &of);
    fr_words_add(&of.words, &t->n.caption);
    enum fr_metric_id metric = metric_of(q->unit.dim, &of.words);
    const char *stat = of.words.stat ? of.words.stat : "mean";
    struct fr_test *test = test_of(t, run, &of, metric, stat, line);
    fr_legend_apply(t->doc, g->first, g->last, t->n.layout == LABELS_DOWN ? of.name : t->n.rows[r].own,
                    fr_str_is_nocase(corner->text, "fio"), t->batch, run, test, &of.words);
    if (fr_str_is_nocase(corner->text, "dd") && !of.words.random)
        of.words.sequential = true; /* dd can nothing else */
    fr_words_add(&of.words, &corner->words);
    if (of.rw)
        set(t, run, test, "rw", of.rw, line);
    fr_words_apply(&of.words, &(struct fr_target){
                                  .batch = t->batch, .run = run, .test = test, .origin = FR_FROM_FORMAT, .line = line});
    fr_value_add(t->batch, test, of.words.op, metric, stat, fr_to_base(q->value, q->unit.factor), line);
}

static void miss(struct table *t, struct missed *missed, size_t r, size_t c)
{
    if (missed->n++ > 0)
        return;
    missed->line = t->doc->lines[fr_grid_line(t->n.g, r, c)].no;
    missed->text = fr_grid_cell(t->n.g, r, c);
}

/* A bare number has the unit of its head, else of its row's name. `115k` is a number of operations. */
static bool unit_from_name(const struct table *t, size_t r, size_t c, struct fr_quantity *q)
{
    const struct fr_name *of = t->n.heads[c].has_unit ? &t->n.heads[c] : t->n.rows[r].has_unit ? &t->n.rows[r] : NULL;
    bool thousands = q->unit.factor > 1;
    if (!of || (!t->doc->insist && !fr_is_rate(of->unit.dim)) || (thousands && of->unit.dim != FR_DIM_OPS))
        return false;
    q->value *= q->unit.factor;
    q->unit = of->unit;
    return true;
}

/* The values of a cell with their units; false when it has none. */
static bool cell_value(struct table *t, size_t r, size_t c, struct fr_quantity q[2])
{
    enum fr_cell kind = fr_tables_cell(fr_grid_cell(t->n.g, r, c), t->decimal_comma, q);
    if (kind == FR_CELL_VALUE || kind == FR_CELL_EMPTY)
        return kind == FR_CELL_VALUE;
    if (kind == FR_CELL_NUMBER && unit_from_name(t, r, c, q))
        return true;
    if (kind == FR_CELL_TEXT && !t->n.valued[c])
        return false; /* a remark */
    if (kind == FR_CELL_NUMBER && t->n.heads[c].unit.dim == FR_DIM_RATIO)
        return false; /* a share */
    miss(t, kind == FR_CELL_ODD ? &t->odd : &t->no_unit, r, c);
    return false;
}

/* `267 MB/s (66.8k)` under `4k (IOPS)`: the head says what the second is of. */
static bool has_second(const struct table *t, size_t r, size_t c, struct fr_quantity q[2])
{
    if (q[1].unit.factor <= 0)
        return false;
    return q[1].unit.dim != FR_DIM_NONE || (unit_from_name(t, r, c, &q[1]) && q[1].unit.dim != q[0].unit.dim);
}

static void report_missed(const struct table *t, const struct missed *missed, const char *one, const char *more)
{
    if (missed->n)
        fr_log_warn(t->log, t->doc->source, missed->line, "%zu cell%s of this table %s (the first is '%.*s'), left out",
                    missed->n, missed->n == 1 ? "" : "s", missed->n == 1 ? one : more,
                    (int)(missed->text.n < 40 ? missed->text.n : 40), missed->text.s);
}

/* A column whose head names the unit of its bare numbers is one of values, in a table that is read anyway. */
static void add_columns(struct table *t)
{
    for (size_t c = 1; c < t->n.g->cols; c++)
        for (size_t r = 1; r < t->n.g->rows && !t->n.valued[c] && t->n.heads[c].has_unit; r++) {
            if (fr_names_block(&t->n.heads[c]))
                break;
            struct fr_quantity q[2];
            t->n.valued[c] = fr_tables_cell(fr_grid_cell(t->n.g, r, c), t->decimal_comma, q) == FR_CELL_NUMBER &&
                             unit_from_name(t, r, c, &q[0]);
        }
}

/* Each column is of one quantity, and not all of the same: the heads name what was measured, whatever their words. */
static bool quantities_across(const struct table *t)
{
    enum fr_dim first = FR_DIM_NONE;
    bool differ = false;
    for (size_t c = 1; c < t->n.g->cols; c++) {
        enum fr_dim dim = FR_DIM_NONE;
        for (size_t r = 1; r < t->n.g->rows && t->n.valued[c]; r++) {
            struct fr_quantity q[2];
            enum fr_cell kind = fr_tables_cell(fr_grid_cell(t->n.g, r, c), t->decimal_comma, q);
            if (kind != FR_CELL_VALUE && (kind != FR_CELL_NUMBER || !unit_from_name(t, r, c, q)))
                continue;
            if (dim != FR_DIM_NONE && dim != q->unit.dim)
                return false;
            dim = q->unit.dim;
        }
        first = first == FR_DIM_NONE ? dim : first;
        differ = differ || (dim != FR_DIM_NONE && dim != first);
    }
    return differ;
}

static void read_table(struct table *t)
{
    const struct fr_grid *g = t->n.g;
    add_columns(t);
    t->n.quantities = quantities_across(t);
    fr_names_understand(&t->n);
    for (size_t r = 1; r < g->rows; r++)
        for (size_t c = 1; c < g->cols; c++) {
            struct fr_quantity q[2];
            if (t->n.key[c] || !cell_value(t, r, c, q))
                continue;
            add_value(t, r, c, &q[0]);
            if (has_second(t, r, c, q))
                add_value(t, r, c, &q[1]);
        }
    report_missed(t, &t->no_unit, "without a unit", "without a unit");
    report_missed(t, &t->odd, "that is no single figure with its unit", "that are no single figures with their units");
    fr_doc_claim(t->doc, g->first, g->last, t->owner, 0);
}

/* ---- which tables ------------------------------------------------------------------------------------------------ */

/* Is this the name of a row of bare numbers that are rates: `Random read IOPS`? */
static bool names_rate(const struct table *t, size_t r)
{
    return r && t->n.rows[r].has_unit && fr_is_rate(t->n.rows[r].unit.dim);
}

/*
 * What the cells of a row are: rates, times, numbers whose unit the row's name says, and in columns of values those
 * that are neither values nor empty. Shares in percent count as empty.
 */
struct kinds {
    size_t rates, times, odd, named, other, filled;
};

static struct kinds kinds_of(const struct table *t, size_t r)
{
    struct kinds k = {0, 0, 0, 0, 0, 0};
    for (size_t c = 1; c < t->n.g->cols; c++) {
        struct fr_quantity q[2];
        enum fr_cell kind = fr_tables_cell(fr_grid_cell(t->n.g, r, c), t->decimal_comma, q);
        k.rates += kind == FR_CELL_VALUE && fr_is_rate(q->unit.dim);
        k.times += kind == FR_CELL_VALUE && q->unit.dim == FR_DIM_SECONDS;
        k.odd += kind == FR_CELL_ODD;
        bool named = kind == FR_CELL_NUMBER && names_rate(t, r);
        k.named += named;
        k.other += t->n.valued[c] && !named && (kind == FR_CELL_TEXT || kind == FR_CELL_NUMBER);
        k.filled += kind != FR_CELL_EMPTY;
    }
    return k;
}

/* Columns most of whose cells are values (any, where it is insisted on); the number of those that are not and are not
 * empty. */
static size_t find_columns(struct table *t)
{
    size_t remarks = 0;
    for (size_t c = 1; c < t->n.g->cols; c++) {
        size_t values = 0, other = 0;
        for (size_t r = 1; r < t->n.g->rows; r++) {
            struct fr_quantity q[2];
            enum fr_cell kind = fr_tables_cell(fr_grid_cell(t->n.g, r, c), t->decimal_comma, q);
            values += kind == FR_CELL_VALUE;
            other += kind == FR_CELL_TEXT || kind == FR_CELL_NUMBER;
        }
        t->n.valued[c] = values > 0 && (values >= other || t->doc->insist) && !fr_names_block(&t->n.heads[c]);
        remarks += !t->n.valued[c] && other;
    }
    return remarks;
}

/* `4k IOPS`: operations of that size, where it is certain that this is a head. */
static bool is_size_and_iops(struct fr_str s)
{
    uint64_t n;
    return fr_take_u64(&s, &n, NULL) && s.n > 2 && memchr("kKM", *s.s, 3) && s.s[1] == ' ' &&
           fr_str_is_nocase(fr_str_from(s, 2), "iops");
}

/* The head names columns: no rate among its cells, and each column has one. */
static bool has_head(const struct table *t)
{
    size_t sizes = 0;
    for (size_t c = 1; c < t->n.g->cols; c++) {
        if (!fr_grid_cell(t->n.g, 0, c).n)
            return false;
        sizes += t->n.g->marked && is_size_and_iops(fr_grid_cell(t->n.g, 0, c));
    }
    return kinds_of(t, 0).rates == sizes;
}

/*
 * Rows where every cell is a value or empty, one a rate at least: this is a table of results. Rows of times
 * (latencies), of numbers whose name says that they are rates, and empty ones speak neither for nor against it.
 */
static bool cells_have_units(const struct table *t, size_t remarks)
{
    size_t good = 0, bad = 0;
    for (size_t r = 1; r < t->n.g->rows; r++) {
        struct kinds k = kinds_of(t, r);
        good += k.rates && !k.other;
        bad += (k.filled && !k.rates && !k.times && !k.odd && !k.named) || k.other;
    }
    return t->n.g->aligned && !t->n.g->marked ? good >= 2 && bad == 0 && remarks == 0 : good > 0 && good >= bad;
}

/* At least two rows with a rate, though the rest is none of results. */
static bool some_rates(const struct table *t)
{
    size_t n = 0;
    for (size_t r = 1; r < t->n.g->rows; r++) {
        struct kinds k = kinds_of(t, r);
        n += k.rates || k.odd;
    }
    return n >= 2;
}

/* A rate; or a latency, where it is insisted on. */
static bool is_wanted(const struct table *t, const struct fr_name *name)
{
    struct fr_words w;
    if (!name->has_unit || fr_is_rate(name->unit.dim) || name->unit.dim != FR_DIM_SECONDS || !t->doc->insist)
        return name->has_unit && fr_is_rate(name->unit.dim);
    fr_words_read(name->text, &w);
    return w.latency || t->n.caption.latency;
}

/* Numbers under heads, or behind row names, that carry the unit of a rate. */
static size_t numbers_with_unit(const struct table *t)
{
    size_t n = 0;
    for (size_t r = 1; r < t->n.g->rows; r++)
        for (size_t c = 1; c < t->n.g->cols; c++) {
            struct fr_quantity q[2];
            n += (is_wanted(t, &t->n.heads[c]) || is_wanted(t, &t->n.rows[r])) &&
                 fr_tables_cell(fr_grid_cell(t->n.g, r, c), t->decimal_comma, q) == FR_CELL_NUMBER;
        }
    return n;
}

/* What the scan keeps from table to table. */
struct scan {
    struct fr_doc *doc;
    unsigned owner;
    struct fr_batch *batch;
    struct fr_log *log;
    size_t tables;           /* looked at */
    size_t block_end, tries; /* the lines that were last taken for one table, and how often */
    size_t looked;           /* lines in which a table of markup was looked for in vain */
    size_t left;             /* tables whose heads carry the units, not insisted on */
    uint32_t left_line;
    const char *left_where;
    size_t named;              /* the line that last named a unit, plus 1: it may be a caption */
    size_t marked, marked_end; /* a table of Markdown, and the line behind it: none begins within it */
    uint32_t mixed_line;       /* the first of those with rates in some of their cells alone; 0: none */
    size_t own;                /* tables of fioreport's own, not insisted on */
    uint32_t own_line;
    int status; /* -1 after an error */
};

static bool is_bar(const struct fr_doc *doc, size_t i)
{
    return i < doc->n && !doc->lines[i].owner && fr_str_starts(fr_str_ltrim(doc->lines[i].text), "|");
}

/* A table of Markdown, told by the rule below its head, begins in this line: does it name a rate anywhere? */
static bool marked_begins(struct scan *s, size_t i)
{
    struct fr_str rule = is_bar(s->doc, i) && is_bar(s->doc, i + 1) ? s->doc->lines[i + 1].text : fr_strn("", 0);
    bool number, any = false;
    for (size_t k = 0; k < rule.n; k++)
        if (!memchr("|-: \t", rule.s[k], 5))
            return false;
    if (fr_str_find(rule, "--") == (size_t)-1)
        return false;
    s->marked = i;
    for (s->marked_end = i; is_bar(s->doc, s->marked_end); s->marked_end++)
        any = any || fr_tables_mention_rate(s->doc->lines[s->marked_end].text, &number);
    return any;
}

/*
 * Cheap, before cells are cut: a head has no rates, and one of the next two lines (a rule may stand between) has; or
 * the head, or a line not far above, names a unit.
 */
static bool may_begin(struct scan *s, size_t i)
{
    const struct fr_doc *doc = s->doc;
    bool number = false, below = i >= s->marked_end && marked_begins(s, i);
    if (doc->lines[i].owner || (i < s->marked_end && i != s->marked) || doc->lines[i].text.n > LINE_MAX_BYTES)
        return false;
    bool named = fr_tables_mention_rate(doc->lines[i].text, &number);
    if (number)
        return false;
    s->named = named ? i + 1 : s->named;
    for (size_t j = i + 1; j < doc->n && j <= i + 3; j++)
        if (fr_tables_mention_rate(doc->lines[j].text, &number))
            below = true;
    return named || below || (s->named && i < s->named + CAPTION_LINES);
}

/* No table began at the head of these lines; one may below it, but that is not tried for ever. */
static size_t give_up(struct scan *s, size_t i, size_t last)
{
    if (i > s->block_end || s->tries == 0) {
        s->tries = 0;
        s->block_end = last;
    }
    return ++s->tries < TRIES_MAX ? i + 1 : s->block_end + 1;
}

/* Read this grid if it is a table of results; returns the index of the line to go on with. */
static size_t read_grid(struct scan *s, struct fr_grid *g, struct fr_arena *arena)
{
    size_t i = g->first, next;
    enum fr_own own = fr_tables_own(s->doc, g, s->batch, s->owner);
    if (own != FR_OWN_NO) {
        if (own == FR_OWN_LEFT && s->own++ == 0)
            s->own_line = s->doc->lines[i].no;
        return g->last + 1;
    }
    fr_tables_undress(g, arena);
    fr_tables_unit_column(g, s->doc->insist, arena);
    struct table *t = fr_arena_new(arena, struct table);
    t->doc = s->doc;
    t->n.g = g;
    t->batch = s->batch;
    t->log = s->log;
    t->owner = s->owner;
    t->n.arena = arena;
    t->place = s->tables++ * FR_TABLES_ROWS;
    t->n.insist = s->doc->insist;
    fr_names_init(&t->n);
    t->decimal_comma = fr_tables_decimal_comma(g);
    size_t captioned = fr_tables_caption(&t->n, s->doc, t->decimal_comma), remarks = find_columns(t);
    bool head = has_head(t), units = head && cells_have_units(t, remarks);
    if (units || (head && s->doc->insist && (numbers_with_unit(t) || some_rates(t)))) {
        read_table(t);
        next = g->last + 1;
        if (g->rows == FR_TABLES_ROWS)
            s->status = fr_log_error(s->log, s->doc->source, s->doc->lines[g->last].no,
                                     "a table of more than %d rows, the rest was left out", FR_TABLES_ROWS);
    } else if (head && (numbers_with_unit(t) || captioned)) {
        if (s->left++ == 0) {
            s->left_line = s->doc->lines[i].no;
            s->left_where = numbers_with_unit(t) ? "heads" : "caption";
        }
        next = g->last + 1;
    } else {
        if (head && !s->mixed_line && some_rates(t))
            s->mixed_line = s->doc->lines[i].no;
        next = g->marked && !g->aligned ? g->last + 1 : give_up(s, i, g->last); /* a rule makes it one table */
    }
    return next;
}

/* All tables of HTML, before the lines that are left of them can be taken for others. */
static void scan_html(struct scan *s)
{
    struct fr_html_place place = {0, 1, 0};
    bool found = fr_str_find(s->doc->whole, "</") != (size_t)-1;
    while (found) {
        struct fr_arena arena = FR_ARENA_INIT;
        struct fr_grid g;
        bool owned = false;
        found = fr_html_grid_find(s->doc, &place, &arena, &g);
        for (size_t k = g.first; found && k <= g.last; k++)
            owned = owned || (s->doc->lines[k].owner && s->doc->lines[k].owner != s->owner);
        if (found && !owned)
            read_grid(s, &g, &arena);
        fr_arena_release(&arena);
    }
}

/* The table that begins in line i, if one does; returns the index of the line to go on with. */
static size_t scan_at(struct scan *s, size_t i)
{
    struct fr_arena arena = FR_ARENA_INIT;
    struct fr_grid g;
    size_t next = i + 1;
    if (s->looked / LOOKS <= s->doc->n && fr_markup_grid_find(s->doc, i, &arena, &g, &s->looked)) {
        read_grid(s, &g, &arena);
        next = g.last + 1;
    } else if (may_begin(s, i) && fr_grid_find(s->doc, i, &arena, &g)) {
        next = read_grid(s, &g, &arena);
    }
    fr_arena_release(&arena);
    return next;
}

/* Lines i and i + 1 are of a table with more columns than are read. */
static bool is_too_wide(const struct fr_doc *doc, size_t i, char separator)
{
    bool number;
    const struct fr_line *head = &doc->lines[i], *below = head + 1;
    if (head->owner || head->text.n < FR_TABLES_COLS || i + 1 == doc->n || below->owner)
        return false;
    size_t n = fr_str_count(head->text, separator);
    return n >= FR_TABLES_COLS && fr_str_count(below->text, separator) == n &&
           fr_tables_mention_rate(below->text, &number);
}

static void report_too_wide(struct scan *s)
{
    for (size_t i = 0; i < s->doc->n; i++)
        if (is_too_wide(s->doc, i, '\t') || is_too_wide(s->doc, i, '|')) {
            s->status = fr_log_error(s->log, s->doc->source, s->doc->lines[i].no,
                                     "a table of more than %d columns, not read", FR_TABLES_COLS);
            return;
        }
}

static bool probe(const struct fr_doc *doc)
{
    bool number;
    for (size_t i = 0; i < doc->n; i++)
        if (!doc->lines[i].owner && fr_tables_mention_rate(doc->lines[i].text, &number))
            return true;
    return false;
}

static int scan(void *state, struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log)
{
    struct scan s = {.doc = doc, .owner = owner, .batch = batch, .log = log};
    (void)state;
    for (size_t i = 0; i < doc->n; i++) {
        size_t next = fr_summary_read(doc, i, owner, batch, log);
        i = next > i ? next - 1 : i;
    }
    scan_html(&s);
    for (size_t i = 0; i < doc->n;)
        i = scan_at(&s, i);
    report_too_wide(&s);
    if (s.looked / LOOKS > doc->n)
        fr_log_warn(log, doc->source, 0,
                    "too many tables of markup begin and do not end, the last ones were not looked for");
    if (s.own)
        fr_log_note(log, doc->source, s.own_line,
                    "%zu table%s that fioreport wrote from other files, not read, for the figures would count twice "
                    "(`ingest --format table` reads %s)",
                    s.own, s.own == 1 ? "" : "s", s.own == 1 ? "it" : "them");
    if (s.mixed_line && batch->runs.n == 0)
        s.status = fr_log_error(
            log, doc->source, s.mixed_line,
            "a table with rates in some of its cells, but too many cells without a unit, not read (--format table "
            "reads what has one)");
    else if (s.mixed_line)
        fr_log_explain(log, doc->source, s.mixed_line,
                       "a table with rates in some of its cells, but too many cells without a unit, is left out");
    if (!s.left)
        return s.status;
    if (batch->runs.n == 0)
        return fr_log_error(log, doc->source, s.left_line,
                            "a table whose units stand in its %s, not read (--format table reads it)", s.left_where);
    fr_log_explain(log, doc->source, s.left_line,
                   "a table whose units stand in its %s is left out: --format table "
                   "reads it",
                   s.left_where);
    return s.status;
}

const struct fr_parser fr_parser_tables = {
    .name = "table",
    .tool = "table",
    .title = "published tables: tabs, Markdown, HTML, CSV, aligned text, with units in their cells",
    .versions = "",
    .probe = probe,
    .scan = scan,
};
