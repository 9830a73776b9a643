/*
 * store_hist.c: distributions. One of fio's own bins, in order, is one row: its counts as a JSON array from the first
 * bin that has any, so that the view `histogram` can give them with SQLite's own functions; a bin without a sample
 * within is 0. All others (fio's coarse buckets) have a row for each bin.
 */
#include "hist.h"
#include "store_db.h"

#include <math.h>

#include "banned.h"

enum { COUNT_TEXT = 20, PACKED_MAX = FR_HIST_BINS * (COUNT_TEXT + 1) + 2 };

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

static char *put_number(char *p, uint64_t n)
{
    char digits[COUNT_TEXT];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    memcpy(p, digits + at, sizeof digits - at);
    return p + (sizeof digits - at);
}

/* Bytes written to out; 0: not all of them are bins of that unit, in order. *first: the first one's number. */
static size_t pack(const struct fr_hist *h, double per_second, int *first, char out[PACKED_MAX])
{
    char *p = out;
    int next = -1;
    for (size_t i = 0; i < h->n; i++) {
        if (!h->bins[i].count)
            continue;
        int no = number_of(&h->bins[i], per_second);
        if (no < 0 || no < next)
            return 0;
        if (next < 0)
            next = *first = no;
        for (; next < no; next++) {
            *p++ = ',';
            *p++ = '0';
        }
        *p = p == out ? '[' : ',';
        p++;
        p = put_number(p, h->bins[i].count > INT64_MAX ? INT64_MAX : h->bins[i].count);
        next++;
    }
    if (p == out)
        return 0;
    *p++ = ']';
    return (size_t)(p - out);
}

static int step(struct fr_store *store, sqlite3_stmt *st, struct fr_log *log)
{
    int rc = sqlite3_step(st);
    sqlite3_reset(st);
    return rc == SQLITE_DONE ? 0 : fr_store_error(store, log, "cannot be written");
}

static int add_bin(struct fr_store *store, sqlite3_int64 hist, size_t no, const struct fr_bin *bin, struct fr_log *log)
{
    sqlite3_stmt *st = fr_store_statement(store, FR_ST_BIN_ADD, log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, hist);
    sqlite3_bind_int64(st, 2, (sqlite3_int64)no);
    sqlite3_bind_double(st, 3, bin->lower);
    if (isfinite(bin->upper))
        sqlite3_bind_double(st, 4, bin->upper);
    sqlite3_bind_int64(st, 5, bin->count > INT64_MAX ? INT64_MAX : (sqlite3_int64)bin->count);
    return step(store, st, log);
}

int fr_store_hist_add(struct fr_store *store, sqlite3_int64 test_id, const struct fr_hist *h, struct fr_log *log)
{
    static const double units[] = {1e9, 1e6};
    char packed[PACKED_MAX];
    int first = 0;
    size_t n = 0, unit = 0;
    while (h->n && !(n = pack(h, units[unit], &first, packed)) && unit + 1 < sizeof units / sizeof *units)
        unit++;
    sqlite3_stmt *st = fr_store_statement(store, FR_ST_HIST_ADD, log);
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, test_id);
    sqlite3_bind_int(st, 2, h->op);
    sqlite3_bind_int(st, 3, store->metric_id[h->metric]);
    sqlite3_bind_int(st, 4, h->exact);
    if (h->line)
        sqlite3_bind_int64(st, 5, h->line);
    if (n) {
        sqlite3_bind_int64(st, 6, (sqlite3_int64)units[unit]);
        sqlite3_bind_int(st, 7, first);
        sqlite3_bind_text(st, 8, packed, (int)n, SQLITE_STATIC);
    }
    if (step(store, st, log) != 0)
        return -1;
    sqlite3_int64 id = sqlite3_last_insert_rowid(store->db);
    for (size_t i = 0; !n && i < h->n; i++)
        if (h->bins[i].count && add_bin(store, id, i, &h->bins[i], log) != 0)
            return -1;
    return 0;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static struct fr_bin *more(struct fr_store_bins *bins, struct fr_store *store, struct fr_log *log)
{
    if (bins->n == bins->alloc) {
        size_t wanted = bins->alloc ? bins->alloc * 2 : 256;
        struct fr_bin *p = realloc(bins->at, wanted * sizeof *p);
        if (!p) {
            fr_log_error(log, store->path, 0, "out of memory");
            return NULL;
        }
        bins->at = p;
        bins->alloc = wanted;
    }
    return &bins->at[bins->n++];
}

int fr_store_hist_unpack(struct fr_store *store, double per_second, long long first, const char *packed,
                         struct fr_store_bins *bins, struct fr_log *log)
{
    struct fr_str rest = fr_str(packed);
    long long no = first;
    bins->n = 0;
    bool fine = fr_take_ch(&rest, '[') && per_second >= 1;
    for (; fine && rest.n && rest.s[0] != ']'; no++) {
        uint64_t count;
        fine = fr_take_u64(&rest, &count, NULL) && no >= 0 && no < FR_HIST_BINS;
        if (fine && count) {
            struct fr_bin *bin = more(bins, store, log);
            if (!bin)
                return -1;
            *bin = fr_hist_bin((unsigned)no, per_second, count);
        }
        fr_take_ch(&rest, ',');
    }
    return fine ? 0 : fr_log_error(log, store->path, 0, "holds a distribution that is damaged");
}

int fr_store_hist_bins(struct fr_store *store, sqlite3_stmt *st, sqlite3_int64 hist, struct fr_store_bins *bins,
                       struct fr_log *log)
{
    bins->n = 0;
    sqlite3_reset(st);
    sqlite3_bind_int64(st, 1, hist);
    int rc;
    while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
        struct fr_bin *bin = more(bins, store, log);
        if (!bin)
            return -1;
        bin->lower = sqlite3_column_double(st, 0);
        bin->upper = sqlite3_column_type(st, 1) == SQLITE_NULL ? INFINITY : sqlite3_column_double(st, 1);
        bin->count = (uint64_t)sqlite3_column_int64(st, 2);
    }
    return rc == SQLITE_DONE ? 0 : fr_store_error(store, log, "cannot be read");
}
