/*
 * doc_clean.h: take off what mail programs, Markdown, logs, comments and web pages put around text (doc.h says what a
 * clean line is). Each step needs evidence: a document without such dirt is left as it is.
 */
#ifndef FR_DOC_CLEAN_H
#define FR_DOC_CLEAN_H

#include "doc.h"
#include "strbuf.h"

/*
 * In place: quoted-printable, HTML entities, no-break and zero-width blanks, quoting marks, comment, list and log
 * prefixes, and the blank lines between all lines. Markup (XML) is left alone.
 */
void fr_doc_clean(struct fr_doc *doc);

/* Make it UTF-8: damaged UTF-8 is repaired, what has hardly any of it is ISO-8859-1 (then true). */
bool fr_doc_make_utf8(struct fr_strbuf *text);

#endif
