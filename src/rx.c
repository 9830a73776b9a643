/* rx.c: see rx.h. PCRE2's API: pcre2api(3); JIT: pcre2jit(3). */
#include "rx.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "banned.h"

enum { MATCH_LIMIT = 200000, GROUPS_MAX = 32 };

struct fr_rx {
    pcre2_code *code;
    pcre2_match_data *data;
    pcre2_match_context *context;
};

struct fr_rx *fr_rx_new(const char *pattern, struct fr_log *log)
{
    int error;
    PCRE2_SIZE at;
    struct fr_rx *rx = calloc(1, sizeof *rx);
    if (!rx)
        goto fail;
    /*
     * A pattern that asks for no letters beyond ASCII reads bytes: in UTF mode each match would first check the whole
     * subject, which makes a line of many results cost its square. In UTF mode a subject that is not UTF-8 does not
     * match; documents are (doc.h). Not PCRE2_MATCH_INVALID_UTF: with it the JIT of 10.42 overlooks matches after a
     * character beyond ASCII.
     */
    uint32_t options = strstr(pattern, "\\p{") ? PCRE2_UTF : 0;
    rx->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, &error, &at, NULL);
    if (!rx->code)
        goto fail;
    pcre2_jit_compile(rx->code, PCRE2_JIT_COMPLETE); /* without JIT it is slower, not wrong */
    rx->data = pcre2_match_data_create(GROUPS_MAX, NULL);
    rx->context = pcre2_match_context_create(NULL);
    if (!rx->data || !rx->context)
        goto fail;
    pcre2_set_match_limit(rx->context, MATCH_LIMIT);
    return rx;
fail:
    fr_rx_free(rx);
    fr_log_error(log, NULL, 0, "a pattern of fioreport does not compile: %s", pattern);
    return NULL;
}

void fr_rx_free(struct fr_rx *rx)
{
    if (!rx)
        return;
    pcre2_match_context_free(rx->context);
    pcre2_match_data_free(rx->data);
    pcre2_code_free(rx->code);
    free(rx);
}

bool fr_rx_match(struct fr_rx *rx, struct fr_str subject, struct fr_str *groups, size_t n)
{
    int found = pcre2_match(rx->code, (PCRE2_SPTR)(subject.s ? subject.s : ""), subject.n, 0, 0, rx->data, rx->context);
    if (found < 0)
        return false;
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(rx->data);
    for (size_t i = 0; i < n; i++) {
        bool set = i < (size_t)found && at[2 * i] != PCRE2_UNSET;
        groups[i] = set ? fr_strn(subject.s + at[2 * i], at[2 * i + 1] - at[2 * i]) : fr_strn(NULL, 0);
    }
    return true;
}
