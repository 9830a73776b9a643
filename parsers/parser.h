/*
 * parser.h: what a parser is, and the recipe for a new format.
 *
 * 1. Write parsers/NAME.c: static functions, and one `const struct fr_parser fr_parser_NAME` at its end. It includes
 *    parser.h and core headers (src/), nothing of another parser.
 * 2. Add one line to parsers/registry.c. Order matters: a parser further up claims its lines first.
 * 3. Put samples into samples/NAME/, run `make bless`, read the .records it made against the sample, by eye.
 * 4. Describe the grammar in docs/formats/NAME.md; its examples are parsed by a test.
 *
 * A document is not one format. So a parser scans a whole document for what it knows, skips all else, and adds runs
 * with the lines where they stand. It claims what it read with fr_doc_claim(). The driver sorts the runs by position,
 * joins what is one run (identity.c), finds labels (label.c) and stores them. What looks like a result and cannot be
 * read is reported with file and line: nothing is dropped in silence, nothing is invented.
 */
#ifndef FR_PARSER_H
#define FR_PARSER_H

#include "doc.h"
#include "input.h"
#include "log.h"
#include "record.h"

struct fr_parser {
    const char *name;     /* `fio-json`: as --format and --explain say it */
    const char *tool;     /* `fio` */
    const char *title;    /* one line for `fioreport formats` */
    const char *versions; /* which versions of the tool, for `fioreport formats` */

    /* State kept for a whole ingest (compiled patterns); NULL functions: none. new returns NULL after a message. */
    void *(*state_new)(struct fr_log *log);
    void (*state_free)(void *state);

    /* Is a scan of this document worth it? Cheap; no false "no". `owner` is 0 for lines that nobody claimed. */
    bool (*probe)(const struct fr_doc *doc);
    /*
     * Scan the document, add runs to the batch, claim lines as `owner`. -1 when something was found that could not be
     * read (reported): what was read is kept all the same.
     */
    int (*scan)(void *state, struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log);

    /*
     * For formats whose files may be huge, else NULL. probe_stream: do these first bytes begin a file that this parser
     * reads as a stream? stream: read it to its end; what is not of this format is handed back as lines of `rest` (may
     * stay empty), which the other parsers then scan. -1 as above.
     */
    bool (*probe_stream)(const char *name, const char *head, size_t n);
    int (*stream)(void *state, struct fr_input *in, struct fr_doc *rest, struct fr_batch *batch, struct fr_log *log);
};

/* All parsers, ended by NULL. */
extern const struct fr_parser *const fr_parsers[];

#endif
