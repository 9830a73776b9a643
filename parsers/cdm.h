/*
 * cdm.h: private to the CrystalDiskMark parser (cdm.c the blocks, cdm_row.c the rows, cdm_section.c their headings,
 * cdm_foot.c what stands below them, cdm_run.c what can be told of a run once it is complete). The grammar by version:
 * docs/formats/crystaldiskmark.md.
 */
#ifndef FR_CDM_H
#define FR_CDM_H

#include "parser.h"
#include "strbuf.h"

enum {
    CDM_COLUMNS = 8,       /* results side by side on one row */
    CDM_TESTS = 64,        /* tests of one run */
    CDM_LINE_MAX = 1 << 20 /* bytes of a line that are looked at */
};

/* ---- text and rows (cdm_row.c) ----------------------------------------------------------------------------------- */

/*
 * The line as CrystalDiskMark wrote it: full-width characters become ASCII, tabs two blanks. In a string literal `\r\n`
 * becomes a line break: `out` may then hold several lines.
 */
void fr_cdm_clean(struct fr_str line, struct fr_strbuf *out);

/* Take off what people put before a line: blanks, `>`, `//`, `*`, `#`, `"` and the like. */
struct fr_str fr_cdm_unprefix(struct fr_str text);

/* Take the word, ASCII letters without regard to case; it must end there. */
bool fr_cdm_take_word(struct fr_str *a, const char *word);

struct fr_cdm_cell {
    double rate, rate_half; /* bytes per second as the unit says, half a unit of its last digit; rate < 0: none */
    double rate_alt;        /* with its comma read as a thousands mark; < 0: not ambiguous */
    double iops, iops_half; /* < 0: none */
    double lat;             /* seconds; < 0: none */
    size_t at;              /* byte in the text */
    bool comma;             /* a decimal comma was read */
};

struct fr_cdm_row {
    bool random;
    bool gap;           /* `1 MiB` with a blank: KDiskMark's way */
    bool sized, queued; /* a block size, a Q or T is printed */
    bool iops_decides;  /* the block size is none that is printed: IOPS told it */
    enum fr_op op;      /* of the label itself, else FR_OP_NONE */
    double block;       /* bytes; 0: not known */
    unsigned q, t;      /* outstanding I/Os per thread, threads */
    size_t n;
    struct fr_cdm_cell cell[CDM_COLUMNS];
};

enum fr_cdm_found {
    FR_CDM_NONE,  /* no label here */
    FR_CDM_ROW,   /* a row with values */
    FR_CDM_BROKEN /* a label with Q and T and a colon, but no figure that can be read */
};

/*
 * A row that begins at text.s[at]; `known` says that a header of CrystalDiskMark stands above, which lets rows
 * without Q, T and decimals pass. *end is where it ends.
 */
enum fr_cdm_found fr_cdm_row(struct fr_str text, size_t at, bool known, struct fr_cdm_row *row, size_t *end);
/* The next place from `at` on where a row's label may begin, or (size_t)-1. */
size_t fr_cdm_label(struct fr_str text, size_t at);
/* `SEQ1M Q8T1`. `out` holds 64 characters. */
const char *fr_cdm_name(const struct fr_cdm_row *row, char out[64]);
/* Is this a row of a list kept by hand, `SEQ1M Q8T1: read 7409, write 6505`? */
bool fr_cdm_by_hand(struct fr_str text);

/* ---- a complete run (cdm_run.c) ---------------------------------------------------------------------------------- */

/* One run; several stand side by side. */
struct fr_cdm_column {
    struct fr_run *run;
    struct fr_test *tests[CDM_TESTS];
    unsigned ops[CDM_TESTS]; /* bit of each enum fr_op that was seen */
    bool random[CDM_TESTS];
    size_t n;
};

/* Its params `rw`, and what is wrong with it: rows whose heading was lost, KDiskMark's wrong row. */
void fr_cdm_column_end(struct fr_batch *batch, struct fr_cdm_column *column, const char *source, struct fr_log *log);

/* ---- below the rows (cdm_foot.c) --------------------------------------------------------------------------------- */

/* Does text begin with `Profile:`, `Test :` ...? */
bool fr_cdm_is_foot(struct fr_str text);
/*
 * Read the lines `Profile:`, `Test :`, `Date:` ... in `text` (one, or several that were joined) into n runs. False
 * when it holds none. *ended: the OS line was read, after which 3.x prints a comment without a name.
 */
bool fr_cdm_foot(struct fr_batch *batch, struct fr_run **runs, size_t n, struct fr_str text, const char *source,
                 uint32_t line, bool *ended, struct fr_log *log);

/* `[Read]`, `[Mix] Read 70%/Write 30%` at or after `at`: where it begins and ends; (size_t)-1: there is none. */
size_t fr_cdm_section(struct fr_str t, size_t at, enum fr_op *op, size_t *end);
/* `Write:`, `**Write**`, `# Write` alone in a line, as people retype a section's line. */
bool fr_cdm_bare_section(struct fr_str t, enum fr_op *op);

#endif
