/*
 * dd_line.c: the lines dd prints. They are translated into some forty languages, so nothing here asks for a word: a
 * result is an integer, sizes in parentheses or none, a number with a unit of time, and a number with a unit per time.
 */
#include "dd.h"
#include "literal.h"

#include <math.h>

#include "banned.h"

enum { WINDOW = DD_RESULT_MAX, AFTER_SLASH = 40 };
enum { G_BYTES = 1, G_SIZES, G_SECONDS, G_RATE, G_GAP, G_UNIT, G_COUNT };

/*
 * The integer is no part of another number and has no unit of its own (`Fetched 617 kB in 2s (308 kB/s)` is apt).
 * The time's unit is any word but those of other lengths of time and of sizes (`8 threads at 4k, 97.7 MB/s`); a WORD
 * may have been read byte by byte.
 */
#define WORD "[\\p{L}\\x{80}-\\x{bf}\\x{d7}\\x{f7}]"
static const char result_pattern[] =
    "(?<![\\d.,+=/])(\\d{1,3}(?:[,.']\\d{3})+|\\d{1,20})(?![\\d.,'])"
    "[ \\t]{0,4}+(?![kKMGTPE]?i?[Bb](?:[^\\p{L}]|$))[^\\d(),;|=\\[\\]]{0,48}?"
    "(\\([^()]{1,48}\\))?"
    "[^\\d()=|\\[\\]]{0,64}?"
    "(\\d+(?:[.,]\\d+)?(?:[eE][-+]?\\d+)?)[ \\t]{0,3}(?!(?:[mun]s|min|h|[kKMGT](?:i?B)?)\\b)" WORD "{1,12}\\.?"
    "[ \\t]*[,(][ \\t,*_`]*"
    "(\\d+(?:[.,]\\d+)?(?:[eE][-+]?\\d+)?|[^\\d\\s,()]{1,30})"
    "([ \\t]*)([kKMGTPEZY]?i?(?:[Bb]ytes?|B|b)?)/[ ]?" WORD "{1,8}";

struct fr_rx *fr_dd_rx_new(struct fr_log *log)
{
    return fr_rx_new(result_pattern, log);
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

/*
 * The commas of Chinese and Japanese, in UTF-8, and as they look where a text of GBK, EUC-JP, Big5 or Shift-JIS was
 * read byte by byte; there a digit or a blank follows. A long vowel of Shift-JIS holds a bracket.
 */
static const struct {
    const char *from, *to;
    bool bytes;
} foreign[] = {{"\xef\xbc\x8c", ", ", false},
               {"\xe3\x80\x81", ", ", false},
               {"\xc2\xa3\xc2\xac", ", ", true},
               {"\xc2\xa1\xc2\xa2", ", ", true},
               {"\xc2\xa1"
                "A",
                ", ", true},
               {"\xc2\x81"
                "A",
                ", ", true},
               {"\xc2\x81[", "", false}};

static size_t foreign_comma(struct fr_str s, const char **text)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        size_t n = strlen(foreign[i].from);
        if (!fr_str_starts(s, foreign[i].from) ||
            (foreign[i].bytes && (s.n == n || (s.s[n] != ' ' && !fr_is_digit(s.s[n])))))
            continue;
        *text = foreign[i].to;
        return n;
    }
    return 0;
}

void fr_dd_clean(struct fr_str line, struct fr_strbuf *out)
{
    struct fr_strbuf read = FR_STRBUF_INIT;
    fr_strbuf_reset(out);
    if (line.n > DD_LINE_MAX)
        line.n = DD_LINE_MAX;
    if (fr_literal_is(line)) {
        fr_literal_read(line, &read);
        line = fr_strn(fr_strbuf_str(&read), read.len);
    }
    while (line.n) {
        const char *text = "";
        size_t n = fr_str_starts(line, "**") ? 2 : (unsigned char)line.s[0] >= 0x80 ? foreign_comma(line, &text) : 0;
        if (n)
            fr_strbuf_addstr(out, text);
        else
            fr_strbuf_addch(out, line.s[0]);
        line = fr_str_from(line, n ? n : 1);
    }
    fr_strbuf_release(&read);
}

/* `MB/s`, `bytes/sec`, `MB/` and a character of another script. */
static bool is_rate_slash(struct fr_str t, size_t slash)
{
    if (slash < 1 || slash + 1 >= t.n || !strchr("BbskKMGTPEZY", t.s[slash - 1]))
        return false;
    char c = t.s[slash + 1];
    return fr_is_alpha(c) || c == ' ' || c == '\\' || (unsigned char)c >= 0x80;
}

bool fr_dd_candidate(struct fr_str line)
{
    for (size_t i = 1; i + 1 < line.n; i++) {
        if (line.s[i] == '/' && is_rate_slash(line, i))
            return true;
        if (line.s[i] == '+' && fr_is_digit(line.s[i - 1]) && fr_is_digit(line.s[i + 1]))
            return true;
    }
    return false;
}

bool fr_dd_begins(struct fr_str line)
{
    size_t n = 0, from = line.n > DD_RESULT_MAX ? line.n - DD_RESULT_MAX : 0;
    bool bracket = false;
    for (size_t i = from; i < line.n; i++) {
        n += fr_is_digit(line.s[i]) && !(i > from && fr_is_digit(line.s[i - 1]));
        bracket |= line.s[i] == '(' || line.s[i] == ',';
    }
    return n >= 1 && (bracket || n == 1) && line.n >= 8;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* A decimal with point or comma; dd groups no digits. */
static bool read_decimal(struct fr_str s, struct fr_dd_number *out)
{
    char plain[48];
    size_t decimals = 0;
    bool point = false, exponent = false;
    if (s.n == 0 || s.n >= sizeof plain)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        plain[i] = s.s[i] == ',' ? '.' : s.s[i];
        decimals += point && !exponent && fr_is_digit(s.s[i]);
        point |= plain[i] == '.';
        exponent |= fr_lower(plain[i]) == 'e';
    }
    if (!fr_str_double(fr_strn(plain, s.n), &out->value))
        return false;
    out->half = 0.5 * pow(10, -(double)decimals);
    size_t e = 0;
    while (e < s.n && fr_lower(s.s[e]) != 'e')
        e++;
    double power = 0;
    if (e < s.n && fr_str_double(fr_str_from(s, e + 1), &power))
        out->half *= pow(10, power);
    return true;
}

/* An integer, between whose digits people may have put marks. */
static bool read_integer(struct fr_str s, uint64_t *out)
{
    char plain[32];
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (!fr_is_digit(s.s[i]))
            continue;
        if (n == sizeof plain)
            return false;
        plain[n++] = s.s[i];
    }
    return fr_str_u64(fr_strn(plain, n), out);
}

/* `(50 MB, 48 MiB)`: the first of them; BusyBox's `(80.0MB)` is MiB. */
static void read_sizes(struct fr_str s, struct fr_dd_result *out)
{
    struct fr_dd_number number;
    size_t n = 0;
    out->size = -1;
    if (s.n < 3)
        return;
    s = fr_str_range(s, 1, s.n - 1);
    while (n < s.n &&
           (fr_is_digit(s.s[n]) || s.s[n] == '.' || (s.s[n] == ',' && n + 1 < s.n && fr_is_digit(s.s[n + 1]))))
        n++;
    if (!read_decimal(fr_str_range(s, 0, n), &number))
        return;
    s = fr_str_from(s, n);
    bool gap = s.n && s.s[0] == ' ';
    fr_take_blanks(&s);
    for (n = 0; n < s.n && fr_is_alpha(s.s[n]);)
        n++;
    struct fr_str unit = fr_str_range(s, 0, n);
    if (unit.n && fr_lower(unit.s[unit.n - 1]) == 'b')
        unit.n--;
    double factor = fr_prefix_factor(unit, gap ? FR_KILO_1000 : FR_KILO_1024);
    if (factor > 0) {
        out->size = number.value * factor;
        out->size_half = number.half * factor;
    }
}

/* ---- the lines --------------------------------------------------------------------------------------------------- */

static bool read_unit(struct fr_str unit, struct fr_str gap, struct fr_dd_result *out)
{
    bool bytes = true;
    if (unit.n >= 4 && fr_str_ends(unit, "bytes"))
        unit.n -= 5;
    else if (unit.n >= 4 && fr_str_ends(unit, "byte"))
        unit.n -= 4;
    else if (unit.n && (unit.s[unit.n - 1] == 'B' || unit.s[unit.n - 1] == 'b'))
        unit.n--;
    else
        bytes = false; /* toybox: `437 M/s` */
    if (!bytes && !unit.n)
        return false;
    out->factor = fr_prefix_factor(unit, FR_KILO_1000);
    out->factor_binary = fr_prefix_factor(unit, FR_KILO_1024);
    if (fr_str_is(unit, "k") && gap.n)
        out->factor_binary = out->factor; /* `kB` is 1000 wherever a blank stands before it */
    out->binary = !bytes || (!gap.n && unit.n == 1);
    return out->factor > 0;
}

/* The match that ends at the slash of a rate: looked for in what may belong to it, so that long lines cost no more. */
static bool match_before(struct fr_rx *rx, struct fr_str text, size_t from, size_t slash, struct fr_str *g)
{
    size_t start = slash > WINDOW ? slash - WINDOW : 0;
    if (start <= from) {
        start = from;
    } else {
        while (start < slash && text.s[start] != ' ')
            start++;
    }
    return fr_rx_match(rx, fr_str_range(text, start, slash + AFTER_SLASH), g, G_COUNT);
}

bool fr_dd_result(struct fr_rx *rx, struct fr_str text, size_t from, struct fr_dd_result *out)
{
    struct fr_str g[G_COUNT];
    for (size_t i = from; i < text.n; i++) {
        if (text.s[i] != '/' || !is_rate_slash(text, i) || !match_before(rx, text, from, i, g))
            continue;
        memset(out, 0, sizeof *out);
        out->from = (size_t)(g[0].s - text.s);
        out->to = out->from + g[0].n;
        if (!read_integer(g[G_BYTES], &out->bytes) || !read_decimal(g[G_SECONDS], &out->seconds) ||
            !read_unit(g[G_UNIT], g[G_GAP], out))
            continue;
        if (!read_decimal(g[G_RATE], &out->rate))
            out->rate.value = -1;
        read_sizes(g[G_SIZES], out);
        size_t word = fr_str_find(g[0], "transferred ");
        out->moment = word != (size_t)-1 && fr_str_from(g[0], word + 12).s == g[G_SECONDS].s;
        out->whole = fabs(out->seconds.value - nearbyint(out->seconds.value)) < 0.001 && out->seconds.value >= 1;
        return true;
    }
    return false;
}

/* The counts around the plus at t[plus]; *end is where they end. */
static bool counts_at(struct fr_str t, size_t plus, uint64_t *full, uint64_t *partial, size_t *end)
{
    size_t start = plus;
    while (start && fr_is_digit(t.s[start - 1]))
        start--;
    if (start == plus || (start && strchr("+=.,", t.s[start - 1])))
        return false;
    struct fr_str rest = fr_str_from(t, plus + 1);
    if (!fr_str_u64(fr_str_range(t, start, plus), full) || !fr_take_u64(&rest, partial, NULL))
        return false;
    *end = t.n - rest.n;
    /* ` records in`: words, in whatever language. */
    return rest.n >= 3 && !strchr("+.", rest.s[0]) && !fr_is_digit(rest.s[1]) && !fr_is_digit(rest.s[2]);
}

bool fr_dd_records(struct fr_str *text, uint64_t *full, uint64_t *partial)
{
    for (size_t i = 1; i + 1 < text->n; i++) {
        size_t end;
        if (text->s[i] != '+' || !counts_at(*text, i, full, partial, &end))
            continue;
        *text = fr_str_from(*text, end);
        return true;
    }
    return false;
}

double fr_dd_rate(const struct fr_dd_result *r, bool *agree)
{
    double s = r->seconds.value, factor = r->binary ? r->factor_binary : r->factor;
    *agree = true;
    if (r->rate.value < 0) /* Infinity: nothing was measured */
        return -1;
    double printed = r->rate.value * factor;
    if (s <= 0)
        return printed;
    double exact = (double)r->bytes / s;
    double factors[2] = {r->factor, r->factor_binary};
    for (int i = 0; i < 2; i++)
        if (fabs(exact - r->rate.value * factors[i]) <= 1.02 * r->rate.half * factors[i])
            return exact;
    double slack = 1.02 * r->rate.half * factor + exact * fmin(1, r->seconds.half / s) * 1.1;
    *agree = fabs(exact - printed) <= slack || r->seconds.half / s > 0.2;
    return printed;
}
