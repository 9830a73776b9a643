/*
 * cdm.c: CrystalDiskMark's text of 2.x to 9.x and what copies it (KDiskMark, AmorphousDiskMark, shell scripts on fio).
 *
 * A report is a header, rows under [Read], [Write] and [Mix] (before 7: rows that name their direction), and a footer.
 * People keep any part of it. So the unit here is the row: a row starts a run when none is open, or when the open one
 * has this test already, its footer was seen, or a heading stands between. What stands above belongs to the rows
 * below, the footer to those above. docs/formats/crystaldiskmark.md has the grammar by version.
 */
#include "cdm.h"

#include <math.h>

#include "banned.h"

enum {
    PENDING_MAX = 64, /* lines above the first row */
    FOREIGN_MAX = 3,  /* lines of prose that may stand inside a report */
    TITLE_MAX = 80,
    HEAD_LINES = 3, /* from a word that heads rows to the first of them */
    ROW_MAX = 400   /* bytes of a row */
};

static const size_t none = (size_t)-1;

struct head {
    struct fr_str title, version; /* lent by the batch; n = 0: not known */
    bool any, kdisk, units;
};

struct scan {
    struct fr_doc *doc;
    struct fr_batch *batch;
    struct fr_log *log;
    unsigned owner;
    size_t at;         /* index of the line that is being read */
    size_t base;       /* where the piece of it that is being read begins: a string in it has several */
    size_t last_ruler; /* index + 1 */
    struct head head;
    size_t pending[PENDING_MAX], pending_n; /* lines that are the tool's own if a row follows */
    /* The open run, or several side by side. */
    struct fr_cdm_column columns[CDM_COLUMNS];
    size_t columns_n;
    bool foot_seen, noted_kdisk, noted_comma, noted_op, noted_full;
    uint64_t digest;
    size_t comment_at; /* index + 1 of the line that may be the comment of 3.x */
    /* The section. */
    enum fr_op section;
    size_t section_at;  /* index + 1; 0: no section line since the last run */
    bool section_fresh; /* no row since */
    unsigned mix_read;  /* per cent; 0: not known */
    const char *titles[CDM_COLUMNS];
    size_t titles_n;
    /* What stands between. */
    unsigned foreign;
    bool heading;
    size_t by_hand, by_hand_line;
    int status;
};

static uint32_t line_no(const struct scan *s)
{
    return s->doc->lines[s->at].no;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static void finish(struct scan *s)
{
    for (size_t i = 0; i < s->columns_n; i++) {
        struct fr_cdm_column *c = &s->columns[i];
        fr_cdm_column_end(s->batch, c, s->doc->source, s->log);
        if (s->titles_n == s->columns_n && s->columns_n > 1)
            c->run->own_label = s->titles[i];
        c->run->digest = s->columns_n == 1 && c->run->started_at ? s->digest : 0;
    }
    s->columns_n = 0;
    s->titles_n = 0;
    s->foot_seen = s->noted_kdisk = s->noted_comma = s->noted_op = s->noted_full = false;
    s->comment_at = 0;
    s->digest = 0;
}

static void claim(struct scan *s, size_t line, unsigned flags)
{
    fr_doc_claim(s->doc, line, line, s->owner, flags);
}

/* This line is the tool's own if a row follows, or now when a run is open. */
static void noise(struct scan *s, size_t line)
{
    if (s->columns_n)
        claim(s, line, FR_LINE_NOISE);
    else if (s->pending_n < PENDING_MAX)
        s->pending[s->pending_n++] = line;
}

/* FNV-1a over the lines of the run. */
static void digest_add(struct scan *s, struct fr_str text)
{
    uint64_t h = s->digest ? s->digest : 0xcbf29ce484222325u;
    for (size_t i = 0; i < text.n; i++)
        h = (h ^ (unsigned char)text.s[i]) * 0x100000001b3u;
    s->digest = h;
}

/* This text belongs to the open run, or to the one that begins. */
static void touch(struct scan *s, struct fr_str text)
{
    if (s->columns_n)
        digest_add(s, fr_str_trim(text));
    s->foreign = 0;
    s->heading = false;
    for (size_t i = 0; i < s->columns_n; i++)
        s->columns[i].run->line_end = line_no(s);
}

static struct fr_cdm_column *column_open(struct scan *s, size_t i, size_t at)
{
    while (s->columns_n <= i) {
        struct fr_cdm_column *c = &s->columns[s->columns_n++];
        size_t first = s->section_at && s->section_fresh ? s->section_at - 1 : s->at;
        memset(c, 0, sizeof *c);
        c->run = fr_run_new(s->batch, "cdm", "crystaldiskmark", s->doc->lines[first].no);
        c->run->line_end = line_no(s);
        c->run->column = fr_doc_column(s->at, s->base + at);
        c->run->form = FR_FORM_TEXT;
        if (s->head.title.n)
            c->run->title = fr_arena_copy(&s->batch->arena, s->head.title.s, s->head.title.n);
        if (s->head.version.n)
            c->run->tool_version = fr_arena_copy(&s->batch->arena, s->head.version.s, s->head.version.n);
    }
    return &s->columns[i];
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* The place of the test of this name that has no figures of this direction yet; c->n: a new one; none: the run has it.
 */
static size_t find_test(const struct scan *s, const struct fr_cdm_column *c, const char *name, enum fr_op op)
{
    bool taken = false;
    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->tests[i]->name, name) != 0)
            continue;
        if (!(c->ops[i] & 1u << op))
            return i;
        taken = true;
    }
    /* Two tests of the same settings stand in one section only where the user set them so. */
    bool in_section = s->section_at && !s->section_fresh;
    return taken && !in_section ? none : c->n;
}

static void set_number(struct scan *s, struct fr_cdm_column *c, struct fr_test *test, const char *key, unsigned n)
{
    char text[16];
    snprintf(text, sizeof text, "%u", n);
    fr_param_set(s->batch, c->run, test, key, fr_str(text), FR_FROM_FORMAT, line_no(s));
}

static struct fr_test *test_of(struct scan *s, struct fr_cdm_column *c, const struct fr_cdm_row *row, enum fr_op op)
{
    char name[64], size[24];
    size_t i = find_test(s, c, fr_cdm_name(row, name), op);
    if (i == none || i >= CDM_TESTS)
        return NULL;
    if (i == c->n) {
        struct fr_test *test = fr_test_new(s->batch, c->run, fr_str(name), line_no(s));
        c->tests[i] = test;
        c->ops[i] = 0;
        c->random[i] = row->random;
        c->n++;
        if (row->block > 0)
            fr_param_set(s->batch, c->run, test, "bs", fr_str(fr_size_format(row->block, size)), FR_FROM_FORMAT,
                         line_no(s));
        set_number(s, c, test, "iodepth", row->q);
        set_number(s, c, test, "numjobs", row->t);
    }
    c->ops[i] |= 1u << op;
    if (op == FR_OP_MIXED && s->mix_read)
        set_number(s, c, c->tests[i], "rwmixread", s->mix_read);
    return c->tests[i];
}

/*
 * The rate in bytes per second. CrystalDiskMark computes IOPS from its MB/s, so both must agree; KDiskMark divides
 * fio's KiB/s by 1000 (1.4 and 1.5: by 1024) and calls that MB/s, so its IOPS tell the rate.
 */
static double rate_of(struct scan *s, const struct fr_cdm_row *row, const struct fr_cdm_cell *cell, const char *name)
{
    double by_iops = cell->iops * row->block;
    double slack = 0.01 * cell->rate + cell->rate_half + cell->iops_half * row->block;
    bool comparable = cell->iops > 0 && row->block > 0 && cell->rate > 0;
    bool agree = comparable && fabs(by_iops - cell->rate) <= slack;
    if (!s->head.kdisk && (s->head.any || !row->gap || !comparable || agree)) {
        if (comparable && !agree)
            fr_log_warn(s->log, s->doc->source, line_no(s),
                        "'%s' says %.3f MB/s, but its %.1f IOPS of %.0f bytes make %.3f MB/s, both are kept as printed",
                        name, cell->rate / 1e6, cell->iops, row->block, by_iops / 1e6);
        return cell->rate;
    }
    if (!s->noted_kdisk)
        fr_log_note(s->log, s->doc->source, line_no(s),
                    "KDiskMark's MB/s is not 1,000,000 bytes per second: its rates are taken as IOPS times block size");
    s->noted_kdisk = true;
    if (!comparable) {
        double scale = s->head.version.n ? 1.024 : 1.048576;
        fr_log_warn(s->log, s->doc->source, line_no(s), "'%s' has no IOPS, its MB/s is taken as %.0f bytes", name,
                    scale * 1e6);
        return cell->rate * scale;
    }
    if (fabs(by_iops - cell->rate * 1.024) > slack && fabs(by_iops - cell->rate * 1.048576) > slack)
        fr_log_warn(s->log, s->doc->source, line_no(s),
                    "'%s' says %.3f MB/s, but its %.1f IOPS of %.0f bytes make %.3f MB/s, the latter is taken", name,
                    cell->rate / 1e6, cell->iops, row->block, by_iops / 1e6);
    return by_iops;
}

static void add_values(struct scan *s, struct fr_test *test, enum fr_op op, const struct fr_cdm_row *row,
                       const struct fr_cdm_cell *cell)
{
    if (cell->rate <= 0 && cell->iops <= 0 && cell->lat <= 0) {
        fr_log_explain(s->log, s->doc->source, line_no(s), "'%s' is all zeros: it was not run and has no values",
                       test->name);
        return;
    }
    double rate = rate_of(s, row, cell, test->name);
    if (rate > 0)
        fr_value_add(s->batch, test, op, FR_M_BW, "mean", rate, line_no(s));
    if (cell->iops > 0)
        fr_value_add(s->batch, test, op, FR_M_IOPS, "mean", cell->iops, line_no(s));
    if (cell->lat > 0)
        fr_value_add(s->batch, test, op, FR_M_LAT, "mean", cell->lat, line_no(s));
    if (cell->comma && !s->noted_comma) {
        fr_log_note(s->log, s->doc->source, line_no(s), "a decimal comma in '%s' was read as the decimal point",
                    test->name);
        s->noted_comma = true;
    }
}

/* `text`: the row as it stands. */
static void add_row(struct scan *s, const struct fr_cdm_row *row, struct fr_str text)
{
    enum fr_op op = row->op != FR_OP_NONE ? row->op : s->section_at ? s->section : FR_OP_NONE;
    char name[64];
    if (s->columns_n && s->foot_seen && !s->section_fresh) { /* what stands above is another result's */
        finish(s);
        s->head = (struct head){0};
        s->section_at = 0;
        op = row->op;
    }
    if (s->columns_n && (s->heading || find_test(s, &s->columns[0], fr_cdm_name(row, name), op) == none))
        finish(s);
    for (size_t i = 0; i < row->n; i++) {
        struct fr_cdm_column *c = column_open(s, i, row->cell[i].at);
        struct fr_test *test = test_of(s, c, row, op);
        if (test)
            add_values(s, test, op, row, &row->cell[i]);
        else if (!s->noted_full)
            fr_log_warn(s->log, s->doc->source, line_no(s),
                        "more than %d tests in one result, '%s' and those after it are left out", CDM_TESTS,
                        fr_cdm_name(row, name));
        s->noted_full |= !test;
    }
    for (size_t i = 0; i < s->pending_n; i++)
        claim(s, s->pending[i], FR_LINE_NOISE);
    s->pending_n = 0;
    claim(s, s->at, 0);
    touch(s, text);
    s->section_fresh = false;
    if (op == FR_OP_NONE && !s->noted_op) {
        fr_log_warn(s->log, s->doc->source, line_no(s),
                    "no [Read] or [Write] stands above, the values have no direction");
        s->noted_op = true;
    }
}

/* ---- header and sections ----------------------------------------------------------------------------------------- */

static bool is_ruler(struct fr_str t)
{
    t = fr_str_trim(t);
    if (t.n < 10)
        return false;
    for (size_t i = 0; i < t.n; i++)
        if (t.s[i] != '-' && t.s[i] != '=')
            return false;
    return true;
}

/* After the version stands the edition, or nothing. */
static bool is_header_rest(struct fr_str rest)
{
    static const char *const words[] = {"x64", "x86", "ARM", "(C)", "(UWP", "Shizuku", "Aoi",     "MSI",
                                        "(x6", "(x8", "(64", "(32", "Mei",  "Beta",    "Crystal", "Edition"};
    rest = fr_str_trim(rest);
    while (rest.n && strchr(":,;\"'*#+`", rest.s[0]))
        rest = fr_str_trim(fr_str_from(rest, 1));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fr_str_starts_nocase(rest, words[i]))
            return true;
    return rest.n == 0;
}

/* The place of a header in t from `at` on: its name and version; none when there is none. */
static size_t find_header(struct fr_str t, size_t at, struct fr_str *name, struct fr_str *version)
{
    for (size_t i; (i = fr_str_find(fr_str_from(t, at), "DiskMark")) != none; at += i + 8) {
        size_t start = at + i, end = start + 8;
        while (start > at && fr_is_alpha(t.s[start - 1]))
            start--;
        struct fr_str rest = fr_str_from(t, end);
        bool kdisk = end - start == 9 && t.s[start] == 'K';
        *name = fr_str_range(t, start, end);
        *version = fr_strn(NULL, 0);
        if (kdisk && fr_str_starts(rest, ": http"))
            return start;
        fr_take_blanks(&rest);
        if (fr_take_ch(&rest, '('))
            fr_take_blanks(&rest);
        if (rest.n && fr_lower(rest.s[0]) == 'v')
            rest = fr_str_from(rest, 1);
        size_t n = 0;
        while (n < rest.n && n < 20 && (fr_is_digit(rest.s[n]) || fr_is_alpha(rest.s[n]) || rest.s[n] == '.'))
            n++;
        while (n && rest.s[n - 1] == '.')
            n--;
        if (!n || !fr_is_digit(rest.s[0]))
            continue;
        *version = fr_str_range(rest, 0, n);
        rest = fr_str_from(rest, n);
        if (fr_take_ch(&rest, ')') && kdisk)
            return start;
        if (is_header_rest(rest))
            return start;
    }
    return none;
}

static void set_header(struct scan *s, struct fr_str t, size_t at, struct fr_str name, struct fr_str version)
{
    finish(s);
    s->head = (struct head){.any = true};
    s->head.kdisk = fr_str_is(name, "KDiskMark");
    s->section_at = 0;
    s->foreign = 0;
    s->heading = false;
    s->pending_n = 0;
    struct fr_str title = fr_str_from(t, at);
    size_t end = fr_str_find(title, "(C)");
    if (end == none)
        end = fr_str_find(title, "(c)");
    size_t after_version = version.n ? (size_t)(version.s + version.n - title.s) : name.n;
    if (end == none || end > TITLE_MAX || s->head.kdisk) {
        struct fr_str rest = fr_str_from(title, after_version), word = fr_take_word(&rest);
        end = after_version;
        if (fr_str_is(word, "x64") || fr_str_is(word, "x86") || fr_str_starts(word, "ARM"))
            end = (size_t)(word.s + word.n - title.s);
    }
    title = fr_str_rtrim(fr_str_range(title, 0, end));
    if (s->head.kdisk)
        title = name;
    s->head.title = fr_strn(fr_arena_copy(&s->batch->arena, title.s, title.n), title.n);
    s->head.version = fr_strn(fr_arena_copy(&s->batch->arena, version.s, version.n), version.n);
    if (s->last_ruler == s->at)
        noise(s, s->at - 1);
    noise(s, s->at);
}

/* Lines that always stand the same. */
static bool is_boilerplate(struct fr_str t)
{
    static const char *const starts[] = {"Crystal Dew World", "MB/s = 1,000,000", "KB = 1000 bytes",
                                         "Flexible I/O Tester"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (fr_str_starts(t, starts[i]))
            return true;
    return false;
}

/* Column titles behind `[Read]`: pieces between at least two blanks, without their marks. */
static void read_titles(struct scan *s, struct fr_str rest)
{
    const char *titles[CDM_COLUMNS];
    size_t n = 0;
    for (;;) {
        rest = fr_str_trim(rest);
        size_t end = fr_str_find(rest, "  ");
        struct fr_str title = fr_str_range(rest, 0, end);
        while (title.n > 1 && strchr("*_`", title.s[0]))
            title = fr_str_from(title, 1);
        while (title.n && strchr("*_`:", title.s[title.n - 1]))
            title.n--;
        title = fr_str_trim(title);
        if (!title.n || n == CDM_COLUMNS)
            break;
        titles[n++] = fr_arena_copy(&s->batch->arena, title.s, title.n > TITLE_MAX ? TITLE_MAX : title.n);
        if (end == none)
            break;
        rest = fr_str_from(rest, end);
    }
    if (n < 2)
        return;
    memcpy(s->titles, titles, n * sizeof *titles);
    s->titles_n = n;
}

/* Where the row ends that begins at t[at]; 0: it has no figures. */
static size_t row_end(struct fr_str t, size_t at)
{
    struct fr_cdm_row row;
    size_t end = 0;
    return fr_cdm_row(t, at, true, &row, &end) == FR_CDM_ROW ? end : 0;
}

/* Is the next line with anything in it, but a code fence, a row of figures? */
static bool heads_rows(const struct scan *s)
{
    struct fr_strbuf clean = FR_STRBUF_INIT;
    bool found = false, looked = false;
    for (size_t i = s->at + 1; !looked && i < s->doc->n && i <= s->at + HEAD_LINES; i++) {
        struct fr_str t = fr_str_trim(s->doc->lines[i].text);
        if (!t.n || fr_str_starts(t, "```"))
            continue;
        looked = true;
        fr_cdm_clean(t, &clean);
        t = fr_cdm_unprefix(fr_strn(fr_strbuf_str(&clean), clean.len));
        size_t at = fr_cdm_label(t, 0);
        found = at == 0 && row_end(t, at) > 0;
    }
    fr_strbuf_release(&clean);
    return found;
}

/* Does the line head the rows below it: within a report any such word, else where rows follow? */
static bool is_section(const struct scan *s, struct fr_str t, enum fr_op *op)
{
    return fr_cdm_bare_section(t, op) && (s->columns_n || s->head.any || s->head.units || heads_rows(s));
}

static bool run_has_op(const struct scan *s, enum fr_op op)
{
    for (size_t i = 0; s->columns_n && i < s->columns[0].n; i++)
        if (s->columns[0].ops[i] & 1u << op)
            return true;
    return false;
}

static void set_section(struct scan *s, enum fr_op op, struct fr_str rest)
{
    if (s->columns_n && (s->foot_seen || s->heading || run_has_op(s, op))) {
        bool other = s->foot_seen; /* below a footer, the header above is another result's */
        finish(s);
        if (other)
            s->head = (struct head){0};
    }
    if (!s->columns_n || !s->section_at) /* the rows above may have lost theirs */
        s->section_at = s->at + 1;
    s->section = op;
    s->section_fresh = true;
    s->mix_read = 0;
    if (op == FR_OP_MIXED) {
        size_t at = fr_str_find(rest, "Read");
        struct fr_str n = fr_str_trim(fr_str_from(rest, at == none ? rest.n : at + 4));
        uint64_t share;
        if (fr_take_u64(&n, &share, NULL) && share > 0 && share < 100 && fr_str_starts(n, "%"))
            s->mix_read = (unsigned)share;
    } else {
        read_titles(s, rest);
    }
    noise(s, s->at);
    touch(s, rest);
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* Prose inside a report: a heading ends the open run, much of it forgets the header. */
static void foreign_line(struct scan *s, struct fr_str text)
{
    struct fr_str t = fr_str_trim(text);
    if (fr_str_starts(t, "```") || fr_str_starts(t, "~~~"))
        return;
    if (s->comment_at == s->at + 1 && s->columns_n && fr_str_starts(text, "  ")) {
        for (size_t i = 0; i < s->columns_n; i++)
            fr_param_set(s->batch, s->columns[i].run, NULL, "comment", t, FR_FROM_FORMAT, line_no(s));
        claim(s, s->at, FR_LINE_NOISE);
        return;
    }
    if (t.s[0] == '#' || fr_str_starts(t, "**") ||
        (t.s[t.n - 1] == ':' && t.n <= 160 && !fr_str_is_nocase(t, "read:") && !fr_str_is_nocase(t, "write:") &&
         !fr_str_is_nocase(t, "mix:")))
        s->heading = true;
    if (++s->foreign <= FOREIGN_MAX)
        return;
    finish(s);
    s->head = (struct head){0};
    s->pending_n = 0;
    s->section_at = 0;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The next row in t from `from` on; a broken one is reported on the way. */
static size_t find_row(struct scan *s, struct fr_str t, size_t from, struct fr_cdm_row *row, size_t *end)
{
    for (size_t at = from; (at = fr_cdm_label(t, at)) != none; at++) {
        if (at && t.s[at - 1] == '|')
            continue;
        bool known = s->head.any || s->head.units;
        enum fr_cdm_found found = fr_cdm_row(t, at, known, row, end);
        if (found == FR_CDM_ROW)
            return at;
        if (found == FR_CDM_NONE || fr_cdm_by_hand(fr_str_from(t, at)))
            continue;
        fr_log_warn(s->log, s->doc->source, line_no(s),
                    "looks like a row of CrystalDiskMark, but has no rate: skipped");
        s->status = -1;
    }
    return none;
}

/* A footer at t[at], up to the next header. Returns where it ends; `at` when it is none. */
static size_t read_foot(struct scan *s, struct fr_str t, size_t at)
{
    struct fr_run *runs[CDM_COLUMNS];
    struct fr_str name, version;
    bool ended = false;
    if (!s->columns_n || s->foreign || !fr_cdm_is_foot(fr_str_from(t, at)))
        return at;
    size_t end = smaller(find_header(t, at, &name, &version), t.n);
    size_t ruler = fr_str_find(fr_str_range(t, at, end), "----------");
    if (ruler != none)
        end = at + ruler;
    for (size_t i = 0; i < s->columns_n; i++)
        runs[i] = s->columns[i].run;
    if (!fr_cdm_foot(s->batch, runs, s->columns_n, fr_str_trim(fr_str_range(t, at, end)), s->doc->source, line_no(s),
                     &ended, s->log))
        return at;
    s->foot_seen = true;
    if (ended && (fr_str_starts(s->head.version, "3.") || fr_str_starts(s->head.version, "2.")))
        s->comment_at = s->at + 2;
    claim(s, s->at, FR_LINE_NOISE);
    touch(s, fr_str_range(t, at, end));
    return end;
}

/* What comes next in a text, each searched for once: a line may hold many reports. */
struct ahead {
    bool header_known, section_known, row_known;
    size_t header, section, section_end, row, row_end;
    struct fr_str name, version; /* of the header */
    enum fr_op op;               /* of the section */
    struct fr_cdm_row figures;
};

static void look_ahead(struct scan *s, struct ahead *a, struct fr_str t, size_t at)
{
    if (!a->header_known || a->header < at)
        a->header = find_header(t, at, &a->name, &a->version);
    if (!a->section_known || a->section < at)
        a->section = fr_cdm_section(t, at, &a->op, &a->section_end);
    if (!a->row_known || a->row < at)
        a->row = find_row(s, t, at, &a->figures, &a->row_end);
    a->header_known = a->section_known = a->row_known = true;
}

/* What begins at t[at] in a line that may hold a whole report: the place after it, or none when nothing is left. */
static size_t read_next(struct scan *s, struct ahead *a, struct fr_str t, size_t at, bool whole)
{
    if (at == 0 || whole) {
        size_t skip = at;
        while (skip < t.n && t.s[skip] == ' ')
            skip++;
        size_t end = read_foot(s, t, skip);
        if (end != skip)
            return end;
    }
    look_ahead(s, a, t, at);
    size_t section = a->section;
    if (section != none && section > 0 && !whole && a->row == none)
        section = none; /* [Read] in the middle of a sentence */
    if (a->header != none && a->header <= smaller(section, a->row)) {
        set_header(s, t, a->header, a->name, a->version);
        a->row_known = false; /* below a header more is a row */
        return a->header + a->name.n;
    }
    if (section != none && section < a->row) {
        size_t stop = smaller(a->row, smaller(a->header, t.n));
        set_section(s, a->op, fr_str_range(t, a->section_end, stop));
        return a->section_end;
    }
    if (a->row == none)
        return none;
    add_row(s, &a->figures, fr_str_range(t, a->row, a->row_end));
    return a->row_end;
}

static void read_text(struct scan *s, struct fr_str text)
{
    struct fr_str t = fr_cdm_unprefix(text);
    if (is_ruler(text)) {
        if (s->head.any && !s->columns_n)
            noise(s, s->at);
        s->last_ruler = s->at + 1;
        return;
    }
    if (!t.n)
        return;
    if (is_boilerplate(t)) {
        if (s->columns_n) {
            finish(s);
            s->head = (struct head){0};
        }
        s->head.units = true;
        s->foreign = 0;
        noise(s, s->at);
        if (fr_str_find(t, "[Read]") == none)
            return;
    }
    enum fr_op op;
    if (is_section(s, t, &op)) {
        set_section(s, op, fr_strn("", 0));
        return;
    }
    struct ahead ahead = {0};
    size_t at = 0;
    bool whole = false; /* something was found in it: look for the rest of a report on one line */
    while (at < t.n) {
        size_t next = read_next(s, &ahead, t, at, whole);
        if (next == none || next <= at)
            break;
        at = next;
        whole = true;
    }
    if (whole)
        return;
    if (fr_cdm_by_hand(t) && !fr_str_starts(fr_str_trim(text), "|") && fr_str_chr(t, '|') == none) {
        if (!s->by_hand++)
            s->by_hand_line = s->at;
    }
    foreign_line(s, text);
}

/* Can this line begin anything? */
static bool is_candidate(struct fr_str t)
{
    if (t.n < 6)
        return false;
    if (fr_str_find(t, "DiskMark") != none || fr_str_find(t, "\xef\xbc") != none)
        return true;
    if (fr_str_chr(t, '[') != none) {
        enum fr_op op;
        size_t end;
        if (fr_cdm_section(t, 0, &op, &end) != none)
            return true;
    }
    if (is_boilerplate(fr_cdm_unprefix(t)))
        return true;
    return (fr_str_find(t, "/s") != none || fr_str_chr(t, 'Q') != none) && fr_cdm_label(t, 0) != none;
}

static bool probe(const struct fr_doc *doc)
{
    for (size_t i = 0; i < doc->n; i++)
        if (!doc->lines[i].owner && is_candidate(doc->lines[i].text))
            return true;
    return false;
}

/*
 * The line s->at into `clean`, with those that follow as long as a row goes on in the next one: mail programs break
 * lines at 72 characters, and a row has 77. Returns the index of the last line.
 */
static size_t join_lines(struct scan *s, struct fr_strbuf *clean)
{
    struct fr_strbuf next = FR_STRBUF_INIT;
    size_t last = s->at;
    fr_cdm_clean(s->doc->lines[last].text, clean);
    while (last + 1 < s->doc->n && clean->len < CDM_LINE_MAX && !s->doc->lines[last + 1].owner) {
        struct fr_str t = fr_strn(fr_strbuf_str(clean), clean->len);
        size_t label = none, line_length = t.n;
        for (size_t at = 0; (at = fr_cdm_label(t, at)) != none; at++)
            label = at;
        if (label == none || (line_length - label > ROW_MAX && row_end(t, label) < line_length - 4))
            break;
        fr_cdm_clean(s->doc->lines[last + 1].text, &next);
        struct fr_str more = fr_str_ltrim(fr_strn(fr_strbuf_str(&next), next.len));
        fr_strbuf_addch(clean, ' ');
        fr_strbuf_add(clean, more.s, more.n);
        if (!more.n || row_end(fr_strn(fr_strbuf_str(clean), clean->len), label) <= line_length + 1) {
            fr_strbuf_cut(clean, line_length);
            break;
        }
        last++;
    }
    fr_strbuf_release(&next);
    return last;
}

static void read_line(struct scan *s, struct fr_strbuf *clean)
{
    const struct fr_line *line = &s->doc->lines[s->at];
    bool context = s->columns_n || s->pending_n || s->head.any || s->head.units;
    if (line->owner)
        return;
    enum fr_op op;
    if (!context && !is_candidate(line->text) && !is_section(s, fr_cdm_unprefix(line->text), &op)) {
        if (is_ruler(line->text))
            s->last_ruler = s->at + 1;
        return;
    }
    size_t last = join_lines(s, clean);
    struct fr_str rest = fr_strn(fr_strbuf_str(clean), clean->len);
    while (rest.n) {
        struct fr_str text = fr_take_until(&rest, '\n');
        s->base = (size_t)(text.s - clean->buf);
        if (fr_str_trim(text).n)
            read_text(s, text);
    }
    for (; s->at < last; s->at++)
        claim(s, s->at + 1, FR_LINE_NOISE);
}

static int scan(void *state, struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log)
{
    (void)state;
    struct fr_strbuf clean = FR_STRBUF_INIT;
    struct scan *s = calloc(1, sizeof *s);
    if (!s)
        return fr_log_error(log, doc->source, 0, "out of memory, no CrystalDiskMark result was looked for");
    s->doc = doc;
    s->batch = batch;
    s->log = log;
    s->owner = owner;
    for (s->at = 0; s->at < doc->n; s->at++)
        read_line(s, &clean);
    finish(s);
    if (s->by_hand)
        fr_log_warn(log, doc->source, doc->lines[s->by_hand_line].no,
                    "%zu line%s like CrystalDiskMark results noted by hand, not laid out as it prints them: not read",
                    s->by_hand, s->by_hand == 1 ? " looks" : "s look");
    int status = s->status;
    free(s);
    fr_strbuf_release(&clean);
    return status;
}

const struct fr_parser fr_parser_cdm = {
    .name = "cdm",
    .tool = "crystaldiskmark",
    .title = "CrystalDiskMark text, and KDiskMark, AmorphousDiskMark and scripts that print it",
    .versions = "CrystalDiskMark 2 to 9, KDiskMark 1.4 to 3.2",
    .probe = probe,
    .scan = scan,
};
