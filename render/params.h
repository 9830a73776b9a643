/*
 * params.h: which column of a pivot is the parameter that a chart puts on its x axis, and its values as numbers.
 */
#ifndef FR_PARAMS_H
#define FR_PARAMS_H

#include "axes.h"
#include "table.h"

struct fr_param_axis {
    int column; /* -1: the table has none */
    bool size;  /* of bytes, as fio writes them: 4k, 1M */
    double least, greatest;
    double values[FR_TICKS_MAX]; /* distinct, ascending */
    size_t values_n;
    bool many; /* there are more than FR_TICKS_MAX */
};

/*
 * The column: of role FR_COL_X, else the first key column of which all texts are numbers or sizes and two differ
 * (iodepth and numjobs before others), else the first of which they are numbers at all.
 */
void fr_param_find(struct fr_param_axis *out, const struct fr_table *table);
/* The row's value; NaN when it has none. */
double fr_param_value(const struct fr_param_axis *axis, const struct fr_row *row);
/* The value as users write it. */
const char *fr_param_format(const struct fr_param_axis *axis, double value, char out[40]);
/* An x axis with a tick at each value, where there are not too many: logarithmic where values go up by factors. */
void fr_param_axis_fit(const struct fr_param_axis *params, struct fr_axis *axis);

#endif
