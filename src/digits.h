/*
 * digits.h: decimal numbers of known places, for the few formats of which there are millions of lines. Where digits end
 * is found for many bytes at a time, and eight of them become a number at a time.
 */
#ifndef FR_DIGITS_H
#define FR_DIGITS_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define FR_DIGITS_WINDOW 64u /* bytes that fr_digits_ends looks at */
#define FR_DIGITS_MAX    16u /* digits of a number */
#define FR_DIGITS_LOAD   8u
#define FR_DIGITS_NONE   UINT64_MAX /* no digits give this */

/* A bit for each of the FR_DIGITS_WINDOW bytes from s on that is no digit; the last one is taken for none. */
static inline uint64_t fr_digits_ends(const char *s);
/* The number that the n digits at s are, 1 to FR_DIGITS_MAX. Eight bytes from s on may be read. */
static inline uint64_t fr_digits_value(const char *s, unsigned n);
/*
 * The same in two steps, for 1 to FR_DIGITS_LOAD digits: what fr_digits_load gives is alike where the digits are, but
 * for zeros before them, and fr_digits_loaded makes the number of it.
 */
static inline uint64_t fr_digits_load(const char *s, unsigned n);
static inline uint64_t fr_digits_loaded(uint64_t digits);

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#ifdef __SSE2__
static inline uint64_t fr_digits_ends_16(const char *s)
{
    /* Digits are 0..9 after the xor; the sum of anything else is 128 or more. */
    __m128i c = _mm_loadu_si128((const __m128i *)(const void *)s);
    c = _mm_adds_epu8(_mm_xor_si128(c, _mm_set1_epi8('0')), _mm_set1_epi8(128 - 10));
    return (uint64_t)(unsigned)_mm_movemask_epi8(c);
}
#else
static inline uint64_t fr_digits_ends_8(const char *s)
{
    uint64_t b;
    memcpy(&b, s, sizeof b);
    b ^= 0x3030303030303030u;
    b |= (b & 0x7f7f7f7f7f7f7f7fu) + 0x7676767676767676u;
    return ((b & 0x8080808080808080u) >> 7) * 0x0102040810204080u >> 56;
}

static inline uint64_t fr_digits_ends_16(const char *s)
{
    return fr_digits_ends_8(s) | fr_digits_ends_8(s + 8) << 8;
}
#endif

static inline uint64_t fr_digits_load(const char *s, unsigned n)
{
    uint64_t b;
    memcpy(&b, s, sizeof b);
    return (b ^ 0x3030303030303030u) << (64 - n * 8);
}

static inline uint64_t fr_digits_loaded(uint64_t b)
{
    b = (b * 10 + (b >> 8)) & 0x00ff00ff00ff00ffu; /* neighbours are put together, then pairs, then fours */
    b = (b * 100 + (b >> 16)) & 0x0000ffff0000ffffu;
    return (b * 10000 + (b >> 32)) & 0xffffffffu;
}

#else

static inline uint64_t fr_digits_ends_16(const char *s)
{
    uint64_t found = 0;
    for (unsigned i = 0; i < 16; i++)
        found |= (uint64_t)(s[i] < '0' || s[i] > '9') << i;
    return found;
}

static inline uint64_t fr_digits_load(const char *s, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++)
        value = value * 10 + (uint64_t)(s[i] - '0');
    return value;
}

static inline uint64_t fr_digits_loaded(uint64_t digits)
{
    return digits;
}

#endif

static inline uint64_t fr_digits_ends(const char *s)
{
    return fr_digits_ends_16(s) | fr_digits_ends_16(s + 16) << 16 | fr_digits_ends_16(s + 32) << 32 |
           fr_digits_ends_16(s + 48) << 48 | 1ull << (FR_DIGITS_WINDOW - 1);
}

static inline uint64_t fr_digits_value(const char *s, unsigned n)
{
    if (n <= FR_DIGITS_LOAD)
        return fr_digits_loaded(fr_digits_load(s, n));
    return fr_digits_loaded(fr_digits_load(s, n - 8)) * 100000000 + fr_digits_loaded(fr_digits_load(s + n - 8, 8));
}

#endif
