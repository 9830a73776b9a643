/* metrics.c: see metrics.h. */
#include "metrics.h"
#include "banned.h"

static const struct fr_metric metrics[] = {
#define FR_METRIC(id, name, dim, better, title, help) {name, dim, better, title, help},
#include "metrics.def"
#undef FR_METRIC
};

static const char *const ops[FR_OP_COUNT] = {"", "read", "write", "trim", "mixed", "sync"};

const struct fr_metric *fr_metric_get(enum fr_metric_id id)
{
    return &metrics[id];
}

int fr_metric_find(struct fr_str name)
{
    for (int i = 0; i < FR_M_COUNT; i++)
        if (fr_str_is(name, metrics[i].name))
            return i;
    return -1;
}

const char *fr_stat_depth(struct fr_str depth)
{
    static const char *const depths[] = {"0", "1", "2", "4", "8", "16", "32", "64", ">=64"};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        if (fr_str_is(depth, depths[i]))
            return depths[i];
    return NULL;
}

bool fr_take_priority(struct fr_str *s, struct fr_str *priority)
{
    enum { NUMBERS_MIN = 2, NUMBERS_MAX = 3 };
    struct fr_str rest = *s;
    unsigned numbers = 0;
    uint64_t n;
    if (!fr_take(&rest, "high") && !fr_take(&rest, "low")) {
        do
            numbers += fr_take_u64(&rest, &n, NULL);
        while (numbers < NUMBERS_MAX && fr_take_ch(&rest, '/'));
        if (numbers < NUMBERS_MIN)
            return false;
    }
    *priority = fr_str_range(*s, 0, s->n - rest.n);
    *s = rest;
    return true;
}

const char *fr_op_name(enum fr_op op)
{
    return ops[op];
}

int fr_op_find(struct fr_str name)
{
    for (int i = 1; i < FR_OP_COUNT; i++)
        if (fr_str_is(name, ops[i]))
            return i;
    return -1;
}
