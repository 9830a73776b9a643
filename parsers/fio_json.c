/*
 * fio_json.c: fio's JSON and json+ output, 2.0.10 to 3.42, anywhere in a document or streamed from a file of any size.
 * The scanner (fio_json_scan.h) finds and cuts documents, the tree (fio_json_tree.h) gives each piece its form, the job
 * reader (fio_json_job.h) makes tests of it. docs/formats/fio-json.md describes the grammar by version.
 */
#include "fio_json_job.h"
#include "fio_json_scan.h"
#include "parser.h"
#include "strbuf.h"

#include <math.h>
#include <time.h>

#include "banned.h"

enum { HEAD_MAX = 8 << 20, SAVED_MAX = 128, COOL_TESTS = 64, LEFT_MAX = 1 << 16 };

/* A piece of the head that is read when its run exists. */
struct saved {
    struct fr_strbuf text;
    uint32_t line;
};

struct reader {
    struct fr_fj_scan scan;
    struct fr_fj_tree *tree;
    struct fr_batch *batch;
    struct fr_log *log;
    const char *source;
    int status;

    struct fr_run *run; /* of the head that is open; NULL: none yet */
    uint32_t begun;     /* line of the document */
    char version[SAVED_MAX];
    double timestamp, timestamp_ms;
    struct saved globals, disks;
    bool head_seen, list_seen, sum_only;
    bool was_fio;     /* this document was fio's, whatever it held */
    double start;     /* of the first test; 0: none known */
    const char *host; /* of the last test */
    bool hosts_differ, untimed;
    unsigned elements, runs, dropped;
    uint32_t dropped_line;

    struct fr_doc *doc; /* scan(): lines are claimed here */
    unsigned owner;
    size_t first_tag, last_tag; /* lines of this document */
    size_t left_tag;            /* the line of which a part was left to others */
    struct fr_doc *rest;        /* stream(): other lines go here */
};

/* ---- a run ------------------------------------------------------------------------------------------------------- */

static void save(struct saved *saved, const struct fr_fj_text *value)
{
    fr_strbuf_reset(&saved->text);
    saved->text.max = HEAD_MAX;
    if (value->text.n < HEAD_MAX)
        fr_strbuf_add(&saved->text, value->text.s, value->text.n);
    saved->line = value->line;
}

static void reset_head(struct reader *r)
{
    r->run = NULL;
    r->version[0] = 0;
    r->timestamp = r->timestamp_ms = NAN;
    fr_strbuf_reset(&r->globals.text);
    fr_strbuf_reset(&r->disks.text);
    r->head_seen = r->sum_only = r->hosts_differ = r->untimed = false;
    r->start = 0;
    r->host = NULL;
    r->elements = r->dropped = 0;
}

static const struct fr_fj_node *parse(struct reader *r, struct fr_str text, const struct fr_fj_taken *taken,
                                      uint32_t line, const char *what)
{
    const char *why = NULL;
    uint32_t bad_line = line;
    unsigned dropped = 0;
    const struct fr_fj_node *node = fr_fj_parse(r->tree, text, taken, line, &why, &bad_line, &dropped);
    if (!node)
        r->status = fr_log_error(r->log, r->source, bad_line, "%s is malformed (%s), skipped", what, why);
    if (dropped && !r->dropped)
        r->dropped_line = line;
    r->dropped += dropped;
    return node;
}

/* `fio-3.33` without the name. */
static const char *version_of(const struct reader *r)
{
    bool named = strncmp(r->version, "fio-", 4) == 0 || strncmp(r->version, "fio ", 4) == 0;
    return r->version + (named ? 4 : 0);
}

static void read_globals(struct reader *r)
{
    if (!r->run || !r->globals.text.len)
        return;
    struct fr_str text = fr_strn(r->globals.text.buf, r->globals.text.len);
    const struct fr_fj_node *node = parse(r, text, NULL, r->globals.line, "the global options");
    struct fr_fj_context c = {r->batch, r->run, r->log, r->tree, version_of(r)};
    if (node)
        fr_fj_options(&c, NULL, node);
    fr_strbuf_reset(&r->globals.text);
}

struct disk {
    struct reader *reader;
    struct fr_str name;
};

static void read_disk_figure(void *ctx, const char *key, const struct fr_fj_node *node, uint32_t line)
{
    const struct disk *d = ctx;
    double value;
    if (!key || strcmp(key, "name") == 0 || strcmp(key, "port") == 0 || !fr_fj_number(node, &value, NULL))
        return;
    if (strcmp(key, "util") == 0 || strcmp(key, "aggr_util") == 0)
        value /= 100; /* a ratio, as every share */
    fr_disk_add(d->reader->batch, d->reader->run, d->name, fr_arena_strdup(&d->reader->batch->arena, key), value, line);
}

static void read_disk(void *ctx, const char *key, const struct fr_fj_node *node, uint32_t line)
{
    struct reader *r = ctx;
    struct disk d = {.reader = r};
    struct fr_str host;
    (void)key;
    (void)line;
    if (!fr_fj_string(fr_fj_get(r->tree, node, "name", NULL), &d.name))
        return;
    if (fr_fj_string(fr_fj_get(r->tree, node, "hostname", NULL), &host))
        d.name = fr_str(fr_arena_printf(&r->batch->arena, "%.*s:%.*s", FR_STR(host), FR_STR(d.name)));
    fr_fj_each(r->tree, node, read_disk_figure, &d);
}

static void read_disks(struct reader *r)
{
    if (!r->disks.text.len)
        return;
    const struct fr_fj_node *node =
        parse(r, fr_strn(r->disks.text.buf, r->disks.text.len), NULL, r->disks.line, "the disk statistics");
    fr_fj_each(r->tree, node, read_disk, r);
    fr_strbuf_reset(&r->disks.text);
}

static void make_run(struct reader *r)
{
    if (r->run)
        return;
    r->run = fr_run_new(r->batch, "fio-json", "fio", r->begun);
    r->run->form = FR_FORM_JSON;
    r->runs++;
    read_globals(r);
}

/* The end of the run in seconds since 1970; 0 when it is not known (yet). */
static double end_of(const struct reader *r)
{
    double end = isnan(r->timestamp_ms) ? r->timestamp : r->timestamp_ms / 1000;
    return end > 1e8 && end < 1e11 ? end : 0;
}

/* When this test began and ended; the run's host is the one that all its tests have. */
static void note_test(struct reader *r, struct fr_test *t)
{
    const char *host = fr_param_get(NULL, t, "hostname");
    t->end = end_of(r);
    if (t->start <= 0 && t->elapsed > 0 && t->end > 0)
        t->start = t->end - t->elapsed;
    if (t->start > 0 && (r->start <= 0 || t->start < r->start))
        r->start = t->start;
    if (!host || (r->host && strcmp(host, r->host) != 0))
        r->hosts_differ = true;
    r->host = host;
    r->untimed = r->untimed || t->end <= 0;
}

static void set_times(struct reader *r)
{
    if (r->untimed && end_of(r) > 0) { /* the time stands behind the jobs: sorted by another program */
        unsigned n = 0;
        fr_list_each (struct fr_test, t, r->run->tests) {
            note_test(r, t);
            if (++n % COOL_TESTS == 0)
                fr_arena_cool(&r->batch->arena);
        }
    }
    if (!r->hosts_differ)
        r->run->host = r->host;
    time_t seconds = (time_t)r->start;
    struct tm tm;
    char text[40];
    if (r->start > 0 && gmtime_r(&seconds, &tm) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm))
        r->run->started_at = fr_arena_strdup(&r->batch->arena, text);
}

static void finish_run(struct reader *r, uint32_t line)
{
    make_run(r);
    struct fr_str version = fr_str(version_of(r));
    if (version.n)
        r->run->tool_version = fr_arena_copy(&r->batch->arena, version.s, version.n);
    read_disks(r);
    set_times(r);
    r->run->line_end = line;
    r->run->digest = r->scan.digest;
    if (r->dropped)
        fr_log_warn(r->log, r->source, r->dropped_line,
                    "%u values here are no numbers (nan, inf or the like), left out", r->dropped);
}

/* ---- what the scanner finds -------------------------------------------------------------------------------------- */

/* What stands beside a document in its line, before or behind, stays for others to read. */
static void leave(struct reader *r, struct fr_str text, size_t tag)
{
    struct fr_line *line = &r->doc->lines[tag];
    struct fr_str before = r->left_tag == tag ? line->text : fr_str("");
    if (before.n > LEFT_MAX)
        return;
    char *left = fr_arena_printf(&r->doc->arena, "%.*s%s%.*s", FR_STR(before), before.n ? " " : "", FR_STR(text));
    line->text = fr_str(left);
    if (line->owner == r->owner)
        line->owner = 0;
    r->left_tag = tag;
}

static void on_text(void *ctx, struct fr_str text, uint32_t no, unsigned flags, size_t tag, bool whole)
{
    struct reader *r = ctx;
    if (r->rest)
        fr_doc_add_line(r->rest, text, no, flags);
    else if (r->doc && !whole)
        leave(r, text, tag);
}

static void on_json(void *ctx, size_t tag)
{
    struct reader *r = ctx;
    r->last_tag = tag;
    if (r->doc && tag != r->left_tag)
        fr_doc_claim(r->doc, tag, tag, r->owner, 0);
}

static void on_begin(void *ctx, uint32_t line, size_t tag)
{
    struct reader *r = ctx;
    reset_head(r);
    r->list_seen = r->was_fio = false;
    r->begun = line;
    r->first_tag = r->last_tag = tag;
    r->runs = 0;
}

static void on_member(void *ctx, struct fr_str key, const struct fr_fj_text *value)
{
    struct reader *r = ctx;
    struct fr_str text = fr_str_trim(value->text);
    if (text.n >= 2 && (text.s[0] == '"' || text.s[0] == '\''))
        text = fr_str_range(text, 1, text.n - 1);
    if (fr_str_is(key, "fio version")) {
        r->head_seen = true;
        snprintf(r->version, sizeof r->version, "%.*s", (int)(text.n < 100 ? text.n : 100), text.s);
    } else if (fr_str_is(key, "timestamp")) {
        fr_str_double(text, &r->timestamp);
    } else if (fr_str_is(key, "timestamp_ms")) {
        fr_str_double(text, &r->timestamp_ms);
    } else if (fr_str_is(key, "global options")) {
        save(&r->globals, value);
        read_globals(r);
    } else if (fr_str_is(key, "disk_util")) {
        save(&r->disks, value);
    }
}

static void on_list(void *ctx, struct fr_str key, uint32_t line)
{
    struct reader *r = ctx;
    (void)key;
    (void)line;
    r->list_seen = true;
}

static void on_element(void *ctx, struct fr_str list, const struct fr_fj_text *value)
{
    struct reader *r = ctx;
    r->elements++;
    if (value->truncated) {
        r->status = fr_log_error(r->log, r->source, value->line, "a job of more than %zu MiB of JSON, skipped",
                                 FR_FJ_JOB_MAX >> 20);
        return;
    }
    make_run(r);
    const struct fr_fj_node *job = parse(r, value->text, value->taken, value->line, "a job");
    if (!job)
        return;
    struct fr_fj_context c = {r->batch, r->run, r->log, r->tree, version_of(r)};
    if (fr_str_is(list, "client_stats") && fr_fj_is_sum(r->tree, job)) {
        r->sum_only = r->run->tests.n == 0;
        fr_log_explain(r->log, r->source, value->line, "`All clients` is the sum of the others, not a test");
    } else if (fr_fj_is_surplus(r->tree, job)) {
        fr_log_explain(r->log, r->source, value->line, "a job without a name, of group -1, is none");
    } else if (fr_fj_is_job(r->tree, job)) {
        fr_fj_job(&c, job, value->line);
        note_test(r, r->run->tests.tail);
    } else if (r->head_seen) {
        r->status = fr_log_error(r->log, r->source, value->line, "a job without name and figures, skipped");
    }
    fr_batch_checkpoint(r->batch);
}

/* Take the run that came to nothing out of the batch again: it is the last one. */
static void drop_run(struct reader *r)
{
    struct fr_run *before = NULL;
    fr_list_each (struct fr_run, run, r->batch->runs) {
        if (run == r->run)
            break;
        before = run;
    }
    if (before)
        before->next = NULL;
    else
        r->batch->runs.head = NULL;
    r->batch->runs.tail = before;
    r->batch->runs.n--;
    r->run = NULL;
}

static void on_head_end(void *ctx, uint32_t line)
{
    struct reader *r = ctx;
    if (r->run && r->run->tests.n > 0) {
        finish_run(r, line);
    } else if (r->run) {
        drop_run(r);
        r->runs--;
        if (r->sum_only)
            r->status = fr_log_error(r->log, r->source, r->begun,
                                     "fio JSON that holds nothing but `All clients`, the sum over the hosts, which is "
                                     "no test, skipped (their jobs stand in the whole output of fio --client)");
        else if (r->head_seen)
            r->status = fr_log_error(r->log, r->source, r->begun, "fio JSON without a job that can be read, skipped");
    } else if (r->head_seen) {
        r->status = fr_log_error(r->log, r->source, r->begun, "fio JSON without jobs, skipped");
    }
    r->was_fio = r->was_fio || r->head_seen;
    reset_head(r);
}

/* This document is not ours after all: its lines are anybody's again. */
static void disown(struct reader *r)
{
    for (size_t i = r->first_tag; r->doc && i <= r->last_tag; i++)
        if (r->doc->lines[i].owner == r->owner)
            r->doc->lines[i].owner = 0;
}

static void on_end(void *ctx, uint32_t line, enum fr_fj_end how, uint32_t in_element)
{
    struct reader *r = ctx;
    bool open = r->head_seen || r->run;
    if (how != FR_FJ_COMPLETE && open) {
        const char *what = how == FR_FJ_CUT ? "ends in the middle" : "is broken here";
        if (r->run && r->run->tests.n) {
            r->run->cut_short = true;
            r->status =
                fr_log_error(r->log, r->source, in_element ? in_element : line,
                             "the fio JSON that begins at line %u %s, its jobs that are complete (%zu) are used",
                             r->begun, what, r->run->tests.n);
            finish_run(r, line);
        } else {
            r->status = fr_log_error(r->log, r->source, line,
                                     "the fio JSON that begins at line %u %s before its first job is complete, skipped",
                                     r->begun, what);
            if (r->run)
                drop_run(r);
        }
        r->was_fio = true;
    }
    if (!r->runs && !r->was_fio && !open) {
        if (r->list_seen)
            fr_log_warn(r->log, r->source, r->begun,
                        "a JSON document with `jobs` that are not fio's (no `fio version`, no figures), skipped");
        else /* lsblk, another benchmark, anything */
            fr_log_explain(r->log, r->source, r->begun,
                           "a JSON document that is not fio's (no `fio version`, no `jobs`)");
        disown(r);
    }
    reset_head(r);
}

static const struct fr_fj_ops ops = {.text = on_text,
                                     .json = on_json,
                                     .begin = on_begin,
                                     .member = on_member,
                                     .element = on_element,
                                     .list = on_list,
                                     .head_end = on_head_end,
                                     .end = on_end};

static int reader_init(struct reader *r, const char *source, struct fr_batch *batch, struct fr_log *log)
{
    memset(r, 0, sizeof *r);
    fr_fj_scan_init(&r->scan, &ops, r);
    r->globals.text = r->disks.text = (struct fr_strbuf)FR_STRBUF_INIT;
    r->batch = batch;
    r->log = log;
    r->source = source;
    r->left_tag = (size_t)-1;
    r->tree = fr_fj_tree_new();
    reset_head(r);
    return r->tree ? 0 : fr_log_error(log, source, 0, "out of memory, skipped");
}

static void reader_release(struct reader *r)
{
    fr_fj_scan_release(&r->scan);
    fr_fj_tree_free(r->tree);
    fr_strbuf_release(&r->globals.text);
    fr_strbuf_release(&r->disks.text);
}

/* ---- a document -------------------------------------------------------------------------------------------------- */

static bool probe(const struct fr_doc *doc)
{
    if (!fr_doc_may_hold(doc, '{'))
        return false;
    for (size_t i = 0; i < doc->n; i++)
        if (doc->lines[i].owner == 0 && memchr(doc->lines[i].text.s, '{', doc->lines[i].text.n))
            return true;
    return false;
}

static int scan(void *state, struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log)
{
    struct reader r;
    (void)state;
    if (reader_init(&r, doc->source, batch, log) != 0)
        return -1;
    r.doc = doc;
    r.owner = owner;
    for (size_t i = 0; i < doc->n; i++) {
        const struct fr_line *line = &doc->lines[i];
        if (line->owner != 0)
            continue;
        fr_fj_scan_line(&r.scan, line->text, line->no, line->flags, i, true, true);
    }
    fr_fj_scan_end(&r.scan);
    reader_release(&r);
    return r.status;
}

/* ---- a stream ---------------------------------------------------------------------------------------------------- */

/* Does nothing but brackets and blanks, or an object all of its own, stand before the key in its line? Else the text
 * has to be cleaned of what stands before its lines. */
static bool is_bare(struct fr_str text, size_t at)
{
    size_t start = fr_str_rfind(fr_str_range(text, 0, at), "\n");
    struct fr_str before = fr_str_trim(fr_str_range(text, start == (size_t)-1 ? 0 : start + 1, at));
    fr_take(&before, "\xef\xbb\xbf");
    return !before.n || before.s[0] == '{' || before.s[0] == '[';
}

/*
 * Only files larger than a block are worth it: for all others the document is better, as it knows what stands around a
 * run. UTF-16 has zero bytes and is no match.
 */
static bool probe_stream(const char *name, const char *head, size_t n)
{
    struct fr_str text = fr_strn(head, n);
    (void)name;
    if (n < FR_BLOCK)
        return false;
    size_t at = fr_str_find(text, "\"fio version\"");
    if (at == (size_t)-1)
        at = fr_str_find(text, "\"jobname\"");
    bool escaped = fr_str_find(text, "&gt;=") != (size_t)-1; /* a page: its `>=64` is cleaned too */
    return at != (size_t)-1 && is_bare(text, at) && !escaped;
}

struct liner {
    struct reader *reader;
    struct fr_strbuf carry; /* the begun line */
    uint32_t no;
    bool begun; /* a piece of this line was pushed already */
};

/* Push a line, or a piece of one; lone CRs within it end lines that a terminal would have overwritten. */
static void push(struct liner *l, struct fr_str s, bool ends)
{
    struct reader *r = l->reader;
    if (ends)
        s.n -= s.n > 0 && s.s[s.n - 1] == '\r';
    size_t cr;
    while (!l->begun && !r->scan.open && (cr = fr_str_chr(s, '\r')) != (size_t)-1 && cr + 1 < s.n) {
        fr_fj_scan_line(&r->scan, fr_str_range(s, 0, cr), l->no, FR_LINE_CR, 0, true, true);
        s = fr_str_from(s, cr + 1);
    }
    fr_fj_scan_line(&r->scan, s, l->no, 0, 0, !l->begun, ends);
    l->begun = !ends;
    if (ends && l->no < UINT32_MAX)
        l->no++;
}

static void push_block(struct liner *l, const char *p, size_t n)
{
    const char *end = p + n;
    while (p < end) {
        if (!l->carry.len && !l->begun)
            p = fr_fj_scan_bins(&l->reader->scan, p, end, &l->no);
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        const char *stop = lf ? lf : end;
        if (l->carry.len || !lf) {
            fr_strbuf_add(&l->carry, p, (size_t)(stop - p));
            if (lf || l->carry.len >= FR_FJ_PIECE_MAX) {
                push(l, fr_strn(l->carry.buf, l->carry.len), lf != NULL);
                fr_strbuf_reset(&l->carry);
            }
        } else {
            push(l, fr_strn(p, (size_t)(stop - p)), true);
        }
        p = lf ? lf + 1 : end;
    }
}

static int stream(void *state, struct fr_input *in, struct fr_doc *rest, struct fr_batch *batch, struct fr_log *log)
{
    struct reader r;
    struct liner l = {.reader = &r, .carry = FR_STRBUF_INIT, .no = 1};
    const char *block;
    size_t n;
    (void)state;
    if (reader_init(&r, fr_input_name(in), batch, log) != 0)
        return -1;
    r.rest = rest;
    for (bool first = true; (block = fr_input_next(in, &n, log)) != NULL && n > 0; first = false) {
        size_t skip = first && n >= 3 && memcmp(block, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        push_block(&l, block + skip, n - skip);
    }
    if (!block)
        r.status = -1;
    if (l.carry.len || l.begun)
        push(&l, fr_strn(l.carry.buf, l.carry.len), true);
    fr_fj_scan_end(&r.scan);
    fr_strbuf_release(&l.carry);
    reader_release(&r);
    return r.status;
}

const struct fr_parser fr_parser_fio_json = {
    .name = "fio-json",
    .tool = "fio",
    .title = "fio --output-format=json and json+",
    .versions = "2.0.10 to 3.42",
    .probe = probe,
    .scan = scan,
    .probe_stream = probe_stream,
    .stream = stream,
};
