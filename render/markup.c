/* markup.c: tables with a tag or mark around each cell: HTML, LaTeX, AsciiDoc. See writers.h. */
#include "cells.h"
#include "writers.h"

#include "banned.h"

static void add_cell(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table,
                     const struct fr_row *row, size_t column)
{
    struct fr_strbuf tail = FR_STRBUF_INIT;
    fr_cell_add(dialect, table, row, column, out, &tail);
    fr_strbuf_addstr(out, fr_strbuf_str(&tail));
    fr_strbuf_release(&tail);
}

static void html_caption(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table)
{
    bool title = table->title && *table->title, subtitle = table->subtitle && *table->subtitle;
    if (!title && !subtitle)
        return;
    fr_strbuf_addstr(out, "<caption dir=\"auto\">");
    if (title)
        fr_bold_add(out, dialect, table->title);
    if (title && subtitle)
        fr_strbuf_addstr(out, "<br>");
    if (subtitle)
        dialect->escape(out, table->subtitle);
    fr_strbuf_addstr(out, "</caption>\n");
}

static void html_head(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table,
                      const bool *right)
{
    fr_strbuf_addstr(out, "<thead>\n");
    if (fr_has_groups(table)) {
        fr_strbuf_addstr(out, "<tr>");
        for (size_t i = 0, n; i < table->columns_n; i += n) {
            n = fr_group_span(table, i);
            const char *group = table->columns[i].group;
            fr_strbuf_addf(out, group ? "<th colspan=\"%zu\" scope=\"colgroup\">" : "<td colspan=\"%zu\">", n);
            fr_group_head_add(out, dialect, table, i);
            fr_strbuf_addstr(out, group ? "</th>" : "</td>");
        }
        fr_strbuf_addstr(out, "</tr>\n");
    }
    fr_strbuf_addstr(out, "<tr>");
    for (size_t i = 0; i < table->columns_n; i++) {
        fr_strbuf_addf(out, "<th scope=\"col\" align=\"%s\">", right[i] ? "right" : "left");
        fr_head_add(out, dialect, table, i, false);
        fr_strbuf_addstr(out, "</th>");
    }
    fr_strbuf_addstr(out, "</tr>\n</thead>\n");
}

static void html_body(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table,
                      const bool *right)
{
    fr_strbuf_addstr(out, "<tbody>\n");
    const struct fr_row *before = NULL;
    for (const struct fr_row *row = table->head; row; before = row, row = row->next) {
        if (fr_row_begins_group(before, row)) {
            fr_strbuf_addstr(out, before ? "</tbody>\n<tbody>\n" : "");
            fr_strbuf_addf(out, "<tr><th colspan=\"%zu\" scope=\"rowgroup\" align=\"left\" dir=\"auto\">",
                           table->columns_n);
            dialect->escape(out, row->group);
            fr_strbuf_addstr(out, "</th></tr>\n");
        }
        fr_strbuf_addstr(out, "<tr>");
        for (size_t i = 0; i < table->columns_n; i++) {
            bool key = i == 0 && table->columns[i].role == FR_COL_KEY;
            /* `align` is old, but the one thing that README renderers leave in. */
            fr_strbuf_addstr(out, key ? "<th scope=\"row\"" : "<td");
            fr_strbuf_addstr(out, right[i] ? " align=\"right\">" : " align=\"left\" dir=\"auto\">");
            add_cell(out, dialect, table, row, i);
            fr_strbuf_addstr(out, key ? "</th>" : "</td>");
        }
        fr_strbuf_addstr(out, "</tr>\n");
    }
    fr_strbuf_addstr(out, "</tbody>\n");
}

int fr_write_html(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out)
{
    bool *right = calloc(table->columns_n + 1, sizeof *right); /* of each column: asked once, as it looks at all rows */
    if (!right)
        return -1;
    for (size_t i = 0; i < table->columns_n; i++)
        right[i] = fr_column_right(table, i);
    fr_strbuf_addstr(out, "<table cellpadding=\"4\">\n"); /* or columns touch where no style sheet is */
    html_caption(out, dialect, table);
    html_head(out, dialect, table, right);
    html_body(out, dialect, table, right);
    fr_strbuf_addstr(out, "</table>\n");
    free(right);
    fr_notes_add(out, dialect, table, "<p dir=\"auto\">", "</p>\n");
    return 0;
}

static void latex_head(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table)
{
    if (fr_has_groups(table)) {
        struct fr_strbuf rules = FR_STRBUF_INIT;
        for (size_t i = 0, n; i < table->columns_n; i += n) {
            n = fr_group_span(table, i);
            fr_strbuf_addstr(out, i ? " & " : "  ");
            if (!table->columns[i].group)
                continue;
            fr_strbuf_addf(out, "\\multicolumn{%zu}{c}{", n);
            fr_group_head_add(out, dialect, table, i);
            fr_strbuf_addch(out, '}');
            fr_strbuf_addf(&rules, "\\cmidrule(lr){%zu-%zu}", i + 1, i + n);
        }
        fr_strbuf_addf(out, " \\\\\n  %s\n", fr_strbuf_str(&rules));
        fr_strbuf_release(&rules);
    }
    for (size_t i = 0; i < table->columns_n; i++) {
        fr_strbuf_addstr(out, i ? " & " : "  {}");
        fr_head_add(out, dialect, table, i, false);
    }
    fr_strbuf_addstr(out, " \\\\\n  \\midrule\n");
}

static void latex_rows(struct fr_strbuf *out, const struct fr_dialect *dialect, const struct fr_table *table)
{
    const struct fr_row *before = NULL;
    for (const struct fr_row *row = table->head; row; before = row, row = row->next) {
        if (fr_row_begins_group(before, row)) {
            fr_strbuf_addf(out, "  %s\\multicolumn{%zu}{l}{\\itshape ", before ? "\\midrule\n  " : "",
                           table->columns_n);
            dialect->escape(out, row->group);
            fr_strbuf_addstr(out, "} \\\\\n");
        } else if (row->summary && before && !before->summary) {
            fr_strbuf_addstr(out, row->group ? "  \\addlinespace\n" : "  \\midrule\n");
        }
        for (size_t i = 0; i < table->columns_n; i++) {
            fr_strbuf_addstr(out, i ? " & " : "  ");
            add_cell(out, dialect, table, row, i);
        }
        fr_strbuf_addstr(out, " \\\\\n");
    }
}

int fr_write_latex(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out)
{
    fr_strbuf_addstr(out,
                     "% needs \\usepackage[T1]{fontenc} and \\usepackage{booktabs}\n\\begin{table}\n  \\centering\n");
    if (table->title && *table->title) {
        fr_strbuf_addstr(out, "  \\caption{");
        dialect->escape(out, table->title);
        if (table->subtitle && *table->subtitle) {
            fr_strbuf_addstr(out, ". ");
            dialect->escape(out, table->subtitle);
        }
        fr_strbuf_addstr(out, "}\n");
    }
    fr_strbuf_addstr(out, "  \\begin{tabular}{");
    for (size_t i = 0; i < table->columns_n; i++)
        fr_strbuf_addch(out, fr_column_right(table, i) ? 'r' : 'l');
    fr_strbuf_addstr(out, "}\n  \\toprule\n");
    latex_head(out, dialect, table);
    latex_rows(out, dialect, table);
    fr_strbuf_addstr(out, "  \\bottomrule\n  \\end{tabular}\n");
    fr_notes_add(out, dialect, table, "\n  \\par\\footnotesize ", "\n");
    fr_strbuf_addstr(out, "\\end{table}\n");
    return 0;
}

/* One cell a line: what stands before a cell's mark on its line could be taken for a cell format. */
int fr_write_asciidoc(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out)
{
    if (table->subtitle && *table->subtitle) {
        dialect->escape(out, table->subtitle);
        fr_strbuf_addstr(out, "\n\n");
    }
    if (table->title && *table->title) {
        fr_strbuf_addch(out, '.');
        dialect->escape(out, table->title);
        fr_strbuf_addch(out, '\n');
    }
    fr_strbuf_addstr(out, "[%header,cols=\"");
    for (size_t i = 0; i < table->columns_n; i++) {
        fr_strbuf_addstr(out, i ? "," : "");
        fr_strbuf_addch(out, fr_column_right(table, i) ? '>' : '<');
    }
    fr_strbuf_addstr(out, "\"]\n|===\n");
    for (size_t i = 0; i < table->columns_n; i++) {
        fr_strbuf_addch(out, '|');
        fr_head_add(out, dialect, table, i, true);
        fr_strbuf_addch(out, '\n');
    }
    const struct fr_row *before = NULL;
    for (const struct fr_row *row = table->head; row; before = row, row = row->next) {
        fr_strbuf_addch(out, '\n');
        if (fr_row_begins_group(before, row)) {
            fr_strbuf_addf(out, "%zu+<|", table->columns_n);
            fr_bold_add(out, dialect, row->group);
            fr_strbuf_addstr(out, "\n\n");
        }
        for (size_t i = 0; i < table->columns_n; i++) {
            fr_strbuf_addch(out, '|');
            add_cell(out, dialect, table, row, i);
            fr_strbuf_addch(out, '\n');
        }
    }
    fr_strbuf_addstr(out, "|===\n");
    fr_notes_add(out, dialect, table, "\n", "\n");
    return 0;
}
