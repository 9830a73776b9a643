/*
 * heatmap.h: the two forms of the chart kind `heatmap`.
 */
#ifndef FR_HEATMAP_H
#define FR_HEATMAP_H

#include "render.h"

/* Is it a table of latencies by time (shape FR_SHAPE_TIME)? Else it is a pivot. */
bool fr_heatmap_is_time(const struct fr_table *table);
/* Draw such a table. */
int fr_heatmap_time(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                    struct fr_log *log);

#endif
