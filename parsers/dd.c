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
    GROUP_COMMANDS = 64, /* command lines without a result between that are remembered */
    FOREIGN_MAX = 6,     /* other lines that may stand between a command and its result */
    CLAIM_BACK = 12
};

static uint32_t line_no(const struct fr_dd_scan *s, const struct fr_dd_item *i)
{
    return s->doc->lines[i->line].no;
}

/* ---- which results are runs -------------------------------------------------------------------------------------- */

/* The results of one host between two command lines, and the command lines before them. */
struct group {
    struct fr_dd_item *commands[GROUP_COMMANDS];
    size_t commands_n;
    struct fr_dd_item **results;
    size_t n, alloc;
    const char *failure;
    struct fr_dd_item *failure_item;
    struct fr_dd_item *last;       /* for the distance */
    struct fr_dd_item *records[2]; /* the last counts: in, out */
    size_t balance;                /* counts that no result followed yet */
    bool interrupted;
};

/* `1024`, `1000`, `5000`: what people give as a count, unlike what a signal catches. */
static bool is_round(const struct fr_dd_item *i)
{
    uint64_t n = i->full;
    return i->has_records && i->partial == 0 && (n <= 100 || n % 100 == 0 || n % 64 == 0 || (n & (n - 1)) == 0);
}

static bool grows(const struct fr_dd_item *a, const struct fr_dd_item *b)
{
    return b->result.bytes >= a->result.bytes && b->result.seconds.value >= a->result.seconds.value;
}

/* What this command can have printed: 0: not this, 1: this, 2: this, when it was done. */
static int fits(const struct fr_dd_command *command, const struct fr_dd_item *i)
{
    return fr_dd_fits(command, i->result.bytes, i->has_records, i->full, i->partial);
}

/* `real 0m0.868s`, `user ...`, `sys ...`, or `dd ...  0.124 total`: what `time` prints when it is over. */
static bool is_time(struct fr_str t)
{
    static const char *const words[] = {"real", "user", "sys"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct fr_str rest = t;
        if (!fr_take(&rest, words[i]) || !rest.n || !fr_is_space(rest.s[0]))
            continue;
        rest = fr_str_trim(rest);
        return rest.n && fr_is_digit(rest.s[0]);
    }
    return fr_str_starts(t, "dd ") && fr_str_find(t, " total") != (size_t)-1;
}

/* What may stand between two reports of one dd: what asks it for one, and what the system says with it. */
static bool asks_for_report(struct fr_str t)
{
    static const char *const words[] = {"kill", "USR1", "INFO", "^T", "load:", "sleep"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fr_str_find(t, words[i]) != (size_t)-1)
            return true;
    return false;
}

/*
 * Was the dd that reported `a` over before `b` was reported? Its time stands between, or, where no command line says
 * more (`known`), anything that is not dd's: a heading, a prompt, another block of code.
 */
static bool is_over(const struct fr_dd_scan *s, const struct fr_dd_item *a, const struct fr_dd_item *b, bool known)
{
    for (size_t i = a->line + 1; i < b->line; i++) {
        struct fr_str t = fr_str_trim(s->doc->lines[i].text);
        if (is_time(t))
            return true;
        if (!known && t.n && !fr_dd_candidate(t) && !fr_str_starts(t, "dd: ") && !asks_for_report(t))
            return true;
    }
    return false;
}

/*
 * Does the dd that reported `a` report again in `b`? `progress`: the line before `a` was a progress line; `moments`:
 * some report of this group was made at no round count.
 */
static bool is_earlier(const struct fr_dd_scan *s, const struct fr_dd_item *a, const struct fr_dd_item *b,
                       const struct fr_dd_command *c, bool progress, bool moments)
{
    if (!grows(a, b) || is_over(s, a, b, true))
        return false;
    if (a->overwritten)
        return true;
    if (c && c->loop)
        return !a->counted && (progress || (c->progress && a->result.whole) || a->result.moment);
    /* Round seconds may be chance, or all that dd prints: the same size again is the same test again. */
    if (!a->counted)
        return progress || a->result.moment || (c && c->progress) ||
               (a->result.whole && (b->counted || b->result.bytes > a->result.bytes));
    if (a->result.bytes == b->result.bytes || a->result.seconds.value >= b->result.seconds.value)
        return false;
    if (c && c->block > 0 && (fits(c, a) || fits(c, b)))
        return fits(c, a) == 1 && fits(c, b) > 0;
    /* No command line tells. Blocks of another size are another dd; round counts are ends, not moments. */
    double block_a = (double)a->result.bytes / (double)(a->full ? a->full : 1);
    double block_b = (double)b->result.bytes / (double)(b->full ? b->full : 1);
    return moments && b->has_records && !is_over(s, a, b, false) && fabs(block_a - block_b) <= 0.01 * block_a;
}

static void set(struct fr_dd_scan *s, struct fr_run *run, struct fr_test *test, const char *key, struct fr_str value,
                const struct fr_dd_item *c)
{
    fr_param_set(s->batch, run, test, key, value, FR_FROM_SURROUND, line_no(s, c));
}

static void set_size(struct fr_dd_scan *s, struct fr_run *run, struct fr_test *test, const char *key,
                     struct fr_str value, const struct fr_dd_item *c)
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

static void set_params(struct fr_dd_scan *s, struct fr_run *run, struct fr_test *test, const struct fr_dd_item *i)
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

static void name_of(const struct fr_dd_item *command, char out[64])
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
static bool bytes_count(struct fr_dd_scan *s, const struct fr_dd_item *i, bool rates)
{
    const struct fr_dd_result *r = &i->result;
    if (r->size < 0 || fabs(r->size - (double)r->bytes) <= 1.1 * r->size_half + 0.01 * (double)r->bytes)
        return true;
    fr_log_warn(s->log, s->doc->source, line_no(s, i),
                "%llu bytes are not the size in parentheses behind them (was this edited, or cut?), %s",
                (unsigned long long)r->bytes, rates ? "the bytes are taken" : "nor fits the rate: they are left out");
    return rates;
}

static void add_values(struct fr_dd_scan *s, struct fr_test *test, enum fr_op op, const struct fr_dd_item *i)
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

static void claim(struct fr_dd_scan *s, size_t line, unsigned flags)
{
    fr_doc_claim(s->doc, line, line, s->owner, flags);
}

/* The lines of dd's own above a result: record counts, progress, errors, back to the item before. */
static size_t claim_above(struct fr_dd_scan *s, const struct fr_dd_item *i)
{
    size_t first = i->line;
    for (size_t k = (size_t)(i - s->items); k-- > 0;) {
        const struct fr_dd_item *p = &s->items[k];
        if (i->line - p->line > CLAIM_BACK || p->kind == DD_COMMAND || (p->kind == DD_RESULT && !p->overwritten))
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
static void claim_time(struct fr_dd_scan *s, size_t line)
{
    for (size_t k = line + 1; k < s->doc->n && k <= line + 5; k++) {
        struct fr_str t = fr_str_trim(s->doc->lines[k].text);
        if (is_time(t))
            claim(s, k, FR_LINE_NOISE);
        else if (t.n)
            return;
    }
}

static int significant_digits(const struct fr_dd_number *n)
{
    return n->value <= 0 ? 0 : (int)floor(log10(n->value / n->half) + 0.7);
}

/* Does something that is not dd's stand before result k, a heading perhaps? */
static bool is_apart(const struct group *g, size_t k)
{
    return k && g->results[k]->foreign > g->results[k - 1]->foreign;
}

/* What stands before a result: `Read:`, `ext4:`; `stderr:` says nothing. */
static void take_word(struct fr_dd_scan *s, struct fr_run *run, const char *word, enum fr_op *op)
{
    static const struct {
        const char *word;
        enum fr_op op;
    } words[] = {{"read", FR_OP_READ},    {"reading", FR_OP_READ}, {"write", FR_OP_WRITE}, {"writing", FR_OP_WRITE},
                 {"stderr", FR_OP_NONE},  {"stdout", FR_OP_NONE},  {"output", FR_OP_NONE}, {"result", FR_OP_NONE},
                 {"results", FR_OP_NONE}, {"speed", FR_OP_NONE},   {"disk", FR_OP_NONE},   {"test", FR_OP_NONE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fr_str_is_nocase(fr_str(word), words[i].word)) {
            *op = *op == FR_OP_NONE ? words[i].op : *op;
            return;
        }
    run->own_label = fr_arena_strdup(&s->batch->arena, word);
}

/* Do headings tell the results below the commands apart, one of which stands between the command and this result? */
static bool is_headed(const struct fr_dd_scan *s, const struct group *g, const struct fr_dd_item *command, size_t first)
{
    bool headings = false;
    for (size_t k = 1; k < g->n; k++)
        headings = headings || is_apart(g, k);
    for (size_t i = command->line + 1; headings && i < first; i++) {
        struct fr_str t = fr_str_trim(s->doc->lines[i].text);
        if (t.n && !strchr("`\"{}", t.s[0]) && !s->doc->lines[i].owner && !fr_dd_candidate(t))
            return true;
    }
    return false;
}

static void add_run(struct fr_dd_scan *s, struct group *g, struct fr_dd_item *i, struct fr_dd_item *command,
                    bool cut_short)
{
    char name[64];
    size_t first = claim_above(s, i);
    claim(s, i->line, 0);
    claim_time(s, i->line);
    if (command && !command->used && !is_headed(s, g, command, first))
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
    enum fr_op op = command ? command->command->op : FR_OP_NONE;
    if (i->word)
        take_word(s, run, s->hosts[i->word - 1], &op);
    name_of(command, name);
    struct fr_test *test = fr_test_new(s->batch, run, fr_str(name), line_no(s, i));
    add_values(s, test, op, i);
    if (command) {
        run->command = command->text;
        set_params(s, run, test, command);
        command->used = true;
        command->complete |= fits(command->command, i) == 2;
    }
    /* Two that agree in bytes and in six digits of their time are one dd shown twice. */
    if (significant_digits(&i->result.seconds) >= 5)
        run->digest = fr_str_hash(fr_str(run->command), i->digest);
    if (g->failure && g->failure_item < i) {
        test->error = g->failure;
        run->cut_short = true;
    }
}

/* ---- commands and their results ---------------------------------------------------------------------------------- */

/*
 * Several commands stand above the results: does each of them have one, in this order, or one in each of the parts that
 * headings divide the results into, or in each round of a loop? Then every result is such as its command can give.
 */
static bool take_turns(const struct group *g, size_t finals)
{
    size_t in_part = 0;
    bool parts = true, fit = g->commands_n > 1;
    for (size_t k = 0; fit && k < finals; k++, in_part++) {
        if (is_apart(g, k)) {
            parts = parts && in_part == g->commands_n;
            in_part = 0;
        }
        fit = fits(g->commands[k % g->commands_n]->command, g->results[k]) > 0;
    }
    parts = parts && in_part == g->commands_n;
    bool rounds = fit && g->commands[0]->command->loop && finals % g->commands_n == 0;
    return fit && (parts || rounds || finals == g->commands_n);
}

/* Which of the command lines above is this result's? `finals` results in all, this is number k. */
static struct fr_dd_item *command_of(struct fr_dd_scan *s, const struct group *g, size_t k, size_t finals,
                                     const struct fr_dd_item *i)
{
    struct fr_dd_item *found = NULL;
    int best = 0;
    for (size_t c = 0; c < g->commands_n; c++) {
        int score = fits(g->commands[c]->command, i);
        if (score && score >= best && (score == 2 || !g->commands[c]->complete)) {
            best = score;
            found = g->commands[c];
        }
    }
    /* A line of several, or several in the background that ended in turn, or the rounds of a loop. */
    struct fr_dd_item *turn = g->commands_n ? g->commands[k % g->commands_n] : NULL;
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
static bool is_cut_short(const struct fr_dd_item *i, const struct fr_dd_item *command)
{
    if (i->counted)
        return false;
    return i->overwritten || i->result.moment || (i->result.whole && command && command->command->progress);
}

static void add_runs(struct fr_dd_scan *s, struct group *g, size_t finals)
{
    bool turns = take_turns(g, finals);
    for (size_t i = 0; i < finals; i++) {
        struct fr_dd_item *command =
            turns ? g->commands[i % g->commands_n] : command_of(s, g, i, finals, g->results[i]);
        add_run(s, g, g->results[i], command, is_cut_short(g->results[i], command) || g->interrupted);
    }
}

static void finish_group(struct fr_dd_scan *s, struct group *g)
{
    size_t finals = 0, plain = 0;
    struct fr_dd_item *last = g->commands_n ? g->commands[g->commands_n - 1] : NULL;
    bool moments = false, progress = false;
    for (size_t i = 0; i < g->n; i++) {
        plain += g->results[i]->counted || !g->results[i]->overwritten;
        moments |= i + 1 < g->n && g->results[i]->has_records && !is_round(g->results[i]);
    }
    /* As many results as command lines: each its own. */
    bool paired = g->commands_n > 1 && plain == g->commands_n;
    const struct fr_dd_command *command = last && !paired ? last->command : NULL;
    for (size_t i = 0; i < g->n; i++) {
        struct fr_dd_item *a = g->results[i], *next = i + 1 < g->n ? g->results[i + 1] : NULL;
        bool earlier =
            next && (paired ? a->overwritten && !a->counted : is_earlier(s, a, next, command, progress, moments));
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

static bool add_result(struct group *g, struct fr_dd_item *i)
{
    if (g->n == g->alloc) {
        size_t alloc = g->alloc ? g->alloc * 2 : 16;
        struct fr_dd_item **results = realloc(g->results, alloc * sizeof *results);
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

static void add_to_group(struct fr_dd_scan *s, struct group *g, struct fr_dd_item *i)
{
    bool far = g->last && i->foreign - g->last->foreign > FOREIGN_MAX;
    if (far || (i->kind == DD_COMMAND && g->n))
        finish_group(s, g);
    g->last = i;
    switch (i->kind) {
    case DD_COMMAND:
        if (g->balance >= 2 || g->failure) /* what belongs to the command before */
            finish_group(s, g);
        if (g->commands_n == GROUP_COMMANDS)
            g->commands_n--;
        g->commands[g->commands_n++] = i;
        break;
    case DD_RECORDS:
        g->records[0] = g->records[1];
        g->records[1] = i;
        g->balance++;
        break;
    case DD_RESULT:
        add_result(g, i);
        break;
    case DD_FAILURE:
        g->failure = i->text;
        g->failure_item = i;
        break;
    case DD_INTERRUPT:
        g->interrupted = true;
        break;
    }
}

static void read_host(struct fr_dd_scan *s, unsigned host)
{
    struct group g = {0};
    for (size_t i = 0; i < s->n; i++)
        if (s->items[i].host == host || s->items[i].kind == DD_COMMAND) /* which they may all have run */
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
    struct fr_dd_scan *s = calloc(1, sizeof *s);
    if (!s || !state) {
        free(s);
        return fr_log_error(log, doc->source, 0, "out of memory, no result of dd was looked for");
    }
    s->rx = state;
    s->doc = doc;
    s->batch = batch;
    s->log = log;
    s->owner = owner;
    fr_dd_collect(s);
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
