/*
 * fio_terse.c: fio's terse format (--minimal, --output-format=terse), versions 1 to 5. The line itself is read in
 * fio_terse_line.c; here lines become runs.
 *
 * A line says nothing of the invocation it belongs to. So terse lines that stand together, with nothing but blank lines
 * between, are split into rounds: the lines of one report. All lines of a report end in the same disk statistics;
 * where there are none, they have shares of the same bandwidth. Rounds that repeat the same jobs with
 * counters that only grew are the steps of --status-interval: one run, its last round the result. Where other output
 * stands between the lines (JSON, text), each round is a run of its own and identity.c joins them.
 */
#include "fio_terse.h"
#include "parser.h"
#include "series.h"

#include <math.h>

#include "banned.h"

enum {
    PROBE_SEPARATORS = 20, /* fewer make no line */
    WRAP_MIN = 40,         /* narrower lines are not wrapped ones */
    WRAP_LINES = 256,
    WRAP_AT = 100,  /* wider lines are not broken within a name */
    MEASURED = 100, /* msec in which no two jobs do the very same */
    BELOW = 2       /* lines down to what stands right below */
};
#define NOWHERE      ((size_t)-1)
#define SHARE_MOST   99.9999 /* per cent; what is more is printed as 100 */
#define SHARE_SLACK  1.1     /* versions differ in what a KB is; two jobs make much more */
#define SHARE_DIGITS 1e-6    /* of means and shares, as they are printed */
#define RATE_JUMP    5.0     /* a step that is so much faster than the whole is none */

/* What grows from snapshot to snapshot, of one direction. */
struct counters {
    double io, runtime, min, max, share, mean; /* share: of its group's bandwidth, per cent; mean: of its samples */
    bool active;
};

struct row {
    struct fr_str text;                                /* the whole line, joined where it was wrapped */
    uint32_t no, last;                                 /* line numbers */
    struct fr_str host, name, fio, disks, description; /* host: of a client */
    bool idle_disks;                                   /* none, or nothing but zeros */
    bool cut;
    double group, ctx;
    size_t blocks;
    struct counters c[TERSE_BLOCKS_MAX];
};

struct rows {
    struct row *at;
    size_t n, alloc;
    size_t clients;             /* that said `Starting` above them */
    const struct fr_run *below; /* the first run that may be the JSON behind them; NULL: any may */
};

/* A report: rows first <= i < end. */
struct round {
    size_t first, end;
    bool by_growth; /* nothing but growth tells it from the one before */
};

/* ---- reading rows ------------------------------------------------------------------------------------------------ */

static bool many(struct fr_str text, char separator)
{
    return text.n >= PROBE_SEPARATORS && fr_str_count(text, separator) >= PROBE_SEPARATORS;
}

static bool probe(const struct fr_doc *doc)
{
    bool semicolons = fr_doc_may_hold(doc, ';');
    for (size_t i = 0; i < doc->n; i++) {
        struct fr_str text = doc->lines[i].text;
        if (!doc->lines[i].owner && (many(text, ',') || (semicolons && fr_str_chr(text, ';') != NOWHERE &&
                                                         (many(text, ';') || terse_begins(text)))))
            return true;
    }
    return false;
}

static struct fr_str range(const struct terse_line *l, size_t from, size_t to)
{
    if (from >= to)
        return fr_strn("", 0);
    const char *start = l->f[from].s, *end = l->f[to - 1].s + l->f[to - 1].n;
    return fr_strn(start, (size_t)(end - start));
}

/* Keep of the line what telling runs apart needs. */
static void row_fill(struct row *row, const struct terse_line *l)
{
    row->name = range(l, l->columns ? 0 : l->name, l->name_end);
    row->fio = l->fio;
    row->host = l->host;
    row->disks = range(l, l->disks, l->disks_end);
    row->idle_disks = true;
    for (size_t i = l->disks; i < l->disks_end; i++)
        if (l->kind[i] == 'i' && terse_number(l, i) > 0)
            row->idle_disks = false;
    row->cut = l->cut;
    row->group = terse_number(l, l->group);
    row->ctx = l->cpu ? terse_number(l, l->cpu + 2) : 0;
    row->blocks = l->blocks;
    for (size_t i = 0; i < l->blocks; i++) {
        const struct terse_block *b = &l->block[i];
        struct counters *c = &row->c[i];
        c->active = terse_active(l, b);
        c->io = terse_number(l, b->io);
        c->runtime = b->runtime ? terse_number(l, b->runtime) : 0;
        c->min = b->clat ? terse_number(l, b->clat) : 0;
        c->max = b->clat ? terse_number(l, b->clat + 1) : 0;
        /* With unified_rw_reporting=both each job's sum has a share of 100 %, which says nothing. */
        bool sum = i >= 2 && terse_op(l, i) == FR_OP_MIXED;
        c->share = b->bw_samples && !sum ? terse_number(l, b->bw_samples + 2) : 0;
        c->mean = b->bw_samples ? terse_number(l, b->bw_samples + 3) : 0;
    }
}

static struct row *row_new(struct rows *rows)
{
    if (rows->n == rows->alloc) {
        rows->alloc = rows->alloc ? rows->alloc * 2 : 16;
        struct row *more = realloc(rows->at, rows->alloc * sizeof *more);
        if (!more) {
            fprintf(stderr, "fioreport: error: out of memory\n");
            exit(4);
        }
        rows->at = more;
    }
    struct row *row = &rows->at[rows->n++];
    memset(row, 0, sizeof *row);
    return row;
}

/* A mail breaks lines at blanks: within the name of a job, which the next line goes on with. */
static bool join_name(const struct fr_doc *doc, size_t i, struct fr_strbuf *out, struct terse_line *line)
{
    struct fr_str a = fr_str_trim(doc->lines[i].text);
    if (i + 1 == doc->n || doc->lines[i + 1].owner || a.n > WRAP_AT)
        return false;
    struct fr_str b = fr_str_trim(doc->lines[i + 1].text);
    fr_strbuf_reset(out);
    fr_strbuf_add(out, a.s, a.n);
    fr_strbuf_addch(out, ' ');
    fr_strbuf_add(out, b.s, b.n);
    return !terse_begins(b) && terse_parse(fr_strn(fr_strbuf_str(out), out->len), line) && !line->cut;
}

/* A string of a program at the start of the text, and nothing behind it but what may stand before the next one. */
static bool take_literal(struct fr_str text, char quote, struct fr_str *inside)
{
    text = fr_str_trim(text);
    if (!fr_take_ch(&text, quote) || fr_str_chr(text, quote) == NOWHERE)
        return false;
    *inside = fr_take_until(&text, quote);
    while (text.n && strchr(" \t+\\);.&", text.s[0]))
        text = fr_str_from(text, 1);
    return text.n == 0;
}

/* A line that a program puts together from strings, one below the other: the index of the last, or i. */
static size_t join_strings(const struct fr_doc *doc, size_t i, struct fr_strbuf *out, struct terse_line *line)
{
    struct fr_str text = doc->lines[i].text, inside;
    size_t at = fr_str_find(text, ";fio-"), j = i;
    if (at == NOWHERE || at < 2 || !strchr("\"'`", text.s[at - 2]))
        return i;
    char quote = text.s[at - 2];
    fr_strbuf_reset(out);
    for (text = fr_str_from(text, at - 2); take_literal(text, quote, &inside) && j < i + WRAP_LINES; j++) {
        if (j > i && terse_begins(inside))
            break;
        fr_strbuf_add(out, inside.s, inside.n);
        text = j + 1 < doc->n && !doc->lines[j + 1].owner ? doc->lines[j + 1].text : fr_str("");
    }
    return j > i + 1 && terse_parse(fr_strn(fr_strbuf_str(out), out->len), line) && !line->cut ? j - 1 : i;
}

/*
 * A line that was wrapped by a terminal or a mail: all its pieces but the last are as long as the first. Joins lines
 * from i on until the result is a whole terse line; the index of the last, or i when that never comes.
 */
static size_t unwrap(const struct fr_doc *doc, size_t i, struct fr_strbuf *out, struct terse_line *line)
{
    size_t width = fr_str_trim(doc->lines[i].text).n;
    size_t joined = join_strings(doc, i, out, line);
    if (joined > i)
        return joined;
    if (join_name(doc, i, out, line))
        return i + 1;
    if (width < WRAP_MIN)
        return i;
    fr_strbuf_reset(out);
    for (size_t j = i; j < doc->n && j < i + WRAP_LINES; j++) {
        struct fr_str piece = fr_str_trim(doc->lines[j].text);
        if (doc->lines[j].owner || piece.n > width || piece.n == 0 || (j > i && terse_begins(piece)))
            return i;
        fr_strbuf_add(out, piece.s, piece.n);
        bool last = piece.n < width || j + 1 == doc->n || fr_str_trim(doc->lines[j + 1].text).n == 0;
        if (last && terse_parse(fr_strn(fr_strbuf_str(out), out->len), line) && !line->cut)
            return j;
        if (last)
            return i;
    }
    return i;
}

static void row_add(struct rows *rows, const struct fr_doc *doc, size_t first, size_t last, struct fr_str text,
                    const struct terse_line *line)
{
    struct row *row = row_new(rows);
    row->text = text;
    row->no = doc->lines[first].no;
    row->last = doc->lines[last].no;
    row_fill(row, line);
}

/* Where the second terse line begins in a text that holds several: at a blank before `3;fio-`. Its length: none does.
 */
static size_t second_start(struct fr_str text)
{
    for (size_t i = 1; i < text.n; i++)
        if (text.s[i - 1] == ' ' && fr_is_digit(text.s[i]) && fr_str_starts(fr_str_from(text, i + 1), ";fio-") &&
            terse_begins(fr_str_range(text, 0, i))) {
            size_t host = i; /* `<host> 3;fio-` */
            while (host > 1 && text.s[i - 2] == '>' && text.s[host] != '<' && text.s[host - 1] != ';')
                host--;
            return text.s[host] == '<' ? host : i;
        }
    return text.n;
}

/* Rows of a text of several terse lines; false when it holds one, or none. */
static bool rows_in_line(const struct fr_doc *doc, size_t i, struct rows *rows)
{
    struct fr_str text = doc->lines[i].text;
    size_t before = rows->n;
    for (size_t n = second_start(text); n < text.n || rows->n > before; n = second_start(text)) {
        struct terse_line line;
        struct fr_str one = fr_str_range(text, 0, n);
        if (terse_parse(one, &line))
            row_add(rows, doc, i, i, one, &line);
        if (n == text.n)
            break;
        text = fr_str_from(text, n);
    }
    return rows->n > before;
}

/* Read the rows at line *i, which moves to their last line. False: none stands there. */
static bool row_read(const struct fr_doc *doc, size_t *i, struct fr_batch *batch, struct rows *rows)
{
    struct terse_line line;
    struct fr_strbuf joined = FR_STRBUF_INIT;
    struct fr_str text = doc->lines[*i].text;
    size_t first = *i, last = first;
    bool begins = terse_begins(text);
    if (!begins && !many(text, ';') && !many(text, ','))
        return false;
    if (begins && rows_in_line(doc, first, rows))
        return true;
    bool ok = terse_parse(text, &line);
    if (begins && (!ok || line.cut))
        last = unwrap(doc, first, &joined, &line);
    if (last > first)
        text = fr_strn(fr_arena_copy(&batch->arena, fr_strbuf_str(&joined), joined.len), joined.len);
    if (begins && (last > first || ok)) /* unwrap left its own trials in `line` */
        ok = terse_parse(text, &line);
    fr_strbuf_release(&joined);
    if (ok)
        row_add(rows, doc, first, last, text, &line);
    *i = last;
    return ok;
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

/* Each client has groups of its own. */
static bool same_group(const struct row *a, const struct row *b)
{
    return a->group >= b->group && a->group <= b->group && fr_str_eq(a->host, b->host);
}

/* What is known of the report's last rows that are of one group; groups stand in order. */
struct group {
    double whole[TERSE_BLOCKS_MAX];                         /* the group's bandwidth, as one of them tells it, or 0 */
    double share[TERSE_BLOCKS_MAX];                         /* the share of that one */
    double io[TERSE_BLOCKS_MAX], runtime[TERSE_BLOCKS_MAX]; /* what they moved together, the longest time */
};

/* The bandwidth of which the mean is the share; a share of 100 may have been more. */
static double whole_of(const struct counters *c)
{
    return c->share > 0 && c->share < SHARE_MOST && c->mean > 0 ? c->mean / c->share : 0;
}

static void group_add(struct group *group, const struct row *row, bool first)
{
    if (first)
        *group = (struct group){.whole = {0}};
    for (size_t b = 0; b < row->blocks; b++) {
        double whole = whole_of(&row->c[b]);
        group->io[b] += row->c[b].io;
        group->runtime[b] = fmax(group->runtime[b], row->c[b].runtime);
        if (whole > 0) {
            group->whole[b] = whole;
            group->share[b] = row->c[b].share;
        }
    }
}

/* Is the bandwidth of which the row has a share less than that of the group's rows together with it? */
static bool is_too_small(const struct group *group, const struct row *row, size_t b)
{
    const struct counters *c = &row->c[b];
    double time = fmax(group->runtime[b], c->runtime), most = c->share < SHARE_MOST ? whole_of(c) * 100 : c->mean;
    return c->share > 0 && most > 0 && time > 0 && (group->io[b] + c->io) * 1000 / time > most * SHARE_SLACK + 1;
}

/*
 * Is the row's share one of the same bandwidth as those of the group? 1: yes; -1: no, so that it is of another report;
 * 0: they do not tell.
 */
static int same_whole(const struct group *group, const struct row *row)
{
    int same = 0;
    for (size_t b = 0; b < row->blocks; b++) {
        double whole = whole_of(&row->c[b]), other = group->whole[b];
        if (is_too_small(group, row, b))
            return -1;
        if (!(whole > 0 && other > 0))
            continue;
        double slack = SHARE_DIGITS * (2 + 1 / row->c[b].share + 1 / group->share[b] + 1 / row->c[b].mean);
        if (fabs(whole - other) > slack * whole)
            return -1;
        same = 1;
    }
    return same;
}

static bool has_share(const struct row *row)
{
    for (size_t b = 0; b < row->blocks; b++)
        if (row->c[b].share > 0)
            return true;
    return false;
}

/* Did nothing fall from a to b, and did something grow at a rate like before? */
static int grew(const struct row *a, const struct row *b)
{
    bool more = false;
    if (!fr_str_eq(a->name, b->name) || !same_group(a, b) || a->blocks != b->blocks || b->ctx < a->ctx)
        return -1;
    for (size_t i = 0; i < a->blocks; i++) {
        const struct counters *x = &a->c[i], *y = &b->c[i];
        if (!x->active)
            continue;
        if (!y->active || y->io < x->io || y->runtime < x->runtime || y->max < x->max || y->min > x->min)
            return -1;
        double step = y->runtime - x->runtime, rate = y->io / y->runtime;
        if (step > 0 && (y->io - x->io) / step > rate * RATE_JUMP)
            return -1;
        more = more || (step > 0 && y->io > x->io);
    }
    return more;
}

static bool is_active(const struct row *row, double msec)
{
    for (size_t i = 0; i < row->blocks; i++)
        if (row->c[i].active && row->c[i].runtime >= msec)
            return true;
    return false;
}

/*
 * Is row i of the report that begins at `first`, of whose last rows this is known? growth: rows that only grew are of
 * the next one.
 */
static bool same_report(const struct rows *rows, size_t first, size_t i, const struct group *group, bool growth)
{
    const struct row *before = &rows->at[i - 1], *row = &rows->at[i];
    const struct row *top = &rows->at[first];
    if (!fr_str_eq(before->fio, row->fio))
        return false;
    if (!fr_str_eq(before->host, row->host)) /* each client prints its lines in one go */
        return !fr_str_eq(row->host, top->host);
    if (row->group < before->group)
        return false;
    /* All figures are those of its first job: a copy of the report begins. */
    if (is_active(row, MEASURED) && fr_str_eq(row->text, top->text))
        return false;
    int same = same_group(before, row) ? same_whole(group, row) : 0;
    if (same > 0)
        return true;
    /*
     * The disks may stand still between the last step and the end: growth tells these from jobs side by side. Clones
     * differ by a few milliseconds too, but all or none of them have a share of the group's bandwidth.
     */
    if (growth && grew(top, row) > 0 && !(has_share(row) && has_share(before) && same == 0))
        return false;
    if (!before->idle_disks || !row->idle_disks)
        return fr_str_eq(before->disks, row->disks);
    if (same < 0)
        return false;
    /* The first job comes again after others: clones of it would stand beside it. */
    return !(fr_str_eq(row->name, top->name) && same_group(row, top) && !fr_str_eq(before->name, row->name));
}

static bool is_snapshot(const struct rows *rows, const struct round *a, const struct round *b)
{
    bool more = false, begun = false, begins = false;
    if (a->end - a->first != b->end - b->first || !fr_str_eq(rows->at[a->first].fio, rows->at[b->first].fio))
        return false;
    for (size_t i = 0; i < a->end - a->first; i++) {
        int g = grew(&rows->at[a->first + i], &rows->at[b->first + i]);
        if (g < 0)
            return false;
        more = more || g > 0;
        begun = begun || is_active(&rows->at[a->first + i], 0);
        begins = begins || is_active(&rows->at[b->first + i], 0);
    }
    return more || (!begun && begins); /* no job had begun yet (startdelay) */
}

/* The reports of one invocation are of one length: growth that makes them of several was chance, among clones. */
static void undo_growth(struct round *rounds, size_t *n)
{
    size_t kept = 0;
    for (size_t i = 1; i < *n; i++) {
        size_t before = rounds[kept].end - rounds[kept].first;
        if (rounds[i].by_growth && rounds[i].end - rounds[i].first != before)
            rounds[kept].end = rounds[i].end;
        else
            rounds[++kept] = rounds[i];
    }
    *n = *n ? kept + 1 : 0;
}

/* Do the rows of these jobs stand in `round` again and again, the last time as `next` has them, before that idle? */
static bool idle_before(const struct rows *rows, const struct round *round, const struct round *next)
{
    size_t n = round->end - round->first, jobs = next->end - next->first;
    if (n <= jobs || n % jobs != 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct row *row = &rows->at[round->first + i], *job = &rows->at[next->first + i % jobs];
        if (!fr_str_eq(row->name, job->name) || !same_group(row, job) || (i < n - jobs && is_active(row, 0)))
            return false;
    }
    return is_snapshot(rows, &(struct round){.first = round->end - jobs, .end = round->end}, next);
}

/*
 * Reports of jobs that had not begun, and the first of them when they have, look like one of clones: those behind tell
 * how many rows a report has. *n rounds, of which there may be more then; there is room for one a row.
 */
static void split_idle(const struct rows *rows, struct round *rounds, size_t *n)
{
    for (size_t i = 0; i + 1 < *n; i++) {
        if (!idle_before(rows, &rounds[i], &rounds[i + 1]))
            continue;
        size_t jobs = rounds[i + 1].end - rounds[i + 1].first;
        memmove(&rounds[i + 1], &rounds[i], (*n - i) * sizeof *rounds);
        rounds[i].end = rounds[i].first + jobs; /* of several such reports one will do */
        rounds[i + 1].first = rounds[i + 1].end - jobs;
        i++;
        ++*n;
    }
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* Bandwidth of each interval from the growing amount of data; fio's terse lines count no I/Os. */
static void add_steps(struct fr_batch *batch, struct fr_test *test, const struct rows *rows, const struct round *rounds,
                      size_t n, size_t row, const struct terse_line *line)
{
    for (size_t b = 0; b < line->blocks; b++) {
        struct fr_series_builder *s =
            fr_series_begin(batch, terse_op(line, b), FR_M_BW, "interval", 1, 0, rows->at[rounds[0].first + row].no);
        double io = 0, runtime = 0;
        fr_series_of(s)->averaged = true;
        for (size_t r = 0; r < n; r++) {
            const struct counters *c = &rows->at[rounds[r].first + row].c[b];
            if (!(c->runtime > runtime))
                continue;
            double rate = (c->io - io) * 1024 * 1000 / (c->runtime - runtime);
            fr_series_add(s, (int64_t)c->runtime, (int64_t)nearbyint(rate), NULL);
            io = c->io;
            runtime = c->runtime;
        }
        fr_series_end(s, test);
    }
}

static uint64_t digest(uint64_t hash, struct fr_str text)
{
    for (size_t i = 0; i < text.n; i++) /* FNV-1a */
        hash = (hash ^ (unsigned char)text.s[i]) * 1099511628211u;
    return hash;
}

/* n rounds are one run: the last is its result. */
static int add_run(struct fr_batch *batch, const struct rows *rows, const struct round *rounds, size_t n,
                   struct fr_log *log)
{
    const struct round *result = &rounds[n - 1];
    struct fr_run *run = fr_run_new(batch, "fio-terse", "fio", rows->at[rounds[0].first].no);
    struct fr_str fio = rows->at[result->first].fio;
    int status = 0;
    run->form = FR_FORM_TERSE;
    run->line_end = rows->at[result->end - 1].last;
    run->digest = 14695981039346656037u;
    if (fio.n)
        run->tool_version = fr_arena_copy(&batch->arena, fio.s, fio.n);
    for (size_t i = result->first; i < result->end; i++) {
        const struct row *row = &rows->at[i];
        struct terse_line line;
        if (!terse_parse(row->text, &line)) /* it did before */
            continue;
        run->digest = digest(run->digest, row->text);
        struct fr_test *test = terse_test(batch, run, &line, row->no);
        fr_param_set(batch, run, test, "description", row->description, FR_FROM_FORMAT, row->no);
        if (i == result->first)
            terse_disks(batch, run, &line, row->no);
        if (n > 1)
            add_steps(batch, test, rows, rounds, n, i - result->first, &line);
        if (line.disk_cut)
            fr_log_warn(log, batch->source, row->no, "ends within the columns of a disk, which are left out");
        if (row->cut) {
            run->cut_short = true;
            status = fr_log_error(log, batch->source, row->no,
                                  "terse line breaks off after %zu fields, what stands before is used", line.n);
        }
    }
    if (n > 1)
        fr_log_explain(log, batch->source, run->line, "%zu reports of growing counters are one run (--status-interval)",
                       n);
    fr_batch_checkpoint(batch);
    return status;
}

/* fio prints the JSON of a report right below its terse lines: does it have just these jobs? */
static bool is_above_json(const struct fr_batch *batch, struct rows *rows)
{
    uint32_t last = rows->at[rows->n - 1].last;
    const struct fr_run *json = rows->below ? rows->below : batch->runs.head;
    while (json && json->next && (json->form != FR_FORM_JSON || json->line <= last))
        json = json->next;
    rows->below = json;
    if (!json || json->form != FR_FORM_JSON || json->line <= last || json->line > last + BELOW ||
        json->tests.n != rows->n)
        return false;
    size_t i = 0;
    fr_list_each (const struct fr_test, t, json->tests)
        if (!fr_str_is(rows->at[i++].name, t->name))
            return false;
    return true;
}

/* Rows that stand together become runs. */
static int add_runs(struct fr_batch *batch, struct rows *rows, struct fr_log *log)
{
    struct round *rounds = calloc(rows->n + 1, sizeof *rounds);
    struct group group = {.whole = {0}};
    size_t n = 0;
    int status = 0;
    if (!rounds)
        return fr_log_error(log, batch->source, 0, "out of memory, %zu terse lines skipped", rows->n);
    /* Clients print their lines once, when all of them have ended; each has groups of its own. */
    bool one = rows->clients > 1 || is_above_json(batch, rows);
    for (size_t i = 0; i < rows->n; i++) {
        if (i == 0 || (!one && !same_report(rows, rounds[n - 1].first, i, &group, true))) {
            rounds[n].by_growth = i > 0 && same_report(rows, rounds[n - 1].first, i, &group, false);
            rounds[n++].first = i;
        }
        group_add(&group, &rows->at[i], rounds[n - 1].first == i || !same_group(&rows->at[i - 1], &rows->at[i]));
        rounds[n - 1].end = i + 1;
    }
    undo_growth(rounds, &n);
    split_idle(rows, rounds, &n);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && is_snapshot(rows, &rounds[j - 1], &rounds[j]); j++)
            ;
        if (add_run(batch, rows, rounds + i, j - i, log) != 0)
            status = -1;
    }
    free(rounds);
    rows->n = rows->clients = 0;
    return status;
}

/* fio's sum over all clients is no job. */
static bool drop_sum(struct rows *rows)
{
    if (rows->n == 0 || !fr_str_is(rows->at[rows->n - 1].name, "All clients"))
        return false;
    rows->n--;
    return true;
}

/* A line without a name or I/O, of group -1: fio reckoned with one report more than it made, and printed that too. */
static bool drop_surplus(struct rows *rows)
{
    const struct row *last = rows->n ? &rows->at[rows->n - 1] : NULL;
    if (!last || last->name.n || !(last->group < 0) || is_active(last, 0))
        return false;
    rows->n--;
    return true;
}

/* `<host>` alone: wrapped off the line of a client. */
static bool is_host(struct fr_str text)
{
    return text.n > 2 && text.s[0] == '<' && text.s[text.n - 1] == '>' && fr_str_chr(text, ' ') == (size_t)-1;
}

/* The line of a job in fio's text, which is called like that. */
static bool is_text(struct fr_str text)
{
    return fr_str_find(text, ": (g") != NOWHERE;
}

/* `Starting 3 processes`, `<host> Starting 1 thread`: fio, or one of the servers, begins. */
static bool is_start(struct fr_str text)
{
    if (text.n && text.s[0] == '<')
        fr_take_until(&text, '>');
    fr_take_blanks(&text);
    return fr_take(&text, "Starting ") && text.n && fr_is_digit(text.s[0]);
}

static int scan(void *state, struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log)
{
    struct rows rows = {0};
    size_t runs = batch->runs.n;
    uint32_t sum_line = 0;
    bool left = false; /* lines that others may know */
    int status = 0;
    (void)state;
    for (size_t i = 0; i < doc->n; i++) {
        struct fr_str text = fr_str_trim(doc->lines[i].text);
        size_t first = i;
        if (doc->lines[i].owner == 0 && row_read(doc, &i, batch, &rows)) {
            bool sum = drop_sum(&rows), none = drop_surplus(&rows);
            sum_line = sum ? doc->lines[first].no : sum_line;
            fr_doc_claim(doc, first, i, owner, sum || none ? FR_LINE_NOISE : 0);
            continue;
        }
        if (doc->lines[i].owner == 0 && (text.n == 0 || is_host(text)))
            continue;
        if (doc->lines[i].owner == 0 && rows.n && text.s[0] == ';') { /* version 2: a line of its own */
            rows.at[rows.n - 1].description = fr_str_from(text, 1);
            fr_doc_claim(doc, i, i, owner, FR_LINE_NOISE);
            continue;
        }
        if (doc->lines[i].owner == 0 && terse_begins(text) && !is_text(text)) {
            status = fr_log_error(log, doc->source, doc->lines[i].no,
                                  "begins like fio's terse format and has another pattern of fields, skipped");
            fr_doc_claim(doc, i, i, owner, FR_LINE_NOISE);
        }
        left = left || !doc->lines[i].owner;
        if (!rows.n && !doc->lines[i].owner) /* behind results they are of an earlier invocation */
            rows.clients = is_text(text) && fr_str_find(text, "err=") != NOWHERE ? 0 : rows.clients + is_start(text);
        if (rows.n && add_runs(batch, &rows, log) != 0)
            status = -1;
    }
    if (rows.n && add_runs(batch, &rows, log) != 0)
        status = -1;
    if (sum_line && !left && batch->runs.n == runs && status == 0)
        status = fr_log_error(log, doc->source, sum_line,
                              "has nothing but `All clients`, the sum over the hosts, which is no test, skipped (their "
                              "jobs stand in the whole output of fio --client)");
    free(rows.at);
    return status;
}

const struct fr_parser fr_parser_fio_terse = {
    .name = "fio-terse",
    .tool = "fio",
    .title = "fio --minimal, --output-format=terse: one line a job, separated by semicolons",
    .versions = "1.5 to 3.42 (terse versions 1 to 5)",
    .probe = probe,
    .scan = scan,
};
