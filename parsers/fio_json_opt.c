/* fio_json_opt.c: the options in fio's JSON as params. What they mean is said in fio_options.h. */
#include "fio_json_job.h"
#include "fio_options.h"

#include "banned.h"

struct collected {
    struct fr_arena *arena;
    struct fr_fio_options options;
    struct fr_fio_option pool[FR_FIO_OPTIONS_MAX];
};

static void collect(void *ctx, const char *key, const struct fr_fj_node *node, uint32_t line)
{
    struct collected *c = ctx;
    struct fr_str value;
    if (!key || !fr_fj_plain(node, c->arena, &value) || c->options.list.n == FR_FIO_OPTIONS_MAX)
        return;
    struct fr_fio_option *option = &c->pool[c->options.list.n];
    *option = (struct fr_fio_option){.name = key, .value = value, .line = line};
    fr_fio_option_add(c->arena, &c->options, option);
}

void fr_fj_options(const struct fr_fj_context *c, struct fr_test *test, const struct fr_fj_node *options)
{
    struct collected own;
    own.arena = &c->batch->arena;
    own.options = (struct fr_fio_options){.list = {NULL, NULL, 0}, .job_file = false};
    fr_fj_each(c->tree, options, collect, &own);
    fr_fio_options_apply(c->batch, c->run, test, &own.options, NULL, FR_FROM_FORMAT);
}
