/* test_label: names without their noise, name patterns, headings, dimensions. */
#include "check.h"
#include "label.h"

#include "banned.h"

static void test_stems(void)
{
    static const char *const cases[][2] = {
        {"output.zfs-nc.fio.txt", "zfs-nc"},
        {"split/output.dir-lvm.fio.txt", "dir-lvm"},
        {"results/2024-05-01_lvm_thin.json", "lvm_thin"},
        {"fio-bench.txt", ""},
        {"output.txt", ""},
        {"003_test.log", ""},
        {"zfs 8k.txt", "zfs 8k"},
        {"nvme0n1.fio.json.gz", "nvme0n1"},
        {"a.tar.gz/lvm.json", "lvm"},
        {"zfs-8k-2.txt", "zfs-8k"},
        {"ext4", "ext4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fr_strbuf out = FR_STRBUF_INIT;
        fr_label_stem(cases[i][0], &out);
        CHECK_STR(cases[i][0], fr_strbuf_str(&out), cases[i][1]);
        fr_strbuf_release(&out);
    }
}

/* The label of a run that stands in the last line of `text`, in a source of that name. */
static void check_label(const char *source, const char *text, const struct fr_label_rules *rules, const char *want)
{
    struct fr_doc doc;
    struct fr_batch batch;
    fr_batch_init(&batch, source);
    fr_doc_init(&doc, source, text, strlen(text), NULL);
    struct fr_run *run = fr_run_new(&batch, "fio-text", "fio", doc.n ? doc.lines[doc.n - 1].no : 1);
    fr_test_new(&batch, run, fr_str("job"), run->line);
    fr_doc_claim(&doc, doc.n - 1, doc.n - 1, 1, 0);
    fr_label_apply(&batch, &doc, rules, NULL);
    char name[80];
    snprintf(name, sizeof name, "heading %.*s", (int)strcspn(text, "\n"), text);
    CHECK_STR(name, run->label, want);
    fr_doc_release(&doc);
    fr_batch_release(&batch);
}

static void test_headings(void)
{
    struct fr_label_rules none = {0};
    check_label("x.txt", "output.dir-md.fio.txt\n\nRUN", &none, "dir-md");
    check_label("x.txt", "## ZFS mirror\n```\n$ fio --name=a --rw=read\nRUN", &none, "ZFS mirror");
    check_label("x.txt", "**SSD**\nRUN", &none, "SSD");
    check_label("x.txt", "**SSD:**\n\nRUN", &none, "SSD");
    check_label("x.txt", "*******SSD**********\nRUN", &none, "SSD");
    check_label("x.txt", "EXT4:\n\nRUN", &none, "EXT4");
    check_label("x.txt", "==> out/lvm.txt <==\nRUN", &none, "lvm");
    check_label("x.txt", "Results:\nRUN", &none, "x");
    check_label("x.txt", "## ZFS mirror\n\n**Sample fio output**\n```\nRUN", &none, "ZFS mirror");
    check_label("x.txt", "ext4:\nResult\nRUN", &none, "ext4");
    check_label("x.txt", "<h2 id=\"a\">A pool of <em>SSDs</em></h2>\n<pre>\nRUN", &none, "A pool of SSDs");
    check_label("x.txt", "4k\xef\xbc\x9a\nRUN", &none, "4k");
    check_label("x.py", "RUN", &none, "x");
    check_label("x.txt", "# sudo fio --name=x --rw=write\nRUN", &none, "x");
    check_label("x.txt", "# echo 3 >/proc/sys/vm/drop_caches\n# mkfs.xfs /dev/sdb\nRUN", &none, "x");
    check_label("x.txt", "# zfs mirror\n# fio job.fio\nRUN", &none, "zfs mirror");
    check_label("x.txt", "FIO Configuration:\nRUN", &none, "x");
    check_label("x.txt", "SSD performance:\nRUN", &none, "SSD performance");
    check_label("x.txt", "This is a sentence of more than five words:\nRUN", &none, "x");
    check_label("x.txt", "ZFS:\nand some prose.\nRUN", &none, "x");
    check_label("out/lvm/output.txt", "RUN", &none, "lvm");
    check_label("-", "RUN", &none, "job");
    check_label("output.txt", "RUN", &none, "job");
}

static void test_rules(void)
{
    static const char *const tags[] = {"backend=lvm"};
    struct fr_label_rules rules = {.label = "mine"};
    check_label("x.txt", "EXT4:\nRUN", &rules, "mine");
    rules = (struct fr_label_rules){.name_pattern = "output.{label}.{backend}.txt", .tags = tags, .tags_n = 1};
    check_label("a/output.one.two.txt", "EXT4:\nRUN", &rules, "one");
    CHECK("pattern without names", fr_label_check(&(struct fr_label_rules){.name_pattern = "x"}, NULL) == -1);
    CHECK("pattern with an open brace", fr_label_check(&(struct fr_label_rules){.name_pattern = "{x"}, NULL) == -1);
    CHECK("a good pattern", fr_label_check(&rules, NULL) == 0);
    static const char *const bad[] = {"novalue"};
    CHECK("tag without =", fr_label_check(&(struct fr_label_rules){.tags = bad, .tags_n = 1}, NULL) == -1);
}

/* What a label says: "key=value key=value" in order of finding. */
static void check_dims(const char *label, const char *want)
{
    struct fr_batch batch;
    struct fr_strbuf got = FR_STRBUF_INIT;
    struct fr_label_rules rules = {.label = label};
    fr_batch_init(&batch, "-");
    struct fr_run *run = fr_run_new(&batch, "fio-text", "fio", 1);
    fr_label_apply(&batch, NULL, &rules, NULL);
    fr_list_each (struct fr_param, p, run->params)
        fr_strbuf_addf(&got, "%s%s=%s", got.len ? " " : "", p->key, p->value);
    CHECK_STR(label, fr_strbuf_str(&got), want);
    fr_strbuf_release(&got);
    fr_batch_release(&batch);
}

static void test_dims(void)
{
    check_dims("zfs-zstd", "backend=zfs filesystem=zfs compression=zstd");
    check_dims("zfs-nc", "backend=zfs filesystem=zfs compression=off");
    check_dims("dir-lvm", "backend=dir");
    check_dims("EXT4", "filesystem=ext4");
    check_dims("qcow2 image, recordsize 64k", "image_format=qcow2 recordsize=64k");
    check_dims("zfs ssd mirror, ashift=13, recordsize 8k, raw image",
               "backend=zfs filesystem=zfs raid=mirror ashift=13 recordsize=8k image_format=raw");
    check_dims("raid1", "raid=raid1");
    check_dims("iSCSI 10G", "transport=iscsi link=10G");
    check_dims("10G file", "");
    check_dims("/dev/nvme0n1", "device=/dev/nvme0n1");
    check_dims("/var/lib/vol.qcow2", "image_format=qcow2");
    check_dims("nvme-tcp over 25GbE", "transport=nvme-tcp link=25G");
    check_dims("recordsize=1M compression=lz4", "recordsize=1M compression=lz4");
    check_dims("my disk", "");
    check_dims("type of drive", "");
    check_dims("RAID 10 over mdadm", "raid=raid10 backend=md");
    check_dims("raid-z2, 16k volblocksize", "raid=raidz2 volblocksize=16k");
    check_dims("64K recordsize", "recordsize=64k");
    check_dims("NVMe over TCP, 2.5Gbps", "transport=nvme-tcp link=2.5G");
    check_dims("no compression", "compression=off");
    check_dims("sync always", "sync=always");
    check_dims("filename=/dev/sdb", "device=/dev/sdb");
}

/* Words that are English as well, and comparisons: a dimension too little is better than a wrong one. */
static void test_plain_words(void)
{
    check_dims("raw", "image_format=raw");
    check_dims("raw disk image", "image_format=raw");
    check_dims("raw on lvm", "image_format=raw backend=lvm");
    check_dims("ZFS mirror", "backend=zfs filesystem=zfs raid=mirror");
    check_dims("dir-qcow2", "backend=dir image_format=qcow2");
    check_dims("Raw results", "");
    check_dims("raw_data", "");
    check_dims("Raw performance of the disk", "");
    check_dims("a mirror of the site", "");
    check_dims("my working directory", "");
    check_dims("/mnt/dir/file", "");
    check_dims("git refs", "");
    check_dims("stripe size", "");
    check_dims("LVM vs. ZFS", "");
    check_dims("zfs-vs-lvm", "");
}

int main(void)
{
    test_stems();
    test_headings();
    test_rules();
    test_dims();
    test_plain_words();
    return check_failed;
}
