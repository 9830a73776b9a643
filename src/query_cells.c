/*
 * query_cells.c: what stands in one cell: the median of repeats; the sum of jobs that ran side by side. See query.h.
 *
 * Jobs of one name in one run of fio are no repeats. Where fio says that it made them (numjobs), IOPS and bandwidth of
 * the run are their sum. Percentiles are taken from the sum of the jobs' bins, where all have exact ones. What does not
 * add up, as means and other percentiles, is the highest of them, which is a bound of the figure of all. A footnote
 * says which.
 */
#include "query.h"

#include <math.h>

#include "stats.h"

#include "banned.h"

struct group { /* the entries of one cell */
    const struct fr_q_entry *const *entry;
    size_t n;
};

/* How many entries from i on are of the run of entry i: its jobs. They stand beside each other, as ingested. */
static size_t jobs_at(const struct group *g, size_t i)
{
    size_t n = 1;
    while (i + n < g->n && g->entry[i + n]->test->run == g->entry[i]->test->run)
        n++;
    return n;
}

/* Did fio make these n jobs out of one (on one or more hosts)? */
static bool are_clones(const struct fr_q_test *test, size_t n)
{
    const char *numjobs = fr_q_param(test, "numjobs");
    double number;
    if (strcmp(test->run->tool, "fio") != 0 || !numjobs || !fr_q_number(numjobs, &number))
        return false;
    return number > 1 && fmod((double)n, number) == 0;
}

bool fr_q_jobs_apart(const struct fr_q_entry *const *list, size_t n)
{
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && fr_q_same_cell(list[i], list[j]) && list[j]->test->run == list[i]->test->run; j++)
            continue;
        if (j - i > 1 && !are_clones(list[i]->test, j - i))
            return true;
    }
    return false;
}

static bool adds_up(const struct fr_q_value *v)
{
    static const enum fr_metric_id sums[] = {FR_M_IOPS,      FR_M_BW,          FR_M_IO_BYTES, FR_M_IOS,
                                             FR_M_SHORT_IOS, FR_M_DROP_IOS,    FR_M_CTX,      FR_M_MAJF,
                                             FR_M_MINF,      FR_M_ZONE_RESETS, FR_M_TOTAL_ERR};
    if (strcmp(v->stat, "mean") != 0 && strcmp(v->stat, "total") != 0 && strcmp(v->stat, "value") != 0)
        return false;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (v->metric == sums[i])
            return true;
    return false;
}

/* The figure of one run: of its n jobs from i on. *merged: false when that is the bound of a percentile. */
static double of_run(struct fr_q *q, const struct group *g, size_t i, size_t n, bool *merged)
{
    const struct fr_q_value *first = g->entry[i]->value;
    double x = first->value, percentile;
    if (n > 1 && first->stat[0] == 'p' && fr_str_double(fr_str(first->stat + 1), &percentile)) {
        if (fr_q_merged_percentile(q, g->entry + i, n, percentile, &x))
            return x;
        *merged = false;
    }
    bool sum = adds_up(first), lowest = strcmp(first->stat, "min") == 0;
    for (size_t k = i + 1; k < i + n; k++) {
        double y = g->entry[k]->value->value;
        if (sum)
            x += y;
        else if (lowest ? y < x : y > x)
            x = y;
    }
    return x;
}

static const struct fr_q_test *failed_of(const struct group *g, size_t i, size_t n)
{
    for (size_t k = i; k < i + n; k++)
        if (fr_q_failed(g->entry[k]->test))
            return g->entry[k]->test;
    return NULL;
}

struct counts {
    size_t runs, failed, jobs; /* jobs: of the run that has most */
    const struct fr_q_test *failure;
};

static struct counts count_runs(const struct group *g)
{
    struct counts c = {.runs = 0};
    for (size_t i = 0, n; i < g->n; i += n) {
        n = jobs_at(g, i);
        const struct fr_q_test *failure = failed_of(g, i, n);
        c.runs++;
        c.failed += failure != NULL;
        c.failure = c.failure ? c.failure : failure;
        c.jobs = n > c.jobs ? n : c.jobs;
    }
    return c;
}

static void note_failures(struct fr_q_pivot *p, const struct counts *c, struct fr_cell *cell)
{
    const char *why = fr_q_failure(p->q, c->failure);
    if (c->failed < c->runs) {
        cell->note = fr_table_note(p->table, "%zu of %zu runs left out: %s", c->failed, c->runs, why);
        return;
    }
    cell->flags |= FR_CELL_FAILED;
    cell->note = fr_table_note(p->table, "%s", why);
}

static void note_jobs(struct fr_q_pivot *p, const struct group *g, const struct counts *c, bool merged,
                      struct fr_cell *cell)
{
    const struct fr_q_value *v = g->entry[0]->value;
    if (cell->note)
        return;
    if (adds_up(v))
        cell->note = fr_table_note(p->table, "the sum of %zu jobs side by side; --rows label,job shows each", c->jobs);
    else if (merged && v->stat[0] == 'p')
        cell->note = fr_table_note(
            p->table, "merged from the bins of %zu jobs side by side; --rows label,job shows each", c->jobs);
    else
        cell->note = fr_table_note(p->table, "the %s of %zu jobs side by side; --rows label,job shows each",
                                   strcmp(v->stat, "min") == 0 ? "lowest" : "highest", c->jobs);
}

/* Two values that the runs of a cell have of a parameter; false where they do not differ, or where it is not known. */
static bool differ_in(const struct group *g, const char *key, const char **a, const char **b)
{
    *a = *b = NULL;
    for (size_t i = 0; i < g->n && !*b; i++) {
        const char *value = fr_q_param(g->entry[i]->test, key);
        if (!*a)
            *a = value;
        else if (value && value != *a)
            *b = value;
    }
    return *b != NULL;
}

/* "fio 3.19" and "fio 2.14": the program of two runs, or how they are titled where that is known. */
static bool programs_differ(struct fr_q *q, const struct group *g, const char **a, const char **b)
{
    const struct fr_q_run *first = g->entry[0]->test->run;
    for (size_t i = 1; i < g->n; i++) {
        const struct fr_q_run *run = g->entry[i]->test->run;
        if (strcmp(run->tool, first->tool) != 0 || (run->version && first->version && run->version != first->version)) {
            *a = fr_q_program(q, first);
            *b = fr_q_program(q, run);
            return true;
        }
    }
    return false;
}

/* Repeats are equal in label, test and workload; where they differ in something else that matters, a footnote says so.
 */
static void note_differences(struct fr_q_pivot *p, const struct group *g, struct fr_cell *cell)
{
    static const char *const keys[] = {
        "ioengine",     "fsync",     "fdatasync",  "sync",        "buffered",  "rwmixread", "rwmixwrite",
        "runtime",      "ramp_time", "rate",       "rate_iops",   "thinktime", "backend",   "filesystem",
        "image_format", "transport", "recordsize", "compression", "raid",      "device",    "link"};
    const char *a, *b;
    if (!cell->note && programs_differ(p->q, g, &a, &b))
        cell->note = fr_table_note(p->table,
                                   "the runs behind it are of different programs (%s, %s); --rows tool,"
                                   "version keeps them apart",
                                   a, b);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !cell->note; i++)
        if (differ_in(g, keys[i], &a, &b))
            cell->note = fr_table_note(p->table, "the runs behind it differ in %s (%s, %s); --rows can keep them apart",
                                       keys[i], a, b);
    /* What is left of the user's own keys counts runs by its name: that may not be what was meant. */
    for (size_t i = 0; i < p->q->own_n && !p->counted; i++)
        if (differ_in(g, p->q->own[i], &p->counts[0], &p->counts[1]))
            p->counted = p->q->own[i];
}

/* Rates that differ so much are hardly repeats of one thing. */
static void note_distance(struct fr_q_pivot *p, const struct group *g, double lowest, double highest)
{
    enum { FAR = 2 };
    const struct fr_q_value *v = g->entry[0]->value;
    bool rate = (v->metric == FR_M_IOPS || v->metric == FR_M_BW) && strcmp(v->stat, "mean") == 0;
    if (!rate || !(lowest > 0) || highest < (double)FAR * lowest || highest / lowest <= p->apart)
        return;
    p->apart = highest / lowest;
    p->apart_label = v->test->run->label;
}

void fr_q_cell_fill(struct fr_q_pivot *p, const struct fr_q_entry *const *list, size_t n, double *room, double scale,
                    struct fr_cell *cell)
{
    struct group g = {list, n};
    struct counts c = count_runs(&g);
    size_t used = 0;
    bool merged = true;
    for (size_t i = 0, k; i < n; i += k) {
        k = jobs_at(&g, i);
        if (c.failed == c.runs || !failed_of(&g, i, k))
            room[used++] = of_run(p->q, &g, i, k, &merged) / scale;
    }
    fr_stats_sort(room, used);
    *cell =
        (struct fr_cell){.kind = FR_CELL_NUMBER, .value = fr_stats_median(room, used), .lo = 1, .n = (unsigned)used};
    if (used > 1 && !fr_stats_median_interval(room, used, 0.95, &cell->lo, &cell->hi)) {
        cell->lo = room[0];
        cell->hi = room[used - 1];
    }
    if (c.failed)
        note_failures(p, &c, cell);
    if (c.jobs > 1)
        note_jobs(p, &g, &c, merged, cell);
    if (used > 1) {
        note_differences(p, &g, cell);
        note_distance(p, &g, room[0], room[used - 1]);
    }
}
