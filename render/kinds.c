/* kinds.c: the list of chart kinds; the first is the default. */
#include "render.h"

#include "banned.h"

extern const struct fr_chart_kind fr_chart_bars;
extern const struct fr_chart_kind fr_chart_facets;

const struct fr_chart_kind *const fr_chart_kinds[] = {
    &fr_chart_bars,
    &fr_chart_facets,
    NULL,
};

const char *fr_chart_kind_name(size_t i, const char **help, enum fr_shape *shape)
{
    size_t n = sizeof fr_chart_kinds / sizeof *fr_chart_kinds - 1;
    if (i >= n)
        return NULL;
    if (help)
        *help = fr_chart_kinds[i]->help;
    if (shape)
        *shape = fr_chart_kinds[i]->shape;
    return fr_chart_kinds[i]->name;
}
