/*
 * units.c: see units.h.
 *
 * Sources: IEC 80000-13 (binary prefixes), SI Brochure section 3 (decimal ones), fio's num2str() and str_to_decimal()
 * as docs/formats/fio-text.md describes them.
 */
#include "units.h"

#include <math.h>

#include "banned.h"

static const char prefixes[] = "KMGTPE";

/* Which power of 1000 or 1024 the letter is: 3 for G; -1 for none. */
static int prefix_power(char c)
{
    if (c == 'k')
        return 1;
    const char *p = c ? strchr(prefixes, c) : NULL;
    return p ? (int)(p - prefixes) + 1 : -1;
}

static double power(double base, int n)
{
    double v = 1;
    while (n-- > 0)
        v *= base;
    return v;
}

double fr_prefix_factor(struct fr_str text, enum fr_kilo kilo)
{
    if (text.n == 0)
        return 1;
    int n = prefix_power(text.s[0]);
    if (n < 0 || text.n > 2 || (text.n == 2 && text.s[1] != 'i'))
        return 0;
    return power(text.n == 2 ? 1024 : (double)kilo, n);
}

/* `B`, `bit`, `b`-words after the prefix: bytes (factor 1) or bits (1/8). */
static bool byte_word(struct fr_str *text, double *factor)
{
    static const struct {
        const char *word;
        double factor;
    } words[] = {{"bytes", 1}, {"byte", 1}, {"bits", 0.125}, {"bit", 0.125}, {"B", 1}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fr_take(text, words[i].word)) {
            *factor = words[i].factor;
            return true;
        }
    return false;
}

static bool data_unit(struct fr_str text, enum fr_kilo kilo, struct fr_unit *out)
{
    double prefix = 1, factor;
    int n = text.n ? prefix_power(text.s[0]) : -1;
    if (n > 0) {
        bool small = text.s[0] == 'k';
        text = fr_str_from(text, 1);
        bool binary = fr_take_ch(&text, 'i');
        /* `kB` is 1000 wherever it is printed; `kbit` of fio's unit_base=1 as well. */
        prefix = power(binary ? 1024 : small ? 1000 : (double)kilo, n);
    }
    fr_take_blanks(&text); /* fio 2.x pads: `KB  /s` */
    if (!byte_word(&text, &factor))
        return false;
    fr_take_blanks(&text);
    out->factor = prefix * factor;
    out->dim = FR_DIM_BYTES;
    if (text.n == 0)
        return true;
    out->dim = FR_DIM_BYTES_PER_S;
    return fr_str_is(text, "/s") || fr_str_is(text, "/sec") || fr_str_is(text, "/second") || fr_str_is(text, "ps");
}

bool fr_unit_find(struct fr_str text, enum fr_kilo kilo, struct fr_unit *out)
{
    static const struct {
        struct fr_str name;
        struct fr_unit unit;
    } names[] = {
        {FR_LITERAL("s"), {1, FR_DIM_SECONDS}},
        {FR_LITERAL("sec"), {1, FR_DIM_SECONDS}},
        {FR_LITERAL("secs"), {1, FR_DIM_SECONDS}},
        {FR_LITERAL("second"), {1, FR_DIM_SECONDS}},
        {FR_LITERAL("seconds"), {1, FR_DIM_SECONDS}},
        {FR_LITERAL("ms"), {1e-3, FR_DIM_SECONDS}},
        {FR_LITERAL("msec"), {1e-3, FR_DIM_SECONDS}},
        {FR_LITERAL("milliseconds"), {1e-3, FR_DIM_SECONDS}},
        {FR_LITERAL("us"), {1e-6, FR_DIM_SECONDS}},
        {FR_LITERAL("usec"), {1e-6, FR_DIM_SECONDS}},
        {FR_LITERAL("\xc2\xb5s"), {1e-6, FR_DIM_SECONDS}},
        {FR_LITERAL("\xce\xbcs"), {1e-6, FR_DIM_SECONDS}},
        {FR_LITERAL("microseconds"), {1e-6, FR_DIM_SECONDS}},
        {FR_LITERAL("ns"), {1e-9, FR_DIM_SECONDS}},
        {FR_LITERAL("nsec"), {1e-9, FR_DIM_SECONDS}},
        {FR_LITERAL("nanoseconds"), {1e-9, FR_DIM_SECONDS}},
        {FR_LITERAL("min"), {60, FR_DIM_SECONDS}},
        {FR_LITERAL("minutes"), {60, FR_DIM_SECONDS}},
        {FR_LITERAL("iops"), {1, FR_DIM_OPS}},
        {FR_LITERAL("io/s"), {1, FR_DIM_OPS}},
        {FR_LITERAL("ops/s"), {1, FR_DIM_OPS}},
        {FR_LITERAL("%"), {0.01, FR_DIM_RATIO}},
    };
    text = fr_str_trim(text);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text.n == names[i].name.n && fr_str_starts_nocase(text, names[i].name.s)) {
            *out = names[i].unit;
            return true;
        }
    return data_unit(text, kilo, out);
}

bool fr_size_parse(struct fr_str text, double *bytes)
{
    double v;
    text = fr_str_trim(text);
    if (!fr_take_double(&text, &v) || v < 0)
        return false;
    if (text.n == 0) {
        *bytes = v;
        return true;
    }
    int n = prefix_power((char)(text.s[0] >= 'a' ? text.s[0] - 32 : text.s[0]));
    if (n > 0)
        text = fr_str_from(text, 1);
    if (text.n && !fr_str_is_nocase(text, "b") && !(n > 0 && fr_str_is_nocase(text, "ib")) &&
        !(n > 0 && fr_str_is_nocase(text, "i")))
        return false;
    *bytes = v * power(1024, n > 0 ? n : 0);
    return true;
}

/* What follows a number in dd's sizes; 0: not known. */
static double suffix_factor(struct fr_str s)
{
    static const char letters[] = "kmgtpe";
    if (!s.n)
        return 1;
    if (fr_str_is(s, "c"))
        return 1;
    if (fr_str_is(s, "w"))
        return 2;
    if (fr_str_is(s, "b"))
        return 512;
    const char *p = strchr(letters, fr_lower(s.s[0]));
    if (!p || !*p)
        return 0;
    int n = (int)(p - letters) + 1;
    s = fr_str_from(s, 1);
    if (!s.n || fr_str_is(s, "iB"))
        return power(1024, n);
    return fr_str_is(s, "B") ? power(1000, n) : 0;
}

bool fr_dd_size(struct fr_str text, double *bytes)
{
    double product = 1;
    text = fr_str_trim(text);
    if (fr_take(&text, "$((") && fr_str_ends(text, "))"))
        text.n -= 2;
    if (!text.n)
        return false;
    while (text.n) {
        uint64_t n;
        size_t end = 0;
        fr_take_blanks(&text);
        if (!fr_take_u64(&text, &n, NULL))
            return false;
        while (end < text.n && fr_is_alpha(text.s[end]) && text.s[end] != 'x')
            end++;
        double factor = suffix_factor(fr_str_range(text, 0, end));
        if (factor <= 0)
            return false;
        product *= (double)n * factor;
        text = fr_str_from(text, end);
        fr_take_blanks(&text);
        if (text.n && !fr_take_ch(&text, 'x') && !fr_take_ch(&text, '*'))
            return false;
    }
    *bytes = product;
    return product > 0;
}

const char *fr_size_format(double bytes, char out[24])
{
    static const char letters[] = "kMGTP";
    double v = bytes;
    int n = 0;
    while (n < 5 && v >= 1024 && fmod(v, 1024) == 0) {
        v /= 1024;
        n++;
    }
    if (n)
        snprintf(out, 24, "%.0f%c", v, letters[n - 1]);
    else
        snprintf(out, 24, "%.15g", v);
    return out;
}

struct shown {
    const char *name;
    double scale;
};

static const struct shown seconds[] = {{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}, {"ns", 1e-9}};
static const struct shown iec[] = {{"PiB", 0x1p50}, {"TiB", 0x1p40}, {"GiB", 0x1p30},
                                   {"MiB", 0x1p20}, {"KiB", 0x1p10}, {"B", 1}};
static const struct shown si[] = {{"PB", 1e15}, {"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}};
static const struct shown iec_rate[] = {{"PiB/s", 0x1p50}, {"TiB/s", 0x1p40}, {"GiB/s", 0x1p30},
                                        {"MiB/s", 0x1p20}, {"KiB/s", 0x1p10}, {"B/s", 1}};
static const struct shown si_rate[] = {{"PB/s", 1e15}, {"TB/s", 1e12}, {"GB/s", 1e9},
                                       {"MB/s", 1e6},  {"kB/s", 1e3},  {"B/s", 1}};

/* The largest unit of which `max` is at least one whole. */
static const char *pick(const struct shown *units, size_t n, double max, double *scale)
{
    size_t i = 0;
    while (i + 1 < n && fabs(max) < units[i].scale)
        i++;
    *scale = units[i].scale;
    return units[i].name;
}

#define PICK(units) pick((units), sizeof(units) / sizeof *(units), max, scale)

const char *fr_unit_base(enum fr_dim dim)
{
    switch (dim) {
    case FR_DIM_SECONDS:
        return "s";
    case FR_DIM_BYTES:
        return "B";
    case FR_DIM_BYTES_PER_S:
        return "B/s";
    case FR_DIM_OPS:
        return "IOPS";
    default:
        return "";
    }
}

const char *fr_unit_choose(enum fr_dim dim, double max, enum fr_unit_system system, double *scale)
{
    bool decimal = system == FR_UNITS_SI;
    *scale = 1;
    switch (dim) {
    case FR_DIM_SECONDS:
        return PICK(seconds);
    case FR_DIM_BYTES:
        return decimal ? PICK(si) : PICK(iec);
    case FR_DIM_BYTES_PER_S:
        return decimal ? PICK(si_rate) : PICK(iec_rate);
    case FR_DIM_OPS:
        return "IOPS";
    case FR_DIM_RATIO:
        *scale = 0.01;
        return "%";
    case FR_DIM_NONE:
    case FR_DIM_COUNT:
        break;
    }
    return "";
}

const char *fr_number_format(double value, int significant, char out[40])
{
    double a = fabs(value);
    int whole = a < 1 ? 0 : (int)floor(log10(a)) + 1;
    int decimals = significant - whole;
    if (a > 0 && a < 1)
        decimals = significant - 1 - (int)floor(log10(a));
    if (a == 0 || decimals < 0)
        decimals = 0;
    if (decimals > 15)
        decimals = 15;
    if (a >= 1e25)
        snprintf(out, 40, "%.*g", significant < 1 ? 1 : significant > 17 ? 17 : significant, value);
    else
        snprintf(out, 40, "%.*f", decimals, value);
    return out;
}

double fr_to_base(double figure, double unit)
{
    if (unit == 1e-6) /* most of all */
        return figure / 1e6;
    double parts = 1 / unit, whole = nearbyint(parts);
    return unit > 0 && unit < 1 && fabs(parts - whole) < 1e-9 * whole ? figure / whole : figure * unit;
}
