/*
 * literal.h: a result within a string of a program or of JSON, `"48+0 records in\n48+0 records out\n"`.
 *
 * The document takes long strings apart (doc_clean.h); parsers that can tell their results in a short one, or in any
 * language, do so for a line that is left.
 */
#ifndef FR_LITERAL_H
#define FR_LITERAL_H

#include "scan.h"
#include "strbuf.h"

/* Does the line hold a string in which `\n` is a line break? */
bool fr_literal_is(struct fr_str line);
/* The escape at the start of s (a backslash) of such a string: its bytes; what it stands for is added to `out`. */
size_t fr_literal_escape(struct fr_str s, struct fr_strbuf *out);
/* The whole line, its escapes read, added to `out`. */
void fr_literal_read(struct fr_str line, struct fr_strbuf *out);

#endif
