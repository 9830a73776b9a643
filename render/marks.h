/*
 * marks.h: what charts of figures share: failed runs, repeats and their notes.
 */
#ifndef FR_MARKS_H
#define FR_MARKS_H

#include "frame.h"
#include "panels.h"

bool fr_cell_failed(const struct fr_row *row, const struct fr_cell *cell);
/* A superscript number, "†" for a failed cell without a note, or "". In the arena. */
const char *fr_cell_mark(const struct fr_row *row, const struct fr_cell *cell, struct fr_arena *arena);
/* Has the cell a spread to draw? In shown units. */
bool fr_cell_spread(const struct fr_panel *panel, const struct fr_cell *cell, double *lo, double *hi);
/*
 * Notes below the chart for all that its panels show: footnotes, failures, n, and what the whiskers are, if it has
 * some. `dashes`: a figure that is not there has a dash in the chart, with its footnote's mark.
 */
void fr_marks_notes(struct fr_frame *frame, const struct fr_panels *panels, bool whiskers, bool dashes);

#endif
