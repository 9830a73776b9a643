/*
 * utf8.h: characters of user text, and how wide a terminal shows them.
 */
#ifndef FR_UTF8_H
#define FR_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strbuf.h"

#define FR_REPLACEMENT 0xFFFD

/*
 * Take one character from NUL-terminated UTF-8; 0 at the end. A byte that is not UTF-8 gives U+FFFD, and so do control
 * characters and bidirectional overrides, which could change how a terminal or an editor shows what stands around. CR
 * LF and lone CR give '\n'; a tab gives ' '.
 */
uint32_t fr_utf8_clean(const char **text);
/* The same without any replacement but that of invalid bytes. */
uint32_t fr_utf8_next(const char **text);
void fr_utf8_add(struct fr_strbuf *out, uint32_t c);

/* The number in superscript digits. */
void fr_superscript_add(struct fr_strbuf *out, unsigned number);

/* Columns that a terminal needs for the text: East Asian wide and emoji 2, combining 0. */
size_t fr_utf8_width(const char *text);

#endif
