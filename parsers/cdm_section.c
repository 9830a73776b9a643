/* cdm_section.c: the words above rows that say their direction. See cdm.h. */
#include "cdm.h"

#include "banned.h"

static const size_t none = (size_t)-1;

size_t fr_cdm_section(struct fr_str t, size_t at, enum fr_op *op, size_t *end)
{
    static const struct {
        const char *word;
        enum fr_op op;
    } words[] = {{"read", FR_OP_READ}, {"write", FR_OP_WRITE}, {"mix", FR_OP_MIXED}};
    for (size_t i; (i = fr_str_chr(fr_str_from(t, at), '[')) != none; at += i + 1) {
        struct fr_str s = fr_str_from(t, at + i + 1);
        fr_take_blanks(&s);
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            struct fr_str rest = s;
            if (!fr_cdm_take_word(&rest, words[k].word))
                continue;
            fr_take_blanks(&rest);
            if (!fr_take_ch(&rest, ']'))
                continue;
            *op = words[k].op;
            *end = t.n - rest.n;
            return at + i;
        }
    }
    return none;
}

bool fr_cdm_bare_section(struct fr_str t, enum fr_op *op)
{
    static const struct {
        const char *word;
        enum fr_op op;
    } words[] = {{"read", FR_OP_READ},         {"reading", FR_OP_READ},       {"read speed", FR_OP_READ},
                 {"read speeds", FR_OP_READ},  {"write", FR_OP_WRITE},        {"writing", FR_OP_WRITE},
                 {"write speed", FR_OP_WRITE}, {"write speeds", FR_OP_WRITE}, {"mix", FR_OP_MIXED},
                 {"mixed", FR_OP_MIXED}};
    while (t.n && strchr(" \t*_:`#]-=", t.s[t.n - 1]))
        t.n--;
    while (t.n && strchr(" *_[-=#", t.s[0]))
        t = fr_str_from(t, 1);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fr_str_is_nocase(t, words[i].word)) {
            *op = words[i].op;
            return true;
        }
    return false;
}
