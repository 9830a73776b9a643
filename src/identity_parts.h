/*
 * identity_parts.h: the steps of identity.c, each in a file of its own. Nobody else includes it.
 */
#ifndef FR_IDENTITY_PARTS_H
#define FR_IDENTITY_PARTS_H

#include "identity.h"

/*
 * Are these snapshots of one invocation, a before b? Both of one form: the same jobs in the same order, each with the
 * same name, group, options and start, no counter falls from a to b and no error goes away. Where nothing grew, nothing
 * may differ either. b may be cut short and have fewer jobs; a text may lack jobs that had not begun. What fio prints
 * when it begins does not stand before b.
 */
bool fr_identity_is_snapshot(const struct fr_run *a, const struct fr_run *b);

/* The job that `test` of the last snapshot was in an earlier one; NULL: it is not in it. */
const struct fr_test *fr_identity_before(const struct fr_run *earlier, const struct fr_run *last,
                                         const struct fr_test *test);

/*
 * The snapshots steps[0..n) become the series of the last one: for each test and op the rates of each interval, made
 * from its growing counters.
 */
void fr_identity_add_steps(struct fr_batch *batch, struct fr_run *const *steps, size_t n);

/* Is it of several servers (fio's client mode)? */
bool fr_identity_has_hosts(const struct fr_run *run);

/* Do these two, of different forms, show the same invocation? `strong` is of the stronger form. */
bool fr_identity_is_same(const struct fr_run *strong, const struct fr_run *weak);

/* Take over from `weak` what `strong` lacks, and report where they disagree beyond the rounding of what is printed. */
void fr_identity_fill(struct fr_batch *batch, struct fr_run *strong, const struct fr_run *weak, struct fr_log *log);

#endif
