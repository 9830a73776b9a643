/*
 * canvas.h: a drawing surface in CSS pixels, the same for PNG, SVG and PDF, and the only file that knows cairo and
 * pango.
 *
 * Measuring text needs no size yet: a chart kind measures, decides the height, says fr_canvas_begin(), and draws. Every
 * text and mark that is drawn is recorded as a box, so that a test can see that nothing overlaps or leaves the picture.
 */
#ifndef FR_CANVAS_H
#define FR_CANVAS_H

#include <stdint.h>

#include "fioreport.h"
#include "strbuf.h"

enum fr_picture { FR_PNG, FR_SVG, FR_PDF };

enum fr_box_kind {
    FR_BOX_TEXT, /* must not touch another text or any mark */
    FR_BOX_ON,   /* a text that stands on a mark; must not touch another text */
    FR_BOX_MARK, /* a bar, a key of the legend, a marker: must stay in the picture */
    FR_BOX_AREA  /* a plot: marks are in it, the legend's keys are not */
};

struct fr_box {
    enum fr_box_kind kind;
    double x, y, w, h;
    char *text; /* of FR_BOX_TEXT and FR_BOX_ON, else NULL */
};

struct fr_canvas;

/* `scale`: pixels per CSS pixel of a PNG. Never NULL. Free with fr_canvas_free. */
struct fr_canvas *fr_canvas_new(enum fr_picture picture, double scale);
void fr_canvas_free(struct fr_canvas *canvas);
/* Set the size and paint the background (0xRRGGBB). -1 when the size is beyond FR_CANVAS_MAX or memory is out. */
int fr_canvas_begin(struct fr_canvas *canvas, double width, double height, uint32_t background);
#define FR_CANVAS_MAX 16000 /* CSS pixels of a side */
double fr_canvas_width(const struct fr_canvas *canvas);
double fr_canvas_height(const struct fr_canvas *canvas);

/* What goes into the file beside the picture. */
struct fr_canvas_info {
    const char *title, *description, *command; /* may be NULL */
    const char *data;                          /* the table as CSV */
    long long time;                            /* seconds since 1970, for formats that must have a date */
};
/* The file's bytes, appended to `out`. -1 when drawing or encoding failed. */
int fr_canvas_finish(struct fr_canvas *canvas, const struct fr_canvas_info *info, struct fr_strbuf *out);

/* ---- text -------------------------------------------------------------------------------------------------------- */

enum fr_weight { FR_WEIGHT_NORMAL, FR_WEIGHT_BOLD };

struct fr_text {
    const char *text; /* any script; control characters are shown as a box */
    double size;      /* CSS pixels */
    enum fr_weight weight;
    uint32_t color;
    double wrap;  /* wrap at this width; 0: one line */
    double align; /* of wrapped lines and of the text at its point: 0 left, 0.5 middle, 1 right */
};

struct fr_extent {
    double w, h;
    double ascent; /* of the first line, from the top */
};

struct fr_extent fr_text_measure(struct fr_canvas *canvas, const struct fr_text *text);
/* The same as fr_text_draw, for a number that is meant to stand on a mark: only leaving the picture is a fault. */
struct fr_extent fr_text_draw_on(struct fr_canvas *canvas, const struct fr_text *text, double x, double y,
                                 double valign);
/* Draw with the point (x, y) at `align` of the width and `valign` of the height (0 top, 0.5 middle, 1 bottom). */
struct fr_extent fr_text_draw(struct fr_canvas *canvas, const struct fr_text *text, double x, double y, double valign);

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

struct fr_point {
    double x, y;
};

enum fr_hatch { FR_HATCH_NONE, FR_HATCH_SLASH, FR_HATCH_BACKSLASH, FR_HATCH_CROSS, FR_HATCH_DOTS, FR_HATCH_COUNT };

struct fr_paint {
    uint32_t fill, stroke; /* 0xRRGGBB */
    double fill_alpha;     /* 0: not filled */
    double line;           /* width of the stroke; 0: none */
    double dash;           /* length of dash and gap; 0: solid */
    double dot;            /* length of a dot after each dash; 0: none */
    enum fr_hatch hatch;
    uint32_t hatch_color;
};

void fr_draw_rect(struct fr_canvas *canvas, double x, double y, double w, double h, const struct fr_paint *paint);
void fr_draw_line(struct fr_canvas *canvas, double x0, double y0, double x1, double y1, const struct fr_paint *paint);
/* A line through n points; NaN breaks it. closed: filled too. */
void fr_draw_path(struct fr_canvas *canvas, const struct fr_point *points, size_t n, bool closed,
                  const struct fr_paint *paint);
/* Marker `shape` (taken modulo FR_MARKERS): circle, square, triangle, diamond, triangle down, cross, plus, star. */
#define FR_MARKERS 8
void fr_draw_marker(struct fr_canvas *canvas, double x, double y, double size, unsigned shape,
                    const struct fr_paint *paint);
/* An image of w * h cells (row 0 on top), each a filled rectangle of that colour; FR_NO_COLOR: none. */
#define FR_NO_COLOR 0xFF000000u
void fr_draw_cells(struct fr_canvas *canvas, double x, double y, double w, double h, size_t columns, size_t rows,
                   const uint32_t *colors);
/* What is drawn until fr_unclip stays within. */
void fr_clip(struct fr_canvas *canvas, double x, double y, double w, double h);
void fr_unclip(struct fr_canvas *canvas);

/* Record a box that is not drawn by one call. */
void fr_canvas_box(struct fr_canvas *canvas, enum fr_box_kind kind, double x, double y, double w, double h);
const struct fr_box *fr_canvas_boxes(const struct fr_canvas *canvas, size_t *n);

#endif
