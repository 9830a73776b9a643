/* output.c: see output.h. */
#include "output.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "scan.h"

#include "banned.h"

#define MARK      "fioreport"
#define FIXED     1577836800LL /* 2020-01-01 */
#define LOOK      ((size_t)64 << 10)
#define LOOK_XLSX ((size_t)1 << 20)

static bool holds(const char *bytes, size_t n, const char *what)
{
    return memmem(bytes, n, what, strlen(what)) != NULL;
}

/* A workbook says who made it in docProps/core.xml, which is deflated. */
static bool xlsx_is_ours(const char *bytes, size_t n)
{
    static const char name[] = "docProps/core.xml";
    const char *at = memmem(bytes, n, name, sizeof name - 1);
    if (!at || at - bytes < 30 || memcmp(at - 30, "PK\3\4", 4) != 0)
        return false;
    size_t extra = (unsigned char)at[-2] | (size_t)(unsigned char)at[-1] << 8;
    size_t start = (size_t)(at - bytes) + sizeof name - 1 + extra;
    char text[4096];
    z_stream z = {0};
    if (start >= n || inflateInit2(&z, -15) != Z_OK)
        return false;
    z.next_in = (Bytef *)(uintptr_t)(bytes + start);
    z.avail_in = (uInt)(n - start);
    z.next_out = (Bytef *)text;
    z.avail_out = sizeof text;
    int rc = inflate(&z, Z_SYNC_FLUSH);
    size_t got = sizeof text - z.avail_out;
    inflateEnd(&z);
    return (rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR) && holds(text, got, MARK);
}

/* Our mark stands near the start (PNG, SVG) or at the end (PDF); a workbook's near its start or end. */
static bool is_ours(FILE *f, long long size)
{
    char *bytes = malloc(LOOK_XLSX);
    if (!bytes)
        return false;
    size_t n = fread(bytes, 1, LOOK, f);
    bool picture = n > 8 && (memcmp(bytes, "\x89PNG", 4) == 0 || memcmp(bytes, "<?xml", 5) == 0);
    bool ours = picture && holds(bytes, n, MARK);
    if (n > 4 && memcmp(bytes, "%PDF", 4) == 0 && fseek(f, -(long)(size < 256 ? size : 256), SEEK_END) == 0) {
        n = fread(bytes, 1, 256, f);
        ours = holds(bytes, n, "% " MARK);
    } else if (n > 4 && memcmp(bytes, "PK\3\4", 4) == 0) {
        ours = xlsx_is_ours(bytes, n);
        if (!ours && fseek(f, size > (long long)LOOK_XLSX ? -(long)LOOK_XLSX : -(long)size, SEEK_END) == 0) {
            n = fread(bytes, 1, LOOK_XLSX, f);
            ours = xlsx_is_ours(bytes, n);
        }
    }
    free(bytes);
    return ours;
}

int fr_output_check(const char *path, bool force, struct fr_log *log)
{
    struct stat st;
    if (force || stat(path, &st) != 0)
        return 0;
    if (S_ISDIR(st.st_mode))
        return fr_log_error(log, path, 0, "is a folder, nothing was written");
    if (!S_ISREG(st.st_mode) || st.st_size == 0)
        return 0;
    FILE *f = fopen(path, "rb");
    bool ours = f && is_ours(f, st.st_size);
    if (f)
        fclose(f);
    if (!ours)
        return fr_log_error(log, path, 0,
                            "exists and was not written by fioreport, it was left as it is (--force overwrites)");
    return 0;
}

char *fr_output_temp(const char *path)
{
    struct fr_strbuf name = FR_STRBUF_INIT;
    fr_strbuf_addf(&name, "%s.%ld.tmp", path, (long)getpid());
    return fr_strbuf_detach(&name);
}

int fr_output_commit(const char *temp, const char *path, struct fr_log *log)
{
    if (rename(temp, path) == 0)
        return 0;
    int error = errno;
    unlink(temp);
    return fr_log_error(log, path, 0, "cannot be written: %s, nothing was changed", strerror(error));
}

int fr_output_write(const char *path, const char *bytes, size_t n, struct fr_log *log)
{
    struct stat st;
    bool device = stat(path, &st) == 0 && !S_ISREG(st.st_mode); /* /dev/stdout, a pipe: no rename there */
    char *temp = device ? NULL : fr_output_temp(path);
    FILE *f = fopen(device ? path : temp, "wb");
    int error = f ? 0 : errno;
    if (f) {
        if (fwrite(bytes, 1, n, f) != n)
            error = errno;
        if (fclose(f) != 0 && !error)
            error = errno;
    }
    int rc = 0;
    if (error) {
        if (f && temp)
            unlink(temp);
        rc = fr_log_error(log, path, 0, "cannot be written: %s, nothing was changed", strerror(error));
    } else if (temp) {
        rc = fr_output_commit(temp, path, log);
    }
    free(temp);
    return rc;
}

long long fr_output_time(void)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    uint64_t t;
    if (epoch && fr_str_u64(fr_str(epoch), &t) && t < (uint64_t)253402300800)
        return (long long)t;
    return FIXED;
}
