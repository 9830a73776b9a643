/*
 * identity.c: see identity.h. Sort; drop byte-equal copies; join snapshots of one form; join the forms of one run.
 *
 * A run that was joined into another is marked and taken out of the list at the end: nothing is moved while it is
 * looked at.
 */
#include "identity.h"
#include "identity_parts.h"

#include "banned.h"

enum {
    LOOK_BACK = 8,      /* how many runs of a form are compared with a new one: the same invocation stands close by */
    SEEN_MAX = 1000,    /* and how many that have found their run are passed over */
    STEPS_MAX = 1 << 20 /* snapshots of one run */
};

/* A run and what became of it. */
struct item {
    struct fr_run *run;
    bool gone;
    size_t previous; /* item of the snapshot before it; itself when it is the first */
    size_t steps;    /* snapshots up to this one */
};

/* ---- order ------------------------------------------------------------------------------------------------------- */

static bool before(const struct fr_run *a, const struct fr_run *b)
{
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/* Merge two sorted lists; of equals those of the first come first. */
static struct fr_run *merge(struct fr_run *a, struct fr_run *b)
{
    struct fr_run *head = NULL, **at = &head;
    while (a && b) {
        struct fr_run **take = before(b, a) ? &b : &a;
        *at = *take;
        *take = (*take)->next;
        at = &(*at)->next;
    }
    *at = a ? a : b;
    return head;
}

/* Merge sort: stable, and quick for lists that are sorted already, as each parser's are. */
static void sort(struct fr_batch *batch)
{
    struct fr_run *stack[64] = {NULL}, *rest = batch->runs.head, *next;
    size_t n = 0;
    for (; rest; rest = next, n++) {
        struct fr_run *last = rest;
        while (last->next && !before(last->next, last))
            last = last->next;
        next = last->next;
        last->next = NULL;
        size_t level = 0;
        for (; n >> level & 1; level++) {
            rest = merge(stack[level], rest);
            stack[level] = NULL;
        }
        stack[level] = rest;
    }
    struct fr_run *all = NULL;
    for (size_t level = 0; level < 64; level++)
        if (stack[level])
            all = merge(stack[level], all);
    batch->runs.head = batch->runs.tail = NULL;
    batch->runs.n = 0;
    for (; all; all = next) {
        next = all->next;
        all->next = NULL;
        fr_list_add(&batch->runs, all);
    }
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

static bool is_copy(const struct fr_run *a, const struct fr_run *b)
{
    return a->digest == b->digest && a->form == b->form && a->tests.n == b->tests.n && strcmp(a->tool, b->tool) == 0;
}

/* Byte-equal documents in one source are one run: the first stays. */
static void drop_copies(struct item *items, size_t n, const char *source, struct fr_log *log)
{
    size_t size = 16;
    while (size < n * 2)
        size *= 2;
    size_t *table = calloc(size, sizeof *table); /* item + 1, by digest */
    for (size_t i = 0; table && i < n; i++) {
        const struct fr_run *run = items[i].run;
        if (!run->digest)
            continue;
        size_t at = (size_t)(run->digest * 0x9e3779b97f4a7c15u) & (size - 1);
        while (table[at] && !is_copy(items[table[at] - 1].run, run))
            at = (at + 1) & (size - 1);
        if (!table[at]) {
            table[at] = i + 1;
            continue;
        }
        items[i].gone = true;
        fr_log_note(log, source, run->line, "the same as the run at line %u, counted once",
                    items[table[at] - 1].run->line);
    }
    free(table);
}

/* ---- snapshots --------------------------------------------------------------------------------------------------- */

static void join_snapshots(struct item *items, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned looked = 0;
        if (items[i].gone || !items[i].run->form)
            continue;
        for (size_t j = i; j-- > 0 && looked < LOOK_BACK;) {
            if (items[j].gone || items[j].run->form != items[i].run->form)
                continue;
            looked++;
            if (items[j].steps >= STEPS_MAX || !fr_identity_is_snapshot(items[j].run, items[i].run))
                continue;
            if (items[i].run->cut_short &&
                items[i].run->tests.n < items[j].run->tests.n) { /* the whole one before it is the result */
                items[i].gone = true;
                items[j].run->cut_short = true;
            } else {
                items[i].previous = j;
                items[i].steps = items[j].steps + 1;
                items[j].gone = true;
            }
            break;
        }
    }
}

/* What the last of the snapshots takes over from those before it: its place, and what only the first one says. */
static void inherit(struct fr_batch *batch, struct fr_run *last, const struct fr_run *old)
{
    last->line = old->line < last->line ? old->line : last->line;
    last->command = last->command ? last->command : old->command;
    last->title = last->title ? last->title : old->title;
    last->host = last->host ? last->host : old->host;
    last->tool_version = last->tool_version ? last->tool_version : old->tool_version;
    fr_list_each (struct fr_param, p, old->params)
        fr_param_set(batch, last, NULL, p->key, fr_str(p->value), p->origin, p->line);
    fr_list_each (struct fr_param, note, old->notes)
        fr_note_add(batch, last, note->key, fr_str(note->value), note->line);
    fr_list_each (struct fr_test, test, last->tests) {
        const struct fr_test *before = fr_identity_before(old, last, test);
        if (before)
            fr_list_each (struct fr_param, p, before->params)
                fr_param_set(batch, last, test, p->key, fr_str(p->value), p->origin, p->line);
    }
}

static void make_series(struct fr_batch *batch, struct item *items, size_t n, struct fr_log *log)
{
    for (size_t i = 0; i < n; i++) {
        size_t steps_n = items[i].steps;
        if (items[i].gone || steps_n < 2)
            continue;
        struct fr_run **steps = calloc(steps_n, sizeof *steps);
        if (!steps)
            return;
        size_t at = i;
        for (size_t s = steps_n; s-- > 0; at = items[at].previous)
            steps[s] = items[at].run;
        fr_identity_add_steps(batch, steps, steps_n);
        for (size_t s = steps_n - 1; s-- > 0;)
            inherit(batch, items[i].run, steps[s]);
        fr_log_explain(log, batch->source, items[i].run->line,
                       "%zu snapshots of growing counters are one run (--status-interval), the last is its result",
                       steps_n);
        free(steps);
    }
}

/* ---- forms ------------------------------------------------------------------------------------------------------- */

/* Runs of one form, in order of place. */
struct candidates {
    size_t *at; /* their items */
    bool *taken;
    size_t n;
};

/* The run that shows the same invocation as items[i], nearest in place: its number among the candidates, n: none. */
static size_t find_form(const struct item *items, size_t i, const struct candidates *c)
{
    size_t right = 0, end = c->n;
    while (right < end) {
        size_t middle = right + (end - right) / 2;
        if (c->at[middle] < i)
            right = middle + 1;
        else
            end = middle;
    }
    size_t left = right; /* one more than the next to the left */
    /* One that lies around it: fio prints its headers first, then JSON, then the blocks. */
    for (size_t k = left; k > 0 && left - k < LOOK_BACK; k--) {
        const struct fr_run *weak = items[c->at[k - 1]].run, *strong = items[i].run;
        if (!c->taken[k - 1] && weak->line <= strong->line && weak->line_end >= strong->line_end &&
            fr_identity_is_same(strong, weak))
            return k - 1;
    }
    for (unsigned seen = 0, looked = 0; (left > 0 || right < c->n) && looked < 2 * LOOK_BACK && seen < SEEN_MAX;
         seen++) {
        /* Of equals the one below: text stands after the JSON. */
        bool down = left == 0 || (right < c->n && c->at[right] - i <= i - c->at[left - 1]);
        size_t k = down ? right++ : --left;
        if (c->taken[k])
            continue;
        looked++;
        if (fr_identity_is_same(items[i].run, items[c->at[k]].run))
            return k;
    }
    return c->n;
}

/* The first run of that form from item i on; n: none. */
static size_t next_of(const struct item *items, size_t n, size_t i, enum fr_form form)
{
    while (i < n && (items[i].gone || items[i].run->form != form))
        i++;
    return i;
}

/*
 * Of a run with several hosts the weaker form may stand in parts, one a host: those that have found no run yet. JSON
 * comes behind them.
 */
static void join_parts(struct fr_batch *batch, struct item *items, size_t n, enum fr_form strong, struct candidates *c,
                       struct fr_log *log)
{
    size_t last = n, next = next_of(items, n, 0, strong);
    for (size_t k = 0; k < c->n; k++) {
        for (; next < c->at[k]; next = next_of(items, n, next + 1, strong))
            last = next;
        const size_t around[] = {next, last};
        for (size_t a = 0; a < 2 && !c->taken[k]; a++) {
            if (around[a] == n || !fr_identity_has_hosts(items[around[a]].run) ||
                !fr_identity_is_same(items[around[a]].run, items[c->at[k]].run))
                continue;
            c->taken[k] = true;
            fr_identity_fill(batch, items[around[a]].run, items[c->at[k]].run, log);
            items[c->at[k]].gone = true;
        }
    }
}

/* Join the weaker form into the stronger one. */
static void join_forms(struct fr_batch *batch, struct item *items, size_t n, enum fr_form strong, enum fr_form weak,
                       struct fr_log *log)
{
    struct candidates c = {calloc(n + 1, sizeof *c.at), calloc(n + 1, sizeof *c.taken), 0};
    for (size_t i = 0; c.at && c.taken && i < n; i++)
        if (!items[i].gone && items[i].run->form == weak)
            c.at[c.n++] = i;
    for (size_t i = 0; c.n && i < n; i++) {
        if (items[i].gone || items[i].run->form != strong)
            continue;
        size_t k = find_form(items, i, &c);
        if (k == c.n)
            continue;
        c.taken[k] = true;
        fr_identity_fill(batch, items[i].run, items[c.at[k]].run, log);
        items[c.at[k]].gone = true;
    }
    join_parts(batch, items, n, strong, &c, log);
    free(c.at);
    free(c.taken);
}

/*
 * A run of which text has nothing but progress lines: the results that follow in another form (or that it lies within)
 * are of the same invocation.
 */
static void judge_progress(struct item *items, size_t n, const char *source, struct fr_log *log)
{
    for (size_t i = 0; i < n; i++) {
        struct fr_run *run = items[i].run;
        if (items[i].gone || !run->steps_only || run->tests.n)
            continue;
        size_t next = i + 1, last = i;
        while (next < n && items[next].gone)
            next++;
        while (last > 0 && (last == i || items[last].gone))
            last--;
        const struct fr_run *after = next < n ? items[next].run : NULL;
        const struct fr_run *within = last < i && !items[last].gone ? items[last].run : NULL;
        if ((after && after->tests.n && after->form > run->form) ||
            (within && within->tests.n && within->form > run->form && within->line_end >= run->line))
            items[i].gone = true;
        else
            fr_log_warn(log, source, run->line, "fio's progress lines only, no result");
    }
}

void fr_identity_join(struct fr_batch *batch, struct fr_log *log)
{
    sort(batch);
    size_t n = batch->runs.n, i = 0;
    struct item *items = n ? calloc(n, sizeof *items) : NULL;
    if (!items)
        return;
    fr_list_each (struct fr_run, run, batch->runs) {
        items[i] = (struct item){.run = run, .previous = i, .steps = 1};
        i++;
    }
    drop_copies(items, n, batch->source, log);
    join_snapshots(items, n);
    make_series(batch, items, n, log);
    join_forms(batch, items, n, FR_FORM_JSON, FR_FORM_TERSE, log);
    join_forms(batch, items, n, FR_FORM_JSON, FR_FORM_TEXT, log);
    join_forms(batch, items, n, FR_FORM_TERSE, FR_FORM_TEXT, log);
    judge_progress(items, n, batch->source, log);
    batch->runs.head = batch->runs.tail = NULL;
    batch->runs.n = 0;
    for (i = 0; i < n; i++) {
        items[i].run->next = NULL;
        if (!items[i].gone)
            fr_list_add(&batch->runs, items[i].run);
    }
    free(items);
    sort(batch); /* a joined run begins where its first form does */
}
