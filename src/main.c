/* main.c: the program. Everything is in the library (fioreport.h) and the commands (opt.h). */
#include "opt.h"

#include <signal.h>

#include "banned.h"

int main(int argc, char **argv)
{
    struct fr_args args;
    struct fr_console console;
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow (ulimit -f) is an error of the write, to be reported */
    int status = fr_args_parse(&args, argc, argv);
    if (!status) {
        fr_console_init(&console, &args);
        if (args.version || args.help || !args.command)
            status = fr_cmd_help(&args, &console);
        else
            status = args.command->run(&args, &console);
        status = fr_stdout_close(status);
    }
    fr_args_release(&args);
    return status;
}
