/*
 * opt.h: the command line.
 *
 * One table of commands and one of options (opt_table.c) drive everything: parsing, --help, the man page and the
 * completion of three shells. A new option is one row there and one member of struct fr_args. A new command is one row,
 * one prototype at the end of this file and one file cmd_NAME.c. Then `make docs` writes docs/fioreport.1 and
 * completions/ anew.
 *
 * Exit statuses are those of enum fr_status; every command function returns one.
 */
#ifndef FR_OPT_H
#define FR_OPT_H

#include "fioreport.h"

enum fr_status {
    FR_DONE = 0,     /* done */
    FR_FOUND = 1,    /* kept for comparisons and checks: none of the commands is one */
    FR_USAGE = 2,    /* the command line is wrong, or what was asked for matches nothing */
    FR_UNREAD = 3,   /* some or all input could not be read; the rest is in */
    FR_UNWRITTEN = 4 /* the database or the output could not be written */
};

/* ---- the tables -------------------------------------------------------------------------------------------------- */

/* One bit a command, for struct fr_opt. The order is that of fr_commands[]. */
enum fr_command_bit {
    FR_ON_INGEST = 1 << 0,
    FR_ON_LIST = 1 << 1,
    FR_ON_SHOW = 1 << 2,
    FR_ON_RM = 1 << 3,
    FR_ON_TAG = 1 << 4,
    FR_ON_TABLE = 1 << 5,
    FR_ON_CHART = 1 << 6,
    FR_ON_XLSX = 1 << 7,
    FR_ON_SQL = 1 << 8,
    FR_ON_METRICS = 1 << 9,
    FR_ON_FORMATS = 1 << 10,
    FR_ON_HELP = 1 << 11,
    FR_ON_ALL = -1
};

struct fr_args;
struct fr_console;

struct fr_example {
    const char *command; /* as typed, without the prompt */
    const char *what;    /* what it does; NULL: speaks for itself */
};

struct fr_command {
    const char *name;
    int bit;                           /* enum fr_command_bit */
    const char *operands;              /* "FILE...", or "" */
    const char *complete;              /* what completes the operands: "files", "labels", "commands", "" */
    const char *summary;               /* one line, no full stop */
    const char *text;                  /* paragraphs separated by "\n\n"; `literal` */
    const struct fr_example *examples; /* ended by one with command NULL */
    int (*run)(const struct fr_args *args, struct fr_console *console);
};

enum fr_opt_kind {
    FR_OPT_FLAG,  /* bool */
    FR_OPT_COUNT, /* int, one more each time */
    FR_OPT_TEXT,  /* const char * */
    FR_OPT_LIST,  /* struct fr_words, one more word each time */
    FR_OPT_INT,   /* int within min..max */
    FR_OPT_REAL   /* double within min..max */
};

struct fr_opt {
    const char *name; /* long name without the dashes */
    char letter;      /* 0: none */
    enum fr_opt_kind kind;
    size_t at;           /* offset into struct fr_args */
    int commands;        /* enum fr_command_bit; FR_ON_ALL: global */
    const char *arg;     /* name of the argument for help; NULL for flags and counts */
    const char *choices; /* the only words allowed, separated by blanks; or NULL */
    const char
        *complete;    /* what completes the argument: "files", "dirs", "metrics" ... (fioreport help --list); or NULL */
    double min, max;  /* of numbers */
    const char *help; /* sentence without capital and full stop; `literal` */
};

extern const struct fr_command fr_commands[]; /* ended by name NULL */
extern const struct fr_opt fr_opts[];         /* ended by name NULL; the order is that of --help */

/* ---- what was asked for ------------------------------------------------------------------------------------------ */

struct fr_words {
    const char **word;
    size_t n;
};

struct fr_args {
    const struct fr_command *command; /* NULL: none was named */
    struct fr_words operands;
    bool help, version;
    const char *db, *color;
    int quiet, verbose;
    /* reading; the members `tags` and the words below belong together (fr_args_parse sets both) */
    struct fr_ingest_options ingest;
    struct fr_words tags;
    /* selecting */
    struct fr_query query;
    struct fr_words where, baseline_values;
    const char *units;
    /* writing */
    const char *dialect, *output;
    struct fr_chart_options chart;
    bool force;
    /* changing */
    struct fr_changes changes;
    /* help */
    bool man;
    const char *completion, *list;
    /* the command line itself, quoted for a shell, for provenance; owned, as `words` is */
    char *line;
    const char **words;
};

/*
 * Parse. 0, or FR_USAGE having said on stderr what is wrong and what comes near. `args` is to be released after, also
 * on failure; its strings are those of argv.
 */
int fr_args_parse(struct fr_args *args, int argc, char **argv);
void fr_args_release(struct fr_args *args);

/* Does this option belong to that command (NULL: no command, only global ones)? */
bool fr_opt_on(const struct fr_opt *opt, const struct fr_command *command);
const struct fr_command *fr_command_find(const char *name);
/* For fr_nearest: the commands' names; ctx is not used. */
const char *fr_command_name(const void *ctx, size_t i);
/* The i-th word of a list that the library keeps ("dialects", "kinds", "formats"); NULL past the end, and for other
 * lists. */
const char *fr_opt_word(const void *list, size_t i);

/* ---- what is made from the tables; to `out` -----------------------------------------------------------------------
 */

void fr_help_program(FILE *out);
void fr_help_command(const struct fr_command *command, FILE *out);
void fr_help_man(FILE *out);
/* False when the shell is none of bash, zsh, fish. */
bool fr_help_completion(const char *shell, FILE *out);

/* ---- the terminal ------------------------------------------------------------------------------------------------ */

/* Where messages go: `fioreport: FILE:LINE: level: message` on stderr. */
struct fr_console {
    struct fr_log log; /* give its address to the library */
    bool color;        /* stderr takes colours */
    bool terminal;     /* stderr is a terminal */
    int quiet;         /* 1: no notes, no closing line; 2: no warnings either */
    bool progress;     /* a progress line stands on the terminal: to be wiped before a message */
};

void fr_console_init(struct fr_console *console, const struct fr_args *args);
/* A message of the program's own, with the rank of an error. */
void fr_console_error(struct fr_console *console, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Wipe the progress line, if there is one. */
void fr_console_wipe(struct fr_console *console);
/*
 * Text that may come from input, made safe for a terminal: control characters, escape sequences, text-direction
 * marks and bytes that are no UTF-8 are written as \x1b or <U+202E>.
 */
void fr_put_safe(const char *text, FILE *out);
/* Flush stdout; FR_UNWRITTEN with a message when what was printed did not get out, else `status`. */
int fr_stdout_close(int status);

/* ---- what commands share ----------------------------------------------------------------------------------------- */

/*
 * What a command reads: the operands as files into memory, or the database when there are none. NULL when neither could
 * be opened; *status is then what to exit with, else FR_DONE, or FR_UNREAD when some files could not be read.
 */
struct fr_store *fr_open_input(const struct fr_args *args, const struct fr_words *files, struct fr_console *console,
                               int *status);
/* The database's path: --db, $FIOREPORT_DB, ./fioreport.db. */
const char *fr_db_path(const struct fr_args *args);
/* What to exit with when nothing could be selected: the database failed, or the question was wrong. */
int fr_query_status(const struct fr_store *store);
/*
 * Write the table, made from `store` (NULL: from none), to stdout in the dialect asked for (NULL: `fallback`), and free
 * it. `status`, or worse.
 */
int fr_print_table(struct fr_table *table, const struct fr_store *store, const struct fr_args *args,
                   const char *fallback, struct fr_console *console, int status);

int fr_cmd_ingest(const struct fr_args *args, struct fr_console *console);
int fr_cmd_list(const struct fr_args *args, struct fr_console *console);
int fr_cmd_show(const struct fr_args *args, struct fr_console *console);
int fr_cmd_rm(const struct fr_args *args, struct fr_console *console);
int fr_cmd_tag(const struct fr_args *args, struct fr_console *console);
int fr_cmd_table(const struct fr_args *args, struct fr_console *console);
int fr_cmd_chart(const struct fr_args *args, struct fr_console *console);
int fr_cmd_xlsx(const struct fr_args *args, struct fr_console *console);
int fr_cmd_sql(const struct fr_args *args, struct fr_console *console);
int fr_cmd_metrics(const struct fr_args *args, struct fr_console *console);
int fr_cmd_formats(const struct fr_args *args, struct fr_console *console);
int fr_cmd_help(const struct fr_args *args, struct fr_console *console);

#endif
