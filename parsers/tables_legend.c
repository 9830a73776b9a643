/* tables_legend.c: see tables.h. The commands in the legend of a table. */
#include "fio_options.h"
#include "tables.h"

#include "banned.h"

enum { LEGEND_ABOVE = 80, LEGEND_BELOW = 30 };

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* A dd is sequential; it writes where of= names a file, else reads. */
static void dd_command(const struct fr_target *t, struct fr_str line, struct fr_words *w)
{
    struct fr_str to = {"", 0}, from = {"", 0};
    while (line.n) {
        struct fr_str word = fr_take_word(&line);
        if (fr_take(&word, "of="))
            to = word;
        else if (fr_take(&word, "if="))
            from = word;
        else if (fr_take(&word, "bs="))
            fr_dd_size(word, &w->bs);
        else if ((fr_take(&word, "oflag=") || fr_take(&word, "iflag=")) && fr_str_find(word, "direct") != (size_t)-1)
            fr_target_set(t, "direct", fr_str("1"));
    }
    w->op = to.n && !fr_str_is(to, "/dev/null") ? FR_OP_WRITE : from.n ? FR_OP_READ : w->op;
    w->sequential = true;
    w->random = false;
}

/* `--rw=write`, `-rw=write`, `--rw write`. */
static bool fio_option(struct fr_str *line, struct fr_str *key, struct fr_str *value)
{
    struct fr_str word = fr_take_word(line);
    if (!fr_take(&word, "--") && !fr_take(&word, "-"))
        return false;
    size_t eq = fr_str_chr(word, '=');
    *key = fr_str_range(word, 0, eq);
    if (eq != (size_t)-1) {
        *value = fr_str_from(word, eq + 1);
        return true;
    }
    struct fr_str rest = *line, next = fr_take_word(&rest);
    *value = fr_strn("", 0);
    if (next.n && *next.s != '-') {
        *value = next;
        *line = rest;
    }
    return true;
}

static void fio_rw(struct fr_str value, struct fr_words *w)
{
    struct fr_words from;
    fr_words_read(value, &from);
    w->op = from.op != FR_OP_NONE ? from.op : w->op;
    w->random = from.random;
    w->sequential = !from.random;
}

/* t NULL: only what the words need. */
static void fio_command(const struct fr_target *t, struct fr_str line, struct fr_words *w)
{
    static const char *const kept[] = {"iodepth", "numjobs", "ioengine", "direct", "runtime", "fsync", "size"};
    struct fr_fio_option pool[sizeof kept / sizeof *kept + 1];
    struct fr_fio_options options = {.list = {NULL, NULL, 0}, .job_file = false};
    while (line.n) {
        struct fr_str key, value;
        double bytes;
        if (!fio_option(&line, &key, &value) || !value.n)
            continue;
        const char *own = fr_fio_option_name(key);
        struct fr_str name = own ? fr_str(own) : key;
        if (fr_str_is(name, "rw"))
            fio_rw(value, w);
        else if (fr_str_is(name, "bs") && fr_fio_size(value, false, &bytes))
            w->bs = bytes;
        for (size_t i = 0; t && i < sizeof kept / sizeof *kept; i++)
            if (fr_str_is(name, kept[i])) {
                const char *copy = fr_arena_copy(&t->batch->arena, key.s, key.n);
                struct fr_fio_option *option = &pool[options.list.n];
                *option = (struct fr_fio_option){.name = copy, .value = value, .line = t->line};
                fr_fio_option_add(&t->batch->arena, &options, option);
            }
    }
    if (t)
        fr_fio_options_apply(t->batch, t->run, t->test, &options, NULL, FR_FROM_SURROUND);
}

/* The command of this name in a line, after prompts and sudo; *rest is what follows it. */
static bool is_command(struct fr_str line, const char *name, struct fr_str *rest)
{
    line = fr_str_trim(line);
    while (line.n) {
        struct fr_str word = fr_take_word(&line);
        if (fr_str_is(word, name)) {
            *rest = line;
            return true;
        }
        if (!fr_str_is(word, "$") && !fr_str_is(word, "#") && !fr_str_is(word, "sudo") && !fr_str_is(word, "time"))
            return false;
    }
    return false;
}

/* `4k write: dd ...`: is this the legend of that name? */
static bool legend(struct fr_str line, struct fr_str name, struct fr_str *command)
{
    line = fr_str_trim(line);
    while (line.n && memchr("*-+ `", *line.s, 5))
        line = fr_str_from(line, 1);
    if (line.n <= name.n || line.s[name.n] != ':')
        return false;
    for (size_t i = 0; i < name.n; i++)
        if (fr_lower(line.s[i]) != fr_lower(name.s[i]))
            return false;
    *command = fr_str_trim(fr_str_from(line, name.n + 1));
    return true;
}

static bool legend_line(const struct fr_doc *doc, size_t i, struct fr_str name, const struct fr_target *t,
                        struct fr_words *w)
{
    struct fr_str command, rest;
    struct fr_target at = *t;
    if (!legend(doc->lines[i].text, name, &command))
        return false;
    at.line = doc->lines[i].no;
    if (is_command(command, "dd", &rest))
        dd_command(&at, rest, w);
    else if (is_command(command, "fio", &rest))
        fio_command(&at, rest, w);
    else
        return false;
    return true;
}

/* The one fio command above that has this direction and block size; its other options are the test's. */
static void fio_above(const struct fr_doc *doc, size_t above, const struct fr_target *t, struct fr_words *w)
{
    struct fr_str found = {"", 0}, rest;
    uint32_t line = 0;
    if (w->op == FR_OP_NONE || w->bs == 0 || (!w->random && !w->sequential))
        return;
    for (size_t i = above; i-- > 0 && i + LEGEND_ABOVE > above;) {
        struct fr_words c = {.op = FR_OP_NONE};
        if (!is_command(doc->lines[i].text, "fio", &rest))
            continue;
        fio_command(NULL, rest, &c);
        if (c.op != w->op || c.random != w->random || c.bs != w->bs)
            continue;
        if (found.n && !fr_str_eq(found, rest))
            return; /* two: neither */
        found = rest;
        line = doc->lines[i].no;
    }
    struct fr_target at = *t;
    at.line = line;
    if (found.n)
        fio_command(&at, found, w);
}

void fr_legend_apply(const struct fr_doc *doc, size_t above, size_t below, struct fr_str name, bool of_fio,
                     struct fr_batch *batch, struct fr_run *run, struct fr_test *test, struct fr_words *w)
{
    struct fr_target t = {batch, run, test, FR_FROM_SURROUND, 0};
    if (!name.n)
        return;
    for (size_t i = above; i-- > 0 && i + LEGEND_ABOVE > above;)
        if (legend_line(doc, i, name, &t, w))
            return;
    for (size_t i = below + 1; i < doc->n && i < below + LEGEND_BELOW; i++)
        if (legend_line(doc, i, name, &t, w))
            return;
    if (of_fio)
        fio_above(doc, above, &t, w);
}
