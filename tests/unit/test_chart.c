/* test_chart.c: draws hard tables as every kind of chart and looks at the boxes: no text touches another or a mark,
   none leaves the picture. Then the files: the same bytes again, whole, and never over somebody else's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "output.h"
#include "params.h"
#include "picture.h"

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static const char *const labels[] = {
    "lvm",
    "zfs-recordsize-64k-compression-zstd-over-iscsi-multipath-abc",
    "日本語ラベルのとても長い名前がここにあります",
    "مرحبا بالعالم",
    "🚀 rocket",
    "",
    "two\nlines",
    "unbreakableunbreakableunbreakableunbreakableunbreakableunbreakableunbreakable",
    "a | b, c (d)",
};
enum { LABELS = sizeof labels / sizeof *labels };

static double hard_value(size_t i, int spread)
{
    static const double values[] = {20293, 0.001, 1e9, 0, 457.25, 99.5, 100, 12345.678, 3};
    static const double huge[] = {1e285, 12345678901.0, 99999999999.0, 3e284, 1};
    if (spread == 2)
        return huge[i % 5];
    return spread ? values[i % 9] : 100 + (double)(i * 37 % 50);
}

/* rows x series figures of one metric, and latency beside it when `metrics` is 2. */
static struct fr_table *pivot(size_t rows, size_t series, int metrics, int spread, int troubles)
{
    struct fr_table *t = fr_table_new();
    t->title = "A title that is long enough to be wrapped at any width that a chart may have, with 日本語 in it";
    t->subtitle = "randrw 4k, iodepth 1, numjobs 1, libaio, direct, 60 s";
    t->source = "fio 3.19, 2022-08-13";
    fr_table_column(t, "label", FR_COL_KEY);
    for (size_t s = 0; s < series; s++)
        value_column(t, series > 1 ? labels[s % LABELS] : NULL, "write bandwidth", FR_DIM_BYTES_PER_S, "bw", FR_HIGHER);
    if (metrics > 1)
        value_column(t, NULL, "clat p99", FR_DIM_SECONDS, "clat", FR_LOWER);
    for (size_t r = 0; r < rows; r++) {
        struct fr_row *row = fr_table_row(t);
        row->group = troubles && rows > 3 ? (r < rows / 2 ? "first half of the rows" : "second") : NULL;
        fr_table_text(t, row, 0, rows > LABELS ? "label" : labels[r % LABELS]);
        for (size_t c = 1; c < t->columns_n; c++) {
            fr_table_number(t, row, c, hard_value(r + c, spread) * (c > series ? 1e-6 : 1));
            row->cells[c].n = troubles && c == 1 ? 5 : 1;
            row->cells[c].lo = row->cells[c].value * 0.9;
            row->cells[c].hi = row->cells[c].value * 1.2;
        }
        if (troubles && r == 1)
            row->cells[1].kind = FR_CELL_ABSENT;
        if (troubles && r == 2) {
            row->flags = FR_CELL_FAILED;
            row->cells[1].note = fr_table_note(t, "err=28 (No space left on device)");
        }
    }
    fr_table_fit(t, FR_UNIT_AUTO, 0);
    if (troubles && series == 1) {
        t->columns[1].baseline = "target";
        t->columns[1].baseline_value = 110;
    }
    return t;
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

static bool touch(const struct fr_box *a, const struct fr_box *b)
{
    const double slack = 1.0; /* line spacing */
    return a->x + a->w - slack > b->x && b->x + b->w - slack > a->x && a->y + a->h - slack > b->y &&
           b->y + b->h - slack > a->y;
}

static bool inside(const struct fr_canvas *canvas, const struct fr_box *b)
{
    return b->x >= -0.5 && b->y >= -0.5 && b->x + b->w <= fr_canvas_width(canvas) + 0.5 &&
           b->y + b->h <= fr_canvas_height(canvas) + 0.5;
}

/* The first fault among the boxes, or NULL. */
static const char *find_fault(const struct fr_canvas *canvas, char *out, size_t size)
{
    size_t n;
    const struct fr_box *boxes = fr_canvas_boxes(canvas, &n);
    for (size_t i = 0; i < n; i++) {
        const struct fr_box *a = &boxes[i];
        const char *text = a->text ? a->text : a->kind == FR_BOX_MARK ? "(mark)" : "(area)";
        if (!inside(canvas, a)) {
            snprintf(out, size, "'%.40s' leaves the picture (%.0f,%.0f %.0fx%.0f)", text, a->x, a->y, a->w, a->h);
            return out;
        }
        if (a->kind != FR_BOX_TEXT)
            continue;
        for (size_t k = 0; k < n; k++) {
            const struct fr_box *b = &boxes[k];
            if (k == i || b->kind == FR_BOX_AREA || (b->kind == FR_BOX_TEXT && k < i) || !touch(a, b))
                continue;
            snprintf(out, size, "'%.40s' (%.0f,%.0f %.0fx%.0f) touches '%.40s' (%.0f,%.0f %.0fx%.0f)", text, a->x, a->y,
                     a->w, a->h, b->text ? b->text : "(mark)", b->x, b->y, b->w, b->h);
            return out;
        }
    }
    return n > 2 ? NULL : "nothing was drawn";
}

static void look(const struct fr_table *t, const char *kind, const char *theme, int width, bool log_axis,
                 const char *name)
{
    struct fr_log log = {.say = say};
    struct fr_chart_options options = {
        .kind = kind, .theme = theme, .width = width, .log_axis = log_axis, .scale = 1, .axes = "shared"};
    struct fr_canvas *canvas = fr_chart_draw(t, &options, FR_PNG, &log);
    char why[400];
    const char *fault = canvas ? find_fault(canvas, why, sizeof why) : "not drawn";
    check(fault == NULL, name, fault ? fault : "");
    fr_canvas_free(canvas);
}

static void test_bars(const char *kind)
{
    static const size_t rows[] = {1, 2, 5, 9, 40};
    static const size_t series[] = {1, 3, 9};
    static const int widths[] = {0, 400, 1200};
    bool facets = strcmp(kind, "facets") == 0; /* a panel a row: not for so many */
    for (size_t r = 0; r < (facets ? 4 : 5); r++)
        for (size_t s = 0; s < 3; s++)
            for (int metrics = 1; metrics <= 2; metrics++)
                for (int spread = 0; spread <= 1; spread++) {
                    struct fr_table *t = pivot(rows[r], series[s], metrics, spread, (int)(r + s) % 2);
                    char name[120];
                    int width = widths[(r + s + (size_t)spread) % 3];
                    snprintf(name, sizeof name, "%s: %zu rows, %zu series, %d metrics, %s, width %d", kind, rows[r],
                             series[s], metrics, spread ? "wide range" : "near", width);
                    look(t, kind, r % 2 ? "dark" : "print", width, spread == 1 && s == 1, name);
                    fr_table_free(t);
                }
}

static struct fr_table *curves(enum fr_shape shape, size_t n, size_t points, int spread);
static struct fr_table *grid(size_t rows, size_t columns, bool keys, int spread);

/* Figures of eleven digits, and near what a double holds, in pictures that are as narrow as a telephone. */
static void test_extremes(void)
{
    static const char *const kinds[] = {"bars", "facets", "heatmap", "scaling", "latency-iops"};
    static const int widths[] = {240, 270, 800};
    for (size_t k = 0; k < 5; k++)
        for (size_t w = 0; w < 3; w++)
            for (int spread = 0; spread <= 2; spread += 2)
                for (int log_axis = 0; log_axis <= 1; log_axis++) {
                    struct fr_table *t = k < 3 ? pivot(5, 3, 2, spread, 1) : grid(3, 2, true, spread);
                    char name[120];
                    t->columns[1].baseline = "target";
                    t->columns[k < 3 ? 1 : 2].baseline_value = 12345678901.0;
                    snprintf(name, sizeof name, "%s: %s figures, width %d%s", kinds[k], spread ? "huge" : "plain",
                             widths[w], log_axis ? ", log" : "");
                    look(t, kinds[k], "light", widths[w], log_axis, name);
                    fr_table_free(t);
                }
    for (size_t w = 0; w < 3; w++) {
        struct fr_table *t = curves(FR_SHAPE_SERIES, 2, 30, 0);
        for (struct fr_row *row = t->head; row; row = row->next)
            for (size_t c = 3; c < 6; c++)
                row->cells[c].value *= 1e280;
        look(t, "series", "light", widths[w], w == 1, "series: huge figures");
        fr_table_free(t);
    }
}

/* Panels of two metrics say which is theirs, those of one metric do not repeat it. */
static void test_facets_of_metrics(void)
{
    struct fr_log log = {.say = say};
    struct fr_chart_options options = {.kind = "facets", .width = 1200, .scale = 1};
    for (int metrics = 1; metrics <= 2; metrics++) {
        struct fr_table *t = pivot(2, 3, metrics, 0, 0);
        struct fr_canvas *canvas = fr_chart_draw(t, &options, FR_PNG, &log);
        bool named = canvas && says(canvas, "write bandwidth: ");
        check(canvas && named == (metrics == 2), "facets: panels of several metrics are named", "");
        check(canvas && says(canvas, "clat p99: ") == (metrics == 2), "facets: each by its own", "");
        check(canvas && says(canvas, "All: ") == (metrics == 1), "facets: one metric is said once", "");
        fr_canvas_free(canvas);
        fr_table_free(t);
    }
}

/* A baseline is named wherever it is drawn. */
static void test_baselines(void)
{
    static const char *const kinds[] = {"bars", "facets", "scaling", "latency-iops"};
    for (size_t k = 0; k < 4; k++)
        for (size_t series = 1; series <= 3; series += 2) {
            struct fr_table *t = k < 2 ? pivot(5, series, 1, 0, 0) : grid(4, series, false, 0);
            char name[60];
            for (size_t c = 1; c < t->columns_n; c++) {
                t->columns[c].baseline = "110MB/s";
                t->columns[c].baseline_value = 110;
            }
            struct fr_canvas *canvas = drawn(t, kinds[k], NULL);
            snprintf(name, sizeof name, "%s: a baseline in panels of %zu series is named", kinds[k], series);
            check(canvas && mentions(canvas, "baseline 110"), name, "");
            fr_canvas_free(canvas);
            fr_table_free(t);
        }
}

/* Reads and writes of labels: a panel each, in which a label has one colour and the legend one entry. */
static void test_directions(void)
{
    struct fr_table *t = fr_table_new();
    static const char *const ops[] = {"read", "write"};
    fr_table_column(t, "test", FR_COL_KEY);
    for (size_t c = 0; c < 4; c++) {
        struct fr_column *column = value_column(t, c / 2 ? "write bandwidth" : "read bandwidth", c % 2 ? "zfs" : "lvm",
                                                FR_DIM_BYTES_PER_S, "bw", FR_HIGHER);
        column->op = ops[c / 2];
    }
    for (size_t r = 0; r < 2; r++) {
        struct fr_row *row = fr_table_row(t);
        fr_table_text(t, row, 0, ops[r]);
        for (size_t c = 0; c < 2; c++)
            fr_table_number(t, row, 1 + 2 * r + c, 1000 + (double)c);
    }
    struct fr_canvas *canvas = drawn(t, "bars", NULL);
    check(canvas && says(canvas, "lvm") && says(canvas, "zfs") && says(canvas, "read bandwidth") &&
              !says(canvas, "read bandwidth lvm") && !says(canvas, "–"),
          "bars: directions have panels, labels keep their colours", "");
    fr_canvas_free(canvas);
    fr_table_free(t);
}

/* A test that read has a bar for its reads and no dash for writes. */
static void test_one_direction(void)
{
    for (size_t rows = 2; rows <= 10; rows += 8) { /* standing and lying */
        struct fr_table *t = fr_table_new();
        fr_table_column(t, "test", FR_COL_KEY);
        value_column(t, NULL, "read IOPS", FR_DIM_OPS, "iops", FR_HIGHER)->op = "read";
        value_column(t, NULL, "write IOPS", FR_DIM_OPS, "iops", FR_HIGHER)->op = "write";
        for (size_t r = 0; r < rows; r++) {
            struct fr_row *row = fr_table_row(t);
            fr_table_text(t, row, 0, labels[r % LABELS]);
            fr_table_number(t, row, 1 + r % 2, 100);
        }
        struct fr_canvas *canvas = drawn(t, "bars", NULL);
        check(canvas && !says(canvas, "–"), "bars: no dash for a direction that a test has not", "");
        fr_canvas_free(canvas);
        t->head->cells[2].note = fr_table_note(t, "why it failed");
        canvas = drawn(t, "bars", NULL);
        check(canvas && says(canvas, "–"), "bars: a dash for one that has a footnote", "");
        fr_canvas_free(canvas);
        fr_table_free(t);
    }
}

/* The boxes that are wide enough to be bars, in order: their widths. */
static size_t bar_widths(const struct fr_canvas *canvas, double *out, size_t max)
{
    size_t n, used = 0;
    const struct fr_box *boxes = fr_canvas_boxes(canvas, &n);
    for (size_t i = 0; i < n && used < max; i++)
        if (boxes[i].kind == FR_BOX_MARK && boxes[i].w > 13)
            out[used++] = boxes[i].w;
    return used;
}

/* Where panels share an axis, bars are as long as their values say, whatever the labels need. */
static void test_lengths(void)
{
    static const double values[] = {99.5, 100, 400, 123.456};
    struct fr_table *t = fr_table_new();
    fr_table_column(t, "test", FR_COL_KEY);
    value_column(t, "lvm", "IOPS", FR_DIM_OPS, "iops", FR_HIGHER);
    value_column(t, "zfs", "IOPS", FR_DIM_OPS, "iops", FR_HIGHER);
    for (size_t r = 0; r < 2; r++) {
        struct fr_row *row = fr_table_row(t);
        fr_table_text(t, row, 0, r ? "one" : "two");
        fr_table_number(t, row, 1, values[2 * r]);
        fr_table_number(t, row, 2, values[2 * r + 1]);
    }
    t->head->cells[2].note = fr_table_note(t, "a footnote makes the label longer");
    struct fr_canvas *canvas = drawn(t, "facets", NULL);
    double w[8];
    bool fine = canvas && bar_widths(canvas, w, 8) == 4;
    for (size_t i = 0; i < 4 && fine; i++)
        fine = fabs(w[i] / w[0] - values[i] / values[0]) < 0.01;
    check(fine, "facets: bars of all panels have one scale", "");
    fr_canvas_free(canvas);
    fr_table_free(t);
}

/* Panels of one metric have one axis, or say that they have not. */
static void test_axes_of_panels(void)
{
    static const struct {
        const char *axes;
        int spread;
        bool own;
    } cases[] = {{NULL, 0, false}, {NULL, 1, true}, {"free", 0, true}, {"shared", 1, false}};
    for (size_t i = 0; i < 4; i++) {
        struct fr_table *t = pivot(5, 3, 1, cases[i].spread, 0);
        struct fr_canvas *canvas = drawn(t, "facets", cases[i].axes);
        char name[80];
        snprintf(name, sizeof name, "facets: axes %s, figures %s", cases[i].axes ? cases[i].axes : "auto",
                 cases[i].spread ? "far apart" : "near");
        check(canvas && says(canvas, "Each panel has an axis of its own.") == cases[i].own, name, "");
        fr_canvas_free(canvas);
        fr_table_free(t);
    }
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/* A table of n series with `points` rows each, as one of the shapes. */
static struct fr_table *curves(enum fr_shape shape, size_t n, size_t points, int spread)
{
    struct fr_table *t = fr_table_new();
    t->title = "curves";
    fr_table_column(t, "series", FR_COL_KEY);
    if (shape == FR_SHAPE_PERCENTILES) {
        fr_table_column(t, "percentile", FR_COL_X);
        value_column(t, NULL, "write completion latency", FR_DIM_SECONDS, "clat", FR_LOWER);
    } else if (shape == FR_SHAPE_BINS) {
        fr_table_column(t, "lower", FR_COL_X)->dim = FR_DIM_SECONDS;
        fr_table_column(t, "upper", FR_COL_X_END)->dim = FR_DIM_SECONDS;
        value_column(t, NULL, "count", FR_DIM_COUNT, NULL, FR_NEITHER);
    } else {
        fr_table_column(t, "t", FR_COL_X)->dim = FR_DIM_SECONDS;
        fr_table_column(t, "n", FR_COL_INFO);
        value_column(t, NULL, "mean", FR_DIM_BYTES_PER_S, NULL, FR_HIGHER);
        value_column(t, NULL, "min", FR_DIM_BYTES_PER_S, NULL, FR_HIGHER);
        value_column(t, NULL, "max", FR_DIM_BYTES_PER_S, NULL, FR_HIGHER);
    }
    for (size_t s = 0; s < n; s++)
        for (size_t i = 0; i < points; i++) {
            struct fr_row *row = fr_table_row(t);
            double v = (double)(i + 1) * (double)(s + 1) * (spread ? pow(10, (double)(i % 7) - 3) : 1);
            fr_table_text(t, row, 0, labels[s % LABELS]);
            if (shape == FR_SHAPE_PERCENTILES) {
                fr_table_number(t, row, 1, 100 - 100 / pow(2, (double)i));
                fr_table_number(t, row, 2, v * 1e-5);
            } else if (shape == FR_SHAPE_BINS) {
                fr_table_number(t, row, 1, (double)i * 1e-6);
                fr_table_number(t, row, 2, (double)(i + 1) * 1e-6);
                fr_table_number(t, row, 3, v);
            } else {
                bool last = i + 1 == points && points > 1;
                fr_table_number(t, row, 1, (double)i);
                fr_table_number(t, row, 2, 10);
                fr_table_number(t, row, 3, last ? 1e12 : v * 1e6);
                fr_table_number(t, row, 4, v * 0.5e6);
                fr_table_number(t, row, 5, v * 1.5e6);
                if (last)
                    row->cells[3].flags = FR_CELL_PARTIAL;
            }
            if (s == 1)
                row->flags = FR_CELL_FAILED;
        }
    fr_table_fit(t, FR_UNIT_AUTO, 0);
    return t;
}

static void test_curves(const char *kind, enum fr_shape shape)
{
    static const size_t series[] = {1, 2, 5, 9}, points[] = {1, 2, 30, 2000};
    static const int widths[] = {0, 300, 1200};
    for (size_t s = 0; s < 4; s++)
        for (size_t p = 0; p < 4; p++) {
            struct fr_table *t = curves(shape, series[s], points[p], (int)(s + p) % 2);
            char name[120];
            snprintf(name, sizeof name, "%s: %zu series of %zu points", kind, series[s], points[p]);
            look(t, kind, p % 2 ? "dark" : "light", widths[(s + p) % 3], p == 2, name);
            fr_table_free(t);
        }
}

/* Latencies by time: n series of `columns` windows and `rows` buckets. */
static struct fr_table *times(size_t n, size_t columns, size_t rows)
{
    struct fr_table *t = fr_table_new();
    t->title = "latency by time";
    fr_table_column(t, "series", FR_COL_KEY);
    fr_table_column(t, "t", FR_COL_X)->dim = FR_DIM_SECONDS;
    fr_table_column(t, "t end", FR_COL_X_END)->dim = FR_DIM_SECONDS;
    fr_table_column(t, "lower", FR_COL_X)->dim = FR_DIM_SECONDS;
    fr_table_column(t, "upper", FR_COL_X_END)->dim = FR_DIM_SECONDS;
    value_column(t, NULL, "count", FR_DIM_COUNT, NULL, FR_NEITHER);
    for (size_t s = 0; s < n; s++)
        for (size_t i = 0; i < columns * rows; i++) {
            struct fr_row *row = fr_table_row(t);
            fr_table_text(t, row, 0, labels[s % LABELS]);
            fr_table_number(t, row, 1, (double)(i / rows));
            fr_table_number(t, row, 2, (double)(i / rows) + 1);
            fr_table_number(t, row, 3, 1e-6 * pow(2, (double)(i % rows)));
            fr_table_number(t, row, 4, 1e-6 * pow(2, (double)(i % rows) + 1));
            fr_table_number(t, row, 5, (double)(1 + i * i * i % 99999));
        }
    fr_table_fit(t, FR_UNIT_AUTO, 0);
    return t;
}

static void test_times(void)
{
    static const size_t series[] = {1, 2, 9}, columns[] = {1, 120, 30000};
    static const int widths[] = {240, 270, 800};
    for (size_t s = 0; s < 3; s++)
        for (size_t c = 0; c < 3; c++) {
            struct fr_table *t = times(series[s], columns[c], c == 2 ? 2 : c * 20 + 1);
            char name[80];
            snprintf(name, sizeof name, "heatmap: %zu series, %zu windows of time", series[s], columns[c]);
            look(t, "heatmap", c % 2 ? "dark" : "light", widths[(s + c) % 3], false, name);
            fr_table_free(t);
        }
}

/* Steady state windows: of one series, of all at once, of each its own, of more than there is room for. */
static void test_spans(void)
{
    for (size_t n = 1; n <= 5; n++)
        for (int same = 0; same <= 1; same++) {
            struct fr_table *t = curves(FR_SHAPE_SERIES, n, 60, 0);
            for (size_t i = 0; i < n; i++)
                fr_table_span(t, labels[i], same ? 40 : 10 * (double)i, same ? 60 : 10 * (double)i + 1, "steady state");
            fr_table_span(t, labels[0], 0, 3, "ramp_time");
            char name[80];
            snprintf(name, sizeof name, "series: steady state of %zu%s", n, same ? ", the same" : "");
            look(t, "series", "light", n % 2 ? 300 : 0, false, name);
            struct fr_canvas *canvas = drawn(t, "series", NULL);
            check(canvas && mentions(canvas, "steady state") && mentions(canvas, "ramp_time"), name, "it is not named");
            fr_canvas_free(canvas);
            fr_table_free(t);
        }
}

/* The same picture, whatever a partial last interval says. */
static void test_partial(void)
{
    struct fr_canvas *drawn[2];
    struct fr_log log = {0};
    struct fr_chart_options options = {.kind = "series", .scale = 1};
    for (int i = 0; i < 2; i++) {
        struct fr_table *t = curves(FR_SHAPE_SERIES, 1, 30, 0);
        t->tail->cells[3].value = t->tail->cells[5].value = i ? 9e15 : 1;
        for (size_t c = 3; c < 6; c++) {
            t->columns[c].scale = 1;
            t->columns[c].unit = "B/s";
        }
        drawn[i] = fr_chart_draw(t, &options, FR_PNG, &log);
        fr_table_free(t);
    }
    size_t n[2] = {0, 0};
    const struct fr_box *a = drawn[0] ? fr_canvas_boxes(drawn[0], &n[0]) : NULL;
    const struct fr_box *b = drawn[1] ? fr_canvas_boxes(drawn[1], &n[1]) : NULL;
    bool same = a && b && n[0] == n[1];
    for (size_t i = 0; same && i < n[0]; i++)
        same =
            a[i].x == b[i].x && a[i].y == b[i].y && strcmp(a[i].text ? a[i].text : "", b[i].text ? b[i].text : "") == 0;
    check(same, "a partial last interval draws no spike", "the pictures differ");
    fr_canvas_free(drawn[0]);
    fr_canvas_free(drawn[1]);
}

/* iodepth down, labels across, two metrics; or both as keys. */
static struct fr_table *grid(size_t rows, size_t columns, bool keys, int spread)
{
    struct fr_table *t = fr_table_new();
    t->title = "two parameters";
    if (keys)
        fr_table_column(t, "label", FR_COL_KEY);
    fr_table_column(t, "iodepth", FR_COL_KEY);
    for (size_t c = 0; c < (keys ? 1 : columns); c++)
        value_column(t, keys ? NULL : labels[c % LABELS], "write IOPS", FR_DIM_OPS, "iops", FR_HIGHER);
    for (size_t c = 0; c < (keys ? 1 : columns); c++)
        value_column(t, keys ? NULL : labels[c % LABELS], "write clat p99", FR_DIM_SECONDS, "clat", FR_LOWER);
    size_t first = keys ? 2 : 1;
    for (size_t i = 0; i < rows * (keys ? columns : 1); i++) {
        struct fr_row *row = fr_table_row(t);
        char depth[24];
        snprintf(depth, sizeof depth, "%llu", 1ull << (i % rows));
        if (keys)
            fr_table_text(t, row, 0, labels[i / rows % LABELS]);
        fr_table_text(t, row, first - 1, depth);
        for (size_t c = first; c < t->columns_n; c++)
            if (i == 0 || (i + c) % 7 != 3)
                fr_table_number(t, row, c,
                                hard_value(i + c, spread) * (t->columns[c].dim == FR_DIM_SECONDS ? 1e-5 : 1));
    }
    fr_table_fit(t, FR_UNIT_AUTO, 0);
    return t;
}

/* A line of more values of its parameter than an axis has ticks stays in the plot. */
static void test_many_values(void)
{
    enum { VALUES = 300 };
    struct fr_table *t = fr_table_new();
    fr_table_column(t, "iodepth", FR_COL_KEY);
    value_column(t, NULL, "write IOPS", FR_DIM_OPS, "iops", FR_HIGHER);
    for (size_t i = 1; i <= VALUES; i++) {
        struct fr_row *row = fr_table_row(t);
        char depth[24];
        snprintf(depth, sizeof depth, "%zu", i * i);
        fr_table_text(t, row, 0, depth);
        fr_table_number(t, row, 1, (double)i);
    }
    struct fr_param_axis params;
    struct fr_axis axis = {.scale = FR_SCALE_LINEAR};
    fr_param_find(&params, t);
    fr_param_axis_fit(&params, &axis);
    check(axis.max >= (double)VALUES * VALUES && axis.min > 0 && axis.ticks_n > 3, "scaling: 300 depths on the axis",
          "");
    look(t, "scaling", "light", 0, false, "scaling: 300 depths");
    fr_table_free(t);
}

static void test_grids(const char *kind)
{
    static const size_t rows[] = {1, 3, 9, 30}, columns[] = {1, 2, 9};
    static const int widths[] = {0, 480, 1200};
    for (size_t r = 0; r < 4; r++)
        for (size_t c = 0; c < 3; c++)
            for (int keys = 0; keys <= 1; keys++) {
                struct fr_table *t = grid(rows[r], columns[c], keys == 1, (int)(r + c) % 2);
                char name[120];
                snprintf(name, sizeof name, "%s: %zu rows, %zu columns%s", kind, rows[r], columns[c],
                         keys ? " as keys" : "");
                look(t, kind, c % 2 ? "print" : "light", widths[(r + c) % (strcmp(kind, "heatmap") ? 3 : 2) * 2 % 3],
                     r == 2, name);
                fr_table_free(t);
            }
}

static void test_relative(void)
{
    for (size_t rows = 1; rows <= 9; rows += 4) {
        struct fr_table *t = fr_table_new();
        fr_table_column(t, "label", FR_COL_KEY);
        for (int c = 0; c < 3; c++) {
            struct fr_column *col = fr_table_column(t, "write IOPS vs. lvm", FR_COL_RATIO);
            col->better = c ? FR_LOWER : FR_HIGHER;
            col->baseline = "lvm";
        }
        for (size_t r = 0; r < rows; r++) {
            struct fr_row *row = fr_table_row(t);
            fr_table_text(t, row, 0, labels[r % LABELS]);
            for (size_t c = 1; c <= 3; c++)
                fr_table_number(t, row, c, c == 1 ? 1 - (double)r * 0.1 : c == 2 ? pow(3, (double)r) : 1);
        }
        fr_table_fit(t, FR_UNIT_AUTO, 0);
        char name[60];
        snprintf(name, sizeof name, "relative: %zu rows", rows);
        look(t, "relative", "light", rows == 5 ? 400 : 0, false, name);
        fr_table_free(t);
    }
}

/* Rows with units of their own: a panel for each quantity, not rows of one name side by side. */
static void test_relative_units(void)
{
    struct fr_table *t = fr_table_new();
    fr_table_column(t, "test", FR_COL_KEY);
    fr_table_column(t, "unit", FR_COL_INFO);
    fr_table_column(t, "better", FR_COL_INFO);
    fr_table_column(t, "XFS vs EXT4", FR_COL_RATIO)->baseline = "EXT4";
    for (size_t i = 0; i < 3; i++) {
        struct fr_row *row = fr_table_row(t);
        fr_table_text(t, row, 0, "SEQ1M");
        fr_table_text(t, row, 1, i == 0 ? "MB/s" : i == 1 ? "GB/s" : "ms");
        fr_table_text(t, row, 2, i == 2 ? "lower" : "higher");
        fr_table_number(t, row, 3, 1.1);
    }
    struct fr_canvas *canvas = drawn(t, "relative", NULL);
    check(canvas && says(canvas, "XFS vs EXT4: MB/s, GB/s") && says(canvas, "XFS vs EXT4: ms") &&
              mentions(canvas, "lower is better") && says(canvas, "worse"),
          "relative: a panel for each quantity, with its direction", "");
    fr_canvas_free(canvas);
    fr_table_free(t);
}

/* What a kind cannot draw is an error, not an empty picture. */
static void test_nothing(void)
{
    const char *name;
    for (size_t i = 0; (name = fr_chart_kind_name(i, NULL, NULL)) != NULL; i++) {
        struct fr_log log = {0};
        struct fr_chart_options options = {.kind = name};
        struct fr_table *t = fr_table_new();
        struct fr_canvas *none = fr_chart_draw(t, &options, FR_PNG, &log);
        fr_table_column(t, "label", FR_COL_KEY);
        value_column(t, NULL, "write IOPS", FR_DIM_OPS, "iops", FR_HIGHER);
        fr_table_text(t, fr_table_row(t), 0, "absent");
        struct fr_canvas *empty = fr_chart_draw(t, &options, FR_PNG, &log);
        check(!none && !empty && log.count[FR_ERROR] == 2, "nothing to draw is an error", name);
        fr_table_free(t);
    }
}

/* A label has its place's colour, whichever of them a picture shows; other names go by their order. */
/* ---- files ------------------------------------------------------------------------------------------------------- */

static char *slurp(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    *n = 0;
    if (!f)
        return NULL;
    char *bytes = malloc(8u << 20);
    if (bytes)
        *n = fread(bytes, 1, 8u << 20, f);
    fclose(f);
    return bytes;
}

static void test_file(const struct fr_table *t, const char *dir, const char *ending)
{
    char path[256], name[80];
    struct fr_log log = {0};
    struct fr_chart_options options = {0};
    snprintf(path, sizeof path, "%s/chart%s", dir, ending);
    unlink(path);
    int rc = fr_chart_write(t, &options, path, &log);
    size_t n1, n2;
    char *first = slurp(path, &n1);
    rc |= fr_chart_write(t, &options, path, &log); /* over our own file */
    char *again = slurp(path, &n2);
    snprintf(name, sizeof name, "%s: the same data gives the same bytes", ending);
    check(rc == 0 && n1 > 1000 && n1 == n2 && memcmp(first, again, n1) == 0, name, "they differ");
    bool texts = first && memmem(first, n1, "fioreport", 9) && memmem(first, n1, "made by hand", 12);
    if (strcmp(ending, ".pdf") != 0)
        texts = texts && memmem(first, n1, "fioreport chart --kind bars", 27);
    snprintf(name, sizeof name, "%s: title, tool and command are in the file", ending);
    check(texts, name, "they are not");
    free(first);
    free(again);
    FILE *f = fopen(path, "wb");
    if (f) {
        fputs("somebody's own", f);
        fclose(f);
    }
    rc = fr_chart_write(t, &options, path, &log);
    first = slurp(path, &n1);
    snprintf(name, sizeof name, "%s: a foreign file is left alone", ending);
    check(rc == -1 && n1 == 14, name, "it was overwritten");
    free(first);
    options.force = true;
    snprintf(name, sizeof name, "%s: force overwrites it", ending);
    check(fr_chart_write(t, &options, path, &log) == 0, name, "refused");
    unlink(path);
}

static void test_files(void)
{
    char dir[] = "/tmp/fioreport-chart-XXXXXX";
    if (!mkdtemp(dir)) {
        check(false, "files", "no temporary folder");
        return;
    }
    struct fr_table *t = pivot(5, 2, 2, 0, 1);
    t->title = "made by hand";
    t->command = "fioreport chart --kind bars";
    test_file(t, dir, ".png");
    test_file(t, dir, ".svg");
    test_file(t, dir, ".pdf");
    char path[256];
    struct fr_log log = {0};
    struct fr_chart_options options = {0};
    snprintf(path, sizeof path, "%s/chart.gif", dir);
    check(fr_chart_write(t, &options, path, &log) == -2 && log.count[FR_ERROR] == 1, "an unknown ending is an error",
          "");
    options.kind = "pie";
    snprintf(path, sizeof path, "%s/chart.png", dir);
    check(fr_chart_write(t, &options, path, &log) == -2 && access(path, F_OK) != 0, "an unknown kind is an error", "");
    snprintf(path, sizeof path, "%s/none/chart.png", dir);
    options.kind = NULL;
    check(fr_chart_write(t, &options, path, &log) == -1, "a folder that is not there is an error", "");
    check(rmdir(dir) == 0, "no temporary file is left", "the folder is not empty");
    fr_table_free(t);
}

int main(void)
{
    test_bars("bars");
    test_bars("facets");
    test_facets_of_metrics();
    test_extremes();
    test_baselines();
    test_directions();
    test_axes_of_panels();
    test_lengths();
    test_one_direction();
    test_relative();
    test_relative_units();
    test_curves("percentiles", FR_SHAPE_PERCENTILES);
    test_curves("cdf", FR_SHAPE_BINS);
    test_curves("histogram", FR_SHAPE_BINS);
    test_curves("series", FR_SHAPE_SERIES);
    test_times();
    test_spans();
    test_partial();
    test_grids("scaling");
    test_many_values();
    test_grids("latency-iops");
    test_grids("heatmap");
    test_nothing();
    test_files();
    return check_failed;
}
