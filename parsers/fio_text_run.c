/*
 * fio_text_run.c: where runs and tests begin and end.
 *
 * fio prints in this order: job headers, version, `Starting`, (progress), blocks of all jobs, one status group for each
 * group, disk statistics. So a header after anything but headers, a version after a version, a block after a status
 * group begin a new run; the same job with the same pid is a snapshot of --status-interval, also a run, which
 * identity.c joins.
 */
#include "fio_text.h"

#include <math.h>
#include <time.h>

#include "banned.h"

void ft_run_begin(struct ft_scan *s)
{
    ft_run_end(s);
    struct fr_run *before = s->batch->runs.tail;
    s->r.before = before;
    s->r.run = fr_run_new(s->batch, "fio-text", "fio", s->line);
    s->r.run->column = s->column;
    s->r.run->form = FR_FORM_TEXT;
    s->r.group_no = s->r.last_group = s->r.own_blocks_of = -1;
    s->r.command = s->command;
    if (s->command && !s->command->loop)
        s->command = NULL;
}

/*
 * A direction that the job, or one of those that the block is the sum of, asked for and that did nothing has `ios` 0.
 */
static void add_idle_ops(struct ft_scan *s, struct fr_test *test, const struct ft_job *job, unsigned present)
{
    unsigned asked = fr_fio_rw_ops(job->rw);
    if (ft_is_many(s, test))
        fr_list_each (struct ft_job, j, s->r.jobs)
            asked |= ft_is_of_block(j, test) ? fr_fio_rw_ops(j->rw) : 0;
    if (present & 1U << FR_OP_MIXED)
        return;
    for (enum fr_op op = FR_OP_READ; op <= FR_OP_TRIM; op++)
        if (asked & 1U << op && !(present & 1U << op))
            fr_value_add(s->batch, test, op, FR_M_IOS, "total", 0, test->line);
}

static void drop_last_test(struct ft_scan *s)
{
    struct fr_run *run = s->r.run;
    struct fr_test *prev = NULL;
    fr_list_each (struct fr_test, t, run->tests)
        if (t->next == run->tests.tail)
            prev = t;
    run->tests.tail = prev;
    run->tests.n--;
    if (prev)
        prev->next = NULL;
    else
        run->tests.head = NULL;
}

struct fr_test *ft_test_begin(struct ft_scan *s, struct fr_str name)
{
    ft_test_end(s);
    if (!s->r.run)
        ft_run_begin(s);
    s->t.test = fr_test_new(s->batch, s->r.run, name, s->line);
    return s->t.test;
}

static void count_runtime(struct ft_scan *s, const struct fr_test *test)
{
    double longest = 0;
    for (int op = 0; op < FR_OP_COUNT; op++)
        longest = fmax(longest, s->t.dir[op].runtime);
    if (test->group != s->r.last_group) {
        s->r.spent[0] += s->r.spent[1];
        s->r.spent[1] = 0;
        s->r.last_group = test->group;
    }
    s->r.spent[1] = fmax(s->r.spent[1], longest);
}

void ft_test_end(struct ft_scan *s)
{
    struct fr_test *test = s->t.test;
    if (test) {
        unsigned present = 0;
        for (int op = 0; op < FR_OP_COUNT; op++)
            present |= s->t.dir[op].present ? 1U << op : 0;
        ft_params_apply(s, test);
        ft_refine(s);
        ft_buckets_store(s);
        const struct ft_job *job = s->r.block ? ft_job_find(s, test) : NULL;
        for (enum fr_op op = FR_OP_READ; op <= FR_OP_TRIM;
             op++) /* its block is damaged where the count does not say 0 as well */
            present |= !s->t.dir[op].has_ios || s->t.dir[op].ios ? 1U << op : 0;
        if (job && !s->t.bare && !s->t.orphan)
            add_idle_ops(s, test, job, present);
        count_runtime(s, test);
        if ((s->t.orphan || s->t.bare) && !test->values.n)
            drop_last_test(s);
        fr_batch_checkpoint(s->batch);
    }
    memset(&s->t, 0, sizeof s->t);
}

struct fr_test *ft_test_orphan(struct ft_scan *s)
{
    if (s->t.skip || s->t.test)
        return s->t.test;
    if (!s->r.run || s->r.group || s->r.disk || s->r.block)
        ft_run_begin(s);
    ft_test_begin(s, s->r.run->tests.n ? fr_str("") : ft_command_only_job(s->r.command));
    s->t.orphan = true;
    return s->t.test;
}

enum ft_digits ft_digits_of(const struct ft_scan *s)
{
    double version = s->r.major * 1000 + s->r.minor;
    if (version >= 3026)
        return FT_DIGITS_NEW;
    if (version > 0 && version < 2020)
        return FT_DIGITS_LOOSE;
    return FT_DIGITS_CARRY;
}

/* ---- the end of a run -------------------------------------------------------------------------------------------- */

/* Which errors are those of jobs that have a block? */
static void mark_taken(struct ft_scan *s)
{
    fr_list_each (struct ft_error, e, s->r.errors)
        fr_list_each (struct fr_test, t, s->r.run->tests)
            e->taken = e->taken || (t->pid && t->pid == e->pid);
}

/* The error of a job that left no block: its own by name; else when all errors are the same and enough for all. */
static const struct ft_error *error_of_missing(const struct ft_scan *s, const struct ft_job *job, size_t missing)
{
    const struct ft_error *any = NULL;
    size_t n = 0;
    bool same = true;
    fr_list_each (struct ft_error, e, s->r.errors) {
        if (e->name.n && fr_str_eq(e->name, job->name))
            return e;
        if (e->name.n || e->taken)
            continue;
        same = same && (!any || any->err == e->err);
        any = e;
        n++;
    }
    return same && n >= missing ? any : NULL;
}

/*
 * Was announced and has no block although fio came to its end: the status group is there, or an error instead of all
 * blocks. Where figures of a group stand without blocks, these are left out, not missing.
 */
static bool is_missing(const struct ft_scan *s, const struct ft_job *job)
{
    if (job->seen || job->covered || (s->r.group_values && !s->r.block))
        return false;
    return (s->r.group && job->group <= s->r.group_no) || (s->r.errors.n && !s->r.block && !s->r.group);
}

/* The test of a job that did nothing, not yet in the run's list. */
static struct fr_test *missing_test(struct ft_scan *s, struct ft_job *job, size_t missing)
{
    const struct ft_error *error = error_of_missing(s, job, missing);
    struct fr_test *test = fr_arena_new(&s->batch->heads, struct fr_test);
    test->name = fr_arena_copy(&s->batch->heads, job->name.s, job->name.n);
    test->line = job->line;
    test->group = job->group;
    if (error) {
        fr_value_add(s->batch, test, FR_OP_NONE, FR_M_ERROR, "value", error->err, error->line);
        test->error = fr_arena_copy(&s->batch->arena, error->text.s, error->text.n);
    } else if (missing == 1 && !s->r.block && s->r.said.n) { /* the reason, though no number of it */
        test->error = fr_arena_copy(&s->batch->arena, s->r.said.s, s->r.said.n);
    }
    add_idle_ops(s, test, job, 0);
    ft_params_apply(s, test);
    return test;
}

/* A block of several jobs is of the one it is called like and of those behind it, up to the next that has a block. */
static void find_covered(struct ft_scan *s)
{
    const struct ft_job *last = NULL;
    fr_list_each (struct ft_job, j, s->r.jobs)
        if (j->seen)
            last = j;
        else if (last && last->group == j->group && last->many)
            j->covered = true;
}

/* Jobs that did nothing: each before the next job that has a block, as they were announced. */
static void add_missing_jobs(struct ft_scan *s)
{
    struct fr_run *run = s->r.run;
    size_t missing = 0;
    if (!s->r.block && s->r.run->tests.n) /* figures under a head that could not be read: whose they are nobody knows */
        return;
    find_covered(s);
    fr_list_each (struct ft_job, j, s->r.jobs)
        missing += is_missing(s, j);
    if (missing)
        mark_taken(s);
    struct fr_test *rest = run->tests.head, *next;
    bool any = rest != NULL;
    memset(&run->tests, 0, sizeof run->tests);
    fr_list_each (struct ft_job, j, s->r.jobs) {
        if (is_missing(s, j)) {
            struct fr_test *test = missing_test(s, j, missing);
            fr_list_add(&run->tests, test);
            continue;
        }
        if (!j->seen && !j->covered && any)
            fr_log_note(s->log, s->doc->source, j->line, "job %.*s is announced here, its result does not follow",
                        FR_STR(j->name));
        for (; rest && rest->line <= j->last_line; rest = next) {
            next = rest->next;
            rest->next = NULL;
            fr_list_add(&run->tests, rest);
        }
    }
    for (; rest; rest = next) {
        next = rest->next;
        rest->next = NULL;
        fr_list_add(&run->tests, rest);
    }
    int no = 0;
    fr_list_each (struct fr_test, t, run->tests)
        t->no = ++no;
}

/* numjobs: the jobs of all blocks of one name and group; clones without group_reporting have a block each. */
static void set_numjobs(struct ft_scan *s)
{
    struct fr_test *first = s->r.run->tests.head;
    while (first) {
        double jobs = 0, n;
        struct fr_test *end = first;
        char text[24];
        const char *host = fr_param_get(NULL, first, "hostname");
        for (; end && end->group == first->group && strcmp(end->name, first->name) == 0; end = end->next) {
            const char *other = fr_param_get(NULL, end, "hostname");
            if (host && other && strcmp(host, other) != 0)
                break;
            const char *of = fr_param_get(NULL, end, "numjobs");
            if (of && fr_str_double(fr_str(of), &n))
                jobs += n;
        }
        if (first->next == end) { /* nothing to add up */
            first = end;
            continue;
        }
        snprintf(text, sizeof text, "%.0f", jobs);
        const char *value = fr_arena_strdup(&s->batch->heads, text);
        for (struct fr_test *t = first; t != end; t = t->next)
            fr_list_each (struct fr_param, p, t->params)
                if (strcmp(p->key, "numjobs") == 0 && p->origin == FR_FROM_FORMAT)
                    p->value = value;
        first = end;
    }
}

static void set_start(struct ft_scan *s)
{
    double spent = (s->r.spent[0] + s->r.spent[1]) / 1000;
    if (s->r.end <= 0 || spent <= 0)
        return;
    time_t start = (time_t)floor(s->r.end - spent + 0.5);
    struct tm tm;
    char text[32];
    if (gmtime_r(&start, &tm) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm))
        s->r.run->started_at = fr_arena_strdup(&s->batch->arena, text);
}

static void drop_run(struct ft_scan *s)
{
    s->batch->runs.tail = s->r.before;
    s->batch->runs.n--;
    if (s->r.before)
        s->r.before->next = NULL;
    else
        s->batch->runs.head = NULL;
}

/* A run without a test: say what is known of it, keep it only if its progress is all there is. */
static void end_empty(struct ft_scan *s)
{
    struct fr_run *run = s->r.run;
    const struct ft_error *e = s->r.errors.head;
    const struct ft_job *job = s->r.jobs.head;
    if (run->tests.n) {
        s->found++;
        return;
    }
    if (s->r.all_clients)
        s->status =
            fr_log_error(s->log, s->doc->source, s->r.all_clients,
                         "has nothing but `All clients`, the sum over the hosts, which is no test, skipped (their "
                         "jobs stand in the whole output of fio --client)");
    else if (e)
        fr_log_warn(s->log, s->doc->source, e->line, "fio failed (%.*s), there is no result", FR_STR(e->text));
    else if (s->r.eta) {
        run->steps_only = true; /* identity.c reports it, unless the result stands there in another form */
        return;
    } else if (job && s->batch->runs.n == 1 && !s->complaint_line) { /* of one that has other forms these are heads */
        fr_log_warn(s->log, s->doc->source, job->line,
                    "fio began with job %.*s here and there is no result: it was ended, or what it printed is not here",
                    FR_STR(job->name));
    }
    s->said_why = s->said_why || s->r.all_clients || e;
    drop_run(s);
}

void ft_run_end(struct ft_scan *s)
{
    struct fr_run *run = s->r.run;
    ft_test_end(s);
    if (run) {
        add_missing_jobs(s);
        set_numjobs(s);
        set_start(s);
        run->digest = s->r.digest;
        run->announced = !s->r.snapshot && (s->r.jobs.n || s->r.version || s->r.starting);
        if (s->r.command && (run->tests.n || s->r.eta))
            run->command = s->r.command->text;
        end_empty(s);
    }
    memset(&s->r, 0, sizeof s->r);
    s->in_disks = false;
}
