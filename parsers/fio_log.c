/*
 * fio_log.c: a log file as a stream: its lines go straight into packed series. See fio_log.h.
 *
 * A log names no job, no version and no run. So it becomes a run of its own, with one test called by the log's prefix;
 * the store joins it to the run that wrote it (log_join.h) where name, folder or order say which that is.
 */
#include "fio_log.h"
#include "fio_log_quick.h"
#include "parser.h"

#include "banned.h"

enum {
    COMPLAINTS = 5,
    REST_MAX = 10000,
    DDIR_MAX = 5,
    LINE = 256, /* bytes of a log's line within a text */
    HEADING = 3 /* lines between a log's name and its first line */
};

struct reading {
    struct log_layout layout;
    struct fr_series_builder *series[LOG_OPS];
    struct fr_batch *batch;
    struct fr_input *in; /* or NULL */
    struct fr_doc *rest; /* for lines of another kind; or NULL */
    struct fr_log *log;
    unsigned long lines, bad;
    bool open_end; /* the line at hand is the last and has no end */
    bool cut;      /* and it was cut off */
    double step;
    enum fr_metric_id metric;
};

static const enum fr_op ops[LOG_OPS] = {FR_OP_READ, FR_OP_WRITE, FR_OP_TRIM, FR_OP_SYNC};

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static bool is_empty(const char *p, const char *end)
{
    while (p < end && fr_is_space(*p))
        p++;
    return p == end;
}

/* For the other parsers. */
static void hand_on(struct reading *r, struct fr_str text, uint32_t line)
{
    if (r->rest && r->rest->n < REST_MAX)
        fr_doc_add_line(r->rest, text, line, 0);
}

/* A line of another kind: handed on to the other parsers, and said. */
static void bad_line(struct reading *r, const char *p, const char *end, uint32_t line)
{
    struct fr_str text = fr_str_trim(fr_strn(p, (size_t)(end - p)));
    if (!text.n || (r->layout.head.n && fr_str_eq(text, r->layout.head.text)))
        return; /* logs that were put together have the head once for each */
    if (log_is_comment(text)) {
        fr_log_explain(r->log, r->batch->source, line, "a comment, handed on");
        hand_on(r, text, line);
        return;
    }
    if (r->open_end) {
        fr_log_warn(r->log, r->batch->source, line, "is the last line and cut off: the log is not complete");
        r->cut = true;
        return;
    }
    if (r->bad++ < COMPLAINTS)
        fr_log_error(r->log, r->batch->source, line, "is no line of a log with %u columns, left out",
                     r->layout.columns);
    hand_on(r, text, line);
}

static void begin_series(struct reading *r, size_t i, uint32_t line)
{
    r->series[i] = fr_series_begin(r->batch, ops[i], r->metric, "log", r->step, r->layout.extra, line);
    fr_series_of(r->series[i])->averaged = r->layout.averaged;
    fr_series_of(r->series[i])->unix_time = r->layout.unix_time;
    fr_series_of(r->series[i])->settled = r->in != NULL;
}

static inline struct fr_series_builder *series_of(struct reading *r, int64_t ddir, uint32_t line)
{
    size_t i = ddir < LOG_OPS ? (size_t)ddir : LOG_OPS - 1;
    if (!r->series[i])
        begin_series(r, i, line);
    return r->series[i];
}

/* log_window_value=both: average, maximum, direction ...; the maximum goes last, where its column stands. */
static void add_window(struct reading *r, const int64_t *v, uint32_t line)
{
    int64_t extra[LOG_COLUMNS_MAX];
    unsigned n = 0;
    for (unsigned i = 4; i < r->layout.columns; i++)
        extra[n++] = v[i];
    extra[n] = v[2];
    fr_series_add(series_of(r, v[3], line), v[0], v[1], extra);
}

/* What a line says, however it was read. */
static inline void take_line(struct reading *r, const int64_t *v, const char *start, const char *end, uint32_t no)
{
    int64_t ddir = v[r->layout.window ? 3 : 2];
    if (ddir > DDIR_MAX) {
        bad_line(r, start, end, no);
        return;
    }
    r->lines++;
    if (r->layout.window)
        add_window(r, v, no);
    else
        fr_series_add(series_of(r, ddir, no), v[0], v[1], v + 3);
}

/* Lines from p to end; made for each number of columns that fio writes most. */
static inline __attribute__((always_inline)) void lines_of(struct reading *r, const char *p, const char *end,
                                                           uint32_t *line, const unsigned columns)
{
    struct log_quick quick = {.numbers = {0}};
    int64_t v[LOG_COLUMNS_MAX];
    uint32_t no = *line;
    ptrdiff_t unhashed = 0;
    for (const char *next; p < end; p = next, no++) {
        struct log_form form;
        next = end - p >= LOG_SLACK ? log_line_quick(p, &quick, columns) : NULL;
        if (next)
            take_line(r, quick.numbers, p, next, no);
        else if (next = p, log_line(&next, v, &form) == columns && !form.fraction)
            take_line(r, v, p, next, no);
        else
            bad_line(r, p, next, no);
        if (r->in && (unhashed += next - p) >= FR_DIGEST) {
            unhashed -= FR_DIGEST;
            fr_input_digest(r->in, FR_DIGEST);
        }
    }
    *line = no;
}

static void lines(void *ctx, const char *p, const char *end, uint32_t *line)
{
    struct reading *r = ctx;
    switch (r->layout.columns) {
    case 4:
        lines_of(r, p, end, line, 4);
        break;
    case 5:
        lines_of(r, p, end, line, 5);
        break;
    default:
        lines_of(r, p, end, line, r->layout.columns);
        break;
    }
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void say_guesses(const struct reading *r, const struct log_name *name)
{
    const char *source = r->batch->source;
    const struct log_layout *l = &r->layout;
    if (name->kind == LOG_UNKNOWN && !l->kind_guessed)
        fr_log_explain(r->log, source, 0, "taken as a log of %s by its head", log_kind_word(l->kind));
    else if (l->kind_guessed)
        fr_log_note(r->log, source, 0, "its name does not say what it logs, taken as %s by the size of its numbers",
                    log_kind_word(l->kind));
    else
        fr_log_explain(r->log, source, 0, "taken as a log of %s by its name", log_kind_word(name->kind));
    if (l->head.kb && l->kind == LOG_BW)
        fr_log_note(r->log, source, 1,
                    "its head says kB/s: taken as KiB/s, in which fio logs; converted, it is 2.4 %% off");
    const char *unit = l->per_second > 1e8 ? "nanoseconds" : "microseconds";
    if (l->unit_guessed)
        fr_log_note(r->log, source, 0, "latencies taken as %s: %s (once it is joined to its run, the version decides)",
                    unit, l->unit_why);
    else if (l->unit_why)
        fr_log_explain(r->log, source, 0, "latencies are %s: %s", unit, l->unit_why);
}

/* A run with its one test. */
static struct fr_test *new_test(struct fr_batch *batch, const struct log_name *name, const struct log_layout *l)
{
    char number[16];
    struct fr_run *run = fr_run_new(batch, "fio-log", "fio", 1);
    struct fr_str title = name->prefix.n ? name->prefix : fr_str("log");
    run->form = FR_FORM_LOG;
    struct fr_test *test = fr_test_new(batch, run, title, 1);
    fr_param_set(batch, run, test, "log", fr_str(log_kind_word(l->kind)), FR_FROM_FORMAT, 1);
    if (l->head.per_second > 0 && l->per_second < 1e8)
        fr_param_set(batch, run, test, "log_unit", fr_str("usec"), FR_FROM_FORMAT, 1);
    fr_param_set(batch, run, test, "log_prefix", name->prefix, FR_FROM_FORMAT, 1);
    if (name->job) {
        snprintf(number, sizeof number, "%d", name->job);
        fr_param_set(batch, run, test, "log_job", fr_str(number), FR_FROM_FORMAT, 1);
    }
    return test;
}

static void finish_series(struct reading *r, struct fr_test *test)
{
    for (size_t i = 0; i < LOG_OPS; i++)
        fr_series_end(r->series[i], test);
}

/* The layout is known. */
static void begin(struct reading *r)
{
    r->metric = log_kind_metric(r->layout.kind);
    r->step = r->layout.kind == LOG_BW ? 1024 : r->layout.kind == LOG_IOPS ? 1 : 1 / r->layout.per_second;
}

static int read_samples(struct fr_input *in, struct reading *r, const struct log_name *name)
{
    struct log_reader reader = {r, lines};
    begin(r);
    int status = log_read_lines(in, &reader, &r->open_end, r->log);
    struct fr_test *test = new_test(r->batch, name, &r->layout);
    finish_series(r, test);
    say_guesses(r, name);
    r->batch->runs.tail->cut_short = r->cut;
    if (r->bad > COMPLAINTS)
        fr_log_error(r->log, r->batch->source, 0, "%lu lines in all are no lines of this log", r->bad);
    r->batch->runs.tail->line_end = (uint32_t)(r->lines + r->bad);
    return r->bad ? -1 : status;
}

static bool is_blank(const char *head, size_t n)
{
    return is_empty(head, head + n);
}

static bool probe_stream(const char *path, const char *head, size_t n)
{
    struct log_name name = log_name_parse(fr_str(path));
    struct log_layout layout;
    if (n < FR_BLOCK && is_blank(head, n))
        return name.kind != LOG_UNKNOWN;
    if (name.kind == LOG_HIST || name.kind == LOG_UNKNOWN)
        if (log_is_hist(head, n))
            return true;
    return name.kind != LOG_HIST && (log_layout_find(&layout, &name, head, n, n < FR_BLOCK) || layout.refused[0]);
}

static int stream(void *state, struct fr_input *in, struct fr_doc *rest, struct fr_batch *batch, struct fr_log *log)
{
    size_t n;
    const char *head = fr_input_head(in, &n, log);
    struct log_name name = log_name_parse(fr_str(batch->source));
    struct reading r = {.in = in, .batch = batch, .rest = rest, .log = log};
    (void)state;
    if (!head)
        return -1;
    if (n < FR_BLOCK && is_blank(head, n)) {
        fr_log_note(log, batch->source, 0, "is an empty log: the job wrote nothing into it");
        return 0;
    }
    if (log_is_hist(head, n)) {
        r.layout.kind = LOG_HIST;
        return log_hist_read(in, batch, new_test(batch, &name, &r.layout), log);
    }
    if (!log_layout_find(&r.layout, &name, head, n, n < FR_BLOCK))
        return fr_log_error(log, batch->source, 1, "%s, skipped (give the log as fio wrote it)",
                            r.layout.refused[0] ? r.layout.refused : "is no log of fio");
    if (r.layout.doubted[0])
        fr_log_note(log, batch->source, 1, "%s, taken by its numbers", r.layout.doubted);
    struct fr_str *text = &r.layout.head.text; /* the block that it stands in goes */
    text->s = fr_arena_copy(&batch->arena, text->s, text->n);
    if (r.layout.kind == LOG_UNKNOWN)
        return fr_log_error(log, batch->source, 1,
                            "looks like a log of fio, but neither its name (`..._bw.1.log`, `..._lat.1.log`) nor its "
                            "numbers say of what, skipped");
    return read_samples(in, &r, &name);
}

/* ---- logs within a text: `head *.log`, a transcript, a file that is no stream of bytes (UTF-16) ---------------------
 */

/* How many numbers a line of a text has; 0 when it is none of a log's. */
static unsigned columns_of(const struct fr_line *line)
{
    char buf[LINE + 1];
    const char *p = buf;
    int64_t v[LOG_COLUMNS_MAX];
    struct log_form form;
    struct fr_str t = fr_str_trim(line->text);
    if (line->owner || t.n == 0 || t.n >= LINE || !fr_is_digit(t.s[0]))
        return 0;
    memcpy(buf, t.s, t.n);
    buf[t.n] = '\n';
    unsigned n = log_line(&p, v, &form);
    return n >= 3 && form.separator == ',' && !form.fraction ? n : 0;
}

/* The name of a log that stands in a line: `==> md0_bw.1.log <==`, `$ cat md0_bw.1.log`. */
static bool name_in(struct fr_str text, struct log_name *name)
{
    for (struct fr_str word = fr_take_word(&text); word.n; word = fr_take_word(&text)) {
        *name = log_name_parse(word);
        if (name->kind != LOG_UNKNOWN && name->kind != LOG_HIST && name->is_log)
            return true;
    }
    return false;
}

static bool name_before(const struct fr_doc *doc, size_t i, struct log_name *name)
{
    for (size_t k = 1; k <= HEADING && k <= i; k++)
        if (name_in(doc->lines[i - k].text, name))
            return true;
    *name = log_name_parse(fr_str(doc->source));
    return i == 0 && name->kind != LOG_UNKNOWN && name->kind != LOG_HIST;
}

/* Lines i to j of the document are a log of that name. */
static int read_region(struct fr_doc *doc, size_t i, size_t j, const struct log_name *name, struct fr_batch *batch,
                       struct fr_log *log)
{
    struct fr_strbuf text = FR_STRBUF_INIT;
    struct reading r = {.batch = batch, .log = log};
    for (size_t k = i; k <= j; k++) {
        struct fr_str t = fr_str_trim(doc->lines[k].text);
        fr_strbuf_add(&text, t.s, t.n);
        fr_strbuf_addch(&text, '\n');
    }
    bool ok = log_layout_find(&r.layout, name, fr_strbuf_str(&text), text.len, true);
    if (ok) {
        uint32_t line = doc->lines[i].no;
        begin(&r);
        lines(&r, fr_strbuf_str(&text), fr_strbuf_str(&text) + text.len, &line);
        struct fr_test *test = new_test(batch, name, &r.layout);
        batch->runs.tail->line = test->line = doc->lines[i].no;
        batch->runs.tail->line_end = doc->lines[j].no;
        finish_series(&r, test);
        say_guesses(&r, name);
    }
    fr_strbuf_release(&text);
    if (!ok && r.layout.refused[0])
        return fr_log_error(log, batch->source, doc->lines[i].no, "%s, left out", r.layout.refused);
    if (!ok)
        fr_log_warn(log, batch->source, doc->lines[i].no,
                    "numbers stand under the name of a log of %s, but they are none, left out",
                    log_kind_word(name->kind));
    return r.bad ? -1 : 0;
}

static bool probe(const struct fr_doc *doc)
{
    for (size_t i = 0; i < doc->n; i++)
        if (columns_of(&doc->lines[i]))
            return true;
    return false;
}

/* A log in a text must say what it is: with its name right before it, or in the name of a file that begins with it. */
static int scan(void *state, struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log)
{
    int status = 0;
    (void)state;
    for (size_t i = 0; i < doc->n; i++) {
        struct log_name name;
        unsigned columns = columns_of(&doc->lines[i]);
        size_t j = i;
        if (!columns)
            continue;
        while (j + 1 < doc->n && columns_of(&doc->lines[j + 1]) == columns)
            j++;
        struct log_head head;
        size_t first = i > 0 && log_head_parse(&head, doc->lines[i - 1].text) ? i - 1 : i;
        if (j > i && name_before(doc, first, &name)) { /* a single line of numbers may be anything */
            if (read_region(doc, first, j, &name, batch, log) != 0)
                status = -1;
            fr_doc_claim(doc, first, j, owner, 0);
        }
        i = j;
    }
    return status;
}

const struct fr_parser fr_parser_fio_log = {
    .name = "fio-log",
    .tool = "fio",
    .title = "fio's logs: write_bw_log, write_iops_log, write_lat_log, write_hist_log",
    .versions = "1.x to 3.42",
    .probe = probe,
    .scan = scan,
    .probe_stream = probe_stream,
    .stream = stream,
};
