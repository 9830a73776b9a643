/* test_dialects.c: one set of nasty texts through every table dialect; what a reader gets back must be the text. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "escape.h"
#include "scan.h"
#include "utf8.h"

static int failures;

static void check(bool fine, const char *name, const char *format, const char *detail)
{
    if (fine) {
        printf("ok %s\n", name);
        return;
    }
    failures++;
    printf("FAIL %s: ", name);
    printf(format[0] ? "%s: %s\n" : "%s%s\n", format, detail);
}

static const char *const nasty[] = {
    "plain",
    "a|b",
    "`code|x`",
    "*bold*",
    "_under_",
    "<b>x</b>",
    "# head",
    "\"quoted\"",
    "it's",
    "two\nlines",
    "naïve café",
    "日本語テスト",
    "مرحبا",
    "🚀 fast 👩‍🔬",
    "",
    "=cmd()",
    "+1+1",
    "-rm",
    "@SUM(A1)",
    "-5",
    "a\\b",
    "\\",
    "a,b;c",
    "[x](y)",
    "&amp; & <",
    "$x$ 50% ^ ~",
    "{a} \\alpha",
    "- item",
    "1. one",
    "tab\there",
    "a_b_c",
    "--- -> (C) ...",
    "https://x.y/?a=b&c",
    "www.x_y.z",
    "((x))",
    "a2+| x",
    "[[link]] [fn:1]",
    "é e\xCC\x81",
    "* * *",
    "||",
    "\\|",
    "~~gone~~",
    "trailing \\",
    " spaced ",
};
enum { NASTY = sizeof nasty / sizeof *nasty };

/* ---- small readers, one per dialect: the inverse that the dialect's documents define ----------------------------- */

struct entity {
    const char *from, *to;
};

static void unescape(struct fr_strbuf *out, const char *s, const struct entity *list, bool backslash)
{
    while (*s) {
        const struct entity *e = list;
        while (e && e->from && strncmp(s, e->from, strlen(e->from)) != 0)
            e++;
        if (e && e->from) {
            fr_strbuf_addstr(out, e->to);
            s += strlen(e->from);
        } else if (backslash && *s == '\\' && s[1] && strchr("|\\`*_<#[]~$>&:.()-+=", s[1])) {
            fr_strbuf_addch(out, s[1]);
            s += 2;
        } else {
            fr_strbuf_addch(out, *s++);
        }
    }
}

static void read_back(const char *dialect, const char *source, struct fr_strbuf *out)
{
    static const struct entity br[] = {{"<br>", "\n"}, {NULL, NULL}};
    static const struct entity html[] = {{"<br>", "\n"},   {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"},
                                         {"&quot;", "\""}, {"&#39;", "'"}, {NULL, NULL}};
    static const struct entity latex[] = {{"\\textbackslash{}", "\\"},
                                          {"\\textasciicircum{}", "^"},
                                          {"\\textasciitilde{}", "~"},
                                          {"\\textless{}", "<"},
                                          {"\\textgreater{}", ">"},
                                          {"\\textbar{}", "|"},
                                          {"\\textasciigrave{}", "`"},
                                          {"\\textquotedbl{}", "\""},
                                          {"\\{", "{"},
                                          {"\\}", "}"},
                                          {"\\$", "$"},
                                          {"\\&", "&"},
                                          {"\\#", "#"},
                                          {"\\_", "_"},
                                          {"\\%", "%"},
                                          {"{[}", "["},
                                          {"{*}", "*"},
                                          {"-{}", "-"},
                                          {NULL, NULL}};
    static const struct entity adoc[] = {
        {"{vbar}", "|"}, {"&#42;", "*"}, {"&#95;", "_"},  {"&#96;", "`"},  {"&#35;", "#"}, {"&#94;", "^"},
        {"&#126;", "~"}, {"&#43;", "+"}, {"&#123;", "{"}, {"&#125;", "}"}, {"&#91;", "["}, {"&#93;", "]"},
        {"&#92;", "\\"}, {"&#39;", "'"}, {"&#34;", "\""}, {"&#38;", "&"},  {"&#40;", "("}, {"&#45;", "-"},
        {"&#61;", "="},  {"&#46;", "."}, {"&#60;", "<"},  {"&#58;", ":"},  {"&#59;", ";"}, {NULL, NULL}};
    static const struct entity org[] = {{"\\vert{}", "|"},   {"\\under{}", "_"}, {"\\asciicirc{}", "^"},
                                        {"\\ast{}", "*"},    {"\\lt{}", "<"},    {"\\slash{}", "/"},
                                        {"\\equal{}", "="},  {"\\tilde{}", "~"}, {"\\plus{}", "+"},
                                        {"\\dollar{}", "$"}, {"\\num{}", "#"},   {"\xE2\x80\x8B", ""},
                                        {NULL, NULL}};
    if (strcmp(dialect, "md") == 0)
        unescape(out, source, br, true);
    else if (strcmp(dialect, "html") == 0)
        unescape(out, source, html, false);
    else if (strcmp(dialect, "latex") == 0)
        unescape(out, source, latex, false);
    else if (strcmp(dialect, "rst") == 0)
        unescape(out, source, NULL, true);
    else if (strcmp(dialect, "asciidoc") == 0)
        unescape(out, source, adoc, false);
    else if (strcmp(dialect, "org") == 0)
        unescape(out, source, org, false);
    else
        fr_strbuf_addstr(out, source);
}

/* The text as a one-line dialect can show it. */
static void expected(const char *dialect, const char *text, struct fr_strbuf *out)
{
    bool lines = strcmp(dialect, "md") == 0 || strcmp(dialect, "html") == 0;
    for (; *text; text++)
        fr_strbuf_addch(out, *text == '\t' || (*text == '\n' && !lines) ? ' ' : *text);
}

static void test_escapes(void)
{
    for (const struct fr_dialect *d = fr_dialects; d->name; d++) {
        if (!d->words)
            continue;
        bool fine = true;
        for (size_t i = 0; i < NASTY; i++) {
            struct fr_strbuf source = FR_STRBUF_INIT, back = FR_STRBUF_INIT, want = FR_STRBUF_INIT;
            d->escape(&source, nasty[i]);
            read_back(d->name, fr_strbuf_str(&source), &back);
            expected(d->name, nasty[i], &want);
            if (strcmp(fr_strbuf_str(&back), fr_strbuf_str(&want)) != 0) {
                check(false, d->name, nasty[i], fr_strbuf_str(&source));
                fine = false;
            }
            fr_strbuf_release(&source);
            fr_strbuf_release(&back);
            fr_strbuf_release(&want);
        }
        char name[64];
        snprintf(name, sizeof name, "dialect %s gives every text back", d->name);
        if (fine)
            check(true, name, "", "");
    }
}

/* What must not stand bare in the source. */
static void test_marks(void)
{
    struct fr_strbuf s = FR_STRBUF_INIT;
    fr_escape_md(&s, "a|b `c` *d* _e_ <f> #g \\");
    check(strcmp(fr_strbuf_str(&s), "a\\|b \\`c\\` \\*d\\* \\_e\\_ \\<f> \\#g \\\\") == 0, "md escapes its marks", "",
          fr_strbuf_str(&s));
    fr_strbuf_reset(&s);
    fr_escape_md(&s, "x\x1b[31m\x07y\x7f\xff\xE2\x80\xAE");
    check(!strpbrk(fr_strbuf_str(&s), "\x1b\x07\x7f\xff") && !strstr(fr_strbuf_str(&s), "\xE2\x80\xAE"),
          "md has no control characters", "", fr_strbuf_str(&s));
    fr_strbuf_reset(&s);
    fr_escape_text(&s, "x\x1b]0;title\x07\xC2\x9By");
    check(!strpbrk(fr_strbuf_str(&s), "\x1b\x07") && !strstr(fr_strbuf_str(&s), "\xC2\x9B"),
          "text has no control characters", "", fr_strbuf_str(&s));
    fr_strbuf_release(&s);
}

static void test_formulas(void)
{
    static const struct {
        const char *text, *csv, *tsv;
    } cases[] = {
        {"=cmd()", "\"'=cmd()\"", "'=cmd()"},
        {"+1+1", "\"'+1+1\"", "'+1+1"},
        {"-rm", "\"'-rm\"", "'-rm"},
        {"@a", "\"'@a\"", "'@a"},
        {"\tx", "\"'\tx\"", "'\\tx"},
        {"\rx", "\"'\rx\"", "'\\rx"},
        {"-5", "-5", "-5"},
        {"+1.5e3", "+1.5e3", "+1.5e3"},
        {"a=b", "a=b", "a=b"},
        {"say \"x\"", "\"say \"\"x\"\"\"", "say \"x\""},
        {"", "", ""},
        {"a\nb", "\"a\nb\"", "a\\nb"},
    };
    struct fr_strbuf s = FR_STRBUF_INIT;
    bool csv = true, tsv = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_strbuf_reset(&s);
        fr_escape_csv(&s, cases[i].text);
        csv = csv && strcmp(fr_strbuf_str(&s), cases[i].csv) == 0;
        fr_strbuf_reset(&s);
        fr_escape_tsv(&s, cases[i].text);
        tsv = tsv && strcmp(fr_strbuf_str(&s), cases[i].tsv) == 0;
    }
    check(csv, "csv takes the sting out of formulas and leaves numbers", "", "a field differs");
    check(tsv, "tsv takes the sting out of formulas and leaves numbers", "", "a field differs");
    fr_strbuf_release(&s);
}

static void test_width(void)
{
    static const struct {
        const char *text;
        size_t width;
    } cases[] = {{"abc", 3},         {"日本", 4},     {"e\xCC\x81", 1}, {"مرحبا", 5},  {"🚀", 2},
                 {"👩‍🔬", 2}, {"👍🏽", 2}, {"🇩🇪", 2},        {"❤️", 2}, {"ﾊﾝｶｸ", 4}};
    bool fine = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        fine = fine && fr_utf8_width(cases[i].text) == cases[i].width;
    check(fine, "display width", "", "a width differs");
}

/* ---- whole tables ------------------------------------------------------------------------------------------------ */

static struct fr_table *nasty_table(bool joined)
{
    struct fr_table *t = fr_table_new();
    t->title = "Title | with *marks*";
    t->subtitle = "randwrite 4k, iodepth 1";
    t->source = "fio 3.19";
    fr_table_column(t, "label", FR_COL_KEY);
    struct fr_column *c = fr_table_column(t, "write|bw", FR_COL_VALUE);
    c->dim = FR_DIM_BYTES_PER_S;
    c->better = FR_HIGHER;
    c->group = "ext4 群";
    c->interval = "95 % interval of the median";
    c = fr_table_column(t, "write IOPS", FR_COL_VALUE);
    c->dim = FR_DIM_OPS;
    c->better = FR_HIGHER;
    c->group = "ext4 群";
    c = fr_table_column(t, "vs. base", FR_COL_RATIO);
    c->dim = FR_DIM_RATIO;
    for (size_t i = 0; i < NASTY; i++) {
        struct fr_row *row = fr_table_row(t);
        bool hard = strstr(nasty[i], "🚀") || strstr(nasty[i], "\xCC\x81") || strstr(nasty[i], "م");
        fr_table_text(t, row, 0, hard && !joined ? "left out" : nasty[i]);
        fr_table_number(t, row, 1, 1024.0 * 1024 * (double)(i + 1));
        if (i % 5)
            fr_table_number(t, row, 2, 20293 - (double)i * 7.25);
        fr_table_number(t, row, 3, 1 - (double)i / 100);
        row->group = i < NASTY / 2 ? "first | half" : "second";
        if (i == 3) {
            row->cells[1].n = 5;
            row->cells[1].lo = row->cells[1].value - 4096;
            row->cells[1].hi = row->cells[1].value + 8192;
        }
        if (i == 4) {
            row->flags |= FR_CELL_FAILED;
            row->cells[1].note = fr_table_note(t, "err=28: No space left on device");
        }
        if (i == 6)
            row->flags |= FR_CELL_FAILED;
    }
    t->tail->cells[1].flags |= FR_CELL_BEST;
    t->head->next->cells[2].flags |= FR_CELL_BEST;
    fr_table_fit(t, FR_UNIT_AUTO, 0);
    return t;
}

static size_t bare_pipes(const char *line, size_t n)
{
    size_t pipes = 0;
    for (size_t i = 0; i < n; i++)
        if (line[i] == '\\')
            i++;
        else if (line[i] == '|')
            pipes++;
    return pipes;
}

/* All lines of the table have one width; in Markdown also one number of cells. */
static void test_lines_up(const struct fr_table *t, const char *name, const char *starts)
{
    struct fr_strbuf out = FR_STRBUF_INIT;
    const struct fr_dialect *d = fr_dialect_find(name);
    d->write(d, t, &out);
    size_t width = 0, lines = 0;
    bool same = true, cells = true;
    struct fr_str rest = {out.buf, out.len};
    while (rest.n) {
        struct fr_str line = fr_take_until(&rest, '\n');
        bool ours = false;
        for (const char *p = starts; *p; p += strlen(p) + 1)
            ours = ours || fr_str_starts(line, p);
        if (!ours)
            continue;
        char *copy = strndup(line.s, line.n);
        size_t w = fr_utf8_width(copy);
        width = width ? width : w;
        same = same && w == width;
        if (strcmp(name, "md") == 0)
            cells = cells && bare_pipes(copy, line.n) == t->columns_n + 1;
        free(copy);
        lines++;
    }
    char label[64];
    snprintf(label, sizeof label, "%s lines up by display width", name);
    check(same && lines > NASTY, label, "", fr_strbuf_str(&out));
    if (strcmp(name, "md") == 0)
        check(cells, "md has the same number of cells in every line", "", fr_strbuf_str(&out));
    fr_strbuf_release(&out);
}

static bool has(const struct fr_table *t, const char *dialect, const char *what)
{
    struct fr_strbuf out = FR_STRBUF_INIT;
    const struct fr_dialect *d = fr_dialect_find(dialect);
    d->write(d, t, &out);
    bool found = strstr(fr_strbuf_str(&out), what) != NULL;
    fr_strbuf_release(&out);
    return found;
}

static void test_content(const struct fr_table *t)
{
    check(has(t, "md", "4.000 (n=5, 3.996–4.008)") || has(t, "md", "4.00 (n=5, 4.00–4.01)"), "md shows runs and spread",
          "", "not found");
    check(has(t, "md", "**20286**") || has(t, "md", "**20285.8**"), "md sets the best in bold", "", "not found");
    check(has(t, "md", "¹ err=28: No space left on device"), "md has the footnote below", "", "not found");
    check(has(t, "md", "† From a run"), "md marks a failed run without a footnote", "", "not found");
    check(has(t, "md", " 99 % |"), "md shows a ratio with its sign", "", "not found");
    check(has(t, "md", "write\\|bw [MiB/s]"), "md has the unit in the head", "", "not found");
    check(has(t, "text", "–"), "text shows absent as a dash", "", "not found");
    check(has(t, "csv", "ext4 群: write|bw low [MiB/s]"), "csv has columns for the spread", "", "not found");
    check(has(t, "html", "<th colspan=\"2\" scope=\"colgroup\">ext4 群</th>"), "html has column groups", "", "no");
}

static void test_json(const struct fr_table *t)
{
    struct fr_strbuf out = FR_STRBUF_INIT;
    const struct fr_dialect *d = fr_dialect_find("json");
    d->write(d, t, &out);
    struct json_object *root = json_tokener_parse(fr_strbuf_str(&out));
    bool fine = root && json_object_is_type(root, json_type_array) && json_object_array_length(root) == NASTY;
    for (size_t i = 0; fine && i < NASTY; i++) {
        struct json_object *row = json_object_array_get_idx(root, i), *label, *bw, *value, *unit;
        fine = json_object_object_get_ex(row, "label", &label) &&
               strcmp(json_object_get_string(label), nasty[i]) == 0 &&
               json_object_object_get_ex(row, "ext4 群: write|bw", &bw) &&
               json_object_object_get_ex(bw, "value", &value) &&
               json_object_get_double(value) == 1024.0 * 1024 * (double)(i + 1) &&
               json_object_object_get_ex(bw, "unit", &unit) && strcmp(json_object_get_string(unit), "B/s") == 0;
    }
    check(fine, "json is valid and holds texts, full values and units", "", "differs");
    json_object_put(root);
    fr_strbuf_release(&out);
}

/* A reader of RFC 4180: the field at (row, column). */
static bool csv_field(const char *s, size_t row, size_t column, struct fr_strbuf *out)
{
    size_t r = 0, c = 0;
    bool quoted = false;
    fr_strbuf_reset(out);
    for (; *s; s++) {
        bool here = r == row && c == column;
        if (quoted && *s == '"' && s[1] == '"') {
            s++;
            if (here)
                fr_strbuf_addch(out, '"');
        } else if (*s == '"') {
            quoted = !quoted;
        } else if (!quoted && (*s == ',' || *s == '\n')) {
            if (here)
                return true;
            c = *s == ',' ? c + 1 : 0;
            r += *s == '\n';
        } else if (here) {
            fr_strbuf_addch(out, *s);
        }
    }
    return false;
}

static void test_csv(const struct fr_table *t)
{
    struct fr_strbuf out = FR_STRBUF_INIT, field = FR_STRBUF_INIT;
    const struct fr_dialect *d = fr_dialect_find("csv");
    d->write(d, t, &out);
    bool fine = true;
    for (size_t i = 0; i < NASTY; i++) {
        bool formula = fr_text_is_formula(nasty[i]);
        fine = csv_field(fr_strbuf_str(&out), i + 1, 1, &field) && fine;
        fine = fine && strcmp(fr_strbuf_str(&field) + (formula ? 1 : 0), nasty[i]) == 0;
        if (!fine) {
            check(false, "csv reads back", nasty[i], fr_strbuf_str(&field));
            break;
        }
    }
    if (fine)
        check(true, "csv reads back", "", "");
    fr_strbuf_release(&field);
    fr_strbuf_release(&out);
}

static void test_empty(void)
{
    for (const struct fr_dialect *d = fr_dialects; d->name; d++) {
        struct fr_table *t = fr_table_new();
        struct fr_strbuf out = FR_STRBUF_INIT;
        int rc = d->write(d, t, &out);
        fr_table_column(t, "label", FR_COL_KEY);
        rc |= d->write(d, t, &out);
        check(rc == 0, "an empty table is written", "", d->name);
        fr_strbuf_release(&out);
        fr_table_free(t);
    }
}

int main(void)
{
    test_escapes();
    test_marks();
    test_formulas();
    test_width();
    struct fr_table *t = nasty_table(true), *plain = nasty_table(false);
    test_lines_up(t, "md", "| \0|\0");
    test_lines_up(t, "text", "│\0├\0┌\0└\0");
    test_lines_up(t, "ascii", "|\0+\0");
    test_lines_up(plain, "rst", "|\0+\0");
    test_lines_up(t, "org", "|\0");
    test_content(t);
    test_json(t);
    test_csv(t);
    test_empty();
    check(has(t, "rst", ".. list-table::") && !has(plain, "rst", ".. list-table::"),
          "rst with joined characters is a list, else a grid", "", "not so");
    fr_table_free(plain);
    fr_table_free(t);
    return failures != 0;
}
