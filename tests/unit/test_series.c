/* test_series: packing, reading and summing up of time series. */
#include "series.h"

#include <math.h>

#include "banned.h"

static int failed;

static void check(bool ok, const char *name, const char *why)
{
    if (ok)
        printf("ok series %s\n", name);
    else
        printf("FAIL series %s: %s\n", name, why);
    failed |= !ok;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 11;
}

static struct fr_test *new_test(struct fr_batch *batch)
{
    fr_batch_init(batch, "test");
    return fr_test_new(batch, fr_run_new(batch, "test", "fio", 1), fr_str("t"), 1);
}

/* Samples with extremes, unordered times, columns that begin to vary late: they come back as they went in. */
static void test_round_trip(void)
{
    enum { N = 200000 };
    struct fr_batch batch;
    struct fr_test *test = new_test(&batch);
    unsigned columns = FR_COL_BS | FR_COL_OFFSET | FR_COL_PRIO;
    struct fr_series_builder *b = fr_series_begin(&batch, FR_OP_READ, FR_M_CLAT, "log", 1e-9, columns, 1);
    uint64_t seed = 7;
    int64_t special[] = {0, -1, INT64_MAX, INT64_MIN, 1, -64, 63, 64};
    for (int i = 0; i < N; i++) {
        int64_t value = i < 8 ? special[i] : (int64_t)next_random(&seed);
        int64_t extra[] = {i < 1000 ? 4096 : i % 3 * 512, (int64_t)next_random(&seed) * 512, i == N - 1};
        fr_series_add(b, i == 5 ? -1500 : i / 3, value, extra);
    }
    const struct fr_series *s = fr_series_end(b, test);
    check(s && s->n == N && s->fields == 5 && test->series.n == 1, "count", "samples were lost");

    struct fr_series_reader r;
    struct fr_sample x;
    int i = 0;
    bool same = true;
    seed = 7;
    fr_series_reader_init(&r, s);
    for (; fr_series_next(&r, &x); i++) {
        int64_t value = i < 8 ? special[i] : (int64_t)next_random(&seed);
        int64_t bs = i < 1000 ? 4096 : i % 3 * 512, offset = (int64_t)next_random(&seed) * 512;
        same = same && x.t == (i == 5 ? -1500 : i / 3) && x.value == value && x.extra[0] == bs &&
               x.extra[1] == offset && x.extra[2] == (i == N - 1);
    }
    check(same && i == N && !r.in.bad, "round trip", "samples differ after packing and reading");
    uint64_t n = 0;
    bool bounds = s->chunks.head->min == INT64_MIN && s->chunks.head->t0 == -1500;
    fr_list_each (struct fr_chunk, c, s->chunks) {
        n += c->n;
        bounds = bounds && c->n <= FR_CHUNK_SAMPLES && c->t0 <= c->t1 && c->min <= c->max;
    }
    check(bounds && n == N, "chunk bounds", "n, t0, min of the chunks are wrong");
    fr_batch_release(&batch);
}

static void test_seconds(void)
{
    struct fr_batch batch;
    struct fr_test *test = new_test(&batch);
    struct fr_series_builder *b = fr_series_begin(&batch, FR_OP_WRITE, FR_M_BW, "log", 1024, 0, 1);
    static const int64_t samples[][2] = {{0, 10}, {999, 20}, {1000, 5}, {2500, 7}, {-1, 3}, {500, 60}};
    for (size_t i = 0; i < 6; i++)
        fr_series_add(b, samples[i][0], samples[i][1], NULL);
    const struct fr_series *s = fr_series_end(b, test);
    const struct fr_second *x = s->seconds;
    check(s->seconds_n == 4, "seconds", "not one row a second");
    check(x[0].t == -1 && x[0].n == 1, "second before the start", "t -1 is not its own second");
    check(x[1].t == 0 && x[1].n == 3 && fabs(x[1].mean - 30 * 1024.0) < 1e-9 && x[1].min <= 10 * 1024.0 &&
              x[1].max >= 60 * 1024.0,
          "second of several jobs", "samples that step back in time are not summed up");
    check(x[2].t == 1 && x[3].t == 2 && x[3].max <= 7 * 1024.0, "second bounds", "1000 ms is not second 1");
    fr_batch_release(&batch);
}

/* A sample a second for many seconds: the array grows through the arena. */
static void test_many_seconds(void)
{
    enum { N = 300000 };
    struct fr_batch batch;
    struct fr_test *test = new_test(&batch);
    struct fr_series_builder *b = fr_series_begin(&batch, FR_OP_READ, FR_M_IOPS, "log", 1, 0, 1);
    fr_series_of(b)->averaged = true;
    for (int i = 1; i <= N; i++)
        fr_series_add(b, i * 1000, i, NULL);
    fr_series_add(b, N * 1000LL + 400, 1, NULL);
    const struct fr_series *s = fr_series_end(b, test);
    bool same = s->seconds_n == N;
    for (size_t i = 0; same && i < N - 1; i++)
        same = s->seconds[i].t == (int64_t)i + 1 && s->seconds[i].n == 1 && s->seconds[i].mean >= (double)i + 1;
    check(same, "many seconds", "seconds were lost while growing");
    check(s->interval == 1000 && s->last_partial, "last interval", "a last interval of 400 ms is not partial");
    size_t bytes = 0;
    fr_list_each (struct fr_chunk, c, s->chunks)
        bytes += c->size;
    check(bytes < N * 4, "packed size", "more than four bytes a sample of an even series");
    fr_batch_release(&batch);
}

/* What lies between two samples, whatever pauses there are; nothing begins before the start. */
static void test_intervals(void)
{
    static const struct {
        int64_t t[12];
        size_t n;
        int64_t interval;
        bool unix_time, partial;
    } cases[] = {
        {{1000, 2000, 3000, 50000, 51000, 52000, 100000, 150000, 151000, 152000}, 10, 1000, false, false},
        {{1000, 61000, 62000, 63000, 64000, 65000}, 6, 1000, false, false},
        {{500, 1001, 1500, 2002, 2500, 2600}, 6, 500, false, true},
        {{1000, 2000, 3000, 90000}, 4, 1000, false, false},
        {{500, 1000}, 2, 500, false, false},
        {{500, 2500}, 2, 500, false, false},
        {{30000, 31000}, 2, 1000, false, false},
        {{1700000000000, 1700000000500}, 2, 500, true, false},
        {{1000, 1000, 2000, 2000, 3000, 3000}, 6, 1000, false, false},
        {{1000}, 1, 0, false, false},
        {{3000, 2000, 1000}, 3, 0, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fr_batch batch;
        struct fr_test *test = new_test(&batch);
        struct fr_series_builder *b = fr_series_begin(&batch, FR_OP_READ, FR_M_IOPS, "log", 1, 0, 1);
        char name[32];
        fr_series_of(b)->averaged = true;
        fr_series_of(b)->unix_time = cases[i].unix_time;
        for (size_t k = 0; k < cases[i].n; k++)
            fr_series_add(b, cases[i].t[k], 5, NULL);
        const struct fr_series *s = fr_series_end(b, test);
        snprintf(name, sizeof name, "intervals %zu", i);
        check(s->interval == cases[i].interval && s->last_partial == cases[i].partial, name,
              "the usual interval is another, or the last one is taken for cut off");
        fr_batch_release(&batch);
    }
}

static void test_nothing(void)
{
    struct fr_batch batch;
    struct fr_test *test = new_test(&batch);
    struct fr_series_builder *b = fr_series_begin(&batch, FR_OP_READ, FR_M_IOPS, "log", 1, 0, 1);
    check(!fr_series_end(b, test) && test->series.n == 0, "empty", "a series without samples was added");
    fr_batch_release(&batch);
}

/* The series of n samples, of which t, value and two columns are to be told from the number. */
static int64_t field_of(unsigned i, unsigned field)
{
    return field == 0 ? (int64_t)i / 3 * 10 : field == 1 ? -(int64_t)(i * 7919 % 1000) : field == 2 ? 4096 : i * 4096;
}

/* About as many as a block has, and one more or less: they come back; with a byte less or more they are bad. */
static void test_lengths(void)
{
    static const unsigned lengths[] = {1, 2, 127, 128, 129, 255, 256, 257, FR_CHUNK_SAMPLES, FR_CHUNK_SAMPLES + 1};
    bool same = true, cut = true, longer = true;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        struct fr_batch batch;
        struct fr_test *test = new_test(&batch);
        unsigned n = lengths[k], i = 0;
        struct fr_series_builder *b =
            fr_series_begin(&batch, FR_OP_READ, FR_M_LAT, "log", 1e-9, FR_COL_BS | FR_COL_OFFSET, 1);
        for (unsigned j = 0; j < n; j++)
            fr_series_add(b, field_of(j, 0), field_of(j, 1), (int64_t[]){field_of(j, 2), field_of(j, 3)});
        const struct fr_series *s = fr_series_end(b, test);
        struct fr_series_reader r;
        struct fr_sample x;
        fr_series_reader_init(&r, s);
        for (; fr_series_next(&r, &x); i++)
            same = same && x.t == field_of(i, 0) && x.value == field_of(i, 1) && x.extra[0] == field_of(i, 2) &&
                   x.extra[1] == field_of(i, 3);
        same = same && i == n && !r.in.bad && s->n == n && s->chunks.n == (n + FR_CHUNK_SAMPLES - 1) / FR_CHUNK_SAMPLES;
        const struct fr_chunk *c = s->chunks.head;
        uint8_t *less = malloc(c->size - 1), *more = calloc(1, c->size + 1);
        if (!less || !more)
            abort();
        memcpy(less, c->data, c->size - 1);
        memcpy(more, c->data, c->size);
        struct fr_chunk_reader in;
        fr_chunk_reader_init(&in, less, c->size - 1, c->n, s->columns);
        while (fr_chunk_next(&in, &x)) {
        }
        cut = cut && in.bad && !fr_chunk_next(&in, &x);
        fr_chunk_reader_init(&in, more, c->size + 1, c->n, s->columns);
        for (i = 0; fr_chunk_next(&in, &x);)
            i++;
        longer = longer && in.bad && i == c->n;
        free(less);
        free(more);
        fr_batch_release(&batch);
    }
    check(same, "lengths", "samples differ after packing and reading");
    check(cut, "cut chunk", "the end was not found");
    check(longer, "bytes behind a chunk", "they were not found");
}

/* Damaged bytes: an end before the last sample, never a read outside. */
static void test_damaged(void)
{
    static const uint8_t one[] = {0, 2, 0, 4}, odd_width[] = {63, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0};
    struct fr_chunk_reader r;
    struct fr_sample x;
    fr_chunk_reader_init(&r, one, sizeof one, 1, 0);
    check(fr_chunk_next(&r, &x) && x.t == 1 && x.value == 2 && !fr_chunk_next(&r, &x) && !r.bad, "bytes of one sample",
          "they were not taken");
    fr_chunk_reader_init(&r, one, sizeof one, 1, FR_COL_BS);
    check(!fr_chunk_next(&r, &x) && r.bad, "missing column", "it was made of nothing");
    fr_chunk_reader_init(&r, odd_width, sizeof odd_width, 1, 0);
    check(!fr_chunk_next(&r, &x) && r.bad && !fr_chunk_next(&r, &x), "odd width", "it was taken");
    fr_chunk_reader_init(&r, one, 0, 1, 0);
    check(!fr_chunk_next(&r, &x) && r.bad, "no bytes", "a sample was made of nothing");
    fr_chunk_reader_init(&r, one, sizeof one, UINT32_MAX, 0);
    unsigned n = 0;
    while (fr_chunk_next(&r, &x))
        n++;
    check(r.bad && n == FR_PACK_SAMPLES, "a count without bytes", "samples were made of nothing");
}

int main(void)
{
    test_round_trip();
    test_seconds();
    test_many_seconds();
    test_intervals();
    test_nothing();
    test_lengths();
    test_damaged();
    return failed;
}
