/* dd_items.c: what a document holds of dd's: command lines, record counts, results, errors, in their order. */
#include "dd.h"

#include "banned.h"

enum {
    LOOP_MAX = 12,    /* lines of the body of a loop */
    RESULT_LINES = 3, /* that a result may be broken into */
    ITEMS_MAX = 1 << 22
};

/* ---- items ------------------------------------------------------------------------------------------------------- */

static struct fr_dd_item *add_item(struct fr_dd_scan *s, enum fr_dd_kind kind, unsigned host, size_t line,
                                   size_t column)
{
    if (s->n == s->alloc) {
        size_t alloc = s->alloc ? s->alloc * 2 : 64;
        struct fr_dd_item *items = realloc(s->items, alloc * sizeof *items);
        if (!items)
            return NULL;
        s->items = items;
        s->alloc = alloc;
    }
    struct fr_dd_item *i = &s->items[s->n++];
    memset(i, 0, sizeof *i);
    i->kind = kind;
    i->host = host;
    i->section = s->section;
    i->line = line;
    i->column = column;
    i->foreign = s->foreign;
    return i;
}

static struct fr_str keep(struct fr_dd_scan *s, struct fr_str a)
{
    return fr_strn(fr_arena_copy(&s->batch->arena, a.s, a.n), a.n);
}

/* A command's views point into a line's buffer: let them live as long as the batch. */
static struct fr_dd_command *keep_command(struct fr_dd_scan *s, const struct fr_dd_command *c)
{
    struct fr_dd_command *k = fr_arena_new(&s->batch->arena, struct fr_dd_command);
    *k = *c;
    struct fr_str *views[] = {&k->bs,   &k->ibs,   &k->obs,   &k->count, &k->skip, &k->seek,
                              &k->conv, &k->iflag, &k->oflag, &k->in,    &k->out,  &k->host};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        *views[i] = keep(s, *views[i]);
    return k;
}

/* The number of the host of that name; 0: there are too many. */
static unsigned host_number(struct fr_dd_scan *s, struct fr_str name)
{
    size_t i = 0;
    while (i < s->hosts_n && !fr_str_is(name, s->hosts[i]))
        i++;
    if (i == DD_HOSTS_MAX)
        return 0;
    if (i == s->hosts_n) {
        memcpy(s->hosts[i], name.s, name.n);
        s->hosts[i][name.n] = 0;
        s->hosts_n++;
    }
    return (unsigned)i + 1;
}

/* `web1 | CHANGED | rc=0 >>`, `ok: [web1] => {`: ansible says whose output follows. */
static void follow_section(struct fr_dd_scan *s, struct fr_str t)
{
    struct fr_str rest = fr_str_trim(t), name = fr_take_word(&rest);
    size_t bracket = fr_str_chr(t, '['), end = fr_str_chr(t, ']');
    if (fr_str_ends(t, ">>") && fr_take(&rest, " | ") && fr_str_find(rest, "| rc=") != (size_t)-1 &&
        name.n < DD_HOST_LENGTH)
        s->section = host_number(s, name);
    else if (fr_str_ends(name, ":") && fr_take(&rest, " [") && fr_str_ends(t, "=> {") && end != (size_t)-1 &&
             end > bracket + 1 && end - bracket <= DD_HOST_LENGTH)
        s->section = host_number(s, fr_str_range(t, bracket + 1, end));
}

/* `chunk1: 50+0 records in`: the number of the name, and the text behind it. */
static unsigned take_host(struct fr_dd_scan *s, struct fr_str *text)
{
    struct fr_str t = fr_str_ltrim(*text);
    size_t n = 0;
    while (n < t.n && n < DD_HOST_LENGTH - 1 && (fr_is_alpha(t.s[n]) || fr_is_digit(t.s[n]) || strchr("-_.@", t.s[n])))
        n++;
    struct fr_str rest = fr_str_from(t, n);
    if (!n || n == t.n || (!fr_take(&rest, ": ") && !fr_take(&rest, " | ")) || fr_str_is(fr_str_range(t, 0, n), "dd"))
        return 0;
    rest = fr_str_ltrim(rest);
    if (!rest.n || !fr_is_digit(rest.s[0]))
        return 0;
    unsigned host = host_number(s, fr_str_range(t, 0, n));
    if (host)
        *text = rest;
    return host;
}

static bool add_command(struct fr_dd_scan *s, size_t line, struct fr_str text, size_t offset)
{
    struct fr_dd_command c;
    bool any = false;
    if (fr_str_find(text, "% cpu ") != (size_t)-1)
        return false; /* zsh's time repeats the command */
    for (size_t from = 0; fr_dd_command(text, from, &c); from = c.to) {
        struct fr_dd_item *i = add_item(s, DD_COMMAND, 0, line, offset + c.from);
        if (!i)
            return any;
        i->command = keep_command(s, &c);
        i->command->loop |= s->loop > 0;
        struct fr_str t = fr_str_trim(fr_str_range(text, c.from, c.to));
        i->text = fr_arena_copy(&s->batch->arena, t.s, t.n);
        s->section = 0;
        any = true;
    }
    return any;
}

/* What stands before a result, or in a line without one: commands and record counts. True when there was any. */
static bool add_piece(struct fr_dd_scan *s, size_t line, struct fr_str text, size_t offset, unsigned host)
{
    bool any = (!host || host == s->section) && add_command(s, line, text, offset);
    uint64_t full, partial;
    while (fr_dd_records(&text, &full, &partial)) {
        struct fr_dd_item *i = add_item(s, DD_RECORDS, host, line, offset);
        if (!i)
            break;
        i->full = full;
        i->partial = partial;
        any = true;
    }
    return any;
}

/* Lines that only a dd that failed or was stopped prints. */
static bool add_failure(struct fr_dd_scan *s, size_t line, struct fr_str text)
{
    struct fr_str t = fr_str_trim(text);
    struct fr_dd_item *i;
    if (fr_str_is(t, "^C") && (i = add_item(s, DD_INTERRUPT, 0, line, 0)) != NULL)
        return true;
    if (!fr_str_starts(t, "dd: ") || fr_dd_candidate(t)) /* `dd: 1048576 bytes copied, ...`: somebody's script */
        return false;
    if (fr_str_find(t, "warning") != (size_t)-1) /* partial read: the record counts say it too */
        return true;
    i = add_item(s, DD_FAILURE, 0, line, 0);
    if (i)
        i->text = fr_arena_copy(&s->batch->arena, t.s, t.n);
    return true;
}

/* A line, or a piece of one, that begins at byte `base`; `overwritten`: a lone CR ended it. */
static void add_line(struct fr_dd_scan *s, size_t line, struct fr_str text, size_t base, bool overwritten)
{
    struct fr_dd_result r;
    bool any = false;
    struct fr_str rest = text;
    unsigned host = take_host(s, &rest);
    size_t from = text.n - rest.n;
    if (!host && (add_failure(s, line, text)))
        return;
    host = host ? host : s->section;
    if (fr_str_starts(fr_str_ltrim(rest), "^C")) {
        add_item(s, DD_INTERRUPT, host, line, 0);
        from += (size_t)(fr_str_ltrim(rest).s - rest.s) + 2;
    }
    while (fr_dd_candidate(fr_str_from(text, from)) && fr_dd_result(s->rx, text, from, &r)) {
        add_piece(s, line, fr_str_range(text, from, r.from), base + from, host);
        struct fr_dd_item *i = add_item(s, DD_RESULT, host, line, base + r.from);
        if (!i)
            return;
        i->result = r;
        i->overwritten = overwritten;
        i->digest = fr_str_hash(fr_str_range(text, r.from, r.to), 0);
        from = r.to;
        any = true;
    }
    any |= add_piece(s, line, fr_str_from(text, from), base + from, host);
    if (!any && fr_str_trim(text).n && !fr_str_starts(fr_str_trim(text), "```"))
        s->foreign++;
}

/* A clean line: the line breaks of a string in it make several. */
static void add_lines(struct fr_dd_scan *s, size_t line, struct fr_str text)
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
static size_t join_lines(const struct fr_dd_scan *s, size_t line, struct fr_strbuf *out)
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
static bool is_broken_at(const struct fr_dd_scan *s, struct fr_str t, size_t n)
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
static size_t join_result(const struct fr_dd_scan *s, size_t line, struct fr_strbuf *out)
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
static bool rate_below(const struct fr_dd_scan *s, size_t i)
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
static void follow_loop(struct fr_dd_scan *s, size_t line)
{
    struct fr_str t = fr_str_trim(s->doc->lines[line].text);
    struct fr_str head = line && fr_str_is(t, "do") ? s->doc->lines[line - 1].text : t;
    s->loop -= s->loop > 0;
    if (fr_str_starts(t, "done"))
        s->loop = 0;
    else if ((fr_str_is(t, "do") || fr_str_ends(t, " do") || fr_str_ends(t, ";do")) && fr_dd_is_loop(head))
        s->loop = LOOP_MAX;
}

/* `ext4: 1073741824 bytes ...`: a name before results alone is what they are called; a host's name is before all. */
static void find_words(struct fr_dd_scan *s)
{
    bool counts[DD_HOSTS_MAX + 1] = {false};
    for (size_t i = 0; i < s->n; i++)
        if (s->items[i].kind == DD_RECORDS)
            counts[s->items[i].host] = true;
    for (size_t i = 0; i < s->n; i++)
        if (s->items[i].host && !counts[s->items[i].host]) {
            s->items[i].word = s->items[i].host;
            s->items[i].host = s->items[i].section;
        }
}

void fr_dd_collect(struct fr_dd_scan *s)
{
    struct fr_strbuf clean = FR_STRBUF_INIT;
    for (size_t i = 0; i < s->doc->n && s->n < ITEMS_MAX; i++) {
        struct fr_str t = s->doc->lines[i].text;
        follow_loop(s, i);
        follow_section(s, t);
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
    find_words(s);
}
