/*
 * frame.h: what every chart has around its plot: title, what was run, legend on top; notes and source at the bottom.
 *
 * Order of use: init, add keys and notes, measure, decide the plot's height, begin (which draws all of it), draw the
 * plot. The legend has a place of its own above the plot, so it never covers data.
 */
#ifndef FR_FRAME_H
#define FR_FRAME_H

#include "canvas.h"
#include "table.h"
#include "theme.h"

#define FR_MARGIN     24.0
#define FR_SIZE_TITLE 18.0
#define FR_SIZE_HEAD  13.5
#define FR_SIZE_LABEL 12.5
#define FR_SIZE_VALUE 11.5
#define FR_SIZE_TICK  11.0
#define FR_SIZE_NOTE  10.5

enum fr_key_kind { FR_KEY_FILL, FR_KEY_LINE, FR_KEY_MARKER };

struct fr_key {
    enum fr_key_kind kind;
    const char *text;
    struct fr_paint paint;
    unsigned marker;
    double x, y, wrap; /* set by fr_frame_measure; y: the middle */
};

/* A figure to compare with, drawn as a line across the panel. */
struct fr_base {
    double value;     /* shown unit */
    const char *name; /* "baseline", "read baseline" */
};
#define FR_BASES_MAX 4 /* of a panel */

struct fr_frame {
    struct fr_canvas *canvas;
    const struct fr_theme *theme;
    const struct fr_table *table;
    struct fr_arena arena; /* for what the chart needs until it is drawn */
    double width;
    const char *title, *subtitle;
    struct fr_key *keys;
    size_t keys_n, keys_alloc;
    char **notes;
    size_t notes_n, notes_alloc;
    double top, bottom; /* heights above and below the plot, after fr_frame_measure */
    double legend_h;
    double title_h, subtitle_h;
};

/* -1 with a message when the theme or a size is wrong. To be released in any case. */
int fr_frame_init(struct fr_frame *frame, struct fr_canvas *canvas, const struct fr_table *table,
                  const struct fr_chart_options *options, struct fr_log *log);
void fr_frame_release(struct fr_frame *frame);
void fr_frame_key(struct fr_frame *frame, enum fr_key_kind kind, const char *text, struct fr_paint paint,
                  unsigned marker);
/* The looks of the i-th of a panel's baselines, its text ("baseline 36,000 IOPS", in the arena), and a key with both.
 */
struct fr_paint fr_base_paint(const struct fr_theme *theme, size_t i);
const char *fr_base_text(struct fr_arena *arena, const struct fr_base *base, const char *unit);
void fr_frame_base_key(struct fr_frame *frame, const struct fr_base *base, size_t i, const char *unit);
/* A line below the plot; a text that is there already is not added again. */
void fr_frame_note(struct fr_frame *frame, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fr_frame_measure(struct fr_frame *frame);
/* Make the picture as high as top + plot + bottom and draw what is around the plot. -1 with a message. */
int fr_frame_begin(struct fr_frame *frame, double plot_height, struct fr_log *log);
/* A text in a colour of the theme. */
struct fr_text fr_frame_text(const char *text, double size, uint32_t color, double align);

/*
 * The looks of n series (fr_theme_fill, fr_theme_line). Where all are labels and the table knows them, a label has the
 * colour of its place among all there are, whatever the picture shows of them; of two with one colour the later takes
 * one that is free in this picture. Up to four directions of each have its colour and differ in their dashes. Else
 * looks go by the order of the series.
 */
void fr_looks(const struct fr_table *table, const char *const *names, size_t n, size_t *looks);

/* "higher is better →": with an arrow along the axis; "" when neither. */
const char *fr_better_text(enum fr_better better, bool horizontal);

#endif
