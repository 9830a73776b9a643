/*
 * fio_text_line.c: what a line is, by its first characters. A word alone is not enough (people write `read:` as well,
 * and a job may be called `lat (usec)`): each kind needs the mark that only fio puts behind it.
 */
#include "fio_text.h"

#include "rx.h"

#include "banned.h"

#define NOWHERE ((size_t)-1)

enum { WINDOW = 8192, WINDOW_OVERLAP = 1024 }; /* bytes in which an anchor is looked for; more than one is long */

/* The line goes on with blanks, this character, blanks: taken. */
static inline bool goes_on(struct fr_str *s, char c)
{
    fr_take_blanks(s);
    if (!fr_take_ch(s, c))
        return false;
    fr_take_blanks(s);
    return true;
}

static inline bool has(struct fr_str s, const char *what)
{
    return fr_str_find(s, what) != NOWHERE;
}

/* What stands behind `key=`: a figure, or nothing yet. Not `IOPS=...`, as people write about fio. */
static inline bool figure_follows(struct fr_str s, const char *key)
{
    if (!fr_take(&s, key))
        return false;
    fr_take_blanks(&s);
    return !s.n || fr_is_digit(*s.s);
}

/* `read: IOPS=`, `READ: bw=` */
static enum ft_kind direction(struct fr_str s)
{
    bool jobs = fr_take(&s, "read") || fr_take(&s, "write") || fr_take(&s, "trim") || fr_take(&s, "mixed");
    bool group = !jobs && (fr_take(&s, "READ") || fr_take(&s, "WRITE") || fr_take(&s, "TRIM") || fr_take(&s, "MIXED"));
    if (jobs == group || !goes_on(&s, ':'))
        return FT_NONE;
    if (!figure_follows(s, "io=") && !figure_follows(s, jobs ? "IOPS=" : "bw="))
        return FT_NONE;
    return jobs ? FT_DIR : FT_GROUP_DIR;
}

/* `clat (usec): min=`, `lat (usec) : 2=`, `clat percentiles (usec):`, `clat prio 0/0 ...` */
static enum ft_kind latency(struct fr_str s)
{
    bool lat = fr_take(&s, "lat");
    if (!lat && !fr_take(&s, "slat") && !fr_take(&s, "clat") && !fr_take(&s, "sync"))
        return FT_NONE;
    fr_take_blanks(&s);
    if (fr_str_starts(s, "percentiles"))
        return FT_PCT_HEAD;
    if (fr_str_starts(s, "prio "))
        return FT_PRIO;
    if (!fr_take_ch(&s, '('))
        return FT_NONE;
    fr_take_until(&s, ')');
    fr_take_blanks(&s);
    fr_take_ch(&s, ':');
    fr_take_blanks(&s);
    if (figure_follows(s, "min=") || figure_follows(s, "avg=") || figure_follows(s, "max="))
        return FT_LAT;
    return lat && s.n && (fr_is_digit(*s.s) || *s.s == '>') && has(s, "%") ? FT_BUCKETS : FT_NONE;
}

/* `|  1.00th=[  404]`, also without the bar. */
static enum ft_kind percentile_row(struct fr_str s)
{
    while (s.n && (*s.s == '|' || *s.s == ' ' || *s.s == '\t' || *s.s == '.' || *s.s == ','))
        s.s++, s.n--;
    const char *number = s.s;
    while (s.n && (fr_is_digit(*s.s) || *s.s == '.' || *s.s == ','))
        s.s++, s.n--;
    return s.s > number && fr_str_starts(s, "th=") ? FT_PCT_ROW : FT_NONE;
}

/* Lines that begin with a word of fio's own. */
static enum ft_kind plain_words(struct fr_str s)
{
#define WORD(start, then, kind)                                                                                        \
    {                                                                                                                  \
        start, then, sizeof(start) - 1, sizeof(then) - 1, kind                                                         \
    }
    static const struct {
        const char *start, *then; /* then: must follow somewhere */
        uint8_t start_n, then_n;
        enum ft_kind kind;
    } words[] = {
        WORD("cpu", "usr=", FT_CPU),
        WORD("IO depths", "=", FT_DEPTH),
        WORD("submit", "4=", FT_DEPTH),
        WORD("complete", "4=", FT_DEPTH),
        WORD("issued", "total=", FT_ISSUED),
        WORD("errors", "first_error=", FT_ERRORS),
        WORD("latency", "target=", FT_LATENCY),
        WORD("steadystate", "attained=", FT_STEADY),
        WORD("fsync/fdatasync", "", FT_FSYNC),
        WORD("Run status group ", "", FT_GROUP),
        WORD("Disk stats (", "", FT_DISK_HEAD),
        WORD("Starting ", " process", FT_STARTING),
        WORD("Starting ", " thread", FT_STARTING),
        WORD("Jobs: ", "(f=", FT_ETA),
        WORD("Jobs: ", "[eta ", FT_ETA),
        WORD("Threads now running", "", FT_ETA),
        WORD("hostname=", "be=", FT_HOSTNAME),
        WORD("Description", ": [", FT_DESCRIPTION),
        WORD("CPU idleness", "", FT_NOISE),
        WORD("iops", ": min=", FT_IOPS),
        WORD("iops", ":min=", FT_IOPS),
        WORD("high prio", "lat", FT_PRIO),
        WORD("low prio", "lat", FT_PRIO),
        WORD("high prio_", "lat", FT_PRIO),
        WORD("low prio_", "lat", FT_PRIO),
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (*words[i].start == *s.s && s.n >= words[i].start_n && memcmp(words[i].start, s.s, words[i].start_n) == 0 &&
            fr_str_find_n(s, words[i].then, words[i].then_n) != NOWHERE)
            return words[i].kind;
#undef WORD
    return FT_NONE;
}

/* `fio-3.19`, `fio 1.59`, alone in the line; `fio: ...` */
static enum ft_kind fio_word(struct fr_str s)
{
    if (fr_str_starts(s, "fio: "))
        return FT_MESSAGE;
    if (s.n < 6 || s.n > 60 || !(s.s[3] == '-' || s.s[3] == ' ') || !fr_is_digit(s.s[4]))
        return FT_NONE;
    struct fr_str rest = fr_str_from(s, 4), word = fr_take_word(&rest);
    return fr_str_trim(rest).n == 0 && (has(word, ".") || has(word, ",")) ? FT_VERSION : FT_NONE;
}

/* Lines that begin with a name: jobs, disks. */
static enum ft_kind named(struct fr_str s)
{
    size_t block = fr_str_rfind(s, "(groupid="), header = fr_str_rfind(s, "(g=");
    /* A name may look like the other kind of line: the last mark is fio's. */
    if (header != NOWHERE && (block == NOWHERE || header > block) && has(fr_str_from(s, header), "): rw="))
        return FT_HEADER;
    if ((block != NOWHERE || header != NOWHERE) && has(s, "err="))
        return FT_JOB;
    if (block != NOWHERE && fr_str_ends(s, "):")) /* re-typed, without what follows */
        return FT_JOB;
    if (has(s, ": ios="))
        return FT_DISK;
    if (has(s, ": Laying out IO file") || has(s, "(noop): ioengine="))
        return FT_NOISE;
    return FT_NONE;
}

/* No line of fio's own words has these, but a job may be called like any of them. */
static bool may_be_named(struct fr_str s)
{
    return has(s, "(g") || (fr_str_ends(s, ")") && fr_str_chr(s, '(') != NOWHERE && has(s, ": Laying out IO file"));
}

static enum ft_kind either(enum ft_kind a, enum ft_kind b)
{
    return a == FT_NONE ? b : a;
}

size_t ft_eta_length(struct fr_str s)
{
    size_t at = may_be_named(s) && plain_words(s) == FT_ETA ? fr_str_rfind(s, "[eta ") : NOWHERE;
    size_t end = at == NOWHERE ? NOWHERE : fr_str_chr(fr_str_from(s, at), ']');
    return end == NOWHERE ? 0 : at + end + 1;
}

enum ft_kind ft_kind_of(struct fr_str s)
{
    enum ft_kind kind = FT_NONE;
    struct fr_str rest = s;
    if (!s.n)
        return FT_NONE;
    switch (*s.s) {
    case '|':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        kind = percentile_row(s);
        break;
    case 'r':
    case 'w':
    case 't':
    case 'm':
    case 'R':
    case 'W':
    case 'T':
    case 'M':
        kind = direction(s);
        break;
    case 's':
    case 'c':
    case 'l':
        kind = latency(s);
        break;
    case 'b':
        kind = fr_take(&rest, "bw") && goes_on(&rest, '(') && has(rest, "min=") ? FT_BW : FT_NONE;
        break;
    case 'f':
        kind = fio_word(s);
        break;
    case '.':
        kind = fr_str_is(s, "...") ? FT_CLONE : percentile_row(s);
        break;
    default:
        break;
    }
    if (kind == FT_NONE)
        kind = plain_words(s);
    if (kind == FT_NONE || may_be_named(s))
        kind = either(named(s), kind);
    bool short_one = kind == FT_NONE || (kind == FT_GROUP_DIR && has(s, "iops="));
    return short_one && ft_is_short(s) ? FT_SHORT : kind;
}

/* `... 18:55:00 2022` stands at the end: the date is whole. Lines without a date (to 2.0.8) end with the pid. */
static bool date_cut(struct fr_str line)
{
    size_t pid = fr_str_rfind(line, ": pid=");
    if (pid == NOWHERE)
        return true;
    struct fr_str rest = fr_str_from(line, pid + 6);
    size_t colon = fr_str_chr(rest, ':');
    if (colon == NOWHERE)
        return false;
    rest = fr_str_trim(fr_str_from(rest, colon + 1));
    return rest.n < 24;
}

/* `...msec); 0 zone resets`, `; Cachehit=12.34%`: what a semicolon announces is not there. */
static bool tail_cut(struct fr_str line)
{
    size_t mark = fr_str_rfind(line, ";");
    if (mark == NOWHERE)
        return false;
    struct fr_str tail = fr_str_from(line, mark + 1);
    return !has(tail, "resets") && !has(tail, "%") && tail.n < 24;
}

bool ft_incomplete(enum ft_kind kind, struct fr_str line)
{
    bool comma = line.n && (line.s[line.n - 1] == ',' || line.s[line.n - 1] == '=');
    size_t open;
    switch (kind) {
    case FT_HEADER:
        return !has(line, "iodepth=");
    case FT_JOB:
        return date_cut(line);
    case FT_DIR:
        return !has(line, "msec") || tail_cut(line);
    case FT_GROUP_DIR:
        return comma || !has(line, "msec");
    case FT_PRIO:
        return has(line, "min=") && (comma || !has(line, "dev="));
    case FT_LAT:
    case FT_BW:
    case FT_IOPS:
        return comma || !has(line, "dev=");
    case FT_ISSUED:
        return comma || (has(line, "rwt") && !has(line, "dropped="));
    case FT_PCT_ROW:
        open = fr_str_rfind(line, "[");
        return fr_str_ends(line, "th") || (open != NOWHERE && fr_str_chr(fr_str_from(line, open), ']') == NOWHERE);
    case FT_LATENCY:
        return comma || !has(line, "depth=");
    case FT_BUCKETS:
    case FT_CPU:
    case FT_DEPTH:
    case FT_DISK:
        return comma;
    case FT_STEADY:
        return comma || !(has(line, "dev=") || has(line, "slope="));
    default:
        return false;
    }
}

bool ft_breaks_off(enum ft_kind kind, struct fr_str line)
{
    size_t at, dot;
    switch (kind) {
    case FT_LAT:
    case FT_PRIO:
    case FT_BW:
    case FT_IOPS:
        at = fr_str_rfind(line, "dev=");
        dot = at == NOWHERE ? NOWHERE : fr_str_chr(fr_str_from(line, at), '.');
        return dot == NOWHERE || at + dot + 2 >= line.n;
    case FT_BUCKETS:
    case FT_DEPTH:
    case FT_DISK:
        return !fr_str_ends(line, "%");
    case FT_CPU:
        return !has(line, "ctx="); /* to 1.1 its end */
    case FT_HEADER:                /* its name is worth more */
        return false;
    default:
        return ft_incomplete(kind, line);
    }
}

bool ft_take_torn(enum ft_kind kind, struct fr_str *line)
{
    if (!ft_breaks_off(kind, *line) || fr_str_ends(*line, "B/s") || fr_str_ends(*line, "bit/s"))
        return false;
    while (line->n &&
           (fr_is_digit(line->s[line->n - 1]) || fr_is_alpha(line->s[line->n - 1]) || line->s[line->n - 1] == '.'))
        line->n--;
    return true;
}

size_t ft_next_anchor(struct ft_rx *rx, struct fr_str line, size_t *length)
{
    struct fr_str groups[2];
    /* In windows, so that a line of megabytes costs its length once, not once for each anchor. */
    for (size_t from = *length; from < line.n; from += WINDOW - WINDOW_OVERLAP) {
        size_t end = from + WINDOW < line.n ? from + WINDOW : line.n;
        while (end < line.n && ((unsigned char)line.s[end] & 0xc0) == 0x80)
            end++; /* not within a character */
        size_t start = from;
        while (start < end && ((unsigned char)line.s[start] & 0xc0) == 0x80)
            start++;
        if (!fr_rx_match(ft_rx_anchor(rx), fr_str_range(line, start, end), groups, 2))
            continue;
        *length = groups[1].n;
        return (size_t)(groups[1].s - line.s);
    }
    return NOWHERE;
}
