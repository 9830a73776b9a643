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

/* printf: "%.*s", FR_STR(view) */
#define FR_STR(x) (int)((x).n > 100000 ? 100000 : (x).n), (x).s ? (x).s : ""

bool fr_str_eq(struct fr_str a, struct fr_str b);
bool fr_str_is(struct fr_str a, const char *b);
/* ASCII letters without regard to case. */
bool fr_str_is_nocase(struct fr_str a, const char *b);
bool fr_str_starts(struct fr_str a, const char *prefix);
bool fr_str_starts_nocase(struct fr_str a, const char *prefix);
bool fr_str_ends(struct fr_str a, const char *suffix);
/* Place of the first (last) occurrence, or (size_t)-1. */
size_t fr_str_find(struct fr_str a, const char *what);
size_t fr_str_rfind(struct fr_str a, const char *what);
size_t fr_str_chr(struct fr_str a, char c);
/* From byte i (to its end; to byte j): clamped to the view. */
struct fr_str fr_str_from(struct fr_str a, size_t i);
struct fr_str fr_str_range(struct fr_str a, size_t i, size_t j);
/* Without blanks, tabs, CR, LF at both ends. */
struct fr_str fr_str_trim(struct fr_str a);
struct fr_str fr_str_ltrim(struct fr_str a);
struct fr_str fr_str_rtrim(struct fr_str a);

/* Take the prefix, the character, all blanks and tabs. */
bool fr_take(struct fr_str *a, const char *prefix);
bool fr_take_ch(struct fr_str *a, char c);
void fr_take_blanks(struct fr_str *a);
/* Take up to the first occurrence of `sep` (which is taken, but not part of the answer), else all of it. */
struct fr_str fr_take_until(struct fr_str *a, char sep);
/* Take a run of characters other than blank and tab, after skipping those. */
struct fr_str fr_take_word(struct fr_str *a);

/* Take digits; false when there are none or the number needs more than 64 bits (*overflow, when given, says which). */
bool fr_take_u64(struct fr_str *a, uint64_t *out, bool *overflow);
/* Take [+-]digits[.digits][e[+-]digits] with a decimal point; never inf or nan. The nearest double. */
bool fr_take_double(struct fr_str *a, double *out);
/* The whole view is such a number. */
bool fr_str_u64(struct fr_str a, uint64_t *out);
bool fr_str_double(struct fr_str a, double *out);

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

#endif
