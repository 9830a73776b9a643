/*
 * fio_json_scan.h: finds JSON documents in a text that is pushed in line by line, and cuts what fio wrote into pieces.
 *
 * It knows the structure of JSON and no more: strings, brackets, keys. Out come the members of a document's head and
 * the elements of `jobs` or `client_stats`, each as text small enough for a whole-document JSON library, so that a file
 * of any size needs the memory of its largest job. The document may be wrapped: the object that holds `fio version` or
 * the job list may lie within other objects and lists.
 *
 * Lines that cannot be JSON (messages that fio or a shell wrote in between) are handed back as text, also in the middle
 * of a document. A line of its own that opens a new fio document while one is open says that the open one was cut
 * short.
 */
#ifndef FR_FIO_JSON_SCAN_H
#define FR_FIO_JSON_SCAN_H

#include "scan.h"
#include "strbuf.h"

#define FR_FJ_DEPTH     64                  /* open brackets; a deeper document is given up */
#define FR_FJ_JOB_MAX   ((size_t)64 << 20)  /* bytes of one element */
#define FR_FJ_KEY_MAX   ((size_t)256)       /* bytes of a key that is looked at */
#define FR_FJ_TAKEN_MAX ((size_t)1 << 20)   /* bins that are taken out of one element; more stay in its text */
#define FR_FJ_PIECE_MAX ((size_t)256 << 10) /* a line longer than this is pushed in pieces */

enum fr_fj_end {
    FR_FJ_COMPLETE,
    FR_FJ_CUT,    /* the text ended, or another document began */
    FR_FJ_BROKEN, /* brackets do not match, or lie too deep */
};

/* A counter of a histogram as json+ writes it. */
struct fr_fj_bin {
    uint64_t key, count;
};

/*
 * Lines `"KEY" : COUNT,` of an element, whole numbers both: most of a json+ file. They are taken out of its text; a
 * byte at `at` holds their place.
 */
struct fr_fj_run {
    size_t at, first, n; /* offset in the text; bins of this run */
    uint32_t line;       /* of the first; each has a line of its own */
};

struct fr_fj_taken {
    struct fr_fj_bin *bins;
    struct fr_fj_run *runs;
    size_t n, alloc, runs_n, runs_alloc;
};

/* A piece of text and where its first byte stands. */
struct fr_fj_text {
    struct fr_str text;              /* lent until the callback returns; its line breaks count source lines */
    const struct fr_fj_taken *taken; /* out of the text */
    uint32_t line;                   /* where the value begins */
    uint32_t key_line;               /* where its key stands */
    bool truncated;                  /* it was longer than FR_FJ_JOB_MAX */
};

struct fr_fj_ops {
    /* A line (or a part of one: before or after a document in the same line) that is no JSON. */
    void (*text)(void *ctx, struct fr_str text, uint32_t no, unsigned flags, size_t tag, bool whole);
    /* A line that is part of the document. */
    void (*json)(void *ctx, size_t tag);
    void (*begin)(void *ctx, uint32_t line, size_t tag);
    /* A member of the head: `fio version`, `timestamp`, `timestamp_ms`, `time`, `global options`, `disk_util`. */
    void (*member)(void *ctx, struct fr_str key, const struct fr_fj_text *value);
    /* An element of the job list; `list` is its key. */
    void (*element)(void *ctx, struct fr_str list, const struct fr_fj_text *value);
    /* A job list begins (it may be empty). */
    void (*list)(void *ctx, struct fr_str key, uint32_t line);
    /* The object that holds the head is complete; another one may follow in the same document. */
    void (*head_end)(void *ctx, uint32_t line);
    /* `in_element`: the end came within an element that began at that line; 0: it did not. */
    void (*end)(void *ctx, uint32_t line, enum fr_fj_end how, uint32_t in_element);
};

struct fr_fj_scan {
    const struct fr_fj_ops *ops;
    void *ctx;

    bool open;                  /* within a document */
    char quote, string_quote;   /* of the document; of the string at hand */
    char kind[FR_FJ_DEPTH + 1]; /* '{' or '[' */
    unsigned depth;
    unsigned head_depth; /* depth of the object with the head; 0: not seen yet */
    unsigned list_depth; /* depth of the job list; 0: not within it */
    char expect;         /* 'k' key, ':' colon, 'v' value, ',' comma or end */
    bool in_string, escaped, string_is_key, in_scalar;
    uint64_t digest; /* of all values captured since the document began */

    char key[FR_FJ_KEY_MAX], list_key[16];
    size_t key_n;
    uint32_t key_line;

    unsigned capture; /* depth within which the captured value lies plus 1; 0: none */
    bool capture_element, capture_truncated;
    uint32_t capture_line, capture_at; /* first line; line of its last byte so far */
    const char *capture_from;          /* in the piece at hand */
    struct fr_strbuf captured;
    struct fr_fj_taken taken;
    uint32_t taken_no; /* line of the last one */

    bool holding; /* a line that ends in `{` waits for the next one */
    struct fr_strbuf held;
    uint32_t held_no;
    unsigned held_flags;
    size_t held_tag;
    uint32_t last_no; /* of the last JSON line */
};

void fr_fj_scan_init(struct fr_fj_scan *scan, const struct fr_fj_ops *ops, void *ctx);
/*
 * Push a line without its end, or a piece of a long one: `starts` with the first piece, `ends` with the last. no: its
 * number; flags: enum fr_line_flags; tag: handed through.
 */
void fr_fj_scan_line(struct fr_fj_scan *scan, struct fr_str line, uint32_t no, unsigned flags, size_t tag, bool starts,
                     bool ends);
/*
 * Take whole lines of bins from p, as long as there are such; *no is the number of the first line and goes with them.
 * Returns where others begin. Without it fr_fj_scan_line does the same, line by line.
 */
const char *fr_fj_scan_bins(struct fr_fj_scan *scan, const char *p, const char *end, uint32_t *no);
/* The text is at its end. */
void fr_fj_scan_end(struct fr_fj_scan *scan);
void fr_fj_scan_release(struct fr_fj_scan *scan);

#endif
