/*
 * doc_speakers.c: text in which every line begins with who said it (pdsh, docker compose), or with the same mark. See
 * doc_clean.h.
 */
#include "doc_clean.h"

#include "banned.h"

enum {
    SPEAKERS = 16,
    SAID_LEAST = 5,     /* lines that one of several has said */
    CONSTANT_LEAST = 4, /* that carry the one prefix */
    CONSTANT_MAX = 80,  /* bytes of it */
    OTHERS = 3          /* lines without it that may stand between two with it */
};

/* Lines that all begin with the name of one of a few, in whatever order these came. */
struct speakers {
    struct {
        struct fr_str prefix;
        size_t lines;
        bool known;
    } of[SPEAKERS];
    size_t n;
    bool wrong;  /* it is no prefix: a job's name */
    bool tabbed; /* the first line begins with names that end in tabs */
};

/* Letters, digits, `-./`, `@`, `_`: a bit for each character of ASCII. */
static inline bool is_of_name(char c)
{
    static const uint32_t bits[4] = {0, 0x03ffe000, 0x87ffffff, 0x07fffffe};
    unsigned char u = (unsigned char)c;
    return u < 128 && bits[u / 32] >> u % 32 & 1;
}

/* Of the name at i: a host's, a container's, a logger's. */
static size_t name_length(struct fr_str t, size_t i)
{
    size_t n = i;
    while (n < t.n && is_of_name(t.s[n]))
        n++;
    return n - i;
}

/* `  1.00th=[  404], ...`: before it stands a bar of fio's own. */
static bool is_percentiles(struct fr_str t)
{
    double percentile;
    fr_take_blanks(&t);
    return fr_take_double(&t, &percentile) && fr_str_starts(t, "th=");
}

/* `node17:`, `fio-1  |`, `[stdout]`, `INFO:root:`, `;`, `|`, `#`: what may stand before every line; 0: nothing such. */
static size_t speaker_length(struct fr_str t)
{
    struct fr_str rest = t;
    fr_take_blanks(&rest);
    size_t n = 0, start = t.n - rest.n;
    bool bracket = fr_take_ch(&rest, '[');
    if (!rest.n)
        return 0;
    if (!fr_is_alpha(*rest.s)) {
        while (!bracket && n < rest.n && n < 3 && strchr("#;%!|~", rest.s[n]))
            n++;
        return n && !is_percentiles(fr_str_from(rest, n)) ? start + n : 0;
    }
    n = name_length(rest, 0);
    if (n == rest.n)
        return 0;
    start += bracket + n + 1;
    if (bracket)
        return rest.s[n] == ']' ? start : 0;
    if (rest.s[n] == ':') {
        size_t more = name_length(rest, n + 1);
        return more && n + 1 + more < rest.n && rest.s[n + 1 + more] == ':' ? start + more + 1 : start;
    }
    for (; n < rest.n && rest.s[n] == ' '; start++)
        n++;
    return n < rest.n && rest.s[n] == '|' ? start : 0;
}

/* `bench<tab>Run fio<tab>2024-05-01T...`: the job and the step before the time in the log of a CI service. */
static size_t tabbed_length(struct fr_str t)
{
    size_t job = fr_str_chr(t, '\t');
    size_t step = job == (size_t)-1 ? job : fr_str_chr(fr_str_from(t, job + 1), '\t');
    size_t time = job + step + 2;
    return step != (size_t)-1 && step && time + 4 < t.n && fr_is_digit(t.s[time]) && t.s[time + 4] == '-' ? time : 0;
}

/* Whose line is it? SPEAKERS: nobody's. */
static size_t speaker_of(struct speakers *s, struct fr_str t)
{
    for (size_t k = 0; k < s->n; k++)
        if (t.n >= s->of[k].prefix.n && memcmp(t.s, s->of[k].prefix.s, s->of[k].prefix.n) == 0)
            return k;
    size_t n = s->tabbed ? tabbed_length(t) : speaker_length(t);
    if (!n || s->n == SPEAKERS || (s->n && s->of[0].prefix.s[s->of[0].prefix.n - 1] != t.s[n - 1]))
        return SPEAKERS;
    s->of[s->n].prefix = fr_str_range(t, 0, n);
    s->of[s->n].lines = 0;
    s->of[s->n].known = false;
    return s->n++;
}

/* The end (exclusive) of the lines from i on that begin so. */
static size_t speakers_end(const struct fr_doc *doc, size_t i, struct speakers *s)
{
    s->n = 0;
    s->wrong = false;
    for (; i < doc->n; i++) {
        struct fr_str t = doc->lines[i].text;
        if (!fr_str_trim(t).n)
            continue;
        size_t k = speaker_of(s, t);
        if (k == SPEAKERS)
            break;
        s->of[k].lines++;
        s->wrong = s->wrong || fr_str_starts(fr_str_ltrim(fr_str_from(t, s->of[k].prefix.n)), "(g");
    }
    return i;
}

/* Has one of them said, in lines i to end, something that a result is known by; each, where other lines begin so, too?
 */
static bool is_result(const struct fr_doc *doc, size_t i, size_t end, struct speakers *s)
{
    bool many = false, any = false;
    for (size_t k = 0; k < s->n; k++)
        many = many || s->of[k].lines >= SAID_LEAST;
    for (; many && i < end; i++) {
        struct fr_str t = doc->lines[i].text;
        size_t k = fr_str_trim(t).n ? speaker_of(s, t) : SPEAKERS;
        if (k < SPEAKERS && !s->of[k].known && s->of[k].lines >= SAID_LEAST)
            any = (s->of[k].known = fr_doc_is_head(fr_str_from(t, s->of[k].prefix.n))) || any;
    }
    for (size_t k = 0; k < s->n; k++)
        any = any && (s->of[k].known || s->of[k].prefix.s[s->of[k].prefix.n - 1] != ':');
    return any;
}

/* `pdsh`, `docker compose`, comments of all kinds: take the prefix off, and put together what each of them said. */
bool fr_doc_clean_speakers(struct fr_doc *doc)
{
    struct speakers s;
    bool any = false;
    s.tabbed = doc->n > 0 && tabbed_length(doc->lines[0].text) > 0;
    for (size_t i = 0, end; i<doc->n; i = end> i ? end : i + 1) {
        end = speakers_end(doc, i, &s);
        if (!s.n || s.wrong || !is_result(doc, i, end, &s))
            continue;
        struct fr_line *lines = fr_arena_alloc(&doc->arena, (end - i) * sizeof *lines);
        size_t out = i;
        memcpy(lines, doc->lines + i, (end - i) * sizeof *lines);
        for (size_t k = 0; k < s.n; k++)
            for (size_t j = 0; j < end - i; j++) {
                struct fr_line line = lines[j];
                bool blank = !fr_str_trim(line.text).n;
                if (blank ? k > 0 : speaker_of(&s, line.text) != k)
                    continue;
                line.text = fr_str_from(line.text, blank ? 0 : s.of[k].prefix.n);
                if (s.of[k].prefix.s[0] == '|' && fr_str_ends(line.text, "|")) /* a table of one column */
                    line.text.n--;
                line.flags |= FR_LINE_QUOTED;
                doc->lines[out++] = line;
            }
        any = true;
    }
    return any;
}

/* ---- one prefix -------------------------------------------------------------------------------------------------- */

/* How many bytes both begin with. */
static size_t common_length(struct fr_str a, struct fr_str b)
{
    size_t n = 0;
    while (n < a.n && n < b.n && a.s[n] == b.s[n])
        n++;
    return n;
}

/*
 * What stands before a job's line of fio's text and before the one below it, which fio indents: `REM `, `E       `,
 * `x (remote-exec): `. Empty: nothing such. A client's `<host>` is not meant, nor what is part of a string or a row.
 */
static struct fr_str prefix_of(const struct fr_doc *doc, size_t i)
{
    struct fr_str job = doc->lines[i].text, none = {"", 0};
    struct fr_str prefix = fr_str_range(job, 0, i + 1 < doc->n ? common_length(job, doc->lines[i + 1].text) : 0);
    struct fr_str core = fr_str_trim(prefix);
    if (!core.n || fr_str_find(job, "(groupid=") == (size_t)-1) /* most lines have blanks alone in common */
        return none;
    bool words = core.s[0] != '<' && prefix.n <= CONSTANT_MAX &&
                 (fr_str_chr(prefix, '(') == (size_t)-1 || fr_str_chr(prefix, ')') != (size_t)-1);
    for (size_t k = 0; words && k < prefix.n; k++)
        words = !strchr("=;\"{}", prefix.s[k]);
    return words ? prefix : none;
}

static bool has_prefix(struct fr_str t, struct fr_str prefix)
{
    return fr_str_eq(fr_str_range(t, 0, prefix.n), prefix) || fr_str_eq(fr_str_rtrim(t), fr_str_rtrim(prefix));
}

/* Where the lines end that carry the prefix, from line i down, or from above it up, a few others among them. *n: how
 * many there are. */
static size_t constant_end(const struct fr_doc *doc, size_t i, struct fr_str prefix, bool down, size_t *n)
{
    size_t last = i, others = 0;
    for (size_t k = down ? i : i - 1; others <= OTHERS && k < doc->n; k += down ? 1 : (size_t)-1) { /* 0 - 1: none */
        bool carries = has_prefix(doc->lines[k].text, prefix);
        others = carries ? 0 : others + 1;
        last = carries ? k : last;
        *n += carries;
    }
    return last;
}

void fr_doc_clean_constant(struct fr_doc *doc)
{
    for (size_t i = 0; i < doc->n; i++) {
        struct fr_str prefix = prefix_of(doc, i);
        size_t n = 0;
        if (!prefix.n)
            continue;
        size_t first = constant_end(doc, i, prefix, false, &n), last = constant_end(doc, i, prefix, true, &n);
        for (size_t k = first; n >= CONSTANT_LEAST && k <= last; k++) {
            struct fr_line *line = &doc->lines[k];
            if (has_prefix(line->text, prefix)) {
                line->text = fr_str_from(line->text, prefix.n);
                line->flags |= FR_LINE_QUOTED;
            }
        }
    }
}
