/*
 * fio_text_num.c: the numbers of fio's text. How fio shortens them (num2str() in its source, described in
 * docs/formats/fio-text.md, "Numbers"): at most 4 characters since 2.17, 6 before; divided by 1000 or 1024 until it
 * fits, what falls away is rounded once; in some versions wrongly.
 */
#include "fio_text.h"

#include <math.h>

#include "banned.h"

/* A comma right before digits: the decimal comma of a re-typed text; three digits behind a number: a group mark. */
static void take_comma(struct fr_str *s, double *v, int *decimals)
{
    double more, scale = 1;
    size_t i = 0;
    struct fr_str digits = fr_str_from(*s, 1);
    while (i < digits.n && fr_is_digit(digits.s[i]))
        i++, scale *= 10;
    struct fr_str part = fr_str_range(digits, 0, i);
    bool grouped = i == 3 && fabs(*v) > 0.5;
    if (i <= 15 && fr_str_double(part, &more)) {
        *v = grouped ? *v * 1000 + more : *v + (*v < 0 ? -more : more) / scale;
        *decimals = grouped ? 0 : (int)i;
        *s = fr_str_from(digits, i);
    }
}

bool ft_take_number(struct fr_str *s, double *v, int *decimals)
{
    if (!fr_take_decimal(s, v, decimals))
        return false;
    if (*decimals == 0 && s->n > 1 && s->s[0] == ',' && fr_is_digit(s->s[1]))
        take_comma(s, v, decimals);
    return true;
}

static const char prefixes[] = "KMGTPE";

/* The unit after a number: prefix factor and bytes or bits. False when it is none of fio's. */
static bool take_unit_word(struct fr_str *s, enum fr_kilo kilo, enum ft_digits digits, double *factor, double *prefix,
                           int *power)
{
    static const struct {
        const char *word;
        double factor;
    } words[] = {{"", 1},        {"B", 1},  {"B/s", 1},  {"/s", 1}, {"bit/s", 0.125},
                 {"bit", 0.125}, {"iB", 1}, {"iB/s", 1}, {"b", 1},  {"b/s", 1}};
    struct fr_str rest = *s, word;
    size_t i = 0;
    while (i < rest.n && (fr_is_alpha(rest.s[i]) || (rest.s[i] == '/' && i + 1 < rest.n && rest.s[i + 1] == 's')))
        i++;
    word = fr_str_range(rest, 0, i);
    rest = fr_str_from(rest, i);
    *prefix = 1;
    *power = 0;
    size_t n = word.n && strchr("kKMGTPEmgt", word.s[0]) ? 1 : 0;
    if (n) {
        n += word.n > 1 && word.s[1] == 'i';
        /* A text in small letters: `kb/s` was KB/s. fio's bits are called so. */
        bool small = word.n > n && word.s[n] == 'b' && !fr_str_starts(fr_str_from(word, n), "bit");
        char first = small && word.s[0] >= 'a' ? (char)(word.s[0] - 'a' + 'A') : word.s[0];
        if (first == 'm' || first == 'g' || first == 't')
            return false;
        char letters[3] = {first, n == 2 ? 'i' : 0, 0};
        if (digits == FT_DIGITS_OLD && letters[0] == 'P')
            letters[0] = 'T';
        else if (digits == FT_DIGITS_OLD && letters[0] == 'E')
            letters[0] = 'P';
        *power = letters[0] == 'k' ? 1 : (int)(strchr(prefixes, letters[0]) - prefixes) + 1;
        *prefix = fr_prefix_factor(fr_str(letters), letters[0] == 'k' ? FR_KILO_1000 : kilo);
    }
    word = fr_str_from(word, n);
    for (i = 0; i < sizeof words / sizeof *words; i++)
        if (fr_str_is(word, words[i].word)) {
            *factor = words[i].factor;
            *s = rest;
            return true;
        }
    return false;
}

/* The unit, also behind a blank: `521296 B/s` (to 2.16), `12.3 GiB` as people re-type it; then nothing else follows. */
static bool take_unit(struct fr_str *s, enum fr_kilo kilo, enum ft_digits digits, double *factor, double *prefix,
                      int *power)
{
    struct fr_str apart = *s;
    fr_take_blanks(&apart);
    if (apart.s != s->s && apart.n && fr_is_alpha(*apart.s) &&
        take_unit_word(&apart, kilo, digits, factor, prefix, power) && (!apart.n || strchr(",;)/ ", *apart.s))) {
        *s = apart;
        return true;
    }
    return take_unit_word(s, kilo, digits, factor, prefix, power);
}

bool ft_take_amount(struct fr_str *s, struct ft_num *out, enum fr_kilo kilo, enum ft_digits digits)
{
    struct fr_str rest = *s;
    double v, factor, prefix;
    int decimals, power;
    fr_take_blanks(&rest);
    if (!ft_take_number(&rest, &v, &decimals) || v < 0)
        return false;
    struct fr_str before = fr_str_ltrim(rest);
    if (!take_unit(&rest, kilo, digits, &factor, &prefix, &power))
        return false;
    double unit = prefix * factor, last = decimals ? pow(10, -decimals) : 1;
    memset(out, 0, sizeof *out);
    out->set = true;
    out->value = fr_to_base(v, unit);
    out->loose = decimals > 0 && digits >= FT_DIGITS_LOOSE;
    out->power = power;
    out->exact = prefix == 1 && decimals == 0;
    out->kilo = prefix > 1 && before.n > 1 && before.s[1] != 'i';
    if (out->exact) {
        out->lo = v * unit;
        out->hi = (v + 1) * unit;
    } else if (decimals && digits >= FT_DIGITS_LOOSE) {
        /* A fraction of 0 is one; all others may be anything. */
        out->lo = floor(v) * unit;
        out->hi = (v == floor(v) ? v + 0.001 : floor(v) + 1) * unit;
    } else {
        /* Divisions before the last one cut off, so up to one part of the next smaller prefix is missing. */
        out->lo = (v - last / 2) * unit;
        out->hi = (v + last / 2 + (decimals ? 0.001 : digits >= FT_DIGITS_LOOSE ? 0.5 : 0.001)) * unit;
        if (decimals && digits == FT_DIGITS_CARRY && v == floor(v)) {
            out->lo2 = (v + 1 - last / 2) * unit;
            out->hi2 = (v + 1) * unit;
        }
    }
    *s = rest;
    return true;
}

bool ft_fits(const struct ft_num *n, double x)
{
    double slack = fabs(x) * 1e-12;
    if (!n->set)
        return true;
    return (x >= n->lo - slack && x < n->hi + slack) || (x >= n->lo2 && x < n->hi2);
}

/* k and M after a latency are decimal in every version. */
static double suffix_factor(struct fr_str *s)
{
    static const struct {
        char letter;
        double factor;
    } suffixes[] = {{'k', 1e3}, {'K', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}};
    bool apart = s->n > 2 && *s->s == ' ' && s->s[2] == ','; /* `max=123 k,` */
    if (!s->n || !(apart || fr_is_alpha(*s->s)))             /* most numbers */
        return 1;
    if (apart)
        *s = fr_str_from(*s, 1);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (fr_take_ch(s, suffixes[i].letter))
            return suffixes[i].factor;
    return 1;
}

/* The statistic whose `key=` stands here, taken; FT_STATS: none. */
static int take_stat_key(struct fr_str *s)
{
    switch (*s->s) {
    case 'm':
        return fr_take(s, "min=") ? FT_MIN : fr_take(s, "max=") ? FT_MAX : FT_STATS;
    case 'a':
        return fr_take(s, "avg=") ? FT_MEAN : FT_STATS;
    case 's':
        return fr_take(s, "stdev=") ? FT_STDEV : fr_take(s, "samples=") ? FT_N : FT_STATS;
    case 'd':
        return fr_take(s, "dev=") ? FT_STDEV : FT_STATS;
    default:
        return FT_STATS;
    }
}

bool ft_take_stats(struct fr_str s, struct ft_stats *out)
{
    out->have = 0;
    while (s.n) {
        double v;
        int decimals;
        if (!fr_is_alpha(*s.s)) {
            s.s++, s.n--;
            continue;
        }
        int at = take_stat_key(&s);
        if (at == FT_STATS) { /* per=..., or words of somebody else */
            while (s.n && *s.s != ' ' && *s.s != ',')
                s.s++, s.n--;
            continue;
        }
        fr_take_blanks(&s);
        if ((out->have & 1U << at) || !ft_take_number(&s, &v, &decimals))
            continue;
        out->v[at] = v * suffix_factor(&s);
        out->have |= 1U << at;
    }
    return out->have != 0;
}

bool ft_take_unit(struct fr_str *s, enum fr_kilo kilo, double *factor)
{
    struct fr_str rest = *s;
    struct fr_unit unit;
    fr_take_blanks(&rest);
    if (!fr_take_ch(&rest, '(') || fr_str_chr(rest, ')') == (size_t)-1)
        return false;
    struct fr_str inside = fr_str_trim(fr_take_until(&rest, ')'));
    if (fr_str_is(inside, "usec")) /* most lines */
        unit.factor = 1e-6;
    else if (!fr_unit_find(inside, kilo, &unit))
        return false;
    *factor = unit.factor;
    *s = rest;
    return true;
}
