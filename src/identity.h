/*
 * identity.h: what is one run. One invocation of a tool may stand in a source several times: byte-equal copies,
 * snapshots of --status-interval, text and terse and JSON of the same run. The rules (docs/schema.md, "What is a run"):
 *
 * - byte-equal documents in one source are one run;
 * - snapshots of one run (same jobs, same start, no counter falls): the last is the result, the steps become a series;
 * - several formats of one run: JSON wins, terse and text fill what it lacks; a disagreement beyond rounding is
 * reported.
 */
#ifndef FR_IDENTITY_H
#define FR_IDENTITY_H

#include "log.h"
#include "record.h"

/* Sort the batch's runs by position and join what is one. */
void fr_identity_join(struct fr_batch *batch, struct fr_log *log);

#endif
