/*
 * store_values.c: the numbers of a test, or of a disk, to packed rows and back: 16 in a row, in the order of their
 * shape. See schema.sql.
 */
#include "store_db.h"

#include "banned.h"

/* ---- numbers in memory ---- */

struct fr_slot *fr_values_add(struct fr_values *v, double value, uint32_t line)
{
    if (v->n == v->alloc) {
        size_t alloc = v->alloc ? v->alloc * 2 : 128;
        void *slot = realloc(v->slot, alloc * sizeof *v->slot);
        if (slot)
            v->slot = slot;
        void *values = realloc(v->value, alloc * sizeof *v->value);
        if (values)
            v->value = values;
        void *lines = realloc(v->line, alloc * sizeof *v->line);
        if (lines)
            v->line = lines;
        if (!slot || !values || !lines)
            return NULL;
        v->alloc = alloc;
    }
    v->value[v->n] = value;
    v->line[v->n] = line;
    v->slot[v->n] = (struct fr_slot){.op = 0};
    return &v->slot[v->n++];
}

void fr_values_release(struct fr_values *v)
{
    free(v->slot);
    free(v->value);
    free(v->line);
    *v = (struct fr_values)FR_VALUES_INIT;
}

static int compare(const struct fr_slot *a, const struct fr_slot *b)
{
    if (a->metric != b->metric)
        return a->metric < b->metric ? -1 : 1;
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* By name; the same name in the order in which they stand. */
static int by_name(const void *a, const void *b)
{
    const struct fr_slot *x = *(const struct fr_slot *const *)a, *y = *(const struct fr_slot *const *)b;
    int order = compare(x, y);
    return order ? order : x < y ? -1 : x > y;
}

/* Of those that have one name the first stays. -1: out of memory. */
static int drop_doubles(struct fr_values *v)
{
    const struct fr_slot **order = malloc((v->n + !v->n) * sizeof *order);
    bool *drop = calloc(v->n + !v->n, sizeof *drop);
    for (size_t i = 0; order && i < v->n; i++)
        order[i] = &v->slot[i];
    if (order && drop) {
        qsort(order, v->n, sizeof *order, by_name);
        for (size_t i = 1; i < v->n; i++)
            drop[order[i] - v->slot] = compare(order[i - 1], order[i]) == 0;
        size_t n = 0;
        for (size_t i = 0; i < v->n; i++) {
            v->slot[n] = v->slot[i];
            v->value[n] = v->value[i];
            v->line[n] = v->line[i];
            n += !drop[i];
        }
        v->n = n;
    }
    int rc = order && drop ? 0 : -1;
    free(order);
    free(drop);
    return rc;
}

/* ---- going in ---- */

/* Fill store->lines with those of v, counted from the least: 1 is that, 0 none. *same: they were these before. */
static int set_lines(struct fr_store *store, const struct fr_values *v, uint32_t least, bool *same, struct fr_log *log)
{
    struct fr_store_lines *l = &store->lines;
    if (v->n > l->alloc) {
        void *at = realloc(l->at, v->alloc * sizeof *l->at);
        if (!at)
            return fr_log_error(log, store->path, 0, "out of memory");
        l->at = at;
        l->alloc = v->alloc;
    }
    *same = l->word && l->n == v->n;
    for (size_t i = 0; i < v->n; i++) {
        uint32_t code = v->line[i] ? v->line[i] - least + 1 : 0;
        *same = *same && l->at[i] == code;
        l->at[i] = code;
    }
    l->n = v->n;
    return 0;
}

/* The lines as one text: see test.lines in schema.sql. Most tests of a tool have the same. */
static int add_lines(struct fr_store *store, const struct fr_values *v, struct fr_values_head *head, struct fr_log *log)
{
    uint32_t least = UINT32_MAX, most = 0;
    struct fr_store_lines *l = &store->lines;
    bool same = false;
    for (size_t i = 0; i < v->n; i++) {
        least = v->line[i] && v->line[i] < least ? v->line[i] : least;
        most = v->line[i] > most ? v->line[i] : most;
    }
    if (!most)
        return 0;
    if (set_lines(store, v, least, &same, log) != 0)
        return -1;
    if (!same) {
        int width = fr_store_digits_begin(&store->text, most - least + 1);
        for (size_t i = 0; i < v->n; i++)
            fr_store_digits_add(&store->text, width, l->at[i]);
        l->word = fr_store_word(store, fr_strbuf_str(&store->text), log);
    }
    head->line_from = (sqlite3_int64)least - 1;
    head->lines = l->word;
    return l->word < 0 ? -1 : 0;
}

int fr_store_values_head(struct fr_store *store, struct fr_values *v, struct fr_values_head *head, struct fr_log *log)
{
    const struct fr_slots *shape = NULL;
    *head = (struct fr_values_head){.shape_id = 0};
    if (!v->n)
        return 0;
    if (fr_store_shape_find(store, v->slot, v->n, &shape, log) != 0)
        return -1;
    if (!shape) { /* one that is there has no doubles, so they are looked for but now */
        size_t n = v->n;
        if (drop_doubles(v) != 0)
            return fr_log_error(log, store->path, 0, "out of memory");
        if (v->n < n && fr_store_shape_find(store, v->slot, v->n, &shape, log) != 0)
            return -1;
        if (!shape)
            shape = fr_store_shape_make(store, v->slot, v->n, log);
        if (!shape)
            return -1;
    }
    head->shape_id = shape->id;
    return shape->slot[0].metric ? add_lines(store, v, head, log) : 0; /* of a disk no line is kept */
}

void fr_store_values_part(const struct fr_values *v, size_t part, struct fr_bulk_cell *cells)
{
    size_t from = part * FR_PART, n = v->n - from < FR_PART ? v->n - from : FR_PART;
    for (size_t i = 0; i < n; i++)
        cells[i] = FR_BULK_REAL(v->value[from + i]);
}

int fr_store_values_add(struct fr_store *store, sqlite3_int64 test_id, const struct fr_values *v, struct fr_log *log)
{
    for (size_t part = 0; part * FR_PART < v->n; part++) {
        struct fr_bulk_cell *row = fr_store_bulk_row(store, FR_ST_RESULT_ADD, log);
        if (!row)
            return -1;
        row[0] = FR_BULK_INTEGER(test_id);
        row[1] = FR_BULK_INTEGER(part);
        fr_store_values_part(v, part, row + 2);
    }
    return 0;
}

/* ---- coming out ---- */

unsigned fr_store_values_line(sqlite3_int64 from, const char *lines, size_t i)
{
    uint64_t code;
    return lines && fr_store_digits_get(lines, i, &code) && code ? (unsigned)(from + (sqlite3_int64)code) : 0;
}

/* Columns of a test's head and one of its rows. */
enum { SHAPE, FROM, LINES, TEST, PART, CELLS };

/* One row to v. */
static int read_part(struct fr_store *store, sqlite3_stmt *st, struct fr_values *v, struct fr_arena *texts,
                     struct fr_log *log)
{
    const struct fr_slots *shape = fr_store_shape_get(store, sqlite3_column_int64(st, SHAPE), log);
    if (!shape)
        return -1;
    const char *lines = (const char *)sqlite3_column_text(st, LINES);
    size_t i = (size_t)sqlite3_column_int64(st, PART) * FR_PART;
    for (int cell = 0; cell < FR_PART && i < shape->n; cell++, i++) {
        unsigned line = fr_store_values_line(sqlite3_column_int64(st, FROM), lines, i);
        struct fr_slot *slot = fr_values_add(v, sqlite3_column_double(st, CELLS + cell), line);
        if (!slot)
            return fr_log_error(log, store->path, 0, "out of memory");
        *slot = shape->slot[i];
        slot->name = fr_arena_strdup(texts, slot->name);
        slot->unit = fr_arena_strdup(texts, slot->unit);
    }
    return 0;
}

int fr_store_values_read(struct fr_store *store, sqlite3_int64 test_id, struct fr_values *v, struct fr_arena *texts,
                         struct fr_log *log)
{
    sqlite3_stmt *st =
        fr_store_prepare(store,
                         "SELECT t.shape_id, t.line_from, l.text, v.* FROM test t "
                         "JOIN result v ON v.test_id = t.test_id LEFT JOIN word l ON l.word_id = t.lines "
                         "WHERE t.test_id = ?1 ORDER BY v.part",
                         log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, test_id);
    int rc, bad = 0;
    while (!bad && (rc = sqlite3_step(st)) == SQLITE_ROW)
        bad = read_part(store, st, v, texts, log);
    if (!bad && rc != SQLITE_DONE)
        bad = fr_store_error(store, log, "cannot be read");
    sqlite3_finalize(st);
    return bad;
}

int fr_store_values_write(struct fr_store *store, sqlite3_int64 test_id, struct fr_values *v, struct fr_log *log)
{
    struct fr_values_head head;
    if (fr_store_bulk_begin(store, log) != 0 || fr_store_values_head(store, v, &head, log) != 0)
        return -1;
    const sqlite3_int64 numbers[] = {test_id, head.shape_id, head.line_from, head.lines};
    if (fr_store_run(store, "DELETE FROM result WHERE test_id = ?1", numbers, 1, log) != 0 ||
        fr_store_run(store,
                     "UPDATE test SET shape_id = nullif(?2, 0), line_from = ?3, lines = nullif(?4, 0) "
                     "WHERE test_id = ?1",
                     numbers, 4, log) != 0)
        return -1;
    return fr_store_values_add(store, test_id, v, log) != 0 ? -1 : fr_store_bulk_insert(store, log);
}
