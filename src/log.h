/*
 * log.h: how the library speaks. It never prints: everything it has to say goes to the caller's sink (struct fr_log in
 * fioreport.h), with the file and line it is about.
 *
 * Wording: `what is wrong, what was done about it`, one sentence, no capital, no full stop: the program prints
 * `fioreport: FILE:LINE: level: message`.
 */
#ifndef FR_LOG_H
#define FR_LOG_H

#include "fioreport.h"

/*
 * Report at FILE:LINE (line 0: the file as a whole; file NULL: nothing to do with a file). `log` may be NULL (silent).
 * fr_log_error returns -1, so that a failing function can end with `return fr_log_error(...)`.
 */
int fr_log_error(struct fr_log *log, const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void fr_log_warn(struct fr_log *log, const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void fr_log_note(struct fr_log *log, const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* For --explain only: where a label, a dimension or a decision came from. */
void fr_log_explain(struct fr_log *log, const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
