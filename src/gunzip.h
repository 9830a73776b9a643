/*
 * gunzip.h: a gzip file (RFC 1952), unpacked block by block. What stands before the place where a file was cut is given
 * to the last byte (libarchive keeps back the block in which that happens); checksums are checked.
 */
#ifndef FR_GUNZIP_H
#define FR_GUNZIP_H

#include "input.h"

struct fr_gunzip;

bool fr_gunzip_is(const char *head, size_t n);

/* `in` is lent and must outlive it. NULL: out of memory. */
struct fr_gunzip *fr_gunzip_new(struct fr_input *in);
void fr_gunzip_free(struct fr_gunzip *z);

/*
 * The next block, lent until the next call; *n = 0 at the end. NULL: reading failed, which was reported (*why is NULL),
 * or the file is damaged (*why, static, says how; not reported).
 */
const char *fr_gunzip_next(struct fr_gunzip *z, size_t *n, const char **why, struct fr_log *log);
/* Did the file end before the stream in it? Known at its end. */
bool fr_gunzip_was_cut(const struct fr_gunzip *z);

#endif
