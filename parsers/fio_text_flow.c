/*
 * fio_text_flow.c: text that was filled anew, as mail programs and formatters of Markdown do it: lines begin and end
 * anywhere, and are all about as long as the widest. Put together, it is text whose line ends were lost.
 */
#include "fio_text.h"

#include "banned.h"

#define NOWHERE ((size_t)-1)

enum { LINES_LEAST = 2, LINES_MOST = 4096, SHARE = 10 };

static size_t indent_of(struct fr_str t)
{
    return t.n - fr_str_ltrim(t).n;
}

/* A point of a list, a row of a table: its line ends are meant. */
static bool is_item(struct fr_str t)
{
    t = fr_str_trim(t);
    return fr_str_starts(t, "- ") || fr_str_starts(t, "* ") || (fr_str_starts(t, "|") && fr_str_ends(t, "|"));
}

/* The end (exclusive) of the paragraph that begins at line i, if all its lines but the last are of about one length. */
static size_t filled_end(const struct fr_doc *doc, size_t i)
{
    size_t end = i, least = NOWHERE, most = 0, indent = indent_of(doc->lines[i].text);
    for (size_t length = 0; end < doc->n && end - i < LINES_MOST; end++) {
        struct fr_str t = fr_str_rtrim(doc->lines[end].text);
        if (!t.n || doc->lines[end].owner)
            break;
        if (end > i && (indent_of(t) != indent || length < least)) /* the one before is not the last */
            least = length < least ? length : least;
        if (indent_of(t) != indent || is_item(t))
            return i;
        length = t.n - indent;
        most = length > most ? length : most;
        if (least != NOWHERE && least * 2 < most)
            return i;
    }
    return end - i < LINES_LEAST ? i : end;
}

bool ft_flowed(struct ft_scan *s, size_t i, size_t *last, struct fr_str *text)
{
    size_t end = filled_end(s->doc, i), broken = 0, bytes = 0;
    for (size_t k = i; k < end; k++) {
        size_t length = 0;
        broken += ft_next_anchor(s->rx, fr_str_trim(s->doc->lines[k].text), &length) != NOWHERE;
        bytes += s->doc->lines[k].text.n + 1;
    }
    bool begins = end > i + 1 && ft_kind_of(fr_str_trim(s->doc->lines[i + 1].text)) != FT_NONE;
    if (broken == 0 || broken * SHARE < end - i || (end - i == 2 && begins)) /* two lines, each of which begins anew */
        return false;
    char *all = fr_arena_alloc(&s->arena, bytes);
    size_t n = 0;
    for (size_t k = i; k < end; k++) {
        struct fr_str t = fr_str_trim(s->doc->lines[k].text);
        memcpy(all + n, t.s, t.n);
        n += t.n;
        all[n++] = ' ';
    }
    *text = fr_strn(all, n - 1);
    *last = end - 1;
    return true;
}
