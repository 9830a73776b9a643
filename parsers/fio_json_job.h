/*
 * fio_json_job.h: from one element of `jobs` or `client_stats` to a test, from an object of options to params.
 *
 * What the keys mean changed over the versions; it is told by the keys themselves, not by the version, since people
 * re-serialise, cut and merge these files:
 *
 *   bandwidth   `bw_bytes` (3.2 on) in B/s; else io_bytes / runtime where it agrees with `bw`, which is KiB/s always
 *   io_bytes    bytes where `io_kbytes` stands beside it (2.21 on) or latencies are in ns, else KiB
 *               of a few keys alone the rate and the run time tell, or the version
 *   latencies   `clat_ns` (2.99 on) in nsec, `clat` in usec
 *   iops        whole numbers up to 2.2.5: refined from total_ios / runtime where that is the same whole number
 *   bins        keys are the middle of fio's bins (2.99 on: nsec), or their numbers (before: usec)
 */
#ifndef FR_FIO_JSON_JOB_H
#define FR_FIO_JSON_JOB_H

#include "fio_json_tree.h"
#include "log.h"
#include "record.h"

struct fr_fj_context {
    struct fr_batch *batch;
    struct fr_run *run;
    struct fr_log *log;
    const struct fr_fj_tree *tree;
    const char *version; /* fio's, `3.33`; empty: not known (yet) */
};

/* Does this element come from fio (a job name, or a direction with I/O counts)? */
bool fr_fj_is_job(const struct fr_fj_tree *tree, const struct fr_fj_node *job);
/* Its name is `All clients`: the sum over the others of client_stats, no test. */
bool fr_fj_is_sum(const struct fr_fj_tree *tree, const struct fr_fj_node *job);
/* One without a name or I/O, of group -1: fio reckoned with one report more than it made (group_reporting in some of
 * the jobs alone), and printed that too. */
bool fr_fj_is_surplus(const struct fr_fj_tree *tree, const struct fr_fj_node *job);
/* Add the test. */
void fr_fj_job(const struct fr_fj_context *c, const struct fr_fj_node *job, uint32_t line);
/* What the job says beside its directions: depths, latency target, steady state, errors (fio_json_state.c). */
void fr_fj_state(const struct fr_fj_context *c, struct fr_test *test, const struct fr_fj_node *job);
/* Options as params, of the test or of the run (test NULL), in fio's names and canonical spelling. */
void fr_fj_options(const struct fr_fj_context *c, struct fr_test *test, const struct fr_fj_node *options);

#endif
