/* fio_log_numbers.c: the numbers of a line. See fio_log.h. */
#include "fio_log.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

enum { WINDOW = 64, DIGITS_MAX = 16, HEX_MAX = 8 };
#define COMMA_BLANK 0x202cu /* ", " */

/* A bit for each of the bytes from s on that is no digit. Digits are 0..9 after the xor; the sum of all else is >= 128.
 */
#ifdef __SSE2__
static inline uint64_t no_digits_16(const char *s)
{
    __m128i c = _mm_loadu_si128((const __m128i *)(const void *)s);
    c = _mm_adds_epu8(_mm_xor_si128(c, _mm_set1_epi8('0')), _mm_set1_epi8(128 - 10));
    return (uint64_t)(unsigned)_mm_movemask_epi8(c);
}
#else
static inline uint64_t no_digits_8(const char *s)
{
    uint64_t b;
    memcpy(&b, s, sizeof b);
    b ^= 0x3030303030303030u;
    b |= (b & 0x7f7f7f7f7f7f7f7fu) + 0x7676767676767676u;
    return ((b & 0x8080808080808080u) >> 7) * 0x0102040810204080u >> 56;
}

static inline uint64_t no_digits_16(const char *s)
{
    return no_digits_8(s) | no_digits_8(s + 8) << 8;
}
#endif

static inline uint64_t no_digits(const char *s)
{
    return no_digits_16(s) | no_digits_16(s + 16) << 16 | no_digits_16(s + 32) << 32 | no_digits_16(s + 48) << 48;
}

/* The number of 1 to 8 digits at s. */
static inline uint64_t eight(const char *s, unsigned n)
{
    uint64_t b;
    memcpy(&b, s, sizeof b);
    b = (b ^ 0x3030303030303030u) << (64 - n * 8);
    b = (b * 10 + (b >> 8)) & 0x00ff00ff00ff00ffu;
    b = (b * 100 + (b >> 16)) & 0x0000ffff0000ffffu;
    return (b * 10000 + (b >> 32)) & 0xffffffffu;
}

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
    uint64_t others = no_digits(s) | 1ull << (WINDOW - 1);
    for (unsigned i = 0;; i++) {
        unsigned n = (unsigned)__builtin_ctzll(others);
        uint16_t behind;
        if (n == 1) /* a direction, a priority */
            numbers[i] = *s - '0';
        else if (n - 1 < 8)
            numbers[i] = (int64_t)eight(s, n);
        else if (n - 1 < 16)
            numbers[i] = (int64_t)(eight(s, n - 8) * 100000000 + eight(s + n - 8, 8));
        else
            return NULL;
        if (s[n] == 'x' && n == 1 && *s == '0')
            n += hex_behind(s, &numbers[i]);
        s += n;
        if (i + 1 == columns)
            break;
        memcpy(&behind, s, sizeof behind);
        if (behind != COMMA_BLANK)
            return NULL;
        s += 2;
        others >>= n + 2;
    }
    return *s == '\n' ? s + 1 : NULL;
}

#else

const char *log_line_quick(const char *s, int64_t numbers[LOG_COLUMNS_MAX], unsigned columns)
{
    (void)s;
    (void)numbers;
    (void)columns;
    return NULL;
}

#endif
