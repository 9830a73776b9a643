/* frame.c: see frame.h. */
#include "frame.h"

#include <math.h>
#include <stdarg.h>

#include "axes.h"
#include "log.h"
#include "units.h"

#include "banned.h"

enum { WIDTH = 800, WIDTH_MIN = 240 };

#define KEY_BOX 12.0
#define KEY_GAP 20.0
#define KEY_PAD 6.0

struct fr_text fr_frame_text(const char *text, double size, uint32_t color, double align)
{
    return (struct fr_text){.text = text, .size = size, .color = color, .align = align};
}

int fr_frame_init(struct fr_frame *f, struct fr_canvas *canvas, const struct fr_table *table,
                  const struct fr_chart_options *options, struct fr_log *log)
{
    *f = (struct fr_frame){.canvas = canvas, .table = table, .arena = FR_ARENA_INIT};
    f->theme = fr_theme_find(options->theme);
    if (!f->theme)
        return fr_log_error(log, NULL, 0, "no theme is named '%s' (light, dark, print), nothing was drawn",
                            options->theme);
    f->width = options->width ? options->width : WIDTH;
    if (f->width < (double)WIDTH_MIN || f->width > FR_CANVAS_MAX)
        return fr_log_error(log, NULL, 0, "a width of %d is not between %d and %d pixels, nothing was drawn",
                            options->width, WIDTH_MIN, FR_CANVAS_MAX);
    f->title = options->title ? options->title : table->title;
    f->subtitle = options->subtitle ? options->subtitle : table->subtitle;
    return 0;
}

void fr_frame_release(struct fr_frame *f)
{
    fr_arena_release(&f->arena);
    free(f->keys);
    free(f->notes);
}

void fr_frame_key(struct fr_frame *f, enum fr_key_kind kind, const char *text, struct fr_paint paint, unsigned marker)
{
    f->keys = fr_grow(f->keys, f->keys_n, &f->keys_alloc, sizeof *f->keys);
    f->keys[f->keys_n++] = (struct fr_key){kind, text, paint, marker, 0, 0, 0};
}

struct fr_paint fr_base_paint(const struct fr_theme *theme, size_t i)
{
    static const double dashes[FR_BASES_MAX] = {4, 1.5, 8, 12};
    return fr_theme_stroke(theme->text, 1.2, dashes[i % FR_BASES_MAX]);
}

const char *fr_base_text(struct fr_arena *arena, const struct fr_base *base, const char *unit)
{
    char s[40];
    if (fabs(base->value) >= 1e15)
        snprintf(s, sizeof s, "%.2e", base->value);
    else
        fr_number_format(base->value, 3, s);
    fr_group_digits(s, sizeof s);
    return fr_arena_printf(arena, "%s %s%s%s", base->name, s, *unit ? " " : "", unit);
}

void fr_frame_base_key(struct fr_frame *f, const struct fr_base *base, size_t i, const char *unit)
{
    fr_frame_key(f, FR_KEY_LINE, fr_base_text(&f->arena, base, unit), fr_base_paint(f->theme, i), FR_MARKERS);
}

void fr_frame_note(struct fr_frame *f, const char *format, ...)
{
    struct fr_strbuf text = FR_STRBUF_INIT;
    va_list ap;
    va_start(ap, format);
    fr_strbuf_vaddf(&text, format, ap);
    va_end(ap);
    bool known = false;
    for (size_t i = 0; i < f->notes_n && !known; i++)
        known = strcmp(f->notes[i], fr_strbuf_str(&text)) == 0;
    if (!known) {
        f->notes = fr_grow(f->notes, f->notes_n, &f->notes_alloc, sizeof *f->notes);
        f->notes[f->notes_n++] = fr_arena_copy(&f->arena, fr_strbuf_str(&text), text.len);
    }
    fr_strbuf_release(&text);
}

static struct fr_text title_text(const struct fr_frame *f)
{
    struct fr_text t = fr_frame_text(f->title, FR_SIZE_TITLE, f->theme->text, 0);
    t.weight = FR_WEIGHT_BOLD;
    t.wrap = f->width - 2 * FR_MARGIN;
    return t;
}

static struct fr_text plain_text(const struct fr_frame *f, const char *text, double size)
{
    struct fr_text t = fr_frame_text(text, size, f->theme->muted, 0);
    t.wrap = f->width - 2 * FR_MARGIN;
    return t;
}

static void center_keys(struct fr_frame *f, size_t i, size_t end, double y)
{
    for (; i < end; i++)
        f->keys[i].y = y;
}

/* Keys flow like words; one that is too long for a line wraps. */
static void place_keys(struct fr_frame *f)
{
    double x = 0, y = 0, line = 0, room = f->width - 2 * FR_MARGIN;
    size_t first = 0; /* of the line */
    for (size_t i = 0; i < f->keys_n; i++) {
        struct fr_key *key = &f->keys[i];
        struct fr_text t = fr_frame_text(key->text, FR_SIZE_LABEL, f->theme->text, 0);
        double before = (key->kind == FR_KEY_FILL ? KEY_BOX : KEY_BOX * 2) + KEY_PAD;
        struct fr_extent e = fr_text_measure(f->canvas, &t);
        key->wrap = 0;
        if (before + e.w > room) {
            key->wrap = t.wrap = room - before;
            e = fr_text_measure(f->canvas, &t);
        }
        if (x > 0 && x + before + e.w > room) {
            center_keys(f, first, i, y + line / 2);
            first = i;
            x = 0;
            y += line + 4;
            line = 0;
        }
        key->x = x;
        x += before + e.w + KEY_GAP;
        line = fmax(line, e.h);
    }
    center_keys(f, first, f->keys_n, y + line / 2);
    f->legend_h = f->keys_n ? y + line : 0;
}

static void add_footer(struct fr_frame *f)
{
    const char *source = f->table->source;
    fr_frame_note(f, "%s%sfioreport %s", source && *source ? source : "", source && *source ? " · " : "", FR_VERSION);
}

void fr_frame_measure(struct fr_frame *f)
{
    add_footer(f);
    struct fr_text t = title_text(f);
    f->title_h = f->title && *f->title ? fr_text_measure(f->canvas, &t).h : 0;
    t = plain_text(f, f->subtitle, FR_SIZE_LABEL);
    f->subtitle_h = f->subtitle && *f->subtitle ? fr_text_measure(f->canvas, &t).h : 0;
    place_keys(f);
    f->top = FR_MARGIN - 4;
    f->top += f->title_h > 0 ? f->title_h + 3 : 0;
    f->top += f->subtitle_h > 0 ? f->subtitle_h + 3 : 0;
    f->top += f->legend_h > 0 ? f->legend_h + 10 : 0;
    f->top += 10;
    f->bottom = 14;
    for (size_t i = 0; i < f->notes_n; i++) {
        t = plain_text(f, f->notes[i], FR_SIZE_NOTE);
        f->bottom += fr_text_measure(f->canvas, &t).h + 2;
    }
    f->bottom += FR_MARGIN / 2;
}

static void draw_keys(struct fr_frame *f, double top)
{
    for (size_t i = 0; i < f->keys_n; i++) {
        const struct fr_key *key = &f->keys[i];
        double x = FR_MARGIN + key->x, middle = top + key->y;
        struct fr_text t = fr_frame_text(key->text, FR_SIZE_LABEL, f->theme->text, 0);
        t.wrap = key->wrap;
        if (key->kind == FR_KEY_FILL) {
            fr_draw_rect(f->canvas, x, middle - KEY_BOX / 2, KEY_BOX, KEY_BOX, &key->paint);
            x += KEY_BOX + KEY_PAD;
        } else {
            struct fr_paint marker = key->paint;
            if (key->kind == FR_KEY_LINE)
                fr_draw_line(f->canvas, x, middle, x + KEY_BOX * 2, middle, &key->paint);
            marker.line = marker.dash = 0;
            if (key->kind == FR_KEY_MARKER || key->marker < FR_MARKERS)
                fr_draw_marker(f->canvas, x + KEY_BOX, middle, 8, key->marker, &marker);
            x += KEY_BOX * 2 + KEY_PAD;
        }
        fr_text_draw(f->canvas, &t, x, middle, 0.5);
    }
}

int fr_frame_begin(struct fr_frame *f, double plot_height, struct fr_log *log)
{
    double height = f->top + plot_height + f->bottom;
    if (fr_canvas_begin(f->canvas, f->width, height, f->theme->background) != 0)
        return fr_log_error(
            log, NULL, 0,
            "a picture of %.0f x %.0f pixels is too big, nothing was drawn (--where and --metric draw less)", f->width,
            height);
    double y = FR_MARGIN - 4;
    if (f->title_h > 0) {
        struct fr_text t = title_text(f);
        fr_text_draw(f->canvas, &t, FR_MARGIN, y, 0);
        y += f->title_h + 3;
    }
    if (f->subtitle_h > 0) {
        struct fr_text t = plain_text(f, f->subtitle, FR_SIZE_LABEL);
        fr_text_draw(f->canvas, &t, FR_MARGIN, y, 0);
        y += f->subtitle_h + 3;
    }
    if (f->legend_h > 0)
        draw_keys(f, y + 7);
    y = f->top + plot_height + 14;
    for (size_t i = 0; i < f->notes_n; i++) {
        struct fr_text t = plain_text(f, f->notes[i], FR_SIZE_NOTE);
        y += fr_text_draw(f->canvas, &t, FR_MARGIN, y, 0).h + 2;
    }
    return 0;
}

const char *fr_better_text(enum fr_better better, bool horizontal)
{
    if (better == FR_HIGHER)
        return horizontal ? "higher is better →" : "↑ higher is better";
    if (better == FR_LOWER)
        return horizontal ? "← lower is better" : "↓ lower is better";
    return "";
}

/* The label that a curve's name begins with, the longest: its number, labels_n when none; *rest: what follows it. */
static size_t label_of(const struct fr_table *table, const char *name, const char **rest)
{
    size_t best = table->labels_n, length = 0;
    for (size_t k = 0; k < table->labels_n; k++) {
        size_t n = strlen(table->labels[k]);
        bool whole = strncmp(name, table->labels[k], n) == 0 && (!name[n] || name[n] == ' ' || name[n] == ',');
        if (!whole || (best < table->labels_n && n <= length))
            continue;
        best = k;
        length = n;
    }
    *rest = name + length;
    return best;
}

/*
 * A look for each label that is shown, by its number among all of them: the colour of that number, or where another has
 * it in this picture the next that none has; beyond eight colours begin again. How many looks there are then, in
 * eights.
 */
static size_t look_of_labels(size_t labels_n, const bool *shown, size_t *look)
{
    enum { COLORS = 8 };
    size_t count = 0;
    bool taken[FR_TABLE_LABELS] = {false};
    for (size_t k = 0; k < labels_n; k++) {
        size_t round = count / COLORS * COLORS, color = k % COLORS;
        if (!shown[k])
            continue;
        while (taken[round + color])
            color = (color + 1) % COLORS;
        taken[look[k] = round + color] = true;
        count++;
    }
    return (count + COLORS - 1) / COLORS * COLORS;
}

void fr_looks(const struct fr_table *table, const char *const *names, size_t n, size_t *looks)
{
    enum { KINDS = 4 }; /* directions of one label have its colour and dashes of their own */
    const char *kinds[KINDS], *rest;
    size_t kinds_n = 0, look[FR_TABLE_LABELS];
    bool labels = table->labels_n > 0, shown[FR_TABLE_LABELS] = {false};
    for (size_t i = 0; i < n && labels; i++) {
        size_t k = label_of(table, names[i], &rest);
        labels = k < table->labels_n;
        if (labels)
            shown[k] = true;
    }
    size_t looks_n = labels ? look_of_labels(table->labels_n, shown, look) : 0;
    for (size_t i = 0; i < n && labels; i++) {
        size_t k = label_of(table, names[i], &rest), kind = 0;
        while (kind < kinds_n && strcmp(kinds[kind], rest) != 0)
            kind++;
        labels = kind < KINDS;
        if (labels && kind == kinds_n)
            kinds[kinds_n++] = rest;
        looks[i] = look[k] + looks_n * kind;
    }
    for (size_t i = 0; i < n && !labels; i++)
        looks[i] = i;
}
