/* test_pack: columns of numbers packed to the bits, and bytes that are none. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "series.h"

#include "banned.h"

static int failed;

static void check(bool ok, const char *name, const char *why)
{
    if (ok)
        printf("ok pack %s\n", name);
    else
        printf("FAIL pack %s: %s\n", name, why);
    failed |= !ok;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* Packed and unpacked, of a buffer that ends where the bytes end. The bytes it took, 0 when anything differs. */
static size_t there_and_back(const int64_t *v, unsigned n, int64_t before)
{
    uint8_t room[FR_PACK_MAX + 8];
    int64_t again[FR_PACK_SAMPLES];
    memset(room, 0xa5, sizeof room);
    size_t size = (size_t)(fr_pack(room, v, n, before, fr_range_of(v, n)) - room);
    bool ok = size <= FR_PACK_MAX;
    for (size_t i = FR_PACK_MAX; i < sizeof room; i++)
        ok = ok && room[i] == 0xa5;
    uint8_t *exact = malloc(size);
    if (!exact || !ok)
        abort();
    memcpy(exact, room, size);
    ok = fr_unpack(exact, exact + size, again, n, before) == exact + size && memcmp(v, again, n * sizeof *v) == 0;
    for (size_t cut = 0; cut < size; cut++) { /* as long as it is, no shorter */
        uint8_t *less = malloc(cut + !cut);
        if (!less)
            abort();
        memcpy(less, exact, cut);
        ok = ok && !fr_unpack(less, less + cut, again, n, before);
        free(less);
    }
    free(exact);
    return ok ? size : 0;
}

static const unsigned lengths[] = {1, 2, 3, 7, 8, 9, 17, 127, 128};

/* Numbers of every width about every kind of number, as they are and as steps. */
static void test_widths(void)
{
    static const int64_t about[] = {0, -1, 4096, INT64_MIN, INT64_MAX, INT64_MAX - 77};
    uint64_t seed = 88172645463325252u;
    bool plain = true, sums = true;
    for (unsigned bits = 0; bits <= 64; bits++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
            for (size_t a = 0; a < sizeof about / sizeof *about; a++) {
                int64_t v[FR_PACK_SAMPLES], sum[FR_PACK_SAMPLES];
                uint64_t at = (uint64_t)about[a];
                for (unsigned i = 0; i < lengths[k]; i++) {
                    uint64_t x = bits ? next_random(&seed) >> (64 - bits) : 0;
                    v[i] = (int64_t)((uint64_t)about[a] + x);
                    sum[i] = (int64_t)(at += x);
                }
                plain = plain && there_and_back(v, lengths[k], about[(a + 1) % 6]);
                sums = sums && there_and_back(sum, lengths[k], about[(a + 1) % 6]);
            }
    check(plain, "widths", "numbers differ after packing and unpacking");
    check(sums, "widths of steps", "numbers differ after packing and unpacking");
}

static void test_sizes(void)
{
    int64_t v[FR_PACK_SAMPLES];
    for (unsigned i = 0; i < FR_PACK_SAMPLES; i++)
        v[i] = 4096;
    check(there_and_back(v, FR_PACK_SAMPLES, 4096) == 2, "constant", "takes more than two bytes");
    for (unsigned i = 0; i < FR_PACK_SAMPLES; i++)
        v[i] = 1000 + 1000 * (int64_t)i;
    check(there_and_back(v, FR_PACK_SAMPLES, 0) == 5, "even steps", "take more than five bytes");
    for (unsigned i = 0; i < FR_PACK_SAMPLES; i++)
        v[i] = i * 37 % 128;
    check(there_and_back(v, FR_PACK_SAMPLES, 0) == 2 + 7 * FR_PACK_SAMPLES / 8, "seven bits", "take not seven bits");
    for (unsigned i = 0; i < FR_PACK_SAMPLES; i++)
        v[i] = i % 2 ? INT64_MIN : INT64_MAX;
    check(there_and_back(v, FR_PACK_SAMPLES, 0), "extremes", "differ after packing and unpacking");
}

/* Bytes that no packing makes: refused, or some numbers; never a read outside, which the sanitizers would see. */
static void test_damaged(void)
{
    static const uint8_t odd_width[] = {57, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const uint8_t endless[] = {0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0};
    static const uint8_t too_large[] = {0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2};
    int64_t v[FR_PACK_SAMPLES];
    uint64_t seed = 362436069;
    check(!fr_unpack(odd_width, odd_width + sizeof odd_width, v, 1, 0), "odd width", "57 bits were taken");
    check(!fr_unpack(endless, endless + sizeof endless, v, 1, 0), "endless varint", "it was taken");
    check(!fr_unpack(too_large, too_large + sizeof too_large, v, 1, 0), "varint of 65 bits", "it was taken");
    unsigned refused = 0, taken = 0;
    for (int i = 0; i < 20000; i++) {
        size_t size = next_random(&seed) % 300;
        uint8_t *bytes = malloc(size + !size);
        if (!bytes)
            abort();
        for (size_t k = 0; k < size; k++)
            bytes[k] = (uint8_t)(next_random(&seed) >> 32);
        if (i % 2 && size)
            bytes[0] &= 0x8f; /* few bits, so that there is enough of them */
        const uint8_t *end = fr_unpack(bytes, bytes + size, v, 1 + (unsigned)(next_random(&seed) % 128), 0);
        if (end && end > bytes && end <= bytes + size)
            taken++;
        else if (!end)
            refused++;
        free(bytes);
    }
    check(refused > 1000 && taken > 1000 && refused + taken == 20000, "any bytes", "it ended outside of them");
}

int main(void)
{
    test_widths();
    test_sizes();
    test_damaged();
    return failed;
}
