/* test_digits: numbers eight digits at a time, the quick reading of a log's line against the careful one, and the hash.
 */
#include "check.h"
#include "digits.h"
#include "fio_log_quick.h"
#include "input.h"

#include "banned.h"

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Every length, with digits and anything else before and behind. */
static void test_values(void)
{
    uint64_t seed = 3;
    bool same = true, ends = true;
    for (int round = 0; round < 20000; round++) {
        char text[FR_DIGITS_WINDOW + 16];
        unsigned n = 1 + (unsigned)round % FR_DIGITS_MAX;
        uint64_t value = 0, mask = 1ull << (FR_DIGITS_WINDOW - 1);
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = next_random(&seed) % 3 ? (char)('0' + next_random(&seed) % 10) : (char)next_random(&seed);
        for (unsigned i = 0; i < FR_DIGITS_WINDOW; i++)
            mask |= (uint64_t)(text[i] < '0' || text[i] > '9') << i;
        ends = ends && fr_digits_ends(text) == mask;
        for (unsigned i = 0; i < n; i++) {
            text[i] = (char)('0' + next_random(&seed) % 10);
            value = value * 10 + (uint64_t)(text[i] - '0');
        }
        same = same && fr_digits_value(text, n) == value;
    }
    check(same, "digits values", "a number is not what its digits are");
    check(ends, "digits ends", "a digit was taken for something else, or the other way round");
}

/* What the quick way takes, the careful one reads alike: whatever was done to the line. */
static void test_lines(void)
{
    static const char alphabet[] = "0123456789,, x0af\r\t-\n";
    uint64_t seed = 5;
    unsigned taken = 0, columns;
    bool same = true;
    struct log_quick quick = {.numbers = {0}};
    for (int round = 0; round < 400000; round++) {
        char text[FR_DIGITS_WINDOW + LOG_SLACK + 64];
        int64_t careful[LOG_COLUMNS_MAX];
        struct log_form form;
        columns = 3 + (unsigned)round % 5;
        memset(text, '\n', sizeof text);
        int n = snprintf(text, sizeof text, "%u, %u, %u, %u, %llu, 0x%04x, %u", (unsigned)round / 4,
                         (unsigned)next_random(&seed) >> next_random(&seed) % 31, (unsigned)next_random(&seed) % 4,
                         4096U, (unsigned long long)next_random(&seed) * 4096, (unsigned)next_random(&seed) % 0x6000,
                         (unsigned)next_random(&seed));
        for (int i = 0, commas = 0; i < n; i++) /* of that many columns */
            if (text[i] == ',' && ++commas == (int)columns)
                n = i;
        text[n] = '\n';
        if (round % 3 == 0)
            text[next_random(&seed) % (unsigned)n] = alphabet[next_random(&seed) % (sizeof alphabet - 1)];
        const char *next = log_line_quick(text, &quick, columns), *p = text;
        if (!next)
            continue;
        taken++;
        same = same && log_line(&p, careful, &form) == columns && p == next &&
               memcmp(quick.numbers, careful, columns * sizeof *careful) == 0;
    }
    /* Its fourth number ends with the window. */
    char text[FR_DIGITS_WINDOW + LOG_SLACK + 64] =
        "1111111111111111, 2222222222222222, 3333333333333333, 444444444, 5\n7\n";
    same = same && !log_line_quick(text, &quick, 5);
    check(same, "digits lines", "a line was read in another way than number by number");
    check(taken > 260000, "digits quick lines", "lines as fio writes them went the slow way");
}

/* The hash is of all bytes in their order, however they were hashed. */
static void test_hash(void)
{
    enum { N = 3 << 18 };
    char *bytes = malloc(N), whole[65], pieces[65];
    uint64_t seed = 9;

    size_t n;
    for (size_t i = 0; i < N; i++)
        bytes[i] = (char)next_random(&seed);
    struct fr_input *a = fr_input_memory("a", bytes, N), *b = fr_input_memory("b", bytes, N);
    while (fr_input_next(a, &n, NULL) && n)
        ;
    fr_input_head(b, &n, NULL);
    while (fr_input_next(b, &n, NULL) && n)
        for (uint64_t i = next_random(&seed) % 5000; i; i--)
            fr_input_digest(b, i % 7 ? FR_DIGEST : i);
    check(strcmp(fr_input_sha256(a, whole), fr_input_sha256(b, pieces)) == 0, "digits hash",
          "pieces give another hash");
    fr_input_close(a);
    fr_input_close(b);
    free(bytes);
}

int main(void)
{
    test_values();
    test_lines();
    test_hash();
    return check_failed;
}
