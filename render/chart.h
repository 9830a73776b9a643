/*
 * chart.h: a chart of a table as a canvas, for fr_chart_write and for tests that look at what was drawn where.
 */
#ifndef FR_CHART_H
#define FR_CHART_H

#include "canvas.h"
#include "render.h"

/* NULL with a message. Free with fr_canvas_free. */
struct fr_canvas *fr_chart_draw(const struct fr_table *table, const struct fr_chart_options *options,
                                enum fr_picture picture, struct fr_log *log);

#endif
