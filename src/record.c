/* record.c: see record.h. */
#include "record.h"

#include <math.h>
#include <stdio.h>

#include "banned.h"

enum {
    CHECKPOINT = 1 << 20,  /* bytes added, or walked through, between two coolings of the arena */
    CHECKPOINT_TESTS = 64, /* tests walked through at least between two */
    PASSES = 1 << 11,      /* heads walked through between two coolings of theirs */
    HEADS = 1 << 20,       /* bytes of runs, tests, params that stay in memory */
    AT_ONCE = 4            /* values for which room is made */
};

void fr_batch_init(struct fr_batch *batch, const char *source)
{
    memset(batch, 0, sizeof *batch);
    batch->arena = (struct fr_arena)FR_ARENA_INIT;
    batch->heads = (struct fr_arena)FR_ARENA_INIT;
    batch->source = fr_arena_strdup(&batch->arena, source);
}

void fr_batch_release(struct fr_batch *batch)
{
    fr_arena_release(&batch->arena);
    fr_arena_release(&batch->heads);
    batch->source = NULL;
    memset(&batch->runs, 0, sizeof batch->runs);
}

size_t fr_batch_bytes(const struct fr_batch *batch)
{
    return batch->arena.used + batch->heads.used;
}

void fr_batch_checkpoint(struct fr_batch *batch)
{
    size_t tests = CHECKPOINT / (batch->arena.used / (batch->tests + 1) + 1); /* that hold as much on average */
    bool many = ++batch->checkpoints >= (tests > CHECKPOINT_TESTS ? tests : CHECKPOINT_TESTS);
    if (batch->arena.uncooled > CHECKPOINT || many) {
        fr_arena_cool(&batch->arena);
        if (batch->heads.used > HEADS + batch->document)
            fr_arena_cool(&batch->heads);
        batch->checkpoints = 0;
    }
}

void fr_batch_pass_head(struct fr_batch *batch)
{
    if (batch->heads.fd >= 0 && ++batch->passes % PASSES == 0)
        fr_arena_cool(&batch->heads);
}

struct fr_run *fr_run_new(struct fr_batch *batch, const char *parser, const char *tool, uint32_t line)
{
    struct fr_run *run = fr_arena_new(&batch->heads, struct fr_run);
    run->parser = parser;
    run->tool = tool;
    run->line = run->line_end = line;
    fr_list_add(&batch->runs, run);
    return run;
}

struct fr_test *fr_test_new(struct fr_batch *batch, struct fr_run *run, struct fr_str name, uint32_t line)
{
    struct fr_test *test = fr_arena_new(&batch->heads, struct fr_test);
    name = fr_str_trim(name);
    char *copy = fr_arena_copy(&batch->heads, name.s, name.n);
    for (size_t i = 0; i < name.n; i++)
        if ((unsigned char)copy[i] < 32)
            copy[i] = ' ';
    test->name = copy;
    test->no = run->tests.tail ? run->tests.tail->no + 1 : 1;
    test->line = line;
    fr_list_add(&run->tests, test);
    batch->tests++;
    return test;
}

/* Room for a few more values: behind the last one, if nothing else lies there. */
static struct fr_value_row *more_room(struct fr_batch *batch, struct fr_test *test)
{
    const size_t more = AT_ONCE * sizeof *test->values.rows->at;
    struct fr_value_row *row = test->values.last;
    if (!row || row->room > UINT32_MAX - AT_ONCE || !fr_arena_extend(&batch->arena, row->at + row->room, more)) {
        row = fr_arena_alloc(&batch->arena, sizeof *row + more);
        if (test->values.last)
            test->values.last->next = row;
        else
            test->values.rows = row;
        test->values.last = row;
    }
    row->room += AT_ONCE;
    return row;
}

static inline struct fr_value *value_new(struct fr_batch *batch, struct fr_test *test)
{
    struct fr_value_row *row = test->values.last;
    if (!row || row->n == row->room)
        row = more_room(batch, test);
    test->values.n++;
    return &row->at[row->n++];
}

struct fr_value *fr_value_add(struct fr_batch *batch, struct fr_test *test, enum fr_op op, enum fr_metric_id metric,
                              const char *stat, double value, uint32_t line)
{
    if (!isfinite(value))
        return NULL;
    struct fr_value *v = value_new(batch, test);
    v->value = value;
    v->stat = stat;
    v->line = line;
    v->op = (uint8_t)op;
    v->metric = (uint8_t)metric;
    v->better = FR_BETTER_DEFAULT;
    return v;
}

struct fr_value *fr_value_get(const struct fr_test *test, enum fr_op op, enum fr_metric_id metric, const char *stat)
{
    fr_value_each (v, test)
        if (v->op == op && v->metric == metric && fr_same_text(v->stat, stat))
            return v;
    return NULL;
}

const char *fr_stat_percentile(struct fr_batch *batch, double percentile)
{
    static const struct {
        double p;
        const char *name;
    } common[] = {{1, "p1"},   {5, "p5"},       {10, "p10"},     {20, "p20"},       {30, "p30"},       {40, "p40"},
                  {50, "p50"}, {60, "p60"},     {70, "p70"},     {80, "p80"},       {90, "p90"},       {95, "p95"},
                  {99, "p99"}, {99.5, "p99.5"}, {99.9, "p99.9"}, {99.95, "p99.95"}, {99.99, "p99.99"}, {100, "p100"}};
    const size_t n = sizeof common / sizeof *common;
    for (size_t i = 0, at = batch->percentile; i < n; i++, at = at + 1 < n ? at + 1 : 0)
        if (fabs(common[at].p - percentile) < 1e-9) {
            batch->percentile = at + 1 < n ? at + 1 : 0;
            return common[at].name;
        }
    char *name = fr_arena_printf(&batch->arena, "p%.8f", percentile);
    size_t length = strlen(name);
    while (name[length - 1] == '0')
        name[--length] = 0;
    if (name[length - 1] == '.')
        name[--length] = 0;
    return name;
}

const char *fr_stat_of(struct fr_batch *batch, const char *part, const char *stat)
{
    return part ? fr_arena_printf(&batch->arena, "%s:%s", part, stat) : stat;
}

void fr_param_set(struct fr_batch *batch, struct fr_run *run, struct fr_test *test, const char *key,
                  struct fr_str value, enum fr_origin origin, uint32_t line)
{
    if (!value.n)
        return;
    struct fr_param *p = test ? test->params.head : run->params.head;
    while (p && strcmp(p->key, key) != 0)
        p = p->next;
    if (p && p->origin >= origin)
        return;
    if (!p) {
        p = fr_arena_new(&batch->heads, struct fr_param);
        p->key = fr_arena_strdup(&batch->heads, key);
        if (test)
            fr_list_add(&test->params, p);
        else
            fr_list_add(&run->params, p);
    }
    p->value = fr_arena_copy(&batch->heads, value.s, value.n);
    p->origin = origin;
    p->line = line;
}

void fr_target_set(const struct fr_target *target, const char *key, struct fr_str value)
{
    fr_param_set(target->batch, target->run, target->test, key, value, target->origin, target->line);
}

const char *fr_param_get(const struct fr_run *run, const struct fr_test *test, const char *key)
{
    if (test)
        fr_list_each (struct fr_param, p, test->params)
            if (strcmp(p->key, key) == 0)
                return p->value;
    if (run)
        fr_list_each (struct fr_param, p, run->params)
            if (strcmp(p->key, key) == 0)
                return p->value;
    return NULL;
}

void fr_note_add(struct fr_batch *batch, struct fr_run *run, const char *key, struct fr_str value, uint32_t line)
{
    struct fr_param *p = fr_arena_new(&batch->arena, struct fr_param);
    p->key = fr_arena_strdup(&batch->arena, key);
    p->value = fr_arena_copy(&batch->arena, value.s, value.n);
    p->origin = FR_FROM_SURROUND;
    p->line = line;
    fr_list_add(&run->notes, p);
}

void fr_disk_add(struct fr_batch *batch, struct fr_run *run, struct fr_str disk, const char *key, double value,
                 uint32_t line)
{
    if (!isfinite(value))
        return;
    const struct fr_disk *last = run->disks.tail;
    struct fr_disk *d = fr_arena_new(&batch->arena, struct fr_disk);
    bool same = last && fr_str_is(disk, last->disk);
    d->disk = same ? last->disk : fr_arena_copy(&batch->arena, disk.s, disk.n);
    d->key = key;
    d->value = value;
    d->line = line;
    fr_list_add(&run->disks, d);
}

struct fr_hist *fr_hist_new(struct fr_batch *batch, struct fr_test *test, enum fr_op op, enum fr_metric_id metric,
                            size_t n, uint32_t line)
{
    struct fr_hist *h = fr_arena_new(&batch->arena, struct fr_hist);
    h->bins = fr_arena_alloc(&batch->arena, n * sizeof *h->bins);
    h->n = n;
    h->op = (uint8_t)op;
    h->metric = (uint8_t)metric;
    h->line = line;
    fr_list_add(&test->hists, h);
    return h;
}
