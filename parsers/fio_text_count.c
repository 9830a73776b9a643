/*
 * fio_text_count.c: lines of counts and settings: cpu, depths, issued, errors, latency target, steady state.
 */
#include "fio_text.h"

#include "latency_target.h"

#include "banned.h"

#define NOWHERE ((size_t)-1)

/* The number behind `key`, where it is there. */
static bool number_of(struct fr_str line, struct fr_str key, double *v)
{
    int decimals;
    size_t at = fr_str_find_n(line, key.s, key.n);
    if (at == NOWHERE)
        return false;
    struct fr_str rest = fr_str_from(line, at + key.n);
    fr_take_blanks(&rest);
    return ft_take_number(&rest, v, &decimals);
}

static void set_param(struct ft_scan *s, const char *key, struct fr_str value)
{
    fr_param_set(s->batch, s->r.run, s->t.test, key, value, FR_FROM_FORMAT, s->line);
}

void ft_cpu_line(struct ft_scan *s, struct fr_str line)
{
    static const struct {
        struct fr_str key;
        enum fr_metric_id metric;
        double factor;
    } keys[] = {{FR_LITERAL("usr="), FR_M_CPU_USR, 0.01},
                {FR_LITERAL("sys="), FR_M_CPU_SYS, 0.01},
                {FR_LITERAL("ctx="), FR_M_CTX, 1},
                {FR_LITERAL("majf="), FR_M_MAJF, 1},
                {FR_LITERAL("minf="), FR_M_MINF, 1}};
    double v;
    s->t.pct = false;
    if (!ft_test_orphan(s))
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (number_of(line, keys[i].key, &v))
            fr_value_add(s->batch, s->t.test, FR_OP_NONE, keys[i].metric, "value", v * keys[i].factor, s->line);
}

/* `6534,6567,0,13101`, `533/536/0`, `r=253/w=258/d=0`: up to 4 numbers. */
static size_t numbers(struct fr_str s, uint64_t out[4])
{
    size_t n = 0;
    bool overflow;
    while (n < 4) {
        if (s.n > 1 && fr_is_alpha(s.s[0]) && s.s[1] == '=')
            s = fr_str_from(s, 2);
        if (!fr_take_u64(&s, &out[n], &overflow))
            break;
        n++;
        if (!fr_take_ch(&s, '/') && !fr_take_ch(&s, ','))
            break;
        if (s.n && *s.s == ' ') /* `total=1,2,0, short=` */
            break;
    }
    return n;
}

static inline size_t numbers_of(struct fr_str line, const char *key, uint64_t out[4])
{
    size_t at = fr_str_find(line, key);
    return at == NOWHERE ? 0 : numbers(fr_str_from(line, at + strlen(key)), out);
}

void ft_issued_line(struct ft_scan *s, struct fr_str line)
{
    uint64_t total[4], small[4], drop[4];
    size_t n = numbers_of(line, "total=", total), shorts = numbers_of(line, "short=", small);
    size_t drops = numbers_of(line, "drop=", drop);
    s->t.pct = false;
    if (!drops)
        drops = numbers_of(line, "dropped=", drop);
    if (!ft_test_orphan(s))
        return;
    if (!n) {
        fr_log_warn(s->log, s->doc->source, s->line, "the line of issued I/Os cannot be read, skipped");
        return;
    }
    s->t.issued_line = s->line;
    for (size_t i = 0; i < 3 && i < n; i++) {
        struct ft_dir *d = &s->t.dir[FR_OP_READ + i];
        d->has_ios = true;
        d->ios = total[i];
        d->ios_line = s->line;
        d->has_short = i < shorts;
        d->short_ios = i < shorts ? small[i] : 0;
        d->has_drop = i < drops;
        d->drop_ios = i < drops ? drop[i] : 0;
    }
    s->t.has_syncs = n > 3;
    s->t.syncs = n > 3 ? total[3] : 0;
}

/* `errors    : total=1, first_error=28/<No space left on device>` */
void ft_errors_line(struct ft_scan *s, struct fr_str line)
{
    size_t at = fr_str_find(line, "/<"), end = fr_str_rfind(line, ">");
    double total, first;
    char number[32];
    s->t.pct = false;
    if (!ft_test_orphan(s))
        return;
    if (number_of(line, fr_str("total="), &total))
        fr_value_add(s->batch, s->t.test, FR_OP_NONE, FR_M_TOTAL_ERR, "total", total, s->line);
    if (number_of(line, fr_str("first_error="), &first) && first > 0) {
        snprintf(number, sizeof number, "%.0f", first);
        set_param(s, "first_error", fr_str(number));
    }
    if (at == NOWHERE || end == NOWHERE || end <= at + 2)
        return;
    struct fr_str text = fr_str_range(line, at + 2, end);
    if (!s->t.test->error)
        s->t.test->error = fr_arena_copy(&s->batch->arena, text.s, text.n);
}

/* `IO depths    : 1=0.1%, 2=99.9%, ...`, `submit    : 0=0.0%, 4=100.0%, ...`: 0 is a depth that no I/O had. */
void ft_depth_line(struct ft_scan *s, struct fr_str line)
{
    static const struct {
        const char *word;
        enum fr_metric_id metric;
    } lines[] = {
        {"IO depths", FR_M_IODEPTH_LEVEL}, {"submit", FR_M_IODEPTH_SUBMIT}, {"complete", FR_M_IODEPTH_COMPLETE}};
    size_t i = 0;
    double share;
    int decimals;
    s->t.pct = false;
    while (i < sizeof lines / sizeof *lines && !fr_take(&line, lines[i].word))
        i++;
    if (i == sizeof lines / sizeof *lines || !ft_test_orphan(s))
        return;
    while (line.n) {
        while (line.n && !fr_is_digit(*line.s) && *line.s != '>')
            line.s++, line.n--;
        size_t equals = fr_str_starts(line, ">=") ? 2 : 0;
        while (equals < line.n && line.s[equals] != '=')
            equals++;
        if (equals >= line.n)
            return;
        struct fr_str depth = fr_str_range(line, 0, equals);
        line = fr_str_ltrim(fr_str_from(line, equals + 1));
        if (fr_take(&line, "0.0%")) /* most of them */
            continue;
        if (!ft_take_number(&line, &share, &decimals))
            return;
        const char *stat = share > 0 ? fr_stat_depth(fr_str_trim(depth)) : NULL;
        if (stat)
            fr_value_add(s->batch, s->t.test, FR_OP_NONE, lines[i].metric, stat, share / 100, s->line);
        fr_take_ch(&line, '%');
    }
}

/* `latency   : target=200000, window=100000, percentile=90.00%, depth=1`; a target of 0 is none. */
void ft_latency_line(struct ft_scan *s, struct fr_str line)
{
    double target, window, percentile, depth;
    char text[FR_USEC_MAX];
    s->t.pct = false;
    if (!ft_test_orphan(s) || !number_of(line, fr_str("target="), &target) || target <= 0)
        return;
    struct fr_latency_units units = fr_latency_units(s->r.run->tool_version);
    if (units.target > 0)
        set_param(s, "latency_target", fr_str(fr_usec_format(target * units.target, text)));
    if (units.window > 0 && number_of(line, fr_str("window="), &window))
        set_param(s, "latency_window", fr_str(fr_usec_format(window * units.window, text)));
    if (number_of(line, fr_str("percentile="), &percentile)) {
        snprintf(text, sizeof text, "%.10g", percentile);
        set_param(s, "latency_percentile", fr_str(text));
    }
    if (number_of(line, fr_str("depth="), &depth))
        fr_value_add(s->batch, s->t.test, FR_OP_NONE, FR_M_LATENCY_DEPTH, "value", depth, s->line);
}

/* The amount behind `key`, where it is there and not 0. */
static bool amount_of(struct ft_scan *s, struct fr_str line, const char *key, enum fr_kilo kilo, double *v)
{
    struct ft_num n;
    size_t at = fr_str_find(line, key);
    memset(&n, 0, sizeof n);
    if (at == NOWHERE)
        return false;
    struct fr_str rest = fr_str_from(line, at + strlen(key));
    if (!ft_take_amount(&rest, &n, kilo, ft_digits_of(s)) || n.value <= 0)
        return false;
    *v = n.value;
    return true;
}

/* `iops mean dev=0.275%`, `bw slope=-1.502%` at the end of the line: of the mean; without % as it stands. */
static void steady_criterion(struct ft_scan *s, struct fr_str line)
{
    static const struct {
        const char *words, *kind;
    } kinds[] = {
        {"iops mean dev=", "iops"}, {"iops slope=", "iops_slope"}, {"bw mean dev=", "bw"}, {"bw slope=", "bw_slope"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t at = fr_str_find(line, kinds[i].words);
        double value;
        int decimals;
        if (at == NOWHERE)
            continue;
        set_param(s, "steadystate_of", fr_str(kinds[i].kind));
        struct fr_str text = fr_str_trim(fr_str_from(line, at + strlen(kinds[i].words))), rest = text;
        bool minus = fr_take_ch(&rest, '-');
        if (!ft_take_number(&rest, &value, &decimals))
            return;
        if (fr_take_ch(&rest, '%'))
            fr_value_add(s->batch, s->t.test, FR_OP_NONE, FR_M_STEADYSTATE_CRITERION, "value",
                         (minus ? -value : value) / 100, s->line);
        else
            set_param(s, "steadystate_criterion", text);
        return;
    }
}

/*
 * `steadystate  : attained=yes, bw=15.6MiB/s (16.0MB/s), iops=4001, iops mean dev=0.275%`: means of the window. The
 * bandwidth in brackets is divided by 1024 once too often and is not taken.
 */
void ft_steady_line(struct ft_scan *s, struct fr_str line)
{
    double v;
    bool any = false;
    s->t.pct = false;
    if (!ft_test_orphan(s))
        return;
    set_param(s, "steadystate_attained", fr_str(fr_str_find(line, "attained=yes") == NOWHERE ? "0" : "1"));
    if (amount_of(s, line, "iops=", FR_KILO_1000, &v))
        any = fr_value_add(s->batch, s->t.test, FR_OP_NONE, FR_M_STEADYSTATE_IOPS, "mean", v, s->line);
    /* Since 2.17 both kinds stand there, and with kb_base=1000 the kilo of 1000 first (the other is wrong by 2.4 %). */
    enum fr_kilo kilo = fr_str_find(line, "/s (") != NOWHERE ? FR_KILO_1000 : FR_KILO_1024;
    if (amount_of(s, line, "bw=", kilo, &v))
        any = fr_value_add(s->batch, s->t.test, FR_OP_NONE, FR_M_STEADYSTATE_BW, "mean", v, s->line);
    if (any)
        steady_criterion(s, line);
}

/* Behind a direction's figures: `; 0 zone resets` (3.9 on), `; Cachehit=12.34%` (3.13 on). */
void ft_dir_tail(struct ft_scan *s, struct fr_str line, enum fr_op op)
{
    double v;
    size_t at = fr_str_find(line, "zone resets");
    if (number_of(line, fr_str("Cachehit="), &v))
        fr_value_add(s->batch, s->t.test, op, FR_M_CACHEHIT, "value", v / 100, s->line);
    if (at == NOWHERE)
        return;
    size_t mark = fr_str_rfind(fr_str_range(line, 0, at), ";");
    struct fr_str rest = mark == NOWHERE ? fr_str("") : fr_str_ltrim(fr_str_from(line, mark + 1));
    uint64_t n;
    if (fr_take_u64(&rest, &n, NULL))
        fr_value_add(s->batch, s->t.test, op, FR_M_ZONE_RESETS, "total", (double)n, s->line);
}
