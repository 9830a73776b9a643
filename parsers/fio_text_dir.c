/*
 * fio_text_dir.c: the figures of a direction, its samples, the status group's figures, disks.
 */
#include "fio_text.h"

#include "banned.h"

#define NOWHERE ((size_t)-1)
#define BESIDE  1.5 /* run times of one job's directions are as 1 to this at most */

bool ft_take_op(struct fr_str *s, enum fr_op *op)
{
    static const struct {
        const char *word;
        enum fr_op op;
    } words[] = {{"read", FR_OP_READ}, {"write", FR_OP_WRITE}, {"trim", FR_OP_TRIM}, {"mixed", FR_OP_MIXED},
                 {"READ", FR_OP_READ}, {"WRITE", FR_OP_WRITE}, {"TRIM", FR_OP_TRIM}, {"MIXED", FR_OP_MIXED}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fr_take(s, words[i].word)) {
            *op = words[i].op;
            fr_take_blanks(s);
            fr_take_ch(s, ':');
            fr_take_blanks(s);
            return true;
        }
    return false;
}

/* `60001msec`, ` 29567msec`; `60001ms`, `60s`, as people re-type it. */
static bool take_msec(struct fr_str *s, double *msec)
{
    uint64_t n;
    struct fr_str rest = *s;
    fr_take_blanks(&rest);
    if (!fr_take_u64(&rest, &n, NULL))
        return false;
    fr_take_blanks(&rest);
    bool seconds = fr_str_starts(rest, "s");
    if (!fr_take(&rest, "msec") && !fr_take(&rest, "ms") && !fr_take(&rest, "sec") && !fr_take(&rest, "s"))
        return false;
    *msec = seconds ? (double)n * 1000 : (double)n;
    *s = rest;
    return true;
}

/* Go on behind the next `key`. */
static bool after(struct fr_str *s, const char *key)
{
    size_t at = fr_str_find(*s, key);
    if (at == NOWHERE)
        return false;
    *s = fr_str_from(*s, at + strlen(key));
    return true;
}

/* Since 2.17: `IOPS=108, BW=436KiB/s (446kB/s)(25.5MiB/60001msec); 0 zone resets` */
bool ft_new_figures(struct ft_scan *s, struct fr_str line, struct ft_dir *d)
{
    enum ft_digits digits = ft_digits_of(s);
    struct fr_str rest = line;
    if (!after(&rest, "IOPS=") || !ft_take_amount(&rest, &d->iops, FR_KILO_1000, digits))
        return false;
    struct fr_str kib = rest;
    if (after(&kib, "BW(KiB/s)=")) { /* kubestr */
        struct fr_str number = fr_take_word(&kib);
        kib = fr_str(fr_arena_printf(&s->arena, "%.*sKiB/s", FR_STR(number)));
        return ft_take_amount(&kib, &d->bw, FR_KILO_1000, digits);
    }
    if (!after(&rest, "BW=") || !ft_take_amount(&rest, &d->bw, FR_KILO_1000, digits))
        return true;
    fr_take_blanks(&rest);
    if (fr_take_ch(&rest, '(') && ft_take_amount(&rest, &d->bw2, FR_KILO_1000, digits))
        after(&rest, ")");
    fr_take_blanks(&rest);
    if (fr_take_ch(&rest, '(') && ft_take_amount(&rest, &d->io, FR_KILO_1000, digits) && fr_take_ch(&rest, '/'))
        d->has_runtime = take_msec(&rest, &d->runtime);
    return true;
}

/* To 2.16: `io=3072.0MB, bw=106393KB/s, iops=26598, runt= 29567msec`; before 1.14 without iops. */
static bool old_figures(struct fr_str line, struct ft_dir *d)
{
    struct fr_str rest = line;
    d->old = true;
    if (after(&rest, "io="))
        ft_take_amount(&rest, &d->io, FR_KILO_1024, FT_DIGITS_OLD);
    rest = line;
    if (after(&rest, "bw="))
        ft_take_amount(&rest, &d->bw, FR_KILO_1024, FT_DIGITS_OLD);
    rest = line;
    if (after(&rest, "iops="))
        ft_take_amount(&rest, &d->iops, FR_KILO_1000, FT_DIGITS_OLD);
    rest = line;
    if (after(&rest, "runt="))
        d->has_runtime = take_msec(&rest, &d->runtime);
    return d->io.set && d->bw.set;
}

/*
 * What a line says of the figures in it: the cells of a table's row before theirs, `- ext4: read: IOPS=...`; as short
 * as a heading is. Empty: nothing.
 */
static struct fr_str bare_label(struct fr_str lead)
{
    static const char *const ends[] = {":", "|", "\xef\xbc\x9a", "-", "="};
    size_t words = 0;
    lead = fr_str_trim(lead);
    bool row = fr_take_ch(&lead, '|') || fr_str_ends(lead, "|"), any = false;
    while (lead.n && strchr("-*+ ", *lead.s)) /* a list's mark */
        lead = fr_str_from(lead, 1);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        while (lead.n && fr_str_ends(lead, ends[i])) {
            lead.n -= strlen(ends[i]);
            lead = fr_str_rtrim(lead);
            any = true;
        }
    if (lead.n > 2 && *lead.s == '[' && fr_str_chr(lead, ']') == lead.n - 1) { /* `[ext4] read: ...` */
        lead = fr_str_trim(fr_str_range(lead, 1, lead.n - 1));
        any = true;
    }
    if (!any || lead.n > (row ? 120 : 80)) /* a line of many results is not walked for each of them */
        return fr_str("");
    for (struct fr_str rest = lead; fr_take_word(&rest).n;)
        words++;
    bool figures = fr_str_chr(lead, '=') != NOWHERE || fr_str_chr(lead, '|') != NOWHERE;
    return !figures && words <= (row ? 12 : 6) ? fr_str_trim(lead) : fr_str("");
}

/* The directions that the command asks for; 0: it does not say. */
static unsigned asked_ops(const struct ft_command *command)
{
    unsigned ops = 0;
    fr_list_each (struct ft_section, x, command->sections)
        fr_list_each (struct fr_fio_option, o, x->options.list)
            if (strcmp(o->name, "rw") == 0)
                ops |= fr_fio_rw_ops(o->value);
    return ops;
}

/* Does the command ask for this direction? One that does not say which may. */
static bool asks_for(const struct ft_command *command, enum fr_op op)
{
    unsigned ops = asked_ops(command);
    return !ops || op > FR_OP_TRIM || ops & 1U << op;
}

/*
 * In a list below one command: that, for one more row, with at most a title right above it between. NULL: other words
 * stand there, or it does not ask for this direction.
 */
static const struct ft_command *command_above(const struct ft_scan *s, enum fr_op op)
{
    const struct ft_command *command = s->r.bare || s->r.summary ? s->r.command : NULL;
    bool at_once = !s->strange || (s->heading && s->index == s->heading_at + 1);
    return command && at_once && asks_for(command, op) ? command : NULL;
}

const struct ft_command *ft_command_for(const struct ft_scan *s, enum fr_op op)
{
    return s->command && asks_for(s->command, op) ? s->command : command_above(s, op);
}

/* A run begins, with its own command, or that of the row above. */
void ft_begin_row(struct ft_scan *s, enum fr_op op)
{
    const struct ft_command *above = command_above(s, op);
    ft_run_begin(s);
    if (!s->r.command || !asks_for(s->r.command, op)) /* of one that is not shown */
        s->r.command = s->r.command ? NULL : above;
}

/* The only job that was announced, whose block's first line was left out. */
static bool open_announced(struct ft_scan *s, enum fr_op op)
{
    struct ft_job *job = s->r.jobs.head;
    bool idle = s->r.run && !s->r.run->tests.n && !s->r.block && !s->r.group && !s->r.disk;
    if (!idle || s->r.jobs.n != 1 || job->seen || !(fr_fio_rw_ops(job->rw) & 1U << op))
        return false;
    ft_test_begin(s, job->name);
    s->r.block = true;
    s->t.test->group = job->group;
    job->seen++;
    job->last_line = s->line;
    return true;
}

/* A direction without a job's line: with the one before if that has not got this direction, and nothing else between.
 */
void ft_open_bare(struct ft_scan *s, enum fr_op op)
{
    struct fr_str label = bare_label(s->lead);
    bool asked = !s->r.command || asks_for(s->r.command, op);
    if (s->t.test && s->t.bare && !s->t.dir[op].present && !s->strange && !label.n && asked)
        return;
    if (s->t.test && s->t.orphan && !s->t.has_op && !s->t.dir[op].present) /* its job's line is cut off */
        return;
    if (!label.n && open_announced(s, op))
        return;
    ft_begin_row(s, op);
    ft_test_begin(s, ft_command_only_job(s->r.command));
    s->r.bare = s->t.bare = true;
    if (label.n)
        s->r.run->own_label = fr_arena_copy(&s->batch->arena, label.s, label.n);
}

static bool same_figures(const struct ft_dir *a, const struct ft_dir *b)
{
    return a->present && memcmp(&a->io, &b->io, sizeof a->io) == 0 && memcmp(&a->bw, &b->bw, sizeof a->bw) == 0 &&
           memcmp(&a->iops, &b->iops, sizeof a->iops) == 0 && memcmp(&a->runtime, &b->runtime, sizeof a->runtime) == 0;
}

/* fio prints a job's directions in one order, and they ran side by side; rows of others that follow need not. */
static bool is_of_test(const struct ft_scan *s, enum fr_op op, const struct ft_dir *d)
{
    if (s->t.has_op && s->t.op <= FR_OP_TRIM && op < s->t.op && s->t.dir[s->t.op].line != s->line)
        return false;
    for (int i = 0; s->t.bare && i < FR_OP_COUNT; i++) {
        const struct ft_dir *other = &s->t.dir[i];
        if (other->present && other->runtime > 0 && d->runtime > 0 &&
            (other->runtime > BESIDE * d->runtime || d->runtime > BESIDE * other->runtime))
            return false;
    }
    return true;
}

void ft_dir_set(struct ft_scan *s, enum fr_op op, struct ft_dir *d)
{
    d->present = true;
    d->line = s->line;
    d->ios = s->t.dir[op].ios;
    s->t.dir[op] = *d;
    s->t.op = op;
    s->t.has_op = true;
    s->orphan_said = false;
}

void ft_dir_line(struct ft_scan *s, struct fr_str line)
{
    struct ft_dir d;
    enum fr_op op;
    memset(&d, 0, sizeof d);
    s->t.pct = false;
    if (s->t.skip) {
        return;
    }
    ft_take_op(&line, &op);
    bool ok = fr_str_starts(line, "IOPS=") ? ft_new_figures(s, line, &d) : old_figures(line, &d);
    if (!ok) {
        fr_log_error(s->log, s->doc->source, s->line, "the figures of %s cannot be read, skipped", fr_op_name(op));
        s->status = -1;
        s->t.has_op = false;
        return;
    }
    if (s->t.test && !s->t.bare && same_figures(&s->t.dir[op], &d)) { /* its line stands there once more */
        s->t.op = op;
        s->t.has_op = true;
        return;
    }
    if (s->t.test && !is_of_test(s, op, &d))
        ft_test_end(s);
    bool complete = s->t.issued_line || s->t.buckets_line; /* these follow all directions of a block */
    if (!s->t.test || s->t.bare || s->t.orphan || s->t.dir[op].present || complete)
        ft_open_bare(s, op);
    ft_dir_set(s, op, &d);
    ft_dir_tail(s, line, op);
}

/* kb_base=1000, by the bandwidth of a direction: since 2.17 `BW=246MB/s (234MiB/s)`. That of `mixed` may be 0. */
static bool prints_thousands(const struct ft_scan *s)
{
    for (int op = 0; op < FR_OP_COUNT; op++)
        if (s->t.dir[op].present && !s->t.dir[op].old && s->t.dir[op].bw.kilo)
            return true;
    return false;
}

/*
 * fio takes these samples in KiB/s in every version (show_ddir_status() in its stat.c); with kb_base=1000 it only
 * writes `kB/s` over them. Means beyond kb_base * kb_base are divided by kb_base, and are headed `MB/s` to 2.16,
 * `MiB/s` since, whatever kb_base is: the direction's own figures tell. With unit_base=1 all are of bits.
 */
static bool sample_unit(struct ft_scan *s, struct fr_str *line, double *factor)
{
    const struct ft_dir *d = s->t.has_op ? &s->t.dir[s->t.op] : NULL;
    fr_take(line, "bw");
    struct fr_str head = *line;
    if (!ft_take_unit(line, FR_KILO_1024, factor))
        return false;
    head = fr_str_range(head, 0, head.n - line->n);
    while (head.n && (*head.s == ' ' || *head.s == '('))
        head = fr_str_from(head, 1);
    bool mega = fr_take_ch(&head, 'M'), binary = fr_str_starts(head, "i"), old = d && d->old;
    if (!mega && !fr_take_ch(&head, 'k') && !fr_take_ch(&head, 'K'))
        return true; /* re-typed: as it stands */
    bool thousand = !old && (!binary || prints_thousands(s));
    *factor = 1024. * (!mega ? 1 : thousand ? 1000 : 1024) / (fr_str_find(head, "bit") != NOWHERE ? 8 : 1);
    if (mega && old)
        s->t.mega_samples |= 1U << s->t.op;
    return true;
}

/* Samples alone, below a command that asks for one direction: theirs. */
static void open_samples(struct ft_scan *s, uint64_t seen)
{
    const struct ft_command *command = s->command ? s->command : s->r.bare ? s->r.command : NULL;
    bool next = s->t.test && s->t.bare && s->strange && s->t.seen & seen;
    if (!command || s->t.skip || s->r.block || s->r.group || (s->t.test && !next))
        return;
    for (enum fr_op op = FR_OP_READ; op <= FR_OP_TRIM; op++)
        if (asked_ops(command) == 1U << op && (s->command || command_above(s, op))) {
            ft_open_bare(s, op);
            s->t.op = op;
            s->t.has_op = true;
            return;
        }
}

void ft_sample_line(struct ft_scan *s, struct fr_str line, bool bw)
{
    static const char *const names[FT_STATS] = {"min", "max", "mean", "stdev", "n"};
    struct ft_stats stats;
    double factor = 1;
    s->t.pct = false;
    if (bw && !sample_unit(s, &line, &factor)) {
        fr_log_warn(s->log, s->doc->source, s->line, "bandwidth samples without a unit, skipped");
        return;
    }
    open_samples(s, (uint64_t)(bw ? 0xff : 0xff00) << 48);
    if (!s->t.test || !s->t.has_op || !ft_take_stats(line, &stats))
        return;
    uint64_t bit = (uint64_t)1 << (bw ? 48 : 56) << s->t.op;
    if (s->t.seen & bit) /* of a direction whose line is missing, or the same once more */
        return;
    s->t.seen |= bit;
    for (int i = 0; i < FT_STATS; i++)
        if (stats.have & 1U << i)
            fr_value_add(s->batch, s->t.test, s->t.op, bw ? FR_M_BW_SAMPLE : FR_M_IOPS_SAMPLE, names[i],
                         stats.v[i] * (i == FT_N ? 1 : factor), s->line);
}

/* ---- status group ------------------------------------------------------------------------------------------------ */

void ft_group_line(struct ft_scan *s, struct fr_str line)
{
    uint64_t group = 0;
    fr_take(&line, "Run status group ");
    fr_take_u64(&line, &group, NULL);
    s->in_disks = false;
    /* What was begun in the middle of a job may go on here; another group's figures are another test's. */
    if (!s->t.orphan || s->t.has_op || s->r.group)
        ft_test_end(s);
    if (!s->r.run || (!s->r.client && (s->r.disk || (s->r.group && (int64_t)group <= s->r.group_no))))
        ft_run_begin(s);
    s->r.group = true;
    s->r.group_no = (int64_t)group;
}

/* The test that a group's figures stand for when there is no job's block: the group's only job, else one without name.
 */
static void open_group_test(struct ft_scan *s)
{
    struct ft_job *only = NULL;
    size_t n = 0;
    fr_list_each (struct ft_job, j, s->r.jobs)
        if (j->group == s->r.group_no) {
            only = j;
            n++;
        }
    ft_test_begin(s, n == 1 ? only->name : n == 0 ? ft_command_only_job(s->r.command) : fr_str(""));
    s->t.orphan = true;
    s->t.test->group = s->r.group_no;
    if (n == 1) {
        only->seen++;
        only->last_line = s->line;
    }
    fr_list_each (struct ft_job, j, s->r.jobs)
        j->covered = j->covered || (n > 1 && j->group == s->r.group_no);
    if (s->r.errors.n) {
        const struct ft_error *e = s->r.errors.head;
        fr_value_add(s->batch, s->t.test, FR_OP_NONE, FR_M_ERROR, "value", e->err, e->line);
        s->t.test->error = fr_arena_copy(&s->batch->arena, e->text.s, e->text.n);
    }
}

/*
 * `READ: bw=436KiB/s (446kB/s), 436KiB/s-436KiB/s (...), io=25.5MiB (26.7MB), run=60001-60001msec`
 * `READ: io=507920KB, aggrb=8435KB/s, minb=8637KB/s, maxb=8637KB/s, mint=60215msec, maxt=60215msec`
 * (1.1 to 1.11: `aggrb=666`, in KiB/s)
 */
bool ft_group_figures(struct ft_scan *s, struct fr_str line, struct ft_dir *d)
{
    enum ft_digits digits = ft_digits_of(s);
    struct fr_str rest = line;
    double first;
    if (fr_take(&rest, "bw=")) {
        if (!ft_take_amount(&rest, &d->bw, FR_KILO_1000, digits))
            return false;
        fr_take_blanks(&rest);
        if (fr_take_ch(&rest, '('))
            ft_take_amount(&rest, &d->bw2, FR_KILO_1000, digits);
        if (after(&rest, "io="))
            ft_take_amount(&rest, &d->io, FR_KILO_1000, digits);
        if (after(&rest, "run=") && ft_take_number(&rest, &first, &(int){0}) && fr_take_ch(&rest, '-'))
            d->has_runtime = take_msec(&rest, &d->runtime);
        return true;
    }
    d->old = true;
    if (!fr_take(&rest, "io=") || !ft_take_amount(&rest, &d->io, FR_KILO_1024, FT_DIGITS_OLD) ||
        !after(&rest, "aggrb=") || !ft_take_amount(&rest, &d->bw, FR_KILO_1024, FT_DIGITS_OLD))
        return false;
    if (d->bw.exact && (!rest.n || *rest.s == ',') && rest.s[-1] != 's') { /* no unit: KiB/s */
        d->bw.value *= 1024;
        d->bw.lo *= 1024;
        d->bw.hi *= 1024;
        d->bw.exact = false;
    }
    if (after(&rest, "maxt="))
        d->has_runtime = take_msec(&rest, &d->runtime);
    return true;
}

/* Are there blocks of its jobs, which say it better? Of clients nobody can tell. */
static bool group_has_blocks(const struct ft_scan *s)
{
    bool open = s->t.test && s->t.orphan;
    if (!s->r.block || s->r.client)
        return s->r.block;
    fr_list_each (struct fr_test, t, s->r.run->tests)
        if (t->group == s->r.group_no && !(open && t == s->t.test))
            return true;
    return false;
}

/* A group's figures alone, without `Run status group` or a block: a run of its own, with those of its other directions
 * that follow at once. */
static void open_summary(struct ft_scan *s, struct fr_str line)
{
    enum fr_op op;
    ft_take_op(&line, &op);
    struct fr_str label = bare_label(s->lead);
    bool asked = !s->r.command || asks_for(s->r.command, op);
    bool more = s->r.summary && !s->strange && !label.n && !s->t.dir[op].present && asked;
    bool ended = s->strange && s->r.disk; /* what stands above was a whole run */
    if (!ended && (more || s->r.bare || s->r.block || s->r.client || (s->r.group && !s->r.summary)))
        return;
    if (!s->r.run || s->r.summary || s->strange || s->r.all_clients)
        ft_begin_row(s, op);
    s->r.group = s->r.summary = true;
    s->r.group_no = 0;
    if (label.n)
        s->r.run->own_label = fr_arena_copy(&s->batch->arena, label.s, label.n);
}

/* `run=18446744073709551615-0msec`, the least of no times: a report from before its jobs began. */
static bool is_nothing(struct fr_str line)
{
    return fr_str_find(line, "=18446744073709551615") != NOWHERE;
}

void ft_group_dir_line(struct ft_scan *s, struct fr_str line)
{
    struct ft_dir d;
    enum fr_op op;
    memset(&d, 0, sizeof d);
    if (is_nothing(line))
        return;
    open_summary(s, line);
    if (!s->r.group || s->r.bare || s->r.all_clients || group_has_blocks(s)) {
        s->r.group_values = true;
        return; /* the jobs' own blocks say it better */
    }
    ft_take_op(&line, &op);
    if (!ft_group_figures(s, line, &d)) {
        fr_log_error(s->log, s->doc->source, s->line, "the figures of a status group cannot be read, skipped");
        s->status = -1;
        return;
    }
    if (!s->t.test)
        open_group_test(s);
    s->r.group_values = true;
    if (s->t.dir[op].present)
        return;
    d.present = true;
    d.line = s->line;
    d.ios = s->t.dir[op].ios;
    d.has_ios = s->t.dir[op].has_ios;
    d.ios_line = s->t.dir[op].ios_line;
    s->t.dir[op] = d;
}

/* ---- disks ------------------------------------------------------------------------------------------------------- */

/* What stands behind key=: read/write, or one number. Names and units as in fio's JSON. */
static const struct {
    struct fr_str key;
    const char *read, *write; /* write NULL: one number */
    bool share;               /* printed in per cent, kept as a ratio like every share */
} disk_keys[] = {{FR_LITERAL("ios="), "read_ios", "write_ios", false},
                 {FR_LITERAL("sectors="), "read_sectors", "write_sectors", false},
                 {FR_LITERAL("merge="), "read_merges", "write_merges", false},
                 {FR_LITERAL("ticks="), "read_ticks", "write_ticks", false},
                 {FR_LITERAL("in_queue="), "in_queue", NULL, false},
                 {FR_LITERAL("util="), "util", NULL, true},
                 {FR_LITERAL("aggrios="), "aggr_read_ios", "aggr_write_ios", false},
                 {FR_LITERAL("aggsectors="), "aggr_read_sectors", "aggr_write_sectors", false},
                 {FR_LITERAL("aggrsectors="), "aggr_read_sectors", "aggr_write_sectors", false},
                 {FR_LITERAL("aggrmerge="), "aggr_read_merges", "aggr_write_merge", false},
                 {FR_LITERAL("aggrticks="), "aggr_read_ticks", "aggr_write_ticks", false},
                 {FR_LITERAL("aggrin_queue="), "aggr_in_queue", NULL, false},
                 {FR_LITERAL("aggrutil="), "aggr_util", NULL, true}};

/* `92 .73%`: a blank within the number. */
static bool goes_on_apart(struct fr_str rest)
{
    rest = fr_take_ch(&rest, ' ') ? fr_str_ltrim(rest) : fr_str("");
    return rest.n && (*rest.s == '.' || fr_is_digit(*rest.s));
}

void ft_disk_line(struct ft_scan *s, struct fr_str line)
{
    size_t at = fr_str_find(line, ": ios=");
    struct fr_str disk = fr_str_trim(fr_str_range(line, 0, at)), rest = fr_str_from(line, at + 2);
    if (!s->r.run || !s->in_disks)
        return;
    while (rest.n) {
        size_t end = 0; /* not at a decimal comma */
        while (end < rest.n && !(rest.s[end] == ',' && !(end + 1 < rest.n && fr_is_digit(rest.s[end + 1]))))
            end++;
        struct fr_str item = fr_str_trim(fr_str_range(rest, 0, end));
        rest = fr_str_from(rest, end + 1);
        for (size_t i = 0; i < sizeof disk_keys / sizeof *disk_keys; i++) {
            double v;
            int decimals;
            struct fr_str part = item;
            if (!fr_take_str(&part, disk_keys[i].key))
                continue;
            bool share = disk_keys[i].share; /* its % may stand in the next line */
            if (ft_take_number(&part, &v, &decimals) && !(share && goes_on_apart(part)))
                fr_disk_add(s->batch, s->r.run, disk, disk_keys[i].read, share ? v / 100 : v, s->line);
            if (disk_keys[i].write && fr_take_ch(&part, '/') && ft_take_number(&part, &v, &decimals))
                fr_disk_add(s->batch, s->r.run, disk, disk_keys[i].write, v, s->line);
            break;
        }
    }
}
