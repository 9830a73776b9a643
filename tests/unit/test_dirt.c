/*
 * test_dirt: every sample gives the same values whatever it was wrapped in: quoting, indentation, Markdown, logs,
 * comments, web pages, encodings, line ends. The variants are made here from samples/; tests/dirt.exceptions names
 * those that a format does not allow, with the reason.
 */
#include <dirent.h>
#include <sys/stat.h>

#include "check.h"
#include "identity.h"
#include "ingest_reader.h"
#include "strbuf.h"

#include "banned.h"

static const char *const folders[] = {"samples/backends", "samples/fio-json", "samples/fio-text", "samples/fio-terse",
                                      "samples/cdm",      "samples/dd",       "samples/phoronix", "samples/table"};

/* ---- variants: each writes its form of n bytes ------------------------------------------------------------------- */

typedef void variant_fn(struct fr_str text, struct fr_strbuf *out);

static struct fr_str next_line(struct fr_str *text)
{
    return fr_take_until(text, '\n');
}

static void prefixed(struct fr_str text, struct fr_strbuf *out, const char *prefix, const char *end)
{
    while (text.n) {
        struct fr_str line = next_line(&text);
        fr_strbuf_addstr(out, prefix);
        fr_strbuf_add(out, line.s, line.n);
        fr_strbuf_addstr(out, end);
    }
}

static void quoted(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "> ", "\n");
}

static void quoted_twice(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "> > ", "\n");
}

static void quoted_tight(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, ">> ", "\n");
}

static void indented(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "    ", "\n");
}

static void tabbed(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "\t", "\n");
}

static void fenced(struct fr_str text, struct fr_strbuf *out)
{
    fr_strbuf_addstr(out, "Here it is.\n\n```\n");
    prefixed(text, out, "", "\n");
    fr_strbuf_addstr(out, "```\n");
}

static void listed(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "- ", "\n");
}

static void in_list(struct fr_str text, struct fr_strbuf *out)
{
    fr_strbuf_addstr(out, "1. First I ran this:\n\n");
    prefixed(text, out, "   ", "\n");
    fr_strbuf_addstr(out, "2. Then I went home.\n");
}

static void logged(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "20:22:23 DEBUG| [stdout] ", "\n");
}

/* ts(1) */
static void stamped(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "Nov 14 22:02:01 ", "\n");
}

static void in_forum(struct fr_str text, struct fr_strbuf *out)
{
    fr_strbuf_addstr(out, "[CODE]");
    fr_strbuf_add(out, text.s, text.n - (text.n && text.s[text.n - 1] == '\n'));
    fr_strbuf_addstr(out, "[/CODE]\n");
}

static void journal(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "2023-11-14T22:02:01+0100 my-host run.sh[123]: ", "\n");
}

static void kubernetes(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "2023-11-14T22:02:01.123456789Z stdout F ", "\n");
}

static void logger(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "2023-11-14 22:02:01,123 - bench - INFO - ", "\n");
}

/* docker compose */
static void compose(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "bench-1  | ", "\n");
}

/* pdsh */
static void shell_of_many(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "node17: ", "\n");
}

static void code_lines(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "`", "`\n");
}

/* One character within a string of JSON. */
static void add_escaped(struct fr_strbuf *out, char c)
{
    if (c == '\n')
        fr_strbuf_addstr(out, "\\n");
    else if (c == '\t')
        fr_strbuf_addstr(out, "\\t");
    else if (c == '"' || c == '\\')
        fr_strbuf_addf(out, "\\%c", c);
    else
        fr_strbuf_addch(out, c);
}

static void json_string(struct fr_str text, struct fr_strbuf *out)
{
    fr_strbuf_addstr(out, "{\n  \"rc\": 0,\n  \"stdout\": \"");
    for (size_t i = 0; i < text.n; i++)
        add_escaped(out, text.s[i]);
    fr_strbuf_addstr(out, "\",\n  \"stderr\": \"\"\n}\n");
}

/* ansible: "stdout_lines" */
static void json_list(struct fr_str text, struct fr_strbuf *out)
{
    fr_strbuf_addstr(out, "ok: [host] => {\n    \"out.stdout_lines\": [\n");
    while (text.n) {
        struct fr_str line = next_line(&text);
        fr_strbuf_addstr(out, "        \"");
        for (size_t i = 0; i < line.n; i++)
            add_escaped(out, line.s[i]);
        fr_strbuf_addstr(out, text.n ? "\",\n" : "\"\n");
    }
    fr_strbuf_addstr(out, "    ]\n}\n");
}

/* docker's json-file; escapes as Go writes them */
static void json_lines(struct fr_str text, struct fr_strbuf *out)
{
    while (text.n) {
        struct fr_str line = next_line(&text);
        fr_strbuf_addstr(out, "{\"log\":\"");
        for (size_t i = 0; i < line.n; i++)
            if (strchr("<>&", line.s[i]))
                fr_strbuf_addf(out, "\\u%04x", (unsigned)line.s[i]);
            else
                add_escaped(out, line.s[i]);
        fr_strbuf_addstr(out, "\\n\",\"stream\":\"stdout\",\"time\":\"2024-05-01T10:11:12.123456789Z\"}\n");
    }
}

/* A program's own log, which starts fio and logs what it prints. */
static void structured(struct fr_str text, struct fr_strbuf *out)
{
    while (text.n) {
        struct fr_str line = next_line(&text);
        fr_strbuf_addstr(out, "time=\"2024-05-01T10:11:12Z\" level=info msg=\"");
        for (size_t i = 0; i < line.n; i++)
            add_escaped(out, line.s[i]);
        fr_strbuf_addstr(out, "\" pod=fio-0\n");
    }
}

static void commented(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "// ", "\n");
}

/* cat -n */
static void numbered(struct fr_str text, struct fr_strbuf *out)
{
    for (unsigned no = 1; text.n; no++) {
        struct fr_str line = next_line(&text);
        fr_strbuf_addf(out, "%6u\t%.*s\n", no, FR_STR(line));
    }
}

/* grep -n ^ */
static void found(struct fr_str text, struct fr_strbuf *out)
{
    for (unsigned no = 1; text.n; no++) {
        struct fr_str line = next_line(&text);
        fr_strbuf_addf(out, "%u:%.*s\n", no, FR_STR(line));
    }
}

static void html(struct fr_str text, struct fr_strbuf *out)
{
    for (size_t i = 0; i < text.n; i++)
        switch (text.s[i]) {
        case '<':
            fr_strbuf_addstr(out, "&lt;");
            break;
        case '>':
            fr_strbuf_addstr(out, "&gt;");
            break;
        case '&':
            fr_strbuf_addstr(out, "&amp;");
            break;
        case '"':
            fr_strbuf_addstr(out, "&quot;");
            break;
        default:
            fr_strbuf_addch(out, text.s[i]);
        }
}

/* A saved page. */
static void web_page(struct fr_str text, struct fr_strbuf *out)
{
    fr_strbuf_addstr(out, "<html><body><p>Results:</p>\n<pre><code class=\"language-none\">");
    html(text, out);
    fr_strbuf_addstr(out, "</code></pre>\n<p>Done.</p></body></html>\n");
}

static void line_breaks(struct fr_str text, struct fr_strbuf *out)
{
    while (text.n) {
        html(next_line(&text), out);
        fr_strbuf_addstr(out, "<br/>");
    }
    fr_strbuf_addch(out, '\n');
}

/* Numbers in colours, as a page shows code. */
static void spans(struct fr_str text, struct fr_strbuf *out)
{
    fr_strbuf_addstr(out, "<p>Here <em>it</em> is.</p>\n<pre><code class=\"language-bash\">");
    while (text.n) {
        size_t n = 0;
        while (n < text.n && (fr_is_digit(text.s[n]) || (n && text.s[n] == '.')))
            n++;
        fr_strbuf_addstr(out, n ? "<span class=\"number\"><b>" : "");
        html(fr_str_range(text, 0, n ? n : 1), out);
        fr_strbuf_addstr(out, n ? "</b></span>" : "");
        text = fr_str_from(text, n ? n : 1);
    }
    fr_strbuf_addstr(out, "</code></pre>\n");
}

/* Each line in a code span of its own, a paragraph each. */
static void code_spans(struct fr_str text, struct fr_strbuf *out)
{
    while (text.n) {
        struct fr_str line = next_line(&text), shown = fr_str_trim(line);
        if (shown.n)
            fr_strbuf_addf(out, "  `%.*s`\n\n", FR_STR(shown));
    }
}

/* Figures in bold type. */
static void bold(struct fr_str text, struct fr_strbuf *out)
{
    while (text.n) {
        size_t n = 0;
        while (n < text.n && n < 40 && (fr_is_digit(text.s[n]) || (n && strchr(".%kMBKi/s", text.s[n]))))
            n++;
        bool figure = n && out->len && fr_strbuf_str(out)[out->len - 1] == '=';
        fr_strbuf_addf(out, figure ? "**%.*s**" : "%.*s", FR_STR(fr_str_range(text, 0, n ? n : 1)));
        text = fr_str_from(text, n ? n : 1);
    }
}

static void no_break(struct fr_str text, struct fr_strbuf *out)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.s[i] == ' ')
            fr_strbuf_addstr(out, "\xc2\xa0");
        else
            fr_strbuf_addch(out, text.s[i]);
}

static void crlf(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "", "\r\n");
}

static void lone_cr(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "", "\r");
}

static void bom(struct fr_str text, struct fr_strbuf *out)
{
    fr_strbuf_addstr(out, "\xef\xbb\xbf");
    fr_strbuf_add(out, text.s, text.n);
}

static void utf16(struct fr_str text, struct fr_strbuf *out)
{
    fr_strbuf_add(out, "\xff\xfe", 2);
    for (size_t i = 0; i < text.n;) {
        unsigned char c = (unsigned char)text.s[i];
        size_t len = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
        unsigned u = len == 1 ? c : c & (0xffu >> (len + 1));
        for (size_t k = 1; k < len && i + k < text.n; k++)
            u = u << 6 | ((unsigned char)text.s[i + k] & 0x3f);
        if (u > 0xffff) {
            unsigned high = 0xd800 + ((u - 0x10000) >> 10);
            fr_strbuf_addch(out, (char)(high & 0xff));
            fr_strbuf_addch(out, (char)(high >> 8));
            u = 0xdc00 + ((u - 0x10000) & 0x3ff);
        }
        fr_strbuf_addch(out, (char)(u & 0xff));
        fr_strbuf_addch(out, (char)(u >> 8));
        i += len;
    }
}

static void coloured(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "\x1b[0;32m", "\x1b[0m\x1b[K\n");
}

static void printable(struct fr_str text, struct fr_strbuf *out)
{
    size_t column = 0;
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.s[i];
        if (c == '\n') {
            fr_strbuf_addch(out, '\n');
            column = 0;
            continue;
        }
        if (column > 71) {
            fr_strbuf_addstr(out, "=\n");
            column = 0;
        }
        bool last_blank = (c == ' ' || c == '\t') && (i + 1 == text.n || text.s[i + 1] == '\n');
        if (c == '=' || c >= 127 || (c < 32 && c != '\t') || last_blank) {
            fr_strbuf_addf(out, "=%02X", c);
            column += 3;
        } else {
            fr_strbuf_addch(out, (char)c);
            column++;
        }
    }
}

static void spaced(struct fr_str text, struct fr_strbuf *out)
{
    prefixed(text, out, "", "\n\n");
}

/* Lines longer than 72 are broken at the last blank before. */
static void wrapped(struct fr_str text, struct fr_strbuf *out)
{
    while (text.n) {
        struct fr_str line = next_line(&text);
        while (line.n > 72) {
            size_t lead = 0, cut = 72;
            while (lead < line.n && line.s[lead] == ' ')
                lead++;
            while (cut > lead && line.s[cut] != ' ')
                cut--;
            if (cut <= lead) {
                cut = 72;
                while (cut < line.n && line.s[cut] != ' ')
                    cut++;
            }
            struct fr_str head = fr_str_rtrim(fr_str_range(line, 0, cut));
            fr_strbuf_add(out, head.s, head.n);
            line = fr_str_ltrim(fr_str_from(line, cut));
            if (line.n)
                fr_strbuf_addch(out, '\n');
        }
        fr_strbuf_add(out, line.s, line.n);
        fr_strbuf_addch(out, '\n');
    }
}

/* Through a word processor: quotes that open and close. */
static void typeset(struct fr_str text, struct fr_strbuf *out)
{
    for (size_t i = 0; i < text.n; i++) {
        bool opens = i == 0 || fr_is_space(text.s[i - 1]) || strchr("[{(,:", text.s[i - 1]);
        if (text.s[i] == '"')
            fr_strbuf_addstr(out, opens ? "\xe2\x80\x9c" : "\xe2\x80\x9d");
        else
            fr_strbuf_addch(out, text.s[i]);
    }
}

static void one_line(struct fr_str text, struct fr_strbuf *out)
{
    while (text.n) {
        struct fr_str line = next_line(&text);
        fr_strbuf_add(out, line.s, line.n);
        fr_strbuf_addch(out, ' ');
    }
    fr_strbuf_addch(out, '\n');
}

static const struct {
    const char *name;
    variant_fn *make;
} variants[] = {
    {"quoted", quoted},
    {"quoted-twice", quoted_twice},
    {"quoted-tight", quoted_tight},
    {"indented", indented},
    {"tabbed", tabbed},
    {"fenced", fenced},
    {"listed", listed},
    {"in-list", in_list},
    {"logged", logged},
    {"stamped", stamped},
    {"journal", journal},
    {"kubernetes", kubernetes},
    {"logger", logger},
    {"compose", compose},
    {"pdsh", shell_of_many},
    {"code", code_lines},
    {"json-string", json_string},
    {"json-list", json_list},
    {"json-lines", json_lines},
    {"structured", structured},
    {"in-forum", in_forum},
    {"commented", commented},
    {"numbered", numbered},
    {"found", found},
    {"html", html},
    {"web-page", web_page},
    {"line-breaks", line_breaks},
    {"spans", spans},
    {"code-spans", code_spans},
    {"bold", bold},
    {"no-break", no_break},
    {"crlf", crlf},
    {"lone-cr", lone_cr},
    {"bom", bom},
    {"utf16", utf16},
    {"coloured", coloured},
    {"quoted-printable", printable},
    {"spaced", spaced},
    {"wrapped", wrapped},
    {"typeset", typeset},
    {"one-line", one_line},
};

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* All values, one a line, without the line they stand in. */
static void values_of(struct fr_reader *reader, const char *name, const char *bytes, size_t n, struct fr_strbuf *out)
{
    char sha256[65];
    struct fr_batch batch;
    struct fr_log log = {.say = NULL};
    struct fr_input *in = fr_input_memory(name, bytes, n);
    fr_batch_init(&batch, name);
    fr_reader_read(reader, in, &batch, sha256, NULL, NULL, &log);
    int run = 0;
    fr_list_each (struct fr_run, r, batch.runs) {
        fr_strbuf_addf(out, "run %d %s %s\n", ++run, r->tool, r->tool_version ? r->tool_version : "");
        fr_list_each (struct fr_test, t, r->tests) {
            fr_strbuf_addf(out, "test %d %s\n", t->no, t->name);
            fr_value_each (v, t)
                fr_strbuf_addf(out, "%d %s %s %s %.9g\n", t->no, fr_op_name((enum fr_op)v->op),
                               fr_metric_get((enum fr_metric_id)v->metric)->name, v->stat, v->value);
        }
    }
    fr_batch_release(&batch);
    fr_input_close(in);
}

/* The first line in which they differ. */
static void first_difference(const char *a, const char *b, char *out, size_t n)
{
    size_t line = 1;
    while (*a && *b) {
        size_t la = strcspn(a, "\n"), lb = strcspn(b, "\n");
        if (la != lb || memcmp(a, b, la) != 0)
            break;
        a += la + (a[la] == '\n');
        b += lb + (b[lb] == '\n');
        line++;
    }
    snprintf(out, n, "value %zu: want '%.*s', got '%.*s'", line, (int)strcspn(a, "\n"), a, (int)strcspn(b, "\n"), b);
}

static bool excepted(const char *exceptions, const char *sample, const char *variant)
{
    char line[1024];
    snprintf(line, sizeof line, "\n%s %s ", variant, sample);
    if (strstr(exceptions, line))
        return true;
    /* for a whole folder: VARIANT FOLDER/STAR */
    const char *slash = strrchr(sample, '/');
    snprintf(line, sizeof line, "\n%s %.*s/* ", variant, (int)(slash - sample), sample);
    return strstr(exceptions, line) != NULL;
}

static bool is_plain(struct fr_str text)
{
    return !memchr(text.s, 0, text.n) && !memchr(text.s, '\r', text.n) && !memchr(text.s, 27, text.n) &&
           fr_str_find(text, "\xc2\xa0") == (size_t)-1;
}

static void check_sample(struct fr_reader *reader, const char *path, struct fr_str text, const char *exceptions)
{
    struct fr_strbuf want = FR_STRBUF_INIT, bytes = FR_STRBUF_INIT, got = FR_STRBUF_INIT;
    values_of(reader, path, text.s, text.n, &want);
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        if (excepted(exceptions, path, variants[i].name))
            continue;
        char why[400];
        fr_strbuf_reset(&bytes);
        fr_strbuf_reset(&got);
        variants[i].make(text, &bytes);
        values_of(reader, path, fr_strbuf_str(&bytes), bytes.len, &got);
        if (strcmp(fr_strbuf_str(&want), fr_strbuf_str(&got)) == 0) {
            printf("ok dirt %s %s\n", variants[i].name, path);
            continue;
        }
        first_difference(fr_strbuf_str(&want), fr_strbuf_str(&got), why, sizeof why);
        printf("FAIL dirt %s %s: %s\n", variants[i].name, path, why);
        check_failed = 1;
    }
    fr_strbuf_release(&want);
    fr_strbuf_release(&bytes);
    fr_strbuf_release(&got);
}

/*
 * Figures that may differ where a text breaks off: those that are printed digits alone until `issued` comes, and whole
 * numbers with which fio ends its lines.
 */
static bool may_differ(const char *line)
{
    static const char *const figures[] = {" iops mean ", " bw mean ", " io_bytes ", " ios ",
                                          " ctx ",       " majf ",    " minf ",     "_sample n "};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (strstr(line, figures[i]))
            return true;
    return false;
}

/* The first value in `cut` that the whole text has not, into `line`; false: there is none. */
static bool other_value(struct fr_str cut, const char *whole, char *line, size_t n)
{
    while (cut.n) {
        struct fr_str value = next_line(&cut);
        snprintf(line, n, "\n%.*s\n", FR_STR(value));
        if (value.n && fr_is_digit(*value.s) && !may_differ(line) && !strstr(whole, line))
            return true;
    }
    return false;
}

/* A text that breaks off anywhere has no value that the whole one has not: half a number is none. */
static void check_cuts(struct fr_reader *reader, const char *path, struct fr_str text)
{
    enum { STEP = 29 };
    struct fr_strbuf want = FR_STRBUF_INIT, got = FR_STRBUF_INIT;
    char line[600];
    values_of(reader, path, text.s, text.n, &want);
    for (size_t n = STEP; n < text.n; n += STEP) {
        fr_strbuf_reset(&got);
        values_of(reader, path, text.s, n, &got);
        if (!other_value(fr_strn(fr_strbuf_str(&got), got.len), fr_strbuf_str(&want), line, sizeof line))
            continue;
        printf("FAIL cut %s: its first %zu bytes give %s", path, n, line);
        check_failed = 1;
    }
    printf("ok cut %s\n", path);
    fr_strbuf_release(&want);
    fr_strbuf_release(&got);
}

static bool read_file(const char *path, struct fr_strbuf *out)
{
    struct fr_log log = {.say = NULL};
    struct fr_input *in = fr_input_open(path, &log);
    bool ok = in && fr_input_all(in, out, (size_t)1 << 24, &log) == 0;
    fr_input_close(in);
    return ok;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void check_folder(struct fr_reader *reader, const char *folder, const char *exceptions)
{
    struct dirent **names;
    int n = scandir(folder, &names, NULL, by_name);
    for (int i = 0; i < n; i++) {
        char path[512];
        struct fr_strbuf text = FR_STRBUF_INIT;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        bool sample = names[i]->d_name[0] != '.' && !fr_str_ends(fr_str(path), ".records") &&
                      !fr_str_starts(fr_str(names[i]->d_name), "README");
        if (sample && read_file(path, &text) && text.len && is_plain(fr_strn(text.buf, text.len)))
            check_sample(reader, path, fr_strn(text.buf, text.len), exceptions);
        bool growing = fr_str_starts(fr_str(names[i]->d_name), "status-"); /* an earlier report is another result */
        if (sample && !growing && strcmp(folder, "samples/fio-text") == 0)
            check_cuts(reader, path, fr_strn(text.buf, text.len));
        fr_strbuf_release(&text);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}

int main(int argc, char **argv)
{
    struct fr_log log = {.say = NULL};
    struct fr_ingest_options options = {.label = NULL};
    struct fr_reader *reader = fr_reader_new(&options, &log);
    struct fr_strbuf exceptions = FR_STRBUF_INIT;
    fr_strbuf_addch(&exceptions, '\n');
    read_file("tests/dirt.exceptions", &exceptions);
    if (argc > 1)
        for (int i = 1; i < argc; i++)
            check_folder(reader, argv[i], fr_strbuf_str(&exceptions));
    else
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
            check_folder(reader, folders[i], fr_strbuf_str(&exceptions));
    fr_strbuf_release(&exceptions);
    fr_reader_free(reader);
    return check_failed;
}
