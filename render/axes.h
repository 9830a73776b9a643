/*
 * axes.h: from values to pixels, and where the ticks are.
 */
#ifndef FR_AXES_H
#define FR_AXES_H

#include <stdbool.h>
#include <stddef.h>

#define FR_TICKS_MAX 64

enum fr_scale {
    FR_SCALE_LINEAR,
    FR_SCALE_LOG,
    FR_SCALE_LOGIT /* of percentiles 0..100: 90, 99, 99.9 are equally far apart */
};

struct fr_tick {
    double value;
    char label[32];
};

struct fr_axis {
    enum fr_scale scale;
    double min, max; /* shown units, min < max */
    double from, to; /* pixels of min and max */
    bool binary;     /* ticks at powers of two: an IEC unit */
    double seconds;  /* a log axis of times: seconds of one; its ticks carry their own units; 0: no time */
    struct fr_tick ticks[FR_TICKS_MAX];
    size_t ticks_n;
    bool given; /* the ticks are not chosen for their room: values that there are */
};

/*
 * An axis that shows lo..hi with about `count` ticks. Linear: from 0 when `zero` and the values allow it, else from a
 * tick; equal values and empty ranges get some room. Log: needs hi > 0; values at or below 0 are at the lower end.
 * to_tick: the axis ends at ticks.
 */
void fr_axis_fit(struct fr_axis *axis, double lo, double hi, bool zero, bool to_tick, int count);
/* The ticks within the axis' min and max, which are left as they are. */
void fr_axis_ticks(struct fr_axis *axis, int count);
/* A percentile axis from lo to hi percent: ticks at 50, 90, 99, 99.9 ... */
void fr_axis_percentiles(struct fr_axis *axis, double lo, double hi);
double fr_axis_at(const struct fr_axis *axis, double value);
/* Where in min..max (0..1) the value is; beyond 0..1 when outside. */
double fr_axis_share(const struct fr_axis *axis, double value);

/* Is the unit a binary one: KiB, MiB/s? */
bool fr_unit_is_binary(const char *unit);

/* A number for an axis: as many decimals as the step needs; from 1e15 on with an exponent. */
void fr_tick_format(double value, double step, char *out, size_t n);
/* Set commas between the thousands of a plain decimal number of five digits or more: 20293 -> 20,293. In place. */
void fr_group_digits(char *number, size_t size);

#endif
