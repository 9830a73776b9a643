/*
 * measure COMMAND...: run it with its output thrown away, print `CPU_SECONDS MAX_RSS_KIB STATUS` (user + system time of
 * the process and its children). The smallest of MEASURE_TIMES runs, by default 1.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int run(char **argv, double *cpu, long *rss)
{
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        if (!getenv("MEASURE_SHOW"))
            dup2(null, 2);
        execvp(argv[0], argv);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
        return -1;
    *cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    *rss = usage.ru_maxrss;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
    double best = 0;
    long most = 0;
    int status = 0;
    const char *times = getenv("MEASURE_TIMES");
    long n = times ? strtol(times, NULL, 10) : 1;
    if (argc < 2)
        return 2;
    for (long i = 0; i < n; i++) {
        double cpu = 0;
        long rss = 0;
        status = run(argv + 1, &cpu, &rss);
        if (i == 0 || cpu < best)
            best = cpu;
        if (rss > most)
            most = rss;
    }
    printf("%.3f %ld %d\n", best, most, status);
    return 0;
}
