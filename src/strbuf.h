/*
 * strbuf.h: a growing text that is always NUL-terminated; for text on its way out, and for pieces cut from a stream.
 *
 * A strbuf that ran out of memory ends the process as an arena does (arena.h). `max`, when set, is a bound: text beyond
 * it is dropped and `truncated` says so.
 */
#ifndef FR_STRBUF_H
#define FR_STRBUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct fr_strbuf {
    char *buf;  /* never NULL once something was added; "" before */
    size_t len; /* without the NUL */
    size_t alloc;
    size_t max; /* 0: FR_STRBUF_MAX */
    int truncated;
};

#define FR_STRBUF_MAX ((size_t)1 << 31)
#define FR_STRBUF_INIT                                                                                                 \
    {                                                                                                                  \
        .buf = NULL, .len = 0, .alloc = 0, .max = 0, .truncated = 0                                                    \
    }

void fr_strbuf_add(struct fr_strbuf *sb, const char *s, size_t n);
void fr_strbuf_addstr(struct fr_strbuf *sb, const char *s);
void fr_strbuf_addch(struct fr_strbuf *sb, char c);
/* A code point as UTF-8. */
void fr_strbuf_addutf8(struct fr_strbuf *sb, uint32_t c);
void fr_strbuf_addf(struct fr_strbuf *sb, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fr_strbuf_vaddf(struct fr_strbuf *sb, const char *format, va_list ap);
/* Room for n more bytes behind the text, to be written by the caller, and then counted in; within `max`. */
char *fr_strbuf_room(struct fr_strbuf *sb, size_t n);
void fr_strbuf_added(struct fr_strbuf *sb, size_t n);
/* n times c. */
void fr_strbuf_pad(struct fr_strbuf *sb, char c, size_t n);

/* The text as a C string; "" when nothing was ever added. Lent until the next change. */
const char *fr_strbuf_str(const struct fr_strbuf *sb);
/* Empty it, keep its memory. */
void fr_strbuf_reset(struct fr_strbuf *sb);
/* Cut it to n bytes. */
void fr_strbuf_cut(struct fr_strbuf *sb, size_t n);
/* The text, yours to free(); the strbuf is empty after. */
char *fr_strbuf_detach(struct fr_strbuf *sb);
void fr_strbuf_release(struct fr_strbuf *sb);

#endif
