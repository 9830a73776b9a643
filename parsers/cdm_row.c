/*
 * cdm_row.c: one row of CrystalDiskMark and its kin, whatever was done to its blanks, brackets and decimals.
 *
 * label     SEQ | RND | Sequential | Random, with size and direction in any order
 * queue     (Q=  8, T= 1), (Q= 32,T= 1), (T= 1), (QD=32), or Q8T1
 * figures   354.567 MB/s [ 338.1 IOPS] < 23648.80 us>, brackets and all but the first optional; several: side by side
 */
#include "cdm.h"
#include "literal.h"

#include <math.h>

#include "banned.h"

enum { QUEUE_MAX = 48, NUMBER_MAX = 32 };

/* ---- text -------------------------------------------------------------------------------------------------------- */

/* A character of three bytes that has an ASCII twin: full-width forms, dashes of all lengths. */
static size_t wide(struct fr_str s, char *c)
{
    if (s.n < 3)
        return 0;
    unsigned a = (unsigned char)s.s[0], b = (unsigned char)s.s[1], d = (unsigned char)s.s[2];
    if ((b & 0xc0) != 0x80 || (d & 0xc0) != 0x80 || (a & 0xf0) != 0xe0)
        return 0;
    unsigned u = (a & 0xf) << 12 | (b & 0x3f) << 6 | (d & 0x3f);
    if (u >= 0xff01 && u <= 0xff5e)
        *c = (char)(u - 0xff01 + '!');
    else if (u >= 0x2010 && u <= 0x2015)
        *c = '-';
    else if (u == 0x3010)
        *c = '[';
    else if (u == 0x3011)
        *c = ']';
    else
        return 0;
    return 3;
}

void fr_cdm_clean(struct fr_str line, struct fr_strbuf *out)
{
    fr_strbuf_reset(out);
    if (line.n > CDM_LINE_MAX)
        line.n = CDM_LINE_MAX;
    bool literal = fr_literal_is(line);
    while (line.n) {
        char c = line.s[0], ascii;
        size_t used = 1;
        if (c == '\t') {
            fr_strbuf_addstr(out, "  ");
        } else if (c == '\\' && literal) {
            used = fr_literal_escape(line, out);
        } else if ((used = wide(line, &ascii)) != 0) {
            fr_strbuf_addch(out, ascii);
        } else {
            fr_strbuf_addch(out, c);
            used = 1;
        }
        line = fr_str_from(line, used);
    }
}

struct fr_str fr_cdm_unprefix(struct fr_str text)
{
    while (text.n && strchr(" \t>/*#;-+\"'`|:,!", text.s[0])) {
        /* `* MB/s = ` is CrystalDiskMark's own star; the words behind it tell, so it may go. */
        text = fr_str_from(text, 1);
    }
    return text;
}

bool fr_cdm_take_word(struct fr_str *a, const char *word)
{
    size_t n = strlen(word);
    if (!fr_str_starts_nocase(*a, word) || (a->n > n && fr_is_alpha(a->s[n])))
        return false;
    *a = fr_str_from(*a, n);
    return true;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

struct number {
    double value, alt; /* alt < 0: there is no second reading */
    double half;       /* half a unit of the last digit */
    bool comma;
};

/* The digits of `s` with `point` as the decimal mark and every other mark left out. */
static bool number_read(struct fr_str s, size_t point, struct number *out)
{
    char plain[NUMBER_MAX + 1];
    size_t n = 0, decimals = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (fr_is_digit(s.s[i])) {
            plain[n++] = s.s[i];
            decimals += point != (size_t)-1 && i > point;
        } else if (i == point) {
            plain[n++] = '.';
        } else if (i + 4 > s.n || (i + 4 < s.n && fr_is_digit(s.s[i + 4]))) {
            return false; /* a thousands mark has three digits behind it */
        }
    }
    out->half = 0.5 * pow(10, -(double)decimals);
    return fr_str_double(fr_strn(plain, n), &out->value);
}

/*
 * Take a number. CrystalDiskMark writes a point and no thousands marks whatever the locale, so a comma is somebody's
 * edit: a decimal comma, unless a point stands too, or it can be either (three digits follow: `alt`).
 */
static bool take_number(struct fr_str *a, struct number *out)
{
    size_t n = 0, points = 0, commas = 0, point = (size_t)-1, comma = (size_t)-1;
    for (; n < a->n && (fr_is_digit(a->s[n]) || a->s[n] == '.' || a->s[n] == ','); n++) {
        if (a->s[n] == '.')
            point = n, points++;
        if (a->s[n] == ',')
            comma = n, commas++;
    }
    if (n == 0 || n > NUMBER_MAX || !fr_is_digit(a->s[0]) || !fr_is_digit(a->s[n - 1]))
        return false;
    struct fr_str s = fr_str_range(*a, 0, n);
    struct number other;
    out->alt = -1;
    out->comma = false;
    bool ok;
    if (points == 1 && (commas == 0 || comma < point)) {
        ok = number_read(s, point, out);
    } else if (commas == 1 && (points == 0 || point < comma)) {
        ok = number_read(s, comma, out);
        out->comma = true;
        if (ok && points == 0 && n - comma == 4 && number_read(s, (size_t)-1, &other))
            out->alt = other.value;
    } else {
        ok = points <= 1 && number_read(s, (size_t)-1, out);
    }
    if (ok)
        *a = fr_str_from(*a, n);
    return ok;
}

/* ---- the label --------------------------------------------------------------------------------------------------- */

size_t fr_cdm_label(struct fr_str text, size_t at)
{
    for (; at + 3 < text.n; at++) {
        char c = fr_lower(text.s[at]);
        if ((c != 's' && c != 'r') || (at && (fr_is_alpha(text.s[at - 1]) || text.s[at - 1] == '_')))
            continue;
        struct fr_str s = fr_str_from(text, at);
        if (fr_str_starts_nocase(s, "seq") || fr_str_starts_nocase(s, "rnd") || fr_str_starts_nocase(s, "rand"))
            return at;
    }
    return (size_t)-1;
}

static bool take_type(struct fr_str *a, bool *random)
{
    static const struct {
        const char *word;
        bool random;
    } words[] = {{"sequential", false}, {"seq", false}, {"random", true}, {"rand", true}, {"rnd", true}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fr_cdm_take_word(a, words[i].word)) {
            *random = words[i].random;
            return true;
        }
    return false;
}

static enum fr_op take_direction(struct fr_str *a)
{
    if (fr_cdm_take_word(a, "read"))
        return FR_OP_READ;
    if (fr_cdm_take_word(a, "write"))
        return FR_OP_WRITE;
    return fr_cdm_take_word(a, "mix") ? FR_OP_MIXED : FR_OP_NONE;
}

/* `1MiB`, `128KiB`, `512KB` (binary too: 3.x counts IOPS by 4096), `1M`, `1 MiB`. */
static bool take_size(struct fr_str *a, struct fr_cdm_row *row)
{
    static const char letters[] = "kmg";
    struct fr_str s = *a;
    uint64_t n;
    if (!fr_take_u64(&s, &n, NULL) || n == 0 || n > 1 << 20)
        return false;
    bool gap = s.n && s.s[0] == ' ';
    fr_take_blanks(&s);
    const char *p = s.n ? strchr(letters, fr_lower(s.s[0])) : NULL;
    if (!p || !*p)
        return false;
    s = fr_str_from(s, 1);
    if (!fr_cdm_take_word(&s, "ib") && !fr_cdm_take_word(&s, "b") && s.n && fr_is_alpha(s.s[0]))
        return false;
    if (s.n && (s.s[0] == '/' || fr_is_digit(s.s[0])))
        return false; /* a rate: `1 MB/s` */
    row->block = (double)n * (double)(1ull << (10 * (p - letters + 1)));
    row->sized = true;
    row->gap = gap;
    *a = s;
    return true;
}

/* The number after `Q`, `QD` or `T` in the queue's text; false when the letter is not there. */
static bool queue_number(struct fr_str s, char letter, unsigned *out)
{
    for (size_t i = 0; i < s.n; i++) {
        if (fr_lower(s.s[i]) != letter || (i && fr_is_alpha(s.s[i - 1])))
            continue;
        struct fr_str rest = fr_str_from(s, i + 1);
        uint64_t n;
        if (rest.n && fr_lower(rest.s[0]) == 'd')
            rest = fr_str_from(rest, 1);
        while (rest.n && strchr(" =:", rest.s[0]))
            rest = fr_str_from(rest, 1);
        if (fr_take_u64(&rest, &n, NULL) && n > 0 && n <= 1 << 16) {
            *out = (unsigned)n;
            return true;
        }
    }
    return false;
}

/* `(Q=  8, T= 1)` in any spelling, or `Q8T1`. */
static bool take_queue(struct fr_str *a, struct fr_cdm_row *row)
{
    struct fr_str s = *a, inside;
    if (fr_take_ch(&s, '(') || fr_take_ch(&s, '[')) {
        size_t end = 0;
        while (end < s.n && end < QUEUE_MAX && s.s[end] != ')' && s.s[end] != ']')
            end++;
        if (end == s.n || end == QUEUE_MAX)
            return false;
        inside = fr_str_range(s, 0, end);
        s = fr_str_from(s, end + 1);
    } else if (fr_str_starts_nocase(s, "q")) {
        size_t end = 1;
        while (end < s.n && (fr_is_digit(s.s[end]) || strchr(" tTdD=", s.s[end])))
            end++;
        while (end > 1 && !fr_is_digit(s.s[end - 1]))
            end--;
        inside = fr_str_range(s, 0, end);
        s = fr_str_from(s, end);
    } else {
        return false;
    }
    /* `1,T` would hide the T behind a letter test; `Q32T16` as well. */
    unsigned q = 0, t = 0;
    bool has_q = queue_number(inside, 'q', &q);
    bool has_t = queue_number(inside, 't', &t);
    if (!has_q && !has_t)
        return false;
    row->q = has_q ? q : 1;
    row->t = has_t ? t : 1;
    row->queued = true;
    /* Before 7 a sequential test with a queue moved 128 KiB, one without it 1 MiB. */
    if (!row->sized && !row->random)
        row->block = has_q ? 131072 : 1048576;
    *a = s;
    return true;
}

/* ---- the figures ------------------------------------------------------------------------------------------------- */

static void take_any(struct fr_str *a, const char *set)
{
    while (a->n && strchr(set, a->s[0]))
        *a = fr_str_from(*a, 1);
}

/* `MB/s` and what look-alikes write. */
static bool take_rate_unit(struct fr_str *a, double *factor)
{
    struct fr_unit unit;
    size_t n = 0;
    while (n < a->n && n < 12 && (fr_is_alpha(a->s[n]) || a->s[n] == '/'))
        n++;
    if (!fr_unit_find(fr_str_range(*a, 0, n), FR_KILO_1000, &unit) || unit.dim != FR_DIM_BYTES_PER_S)
        return false;
    *factor = unit.factor;
    *a = fr_str_from(*a, n);
    return true;
}

/* A further figure with this unit, in brackets or not; < 0 when it is not there. */
static double take_figure(struct fr_str *a, const char *unit, struct number *number)
{
    struct fr_str s = *a;
    take_any(&s, " \t[<(|,*_");
    if (!take_number(&s, number))
        return -1;
    take_any(&s, " \t*_");
    if (!fr_cdm_take_word(&s, unit))
        return -1;
    fr_take_blanks(&s);
    if (s.n && strchr("]>)", s.s[0]))
        s = fr_str_from(s, 1);
    *a = s;
    /* These have one or two decimals: three digits after a comma are thousands. */
    return number->alt >= 0 ? number->alt : number->value;
}

/* `IOPS=3512`, as scripts write it. */
static double take_named_iops(struct fr_str *a, struct number *number)
{
    struct fr_str s = *a;
    take_any(&s, " \t,");
    if (!fr_cdm_take_word(&s, "iops"))
        return -1;
    take_any(&s, " =:");
    if (!take_number(&s, number))
        return -1;
    *a = s;
    return number->alt >= 0 ? number->alt : number->value;
}

static bool take_cell(struct fr_str *a, struct fr_cdm_cell *cell)
{
    struct fr_str s = *a;
    struct number n;
    double factor;
    take_any(&s, " \t*_");
    *cell = (struct fr_cdm_cell){.rate = -1, .rate_alt = -1, .iops = -1, .lat = -1};
    if (!take_number(&s, &n))
        return false;
    take_any(&s, " \t*_");
    if (!take_rate_unit(&s, &factor))
        return false;
    cell->rate = n.value * factor;
    cell->rate_half = n.half * factor;
    cell->rate_alt = n.alt < 0 ? -1 : n.alt * factor;
    cell->comma = n.comma;
    take_any(&s, "*_");
    cell->iops = take_figure(&s, "iops", &n);
    if (cell->iops < 0)
        cell->iops = take_named_iops(&s, &n);
    if (cell->iops >= 0) {
        cell->iops_half = n.alt >= 0 ? 0.5 : n.half;
        cell->comma |= n.comma && n.alt < 0;
    }
    double us = take_figure(&s, "us", &n);
    if (us < 0)
        us = take_figure(&s, "\xc2\xb5s", &n);
    cell->lat = us < 0 ? -1 : us / 1e6;
    *a = s;
    return true;
}

/*
 * Where no block size is printed, IOPS tell it, also that it is none of those that are known; where a comma has two
 * readings as well.
 */
static void settle(struct fr_cdm_row *row)
{
    static const double sizes[] = {1048576, 131072,  524288,  4096,    8192,     16384,    32768,   65536,
                                   262144,  2097152, 4194304, 8388608, 16777216, 33554432, 67108864};
    bool asked = false;
    for (size_t i = 0; i < row->n; i++) {
        struct fr_cdm_cell *c = &row->cell[i];
        if (c->iops <= 0)
            continue;
        for (size_t k = 0; !row->sized && !row->iops_decides && k < sizeof sizes / sizeof *sizes; k++)
            if (fabs(c->iops * sizes[k] - c->rate) <= 0.01 * c->rate + c->iops_half * sizes[k]) {
                row->block = sizes[k];
                row->iops_decides = true;
            }
        asked = true;
        double want = c->iops * row->block;
        if (c->rate_alt >= 0 && want > 0 && fabs(log(c->rate_alt / want)) < fabs(log(c->rate / want))) {
            c->rate = c->rate_alt;
            c->comma = false;
        }
    }
    if (asked && !row->sized && !row->iops_decides)
        row->block = 0;
}

/* `8m Sequential Q32T1`: a size right before the label. */
static void take_size_before(struct fr_str before, struct fr_cdm_row *row)
{
    before = fr_str_rtrim(before);
    size_t blank = fr_str_rfind(before, " ");
    struct fr_str word = fr_str_from(before, blank == (size_t)-1 ? 0 : blank + 1);
    struct fr_cdm_row sized = *row;
    if (take_size(&word, &sized) && !word.n)
        *row = sized;
}

enum fr_cdm_found fr_cdm_row(struct fr_str text, size_t at, bool known, struct fr_cdm_row *row, size_t *end)
{
    struct fr_str s = fr_str_from(text, at);
    *row = (struct fr_cdm_row){.q = 1, .t = 1};
    if (!take_type(&s, &row->random))
        return FR_CDM_NONE;
    if (!row->random)
        row->block = 1048576;
    take_size_before(fr_str_range(text, 0, at), row);
    for (int i = 0; i < 5; i++) {
        take_any(&s, " \t-_");
        enum fr_op op = take_direction(&s);
        if (op != FR_OP_NONE)
            row->op = op;
        else if (!(!row->sized && take_size(&s, row)) && !(!row->queued && take_queue(&s, row)))
            break;
    }
    if (row->random && !row->sized)
        row->block = 0;
    struct fr_str after = s;
    take_any(&s, " \t:=*_");
    bool colon = memchr(after.s, ':', after.n - s.n) != NULL;
    while (row->n < CDM_COLUMNS) {
        struct fr_cdm_cell *cell = &row->cell[row->n];
        if (!take_cell(&s, cell))
            break;
        cell->at = (size_t)(s.s - text.s);
        row->n++;
    }
    *end = (size_t)(s.s - text.s);
    if (row->n == 0)
        return row->queued && colon && (row->sized || row->op != FR_OP_NONE) ? FR_CDM_BROKEN : FR_CDM_NONE;
    /* A label without Q and T is one of 2.x or 3.x, or a line of a data sheet: three decimals or IOPS tell. */
    const struct fr_cdm_cell *c = &row->cell[0];
    if (!row->queued && !known && c->iops < 0 && fabs(c->rate_half - 500) > 1)
        return FR_CDM_NONE;
    if (!row->queued && row->op == FR_OP_NONE)
        return FR_CDM_NONE;
    settle(row);
    return FR_CDM_ROW;
}

const char *fr_cdm_name(const struct fr_cdm_row *row, char out[64])
{
    char size[24] = "";
    if (row->block >= 1048576 && fmod(row->block, 1048576) == 0)
        snprintf(size, sizeof size, "%.0fM", row->block / 1048576);
    else if (row->block > 0)
        snprintf(size, sizeof size, "%.0fK", row->block / 1024);
    snprintf(out, 64, "%s%s Q%uT%u", row->random ? "RND" : "SEQ", size, row->q, row->t);
    return out;
}

bool fr_cdm_by_hand(struct fr_str text)
{
    size_t at = fr_cdm_label(text, 0);
    struct fr_cdm_row row = {.q = 1, .t = 1};
    struct fr_str s = fr_str_from(text, at == (size_t)-1 ? text.n : at);
    if (!take_type(&s, &row.random))
        return false;
    take_any(&s, " \t-_");
    if (!take_size(&s, &row))
        return false;
    take_any(&s, " \t-_");
    if (!take_queue(&s, &row))
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (fr_is_digit(s.s[i]))
            return true;
    return false;
}
