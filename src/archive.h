/*
 * archive.h: compressed files and archives (gzip, xz, zstd, bzip2, tar, zip) as a row of inputs. A name in an archive
 * is only ever a name: nothing is unpacked to disk.
 */
#ifndef FR_ARCHIVE_H
#define FR_ARCHIVE_H

#include "input.h"

/* Bounds against archives that are made to hurt; what is beyond is left out and said so. */
#define FR_ARCHIVE_DEPTH   4                              /* archives within archives */
#define FR_ARCHIVE_MEMBERS 100000                         /* files in one archive */
#define FR_ARCHIVE_BYTES   ((unsigned long long)64 << 30) /* unpacked, all together, archives within it included */
#define FR_ARCHIVE_RATIO   500                            /* that to packed, once FR_ARCHIVE_SMALL is passed */
#define FR_ARCHIVE_SMALL   ((unsigned long long)256 << 20)

/* Do these first bytes of a file begin one of the formats above? */
bool fr_archive_is(const char *head, size_t n);
/* Is this zip an office document or a book, of which the files are no files of the user's? */
bool fr_archive_is_document(const char *head, size_t n);

/* What an archive and those within it have used up of the bounds. All zero at the outermost. */
struct fr_archive_budget {
    struct fr_input *outermost; /* set by the first walk */
    unsigned long long unpacked;
    bool spent; /* nothing more is unpacked of any of them, reported */
};

/*
 * Call `member` with an input for each file in the archive `in`: named `ARCHIVE/NAME`, or `ARCHIVE` alone for a
 * compressed file that is no archive. Folders, links and devices are passed over. The input is closed after the call.
 * -1 after a message when the archive is damaged or beyond a bound; the members before it were handed over.
 */
int fr_archive_walk(struct fr_input *in, struct fr_archive_budget *budget,
                    void (*member)(void *ctx, struct fr_input *member), void *ctx, struct fr_log *log);

#endif
