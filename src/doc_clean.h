/*
 * doc_clean.h: take off what mail programs, Markdown, logs, comments and web pages put around text (doc.h says what a
 * clean line is). Each step needs evidence: a document without such dirt is left as it is.
 */
#ifndef FR_DOC_CLEAN_H
#define FR_DOC_CLEAN_H

#include "doc.h"
#include "strbuf.h"

/* Lines in which signs of a language or a prefix that is rare are looked for: who has them has them in all of a text.
 */
enum { FR_DOC_LOOK = 20000 };

/*
 * In place: quoted-printable, HTML, no-break and zero-width blanks, quoting marks, comment, list and log prefixes,
 * quotes and escapes of strings, and the blank lines between all lines. XML is left alone; where it is quoted, its
 * elements and entities stay.
 */
void fr_doc_clean(struct fr_doc *doc);

/*
 * The steps of it that are in doc_paste.c: records of a log, JSON or `key=value`, each with a line of the text in it;
 * elements of HTML; strings of programs and of JSON (false: none); Markdown's escapes.
 */
void fr_doc_clean_records(struct fr_doc *doc);
void fr_doc_clean_html(struct fr_doc *doc);
bool fr_doc_clean_strings(struct fr_doc *doc);
void fr_doc_clean_markdown(struct fr_doc *doc);

/* In doc_spans.c: code spans, bold type, highlighting, where figures stand in them. */
void fr_doc_clean_spans(struct fr_doc *doc);

/*
 * In doc_markup.c: clean the document, but for the XML in it. `clean` gets all of it, or what stands between XML;
 * `markup`: XML is quoted there, whose elements and entities must stay.
 */
void fr_doc_around_markup(struct fr_doc *doc, void (*clean)(struct fr_doc *doc, bool markup));

/*
 * In doc_speakers.c: what each line begins with, the same in all of them or the names of a few whose lines are put
 * together then. False: there is nothing of that.
 */
bool fr_doc_clean_speakers(struct fr_doc *doc);
/* The same before every line about a job of fio, whatever it is, taken off. */
void fr_doc_clean_constant(struct fr_doc *doc);

/* What an entity of HTML or an odd blank at the start of the text is in plain text: how long it is; 0: none. */
size_t fr_doc_replacement(struct fr_str at, const char **text);

/* A line by which a result is known. */
bool fr_doc_is_head(struct fr_str text);

/* Make it UTF-8: damaged UTF-8 is repaired, what has hardly any of it is ISO-8859-1 (then true). */
bool fr_doc_make_utf8(struct fr_strbuf *text);

#endif
