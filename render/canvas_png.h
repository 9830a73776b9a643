/*
 * canvas_png.h: a PNG with its resolution (pHYs) and texts, which cairo's own writer leaves out.
 */
#ifndef FR_CANVAS_PNG_H
#define FR_CANVAS_PNG_H

#include "canvas.h"

struct fr_png {
    const unsigned char *pixels; /* 0x00RRGGBB in native order, as CAIRO_FORMAT_RGB24 */
    size_t stride;               /* bytes of a row */
    uint32_t width, height;
    double scale; /* pixels per CSS pixel (1/96 inch) */
};

/* Append the file. -1 when compression fails. */
int fr_png_encode(const struct fr_png *png, const struct fr_canvas_info *info, struct fr_strbuf *out);

#endif
