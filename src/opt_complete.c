/*
 * opt_complete.c: completion for bash, zsh and fish. See opt.h.
 *
 * The scripts hold commands, options and fixed choices; words that belong to the library or a database (metrics,
 * dialects, labels ...) are asked for when they are needed: `fioreport help --list metrics`.
 */
#include "opt.h"

#include "banned.h"

static bool is_path(const struct fr_opt *opt)
{
    return opt->complete && strcmp(opt->complete, "files") == 0;
}

/* ---- bash -------------------------------------------------------------------------------------------------------- */

/* `-x` and `--name` of all options of the command, separated by blanks. */
static void put_names(const struct fr_command *command, FILE *out)
{
    const char *blank = "";
    for (const struct fr_opt *o = fr_opts; o->name; o++) {
        if (!fr_opt_on(o, command))
            continue;
        if (o->letter)
            fprintf(out, "%s-%c", blank, o->letter);
        fprintf(out, "%s--%s", o->letter ? " " : blank, o->name);
        blank = " ";
    }
}

/* Pattern of a case: command and option, as `table:--metric|table:-m`; a global one as `*:--db`. */
static void put_case(const struct fr_opt *opt, FILE *out)
{
    const char *bar = "";
    for (const struct fr_command *c = fr_commands; c->name; c++) {
        bool global = opt->commands == FR_ON_ALL;
        if (!global && !fr_opt_on(opt, c))
            continue;
        const char *name = global ? "*" : c->name;
        fprintf(out, "%s%s:--%s", bar, name, opt->name);
        if (opt->letter)
            fprintf(out, "|%s:-%c", name, opt->letter);
        bar = "|";
        if (global)
            break;
    }
}

static void put_bash_values(FILE *out)
{
    for (const struct fr_opt *o = fr_opts; o->name; o++) {
        if (!o->arg)
            continue;
        fputs("    ", out);
        put_case(o, out);
        if (o->choices)
            fprintf(out, ") fixed='%s' ;;\n", o->choices);
        else if (is_path(o))
            fputs(") files=1 ;;\n", out);
        else if (o->complete)
            fprintf(out, ") words=$(_fioreport_ask %s) ;;\n", o->complete);
        else
            fputs(") return ;;\n", out);
    }
    fputs("    *) value= ;;\n", out);
}

static void put_bash_operands(FILE *out)
{
    for (const struct fr_command *c = fr_commands; c->name; c++) {
        if (strcmp(c->complete, "files") == 0)
            fprintf(out, "        %s) files=1 ;;\n", c->name);
        else if (strcmp(c->complete, "labels") == 0)
            fprintf(out, "        %s) words=$(_fioreport_ask labels); files=1 ;;\n", c->name);
        else if (*c->complete)
            fprintf(out, "        %s) words=$(_fioreport_ask %s) ;;\n", c->name, c->complete);
    }
}

/* `-d | --db | --color`: global options that take the next word. */
static void put_global_with_value(FILE *out)
{
    const char *bar = "";
    for (const struct fr_opt *o = fr_opts; o->name; o++) {
        if (o->commands != FR_ON_ALL || !o->arg)
            continue;
        if (o->letter)
            fprintf(out, "%s-%c | ", bar, o->letter);
        fprintf(out, "%s--%s", o->letter ? "" : bar, o->name);
        bar = " | ";
    }
}

static void put_bash(FILE *out)
{
    fputs("# bash completion for fioreport. Made by `fioreport help --completion bash` from the option table; do not "
          "edit.\n\n"
          "_fioreport_ask() {\n    fioreport help --list \"$1\" 2>/dev/null\n}\n\n"
          "_fioreport() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command='' words='' fixed='' "
          "files='' "
          "value=1 i\n"
          "    # readline cuts words at `=`: --option = value.\n"
          "    if [[ $cur == = ]]; then\n        cur=\n"
          "    elif [[ $prev == = ]]; then\n        prev=${COMP_WORDS[COMP_CWORD - 2]}\n    fi\n"
          "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
          "        case ${COMP_WORDS[i]} in\n        ",
          out);
    put_global_with_value(out);
    fputs(") ((i++)) ;;\n        -* | =) ;;\n"
          "        *)\n            command=${COMP_WORDS[i]}\n            break\n            ;;\n        esac\n    "
          "done\n\n"
          "    case $command:$prev in\n",
          out);
    put_bash_values(out);
    fputs("    esac\n    if [[ -z $value && $cur == -* ]]; then\n        case $command in\n", out);
    for (const struct fr_command *c = fr_commands; c->name; c++) {
        fprintf(out, "        %s) fixed='", c->name);
        put_names(c, out);
        fputs("' ;;\n", out);
    }
    fputs("        *) fixed='", out);
    put_names(NULL, out);
    fputs("' ;;\n        esac\n    elif [[ -z $value && -z $command ]]; then\n        fixed='", out);
    for (const struct fr_command *c = fr_commands; c->name; c++)
        fprintf(out, "%s%s", c == fr_commands ? "" : " ", c->name);
    fputs("'\n    elif [[ -z $value ]]; then\n        case $command in\n", out);
    put_bash_operands(out);
    fputs("        esac\n    fi\n\n"
          "    # The last one of a list separated by commas.\n"
          "    local before=''\n"
          "    if [[ -n $value && $cur == *,* ]]; then\n        before=${cur%,*},\n        cur=${cur##*,}\n    fi\n"
          "    # No compgen -W: it would expand what a label says.\n"
          "    [[ -n $fixed ]] && words=${fixed// /$'\\n'}\n"
          "    COMPREPLY=()\n"
          "    while IFS= read -r i; do\n"
          "        if [[ -n $i && $i == \"$cur\"* ]]; then\n"
          "            [[ -n $files ]] || printf -v i %q \"$i\"\n"
          "            COMPREPLY+=(\"$before$i\")\n"
          "        fi\n    done <<<\"$words\"\n"
          "    if [[ -n $files ]]; then\n        compopt -o filenames 2>/dev/null\n"
          "        while IFS= read -r i; do\n            COMPREPLY+=(\"$i\")\n        done < <(compgen -f -- "
          "\"$cur\")\n    fi\n"
          "}\n\ncomplete -F _fioreport fioreport\n",
          out);
}

/* ---- zsh --------------------------------------------------------------------------------------------------------- */

/* Text inside single quotes inside an _arguments specification: brackets, colons and quotes are its own. */
static void put_zsh_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else if (*text == '[' || *text == ']' || *text == ':' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if (*text != '`')
            fputc(*text, out);
    }
}

static void put_zsh_action(const struct fr_opt *opt, FILE *out)
{
    fputc(':', out);
    put_zsh_text(opt->arg, out);
    if (opt->choices)
        fprintf(out, ":(%s)", opt->choices);
    else if (is_path(opt))
        fputs(":_files", out);
    else if (opt->complete)
        fprintf(out, ": _fioreport_ask %s", opt->complete);
    else
        fputs(": ", out);
}

static void put_zsh_option(const struct fr_opt *opt, FILE *out)
{
    bool again = opt->kind == FR_OPT_LIST || opt->kind == FR_OPT_COUNT;
    for (int form = 0; form < 2; form++) {
        if (form == 0 && !opt->letter)
            continue;
        fprintf(out, "        '%s", again ? "*" : "");
        if (form == 0)
            fprintf(out, "-%c%s", opt->letter, opt->arg ? "+" : "");
        else
            fprintf(out, "--%s%s", opt->name, opt->arg ? "=" : "");
        fputc('[', out);
        put_zsh_text(opt->help, out);
        fputc(']', out);
        if (opt->arg)
            put_zsh_action(opt, out);
        fputs("'\n", out);
    }
}

static void put_zsh(FILE *out)
{
    fputs(
        "#compdef fioreport\n"
        "# zsh completion for fioreport. Made by `fioreport help --completion zsh` from the option table; do not "
        "edit.\n\n"
        "_fioreport_ask() {\n    local -a list\n    list=(${(f)\"$(fioreport help --list $1 2>/dev/null)\"})\n"
        "    case $1 in\n    metrics | keys) _sequence compadd - -a list ;;\n    *) compadd -a list ;;\n    esac\n}\n\n"
        "_fioreport() {\n    local curcontext=$curcontext state line\n    local -a global commands options\n    "
        "global=(\n",
        out);
    for (const struct fr_opt *o = fr_opts; o->name; o++)
        if (o->commands == FR_ON_ALL)
            put_zsh_option(o, out);
    fputs("    )\n    commands=(\n", out);
    for (const struct fr_command *c = fr_commands; c->name; c++) {
        fprintf(out, "        '%s:", c->name);
        put_zsh_text(c->summary, out);
        fputs("'\n", out);
    }
    fputs(
        "    )\n    _arguments -C $global '1:command:->command' '*::operand:->operand' && return\n"
        "    if [[ $state == command ]]; then\n        _describe -t commands command commands\n        return\n    fi\n"
        "    case $words[1] in\n",
        out);
    for (const struct fr_command *c = fr_commands; c->name; c++) {
        fprintf(out, "    %s)\n        options=(\n", c->name);
        for (const struct fr_opt *o = fr_opts; o->name; o++)
            if (o->commands != FR_ON_ALL && fr_opt_on(o, c))
                put_zsh_option(o, out);
        if (strcmp(c->complete, "files") == 0)
            fputs("        '*:file:_files'\n", out);
        else if (strcmp(c->complete, "labels") == 0)
            fputs("        '*:run:{_fioreport_ask labels; _files}'\n", out);
        else if (*c->complete)
            fprintf(out, "        '*:operand: _fioreport_ask %s'\n", c->complete);
        fputs("        )\n        ;;\n", out);
    }
    fputs("    esac\n    _arguments -s -S $global $options\n}\n\n_fioreport \"$@\"\n", out);
}

/* ---- fish -------------------------------------------------------------------------------------------------------- */

static void put_fish_text(const char *text, FILE *out)
{
    fputc('\'', out);
    for (; *text; text++)
        if (*text == '\'' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if (*text != '`')
            fputc(*text, out);
    fputc('\'', out);
}

static void put_fish_option(const struct fr_opt *opt, FILE *out)
{
    fputs("complete -c fioreport", out);
    if (opt->commands != FR_ON_ALL) {
        fputs(" -n '__fish_seen_subcommand_from", out);
        for (const struct fr_command *c = fr_commands; c->name; c++)
            if (fr_opt_on(opt, c))
                fprintf(out, " %s", c->name);
        fputc('\'', out);
    }
    if (opt->letter)
        fprintf(out, " -s %c", opt->letter);
    fprintf(out, " -l %s", opt->name);
    if (opt->arg && is_path(opt))
        fputs(" -r -F", out);
    else if (opt->arg && opt->choices)
        fprintf(out, " -x -a '%s'", opt->choices);
    else if (opt->arg && opt->complete)
        fprintf(out, " -x -a '(fioreport help --list %s 2>/dev/null)'", opt->complete);
    else if (opt->arg)
        fputs(" -x", out);
    fputs(" -d ", out);
    put_fish_text(opt->help, out);
    fputc('\n', out);
}

static void put_fish(FILE *out)
{
    fputs("# fish completion for fioreport. Made by `fioreport help --completion fish` from the option table; do not "
          "edit.\n\n",
          out);
    for (const struct fr_command *c = fr_commands; c->name; c++) {
        fprintf(out, "complete -c fioreport -n __fish_use_subcommand -f -a %s -d ", c->name);
        put_fish_text(c->summary, out);
        fputc('\n', out);
    }
    for (const struct fr_command *c = fr_commands; c->name; c++)
        if (*c->complete && strcmp(c->complete, "files") != 0)
            fprintf(out,
                    "complete -c fioreport -n '__fish_seen_subcommand_from %s' -a '(fioreport help --list %s "
                    "2>/dev/null)'\n",
                    c->name, c->complete);
    for (const struct fr_opt *o = fr_opts; o->name; o++)
        put_fish_option(o, out);
}

bool fr_help_completion(const char *shell, FILE *out)
{
    if (strcmp(shell, "bash") == 0)
        put_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        put_zsh(out);
    else if (strcmp(shell, "fish") == 0)
        put_fish(out);
    else
        return false;
    return true;
}
