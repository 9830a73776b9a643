/*
 * fio_text_count.c: lines of counts: cpu, issued, errors.
 */
#include "fio_text.h"

#include "banned.h"

#define NOWHERE ((size_t)-1)

/* The number behind `key`, where it is there. */
static bool number_of(struct fr_str line, const char *key, double *v)
{
    int decimals;
    size_t at = fr_str_find(line, key);
    if (at == NOWHERE)
        return false;
    struct fr_str rest = fr_str_from(line, at + strlen(key));
    fr_take_blanks(&rest);
    return ft_take_number(&rest, v, &decimals);
}

void ft_cpu_line(struct ft_scan *s, struct fr_str line)
{
    static const struct {
        const char *key;
        enum fr_metric_id metric;
        double factor;
    } keys[] = {{"usr=", FR_M_CPU_USR, 0.01},
                {"sys=", FR_M_CPU_SYS, 0.01},
                {"ctx=", FR_M_CTX, 1},
                {"majf=", FR_M_MAJF, 1},
                {"minf=", FR_M_MINF, 1}};
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

static size_t numbers_of(struct fr_str line, const char *key, uint64_t out[4])
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
    if (!ft_test_orphan(s) || at == NOWHERE || end == NOWHERE || end <= at + 2)
        return;
    struct fr_str text = fr_str_range(line, at + 2, end);
    if (!s->t.test->error)
        s->t.test->error = fr_arena_copy(&s->batch->arena, text.s, text.n);
}
