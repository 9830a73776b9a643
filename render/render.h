/*
 * render.h: how a table becomes something to look at, and the recipes.
 *
 * A table dialect: one entry in render/dialects.c (data plus one escape function).
 * A chart kind: one file render/chart_NAME.c with a `const struct fr_chart_kind fr_chart_NAME`, one line in
 * render/kinds.c. Renderers know tables (src/table.h) and nothing of parsers or the store.
 */
#ifndef FR_RENDER_H
#define FR_RENDER_H

#include "strbuf.h"
#include "table.h"

struct fr_dialect {
    const char *name; /* `md` */
    const char *help;
    int (*write)(const struct fr_table *table, struct fr_strbuf *out);
};

/* All dialects, ended by one with name NULL. */
extern const struct fr_dialect fr_dialects[];

struct fr_canvas; /* canvas.h */

struct fr_chart_kind {
    const char *name;
    const char *help;
    enum fr_shape shape; /* the table it needs */
    int (*draw)(struct fr_canvas *canvas, const struct fr_table *table, const struct fr_chart_options *options,
                struct fr_log *log);
};

extern const struct fr_chart_kind *const fr_chart_kinds[];

#endif
