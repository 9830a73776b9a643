/*
 * fuzz_parsers: libFuzzer harness over everything that reads input: the archive reader, documents, all parsers, both
 * whole and as streams, then identity and labels. The first byte chooses the way in and the file's name.
 */
#include "archive.h"
#include "identity.h"
#include "label.h"
#include "parser.h"

#include "banned.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const char *const names[] = {"x.txt",  "x_bw.1.log",     "x_clat_hist.1.log", "composite.xml",
                                    "x.json", "a.tar.gz/x.log", "lat.log",           "output.zfs.fio.txt"};

/* Kept for all runs, as in an ingest. */
static void *states[64];
static bool have[64];

static void *state_of(size_t i)
{
    if (!have[i] && fr_parsers[i]->state_new) {
        states[i] = fr_parsers[i]->state_new(NULL);
        have[i] = true;
    }
    return states[i];
}

static void finish(struct fr_batch *batch, struct fr_doc *doc)
{
    struct fr_label_rules rules = {.name_pattern = "output.{label}.{backend}.txt"};
    fr_identity_join(batch, NULL);
    fr_label_apply(batch, doc, &rules, NULL);
    fr_batch_release(batch);
    fr_doc_release(doc);
}

static void scan_all(struct fr_doc *doc, struct fr_batch *batch)
{
    for (size_t i = 0; fr_parsers[i]; i++)
        if (fr_parsers[i]->scan && (!fr_parsers[i]->probe || fr_parsers[i]->probe(doc)))
            fr_parsers[i]->scan(state_of(i), doc, (unsigned)i + 1, batch, NULL);
}

/* `insist`: as if --format had named a parser. */
static void read_whole(const char *name, const char *bytes, size_t n, bool insist)
{
    struct fr_batch batch;
    struct fr_doc doc;
    fr_batch_init(&batch, name);
    if (fr_doc_init(&doc, name, bytes, n, NULL) == 0) {
        doc.insist = insist;
        scan_all(&doc, &batch);
    }
    finish(&batch, &doc);
}

static void read_stream(const char *name, const char *bytes, size_t n)
{
    for (size_t i = 0; fr_parsers[i]; i++) {
        if (!fr_parsers[i]->probe_stream || !fr_parsers[i]->probe_stream(name, bytes, n))
            continue;
        struct fr_batch batch;
        struct fr_doc rest;
        struct fr_input *in = fr_input_memory(name, bytes, n);
        fr_batch_init(&batch, name);
        fr_doc_init_empty(&rest, name);
        fr_parsers[i]->stream(state_of(i), in, &rest, &batch, NULL);
        fr_input_close(in);
        scan_all(&rest, &batch);
        finish(&batch, &rest);
    }
}

static void drain(void *ctx, struct fr_input *member)
{
    size_t n;
    (void)ctx;
    while (fr_input_next(member, &n, NULL) && n)
        continue;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 1)
        return 0;
    const char *name = names[data[0] >> 2 & 7], *bytes = (const char *)data + 1;
    switch (data[0] & 3) {
    case 0:
    case 1:
        read_whole(name, bytes, n - 1, data[0] & 1);
        break;
    case 2:
        read_stream(name, bytes, n - 1);
        break;
    case 3:
        if (fr_archive_is(bytes, n - 1)) {
            struct fr_input *in = fr_input_memory(name, bytes, n - 1);
            struct fr_archive_budget budget = {.spent = false};
            fr_archive_walk(in, &budget, drain, NULL, NULL);
            fr_input_close(in);
        }
        break;
    }
    return 0;
}
