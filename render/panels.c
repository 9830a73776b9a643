/* panels.c: see panels.h. */
#include "panels.h"

#include <math.h>

#include "axes.h"
#include "scan.h"
#include "strbuf.h"
#include "units.h"

#include "banned.h"

static bool in_word(char c)
{
    return fr_is_alpha(c) || fr_is_digit(c);
}

/*
 * Columns of one panel: the same metric in the same unit; where the metric is not known, the same unit. `rescale`: what
 * has a dimension may be shown in another unit than the column's.
 */
static bool together(const struct fr_column *a, const struct fr_column *b, bool rescale)
{
    bool same = a->dim == b->dim && a->better == b->better && fr_same_text(a->metric, b->metric);
    if (rescale && (a->dim == FR_DIM_SECONDS || a->dim == FR_DIM_BYTES || a->dim == FR_DIM_BYTES_PER_S))
        return same;
    return same && a->scale == b->scale && fr_same_text(a->unit, b->unit);
}

/*
 * Does each direction need a panel? Where it has several columns of the metric: then something else tells them apart,
 * the labels, which are to have one colour each.
 */
static bool ops_apart(const struct fr_table *table, const struct fr_column *column)
{
    bool several = false, other = false;
    for (size_t i = 0; i < table->columns_n && column->op && *column->op; i++) {
        const struct fr_column *c = &table->columns[i];
        if (c == column || c->role != column->role || !fr_same_text(c->metric, column->metric) || !c->op)
            continue;
        several = several || strcmp(c->op, column->op) == 0;
        other = other || strcmp(c->op, column->op) != 0;
    }
    return several && other;
}

static bool has_figures(const struct fr_table *table, size_t column)
{
    for (const struct fr_row *row = table->head; row; row = row->next)
        if (!row->summary && row->cells[column].kind == FR_CELL_NUMBER && isfinite(row->cells[column].value))
            return true;
    return false;
}

/* Does the label say this already, as a word or as words of its own? */
static bool says(const struct fr_strbuf *label, const char *text)
{
    const char *s = fr_strbuf_str(label);
    size_t n = strlen(text);
    for (const char *at = strstr(s, text); at; at = strstr(at + 1, text))
        if ((at == s || !in_word(at[-1])) && !in_word(at[n]))
            return true;
    return false;
}

/* A number alone says nothing: "run 2", "iodepth 16". */
static bool needs_name(const struct fr_column *column, const char *text)
{
    double number;
    return column->name && *column->name && strcmp(column->name, "label") != 0 && strcmp(column->name, "test") != 0 &&
           fr_str_double(fr_str(text), &number);
}

const char *fr_row_label(const struct fr_table *table, const struct fr_row *row, int without, struct fr_arena *arena)
{
    struct fr_strbuf label = FR_STRBUF_INIT;
    for (size_t i = 0; i < table->columns_n; i++) {
        if (table->columns[i].role != FR_COL_KEY || (int)i == without || row->cells[i].kind == FR_CELL_ABSENT)
            continue;
        char s[64];
        const char *text = fr_cell_format(&table->columns[i], &row->cells[i], s);
        if (!text || !*text)
            continue;
        bool named = needs_name(&table->columns[i], text);
        if (named || !says(&label, text))
            fr_strbuf_addf(&label, "%s%s%s%s", label.len ? " · " : "", named ? table->columns[i].name : "",
                           named ? " " : "", text);
    }
    const char *copy = fr_arena_copy(arena, fr_strbuf_str(&label), label.len);
    fr_strbuf_release(&label);
    return copy;
}

const char *fr_row_text(const struct fr_table *table, const struct fr_row *row, const char *name)
{
    for (size_t i = 0; i < table->columns_n; i++)
        if (table->columns[i].role == FR_COL_INFO && fr_same_text(table->columns[i].name, name) &&
            row->cells[i].kind == FR_CELL_TEXT)
            return row->cells[i].text;
    return NULL;
}

/*
 * Where rows have units of their own: have these the same, and the same direction? Of ratios (`by_quantity`) any two
 * units of one quantity will do: MB/s and GB/s.
 */
static bool of_one_unit(const struct fr_table *table, const struct fr_row *a, const struct fr_row *b, bool by_quantity)
{
    const char *one = fr_row_text(table, a, "unit"), *other = fr_row_text(table, b, "unit");
    struct fr_unit x, y;
    if (!fr_same_text(fr_row_text(table, a, "better"), fr_row_text(table, b, "better")))
        return false;
    return fr_same_text(one, other) || (by_quantity && one && other && fr_unit_find(fr_str(one), FR_KILO_1000, &x) &&
                                        fr_unit_find(fr_str(other), FR_KILO_1000, &y) && x.dim == y.dim);
}

/* The rows that are of one unit with `like` (NULL: all). */
static void make_rows(struct fr_panel *p, const struct fr_table *table, const struct fr_row *like, bool by_quantity,
                      struct fr_arena *arena)
{
    p->rows = fr_arena_alloc(arena, (table->rows_n + 1) * sizeof *p->rows);
    const char *group = NULL;
    size_t number = 0;
    for (const struct fr_row *row = table->head; row; row = row->next) {
        if (row->summary)
            continue;
        size_t n = number++;
        if (like && !of_one_unit(table, like, row, by_quantity))
            continue;
        struct fr_panel_row *r = &p->rows[p->rows_n++];
        *r = (struct fr_panel_row){.row = row, .number = n, .label = fr_row_label(table, row, -1, arena)};
        r->group = row->group && *row->group && !fr_same_text(group, row->group) ? row->group : NULL;
        group = row->group;
    }
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static const char *full_name(const struct fr_column *column, struct fr_arena *arena)
{
    const char *name = column->name ? column->name : "";
    if (!column->group || !*column->group)
        return name;
    return *name ? fr_arena_printf(arena, "%s %s", column->group, name) : column->group;
}

/* Length of the words that all names begin with (with the blank after), leaving each something. */
static size_t common_start(const struct fr_panel *p)
{
    const char *first = p->series[0].name;
    size_t best = 0;
    for (size_t n = 1; first[n]; n++) {
        if (first[n - 1] != ' ')
            continue;
        for (size_t i = 1; i < p->series_n; i++)
            if (strncmp(p->series[i].name, first, n) != 0 || !p->series[i].name[n])
                return best;
        best = n;
    }
    return best;
}

/* Likewise at the end (with the blank before). */
static size_t common_end(const struct fr_panel *p, size_t start)
{
    const char *first = p->series[0].name + start;
    size_t length = strlen(first), best = 0;
    for (size_t n = 1; n < length; n++) {
        if (first[length - n] != ' ')
            continue;
        for (size_t i = 1; i < p->series_n; i++) {
            const char *other = p->series[i].name + start;
            size_t m = strlen(other);
            if (m <= n || strcmp(other + m - n, first + length - n) != 0)
                return best;
        }
        best = n;
    }
    return best;
}

/* What the columns share becomes the title, what differs the name of the series. */
static void name_series(struct fr_panel *p, const struct fr_table *table, struct fr_arena *arena)
{
    for (size_t i = 0; i < p->series_n; i++)
        p->series[i].name = full_name(&table->columns[p->series[i].column], arena);
    const struct fr_column *column = &table->columns[p->series[0].column];
    if (p->series_n == 1) {
        p->title = p->series[0].name;
        return;
    }
    size_t start = common_start(p), end = common_end(p, start);
    const char *first = p->series[0].name;
    size_t length = strlen(first);
    const char *head = start ? fr_arena_copy(arena, first, start - 1) : "";
    const char *tail = end ? first + length - end + 1 : "";
    p->title = fr_arena_printf(arena, "%s%s%s", head, *head && *tail ? " " : "", tail);
    for (size_t i = 0; i < p->series_n; i++) {
        const char *name = p->series[i].name + start;
        p->series[i].name = fr_arena_copy(arena, name, strlen(name) - end);
    }
    struct fr_metric_info info;
    for (size_t i = 0; !*p->title && column->metric && fr_metric_info(i, &info); i++)
        if (strcmp(info.name, column->metric) == 0)
            p->title = info.title;
}

static size_t index_of(struct fr_panels *out, const char *name)
{
    for (size_t i = 0; i < out->names_n; i++)
        if (strcmp(out->names[i], name) == 0)
            return i;
    out->names[out->names_n] = name;
    return out->names_n++;
}

/* A panel of one series has the colour of what it shows if the legend has that, else one that is not in the legend. */
static size_t index_alone(const struct fr_panels *out, const struct fr_column *column)
{
    for (size_t i = 0; i < out->names_n; i++) {
        const char *name = out->names[i];
        size_t n = strlen(name);
        if (fr_same_text(column->group, name) || fr_same_text(column->op, name) ||
            (column->name && strncmp(column->name, name, n) == 0 && column->name[n] == ' '))
            return out->looks[i];
    }
    return out->names_n;
}

/* ---- panels ------------------------------------------------------------------------------------------------------ */

static void add_base(struct fr_panel *p, double value, const char *name)
{
    for (size_t i = 0; i < p->bases_n; i++)
        if (!(p->bases[i].value < value || p->bases[i].value > value))
            return;
    if (p->bases_n < FR_BASES_MAX)
        p->bases[p->bases_n++] = (struct fr_base){value, name};
}

/* "read baseline" where the panel shows writes as well; a number as a name would stand there twice. */
static const char *base_name(const struct fr_panel *p, const struct fr_table *table, const struct fr_column *c,
                             struct fr_arena *arena)
{
    double number;
    struct fr_str text = fr_str(c->baseline ? c->baseline : "");
    if (text.n && !fr_take_double(&text, &number)) /* not "100MB/s" */
        return c->baseline;
    for (size_t i = 0; i < p->series_n; i++)
        if (c->op && *c->op && !fr_same_text(table->columns[p->series[i].column].op, c->op))
            return fr_arena_printf(arena, "%s baseline", c->op);
    return "baseline";
}

/* The baselines of a panel's columns: ratio columns of the same metric know them, or the columns themselves. */
static void find_bases(struct fr_panel *p, const struct fr_table *table, struct fr_arena *arena)
{
    for (size_t k = 0; k < p->series_n; k++) {
        const struct fr_column *own = &table->columns[p->series[k].column];
        for (size_t i = 0; i < table->columns_n; i++) {
            const struct fr_column *c = &table->columns[i];
            bool match = c == own || (c->role == FR_COL_RATIO && fr_same_text(c->metric, own->metric) &&
                                      fr_same_text(c->op, own->op) && fr_same_text(c->stat, own->stat) &&
                                      fr_same_text(c->group, own->group));
            if (match && isfinite(c->baseline_value))
                add_base(p, c->baseline_value / p->scale, base_name(p, table, c, arena));
        }
    }
}

size_t fr_column_bases(const struct fr_table *table, size_t column, double scale, struct fr_base out[FR_BASES_MAX],
                       struct fr_arena *arena)
{
    struct fr_panel_series series = {.column = column};
    struct fr_panel p = {.scale = scale, .series = &series, .series_n = 1};
    find_bases(&p, table, arena);
    memcpy(out, p.bases, sizeof p.bases);
    return p.bases_n;
}

/* The columns that share a panel with column i, itself first; each is taken once. */
static void take_columns(const struct fr_panels *out, struct fr_panel *p, size_t i, bool *taken, struct fr_arena *arena)
{
    const struct fr_table *table = out->table;
    const struct fr_column *c = &table->columns[i];
    *p = (struct fr_panel){.unit = c->unit ? c->unit : "",
                           .better = c->better,
                           .scale = c->scale != 0 ? c->scale : 1,
                           .series = fr_arena_alloc(arena, (table->columns_n - i) * sizeof *p->series)};
    p->by_op = c->role == FR_COL_VALUE && ops_apart(table, c);
    for (size_t k = i; k < table->columns_n; k++) {
        bool other = k > i && c->role == FR_COL_RATIO; /* ratios: a panel each */
        other = other || (p->by_op && !fr_same_text(table->columns[k].op, c->op));
        if (other || taken[k] || table->columns[k].role != c->role || !together(c, &table->columns[k], out->rescaled) ||
            !has_figures(table, k))
            continue;
        taken[k] = true;
        p->series[p->series_n++].column = k;
        if (table->columns[k].scale > p->scale) {
            p->scale = table->columns[k].scale;
            p->unit = table->columns[k].unit;
        }
    }
    name_series(p, table, arena);
    p->directions = p->series_n > 1;
    for (size_t k = 0; k < p->series_n; k++)
        for (size_t other = 0; other <= k; other++) {
            const char *op = table->columns[p->series[k].column].op;
            p->directions = p->directions && op && *op &&
                            (other == k || !fr_same_text(op, table->columns[p->series[other].column].op));
        }
}

static struct fr_panel *new_panel(struct fr_panels *out, const struct fr_panel *like, struct fr_arena *arena)
{
    if ((out->panels_n & (out->panels_n - 1)) == 0) { /* a power of two: full */
        struct fr_panel *more = fr_arena_alloc(arena, (out->panels_n ? out->panels_n * 2 : 1) * sizeof *more);
        if (out->panels_n)
            memcpy(more, out->panels, out->panels_n * sizeof *more);
        out->panels = more;
    }
    struct fr_panel *p = &out->panels[out->panels_n++];
    *p = *like;
    return p;
}

static bool row_has_figures(const struct fr_panel *p, size_t r)
{
    for (size_t s = 0; s < p->series_n; s++)
        if (!isnan(fr_panel_value(p, s, r)) || fr_panel_cell(p, s, r)->note)
            return true;
    return false;
}

static bool panel_has_figures(const struct fr_panel *p)
{
    for (size_t r = 0; r < p->rows_n; r++)
        for (size_t s = 0; s < p->series_n; s++)
            if (!isnan(fr_panel_value(p, s, r)))
                return true;
    return false;
}

/* A test that only wrote has no place among those that read. */
static void drop_empty_rows(struct fr_panel *p)
{
    size_t n = 0;
    const char *group = NULL;
    for (size_t r = 0; r < p->rows_n; r++) {
        group = p->rows[r].group ? p->rows[r].group : group;
        if (!row_has_figures(p, r))
            continue;
        p->rows[n] = p->rows[r];
        p->rows[n].group = group;
        group = NULL;
        n++;
    }
    p->rows_n = n;
}

static bool same_rows(const struct fr_panels *out)
{
    for (size_t i = 1; i < out->panels_n; i++) {
        const struct fr_panel *a = &out->panels[0], *b = &out->panels[i];
        if (a->rows_n != b->rows_n)
            return false;
        for (size_t r = 0; r < a->rows_n; r++)
            if (a->rows[r].row != b->rows[r].row)
                return false;
    }
    return true;
}

/* Where rows have units, a direction that is not said is "higher". */
static enum fr_better better_of(const char *text)
{
    if (!text)
        return FR_HIGHER;
    return strcmp(text, "lower") == 0 ? FR_LOWER : strcmp(text, "higher") == 0 ? FR_HIGHER : FR_NEITHER;
}

/* "MB/s, GB/s": the units of the panel's rows, each once. */
static const char *units_of(const struct fr_panel *p, const struct fr_table *table, struct fr_arena *arena)
{
    const char *all = "";
    for (size_t i = 0; i < p->rows_n; i++) {
        const char *unit = fr_row_text(table, p->rows[i].row, "unit");
        size_t k = 0;
        while (k < i && !fr_same_text(unit, fr_row_text(table, p->rows[k].row, "unit")))
            k++;
        if (k == i && unit && *unit)
            all = fr_arena_printf(arena, "%s%s%s", all, *all ? ", " : "", unit);
    }
    return all;
}

/* A panel for each unit and direction that rows have; of ratios, for each quantity, which its title names by its units.
 */
static void split_by_unit(struct fr_panels *out, const struct fr_panel *like, bool ratios, struct fr_arena *arena)
{
    const struct fr_table *table = out->table;
    for (const struct fr_row *row = table->head; row; row = row->next) {
        bool known = row->summary;
        for (const struct fr_row *r = table->head; r != row && !known; r = r->next)
            known = !r->summary && of_one_unit(table, r, row, ratios);
        if (known)
            continue;
        struct fr_panel *p = new_panel(out, like, arena);
        make_rows(p, table, row, ratios, arena);
        const char *units = units_of(p, table, arena);
        p->better = better_of(fr_row_text(table, row, "better"));
        if (!ratios)
            p->unit = units;
        if (!*p->title)
            p->title = units;
        else if ((ratios || p->series_n == 1) && *units) /* a title that all of them have tells nothing */
            p->title = fr_arena_printf(arena, "%s: %s", p->title, units);
        if (!panel_has_figures(p))
            out->panels_n--;
    }
}

static bool rows_have_units(const struct fr_table *table)
{
    for (const struct fr_row *row = table->head; row; row = row->next)
        if (!row->summary)
            return fr_row_text(table, row, "unit") != NULL;
    return false;
}

static void give_looks(struct fr_panels *out, struct fr_arena *arena)
{
    const struct fr_table *table = out->table;
    out->names = fr_arena_alloc(arena, (table->columns_n + 1) * sizeof *out->names);
    for (size_t i = 0; i < out->panels_n; i++)
        for (size_t k = 0; k < out->panels[i].series_n; k++)
            if (out->panels[i].series_n > 1)
                out->panels[i].series[k].index = index_of(out, out->panels[i].series[k].name);
    out->looks = fr_arena_alloc(arena, (out->names_n + 1) * sizeof *out->looks);
    fr_looks(table, out->names, out->names_n, out->looks);
    for (size_t i = 0; i < out->panels_n; i++)
        for (size_t k = 0; k < out->panels[i].series_n; k++)
            if (out->panels[i].series_n > 1)
                out->panels[i].series[k].index = out->looks[out->panels[i].series[k].index];
    for (size_t i = 0; i < out->panels_n; i++)
        if (out->panels[i].series_n == 1)
            out->panels[i].series[0].index = index_alone(out, &table->columns[out->panels[i].series[0].column]);
}

void fr_panels_make(struct fr_panels *out, const struct fr_table *table, enum fr_column_role role, bool rescale,
                    struct fr_arena *arena)
{
    *out = (struct fr_panels){.table = table, .rescaled = rescale};
    bool *taken = fr_arena_alloc(arena, (table->columns_n + 1) * sizeof *taken), split = rows_have_units(table);
    for (size_t i = 0; i < table->columns_n; i++) {
        if (taken[i] || table->columns[i].role != role || !has_figures(table, i))
            continue;
        struct fr_panel panel;
        take_columns(out, &panel, i, taken, arena);
        if (split) {
            split_by_unit(out, &panel, role == FR_COL_RATIO, arena);
            continue;
        }
        find_bases(&panel, table, arena);
        make_rows(&panel, table, NULL, false, arena);
        if (panel.by_op)
            drop_empty_rows(&panel);
        new_panel(out, &panel, arena);
    }
    out->shared = (!split || out->panels_n <= 1) && same_rows(out);
    give_looks(out, arena);
}

/* Row `row` of the table as a panel of its own: its bars are the columns. */
static void add_facet(struct fr_panels *out, const struct fr_panel *like, const struct fr_row *row,
                      struct fr_arena *arena)
{
    struct fr_panel *p = new_panel(out, like, arena);
    const char *unit = fr_row_text(out->table, row, "unit"), *better = fr_row_text(out->table, row, "better");
    p->facet = true;
    p->title = fr_row_label(out->table, row, -1, arena);
    if (unit) {
        p->unit = unit;
        p->better = better_of(better);
    }
    p->rows = fr_arena_alloc(arena, like->series_n * sizeof *p->rows);
    p->rows_n = like->series_n;
    const char **names = fr_arena_alloc(arena, like->series_n * sizeof *names);
    size_t *looks = fr_arena_alloc(arena, like->series_n * sizeof *looks);
    for (size_t s = 0; s < like->series_n; s++)
        names[s] = like->series[s].name;
    fr_looks(out->table, names, like->series_n, looks);
    for (size_t s = 0; s < like->series_n; s++)
        p->rows[s] = (struct fr_panel_row){
            .row = row, .number = s, .column = like->series[s].column, .look = looks[s], .label = like->series[s].name};
    p->series_n = 1;
    if (!panel_has_figures(p))
        out->panels_n--;
}

/* ---- titles of suites: "IOzone - Record Size: 4Kb - File Size: 4GB" ---------------------------------------------- */

static const char dash[] = " - ";

/* The first part of a title, which names the test: its length. */
static size_t test_name(const char *title)
{
    const char *end = strstr(title, dash);
    return end ? (size_t)(end - title) : strlen(title);
}

static bool same_test(const char *a, const char *b)
{
    size_t n = test_name(a);
    return n == test_name(b) && strncmp(a, b, n) == 0;
}

/* Is this part (n characters) one of the title's, after its first? */
static bool has_part(const char *title, const char *part, size_t n)
{
    for (const char *at = strstr(title, dash); at; at = strstr(at + 1, dash)) {
        const char *s = at + strlen(dash), *end = strstr(s, dash);
        if ((end ? (size_t)(end - s) : strlen(s)) == n && strncmp(s, part, n) == 0)
            return true;
    }
    return false;
}

/* Do all panels of the test have this part, and is there one more than the panel itself? */
static bool all_have(const struct fr_panels *out, const char *title, const char *part, size_t n)
{
    bool other = false;
    for (size_t i = 0; i < out->panels_n; i++) {
        const char *its = out->panels[i].title;
        if (!same_test(title, its))
            continue;
        if (!has_part(its, part, n))
            return false;
        other = other || strcmp(its, title) != 0;
    }
    return other;
}

/* The title without the parts that all of its test have; those go to `rest`. */
static const char *short_title(const struct fr_panels *out, const char *title, struct fr_strbuf *rest,
                               struct fr_arena *arena)
{
    struct fr_strbuf own = FR_STRBUF_INIT;
    fr_strbuf_add(&own, title, test_name(title));
    for (const char *at = strstr(title, dash); at;) {
        const char *s = at + strlen(dash), *end = strstr(s, dash);
        size_t n = end ? (size_t)(end - s) : strlen(s);
        if (all_have(out, title, s, n))
            fr_strbuf_addf(rest, "%s%.*s", rest->len ? ", " : "", (int)n, s);
        else
            fr_strbuf_addf(&own, "%s%.*s", dash, (int)n, s);
        at = end;
    }
    const char *copy = fr_arena_strdup(arena, fr_strbuf_str(&own));
    fr_strbuf_release(&own);
    return copy;
}

/* What all panels of one test have in common is said once, below. */
static void shorten_titles(struct fr_panels *out, struct fr_arena *arena)
{
    const char **titles = fr_arena_alloc(arena, (out->panels_n + 1) * sizeof *titles);
    out->left_out = fr_arena_alloc(arena, (out->panels_n + 1) * sizeof *out->left_out);
    for (size_t i = 0; i < out->panels_n; i++) {
        struct fr_strbuf rest = FR_STRBUF_INIT;
        const char *title = out->panels[i].title;
        bool first = true;
        for (size_t k = 0; k < i && first; k++)
            first = !same_test(title, out->panels[k].title);
        titles[i] = short_title(out, title, &rest, arena);
        if (first && rest.len)
            out->left_out[out->left_out_n++] =
                fr_arena_printf(arena, "%.*s: %s", (int)test_name(title), title, fr_strbuf_str(&rest));
        fr_strbuf_release(&rest);
    }
    for (size_t i = 0; i < out->panels_n; i++)
        out->panels[i].title = titles[i];
}

void fr_panels_facets(struct fr_panels *out, const struct fr_table *table, struct fr_arena *arena)
{
    bool several = false;
    fr_panels_make(out, table, FR_COL_VALUE, true, arena);
    for (size_t i = 0; i < out->panels_n; i++)
        several = several || out->panels[i].series_n > 1;
    if (!several || out->panels_n == 0)
        return;
    bool *taken = fr_arena_alloc(arena, (table->columns_n + 1) * sizeof *taken);
    const char **whose = fr_arena_alloc(arena, (table->columns_n * table->rows_n + 1) * sizeof *whose);
    size_t groups = 0;
    *out = (struct fr_panels){.table = table, .shared = true, .rescaled = true};
    out->names = fr_arena_alloc(arena, sizeof *out->names);
    for (size_t i = 0; i < table->columns_n; i++) {
        if (taken[i] || table->columns[i].role != FR_COL_VALUE || !has_figures(table, i))
            continue;
        struct fr_panel like;
        take_columns(out, &like, i, taken, arena);
        find_bases(&like, table, arena);
        out->shared = out->shared && (out->panels_n == 0 || out->panels[0].rows_n == like.series_n);
        groups++;
        if (like.series_n > 1 && *like.title)
            out->common = like.title;
        size_t first = out->panels_n;
        for (const struct fr_row *row = table->head; row; row = row->next)
            if (!row->summary)
                add_facet(out, &like, row, arena);
        for (size_t k = first; k < out->panels_n; k++)
            whose[k] = like.title;
    }
    if (groups > 1) { /* of several metrics each panel says which it shows */
        out->common = NULL;
        for (size_t k = 0; k < out->panels_n; k++)
            if (*whose[k])
                out->panels[k].title = fr_arena_printf(arena, "%s: %s", whose[k], out->panels[k].title);
    }
    shorten_titles(out, arena);
}

/* Does the panel's title begin with the first n characters of `name`, and say no more, or more behind a colon? */
static bool begins_with(const struct fr_panel *p, const char *name, size_t n)
{
    return strncmp(p->title, name, n) == 0 && (!p->title[n] || strncmp(p->title + n, ": ", 2) == 0);
}

void fr_panels_title_once(struct fr_panels *panels, const char *title)
{
    if (!panels->panels_n || !title)
        return;
    const char *name = panels->panels[0].title, *colon = strstr(name, ": ");
    size_t own = panels->panels_n > 1 && colon ? (size_t)(colon - name) : strlen(name), n = strlen(title);
    bool said = own && own <= n && strncmp(title + n - own, name, own) == 0;
    for (size_t i = 0; i < panels->panels_n && said; i++)
        said = begins_with(&panels->panels[i], name, own);
    for (size_t i = 0; i < panels->panels_n && said; i++) {
        const char *rest = panels->panels[i].title + own;
        panels->panels[i].title = *rest ? rest + 2 : rest;
    }
}

const struct fr_cell *fr_panel_cell(const struct fr_panel *p, size_t series, size_t r)
{
    return &p->rows[r].row->cells[p->facet ? p->rows[r].column : p->series[series].column];
}

size_t fr_panel_index(const struct fr_panel *p, size_t series, size_t r)
{
    return p->facet ? p->rows[r].look : p->series[series].index;
}

double fr_panel_value(const struct fr_panel *p, size_t series, size_t r)
{
    const struct fr_cell *cell = fr_panel_cell(p, series, r);
    if (cell->kind != FR_CELL_NUMBER || !isfinite(cell->value))
        return (double)NAN;
    return (p->relative ? cell->value - 1 : cell->value) / p->scale;
}

size_t fr_panel_bars(const struct fr_panel *p, size_t r, size_t *out)
{
    size_t n = 0;
    for (size_t s = 0; s < p->series_n; s++)
        if (!p->directions || !isnan(fr_panel_value(p, s, r)) || fr_panel_cell(p, s, r)->note)
            out[n++] = s;
    if (n == 0)
        out[n++] = 0;
    return n;
}

/* A value far below the axis' unit, with a unit of its own; NULL when it needs none. */
static const char *small_label(const struct fr_column *c, const struct fr_panel *p, double value,
                               struct fr_arena *arena)
{
    double scale, a = fabs(value);
    char s[40];
    if (a == 0 || (a >= 0.001 && !p->own_units) || c->dim == FR_DIM_NONE || c->dim == FR_DIM_COUNT)
        return NULL;
    bool decimal = !fr_unit_is_binary(p->unit) && strcmp(p->unit, "B") != 0 && strcmp(p->unit, "B/s") != 0;
    const char *unit = fr_unit_choose(c->dim, a * p->scale, decimal ? FR_UNITS_SI : FR_UNITS_IEC, &scale);
    if ((scale >= p->scale && !p->own_units) || a * p->scale / scale < 1e-5)
        return NULL;
    return fr_arena_printf(arena, "%s %s", fr_number_format(value * p->scale / scale, 3, s), unit);
}

const char *fr_panel_label(const struct fr_panels *panels, const struct fr_panel *p, size_t series, size_t r,
                           struct fr_arena *arena)
{
    double value = fr_panel_value(p, series, r);
    char s[40];
    if (isnan(value))
        return "–";
    if (p->relative) {
        value = fabs(value) < 0.005 ? 0 : value;
        if (fabs(value) >= 1e6)
            return fr_arena_printf(arena, "%s%.1e %%", value > 0 ? "+" : "−", fabs(value));
        fr_number_format(fabs(value), fabs(value) < 0.1 ? 1 : fabs(value) < 1 ? 2 : 3, s);
        fr_group_digits(s, sizeof s);
        return fr_arena_printf(arena, "%s%s %%", value > 0 ? "+" : value < 0 ? "−" : "±", s);
    }
    const struct fr_column *c = &panels->table->columns[p->facet ? p->rows[r].column : p->series[series].column];
    const char *small = small_label(c, p, value, arena);
    double a = fabs(value);
    if (small)
        return small;
    if ((a > 0 && a < 1e-5) || a >= 1e15)
        return fr_arena_printf(arena, "%.2e", value);
    fr_number_format(value, 3, s);
    fr_group_digits(s, sizeof s);
    return fr_arena_strdup(arena, s);
}
