/*
 * metrics.h: what is known of each metric, from metrics.def.
 */
#ifndef FR_METRICS_H
#define FR_METRICS_H

#include "fioreport.h"
#include "scan.h"
#include "units.h"

enum fr_metric_id {
#define FR_METRIC(id, name, dim, better, title, help) FR_M_##id,
#include "metrics.def"
#undef FR_METRIC
    FR_M_COUNT
};

struct fr_metric {
    const char *name;
    enum fr_dim dim;
    enum fr_better better;
    const char *title;
    const char *help;
};

/* Never NULL for a valid id. */
const struct fr_metric *fr_metric_get(enum fr_metric_id id);
/* The metric of that name, or -1. */
int fr_metric_find(struct fr_str name);

enum fr_op { FR_OP_NONE, FR_OP_READ, FR_OP_WRITE, FR_OP_TRIM, FR_OP_MIXED, FR_OP_SYNC, FR_OP_COUNT };

/* "", "read", "write", "trim", "mixed", "sync". */
const char *fr_op_name(enum fr_op op);
/* The op of that name (fio's direction words), or -1. */
int fr_op_find(struct fr_str name);

/* The stat of a share of I/Os at a depth, as fio spells it: "0" "1" "2" "4" ... "64" ">=64"; static; NULL: none. */
const char *fr_stat_depth(struct fr_str depth);

/*
 * Take a command priority from the start of a stat or a line, as fio spells it: "high", "low" (3.18 to 3.29), class and
 * level "1/0", or with a hint "1/0/2" (3.36 on). False when there is none.
 */
bool fr_take_priority(struct fr_str *s, struct fr_str *priority);

#endif
