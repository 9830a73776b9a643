/*
 * writers.h: the writers that dialects share. Each is a struct fr_dialect `write`.
 */
#ifndef FR_WRITERS_H
#define FR_WRITERS_H

#include "render.h"

/* grid.c: source that reads as a table, padded by display width. */
int fr_write_md(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out);
int fr_write_text(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out);
int fr_write_ascii(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out);
int fr_write_rst(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out);
int fr_write_org(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out);

/* markup.c: a tag or mark around each cell. */
int fr_write_html(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out);
int fr_write_latex(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out);
int fr_write_asciidoc(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out);

/* data.c: for machines. */
int fr_write_csv(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out);
int fr_write_tsv(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out);
int fr_write_json(const struct fr_dialect *dialect, const struct fr_table *table, struct fr_strbuf *out);

#endif
