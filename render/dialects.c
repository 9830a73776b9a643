/* dialects.c: the table dialects as data, and the one way to write a table. */
#include "escape.h"
#include "log.h"
#include "scan.h"
#include "writers.h"

#include "banned.h"

static const struct fr_words md = {"–", "–", "µ", "**", "**", NULL, NULL, "†", " %", "<br>"};
static const struct fr_words text = {"–", "–", "µ", "", "", NULL, NULL, "†", " %", " "};
static const struct fr_words ascii = {"-", "-", "u", "", "", " [", "]", " [!]", " %", " "};
static const struct fr_words html = {"–", "–", "µ", "<b>", "</b>", "<sup>", "</sup>", "†", " %", "<br>"};
static const struct fr_words latex = {"--", "--",      "\\textmu{}", "\\textbf{", "}", "\\textsuperscript{",
                                      "}",  "\\dag{}", "\\,\\%",     " "};
static const struct fr_words rst = {"–", "–", "µ", "**", "**", NULL, NULL, "†", " %", " "};
static const struct fr_words asciidoc = {"–", "–", "µ", "*", "*", "^", "^", "†", " %", " "};
static const struct fr_words org = {"–", "–", "µ", "*", "*", "^{", "}", "†", " %", " "};

const struct fr_dialect fr_dialects[] = {
    {"md", "GitHub Markdown", &md, fr_escape_md, fr_write_md},
    {"text", "plain text with lines drawn", &text, fr_escape_text, fr_write_text},
    {"ascii", "plain text, lines of + - |", &ascii, fr_escape_text, fr_write_ascii},
    {"csv", "comma separated, full figures", NULL, fr_escape_csv, fr_write_csv},
    {"tsv", "tab separated, full figures", NULL, fr_escape_tsv, fr_write_tsv},
    {"json", "an array of objects, base units", NULL, fr_escape_json, fr_write_json},
    {"html", "an HTML table", &html, fr_escape_html, fr_write_html},
    {"latex", "LaTeX with booktabs", &latex, fr_escape_latex, fr_write_latex},
    {"rst", "reStructuredText grid table", &rst, fr_escape_rst, fr_write_rst},
    {"asciidoc", "AsciiDoc", &asciidoc, fr_escape_asciidoc, fr_write_asciidoc},
    {"org", "Emacs Org", &org, fr_escape_org, fr_write_org},
    {NULL, NULL, NULL, NULL, NULL},
};

const struct fr_dialect *fr_dialect_find(const char *name)
{
    for (const struct fr_dialect *dialect = fr_dialects; dialect->name; dialect++)
        if (strcmp(dialect->name, name) == 0)
            return dialect;
    return NULL;
}

const char *fr_dialect_name(size_t i, const char **help)
{
    size_t n = sizeof fr_dialects / sizeof *fr_dialects - 1;
    if (help)
        *help = i < n ? fr_dialects[i].help : NULL;
    return i < n ? fr_dialects[i].name : NULL;
}

int fr_table_write(const struct fr_table *table, const char *name, FILE *out, struct fr_log *log)
{
    const struct fr_dialect *dialect = fr_dialect_find(name ? name : "md");
    if (!dialect)
        return fr_log_error(log, NULL, 0, "no table format is named '%s', nothing was written", name);
    struct fr_strbuf source = FR_STRBUF_INIT;
    int rc = dialect->write(dialect, table, &source);
    if (rc != 0 || source.truncated)
        rc = fr_log_error(log, NULL, 0, "the table is too big for '%s', nothing was written", dialect->name);
    else if (fwrite(fr_strbuf_str(&source), 1, source.len, out) != source.len || fflush(out) != 0)
        rc = fr_log_error(log, NULL, 0, "the table could not be written, the output is incomplete");
    fr_strbuf_release(&source);
    return rc;
}
