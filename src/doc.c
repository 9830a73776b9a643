/*
 * doc.c: see doc.h. From bytes to lines in two steps: decode to UTF-8 (byte order marks, UTF-16 by its mark or by its
 * zero bytes, ISO-8859-1 where it is no UTF-8), then cut into lines at LF, CR LF and lone CR, taking off ANSI sequences
 * and NUL.
 */
#include "doc.h"
#include "doc_clean.h"
#include "strbuf.h"

#include "banned.h"

#define NOWHERE ((size_t)-1)

enum {
    TEXT_MAX = 0x7fffffff,
    PROBE = 4096,
    AT_ONCE = 16,
    LINE = 48,         /* bytes of most lines, or more */
    CACHED = 128 << 10 /* bytes that stay in a processor's cache while they are looked at several times */
};

/* What most texts do not have, and what is looked for in all of them. */
static const char marks[] = "\r<&`*{";

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

/* UTF-16 to UTF-8, without its mark; a lone surrogate and an odd last byte become U+FFFD. */
static void from_utf16(struct fr_strbuf *out, const unsigned char *p, size_t n, bool big)
{
    uint32_t high = 0;
    bool marked = n >= 2 && (p[0] == (big ? 0xfe : 0xff) && p[1] == (big ? 0xff : 0xfe));
    for (size_t i = marked ? 2 : 0; i + 1 < n; i += 2) {
        uint32_t u = big ? (uint32_t)p[i] << 8 | p[i + 1] : (uint32_t)p[i + 1] << 8 | p[i];
        if (high && u >= 0xdc00 && u < 0xe000) {
            fr_strbuf_addutf8(out, 0x10000 + ((high - 0xd800) << 10) + (u - 0xdc00));
            high = 0;
            continue;
        }
        if (high)
            fr_strbuf_addutf8(out, 0xfffd);
        high = u >= 0xd800 && u < 0xdc00 ? u : 0;
        if (!high)
            fr_strbuf_addutf8(out, u >= 0xdc00 && u < 0xe000 ? 0xfffd : u);
    }
    if (high || n % 2)
        fr_strbuf_addutf8(out, 0xfffd);
}

static void from_latin1(struct fr_strbuf *out, const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fr_strbuf_addutf8(out, p[i]);
}

/* Bytes of the UTF-8 character at p, or 0 when it is none (also overlong forms, surrogates, beyond U+10FFFF). */
static size_t utf8_length(const unsigned char *p, size_t n)
{
    unsigned c = p[0];
    size_t len = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    if (len == 0 || len > n)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((c == 0xe0 && p[1] < 0xa0) || (c == 0xed && p[1] > 0x9f) || (c == 0xf0 && p[1] < 0x90) ||
        (c == 0xf4 && p[1] > 0x8f))
        return 0;
    return len;
}

/* How many characters beyond ASCII are well formed, and how many bytes are no UTF-8. */
static void count_utf8(const unsigned char *p, size_t n, size_t *good, size_t *bad)
{
    *good = *bad = 0;
    for (size_t i = 0; i < n;) {
        if (p[i] < 0x80) {
            i++;
            continue;
        }
        size_t len = utf8_length(p + i, n - i);
        *good += len > 0;
        *bad += len == 0;
        i += len ? len : 1;
    }
}

/* Bytes that are no UTF-8 become U+FFFD. */
static void repair_utf8(struct fr_strbuf *out, const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t len = utf8_length(p + i, n - i);
        if (len)
            fr_strbuf_add(out, (const char *)p + i, len);
        else
            fr_strbuf_addutf8(out, 0xfffd);
        i += len ? len : 1;
    }
}

/* No byte beyond ASCII: 32 at once. */
static bool is_ascii(const char *s, size_t n)
{
    uint64_t word[4], high = 0;
    for (; n >= sizeof word; n -= sizeof word, s += sizeof word) {
        memcpy(word, s, sizeof word);
        high |= word[0] | word[1] | word[2] | word[3];
    }
    for (; n; n--, s++)
        high |= (unsigned char)*s & 0x80u;
    return !(high & 0x8080808080808080u);
}

/* Which of the marks the text holds, a bit for each. *ascii: nothing beyond ASCII. */
static unsigned marks_of(struct fr_str text, bool *ascii)
{
    unsigned found = 0;
    *ascii = true;
    for (size_t at = 0; at < text.n; at += CACHED) {
        struct fr_str part = fr_str_range(text, at, at + CACHED);
        for (size_t i = 0; i < sizeof marks - 1; i++)
            if (!(found & 1u << i) && fr_str_chr(part, marks[i]) != NOWHERE)
                found |= 1u << i;
        *ascii = *ascii && is_ascii(part.s, part.n);
    }
    return found;
}

/* The text as UTF-8: `bytes`, or, where they are not, `out`: then damaged UTF-8 is repaired, what has hardly any of it
 * is ISO-8859-1. */
static struct fr_str to_utf8(struct fr_str bytes, struct fr_strbuf *out, bool *latin1)
{
    const unsigned char *p = (const unsigned char *)bytes.s;
    size_t good, bad;
    *latin1 = false;
    count_utf8(p, bytes.n, &good, &bad);
    if (!bad)
        return bytes;
    *latin1 = bad > good;
    if (*latin1)
        from_latin1(out, p, bytes.n);
    else
        repair_utf8(out, p, bytes.n);
    return fr_strn(fr_strbuf_str(out), out->len);
}

bool fr_doc_make_utf8(struct fr_strbuf *text)
{
    struct fr_strbuf decoded = FR_STRBUF_INIT;
    bool latin1;
    to_utf8(fr_strn(fr_strbuf_str(text), text->len), &decoded, &latin1);
    if (decoded.buf) {
        fr_strbuf_release(text);
        *text = decoded;
    }
    return latin1;
}

/* How the bytes stand for text: MARKED is UTF-8 with its byte order mark; BYTES is UTF-8 or an 8-bit set. */
enum encoding { BYTES, MARKED, UTF16, UTF16_BIG, BINARY };

/* UTF-16 without a mark, by the zero bytes of its ASCII characters. */
static enum encoding utf16_guess(const unsigned char *p, size_t n)
{
    size_t even = 0, odd = 0, look = n < PROBE ? n : PROBE;
    if (look < 8 || !memchr(p, 0, look))
        return BYTES;
    for (size_t i = 0; i + 1 < look; i += 2) {
        even += p[i] == 0;
        odd += p[i + 1] == 0;
    }
    if (odd > look / 2 * 7 / 10 && even <= look / 2 / 20)
        return UTF16;
    if (even > look / 2 * 7 / 10 && odd <= look / 2 / 20)
        return UTF16_BIG;
    return BYTES;
}

/* AT_ONCE bytes: is one of them below 32? */
static bool any_below_blank(const char *s)
{
    const uint64_t blanks = 0x2020202020202020u, high = 0x8080808080808080u;
    uint64_t w[2];
    memcpy(w, s, sizeof w);
    return (((w[0] - blanks) & ~w[0]) | ((w[1] - blanks) & ~w[1])) & high;
}

/* No text: many control characters that no terminal output has. */
static bool is_binary(const unsigned char *p, size_t n)
{
    size_t bad = 0, look = n < PROBE ? n : PROBE;
    for (size_t i = 0; i < look; i++) {
        while (i + AT_ONCE <= look && !any_below_blank((const char *)p + i))
            i += AT_ONCE;
        bad += i < look && (p[i] < 7 || (p[i] > 13 && p[i] < 27) || (p[i] > 27 && p[i] < 32));
    }
    return bad > look / 20 + 8; /* of noise, or what is compressed, 24 in 256 are */
}

static enum encoding encoding_of(const unsigned char *p, size_t n)
{
    if (n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        return MARKED;
    if (n >= 2 && p[0] == 0xff && p[1] == 0xfe)
        return UTF16;
    if (n >= 2 && p[0] == 0xfe && p[1] == 0xff)
        return UTF16_BIG;
    enum encoding guess = utf16_guess(p, n);
    return guess == BYTES && is_binary(p, n) ? BINARY : guess;
}

bool fr_doc_is_binary(const char *bytes, size_t n)
{
    return encoding_of((const unsigned char *)bytes, n) == BINARY;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* A line without ESC sequences, NUL and backspace. */
static struct fr_str strip_controls(struct fr_doc *doc, const char *s, size_t n)
{
    char *to = fr_arena_alloc(&doc->arena, n);
    size_t out = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == 0 || s[i] == '\b' || s[i] == '\a')
            continue;
        if (s[i] != 27) {
            to[out++] = s[i];
            continue;
        }
        if (i + 1 >= n)
            break;
        if (s[i + 1] == '[') { /* CSI: parameters, then a byte 0x40..0x7e */
            size_t j = i + 2;
            while (j < n && (unsigned char)s[j] < 0x40)
                j++;
            i = j;
        } else if (s[i + 1] == ']') { /* OSC: to BEL or ESC \ */
            size_t j = i + 2;
            while (j < n && s[j] != 7 && s[j] != 27)
                j++;
            i = j < n && s[j] == 27 ? j + 1 : j;
        } else {
            i++;
        }
    }
    return fr_strn(to, out);
}

static bool has_controls(const char *s, size_t n)
{
    size_t i = 0;
    bool any = n < AT_ONCE;
    for (; !any && i + AT_ONCE <= n; i += AT_ONCE)
        any = any_below_blank(s + i);
    if (!any && !any_below_blank(s + n - AT_ONCE))
        return false;
    for (i = 0; i < n; i++)
        if ((unsigned char)s[i] < 32 && s[i] != '\t')
            return true;
    return false;
}

void fr_doc_push(struct fr_doc *doc, const struct fr_line *line)
{
    doc->lines = fr_grow(doc->lines, doc->n, &doc->alloc, sizeof *doc->lines);
    doc->lines[doc->n++] = *line;
}

static void add_line(struct fr_doc *doc, uint32_t no, const char *s, size_t n, unsigned flags)
{
    struct fr_str text = has_controls(s, n) ? strip_controls(doc, s, n) : fr_strn(s, n);
    fr_doc_push(doc, &(struct fr_line){.text = text, .no = no, .owner = 0, .flags = (uint8_t)flags});
}

/* Cut at LF, CR LF and lone CR. In a text without any LF a CR is the end of line, so it counts. */
static void cut_lines(struct fr_doc *doc, struct fr_str text)
{
    uint32_t no = 1;
    bool mac = fr_str_chr(text, '\n') == NOWHERE, any_cr = fr_doc_may_hold(doc, '\r');
    const char *p = text.s, *end = text.s + text.n;
    doc->alloc = text.n / LINE + 16; /* about enough: growing means copying */
    doc->lines = fr_resize(NULL, doc->alloc * sizeof *doc->lines);
    while (p < end) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        const char *stop = lf ? lf : end;
        while (any_cr && lf && stop > p && stop[-1] == '\r') /* CR LF, or CR CR LF */
            stop--;
        for (const char *cr; any_cr && (cr = memchr(p, '\r', (size_t)(stop - p))) != NULL; p = cr + 1) {
            add_line(doc, no, p, (size_t)(cr - p), mac ? 0 : FR_LINE_CR);
            no += mac;
        }
        if (lf || p < stop)
            add_line(doc, no, p, (size_t)(stop - p), lf ? 0 : FR_LINE_PARTIAL);
        p = lf ? lf + 1 : end;
        no++;
    }
}

int fr_doc_init(struct fr_doc *doc, const char *source, const char *bytes, size_t n, struct fr_log *log)
{
    memset(doc, 0, sizeof *doc);
    doc->arena = (struct fr_arena)FR_ARENA_INIT;
    doc->source = source;
    if (n >= TEXT_MAX)
        return fr_log_error(log, source, 0, "is too large for a text (2 GiB), skipped");
    const unsigned char *p = (const unsigned char *)bytes;
    struct fr_str text = fr_strn(bytes, n);
    struct fr_strbuf decoded = FR_STRBUF_INIT;
    enum encoding encoding = encoding_of(p, n);
    bool ascii;
    switch (encoding) {
    case BINARY:
        doc->binary = true;
        return 0;
    case UTF16:
    case UTF16_BIG:
        from_utf16(&decoded, p, n, encoding == UTF16_BIG);
        text = fr_strn(fr_strbuf_str(&decoded), decoded.len);
        break;
    case MARKED:
    case BYTES:
        text = fr_str_from(text, encoding == MARKED ? 3 : 0);
        doc->marks = marks_of(text, &doc->ascii);
        if (!doc->ascii)
            text = to_utf8(text, &decoded, &doc->latin1);
        break;
    }
    doc->text = decoded.buf;
    doc->whole = text;
    if (decoded.buf)
        doc->marks = marks_of(text, &ascii);
    cut_lines(doc, text);
    fr_doc_clean(doc);
    return 0;
}

void fr_doc_init_empty(struct fr_doc *doc, const char *source)
{
    memset(doc, 0, sizeof *doc);
    doc->arena = (struct fr_arena)FR_ARENA_INIT;
    doc->source = source;
}

void fr_doc_add_line(struct fr_doc *doc, struct fr_str text, uint32_t no, unsigned flags)
{
    const char *copy = fr_arena_copy(&doc->arena, text.s, text.n);
    doc->rewritten = true;
    add_line(doc, no, copy, text.n, flags);
}

bool fr_doc_may_hold(const struct fr_doc *doc, char c)
{
    const char *mark = c ? strchr(marks, c) : NULL;
    if (doc->rewritten)
        return true;
    return mark ? doc->marks & 1u << (mark - marks) : fr_str_chr(doc->whole, c) != NOWHERE;
}

void fr_doc_release(struct fr_doc *doc)
{
    free(doc->lines);
    free(doc->text);
    fr_arena_release(&doc->arena);
    memset(doc, 0, sizeof *doc);
}

void fr_doc_claim(struct fr_doc *doc, size_t i, size_t j, unsigned owner, unsigned flags)
{
    for (; i <= j && i < doc->n; i++) {
        if (doc->lines[i].owner == 0)
            doc->lines[i].owner = (uint8_t)owner;
        doc->lines[i].flags |= (uint8_t)flags;
    }
}
