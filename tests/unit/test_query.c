/* test_query: curves (percentiles, bins, series) and what the cells of a pivot hold beside what is printed. */
#include "check.h"
#include "series.h"
#include "store.h"

#include <math.h>

#include "banned.h"

static char last[512];

static void say(void *ctx, const struct fr_message *message)
{
    (void)ctx;
    snprintf(last, sizeof last, "%s", message->text);
}

static struct fr_log log_of_test = {.say = say};

static void add_source(struct fr_store *store, struct fr_batch *b, char content)
{
    char hash[65];
    memset(hash, content, 64);
    hash[64] = 0;
    struct fr_source source = {.name = b->source, .sha256 = hash, .size = 5};
    CHECK("query source is in", fr_store_add(store, &source, b, false, false, &log_of_test) == FR_STORE_ADDED);
    fr_batch_release(b);
}

static struct fr_test *add_test(struct fr_batch *b, const char *label, const char *name)
{
    struct fr_run *run = fr_run_new(b, "fio-json", "fio", 1);
    run->label = label;
    return fr_test_new(b, run, fr_str(name), 1);
}

static void add_hist(struct fr_batch *b, struct fr_test *test, double from, unsigned long count)
{
    struct fr_hist *h = fr_hist_new(b, test, FR_OP_READ, FR_M_CLAT, 2, 1);
    h->exact = true;
    h->bins[0] = (struct fr_bin){from, from + 1e-6, count};
    h->bins[1] = (struct fr_bin){from + 1e-6, from + 2e-6, count};
}

static void add_series(struct fr_batch *b, struct fr_test *test)
{
    struct fr_series_builder *s = fr_series_begin(b, FR_OP_READ, FR_M_BW, "log", 1024, 0, 1);
    for (int64_t t = 0; t < 2500; t += 500)
        fr_series_add(s, t, 100 + t, NULL);
    fr_series_end(s, test);
}

static struct fr_store *make_store(void)
{
    struct fr_store *store = fr_store_open(NULL, FR_STORE_MEMORY, &log_of_test);
    static const char *const labels[] = {"zfs", "zfs", "lvm"};
    for (int i = 0; i < 3; i++) {
        struct fr_batch b;
        char name[32];
        snprintf(name, sizeof name, "%d.json", i);
        fr_batch_init(&b, name);
        struct fr_test *test = add_test(&b, labels[i], "job");
        fr_value_add(&b, test, FR_OP_READ, FR_M_IOPS, "mean", 100 * (i + 1), 1);
        fr_value_add(&b, test, FR_OP_READ, FR_M_CLAT, "p99", 1e-3 * (i + 1), 1);
        fr_value_add(&b, test, FR_OP_READ, FR_M_CLAT, "p50", 1e-4 * (i + 1), 1);
        add_hist(&b, test, 1e-4 * (i + 1), 10);
        add_series(&b, test);
        add_source(store, &b, (char)('a' + i));
    }
    return store;
}

static const struct fr_cell *cell(const struct fr_table *table, size_t row, size_t column)
{
    const struct fr_row *r = table ? table->head : NULL;
    while (r && row--)
        r = r->next;
    return r && column < table->columns_n ? &r->cells[column] : NULL;
}

static bool text_is(const struct fr_table *table, size_t row, size_t column, const char *text)
{
    const struct fr_cell *c = cell(table, row, column);
    return c && c->kind == FR_CELL_TEXT && strcmp(c->text, text) == 0;
}

static bool number_is(const struct fr_table *table, size_t row, size_t column, double value)
{
    const struct fr_cell *c = cell(table, row, column);
    return c && c->kind == FR_CELL_NUMBER && fabs(c->value - value) <= 1e-9 * fabs(value);
}

static void test_bins(struct fr_store *store)
{
    struct fr_query query = {.metrics = NULL};
    struct fr_table *t = fr_query_table(store, &query, FR_SHAPE_BINS, &log_of_test);
    CHECK("query bins: two runs of one label are one sum", t && t->rows_n == 6);
    CHECK("query bins: its name", text_is(t, 0, 0, "zfs") && text_is(t, 4, 0, "lvm"));
    CHECK("query bins: bounds and count",
          number_is(t, 0, 1, 1e-4) && number_is(t, 0, 2, 1.01e-4) && number_is(t, 0, 3, 10));
    CHECK("query bins: roles", t && t->columns[1].role == FR_COL_X && t->columns[2].role == FR_COL_X_END);
    fr_table_free(t);
}

/* Percentiles of repeats come from the sum of their histograms, never from an average. */
static void test_percentiles(struct fr_store *store)
{
    struct fr_query query = {.metrics = NULL};
    struct fr_table *t = fr_query_table(store, &query, FR_SHAPE_PERCENTILES, &log_of_test);
    CHECK("query percentiles: two curves", t && t->rows_n == 34);
    bool inside = false;
    for (size_t i = 0; t && i < t->rows_n; i++)
        if (text_is(t, i, 0, "zfs") && number_is(t, i, 1, 99))
            inside = cell(t, i, 2)->value >= 2.01e-4 && cell(t, i, 2)->value <= 2.02e-4;
    CHECK("query percentiles: the 99th is in the slower run's last bin", inside);
    fr_table_free(t);

    query.metrics = "write.clat";
    CHECK("query percentiles: none", !fr_query_table(store, &query, FR_SHAPE_PERCENTILES, &log_of_test));
    CHECK_STR("query percentiles: none is said", last,
              "nothing matches: no run has percentiles of write.clat; "
              "fio prints those of clat, and of lat with lat_percentiles=1");
}

static void test_series_shape(struct fr_store *store)
{
    static const char *const where[] = {"label=lvm"};
    struct fr_query query = {.where = where, .where_n = 1, .points = 3};
    struct fr_table *t = fr_query_table(store, &query, FR_SHAPE_SERIES, &log_of_test);
    CHECK("query series: a row a window", t && t->rows_n == 3);
    CHECK("query series: median, lowest and highest of the first",
          text_is(t, 0, 0, "lvm") && number_is(t, 0, 1, 0) && number_is(t, 0, 2, 2) &&
              number_is(t, 0, 3, 350 * 1024.0) && number_is(t, 0, 6, 100 * 1024.0) && number_is(t, 0, 7, 600 * 1024.0));
    fr_table_free(t);
}

static void test_pivot(struct fr_store *store)
{
    struct fr_query query = {.metrics = "read.iops", .baseline = "lvm", .sort = "-read.iops", .digits = 4};
    struct fr_table *t = fr_query_table(store, &query, FR_SHAPE_PIVOT, &log_of_test);
    CHECK("query pivot: sorted", text_is(t, 0, 0, "lvm") && text_is(t, 1, 0, "zfs"));
    CHECK("query pivot: median of two, n and range",
          number_is(t, 1, 1, 150) && cell(t, 1, 1)->n == 2 && cell(t, 1, 1)->lo == 100 && cell(t, 1, 1)->hi == 200);
    CHECK("query pivot: ratio", number_is(t, 1, 2, 0.5) && t->columns[2].role == FR_COL_RATIO);
    CHECK("query pivot: best", cell(t, 0, 1)->flags & FR_CELL_BEST && !(cell(t, 1, 1)->flags & FR_CELL_BEST));
    CHECK_STR("query pivot: metric of the column", t->columns[1].metric, "iops");
    CHECK_STR("query pivot: op of the column", t->columns[1].op, "read");
    fr_table_free(t);
}

/* "001" for a mean in the third of three rows. */
static const char *means(const struct fr_table *t, char out[16])
{
    size_t n = 0;
    for (const struct fr_row *row = t ? t->head : NULL; row && n < 15; row = row->next)
        out[n++] = row->summary ? '1' : '0';
    out[n] = 0;
    return out;
}

/* In a table a mean stands below its group; in a workbook, whose charts refer to rows that stand together, below all.
 */
static void test_means(struct fr_store *store)
{
    static const char *const base[] = {"read.iops=100"};
    struct fr_query query = {.metrics = "read.iops",
                             .rows = "source",
                             .group = "label",
                             .baseline_values = base,
                             .baseline_values_n = 1,
                             .geomean = true};
    struct fr_sheet *sheets = NULL;
    size_t n = 0;
    char order[16];
    struct fr_table *t = fr_query_table(store, &query, FR_SHAPE_PIVOT, &log_of_test);
    CHECK_STR("query means: below each group, and one of all", means(t, order), "00101");
    CHECK("query means: of 100 and 200 to 100", number_is(t, 2, 2, 1.4142135623730951));
    CHECK("query sheets: there are some", fr_query_sheets(store, &query, &sheets, &n, &log_of_test) == 0 && n >= 3);
    CHECK_STR("query sheets: means below all rows", means(n ? sheets[0].table : NULL, order), "00011");
    CHECK("query sheets: the last row is the last",
          n && sheets[0].table->tail->summary && !sheets[0].table->tail->next);
    fr_sheets_free(sheets, n);
    fr_table_free(t);
}

int main(void)
{
    struct fr_store *store = make_store();
    test_bins(store);
    test_percentiles(store);
    test_series_shape(store);
    test_pivot(store);
    test_means(store);
    fr_store_close(store);
    return check_failed;
}
