/*
 * plot.h: a plot with an x and a y axis, and the curves in it: what the chart kinds with lines and points share.
 */
#ifndef FR_PLOT_H
#define FR_PLOT_H

#include "axes.h"
#include "frame.h"

struct fr_plot {
    struct fr_frame *frame;
    struct fr_axis x, y;
    const char *heading;             /* above, may be NULL */
    const char *y_title;             /* above the y axis */
    const char *x_title;             /* below the x axis */
    double left, top, right, bottom; /* the area, pixels */
    double edge;                     /* of the labels at the left */
    double head_h, foot_h;
    double strip_h; /* room asked for between the titles and the area, part of head_h */
    const struct fr_base *bases,
        *x_bases; /* lines across and upright, in the units of y and x; the legend names them */
    size_t bases_n, x_bases_n;
};

/*
 * Plots below each other, the left ends of their areas in one line: the frame, whose notes and keys are complete, is
 * measured, the picture begins, and the axes are drawn. `each`: height of an area where --height does not say. -1 with
 * a message.
 */
int fr_plots_begin(struct fr_plot *plots, size_t n, const struct fr_chart_options *options, double each,
                   struct fr_log *log);
/* Heights of what is above and below the area, into head_h and foot_h. */
void fr_plot_measure(struct fr_plot *plot, double width);
/* Lay it out in a rectangle; the axes, fitted before, get their pixels. `least_left`: room for the y labels at least.
 */
void fr_plot_place(struct fr_plot *plot, double x, double y, double w, double h, double least_left);
/* Width that the labels of the y axis need. */
double fr_plot_label_width(const struct fr_plot *plot);
/*
 * Lines from top to bottom at an axis that lies, and the ticks' labels `gap` below, between the pixels `least` and
 * `most`. Where not all labels have room there are fewer ticks; of ticks that are given, or on a log axis, labels that
 * would touch are left out.
 */
void fr_plot_ticks(struct fr_frame *frame, const struct fr_axis *axis, double top, double bottom, double gap,
                   double least, double most);
/* Grid, ticks, titles. */
void fr_plot_axes(const struct fr_plot *plot);
/* The axis' title from name, unit and what else is to be said; "" parts are left out. In the arena. */
const char *fr_axis_title(struct fr_arena *arena, const char *name, const char *unit, bool log_axis,
                          const char *better);

/* The title of an axis of so many seconds, and in what it is shown: long runs are in minutes or hours. */
const char *fr_time_axis(double seconds, double *unit);

/* ---- curves ------------------------------------------------------------------------------------------------------ */

struct fr_curve_point {
    double x, y;   /* shown units */
    double lo, hi; /* NaN: none */
    bool failed;
};

struct fr_curve {
    const char *name;
    size_t index; /* for its looks */
    struct fr_curve_point *points;
    size_t n, alloc;
};

struct fr_curves {
    struct fr_curve *list;
    size_t n, alloc;
    size_t *slots, slots_n; /* where a name is in the list, by its hash: 1 for the first; 0 where there is none */
};

/* The curve of that name, made if it is new. Lent until the next is made. */
struct fr_curve *fr_curves_find(struct fr_curves *curves, const char *name);
void fr_curve_add(struct fr_curve *curve, struct fr_curve_point point);
void fr_curves_release(struct fr_curves *curves);
/* By x, within each curve. */
void fr_curves_sort(struct fr_curves *curves);
/* Give the curves of all panels their looks, by name: `all` has each name once. */
void fr_curves_looks(struct fr_curves *all, const struct fr_table *table, struct fr_arena *arena);
void fr_curves_look_like(struct fr_curves *curves, const struct fr_curves *all);
/* A key for each curve, when there is more than one (or `always`). */
void fr_curves_keys(const struct fr_curves *curves, struct fr_frame *frame, bool markers, bool always);
/* What the y axis is to show. */
struct fr_figure {
    const char *name, *unit; /* name "" where the heading says it */
    double seconds;          /* of one shown unit, where it is a time; else 0 */
    enum fr_better better;
    bool log_axis; /* asked for */
    bool spread;   /* a log axis too where the figures are spread over decades, as latencies are */
};
/* Fit the plot's y axis to the curves (and baselines), from 0 unless logarithmic, and give it its title. */
void fr_curves_fit_y(const struct fr_curves *curves, struct fr_plot *plot, const struct fr_figure *figure);
/* Smallest and greatest x and y (lo and hi included); false when there is no point. */
bool fr_curves_range(const struct fr_curves *curves, double *x0, double *x1, double *y0, double *y1);
/* Least y (or lo) above 0; 0 when there is none. */
double fr_curves_least(const struct fr_curves *curves);
/* Lines, with markers where asked for and there are few enough. Failed points are open. */
void fr_curves_draw(const struct fr_curves *curves, const struct fr_plot *plot, bool markers, bool steps);

/* The series that a row is of; "" where the table has none. */
const char *fr_curve_name(const struct fr_row *row, int key);
/* A figure's footnote below the picture, with `failed` before it where the figure is of a failed run. */
void fr_curve_note(struct fr_frame *frame, const struct fr_row *row, const struct fr_cell *cell, const char *failed);
/* Columns by role, or -1: the n-th (from 0) of that role. */
int fr_column_of(const struct fr_table *table, enum fr_column_role role, size_t n);
#endif
