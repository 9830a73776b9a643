/* gunzip.c: see gunzip.h. zlib(3). */
#include "gunzip.h"

#include <zlib.h>

#include "banned.h"

enum { GZIP_ONLY = 16 + MAX_WBITS };

struct fr_gunzip {
    struct fr_input *in;
    z_stream stream;
    bool inside;   /* a stream has begun and not ended */
    bool later;    /* one was before it */
    bool all_read; /* the file has no more bytes; of what was read some may still be to be given */
    bool ended;    /* nothing more is to come */
    char block[FR_BLOCK];
};

bool fr_gunzip_is(const char *head, size_t n)
{
    return n >= 3 && memcmp(head, "\x1f\x8b\x08", 3) == 0;
}

struct fr_gunzip *fr_gunzip_new(struct fr_input *in)
{
    struct fr_gunzip *z = calloc(1, sizeof *z);
    if (!z)
        return NULL;
    z->in = in;
    if (inflateInit2(&z->stream, GZIP_ONLY) != Z_OK) {
        free(z);
        return NULL;
    }
    return z;
}

void fr_gunzip_free(struct fr_gunzip *z)
{
    if (!z)
        return;
    inflateEnd(&z->stream);
    free(z);
}

/* Packed bytes to go on with, unless there are some or no more. -1 on an error, reported. */
static int refill(struct fr_gunzip *z, struct fr_log *log)
{
    size_t n;
    if (z->stream.avail_in || z->all_read)
        return 0;
    const char *p = fr_input_next(z->in, &n, log);
    if (!p)
        return -1;
    z->stream.next_in = (Bytef *)(uintptr_t)p; /* zlib's type; it only reads */
    z->stream.avail_in = (uInt)n;
    z->all_read = n == 0;
    return 0;
}

/* Several streams may follow one another; what else follows (padding) is no part of it. False: there is no more. */
static bool in_stream(struct fr_gunzip *z)
{
    if (!z->inside && z->stream.avail_in)
        z->inside = !z->later || *z->stream.next_in == 0x1f;
    return z->inside;
}

/* Go on with the stream. False: it is damaged. */
static bool unpack(struct fr_gunzip *z)
{
    int rc = inflate(&z->stream, Z_NO_FLUSH);
    if (rc == Z_STREAM_END) {
        z->inside = false;
        z->later = true;
        return inflateReset(&z->stream) == Z_OK;
    }
    /* Only when nothing comes out either: at the end of the file a few bytes may still be within. */
    z->ended = rc == Z_BUF_ERROR && z->all_read;
    return rc == Z_OK || rc == Z_BUF_ERROR;
}

const char *fr_gunzip_next(struct fr_gunzip *z, size_t *n, const char **why, struct fr_log *log)
{
    *why = NULL;
    z->stream.next_out = (Bytef *)z->block;
    z->stream.avail_out = FR_BLOCK;
    while (!z->ended && z->stream.avail_out) {
        if (refill(z, log) != 0)
            return NULL;
        if (!in_stream(z)) {
            z->ended = true;
        } else if (!unpack(z)) {
            *why = z->stream.msg ? z->stream.msg : "no gzip data";
            return NULL;
        }
    }
    *n = FR_BLOCK - z->stream.avail_out;
    return z->block;
}

bool fr_gunzip_was_cut(const struct fr_gunzip *z)
{
    return z->ended && z->inside;
}
