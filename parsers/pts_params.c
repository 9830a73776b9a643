/* pts_params.c: see pts.h. What a result says beside its numbers: the workload as params, the machine as notes. */
#include "pts.h"

#include "banned.h"

enum { KEY_MAX = 64, ITEMS_MAX = 200 };

static struct fr_str view(const char *s)
{
    return fr_str_trim(fr_str(s ? s : ""));
}

/* "Disk Mount-Options" -> "disk_mount_options"; false when it is no plain name. */
static bool key_of(struct fr_str name, char out[KEY_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.s[i];
        if (fr_is_alpha(c) || fr_is_digit(c))
            out[n++] = fr_lower(c);
        else if ((c == ' ' || c == '-' || c == '_' || c == '/' || c == '.') && n && out[n - 1] != '_')
            out[n++] = '_';
        else
            return false;
        if (n == KEY_MAX - 1)
            return false;
    }
    while (n && out[n - 1] == '_')
        n--;
    out[n] = 0;
    return n > 0;
}

/* Keys that mean something else wherever a run is selected. */
static const char *const reserved[] = {"label", "test",   "op",   "source", "run",    "tool", "host",
                                       "title", "metric", "stat", "unit",   "better", "value"};

/* As key_of; `Test: Memory` becomes the param pts_test. */
static bool param_key(struct fr_str name, char out[KEY_MAX + 4])
{
    if (!key_of(name, out))
        return false;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(out, reserved[i]) == 0) {
            memmove(out + 4, out, strlen(out) + 1);
            memcpy(out, "pts_", 4);
            break;
        }
    return true;
}

/* ---- fio and its kin --------------------------------------------------------------------------------------------- */

/* The direction that the words name, as fio's rw; NULL when they name none, or both. */
static const char *rw_of(struct fr_str words)
{
    bool random = false, read = false, write = false;
    while (words.n) {
        struct fr_str w = fr_take_word(&words);
        if (fr_str_is_nocase(w, "random"))
            random = true;
        else if (fr_str_is_nocase(w, "read"))
            read = true;
        else if (fr_str_is_nocase(w, "write"))
            write = true;
        else if (!fr_str_is_nocase(w, "sequential") && !fr_str_is_nocase(w, "performance"))
            return NULL;
    }
    if (read == write)
        return NULL;
    return random ? (read ? "randread" : "randwrite") : (read ? "read" : "write");
}

static void set_size(const struct fr_target *t, const char *key, struct fr_str text)
{
    double bytes;
    char canonical[24];
    if (fr_size_parse(text, &bytes))
        fr_target_set(t, key, fr_str(fr_size_format(bytes, canonical)));
    else
        fr_target_set(t, key, text);
}

static bool set_yes_no(const struct fr_target *t, const char *key, struct fr_str value)
{
    bool yes = fr_str_is_nocase(value, "yes"), no = fr_str_is_nocase(value, "no");
    if (yes || no)
        fr_target_set(t, key, fr_str(yes ? "1" : "0"));
    return yes || no;
}

static void set_engine(const struct fr_target *t, struct fr_str value)
{
    static const struct {
        const char *shown, *name;
    } engines[] = {{"Linux AIO", "libaio"}, {"POSIX AIO", "posixaio"}, {"Windows AIO", "windowsaio"},
                   {"Sync", "sync"},        {"IO_uring", "io_uring"},  {"io_uring", "io_uring"}};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (fr_str_is_nocase(value, engines[i].shown)) {
            fr_target_set(t, "ioengine", fr_str(engines[i].name));
            return;
        }
    fr_target_set(t, "ioengine", value);
}

/* One pair of a storage profile under fio's name for it; false: keep it under its own. */
static bool storage_pair(const struct fr_target *t, struct fr_str key, struct fr_str value)
{
    const char *rw;
    if ((fr_str_is(key, "Type") || fr_str_is(key, "Disk Test")) && (rw = rw_of(value)) != NULL)
        fr_target_set(t, "rw", fr_str(rw));
    else if (fr_str_is(key, "Engine") || fr_str_is(key, "IO Engine"))
        set_engine(t, value);
    else if (fr_str_is(key, "Direct") || fr_str_is(key, "Buffered"))
        return set_yes_no(t, fr_str_is(key, "Direct") ? "direct" : "buffered", value);
    else if (fr_str_is(key, "Block Size") || fr_str_is(key, "Record Size"))
        set_size(t, "bs", value);
    else if (fr_str_is(key, "File Size"))
        set_size(t, "size", value);
    else if (fr_str_is(key, "Job Count"))
        fr_target_set(t, "numjobs", value);
    else
        return false;
    return true;
}

static bool is_storage(const struct fr_pts_result *r)
{
    static const char *const titles[] = {"Flexible IO Tester", "IOzone", "AIO-Stress", "Threaded I/O Tester"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (fr_str_is(view(r->title), titles[i]))
            return true;
    return false;
}

/* The next "Key: value" or plain part of a description; parts are joined by " - ", which values may hold as well. */
static struct fr_str take_part(struct fr_str *rest)
{
    size_t end = 0;
    for (;;) {
        struct fr_str tail = fr_str_from(*rest, end);
        size_t i = fr_str_find(tail, " - ");
        if (i == (size_t)-1) {
            struct fr_str all = *rest;
            *rest = fr_strn("", 0);
            return all;
        }
        end += i + 3;
        struct fr_str next = fr_str_from(*rest, end);
        size_t colon = fr_str_find(next, ": "), dash = fr_str_find(next, " - ");
        bool pair = colon != (size_t)-1 && (dash == (size_t)-1 || colon < dash);
        bool plain = fr_str_find(fr_str_range(*rest, 0, end), ": ") == (size_t)-1;
        if (pair || plain) {
            struct fr_str part = fr_str_range(*rest, 0, end - 3);
            *rest = next;
            return part;
        }
    }
}

static void description_params(const struct fr_target *t, const struct fr_pts_result *r)
{
    struct fr_str rest = view(r->description);
    bool storage = is_storage(r);
    const char *rw = storage ? rw_of(rest) : NULL;
    if (rw)
        fr_target_set(t, "rw", fr_str(rw)); /* "Random Write", the whole description of AIO-Stress */
    for (int i = 0; rest.n && i < ITEMS_MAX; i++) {
        struct fr_str value = take_part(&rest), clients = value;
        size_t colon = fr_str_find(value, ": ");
        uint64_t n;
        char key[KEY_MAX + 4];
        if (colon == (size_t)-1) {
            struct fr_str number = clients;
            const char *part = storage ? rw_of(value) : NULL;
            if (part)
                fr_target_set(t, "rw", fr_str(part)); /* "Random Write - 64MB - Threads: 32" */
            if (fr_take_u64(&number, &n, NULL) && (fr_str_is(number, " Clients") || fr_str_is(number, " Client")))
                fr_target_set(t, "client_count", fr_str_range(clients, 0, clients.n - number.n));
            continue;
        }
        struct fr_str name = fr_str_trim(fr_str_range(value, 0, colon));
        value = fr_str_trim(fr_str_from(value, colon + 2));
        if ((!storage || !storage_pair(t, name, value)) && param_key(name, key))
            fr_target_set(t, key, value);
    }
}

void fr_pts_params(struct fr_batch *batch, struct fr_run *run, struct fr_test *test, const struct fr_pts_result *result)
{
    struct fr_target t = {batch, run, test, FR_FROM_FORMAT, result->line};
    fr_target_set(&t, "profile", view(result->id));
    fr_target_set(&t, "app_version", view(result->version));
    fr_target_set(&t, "arguments", view(result->arguments));
    description_params(&t, result);
}

/* ---- the machine ------------------------------------------------------------------------------------------------- */

/* "Processor: A, B @ 2GHz, Disk: 2 x 256GB": cut at ", " only where a new key follows. */
static void list_notes(struct fr_batch *batch, struct fr_run *run, const char *text, uint32_t line)
{
    struct fr_str rest = view(text);
    while (rest.n) {
        size_t end = 0;
        for (;;) {
            size_t comma = fr_str_find(fr_str_from(rest, end), ", ");
            if (comma == (size_t)-1) {
                end = rest.n;
                break;
            }
            end += comma + 2;
            struct fr_str next = fr_str_from(rest, end);
            size_t colon = fr_str_find(next, ": "), other = fr_str_find(next, ", ");
            if (colon != (size_t)-1 && (other == (size_t)-1 || colon < other)) {
                end -= 2;
                break;
            }
        }
        struct fr_str item = fr_str_range(rest, 0, end);
        rest = fr_str_from(rest, end < rest.n ? end + 2 : end);
        size_t colon = fr_str_find(item, ": ");
        char key[KEY_MAX];
        if (colon != (size_t)-1 && key_of(fr_str_trim(fr_str_range(item, 0, colon)), key))
            fr_note_add(batch, run, key, fr_str_trim(fr_str_from(item, colon + 2)), line);
        else if (item.n)
            fr_note_add(batch, run, "system", item, line);
    }
}

struct fact {
    struct fr_batch *batch;
    struct fr_run *run;
    uint32_t line;
};

static int json_fact(void *ctx, const char *path, struct fr_str value, size_t at)
{
    const struct fact *f = ctx;
    char key[KEY_MAX];
    (void)at;
    if (value.n && key_of(fr_str(path), key))
        fr_note_add(f->batch, f->run, key, value, f->line);
    return 0;
}

void fr_pts_notes(struct fr_batch *batch, struct fr_run *run, const struct fr_pts_system *system)
{
    struct fact fact = {batch, run, system->line};
    list_notes(batch, run, system->hardware, system->line);
    list_notes(batch, run, system->software, system->line);
    if (view(system->user).n)
        fr_note_add(batch, run, "user", view(system->user), system->line);
    if (view(system->notes).n)
        fr_note_add(batch, run, "notes", view(system->notes), system->line);
    if (view(system->json).n && fr_pts_json_each(view(system->json), json_fact, &fact, NULL) == -1)
        fr_note_add(batch, run, "json", view(system->json), system->line);
}
