/*
 * doc_markup.c: see doc_clean.h. XML in a document: what dirt looks like is text in it, and what looks like text there
 * may be its own.
 */
#include "doc_clean.h"

#include "banned.h"

/* Does XML begin with this line? */
static bool begins_markup(struct fr_str t)
{
    t = fr_str_ltrim(t);
    return t.n && *t.s == '<' && (fr_str_starts(t, "<?xml") || fr_str_starts(t, "<PhoronixTestSuite"));
}

/* Is there XML, perhaps behind quoting marks? */
static bool holds_markup(const struct fr_doc *doc)
{
    if (!fr_doc_may_hold(doc, '<'))
        return false;
    for (size_t i = 0; i < doc->n; i++) {
        size_t at = fr_str_chr(doc->lines[i].text, '<');
        struct fr_str t = fr_str_from(doc->lines[i].text, at);
        if (at != (size_t)-1 && (begins_markup(t) || fr_str_find(t, "<PhoronixTestSuite") != (size_t)-1))
            return true;
    }
    return false;
}

/* The line after the XML that begins in line i. */
static size_t markup_end(const struct fr_doc *doc, size_t i)
{
    for (; i < doc->n; i++)
        if (fr_str_find(doc->lines[i].text, "</PhoronixTestSuite>") != (size_t)-1)
            return i + 1;
    return doc->n;
}

static void append(struct fr_doc *doc, const struct fr_line *lines, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fr_doc_push(doc, &lines[i]);
}

/* The n lines as a document of their own, cleaned, behind those of doc. */
static void clean_part(struct fr_doc *doc, const struct fr_line *lines, size_t n,
                       void (*clean)(struct fr_doc *doc, bool markup))
{
    struct fr_doc part = *doc;
    part.lines = NULL;
    part.n = part.alloc = 0;
    append(&part, lines, n);
    clean(&part, holds_markup(&part));
    doc->arena = part.arena;
    doc->rewritten = part.rewritten;
    doc->ascii = part.ascii;
    append(doc, part.lines, part.n);
    free(part.lines);
}

void fr_doc_around_markup(struct fr_doc *doc, void (*clean)(struct fr_doc *doc, bool markup))
{
    if (!holds_markup(doc)) {
        clean(doc, false);
        return;
    }
    struct fr_doc old = *doc;
    doc->lines = NULL;
    doc->n = doc->alloc = 0;
    for (size_t i = 0, end; i < old.n; i = end) {
        end = i;
        if (begins_markup(old.lines[i].text)) {
            end = markup_end(&old, i);
            append(doc, old.lines + i, end - i);
            continue;
        }
        while (end < old.n && !begins_markup(old.lines[end].text))
            end++;
        clean_part(doc, old.lines + i, end - i, clean);
    }
    free(old.lines);
}
