/*
 * label.h: a run's label and dimensions. docs/schema.md, "Labels": the first that applies wins: --label;
 * --name-pattern; what the format itself names; a heading right before the run; the source's stem without its noise
 * words; the parent folder; the job name. A label never depends on which other files are ingested beside it.
 */
#ifndef FR_LABEL_H
#define FR_LABEL_H

#include "doc.h"
#include "record.h"
#include "strbuf.h"

struct fr_label_rules {
    const char *label;        /* --label or NULL */
    const char *name_pattern; /* --name-pattern or NULL */
    const char *const *tags;  /* key=value */
    size_t tags_n;
};

/* -1 with a message when a rule is malformed. Ask before any ingest. */
int fr_label_check(const struct fr_label_rules *rules, struct fr_log *log);

/* Set label and dimensions of every run of the batch. `doc` may be NULL (a stream): no headings then. */
void fr_label_apply(struct fr_batch *batch, const struct fr_doc *doc, const struct fr_label_rules *rules,
                    struct fr_log *log);

/* The stem of a path without noise words (`output.zfs-nc.fio.txt` -> `zfs-nc`) into out; empty when nothing is left. */
void fr_label_stem(const char *path, struct fr_strbuf *out);

#endif
