/*
 * records FILE...: what the parsers find in each file, one fact a line, tab separated. The format of samples' .records:
 *
 *   run   RUN_NO  tool  tool_version  host  started_at  line  label  title  command
 *   param RUN_NO  TEST_NO  key  value
 *   value RUN_NO  TEST_NO  test  op  metric  stat  value  line
 *   hist  RUN_NO  TEST_NO  op  metric  bins  count
 *   series RUN_NO  TEST_NO  op  metric  kind  samples  seconds  t0  t1 (ms)  min  mean  max  interval (ms)  columns
 * flags disk  RUN_NO  disk  key  value
 */
#include "hist.h"
#include "identity.h"
#include "parser.h"
#include "series.h"

#include "banned.h"

static void say(void *ctx, const struct fr_message *m)
{
    static const char *const names[] = {"error", "warning", "note", "explain"};
    (void)ctx;
    fprintf(stderr, "%s:%u: %s: %s\n", m->file ? m->file : "", m->line, names[m->level], m->text);
}

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

static void print_series(int run_no, const struct fr_test *t, const struct fr_series *s)
{
    int64_t t0 = s->chunks.head->t0, t1 = s->chunks.head->t1;
    double min = s->seconds[0].min, max = s->seconds[0].max, sum = 0;
    fr_list_each (struct fr_chunk, c, s->chunks) {
        t0 = c->t0 < t0 ? c->t0 : t0;
        t1 = c->t1 > t1 ? c->t1 : t1;
    }
    for (size_t i = 0; i < s->seconds_n; i++) {
        sum += s->seconds[i].mean * (double)s->seconds[i].n;
        min = s->seconds[i].min < min ? s->seconds[i].min : min;
        max = s->seconds[i].max > max ? s->seconds[i].max : max;
    }
    printf("series\t%d\t%d\t%s\t%s\t%s\t%llu\t%zu\t%lld\t%lld\t%.10g\t%.10g\t%.10g\t%lld\t%u\t%s%s%s\n", run_no, t->no,
           fr_op_name((enum fr_op)s->op), fr_metric_get((enum fr_metric_id)s->metric)->name, s->kind,
           (unsigned long long)s->n, s->seconds_n, (long long)t0, (long long)t1, min, sum / (double)s->n, max,
           (long long)s->interval, (unsigned)s->columns, s->averaged ? "averaged " : "", s->unix_time ? "unix " : "",
           s->last_partial ? "partial" : "");
}

static void print_test(int run_no, const struct fr_test *t)
{
    fr_list_each (struct fr_param, p, t->params)
        printf("param\t%d\t%d\t%s\t%s\n", run_no, t->no, p->key, p->value);
    fr_value_each (v, t)
        printf("value\t%d\t%d\t%s\t%s\t%s\t%s\t%.10g\t%u\n", run_no, t->no, t->name, fr_op_name((enum fr_op)v->op),
               fr_metric_get((enum fr_metric_id)v->metric)->name, v->stat, v->value, v->line);
    fr_list_each (struct fr_hist, h, t->hists) {
        unsigned long long sum = 0;
        struct fr_bin unpacked[FR_HIST_BINS];
        const struct fr_bin *bins = h->packed ? unpacked : h->bins;
        if (h->packed && fr_hist_unpack(h->packed, h->first, h->per_second, unpacked) != (int)h->n)
            printf("hist\t%d\t%d\tdamaged\n", run_no, t->no);
        for (size_t i = 0; i < h->n; i++)
            sum += bins[i].count;
        printf("hist\t%d\t%d\t%s\t%s\t%zu\t%llu\n", run_no, t->no, fr_op_name((enum fr_op)h->op),
               fr_metric_get((enum fr_metric_id)h->metric)->name, h->n, sum);
    }
    fr_list_each (struct fr_series, s, t->series)
        print_series(run_no, t, s);
}

static void print_batch(const struct fr_batch *batch)
{
    int no = 0;
    fr_list_each (struct fr_run, r, batch->runs) {
        no++;
        printf("run\t%d\t%s\t%s\t%s\t%s\t%u\t%s\t%s\t%s\n", no, r->tool, or_empty(r->tool_version), or_empty(r->host),
               or_empty(r->started_at), r->line, or_empty(r->label ? r->label : r->own_label), or_empty(r->title),
               or_empty(r->command));
        fr_list_each (struct fr_param, p, r->params)
            printf("param\t%d\t0\t%s\t%s\n", no, p->key, p->value);
        fr_list_each (struct fr_test, t, r->tests)
            print_test(no, t);
        fr_list_each (struct fr_disk, d, r->disks)
            printf("disk\t%d\t%s\t%s\t%.10g\n", no, d->disk, d->key, d->value);
    }
}

static int scan_all(struct fr_doc *doc, struct fr_batch *batch, struct fr_log *log)
{
    int status = 0;
    for (size_t i = 0; fr_parsers[i]; i++) {
        const struct fr_parser *p = fr_parsers[i];
        if (!p->probe || !p->probe(doc))
            continue;
        void *state = p->state_new ? p->state_new(log) : NULL;
        if (p->scan(state, doc, (unsigned)i + 1, batch, log) != 0)
            status = 3;
        if (p->state_free)
            p->state_free(state);
    }
    return status;
}

/* 0 or 3; -1: no parser reads this file as a stream. What it leaves over is for the others. */
static int stream(struct fr_input *in, struct fr_batch *batch, struct fr_log *log)
{
    size_t n;
    const char *head = fr_input_head(in, &n, log);
    for (size_t i = 0; head && fr_parsers[i]; i++) {
        const struct fr_parser *p = fr_parsers[i];
        if (!p->probe_stream || !p->probe_stream(fr_input_name(in), head, n))
            continue;
        struct fr_doc rest;
        void *state = p->state_new ? p->state_new(log) : NULL;
        fr_doc_init_empty(&rest, fr_input_name(in));
        int status = p->stream(state, in, &rest, batch, log) == 0 ? 0 : 3;
        if (rest.n && scan_all(&rest, batch, log) != 0)
            status = 3;
        if (p->state_free)
            p->state_free(state);
        fr_doc_release(&rest);
        return status;
    }
    return -1;
}

static int records(const char *path, struct fr_log *log)
{
    struct fr_input *in = fr_input_open(path, log);
    if (!in)
        return 3;
    struct fr_strbuf bytes = FR_STRBUF_INIT;
    struct fr_doc doc;
    struct fr_batch batch;
    fr_batch_init(&batch, path);
    int status = stream(in, &batch, log);
    if (status >= 0) {
        fr_identity_join(&batch, log);
        print_batch(&batch);
    } else if ((status = fr_input_all(in, &bytes, FR_STRBUF_MAX - 1, log) == 0 ? 0 : 3) == 0) {
        if (fr_doc_init(&doc, path, fr_strbuf_str(&bytes), bytes.len, log) == 0)
            status = scan_all(&doc, &batch, log);
        fr_identity_join(&batch, log);
        print_batch(&batch);
        fr_doc_release(&doc);
    }
    fr_batch_release(&batch);
    fr_strbuf_release(&bytes);
    fr_input_close(in);
    return status;
}

int main(int argc, char **argv)
{
    struct fr_log log = {.say = say};
    int status = 0;
    for (int i = 1; i < argc; i++) {
        int s = records(argv[i], &log);
        status = s ? s : status;
    }
    return status;
}
