/*
 * ingest_notes.h: what an ingest says of many places or many files at once, instead of the same of each. Inside the
 * library.
 */
#ifndef FR_INGEST_NOTES_H
#define FR_INGEST_NOTES_H

#include "log.h"
#include "record.h"

enum {
    FR_NOTES_KINDS = 16,  /* that are counted, of a source and of the whole ingest; others are all said */
    FR_NOTES_PLACES = 5,  /* notes of one kind on lines of one source; then only how many more there are */
    FR_NOTES_FILES = 20,  /* notes of one kind on files as such */
    FR_NOTES_NAMES = 4096 /* file names that are looked at for labels that several files share */
};

/* Notes of one kind, and the last that was held back. */
struct fr_notes_kind {
    const char *kind;
    size_t n;
    char *file, *text;
    unsigned line;
};

/* Files of one name with one label; or of names that differ in their last number alone: it is `#` in `name` then. */
struct fr_notes_name {
    const char *name, *label, *first; /* first: the path of the first */
    size_t n;
    bool numbered;
    double low, high; /* the least and the greatest number */
};

struct fr_notes {
    struct fr_log *out;
    bool all_places, all_files; /* none is held back */
    struct fr_notes_kind place[FR_NOTES_KINDS], file[FR_NOTES_KINDS];
    struct fr_notes_name *names; /* open addressing */
    size_t names_n;
    struct fr_arena arena; /* their texts */
};

void fr_notes_init(struct fr_notes *notes, struct fr_log *out);
/* Hand a message on to `out`, or hold it back: one more note of its kind. */
void fr_notes_say(struct fr_notes *notes, const struct fr_message *message);
/* A source was read: say how many more notes there were on its lines. */
void fr_notes_source(struct fr_notes *notes);
/* A source went in whose label the user did not choose. */
void fr_notes_label(struct fr_notes *notes, const struct fr_batch *batch);
/* The end: what is still to be said, and free everything. */
void fr_notes_end(struct fr_notes *notes);

#endif
