/*
 * series_pack.h: numbers in few bits, a column of a block of samples at a time.
 *
 * Frame of reference with binary packing: the least number of the block stands once, of the others what they are above
 * it, each in as many bits as the greatest needs. (J. Goldstein, R. Ramakrishnan, U. Shaft, "Compressing relations and
 * indexes", ICDE 1998; in blocks of 128 as in D. Lemire, L. Boytsov, "Decoding billions of integers per second through
 * vectorization", Software: Practice and Experience 45 (2015), doi:10.1002/spe.2203.) Where the steps from number to
 * number need fewer bits than the numbers, as those of even times and of sequential offsets do, the steps are packed.
 *
 * A packed column of n numbers:
 *
 *     byte      bits of a number, 0 to 56 or 64; with 128 added the steps are packed
 *     varint    numbers: the least one; steps: the first number. As the difference to the column's last number in the
 *               block before (to 0 in the first block of a chunk)
 *     varint    steps only: the least step
 *     bits      n times so many, the lowest first: what the number, or the step to it, is above the least. A first
 *               number has no step and 0 here. Filled up to a whole byte with 0
 *
 * A varint is LEB128 of the zigzag, at most ten bytes: the low seven bits come first; 0 -1 1 -2 ... are 0 1 2 3 ...
 * Differences and steps wrap at 64 bits.
 */
#ifndef FR_SERIES_PACK_H
#define FR_SERIES_PACK_H

#include <stdint.h>

#define FR_PACK_SAMPLES 128u                                    /* numbers of a block, at most */
#define FR_PACK_MAX     (1u + 2 * 10 + FR_PACK_SAMPLES * 8 + 8) /* bytes that fr_pack may write for a column */

struct fr_range {
    int64_t min, max;
};

/* The least and the greatest of n numbers, n > 0. */
struct fr_range fr_range_of(const int64_t *v, unsigned n);

/*
 * Pack the column of 1 to FR_PACK_SAMPLES numbers at p, which has room for FR_PACK_MAX bytes; `range` is theirs,
 * `before` the last number of the block before. The end of what was packed.
 */
uint8_t *fr_pack(uint8_t *p, const int64_t *v, unsigned n, int64_t before, struct fr_range range);

/*
 * Unpack n numbers, 1 to FR_PACK_SAMPLES. The bytes from p to end may be anything. Behind what was read, or NULL when
 * they are no packed column.
 */
const uint8_t *fr_unpack(const uint8_t *p, const uint8_t *end, int64_t *v, unsigned n, int64_t before);

#endif
