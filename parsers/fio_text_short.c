/*
 * fio_text_short.c: a job in one line, as people and their scripts sum it up: `seqread: IOPS=1980, BW=1980MiB/s`,
 * `RANDOM READ: IOPS=210k`, `READ: bw=198MiB/s, iops=50.7k`. What stands before the colon names the test, where all of
 * it speaks of a workload; anything else is a label, which a line of fio's own follows (fio_text_dir.c, bare_label()).
 */
#include "fio_text.h"
#include "words.h"

#include "banned.h"

#define NOWHERE ((size_t)-1)

enum { HEAD_MAX = 60 };

struct head {
    struct fr_str name; /* what stands before the colon; empty: nothing but the direction */
    struct fr_words words;
};

static bool read_head(struct fr_str t, struct head *h)
{
    const char *start = t.s;
    struct fr_words *w = &h->words;
    while (t.n && strchr("-*+#\"'`[( ", t.s[0]))
        t = fr_str_from(t, 1);
    while (t.n && strchr("*_`\"'])( ", t.s[t.n - 1]))
        t.n--;
    if (t.n > HEAD_MAX)
        return false;
    fr_words_read(t, w);
    bool one = w->op == FR_OP_READ || w->op == FR_OP_WRITE;
    if (!one || w->part || !w->workload || w->latency || w->stat)
        return false;
    bool plain = !w->random && !w->sequential && w->bs <= 0 && !w->iodepth && !w->numjobs;
    h->name = plain ? fr_str("") : t;
    return !plain || t.s == start; /* `"  read: IOPS=...`: a line of fio's own behind something */
}

/* The text behind `key=`, without regard to case; empty: it is not there. */
static struct fr_str figure_of(struct fr_str t, const char *key)
{
    for (; t.n; t = fr_str_from(t, 1)) {
        struct fr_str rest = fr_str_from(t, strlen(key));
        if (!fr_str_starts_nocase(t, key) || !fr_take_ch(&rest, '='))
            continue;
        fr_take_blanks(&rest);
        return rest.n && fr_is_digit(rest.s[0]) ? rest : fr_str("");
    }
    return t;
}

/* The head, and what stands behind the colon, where figures begin it. */
static bool read_line(struct fr_str line, struct head *h, struct fr_str *figures)
{
    size_t colon = fr_str_chr(line, ':');
    if (colon == NOWHERE || colon == 0 || fr_str_chr(line, '=') == NOWHERE)
        return false;
    struct fr_str rest = fr_str_trim(fr_str_from(line, colon + 1));
    if (!fr_str_starts_nocase(rest, "iops=") && !fr_str_starts_nocase(rest, "bw="))
        return false;
    *figures = rest;
    return (figure_of(rest, "iops").n || figure_of(rest, "bw").n) && read_head(fr_str_range(line, 0, colon), h);
}

bool ft_is_short(struct fr_str line)
{
    struct head h;
    struct fr_str figures;
    return read_line(line, &h, &figures);
}

static bool run_has(const struct fr_run *run, struct fr_str name)
{
    fr_list_each (struct fr_test, t, run->tests)
        if (fr_str_is(name, t->name))
            return true;
    return false;
}

/* A test of that name: in the run of such lines right above, or in a new one. */
static struct fr_test *open_named(struct ft_scan *s, const struct head *h)
{
    bool more = s->r.named && s->r.bare && !s->strange && !run_has(s->r.run, h->name);
    if (!more)
        ft_begin_row(s, h->words.op);
    ft_test_begin(s, h->name);
    s->r.bare = s->t.bare = s->r.named = true;
    return s->t.test;
}

void ft_short_line(struct ft_scan *s, struct fr_str line)
{
    struct head h;
    struct fr_str figures;
    struct ft_dir d;
    memset(&d, 0, sizeof d);
    s->t.pct = false;
    if (s->t.skip || !read_line(line, &h, &figures))
        return;
    struct fr_str iops = figure_of(figures, "iops"), bw = figure_of(figures, "bw");
    bool whole = (fr_str_starts(figures, "IOPS=") && ft_new_figures(s, figures, &d)) ||
                 (fr_str_starts(figures, "bw=") && !iops.n && ft_group_figures(s, figures, &d));
    if (!whole) {
        memset(&d, 0, sizeof d);
        ft_take_amount(&iops, &d.iops, FR_KILO_1000, ft_digits_of(s));
        ft_take_amount(&bw, &d.bw, FR_KILO_1000, ft_digits_of(s));
    }
    if (!h.name.n || ft_command_only_job(ft_command_for(s, h.words.op)).n) { /* the command names it */
        ft_open_bare(s, h.words.op);
    } else {
        struct fr_test *test = open_named(s, &h);
        fr_words_apply(
            &h.words,
            &(struct fr_target){
                .batch = s->batch, .run = s->r.run, .test = test, .origin = FR_FROM_SURROUND, .line = s->line});
    }
    ft_dir_set(s, h.words.op, &d);
}
