/*
 * tables.c: tables that people publish, see tables.h. A table is read where its cells carry their units; one whose
 * heads or row names carry them only when it is insisted on (--format table), because such tables mostly repeat what
 * stands around them. docs/formats/table.md.
 */
#include "tables.h"

#include "banned.h"

enum { UNIT_MAX = 32, NAME_MAX_BYTES = 512, LINE_MAX_BYTES = 4000, TRIES_MAX = 4 };

/* A share in percent is of another number of the table: neither taken nor missed. */
enum cell_kind { CELL_EMPTY, CELL_VALUE, CELL_NUMBER, CELL_TEXT };

struct quantity {
    double value;
    struct fr_unit unit;
};

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static bool is_absent(struct fr_str s)
{
    static const char *const words[] = {"",     "-",    "--", "---", "\xe2\x80\x93", "\xe2\x80\x94", "n/a", "na",
                                        "n.a.", "none", "x",  "?"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fr_str_is_nocase(s, words[i]))
            return true;
    return false;
}

/* A rate in bits without "bit" in it, and thousands of operations; the rest is fr_unit_find's. */
static bool find_unit(struct fr_str text, struct fr_unit *out)
{
    static const struct {
        const char *name;
        struct fr_unit unit;
    } more[] = {{"kbps", {125, FR_DIM_BYTES_PER_S}},     {"Kbps", {125, FR_DIM_BYTES_PER_S}},
                {"Mbps", {125e3, FR_DIM_BYTES_PER_S}},   {"Gbps", {125e6, FR_DIM_BYTES_PER_S}},
                {"Mbit/s", {125e3, FR_DIM_BYTES_PER_S}}, {"Gbit/s", {125e6, FR_DIM_BYTES_PER_S}}};
    text = fr_str_trim(text);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (fr_str_is(text, more[i].name)) {
            *out = more[i].unit;
            return true;
        }
    if (fr_unit_find(text, FR_KILO_1000, out))
        return true;
    double thousand = text.n && (*text.s == 'k' || *text.s == 'K') ? 1e3 : text.n && *text.s == 'M' ? 1e6 : 0;
    if (thousand == 0 || !fr_unit_find(fr_str_from(text, 1), FR_KILO_1000, out) || out->dim != FR_DIM_OPS)
        return false;
    out->factor *= thousand;
    return true;
}

/* Digits in groups of three after the first, which begins with no zero: `1,234,567`. */
static bool is_grouped(struct fr_str s, char mark)
{
    size_t run = 0, groups = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.s[i] == mark) {
            if (run == 0 || run > 3 || (groups && run != 3) || (!groups && s.s[i - run] == '0'))
                return false;
            groups++;
            run = 0;
        } else if (fr_is_digit(s.s[i])) {
            run++;
        } else {
            return false;
        }
    }
    return groups > 0 && run == 3;
}

static size_t marks(struct fr_str s, char mark)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += s.s[i] == mark;
    return n;
}

/* A blank or an apostrophe between groups of three: `1 900`, `45'000`. */
static bool is_gap(struct fr_str s, size_t i)
{
    size_t before = 0, after = 0;
    if (s.s[i] != ' ' && s.s[i] != '\'')
        return false;
    while (before < i && before < 4 && fr_is_digit(s.s[i - before - 1]))
        before++;
    while (i + 1 + after < s.n && after < 4 && fr_is_digit(s.s[i + 1 + after]))
        after++;
    return before > 0 && before < 4 && after == 3;
}

/*
 * Take a number; a comma is the decimal mark where the table says so, else it groups thousands. A single mark that
 * cannot group is the decimal mark whatever the table says.
 */
static bool take_number(struct fr_str *s, bool decimal_comma, double *out)
{
    char text[64], digits[64];
    size_t n = 0, len = 0, k = 0;
    for (; n < s->n && len < sizeof text; n++) {
        bool mark = (s->s[n] == '.' || s->s[n] == ',') && n + 1 < s->n && fr_is_digit(s->s[n + 1]);
        if (fr_is_digit(s->s[n]) || mark)
            text[len++] = s->s[n];
        else if (!is_gap(*s, n))
            break;
    }
    struct fr_str all = fr_strn(text, len);
    char decimal = decimal_comma ? ',' : '.', group = decimal_comma ? '.' : ',';
    if (marks(all, decimal) == 0 && marks(all, group) == 1 && !is_grouped(all, group)) {
        char was = decimal;
        decimal = group;
        group = was;
    }
    struct fr_str whole = fr_str_range(all, 0, fr_str_chr(all, decimal));
    if (!len || len == sizeof text || marks(all, decimal) > 1 || (marks(whole, group) && !is_grouped(whole, group)) ||
        marks(whole, group) != marks(all, group))
        return false;
    for (size_t i = 0; i < len; i++)
        if (text[i] != group)
            digits[k++] = text[i] == decimal ? '.' : text[i];
    if (!fr_str_double(fr_strn(digits, k), out))
        return false;
    *s = fr_str_from(*s, n);
    return true;
}

/* `97.7 MB/s`, `2987MB/s`, `436KiB/s (446kB/s)`, `12.3k IOPS`. */
static enum cell_kind read_cell(struct fr_str s, bool decimal_comma, struct quantity *q)
{
    if (is_absent(s))
        return CELL_EMPTY;
    if (!take_number(&s, decimal_comma, &q->value))
        return CELL_TEXT;
    size_t paren = fr_str_find(s, " (");
    if (paren != (size_t)-1 && fr_str_ends(s, ")"))
        s = fr_str_range(s, 0, paren);
    s = fr_str_trim(s);
    q->unit = (struct fr_unit){1, FR_DIM_NONE};
    if (!s.n)
        return CELL_NUMBER;
    if (s.n >= UNIT_MAX || !find_unit(s, &q->unit))
        return CELL_TEXT;
    return q->unit.dim == FR_DIM_RATIO ? CELL_EMPTY : CELL_VALUE;
}

/* Does any number of the table use the comma as its decimal mark: two commas are groups, `97,7` is not. */
static bool uses_decimal_comma(const struct fr_grid *g)
{
    for (size_t r = 1; r < g->rows; r++)
        for (size_t c = 1; c < g->cols; c++) {
            struct fr_str s = fr_grid_cell(g, r, c);
            size_t n = 0;
            while (n < s.n && (fr_is_digit(s.s[n]) || s.s[n] == '.' || s.s[n] == ','))
                n++;
            struct fr_str number = fr_str_range(s, 0, n);
            size_t comma = fr_str_rfind(number, ",");
            if (comma == (size_t)-1 || comma + 1 >= n)
                continue;
            size_t point = fr_str_rfind(number, ".");
            if (marks(number, ',') == 1 && (point == (size_t)-1 ? !is_grouped(number, ',') : point < comma))
                return true;
        }
    return false;
}

/* ---- heads ------------------------------------------------------------------------------------------------------- */

/* A head or a row name: its text without the unit, the unit, what it says of the workload. */
struct name {
    struct fr_str text;
    bool has_unit;
    struct fr_unit unit;
    struct fr_words words;
};

/* `Read [MiB/s]`, `Read (MB/s)`, `Read, MB/s`, `write IOPS`. */
static void read_name(struct fr_str s, struct name *out)
{
    memset(out, 0, sizeof *out);
    out->text = s;
    char close = s.n ? s.s[s.n - 1] : 0;
    size_t open = close == ']' ? fr_str_rfind(s, "[") : close == ')' ? fr_str_rfind(s, "(") : (size_t)-1;
    size_t comma = fr_str_rfind(s, ", "), blank = fr_str_rfind(s, " ");
    if (open != (size_t)-1 && find_unit(fr_str_range(s, open + 1, s.n - 1), &out->unit)) {
        out->text = fr_str_trim(fr_str_range(s, 0, open));
        out->has_unit = true;
    } else if (comma != (size_t)-1 && find_unit(fr_str_from(s, comma + 2), &out->unit)) {
        out->text = fr_str_trim(fr_str_range(s, 0, comma));
        out->has_unit = true;
    } else if (find_unit(blank == (size_t)-1 ? s : fr_str_from(s, blank + 1), &out->unit)) {
        out->has_unit = out->unit.dim == FR_DIM_OPS || out->unit.dim == FR_DIM_BYTES_PER_S;
    }
    if (out->unit.dim == FR_DIM_RATIO)
        out->has_unit = false;
}

enum layout {
    LABELS_ACROSS, /* heads are labels, rows are tests: the usual one */
    LABELS_DOWN,   /* row names are labels, heads are tests */
    NO_LABELS,     /* both say what was done: one run */
    METRICS_ACROSS /* heads are metrics, rows are tests: one run */
};

struct table {
    struct fr_doc *doc;
    const struct fr_grid *g;
    struct fr_batch *batch;
    struct fr_log *log;
    unsigned owner;
    bool decimal_comma;
    bool valued[FR_TABLES_COLS]; /* the columns of values; others are remarks */
    struct name *heads, *rows;   /* cols, rows of them; [0] is the corner */
    enum layout layout;
    struct fr_run *runs[FR_TABLES_ROWS];
    size_t no_unit;
    uint32_t no_unit_line;
    struct fr_str no_unit_name;
};

/* What the names say, once it is certain that this is a table. */
static void read_words(struct table *t)
{
    for (size_t c = 0; c < t->g->cols; c++)
        fr_words_read(fr_grid_cell(t->g, 0, c), &t->heads[c].words);
    for (size_t r = 1; r < t->g->rows; r++)
        fr_words_read(fr_grid_cell(t->g, r, 0), &t->rows[r].words);
}

static enum layout layout_of(const struct table *t)
{
    size_t columns = 0, workloads = 0, metrics = 0, named = 0, rows = 0, ops = 0;
    for (size_t c = 1; c < t->g->cols; c++)
        if (t->valued[c] || (t->doc->insist && t->heads[c].has_unit)) {
            columns++;
            workloads += t->heads[c].words.workload;
            metrics += t->heads[c].words.metric;
        }
    for (size_t r = 1; r < t->g->rows; r++) {
        named += t->rows[r].text.n > 0;
        rows += t->rows[r].words.workload;
        ops += t->rows[r].words.workload || t->rows[r].words.op != FR_OP_NONE;
    }
    if (workloads < columns)
        return LABELS_ACROSS;
    if (metrics == columns)
        return named && 2 * ops > named ? METRICS_ACROSS : LABELS_DOWN;
    return named && rows == named ? NO_LABELS : LABELS_DOWN;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static const char *keep(struct table *t, struct fr_str s)
{
    return s.n ? fr_arena_copy(&t->batch->arena, s.s, s.n) : NULL;
}

static struct fr_run *run_new(struct table *t, struct fr_str label, size_t order)
{
    const struct fr_grid *g = t->g;
    struct fr_run *run = fr_run_new(t->batch, "table", "table", t->doc->lines[g->lines[0]].no);
    run->own_label = keep(t, label);
    run->title = keep(t, t->heads[0].text);
    run->column = order;
    run->line_end = t->doc->lines[g->lines[g->rows - 1]].no;
    return run;
}

/* A column or row without any value makes no run; fr_identity_join puts them in the order of labels. */
static struct fr_run *run_of(struct table *t, size_t r, size_t c)
{
    size_t i = t->layout == LABELS_DOWN ? r : t->layout == LABELS_ACROSS ? c : 0;
    const struct fr_str none = {"", 0};
    if (!t->runs[i])
        t->runs[i] = run_new(t, i == 0 ? none : t->layout == LABELS_DOWN ? t->rows[r].text : t->heads[c].text, i);
    return t->runs[i];
}

static const char *rw_of(const struct fr_words *w)
{
    if (w->random)
        return w->op == FR_OP_READ    ? "randread"
               : w->op == FR_OP_WRITE ? "randwrite"
               : w->op == FR_OP_MIXED ? "randrw"
                                      : NULL;
    if (w->sequential)
        return w->op == FR_OP_READ ? "read" : w->op == FR_OP_WRITE ? "write" : w->op == FR_OP_MIXED ? "rw" : NULL;
    return NULL; /* neither word: a plain `write` may be either */
}

static void set(struct table *t, struct fr_run *run, struct fr_test *test, const char *key, const char *value,
                uint32_t line)
{
    fr_param_set(t->batch, run, test, key, fr_str(value), FR_FROM_FORMAT, line);
}

static void set_params(struct table *t, struct fr_run *run, struct fr_test *test, const struct fr_words *w,
                       uint32_t line)
{
    char text[24];
    if (rw_of(w))
        set(t, run, test, "rw", rw_of(w), line);
    if (w->bs > 0)
        set(t, run, test, "bs", fr_size_format(w->bs, text), line);
    if (w->iodepth) {
        snprintf(text, sizeof text, "%u", w->iodepth);
        set(t, run, test, "iodepth", text, line);
    }
    if (w->numjobs) {
        snprintf(text, sizeof text, "%u", w->numjobs);
        set(t, run, test, "numjobs", text, line);
    }
}

static enum fr_metric_id metric_of(enum fr_dim dim, bool latency)
{
    switch (dim) {
    case FR_DIM_BYTES_PER_S:
        return FR_M_BW;
    case FR_DIM_OPS:
        return FR_M_IOPS;
    case FR_DIM_SECONDS:
        return latency ? FR_M_LAT : FR_M_TIME;
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
    char both[NAME_MAX_BYTES];
};

static void name_of(const struct table *t, size_t r, size_t c, struct of *of)
{
    const struct name *row = &t->rows[r], *head = &t->heads[c], *corner = &t->heads[0];
    struct fr_str base = fr_words_base(head->text);
    switch (t->layout) {
    case LABELS_DOWN: /* `write IOPS` and `write speed` are one test */
        of->words = head->words;
        of->name = base.n ? base : corner->words.workload ? corner->text : head->text;
        of->no = (int)c;
        for (size_t k = c; k-- > 1;)
            if (fr_str_eq(fr_words_base(t->heads[k].text), base))
                of->no = (int)k;
        break;
    case NO_LABELS:
        of->words = row->words;
        fr_words_add(&of->words, &head->words);
        snprintf(of->both, sizeof of->both, "%.*s %.*s", FR_STR(row->text), FR_STR(base));
        of->name = fr_str_trim(fr_str(of->both));
        of->no = (int)((r - 1) * (t->g->cols - 1) + c);
        break;
    case LABELS_ACROSS:
    case METRICS_ACROSS:
        of->words = row->words;
        of->words.latency = of->words.latency || head->words.latency;
        if (!of->words.stat && t->layout == METRICS_ACROSS)
            of->words.stat = head->words.stat;
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

static void add_value(struct table *t, size_t r, size_t c, const struct quantity *q)
{
    const struct fr_grid *g = t->g;
    const struct name *corner = &t->heads[0];
    struct fr_run *run = run_of(t, r, c);
    uint32_t line = t->doc->lines[g->lines[r]].no;
    struct of of;
    name_of(t, r, c, &of);
    enum fr_metric_id metric = metric_of(q->unit.dim, of.words.latency);
    const char *stat = of.words.stat ? of.words.stat : "mean";
    struct fr_test *test = test_of(t, run, &of, metric, stat, line);
    fr_legend_apply(t->doc, g->first, g->last, t->layout == LABELS_DOWN ? of.name : t->rows[r].text,
                    fr_str_is_nocase(corner->text, "fio"), t->batch, run, test, &of.words);
    if (fr_str_is_nocase(corner->text, "dd") && !of.words.random)
        of.words.sequential = true; /* dd can nothing else */
    fr_words_add(&of.words, &corner->words);
    set_params(t, run, test, &of.words, line);
    fr_value_add(t->batch, test, of.words.op, metric, stat, fr_to_base(q->value, q->unit.factor), line);
}

/* The value of a cell with its unit: its own, else (insisted on) that of the head, of the row name. */
static bool cell_value(struct table *t, size_t r, size_t c, bool insist, struct quantity *q)
{
    enum cell_kind kind = read_cell(fr_grid_cell(t->g, r, c), t->decimal_comma, q);
    const struct name *of = t->heads[c].has_unit ? &t->heads[c] : t->rows[r].has_unit ? &t->rows[r] : NULL;
    if (kind == CELL_VALUE || kind == CELL_EMPTY)
        return kind == CELL_VALUE;
    if (kind == CELL_NUMBER && insist && of) {
        q->unit = of->unit;
        return true;
    }
    if (kind == CELL_TEXT && !t->valued[c])
        return false; /* a remark */
    if (t->no_unit++ == 0) {
        t->no_unit_line = t->doc->lines[t->g->lines[r]].no;
        t->no_unit_name = fr_grid_cell(t->g, r, c);
    }
    return false;
}

static void read_table(struct table *t, bool insist)
{
    const struct fr_grid *g = t->g;
    read_words(t);
    t->layout = layout_of(t);
    for (size_t r = 1; r < g->rows; r++)
        for (size_t c = 1; c < g->cols; c++) {
            struct quantity q;
            if (cell_value(t, r, c, insist, &q))
                add_value(t, r, c, &q);
        }
    if (t->no_unit)
        fr_log_warn(t->log, t->doc->source, t->no_unit_line,
                    "%zu cell%s of this table without a unit (the first is '%.*s'), left out", t->no_unit,
                    t->no_unit == 1 ? "" : "s", (int)(t->no_unit_name.n < 40 ? t->no_unit_name.n : 40),
                    t->no_unit_name.s);
    fr_doc_claim(t->doc, g->first, g->last, t->owner, 0);
}

/* ---- which tables ------------------------------------------------------------------------------------------------ */

static bool is_rate(enum fr_dim dim)
{
    return dim == FR_DIM_BYTES_PER_S || dim == FR_DIM_OPS;
}

/* What the cells of a row are: rates, times, and in columns of values those that are neither values nor empty. */
struct kinds {
    size_t rates, times, other;
};

static struct kinds kinds_of(const struct table *t, size_t r)
{
    struct kinds k = {0, 0, 0};
    for (size_t c = 1; c < t->g->cols; c++) {
        struct quantity q;
        enum cell_kind kind = read_cell(fr_grid_cell(t->g, r, c), t->decimal_comma, &q);
        k.rates += kind == CELL_VALUE && is_rate(q.unit.dim);
        k.times += kind == CELL_VALUE && q.unit.dim == FR_DIM_SECONDS;
        k.other += t->valued[c] && (kind == CELL_TEXT || kind == CELL_NUMBER);
    }
    return k;
}

/* Columns most of whose cells are values (any, where it is insisted on); the number of those that are not and are not
 * empty. */
static size_t find_columns(struct table *t)
{
    size_t remarks = 0;
    for (size_t c = 1; c < t->g->cols; c++) {
        size_t values = 0, other = 0;
        for (size_t r = 1; r < t->g->rows; r++) {
            struct quantity q;
            enum cell_kind kind = read_cell(fr_grid_cell(t->g, r, c), t->decimal_comma, &q);
            values += kind == CELL_VALUE;
            other += kind == CELL_TEXT || kind == CELL_NUMBER;
        }
        t->valued[c] = values > 0 && (values >= other || t->doc->insist);
        remarks += !t->valued[c] && other;
    }
    return remarks;
}

/* The head names columns: no rate among its cells, and each column has one. */
static bool has_head(const struct table *t)
{
    for (size_t c = 1; c < t->g->cols; c++)
        if (!fr_grid_cell(t->g, 0, c).n)
            return false;
    return kinds_of(t, 0).rates == 0;
}

/*
 * Rows where every cell is a value or empty, one a rate at least: this is a table of results. Rows of times (latencies)
 * speak neither for nor against it.
 */
static bool cells_have_units(const struct table *t, size_t remarks)
{
    size_t good = 0, bad = 0;
    for (size_t r = 1; r < t->g->rows; r++) {
        struct kinds k = kinds_of(t, r);
        good += k.rates && !k.other;
        bad += (!k.rates && !k.times) || k.other;
    }
    return t->g->aligned && !t->g->marked ? good >= 2 && bad == 0 && remarks == 0 : good > 0 && good >= bad;
}

/* At least two rows with a rate, though the rest is none of results. */
static bool some_rates(const struct table *t)
{
    size_t n = 0;
    for (size_t r = 1; r < t->g->rows; r++)
        n += kinds_of(t, r).rates > 0;
    return n >= 2;
}

/* Numbers under heads, or behind row names, that carry the unit of a rate. */
static size_t numbers_with_unit(const struct table *t)
{
    size_t n = 0;
    for (size_t r = 1; r < t->g->rows; r++)
        for (size_t c = 1; c < t->g->cols; c++) {
            struct quantity q;
            bool rate = (t->heads[c].has_unit && is_rate(t->heads[c].unit.dim)) ||
                        (t->rows[r].has_unit && is_rate(t->rows[r].unit.dim));
            n += rate && read_cell(fr_grid_cell(t->g, r, c), t->decimal_comma, &q) == CELL_NUMBER;
        }
    return n;
}

/* What the scan keeps from table to table. */
struct scan {
    struct fr_doc *doc;
    unsigned owner;
    struct fr_batch *batch;
    struct fr_log *log;
    size_t block_end, tries; /* the lines that were last taken for one table, and how often */
    size_t left;             /* tables whose heads carry the units, not insisted on */
    uint32_t left_line;
    uint32_t mixed_line; /* the first of those with rates in some of their cells alone; 0: none */
    size_t own;          /* tables of fioreport's own, not insisted on */
    uint32_t own_line;
    int status; /* -1 after an error */
};

/* A unit of a rate in the line; *behind_number: right behind a number, so that the line is no head. */
static bool mentions_rate(struct fr_str s, bool *behind_number)
{
    static const char *const ends[] = {"b/s", "bps", "bit/s", "b/sec", "iops", "io/s", "bytes/s"};
    bool any = false;
    *behind_number = false;
    for (size_t i = 0; i < s.n; i++) {
        if (fr_lower(s.s[i]) != 'b' && fr_lower(s.s[i]) != 'i')
            continue;
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            if (fr_str_starts_nocase(fr_str_from(s, i), ends[k])) {
                size_t j = i;
                while (j && j + 2 > i && fr_is_alpha(s.s[j - 1]))
                    j--;
                while (j && s.s[j - 1] == ' ')
                    j--;
                any = true;
                *behind_number = *behind_number || (j && fr_is_digit(s.s[j - 1]));
            }
    }
    return any;
}

/*
 * Cheap, before cells are cut: a head has no rates, and one of the next two lines (a rule may stand between) has; or
 * the head names a unit.
 */
static bool may_begin(const struct fr_doc *doc, size_t i)
{
    bool number = false, below = false;
    if (doc->lines[i].owner || doc->lines[i].text.n > LINE_MAX_BYTES)
        return false;
    bool named = mentions_rate(doc->lines[i].text, &number);
    if (number)
        return false;
    for (size_t j = i + 1; j < doc->n && j <= i + 3; j++)
        if (mentions_rate(doc->lines[j].text, &number))
            below = true;
    return named || below;
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

/* The table that begins in line i, if one does; returns the index of the line to go on with. */
static size_t scan_at(struct scan *s, size_t i)
{
    struct fr_arena arena = FR_ARENA_INIT;
    struct fr_grid g;
    size_t next = i + 1;
    if (!may_begin(s->doc, i) || !fr_grid_find(s->doc, i, &arena, &g)) {
        fr_arena_release(&arena);
        return next;
    }
    enum fr_own own = fr_tables_own(s->doc, &g, s->batch, s->owner);
    if (own != FR_OWN_NO) {
        if (own == FR_OWN_LEFT && s->own++ == 0)
            s->own_line = s->doc->lines[i].no;
        next = g.last + 1;
        fr_arena_release(&arena);
        return next;
    }
    struct table *t = fr_arena_new(&arena, struct table);
    *t = (struct table){.doc = s->doc, .g = &g, .batch = s->batch, .log = s->log, .owner = s->owner};
    t->heads = fr_arena_alloc(&arena, g.cols * sizeof *t->heads);
    t->rows = fr_arena_alloc(&arena, g.rows * sizeof *t->rows);
    for (size_t c = 0; c < g.cols; c++)
        read_name(fr_grid_cell(&g, 0, c), &t->heads[c]);
    for (size_t r = 1; r < g.rows; r++)
        read_name(fr_grid_cell(&g, r, 0), &t->rows[r]);
    t->decimal_comma = uses_decimal_comma(&g);
    size_t remarks = find_columns(t);
    bool head = has_head(t), units = head && cells_have_units(t, remarks);
    if (units || (head && s->doc->insist && (numbers_with_unit(t) || some_rates(t)))) {
        read_table(t, s->doc->insist);
        next = g.last + 1;
        if (g.rows == FR_TABLES_ROWS)
            s->status = fr_log_error(s->log, s->doc->source, s->doc->lines[g.last].no,
                                     "a table of more than %d rows, the rest was left out", FR_TABLES_ROWS);
    } else if (head && numbers_with_unit(t)) {
        if (s->left++ == 0)
            s->left_line = s->doc->lines[i].no;
        next = g.last + 1;
    } else {
        if (head && !s->mixed_line && some_rates(t))
            s->mixed_line = s->doc->lines[i].no;
        next = give_up(s, i, g.last);
    }
    fr_arena_release(&arena);
    return next;
}

static bool probe(const struct fr_doc *doc)
{
    bool number;
    for (size_t i = 0; i < doc->n; i++)
        if (!doc->lines[i].owner && mentions_rate(doc->lines[i].text, &number))
            return true;
    return false;
}

static int scan(void *state, struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log)
{
    struct scan s = {.doc = doc, .owner = owner, .batch = batch, .log = log};
    (void)state;
    for (size_t i = 0; i < doc->n;)
        i = scan_at(&s, i);
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
                            "a table whose units stand in its heads, not read (--format table reads it)");
    fr_log_explain(log, doc->source, s.left_line,
                   "a table whose units stand in its heads is left out: --format table "
                   "reads it");
    return s.status;
}

const struct fr_parser fr_parser_tables = {
    .name = "table",
    .tool = "table",
    .title = "published tables: tabs, Markdown, CSV, aligned text, with units in their cells",
    .versions = "",
    .probe = probe,
    .scan = scan,
};
