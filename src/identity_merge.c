/* identity_merge.c: several formats of one run (fio --output-format=normal,terse,json). See identity_parts.h. */
#include "identity_parts.h"
#include "series.h"

#include <math.h>

#include "banned.h"

/* ---- the same invocation? ---------------------------------------------------------------------------------------- */

static double value_of(const struct fr_test *t, enum fr_op op, enum fr_metric_id metric, const char *stat)
{
    const struct fr_value *v = fr_value_get(t, op, metric, stat);
    return v ? v->value : NAN;
}

/*
 * Do the figures that every form prints whole agree: run time in milliseconds, the number of I/Os? *shown is raised by
 * the number of those that both have.
 */
static bool figures_agree(const struct fr_test *a, const struct fr_test *b, unsigned *shown)
{
    for (int op = 0; op < FR_OP_COUNT; op++) {
        double ta = value_of(a, (enum fr_op)op, FR_M_RUNTIME, "total");
        double tb = value_of(b, (enum fr_op)op, FR_M_RUNTIME, "total");
        double na = value_of(a, (enum fr_op)op, FR_M_IOS, "total");
        double nb = value_of(b, (enum fr_op)op, FR_M_IOS, "total");
        bool time_known = !isnan(ta) && !isnan(tb) && ta > 0 && tb > 0, ios_known = !isnan(na) && !isnan(nb);
        if (ios_known && op != FR_OP_SYNC && fabs(na - nb) > 0.5)
            return false;
        if (time_known && fabs(ta - tb) > 0.0015 && !(ios_known && na > 0))
            return false;
        *shown += time_known;
    }
    return true;
}

/* Can b, of the weaker form, be the same job as a? */
static bool jobs_agree(const struct fr_test *a, const struct fr_test *b, unsigned *shown)
{
    double ea = value_of(a, FR_OP_NONE, FR_M_ERROR, "value"), eb = value_of(b, FR_OP_NONE, FR_M_ERROR, "value");
    if (strcmp(a->name, b->name) != 0 || a->group != b->group)
        return false;
    if (!isnan(ea) && !isnan(eb) && fabs(ea - eb) > 0.5)
        return false;
    return figures_agree(a, b, shown);
}

/* The job of `run`, from *at on, that `test` shows; NULL: none. *at is where to look for the next one. */
static struct fr_test *find_job(struct fr_test **at, const struct fr_test *test, unsigned *shown)
{
    for (struct fr_test *t = *at; t; t = t->next)
        if (jobs_agree(t, test, shown)) {
            *at = t->next;
            return t;
        }
    return NULL;
}

/* Did none of its jobs run? */
static bool none_ran(const struct fr_run *run)
{
    fr_list_each (struct fr_test, t, run->tests)
        fr_value_each (v, t)
            if (v->metric == FR_M_RUNTIME)
                return false;
    return true;
}

bool fr_identity_is_same(const struct fr_run *strong, const struct fr_run *weak)
{
    struct fr_test *at = strong->tests.head;
    unsigned shown = 0;
    if (strcmp(strong->tool, weak->tool) != 0 || strong->form == weak->form || !strong->tests.n)
        return false;
    if (strong->tool_version && weak->tool_version && strcmp(strong->tool_version, weak->tool_version) != 0)
        return false;
    /* Text has no block for a job that did nothing, so it may have fewer; never more. */
    fr_list_each (struct fr_test, t, weak->tests)
        if (!find_job(&at, t, &shown))
            return false;
    /*
     * Without one figure that both show, names must do: then all of them, one right after the other. Of jobs that did
     * nothing text has their headers, one for all clones.
     */
    return shown > 0 || ((weak->tests.n == strong->tests.n || (none_ran(strong) && none_ran(weak))) &&
                         weak->line <= strong->line_end + 2 && strong->line <= weak->line_end + 2);
}

bool fr_identity_has_hosts(const struct fr_run *run)
{
    return run->tests.head && fr_param_get(NULL, run->tests.head, "hostname");
}

/* ---- filling ----------------------------------------------------------------------------------------------------- */

/* The stat without the part that it is of: "min" of "0/0:min". */
static const char *plain(const char *stat)
{
    const char *colon = strrchr(stat, ':');
    return colon ? colon + 1 : stat;
}

/* Least and greatest of the percentiles, or of the extremes, that are printed beside this one; NaN: not printed. */
static void latency_range(const struct fr_test *t, const struct fr_value *like, double *min, double *max)
{
    size_t part = (size_t)(plain(like->stat) - like->stat);
    bool percentile = like->stat[part] == 'p';
    *min = *max = percentile ? like->value : NAN;
    fr_value_each (v, t) {
        if (v->op != like->op || v->metric != like->metric || strncmp(v->stat, like->stat, part) != 0)
            continue;
        const char *stat = v->stat + part;
        if (percentile ? *stat == 'p' : strcmp(stat, "min") == 0)
            *min = fmin(*min, v->value);
        if (percentile ? *stat == 'p' : strcmp(stat, "max") == 0)
            *max = fmax(*max, v->value);
    }
}

/*
 * How far two prints of one latency may lie apart. Text prints it in the unit that its size calls for (the percentiles
 * in one of their own): percentiles are rounded up, extremes down, means to two decimals. Terse prints whole
 * microseconds.
 */
static double latency_slack(const struct fr_test *t, const struct fr_value *v, bool terse)
{
    double min, max;
    latency_range(t, v, &min, &max);
    /* 2.x goes over to milliseconds from 1 on, since 3.0 it is later; what 2.x prints in microseconds has two decimals.
     */
    double unit = min > 0.9e-3 && max > 0.9e-3 ? 1e-3 : min > 1.9e-6 && max > 99e-6 ? 1e-6 : 5e-9;
    if (terse && unit < 1e-6)
        unit = 1e-6;
    return 2.01 * unit + 1e-3 * fabs(v->value);
}

/* How far a text's amounts may be off, as a ratio: it has four digits, or as many as significant_figures= asks for. */
static double amount_slack(const struct fr_run *run, const struct fr_test *t)
{
    double figures;
    const char *asked = fr_param_get(run, t, "significant_figures");
    if (!asked || !fr_str_double(fr_str(asked), &figures) || figures >= 4)
        return 0.01;
    return figures < 2 ? INFINITY : figures < 3 ? 1 : 0.05; /* 0.5MiB is 1MiB */
}

/* Beyond rounding? Only figures that every form prints with enough digits are held against each other. */
static bool disagree(const struct fr_test *t, const struct fr_value *strong, const struct fr_value *weak, bool terse,
                     double slack)
{
    double difference = fabs(strong->value - weak->value), size = fabs(strong->value);
    switch ((enum fr_metric_id)strong->metric) {
    case FR_M_IOPS:
        /* fio's own slip: a text's line of `mixed` beside read and write says 0 (3.33 to 3.36). */
        return strong->op != FR_OP_MIXED && difference > 1 + slack * size;
    case FR_M_BW:
    case FR_M_IO_BYTES:
        return strong->op != FR_OP_MIXED && difference > 1024 + slack * size;
    case FR_M_IOS:
    case FR_M_RUNTIME:
        return difference > 1.5e-3;
    case FR_M_SLAT:
    case FR_M_CLAT:
    case FR_M_LAT:
    case FR_M_CLAT_PRIO:
    case FR_M_LAT_PRIO:
        return strcmp(strong->stat, "n") != 0 && strcmp(plain(strong->stat), "stdev") != 0 &&
               difference > latency_slack(t, strong, terse);
    default:
        return false;
    }
}

/* In how many figures do they disagree? */
static unsigned differences(const struct fr_run *run, const struct fr_test *strong, const struct fr_test *weak,
                            bool terse)
{
    unsigned n = 0;
    double slack = amount_slack(run, strong);
    fr_value_each (v, weak) {
        const struct fr_value *have = fr_value_get(strong, (enum fr_op)v->op, (enum fr_metric_id)v->metric, v->stat);
        n += have && disagree(strong, have, v, terse, slack);
    }
    return n;
}

/* As find_job(); of several jobs that it may be (clones, one job on several hosts) the one with the same figures. */
static struct fr_test *find_best_job(const struct fr_run *strong, struct fr_test **at, const struct fr_test *test,
                                     bool terse)
{
    enum { LOOK = 64 };
    struct fr_test *best = NULL, *from = *at;
    unsigned least = 0, shown = 0, looked = 0;
    for (struct fr_test *t; looked++ < LOOK && (t = find_job(&from, test, &shown)) != NULL;) {
        unsigned n = differences(strong, t, test, terse);
        if (!best || n < least) {
            best = t;
            least = n;
            *at = from;
        }
        if (!n)
            break;
    }
    return best;
}

struct difference {
    unsigned n;
    const struct fr_value *strong, *weak; /* the first */
};

static bool is_percentile(const struct fr_value *v)
{
    return v->stat[0] == 'p';
}

/*
 * Terse prints one list of percentiles and does not say of what: where the other form has one, it is that; where it has
 * several (`other`: one that is not of the same metric), it is one of them.
 */
static bool has_percentiles(const struct fr_test *t, const struct fr_value *like, bool other)
{
    fr_value_each (v, t)
        if (v->op == like->op && is_percentile(v) && !(other && v->metric == like->metric))
            return true;
    return false;
}

/* Text that is finer than terse: terse cuts IOPS to whole ones, and latencies to whole microseconds. */
static bool is_finer(const struct fr_test *terse, const struct fr_value *v)
{
    if (v->metric == FR_M_IOPS)
        return true;
    bool latency = v->metric == FR_M_SLAT || v->metric == FR_M_CLAT || v->metric == FR_M_LAT;
    double max = value_of(terse, (enum fr_op)v->op, (enum fr_metric_id)v->metric, "max");
    return latency && max < 99e-6 && strcmp(v->stat, "mean") != 0 && strcmp(v->stat, "stdev") != 0;
}

static void fill_values(struct fr_batch *batch, const struct fr_run *run, struct fr_test *to,
                        const struct fr_test *from, enum fr_form weak, struct difference *found)
{
    enum fr_form strong = run->form;
    bool terse = strong == FR_FORM_TERSE || weak == FR_FORM_TERSE;
    double slack = amount_slack(run, to);
    fr_value_each (v, from) {
        struct fr_value *have = fr_value_get(to, (enum fr_op)v->op, (enum fr_metric_id)v->metric, v->stat);
        if (weak == FR_FORM_TERSE && is_percentile(v) && has_percentiles(to, v, have != NULL)) {
            continue;
        } else if (!have) {
            fr_value_add(batch, to, (enum fr_op)v->op, (enum fr_metric_id)v->metric, v->stat, v->value, v->line);
        } else if (disagree(to, have, v, terse, slack)) {
            if (!found->n++) {
                found->strong = have;
                found->weak = v;
            }
        } else if (strong == FR_FORM_TERSE && weak == FR_FORM_TEXT && is_finer(to, v)) {
            have->value = v->value;
            have->line = v->line;
        }
    }
}

static bool has_series(const struct fr_test *t, const struct fr_series *like)
{
    fr_list_each (struct fr_series, s, t->series)
        if (s->op == like->op && s->metric == like->metric)
            return true;
    return false;
}

static bool has_hist(const struct fr_test *t, const struct fr_hist *like)
{
    fr_list_each (struct fr_hist, h, t->hists)
        if (h->op == like->op && h->metric == like->metric)
            return true;
    return false;
}

static void fill_test(struct fr_batch *batch, struct fr_run *run, struct fr_test *to, const struct fr_test *from,
                      enum fr_form form, struct difference *found)
{
    fill_values(batch, run, to, from, form, found);
    fr_list_each (struct fr_param, p, from->params)
        if (!fr_param_get(run, to, p->key))
            fr_param_set(batch, run, to, p->key, fr_str(p->value), p->origin, p->line);
    fr_list_each (struct fr_hist, h, from->hists) {
        if (has_hist(to, h))
            continue;
        struct fr_hist *copy = fr_hist_new(batch, to, (enum fr_op)h->op, (enum fr_metric_id)h->metric, 0, h->line);
        struct fr_hist *next = copy->next;
        *copy = *h; /* the bins are the batch's, for both */
        copy->next = next;
    }
    fr_list_each (struct fr_series, s, from->series) {
        if (has_series(to, s))
            continue;
        struct fr_series *copy = fr_arena_new(&batch->arena, struct fr_series);
        *copy = *s; /* the chunks are the batch's, for both */
        copy->next = NULL;
        copy->test_no = to->no;
        fr_list_add(&to->series, copy);
    }
    if (from->error && (form == FR_FORM_TEXT || !to->error)) /* text has fio's own words */
        to->error = from->error;
    to->pid = to->pid ? to->pid : from->pid;
    to->start = to->start > 0 ? to->start : from->start;
    to->end = to->end > 0 ? to->end : from->end;
    to->elapsed = to->elapsed > 0 ? to->elapsed : from->elapsed;
}

static void fill_run(struct fr_batch *batch, struct fr_run *to, const struct fr_run *from)
{
    to->tool_version = to->tool_version ? to->tool_version : from->tool_version;
    to->host = to->host ? to->host : from->host;
    to->started_at = to->started_at ? to->started_at : from->started_at;
    to->command = to->command ? to->command : from->command;
    to->title = to->title ? to->title : from->title;
    to->own_label = to->own_label ? to->own_label : from->own_label;
    to->cut_short = to->cut_short || from->cut_short;
    fr_list_each (struct fr_param, p, from->params)
        fr_param_set(batch, to, NULL, p->key, fr_str(p->value), p->origin, p->line);
    fr_list_each (struct fr_param, note, from->notes)
        fr_note_add(batch, to, note->key, fr_str(note->value), note->line);
    if (!to->disks.n)
        fr_list_each (struct fr_disk, d, from->disks)
            fr_disk_add(batch, to, fr_str(d->disk), d->key, d->value, d->line);
    if (from->line < to->line) {
        to->line = from->line;
        to->column = from->column;
    }
    if (from->line_end > to->line_end)
        to->line_end = from->line_end;
}

void fr_identity_fill(struct fr_batch *batch, struct fr_run *strong, const struct fr_run *weak, struct fr_log *log)
{
    static const char *const names[] = {"", "text", "terse", "JSON", "log"};
    struct difference found = {0};
    struct fr_test *at = strong->tests.head;
    uint32_t place = strong->line;
    bool terse = strong->form == FR_FORM_TERSE || weak->form == FR_FORM_TERSE;
    fr_list_each (struct fr_test, t, weak->tests) {
        struct fr_test *job = find_best_job(strong, &at, t, terse);
        if (job)
            fill_test(batch, strong, job, t, weak->form, &found);
    }
    if (found.n)
        fr_log_warn(log, batch->source, found.weak->line,
                    "%s and %s of this run disagree in %u figures, first in %s %s %s (%g, at line %u %g); those of the "
                    "%s are used",
                    names[weak->form], names[strong->form], found.n, fr_op_name((enum fr_op)found.strong->op),
                    fr_metric_get((enum fr_metric_id)found.strong->metric)->name, found.strong->stat, found.weak->value,
                    found.strong->line, found.strong->value, names[strong->form]);
    fr_log_explain(log, batch->source, weak->line, "the %s here is of the same run as the %s at line %u",
                   names[weak->form], names[strong->form], place);
    fill_run(batch, strong, weak);
}
