/*
 * pts_text.c: see pts.h. What the suite prints: the progress of a run with its samples, and the bars of
 * `result-file-to-text`, which also end a run and then repeat what stood above, rounded.
 *
 *     Flexible IO Tester 3.29:                          Flexible IO Tester 3.29
 *         pts/fio-1.15.0 [Type: Random Read ...]        Type: Random Read ...
 *         Test 1 of 2                                   MB/s > Higher Is Better
 *             Started Run 1 @ 08:14:23                  zvol ...... 233.00 |=========
 *         Type: Random Read ...:
 *             232.1
 *             240.2
 *         Average: 236.15 MB/s
 */
#include <math.h>

#include "pts.h"

#include "banned.h"

enum { LOOK_BACK = 400, SAMPLES_MAX = 200 };

struct text {
    struct fr_doc *doc;
    unsigned owner;
    struct fr_batch *batch;
    struct fr_log *log;
    struct fr_pts_file file;
    int status;
    bool open;            /* file is in use */
    struct fr_str client; /* `Phoronix Test Suite v10.8.4`, with which it begins */
    const char *name;     /* the system, where a prompt asked for it */
    const char *profile;  /* of the section */
    struct fr_str title, version, description;
    bool produced; /* the section has shown a value */
    uint32_t failed_line, lists_line;
    unsigned lists_n;   /* bars that stand for a list over time */
    size_t first, last; /* lines to claim */
};

static struct fr_str line_of(const struct text *t, size_t i)
{
    return fr_str_trim(t->doc->lines[i].text);
}

static const char *keep(struct text *t, struct fr_str s)
{
    return s.n ? fr_arena_copy(&t->file.arena, s.s, s.n) : NULL;
}

static void open_file(struct text *t, size_t i)
{
    if (t->open)
        return;
    fr_pts_file_init(&t->file, t->doc->source, t->doc->lines[i].no);
    t->file.rounded = true;
    t->file.client = keep(t, t->client);
    t->open = true;
    t->name = NULL;
    t->profile = NULL;
    t->first = i;
}

/* A section that ends without a value had failed, if it said so. */
static void close_section(struct text *t)
{
    if (t->open && t->profile && !t->produced && t->failed_line) {
        struct fr_pts_result *r = fr_pts_result_new(&t->file, t->failed_line);
        r->id = t->profile;
        r->title = keep(t, t->title);
        r->version = keep(t, t->version);
        r->description = keep(t, t->description);
        fr_pts_entry_new(&t->file, r, t->failed_line)->id = t->name;
    }
    t->profile = NULL;
    t->failed_line = 0;
    t->produced = false;
}

static void close_file(struct text *t)
{
    if (!t->open)
        return;
    close_section(t);
    if (t->file.results.n && fr_pts_build(&t->file, t->batch, t->log) != 0)
        t->status = -1;
    fr_pts_file_release(&t->file);
    t->open = false;
}

static void claim(struct text *t, size_t i, size_t j)
{
    fr_doc_claim(t->doc, i, j, t->owner, 0);
}

/* "Flexible IO Tester 3.29" -> title and version; a title without one stays whole. */
static void split_title(struct fr_str s, struct fr_str *title, struct fr_str *version)
{
    size_t blank = fr_str_rfind(s, " ");
    *title = s;
    *version = fr_strn("", 0);
    if (blank != (size_t)-1 && blank + 1 < s.n && fr_is_digit(s.s[blank + 1])) {
        *title = fr_str_trim(fr_str_range(s, 0, blank));
        *version = fr_str_from(s, blank + 1);
    }
}

/* ---- the progress of a run --------------------------------------------------------------------------------------- */

/* `pts/fio-1.15.0 [Type: ...]` or `pts/c-ray-1.1.0`: repository, name, three numbers. */
static bool read_profile(struct fr_str line, struct fr_str *profile, struct fr_str *description)
{
    struct fr_str word = fr_take_word(&line), v;
    size_t slash = fr_str_chr(word, '/'), dash = fr_str_rfind(word, "-");
    uint64_t n;
    if (slash == (size_t)-1 || slash == 0 || dash == (size_t)-1 || dash < slash)
        return false;
    for (size_t i = 0; i < slash; i++)
        if (!fr_is_alpha(word.s[i]) && !fr_is_digit(word.s[i]) && word.s[i] != '-' && word.s[i] != '_')
            return false;
    v = fr_str_from(word, dash + 1);
    for (int i = 0; i < 3; i++)
        if ((i && !fr_take_ch(&v, '.')) || !fr_take_u64(&v, &n, NULL))
            return false;
    line = fr_str_trim(line);
    if (v.n || (line.n && (*line.s != '[' || !fr_str_ends(line, "]"))))
        return false;
    *profile = word;
    *description = line.n ? fr_str_trim(fr_str_range(line, 1, line.n - 1)) : line;
    return true;
}

/* `Average: 236.15 MB/s`, also Minimum and Maximum; `Final: PASS (Test Pass / Fail)`. */
static bool read_value(struct fr_str line, struct fr_str *value, struct fr_str *scale)
{
    double x;
    if (!fr_take(&line, "Average: ") && !fr_take(&line, "Minimum: ") && !fr_take(&line, "Maximum: "))
        return false;
    *value = fr_take_word(&line);
    *scale = fr_str_trim(line);
    return fr_str_double(*value, &x);
}

static bool is_failure(struct fr_str line)
{
    return fr_str_starts(line, "The test run did not produce a result") ||
           fr_str_starts(line, "The test quit with a non-zero exit status") ||
           fr_str_starts(line, "This test failed to run properly");
}

/* A profile line under `Title version:`, and below it `Test 1 of 2`, or what is left of that: a value. */
static bool section_begins(struct text *t, size_t i)
{
    struct fr_str profile, description, value, scale;
    size_t above = i;
    if (!read_profile(line_of(t, i), &profile, &description))
        return false;
    while (above > 0 && above + 3 > i && !line_of(t, --above).n)
        ;
    struct fr_str head = line_of(t, above);
    if (above == i || head.n < 2 || !fr_str_ends(head, ":"))
        return false;
    bool first = false, test = false;
    for (size_t j = i + 1; j < t->doc->n && j < i + 40 && !test; j++) {
        struct fr_str line = line_of(t, j);
        test = (fr_str_starts(line, "Test ") && fr_str_find(line, " of ") != (size_t)-1) ||
               fr_str_starts(line, "Started Run 1 @") || is_failure(line) || read_value(line, &value, &scale);
        first = first || fr_str_starts(line, "Test 1 of ");
    }
    if (!test)
        return false;
    close_section(t);
    if (first && t->open && t->file.results.n)
        close_file(t);
    open_file(t, above);
    t->profile = keep(t, profile);
    t->description = description;
    split_title(fr_str_trim(fr_str_range(head, 0, head.n - 1)), &t->title, &t->version);
    claim(t, above, i);
    return true;
}

/* Samples above line i: numbers alone in their lines, blank lines between; the label above them. */
static size_t read_samples(struct text *t, size_t i, struct fr_strbuf *raw, struct fr_str *label)
{
    struct fr_str found[SAMPLES_MAX];
    size_t n = 0, j = i;
    double x;
    label->n = 0;
    while (j-- > 0 && j + LOOK_BACK > i) {
        struct fr_str line = line_of(t, j);
        if (!line.n)
            continue;
        if (n < SAMPLES_MAX && fr_str_double(line, &x)) {
            found[n++] = line;
            continue;
        }
        if (fr_str_ends(line, ":") && n)
            *label = fr_str_trim(fr_str_range(line, 0, line.n - 1));
        break;
    }
    while (n-- > 0)
        fr_strbuf_addf(raw, "%s%.*s", raw->len ? ":" : "", FR_STR(found[n]));
    return label->n ? j : i;
}

/* What stands right below an average; extremes there are of what happened within the test, not of its samples. */
static bool is_of_value(struct fr_str line)
{
    static const char *const starts[] = {"Deviation: ", "Samples: ", "Minimum: ", "Maximum: "};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (fr_str_starts(line, starts[i]))
            return true;
    return false;
}

static void add_value(struct text *t, size_t i, struct fr_str value, struct fr_str scale)
{
    struct fr_strbuf raw = FR_STRBUF_INIT;
    struct fr_str label = fr_str("");
    uint32_t no = t->doc->lines[i].no;
    size_t begin = read_samples(t, i, &raw, &label);
    struct fr_pts_result *r = fr_pts_result_new(&t->file, no);
    r->id = t->profile;
    r->title = keep(t, t->title);
    r->version = keep(t, t->version);
    r->description = keep(t, fr_str_is(label, "Test Results") ? fr_strn("", 0) : label.n ? label : t->description);
    r->scale = keep(t, scale);
    r->format = "BAR_GRAPH";
    struct fr_pts_entry *e = fr_pts_entry_new(&t->file, r, no);
    e->id = t->name;
    e->value = keep(t, value);
    e->raw = keep(t, fr_strn(fr_strbuf_str(&raw), raw.len));
    t->produced = true;
    size_t end = i;
    while (end + 1 < t->doc->n && is_of_value(line_of(t, end + 1)))
        end++;
    claim(t, begin, end);
    fr_strbuf_release(&raw);
}

/* What the suite prints when it begins says its version; prompts name what is saved. */
static void read_prompt(struct text *t, size_t i)
{
    struct fr_str line = line_of(t, i), version = line;
    if (fr_take(&version, "Phoronix Test Suite v") && version.n && fr_is_digit(*version.s)) {
        close_file(t);
        t->client = line;
        return;
    }
    bool title = fr_take(&line, "Enter a name to save these results under: ");
    if (!title && !fr_take(&line, "Enter a unique name to describe this test run / configuration: "))
        return;
    if (t->open && t->file.results.n)
        close_file(t);
    open_file(t, i);
    if (title)
        t->file.title = keep(t, fr_str_trim(line));
    else
        t->name = keep(t, fr_str_trim(line));
}

/* ---- bars -------------------------------------------------------------------------------------------------------- */

struct bar {
    struct fr_str id, value;
};

/* The dots between a name and what it reached: the last that stand apart. False when there are none. */
static bool split_dots(struct fr_str line, struct bar *bar)
{
    for (size_t i = line.n; i-- > 1;) {
        size_t from = i;
        if (line.s[i] != '.' || i + 1 == line.n || line.s[i + 1] != ' ')
            continue;
        while (from && line.s[from - 1] == '.')
            from--;
        if (from < 2 || line.s[from - 1] != ' ')
            continue;
        bar->id = fr_str_trim(fr_str_range(line, 0, from));
        bar->value = fr_str_trim(fr_str_from(line, i + 1));
        return bar->id.n > 0 && bar->value.n > 0;
    }
    return false;
}

/*
 * `zvol ...... 233.00 |=====`: an identifier, dots, a number; the bar itself may be missing or cut where the scale is
 * certain. Whether the value is a number is for the caller to see.
 */
static bool read_bar(struct fr_str line, struct bar *bar, bool need_bar)
{
    size_t pipe = fr_str_rfind(line, "|");
    if (pipe != (size_t)-1) {
        for (size_t i = pipe + 1; i < line.n; i++)
            if (line.s[i] != '=' && line.s[i] != ' ')
                return false;
        need_bar = need_bar && line.s[line.n - 1] != '=';
        line = fr_str_range(line, 0, pipe);
    }
    return !need_bar && split_dots(line, bar);
}

/* `MB/s > Higher Is Better`; `Seconds < Lower Is Better`. */
static bool read_scale(struct fr_str line, struct fr_str *scale, const char **proportion)
{
    static const struct {
        const char *end, *proportion;
    } ends[] = {{"> Higher Is Better", "HIB"}, {"< Lower Is Better", "LIB"}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fr_str_ends(line, ends[i].end)) {
            *scale = fr_str_trim(fr_str_range(line, 0, line.n - strlen(ends[i].end)));
            *proportion = ends[i].proportion;
            return true;
        }
    return false;
}

static double half_unit(struct fr_str printed)
{
    size_t point = fr_str_chr(printed, '.');
    double decimals = point == (size_t)-1 ? 0 : (double)(printed.n - point - 1);
    return 0.51 * pow(10, -decimals);
}

static bool is_text(const char *a, struct fr_str b)
{
    return fr_str_eq(fr_str(a ? a : ""), b);
}

/* The result above that these bars repeat, or NULL. */
static struct fr_pts_result *repeated(struct text *t, struct fr_str title, struct fr_str description,
                                      struct fr_str scale)
{
    if (t->open)
        fr_list_each (struct fr_pts_result, r, t->file.results)
            if (is_text(r->title, title) && is_text(r->scale, scale) &&
                (is_text(r->description, description) || !description.n))
                return r;
    return NULL;
}

/* Of a list over time there are only extremes and an average; all else is a number. */
static void odd_bar(struct text *t, const struct bar *bar, uint32_t no)
{
    if (!fr_str_starts(bar->value, "MIN: "))
        t->status = fr_log_error(t->log, t->doc->source, no, "'%.*s' is no number, left out", FR_STR(bar->value));
    else if (t->lists_n++ == 0)
        t->lists_line = no;
}

/* A bar of a result that was seen: the system's name of what is there, or one more system. */
static void add_bar(struct text *t, struct fr_pts_result *r, const struct bar *bar, uint32_t no, bool seen)
{
    double x, y;
    if (!fr_str_double(bar->value, &y)) {
        odd_bar(t, bar, no);
        return;
    }
    fr_list_each (struct fr_pts_entry, e, r->entries) {
        if (e->id && !is_text(e->id, bar->id))
            continue;
        if (seen && e->value && fr_str_double(fr_str(e->value), &x) && fabs(x - y) <= half_unit(bar->value)) {
            if (!e->id)
                e->id = keep(t, bar->id);
            return;
        }
    }
    struct fr_pts_entry *e = fr_pts_entry_new(&t->file, r, no);
    e->id = keep(t, bar->id);
    e->value = keep(t, bar->value);
}

/* Title, description and the line of the scale stand right above the bars. */
static size_t scan_bars(struct text *t, size_t i)
{
    struct fr_str scale = {"", 0}, title, version, above[2] = {{"", 0}, {"", 0}};
    const char *proportion = NULL;
    struct bar bar;
    bool marked = read_scale(line_of(t, i), &scale, &proportion);
    if (!marked)
        scale = line_of(t, i); /* before 10.x the unit stands alone: then the bars must have their stroke */
    if (!scale.n || scale.n > 80 || (!marked && fr_str_chr(scale, '|') != (size_t)-1) || i + 1 >= t->doc->n ||
        !read_bar(line_of(t, i + 1), &bar, !marked))
        return i;
    size_t begin = i, n = 0;
    for (; begin > 0 && n < 2 && line_of(t, begin - 1).n && !t->doc->lines[begin - 1].owner; n++)
        above[n] = line_of(t, --begin);
    if (!n)
        return i;
    split_title(above[n - 1], &title, &version);
    struct fr_str description = n == 2 ? above[0] : fr_strn("", 0);
    struct fr_pts_result *r = repeated(t, title, description, scale);
    bool seen = r != NULL;
    open_file(t, begin);
    if (!r) {
        r = fr_pts_result_new(&t->file, t->doc->lines[i].no);
        r->title = keep(t, title);
        r->version = keep(t, version);
        r->description = keep(t, description);
        r->scale = keep(t, scale);
        r->format = "BAR_GRAPH";
    }
    r->proportion = proportion ? proportion : r->proportion;
    size_t end = i;
    while (end + 1 < t->doc->n && read_bar(line_of(t, end + 1), &bar, !marked)) {
        end++;
        add_bar(t, r, &bar, t->doc->lines[end].no, seen);
    }
    claim(t, begin, end);
    return end;
}

int fr_pts_scan_text(struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log)
{
    struct text t = {.doc = doc, .owner = owner, .batch = batch, .log = log};
    for (size_t i = 0; i < doc->n; i++) {
        if (doc->lines[i].owner)
            continue;
        struct fr_str line = line_of(&t, i), value, scale;
        if (!line.n)
            continue;
        read_prompt(&t, i);
        if (section_begins(&t, i))
            continue;
        if (t.open && t.profile && read_value(line, &value, &scale))
            add_value(&t, i, value, scale);
        else if (t.open && t.profile && is_failure(line) && !t.failed_line)
            t.failed_line = doc->lines[i].no;
        else
            i = scan_bars(&t, i);
    }
    close_file(&t);
    if (t.lists_n)
        fr_log_note(log, doc->source, t.lists_line,
                    "%u list%s over time, of which this text has only extremes and averages, left out: composite.xml "
                    "has %s",
                    t.lists_n, t.lists_n == 1 ? "" : "s", t.lists_n == 1 ? "it" : "them");
    return t.status;
}
