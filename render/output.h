/*
 * output.h: files are written whole or not at all, and never over somebody else's.
 */
#ifndef FR_OUTPUT_H
#define FR_OUTPUT_H

#include "log.h"
#include "strbuf.h"

/* May `path` be written? Not when a file is there that fioreport did not write, unless `force`. -1 with a message. */
int fr_output_check(const char *path, bool force, struct fr_log *log);
/* The name of a file beside `path`, to be written and renamed. Yours to free. */
char *fr_output_temp(const char *path);
/* Rename it, or remove it when that fails. -1 with a message. */
int fr_output_commit(const char *temp, const char *path, struct fr_log *log);
/* All of it at once. -1 with a message. */
int fr_output_write(const char *path, const char *bytes, size_t n, struct fr_log *log);
/* The time to write into files: $SOURCE_DATE_EPOCH, else a fixed one, so that the same data gives the same bytes. */
long long fr_output_time(void);

#endif
