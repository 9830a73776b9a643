/* series_pack.c: see series_pack.h. */
#include "series_pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "banned.h"

enum {
    BITS_MAX = 56, /* so that a number that begins within a byte lies within eight; what needs more has 64 */
    STEPS = 0x80,
    PROBE = 16, /* steps that are looked at first: they may need too many bits already */
    VARINT_MAX = 10,
    SLACK = 8 /* bytes that may be read behind the bits */
};

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

static inline void put_8(uint8_t *p, uint64_t v)
{
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(p, &v, sizeof v);
}

static inline uint64_t get_8(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

static uint8_t *put_varint(uint8_t *p, uint64_t difference)
{
    uint64_t v = difference << 1 ^ (0 - (difference >> 63));
    while (v >= 0x80) {
        *p++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *p++ = (uint8_t)v;
    return p;
}

/* Behind the varint, or NULL when there is none or it has more than 64 bits. */
static const uint8_t *get_varint(const uint8_t *p, const uint8_t *end, uint64_t *difference)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < VARINT_MAX && p < end; i++) {
        uint64_t byte = *p++;
        if (i == VARINT_MAX - 1 && byte > 1)
            break;
        v |= (byte & 0x7f) << 7 * i;
        if (byte < 0x80) {
            *difference = v >> 1 ^ (0 - (v & 1));
            return p;
        }
    }
    return NULL;
}

/* ---- packing ----------------------------------------------------------------------------------------------------- */

/* Two at a time, first with each other: of two that follow each other in a comparison each waits for the one before. */
struct fr_range fr_range_of(const int64_t *v, unsigned n)
{
    struct fr_range r = {v[0], v[0]};
    if (v[0] == v[n - 1] && memcmp(v, v + 1, (n - 1) * sizeof *v) == 0) /* a block size, mostly */
        return r;
    for (unsigned i = n % 2; i < n; i += 2) {
        int64_t less = v[i] < v[i + 1] ? v[i] : v[i + 1], more = v[i] < v[i + 1] ? v[i + 1] : v[i];
        r.min = less < r.min ? less : r.min;
        r.max = more > r.max ? more : r.max;
    }
    return r;
}

static unsigned bits_of(struct fr_range r)
{
    uint64_t span = (uint64_t)r.max - (uint64_t)r.min;
    unsigned bits = span ? 64 - (unsigned)__builtin_clzll(span) : 0;
    return bits <= BITS_MAX ? bits : 64;
}

/*
 * n numbers, up to eight, which begin at a whole byte; `together` of them at a time, which fit into BITS_MAX. Writes up
 * to eight bytes more than it says. No branch that depends on the bits: where bytes end follows no rule.
 */
static inline uint8_t *put_some(uint8_t *p, const int64_t *v, unsigned n, unsigned together, uint64_t least,
                                unsigned bits)
{
    uint64_t held = 0;
    unsigned fill = 0; /* bits of `held` that are of the byte at p */
    for (unsigned i = 0; i < n; i += together) {
        held |= ((uint64_t)v[i] - least) << fill;
        if (together == 2)
            held |= ((uint64_t)v[i + 1] - least) << (fill + bits);
        put_8(p, held);
        fill += together * bits;
        p += fill / 8;
        held >>= fill & ~7u;
        fill &= 7;
    }
    return p + (fill > 0);
}

static uint8_t *put_bits(uint8_t *p, const int64_t *v, unsigned n, uint64_t least, unsigned bits)
{
    unsigned i = 0;
    if (bits == 0)
        return p;
    if (bits == 64) {
        for (; i < n; i++)
            put_8(p + 8 * (size_t)i, (uint64_t)v[i] - least);
        return p + 8 * (size_t)n;
    }
    if (bits <= BITS_MAX / 2)
        for (; i + 8 <= n; i += 8, p += bits) /* none waits for the eight before */
            put_some(p, v + i, 8, 2, least, bits);
    for (; i + 8 <= n; i += 8, p += bits)
        put_some(p, v + i, 8, 1, least, bits);
    return put_some(p, v + i, n - i, 1, least, bits);
}

/* The steps, the first number having none; false when they need no fewer bits than that. */
static bool find_steps(const int64_t *v, unsigned n, unsigned bits, int64_t *step, struct fr_range *range)
{
    unsigned probe = n < PROBE ? n : PROBE;
    if (bits == 0 || n < 2)
        return false;
    for (unsigned i = 1; i < probe; i++)
        step[i] = (int64_t)((uint64_t)v[i] - (uint64_t)v[i - 1]);
    *range = fr_range_of(step + 1, probe - 1);
    if (bits_of(*range) >= bits)
        return false;
    for (unsigned i = probe; i < n; i++)
        step[i] = (int64_t)((uint64_t)v[i] - (uint64_t)v[i - 1]);
    *range = fr_range_of(step + 1, n - 1);
    step[0] = range->min;
    return bits_of(*range) < bits;
}

uint8_t *fr_pack(uint8_t *p, const int64_t *v, unsigned n, int64_t before, struct fr_range range)
{
    int64_t step[FR_PACK_SAMPLES];
    struct fr_range steps;
    unsigned bits = bits_of(range);
    if (find_steps(v, n, bits, step, &steps)) {
        bits = bits_of(steps);
        *p++ = (uint8_t)(bits | STEPS);
        p = put_varint(p, (uint64_t)v[0] - (uint64_t)before);
        p = put_varint(p, (uint64_t)steps.min);
        return put_bits(p, step, n, (uint64_t)steps.min, bits);
    }
    *p++ = (uint8_t)bits;
    p = put_varint(p, (uint64_t)range.min - (uint64_t)before);
    return put_bits(p, v, n, (uint64_t)range.min, bits);
}

/* ---- unpacking --------------------------------------------------------------------------------------------------- */

/* Eight bytes behind the bits may be read. */
static void get_bits(const uint8_t *p, int64_t *v, unsigned n, uint64_t least, unsigned bits)
{
    uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    for (unsigned i = 0; i < n; i++) {
        size_t at = (size_t)i * bits;
        v[i] = (int64_t)(least + (get_8(p + at / 8) >> at % 8 & mask));
    }
}

const uint8_t *fr_unpack(const uint8_t *p, const uint8_t *end, int64_t *v, unsigned n, int64_t before)
{
    uint64_t first, least;
    if (p == end)
        return NULL;
    bool steps = *p & STEPS;
    unsigned bits = *p++ & (STEPS - 1u);
    size_t size = ((size_t)n * bits + 7) / 8;
    if ((bits > BITS_MAX && bits != 64) || !(p = get_varint(p, end, &first)))
        return NULL;
    first += (uint64_t)before;
    least = first;
    if (steps && !(p = get_varint(p, end, &least)))
        return NULL;
    if (size > (size_t)(end - p))
        return NULL;
    if ((size_t)(end - p) - size >= SLACK) {
        get_bits(p, v, n, least, bits);
    } else {
        uint8_t padded[FR_PACK_SAMPLES * 8 + SLACK] = {0};
        memcpy(padded, p, size);
        get_bits(padded, v, n, least, bits);
    }
    if (steps)
        for (unsigned i = 0; i < n; i++)
            v[i] = (int64_t)(i ? (uint64_t)v[i - 1] + (uint64_t)v[i] : first);
    return p + size;
}
