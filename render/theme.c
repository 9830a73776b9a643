/* theme.c: see theme.h. Colours: Okabe and Ito, "Color Universal Design"; cividis: Nunez, Anderton and Renslow 2018. */
#include "theme.h"
#include <math.h>

#include "banned.h"

static const struct fr_theme themes[] = {
    {"light",
     0xFFFFFF,
     0x1F2328,
     0x59636E,
     0xE4E7EB,
     0x8C959F,
     {0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xD55E00, 0xF0E442, 0x555555},
     {0x0072B2, 0xA87300, 0x009E73, 0xB85C92, 0x3498D6, 0xD55E00, 0x9A9000, 0x555555},
     false},
    {"dark",
     0x0D1117,
     0xE6EDF3,
     0x9DA7B3,
     0x262C36,
     0x6E7681,
     {0x2E9BDB, 0xE69F00, 0x13B98A, 0xCC79A7, 0x86CBF3, 0xE8702A, 0xF0E442, 0xB8BEC6},
     {0x2E9BDB, 0xE69F00, 0x13B98A, 0xCC79A7, 0x86CBF3, 0xE8702A, 0xF0E442, 0xB8BEC6},
     false},
    {"print",
     0xFFFFFF,
     0x000000,
     0x404040,
     0xD9D9D9,
     0x606060,
     {0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xD55E00, 0xF0E442, 0x555555},
     {0x00456B, 0x805900, 0x005C43, 0x8A3D68, 0x1F6A96, 0x8A3D00, 0x7A7200, 0x222222},
     true},
};

const struct fr_theme *fr_theme_find(const char *name)
{
    for (size_t i = 0; i < sizeof themes / sizeof *themes; i++)
        if (!name || strcmp(themes[i].name, name) == 0)
            return &themes[i];
    return NULL;
}

struct fr_paint fr_theme_fill(const struct fr_theme *theme, size_t series)
{
    struct fr_paint p = {.fill = theme->series[series % 8], .stroke = theme->edge[series % 8], .fill_alpha = 1};
    size_t hatch = series / 8 + (theme->hatch ? series % 8 : 0);
    p.line = 1;
    if (hatch % FR_HATCH_COUNT) {
        p.hatch = (enum fr_hatch)(hatch % FR_HATCH_COUNT);
        p.hatch_color = theme->background;
    }
    return p;
}

struct fr_paint fr_theme_line(const struct fr_theme *theme, size_t series)
{
    /* Yellow and light blue lines on white would vanish: lines take the outline's colour. */
    uint32_t color = theme->edge[series % 8];
    static const double dashes[][2] = {{0, 0}, {7, 0}, {3, 0}, {12, 0}, {9, 2}, {16, 2}, {1.5, 0}, {5, 5}};
    /* Dashes from the fifth on: the two blues are never told apart by colour alone. Without colour, from the second. */
    size_t round = theme->hatch ? (series + series / 8) % 8 : series / 4 % 8;
    return (struct fr_paint){
        .fill = color, .stroke = color, .fill_alpha = 1, .line = 2, .dash = dashes[round][0], .dot = dashes[round][1]};
}

unsigned fr_theme_marker(size_t series)
{
    return (unsigned)((series + series / 8) % FR_MARKERS);
}

struct fr_paint fr_theme_failed(const struct fr_theme *theme, size_t series)
{
    struct fr_paint p = fr_theme_fill(theme, series);
    p.hatch = FR_HATCH_SLASH;
    p.hatch_color = theme->edge[series % 8];
    p.fill_alpha = 0.15;
    p.dash = 4;
    p.line = 1.2;
    return p;
}

struct fr_paint fr_theme_stroke(uint32_t color, double width, double dash)
{
    return (struct fr_paint){.stroke = color, .fill = color, .line = width, .dash = dash};
}

uint32_t fr_theme_sequential(const struct fr_theme *theme, double t)
{
    static const uint32_t stops[] = {0x00224E, 0x123570, 0x3B496C, 0x575D6D, 0x707173,
                                     0x8A8678, 0xA59C74, 0xC3B369, 0xE1CC55, 0xFEE838};
    const int last = sizeof stops / sizeof *stops - 1;
    t = t > 0 ? t < 1 ? t : 1 : 0;
    if (theme->background < 0x808080)
        t = 0.2 + 0.8 * t;
    double at = t * last;
    int i = (int)at < last ? (int)at : last - 1;
    double f = at - i;
    uint32_t color = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        double a = stops[i] >> shift & 0xFF, b = stops[i + 1] >> shift & 0xFF;
        color |= (uint32_t)lround(a + (b - a) * f) << shift;
    }
    return color;
}

static double linear(uint32_t v)
{
    double c = v / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

uint32_t fr_theme_on(uint32_t c)
{
    /* Relative luminance after WCAG 2; 0.179 is where black and white have the same contrast. */
    double y = 0.2126 * linear(c >> 16 & 0xFF) + 0.7152 * linear(c >> 8 & 0xFF) + 0.0722 * linear(c & 0xFF);
    return y > 0.179 ? 0x000000 : 0xFFFFFF;
}
