/* cmd_console.c: messages on the terminal, and what else the commands share. See opt.h. */
#include "opt.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "banned.h"

/* ---- safe text --------------------------------------------------------------------------------------------------- */

/* Length of the well-formed UTF-8 character at s, and its code point; 0 when it is none. */
static int utf8(const unsigned char *s, unsigned long *code)
{
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    int n = s[0] < 0x80 ? 1 : (s[0] >> 5) == 6 ? 2 : (s[0] >> 4) == 14 ? 3 : (s[0] >> 3) == 30 ? 4 : 0;
    if (!n)
        return 0;
    unsigned long c = n == 1 ? s[0] : s[0] & (0x7fu >> n);
    for (int i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0;
    *code = c;
    return n;
}

/* Characters that change how the text around them is shown. */
static bool is_tricky(unsigned long c)
{
    return (c >= 0x80 && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

void fr_put_safe(const char *text, FILE *out)
{
    const unsigned char *s = (const unsigned char *)text;
    while (*s) {
        unsigned long code = 0;
        int n = utf8(s, &code);
        if (n == 0 || (n == 1 && (code < 0x20 || code == 0x7f))) {
            fprintf(out, "\\x%02x", *s);
            n = 1;
        } else if (is_tricky(code)) {
            fprintf(out, "<U+%04lX>", code);
        } else {
            fwrite(s, 1, (size_t)n, out);
        }
        s += n;
    }
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static bool wants_color(const char *when)
{
    if (when && strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0;
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

void fr_console_wipe(struct fr_console *console)
{
    if (console->progress)
        fputs("\r\033[K", stderr);
    console->progress = false;
}

static void say(void *ctx, const struct fr_message *message)
{
    static const char *const names[FR_LEVEL_COUNT] = {"error", "warning", "note", "explain"};
    static const char *const colors[FR_LEVEL_COUNT] = {"\033[1;31m", "\033[1;33m", "\033[1;36m", "\033[36m"};
    struct fr_console *console = ctx;
    if (message->level == FR_NOTE && console->quiet)
        return;
    if (message->level == FR_WARNING && console->quiet > 1)
        return;
    fr_console_wipe(console);
    fputs("fioreport: ", stderr);
    if (message->file) {
        fr_put_safe(message->file, stderr);
        if (message->line)
            fprintf(stderr, ":%u", message->line);
        fputs(": ", stderr);
    }
    if (console->color)
        fprintf(stderr, "%s%s:\033[0m ", colors[message->level], names[message->level]);
    else
        fprintf(stderr, "%s: ", names[message->level]);
    fr_put_safe(message->text, stderr);
    fputc('\n', stderr);
}

void fr_console_init(struct fr_console *console, const struct fr_args *args)
{
    *console = (struct fr_console){.quiet = args->quiet, .terminal = isatty(STDERR_FILENO)};
    console->color = wants_color(args->color);
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ); /* a message in one piece, not by characters */
    console->log.say = say;
    console->log.ctx = console;
}

void fr_console_error(struct fr_console *console, const char *format, ...)
{
    char *text = NULL;
    va_list ap;
    va_start(ap, format);
    int n = vasprintf(&text, format, ap);
    va_end(ap);
    struct fr_message message = {.level = FR_ERROR, .file = NULL, .line = 0, .text = n >= 0 ? text : format};
    console->log.count[FR_ERROR]++;
    say(console, &message);
    if (n >= 0)
        free(text);
}

int fr_stdout_close(int status)
{
    bool bad = ferror(stdout) != 0;
    if (fflush(stdout) != 0)
        bad = true;
    if (!bad)
        return status;
    fprintf(stderr, "fioreport: error: standard output could not be written: %s\n", strerror(errno));
    return FR_UNWRITTEN;
}

/* ---- input and output -------------------------------------------------------------------------------------------- */

const char *fr_db_path(const struct fr_args *args)
{
    const char *path = args->db ? args->db : getenv("FIOREPORT_DB");
    return path && *path ? path : "fioreport.db";
}

/* Options of reading say nothing about what was read long ago: whoever gives one expects it to do something. */
static bool no_reading_options(const struct fr_args *args, struct fr_console *console)
{
    const struct fr_ingest_options *o = &args->ingest;
    const char *given = o->label          ? "--label"
                        : o->name_pattern ? "--name-pattern"
                        : args->tags.n    ? "--tag"
                        : o->format       ? "--input-format"
                        : o->recursive    ? "--recursive"
                                          : NULL;
    if (given)
        fr_console_error(console,
                         "%s is for reading files, and none are named ('fioreport tag' changes what is in the "
                         "database)",
                         given);
    return !given;
}

struct fr_store *fr_open_input(const struct fr_args *args, const struct fr_words *files, struct fr_console *console,
                               int *status)
{
    *status = FR_DONE;
    if (!files->n && !no_reading_options(args, console)) {
        *status = FR_USAGE;
        return NULL;
    }
    if (!files->n) {
        struct fr_store *store = fr_store_open(fr_db_path(args), FR_STORE_READ, &console->log);
        if (!store)
            *status = FR_UNREAD;
        return store;
    }
    struct fr_store *store = fr_store_open(NULL, FR_STORE_MEMORY, &console->log);
    if (!store) {
        *status = FR_UNWRITTEN;
        return NULL;
    }
    struct fr_ingest_counts counts = {0};
    int result = fr_ingest(store, files->word, files->n, &args->ingest, &counts, &console->log);
    *status = result < 0 ? FR_USAGE : result;
    if (result < 0 || result == FR_UNWRITTEN || (result && !counts.runs)) {
        fr_store_close(store);
        return NULL;
    }
    return store;
}

int fr_query_status(const struct fr_store *store)
{
    return fr_store_failed(store) ? FR_UNREAD : FR_USAGE;
}

int fr_print_table(struct fr_table *table, const struct fr_store *store, const struct fr_args *args,
                   const char *fallback, struct fr_console *console, int status)
{
    if (!table)
        return fr_query_status(store);
    const char *dialect = args->dialect ? args->dialect : fallback;
    int failed = fr_table_write(table, dialect, stdout, &console->log);
    fr_table_free(table);
    if (!failed)
        return status;
    return ferror(stdout) ? FR_UNWRITTEN : FR_USAGE;
}
