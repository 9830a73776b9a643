/* fio_json_scan.c: see fio_json_scan.h. */
#include "fio_json_scan.h"
#include "arena.h"
#include "digits.h"

#include "banned.h"

static const char *const head_keys[] = {"fio version", "timestamp", "timestamp_ms", "time"};

void fr_fj_scan_init(struct fr_fj_scan *scan, const struct fr_fj_ops *ops, void *ctx)
{
    memset(scan, 0, sizeof *scan);
    scan->ops = ops;
    scan->ctx = ctx;
    scan->captured = (struct fr_strbuf)FR_STRBUF_INIT;
    scan->captured.max = FR_FJ_JOB_MAX;
    scan->held = (struct fr_strbuf)FR_STRBUF_INIT;
    scan->held.max = FR_FJ_PIECE_MAX;
}

void fr_fj_scan_release(struct fr_fj_scan *scan)
{
    fr_strbuf_release(&scan->captured);
    fr_strbuf_release(&scan->held);
    free(scan->taken.bins);
    free(scan->taken.runs);
}

/* ---- looking at a line ------------------------------------------------------------------------------------------- */

/* Take a quoted string; false when it does not close in this line. */
static bool take_string(struct fr_str *s, struct fr_str *inner)
{
    if (!s->n || (s->s[0] != '"' && s->s[0] != '\''))
        return false;
    char quote = s->s[0];
    for (size_t i = 1; i < s->n; i++) {
        if (s->s[i] == '\\') {
            i++;
        } else if (s->s[i] == quote) {
            *inner = fr_str_range(*s, 1, i);
            *s = fr_str_from(*s, i + 1);
            return true;
        }
    }
    return false;
}

/* `"key" :` at the start of the line? */
static bool starts_with_key(struct fr_str s, struct fr_str *key)
{
    s = fr_str_ltrim(s);
    if (!take_string(&s, key))
        return false;
    return fr_take_ch((fr_take_blanks(&s), &s), ':');
}

static bool is_fio_key(struct fr_str key)
{
    return fr_str_is(key, "fio version") || fr_str_is(key, "client_stats") || fr_str_is(key, "jobs");
}

/* A number, or nan, inf, null, true, false in any spelling, and after it nothing, or one of `,` `]` `}`. */
static bool is_scalar_line(struct fr_str s)
{
    static const char *const words[] = {"nan", "inf", "infinity", "null", "true", "false", "none"};
    size_t i = 0;
    while (i < s.n && (fr_is_digit(s.s[i]) || fr_is_alpha(s.s[i]) || s.s[i] == '-' || s.s[i] == '+' || s.s[i] == '.'))
        i++;
    struct fr_str word = fr_str_range(s, 0, i);
    bool known = fr_is_digit(word.s[0]) || (word.n > 1 && word.s[0] == '-' && fr_is_digit(word.s[1]));
    if (word.n && word.s[0] == '-')
        word = fr_str_from(word, 1);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        known = known || fr_str_is_nocase(word, words[w]);
    s = fr_str_ltrim(fr_str_from(s, i));
    return known && (!s.n || s.s[0] == ',' || s.s[0] == ']' || s.s[0] == '}');
}

/* Could this line of an open document be JSON? */
static bool may_be_json(struct fr_str line)
{
    struct fr_str s = fr_str_ltrim(line);
    if (!s.n)
        return true;
    switch (s.s[0]) {
    case '"':
    case '\'':
    case '{':
    case '}':
    case ']':
    case ',':
    case ':':
        return true;
    case '[': { /* a shell's `[root@host ~]#` is none */
        struct fr_str t = fr_str_ltrim(fr_str_from(s, 1));
        return !t.n || strchr("{[]\"'-", t.s[0]) || fr_is_digit(t.s[0]);
    }
    default:
        return is_scalar_line(s);
    }
}

/* `name = {"jobs": ...`, `return {...`: a program's value, by a key that a document of fio's may begin with;
 * (size_t)-1. */
static size_t find_assigned(struct fr_str line)
{
    static const char *const keys[] = {"jobs",         "client_stats", "disk_util",     "timestamp",
                                       "timestamp_ms", "time",         "global options"};
    struct fr_str key;
    size_t at = fr_str_chr(line, '{');
    if (at == (size_t)-1 || !starts_with_key(fr_str_from(line, at + 1), &key))
        return (size_t)-1;
    struct fr_str before = fr_str_rtrim(fr_str_range(line, 0, at));
    if (!before.n || !(strchr("=(:", before.s[before.n - 1]) || fr_str_ends(before, "return")))
        return (size_t)-1;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (fr_str_is(key, keys[i]))
            return at;
    return (size_t)-1;
}

/* Where in this line a document opens: a place of `{`; (size_t)-1: none. */
static size_t find_opening(struct fr_str line)
{
    struct fr_str key;
    if (fr_str_find(line, "fio version") != (size_t)-1)
        for (size_t at = 0, next; (next = fr_str_chr(fr_str_from(line, at), '{')) != (size_t)-1; at += next + 1)
            if (starts_with_key(fr_str_from(line, at + next + 1), &key))
                return at + next;
    size_t i = 0;
    while (i < line.n && (fr_is_space(line.s[i]) || line.s[i] == '[' || line.s[i] == ','))
        i++;
    if (i < line.n && line.s[i] == '{' && starts_with_key(fr_str_from(line, i + 1), &key))
        return i;
    return find_assigned(line);
}

/* ---- within a document ------------------------------------------------------------------------------------------- */

static void open_document(struct fr_fj_scan *scan, char quote, uint32_t no, size_t tag)
{
    scan->open = true;
    scan->quote = quote;
    scan->depth = scan->head_depth = scan->list_depth = scan->capture = 0;
    scan->expect = 'v';
    scan->in_string = scan->escaped = scan->in_scalar = false;
    scan->capture_from = NULL;
    scan->key_n = 0;
    scan->last_no = no;
    scan->digest = 0xcbf29ce484222325u;
    scan->ops->begin(scan->ctx, no, tag);
}

static void close_document(struct fr_fj_scan *scan, enum fr_fj_end how)
{
    uint32_t in_element = scan->capture && scan->capture_element ? scan->capture_line : 0;
    scan->open = false;
    scan->capture = 0;
    scan->capture_from = NULL;
    fr_strbuf_reset(&scan->captured);
    scan->ops->end(scan->ctx, scan->last_no, how, in_element);
}

static void flush_capture(struct fr_fj_scan *scan, const char *to)
{
    if (!scan->capture || !scan->capture_from)
        return;
    fr_strbuf_add(&scan->captured, scan->capture_from, (size_t)(to - scan->capture_from));
    scan->capture_truncated = scan->captured.truncated != 0;
    scan->capture_from = to;
}

static void start_capture(struct fr_fj_scan *scan, const char *from, bool element)
{
    scan->capture = scan->depth + 1;
    scan->capture_element = element;
    scan->capture_truncated = false;
    scan->capture_line = scan->capture_at = scan->last_no;
    scan->capture_from = from;
    fr_strbuf_reset(&scan->captured);
    scan->captured.truncated = 0;
    scan->taken.n = scan->taken.runs_n = 0;
}

/* Two copies of one text have the same digest: eight bytes a step, as most of a big file passes here. */
static uint64_t digest(uint64_t hash, const char *text, size_t n)
{
    uint64_t word;
    for (; n >= sizeof word; n -= sizeof word, text += sizeof word) {
        memcpy(&word, text, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    for (; n; n--, text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

/* The captured value ends before `to`. */
static void end_capture(struct fr_fj_scan *scan, const char *to)
{
    flush_capture(scan, to);
    const char *text = fr_strbuf_str(&scan->captured);
    size_t n = scan->captured.len;
    scan->digest = digest(scan->digest, text, n);
    struct fr_fj_text value = {.text = fr_strn(text, n),
                               .taken = &scan->taken,
                               .line = scan->capture_line,
                               .key_line = scan->key_line,
                               .truncated = scan->capture_truncated};
    scan->capture = 0;
    scan->capture_from = NULL;
    if (scan->capture_element)
        scan->ops->element(scan->ctx, fr_str(scan->list_key), &value);
    else
        scan->ops->member(scan->ctx, fr_strn(scan->key, scan->key_n), &value);
    fr_strbuf_reset(&scan->captured);
    if (scan->captured.alloc > ((size_t)4 << 20)) /* one huge job need not be paid for by all that follow */
        fr_strbuf_release(&scan->captured);
    scan->captured.max = FR_FJ_JOB_MAX;
}

static bool key_is(const struct fr_fj_scan *scan, const char *what)
{
    return fr_str_is(fr_strn(scan->key, scan->key_n), what);
}

/* A member of the head seen: its object is the one that counts. */
static bool claims_head(struct fr_fj_scan *scan)
{
    if (!scan->head_depth)
        scan->head_depth = scan->depth;
    return scan->head_depth == scan->depth;
}

/* A value begins at p, in an object whose key was just read or in a list. */
static void value_begins(struct fr_fj_scan *scan, const char *p)
{
    if (scan->capture)
        return;
    if (scan->list_depth && scan->list_depth == scan->depth) {
        if (*p == '{')
            start_capture(scan, p, true);
        return;
    }
    if (scan->depth == 0 || scan->kind[scan->depth] != '{' || scan->list_depth)
        return;
    if (*p == '[' && (key_is(scan, "jobs") || key_is(scan, "client_stats")) && claims_head(scan)) {
        scan->list_depth = scan->depth + 1;
        memcpy(scan->list_key, scan->key, scan->key_n);
        scan->list_key[scan->key_n] = 0;
        scan->ops->list(scan->ctx, fr_str(scan->list_key), scan->last_no);
    } else if (*p == '[' && key_is(scan, "disk_util")) {
        if (claims_head(scan))
            start_capture(scan, p, false);
    } else if (*p == '{' && key_is(scan, "global options")) {
        if (claims_head(scan))
            start_capture(scan, p, false);
    } else if (*p != '{' && *p != '[') {
        for (size_t i = 0; i < sizeof head_keys / sizeof *head_keys; i++)
            if (key_is(scan, head_keys[i]) &&
                (i ? scan->head_depth == 0 || scan->head_depth == scan->depth : claims_head(scan)))
                start_capture(scan, p, false);
    }
}

/* A bracket opens at p. False when it is too deep. */
static bool bracket_opens(struct fr_fj_scan *scan, const char *p)
{
    value_begins(scan, p);
    if (scan->depth == FR_FJ_DEPTH)
        return false;
    scan->kind[++scan->depth] = *p;
    scan->expect = *p == '{' ? 'k' : 'v';
    return true;
}

/* The scalar at hand is over before p. */
static void scalar_ends(struct fr_fj_scan *scan, const char *p)
{
    scan->in_scalar = false;
    scan->expect = ',';
    if (scan->capture == scan->depth + 1)
        end_capture(scan, p);
}

/* A bracket closes at p. False when it does not match. */
static bool bracket_closes(struct fr_fj_scan *scan, const char *p)
{
    if (scan->depth == 0 || scan->kind[scan->depth] != (*p == '}' ? '{' : '['))
        return false;
    if (scan->list_depth == scan->depth)
        scan->list_depth = 0;
    bool head = scan->head_depth == scan->depth;
    scan->depth--;
    scan->expect = ',';
    if (scan->capture == scan->depth + 1)
        end_capture(scan, p + 1);
    if (head) {
        scan->ops->head_end(scan->ctx, scan->last_no);
        scan->head_depth = 0;
    }
    return true;
}

/* Past the end of the string that is open; `end` when it goes on in the next piece. */
static const char *skip_string(struct fr_fj_scan *scan, const char *p, const char *end)
{
    const char *from = p;
    for (; p < end; p++) {
        if (scan->escaped)
            scan->escaped = false;
        else if (*p == '\\')
            scan->escaped = true;
        else if (*p == scan->string_quote)
            break;
    }
    if (scan->string_is_key) {
        size_t n = (size_t)(p - from);
        if (n > FR_FJ_KEY_MAX - scan->key_n)
            n = FR_FJ_KEY_MAX - scan->key_n;
        memcpy(scan->key + scan->key_n, from, n);
        scan->key_n += n;
    }
    if (p == end)
        return p;
    scan->in_string = false;
    if (scan->string_is_key)
        scan->expect = ':';
    else
        scalar_ends(scan, p + 1);
    return p + 1;
}

static void string_begins(struct fr_fj_scan *scan, const char *p)
{
    /* Within a captured value keys are the reader's business. */
    scan->string_is_key =
        !scan->capture && scan->depth && scan->kind[scan->depth] == '{' && (scan->expect == 'k' || scan->expect == ',');
    scan->in_string = true;
    scan->string_quote = *p;
    if (scan->string_is_key) {
        scan->key_n = 0;
        scan->key_line = scan->last_no;
    } else {
        value_begins(scan, p);
    }
}

/* Python writes a string with an apostrophe in double quotes. */
static bool is_quote(const struct fr_fj_scan *scan, char c)
{
    return c == scan->quote || (c == '"' && scan->quote == '\'');
}

/*
 * Within a captured value only strings and brackets count. Past all that does not end it: where the bracket is that
 * closes the value, or anything else that needs a look.
 */
static const char *skip_captured(struct fr_fj_scan *scan, const char *p, const char *end)
{
    static const bool stops[256] = {
        ['{'] = true, ['}'] = true, ['['] = true, [']'] = true, ['"'] = true, ['\''] = true};
    for (; p < end; p++) {
        if (!stops[(unsigned char)*p])
            continue;
        if (!is_quote(scan, *p)) {
            if (*p == '\'')
                continue;
            break;
        }
        const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
        if (!close || memchr(p, '\\', (size_t)(close - p))) /* a long or an odd string: the careful way */
            break;
        p = close;
    }
    return p;
}

/* Scan a piece. Returns where the document ended (past its last bracket), or NULL when it goes on. */
static const char *scan_piece(struct fr_fj_scan *scan, const char *p, const char *end, enum fr_fj_end *how)
{
    *how = FR_FJ_COMPLETE;
    while (p < end) {
        if (scan->in_string) {
            p = skip_string(scan, p, end);
            continue;
        }
        if (scan->capture && scan->depth >= scan->capture) {
            p = skip_captured(scan, p, end);
            if (p == end)
                break;
        }
        char c = *p;
        if (scan->in_scalar && (c == ',' || c == '}' || c == ']' || fr_is_space(c)))
            scalar_ends(scan, p);
        if (is_quote(scan, c)) {
            string_begins(scan, p);
        } else if (c == '{' || c == '[') {
            if (!bracket_opens(scan, p)) {
                *how = FR_FJ_BROKEN;
                return p;
            }
        } else if (c == '}' || c == ']') {
            if (!bracket_closes(scan, p)) {
                *how = FR_FJ_BROKEN;
                return p;
            }
            if (scan->depth == 0)
                return p + 1;
        } else if (c == ',') {
            scan->expect = scan->depth && scan->kind[scan->depth] == '{' ? 'k' : 'v';
        } else if (c == ':') {
            scan->expect = 'v';
        } else if (!fr_is_space(c) && !scan->in_scalar) {
            value_begins(scan, p);
            scan->in_scalar = true;
        }
        p++;
    }
    return NULL;
}

/* Push a piece of an open document. Returns what is left of it after the document's end (n = 0: nothing). */
static struct fr_str push_json(struct fr_fj_scan *scan, struct fr_str s, uint32_t no, size_t tag, bool starts)
{
    enum fr_fj_end how;
    scan->ops->json(scan->ctx, tag);
    if (scan->capture && starts) { /* the captured text counts lines as the source does */
        if (no > scan->capture_at)
            fr_strbuf_pad(&scan->captured, '\n', no - scan->capture_at);
        else
            fr_strbuf_addch(&scan->captured, ' ');
        scan->capture_at = no;
    }
    if (starts && scan->in_string && scan->string_is_key && scan->key_n < FR_FJ_KEY_MAX)
        scan->key[scan->key_n++] = ' '; /* wrapped at a blank */
    scan->last_no = no;
    scan->capture_from = scan->capture ? s.s : NULL;
    const char *stop = scan_piece(scan, s.s, s.s + s.n, &how);
    if (!stop) {
        flush_capture(scan, s.s + s.n);
        scan->capture_from = NULL;
        return fr_strn(NULL, 0);
    }
    close_document(scan, how);
    return fr_str_from(s, (size_t)(stop - s.s));
}

/* ---- lines of bins ----------------------------------------------------------------------------------------------- */

enum { QUICK_BLANKS = 40, QUICK = QUICK_BLANKS + 1 + FR_DIGITS_WINDOW + 8 };

/* A whole number in its only spelling, at most 19 digits; NULL: none. */
static const char *take_number(const char *p, const char *end, uint64_t *value)
{
    const char *from = p;
    uint64_t v = 0;
    for (; p < end && fr_is_digit(*p); p++)
        v = v * 10 + (uint64_t)(*p - '0');
    *value = v;
    return p == from || p - from > 19 || (*from == '0' && p - from > 1) ? NULL : p;
}

/* `"KEY" : COUNT,` and its end of line, which may be that of the text. Past it; NULL: this line is none. */
static const char *take_bin(const char *p, const char *end, struct fr_fj_bin *bin)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (p == end || *p != '"' || !(p = take_number(p + 1, end, &bin->key)) || p == end || *p != '"')
        return NULL;
    p++;
    while (p < end && *p == ' ')
        p++;
    if (p == end || *p != ':')
        return NULL;
    p++;
    while (p < end && *p == ' ')
        p++;
    if (!(p = take_number(p, end, &bin->count)) || p == end || *p != ',')
        return NULL;
    p++;
    if (p < end && *p == '\r')
        p++;
    return p == end || *p == '\n' ? p : NULL;
}

/* As many digits as fr_digits_ends has counted at *p, in their only spelling; past them and `behind`. */
static inline bool take_quick(const char **p, uint64_t *ends, const char *behind, uint64_t *value)
{
    unsigned n = (unsigned)__builtin_ctzll(*ends);
    size_t more = strlen(behind);
    if (n - 1 >= FR_DIGITS_MAX || (**p == '0' && n > 1) || memcmp(*p + n, behind, more) != 0)
        return false;
    *value = fr_digits_value(*p, n);
    *p += n + more;
    *ends >>= n + more;
    return true;
}

/* take_bin for lines as fio writes them, with their end of line. QUICK bytes from p on may be read. */
static inline const char *take_bin_quick(const char *p, struct fr_fj_bin *bin)
{
    const char *last = p + QUICK_BLANKS;
    while (p < last && *p == ' ')
        p++;
    if (*p++ != '"')
        return NULL;
    uint64_t ends = fr_digits_ends(p);
    return take_quick(&p, &ends, "\" : ", &bin->key) && take_quick(&p, &ends, ",\n", &bin->count) ? p : NULL;
}

static bool may_take(const struct fr_fj_scan *scan)
{
    return scan->open && scan->capture && scan->capture_element && scan->depth >= scan->capture && !scan->in_string &&
           !scan->in_scalar && !scan->holding;
}

/* A bin that does not follow the last one in the text. */
static void begin_run(struct fr_fj_scan *scan, uint32_t no)
{
    struct fr_fj_taken *t = &scan->taken;
    t->runs = fr_grow(t->runs, t->runs_n, &t->runs_alloc, sizeof *t->runs);
    if (no > scan->capture_at)
        fr_strbuf_pad(&scan->captured, '\n', no - scan->capture_at);
    scan->capture_at = no;
    t->runs[t->runs_n++] = (struct fr_fj_run){.at = scan->captured.len, .first = t->n, .line = no};
    fr_strbuf_addch(&scan->captured, '\1');
}

static inline void add_taken(struct fr_fj_scan *scan, struct fr_fj_bin bin, uint32_t no)
{
    struct fr_fj_taken *t = &scan->taken;
    if (!t->runs_n || t->runs[t->runs_n - 1].at + 1 != scan->captured.len || scan->taken_no + 1 != no)
        begin_run(scan, no);
    if (t->n == t->alloc)
        t->bins = fr_grow(t->bins, t->n, &t->alloc, sizeof *t->bins);
    t->bins[t->n++] = bin;
    t->runs[t->runs_n - 1].n++;
    uint64_t hash = (scan->digest ^ bin.key) * 0x9e3779b97f4a7c15u;
    scan->digest = (hash ^ hash >> 29 ^ bin.count) * 0x9e3779b97f4a7c15u;
    scan->taken_no = scan->last_no = no;
}

const char *fr_fj_scan_bins(struct fr_fj_scan *scan, const char *p, const char *end, uint32_t *no)
{
    struct fr_fj_bin bin;
    if (!may_take(scan))
        return p;
    while (scan->taken.n < FR_FJ_TAKEN_MAX) {
        const char *next = end - p >= QUICK ? take_bin_quick(p, &bin) : NULL;
        if (!next) {
            next = take_bin(p, end, &bin);
            if (!next || next++ == end)
                break;
        }
        add_taken(scan, bin, *no);
        *no += *no < UINT32_MAX;
        p = next;
    }
    return p;
}

/* ---- outside ----------------------------------------------------------------------------------------------------- */

static void push_text(struct fr_fj_scan *scan, struct fr_str s, uint32_t no, unsigned flags, size_t tag, bool whole)
{
    if (whole || fr_str_trim(s).n)
        scan->ops->text(scan->ctx, s, no, flags, tag, whole);
}

/* A line outside of a document, or what follows a document in its line. */
static void push_outside(struct fr_fj_scan *scan, struct fr_str s, uint32_t no, unsigned flags, size_t tag, bool whole,
                         bool ends)
{
    while (!scan->open) {
        size_t at = find_opening(s);
        if (at == (size_t)-1) {
            struct fr_str t = fr_str_rtrim(s);
            if (ends && t.n && t.s[t.n - 1] == '{') {
                scan->holding = true;
                fr_strbuf_reset(&scan->held);
                fr_strbuf_add(&scan->held, s.s, s.n);
                scan->held_no = no;
                scan->held_flags = flags;
                scan->held_tag = tag;
                if (!whole)
                    scan->held_flags |= 0x100u; /* a part: never handed back as a whole line */
                return;
            }
            push_text(scan, s, no, flags, tag, whole);
            return;
        }
        struct fr_str quote = fr_str_ltrim(fr_str_from(s, at + 1));
        push_text(scan, fr_str_range(s, 0, at), no, flags, tag, false);
        open_document(scan, quote.s[0], no, tag);
        s = push_json(scan, fr_str_from(s, at), no, tag, false);
        whole = false;
    }
}

/* Does this line, after the held one, open a document? */
static bool confirms(const struct fr_fj_scan *scan, struct fr_str line)
{
    struct fr_str key, held = fr_str_trim(fr_strn(fr_strbuf_str(&scan->held), scan->held.len));
    if (!starts_with_key(line, &key))
        return false;
    if (is_fio_key(key))
        return true;
    for (size_t i = 0; i < held.n; i++)
        if (!strchr("{[, \t", held.s[i]))
            return false;
    return !scan->open;
}

static void release_held(struct fr_fj_scan *scan, struct fr_str next)
{
    struct fr_str held = fr_strn(fr_strbuf_str(&scan->held), scan->held.len);
    bool whole = !(scan->held_flags & 0x100u);
    unsigned flags = scan->held_flags & 0xffu;
    scan->holding = false;
    if (confirms(scan, next)) {
        if (scan->open)
            close_document(scan, FR_FJ_CUT);
        size_t at = fr_str_rfind(held, "{");
        push_text(scan, fr_str_range(held, 0, at), scan->held_no, flags, scan->held_tag, false);
        open_document(scan, fr_str_ltrim(next).s[0], scan->held_no, scan->held_tag);
        push_json(scan, fr_str_from(held, at), scan->held_no, scan->held_tag, false);
    } else if (scan->open) {
        push_json(scan, held, scan->held_no, scan->held_tag, true);
    } else {
        push_text(scan, held, scan->held_no, flags, scan->held_tag, whole);
    }
}

/* A line, or the first piece of one, of an open document. */
static void push_inside(struct fr_fj_scan *scan, struct fr_str s, uint32_t no, unsigned flags, size_t tag, bool starts,
                        bool ends)
{
    size_t blanks = 0;
    while (blanks < s.n && s.s[blanks] == ' ')
        blanks++;
    /* Nearly every line begins with a key. */
    if (starts && (scan->in_string || blanks == s.n || s.s[blanks] != scan->quote)) {
        struct fr_str trimmed = fr_str_trim(s), key;
        if (!scan->in_string && !may_be_json(s)) {
            push_text(scan, s, no, flags, tag, true);
            return;
        }
        if (scan->in_string && starts_with_key(s, &key)) { /* the string was cut off */
            close_document(scan, FR_FJ_BROKEN);
            push_outside(scan, s, no, flags, tag, true, ends);
            return;
        }
        if (scan->head_depth && ends && fr_str_is(trimmed, "{")) {
            scan->holding = true;
            fr_strbuf_reset(&scan->held);
            fr_strbuf_add(&scan->held, s.s, s.n);
            scan->held_no = no;
            scan->held_flags = flags;
            scan->held_tag = tag;
            return;
        }
        if (scan->head_depth && fr_str_starts(trimmed, "{") && starts_with_key(fr_str_from(trimmed, 1), &key) &&
            fr_str_is(key, "fio version")) {
            close_document(scan, FR_FJ_CUT);
            push_outside(scan, s, no, flags, tag, true, ends);
            return;
        }
    }
    if (starts && !scan->in_string) /* indentation is most of some files */
        s = fr_str_from(s, blanks);
    s = push_json(scan, s, no, tag, starts);
    if (!scan->open && s.n)
        push_outside(scan, s, no, flags, tag, false, ends);
}

void fr_fj_scan_line(struct fr_fj_scan *scan, struct fr_str line, uint32_t no, unsigned flags, size_t tag, bool starts,
                     bool ends)
{
    if (scan->holding) {
        if (!fr_str_trim(line).n)
            return;
        release_held(scan, line);
    }
    struct fr_fj_bin bin;
    if (starts && ends && may_take(scan) && scan->taken.n < FR_FJ_TAKEN_MAX &&
        take_bin(line.s, line.s + line.n, &bin) == line.s + line.n) {
        scan->ops->json(scan->ctx, tag);
        add_taken(scan, bin, no);
    } else if (scan->open)
        push_inside(scan, line, no, flags, tag, starts, ends);
    else if (starts)
        push_outside(scan, line, no, flags, tag, true, ends);
    else
        push_text(scan, line, no, flags, tag, false);
}

void fr_fj_scan_end(struct fr_fj_scan *scan)
{
    if (scan->holding)
        release_held(scan, fr_strn("", 0));
    if (scan->open)
        close_document(scan, FR_FJ_CUT);
}
