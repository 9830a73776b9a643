/* query_text.c: title, subtitle and source of a table, from the data. See query.h. */
#include "query.h"
#include "strbuf.h"

#include "banned.h"

enum { VERSIONS_SHOWN = 4 };

/* The value that all tests in use have; NULL where one differs or lacks it. */
static const char *common(const struct fr_q *q, const char *key)
{
    const char *value = NULL;
    for (size_t i = 0; i < q->tests_n; i++) {
        if (!q->tests[i].used)
            continue;
        const char *mine = fr_q_param(&q->tests[i], key);
        if (!mine || (value && strcmp(mine, value) != 0))
            return NULL;
        value = mine;
    }
    return value;
}

static void add_part(struct fr_strbuf *out, const char *text)
{
    fr_strbuf_addf(out, "%s%s", out->len ? ", " : "", text);
}

static void add_common(const struct fr_q *q, struct fr_strbuf *out, const char *key, const char *before)
{
    const char *value = common(q, key);
    if (value)
        fr_strbuf_addf(out, "%s%s%s", out->len ? ", " : "", before, value);
}

/* "60" or "60s" as "60 s". */
static void add_runtime(const struct fr_q *q, struct fr_strbuf *out)
{
    const char *value = common(q, "runtime");
    double seconds;
    if (!value)
        return;
    struct fr_str s = fr_str(value);
    if (fr_take_double(&s, &seconds) && (!s.n || fr_str_is(s, "s")))
        fr_strbuf_addf(out, "%s%.15g s", out->len ? ", " : "", seconds);
    else
        add_part(out, value);
}

/* "randrw 4k, iodepth 1, libaio, direct" */
static void put_subtitle(const struct fr_q *q, struct fr_strbuf *out)
{
    const char *rw = common(q, "rw"), *bs = common(q, "bs"), *jobs = common(q, "numjobs"),
               *direct = common(q, "direct");
    if (rw && strchr(rw, ','))
        rw = NULL; /* a test that reads and writes says so in its columns */
    if (rw || bs)
        fr_strbuf_addf(out, "%s%s%s", rw ? rw : "", rw && bs ? " " : "", bs ? bs : "");
    add_common(q, out, "iodepth", "iodepth ");
    if (jobs && strcmp(jobs, "1") != 0)
        fr_strbuf_addf(out, "%s%s jobs", out->len ? ", " : "", jobs);
    add_common(q, out, "ioengine", "");
    if (direct && strcmp(direct, "1") == 0)
        add_part(out, "direct");
    add_common(q, out, "fsync", "fsync ");
    add_common(q, out, "size", "size ");
    add_runtime(q, out);
}

static const char *tool_title(const struct fr_q_run *run)
{
    if (strcmp(run->tool, "crystaldiskmark") == 0)
        return run->title && strncmp(run->title, "KDiskMark", 9) == 0 ? "KDiskMark" : "CrystalDiskMark";
    if (strcmp(run->tool, "phoronix") == 0)
        return "Phoronix Test Suite";
    if (strcmp(run->tool, "table") == 0)
        return "a published table";
    return run->tool;
}

const char *fr_q_program(struct fr_q *q, const struct fr_q_run *run)
{
    return fr_arena_printf(&q->arena, "%s%s%s", tool_title(run), run->version ? " " : "",
                           run->version ? run->version : "");
}

/* Has the run a test that is used? *at: where the walk over tests stands; goes behind the run's. */
static bool in_use(const struct fr_q *q, const struct fr_q_run *run, size_t *at)
{
    while (*at < q->tests_n && q->tests[*at].run < run)
        ++*at;
    bool any = false;
    for (; *at < q->tests_n && q->tests[*at].run == run; ++*at)
        any = any || q->tests[*at].used;
    return any;
}

/* "fio 3.19, dd; 2022-08-13 to 2022-08-14" */
static void put_source(struct fr_q *q, struct fr_strbuf *out)
{
    const char *seen[VERSIONS_SHOWN + 1], *first = NULL, *last = NULL;
    size_t n = 0, at = 0;
    for (size_t i = 0; i < q->runs_n; i++) {
        const struct fr_q_run *run = &q->runs[i];
        if (!in_use(q, run, &at))
            continue;
        const char *name = fr_q_program(q, run);
        size_t j = 0;
        while (j < n && strcmp(seen[j], name) != 0)
            j++;
        if (j == n && n <= VERSIONS_SHOWN)
            seen[n++] = name;
        if (run->started && strlen(run->started) >= 10) {
            first = !first || strncmp(run->started, first, 10) < 0 ? run->started : first;
            last = !last || strncmp(run->started, last, 10) > 0 ? run->started : last;
        }
    }
    for (size_t i = 0; i < n; i++)
        add_part(out, i < VERSIONS_SHOWN ? seen[i] : "and others");
    if (first)
        fr_strbuf_addf(out, "; %.10s", first);
    if (first && strncmp(first, last, 10) != 0)
        fr_strbuf_addf(out, " to %.10s", last);
}

/* All labels of the database in the order of ingest; none where they are many. */
static void list_labels(const struct fr_q *q, struct fr_table *table)
{
    const char *labels[FR_TABLE_LABELS];
    size_t n = 0;
    for (size_t i = 0; i < q->runs_n; i++) {
        size_t k = 0;
        while (k < n && labels[k] != q->runs[i].label)
            k++;
        if (k == FR_TABLE_LABELS)
            return;
        if (k == n)
            labels[n++] = q->runs[i].label;
    }
    table->labels = fr_arena_alloc(&table->arena, n * sizeof *table->labels);
    for (table->labels_n = 0; table->labels_n < n; table->labels_n++)
        table->labels[table->labels_n] = fr_arena_strdup(&table->arena, labels[table->labels_n]);
}

void fr_q_titles(struct fr_q *q, struct fr_table *table, const char *title)
{
    struct fr_strbuf text = FR_STRBUF_INIT;
    table->title = fr_arena_strdup(&table->arena, q->query->title ? q->query->title : title);
    put_subtitle(q, &text);
    table->subtitle = text.len ? fr_arena_strdup(&table->arena, fr_strbuf_str(&text)) : NULL;
    fr_strbuf_reset(&text);
    put_source(q, &text);
    table->source = text.len ? fr_arena_strdup(&table->arena, fr_strbuf_str(&text)) : NULL;
    table->command = fr_arena_strdup(&table->arena, q->query->command);
    list_labels(q, table);
    fr_strbuf_release(&text);
}
