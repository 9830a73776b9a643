/* strbuf.c: see strbuf.h. */
#include "strbuf.h"

#include "arena.h"

#include "banned.h"

static void grow(struct fr_strbuf *sb, size_t need)
{
    if (need <= sb->alloc)
        return;
    size_t alloc = sb->alloc + sb->alloc / 2 + 64;
    if (alloc < need)
        alloc = need;
    sb->buf = fr_resize(sb->buf, alloc);
    sb->alloc = alloc;
}

/* How much of n bytes more may be added. */
static size_t allowed(struct fr_strbuf *sb, size_t n)
{
    size_t left = (sb->max ? sb->max : FR_STRBUF_MAX) - sb->len;
    sb->truncated |= n > left;
    return n > left ? left : n;
}

void fr_strbuf_add(struct fr_strbuf *sb, const char *s, size_t n)
{
    n = allowed(sb, n);
    grow(sb, sb->len + n + 1);
    if (n)
        memcpy(sb->buf + sb->len, s, n);
    sb->len += n;
    sb->buf[sb->len] = 0;
}

char *fr_strbuf_room(struct fr_strbuf *sb, size_t n)
{
    grow(sb, sb->len + n + 1);
    return sb->buf + sb->len;
}

void fr_strbuf_added(struct fr_strbuf *sb, size_t n)
{
    sb->len += n;
    sb->buf[sb->len] = 0;
}

void fr_strbuf_addstr(struct fr_strbuf *sb, const char *s)
{
    fr_strbuf_add(sb, s, strlen(s));
}

void fr_strbuf_addch(struct fr_strbuf *sb, char c)
{
    size_t max = sb->max ? sb->max : FR_STRBUF_MAX;
    if (sb->len + 1 >= sb->alloc || sb->len >= max) {
        fr_strbuf_add(sb, &c, 1);
        return;
    }
    sb->buf[sb->len++] = c;
    sb->buf[sb->len] = 0;
}

void fr_strbuf_vaddf(struct fr_strbuf *sb, const char *format, va_list ap)
{
    char local[256];
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(local, sizeof local, format, ap);
    if (n >= 0 && (size_t)n < sizeof local) {
        fr_strbuf_add(sb, local, (size_t)n);
    } else if (n > 0) {
        size_t length = allowed(sb, (size_t)n);
        vsnprintf(fr_strbuf_room(sb, length), length + 1, format, again);
        fr_strbuf_added(sb, length);
    }
    va_end(again);
}

void fr_strbuf_addutf8(struct fr_strbuf *sb, uint32_t c)
{
    char b[4];
    size_t n;
    if (c < 0x80) {
        b[0] = (char)c;
        n = 1;
    } else if (c < 0x800) {
        b[0] = (char)(0xc0 | c >> 6);
        b[1] = (char)(0x80 | (c & 0x3f));
        n = 2;
    } else if (c < 0x10000) {
        b[0] = (char)(0xe0 | c >> 12);
        b[1] = (char)(0x80 | (c >> 6 & 0x3f));
        b[2] = (char)(0x80 | (c & 0x3f));
        n = 3;
    } else {
        b[0] = (char)(0xf0 | c >> 18);
        b[1] = (char)(0x80 | (c >> 12 & 0x3f));
        b[2] = (char)(0x80 | (c >> 6 & 0x3f));
        b[3] = (char)(0x80 | (c & 0x3f));
        n = 4;
    }
    fr_strbuf_add(sb, b, n);
}

void fr_strbuf_addf(struct fr_strbuf *sb, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    fr_strbuf_vaddf(sb, format, ap);
    va_end(ap);
}

void fr_strbuf_pad(struct fr_strbuf *sb, char c, size_t n)
{
    char run[64];
    memset(run, c, sizeof run);
    for (; n > sizeof run; n -= sizeof run)
        fr_strbuf_add(sb, run, sizeof run);
    fr_strbuf_add(sb, run, n);
}

const char *fr_strbuf_str(const struct fr_strbuf *sb)
{
    return sb->buf ? sb->buf : "";
}

void fr_strbuf_reset(struct fr_strbuf *sb)
{
    fr_strbuf_cut(sb, 0);
    sb->truncated = 0;
}

void fr_strbuf_cut(struct fr_strbuf *sb, size_t n)
{
    if (n < sb->len) {
        sb->len = n;
        sb->buf[n] = 0;
    }
}

char *fr_strbuf_detach(struct fr_strbuf *sb)
{
    grow(sb, sb->len + 1);
    sb->buf[sb->len] = 0;
    char *s = sb->buf;
    size_t max = sb->max;
    *sb = (struct fr_strbuf)FR_STRBUF_INIT;
    sb->max = max;
    return s;
}

void fr_strbuf_release(struct fr_strbuf *sb)
{
    free(sb->buf);
    *sb = (struct fr_strbuf)FR_STRBUF_INIT;
}
