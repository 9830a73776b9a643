/* series.c: see series.h. */
#include "series.h"

#include <math.h>

#include "banned.h"

enum {
    CHUNK_BYTES = 256 << 10, /* a chunk is closed before it grows beyond */
    FIELDS = 2 + FR_SERIES_EXTRA,
    SECONDS_START = 16,
    COPY_PIECE = 16 << 10 /* seconds copied at once when the array grows */
};

struct fr_series_builder {
    struct fr_series_block open; /* the first member: fr_series_add knows no other */
    struct fr_batch *batch;
    struct fr_series *series;
    /* the open chunk */
    uint8_t *p, *end; /* next free byte of buf; no block is begun at or after end */
    struct fr_range t, value;
    int64_t before[FIELDS]; /* the numbers of the last sample that is packed */
    uint32_t chunk_n;
    int chunks; /* closed */
    /* the open second; in the series, `mean` holds the sum until the end */
    int64_t second_from, second_to; /* milliseconds */
    struct fr_second *second;
    size_t seconds_alloc;
    bool unsorted;
    /* intervals */
    int64_t first_t, prev_t, gap;
    uint64_t gaps; /* between distinct times, ascending */
    struct {
        int64_t sum;
        uint64_t n, votes;
    } usual; /* of the gaps but the last: those that most are like */
    bool stepped_back;
    uint8_t buf[CHUNK_BYTES];
};

/* ---- seconds ----------------------------------------------------------------------------------------------------- */

/* Room for one more second. The arena cannot grow a block, so it is copied, in pieces, to keep the resident size flat.
 */
static void seconds_grow(struct fr_series_builder *b)
{
    struct fr_series *s = b->series;
    struct fr_arena *arena = &b->batch->arena;
    size_t alloc = b->seconds_alloc ? b->seconds_alloc * 2 : SECONDS_START;
    struct fr_second *more = fr_arena_alloc(arena, alloc * sizeof *more);
    for (size_t i = 0; i < s->seconds_n; i += COPY_PIECE) {
        size_t n = s->seconds_n - i < COPY_PIECE ? s->seconds_n - i : COPY_PIECE;
        memcpy(more + i, s->seconds + i, n * sizeof *more);
        if (n == COPY_PIECE)
            fr_arena_cool(arena);
    }
    s->seconds = more;
    b->seconds_alloc = alloc;
}

static void second_open(struct fr_series_builder *b, int64_t t)
{
    struct fr_series *s = b->series;
    int64_t t_s = t / 1000 - (t % 1000 < 0);
    if (s->seconds_n == b->seconds_alloc)
        seconds_grow(b);
    if (s->seconds_n && t_s <= b->second->t)
        b->unsorted = true;
    b->second = &s->seconds[s->seconds_n++];
    *b->second = (struct fr_second){.t = t_s, .min = INFINITY, .max = -INFINITY};
    b->second_from = t - (t % 1000 + 1000) % 1000;
    b->second_to = b->second_from > INT64_MAX - 1000 ? INT64_MAX : b->second_from + 1000;
}

static int by_t(const void *a, const void *b)
{
    int64_t x = ((const struct fr_second *)a)->t, y = ((const struct fr_second *)b)->t;
    return x < y ? -1 : x > y;
}

/* Several jobs in one log: the same second was opened more than once. */
static void seconds_sort(struct fr_series *s)
{
    size_t out = 0;
    qsort(s->seconds, s->seconds_n, sizeof *s->seconds, by_t);
    for (size_t i = 1; i < s->seconds_n; i++) {
        struct fr_second *into = &s->seconds[out], *from = &s->seconds[i];
        if (from->t != into->t) {
            s->seconds[++out] = *from;
            continue;
        }
        into->n += from->n;
        into->mean += from->mean;
        into->min = from->min < into->min ? from->min : into->min;
        into->max = from->max > into->max ? from->max : into->max;
    }
    s->seconds_n = out + 1;
}

/* Sums of steps become means in base units. */
static void seconds_finish(struct fr_series_builder *b)
{
    struct fr_series *s = b->series;
    if (b->unsorted)
        seconds_sort(s);
    for (size_t i = 0; i < s->seconds_n; i++) {
        struct fr_second *x = &s->seconds[i];
        x->mean = fr_series_base(x->mean / (double)x->n, s->step);
        x->min = fr_series_base(x->min, s->step);
        x->max = fr_series_base(x->max, s->step);
        if (i % COPY_PIECE == COPY_PIECE - 1)
            fr_arena_cool(&b->batch->arena);
    }
}

/* ---- intervals --------------------------------------------------------------------------------------------------- */

/*
 * The usual distance between samples: the mean of those distances that are within a third of it, so that a time without
 * samples (nothing completed, or the job paused) does not make it longer. The last one is left out because it may be
 * cut off: one more than a tenth shorter than usual is partial. Of two samples there is no other; the time before the
 * first is at least as long, where it counts from the start.
 */
static void intervals_finish(struct fr_series_builder *b)
{
    struct fr_series *s = b->series;
    if (!s->averaged || b->stepped_back || !b->gaps)
        return;
    bool early = !s->unix_time && b->first_t > 0 && b->first_t < b->gap;
    s->interval = b->gaps > 1 ? b->usual.sum / (int64_t)b->usual.n : early ? b->first_t : b->gap;
    s->last_partial = b->gap < s->interval - s->interval / 10;
}

/* A gap that is not the last. What most are like is found by votes: each one unlike it takes one away. */
static void usual_add(struct fr_series_builder *b)
{
    double sum = (double)b->usual.sum, as_much = (double)b->gap * (double)b->usual.n;
    if (b->usual.votes && fabs(as_much - sum) * 3 <= sum) {
        b->usual.sum += b->gap;
        b->usual.n++;
        b->usual.votes++;
    } else if (b->usual.votes) {
        b->usual.votes--;
    } else {
        b->usual.sum = b->gap;
        b->usual.n = b->usual.votes = 1;
    }
}

/* The open block's times. */
static void intervals_add(struct fr_series_builder *b)
{
    for (unsigned i = 0; i < b->open.n; i++) {
        int64_t t = b->open.field[0][i];
        if (t > b->prev_t) {
            if (b->gaps && !b->stepped_back)
                usual_add(b);
            b->gap = t - b->prev_t;
            b->gaps++;
        } else if (t < b->prev_t) {
            b->stepped_back = true;
        }
        b->prev_t = t;
    }
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* Samples of the open block from one place to another are of the open second; their values lie within the range. */
static void second_add(struct fr_series_builder *b, unsigned from, unsigned to, struct fr_range values)
{
    struct fr_second *s = b->second;
    const int64_t *v = b->open.field[1];
    double sum = s->mean;
    for (unsigned i = from; i < to; i++)
        sum += (double)v[i];
    s->mean = sum;
    s->n += to - from;
    s->min = (double)values.min < s->min ? (double)values.min : s->min;
    s->max = (double)values.max > s->max ? (double)values.max : s->max;
}

/* Sum up the open block, whose times and values have these ranges. */
static void seconds_add(struct fr_series_builder *b, struct fr_range times, struct fr_range values)
{
    const int64_t *t = b->open.field[0], *v = b->open.field[1];
    unsigned from = 0;
    if (times.min >= b->second_from && times.max < b->second_to) { /* no other second */
        second_add(b, 0, b->open.n, values);
        return;
    }
    for (unsigned i = 0; i < b->open.n; i++) {
        if (t[i] >= b->second_from && t[i] < b->second_to)
            continue;
        if (i > from)
            second_add(b, from, i, fr_range_of(v + from, i - from));
        second_open(b, t[i]);
        from = i;
    }
    second_add(b, from, b->open.n, fr_range_of(v + from, b->open.n - from));
}

/* The chunk stays in the batch. */
static void chunk_keep(struct fr_series_builder *b, const struct fr_chunk *chunk)
{
    struct fr_chunk *c = fr_arena_new(&b->batch->arena, struct fr_chunk);
    uint8_t *data = fr_arena_alloc(&b->batch->arena, chunk->size);
    memcpy(data, chunk->data, chunk->size);
    *c = *chunk;
    c->data = data;
    fr_list_add(&b->series->chunks, c);
}

static void chunk_close(struct fr_series_builder *b)
{
    const struct fr_chunk_taker *taker = &b->batch->taker;
    const struct fr_chunk chunk = {.no = b->chunks++,
                                   .n = b->chunk_n,
                                   .t0 = b->t.min,
                                   .t1 = b->t.max,
                                   .min = b->value.min,
                                   .max = b->value.max,
                                   .data = b->buf,
                                   .size = (size_t)(b->p - b->buf)};
    if (!b->series->settled || !taker->take || !taker->take(taker->ctx, b->series, &chunk))
        chunk_keep(b, &chunk);
    b->series->n += b->chunk_n;
    b->chunk_n = 0;
    b->p = b->buf;
    memset(b->before, 0, sizeof b->before);
    fr_batch_checkpoint(b->batch);
}

static struct fr_range wider(struct fr_range a, struct fr_range b)
{
    return (struct fr_range){a.min < b.min ? a.min : b.min, a.max > b.max ? a.max : b.max};
}

/* Pack the open block, which has samples, into the chunk. */
void fr_series_block_close(struct fr_series_builder *b)
{
    struct fr_range range[FIELDS];
    if (!b->second) /* the first of the series */
        b->first_t = b->prev_t = b->open.field[0][0];
    for (unsigned i = 0; i < 2 + b->open.extras; i++) {
        range[i] = fr_range_of(b->open.field[i], b->open.n);
        b->p = fr_pack(b->p, b->open.field[i], b->open.n, b->before[i], range[i]);
        b->before[i] = b->open.field[i][b->open.n - 1];
    }
    b->t = b->chunk_n ? wider(b->t, range[0]) : range[0];
    b->value = b->chunk_n ? wider(b->value, range[1]) : range[1];
    seconds_add(b, range[0], range[1]);
    if (b->series->averaged)
        intervals_add(b);
    b->chunk_n += b->open.n;
    b->open.n = 0;
    if (b->p >= b->end || b->chunk_n == FR_CHUNK_SAMPLES)
        chunk_close(b);
}

/* ---- filling ----------------------------------------------------------------------------------------------------- */

struct fr_series_builder *fr_series_begin(struct fr_batch *batch, enum fr_op op, enum fr_metric_id metric,
                                          const char *kind, double step, unsigned columns, uint32_t line)
{
    struct fr_series_builder *b = malloc(sizeof *b);
    if (!b) {
        fprintf(stderr, "fioreport: error: out of memory\n");
        exit(4);
    }
    memset(b, 0, offsetof(struct fr_series_builder, buf));
    b->batch = batch;
    b->p = b->buf;
    b->end = b->buf + CHUNK_BYTES - FIELDS * FR_PACK_MAX;
    b->second_from = INT64_MAX;
    struct fr_series *s = fr_arena_new(&batch->arena, struct fr_series);
    s->op = (uint8_t)op;
    s->metric = (uint8_t)metric;
    s->kind = kind;
    s->step = step;
    s->line = line;
    s->columns = (uint8_t)(columns & ((1u << FR_SERIES_EXTRA) - 1));
    for (unsigned bit = 1; bit < 1u << FR_SERIES_EXTRA; bit <<= 1)
        b->open.extras += (s->columns & bit) != 0;
    s->fields = (uint8_t)(2 + b->open.extras);
    b->series = s;
    return b;
}

struct fr_series *fr_series_of(struct fr_series_builder *b)
{
    return b->series;
}

struct fr_series *fr_series_end(struct fr_series_builder *b, struct fr_test *test)
{
    if (!b)
        return NULL;
    struct fr_series *s = b->series;
    if (b->open.n)
        fr_series_block_close(b);
    if (b->chunk_n)
        chunk_close(b);
    if (s->n) {
        seconds_finish(b);
        intervals_finish(b);
        s->test_no = test->no;
        fr_list_add(&test->series, s);
    }
    free(b);
    return s->n ? s : NULL;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

void fr_chunk_reader_init(struct fr_chunk_reader *r, const uint8_t *data, size_t size, uint32_t n, unsigned columns)
{
    memset(r, 0, offsetof(struct fr_chunk_reader, block));
    r->p = data;
    r->end = data + size;
    r->left = n;
    r->extras = (unsigned)__builtin_popcount(columns & ((1u << FR_SERIES_EXTRA) - 1));
}

/* Unpack the next block. */
static bool next_block(struct fr_chunk_reader *r)
{
    unsigned n = r->left < FR_PACK_SAMPLES ? r->left : FR_PACK_SAMPLES;
    if (r->bad || n == 0) {
        r->bad |= r->p != r->end; /* more than the samples lies there */
        return false;
    }
    for (unsigned i = 0; i < 2 + r->extras; i++) {
        r->p = fr_unpack(r->p, r->end, r->block[i], n, r->n ? r->block[i][r->n - 1] : 0);
        if (!r->p) {
            r->bad = true;
            r->left = 0;
            return false;
        }
    }
    r->left -= n;
    r->n = n;
    r->at = 0;
    return true;
}

bool fr_chunk_next(struct fr_chunk_reader *r, struct fr_sample *out)
{
    if (r->at == r->n && !next_block(r))
        return false;
    unsigned i = r->at++;
    out->t = r->block[0][i];
    out->value = r->block[1][i];
    for (unsigned k = 0; k < r->extras; k++)
        out->extra[k] = r->block[2 + k][i];
    return true;
}

void fr_series_reader_init(struct fr_series_reader *r, const struct fr_series *series)
{
    memset(r, 0, sizeof *r);
    r->series = series;
    r->chunk = series->chunks.head;
    if (r->chunk)
        fr_chunk_reader_init(&r->in, r->chunk->data, r->chunk->size, r->chunk->n, series->columns);
}

bool fr_series_next(struct fr_series_reader *r, struct fr_sample *out)
{
    while (r->chunk) {
        if (fr_chunk_next(&r->in, out))
            return true;
        r->chunk = r->chunk->next;
        if (r->chunk)
            fr_chunk_reader_init(&r->in, r->chunk->data, r->chunk->size, r->chunk->n, r->series->columns);
    }
    return false;
}
