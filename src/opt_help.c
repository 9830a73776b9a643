/* opt_help.c: --help. See opt.h. */
#include "opt.h"

#include "banned.h"

enum { WIDTH = 80, OPTION_COLUMN = 28, COMMAND_COLUMN = 12 };

/* Words of `text`, wrapped; `column` is where the line stands now, further lines begin at `indent`. "\n\n" parts
 * paragraphs. */
static void put_wrapped(const char *text, int indent, int column, FILE *out)
{
    bool first = true;
    while (*text) {
        int n = (int)strcspn(text, " \n");
        if (!first && column + 1 + n > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            first = true;
        }
        column += fprintf(out, "%s%.*s", first ? "" : " ", n, text);
        first = false;
        text += n;
        if (text[0] == '\n' && text[1] == '\n') {
            fprintf(out, "\n\n%*s", indent, "");
            column = indent;
            first = true;
        }
        text += strspn(text, " \n");
    }
    fputc('\n', out);
}

const char *fr_opt_word(const void *list, size_t i)
{
    struct fr_format_info format;
    const char *help;
    enum fr_shape shape;
    if (strcmp(list, "dialects") == 0)
        return fr_dialect_name(i, &help);
    if (strcmp(list, "kinds") == 0)
        return fr_chart_kind_name(i, &help, &shape);
    if (strcmp(list, "formats") == 0)
        return fr_format_info(i, &format) ? format.name : NULL;
    return NULL;
}

static void put_option_text(const struct fr_opt *opt, FILE *out)
{
    fputs(opt->help, out);
    const char *word;
    for (size_t i = 0; opt->complete && (word = fr_opt_word(opt->complete, i)) != NULL; i++)
        fprintf(out, "%s%s", i ? ", " : ": ", word);
}

static void put_option(const struct fr_opt *opt, FILE *out)
{
    char head[96], *text = NULL;
    size_t n = 0;
    if (opt->letter)
        snprintf(head, sizeof head, "  -%c, --%s%s%s", opt->letter, opt->name, opt->arg ? " " : "",
                 opt->arg ? opt->arg : "");
    else
        snprintf(head, sizeof head, "      --%s%s%s", opt->name, opt->arg ? " " : "", opt->arg ? opt->arg : "");
    FILE *memory = open_memstream(&text, &n);
    if (!memory)
        return;
    put_option_text(opt, memory);
    fclose(memory);
    int column = fprintf(out, "%s", head);
    if (column > OPTION_COLUMN - 2) {
        fputc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", OPTION_COLUMN - column, "");
    put_wrapped(text, OPTION_COLUMN, OPTION_COLUMN, out);
    free(text);
}

static void put_options(const char *head, const struct fr_command *command, FILE *out)
{
    bool any = false;
    for (const struct fr_opt *o = fr_opts; o->name; o++) {
        if (!fr_opt_on(o, command) || (command && o->commands == FR_ON_ALL))
            continue;
        if (!any)
            fprintf(out, "\n%s:\n", head);
        any = true;
        put_option(o, out);
    }
}

void fr_help_command(const struct fr_command *command, FILE *out)
{
    fprintf(out, "Usage: fioreport %s [OPTION...]%s%s\n\n%c", command->name, *command->operands ? " " : "",
            command->operands, command->summary[0] - 'a' + 'A');
    put_wrapped(command->summary + 1, 0, 1, out);
    if (*command->text) {
        fputc('\n', out);
        put_wrapped(command->text, 0, 0, out);
    }
    put_options("Options", command, out);
    put_options("Global options", NULL, out);
    fputs("\nExamples:\n", out);
    for (const struct fr_example *e = command->examples; e->command; e++) {
        if (e->what)
            fprintf(out, "  # %s\n", e->what);
        fprintf(out, "  %s\n", e->command);
    }
}

void fr_help_program(FILE *out)
{
    fputs("Usage: fioreport COMMAND [OPTION...] [OPERAND...]\n\n", out);
    put_wrapped(
        "Reads storage benchmark output (fio, CrystalDiskMark, dd, Phoronix Test Suite, published tables) as it lies "
        "there into one SQLite file, and writes tables, charts and spreadsheets.",
        0, 0, out);
    fputs("\nCommands:\n", out);
    for (const struct fr_command *c = fr_commands; c->name; c++)
        fprintf(out, "  %-*s%s\n", COMMAND_COLUMN - 2, c->name, c->summary);
    put_options("Global options, before or after the command", NULL, out);
    fputs("\n'fioreport help COMMAND' explains a command. Exit status: 0 done, 2 usage or\n"
          "nothing matches, 3 some input could not be read, 4 the database or the output\n"
          "could not be written.\n",
          out);
}
