/* test_xlsx.c: writes workbooks and reads their parts back with another library. */
#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "strbuf.h"
#include "xlsx.h"

static const char *const labels[] = {
    "lvm",    "=cmd()",  "+1", "-2+3", "@SUM(A1)", "日本語 🚀", "a\x01\x1b[31mb", "http://example.org/",
    "<&>\"'", "\xff\xfe"};
enum { LABELS = sizeof labels / sizeof *labels };

static struct fr_table *make_table(size_t rows)
{
    struct fr_table *t = fr_table_new();
    t->title = "five backends";
    t->subtitle = "randrw 4k";
    fr_table_column(t, "label", FR_COL_KEY);
    struct fr_column *c = fr_table_column(t, "write bandwidth", FR_COL_VALUE);
    c->dim = FR_DIM_BYTES_PER_S;
    c->metric = "bw";
    c->better = FR_HIGHER;
    c = fr_table_column(t, "write bandwidth", FR_COL_RATIO);
    c->dim = FR_DIM_RATIO;
    c->better = FR_HIGHER;
    for (size_t i = 0; i < rows; i++) {
        struct fr_row *row = fr_table_row(t);
        fr_table_text(t, row, 0, labels[i % LABELS]);
        if (i != 2)
            fr_table_number(t, row, 1, 1048576.0 * (double)(i + 1) + 1024);
        fr_table_number(t, row, 2, 0.5 + (double)i / 10);
        if (i == 3)
            row->cells[1].note = fr_table_note(t, "err=28");
    }
    fr_table_fit(t, FR_UNIT_AUTO, 0);
    return t;
}

/* A member of the workbook; "" when it has none of that name. */
static void read_part(const char *path, const char *name, struct fr_strbuf *out)
{
    struct archive *a = archive_read_new();
    struct archive_entry *entry;
    fr_strbuf_reset(out);
    archive_read_support_format_zip(a);
    if (archive_read_open_filename(a, path, 1 << 16) == ARCHIVE_OK)
        while (archive_read_next_header(a, &entry) == ARCHIVE_OK) {
            if (strcmp(archive_entry_pathname(entry), name) != 0)
                continue;
            char block[8192];
            la_ssize_t n;
            while ((n = archive_read_data(a, block, sizeof block)) > 0)
                fr_strbuf_add(out, block, (size_t)n);
            break;
        }
    archive_read_free(a);
}

static bool has(const struct fr_strbuf *text, const char *what)
{
    return strstr(fr_strbuf_str(text), what) != NULL;
}

static void test_content(const char *path)
{
    struct fr_strbuf part = FR_STRBUF_INIT;
    read_part(path, "xl/worksheets/sheet1.xml", &part);
    check(part.len > 0 && !has(&part, "<f>") && !has(&part, "<hyperlink"), "no text is a formula or a link", "one is");
    check(has(&part, "<v>1.0009765625</v>"), "figures are numbers in the unit of the head", "not found");
    check(has(&part, "<v>0.6</v>"), "ratios are numbers", "not found");
    check(has(&part, "state=\"frozen\"") && has(&part, "colorScale"), "the head is frozen, ratios are coloured", "no");
    read_part(path, "xl/sharedStrings.xml", &part);
    check(has(&part, "<t>=cmd()</t>") && has(&part, "<t>@SUM(A1)</t>"), "texts are as they are", "not found");
    check(has(&part, "<t>a[31mb</t>"), "control characters are dropped", "they are there");
    check(has(&part, "write bandwidth [MiB/s]"), "the unit is in the head", "not found");
    check(has(&part, "<t>err=28</t>"), "notes have a column", "not found");
    read_part(path, "xl/styles.xml", &part);
    check(has(&part, "&quot; MiB/s&quot;\""), "and in the number format", fr_strbuf_str(&part));
    read_part(path, "xl/worksheets/sheet2.xml", &part);
    check(has(&part, "<tablePart"), "data is a table", "it is not");
    read_part(path, "xl/tables/table1.xml", &part);
    check(has(&part, "autoFilter") && has(&part, "name=\"write bandwidth\"") &&
              has(&part, "name=\"write bandwidth [MiB/s]\""),
          "the table has a filter and unique heads", fr_strbuf_str(&part));
    read_part(path, "xl/charts/chart1.xml", &part);
    check(has(&part, "<c:f>Summary!$B$5:$B$14</c:f>"), "the chart refers to cells", fr_strbuf_str(&part));
    read_part(path, "xl/workbook.xml", &part);
    check(has(&part, "name=\"data (2)\"") && has(&part, "name=\"x_y_\""), "names are legal and differ",
          fr_strbuf_str(&part));
    read_part(path, "docProps/core.xml", &part);
    check(has(&part, "fioreport") && has(&part, "five backends") && has(&part, "2020-01-01T00:00:00Z"),
          "properties and a fixed date", fr_strbuf_str(&part));
    fr_strbuf_release(&part);
}

static void slurp(const char *path, struct fr_strbuf *out)
{
    char block[8192];
    FILE *f = fopen(path, "rb");
    fr_strbuf_reset(out);
    if (!f)
        return;
    for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0;)
        fr_strbuf_add(out, block, n);
    fclose(f);
}

static void test_file(struct fr_sheet *sheets, size_t n, const char *path)
{
    struct fr_log log = {0};
    struct fr_strbuf first = FR_STRBUF_INIT, again = FR_STRBUF_INIT;
    check(fr_xlsx_write(sheets, n, path, false, &log) == 0, "a workbook is written", "it is not");
    test_content(path);
    slurp(path, &first);
    int rc = fr_xlsx_write(sheets, n, path, false, &log);
    slurp(path, &again);
    check(rc == 0 && first.len == again.len && memcmp(first.buf, again.buf, first.len) == 0,
          "the same data gives the same bytes", "they differ");
    FILE *f = fopen(path, "wb");
    if (f) {
        fputs("PK\003\004 somebody's own", f);
        fclose(f);
    }
    check(fr_xlsx_write(sheets, n, path, false, &log) == -1, "a foreign file is left alone", "it was overwritten");
    check(fr_xlsx_write(sheets, n, path, true, &log) == 0, "force overwrites it", "it does not");
    fr_strbuf_release(&first);
    fr_strbuf_release(&again);
}

static void test_split(const char *path)
{
    struct fr_log log = {0};
    struct fr_table *t = make_table(25);
    struct fr_sheet sheet = {"Results", "data", t};
    struct fr_strbuf part = FR_STRBUF_INIT;
    int rc = fr_xlsx_write_split(&sheet, 1, path, true, 11, &log);
    read_part(path, "xl/worksheets/sheet3.xml", &part);
    check(rc == 0 && has(&part, "<dimension ref=\"A1:D6\"/>"), "rows beyond a sheet's end go on the next",
          fr_strbuf_str(&part));
    read_part(path, "xl/worksheets/sheet4.xml", &part);
    check(part.len == 0, "and no sheet is made for nothing", "there is one");
    fr_strbuf_release(&part);
    fr_table_free(t);
}

static void test_big(const char *path)
{
    struct fr_log log = {0};
    struct fr_table *t = fr_table_new();
    for (int c = 0; c < 5; c++)
        fr_table_column(t, "c", FR_COL_INFO);
    for (size_t i = 0; i < FR_XLSX_BIG / 5 + 1; i++) {
        struct fr_row *row = fr_table_row(t);
        for (size_t c = 0; c < 5; c++)
            fr_table_number(t, row, c, (double)i);
    }
    struct fr_sheet sheet = {"Results", "data", t};
    struct fr_strbuf part = FR_STRBUF_INIT;
    int rc = fr_xlsx_write(&sheet, 1, path, true, &log);
    read_part(path, "xl/worksheets/sheet1.xml", &part);
    check(rc == 0 && has(&part, "<row r=\"40002\"") && has(&part, "<autoFilter") && !has(&part, "<tablePart"),
          "a big sheet is written row by row, with a filter", "it is not");
    fr_strbuf_release(&part);
    fr_table_free(t);
}

/* 26000 beside 0.031: each cell has the decimals that tables show, so neither is "26,000.000" nor "0". */
static void test_decimals(const char *path)
{
    struct fr_log log = {0};
    struct fr_table *t = fr_table_new();
    fr_table_column(t, "label", FR_COL_KEY);
    fr_table_column(t, "bandwidth", FR_COL_VALUE)->dim = FR_DIM_BYTES_PER_S;
    fr_table_number(t, fr_table_row(t), 1, 26e9);
    fr_table_number(t, fr_table_row(t), 1, 31e3);
    fr_table_fit(t, FR_UNIT_SI, 0);
    struct fr_sheet sheet = {"Summary", "summary", t};
    struct fr_strbuf part = FR_STRBUF_INIT;
    int rc = fr_xlsx_write(&sheet, 1, path, true, &log);
    read_part(path, "xl/styles.xml", &part);
    check(rc == 0 && has(&part, "formatCode=\"#,##0.000&quot; MB/s&quot;\"") &&
              has(&part, "formatCode=\"#,##0&quot; MB/s&quot;\"") && !has(&part, "[&lt;"),
          "large and small figures have decimals of their own", fr_strbuf_str(&part));
    fr_strbuf_release(&part);
    fr_table_free(t);
}

/* A chart that there is not is named below the rows, and in a note. */
static void test_no_chart(const char *path)
{
    static const char *const units[] = {"MB/s", "ms", "MB/s", "IOPS"};
    struct fr_log log = {0};
    struct fr_table *t = fr_table_new();
    fr_table_column(t, "test", FR_COL_KEY);
    fr_table_column(t, "unit", FR_COL_INFO);
    fr_table_column(t, "lvm", FR_COL_VALUE);
    for (size_t i = 0; i < 4; i++) {
        struct fr_row *row = fr_table_row(t);
        fr_table_text(t, row, 0, labels[i]);
        fr_table_text(t, row, 1, units[i]);
        fr_table_number(t, row, 2, 100);
    }
    struct fr_sheet sheet = {"Summary", "summary", t};
    struct fr_strbuf part = FR_STRBUF_INIT;
    int rc = fr_xlsx_write(&sheet, 1, path, true, &log);
    read_part(path, "xl/sharedStrings.xml", &part);
    check(rc == 0 && log.count[FR_NOTE] == 1 && has(&part, "<t>There is no chart of lvm: MB/s: rows of"),
          "what has no chart is named", fr_strbuf_str(&part));
    read_part(path, "xl/charts/chart2.xml", &part);
    check(part.len > 0, "all else has one", "it has none");
    fr_strbuf_release(&part);
    fr_table_free(t);
}

int main(void)
{
    char dir[] = "/tmp/fioreport-xlsx-XXXXXX", path[64];
    if (!mkdtemp(dir))
        return 1;
    snprintf(path, sizeof path, "%s/a.xlsx", dir);
    struct fr_table *t = make_table(LABELS), *empty = fr_table_new();
    fr_table_column(empty, "label", FR_COL_KEY);
    struct fr_sheet sheets[] = {{"Summary", "summary", t},
                                {"Data", "data", t},
                                {"data", "info", t},
                                {"x/y?", "info", empty},
                                {"Empty", "data", empty}};
    test_file(sheets, 5, path);
    test_split(path);
    test_big(path);
    test_decimals(path);
    test_no_chart(path);
    unlink(path);
    check(rmdir(dir) == 0, "no temporary file is left", "the folder is not empty");
    fr_table_free(t);
    fr_table_free(empty);
    return check_failed;
}
