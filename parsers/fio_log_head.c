/*
 * fio_log_head.c: the line of names that scripts and spreadsheets put before a log. See fio_log.h.
 *
 * The names are people's, so they are compared without case, marks and units: `time (msec)`, `"Time_ms"` and `time` are
 * one.
 */
#include "fio_log.h"

#include "banned.h"

enum { NAME = 40 }; /* bytes of a name; longer ones say nothing to us */

static const struct {
    const char *word;
    enum log_role role;
    enum log_kind kind;
} words[] = {
    {"time", ROLE_TIME, 0},
    {"timestamp", ROLE_TIME, 0},
    {"msec", ROLE_TIME, 0},
    {"elapsed", ROLE_TIME, 0},
    {"elapsed time", ROLE_TIME, 0},
    {"runtime", ROLE_TIME, 0},
    {"value", ROLE_VALUE, 0},
    {"average", ROLE_VALUE, 0},
    {"average value", ROLE_VALUE, 0},
    {"avg", ROLE_VALUE, 0},
    {"mean", ROLE_VALUE, 0},
    {"bw", ROLE_VALUE, LOG_BW},
    {"bandwidth", ROLE_VALUE, LOG_BW},
    {"throughput", ROLE_VALUE, LOG_BW},
    {"iops", ROLE_VALUE, LOG_IOPS},
    {"lat", ROLE_VALUE, LOG_LAT},
    {"latency", ROLE_VALUE, LOG_LAT},
    {"total latency", ROLE_VALUE, LOG_LAT},
    {"clat", ROLE_VALUE, LOG_CLAT},
    {"completion latency", ROLE_VALUE, LOG_CLAT},
    {"slat", ROLE_VALUE, LOG_SLAT},
    {"submission latency", ROLE_VALUE, LOG_SLAT},
    {"max", ROLE_MAX, 0},
    {"maximum", ROLE_MAX, 0},
    {"max value", ROLE_MAX, 0},
    {"maximum value", ROLE_MAX, 0},
    {"ddir", ROLE_OP, 0},
    {"dir", ROLE_OP, 0},
    {"direction", ROLE_OP, 0},
    {"data direction", ROLE_OP, 0},
    {"rw", ROLE_OP, 0},
    {"op", ROLE_OP, 0},
    {"operation", ROLE_OP, 0},
    {"type", ROLE_OP, 0},
    {"bs", ROLE_BS, 0},
    {"blocksize", ROLE_BS, 0},
    {"block size", ROLE_BS, 0},
    {"size", ROLE_BS, 0},
    {"offset", ROLE_OFFSET, 0},
    {"prio", ROLE_PRIO, 0},
    {"priority", ROLE_PRIO, 0},
    {"command priority", ROLE_PRIO, 0},
    {"issue", ROLE_ISSUE, 0},
    {"issue time", ROLE_ISSUE, 0},
};
enum { WORDS = sizeof words / sizeof *words };

enum unit_kind { UNIT_MS = 1, UNIT_US, UNIT_NS, UNIT_S, UNIT_K, UNIT_KB, UNIT_RATE, UNIT_BYTES };
static const struct {
    const char *word;
    enum unit_kind kind;
    const char *name; /* in a message */
} units[] = {
    {"ms", UNIT_MS, "ms"},         {"msec", UNIT_MS, "ms"},         {"us", UNIT_US, "us"},
    {"usec", UNIT_US, "us"},       {"ns", UNIT_NS, "ns"},           {"nsec", UNIT_NS, "ns"},
    {"s", UNIT_S, "seconds"},      {"sec", UNIT_S, "seconds"},      {"seconds", UNIT_S, "seconds"},
    {"kib/s", UNIT_K, "KiB/s"},    {"kb/s", UNIT_KB, "kB/s"},       {"kib/sec", UNIT_K, "KiB/s"},
    {"kb/sec", UNIT_KB, "kB/s"},   {"kibps", UNIT_K, "KiB/s"},      {"kbps", UNIT_KB, "kB/s"},
    {"kib", UNIT_K, "KiB/s"},      {"kb", UNIT_KB, "kB/s"},         {"mib/s", UNIT_RATE, "MiB/s"},
    {"mb/s", UNIT_RATE, "MB/s"},   {"mib/sec", UNIT_RATE, "MiB/s"}, {"mb/sec", UNIT_RATE, "MB/s"},
    {"mibps", UNIT_RATE, "MiB/s"}, {"mbps", UNIT_RATE, "MB/s"},     {"mib", UNIT_RATE, "MiB/s"},
    {"mb", UNIT_RATE, "MB/s"},     {"gb/s", UNIT_RATE, "GB/s"},     {"gib/s", UNIT_RATE, "GiB/s"},
    {"b/s", UNIT_RATE, "B/s"},     {"bytes/s", UNIT_RATE, "B/s"},   {"bytes", UNIT_BYTES, "bytes"},
    {"b", UNIT_BYTES, "bytes"},
};
enum { UNITS = sizeof units / sizeof *units };

const char *log_role_word(enum log_role role)
{
    static const char *const names[] = {"nothing known", "the time",      "the value",
                                        "the maximum",   "the direction", "the block size",
                                        "the offset",    "the priority",  "the time of issue"};
    return names[role];
}

bool log_is_comment(struct fr_str line)
{
    line = fr_str_trim(line);
    return !line.n || *line.s == '#';
}

/* Small letters and single blanks; what else there is but a slash parts words. */
static size_t plain(struct fr_str text, char out[NAME + 1])
{
    size_t n = 0;
    bool gap = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = fr_lower(text.s[i]);
        bool letter = fr_is_alpha(c) || fr_is_digit(c) || c == '/';
        if (letter && n + gap >= NAME)
            return 0;
        if (letter && gap && n)
            out[n++] = ' ';
        if (letter)
            out[n++] = c;
        gap = !letter;
    }
    out[n] = '\0';
    return n;
}

/* The unit that is the last word of a name of two words or more; it is cut off. UNITS: there is none. */
static size_t cut_unit(char *name)
{
    char *last = strrchr(name, ' ');
    for (size_t i = 0; last && i < UNITS; i++)
        if (strcmp(last + 1, units[i].word) == 0) {
            *last = '\0';
            return i;
        }
    return UNITS;
}

/* What the unit says: of a latency, which; of anything else, whether fio writes it in that. */
static void take_unit(struct log_head *head, enum log_role role, enum log_kind kind, size_t u)
{
    enum unit_kind unit = units[u].kind;
    bool value = role == ROLE_VALUE || role == ROLE_MAX;
    bool rate = kind == LOG_UNKNOWN || kind == LOG_BW, latency = kind != LOG_BW && kind != LOG_IOPS;
    if (value && latency && (unit == UNIT_US || unit == UNIT_NS))
        head->per_second = unit == UNIT_US ? 1e6 : 1e9;
    else if (value && rate && unit == UNIT_KB)
        head->kb = true;
    else if ((value && !(rate && unit == UNIT_K)) || (role == ROLE_TIME && unit != UNIT_MS))
        head->strange = units[u].name;
}

static void take_name(struct log_head *head, struct fr_str text)
{
    char name[NAME + 1];
    unsigned at = head->n++;
    size_t n = plain(text, name), u = n ? cut_unit(name) : UNITS;
    for (size_t i = 0; n && i < WORDS; i++) {
        if (strcmp(name, words[i].word) != 0)
            continue;
        head->role[at] = words[i].role;
        head->known++;
        if (words[i].kind)
            head->kind = words[i].kind;
        if (u < UNITS)
            take_unit(head, words[i].role, words[i].kind, u);
        return;
    }
}

/* What parts the names: the first of these signs that stands there. Names have blanks of their own. */
static char separator_of(struct fr_str line)
{
    static const char signs[] = ",;\t";
    for (const char *c = signs; *c; c++)
        if (fr_str_count(line, *c))
            return *c;
    return ' ';
}

bool log_head_parse(struct log_head *head, struct fr_str line)
{
    memset(head, 0, sizeof *head);
    struct fr_str rest = fr_str_trim(line);
    head->text = rest;
    if (fr_take_ch(&rest, '#'))
        rest = fr_str_ltrim(rest);
    char c = separator_of(rest);
    while (rest.n && head->n < LOG_COLUMNS_MAX)
        take_name(head, c == ' ' ? fr_take_word(&rest) : fr_take_until(&rest, c));
    bool is = !rest.n && head->role[0] == ROLE_TIME && head->known >= 2;
    if (!is)
        memset(head, 0, sizeof *head);
    return is;
}
