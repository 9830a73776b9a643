/* test_scan: looking through text many bytes at a time finds what looking at each byte does. */
#include "check.h"
#include "scan.h"

#include "banned.h"

enum { TEXT_MAX = 70, WHAT_MAX = 6, ROUNDS = 40000 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static size_t find_slowly(struct fr_str a, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i + n <= a.n; i++)
        if (memcmp(a.s + i, what, n) == 0)
            return i;
    return (size_t)-1;
}

/* Of two letters there is a match at every place, and many that begin like one. */
int main(void)
{
    uint64_t seed = 1;
    bool found = true, counted = true;
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = next_random(&seed) % TEXT_MAX, k = 1 + next_random(&seed) % WHAT_MAX, count = 0;
        char *text = malloc(n + 1), what[WHAT_MAX + 1] = "";
        for (size_t i = 0; i < n; i++)
            count += (text[i] = (char)('a' + (next_random(&seed) % 4 == 0))) == 'b';
        for (size_t i = 0; i < k; i++)
            what[i] = (char)('a' + (next_random(&seed) % 3 == 0));
        struct fr_str view = fr_strn(text, n);
        found = found && fr_str_find(view, what) == find_slowly(view, what);
        counted = counted && fr_str_count(view, 'b') == count;
        free(text);
    }
    check(found, "scan find", "another place than that of the first occurrence");
    check(counted, "scan count", "another number than there are");
    return check_failed;
}
