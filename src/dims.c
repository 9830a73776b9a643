/* dims.c: see dims.h. */
#include "dims.h"

#include "banned.h"

enum { WORD_MAX = 64, VALUE_MAX = 128 };

enum kind { WORD, PLAIN, NEUTRAL, NAMED, SUFFIX };

struct entry {
    struct fr_str word;
    const char *key, *value;
    enum kind kind;
};

#define ENTRY(w, k, v, kind)   {{w, sizeof(w) - 1}, k, v, kind},
#define FR_DIM_WORD(w, k, v)   ENTRY(w, k, v, WORD)
#define FR_DIM_PLAIN(w, k, v)  ENTRY(w, k, v, PLAIN)
#define FR_DIM_NEUTRAL(w)      ENTRY(w, NULL, NULL, NEUTRAL)
#define FR_DIM_NAMED(w, k)     ENTRY(w, k, NULL, NAMED)
#define FR_DIM_SUFFIX(w, k, v) ENTRY(w, k, v, SUFFIX)
static const struct entry entries[] = {
#include "dims.def"
};

#define COUNT(a) (sizeof(a) / sizeof *(a))
_Static_assert(COUNT(entries) <= FR_DIMS_MAX, "dims.h has room for the dictionary");

/* ---- the dictionary by first characters -------------------------------------------------------------------------- */

static size_t bucket(char c)
{
    return (unsigned char)fr_lower(c) % FR_DIMS_BUCKETS;
}

void fr_dims_init(struct fr_dims *dims)
{
    memset(dims->first, 0, sizeof dims->first);
    for (size_t i = COUNT(entries); i-- > 0;) {
        uint16_t *first = &dims->first[bucket(entries[i].word.s[0])];
        dims->next[i] = *first;
        *first = (uint16_t)(i + 1);
    }
}

/* The entries that may begin with c, in the dictionary's order: the one after `e` (NULL: the first); NULL at the end.
 */
static const struct entry *next_entry(const struct fr_dims *dims, char c, const struct entry *e)
{
    size_t i = e ? dims->next[e - entries] : dims->first[bucket(c)];
    return i ? &entries[i - 1] : NULL;
}

#define each_entry(e, dims, c) for (const struct entry *e = next_entry(dims, c, NULL); e; e = next_entry(dims, c, e))

static bool starts_entry(struct fr_str at, const struct entry *e)
{
    size_t i = 0;
    while (i < e->word.n && i < at.n && fr_lower(at.s[i]) == fr_lower(e->word.s[i]))
        i++;
    return i == e->word.n;
}

static bool is_entry(struct fr_str w, const struct entry *e)
{
    return w.n == e->word.n && starts_entry(w, e);
}

static bool says_word(const struct entry *e)
{
    return e->kind == WORD || e->kind == PLAIN;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

struct target {
    const struct fr_dims *dims;
    struct fr_batch *batch;
    struct fr_run *run;
    struct fr_test *test;
    uint32_t line;
    bool plain; /* plain words count here */
};

static void say(const struct target *t, const char *key, struct fr_str value)
{
    if (t->test && fr_param_get(t->run, NULL, key))
        return; /* said of the whole run: a job's name does not know better */
    fr_param_set(t->batch, t->run, t->test, key, value, FR_FROM_DICTIONARY, t->line);
}

static bool is_break(char c)
{
    switch (c) {
    case ',':
    case ';':
    case '|':
    case '(':
    case ')':
    case '[':
    case ']':
    case '{':
    case '}':
    case '"':
    case '\'':
    case '`':
    case '<':
    case '>':
    case '+':
    case '&':
        return true;
    default:
        return fr_is_space(c);
    }
}

static bool is_separator(char c)
{
    return c == '-' || c == '_' || c == '.' || c == '/' || c == ':' || c == '=';
}

/* The value that the word w has for this key. */
static bool word_of(const struct fr_dims *dims, struct fr_str w, const char *key, struct fr_str *value)
{
    if (w.n)
        each_entry (e, dims, w.s[0])
            if (says_word(e) && is_entry(w, e) && strcmp(e->key, key) == 0) {
                *value = fr_str(e->value);
                return true;
            }
    return false;
}

static bool say_words(const struct target *t, struct fr_str w)
{
    bool any = false;
    if (w.n)
        each_entry (e, t->dims, w.s[0])
            if ((e->kind == WORD || (e->kind == PLAIN && t->plain)) && is_entry(w, e)) {
                say(t, e->key, fr_str(e->value));
                any = true;
            }
    return any;
}

/* `sync always`, `compression off`. */
static bool is_setting(struct fr_str v, const char *key)
{
    static const char *const settings[] = {"on",     "off",       "none",         "disabled",   "enabled",
                                           "always", "writeback", "writethrough", "directsync", "unsafe"};
    if (strcmp(key, "backend") == 0 || strcmp(key, "image_format") == 0)
        return false;
    for (size_t i = 0; i < COUNT(settings); i++)
        if (fr_str_is_nocase(v, settings[i]))
            return true;
    return false;
}

/* The value after `recordsize`: up to a break. A plain word must be known for that key; a number or what follows `=`
 * need not. */
static struct fr_str named_value(const struct fr_dims *dims, struct fr_str rest, const char *key)
{
    struct fr_str none = {NULL, 0}, known;
    bool assigned = false;
    fr_take_blanks(&rest);
    if (fr_take_ch(&rest, '=') || fr_take_ch(&rest, ':'))
        assigned = true;
    fr_take_blanks(&rest);
    size_t n = 0;
    while (n < rest.n && n < VALUE_MAX && !is_break(rest.s[n]))
        n++;
    struct fr_str v = fr_str_range(rest, 0, n);
    while (v.n && (v.s[v.n - 1] == '.' || v.s[v.n - 1] == ':'))
        v.n--;
    if (!v.n)
        return none;
    if (assigned || fr_is_digit(v.s[0]) || is_setting(v, key))
        return v;
    return word_of(dims, v, key, &known) ? v : none;
}

static bool says_record_size(const char *key)
{
    return strcmp(key, "recordsize") == 0 || strcmp(key, "volblocksize") == 0 || strcmp(key, "cluster_size") == 0;
}

/* The word before place i: `64k` of `64k recordsize`. */
static struct fr_str word_before(struct fr_str text, size_t i)
{
    size_t end = i, start;
    while (end > 0 && (fr_is_space(text.s[end - 1]) || is_separator(text.s[end - 1])))
        end--;
    for (start = end; start > 0 && !is_break(text.s[start - 1]) && !is_separator(text.s[start - 1]);)
        start--;
    return fr_str_range(text, start, end);
}

/* `recordsize 64k`, `64k recordsize` at place `from`, which begins a word. */
static bool say_named(const struct target *t, struct fr_str text, size_t from)
{
    struct fr_str at = fr_str_from(text, from);
    if (!at.n)
        return false;
    each_entry (e, t->dims, at.s[0]) {
        size_t n = e->word.n;
        if (e->kind != NAMED || !starts_entry(at, e) || (at.n > n && fr_is_alpha(at.s[n])))
            continue;
        struct fr_str v = named_value(t->dims, fr_str_from(at, n), e->key), known;
        double bytes;
        if (!v.n && says_record_size(e->key)) {
            v = word_before(text, from);
            if (!v.n || !fr_is_digit(v.s[0]) || fr_is_digit(v.s[v.n - 1]) || !fr_size_parse(v, &bytes))
                continue;
        }
        if (!v.n)
            continue;
        char size[24];
        if (says_record_size(e->key) && fr_size_parse(v, &bytes))
            v = fr_str(fr_size_format(bytes, size));
        else if (word_of(t->dims, v, e->key, &known))
            v = known;
        else if (strcmp(e->key, "backend") == 0 || strcmp(e->key, "image_format") == 0)
            continue; /* `type` and `format` say it only with a word that is known */
        say(t, e->key, v);
        return true;
    }
    return false;
}

/* `10G` is a link where something that goes over a network is named as well, else a size. */
static void say_link(const struct target *t, struct fr_str w)
{
    static const char *const units[] = {"g", "gb", "gbe", "gbit", "gbps", "gbit/s"};
    struct fr_str rest = w;
    double speed;
    bool known = false;
    const char *transport = fr_param_get(t->run, t->test, "transport"),
               *backend = fr_param_get(t->run, t->test, "backend");
    if (!(transport && strcmp(transport, "usb") != 0) && !(backend && strcmp(backend, "ceph") == 0))
        return;
    if (!fr_take_double(&rest, &speed) || speed <= 0 || speed > 800)
        return;
    for (size_t i = 0; i < COUNT(units); i++)
        known = known || fr_str_is_nocase(rest, units[i]);
    if (!known)
        return;
    char link[32];
    snprintf(link, sizeof link, "%gG", speed);
    say(t, "link", fr_str(link));
}

static void say_links(const struct target *t, struct fr_str text)
{
    for (size_t i = 0, j; i < text.n; i = j + 1) {
        for (j = i; j < text.n && !is_break(text.s[j]) && text.s[j] != '-' && text.s[j] != '_';)
            j++;
        say_link(t, fr_str_range(text, i, j));
    }
}

static void say_path(const struct target *t, struct fr_str w)
{
    size_t set = fr_str_find(w, "=/");
    if (set != (size_t)-1)
        w = fr_str_from(w, set + 1); /* filename=/dev/sdb */
    if (fr_str_starts(w, "/dev/") && w.n > 5 && !fr_str_is(w, "/dev/null") && !fr_str_is(w, "/dev/zero") &&
        !fr_str_starts(w, "/dev/std") && !fr_str_is(w, "/dev/urandom") && !fr_str_is(w, "/dev/random"))
        say(t, "device", w);
    each_entry (e, t->dims, '.')
        if (e->kind == SUFFIX && fr_str_ends(w, e->word.s))
            say(t, e->key, fr_str(e->value));
}

/* A word between breaks: whole, then its parts between separators, two joined parts (`nvme-tcp`) before each alone. */
static void read_word(const struct target *t, struct fr_str text, size_t from, size_t to)
{
    struct fr_str w = fr_str_range(text, from, to);
    say_path(t, w);
    if (say_words(t, w))
        return;
    for (size_t i = 0; i < w.n;) {
        size_t j = i, k;
        while (j < w.n && !is_separator(w.s[j]))
            j++;
        for (k = j + 1; k < w.n && !is_separator(w.s[k]);)
            k++;
        if (j < w.n && k <= w.n && say_words(t, fr_str_range(w, i, k))) {
            i = k + 1;
            continue;
        }
        if (i == 0 || !say_named(t, text, from + i))
            say_words(t, fr_str_range(w, i, j));
        i = j + 1;
    }
}

/* A phrase of the dictionary that begins here: its length; 0: none. */
static size_t say_phrase(const struct target *t, struct fr_str at)
{
    size_t length = 0;
    each_entry (e, t->dims, at.s[0]) {
        size_t n = e->word.n;
        if (!says_word(e) || !starts_entry(at, e) || fr_str_chr(e->word, ' ') == (size_t)-1 ||
            (at.n > n && !is_break(at.s[n]) && !is_separator(at.s[n])))
            continue;
        say(t, e->key, fr_str(e->value));
        length = n;
    }
    return length;
}

/* ---- plain words ------------------------------------------------------------------------------------------------- */

static bool is_known(const struct fr_dims *dims, struct fr_str w)
{
    if (w.n)
        each_entry (e, dims, w.s[0])
            if (e->kind != SUFFIX && is_entry(w, e))
                return true;
    return false;
}

/* Parts of a name that make `raw` mean something else: raw_data, raw-results. */
static bool is_about_text(struct fr_str w)
{
    static const char *const others[] = {"data", "results", "result",  "output", "outputs",
                                         "log",  "logs",    "numbers", "text",   "stats"};
    for (size_t i = 0; i < COUNT(others); i++)
        if (fr_str_is_nocase(w, others[i]))
            return true;
    return false;
}

/* A word: does it leave plain words their meaning here? Names (`zfs-mirror`) do, other English does not. */
static bool leaves_plain(const struct fr_dims *dims, struct fr_str w)
{
    bool name = false, digit = false, raw = false;
    if (w.s[0] == '/' || fr_str_starts(w, "./") || fr_str_starts(w, "../"))
        return false;
    for (size_t i = 0, j; i <= w.n; i = j + 1) {
        for (j = i; j < w.n && !is_separator(w.s[j]);)
            j++;
        struct fr_str part = fr_str_range(w, i, j);
        if (raw && is_about_text(part))
            return false;
        raw = fr_str_is_nocase(part, "raw");
        name = name || is_known(dims, part) || j < w.n;
    }
    for (size_t i = 0; i < w.n; i++)
        digit = digit || fr_is_digit(w.s[i]) || w.s[i] == '=';
    return name || digit || is_known(dims, w);
}

/*
 * `raw`, `mirror` are English, too: they count where all the text is made of words that are known (`ZFS mirror`, `raw
 * image`), of names and numbers.
 */
static bool plain_counts(const struct fr_dims *dims, struct fr_str text)
{
    for (size_t i = 0, j; i < text.n; i = j + 1) {
        for (j = i; j < text.n && !is_break(text.s[j]);)
            j++;
        if (j > i && !leaves_plain(dims, fr_str_range(text, i, j)))
            return false;
    }
    return true;
}

/* `LVM vs. ZFS`: of a comparison nobody knows which of them this is. */
static bool is_comparison(struct fr_str text)
{
    for (size_t i = 0, j; i < text.n; i = j + 1) {
        for (j = i; j < text.n && !is_break(text.s[j]) && !is_separator(text.s[j]);)
            j++;
        struct fr_str w = fr_str_range(text, i, j);
        if (fr_str_is_nocase(w, "vs") || fr_str_is_nocase(w, "versus") || fr_str_is_nocase(w, "comparison"))
            return true;
    }
    return false;
}

/* Can something begin here that say_path() or say_link() knows, or one of the dictionary's words or endings? */
static bool may_begin(const struct fr_dims *dims, struct fr_str at)
{
    struct fr_str rest = at;
    double speed;
    if (fr_str_starts(at, "/dev/") || (fr_take_double(&rest, &speed) && rest.n && fr_lower(rest.s[0]) == 'g'))
        return true;
    each_entry (e, dims, at.s[0])
        if (starts_entry(at, e))
            return true;
    return false;
}

/* Is it worth reading? Most names of jobs and files say nothing. */
static bool may_say(const struct fr_dims *dims, struct fr_str text)
{
    bool begins = true;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.s[i];
        if ((begins || c == '.' || c == '/') && may_begin(dims, fr_str_from(text, i)))
            return true;
        begins = is_break(c) || is_separator(c);
    }
    return false;
}

void fr_dims_infer(const struct fr_dims *dims, struct fr_batch *batch, struct fr_run *run, struct fr_test *test,
                   struct fr_str text, uint32_t line)
{
    struct target t = {dims, batch, run, test, line, false};
    if (!may_say(dims, text) || is_comparison(text))
        return;
    t.plain = plain_counts(dims, text);
    for (size_t i = 0; i < text.n;) {
        if (is_break(text.s[i])) {
            i++;
            continue;
        }
        size_t j = i, phrase = say_phrase(&t, fr_str_from(text, i));
        if (phrase) {
            i += phrase;
            continue;
        }
        while (j < text.n && !is_break(text.s[j]))
            j++;
        if (!say_named(&t, text, i) && j - i <= 4096)
            read_word(&t, text, i, j);
        i = j;
    }
    say_links(&t, text);
}

/* ---- what the user sets ------------------------------------------------------------------------------------------ */

int fr_dims_check(const char *tag, const char *done, struct fr_log *log)
{
    static const char *const taken[] = {"test", "op",  "source", "tool",    "tool_version", "version", "metric",
                                        "stat", "job", "table",  "started", "started_at",   "run_id"};
    const char *eq = strchr(tag, '=');
    if (!eq || eq == tag)
        return fr_log_error(log, NULL, 0, "the tag '%s' is not key=value%s", tag, done);
    struct fr_str key = fr_strn(tag, (size_t)(eq - tag));
    if (fr_str_is(key, "label") || fr_str_is(key, "title"))
        return fr_log_error(log, NULL, 0, "'%.*s' is no dimension: give --%.*s%s", (int)key.n, key.s, (int)key.n, key.s,
                            done);
    for (size_t i = 0; i < COUNT(taken); i++)
        if (fr_str_is(key, taken[i]))
            return fr_log_error(log, NULL, 0, "every run has a '%s' of its own, choose another key for '%s'%s",
                                taken[i], tag, done);
    return 0;
}
