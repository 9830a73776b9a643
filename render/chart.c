/* chart.c: see chart.h: from a table to a picture file. */
#include "chart.h"

#include "log.h"
#include "output.h"
#include "scan.h"

#include "banned.h"

#define SCALE_MAX 8.0
#define DATA_MAX  ((size_t)256 << 10) /* of the table in a picture's text */

static const struct fr_chart_kind *find_kind(const char *name)
{
    for (size_t i = 0; fr_chart_kinds[i]; i++)
        if (!name || strcmp(fr_chart_kinds[i]->name, name) == 0)
            return fr_chart_kinds[i];
    return NULL;
}

struct fr_canvas *fr_chart_draw(const struct fr_table *table, const struct fr_chart_options *options,
                                enum fr_picture picture, struct fr_log *log)
{
    const struct fr_chart_kind *kind = find_kind(options->kind);
    double scale = options->scale != 0 ? options->scale : 2;
    if (!kind) {
        fr_log_error(log, NULL, 0, "no chart kind is named '%s', nothing was drawn", options->kind);
        return NULL;
    }
    if (table->groups && !kind->groups) {
        fr_log_error(log, NULL, 0,
                     "--group sets headings over bars, and a %s chart has none; --rows or --cols tells apart what it "
                     "shows, nothing was drawn",
                     kind->name);
        return NULL;
    }
    if (!(scale >= 0.25) || scale > SCALE_MAX) {
        fr_log_error(log, NULL, 0, "a scale of %g is not between 0.25 and %g, nothing was drawn", scale, SCALE_MAX);
        return NULL;
    }
    struct fr_canvas *canvas = fr_canvas_new(picture, scale);
    if (kind->draw(canvas, table, options, log) == 0)
        return canvas;
    fr_canvas_free(canvas);
    return NULL;
}

static int picture_of(const char *path, enum fr_picture *out, struct fr_log *log)
{
    struct fr_str s = fr_str(path);
    size_t dot = fr_str_rfind(s, ".");
    struct fr_str ending = dot == (size_t)-1 ? fr_str("") : fr_str_from(s, dot);
    if (fr_str_is_nocase(ending, ".png"))
        *out = FR_PNG;
    else if (fr_str_is_nocase(ending, ".svg"))
        *out = FR_SVG;
    else if (fr_str_is_nocase(ending, ".pdf"))
        *out = FR_PDF;
    else
        return fr_log_error(log, path, 0, "ends neither in .png nor .svg nor .pdf, nothing was drawn");
    return 0;
}

/* Alternative text: what the chart is, what was run, from where, in words. */
static void describe(const struct fr_table *table, const struct fr_chart_options *options, const char *kind,
                     struct fr_strbuf *out)
{
    const char *subtitle = options->subtitle ? options->subtitle : table->subtitle;
    fr_strbuf_addf(out, "Chart (%s) of %zu row%s", kind, table->rows_n, table->rows_n == 1 ? "" : "s");
    const char *between = ": ";
    for (size_t i = 0; i < table->columns_n; i++) {
        const struct fr_column *c = &table->columns[i];
        if (c->role != FR_COL_VALUE && c->role != FR_COL_RATIO)
            continue;
        fr_strbuf_addf(out, "%s%s%s%s", between, c->group ? c->group : "", c->group ? " " : "", c->name);
        if (c->unit && *c->unit)
            fr_strbuf_addf(out, " [%s]", c->unit);
        between = ", ";
    }
    if (subtitle && *subtitle)
        fr_strbuf_addf(out, ". What was run: %s", subtitle);
    if (table->source && *table->source)
        fr_strbuf_addf(out, ". Source: %s", table->source);
    fr_strbuf_addch(out, '.');
}

static int write_canvas(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                        const char *path, struct fr_log *log)
{
    struct fr_strbuf bytes = FR_STRBUF_INIT, text = FR_STRBUF_INIT, data = FR_STRBUF_INIT;
    const struct fr_dialect *csv = fr_dialect_find("csv");
    describe(table, options, find_kind(options->kind)->name, &text);
    if (table->rows_n * table->columns_n < DATA_MAX / 16)
        csv->write(csv, table, &data);
    if (data.len > DATA_MAX)
        fr_strbuf_reset(&data);
    struct fr_canvas_info info = {.title = options->title ? options->title : table->title,
                                  .description = fr_strbuf_str(&text),
                                  .command = table->command,
                                  .data = fr_strbuf_str(&data),
                                  .time = fr_output_time()};
    int rc = fr_canvas_finish(canvas, &info, &bytes);
    if (rc != 0)
        fr_log_error(log, path, 0, "cannot be drawn: out of memory or too big, nothing was written");
    else
        rc = fr_output_write(path, fr_strbuf_str(&bytes), bytes.len, log);
    fr_strbuf_release(&bytes);
    fr_strbuf_release(&text);
    fr_strbuf_release(&data);
    return rc;
}

int fr_chart_write(const struct fr_table *table, const struct fr_chart_options *options, const char *path,
                   struct fr_log *log)
{
    enum fr_picture picture = FR_PNG;
    if (picture_of(path, &picture, log) != 0)
        return -2;
    if (fr_output_check(path, options->force, log) != 0)
        return -1;
    struct fr_canvas *canvas = fr_chart_draw(table, options, picture, log);
    int rc = canvas ? write_canvas(canvas, table, options, path, log) : -2;
    fr_canvas_free(canvas);
    return rc;
}
