/* opt_man.c: the manual page, in mdoc. See opt.h. */
#include "opt.h"

#include "banned.h"

/* Text of a line: what roff would take for its own is escaped, `literal` is bold. */
static void put_text(const char *text, FILE *out)
{
    bool literal = false, start = true;
    for (; *text; text++) {
        if (text[0] == '\n' && text[1] == '\n') {
            fputs("\n.Pp\n", out);
            text++;
            start = true;
            continue;
        }
        if (*text == '`') {
            literal = !literal;
            fputs(literal ? "\\fB" : "\\fP", out);
        } else if (*text == '\\') {
            fputs("\\e", out);
        } else if (*text == '-') {
            fputs("\\-", out);
        } else if (start && (*text == '.' || *text == '\'')) {
            fprintf(out, "\\&%c", *text);
        } else {
            fputc(*text, out);
        }
        start = false;
    }
}

/* An argument of a macro: quoted, since it may hold blanks or words that mdoc knows. */
static void put_argument(const char *text, FILE *out)
{
    fputs("\"\\&", out);
    for (; *text; text++)
        if (*text == '"')
            fputs("\\(dq", out);
        else if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
    fputc('"', out);
}

static void put_option(const struct fr_opt *opt, FILE *out)
{
    fputs(".It ", out);
    if (opt->letter)
        fprintf(out, "Fl %c , ", opt->letter);
    fprintf(out, "Fl \\-%s", opt->name);
    if (opt->arg) {
        fputs(" Ar ", out);
        put_argument(opt->arg, out);
    }
    fputc('\n', out);
    put_text(opt->help, out);
    fputs(".\n", out);
}

static void put_options(const struct fr_command *command, FILE *out)
{
    bool any = false;
    for (const struct fr_opt *o = fr_opts; o->name; o++) {
        if (!fr_opt_on(o, command) || (command && o->commands == FR_ON_ALL))
            continue;
        if (!any)
            fputs(".Bl -tag -width Ds\n", out);
        any = true;
        put_option(o, out);
    }
    if (any)
        fputs(".El\n", out);
}

static void put_command(const struct fr_command *command, FILE *out)
{
    fprintf(out, ".Ss %s\n.Nm\n.Cm %s\n.Op Ar option ...\n", command->name, command->name);
    if (*command->operands) {
        fputs(".Ar ", out);
        put_argument(command->operands, out);
        fputc('\n', out);
    }
    fprintf(out, ".Pp\n%c", command->summary[0] - 'a' + 'A');
    put_text(command->summary + 1, out);
    fputs(".\n", out);
    if (*command->text) {
        fputs(".Pp\n", out);
        put_text(command->text, out);
        fputc('\n', out);
    }
    put_options(command, out);
}

static void put_examples(FILE *out)
{
    fputs(".Sh EXAMPLES\n.Bd -literal\n", out);
    for (const struct fr_command *c = fr_commands; c->name; c++) {
        for (const struct fr_example *e = c->examples; e->command; e++) {
            if (e->what) {
                fputs("# ", out);
                put_text(e->what, out);
                fputc('\n', out);
            }
            fputs("$ ", out);
            put_text(e->command, out);
            fputc('\n', out);
        }
    }
    fputs(".Ed\n", out);
}

static void put_tail(FILE *out)
{
    fputs(".Sh ENVIRONMENT\n"
          ".Bl -tag -width SOURCE_DATE_EPOCH\n"
          ".It Ev FIOREPORT_DB\nThe database, where \\-\\-db is not given.\n"
          ".It Ev NO_COLOR\nWhen it is not empty, messages have no colours.\n"
          ".It Ev SOURCE_DATE_EPOCH\nSeconds since 1970: the date that written files carry, so that they are the same "
          "byte for "
          "byte.\n"
          ".It Ev TMPDIR\nWhere the temporary file of a big input lies; else /var/tmp, else /tmp.\n"
          ".El\n"
          ".Sh FILES\n"
          ".Bl -tag -width fioreport.db\n"
          ".It Pa ./fioreport.db\nThe database, where nothing else is said.\n"
          ".El\n"
          ".Sh EXIT STATUS\n"
          ".Bl -tag -width Ds\n"
          ".It 0\nDone.\n"
          ".It 1\nA comparison or a check found something.\n"
          ".It 2\nThe command line is wrong, or what was asked for matches nothing.\n"
          ".It 3\nSome or all input could not be read; the rest is in, and shown.\n"
          ".It 4\nThe database or the output could not be written.\n"
          ".El\n"
          ".Pp\nAn ingest that was interrupted ends by that signal, after what was read is safe.\n",
          out);
    put_examples(out);
    fputs(".Sh DIAGNOSTICS\n"
          "Standard output carries results only.\nMessages go to standard error:\n"
          ".Dl fioreport: FILE:LINE: level: message\n"
          "Level is error, warning, note or, with \\-\\-explain, explain.\n"
          ".Sh SEE ALSO\n"
          ".Xr dd 1 ,\n.Xr fio 1 ,\n.Xr sqlite3 1\n",
          out);
}

void fr_help_man(FILE *out)
{
    fputs(".\\\" Made by `fioreport help --man` from the option table; do not edit.\n"
          ".Dd $Mdocdate$\n.Dt FIOREPORT 1\n.Os\n"
          ".Sh NAME\n.Nm fioreport\n.Nd storage benchmark results into tables, charts and spreadsheets\n"
          ".Sh SYNOPSIS\n",
          out);
    for (const struct fr_command *c = fr_commands; c->name; c++) {
        fprintf(out, ".Nm\n.Cm %s\n.Op Ar option ...\n", c->name);
        if (*c->operands) {
            fputs(".Ar ", out);
            put_argument(c->operands, out);
            fputc('\n', out);
        }
    }
    fputs(
        ".Sh DESCRIPTION\n.Nm\nreads the output of fio, CrystalDiskMark, dd and the Phoronix Test Suite, and tables of "
        "published results, as it lies there, into one SQLite file, and writes tables, charts and spreadsheets.\n"
        ".Pp\nLong options may be cut as long as they stay unambiguous; their value follows after = or as the next "
        "word.\n"
        "Options and operands may stand in any order; \\-\\- ends the options, and \\- as an operand is standard "
        "input.\n"
        ".Pp\n.Cm list , show , table , chart , xlsx\nand\n.Cm sql\nread the database, or the files that are named: "
        "these are "
        "read into memory, and nothing is written.\n"
        ".Ss Global options\nBefore or after the command:\n",
        out);
    put_options(NULL, out);
    for (const struct fr_command *c = fr_commands; c->name; c++)
        put_command(c, out);
    put_tail(out);
}
