/* arena.c: see arena.h. */
#include "arena.h"
#include "banned.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CORE_BLOCK = 64 << 10, CORE_FIRST = 8 << 10, ALIGN = 16 };

struct fr_arena_block {
    struct fr_arena_block *next;
    char *data;
    size_t size, used;
    off_t at; /* in the temporary file */
    int mapped;
};

static void die(const char *what)
{
    fprintf(stderr, "fioreport: error: %s\n", what);
    exit(4);
}

/* An unlinked file of our own; -1 when no folder takes one. */
static int spill_file(void)
{
    const char *dirs[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
    for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
        char path[4096];
        if (!dirs[i] || !*dirs[i])
            continue;
        int n = snprintf(path, sizeof path, "%s/fioreport-XXXXXX", dirs[i]);
        if (n < 0 || (size_t)n >= sizeof path)
            continue;
        int fd = mkstemp(path);
        if (fd >= 0) {
            unlink(path);
            fcntl(fd, F_SETFD, FD_CLOEXEC);
            return fd;
        }
    }
    return -1;
}

static char *spill_map(struct fr_arena *arena, size_t size)
{
    if (arena->fd < 0 && (arena->fd = spill_file()) < 0)
        return NULL;
    /* Reserved before it is mapped: writing to a hole on a full disk would be a SIGBUS. */
    if (posix_fallocate(arena->fd, arena->file_size, (off_t)size) != 0)
        return NULL;
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, arena->fd, arena->file_size);
    if (p == MAP_FAILED)
        return NULL;
    arena->file_size += (long long)size;
    return p;
}

static struct fr_arena_block *block_new(struct fr_arena *arena, size_t need)
{
    int spill = arena->used + need > FR_ARENA_CORE;
    size_t unit = CORE_BLOCK;
    if (spill) /* few blocks, however large it grows: each costs a call whenever the arena is cooled */
        unit = FR_ARENA_BLOCK + (size_t)(arena->file_size / 8) / FR_ARENA_BLOCK * FR_ARENA_BLOCK;
    if (arena->used < CORE_BLOCK) /* thousands of small batches wait at a time: begin small */
        unit = CORE_FIRST;
    if (need > SIZE_MAX - unit)
        die("out of memory: a record is larger than any address space");
    size_t size = (need + unit - 1) / unit * unit;
    struct fr_arena_block *b = calloc(1, sizeof *b);
    if (!b)
        die("out of memory");
    b->size = size;
    b->mapped = spill;
    b->at = (off_t)arena->file_size;
    b->data = spill ? spill_map(arena, size) : calloc(1, size);
    if (!b->data && spill) { /* no temporary file to be had: plain memory does as well */
        b->mapped = 0;
        b->data = calloc(1, size);
    }
    if (!b->data)
        die("out of memory, and no space for a temporary file (set TMPDIR to a folder that has some)");
    b->next = arena->blocks;
    arena->blocks = b;
    return b;
}

void *fr_arena_alloc(struct fr_arena *arena, size_t n)
{
    if (n > SIZE_MAX - ALIGN)
        die("out of memory: a record is larger than any address space");
    n = (n + ALIGN - 1) / ALIGN * ALIGN;
    struct fr_arena_block *b = arena->blocks;
    if (!b || b->size - b->used < n)
        b = block_new(arena, n ? n : ALIGN);
    void *p = b->data + b->used;
    b->used += n;
    arena->used += n;
    arena->uncooled += n;
    return p;
}

char *fr_arena_copy(struct fr_arena *arena, const char *s, size_t n)
{
    char *p = fr_arena_alloc(arena, n + 1);
    if (n)
        memcpy(p, s, n);
    return p;
}

const void *fr_arena_put_away(struct fr_arena *arena, const void *bytes, size_t n)
{
    char *p = fr_arena_alloc(arena, n);
    const struct fr_arena_block *b = arena->blocks;
    const char *from = bytes;
    off_t at = b->at + (off_t)(p - b->data);
    size_t done = 0;
    while (b->mapped && done < n) {
        ssize_t got = pwrite(arena->fd, from + done, n - done, at + (off_t)done);
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        done += got > 0 ? (size_t)got : 0;
    }
    if (done < n)
        memcpy(p + done, from + done, n - done);
    return p;
}

char *fr_arena_strdup(struct fr_arena *arena, const char *s)
{
    return s ? fr_arena_copy(arena, s, strlen(s)) : NULL;
}

char *fr_arena_printf(struct fr_arena *arena, const char *format, ...)
{
    va_list ap, again;
    va_start(ap, format);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    char *p = fr_arena_alloc(arena, n < 0 ? 1 : (size_t)n + 1);
    if (n > 0)
        vsnprintf(p, (size_t)n + 1, format, again);
    va_end(again);
    return p;
}

void fr_arena_cool(struct fr_arena *arena)
{
    arena->uncooled = 0;
    for (struct fr_arena_block *b = arena->blocks; b; b = b->next)
        if (b->mapped)
            madvise(b->data, b->size, MADV_DONTNEED);
}

void fr_arena_release(struct fr_arena *arena)
{
    for (struct fr_arena_block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        if (b->mapped)
            munmap(b->data, b->size);
        else
            free(b->data);
        free(b);
    }
    if (arena->fd >= 0)
        close(arena->fd);
    *arena = (struct fr_arena)FR_ARENA_INIT;
}
