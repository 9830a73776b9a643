/*
 * dims.h: dimensions (backend, filesystem, image_format, transport, recordsize, compression, raid, device, link) read
 * out of the words of a label, a file name, a heading or a device path, by the dictionary in dims.def.
 */
#ifndef FR_DIMS_H
#define FR_DIMS_H

#include "log.h"
#include "record.h"

/* The dictionary, ready to look words up in: by their first characters. */
enum { FR_DIMS_MAX = 512, FR_DIMS_BUCKETS = 64 };
struct fr_dims {
    uint16_t first[FR_DIMS_BUCKETS], next[FR_DIMS_MAX]; /* entry + 1; 0: none */
};

void fr_dims_init(struct fr_dims *dims);

/*
 * Read `text` and set what it says on the run (test NULL) or the test, as inferred (FR_FROM_DICTIONARY). The first word
 * that says a key wins.
 */
void fr_dims_infer(const struct fr_dims *dims, struct fr_batch *batch, struct fr_run *run, struct fr_test *test,
                   struct fr_str text, uint32_t line);

/*
 * Check a `key=value` of the user. -1 with a message, to which `done` is added, when it is none, or when the key is the
 * name of something that every run has (source, tool, op ...), so that nothing would ever find the tag.
 */
int fr_dims_check(const char *tag, const char *done, struct fr_log *log);

#endif
