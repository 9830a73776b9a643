/*
 * fio_json_paste.h: JSON that was pasted into a program or printed by one as a string: Python's `b'{\n "fio
 * version"'`, a list of such lines, Go's and TypeScript's `"{\n" +`. Taken apart into the lines it was made of.
 */
#ifndef FR_FIO_JSON_PASTE_H
#define FR_FIO_JSON_PASTE_H

#include "scan.h"
#include "strbuf.h"

enum fr_fj_paste {
    FR_FJ_PLAIN, /* no string */
    FR_FJ_WHOLE, /* this line holds a document as a string */
    FR_FJ_LINED  /* this line is a string of its own, one of those of a document */
};

/* What is this line? A plain line that has fio's key with escaped quotes says that the lines around it are strings. */
enum fr_fj_paste fr_fj_paste_kind(struct fr_str line);

/*
 * The text of such a line, with its escapes resolved, into out (emptied first): whole documents with their line breaks.
 * False: the line is no string, take it as it is.
 */
bool fr_fj_paste_read(struct fr_str line, enum fr_fj_paste kind, struct fr_strbuf *out);

#endif
