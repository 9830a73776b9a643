/* query_dims.c: dimensions, and conditions on them. See query.h. */
#include "query.h"

#include <fnmatch.h>
#include <math.h>

#include "strbuf.h"

#include "banned.h"

static const struct {
    const char *name;
    enum fr_q_dim_kind kind;
} names[] = {{"label", FR_DIM_LABEL},     {"test", FR_DIM_TEST},
             {"op", FR_DIM_OP},           {"source", FR_DIM_SOURCE},
             {"run", FR_DIM_RUN},         {"tool", FR_DIM_TOOL},
             {"host", FR_DIM_HOST},       {"tool_version", FR_DIM_VERSION},
             {"title", FR_DIM_TITLE},     {"metric", FR_DIM_METRIC},
             {"stat", FR_DIM_STAT},       {"job", FR_DIM_JOB},
             {"table", FR_DIM_TABLE},     {"started_at", FR_DIM_STARTED},
             {"version", FR_DIM_VERSION}, {"started", FR_DIM_STARTED},
             {"run_id", FR_DIM_RUN}};

enum { NAMES = sizeof names / sizeof *names, SHOWN = 8 /* values named in a message */ };

static const char *known_key(const void *ctx, size_t i)
{
    const struct fr_q *q = ctx;
    if (i < NAMES)
        return names[i].name;
    return i - NAMES < q->keys_n ? q->keys[i - NAMES] : NULL;
}

bool fr_q_dim_find(struct fr_q *q, struct fr_str name, const char *option, struct fr_q_dim *out)
{
    for (size_t i = 0; i < NAMES; i++)
        if (fr_str_is(name, names[i].name)) {
            *out = (struct fr_q_dim){names[i].kind, names[i].name};
            return true;
        }
    for (size_t i = 0; i < q->keys_n; i++)
        if (fr_str_is(name, q->keys[i])) {
            *out = (struct fr_q_dim){FR_DIM_PARAM, q->keys[i]};
            return true;
        }
    if (!option)
        return false;
    const char *word = fr_arena_copy(&q->arena, name.s, name.n), *near = fr_nearest(word, known_key, q);
    struct fr_q_metric metric;
    if (fr_q_metric_is(name, &metric))
        fr_log_error(q->log, NULL, 0,
                     "%s: '%s' is a metric, what is wanted is a key like label, test, op or a parameter", option, word);
    else if (near)
        fr_log_error(q->log, NULL, 0, "%s: no run has '%s'; did you mean '%s'?", option, word, near);
    else if (strcmp(option, "--sort") == 0 &&
             (fr_str_chr(name, '.') != (size_t)-1 || fr_str_chr(name, ':') != (size_t)-1))
        fr_q_metric_parse(q, name, option, &metric); /* no key looks like that: it says what is wrong with it */
    else
        fr_log_error(q->log, NULL, 0, "%s: no run has '%s'", option, word);
    return false;
}

bool fr_q_dims_has(const struct fr_q_dims *dims, enum fr_q_dim_kind kind, const char *key)
{
    for (size_t i = 0; i < dims->n; i++)
        if (dims->dim[i].kind == kind && (kind != FR_DIM_PARAM || strcmp(dims->dim[i].key, key) == 0))
            return true;
    return false;
}

void fr_q_dims_add(struct fr_q_dims *dims, enum fr_q_dim_kind kind, const char *key)
{
    if (!key)
        for (size_t i = 0; i < NAMES && !key; i++)
            if (names[i].kind == kind)
                key = names[i].name;
    if (dims->n < FR_Q_DIMS_MAX && !fr_q_dims_has(dims, kind, key))
        dims->dim[dims->n++] = (struct fr_q_dim){kind, key};
}

/* Names that tell repeats of one thing from each other. */
static bool counts_runs(const char *key)
{
    static const char *const words[] = {"run",  "rep",     "repeat", "repetition", "iteration", "iter",
                                        "try",  "n",       "nr",     "no",         "i",         "round",
                                        "pass", "attempt", "date",   "time",       "timestamp"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(key, words[i]) == 0)
            return true;
    return false;
}

bool fr_q_identity(const struct fr_q *q, size_t i, struct fr_q_dim *out)
{
    static const struct fr_q_dim always[] = {
        {FR_DIM_LABEL, "label"},   {FR_DIM_TEST, "test"},      {FR_DIM_PARAM, "rw"},      {FR_DIM_PARAM, "bs"},
        {FR_DIM_PARAM, "bs_read"}, {FR_DIM_PARAM, "bs_write"}, {FR_DIM_PARAM, "bs_trim"}, {FR_DIM_PARAM, "iodepth"},
        {FR_DIM_PARAM, "numjobs"}, {FR_DIM_PARAM, "direct"},   {FR_DIM_PARAM, "size"}};
    size_t n = sizeof always / sizeof *always;
    if (i < n) {
        *out = always[i];
        return true;
    }
    for (size_t k = 0; k < q->own_n; k++)
        if (!counts_runs(q->own[k]) && n++ == i) {
            *out = (struct fr_q_dim){FR_DIM_PARAM, q->own[k]};
            return true;
        }
    return false;
}

int fr_q_dims_parse(struct fr_q *q, const char *list, const char *option, struct fr_q_dims *out)
{
    struct fr_str rest = fr_str(list);
    while (rest.n) {
        struct fr_str name = fr_str_trim(fr_take_until(&rest, ','));
        struct fr_q_dim dim;
        if (!name.n)
            continue;
        if (!fr_q_dim_find(q, name, option, &dim))
            return -1;
        if (out->n == FR_Q_DIMS_ASKED)
            return fr_log_error(q->log, NULL, 0, "%s: more than %d keys", option, FR_Q_DIMS_ASKED);
        fr_q_dims_add(out, dim.kind, dim.key);
    }
    return 0;
}

void fr_q_dims_of_op(struct fr_q_dims *dims)
{
    for (size_t i = 0; i < dims->n; i++)
        if (dims->dim[i].kind == FR_DIM_PARAM && strcmp(dims->dim[i].key, "rw") == 0)
            dims->dim[i].kind = FR_DIM_RW;
}

/* The way of the op among those of rw. Keys are compared as pointers: all known ways are those of the list. */
static const char *way_of(const char *rw, const struct fr_q_value *value)
{
    static const struct {
        const char *name;
        enum fr_op op;
    } ways[] = {{"read", FR_OP_READ},       {"randread", FR_OP_READ},   {"write", FR_OP_WRITE},
                {"randwrite", FR_OP_WRITE}, {"trim", FR_OP_TRIM},       {"randtrim", FR_OP_TRIM},
                {"rw", FR_OP_MIXED},        {"readwrite", FR_OP_MIXED}, {"randrw", FR_OP_MIXED}};
    bool list = rw && strchr(rw, ',');
    struct fr_str rest = fr_str(rw ? rw : "");
    while (rest.n) {
        struct fr_str word = fr_take_until(&rest, ',');
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            if (fr_str_is(word, ways[i].name) && (!list || (value && value->op == ways[i].op)))
                return ways[i].name;
    }
    return rw;
}

const char *fr_q_dim_get(const struct fr_q_dim *dim, const struct fr_q_test *test, const struct fr_q_value *value)
{
    switch (dim->kind) {
    case FR_DIM_LABEL:
        return test->run->label;
    case FR_DIM_TEST:
        return test->name;
    case FR_DIM_OP:
        return value && value->op != FR_OP_NONE ? fr_op_name(value->op) : NULL;
    case FR_DIM_SOURCE:
        return test->run->source;
    case FR_DIM_RUN:
        return test->run->id_text;
    case FR_DIM_TOOL:
        return test->run->tool;
    case FR_DIM_VERSION:
        return test->run->version;
    case FR_DIM_HOST: {
        const char *own = fr_q_param(test, "host"); /* --tag host=... */
        return own ? own : test->run->host;
    }
    case FR_DIM_TITLE:
        return test->run->title;
    case FR_DIM_STARTED:
        return test->run->started;
    case FR_DIM_METRIC:
        return value ? fr_metric_get(value->metric)->name : NULL;
    case FR_DIM_STAT:
        return value ? value->stat : NULL;
    case FR_DIM_JOB:
        return test->job_text;
    case FR_DIM_TABLE:
        return test->run->table_text;
    case FR_DIM_RW:
        return way_of(fr_q_param(test, dim->key), value);
    case FR_DIM_PARAM:
        break;
    }
    return fr_q_param(test, dim->key);
}

const char *fr_q_dim_text(struct fr_q *q, const struct fr_q_dim *dim, const char *value)
{
    double number;
    bool bare = dim->kind == FR_DIM_PARAM && fr_q_number(value, &number) && strcmp(dim->key, "bs") != 0;
    return bare ? fr_arena_printf(&q->arena, "%s %s", dim->key, value) : value;
}

bool fr_q_number(const char *text, double *out)
{
    struct fr_str s = fr_str_trim(fr_str(text));
    return fr_str_double(s, out) || fr_size_parse(s, out);
}

/* The number that a text stands for, or begins with: 4096 of the range "4k-64k". What is no parameter may be a version:
 * 5 of "5.10". */
static bool leading_number(enum fr_q_dim_kind kind, const char *text, double *out)
{
    if (kind == FR_DIM_PARAM && fr_q_number(text, out))
        return true;
    struct fr_str word = fr_strn(text, strcspn(text, kind == FR_DIM_PARAM ? "-" : ".-"));
    return fr_str_double(word, out) || fr_size_parse(word, out);
}

int fr_q_compare(enum fr_q_dim_kind kind, const char *a, const char *b)
{
    double x, y;
    if (a == b)
        return 0;
    if (!a || !b)
        return a ? -1 : 1;
    bool is_number = leading_number(kind, a, &x), other = leading_number(kind, b, &y);
    if (is_number != other)
        return is_number ? -1 : 1;
    if (is_number && x != y)
        return x < y ? -1 : 1;
    return strverscmp(a, b);
}

/* ---- conditions -------------------------------------------------------------------------------------------------- */

enum compare { EQ, NE, LT, LE, GT, GE, LIKE };

struct condition {
    const char *text; /* as given */
    struct fr_q_dim dim;
    enum compare compare;
    const char *value;
    bool numeric;
    double number;
};

/* Where the comparison stands, which it is, and its length. */
static bool find_compare(struct fr_str s, size_t *at, size_t *n, enum compare *compare)
{
    static const struct {
        const char *text;
        enum compare compare;
    } all[] = {{"!=", NE}, {"<=", LE}, {">=", GE}, {"==", EQ}, {"=", EQ}, {"<", LT}, {">", GT}, {"~", LIKE}};
    for (*at = 0; *at < s.n; ++*at)
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            if (fr_str_starts(fr_str_from(s, *at), all[i].text)) {
                *n = strlen(all[i].text);
                *compare = all[i].compare;
                return true;
            }
    return false;
}

static int parse_condition(struct fr_q *q, const char *text, struct condition *out)
{
    struct fr_str s = fr_str(text);
    size_t at, n;
    if (!find_compare(s, &at, &n, &out->compare))
        return fr_log_error(q->log, NULL, 0,
                            "--where: '%s' is no condition; write KEY=VALUE, KEY!=VALUE, KEY>=VALUE, KEY~PATTERN",
                            text);
    struct fr_str key = fr_str_trim(fr_str_range(s, 0, at)), value = fr_str_trim(fr_str_from(s, at + n));
    if (!fr_q_dim_find(q, key, "--where", &out->dim))
        return -1;
    out->text = text;
    out->value = fr_arena_copy(&q->arena, value.s, value.n);
    /* 4k is 4096; but 6.1 and 6.10 may be versions, of which neither is the other. */
    bool equality = out->compare == EQ || out->compare == NE;
    out->numeric = out->dim.kind == FR_DIM_PARAM && !(equality && strchr(out->value, '.')) &&
                   fr_q_number(out->value, &out->number);
    return 0;
}

static bool fulfils(const struct condition *c, const char *text)
{
    double number;
    if (!text)
        return c->compare == NE || (c->compare == EQ && !*c->value); /* absent is nothing but different */
    if (c->compare == LIKE)
        return fnmatch(c->value, text, 0) == 0;
    int order;
    if (c->numeric && fr_q_number(text, &number))
        order = number < c->number ? -1 : number > c->number;
    else
        order = fr_q_compare(c->dim.kind, text, c->value);
    switch (c->compare) {
    case EQ:
        return order == 0;
    case NE:
        return order != 0;
    case LT:
        return order < 0;
    case LE:
        return order <= 0;
    case GT:
        return order > 0;
    case GE:
    case LIKE:
        break;
    }
    return order >= 0;
}

static bool of_value(const struct condition *c)
{
    return c->dim.kind == FR_DIM_OP || c->dim.kind == FR_DIM_METRIC || c->dim.kind == FR_DIM_STAT;
}

/* "lvm, zfs, ... (12)": what the key has, among the tests that the conditions before left. */
static void name_values(struct fr_q *q, const struct fr_q_dim *dim, bool values, struct fr_strbuf *out)
{
    const char *seen[64];
    size_t n = 0, total = values ? q->values_n : q->tests_n;
    for (size_t i = 0; i < total && n < 64; i++) {
        const struct fr_q_value *value = values ? &q->values[i] : NULL;
        const struct fr_q_test *test = value ? value->test : &q->tests[i];
        const char *text = test->used ? fr_q_dim_get(dim, test, value) : NULL;
        size_t j = 0;
        while (text && j < n && strcmp(seen[j], text) != 0)
            j++;
        if (text && j == n)
            seen[n++] = text;
    }
    for (size_t i = 0; i < n && i < SHOWN; i++)
        fr_strbuf_addf(out, "%s%s", i ? ", " : "", seen[i]);
    if (n > SHOWN)
        fr_strbuf_addstr(out, n == 64 ? ", and many more" : ", and more");
}

static int nothing_left(struct fr_q *q, const struct condition *c, size_t before, const char *what)
{
    struct fr_strbuf have = FR_STRBUF_INIT;
    name_values(q, &c->dim, of_value(c), &have);
    fr_log_error(q->log, NULL, 0, "nothing matches: --where '%s' leaves none of %zu %s%s; %s is one of: %s", c->text,
                 before, what, before == 1 ? "" : "s", c->dim.key,
                 have.len ? fr_strbuf_str(&have) : "nothing, no run has it");
    fr_strbuf_release(&have);
    return -1;
}

static int filter_tests(struct fr_q *q, const struct condition *c)
{
    size_t before = 0, left = 0;
    bool *keep = calloc(q->tests_n ? q->tests_n : 1, sizeof *keep);
    for (size_t i = 0; keep && i < q->tests_n; i++) {
        before += q->tests[i].used;
        keep[i] = q->tests[i].used && fulfils(c, fr_q_dim_get(&c->dim, &q->tests[i], NULL));
        left += keep[i];
    }
    int result = 0;
    if (!keep)
        result = fr_log_error(q->log, NULL, 0, "out of memory");
    else if (!left)
        result = nothing_left(q, c, before, "test");
    for (size_t i = 0; !result && i < q->tests_n; i++)
        q->tests[i].used = keep[i];
    free(keep);
    return result;
}

static int filter_values(struct fr_q *q, const struct condition *c)
{
    size_t left = 0;
    for (size_t i = 0; i < q->values_n; i++)
        left += fulfils(c, fr_q_dim_get(&c->dim, q->values[i].test, &q->values[i]));
    if (!left)
        return nothing_left(q, c, q->values_n, "value");
    left = 0;
    for (size_t i = 0; i < q->values_n; i++)
        if (fulfils(c, fr_q_dim_get(&c->dim, q->values[i].test, &q->values[i])))
            q->values[left++] = q->values[i];
    q->values_n = left;
    return 0;
}

/* Values of tests that are not used go. */
static void drop_values(struct fr_q *q)
{
    size_t n = 0;
    for (size_t i = 0; i < q->values_n; i++)
        if (q->values[i].test->used)
            q->values[n++] = q->values[i];
    q->values_n = n;
}

static int apply(struct fr_q *q, bool values)
{
    for (size_t i = 0; i < q->tests_n; i++)
        q->tests[i].used = true;
    for (int pass = 0; pass <= (values ? 1 : 0); pass++) {
        for (size_t i = 0; i < q->query->where_n; i++) {
            struct condition c;
            if (parse_condition(q, q->query->where[i], &c) != 0)
                return -1;
            if (of_value(&c) != (pass == 1))
                continue;
            if ((pass ? filter_values(q, &c) : filter_tests(q, &c)) != 0)
                return -1;
        }
        drop_values(q);
    }
    return 0;
}

int fr_q_where(struct fr_q *q)
{
    return apply(q, true);
}

int fr_q_where_tests(struct fr_q *q)
{
    return apply(q, false);
}

int fr_q_where_ops(struct fr_q *q, unsigned *ops)
{
    *ops = (1u << FR_OP_COUNT) - 1;
    for (size_t i = 0; i < q->query->where_n; i++) {
        struct condition c;
        if (parse_condition(q, q->query->where[i], &c) != 0)
            return -1;
        for (unsigned op = 0; op < FR_OP_COUNT && c.dim.kind == FR_DIM_OP; op++)
            if (!fulfils(&c, fr_op_name((enum fr_op)op)))
                *ops &= ~(1u << op);
    }
    return 0;
}
