/* test_arena.c: what lies in an arena stays as it is, however often its pages go to a file and come back. */
#include "arena.h"
#include "check.h"

#include <stdint.h>
#include <stdlib.h>

#include "banned.h"

enum { ROWS = 3000, ROW = 400, EVERY = 700 };

static uint64_t *row[ROWS];

/* Rows that grow number by number, as a test's values do; the arena is cooled on the way. */
static size_t fill(struct fr_arena *arena)
{
    size_t dirty = 0;
    for (size_t r = 0; r < ROWS; r++) {
        size_t n = 1;
        row[r] = fr_arena_alloc(arena, sizeof **row);
        row[r][0] = r;
        while (n < ROW && fr_arena_extend(arena, row[r] + n, sizeof **row)) {
            dirty += row[r][n] != 0;
            row[r][n] = r * ROW + n;
            n++;
        }
        if (n < ROW) { /* the block's end: begin behind it */
            row[r] = fr_arena_alloc(arena, ROW * sizeof **row);
            for (n = 0; n < ROW; n++) {
                dirty += row[r][n] != 0;
                row[r][n] = n ? r * ROW + n : r;
            }
        }
        if (r % EVERY == 0)
            fr_arena_cool(arena);
    }
    return dirty;
}

static size_t differing(void)
{
    size_t wrong = 0;
    for (size_t r = 0; r < ROWS; r++)
        for (size_t n = 0; n < ROW; n++)
            wrong += row[r][n] != (n ? r * ROW + n : r);
    return wrong;
}

static void test_cooled(const char *name)
{
    struct fr_arena arena = FR_ARENA_INIT;
    CHECK(name, fill(&arena) == 0);
    CHECK("a file takes most of it", arena.file_size > (long long)sizeof(uint64_t) * ROWS * ROW / 2);
    CHECK("as it was", differing() == 0);
    fr_arena_cool(&arena);
    row[ROWS / 2][7]++; /* in a page that lies in the file */
    fr_arena_cool(&arena);
    row[ROWS / 2][7]--;
    CHECK("as it was after cooling", differing() == 0);
    CHECK("nothing can be added behind what is not the last", !fr_arena_extend(&arena, row[ROWS / 2] + ROW, 8));
    fr_arena_release(&arena);
    CHECK("released", !arena.blocks && arena.fd < 0 && !arena.spare);
}

/* One record of odd size that is larger than all that stays in memory, at the very beginning. */
static void test_big(void)
{
    enum { BIG = 3 * 1000 * 1000 + 13 };
    struct fr_arena arena = FR_ARENA_INIT;
    unsigned char *big = fr_arena_alloc(&arena, BIG);
    memset(big, 7, BIG);
    fr_arena_alloc(&arena, BIG);
    fr_arena_cool(&arena);
    CHECK("a big one goes to the file, in whole large pages",
          arena.file_size >= BIG && arena.file_size % (long long)FR_ARENA_BLOCK == 0);
    CHECK("and comes back", big[0] == 7 && big[BIG - 1] == 7 && big[BIG / 2] == 7);
    fr_arena_release(&arena);
}

int main(void)
{
    test_cooled("new memory is zeroed, also where it was used before");
    test_big();
    return check_failed;
}
