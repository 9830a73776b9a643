/* literal.c: see literal.h. */
#include "literal.h"

#include "banned.h"

bool fr_literal_is(struct fr_str line)
{
    size_t escape = fr_str_find(line, "\\n");
    if (escape == (size_t)-1)
        return false;
    struct fr_str before = fr_str_range(line, 0, escape);
    return fr_str_chr(before, '"') != (size_t)-1 || fr_str_chr(before, '\'') != (size_t)-1 ||
           fr_str_chr(before, '`') != (size_t)-1;
}

/* `\u0434` at the start of s. */
static bool take_unit(struct fr_str *s, uint32_t *out)
{
    if (s->n < 6 || s->s[0] != '\\' || s->s[1] != 'u')
        return false;
    *out = 0;
    for (size_t i = 2; i < 6; i++) {
        char c = fr_lower(s->s[i]);
        if (!fr_is_digit(c) && (c < 'a' || c > 'f'))
            return false;
        *out = *out << 4 | (uint32_t)(fr_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    *s = fr_str_from(*s, 6);
    return true;
}

size_t fr_literal_escape(struct fr_str s, struct fr_strbuf *out)
{
    static const struct {
        const char *escape, *text;
    } escapes[] = {{"\\r\\n", "\n"}, {"\\n", "\n"}, {"\\r", "\r"}, {"\\t", "  "}};
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
        if (fr_str_starts(s, escapes[i].escape)) {
            fr_strbuf_addstr(out, escapes[i].text);
            return strlen(escapes[i].escape);
        }
    struct fr_str rest = s;
    uint32_t high, low;
    if (take_unit(&rest, &high)) {
        if (high >= 0xd800 && high < 0xdc00 && take_unit(&rest, &low) && low >= 0xdc00 && low < 0xe000)
            high = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        fr_strbuf_addutf8(out, high >= 0xd800 && high < 0xe000 ? 0xfffd : high);
        return s.n - rest.n;
    }
    fr_strbuf_add(out, s.s + 1, s.n > 1);
    return s.n > 1 ? 2 : 1;
}

void fr_literal_read(struct fr_str line, struct fr_strbuf *out)
{
    while (line.n) {
        size_t n = fr_str_chr(line, '\\');
        struct fr_str plain = fr_str_range(line, 0, n);
        fr_strbuf_add(out, plain.s, plain.n);
        line = fr_str_from(line, plain.n);
        if (line.n)
            line = fr_str_from(line, fr_literal_escape(line, out));
    }
}
