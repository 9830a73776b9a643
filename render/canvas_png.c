/* canvas_png.c: see canvas_png.h. After the PNG specification (ISO/IEC 15948). */
#include "canvas_png.h"

#include <math.h>

#include <zlib.h>

#include "utf8.h"

#include "banned.h"

static void add_u32(struct fr_strbuf *out, uint32_t v)
{
    char s[4] = {(char)(v >> 24), (char)(v >> 16), (char)(v >> 8), (char)v};
    fr_strbuf_add(out, s, 4);
}

static void add_chunk(struct fr_strbuf *out, const char *type, const char *data, size_t n)
{
    add_u32(out, (uint32_t)n);
    size_t start = out->len;
    fr_strbuf_add(out, type, 4);
    fr_strbuf_add(out, data, n);
    add_u32(out, (uint32_t)crc32(0, (const Bytef *)out->buf + start, (uInt)(n + 4)));
}

static void add_header(struct fr_strbuf *out, const struct fr_png *png)
{
    struct fr_strbuf data = FR_STRBUF_INIT;
    fr_strbuf_add(out, "\x89PNG\r\n\x1a\n", 8);
    add_u32(&data, png->width);
    add_u32(&data, png->height);
    fr_strbuf_add(&data, "\x08\x02\x00\x00\x00", 5); /* 8 bits, RGB */
    add_chunk(out, "IHDR", data.buf, data.len);
    fr_strbuf_reset(&data);
    uint32_t per_meter = (uint32_t)lround(96 * png->scale / 0.0254);
    add_u32(&data, per_meter);
    add_u32(&data, per_meter);
    fr_strbuf_addch(&data, 1);
    add_chunk(out, "pHYs", data.buf, data.len);
    fr_strbuf_release(&data);
}

/* iTXt, which is UTF-8; tEXt (Latin-1) where the text is ASCII, because more programs show it. */
static void add_text(struct fr_strbuf *out, const char *key, const char *text)
{
    if (!text || !*text)
        return;
    bool ascii = true;
    struct fr_strbuf data = FR_STRBUF_INIT, clean = FR_STRBUF_INIT;
    for (uint32_t c; (c = fr_utf8_clean(&text)) != 0;) {
        ascii = ascii && c < 0x80;
        fr_utf8_add(&clean, c);
    }
    fr_strbuf_add(&data, key, strlen(key) + 1);
    if (!ascii)
        fr_strbuf_add(&data, "\0\0\0\0", 4); /* not compressed, no language, no translated key */
    fr_strbuf_add(&data, fr_strbuf_str(&clean), clean.len);
    add_chunk(out, ascii ? "tEXt" : "iTXt", data.buf, data.len);
    fr_strbuf_release(&data);
    fr_strbuf_release(&clean);
}

/* Rows as difference to the row above: charts are flat, so most of it is zeros. */
static int deflate_rows(const struct fr_png *png, struct fr_strbuf *out)
{
    size_t n = (size_t)png->width * 3 + 1;
    unsigned char *row = calloc(2, n), chunk[16384];
    z_stream z = {0};
    if (!row || deflateInit2(&z, 5, Z_DEFLATED, 15, 9, Z_FILTERED) != Z_OK) {
        free(row);
        return -1;
    }
    unsigned char *above = calloc(1, n);
    int rc = above ? Z_OK : Z_MEM_ERROR;
    for (uint32_t y = 0; y < png->height && rc == Z_OK; y++) {
        const unsigned char *in = png->pixels + (size_t)y * png->stride;
        row[0] = 2;
        for (uint32_t x = 0; x < png->width; x++) {
            uint32_t pixel;
            memcpy(&pixel, in + (size_t)x * 4, 4);
            for (unsigned k = 0; k < 3; k++) {
                unsigned char v = (unsigned char)(pixel >> (16 - 8 * k));
                size_t i = 1 + (size_t)x * 3 + k;
                row[i] = (unsigned char)(v - above[i]);
                above[i] = v;
            }
        }
        z.next_in = row;
        z.avail_in = (uInt)n;
        bool last = y + 1 == png->height;
        do {
            z.next_out = chunk;
            z.avail_out = sizeof chunk;
            rc = deflate(&z, last ? Z_FINISH : Z_NO_FLUSH);
            fr_strbuf_add(out, (const char *)chunk, sizeof chunk - z.avail_out);
        } while (rc == Z_OK && (z.avail_out == 0 || (last && rc != Z_STREAM_END)));
        if (rc == Z_BUF_ERROR)
            rc = Z_OK;
    }
    deflateEnd(&z);
    free(row);
    free(above);
    return rc == Z_STREAM_END ? 0 : -1;
}

int fr_png_encode(const struct fr_png *png, const struct fr_canvas_info *info, struct fr_strbuf *out)
{
    add_header(out, png);
    add_text(out, "Title", info->title);
    add_text(out, "Description", info->description);
    add_text(out, "Software", "fioreport " FR_VERSION);
    add_text(out, "Source", info->command);
    add_text(out, "Data", info->data);
    struct fr_strbuf data = FR_STRBUF_INIT;
    int rc = deflate_rows(png, &data);
    if (rc == 0) {
        add_chunk(out, "IDAT", fr_strbuf_str(&data), data.len);
        add_chunk(out, "IEND", "", 0);
    }
    fr_strbuf_release(&data);
    return rc;
}
