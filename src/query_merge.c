/*
 * query_merge.c: percentiles of jobs that ran side by side: never averaged, but taken from the sum of their bins, as
 * fio does for one group. See query.h and hist.h.
 */
#include "query.h"

#include "banned.h"

struct merge {
    const struct fr_q_entry *const *list;
    size_t n, found;
    struct fr_bins *bins;
};

static int add_bins(void *ctx, const struct fr_hist_row *row)
{
    struct merge *m = ctx;
    if (!row->exact || row->op != m->list[0]->value->op)
        return 0;
    for (size_t i = 0; i < m->n; i++)
        if (m->list[i]->test->no == row->test_no) {
            fr_bins_add(m->bins, row->bins, row->n);
            m->found++;
            break;
        }
    return 0;
}

static const struct fr_bins *merged(struct fr_q *q, const struct fr_q_entry *const *list, size_t n)
{
    const struct fr_q_value *v = list[0]->value;
    for (size_t i = 0; i < FR_Q_MERGED_MAX; i++) {
        const struct fr_q_merged *m = &q->merged[i];
        if (m->first == list[0]->test && m->jobs == n && m->op == v->op && m->metric == v->metric)
            return &m->bins;
    }
    struct fr_q_merged *m = &q->merged[q->merged_next++ % FR_Q_MERGED_MAX];
    struct merge merge = {list, n, 0, &m->bins};
    fr_bins_release(&m->bins);
    *m = (struct fr_q_merged){list[0]->test, n, v->op, v->metric, FR_BINS_INIT};
    if (fr_store_hists(q->store, list[0]->test->run->id, (int)v->metric, add_bins, &merge, q->log) != 0 ||
        merge.found != n)
        fr_bins_release(&m->bins);
    return &m->bins;
}

bool fr_q_merged_percentile(struct fr_q *q, const struct fr_q_entry *const *list, size_t n, double percentile,
                            double *out)
{
    return fr_bins_percentile(merged(q, list, n), percentile, out);
}

void fr_q_merged_release(struct fr_q *q)
{
    for (size_t i = 0; i < FR_Q_MERGED_MAX; i++)
        fr_bins_release(&q->merged[i].bins);
}
