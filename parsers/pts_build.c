/* pts_build.c: see pts.h. From a Phoronix result as read to runs: identifiers, units, repeats, samples. */
#include <math.h>

#include "pts.h"
#include "series.h"

#include "banned.h"

enum { SAMPLES_MAX = 100000 };

void fr_pts_file_init(struct fr_pts_file *file, const char *source, uint32_t line)
{
    memset(file, 0, sizeof *file);
    file->arena = (struct fr_arena)FR_ARENA_INIT;
    file->source = source;
    file->parser = "phoronix";
    file->line = file->line_end = line;
}

void fr_pts_file_release(struct fr_pts_file *file)
{
    fr_arena_release(&file->arena);
}

struct fr_pts_system *fr_pts_system_new(struct fr_pts_file *file, uint32_t line)
{
    struct fr_pts_system *system = fr_arena_new(&file->arena, struct fr_pts_system);
    system->line = line;
    fr_list_add(&file->systems, system);
    return system;
}

struct fr_pts_result *fr_pts_result_new(struct fr_pts_file *file, uint32_t line)
{
    struct fr_pts_result *result = fr_arena_new(&file->arena, struct fr_pts_result);
    result->line = line;
    fr_list_add(&file->results, result);
    result->no = (int)file->results.n;
    return result;
}

struct fr_pts_entry *fr_pts_entry_new(struct fr_pts_file *file, struct fr_pts_result *result, uint32_t line)
{
    struct fr_pts_entry *entry = fr_arena_new(&file->arena, struct fr_pts_entry);
    entry->line = line;
    fr_list_add(&result->entries, entry);
    return entry;
}

/* ---- small tables ------------------------------------------------------------------------------------------------ */

/* A run under its label; several have the same where a file repeats an identifier. */
struct named_run {
    struct named_run *next; /* of the same label */
    struct fr_run *run;
};

/* What is known under one key: the runs of a label, or the profile of a sibling group. */
struct slot {
    struct slot *next;
    const char *key;
    struct named_run *first, *last, *cursor;
    int seen; /* number of the Result that moved the cursor last */
    const char *id;
};

struct map {
    struct fr_arena *arena;
    struct slot **buckets;
    size_t mask;
};

struct totals {
    unsigned n;
    uint32_t line; /* of the first */
};

struct build {
    struct fr_pts_file *file;
    struct fr_batch *batch;
    struct fr_log *log;
    struct map runs;
    unsigned runs_n;
    struct fr_strbuf name; /* scratch */
    int status;
    struct totals failed, repeated, images, not_mean, converted, unknown_fio, no_number, odd_samples, disagree;
    const char *converted_id, *unknown_id;
};

static void map_init(struct map *map, struct fr_arena *arena, size_t n)
{
    size_t size = 64;
    while (size < n && size < (size_t)1 << 20)
        size *= 2;
    map->arena = arena;
    map->buckets = fr_arena_alloc(arena, size * sizeof *map->buckets);
    map->mask = size - 1;
}

/* The slot of that key; made when missing. */
static struct slot *map_slot(struct map *map, const char *key)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (const char *p = key; *p; p++)
        h = (h ^ (unsigned char)*p) * 1099511628211u;
    struct slot **at = &map->buckets[(h ^ h >> 32) & map->mask];
    for (struct slot *s = *at; s; s = s->next)
        if (strcmp(s->key, key) == 0)
            return s;
    struct slot *s = fr_arena_new(map->arena, struct slot);
    s->key = fr_arena_strdup(map->arena, key);
    s->next = *at;
    return *at = s;
}

static void count(struct totals *totals, uint32_t line)
{
    if (totals->n++ == 0)
        totals->line = line;
}

static struct fr_str view(const char *s)
{
    return fr_str_trim(fr_str(s ? s : ""));
}

/* ---- identifiers ------------------------------------------------------------------------------------------------- */

static const char *group_key(struct fr_strbuf *sb, const struct fr_pts_result *r, bool with_version)
{
    fr_strbuf_reset(sb);
    fr_strbuf_addf(sb, "%s\n%s\n%s\n%s", r->title ? r->title : "", r->arguments ? r->arguments : "",
                   r->description ? r->description : "", with_version && r->version ? r->version : "");
    return fr_strbuf_str(sb);
}

/*
 * Secondary results of a test carry no identifier before 8.6: take that of the sibling with the same title, arguments,
 * description and version; of several the nearest before, else the first after.
 */
static void adopt_identifiers(struct build *b)
{
    struct map map;
    map_init(&map, &b->file->arena, b->file->results.n);
    for (int pass = 0; pass < 2; pass++)
        fr_list_each (struct fr_pts_result, r, b->file->results) {
            struct slot *s = map_slot(&map, group_key(&b->name, r, true));
            if (view(r->id).n) {
                if (pass == 0 || !s->id)
                    s->id = r->id;
            } else if (s->id) {
                r->id = s->id;
            } else {
                r->id = NULL;
            }
        }
}

/* `pts/fio-1.15.0` -> name `fio`, version `1.15.0`. */
static bool profile_split(const char *id, struct fr_str *name, struct fr_str *version)
{
    struct fr_str s = view(id);
    size_t slash = fr_str_rfind(s, "/");
    if (slash != (size_t)-1)
        s = fr_str_from(s, slash + 1);
    size_t dash = fr_str_rfind(s, "-");
    if (dash == (size_t)-1 || dash + 1 >= s.n || !fr_is_digit(s.s[dash + 1])) {
        *name = s;
        *version = fr_strn("", 0);
        return s.n > 0;
    }
    *name = fr_str_range(s, 0, dash);
    *version = fr_str_from(s, dash + 1);
    return true;
}

enum fio_unit { FIO_NONE, FIO_MIB, FIO_UNKNOWN };

/* Is this fio, and does its MB/s mean MiB/s? Profiles 1.11 to 1.15 and 2.2 cut "MiB/s" off and write MB/s. */
static enum fio_unit fio_unit(const struct fr_pts_result *r)
{
    struct fr_str name, version;
    if (!fr_str_is(view(r->scale), "MB/s"))
        return FIO_NONE;
    if (!r->id)
        return fr_str_is(view(r->title), "Flexible IO Tester") ? FIO_UNKNOWN : FIO_NONE;
    if (!profile_split(r->id, &name, &version) || !fr_str_is(name, "fio"))
        return FIO_NONE;
    uint64_t major, minor;
    if (!fr_take_u64(&version, &major, NULL) || !fr_take_ch(&version, '.') || !fr_take_u64(&version, &minor, NULL))
        return FIO_UNKNOWN;
    return (major == 1 && minor >= 11 && minor <= 15) || (major == 2 && minor == 2) ? FIO_MIB : FIO_UNKNOWN;
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

enum fr_metric_id fr_pts_metric(struct fr_str scale, double *factor)
{
    static const struct {
        const char *scale;
        enum fr_metric_id metric;
        double factor;
        bool nocase;
    } known[] = {{"MB/s", FR_M_BW, 1e6, false},
                 {"KB/s", FR_M_BW, 1e3, false},
                 {"GB/s", FR_M_BW, 1e9, false},
                 {"MiB/s", FR_M_BW, 1048576, false},
                 {"KiB/s", FR_M_BW, 1024, false},
                 {"GiB/s", FR_M_BW, 1073741824, false},
                 {"B/s", FR_M_BW, 1, false},
                 {"byte/s", FR_M_BW, 1, true},
                 {"IOPS", FR_M_IOPS, 1, true},
                 {"s", FR_M_TIME, 1, false},
                 {"sec", FR_M_TIME, 1, true},
                 {"second", FR_M_TIME, 1, true},
                 {"seconds", FR_M_TIME, 1, true},
                 {"ms", FR_M_TIME, 1e-3, false},
                 {"msec", FR_M_TIME, 1e-3, true},
                 {"milliseconds", FR_M_TIME, 1e-3, true},
                 {"us", FR_M_TIME, 1e-6, false},
                 {"usec", FR_M_TIME, 1e-6, true},
                 {"microseconds", FR_M_TIME, 1e-6, true},
                 {"ns", FR_M_TIME, 1e-9, false},
                 {"nsec", FR_M_TIME, 1e-9, true},
                 {"nanoseconds", FR_M_TIME, 1e-9, true},
                 {"Bytes", FR_M_SIZE, 1, true}};
    scale = fr_str_trim(scale);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].nocase ? fr_str_is_nocase(scale, known[i].scale) : fr_str_is(scale, known[i].scale)) {
            *factor = known[i].factor;
            return known[i].metric;
        }
    *factor = 1;
    return FR_M_SCORE;
}

static enum fr_better direction(const struct fr_pts_result *r)
{
    struct fr_str p = view(r->proportion);
    return fr_str_is(p, "HIB") ? FR_HIGHER : fr_str_is(p, "LIB") ? FR_LOWER : FR_NEITHER;
}

/* How the numbers of one Result become values. */
struct measure {
    enum fr_metric_id metric;
    double factor;
    enum fr_better better;
    const char *unit; /* NULL: the metric's */
};

static struct measure measure(struct build *b, const struct fr_pts_result *r)
{
    struct measure m = {.better = direction(r)};
    m.metric = fr_pts_metric(view(r->scale), &m.factor);
    if (m.metric == FR_M_SCORE && view(r->scale).n) {
        struct fr_str scale = view(r->scale);
        m.unit = fr_arena_copy(&b->batch->arena, scale.s, scale.n);
    }
    switch (fio_unit(r)) {
    case FIO_MIB:
        m.factor = 1048576;
        if (b->converted.n == 0)
            b->converted_id = r->id;
        count(&b->converted, r->line);
        break;
    case FIO_UNKNOWN:
        if (b->unknown_fio.n == 0)
            b->unknown_id = r->id;
        count(&b->unknown_fio, r->line);
        break;
    case FIO_NONE:
        break;
    }
    return m;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* "2018-03-17 09:29:11" -> "2018-03-17T09:29:11"; anything else is kept as a note by the caller. */
static bool iso_time(struct fr_str s, char out[20])
{
    static const char shape[] = "dddd-dd-dd dd:dd:dd";
    if (s.n != sizeof shape - 1)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (shape[i] == 'd' ? !fr_is_digit(s.s[i]) : s.s[i] != shape[i])
            return false;
    memcpy(out, s.s, s.n);
    out[s.n] = 0;
    out[10] = 'T';
    return true;
}

/* "Phoronix Test Suite v8.0.1 (Aremark)" and "8.0.1" -> "8.0.1". */
static struct fr_str client_version(const char *client)
{
    struct fr_str s = view(client);
    size_t v = fr_str_find(s, " v");
    if (v != (size_t)-1)
        s = fr_str_from(s, v + 2);
    s = fr_take_word(&s);
    return s.n && fr_is_digit(*s.s) ? s : fr_strn("", 0);
}

static struct fr_run *run_new(struct build *b, const char *id, uint32_t line, size_t column)
{
    struct fr_arena *arena = &b->batch->arena;
    struct fr_run *run = fr_run_new(b->batch, b->file->parser, "phoronix", line);
    struct fr_str label = view(id);
    run->own_label = label.n ? fr_arena_copy(arena, label.s, label.n) : NULL;
    run->column = column;
    run->digest = b->file->digest ? b->file->digest + b->runs_n++ : 0;
    struct fr_str title = view(b->file->title), version = client_version(b->file->client);
    if (title.n)
        run->title = fr_arena_copy(arena, title.s, title.n);
    if (version.n)
        run->tool_version = fr_arena_copy(arena, version.s, version.n);
    if (view(b->file->description).n)
        fr_note_add(b->batch, run, "description", view(b->file->description), line);
    if (view(b->file->modified).n)
        fr_note_add(b->batch, run, "last_modified", view(b->file->modified), line);
    struct named_run *named = fr_arena_new(&b->file->arena, struct named_run);
    struct slot *slot = map_slot(&b->runs, id ? id : "");
    named->run = run;
    if (slot->last)
        slot->last->next = named;
    else
        slot->first = named;
    slot->last = named;
    return run;
}

static void system_run(struct build *b, const struct fr_pts_system *system)
{
    char time[20];
    struct fr_run *run = run_new(b, system->id, system->line, system->column);
    struct fr_str version = client_version(system->client);
    if (version.n)
        run->tool_version = fr_arena_copy(&b->batch->arena, version.s, version.n);
    if (iso_time(view(system->time), time))
        run->started_at = fr_arena_strdup(&b->batch->arena, time);
    else if (view(system->time).n)
        fr_note_add(b->batch, run, "test_date", view(system->time), system->line);
    fr_pts_notes(b->batch, run, system);
}

/* The run of this entry: the k-th of its label for the k-th entry of that label in the Result. */
static struct fr_run *entry_run(struct build *b, const struct fr_pts_result *r, const struct fr_pts_entry *e)
{
    struct slot *slot = map_slot(&b->runs, e->id ? e->id : "");
    bool again = slot->seen == r->no;
    slot->cursor = again ? slot->cursor->next : slot->first;
    slot->seen = r->no;
    if (!slot->cursor) {
        run_new(b, e->id, e->line, e->column);
        slot->cursor = slot->last;
        if (again)
            count(&b->repeated, e->line);
    }
    return slot->cursor->run;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void add_value(struct build *b, struct fr_test *test, const struct measure *m, const char *stat, double value,
                      uint32_t line)
{
    struct fr_value *v = fr_value_add(b->batch, test, FR_OP_NONE, m->metric, stat, value, line);
    if (!v)
        return;
    v->better = (int8_t)m->better;
    v->own_unit = m->unit && strcmp(stat, "n") != 0;
    test->unit = m->unit;
}

struct samples {
    unsigned n;
    double mean, m2, min, max;
};

/* "9.1:10:8.7"; false when a piece is no number. Empty pieces are runs that failed. */
static bool samples_read(struct fr_str raw, struct samples *out)
{
    memset(out, 0, sizeof *out);
    while (raw.n && out->n < SAMPLES_MAX) {
        struct fr_str piece = fr_str_trim(fr_take_until(&raw, ':'));
        double x;
        if (!piece.n)
            continue;
        if (!fr_str_double(piece, &x))
            return false;
        out->n++;
        double delta = x - out->mean;
        out->mean += delta / out->n;
        out->m2 += delta * (x - out->mean);
        out->min = out->n == 1 || x < out->min ? x : out->min;
        out->max = out->n == 1 || x > out->max ? x : out->max;
    }
    return true;
}

/* Half a unit of the last printed digit, a little wider; integers are also what the suite rounds to. */
static double rounding(struct fr_str printed)
{
    size_t point = fr_str_chr(printed, '.');
    if (fr_str_chr(printed, 'e') != (size_t)-1 || fr_str_chr(printed, 'E') != (size_t)-1)
        return INFINITY;
    int decimals = point == (size_t)-1 ? 0 : (int)(printed.n - point - 1);
    return 0.51 * pow(10, -(decimals > 20 ? 20 : decimals));
}

static void add_samples(struct build *b, const struct fr_pts_entry *e, struct fr_test *test, const struct measure *m,
                        double value)
{
    struct samples s;
    if (!samples_read(view(e->raw), &s)) {
        count(&b->odd_samples, e->line);
        return;
    }
    if (s.n < 2)
        return;
    add_value(b, test, m, "n", s.n, e->line);
    add_value(b, test, m, "stdev", sqrt(s.m2 / (s.n - 1)) * m->factor, e->line);
    add_value(b, test, m, "min", fr_to_base(s.min, m->factor), e->line);
    add_value(b, test, m, "max", fr_to_base(s.max, m->factor), e->line);
    double tolerance = rounding(view(e->value)) + 1e-9 * fabs(value);
    if (!b->file->rounded && fabs(value - s.mean) > tolerance)
        count(&b->not_mean, e->line);
}

static int unreadable(struct build *b, const struct fr_pts_result *r, const struct fr_pts_entry *e)
{
    struct fr_str v = view(e->value);
    b->status = -1;
    return fr_log_error(b->log, b->file->source, e->line, "'%.*s' of %s is no number, left out",
                        (int)(v.n < 60 ? v.n : 60), v.s, r->title ? r->title : "a Result");
}

static bool is_no_number(struct fr_str v)
{
    fr_take_ch(&v, '-');
    return fr_str_is_nocase(v, "nan") || fr_str_is_nocase(v, "inf") || fr_str_is_nocase(v, "infinity");
}

static void add_bar(struct build *b, const struct fr_pts_result *r, const struct fr_pts_entry *e, struct fr_test *test,
                    const struct measure *m)
{
    double value;
    if (fr_str_double(view(e->value), &value)) {
        add_value(b, test, m, "mean", fr_to_base(value, m->factor), e->line);
        add_samples(b, e, test, m, value);
    } else if (is_no_number(view(e->value))) {
        count(&b->no_number, e->line);
    } else {
        unreadable(b, r, e);
    }
}

/* PASS or FAIL, or a list of them: all must have passed. */
static void add_pass(struct build *b, const struct fr_pts_result *r, const struct fr_pts_entry *e, struct fr_test *test)
{
    struct measure m = {.metric = FR_M_PASS, .factor = 1, .better = FR_BETTER_DEFAULT};
    struct fr_str list = view(e->value);
    unsigned pass = 0, fail = 0;
    while (list.n) {
        struct fr_str word = fr_str_trim(fr_take_until(&list, ','));
        if (fr_str_is_nocase(word, "PASS") || fr_str_is(word, "1"))
            pass++;
        else if (fr_str_is_nocase(word, "FAIL") || fr_str_is(word, "0"))
            fail++;
        else if (word.n) {
            unreadable(b, r, e);
            return;
        }
    }
    if (pass + fail == 0)
        return;
    add_value(b, test, &m, "mean", pass + fail == 1 ? pass : (double)pass / (pass + fail), e->line);
    if (pass + fail > 1)
        add_value(b, test, &m, "n", pass + fail, e->line);
}

/* Decimals of the longest piece of a comma list. */
static int decimals_of(struct fr_str list)
{
    int most = 0;
    while (list.n) {
        struct fr_str word = fr_str_trim(fr_take_until(&list, ','));
        size_t point = fr_str_chr(word, '.');
        if (point != (size_t)-1 && (int)(word.n - point - 1) > most)
            most = (int)(word.n - point - 1);
    }
    return most > 6 ? 6 : most;
}

/* A list over time; the file does not say which times, so t counts the samples, one a second. Gaps stay gaps. */
static void add_line_graph(struct build *b, const struct fr_pts_result *r, const struct fr_pts_entry *e,
                           struct fr_test *test, const struct measure *m)
{
    struct fr_str list = view(e->value);
    double step = m->factor >= 1000 ? 1 : m->factor / pow(10, decimals_of(list));
    struct fr_series_builder *s = fr_series_begin(b->batch, FR_OP_NONE, m->metric, "log", step, 0, e->line);
    for (int64_t i = 0; list.n; i++) {
        struct fr_str word = fr_str_trim(fr_take_until(&list, ','));
        double x;
        if (!word.n || is_no_number(word))
            continue;
        if (!fr_str_double(word, &x) || fabs(x * m->factor / step) > 9e15) {
            unreadable(b, r, e);
            break;
        }
        fr_series_add(s, i * 1000, llround(x * m->factor / step), NULL);
    }
    fr_series_end(s, test);
}

struct error_at {
    struct fr_batch *batch;
    struct fr_test *test;
};

static int json_error(void *ctx, const char *path, struct fr_str value, size_t at)
{
    const struct error_at *to = ctx;
    (void)at;
    if (strcmp(path, "error") == 0 && value.n)
        to->test->error = fr_arena_copy(&to->batch->arena, value.s, value.n);
    return 0;
}

/* No value: the run failed. Newer files say why. */
static void add_failed(struct build *b, const struct fr_pts_entry *e, struct fr_test *test)
{
    struct error_at to = {b->batch, test};
    fr_pts_json_each(view(e->json), json_error, &to, NULL);
    count(&b->failed, e->line);
}

enum shape { SHAPE_BAR, SHAPE_LINE, SHAPE_PASS, SHAPE_IMAGE, SHAPE_NONE };

static enum shape shape_of(const struct fr_pts_result *r)
{
    struct fr_str f = view(r->format);
    if (fr_str_is(f, "LINE_GRAPH") || fr_str_is(f, "FILLED_LINE_GRAPH") || fr_str_is(f, "SCATTER_PLOT") ||
        fr_str_is(f, "HORIZONTAL_BOX_PLOT"))
        return SHAPE_LINE;
    if (fr_str_is(f, "PASS_FAIL") || fr_str_is(f, "MULTI_PASS_FAIL"))
        return SHAPE_PASS;
    if (fr_str_is(f, "IMAGE_COMPARISON"))
        return SHAPE_IMAGE;
    return fr_str_is(f, "NO_RESULT") ? SHAPE_NONE : SHAPE_BAR;
}

static void add_entry(struct build *b, const struct fr_pts_result *r, const struct fr_pts_entry *e,
                      const struct measure *m)
{
    enum shape shape = shape_of(r);
    struct fr_run *run = entry_run(b, r, e);
    struct fr_test *test = fr_test_new(b->batch, run, fr_str(fr_strbuf_str(&b->name)), e->line);
    test->no = r->no;
    if (run->line_end < e->line)
        run->line_end = e->line;
    fr_pts_params(b->batch, run, test, r);
    if (shape == SHAPE_IMAGE)
        count(&b->images, e->line);
    else if (shape == SHAPE_NONE)
        return;
    else if (!view(e->value).n)
        add_failed(b, e, test);
    else if (shape == SHAPE_PASS)
        add_pass(b, r, e, test);
    else if (shape == SHAPE_LINE)
        add_line_graph(b, r, e, test, m);
    else
        add_bar(b, r, e, test, m);
}

static void add_result(struct build *b, const struct fr_pts_result *r)
{
    struct fr_str title = view(r->title), description = view(r->description);
    struct measure m = measure(b, r);
    if (!title.n && r->id) { /* never seen; the profile is better than nothing */
        struct fr_str version;
        profile_split(r->id, &title, &version);
    }
    fr_list_each (struct fr_pts_entry, e, r->entries) {
        fr_strbuf_reset(&b->name);
        fr_strbuf_add(&b->name, title.s, title.n);
        if (description.n) {
            fr_strbuf_addstr(&b->name, title.n ? " - " : "");
            fr_strbuf_add(&b->name, description.s, description.n);
        }
        add_entry(b, r, e, &m);
    }
    fr_batch_checkpoint(b->batch);
}

/* ---- what has to be said ----------------------------------------------------------------------------------------- */

/* fio's bandwidth is IOPS times block size; some profiles have written KiB/s under MiB/s. Said, not corrected. */
static void check_fio(struct build *b)
{
    fr_list_each (struct fr_run, run, b->batch->runs)
        for (struct fr_test *t = run->tests.head; t && t->next; t = t->next) {
            const struct fr_value *bw = fr_value_get(t, FR_OP_NONE, FR_M_BW, "mean"),
                                  *iops = fr_value_get(t->next, FR_OP_NONE, FR_M_IOPS, "mean");
            const char *bs = fr_param_get(NULL, t, "bs");
            double block;
            if (!bw || !iops || !bs || run->parser != b->file->parser || strcmp(t->name, t->next->name) != 0 ||
                !fr_str_starts(fr_str(t->name), "Flexible IO Tester") || !fr_size_parse(fr_str(bs), &block))
                continue;
            double ratio = bw->value / (iops->value * block);
            if (iops->value > 0 && (ratio < 0.8 || ratio > 1.25))
                count(&b->disagree, bw->line);
        }
}

/* The same test with the same unit twice: kept apart, and said. */
static void report_twice(struct build *b)
{
    struct map map;
    struct totals twice = {0, 0};
    map_init(&map, &b->file->arena, b->file->results.n);
    fr_list_each (struct fr_pts_result, r, b->file->results) {
        group_key(&b->name, r, true);
        fr_strbuf_addf(&b->name, "\n%s\n%s", r->id ? r->id : "", r->scale ? r->scale : "");
        struct slot *s = map_slot(&map, fr_strbuf_str(&b->name));
        if (s->seen)
            count(&twice, r->line);
        s->seen = 1;
    }
    if (twice.n)
        fr_log_warn(b->log, b->file->source, twice.line,
                    "%u Result%s the same test and unit as an earlier one, kept apart by test number", twice.n,
                    twice.n == 1 ? " has" : "s have");
}

static void report(struct build *b)
{
    const char *source = b->file->source;
    report_twice(b);
    check_fio(b);
    if (b->disagree.n)
        fr_log_warn(b->log, source, b->disagree.line,
                    "%u bandwidth%s of fio that %s not IOPS times block size, taken as printed", b->disagree.n,
                    b->disagree.n == 1 ? "" : "s", b->disagree.n == 1 ? "is" : "are");
    if (b->repeated.n)
        fr_log_warn(b->log, source, b->repeated.line,
                    "%u entr%s of an identifier that stands twice in one Result, kept as a run of %s own",
                    b->repeated.n, b->repeated.n == 1 ? "y" : "ies", b->repeated.n == 1 ? "its" : "their");
    if (b->converted.n)
        fr_log_note(b->log, source, b->converted.line, "the MB/s of %s is MiB/s, converted (%u Result%s)",
                    b->converted_id, b->converted.n, b->converted.n == 1 ? "" : "s");
    if (b->unknown_fio.n)
        fr_log_warn(b->log, source, b->unknown_fio.line,
                    "%s is no fio profile whose MB/s is known, taken as 1000000 B/s (%u Result%s)",
                    b->unknown_id ? b->unknown_id : "a profile without a name", b->unknown_fio.n,
                    b->unknown_fio.n == 1 ? "" : "s");
    if (b->not_mean.n)
        fr_log_warn(b->log, source, b->not_mean.line,
                    "%u value%s not the mean of the samples beside it, taken as printed", b->not_mean.n,
                    b->not_mean.n == 1 ? " is" : "s are");
    if (b->odd_samples.n)
        fr_log_warn(b->log, source, b->odd_samples.line,
                    "%u list%s of samples with something that is no number, left out", b->odd_samples.n,
                    b->odd_samples.n == 1 ? "" : "s");
    if (b->no_number.n)
        fr_log_warn(b->log, source, b->no_number.line, "%u value%s nan or inf, left out", b->no_number.n,
                    b->no_number.n == 1 ? " is" : "s are");
    if (b->images.n)
        fr_log_note(b->log, source, b->images.line, "%u image%s to compare by eye, left out", b->images.n,
                    b->images.n == 1 ? "" : "s");
    if (b->failed.n)
        fr_log_note(b->log, source, b->failed.line, "%u entr%s no value (the test failed), left out", b->failed.n,
                    b->failed.n == 1 ? "y has" : "ies have");
}

int fr_pts_build(struct fr_pts_file *file, struct fr_batch *batch, struct fr_log *log)
{
    struct build b = {.file = file, .batch = batch, .log = log, .name = FR_STRBUF_INIT};
    map_init(&b.runs, &file->arena, file->systems.n);
    adopt_identifiers(&b);
    fr_list_each (struct fr_pts_system, system, file->systems)
        system_run(&b, system);
    fr_list_each (struct fr_pts_result, r, file->results)
        add_result(&b, r);
    report(&b);
    fr_strbuf_release(&b.name);
    return b.status;
}
