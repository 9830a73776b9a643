/* cmd_ingest.c: fioreport ingest. */
#include "opt.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "banned.h"

enum { BAR = 24, PROGRESS_AFTER_MS = 500, PROGRESS_EVERY_MS = 100, SAME_SIGNAL_MS = 1000 };

/* The signal that asked to stop, 0 when none, and when it came: a handler can reach nothing but a static. */
static volatile sig_atomic_t stop_signal;
static long long stop_ms;

static long long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void on_signal(int number)
{
    if (stop_signal && now_ms() - stop_ms > SAME_SIGNAL_MS) {
        signal(number, SIG_DFL);
        raise(number);
    }
    if (!stop_signal) {
        stop_ms = now_ms();
        stop_signal = number;
    }
}

/*
 * The first signal stops the ingest at a safe place, a later one ends the process at once (the database rolls back).
 * Two that come together are one: timeout(1) and shells send it to the process and to its group. One that was ignored
 * when the program began (nohup, a job in the background) stays so.
 */
static void catch_signal(int number)
{
    struct sigaction action = {.sa_handler = on_signal}, old;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

struct progress {
    struct fr_console *console;
    long long start, shown; /* milliseconds */
    size_t done, total;
};

static void show(const struct progress *p, unsigned long long bytes, long long elapsed)
{
    size_t full = p->total ? p->done * BAR / p->total : 0;
    fprintf(stderr, "\r\033[K[%.*s%*s] %zu of %zu file%s, %.1f MB, %lld s", (int)full, "########################",
            (int)(BAR - full), "", p->done, p->total, p->total == 1 ? "" : "s", (double)bytes / 1e6, elapsed / 1000);
    fflush(stderr);
}

static int on_progress(void *ctx, size_t done, size_t total, unsigned long long bytes)
{
    struct progress *p = ctx;
    long long now = now_ms();
    p->done = done;
    p->total = total;
    if (p->console->terminal && !p->console->quiet && now - p->start >= PROGRESS_AFTER_MS &&
        now - p->shown >= PROGRESS_EVERY_MS) {
        show(p, bytes, now - p->start);
        p->console->progress = true;
        p->shown = now;
    }
    return stop_signal != 0;
}

static void print_count(size_t n, const char *what)
{
    fprintf(stderr, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

static void print_summary(const struct fr_ingest_counts *counts, const struct fr_console *console, bool dry)
{
    const unsigned long *said = console->log.count;
    if (console->quiet)
        return;
    print_count(counts->files, "file");
    fputs(", ", stderr);
    print_count(counts->runs, "run");
    fputs(", ", stderr);
    print_count(counts->tests, "test");
    fputs(", ", stderr);
    print_count(counts->values, "value");
    fputs(", ", stderr);
    print_count(said[FR_ERROR] + said[FR_WARNING], "problem");
    if (counts->known) {
        fputs("; ", stderr);
        print_count(counts->known, "file");
        fputs(" known already", stderr);
    }
    fputs(dry ? "; nothing was written\n" : "\n", stderr);
}

/* End as the signal would have ended the process, so that a shell's loop ends too. */
static void end_by_signal(const struct progress *p, struct fr_console *console)
{
    if (p->done < p->total)
        fr_console_error(
            console, "interrupted after %zu of %zu file%s; what was read is in the database, run it again for the rest",
            p->done, p->total, p->total == 1 ? "" : "s");
    else
        fr_console_error(console, "interrupted when all was read; it is in the database");
    signal(stop_signal, SIG_DFL);
    raise(stop_signal);
}

int fr_cmd_ingest(const struct fr_args *args, struct fr_console *console)
{
    if (!args->operands.n) {
        fr_console_error(console, "no files are named; '-' is standard input");
        return FR_USAGE;
    }
    const char *path = fr_db_path(args);
    bool dry = args->ingest.dry_run, none = dry && access(path, F_OK) != 0; /* it must not even make the file */
    struct fr_store *store = none ? NULL : fr_store_open(path, dry ? FR_STORE_READ : FR_STORE_WRITE, &console->log);
    if (!store && !none)
        return FR_UNWRITTEN;
    struct progress progress = {.console = console, .start = now_ms()};
    struct fr_ingest_options options = args->ingest;
    struct fr_ingest_counts counts = {0};
    options.progress = on_progress;
    options.progress_ctx = &progress;
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    int status = fr_ingest(store, args->operands.word, args->operands.n, &options, &counts, &console->log);
    fr_store_close(store);
    fr_console_wipe(console);
    if (status < 0)
        return FR_USAGE;
    print_summary(&counts, console, dry);
    if (counts.stopped && stop_signal)
        end_by_signal(&progress, console);
    return status;
}
