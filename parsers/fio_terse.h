/*
 * fio_terse.h: private to fio_terse*.c: the line of fio's terse format, cut into fields.
 *
 * A line has no header, the job name is not escaped, and its columns changed with every version of the format. What
 * never changed is the pattern of kinds: whole numbers, decimals, percentages, percentiles. So the line is not counted
 * off: the body is found by its pattern, whatever stands before it is the name, and each column is known by its place
 * in the pattern. docs/formats/fio-terse.md shows the columns by version.
 */
#ifndef FIO_TERSE_H
#define FIO_TERSE_H

#include "record.h"

#define TERSE_FIELDS_MAX 1024 /* a line with more is none of ours */
#define TERSE_BLOCKS_MAX 4    /* read, write, trim, mixed */

/* One direction. Indices of fields; 0 where the version has none, or the line was cut before. */
struct terse_block {
    size_t io, bw, iops, runtime; /* KiB, KiB/s, 1/s, ms */
    size_t slat, clat, lat;       /* first of: min max mean stdev, in microseconds */
    size_t percentiles, n;        /* first `x%=usec`, and how many */
    size_t bw_samples;            /* first of: min max share mean stdev, in KiB/s */
    size_t bw_n, iops_samples;    /* version 5: number; first of: min max mean stdev n */
};

struct terse_line {
    struct fr_str f[TERSE_FIELDS_MAX];
    char kind[TERSE_FIELDS_MAX]; /* i whole, f decimal, p percentage, q percentile, s anything else */
    size_t n;
    int version;           /* 1: has no version field */
    struct fr_str fio;     /* `3.33`, or empty */
    struct fr_str host;    /* of a client's line, or empty */
    size_t columns;        /* how many stand before fio's own: a script's, `/dev/sda;randread;4k;3;fio-3.36;...` */
    size_t name, name_end; /* fields of the job name: name <= i < name_end */
    size_t group, error;
    struct terse_block block[TERSE_BLOCKS_MAX];
    size_t blocks;
    size_t cpu;              /* first of: usr sys ctx majf minf; 0: cut before */
    bool faults;             /* majf and minf are there */
    size_t depths;           /* first of: 1 2 4 8 16 32 >=64; 0: none, or cut before */
    size_t disks, disks_end; /* nine fields each; equal when there are none */
    size_t errors;           /* total, first error: with continue_on_error; or 0 */
    size_t description;      /* to the end; or 0 */
    bool cut;                /* ends before its last column */
    bool disk_cut;           /* ends within the columns of a disk */
};

/*
 * Read a line into `line`. False when it is no terse line. A line that begins as one (version and fio's name) and
 * breaks off is one that is `cut`; its last field may be half a number and is left out.
 */
bool terse_parse(struct fr_str text, struct terse_line *line);
/* Does it begin with a version and fio's name? Then it is worth joining with the lines that follow. */
bool terse_begins(struct fr_str text);

/* The operation of a block. */
enum fr_op terse_op(const struct terse_line *line, size_t block);
/* The number in a field; NAN when it is none. */
double terse_number(const struct terse_line *line, size_t field);
/* Did this direction do any I/O? */
bool terse_active(const struct terse_line *line, const struct terse_block *b);
/* Bandwidth in bytes per second, from data and run time where that agrees with the printed figure; NAN when unknown. */
double terse_bandwidth(const struct terse_line *line, const struct terse_block *b);

/* Add the line as a test of the run; the strings are copied. */
struct fr_test *terse_test(struct fr_batch *batch, struct fr_run *run, const struct terse_line *line, uint32_t no);
void terse_disks(struct fr_batch *batch, struct fr_run *run, const struct terse_line *line, uint32_t no);

#endif
