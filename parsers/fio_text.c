/*
 * fio_text.c: fio's normal output, all versions: the parser, and the way of a line through it. See fio_text.h.
 */
#include "fio_text.h"

#include "rx.h"

#include "banned.h"

#define NOWHERE ((size_t)-1)

enum {
    LONG_LINE = 150,  /* no line of fio's is longer, but those of jobs and disks */
    LONG_SHORT = 250, /* somebody's own words before one of them */
    JOIN_MAX = 6,     /* lines that one line was wrapped into */
    PIECES_MAX = 100000
};

struct ft_rx {
    struct fr_rx *anchor, *job, *header;
};

struct fr_rx *ft_rx_anchor(struct ft_rx *rx)
{
    return rx->anchor;
}

struct fr_rx *ft_rx_job(struct ft_rx *rx)
{
    return rx->job;
}

struct fr_rx *ft_rx_header(struct ft_rx *rx)
{
    return rx->header;
}

#define DIRECTION "(?:read|write|trim|mixed) ?\\s*: *(?:IOPS=|io=)[ \\d]"

/* Where a known line begins within another one, whose line ends were lost. */
static const char anchor_pattern[] =
    "(?:\\s(?:rand(?=" DIRECTION "))?|^rand(?=" DIRECTION "))(" DIRECTION
    "|[sc]?lat \\([num]sec\\)\\s*: *(?:min=|avg=|max=|\\d+=|>=)"
    "|sync \\([num]sec\\)\\s*: *min="
    "|(?<!\\)\\s)(?:[sc]?lat|sync) percentiles \\("
    "|(?:high|low) prio[ _]|[sc]?lat prio \\d"
    "|bw \\( *[KMGk]?i?(?:B|bit) */s\\)\\s*: *min="
    "|iops\\s*: *min="
    "|cpu\\s*: *usr="
    "|IO depths\\s*: *1=|submit\\s*: *0=|complete\\s*: *0=|issued ?\\S*\\s*: *total=|latency\\s*: *target="
    "|errors\\s*: *total=|steadystate\\s*: *attained="
    "|fsync/fdatasync"
    "|Run status group \\d|(?:READ|WRITE|TRIM|MIXED): (?:bw|io)=|Disk stats \\("
    "|fio[- ]\\d+\\.\\d+|hostname=\\S+ be=|<[^\\s<>]+>(?= +\\S+: \\(g)|<[^\\s<>]+>(?= Starting)|Starting \\d+ "
    "(?:process|thread)|Jobs: \\d+ \\(f="
    "|fio: pid=\\d+, err=|fio: terminating on signal"
    "|All clients: \\(groupid=\\d+, jobs=\\d+\\): err="
    "|\\S+:? \\(g(?:roupid)?=\\d+(?:, jobs=\\d+)?\\): err=|\\S+: \\(g=\\d+\\): rw=|\\S+: Laying out IO file"
    "|\\S+: ios=\\d+/\\d+,)";

/* From the right: a job's name may hold anything. */
static const char job_pattern[] = "^(.*)\\((?:groupid|g)= ?(\\d+)(?:, *jobs= ?(\\d+))?\\):(?: *err= ?(-?\\d.*))?$";
static const char header_pattern[] =
    "^(.*)\\(g= ?(\\d+)\\): *rw= ?([^\\s,]+), *(?:bs=|odir=\\S+ bs=)?(.*?)(?:, *(ioengine=.*))?$";

static void state_free(void *state)
{
    struct ft_rx *rx = state;
    if (!rx)
        return;
    fr_rx_free(rx->anchor);
    fr_rx_free(rx->job);
    fr_rx_free(rx->header);
    free(rx);
}

static void *state_new(struct fr_log *log)
{
    struct ft_rx *rx = calloc(1, sizeof *rx);
    if (!rx)
        return NULL;
    rx->anchor = fr_rx_new(anchor_pattern, log);
    rx->job = fr_rx_new(job_pattern, log);
    rx->header = fr_rx_new(header_pattern, log);
    if (rx->anchor && rx->job && rx->header)
        return rx;
    state_free(rx);
    return NULL;
}

/* A mark that every text of fio's has somewhere: cheap, because most lines of other texts have no `=` at all. */
static bool probe(const struct fr_doc *doc)
{
    static const char *const marks[] = {"err=",  "IOPS=",  "io=",  "rw=",  "(f=",     "usr=",  "total=", "avg=", "th=",
                                        "err =", "IOPS =", "io =", "rw =", "total =", "avg =", "th =",   "bw=",  "BW="};
    for (size_t i = 0; i < doc->n; i++) {
        struct fr_str text = doc->lines[i].text;
        if (!doc->lines[i].owner && fr_str_starts(text, "fio: "))
            return true;
        if (doc->lines[i].owner || fr_str_chr(text, '=') == NOWHERE)
            continue;
        for (size_t j = 0; j < sizeof marks / sizeof *marks; j++)
            if (fr_str_find(text, marks[j]) != NOWHERE)
                return true;
    }
    return false;
}

/* ---- one line ---------------------------------------------------------------------------------------------------- */

static void starting_line(struct ft_scan *s, struct fr_str line)
{
    (void)line;
    if (!s->r.run || (!s->r.client && (s->r.block || s->r.group || s->r.disk || s->r.starting)))
        ft_run_begin(s);
    s->r.starting = true;
}

static void eta_line(struct ft_scan *s, struct fr_str line)
{
    (void)line;
    if (!s->first_eta)
        s->first_eta = s->line;
    if (s->r.run)
        s->r.eta = s->r.progress = true;
}

static void disk_head(struct ft_scan *s, struct fr_str line)
{
    (void)line;
    ft_test_end(s);
    s->in_disks = s->r.run != NULL;
    s->r.disk = s->r.run != NULL;
}

static void job_line(struct ft_scan *s, struct fr_str line)
{
    ft_job_line(s, line);
    s->in_disks = false;
}

static void bw_line(struct ft_scan *s, struct fr_str line)
{
    ft_sample_line(s, line, true);
}

static void iops_line(struct ft_scan *s, struct fr_str line)
{
    ft_sample_line(s, line, false);
}

/* The dots that stand for a job's clones, behind its header; within a block somebody left lines out. */
static void clone_line(struct ft_scan *s, struct fr_str line)
{
    (void)line;
    s->t.pct = false;
    if (s->r.jobs.tail && !s->r.block)
        s->r.jobs.tail->clones = true;
}

/* Who reads a line of that kind; NULL: nothing is in it. */
static void (*const readers[])(struct ft_scan *s, struct fr_str line) = {
    [FT_HEADER] = ft_header_line,
    [FT_JOB] = job_line,
    [FT_DIR] = ft_dir_line,
    [FT_SHORT] = ft_short_line,
    [FT_LAT] = ft_lat_line,
    [FT_PCT_HEAD] = ft_pct_head,
    [FT_PCT_ROW] = ft_pct_row,
    [FT_PRIO] = ft_prio_line,
    [FT_BW] = bw_line,
    [FT_IOPS] = iops_line,
    [FT_BUCKETS] = ft_bucket_line,
    [FT_CPU] = ft_cpu_line,
    [FT_ISSUED] = ft_issued_line,
    [FT_ERRORS] = ft_errors_line,
    [FT_DEPTH] = ft_depth_line,
    [FT_LATENCY] = ft_latency_line,
    [FT_STEADY] = ft_steady_line,
    [FT_GROUP] = ft_group_line,
    [FT_GROUP_DIR] = ft_group_dir_line,
    [FT_DISK_HEAD] = disk_head,
    [FT_DISK] = ft_disk_line,
    [FT_VERSION] = ft_version_line,
    [FT_STARTING] = starting_line,
    [FT_HOSTNAME] = ft_version_line,
    [FT_ETA] = eta_line,
    [FT_MESSAGE] = ft_message_line,
    [FT_DESCRIPTION] = ft_description_line,
    [FT_NOISE] = ft_laying_line,
    [FT_CLONE] = clone_line,
    [FT_COMMAND] = NULL,
};

static bool is_noise(enum ft_kind kind)
{
    return kind == FT_ETA || kind == FT_NOISE || kind == FT_VERSION || kind == FT_STARTING || kind == FT_HEADER ||
           kind == FT_CLONE || kind == FT_MESSAGE || kind == FT_HOSTNAME || kind == FT_COMMAND;
}

/* `<host> ` before the line (client mode): taken, remembered. */
static void take_host(struct ft_scan *s, struct fr_str *line)
{
    size_t end = fr_str_chr(*line, '>');
    if (!line->n || *line->s != '<' || end == NOWHERE || end < 2 || end > 256)
        return;
    struct fr_str rest = fr_str_trim(fr_str_from(*line, end + 1)), host = fr_str_range(*line, 1, end);
    enum ft_kind kind = rest.n ? ft_kind_of(rest) : FT_NONE;
    if (fr_str_chr(host, ' ') != NOWHERE || (rest.n && kind == FT_NONE))
        return;
    if (!rest.n && !s->in_pieces &&
        (s->index + 1 >= s->doc->n || ft_kind_of(fr_str_trim(s->doc->lines[s->index + 1].text)) != FT_JOB))
        return; /* alone in its line it stands before a block */
    s->host = host;
    if (s->r.run) {
        s->r.client = true;
        s->r.hosts_differ = s->r.hosts_differ || (s->r.host.n && !fr_str_eq(s->r.host, host));
        s->r.host = host;
    }
    *line = rest;
}

/* The line has been read: it belongs to this parser and to the current run. */
static void claim(struct ft_scan *s, size_t first, size_t last, enum ft_kind kind)
{
    fr_doc_claim(s->doc, first, last, s->owner, is_noise(kind) ? FR_LINE_NOISE : 0);
    if (s->r.run && s->doc->lines[last].no > s->r.run->line_end)
        s->r.run->line_end = s->doc->lines[last].no;
    s->strange = 0;
}

/* A line of fio's of that kind. Its text goes into the run's digest: a copy of it in the same source is no second run.
 */
static void known_line(struct ft_scan *s, enum ft_kind kind, struct fr_str text)
{
    if (readers[kind])
        readers[kind](s, text);
    claim(s, s->index, s->index, kind);
    if (s->r.block && !is_noise(kind))
        s->r.digest = fr_str_hash(text, s->r.digest);
    if (kind == FT_JOB || kind == FT_DISK_HEAD)
        s->host = fr_str("");
}

/* The source ended within a line of the current run. */
static void end_torn(struct ft_scan *s)
{
    s->r.run->cut_short = true;
    fr_log_warn(s->log, s->doc->source, s->line, "the text breaks off within this line, its last number is left out");
}

/* One piece of text that holds one line of fio's, or none. `last`: the source may have been cut off at its end. */
static bool piece(struct ft_scan *s, struct fr_str text, bool last)
{
    text = fr_str_trim(text);
    take_host(s, &text);
    enum ft_kind kind = ft_kind_of(text);
    bool torn = last && kind != FT_NONE && s->r.block && ft_take_torn(kind, &text);
    if (kind != FT_NONE)
        known_line(s, kind, text);
    if (torn && s->r.run)
        end_torn(s);
    return kind != FT_NONE;
}

/*
 * An anchor is found at the last word of a job's name. If a header told the whole name, and it stands there, step back
 * to its beginning.
 */
static size_t whole_name(const struct ft_scan *s, struct fr_str text, size_t at)
{
    fr_list_each (struct ft_job, j, s->r.jobs)
        for (size_t cut = 1; cut < j->name.n && cut <= at; cut++) {
            if (j->name.s[cut - 1] != ' ')
                continue;
            size_t start = at - cut;
            struct fr_str here = fr_str_range(text, start, start + j->name.n);
            if (fr_str_eq(here, j->name) && (start == 0 || fr_is_space(text.s[start - 1])))
                return start;
        }
    return at;
}

static bool is_numeral(char c)
{
    return fr_is_digit(c) || c == '.';
}

/*
 * Was a number torn by the edge of a terminal: does line i end within one, and the next line go on with it, at the
 * edge, where fio's own lines are indented? A date's year stands by itself.
 */
static bool is_torn(const struct ft_scan *s, size_t i, enum ft_kind kind)
{
    if (kind == FT_JOB || i + 1 >= s->doc->n || s->doc->lines[i + 1].owner)
        return false;
    struct fr_str a = s->doc->lines[i].text, b = s->doc->lines[i + 1].text;
    if (!a.n || !is_numeral(a.s[a.n - 1]))
        return false;
    struct fr_str next = fr_str_ltrim(b);
    size_t digits = 0;
    while (digits < next.n && fr_is_digit(next.s[digits]))
        digits++;
    if (digits < next.n && !strchr(" ,.)%]/kKMmGB", next.s[digits]))
        return false; /* `10:22:01 up 3 days` */
    if (digits + 1 < next.n && strchr(".)", next.s[digits]) && next.s[digits + 1] == ' ')
        return false; /* `2. Then ...`: the next point of a list */
    if (digits < next.n && next.s[digits] == ' ' && !ft_breaks_off(kind, fr_str_trim(a)))
        return false; /* `4 disks of ...` behind a line that is whole */
    return next.n && is_numeral(next.s[0]) && b.n - next.n < a.n - fr_str_ltrim(a).n &&
           ft_kind_of(fr_str_trim(next)) == FT_NONE;
}

/*
 * `IOPS = 108`, as people retype it: without the blanks around `=`, where there is one before it (fio itself pads
 * behind it alone). A job's name is left as it is. Lent: the text itself, where nothing is to be done.
 */
static struct fr_str unspaced(struct ft_scan *s, struct fr_str text)
{
    size_t from = 0;
    if (fr_str_find(text, " =") == NOWHERE)
        return text;
    for (size_t at; (at = fr_str_find(fr_str_from(text, from), "(g")) != NOWHERE;)
        from += at + 2;
    if (fr_str_find(fr_str_from(text, from), " =") == NOWHERE)
        return text;
    char *copy = fr_arena_copy(&s->arena, text.s, text.n);
    size_t n = from;
    for (size_t i = from; i < text.n; i++) {
        if (text.s[i] == '=')
            while (n > from && copy[n - 1] == ' ')
                n--;
        if (text.s[i] != ' ' || n == 0 || copy[n - 1] != '=')
            copy[n++] = text.s[i];
    }
    return fr_strn(copy, n);
}

/* What the text is. The last answer is kept: a line is looked at from the one before it, too. */
static enum ft_kind kind_of(struct ft_scan *s, struct fr_str text)
{
    if (text.s != s->looked_at.s || text.n != s->looked_at.n) {
        s->looked_at = text;
        s->looked_kind = ft_kind_of(text);
    }
    return s->looked_kind;
}

/* Is the next line with anything in it one that line i may have been wrapped into? */
static bool may_go_on(struct ft_scan *s, size_t i)
{
    struct fr_str next = fr_str("");
    while (!next.n && ++i < s->doc->n)
        next = fr_str_trim(s->doc->lines[i].text);
    return next.n && !s->doc->lines[i].owner && kind_of(s, s->retyped ? unspaced(s, next) : next) == FT_NONE;
}

/* Join the lines that one was wrapped into, if that makes it whole; *last is moved to the last of them. */
static struct fr_str joined(struct ft_scan *s, struct fr_str text, enum ft_kind kind, size_t *last)
{
    struct fr_str out = text;
    size_t at = *last, taken = 0;
    for (size_t i = *last + 1; i < s->doc->n && taken < JOIN_MAX && i < *last + 2 * JOIN_MAX; i++) {
        struct fr_str next = fr_str_trim(s->doc->lines[i].text);
        if (!next.n)
            continue;
        if (s->doc->lines[i].owner || ft_kind_of(unspaced(s, next)) != FT_NONE)
            break;
        const char *blank = is_torn(s, i - 1, kind) || fr_str_ends(out, "=") ? "" : " ";
        const char *both = fr_arena_printf(&s->arena, "%.*s%s%.*s", FR_STR(out), blank, FR_STR(next));
        out = unspaced(s, fr_str(both));
        at = i;
        taken++;
        if (!ft_incomplete(kind, out)) {
            *last = at;
            return out;
        }
    }
    return text;
}

/* The text without quoting marks in its middle: lines of a quoted mail that lost their ends. */
static struct fr_str unquoted(struct ft_scan *s, struct fr_str text)
{
    if (fr_str_find(text, " > ") == NOWHERE)
        return text;
    char *copy = fr_arena_alloc(&s->arena, text.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        bool mark = text.s[i] == '>' && i > 0 && text.s[i - 1] == ' ' && (i + 1 == text.n || text.s[i + 1] == ' ');
        if (!mark)
            copy[n++] = text.s[i];
    }
    return fr_strn(copy, n);
}

/*
 * An anchor is found at the last word of a job's name. Does that name begin where the text does? So it is where a
 * header told it (`whole_at` 0), and where the text is nothing but this one line, long for the words of its error.
 */
static bool begins_with_it(struct ft_scan *s, struct fr_str text, size_t at, size_t whole_at, size_t length)
{
    if (whole_at == 0)
        return true;
    size_t after = at + length;
    return ft_kind_of(fr_str_trim(text)) == FT_JOB && ft_kind_of(fr_str_trim(fr_str_range(text, 0, at))) == FT_NONE &&
           ft_next_anchor(s->rx, text, &after) == NOWHERE;
}

/* Several lines in one: cut where the next known one begins. *last is moved when the last of them was wrapped. */
static bool pieces(struct ft_scan *s, struct fr_str whole, size_t *last)
{
    struct fr_str text = unquoted(s, whole);
    bool any = false, tried = false;
    size_t length = 0;
    whole = text;
    for (int i = 0; i < PIECES_MAX && text.n; i++) {
        size_t was = length, at = ft_next_anchor(s->rx, text, &length);
        enum ft_kind kind = at == NOWHERE && !tried ? ft_kind_of(fr_str_trim(text)) : FT_NONE;
        if (kind != FT_NONE && ft_incomplete(kind, fr_str_trim(text))) {
            tried = true;
            length = was;
            struct fr_str more = joined(s, text, kind, last);
            whole = more.s == text.s ? whole : more;
            text = more;
            continue;
        }
        size_t whole_at = at != NOWHERE ? whole_name(s, text, at) : 0;
        if (at != NOWHERE && text.s == whole.s && begins_with_it(s, text, at, whole_at, length)) {
            length += at;
            continue;
        }
        if (whole_at > 0) {
            length += at - whole_at;
            at = whole_at;
        }
        s->in_pieces = text.s != whole.s || at != NOWHERE;
        any = piece(s, fr_str_range(text, 0, at == NOWHERE ? text.n : at),
                    at == NOWHERE && s->doc->lines[*last].flags & FR_LINE_PARTIAL) ||
              any;
        text = fr_str_from(text, at == NOWHERE ? text.n : at);
        s->column = (size_t)(text.s - whole.s);
        s->lead = fr_str_range(whole, 0, s->column);
    }
    s->column = 0;
    s->lead = fr_str("");
    s->in_pieces = false;
    return any;
}

/* `for ...; do` before the command, in its line or at the end of the one above. In prose people do things as well. */
static bool in_loop(const struct ft_scan *s, struct fr_str before)
{
    before = fr_str_trim(before);
    if (s->index > 0 && (!before.n || fr_str_is(before, ">")))
        before = fr_str_trim(s->doc->lines[s->index - 1].text);
    fr_take(&before, "> ");
    return fr_str_is(before, "do") || fr_str_starts(before, "do ") || fr_str_find(before, "; do") != NOWHERE ||
           fr_str_find(before, ";do") != NOWHERE;
}

/* The command goes on in line i: behind a backslash, or where a line begins with an option. */
static bool continues(const struct ft_scan *s, struct fr_str line, size_t i)
{
    if (i >= s->doc->n)
        return false;
    struct fr_str next = fr_str_ltrim(s->doc->lines[i].text);
    bool option = fr_take_ch(&next, '-');
    fr_take_ch(&next, '-');
    return (line.n && line.s[line.n - 1] == '\\') || (option && next.n && fr_is_alpha(next.s[0]));
}

/* A command line, with its continuation lines. */
static bool command(struct ft_scan *s, struct fr_str text, size_t *last)
{
    size_t at = ft_command_find(text);
    if (at == NOWHERE)
        return false;
    struct fr_str line = fr_str_rtrim(fr_str_from(text, at));
    size_t i = *last;
    for (; continues(s, line, i + 1) && i < *last + 64; i++) {
        struct fr_str next = fr_str_trim(s->doc->lines[i + 1].text);
        if (fr_take(&next, "> "))
            next = fr_str_trim(next);
        if (ft_kind_of(next) != FT_NONE)
            break;
        line.n -= line.n && line.s[line.n - 1] == '\\';
        line = fr_str(fr_arena_printf(&s->arena, "%.*s %.*s", FR_STR(fr_str_rtrim(line)), FR_STR(next)));
    }
    ft_run_end(s);
    s->command = ft_command_parse(s, line, in_loop(s, fr_str_range(text, 0, at)));
    fr_doc_claim(s->doc, *last, i, s->owner, FR_LINE_NOISE);
    *last = i;
    s->strange = 0;
    return true;
}

/* `io=...` whose `read :` was left at the end of the line before: both together. */
static struct fr_str with_direction(struct ft_scan *s, size_t i, struct fr_str text)
{
    if (i == 0 || !(fr_str_starts(text, "io=") || fr_str_starts(text, "IOPS=")))
        return text;
    struct fr_str before = fr_str_trim(s->doc->lines[i - 1].text), word = before;
    if (!fr_str_ends(word, ":"))
        return text;
    word = fr_str_rtrim(fr_str_range(word, 0, word.n - 1));
    static const char *const words[] = {"read", "write", "trim", "mixed"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (fr_str_ends(word, words[w]))
            return fr_str(fr_arena_printf(&s->arena, "%s: %.*s", words[w], FR_STR(text)));
    return text;
}

/* `2.0.8` behind headers, as Debian's builds print their version: as it is printed elsewhere; else the text itself. */
static struct fr_str with_version(struct ft_scan *s, struct fr_str text)
{
    size_t digits = 0, dots = 0;
    if (!s->r.run || !s->r.jobs.n || s->r.version || s->r.starting || s->r.block || s->strange)
        return text;
    for (size_t i = 0; i < text.n; i++) {
        digits += fr_is_digit(text.s[i]);
        dots += text.s[i] == '.';
    }
    if (!dots || digits < 2 || digits + dots != text.n || text.n > 12)
        return text;
    return fr_str(fr_arena_printf(&s->arena, "fio-%.*s", FR_STR(text)));
}

/* More in the line than one direction: `read: IOPS=... write: IOPS=...`, `read: IOPS=..., lat (usec): avg=...` */
static bool has_two(enum ft_kind kind, struct fr_str text)
{
    struct fr_str more = fr_str_from(text, sizeof "mixed : " - 1);
    return kind == FT_DIR && (fr_str_find(more, ": IOPS=") != NOWHERE || fr_str_find(more, ": io=") != NOWHERE ||
                              fr_str_find(more, "lat (") != NOWHERE);
}

/* `After:`, `# With data on the disk`: a title, which speaks of nothing that a command would set. */
static bool only_names(struct fr_str t)
{
    static const char *const words[] = {"=",  "depth", "jobs",  "thread", "block", "rand", "seq",
                                        "qd", "queue", "async", "direct", "buff",  "rw",   "bs"};
    if (t.n > 80 || !(fr_str_ends(t, ":") || fr_str_ends(t, "\xef\xbc\x9a") || *t.s == '#' || *t.s == '*'))
        return false;
    for (; t.n; t = fr_str_from(t, 1))
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (fr_str_starts_nocase(t, words[i]))
                return false;
    return true;
}

/*
 * A line of nobody's. `[...]`, `<snip>`: lines were left out, and rows that follow may be of another list. `|...,`:
 * rows of this one were.
 */
static void strange_line(struct ft_scan *s, struct fr_str text)
{
    s->heading = s->strange++ == 0 && only_names(text);
    s->heading_at = s->index;
    if (text.n <= 12 && *text.s != '|' && (fr_str_find(text, "...") != NOWHERE || fr_str_find(text, "snip") != NOWHERE))
        s->t.pct = false;
}

/* What belongs in the next line stands behind it. */
static bool has_more(enum ft_kind kind, struct fr_str line)
{
    if (has_two(kind, line))
        return true;
    if (kind == FT_GROUP || kind == FT_DISK_HEAD)
        return !fr_str_ends(line, ":");
    size_t depth = kind == FT_HEADER ? fr_str_rfind(line, "iodepth=") : NOWHERE;
    return depth != NOWHERE && fr_str_chr(fr_str_from(line, depth + 9), ' ') != NOWHERE;
}

static size_t one_line(struct ft_scan *s, size_t i)
{
    struct fr_str text = fr_str_trim(s->doc->lines[i].text);
    s->index = i;
    s->line = s->doc->lines[i].no;
    if (!text.n)
        return i;
    size_t last = i;
    if ((i == 0 || !fr_str_ltrim(s->doc->lines[i - 1].text).n) && ft_flowed(s, i, &last, &text)) {
        pieces(s, text, &last);
        fr_doc_claim(s->doc, i, last, s->owner, 0);
        return last;
    }
    size_t eta = *text.s == 'J' ? ft_eta_length(text) : 0;
    if (eta) { /* fio pads with blanks, and may leave a bracket */
        eta_line(s, text);
        text = fr_str_from(text, eta);
        while (text.n && (*text.s == ']' || *text.s == ' '))
            text = fr_str_from(text, 1);
    }
    text = with_version(s, with_direction(s, i, text));
    struct fr_str tight = s->retyped ? unspaced(s, text) : text;
    enum ft_kind kind = kind_of(s, tight);
    if (kind != FT_NONE)
        text = tight;
    if (kind != FT_NONE && text.n <= (kind == FT_SHORT ? LONG_SHORT : LONG_LINE) && !has_more(kind, text)) {
        if (may_go_on(s, i) && (ft_incomplete(kind, text) || is_torn(s, i, kind))) {
            text = joined(s, text, kind, &last);
            fr_doc_claim(s->doc, i, last, s->owner, 0);
        }
        bool torn = s->doc->lines[last].flags & FR_LINE_PARTIAL && s->r.block && ft_take_torn(kind, &text);
        if (last > i || *text.s == '<')
            piece(s, text, false);
        else
            known_line(s, kind, text);
        if (torn && s->r.run)
            end_torn(s);
        return last;
    }
    if (kind == FT_NONE && command(s, text, &last))
        return last;
    if (kind == FT_NONE && (s->in_file || *text.s == '[') && ft_job_file_line(s, text)) {
        strange_line(s, text);
        return i;
    }
    if (kind == FT_NONE && ft_options_line(s, text)) {
        strange_line(s, text);
        return i;
    }
    if (!pieces(s, text, &last))
        strange_line(s, text);
    if (last > i)
        fr_doc_claim(s->doc, i, last, s->owner, 0);
    return last;
}

static int scan(void *state, struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log)
{
    struct ft_scan s;
    memset(&s, 0, sizeof s);
    s.rx = state;
    s.doc = doc;
    s.owner = owner;
    s.batch = batch;
    s.log = log;
    s.arena = (struct fr_arena)FR_ARENA_INIT;
    s.retyped = doc->rewritten || fr_str_find(doc->whole, " =") != NOWHERE;
    for (size_t i = 0; i < doc->n; i++)
        if (!doc->lines[i].owner)
            i = one_line(&s, i);
    ft_run_end(&s);
    if (!s.found && s.first_eta && !batch->runs.n)
        fr_log_warn(log, doc->source, s.first_eta, "fio's progress lines only, no result");
    else if (!s.found && s.complaint_line && !s.said_why && !batch->runs.n)
        fr_log_warn(log, doc->source, s.complaint_line, "fio says `%.*s`, there is no result", FR_STR(s.complaint));
    fr_arena_release(&s.arena);
    return s.status;
}

const struct fr_parser fr_parser_fio_text = {
    .name = "fio-text",
    .tool = "fio",
    .title = "fio's normal output",
    .versions = "1.1 to 3.42",
    .state_new = state_new,
    .state_free = state_free,
    .probe = probe,
    .scan = scan,
};
