/* marks.c: see marks.h. */
#include "marks.h"

#include "utf8.h"

#include "banned.h"

bool fr_cell_failed(const struct fr_row *row, const struct fr_cell *cell)
{
    return ((row->flags | cell->flags) & FR_CELL_FAILED) != 0;
}

const char *fr_cell_mark(const struct fr_row *row, const struct fr_cell *cell, struct fr_arena *arena)
{
    if (!cell->note)
        return fr_cell_failed(row, cell) ? "†" : "";
    struct fr_strbuf s = FR_STRBUF_INIT;
    fr_superscript_add(&s, cell->note);
    const char *copy = fr_arena_copy(arena, fr_strbuf_str(&s), s.len);
    fr_strbuf_release(&s);
    return copy;
}

bool fr_cell_spread(const struct fr_panel *panel, const struct fr_cell *cell, double *lo, double *hi)
{
    if (cell->kind != FR_CELL_NUMBER || cell->n <= 1 || !(cell->lo <= cell->hi))
        return false;
    double zero = panel->relative ? 1 : 0;
    *lo = (cell->lo - zero) / panel->scale;
    *hi = (cell->hi - zero) / panel->scale;
    return true;
}

struct seen {
    unsigned least, most; /* runs of a figure */
    bool failed, spread;
    const char *interval;
    bool dashes;
};

static void look(struct seen *seen, struct fr_frame *frame, const struct fr_row *row, const struct fr_column *column,
                 const struct fr_cell *cell)
{
    bool number = cell->kind == FR_CELL_NUMBER;
    seen->failed = seen->failed || (number && fr_cell_failed(row, cell) && !cell->note);
    if (cell->note && cell->note <= frame->table->notes_n && (number || seen->dashes)) {
        struct fr_strbuf s = FR_STRBUF_INIT;
        fr_superscript_add(&s, cell->note);
        fr_frame_note(frame, "%s %s", fr_strbuf_str(&s), frame->table->notes[cell->note - 1]);
        fr_strbuf_release(&s);
    }
    if (!number)
        return;
    unsigned n = cell->n ? cell->n : 1;
    seen->least = seen->least == 0 || n < seen->least ? n : seen->least;
    seen->most = n > seen->most ? n : seen->most;
    if (n > 1 && cell->lo <= cell->hi) {
        seen->spread = true;
        seen->interval = fr_column_interval(column, seen->interval);
    }
}

void fr_marks_notes(struct fr_frame *frame, const struct fr_panels *panels, bool whiskers, bool dashes)
{
    struct seen seen = {.dashes = dashes};
    for (size_t i = 0; i < panels->panels_n; i++) {
        const struct fr_panel *p = &panels->panels[i];
        for (size_t k = 0; k < p->series_n; k++)
            for (size_t r = 0; r < p->rows_n; r++) {
                const struct fr_cell *cell = fr_panel_cell(p, k, r);
                size_t column = (size_t)(cell - p->rows[r].row->cells);
                look(&seen, frame, p->rows[r].row, &frame->table->columns[column], cell);
            }
    }
    if (seen.failed)
        fr_frame_note(frame, "† From a run that ended with an error or was cut short.");
    if (seen.most > 1) {
        char runs[48];
        if (seen.least == seen.most)
            snprintf(runs, sizeof runs, "n = %u runs", seen.most);
        else
            snprintf(runs, sizeof runs, "n = %u to %u runs", seen.least, seen.most);
        fr_frame_note(frame, "Median of %s%s%s.", runs, seen.spread && whiskers ? "; whiskers: " : "",
                      seen.spread && whiskers ? seen.interval : "");
    }
}
