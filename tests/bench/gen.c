/*
 * gen KIND SIZE: made-up input of a size, the same every time, on standard output, which must be a file: no
 * measurement, only weight. log LINES       a fio bandwidth log of so many lines (34 bytes each, with offsets) jsonplus
 * MIB    one fio json+ document of that size, many jobs with some 1,200 bins each text MIB        fio 3.33's normal
 * output, one run after another small FOLDER N  N files of 4 kB of fio text in FOLDER
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;

static unsigned long next(unsigned long below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned long)(state % below);
}

static void gen_log(long lines)
{
    for (long i = 0; i < lines; i++)
        printf("%ld, %lu, %lu, 4096, %lu\n", 100000 + i / 10, 100000 + next(900000), next(2),
               100000000 + next(900000000));
}

static void latency(FILE *out, const char *name, int bins, const char *end)
{
    fprintf(out, "\"%s\" : {\"min\" : %lu, \"max\" : %lu, \"mean\" : %lu.%06lu, \"stddev\" : %lu.%06lu, \"N\" : %lu",
            name, 1000 + next(1000), 10000000 + next(1000000), 50000 + next(1000), next(1000000), 900 + next(99),
            next(1000000), 100000 + next(100));
    if (bins) {
        static const char *const p[] = {"1.000000",  "5.000000",  "50.000000", "90.000000",
                                        "99.000000", "99.900000", "99.990000"};
        fprintf(out, ",\n \"percentile\" : {");
        for (int i = 0; i < 7; i++)
            fprintf(out, "%s\n  \"%s\" : %d", i ? "," : "", p[i], 10000 * (i + 1) + (int)next(1000));
        fprintf(out, "\n },\n \"bins\" : {");
        uint64_t v = 1024;
        for (int i = 0; i < bins; i++) {
            fprintf(out, "%s\n  \"%llu\" : %lu", i ? "," : "", (unsigned long long)v, 1 + next(10000));
            v += 1ull << (63 - __builtin_clzll(v) - 6);
        }
        fprintf(out, "\n }");
    }
    fprintf(out, "}%s\n", end);
}

static void direction(FILE *out, const char *name, int bins, const char *end)
{
    unsigned long ios = 100000 + next(1000), bytes = ios * 4096;
    fprintf(out,
            "\"%s\" : {\"io_bytes\" : %lu, \"io_kbytes\" : %lu, \"bw_bytes\" : %lu, \"bw\" : %lu, \"iops\" : "
            "%lu.%06lu, \"runtime\" : 60001,\n"
            "\"total_ios\" : %lu, \"short_ios\" : 0, \"drop_ios\" : 0,\n",
            name, bytes, bytes / 1024, bytes / 60, bytes / 61440, ios / 60, next(1000000), ios);
    latency(out, "slat_ns", 0, ",");
    latency(out, "clat_ns", bins, ",");
    latency(out, "lat_ns", 0, ",");
    fprintf(
        out,
        "\"bw_min\" : 1, \"bw_max\" : 9, \"bw_agg\" : 100.0, \"bw_mean\" : 5.0, \"bw_dev\" : 1.0, \"bw_samples\" : "
        "119,\n"
        "\"iops_min\" : 1, \"iops_max\" : 9, \"iops_mean\" : 5.0, \"iops_stddev\" : 1.0, \"iops_samples\" : 119}%s\n",
        end);
}

static void gen_jsonplus(long mib)
{
    printf("{\n\"fio version\" : \"fio-3.33\",\n\"timestamp\" : 1700000000,\n\"timestamp_ms\" : 1700000000000,\n"
           "\"time\" : \"Tue Nov 14 22:13:20 2023\",\n\"global options\" : {\"ioengine\" : \"libaio\", \"direct\" : "
           "\"1\"},\n\"jobs\" : [\n");
    for (long i = 0; ftell(stdout) < mib << 20; i++) {
        printf("%s{\"jobname\" : \"job%ld\", \"groupid\" : 0, \"job_start\" : 1700000000000, \"error\" : 0, \"eta\" : "
               "0, \"elapsed\" : 61,\n"
               "\"job options\" : {\"rw\" : \"randrw\", \"bs\" : \"4k\", \"iodepth\" : \"%ld\"},\n",
               i ? ",\n" : "", i, i % 64 + 1);
        direction(stdout, "read", 600, ",");
        direction(stdout, "write", 600, ",");
        printf(
            "\"job_runtime\" : 60001, \"usr_cpu\" : 1.5, \"sys_cpu\" : 2.5, \"ctx\" : 5, \"majf\" : 0, \"minf\" : 9}");
    }
    printf("\n],\n\"disk_util\" : [{\"name\" : \"sda\", \"read_ios\" : 5, \"write_ios\" : 6, \"util\" : 99.9}]\n}\n");
}

static void run_text(FILE *out, long i)
{
    unsigned long ios = 6000 + next(1000), pid = 1000 + (unsigned long)i;
    fprintf(out,
            "job%ld: (groupid=0, jobs=1): err= 0: pid=%lu: Tue Nov 14 22:%02lu:%02lu 2023\n"
            "  write: IOPS=%lu, BW=%luKiB/s (%lukB/s)(%lu.%luMiB/60001msec); 0 zone resets\n"
            "    slat (usec): min=%lu, max=%lu, avg=80.78, stdev=18.61\n"
            "    clat (usec): min=%lu, max=%lu, avg=548.89, stdev=58.97\n"
            "     lat (usec): min=%lu, max=%lu, avg=630.83, stdev=59.84\n"
            "    clat percentiles (usec):\n"
            "     |  1.00th=[  404],  5.00th=[  441], 10.00th=[  469], 20.00th=[  506],\n"
            "     | 30.00th=[  523], 40.00th=[  553], 50.00th=[  570], 60.00th=[  578],\n"
            "     | 70.00th=[  586], 80.00th=[  594], 90.00th=[  603], 95.00th=[  611],\n"
            "     | 99.00th=[  635], 99.50th=[  668], 99.90th=[  791], 99.95th=[  930],\n"
            "     | 99.99th=[ 1762]\n"
            "   bw (  KiB/s): min=  152, max=  681, per=99.86%%, avg=435.50, stdev=139.31, samples=119\n"
            "   iops        : min=   38, max=  170, avg=108.82, stdev=34.78, samples=119\n"
            "  lat (usec)   : 100=0.02%%, 250=0.02%%, 500=21.08%%, 750=78.60%%, 1000=0.10%%\n"
            "  lat (msec)   : 2=0.10%%, 4=0.08%%\n"
            "  cpu          : usr=1.11%%, sys=2.68%%, ctx=39588, majf=0, minf=15\n"
            "  IO depths    : 1=100.0%%, 2=0.0%%, 4=0.0%%, 8=0.0%%, 16=0.0%%, 32=0.0%%, >=64=0.0%%\n"
            "     submit    : 0=0.0%%, 4=100.0%%, 8=0.0%%, 16=0.0%%, 32=0.0%%, 64=0.0%%, >=64=0.0%%\n"
            "     complete  : 0=0.0%%, 4=100.0%%, 8=0.0%%, 16=0.0%%, 32=0.0%%, 64=0.0%%, >=64=0.0%%\n"
            "     issued rwts: total=0,%lu,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
            "     latency   : target=0, window=0, percentile=100.00%%, depth=1\n"
            "\n"
            "Run status group 0 (all jobs):\n"
            "  WRITE: bw=%luKiB/s (%lukB/s), %luKiB/s-%luKiB/s (%lukB/s-%lukB/s), io=%lu.%luMiB (27.0MB), "
            "run=60001-60001msec\n"
            "\n"
            "Disk stats (read/write):\n"
            "  sda: ios=6515/29450, merge=0/9823, ticks=3688/53418, in_queue=95666, util=99.92%%\n"
            "\n",
            i, pid, next(60), next(60), ios / 60, ios * 4 / 60, ios * 4096 / 60001, ios * 4 / 1024, ios % 10,
            30 + next(9), 500 + next(99), 60 + next(9), 1700 + next(99), 300 + next(99), 1800 + next(99), ios,
            ios * 4 / 60, ios * 4096 / 60001, ios * 4 / 60, ios * 4 / 60, ios * 4096 / 60001, ios * 4096 / 60001,
            ios * 4 / 1024, ios % 10);
}

static void gen_text(long mib)
{
    for (long i = 0; ftell(stdout) < mib << 20; i++)
        run_text(stdout, i);
}

static int gen_small(const char *folder, long n)
{
    for (long i = 0; i < n; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/output.run%05ld.fio.txt", folder, i);
        FILE *out = fopen(path, "w");
        if (!out)
            return 1;
        run_text(out, i);
        run_text(out, i + n);
        if (fclose(out) != 0)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && ftell(stdout) < 0) /* the size is what the file has */
        return 2;
    if (argc == 3 && strcmp(argv[1], "log") == 0)
        gen_log(strtol(argv[2], NULL, 10));
    else if (argc == 3 && strcmp(argv[1], "jsonplus") == 0)
        gen_jsonplus(strtol(argv[2], NULL, 10));
    else if (argc == 3 && strcmp(argv[1], "text") == 0)
        gen_text(strtol(argv[2], NULL, 10));
    else if (argc == 4 && strcmp(argv[1], "small") == 0)
        return gen_small(argv[2], strtol(argv[3], NULL, 10));
    else
        return 2;
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
