/*
 * series.h: time series of a test (fio's logs, status intervals), packed.
 *
 * Samples are kept in chunks of up to FR_CHUNK_SAMPLES, packed to the bits, with n, t0, t1, min, max beside each chunk;
 * and summed up per second for the `series` view. So ten million samples cost some tens of megabytes, in the database
 * while the log is still being read, if the batch has a taker, or else in the arena's temporary file.
 *
 * Packing of a chunk. A sample is t (milliseconds), value (an integer: the base-unit value is step * integer) and the
 * series' extra columns (enum fr_series_column, in the order of their bits). The data is blocks of FR_PACK_SAMPLES
 * samples, the last one of what is left; a block is its columns one after the other, each packed by itself as
 * series_pack.h says. Samples stand in the order in which the log has them: where several jobs wrote one log, t may
 * step back.
 */
#ifndef FR_SERIES_H
#define FR_SERIES_H

#include <math.h>

#include "log.h"
#include "record.h"
#include "series_pack.h"

#define FR_CHUNK_SAMPLES 65536

/* What a log line holds besides time, value and direction. */
enum fr_series_column {
    FR_COL_BS = 1,     /* block size in bytes; 0 where the line is an average */
    FR_COL_OFFSET = 2, /* bytes from the start of the file (log_offset) */
    FR_COL_PRIO = 4,   /* command priority */
    FR_COL_ISSUE = 8,  /* time of issue in nanoseconds (log_issue_time) */
    FR_COL_MAX = 16    /* maximum of the window, in steps (log_window_value=both) */
};
#define FR_SERIES_EXTRA 5 /* how many there are */

struct fr_chunk {
    struct fr_chunk *next;
    int no; /* in its series: 0, 1, ... */
    uint32_t n;
    int64_t t0, t1;   /* milliseconds: least and greatest */
    int64_t min, max; /* of the value, in steps */
    const uint8_t *data;
    size_t size;
};

/* One second of a series. */
struct fr_second {
    int64_t t; /* seconds since the start (or 1970, where the log says so); ascending, each once */
    uint64_t n;
    double mean, min, max; /* of the samples' values as logged; base unit */
};

struct fr_series {
    struct fr_series *next;
    uint8_t op, metric;
    int test_no;      /* of its test; for --join */
    const char *kind; /* "log" (samples as logged), "interval" (rates made from growing counters) */
    double step;      /* base units of one integer step: 1024 for bw logs, 1e-9 or 1e-6 for latencies, 1 for IOPS;
                          a whole number or one over a whole number */
    bool averaged;    /* one line an interval (log_avg_msec) */
    bool unix_time;   /* t counts from 1970 */
    bool settled;     /* its run stays in the batch, and it in its run: its chunks may go ahead of them (record.h) */
    uint8_t columns;  /* mask of enum fr_series_column: what each sample has besides t and value */
    uint8_t fields;   /* numbers per sample: 2 and the columns */
    uint64_t n;
    int64_t interval; /* milliseconds from sample to sample where that is even (averaged), else 0 */
    uint32_t line;
    FR_LIST(struct fr_chunk) chunks;
    long long taken; /* where those are that the batch's taker took: for it to know; 0: it took none */
    struct fr_second *seconds;
    size_t seconds_n;
    bool last_partial; /* the last interval is shorter than the others */
};

/*
 * A value of so many steps in base units. Steps of less than one are whole parts of a unit (1e-9, 0.001): dividing
 * gives the double that is nearest to the decimal number.
 */
static inline double fr_series_base(double steps, double step)
{
    return step < 1 ? steps / nearbyint(1 / step) : steps * step;
}

/* Is it of a rate, of which those of several jobs add up? Else of a latency. */
static inline bool fr_series_is_rate(const struct fr_series *series)
{
    return series->metric == FR_M_BW || series->metric == FR_M_IOPS;
}

/* ---- filling ----------------------------------------------------------------------------------------------------- */

/*
 * A series that is being filled. Opaque; its memory (some 270 KiB) is freed by fr_series_end. What it makes lives in
 * the batch's arena.
 */
struct fr_series_builder;

/*
 * Begin a series of one op and metric. `kind` is static ("log", "interval"); `columns` says which extra numbers each
 * sample brings. The series joins no test before fr_series_end. Never NULL (out of memory ends the process, as the
 * arena does).
 */
struct fr_series_builder *fr_series_begin(struct fr_batch *batch, enum fr_op op, enum fr_metric_id metric,
                                          const char *kind, double step, unsigned columns, uint32_t line);

/* The samples that wait until there are enough to be packed together: the numbers of each column. */
struct fr_series_block {
    unsigned n, extras; /* extras: columns besides t and value */
    int64_t field[2 + FR_SERIES_EXTRA][FR_PACK_SAMPLES];
};

/* Pack them. For fr_series_add. */
void fr_series_block_close(struct fr_series_builder *b);

/*
 * Add a sample: t in milliseconds, the value in steps, and one number for each of the columns, in the order of their
 * bits (NULL when there are none). Any order of t; best ascending. A log has millions: only every FR_PACK_SAMPLES-th is
 * a call.
 */
static inline void fr_series_add(struct fr_series_builder *b, int64_t t, int64_t value, const int64_t *extra)
{
    struct fr_series_block *open = (struct fr_series_block *)b;
    unsigned n = open->n;
    open->field[0][n] = t;
    open->field[1][n] = value;
    for (unsigned i = 0; extra && i < open->extras; i++)
        open->field[2 + i][n] = extra[i];
    if ((open->n = n + 1) == FR_PACK_SAMPLES)
        fr_series_block_close(b);
}

/*
 * The series so far, for setting averaged, unix_time, settled, step before the first sample.
 */
struct fr_series *fr_series_of(struct fr_series_builder *b);

/*
 * Complete: close the last chunk, sum up the seconds, find interval and last_partial (where `averaged` is set), add the
 * series to the test, free the builder. A series without samples is not added: NULL. b may be NULL.
 */
struct fr_series *fr_series_end(struct fr_series_builder *b, struct fr_test *test);

/* ---- reading ----------------------------------------------------------------------------------------------------- */

struct fr_sample {
    int64_t t, value;
    int64_t extra[FR_SERIES_EXTRA]; /* in the order of the series' columns */
};

/* Reads the samples of one packed chunk; the bytes are lent and may be anything (a database may be damaged). */
struct fr_chunk_reader {
    const uint8_t *p, *end;
    uint32_t left; /* samples that are still packed */
    unsigned extras;
    unsigned at, n; /* of the block that is unpacked: the next sample, and how many it has */
    bool bad;       /* the bytes are not what that many samples are packed to */
    int64_t block[2 + FR_SERIES_EXTRA][FR_PACK_SAMPLES];
};

void fr_chunk_reader_init(struct fr_chunk_reader *r, const uint8_t *data, size_t size, uint32_t n, unsigned columns);
/* The next sample, or false at the end (then see `bad`). */
bool fr_chunk_next(struct fr_chunk_reader *r, struct fr_sample *out);

/* Reads a whole series of a batch. */
struct fr_series_reader {
    const struct fr_series *series;
    const struct fr_chunk *chunk;
    struct fr_chunk_reader in;
};

void fr_series_reader_init(struct fr_series_reader *r, const struct fr_series *series);
bool fr_series_next(struct fr_series_reader *r, struct fr_sample *out);

/* ---- several jobs together --------------------------------------------------------------------------------------- */

/* One job's series of the metric, and its IOPS where they are known: by them averaged latencies are weighted. */
struct fr_part {
    const struct fr_series *series;
    const struct fr_series *iops; /* of the same job and op, or NULL */
};

struct fr_grid_cell {
    double value;    /* base unit: sum of the jobs' rates, or mean of the latencies by number of I/Os */
    double min, max; /* latencies: of the samples in it; rates: as value */
    double ios;      /* I/Os (of raw logs, and where IOPS are known), else 0 */
    unsigned jobs;   /* how many have something here: fewer than all when one began later or ended before */
    bool partial;    /* the last one, when the logs end within it: the rate is of the part that is there */
};

struct fr_grid {
    int64_t t0, step; /* milliseconds; cell i is t0 + i * step <= t < t0 + (i + 1) * step */
    size_t n;
    struct fr_grid_cell *cells; /* the grid's own */
    bool by_count;              /* latencies: the jobs were weighted by their I/Os; else by time */
};

#define FR_GRID_MAX ((size_t)1 << 20) /* cells */
#define FR_GRID_INIT                                                                                                   \
    {                                                                                                                  \
        .t0 = 0, .step = 0, .n = 0, .cells = NULL, .by_count = false                                                   \
    }

/*
 * Put the series of n jobs (of one metric and op) on a common grid of `step` milliseconds. Bandwidth and IOPS add up,
 * latencies merge by number of I/Os; by time, where that is not known of all jobs: the two are no weights of one kind.
 *
 * An averaged sample stands for the time since the one before it and is spread over the cells it covers. A raw sample
 * is one I/O: IOPS count them, bandwidth adds up their block sizes (what a raw log prints as bandwidth is the rate of
 * that one I/O alone). -1 with a message: nothing to combine, some count from 1970 and some do not, or more than
 * FR_GRID_MAX cells.
 */
int fr_series_combine(const struct fr_part *parts, size_t n, int64_t step, struct fr_grid *out, struct fr_log *log);
void fr_grid_release(struct fr_grid *grid);

#endif
