/* fio_terse_line.c: the pattern of a terse line. See fio_terse.h. */
#include "fio_terse.h"

#include <math.h>

#include "banned.h"

enum {
    COLUMNS_MAX = 16,
    DISK_FIELDS = 9,
    DEPTHS = 7,
    BUCKETS_LEAST = 11, /* shares of latencies behind the depths */
    INTS_OLD = 5,       /* io bw runtime, and min max of slat: before the first decimal of a block */
    INTS = 6            /* with iops, since 1.99.6 */
};

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static bool digits(struct fr_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!fr_is_digit(s.s[i]))
            return false;
    return s.n > 0;
}

static bool is_whole(struct fr_str s)
{
    fr_take_ch(&s, '-');
    return digits(s) && s.n <= 20;
}

static bool is_decimal(struct fr_str s)
{
    fr_take_ch(&s, '-');
    if (fr_str_is(s, "nan") || fr_str_is(s, "inf"))
        return true;
    size_t dot = fr_str_chr(s, '.');
    return dot != (size_t)-1 && digits(fr_str_range(s, 0, dot)) && digits(fr_str_from(s, dot + 1)) && s.n <= 320;
}

static char kind_of(struct fr_str s)
{
    size_t percent = fr_str_chr(s, '%');
    if (percent == (size_t)-1)
        return is_whole(s) ? 'i' : is_decimal(s) ? 'f' : 's';
    struct fr_str head = fr_str_range(s, 0, percent), tail = fr_str_from(s, percent + 1);
    if (!is_whole(head) && !is_decimal(head))
        return 's';
    if (!tail.n)
        return 'p';
    return fr_take_ch(&tail, '=') && digits(tail) ? 'q' : 's';
}

static bool cut_fields(struct fr_str text, char separator, struct terse_line *line)
{
    line->n = 0;
    for (bool more = true; more; line->n++) {
        if (line->n == TERSE_FIELDS_MAX)
            return false;
        more = fr_str_chr(text, separator) != (size_t)-1;
        line->f[line->n] = fr_take_until(&text, separator);
        line->kind[line->n] = kind_of(line->f[line->n]);
    }
    return true;
}

/* ---- pattern ----------------------------------------------------------------------------------------------------- */

/* Take fields of these kinds at *i, or none. Beyond the end every field is of kind 0. */
static bool take(const struct terse_line *l, size_t *i, const char *kinds)
{
    size_t n = strlen(kinds);
    if (*i + n > l->n || memcmp(l->kind + *i, kinds, n) != 0)
        return false;
    *i += n;
    return true;
}

static size_t run_of(const struct terse_line *l, size_t i, char kind)
{
    size_t n = 0;
    while (i + n < l->n && l->kind[i + n] == kind)
        n++;
    return n;
}

/* Remember where the piece begins, and take it. */
static bool piece(const struct terse_line *l, size_t *i, const char *kinds, size_t *where)
{
    size_t at = *i;
    if (!take(l, i, kinds))
        return false;
    *where = at;
    return true;
}

/*
 * A direction. False when it is none or breaks off; what stands before the break is in *b all the same, and *i is
 * behind it.
 */
static bool take_block(const struct terse_line *l, size_t *i, struct terse_block *b)
{
    size_t ints = run_of(l, *i, 'i');
    memset(b, 0, sizeof *b);
    if (ints != INTS && ints != INTS_OLD)
        return false;
    b->io = (*i)++;
    b->bw = (*i)++;
    if (ints == INTS)
        b->iops = (*i)++;
    b->runtime = (*i)++;
    if (!piece(l, i, "iiff", &b->slat) || !piece(l, i, "iiff", &b->clat))
        return false;
    b->n = run_of(l, *i, 'q');
    b->percentiles = b->n ? *i : 0;
    *i += b->n;
    piece(l, i, "iiff", &b->lat); /* since 1.41.4 */
    if (!piece(l, i, "iipff", &b->bw_samples))
        return false;
    if (l->version < 5)
        return true;
    return piece(l, i, "i", &b->bw_n) && piece(l, i, "iiffi", &b->iops_samples);
}

/* What follows the last column that every version has: disks, error counts, description. */
static void take_tail(struct terse_line *l, size_t i)
{
    l->disks = i;
    while (i + DISK_FIELDS <= l->n && memcmp(l->kind + i + 1, "iiiiiiip", DISK_FIELDS - 1) == 0)
        i += DISK_FIELDS;
    l->disks_end = i;
    size_t left = l->n - i;
    /* A disk that lacks columns: a name, then numbers only. */
    if (left > 2 && left < DISK_FIELDS && l->kind[i] == 's' && run_of(l, i + 1, 'i') == left - 1) {
        l->disk_cut = true;
        return;
    }
    if (left >= 2 && l->kind[i] == 'i' && l->kind[i + 1] == 'i') {
        l->errors = i;
        i += 2;
    }
    if (i < l->n)
        l->description = i;
}

/* Does a body begin at field i? With `cut`, one that breaks off will do. */
static bool take_body(struct terse_line *l, size_t i, bool cut)
{
    l->group = i;
    l->error = i + 1;
    l->blocks = 0;
    l->cpu = l->depths = l->disks = l->disks_end = l->errors = l->description = 0;
    l->faults = false;
    l->cut = cut;
    l->disk_cut = false;
    if (!take(l, &i, "ii"))
        return false;
    while (l->blocks < TERSE_BLOCKS_MAX && (i >= l->n || l->kind[i] != 'p')) {
        size_t start = i;
        bool whole = take_block(l, &i, &l->block[l->blocks]);
        if (whole || l->block[l->blocks].io)
            l->blocks++;
        if (!whole)
            return cut && (l->blocks > 1 || i > start);
    }
    if (l->blocks == 0)
        return false;
    if (!piece(l, &i, "ppi", &l->cpu))
        return cut;
    l->faults = take(l, &i, "ii");
    size_t shares = run_of(l, i, 'p');
    l->depths = shares >= DEPTHS + BUCKETS_LEAST ? i : 0;
    i += shares; /* depths and latencies: none in 1.5, 7 + 11, 7 + 22 */
    if (!cut)
        take_tail(l, i);
    return true;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static bool is_version(struct fr_str f, int *version)
{
    if (f.n < 1 || f.s[f.n - 1] < '2' || f.s[f.n - 1] > '5')
        return false;
    /* Something may be glued before it: a progress line that has no end of line. */
    if (f.n > 1 && fr_is_digit(f.s[f.n - 2]))
        return false;
    *version = f.s[f.n - 1] - '0';
    return true;
}

bool terse_begins(struct fr_str text)
{
    size_t i = fr_str_find(text, ";fio-");
    int version;
    return i != (size_t)-1 && i < 200 && is_version(fr_str_range(text, 0, i), &version);
}

/* `<host> ` before a line that a server sent. */
static void take_host(struct fr_str *text, struct fr_str *host)
{
    *host = fr_strn("", 0);
    if (text->n < 3 || text->s[0] != '<')
        return;
    size_t end = fr_str_chr(*text, '>');
    if (end == (size_t)-1 || end > 255)
        return;
    *host = fr_str_range(*text, 1, end);
    *text = fr_str_ltrim(fr_str_from(*text, end + 1));
}

/* Find the body: at the first field where its pattern fits. */
static bool find_body(struct terse_line *l, size_t from, bool cut)
{
    for (size_t i = from; i + 4 < l->n; i++)
        if (l->kind[i] == 'i' && l->kind[i + 1] == 'i' && take_body(l, i, cut)) {
            l->name_end = i;
            return true;
        }
    return false;
}

/* The columns that a script put before fio's: up to a version and fio's name. */
static size_t columns_before(const struct terse_line *l)
{
    int version;
    for (size_t i = 1; i <= COLUMNS_MAX && i + 1 < l->n; i++)
        if (l->f[i].n == 1 && is_version(l->f[i], &version) && fr_str_starts(l->f[i + 1], "fio-"))
            return i;
    return 0;
}

static bool parse_fields(struct terse_line *l)
{
    int version = 1;
    bool known = is_version(l->f[0], &version) && fr_str_starts(l->f[1], "fio-");
    l->version = 1;
    l->fio = fr_strn("", 0);
    l->columns = known ? 0 : columns_before(l);
    l->name = 0;
    if (known || l->columns) {
        size_t at = l->columns;
        known = is_version(l->f[at], &l->version);
        l->fio = fr_str_from(l->f[at + 1], 4);
        l->name = at + 2;
        if (find_body(l, at + 3, false))
            return true;
        l->n--; /* the last field may be half a number */
        return known && find_body(l, at + 3, true);
    }
    known = is_version(l->f[0], &version);
    /* Version 2 says no more than that; before, a job may have been called `2`. */
    bool alone = known && version == 2 && (l->f[0].n == 1 || l->f[0].s[l->f[0].n - 2] == ' ');
    if (alone && find_body(l, 2, false)) {
        l->version = 2;
        l->name = 1;
        return true;
    }
    return find_body(l, 1, false);
}

/* `x = "3;fio-...";`: a string or code without its quotes and what stands around them. */
static struct fr_str unquoted(struct fr_str text)
{
    size_t fio = fr_str_find(text, ";fio-");
    text = fr_str_trim(fio != (size_t)-1 && fio > 1 && strchr("\"'`", text.s[fio - 2]) ? fr_str_from(text, fio - 2)
                                                                                       : text);
    if (fr_str_ends(text, "\\")) /* a hard break of Markdown's */
        text.n--;
    if (text.n < 2 || !strchr("\"'`", text.s[0]))
        return text;
    size_t end = text.n - 1;
    while (end > 1 && (text.s[end] != text.s[0] ? strchr(", ;)]}", text.s[end]) != NULL : text.s[end - 1] == text.s[0]))
        end--;
    return text.s[end] == text.s[0] ? fr_str_range(text, 1, end) : text;
}

bool terse_parse(struct fr_str text, struct terse_line *line)
{
    text = unquoted(text);
    take_host(&text, &line->host);
    for (int i = 0; i < 2; i++)
        if (cut_fields(text, i == 0 ? ';' : ',', line) && line->n > 8 && parse_fields(line))
            return true;
    return false;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

enum fr_op terse_op(const struct terse_line *line, size_t block)
{
    static const enum fr_op plain[] = {FR_OP_READ, FR_OP_WRITE, FR_OP_TRIM, FR_OP_MIXED};
    if (line->blocks == 1 && !line->cut) /* unified_rw_reporting=mixed prints one block */
        return FR_OP_MIXED;
    if (block == 2 && line->version == 3) /* no trim in version 3: unified_rw_reporting=both */
        return FR_OP_MIXED;
    return plain[block];
}

double terse_number(const struct terse_line *line, size_t field)
{
    double x;
    struct fr_str s = line->f[field];
    if (!field)
        return NAN;
    if (line->kind[field] == 'p')
        s = fr_str_range(s, 0, s.n - 1);
    return fr_str_double(s, &x) ? x : NAN;
}

static bool is_zero(const struct terse_line *l, size_t field, size_t n)
{
    for (size_t i = 0; field && i < n; i++)
        if (terse_number(l, field + i) > 0)
            return false;
    return true;
}

bool terse_active(const struct terse_line *line, const struct terse_block *b)
{
    return !is_zero(line, b->io, 1) || !is_zero(line, b->bw, 1) || !is_zero(line, b->iops, 1) ||
           !is_zero(line, b->clat, 4) || !is_zero(line, b->lat, 4);
}

/* bw is bytes per millisecond until 2.0.7 (also where no version is printed and none can be known). */
static bool is_old(const struct terse_line *l)
{
    struct fr_str v = l->fio;
    return fr_str_starts(v, "1.") ||
           (fr_str_starts(v, "2.0") && (v.n == 3 || v.s[3] == '.') && v.n <= 5 && (v.n < 5 || v.s[4] < '8'));
}

double terse_bandwidth(const struct terse_line *line, const struct terse_block *b)
{
    double printed = terse_number(line, b->bw), io = terse_number(line, b->io), ms = terse_number(line, b->runtime);
    if (!(printed >= 0))
        return NAN;
    if (io > 0 && ms > 0) {
        double kib = io * 1000 / ms;
        bool may_be_old = is_old(line) || !line->fio.n;
        if (may_be_old && fabs(kib * 1.024 - printed) <= 1)
            return kib * 1024;
        if (fabs(kib - printed) <= 1) /* both were cut to whole KiB */
            return fmax(kib, printed) * 1024;
    }
    return printed > 0 ? printed * (is_old(line) ? 1000 : 1024) : NAN;
}
