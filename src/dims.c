/* dims.c: see dims.h. */
#include "dims.h"

#include "banned.h"

enum { WORD_MAX = 64, VALUE_MAX = 128 };

struct word {
    const char *word, *key, *value;
};

#define FR_DIM_WORD(w, k, v) {w, k, v},
#define FR_DIM_NAMED(w, k)
#define FR_DIM_SUFFIX(w, k, v)
static const struct word words[] = {
#include "dims.def"
};
#undef FR_DIM_WORD
#undef FR_DIM_NAMED
#undef FR_DIM_SUFFIX

#define FR_DIM_WORD(w, k, v)
#define FR_DIM_NAMED(w, k) {w, k, NULL},
#define FR_DIM_SUFFIX(w, k, v)
static const struct word named[] = {
#include "dims.def"
};
#undef FR_DIM_WORD
#undef FR_DIM_NAMED
#undef FR_DIM_SUFFIX

#define FR_DIM_WORD(w, k, v)
#define FR_DIM_NAMED(w, k)
#define FR_DIM_SUFFIX(w, k, v) {w, k, v},
static const struct word suffixes[] = {
#include "dims.def"
};
#undef FR_DIM_WORD
#undef FR_DIM_NAMED
#undef FR_DIM_SUFFIX

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct target {
    struct fr_batch *batch;
    struct fr_run *run;
    struct fr_test *test;
    uint32_t line;
};

static void say(const struct target *t, const char *key, struct fr_str value)
{
    if (t->test && fr_param_get(t->run, NULL, key))
        return; /* said of the whole run: a job's name does not know better */
    fr_param_set(t->batch, t->run, t->test, key, value, FR_FROM_DICTIONARY, t->line);
}

static bool is_break(char c)
{
    return fr_is_space(c) || (c && strchr(",;|()[]{}\"'`<>+&", c));
}

static bool is_separator(char c)
{
    return c == '-' || c == '_' || c == '.' || c == '/' || c == ':' || c == '=';
}

static bool word_of(struct fr_str w, const char *key, struct fr_str *value)
{
    bool found = false;
    for (size_t i = 0; i < COUNT(words) && !found; i++)
        if (fr_str_is_nocase(w, words[i].word) && (!key || strcmp(words[i].key, key) == 0)) {
            *value = fr_str(words[i].value);
            found = true;
        }
    return found;
}

static bool say_words(const struct target *t, struct fr_str w)
{
    bool any = false;
    for (size_t i = 0; i < COUNT(words); i++)
        if (fr_str_is_nocase(w, words[i].word)) {
            say(t, words[i].key, fr_str(words[i].value));
            any = true;
        }
    return any;
}

/* The value after `recordsize`: up to a break. A plain word must be known for that key; a number or what follows `=`
 * need not. */
static struct fr_str named_value(struct fr_str rest, const char *key)
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
    if (assigned || fr_is_digit(v.s[0]))
        return v;
    return word_of(v, key, &known) ? v : none;
}

static bool says_record_size(const char *key)
{
    return strcmp(key, "recordsize") == 0 || strcmp(key, "volblocksize") == 0 || strcmp(key, "cluster_size") == 0;
}

/* `recordsize 64k` at the start of `at`, which begins a word. */
static bool say_named(const struct target *t, struct fr_str at)
{
    for (size_t i = 0; i < COUNT(named); i++) {
        size_t n = strlen(named[i].word);
        if (!fr_str_starts_nocase(at, named[i].word) || (at.n > n && fr_is_alpha(at.s[n])))
            continue;
        struct fr_str v = named_value(fr_str_from(at, n), named[i].key), known;
        if (!v.n)
            continue;
        double bytes;
        char size[24];
        if (says_record_size(named[i].key) && fr_size_parse(v, &bytes))
            v = fr_str(fr_size_format(bytes, size));
        else if (word_of(v, named[i].key, &known))
            v = known;
        else if (strcmp(named[i].key, "backend") == 0 || strcmp(named[i].key, "image_format") == 0)
            continue; /* `type` and `format` say it only with a word that is known */
        say(t, named[i].key, v);
        return true;
    }
    return false;
}

/* `10G` is a link where something that goes over a network is named as well, else a size. */
static void say_link(const struct target *t, struct fr_str w)
{
    struct fr_str rest = w;
    double speed;
    const char *transport = fr_param_get(t->run, t->test, "transport"),
               *backend = fr_param_get(t->run, t->test, "backend");
    if (!fr_take_double(&rest, &speed) || speed <= 0 || speed > 800)
        return;
    if (!fr_str_is_nocase(rest, "g") && !fr_str_is_nocase(rest, "gb") && !fr_str_is_nocase(rest, "gbit") &&
        !fr_str_is_nocase(rest, "gbps"))
        return;
    if (!transport && !(backend && strcmp(backend, "ceph") == 0))
        return;
    char link[32];
    snprintf(link, sizeof link, "%gG", speed);
    say(t, "link", fr_str(link));
}

static void say_path(const struct target *t, struct fr_str w)
{
    if (fr_str_starts(w, "/dev/") && w.n > 5 && !fr_str_is(w, "/dev/null") && !fr_str_is(w, "/dev/zero") &&
        !fr_str_starts(w, "/dev/std") && !fr_str_is(w, "/dev/urandom") && !fr_str_is(w, "/dev/random"))
        say(t, "device", w);
    for (size_t i = 0; i < COUNT(suffixes); i++)
        if (fr_str_ends(w, suffixes[i].word))
            say(t, suffixes[i].key, fr_str(suffixes[i].value));
}

/* A word between breaks: whole, then its parts between separators, two joined parts (`nvme-tcp`) before each alone. */
static void read_word(const struct target *t, struct fr_str w)
{
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
        struct fr_str part = fr_str_range(w, i, j);
        if (i == 0 || !say_named(t, fr_str_from(w, i)))
            say_words(t, part);
        say_link(t, part);
        i = j + 1;
    }
}

void fr_dims_infer(struct fr_batch *batch, struct fr_run *run, struct fr_test *test, struct fr_str text, uint32_t line)
{
    struct target t = {batch, run, test, line};
    for (size_t i = 0; i < text.n;) {
        if (is_break(text.s[i])) {
            i++;
            continue;
        }
        size_t j = i;
        while (j < text.n && !is_break(text.s[j]))
            j++;
        struct fr_str w = fr_str_range(text, i, j);
        if (!say_named(&t, fr_str_from(text, i)) && w.n <= 4096)
            read_word(&t, w);
        i = j;
    }
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
