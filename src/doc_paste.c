/*
 * doc_paste.c: text that was put into another language: elements of HTML, strings of a program or of JSON, Markdown's
 * escapes. See doc_clean.h.
 */
#include "doc_clean.h"
#include "literal.h"

#include "banned.h"

#define NOWHERE ((size_t)-1)

enum {
    LOOK = 1 << 20,   /* bytes in which the marks of such a language are looked for */
    BREAKS_LEAST = 5, /* written line breaks that make a string one of several lines */
    LINES_LEAST = 5,
    RECORDS_LEAST = 2,
    TAG_MAX = 300
};

static bool may_hold(const struct fr_doc *doc, char c)
{
    return doc->rewritten || fr_str_chr(fr_str_range(doc->whole, 0, LOOK), c) != NOWHERE;
}

bool fr_doc_is_head(struct fr_str t)
{
    static const char *const marks[] = {"(groupid=",
                                        "(g=0)",
                                        " records out",
                                        "bytes (",
                                        "DiskMark",
                                        "Run status group",
                                        "[Read]",
                                        ";0;0;",
                                        "\"fio version\"",
                                        "<PhoronixTestSuite",
                                        " Is Better",
                                        "Started Run 1 @",
                                        "\"client_version\"",
                                        "\",HIB,",
                                        "\",LIB,"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (fr_str_find(t, marks[i]) != NOWHERE)
            return true;
    return false;
}

/* ---- lines made anew --------------------------------------------------------------------------------------------- */

/* The document's lines, some of which become several, or other ones. */
struct remake {
    struct fr_doc *doc;
    struct fr_line *old;
    size_t n;
    struct fr_strbuf out; /* the line that is being written */
};

static void remake_begin(struct remake *r, struct fr_doc *doc)
{
    *r = (struct remake){.doc = doc, .old = doc->lines, .n = doc->n, .out = FR_STRBUF_INIT};
    doc->lines = NULL;
    doc->n = doc->alloc = 0;
    doc->rewritten = true;
}

/* What was written becomes a line of its own, in the place of `like`. */
static void end_line(struct remake *r, const struct fr_line *like)
{
    fr_doc_add_line(r->doc, fr_strn(fr_strbuf_str(&r->out), r->out.len), like->no, like->flags | FR_LINE_QUOTED);
    fr_strbuf_reset(&r->out);
}

static void remake_end(struct remake *r)
{
    free(r->old);
    fr_strbuf_release(&r->out);
}

/* ---- HTML -------------------------------------------------------------------------------------------------------- */

/*
 * Elements that stand around text as it was printed, or in it: what breaks a line, what forums write as `[code]`, what
 * a heading is in Markdown, the cells of a table, and what is alone in no line (`[b]` is a job's there).
 */
enum { BREAKS = 1, FORUM = 2, HEADING = 4, CELL = 8, INLINE = 16 };
static const struct element {
    const char *name;
    unsigned flags;
} elements[] = {{"pre", BREAKS},
                {"code", FORUM},
                {"br", BREAKS},
                {"p", BREAKS},
                {"div", BREAKS},
                {"span", 0},
                {"li", BREAKS},
                {"details", BREAKS},
                {"summary", HEADING | BREAKS},
                {"samp", 0},
                {"tt", 0},
                {"kbd", 0},
                {"mark", 0},
                {"small", 0},
                {"strong", 0},
                {"em", 0},
                {"b", FORUM | INLINE},
                {"i", FORUM | INLINE},
                {"u", FORUM | INLINE},
                {"font", FORUM | INLINE},
                {"color", FORUM | INLINE},
                {"size", FORUM | INLINE},
                {"url", FORUM | INLINE},
                {"a", 0},
                {"sub", 0},
                {"sup", 0},
                {"button", 0},
                {"html", BREAKS},
                {"body", BREAKS},
                {"blockquote", BREAKS},
                {"quote", FORUM | BREAKS},
                {"spoiler", FORUM | BREAKS},
                {"center", FORUM | BREAKS},
                {"list", FORUM | BREAKS},
                {"tr", BREAKS},
                {"td", CELL},
                {"th", CELL},
                {"h1", HEADING | BREAKS},
                {"h2", HEADING | BREAKS},
                {"h3", HEADING | BREAKS},
                {"h4", HEADING | BREAKS}};

/* The tag at t.s[i]: its length and element; 0: none stands there. */
static size_t tag_length(struct fr_str t, size_t i, const struct element **element, bool *closes)
{
    struct fr_str rest = fr_str_from(t, i);
    bool forum = fr_take_ch(&rest, '[');
    if (!forum && !fr_take_ch(&rest, '<'))
        return 0;
    *closes = fr_take_ch(&rest, '/');
    size_t n = 0;
    while (n < rest.n && (fr_is_alpha(rest.s[n]) || fr_is_digit(rest.s[n])))
        n++;
    struct fr_str name = fr_str_range(rest, 0, n), after = fr_str_range(rest, n, TAG_MAX);
    size_t end = fr_str_chr(after, forum ? ']' : '>');
    if (end == NOWHERE || fr_str_chr(fr_str_range(after, 0, end), forum ? '[' : '<') != NOWHERE ||
        (end > 0 && !strchr(" \t/=", after.s[0])))
        return 0;
    for (size_t k = 0; k < sizeof elements / sizeof *elements; k++)
        if (fr_str_is_nocase(name, elements[k].name) && (elements[k].flags & FORUM || !forum)) {
            *element = &elements[k];
            return t.n - i - rest.n + n + end + 1;
        }
    return 0;
}

/* A tag that closes, or a `<br>`: `<host>` alone may be a client's, `[code]` a job's. */
static bool is_html(const struct fr_doc *doc)
{
    static const char *const marks[] = {"</", "<br", "<BR", "[/"};
    const struct element *element;
    bool closes;
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
        struct fr_str rest = fr_str_range(doc->whole, 0, LOOK);
        for (size_t at; (at = fr_str_find(rest, marks[k])) != NOWHERE; rest = fr_str_from(rest, at + 1))
            if (tag_length(rest, at, &element, &closes) && (closes || strcmp(element->name, "br") == 0))
                return true;
    }
    return false;
}

/* `|---|:--|`: what follows are rows of a Markdown table, the cells of which may have lines of their own. */
static bool begins_rows(struct fr_str t)
{
    t = fr_str_trim(t);
    for (size_t i = 0; i < t.n; i++)
        if (!strchr("|-: ", t.s[i]))
            return false;
    return fr_str_chr(t, '|') != NOWHERE && fr_str_chr(t, '-') != NOWHERE;
}

void fr_doc_clean_html(struct fr_doc *doc)
{
    struct remake r;
    bool rows = false;
    if (!is_html(doc))
        return;
    remake_begin(&r, doc);
    for (size_t k = 0; k < r.n; k++) {
        const struct fr_line *line = &r.old[k];
        struct fr_str t = line->text;
        const struct element *element;
        bool closes, any = false;
        rows = begins_rows(t) || (rows && fr_str_chr(t, '|') != NOWHERE);
        for (size_t i = 0, n; i < t.n; i += n ? n : 1) {
            n = tag_length(t, i, &element, &closes);
            if (n && element->flags & INLINE && !closes && t.s[i] == '[' && fr_str_trim(t).n == n)
                n = 0;
            any = any || n;
            if (!n)
                fr_strbuf_addch(&r.out, t.s[i]);
            else if (rows && element->flags & BREAKS)
                fr_strbuf_addch(&r.out, ' ');
            else if (element->flags & BREAKS && fr_str_trim(fr_strn(fr_strbuf_str(&r.out), r.out.len)).n)
                end_line(&r, line);
            if (n && !closes && element->flags & HEADING)
                fr_strbuf_addstr(&r.out, "# ");
            if (n && !closes && element->flags & CELL)
                fr_strbuf_addstr(&r.out, "  ");
        }
        if (!any)
            fr_doc_push(doc, line);
        else if (r.out.len || doc->n == 0 || doc->lines[doc->n - 1].no != line->no)
            end_line(&r, line);
        fr_strbuf_reset(&r.out);
    }
    remake_end(&r);
}

/* ---- strings ----------------------------------------------------------------------------------------------------- */

/* The escape at s.s[i] (a backslash) of C, JSON, Python and their kin: bytes taken. A line break ends the line. */
static size_t unescape(struct remake *r, struct fr_str s, size_t i, const struct fr_line *line)
{
    static const char from[] = "t\"'\\/`", to[] = "\t\"'\\/`";
    char c = i + 1 < s.n ? s.s[i + 1] : 0;
    if (c == 'n') {
        end_line(r, line);
        return 2;
    }
    const char *known = c ? strchr(from, c) : NULL;
    if (known) {
        fr_strbuf_addch(&r->out, to[known - from]);
        return 2;
    }
    if (c == 'r')
        return 2;
    if (c == 'u')
        return fr_literal_escape(fr_str_from(s, i), &r->out);
    fr_strbuf_addch(&r->out, '\\');
    return 1;
}

/* The quote that is open at t.s[end]; else the last before it; 0: none. *at: where that stands. */
static char quote_before(struct fr_str t, size_t end, size_t *at)
{
    char open = 0, last = 0;
    size_t opened = 0;
    for (size_t i = 0; i < end; i++) {
        if (t.s[i] == '\\') {
            i++;
        } else if (t.s[i] == open) {
            open = 0;
        } else if (t.s[i] == '"' || t.s[i] == '\'' || t.s[i] == '`') {
            last = t.s[i];
            opened = open ? opened : i;
            open = open ? open : last;
        }
    }
    *at = opened;
    return open ? open : last;
}

/* How often `what` stands in the text. *first: where it does first; left as it is where it does not. */
static size_t count(struct fr_str t, const char *what, size_t *first)
{
    size_t n = 0;
    for (size_t i = 0, at; (at = fr_str_find(fr_str_from(t, i), what)) != NOWHERE; i += at + strlen(what))
        if (!n++)
            *first = i + at;
    return n;
}

/*
 * Is a result written as a string with `\n` (one is enough for a line of terse), or as a list of strings? *first: where
 * its first line ends. A key of JSON is in a string when it is not that string's first word.
 */
static bool is_written(struct fr_str t, size_t *first)
{
    size_t key = fr_str_find(t, "fio version"), quote;
    size_t n = count(t, "\\n", first);
    if (key != NOWHERE && (n >= BREAKS_LEAST || (key > 1 && t.s[key - 2] == '\\'))) {
        *first = n ? *first : key;
        return quote_before(t, key, &quote) && quote + 1 < key;
    }
    if (n > 0)
        return n < BREAKS_LEAST ? fr_str_find(t, ";fio-") != NOWHERE : fr_doc_is_head(t);
    n = count(t, "\", \"", first) + count(t, "\",\"", first);
    return n >= BREAKS_LEAST && (key != NOWHERE || fr_str_find(t, "(groupid=") != NOWHERE) &&
           quote_before(t, key != NOWHERE ? key : *first, &quote) && quote + 1 < (key != NOWHERE ? key : *first);
}

/* What stands between two strings of a list. */
static bool is_joint(struct fr_str s)
{
    while (s.n && strchr(" ,+b\t", s.s[0]))
        s = fr_str_from(s, 1);
    return s.n == 0;
}

/* A string of several lines: cut at its ends, and into its lines. What is JSON around it is none any more. */
static void cut_string(struct remake *r, const struct fr_line *line)
{
    struct fr_str t = line->text;
    size_t at, first = 0;
    char quote = is_written(t, &first) ? quote_before(t, first, &at) : 0;
    bool inside = !quote;
    for (size_t i = 0; i < t.n;) {
        if (t.s[i] == '\\') {
            i += unescape(r, t, i, line);
            continue;
        }
        if (quote && t.s[i] == quote) {
            if (!inside && is_joint(fr_strn(fr_strbuf_str(&r->out), r->out.len)))
                fr_strbuf_reset(&r->out);
            else if (!inside || r->out.len)
                end_line(r, line);
            inside = !inside;
        } else if (inside || !strchr("{}[]", t.s[i])) {
            fr_strbuf_addch(&r->out, t.s[i]);
        }
        i++;
    }
    end_line(r, line);
}

/* `"...\n",`, `"..." +`, `'...'`: a line that is a string, or ends in one that is its last; what is inside. */
static bool is_string(struct fr_str t, bool begins, struct fr_str *inside)
{
    t = fr_str_trim(t);
    while (t.n && strchr("+,;\\ \t)", t.s[t.n - 1]))
        t.n--;
    if (t.n < 2 || (t.s[t.n - 1] != '"' && t.s[t.n - 1] != '\''))
        return false;
    size_t open = fr_str_chr(t, t.s[t.n - 1]);
    if (open + 1 == t.n || (open > 0 && !begins))
        return false;
    for (size_t i = open + 1; i + 1 < t.n; i++) {
        if (t.s[i] == '\\')
            i++;
        else if (t.s[i] == t.s[open])
            return false;
    }
    *inside = fr_str_range(t, open + 1, t.n - 1);
    return true;
}

/* The end (exclusive) of the lines from i on that are a string each. *known: enough of them, with a result. */
static size_t strings_end(const struct fr_line *lines, size_t n, size_t i, bool *known)
{
    size_t end = i;
    struct fr_str inside;
    *known = false;
    for (; end < n && is_string(lines[end].text, end == i, &inside); end++)
        *known = *known || fr_doc_is_head(inside) || fr_str_find(inside, "fio version") != NOWHERE;
    *known = *known && end - i >= LINES_LEAST;
    return end;
}

/* Is the string behind this one, in the next line, one with it? It has no end of line, and nothing but `+` follows. */
static bool goes_on(struct fr_str t, struct fr_str inside)
{
    size_t behind = (size_t)(inside.s - t.s) + inside.n + 1;
    while (behind < t.n && strchr("+\\ \t", t.s[behind]))
        behind++;
    return behind >= t.n && !fr_str_ends(inside, "\\n");
}

/* `like`: the line where it began, which may be one before. */
static void take_string(struct remake *r, const struct fr_line *line, const struct fr_line *like, bool last)
{
    struct fr_str inside;
    if (!is_string(line->text, true, &inside))
        return;
    bool more = !last && goes_on(line->text, inside);
    if (fr_str_ends(inside, "\\n"))
        inside.n -= 2;
    for (size_t i = 0; i < inside.n;) {
        if (inside.s[i] == '\\') {
            i += unescape(r, inside, i, like);
            continue;
        }
        fr_strbuf_addch(&r->out, inside.s[i]);
        i++;
    }
    if (!more)
        end_line(r, like);
}

/* Is there any of them? */
static bool has_strings(const struct fr_doc *doc)
{
    size_t first;
    bool known = false;
    if (!may_hold(doc, '"') && !may_hold(doc, '\'') && !may_hold(doc, '\\'))
        return false;
    for (size_t i = 0, end; i < doc->n && i < FR_DOC_LOOK && !known; i = end > i ? end : i + 1) {
        end = strings_end(doc->lines, doc->n, i, &known);
        known = known || is_written(doc->lines[i].text, &first);
    }
    return known;
}

bool fr_doc_clean_strings(struct fr_doc *doc)
{
    struct remake r;
    size_t first;
    bool known;
    if (!has_strings(doc))
        return false;
    remake_begin(&r, doc);
    for (size_t i = 0, end; i < r.n; i = end) {
        end = strings_end(r.old, r.n, i, &known);
        for (size_t k = i, from = i; known && k < end; k++) {
            from = r.out.len ? from : k;
            take_string(&r, &r.old[k], &r.old[from], k + 1 == end);
        }
        if (known)
            continue;
        if (is_written(r.old[i].text, &first))
            cut_string(&r, &r.old[i]);
        else
            fr_doc_push(doc, &r.old[i]);
        end = i + 1;
    }
    remake_end(&r);
    return true;
}

/* ---- records of a log -------------------------------------------------------------------------------------------- */

/* The string that begins at t.s[at], behind its quote: what is in it, its escapes as they are. False: it has no end. */
static bool string_at(struct fr_str t, size_t at, struct fr_str *inside)
{
    for (size_t i = at; i < t.n; i++) {
        if (t.s[i] == '"') {
            *inside = fr_str_range(t, at, i);
            return true;
        }
        i += t.s[i] == '\\';
    }
    return false;
}

/* `{"log":"...\n","stream":"stdout"}`, `time=... level=info msg="..."`: the text of a record, which `key` names. */
static bool is_record(struct fr_str t, const char *key, struct fr_str *inside)
{
    size_t n = strlen(key);
    t = fr_str_trim(t);
    bool json = fr_str_starts(t, "{") && fr_str_ends(t, "}");
    for (size_t i = 0, at; (at = fr_str_find(fr_str_from(t, i), key)) != NOWHERE; i += at + 1) {
        struct fr_str before = fr_str_range(t, 0, i + at), rest = fr_str_from(t, i + at + n);
        if (json) {
            if (!fr_str_ends(before, "\"") || !fr_take_ch(&rest, '"'))
                continue;
            before.n--;
            before = fr_str_rtrim(before);
            fr_take_blanks(&rest);
        }
        if (!before.n || !strchr(json ? "{," : " \t", before.s[before.n - 1]) || !fr_take_ch(&rest, json ? ':' : '='))
            continue;
        fr_take_blanks(&rest);
        if (fr_take_ch(&rest, '"'))
            return string_at(t, t.n - rest.n, inside);
    }
    return false;
}

/* The name of the text in the record that the line is; NULL: it is none. */
static const char *record_key(struct fr_str t)
{
    static const char *const keys[] = {"log", "msg", "message", "MESSAGE", "@message", "line", "textPayload", "text"};
    struct fr_str inside;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (is_record(t, keys[i], &inside))
            return keys[i];
    return NULL;
}

/* The end (exclusive) of the records from line i on whose text is called so. *known: docker's, or with a result. */
static size_t records_end(const struct fr_line *lines, size_t n, size_t i, const char *key, bool *known)
{
    size_t end = i;
    struct fr_str inside = {0};
    bool docker = fr_str_find(lines[i].text, "\"stream\":\"std") != NOWHERE;
    *known = docker;
    for (; end < n && (is_record(lines[end].text, key, &inside) || !fr_str_trim(lines[end].text).n); end++)
        *known = *known || fr_doc_is_head(inside) || fr_str_find(inside, "fio version") != NOWHERE;
    *known = *known && (docker || end - i >= RECORDS_LEAST);
    return end;
}

/* The text of a record: a line, or what of one docker had read (`whole`: false), with its end of line at the last. */
static void take_record(struct remake *r, const struct fr_line *line, struct fr_str inside, bool whole)
{
    for (size_t i = 0; i < inside.n;) {
        struct fr_str rest = fr_str_from(inside, i);
        if (fr_str_starts(rest, "\\r") && rest.n > 2 && !fr_str_starts(rest, "\\r\\n")) { /* a progress line */
            end_line(r, &(struct fr_line){.no = line->no, .flags = line->flags | FR_LINE_CR});
            i += 2;
        } else if (rest.s[0] == '\\') {
            i += unescape(r, inside, i, line);
        } else {
            fr_strbuf_addch(&r->out, rest.s[0]);
            i++;
        }
    }
    if (whole)
        end_line(r, line);
}

static bool has_records(const struct fr_doc *doc)
{
    bool known = false;
    if (!may_hold(doc, '"'))
        return false;
    for (size_t i = 0, end; i < doc->n && i < FR_DOC_LOOK && !known; i = end > i ? end : i + 1) {
        const char *key = record_key(doc->lines[i].text);
        end = key ? records_end(doc->lines, doc->n, i, key, &known) : i;
    }
    return known;
}

void fr_doc_clean_records(struct fr_doc *doc)
{
    struct remake r;
    if (!has_records(doc))
        return;
    remake_begin(&r, doc);
    for (size_t i = 0, end; i < r.n; i = end) {
        const char *key = record_key(r.old[i].text);
        struct fr_str inside;
        bool known = false, docker = key && strcmp(key, "log") == 0;
        end = key ? records_end(r.old, r.n, i, key, &known) : i + 1;
        for (size_t k = i; k < end; k++) {
            if (!known)
                fr_doc_push(doc, &r.old[k]);
            else if (is_record(r.old[k].text, key, &inside))
                take_record(&r, &r.old[k], inside, !docker);
        }
        if (r.out.len)
            end_line(&r, &r.old[end - 1]);
    }
    remake_end(&r);
}

/* ---- Markdown ---------------------------------------------------------------------------------------------------- */

/* Escapes that an editor writes before what Markdown could take for its own. */
static bool is_escaped(const struct fr_doc *doc)
{
    static const char *const marks[] = {"th=\\[", "in\\_queue=", "\\[Read\\]", "io\\_bytes", "\\[r=", "\\[w="};
    for (size_t i = 0; i < doc->n; i++)
        for (size_t k = 0; k < sizeof marks / sizeof *marks && fr_str_chr(doc->lines[i].text, '\\') != NOWHERE; k++)
            if (fr_str_find(doc->lines[i].text, marks[k]) != NOWHERE)
                return true;
    return false;
}

static void take_escapes(struct fr_doc *doc)
{
    struct fr_strbuf out = FR_STRBUF_INIT;
    for (size_t i = 0; i < doc->n; i++) {
        struct fr_str t = doc->lines[i].text;
        if (fr_str_chr(t, '\\') == NOWHERE)
            continue;
        fr_strbuf_reset(&out);
        for (size_t j = 0; j < t.n; j++) {
            if (t.s[j] == '\\' && j + 1 < t.n && strchr("[]_*<>|#=~+-.!(){}\\`", t.s[j + 1]))
                j++;
            fr_strbuf_addch(&out, t.s[j]);
        }
        doc->lines[i].text = fr_strn(fr_arena_copy(&doc->arena, fr_strbuf_str(&out), out.len), out.len);
        doc->rewritten = true;
    }
    fr_strbuf_release(&out);
}

/* `code` as one line of it: a mark on both sides; or a line that ends in a hard break: `code\\`. */
static bool is_marked(struct fr_str t, char mark)
{
    t = fr_str_trim(t);
    if (!t.n || t.s[t.n - 1] != mark || fr_str_is(t, "```"))
        return false;
    return mark == '\\' ? t.n < 2 || t.s[t.n - 2] != mark : t.n > 1 && t.s[0] == mark;
}

/* Lines that are code each, and lines that end in a hard break: at least a few, one of which is known. */
static void take_marks(struct fr_doc *doc, char mark)
{
    for (size_t i = 0, end; i<doc->n; i = end> i ? end : i + 1) {
        bool known = false;
        size_t lines = 0;
        for (end = i; end < doc->n && (!fr_str_trim(doc->lines[end].text).n || is_marked(doc->lines[end].text, mark));
             end++) {
            known = known || fr_doc_is_head(doc->lines[end].text);
            lines += doc->lines[end].text.n > 0;
        }
        for (size_t k = i; known && lines >= LINES_LEAST && k < end; k++) {
            struct fr_str t = fr_str_rtrim(doc->lines[k].text);
            if (!is_marked(t, mark))
                continue;
            size_t from = mark == '`' ? fr_str_chr(t, '`') + 1 : 0;
            doc->lines[k].text = fr_str_range(t, from, t.n - 1);
            doc->lines[k].flags |= FR_LINE_QUOTED;
        }
    }
}

void fr_doc_clean_markdown(struct fr_doc *doc)
{
    if (may_hold(doc, '`'))
        take_marks(doc, '`');
    if (!may_hold(doc, '\\'))
        return;
    take_marks(doc, '\\');
    if (is_escaped(doc))
        take_escapes(doc);
}
