/*
 * latency_target.h: fio's latency_target options and how its versions print them.
 *
 * The options are in microseconds. What stands in the output is the same number up to 3.1, nanoseconds in 3.7; since
 * 3.33 the target is in nanoseconds and the window in microseconds again. Of the versions between these it is not known
 * which; neither where the version itself is unknown.
 */
#ifndef FR_LATENCY_TARGET_H
#define FR_LATENCY_TARGET_H

#include "scan.h"

/* Microseconds in the unit in which that version (`3.33-40-g1`, NULL: unknown) prints them; 0: not known. */
struct fr_latency_units {
    double target, window;
};
struct fr_latency_units fr_latency_units(const char *version);

#define FR_USEC_MAX 32
/* The canonical spelling, as params store it: 200 -> `200us`. */
const char *fr_usec_format(double usec, char out[FR_USEC_MAX]);
/* A time as these options have it: `200`, `200us`, `5ms`, `1s`: in microseconds. False when it is none. */
bool fr_usec_parse(struct fr_str text, double *usec);

#endif
