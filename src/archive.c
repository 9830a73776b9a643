/* archive.c: see archive.h. libarchive(3); only what is read in process: no filter that starts a program. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

#include "archive.h"

#include "banned.h"

struct walk {
    struct archive *archive;
    struct fr_input *in;
    struct fr_log *log;
    unsigned long long unpacked;
    bool too_big;
    bool failed; /* a member could not be unpacked to its end, reported */
};

bool fr_archive_is(const char *head, size_t n)
{
    static const struct {
        const char *magic;
        size_t n, at;
    } magics[] = {{"\x1f\x8b\x08", 3, 0},
                  {"\xfd"
                   "7zXZ\0",
                   6, 0},
                  {"\x28\xb5\x2f\xfd", 4, 0},
                  {"BZh", 3, 0},
                  {"PK\3\4", 4, 0},
                  {"PK\5\6", 4, 0},
                  {"ustar", 5, 257}};
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (n >= magics[i].at + magics[i].n && memcmp(head + magics[i].at, magics[i].magic, magics[i].n) == 0)
            return true;
    return false;
}

bool fr_archive_is_document(const char *head, size_t n)
{
    static const char *const first[] = {
        "[Content_Types].xml", "_rels/", "docProps/", "xl/", "word/", "ppt/", "mimetype"};
    enum { NAME = 30 }; /* where the name of the first file stands in a zip */
    for (size_t i = 0; i < sizeof first / sizeof *first && n > NAME && memcmp(head, "PK\3\4", 4) == 0; i++) {
        size_t length = strlen(first[i]);
        if (n >= NAME + length && memcmp(head + NAME, first[i], length) == 0)
            return true;
    }
    return false;
}

static la_ssize_t read_packed(struct archive *a, void *ctx, const void **block)
{
    struct walk *w = ctx;
    size_t n;
    *block = fr_input_next(w->in, &n, w->log);
    if (!*block) {
        archive_set_error(a, EIO, "reading failed");
        return ARCHIVE_FATAL;
    }
    return (la_ssize_t)n;
}

static bool beyond(struct walk *w)
{
    unsigned long long packed = (unsigned long long)fr_input_taken(w->in) + 1;
    return w->unpacked > FR_ARCHIVE_BYTES ||
           (w->unpacked > FR_ARCHIVE_SMALL && w->unpacked / packed > FR_ARCHIVE_RATIO);
}

/* For fr_input_callback. */
static ssize_t read_member(void *ctx, char *buf, size_t n)
{
    struct walk *w = ctx;
    const char *name = fr_input_name(w->in);
    la_ssize_t got = archive_read_data(w->archive, buf, n);
    if (got < 0) {
        w->failed = true;
        fr_log_error(w->log, name, 0, "is damaged (%s), what was unpacked of this file was left out",
                     archive_error_string(w->archive) ? archive_error_string(w->archive) : "no reason given");
        return -1;
    }
    w->unpacked += (unsigned long long)got;
    if (beyond(w)) {
        w->too_big = true;
        fr_log_error(w->log, name, 0, "unpacks to more than a result would (%llu MiB from %lld KiB), left out",
                     w->unpacked >> 20, fr_input_taken(w->in) >> 10);
        return -1;
    }
    return got;
}

static struct archive *open_archive(struct walk *w)
{
    struct archive *a = archive_read_new();
    if (!a)
        return NULL;
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_zstd(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_zip_streamable(a);
    archive_read_support_format_raw(a);
    if (archive_read_open2(a, w, NULL, read_packed, NULL, NULL) == ARCHIVE_OK)
        return a;
    fr_log_error(w->log, fr_input_name(w->in), 0, "is a damaged archive (%s), skipped",
                 archive_error_string(a) ? archive_error_string(a) : "no reason given");
    archive_read_free(a);
    return NULL;
}

/* `ARCHIVE/NAME`; a compressed file that is no archive keeps its own name. */
static void member_name(struct walk *w, struct archive_entry *entry, struct fr_strbuf *out)
{
    fr_strbuf_addstr(out, fr_input_name(w->in));
    if (archive_format(w->archive) == ARCHIVE_FORMAT_RAW)
        return;
    const char *name = archive_entry_pathname(entry);
    while (name && (*name == '/' || (name[0] == '.' && name[1] == '/')))
        name++;
    fr_strbuf_addf(out, "/%s", name && *name ? name : "?");
}

static void hand_over(struct walk *w, struct archive_entry *entry, void (*member)(void *, struct fr_input *), void *ctx)
{
    struct fr_strbuf name = FR_STRBUF_INIT;
    member_name(w, entry, &name);
    if (archive_entry_is_encrypted(entry)) {
        w->failed = true;
        fr_log_error(w->log, fr_strbuf_str(&name), 0, "is encrypted, skipped");
    } else {
        struct fr_input *in = fr_input_callback(fr_strbuf_str(&name), read_member, w);
        if (in)
            member(ctx, in);
        fr_input_close(in);
    }
    fr_strbuf_release(&name);
}

static int walk_members(struct walk *w, void (*member)(void *, struct fr_input *), void *ctx)
{
    struct archive_entry *entry;
    size_t n = 0;
    for (;;) {
        int rc = archive_read_next_header(w->archive, &entry);
        if (rc == ARCHIVE_EOF && n == 0)
            return fr_log_error(w->log, fr_input_name(w->in), 0, "holds no files, skipped");
        if (rc == ARCHIVE_EOF)
            return w->failed ? -1 : 0;
        if (rc < ARCHIVE_WARN)
            return fr_log_error(w->log, fr_input_name(w->in), 0, "is damaged after %zu %s (%s), the rest was left out",
                                n, n == 1 ? "file" : "files",
                                archive_error_string(w->archive) ? archive_error_string(w->archive)
                                                                 : "no reason given");
        bool raw = archive_format(w->archive) == ARCHIVE_FORMAT_RAW;
        if (!raw && (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry)))
            continue;
        if (n++ == FR_ARCHIVE_MEMBERS)
            return fr_log_error(w->log, fr_input_name(w->in), 0, "has more than %d files, the rest was left out",
                                FR_ARCHIVE_MEMBERS);
        hand_over(w, entry, member, ctx);
        if (w->too_big)
            return -1;
    }
}

int fr_archive_walk(struct fr_input *in, void (*member)(void *ctx, struct fr_input *member), void *ctx,
                    struct fr_log *log)
{
    struct walk w = {.in = in, .log = log};
    w.archive = open_archive(&w);
    if (!w.archive)
        return -1;
    int rc = walk_members(&w, member, ctx);
    archive_read_free(w.archive);
    return rc;
}
