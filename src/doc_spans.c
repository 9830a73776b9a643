/*
 * doc_spans.c: see doc_clean.h: Markdown's code spans and emphasis around figures (CommonMark 6.1, 6.2), and the `==`
 * of highlighting.
 */
#include "doc_clean.h"

#include "banned.h"

#define NOWHERE ((size_t)-1)

static bool has(struct fr_str t, const char *what)
{
    return fr_str_find(t, what) != NOWHERE;
}

/* Does a figure of a tool's stand in it, by the word before it? */
static bool has_figures(struct fr_str t)
{
    static const char *const marks[] = {"=**",  "IOPS=",  "iops=",  "aggrb=", "bw=",       "BW=",    "avg=",  "th=[",
                                        "usr=", "total=", ": ios=", "4=0",    "(groupid=", "(usec)", "(msec)"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (has(t, marks[i]))
            return true;
    return false;
}

/* `...` from end to end: a line of output as a line of code. */
static bool is_code(struct fr_str t)
{
    t = fr_str_trim(t);
    while (t.n && strchr("*_", *t.s))
        t = fr_str_from(t, 1);
    while (t.n && strchr("*_", t.s[t.n - 1]))
        t.n--;
    return t.n > 2 && t.s[0] == '`' && t.s[t.n - 1] == '`' && t.s[1] != '`';
}

/* Bytes of the marks at t.s[i]: backticks and emphasis that touches them, `**`; `==` of highlighting. */
static size_t marks_at(struct fr_str t, size_t i)
{
    size_t n = 0, stars = 0;
    bool code = false;
    for (; i + n < t.n && strchr("`*_", t.s[i + n]); n++) {
        code = code || t.s[i + n] == '`';
        stars += t.s[i + n] == '*';
    }
    if (n)
        return code || stars > 1 ? n : 0;
    bool opens = i == 0 || !strchr("=<>!", t.s[i - 1]);
    return opens && fr_str_starts(fr_str_from(t, i), "==") && (i + 2 == t.n || t.s[i + 2] != '=') ? 2 : 0;
}

/* Figures in code spans, in bold type, highlighted. Commands and fences keep their backticks: there they mean more. */
void fr_doc_clean_spans(struct fr_doc *doc)
{
    struct fr_strbuf out = FR_STRBUF_INIT;
    if (!fr_doc_may_hold(doc, '`') && !fr_doc_may_hold(doc, '*'))
        return;
    for (size_t i = 0; i < doc->n; i++) {
        struct fr_str t = doc->lines[i].text, trimmed = fr_str_ltrim(t);
        if ((fr_str_chr(t, '`') == NOWHERE && !has(t, "**") && !has(t, "==")) || fr_str_starts(trimmed, "```") ||
            has(t, "fio -") || !(has_figures(t) || is_code(t)))
            continue;
        fr_strbuf_reset(&out);
        for (size_t j = 0; j < t.n;) {
            size_t n = marks_at(t, j);
            if (!n)
                fr_strbuf_addch(&out, t.s[j]);
            else if (memchr(t.s + j, '`', n))
                fr_strbuf_addch(&out, ' ');
            j += n ? n : 1;
        }
        doc->lines[i].text = fr_strn(fr_arena_copy(&doc->arena, fr_strbuf_str(&out), out.len), out.len);
        doc->rewritten = true;
    }
    fr_strbuf_release(&out);
}
