/*
 * pts_page.c: see pts.h. A result page of OpenBenchmarking.org, copied as text: it describes the systems, and its
 * numbers are in pictures that do not come along.
 */
#include "pts.h"

#include "banned.h"

enum { BLOCK_MAX = 24, NAMES_MAX = 512 };

/* "Compiler Notes: ...", "Processor: ..., Motherboard: ...", "OS: ..., Kernel: ...": a line about a system. */
static bool is_about(struct fr_str line)
{
    static const char *const starts[] = {"Processor: ", "OS: ", "Testing initiated at "};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (fr_str_starts(line, starts[i]))
            return true;
    size_t at = fr_str_find(line, " Notes: ");
    if (at == (size_t)-1 || at > 40)
        return false;
    for (size_t i = 0; i < at; i++)
        if (!fr_is_alpha(line.s[i]) && line.s[i] != ' ' && line.s[i] != '-')
            return false;
    return at > 0;
}

static bool is_end(struct fr_str line)
{
    return fr_str_starts(line, "Testing initiated at ") && fr_str_find(line, " by user ") != (size_t)-1;
}

/* The line that names the system of the block that ends in line i, or i when there is none. */
static size_t block_begin(const struct fr_doc *doc, size_t i)
{
    for (size_t j = i; j-- > 0 && j + BLOCK_MAX > i;) {
        struct fr_str line = fr_str_trim(doc->lines[j].text);
        if (doc->lines[j].owner)
            return i;
        if (line.n && !is_about(line))
            return is_end(line) ? i : j;
    }
    return i;
}

void fr_pts_scan_page(struct fr_doc *doc, unsigned owner, struct fr_log *log)
{
    struct fr_str names[NAMES_MAX];
    size_t n = 0;
    uint32_t first = 0;
    for (size_t i = 0; i < doc->n; i++) {
        struct fr_str line = fr_str_trim(doc->lines[i].text);
        size_t begin;
        if (doc->lines[i].owner || !is_end(line) || (begin = block_begin(doc, i)) == i)
            continue;
        struct fr_str name = fr_str_trim(doc->lines[begin].text);
        fr_doc_claim(doc, begin, i, owner, 0);
        size_t k = 0;
        while (k < n && !fr_str_eq(names[k], name))
            k++;
        if (k == n && n < NAMES_MAX)
            names[n++] = name;
        if (!first)
            first = doc->lines[begin].no;
    }
    if (!n)
        return;
    /* The same systems in the summary above, with their notes. */
    for (size_t i = 0; i < doc->n; i++)
        if (!doc->lines[i].owner && is_about(fr_str_trim(doc->lines[i].text)))
            fr_doc_claim(doc, i, i, owner, 0);
    fr_log_warn(log, doc->source, first, "%zu system%s described, no results in it: export composite.xml", n,
                n == 1 ? "" : "s");
}
