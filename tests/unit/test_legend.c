/* test_legend.c: what a picture says of itself: colours of labels, ticks of axes, scales. */
#include <math.h>
#include <stdio.h>

#include "axes.h"
#include "check.h"
#include "frame.h"
#include "picture.h"

/* ---- looks ------------------------------------------------------------------------------------------------------- */

static void test_looks(void)
{
    static const char *all[] = {"lvm", "zfs", "btrfs"}, *const some[] = {"btrfs", "lvm"},
                      *const other[] = {"zfs", "read"}, *const both[] = {"zfs read", "zfs write"};
    struct fr_table *t = fr_table_new();
    size_t looks[2];
    fr_looks(t, some, 2, looks);
    check(looks[0] == 0 && looks[1] == 1, "looks: by order where no labels are known", "");
    t->labels = all;
    t->labels_n = 3;
    fr_looks(t, some, 2, looks);
    check(looks[0] == 2 && looks[1] == 0, "looks: labels keep theirs", "");
    fr_looks(t, both, 2, looks);
    check(looks[0] == 1 && looks[1] == 8 + 1, "looks: directions of a label have its colour", "");
    fr_looks(t, other, 2, looks);
    check(looks[0] == 0 && looks[1] == 1, "looks: by order where a name is no label", "");
    t->labels = NULL;
    t->labels_n = 0;
    fr_table_free(t);
}

/* Labels keep their colours also where they are many, or have many directions; no two of a picture have the same. */
static void test_many_looks(void)
{
    static const char *all[] = {"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9"},
                      *const apart[] = {"d9", "d3"}, *const clash[] = {"d8", "d0", "d1"},
                      *const ways[] = {"d2 read", "d2 write", "d2 trim", "d5 read", "d5 trim"};
    struct fr_table *t = fr_table_new();
    size_t looks[10];
    t->labels = all;
    t->labels_n = 10;
    fr_looks(t, apart, 2, looks);
    check(looks[0] == 1 && looks[1] == 3, "looks: the tenth label has the second colour again", "");
    fr_looks(t, clash, 3, looks);
    check(looks[1] == 0 && looks[2] == 1 && looks[0] == 2, "looks: but not beside the label that has it", "");
    fr_looks(t, all, 10, looks);
    bool fine = true;
    for (size_t i = 0; i < 10; i++)
        fine = fine && looks[i] == i;
    check(fine, "looks: of ten labels the last two have two colours again, with looks of their own", "");
    fr_looks(t, ways, 5, looks);
    check(looks[0] == 2 && looks[1] == 8 + 2 && looks[2] == 16 + 2 && looks[3] == 5 && looks[4] == 16 + 5,
          "looks: three directions of a label have its colour", "");
    t->labels = NULL;
    t->labels_n = 0;
    fr_table_free(t);
}

/* Without colour, or where it comes again. */
static void test_lines(void)
{
    const struct fr_theme *print = fr_theme_find("print"), *light = fr_theme_find("light");
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < i; k++) {
            struct fr_paint a = fr_theme_line(print, i), b = fr_theme_line(print, k);
            check(fabs(a.dash - b.dash) + fabs(a.dot - b.dot) > 0, "looks: lines of eight differ without colour", "");
        }
    for (size_t i = 0; i < 32; i++)
        for (size_t k = 0; k < i; k++)
            if (i % 8 == k % 8 && fr_theme_marker(i) == fr_theme_marker(k)) {
                check(false, "looks: no two of 32 series have one colour and marker", "");
                i = 32;
                break;
            }
    bool fine = true;
    for (size_t i = 8; i < 32; i++)
        for (size_t k = i % 8; k < i; k += 8) {
            struct fr_paint a = fr_theme_line(light, i), b = fr_theme_line(light, k);
            fine = fine && fabs(a.dash - b.dash) + fabs(a.dot - b.dot) > 0;
        }
    check(fine, "looks: no two of 32 lines have one colour and dash", "");
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

static void test_axes(void)
{
    struct fr_axis a = {.binary = true};
    fr_axis_fit(&a, 0, 457, true, false, 5);
    bool fine = a.ticks_n >= 3;
    for (size_t i = 1; i < a.ticks_n; i++)
        fine = fine && exp2(round(log2(a.ticks[1].value))) == a.ticks[1].value &&
               a.ticks[i].value == a.ticks[1].value * (double)i;
    check(fine, "ticks of a KiB axis are multiples of a power of two", a.ticks[1].label);
    a = (struct fr_axis){0};
    fr_axis_fit(&a, 0, 20293, true, false, 5);
    check(a.ticks_n >= 4 && strcmp(a.ticks[1].label, "5000") == 0, "ticks of a decimal axis", a.ticks[1].label);
    a = (struct fr_axis){0};
    fr_axis_fit(&a, 5, 5, false, false, 5);
    check(a.min < 5 && a.max > 5 && a.ticks_n > 1, "an axis of equal values has room", "it has none");
    a = (struct fr_axis){.from = 0, .to = 300};
    fr_axis_percentiles(&a, 0, 99.9);
    double step = fr_axis_at(&a, 99) - fr_axis_at(&a, 90);
    check(fabs(fr_axis_at(&a, 99.9) - fr_axis_at(&a, 99) - step) < 1e-6, "90, 99 and 99.9 are equally far apart", "no");
    a = (struct fr_axis){.scale = FR_SCALE_LOG};
    fr_axis_fit(&a, 10, 1000, false, false, 5);
    check(a.ticks_n == 7 && strcmp(a.ticks[1].label, "20") == 0, "two decades with room have 10, 20, 50", "");
    fr_axis_fit(&a, 10, 1000, false, false, 4);
    check(a.ticks_n == 3 && strcmp(a.ticks[1].label, "100") == 0, "without room only the decades", "");
    char s[32];
    fr_tick_format(20293, 1, s, sizeof s);
    check(strcmp(s, "20,293") == 0, "digits are grouped", s);
}

/* Ticks whose labels have no room are fewer ticks, not gaps: 0, 200,000 and not 0, 100,000, 300,000. */
static void test_tick_room(void)
{
    struct fr_table *t = fr_table_new();
    fr_table_column(t, "label", FR_COL_KEY);
    value_column(t, NULL, "IOPS", FR_DIM_OPS, "iops", FR_HIGHER);
    value_column(t, NULL, "bandwidth", FR_DIM_BYTES_PER_S, "bw", FR_HIGHER);
    value_column(t, NULL, "latency", FR_DIM_SECONDS, "clat", FR_LOWER);
    for (size_t r = 0; r < 2; r++) {
        struct fr_row *row = fr_table_row(t);
        fr_table_text(t, row, 0, r ? "a label that takes its room" : "b");
        for (size_t c = 1; c < t->columns_n; c++)
            fr_table_number(t, row, c, 270577);
    }
    fr_table_fit(t, FR_UNIT_AUTO, 0);
    struct fr_canvas *canvas = drawn(t, "bars", NULL);
    check(canvas && says(canvas, "200,000") && !says(canvas, "100,000") && !says(canvas, "300,000"),
          "ticks: as many as have room for their labels, evenly", "");
    fr_canvas_free(canvas);
    fr_table_free(t);
}

/* ---- scales ------------------------------------------------------------------------------------------------------ */

/* Of each metric the heat map's scale says which end is the better one, and the panel what its columns are. */
static void test_heatmap(void)
{
    struct fr_table *t = fr_table_new();
    static const char *const names[] = {"iodepth 1", "iodepth 16"};
    fr_table_column(t, "bs", FR_COL_KEY);
    for (size_t c = 0; c < 4; c++)
        value_column(t, c < 2 ? "read IOPS" : "read latency", names[c % 2], c < 2 ? FR_DIM_OPS : FR_DIM_SECONDS,
                     c < 2 ? "iops" : "clat", c < 2 ? FR_HIGHER : FR_LOWER);
    for (size_t r = 0; r < 2; r++) {
        struct fr_row *row = fr_table_row(t);
        fr_table_text(t, row, 0, r ? "64k" : "4k");
        for (size_t c = 1; c < t->columns_n; c++)
            fr_table_number(t, row, c, c < 3 ? 100 * (double)(r + c) : 0.001 * (double)(r + c));
    }
    fr_table_fit(t, FR_UNIT_AUTO, 0);
    struct fr_canvas *canvas = drawn(t, "heatmap", NULL);
    check(canvas && says(canvas, "best: 300 IOPS"), "heat map: the highest IOPS are the best", "");
    check(canvas && says(canvas, "best: 3.00") && says(canvas, "5.00 ms"), "heat map: the lowest latency is the best",
          "");
    check(canvas && says(canvas, "read IOPS") && !says(canvas, "read IOPS iodepth") &&
              mentions(canvas, "columns: iodepth"),
          "heat map: each of two panels says what its columns are", "");
    fr_canvas_free(canvas);
    fr_table_free(t);
}

/* One label whose rows have units: its panels are titled by these, the picture by it. */
static void test_titles(void)
{
    static const char *const units[] = {"MB/s", "ms"};
    struct fr_table *t = fr_table_new();
    t->title = "lvm";
    fr_table_column(t, "test", FR_COL_KEY);
    fr_table_column(t, "unit", FR_COL_INFO);
    fr_table_column(t, "lvm", FR_COL_VALUE);
    for (size_t i = 0; i < 2; i++) {
        struct fr_row *row = fr_table_row(t);
        fr_table_text(t, row, 0, i ? "write" : "read");
        fr_table_text(t, row, 1, units[i]);
        fr_table_number(t, row, 2, 100);
    }
    for (int told = 1; told >= 0; told--) {
        t->title = told ? "lvm" : "Two units";
        struct fr_canvas *canvas = drawn(t, "bars", NULL);
        check(canvas && says(canvas, told ? "MB/s" : "lvm: MB/s") && says(canvas, told ? "ms" : "lvm: ms") &&
                  says(canvas, "lvm: ") == !told,
              "panels of units say their label where the title does not", "");
        fr_canvas_free(canvas);
    }
    fr_table_free(t);
}

/* Headings over groups of bars; kinds that have no place for them say so. */
static void test_groups(void)
{
    static const char *const kinds[] = {"bars", "relative", "facets", "heatmap", "scaling"};
    struct fr_table *t = fr_table_new();
    t->groups = "bs";
    fr_table_column(t, "label", FR_COL_KEY);
    value_column(t, NULL, "IOPS", FR_DIM_OPS, "iops", FR_HIGHER);
    value_column(t, NULL, "IOPS vs lvm", FR_DIM_RATIO, "iops", FR_HIGHER)->role = FR_COL_RATIO;
    for (size_t r = 0; r < 4; r++) {
        struct fr_row *row = fr_table_row(t);
        row->group = r < 2 ? "group 4k" : "group 64k";
        fr_table_text(t, row, 0, r % 2 ? "lvm" : "zfs");
        fr_table_number(t, row, 1, 100);
        fr_table_number(t, row, 2, r % 2 ? 1 : 1.2);
    }
    fr_table_fit(t, FR_UNIT_AUTO, 0);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct fr_log quiet = {.say = NULL};
        struct fr_chart_options options = {.kind = kinds[k], .scale = 1};
        struct fr_canvas *canvas = fr_chart_draw(t, &options, FR_PNG, &quiet);
        bool has = canvas && says(canvas, "group 4k") && says(canvas, "group 64k");
        check(k < 2 ? has : !canvas && quiet.count[FR_ERROR] == 1, "headings over groups of bars", kinds[k]);
        fr_canvas_free(canvas);
    }
    fr_table_free(t);
}

/* Of change the baseline's own rows, which have none, are left out where they are several. */
static void test_bases(void)
{
    for (size_t rows = 2; rows <= 4; rows += 2) {
        struct fr_table *t = fr_table_new();
        fr_table_column(t, "label", FR_COL_KEY);
        fr_table_column(t, "bs", FR_COL_KEY);
        value_column(t, NULL, "IOPS vs lvm", FR_DIM_RATIO, "iops", FR_HIGHER)->role = FR_COL_RATIO;
        t->columns[2].baseline = "lvm";
        for (size_t r = 0; r < rows; r++) {
            struct fr_row *row = fr_table_row(t);
            row->group = r < 2 ? "small blocks" : "large blocks";
            fr_table_text(t, row, 0, r % 2 ? "zfs" : "lvm");
            fr_table_text(t, row, 1, r < 2 ? "4k" : "64k");
            fr_table_number(t, row, 2, r % 2 ? 1.2 : 1);
        }
        fr_table_fit(t, FR_UNIT_AUTO, 0);
        struct fr_canvas *canvas = drawn(t, "relative", NULL);
        check(canvas && says(canvas, "zfs · 4k") && says(canvas, "lvm · 4k") == (rows == 2) &&
                  says(canvas, "small blocks") && says(canvas, "large blocks") == (rows == 4),
              "change: rows of the baseline", rows == 2 ? "one of them stays" : "two of them go");
        fr_canvas_free(canvas);
        fr_table_free(t);
    }
}

/* What failed before it measured anything has a dash, a mark, and below it the reason. */
static void test_dashes(void)
{
    static const char *const kinds[] = {"bars", "heatmap", "facets"};
    struct fr_table *t = fr_table_new();
    fr_table_column(t, "label", FR_COL_KEY);
    value_column(t, "read IOPS", "4k", FR_DIM_OPS, "iops", FR_HIGHER);
    value_column(t, "read IOPS", "64k", FR_DIM_OPS, "iops", FR_HIGHER);
    for (size_t r = 0; r < 2; r++) {
        struct fr_row *row = fr_table_row(t);
        fr_table_text(t, row, 0, r ? "zfs" : "lvm");
        fr_table_number(t, row, 1, 100);
        if (r)
            row->cells[2].note = fr_table_note(t, "err=13 Permission denied");
        else
            fr_table_number(t, row, 2, 200);
    }
    fr_table_fit(t, FR_UNIT_AUTO, 0);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct fr_canvas *canvas = drawn(t, kinds[k], NULL);
        check(canvas && says(canvas, "–¹") && says(canvas, "¹ err=13"), "a mark at a dash has its note", kinds[k]);
        fr_canvas_free(canvas);
    }
    fr_table_free(t);
}

int main(void)
{
    test_looks();
    test_many_looks();
    test_lines();
    test_axes();
    test_tick_room();
    test_heatmap();
    test_titles();
    test_bases();
    test_dashes();
    test_groups();
    return check_failed;
}
