/* test_options.c: block sizes as fio's headers print them. See fio_options.h. */
#include "check.h"
#include "fio_options.h"

#include "banned.h"

static const struct {
    const char *rw, *printed, *bs; /* bs NULL: one for each direction */
} blocks[] = {
    {"randread", "1M-1M/1M-1M/1M-1M", "1M"},
    {"read", "1G-1G/1G-1G/1G-1G", "1G"},
    {"write", "512-512/512-512/512-512", "512"},
    {"write", "4K-64K/4K-64K/4K-64K", "4k-64k"},
    {"read", "3M-3M/3M-3M/3M-3M", "3M"},
    {"read", "(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B", "4k"},
    {"read", "(R) 1024KiB-1024KiB, (W) 1024KiB-1024KiB, (T) 1024KiB-1024KiB", "1M"},
    {"read", "(R) 65.5kB-65.5kB, (W) 65.5kB-65.5kB, (T) 65.5kB-65.5kB", "64k"},
    {"read", "(R) 1049kB-1049kB, (W) 1049kB-1049kB, (T) 1049kB-1049kB", "1M"},
    {"read", "(R) 64.0KiB-64.0KiB, (W) 64.0KiB-64.0KiB, (T) 64.0KiB-64.0KiB", "64k"},
    {"rw", "4K-4K/8K-8K/4K-4K", NULL},
};

int main(void)
{
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        struct fr_batch batch;
        fr_batch_init(&batch, "test");
        struct fr_run *run = fr_run_new(&batch, "fio-text", "fio", 1);
        struct fr_test *test = fr_test_new(&batch, run, fr_str("job"), 1);
        fr_fio_printed_bs(&batch, run, test, fr_str(blocks[i].rw), fr_str(blocks[i].printed), 1);
        const char *bs = fr_param_get(NULL, test, "bs"), *want = blocks[i].bs;
        check(want ? bs && strcmp(bs, want) == 0 : !bs && fr_param_get(NULL, test, "bs_write"), blocks[i].printed,
              bs ? bs : "none");
        fr_batch_release(&batch);
    }
    return check_failed;
}
