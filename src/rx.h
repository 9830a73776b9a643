/*
 * rx.h: regular expressions (PCRE2, JIT where there is one). Only for formats with real alternatives: dispatch on the
 * first characters of a line first, scan.h does the rest.
 */
#ifndef FR_RX_H
#define FR_RX_H

#include "log.h"
#include "scan.h"

struct fr_rx;

/* Compile. The pattern is UTF-8 and fixed in the program; NULL (with a message) only when memory is out. */
struct fr_rx *fr_rx_new(const char *pattern, struct fr_log *log);
void fr_rx_free(struct fr_rx *rx);
/*
 * Match `subject` from its start (use ^ to anchor). groups[0] is the whole match, groups[i] group i (n = 0, s = NULL
 * when it took no part). False when it does not match, or needs more steps than a sane line would.
 */
bool fr_rx_match(struct fr_rx *rx, struct fr_str subject, struct fr_str *groups, size_t n);

#endif
