/*
 * test_fio_json: a document read in blocks gives what it gives as a whole, wherever lines and blocks end; a document
 * cut anywhere gives its complete jobs and says so; what is one run, by its JSON.
 */
#include <math.h>

#include "check.h"
#include "hist.h"
#include "identity.h"
#include "parser.h"
#include "series.h"

#include "banned.h"

extern const struct fr_parser fr_parser_fio_json;

/* ---- documents --------------------------------------------------------------------------------------------------- */

struct job {
    const char *name;
    double start_ms, elapsed; /* start 0: not printed */
    unsigned ios, runtime_ms, max_ns;
};

static void add_job(struct fr_strbuf *out, const struct job *j, const char *nl)
{
    fr_strbuf_addf(out, "    {%s      \"jobname\" : \"%s\",%s      \"groupid\" : 0,%s", nl, j->name, nl, nl);
    if (j->start_ms > 0)
        fr_strbuf_addf(out, "      \"job_start\" : %.0f,%s", j->start_ms, nl);
    fr_strbuf_addf(out, "      \"error\" : 0,%s      \"elapsed\" : %.0f,%s      \"read\" : {%s", nl, j->elapsed, nl,
                   nl);
    fr_strbuf_addf(out, "        \"io_bytes\" : %llu,%s        \"io_kbytes\" : %u,%s        \"iops\" : %f,%s",
                   (unsigned long long)j->ios * 4096, nl, j->ios * 4, nl, j->ios * 1000.0 / j->runtime_ms, nl);
    fr_strbuf_addf(out, "        \"runtime\" : %u,%s        \"total_ios\" : %u,%s", j->runtime_ms, nl, j->ios, nl);
    fr_strbuf_addf(out, "        \"clat_ns\" : { \"min\" : 100, \"max\" : %u, \"mean\" : %f, \"N\" : %u,%s", j->max_ns,
                   j->max_ns / 3.0, j->ios, nl);
    fr_strbuf_addf(out, "          \"bins\" : { \"100\" : %u, \"1004\" : 1 } }%s      }%s    }", j->ios - 1, nl, nl);
}

static void add_document(struct fr_strbuf *out, const struct job *jobs, size_t n, double timestamp_ms, const char *nl)
{
    fr_strbuf_addf(out, "{%s  \"fio version\" : \"fio-3.40\",%s  \"timestamp\" : %.0f,%s", nl, nl,
                   floor(timestamp_ms / 1000), nl);
    fr_strbuf_addf(out, "  \"timestamp_ms\" : %.0f,%s  \"jobs\" : [%s", timestamp_ms, nl, nl);
    for (size_t i = 0; i < n; i++) {
        if (i)
            fr_strbuf_addf(out, ",%s", nl);
        add_job(out, &jobs[i], nl);
    }
    fr_strbuf_addf(out, "%s  ],%s  \"disk_util\" : [%s    { \"name\" : \"sda\", \"util\" : 50.0 }%s  ]%s}\n", nl, nl,
                   nl, nl, nl);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void print(const struct fr_batch *batch, struct fr_strbuf *out)
{
    fr_list_each (struct fr_run, r, batch->runs) {
        fr_strbuf_addf(out, "run %u %s %d\n", r->line, r->started_at ? r->started_at : "", r->cut_short);
        fr_list_each (struct fr_test, t, r->tests) {
            fr_strbuf_addf(out, "test %d %s %u\n", t->no, t->name, t->line);
            fr_value_each (v, t)
                fr_strbuf_addf(out, "%d %d %s %.15g %u\n", v->op, v->metric, v->stat, v->value, v->line);
            fr_list_each (struct fr_hist, h, t->hists) {
                struct fr_bin unpacked[FR_HIST_BINS];
                const struct fr_bin *bins = h->packed ? unpacked : h->bins;
                CHECK("packed bins",
                      !h->packed || fr_hist_unpack(h->packed, h->first, h->per_second, unpacked) == (int)h->n);
                for (size_t i = 0; i < h->n; i++)
                    fr_strbuf_addf(out, "%g %g %llu\n", bins[i].lower, bins[i].upper,
                                   (unsigned long long)bins[i].count);
            }
        }
        fr_list_each (struct fr_disk, d, r->disks)
            fr_strbuf_addf(out, "%s %s %g %u\n", d->disk, d->key, d->value, d->line);
    }
}

static int scan(const char *text, size_t n, struct fr_batch *batch, struct fr_log *log)
{
    struct fr_doc doc;
    fr_batch_init(batch, "doc");
    int status = fr_doc_init(&doc, "doc", text, n, log);
    if (status == 0)
        status = fr_parser_fio_json.scan(NULL, &doc, 1, batch, log);
    fr_doc_release(&doc);
    return status;
}

static void check_stream(const char *name, const struct fr_strbuf *text, size_t rest_lines, unsigned last_rest)
{
    struct fr_log log = {.say = NULL};
    struct fr_batch whole, streamed;
    struct fr_strbuf want = FR_STRBUF_INIT, got = FR_STRBUF_INIT;
    struct fr_doc rest;
    int a = scan(text->buf, text->len, &whole, &log);
    struct fr_input *in = fr_input_memory("doc", text->buf, text->len);
    fr_batch_init(&streamed, "doc");
    fr_doc_init_empty(&rest, "doc");
    int b = fr_parser_fio_json.stream(NULL, in, &rest, &streamed, &log);
    print(&whole, &want);
    print(&streamed, &got);
    CHECK(name, a == b && want.len > 1000 && strcmp(fr_strbuf_str(&want), fr_strbuf_str(&got)) == 0);
    size_t n = 0;
    unsigned last = 0;
    for (size_t i = 0; i < rest.n; i++)
        if (fr_str_trim(rest.lines[i].text).n) {
            n++;
            last = rest.lines[i].no;
        }
    CHECK("fio_json rest of a stream", n == rest_lines && last == last_rest);
    fr_input_close(in);
    fr_doc_release(&rest);
    fr_batch_release(&whole);
    fr_batch_release(&streamed);
    fr_strbuf_release(&want);
    fr_strbuf_release(&got);
}

/* Several blocks of it, in lines and in one line, with text around. */
static void test_stream(void)
{
    static struct job jobs[3000];
    static const char *const ends[] = {"\n", " ", "\r\n"};
    static const char *const names[] = {"fio_json stream of lines", "fio_json stream of one line",
                                        "fio_json stream of CR LF"};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        jobs[i] = (struct job){
            i % 7 ? "job" : "job \\\"}{[ \\\\", 1.7e12 + (double)i, 3, (unsigned)(1000 + i % 90), 2000, 1004};
    for (size_t k = 0; k < 3; k++) {
        struct fr_strbuf text = FR_STRBUF_INIT;
        fr_strbuf_addf(&text, "fio: a warning\nheads of jobs\n");
        add_document(&text, jobs, sizeof jobs / sizeof *jobs, 1.7e12 + 5000, ends[k]);
        unsigned lines = 1;
        for (size_t i = 0; i < text.len; i++)
            lines += text.buf[i] == '\n';
        fr_strbuf_addf(&text, "fio exited with status 1\n");
        check_stream(names[k], &text, 3, lines);
        fr_strbuf_release(&text);
    }
}

/* Cut at every byte: complete jobs are kept, and an end in the middle is told. */
static void test_cut(void)
{
    const struct job jobs[] = {{"a", 1.7e12, 3, 500, 2000, 1004}, {"b", 1.7e12, 3, 700, 2000, 1004}};
    struct fr_strbuf text = FR_STRBUF_INIT;
    add_document(&text, jobs, 2, 1.7e12 + 3000, "\n");
    size_t second = (size_t)(strstr(text.buf, "    {\n      \"jobname\" : \"b\"") - text.buf);
    size_t after = (size_t)(strstr(text.buf, "\n  ],\n") - text.buf);
    bool told = true, kept = true;
    for (size_t n = 40; n < text.len - 2; n++) {
        struct fr_log log = {.say = NULL};
        struct fr_batch batch;
        int status = scan(text.buf, n, &batch, &log);
        size_t tests = batch.runs.head ? batch.runs.head->tests.n : 0;
        told = told && status == -1 && log.count[FR_ERROR] > 0 && (!batch.runs.head || batch.runs.head->cut_short);
        kept = kept && tests == (size_t)(n >= second - 2) + (n >= after);
        fr_batch_release(&batch);
    }
    CHECK("fio_json a cut document is told", told);
    CHECK("fio_json a cut document keeps its complete jobs", kept);
    fr_strbuf_release(&text);
}

/* ---- what is one run --------------------------------------------------------------------------------------------- */

static size_t runs_of(const struct fr_strbuf *text, struct fr_batch *batch)
{
    struct fr_log log = {.say = NULL};
    scan(text->buf, text->len, batch, &log);
    fr_identity_join(batch, &log);
    return batch->runs.n;
}

/* How many runs these make, each document of one job, `gap_ms` after the other. */
static size_t joined(const struct job *jobs, size_t n, double gap_ms)
{
    struct fr_strbuf text = FR_STRBUF_INIT;
    struct fr_batch batch;
    for (size_t i = 0; i < n; i++)
        add_document(&text, &jobs[i], 1, 1.7e12 + (double)(i + 1) * gap_ms, "\n");
    size_t runs = runs_of(&text, &batch);
    fr_batch_release(&batch);
    fr_strbuf_release(&text);
    return runs;
}

static void test_runs(void)
{
    const struct job steps[] = {{"s", 0, 1, 100, 1000, 900}, {"s", 0, 2, 250, 2000, 900}, {"s", 0, 3, 270, 3000, 950}};
    const struct job exact[] = {{"s", 1.7e12, 1, 100, 1000, 900}, {"s", 1.7e12, 2, 250, 2000, 900}};
    const struct job later[] = {{"s", 1.7e12, 1, 100, 1000, 900}, {"s", 1.7e12 + 1100, 1, 250, 2000, 900}};
    const struct job falls[] = {{"s", 0, 1, 100, 1000, 900}, {"s", 0, 2, 90, 2000, 900}};
    const struct job loop[] = {{"s", 0, 1, 100, 200, 900}, {"s", 0, 1, 100, 201, 950}, {"s", 0, 1, 100, 203, 990}};
    const struct job other[] = {{"s", 0, 1, 100, 1000, 900}, {"t", 0, 2, 250, 2000, 900}};
    CHECK("identity snapshots are one run", joined(steps, 3, 1000) == 1);
    CHECK("identity snapshots by job_start", joined(exact, 2, 1000) == 1);
    CHECK("identity another job_start is another run", joined(later, 2, 1100) == 2);
    CHECK("identity a counter falls", joined(falls, 2, 1000) == 2);
    CHECK("identity a quick loop is three runs", joined(loop, 3, 230) == 3);
    CHECK("identity another name is another run", joined(other, 2, 1000) == 2);

    struct fr_strbuf text = FR_STRBUF_INIT;
    struct fr_batch batch;
    for (size_t i = 0; i < 3; i++)
        add_document(&text, &steps[i], 1, 1.7e12 + (double)(i + 1) * 1000, "\n");
    size_t once = text.len;
    char *copy = strdup(text.buf);
    CHECK("identity steps", runs_of(&text, &batch) == 1 && batch.runs.head->line == 1);
    const struct fr_value *ios = fr_value_get(batch.runs.head->tests.head, FR_OP_READ, FR_M_IOS, "total");
    CHECK("identity the last step is the result", ios && fabs(ios->value - 270) < 1e-9);
    const struct fr_series *series = batch.runs.head->tests.head->series.head;
    struct fr_series_reader reader;
    struct fr_sample sample;
    double rates[3] = {0};
    size_t n = 0;
    if (series)
        for (fr_series_reader_init(&reader, series); n < 3 && fr_series_next(&reader, &sample); n++)
            rates[n] = (double)sample.value * series->step;
    CHECK("identity rates of the steps", series && series->n == 3 && fabs(rates[0] - 100) < 1e-9 &&
                                             fabs(rates[1] - 150) < 1e-9 && fabs(rates[2] - 20) < 1e-9);
    fr_batch_release(&batch);
    fr_strbuf_add(&text, copy, once); /* the same documents a second time */
    CHECK("identity copies are counted once", runs_of(&text, &batch) == 1);
    fr_batch_release(&batch);
    fr_strbuf_release(&text);
    free(copy);
}

/* The program was killed while it printed its last report: the report before is the result, and marked. */
static void test_cut_step(void)
{
    const struct job first[] = {{"a", 0, 1, 100, 1000, 900}, {"b", 0, 1, 50, 1000, 900}};
    const struct job last[] = {{"a", 0, 2, 250, 2000, 900}, {"b", 0, 2, 90, 2000, 900}};
    struct fr_strbuf text = FR_STRBUF_INIT;
    struct fr_batch batch;
    add_document(&text, first, 2, 1.7e12 + 1000, "\n");
    size_t whole = text.len;
    add_document(&text, last, 2, 1.7e12 + 2000, "\n");
    fr_strbuf_cut(&text, (size_t)(strstr(text.buf + whole, "\"jobname\" : \"b\"") - text.buf));
    size_t runs = runs_of(&text, &batch);
    CHECK("identity a cut step", runs == 1 && batch.runs.head->tests.n == 2 && batch.runs.head->cut_short);
    fr_batch_release(&batch);
    fr_strbuf_release(&text);
}

int main(void)
{
    test_cut_step();
    test_stream();
    test_cut();
    test_runs();
    return check_failed;
}
