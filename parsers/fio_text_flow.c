/*
 * fio_text_flow.c: text that was filled anew, as mail programs and formatters of Markdown do it: lines begin and end
 * anywhere, and are all about as long as the widest. Put together, it is text whose line ends were lost.
 */
#include "fio_text.h"

#include "banned.h"

#define NOWHERE ((size_t)-1)

enum { LINES_LEAST = 2, LINES_MOST = 4096, SHARE = 10, LABEL_MAX = 80 };

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
        if (!t.n || doc->lines[end].owner || fr_str_starts(t, "```"))
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

/* `ext4: read: IOPS=...`: it begins with its own name, before the one line of fio's in it. */
static bool is_labelled(struct ft_scan *s, struct fr_str t)
{
    size_t length = 0, at = ft_next_anchor(s->rx, t, &length), more = at == NOWHERE ? 0 : at + length;
    if (ft_is_short(t))
        return true;
    struct fr_str lead = fr_str_rtrim(fr_str_range(t, 0, at == NOWHERE ? 0 : at));
    return lead.n && lead.n <= LABEL_MAX && fr_str_chr(lead, '=') == NOWHERE && strchr(":]|-)", lead.s[lead.n - 1]) &&
           ft_next_anchor(s->rx, t, &more) == NOWHERE;
}

bool ft_flowed(struct ft_scan *s, size_t i, size_t *last, struct fr_str *text)
{
    size_t end = filled_end(s->doc, i), broken = 0, bytes = 0, labelled = 0;
    for (size_t k = i; k < end; k++) {
        struct fr_str t = fr_str_trim(s->doc->lines[k].text);
        size_t length = 0;
        broken += ft_next_anchor(s->rx, t, &length) != NOWHERE;
        labelled += labelled == k - i && is_labelled(s, t);
        bytes += s->doc->lines[k].text.n + 1;
    }
    bool begins = end > i + 1 && ft_kind_of(fr_str_trim(s->doc->lines[i + 1].text)) != FT_NONE;
    if (broken == 0 || labelled == end - i || broken * SHARE < end - i ||
        (end - i == 2 && begins)) /* two lines, each of which begins anew */
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
