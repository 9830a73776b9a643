/* identity_steps.c: snapshots of one invocation (fio's --status-interval). See identity_parts.h. */
#include "identity_parts.h"
#include "series.h"

#include <math.h>

#include "banned.h"

/* Counters and extremes over the whole run so far: how they move from one snapshot to the next. */
static const struct {
    enum fr_metric_id metric;
    const char *stat;
    int sign;     /* +1: never falls, -1: never grows */
    bool counter; /* I/O was done when it grows */
} monotone[] = {
    {FR_M_IOS, "total", 1, true},       {FR_M_IO_BYTES, "total", 1, true}, {FR_M_RUNTIME, "total", 1, false},
    {FR_M_SHORT_IOS, "total", 1, true}, {FR_M_DROP_IOS, "total", 1, true}, {FR_M_CTX, "value", 1, false},
    {FR_M_SLAT, "max", 1, false},       {FR_M_CLAT, "max", 1, false},      {FR_M_LAT, "max", 1, false},
    {FR_M_SLAT, "min", -1, false},      {FR_M_CLAT, "min", -1, false},     {FR_M_LAT, "min", -1, false},
};

/* Figures that cannot change while no I/O is done. */
static bool is_still(const struct fr_test *a, const struct fr_test *b)
{
    static const enum fr_metric_id metrics[] = {FR_M_SLAT, FR_M_CLAT, FR_M_LAT};
    fr_value_each (v, b)
        for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
            if (v->metric != metrics[i] || strcmp(v->stat, "mean") != 0)
                continue;
            const struct fr_value *old = fr_value_get(a, (enum fr_op)v->op, metrics[i], "mean");
            if (!old || fabs(old->value - v->value) > 1e-9 * fabs(v->value))
                return false;
        }
    return true;
}

/* From a to b no counter falls. *grew: some did. */
static bool counters_fit(const struct fr_test *a, const struct fr_test *b, bool *grew)
{
    for (size_t i = 0; i < sizeof monotone / sizeof *monotone; i++)
        for (int op = 0; op < FR_OP_COUNT; op++) {
            const struct fr_value *old = fr_value_get(a, (enum fr_op)op, monotone[i].metric, monotone[i].stat);
            const struct fr_value *new = fr_value_get(b, (enum fr_op)op, monotone[i].metric, monotone[i].stat);
            if (!old)
                continue;
            if (!new) { /* a direction that had I/O does not lose it */
                if (monotone[i].counter && old->value > 0)
                    return false;
                continue;
            }
            double change = (new->value - old->value) * monotone[i].sign, slack = 1e-6 * fabs(old->value);
            /* What is printed was rounded: a text's sizes to four digits. */
            if (b->end > 0 && monotone[i].metric == FR_M_IO_BYTES)
                slack = 1e-3 * fabs(old->value);
            if (monotone[i].metric == FR_M_RUNTIME) /* the end may be reckoned a millisecond earlier */
                slack = 1.5e-3;
            if (change < -slack)
                return false;
            *grew = *grew || (monotone[i].counter && change > slack);
        }
    return true;
}

/*
 * Is what grew from a to b more than the time between them allows? A loop of equal runs gives counters that happen to
 * grow as well: there the I/O of a whole run came about in the few milliseconds by which their run times differ. The
 * run time of a group stands still while a job that began later catches up: then the clock says how long that was.
 */
static bool grew_too_fast(const struct fr_test *a, const struct fr_test *b)
{
    enum { FASTER = 20, CLOCK = 2 }; /* than on average; seconds from which on its whole ones tell runs apart */
    for (int op = 0; op < FR_OP_COUNT; op++) {
        const struct fr_value *ia = fr_value_get(a, (enum fr_op)op, FR_M_IOS, "total");
        const struct fr_value *ib = fr_value_get(b, (enum fr_op)op, FR_M_IOS, "total");
        const struct fr_value *ra = fr_value_get(a, (enum fr_op)op, FR_M_RUNTIME, "total");
        const struct fr_value *rb = fr_value_get(b, (enum fr_op)op, FR_M_RUNTIME, "total");
        if (!ia || !ib || !ra || !rb || ib->value <= 0)
            continue;
        double time = rb->value - ra->value;
        if (ra->value > (double)CLOCK && a->end > 0 && b->end >= a->end && b->end - a->end + 1 > time)
            time = b->end - a->end + 1; /* whole seconds are printed */
        if ((ib->value - ia->value) / ib->value * rb->value > (double)FASTER * (time + 2e-3))
            return true;
    }
    return false;
}

/* By the clock, had a ended when b began? Processes in containers have the same number each time. */
static bool began_after(const struct fr_test *a, const struct fr_test *b)
{
    double ra = 0, rb = 0;
    for (int op = 0; op < FR_OP_COUNT; op++) {
        const struct fr_value *va = fr_value_get(a, (enum fr_op)op, FR_M_RUNTIME, "total");
        const struct fr_value *vb = fr_value_get(b, (enum fr_op)op, FR_M_RUNTIME, "total");
        ra = va && va->value > ra ? va->value : ra;
        rb = vb && vb->value > rb ? vb->value : rb;
    }
    /* Whole seconds are printed. A snapshot began when the one before it did, or a flush at the end later. */
    return a->end > 0 && b->end > 0 && ra > 2 && b->end - rb > a->end - ra / 2;
}

/* Printed by fio itself (to the millisecond), or computed from the end and whole seconds? */
static bool is_exact_start(const struct fr_test *t)
{
    return t->start > 0 && fabs(t->end - t->elapsed - t->start) > 1e-3;
}

/* A job that has not done anything: text leaves it out until it begins (stonewall, startdelay). */
static bool is_idle(const struct fr_test *t)
{
    if (t->pid != 0)
        return false;
    for (int op = 0; op < FR_OP_COUNT; op++) {
        const struct fr_value *ios = fr_value_get(t, (enum fr_op)op, FR_M_IOS, "total");
        const struct fr_value *bytes = fr_value_get(t, (enum fr_op)op, FR_M_IO_BYTES, "total");
        if ((ios && ios->value > 0) || (bytes && bytes->value > 0))
            return false;
    }
    return true;
}

static bool has_failed(const struct fr_test *t)
{
    const struct fr_value *error = fr_value_get(t, FR_OP_NONE, FR_M_ERROR, "value");
    return t->error || (error && fabs(error->value) > 0.5);
}

/* A param that says how the job fared, not what it was to do. */
static bool is_outcome(const char *key)
{
    return strncmp(key, "steadystate_", sizeof "steadystate_" - 1) == 0 || strcmp(key, "first_error") == 0;
}

/* Options do not change within an invocation; a text does not repeat them. */
static bool same_options(const struct fr_param *of_a, const struct fr_run *run, const struct fr_test *test)
{
    for (const struct fr_param *p = of_a; p; p = p->next) {
        const char *other = fr_param_get(run, test, p->key);
        if (other && strcmp(p->value, other) != 0 && !is_outcome(p->key))
            return false;
    }
    return true;
}

static bool same_name(const struct fr_test *a, const struct fr_test *b)
{
    return strcmp(a->name, b->name) == 0 && a->group == b->group;
}

/* Text prints 0 for a group until its first job begins. */
static bool same_job(const struct fr_test *a, const struct fr_test *b, enum fr_form form)
{
    if (!same_name(a, b))
        return false;
    if (form == FR_FORM_TEXT)
        return (a->pid != 0 ? a->pid == b->pid : a->end > 0) && (a->end <= 0 || b->end <= 0 || b->end >= a->end) &&
               !began_after(a, b) && !grew_too_fast(a, b);
    if (form == FR_FORM_TERSE)
        return !grew_too_fast(a, b); /* a line says nothing of time: the counters decide */
    if (a->start <= 0 || b->start <= 0) {
        if (grew_too_fast(a, b))
            return false;
        /* Without both the time of the snapshots must do: it goes on, and the run time with it. */
        const struct fr_value *ra, *rb;
        for (int op = 0; op < FR_OP_COUNT; op++)
            if ((ra = fr_value_get(a, (enum fr_op)op, FR_M_RUNTIME, "total")) != NULL &&
                (rb = fr_value_get(b, (enum fr_op)op, FR_M_RUNTIME, "total")) != NULL && a->end > 0 && b->end > 0 &&
                fabs((b->end - a->end) - (rb->value - ra->value)) < 1.5 && rb->value > ra->value)
                return true;
        return false;
    }
    if (is_exact_start(a) && is_exact_start(b))
        return fabs(a->start - b->start) < 1e-3;
    return fabs(a->start - b->start) <= 1 && !grew_too_fast(a, b); /* nor two that ran side by side */
}

/* The job of b, from *at on, that x of the snapshot before it is; NULL: none. *at is where to look for the next one. */
static const struct fr_test *find_later(const struct fr_test **at, const struct fr_test *x, enum fr_form form)
{
    for (const struct fr_test *y = *at; y; y = y->next)
        if (same_name(x, y) && (is_idle(x) || same_job(x, y, form))) {
            *at = y->next;
            return y;
        }
    return NULL;
}

bool fr_identity_is_snapshot(const struct fr_run *a, const struct fr_run *b)
{
    const struct fr_test *at = b->tests.head;
    bool grew = false, still = true, any = false;
    bool cut = b->cut_short && at && b->tests.n < a->tests.n; /* killed while it printed the last one */
    bool text = a->form == FR_FORM_TEXT;
    if (b->announced || !a->tests.n || (a->tests.n != b->tests.n && !cut && !text) || a->form != b->form ||
        a->form == FR_FORM_LOG || !fr_same_text(a->tool, b->tool) ||
        (a->tool_version && b->tool_version && strcmp(a->tool_version, b->tool_version) != 0))
        return false;
    /* The options of all jobs: fio counts those on its command line before the first --name as such. */
    if (a->form == FR_FORM_JSON && !same_options(a->params.head, b, NULL))
        return false;
    fr_list_each (struct fr_test, x, a->tests) {
        const struct fr_test *y = find_later(&at, x, a->form);
        if (!y && cut && !at)
            break;
        if (!y && text && is_idle(x)) /* announced, and part of a group since */
            continue;
        if (!y || !counters_fit(x, y, &grew) || (has_failed(x) && !has_failed(y))) /* an error stays */
            return false;
        if (a->form == FR_FORM_JSON && !same_options(x->params.head, NULL, y))
            return false;
        any = any || !is_idle(x) || (!has_failed(x) && same_job(x, y, a->form));
        /* It began: what was moved may still be less than a form prints. */
        grew = grew || (is_idle(x) && !has_failed(x) && (!is_idle(y) || !is_still(x, y)));
        still = still && is_still(x, y);
    }
    return any && (grew || still);
}

/* ---- series ------------------------------------------------------------------------------------------------------ */

static bool get(const struct fr_test *t, enum fr_op op, enum fr_metric_id metric, double *value)
{
    const struct fr_value *v = t ? fr_value_get(t, op, metric, "total") : NULL;
    *value = v ? v->value : 0;
    return v != NULL;
}

const struct fr_test *fr_identity_before(const struct fr_run *earlier, const struct fr_run *last,
                                         const struct fr_test *test)
{
    size_t rank = 0, seen = 0;
    for (const struct fr_test *t = last->tests.head; t && t != test; t = t->next)
        rank += same_name(t, test);
    fr_list_each (struct fr_test, t, earlier->tests) {
        if (!same_name(t, test))
            continue;
        if (t->pid != 0 && test->pid != 0 ? t->pid == test->pid : seen == rank)
            return t;
        seen++;
    }
    return NULL;
}

/* Rates of one op: what `counter` grew by, over what the run time grew by. `step` base units of one whole step. */
static void add_rates(struct fr_batch *batch, struct fr_run *const *steps, size_t n, struct fr_test *last,
                      enum fr_op op, enum fr_metric_id counter, enum fr_metric_id metric, double step)
{
    double value, old_value = 0, time, old_time = 0;
    if (!get(last, op, counter, &value) || !get(last, op, FR_M_RUNTIME, &time))
        return;
    struct fr_series_builder *b = fr_series_begin(batch, op, metric, "interval", step, 0, last->line);
    fr_series_of(b)->averaged = true;
    for (size_t i = 0; i < n; i++) {
        const struct fr_test *t = fr_identity_before(steps[i], steps[n - 1], last);
        if (!get(t, op, counter, &value) || !get(t, op, FR_M_RUNTIME, &time) || time <= old_time)
            continue;
        fr_series_add(b, llround(time * 1000), llround((value - old_value) / (time - old_time) / step), NULL);
        old_value = value;
        old_time = time;
    }
    fr_series_end(b, last);
}

void fr_identity_add_steps(struct fr_batch *batch, struct fr_run *const *steps, size_t n)
{
    fr_list_each (struct fr_test, last, steps[n - 1]->tests)
        for (int op = 0; op < FR_OP_COUNT; op++) {
            add_rates(batch, steps, n, last, (enum fr_op)op, FR_M_IOS, FR_M_IOPS, 0.001);
            add_rates(batch, steps, n, last, (enum fr_op)op, FR_M_IO_BYTES, FR_M_BW, 1);
        }
}
