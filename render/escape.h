/*
 * escape.h: one escape function per dialect: user text in, source out that its reader shows as that text.
 */
#ifndef FR_ESCAPE_H
#define FR_ESCAPE_H

#include <stdbool.h>

#include "strbuf.h"

void fr_escape_md(struct fr_strbuf *out, const char *text);
void fr_escape_text(struct fr_strbuf *out, const char *text);
void fr_escape_html(struct fr_strbuf *out, const char *text);
void fr_escape_latex(struct fr_strbuf *out, const char *text);
void fr_escape_rst(struct fr_strbuf *out, const char *text);
void fr_escape_asciidoc(struct fr_strbuf *out, const char *text);
void fr_escape_org(struct fr_strbuf *out, const char *text);
/* A whole field, quoted where it must be. A text that a spreadsheet would run as a formula gets an apostrophe. */
void fr_escape_csv(struct fr_strbuf *out, const char *text);
/* A whole field; tab, line feed, carriage return and backslash as \t \n \r \\. Formulas as in csv. */
void fr_escape_tsv(struct fr_strbuf *out, const char *text);
/* The inside of a JSON string. */
void fr_escape_json(struct fr_strbuf *out, const char *text);

/* A spreadsheet would take the text for a formula: it begins with = + - @ tab CR (also full-width) and is no number. */
bool fr_text_is_formula(const char *text);

#endif
