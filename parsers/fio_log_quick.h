/*
 * fio_log_quick.h: private to parsers/fio_log.c: the numbers of a line as fio itself writes it, of which there are
 * millions. It stands here because it is made anew for each number of columns, which saves a tenth of all.
 */
#ifndef FIO_LOG_QUICK_H
#define FIO_LOG_QUICK_H

#include "digits.h"
#include "fio_log.h"

/* The numbers of a line, and of the lines before what saves time: the same number stands in many of them. Zeroed first.
 */
struct log_quick {
    int64_t numbers[LOG_COLUMNS_MAX];
    uint64_t digits[LOG_COLUMNS_MAX]; /* from which they were made (fr_digits_load), or FR_DIGITS_NONE */
};

/*
 * log_line for lines as fio itself writes them: `columns` decimal numbers of up to 16 digits or hexadecimal ones of up
 * to 8, with exactly ", " between, in at most 64 bytes. LOG_SLACK bytes from s on may be read. Returns where the next
 * line begins; NULL where the line is otherwise (it may still be one).
 */
#define LOG_SLACK 96 /* the window that is looked at, and numbers that begin within */
static inline const char *log_line_quick(const char *s, struct log_quick *line, unsigned columns);

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

static inline const char *log_line_quick(const char *s, struct log_quick *line, unsigned columns)
{
    uint64_t ends = fr_digits_ends(s);
#pragma GCC unroll 8
    for (unsigned i = 0; i < columns; i++) {
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
            return *s == '\n' ? s + 1 : NULL;
        if (memcmp(s, ", ", 2) != 0)
            return NULL;
        s += 2;
        ends >>= n + 2;
        if (!ends) /* longer than the window */
            return NULL;
    }
    return NULL;
}

#endif
