/*
 * pts_json.c: see pts.h. The suite's JSON: facts within composite.xml, and `result-file-to-json`. A walker that hands
 * over numbers as they are printed, which a tree of doubles would not.
 */
#include "pts.h"

#include "banned.h"

enum { DEPTH_MAX = 32, PATH_MAX_BYTES = 4096 };

/* ---- the walker -------------------------------------------------------------------------------------------------- */

struct walk {
    struct fr_str text;
    size_t at;
    struct fr_strbuf path, string;
    int (*each)(void *ctx, const char *path, struct fr_str value, size_t at);
    void *ctx;
};

static void skip_space(struct walk *w)
{
    while (w->at < w->text.n && fr_is_space(w->text.s[w->at]))
        w->at++;
}

static bool take(struct walk *w, char c)
{
    skip_space(w);
    if (w->at >= w->text.n || w->text.s[w->at] != c)
        return false;
    w->at++;
    return true;
}

static bool hex4(struct walk *w, uint32_t *out)
{
    uint32_t v = 0;
    if (w->text.n - w->at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        char c = fr_lower(w->text.s[w->at++]);
        if (!fr_is_digit(c) && (c < 'a' || c > 'f'))
            return false;
        v = v << 4 | (uint32_t)(fr_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    *out = v;
    return true;
}

static bool escape(struct walk *w)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = w->text.s[w->at++];
    if (c == 'u') {
        uint32_t high, low;
        if (!hex4(w, &high))
            return false;
        if (high >= 0xd800 && high < 0xdc00 && w->text.n - w->at >= 6 && w->text.s[w->at] == '\\' &&
            w->text.s[w->at + 1] == 'u') {
            w->at += 2;
            if (!hex4(w, &low))
                return false;
            high = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
        }
        fr_strbuf_addutf8(&w->string, high == 0 || (high >= 0xd800 && high < 0xe000) ? 0xfffd : high);
        return true;
    }
    const char *p = memchr(from, c, sizeof from - 1);
    if (!p)
        return false;
    fr_strbuf_addch(&w->string, to[p - from]);
    return true;
}

/* A string, after its opening quote, into w->string. */
static bool string(struct walk *w)
{
    fr_strbuf_reset(&w->string);
    while (w->at < w->text.n) {
        char c = w->text.s[w->at++];
        if (c == '"')
            return true;
        if (c != '\\')
            fr_strbuf_addch(&w->string, c);
        else if (w->at >= w->text.n || !escape(w))
            return false;
    }
    return false;
}

static int value(struct walk *w, int depth);

/* Members of an object or elements of an array, after the opening bracket. */
static int members(struct walk *w, int depth, bool object)
{
    size_t base = w->path.len;
    char close = object ? '}' : ']';
    if (take(w, close))
        return 0;
    for (unsigned i = 0;; i++) {
        fr_strbuf_addstr(&w->path, base ? "/" : "");
        if (object) {
            if (!take(w, '"') || !string(w) || !take(w, ':'))
                return -1;
            for (size_t k = 0; k < w->string.len; k++)
                fr_strbuf_addch(&w->path, w->string.buf[k] == '/' ? 1 : w->string.buf[k]);
        } else {
            fr_strbuf_addf(&w->path, "%u", i);
        }
        if (w->path.len > PATH_MAX_BYTES)
            return -1;
        int status = value(w, depth + 1);
        if (status != 0)
            return status;
        fr_strbuf_cut(&w->path, base);
        if (take(w, close))
            return 0;
        if (!take(w, ','))
            return -1;
    }
}

static int value(struct walk *w, int depth)
{
    if (depth > DEPTH_MAX)
        return -1;
    if (take(w, '{'))
        return members(w, depth, true);
    if (take(w, '['))
        return members(w, depth, false);
    size_t at = w->at;
    if (take(w, '"')) {
        if (!string(w))
            return -1;
        return w->each(w->ctx, fr_strbuf_str(&w->path), fr_strn(fr_strbuf_str(&w->string), w->string.len), at) ? 1 : 0;
    }
    skip_space(w);
    at = w->at;
    while (w->at < w->text.n &&
           (fr_is_alpha(w->text.s[w->at]) || fr_is_digit(w->text.s[w->at]) || memchr("+-.", w->text.s[w->at], 3)))
        w->at++;
    if (w->at == at)
        return -1;
    struct fr_str literal = fr_str_range(w->text, at, w->at);
    if (fr_str_is(literal, "null"))
        return 0;
    return w->each(w->ctx, fr_strbuf_str(&w->path), literal, at) ? 1 : 0;
}

int fr_pts_json_each(struct fr_str text, int (*each)(void *ctx, const char *path, struct fr_str value, size_t at),
                     void *ctx, size_t *at)
{
    struct walk w = {.text = text, .each = each, .ctx = ctx, .path = FR_STRBUF_INIT, .string = FR_STRBUF_INIT};
    skip_space(&w);
    int status = w.at < text.n && text.s[w.at] == '{' ? value(&w, 0) : -1;
    if (at)
        *at = w.at;
    fr_strbuf_release(&w.path);
    fr_strbuf_release(&w.string);
    return status;
}

/* ---- result-file-to-json ----------------------------------------------------------------------------------------- */

struct export
{
    struct fr_doc *doc;
    struct fr_pts_file file;
    struct fr_strbuf text;
    size_t first;     /* line of the '{' */
    size_t line, end; /* cursor: index of a line, and where it ends in `text` */
    struct fr_strbuf key;
    struct fr_pts_system *system;
    struct fr_pts_result *result;
    struct fr_pts_entry *entry;
    struct fr_strbuf system_key, result_key, entry_key, raw;
};

/* Line number of byte `at`; asked in rising order. */
static uint32_t line_at(struct export *x, size_t at)
{
    while (x->end <= at && x->line + 1 < x->doc->n) {
        x->line++;
        x->end += x->doc->lines[x->line].text.n + 1;
    }
    return x->doc->lines[x->line].no;
}

static const char *keep(struct export *x, struct fr_str s)
{
    return fr_arena_copy(&x->file.arena, s.s, s.n);
}

/* Is this component (up to the next '/') the one in sb? Sets it when not. */
static bool same_key(struct fr_strbuf *sb, struct fr_str component)
{
    if (fr_str_eq(fr_strn(fr_strbuf_str(sb), sb->len), component))
        return true;
    fr_strbuf_reset(sb);
    fr_strbuf_add(sb, component.s, component.n);
    return false;
}

/* Keys are identifiers where '/' is \1. */
static const char *keep_key(struct export *x, struct fr_str s)
{
    char *copy = fr_arena_copy(&x->file.arena, s.s, s.n);
    for (char *p = copy; *p; p++)
        if (*p == 1)
            *p = '/';
    return copy;
}

static void facts_add(struct export *x, const char **list, struct fr_str key, struct fr_str v)
{
    *list = fr_arena_printf(&x->file.arena, "%s%s%.*s: %.*s", *list ? *list : "", *list ? ", " : "", FR_STR(key),
                            FR_STR(v));
}

static void system_member(struct export *x, struct fr_str path, struct fr_str v, uint32_t line)
{
    struct fr_str id = fr_take_until(&path, '/'), field = fr_take_until(&path, '/');
    if (!same_key(&x->system_key, id) || !x->system) {
        x->system = fr_pts_system_new(&x->file, line);
        x->system->id = keep_key(x, id);
    }
    if (fr_str_is(field, "identifier"))
        x->system->id = keep(x, v);
    else if (fr_str_is(field, "hardware"))
        facts_add(x, &x->system->hardware, path, v);
    else if (fr_str_is(field, "software"))
        facts_add(x, &x->system->software, path, v);
    else if (fr_str_is(field, "user"))
        x->system->user = keep(x, v);
    else if (fr_str_is(field, "timestamp"))
        x->system->time = keep(x, v);
    else if (fr_str_is(field, "client_version"))
        x->system->client = keep(x, v);
    else if (fr_str_is(field, "notes"))
        x->system->notes = keep(x, v);
}

static void entry_member(struct export *x, struct fr_str path, struct fr_str v, uint32_t line)
{
    struct fr_str id = fr_take_until(&path, '/'), field = fr_take_until(&path, '/');
    if (!same_key(&x->entry_key, id) || !x->entry) {
        x->entry = fr_pts_entry_new(&x->file, x->result, line);
        x->entry->id = keep_key(x, id);
        fr_strbuf_reset(&x->raw);
    }
    if (fr_str_is(field, "value")) {
        x->entry->value = keep(x, v);
        x->entry->line = line;
    } else if (fr_str_is(field, "raw_values") && v.n) {
        fr_strbuf_addf(&x->raw, "%s%.*s", x->raw.len ? ":" : "", FR_STR(v));
        x->entry->raw = keep(x, fr_strn(fr_strbuf_str(&x->raw), x->raw.len));
    }
}

static void result_member(struct export *x, struct fr_str path, struct fr_str v, uint32_t line)
{
    struct fr_str hash = fr_take_until(&path, '/'), field = fr_take_until(&path, '/');
    if (!same_key(&x->result_key, hash) || !x->result) {
        x->result = fr_pts_result_new(&x->file, line);
        x->entry = NULL;
    }
    struct fr_pts_result *r = x->result;
    const struct {
        const char *name;
        const char **to;
    } fields[] = {{"identifier", &r->id},           {"title", &r->title},
                  {"app_version", &r->version},     {"arguments", &r->arguments},
                  {"description", &r->description}, {"scale", &r->scale},
                  {"proportion", &r->proportion},   {"display_format", &r->format}};
    if (fr_str_is(field, "results")) {
        entry_member(x, path, v, line);
        return;
    }
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fr_str_is(field, fields[i].name))
            *fields[i].to = keep(x, v);
}

static int export_member(void *ctx, const char *path, struct fr_str v, size_t at)
{
    struct export *x = ctx;
    struct fr_str rest = fr_str(path);
    uint32_t line = line_at(x, at);
    struct fr_str top = fr_take_until(&rest, '/');
    if (x->file.results.n > FR_PTS_COUNT_MAX || x->file.systems.n > FR_PTS_COUNT_MAX)
        return 1;
    if (fr_str_is(top, "title"))
        x->file.title = keep(x, v);
    else if (fr_str_is(top, "last_modified"))
        x->file.modified = keep(x, v);
    else if (fr_str_is(top, "description"))
        x->file.description = keep(x, v);
    else if (fr_str_is(top, "systems") && rest.n)
        system_member(x, rest, v, line);
    else if (fr_str_is(top, "results") && rest.n)
        result_member(x, rest, v, line);
    return 0;
}

/* Does an export begin with the '{' of line i? Its first keys tell: systems and their members, or a hash. */
static bool is_export(const struct fr_doc *doc, size_t i)
{
    static const char *const marks[] = {"\"last_modified\"",  "\"systems\"",    "\"app_version\"",
                                        "\"client_version\"", "\"raw_values\"", "\"test_run_times\"",
                                        "\"display_format\""};
    bool seen[sizeof marks / sizeof *marks] = {false};
    unsigned n = 0;
    for (size_t j = i; j < doc->n && j < i + 400; j++)
        for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
            if (!seen[k] && fr_str_find(doc->lines[j].text, marks[k]) != (size_t)-1) {
                seen[k] = true;
                n++;
            }
    return seen[1] && n >= 3;
}

/* The export that begins in line i; returns the index of the line after it, or i when it is none. */
static size_t scan_one(struct fr_doc *doc, size_t i, unsigned owner, struct fr_batch *batch, struct fr_log *log,
                       int *status)
{
    struct export x = {.doc = doc, .text = FR_STRBUF_INIT, .first = i, .line = i, .end = doc->lines[i].text.n + 1};
    size_t at = 0;
    for (size_t j = i; j < doc->n; j++) {
        fr_strbuf_add(&x.text, doc->lines[j].text.s, doc->lines[j].text.n);
        fr_strbuf_addch(&x.text, '\n');
    }
    fr_pts_file_init(&x.file, doc->source, doc->lines[i].no);
    x.file.parser = "phoronix";
    int end = fr_pts_json_each(fr_strn(fr_strbuf_str(&x.text), x.text.len), export_member, &x, &at);
    x.file.digest = fr_str_hash(fr_strn(fr_strbuf_str(&x.text), at), 0);
    uint32_t no = line_at(&x, at ? at - 1 : 0);
    size_t last = x.line;
    if (end != 0) {
        *status = fr_log_error(log, doc->source, no,
                               "Phoronix JSON is broken here, nothing of it was taken: export composite.xml");
        last = doc->n - 1;
    } else {
        fr_log_note(log, doc->source, doc->lines[i].no,
                    "a JSON export of Phoronix drops zeros, failed tests and repeats: composite.xml has them");
        if (fr_pts_build(&x.file, batch, log) != 0)
            *status = -1;
    }
    fr_doc_claim(doc, i, last, owner, 0);
    fr_strbuf_release(&x.text);
    fr_strbuf_release(&x.system_key);
    fr_strbuf_release(&x.result_key);
    fr_strbuf_release(&x.entry_key);
    fr_strbuf_release(&x.raw);
    fr_pts_file_release(&x.file);
    return last + 1;
}

static bool has_systems(const struct fr_doc *doc)
{
    for (size_t i = 0; i < doc->n; i++)
        if (!doc->lines[i].owner && fr_str_find(doc->lines[i].text, "\"systems\"") != (size_t)-1)
            return true;
    return false;
}

int fr_pts_scan_json(struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log)
{
    int status = 0;
    size_t n = has_systems(doc) ? doc->n : 0;
    for (size_t i = 0; i < n;) {
        struct fr_str line = fr_str_ltrim(doc->lines[i].text);
        if (!doc->lines[i].owner && line.n && *line.s == '{' && is_export(doc, i))
            i = scan_one(doc, i, owner, batch, log, &status);
        else
            i++;
    }
    return status;
}
