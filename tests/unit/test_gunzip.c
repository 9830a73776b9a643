/* test_gunzip.c: wherever a gzip file is cut, all is given that stands before the cut; what follows its end is no harm.
 */
#include "check.h"
#include "gunzip.h"

#include <stdlib.h>
#include <zlib.h>

#include "banned.h"

enum { PLAIN = 600 << 10, PACKED = 1 << 20, GZIP = 16 + MAX_WBITS, PADDING = 512 };

static char plain[PLAIN], packed[PACKED], whole[2 * PLAIN];

/* The first n bytes of `plain` to `to`: the size. */
static size_t pack(char *to, size_t n, int level)
{
    z_stream z = {.next_in = (Bytef *)plain, .avail_in = (uInt)n, .next_out = (Bytef *)to, .avail_out = PACKED / 2};
    deflateInit2(&z, level, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY);
    deflate(&z, Z_FINISH);
    deflateEnd(&z);
    return z.total_out;
}

/* What zlib makes of the first n packed bytes in one go. */
static size_t all_of(size_t n)
{
    z_stream z = {
        .next_in = (Bytef *)packed, .avail_in = (uInt)n, .next_out = (Bytef *)whole, .avail_out = sizeof whole};
    inflateInit2(&z, GZIP);
    inflate(&z, Z_SYNC_FLUSH);
    inflateEnd(&z);
    return z.total_out;
}

/* What the reader makes of them, and whether it calls them cut; -1: damaged, or not the same bytes. */
static long long read_all(size_t packed_n, bool *was_cut)
{
    struct fr_input *in = fr_input_memory("x.gz", packed, packed_n);
    struct fr_gunzip *z = fr_gunzip_new(in);
    const char *block, *why;
    size_t n, at = 0;
    while ((block = fr_gunzip_next(z, &n, &why, NULL)) != NULL && n) {
        if (at + n > PLAIN || memcmp(block, plain + at, n) != 0)
            break;
        at += n;
    }
    *was_cut = fr_gunzip_was_cut(z);
    fr_gunzip_free(z);
    fr_input_close(in);
    return block && !n ? (long long)at : -1;
}

/* Runs of one byte: a few bits are hundreds of bytes, which seldom end where a block of the reader does. */
static void test_cuts(void)
{
    size_t wrong = 0, size = pack(packed, PLAIN, 9);
    bool was_cut;
    for (size_t n = 1; n < size; n++)
        wrong += read_all(n, &was_cut) != (long long)all_of(n) || !was_cut;
    CHECK("cut anywhere", wrong == 0);
    CHECK("whole", read_all(size, &was_cut) == PLAIN && !was_cut);
}

/* Not packed at all, and as long as a block that is read: the padding, or the next stream, begins the next block. */
static void test_padding(void)
{
    bool was_cut;
    size_t n = FR_BLOCK, size;
    while ((size = pack(packed, n, 0)) > FR_BLOCK)
        n--;
    CHECK("as long as a block", size == FR_BLOCK);
    memset(packed + size, 0, PADDING);
    CHECK("padded", read_all(size + PADDING, &was_cut) == (long long)n && !was_cut);
    size_t more = pack(packed + size, 0, 0);
    CHECK("an empty stream behind", read_all(size + more, &was_cut) == (long long)n && !was_cut);
    CHECK("which is cut", read_all(size + more - 1, &was_cut) == (long long)n && was_cut);
    packed[size - 8] ^= 1;
    CHECK("another checksum", read_all(size, &was_cut) == -1);
}

int main(void)
{
    for (size_t i = 0; i < PLAIN; i++)
        plain[i] = (char)('a' + i / 9973 % 7);
    test_cuts();
    test_padding();
    return check_failed;
}
