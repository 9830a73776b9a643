/* tables_names.c: see tables.h. Which names of a table are labels, which say what was done, which are metrics. */
#include "tables.h"

#include "banned.h"

/* `p99 ms`, `lat_us`: a time by its last word alone, where the others say of what. */
static bool is_latency(struct fr_str s)
{
    struct fr_words w;
    fr_words_read(s, &w);
    return w.workload && (w.latency || w.stat);
}

/* `IOPS (k)`, `IOPS [thousands]`: operations by the thousand. */
static bool is_thousands(struct fr_str before, struct fr_str inside, struct fr_unit *out)
{
    static const struct {
        const char *word;
        double factor;
    } known[] = {{"k", 1e3}, {"thousand", 1e3}, {"thousands", 1e3}, {"x1000", 1e3}, {"M", 1e6}};
    size_t blank = fr_str_rfind(before, " ");
    if (!fr_str_is_nocase(fr_str_from(before, blank == (size_t)-1 ? 0 : blank + 1), "iops"))
        return false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (fr_str_is(inside, known[i].word) || (known[i].factor == 1e3 && fr_str_is_nocase(inside, known[i].word))) {
            *out = (struct fr_unit){known[i].factor, FR_DIM_OPS};
            return true;
        }
    return false;
}

/* `Read [MiB/s]`, `Read (MB/s)`, `Read, MB/s`, `write IOPS`, `write_iops`. */
static void read_name(struct fr_str s, struct fr_arena *arena, struct fr_name *out)
{
    memset(out, 0, sizeof *out);
    out->text = out->own = s;
    char close = s.n ? s.s[s.n - 1] : 0;
    size_t open = close == ']' ? fr_str_rfind(s, "[") : close == ')' ? fr_str_rfind(s, "(") : (size_t)-1;
    size_t comma = fr_str_rfind(s, ", "), blank = fr_str_rfind(s, " ");
    blank = blank == (size_t)-1 ? fr_str_rfind(s, "_") : blank;
    struct fr_str before = fr_str_trim(fr_str_range(s, 0, open == (size_t)-1 ? 0 : open)),
                  inside = fr_str_range(s, open + 1, s.n - 1);
    size_t more = fr_str_chr(inside, ','); /* `Latency (us, QD1)` */
    if (open != (size_t)-1 && more != (size_t)-1 && fr_tables_unit(fr_str_range(inside, 0, more), &out->unit)) {
        out->text = fr_str(fr_arena_printf(arena, "%.*s (%.*s)", FR_STR(before),
                                           FR_STR(fr_str_trim(fr_str_range(inside, more + 1, inside.n)))));
        out->has_unit = true;
    } else if (open != (size_t)-1 && (fr_tables_unit(inside, &out->unit) || is_thousands(before, inside, &out->unit))) {
        out->text = before;
        out->has_unit = true;
    } else if (comma != (size_t)-1 && fr_tables_unit(fr_str_from(s, comma + 2), &out->unit)) {
        out->text = fr_str_trim(fr_str_range(s, 0, comma));
        out->has_unit = true;
    } else if (fr_tables_unit(blank == (size_t)-1 ? s : fr_str_from(s, blank + 1), &out->unit)) {
        out->has_unit = fr_is_rate(out->unit.dim) || (out->unit.dim == FR_DIM_SECONDS && is_latency(s));
    }
    if (out->unit.dim == FR_DIM_RATIO)
        out->has_unit = false;
}

/* ---- what rows are of -------------------------------------------------------------------------------------------- */

/* The parameter that a column of bare numbers gives, by its head; NULL: none. */
static const char *setting_of(struct fr_str head)
{
    static const struct {
        const char *head, *name;
    } known[] = {{"iodepth", "iodepth"},    {"io depth", "iodepth"}, {"queue depth", "iodepth"},
                 {"queuedepth", "iodepth"}, {"qd", "iodepth"},       {"depth", "iodepth"},
                 {"numjobs", "numjobs"},    {"jobs", "numjobs"},     {"number of jobs", "numjobs"},
                 {"threads", "numjobs"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (fr_str_is_nocase(head, known[i].head))
            return known[i].name;
    return NULL;
}

static struct fr_str joined(struct fr_names *t, struct fr_str a, struct fr_str b)
{
    if (!a.n || !b.n)
        return a.n ? a : b;
    return fr_str(fr_arena_printf(t->arena, "%.*s %.*s", FR_STR(a), FR_STR(b)));
}

/* Does a bare size under this head mean that of a block? */
static bool means_block(struct fr_str head)
{
    static const char *const heads[] = {"bs",        "block size",   "blocksize",   "block_size",
                                        "block",     "io size",      "i/o size",    "transfer size",
                                        "xfer size", "request size", "record size", "块大小"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (fr_str_is_nocase(head, heads[i]))
            return true;
    return false;
}

bool fr_names_block(const struct fr_name *head)
{
    return means_block(head->text) && (!head->has_unit || head->unit.dim == FR_DIM_BYTES);
}

/* A key as text: `randread`; `iodepth 32`, `4k` of a bare number. */
static struct fr_str key_text(struct fr_names *t, const struct fr_name *of, struct fr_str cell)
{
    const char *setting = setting_of(of->text);
    struct fr_quantity q[2];
    char text[24];
    uint64_t n;
    if (of->has_unit && fr_names_block(of) && fr_tables_cell(cell, false, q) == FR_CELL_NUMBER) {
        double kilo = of->unit.factor == 1e3 ? 1024 : of->unit.factor == 1e6 ? 1048576 : of->unit.factor;
        double bytes = q->value * kilo; /* a block of 4 kB is one of 4096 */
        if (bytes >= 512 && bytes < 1e12 && bytes == (double)(uint64_t)bytes)
            return fr_str(fr_arena_printf(t->arena, "%s", fr_size_format(bytes, text)));
    }
    return setting && fr_str_u64(cell, &n) ? joined(t, fr_str(setting), cell) : cell;
}

/* Nothing behind its name: a heading over the rows below, or a rule. */
static bool is_empty_row(const struct fr_names *t, size_t r)
{
    for (size_t c = 1; c < t->g->cols; c++)
        if (fr_grid_cell(t->g, r, c).n)
            return false;
    return true;
}

/* All cells of the column that are not empty name a workload (or are numbers under `QD`), and some do. */
static bool is_key_column(struct fr_names *t, size_t c)
{
    size_t n = 0;
    bool block = fr_names_block(&t->heads[c]);
    if (!block && (t->valued[c] || t->heads[c].has_unit))
        return false;
    for (size_t r = 1; r < t->g->rows; r++) {
        struct fr_words w;
        struct fr_str cell = fr_grid_cell(t->g, r, c);
        struct fr_quantity q[2];
        if (!cell.n)
            continue;
        if (block && t->heads[c].has_unit && fr_tables_cell(cell, false, q) == FR_CELL_NUMBER) {
            n++;
            continue;
        }
        fr_words_read(key_text(t, &t->heads[c], cell), &w);
        bool says = w.op != FR_OP_NONE || w.random || w.sequential || w.iodepth || w.numjobs;
        if (!w.workload || w.metric || (!says && !block))
            return false;
        n++;
    }
    return n > 0;
}

static int by_hash(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Do these columns tell all rows with figures apart? */
static bool tell_apart(struct fr_names *t, const bool *columns)
{
    size_t n = 0;
    uint64_t *hashes = fr_arena_alloc(t->arena, t->g->rows * sizeof *hashes);
    for (size_t r = 1; r < t->g->rows; r++) {
        uint64_t hash = 0;
        for (size_t c = 0; c < t->g->cols; c++)
            if (columns[c])
                hash = fr_str_hash(fr_grid_cell(t->g, r, c), hash);
        if (!is_empty_row(t, r))
            hashes[n++] = hash;
    }
    qsort(hashes, n, sizeof *hashes, by_hash);
    for (size_t i = 1; i < n; i++)
        if (hashes[i] == hashes[i - 1])
            return false;
    return true;
}

static void swap_columns(struct fr_names *t, size_t a, size_t b)
{
    for (size_t r = 0; r < t->g->rows; r++) {
        struct fr_str *cells = t->g->cells + r * t->g->cols, was = cells[a];
        cells[a] = cells[b];
        cells[b] = was;
        size_t *at = t->g->at ? t->g->at + r * t->g->cols : NULL, line = at ? at[a] : 0;
        if (at) {
            at[a] = at[b];
            at[b] = line;
        }
    }
    struct fr_name was = t->heads[a];
    t->heads[a] = t->heads[b];
    t->heads[b] = was;
    for (size_t r = 1; r < t->g->rows; r++)
        read_name(fr_grid_cell(t->g, r, a), t->arena, &t->rows[r]);
}

/* Rows that are counted (`#`): the next column of words begins them. */
static void pass_count(struct fr_names *t)
{
    static const char *const heads[] = {"", "#", "no", "no.", "nr", "nr.", "index", "rank", "id"};
    bool counted = false;
    size_t c = 1;
    uint64_t n;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        counted = counted || fr_str_is_nocase(t->heads[0].text, heads[i]);
    for (size_t r = 1; r < t->g->rows && counted; r++)
        counted = fr_str_u64(fr_grid_cell(t->g, r, 0), &n);
    while (c < t->g->cols && (t->valued[c] || fr_str_u64(fr_grid_cell(t->g, 1, c), &n)))
        c++;
    if (!counted || c == t->g->cols)
        return;
    swap_columns(t, 0, c);
    for (size_t r = 1; r < t->g->rows; r++)
        t->g->cells[r * t->g->cols + c] = fr_strn("", 0);
}

static bool rows_are_workloads(const struct fr_names *t)
{
    for (size_t r = 1; r < t->g->rows; r++) {
        struct fr_words w;
        fr_words_read(fr_grid_cell(t->g, r, 0), &w);
        if (!w.workload)
            return false;
    }
    return true;
}

/* A column of shares, or of numbers with fractions: it was measured, and names nothing. */
static bool is_measured(const struct fr_names *t, size_t c)
{
    struct fr_quantity q[2];
    uint64_t n;
    if (t->heads[c].unit.dim == FR_DIM_RATIO)
        return true;
    for (size_t r = 1; r < t->g->rows; r++) {
        struct fr_str cell = fr_grid_cell(t->g, r, c);
        if (fr_tables_cell(cell, false, q) == FR_CELL_NUMBER && !fr_str_u64(cell, &n))
            return true;
    }
    return false;
}

/*
 * More than one row begins with the same, and a column of other words tells them apart: those are the labels where rows
 * begin with what was done (`| Test | Filesystem | Result |`), else more of the row's name.
 */
static void tell_rows_apart(struct fr_names *t)
{
    bool by[FR_TABLES_COLS] = {true};
    for (size_t c = 1; c < t->g->cols; c++)
        by[c] = t->key[c];
    if (tell_apart(t, by))
        return;
    for (size_t c = 1; c < t->g->cols; c++) {
        if (t->valued[c] || t->key[c] || is_measured(t, c))
            continue;
        by[c] = true;
        if (tell_apart(t, by)) {
            t->key[c] = rows_are_workloads(t); /* what stands there when the columns are swapped */
            if (t->key[c])
                swap_columns(t, 0, c);
            for (size_t r = 1; r < t->g->rows && !t->key[c]; r++)
                t->rows[r].text = joined(t, t->rows[r].text, fr_grid_cell(t->g, r, c));
            return;
        }
        by[c] = false;
    }
}

/* `Random` alone in its row: of what the rows below are, where their own names do not tell them apart. */
static void add_groups(struct fr_names *t)
{
    bool by[FR_TABLES_COLS] = {true}, any = false;
    struct fr_str group = {"", 0};
    for (size_t r = 1; r < t->g->rows; r++)
        any = any || is_empty_row(t, r);
    for (size_t c = 1; c < t->g->cols; c++)
        by[c] = t->key[c];
    if (!any || tell_apart(t, by))
        return;
    for (size_t r = 1; r < t->g->rows; r++)
        if (is_empty_row(t, r))
            group = t->rows[r].text;
        else
            t->rows[r].text = joined(t, group, t->rows[r].text);
}

/*
 * A label that stands in the first of its rows alone, where other columns say what the rows below are of; and what
 * stands beside it, if nothing is left of it: `| ceph | 1M | read |`, `| | | write |`.
 */
static void repeat_labels(struct fr_names *t, bool keys)
{
    for (size_t r = 2; r < t->g->rows; r++) {
        bool named = keys;
        for (size_t c = 1; c < t->g->cols && !named; c++)
            named = !t->valued[c] && fr_grid_cell(t->g, r, c).n && !is_measured(t, c);
        for (size_t c = 0; c < t->g->cols && named && !is_empty_row(t, r) && !t->valued[c]; c++) {
            size_t at = r * t->g->cols + c;
            if (t->g->cells[at].n)
                break;
            t->g->cells[at] = fr_grid_cell(t->g, r - 1, c);
            if (c == 0)
                t->rows[r] = t->rows[r - 1];
        }
    }
}

/* What the names say, once it is certain that this is a table. */
static void read_words(struct fr_names *t)
{
    bool any = false;
    pass_count(t);
    for (size_t c = 1; c < t->g->cols; c++) {
        t->key[c] = is_key_column(t, c);
        any = any || t->key[c];
    }
    repeat_labels(t, any);
    tell_rows_apart(t);
    add_groups(t);
    for (size_t c = 0; c < t->g->cols; c++)
        fr_words_read(fr_grid_cell(t->g, 0, c), &t->heads[c].words);
    for (size_t r = 1; r < t->g->rows; r++) {
        t->rows[r].text = key_text(t, &t->heads[0], t->rows[r].text);
        fr_words_read(t->rows[r].text, &t->rows[r].words);
    }
}

/* Rows of one label are one run: which of them is the first, and the how many-eth is this? */
static void number_rows(struct fr_names *t)
{
    size_t size = 16;
    while (size < 2 * t->g->rows)
        size *= 2;
    size_t *first = fr_arena_alloc(t->arena, size * sizeof *first),
           *count = fr_arena_alloc(t->arena, size * sizeof *count);
    for (size_t r = 1; r < t->g->rows; r++) {
        size_t at = (size_t)fr_str_hash(t->rows[r].text, 0) & (size - 1);
        while (first[at] && !fr_str_eq(t->rows[first[at]].text, t->rows[r].text))
            at = (at + 1) & (size - 1);
        if (!first[at])
            first[at] = r;
        t->keys[r].first = first[at];
        t->keys[r].nth = (int)++count[at];
    }
}

/* Heads with the same words but for the metric (`read IOPS`, `read speed`) are of one test. */
static void number_columns(struct fr_names *t)
{
    for (size_t c = 1; c < t->g->cols; c++) {
        if (!t->valued[c])
            continue;
        for (size_t k = 1; k < c && !t->slots[c]; k++)
            if (t->slots[k] && fr_str_eq(fr_words_base(t->heads[k].text), fr_words_base(t->heads[c].text)))
                t->slots[c] = t->slots[k];
        if (!t->slots[c])
            t->slots[c] = ++t->slots_n;
    }
}

/* Key columns name the tests of a label, else they are more of the row's name. */
static void read_keys(struct fr_names *t)
{
    bool any = false;
    for (size_t c = 1; c < t->g->cols; c++)
        any = any || t->key[c];
    if (!any)
        return;
    if (t->layout == LABELS_DOWN)
        t->keys = fr_arena_alloc(t->arena, t->g->rows * sizeof *t->keys);
    for (size_t r = 1; r < t->g->rows; r++) {
        struct fr_str text = {"", 0};
        for (size_t c = 1; c < t->g->cols; c++)
            if (t->key[c])
                text = joined(t, text, key_text(t, &t->heads[c], fr_grid_cell(t->g, r, c)));
        if (t->keys) {
            t->keys[r].text = text;
            fr_words_read(text, &t->keys[r].words);
        } else {
            t->rows[r].text = joined(t, t->rows[r].text, text);
            fr_words_read(t->rows[r].text, &t->rows[r].words);
        }
    }
    if (t->keys) {
        number_rows(t);
        number_columns(t);
    }
}

/* `ext4 read`, `write (xfs)`: the label and its direction; FR_OP_NONE: no such head. */
static enum fr_op split_head(struct fr_str head, struct fr_str *label)
{
    static const struct {
        const char *word;
        enum fr_op op;
    } words[] = {{"read", FR_OP_READ}, {"write", FR_OP_WRITE}};
    head = fr_str_trim(head);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].word);
        struct fr_str first = fr_str_range(head, 0, n), last = fr_str_from(head, head.n > n ? head.n - n : head.n);
        struct fr_str before = fr_str_range(head, 0, head.n > n ? head.n - n : 0), behind = fr_str_from(head, n);
        if (fr_str_is_nocase(last, words[i].word) && (fr_str_ends(before, " ") || fr_str_ends(before, "-")))
            *label = fr_str_trim(fr_str_range(before, 0, before.n - 1));
        else if (fr_str_is_nocase(first, words[i].word) && fr_str_starts(behind, " (") && fr_str_ends(behind, ")"))
            *label = fr_str_trim(fr_str_range(behind, 2, behind.n - 1));
        else
            continue;
        return label->n ? words[i].op : FR_OP_NONE;
    }
    return FR_OP_NONE;
}

/* Of heads that differ in their direction alone the rest is the label: one run has both. */
static void pair_heads(struct fr_names *t)
{
    struct fr_str label[FR_TABLES_COLS];
    enum fr_op op[FR_TABLES_COLS];
    for (size_t c = 1; c < t->g->cols; c++) {
        t->label[c] = c;
        op[c] = t->layout == LABELS_ACROSS && !t->key[c] ? split_head(t->heads[c].text, &label[c]) : FR_OP_NONE;
        for (size_t k = 1; k < c && op[c] != FR_OP_NONE; k++)
            if (op[k] != FR_OP_NONE && op[k] != op[c] && t->label[k] == k && t->op[k] == FR_OP_NONE &&
                fr_str_eq(label[k], label[c])) {
                t->label[c] = k;
                t->op[c] = op[c];
                t->op[k] = op[k];
                t->heads[c].text = t->heads[k].text = label[k];
                break;
            }
    }
}

static enum fr_layout layout_of(const struct fr_names *t)
{
    size_t columns = 0, workloads = 0, metrics = 0, named = 0, rows = 0, ops = 0;
    for (size_t c = 1; c < t->g->cols; c++)
        if (!t->key[c] && (t->valued[c] || (t->insist && t->heads[c].has_unit))) {
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
        return !t->quantities ? LABELS_ACROSS : 2 * ops > named ? NO_LABELS : LABELS_DOWN;
    if (metrics == columns)
        return named && 2 * ops > named ? METRICS_ACROSS : LABELS_DOWN;
    return named && rows == named ? NO_LABELS : LABELS_DOWN;
}

void fr_names_init(struct fr_names *t)
{
    t->heads = fr_arena_alloc(t->arena, t->g->cols * sizeof *t->heads);
    t->rows = fr_arena_alloc(t->arena, t->g->rows * sizeof *t->rows);
    for (size_t c = 0; c < t->g->cols; c++) {
        t->g->cells[c] = fr_tables_name(t->g->cells[c], t->arena);
        read_name(fr_grid_cell(t->g, 0, c), t->arena, &t->heads[c]);
    }
    for (size_t r = 1; r < t->g->rows; r++) {
        struct fr_str *name = &t->g->cells[r * t->g->cols];
        *name = fr_tables_name(*name, t->arena);
        read_name(*name, t->arena, &t->rows[r]);
    }
}

void fr_names_understand(struct fr_names *t)
{
    read_words(t);
    t->layout = layout_of(t);
    pair_heads(t);
    read_keys(t);
}
