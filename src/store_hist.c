/*
 * store_hist.c: distributions. One of fio's own bins, in order, is one row: its counts as a JSON array from the first
 * bin that has any, so that the view `histogram` can give them with SQLite's own functions; a bin without a sample
 * within is 0. All others (fio's coarse buckets) have a row for each bin.
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

static int step(struct fr_store *store, sqlite3_stmt *st, struct fr_log *log)
{
    int rc = sqlite3_step(st);
    sqlite3_reset(st);
    return rc == SQLITE_DONE ? 0 : fr_store_error(store, log, "cannot be written");
}

/* The head, with its bins when these are packed (NULL: they are not). */
static int add_head(struct fr_store *store, sqlite3_int64 test_id, const struct fr_hist *h, const char *packed,
                    unsigned first, double per_second, struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_statement(store, FR_ST_HIST_ADD, log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, test_id);
    sqlite3_bind_int(st, 2, h->op);
    sqlite3_bind_int(st, 3, store->metric_id[h->metric]);
    sqlite3_bind_int(st, 4, h->exact);
    if (h->line)
        sqlite3_bind_int64(st, 5, h->line);
    if (packed) {
        sqlite3_bind_int64(st, 6, (sqlite3_int64)per_second);
        sqlite3_bind_int(st, 7, (int)first);
        sqlite3_bind_text(st, 8, packed, -1, SQLITE_STATIC);
    }
    return step(store, st, log);
}

int fr_store_hist_add(struct fr_store *store, sqlite3_int64 test_id, const struct fr_hist *h, struct fr_log *log)
{
    static const double units[] = {1e9, 1e6};
    struct fr_packer packer;
    if (h->packed)
        return add_head(store, test_id, h, h->packed, h->first, h->per_second, log);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (pack(h, units[i], &packer))
            return add_head(store, test_id, h, fr_packer_end(&packer), packer.first, units[i], log);
    if (add_head(store, test_id, h, NULL, 0, 0, log) != 0)
        return -1;
    sqlite3_int64 id = sqlite3_last_insert_rowid(store->db);
    for (size_t i = 0; i < h->n; i++)
        if (h->bins[i].count) {
            struct fr_bulk_cell *row = fr_store_bulk_row(store, log);
            if (!row)
                return -1;
            row[0] = FR_BULK_INTEGER(i);
            row[1] = FR_BULK_REAL(h->bins[i].lower);
            if (isfinite(h->bins[i].upper))
                row[2] = FR_BULK_REAL(h->bins[i].upper);
            row[3] = FR_BULK_INTEGER(h->bins[i].count > INT64_MAX ? INT64_MAX : h->bins[i].count);
        }
    return fr_store_bulk_insert(store, FR_ST_BIN_ADD, id, NULL, log);
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

int fr_store_hist_unpack(struct fr_store *store, double per_second, long long first, const char *packed,
                         struct fr_store_bins *bins, struct fr_log *log)
{
    bins->n = 0;
    struct fr_bin *out = more(bins, FR_HIST_BINS, store, log);
    if (!out)
        return -1;
    int n = first >= 0 && first < FR_HIST_BINS ? fr_hist_unpack(packed, (unsigned)first, per_second, out) : -1;
    if (n < 0) {
        store->failed = true;
        return fr_log_error(log, store->path, 0, "holds a distribution that is damaged");
    }
    bins->n = (size_t)n;
    return 0;
}

int fr_store_hist_bins(struct fr_store *store, sqlite3_stmt *st, sqlite3_int64 hist, struct fr_store_bins *bins,
                       struct fr_log *log)
{
    bins->n = 0;
    sqlite3_reset(st);
    sqlite3_bind_int64(st, 1, hist);
    int rc;
    while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
        struct fr_bin *bin = more(bins, 1, store, log);
        if (!bin)
            return -1;
        bins->n++;
        bin->lower = sqlite3_column_double(st, 0);
        bin->upper = sqlite3_column_type(st, 1) == SQLITE_NULL ? INFINITY : sqlite3_column_double(st, 1);
        bin->count = (uint64_t)sqlite3_column_int64(st, 2);
    }
    return rc == SQLITE_DONE ? 0 : fr_store_error(store, log, "cannot be read");
}
