/* latency_target.c: see latency_target.h. */
#include "latency_target.h"
#include "fio_options.h"

#include <stdio.h>

#include "banned.h"

struct fr_latency_units fr_latency_units(const char *version)
{
    struct fr_latency_units units = {0, 0};
    uint64_t major, minor;
    if (!fr_fio_version(version, &major, &minor))
        return units;
    if (major < 3 || (major == 3 && minor <= 1)) {
        units.target = units.window = 1;
    } else if (major > 3 || minor >= 7) {
        units.target = 1e-3;
        units.window = major == 3 && minor == 7 ? 1e-3 : major > 3 || minor >= 33 ? 1 : 0;
    }
    return units;
}

const char *fr_usec_format(double usec, char out[FR_USEC_MAX])
{
    snprintf(out, FR_USEC_MAX, "%.15gus", usec);
    return out;
}

bool fr_usec_parse(struct fr_str text, double *usec)
{
    static const struct {
        const char *unit;
        double usec;
    } units[] = {{"", 1},    {"us", 1},    {"usec", 1}, {"ms", 1e3},  {"msec", 1e3},
                 {"s", 1e6}, {"sec", 1e6}, {"m", 6e7},  {"h", 3.6e9}, {"d", 8.64e10}};
    struct fr_str rest = fr_str_trim(text);
    double number;
    if (!fr_take_double(&rest, &number))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (fr_str_is_nocase(rest, units[i].unit)) {
            *usec = number * units[i].usec;
            return true;
        }
    return false;
}
