/*
 * test_archive: archives are made here, of every kind that is read, and taken in as a person would: what is in them is
 * found under its name, what hurts is left out and said so, and what stands before it is kept.
 */
#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"
#include "input.h"
#include "store.h"
#include "strbuf.h"

#include "banned.h"
#include "check.h"

static char folder[] = "/tmp/fioreport-archive-XXXXXX";

/* What is no test but must work for one. */
static void must(bool ok)
{
    if (!ok) {
        printf("FAIL archive: cannot make what is to be tested\n");
        exit(1);
    }
}

/* A result of fio that no other has. */
static void result(int iops, struct fr_strbuf *out)
{
    fr_strbuf_reset(out);
    fr_strbuf_addf(out,
                   "job: (groupid=0, jobs=1): err= 0: pid=%d: Sat Aug 13 22:52:25 2022\n"
                   "  write: IOPS=%d, BW=%dKiB/s (%dkB/s)(%dKiB/60000msec); 0 zone resets\n",
                   iops, iops, iops * 4, iops * 4096 / 1000, iops * 240);
}

/* A result of Phoronix with one number. */
static void phoronix(int value, struct fr_strbuf *out)
{
    fr_strbuf_reset(out);
    fr_strbuf_addf(out,
                   "<?xml version=\"1.0\"?>\n<PhoronixTestSuite><Generated><Title>t</Title></Generated>"
                   "<System><Identifier>box</Identifier></System><Result><Identifier>pts/x-1.0.0</Identifier>"
                   "<Title>X</Title><Scale>Score</Scale><Proportion>HIB</Proportion><Data><Entry><Identifier>box"
                   "</Identifier><Value>%d</Value></Entry></Data></Result></PhoronixTestSuite>\n",
                   value);
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

enum { PACKED_MAX = 8 << 20 };

struct pack {
    struct archive *a;
    char *bytes;
    size_t n;
};

static struct pack begin(const char *format, const char *filter)
{
    struct pack p = {archive_write_new(), malloc(PACKED_MAX), 0};
    must(p.a && p.bytes && archive_write_set_format_by_name(p.a, format) == ARCHIVE_OK);
    must(!filter || archive_write_add_filter_by_name(p.a, filter) <= ARCHIVE_OK);
    return p;
}

static void start(struct pack *p)
{
    archive_write_set_bytes_in_last_block(p->a, 1);
    must(archive_write_open_memory(p->a, p->bytes, PACKED_MAX, &p->n) == ARCHIVE_OK);
}

static void member(struct pack *p, const char *name, const char *bytes, size_t n)
{
    struct archive_entry *e = archive_entry_new();
    archive_entry_set_pathname(e, name);
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_perm(e, 0644);
    archive_entry_set_size(e, (la_int64_t)n);
    must(archive_write_header(p->a, e) == ARCHIVE_OK);
    must(archive_write_data(p->a, bytes, n) == (la_ssize_t)n);
    archive_entry_free(e);
}

static void member_result(struct pack *p, const char *name, int iops)
{
    struct fr_strbuf text = FR_STRBUF_INIT;
    result(iops, &text);
    member(p, name, fr_strbuf_str(&text), text.len);
    fr_strbuf_release(&text);
}

static void end(struct pack *p)
{
    archive_write_close(p->a);
    archive_write_free(p->a);
}

/* ---- taking in --------------------------------------------------------------------------------------------------- */

struct taken {
    int status;
    struct fr_ingest_counts counts;
    struct fr_strbuf sources; /* ` NAME` of each run */
    struct fr_strbuf said;    /* ` TEXT` of each message */
};

static int add_source(void *ctx, const struct fr_run_row *row)
{
    struct taken *t = ctx;
    fr_strbuf_addf(&t->sources, " %s", row->source);
    return 0;
}

static void hear(void *ctx, const struct fr_message *m)
{
    struct taken *t = ctx;
    fr_strbuf_addf(&t->said, " %s", m->text);
}

/* The bytes as a file of that name. */
static struct taken take(const char *name, const char *bytes, size_t n)
{
    struct taken t = {.sources = FR_STRBUF_INIT, .said = FR_STRBUF_INIT};
    struct fr_log log = {.say = hear, .ctx = &t};
    struct fr_ingest_options options = {.label = NULL};
    must(chdir(folder) == 0);
    FILE *f = fopen(name, "wb");
    must(f && fwrite(bytes, 1, n, f) == n);
    fclose(f);
    struct fr_store *store = fr_store_open("", FR_STORE_MEMORY, &log);
    t.status = fr_ingest(store, &name, 1, &options, &t.counts, &log);
    fr_store_runs(store, add_source, &t, &log);
    fr_store_close(store);
    unlink(name);
    return t;
}

static bool is_taken(struct taken *t, int status, const char *sources, const char *said)
{
    bool ok = t->status == status && strcmp(fr_strbuf_str(&t->sources), sources) == 0 &&
              (said ? strstr(fr_strbuf_str(&t->said), said) != NULL : t->said.len == 0);
    if (!ok)
        printf("# status %d, sources '%s', said '%s'\n", t->status, fr_strbuf_str(&t->sources),
               fr_strbuf_str(&t->said));
    fr_strbuf_release(&t->sources);
    fr_strbuf_release(&t->said);
    return ok;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void test_kinds(void)
{
    static const struct {
        const char *name, *format, *filter, *sources;
    } kinds[] = {
        {"a.tar", "ustar", NULL, " a.tar/d/x.txt a.tar/d/y.txt"},
        {"a.pax", "pax", NULL, " a.pax/d/x.txt a.pax/d/y.txt"},
        {"a.tgz", "gnutar", "gzip", " a.tgz/d/x.txt a.tgz/d/y.txt"},
        {"a.tar.xz", "ustar", "xz", " a.tar.xz/d/x.txt a.tar.xz/d/y.txt"},
        {"a.tar.bz2", "ustar", "bzip2", " a.tar.bz2/d/x.txt a.tar.bz2/d/y.txt"},
        {"a.tar.zst", "ustar", "zstd", " a.tar.zst/d/x.txt a.tar.zst/d/y.txt"},
        {"a.zip", "zip", NULL, " a.zip/d/x.txt a.zip/d/y.txt"},
        {"x.gz", "raw", "gzip", " x.gz"},
        {"x.xz", "raw", "xz", " x.xz"},
        {"x.bz2", "raw", "bzip2", " x.bz2"},
        {"x.zst", "raw", "zstd", " x.zst"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct pack p = begin(kinds[i].format, kinds[i].filter);
        start(&p);
        member_result(&p, "d/x.txt", 100);
        if (strcmp(kinds[i].format, "raw") != 0)
            member_result(&p, "./d/y.txt", 200);
        end(&p);
        struct taken t = take(kinds[i].name, p.bytes, p.n);
        CHECK(kinds[i].name, is_taken(&t, 0, kinds[i].sources, NULL));
        free(p.bytes);
    }
}

/* An archive in an archive: five deep is too deep, four are not. */
static void test_nested(void)
{
    struct pack inner = begin("ustar", NULL);
    start(&inner);
    member_result(&inner, "x.txt", 100);
    end(&inner);
    for (int depth = 2; depth <= FR_ARCHIVE_DEPTH + 1; depth++) {
        struct pack p = begin(depth % 2 ? "ustar" : "zip", NULL);
        start(&p);
        member(&p, "in", inner.bytes, inner.n);
        member_result(&p, "beside.txt", 100 + depth);
        end(&p);
        free(inner.bytes);
        inner = p;
        if (depth == FR_ARCHIVE_DEPTH) {
            struct taken t = take("n.zip", p.bytes, p.n);
            CHECK("archive nested",
                  is_taken(&t, 0, " n.zip/in/in/in/x.txt n.zip/in/in/beside.txt n.zip/in/beside.txt n.zip/beside.txt",
                           "3 files called beside.txt"));
        }
    }
    struct taken t = take("n.tar", inner.bytes, inner.n);
    CHECK("archive nested",
          is_taken(&t, 3, " n.tar/in/in/in/beside.txt n.tar/in/in/beside.txt n.tar/in/beside.txt n.tar/beside.txt",
                   "is an archive in 4 archives, skipped"));
    free(inner.bytes);
}

/* Names that lead elsewhere are names. */
static void test_names(void)
{
    struct pack p = begin("ustar", NULL);
    start(&p);
    member_result(&p, "../../escape.txt", 100);
    member_result(&p, "/tmp/absolute.txt", 200);
    end(&p);
    struct taken t = take("a.tar", p.bytes, p.n);
    CHECK("archive names", is_taken(&t, 0, " a.tar/../../escape.txt a.tar/tmp/absolute.txt", NULL));
    CHECK("archive names", access("../../escape.txt", F_OK) != 0 && access("/tmp/absolute.txt", F_OK) != 0);
    free(p.bytes);
}

/* What stands before the damage is in, and stays. */
static void test_truncated(void)
{
    static const char *const formats[] = {"ustar", "zip"};
    for (size_t i = 0; i < 2; i++) {
        struct pack p = begin(formats[i], NULL);
        start(&p);
        member_result(&p, "x.txt", 100);
        size_t whole = p.n;
        for (int k = 0; k < 300; k++) { /* more than what is looked at in one piece */
            char name[32];
            snprintf(name, sizeof name, "%03d.txt", k);
            member_result(&p, name, 1000 + k);
        }
        end(&p);
        CHECK("archive truncated", p.n > whole);
        struct taken t = take("cut", p.bytes, p.n / 2 + 100);
        CHECK("archive truncated", t.status == 3 && t.counts.files > 50 && t.counts.files < 300);
        CHECK("archive truncated", strncmp(fr_strbuf_str(&t.sources), " cut/x.txt cut/000.txt", 22) == 0);
        CHECK("archive truncated", strstr(fr_strbuf_str(&t.said), "cut short"));
        fr_strbuf_release(&t.sources);
        fr_strbuf_release(&t.said);
        free(p.bytes);
    }
}

static void test_encrypted(void)
{
    struct pack p = begin("zip", NULL);
    /* Stored: libarchive's writer does not give back what an encrypted, deflated member takes. */
    archive_write_set_options(p.a, "zip:compression=store");
    if (archive_write_set_options(p.a, "zip:encryption=traditional") != ARCHIVE_OK ||
        archive_write_set_passphrase(p.a, "secret") != ARCHIVE_OK) {
        printf("# no encryption here: not tested\n");
        archive_write_free(p.a);
        free(p.bytes);
        return;
    }
    start(&p);
    member_result(&p, "x.txt", 100);
    must(archive_write_set_options(p.a, "zip:!encryption") <= ARCHIVE_OK);
    end(&p);
    struct taken t = take("e.zip", p.bytes, p.n);
    CHECK("archive encrypted", is_taken(&t, 3, "", "is encrypted, skipped"));
    free(p.bytes);
}

/* A result of Phoronix in parts and whole, whichever comes first; a folder with parts alone. */
static void test_phoronix(void)
{
    static const char *const orders[][3] = {{"a/test-1.xml", "a/composite.xml", "b/test-1.xml"},
                                            {"a/composite.xml", "b/test-1.xml", "a/test-1.xml"}};
    for (size_t i = 0; i < 2; i++) {
        struct pack p = begin("ustar", "gzip");
        struct fr_strbuf text = FR_STRBUF_INIT;
        start(&p);
        for (size_t k = 0; k < 3; k++) {
            phoronix(orders[i][k][0] == 'b' ? 7 : strstr(orders[i][k], "composite") ? 5 : 6, &text);
            member(&p, orders[i][k], fr_strbuf_str(&text), text.len);
        }
        end(&p);
        struct taken t = take("p.tgz", p.bytes, p.n);
        CHECK("archive parts and whole", is_taken(&t, 0, " p.tgz/a/composite.xml p.tgz/b/test-1.xml",
                                                  "has its results in p.tgz/a/composite.xml as well: left out"));
        fr_strbuf_release(&text);
        free(p.bytes);
    }
}

/* Zeros that unpack to hundreds of times their size: what came before them is kept, the rest is not unpacked. */
static void test_bomb(void)
{
    enum { PIECE = 1 << 20, PIECES = 400 };
    char *zeros = calloc(PIECE, 1);
    struct pack p = begin("ustar", "gzip");
    start(&p);
    member_result(&p, "x.txt", 100);
    struct archive_entry *e = archive_entry_new();
    archive_entry_set_pathname(e, "zeros");
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_size(e, (la_int64_t)PIECE * PIECES);
    must(archive_write_header(p.a, e) == ARCHIVE_OK);
    for (int i = 0; i < PIECES; i++)
        archive_write_data(p.a, zeros, PIECE);
    archive_entry_free(e);
    member_result(&p, "y.txt", 200);
    end(&p);
    struct taken t = take("b.tgz", p.bytes, p.n);
    CHECK("archive bomb", is_taken(&t, 3, " b.tgz/x.txt", "unpacks to more than a result would"));
    free(p.bytes);
    free(zeros);
}

static void test_nothing(void)
{
    struct pack p = begin("zip", NULL);
    start(&p);
    end(&p);
    struct taken t = take("e.zip", p.bytes, p.n);
    CHECK("archive nothing in it", is_taken(&t, 3, "", "holds no files, skipped"));
    free(p.bytes);
}

int main(void)
{
    must(mkdtemp(folder) != NULL);
    test_kinds();
    test_nested();
    test_names();
    test_truncated();
    test_encrypted();
    test_phoronix();
    test_bomb();
    test_nothing();
    must(chdir("/") == 0 && rmdir(folder) == 0);
    return check_failed;
}
