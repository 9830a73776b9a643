/*
 * dd_command.c: dd's command line, as it stands in transcripts: behind prompts, sudo, time, in loops, before pipes.
 */
#include "dd.h"

#include "banned.h"

enum { PROSE_MAX = 80, BEFORE_MAX = 500 /* bytes before a command that are looked at */ };

/* ---- what stands before ------------------------------------------------------------------------------------------ */

/* Words that start a command: `sudo`, `time`, `ionice -c 2 -n 0`, `LC_ALL=C`. */
static bool is_wrapper(struct fr_str w)
{
    static const char *const words[] = {"sudo",    "time",          "nice",   "ionice", "env",  "nohup",
                                        "exec",    "doas",          "chrt",   "then",   "do",   "else",
                                        "taskset", "/usr/bin/time", "\\time", "strace", "perf", "stdbuf"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fr_str_is(w, words[i]))
            return true;
    size_t digits = 0;
    while (digits < w.n && fr_is_digit(w.s[digits]))
        digits++;
    return digits == w.n || w.s[0] == '-' || (w.s[0] == '$' && w.n > 1) || fr_str_chr(w, '=') != (size_t)-1;
}

static bool is_prose(struct fr_str s)
{
    if (s.n > PROSE_MAX)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (!fr_is_alpha(s.s[i]) && !strchr(" ,'.", s.s[i]) && (unsigned char)s.s[i] < 0x80)
            return false;
    return true;
}

/* Does it end in a prompt, or in what a shell has between commands? */
static bool is_open(struct fr_str before)
{
    /* The last ones: ❯ » ✗ λ ▶ › → */
    static const char *const ends[] = {"#",
                                       "$",
                                       "%",
                                       ">",
                                       ";",
                                       "&",
                                       "|",
                                       "(",
                                       "`",
                                       "+",
                                       ":",
                                       "{",
                                       "!",
                                       "*",
                                       "\"",
                                       "'",
                                       "\xe2\x9d\xaf",
                                       "\xc2\xbb",
                                       "\xe2\x9c\x97",
                                       "\xce\xbb",
                                       "\xe2\x96\xb6",
                                       "\xe2\x80\xba",
                                       "\xe2\x86\x92"};
    struct fr_str column = fr_str_rtrim(fr_str_range(before, 0, before.n ? before.n - 1 : 0));
    if (fr_str_ends(before, " %") && column.n && fr_is_digit(column.s[column.n - 1])) {
        while (column.n && (fr_is_digit(column.s[column.n - 1]) || column.s[column.n - 1] == '.'))
            column.n--;
        if (!column.n || column.s[column.n - 1] == ' ')
            return false; /* a column of iotop, no prompt */
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fr_str_ends(before, ends[i]))
            return true;
    return false;
}

/* `$ docker exec -it web`, `# ssh root@nas`: a command that starts one elsewhere, behind a prompt. */
static bool is_prompted(struct fr_str before)
{
    size_t n = before.n;
    while (n &&
           (fr_is_alpha(before.s[n - 1]) || fr_is_digit(before.s[n - 1]) || strchr(" -_./@=,'\"", before.s[n - 1])))
        n--;
    return n && before.n - n <= PROSE_MAX && n < before.n && before.s[n] == ' ' &&
           strchr("$#%>;|&(", before.s[n - 1]) && is_open(fr_str_range(before, 0, n));
}

/* `➜  ~`, `➜  lab git:(main)`: a prompt that begins with its arrow. */
static bool is_arrow_prompt(struct fr_str before)
{
    size_t at = fr_str_rfind(before, "\xe2\x9e\x9c ");
    return at != (size_t)-1 && before.n - at <= PROSE_MAX;
}

/* `root@mysql-0:/`, `user@host:~/x`: a prompt that ends with the folder. */
static bool is_folder_prompt(struct fr_str word)
{
    size_t at = fr_str_chr(word, '@'), colon = fr_str_rfind(word, ":");
    return at != (size_t)-1 && at > 0 && colon != (size_t)-1 && colon > at + 1 && colon + 1 < word.n &&
           strchr("/~", word.s[colon + 1]);
}

/* `$time`, `~]#sudo`: a word behind a prompt without a blank. */
static bool is_glued(struct fr_str word)
{
    size_t n = word.n;
    while (n && !strchr("`\"'(#$%>", word.s[n - 1]))
        n--;
    return n && n < word.n && is_wrapper(fr_str_from(word, n));
}

/* `docker run --rm alpine`, `kubectl exec pod --`: a line that starts a command elsewhere, without a prompt. */
static bool is_launcher(struct fr_str before)
{
    static const char *const words[] = {"docker", "podman", "kubectl", "ssh", "lxc",     "pct",
                                        "adb",    "chroot", "nsenter", "oc",  "vagrant", "nerdctl"};
    struct fr_str rest = before, word = fr_take_word(&rest);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fr_str_is(word, words[i]) && fr_str_trim(rest).n)
            return true;
    return false;
}

/* May a command follow this? */
static bool may_precede(struct fr_str before)
{
    const struct fr_str whole = before;
    for (;;) {
        before = fr_str_rtrim(before);
        if (is_open(before))
            return true;
        size_t start = before.n;
        while (start && before.s[start - 1] != ' ' && before.s[start - 1] != '\t')
            start--;
        struct fr_str word = fr_str_from(before, start);
        if (is_glued(word) || (is_folder_prompt(word) && !fr_str_trim(fr_str_range(before, 0, start)).n))
            return true;
        if (!word.n || !is_wrapper(word))
            break;
        before.n = start;
    }
    return !before.n || is_prose(before) || is_prompted(before) || is_arrow_prompt(before) || is_launcher(whole) ||
           (before.n > 1 && before.s[before.n - 1] == '.' && fr_is_digit(before.s[before.n - 2]));
}

/* Is there nothing but words that start a command? */
static bool are_wrappers(struct fr_str s)
{
    for (struct fr_str word; (word = fr_take_word(&s)).n;)
        if (!is_wrapper(word))
            return false;
    return true;
}

/*
 * The quote that was opened before the command and ends it, or 0: it stands right before the command's words, or is an
 * odd one. An apostrophe is none.
 */
static char open_quote(struct fr_str before)
{
    static const char *const quotes[] = {"\"", "'"};
    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
        size_t at = fr_str_rfind(before, quotes[i]);
        if (at == (size_t)-1 || (*quotes[i] == '\'' && at > 0 && fr_is_alpha(before.s[at - 1])))
            continue;
        struct fr_str inside = fr_str_from(before, at + 1);
        if (fr_str_find(inside, "$(") != (size_t)-1) /* what stands in there has quotes of its own */
            continue;
        bool begins = (!inside.n || !fr_is_space(inside.s[0])) && are_wrappers(inside);
        if (begins || fr_str_count(before, *quotes[i]) % 2)
            return *quotes[i];
    }
    return 0;
}

bool fr_dd_is_loop(struct fr_str before)
{
    static const char *const words[] = {"for ", "while ", "until ", "xargs ", "parallel ", "seq "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fr_str_find(before, words[i]) != (size_t)-1)
            return true;
    before = fr_str_rtrim(before);
    return fr_str_ends(before, " do") || fr_str_is(before, "do");
}

/* `root@bench:/mnt#`, `[root@test ~]#` */
static struct fr_str prompt_host(struct fr_str before)
{
    size_t at = fr_str_rfind(before, "@"), end;
    if (at == (size_t)-1)
        return fr_strn(NULL, 0);
    struct fr_str host = fr_str_from(before, at + 1);
    for (end = 0; end < host.n && (fr_is_alpha(host.s[end]) || fr_is_digit(host.s[end]) || strchr("-._", host.s[end]));)
        end++;
    bool prompt = end && end < host.n && strchr(": [", host.s[end]);
    return fr_str_range(host, 0, prompt ? end : 0);
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

/* A word of the shell: to a blank or an operator, quotes and $(( )) kept together. */
static struct fr_str take_shell_word(struct fr_str *s)
{
    size_t i = 0, depth = 0;
    char quote = 0;
    fr_take_blanks(s);
    for (; i < s->n; i++) {
        char c = s->s[i];
        if (quote) {
            if (c == quote)
                quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '(') {
            depth++;
        } else if (c == ')' && depth) {
            depth--;
        } else if (!depth && strchr(" \t;|&`)<>", c)) {
            break;
        }
    }
    struct fr_str word = fr_str_range(*s, 0, i);
    *s = fr_str_from(*s, i);
    return word;
}

static struct fr_str unquote(struct fr_str w)
{
    if (w.n > 1 && (w.s[0] == '"' || w.s[0] == '\'') && w.s[w.n - 1] == w.s[0])
        return fr_str_range(w, 1, w.n - 1);
    return w;
}

static bool set_operand(struct fr_dd_command *c, struct fr_str word)
{
    struct {
        const char *key;
        struct fr_str *value;
    } const operands[] = {{"bs=", &c->bs},     {"ibs=", &c->ibs},     {"obs=", &c->obs},     {"count=", &c->count},
                          {"skip=", &c->skip}, {"seek=", &c->seek},   {"iseek=", &c->skip},  {"oseek=", &c->seek},
                          {"conv=", &c->conv}, {"iflag=", &c->iflag}, {"oflag=", &c->oflag}, {"if=", &c->in},
                          {"of=", &c->out}};
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
        if (fr_take(&word, operands[i].key)) {
            *operands[i].value = unquote(word);
            return true;
        }
    if (fr_take(&word, "status=")) {
        c->progress = fr_str_is(word, "progress");
        return true;
    }
    return fr_str_starts(word, "cbs=") || fr_str_starts(word, "files=") || fr_str_starts(word, "fillchar=") ||
           fr_str_starts(word, "msgfmt=") || fr_str_starts(word, "speed=");
}

/* `> file`, `2>&1`, `< file` at s: true when it was one. */
static bool take_redirection(struct fr_dd_command *c, struct fr_str *s)
{
    struct fr_str rest = *s;
    fr_take_blanks(&rest);
    bool errors = fr_take(&rest, "2>") || fr_take(&rest, "&>");
    bool in = !errors && fr_take_ch(&rest, '<');
    if (!errors && !in && !fr_take_ch(&rest, '>'))
        return false;
    fr_take_ch(&rest, '>');
    fr_take_ch(&rest, '|');
    if (fr_take_ch(&rest, '&'))
        errors = true;
    struct fr_str file = unquote(take_shell_word(&rest));
    if (!errors && in && !c->in.n)
        c->in = file;
    else if (!errors && !in && !c->out.n)
        c->out = file;
    *s = rest;
    return true;
}

static void settle(struct fr_dd_command *c)
{
    struct fr_str size = c->bs.n ? c->bs : c->obs;
    if (!size.n)
        c->block = c->ibs.n ? 0 : 512;
    else if (!fr_dd_size(size, &c->block))
        c->block = 0;
    if (fr_str_is(c->out, "/dev/null"))
        c->op = FR_OP_READ;
    else if (c->out.n && !fr_str_is(c->out, "/dev/stdout"))
        c->op = FR_OP_WRITE;
}

/* The operands behind `dd`, up to the quote `stop`; false when there is none. */
static bool read_operands(struct fr_str text, size_t at, char stop, struct fr_dd_command *c)
{
    struct fr_str s = fr_str_from(text, at);
    bool any = false;
    if (stop)
        s = fr_str_range(s, 0, fr_str_chr(s, stop));
    c->to = at;
    for (;;) {
        struct fr_str before = s;
        if (take_redirection(c, &s)) {
            c->to = (size_t)(s.s - text.s);
            continue;
        }
        struct fr_str word = take_shell_word(&s);
        if (!word.n)
            break;
        if (set_operand(c, word)) {
            any = true;
        } else if (word.s[0] == '2' && word.n == 1 && s.n && s.s[0] == '>') {
            s = before;
            fr_take_blanks(&s);
            if (!take_redirection(c, &s))
                break;
        } else if (fr_str_is(word, "\\")) {
            fr_take_blanks(&s); /* the next line was joined to this one, perhaps with its prompt */
            fr_take(&s, "> ");
        } else if (!fr_str_starts(word, "--")) {
            break; /* prose goes on behind it */
        }
        c->to = (size_t)(s.s - text.s);
    }
    settle(c);
    return any;
}

static bool is_word_char(char c)
{
    return fr_is_alpha(c) || fr_is_digit(c) || strchr("_-./", c);
}

bool fr_dd_command(struct fr_str text, size_t from, struct fr_dd_command *out)
{
    for (size_t i; (i = fr_str_find(fr_str_from(text, from), "dd ")) != (size_t)-1; from += i + 2) {
        size_t at = from + i, start = at;
        if (at >= 5 && memcmp(text.s + at - 5, "/bin/", 5) == 0)
            start = at - (at >= 9 && memcmp(text.s + at - 9, "/usr/bin/", 9) == 0 ? 9 : 5);
        else if (at >= 8 && memcmp(text.s + at - 8, "busybox ", 8) == 0)
            start = at - 8;
        else if (at && is_word_char(text.s[at - 1]))
            continue;
        memset(out, 0, sizeof *out);
        struct fr_str before = fr_str_range(text, start > BEFORE_MAX ? start - BEFORE_MAX : 0, start);
        if (!may_precede(before) || !read_operands(text, at + 3, open_quote(before), out))
            continue;
        out->from = start;
        out->loop = fr_dd_is_loop(before);
        out->host = prompt_host(before);
        return true;
    }
    return false;
}

int fr_dd_fits(const struct fr_dd_command *c, uint64_t bytes, bool has_records, uint64_t full, uint64_t partial)
{
    double count, b = (double)bytes;
    if (c->block <= 0 || fr_str_find(c->conv, "block") != (size_t)-1)
        return 1;
    if (has_records && (b < (double)full * c->block || b > ((double)full + (double)partial) * c->block))
        return 0;
    bool in_bytes = fr_str_ends(c->count, "B") || fr_str_find(c->iflag, "count_bytes") != (size_t)-1;
    if (!c->count.n || c->ibs.n || in_bytes || !fr_dd_size(c->count, &count))
        return 1;
    return b > count * c->block ? 0 : b < count * c->block ? 1 : 2;
}
