/* series.c: see series.h. */
#include "series.h"

#include <math.h>

#include "banned.h"

enum {
    VARINT_MAX = 10,                                 /* bytes */
    SAMPLE_MAX = VARINT_MAX * (2 + FR_SERIES_EXTRA), /* bytes of one packed sample, and more than a chunk's head */
    CHUNK_BYTES = 256 << 10,                         /* a chunk is closed before it grows beyond */
    SECONDS_START = 16,
    COPY_PIECE = 16 << 10 /* seconds copied at once when the array grows */
};

struct fr_series_builder {
    struct fr_batch *batch;
    struct fr_series *series;
    /* the open chunk */
    uint8_t *p, *end; /* next free byte of buf; no sample is begun at or after end */
    uint32_t n;
    int64_t t0, t1, min, max; /* min and max: of what is summed up */
    int64_t last_t, last_value, last_extra[FR_SERIES_EXTRA];
    unsigned extras;            /* number of columns */
    unsigned fixed_n, moving_n; /* of them: those that never varied so far, and the others */
    uint8_t fixed[FR_SERIES_EXTRA], moving[FR_SERIES_EXTRA]; /* their places among the extra numbers */
    uint8_t varies; /* grows only: at most FR_SERIES_EXTRA chunks end early for it */
    /* the open second; in the series, `mean` holds the sum until the end */
    int64_t second_from, second_to; /* milliseconds */
    struct fr_second *second;
    double sum;
    /* samples of the open second and chunk that are not summed up yet */
    uint32_t new_from; /* number of the first in the chunk */
    int64_t new_min, new_max;
    size_t seconds_alloc;
    bool unsorted;
    /* intervals */
    int64_t first_t, prev_t, gap;
    uint64_t gaps; /* between distinct times, ascending */
    bool stepped_back;
    uint8_t buf[CHUNK_BYTES];
};

/* ---- packing ----------------------------------------------------------------------------------------------------- */

static inline uint64_t zigzag(uint64_t difference)
{
    return difference << 1 ^ (0 - (difference >> 63));
}

static inline uint64_t unzigzag(uint64_t z)
{
    return z >> 1 ^ (0 - (z & 1));
}

/* The zigzag varint of a difference, byte by byte. */
static inline uint8_t *put_bytes(uint8_t *p, uint64_t v)
{
    while (v >= 0x80) {
        *p++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *p++ = (uint8_t)v;
    return p;
}

/* How long it is follows no rule that a processor could guess, so there are no branches. Writes 8 bytes, or 10. */
static inline uint8_t *put(uint8_t *p, int64_t now, int64_t before)
{
    uint64_t v = zigzag((uint64_t)now - (uint64_t)before);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (v < 1ull << 56) {
        v += (v & 0xfffffff0000000u) * 15; /* the upper half up by four bits; then the quarters, the bytes */
        v += (v & 0x0fffc0000fffc000u) * 3;
        v += v & 0x3f803f803f803f80u;
        uint64_t more = v >> 8 | v >> 16; /* in each byte: is any bit in the bytes above it? */
        more |= more >> 16;
        more |= more >> 32;
        more = (more + 0x7f7f7f7f7f7f7f7fu) & 0x8080808080808080u;
        v |= more;
        memcpy(p, &v, sizeof v);
        return p + (unsigned)__builtin_ctzll(more ^ 0x8080808080808080u) / 8 + 1;
    }
#endif
    return put_bytes(p, v);
}

/* Begin a chunk at the sample whose extra columns are `extra`: those that never varied so far are written once. */
static void chunk_open(struct fr_series_builder *b, const int64_t *extra)
{
    unsigned i = 0;
    b->p = b->buf;
    *b->p++ = b->varies;
    b->fixed_n = b->moving_n = 0;
    for (unsigned bit = 1; bit < 1u << FR_SERIES_EXTRA; bit <<= 1) {
        if (!(b->series->columns & bit))
            continue;
        if (!(b->varies & bit))
            b->p = put(b->p, extra[i], 0);
        b->last_extra[i] = b->varies & bit ? 0 : extra[i];
        if (b->varies & bit)
            b->moving[b->moving_n++] = (uint8_t)i;
        else
            b->fixed[b->fixed_n++] = (uint8_t)i;
        i++;
    }
    b->n = 0;
    b->last_t = b->last_value = 0;
}

/* Add what came since the last time to the second and the chunk. */
static void sum_up(struct fr_series_builder *b)
{
    struct fr_second *s = b->second;
    if (b->n == b->new_from)
        return;
    s->n += b->n - b->new_from;
    s->mean = b->sum;
    s->min = (double)b->new_min < s->min ? (double)b->new_min : s->min;
    s->max = (double)b->new_max > s->max ? (double)b->new_max : s->max;
    b->min = b->new_min < b->min ? b->new_min : b->min;
    b->max = b->new_max > b->max ? b->new_max : b->max;
    b->new_from = b->n;
    b->new_min = INT64_MAX;
    b->new_max = INT64_MIN;
}

static void chunk_close(struct fr_series_builder *b)
{
    if (b->n == 0)
        return;
    sum_up(b);
    struct fr_chunk *c = fr_arena_new(&b->batch->arena, struct fr_chunk);
    c->size = (size_t)(b->p - b->buf);
    uint8_t *data = fr_arena_alloc(&b->batch->arena, c->size);
    memcpy(data, b->buf, c->size);
    c->data = data;
    c->n = b->n;
    c->t0 = b->t0;
    c->t1 = b->t1;
    c->min = b->min;
    c->max = b->max;
    fr_list_add(&b->series->chunks, c);
    b->series->n += b->n;
    b->n = b->new_from = 0;
    b->p = b->end;
    fr_batch_checkpoint(b->batch);
}

/* The bit of the column at that place. */
static unsigned bit_at(const struct fr_series_builder *b, unsigned place)
{
    for (unsigned bit = 1; bit < 1u << FR_SERIES_EXTRA; bit <<= 1)
        if ((b->series->columns & bit) && place-- == 0)
            return bit;
    return 0;
}

/* Which columns differ from the constants of the open chunk. */
static inline unsigned newly_varying(const struct fr_series_builder *b, const int64_t *extra)
{
    unsigned found = 0;
    for (unsigned i = 0; i < b->fixed_n; i++)
        if (extra[b->fixed[i]] != b->last_extra[b->fixed[i]])
            found |= bit_at(b, b->fixed[i]);
    return found;
}

static inline void put_extra(struct fr_series_builder *b, const int64_t *extra)
{
    for (unsigned i = 0; i < b->moving_n; i++) {
        unsigned at = b->moving[i];
        b->p = put(b->p, extra[at], b->last_extra[at]);
        b->last_extra[at] = extra[at];
    }
}

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
    b->sum = 0;
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

/* Steps in base units; nearest to the decimal number where the step is 1e-9 or the like. */
static double base(double steps, double step)
{
    return step < 1 ? steps / nearbyint(1 / step) : steps * step;
}

/* Sums of steps become means in base units. */
static void seconds_finish(struct fr_series_builder *b)
{
    struct fr_series *s = b->series;
    if (b->unsorted)
        seconds_sort(s);
    for (size_t i = 0; i < s->seconds_n; i++) {
        struct fr_second *x = &s->seconds[i];
        x->mean = base(x->mean / (double)x->n, s->step);
        x->min = base(x->min, s->step);
        x->max = base(x->max, s->step);
        if (i % COPY_PIECE == COPY_PIECE - 1)
            fr_arena_cool(&b->batch->arena);
    }
}

/* ---- intervals --------------------------------------------------------------------------------------------------- */

/*
 * The usual distance between samples, the last one left out because it may be cut off. A last interval more than a
 * tenth shorter than that is partial.
 */
static void intervals_finish(struct fr_series_builder *b)
{
    struct fr_series *s = b->series;
    if (!s->averaged || b->stepped_back || b->gaps < 2)
        return;
    int64_t usual = (b->prev_t - b->gap - b->first_t) / (int64_t)(b->gaps - 1);
    s->interval = usual;
    s->last_partial = b->gap < usual - usual / 10;
}

static inline void interval_note(struct fr_series_builder *b, int64_t t)
{
    if (t > b->prev_t) {
        b->gap = t - b->prev_t;
        b->gaps++;
    } else if (t < b->prev_t) {
        b->stepped_back = true;
    }
    b->prev_t = t;
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
    b->p = b->end = b->buf + CHUNK_BYTES - SAMPLE_MAX;
    b->second_from = INT64_MAX;
    b->new_min = INT64_MAX;
    b->new_max = INT64_MIN;
    struct fr_series *s = fr_arena_new(&batch->arena, struct fr_series);
    s->op = (uint8_t)op;
    s->metric = (uint8_t)metric;
    s->kind = kind;
    s->step = step;
    s->line = line;
    s->columns = (uint8_t)(columns & ((1u << FR_SERIES_EXTRA) - 1));
    for (unsigned bit = 1; bit < 1u << FR_SERIES_EXTRA; bit <<= 1)
        b->extras += (s->columns & bit) != 0;
    s->fields = (uint8_t)(2 + b->extras);
    b->series = s;
    return b;
}

struct fr_series *fr_series_of(struct fr_series_builder *b)
{
    return b->series;
}

static inline void put_sample(struct fr_series_builder *b, int64_t t, int64_t value, const int64_t *extra)
{
    b->p = put_bytes(b->p, zigzag((uint64_t)t - (uint64_t)b->last_t)); /* mostly one byte */
    b->p = put(b->p, value, b->last_value);
    if (b->varies)
        put_extra(b, extra);
    b->last_t = t;
    b->last_value = value;
    b->n++;
}

/* The open chunk cannot hold the next sample: its columns begin to vary. One of a single sample is written anew. */
static void columns_vary(struct fr_series_builder *b, unsigned newly)
{
    b->varies |= (uint8_t)newly;
    if (b->n == 1) {
        int64_t before[FR_SERIES_EXTRA], t = b->last_t, value = b->last_value;
        memcpy(before, b->last_extra, sizeof before);
        chunk_open(b, before);
        put_sample(b, t, value, before);
    } else {
        chunk_close(b);
    }
}

/* All that another time changes. */
static void time_moves(struct fr_series_builder *b, int64_t t)
{
    interval_note(b, t);
    b->t0 = t < b->t0 ? t : b->t0;
    b->t1 = t > b->t1 ? t : b->t1;
    if (t < b->second_from || t >= b->second_to) {
        sum_up(b);
        second_open(b, t);
    }
}

/* Begin the chunk whose first sample this is. */
static void chunk_begin(struct fr_series_builder *b, int64_t t, const int64_t *extra)
{
    chunk_close(b);
    if (b->series->n == 0)
        b->first_t = b->prev_t = t;
    chunk_open(b, extra);
    b->t0 = b->t1 = t;
    b->min = INT64_MAX;
    b->max = INT64_MIN;
    time_moves(b, t);
}

void fr_series_add(struct fr_series_builder *b, int64_t t, int64_t value, const int64_t *extra)
{
    unsigned newly = b->extras && b->n ? newly_varying(b, extra) : 0;
    if (newly)
        columns_vary(b, newly);
    if (b->p >= b->end || b->n == FR_CHUNK_SAMPLES) /* full, or none is open */
        chunk_begin(b, t, extra);
    if (t != b->prev_t)
        time_moves(b, t);
    put_sample(b, t, value, extra);
    b->sum += (double)value;
    b->new_min = value < b->new_min ? value : b->new_min;
    b->new_max = value > b->new_max ? value : b->new_max;
}

struct fr_series *fr_series_end(struct fr_series_builder *b, struct fr_test *test)
{
    if (!b)
        return NULL;
    struct fr_series *s = b->series;
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

static inline bool get(struct fr_chunk_reader *r, int64_t *inout)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 70 && r->p < r->end; shift += 7) {
        uint64_t byte = *r->p++;
        if (shift == 63 && (byte & 0x7e))
            break;
        v |= (byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            *inout = (int64_t)((uint64_t)*inout + unzigzag(v));
            return true;
        }
    }
    return false;
}

void fr_chunk_reader_init(struct fr_chunk_reader *r, const uint8_t *data, size_t size, uint32_t n, unsigned columns)
{
    memset(r, 0, sizeof *r);
    r->p = data;
    r->end = data + size;
    r->left = n;
    r->columns = (uint8_t)columns;
    if (n == 0)
        return;
    if (size == 0 || (data[0] & ~columns)) {
        r->bad = true;
        return;
    }
    r->varies = *r->p++;
    unsigned i = 0;
    for (unsigned bit = 1; bit < 1u << FR_SERIES_EXTRA; bit <<= 1)
        if (columns & bit) {
            if (!(r->varies & bit) && !get(r, &r->at.extra[i]))
                r->bad = true;
            i++;
        }
}

bool fr_chunk_next(struct fr_chunk_reader *r, struct fr_sample *out)
{
    if (r->bad || r->left == 0)
        return false;
    bool ok = get(r, &r->at.t) && get(r, &r->at.value);
    unsigned i = 0;
    if (r->varies)
        for (unsigned bit = 1; bit < 1u << FR_SERIES_EXTRA; bit <<= 1)
            if (r->columns & bit) {
                if (ok && (r->varies & bit))
                    ok = get(r, &r->at.extra[i]);
                i++;
            }
    if (!ok) {
        r->bad = true;
        return false;
    }
    r->left--;
    *out = r->at;
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
