/* sheet FILE ROWS: the same sheet as sheet.py makes, through libfioreport. */
#include <stdlib.h>

#include "table.h"

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    struct fr_log log = {.say = NULL};
    struct fr_table *table = fr_table_new();
    for (size_t c = 0; c < 10; c++)
        fr_table_column(table, "column", c < 3 ? FR_COL_KEY : FR_COL_VALUE);
    for (long r = 0, n = strtol(argv[2], NULL, 10); r < n; r++) {
        struct fr_row *row = fr_table_row(table);
        for (size_t c = 0; c < 10; c++) {
            char text[32];
            snprintf(text, sizeof text, "text %ld", r % 1000 + (long)c);
            if (c < 3)
                fr_table_text(table, row, c, text);
            else
                fr_table_number(table, row, c, (double)r * 1.5 + (double)c);
        }
    }
    struct fr_sheet sheet = {.name = "data", .role = "data", .table = table};
    int rc = fr_xlsx_write(&sheet, 1, argv[1], true, &log);
    fr_table_free(table);
    return rc != 0;
}
