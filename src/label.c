/*
 * label.c: see label.h. The rules are those of docs/schema.md, "Labels"; the order of the functions below is their
 * order.
 */
#include "label.h"

#include "dims.h"

#include "banned.h"

#define WIDE_COLON "\xef\xbc\x9a" /* of Chinese and Japanese */

enum {
    HEADING_WORDS = 5,
    HEADING_CHARS = 40,
    HEADING_MAX = 120,
    LABEL_MAX = 200,
    LOOK_BACK = 400,
    CAPTURES = 16,
    PATTERN_STEPS = 100000
};

/* ---- file names -------------------------------------------------------------------------------------------------- */

static const char *const noise_words[] = {
    "output",          "out", "result",   "results", "fio", "bench", "benchmark", "dd",   "cdm",
    "crystaldiskmark", "pts", "phoronix", "test",    "log", "txt",   "json",      "terse"};
static const char *const endings[] = {".txt",   ".json", ".log",  ".xml",   ".md",   ".csv",  ".tsv", ".html", ".htm",
                                      ".out",   ".gz",   ".xz",   ".zst",   ".bz2",  ".tar",  ".zip", ".tgz",  ".java",
                                      ".eml",   ".c",    ".m",    ".rst",   ".py",   ".sh",   ".go",  ".ts",   ".js",
                                      ".ipynb", ".yml",  ".yaml", ".patch", ".diff", ".adoc", ".org"};

static bool is_noise(struct fr_str w)
{
    for (size_t i = 0; i < sizeof noise_words / sizeof *noise_words; i++)
        if (fr_str_is_nocase(w, noise_words[i]))
            return true;
    return w.n == 0;
}

static bool is_number(struct fr_str w)
{
    for (size_t i = 0; i < w.n; i++)
        if (!fr_is_digit(w.s[i]))
            return false;
    return w.n > 0;
}

static bool is_name_separator(char c)
{
    return c == '.' || c == '_' || c == '-' || c == ' ';
}

static struct fr_str base_name(struct fr_str path)
{
    while (path.n && path.s[path.n - 1] == '/')
        path.n--;
    for (size_t i = path.n; i-- > 0;)
        if (path.s[i] == '/' || path.s[i] == '\\')
            return fr_str_from(path, i + 1);
    return path;
}

static struct fr_str without_endings(struct fr_str name)
{
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
            size_t n = strlen(endings[i]);
            if (name.n > n && fr_str_is_nocase(fr_str_from(name, name.n - n), endings[i])) {
                name.n -= n;
                again = true;
            }
        }
    }
    return name;
}

struct piece {
    struct fr_str text;
    bool keep;
};

enum { PIECES = 64 };

static size_t cut_pieces(struct fr_str name, struct piece pieces[PIECES])
{
    size_t n = 0;
    while (name.n && n < PIECES) {
        size_t i = 0;
        while (i < name.n && !is_name_separator(name.s[i]))
            i++;
        if (n == PIECES - 1)
            i = name.n;
        struct fr_str w = fr_str_range(name, 0, i);
        if (w.n)
            pieces[n++] = (struct piece){w, !is_noise(w)};
        name = fr_str_from(name, i + 1);
    }
    return n;
}

/* Numbers at the ends go: `2024-05-01`, `20240501`, `003`. `8k` and `ext4` are no numbers. */
static void drop_end_numbers(struct piece *pieces, size_t n)
{
    for (size_t i = 0; i < n && (!pieces[i].keep || is_number(pieces[i].text)); i++)
        pieces[i].keep = false;
    for (size_t i = n; i-- > 0 && (!pieces[i].keep || is_number(pieces[i].text));)
        pieces[i].keep = false;
}

/* What is left of a name, with the separators that stand between kept pieces as they are. */
static void name_core(struct fr_str name, struct fr_strbuf *out)
{
    struct piece pieces[PIECES];
    size_t n = cut_pieces(without_endings(name), pieces);
    drop_end_numbers(pieces, n);
    bool first = true;
    for (size_t i = 0; i < n; i++) {
        if (!pieces[i].keep)
            continue;
        if (!first)
            fr_strbuf_add(out, pieces[i].text.s - 1, 1);
        fr_strbuf_add(out, pieces[i].text.s, pieces[i].text.n);
        first = false;
    }
}

void fr_label_stem(const char *path, struct fr_strbuf *out)
{
    name_core(base_name(fr_str(path)), out);
}

/* The folder's name; nothing for `x`, `./x`, `../x`, `/x`. */
static void parent_stem(const char *path, struct fr_strbuf *out)
{
    struct fr_str p = fr_str(path), base = base_name(p);
    size_t n = (size_t)(base.s - p.s);
    struct fr_str parent = base_name(fr_str_range(p, 0, n ? n - 1 : 0));
    if (!fr_str_is(parent, ".") && !fr_str_is(parent, ".."))
        fr_strbuf_add(out, parent.s, parent.n);
}

/* ---- --name-pattern ---------------------------------------------------------------------------------------------- */

struct capture {
    struct fr_str key, value;
};

static bool pattern_match(struct fr_str pattern, struct fr_str name, struct capture *captures, size_t *n, size_t *steps)
{
    if (++*steps > PATTERN_STEPS)
        return false;
    while (pattern.n && pattern.s[0] != '{' && pattern.s[0] != '*') {
        if (!name.n || name.s[0] != pattern.s[0])
            return false;
        pattern = fr_str_from(pattern, 1);
        name = fr_str_from(name, 1);
    }
    if (!pattern.n)
        return !name.n;
    bool star = pattern.s[0] == '*';
    size_t close = star ? 0 : fr_str_chr(pattern, '}');
    struct fr_str rest = fr_str_from(pattern, close + 1), key = fr_str_range(pattern, 1, close);
    for (size_t i = star ? 0 : 1; i <= name.n; i++) {
        size_t before = *n;
        if (!star && *n < CAPTURES)
            captures[(*n)++] = (struct capture){key, fr_str_range(name, 0, i)};
        if (pattern_match(rest, fr_str_from(name, i), captures, n, steps))
            return true;
        *n = before;
    }
    return false;
}

/* The end of the path that has as many folders as the pattern. */
static struct fr_str pattern_subject(const char *pattern, const char *path)
{
    size_t slashes = 0;
    struct fr_str p = fr_str(path);
    for (const char *s = pattern; *s; s++)
        slashes += *s == '/';
    size_t i = p.n;
    for (size_t left = slashes + 1; i > 0; i--)
        if (p.s[i - 1] == '/' && --left == 0)
            break;
    return fr_str_from(p, i);
}

int fr_label_check(const struct fr_label_rules *rules, struct fr_log *log)
{
    for (size_t i = 0; i < rules->tags_n; i++)
        if (fr_dims_check(rules->tags[i], "", log) != 0)
            return -1;
    if (!rules->name_pattern)
        return 0;
    size_t keys = 0;
    for (const char *p = rules->name_pattern; (p = strchr(p, '{')) != NULL; p++, keys++) {
        const char *close = strchr(p, '}');
        if (!close || close == p + 1 || memchr(p + 1, '{', (size_t)(close - p - 1)))
            return fr_log_error(log, NULL, 0, "the name pattern '%s' has a '{' without a name and a '}'",
                                rules->name_pattern);
    }
    if (!keys || keys > CAPTURES)
        return fr_log_error(log, NULL, 0, "the name pattern '%s' must have 1 to %d {names}, such as {label}",
                            rules->name_pattern, CAPTURES);
    return 0;
}

/* ---- headings ---------------------------------------------------------------------------------------------------- */

/* What stands behind root's prompt, `# echo 3 >/proc/sys/vm/drop_caches`, where a heading could begin the same way. */
static bool is_command(struct fr_str t)
{
    static const char *const programs[] = {"fio",    "dd",       "sudo",   "echo",  "cat",   "cd",      "ls",
                                           "rm",     "mkdir",    "umount", "lsblk", "blkid", "uname",   "export",
                                           "sysctl", "lvcreate", "apt",    "yum",   "dnf",   "modprobe"};
    static const char *const signs[] = {" --", "=", " >", ">/", " | ", "&&", "; ", "$"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (fr_str_find(t, signs[i]) != (size_t)-1)
            return true;
    struct fr_str rest = t, word = fr_take_word(&rest);
    bool alone = !fr_str_trim(rest).n; /* `# dd` is a heading */
    for (size_t i = 0; i < sizeof programs / sizeof *programs && !alone; i++)
        if (fr_str_is(word, programs[i]) || fr_str_starts(word, "mkfs."))
            return true;
    return false;
}

/* `=== ext4 ===`, `--- ext4 ---`: what a script prints between its results. */
static bool take_rules(struct fr_str *t)
{
    struct fr_str inner = *t;
    if (inner.n < 7 || !strchr("=-*~", inner.s[0]) || inner.s[inner.n - 1] != inner.s[0])
        return false;
    while (inner.n && inner.s[0] == t->s[0])
        inner = fr_str_from(inner, 1);
    while (inner.n && inner.s[inner.n - 1] == t->s[0])
        inner.n--;
    bool rules = inner.n && inner.s - t->s >= 2 && t->s + t->n - (inner.s + inner.n) >= 2;
    inner = fr_str_trim(inner);
    if (!rules || !inner.n || strchr("><", inner.s[0]) || fr_str_chr(inner, '=') != (size_t)-1 ||
        fr_str_chr(inner, '|') != (size_t)-1)
        return false;
    *t = inner;
    return true;
}

static bool is_prompt_or_command(struct fr_str t)
{
    static const char *const starts[] = {"$ ",   "> ",   "% ", "sudo ",     "fio ",           "dd ", "time ", "./fio ",
                                         "cat ", "for ", "+ ", "Command: ", "Command line: ", "ssh "};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (fr_str_starts(t, starts[i]))
            return true;
    if (fr_str_ends(t, "$") || (t.n > 1 && fr_str_ends(t, "#") && !fr_str_starts(t, "#")))
        return true; /* `[root@host ~]#`, `user@host:~$` with nothing typed */
    if (t.s[0] == '[' && fr_str_find(t, "]#") != (size_t)-1)
        return true;
    if (fr_str_find(t, "@") != (size_t)-1 && (fr_str_find(t, "$ ") != (size_t)-1 || fr_str_find(t, "# ") != (size_t)-1))
        return true;
    if (fr_take(&t, "# "))
        return is_command(t);
    if (fr_str_starts(t, "-") && !take_rules(&t))
        return fr_str_find(t, " --") != (size_t)-1 || fr_str_find(t, "=") != (size_t)-1 || fr_str_starts(t, "--");
    return fr_str_ends(t, "\\");
}

static struct fr_str strip_marks(struct fr_str t)
{
    static const char *const pairs[] = {"**", "__", "`", "*", "_"};
    if (fr_str_starts(t, "***") && fr_str_ends(t, "***")) { /* a line of them, with a title in it */
        while (t.n && *t.s == '*')
            t = fr_str_from(t, 1);
        while (t.n && t.s[t.n - 1] == '*')
            t.n--;
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        size_t n = strlen(pairs[i]);
        if (t.n > 2 * n && fr_str_starts(t, pairs[i]) && fr_str_ends(t, pairs[i]))
            t = fr_str_range(t, n, t.n - n);
    }
    return fr_str_trim(t);
}

static size_t count_words(struct fr_str t)
{
    size_t n = 0;
    while (fr_take_word(&t).n)
        n++;
    return n;
}

static size_t count_chars(struct fr_str t)
{
    size_t n = 0;
    for (size_t i = 0; i < t.n; i++)
        n += ((unsigned char)t.s[i] & 0xc0) != 0x80;
    return n;
}

/* A line that is a file name and nothing else: one word with an ending we know, `==> x <==`, with a colon or in
 * backticks. */
static bool is_file_name(struct fr_str t, struct fr_str *name)
{
    if (fr_take(&t, "==> ") && fr_str_ends(t, " <=="))
        t.n -= 4;
    t = strip_marks(t);
    if (t.n && t.s[t.n - 1] == ':')
        t.n--;
    t = strip_marks(t);
    if (!t.n || count_words(t) != 1 || fr_str_find(t, "://") != (size_t)-1)
        return false;
    struct fr_str base = base_name(t);
    if (without_endings(base).n == base.n || !without_endings(base).n)
        return false;
    *name = base;
    return true;
}

/* `EXT4:` */
static bool is_titled(struct fr_str t)
{
    return t.n > 1 && (t.s[t.n - 1] == ':' || fr_str_ends(t, WIDE_COLON)) && count_words(t) <= HEADING_WORDS &&
           count_chars(t) <= HEADING_CHARS;
}

/* `Results:`, `**Sample output**`, `fio`: nothing but what could stand above any result. */
static bool says_nothing(struct fr_str t)
{
    static const char *const more[] = {
        "a",      "an",       "the",        "of",  "example", "sample",     "expected", "real",
        "raw",    "full",     "run",        "is",  "here",    "and",        "command",  "configuration",
        "config", "settings", "parameters", "job", "jobs",    "performance"};
    size_t words = 0;
    for (struct fr_str w = fr_take_word(&t); w.n; w = fr_take_word(&t), words++) {
        while (w.n && strchr("#*_`:>-=.", w.s[0]))
            w = fr_str_from(w, 1);
        while (w.n && strchr("#*_`:>-=.", w.s[w.n - 1]))
            w.n--;
        bool known = is_noise(w);
        for (size_t i = 0; i < sizeof more / sizeof *more && !known; i++)
            known = fr_str_is_nocase(w, more[i]);
        if (!known)
            return false;
    }
    return words > 0;
}

/* The label that this line gives as a heading, into out; empty: it is none. */
static void heading_label(struct fr_str t, struct fr_strbuf *out)
{
    struct fr_str name, h = t;
    t = fr_str_trim(t);
    if (!t.n)
        return;
    bool markdown = false;
    if (t.s[0] == '#') {
        while (fr_take_ch(&t, '#'))
            ;
        markdown = t.n && (t.s[0] == ' ' || t.s[0] == '\t');
        t = fr_str_trim(t);
        while (markdown && t.n && t.s[t.n - 1] == '#')
            t.n--;
        t = fr_str_trim(t);
    } else if (t.n > 4 && fr_str_starts(t, "**")) {
        h = t;
        if (h.s[h.n - 1] == ':')
            h.n--;
        markdown = fr_str_ends(h, "**");
        t = h;
    }
    if (take_rules(&t))
        markdown = true;
    if (is_file_name(t, &name)) {
        name_core(name, out);
        return;
    }
    if (!markdown && !is_titled(t))
        return;
    t = strip_marks(t);
    if (t.n && t.s[t.n - 1] == ':')
        t.n--;
    else if (fr_str_ends(t, WIDE_COLON))
        t.n -= strlen(WIDE_COLON);
    t = strip_marks(t);
    struct fr_strbuf core = FR_STRBUF_INIT;
    name_core(t, &core);
    if (core.len && count_chars(t) <= HEADING_MAX)
        fr_strbuf_add(out, t.s, t.n);
    fr_strbuf_release(&core);
}

static size_t line_index(const struct fr_doc *doc, uint32_t no)
{
    size_t lo = 0, hi = doc->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (doc->lines[mid].no < no)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* What is the same for all runs of a document, and where the walks up from its runs ended. */
struct labels {
    struct fr_batch *batch;
    const struct fr_doc *doc; /* or NULL */
    const struct fr_label_rules *rules;
    struct fr_dims dims;
    struct fr_str base;    /* the file's name without its ending; empty for stdin */
    const char *name;      /* label that the file's or folder's name gives, or NULL */
    const char *name_from; /* which of them */
    uint32_t table;        /* line of the last table */
    const char *title;     /* that a heading gives it, or NULL */
    struct {
        uint32_t from;     /* line from which the last walk went up; 0: there was none */
        uint32_t heading;  /* what it found: a line + 1; 0: none */
    } walk[UINT8_MAX + 1]; /* by owner */
};

/*
 * Walk up from the run over what may stand between: blank lines, fences, prompts, commands, and the lines of the same
 * tool (so the second run below a heading has that heading too). NULL: no heading. From where a walk began before it
 * goes on to the same end.
 */
static const struct fr_line *find_heading(struct labels *l, const struct fr_run *run, struct fr_strbuf *out)
{
    const struct fr_line *lines = l->doc->lines;
    uint32_t start = (uint32_t)line_index(l->doc, run->line), i = start, steps = 0, heading = 0;
    uint8_t owner = i < l->doc->n ? lines[i].owner : 0;
    for (; i > 0 && steps < LOOK_BACK; i--) {
        const struct fr_line *line = &lines[i - 1];
        if (i == l->walk[owner].from) {
            heading = l->walk[owner].heading;
            break;
        }
        if (line->owner && line->owner == owner)
            continue;
        struct fr_str t = fr_str_trim(line->text);
        steps++;
        if (!t.n || line->flags & (FR_LINE_FENCE | FR_LINE_NOISE | FR_LINE_CR) || fr_str_starts(t, "```") ||
            fr_str_starts(t, "~~~") || is_prompt_or_command(t) || says_nothing(t))
            continue;
        heading = line->owner ? 0 : i;
        break;
    }
    if (heading)
        heading_label(lines[heading - 1].text, out);
    l->walk[owner].from = start;
    l->walk[owner].heading = out->len ? heading : 0;
    return out->len ? &lines[heading - 1] : NULL;
}

/*
 * The heading of the section in which the run stands: `## On the host`, whatever prose is between. What looks like one
 * within a code fence is a shell's comment or prompt.
 */
static const struct fr_line *find_section(const struct labels *l, const struct fr_run *run, struct fr_strbuf *out)
{
    const struct fr_line *lines = l->doc->lines;
    size_t i = line_index(l->doc, run->line), last = i > LOOK_BACK ? i - LOOK_BACK : 0;
    for (bool fenced = false; i > last && !out->len; i--) {
        const struct fr_line *line = &lines[i - 1];
        fenced = fenced != ((line->flags & FR_LINE_FENCE) != 0);
        if (!fenced && !line->owner && fr_str_starts(line->text, "#") && !is_prompt_or_command(line->text))
            heading_label(line->text, out);
    }
    return out->len ? &lines[i] : NULL;
}

/* ---- all rules --------------------------------------------------------------------------------------------------- */

/* As it is stored: without blanks around it, and not too long. */
static const char *keep_label(struct fr_batch *batch, struct fr_str label)
{
    label = fr_str_trim(label);
    if (label.n > LABEL_MAX) {
        label.n = LABEL_MAX;
        while (label.n && ((unsigned char)label.s[label.n] & 0xc0) == 0x80)
            label.n--;
    }
    return fr_arena_copy(&batch->arena, label.s, label.n);
}

static void set_label(struct fr_batch *batch, struct fr_run *run, struct fr_str label, enum fr_origin origin,
                      const char *why)
{
    run->label = keep_label(batch, label);
    run->label_origin = origin;
    run->label_why = why;
}

static bool match_source(const struct fr_label_rules *rules, const char *source, struct capture captures[CAPTURES],
                         size_t *n)
{
    size_t steps = 0;
    *n = 0;
    return pattern_match(fr_str(rules->name_pattern), pattern_subject(rules->name_pattern, source), captures, n,
                         &steps);
}

static bool label_by_pattern(struct fr_batch *batch, struct fr_run *run, const struct fr_label_rules *rules)
{
    struct capture captures[CAPTURES];
    size_t n;
    bool labelled = false;
    if (!rules->name_pattern || !match_source(rules, batch->source, captures, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (fr_str_is(captures[i].key, "label")) {
            set_label(batch, run, captures[i].value, FR_FROM_USER, "--name-pattern");
            labelled = true;
            continue;
        }
        const char *key = fr_arena_copy(&batch->arena, captures[i].key.s, captures[i].key.n);
        fr_param_set(batch, run, NULL, key, captures[i].value, FR_FROM_USER, 0);
    }
    return labelled;
}

static bool label_by_heading(struct labels *l, struct fr_run *run)
{
    struct fr_strbuf text = FR_STRBUF_INIT;
    const struct fr_line *line = l->doc ? find_heading(l, run, &text) : NULL;
    if (line)
        set_label(l->batch, run, fr_strn(text.buf, text.len), FR_FROM_SURROUND,
                  fr_arena_printf(&l->batch->arena, "the heading at line %u", line->no));
    fr_strbuf_release(&text);
    return line != NULL;
}

/* The columns of a published table have labels: the heading above it says what tells it from the next one. */
static void title_table(struct labels *l, struct fr_run *run)
{
    struct fr_strbuf text = FR_STRBUF_INIT;
    if (!l->doc || !run->own_label || strcmp(run->tool, "table") != 0)
        return;
    if (run->line != l->table) {
        l->table = run->line;
        l->title = find_heading(l, run, &text) || find_section(l, run, &text)
                       ? keep_label(l->batch, fr_strn(text.buf, text.len))
                       : NULL;
    }
    run->title = l->title ? l->title : run->title;
    fr_strbuf_release(&text);
}

/* The label that the source's name gives: l->name, l->name_from. */
static void find_name(struct labels *l)
{
    struct fr_strbuf text = FR_STRBUF_INIT;
    if (strcmp(l->batch->source, "-") == 0)
        return;
    l->base = without_endings(base_name(fr_str(l->batch->source)));
    l->name_from = "the file's name";
    fr_label_stem(l->batch->source, &text);
    if (!text.len) {
        parent_stem(l->batch->source, &text);
        l->name_from = "the folder's name";
    }
    if (text.len)
        l->name = keep_label(l->batch, fr_strn(text.buf, text.len));
    fr_strbuf_release(&text);
}

static void label_run(struct labels *l, struct fr_run *run)
{
    run->label = NULL;
    bool by_pattern = label_by_pattern(l->batch, run, l->rules); /* its other names count even with --label */
    if (l->rules->label)
        set_label(l->batch, run, fr_str(l->rules->label), FR_FROM_USER, "--label");
    else if (by_pattern)
        return;
    else if (run->own_label && *run->own_label)
        set_label(l->batch, run, fr_str(run->own_label), FR_FROM_FORMAT, "the format's own name");
    else if (label_by_heading(l, run))
        return;
    else if (l->name) {
        run->label = l->name;
        run->label_origin = FR_FROM_SURROUND;
        run->label_why = l->name_from;
    } else if (run->tests.head && *run->tests.head->name)
        set_label(l->batch, run, fr_str(run->tests.head->name), FR_FROM_FORMAT, "the job's name");
    else
        set_label(l->batch, run, fr_str(run->tool), FR_FROM_FORMAT, "the tool's name");
}

static void infer_dims(const struct labels *l, struct fr_run *run)
{
    bool fio = strcmp(run->tool, "fio") == 0;
    fr_dims_infer(&l->dims, l->batch, run, NULL, fr_str(run->label), run->line);
    if (l->base.n && run->label_origin != FR_FROM_FORMAT && !run->own_label)
        fr_dims_infer(&l->dims, l->batch, run, NULL, l->base, 0);
    fr_list_each (struct fr_test, t, run->tests) {
        const char *filename = fr_param_get(run, t, "filename");
        if (fio)
            fr_dims_infer(&l->dims, l->batch, run, t, fr_str(t->name), t->line);
        if (filename)
            fr_dims_infer(&l->dims, l->batch, run, t, fr_str(filename), t->line);
        fr_batch_pass_head(l->batch);
    }
}

static void explain_params(const struct fr_batch *batch, const struct fr_run *run, struct fr_log *log)
{
    fr_list_each (struct fr_param, p, run->params)
        if (p->origin == FR_FROM_DICTIONARY)
            fr_log_explain(log, batch->source, run->line, "%s = %s, inferred from the label or name", p->key, p->value);
        else if (p->origin == FR_FROM_USER)
            fr_log_explain(log, batch->source, run->line, "%s = %s, as --tag or --name-pattern said", p->key, p->value);
}

void fr_label_apply(struct fr_batch *batch, const struct fr_doc *doc, const struct fr_label_rules *rules,
                    struct fr_log *log)
{
    struct capture captures[CAPTURES];
    struct labels l = {.batch = batch, .doc = doc, .rules = rules};
    size_t n;
    fr_dims_init(&l.dims);
    find_name(&l);
    if (rules->name_pattern && batch->runs.n && !match_source(rules, batch->source, captures, &n))
        fr_log_note(log, batch->source, 0, "has a name that is not like '%s', --name-pattern gave it nothing",
                    rules->name_pattern);
    fr_list_each (struct fr_run, run, batch->runs) {
        for (size_t i = 0; i < rules->tags_n; i++) {
            const char *eq = strchr(rules->tags[i], '=');
            const char *key = fr_arena_copy(&batch->arena, rules->tags[i], (size_t)(eq - rules->tags[i]));
            fr_param_set(batch, run, NULL, key, fr_str(eq + 1), FR_FROM_USER, 0);
        }
        label_run(&l, run);
        title_table(&l, run);
        infer_dims(&l, run);
        fr_log_explain(log, batch->source, run->line, "label '%s' from %s", run->label, run->label_why);
        explain_params(batch, run, log);
    }
}
