/* archive.c: see archive.h. libarchive(3); only what is read in process: no filter that starts a program. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>

#include "archive.h"
#include "gunzip.h"

#include "banned.h"

struct walk {
    struct archive *archive;
    struct fr_input *in;
    struct fr_gunzip *gunzip; /* NULL: the archive library unpacks it */
    struct fr_log *log;
    struct fr_archive_budget *budget;
    unsigned long long unpacked; /* of its members */
    unsigned long long counted;  /* what of it is in the budget */
    bool at_end;                 /* all its bytes were read */
    const char *block;           /* of the member that is read: what was unpacked and not yet given */
    size_t block_n;
    la_int64_t block_at, at; /* where in the member that stands, and what was given ends */
    bool failed;             /* a member could not be unpacked to its end, reported */
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
    const char *why = NULL;
    if (w->budget->spent || spent(w))
        *block = NULL;
    else if (w->gunzip)
        *block = fr_gunzip_next(w->gunzip, &n, &why, w->log);
    else
        *block = fr_input_next(w->in, &n, w->log);
    if (!*block) {
        archive_set_error(a, EIO, "%s", why ? why : "reading failed");
        return ARCHIVE_FATAL;
    }
    w->at_end = n == 0;
    return (la_ssize_t)n;
}

static const char *reason(struct archive *a)
{
    return archive_error_string(a) ? archive_error_string(a) : "no reason given";
}

/* The member's next block. 1: there is one; 0: its end; -1 after a message, or FR_INPUT_CUT. */
static int next_block(struct walk *w)
{
    const char *name = fr_input_name(w->in);
    const void *block;
    int rc = archive_read_data_block(w->archive, &block, &w->block_n, &w->block_at);
    bool raw = archive_format(w->archive) == ARCHIVE_FORMAT_RAW;
    bool early = rc == ARCHIVE_EOF && raw && w->gunzip && fr_gunzip_was_cut(w->gunzip);
    w->block = block;
    if (rc >= ARCHIVE_WARN && rc != ARCHIVE_EOF)
        return 1;
    w->block_n = 0;
    if (rc == ARCHIVE_EOF && !early)
        return 0;
    if (!w->failed && (early || w->at_end))
        fr_log_error(w->log, name, 0, "is cut short (%s), what stands before the cut is kept",
                     early ? "truncated gzip input" : reason(w->archive));
    else if (!w->failed && !w->budget->spent)
        fr_log_error(w->log, name, 0, "is damaged (%s), what was unpacked of this file was left out",
                     reason(w->archive));
    w->failed = true;
    return early || w->at_end ? FR_INPUT_CUT : -1;
}

/* For fr_input_callback. Block by block: archive_read_data() forgets what it has when the next block is damaged. */
static ssize_t read_member(void *ctx, char *buf, size_t n)
{
    struct walk *w = ctx;
    while (!w->block_n) {
        int rc = next_block(w);
        if (rc <= 0)
            return rc;
    }
    if (w->block_at > w->at) { /* a hole in a sparse file */
        n = (unsigned long long)(w->block_at - w->at) < n ? (size_t)(w->block_at - w->at) : n;
        memset(buf, 0, n);
    } else {
        n = w->block_n < n ? w->block_n : n;
        memcpy(buf, w->block, n);
        w->block += n;
        w->block_n -= n;
        w->block_at += (la_int64_t)n;
    }
    w->at += (la_int64_t)n;
    w->unpacked += n;
    return spent(w) ? -1 : (ssize_t)n;
}

static int open_archive(struct walk *w)
{
    struct archive *a = archive_read_new();
    if (!a)
        return fr_log_error(w->log, fr_input_name(w->in), 0, "out of memory, skipped");
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
        fr_log_error(w->log, fr_input_name(w->in), 0, "is a damaged archive (%s), skipped", reason(a));
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
        w->block_n = 0;
        w->at = 0;
        struct fr_input *in = fr_input_callback(fr_strbuf_str(&name), read_member, w);
        if (in)
            member(ctx, in);
        else
            w->failed = fr_log_error(w->log, fr_strbuf_str(&name), 0, "out of memory, skipped") != 0;
        fr_input_close(in);
    }
    fr_strbuf_release(&name);
}

/* A tar ends with blocks of zeros, which were read; where they are missing it was cut between two files. */
static bool has_end(struct walk *w, size_t files)
{
    bool tar = (archive_format(w->archive) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR;
    if (!tar || archive_filter_bytes(w->archive, 0) > archive_read_header_position(w->archive))
        return true;
    fr_log_error(w->log, fr_input_name(w->in), 0,
                 "is cut short after %zu %s (a tar's end is missing), there may be more", files,
                 files == 1 ? "file" : "files");
    return false;
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
            return w->failed || !has_end(w, n) ? -1 : 0;
        if (rc < ARCHIVE_WARN && w->failed && w->at_end)
            return -1; /* said where it was cut */
        if (rc < ARCHIVE_WARN)
            return fr_log_error(w->log, fr_input_name(w->in), 0, "is %s after %zu %s (%s), the rest was left out",
                                w->at_end ? "cut short" : "damaged", n, n == 1 ? "file" : "files", reason(w->archive));
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
    size_t n;
    const char *head = fr_input_head(in, &n, log);
    if (!budget->outermost)
        budget->outermost = in;
    if (head && fr_gunzip_is(head, n) && !(w.gunzip = fr_gunzip_new(in)))
        return fr_log_error(log, fr_input_name(in), 0, "out of memory, skipped");
    int rc = open_archive(&w);
    if (rc == 0) {
        rc = walk_members(&w, member, ctx);
        archive_read_free(w.archive);
    }
    fr_gunzip_free(w.gunzip);
    return rc;
}
