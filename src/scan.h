/*
 * scan.h: words and numbers out of text that is lent and not NUL-terminated. Independent of the locale.
 *
 * A struct fr_str is a view: it owns nothing. Functions that "take" something from a view move its start past what
 * they took, and leave it as it was when they return false.
 */
#ifndef FR_SCAN_H
#define FR_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct fr_str {
    const char *s;
    size_t n;
};

/* A view of a C string. */
static inline struct fr_str fr_str(const char *s)
{
    return (struct fr_str){s, s ? strlen(s) : 0};
}

static inline struct fr_str fr_strn(const char *s, size_t n)
{
    return (struct fr_str){s, n};
}

/* That of a literal, as an initializer of static tables. */
#define FR_LITERAL(text)                                                                                               \
    {                                                                                                                  \
        (text), sizeof(text) - 1                                                                                       \
    }

/* printf: "%.*s", FR_STR(view) */
#define FR_STR(x) (int)((x).n > 100000 ? 100000 : (x).n), (x).s ? (x).s : ""

static inline bool fr_str_eq(struct fr_str a, struct fr_str b);
static inline bool fr_str_is(struct fr_str a, const char *b);
/* ASCII letters without regard to case. */
static inline bool fr_str_is_nocase(struct fr_str a, const char *b);
static inline bool fr_str_starts(struct fr_str a, const char *prefix);
static inline bool fr_str_starts_nocase(struct fr_str a, const char *prefix);
static inline bool fr_str_ends(struct fr_str a, const char *suffix);
/* Place of the first (last) occurrence, or (size_t)-1. `what` is short: a few words at most. */
static inline size_t fr_str_find(struct fr_str a, const char *what);
size_t fr_str_rfind(struct fr_str a, const char *what);
/* How often c stands in it. */
size_t fr_str_count(struct fr_str a, char c);
/* A hash of the text, going on from `hash` (0 at first): equal texts in equal pieces have the same. Not to be kept. */
uint64_t fr_str_hash(struct fr_str a, uint64_t hash);
static inline size_t fr_str_chr(struct fr_str a, char c);
/* From byte i (to its end; to byte j): clamped to the view. */
static inline struct fr_str fr_str_from(struct fr_str a, size_t i);
static inline struct fr_str fr_str_range(struct fr_str a, size_t i, size_t j);
/* Without blanks, tabs, CR, LF at both ends. */
static inline struct fr_str fr_str_trim(struct fr_str a);
static inline struct fr_str fr_str_ltrim(struct fr_str a);
static inline struct fr_str fr_str_rtrim(struct fr_str a);

/* Take the prefix, the character, all blanks and tabs. */
static inline bool fr_take(struct fr_str *a, const char *prefix);
static inline bool fr_take_str(struct fr_str *a, struct fr_str prefix); /* of a table: not empty */
static inline bool fr_take_ch(struct fr_str *a, char c);
static inline void fr_take_blanks(struct fr_str *a);
/* Take up to the first occurrence of `sep` (which is taken, but not part of the answer), else all of it. */
struct fr_str fr_take_until(struct fr_str *a, char sep);
/* Take a run of characters other than blank and tab, after skipping those. */
struct fr_str fr_take_word(struct fr_str *a);

/* Take digits; false when there are none or the number needs more than 64 bits (*overflow, when given, says which). */
bool fr_take_u64(struct fr_str *a, uint64_t *out, bool *overflow);
/* Take [+-]digits[.digits][e[+-]digits] with a decimal point; never inf or nan. The nearest double. */
bool fr_take_double(struct fr_str *a, double *out);
/* The same; *decimals: digits after the point. */
bool fr_take_decimal(struct fr_str *a, double *out, int *decimals);
/* The whole view is such a number. */
bool fr_str_u64(struct fr_str a, uint64_t *out);
bool fr_str_double(struct fr_str a, double *out);

/* C strings, of which NULL says that there is none: equal, or both NULL. */
static inline bool fr_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* ASCII only, for any char value. */
static inline bool fr_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline bool fr_is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static inline bool fr_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}
static inline char fr_lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* ---- the short ones: prefixes are mostly literals, whose lengths the compiler knows here ---- */

static inline bool fr_str_eq(struct fr_str a, struct fr_str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.s, b.s, a.n) == 0);
}

static inline bool fr_str_is(struct fr_str a, const char *b)
{
    return fr_str_eq(a, fr_str(b));
}

static inline bool fr_str_starts(struct fr_str a, const char *prefix)
{
    size_t n = strlen(prefix);
    return a.n >= n && (n == 0 || memcmp(a.s, prefix, n) == 0);
}

static inline bool fr_str_ends(struct fr_str a, const char *suffix)
{
    size_t n = strlen(suffix);
    return a.n >= n && (n == 0 || memcmp(a.s + a.n - n, suffix, n) == 0);
}

static inline bool fr_str_starts_nocase(struct fr_str a, const char *prefix)
{
    size_t n = strlen(prefix);
    if (a.n < n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (fr_lower(a.s[i]) != fr_lower(prefix[i]))
            return false;
    return true;
}

static inline bool fr_str_is_nocase(struct fr_str a, const char *b)
{
    return a.n == strlen(b) && fr_str_starts_nocase(a, b);
}

static inline size_t fr_str_chr(struct fr_str a, char c)
{
    const char *p = a.n ? memchr(a.s, c, a.n) : NULL;
    return p ? (size_t)(p - a.s) : (size_t)-1;
}

size_t fr_str_find_n(struct fr_str a, const char *what, size_t n);

static inline size_t fr_str_find(struct fr_str a, const char *what)
{
    return fr_str_find_n(a, what, strlen(what));
}

static inline struct fr_str fr_str_range(struct fr_str a, size_t i, size_t j)
{
    if (j > a.n)
        j = a.n;
    if (i > j)
        i = j;
    return fr_strn(a.s ? a.s + i : a.s, j - i);
}

static inline struct fr_str fr_str_from(struct fr_str a, size_t i)
{
    return fr_str_range(a, i, a.n);
}

/* How many of the first eight bytes are blanks with nothing else before; 0 of a shorter text. Most lines are indented.
 */
static inline size_t fr_blanks_8(struct fr_str a)
{
    uint64_t w;
    if (a.n < sizeof w || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        return 0;
    memcpy(&w, a.s, sizeof w);
    w ^= 0x2020202020202020u;
    return w ? (size_t)__builtin_ctzll(w) / 8 : sizeof w;
}

static inline struct fr_str fr_str_ltrim(struct fr_str a)
{
    size_t blanks = fr_blanks_8(a);
    if (blanks)
        a.s += blanks, a.n -= blanks;
    while (a.n && fr_is_space(*a.s))
        a.s++, a.n--;
    return a;
}

static inline struct fr_str fr_str_rtrim(struct fr_str a)
{
    while (a.n && fr_is_space(a.s[a.n - 1]))
        a.n--;
    return a;
}

static inline struct fr_str fr_str_trim(struct fr_str a)
{
    return fr_str_rtrim(fr_str_ltrim(a));
}

static inline bool fr_take(struct fr_str *a, const char *prefix)
{
    size_t n = strlen(prefix);
    if (!fr_str_starts(*a, prefix))
        return false;
    a->s += n, a->n -= n;
    return true;
}

static inline bool fr_take_str(struct fr_str *a, struct fr_str prefix)
{
    if (a->n < prefix.n || !prefix.n || *a->s != *prefix.s || memcmp(a->s, prefix.s, prefix.n) != 0)
        return false;
    a->s += prefix.n, a->n -= prefix.n;
    return true;
}

static inline bool fr_take_ch(struct fr_str *a, char c)
{
    if (!a->n || *a->s != c)
        return false;
    a->s++, a->n--;
    return true;
}

static inline void fr_take_blanks(struct fr_str *a)
{
    size_t blanks = fr_blanks_8(*a);
    if (blanks)
        a->s += blanks, a->n -= blanks;
    while (a->n && (*a->s == ' ' || *a->s == '\t'))
        a->s++, a->n--;
}

#endif
