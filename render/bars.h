/*
 * bars.h: the parts of the chart kind `bars`, and of `facets`, which is the same with a panel a metric or test.
 */
#ifndef FR_BARS_H
#define FR_BARS_H

#include "axes.h"
#include "frame.h"
#include "marks.h"
#include "panels.h"
#include "render.h"

/* Looks of bars that say better or worse. */
#define FR_LOOK_BETTER 0
#define FR_LOOK_WORSE  1
#define FR_LOOK_PLAIN  7

struct fr_bars {
    struct fr_frame frame;
    struct fr_panels panels;
    const struct fr_chart_options *options;
    bool log_axis;
    size_t series_max; /* of a panel */
    double pitch;      /* from one bar to the next of a group */
};

/* Bars that lie: labels at the left, panels beside each other where there is room. */
int fr_bars_lying(struct fr_bars *bars, struct fr_log *log);
/* Bars that stand, for one panel with few and short labels. -1 as all; 1 when the labels do not fit: nothing was drawn.
 */
int fr_bars_standing(struct fr_bars *bars, struct fr_log *log);

/* Wipe what is behind a figure: a baseline must not cross it out. As fr_text_draw. */
void fr_bar_patch(struct fr_bars *bars, const struct fr_text *text, double x, double y, double valign);
/* The value's label with its footnote mark. */
const char *fr_bar_label(struct fr_bars *bars, const struct fr_panel *panel, size_t series, size_t row);
/* Greatest and smallest value of the panel, whiskers and baseline included. */
void fr_bars_range(const struct fr_panel *panel, double *lo, double *hi);
/* The smallest value above 0; 0 when there is none. */
double fr_bars_least(const struct fr_panel *panel);
struct fr_paint fr_bar_paint(const struct fr_bars *bars, const struct fr_panel *panel, size_t series, size_t row);

#endif
