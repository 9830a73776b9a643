/*
 * fio_text_refine.c: the values of a direction, as exactly as the text tells them.
 *
 * fio prints 4 characters, but it prints one quantity in several ways: IOPS and the number of I/Os and the run time;
 * bandwidth by 1024 and by 1000, and the bytes moved. Each print stands for an interval of values (struct ft_num).
 * Where the I/Os and the one known block size agree with the print, they give the exact value. Else the narrowest
 * interval that agrees with the others does; so a carry that fio lost is found, and decimals that mean nothing do no
 * harm. Where nothing agrees the print stands.
 */
#include "fio_text.h"

#include <math.h>

#include "banned.h"

enum { CANDIDATES = 4 };

static struct ft_num scaled(const struct ft_num *n, double by)
{
    struct ft_num out = *n;
    out.value *= by;
    out.lo *= by;
    out.hi *= by;
    out.lo2 *= by;
    out.hi2 *= by;
    return out;
}

/* The intersection of the candidates, with the second interval of those in `mask`; false when it is empty. */
static bool intersect(const struct ft_num *c, size_t n, unsigned mask, double *lo, double *hi)
{
    *lo = 0;
    *hi = INFINITY;
    for (size_t i = 0; i < n; i++) {
        bool second = mask & 1U << i;
        if (second && c[i].hi2 <= 0)
            return false;
        *lo = fmax(*lo, second ? c[i].lo2 : c[i].lo);
        *hi = fmin(*hi, second ? c[i].hi2 : c[i].hi);
    }
    return *lo < *hi;
}

static unsigned bits(unsigned mask)
{
    unsigned n = 0;
    for (; mask; mask &= mask - 1)
        n++;
    return n;
}

/*
 * The value that candidates c[0] (the print itself) to c[n-1] agree on: the print where it agrees as it is and its
 * digits can be trusted, else the narrowest of them, else, where none agrees, the print.
 */
static double agree(const struct ft_num *c, size_t n)
{
    double lo, hi;
    for (unsigned lost = 0; lost <= n; lost++)
        for (unsigned mask = 0; mask < 1U << n; mask++) {
            if (bits(mask) != lost || !intersect(c, n, mask, &lo, &hi))
                continue;
            if (!(mask & 1U) && !c[0].loose && (c[0].value > 0 || lo <= 0)) /* a 0 that means little is none */
                return c[0].value;
            size_t best = 0;
            for (size_t i = 1; i < n; i++)
                if (c[i].hi - c[i].lo < (c[best].hi - c[best].lo) / 2)
                    best = i;
            if (!(mask & 1U << best) && c[best].value >= lo && c[best].value <= hi)
                return c[best].value;
            return (lo + hi) / 2;
        }
    return c[0].value;
}

/* The one block size of an operation, from the test's params; 0 when there is none, or it is not known to the byte. */
static double block_size(const struct ft_scan *s, enum fr_op op)
{
    const struct fr_test *test = s->t.test;
    static const char *const keys[FR_OP_COUNT] = {
        [FR_OP_READ] = "bs_read", [FR_OP_WRITE] = "bs_write", [FR_OP_TRIM] = "bs_trim"};
    const char *bs = keys[op] ? fr_param_get(NULL, test, keys[op]) : NULL;
    double bytes;
    if (!bs)
        bs = fr_param_get(NULL, test, "bs");
    if (s->t.bs_rounded || !bs || fr_param_get(NULL, test, "bssplit") || !fr_size_parse(fr_str(bs), &bytes))
        return 0;
    return bytes;
}

/* Do the I/Os fit a print of 2.x with a K of 1000, and not with one of 1024? */
static bool is_decimal(const struct ft_num *n, double exact)
{
    if (!n->kilo || ft_fits(n, exact) || ft_fits(n, floor(exact)))
        return false;
    struct ft_num decimal = scaled(n, pow(1000. / 1024, n->power));
    return ft_fits(&decimal, exact) || ft_fits(&decimal, floor(exact));
}

/*
 * kb_base=1000 in 2.x leaves no mark: where the command did not say so, the data tell, or, where these are whole bytes,
 * the bandwidth.
 */
static bool is_kilo_1000(const struct ft_scan *s, const struct ft_dir *d)
{
    double bytes = (double)d->ios * d->bs;
    const char *said = fr_param_get(s->r.run, s->t.test, "kb_base");
    if (said)
        return strcmp(said, "1000") == 0;
    if (!d->has_ios || bytes <= 0)
        return false;
    if (d->io.kilo)
        return is_decimal(&d->io, bytes);
    return ft_fits(&d->io, bytes) && d->runtime > 0 && is_decimal(&d->bw, bytes * 1000 / d->runtime);
}

/* Samples of 2.x that were divided by a K of 1000, and not of 1024 as was taken for granted. */
static void scale_samples(struct ft_scan *s, enum fr_op op)
{
    if (s->t.mega_samples & 1U << op)
        fr_value_each (v, s->t.test)
            if (v->op == op && v->metric == FR_M_BW_SAMPLE && strcmp(v->stat, "n") != 0)
                v->value *= 1000. / 1024;
}

static void find_kilo(struct ft_scan *s, enum fr_op op)
{
    struct ft_dir *d = &s->t.dir[op];
    if (!d->old || !is_kilo_1000(s, d))
        return;
    scale_samples(s, op);
    if (d->io.kilo)
        d->io = scaled(&d->io, pow(1000. / 1024, d->io.power));
    if (d->bw.kilo)
        d->bw = scaled(&d->bw, pow(1000. / 1024, d->bw.power));
}

static double refine_iops(const struct ft_dir *d)
{
    if (d->has_ios && d->ios && d->runtime > 0) {
        double exact = (double)d->ios * 1000 / d->runtime;
        if (ft_fits(&d->iops, floor(exact)) || ft_fits(&d->iops, exact))
            return exact;
    }
    if (!(d->bs > 0 && d->iops.hi2 > 0))
        return d->iops.value;
    struct ft_num c[CANDIDATES] = {d->iops, scaled(&d->bw, 1 / d->bs)};
    return agree(c, d->bw.set ? 2 : 1);
}

/* The bytes moved; *exact when they follow from the I/Os. */
static double refine_io(const struct ft_dir *d, bool *exact)
{
    double bytes = (double)d->ios * d->bs;
    *exact = d->has_ios && bytes > 0 && ft_fits(&d->io, bytes);
    if (*exact)
        return bytes;
    struct ft_num c[CANDIDATES] = {d->io};
    size_t n = 1;
    if (d->runtime > 0 && d->bw.set)
        c[n++] = scaled(&d->bw, d->runtime / 1000);
    if (d->runtime > 0 && d->bw2.set)
        c[n++] = scaled(&d->bw2, d->runtime / 1000);
    return agree(c, n);
}

static double refine_bw(const struct ft_dir *d, double bytes, bool exact)
{
    if (exact && d->runtime > 0) {
        double bw = bytes * 1000 / d->runtime;
        if ((ft_fits(&d->bw, bw) || ft_fits(&d->bw, floor(bw))) &&
            (ft_fits(&d->bw2, bw) || ft_fits(&d->bw2, floor(bw))))
            return bw;
    }
    struct ft_num c[CANDIDATES] = {d->bw};
    size_t n = 1;
    if (d->bw2.set)
        c[n++] = d->bw2;
    if (d->runtime > 0 && d->io.set && d->io.hi > d->io.lo)
        c[n++] = scaled(&d->io, 1000 / d->runtime);
    if (d->old && d->bs > 0 && d->iops.set)
        c[n++] = scaled(&d->iops, d->bs);
    return agree(c, n);
}

static void add(struct ft_scan *s, enum fr_op op, enum fr_metric_id metric, const char *stat, double v, uint32_t line)
{
    fr_value_add(s->batch, s->t.test, op, metric, stat, v, line);
}

/* An amount of I/Os that did take place: a 0 is one that its digits were too few for, and no value. */
static void add_amount(struct ft_scan *s, enum fr_op op, enum fr_metric_id metric, const char *stat, double v)
{
    const struct ft_dir *d = &s->t.dir[op];
    if (v > 0 || !d->has_ios || !d->ios)
        add(s, op, metric, stat, v, d->line);
}

static void refine_op(struct ft_scan *s, enum fr_op op)
{
    struct ft_dir *d = &s->t.dir[op];
    bool exact = false;
    d->bs = block_size(s, op);
    find_kilo(s, op);
    double bytes = d->io.set ? refine_io(d, &exact) : 0;
    if (d->iops.set)
        add_amount(s, op, FR_M_IOPS, "mean", refine_iops(d));
    if (d->bw.set)
        add_amount(s, op, FR_M_BW, "mean", refine_bw(d, bytes, exact));
    if (d->io.set)
        add_amount(s, op, FR_M_IO_BYTES, "total", bytes);
    if (d->has_ios)
        add(s, op, FR_M_IOS, "total", (double)d->ios, d->ios_line);
    if (d->has_short)
        add(s, op, FR_M_SHORT_IOS, "total", (double)d->short_ios, d->ios_line);
    if (d->has_drop)
        add(s, op, FR_M_DROP_IOS, "total", (double)d->drop_ios, d->ios_line);
    if (d->has_runtime)
        add(s, op, FR_M_RUNTIME, "total", d->runtime / 1000, d->line);
}

/* The mixed direction's I/Os are all of them. */
static void gather_mixed(struct ft_scan *s)
{
    struct ft_dir *m = &s->t.dir[FR_OP_MIXED];
    for (enum fr_op op = FR_OP_READ; op <= FR_OP_TRIM; op++) {
        const struct ft_dir *d = &s->t.dir[op];
        if (!d->has_ios)
            continue;
        m->has_ios = true;
        m->ios += d->ios;
        m->has_short = d->has_short;
        m->short_ios += d->short_ios;
        m->has_drop = d->has_drop;
        m->drop_ios += d->drop_ios;
        m->ios_line = d->ios_line;
    }
}

/*
 * unified_rw_reporting=both as 3.33 and 3.36 print it: `mixed: IOPS=0, BW=0 (0)(0B/1001msec)` above real latencies. The
 * sum of the other directions is what it should say.
 */
static void mend_mixed(struct ft_scan *s)
{
    struct ft_dir *m = &s->t.dir[FR_OP_MIXED];
    double bytes = 0;
    if (m->iops.value > 0 || m->bw.value > 0 || m->io.value > 0 || !m->ios || m->runtime <= 0)
        return;
    m->iops.set = m->bw.set = m->io.set = false;
    for (enum fr_op op = FR_OP_READ; op <= FR_OP_TRIM; op++) {
        const struct fr_value *v = fr_value_get(s->t.test, op, FR_M_IO_BYTES, "total");
        bytes += v ? v->value : 0;
    }
    add(s, FR_OP_MIXED, FR_M_IOPS, "mean", (double)m->ios * 1000 / m->runtime, m->line);
    if (bytes > 0) {
        add(s, FR_OP_MIXED, FR_M_BW, "mean", bytes * 1000 / m->runtime, m->line);
        add(s, FR_OP_MIXED, FR_M_IO_BYTES, "total", bytes, m->line);
    }
}

/* fio of 3.4 and a few after counts fsyncs beyond the end of one column: they land in the first of `short`. */
static void find_syncs(struct ft_scan *s)
{
    struct ft_dir *read = &s->t.dir[FR_OP_READ];
    if (s->t.short_sync && s->t.has_syncs && !s->t.syncs && read->short_ios) {
        s->t.syncs = read->short_ios;
        read->has_short = false;
        read->short_ios = 0;
    }
    if (s->t.syncs)
        add(s, FR_OP_SYNC, FR_M_IOS, "total", (double)s->t.syncs, s->t.issued_line);
}

void ft_refine(struct ft_scan *s)
{
    find_syncs(s);
    if (s->t.dir[FR_OP_MIXED].present)
        gather_mixed(s);
    for (enum fr_op op = FR_OP_READ; op <= FR_OP_MIXED; op++) {
        struct ft_dir *d = &s->t.dir[op];
        if (op == FR_OP_MIXED && d->present)
            mend_mixed(s);
        if (d->present)
            refine_op(s, op);
        else if (d->has_ios && d->ios && !s->t.dir[FR_OP_MIXED].present) /* its line is missing */
            add(s, op, FR_M_IOS, "total", (double)d->ios, d->ios_line);
    }
}
