/* ingest_reader.c: see ingest_reader.h. */
#include "ingest_reader.h"

#include "identity.h"
#include "label.h"
#include "parser.h"
#include "surround.h"

#include "banned.h"

enum { PARSERS_MAX = 64 };

struct fr_reader {
    const struct fr_ingest_options *options;
    struct fr_label_rules rules;
    void *states[PARSERS_MAX]; /* kept from source to source */
    bool has_state[PARSERS_MAX];
    bool wanted[PARSERS_MAX];
    size_t n;
};

/* What is being read, so that the functions below stay short. */
struct reading {
    struct fr_reader *reader;
    struct fr_input *in;
    struct fr_batch *batch;
    struct fr_doc *doc;
    struct fr_log *log;
    const char *name;
    bool failed; /* something could not be read, and a parser has said so */
    bool streamed;
    unsigned long warnings, notes; /* that were given before it */
};

/* --format: a parser's name, or a tool's for all its parsers. */
static int choose(struct fr_reader *r, const char *format, struct fr_log *log)
{
    size_t chosen = 0;
    for (r->n = 0; fr_parsers[r->n]; r->n++) {
        if (r->n == PARSERS_MAX)
            return fr_log_error(log, NULL, 0, "more parsers than the %d that this program was built for", PARSERS_MAX);
        r->wanted[r->n] = !format || strcmp(fr_parsers[r->n]->name, format) == 0;
        chosen += r->wanted[r->n];
    }
    for (size_t i = 0; format && !chosen && i < r->n; i++)
        r->wanted[i] = strcmp(fr_parsers[i]->tool, format) == 0;
    for (size_t i = 0; i < r->n; i++)
        chosen += r->wanted[i];
    if (format && !chosen)
        return fr_log_error(log, NULL, 0, "there is no format `%s` (`fioreport formats` lists them)", format);
    return 0;
}

struct fr_reader *fr_reader_new(const struct fr_ingest_options *options, struct fr_log *log)
{
    struct fr_reader *r = calloc(1, sizeof *r);
    if (!r) {
        fr_log_error(log, NULL, 0, "out of memory");
        return NULL;
    }
    r->options = options;
    r->rules = (struct fr_label_rules){.label = options->label,
                                       .name_pattern = options->name_pattern,
                                       .tags = options->tags,
                                       .tags_n = options->tags_n};
    if (choose(r, options->format, log) != 0 || fr_label_check(&r->rules, log) != 0) {
        fr_reader_free(r);
        return NULL;
    }
    return r;
}

void fr_reader_free(struct fr_reader *reader)
{
    if (!reader)
        return;
    for (size_t i = 0; i < reader->n; i++)
        if (reader->has_state[i] && fr_parsers[i]->state_free)
            fr_parsers[i]->state_free(reader->states[i]);
    free(reader);
}

/* The parser's state, made when it is first needed; false after a message. */
static bool ready(struct fr_reader *r, size_t i, struct fr_log *log)
{
    if (!r->has_state[i] && fr_parsers[i]->state_new) {
        r->states[i] = fr_parsers[i]->state_new(log);
        r->has_state[i] = r->states[i] != NULL;
        return r->has_state[i];
    }
    return true;
}

/* Is there a line that no parser has taken? */
static bool any_left(const struct fr_doc *doc)
{
    for (size_t i = doc->n; i-- > 0;)
        if (!doc->lines[i].owner && doc->lines[i].text.n)
            return true;
    return false;
}

/* All parsers that find it worth while, in the order of the registry; all but `except`. Until nothing is left. */
static void scan(struct reading *g, size_t except)
{
    struct fr_reader *r = g->reader;
    for (size_t i = 0; i < r->n; i++) {
        const struct fr_parser *p = fr_parsers[i];
        if (!r->wanted[i] || i == except || !p->scan)
            continue;
        if (!r->options->format && p->probe && !p->probe(g->doc))
            continue;
        if (!ready(r, i, g->log) || p->scan(r->states[i], g->doc, (unsigned)i + 1, g->batch, g->log) != 0)
            g->failed = true;
        if (!any_left(g->doc))
            return;
    }
}

static size_t find_stream(const struct fr_reader *r, const char *name, const char *head, size_t n)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->wanted[i] && fr_parsers[i]->probe_stream && fr_parsers[i]->probe_stream(name, head, n))
            return i;
    return r->n;
}

/* What the parser did not take counts for the hash all the same. -1: reading failed, now or before. */
static int drain(struct fr_input *in, struct fr_log *log)
{
    size_t n;
    do {
        if (!fr_input_next(in, &n, log))
            return -1;
    } while (n);
    return 0;
}

static bool claimed(const struct fr_doc *doc)
{
    for (size_t i = 0; i < doc->n; i++)
        if (doc->lines[i].owner)
            return true;
    return false;
}

static enum fr_read nothing(struct reading *g, const char *head, size_t n)
{
    if (g->failed)
        return FR_READ_FAILED;
    /* A parser knew it and had something to say: there is no result in it. A stream claims no lines. */
    bool warned = g->log->count[FR_WARNING] > g->warnings;
    bool said = warned || g->log->count[FR_NOTE] > g->notes;
    if (said && (g->streamed || claimed(g->doc)))
        return FR_READ_NOTHING;
    if (warned)
        return FR_READ_FAILED; /* it was looked at, and is something else: that was said */
    struct fr_str start = fr_str_ltrim(fr_strn(head, n));
    struct fr_str inner = fr_str_ltrim(fr_str_from(start, 1));
    bool json = fr_str_starts(start, "{") || (fr_str_starts(start, "[") && inner.n && strchr("{[]\"", *inner.s));
    return json ? FR_READ_JSON : FR_READ_OTHER;
}

/* For --explain: which parser took what. What it did not understand was reported where it stands. */
static void explain_runs(const struct reading *g)
{
    int no = 0;
    if (g->log->unexplained)
        return;
    fr_list_each (struct fr_run, run, g->batch->runs)
        fr_log_explain(g->log, g->name, run->line, "run %d, lines %u to %u: read by %s as %s%s%s, %zu %s", ++no,
                       run->line, run->line_end, run->parser, run->title ? run->title : run->tool,
                       run->tool_version ? " " : "", run->tool_version ? run->tool_version : "", run->tests.n,
                       run->tests.n == 1 ? "test" : "tests");
    size_t left = 0;
    uint32_t first = 0;
    for (size_t i = 0; i < g->doc->n; i++)
        if (!g->doc->lines[i].owner && fr_str_trim(g->doc->lines[i].text).n) {
            first = left++ ? first : g->doc->lines[i].no;
        }
    if (left)
        fr_log_explain(g->log, g->name, first, "%zu %s of text not read by any parser, this is the first", left,
                       left == 1 ? "line" : "lines");
}

/* Runs were found, or not: what is one run, labels, the verdict. */
static enum fr_read finish(struct reading *g, const char *head, size_t n)
{
    bool was_cut = fr_input_was_cut(g->in);
    g->failed = g->failed || was_cut;
    if (g->batch->runs.n == 0)
        return nothing(g, head, n);
    fr_identity_join(g->batch, g->log);
    if (was_cut)
        g->batch->runs.tail->cut_short = true;
    fr_surround_notes(g->batch, g->doc);
    explain_runs(g);
    fr_label_apply(g->batch, g->doc, &g->reader->rules, g->log);
    return g->failed ? FR_READ_PARTLY : FR_READ_ALL;
}

static enum fr_read read_stream(struct reading *g, size_t i, char sha256[65])
{
    struct fr_reader *r = g->reader;
    struct fr_doc rest;
    fr_doc_init_empty(&rest, g->name);
    rest.insist = r->options->format != NULL;
    g->doc = &rest;
    g->streamed = true;
    enum fr_read verdict = FR_READ_FAILED;
    if (ready(r, i, g->log)) {
        if (fr_parsers[i]->stream(r->states[i], g->in, &rest, g->batch, g->log) != 0)
            g->failed = true;
        if (drain(g->in, g->log) == 0) {
            fr_input_sha256(g->in, sha256);
            if (rest.n)
                scan(g, i);
            verdict = finish(g, "", 0);
        }
    }
    fr_doc_release(&rest);
    g->doc = NULL;
    return verdict;
}

static enum fr_read read_text(struct reading *g, const struct fr_strbuf *bytes)
{
    struct fr_doc doc;
    enum fr_read verdict = FR_READ_FAILED;
    g->doc = &doc;
    if (fr_doc_init(&doc, g->name, fr_strbuf_str(bytes), bytes->len, g->log) == 0) {
        if (doc.binary) {
            verdict = FR_READ_BINARY;
        } else {
            doc.insist = g->reader->options->format != NULL;
            g->batch->document = bytes->len;
            scan(g, g->reader->n);
            verdict = finish(g, fr_strbuf_str(bytes), bytes->len);
        }
    }
    fr_doc_release(&doc);
    g->doc = NULL;
    return verdict;
}

static enum fr_read read_whole(struct reading *g, char sha256[65], int (*known)(void *, const char *, const char *),
                               void *ctx)
{
    struct fr_strbuf bytes = FR_STRBUF_INIT;
    enum fr_read verdict = FR_READ_FAILED;
    if (fr_input_all(g->in, &bytes, FR_READER_MAX, g->log) == 0) {
        fr_input_sha256(g->in, sha256);
        int k = known ? known(ctx, g->name, sha256) : 0;
        verdict = k < 0 ? FR_READ_STOPPED : k ? FR_READ_KNOWN : read_text(g, &bytes);
    }
    fr_strbuf_release(&bytes);
    return verdict;
}

enum fr_read fr_reader_read(struct fr_reader *reader, struct fr_input *in, struct fr_batch *batch, char sha256[65],
                            int (*known)(void *ctx, const char *name, const char *sha256), void *ctx,
                            struct fr_log *log)
{
    struct reading g = {.reader = reader, .in = in, .batch = batch, .log = log, .name = fr_input_name(in)};
    g.warnings = log->count[FR_WARNING];
    g.notes = log->count[FR_NOTE];
    size_t n;
    const char *head = fr_input_head(in, &n, log);
    if (!head)
        return FR_READ_FAILED;
    size_t i = find_stream(reader, g.name, head, n);
    if (n == 0 && i == reader->n) /* an empty log is none of these: its parser says so */
        return fr_input_was_cut(in) ? FR_READ_FAILED : FR_READ_EMPTY;
    if (i < reader->n) {
        enum fr_read verdict = read_stream(&g, i, sha256);
        int k = known && (verdict == FR_READ_ALL || verdict == FR_READ_PARTLY) ? known(ctx, g.name, sha256) : 0;
        return k < 0 ? FR_READ_STOPPED : k ? FR_READ_KNOWN : verdict;
    }
    if (n == FR_BLOCK && fr_doc_is_binary(head, n)) /* a big one need not be read to its end */
        return FR_READ_BINARY;
    return read_whole(&g, sha256, known, ctx);
}
