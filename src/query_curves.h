/*
 * query_curves.h: what query_curves.c (percentiles, bins) and query_series.c (time) share: curves for tests and
 * directions, named by what tells them apart. Nothing outside query*.c includes it.
 */
#ifndef FR_QUERY_CURVES_H
#define FR_QUERY_CURVES_H

#include "query.h"

struct fr_q_curves {
    struct fr_q *q;
    struct fr_table *table;
    struct fr_q_metrics metrics;   /* that were asked for, or what such a curve usually shows */
    struct fr_q_metric metric;     /* the one at hand */
    bool labels, tests, ops, runs; /* what the names of curves need */
    struct fr_q_dims dims;         /* and these, without which tests of one label and name would be one curve */
    unsigned wanted_ops;           /* that --where leaves, a bit each */
    size_t test;                   /* where the walk over tests stands */
    const struct fr_q_test *first; /* of the tests with something to draw */
    int first_op;                  /* of those of metrics that name no direction; -1: none yet */
};

/* "zfs randread 4k read": shared with all curves of that name. */
const char *fr_q_curve_name(struct fr_q_curves *c, const struct fr_q_test *test, enum fr_op op);
/* Look at a test that has something to draw: which parts of a name tell it from the first one? */
void fr_q_curve_note(struct fr_q_curves *c, const struct fr_q_test *test, enum fr_op op);
/*
 * The test that a row of the store belongs to, if it is used and of the op asked for; else NULL. A walk is in the order
 * of the store and begins with c->test = 0.
 */
const struct fr_q_test *fr_q_curve_test(struct fr_q_curves *c, long long run_id, int test_no, enum fr_op op);
void fr_q_curve_column(struct fr_table *table, const char *name, enum fr_column_role role, enum fr_dim dim);
/* Mark a figure of a test that failed. */
void fr_q_curve_failed(struct fr_q_curves *c, struct fr_row *row, size_t column, const struct fr_q_test *test);
/* "write completion latency": the m-th metric, with its direction where there is one alone. */
const char *fr_q_curve_title(struct fr_q_curves *c, size_t m);
/* The error that no run has what such curves are made from of the metrics asked for. */
int fr_q_curve_nothing(struct fr_q_curves *c, enum fr_shape shape);

/* ---- query_series.c ---- */

/* Fill the table of series, or of their latencies by time (shape FR_SHAPE_TIME). -1 with a message. */
int fr_q_series(struct fr_q_curves *c, enum fr_shape shape);

#endif
