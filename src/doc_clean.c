/*
 * doc_clean.c: see doc_clean.h. RFC 2045 section 6.7 (quoted-printable), the WHATWG's list of named character
 * references (the few that occur in pasted terminal output), Unicode's blanks (White_Space property).
 */
#include "doc_clean.h"

#include "strbuf.h"

#include <limits.h>

#include "banned.h"

#define DIGITS "0123456789"

enum { RUN_LINES = 3, PREFIX_MAX = 120, SAMPLE_LINES = 4000, BLANK_PAIRS = 6 };

/* ---- quoted-printable -------------------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    return fr_is_digit(c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool is_escape(struct fr_str t, size_t i)
{
    return i + 2 < t.n && hex_digit(t.s[i + 1]) >= 0 && hex_digit(t.s[i + 2]) >= 0;
}

/*
 * In quoted-printable text every `=` is an escape or ends its line, and a real `=` is `=3D`. The headers of a mail hold
 * some that are not. A text that has no `=` of its own is told by its many broken lines.
 */
static bool is_quoted_printable(const struct fr_doc *doc)
{
    size_t equals = 0, escapes = 0, real = 0, broken = 0, full = 0, high = 0;
    for (size_t i = 0; i < doc->n && i < SAMPLE_LINES; i++) {
        struct fr_str t = doc->lines[i].text;
        for (size_t j = 0, next; (next = fr_str_chr(fr_str_from(t, j), '=')) != (size_t)-1; j++) {
            j += next;
            equals++;
            escapes += is_escape(t, j) || j + 1 == t.n;
            real += fr_str_starts(fr_str_from(t, j), "=3D");
            broken += j + 1 == t.n;
            full += j + 1 == t.n && t.n >= 70 && t.n <= 76; /* as long as the encoding allows */
            high += is_escape(t, j) && hex_digit(t.s[j + 1]) >= 8;
        }
    }
    return ((real >= 3 || broken >= 10 || high >= 20) && escapes * 10 >= equals * 9) ||
           (full >= 2 && escapes == equals);
}

static void decode_printable(struct fr_strbuf *out, struct fr_str t, bool *soft)
{
    *soft = false;
    while (t.n && (t.s[t.n - 1] == ' ' || t.s[t.n - 1] == '\t'))
        t.n--; /* blanks at the end of an encoded line were added on the way */
    for (size_t i = 0; i < t.n; i++) {
        if (t.s[i] == '=' && i + 1 == t.n) {
            *soft = true;
        } else if (t.s[i] == '=' && is_escape(t, i)) {
            fr_strbuf_addch(out, (char)(hex_digit(t.s[i + 1]) * 16 + hex_digit(t.s[i + 2])));
            i += 2;
        } else {
            fr_strbuf_addch(out, t.s[i]);
        }
    }
}

static void clean_printable(struct fr_doc *doc)
{
    if (!is_quoted_printable(doc))
        return;
    doc->rewritten = true;
    doc->ascii = false;
    size_t kept = 0;
    struct fr_strbuf out = FR_STRBUF_INIT;
    for (size_t i = 0; i < doc->n; i++) {
        struct fr_line line = doc->lines[i];
        bool soft;
        fr_strbuf_reset(&out);
        for (size_t first = i;; i++) {
            decode_printable(&out, doc->lines[i].text, &soft);
            if (!soft || i + 1 >= doc->n || i - first > 4000)
                break;
        }
        doc->latin1 |= fr_doc_make_utf8(&out);
        line.text = fr_strn(fr_arena_copy(&doc->arena, fr_strbuf_str(&out), out.len), out.len);
        doc->lines[kept++] = line;
    }
    doc->n = kept;
    fr_strbuf_release(&out);
}

/* ---- entities and blanks ----------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *text;
} entities[] = {{"&gt;", ">"},    {"&lt;", "<"},           {"&amp;", "&"},  {"&quot;", "\""}, {"&apos;", "'"},
                {"&nbsp;", " "},  {"&#39;", "'"},          {"&#34;", "\""}, {"&#x27;", "'"},  {"&#x2F;", "/"},
                {"&#47;", "/"},   {"&#61;", "="},          {"&#160;", " "}, {"&#xa0;", " "},  {"&#xA0;", " "},
                {"&#91;", "["},   {"&#93;", "]"},          {"&#62;", ">"},  {"&#60;", "<"},   {"&#38;", "&"},
                {"&shy;", ""},    {"&micro;", "\xc2\xb5"}, {"&#13;", ""},   {"&#10;", " "},   {"&ndash;", "-"},
                {"&minus;", "-"}, {"&ge;", ">="},          {"&le;", "<="}};

/* Blanks of all kinds become a blank; what has no width goes; what an editor set as a sign is two characters again. */
static const struct {
    const char *from, *to;
} blanks[] = {{"\xc2\xa0", " "},
              {"\xe2\x80\x87", " "},
              {"\xe2\x80\xaf", " "},
              {"\xe2\x80\x82", " "},
              {"\xe2\x80\x83", " "},
              {"\xe2\x80\x88", " "},
              {"\xe2\x80\x89", " "},
              {"\xe2\x80\x8a", " "},
              {"\xe3\x80\x80", " "},
              {"\xc2\xad", ""},
              {"\xe2\x80\x8b", ""},
              {"\xef\xbb\xbf", ""},
              {"\xe2\x81\xa0", ""},
              {"\xe2\x80\x8e", ""},
              {"\xe2\x80\x8f", ""},
              {"\342\211\24564=", ">=64="},
              {"\342\211\2452000=", ">=2000="},
              {"\342\211\24564\"", ">=64\""},
              {"\342\211\2452000\"", ">=2000\""}}; /* the ends of fio's lists */

/* What stands at `at` in one of the lists: bytes taken, or 0. */
size_t fr_doc_replacement(struct fr_str at, const char **text)
{
    if (at.s[0] == '&') {
        for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
            if (fr_str_starts(at, entities[i].name)) {
                *text = entities[i].text;
                return strlen(entities[i].name);
            }
        return 0;
    }
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++)
        if (fr_str_starts(at, blanks[i].from)) {
            *text = blanks[i].to;
            return strlen(blanks[i].from);
        }
    return 0;
}

static bool may_be_replaced(char c)
{
    return c == '&' || c == '\xc2' || c == '\xe2' || c == '\xe3' || c == '\xef';
}

static bool wants_replacing(struct fr_str t)
{
    const char *text;
    for (size_t i = 0; i < t.n; i++)
        if (may_be_replaced(t.s[i]) && fr_doc_replacement(fr_str_from(t, i), &text))
            return true;
    return false;
}

/* ---- typographic quotes ------------------------------------------------------------------------------------------ */

/* “ or ”, „ or «» at t.s[i]: its bytes; 0: none. */
static size_t quote_mark(struct fr_str t, size_t i)
{
    static const char *const marks[] = {"\xe2\x80\x9c", "\xe2\x80\x9d", "\xe2\x80\x9e", "\xc2\xab", "\xc2\xbb"};
    for (size_t k = 0; i < t.n && (unsigned char)t.s[i] >= 0x80 && k < sizeof marks / sizeof *marks; k++)
        if (fr_str_starts(fr_str_from(t, i), marks[k]))
            return strlen(marks[k]);
    return 0;
}

/* `“iops” : 5`: a key of JSON as a word processor or a blog sets it. */
static bool is_typeset_key(struct fr_str t)
{
    size_t start = 0;
    while (start < t.n && (fr_is_space(t.s[start]) || strchr("{[,", t.s[start])))
        start++;
    t = fr_str_from(t, start);
    size_t n = quote_mark(t, 0);
    for (size_t i = n; n && i < t.n && i < PREFIX_MAX; i++) {
        size_t close = quote_mark(t, i);
        struct fr_str rest = fr_str_ltrim(fr_str_from(t, i + close));
        if (close)
            return rest.n && rest.s[0] == ':';
    }
    return false;
}

/* JSON whose quotes a program has made beautiful: they are plain again in every line of it. */
static void clean_typeset(struct fr_doc *doc)
{
    struct fr_strbuf out = FR_STRBUF_INIT;
    size_t keys = 0;
    for (size_t i = 0; i < doc->n && !doc->ascii && keys < RUN_LINES; i++)
        if (is_typeset_key(doc->lines[i].text)) /* a whole document may stand in one line */
            keys += fr_str_find(doc->lines[i].text, "fio version") != (size_t)-1 ? RUN_LINES : 1;
    for (size_t i = 0; i < doc->n && keys >= RUN_LINES; i++) {
        struct fr_str t = doc->lines[i].text;
        if (!is_typeset_key(t))
            continue;
        fr_strbuf_reset(&out);
        for (size_t j = 0, n; j < t.n; j += n ? n : 1) {
            n = quote_mark(t, j);
            fr_strbuf_addch(&out, n ? '"' : t.s[j]);
        }
        char *copy = fr_arena_copy(&doc->arena, out.buf, out.len);
        doc->lines[i].text = fr_strn(copy, out.len);
        doc->rewritten = true;
    }
    fr_strbuf_release(&out);
}

static void clean_characters(struct fr_doc *doc)
{
    struct fr_strbuf out = FR_STRBUF_INIT;
    if (doc->ascii && !fr_doc_may_hold(doc, '&'))
        return;
    for (size_t i = 0; i < doc->n; i++) {
        struct fr_str t = doc->lines[i].text;
        if (!wants_replacing(t))
            continue;
        fr_strbuf_reset(&out);
        for (size_t j = 0; j < t.n;) {
            const char *text = NULL;
            size_t n = may_be_replaced(t.s[j]) ? fr_doc_replacement(fr_str_from(t, j), &text) : 0;
            if (n)
                fr_strbuf_addstr(&out, text);
            else
                fr_strbuf_addch(&out, t.s[j]);
            j += n ? n : 1;
        }
        doc->lines[i].text = fr_strn(fr_arena_copy(&doc->arena, fr_strbuf_str(&out), out.len), out.len);
        doc->rewritten = true;
        doc->ascii = false; /* `&micro;` */
    }
    fr_strbuf_release(&out);
}

/* ---- what lines begin with --------------------------------------------------------------------------------------- */

/*
 * Most documents have no dirt at all. One look at the first characters of all lines tells which steps can find
 * anything; it is taken anew when a step has changed lines.
 */
struct survey {
    size_t starts[UCHAR_MAX + 1]; /* lines by their first character that is no blank */
    size_t months;                /* lines that may begin with the name of a month */
    size_t spaced;                /* the longest row of lines with a blank line after each, in pairs */
};

static void take_survey(const struct fr_doc *doc, struct survey *s)
{
    size_t pairs = 0;
    bool blank_before = true;
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < doc->n; i++) {
        struct fr_str t = doc->lines[i].text, rest = t;
        fr_take_blanks(&rest);
        bool blank = !fr_str_ltrim(rest).n;
        pairs = blank_before == blank ? 0 : pairs + blank;
        s->spaced = pairs > s->spaced ? pairs : s->spaced;
        blank_before = blank;
        if (blank)
            continue;
        s->starts[(unsigned char)*rest.s]++;
        s->months += rest.n > 3 && rest.s[3] == ' ' && strchr("JFMASOND", rest.s[0]);
    }
}

/* Lines that begin with one of these characters. */
static size_t seen(const struct survey *s, const char *characters)
{
    size_t n = 0;
    for (; *characters; characters++)
        n += s->starts[(unsigned char)*characters];
    return n;
}

/* ---- quoting ----------------------------------------------------------------------------------------------------- */

/* `> `, `>> `, `> > `: but `>=64=` at the start of a wrapped line is fio's. */
static size_t quote_length(struct fr_str t)
{
    size_t i = 0, end = 0;
    while (i < t.n && (t.s[i] == ' ' || t.s[i] == '\t'))
        i++;
    while (i < t.n && t.s[i] == '>' && !(i + 1 < t.n && t.s[i + 1] == '=')) {
        i++;
        end = i;
        if (i < t.n && t.s[i] == ' ') {
            end = i + 1;
            if (i + 1 < t.n && t.s[i + 1] == '>')
                i++;
        }
    }
    return end;
}

static void clean_quotes(struct fr_doc *doc, struct survey *survey)
{
    if (!survey->starts['>'])
        return;
    for (size_t i = 0; i < doc->n; i++) {
        struct fr_line *line = &doc->lines[i];
        size_t n = quote_length(line->text);
        if (!n)
            continue;
        line->text = fr_str_from(line->text, n);
        line->flags |= FR_LINE_QUOTED;
    }
    take_survey(doc, survey);
}

/* ---- prefixes ---------------------------------------------------------------------------------------------------- */

static size_t skip_blanks(struct fr_str t, size_t i)
{
    while (i < t.n && (t.s[i] == ' ' || t.s[i] == '\t'))
        i++;
    return i;
}

static size_t comment_length(struct fr_str t)
{
    size_t i = skip_blanks(t, 0);
    if (!fr_str_starts(fr_str_from(t, i), "//"))
        return 0;
    while (i < t.n && t.s[i] == '/')
        i++;
    return i < t.n && t.s[i] == ' ' ? i + 1 : i;
}

/* One mark and a blank, or the mark alone. */
static size_t mark_length(struct fr_str t, char mark)
{
    size_t i = skip_blanks(t, 0);
    if (i >= t.n || t.s[i] != mark)
        return 0;
    if (i + 1 == t.n)
        return i + 1;
    return t.s[i + 1] == ' ' || t.s[i + 1] == '\t' ? i + 2 : 0;
}

static size_t hash_length(struct fr_str t)
{
    return mark_length(t, '#');
}

static size_t star_length(struct fr_str t)
{
    return mark_length(t, '*');
}

static size_t dash_length(struct fr_str t)
{
    return mark_length(t, '-');
}

/* A diff's mark stands in the first column and takes no blank with it. */
static size_t plus_length(struct fr_str t)
{
    return t.n && t.s[0] == '+' && !fr_str_starts(t, "+++") ? 1 : 0;
}

static size_t number_length(struct fr_str t)
{
    size_t i = skip_blanks(t, 0), j = i;
    while (j < t.n && fr_is_digit(t.s[j]))
        j++;
    if (j == i || j - i > 6 || j + 1 >= t.n || (t.s[j] != '.' && t.s[j] != ')') || t.s[j + 1] != ' ')
        return 0;
    return j + 2;
}

/* Digits and the separators of dates and times, with at least two separators: `20:22:23`, `2024-05-01T10:00:00.123Z`.
 */
static size_t time_length(struct fr_str t, size_t i)
{
    size_t start = i, digits = 0, marks = 0;
    for (; i < t.n; i++) {
        if (fr_is_digit(t.s[i]))
            digits++;
        else if (strchr(":-/.,T+Z", t.s[i]))
            marks += t.s[i] == ':' || t.s[i] == '-' || t.s[i] == '/';
        else
            break;
    }
    return digits >= 5 && marks >= 2 ? i - start : 0;
}

static size_t level_length(struct fr_str t, size_t i)
{
    static const char *const levels[] = {"DEBUG", "INFO", "NOTICE", "WARNING", "WARN", "ERROR", "TRACE", "INFO:"};
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++)
        if (fr_str_starts_nocase(fr_str_from(t, i), levels[k])) {
            size_t n = strlen(levels[k]);
            while (i + n < t.n && (t.s[i + n] == '|' || t.s[i + n] == ':' || t.s[i + n] == ']'))
                n++;
            return i + n == t.n || t.s[i + n] == ' ' ? n : 0;
        }
    return 0;
}

static size_t tag_length(struct fr_str t, size_t i)
{
    if (i >= t.n || t.s[i] != '[')
        return 0;
    static const char *const sections[] = {"[Read]", ";0;0;", "[Write]", "[Mix]"}; /* CrystalDiskMark's own */
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
        if (fr_str_starts(fr_str_from(t, i), sections[k]))
            return 0;
    size_t close = fr_str_chr(fr_str_from(t, i), ']');
    size_t next = i + close + 1;
    if (close == (size_t)-1 || close > 60 || (next < t.n && (t.s[next] == '#' || t.s[next] == '$')))
        return 0; /* `[root@bench ~]#` is a prompt */
    struct fr_str name = fr_str_range(t, i + 1, i + close);
    bool section = !fr_str_trim(fr_str_from(t, i + close + 1)).n; /* a job file's, where nothing follows */
    return section && !fr_str_starts(name, "std") ? 0 : close + 1;
}

/* ` stdout F`, as containers' logs say it. */
static size_t pipe_length(struct fr_str t, size_t i)
{
    struct fr_str rest = fr_str_from(t, i);
    bool pipe = fr_str_starts(rest, "stdout ") || fr_str_starts(rest, "stderr ");
    return pipe && rest.n > 7 && (rest.s[7] == 'F' || rest.s[7] == 'P') && (rest.n == 8 || rest.s[8] == ' ') ? 8 : 0;
}

/* `bench.Runner - `: the name of a logger. */
static size_t logger_length(struct fr_str t, size_t i)
{
    size_t n = 0;
    while (i + n < t.n && !fr_is_space(t.s[i + n]))
        n++;
    return n && t.s[i] != '-' && fr_str_starts(fr_str_from(t, i + n), " - ") ? n : 0;
}

/* `Nov 14 22:02:01`, `20231114 22:02:01.123`, `2023-11-14T22:02:01+0100`: when, at the start of the line. */
static size_t when_length(struct fr_str t)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    size_t i = 0, n;
    if (t.n > 10 && t.s[3] == ' ' && t.s[0] >= 'A' && t.s[0] <= 'S') {
        size_t month = fr_str_find(fr_str(months), (char[]){t.s[0], t.s[1], t.s[2], 0});
        if (month == (size_t)-1 || month % 3 != 0)
            return 0;
        i = skip_blanks(t, 3);
    }
    bool day = i > 0;
    size_t digits = i;
    while (digits < t.n && fr_is_digit(t.s[digits]))
        digits++;
    if (digits < t.n && t.s[digits] == ' ' && (day ? digits > i : digits == 8)) /* a day, or a date */
        i = skip_blanks(t, digits);
    else if (day)
        return 0;
    n = time_length(t, i);
    if (!n)
        return 0;
    i += n;
    if (!day && i < t.n && t.s[i] == ' ' && (n = time_length(t, i + 1)) != 0) /* date and time apart */
        i += 1 + n;
    return i;
}

/* The word at i, and the one blank behind it. */
static size_t word_end(struct fr_str t, size_t i)
{
    while (i < t.n && !fr_is_space(t.s[i]))
        i++;
    return i < t.n ? i + 1 : i;
}

/* `Nov 14 22:02:01 host fio[123]: `: when, and who said it. A job's name may have two words as well. */
static size_t syslog_length(struct fr_str t)
{
    size_t start = skip_blanks(t, 0), when = when_length(fr_str_from(t, start)), host = start + when + 1;
    size_t program = word_end(t, host), end = word_end(t, program);
    if (!when || program <= host + 1 || end <= program + 1 || end > t.n)
        return 0;
    struct fr_str name = fr_str_rtrim(fr_str_range(t, program, end));
    if (!fr_str_ends(name, ":") || fr_str_starts(name, "(g") || fr_str_starts(fr_str_from(t, end), "(g"))
        return 0;
    return end;
}

/* `20:22:23 DEBUG| [stdout] `, `[ 12.345678] `, `2024-05-01 10:00:00,123 - INFO - ` */
static size_t log_length(struct fr_str t)
{
    bool bracket = t.n && t.s[0] == '[';
    size_t i = skip_blanks(t, bracket ? 1 : 0), n = when_length(fr_str_from(t, i));
    if (!n && bracket) { /* the kernel's: seconds since boot */
        struct fr_str rest = fr_str_from(t, i);
        double seconds;
        if (!fr_take_double(&rest, &seconds) || !rest.n || rest.s[0] != ']')
            return 0;
        i = t.n - rest.n + 1;
        return i < t.n && t.s[i] == ' ' ? i + 1 : i;
    }
    if (!n)
        return 0;
    i += n;
    if (bracket && i < t.n && t.s[i] == ']')
        i++;
    for (;;) {
        size_t j = skip_blanks(t, i);
        if (fr_str_starts(fr_str_from(t, j), "- ") || fr_str_starts(fr_str_from(t, j), ": "))
            j = skip_blanks(t, j + 2);
        n = level_length(t, j);
        n = n ? n : tag_length(t, j);
        n = n ? n : pipe_length(t, j);
        n = n ? n : logger_length(t, j);
        if (!n)
            break;
        i = j + n;
    }
    if (fr_str_starts(fr_str_from(t, i), " - ") || fr_str_starts(fr_str_from(t, i), " : "))
        i += 2;
    if (i < t.n && t.s[i] == ':')
        i++;
    return i < t.n && t.s[i] == ' ' ? i + 1 : i;
}

/* What a run of at least RUN_LINES lines may carry before its text; longer runs are asked where the mark means other
 * things too. */
static const struct prefix {
    size_t (*length)(struct fr_str t);
    size_t lines, known; /* known: lines that will do where a result is known to stand in one of them */
    const char *starts;  /* what it can begin with; a time with the name of a month, too */
} prefixes[] = {
    {comment_length, RUN_LINES, 2, "/"},
    {syslog_length, RUN_LINES, RUN_LINES, DIGITS},
    {log_length, RUN_LINES, RUN_LINES, DIGITS ":-/.,T+Z["},
    {hash_length, 5, 2, "#"},
    {star_length, 4, 2, "*"},
    {dash_length, 4, 2, "-"},
    {plus_length, 4, 2, "+"},
    {number_length, 5, 5, DIGITS},
};

static bool may_occur(const struct prefix *p, const struct survey *survey)
{
    size_t months = p->length == log_length || p->length == syslog_length ? survey->months : 0;
    return seen(survey, p->starts) + months >= p->known;
}

/* The end (exclusive) of the lines from i on that carry the prefix, with the blank ones among and behind them. *enough:
 * there are as many as it takes. */
static size_t run_end(const struct fr_doc *doc, size_t i, const struct prefix *p, bool *enough)
{
    size_t lines = 0;
    bool known = false;
    for (; i < doc->n; i++) {
        struct fr_str t = doc->lines[i].text;
        if (!fr_str_trim(t).n)
            continue;
        size_t n = p->length(t);
        if (!n || n > PREFIX_MAX)
            break;
        known = known || (lines < p->lines && fr_doc_is_head(t));
        lines++;
    }
    *enough = lines >= p->lines || (known && lines >= p->known);
    return i;
}

static void strip_run(struct fr_doc *doc, size_t i, size_t end, size_t (*length)(struct fr_str t))
{
    for (; i < end; i++) {
        struct fr_line *line = &doc->lines[i];
        size_t n = length(line->text);
        if (n && n <= PREFIX_MAX) {
            line->text = fr_str_from(line->text, n);
            line->flags |= FR_LINE_QUOTED;
        }
    }
}

static bool clean_prefix(struct fr_doc *doc, const struct prefix *p, struct survey *survey)
{
    bool any = false;
    for (size_t i = 0; i < doc->n;) {
        bool enough;
        size_t end = run_end(doc, i, p, &enough);
        if (enough) {
            strip_run(doc, i, end, p->length);
            any = true;
        }
        i = end > i ? end : i + 1;
    }
    if (any)
        take_survey(doc, survey);
    return any;
}

/* ---- line numbers ------------------------------------------------------------------------------------------------ */

/* `    12\ttext`, `12:text`, ` 12 | text`: the number and how many bytes to take off; 0: none. */
static size_t numbered_length(struct fr_str t, uint64_t *number)
{
    struct fr_str rest = t;
    fr_take_blanks(&rest);
    if (!fr_take_u64(&rest, number, NULL) || t.n - rest.n > 12)
        return 0;
    if (!rest.n)
        return t.n;
    if (fr_take_ch(&rest, '\t') || fr_take_ch(&rest, ':'))
        return t.n - rest.n;
    struct fr_str bar = fr_str_ltrim(rest);
    if (fr_take_ch(&bar, '|'))
        rest = bar;
    else if (!fr_take_ch(&rest, ' '))
        return 0;
    return t.n - rest.n;
}

/* `cat -n`, `nl`, `grep -n`, an editor: each line begins with its number, which is one more than the last one's. */
static void clean_numbers(struct fr_doc *doc, struct survey *survey)
{
    bool any = false;
    if (seen(survey, DIGITS) < 2)
        return;
    for (size_t i = 0, end; i < doc->n; i = end) {
        uint64_t number = 0, last = 0;
        size_t lines = 0;
        bool known = false;
        for (end = i; end < doc->n; end++) {
            struct fr_str t = doc->lines[end].text;
            if (lines && !fr_str_trim(t).n)
                continue; /* left out of the count */
            size_t n = numbered_length(t, &number);
            if (!n || (lines && number != last + 1))
                break;
            known =
                known || fr_doc_is_head(fr_str_from(t, n)); /* a table whose rows are counted keeps its first column */
            last = number;
            lines++;
        }
        known =
            known || (i == 0 && end == doc->n && lines >= RUN_LINES); /* the head of a counted table has no number */
        for (size_t k = i; known && lines > 1 && k < end; k++)
            if (fr_str_trim(doc->lines[k].text).n) {
                doc->lines[k].text = fr_str_from(doc->lines[k].text, numbered_length(doc->lines[k].text, &number));
                doc->lines[k].flags |= FR_LINE_QUOTED;
                any = true;
            }
        end = end > i ? end : i + 1;
    }
    if (any)
        take_survey(doc, survey);
}

/* ---- blank lines between all lines ------------------------------------------------------------------------------- */

static bool is_blank(const struct fr_doc *doc, size_t i)
{
    return !fr_str_trim(doc->lines[i].text).n;
}

/* Does no line of the whole text stand right below another? */
static bool is_spaced(const struct fr_doc *doc)
{
    size_t n = 0;
    bool above = false;
    for (size_t i = 0; i < doc->n; i++) {
        bool blank = is_blank(doc, i);
        if (above && !blank)
            return false;
        above = !blank;
        n += !blank;
    }
    return n >= BLANK_PAIRS;
}

/* Each line has a blank one behind it, a blank line of the text as well. */
static void halve_spacing(struct fr_doc *doc)
{
    size_t kept = 0;
    for (size_t i = 0, end; i < doc->n; i = end) {
        for (end = i; end < doc->n && is_blank(doc, end);)
            end++;
        for (size_t k = 0; 2 * k + 2 < end - i; k++)
            doc->lines[kept++] = doc->lines[i + k];
        if (end < doc->n)
            doc->lines[kept++] = doc->lines[end++];
    }
    doc->n = kept;
}

static void clean_spacing(struct fr_doc *doc, const struct survey *survey)
{
    size_t kept = 0;
    if (is_spaced(doc)) {
        halve_spacing(doc);
        return;
    }
    if (survey->spaced < BLANK_PAIRS)
        return;
    for (size_t i = 0; i < doc->n;) {
        size_t end = i;
        while (end + 1 < doc->n && !is_blank(doc, end) && is_blank(doc, end + 1))
            end += 2;
        bool spaced = end - i >= 2 * BLANK_PAIRS;
        for (; i < end; i += 2) {
            doc->lines[kept++] = doc->lines[i];
            if (!spaced)
                doc->lines[kept++] = doc->lines[i + 1];
        }
        if (i < doc->n)
            doc->lines[kept++] = doc->lines[i++];
    }
    doc->n = kept;
}

/* Prefixes; what a log holds may have some of its own: a container's in that of a build, a program's in a container's.
 */
static void clean_prefixes(struct fr_doc *doc, struct survey *survey)
{
    bool any = true;
    for (int pass = 0; pass < 2 && any; pass++) {
        any = fr_doc_clean_speakers(doc);
        if (any)
            take_survey(doc, survey);
        for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
            if (may_occur(&prefixes[k], survey))
                any = clean_prefix(doc, &prefixes[k], survey) || any;
    }
    fr_doc_clean_constant(doc);
}

static void clean_lines(struct fr_doc *doc, bool markup)
{
    struct survey survey;
    if (!markup) {
        fr_doc_clean_html(doc);
        clean_characters(doc);
        fr_doc_clean_markdown(doc);
        fr_doc_clean_spans(doc);
    }
    take_survey(doc, &survey);
    clean_numbers(doc, &survey);
    clean_quotes(doc, &survey);
    clean_prefixes(doc, &survey);
    clean_quotes(doc, &survey); /* a quoted mail in a log, a comment */
    clean_typeset(doc);
    clean_spacing(doc, &survey);
    if (fr_doc_clean_strings(doc)) {
        take_survey(doc, &survey);
        clean_quotes(doc, &survey);
    }
}

void fr_doc_clean(struct fr_doc *doc)
{
    clean_printable(doc);
    fr_doc_clean_records(doc);
    fr_doc_around_markup(doc, clean_lines);
}
