/* fio_log_numbers.c: the numbers of a line. See fio_log.h. */
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
