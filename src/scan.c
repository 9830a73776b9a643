/* scan.c: see scan.h. */
#include "scan.h"

#include <errno.h>
#include <float.h>
#include <math.h>

#include "banned.h"

enum { NUMBER_MAX = 400 }; /* characters of a number; a longer one is no number */

bool fr_str_ends(struct fr_str a, const char *suffix)
{
    size_t n = strlen(suffix);
    return a.n >= n && (n == 0 || memcmp(a.s + a.n - n, suffix, n) == 0);
}

size_t fr_str_find(struct fr_str a, const char *what)
{
    const char *p = a.n ? memmem(a.s, a.n, what, strlen(what)) : NULL;
    return p ? (size_t)(p - a.s) : (size_t)-1;
}

size_t fr_str_rfind(struct fr_str a, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = a.n + 1; i-- > 0;)
        if (a.n - i >= n && memcmp(a.s + i, what, n) == 0)
            return i;
    return (size_t)-1;
}

struct fr_str fr_take_until(struct fr_str *a, char sep)
{
    size_t i = fr_str_chr(*a, sep);
    struct fr_str out = fr_str_range(*a, 0, i);
    *a = i == (size_t)-1 ? fr_str_from(*a, a->n) : fr_str_from(*a, i + 1);
    return out;
}

struct fr_str fr_take_word(struct fr_str *a)
{
    fr_take_blanks(a);
    size_t i = 0;
    while (i < a->n && a->s[i] != ' ' && a->s[i] != '\t')
        i++;
    struct fr_str out = fr_str_range(*a, 0, i);
    *a = fr_str_from(*a, i);
    return out;
}

bool fr_take_u64(struct fr_str *a, uint64_t *out, bool *overflow)
{
    uint64_t v = 0;
    size_t i = 0;
    if (overflow)
        *overflow = false;
    for (; i < a->n && fr_is_digit(a->s[i]); i++) {
        unsigned d = (unsigned)(a->s[i] - '0');
        if (v > (UINT64_MAX - d) / 10) {
            if (overflow)
                *overflow = true;
            return false;
        }
        v = v * 10 + d;
    }
    if (i == 0)
        return false;
    *out = v;
    *a = fr_str_from(*a, i);
    return true;
}

/* Exact for up to 15 digits and powers of ten to 22 (both are exact doubles, so one rounding); else strtod, which reads
 * '.' as the point because fioreport never calls setlocale() for LC_NUMERIC. */
static const double pow10_exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool fr_take_double(struct fr_str *a, double *out)
{
    size_t i = 0, digits = 0, decimals = 0, significant = 0;
    uint64_t m = 0;
    bool negative = false, exponent = false;
    if (i < a->n && (a->s[i] == '-' || a->s[i] == '+'))
        negative = a->s[i++] == '-';
    for (bool point = false; i < a->n; i++) {
        if (a->s[i] == '.' && !point && i + 1 < a->n && fr_is_digit(a->s[i + 1])) {
            point = true;
        } else if (fr_is_digit(a->s[i])) {
            digits++;
            decimals += point;
            significant += significant || a->s[i] != '0';
            if (significant <= 15)
                m = m * 10 + (uint64_t)(a->s[i] - '0');
        } else {
            break;
        }
    }
    if (!digits || i > NUMBER_MAX)
        return false;
    if (i < a->n && (a->s[i] == 'e' || a->s[i] == 'E')) {
        size_t j = i + 1;
        if (j < a->n && (a->s[j] == '-' || a->s[j] == '+'))
            j++;
        if (j < a->n && fr_is_digit(a->s[j])) {
            exponent = true;
            while (j < a->n && fr_is_digit(a->s[j]) && j - i < 12)
                j++;
            i = j;
        }
    }
    double v;
    if (!exponent && significant <= 15 && decimals <= 22) {
        v = (double)m / pow10_exact[decimals];
        v = negative ? -v : v;
    } else {
        char copy[NUMBER_MAX + 16];
        if (i >= sizeof copy)
            return false;
        memcpy(copy, a->s, i);
        copy[i] = 0;
        v = strtod(copy, NULL);
        if (!isfinite(v))
            return false;
    }
    *out = v;
    *a = fr_str_from(*a, i);
    return true;
}

bool fr_str_u64(struct fr_str a, uint64_t *out)
{
    return fr_take_u64(&a, out, NULL) && a.n == 0;
}

bool fr_str_double(struct fr_str a, double *out)
{
    double v;
    if (!fr_take_double(&a, &v) || a.n)
        return false;
    *out = v;
    return true;
}
