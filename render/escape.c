/* escape.c: see escape.h. */
#include "escape.h"
#include "scan.h"
#include "utf8.h"

#include "banned.h"

/* Where a character stands: what is before (0: nothing) and after it, and whether no blank came yet. */
struct at {
    uint32_t before;
    const char *after;
    bool first_word;
};

/* What a character becomes: `to` always, or `to` only where `when` says so. */
struct rule {
    char c;
    const char *to;
    bool (*when)(const struct at *at);
};

static void escape(struct fr_strbuf *out, const char *text, const struct rule *rules, size_t n)
{
    struct at at = {0, text, true};
    for (uint32_t c; (c = fr_utf8_clean(&at.after)) != 0; at.before = c) {
        const struct rule *rule = NULL;
        for (size_t i = 0; i < n && !rule && c < 0x80; i++)
            if (rules[i].c == (char)c && (!rules[i].when || rules[i].when(&at)))
                rule = &rules[i];
        if (rule)
            fr_strbuf_addstr(out, rule->to);
        else
            fr_utf8_add(out, c);
        at.first_word = at.first_word && c != ' ' && c != '\n';
    }
}

#define ESCAPE(out, text, rules) escape((out), (text), (rules), sizeof(rules) / sizeof *(rules))

static bool at_start(const struct at *at)
{
    return at->before == 0;
}

static bool at_start_of_item(const struct at *at)
{
    return at->before == 0 && (*at->after == 0 || fr_is_space(*at->after));
}

/* `&` begins an entity. */
static bool at_entity(const struct at *at)
{
    return fr_is_alpha(*at->after) || *at->after == '#';
}

/* Within a link that GitHub makes of a bare address, escapes are not read: it must not become one. */
static bool at_address(const struct at *at)
{
    return at->after[0] == '/' && at->after[1] == '/';
}

static bool after_www(const struct at *at)
{
    return at->before == 'w' || at->before == 'W';
}

void fr_escape_md(struct fr_strbuf *out, const char *text)
{
    static const struct rule rules[] = {
        {'|', "\\|", NULL},      {'\\', "\\\\", NULL},     {'`', "\\`", NULL},      {'*', "\\*", NULL},
        {'_', "\\_", NULL},      {'<', "\\<", NULL},       {'#', "\\#", NULL},      {'[', "\\[", NULL},
        {']', "\\]", NULL},      {'~', "\\~", NULL},       {'$', "\\$", NULL},      {'>', "\\>", at_start},
        {'&', "\\&", at_entity}, {':', "\\:", at_address}, {'.', "\\.", after_www}, {'\n', "<br>", NULL},
    };
    ESCAPE(out, text, rules);
}

void fr_escape_text(struct fr_strbuf *out, const char *text)
{
    static const struct rule rules[] = {{'\n', " ", NULL}};
    ESCAPE(out, text, rules);
}

void fr_escape_html(struct fr_strbuf *out, const char *text)
{
    static const struct rule rules[] = {
        {'&', "&amp;", NULL},  {'<', "&lt;", NULL},   {'>', "&gt;", NULL},
        {'"', "&quot;", NULL}, {'\'', "&#39;", NULL}, {'\n', "<br>", NULL},
    };
    ESCAPE(out, text, rules);
}

static bool before_hyphen(const struct at *at)
{
    return *at->after == '-';
}

void fr_escape_latex(struct fr_strbuf *out, const char *text)
{
    static const struct rule rules[] = {
        {'\\', "\\textbackslash{}", NULL},
        {'{', "\\{", NULL},
        {'}', "\\}", NULL},
        {'$', "\\$", NULL},
        {'&', "\\&", NULL},
        {'#', "\\#", NULL},
        {'_', "\\_", NULL},
        {'%', "\\%", NULL},
        {'^', "\\textasciicircum{}", NULL},
        {'~', "\\textasciitilde{}", NULL},
        {'<', "\\textless{}", NULL},
        {'>', "\\textgreater{}", NULL},
        {'|', "\\textbar{}", NULL},
        {'`', "\\textasciigrave{}", NULL},
        {'"', "\\textquotedbl{}", NULL},
        {'[', "{[}", at_start},
        {'*', "{*}", at_start},
        {'-', "-{}", before_hyphen},
        {'\n', " ", NULL},
    };
    ESCAPE(out, text, rules);
}

static bool at_list_number(const struct at *at)
{
    return at->first_word && (*at->after == 0 || fr_is_space(*at->after));
}

/* `::`, `:field:`, a role before a backtick */
static bool at_colon(const struct at *at)
{
    return at->before == 0 || at->before == ':' || at->first_word || *at->after == ':' || *at->after == '`';
}

static bool at_comment(const struct at *at)
{
    return at->before == 0 && *at->after == '.';
}

void fr_escape_rst(struct fr_strbuf *out, const char *text)
{
    static const struct rule rules[] = {
        {'\\', "\\\\", NULL},
        {'*', "\\*", NULL},
        {'`', "\\`", NULL},
        {'_', "\\_", NULL},
        {'|', "\\|", NULL},
        {'-', "\\-", at_start_of_item},
        {'+', "\\+", at_start_of_item},
        {'=', "\\=", at_start},
        {'#', "\\#", at_start},
        {'(', "\\(", at_start},
        {'>', "\\>", at_start},
        {':', "\\:", at_colon},
        {'[', "\\[", NULL},
        {'.', "\\.", at_comment},
        {'.', "\\.", at_list_number},
        {')', "\\)", at_list_number},
        {'\n', " ", NULL},
    };
    ESCAPE(out, text, rules);
}

/* (C), (R), (TM), ((index)) */
static bool at_sign(const struct at *at)
{
    return ((at->after[0] == 'C' || at->after[0] == 'R' || at->after[0] == 'T') &&
            (at->after[1] == ')' || at->after[1] == 'M')) ||
           *at->after == '(';
}

static bool at_arrow(const struct at *at)
{
    return *at->after == '-' || *at->after == '>' || at->before == '<' || at->before == 0;
}

/* a scheme, a list */
static bool at_scheme(const struct at *at)
{
    return at->before == 0 || *at->after == '/' || *at->after == ':' || *at->after == ';' || at->before == ':';
}

static bool at_dots(const struct at *at)
{
    return *at->after == '.' || at->before == 0;
}

void fr_escape_asciidoc(struct fr_strbuf *out, const char *text)
{
    static const struct rule rules[] = {
        {'|', "{vbar}", NULL},   {'*', "&#42;", NULL},      {'_', "&#95;", NULL},      {'`', "&#96;", NULL},
        {'#', "&#35;", NULL},    {'^', "&#94;", NULL},      {'~', "&#126;", NULL},     {'+', "&#43;", NULL},
        {'{', "&#123;", NULL},   {'}', "&#125;", NULL},     {'[', "&#91;", NULL},      {']', "&#93;", NULL},
        {'\\', "&#92;", NULL},   {'\'', "&#39;", NULL},     {'"', "&#34;", NULL},      {'&', "&#38;", at_entity},
        {'(', "&#40;", at_sign}, {'-', "&#45;", at_arrow},  {'=', "&#61;", at_arrow},  {'.', "&#46;", at_dots},
        {'<', "&#60;", NULL},    {':', "&#58;", at_scheme}, {';', "&#59;", at_scheme}, {'\n', " ", NULL},
    };
    ESCAPE(out, text, rules);
}

/* Org's emphasis begins after a blank, a bracket or a quote. */
static bool at_emphasis(const struct at *at)
{
    return at->before == 0 || (at->before < 0x80 && strchr(" \n-({'\"", (char)at->before));
}

static bool at_letter(const struct at *at)
{
    return fr_is_alpha(*at->after) || (*at->after && strchr("([_\\", *at->after));
}

static bool before_bracket(const struct at *at)
{
    return *at->after == '[' || *at->after == 'f';
}

void fr_escape_org(struct fr_strbuf *out, const char *text)
{
    /* A zero width space is Org's own way to break a mark that has no entity. */
    static const struct rule rules[] = {
        {'|', "\\vert{}", NULL},
        {'_', "\\under{}", NULL},
        {'^', "\\asciicirc{}", NULL},
        {'*', "\\ast{}", NULL},
        {'<', "\\lt{}", NULL},
        {'/', "\\slash{}", at_emphasis},
        {'=', "\\equal{}", at_emphasis},
        {'~', "\\tilde{}", at_emphasis},
        {'+', "\\plus{}", at_emphasis},
        {'$', "\\dollar{}", NULL},
        {'\\', "\\\xE2\x80\x8B", at_letter},
        {'[', "[\xE2\x80\x8B", before_bracket},
        {'#', "\\num{}", at_start},
        {'\n', " ", NULL},
    };
    ESCAPE(out, text, rules);
}

bool fr_text_is_formula(const char *text)
{
    static const char *const starts[] = {"=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"};
    struct fr_str s = fr_str(text);
    double number;
    if (fr_str_double(s, &number))
        return false;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (fr_str_starts(s, starts[i]))
            return true;
    return false;
}

/* Without control characters other than tab, line feed and carriage return. */
static uint32_t plain_next(const char **text)
{
    if (**text == '\t' || **text == '\r')
        return (uint32_t) * (*text)++;
    return fr_utf8_clean(text);
}

void fr_escape_csv(struct fr_strbuf *out, const char *text)
{
    bool formula = fr_text_is_formula(text);
    bool quote = formula || strpbrk(text, ",\";\n\r\t") || *text == ' ' || (*text && text[strlen(text) - 1] == ' ');
    if (quote)
        fr_strbuf_addch(out, '"');
    if (formula)
        fr_strbuf_addch(out, '\'');
    for (uint32_t c; (c = plain_next(&text)) != 0;) {
        if (c == '"')
            fr_strbuf_addch(out, '"');
        fr_utf8_add(out, c);
    }
    if (quote)
        fr_strbuf_addch(out, '"');
}

void fr_escape_tsv(struct fr_strbuf *out, const char *text)
{
    if (fr_text_is_formula(text))
        fr_strbuf_addch(out, '\'');
    for (uint32_t c; (c = plain_next(&text)) != 0;) {
        const char *to = c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\r' ? "\\r" : c == '\\' ? "\\\\" : NULL;
        if (to)
            fr_strbuf_addstr(out, to);
        else
            fr_utf8_add(out, c);
    }
}

void fr_escape_json(struct fr_strbuf *out, const char *text)
{
    for (uint32_t c; (c = fr_utf8_next(&text)) != 0;) {
        const char *to = c == '"'    ? "\\\""
                         : c == '\\' ? "\\\\"
                         : c == '\n' ? "\\n"
                         : c == '\r' ? "\\r"
                         : c == '\t' ? "\\t"
                                     : NULL;
        if (to)
            fr_strbuf_addstr(out, to);
        else if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029)
            fr_strbuf_addf(out, "\\u%04x", (unsigned)c);
        else
            fr_utf8_add(out, c);
    }
}
