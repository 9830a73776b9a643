/*
 * fio_text.h: private to parsers/fio_text*.c: the reader of fio's normal ("text") output, all versions.
 *
 * The way of a line: the document's line is cut at known beginnings where several stand in one line, a wrapped one is
 * joined (fio_text_line.c); ft_kind_of() says by its first characters what it is; fio_text.c hands it to the function
 * of its kind; facts go to the current test at once, except the figures of a direction, which wait until the test is
 * complete, because `issued` (which comes last) tells more than their print (fio_text_refine.c).
 *
 * docs/formats/fio-text.md describes the grammar by version.
 */
#ifndef FIO_TEXT_H
#define FIO_TEXT_H

#include "fio_options.h"
#include "parser.h"

/* What a line is. */
enum ft_kind {
    FT_NONE,
    FT_HEADER,   /* job: (g=0): rw=read, bs=..., ioengine=..., iodepth=1 */
    FT_JOB,      /* job: (groupid=0, jobs=1): err= 0: pid=1: DATE */
    FT_DIR,      /* read: IOPS=..., write: io=... */
    FT_SHORT,    /* seqread: IOPS=..., READ: bw=..., iops=...: somebody's own */
    FT_LAT,      /* clat (usec): min=... */
    FT_PCT_HEAD, /* clat percentiles (usec): */
    FT_PCT_ROW,  /* |  1.00th=[  404], ... */
    FT_PRIO,     /* clat prio 1/0 (usec): min=..., high prio (30.71%) clat percentiles (usec): */
    FT_BW,       /* bw (  KiB/s): min=... */
    FT_IOPS,     /* iops        : min=... */
    FT_BUCKETS,  /* lat (usec)   : 100=0.02%, ... */
    FT_CPU,
    FT_DEPTH,  /* IO depths, submit, complete */
    FT_ISSUED, /* issued rwts: total=... */
    FT_ERRORS, /* errors    : total=1, first_error=28/<...> */
    FT_LATENCY,
    FT_STEADY,
    FT_FSYNC, /* fsync/fdatasync/sync_file_range: */
    FT_GROUP, /* Run status group 0 (all jobs): */
    FT_GROUP_DIR,
    FT_DISK_HEAD,
    FT_DISK,
    FT_VERSION,     /* fio-3.19 */
    FT_STARTING,    /* Starting 8 processes */
    FT_ETA,         /* Jobs: 1 (f=1): ... */
    FT_CLONE,       /* ... */
    FT_MESSAGE,     /* fio: ... */
    FT_HOSTNAME,    /* hostname=alpha, be=0, ... fio=fio-3.33 */
    FT_DESCRIPTION, /* Description  : [what --description says] */
    FT_NOISE,       /* fio's own words that say nothing: Laying out IO file, CPU idleness */
    FT_COMMAND      /* $ fio --name=... */
};

/*
 * A number as fio printed it, and all values that print so: lo <= x < hi, or, where fio may have lost a carry (2.20 to
 * 3.25), lo2 <= x < hi2.
 */
struct ft_num {
    double value, lo, hi, lo2, hi2;
    bool set, exact; /* exact: an integer of the base unit */
    bool loose;      /* was printed with decimals that mean little */
    bool kilo;       /* its prefix has no "i": what it means depends on who printed it */
    int power;       /* of its prefix: 1 for k */
};

/* min max mean stdev n of a line. */
enum { FT_MIN, FT_MAX, FT_MEAN, FT_STDEV, FT_N, FT_STATS };
struct ft_stats {
    double v[FT_STATS];
    unsigned have; /* 1 << FT_MIN ... */
};

/* The figures of one direction of a test, as printed. */
struct ft_dir {
    bool present;
    uint32_t line;
    struct ft_num iops, bw, bw2, io;
    double runtime; /* msec; 0: not printed */
    bool has_runtime;
    bool old;  /* the dialect of 2.16 and before */
    double bs; /* the one known block size, or 0 */
    uint64_t ios, short_ios, drop_ios;
    bool has_ios, has_short, has_drop;
    uint32_t ios_line;
};

/* A job as its header line announced it. */
struct ft_job {
    struct ft_job *next;
    struct fr_str name;
    int64_t group;
    uint32_t line;
    struct fr_str rw, bs, ioengine, iodepth;
    unsigned seen;      /* job blocks of that name */
    bool many;          /* its block is of several jobs, those announced behind it: group_reporting */
    bool covered;       /* is one of those */
    bool own_block;     /* has one behind that of others of its group */
    uint32_t last_line; /* of the last of them */
    bool clones;        /* it has some */
    bool twin;          /* another job is called the same */
};

/* One section of a command line or job file, or the options before the first --name. */
struct ft_section {
    struct ft_section *next;
    struct fr_str name;
    struct fr_fio_options options;
};
struct ft_command {
    const char *text;
    uint32_t line;
    size_t index; /* of the document's line it ends on */
    bool file;    /* has a job file */
    bool loop;    /* stands in a loop of the shell: each round is a run */
    FR_LIST(struct ft_section) sections;
};

/* `fio: pid=1, err=28/file:..., error=No space left on device` */
struct ft_error {
    struct ft_error *next;
    struct fr_str name; /* of the job, where `NAME: Laying out IO file` stands right before it */
    int64_t pid;
    double err;
    bool taken; /* is that of a job that has a block */
    struct fr_str text;
    uint32_t line;
};

/*
 * How far printed digits can be trusted: NEW, right (3.26 on); CARRY, a fraction that rounds up to 1 may have lost its
 * carry (2.20 to 3.25, or nobody knows); LOOSE, decimals mean little (2.17 to 2.19); OLD, the same, and P stands for T,
 * E for P (to 2.16).
 */
enum ft_digits { FT_DIGITS_NEW, FT_DIGITS_CARRY, FT_DIGITS_LOOSE, FT_DIGITS_OLD };

/* What the current run has shown so far. */
struct ft_run {
    struct fr_run *run; /* NULL: none is open */
    struct fr_run *before;
    FR_LIST(struct ft_job) jobs;
    FR_LIST(struct ft_error) errors;
    const struct ft_command *command;
    struct ft_job *found; /* the job that was looked up last: the next one is likely the next */
    bool block, group, disk, version, starting, eta, client, bare, snapshot;
    bool group_values;  /* a status group had figures */
    bool named;         /* is of lines that name their test (FT_SHORT) */
    bool summary;       /* has only such figures, without the group's own line */
    bool progress;      /* progress lines stand behind its last block */
    struct fr_str host; /* client mode: the last that its lines name */
    bool hosts_differ;
    struct fr_str client_host; /* the host whose blocks stand here, */
    size_t client_from;        /* and how many tests of others stand before them */
    int64_t group_no, last_group;
    int64_t own_blocks_of; /* the group of which is known which jobs have an own_block; -1: none */
    unsigned all_clients;  /* line of the first `All clients` block that was left out */
    uint64_t digest;       /* of the text of its blocks */
    double major, minor;   /* of the version; 0: not known */
    struct fr_str said;    /* what fio said last */
    struct fr_str laying;  /* the job whose file was laid out last */
    double end, spent[2];  /* spent: msec of complete groups, of the current one */
};

/* The current test. */
struct ft_test {
    struct fr_test *test; /* NULL: none is open, or it is left out (All clients) */
    struct ft_job *job;   /* its header, where it has a block's head */
    bool skip;            /* All clients: claim its lines, take nothing */
    bool bare, orphan;    /* without a job line; begun in the middle */
    double jobs;
    struct ft_dir dir[FR_OP_COUNT];
    enum fr_op op; /* whose lines follow */
    bool has_op;
    bool short_sync; /* has an fsync block: `short` may hold its count */
    uint64_t syncs;
    bool has_syncs;
    uint32_t issued_line;
    /* where percentile rows go */
    bool pct;
    enum fr_metric_id lat_metric; /* of the last line of latencies, and its unit; 0: none */
    double lat_factor;
    enum fr_metric_id pct_metric;
    enum fr_op pct_op;
    const char *pct_priority; /* NULL: they are of all priorities */
    double pct_factor, pct_last;
    uint64_t seen;      /* which lines of latencies were there, by op and kind */
    bool pct_unsampled; /* no line of its statistics: percentiles of 0 stand for nothing */
    /* latency buckets, as shares */
    struct {
        double bound, share; /* upper bound in seconds (0: none), ratio */
    } bucket[40];
    unsigned buckets;
    uint32_t buckets_line;
    bool bs_rounded;       /* the block size is a print with fewer digits than it has */
    unsigned mega_samples; /* a bit for each op: its samples of bandwidth were printed as MB/s by fio 2.x */
};

struct ft_rx; /* compiled patterns */

struct ft_scan {
    struct ft_rx *rx;
    struct fr_doc *doc;
    unsigned owner;
    struct fr_batch *batch;
    struct fr_log *log;
    struct ft_run r;
    struct ft_test t;
    struct fr_arena arena;            /* what lives as long as the scan */
    const struct ft_command *command; /* the last one, not yet used */
    FR_LIST(struct ft_section) file;  /* the job file that was shown last */
    size_t file_first, file_last;     /* its lines, claimed when a test is found to be of it */
    bool in_file;
    size_t index; /* of the document's line */
    uint32_t line;
    size_t column;
    struct fr_str lead;      /* what stands in the line before the piece that is read */
    struct fr_str looked_at; /* the text whose kind was asked for last, and that */
    enum ft_kind looked_kind;
    size_t strange; /* lines that are not fio's since the last one that is */
    bool heading;   /* there is one of them, in that line of the document, which only gives what follows a name */
    size_t heading_at;
    struct fr_str host;
    uint32_t first_eta;
    struct fr_str complaint; /* the first message of fio that says why something failed */
    uint32_t complaint_line;
    bool said_why; /* a run without results was reported */
    bool retyped;  /* there may be blanks before an equals sign */
    bool in_disks, in_pieces, orphan_said;
    unsigned found; /* runs with results */
    int status;
};

/* ---- fio_text_line.c: what a line is ---- */
enum ft_kind ft_kind_of(struct fr_str line);
/* Bytes of progress at its start, behind which a job's line stands (what was overwritten lost its CR); 0: none. */
size_t ft_eta_length(struct fr_str line);
/* Is this line of that kind cut off, so that the next one belongs to it? */
bool ft_incomplete(enum ft_kind kind, struct fr_str line);
/* Does the line end in the middle? `stdev=12.3`: fio prints two decimals; shares have their %. */
bool ft_breaks_off(enum ft_kind kind, struct fr_str line);
/* The source ends in the middle of that line: what may be half a word or number is taken off. False: it does not. */
bool ft_take_torn(enum ft_kind kind, struct fr_str *line);
/*
 * Where in the line another known line begins (> 0), or (size_t)-1. *length: of the known beginning that the line
 * itself starts with, 0 when it has none; becomes that of the one found.
 */
size_t ft_next_anchor(struct ft_rx *rx, struct fr_str line, size_t *length);

/* ---- fio_text_flow.c ---- */
/* Was the paragraph that begins at line i filled anew? Then its text in one piece, and its last line. */
bool ft_flowed(struct ft_scan *s, size_t i, size_t *last, struct fr_str *text);

/* ---- fio_text_num.c: numbers ---- */
/* A number with a decimal point, or a comma where one stands for it. *decimals: digits after it. */
bool ft_take_number(struct fr_str *s, double *v, int *decimals);
/* A number with fio's suffix (k, M, KiB, KB/s, bit/s ...); `kilo` is what a K without "i" means. */
bool ft_take_amount(struct fr_str *s, struct ft_num *out, enum fr_kilo kilo, enum ft_digits digits);
/* min=..., max=..., avg=..., stdev=..., samples=... in any order; false when there is none. */
bool ft_take_stats(struct fr_str s, struct ft_stats *out);
/* `(usec)`, `(  KiB/s)`: take the bracket, give its factor; false when it holds no unit. */
bool ft_take_unit(struct fr_str *s, enum fr_kilo kilo, double *factor);
/* Can x print as this number? */
bool ft_fits(const struct ft_num *n, double x);

/* ---- fio_text_run.c: where runs and tests begin and end ---- */
void ft_run_begin(struct ft_scan *s);
void ft_run_end(struct ft_scan *s);
struct fr_test *ft_test_begin(struct ft_scan *s, struct fr_str name);
void ft_test_end(struct ft_scan *s);
/* A test for lines whose job line is missing, if they can have one; NULL: leave them. */
struct fr_test *ft_test_orphan(struct ft_scan *s);
/* How to read the digits of a line of the dialect of 2.17 and later. */
enum ft_digits ft_digits_of(const struct ft_scan *s);

/* ---- fio_text_job.c ---- */
void ft_header_line(struct ft_scan *s, struct fr_str line);
void ft_job_line(struct ft_scan *s, struct fr_str line);
void ft_version_line(struct ft_scan *s, struct fr_str line);
/* `Description  : [words]`, below the line of its job */
void ft_description_line(struct ft_scan *s, struct fr_str line);
/* `job: Laying out IO file (1 file / 5120MiB)` */
void ft_laying_line(struct ft_scan *s, struct fr_str line);
void ft_message_line(struct ft_scan *s, struct fr_str line);
/* Leave out of `common` what the job's header says otherwise. */
void ft_header_agree(struct ft_job *common, struct ft_job *job);
/* The header of a test's job, or NULL. */
struct ft_job *ft_job_find(struct ft_scan *s, const struct fr_test *test);
/* Is the current test the sum of jobs that were announced under several names (group_reporting)? */
bool ft_is_many(struct ft_scan *s, const struct fr_test *test);
/* Of such a test: is this job one of them, beside the one it is called like? */
bool ft_is_of_block(const struct ft_job *job, const struct fr_test *test);
/* The op of a direction word at the start of the line, taken. */
bool ft_take_op(struct fr_str *s, enum fr_op *op);

/* ---- fio_text_short.c ---- */
/* `seqread: IOPS=...`, `READ: bw=..., iops=...`: a job in one line that is none of fio's. */
bool ft_is_short(struct fr_str line);
void ft_short_line(struct ft_scan *s, struct fr_str line);

/* ---- fio_text_cmd.c ---- */
/* Where in the line the command begins, or (size_t)-1. */
size_t ft_command_find(struct fr_str line);
/* The name of its job, where it has one; NULL may be given. */
struct fr_str ft_command_only_job(const struct ft_command *command);
const struct ft_command *ft_command_parse(struct ft_scan *s, struct fr_str text, bool loop);
/* `rw = randread, bs = 4k`: a line of fio's options alone stands for a command, which nobody shows. */
bool ft_options_line(struct ft_scan *s, struct fr_str line);
void ft_command_params(struct ft_scan *s, struct fr_test *test);

/* ---- fio_text_param.c ---- */
/* Params of a test from its header, its run's command, a job file above it. */
void ft_params_apply(struct ft_scan *s, struct fr_test *test);
/* Add an option to a section, copied. */
void ft_section_add(struct ft_scan *s, struct ft_section *section, struct fr_str key, struct fr_str value);
/* The options of the job's section, and of that for all jobs (NULL: none), as params of the test. */
void ft_section_apply(struct ft_scan *s, struct fr_test *test, const struct ft_section *own,
                      const struct ft_section *all);
/* A line of a job file ([section], key=value): remembered. */
bool ft_job_file_line(struct ft_scan *s, struct fr_str line);

/* ---- fio_text_lat.c ---- */
void ft_lat_line(struct ft_scan *s, struct fr_str line);
void ft_pct_head(struct ft_scan *s, struct fr_str line);
void ft_prio_line(struct ft_scan *s, struct fr_str line);
void ft_pct_row(struct ft_scan *s, struct fr_str line);
void ft_bucket_line(struct ft_scan *s, struct fr_str line);
void ft_buckets_store(struct ft_scan *s);

/* ---- fio_text_dir.c ---- */
void ft_dir_line(struct ft_scan *s, struct fr_str line);
/* The figures since 2.17 from `IOPS=` on. */
bool ft_new_figures(struct ft_scan *s, struct fr_str line, struct ft_dir *d);
/* Those of a status group from `bw=` or `io=` on. */
bool ft_group_figures(struct ft_scan *s, struct fr_str line, struct ft_dir *d);
/* They are those of the current test, whose lines follow. */
void ft_dir_set(struct ft_scan *s, enum fr_op op, struct ft_dir *d);
/* A direction without a job's line: its test, and a run, with its own command or that of the row above. */
void ft_open_bare(struct ft_scan *s, enum fr_op op);
void ft_begin_row(struct ft_scan *s, enum fr_op op);
/* The command that such a row would have, or NULL. */
const struct ft_command *ft_command_for(const struct ft_scan *s, enum fr_op op);
void ft_sample_line(struct ft_scan *s, struct fr_str line, bool bw);
void ft_group_line(struct ft_scan *s, struct fr_str line);
void ft_group_dir_line(struct ft_scan *s, struct fr_str line);
void ft_disk_line(struct ft_scan *s, struct fr_str line);

/* ---- fio_text_count.c ---- */
void ft_cpu_line(struct ft_scan *s, struct fr_str line);
void ft_issued_line(struct ft_scan *s, struct fr_str line);
void ft_errors_line(struct ft_scan *s, struct fr_str line);
void ft_depth_line(struct ft_scan *s, struct fr_str line);
void ft_latency_line(struct ft_scan *s, struct fr_str line);
void ft_steady_line(struct ft_scan *s, struct fr_str line);
/* What stands behind the figures of a direction. */
void ft_dir_tail(struct ft_scan *s, struct fr_str line, enum fr_op op);

/* ---- fio_text_refine.c ---- */
/* The values of the current test's directions. */
void ft_refine(struct ft_scan *s);

/* ---- fio_text.c ---- */
struct fr_rx *ft_rx_anchor(struct ft_rx *rx);
struct fr_rx *ft_rx_job(struct ft_rx *rx);
struct fr_rx *ft_rx_header(struct ft_rx *rx);

#endif
