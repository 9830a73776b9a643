/*
 * theme.h: colours. Series take the Okabe-Ito order (told apart also by the colour-blind); beyond eight the colours
 * come again with a hatch or another marker. The n-th series has the same looks in every chart.
 */
#ifndef FR_THEME_H
#define FR_THEME_H

#include "canvas.h"

struct fr_theme {
    const char *name;
    uint32_t background, text, muted, grid, axis;
    uint32_t series[8];
    uint32_t edge[8]; /* outlines: at least 3:1 against the background where the colour itself has less */
    bool hatch;       /* series differ by hatch from the first on: for printers without colour */
};

/* The theme of that name (NULL: light), or NULL. */
const struct fr_theme *fr_theme_find(const char *name);

/* How the n-th series is filled (bars, keys) and drawn (lines). */
struct fr_paint fr_theme_fill(const struct fr_theme *theme, size_t series);
struct fr_paint fr_theme_line(const struct fr_theme *theme, size_t series);
/* The marker of the n-th: with colour and dash no two of the first 32 look alike. */
unsigned fr_theme_marker(size_t series);
/* A failed bar: outlined and hatched in the series' colour. */
struct fr_paint fr_theme_failed(const struct fr_theme *theme, size_t series);
struct fr_paint fr_theme_stroke(uint32_t color, double width, double dash);

/* A perceptually even scale from dark to light (cividis), 0 <= t <= 1; on a dark background without its darkest part.
 */
uint32_t fr_theme_sequential(const struct fr_theme *theme, double t);
/* Black or white, whichever reads better on that colour. */
uint32_t fr_theme_on(uint32_t color);

#endif
