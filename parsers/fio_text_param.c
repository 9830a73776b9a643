/*
 * fio_text_param.c: params of a test: from its header, its run's command line, a job file shown above it. One name for
 * aliases, one spelling for sizes and times.
 */
#include "fio_text.h"

#include "latency_target.h"

#include "banned.h"

#define NOWHERE ((size_t)-1)

static void set(struct ft_scan *s, struct fr_test *test, const char *key, struct fr_str value, enum fr_origin origin,
                uint32_t line)
{
    fr_param_set(s->batch, s->r.run, test, key, value, origin, line);
}

/* ---- block sizes ------------------------------------------------------------------------------------------------- */

/* `4096B-4096B`, `4K-64K`, `4-4`, one size: its canonical spelling; NULL when it is none. */
static const char *block_range(struct ft_scan *s, struct fr_str text)
{
    double a, b;
    char low[24], high[24];
    char *copy = fr_arena_copy(&s->arena, text.s, text.n);
    for (size_t i = 0; i < text.n; i++)
        copy[i] = copy[i] == ',' ? '.' : copy[i];
    struct fr_str rest = fr_str_trim(fr_str(copy)), first = fr_take_until(&rest, '-');
    if (!fr_size_parse(first, &a))
        return NULL;
    if (!rest.n)
        b = a;
    else if (!fr_size_parse(rest, &b))
        return NULL;
    fr_size_format(a, low);
    if (a == b)
        return fr_arena_strdup(&s->arena, low);
    return fr_arena_printf(&s->arena, "%s-%s", low, fr_size_format(b, high));
}

static bool decimal_comma(struct fr_str text, size_t at)
{
    return at > 0 && at + 1 < text.n && fr_is_digit(text.s[at - 1]) && fr_is_digit(text.s[at + 1]);
}

/*
 * The ranges of `(R) 4096B-4096B, (W) ..., (T) ...`, `4K-4K/4K-4K/4K-4K`, `4KiB-4KiB,4KiB-4KiB`, `8k,4k`. A missing one
 * at the end is the last given. How many were given.
 */
static size_t block_ranges(struct ft_scan *s, struct fr_str text, const char *spelled[3])
{
    size_t n = 0;
    while (text.n && n < 3) {
        size_t i = 0;
        while (i < text.n && text.s[i] != '/' && (text.s[i] != ',' || decimal_comma(text, i)))
            i++;
        struct fr_str part = fr_str_trim(fr_str_range(text, 0, i));
        text = fr_str_from(text, i + 1);
        if (part.n > 3 && part.s[0] == '(' && part.s[2] == ')')
            part = fr_str_trim(fr_str_from(part, 3));
        if (!part.n)
            continue;
        spelled[n] = block_range(s, part);
        if (!spelled[n])
            break;
        n++;
    }
    for (size_t i = n; i < 3 && n; i++)
        spelled[i] = spelled[n - 1];
    return n;
}

/* `bs`, or one of each direction that the mode has where they differ. */
static void set_bs(struct ft_scan *s, struct fr_test *test, struct fr_str rw, struct fr_str bs, enum fr_origin origin,
                   uint32_t line)
{
    static const char *const keys[] = {"bs_read", "bs_write", "bs_trim"};
    const char *spelled[3];
    bool wanted[3] = {fr_str_ends(rw, "read") || fr_str_ends(rw, "rw") || fr_str_is(rw, "readwrite"),
                      fr_str_ends(rw, "write") || fr_str_ends(rw, "rw"),
                      fr_str_starts(rw, "trim") || fr_str_starts(rw, "randtrim")};
    bool any = wanted[0] || wanted[1] || wanted[2], differ = false;
    size_t first = 3;
    if (fr_param_get(NULL, test, "bs") || fr_param_get(NULL, test, "bs_read") || fr_param_get(NULL, test, "bs_write"))
        return;
    if (!block_ranges(s, bs, spelled))
        return;
    for (size_t i = 0; i < 3; i++) {
        wanted[i] = wanted[i] || !any;
        differ = differ || (wanted[i] && first < 3 && strcmp(spelled[i], spelled[first]) != 0);
        first = wanted[i] && first == 3 ? i : first;
    }
    if (!differ)
        set(s, test, "bs", fr_str(spelled[first]), origin, line);
    for (size_t i = 0; i < 3 && differ; i++)
        if (wanted[i])
            set(s, test, keys[i], fr_str(spelled[i]), origin, line);
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

enum kind { PLAIN, SIZE, SECONDS, USEC, BLOCK, NEGATED };

/* fio's aliases (its manual), and which values have a canonical spelling. */
static const struct option {
    const char *key, *name;
    enum kind kind;
} known[] = {{"readwrite", "rw", PLAIN},
             {"bs", "bs", BLOCK},
             {"blocksize", "bs", BLOCK},
             {"bsrange", "bs", BLOCK},
             {"blocksize_range", "bs", BLOCK},
             {"ba", "ba", SIZE},
             {"blockalign", "ba", SIZE},
             {"blocksize_unaligned", "bs_unaligned", PLAIN},
             {"size", "size", SIZE},
             {"filesize", "filesize", SIZE},
             {"io_size", "io_size", SIZE},
             {"io_limit", "io_size", SIZE},
             {"offset", "offset", SIZE},
             {"offset_increment", "offset_increment", SIZE},
             {"zonesize", "zonesize", SIZE},
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
             {"wait_for_previous", "stonewall", PLAIN}};

/* A time in seconds: fio's units, of which none means seconds. */
static struct fr_str in_seconds(struct ft_scan *s, struct fr_str value)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}, {"ms", 1e-3}, {"us", 1e-6}};
    struct fr_str rest = value;
    double number;
    if (fr_take_double(&rest, &number))
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (fr_str_is_nocase(rest, units[i].unit))
                return fr_str(fr_arena_printf(&s->arena, "%.15g", number * units[i].seconds));
    return value;
}

static void set_option(struct ft_scan *s, struct fr_test *test, const struct ft_option *o, uint32_t line)
{
    struct option option = {o->key, o->key, PLAIN};
    struct fr_str value = o->value;
    const char *rw = fr_param_get(NULL, test, "rw"), *range;
    char spelled[FR_USEC_MAX];
    double usec;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].key, o->key) == 0)
            option = known[i];
    switch (option.kind) {
    case BLOCK:
        set_bs(s, test, fr_str(rw ? rw : ""), value, FR_FROM_SURROUND, line);
        return;
    case SIZE: /* what is no size (50%) stays as it is */
        range = block_range(s, value);
        value = range ? fr_str(range) : value;
        break;
    case SECONDS:
        value = in_seconds(s, value);
        break;
    case USEC:
        if (fr_usec_parse(value, &usec))
            value = fr_str(fr_usec_format(usec, spelled));
        break;
    case NEGATED:
        value = fr_str(fr_str_is(value, "0") ? "1" : "0");
        break;
    case PLAIN:
        if (strcmp(option.name, "rw") == 0 && fr_str_is(value, "readwrite"))
            value = fr_str("rw");
        break;
    }
    set(s, test, option.name, value, FR_FROM_SURROUND, line);
}

void ft_section_apply(struct ft_scan *s, struct fr_test *test, const struct ft_section *section, uint32_t line)
{
    for (int pass = 0; pass < 2; pass++) /* the direction first: block sizes depend on it */
        fr_list_each (struct ft_option, o, section->options) {
            bool direction = strcmp(o->key, "rw") == 0 || strcmp(o->key, "readwrite") == 0;
            if (direction == (pass == 0))
                set_option(s, test, o, line);
        }
}

/* ---- job file ---------------------------------------------------------------------------------------------------- */

/* `key=value` or a flag, as job files have it. */
static bool file_option(struct fr_str line, struct fr_str *key, struct fr_str *value)
{
    size_t i = 0;
    while (i < line.n && (fr_is_alpha(line.s[i]) || fr_is_digit(line.s[i]) || line.s[i] == '_'))
        i++;
    *key = fr_str_range(line, 0, i);
    struct fr_str rest = fr_str_trim(fr_str_from(line, i));
    if (i < 2 || !fr_is_alpha(line.s[0]))
        return false;
    *value = fr_str("1");
    if (!rest.n)
        return true;
    if (!fr_take_ch(&rest, '='))
        return false;
    *value = fr_str_trim(rest);
    return true;
}

bool ft_job_file_line(struct ft_scan *s, struct fr_str line)
{
    struct fr_str key, value;
    if (line.n > 2 && line.s[0] == '[' && line.s[line.n - 1] == ']') {
        struct ft_section *section = fr_arena_new(&s->arena, struct ft_section);
        struct fr_str name = fr_str_range(line, 1, line.n - 1);
        section->name = fr_str(fr_arena_copy(&s->arena, name.s, name.n));
        section->line = s->line;
        if (!s->in_file) {
            memset(&s->file, 0, sizeof s->file);
            s->file_first = s->index;
        }
        s->file_last = s->index;
        fr_list_add(&s->file, section);
        s->in_file = true;
        return true;
    }
    if (!s->in_file || *line.s == '#' || *line.s == ';')
        return s->in_file;
    if (!file_option(line, &key, &value)) {
        s->in_file = false;
        return false;
    }
    struct ft_option *o = fr_arena_new(&s->arena, struct ft_option);
    o->key = fr_arena_copy(&s->arena, key.s, key.n);
    o->value = fr_str(fr_arena_copy(&s->arena, value.s, value.n));
    fr_list_add(&s->file.tail->options, o);
    s->file_last = s->index;
    return true;
}

/* The section of that name, and [global]; only where the section is there. */
static void apply_file(struct ft_scan *s, struct fr_test *test)
{
    const struct ft_section *own = NULL;
    fr_list_each (struct ft_section, x, s->file)
        if (fr_str_is(x->name, test->name))
            own = x;
    if (!own || !*test->name)
        return;
    fr_doc_claim(s->doc, s->file_first, s->file_last, s->owner, FR_LINE_NOISE);
    ft_section_apply(s, test, own, own->line);
    fr_list_each (struct ft_section, x, s->file)
        if (fr_str_is(x->name, "global"))
            ft_section_apply(s, test, x, x->line);
}

void ft_params_apply(struct ft_scan *s, struct fr_test *test)
{
    const struct ft_job *job = ft_job_find(s, test);
    if (job) {
        set(s, test, "rw", job->rw, FR_FROM_FORMAT, job->line);
        set_bs(s, test, job->rw, job->bs, FR_FROM_FORMAT, job->line);
        set(s, test, "ioengine", job->ioengine, FR_FROM_FORMAT, job->line);
        set(s, test, "iodepth", job->iodepth, FR_FROM_FORMAT, job->line);
    }
    ft_command_params(s, test);
    apply_file(s, test);
}
