/* ingest_notes.c: see ingest_notes.h. */
#include "ingest_notes.h"

#include "strbuf.h"

#include "banned.h"

void fr_notes_init(struct fr_notes *notes, struct fr_log *out)
{
    *notes = (struct fr_notes){.out = out, .arena = FR_ARENA_INIT};
}

static void hand_on(struct fr_notes *notes, const struct fr_message *m)
{
    if (!notes->out)
        return;
    notes->out->count[m->level]++;
    if (notes->out->say)
        notes->out->say(notes->out->ctx, m);
}

/* ---- notes of one kind ------------------------------------------------------------------------------------------- */

/* The place of that kind, or a free one; NULL: there is none left. */
static struct fr_notes_kind *find_kind(struct fr_notes_kind *kinds, const char *kind)
{
    for (size_t i = 0; i < FR_NOTES_KINDS; i++)
        if (!kinds[i].kind || kinds[i].kind == kind)
            return &kinds[i];
    return NULL;
}

static void release(struct fr_notes_kind *k)
{
    free(k->file);
    free(k->text);
    k->file = k->text = NULL;
}

/* False: there is no memory for it. */
static bool hold(struct fr_notes_kind *k, const struct fr_message *m)
{
    release(k);
    k->file = m->file ? strdup(m->file) : NULL;
    k->text = strdup(m->text);
    k->line = m->line;
    return k->text && (k->file || !m->file);
}

void fr_notes_say(struct fr_notes *notes, const struct fr_message *m)
{
    bool all = m->line ? notes->all_places : notes->all_files;
    size_t most = m->line ? FR_NOTES_PLACES : FR_NOTES_FILES;
    struct fr_notes_kind *k =
        m->level == FR_NOTE && m->kind && !all ? find_kind(m->line ? notes->place : notes->file, m->kind) : NULL;
    if (k) {
        k->kind = m->kind;
        if (++k->n > most && hold(k, m))
            return;
    }
    hand_on(notes, m);
}

/* How many more there were of each kind, and the last of them. */
static void say_rest(struct fr_notes *notes, struct fr_notes_kind *kinds, size_t most)
{
    for (size_t i = 0; i < FR_NOTES_KINDS && kinds[i].kind; i++) {
        struct fr_notes_kind *k = &kinds[i];
        struct fr_strbuf text = FR_STRBUF_INIT;
        if (k->n > most + 1)
            fr_strbuf_addf(&text, "and %zu more like this: ", k->n - most);
        if (k->text) {
            fr_strbuf_addstr(&text, k->text);
            hand_on(notes, &(struct fr_message){
                               .level = FR_NOTE, .file = k->file, .line = k->line, .text = fr_strbuf_str(&text)});
        }
        fr_strbuf_release(&text);
        release(k);
        *k = (struct fr_notes_kind){.kind = NULL};
    }
}

void fr_notes_source(struct fr_notes *notes)
{
    say_rest(notes, notes->place, FR_NOTES_PLACES);
}

/* ---- labels ------------------------------------------------------------------------------------------------------ */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Paths that differ in their numbers alone count repeats: run1/x.json, run2/x.json. */
static bool counts(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, "0123456789");
        b += strspn(b, "0123456789");
        if (*a != *b || !*a)
            return *a == *b;
    }
}

static struct fr_notes_name *find_name(struct fr_notes *notes, const char *name, const char *label)
{
    enum { PLACES = 2 * FR_NOTES_NAMES };
    if (!notes->names)
        notes->names = calloc(PLACES, sizeof *notes->names);
    if (!notes->names)
        return NULL;
    uint32_t h = 2166136261u;
    for (const char *p = name; *p; p++)
        h = (h ^ (unsigned char)*p) * 16777619u;
    size_t i = h % PLACES;
    while (notes->names[i].name &&
           (strcmp(notes->names[i].name, name) != 0 || strcmp(notes->names[i].label, label) != 0))
        i = (i + 1) % PLACES;
    return &notes->names[i];
}

/*
 * Names that differ in a last number that the label has not got: where these numbers are no count (1, 2, 3 ...) nor
 * dates, they may well be what was compared.
 */
static void note_number(struct fr_notes *notes, const char *source, const char *label)
{
    const char *base = base_of(source), *end = base + strlen(base), *dot = strrchr(base, '.');
    if (dot && dot != base)
        end = dot;
    const char *start = end;
    while (start > base && fr_is_digit(start[-1]))
        start--;
    double number;
    if (start == end || !fr_str_double(fr_strn(start, (size_t)(end - start)), &number) || number >= 19000101)
        return;
    char *name = fr_arena_printf(&notes->arena, "%.*s#%s", (int)(start - base), base, end);
    struct fr_notes_name *n = find_name(notes, name, label);
    if (!n || (!n->name && notes->names_n == FR_NOTES_NAMES))
        return;
    if (!n->name) {
        notes->names_n++;
        *n = (struct fr_notes_name){.name = name, .numbered = true, .low = number, .high = number};
        n->first = fr_arena_strdup(&notes->arena, base);
        n->label = fr_arena_strdup(&notes->arena, label);
    }
    n->n++;
    n->low = number < n->low ? number : n->low;
    n->high = number > n->high ? number : n->high;
}

void fr_notes_label(struct fr_notes *notes, const struct fr_batch *batch)
{
    const struct fr_run *run = batch->runs.head;
    if (!run || !run->label || run->label_origin == FR_FROM_USER)
        return;
    note_number(notes, batch->source, run->label);
    if (!strchr(batch->source, '/'))
        return;
    struct fr_notes_name *n = find_name(notes, base_of(batch->source), run->label);
    if (!n || (!n->name && notes->names_n == FR_NOTES_NAMES))
        return;
    if (!n->name) {
        n->first = fr_arena_strdup(&notes->arena, batch->source);
        n->name = base_of(n->first);
        n->label = fr_arena_strdup(&notes->arena, run->label);
        n->n = 1;
        notes->names_n++;
    } else if (!counts(n->first, batch->source)) {
        n->n++;
    }
}

/* Files of one name in several folders are no repeats as a rule, but count as such. */
static void say_names(struct fr_notes *notes)
{
    const struct fr_notes_name *most = NULL;
    size_t others = 0;
    for (size_t i = 0; notes->names && i < 2 * FR_NOTES_NAMES; i++) {
        const struct fr_notes_name *n = &notes->names[i];
        if (n->n < 2 || n->numbered)
            continue;
        others++;
        if (!most || n->n > most->n || (n->n == most->n && strcmp(n->name, most->name) < 0))
            most = n;
    }
    if (!most)
        return;
    struct fr_strbuf pattern = FR_STRBUF_INIT, more = FR_STRBUF_INIT;
    const char *at = strstr(most->name, most->label);
    if (at)
        fr_strbuf_addf(&pattern, "%.*s{label}%s", (int)(at - most->name), most->name, at + strlen(most->label));
    else
        fr_strbuf_addstr(&pattern, most->name);
    if (others > 1)
        fr_strbuf_addf(&more, "; so do files of %zu other name%s", others - 1, others == 2 ? "" : "s");
    fr_log_note(
        notes->out, NULL, 0,
        "%zu files called %s, each in a folder of its own, have one label, '%s': what is equal in them counts as "
        "repeats%s (--name-pattern '{host}/%s' tells them apart, or --label)",
        most->n, most->name, most->label, fr_strbuf_str(&more), fr_strbuf_str(&pattern));
    fr_strbuf_release(&pattern);
    fr_strbuf_release(&more);
}

static void say_numbers(struct fr_notes *notes)
{
    enum { SAID = 3 };
    size_t said = 0;
    for (size_t i = 0; notes->names && i < 2 * FR_NOTES_NAMES && said < SAID; i++) {
        const struct fr_notes_name *n = &notes->names[i];
        bool is_count = n->low <= 1 && n->high - n->low < (double)n->n;
        if (!n->numbered || n->n < 2 || is_count)
            continue;
        int before = (int)strcspn(n->name, "#");
        fr_log_note(notes->out, NULL, 0,
                    "%zu files called like %s have one label, '%s': what is equal in them counts as repeats "
                    "(--name-pattern '%.*s{KEY}%s' makes their number a parameter)",
                    n->n, n->first, n->label, before, n->name, n->name + before + 1);
        said++;
    }
}

void fr_notes_end(struct fr_notes *notes)
{
    fr_notes_source(notes);
    say_rest(notes, notes->file, FR_NOTES_FILES);
    say_names(notes);
    say_numbers(notes);
    free(notes->names);
    fr_arena_release(&notes->arena);
}
