/*
 * ingest_paths.h: the files that arguments stand for, in an order that does not depend on the file system. Inside the
 * library.
 */
#ifndef FR_INGEST_PATHS_H
#define FR_INGEST_PATHS_H

#include "log.h"

struct fr_paths {
    char **path;
    size_t n, alloc;
};

#define FR_PATHS_INIT                                                                                                  \
    {                                                                                                                  \
        .path = NULL, .n = 0, .alloc = 0                                                                               \
    }

#define FR_PATHS_DEPTH 64 /* folders within folders */

/*
 * Add a path; with `recursive` a folder stands for the files in it and below, sorted by name: those whose names begin
 * with a dot, links to folders, and what is no file are left out and explained. -1 with a message when something could
 * not be listed; what could is added.
 */
int fr_paths_add(struct fr_paths *paths, const char *path, bool recursive, struct fr_log *log);
/*
 * A folder of the Phoronix Test Suite holds its result whole (composite.xml) and in parts (test-1.xml ...): where the
 * whole is among the paths, the parts beside it are moved to `parts`, to be read if it cannot be. Ask when all paths
 * are added.
 */
void fr_paths_part(struct fr_paths *paths, struct fr_paths *parts, struct fr_log *log);
void fr_paths_release(struct fr_paths *paths);

/*
 * Phoronix keeps each result twice: in test-N.xml and, all together, in composite.xml of the same folder. Is this path
 * one of the parts, or the whole? Do both lie in one folder?
 */
bool fr_paths_is_part(const char *path);
bool fr_paths_is_whole(const char *path);
bool fr_paths_same_folder(const char *a, const char *b);
/* The whole that stands in the folder of this part; NULL: none. Lent. */
const char *fr_paths_whole_of(const struct fr_paths *wholes, const char *part);

#endif
