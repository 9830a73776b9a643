/*
 * surround.h: what people print around a run to say what it ran on: uname -a, lsblk, zpool status, mounts, CPU and
 * memory. Kept as notes of the run, word for word.
 */
#ifndef FR_SURROUND_H
#define FR_SURROUND_H

#include "doc.h"
#include "record.h"

/*
 * Add notes to the batch's runs from the lines that no parser claimed. A note goes to the runs below it, up to the next
 * note of its kind; one that stands below all runs goes to all of them.
 */
void fr_surround_notes(struct fr_batch *batch, struct fr_doc *doc);

#endif
