/* cmd_help.c: help, --help, --version, and the lists of what exists. */
#include "opt.h"

#include "banned.h"

static void list_options(void)
{
    for (const struct fr_command *c = fr_commands; c->name; c++)
        for (const struct fr_opt *o = fr_opts; o->name; o++) {
            if (!fr_opt_on(o, c))
                continue;
            printf("%s --%s%s%s", c->name, o->name, o->arg ? " " : "", o->arg ? o->arg : "");
            if (o->letter)
                printf(" -%c", o->letter);
            putchar('\n');
        }
}

/* The distinct first words of what the query gives: completion, so all trouble is silence. */
static void list_from_database(const struct fr_args *args, const char *sql)
{
    struct fr_log silent = {.say = NULL};
    struct fr_store *store = fr_store_open(fr_db_path(args), FR_STORE_READ, &silent);
    if (!store)
        return;
    struct fr_table *table = fr_query_sql(store, sql, &silent);
    char *text = NULL;
    size_t n = 0;
    FILE *out = table ? open_memstream(&text, &n) : NULL;
    if (out) {
        fr_table_write(table, "tsv", out, &silent);
        fclose(out);
        char *body = strchr(text, '\n'); /* the head is no word */
        fputs(body ? body + 1 : "", stdout);
    }
    free(text);
    fr_table_free(table);
    fr_store_close(store);
}

static void list_keys(const struct fr_args *args)
{
    static const char *const keys[] = {"label", "test", "op",   "metric",       "source",
                                       "run",   "tool", "host", "tool_version", "title"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        puts(keys[i]);
    list_from_database(args, "SELECT DISTINCT key FROM params ORDER BY key");
}

static int list_words(const struct fr_args *args)
{
    const char *what = args->list, *help, *name;
    struct fr_metric_info metric;
    struct fr_format_info format;
    enum fr_shape shape;
    if (strcmp(what, "commands") == 0)
        for (const struct fr_command *c = fr_commands; c->name; c++)
            puts(c->name);
    else if (strcmp(what, "options") == 0)
        list_options();
    else if (strcmp(what, "metrics") == 0)
        for (size_t i = 0; fr_metric_info(i, &metric); i++)
            printf("%s\nread.%s\nwrite.%s\n", metric.name, metric.name, metric.name);
    else if (strcmp(what, "formats") == 0)
        for (size_t i = 0; fr_format_info(i, &format); i++)
            puts(format.name);
    else if (strcmp(what, "dialects") == 0)
        for (size_t i = 0; (name = fr_dialect_name(i, &help)) != NULL; i++)
            puts(name);
    else if (strcmp(what, "kinds") == 0)
        for (size_t i = 0; (name = fr_chart_kind_name(i, &help, &shape)) != NULL; i++)
            puts(name);
    else if (strcmp(what, "keys") == 0)
        list_keys(args);
    else
        list_from_database(args, "SELECT DISTINCT label FROM runs ORDER BY label");
    return FR_DONE;
}

static int help_operand(const struct fr_args *args, struct fr_console *console)
{
    const char *name = args->operands.word[0];
    const struct fr_command *command = fr_command_find(name);
    if (command) {
        fr_help_command(command, stdout);
        return FR_DONE;
    }
    const char *near = fr_nearest(name, fr_command_name, NULL);
    fr_console_error(console, near ? "unknown command '%s'; did you mean '%s'?" : "unknown command '%s'", name, near);
    return FR_USAGE;
}

int fr_cmd_help(const struct fr_args *args, struct fr_console *console)
{
    bool is_help = args->command && args->command->bit == FR_ON_HELP;
    if (args->version) {
        printf("fioreport %s\n%s\n", FR_VERSION, fr_library_versions());
        return FR_DONE;
    }
    if (!args->command && !args->help) {
        fputs("Usage: fioreport COMMAND [OPTION...] [OPERAND...]\nTry 'fioreport --help'.\n", stderr);
        return FR_USAGE;
    }
    if (args->list)
        return list_words(args);
    if (args->man)
        fr_help_man(stdout);
    else if (args->completion)
        fr_help_completion(args->completion, stdout);
    else if (is_help && args->operands.n)
        return help_operand(args, console);
    else if (!args->command || (is_help && !args->help))
        fr_help_program(stdout);
    else
        fr_help_command(args->command, stdout);
    return FR_DONE;
}
