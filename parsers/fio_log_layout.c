/* fio_log_layout.c: what the columns of a log are, from its first lines. See fio_log.h. */
#include "fio_log.h"

#include "banned.h"

enum {
    LOOK_LINES = 8192,
    NAMELESS_LINES = 3, /* without a name that says so, fewer lines are no log */
    DDIR_MAX = 5,       /* read write trim sync datasync sync_file_range */
    EVEN_GAP = 200,     /* milliseconds; rates closer together than that are single I/Os */
    DEPTH_MAX = 2000    /* I/Os in flight */
};
#define UNIX_MS 100000000000LL /* later than this is no time since the start of a job */

/* What was seen of the first lines. */
struct seen {
    int64_t (*v)[LOG_COLUMNS_MAX];
    unsigned n, columns;
    int64_t max[LOG_COLUMNS_MAX];
    bool hex[LOG_COLUMNS_MAX]; /* of the last column only, where it is priority */
};

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The lines of n bytes that are complete, into s; false when one of them is no log line, or of another width. */
static bool look(struct seen *s, const char *bytes, size_t n)
{
    const char *p = bytes, *end = bytes + n;
    if (n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    while (end > p && end[-1] != '\n')
        end--;
    while (p < end && s->n < LOOK_LINES) {
        bool hex;
        const char *line = p;
        unsigned columns = log_line(&p, s->v[s->n], &hex);
        if (columns == 0) {
            while (blank(*line) || *line == '\r')
                line++;
            if (line + 1 == p) /* an empty line */
                continue;
            return s->n > 0 && s->n >= NAMELESS_LINES;
        }
        if (s->n && columns != s->columns)
            return s->n >= NAMELESS_LINES;
        s->columns = columns;
        for (unsigned i = 0; i < columns; i++)
            if (s->v[s->n][i] > s->max[i])
                s->max[i] = s->v[s->n][i];
        s->hex[columns - 1] = s->hex[columns - 1] || hex;
        s->n++;
    }
    return s->n > 0;
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/*
 * Which columns follow the block size. The fifth is an offset where numbers above 1 stand in it: a priority is 0 or 1,
 * or hexadecimal. After a priority stands the time of issue.
 */
static void find_extra(struct log_layout *l, const struct seen *s, unsigned after_bs)
{
    unsigned left = s->columns > after_bs ? s->columns - after_bs : 0;
    l->extra = after_bs <= s->columns ? FR_COL_BS : 0;
    if (left == 1) {
        bool prio = s->hex[after_bs] || s->max[after_bs] <= 1;
        l->extra |= prio ? FR_COL_PRIO : FR_COL_OFFSET;
    } else if (left == 2) {
        bool issue = !s->hex[after_bs + 1] && s->max[after_bs] <= 1 && s->max[after_bs + 1] > 1;
        l->extra |= issue ? FR_COL_PRIO | FR_COL_ISSUE : FR_COL_OFFSET | FR_COL_PRIO;
    } else if (left == 3) {
        l->extra |= FR_COL_OFFSET | FR_COL_PRIO | FR_COL_ISSUE;
    }
    if (l->window)
        l->extra |= FR_COL_MAX;
}

/* time, value, direction ..., or time, average, maximum, direction ... */
static bool find_columns(struct log_layout *l, const struct seen *s)
{
    if (s->columns < 3)
        return false;
    l->columns = s->columns;
    l->window = s->max[2] > DDIR_MAX;
    if (l->window) {
        if (s->columns < 5 || s->max[3] > DDIR_MAX)
            return false;
        for (unsigned i = 0; i < s->n; i++)
            if (s->v[i][2] < s->v[i][1]) /* a maximum below its average is none */
                return false;
    }
    if (!l->window && s->columns == LOG_COLUMNS_MAX)
        return false;
    find_extra(l, s, l->window ? 5 : 4);
    l->unix_time = s->v[0][0] > UNIX_MS;
    return true;
}

static int64_t block_size(const struct log_layout *l, const int64_t *v)
{
    return l->extra & FR_COL_BS ? v[l->window ? 4 : 3] : 0;
}

/* ---- kind and unit ----------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static int64_t median_of_column(const struct seen *s, unsigned column)
{
    int64_t *x = malloc(s->n * sizeof *x), m = 0;
    if (!x)
        return 0;
    for (unsigned i = 0; i < s->n; i++)
        x[i] = s->v[i][column];
    qsort(x, s->n, sizeof *x, by_value);
    m = x[s->n / 2];
    free(x);
    return m;
}

/* An average where the block size is 0; rates of old versions, which have one, where lines are far apart. */
static bool find_averaged(const struct log_layout *l, const struct seen *s)
{
    bool zero = true, ones = true;
    for (unsigned i = 0; i < s->n; i++) {
        zero = zero && block_size(l, s->v[i]) == 0;
        ones = ones && s->v[i][1] == 1;
    }
    if (l->kind == LOG_IOPS)
        return !ones || (zero && (l->extra & FR_COL_BS));
    if (!(l->extra & FR_COL_BS))
        return l->kind == LOG_BW;
    if (zero || l->kind != LOG_BW)
        return zero;
    unsigned gaps = 0, wide = 0;
    for (unsigned i = 1; i < s->n; i++)
        if (s->v[i][0] > s->v[i - 1][0]) {
            gaps++;
            wide += s->v[i][0] - s->v[i - 1][0] >= EVEN_GAP;
        }
    return gaps >= 2 && wide * 2 > gaps;
}

/* Without a name only two kinds are told by their numbers: single I/Os counted, and what no bandwidth can be. */
static void guess_kind(struct log_layout *l, const struct seen *s)
{
    bool ones = true;
    for (unsigned i = 0; i < s->n; i++)
        ones = ones && s->v[i][1] == 1;
    if (ones)
        l->kind = LOG_IOPS;
    else if (s->max[1] > 100000000)
        l->kind = LOG_LAT;
    l->kind_guessed = true;
}

static void set_unit(struct log_layout *l, double per_second, const char *why)
{
    l->per_second = per_second;
    l->unit_why = why;
}

/*
 * Microseconds until 2.21, nanoseconds since 2.99: nothing in the file says which. Certain signs first, then what is
 * usual.
 */
static void find_unit(struct log_layout *l, const struct seen *s)
{
    double sum = 0, span = (double)(s->v[s->n - 1][0] - (l->unix_time ? s->v[0][0] : 0)) + 1;
    bool zero = false, late = false;
    for (unsigned i = 0; i < s->n; i++) {
        sum += (double)s->v[i][1];
        zero = zero || (s->v[i][1] == 0 && block_size(l, s->v[i]) > 0);
        late = late || (!l->unix_time && s->v[i][1] > (s->v[i][0] + 2) * 1000);
    }
    if ((l->extra & FR_COL_PRIO) || (l->extra & FR_COL_ISSUE) || l->window)
        set_unit(l, 1e9, "it has columns of 3.18 and later");
    else if (late)
        set_unit(l, 1e9, "as microseconds an I/O would have taken longer than the job ran");
    else if (!l->averaged && sum / (span * 1000) > DEPTH_MAX)
        set_unit(l, 1e9, "as microseconds more I/Os would have been in flight than any job has");
    else if (zero)
        set_unit(l, 1e6, "an I/O of no nanosecond is none");
    else if (median_of_column(s, 1) < 1000)
        set_unit(l, 1e6, "half of them would be below a microsecond");
    else
        set_unit(l, 1e9, "nothing in it speaks against a version of 2.99 or later");
    l->unit_guessed = l->per_second < 1e8 || (!late && !l->window && !(l->extra & (FR_COL_PRIO | FR_COL_ISSUE)));
}

bool log_layout_find(struct log_layout *layout, const struct log_name *name, const char *bytes, size_t n, bool all)
{
    struct seen s = {.v = malloc(LOOK_LINES * sizeof *s.v)};
    memset(layout, 0, sizeof *layout);
    bool ok = s.v && look(&s, bytes, n) && find_columns(layout, &s);
    /* Any table of whole numbers has such lines: without a name they must have a block size, and be more than a few. */
    if (ok && name->kind == LOG_UNKNOWN)
        ok = s.columns >= 4 && (s.n >= NAMELESS_LINES || all);
    if (ok) {
        layout->lines = s.n;
        layout->kind = name->kind;
        if (name->kind == LOG_UNKNOWN)
            guess_kind(layout, &s);
        layout->averaged = find_averaged(layout, &s);
        layout->per_second = 1;
        if (layout->kind == LOG_SLAT || layout->kind == LOG_CLAT || layout->kind == LOG_LAT)
            find_unit(layout, &s);
    }
    free(s.v);
    return ok;
}
