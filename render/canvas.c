/* canvas.c: see canvas.h. */
#include "canvas.h"

#include <math.h>
#include <time.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <pango/pangocairo.h>

#include "canvas_png.h"
#include "scan.h"
#include "utf8.h"

#include "banned.h"

/* First the font that `make deps` sees to, so that the same data gives the same picture; then whatever there is. */
#define FONT "DejaVu Sans,sans-serif"

struct fr_canvas {
    enum fr_picture picture;
    double scale, width, height;
    cairo_surface_t *surface;
    cairo_t *cr;
    PangoContext *pango;
    struct fr_strbuf stream; /* what cairo wrote: SVG, PDF */
    struct fr_box *boxes;
    size_t boxes_n, boxes_alloc;
};

static void *need(void *p)
{
    if (!p) {
        fprintf(stderr, "fioreport: error: out of memory\n");
        exit(4);
    }
    return p;
}

struct fr_canvas *fr_canvas_new(enum fr_picture picture, double scale)
{
    struct fr_canvas *c = need(calloc(1, sizeof *c));
    c->picture = picture;
    c->scale = scale;
    c->pango = pango_font_map_create_context(pango_cairo_font_map_get_default());
    cairo_font_options_t *options = cairo_font_options_create();
    /* Without hinting text is as wide at any scale, so PNG, SVG and PDF are laid out alike. */
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(c->pango, options);
    pango_context_set_round_glyph_positions(c->pango, FALSE);
    cairo_font_options_destroy(options);
    return c;
}

void fr_canvas_free(struct fr_canvas *c)
{
    if (!c)
        return;
    if (c->cr)
        cairo_destroy(c->cr);
    if (c->surface)
        cairo_surface_destroy(c->surface);
    g_object_unref(c->pango);
    for (size_t i = 0; i < c->boxes_n; i++)
        free(c->boxes[i].text);
    free(c->boxes);
    fr_strbuf_release(&c->stream);
    free(c);
}

static cairo_status_t take_stream(void *closure, const unsigned char *data, unsigned length)
{
    fr_strbuf_add(closure, (const char *)data, length);
    return CAIRO_STATUS_SUCCESS;
}

static void set_source(struct fr_canvas *c, uint32_t rgb, double alpha)
{
    cairo_set_source_rgba(c->cr, (rgb >> 16 & 0xFF) / 255.0, (rgb >> 8 & 0xFF) / 255.0, (rgb & 0xFF) / 255.0, alpha);
}

int fr_canvas_begin(struct fr_canvas *c, double width, double height, uint32_t background)
{
    if (!(width >= 1) || !(height >= 1) || width > FR_CANVAS_MAX || height > FR_CANVAS_MAX || c->cr)
        return -1;
    c->width = ceil(width);
    c->height = ceil(height);
    if (c->picture == FR_PNG) {
        double w = c->width * c->scale, h = c->height * c->scale;
        if (w > 32000 || h > 32000)
            return -1;
        c->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)w, (int)h);
    } else if (c->picture == FR_SVG) {
        c->surface = cairo_svg_surface_create_for_stream(take_stream, &c->stream, c->width, c->height);
        cairo_svg_surface_set_document_unit(c->surface, CAIRO_SVG_UNIT_PX);
    } else {
        /* A CSS pixel is 1/96 inch, a PDF unit 1/72. */
        c->surface = cairo_pdf_surface_create_for_stream(take_stream, &c->stream, c->width * 0.75, c->height * 0.75);
    }
    c->cr = cairo_create(c->surface);
    if (cairo_status(c->cr) != CAIRO_STATUS_SUCCESS)
        return -1;
    double scale = c->picture == FR_PNG ? c->scale : c->picture == FR_PDF ? 0.75 : 1;
    cairo_scale(c->cr, scale, scale);
    cairo_set_line_join(c->cr, CAIRO_LINE_JOIN_ROUND);
    pango_cairo_update_context(c->cr, c->pango);
    set_source(c, background, 1);
    cairo_paint(c->cr);
    return 0;
}

double fr_canvas_width(const struct fr_canvas *c)
{
    return c->width;
}

double fr_canvas_height(const struct fr_canvas *c)
{
    return c->height;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static PangoLayout *layout_of(struct fr_canvas *c, const struct fr_text *t)
{
    PangoLayout *layout = pango_layout_new(c->pango);
    PangoFontDescription *font = pango_font_description_from_string(FONT);
    pango_font_description_set_absolute_size(font, t->size * PANGO_SCALE);
    pango_font_description_set_weight(font, t->weight == FR_WEIGHT_BOLD ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    struct fr_strbuf clean = FR_STRBUF_INIT;
    const char *s = t->text;
    for (uint32_t ch; (ch = fr_utf8_clean(&s)) != 0;)
        fr_utf8_add(&clean, t->wrap > 0 || ch != '\n' ? ch : ' ');
    pango_layout_set_text(layout, fr_strbuf_str(&clean), (int)clean.len);
    if (t->wrap > 0) {
        pango_layout_set_width(layout, (int)(t->wrap * PANGO_SCALE));
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    }
    /* Right-to-left lines turn left and right around; a chart's sides are meant as seen. */
    bool rtl = pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL;
    fr_strbuf_release(&clean);
    double align = rtl ? 1 - t->align : t->align;
    pango_layout_set_alignment(layout, align < 0.25   ? PANGO_ALIGN_LEFT
                                       : align > 0.75 ? PANGO_ALIGN_RIGHT
                                                      : PANGO_ALIGN_CENTER);
    return layout;
}

static struct fr_extent extent_of(PangoLayout *layout)
{
    PangoRectangle logical;
    pango_layout_get_extents(layout, NULL, &logical);
    return (struct fr_extent){(double)logical.width / PANGO_SCALE, (double)logical.height / PANGO_SCALE,
                              (double)pango_layout_get_baseline(layout) / PANGO_SCALE};
}

struct fr_extent fr_text_measure(struct fr_canvas *c, const struct fr_text *text)
{
    PangoLayout *layout = layout_of(c, text);
    struct fr_extent extent = extent_of(layout);
    g_object_unref(layout);
    return extent;
}

static struct fr_box *add_box(struct fr_canvas *c, enum fr_box_kind kind, double x, double y, double w, double h)
{
    if (c->boxes_n == c->boxes_alloc) {
        c->boxes_alloc = c->boxes_alloc ? c->boxes_alloc * 2 : 64;
        c->boxes = need(realloc(c->boxes, c->boxes_alloc * sizeof *c->boxes));
    }
    struct fr_box *box = &c->boxes[c->boxes_n++];
    *box = (struct fr_box){kind, x, y, w, h, NULL};
    return box;
}

static struct fr_extent draw_text(struct fr_canvas *c, const struct fr_text *text, double x, double y, double valign,
                                  enum fr_box_kind kind)
{
    PangoLayout *layout = layout_of(c, text);
    struct fr_extent e = extent_of(layout);
    PangoRectangle logical;
    pango_layout_get_extents(layout, NULL, &logical);
    double left = x - e.w * text->align, top = y - e.h * valign;
    set_source(c, text->color, 1);
    cairo_move_to(c->cr, left - (double)logical.x / PANGO_SCALE, top);
    pango_cairo_show_layout(c->cr, layout);
    g_object_unref(layout);
    struct fr_box *box = add_box(c, kind, left, top, e.w, e.h);
    box->text = need(strdup(text->text));
    return e;
}

struct fr_extent fr_text_draw(struct fr_canvas *c, const struct fr_text *text, double x, double y, double valign)
{
    return draw_text(c, text, x, y, valign, FR_BOX_TEXT);
}

struct fr_extent fr_text_draw_on(struct fr_canvas *c, const struct fr_text *text, double x, double y, double valign)
{
    return draw_text(c, text, x, y, valign, FR_BOX_ON);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static void hatch_path(struct fr_canvas *c, double x, double y, double w, double h, enum fr_hatch hatch)
{
    const double gap = 6;
    if (hatch == FR_HATCH_DOTS) {
        for (double j = y + gap / 2; j < y + h; j += gap)
            for (double i = x + gap / 2; i < x + w; i += gap) {
                cairo_new_sub_path(c->cr);
                cairo_arc(c->cr, i, j, 0.6, 0, 2 * M_PI);
            }
        return;
    }
    for (double d = -h; d < w; d += gap) {
        if (hatch != FR_HATCH_BACKSLASH) {
            cairo_move_to(c->cr, x + d, y + h);
            cairo_line_to(c->cr, x + d + h, y);
        }
        if (hatch != FR_HATCH_SLASH) {
            cairo_move_to(c->cr, x + d, y);
            cairo_line_to(c->cr, x + d + h, y + h);
        }
    }
}

static void stroke(struct fr_canvas *c, const struct fr_paint *p)
{
    if (p->line <= 0) {
        cairo_new_path(c->cr);
        return;
    }
    cairo_set_line_width(c->cr, p->line);
    const double dashes[] = {p->dash, p->dot > 0 ? 3 : p->dash, p->dot, 3};
    cairo_set_dash(c->cr, dashes, p->dash > 0 ? (p->dot > 0 ? 4 : 1) : 0, 0);
    set_source(c, p->stroke, 1);
    cairo_stroke(c->cr);
}

static void fill_and_stroke(struct fr_canvas *c, const struct fr_paint *p)
{
    if (p->fill_alpha > 0) {
        set_source(c, p->fill, p->fill_alpha);
        cairo_fill_preserve(c->cr);
    }
    stroke(c, p);
}

void fr_draw_rect(struct fr_canvas *c, double x, double y, double w, double h, const struct fr_paint *p)
{
    if (w < 0) {
        x += w;
        w = -w;
    }
    if (h < 0) {
        y += h;
        h = -h;
    }
    if (p->hatch != FR_HATCH_NONE && w > 0 && h > 0) {
        cairo_rectangle(c->cr, x, y, w, h);
        set_source(c, p->fill, p->fill_alpha);
        cairo_fill(c->cr);
        cairo_save(c->cr);
        cairo_rectangle(c->cr, x, y, w, h);
        cairo_clip(c->cr);
        hatch_path(c, x, y, w, h, p->hatch);
        cairo_set_line_width(c->cr, 1);
        cairo_set_dash(c->cr, NULL, 0, 0);
        set_source(c, p->hatch_color, 1);
        cairo_stroke(c->cr);
        cairo_restore(c->cr);
        cairo_rectangle(c->cr, x, y, w, h);
        stroke(c, p);
    } else {
        cairo_rectangle(c->cr, x, y, w, h);
        fill_and_stroke(c, p);
    }
    add_box(c, FR_BOX_MARK, x, y, w, h);
}

void fr_draw_line(struct fr_canvas *c, double x0, double y0, double x1, double y1, const struct fr_paint *p)
{
    cairo_move_to(c->cr, x0, y0);
    cairo_line_to(c->cr, x1, y1);
    stroke(c, p);
}

void fr_draw_path(struct fr_canvas *c, const struct fr_point *points, size_t n, bool closed, const struct fr_paint *p)
{
    bool broken = true;
    for (size_t i = 0; i < n; i++) {
        if (isnan(points[i].x) || isnan(points[i].y)) {
            broken = true;
            continue;
        }
        if (broken)
            cairo_move_to(c->cr, points[i].x, points[i].y);
        else
            cairo_line_to(c->cr, points[i].x, points[i].y);
        broken = false;
    }
    if (closed) {
        cairo_close_path(c->cr);
        fill_and_stroke(c, p);
    } else {
        stroke(c, p);
    }
}

static void polygon(struct fr_canvas *c, double x, double y, double r, unsigned corners, double turn)
{
    for (unsigned i = 0; i < corners; i++) {
        double a = turn + 2 * M_PI * i / corners;
        cairo_line_to(c->cr, x + r * cos(a), y + r * sin(a));
    }
    cairo_close_path(c->cr);
}

void fr_draw_marker(struct fr_canvas *c, double x, double y, double size, unsigned shape, const struct fr_paint *p)
{
    double r = size / 2;
    cairo_new_path(c->cr);
    shape %= FR_MARKERS;
    if (shape == 0)
        cairo_arc(c->cr, x, y, r, 0, 2 * M_PI);
    else if (shape == 1)
        cairo_rectangle(c->cr, x - r * 0.85, y - r * 0.85, size * 0.85, size * 0.85);
    else if (shape == 2 || shape == 4)
        polygon(c, x, y, r * 1.15, 3, shape == 2 ? -M_PI / 2 : M_PI / 2);
    else if (shape == 3)
        polygon(c, x, y, r * 1.15, 4, 0);
    else if (shape == 7)
        polygon(c, x, y, r * 1.1, 5, -M_PI / 2);
    if (shape == 5 || shape == 6) {
        double d = shape == 5 ? r * 0.8 : 0, e = shape == 6 ? r : 0;
        cairo_move_to(c->cr, x - d - e, y - d);
        cairo_line_to(c->cr, x + d + e, y + d);
        cairo_move_to(c->cr, x - d, y + d + e);
        cairo_line_to(c->cr, x + d, y - d - e);
        struct fr_paint thick = *p;
        thick.line = 2;
        thick.stroke = p->fill;
        stroke(c, &thick);
    } else {
        fill_and_stroke(c, p);
    }
    add_box(c, FR_BOX_MARK, x - r, y - r, size, size);
}

void fr_draw_cells(struct fr_canvas *c, double x, double y, double w, double h, size_t columns, size_t rows,
                   const uint32_t *colors)
{
    double cw = w / (double)columns, ch = h / (double)rows;
    /* Each pixel is of one cell, as anti-aliasing leaves seams; for viewers that do it all the same neighbours overlap
       by a hair. */
    double more = 0.35;
    cairo_set_antialias(c->cr, CAIRO_ANTIALIAS_NONE);
    for (size_t j = 0; j < rows; j++)
        for (size_t i = 0, n; i < columns; i += n) {
            uint32_t color = colors[j * columns + i];
            for (n = 1; i + n < columns && colors[j * columns + i + n] == color; n++)
                ;
            if (color == FR_NO_COLOR)
                continue;
            set_source(c, color, 1);
            double left = x + (double)i * cw, top = y + (double)j * ch;
            double right = fmin(left + (double)n * cw + more, x + w), bottom = fmin(top + ch + more, y + h);
            cairo_rectangle(c->cr, left, top, right - left, bottom - top);
            cairo_fill(c->cr);
        }
    cairo_set_antialias(c->cr, CAIRO_ANTIALIAS_DEFAULT);
    add_box(c, FR_BOX_MARK, x, y, w, h);
}

void fr_clip(struct fr_canvas *c, double x, double y, double w, double h)
{
    cairo_save(c->cr);
    cairo_rectangle(c->cr, x, y, w, h);
    cairo_clip(c->cr);
}

void fr_unclip(struct fr_canvas *c)
{
    cairo_restore(c->cr);
}

void fr_canvas_box(struct fr_canvas *c, enum fr_box_kind kind, double x, double y, double w, double h)
{
    add_box(c, kind, x, y, w, h);
}

const struct fr_box *fr_canvas_boxes(const struct fr_canvas *c, size_t *n)
{
    *n = c->boxes_n;
    return c->boxes;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void add_xml(struct fr_strbuf *out, const char *text)
{
    for (uint32_t ch; (ch = fr_utf8_clean(&text)) != 0;) {
        const char *to = ch == '&' ? "&amp;" : ch == '<' ? "&lt;" : ch == '>' ? "&gt;" : ch == '"' ? "&quot;" : NULL;
        if (to)
            fr_strbuf_addstr(out, to);
        else
            fr_utf8_add(out, ch);
    }
}

static void add_element(struct fr_strbuf *out, const char *name, const char *id, const char *text)
{
    fr_strbuf_addf(out, "<%s id=\"%s\">", name, id);
    add_xml(out, text ? text : "");
    fr_strbuf_addf(out, "</%s>\n", name);
}

/*
 * cairo numbers surfaces (`id="surface7"`) through the life of the process; numbers in order of appearance make the
 * same picture the same bytes.
 */
static void add_numbered(struct fr_strbuf *out, const char *svg)
{
    static const char word[] = "surface";
    unsigned long seen[64];
    size_t seen_n = 0;
    for (const char *at; (at = strstr(svg, word)) != NULL;) {
        at += sizeof word - 1;
        fr_strbuf_add(out, svg, (size_t)(at - svg));
        char *end;
        unsigned long number = fr_is_digit(*at) ? strtoul(at, &end, 10) : 0;
        svg = at;
        if (!fr_is_digit(*at))
            continue;
        size_t i = 0;
        while (i < seen_n && seen[i] != number)
            i++;
        if (i == seen_n && seen_n < sizeof seen / sizeof *seen)
            seen[seen_n++] = number;
        fr_strbuf_addf(out, "%zu", i + 1);
        svg = end;
    }
    fr_strbuf_addstr(out, svg);
}

/* Title and description right after the root's tag, where screen readers look. */
static void finish_svg(struct fr_canvas *c, const struct fr_canvas_info *info, struct fr_strbuf *out)
{
    const char *svg = fr_strbuf_str(&c->stream);
    const char *root = strstr(svg, "<svg ");
    const char *end = root ? strchr(root, '>') : NULL;
    if (!end) {
        fr_strbuf_add(out, svg, c->stream.len);
        return;
    }
    fr_strbuf_add(out, svg, (size_t)(root - svg));
    fr_strbuf_addf(out, "<!-- fioreport %s -->\n", FR_VERSION);
    fr_strbuf_add(out, root, (size_t)(end - root));
    fr_strbuf_addstr(out, " role=\"img\" aria-labelledby=\"title desc\">\n");
    add_element(out, "title", "title", info->title && *info->title ? info->title : info->description);
    struct fr_strbuf text = FR_STRBUF_INIT;
    fr_strbuf_addstr(&text, info->description ? info->description : "");
    if (info->command && *info->command)
        fr_strbuf_addf(&text, "\nMade by: %s", info->command);
    if (info->data && *info->data)
        fr_strbuf_addf(&text, "\nData:\n%s", info->data);
    add_element(out, "desc", "desc", fr_strbuf_str(&text));
    fr_strbuf_release(&text);
    add_numbered(out, end + 1);
}

static void pdf_info(struct fr_canvas *c, const struct fr_canvas_info *info)
{
    char date[40];
    time_t t = (time_t)info->time;
    struct tm tm;
    gmtime_r(&t, &tm);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &tm);
    cairo_pdf_surface_set_metadata(c->surface, CAIRO_PDF_METADATA_CREATE_DATE, date);
    cairo_pdf_surface_set_metadata(c->surface, CAIRO_PDF_METADATA_MOD_DATE, date);
    cairo_pdf_surface_set_metadata(c->surface, CAIRO_PDF_METADATA_CREATOR, "fioreport " FR_VERSION);
    cairo_pdf_surface_set_metadata(c->surface, CAIRO_PDF_METADATA_TITLE, info->title ? info->title : "");
    cairo_pdf_surface_set_metadata(c->surface, CAIRO_PDF_METADATA_SUBJECT, info->description ? info->description : "");
}

int fr_canvas_finish(struct fr_canvas *c, const struct fr_canvas_info *info, struct fr_strbuf *out)
{
    if (!c->cr || cairo_status(c->cr) != CAIRO_STATUS_SUCCESS)
        return -1;
    cairo_surface_flush(c->surface);
    if (c->picture == FR_PNG) {
        struct fr_png png = {.pixels = cairo_image_surface_get_data(c->surface),
                             .stride = (size_t)cairo_image_surface_get_stride(c->surface),
                             .width = (uint32_t)cairo_image_surface_get_width(c->surface),
                             .height = (uint32_t)cairo_image_surface_get_height(c->surface),
                             .scale = c->scale};
        return fr_png_encode(&png, info, out);
    }
    if (c->picture == FR_PDF)
        pdf_info(c, info);
    cairo_surface_finish(c->surface);
    if (cairo_surface_status(c->surface) != CAIRO_STATUS_SUCCESS)
        return -1;
    if (c->picture == FR_SVG) {
        finish_svg(c, info, out);
    } else {
        fr_strbuf_add(out, fr_strbuf_str(&c->stream), c->stream.len);
        fr_strbuf_addstr(out, "% fioreport " FR_VERSION "\n");
    }
    return 0;
}
