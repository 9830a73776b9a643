/*
 * fio_options.h: fio's options, wherever they stand: in its JSON, on a command line, in a job file, in the header of a
 * job. One name for aliases, one spelling for values, so that the same run says the same in every format.
 *
 * Sources: fio's options.c (names, aliases, types of values), parse.c (suffixes), and its manual, "Parameter types".
 *
 * - Sizes: 4096, 4k, 4kb, 4K are `4k`; a range `4k-64k` or `4k:64k` is `4k-64k`; those of several directions are
 *   spelled each: `100k,50k`. With fio's own kb_base=1024, k is 1024 and KiB, spelled with all three letters, is 1000;
 *   kb_base=1000 turns both round for what follows it. What is no size (50%, 3z) stays.
 * - bs: one size, or bs_read, bs_write, bs_trim where the directions in use differ. Of `4k,8k` a missing one at the end
 *   is the last given, an empty one fio's default of 4k. bsrange is bs as well, and wins over it.
 * - Times: runtime and its like in seconds, without a unit; latency_target and latency_window as `200us`.
 * - direct: also from `buffered`, its opposite. A flag without a value is 1. rw: `readwrite` is `rw`.
 */
#ifndef FR_FIO_OPTIONS_H
#define FR_FIO_OPTIONS_H

#include "record.h"

/* name and value are lent; to be zeroed but for name, value and line. */
struct fr_fio_option {
    struct fr_fio_option *next;
    const char *name; /* any of its names; fio's own once it is in a list */
    struct fr_str value;
    uint32_t line;
    bool opposite; /* was given as `buffered` */
    char *names;   /* of several file names: where they are joined, and how much fits in there */
    size_t room;
};
/* The options of one job, or those for all jobs; all zero when empty. At most FR_FIO_OPTIONS_MAX are kept. */
struct fr_fio_options {
    FR_LIST(struct fr_fio_option) list;
    bool job_file; /* of a job file, of which fio reads kb_base first; else in the order in which it read them */
};
#define FR_FIO_OPTIONS_MAX 512

/* fio's own name of an option, static: `bs` for blocksize. NULL when it is not in fio_options.def. */
const char *fr_fio_option_name(struct fr_str key);

/*
 * Add an option, which becomes part of the list. As in fio the last of several counts, except that several file names
 * are all used (joined by `:`, in the arena): then it is not needed, and false. `name` is no option and is left out.
 */
bool fr_fio_option_add(struct fr_arena *arena, struct fr_fio_options *options, struct fr_fio_option *option);

/*
 * Set options as params of the test, or of the run (test NULL): those of the job itself, then those for all jobs
 * (NULL: none) which it has not got. Of a command line or job file (FR_FROM_SURROUND) values that a shell had to fill
 * in (`$BS`) say nothing and are left out.
 */
void fr_fio_options_apply(struct fr_batch *batch, struct fr_run *run, struct fr_test *test,
                          const struct fr_fio_options *own, const struct fr_fio_options *all, enum fr_origin origin);

/* The numbers of fio's version without its name, `3.33`; false: there are none (also of NULL). */
bool fr_fio_version(const char *version, uint64_t *major, uint64_t *minor);

/*
 * Set bs from what fio prints in the header of a job: `(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B`,
 * `4K-4K/8K-8K/4K-4K`, `4KiB-4KiB,4KiB-4KiB`, with decimal commas too. `rw`: the job's.
 * False: nothing was set; one that is there stays.
 */
bool fr_fio_printed_bs(struct fr_batch *batch, struct fr_run *run, struct fr_test *test, struct fr_str rw,
                       struct fr_str printed, uint32_t line);
/* Are those the sizes, to the byte? fio prints four digits of them, or fewer (significant_figures). */
bool fr_fio_printed_bs_is_sure(struct fr_arena *arena, struct fr_str printed);

/* A size as fio reads an option, in bytes; `thousands`: kb_base=1000. False when it is none. */
bool fr_fio_size(struct fr_str text, bool thousands, double *bytes);

/* The directions that a mode of `rw` asks for (`randrw`, `trimwrite`, `write:64k`), as bits 1 << op; 0: no such mode.
 */
unsigned fr_fio_rw_ops(struct fr_str rw);

#endif
