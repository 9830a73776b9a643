/* cmd_facts.c: metrics and formats: what exists. */
#include "opt.h"

#include "banned.h"

int fr_cmd_metrics(const struct fr_args *args, struct fr_console *console)
{
    return fr_print_table(fr_metrics_table(), NULL, args, "text", console, FR_DONE);
}

int fr_cmd_formats(const struct fr_args *args, struct fr_console *console)
{
    return fr_print_table(fr_formats_table(), NULL, args, "text", console, FR_DONE);
}
