/*
 * pts_csv.c: see pts.h. `result-file-to-csv`: nothing in it is escaped, so a row is taken only where its number of
 * values is that of the systems. `result-file-raw-to-csv` has no units and is refused with a word.
 */
#include "pts.h"

#include "banned.h"

enum { SYSTEMS_MAX = 1024 };

struct head {
    struct fr_str ids[SYSTEMS_MAX];
    size_t n;
};

/* ` ,,"id1","id2"`; identifiers may hold commas, so the quotes decide. */
static bool read_head(struct fr_str line, struct head *head)
{
    fr_take_blanks(&line);
    line = fr_str_rtrim(line);
    head->n = 0;
    if (!fr_take(&line, ",,\"") || !fr_str_ends(line, "\""))
        return false;
    line = fr_str_range(line, 0, line.n - 1);
    while (head->n < SYSTEMS_MAX) {
        size_t i = fr_str_find(line, "\",\"");
        head->ids[head->n++] = fr_str_range(line, 0, i);
        if (i == (size_t)-1)
            return true;
        line = fr_str_from(line, i + 3);
    }
    return false;
}

struct row {
    struct fr_str name, proportion, values;
};

static size_t commas(struct fr_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += s.s[i] == ',';
    return n;
}

static bool is_proportion(struct fr_str s)
{
    return fr_str_is(s, "HIB") || fr_str_is(s, "LIB") || fr_str_is(s, "ABSTRACT") || s.n == 0;
}

/* `"name",HIB,v1,v2`: the name may hold quotes and commas, so the end that leaves n values counts. */
static bool read_row(struct fr_str line, size_t n, struct row *row)
{
    line = fr_str_trim(line);
    if (!fr_take(&line, "\""))
        return false;
    for (size_t from = 0;;) {
        size_t i = fr_str_find(fr_str_from(line, from), "\",");
        if (i == (size_t)-1)
            return false;
        struct fr_str rest = fr_str_from(line, from + i + 2);
        row->name = fr_str_range(line, 0, from + i);
        row->proportion = fr_take_until(&rest, ',');
        row->values = rest;
        if (is_proportion(row->proportion) && commas(rest) + 1 == n)
            return true;
        from += i + 2;
    }
}

static const char *keep(struct fr_pts_file *file, struct fr_str s)
{
    return fr_arena_copy(&file->arena, s.s, s.n);
}

/* "Title - Description (Scale)" */
static void add_row(struct fr_pts_file *file, const struct head *head, struct row *row, uint32_t line)
{
    struct fr_pts_result *r = fr_pts_result_new(file, line);
    struct fr_str name = fr_str_trim(row->name);
    size_t paren = fr_str_rfind(name, " (");
    if (paren != (size_t)-1 && fr_str_ends(name, ")")) {
        r->scale = keep(file, fr_str_range(name, paren + 2, name.n - 1));
        name = fr_str_range(name, 0, paren);
    }
    size_t dash = fr_str_find(name, " - ");
    r->title = keep(file, fr_str_range(name, 0, dash));
    r->description = dash == (size_t)-1 ? NULL : keep(file, fr_str_from(name, dash + 3));
    r->proportion = keep(file, row->proportion);
    r->format = "BAR_GRAPH";
    for (size_t i = 0; i < head->n; i++) {
        struct fr_str value = fr_str_trim(fr_take_until(&row->values, ','));
        struct fr_pts_entry *e = fr_pts_entry_new(file, r, line);
        e->id = keep(file, head->ids[i]);
        e->value = keep(file, value);
        e->column = i;
        if (fr_str_is(value, "PASS") || fr_str_is(value, "FAIL"))
            r->format = "PASS_FAIL";
    }
}

/* Is this row the head of results, not of the hardware that stands before them? */
static bool has_results(const struct fr_doc *doc, size_t i, size_t n)
{
    struct row row;
    return i + 1 < doc->n && read_row(doc->lines[i + 1].text, n, &row) && row.proportion.n;
}

/* Title and hardware above line i: back to the first blank-led `,Title,`. */
static size_t export_begin(const struct fr_doc *doc, size_t i, struct fr_str *title)
{
    for (size_t j = i; j-- > 0 && j + 200 > i && !doc->lines[j].owner;) {
        struct fr_str line = fr_str_trim(doc->lines[j].text);
        if (line.n > 2 && *line.s == ',' && line.s[1] != ',' && fr_str_ends(line, ",")) {
            *title = fr_str_range(line, 1, line.n - 1);
            return j;
        }
    }
    return i;
}

static int scan_one(struct fr_doc *doc, size_t *i, const struct head *head, unsigned owner, struct fr_batch *batch,
                    struct fr_log *log)
{
    struct fr_pts_file file;
    struct fr_str title = {"", 0};
    struct row row;
    size_t begin = export_begin(doc, *i, &title), end = *i, bad = 0, bad_line = 0;
    fr_pts_file_init(&file, doc->source, doc->lines[*i].no);
    file.rounded = true;
    file.title = keep(&file, title);
    for (size_t k = 0; k < head->n; k++) {
        struct fr_pts_system *s = fr_pts_system_new(&file, doc->lines[*i].no);
        s->id = keep(&file, head->ids[k]);
        s->column = k;
    }
    for (size_t j = *i + 1; j < doc->n; j++) {
        struct fr_str t = fr_str_trim(doc->lines[j].text);
        if (!t.n || fr_str_starts(t, "```") || fr_str_starts(t, "~~~"))
            break; /* the end of a code block is no row */
        end = j;
        if (read_row(doc->lines[j].text, head->n, &row))
            add_row(&file, head, &row, doc->lines[j].no);
        else if (bad++ == 0)
            bad_line = doc->lines[j].no;
    }
    file.line_end = doc->lines[end].no;
    fr_log_note(log, doc->source, doc->lines[*i].no,
                "a CSV export of Phoronix has no samples and averages what is a list: composite.xml has all");
    if (bad)
        fr_log_error(log, doc->source, (unsigned)bad_line, "%zu row%s with another number of values than %zu, left out",
                     bad, bad == 1 ? "" : "s", head->n);
    int status = fr_pts_build(&file, batch, log);
    fr_doc_claim(doc, begin, end, owner, 0);
    fr_pts_file_release(&file);
    *i = end;
    return bad ? -1 : status;
}

static bool is_raw_mark(struct fr_str line)
{
    line = fr_str_trim(line);
    return fr_str_is(line, "Higher Results Are Better") || fr_str_is(line, "Lower Results Are Better");
}

/* Blocks of `"Title - Description",`, the mark, `"id",s1,s2`. */
static void refuse_raw(struct fr_doc *doc, unsigned owner, struct fr_log *log)
{
    size_t n = 0, first = 0;
    for (size_t i = 1; i < doc->n; i++) {
        if (doc->lines[i].owner || !is_raw_mark(doc->lines[i].text) ||
            !fr_str_starts(fr_str_trim(doc->lines[i - 1].text), "\""))
            continue;
        if (n++ == 0)
            first = i - 1;
        size_t j = i + 1;
        while (j < doc->n &&
               (!fr_str_trim(doc->lines[j].text).n ||
                (fr_str_starts(doc->lines[j].text, "\"") && !fr_str_ends(fr_str_trim(doc->lines[j].text), "\","))))
            j++;
        fr_doc_claim(doc, i - 1, j - 1, owner, 0);
    }
    if (n)
        fr_log_warn(log, doc->source, doc->lines[first].no,
                    "%zu test%s of a raw CSV export of Phoronix, which has no units, left out: export composite.xml", n,
                    n == 1 ? "" : "s");
}

int fr_pts_scan_csv(struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log)
{
    int status = 0;
    struct head *head = NULL;
    for (size_t i = 0; i < doc->n; i++) {
        struct fr_str line = fr_str_ltrim(doc->lines[i].text);
        if (doc->lines[i].owner || !fr_str_starts(line, ",,\""))
            continue;
        if (!head)
            head = calloc(1, sizeof *head);
        if (!head)
            return fr_log_error(log, doc->source, doc->lines[i].no, "out of memory, skipped");
        if (read_head(line, head) && has_results(doc, i, head->n) && scan_one(doc, &i, head, owner, batch, log) != 0)
            status = -1;
    }
    free(head);
    refuse_raw(doc, owner, log);
    return status;
}
