/*
 * pts.h: a Phoronix Test Suite result as its readers hand it over (private to parsers/pts*.c).
 *
 * Every form in which the suite shows results (composite.xml, its JSON and CSV exports, its text and terminal output)
 * is read into one struct fr_pts_file, and fr_pts_build() makes runs of it. So a document that turns out to be broken
 * in its last line has left nothing behind, and all rules about identifiers, units and repeats stand once.
 */
#ifndef FR_PTS_H
#define FR_PTS_H

#include "parser.h"

#define FR_PTS_TEXT_MAX  ((size_t)64 << 20) /* bytes of one value or list of samples */
#define FR_PTS_NAME_MAX  ((size_t)64 << 10) /* bytes of a name or description */
#define FR_PTS_FACTS_MAX ((size_t)1 << 20)  /* bytes of the hardware, software, notes or JSON of one system */
#define FR_PTS_COUNT_MAX 1000000            /* systems, results, entries of one document, each */

/* One System: a machine or configuration that was measured. Absent texts are NULL. */
struct fr_pts_system {
    struct fr_pts_system *next;
    const char *id;
    const char *hardware, *software; /* `Processor: ..., Disk: ...` */
    const char *user, *time, *client, *notes;
    const char *json; /* facts as a JSON object: disk-scheduler, disk-mount-options ... */
    uint32_t line;
    size_t column;
};

/* One Entry: what one system reached in one Result. */
struct fr_pts_entry {
    struct fr_pts_entry *next;
    const char *id;
    const char *value; /* as printed; "" or NULL: the run failed */
    const char *raw;   /* samples with ':' between */
    const char *json;  /* test-run-times, error ... */
    uint32_t line;
    size_t column;
};

struct fr_pts_result {
    struct fr_pts_result *next;
    int no;         /* place in the file, from 1: its test_no */
    const char *id; /* profile: `pts/fio-1.15.0`; NULL where the file has none, even after adoption */
    const char *title, *version, *arguments, *description, *scale, *proportion, *format;
    uint32_t line;
    FR_LIST(struct fr_pts_entry) entries;
};

struct fr_pts_file {
    struct fr_arena arena;
    const char *source;
    const char *parser; /* static: the name of the parser */
    const char *title, *modified, *client, *description;
    bool rounded; /* an export that rounds and drops: no rounding check, a note */
    uint32_t line, line_end;
    uint64_t digest; /* of what it says, to know a copy of it by; 0: not known */
    FR_LIST(struct fr_pts_system) systems;
    FR_LIST(struct fr_pts_result) results;
};

void fr_pts_file_init(struct fr_pts_file *file, const char *source, uint32_t line);
void fr_pts_file_release(struct fr_pts_file *file);
struct fr_pts_system *fr_pts_system_new(struct fr_pts_file *file, uint32_t line);
struct fr_pts_result *fr_pts_result_new(struct fr_pts_file *file, uint32_t line);
struct fr_pts_entry *fr_pts_entry_new(struct fr_pts_file *file, struct fr_pts_result *result, uint32_t line);

/*
 * Make runs: one a system, in their order, then one for each identifier that entries name and no system has; an entry
 * whose identifier stands twice in a Result goes to a further run of that label. -1 when a value could not be read
 * (reported; all else is in).
 */
int fr_pts_build(struct fr_pts_file *file, struct fr_batch *batch, struct fr_log *log);

/* The metric and the factor to its base unit that a scale names (design table); FR_M_SCORE for all else. */
enum fr_metric_id fr_pts_metric(struct fr_str scale, double *factor);

/*
 * What the description and the profile say of the workload, as params of the test: `Key: value - Key: value` pairs,
 * and for the storage profiles fio's option names (rw bs direct ioengine numjobs size).
 */
void fr_pts_params(struct fr_batch *batch, struct fr_run *run, struct fr_test *test,
                   const struct fr_pts_result *result);

/* The notes of a run: hardware, software, JSON facts of its system. */
void fr_pts_notes(struct fr_batch *batch, struct fr_run *run, const struct fr_pts_system *system);

/*
 * Call `each` for every member of the JSON object `text` whose value is a string, number or literal, with its path
 * from the top (`results/3f2a/scale`; an array's members have their index; a '/' in a key is written as \1). Strings
 * are unescaped. Offsets of the value in `text` come along. -1 when it is no JSON (*at says where), 1 when `each`
 * returned nonzero.
 */
int fr_pts_json_each(struct fr_str text, int (*each)(void *ctx, const char *path, struct fr_str value, size_t at),
                     void *ctx, size_t *at);

/* Readers of the other forms. Each returns -1 when something could not be read. They skip claimed lines. */
int fr_pts_scan_json(struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log);
int fr_pts_scan_csv(struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log);
int fr_pts_scan_text(struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log);
/* A page of OpenBenchmarking.org copied as text: systems, and no numbers. Warns, and claims its lines. */
void fr_pts_scan_page(struct fr_doc *doc, unsigned owner, struct fr_log *log);

#endif
