/* scan.c: see scan.h. */
#include "scan.h"

#include <errno.h>
#include <float.h>
#include <math.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "banned.h"

enum { NUMBER_MAX = 400 }; /* characters of a number; a longer one is no number */

/* A bit for each of 16 places at which a is followed by b. */
static inline unsigned pair_16(const char *s, char a, char b)
{
#ifdef __SSE2__
    __m128i first = _mm_loadu_si128((const __m128i *)(const void *)s);
    __m128i second = _mm_loadu_si128((const __m128i *)(const void *)(s + 1));
    return (unsigned)_mm_movemask_epi8(
        _mm_and_si128(_mm_cmpeq_epi8(first, _mm_set1_epi8(a)), _mm_cmpeq_epi8(second, _mm_set1_epi8(b))));
#else
    unsigned mask = 0;
    for (unsigned i = 0; i < 16; i++)
        mask |= (unsigned)(s[i] == a && s[i + 1] == b) << i;
    return mask;
#endif
}

/* Is there such a pair at one of the 64 places? */
static inline bool any_pair_64(const char *s, char a, char b)
{
    return pair_16(s, a, b) | pair_16(s + 16, a, b) | pair_16(s + 32, a, b) | pair_16(s + 48, a, b);
}

/*
 * Not memmem(): that makes a table of 256 entries first, which costs more than looking through a line. By the first
 * two characters, 16 places at a time; the last 16 overlap those before.
 */
size_t fr_str_find_n(struct fr_str a, const char *what, size_t n)
{
    if (n < 2)
        return n == 1 ? fr_str_chr(a, *what) : a.n ? 0 : (size_t)-1;
    if (n > a.n)
        return (size_t)-1;
    const size_t places = a.n - n + 1; /* where it may begin */
    size_t i = 0;
    for (; a.n > 16 && i < places; i += 16) {
        while (i + 65 <= a.n && !any_pair_64(a.s + i, what[0], what[1]))
            i += 64;
        size_t at = i + 17 > a.n ? a.n - 17 : i;
        for (unsigned mask = pair_16(a.s + at, what[0], what[1]); mask; mask &= mask - 1) {
            size_t j = at + (size_t)__builtin_ctz(mask);
            if (j < places && (n == 2 || memcmp(a.s + j, what, n) == 0))
                return j;
        }
    }
    for (; i < places; i++)
        if (a.s[i] == *what && memcmp(a.s + i, what, n) == 0)
            return i;
    return (size_t)-1;
}

size_t fr_str_rfind(struct fr_str a, const char *what)
{
    size_t n = strlen(what);
    if (n == 0 || n > a.n)
        return n == 0 ? a.n : (size_t)-1;
    const char *p;
    for (size_t left = a.n - n + 1; left && (p = memrchr(a.s, *what, left)) != NULL; left = (size_t)(p - a.s))
        if (memcmp(p, what, n) == 0)
            return (size_t)(p - a.s);
    return (size_t)-1;
}

size_t fr_str_count(struct fr_str a, char c)
{
    size_t n = 0, i = 0;
#ifdef __SSE2__
    const __m128i wanted = _mm_set1_epi8(c), one = _mm_set1_epi8(1), zero = _mm_setzero_si128();
    uint64_t sums[2];
    __m128i sum = zero;
    for (; i + 16 <= a.n; i += 16) {
        __m128i equal = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)(a.s + i)), wanted);
        sum = _mm_add_epi64(sum, _mm_sad_epu8(_mm_and_si128(equal, one), zero));
    }
    memcpy(sums, &sum, sizeof sums);
    n = (size_t)(sums[0] + sums[1]);
#endif
    for (; i < a.n; i++)
        n += a.s[i] == c;
    return n;
}

static inline uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u; /* 2^64 over the golden ratio */
    return hash ^ hash >> 32;
}

/* Two words at a time, which do not wait for each other; the last one may overlap. */
uint64_t fr_str_hash(struct fr_str a, uint64_t hash)
{
    uint64_t word[2] = {0, 0}, other = ~hash;
    size_t i = 0;
    for (; a.n - i >= sizeof word; i += sizeof word) {
        memcpy(word, a.s + i, sizeof word);
        hash = mixed(hash, word[0]);
        other = mixed(other, word[1]);
    }
    if (a.n - i > sizeof *word) {
        memcpy(word, a.s + i, sizeof *word);
        hash = mixed(hash, word[0]);
    }
    word[0] = 0;
    if (a.n >= sizeof *word)
        memcpy(word, a.s + a.n - sizeof *word, sizeof *word);
    else if (a.n)
        memcpy(word, a.s, a.n);
    return mixed(hash ^ (other << 1 | other >> 63), word[0] ^ (uint64_t)a.n << 56);
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

/*
 * Up to 15 digits are read exactly: they and the power of ten by which they are divided are exact doubles, so there is
 * one rounding. Others are left to strtod, which reads '.' as the point because fioreport never calls setlocale() for
 * LC_NUMERIC.
 */
enum { EXACT_DIGITS = 15 };
static const double pow10_exact[EXACT_DIGITS + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/* A number of that length that may have more digits or an exponent. */
static bool take_long(struct fr_str *a, size_t length, double *out)
{
    char copy[NUMBER_MAX + 16];
    size_t i = length;
    if (length > NUMBER_MAX)
        return false;
    if (i < a->n && (a->s[i] == 'e' || a->s[i] == 'E')) {
        size_t j = i + 1;
        if (j < a->n && (a->s[j] == '-' || a->s[j] == '+'))
            j++;
        if (j < a->n && fr_is_digit(a->s[j])) {
            while (j < a->n && fr_is_digit(a->s[j]) && j - i < 12)
                j++;
            i = j;
        }
    }
    memcpy(copy, a->s, i);
    copy[i] = 0;
    *out = strtod(copy, NULL);
    if (!isfinite(*out))
        return false;
    *a = fr_str_from(*a, i);
    return true;
}

bool fr_take_decimal(struct fr_str *a, double *out, int *decimals)
{
    *decimals = 0;
    if (!a->n) /* nothing, not even a place */
        return false;
    const char *p = a->s, *end = p + a->n;
    bool negative = *p == '-';
    uint64_t m = 0;
    p += *p == '-' || *p == '+';
    const char *first = p;
    for (; p < end && fr_is_digit(*p); p++)
        m = m * 10 + (uint64_t)(*p - '0');
    size_t digits = (size_t)(p - first), after = 0;
    if (end - p > 1 && *p == '.' && fr_is_digit(p[1])) {
        const char *point = p++;
        for (; p < end && fr_is_digit(*p); p++)
            m = m * 10 + (uint64_t)(*p - '0');
        after = (size_t)(p - point) - 1;
        digits += after;
    }
    *decimals = after > NUMBER_MAX ? NUMBER_MAX : (int)after;
    if (!digits)
        return false;
    if (digits > EXACT_DIGITS || (p < end && (*p == 'e' || *p == 'E')))
        return take_long(a, (size_t)(p - a->s), out);
    double v = after ? (double)m / pow10_exact[after] : (double)m;
    *out = negative ? -v : v;
    a->s = p;
    a->n = (size_t)(end - p);
    return true;
}

bool fr_take_double(struct fr_str *a, double *out)
{
    int decimals;
    return fr_take_decimal(a, out, &decimals);
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
