/* axes.c: see axes.h. */
#include "axes.h"

#include <math.h>

#include "units.h"

#include "banned.h"

bool fr_unit_is_binary(const char *unit)
{
    return unit && unit[0] && unit[1] == 'i' && strchr("KMGTPE", unit[0]);
}

/* The step nearest to `raw` of the row 1, 2, 5 (decimal) or of the powers of two. */
static double nice_step(double raw, bool binary)
{
    if (!(raw > 0) || !isfinite(raw))
        return 1;
    if (binary)
        return exp2(round(log2(raw)));
    double decade = pow(10, floor(log10(raw)));
    double m = raw / decade;
    return decade * (m < 1.5 ? 1 : m < 3.2 ? 2 : m < 7.1 ? 5 : 10);
}

void fr_group_digits(char *number, size_t size)
{
    size_t length = strlen(number), start = number[0] == '-', whole = strspn(number + start, "0123456789");
    if (whole < 5 || length + (whole - 1) / 3 >= size || strpbrk(number, "eE"))
        return;
    for (size_t left = whole; left > 3;) {
        left -= 3;
        char *at = number + start + left;
        memmove(at + 1, at, strlen(at) + 1);
        *at = ',';
    }
}

void fr_tick_format(double value, double step, char *out, size_t n)
{
    int decimals = step >= 1 || step <= 0 ? 0 : (int)ceil(-log10(step) - 1e-9);
    /* A binary step such as 0.25 has more decimals than its size says. */
    while (decimals < 9 && fabs(step * pow(10, decimals) - round(step * pow(10, decimals))) > 1e-6)
        decimals++;
    if (fabs(value) >= 1e15 || (value != 0 && decimals > 8))
        snprintf(out, n, "%.3g", value);
    else
        snprintf(out, n, "%.*f", decimals, value);
    fr_group_digits(out, n);
}

/* "20 µs" */
static void time_format(double seconds, char *out, size_t n)
{
    double scale;
    const char *unit = fr_unit_choose(FR_DIM_SECONDS, seconds * 1.0000001, FR_UNITS_AUTO, &scale);
    snprintf(out, n, "%.6g", seconds / scale);
    fr_group_digits(out, n);
    size_t used = strlen(out);
    snprintf(out + used, n - used, " %s", unit);
}

static void add_tick(struct fr_axis *a, double value, double step)
{
    if (a->ticks_n == FR_TICKS_MAX)
        return;
    struct fr_tick *t = &a->ticks[a->ticks_n++];
    t->value = value;
    if (a->seconds > 0 && a->scale == FR_SCALE_LOG)
        time_format(value * a->seconds, t->label, sizeof t->label);
    else
        fr_tick_format(value, step, t->label, sizeof t->label);
    if (t->label[0] == '-' && strlen(t->label) + sizeof "−" - 1 <= sizeof t->label) { /* as value labels have it */
        memmove(t->label + sizeof "−" - 1, t->label + 1, strlen(t->label));
        memcpy(t->label, "−", sizeof "−" - 1);
    }
}

static void linear_ticks(struct fr_axis *a, int count)
{
    double step = nice_step((a->max - a->min) / (count > 1 ? count : 1), a->binary);
    double first = ceil(a->min / step - 1e-9);
    for (int i = 0; i < FR_TICKS_MAX; i++) {
        double value = (first + i) * step;
        if (value > a->max + step * 1e-9)
            break;
        add_tick(a, fabs(value) < step * 1e-9 ? 0 : value, step);
    }
}

/* Every k-th power, so that there are about `count`. */
static void log_ticks(struct fr_axis *a, int count)
{
    double base = a->binary ? 2 : 10, lo = log(a->min) / log(base), hi = log(a->max) / log(base);
    int first = (int)ceil(lo - 1e-9), last = (int)floor(hi + 1e-9);
    int every = 1;
    while ((last - first) / every + 1 > (count > 2 ? count + 1 : 3))
        every++;
    bool few = last - first < 2 || (last - first == 2 && count > 4);
    if (few && !a->binary) { /* room between the decades: 1 2 5 */
        for (int p = first - 1; p <= last + 1; p++)
            for (int k = 0; k < 3; k++) {
                double value = pow(10, p) * (k == 0 ? 1 : k == 1 ? 2 : 5);
                if (value >= a->min * 0.999999 && value <= a->max * 1.000001)
                    add_tick(a, value, value < 1 ? pow(10, p) : 1);
            }
        return;
    }
    for (int p = first; p <= last; p += every) {
        double value = pow(base, p);
        add_tick(a, value, value < 1 ? value : 1);
    }
}

void fr_axis_ticks(struct fr_axis *a, int count)
{
    a->ticks_n = 0;
    /* Figures near the end of what a double holds leave no room for an axis. */
    if (!isfinite(a->min) || !isfinite(a->max) || !(a->max > a->min) || !isfinite(a->max - a->min))
        return;
    if (a->scale == FR_SCALE_LOG && !(a->min > 0))
        return;
    if (a->scale == FR_SCALE_LOG)
        log_ticks(a, count);
    else
        linear_ticks(a, count);
}

/* The nearest of the row 1, 2, 5 (powers of two on a binary axis) at or below, or at or above. */
static double nice_log(double v, bool binary, bool up)
{
    static const double steps[] = {1, 2, 5, 10};
    if (binary)
        return exp2(up ? ceil(log2(v) - 1e-9) : floor(log2(v) + 1e-9));
    double decade = pow(10, floor(log10(v) + 1e-12)), m = v / decade;
    size_t i = up ? 0 : 3;
    if (up)
        while (i < 3 && steps[i] < m * 0.999999)
            i++;
    else
        while (i > 0 && steps[i] > m * 1.000001)
            i--;
    return decade * steps[i];
}

static void fit_log(struct fr_axis *a, double lo, double hi, bool to_tick)
{
    if (!(hi > 0))
        hi = 1;
    if (!(lo > 0) || lo > hi)
        lo = hi / 1000;
    double base = a->binary ? 2 : 10;
    if (to_tick || hi / lo < 1.5) {
        lo = nice_log(lo, a->binary, false);
        hi = nice_log(hi, a->binary, true);
    }
    if (hi / lo < base * 0.999)
        hi = lo * base;
    a->min = lo;
    a->max = hi;
}

void fr_axis_fit(struct fr_axis *a, double lo, double hi, bool zero, bool to_tick, int count)
{
    if (!isfinite(lo) || !isfinite(hi) || lo > hi) {
        lo = 0;
        hi = 1;
    }
    if (a->scale == FR_SCALE_LOG) {
        fit_log(a, lo, hi, to_tick);
    } else {
        if (zero) {
            lo = fmin(lo, 0);
            hi = fmax(hi, 0);
        }
        if (hi - lo < fabs(hi) * 1e-9 || hi == lo) {
            double room = hi != 0 ? fabs(hi) * 0.05 : 0.5;
            lo = zero && lo >= 0 ? 0 : lo - room;
            hi += room;
        }
        a->min = lo;
        a->max = hi;
        if (to_tick) {
            double step = nice_step((hi - lo) / (count > 1 ? count : 1), a->binary);
            a->min = floor(lo / step + 1e-9) * step;
            a->max = ceil(hi / step - 1e-9) * step;
        }
    }
    fr_axis_ticks(a, count);
}

static double logit(double percent)
{
    double rest = 1 - percent / 100;
    return -log10(rest < 1e-9 ? 1e-9 : rest);
}

void fr_axis_percentiles(struct fr_axis *a, double lo, double hi)
{
    static const double at[] = {0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999, 99.99999};
    a->scale = FR_SCALE_LOGIT;
    a->min = lo;
    a->max = hi > lo ? hi : lo + 1;
    a->ticks_n = 0;
    a->given = true;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        if (at[i] >= a->min - 1e-9 && at[i] <= a->max + 1e-9) {
            struct fr_tick *t = &a->ticks[a->ticks_n++];
            t->value = at[i];
            snprintf(t->label, sizeof t->label, "%.7g", at[i]);
        }
}

static double share_of(const struct fr_axis *a, double v)
{
    switch (a->scale) {
    case FR_SCALE_LOG:
        return v > 0 ? log(v / a->min) / log(a->max / a->min) : 0;
    case FR_SCALE_LOGIT:
        return (logit(v) - logit(a->min)) / (logit(a->max) - logit(a->min));
    case FR_SCALE_LINEAR:
        break;
    }
    return (v - a->min) / (a->max - a->min);
}

double fr_axis_share(const struct fr_axis *a, double v)
{
    double share = share_of(a, v);
    return isfinite(share) ? share : 0; /* what is too big for a double has no place */
}

double fr_axis_at(const struct fr_axis *a, double v)
{
    return a->from + fr_axis_share(a, v) * (a->to - a->from);
}
