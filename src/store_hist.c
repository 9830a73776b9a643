/*
 * store_hist.c: distributions, a row each, so that the view `histogram` can take them apart with SQLite's own
 * functions. Of fio's own bins, in order, the counts are a JSON array from the first bin that has any; a bin without a
 * sample within is 0. Others (fio's coarse buckets) whose bounds are whole nanoseconds have these beside it, as a text
 * that is kept once. What fits neither has a row for each bin.
 */
#include "hist.h"
#include "store_db.h"

#include <math.h>

#include "banned.h"

/* ---- adding ------------------------------------------------------------------------------------------------------ */

/* The number of the bin among those of that unit; -1: it is none. */
static int number_of(const struct fr_bin *bin, double per_second)
{
    double lower = nearbyint(bin->lower * per_second);
    if (!(lower >= 0 && lower < 1e18))
        return -1;
    unsigned no = fr_hist_index((uint64_t)lower, FR_HIST_BINS);
    struct fr_bin own = fr_hist_bin(no, per_second, 0);
    bool same = !(own.lower < bin->lower) && !(own.lower > bin->lower) && !(own.upper < bin->upper) &&
                !(own.upper > bin->upper);
    return same ? (int)no : -1;
}

/* False: not all of them are bins of that unit, in order. */
static bool pack(const struct fr_hist *h, double per_second, struct fr_packer *packer)
{
    FR_PACKER_BEGIN(packer);
    for (size_t i = 0; i < h->n; i++) {
        int no = h->bins[i].count ? number_of(&h->bins[i], per_second) : 0;
        if (no < 0 || !fr_packer_add(packer, (unsigned)no, h->bins[i].count))
            return false;
    }
    return packer->n > 0;
}

/* A bound in nanoseconds; false: it is none, or not one that comes out as the same double. */
static bool whole_ns(double bound, uint64_t *ns)
{
    double n = nearbyint(bound * 1e9);
    if (!(n >= 0 && n < 9e18) || n / 1e9 < bound || n / 1e9 > bound)
        return false;
    *ns = (uint64_t)n;
    return true;
}

/* SQLite's integers go no further. */
static uint64_t count_of(const struct fr_bin *bin)
{
    return bin->count > INT64_MAX ? INT64_MAX : bin->count;
}

/* The bounds of the bins that have a count: lower and upper of each, 0 for no upper end. False: one cannot be kept so.
 */
static bool pack_bounds(const struct fr_hist *h, struct fr_strbuf *out)
{
    uint64_t most = 0, lower, upper = 0;
    for (int pass = 0, width = 0; pass < 2; pass++) {
        for (size_t i = 0; i < h->n; i++) {
            const struct fr_bin *bin = &h->bins[i];
            if (!bin->count)
                continue;
            if (!whole_ns(bin->lower, &lower) || (isfinite(bin->upper) && !whole_ns(bin->upper, &upper)))
                return false;
            if (!isfinite(bin->upper))
                upper = 0;
            else if (!upper)
                return false; /* 0 is no end */
            most = lower > most ? lower : most;
            most = upper > most ? upper : most;
            if (pass) {
                fr_store_digits_add(out, width, lower);
                fr_store_digits_add(out, width, upper);
            }
        }
        if (!pass)
            width = fr_store_digits_begin(out, most);
    }
    return true;
}

/* Their counts, a JSON array. */
static void pack_counts(const struct fr_hist *h, struct fr_strbuf *out)
{
    fr_strbuf_reset(out);
    for (size_t i = 0; i < h->n; i++) {
        char digits[21];
        size_t at = sizeof digits;
        uint64_t rest = count_of(&h->bins[i]);
        if (!rest)
            continue;
        for (; rest; rest /= 10)
            digits[--at] = (char)('0' + rest % 10);
        digits[--at] = out->len ? ',' : '[';
        fr_strbuf_add(out, digits + at, sizeof digits - at);
    }
    fr_strbuf_addstr(out, out->len ? "]" : "[]");
}

/* What a row of hist has beside its bins; the rest is NULL. NULL after a message. */
static struct fr_bulk_cell *add_head(struct fr_store *store, sqlite3_int64 test_id, const struct fr_hist *h,
                                     struct fr_log *log)
{
    struct fr_bulk_cell *row = fr_store_bulk_row(store, FR_ST_HIST_ADD, log);
    if (!row)
        return NULL;
    row[0] = FR_BULK_INTEGER(++store->last.hist);
    row[1] = FR_BULK_INTEGER(test_id);
    row[2] = FR_BULK_INTEGER(h->op);
    row[3] = FR_BULK_INTEGER(store->metric_id[h->metric]);
    row[4] = FR_BULK_INTEGER(h->exact);
    row[5] = FR_BULK_ID(h->line);
    return row;
}

/* A row for each bin. */
static int add_bins(struct fr_store *store, const struct fr_hist *h, struct fr_log *log)
{
    for (size_t i = 0; i < h->n; i++)
        if (h->bins[i].count) {
            struct fr_bulk_cell *row = fr_store_bulk_row(store, FR_ST_BIN_ADD, log);
            if (!row)
                return -1;
            row[0] = FR_BULK_INTEGER(store->last.hist);
            row[1] = FR_BULK_INTEGER(i);
            row[2] = FR_BULK_REAL(h->bins[i].lower);
            if (isfinite(h->bins[i].upper))
                row[3] = FR_BULK_REAL(h->bins[i].upper);
            row[4] = FR_BULK_INTEGER(count_of(&h->bins[i]));
        }
    return 0;
}

/* Its counts, and what they are of: a number of fio's bins, or bounds; the other is 0. */
static void set_counts(struct fr_bulk_cell *row, double per_second, unsigned first, sqlite3_int64 bounds,
                       const char *counts)
{
    row[6] = FR_BULK_INTEGER(per_second);
    if (!bounds)
        row[7] = FR_BULK_INTEGER(first);
    row[8] = FR_BULK_ID(bounds);
    row[9] = FR_BULK_TEXT(counts);
}

/* Bins that are not packed yet. *packed: they are, and the row has them. */
static int add_packed(struct fr_store *store, struct fr_bulk_cell *row, const struct fr_hist *h, bool *packed,
                      struct fr_log *log)
{
    static const double units[] = {1e9, 1e6};
    struct fr_packer packer;
    *packed = true;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (pack(h, units[i], &packer)) {
            set_counts(row, units[i], packer.first, 0, fr_arena_strdup(&store->texts, fr_packer_end(&packer)));
            return 0;
        }
    if (!pack_bounds(h, &store->text)) {
        *packed = false;
        return 0;
    }
    pack_counts(h, &store->counts);
    sqlite3_int64 bounds = fr_store_word(store, fr_strbuf_str(&store->text), log);
    set_counts(row, 1e9, 0, bounds, fr_arena_strdup(&store->texts, fr_strbuf_str(&store->counts)));
    return bounds < 0 ? -1 : 0;
}

int fr_store_hist_add(struct fr_store *store, sqlite3_int64 test_id, const struct fr_hist *h, struct fr_log *log)
{
    struct fr_bulk_cell *row = add_head(store, test_id, h, log);
    bool packed = h->packed != NULL;
    if (!row)
        return -1;
    if (h->packed)
        set_counts(row, h->per_second, h->first, 0, h->packed);
    else if (add_packed(store, row, h, &packed, log) != 0)
        return -1;
    return packed ? 0 : add_bins(store, h, log);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Place for n bins more; NULL after a message. */
static struct fr_bin *more(struct fr_store_bins *bins, size_t n, struct fr_store *store, struct fr_log *log)
{
    if (n > bins->alloc - bins->n) {
        size_t wanted = bins->alloc * 2 + n;
        struct fr_bin *p = realloc(bins->at, wanted * sizeof *p);
        if (!p) {
            fr_log_error(log, store->path, 0, "out of memory");
            return NULL;
        }
        bins->at = p;
        bins->alloc = wanted;
    }
    return &bins->at[bins->n];
}

/* Counts beside their bounds, see pack_bounds(). */
static int unpack_bounds(struct fr_store *store, struct fr_str counts, const char *bounds, double per_second,
                         struct fr_store_bins *bins, struct fr_log *log)
{
    if (!(per_second >= 1))
        return -1;
    if (fr_str_is(counts, "[]"))
        return 0;
    for (size_t i = 0; fr_take_ch(&counts, i ? ',' : '['); i++) {
        struct fr_bin *bin = more(bins, 1, store, log);
        uint64_t lower, upper;
        if (!bin || !fr_store_digits_get(bounds, 2 * i, &lower) || !fr_store_digits_get(bounds, 2 * i + 1, &upper) ||
            !fr_take_u64(&counts, &bin->count, NULL))
            return -1;
        bin->lower = (double)lower / per_second;
        bin->upper = upper ? (double)upper / per_second : INFINITY;
        bins->n++;
    }
    return 0;
}

/* Counts of fio's own bins, from number `first` on. */
static int unpack_numbered(struct fr_store *store, const char *counts, sqlite3_int64 first, double per_second,
                           struct fr_store_bins *bins, struct fr_log *log)
{
    struct fr_bin *out = first >= 0 && first < FR_HIST_BINS ? more(bins, FR_HIST_BINS, store, log) : NULL;
    int n = out ? fr_hist_unpack(counts, (unsigned)first, per_second, out) : -1;
    if (n < 0)
        return -1;
    bins->n = (size_t)n;
    return 0;
}

/* Bins that have a row each. */
static int read_rows(struct fr_store *store, sqlite3_int64 hist, struct fr_store_bins *bins, struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_statement(store, FR_ST_BIN_GET, log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, hist);
    int rc;
    while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
        struct fr_bin *bin = more(bins, 1, store, log);
        if (!bin)
            break;
        bins->n++;
        bin->lower = sqlite3_column_double(st, 0);
        bin->upper = sqlite3_column_type(st, 1) == SQLITE_NULL ? INFINITY : sqlite3_column_double(st, 1);
        bin->count = (uint64_t)sqlite3_column_int64(st, 2);
    }
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        fr_store_error(store, log, "cannot be read");
    sqlite3_reset(st);
    return rc == SQLITE_DONE ? 0 : -1;
}

int fr_store_hist_read(struct fr_store *store, sqlite3_stmt *st, int column, struct fr_store_bins *bins,
                       struct fr_log *log)
{
    enum { ID, PER_SECOND, FIRST, BOUNDS, COUNTS };
    const char *bounds = (const char *)sqlite3_column_text(st, column + BOUNDS);
    const char *counts = (const char *)sqlite3_column_text(st, column + COUNTS);
    double per_second = sqlite3_column_double(st, column + PER_SECOND);
    bins->n = 0;
    if (!counts)
        return read_rows(store, sqlite3_column_int64(st, column + ID), bins, log);
    if (bounds ? unpack_bounds(store, fr_str(counts), bounds, per_second, bins, log) == 0
               : unpack_numbered(store, counts, sqlite3_column_int64(st, column + FIRST), per_second, bins, log) == 0)
        return 0;
    store->failed = true;
    return fr_log_error(log, store->path, 0, "holds a distribution that is damaged");
}
