/* fio_log_layout.c: what the columns of a log are, from its first lines. See fio_log.h. */
#include "fio_log.h"

#include "banned.h"

enum {
    LOOK_LINES = 8192,
    NAMELESS_LINES = 3, /* without a name that says so, fewer lines are no log */
    DDIR_MAX = 5,       /* read write trim sync datasync sync_file_range */
    PRIO_MAX = 65535,
    EVEN_GAP = 200,  /* milliseconds; rates closer together than that are single I/Os */
    DEPTH_MAX = 2000 /* I/Os in flight */
};
#define UNIX_MS 100000000000LL /* later than this is no time since the start of a job */

/* What was seen of the first lines. */
struct seen {
    int64_t (*v)[LOG_COLUMNS_MAX];
    unsigned n, columns;
    int64_t max[LOG_COLUMNS_MAX];
    bool hex[LOG_COLUMNS_MAX]; /* of the last column only, where it is priority */
    struct log_head head;      /* before the first of them */
    char separator;
    bool quoted, fraction;
};

/* A line of numbers; false when it is of another width than those before. */
static bool look_at(struct seen *s, unsigned columns, const struct log_form *form)
{
    if (s->n && (columns != s->columns || form->separator != s->separator))
        return false;
    s->columns = columns;
    s->separator = form->separator;
    s->quoted |= form->quoted;
    s->fraction |= form->fraction;
    for (unsigned i = 0; i < columns; i++)
        if (s->v[s->n][i] > s->max[i])
            s->max[i] = s->v[s->n][i];
    s->hex[columns - 1] |= form->hex;
    s->n++;
    return true;
}

/* A head, the same once more (logs that were put together), a comment, a blank line. */
static bool says_nothing(struct seen *s, struct fr_str line)
{
    if (!s->n && !s->head.n && log_head_parse(&s->head, line))
        return true;
    return log_is_comment(line) || (s->head.n && fr_str_eq(fr_str_trim(line), s->head.text));
}

/*
 * The lines of n bytes that are complete, into s, with the head before them; blank lines and comments are none. False
 * when one of the first is anything else, or of another width.
 */
static bool look(struct seen *s, const char *bytes, size_t n)
{
    const char *p = bytes, *end = bytes + n;
    if (n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    while (end > p && end[-1] != '\n')
        end--;
    while (p < end && s->n < LOOK_LINES) {
        struct log_form form;
        const char *start = p;
        unsigned columns = log_line(&p, s->v[s->n], &form);
        struct fr_str line = fr_strn(start, (size_t)(p - start));
        if (columns ? look_at(s, columns, &form) : says_nothing(s, line))
            continue;
        return s->n >= NAMELESS_LINES;
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
    if (late && l->head.per_second > 0 && l->head.per_second < 1e8) {
        snprintf(l->doubted, sizeof l->doubted,
                 "its head says microseconds, in which an I/O would have taken longer than the job ran");
    } else if (l->head.per_second > 0) {
        set_unit(l, l->head.per_second, "its head says so");
        return;
    }
    if ((l->extra & FR_COL_PRIO) || (l->extra & FR_COL_ISSUE) || l->window)
        set_unit(l, 1e9, "it has columns of 3.18 and later");
    else if (late)
        set_unit(l, 1e9, "as microseconds an I/O would have taken longer than the job ran");
    else if (!l->averaged && sum / (span * 1000) > (double)DEPTH_MAX)
        set_unit(l, 1e9, "as microseconds more I/Os would have been in flight than any job has");
    else if (zero)
        set_unit(l, 1e6, "an I/O of no nanosecond is none");
    else if (median_of_column(s, 1) < 1000)
        set_unit(l, 1e6, "half of them would be below a microsecond");
    else
        set_unit(l, 1e9, "nothing in it speaks against a version of 2.99 or later");
    l->unit_guessed = l->per_second < 1e8 || (!late && !l->window && !(l->extra & (FR_COL_PRIO | FR_COL_ISSUE)));
}

/* ---- the head ---------------------------------------------------------------------------------------------------- */

/* What the numbers in a column are by fio's order. */
static enum log_role role_of(const struct log_layout *l, unsigned column)
{
    static const enum log_role first[] = {ROLE_TIME, ROLE_VALUE, ROLE_MAX, ROLE_OP, ROLE_BS};
    unsigned at = column + (column > 1 && !l->window);
    if (at < sizeof first / sizeof *first)
        return first[at];
    static const struct {
        uint8_t bit;
        enum log_role role;
    } extra[] = {{FR_COL_OFFSET, ROLE_OFFSET}, {FR_COL_PRIO, ROLE_PRIO}, {FR_COL_ISSUE, ROLE_ISSUE}};
    unsigned left = at - (unsigned)(sizeof first / sizeof *first);
    for (size_t i = 0; i < sizeof extra / sizeof *extra; i++)
        if ((l->extra & extra[i].bit) && left-- == 0)
            return extra[i].role;
    return ROLE_NONE;
}

/* A single column behind the block size may be one or the other by its numbers; a head that names it decides. */
static void take_extra(struct log_layout *l, const struct seen *s)
{
    unsigned at = l->window ? 5 : 4;
    enum log_role role = at < l->head.n ? l->head.role[at] : ROLE_NONE;
    if (l->columns != at + 1 || s->hex[at])
        return;
    if (role == ROLE_OFFSET)
        l->extra = (uint8_t)((l->extra & ~FR_COL_PRIO) | FR_COL_OFFSET);
    else if (role == ROLE_PRIO && s->max[at] <= PRIO_MAX)
        l->extra = (uint8_t)((l->extra & ~FR_COL_OFFSET) | FR_COL_PRIO);
}

static bool is_latency(enum log_kind kind)
{
    return kind == LOG_LAT || kind == LOG_CLAT || kind == LOG_SLAT;
}

/* The head against the numbers, and against the name of the file. False: which of them is right cannot be known. */
static bool check_head(struct log_layout *l, const struct log_name *name, const struct seen *s)
{
    const struct log_head *h = &l->head;
    if (h->strange) {
        snprintf(l->refused, sizeof l->refused,
                 "its head says %s, which fio does not log in: numbers that were converted are not read", h->strange);
        return false;
    }
    if (h->kind && name->kind && h->kind != name->kind && !(h->kind == LOG_LAT && is_latency(name->kind))) {
        snprintf(l->refused, sizeof l->refused, "its head says %s, its name %s: which is right cannot be known",
                 log_kind_word(h->kind), log_kind_word(name->kind));
        return false;
    }
    take_extra(l, s);
    for (unsigned i = 0; i < h->n && i < l->columns; i++) {
        enum log_role is = role_of(l, i);
        if (h->role[i] == ROLE_NONE || h->role[i] == is)
            continue;
        bool basic = i < (l->window ? 5 : 4);
        snprintf(basic ? l->refused : l->doubted, sizeof l->refused, "its head calls column %u %s, by %s it is %s",
                 i + 1, log_role_word(h->role[i]), basic ? "fio's order" : "its numbers", log_role_word(is));
        if (basic)
            return false;
    }
    if (h->n != l->columns && !l->doubted[0])
        snprintf(l->doubted, sizeof l->doubted, "its head names %u columns, its lines have %u", h->n, l->columns);
    return true;
}

/* It is called a log, and its lines are numbers, but not those that fio writes. */
static void say_why(struct log_layout *l, const struct seen *s)
{
    if (s->fraction)
        snprintf(l->refused, sizeof l->refused,
                 "has numbers with decimals, where fio logs whole ones: what they were converted to cannot be known");
    else if (s->columns < 3)
        snprintf(l->refused, sizeof l->refused,
                 "has %u column%s: without the third, the direction (0 read, 1 write), it is not known what was done",
                 s->columns, s->columns == 1 ? "" : "s");
    else
        snprintf(l->refused, sizeof l->refused,
                 "its columns are not those of a log: time, value, direction (0 to %d), block size ...", DDIR_MAX);
}

/*
 * Numbers under no head with a direction, of a file whose name says nothing, may be of any table: they must be written
 * as fio writes them, have a block size, and be more than a few. Blanks between numbers are of any table too.
 */
static bool enough(const struct seen *s, const struct log_name *name, bool all)
{
    bool op = false;
    for (unsigned i = 0; i < s->head.n; i++)
        op = op || s->head.role[i] == ROLE_OP;
    if (op || (s->head.n && name->kind != LOG_UNKNOWN))
        return true;
    if (name->kind == LOG_UNKNOWN)
        return s->columns >= 4 && (s->n >= NAMELESS_LINES || all) && s->separator == ',' && !s->quoted;
    return s->separator != ' ' || s->columns >= 4 || name->is_log;
}

bool log_layout_find(struct log_layout *layout, const struct log_name *name, const char *bytes, size_t n, bool all)
{
    struct seen s = {.v = malloc(LOOK_LINES * sizeof *s.v)};
    memset(layout, 0, sizeof *layout);
    bool lines = s.v && look(&s, bytes, n) && enough(&s, name, all);
    layout->head = s.head;
    bool ok = lines && !s.fraction && find_columns(layout, &s);
    if (lines && !ok && (s.head.n || (name->kind != LOG_UNKNOWN && name->is_log)))
        say_why(layout, &s);
    if (ok && s.head.n)
        ok = check_head(layout, name, &s);
    if (ok) {
        layout->lines = s.n;
        layout->kind = name->kind == LOG_UNKNOWN ? s.head.kind : name->kind;
        if (layout->kind == LOG_UNKNOWN)
            guess_kind(layout, &s);
        layout->averaged = find_averaged(layout, &s);
        layout->per_second = 1;
        if (is_latency(layout->kind))
            find_unit(layout, &s);
    }
    free(s.v);
    return ok;
}
