/* opt.c: parsing the command line. See opt.h. */
#include "opt.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>

#include "banned.h"

enum { WORD_MAX = 64 }; /* of an option in a message */

struct parser {
    struct fr_args *args;
    int argc;
    char **argv;
    int i; /* the next argument */
};

bool fr_opt_on(const struct fr_opt *opt, const struct fr_command *command)
{
    return opt->commands == FR_ON_ALL || (command && (opt->commands & command->bit));
}

const struct fr_command *fr_command_find(const char *name)
{
    for (const struct fr_command *c = fr_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

/* ---- suggestions ------------------------------------------------------------------------------------------------- */

const char *fr_command_name(const void *ctx, size_t i)
{
    (void)ctx;
    return fr_commands[i].name;
}

/* The i-th option of the command. */
static const char *option_name(const void *ctx, size_t i)
{
    for (const struct fr_opt *o = fr_opts; o->name; o++)
        if (fr_opt_on(o, ctx) && i-- == 0)
            return o->name;
    return NULL;
}

static const char *choice_word(const void *ctx, size_t i)
{
    return ((const char *const *)ctx)[i];
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static int complain(const struct fr_args *args, const char *format, ...)
{
    char *text = NULL;
    va_list ap;
    va_start(ap, format);
    int n = vasprintf(&text, format, ap);
    va_end(ap);
    fputs("fioreport: error: ", stderr);
    fr_put_safe(n >= 0 ? text : format, stderr);
    if (args->command)
        fprintf(stderr, "\nTry 'fioreport %s --help'.\n", args->command->name);
    else
        fputs("\nTry 'fioreport --help'.\n", stderr);
    if (n >= 0)
        free(text);
    return FR_USAGE;
}

/* Does some other command know this option? */
static const struct fr_command *command_with(const char *name, size_t n)
{
    for (const struct fr_command *c = fr_commands; c->name; c++)
        for (const struct fr_opt *o = fr_opts; o->name; o++)
            if (fr_opt_on(o, c) && strncmp(o->name, name, n) == 0 && o->name[n] == 0)
                return c;
    return NULL;
}

static int unknown_option(const struct parser *p, const char *name, size_t n)
{
    const struct fr_args *args = p->args;
    char word[WORD_MAX + 1];
    snprintf(word, sizeof word, "%.*s", (int)n, name);
    const char *near = fr_nearest(word, option_name, args->command);
    if (near)
        return complain(args, "unknown option --%s; did you mean --%s?", word, near);
    const struct fr_command *other = command_with(name, n);
    if (other && args->command)
        return complain(args, "'%s' has no option --%s; 'fioreport %s' has", args->command->name, word, other->name);
    if (other)
        return complain(args, "--%s stands after a command: 'fioreport %s --%s'", word, other->name, word);
    return complain(args, "unknown option --%s", word);
}

/* ---- one option -------------------------------------------------------------------------------------------------- */

static bool split_choices(const char *choices, char *copy, size_t n, const char **words, size_t max)
{
    size_t used = 0;
    snprintf(copy, n, "%s", choices);
    for (char *s = copy; *s && used + 1 < max;) {
        words[used++] = s;
        s += strcspn(s, " ");
        if (*s)
            *s++ = 0;
    }
    words[used] = NULL;
    return used > 0;
}

static int check_choice(const struct fr_args *args, const struct fr_opt *opt, const char *value)
{
    char copy[256];
    const char *words[33];
    if (!value)
        return 0;
    split_choices(opt->choices, copy, sizeof copy, words, 33);
    for (size_t i = 0; words[i]; i++)
        if (strcmp(words[i], value) == 0)
            return 0;
    const char *near = fr_nearest(value, choice_word, words);
    if (near)
        return complain(args, "--%s cannot be '%s'; did you mean '%s'?", opt->name, value, near);
    return complain(args, "--%s cannot be '%s'; it is one of: %s", opt->name, value, opt->choices);
}

/* Words that the library lists are checked here, so that no file is read in vain. */
static int check_listed(const struct fr_args *args, const struct fr_opt *opt, const char *value)
{
    const char *word;
    if (!fr_opt_word(opt->complete, 0))
        return 0;
    for (size_t i = 0; (word = fr_opt_word(opt->complete, i)) != NULL; i++)
        if (strcmp(word, value) == 0)
            return 0;
    const char *near = fr_nearest(value, fr_opt_word, opt->complete);
    if (near)
        return complain(args, "--%s cannot be '%s'; did you mean '%s'?", opt->name, value, near);
    char all[512] = "";
    for (size_t i = 0, n = 0; (word = fr_opt_word(opt->complete, i)) != NULL && n < sizeof all; i++)
        n += (size_t)snprintf(all + n, sizeof all - n, " %s", word);
    return complain(args, "--%s cannot be '%s'; it is one of:%s", opt->name, value, all);
}

static int set_number(const struct fr_args *args, const struct fr_opt *opt, void *at, const char *value)
{
    char *end;
    errno = 0;
    double x = strtod(value, &end);
    bool whole = opt->kind == FR_OPT_REAL || x == floor(x);
    if (end == value || *end || errno || !isfinite(x) || !whole || x < opt->min || x > opt->max)
        return complain(args, "--%s takes a %snumber from %g to %g, not '%s'", opt->name,
                        opt->kind == FR_OPT_INT ? "whole " : "", opt->min, opt->max, value);
    if (opt->kind == FR_OPT_INT)
        *(int *)at = (int)x;
    else
        *(double *)at = x;
    return 0;
}

static void add_word(struct fr_words *words, const char *word)
{
    words->word[words->n++] = word;
}

static int set_option(struct parser *p, const struct fr_opt *opt, const char *value)
{
    void *at = (char *)p->args + opt->at;
    int bad = opt->choices ? check_choice(p->args, opt, value) : opt->complete ? check_listed(p->args, opt, value) : 0;
    if (bad)
        return bad;
    switch (opt->kind) {
    case FR_OPT_FLAG:
        *(bool *)at = true;
        return 0;
    case FR_OPT_COUNT:
        ++*(int *)at;
        return 0;
    case FR_OPT_TEXT:
        *(const char **)at = value;
        return 0;
    case FR_OPT_LIST:
        add_word(at, value);
        return 0;
    case FR_OPT_INT:
    case FR_OPT_REAL:
        return set_number(p->args, opt, at, value);
    }
    return 0;
}

/* ---- finding options --------------------------------------------------------------------------------------------- */

/* The option whose name is, or alone begins with, these n characters. *several: more than one begins so. */
static const struct fr_opt *find_long(const struct fr_command *command, const char *name, size_t n,
                                      const struct fr_opt **several)
{
    const struct fr_opt *found = NULL;
    *several = NULL;
    for (const struct fr_opt *o = fr_opts; o->name; o++) {
        if (!fr_opt_on(o, command) || strncmp(o->name, name, n) != 0)
            continue;
        if (o->name[n] == 0) {
            *several = NULL;
            return o;
        }
        if (found)
            *several = o;
        else
            found = o;
    }
    return n ? found : NULL;
}

static const struct fr_opt *find_letter(const struct fr_command *command, char letter)
{
    for (const struct fr_opt *o = fr_opts; o->name; o++)
        if (o->letter == letter && fr_opt_on(o, command))
            return o;
    return NULL;
}

/* `--name`, `--name=value`, `--name value`; p->i stands after the word. */
static int parse_long(struct parser *p, const char *word)
{
    const char *name = word + 2, *equals = strchr(name, '=');
    size_t n = equals ? (size_t)(equals - name) : strlen(name);
    const struct fr_opt *several, *opt = find_long(p->args->command, name, n, &several);
    if (!opt)
        return unknown_option(p, name, n);
    if (several)
        return complain(p->args, "--%.*s may be --%s or --%s", (int)n, name, opt->name, several->name);
    if (!opt->arg) {
        if (equals)
            return complain(p->args, "--%s takes no value", opt->name);
        return set_option(p, opt, NULL);
    }
    if (equals)
        return set_option(p, opt, equals + 1);
    if (p->i >= p->argc)
        return complain(p->args, "--%s needs a value: --%s %s", opt->name, opt->name, opt->arg);
    return set_option(p, opt, p->argv[p->i++]);
}

/* `-a`, `-abc`, `-oFILE`, `-o FILE`. */
static int parse_letters(struct parser *p, const char *word)
{
    for (const char *s = word + 1; *s; s++) {
        const struct fr_opt *opt = find_letter(p->args->command, *s);
        if (!opt)
            return complain(p->args, "unknown option -%.*s", (unsigned char)*s < 0x80 ? 1 : 8, s);
        if (!opt->arg) {
            int bad = set_option(p, opt, NULL);
            if (bad)
                return bad;
            continue;
        }
        if (s[1])
            return set_option(p, opt, s[1] == '=' ? s + 2 : s + 1);
        if (p->i >= p->argc)
            return complain(p->args, "-%c needs a value: -%c %s", *s, *s, opt->arg);
        return set_option(p, opt, p->argv[p->i++]);
    }
    return 0;
}

static int parse_command(struct parser *p, const char *word)
{
    p->args->command = fr_command_find(word);
    if (p->args->command)
        return 0;
    const char *near = fr_nearest(word, fr_command_name, NULL);
    if (near)
        return complain(p->args, "unknown command '%s'; did you mean '%s'?", word, near);
    return complain(p->args, "unknown command '%s'", word);
}

static int parse_words(struct parser *p)
{
    bool options = true;
    int bad = 0;
    while (!bad && p->i < p->argc) {
        const char *word = p->argv[p->i++];
        if (options && strcmp(word, "--") == 0)
            options = false;
        else if (options && word[0] == '-' && word[1] == '-')
            bad = parse_long(p, word);
        else if (options && word[0] == '-' && word[1])
            bad = parse_letters(p, word);
        else if (!p->args->command)
            bad = parse_command(p, word);
        else
            add_word(&p->args->operands, word);
    }
    return bad;
}

/* ---- the command line as a line ---------------------------------------------------------------------------------- */

static void put_quoted(const char *word, FILE *out)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

static char *quote_line(int argc, char **argv)
{
    char *line = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&line, &n);
    if (!out)
        return NULL;
    fputs("fioreport", out);
    for (int i = 1; i < argc; i++) {
        fputc(' ', out);
        put_quoted(argv[i], out);
    }
    fclose(out);
    return line;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

/* What the library's structs repeat of what was parsed. */
static void finish(struct fr_args *args)
{
    args->ingest.tags = args->changes.tags = args->tags.word;
    args->ingest.tags_n = args->changes.tags_n = args->tags.n;
    if (args->verbose)
        args->ingest.explain = true;
    args->query.where = args->where.word;
    args->query.where_n = args->where.n;
    args->query.baseline_values = args->baseline_values.word;
    args->query.baseline_values_n = args->baseline_values.n;
    if (args->units)
        args->query.units = strcmp(args->units, "iec") == 0  ? FR_UNIT_IEC
                            : strcmp(args->units, "si") == 0 ? FR_UNIT_SI
                                                             : FR_UNIT_AUTO;
    args->query.command = args->line;
    args->chart.force = args->force;
}

int fr_args_parse(struct fr_args *args, int argc, char **argv)
{
    memset(args, 0, sizeof *args);
    /* Each list can hold every word: no list ever grows. */
    size_t room = argc > 0 ? (size_t)argc : 1;
    struct fr_words *lists[] = {&args->operands, &args->tags, &args->where, &args->baseline_values};
    args->words = calloc(room * 4, sizeof *args->words);
    args->line = quote_line(argc, argv);
    if (!args->words || !args->line)
        return complain(args, "out of memory");
    for (size_t i = 0; i < 4; i++)
        lists[i]->word = args->words + i * room;
    struct parser p = {.args = args, .argc = argc, .argv = argv, .i = 1};
    int bad = parse_words(&p);
    if (!bad)
        finish(args);
    return bad;
}

void fr_args_release(struct fr_args *args)
{
    free(args->words);
    free(args->line);
    memset(args, 0, sizeof *args);
}
