/*
 * doc.h: a document as parsers see it: clean lines of UTF-8, each knowing its line number in the source.
 *
 * What lies in the way of reading is gone: byte order mark, UTF-16, CR LF, lone CR, ANSI colours, NUL bytes, quoting
 * and indentation (doc.c says what else). A line that ended with a lone CR is a line of its own with the number of its
 * source line, marked FR_LINE_CR: a terminal would have overwritten it.
 *
 * A parser claims the lines it read (`owner`), so that the next ones leave them alone, and so that headings can be
 * found around a run.
 */
#ifndef FR_DOC_H
#define FR_DOC_H

#include "arena.h"
#include "log.h"
#include "scan.h"

enum fr_line_flags {
    FR_LINE_CR = 1,      /* ended by a lone CR: overwritten by the next line on a terminal */
    FR_LINE_QUOTED = 2,  /* had a quoting mark, list mark or log prefix that was taken off */
    FR_LINE_FENCE = 4,   /* a Markdown fence */
    FR_LINE_NOISE = 8,   /* claimed as the tool's own words or a progress line: not a result, not a heading */
    FR_LINE_PARTIAL = 16 /* the source ended without an end of line */
};

struct fr_line {
    struct fr_str text; /* lent by the doc */
    uint32_t no;        /* line number in the source, from 1 */
    uint8_t owner;      /* index of the parser that claimed it plus 1; 0: nobody */
    uint8_t flags;
};

struct fr_doc {
    const char *source; /* for messages */
    struct fr_line *lines;
    size_t n, alloc;
    struct fr_arena arena;
    struct fr_str whole; /* the text that the lines were cut from */
    char *text;          /* the same, when the doc owns it: it was decoded */
    unsigned marks;      /* which of a few characters `whole` holds; for fr_doc_may_hold */
    bool rewritten;      /* there are lines with bytes that `whole` does not have */
    bool ascii;          /* no line holds anything beyond ASCII */
    bool insist;         /* --format names the parser that is to read it: weaker evidence will do */
    bool latin1;         /* was not UTF-8 and was read as ISO-8859-1 */
    bool binary;         /* has so many control bytes that it is no text: n is 0 */
};

/*
 * Make a document of n bytes (lent; must outlive the doc). `doc` is to be released after, also on failure. -1 with a
 * message when it is too big (2^32 - 1 lines, 2^31 bytes).
 */
int fr_doc_init(struct fr_doc *doc, const char *source, const char *bytes, size_t n, struct fr_log *log);
/* A document that is filled line by line, for what a streaming parser leaves over. The text is copied. */
void fr_doc_init_empty(struct fr_doc *doc, const char *source);
void fr_doc_add_line(struct fr_doc *doc, struct fr_str text, uint32_t no, unsigned flags);
void fr_doc_release(struct fr_doc *doc);
/* The same line at the end; its text is lent. */
void fr_doc_push(struct fr_doc *doc, const struct fr_line *line);

/* Would the doc of these bytes be `binary`? */
bool fr_doc_is_binary(const char *bytes, size_t n);

/* Can there be a line that holds this byte? Quick: for probes. */
bool fr_doc_may_hold(const struct fr_doc *doc, char c);

/*
 * For a run's `column`: byte `at` of line i. Several lines may have been cut out of one source line: of those the later
 * one has the greater column.
 */
static inline size_t fr_doc_column(size_t i, size_t at)
{
    return (i << 20) + at;
}

/* Claim lines i..j (inclusive) for the parser of that index. Lines already claimed keep their owner. */
void fr_doc_claim(struct fr_doc *doc, size_t i, size_t j, unsigned owner, unsigned flags);

#endif
