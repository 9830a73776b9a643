/* fio_log_numbers.c: the numbers of a line. See fio_log.h. */
#include "digits.h"
#include "fio_log.h"

#include "banned.h"

/* ---- any line ---------------------------------------------------------------------------------------------------- */

static inline bool blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Decimals at *p, if any. */
static inline void decimals(const char **p, struct log_form *form)
{
    const char *s = *p;
    if (*s != '.' || !fr_is_digit(s[1]))
        return;
    for (s++; fr_is_digit(*s); s++)
        form->fraction |= *s != '0';
    *p = s;
}

/* A number at *p, decimal or 0x. False when there is none, or too large a one. */
static inline bool number(const char **p, int64_t *out, struct log_form *form)
{
    const char *s = *p;
    uint64_t x = 0;
    unsigned digit = (unsigned char)*s - (unsigned)'0';
    form->hex = false;
    if (digit > 9)
        return false;
    if (digit == 0 && s[1] == 'x') {
        const char *start = s += 2;
        for (;; s++) {
            char c = fr_lower(*s);
            if (fr_is_digit(c))
                x = x << 4 | (uint64_t)(c - '0');
            else if (c >= 'a' && c <= 'f')
                x = x << 4 | (uint64_t)(c - 'a' + 10);
            else
                break;
        }
        form->hex = true;
        if (s == start || s - start > 15)
            return false;
    } else {
        do {
            x = x * 10 + digit;
            digit = (unsigned char)*++s - (unsigned)'0';
        } while (digit <= 9);
        if (s - *p > 18)
            return false;
        decimals(&s, form);
    }
    *p = s;
    *out = (int64_t)x;
    return true;
}

/* The same in quotation marks, or not. */
static inline bool cell(const char **p, int64_t *out, struct log_form *form)
{
    const char *s = *p;
    if (*s != '"')
        return number(p, out, form);
    s++;
    if (!number(&s, out, form) || *s != '"')
        return false;
    form->quoted = true;
    *p = s + 1;
    return true;
}

/* What stands between two numbers, with the blanks about it; 0 at the end of a line and before anything else. */
static inline char separator(const char **p)
{
    const char *s = *p;
    char c = 0;
    while (blank(*s))
        c = *s++ == '\t' || c == '\t' ? '\t' : ' ';
    if (*s == ',' || *s == ';')
        c = *s++;
    while (blank(*s))
        s++;
    *p = s;
    return c;
}

unsigned log_line(const char **p, int64_t numbers[LOG_COLUMNS_MAX], struct log_form *form)
{
    const char *s = *p;
    unsigned n = 0;
    *form = (struct log_form){.separator = 0};
    while (blank(*s))
        s++;
    while (n < LOG_COLUMNS_MAX && cell(&s, &numbers[n], form)) {
        n++;
        char c = separator(&s);
        if (*s == '\n' || (s[0] == '\r' && s[1] == '\n')) {
            if (c == ',' || c == ';') /* the last number is missing */
                break;
            *p = s + (*s == '\r') + 1;
            return n;
        }
        if (!c || (n > 1 && c != form->separator))
            break;
        form->separator = c;
    }
    while (*s != '\n')
        s++;
    *p = s + 1;
    return 0;
}

/* ---- most lines -------------------------------------------------------------------------------------------------- */

enum { HEX_MAX = 8 };

/* How many bytes the x and its digits have behind the 0 at s; 0 when there are no digits. */
static inline unsigned hex_behind(const char *s, int64_t *out)
{
    unsigned n = 0;
    uint64_t x = 0;
    for (; n < HEX_MAX; n++) {
        char c = fr_lower(s[2 + n]);
        if (!fr_is_digit(c) && (c < 'a' || c > 'f'))
            break;
        x = x << 4 | (uint64_t)(fr_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    if (n)
        *out = (int64_t)x;
    return n ? n + 1 : 0;
}

/* Number i of the line, of 2 digits or more. */
static inline void take_digits(const char *s, unsigned n, struct log_quick *line, unsigned i)
{
    if (n <= FR_DIGITS_LOAD) {
        uint64_t digits = fr_digits_load(s, n);
        if (digits == line->digits[i])
            return;
        line->digits[i] = digits;
        line->numbers[i] = (int64_t)fr_digits_loaded(digits);
    } else {
        line->digits[i] = FR_DIGITS_NONE;
        line->numbers[i] = (int64_t)fr_digits_value(s, n);
    }
}

const char *log_line_quick(const char *s, struct log_quick *line, unsigned columns)
{
    uint64_t ends = fr_digits_ends(s);
    for (unsigned i = 0;; i++) {
        unsigned n = (unsigned)__builtin_ctzll(ends);
        if (n == 1) { /* a direction, a priority */
            line->digits[i] = FR_DIGITS_NONE;
            line->numbers[i] = *s - '0';
            if (s[1] == 'x' && *s == '0')
                n += hex_behind(s, &line->numbers[i]);
        } else if (n - 1 < FR_DIGITS_MAX) {
            take_digits(s, n, line, i);
        } else {
            return NULL;
        }
        s += n;
        if (i + 1 == columns)
            break;
        if (memcmp(s, ", ", 2) != 0)
            return NULL;
        s += 2;
        ends >>= n + 2;
        if (!ends) /* longer than the window */
            return NULL;
    }
    return *s == '\n' ? s + 1 : NULL;
}
