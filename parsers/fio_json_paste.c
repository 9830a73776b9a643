/* fio_json_paste.c: see fio_json_paste.h. */
#include "fio_json_paste.h"

#include "banned.h"

static bool has(struct fr_str line, const char *what)
{
    return fr_str_find(line, what) != (size_t)-1;
}

enum fr_fj_paste fr_fj_paste_kind(struct fr_str line)
{
    if (!has(line, "fio version"))
        return FR_FJ_PLAIN;
    if (has(line, "\\n") && (has(line, "{\\n") || has(line, "{\\r\\n")))
        return FR_FJ_WHOLE;
    return has(line, "\\\"fio version\\\"") ? FR_FJ_LINED : FR_FJ_PLAIN;
}

/* Resolve the escapes of one level. */
static void unescape(struct fr_str s, struct fr_strbuf *out)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.s[i] != '\\' || i + 1 == s.n) {
            fr_strbuf_addch(out, s.s[i]);
            continue;
        }
        i++;
        switch (s.s[i]) {
        case 'n':
            fr_strbuf_addch(out, '\n');
            break;
        case 't':
            fr_strbuf_addch(out, '\t');
            break;
        case 'r':
            break;
        case '"':
        case '\'':
        case '\\':
            fr_strbuf_addch(out, s.s[i]);
            break;
        default: /* none of these languages'; JSON's own, once removed */
            fr_strbuf_addch(out, '\\');
            fr_strbuf_addch(out, s.s[i]);
        }
    }
}

bool fr_fj_paste_read(struct fr_str line, enum fr_fj_paste kind, struct fr_strbuf *out)
{
    fr_strbuf_reset(out);
    if (kind == FR_FJ_WHOLE) {
        unescape(line, out);
        return true;
    }
    struct fr_str s = fr_str_trim(line);
    while (s.n && strchr("+,;\\ \t)", s.s[s.n - 1]))
        s = fr_str_range(s, 0, s.n - 1);
    size_t open = fr_str_chr(s, s.n ? s.s[s.n - 1] : 0);
    if (s.n < 2 || (s.s[s.n - 1] != '"' && s.s[s.n - 1] != '\'') || open >= s.n - 1)
        return false;
    unescape(fr_str_range(s, open + 1, s.n - 1), out);
    while (out->len && out->buf[out->len - 1] == '\n')
        fr_strbuf_cut(out, out->len - 1);
    /* `var s = "{\n" +`: only the first one has something before it. */
    return open == 0 || fr_str_is(fr_str_trim(fr_strn(fr_strbuf_str(out), out->len)), "{");
}
