/*
 * dd.h: private to the dd parser (dd.c what belongs to which run, dd_items.c what a document holds, dd_line.c the lines
 * dd prints, dd_command.c its command line). The forms by producer: docs/formats/dd.md.
 */
#ifndef FR_DD_H
#define FR_DD_H

#include "parser.h"
#include "rx.h"
#include "strbuf.h"

enum {
    DD_LINE_MAX = 1 << 20, /* bytes of a line that are looked at */
    DD_RESULT_MAX = 400    /* bytes of a result */
};

/* ---- what dd prints (dd_line.c) ---------------------------------------------------------------------------------- */

/* The compiled pattern of a result, to be freed with fr_rx_free; NULL after a message. */
struct fr_rx *fr_dd_rx_new(struct fr_log *log);

/* A printed number: its value, and half a unit of its last digit. */
struct fr_dd_number {
    double value, half;
};

/* `50331648 bytes (50 MB, 48 MiB) copied, 0.109515 s, 460 MB/s` in any language and of any dd. */
struct fr_dd_result {
    size_t from, to; /* where it stands in the text */
    uint64_t bytes;
    struct fr_dd_number seconds;
    bool whole;               /* seconds without a fraction worth the name: a progress line */
    bool moment;              /* in the words of a progress line of BSD and macOS */
    struct fr_dd_number rate; /* as printed, without its unit; value < 0: Infinity */
    double factor;            /* of the rate's unit, with M as 10^6 */
    double factor_binary;     /* with M as 2^20 */
    bool binary;              /* printed as BusyBox and toybox do, who mean 2^20 */
    double size;              /* bytes by the first size in parentheses; < 0: none */
    double size_half;
};

/* Without bold marks, with ASCII commas, and in a string of JSON or a program with line breaks (LF, lone CR). */
void fr_dd_clean(struct fr_str line, struct fr_strbuf *out);
/* May this line hold a result or record counts? Cheap; no false "no". */
bool fr_dd_candidate(struct fr_str line);
/* May a result begin near the end of this line, that goes on in the next? */
bool fr_dd_begins(struct fr_str line);
/* The first result in text at or after `from`. */
bool fr_dd_result(struct fr_rx *rx, struct fr_str text, size_t from, struct fr_dd_result *out);
/* The next `48+0 records in` in *text, which is moved past the counts. */
bool fr_dd_records(struct fr_str *text, uint64_t *full, uint64_t *partial);
/*
 * Bytes per second: bytes over seconds where that lies within the rounding of the printed rate, else the printed rate.
 * < 0: none. *agree is false when the three numbers contradict each other beyond all rounding.
 */
double fr_dd_rate(const struct fr_dd_result *r, bool *agree);

/* ---- its command line (dd_command.c) ----------------------------------------------------------------------------- */

struct fr_dd_command {
    size_t from, to;                                                            /* where it stands in the text */
    struct fr_str bs, ibs, obs, count, skip, seek, conv, iflag, oflag, in, out; /* as written; n = 0: not given */
    double block; /* bytes of an output block; 0: not known */
    enum fr_op op;
    bool progress;      /* status=progress */
    bool loop;          /* stands in a loop of the shell: each round is a run */
    struct fr_str host; /* of a prompt `user@host:` before it */
};

/* The first dd command in text at or after `from`: `dd` with operands, behind a prompt or nothing much. */
bool fr_dd_command(struct fr_str text, size_t from, struct fr_dd_command *out);
/* Are these the words of a shell before a command that it runs several times? */
bool fr_dd_is_loop(struct fr_str before);
/* Can this command have written these bytes in so many records (`has_records`)? 0: no, 1: yes, 2: just what it asked
 * for.
 */
int fr_dd_fits(const struct fr_dd_command *c, uint64_t bytes, bool has_records, uint64_t full, uint64_t partial);

/* ---- what a document holds (dd_items.c) ---------------------------------------------------------------------------
 */

enum { DD_HOSTS_MAX = 64, DD_HOST_LENGTH = 64 };

enum fr_dd_kind { DD_COMMAND, DD_RECORDS, DD_RESULT, DD_FAILURE, DD_INTERRUPT };

struct fr_dd_item {
    enum fr_dd_kind kind;
    unsigned host, section; /* 0: none; section: the one whose output it stands in, as s->section */
    unsigned word; /* of a result alone: what stands before it and is no host, a number of the same list; 0: nothing */
    size_t line;   /* index */
    size_t column;
    size_t foreign;         /* lines of no meaning before this one, in the whole document */
    uint64_t full, partial; /* DD_RECORDS */
    struct fr_dd_result result;
    struct fr_dd_command *command;
    const char *text; /* of a command, a failure */
    uint64_t digest;  /* of the result's text */
    bool overwritten; /* ended by a lone CR */
    bool counted;     /* DD_RESULT: record counts stand before it */
    bool has_records;
    bool used;     /* DD_COMMAND: some run is its */
    bool complete; /* DD_COMMAND: a run has all that it asked for: one with other bytes is not its */
};

struct fr_dd_scan {
    struct fr_rx *rx;
    struct fr_doc *doc;
    struct fr_batch *batch;
    struct fr_log *log;
    unsigned owner;
    struct fr_dd_item *items; /* to be freed */
    size_t n, alloc;
    char hosts[DD_HOSTS_MAX][DD_HOST_LENGTH];
    size_t hosts_n;
    unsigned section; /* the host whose output follows; 0: none was named */
    size_t foreign;
    size_t loop; /* lines that may still be the body of a shell's loop */
};

/* All items of the document in their order; texts live as long as the batch. */
void fr_dd_collect(struct fr_dd_scan *s);

#endif
