/*
 * series.h: time series of a test (fio's logs, status intervals), packed.
 *
 * Samples are kept in chunks of up to FR_CHUNK_SAMPLES, as delta varints, with n, t0, t1, min, max beside each chunk;
 * and summed up per second for the `series` view. So ten million samples cost some tens of megabytes, in the arena's
 * temporary file.
 *
 * Packing of a chunk: t (milliseconds) and value (an integer in `unit` steps: value = step * integer) alternate, each
 * as the zigzag varint of its difference to the one before (LEB128, low 7 bits first; both start from 0). Where a log
 * has an offset or priority column it follows as a third and fourth number of each sample; `fields` says how many.
 */
#ifndef FR_SERIES_H
#define FR_SERIES_H

#include "record.h"

#define FR_CHUNK_SAMPLES 65536

struct fr_chunk {
    struct fr_chunk *next;
    uint32_t n;
    int64_t t0, t1;   /* milliseconds */
    int64_t min, max; /* of the value, in steps */
    const uint8_t *data;
    size_t size;
};

/* One second of a series. */
struct fr_second {
    int64_t t; /* seconds since the start (or 1970, where the log says so) */
    uint64_t n;
    double mean, min, max; /* base unit */
};

struct fr_series {
    struct fr_series *next;
    uint8_t op, metric;
    int test_no;      /* of its test; for --join */
    const char *kind; /* "log" (samples as logged), "interval" (rates made from growing counters) */
    double step;      /* base units of one integer step: 1024 for bw logs, 1e-9 or 1e-6 for latencies, 1 for IOPS */
    bool averaged;    /* one line an interval (log_avg_msec) */
    bool unix_time;   /* t counts from 1970 */
    uint8_t fields;   /* numbers per sample: 2, 3 (with offset or priority) ... */
    uint64_t n;
    uint32_t line;
    FR_LIST(struct fr_chunk) chunks;
    struct fr_second *seconds;
    size_t seconds_n;
    bool last_partial; /* the last interval is shorter than the others */
};

#endif
