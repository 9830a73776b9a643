/*
 * fio_text_cmd.c: the command line of a run, where a shell session shows it: `$ sudo fio --name=a --rw=read \`, with
 * continuation lines, single dashes, prompts of any kind. Options before the first --name hold for all jobs.
 */
#include "fio_text.h"

#include "banned.h"

#define NOWHERE ((size_t)-1)

enum { OPTIONS_MAX = 4096 };

/* Does a word before it leave `fio` the command? A prompt's end, sudo, time, a path. */
static bool starts_command(struct fr_str line, size_t at)
{
    if (at == 0)
        return true;
    char c = line.s[at - 1];
    return c == ' ' || c == '\t' || c == '/' || c == '>' || c == '$' || c == '#' || c == '`' || c == ';' || c == '\\' ||
           c == '\'' || c == '"';
}

/* Blanks, then an option or a job file. */
static bool has_arguments(struct fr_str rest)
{
    if (fr_take(&rest, ".exe") && !rest.n)
        return false;
    if (!rest.n || (rest.s[0] != ' ' && rest.s[0] != '\t'))
        return false;
    struct fr_str word = fr_take_word(&rest);
    if (word.n > 2 && word.s[0] == '-' && (fr_is_alpha(word.s[1]) || (word.s[1] == '-' && fr_is_alpha(word.s[2]))))
        return true;
    return fr_str_ends(word, ".fio") || fr_str_ends(word, ".job") || fr_str_ends(word, ".ini");
}

size_t ft_command_find(struct fr_str line)
{
    size_t from = 0;
    for (;;) {
        size_t at = fr_str_find(fr_str_from(line, from), "fio");
        if (at == NOWHERE)
            return NOWHERE;
        at += from;
        if (starts_command(line, at) && has_arguments(fr_str_from(line, at + 3)))
            return at;
        from = at + 3;
    }
}

/* One shell word: quotes and backslashes taken off. False at the end. */
static bool shell_word(struct fr_arena *arena, struct fr_str *s, struct fr_str *out)
{
    fr_take_blanks(s);
    while (s->n && *s->s == '\\' &&
           (s->n == 1 || strchr(" \t\\", s->s[1]))) { /* a continuation that lost its line end */
        *s = fr_str_from(*s, 1);
        fr_take_blanks(s);
    }
    if (!s->n || *s->s == '#' || *s->s == '|' || *s->s == ';' || *s->s == '`' || *s->s == '&')
        return false;
    char *word = fr_arena_alloc(arena, s->n + 1), quote = 0;
    size_t n = 0, i = 0;
    for (; i < s->n; i++) {
        char c = s->s[i];
        if (quote) {
            if (c == quote)
                quote = 0;
            else
                word[n++] = c;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '\\' && i + 1 < s->n && s->s[i + 1] == '-') {
            continue; /* `\--size`: a continuation whose line ends were lost */
        } else if (strchr(" \t`;|&", c)) {
            break;
        } else {
            word[n++] = c;
        }
    }
    *s = fr_str_from(*s, i);
    *out = fr_strn(word, n);
    return true;
}

/* Options of the program, which say nothing about a job. */
static bool program_option(struct fr_str key)
{
    static const char *const keys[] = {"output",
                                       "output-format",
                                       "minimal",
                                       "append-terse",
                                       "eta",
                                       "eta-newline",
                                       "eta-interval",
                                       "client",
                                       "server",
                                       "status-interval",
                                       "debug",
                                       "parse-only",
                                       "version",
                                       "help",
                                       "cmdhelp",
                                       "enghelp",
                                       "showcmd",
                                       "readonly",
                                       "section",
                                       "max-jobs",
                                       "bandwidth-log",
                                       "latency-log",
                                       "terse-version",
                                       "alloc-size",
                                       "warnings-fatal",
                                       "daemonize",
                                       "aux-path",
                                       "trigger-file",
                                       "trigger-timeout",
                                       "trigger",
                                       "trigger-remote",
                                       "idle-prof",
                                       "inflate-log",
                                       "crctest",
                                       "cpuclock-test",
                                       "remote-config",
                                       "profile",
                                       "merge-blktrace-only",
                                       "name"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (fr_str_is(key, keys[i]))
            return true;
    return false;
}

static void add_option(struct ft_scan *s, struct ft_command *c, struct fr_str key, struct fr_str value)
{
    if (fr_str_is(key, "name") || !c->sections.head) {
        struct ft_section *section = fr_arena_new(&s->arena, struct ft_section);
        fr_list_add(&c->sections, section);
        if (fr_str_is(key, "name")) {
            section->name = value;
            return;
        }
    }
    if (program_option(key))
        return;
    ft_section_add(s, c->sections.tail, key, value);
}

const struct ft_command *ft_command_parse(struct ft_scan *s, struct fr_str text, bool loop)
{
    struct ft_command *c = fr_arena_new(&s->arena, struct ft_command);
    struct fr_str word, next;
    text = fr_str_trim(text);
    c->line = s->line;
    c->index = s->index;
    c->loop = loop;
    c->text = fr_arena_copy(&s->batch->arena, text.s, text.n);
    shell_word(&s->arena, &text, &word); /* fio itself */
    for (int i = 0; i < OPTIONS_MAX && shell_word(&s->arena, &text, &word); i++) {
        if (word.n < 2 || word.s[0] != '-') {
            c->file = c->file || fr_str_chr(word, '.') != NOWHERE;
            continue;
        }
        struct fr_str key = fr_str_from(word, word.s[1] == '-' ? 2 : 1), value = fr_str("1");
        size_t eq = fr_str_chr(key, '=');
        if (eq != NOWHERE) {
            value = fr_str_from(key, eq + 1);
            key = fr_str_range(key, 0, eq);
        } else {
            /* `--name X`: the next word, unless it is an option or a job file. */
            struct fr_str rest = text;
            if (shell_word(&s->arena, &rest, &next) && next.n && next.s[0] != '-' && !fr_str_ends(next, ".fio") &&
                !fr_str_ends(next, ".job")) {
                value = next;
                text = rest;
            }
        }
        add_option(s, c, key, value);
    }
    return c;
}

/* A name of one of fio's options that people tell a run by. */
static bool tells(struct fr_str key)
{
    static const char *const plain[] = {"rw",       "readwrite", "bs",         "blocksize",      "iodepth", "direct",
                                        "numjobs",  "ioengine",  "rwmixread",  "runtime",        "size",    "ramp_time",
                                        "filename", "filesize",  "time_based", "group_reporting"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (fr_str_is(key, plain[i]))
            return true;
    return false;
}

/* `option = value` at the start of the line, taken with what parts it from the next one; false: none of fio's. */
static bool take_option(struct fr_str *line, struct fr_str *key, struct fr_str *value)
{
    size_t n = 0;
    while (n < line->n && (fr_is_alpha(line->s[n]) || fr_is_digit(line->s[n]) || line->s[n] == '_'))
        n++;
    *key = fr_str_range(*line, 0, n);
    *line = fr_str_ltrim(fr_str_from(*line, n));
    if (!n || !fr_take_ch(line, '=') || !tells(*key))
        return false;
    *line = fr_str_ltrim(*line);
    for (n = 0; n < line->n && !strchr(" \t,;", line->s[n]);)
        n++;
    *value = fr_str_range(*line, 0, n);
    for (*line = fr_str_from(*line, n); line->n && strchr(" \t,;", *line->s);)
        *line = fr_str_from(*line, 1);
    return value->n > 0;
}

/* Has the command any option that says what its run was? `kubestr fio -s CLASS` has none. */
static bool says(const struct ft_command *command)
{
    fr_list_each (struct ft_section, x, command->sections)
        fr_list_each (struct fr_fio_option, o, x->options.list)
            if (tells(fr_str(o->name)))
                return true;
    return command->file;
}

bool ft_options_line(struct ft_scan *s, struct fr_str line)
{
    struct fr_str key, value, rest = line;
    size_t n = 0;
    for (; rest.n; n++)
        if (!take_option(&rest, &key, &value))
            return false;
    bool begun = s->r.run && s->r.jobs.n && !s->r.block && !s->r.bare && !s->r.group;
    if (n < 2 || (s->command && says(s->command)) || begun) /* with headers of jobs: these say what they do */
        return false;
    ft_run_end(s);
    struct ft_command *c = fr_arena_new(&s->arena, struct ft_command);
    struct ft_section *section = fr_arena_new(&s->arena, struct ft_section);
    fr_list_add(&c->sections, section);
    c->line = s->line;
    c->index = s->index;
    while (take_option(&line, &key, &value))
        ft_section_add(s, section, key, value);
    s->command = c;
    return true;
}

struct fr_str ft_command_only_job(const struct ft_command *command)
{
    struct fr_str name = fr_str("");
    size_t named = 0;
    if (!command || command->file)
        return name;
    fr_list_each (struct ft_section, x, command->sections)
        if (x->name.n) {
            name = x->name;
            named++;
        }
    return named == 1 ? name : fr_str("");
}

void ft_command_params(struct ft_scan *s, struct fr_test *test)
{
    const struct ft_command *c = s->r.command;
    const struct ft_section *own = NULL;
    bool named = false;
    if (!c)
        return;
    fr_list_each (struct ft_section, x, c->sections) {
        named = named || x->name.n;
        if (!own && x->name.n && fr_str_is(x->name, test->name))
            own = x;
    }
    if (named && !own && *test->name) { /* another command's jobs */
        if (!c->file)
            s->r.command = NULL;
        return;
    }
    ft_section_apply(s, test, ft_is_many(s, test) ? NULL : own,
                     c->sections.head && !c->sections.head->name.n ? c->sections.head : NULL);
}
