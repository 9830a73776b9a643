/* table.c: see table.h. */
#include "table.h"

#include <math.h>
#include <stdarg.h>

#include "banned.h"

enum {
    COOL = 1 << 20,
    DIGITS = 3,
    MORE = 2,
    LARGE = 100,
    DECIMALS_MAX = 9,
    OWN_MAX = 15,
    WHOLE_MAX = 1000000,
    LONG = 10000, /* figures are shorter in the next unit, if the smallest is a tenth there */
    FAR = 1000
};

struct fr_table *fr_table_new(void)
{
    struct fr_table *t = calloc(1, sizeof *t);
    if (!t) {
        fprintf(stderr, "fioreport: error: out of memory\n");
        exit(4);
    }
    t->arena = (struct fr_arena)FR_ARENA_INIT;
    return t;
}

void fr_table_free(struct fr_table *table)
{
    if (!table)
        return;
    fr_arena_release(&table->arena);
    free(table->columns);
    free(table->notes);
    free(table->spans);
    free(table);
}

void fr_table_cool(const struct fr_table *table)
{
    /* Only where the pages are changes, nothing of the table. */
    fr_arena_cool((struct fr_arena *)(uintptr_t)&table->arena);
}

size_t fr_table_rows(const struct fr_table *table)
{
    return table->rows_n;
}

struct fr_column *fr_table_column(struct fr_table *t, const char *name, enum fr_column_role role)
{
    t->columns = fr_grow(t->columns, t->columns_n, &t->columns_alloc, sizeof *t->columns);
    struct fr_column *c = &t->columns[t->columns_n++];
    *c = (struct fr_column){.name = fr_arena_strdup(&t->arena, name),
                            .role = role,
                            .unit = "",
                            .scale = 1,
                            .digits = -1,
                            .baseline_value = NAN};
    return c;
}

const char *fr_column_interval(const struct fr_column *column, const char *so_far)
{
    const char *its = column->interval ? column->interval : FR_INTERVAL_RANGE;
    return !so_far || strcmp(its, so_far) == 0 ? its : FR_INTERVAL_BOTH;
}

struct fr_row *fr_table_row(struct fr_table *t)
{
    struct fr_row *r = fr_arena_new(&t->arena, struct fr_row);
    r->cells = fr_arena_alloc(&t->arena, t->columns_n * sizeof *r->cells);
    if (t->tail)
        t->tail->next = r;
    else
        t->head = r;
    t->tail = r;
    t->rows_n++;
    if (t->arena.uncooled > COOL)
        fr_arena_cool(&t->arena);
    return r;
}

void fr_table_move_last(struct fr_table *t, struct fr_row *before)
{
    struct fr_row *last = t->tail, *row = before;
    while (row->next && row->next != last)
        row = row->next;
    if (before == last || row == before)
        return;
    row->next = NULL;
    t->tail = row;
    last->next = before->next;
    before->next = last;
}

void fr_table_text(struct fr_table *t, struct fr_row *row, size_t column, const char *text)
{
    row->cells[column] = (struct fr_cell){
        .kind = text ? FR_CELL_TEXT : FR_CELL_ABSENT, .text = fr_arena_strdup(&t->arena, text), .lo = 1};
}

void fr_table_number(struct fr_table *t, struct fr_row *row, size_t column, double value)
{
    (void)t;
    row->cells[column] =
        (struct fr_cell){.kind = isfinite(value) ? FR_CELL_NUMBER : FR_CELL_ABSENT, .value = value, .lo = 1};
}

unsigned fr_table_note(struct fr_table *t, const char *format, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    for (size_t i = 0; i < t->notes_n; i++)
        if (strcmp(t->notes[i], text) == 0)
            return (unsigned)i + 1;
    t->notes = fr_grow(t->notes, t->notes_n, &t->notes_alloc, sizeof *t->notes);
    t->notes[t->notes_n++] = fr_arena_strdup(&t->arena, text);
    return (unsigned)t->notes_n;
}

void fr_table_span(struct fr_table *t, const char *series, double from, double to, const char *label)
{
    for (size_t i = 0; i < t->spans_n; i++) {
        const struct fr_span *s = &t->spans[i];
        if (strcmp(s->series, series) == 0 && strcmp(s->label, label) == 0 && !(s->from < from || s->from > from) &&
            !(s->to < to || s->to > to))
            return;
    }
    t->spans = fr_grow(t->spans, t->spans_n, &t->spans_alloc, sizeof *t->spans);
    t->spans[t->spans_n++] =
        (struct fr_span){fr_arena_strdup(&t->arena, series), from, to, fr_arena_strdup(&t->arena, label)};
}

/* ---- units and decimals ------------------------------------------------------------------------------------------ */

struct range {
    double min, max; /* of the absolute values other than 0 */
    bool any;
};

static void widen(struct range *r, double v)
{
    v = fabs(v);
    if (v == 0 || !isfinite(v))
        return;
    if (!r->any || v < r->min)
        r->min = v;
    if (!r->any || v > r->max)
        r->max = v;
    r->any = true;
}

static struct range column_range(const struct fr_table *t, size_t i)
{
    struct range r = {0, 0, false};
    for (const struct fr_row *row = t->head; row; row = row->next)
        if (row->cells[i].kind == FR_CELL_NUMBER)
            widen(&r, row->cells[i].value);
    return r;
}

static bool is_figure(const struct fr_column *c)
{
    return c->role == FR_COL_VALUE && c->dim != FR_DIM_NONE;
}

/* Columns that are compared must share a unit: same dimension, and same metric or group. */
static bool shares_unit(const struct fr_column *a, const struct fr_column *b)
{
    if (!is_figure(a) || !is_figure(b) || a->dim != b->dim)
        return false;
    return fr_same_text(a->group, b->group) || (a->metric && fr_same_text(a->metric, b->metric));
}

/* Decimals that a figure has, to nine digits: what comes after is the noise of a division. */
static int decimals_had(double a)
{
    enum { DIGITS_REAL = 9, MOST = 40 };
    int most = a > 0 && isfinite(a) ? DIGITS_REAL - 1 - (int)floor(log10(a)) : 0, n = 0;
    if (most > MOST)
        most = MOST;
    for (double x = a; n < most && fabs(x - nearbyint(x)) > x * 1e-9; x *= 10)
        n++;
    return n;
}

/* Figures that are shown with the same decimals, as shown. */
struct figures {
    struct range range;
    int decimals, decimals_large; /* the most that one has; that one of three or more digits before the point has */
    bool large;
};

static void add_decimals(struct figures *f, double a)
{
    int had = decimals_had(a);
    f->decimals = had > f->decimals ? had : f->decimals;
    if (a < (double)LARGE)
        return;
    f->large = true;
    f->decimals_large = had > f->decimals_large ? had : f->decimals_large;
}

static void add_figure(struct figures *f, const struct fr_cell *cell, double scale)
{
    double shown = fabs(cell->value / scale);
    if (cell->kind != FR_CELL_NUMBER || shown == 0 || !isfinite(shown))
        return;
    widen(&f->range, shown);
    add_decimals(f, shown);
    if (cell->n > 1 && cell->lo <= cell->hi) {
        add_decimals(f, fabs(cell->lo / scale));
        add_decimals(f, fabs(cell->hi / scale));
    }
}

/*
 * So many that the smallest keeps `digits` significant ones, within reason: the largest gets at most two more than
 * that, and no large one a decimal that none of them has.
 */
static int decimals_for(const struct figures *f, int digits)
{
    int d = digits - 1 - (int)floor(log10(f->range.min));
    int most = digits - 1 + MORE - (int)floor(log10(f->range.max)), had = f->large ? f->decimals_large : f->decimals;
    d = d < most ? d : most;
    d = d < had ? d : had;
    return d < 0 ? 0 : d > DECIMALS_MAX ? DECIMALS_MAX : d;
}

#define TENTH 0.09 /* 100 KiB are 0.098 MiB */

/* The next unit above that of `scale` in which max is still a whole one, or NULL. */
static const char *next_unit(enum fr_dim dim, double max, enum fr_unit_system system, double scale, double *out)
{
    for (double at = scale; at < max;) {
        at = at * 10 < max ? at * 10 : max;
        const char *unit = fr_unit_choose(dim, at, system, out);
        if (*out > scale)
            return unit;
    }
    return NULL;
}

const char *fr_table_unit(enum fr_dim dim, double min, double max, enum fr_unit_system system, double *scale)
{
    double at = min > 0 && max / min >= (double)FAR ? sqrt(min * max) : min, bigger;
    const char *unit = fr_unit_choose(dim, at, system, scale), *next;
    while ((next = next_unit(dim, max, system, *scale, &bigger)) != NULL &&
           (max / *scale >= (double)WHOLE_MAX || (max / *scale >= (double)LONG && min / bigger >= TENTH))) {
        unit = next;
        *scale = bigger;
    }
    return unit;
}

/* Columns of one figure (of several labels) are compared: they share the decimals as well. */
static bool same_figure(const struct fr_column *a, const struct fr_column *b)
{
    return a == b || (shares_unit(a, b) && a->metric && fr_same_text(a->metric, b->metric) &&
                      fr_same_text(a->op, b->op) && fr_same_text(a->stat, b->stat));
}

/* Decimals of one figure: those of its column, or more where it would keep too few digits and has them. */
static int decimals_of(const struct fr_column *column, double shown)
{
    double a = fabs(shown);
    if (!column->significant || a == 0 || !isfinite(a))
        return column->digits;
    int own = column->significant - 1 - (int)floor(log10(a));
    if (own <= column->digits)
        return column->digits;
    int had = decimals_had(a);
    own = own < had ? own : had;
    return own > column->digits ? own : column->digits;
}

static void fit_digits(struct fr_table *t, size_t i, int significant)
{
    struct fr_column *c = &t->columns[i];
    struct figures f = {.large = false};
    if (c->dim == FR_DIM_COUNT || (c->dim == FR_DIM_NONE && !significant)) {
        c->digits = -1; /* a score: as many decimals as were printed */
        return;
    }
    for (size_t j = 0; j < i; j++)
        if (same_figure(c, &t->columns[j])) { /* done with that one */
            c->significant = t->columns[j].significant;
            c->digits = t->columns[j].digits;
            return;
        }
    for (size_t j = i; j < t->columns_n; j++)
        for (const struct fr_row *row = same_figure(c, &t->columns[j]) ? t->head : NULL; row; row = row->next)
            add_figure(&f, &row->cells[j], c->scale);
    c->significant = significant > 0 ? significant : DIGITS;
    c->digits = f.range.any ? decimals_for(&f, c->significant) : 0;
}

void fr_table_fit_row(struct fr_table *t, struct fr_row *row, int significant)
{
    struct figures f = {.large = false};
    int digits = significant > 0 ? significant : DIGITS;
    for (size_t i = 0; i < t->columns_n; i++)
        if (t->columns[i].role == FR_COL_VALUE)
            add_figure(&f, &row->cells[i], 1);
    struct fr_column like = {.digits = f.range.any ? decimals_for(&f, digits) : 0, .significant = digits};
    for (size_t i = 0; i < t->columns_n; i++)
        if (t->columns[i].role == FR_COL_VALUE && row->cells[i].kind == FR_CELL_NUMBER)
            row->cells[i].decimals = ((unsigned)decimals_of(&like, row->cells[i].value) + 1) & 0xFF;
}

void fr_table_fit(struct fr_table *t, enum fr_unit_choice units, int significant)
{
    enum fr_unit_system system = units == FR_UNIT_SI    ? FR_UNITS_SI
                                 : units == FR_UNIT_IEC ? FR_UNITS_IEC
                                                        : FR_UNITS_AUTO;
    struct range *ranges = fr_arena_alloc(&t->arena, t->columns_n * sizeof *ranges);
    for (size_t i = 0; i < t->columns_n; i++)
        ranges[i] = column_range(t, i);
    for (size_t i = 0; i < t->columns_n; i++) {
        struct fr_column *c = &t->columns[i];
        if (c->role == FR_COL_RATIO) {
            c->scale = 0.01;
            c->unit = "%";
            c->digits = 0;
            c->significant = 1;
            continue;
        }
        if (is_figure(c)) {
            struct range all = {0, 0, false};
            for (size_t j = 0; j < t->columns_n; j++)
                if (shares_unit(c, &t->columns[j])) {
                    widen(&all, ranges[j].min);
                    widen(&all, ranges[j].max);
                }
            c->unit = fr_table_unit(c->dim, all.min, all.max, system, &c->scale);
        }
        if (c->role == FR_COL_VALUE || c->role == FR_COL_X || c->role == FR_COL_X_END)
            fit_digits(t, i, significant);
    }
}

int fr_cell_decimals(const struct fr_column *column, const struct fr_cell *cell)
{
    if (cell->decimals)
        return (int)cell->decimals - 1;
    return column->digits < 0 ? -1 : decimals_of(column, cell->value / column->scale);
}

const char *fr_cell_format(const struct fr_column *column, const struct fr_cell *cell, char out[64])
{
    if (cell->kind == FR_CELL_TEXT)
        return cell->text;
    if (cell->kind == FR_CELL_ABSENT)
        return "–";
    double shown = cell->value / column->scale;
    int decimals = fr_cell_decimals(column, cell);
    if (decimals < 0)
        snprintf(out, 64, "%.15g", shown);
    else if (decimals > OWN_MAX)
        snprintf(out, 64, "%.*g", column->significant, shown);
    else
        snprintf(out, 64, "%.*f", fabs(shown) >= 1e40 ? 0 : decimals, shown);
    return out;
}
