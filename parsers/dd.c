/*
 * dd.c: dd of GNU, BSD, macOS, BusyBox, toybox, uutils, in every language.
 *
 * First the document becomes a list of items: command lines, record counts, results, errors. Then, for each host (pdsh
 * and ansible put its name before every line), the results between two command lines are told apart: a progress line
 * or an earlier report of the same dd (SIGUSR1, SIGINFO: its counters only grow) is no run, all else is one.
 */
#include "dd.h"

#include <math.h>

#include "banned.h"

enum {
    HOSTS_MAX = 64,
    HOST_LENGTH = 64,
    GROUP_COMMANDS = 64, /* command lines without a result between that are remembered */
    FOREIGN_MAX = 6,     /* other lines that may stand between a command and its result */
    CLAIM_BACK = 12,
    LOOP_MAX = 12,    /* lines of the body of a loop */
    RESULT_LINES = 3, /* that a result may be broken into */
    ITEMS_MAX = 1 << 22
};

enum kind { COMMAND, RECORDS, RESULT, FAILURE, INTERRUPT };

struct item {
    enum kind kind;
    unsigned host; /* 0: none */
    size_t line;   /* index */
    size_t column;
    size_t foreign;         /* lines of no meaning before this one, in the whole document */
    uint64_t full, partial; /* RECORDS */
    struct fr_dd_result result;
    struct fr_dd_command *command;
    const char *text; /* of a command, a failure */
    uint64_t digest;  /* of the result's text */
    bool overwritten; /* ended by a lone CR */
    bool counted;     /* RESULT: record counts stand before it */
    bool has_records;
    bool used;     /* COMMAND: some run is its */
    bool complete; /* COMMAND: a run has all that it asked for: one with other bytes is not its */
};

struct scan {
    struct fr_rx *rx;
    struct fr_doc *doc;
    struct fr_batch *batch;
    struct fr_log *log;
    unsigned owner;
    struct item *items;
    size_t n, alloc;
    char hosts[HOSTS_MAX][HOST_LENGTH];
    size_t hosts_n;
    size_t foreign;
    size_t loop; /* lines that may still be the body of a shell's loop */
};

static uint32_t line_no(const struct scan *s, const struct item *i)
{
    return s->doc->lines[i->line].no;
}

/* ---- items ------------------------------------------------------------------------------------------------------- */

static struct item *add_item(struct scan *s, enum kind kind, unsigned host, size_t line, size_t column)
{
    if (s->n == s->alloc) {
        size_t alloc = s->alloc ? s->alloc * 2 : 64;
        struct item *items = realloc(s->items, alloc * sizeof *items);
        if (!items)
            return NULL;
        s->items = items;
        s->alloc = alloc;
    }
    struct item *i = &s->items[s->n++];
    memset(i, 0, sizeof *i);
    i->kind = kind;
    i->host = host;
    i->line = line;
    i->column = column;
    i->foreign = s->foreign;
    return i;
}

static struct fr_str keep(struct scan *s, struct fr_str a)
{
    return fr_strn(fr_arena_copy(&s->batch->arena, a.s, a.n), a.n);
}

/* A command's views point into a line's buffer: let them live as long as the batch. */
static struct fr_dd_command *keep_command(struct scan *s, const struct fr_dd_command *c)
{
    struct fr_dd_command *k = fr_arena_new(&s->batch->arena, struct fr_dd_command);
    *k = *c;
    struct fr_str *views[] = {&k->bs,   &k->ibs,   &k->obs,   &k->count, &k->skip, &k->seek,
                              &k->conv, &k->iflag, &k->oflag, &k->in,    &k->out,  &k->host};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        *views[i] = keep(s, *views[i]);
    return k;
}

/* `chunk1: 50+0 records in`: the number of the name, and the text behind it. */
static unsigned take_host(struct scan *s, struct fr_str *text)
{
    struct fr_str t = fr_str_ltrim(*text);
    size_t n = 0, i;
    while (n < t.n && n < HOST_LENGTH - 1 && (fr_is_alpha(t.s[n]) || fr_is_digit(t.s[n]) || strchr("-_.@", t.s[n])))
        n++;
    struct fr_str rest = fr_str_from(t, n);
    if (!n || n == t.n || (!fr_take(&rest, ": ") && !fr_take(&rest, " | ")) || fr_str_is(fr_str_range(t, 0, n), "dd"))
        return 0;
    rest = fr_str_ltrim(rest);
    if (!rest.n || !fr_is_digit(rest.s[0]))
        return 0;
    for (i = 0; i < s->hosts_n; i++)
        if (fr_str_is(fr_str_range(t, 0, n), s->hosts[i]))
            break;
    if (i == s->hosts_n) {
        if (i == HOSTS_MAX)
            return 0;
        memcpy(s->hosts[i], t.s, n);
        s->hosts[i][n] = 0;
        s->hosts_n++;
    }
    *text = rest;
    return (unsigned)i + 1;
}

static bool add_command(struct scan *s, size_t line, struct fr_str text, size_t offset)
{
    struct fr_dd_command c;
    bool any = false;
    if (fr_str_find(text, "% cpu ") != (size_t)-1)
        return false; /* zsh's time repeats the command */
    for (size_t from = 0; fr_dd_command(text, from, &c); from = c.to) {
        struct item *i = add_item(s, COMMAND, 0, line, offset + c.from);
        if (!i)
            return any;
        i->command = keep_command(s, &c);
        i->command->loop |= s->loop > 0;
        struct fr_str t = fr_str_trim(fr_str_range(text, c.from, c.to));
        i->text = fr_arena_copy(&s->batch->arena, t.s, t.n);
        any = true;
    }
    return any;
}

/* What stands before a result, or in a line without one: commands and record counts. True when there was any. */
static bool add_piece(struct scan *s, size_t line, struct fr_str text, size_t offset, unsigned host)
{
    bool any = host == 0 && add_command(s, line, text, offset);
    uint64_t full, partial;
    while (fr_dd_records(&text, &full, &partial)) {
        struct item *i = add_item(s, RECORDS, host, line, offset);
        if (!i)
            break;
        i->full = full;
        i->partial = partial;
        any = true;
    }
    return any;
}

static uint64_t digest_of(uint64_t h, struct fr_str text)
{
    for (size_t i = 0; i < text.n; i++)
        h = (h ^ (unsigned char)text.s[i]) * 0x100000001b3u;
    return h;
}

/* Lines that only a dd that failed or was stopped prints. */
static bool add_failure(struct scan *s, size_t line, struct fr_str text)
{
    struct fr_str t = fr_str_trim(text);
    struct item *i;
    if (fr_str_is(t, "^C") && (i = add_item(s, INTERRUPT, 0, line, 0)) != NULL)
        return true;
    if (!fr_str_starts(t, "dd: "))
        return false;
    if (fr_str_find(t, "warning") != (size_t)-1) /* partial read: the record counts say it too */
        return true;
    i = add_item(s, FAILURE, 0, line, 0);
    if (i)
        i->text = fr_arena_copy(&s->batch->arena, t.s, t.n);
    return true;
}

/* A line, or a piece of one, that begins at byte `base`; `overwritten`: a lone CR ended it. */
static void add_line(struct scan *s, size_t line, struct fr_str text, size_t base, bool overwritten)
{
    struct fr_dd_result r;
    bool any = false;
    struct fr_str rest = text;
    unsigned host = take_host(s, &rest);
    size_t from = text.n - rest.n;
    if (!host && (add_failure(s, line, text)))
        return;
    if (fr_str_starts(fr_str_ltrim(rest), "^C")) {
        add_item(s, INTERRUPT, host, line, 0);
        from += (size_t)(fr_str_ltrim(rest).s - rest.s) + 2;
    }
    while (fr_dd_candidate(fr_str_from(text, from)) && fr_dd_result(s->rx, text, from, &r)) {
        add_piece(s, line, fr_str_range(text, from, r.from), base + from, host);
        struct item *i = add_item(s, RESULT, host, line, base + r.from);
        if (!i)
            return;
        i->result = r;
        i->overwritten = overwritten;
        i->digest = digest_of(0xcbf29ce484222325u, fr_str_range(text, r.from, r.to));
        from = r.to;
        any = true;
    }
    any |= add_piece(s, line, fr_str_from(text, from), base + from, host);
    if (!any && fr_str_trim(text).n && !fr_str_starts(fr_str_trim(text), "```"))
        s->foreign++;
}

/* A clean line: the line breaks of a string in it make several. */
static void add_lines(struct scan *s, size_t line, struct fr_str text)
{
    bool overwritten = s->doc->lines[line].flags & FR_LINE_CR;
    size_t from = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.s[i] != '\n' && text.s[i] != '\r')
            continue;
        add_line(s, line, fr_str_range(text, from, i), from, text.s[i] == '\r');
        from = i + 1;
    }
    add_line(s, line, fr_str_from(text, from), from, overwritten);
}

/* Does this line go on with operands of the command in the line before? */
static bool is_operands(struct fr_str t)
{
    static const char *const keys[] = {
        "bs=", "ibs=", "obs=", "count=", "if=", "of=", "oflag=", "iflag=", "conv=", "skip=", "seek=", "status="};
    t = fr_str_ltrim(t);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (fr_str_starts(t, keys[i]))
            return true;
    return false;
}

/* Lines that end in a backslash or a `>`, or within the operands, go on in the next. Returns the index of the last one.
 */
static size_t join_lines(const struct scan *s, size_t line, struct fr_strbuf *out)
{
    struct fr_strbuf clean = FR_STRBUF_INIT;
    size_t last = line;
    while (out->len && last + 1 < s->doc->n && out->len < DD_LINE_MAX) {
        bool backslash = out->buf[out->len - 1] == '\\', redirected = out->buf[out->len - 1] == '>';
        if (!backslash && !redirected && !is_operands(s->doc->lines[last + 1].text))
            break;
        fr_strbuf_cut(out, fr_str_rtrim(fr_strn(out->buf, out->len - backslash)).n);
        fr_dd_clean(fr_str_ltrim(s->doc->lines[++last].text), &clean);
        fr_strbuf_addch(out, ' ');
        fr_strbuf_add(out, fr_strbuf_str(&clean), clean.len);
    }
    fr_strbuf_release(&clean);
    return last;
}

/* Does a result begin before byte n of the text and end behind it? */
static bool is_broken_at(const struct scan *s, struct fr_str t, size_t n)
{
    struct fr_dd_result r;
    for (size_t from = n > DD_RESULT_MAX ? n - DD_RESULT_MAX : 0; from < n && fr_dd_result(s->rx, t, from, &r);
         from = r.to)
        if (r.from < n && r.to > n + 1)
            return true;
    return false;
}

/* A result that goes on in the next lines: mail programs break lines. They are joined to `out`; the index of the last.
 */
static size_t join_result(const struct scan *s, size_t line, struct fr_strbuf *out)
{
    struct fr_strbuf next = FR_STRBUF_INIT;
    size_t n = out->len, last = line, to = line + RESULT_LINES < s->doc->n ? line + RESULT_LINES : s->doc->n;
    for (size_t k = line + 1; n < DD_LINE_MAX && fr_dd_begins(fr_strn(out->buf, n)) && k < to; k++) {
        struct fr_str more = fr_str_ltrim(s->doc->lines[k].text);
        if (s->doc->lines[k].owner || !more.n)
            break;
        fr_dd_clean(more, &next);
        fr_strbuf_addch(out, ' ');
        fr_strbuf_add(out, fr_strbuf_str(&next), next.len);
        if (is_broken_at(s, fr_strn(out->buf, out->len), n)) {
            last = k;
            break;
        }
    }
    if (last == line)
        fr_strbuf_cut(out, n);
    fr_strbuf_release(&next);
    return last;
}

/* Does a line end as the result does that may begin in line i? */
static bool rate_below(const struct scan *s, size_t i)
{
    if (!fr_dd_begins(s->doc->lines[i].text))
        return false;
    for (size_t k = i + 1; k < i + RESULT_LINES && k < s->doc->n; k++)
        if (fr_dd_candidate(fr_str_range(s->doc->lines[k].text, 0, DD_RESULT_MAX)))
            return true;
    return false;
}

static bool is_interesting(struct fr_str t)
{
    return fr_dd_candidate(t) || fr_str_find(t, "dd ") != (size_t)-1 || fr_str_starts(fr_str_ltrim(t), "dd:") ||
           fr_str_find(t, "^C") != (size_t)-1;
}

/* `for i in 1 2; do` or `do` alone at the end of a line: what follows is done again and again, up to `done`. */
static void follow_loop(struct scan *s, size_t line)
{
    struct fr_str t = fr_str_trim(s->doc->lines[line].text);
    struct fr_str head = line && fr_str_is(t, "do") ? s->doc->lines[line - 1].text : t;
    s->loop -= s->loop > 0;
    if (fr_str_starts(t, "done"))
        s->loop = 0;
    else if ((fr_str_is(t, "do") || fr_str_ends(t, " do") || fr_str_ends(t, ";do")) && fr_dd_is_loop(head))
        s->loop = LOOP_MAX;
}

static void collect(struct scan *s)
{
    struct fr_strbuf clean = FR_STRBUF_INIT;
    for (size_t i = 0; i < s->doc->n && s->n < ITEMS_MAX; i++) {
        struct fr_str t = s->doc->lines[i].text;
        follow_loop(s, i);
        bool broken = rate_below(s, i);
        if (s->doc->lines[i].owner || !(broken || is_interesting(t))) {
            s->foreign += fr_str_trim(t).n > 0 && !fr_str_starts(fr_str_trim(t), "```");
            continue;
        }
        fr_dd_clean(t, &clean);
        size_t last = fr_str_find(t, "dd ") == (size_t)-1 ? i : join_lines(s, i, &clean);
        if (broken && last == i)
            last = join_result(s, i, &clean);
        add_lines(s, i, fr_strn(fr_strbuf_str(&clean), clean.len));
        i = last;
    }
    fr_strbuf_release(&clean);
}

/* ---- which results are runs -------------------------------------------------------------------------------------- */

/* The results of one host between two command lines, and the command lines before them. */
struct group {
    struct item *commands[GROUP_COMMANDS];
    size_t commands_n;
    struct item **results;
    size_t n, alloc;
    const char *failure;
    struct item *failure_item;
    struct item *last;       /* for the distance */
    struct item *records[2]; /* the last counts: in, out */
    size_t balance;          /* counts that no result followed yet */
    bool interrupted;
};

/* `1024`, `1000`, `5000`: what people give as a count, unlike what a signal catches. */
static bool is_round(const struct item *i)
{
    uint64_t n = i->full;
    return i->has_records && i->partial == 0 && (n <= 100 || n % 100 == 0 || n % 64 == 0 || (n & (n - 1)) == 0);
}

static bool grows(const struct item *a, const struct item *b)
{
    return b->result.bytes >= a->result.bytes && b->result.seconds.value >= a->result.seconds.value;
}

/* What this command can have printed: 0: not this, 1: this, 2: this, when it was done. */
static int fits(const struct fr_dd_command *command, const struct item *i)
{
    return fr_dd_fits(command, i->result.bytes, i->has_records, i->full, i->partial);
}

/*
 * Does the dd that reported `a` report again in `b`? `progress`: the line before `a` was a progress line; `moments`:
 * some report of this group was made at no round count.
 */
static bool is_earlier(const struct item *a, const struct item *b, const struct fr_dd_command *c, bool progress,
                       bool moments)
{
    if (!grows(a, b))
        return false;
    if (a->overwritten)
        return true;
    if (c && c->loop)
        return !a->counted && (progress || (c->progress && a->result.whole));
    /* Round seconds may be chance, or all that dd prints: the same size again is the same test again. */
    if (!a->counted)
        return progress || (c && c->progress) || (a->result.whole && (b->counted || b->result.bytes > a->result.bytes));
    if (a->result.bytes == b->result.bytes || a->result.seconds.value >= b->result.seconds.value)
        return false;
    if (c && c->block > 0 && (fits(c, a) || fits(c, b)))
        return fits(c, a) == 1 && fits(c, b) > 0;
    /* No command line tells. Blocks of another size are another dd; round counts are ends, not moments. */
    double block_a = (double)a->result.bytes / (double)(a->full ? a->full : 1);
    double block_b = (double)b->result.bytes / (double)(b->full ? b->full : 1);
    return moments && b->has_records && fabs(block_a - block_b) <= 0.01 * block_a;
}

static void set(struct scan *s, struct fr_run *run, struct fr_test *test, const char *key, struct fr_str value,
                const struct item *c)
{
    fr_param_set(s->batch, run, test, key, value, FR_FROM_SURROUND, line_no(s, c));
}

static void set_size(struct scan *s, struct fr_run *run, struct fr_test *test, const char *key, struct fr_str value,
                     const struct item *c)
{
    double bytes;
    char text[24];
    if (fr_dd_size(value, &bytes))
        set(s, run, test, key, fr_str(fr_size_format(bytes, text)), c);
    else
        set(s, run, test, key, value, c);
}

static bool has_flag(struct fr_str flags, const char *word)
{
    while (flags.n)
        if (fr_str_is(fr_take_until(&flags, ','), word))
            return true;
    return false;
}

static void set_params(struct scan *s, struct fr_run *run, struct fr_test *test, const struct item *i)
{
    const struct fr_dd_command *c = i->command;
    char text[24];
    if (c->bs.n)
        set_size(s, run, test, "bs", c->bs, i);
    else if (!c->ibs.n && !c->obs.n)
        set(s, run, test, "bs", fr_str(fr_size_format(512, text)), i);
    set_size(s, run, test, "ibs", c->ibs, i);
    set_size(s, run, test, "obs", c->obs, i);
    set(s, run, test, "count", c->count, i);
    set(s, run, test, "skip", c->skip, i);
    set(s, run, test, "seek", c->seek, i);
    set(s, run, test, "conv", c->conv, i);
    set(s, run, test, "iflag", c->iflag, i);
    set(s, run, test, "oflag", c->oflag, i);
    set(s, run, test, "if", c->in, i);
    set(s, run, test, "of", c->out, i);
    if (has_flag(c->op == FR_OP_READ ? c->iflag : c->oflag, "direct"))
        set(s, run, test, "direct", fr_str("1"), i);
    if (c->op != FR_OP_NONE)
        set(s, run, test, "rw", fr_str(fr_op_name(c->op)), i);
}

static void name_of(const struct item *command, char out[64])
{
    double bytes;
    char size[24];
    const struct fr_dd_command *c = command ? command->command : NULL;
    snprintf(out, 64, "dd");
    if (c && c->bs.n && fr_dd_size(c->bs, &bytes))
        snprintf(out, 64, "dd bs=%s", fr_size_format(bytes, size));
    else if (c && !c->bs.n && !c->ibs.n && !c->obs.n)
        snprintf(out, 64, "dd bs=512");
}

/*
 * Are the bytes to be taken? The size behind them is the same number rounded: where it is another one, and the rate is
 * as well (`rates`: it agrees), the count has lost digits.
 */
static bool bytes_count(struct scan *s, const struct item *i, bool rates)
{
    const struct fr_dd_result *r = &i->result;
    if (r->size < 0 || fabs(r->size - (double)r->bytes) <= 1.1 * r->size_half + 0.01 * (double)r->bytes)
        return true;
    fr_log_warn(s->log, s->doc->source, line_no(s, i),
                "%llu bytes are not the size in parentheses behind them (was this edited, or cut?), %s",
                (unsigned long long)r->bytes, rates ? "the bytes are taken" : "nor fits the rate: they are left out");
    return rates;
}

static void add_values(struct scan *s, struct fr_test *test, enum fr_op op, const struct item *i)
{
    const struct fr_dd_result *r = &i->result;
    uint32_t no = line_no(s, i);
    bool agree;
    double rate = fr_dd_rate(r, &agree);
    if (!agree)
        fr_log_warn(s->log, s->doc->source, no,
                    "%llu bytes in %g s are %.4g bytes per second, but dd's line says %.4g: its own rate is taken",
                    (unsigned long long)r->bytes, r->seconds.value, (double)r->bytes / r->seconds.value, rate);
    if (rate >= 0)
        fr_value_add(s->batch, test, op, FR_M_BW, "mean", rate, no);
    if (bytes_count(s, i, agree))
        fr_value_add(s->batch, test, op, FR_M_IO_BYTES, "total", (double)r->bytes, no);
    /* `0.1 s` of uutils can be 0.05 or 0.15: its rate tells. */
    bool taken = r->seconds.value > 0 && fabs(rate * r->seconds.value - (double)r->bytes) <= 1e-6 * (double)r->bytes;
    bool coarse = r->bytes > 0 && r->rate.value >= 0 && r->seconds.half > 0.2 * r->seconds.value && !taken;
    if (!coarse)
        fr_value_add(s->batch, test, op, FR_M_RUNTIME, "total", r->seconds.value, no);
    else
        fr_log_explain(s->log, s->doc->source, no, "%g seconds are rounded too much to be a run time, left out",
                       r->seconds.value);
}

static void claim(struct scan *s, size_t line, unsigned flags)
{
    fr_doc_claim(s->doc, line, line, s->owner, flags);
}

/* The lines of dd's own above a result: record counts, progress, errors, back to the item before. */
static size_t claim_above(struct scan *s, const struct item *i)
{
    size_t first = i->line;
    for (size_t k = (size_t)(i - s->items); k-- > 0;) {
        const struct item *p = &s->items[k];
        if (i->line - p->line > CLAIM_BACK || p->kind == COMMAND || (p->kind == RESULT && !p->overwritten))
            break;
        if (p->host != i->host && p->host)
            continue;
        if (p->line != i->line)
            claim(s, p->line, FR_LINE_NOISE);
        first = p->line;
    }
    for (size_t k = first; k < i->line; k++) {
        struct fr_str t = fr_str_trim(s->doc->lines[k].text);
        if (fr_str_find(t, "truncated record") != (size_t)-1 || fr_str_starts(t, "dd: "))
            claim(s, k, FR_LINE_NOISE);
    }
    return first;
}

/* `real 0m0.868s` and the like below the result. */
static void claim_time(struct scan *s, size_t line)
{
    static const char *const words[] = {"real", "user", "sys"};
    for (size_t k = line + 1; k < s->doc->n && k <= line + 5; k++) {
        struct fr_str t = fr_str_trim(s->doc->lines[k].text);
        bool time = fr_str_starts(t, "dd ") && fr_str_find(t, " total") != (size_t)-1;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            struct fr_str rest = t;
            if (fr_take(&rest, words[i]) && rest.n && fr_is_space(rest.s[0])) {
                rest = fr_str_trim(rest);
                time |= rest.n && fr_is_digit(rest.s[0]);
            }
        }
        if (time)
            claim(s, k, FR_LINE_NOISE);
        else if (t.n)
            return;
    }
}

static int significant_digits(const struct fr_dd_number *n)
{
    return n->value <= 0 ? 0 : (int)floor(log10(n->value / n->half) + 0.7);
}

static void add_run(struct scan *s, struct group *g, struct item *i, struct item *command, bool cut_short)
{
    char name[64];
    size_t first = claim_above(s, i);
    claim(s, i->line, 0);
    claim_time(s, i->line);
    if (command && !command->used)
        first = command->line;
    if (command)
        claim(s, command->line, 0);
    struct fr_run *run = fr_run_new(s->batch, "dd", "dd", s->doc->lines[first].no);
    run->line_end = line_no(s, i);
    run->column = fr_doc_column(i->line, i->column);
    run->form = FR_FORM_TEXT;
    run->cut_short = cut_short;
    if (i->host)
        run->host = fr_arena_strdup(&s->batch->arena, s->hosts[i->host - 1]);
    else if (command && command->command->host.n)
        run->host = command->command->host.s;
    name_of(command, name);
    struct fr_test *test = fr_test_new(s->batch, run, fr_str(name), line_no(s, i));
    add_values(s, test, command ? command->command->op : FR_OP_NONE, i);
    if (command) {
        run->command = command->text;
        set_params(s, run, test, command);
        command->used = true;
        command->complete |= fits(command->command, i) == 2;
    }
    /* Two that agree in bytes and in six digits of their time are one dd shown twice. */
    if (significant_digits(&i->result.seconds) >= 5)
        run->digest = digest_of(i->digest, fr_str(run->command));
    if (g->failure && g->failure_item < i) {
        test->error = g->failure;
        run->cut_short = true;
    }
}

/* ---- commands and their results ---------------------------------------------------------------------------------- */

/* Which of the command lines above is this result's? `finals` results in all, this is number k. */
static struct item *command_of(struct scan *s, const struct group *g, size_t k, size_t finals, const struct item *i)
{
    struct item *found = NULL;
    int best = 0;
    for (size_t c = 0; c < g->commands_n; c++) {
        int score = fits(g->commands[c]->command, i);
        if (score && score >= best && (score == 2 || !g->commands[c]->complete)) {
            best = score;
            found = g->commands[c];
        }
    }
    /* A line of several, or several in the background that ended in turn, or the rounds of a loop. */
    struct item *turn = g->commands_n ? g->commands[k % g->commands_n] : NULL;
    if (found && turn && (g->commands_n == finals || (turn->command->loop && finals % g->commands_n == 0)) &&
        fits(turn->command, i) == best)
        return turn;
    if (g->commands_n && !found)
        fr_log_warn(s->log, s->doc->source, line_no(s, i),
                    "%llu bytes and their record counts do not fit the block size or count of the dd command at line "
                    "%u, the result stands without it",
                    (unsigned long long)i->result.bytes, line_no(s, g->commands[g->commands_n - 1]));
    return found;
}

/* A progress line at the end: the dd was killed, or the copy of its output ends. */
static bool is_cut_short(const struct item *i, const struct item *command)
{
    if (i->counted)
        return false;
    return i->overwritten || (i->result.whole && command && command->command->progress);
}

static void add_runs(struct scan *s, struct group *g, size_t finals)
{
    for (size_t i = 0; i < finals; i++) {
        struct item *command = command_of(s, g, i, finals, g->results[i]);
        add_run(s, g, g->results[i], command, is_cut_short(g->results[i], command) || g->interrupted);
    }
}

static void finish_group(struct scan *s, struct group *g)
{
    size_t finals = 0, plain = 0;
    struct item *last = g->commands_n ? g->commands[g->commands_n - 1] : NULL;
    bool moments = false, progress = false;
    for (size_t i = 0; i < g->n; i++) {
        plain += g->results[i]->counted || !g->results[i]->overwritten;
        moments |= i + 1 < g->n && g->results[i]->has_records && !is_round(g->results[i]);
    }
    /* As many results as command lines: each its own. */
    bool paired = g->commands_n > 1 && plain == g->commands_n;
    const struct fr_dd_command *command = last && !paired ? last->command : NULL;
    for (size_t i = 0; i < g->n; i++) {
        struct item *a = g->results[i], *next = i + 1 < g->n ? g->results[i + 1] : NULL;
        bool earlier =
            next && (paired ? a->overwritten && !a->counted : is_earlier(a, next, command, progress, moments));
        progress = a->overwritten;
        if (!earlier) {
            g->results[finals++] = a;
            continue;
        }
        claim(s, a->line, FR_LINE_NOISE);
        if (a->counted) {
            claim_above(s, a);
            fr_log_explain(s->log, s->doc->source, line_no(s, a),
                           "a report of the dd that reports again at line %u: the last one counts", line_no(s, next));
        }
    }
    add_runs(s, g, finals);
    if (!g->n && g->balance >= 2)
        fr_log_warn(s->log, s->doc->source, line_no(s, g->records[1]),
                    "dd's record counts without its line of bytes, time and rate (status=noxfer, or a dd that prints "
                    "none): there is no result to read");
    if (!g->n && g->failure)
        fr_log_warn(s->log, s->doc->source, line_no(s, g->failure_item), "a dd that failed and has no result: %.200s",
                    g->failure);
    g->n = 0;
    g->commands_n = 0;
    g->failure = NULL;
    g->balance = 0;
    g->interrupted = false;
}

static bool add_result(struct group *g, struct item *i)
{
    if (g->n == g->alloc) {
        size_t alloc = g->alloc ? g->alloc * 2 : 16;
        struct item **results = realloc(g->results, alloc * sizeof *results);
        if (!results)
            return false;
        g->results = results;
        g->alloc = alloc;
    }
    i->counted = g->balance >= 2;
    i->has_records = g->balance == 1 || g->balance == 2; /* more: of several at once, whose is not known */
    if (i->has_records) {
        i->full = g->records[1]->full;
        i->partial = g->records[1]->partial;
    }
    g->balance -= g->balance < 2 ? g->balance : 2;
    g->results[g->n++] = i;
    return true;
}

static void add_to_group(struct scan *s, struct group *g, struct item *i)
{
    bool far = g->last && i->foreign - g->last->foreign > FOREIGN_MAX;
    if (far || (i->kind == COMMAND && g->n))
        finish_group(s, g);
    g->last = i;
    switch (i->kind) {
    case COMMAND:
        if (g->balance >= 2 || g->failure) /* what belongs to the command before */
            finish_group(s, g);
        if (g->commands_n == GROUP_COMMANDS)
            g->commands_n--;
        g->commands[g->commands_n++] = i;
        break;
    case RECORDS:
        g->records[0] = g->records[1];
        g->records[1] = i;
        g->balance++;
        break;
    case RESULT:
        add_result(g, i);
        break;
    case FAILURE:
        g->failure = i->text;
        g->failure_item = i;
        break;
    case INTERRUPT:
        g->interrupted = true;
        break;
    }
}

static void read_host(struct scan *s, unsigned host)
{
    struct group g = {0};
    for (size_t i = 0; i < s->n; i++)
        if (s->items[i].host == host)
            add_to_group(s, &g, &s->items[i]);
    finish_group(s, &g);
    free(g.results);
}

/* ---- the parser -------------------------------------------------------------------------------------------------- */

static bool probe(const struct fr_doc *doc)
{
    for (size_t i = 0; i < doc->n; i++)
        if (!doc->lines[i].owner && fr_dd_candidate(doc->lines[i].text))
            return true;
    return false;
}

static void *state_new(struct fr_log *log)
{
    return fr_dd_rx_new(log);
}

static void state_free(void *state)
{
    fr_rx_free(state);
}

static int scan(void *state, struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log)
{
    struct scan *s = calloc(1, sizeof *s);
    if (!s || !state) {
        free(s);
        return fr_log_error(log, doc->source, 0, "out of memory, no result of dd was looked for");
    }
    s->rx = state;
    s->doc = doc;
    s->batch = batch;
    s->log = log;
    s->owner = owner;
    collect(s);
    for (unsigned host = 0; host <= s->hosts_n; host++)
        read_host(s, host);
    free(s->items);
    free(s);
    return 0;
}

const struct fr_parser fr_parser_dd = {
    .name = "dd",
    .tool = "dd",
    .title = "what dd prints, in any language, with its command line",
    .versions = "GNU coreutils 5.3 to 9, BSD, macOS, BusyBox, toybox, uutils",
    .state_new = state_new,
    .state_free = state_free,
    .probe = probe,
    .scan = scan,
};
