/* fio_json_opt.c: the options in fio's JSON as params: one name for aliases, one spelling for sizes and times. */
#include "fio_json_job.h"
#include "latency_target.h"
#include "strbuf.h"

#include <math.h>

#include "banned.h"

enum { OPTIONS_MAX = 512 };

enum kind { PLAIN, SIZE, SECONDS, USEC, DIRECTION, NEGATED };

/* fio's aliases (its options.c), and which values have a canonical spelling. */
static const struct option {
    const char *key, *name;
    enum kind kind;
} known[] = {
    {"rw", "rw", DIRECTION},
    {"readwrite", "rw", DIRECTION},
    {"bs", "bs", SIZE},
    {"blocksize", "bs", SIZE},
    {"bsrange", "bsrange", SIZE},
    {"blocksize_range", "bsrange", SIZE},
    {"ba", "ba", SIZE},
    {"blockalign", "ba", SIZE},
    {"blocksize_unaligned", "bs_unaligned", PLAIN},
    {"size", "size", SIZE},
    {"filesize", "filesize", SIZE},
    {"io_size", "io_size", SIZE},
    {"io_limit", "io_size", SIZE},
    {"offset", "offset", SIZE},
    {"fileoffset", "offset", SIZE},
    {"offset_increment", "offset_increment", SIZE},
    {"zonesize", "zonesize", SIZE},
    {"zoneskip", "zoneskip", SIZE},
    {"zonerange", "zonerange", SIZE},
    {"runtime", "runtime", SECONDS},
    {"timeout", "runtime", SECONDS},
    {"ramp_time", "ramp_time", SECONDS},
    {"startdelay", "startdelay", SECONDS},
    {"latency_target", "latency_target", USEC},
    {"latency_window", "latency_window", USEC},
    {"buffered", "direct", NEGATED},
    {"nr_files", "nrfiles", PLAIN},
    {"iodepth_batch_submit", "iodepth_batch", PLAIN},
    {"wait_for_previous", "stonewall", PLAIN},
};

struct entry {
    const char *key;
    struct fr_str value;
    uint32_t line;
};

struct options {
    const struct fr_fj_context *c;
    struct fr_test *test;
    struct entry entries[OPTIONS_MAX];
    size_t n;
};

/* Collect: of duplicates the last counts, as in fio, except that several files are all used. */
static void collect(void *ctx, const char *key, const struct fr_fj_node *node, uint32_t line)
{
    struct options *o = ctx;
    struct fr_str value;
    if (!key || !fr_fj_string(node, &value))
        return;
    for (size_t i = 0; i < o->n; i++) {
        struct entry *e = &o->entries[i];
        if (strcmp(e->key, key) != 0)
            continue;
        if (strcmp(key, "filename") == 0 && !fr_str_eq(e->value, value))
            value = fr_str(fr_arena_printf(&o->c->batch->arena, "%.*s:%.*s", FR_STR(e->value), FR_STR(value)));
        e->value = value;
        e->line = line;
        return;
    }
    if (o->n < OPTIONS_MAX)
        o->entries[o->n++] = (struct entry){key, value, line};
}

static void set(const struct options *o, const char *name, struct fr_str value, uint32_t line)
{
    fr_param_set(o->c->batch, o->c->run, o->test, name, value, FR_FROM_FORMAT, line);
}

/* One size in its canonical spelling; what is none (`50%`) as it is. */
static void add_size(struct fr_strbuf *out, struct fr_str size)
{
    double bytes;
    char spelled[24];
    if (fr_size_parse(fr_str_trim(size), &bytes))
        fr_strbuf_addstr(out, fr_size_format(bytes, spelled));
    else
        fr_strbuf_add(out, size.s, size.n);
}

/* `4k`, or a range `4k-64k` (also `4k:64k`); a range of one size is that size. */
static void add_size_range(struct fr_strbuf *out, struct fr_str range)
{
    size_t dash = fr_str_chr(range, '-');
    if (dash == (size_t)-1)
        dash = fr_str_chr(range, ':');
    if (dash == (size_t)-1 || dash == 0) {
        add_size(out, range);
        return;
    }
    struct fr_strbuf upper = FR_STRBUF_INIT;
    size_t at = out->len;
    add_size(out, fr_str_range(range, 0, dash));
    add_size(&upper, fr_str_from(range, dash + 1));
    if (strcmp(fr_strbuf_str(&upper), fr_strbuf_str(out) + at) != 0) {
        fr_strbuf_addch(out, '-');
        fr_strbuf_add(out, upper.buf, upper.len);
    }
    fr_strbuf_release(&upper);
}

/* Which of read, write, trim the option rw asks for; all when it is not known. */
static void directions_of(const char *rw, bool used[3])
{
    struct fr_str name = fr_str(rw ? rw : "");
    name = fr_take_until(&name, ':');
    if (fr_str_starts(name, "rand"))
        name = fr_str_from(name, 4);
    used[0] = fr_str_is(name, "read") || fr_str_is(name, "rw");
    used[1] = fr_str_is(name, "write") || fr_str_is(name, "rw") || fr_str_is(name, "trimwrite");
    used[2] = fr_str_starts(name, "trim");
    if (!used[0] && !used[1] && !used[2])
        used[0] = used[1] = used[2] = true;
}

/*
 * Block sizes: `4k`, or one for each direction, `4k,8k,16k`: a missing one at the end is the last given, an empty one
 * fio's default of 4k. Where those in use differ they become bs_read, bs_write, bs_trim.
 */
static void set_block_size(const struct options *o, const char *name, struct fr_str value, uint32_t line)
{
    static const char *const names[] = {"bs_read", "bs_write", "bs_trim"};
    struct fr_strbuf sizes[3] = {FR_STRBUF_INIT, FR_STRBUF_INIT, FR_STRBUF_INIT};
    const char *first = NULL;
    bool used[3], differ = false;
    struct fr_str rest = value;
    for (int i = 0; i < 3; i++) {
        bool given = rest.n > 0 || i == 0;
        struct fr_str part = fr_str_trim(fr_take_until(&rest, ','));
        if (part.n)
            add_size_range(&sizes[i], part);
        else if (!given && i > 0)
            fr_strbuf_addstr(&sizes[i], fr_strbuf_str(&sizes[i - 1]));
        else
            fr_strbuf_addstr(&sizes[i], "4k");
    }
    directions_of(fr_param_get(o->c->run, o->test, "rw"), used);
    for (int i = 0; i < 3; i++) {
        if (used[i] && first && strcmp(first, fr_strbuf_str(&sizes[i])) != 0)
            differ = true;
        if (used[i] && !first)
            first = fr_strbuf_str(&sizes[i]);
    }
    if (!differ)
        set(o, name, fr_str(first), line);
    for (int i = 0; i < 3; i++) {
        if (differ && used[i])
            set(o, names[i], fr_str(fr_strbuf_str(&sizes[i])), line);
        fr_strbuf_release(&sizes[i]);
    }
}

/* A time in seconds: fio's units, of which none means seconds. */
static void set_seconds(const struct options *o, const char *name, struct fr_str value, uint32_t line)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}, {"ms", 1e-3}, {"us", 1e-6}};
    struct fr_str rest = value;
    double number;
    char text[40];
    if (fr_take_double(&rest, &number))
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (fr_str_is_nocase(rest, units[i].unit)) {
                snprintf(text, sizeof text, "%.15g", number * units[i].seconds);
                value = fr_str(text);
                break;
            }
    set(o, name, value, line);
}

static void set_option(const struct options *o, const struct option *option, struct fr_str value, uint32_t line)
{
    struct fr_strbuf text = FR_STRBUF_INIT;
    char spelled[FR_USEC_MAX];
    double usec;
    switch (option->kind) {
    case SIZE:
        if (strcmp(option->name, "bs") == 0 || strcmp(option->name, "bsrange") == 0) {
            set_block_size(o, "bs", value, line);
        } else {
            add_size_range(&text, value);
            set(o, option->name, fr_str(fr_strbuf_str(&text)), line);
        }
        break;
    case SECONDS:
        set_seconds(o, option->name, value, line);
        break;
    case USEC:
        set(o, option->name, fr_usec_parse(value, &usec) ? fr_str(fr_usec_format(usec, spelled)) : value, line);
        break;
    case DIRECTION:
        set(o, option->name, fr_str_is(value, "readwrite") ? fr_str("rw") : value, line);
        break;
    case NEGATED:
        set(o, option->name, fr_str(fr_str_is(value, "0") ? "1" : "0"), line);
        break;
    case PLAIN: /* a flag given without a value stands as "" */
        set(o, option->name, value.n ? value : fr_str("1"), line);
        break;
    }
    fr_strbuf_release(&text);
}

void fr_fj_options(const struct fr_fj_context *c, struct fr_test *test, const struct fr_fj_node *options)
{
    struct options o = {.c = c, .test = test};
    fr_fj_each(c->tree, options, collect, &o);
    for (int pass = 0; pass < 2; pass++) /* the direction first: block sizes depend on it */
        for (size_t i = 0; i < o.n; i++) {
            struct option option = {o.entries[i].key, o.entries[i].key, PLAIN};
            for (size_t k = 0; k < sizeof known / sizeof *known; k++)
                if (strcmp(known[k].key, option.key) == 0)
                    option = known[k];
            if ((option.kind == DIRECTION) == (pass == 0) && strcmp(option.key, "name") != 0)
                set_option(&o, &option, o.entries[i].value, o.entries[i].line);
        }
}
