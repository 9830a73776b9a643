/*
 * What any program must do that reads the numbers of a fio log or of fio's text: read the file in blocks, find the
 * lines, convert every number. Nothing is checked, named or kept. For comparison: `wc -l` of one machine is twice as
 * fast as that of another, beside the same work.
 *
 *   bare log FILE   a hand-written scanner of integers
 *   bare text FILE  PCRE2 with JIT, a pattern a kind of line, chosen by the first character
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <fcntl.h>
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 256 << 10, LINE = 1 << 16, GROUPS = 16 };

static unsigned long numbers;
static double sum; /* so that no conversion is left out */

static const char *number(const char *p)
{
    unsigned long v = 0, scale = 1;
    while ((unsigned)(*p - '0') < 10)
        v = v * 10 + (unsigned)(*p++ - '0');
    if (*p == '.')
        for (p++; (unsigned)(*p - '0') < 10; scale *= 10)
            v = v * 10 + (unsigned)(*p++ - '0');
    sum += scale == 1 ? (double)v : (double)v / (double)scale;
    numbers++;
    return p;
}

/* ---- a log ---- */

static void log_line(const char *p, const char *end)
{
    while (p < end) {
        while (*p == ' ')
            p++;
        p = number(p);
        p += *p == ',' || p == end ? 1 : end - p;
    }
}

/* ---- text ---- */

#define AMOUNT "([\\d.]+)(\\w+)"
#define RATE   AMOUNT "/s"

static struct pattern {
    const char *starts, *text; /* the characters that its lines start with */
    int repeated;              /* as often as it stands in the line */
    pcre2_code *code;
} patterns[] = {
    {"|", "([\\d.]+)th=\\[ *(\\d+)\\]", 1, NULL},
    {"scl", "^[sc]?lat \\((\\w+)\\) *: min= *([\\d.]+), max= *([\\d.]+), avg= *([\\d.]+), stdev= *([\\d.]+)", 0, NULL},
    {"Iscl", "(\\d+)=([\\d.]+)%", 1, NULL},
    {"rwt", "^(\\w+) *: IOPS=([\\d.]+)(\\w?), BW=" RATE " \\(" RATE "\\)\\(" AMOUNT "/(\\d+)msec\\)(?:; (\\d+) zone)?",
     0, NULL},
    {"b",
     "^bw \\( *(\\w+)/s\\): min= *(\\d+), max= *(\\d+), per=([\\d.]+)%, avg=([\\d.]+), stdev=([\\d.]+), samples=(\\d+)",
     0, NULL},
    {"i", "^iops *: min= *(\\d+), max= *(\\d+), avg=([\\d.]+), stdev=([\\d.]+), samples=(\\d+)", 0, NULL},
    {"i",
     "^issued rwts: total=(\\d+),(\\d+),(\\d+),(\\d+) short=(\\d+),(\\d+),(\\d+),(\\d+) "
     "dropped=(\\d+),(\\d+),(\\d+),(\\d+)",
     0, NULL},
    {"c", "^cpu *: usr=([\\d.]+)%, sys=([\\d.]+)%, ctx=(\\d+), majf=(\\d+), minf=(\\d+)", 0, NULL},
    {"l", "^latency *: target=(\\d+), window=(\\d+), percentile=([\\d.]+)%, depth=(\\d+)", 0, NULL},
    {"RWT",
     "^(\\w+): bw=" RATE " \\(" RATE "\\), " RATE "-" RATE " \\(" RATE "-" RATE "\\), io=" AMOUNT " \\(" AMOUNT
     "\\), run=(\\d+)-(\\d+)msec",
     0, NULL},
    {"j", "^(.*)\\(groupid=(\\d+), jobs=(\\d+)\\): err= *(\\d+): pid=(\\d+): (.*)$", 0, NULL},
    {"s", "^(\\S+): ios=(\\d+)/(\\d+), merge=(\\d+)/(\\d+), ticks=(\\d+)/(\\d+), in_queue=(\\d+), util=([\\d.]+)%", 0,
     NULL},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static pcre2_match_data *match;
static struct pattern *of[256][PATTERNS]; /* by the first character */

static int prepare(void)
{
    int code;
    PCRE2_SIZE at;
    match = pcre2_match_data_create(2 * GROUPS, NULL);
    for (size_t i = 0; i < PATTERNS; i++) {
        struct pattern *p = &patterns[i];
        p->code = pcre2_compile((PCRE2_SPTR)p->text, PCRE2_ZERO_TERMINATED, 0, &code, &at, NULL);
        if (!match || !p->code || pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE) != 0)
            return -1;
        for (const char *c = p->starts; *c; c++)
            for (size_t k = 0; k < PATTERNS; k++)
                if (!of[(unsigned char)*c][k]) {
                    of[(unsigned char)*c][k] = p;
                    break;
                }
    }
    return 0;
}

static int take(const struct pattern *p, const char *s, size_t n)
{
    int any = 0;
    for (size_t at = 0; at < n && (p->repeated || !any);) {
        int groups = pcre2_jit_match(p->code, (PCRE2_SPTR)s, n, at, 0, match, NULL);
        if (groups <= 0)
            break;
        const PCRE2_SIZE *o = pcre2_get_ovector_pointer(match);
        for (int g = 1; g < groups; g++)
            if (o[2 * g] != PCRE2_UNSET && (unsigned)(s[o[2 * g]] - '0') < 10)
                number(s + o[2 * g]);
        at = o[1];
        any = 1;
    }
    return any;
}

static void text_line(const char *p, const char *end)
{
    while (p < end && *p == ' ')
        p++;
    struct pattern *const *try = of[(unsigned char)*p];
    for (size_t i = 0; p < end && i < PATTERNS && try[i]; i++)
        if (take(try[i], p, (size_t)(end - p)))
            break;
}

int main(int argc, char **argv)
{
    static char buf[LINE + BLOCK + 1];
    int text = argc == 3 && strcmp(argv[1], "text") == 0;
    int in = argc == 3 ? open(argv[2], O_RDONLY) : -1;
    if (in < 0 || (text && prepare() != 0))
        return 1;
    size_t have = 0;
    for (ssize_t n; (n = read(in, buf + have, BLOCK)) > 0;) {
        have += (size_t)n;
        const char *p = buf, *end = buf + have;
        for (const char *lf; (lf = memchr(p, '\n', (size_t)(end - p))) != NULL; p = lf + 1)
            (text ? text_line : log_line)(p, lf);
        have = (size_t)(end - p) < LINE ? (size_t)(end - p) : 0;
        memmove(buf, p, have);
    }
    printf("%lu numbers, sum %.17g\n", numbers, sum);
    return close(in);
}
