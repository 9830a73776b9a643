/*
 * render.h: how a table becomes something to look at, and the recipes.
 *
 * A table dialect: one entry in render/dialects.c: data (struct fr_words), one escape function (escape.c) and one of
 * the writers (grid.c: padded source; markup.c: a tag around each cell; data.c: for machines). A chart kind: one
 * file render/chart_NAME.c with a `const struct fr_chart_kind fr_chart_NAME`, its name in render/kinds.c. Renderers
 * know tables (src/table.h) and nothing of parsers or the store.
 *
 * How dialects show things:
 *
 *     a ratio to the baseline  `98 %`: the sign stands in the cell, not in the head
 *     repeated runs            `113.6 (n=5, 110–118)`: median, runs, and lo to hi, which a note below explains
 *     a footnote               a superscript number; a failed cell without one gets a dagger
 *     the best of a column     bold, where the dialect has bold
 *
 * csv, tsv and json hold the full figure: csv and tsv in the unit of the head, with columns of their own for n, low,
 * high and notes, and nothing for an absent cell; json in base units, each with its unit.
 */
#ifndef FR_RENDER_H
#define FR_RENDER_H

#include "strbuf.h"
#include "table.h"

/* The fixed strings of a dialect. */
struct fr_words {
    const char *absent;              /* instead of a number that is not there */
    const char *range;               /* between low and high */
    const char *micro;               /* the µ of a unit */
    const char *bold, *bold_end;     /* around the best value and headings; "" for none */
    const char *raised, *raised_end; /* around a footnote number; raised NULL: superscript digits */
    const char *dagger;              /* at a failed cell without a footnote */
    const char *percent;             /* after a ratio */
    const char *newline;             /* inside a cell, and between a column's group and its name */
};

struct fr_dialect {
    const char *name; /* `md` */
    const char *help;
    const struct fr_words *words; /* NULL: for machines */
    /* Append user text so that a reader of the dialect gets that text and nothing else. Invalid UTF-8 and control
       characters become U+FFFD. */
    void (*escape)(struct fr_strbuf *out, const char *text);
    int (*write)(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out);
};

/* All dialects, ended by one with name NULL. */
extern const struct fr_dialect fr_dialects[];
/* The dialect of that name, or NULL. */
const struct fr_dialect *fr_dialect_find(const char *name);

/*
 * What the chart kinds take from a table. Cells carry their repeats (n, lo, hi), failures and notes; columns of role
 * FR_COL_VALUE should know their metric, op, dim, unit and better.
 *
 *   PIVOT        bars: KEY..., VALUE...: a panel a metric, a series a column of it; rows that have a unit of their own
 *                (INFO `unit`, INFO `better`) get a panel a unit
 *                relative: KEY..., RATIO...: a panel a column, change against `baseline`
 *                facets: as bars; where a metric has several columns, a panel a row
 *                scaling: X, or a KEY that is a number in every row; other KEYs and the VALUEs are series
 *                latency-iops: KEY..., a VALUE in operations or bytes a second, a VALUE in seconds of the same op
 *                heatmap: KEY..., VALUE... of a metric as columns; or two KEYs and a VALUE: the last are columns
 *   PERCENTILES  percentiles: KEY series, X percentile (0..100), VALUE...: a panel each
 *   BINS         cdf, histogram: KEY series, X lower, X_END upper (seconds), VALUE count
 *   SERIES       series: KEY series, X t (seconds), INFO n, VALUE named median (or mean), p1, p99, min, max, in groups
 *                where there are several metrics; rows of a series together and in order; the last one marked
 *                FR_CELL_PARTIAL when it is shorter; spans of the table are marked
 *   TIME         heatmap: KEY series, X t, X_END, X lower, X_END upper (seconds), VALUE count
 */
struct fr_canvas; /* canvas.h */

struct fr_chart_kind {
    const char *name;
    const char *help;
    enum fr_shape shape; /* the table it needs */
    int (*draw)(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                struct fr_log *log);
    bool groups; /* it has headings over groups of rows */
};

/* All kinds, ended by NULL; the first is the default. */
extern const struct fr_chart_kind *const fr_chart_kinds[];

#endif
