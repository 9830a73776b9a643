/* nearest.c: what was probably meant: see fr_nearest in fioreport.h. */
#include "fioreport.h"

#include "banned.h"

enum { WORD_MAX = 64 }; /* longer words are not compared */

/* Optimal string alignment distance: insertions, deletions, changes, swaps of neighbours. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][WORD_MAX + 1], n = strlen(a), m = strlen(b);
    if (n > WORD_MAX || m > WORD_MAX)
        return WORD_MAX;
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++)
        above[j] = j;
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
        }
        size_t *oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return above[m];
}

const char *fr_nearest(const char *word, const char *(*list)(const void *ctx, size_t i), const void *ctx)
{
    const char *best = NULL, *candidate;
    size_t n = strlen(word), best_distance = n < 3 ? 1 : n / 3;
    for (size_t i = 0; (candidate = list(ctx, i)) != NULL; i++) {
        size_t d = distance(word, candidate);
        if (n >= 3 && strncmp(word, candidate, n) == 0)
            d = 0;
        if (d < best_distance || (d == best_distance && !best)) {
            best = candidate;
            best_distance = d;
        }
    }
    return best;
}
