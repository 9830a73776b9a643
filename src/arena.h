/*
 * arena.h: memory that is freed all at once.
 *
 * Everything that a batch of records holds lives in one arena: allocate as you read, release once. Pointers stay
 * valid until then.
 *
 * A big input must not mean a big process. Once FR_ARENA_CORE bytes are in use, fr_arena_cool() writes what further
 * blocks hold to an unlinked temporary file (in $TMPDIR, else /var/tmp, else /tmp) and hands their pages back to the
 * kernel: the data stays where it is and comes back when it is touched. So a batch of any size may be walked with a
 * flat resident size: touch, use, cool.
 */
#ifndef FR_ARENA_H
#define FR_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#define FR_ARENA_CORE  ((size_t)1 << 20) /* bytes that stay in memory */
#define FR_ARENA_BLOCK ((size_t)2 << 20) /* bytes of the first blocks beyond; later ones grow */

struct fr_arena_block;

struct fr_arena {
    struct fr_arena_block *blocks; /* newest first */
    size_t used;                   /* bytes handed out */
    size_t uncooled;               /* bytes handed out since the last fr_arena_cool() */
    long long file_size;           /* bytes in the temporary file */
    int fd;                        /* -1: none was needed yet */
    char *spare;                   /* pages for the next block, or NULL */
    size_t spare_size;
};

#define FR_ARENA_INIT                                                                                                  \
    {                                                                                                                  \
        .blocks = NULL, .used = 0, .uncooled = 0, .file_size = 0, .fd = -1, .spare = NULL, .spare_size = 0             \
    }

/*
 * n bytes, zeroed and aligned for pointers, doubles and 64-bit integers; n = 0 gives a valid pointer. Never NULL: when
 * memory is exhausted the process ends with a message and status 4 (the only place that may end it).
 */
void *fr_arena_alloc(struct fr_arena *arena, size_t n);

/* The n bytes right behind the last allocation, which ends at `end`, zeroed; false when something else lies there. */
bool fr_arena_extend(struct fr_arena *arena, const void *end, size_t n);

/* A NUL-terminated copy of n bytes, or of a C string (NULL gives NULL). */
char *fr_arena_copy(struct fr_arena *arena, const char *s, size_t n);
char *fr_arena_strdup(struct fr_arena *arena, const char *s);

/* printf into the arena. */
char *fr_arena_printf(struct fr_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Give pages back to the kernel; contents and pointers stay valid. Cheap when there are none. */
void fr_arena_cool(struct fr_arena *arena);

/* Free everything; the arena is as after FR_ARENA_INIT. */
void fr_arena_release(struct fr_arena *arena);

/*
 * A growing array of plain memory: `items` with room for one more than n. *alloc: how many it has room for, at first 0
 * (then items is NULL). Yours to free. Never NULL, as fr_arena_alloc.
 */
void *fr_grow(void *items, size_t n, size_t *alloc, size_t size);

/* realloc() that never fails, as fr_arena_alloc: for what grows. */
void *fr_resize(void *p, size_t n);

#define fr_arena_new(arena, type) ((type *)fr_arena_alloc((arena), sizeof(type)))

#endif
