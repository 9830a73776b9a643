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

size_t fr_literal_escape(struct fr_str s, struct fr_str *text)
{
    static const struct {
        const char *escape, *text;
    } escapes[] = {{"\\r\\n", "\n"}, {"\\n", "\n"}, {"\\r", "\r"}, {"\\t", "  "}, {"\\u003c", "<"}, {"\\u003e", ">"}};
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
        if (fr_str_starts_nocase(s, escapes[i].escape)) {
            *text = fr_str(escapes[i].text);
            return strlen(escapes[i].escape);
        }
    *text = fr_str_range(s, 1, 2);
    return s.n < 2 ? 1 : 2;
}
