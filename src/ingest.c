/*
 * ingest.c: files, folders and streams into the database. See fr_ingest in fioreport.h.
 *
 * Sources are parsed outside the database's lock and wait in a queue; every second, or 500 sources, or so many bytes,
 * the queue goes in: lock, insert, commit. So the lock is held for the inserts alone, and a source is in or out, never
 * half. Only the samples of a long log, which no memory shall hold, are inserted while it is read.
 */
#include <time.h>

#include "archive.h"
#include "ingest_notes.h"
#include "ingest_paths.h"
#include "ingest_reader.h"
#include "input.h"
#include "store.h"

#include "banned.h"

enum {
    QUEUE_SOURCES = 500,
    QUEUE_MS = 1000,
    QUEUE_BYTES = 24 << 20, /* of records, roughly */
    EARLY_BYTES = 1 << 20,  /* of records of a source, beyond which chunks go in at once */
    BLOCK = 8 << 10         /* what even a small batch holds */
};

/* A source that was read and is not in the database yet. */
struct queued {
    struct queued *next;
    struct fr_batch batch; /* batch.source is its name */
    char sha256[65];
    long long size;
    bool name_known; /* the database has other content under its name */
};

struct ingest {
    struct fr_store *store; /* NULL: a dry run, and there is no database yet */
    struct fr_store *dry;   /* in memory: the sources that a dry run has read; NULL: it is none */
    const struct fr_ingest_options *options;
    struct fr_ingest_counts *counts;
    struct fr_ingest_counts in; /* of sources added and not committed */
    struct fr_log log;          /* ours: counts */
    struct fr_notes notes;      /* what it says goes through these */
    struct fr_reader *reader;
    FR_LIST(struct queued) queue;
    uint64_t queue_hash[QUEUE_SOURCES]; /* how the hashes of its sources begin: each new source is looked for */
    FR_LIST(struct queued) parts; /* of Phoronix folders in the archive that is open: the whole may come after them */
    struct fr_paths wholes;       /* whose composite.xml was read */
    struct fr_paths wholes_read;  /* the same of plain folders, of all paths */
    size_t queue_bytes;
    long long queue_since;
    unsigned long long bytes;
    size_t done, total;      /* files */
    int depth;               /* archives that are open */
    const char *const *args; /* as given */
    size_t args_n;
    size_t left_out; /* found, and no result */
    struct fr_archive_budget budget;
    bool early;   /* chunks of the source that is being read are in the database */
    bool broken;  /* the database failed: no use to go on */
    bool gave_up; /* waiting for what is being read */
};

static void pass(void *ctx, const struct fr_message *m)
{
    fr_notes_say(&((struct ingest *)ctx)->notes, m);
}

/* ---- the queue ---- */

static void count(struct fr_ingest_counts *c, struct fr_batch *batch)
{
    c->files++;
    c->runs += batch->runs.n;
    fr_list_each (struct fr_run, r, batch->runs) {
        c->tests += r->tests.n;
        fr_list_each (struct fr_test, t, r->tests) {
            c->values += t->values.n;
            fr_batch_pass_head(batch);
        }
    }
}

/* What was pending is committed, and counts from now on; or it is out again. */
static void settle(struct ingest *g, bool committed)
{
    if (committed) {
        g->counts->files += g->in.files;
        g->counts->runs += g->in.runs;
        g->counts->tests += g->in.tests;
        g->counts->values += g->in.values;
    }
    memset(&g->in, 0, sizeof g->in);
}

static void queued_free(struct queued *q)
{
    fr_batch_release(&q->batch);
    free(q);
}

/* What became of a source of the queue. */
static void account(struct ingest *g, struct queued *q, const struct fr_addition *in)
{
    if (in->outcome == FR_STORE_ADDED) {
        count(&g->in, &q->batch);
        if (!g->options->name_pattern)
            fr_notes_label(&g->notes, &q->batch);
    }
    if (in->outcome != FR_STORE_WAS_KNOWN)
        return;
    g->counts->known++;
    fr_log_note(&g->log, q->batch.source, 0, "another program has just added the same content, skipped");
}

/* Standard input has one name for all that comes from it. */
static bool replaces(const struct ingest *g, const char *name)
{
    return g->options->replace && strcmp(name, "-") != 0;
}

static int add_queue(struct ingest *g)
{
    struct fr_addition *list = calloc(g->queue.n, sizeof *list);
    size_t n = 0;
    if (!list)
        return fr_log_error(&g->log, NULL, 0, "out of memory");
    fr_list_each (struct queued, q, g->queue)
        list[n++] = (struct fr_addition){
            .source = {.name = q->batch.source, .sha256 = q->sha256, .size = q->size},
            .batch = &q->batch,
            .replace = replaces(g, q->batch.source),
            .force = g->options->force,
        };
    int rc = fr_store_add_all(g->store, list, n, &g->log);
    n = 0;
    fr_list_each (struct queued, q, g->queue)
        account(g, q, &list[n++]);
    free(list);
    return rc;
}

/* Chunks are in the database, and their source shall not be. */
static void forget_early(struct ingest *g)
{
    if (g->early)
        fr_store_chunks_forget(g->store);
    g->early = false;
}

/* Everything in the queue into the database. -1 when the database failed: what is not committed is out. */
static int flush(struct ingest *g)
{
    int rc = g->queue.n ? add_queue(g) : 0;
    if (rc != 0)
        forget_early(g);
    g->early = false;
    for (struct queued *q = g->queue.head, *next; q; q = next) {
        next = q->next;
        queued_free(q);
    }
    g->queue.head = g->queue.tail = NULL;
    g->queue.n = g->queue_bytes = 0;
    if (g->dry)
        return rc;
    /* Also after a failure: sources that went in whole stay, if the database lets them. */
    bool committed = fr_store_commit(g->store, &g->log) == 0;
    settle(g, committed);
    if (!committed)
        rc = -1;
    g->broken |= rc != 0;
    return rc;
}

static long long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Enough of a hash to tell most apart. */
static uint64_t hash_begin(const char *sha256)
{
    uint64_t begin;
    memcpy(&begin, sha256, sizeof begin);
    return begin;
}

static int enqueue(struct ingest *g, struct queued *q)
{
    if (!g->queue.n)
        g->queue_since = now_ms();
    g->queue_hash[g->queue.n] = hash_begin(q->sha256);
    fr_list_add(&g->queue, q);
    g->queue_bytes += fr_batch_bytes(&q->batch) + BLOCK;
    if (g->queue.n < QUEUE_SOURCES && g->queue_bytes < QUEUE_BYTES && now_ms() - g->queue_since < QUEUE_MS && !g->early)
        return 0;
    return flush(g);
}

static const struct queued *in_queue(const struct ingest *g, const char *sha256)
{
    uint64_t begin = hash_begin(sha256);
    for (size_t i = 0; i < g->queue.n; i++) {
        const struct queued *q = g->queue.head;
        if (g->queue_hash[i] != begin)
            continue;
        for (size_t k = 0; k < i; k++)
            q = q->next;
        if (memcmp(q->sha256, sha256, sizeof q->sha256) == 0)
            return q;
    }
    return NULL;
}

/* ---- one source ---- */

/* A source that is being read. */
struct asking {
    struct ingest *g;
    struct queued *q;
};

/* Did this ingest read that content before? 1, and said so; 0; -1 on a database error. */
static int read_before(struct ingest *g, const struct fr_source *source)
{
    const struct queued *twin = in_queue(g, source->sha256);
    struct fr_strbuf name = FR_STRBUF_INIT;
    int k = twin ? FR_KNOWN_CONTENT : FR_NEW;
    if (twin)
        fr_strbuf_addstr(&name, twin->batch.source);
    else if (g->dry)
        k = fr_store_known(g->dry, source, &name, &g->log);
    if (k == FR_KNOWN_CONTENT && strcmp(fr_strbuf_str(&name), source->name) == 0)
        fr_log_note(&g->log, source->name, 0, "is named twice, read once");
    else if (k == FR_KNOWN_CONTENT)
        fr_log_note(&g->log, source->name, 0, "has the same content as %s, skipped", fr_strbuf_str(&name));
    fr_strbuf_release(&name);
    return k < 0 ? -1 : k == FR_KNOWN_CONTENT;
}

/* The content is in the database already: what has this name beside it goes. 1; -1 on a database error. */
static int replace_older(struct ingest *g, const struct fr_source *source)
{
    size_t dropped;
    if (fr_store_drop_older(g->store, source, &dropped, &g->log) != 0)
        return -1;
    if (dropped)
        fr_log_note(&g->log, source->name, 0, "older content under this name was dropped");
    return 1;
}

/* Is it in the database, and stays as it is? 1, and said so; 0; -1 on a database error. */
static int in_database(struct ingest *g, const struct fr_source *source, bool *name_known)
{
    struct fr_strbuf other = FR_STRBUF_INIT;
    int k = g->store ? fr_store_known(g->store, source, &other, &g->log) : FR_NEW;
    bool stays = k == FR_KNOWN_CONTENT && !g->options->force;
    if (stays && strcmp(fr_strbuf_str(&other), source->name) == 0)
        fr_log_note(&g->log, source->name, 0, "is in the database already, skipped (--force reads it anew)");
    else if (stays)
        fr_log_note(&g->log, source->name, 0, "has the same content as %s, which is in the database already, skipped",
                    fr_strbuf_str(&other));
    *name_known = k == FR_KNOWN_NAME;
    fr_strbuf_release(&other);
    if (stays)
        forget_early(g);
    if (stays && !g->dry && replaces(g, source->name))
        return replace_older(g, source);
    return k < 0 ? -1 : stays;
}

/* For fr_reader_read: 1 leave it, -1 stop. */
static int known(void *ctx, const char *name, const char *sha256)
{
    struct asking *a = ctx;
    const struct fr_source source = {.name = name, .sha256 = sha256};
    int k = read_before(a->g, &source);
    return k ? k : in_database(a->g, &source, &a->q->name_known);
}

/*
 * For the batch: a chunk of a long log goes into the database, after all that is in the queue. Once the database failed
 * it goes nowhere: its source will not be added, and the rest of it shall not fill the memory.
 */
static bool take_chunk(void *ctx, struct fr_series *series, const struct fr_chunk *chunk)
{
    struct asking *a = ctx;
    struct ingest *g = a->g;
    if (!g->broken && !g->early && fr_batch_bytes(&a->q->batch) < EARLY_BYTES)
        return false;
    if (g->broken || (!g->early && flush(g) != 0))
        return true;
    g->early = true;
    g->broken = fr_store_chunk_early(g->store, series, chunk, &g->log) != 0;
    return true;
}

/*
 * What is known after its hash need not be parsed, nor wait for the lock that a long log's chunks need: that is tried
 * for big files where one of that size is in the database. As `known`.
 */
static int known_ahead(struct asking *a, struct fr_input *in)
{
    struct ingest *g = a->g;
    char sha256[65];
    if (g->dry || g->options->force || !fr_input_is_file(in) || fr_input_size(in) < EARLY_BYTES)
        return 0;
    int k = fr_store_has_size(g->store, fr_input_size(in), &g->log);
    if (k != 1 || fr_input_ahead(in, sha256) != 0)
        return k < 0 ? -1 : 0;
    return known(a, fr_input_name(in), sha256);
}

/* Say what would go in, and remember that it was read. */
static void report_dry(struct ingest *g, struct queued *q)
{
    struct fr_ingest_counts c = {.files = 0};
    struct fr_batch nothing;
    const struct fr_source source = {.name = q->batch.source, .sha256 = q->sha256, .size = q->size};
    count(&c, &q->batch);
    fr_batch_init(&nothing, q->batch.source);
    g->broken |= fr_store_add(g->dry, &source, &nothing, false, false, &g->log) < 0;
    fr_batch_release(&nothing);
    fr_log_note(&g->log, q->batch.source, 0, "would be added: %zu %s, %zu %s, %zu values", c.runs,
                c.runs == 1 ? "run" : "runs", c.tests, c.tests == 1 ? "test" : "tests", c.values);
}

/* Was it found in a folder or an archive, and not named itself? */
static bool was_found(const struct ingest *g, const char *path)
{
    bool found = g->depth > 0;
    for (size_t i = 0; i < g->args_n && g->options->recursive && !found; i++) {
        size_t n = strlen(g->args[i]);
        while (n > 1 && g->args[i][n - 1] == '/')
            n--;
        found = n && strncmp(path, g->args[i], n) == 0 && (path[n] == '/' || g->args[i][n - 1] == '/');
    }
    return found;
}

/* No result: pictures, notes and scripts lie beside results, and who named a folder did not ask for them. */
static void report_other(struct ingest *g, const char *name, const char *what, const char *hint)
{
    if (was_found(g, name)) {
        fr_log_note(&g->log, name, 0, "%s, left out", what);
        g->left_out++;
        return;
    }
    fr_log_error(&g->log, name, 0, "%s, skipped%s", what, hint);
    g->counts->failed++;
}

/* What a file is in which a reader found nothing that it knows; NULL: it is not so. *hint: what helps. */
static const char *other(enum fr_read verdict, const char **hint)
{
    *hint = "";
    switch (verdict) {
    case FR_READ_BINARY:
        return "is binary, no text that could be read";
    case FR_READ_EMPTY:
        return "is empty";
    case FR_READ_JSON:
        return "is JSON, but no result of a benchmark that is known";
    case FR_READ_OTHER:
        *hint = " (`fioreport formats` lists what is read)";
        return "has nothing in it that looks like a result";
    default:
        return NULL;
    }
}

/* What a file is whose first bytes say so, though it may look like text to who counts bytes; NULL: no telling. */
static const char *known_binary(const char *head, size_t n)
{
    static const struct {
        const char *magic, *what;
        size_t n;
    } kinds[] = {{"\x89PNG\r\n\x1a\n", "is a picture (PNG), no text", 8},
                 {"\xff\xd8\xff", "is a picture (JPEG), no text", 3},
                 {"GIF8", "is a picture (GIF), no text", 4},
                 {"%PDF-", "is a PDF, no text", 5},
                 {"SQLite format 3\0", "is an SQLite database, no text", 16},
                 {"\x7f"
                  "ELF",
                  "is a program, no text", 4}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (n >= kinds[i].n && memcmp(head, kinds[i].magic, kinds[i].n) == 0)
            return kinds[i].what;
    struct fr_str start = fr_strn(head, n < 200 ? n : 200);
    bool ours = fr_str_starts(start, "<?xml") && fr_str_find(start, "<!-- fioreport ") != (size_t)-1;
    return ours ? "is a chart that fioreport drew" : NULL;
}

/* It goes into the database; with --dry-run, only into the report. */
static void accept(struct ingest *g, struct queued *q)
{
    if (q->name_known && strcmp(q->batch.source, "-") != 0)
        fr_log_note(&g->log, q->batch.source, 0, "has other content than what is in the database under this name, %s",
                    g->options->replace ? "replaces it" : "added beside it (--replace drops the older)");
    if (!g->dry) {
        enqueue(g, q);
        return;
    }
    report_dry(g, q);
    count(g->counts, &q->batch);
    queued_free(q);
}

/* The archive is at its end: parts without a whole beside them go in; where it was left early nobody knows. */
static void settle_parts(struct ingest *g)
{
    bool early = g->counts->stopped || g->broken;
    for (struct queued *q = g->parts.head, *next; q; q = next) {
        const char *whole = fr_paths_whole_of(&g->wholes, q->batch.source);
        int k = whole || early ? 0 : known(&(struct asking){g, q}, q->batch.source, q->sha256);
        next = q->next;
        q->next = NULL;
        if (whole && !early)
            fr_log_note(&g->log, q->batch.source, 0, "has its results in %s as well: left out", whole);
        g->counts->known += k > 0;
        g->broken |= k < 0;
        if (whole || early || k)
            queued_free(q);
        else
            accept(g, q);
    }
    g->parts.head = g->parts.tail = NULL;
    g->parts.n = 0;
    fr_paths_release(&g->wholes);
}

/* What became of a source. It is queued, or freed. */
static void judge(struct ingest *g, struct queued *q, enum fr_read verdict)
{
    const char *hint, *what = other(verdict, &hint);
    if (what)
        report_other(g, q->batch.source, what, hint);
    bool in = verdict == FR_READ_ALL || verdict == FR_READ_PARTLY;
    if ((in || verdict == FR_READ_KNOWN) && fr_paths_is_whole(q->batch.source))
        fr_paths_add(g->depth ? &g->wholes : &g->wholes_read, q->batch.source, false, &g->log);
    g->counts->failed += verdict == FR_READ_PARTLY || verdict == FR_READ_FAILED;
    g->counts->known += verdict == FR_READ_KNOWN;
    g->broken |= verdict == FR_READ_STOPPED;
    if (!in)
        queued_free(q);
    else if (g->depth && fr_paths_is_part(q->batch.source)) /* of plain folders they come after all others */
        fr_list_add(&g->parts, q);
    else
        accept(g, q);
}

static void take_member(void *ctx, struct fr_input *in);

/* Its files instead of itself. */
static void take_archive(struct ingest *g, struct fr_input *in)
{
    if (g->depth == FR_ARCHIVE_DEPTH) {
        fr_log_error(&g->log, fr_input_name(in), 0, "is an archive in %d archives, skipped", g->depth);
        g->counts->failed++;
        return;
    }
    if (g->depth++ == 0)
        memset(&g->budget, 0, sizeof g->budget);
    if (fr_archive_walk(in, &g->budget, take_member, g, &g->log) != 0)
        g->counts->failed++;
    if (--g->depth == 0)
        settle_parts(g);
}

/* An opened input: a file, a stream, a member of an archive. */
static void take(struct ingest *g, struct fr_input *in)
{
    size_t n;
    const char *head = fr_input_head(in, &n, &g->log);
    const char *what = !head                             ? NULL
                       : fr_archive_is_document(head, n) ? "is an office document; saved as CSV it could be read"
                                                         : known_binary(head, n);
    if (what) {
        report_other(g, fr_input_name(in), what, "");
        return;
    }
    if (head && fr_archive_is(head, n)) {
        take_archive(g, in);
        return;
    }
    struct queued *q = head ? calloc(1, sizeof *q) : NULL;
    if (!q) {
        if (head)
            fr_log_error(&g->log, fr_input_name(in), 0, "out of memory, skipped");
        g->counts->failed++;
        return;
    }
    struct asking asking = {g, q};
    fr_batch_init(&q->batch, fr_input_name(in));
    if (!g->dry && fr_input_is_file(in))
        q->batch.taker = (struct fr_chunk_taker){take_chunk, &asking};
    int k = known_ahead(&asking, in);
    enum fr_read verdict = k < 0 ? FR_READ_STOPPED
                           : k   ? FR_READ_KNOWN
                                 : fr_reader_read(g->reader, in, &q->batch, q->sha256, known, &asking, &g->log);
    q->batch.taker.take = NULL;
    fr_notes_source(&g->notes);
    q->size = fr_input_taken(in);
    g->bytes += (unsigned long long)q->size;
    judge(g, q, g->broken ? FR_READ_STOPPED : verdict);
    forget_early(g); /* it did not go in */
}

/* Asks whether to stop; sources that were read are kept. */
static bool stop(struct ingest *g)
{
    const struct fr_ingest_options *o = g->options;
    if (o->progress && o->progress(o->progress_ctx, g->done, g->total, g->bytes) != 0)
        g->counts->stopped = true;
    return g->counts->stopped;
}

/* Whether to go on waiting for the source that is being read. */
static bool give_up(void *ctx)
{
    struct ingest *g = ctx;
    return g->gave_up = stop(g);
}

static void take_member(void *ctx, struct fr_input *in)
{
    struct ingest *g = ctx;
    if (!g->broken && !stop(g))
        take(g, in);
}

static void take_path(struct ingest *g, const char *path)
{
    if (g->store && fr_store_is_file(g->store, path)) {
        fr_log_note(&g->log, path, 0, "is the database itself, left out");
        return;
    }
    struct fr_input *in = fr_input_open(path, &g->log);
    if (!in) {
        g->counts->failed++;
        return;
    }
    fr_input_on_signal(in, give_up, g);
    take(g, in);
    fr_input_close(in);
}

/* Parts of Phoronix folders of which the whole is among the paths: they count where it could not be read. */
static void take_parts(struct ingest *g, const struct fr_paths *parts)
{
    for (size_t i = 0; i < parts->n && !g->broken && !stop(g);) {
        const char *whole = fr_paths_whole_of(&g->wholes_read, parts->path[i]);
        size_t n = 1;
        while (whole && i + n < parts->n && fr_paths_same_folder(parts->path[i + n], whole))
            n++;
        if (whole)
            fr_log_note(&g->log, whole, 0,
                        "has %zu file%s test-N.xml beside it, whose results it holds as well: left out", n,
                        n == 1 ? "" : "s");
        else
            take_path(g, parts->path[i]);
        i += n;
        g->done += n;
    }
}

static void take_all(struct ingest *g, const struct fr_paths *paths, const struct fr_paths *parts)
{
    bool seen_stdin = false;
    g->total = paths->n + parts->n;
    for (size_t i = 0; i < paths->n && !g->broken; i++) {
        bool is_stdin = strcmp(paths->path[i], "-") == 0;
        if (!is_stdin || !seen_stdin)
            take_path(g, paths->path[i]);
        seen_stdin |= is_stdin;
        g->done += !g->gave_up;
        if (stop(g))
            break;
    }
    take_parts(g, parts);
    flush(g);
}

/* --join: one run, which must be there. */
static int set_join(struct ingest *g)
{
    long long *ids;
    size_t n;
    if (!g->options->join || !g->store)
        return 0;
    if (fr_store_find(g->store, g->options->join, &ids, &n, &g->log) != 0)
        return -1;
    long long id = ids[0];
    free(ids);
    if (n != 1)
        return fr_log_error(&g->log, NULL, 0, "'%s' names %zu runs, logs can be joined to one", g->options->join, n);
    if (!g->dry)
        fr_store_join_to(g->store, id);
    return 0;
}

/* Logs whose run came later, or earlier: both are in now. */
static void join_logs(struct ingest *g)
{
    size_t joined = 0;
    if (!g->dry && !g->broken && fr_store_join_logs(g->store, &joined, &g->log) != 0)
        g->broken = true;
    if (joined)
        fr_log_note(&g->log, NULL, 0, "%zu %s joined to the %s that wrote %s", joined, joined == 1 ? "log" : "logs",
                    joined == 1 ? "run" : "runs", joined == 1 ? "it" : "them");
}

int fr_ingest(struct fr_store *store, const char *const *paths, size_t n, const struct fr_ingest_options *options,
              struct fr_ingest_counts *counts, struct fr_log *log)
{
    struct ingest g = {.store = store, .options = options, .counts = counts, .args = paths, .args_n = n};
    g.log = (struct fr_log){.say = pass, .ctx = &g, .unexplained = !options->explain};
    memset(counts, 0, sizeof *counts);
    if (!store && !options->dry_run)
        return fr_log_error(log, NULL, 0, "there is no database to write to");
    fr_notes_init(&g.notes, log);
    g.notes.all_places = options->explain;
    g.notes.all_files = options->explain || options->dry_run;
    g.dry = options->dry_run ? fr_store_open(NULL, FR_STORE_MEMORY, &g.log) : NULL;
    g.reader = fr_reader_new(options, &g.log);
    if ((options->dry_run && !g.dry) || !g.reader || set_join(&g) != 0) {
        fr_store_close(g.dry);
        fr_reader_free(g.reader);
        fr_notes_end(&g.notes);
        return -1;
    }
    struct fr_paths all = FR_PATHS_INIT, parts = FR_PATHS_INIT;
    for (size_t i = 0; i < n; i++)
        if (fr_paths_add(&all, paths[i], options->recursive, &g.log) != 0)
            counts->failed++;
    fr_paths_part(&all, &parts, &g.log);
    take_all(&g, &all, &parts);
    join_logs(&g);
    if (store)
        fr_store_join_to(store, 0);
    fr_paths_release(&all);
    fr_paths_release(&parts);
    fr_paths_release(&g.wholes_read);
    fr_reader_free(g.reader);
    fr_store_close(g.dry);
    fr_notes_end(&g.notes);
    if (g.left_out && !counts->files && !counts->known && !counts->failed && !counts->stopped) {
        fr_log_error(log, NULL, 0, "nothing was found that could be read");
        counts->failed++;
    }
    return g.broken ? 4 : counts->failed ? 3 : 0;
}
