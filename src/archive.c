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
    struct fr_archive_budget *budget;
    unsigned long long unpacked; /* of its members */
    unsigned long long counted;  /* what of it is in the budget */
    bool failed;                 /* a member could not be unpacked to its end, reported */
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

/*
 * Count what was unpacked, read or skipped (what is skipped in a compressed stream is unpacked all the same), and say
 * so when it is too much.
 */
static bool spent(struct walk *w)
{
    struct fr_archive_budget *b = w->budget;
    la_int64_t stream = archive_filter_bytes(w->archive, 0);
    unsigned long long now = stream > 0 ? (unsigned long long)stream : 0;
    now = now > w->unpacked ? now : w->unpacked;
    if (now > w->counted) {
        b->unpacked += now - w->counted;
        w->counted = now;
    }
    unsigned long long packed = (unsigned long long)fr_input_taken(b->outermost) + 1;
    if (!b->spent && (b->unpacked > FR_ARCHIVE_BYTES ||
                      (b->unpacked > FR_ARCHIVE_SMALL && b->unpacked / packed > FR_ARCHIVE_RATIO))) {
        b->spent = true;
        fr_log_error(w->log, fr_input_name(w->in), 0,
                     "unpacks to more than a result would (%llu MiB from %llu KiB), the rest was left out",
                     b->unpacked >> 20, packed >> 10);
    }
    return b->spent;
}

static la_ssize_t read_packed(struct archive *a, void *ctx, const void **block)
{
    struct walk *w = ctx;
    size_t n;
    *block = w->budget->spent || spent(w) ? NULL : fr_input_next(w->in, &n, w->log);
    if (!*block) {
        archive_set_error(a, EIO, "reading failed");
        return ARCHIVE_FATAL;
    }
    return (la_ssize_t)n;
}

/* For fr_input_callback. */
static ssize_t read_member(void *ctx, char *buf, size_t n)
{
    struct walk *w = ctx;
    const char *name = fr_input_name(w->in);
    la_ssize_t got = archive_read_data(w->archive, buf, n);
    if (got < 0) {
        w->failed = true;
        if (!w->budget->spent)
            fr_log_error(w->log, name, 0, "is damaged (%s), what was unpacked of this file was left out",
                         archive_error_string(w->archive) ? archive_error_string(w->archive) : "no reason given");
        return -1;
    }
    w->unpacked += (unsigned long long)got;
    if (spent(w))
        return -1;
    return got;
}

static int open_archive(struct walk *w)
{
    struct archive *a = archive_read_new();
    if (!a)
        return fr_log_error(w->log, fr_input_name(w->in), 0, "out of memory, skipped");
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_zstd(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_zip_streamable(a);
    archive_read_support_format_raw(a);
    w->archive = a; /* asked while it is opened */
    if (archive_read_open2(a, w, NULL, read_packed, NULL, NULL) == ARCHIVE_OK)
        return 0;
    if (!w->budget->spent)
        fr_log_error(w->log, fr_input_name(w->in), 0, "is a damaged archive (%s), skipped",
                     archive_error_string(a) ? archive_error_string(a) : "no reason given");
    archive_read_free(a);
    return -1;
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
        if (w->budget->spent)
            return -1;
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
    }
}

int fr_archive_walk(struct fr_input *in, struct fr_archive_budget *budget,
                    void (*member)(void *ctx, struct fr_input *member), void *ctx, struct fr_log *log)
{
    struct walk w = {.in = in, .budget = budget, .log = log};
    if (!budget->outermost)
        budget->outermost = in;
    if (open_archive(&w) != 0)
        return -1;
    int rc = walk_members(&w, member, ctx);
    archive_read_free(w.archive);
    return rc;
}
