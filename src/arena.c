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

#ifndef MREMAP_DONTUNMAP /* since Linux 5.7; an older one refuses it */
#define MREMAP_DONTUNMAP 4
#endif

enum { CORE_BLOCK = 64 << 10, CORE_FIRST = 4 << 10, ALIGN = 8, GROWTH = 256, PIECE = 64 << 10 };

/* HEAP: of malloc(); PAGES: of the kernel, not yet in the file; SPILLED: the file's, in the same place. */
enum place { HEAP, PAGES, SPILLED };

struct fr_arena_block {
    struct fr_arena_block *next;
    char *data;
    size_t size, used;
    enum place place;
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

/* Fresh pages, large ones if the kernel has them: then a block costs one fault, not one for each 4 KiB. */
static char *pages(size_t size)
{
    size_t slack = FR_ARENA_BLOCK;
    if (size > SIZE_MAX - slack)
        return NULL;
    char *p = mmap(NULL, size + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    size_t before = (slack - (uintptr_t)p % slack) % slack; /* to the next whole block */
    if (before)
        munmap(p, before);
    if (slack > before)
        munmap(p + before + size, slack - before);
    madvise(p + before, size, MADV_HUGEPAGE);
    return p + before;
}

/* Pages for a block: those of the block that was spilled last, if they fit. Zeroed. */
static char *block_pages(struct fr_arena *arena, size_t size)
{
    char *p = arena->spare;
    if (p && arena->spare_size == size) {
        arena->spare = NULL;
        return memset(p, 0, size);
    }
    p = pages(size);
    for (size_t i = 0; p && i < size; i += FR_ARENA_BLOCK)
        p[i] = 0; /* a large page that is read first is made twice */
    return p;
}

/* The block's pages, which are in the cache and need not be cleared by the kernel, for the next one. */
static void keep_spare(struct fr_arena *arena, const struct fr_arena_block *b)
{
    if (arena->spare)
        munmap(arena->spare, arena->spare_size);
    arena->spare = pages(b->size);
    arena->spare_size = b->size;
    if (arena->spare && mremap(b->data, b->size, b->size, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP,
                               arena->spare) == MAP_FAILED) {
        munmap(arena->spare, arena->spare_size);
        arena->spare = NULL;
    }
}

/* In pieces: the kernel keeps what is written at once as one large page, and a touch would bring all of it back. */
static bool write_all(int fd, const char *data, size_t n, off_t at)
{
    while (n) {
        ssize_t written = pwrite(fd, data, n < PIECE ? n : PIECE, at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        data += written;
        at += written;
        n -= (size_t)written;
    }
    return true;
}

/*
 * The block's pages become those of the file. They are written, not filled in place: a fault on a page of a file costs
 * many times one on plain memory, and a full disk is an error of pwrite(), where a touched hole would be a SIGBUS.
 * False when there is no file to be had or it is full: plain memory does as well.
 */
static bool spill(struct fr_arena *arena, struct fr_arena_block *b)
{
    if (arena->fd < 0 && (arena->fd = spill_file()) < 0)
        return false;
    if (!write_all(arena->fd, b->data, b->size, arena->file_size))
        return false;
    keep_spare(arena, b);
    if (mmap(b->data, b->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, arena->fd, arena->file_size) ==
        MAP_FAILED)
        die("out of memory");
    arena->file_size += (long long)b->size;
    b->place = SPILLED;
    return true;
}

static struct fr_arena_block *block_new(struct fr_arena *arena, size_t need)
{
    bool big = arena->used + need > FR_ARENA_CORE;
    /* Thousands of small batches wait at a time: begin small. */
    size_t unit = arena->used < CORE_BLOCK ? CORE_FIRST : CORE_BLOCK;
    if (big) /* few blocks, however large it grows: each costs a call whenever the arena is cooled */
        unit = FR_ARENA_BLOCK + arena->used / GROWTH / FR_ARENA_BLOCK * FR_ARENA_BLOCK;
    if (need > SIZE_MAX - unit)
        die("out of memory: a record is larger than any address space");
    size_t size = (need + unit - 1) / unit * unit;
    struct fr_arena_block *b = calloc(1, sizeof *b);
    if (!b)
        die("out of memory");
    b->size = size;
    b->place = big ? PAGES : HEAP;
    b->data = big ? block_pages(arena, size) : calloc(1, size);
    if (!b->data)
        die("out of memory");
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

bool fr_arena_extend(struct fr_arena *arena, const void *end, size_t n)
{
    struct fr_arena_block *b = arena->blocks;
    n = (n + ALIGN - 1) / ALIGN * ALIGN;
    if (!b || b->data + b->used != end || b->size - b->used < n)
        return false;
    b->used += n;
    arena->used += n;
    arena->uncooled += n;
    return true;
}

char *fr_arena_copy(struct fr_arena *arena, const char *s, size_t n)
{
    char *p = fr_arena_alloc(arena, n + 1);
    if (n)
        memcpy(p, s, n);
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
    bool room = true, filling = false;
    arena->uncooled = 0;
    for (struct fr_arena_block *b = arena->blocks; b; b = b->next)
        if (b->place == SPILLED)
            madvise(b->data, b->size, MADV_DONTNEED);
        else if (b->place == PAGES && b != arena->blocks && room) /* the newest is being filled */
            filling = room = spill(arena, b);
    if (!filling) { /* the records are complete: they are walked from now on */
        if (arena->spare)
            munmap(arena->spare, arena->spare_size);
        arena->spare = NULL;
    }
}

void fr_arena_release(struct fr_arena *arena)
{
    for (struct fr_arena_block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        if (b->place == HEAP)
            free(b->data);
        else
            munmap(b->data, b->size);
        free(b);
    }
    if (arena->spare)
        munmap(arena->spare, arena->spare_size);
    if (arena->fd >= 0)
        close(arena->fd);
    *arena = (struct fr_arena)FR_ARENA_INIT;
}

/* All of it is about to be used: a large piece comes in pages of 2 MiB, if the kernel has them, for one fault each
 * instead of 512. */
static void large_pages(void *p, size_t n)
{
    size_t before = (FR_ARENA_BLOCK - (uintptr_t)p % FR_ARENA_BLOCK) % FR_ARENA_BLOCK;
    if (n >= 2 * FR_ARENA_BLOCK)
        madvise((char *)p + before, (n - before) / FR_ARENA_BLOCK * FR_ARENA_BLOCK, MADV_HUGEPAGE);
}

void *fr_resize(void *p, size_t n)
{
    p = realloc(p, n);
    if (!p)
        die("out of memory");
    large_pages(p, n);
    return p;
}

void *fr_grow(void *items, size_t n, size_t *alloc, size_t size)
{
    if (n < *alloc)
        return items;
    *alloc = *alloc ? *alloc * 2 : 16;
    if (*alloc > SIZE_MAX / size)
        die("out of memory");
    return fr_resize(items, *alloc * size);
}
