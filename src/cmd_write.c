/* cmd_write.c: table, chart, xlsx, sql: what is shown of the results. */
#include "opt.h"

#include "banned.h"

int fr_cmd_table(const struct fr_args *args, struct fr_console *console)
{
    int status;
    struct fr_store *store = fr_open_input(args, &args->operands, console, &status);
    if (!store)
        return status;
    struct fr_table *table = fr_query_table(store, &args->query, FR_SHAPE_PIVOT, &console->log);
    status = fr_print_table(table, store, args, "md", console, status);
    fr_store_close(store);
    return status;
}

int fr_cmd_chart(const struct fr_args *args, struct fr_console *console)
{
    int status;
    if (!args->output) {
        fr_console_error(console, "where to? -o FILE.png, FILE.svg or FILE.pdf");
        return FR_USAGE;
    }
    struct fr_store *store = fr_open_input(args, &args->operands, console, &status);
    if (!store)
        return status;
    enum fr_shape shape = fr_query_shape(store, &args->query, args->chart.kind);
    struct fr_query query = args->query;
    query.x_across = args->chart.kind && strcmp(args->chart.kind, "heatmap") == 0;
    query.points = (size_t)(args->chart.width ? args->chart.width : 800) - 80; /* columns of pixels of the plot */
    struct fr_table *table = fr_query_table(store, &query, shape, &console->log);
    int rc = table ? fr_chart_write(table, &args->chart, args->output, &console->log) : 0;
    if (!table)
        status = fr_query_status(store);
    else if (rc != 0)
        status = rc == -2 ? FR_USAGE : FR_UNWRITTEN;
    fr_table_free(table);
    fr_store_close(store);
    return status;
}

int fr_cmd_xlsx(const struct fr_args *args, struct fr_console *console)
{
    int status;
    size_t n = 0;
    struct fr_sheet *sheets = NULL;
    if (!args->output) {
        fr_console_error(console, "where to? -o FILE.xlsx");
        return FR_USAGE;
    }
    size_t length = strlen(args->output);
    if (length < 5 || strcasecmp(args->output + length - 5, ".xlsx") != 0) {
        fr_console_error(console, "'%s' does not end in .xlsx, which is all this writes; programs go by the ending",
                         args->output);
        return FR_USAGE;
    }
    struct fr_store *store = fr_open_input(args, &args->operands, console, &status);
    if (!store)
        return status;
    if (fr_query_sheets(store, &args->query, &sheets, &n, &console->log) != 0)
        status = fr_query_status(store);
    else if (fr_xlsx_write(sheets, n, args->output, args->force, &console->log) != 0)
        status = FR_UNWRITTEN;
    fr_sheets_free(sheets, n);
    fr_store_close(store);
    return status;
}

int fr_cmd_sql(const struct fr_args *args, struct fr_console *console)
{
    int status;
    if (!args->operands.n) {
        fr_console_error(console, "no query is given: fioreport sql 'SELECT ...'");
        return FR_USAGE;
    }
    struct fr_words files = {.word = args->operands.word + 1, .n = args->operands.n - 1};
    struct fr_store *store = fr_open_input(args, &files, console, &status);
    if (!store)
        return status;
    struct fr_table *table = fr_query_sql(store, args->operands.word[0], &console->log);
    status = fr_print_table(table, store, args, "text", console, status);
    fr_store_close(store);
    return status;
}
