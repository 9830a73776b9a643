/*
 * test_merge: percentiles of four jobs of one run of fio (json+), merged by the query, are to the bin those of the same
 * I/Os counted in one group. The count is made here in another way: from the lines of the file, with fio's rule on the
 * keys of its bins. And a job's histogram log of that run has bins of the JSON.
 */
#include "check.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>

#include "fioreport.h"

#include "banned.h"

static const char json[] = "samples/fio-json/four-jobs.jsonplus.json";
static const char hist_log[] = "samples/fio-log/four-jobs_clat_hist.1.log";

static struct fr_log quiet = {.say = NULL};

struct group {
    unsigned long long ns[4096], count[4096], total;
    size_t n;
};

static void count_in(struct group *g, unsigned long long ns, unsigned long long count)
{
    size_t i = 0;
    while (i < g->n && g->ns[i] != ns)
        i++;
    if (i == sizeof g->ns / sizeof *g->ns)
        return;
    g->n += i == g->n;
    g->ns[i] = ns;
    g->count[i] += count;
    g->total += count;
}

/* The bins of read.clat_ns of all jobs, line by line: `"4080" : 3,` between `"bins" : {` and `}`. */
static size_t read_group(struct group *g)
{
    char line[256], at[32] = "", *end;
    bool reads = false, bins = false;
    size_t jobs = 0;
    FILE *f = fopen(json, "r");
    while (f && fgets(line, sizeof line, f)) {
        const char *quote = strchr(line, '"');
        if (strstr(line, "\"jobname\""))
            jobs++;
        if (quote && strstr(line, ": {")) {
            snprintf(at, sizeof at, "%.*s", (int)strcspn(quote + 1, "\""), quote + 1);
            if (strcmp(at, "read") == 0 || strcmp(at, "write") == 0)
                reads = strcmp(at, "read") == 0;
            bins = strcmp(at, "bins") == 0 && reads;
        } else if (bins && quote) {
            unsigned long long ns = strtoull(quote + 1, &end, 10);
            const char *colon = strchr(end, ':');
            count_in(g, ns, colon ? strtoull(colon + 1, NULL, 10) : 0);
        } else if (strchr(line, '}')) {
            bins = false;
        }
    }
    if (f)
        fclose(f);
    return jobs;
}

/* fio's rule: the first bin, by value, at which the running count reaches that share. */
static double group_percentile(const struct group *g, double percent)
{
    double best = INFINITY;
    for (size_t i = 0; i < g->n; i++) {
        unsigned long long below = 0;
        for (size_t k = 0; k < g->n; k++)
            below += g->ns[k] <= g->ns[i] ? g->count[k] : 0;
        if ((double)below >= percent / 100 * (double)g->total && (double)g->ns[i] < best)
            best = (double)g->ns[i];
    }
    return best / 1e9;
}

static struct fr_store *store_of(const char *const *paths, size_t n)
{
    struct fr_store *store = fr_store_open(NULL, FR_STORE_MEMORY, &quiet);
    struct fr_ingest_options options = {.label = NULL};
    struct fr_ingest_counts counts;
    CHECK("merge: ingested", store && fr_ingest(store, paths, n, &options, &counts, &quiet) == 0 && counts.files == n);
    return store;
}

static const struct fr_cell *cell(const struct fr_table *t, size_t row, size_t column)
{
    const struct fr_row *r = t->head;
    while (r && row--)
        r = r->next;
    return r ? &r->cells[column] : NULL;
}

static void test_percentiles(void)
{
    static const char *const paths[] = {json};
    static struct group group;
    struct fr_query query = {.metrics = "read.clat"};
    struct fr_store *store = store_of(paths, 1);
    struct fr_table *t = fr_query_table(store, &query, FR_SHAPE_PERCENTILES, &quiet);
    CHECK("merge: four jobs, counted in one group", read_group(&group) == 4 && group.total > 900 && group.n > 100);
    CHECK("merge: one curve of all jobs", t && fr_table_rows(t) == 17);
    size_t wrong = 0;
    for (size_t i = 0; t && i < fr_table_rows(t); i++) {
        double percent = cell(t, i, 1)->value, got = cell(t, i, 2)->value;
        if (fabs(got - group_percentile(&group, percent)) > 1e-15) {
            printf("p%g is %.12g, of the group %.12g\n", percent, got, group_percentile(&group, percent));
            wrong++;
        }
    }
    CHECK("merge: each percentile is that of the group, to the bin", wrong == 0);
    fr_table_free(t);
    fr_store_close(store);
}

/* The log ends before the run does, so it has at most what the JSON has, in bins of the same bounds. */
static void test_log(void)
{
    static const char *const paths[] = {json, hist_log};
    struct fr_store *store = store_of(paths, 2);
    struct fr_table *t = fr_query_sql(
        store,
        "SELECT count(*), coalesce(sum(j.count >= l.count), 0), sum(l.count) FROM histogram l LEFT JOIN histogram j "
        "ON j.run_id = 1 AND j.test_no = 1 AND j.op = l.op AND j.metric = l.metric AND j.lower = l.lower AND "
        "j.upper = l.upper WHERE l.run_id = 2",
        &quiet);
    CHECK("merge: the log has bins",
          t && fr_table_rows(t) == 1 && cell(t, 0, 0)->value > 50 && cell(t, 0, 2)->value > 100);
    CHECK("merge: all are bins of the JSON", t && cell(t, 0, 0)->value - cell(t, 0, 1)->value < 0.5);
    fr_table_free(t);
    fr_store_close(store);
}

int main(void)
{
    test_percentiles();
    test_log();
    return check_failed;
}
