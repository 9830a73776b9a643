/* identity.c: see identity.h. */
#include "identity.h"

#include "banned.h"

static bool before(const struct fr_run *a, const struct fr_run *b)
{
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/* Insertion into a list that is nearly sorted: parsers find their runs in order. */
static void sort(struct fr_batch *batch)
{
    struct fr_run *rest = batch->runs.head, *next;
    batch->runs.head = batch->runs.tail = NULL;
    batch->runs.n = 0;
    for (; rest; rest = next) {
        next = rest->next;
        rest->next = NULL;
        if (!batch->runs.tail || !before(rest, batch->runs.tail)) {
            fr_list_add(&batch->runs, rest);
            continue;
        }
        struct fr_run **at = &batch->runs.head;
        while (!before(rest, *at))
            at = &(*at)->next;
        rest->next = *at;
        *at = rest;
        batch->runs.n++;
    }
}

void fr_identity_join(struct fr_batch *batch, struct fr_log *log)
{
    (void)log;
    sort(batch);
}
