/* fio_log_lines.c: whole lines out of blocks. See fio_log.h. */
#include "fio_log.h"

#include "banned.h"

struct cutter {
    const struct log_reader *reader;
    struct fr_strbuf carry; /* the begun line */
    uint32_t line;
    bool skipping; /* within a line that is too long */
    bool too_long;
    struct fr_log *log;
    const char *name;
};

/* The begun line grows. */
static void carry(struct cutter *c, const char *p, size_t n)
{
    if (c->skipping)
        return;
    if (n > LOG_LINE_MAX - c->carry.len) {
        fr_log_error(c->log, c->name, c->line, "is longer than any line of a log (%zu KiB), left out",
                     LOG_LINE_MAX >> 10);
        c->skipping = c->too_long = true;
        fr_strbuf_reset(&c->carry);
        return;
    }
    fr_strbuf_add(&c->carry, p, n);
}

static void end_carried(struct cutter *c)
{
    if (c->skipping)
        c->line++;
    else
        c->reader->lines(c->reader->ctx, fr_strbuf_str(&c->carry), fr_strbuf_str(&c->carry) + c->carry.len, &c->line);
    c->skipping = false;
    fr_strbuf_reset(&c->carry);
}

static void block(struct cutter *c, const char *p, const char *end)
{
    if (c->carry.len || c->skipping) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        carry(c, p, (size_t)((stop ? stop + 1 : end) - p));
        if (!stop)
            return;
        end_carried(c);
        p = stop + 1;
    }
    const char *last = end;
    while (last > p && last[-1] != '\n')
        last--;
    if (last > p)
        c->reader->lines(c->reader->ctx, p, last, &c->line);
    if (end > last)
        carry(c, last, (size_t)(end - last));
}

int log_read_lines(struct fr_input *in, const struct log_reader *reader, bool *open_end, struct fr_log *log)
{
    struct cutter c = {.reader = reader, .carry = FR_STRBUF_INIT, .line = 1, .log = log, .name = fr_input_name(in)};
    bool first = true;
    *open_end = false;
    for (;;) {
        size_t n;
        const char *p = fr_input_next(in, &n, log);
        if (!p) {
            fr_strbuf_release(&c.carry);
            return -1;
        }
        if (n == 0)
            break;
        size_t mark = first && n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        first = false;
        block(&c, p + mark, p + n);
    }
    if (c.carry.len) {
        *open_end = true;
        fr_strbuf_addch(&c.carry, '\n');
        end_carried(&c);
    }
    fr_strbuf_release(&c.carry);
    return c.too_long ? -1 : 0;
}
