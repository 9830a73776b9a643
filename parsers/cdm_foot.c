/*
 * cdm_foot.c: what stands below the rows: profile, size, passes, drive, date, system, comment.
 *
 *   Profile: Default
 *      Test: 1 GiB (x5) [C: 91% (202/223GiB)]
 *      Mode: [Admin] <0Fill>
 *      Time: Measure 5 sec / Interval 5 sec
 *      Date: 2020/12/13 22:27:52
 *        OS: Windows 10 Professional [10.0 Build 19042] (x64)
 *   Comment: free text
 */
#include "cdm.h"

#include "banned.h"

struct foot {
    struct fr_batch *batch;
    struct fr_run **runs;
    size_t n;
    const char *source;
    uint32_t line;
    struct fr_log *log;
};

enum key { PROFILE, TEST, MODE, TIME, DATE, OS, COMMENT, TARGET, VOLUME, DEVICE, CPU, KEYS };

static const struct {
    const char *word;
    enum key key;
} words[] = {{"profile", PROFILE}, {"test size", TEST}, {"test", TEST},     {"mode", MODE},
             {"time", TIME},       {"date", DATE},      {"os", OS},         {"comment", COMMENT},
             {"target", TARGET},   {"volume", VOLUME},  {"device", DEVICE}, {"cpu", CPU}};

/* Take `Test :`. */
static bool take_key(struct fr_str *a, enum key *key)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct fr_str s = *a;
        if (!fr_cdm_take_word(&s, words[i].word))
            continue;
        fr_take_blanks(&s);
        if (!fr_take_ch(&s, ':'))
            continue;
        *a = s;
        *key = words[i].key;
        return true;
    }
    return false;
}

/* Where the next `Key:` stands that begins a line of its own in the original, or the end. */
static size_t next_key(struct fr_str s)
{
    for (size_t i = 1; i < s.n; i++) {
        if (s.s[i - 1] == '\n')
            return i;
        struct fr_str rest = fr_str_from(s, i);
        enum key key;
        if (s.s[i - 1] == ' ' && s.s[i] != ' ' && take_key(&rest, &key))
            return i;
        if (fr_str_starts(rest, "-----"))
            return i;
    }
    return s.n;
}

static void set(struct foot *f, const char *key, struct fr_str value)
{
    value = fr_str_trim(value);
    for (size_t i = 0; i < f->n; i++)
        fr_param_set(f->batch, f->runs[i], NULL, key, value, FR_FROM_FORMAT, f->line);
}

/* `Interval: 5 sec`, `Interval=5 sec`, `Interval 5 sec` anywhere in s. */
static void set_seconds(struct foot *f, struct fr_str s, const char *word, const char *key)
{
    size_t at = fr_str_find(s, word);
    uint64_t n;
    if (at == (size_t)-1)
        return;
    struct fr_str rest = fr_str_from(s, at + strlen(word));
    while (rest.n && strchr(" :=", rest.s[0]))
        rest = fr_str_from(rest, 1);
    struct fr_str digits = rest;
    if (!fr_take_u64(&rest, &n, NULL))
        return;
    struct fr_str unit = rest;
    fr_take_blanks(&unit);
    if (fr_str_starts(unit, "sec"))
        set(f, key, fr_str_range(digits, 0, digits.n - rest.n));
    else if (fr_str_starts(unit, "min")) {
        char text[24];
        snprintf(text, sizeof text, "%llu", (unsigned long long)n * 60);
        set(f, key, fr_str(text));
    }
}

/* `<0Fill>`, `<DefaultAffinity=DISABLED>` */
static void set_marks(struct foot *f, struct fr_str s)
{
    for (size_t at; (at = fr_str_chr(s, '<')) != (size_t)-1;) {
        s = fr_str_from(s, at + 1);
        struct fr_str rest = s, inside = fr_take_until(&rest, '>');
        if (fr_str_ends(inside, "Fill"))
            set(f, "fill", inside);
        else if (fr_take(&inside, "DefaultAffinity="))
            set(f, "affinity", inside);
    }
}

/* `1 GiB (x5) [C: 91% (202/223GiB)]`: size of the test file, passes, the volume and how full it is. */
static void read_test(struct foot *f, struct fr_str s)
{
    struct fr_str rest = s;
    uint64_t n, passes;
    double bytes;
    char text[24];
    if (fr_take_u64(&rest, &n, NULL)) {
        fr_take_blanks(&rest);
        size_t i = 0;
        while (i < rest.n && fr_is_alpha(rest.s[i]))
            i++;
        snprintf(text, sizeof text, "%llu%.*s", (unsigned long long)n, (int)(i < 4 ? i : 0), rest.s);
        if (i > 0 && fr_size_parse(fr_str(text), &bytes)) {
            char size[24];
            set(f, "size", fr_str(fr_size_format(bytes, size)));
        }
    }
    size_t at = fr_str_find(s, "(x");
    rest = fr_str_from(s, at == (size_t)-1 ? s.n : at + 2);
    if (fr_take_u64(&rest, &passes, NULL) && fr_str_starts(rest, ")")) {
        snprintf(text, sizeof text, "%llu", (unsigned long long)passes);
        set(f, "passes", fr_str(text));
    }
    for (rest = s; (at = fr_str_chr(rest, '[')) != (size_t)-1;) {
        rest = fr_str_from(rest, at + 1);
        struct fr_str inside = fr_take_until(&rest, ']');
        if (fr_str_chr(inside, '%') == (size_t)-1)
            continue;
        struct fr_str drive = fr_take_word(&inside);
        set(f, "drive", drive);
        set(f, "drive_used", inside);
    }
    set_seconds(f, s, "Interval", "interval");
    set_seconds(f, s, "Measure", "runtime");
    set_marks(f, s);
}

/* `2020/01/02 6:54:09`, `2021-11-02 13:17:41`, RFC 3339: to ISO 8601, local time unless a zone stands. */
static bool read_date(struct foot *f, struct fr_str s)
{
    static const unsigned lowest[6] = {1990, 1, 1, 0, 0, 0}, highest[6] = {2200, 12, 31, 23, 59, 60};
    static const char *const marks[6] = {"", "/-.", "/-.", " T", ":", ":"};
    unsigned v[6];
    s = fr_str_trim(s);
    for (size_t i = 0; i < 6; i++) {
        uint64_t n;
        if (i && (!s.n || !strchr(marks[i], s.s[0])))
            return false;
        s = fr_str_from(s, i ? 1 : 0);
        fr_take_blanks(&s);
        if (!fr_take_u64(&s, &n, NULL) || n < lowest[i] || n > highest[i])
            return false;
        v[i] = (unsigned)n;
    }
    bool offset = s.n >= 6 && (s.s[0] == '+' || s.s[0] == '-') && s.s[3] == ':';
    const char *text = fr_arena_printf(&f->batch->arena, "%04u-%02u-%02uT%02u:%02u:%02u%.*s", v[0], v[1], v[2], v[3],
                                       v[4], v[5], offset ? 6 : fr_str_starts(s, "Z"), s.s);
    for (size_t i = 0; i < f->n; i++)
        f->runs[i]->started_at = text;
    return true;
}

/* `Windows 10 [10.0 Build 19042] (x64)` is kept as it stands. */
static void read_value(struct foot *f, enum key key, struct fr_str value)
{
    static const char *const plain[KEYS] = {
        [PROFILE] = "profile",   [OS] = "os",  [COMMENT] = "comment", [TARGET] = "target", [VOLUME] = "volume",
        [DEVICE] = "disk_model", [CPU] = "cpu"};
    value = fr_str_trim(value);
    /* What closes a line of code, a string, an emphasis; a comment may end so by itself. */
    while (key != COMMENT && value.n && strchr(" \"'`,;|\\*_", value.s[value.n - 1]))
        value.n--;
    switch (key) {
    case TEST:
        read_test(f, value);
        break;
    case MODE:
        set_marks(f, value);
        if (fr_str_starts(value, "[Admin]"))
            set(f, "mode", fr_str("Admin"));
        break;
    case TIME:
        set_seconds(f, value, "Measure", "runtime");
        set_seconds(f, value, "Interval", "interval");
        break;
    case DATE:
        if (value.n && !read_date(f, value))
            fr_log_warn(f->log, f->source, f->line, "the date '%.*s' cannot be read, the run has no date",
                        FR_STR(fr_str_range(value, 0, 60)));
        break;
    default:
        if (plain[key])
            set(f, plain[key], value);
        break;
    }
}

bool fr_cdm_is_foot(struct fr_str text)
{
    enum key key;
    return take_key(&text, &key);
}

bool fr_cdm_foot(struct fr_batch *batch, struct fr_run **runs, size_t n, struct fr_str text, const char *source,
                 uint32_t line, bool *ended, struct fr_log *log)
{
    struct foot f = {batch, runs, n, source, line, log};
    bool found = false;
    enum key key;
    while (take_key(&text, &key)) {
        /* A comment may hold anything, also what looks like a key. */
        size_t end = key == COMMENT ? text.n : next_key(text);
        read_value(&f, key, fr_str_range(text, 0, end));
        text = fr_str_from(text, end);
        found = true;
        *ended = key == OS;
    }
    return found;
}
