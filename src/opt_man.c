/* opt_man.c: the manual page, in mdoc. See opt.h. */
#include "opt.h"

#include "banned.h"

enum { LINE = 78 };

/* One character: what roff would take for its own is escaped. `start`: at the start of a line. */
static int put_character(char c, bool start, FILE *out)
{
    if (c == '\\')
        return fprintf(out, "\\e");
    if (c == '-')
        return fprintf(out, "\\-");
    if (start && (c == '.' || c == '\''))
        return fprintf(out, "\\&%c", c);
    return fputc(c, out) == EOF ? 0 : 1;
}

/* One line as it is, for examples. */
static void put_verbatim(const char *text, FILE *out)
{
    for (bool start = true; *text; text++, start = false)
        put_character(*text, start, out);
    fputc('\n', out);
}

/* Paragraphs, wrapped, a sentence begins a line, `literal` is bold. `column`: where the line stands. Ends the last
 * line. */
static void put_text(const char *text, int column, FILE *out)
{
    bool literal = false;
    for (; *text; text++) {
        bool sentence = text[0] == '.' && text[1] == ' ' && text[2] >= 'A' && text[2] <= 'Z';
        if (text[0] == '\n' && text[1] == '\n') {
            fputs("\n.Pp\n", out);
            column = 0;
            text++;
        } else if (*text == '`') {
            literal = !literal;
            column += fprintf(out, literal ? "\\fB\\%%" : "\\fP"); /* \% keeps a word from being hyphenated */
        } else if (*text == ' ' && !literal && column + (int)strcspn(text + 1, " ") > LINE) {
            fputc('\n', out);
            column = 0;
        } else {
            column += put_character(*text, column == 0, out);
            if (literal && *text == ' ')
                fputs("\\%", out);
        }
        if (sentence) {
            fputc('\n', out);
            column = 0;
            text++;
        }
    }
    fputc('\n', out);
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
    char *text = NULL;
    bool listed = opt->complete && fr_opt_word(opt->complete, 0);
    int n = listed ? asprintf(&text, "%s; `fioreport help --list %s` lists them.", opt->help, opt->complete)
                   : asprintf(&text, "%s.", opt->help);
    if (n < 0)
        return;
    put_text(text, 0, out);
    free(text);
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
    char *summary = NULL;
    if (asprintf(&summary, "%s.", command->summary + 1) >= 0)
        put_text(summary, 1, out);
    free(summary);
    if (*command->text) {
        fputs(".Pp\n", out);
        put_text(command->text, 0, out);
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
                put_verbatim(e->what, out);
            }
            fputs("$ ", out);
            put_verbatim(e->command, out);
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
          ".It 1\nNot used; it is kept for commands that compare and check.\n"
          ".It 2\nThe command line is wrong, or what was asked for matches nothing.\n"
          ".It 3\nSome or all input could not be read; the rest is in, and shown.\n"
          "Files of a folder or an archive that hold no result are passed over, if any holds one.\n"
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
