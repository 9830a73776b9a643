/*
 * fio_text_job.c: lines that name things: the header of a job, its block, the version, fio's messages.
 */
#include "fio_text.h"

#include <math.h>
#include <time.h>

#include "rx.h"

#include "banned.h"

#define NOWHERE ((size_t)-1)

enum { APART = 5 }; /* seconds */

enum { NAME_CUT = 120 }; /* names from this length on may be cut in headers */

static struct fr_str keep(struct ft_scan *s, struct fr_str text)
{
    return fr_str(fr_arena_copy(&s->arena, text.s, text.n));
}

/* Without the quote that opens a string of a program, of JSON, of YAML, which ends lines further down. */
static struct fr_str without_quote(struct fr_str name)
{
    static const char *const triples[] = {"\"\"\"", "'''"};
    for (size_t i = 0; i < sizeof triples / sizeof *triples; i++) {
        size_t at = fr_str_rfind(name, triples[i]);
        if (at != NOWHERE)
            return fr_str_trim(fr_str_from(name, at + 3));
    }
    bool quoted = name.n > 1 && strchr("\"'`", name.s[0]) && fr_str_count(name, name.s[0]) == 1;
    return quoted ? fr_str_from(name, 1) : name;
}

/* What stands before `(groupid=`: the colon goes, a tab becomes a blank (names are shown in tables). */
static struct fr_str job_name(struct ft_scan *s, struct fr_str text)
{
    text = without_quote(fr_str_trim(text));
    if (text.n && text.s[text.n - 1] == ':')
        text.n--;
    char *name = fr_arena_copy(&s->arena, text.s, text.n);
    for (size_t i = 0; i < text.n; i++)
        if (name[i] == '\t')
            name[i] = ' ';
    return fr_strn(name, text.n);
}

/* ---- header ------------------------------------------------------------------------------------------------------ */

/* What a header says of a job. */
enum { FIELDS = 4 };

static void fields_of(struct ft_job *job, struct fr_str *fields[FIELDS])
{
    fields[0] = &job->rw;
    fields[1] = &job->bs;
    fields[2] = &job->ioengine;
    fields[3] = &job->iodepth;
}

static bool same_header(struct ft_job *a, struct ft_job *b)
{
    struct fr_str *of_a[FIELDS], *of_b[FIELDS];
    bool same = true;
    fields_of(a, of_a);
    fields_of(b, of_b);
    for (size_t i = 0; i < FIELDS; i++)
        same = same && fr_str_eq(*of_a[i], *of_b[i]);
    return same;
}

void ft_header_agree(struct ft_job *common, struct ft_job *job)
{
    struct fr_str *ours[FIELDS], *others[FIELDS];
    fields_of(common, ours);
    fields_of(job, others);
    for (size_t i = 0; i < FIELDS; i++)
        if (!fr_str_eq(*ours[i], *others[i]))
            *ours[i] = fr_str("");
}

void ft_header_line(struct ft_scan *s, struct fr_str line)
{
    struct fr_str g[6];
    if (!fr_rx_match(ft_rx_header(s->rx), line, g, 6)) {
        fr_log_warn(s->log, s->doc->source, s->line, "looks like the header of a fio job and is none, skipped");
        return;
    }
    if (!s->r.run || s->r.block || s->r.group || s->r.disk || s->r.version || s->r.bare)
        ft_run_begin(s);
    struct ft_job *job = fr_arena_new(&s->arena, struct ft_job);
    uint64_t group = 0;
    fr_str_u64(g[2], &group);
    job->name = job_name(s, g[1]);
    job->group = (int64_t)group;
    job->line = s->line;
    job->rw = keep(s, fr_str_is(g[3], "(null)") ? fr_str("") : g[3]); /* 2.x does not know its trimwrite */
    job->bs = keep(s, g[4]);
    struct fr_str rest = g[5];
    while (rest.n) {
        struct fr_str item = fr_str_trim(fr_take_until(&rest, ','));
        if (fr_take(&item, "ioengine="))
            job->ioengine = keep(s, item);
        else if (fr_take(&item, "iodepth="))
            job->iodepth = keep(s, fr_take_word(&item));
    }
    fr_list_each (struct ft_job, j, s->r.jobs) {
        if (j->group != job->group || !fr_str_eq(j->name, job->name))
            continue;
        if (same_header(j, job)) {
            j->clones = true; /* to 2.0 the last clone is shown again */
            return;
        }
        j->twin = job->twin = true;
    }
    fr_list_add(&s->r.jobs, job);
}

/*
 * Of jobs that have one name the test's is the first without a block. Where one of them has clones nobody can tell
 * whose a block is, and what they do not agree on is left out.
 */
static struct ft_job *find_twin(struct ft_scan *s, const struct ft_job *first)
{
    struct ft_job common = *first, *next = NULL, *last = NULL;
    bool clones = false;
    fr_list_each (struct ft_job, j, s->r.jobs) {
        if (!j->twin || j->group != first->group || !fr_str_eq(j->name, first->name))
            continue;
        clones = clones || j->clones;
        next = next || j->seen ? next : j;
        last = j;
        ft_header_agree(&common, j);
    }
    last = next ? next : last;
    if (clones)
        ft_header_agree(last, &common);
    return last;
}

/* Equal; or so long that fio cut one of them. */
static bool same_name(struct fr_str a, struct fr_str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    return fr_str_eq(a, b) || (n >= NAME_CUT && memcmp(a.s, b.s, n) == 0);
}

/*
 * The one header whose name ends in the block's, where that has none of its own: something else stood before it in its
 * line. Then that was no part of the name.
 */
static struct ft_job *find_soiled(struct ft_scan *s, struct fr_str name, int64_t group)
{
    struct ft_job *found = NULL;
    fr_list_each (struct ft_job, j, s->r.jobs) {
        if (j->seen || j->group != group || j->name.n <= name.n || !name.n ||
            !fr_str_eq(fr_str_from(j->name, j->name.n - name.n), name) ||
            fr_is_alpha(j->name.s[j->name.n - name.n - 1]) || fr_is_digit(j->name.s[j->name.n - name.n - 1]))
            continue;
        if (found)
            return NULL;
        found = j;
    }
    if (found)
        found->name = fr_str_from(found->name, found->name.n - name.n);
    return found;
}

struct ft_job *ft_job_find(struct ft_scan *s, const struct fr_test *test)
{
    struct ft_job *any = NULL, *hint = s->r.found;
    struct fr_str name = fr_str(test->name);
    if (test == s->t.test && s->t.job)
        return s->t.job;
    for (int i = 0; hint && i < 2; i++, hint = hint->next)
        if (hint->group == test->group && same_name(hint->name, name))
            return s->r.found = hint;
    fr_list_each (struct ft_job, j, s->r.jobs)
        if (same_name(j->name, name)) {
            if (j->group == test->group)
                return s->r.found = j;
            any = any ? any : j;
        }
    return any ? any : find_soiled(s, name, test->group);
}

/*
 * Which jobs of the group have a block of their own further down? (group_reporting in some of them alone.) Looked for
 * once, to the group's status.
 */
static void find_own_blocks(struct ft_scan *s, int64_t group)
{
    if (s->r.own_blocks_of == group)
        return;
    s->r.own_blocks_of = group;
    for (size_t i = s->index; i < s->doc->n; i++) {
        struct fr_str line = fr_str_trim(s->doc->lines[i].text);
        enum ft_kind kind = ft_kind_of(line);
        if (kind == FT_GROUP || kind == FT_HEADER)
            return;
        if (kind != FT_JOB)
            continue;
        fr_list_each (struct ft_job, j, s->r.jobs)
            if (j->group == group && j->name.n < line.n && fr_str_eq(fr_str_range(line, 0, j->name.n), j->name) &&
                fr_str_starts(fr_str_from(line, j->name.n), ": (g"))
                j->own_block = true;
    }
}

bool ft_is_of_block(const struct ft_job *job, const struct fr_test *test)
{
    return job->group == test->group && !job->seen && !job->own_block;
}

bool ft_is_many(struct ft_scan *s, const struct fr_test *test)
{
    unsigned names = 0, others = 0;
    fr_list_each (struct ft_job, j, s->r.jobs)
        names += j->group == test->group;
    if (test != s->t.test || s->t.jobs <= 1 || names <= 1)
        return false;
    find_own_blocks(s, test->group);
    fr_list_each (struct ft_job, j, s->r.jobs)
        others += ft_is_of_block(j, test);
    return others > 0;
}

/* ---- block ------------------------------------------------------------------------------------------------------- */

/* `Sat Aug 13 18:55:00 2022` as seconds since 1970, as if it were UTC (the zone is not known); 0 when it is no date. */
static double parse_date(struct fr_str text)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    uint64_t n[5] = {0, 0, 0, 0, 0};
    struct fr_str day, word;
    fr_take_word(&text);
    word = fr_take_word(&text);
    day = fr_take_word(&text);
    size_t month = 0;
    while (month < 12 && !(word.n == 3 && memcmp(months + 3 * month, word.s, 3) == 0))
        month++;
    if (month == 12 || !fr_str_u64(day, &n[0]))
        return 0;
    fr_take_blanks(&text);
    if (!fr_take_u64(&text, &n[1], NULL) || !fr_take_ch(&text, ':') || !fr_take_u64(&text, &n[2], NULL) ||
        !fr_take_ch(&text, ':') || !fr_take_u64(&text, &n[3], NULL))
        return 0;
    fr_take_blanks(&text);
    if (!fr_take_u64(&text, &n[4], NULL) || n[4] < 1970 || n[4] > 9999 || n[0] > 31 || n[1] > 24 || n[2] > 60 ||
        n[3] > 61)
        return 0;
    struct tm tm = {.tm_year = (int)n[4] - 1900,
                    .tm_mon = (int)month,
                    .tm_mday = (int)n[0],
                    .tm_hour = (int)n[1],
                    .tm_min = (int)n[2],
                    .tm_sec = (int)n[3]};
    return (double)timegm(&tm);
}

/* Where the tests of the client begin whose block follows. In containers all of them have the same pids. */
static void find_client(struct ft_scan *s)
{
    if (!s->host.n || !s->r.run || fr_str_eq(s->host, s->r.client_host))
        return;
    bool found = false;
    s->r.client_from = 0;
    for (struct fr_test *t = s->r.client_host.n ? s->r.run->tests.head : NULL; t && !found; t = t->next) {
        const char *host = fr_param_get(NULL, t, "hostname");
        found = host && fr_str_is(s->host, host);
        s->r.client_from += !found;
    }
    s->r.client_host = s->host;
}

/* The same job was there before in this run: this is a snapshot. What its headers said goes on to hold. */
static const struct fr_test *snapshot_of(const struct ft_scan *s, struct fr_str name, int64_t pid, int64_t group)
{
    size_t no = 0;
    if (!s->r.run)
        return NULL;
    fr_list_each (struct fr_test, t, s->r.run->tests)
        if (no++ >= s->r.client_from && (t->pid ? t->pid == pid : t->end > 0) && t->group == group &&
            fr_str_is(name, t->name))
            return t; /* a group prints pid=0 until its first job begins */
    return NULL;
}

/*
 * Each client prints all of its reports in one go, after those of another one: what this one said before counts no
 * more, what the others said does.
 */
static void drop_reports(struct ft_scan *s, const struct fr_test *first)
{
    struct fr_run *run = s->r.run;
    struct fr_test *rest = run->tests.head, *next;
    ft_test_end(s);
    memset(&run->tests, 0, sizeof run->tests);
    for (; rest && rest != first; rest = next) {
        next = rest->next;
        rest->next = NULL;
        fr_list_add(&run->tests, rest);
    }
    s->r.group = s->r.disk = false;
    s->r.group_no = -1;
    fr_log_explain(s->log, s->doc->source, s->line, "a later report of a client takes the place of the one before it");
}

/* Blocks go on after the end of a report, with a job that was announced and had not begun by then: a snapshot too. */
static bool begins_late(const struct ft_scan *s, struct fr_str name, int64_t group)
{
    if (!s->r.run || s->r.client || !(s->r.group || s->r.disk))
        return false;
    fr_list_each (struct ft_job, j, s->r.jobs)
        if (!j->seen && j->group == group && fr_str_eq(j->name, name))
            return true;
    return false;
}

static void begin_snapshot(struct ft_scan *s)
{
    ft_test_end(s);
    struct ft_run old = s->r;
    ft_run_begin(s);
    s->r.jobs.head = old.jobs.head;
    s->r.jobs.tail = old.jobs.tail;
    s->r.jobs.n = old.jobs.n;
    s->r.command = old.command;
    s->r.client = old.client;
    s->r.client_host = old.client_host;
    s->r.major = old.major;
    s->r.minor = old.minor;
    s->r.version = old.version;
    s->r.snapshot = true;
    s->r.run->tool_version = old.run->tool_version;
    fr_list_each (struct ft_job, j, s->r.jobs) {
        j->seen = 0;
        j->covered = j->many = j->own_block = false;
    }
}

/* What follows `err=`: number, its text in brackets, pid, date. */
static void job_tail(struct ft_scan *s, struct fr_test *test, struct fr_str rest)
{
    double err = 0;
    uint64_t pid = 0;
    fr_take_blanks(&rest);
    if (fr_take_double(&rest, &err))
        fr_value_add(s->batch, test, FR_OP_NONE, FR_M_ERROR, "value", err, s->line);
    size_t at = fr_str_rfind(rest, "pid=");
    struct fr_str text = fr_str_trim(fr_str_range(rest, 0, at == NOWHERE ? rest.n : at));
    if (fr_take_ch(&text, '(')) { /* (file:io_u.c:1803, func=io_u error, error=No space left on device): */
        size_t error = fr_str_find(text, "error=");
        size_t func = fr_str_find(text, ", error=");
        text = fr_str_from(text, func != NOWHERE ? func + 8 : error != NOWHERE ? error + 6 : 0);
        size_t end = fr_str_rfind(text, ")");
        text = fr_str_range(text, 0, end);
        if (text.n)
            test->error = fr_arena_copy(&s->batch->arena, text.s, text.n);
    }
    if (at == NOWHERE)
        return;
    rest = fr_str_from(rest, at + 4);
    fr_take_blanks(&rest);
    if (fr_take_u64(&rest, &pid, NULL))
        test->pid = (int64_t)pid;
    fr_take_blanks(&rest);
    if (fr_take_ch(&rest, ':'))
        test->end = parse_date(rest);
    if (test->end > 0)
        s->r.end = test->end;
}

static int64_t pid_of(struct fr_str rest)
{
    uint64_t pid = 0;
    size_t at = fr_str_rfind(rest, "pid=");
    rest = fr_str_from(rest, at == NOWHERE ? rest.n : at + 4);
    fr_take_blanks(&rest);
    return fr_take_u64(&rest, &pid, NULL) ? (int64_t)pid : 0;
}

/* When fio printed the block, as its line says; 0: it does not. */
static double date_of(struct fr_str rest)
{
    size_t at = fr_str_rfind(rest, "pid=");
    rest = fr_str_from(rest, at == NOWHERE ? rest.n : at);
    at = fr_str_chr(rest, ':');
    return at == NOWHERE ? 0 : parse_date(fr_str_from(rest, at + 1));
}

/* Is there a header of a job that is called so? A sum has none. */
static bool is_announced(const struct ft_scan *s, struct fr_str name)
{
    fr_list_each (struct ft_job, j, s->r.jobs)
        if (fr_str_eq(j->name, name))
            return true;
    return false;
}

/* fio prints all blocks of a run at once: with progress between them, or of one name at two times, they are of two. */
static bool is_apart(const struct ft_scan *s, struct fr_str name, struct fr_str tail, int64_t group)
{
    if (!s->r.block) /* a piece of a block, and other words between */
        return s->r.run->tests.n && s->strange;
    if (s->r.client)
        return false;
    double date = -1;                                                          /* not looked at yet */
    if (s->strange && s->r.end > 0 && !s->r.group && !is_announced(s, name)) { /* other words between, another time */
        date = date_of(tail);
        if (date > 0 && fabs(date - s->r.end) > (double)APART)
            return true;
    }
    fr_list_each (struct fr_test, t, s->r.run->tests) {
        if (t->group != group || t->end <= 0 || !fr_str_is(name, t->name))
            continue;
        date = date < 0 ? date_of(tail) : date;
        if (date > 0 && fabs(date - t->end) > (double)APART)
            return true;
    }
    return s->r.progress;
}

/* Which run is a block of: the current one, a later report of it, or a new one? */
static void place_block(struct ft_scan *s, struct fr_str name, struct fr_str tail, int64_t group)
{
    int64_t pid = pid_of(tail);
    bool late = begins_late(s, name, group), ended = s->r.group || s->r.disk || s->r.all_clients;
    bool next_client = s->r.client && (s->host.n || !s->r.all_clients);
    find_client(s);
    const struct fr_test *before = snapshot_of(s, name, pid, group);
    if (late && !s->r.block) { /* a report before any job had begun: nothing stands in it */
        s->r.group = s->r.disk = false;
        s->r.group_no = -1;
    } else if (before && s->r.client && before != s->r.run->tests.head) {
        drop_reports(s, before);
    } else if (late || before) {
        begin_snapshot(s);
    } else if (!s->r.run || s->r.bare || s->r.summary || is_apart(s, name, tail, group) || (ended && !next_client) ||
               (s->r.block && !s->r.client && group < s->r.last_group)) {
        ft_run_begin(s);
    }
}

void ft_job_line(struct ft_scan *s, struct fr_str line)
{
    struct fr_str g[5];
    uint64_t group = 0, jobs = 0;
    if (!fr_rx_match(ft_rx_job(s->rx), line, g, 5)) {
        fr_log_warn(s->log, s->doc->source, s->line, "looks like the results of a fio job and has no readable head");
        return;
    }
    struct fr_str name = job_name(s, g[1]);
    fr_str_u64(g[2], &group);
    bool has_jobs = fr_str_u64(g[3], &jobs);
    ft_test_end(s);
    if (fr_str_is(name, "All clients") && !is_announced(s, name)) {
        if (!s->r.run)
            ft_run_begin(s);
        s->t.skip = true;
        s->r.all_clients = s->r.all_clients ? s->r.all_clients : s->line;
        return;
    }
    place_block(s, name, g[4], (int64_t)group);
    s->r.block = true;
    s->r.progress = false;
    struct fr_test *test = ft_test_begin(s, name);
    test->group = (int64_t)group;
    job_tail(s, test, g[4]);
    s->t.jobs = has_jobs ? (double)jobs : 0;
    struct ft_job *job = ft_job_find(s, test);
    if (job && job->twin && job->group == test->group)
        job = find_twin(s, job);
    s->t.job = job;
    if (job) {
        job->seen++;
        job->last_line = s->line;
    }
    if (jobs > 1 && job && job->group == test->group)
        job->many = true;
    else if (jobs > 1) /* its header was not understood, or its name cut */
        fr_list_each (struct ft_job, j, s->r.jobs)
            j->covered = j->covered || j->group == test->group;
    if (has_jobs)
        fr_param_set(s->batch, s->r.run, test, "numjobs", g[3], FR_FROM_FORMAT, s->line);
    /* The host stands before the first of its blocks only. */
    struct fr_str host = s->host.n || s->r.hosts_differ ? s->host : s->r.host;
    if (host.n) {
        fr_param_set(s->batch, s->r.run, test, "hostname", host, FR_FROM_FORMAT, s->line);
        if (!s->r.run->host)
            s->r.run->host = fr_arena_copy(&s->batch->arena, host.s, host.n);
    }
}

/* ---- version, messages ------------------------------------------------------------------------------------------- */

static void set_version(struct ft_scan *s, struct fr_str version)
{
    double major = 0, minor = 0;
    char *copy = fr_arena_copy(&s->batch->arena, version.s, version.n);
    for (char *p = copy; *p; p++)
        if (*p == ',') /* a re-typed text with decimal commas */
            *p = '.';
    struct fr_str rest = fr_str(copy);
    uint64_t n;
    if (fr_take_u64(&rest, &n, NULL))
        major = (double)n;
    if (fr_take_ch(&rest, '.') && fr_take_u64(&rest, &n, NULL))
        minor = (double)n;
    s->r.run->tool_version = copy;
    s->r.major = major;
    s->r.minor = minor;
}

void ft_version_line(struct ft_scan *s, struct fr_str line)
{
    if (fr_take(&line, "hostname=")) { /* client mode: a server's greeting */
        size_t at = fr_str_find(line, "fio=fio-");
        if (!s->r.run || s->r.block || s->r.group || s->r.disk || s->r.version)
            ft_run_begin(s);
        s->r.client = true;
        if (at != NOWHERE) {
            struct fr_str rest = fr_str_from(line, at + 8);
            struct fr_str version = fr_take_word(&rest);
            set_version(s, fr_str_ends(version, ",") ? fr_str_range(version, 0, version.n - 1) : version);
        }
        return;
    }
    if (!s->r.run || s->r.block || s->r.group || s->r.disk || s->r.version || s->r.bare)
        ft_run_begin(s);
    s->r.version = true;
    line = fr_str_from(line, 4);
    set_version(s, fr_take_word(&line));
}

void ft_description_line(struct ft_scan *s, struct fr_str line)
{
    size_t begin = fr_str_chr(line, '['), end = fr_str_rfind(line, "]");
    if (!s->t.test || begin == NOWHERE || end == NOWHERE || end <= begin)
        return;
    fr_param_set(s->batch, s->r.run, s->t.test, "description", fr_str_range(line, begin + 1, end), FR_FROM_FORMAT,
                 s->line);
}

void ft_laying_line(struct ft_scan *s, struct fr_str line)
{
    size_t at = fr_str_find(line, ": Laying out IO file");
    if (s->r.run && at != NOWHERE)
        s->r.laying = job_name(s, fr_str_range(line, 0, at));
}

/* Does fio say with it why it did not do what it was asked to? */
static bool is_complaint(struct fr_str message)
{
    static const char *const starts[] = {"io_u error on file ",
                                         "failed ",
                                         "engine ",
                                         "option ",
                                         "refusing ",
                                         "posix_fallocate fails",
                                         "bad terse ",
                                         "unable to ",
                                         "could not ",
                                         "no job",
                                         "unknown ",
                                         "destination does not support",
                                         "pid=",
                                         "first direct",
                                         "looks like your"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (fr_str_starts(message, starts[i]))
            return true;
    return false;
}

void ft_message_line(struct ft_scan *s, struct fr_str line)
{
    fr_take(&line, "fio: ");
    if (!s->complaint_line && is_complaint(line)) {
        s->complaint = keep(s, fr_str_range(line, 0, line.n < 120 ? line.n : 120));
        s->complaint_line = s->line;
    }
    if (fr_str_starts(line, "terminating on signal")) {
        if (s->r.run)
            s->r.run->cut_short = true;
        return;
    }
    uint64_t pid, err;
    size_t at = fr_str_find(line, "err=");
    s->r.said = s->r.run ? keep(s, line) : fr_str("");
    if (!fr_take(&line, "pid=") || at == NOWHERE || !fr_take_u64(&line, &pid, NULL))
        return;
    at = fr_str_find(line, "err=");
    struct fr_str rest = fr_str_from(line, at + 4);
    if (!fr_take_u64(&rest, &err, NULL))
        return;
    if (!s->r.run || s->r.group || s->r.disk)
        ft_run_begin(s);
    struct ft_error *e = fr_arena_new(&s->arena, struct ft_error);
    e->pid = (int64_t)pid;
    e->err = (double)err;
    e->line = s->line;
    if (!pid) /* it never came to be a process: what failed is what was just announced */
        e->name = s->r.laying;
    at = fr_str_find(rest, ", error=");
    if (at != NOWHERE)
        e->text = keep(s, fr_str_from(rest, at + 8));
    fr_list_add(&s->r.errors, e);
}
