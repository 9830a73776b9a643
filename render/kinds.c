/* kinds.c: the list of chart kinds; the first is the default. */
#include "render.h"

#include "banned.h"

extern const struct fr_chart_kind fr_chart_bars;
extern const struct fr_chart_kind fr_chart_facets;
extern const struct fr_chart_kind fr_chart_percentiles;
extern const struct fr_chart_kind fr_chart_cdf;
extern const struct fr_chart_kind fr_chart_histogram;
extern const struct fr_chart_kind fr_chart_series;
extern const struct fr_chart_kind fr_chart_scaling;
extern const struct fr_chart_kind fr_chart_latency_iops;
extern const struct fr_chart_kind fr_chart_relative;
extern const struct fr_chart_kind fr_chart_heatmap;

const struct fr_chart_kind *const fr_chart_kinds[] = {
    &fr_chart_bars,
    &fr_chart_relative,
    &fr_chart_facets,
    &fr_chart_scaling,
    &fr_chart_latency_iops,
    &fr_chart_heatmap,
    &fr_chart_percentiles,
    &fr_chart_cdf,
    &fr_chart_histogram,
    &fr_chart_series,
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
