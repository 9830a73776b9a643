/* facts.c: the lists of what exists, for the public interface. */
#include "metrics.h"
#include "parser.h"
#include "table.h"

#include "banned.h"

bool fr_metric_info(size_t i, struct fr_metric_info *out)
{
    if (i >= FR_M_COUNT)
        return false;
    const struct fr_metric *m = fr_metric_get((enum fr_metric_id)i);
    *out = (struct fr_metric_info){.name = m->name,
                                   .unit = m->dim == FR_DIM_RATIO ? "0..1" : fr_unit_base(m->dim),
                                   .title = m->title,
                                   .help = m->help,
                                   .better = m->better};
    return true;
}

bool fr_format_info(size_t i, struct fr_format_info *out)
{
    for (size_t j = 0; fr_parsers[j]; j++)
        if (j == i) {
            const struct fr_parser *p = fr_parsers[j];
            *out =
                (struct fr_format_info){.name = p->name, .tool = p->tool, .title = p->title, .versions = p->versions};
            return true;
        }
    return false;
}

static void add_row(struct fr_table *table, const char *const *words, size_t n)
{
    struct fr_row *row = fr_table_row(table);
    for (size_t i = 0; i < n; i++)
        fr_table_text(table, row, i, words[i] ? words[i] : "");
}

struct fr_table *fr_metrics_table(void)
{
    static const char *const betters[] = {"", "higher", "lower", ""};
    struct fr_table *table = fr_table_new();
    struct fr_metric_info m;
    fr_table_column(table, "metric", FR_COL_KEY);
    fr_table_column(table, "unit", FR_COL_INFO);
    fr_table_column(table, "better", FR_COL_INFO);
    fr_table_column(table, "meaning", FR_COL_INFO);
    for (size_t i = 0; fr_metric_info(i, &m); i++)
        add_row(table, (const char *[]){m.name, m.unit, betters[m.better], m.help}, 4);
    return table;
}

struct fr_table *fr_formats_table(void)
{
    struct fr_table *table = fr_table_new();
    struct fr_format_info f;
    fr_table_column(table, "format", FR_COL_KEY);
    fr_table_column(table, "tool", FR_COL_INFO);
    fr_table_column(table, "what", FR_COL_INFO);
    fr_table_column(table, "versions", FR_COL_INFO);
    for (size_t i = 0; fr_format_info(i, &f); i++)
        add_row(table, (const char *[]){f.name, f.tool, f.title, f.versions}, 4);
    return table;
}
