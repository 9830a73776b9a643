/* fio_options.c: see fio_options.h. */
#include "fio_options.h"

#include "latency_target.h"
#include "strbuf.h"

#include <math.h>

#include "banned.h"

#define NOWHERE ((size_t)-1)

enum values { PLAIN, DIRECTION, BLOCKS, SIZE, SECONDS, MICROSECONDS, OPPOSITE };

static const struct fact {
    const char *name, *alias;
    enum values values;
} facts[] = {
#define FR_FIO_OPTION(name, alias, values) {name, alias, values},
#include "fio_options.def"
#undef FR_FIO_OPTION
};

/* What sizes are set with. */
struct target {
    struct fr_batch *batch;
    struct fr_run *run;
    struct fr_test *test;
    enum fr_origin origin;
    bool thousands; /* kb_base=1000 */
};

static const struct fact *find(struct fr_str key)
{
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (fr_str_is(key, facts[i].name) || (facts[i].alias && fr_str_is(key, facts[i].alias)))
            return &facts[i];
    return NULL;
}

const char *fr_fio_option_name(struct fr_str key)
{
    const struct fact *fact = find(key);
    return fact ? fact->name : NULL;
}

unsigned fr_fio_rw_ops(struct fr_str rw)
{
    enum { R = 1U << FR_OP_READ, W = 1U << FR_OP_WRITE, T = 1U << FR_OP_TRIM };
    static const struct {
        const char *mode;
        unsigned ops;
    } modes[] = {{"read", R}, {"write", W}, {"trim", T}, {"rw", R | W}, {"readwrite", R | W}, {"trimwrite", T | W}};
    struct fr_str mode = fr_take_until(&rw, ':');
    fr_take(&mode, "rand");
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (fr_str_is(mode, modes[i].mode))
            return modes[i].ops;
    return 0;
}

/* One more name for `filename`; room for as many again is made at once, for there may be thousands. */
static void add_file(struct fr_arena *arena, struct fr_fio_option *o, struct fr_str name)
{
    size_t need = o->value.n + 1 + name.n;
    if (o->room < need) {
        o->room = need * 2;
        o->names = fr_arena_alloc(arena, o->room);
        memcpy(o->names, o->value.s, o->value.n);
    }
    o->names[o->value.n] = ':';
    memcpy(o->names + o->value.n + 1, name.s, name.n);
    o->value = fr_strn(o->names, need);
}

bool fr_fio_option_add(struct fr_arena *arena, struct fr_fio_options *options, struct fr_fio_option *option)
{
    const struct fact *fact = find(fr_str(option->name));
    if (strcmp(option->name, "name") == 0)
        return false;
    if (fact) {
        option->opposite = fact->values == OPPOSITE && strcmp(option->name, fact->name) != 0;
        option->name = fact->name;
    }
    fr_list_each (struct fr_fio_option, o, options->list) {
        if (strcmp(o->name, option->name) != 0)
            continue;
        if (strcmp(o->name, "filename") == 0 && !fr_str_eq(o->value, option->value))
            add_file(arena, o, option->value);
        else
            o->value = option->value;
        o->line = option->line;
        o->opposite = option->opposite;
        return false;
    }
    if (options->list.n >= FR_FIO_OPTIONS_MAX)
        return false;
    fr_list_add(&options->list, option);
    return true;
}

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

bool fr_fio_size(struct fr_str text, bool thousands, double *bytes)
{
    struct fr_str unit = fr_str_trim(text);
    double n;
    if (!fr_take_double(&unit, &n) || !fr_size_parse(text, bytes))
        return false;
    char letter = (char)(unit.n && unit.s[0] >= 'a' ? unit.s[0] - 32 : unit.n ? unit.s[0] : 'B');
    bool iec = unit.n == 3;
    if (letter != 'B')
        *bytes = n * fr_prefix_factor(fr_strn(&letter, 1), iec == thousands ? FR_KILO_1024 : FR_KILO_1000);
    return true;
}

/*
 * As fio prints a size: to four digits, `64.0KiB`, and with kb_base=1000 `65.5kB`. Of all sizes that print so a power
 * of two is meant, where there is one. *sure: no other size that anybody uses prints so. (`977KiB` may be 1000000, and
 * `1KiB` 512, with significant_figures=2; a K alone is fio's before 2.17, or a person's, and means what it says.)
 */
static bool printed_size(struct fr_str text, double *bytes, bool *sure)
{
    struct fr_str unit = fr_str_trim(text);
    double n, step = 1;
    if (!fr_take_double(&unit, &n) || !fr_size_parse(text, bytes))
        return false;
    if (unit.n == 2 && unit.s[1] == 'B') /* kB; fio before 2.17 prints K alone, and means 1024 */
        *bytes = n * fr_prefix_factor(fr_strn(unit.s, 1), FR_KILO_1000);
    size_t dot = fr_str_chr(text, '.');
    for (size_t i = dot + 1; dot != NOWHERE && i < text.n && fr_is_digit(text.s[i]); i++)
        step /= 10;
    double slack = n > 0 ? *bytes / n * step / 2 : 0, power = 512;
    while (power * 1.5 < *bytes && power < 0x1p60) /* the nearest */
        power *= 2;
    bool prefix = unit.n && n < *bytes, is_power = prefix && fabs(power - *bytes) <= slack, whole = n == floor(n);
    *bytes = is_power ? power : round(*bytes);
    *sure = !prefix || unit.n == 1 || ((is_power || fmod(*bytes, 4096) == 0) && slack <= *bytes / 8) ||
            (whole && slack < 256);
    return true;
}

/* Both ends of `4k-64k`, `4k:64k`; of one size it is both. */
static void cut_range(struct fr_str text, struct fr_str *first, struct fr_str *last)
{
    size_t cut = fr_str_chr(text, '-');
    if (cut == NOWHERE)
        cut = fr_str_chr(text, ':');
    *first = fr_str_range(text, 0, cut);
    *last = cut == NOWHERE ? *first : fr_str_from(text, cut + 1);
}

/* `4k`, or a range `4k-64k`; a range of one size is that size. NULL when it is none. */
static const char *spell_size(const struct target *t, struct fr_str text, bool printed)
{
    double low, high;
    char a[24], b[24];
    struct fr_str first, last;
    bool sure;
    cut_range(text, &first, &last);
    if (printed ? !printed_size(first, &low, &sure) || !printed_size(last, &high, &sure)
                : !fr_fio_size(first, t->thousands, &low) || !fr_fio_size(last, t->thousands, &high))
        return NULL;
    fr_size_format(low < high ? low : high, a);
    if (low == high)
        return fr_arena_strdup(&t->batch->arena, a);
    return fr_arena_printf(&t->batch->arena, "%s-%s", a, fr_size_format(low < high ? high : low, b));
}

/* Sizes of several directions, each as it can be spelled. */
static struct fr_str spell_sizes(const struct target *t, struct fr_str value)
{
    struct fr_strbuf all = FR_STRBUF_INIT;
    do {
        struct fr_str part = fr_take_until(&value, ',');
        const char *spelled = spell_size(t, part, false);
        if (all.len)
            fr_strbuf_addch(&all, ',');
        if (spelled)
            fr_strbuf_addstr(&all, spelled);
        else
            fr_strbuf_add(&all, part.s, part.n);
    } while (value.n);
    struct fr_str out = fr_strn(fr_arena_copy(&t->batch->arena, fr_strbuf_str(&all), all.len), all.len);
    fr_strbuf_release(&all);
    return out;
}

static void set(const struct target *t, const char *name, struct fr_str value, uint32_t line)
{
    fr_param_set(t->batch, t->run, t->test, name, value, t->origin, line);
}

/* bs, or one of each direction in use where they differ; false: there was one already, which stays. */
static bool set_blocks(const struct target *t, struct fr_str rw, const char *const sizes[3], uint32_t line)
{
    static const char *const names[] = {"bs_read", "bs_write", "bs_trim"};
    static const enum fr_op ops[] = {FR_OP_READ, FR_OP_WRITE, FR_OP_TRIM};
    unsigned used = fr_fio_rw_ops(rw);
    const char *first = NULL;
    bool differ = false, has = fr_param_get(t->test ? NULL : t->run, t->test, "bs") != NULL;
    for (size_t i = 0; i < 3; i++) {
        has = has || fr_param_get(t->test ? NULL : t->run, t->test, names[i]);
        if (used && !(used & 1U << ops[i]))
            continue;
        differ = differ || (first && strcmp(first, sizes[i]) != 0);
        first = first ? first : sizes[i];
    }
    if (has)
        return false;
    if (!differ)
        set(t, "bs", fr_str(first), line);
    for (size_t i = 0; i < 3 && differ; i++)
        if (!used || used & 1U << ops[i])
            set(t, names[i], fr_str(sizes[i]), line);
    return true;
}

static void set_given_blocks(const struct target *t, struct fr_str value, uint32_t line)
{
    const char *rw = fr_param_get(t->run, t->test, "rw"), *sizes[3] = {NULL};
    for (size_t i = 0; i < 3; i++) {
        bool given = value.n > 0 || i == 0;
        struct fr_str part = fr_str_trim(fr_take_until(&value, ','));
        sizes[i] = !part.n ? (given ? "4k" : sizes[i - 1]) : spell_size(t, part, false);
        if (!sizes[i])
            sizes[i] = fr_arena_copy(&t->batch->arena, part.s, part.n);
    }
    set_blocks(t, fr_str(rw ? rw : ""), sizes, line);
}

/* The comma in the middle of `4,5KiB`. */
static bool decimal_comma(struct fr_str text, size_t at)
{
    return at > 0 && at + 1 < text.n && fr_is_digit(text.s[at - 1]) && fr_is_digit(text.s[at + 1]);
}

/* The next size of a header, taken; in the arena, with decimal points. False: there are no more. */
static bool take_printed(struct fr_arena *arena, struct fr_str *printed, struct fr_str *size)
{
    while (printed->n) {
        size_t i = 0;
        while (i < printed->n && printed->s[i] != '/' && (printed->s[i] != ',' || decimal_comma(*printed, i)))
            i++;
        char *part = fr_arena_copy(arena, printed->s, i);
        for (char *p = part; *p; p++)
            *p = (char)(*p == ',' ? '.' : *p);
        *size = fr_str_trim(fr_str(part));
        if (size->n > 3 && size->s[0] == '(' && size->s[2] == ')')
            *size = fr_str_trim(fr_str_from(*size, 3));
        *printed = fr_str_from(*printed, i + 1);
        if (size->n)
            return true;
    }
    return false;
}

bool fr_fio_version(const char *version, uint64_t *major, uint64_t *minor)
{
    struct fr_str rest = fr_str(version);
    return fr_take_u64(&rest, major, NULL) && fr_take_ch(&rest, '.') && fr_take_u64(&rest, minor, NULL);
}

bool fr_fio_printed_bs(struct fr_batch *batch, struct fr_run *run, struct fr_test *test, struct fr_str rw,
                       struct fr_str printed, uint32_t line)
{
    struct target t = {.batch = batch, .run = run, .test = test, .origin = FR_FROM_FORMAT};
    struct fr_str size;
    const char *sizes[3];
    size_t n = 0;
    while (n < 3 && take_printed(&batch->arena, &printed, &size)) {
        sizes[n] = spell_size(&t, size, true);
        if (!sizes[n])
            break;
        n++;
    }
    for (size_t i = n; i < 3 && n; i++)
        sizes[i] = sizes[n - 1];
    return n && set_blocks(&t, rw, sizes, line);
}

bool fr_fio_printed_bs_is_sure(struct fr_arena *arena, struct fr_str printed)
{
    struct fr_str size, first, last;
    bool sure = true, last_sure = true;
    double bytes;
    while (sure && last_sure && take_printed(arena, &printed, &size)) {
        cut_range(size, &first, &last);
        if (!printed_size(first, &bytes, &sure) || !printed_size(last, &bytes, &last_sure))
            break;
    }
    return sure && last_sure;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

/* A time in seconds: fio's units, of which none means seconds. What is none stays. */
static struct fr_str spell_seconds(const struct target *t, struct fr_str value)
{
    double number;
    struct fr_str text = fr_str_trim(value);
    if (!fr_str_double(text, &number)) {
        if (!fr_usec_parse(text, &number))
            return value;
        number = number / 1e6;
    }
    return fr_str(fr_arena_printf(&t->batch->arena, "%.15g", number));
}

static void set_option(const struct target *t, const struct fr_fio_option *o, enum values values)
{
    char spelled[FR_USEC_MAX];
    double usec;
    struct fr_str value = o->value;
    switch (values) {
    case BLOCKS:
        set_given_blocks(t, value, o->line);
        return;
    case SIZE:
        value = spell_sizes(t, value);
        break;
    case SECONDS:
        value = spell_seconds(t, value);
        break;
    case MICROSECONDS:
        if (fr_usec_parse(value, &usec))
            value = fr_str(fr_usec_format(usec, spelled));
        break;
    case DIRECTION:
        value = fr_str_is(value, "readwrite") ? fr_str("rw") : value;
        break;
    case OPPOSITE:
        if (o->opposite)
            value = fr_str(fr_str_is(value, "0") ? "1" : "0");
        /* fall through */
    case PLAIN: /* a flag given without a value stands as "" */
        value = value.n ? value : fr_str("1");
        break;
    }
    set(t, o->name, value, o->line);
}

/* What others depend on comes first: rw says which directions have a block size, and bsrange wins over bs. */
static int pass_of(const struct fr_fio_option *o, enum values values)
{
    return values == DIRECTION ? 0 : strcmp(o->name, "bsrange") == 0 ? 1 : 2;
}

/* The base of the sizes behind this option. */
static bool thousands_after(const struct fr_fio_option *o, bool before)
{
    return strcmp(o->name, "kb_base") == 0 ? fr_str_is(o->value, "1000") : before;
}

static bool thousands_at_end(const struct fr_fio_options *options, bool before)
{
    if (options)
        fr_list_each (struct fr_fio_option, o, options->list)
            before = thousands_after(o, before);
    return before;
}

static void apply(struct target *t, const struct fr_fio_options *options, bool thousands, int pass)
{
    if (!options)
        return;
    t->thousands = options->job_file ? thousands_at_end(options, thousands) : thousands;
    fr_list_each (struct fr_fio_option, o, options->list) {
        const struct fact *fact = find(fr_str(o->name));
        enum values values = fact ? fact->values : PLAIN;
        t->thousands = thousands_after(o, t->thousands);
        if (pass_of(o, values) != pass)
            continue;
        if (t->origin == FR_FROM_SURROUND && fr_str_chr(o->value, '$') != NOWHERE &&
            strcmp(o->name, "filename_format") != 0)
            continue;
        set_option(t, o, values);
    }
}

void fr_fio_options_apply(struct fr_batch *batch, struct fr_run *run, struct fr_test *test,
                          const struct fr_fio_options *own, const struct fr_fio_options *all, enum fr_origin origin)
{
    struct target t = {.batch = batch, .run = run, .test = test, .origin = origin};
    const char *said = fr_param_get(run, test, "kb_base");
    bool thousands = said && strcmp(said, "1000") == 0;
    for (int pass = 0; pass < 3; pass++) {
        apply(&t, own, thousands_at_end(all, thousands), pass);
        apply(&t, all, thousands, pass);
    }
}
