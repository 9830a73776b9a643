/* surround.c: see surround.h. The forms of uname(1), lsblk(8), zpool-status(8), mount(8), lscpu(1), free(1),
 * /proc/meminfo. */
#include "surround.h"

#include "strbuf.h"

#include "banned.h"

enum { BLOCK_LINES = 60, NOTE_MAX = 8000, NOTES_MAX = 200 };

struct note {
    const char *key;
    size_t line, lines; /* in the doc */
};

/* `Linux host 5.4.0-60-generic #67-Ubuntu SMP ... x86_64 GNU/Linux` */
static bool is_uname(struct fr_str t)
{
    fr_take_word(&t);
    fr_take_word(&t);
    struct fr_str release = fr_take_word(&t);
    return release.n && fr_is_digit(release.s[0]) && fr_str_chr(release, '.') != (size_t)-1 &&
           (fr_str_find(t, "SMP") != (size_t)-1 || fr_str_find(t, "GNU/Linux") != (size_t)-1 ||
            fr_str_find(t, "GENERIC") != (size_t)-1 || fr_str_find(t, "Kernel Version") != (size_t)-1);
}

static bool has_word(struct fr_str t, const char *word)
{
    for (struct fr_str w = fr_take_word(&t); w.n; w = fr_take_word(&t))
        if (fr_str_is(w, word))
            return true;
    return false;
}

static bool is_lsblk(struct fr_str t)
{
    return fr_str_starts(t, "NAME") && (has_word(t, "SIZE") || has_word(t, "FSTYPE")) &&
           (has_word(t, "TYPE") || has_word(t, "MOUNTPOINT") || has_word(t, "MOUNTPOINTS") || has_word(t, "FSTYPE"));
}

/* `root@host:~# `, `[root@host ~]# `, `$ `: another command begins. */
static bool is_prompt(struct fr_str t)
{
    for (int i = 0; i < 2; i++) {
        struct fr_str w = fr_take_word(&t);
        if (w.n && (w.s[w.n - 1] == '#' || w.s[w.n - 1] == '$'))
            return true;
    }
    return false;
}

/* `zfs get` */
static bool is_zfs_get(struct fr_str t)
{
    return fr_str_starts(t, "NAME") && has_word(t, "PROPERTY") && has_word(t, "VALUE");
}

static bool is_df(struct fr_str t)
{
    return fr_str_starts(t, "Filesystem") && (has_word(t, "Used") || has_word(t, "Use%"));
}

static bool is_mount(struct fr_str t)
{
    return fr_str_find(t, " on /") != (size_t)-1 && fr_str_find(t, " type ") != (size_t)-1 && fr_str_ends(t, ")");
}

/* `key: value` lines by which people describe a machine, whatever the case. */
static const char *described(struct fr_str t)
{
    static const struct {
        const char *word, *key;
    } words[] = {{"Model name", "cpu"},    {"CPU", "cpu"},          {"Processor", "cpu"},
                 {"MemTotal", "memory"},   {"Memory", "memory"},    {"RAM", "memory"},
                 {"Mem", "memory"},        {"Kernel", "kernel"},    {"OS", "os"},
                 {"Distro", "os"},         {"SSD", "disk"},         {"HDD", "disk"},
                 {"Disk", "disk"},         {"Drive", "disk"},       {"NVMe", "disk"},
                 {"Motherboard", "board"}, {"KVM Host", "host"},    {"KVM Guest", "guest"},
                 {"Host", "host"},         {"Guest", "guest"},      {"Hypervisor", "host"},
                 {"Network", "network"},   {"zfs", "zfs"},          {"Device Model", "disk"},
                 {"Model Number", "disk"}, {"Model Family", "disk"}};
    size_t colon = fr_str_chr(t, ':');
    if (colon == (size_t)-1 || colon > 40 || t.n > 300)
        return NULL;
    struct fr_str name = fr_str_trim(fr_str_range(t, 0, colon)), value = fr_str_trim(fr_str_from(t, colon + 1));
    for (size_t i = 0; value.n && i < sizeof words / sizeof *words; i++)
        if (fr_str_is_nocase(name, words[i].word))
            return words[i].key;
    return NULL;
}

/* Lines from i to the next blank or claimed one, or the one that begins with `last`. */
static size_t block_length(const struct fr_doc *doc, size_t i, const char *last)
{
    size_t n = 0;
    for (bool ended = false; !ended && i + n < doc->n && n < BLOCK_LINES; n++) {
        struct fr_str t = fr_str_trim(doc->lines[i + n].text);
        if (doc->lines[i + n].owner || fr_str_starts(t, "```") || (!last && !t.n) || is_prompt(t))
            break;
        ended = last && fr_str_starts(t, last);
    }
    return n;
}

static bool find_note(const struct fr_doc *doc, size_t i, struct note *note)
{
    struct fr_str t = fr_str_trim(doc->lines[i].text);
    if (!t.n || t.n > 1000)
        return false;
    *note = (struct note){NULL, i, 1};
    switch (t.s[0]) {
    case 'L':
    case 'F':
        note->key = is_uname(t) ? "uname" : is_df(t) ? "df" : NULL;
        break;
    case 'N':
        note->key = is_lsblk(t) ? "lsblk" : is_zfs_get(t) ? "zfs get" : NULL;
        break;
    case 'p':
        note->key = fr_str_starts(t, "pool: ") ? "zpool status" : NULL;
        break;
    case 'P':
        note->key = fr_str_starts(t, "Personalities :") ? "mdstat" : NULL;
        break;
    case '/':
        note->key = is_mount(t) ? "mount" : NULL;
        break;
    default:
        break;
    }
    if (!note->key) {
        note->key = described(t);
        return note->key != NULL;
    }
    if (strcmp(note->key, "lsblk") == 0 || strcmp(note->key, "df") == 0 || strcmp(note->key, "zfs get") == 0 ||
        strcmp(note->key, "mdstat") == 0)
        note->lines = block_length(doc, i, NULL);
    else if (strcmp(note->key, "zpool status") == 0)
        note->lines = block_length(doc, i, "errors:");
    return true;
}

static void attach(struct fr_batch *batch, struct fr_run *run, const struct fr_doc *doc, const struct note *note)
{
    struct fr_strbuf text = FR_STRBUF_INIT;
    text.max = NOTE_MAX;
    for (size_t i = 0; i < note->lines; i++) {
        struct fr_str t = fr_str_rtrim(doc->lines[note->line + i].text);
        if (i)
            fr_strbuf_addch(&text, '\n');
        fr_strbuf_add(&text, t.s, t.n);
    }
    fr_note_add(batch, run, note->key, fr_strn(fr_strbuf_str(&text), text.len), doc->lines[note->line].no);
    fr_strbuf_release(&text);
}

/* Is there a later note of the same kind that stands above the run as well, in another place than right below? */
static bool replaced(const struct fr_doc *doc, const struct note *notes, size_t n, size_t i, uint32_t run_line)
{
    for (size_t j = i + 1; j < n; j++) {
        uint32_t from = doc->lines[notes[i].line].no, line = doc->lines[notes[j].line].no;
        bool beside = line <= from + notes[i].lines + 1;
        if (strcmp(notes[j].key, notes[i].key) == 0 && line < run_line && !beside)
            return true;
    }
    return false;
}

void fr_surround_notes(struct fr_batch *batch, struct fr_doc *doc)
{
    struct note notes[NOTES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < doc->n && n < NOTES_MAX;) {
        bool found = !doc->lines[i].owner && find_note(doc, i, &notes[n]);
        i += found ? notes[n].lines : 1;
        n += found;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t line = doc->lines[notes[i].line].no;
        bool above_any = false;
        fr_list_each (struct fr_run, run, batch->runs)
            above_any |= line < run->line;
        fr_list_each (struct fr_run, run, batch->runs)
            if (!above_any || (line < run->line && !replaced(doc, notes, n, i, run->line)))
                attach(batch, run, doc, &notes[i]);
    }
}
