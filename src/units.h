/*
 * units.h: the one place that knows units. KiB is 1024, kB is 1000; what "KB" and "MB" mean depends on who printed it,
 * so the caller has to say (design rule: a number that is wrong by 2.4 % is worse than an error message).
 *
 * Base units, in which every value is kept: second, byte, byte per second, operation per second, ratio 0..1, count.
 */
#ifndef FR_UNITS_H
#define FR_UNITS_H

#include "fioreport.h"
#include "scan.h"

enum fr_dim { FR_DIM_NONE, FR_DIM_SECONDS, FR_DIM_BYTES, FR_DIM_BYTES_PER_S, FR_DIM_OPS, FR_DIM_RATIO, FR_DIM_COUNT };

/* What a prefix without an "i" means: 1000 (dd, CrystalDiskMark, fio's bracket) or 1024 (fio 1.32 to 2.16, busybox). */
enum fr_kilo { FR_KILO_1000 = 1000, FR_KILO_1024 = 1024 };

struct fr_unit {
    double factor; /* multiply a printed number by this to get the base unit */
    enum fr_dim dim;
};

/*
 * The unit that `text` spells, whole: `KiB/s`, `kB/s`, `MB`, `B`, `Mibit/s`, `Kbit/s` (bits are divided by 8), `msec`,
 * `usec`, `us`, `µs`, `nsec`, `s`, `sec`, `iops`, `%`. An upper-case K, M, G ... without "i" and a lower-case k follow
 * `kilo`, except that `k` before B is 1000 always. False when it is none: never guess.
 */
bool fr_unit_find(struct fr_str text, enum fr_kilo kilo, struct fr_unit *out);

/* The factor of a decimal or binary prefix, fio's num2str suffixes: "" k K M G T P E, Ki Mi Gi Ti Pi Ei; 0 when
 * unknown. */
double fr_prefix_factor(struct fr_str text, enum fr_kilo kilo);

/*
 * A size as people write it, all prefixes 1024: `4k`, `4K`, `4KiB`, `1M`, `128kb`, `1g`, `4096`, `4096B`. In bytes. How
 * fio reads its options is in fio_options.h.
 */
bool fr_size_parse(struct fr_str text, double *bytes);
/* A size as dd reads it: `4k`, `1M`, `1m`, `1MB` (10^6), `102400w`, `2x1024`, `$((1024*1024))`; false: not known. */
bool fr_dd_size(struct fr_str text, double *bytes);
/* The canonical spelling, as params store it: 4096 -> `4k`, 1048576 -> `1M`, 1000 -> `1000`. `out` holds 24 characters.
 */
const char *fr_size_format(double bytes, char out[24]);

enum fr_unit_system { FR_UNITS_AUTO, FR_UNITS_IEC, FR_UNITS_SI };

/* The base unit as the database names it: "s", "B", "B/s", "IOPS", "" for ratios, counts and scores. */
const char *fr_unit_base(enum fr_dim dim);

/*
 * The unit in which to show values of one dimension, the largest of which is `max` (all in base units): shown = value /
 * *scale. AUTO is IEC for bytes, as fio prints. The name is static: "MiB/s", "kB/s", "µs", "IOPS", "k IOPS" never
 * (operations are shown whole up to 9,999,999), "%" for ratios, "" for none.
 */
const char *fr_unit_choose(enum fr_dim dim, double max, enum fr_unit_system system, double *scale);

/*
 * A number with `significant` digits at least where it has decimals, never in exponent form, no digit group marks:
 * 113.6, 0.00123, 20293. For value labels. `out` holds 40 characters.
 */
const char *fr_number_format(double value, int significant, char out[40]);

/*
 * A figure times its unit, in base units. Where the unit is a whole part of the base (1e-3, 1e-6, 1e-9) it is divided,
 * which gives the double nearest to the decimal number: 635 us are 0.000635, not 0.00063499999999999993.
 */
double fr_to_base(double figure, double unit);

#endif
