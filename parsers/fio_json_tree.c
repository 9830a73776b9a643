/* fio_json_tree.c: see fio_json_tree.h. */
#include "fio_json_tree.h"
#include "arena.h"
#include "strbuf.h"

#include <json-c/json.h>

#include "banned.h"

enum {
    DEPTH = 32,
    KEYS_MAX = 4 << 20,
    BINS_MAX = 4 << 20,
    PREFIX = 5 /* letters before a key that are its number */
};

struct fr_fj_tree {
    struct json_tokener *tokener;
    struct json_object *root;
    struct fr_strbuf clean;
    uint32_t *lines; /* of the keys, by their number */
    size_t lines_n, lines_alloc;
    struct fr_fj_bin *bins;
    size_t bins_n, bins_alloc;
};

/* What is being put in order. */
struct cleaner {
    struct fr_fj_tree *tree;
    const char *text, *p, *end;
    const struct fr_fj_run *run, *runs_end; /* the next that was taken out; end of them */
    const struct fr_fj_bin *taken;
    uint32_t line;
    unsigned dropped;
    const char *why;
};

struct fr_fj_tree *fr_fj_tree_new(void)
{
    struct fr_fj_tree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return NULL;
    tree->tokener = json_tokener_new_ex(DEPTH);
    if (!tree->tokener) {
        free(tree);
        return NULL;
    }
    tree->clean = (struct fr_strbuf)FR_STRBUF_INIT;
    return tree;
}

void fr_fj_tree_free(struct fr_fj_tree *tree)
{
    if (!tree)
        return;
    json_object_put(tree->root);
    json_tokener_free(tree->tokener);
    fr_strbuf_release(&tree->clean);
    free(tree->lines);
    free(tree->bins);
    free(tree);
}

/* ---- putting in order -------------------------------------------------------------------------------------------- */

static void skip_blanks(struct cleaner *c)
{
    for (; c->p < c->end && (fr_is_space(*c->p) || *c->p == 0); c->p++)
        c->line += *c->p == '\n';
}

/* Bytes of the UTF-8 character at p; 0: it is none. */
static size_t utf8_length(const char *p, const char *end)
{
    unsigned char a = (unsigned char)p[0];
    size_t n = a < 0x80 ? 1 : a >= 0xc2 && a < 0xe0 ? 2 : a >= 0xe0 && a < 0xf0 ? 3 : a >= 0xf0 && a < 0xf5 ? 4 : 0;
    if (!n || n > (size_t)(end - p))
        return 0;
    for (size_t i = 1; i < n; i++)
        if (((unsigned char)p[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

/* A backslash at p and what follows it. */
static void clean_escape(struct cleaner *c, struct fr_strbuf *out)
{
    char next = c->p + 1 < c->end ? c->p[1] : 0;
    bool hex = next == 'u' && c->end - c->p >= 6;
    for (int i = 2; hex && i < 6; i++)
        hex = fr_is_digit(c->p[i]) || (fr_lower(c->p[i]) >= 'a' && fr_lower(c->p[i]) <= 'f');
    if (next == '\'') {
        fr_strbuf_addch(out, '\'');
        c->p += 2;
    } else if (next && (strchr("\"\\/bfnrt", next) || hex)) {
        fr_strbuf_add(out, c->p, 2);
        c->p += 2;
    } else {
        fr_strbuf_addstr(out, "\\\\");
        c->p++;
    }
}

/* The rest of a string, after its opening quote, into out, without quotes. */
static bool clean_string(struct cleaner *c, char quote, struct fr_strbuf *out)
{
    while (c->p < c->end && *c->p != quote) {
        const char *from = c->p; /* the plain run first */
        while (c->p < c->end && *c->p != quote && *c->p != '\\' && *c->p != '"' && (unsigned char)*c->p >= 32 &&
               (unsigned char)*c->p < 127)
            c->p++;
        fr_strbuf_add(out, from, (size_t)(c->p - from));
        if (c->p == c->end || *c->p == quote)
            break;
        unsigned char byte = (unsigned char)*c->p;
        size_t n;
        if (byte == '\\') {
            clean_escape(c, out);
        } else if (byte == '\n') { /* wrapped at a blank, by a mail program */
            fr_strbuf_addch(out, ' ');
            for (; c->p < c->end && *c->p == '\n'; c->p++)
                c->line++;
        } else if (byte == '"') {
            fr_strbuf_addstr(out, "\\\"");
            c->p++;
        } else if (byte < 32 || byte == 127) {
            fr_strbuf_addf(out, "\\u%04x", byte);
            c->p++;
        } else if ((n = utf8_length(c->p, c->end)) > 0) {
            fr_strbuf_add(out, c->p, n);
            c->p += n;
        } else {
            fr_strbuf_addch(out, (char)(0xc0 | byte >> 6));
            fr_strbuf_addch(out, (char)(0x80 | (byte & 0x3f)));
            c->p++;
        }
    }
    if (c->p == c->end) {
        c->why = "a string does not end";
        return false;
    }
    c->p++;
    return true;
}

/* JSON's own form of a number: -digits[.digits][e[+-]digits] */
static bool is_json_number(struct fr_str s)
{
    double value;
    fr_take_ch(&s, '-');
    if (!s.n || !fr_is_digit(s.s[0]) || (s.n > 1 && s.s[0] == '0' && fr_is_digit(s.s[1])) || s.s[s.n - 1] == '.')
        return false;
    /* 1e400 is no value either */
    return fr_str_double(s, &value) && value <= 1.7976931348623157e308;
}

/* A number or a word. */
static void clean_scalar(struct cleaner *c, struct fr_strbuf *out)
{
    static const bool stops[256] = {[0] = true,   [','] = true, [']'] = true, ['}'] = true, [':'] = true,
                                    ['{'] = true, ['['] = true, ['"'] = true, ['\''] = true};
    const char *from = c->p;
    while (c->p < c->end && !fr_is_space(*c->p) && !stops[(unsigned char)*c->p])
        c->p++;
    if (c->p == from) /* a NUL byte, or a quote of the other kind */
        c->p++;
    struct fr_str word = fr_strn(from, (size_t)(c->p - from));
    if (is_json_number(word)) {
        fr_strbuf_add(out, word.s, word.n);
        if (word.n > 18 && fr_str_chr(word, '.') == (size_t)-1 && fr_str_chr(word, 'e') == (size_t)-1) {
            uint64_t value;
            if (!fr_str_u64(word, &value)) /* json-c would clamp it without a word */
                fr_strbuf_addstr(out, "e0");
        }
    } else if (fr_str_is_nocase(word, "true") || fr_str_is_nocase(word, "false")) {
        fr_strbuf_addstr(out, fr_lower(word.s[0]) == 't' ? "true" : "false");
    } else {
        if (!fr_str_is(word, "null") && !fr_str_is(word, "None"))
            c->dropped++;
        fr_strbuf_addstr(out, "null");
    }
}

/* The number of a key: PREFIX letters, each five of its bits. */
static void put_number(struct fr_strbuf *out, size_t number)
{
    char text[PREFIX];
    for (unsigned i = PREFIX; i-- > 0; number >>= 5)
        text[i] = (char)('0' + (number & 31));
    fr_strbuf_add(out, text, PREFIX);
}

/* A key, after its opening quote: with its number in front. *bins: it is `bins`. */
static bool clean_key(struct cleaner *c, char quote, struct fr_strbuf *out, bool *bins)
{
    struct fr_fj_tree *tree = c->tree;
    if (tree->lines_n == KEYS_MAX) {
        c->why = "it has too many members";
        return false;
    }
    tree->lines = fr_grow(tree->lines, tree->lines_n, &tree->lines_alloc, sizeof *tree->lines);
    tree->lines[tree->lines_n] = c->line;
    fr_strbuf_addch(out, '"');
    put_number(out, tree->lines_n++);
    size_t at = out->len;
    if (!clean_string(c, quote, out))
        return false;
    *bins = fr_str_is(fr_strn(out->buf + at, out->len - at), "bins");
    fr_strbuf_addch(out, '"');
    return true;
}

/* Digits at c->p, at most 19 of them. False when there are none, or more. */
static bool take_digits(struct cleaner *c, uint64_t *value)
{
    const char *from = c->p;
    *value = 0;
    for (; c->p < c->end && fr_is_digit(*c->p); c->p++) {
        if (c->p - from == 19)
            return false;
        *value = *value * 10 + (uint64_t)(*c->p - '0');
    }
    return c->p > from;
}

static bool take(struct cleaner *c, char ch)
{
    skip_blanks(c);
    if (c->p == c->end || *c->p != ch)
        return false;
    c->p++;
    return true;
}

/* `"KEY" : COUNT`. *is_number: the key is one, else it is one of FIO_IO_U_PLAT_BITS and the like. */
static bool take_bin(struct cleaner *c, struct fr_fj_bin *bin, bool *is_number)
{
    char quote = *c->p++;
    *is_number = take_digits(c, &bin->key) && c->p < c->end && *c->p == quote;
    while (c->p < c->end && *c->p != quote && *c->p != '\n')
        c->p++;
    if (!take(c, quote) || !take(c, ':'))
        return false;
    skip_blanks(c);
    return take_digits(c, &bin->count);
}

/* Stands a run of taken lines here? */
static bool at_run(const struct cleaner *c)
{
    return c->run < c->runs_end && c->p == c->text + c->run->at;
}

/* A run within `bins`, into tree->bins. False when there are too many. */
static bool take_run(struct cleaner *c)
{
    struct fr_fj_tree *tree = c->tree;
    if (c->run->n > BINS_MAX - tree->bins_n)
        return false;
    while (tree->bins_alloc - tree->bins_n < c->run->n)
        tree->bins = fr_grow(tree->bins, tree->bins_alloc, &tree->bins_alloc, sizeof *tree->bins);
    memcpy(tree->bins + tree->bins_n, c->taken + c->run->first, c->run->n * sizeof *tree->bins);
    tree->bins_n += c->run->n;
    c->run++;
    c->p++;
    return true;
}

/* A run elsewhere: members like any other. */
static bool clean_run(struct cleaner *c, struct fr_strbuf *out)
{
    struct fr_fj_tree *tree = c->tree;
    for (size_t i = 0; i < c->run->n; i++) {
        const struct fr_fj_bin *bin = &c->taken[c->run->first + i];
        if (tree->lines_n == KEYS_MAX) {
            c->why = "it has too many members";
            return false;
        }
        tree->lines = fr_grow(tree->lines, tree->lines_n, &tree->lines_alloc, sizeof *tree->lines);
        tree->lines[tree->lines_n] = c->run->line + (uint32_t)i;
        fr_strbuf_addch(out, '"');
        put_number(out, tree->lines_n++);
        fr_strbuf_addf(out, "%llu\":%llu,", (unsigned long long)bin->key, (unsigned long long)bin->count);
    }
    c->run++;
    c->p++;
    return true;
}

/* The members of `bins`, after its `{`, into tree->bins; a note of where they lie there into out. */
static bool take_bins(struct cleaner *c, struct fr_strbuf *out)
{
    struct fr_fj_tree *tree = c->tree;
    size_t first = tree->bins_n;
    bool indexed = false, is_number;
    for (;;) {
        struct fr_fj_bin bin;
        while (take(c, ','))
            ;
        if (take(c, '}'))
            break;
        if (at_run(c) && take_run(c))
            continue;
        if (c->p == c->end || (*c->p != '"' && *c->p != '\'') || tree->bins_n == BINS_MAX ||
            !take_bin(c, &bin, &is_number)) {
            c->why = "its bins are malformed";
            return false;
        }
        if (!is_number) { /* the keys are numbers of bins */
            indexed = true;
            continue;
        }
        tree->bins = fr_grow(tree->bins, tree->bins_n, &tree->bins_alloc, sizeof *tree->bins);
        tree->bins[tree->bins_n++] = bin;
    }
    /* Keys of PREFIX letters at least; in lower case, so that they are no number. */
    fr_strbuf_addf(out, "{\"first\":%zu,\"count\":%zu,\"indexed\":%d}", first, tree->bins_n - first, indexed);
    return true;
}

static bool clean(struct cleaner *c, struct fr_strbuf *out)
{
    char kind[DEPTH + 1];
    unsigned depth = 0;
    bool key_next = false, bins = false;
    for (skip_blanks(c); c->p < c->end; skip_blanks(c)) {
        char ch = *c->p;
        if (at_run(c)) {
            if (!clean_run(c, out))
                return false;
            key_next = true;
        } else if (ch == '"' || ch == '\'') {
            c->p++;
            if (key_next) {
                if (!clean_key(c, ch, out, &bins))
                    return false;
                key_next = false;
                continue;
            }
            fr_strbuf_addch(out, '"');
            if (!clean_string(c, ch, out))
                return false;
            fr_strbuf_addch(out, '"');
        } else if (ch == '{' && bins) {
            c->p++;
            if (!take_bins(c, out))
                return false;
        } else if (ch == '{' || ch == '[') {
            if (depth == DEPTH) {
                c->why = "it is nested too deep";
                return false;
            }
            kind[depth++] = ch;
            key_next = ch == '{';
            fr_strbuf_addch(out, ch);
            c->p++;
        } else if (ch == '}' || ch == ']') {
            depth -= depth > 0;
            key_next = false;
            fr_strbuf_addch(out, ch);
            c->p++;
        } else if (ch == ',' || ch == ':') {
            key_next = ch == ',' && depth && kind[depth - 1] == '{';
            fr_strbuf_addch(out, ch);
            c->p++;
            if (ch == ':')
                continue; /* `bins` is still to be seen */
        } else {
            clean_scalar(c, out);
        }
        bins = false;
    }
    return true;
}

const struct fr_fj_node *fr_fj_parse(struct fr_fj_tree *tree, struct fr_str text, const struct fr_fj_taken *taken,
                                     uint32_t line, const char **why, uint32_t *bad_line, unsigned *dropped)
{
    struct cleaner c = {.tree = tree, .text = text.s, .p = text.s, .end = text.s + text.n, .line = line};
    if (taken && taken->runs_n) {
        c.taken = taken->bins;
        c.run = taken->runs;
        c.runs_end = taken->runs + taken->runs_n;
    }
    json_object_put(tree->root);
    tree->root = NULL;
    fr_strbuf_reset(&tree->clean);
    if (tree->clean.alloc > ((size_t)4 << 20))
        fr_strbuf_release(&tree->clean);
    tree->lines_n = tree->bins_n = 0;
    bool ok = clean(&c, &tree->clean);
    if (ok && c.run < c.runs_end) { /* brackets or quotes do not match: they lie within something else */
        c.why = "its bins are malformed";
        ok = false;
    }
    *dropped += c.dropped;
    if (ok && tree->clean.len < INT32_MAX) {
        json_tokener_reset(tree->tokener);
        tree->root = json_tokener_parse_ex(tree->tokener, fr_strbuf_str(&tree->clean), (int)tree->clean.len + 1);
        if (tree->root)
            return (const struct fr_fj_node *)tree->root;
        c.why = json_tokener_error_desc(json_tokener_get_error(tree->tokener));
        c.line = tree->lines_n ? tree->lines[tree->lines_n - 1] : line;
    }
    *why = c.why ? c.why : "it is too large";
    *bad_line = c.line;
    return NULL;
}

/* ---- looking up -------------------------------------------------------------------------------------------------- */

static struct json_object *object_of(const struct fr_fj_node *node)
{
    return (struct json_object *)(uintptr_t)node; /* json-c's readers take no const */
}

/* The line of a key, by its number. */
static uint32_t line_of(const struct fr_fj_tree *tree, const char *key)
{
    size_t number = 0;
    for (unsigned i = 0; i < PREFIX; i++)
        number = number << 5 | (size_t)(key[i] - '0');
    return number < tree->lines_n ? tree->lines[number] : 0;
}

bool fr_fj_is_object(const struct fr_fj_node *node)
{
    return json_object_is_type(object_of(node), json_type_object);
}

const struct fr_fj_node *fr_fj_get(const struct fr_fj_tree *tree, const struct fr_fj_node *object, const char *key,
                                   uint32_t *line)
{
    if (!object || !fr_fj_is_object(object))
        return NULL;
    json_object_object_foreach(object_of(object), numbered, value)
    {
        if (numbered[PREFIX] == key[0] && strcmp(numbered + PREFIX, key) == 0) {
            if (line)
                *line = line_of(tree, numbered);
            return (const struct fr_fj_node *)value;
        }
    }
    return NULL;
}

void fr_fj_each(const struct fr_fj_tree *tree, const struct fr_fj_node *node,
                void (*each)(void *ctx, const char *key, const struct fr_fj_node *value, uint32_t line), void *ctx)
{
    if (!node)
        return;
    if (json_object_is_type(object_of(node), json_type_array)) {
        size_t n = json_object_array_length(object_of(node));
        for (size_t i = 0; i < n; i++)
            each(ctx, NULL, (const struct fr_fj_node *)json_object_array_get_idx(object_of(node), i), 0);
        return;
    }
    if (!fr_fj_is_object(node))
        return;
    json_object_object_foreach(object_of(node), numbered, value)
    {
        each(ctx, numbered + PREFIX, (const struct fr_fj_node *)value, line_of(tree, numbered));
    }
}

bool fr_fj_string(const struct fr_fj_node *node, struct fr_str *value)
{
    if (!json_object_is_type(object_of(node), json_type_string))
        return false;
    *value = fr_strn(json_object_get_string(object_of(node)), (size_t)json_object_get_string_len(object_of(node)));
    return true;
}

bool fr_fj_plain(const struct fr_fj_node *node, struct fr_arena *arena, struct fr_str *value)
{
    if (fr_fj_string(node, value))
        return true;
    bool boolean = json_object_is_type(object_of(node), json_type_boolean);
    if (!boolean && !json_object_is_type(object_of(node), json_type_int) &&
        !json_object_is_type(object_of(node), json_type_double))
        return false;
    if (boolean)
        *value = fr_str(json_object_get_boolean(object_of(node)) ? "1" : "0");
    else
        *value = fr_str(fr_arena_strdup(arena, json_object_to_json_string(object_of(node))));
    return true;
}

bool fr_fj_number(const struct fr_fj_node *node, double *value, bool *integer)
{
    struct fr_str text;
    bool is_int = json_object_is_type(object_of(node), json_type_int);
    if (integer)
        *integer = is_int;
    if (fr_fj_string(node, &text))
        return fr_str_double(fr_str_trim(text), value);
    if (is_int) {
        int64_t small = json_object_get_int64(object_of(node));
        *value = small < 0 ? (double)small : (double)json_object_get_uint64(object_of(node));
        return true;
    }
    if (!json_object_is_type(object_of(node), json_type_double))
        return false;
    *value = json_object_get_double(object_of(node));
    return true;
}

const struct fr_fj_bin *fr_fj_bins(const struct fr_fj_tree *tree, const struct fr_fj_node *node, size_t *n,
                                   bool *indexed)
{
    struct json_object *place = object_of(node), *at, *count, *by_index;
    /* These keys have no number, so they are take_bins()'s, not the input's. */
    if (!json_object_is_type(place, json_type_object) || !json_object_object_get_ex(place, "first", &at) ||
        !json_object_object_get_ex(place, "count", &count) || !json_object_object_get_ex(place, "indexed", &by_index))
        return NULL;
    size_t first = (size_t)json_object_get_uint64(at);
    *n = (size_t)json_object_get_uint64(count);
    *indexed = json_object_get_int(by_index) != 0;
    if (*n == 0 || first > tree->bins_n || *n > tree->bins_n - first)
        return NULL;
    return tree->bins + first;
}
