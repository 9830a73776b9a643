/*
 * words.h: what a name says of a workload: `4k rand-write`, `SEQ1M Q8T1`, `Random Read 4 KiB`, as people call tests,
 * rows and columns.
 */
#ifndef FR_WORDS_H
#define FR_WORDS_H

#include "record.h"

/* What a name or a command says of the workload. */
struct fr_words {
    enum fr_op op;
    bool random, sequential;
    bool part; /* `randrw, read`: op is the one direction of a mixed job */
    double bs; /* bytes; 0: not said */
    unsigned iodepth, numjobs;
    const char *stat; /* `max`, `p99`; NULL: not said */
    bool latency;     /* names a latency: */
    bool clat, slat;  /* of fio's parts of it, that one */
    bool workload;    /* all words are of workloads, metrics and units: this is no label */
    bool metric;      /* all words are of metrics and units: `IOPS`, `latency` */
};

/* Read a name: `4k rand-write`, `SEQ1M Q8T1`, `Random Read 4 KiB`, `write IOPS`. */
void fr_words_read(struct fr_str name, struct fr_words *out);
/* `write IOPS` -> `write`: without the metric and unit words at its end; empty when it has no others. */
struct fr_str fr_words_base(struct fr_str name);
/* Fill what `into` lacks from `from`. */
void fr_words_add(struct fr_words *into, const struct fr_words *from);
/* Whether it is a latency, and which, alone. */
void fr_words_add_latency(struct fr_words *into, const struct fr_words *from);
/* The rw that it says, or NULL: a plain `write` may be random or not. */
const char *fr_words_rw(const struct fr_words *words);
/* rw, bs, iodepth, numjobs as params. */
void fr_words_apply(const struct fr_words *words, const struct fr_target *target);

#endif
