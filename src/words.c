/* words.c: see words.h. */
#include "words.h"

#include <stdio.h>

#include "banned.h"

enum { TOKENS_MAX = 32, TOKEN_MAX = 40, BLOCK_MAX = 64 << 20 };

/* ---- words ------------------------------------------------------------------------------------------------------- */

enum effect {
    W_READ = 1,
    W_WRITE = 2,
    W_TRIM = 4,
    W_MIXED = 8,
    W_RANDOM = 16,
    W_SEQ = 32,
    W_LATENCY = 64,
    W_OTHER = 128,
    W_CLAT = 256,
    W_SLAT = 512
};

static const struct {
    const char *word;
    unsigned effect;
} words[] = {{"read", W_READ},
             {"reads", W_READ},
             {"reading", W_READ},
             {"write", W_WRITE},
             {"writes", W_WRITE},
             {"writing", W_WRITE},
             {"randread", W_READ | W_RANDOM},
             {"randwrite", W_WRITE | W_RANDOM},
             {"seqread", W_READ | W_SEQ},
             {"seqwrite", W_WRITE | W_SEQ},
             {"trim", W_TRIM},
             {"randtrim", W_TRIM | W_RANDOM},
             {"rw", W_MIXED},
             {"readwrite", W_MIXED},
             {"randrw", W_MIXED | W_RANDOM},
             {"mix", W_MIXED},
             {"mixed", W_MIXED},
             {"rand", W_RANDOM},
             {"random", W_RANDOM},
             {"rnd", W_RANDOM},
             {"seq", W_SEQ},
             {"sequential", W_SEQ},
             {"lat", W_LATENCY},
             {"latency", W_LATENCY},
             {"clat", W_LATENCY | W_CLAT},
             {"slat", W_LATENCY | W_SLAT},
             {"iops", W_OTHER},
             {"bw", W_OTHER},
             {"bandwidth", W_OTHER},
             {"throughput", W_OTHER},
             {"speed", W_OTHER},
             {"rate", W_OTHER},
             {"performance", W_OTHER},
             {"result", W_OTHER},
             {"results", W_OTHER},
             {"value", W_OTHER},
             {"total", W_OTHER},
             {"time", W_OTHER},
             {"duration", W_OTHER},
             {"elapsed", W_OTHER},
             {"percent", W_OTHER},
             {"b", W_OTHER},
             {"kb", W_OTHER},
             {"mb", W_OTHER},
             {"gb", W_OTHER},
             {"kib", W_OTHER},
             {"mib", W_OTHER},
             {"gib", W_OTHER},
             {"s", W_OTHER},
             {"sec", W_OTHER},
             {"ms", W_OTHER},
             {"us", W_OTHER},
             {"\xc2\xb5s", W_OTHER}, /* the sign of micro, and the letter */
             {"\xce\xbcs", W_OTHER},
             {"ns", W_OTHER},
             {"usec", W_OTHER},
             {"msec", W_OTHER},
             {"nsec", W_OTHER},
             {"second", W_OTHER},
             {"seconds", W_OTHER},
             {"kiops", W_OTHER},
             {"ops", W_OTHER},
             {"mbps", W_OTHER},
             {"gbps", W_OTHER},
             {"percentile", W_OTHER},
             {"percentiles", W_OTHER},
             /* in other languages, small letters; CJK words stand together without blanks */
             {"读", W_READ},
             {"讀", W_READ},
             {"读取", W_READ},
             {"讀取", W_READ},
             {"写", W_WRITE},
             {"寫", W_WRITE},
             {"写入", W_WRITE},
             {"寫入", W_WRITE},
             {"随机", W_RANDOM},
             {"隨機", W_RANDOM},
             {"顺序", W_SEQ},
             {"順序", W_SEQ},
             {"连续", W_SEQ},
             {"循序", W_SEQ},
             {"混合", W_MIXED},
             {"延迟", W_LATENCY},
             {"延遲", W_LATENCY},
             {"时延", W_LATENCY},
             {"带宽", W_OTHER},
             {"頻寬", W_OTHER},
             {"吞吐", W_OTHER},
             {"吞吐量", W_OTHER},
             {"速度", W_OTHER},
             {"速率", W_OTHER},
             {"性能", W_OTHER},
             {"测试", W_OTHER},
             {"值", W_OTHER},
             {"数值", W_OTHER},
             {"结果", W_OTHER},
             {"値", W_OTHER},
             {"結果", W_OTHER},
             {"読み込み", W_READ},
             {"読み取り", W_READ},
             {"読み出し", W_READ},
             {"書き込み", W_WRITE},
             {"リード", W_READ},
             {"ライト", W_WRITE},
             {"ランダム", W_RANDOM},
             {"シーケンシャル", W_SEQ},
             {"レイテンシ", W_LATENCY},
             {"レイテンシー", W_LATENCY},
             {"スループット", W_OTHER},
             {"帯域", W_OTHER},
             {"읽기", W_READ},
             {"쓰기", W_WRITE},
             {"순차", W_SEQ},
             {"랜덤", W_RANDOM},
             {"임의", W_RANDOM},
             {"지연", W_LATENCY},
             {"지연시간", W_LATENCY},
             {"대역폭", W_OTHER},
             {"처리량", W_OTHER},
             {"속도", W_OTHER},
             {"값", W_OTHER},
             {"결과", W_OTHER},
             {"lesen", W_READ},
             {"schreiben", W_WRITE},
             {"sequentiell", W_SEQ},
             {"sequentielles", W_SEQ},
             {"sequenziell", W_SEQ},
             {"sequenzielles", W_SEQ},
             {"zufällig", W_RANDOM},
             {"zufälliges", W_RANDOM},
             {"latenz", W_LATENCY},
             {"durchsatz", W_OTHER},
             {"wert", W_OTHER},
             {"ergebnis", W_OTHER},
             {"lecture", W_READ},
             {"écriture", W_WRITE},
             {"ecriture", W_WRITE},
             {"séquentiel", W_SEQ},
             {"séquentielle", W_SEQ},
             {"sequentielle", W_SEQ},
             {"aléatoire", W_RANDOM},
             {"aleatoire", W_RANDOM},
             {"latence", W_LATENCY},
             {"débit", W_OTHER},
             {"valeur", W_OTHER},
             {"résultat", W_OTHER},
             {"lectura", W_READ},
             {"escritura", W_WRITE},
             {"secuencial", W_SEQ},
             {"aleatoria", W_RANDOM},
             {"latencia", W_LATENCY},
             {"leitura", W_READ},
             {"escrita", W_WRITE},
             {"sequencial", W_SEQ},
             {"aleatória", W_RANDOM},
             {"latência", W_LATENCY},
             {"lettura", W_READ},
             {"scrittura", W_WRITE},
             {"sequenziale", W_SEQ},
             {"casuale", W_RANDOM},
             {"latenza", W_LATENCY},
             {"чтение", W_READ},
             {"запись", W_WRITE},
             {"последовательное", W_SEQ},
             {"последовательная", W_SEQ},
             {"случайное", W_RANDOM},
             {"случайная", W_RANDOM},
             {"задержка", W_LATENCY},
             {"скорость", W_OTHER},
             {"значение", W_OTHER},
             {"результат", W_OTHER},
             {"odczyt", W_READ},
             {"zapis", W_WRITE},
             {"sekwencyjny", W_SEQ},
             {"losowy", W_RANDOM}};

static unsigned effect_of(struct fr_str token)
{
    for (size_t i = 0; token.n && i < sizeof words / sizeof *words; i++)
        if (*words[i].word == *token.s && fr_str_is(token, words[i].word))
            return words[i].effect;
    return 0;
}

/* `4k`, `1M`, `128kib`: with a letter; bare numbers are not sizes here. */
static bool is_size(struct fr_str token, double *bytes)
{
    return token.n > 1 && fr_is_digit(*token.s) && !fr_is_digit(token.s[token.n - 1]) && fr_size_parse(token, bytes) &&
           *bytes >= 512;
}

/* `q32t16`, `qd32`, `q8`, `t4`. */
static bool is_depth(struct fr_str token, struct fr_words *w)
{
    uint64_t q, t = 0;
    struct fr_str s = token;
    bool threads_only = fr_take_ch(&s, 't');
    if (!threads_only && !fr_take(&s, "qd") && !fr_take_ch(&s, 'q'))
        return false;
    if (!fr_take_u64(&s, &q, NULL) || q == 0 || q > 65536)
        return false;
    if (!threads_only && fr_take_ch(&s, 't') && (!fr_take_u64(&s, &t, NULL) || t > 65536))
        return false;
    if (s.n)
        return false;
    if (threads_only)
        w->numjobs = (unsigned)q;
    else
        w->iodepth = (unsigned)q;
    if (t)
        w->numjobs = (unsigned)t;
    return true;
}

struct reading {
    struct fr_words *w;
    unsigned effects, shared; /* `shared`: said with a share, `70% read` */
    size_t known, unknown, sizes;
    const char *percent; /* the statistic that a share of latencies is: `99% latency` */
};

/* What is bigger than any block is the size of a file. */
static void add_size(struct reading *r, double bytes)
{
    r->known++;
    if (bytes > (double)BLOCK_MAX)
        return;
    r->sizes += r->sizes == 0 || r->w->bs != bytes;
    r->w->bs = bytes;
}

/* `seq1m`, `rnd4k`: CrystalDiskMark's names. */
static bool is_cdm(struct fr_str token, struct reading *r)
{
    double bytes;
    struct fr_str s = token;
    bool random = fr_take(&s, "rnd") || fr_take(&s, "rand");
    if ((!random && !fr_take(&s, "seq")) || !is_size(s, &bytes))
        return false;
    r->effects |= random ? W_RANDOM : W_SEQ;
    add_size(r, bytes);
    return true;
}

/* A statistic by name; static. */
static const char *stat_of(struct fr_str token)
{
    static const struct {
        const char *word, *stat;
    } stats[] = {{"max", "max"},      {"maximum", "max"},   {"min", "min"},     {"minimum", "min"},  {"median", "p50"},
                 {"p50", "p50"},      {"p90", "p90"},       {"p95", "p95"},     {"p99", "p99"},      {"p99.9", "p99.9"},
                 {"p999", "p99.9"},   {"p99.99", "p99.99"}, {"stdev", "stdev"}, {"stddev", "stdev"}, {"avg", "mean"},
                 {"average", "mean"}, {"mean", "mean"},     {"50th", "p50"},    {"90th", "p90"},     {"95th", "p95"},
                 {"99th", "p99"},     {"99.9th", "p99.9"},  {"平均", "mean"},   {"평균", "mean"},    {"最大", "max"},
                 {"最小", "min"}};
    for (size_t i = 0; i < sizeof stats / sizeof *stats; i++)
        if (fr_str_is(token, stats[i].word))
            return stats[i].stat;
    return NULL;
}

static bool is_word(struct fr_str token)
{
    return effect_of(token) || stat_of(token);
}

/*
 * `rw=randread`, `bs=4096`, `iodepth=32`, `QD 32`, `queue depth 8`: a name and what is set. `eq`: a `=` stands between.
 * Returns how many of the tokens are taken.
 */
static size_t read_setting(const struct fr_str *token, bool eq, struct reading *r)
{
    static const char *const depths[] = {"iodepth", "qd", "depth", "queuedepth"}, *const counts[] = {"numjobs", "jobs",
                                                                                                     "threads"};
    uint64_t n;
    double bytes;
    size_t taken = 1;
    if (fr_str_is(token[0], "queue") && fr_str_is(token[1], "depth"))
        return 1;
    if (eq && (fr_str_is(token[0], "rw") || fr_str_is(token[0], "readwrite"))) {
        r->effects |= fr_str_starts(token[1], "rand") ? 0 : W_SEQ;
        return 1;
    }
    if (eq && (fr_str_is(token[0], "bs") || fr_str_is(token[0], "blocksize")) && fr_size_parse(token[1], &bytes)) {
        add_size(r, bytes);
        return 2;
    }
    if (!fr_str_u64(token[1], &n) || n == 0 || n > 65536)
        return 0;
    if (eq && (fr_str_is(token[0], "q") || fr_str_is(token[0], "t"))) { /* `(Q=8, T=1)` */
        *(*token[0].s == 'q' ? &r->w->iodepth : &r->w->numjobs) = (unsigned)n;
        r->known++;
        return 2;
    }
    for (size_t i = 0; i < sizeof depths / sizeof *depths && taken == 1; i++)
        if (fr_str_is(token[0], depths[i])) {
            r->w->iodepth = (unsigned)n;
            taken = 2;
        }
    for (size_t i = 0; i < sizeof counts / sizeof *counts && taken == 1; i++)
        if (fr_str_is(token[0], counts[i])) {
            r->w->numjobs = (unsigned)n;
            taken = 2;
        }
    r->known += taken == 2;
    return taken == 2 ? 2 : 0;
}

static void read_token(struct fr_str token, struct fr_str next, bool *took_next, struct reading *r)
{
    double bytes;
    char joined[2 * TOKEN_MAX];
    unsigned effect = effect_of(token);
    uint64_t n;
    const char *stat = stat_of(token);
    if (stat) {
        r->w->stat = stat;
        r->effects |= *token.s == 'p' || fr_str_ends(token, "th") ? W_LATENCY : 0; /* of times, they are latencies */
        r->known++;
    } else if (effect) {
        r->effects |= effect;
        r->known++;
    } else if (is_size(token, &bytes)) {
        add_size(r, bytes);
    } else if (is_cdm(token, r)) {
        return;
    } else if (is_depth(token, r->w)) {
        r->known++;
    } else if (fr_str_u64(token, &n) && next.n && !fr_is_digit(*next.s)) {
        snprintf(joined, sizeof joined, "%.*s%.*s", FR_STR(token), FR_STR(next));
        *took_next = is_size(fr_str(joined), &bytes); /* `4 KiB` */
        if (*took_next)
            add_size(r, bytes);
        else
            r->unknown++;
    } else {
        r->unknown++;
    }
}

static void conclude(struct reading *r)
{
    struct fr_words *w = r->w;
    unsigned e = r->effects;
    bool read = e & W_READ, write = e & W_WRITE;
    w->part = (e & W_MIXED) && read != write && !(r->shared & (W_READ | W_WRITE));
    w->op = (e & W_MIXED) && !w->part ? FR_OP_MIXED
            : read && !write          ? FR_OP_READ
            : write && !read          ? FR_OP_WRITE
            : (e & W_TRIM) && !read   ? FR_OP_TRIM
                                      : FR_OP_NONE;
    w->random = (e & W_RANDOM) && !(e & W_SEQ);
    w->sequential = (e & W_SEQ) && !(e & W_RANDOM);
    w->latency = e & W_LATENCY;
    w->clat = e & W_CLAT;
    w->slat = e & W_SLAT;
    if (w->latency && !w->stat && !(r->shared & (W_READ | W_WRITE | W_RANDOM | W_SEQ)))
        w->stat = r->percent;
    w->workload = r->known > 0 && r->unknown == 0;
    w->metric = w->workload && !(e & ~(unsigned)(W_LATENCY | W_CLAT | W_SLAT | W_OTHER)) && !r->sizes && !w->iodepth &&
                !w->numjobs;
    if (r->sizes > 1)
        w->bs = 0;
}

/* `100% read`: how much of it, which no word here stands for; `99% latency`: a percentile, if it is of latencies. */
static bool is_share(struct fr_str token, struct fr_str behind, struct reading *r)
{
    static const char *const percentiles[] = {"p50", "p90", "p95", "p99", "p99.9", "p99.99"};
    double n;
    if (!fr_str_starts(behind, "%") || !fr_str_double(token, &n))
        return false;
    for (size_t i = 0; i < sizeof percentiles / sizeof *percentiles; i++)
        if (fr_str_is(token, percentiles[i] + 1))
            r->percent = percentiles[i];
    return true;
}

/* Bytes of the character at i, which may be cut; a continuation that begins nothing is one. */
static size_t char_length(struct fr_str s, size_t i)
{
    unsigned char c = (unsigned char)s.s[i];
    size_t n = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    return n < s.n - i ? n : s.n - i;
}

/* Kana, ideographs, Hangul: written without blanks between words. */
static bool is_cjk(struct fr_str s, size_t i)
{
    unsigned char c = (unsigned char)s.s[i];
    return c >= 0xe3 && c <= 0xed;
}

/* Small letters of ASCII, and of the two-byte capitals of Latin-1 and Cyrillic. */
static void to_lower(char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i], d = i + 1 < n ? (unsigned char)s[i + 1] : 0;
        s[i] = fr_lower(s[i]);
        if ((c == 0xc3 && d >= 0x80 && d <= 0x9e && d != 0x97) || (c == 0xd0 && d >= 0x90 && d <= 0x9f)) {
            s[++i] = (char)(d + 0x20);
        } else if (c == 0xd0 && d >= 0xa0 && d <= 0xaf) {
            s[i] = (char)0xd1;
            s[++i] = (char)(d - 0x20);
        }
    }
}

/* A word from *i on, or nothing and one character passed. Of CJK the longest that is known, else one character. */
static size_t take_token(struct fr_str name, size_t *i, char text[TOKEN_MAX])
{
    size_t from = *i, end = *i, known = 0;
    bool cjk = is_cjk(name, from);
    while (end < name.n && is_cjk(name, end) == cjk) {
        char c = name.s[end];
        if (!fr_is_alpha(c) && !fr_is_digit(c) && (unsigned char)c < 0x80 && !(c == '.' && end > from))
            break;
        end += char_length(name, end);
        if (cjk && is_word(fr_str_range(name, from, end)))
            known = end;
    }
    if (cjk)
        end = known ? known : from + char_length(name, from);
    *i = end > from ? end : from + 1;
    while (end > from && name.s[end - 1] == '.') /* `Seq.`, `avg.` */
        end--;
    size_t n = end - from < TOKEN_MAX ? end - from : TOKEN_MAX - 1;
    memcpy(text, name.s + from, n);
    to_lower(text, n);
    return n;
}

void fr_words_read(struct fr_str name, struct fr_words *out)
{
    char text[TOKENS_MAX][TOKEN_MAX];
    struct fr_str tokens[TOKENS_MAX + 1];
    bool set[TOKENS_MAX + 1] = {false};    /* a `=` follows */
    bool shared[TOKENS_MAX + 1] = {false}; /* a share stands beside it */
    size_t n = 0;
    struct reading r = {.w = out};
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < name.n && n < TOKENS_MAX;) {
        size_t k = take_token(name, &i, text[n]);
        if (k && is_share(fr_strn(text[n], k), fr_str_from(name, i), &r)) {
            shared[n] = shared[n ? n - 1 : 0] = true;
            continue;
        }
        if (!k)
            continue;
        set[n] = i < name.n && name.s[i] == '=';
        tokens[n] = fr_strn(text[n], k);
        n++;
    }
    tokens[n] = fr_strn("", 0);
    for (size_t i = 0; i < n; i++) {
        bool took_next = false;
        size_t taken = read_setting(&tokens[i], set[i], &r);
        if (taken) {
            i += taken - 1;
            continue;
        }
        r.shared |= shared[i] ? effect_of(tokens[i]) : 0;
        read_token(tokens[i], tokens[i + 1], &took_next, &r);
        i += took_next;
    }
    conclude(&r);
}

/* `99%`, `(99.9%)`: which of the latencies, where a name is of them. */
static bool is_percentile(struct fr_str last)
{
    for (size_t i = 0; i < last.n; i++)
        if (!fr_is_digit(last.s[i]) && !memchr("(%.)", last.s[i], 4))
            return false;
    return fr_str_chr(last, '%') != (size_t)-1;
}

struct fr_str fr_words_base(struct fr_str name)
{
    struct fr_words all;
    fr_words_read(name, &all);
    for (;;) {
        struct fr_words w;
        name = fr_str_trim(name);
        size_t blank = fr_str_rfind(name, " ");
        blank = blank == (size_t)-1 ? fr_str_rfind(name, "_") : blank;
        struct fr_str last = fr_str_from(name, blank == (size_t)-1 ? 0 : blank + 1);
        fr_words_read(last, &w);
        if (!name.n || (!w.metric && !(all.latency && all.stat && is_percentile(last))))
            return name;
        name = fr_str_range(name, 0, blank == (size_t)-1 ? 0 : blank);
    }
}

void fr_words_add(struct fr_words *into, const struct fr_words *from)
{
    if (into->op == FR_OP_NONE) {
        into->op = from->op;
        into->part = from->part;
    }
    if (!into->random && !into->sequential) {
        into->random = from->random;
        into->sequential = from->sequential;
    }
    if (into->bs == 0)
        into->bs = from->bs;
    if (!into->iodepth)
        into->iodepth = from->iodepth;
    if (!into->numjobs)
        into->numjobs = from->numjobs;
    if (!into->stat)
        into->stat = from->stat;
    fr_words_add_latency(into, from);
}

void fr_words_add_latency(struct fr_words *into, const struct fr_words *from)
{
    if (!into->clat && !into->slat) {
        into->clat = from->clat;
        into->slat = from->slat;
    }
    into->latency = into->latency || from->latency;
}

const char *fr_words_rw(const struct fr_words *w)
{
    if (w->part)
        return w->random ? "randrw" : w->sequential ? "rw" : NULL;
    if (w->random)
        return w->op == FR_OP_READ    ? "randread"
               : w->op == FR_OP_WRITE ? "randwrite"
               : w->op == FR_OP_MIXED ? "randrw"
                                      : NULL;
    if (w->sequential)
        return w->op == FR_OP_READ ? "read" : w->op == FR_OP_WRITE ? "write" : w->op == FR_OP_MIXED ? "rw" : NULL;
    return NULL; /* neither word: a plain `write` may be either */
}

void fr_words_apply(const struct fr_words *w, const struct fr_target *target)
{
    char text[24];
    if (fr_words_rw(w))
        fr_target_set(target, "rw", fr_str(fr_words_rw(w)));
    if (w->bs > 0)
        fr_target_set(target, "bs", fr_str(fr_size_format(w->bs, text)));
    if (w->iodepth) {
        snprintf(text, sizeof text, "%u", w->iodepth);
        fr_target_set(target, "iodepth", fr_str(text));
    }
    if (w->numjobs) {
        snprintf(text, sizeof text, "%u", w->numjobs);
        fr_target_set(target, "numjobs", fr_str(text));
    }
}
