/*
 * store_shape.c: shapes: what the numbers of a test or a disk are called, in their order. See schema.sql. Those that
 * were used lately are at hand, each in the one place that its names, or its id, give it; the others are in the
 * database.
 */
#include "store_db.h"

#include "banned.h"

/* ---- one shape ---- */

static size_t text_size(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

static const char *put(char **at, const char *text)
{
    if (!text)
        return NULL;
    size_t n = text_size(text);
    const char *copy = memcpy(*at, text, n);
    *at += n;
    return copy;
}

/* NULL: out of memory. */
static struct fr_slots *shape_new(sqlite3_int64 id, const struct fr_slot *slots, size_t n)
{
    size_t size = sizeof(struct fr_slots) + n * sizeof *slots;
    for (size_t i = 0; i < n; i++)
        size += text_size(slots[i].name) + text_size(slots[i].unit);
    struct fr_slots *s = malloc(size);
    if (!s)
        return NULL;
    *s = (struct fr_slots){.id = id, .n = n};
    char *at = (char *)(s->slot + n);
    for (size_t i = 0; i < n; i++) {
        s->slot[i] = slots[i];
        s->slot[i].name = put(&at, slots[i].name);
        s->slot[i].unit = put(&at, slots[i].unit);
    }
    return s;
}

static bool same(const struct fr_slots *s, const struct fr_slot *slots, size_t n)
{
    if (s->n != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fr_slot *a = &s->slot[i], *b = &slots[i];
        if (a->op != b->op || a->metric != b->metric || a->better != b->better || !fr_same_text(a->name, b->name) ||
            !fr_same_text(a->unit, b->unit))
            return false;
    }
    return true;
}

/* Where a shape is kept at hand: of what nearly always differs, in little time. */
static struct fr_slots **place_of(struct fr_store *store, const struct fr_slot *slots, size_t n)
{
    uint32_t h = (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        const char *name = slots[i].name;
        h = h * 31 + (uint32_t)slots[i].metric * 8 + (uint32_t)slots[i].op + (uint32_t)(unsigned char)name[0];
        h += (uint32_t)(name[0] ? (unsigned char)name[1] : 0) << 3;
    }
    return &store->shapes[(h ^ h >> 15) % FR_SHAPES];
}

/* FNV-1a. It stands in the database: another one would find none of the shapes that are there. */
static uint64_t mix(uint64_t h, const char *text)
{
    for (; text && *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return (h ^ 0xff) * 1099511628211u;
}

static uint64_t digest_of(const struct fr_slot *slots, size_t n)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < n; i++) {
        uint64_t numbers = (uint64_t)slots[i].op << 40 | (uint64_t)slots[i].metric << 8 | (uint64_t)slots[i].better;
        h = mix(mix((h ^ numbers) * 1099511628211u, slots[i].name), slots[i].unit);
    }
    return h ^ h >> 32;
}

/* ---- those at hand ---- */

static struct fr_slots *keep(struct fr_slots **place, struct fr_slots *s)
{
    free(*place);
    return *place = s;
}

void fr_store_shapes_forget(struct fr_store *store)
{
    for (size_t i = 0; i < FR_SHAPES; i++) {
        keep(&store->shapes[i], NULL);
        keep(&store->shapes_by_id[i], NULL);
    }
}

/* ---- those in the database ---- */

/* From the rows of slots; NULL after a message. */
static struct fr_slots *load(struct fr_store *store, sqlite3_int64 id, struct fr_log *log)
{
    struct fr_values v = FR_VALUES_INIT;
    struct fr_arena texts = FR_ARENA_INIT;
    sqlite3_stmt *st = fr_store_statement(store, FR_ST_SLOT_GET, log);
    if (!st)
        return NULL;
    sqlite3_bind_int64(st, 1, id);
    int rc;
    while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
        struct fr_slot *slot = fr_values_add(&v, 0, 0);
        if (!slot)
            break;
        *slot = (struct fr_slot){.op = sqlite3_column_int(st, 0),
                                 .metric = sqlite3_column_int(st, 1),
                                 .better = sqlite3_column_int(st, 2),
                                 .name = fr_arena_strdup(&texts, (const char *)sqlite3_column_text(st, 3)),
                                 .unit = fr_arena_strdup(&texts, (const char *)sqlite3_column_text(st, 4))};
    }
    if (rc != SQLITE_DONE && rc != SQLITE_ROW)
        fr_store_error(store, log, "cannot be read");
    sqlite3_reset(st);
    struct fr_slots *s = rc == SQLITE_DONE ? shape_new(id, v.slot, v.n) : NULL;
    if (!s && (rc == SQLITE_DONE || rc == SQLITE_ROW))
        fr_log_error(log, store->path, 0, "out of memory");
    fr_arena_release(&texts);
    fr_values_release(&v);
    return s;
}

/* *found NULL: there is none. -1 after a message. */
static int find(struct fr_store *store, uint64_t digest, const struct fr_slot *slots, size_t n, struct fr_slots **found,
                struct fr_log *log)
{
    *found = NULL;
    sqlite3_stmt *st = fr_store_statement(store, FR_ST_SHAPE_FIND, log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, (sqlite3_int64)digest);
    int rc;
    while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
        struct fr_slots *s = load(store, sqlite3_column_int64(st, 0), log);
        if (!s)
            break;
        if (same(s, slots, n)) {
            *found = s;
            break;
        }
        free(s);
    }
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        fr_store_error(store, log, "cannot be read");
    sqlite3_reset(st);
    return rc == SQLITE_DONE || *found ? 0 : -1;
}

int fr_store_shape_find(struct fr_store *store, const struct fr_slot *slots, size_t n, const struct fr_slots **out,
                        struct fr_log *log)
{
    struct fr_slots **place = place_of(store, slots, n), *s = *place;
    if (!s || !same(s, slots, n)) {
        if (find(store, digest_of(slots, n), slots, n, &s, log) != 0)
            return -1;
        if (s)
            keep(place, s);
    }
    *out = s;
    return 0;
}

const struct fr_slots *fr_store_shape_make(struct fr_store *store, const struct fr_slot *slots, size_t n,
                                           struct fr_log *log)
{
    sqlite3_int64 id = ++store->last.shape;
    struct fr_bulk_cell *row = fr_store_bulk_row(store, FR_ST_SHAPE_ADD, log);
    if (!row)
        return NULL;
    row[0] = FR_BULK_INTEGER(id);
    row[1] = FR_BULK_INTEGER(digest_of(slots, n));
    for (size_t i = 0; i < n; i++) {
        sqlite3_int64 name = fr_store_word(store, slots[i].name, log), unit = fr_store_word(store, slots[i].unit, log);
        if (name < 0 || unit < 0 || !(row = fr_store_bulk_row(store, FR_ST_SLOT_ADD, log)))
            return NULL;
        row[0] = FR_BULK_INTEGER(id);
        row[1] = FR_BULK_INTEGER(i / FR_PART);
        row[2] = FR_BULK_INTEGER(i % FR_PART);
        row[3] = FR_BULK_INTEGER(slots[i].op);
        row[4] = FR_BULK_INTEGER(slots[i].metric);
        row[5] = FR_BULK_INTEGER(name);
        row[6] = FR_BULK_ID(unit);
        row[7] = FR_BULK_ID(slots[i].better);
    }
    /* Now, not with later rows: when another takes its place at hand it must be found in the database. */
    if (fr_store_bulk_insert(store, log) != 0)
        return NULL;
    struct fr_slots *s = shape_new(id, slots, n);
    if (!s) {
        fr_log_error(log, store->path, 0, "out of memory");
        return NULL;
    }
    return keep(place_of(store, slots, n), s);
}

const struct fr_slots *fr_store_shape_get(struct fr_store *store, sqlite3_int64 id, struct fr_log *log)
{
    struct fr_slots **place = &store->shapes_by_id[(uint64_t)id % FR_SHAPES], *s = *place;
    if (s && s->id == id)
        return s;
    s = load(store, id, log);
    return s ? keep(place, s) : NULL;
}
