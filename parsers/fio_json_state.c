/* fio_json_state.c: what a job's object says beside its directions: depths, latency target, steady state, errors. */
#include "fio_json_job.h"
#include "latency_target.h"

#include <math.h>

#include "banned.h"

struct state {
    const struct fr_fj_context *c;
    struct fr_test *test;
    enum fr_metric_id metric; /* of the depths at hand */
};

static double number(const struct state *s, const struct fr_fj_node *object, const char *key, uint32_t *line)
{
    double value;
    return fr_fj_number(fr_fj_get(s->c->tree, object, key, line), &value, NULL) ? value : NAN;
}

static void add(const struct state *s, enum fr_metric_id metric, const char *stat, double value, uint32_t line)
{
    fr_value_add(s->c->batch, s->test, FR_OP_NONE, metric, stat, value, line);
}

static void set(const struct state *s, const char *key, const char *value, uint32_t line)
{
    fr_param_set(s->c->batch, s->c->run, s->test, key, fr_str(value), FR_FROM_FORMAT, line);
}

/* A share in per cent; 0 is a depth that no I/O had. */
static void read_depth(void *ctx, const char *key, const struct fr_fj_node *node, uint32_t line)
{
    const struct state *s = ctx;
    double share;
    const char *stat = key ? fr_stat_depth(fr_str(key)) : NULL;
    if (stat && fr_fj_number(node, &share, NULL) && share > 0)
        add(s, s->metric, stat, share / 100, line);
}

static void read_depths(struct state *s, const struct fr_fj_node *job)
{
    static const struct {
        const char *key;
        enum fr_metric_id metric;
    } lists[] = {{"iodepth_level", FR_M_IODEPTH_LEVEL},
                 {"iodepth_submit", FR_M_IODEPTH_SUBMIT},
                 {"iodepth_complete", FR_M_IODEPTH_COMPLETE}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const struct fr_fj_node *list = fr_fj_get(s->c->tree, job, lists[i].key, NULL);
        s->metric = lists[i].metric;
        if (fr_fj_is_object(list))
            fr_fj_each(s->c->tree, list, read_depth, s);
    }
}

/* `latency_target`, in a unit that the version tells, or `latency_target_ns` (3.42). */
static void read_time(const struct state *s, const struct fr_fj_node *job, const char *key, const char *exact_key,
                      double exact_unit, double unit)
{
    uint32_t line = 0;
    char text[FR_USEC_MAX];
    double value = number(s, job, exact_key, &line);
    if (isnan(value))
        value = number(s, job, key, &line);
    else
        unit = exact_unit;
    if (value > 0 && unit > 0)
        set(s, key, fr_usec_format(value * unit, text), line);
}

/* Printed of every job; it says something where a target was set. */
static void read_latency_target(const struct state *s, const struct fr_fj_node *job)
{
    struct fr_latency_units units = fr_latency_units(s->c->version);
    uint32_t at_depth = 0, at_percent = 0;
    char text[32];
    if (!(number(s, job, "latency_target", NULL) > 0 || number(s, job, "latency_target_ns", NULL) > 0))
        return;
    double percent = number(s, job, "latency_percentile", &at_percent);
    read_time(s, job, "latency_target", "latency_target_ns", 1e-3, units.target);
    read_time(s, job, "latency_window", "latency_window_us", 1, units.window);
    if (!isnan(percent)) {
        snprintf(text, sizeof text, "%.10g", percent);
        set(s, "latency_percentile", text, at_percent);
    }
    double depth = number(s, job, "latency_depth", &at_depth);
    add(s, FR_M_LATENCY_DEPTH, "value", depth, at_depth);
}

/* `"criterion" : "21.185675%"`: of the mean; without % in the unit of what is watched, which is kept as it stands. */
static void read_criterion(const struct state *s, const struct fr_fj_node *node)
{
    uint32_t line = 0;
    double value;
    struct fr_str text, rest;
    if (!fr_fj_string(fr_fj_get(s->c->tree, node, "criterion", &line), &text))
        return;
    rest = text;
    if (!fr_take_double(&rest, &value))
        return;
    if (fr_str_is(rest, "%"))
        add(s, FR_M_STEADYSTATE_CRITERION, "value", value / 100, line);
    else
        fr_param_set(s->c->batch, s->c->run, s->test, "steadystate_criterion", text, FR_FROM_FORMAT, line);
}

/* The means are of the window, in bytes per second and I/Os per second, of all directions. */
static void read_steady_state(const struct state *s, const struct fr_fj_node *node)
{
    uint32_t at = 0;
    struct fr_str kind;
    double attained = number(s, node, "attained", &at);
    const struct fr_fj_node *data = fr_fj_get(s->c->tree, node, "data", NULL);
    if (!isnan(attained))
        set(s, "steadystate_attained", attained != 0 ? "1" : "0", at);
    if (fr_fj_string(fr_fj_get(s->c->tree, node, "ss", &at), &kind))
        fr_param_set(s->c->batch, s->c->run, s->test, "steadystate_of", fr_take_until(&kind, ':'), FR_FROM_FORMAT, at);
    double iops = number(s, data, "iops_mean", &at);
    if (iops > 0)
        add(s, FR_M_STEADYSTATE_IOPS, "mean", iops, at);
    double bw = number(s, data, "bw_mean", &at);
    if (bw > 0)
        add(s, FR_M_STEADYSTATE_BW, "mean", bw, at);
    if (iops > 0 || bw > 0)
        read_criterion(s, node);
}

/* With continue_on_error: what was gone past. */
static void read_errors(const struct state *s, const struct fr_fj_node *job)
{
    uint32_t at = 0;
    char text[32];
    double total = number(s, job, "total_err", &at), first = number(s, job, "first_error", NULL);
    if (isnan(total))
        return;
    add(s, FR_M_TOTAL_ERR, "total", total, at);
    if (!(total > 0) || !(first > 0 && first < 1e6))
        return;
    snprintf(text, sizeof text, "%.0f", first);
    set(s, "first_error", text, at);
    if (!s->test->error)
        s->test->error = fr_arena_strdup(&s->c->batch->arena, strerror((int)first));
}

void fr_fj_state(const struct fr_fj_context *c, struct fr_test *test, const struct fr_fj_node *job)
{
    struct state s = {.c = c, .test = test};
    read_depths(&s, job);
    read_latency_target(&s, job);
    read_steady_state(&s, fr_fj_get(c->tree, job, "steadystate", NULL));
    read_errors(&s, job);
}
