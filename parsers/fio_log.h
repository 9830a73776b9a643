/*
 * fio_log.h: private to fio_log*.c: fio's log files (write_bw_log, write_iops_log, write_lat_log, write_hist_log).
 *
 * A log is lines of numbers, of fio's without any head (people put one before them: fio_log_head.c). What they are is
 * told by the file's name (`prefix_bw.1.log`), by their count, and where neither says it by their size.
 * docs/formats/fio-log.md describes the columns by version.
 */
#ifndef FIO_LOG_H
#define FIO_LOG_H

#include "input.h"
#include "record.h"
#include "series.h"

#define LOG_COLUMNS_MAX 8
#define LOG_LINE_MAX    ((size_t)64 << 10) /* bytes; a clat_hist line has up to 1859 numbers */
#define LOG_OPS         4                  /* read write trim sync */

enum log_kind { LOG_UNKNOWN, LOG_BW, LOG_IOPS, LOG_SLAT, LOG_CLAT, LOG_LAT, LOG_HIST };

/* What a file's name says. */
struct log_name {
    enum log_kind kind;
    struct fr_str prefix; /* `dir/md0` of `dir/md0_bw.1.log`: without the folder */
    int job;              /* 1, 2, ...; 0: the name has none */
    bool is_log;          /* `.log` stands in it */
};

/* The last `_bw.1.log`, `_clat_hist.2.log`, `_lat.log` ... in the file's name, whatever follows it. */
struct log_name log_name_parse(struct fr_str path);
enum fr_metric_id log_kind_metric(enum log_kind kind);
const char *log_kind_word(enum log_kind kind);

/* How a line is written. */
struct log_form {
    char separator; /* `,` or `;` with or without blanks about it, a tab, or blanks alone; 0: it is one number */
    bool quoted;    /* a number stands in quotation marks */
    bool fraction;  /* a number is none that fio could have written: it has decimals, which are left out here */
    bool hex;       /* the last number began with 0x */
};

/*
 * Take the numbers of one line, between which one and the same separator stands, the priority also in hexadecimal; `.0`
 * behind a number is nothing. `*p` is at its start and moves behind its end of line, which must be there. Returns how
 * many, at most LOG_COLUMNS_MAX; 0 when the line is anything else (*p is behind it all the same).
 */
unsigned log_line(const char **p, int64_t numbers[LOG_COLUMNS_MAX], struct log_form *form);

/* What a column is for, as a head line calls it. */
enum log_role { ROLE_NONE, ROLE_TIME, ROLE_VALUE, ROLE_MAX, ROLE_OP, ROLE_BS, ROLE_OFFSET, ROLE_PRIO, ROLE_ISSUE };

/* A line of names that somebody put before the numbers: fio writes none. n = 0: there is none. */
struct log_head {
    struct fr_str text; /* of the line, lent */
    unsigned n, known;  /* columns, and names that say something */
    enum log_role role[LOG_COLUMNS_MAX];
    enum log_kind kind;  /* by the name of the value; LOG_LAT also for a latency that is not said to be of a kind */
    double per_second;   /* of a latency, by the unit in its name; 0: none is given */
    bool kb;             /* it says kB/s, as many write KiB/s, in which fio logs */
    const char *strange; /* what the unit is of that fio never writes; NULL */
};

/* Is this line a head: the name of a time first, and of another column at least? */
bool log_head_parse(struct log_head *head, struct fr_str line);
const char *log_role_word(enum log_role role);
/* Does a line say nothing: a blank one, or a comment that begins with #? */
bool log_is_comment(struct fr_str line);

/* How the lines of a file are laid out. */
struct log_layout {
    struct log_head head;
    unsigned columns; /* numbers of a line */
    bool window;      /* log_window_value=both: average and maximum, so all else is one further */
    uint8_t extra;    /* enum fr_series_column */
    bool averaged;    /* a line is an interval, not an I/O */
    bool unix_time;   /* time is of 1970 */
    enum log_kind kind;
    bool kind_guessed;
    double per_second; /* latencies: 1e9 nanoseconds, 1e6 microseconds */
    bool unit_guessed; /* not certain: what is usual speaks for it */
    const char *unit_why;
    unsigned lines;    /* that were looked at */
    char refused[160]; /* why what is called a log, and looks like one, is not read; empty */
    char doubted[160]; /* in what the head and the numbers disagree; empty */
};

/*
 * Look at the first lines (n bytes, which may end within one; `all`: they are the whole file). False when they are not
 * lines of a log; where its name or head says that they should be, `refused` says why. `name` may be of any kind.
 */
bool log_layout_find(struct log_layout *layout, const struct log_name *name, const char *bytes, size_t n, bool all);

/* Does this line have the form of a clat_hist line: time, direction, block size and a count for each bucket? */
bool log_is_hist(const char *bytes, size_t n);
/* Read a clat_hist file to its end into the test. -1 after a message. */
int log_hist_read(struct fr_input *in, struct fr_batch *batch, struct fr_test *test, struct fr_log *log);

/* Takes lines: whole ones, from p to end; the last character is a newline. *line is the number of the first, and grows
 * with each. */
struct log_reader {
    void *ctx;
    void (*lines)(void *ctx, const char *p, const char *end, uint32_t *line);
};

/*
 * Hand all lines of the input to the reader, in blocks. Lines longer than LOG_LINE_MAX are reported and left out. A
 * last line without a newline gets one, and *open_end is set. -1 after a message.
 */
int log_read_lines(struct fr_input *in, const struct log_reader *reader, bool *open_end, struct fr_log *log);

#endif
