/*
 * ingest_reader.h: one source into a batch: which parsers read it, what is one run, which label it has. Inside the
 * library.
 */
#ifndef FR_INGEST_READER_H
#define FR_INGEST_READER_H

#include "input.h"
#include "record.h"

/* A text that is no stream is read whole: at most so many bytes. */
#define FR_READER_MAX ((size_t)1 << 30)

enum fr_read {
    FR_READ_ALL,     /* everything that looked like a result was read */
    FR_READ_PARTLY,  /* something could not be read and was reported; the batch holds the rest */
    FR_READ_NOTHING, /* known by a parser, but there is no result in it: reported as a warning */
    FR_READ_FAILED,  /* nothing could be read: reported as an error */
    FR_READ_BINARY,  /* it is no text: not reported, like these: */
    FR_READ_EMPTY,   /* nothing is in it */
    FR_READ_JSON,    /* JSON, and nothing in it looks like a result */
    FR_READ_OTHER,   /* text, and nothing in it looks like a result */
    FR_READ_KNOWN,   /* `known` said that it need not be read */
    FR_READ_STOPPED  /* `known` failed */
};

struct fr_reader;

/* Lent: options and log must outlive it. NULL with a message when an option is wrong. */
struct fr_reader *fr_reader_new(const struct fr_ingest_options *options, struct fr_log *log);
void fr_reader_free(struct fr_reader *reader);

/*
 * Read `in` to its end. sha256 is set where the batch holds something. `known`, which may be NULL, is
 * asked as soon as the hash is known: 0 read it, 1 leave it, -1 stop.
 */
enum fr_read fr_reader_read(struct fr_reader *reader, struct fr_input *in, struct fr_batch *batch, char sha256[65],
                            int (*known)(void *ctx, const char *name, const char *sha256), void *ctx,
                            struct fr_log *log);

#endif
