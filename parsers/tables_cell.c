/*
 * tables_cell.c: see tables.h. What stands in a cell: figures in all styles, and the marks that people put around them.
 */
#include "tables.h"

#include "banned.h"

enum { UNIT_MAX = 32 };

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* What goes: emphasis, code, and marks of footnotes (raised digits, daggers). Longer ones first. */
static const char *const dropped[] = {"**", "__", "`", "<b>", "</b>", "<strong>", "</strong>", "¹", "²", "³",
                                      "⁴",  "⁵",  "⁶", "⁷",   "⁸",    "⁹",        "⁰",         "†", "‡"};

/* What goes with all that it holds: struck text, references to footnotes. */
static const struct {
    const char *open, *close;
} spans[] = {{"~~", "~~"}, {"[^", "]"}, {"<sup>", "</sup>"}, {"<del>", "</del>"}};

/* Bytes of a mark at the start of the text; 0: none. */
static size_t mark_length(struct fr_str s)
{
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (fr_str_starts(s, dropped[i]))
            return strlen(dropped[i]);
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        if (fr_str_starts(s, spans[i].open)) {
            size_t n = strlen(spans[i].open), end = fr_str_find(fr_str_from(s, n), spans[i].close);
            return end == (size_t)-1 ? 0 : n + end + strlen(spans[i].close);
        }
    return 0;
}

/* A sign of praise beside a figure: `100 MB/s ✅`, medals, rockets. */
static size_t sign_length(struct fr_str s)
{
    static const char *const signs[] = {"✅", "✔", "⭐", "⚡", "\xef\xb8\x8f"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (fr_str_starts(s, signs[i]))
            return strlen(signs[i]);
    return !fr_str_starts(s, "\xf0\x9f") ? 0 : s.n < 4 ? s.n : 4;
}

/* A full-width form of an ASCII character, as CJK keyboards type them; 0: none. */
static char narrow(struct fr_str s)
{
    unsigned b = s.n > 2 ? (unsigned char)s.s[1] : 0, d = s.n > 2 ? (unsigned char)s.s[2] : 0;
    if (b < 0xbc || b > 0xbd || (unsigned char)s.s[0] != 0xef)
        return 0;
    unsigned u = (b - 0xbc) * 64 + (d & 0x3f) + ' ';
    return u > ' ' && u < 0x7f ? (char)u : 0;
}

static struct fr_str undressed(struct fr_str s, struct fr_arena *arena)
{
    bool any = false, praised = false;
    struct fr_str whole = s;
    for (size_t i = 0; i < s.n && !any; i++)
        any = (unsigned char)s.s[i] >= 0x80 || memchr("*_`<~[\\", s.s[i], 7);
    if (!any)
        return s;
    char *copy = fr_arena_alloc(arena, s.n + 1);
    size_t n = 0;
    while (s.n) {
        size_t mark = mark_length(s);
        if (!mark && *s.s == '\\' && s.n > 1 && !fr_is_alpha(s.s[1]) && !fr_is_digit(s.s[1]))
            mark = 1;
        char ascii = narrow(s);
        size_t sign = mark ? 0 : sign_length(s);
        praised = praised || sign;
        mark += sign;
        if (mark) {
            s = fr_str_from(s, mark);
        } else if (ascii) {
            copy[n++] = ascii;
            s = fr_str_from(s, 3);
        } else if (fr_str_starts_nocase(s, "<br>")) {
            copy[n++] = ' ';
            s = fr_str_from(s, 4);
        } else {
            copy[n++] = *s.s;
            s = fr_str_from(s, 1);
        }
    }
    s = fr_str_trim(fr_strn(copy, n));
    while (s.n > 1 && s.s[s.n - 1] == '*')
        s = fr_str_rtrim(fr_strn(s.s, s.n - 1));
    return praised && !s.n ? whole : s; /* a sign alone says yes or no */
}

void fr_tables_undress(struct fr_grid *g, struct fr_arena *arena)
{
    for (size_t i = 0; i < g->rows * g->cols; i++)
        g->cells[i] = undressed(g->cells[i], arena);
}

/* `higher is better` from `at` on, or nothing: where it ends. */
static size_t verdict_ends(struct fr_str s, size_t at)
{
    static const char *const words[] = {"higher", "lower", "more", "less", "bigger", "larger", "smaller"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct fr_str rest = fr_str_from(s, at);
        if (!fr_str_starts_nocase(rest, words[i]))
            continue;
        rest = fr_str_ltrim(fr_str_from(rest, strlen(words[i])));
        if (fr_str_starts_nocase(rest, "is ") || fr_str_starts(rest, "= "))
            rest = fr_str_ltrim(fr_str_from(rest, *rest.s == '=' ? 1 : 2));
        if (fr_str_starts_nocase(rest, "better"))
            return s.n - rest.n + strlen("better");
    }
    return at;
}

/* Without the arrow at its end, and `(higher is better)`, `, lower is better`: the figures do not need it. */
struct fr_str fr_tables_name(struct fr_str s, struct fr_arena *arena)
{
    static const char *const arrows[] = {"↑", "↓", "⬆️", "⬇️", "⬆", "⬇"};
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++)
        if (fr_str_ends(s, arrows[i]))
            return fr_str_trim(fr_str_range(s, 0, s.n - strlen(arrows[i])));
    size_t at = 0, end = 0;
    while (at < s.n && (end = verdict_ends(s, at)) == at)
        at++;
    if (at >= s.n)
        return s;
    struct fr_str before = fr_str_rtrim(fr_str_range(s, 0, at)), after = fr_str_ltrim(fr_str_from(s, end));
    char mark = before.n ? before.s[before.n - 1] : 0, close = mark == '(' ? ')' : mark == '[' ? ']' : 0;
    if (close && fr_take_ch(&after, close))
        before = fr_str_rtrim(fr_str_range(before, 0, before.n - 1));
    else if (mark == ',' || mark == ';' || mark == '-' || mark == ':')
        before = fr_str_rtrim(fr_str_range(before, 0, before.n - 1));
    else if (!close && mark)
        return s;
    return fr_str(fr_arena_printf(arena, "%.*s%.*s", FR_STR(before), FR_STR(after)));
}

/* ---- numbers and units ------------------------------------------------------------------------------------------- */

static bool is_absent(struct fr_str s)
{
    static const char *const words[] = {"",     "-",    "--", "---", "\xe2\x80\x93", "\xe2\x80\x94", "n/a", "na",
                                        "n.a.", "none", "x",  "?"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fr_str_is_nocase(s, words[i]))
            return true;
    return false;
}

/* A rate in bits without "bit" in it, and thousands of operations; the rest is fr_unit_find's. */
bool fr_tables_unit(struct fr_str text, struct fr_unit *out)
{
    static const struct {
        const char *name;
        struct fr_unit unit;
    } more[] = {{"kbps", {125, FR_DIM_BYTES_PER_S}},
                {"Kbps", {125, FR_DIM_BYTES_PER_S}},
                {"Mbps", {125e3, FR_DIM_BYTES_PER_S}},
                {"Gbps", {125e6, FR_DIM_BYTES_PER_S}},
                {"Mbit/s", {125e3, FR_DIM_BYTES_PER_S}},
                {"Gbit/s", {125e6, FR_DIM_BYTES_PER_S}},
                /* octets; and in Russian */
                {"ko/s", {1e3, FR_DIM_BYTES_PER_S}},
                {"Ko/s", {1e3, FR_DIM_BYTES_PER_S}},
                {"Mo/s", {1e6, FR_DIM_BYTES_PER_S}},
                {"Go/s", {1e9, FR_DIM_BYTES_PER_S}},
                {"Kio/s", {1024, FR_DIM_BYTES_PER_S}},
                {"Mio/s", {1048576, FR_DIM_BYTES_PER_S}},
                {"Gio/s", {1073741824, FR_DIM_BYTES_PER_S}},
                {"КБ/с", {1e3, FR_DIM_BYTES_PER_S}},
                {"МБ/с", {1e6, FR_DIM_BYTES_PER_S}},
                {"ГБ/с", {1e9, FR_DIM_BYTES_PER_S}},
                {"МиБ/с", {1048576, FR_DIM_BYTES_PER_S}},
                {"КиБ/с", {1024, FR_DIM_BYTES_PER_S}},
                {"ГиБ/с", {1073741824, FR_DIM_BYTES_PER_S}},
                {"io/sec", {1, FR_DIM_OPS}},
                {"IO/sec", {1, FR_DIM_OPS}},
                {"kio/s", {0, FR_DIM_NONE}}}; /* thousands of operations, or octets: not known */
    text = fr_str_trim(text);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (fr_str_is(text, more[i].name)) {
            *out = more[i].unit;
            return out->dim != FR_DIM_NONE;
        }
    if (fr_unit_find(text, FR_KILO_1000, out)) /* `US` is a country */
        return out->dim != FR_DIM_SECONDS || text.n > 2 || *text.s < 'A' || *text.s > 'Z';
    double thousand = text.n && (*text.s == 'k' || *text.s == 'K') ? 1e3 : text.n && *text.s == 'M' ? 1e6 : 0;
    if (thousand == 0 || !fr_unit_find(fr_str_from(text, 1), FR_KILO_1000, out) || out->dim != FR_DIM_OPS)
        return false;
    out->factor *= thousand;
    return true;
}

/* Digits in groups of three after the first, which begins with no zero: `1,234,567`. */
static bool is_grouped(struct fr_str s, char mark)
{
    size_t run = 0, groups = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.s[i] == mark) {
            if (run == 0 || run > 3 || (groups && run != 3) || (!groups && s.s[i - run] == '0'))
                return false;
            groups++;
            run = 0;
        } else if (fr_is_digit(s.s[i])) {
            run++;
        } else {
            return false;
        }
    }
    return groups > 0 && run == 3;
}

static size_t marks(struct fr_str s, char mark)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += s.s[i] == mark;
    return n;
}

/* A blank or an apostrophe between groups of three: `1 900`, `45'000`. */
static bool is_gap(struct fr_str s, size_t i)
{
    size_t before = 0, after = 0;
    if (s.s[i] != ' ' && s.s[i] != '\'')
        return false;
    while (before < i && before < 4 && fr_is_digit(s.s[i - before - 1]))
        before++;
    while (i + 1 + after < s.n && after < 4 && fr_is_digit(s.s[i + 1 + after]))
        after++;
    return before > 0 && before < 4 && after == 3;
}

/*
 * Take a number; a comma is the decimal mark where the table says so, else it groups thousands. A single mark that
 * cannot group is the decimal mark whatever the table says.
 */
static bool take_number(struct fr_str *s, bool decimal_comma, double *out)
{
    char text[64], digits[64];
    size_t n = 0, len = 0, k = 0;
    for (; n < s->n && len < sizeof text; n++) {
        bool mark = (s->s[n] == '.' || s->s[n] == ',') && n + 1 < s->n && fr_is_digit(s->s[n + 1]);
        if (fr_is_digit(s->s[n]) || mark)
            text[len++] = s->s[n];
        else if (!is_gap(*s, n))
            break;
    }
    struct fr_str all = fr_strn(text, len);
    char decimal = decimal_comma ? ',' : '.', group = decimal_comma ? '.' : ',';
    if (marks(all, decimal) == 0 && marks(all, group) == 1 && !is_grouped(all, group)) {
        char was = decimal;
        decimal = group;
        group = was;
    }
    struct fr_str whole = fr_str_range(all, 0, fr_str_chr(all, decimal));
    if (!len || len == sizeof text || marks(all, decimal) > 1 || (marks(whole, group) && !is_grouped(whole, group)) ||
        marks(whole, group) != marks(all, group))
        return false;
    for (size_t i = 0; i < len; i++)
        if (text[i] != group)
            digits[k++] = text[i] == decimal ? '.' : text[i];
    if (!fr_str_double(fr_strn(digits, k), out))
        return false;
    *s = fr_str_from(*s, n);
    return true;
}

/* `± 5`, `+/- 0.3 %` behind a figure: how far it strayed, in a measure that is not said. */
static void take_spread(struct fr_str *s, bool decimal_comma)
{
    struct fr_str rest = fr_str_ltrim(*s);
    double x;
    if (!fr_take(&rest, "±") && !fr_take(&rest, "+/-") && !fr_take(&rest, "+-"))
        return;
    fr_take_blanks(&rest);
    if (!take_number(&rest, decimal_comma, &x))
        return;
    fr_take_blanks(&rest);
    fr_take_ch(&rest, '%');
    *s = rest;
}

/* `1,234.5`, but neither `ext4` nor the shares `70/30`. */
static bool ends_in_number(struct fr_str s)
{
    size_t i = s.n;
    while (i && (fr_is_digit(s.s[i - 1]) || s.s[i - 1] == '.' || s.s[i - 1] == ','))
        i--;
    return i < s.n && fr_is_digit(s.s[s.n - 1]) && !(i && (fr_is_alpha(s.s[i - 1]) || s.s[i - 1] == '/'));
}

/* A unit of a rate in the line; *behind_number: right behind a number, so that the line is no head. */
bool fr_tables_mention_rate(struct fr_str s, bool *behind_number)
{
    static const char *const ends[] = {"b/s", "bps", "bit/s", "b/sec", "iops", "io/s", "bytes/s"};
    bool any = false;
    *behind_number = false;
    for (size_t i = 0; i < s.n; i++) {
        bool octets = s.s[i] == 'o' && i && memchr("kKMG", s.s[i - 1], 4) && fr_str_starts(fr_str_from(s, i), "o/s");
        any = any || octets || fr_str_starts(fr_str_from(s, i), "Б/с");
        *behind_number = *behind_number || (octets && ends_in_number(fr_str_rtrim(fr_str_range(s, 0, i - 1))));
        if (fr_lower(s.s[i]) != 'b' && fr_lower(s.s[i]) != 'i')
            continue;
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            if (fr_str_starts_nocase(fr_str_from(s, i), ends[k])) {
                size_t j = i;
                while (j && j + 2 > i && fr_is_alpha(s.s[j - 1]))
                    j--;
                while (j && s.s[j - 1] == ' ')
                    j--;
                any = true;
                *behind_number = *behind_number || ends_in_number(fr_str_range(s, 0, j));
            }
    }
    return any;
}

/* A number in front, a unit behind. */
static enum fr_cell read_figure(struct fr_str s, bool decimal_comma, struct fr_quantity *q)
{
    if (!take_number(&s, decimal_comma, &q->value))
        return FR_CELL_TEXT;
    take_spread(&s, decimal_comma);
    s = fr_str_trim(s);
    q->unit = (struct fr_unit){1, FR_DIM_NONE};
    if (!s.n)
        return FR_CELL_NUMBER;
    if (fr_str_is(s, "k") || fr_str_is(s, "K") || fr_str_is(s, "M")) {
        q->unit.factor = *s.s == 'M' ? 1e6 : 1e3;
        return FR_CELL_NUMBER;
    }
    if (s.n >= UNIT_MAX || !fr_tables_unit(s, &q->unit)) {
        size_t spread = fr_str_find(s, "±");
        struct fr_str tail = fr_str_from(s, spread), unit = fr_str_trim(fr_str_range(s, 0, spread));
        take_spread(&tail, decimal_comma);
        if (spread == (size_t)-1 || fr_str_trim(tail).n || unit.n >= UNIT_MAX || !fr_tables_unit(unit, &q->unit))
            return FR_CELL_TEXT;
    }
    return q->unit.dim == FR_DIM_RATIO ? FR_CELL_EMPTY : FR_CELL_VALUE;
}

/* Where a second figure or a remark begins: `(446kB/s)`, ` / 125k IOPS`, `, cached`. */
static size_t second_begins(struct fr_str s, size_t *length)
{
    static const char *const marks_between[] = {" (", " / ", ", ", "; ", " @ "};
    size_t first = (size_t)-1;
    for (size_t i = 0; i < sizeof marks_between / sizeof *marks_between; i++) {
        size_t at = fr_str_find(s, marks_between[i]);
        if (at < first) {
            first = at;
            *length = strlen(marks_between[i]);
        }
    }
    return first;
}

/* `100 MB / s`: without the blanks, into `buffer`; else the text itself. */
static struct fr_str joined_rate(struct fr_str s, char buffer[UNIT_MAX])
{
    static const char *const ends[] = {" / s", " / sec", " / second", "/ s", " /s"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t n = strlen(ends[i]);
        if (s.n > n && s.n < UNIT_MAX && fr_str_ends(s, ends[i])) {
            snprintf(buffer, UNIT_MAX, "%.*s/s", FR_STR(fr_str_rtrim(fr_str_range(s, 0, s.n - n))));
            return fr_str(buffer);
        }
    }
    return s;
}

enum fr_cell fr_tables_cell(struct fr_str s, bool decimal_comma, struct fr_quantity q[2])
{
    bool number;
    char buffer[UNIT_MAX];
    size_t length = 0, second;
    memset(q, 0, 2 * sizeof *q);
    if (is_absent(s))
        return FR_CELL_EMPTY;
    s = joined_rate(s, buffer);
    enum fr_cell kind = read_figure(s, decimal_comma, &q[0]);
    if (kind == FR_CELL_TEXT && (second = second_begins(s, &length)) != (size_t)-1) {
        struct fr_str rest = fr_str_from(s, second + length);
        bool paren = s.s[second + 1] == '(';
        if (paren && fr_str_ends(rest, ")"))
            rest = fr_str_range(rest, 0, rest.n - 1);
        kind = read_figure(fr_str_range(s, 0, second), decimal_comma, &q[0]);
        enum fr_cell second_kind = read_figure(rest, decimal_comma, &q[1]);
        bool other = second_kind == FR_CELL_VALUE;
        if (!other && fr_tables_mention_rate(rest, &number))
            kind = FR_CELL_TEXT; /* more than can be told apart */
        else if (other && q[1].unit.dim == q[0].unit.dim && !paren)
            kind = FR_CELL_TEXT;                     /* `500 MB/s / 400 MB/s` */
        bool amount = q[1].unit.dim == FR_DIM_BYTES; /* `3,000 (20 GB)`: says of what, and is no result */
        if ((!other && second_kind != FR_CELL_NUMBER) || q[1].unit.dim == q[0].unit.dim || amount)
            q[1].unit = (struct fr_unit){0, FR_DIM_NONE};
    }
    if (kind != FR_CELL_TEXT)
        return kind;
    for (size_t i = 0; i < s.n; i++)
        if (fr_is_digit(s.s[i]) && fr_tables_mention_rate(s, &number))
            return FR_CELL_ODD;
    return FR_CELL_TEXT;
}

/* Does any number of the table use the comma as its decimal mark: two commas are groups, `97,7` is not. */
bool fr_tables_decimal_comma(const struct fr_grid *g)
{
    for (size_t r = 1; r < g->rows; r++)
        for (size_t c = 1; c < g->cols; c++) {
            struct fr_str s = fr_grid_cell(g, r, c);
            size_t n = 0;
            while (n < s.n && (fr_is_digit(s.s[n]) || s.s[n] == '.' || s.s[n] == ','))
                n++;
            struct fr_str number = fr_str_range(s, 0, n);
            size_t comma = fr_str_rfind(number, ",");
            if (comma == (size_t)-1 || comma + 1 >= n)
                continue;
            size_t point = fr_str_rfind(number, ".");
            if (marks(number, ',') == 1 && (point == (size_t)-1 ? !is_grouped(number, ',') : point < comma))
                return true;
        }
    return false;
}
