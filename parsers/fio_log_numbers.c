/* fio_log_numbers.c: the numbers of a line. See fio_log.h. */
#include "digits.h"
#include "fio_log.h"

#include "banned.h"

/* ---- any line ---------------------------------------------------------------------------------------------------- */

static inline bool blank(char c)
{
    return c == ' ' || c == '\t';
}

/* A number at *p, decimal or 0x. False when there is none, or too large a one. */
static inline bool number(const char **p, int64_t *out, bool *hex)
{
    const char *s = *p;
    uint64_t x = 0;
    unsigned digit = (unsigned char)*s - (unsigned)'0';
    *hex = false;
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
        *hex = true;
        if (s == start || s - start > 15)
            return false;
    } else {
        do {
            x = x * 10 + digit;
            digit = (unsigned char)*++s - (unsigned)'0';
        } while (digit <= 9);
        if (s - *p > 18)
            return false;
    }
    *p = s;
    *out = (int64_t)x;
    return true;
}

unsigned log_line(const char **p, int64_t numbers[LOG_COLUMNS_MAX], bool *hex)
{
    const char *s = *p;
    unsigned n = 0;
    for (;;) {
        while (blank(*s))
            s++;
        if (n == LOG_COLUMNS_MAX || !number(&s, &numbers[n], hex))
            break;
        n++;
        while (blank(*s))
            s++;
        if (*s == ',') {
            s++;
            continue;
        }
        if (*s == '\n' || (s[0] == '\r' && s[1] == '\n')) {
            *p = s + (*s == '\r') + 1;
            return n;
        }
        break;
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

const char *log_line_quick(const char *s, int64_t numbers[LOG_COLUMNS_MAX], unsigned columns)
{
    uint64_t ends = fr_digits_ends(s);
    for (unsigned i = 0;; i++) {
        unsigned n = (unsigned)__builtin_ctzll(ends);
        if (n == 1) /* a direction, a priority */
            numbers[i] = *s - '0';
        else if (n - 1 < FR_DIGITS_MAX)
            numbers[i] = (int64_t)fr_digits_value(s, n);
        else
            return NULL;
        if (s[n] == 'x' && n == 1 && *s == '0')
            n += hex_behind(s, &numbers[i]);
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
