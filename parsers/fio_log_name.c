/* fio_log_name.c: what the name of a log says. See fio_log.h. */
#include "fio_log.h"

#include "banned.h"

static const struct {
    const char *word;
    enum log_kind kind;
    enum fr_metric_id metric;
} kinds[] = {
    {"clat_hist", LOG_HIST, FR_M_CLAT}, {"clat", LOG_CLAT, FR_M_CLAT},  {"slat", LOG_SLAT, FR_M_SLAT},
    {"lat", LOG_LAT, FR_M_LAT},         {"iops", LOG_IOPS, FR_M_IOPS},  {"bw", LOG_BW, FR_M_BW},
    {"latency", LOG_LAT, FR_M_LAT},     {"bandwidth", LOG_BW, FR_M_BW}, /* people's own names */
};
enum { KINDS = sizeof kinds / sizeof *kinds };

enum fr_metric_id log_kind_metric(enum log_kind kind)
{
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].kind == kind)
            return kinds[i].metric;
    return FR_M_LAT;
}

const char *log_kind_word(enum log_kind kind)
{
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].kind == kind)
            return kinds[i].word;
    return "";
}

/* A kind's word at i, with nothing but a separator before and after it. */
static size_t word_at(struct fr_str base, size_t i)
{
    if (i > 0 && base.s[i - 1] != '_' && base.s[i - 1] != '-' && base.s[i - 1] != '.')
        return KINDS;
    for (size_t k = 0; k < KINDS; k++) {
        size_t n = strlen(kinds[k].word);
        struct fr_str rest = fr_str_from(base, i);
        if (!fr_str_starts_nocase(rest, kinds[k].word))
            continue;
        if (rest.n == n || rest.s[n] == '.' || rest.s[n] == '_' || rest.s[n] == '-')
            return k;
    }
    return KINDS;
}

/* `.1` or `.1.log` after the word. */
static int job_number(struct fr_str rest)
{
    uint64_t job;
    if (fr_take_ch(&rest, '.') && fr_take_u64(&rest, &job, NULL) && job <= 1000000 && (!rest.n || rest.s[0] == '.'))
        return (int)job;
    return 0;
}

struct log_name log_name_parse(struct fr_str path)
{
    struct log_name name = {LOG_UNKNOWN, {"", 0}, 0, false};
    size_t slash = path.n;
    while (slash > 0 && path.s[slash - 1] != '/')
        slash--;
    struct fr_str base = fr_str_from(path, slash);
    name.is_log = fr_str_find(base, ".log") != (size_t)-1;
    for (size_t i = base.n; i-- > 0;) {
        size_t k = word_at(base, i);
        /* `lat` of `x_clat`: the longer word begins further left; `clat` of `clat_hist` was passed as no word of its
         * own */
        if (k == KINDS)
            continue;
        struct fr_str rest = fr_str_from(base, i + strlen(kinds[k].word));
        name.kind = kinds[k].kind;
        name.prefix = fr_str_range(base, 0, i > 0 ? i - 1 : 0);
        name.job = job_number(rest);
        return name;
    }
    /* Nothing known: the stem. */
    size_t dot = fr_str_chr(base, '.');
    name.prefix = dot == (size_t)-1 || dot == 0 ? base : fr_str_range(base, 0, dot);
    return name;
}
