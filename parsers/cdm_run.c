/* cdm_run.c: what can be told of a CrystalDiskMark run once it is complete. */
#include "cdm.h"

#include <math.h>

#include "banned.h"

/* `read,write`: the directions that were measured, in fio's words. */
static void set_rw(struct fr_batch *batch, const struct fr_cdm_column *c, size_t i)
{
    static const struct {
        enum fr_op op;
        const char *sequential, *random;
    } words[] = {{FR_OP_READ, "read", "randread"}, {FR_OP_WRITE, "write", "randwrite"}, {FR_OP_MIXED, "rw", "randrw"}};
    struct fr_strbuf text = FR_STRBUF_INIT;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (c->ops[i] & 1u << words[k].op)
            fr_strbuf_addf(&text, "%s%s", text.len ? "," : "", c->random[i] ? words[k].random : words[k].sequential);
    fr_param_set(batch, c->run, c->tests[i], "rw", fr_strn(fr_strbuf_str(&text), text.len), FR_FROM_FORMAT,
                 c->tests[i]->line);
    fr_strbuf_release(&text);
}

/* KDiskMark 1.4.1 printed the figures of its third test in the row of the fourth too. */
static void check_twins(const struct fr_cdm_column *c, enum fr_op op, const char *source, struct fr_log *log)
{
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = i + 1; k < c->n; k++) {
            const struct fr_value *a = fr_value_get(c->tests[i], op, FR_M_IOPS, "mean");
            const struct fr_value *b = fr_value_get(c->tests[k], op, FR_M_IOPS, "mean");
            const struct fr_value *p = fr_value_get(c->tests[i], op, FR_M_LAT, "mean");
            const struct fr_value *q = fr_value_get(c->tests[k], op, FR_M_LAT, "mean");
            if (a && b && p && q && fabs(a->value - b->value) <= 0 && fabs(p->value - q->value) <= 0 &&
                strcmp(c->tests[i]->name, c->tests[k]->name) != 0)
                fr_log_warn(log, source, b->line,
                            "'%s' has the very figures of '%s' (KDiskMark 1.4.1 printed one in place of the other), "
                            "both are kept",
                            c->tests[k]->name, c->tests[i]->name);
        }
}

/*
 * The same tests in the same order twice in one section: the line [Write] between them was lost in copying. Who has set
 * tests twice has them twice in the other sections too, and without a gap. Where they begin anew; 0: nowhere.
 */
static size_t find_lost(const struct fr_cdm_column *c, enum fr_op *op)
{
    size_t first = 1;
    while (first < c->n && strcmp(c->tests[first]->name, c->tests[0]->name) != 0)
        first++;
    size_t n = c->n - first, least = first > 2 ? 2 : first;
    if (first >= c->n || n < least || (first == 1 && c->tests[1]->line == c->tests[0]->line + 1))
        return 0;
    for (size_t i = first; i < c->n; i++)
        if (strcmp(c->tests[i]->name, c->tests[i - first]->name) != 0 || c->ops[i] != c->ops[first])
            return 0;
    for (*op = FR_OP_READ; *op < FR_OP_COUNT; (*op)++)
        if (c->ops[first] == 1u << *op)
            return first;
    return 0;
}

static void settle_lost(struct fr_cdm_column *c, const char *source, struct fr_log *log)
{
    enum fr_op op;
    size_t first = find_lost(c, &op);
    if (!first)
        return;
    fr_log_warn(
        log, source, c->tests[first]->line,
        "the same rows again under one heading: the line [%s] above them must have been lost, their values have "
        "no direction",
        op == FR_OP_READ ? "Write" : "Mix");
    for (size_t i = first; i < c->n; i++) {
        fr_value_each (v, c->tests[i])
            v->op = FR_OP_NONE;
        c->ops[i] = 1u << FR_OP_NONE;
    }
}

void fr_cdm_column_end(struct fr_batch *batch, struct fr_cdm_column *column, const char *source, struct fr_log *log)
{
    settle_lost(column, source, log);
    for (size_t i = 0; i < column->n; i++)
        set_rw(batch, column, i);
    check_twins(column, FR_OP_READ, source, log);
    check_twins(column, FR_OP_WRITE, source, log);
}
