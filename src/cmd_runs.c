/* cmd_runs.c: list, show, rm, tag: the runs themselves. */
#include "opt.h"

#include <unistd.h>

#include "banned.h"

int fr_cmd_list(const struct fr_args *args, struct fr_console *console)
{
    int status;
    struct fr_store *store = fr_open_input(args, &args->operands, console, &status);
    if (!store)
        return status;
    struct fr_table *table = fr_query_runs(store, &args->query, &console->log);
    status = fr_print_table(table, store, args, "text", console, status);
    fr_store_close(store);
    return status;
}

/* Part the operands into files and what selects runs. With --db nothing is a file. */
static void part_operands(const struct fr_args *args, struct fr_words *files, struct fr_words *selectors)
{
    for (size_t i = 0; i < args->operands.n; i++) {
        const char *word = args->operands.word[i];
        bool is_file = !args->db && (strcmp(word, "-") == 0 || access(word, F_OK) == 0);
        struct fr_words *into = is_file ? files : selectors;
        into->word[into->n++] = word;
    }
}

static int show_parted(const struct fr_args *args, const struct fr_words *files, const struct fr_words *selectors,
                       struct fr_console *console)
{
    int status;
    if (!files->n && selectors->n && !args->db && access(fr_db_path(args), F_OK) != 0) {
        fr_console_error(console, "there is no file '%s', and no database '%s' that could have a run of that name",
                         selectors->word[0], fr_db_path(args));
        return FR_UNREAD;
    }
    struct fr_store *store = fr_open_input(args, files, console, &status);
    if (!store)
        return status;
    for (size_t i = 0; i < (selectors->n ? selectors->n : 1); i++) {
        struct fr_table *table = fr_query_show(store, selectors->n ? selectors->word[i] : NULL, &console->log);
        if (i && table)
            putchar('\n');
        if (!table && selectors->n && !args->db && !fr_store_failed(store) && strpbrk(selectors->word[i], "/."))
            fr_console_error(console, "nor is there a file '%s'", selectors->word[i]);
        int result = fr_print_table(table, store, args, "text", console, FR_DONE);
        status = result ? result : status;
    }
    fr_store_close(store);
    return status;
}

int fr_cmd_show(const struct fr_args *args, struct fr_console *console)
{
    const char **words = calloc(args->operands.n * 2 + 1, sizeof *words);
    if (!words) {
        fr_console_error(console, "out of memory");
        return FR_UNWRITTEN;
    }
    struct fr_words files = {.word = words, .n = 0}, selectors = {.word = words + args->operands.n, .n = 0};
    part_operands(args, &files, &selectors);
    int status = show_parted(args, &files, &selectors, console);
    free(words);
    return status;
}

/* Open the database for a change: it must exist already, a mistyped path shall not make a new one. */
static struct fr_store *open_existing(const struct fr_args *args, struct fr_console *console)
{
    const char *path = fr_db_path(args);
    if (access(path, F_OK) != 0) {
        fr_console_error(console, "there is no database '%s'", path);
        return NULL;
    }
    return fr_store_open(path, FR_STORE_WRITE, &console->log);
}

int fr_cmd_rm(const struct fr_args *args, struct fr_console *console)
{
    if (!args->operands.n) {
        fr_console_error(console, "no runs are named: an id, a label or a source");
        return FR_USAGE;
    }
    struct fr_store *store = open_existing(args, console);
    if (!store)
        return FR_UNWRITTEN;
    int status = FR_DONE;
    size_t total = 0;
    for (size_t i = 0; i < args->operands.n; i++) {
        size_t changed = 0;
        if (fr_store_remove(store, args->operands.word[i], &changed, &console->log) != 0)
            status = fr_store_failed(store) ? FR_UNWRITTEN : FR_USAGE;
        total += changed;
    }
    fr_store_close(store);
    if (!console->quiet)
        fprintf(stderr, "%zu run%s removed\n", total, total == 1 ? "" : "s");
    return status;
}

/* `label=x` and `title=x` are what --label and --title set; all else is a dimension. */
static void add_change(struct fr_changes *changes, const char **tags, const char *word)
{
    if (strncmp(word, "label=", 6) == 0)
        changes->label = word + 6;
    else if (strncmp(word, "title=", 6) == 0)
        changes->title = word + 6;
    else
        tags[changes->tags_n++] = word;
}

static int change(struct fr_store *store, const char *run, const struct fr_changes *changes, struct fr_console *console)
{
    size_t changed = 0;
    int bad = fr_store_change(store, run, changes, &changed, &console->log);
    if (!bad && !console->quiet)
        fprintf(stderr, "%zu run%s changed\n", changed, changed == 1 ? "" : "s");
    return !bad ? FR_DONE : fr_store_failed(store) ? FR_UNWRITTEN : FR_USAGE;
}

int fr_cmd_tag(const struct fr_args *args, struct fr_console *console)
{
    size_t n = args->operands.n;
    if (!n) {
        fr_console_error(console, "no run is named: an id, a label or a source");
        return FR_USAGE;
    }
    struct fr_changes changes = args->changes;
    if (n + args->tags.n == 1 && !args->changes.label && !args->changes.title) {
        fr_console_error(console, "nothing to change: give KEY=VALUE, --label or --title");
        return FR_USAGE;
    }
    for (size_t i = 1; i < n; i++)
        if (!strchr(args->operands.word[i], '=')) {
            fr_console_error(console, "'%s' is no KEY=VALUE; several runs are one operand: 3,5-8",
                             args->operands.word[i]);
            return FR_USAGE;
        }
    const char **tags = calloc(n + args->tags.n, sizeof *tags);
    struct fr_store *store = tags ? open_existing(args, console) : NULL;
    int status = FR_UNWRITTEN;
    if (store) {
        changes.tags = tags;
        changes.tags_n = 0;
        for (size_t i = 0; i < args->tags.n; i++)
            add_change(&changes, tags, args->tags.word[i]);
        for (size_t i = 1; i < n; i++)
            add_change(&changes, tags, args->operands.word[i]);
        status = change(store, args->operands.word[0], &changes, console);
    }
    fr_store_close(store);
    free(tags);
    return status;
}
