/*
 * pts.c: Phoronix Test Suite, composite.xml of 3.0 to 10.8 and the tree of 1.x and 2.x, by streaming expat. What the
 * suite shows in other forms: pts_json.c, pts_csv.c, pts_text.c; what all become: pts_build.c.
 *
 * The tree is read by names, never by order, and never validated: real files lack Generated or System. A DTD is
 * refused (the suite writes none, and entities are how a small file becomes a large one). docs/formats/phoronix.md.
 */
#include "pts.h"

#include <expat.h>

#include "banned.h"

enum { DEPTH_MAX = 32, PROLOG_LINES = 200, REST_MAX = 64 << 20 };

/* Where a text of the tree goes. */
enum field {
    F_NONE,
    F_TITLE,
    F_MODIFIED,
    F_CLIENT,
    F_ABOUT,
    S_ID,
    S_IDS,
    S_HARDWARE,
    S_SOFTWARE,
    S_USER,
    S_TIME,
    S_CLIENT,
    S_NOTES,
    S_JSON,
    R_ID,
    R_TITLE,
    R_VERSION,
    R_ARGUMENTS,
    R_DESCRIPTION,
    R_SCALE,
    R_PROPORTION,
    R_FORMAT,
    R_PROFILE_VERSION,
    E_ID,
    E_VALUE,
    E_RAW,
    E_JSON
};

/* Parent and name of each element with a text that is wanted; the second block is the tree before 3.0. */
static const struct {
    const char *parent, *name;
    enum field field;
    size_t max;
} elements[] = {
    {"Generated", "Title", F_TITLE, FR_PTS_NAME_MAX},
    {"Generated", "LastModified", F_MODIFIED, FR_PTS_NAME_MAX},
    {"Generated", "TestClient", F_CLIENT, FR_PTS_NAME_MAX},
    {"Generated", "Description", F_ABOUT, FR_PTS_NAME_MAX},
    {"System", "Identifier", S_ID, FR_PTS_NAME_MAX},
    {"System", "Hardware", S_HARDWARE, FR_PTS_FACTS_MAX},
    {"System", "Software", S_SOFTWARE, FR_PTS_FACTS_MAX},
    {"System", "User", S_USER, FR_PTS_NAME_MAX},
    {"System", "TimeStamp", S_TIME, FR_PTS_NAME_MAX},
    {"System", "TestClientVersion", S_CLIENT, FR_PTS_NAME_MAX},
    {"System", "Notes", S_NOTES, FR_PTS_FACTS_MAX},
    {"System", "JSON", S_JSON, FR_PTS_FACTS_MAX},
    {"Result", "Identifier", R_ID, FR_PTS_NAME_MAX},
    {"Result", "Title", R_TITLE, FR_PTS_NAME_MAX},
    {"Result", "AppVersion", R_VERSION, FR_PTS_NAME_MAX},
    {"Result", "Arguments", R_ARGUMENTS, FR_PTS_NAME_MAX},
    {"Result", "Description", R_DESCRIPTION, FR_PTS_NAME_MAX},
    {"Result", "Scale", R_SCALE, FR_PTS_NAME_MAX},
    {"Result", "Proportion", R_PROPORTION, FR_PTS_NAME_MAX},
    {"Result", "DisplayFormat", R_FORMAT, FR_PTS_NAME_MAX},
    {"Entry", "Identifier", E_ID, FR_PTS_NAME_MAX},
    {"Entry", "Value", E_VALUE, FR_PTS_TEXT_MAX},
    {"Entry", "RawString", E_RAW, FR_PTS_TEXT_MAX},
    {"Entry", "JSON", E_JSON, FR_PTS_FACTS_MAX},

    {"Generated", "Version", F_CLIENT, FR_PTS_NAME_MAX},
    {"Suite", "Title", F_TITLE, FR_PTS_NAME_MAX},
    {"Suite", "Description", F_ABOUT, FR_PTS_NAME_MAX},
    {"System", "AssociatedIdentifiers", S_IDS, FR_PTS_NAME_MAX},
    {"System", "Author", S_USER, FR_PTS_NAME_MAX},
    {"System", "TestDate", S_TIME, FR_PTS_NAME_MAX},
    {"System", "TestNotes", S_NOTES, FR_PTS_FACTS_MAX},
    {"System", "Version", S_CLIENT, FR_PTS_NAME_MAX},
    {"Benchmark", "Name", R_TITLE, FR_PTS_NAME_MAX},
    {"Benchmark", "Scale", R_SCALE, FR_PTS_NAME_MAX},
    {"Benchmark", "Proportion", R_PROPORTION, FR_PTS_NAME_MAX},
    {"Benchmark", "ResultFormat", R_FORMAT, FR_PTS_NAME_MAX},
    {"Benchmark", "TestName", R_ID, FR_PTS_NAME_MAX},
    {"Benchmark", "Version", R_VERSION, FR_PTS_NAME_MAX},
    {"Benchmark", "ProfileVersion", R_PROFILE_VERSION, FR_PTS_NAME_MAX},
    {"Benchmark", "TestArguments", R_ARGUMENTS, FR_PTS_NAME_MAX},
    {"Benchmark", "Attributes", R_DESCRIPTION, FR_PTS_NAME_MAX},
};

enum place { P_OTHER, P_ROOT, P_GENERATED, P_SUITE, P_SYSTEM, P_RESULT, P_BENCHMARK, P_DATA, P_ENTRY };

static const char *const place_names[] = {"",       "PhoronixTestSuite", "Generated", "Suite", "System",
                                          "Result", "Benchmark",         "Data",      "Entry"};

struct reader {
    XML_Parser xml;
    struct fr_log *log;
    const struct fr_doc *doc; /* line numbers, when the text is one of a document; else NULL */
    size_t first;             /* index of its first line */
    uint32_t first_line;      /* else: number of its first line */
    struct fr_pts_file file;
    enum place places[DEPTH_MAX + 1];
    int depth;
    enum field field; /* of the open element, F_NONE: its text is skipped */
    int field_depth;
    struct fr_strbuf text;
    struct fr_pts_system *system;
    struct fr_pts_result *result;
    struct fr_pts_entry *entry;
    const char *profile_version, *ids; /* of the open Benchmark, of the open System */
    long long end_byte;                /* where the root element ended */
    bool ended;                        /* </PhoronixTestSuite> was read */
    bool other;                        /* the root is another element */
    bool failed;                       /* reported */
    unsigned cut;
    uint32_t cut_line;
};

static uint32_t line_of(const struct reader *r)
{
    size_t n = (size_t)XML_GetCurrentLineNumber(r->xml);
    if (!r->doc)
        return (uint32_t)n + r->first_line - 1;
    size_t i = r->first + (n ? n - 1 : 0);
    return r->doc->lines[i < r->doc->n ? i : r->doc->n - 1].no;
}

static void fail(struct reader *r, const char *what)
{
    if (!r->failed)
        fr_log_error(r->log, r->file.source, line_of(r), "%s, nothing of this Phoronix result was taken", what);
    r->failed = true;
    XML_StopParser(r->xml, XML_FALSE);
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static enum place place_of(enum place parent, const char *name)
{
    static const struct {
        enum place parent, place;
    } tree[] = {{P_ROOT, P_GENERATED}, {P_ROOT, P_SUITE},  {P_ROOT, P_SYSTEM}, {P_ROOT, P_RESULT},
                {P_ROOT, P_BENCHMARK}, {P_RESULT, P_DATA}, {P_DATA, P_ENTRY}};
    for (size_t i = 0; i < sizeof tree / sizeof *tree; i++)
        if (tree[i].parent == parent && strcmp(place_names[tree[i].place], name) == 0)
            return tree[i].place;
    /* Benchmark/Results/Group/Entry */
    if ((parent == P_BENCHMARK && strcmp(name, "Results") == 0) || (parent == P_DATA && strcmp(name, "Group") == 0))
        return P_DATA;
    return P_OTHER;
}

static void open_place(struct reader *r, enum place place)
{
    uint32_t line = line_of(r);
    size_t column = (size_t)XML_GetCurrentColumnNumber(r->xml);
    if (place == P_SYSTEM) {
        r->system = fr_pts_system_new(&r->file, line);
        r->system->column = column;
        r->ids = NULL;
    } else if (place == P_RESULT || place == P_BENCHMARK) {
        r->result = fr_pts_result_new(&r->file, line);
        r->profile_version = NULL;
    } else if (place == P_ENTRY) {
        r->entry = fr_pts_entry_new(&r->file, r->result, line);
        r->entry->column = column;
    }
    if (r->file.systems.n > FR_PTS_COUNT_MAX || r->file.results.n > FR_PTS_COUNT_MAX ||
        (r->result && r->result->entries.n > FR_PTS_COUNT_MAX))
        fail(r, "more than a million systems, results or entries");
}

/* Pictures are base64 of any size: not even collected where the format stands before them, as it does. */
static bool is_image(const struct reader *r)
{
    return r->result && r->result->format && strcmp(r->result->format, "IMAGE_COMPARISON") == 0;
}

static void open_field(struct reader *r, enum place parent, const char *name)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (strcmp(elements[i].name, name) == 0 && strcmp(elements[i].parent, place_names[parent]) == 0) {
            r->field = elements[i].field;
            r->field_depth = r->depth;
            fr_strbuf_reset(&r->text);
            r->text.max = elements[i].max;
            r->text.truncated = 0;
            if (r->field == E_VALUE)
                r->entry->line = line_of(r);
            if ((r->field == E_VALUE || r->field == E_RAW) && is_image(r))
                r->text.max = 16;
            return;
        }
}

static void XMLCALL on_start(void *ctx, const XML_Char *name, const XML_Char **attributes)
{
    struct reader *r = ctx;
    (void)attributes;
    if (r->failed)
        return;
    if (++r->depth > DEPTH_MAX) {
        fail(r, "elements are nested more than 32 deep");
        return;
    }
    enum place parent = r->places[r->depth - 1], place;
    if (r->depth == 1) {
        place = strcmp(name, "PhoronixTestSuite") == 0 ? P_ROOT : P_OTHER;
        r->other = place == P_OTHER;
    } else {
        place = place_of(parent, name);
    }
    r->places[r->depth] = place;
    if (place == P_OTHER && r->field == F_NONE && parent != P_OTHER)
        open_field(r, parent, name);
    else if (place != P_OTHER)
        open_place(r, place);
}

static void XMLCALL on_text(void *ctx, const XML_Char *s, int n)
{
    struct reader *r = ctx;
    if (r->field != F_NONE && !r->failed && n > 0)
        fr_strbuf_add(&r->text, s, (size_t)n);
}

static const char **slot_of(struct reader *r)
{
    struct fr_pts_system *s = r->system;
    struct fr_pts_result *result = r->result;
    struct fr_pts_entry *e = r->entry;
    switch (r->field) {
    case F_TITLE:
        return &r->file.title;
    case F_MODIFIED:
        return &r->file.modified;
    case F_CLIENT:
        return &r->file.client;
    case F_ABOUT:
        return &r->file.description;
    case S_ID:
        return &s->id;
    case S_IDS:
        return &r->ids;
    case S_HARDWARE:
        return &s->hardware;
    case S_SOFTWARE:
        return &s->software;
    case S_USER:
        return &s->user;
    case S_TIME:
        return &s->time;
    case S_CLIENT:
        return &s->client;
    case S_NOTES:
        return &s->notes;
    case S_JSON:
        return &s->json;
    case R_ID:
        return &result->id;
    case R_TITLE:
        return &result->title;
    case R_VERSION:
        return &result->version;
    case R_ARGUMENTS:
        return &result->arguments;
    case R_DESCRIPTION:
        return &result->description;
    case R_SCALE:
        return &result->scale;
    case R_PROPORTION:
        return &result->proportion;
    case R_FORMAT:
        return &result->format;
    case R_PROFILE_VERSION:
        return &r->profile_version;
    case E_ID:
        return &e->id;
    case E_VALUE:
        return &e->value;
    case E_RAW:
        return &e->raw;
    case E_JSON:
        return &e->json;
    case F_NONE:
        break;
    }
    return NULL;
}

static void close_field(struct reader *r)
{
    const char **slot = slot_of(r);
    for (size_t i = 0; i < r->text.len && r->text.max == FR_PTS_NAME_MAX; i++)
        if (fr_is_space(r->text.buf[i]))
            r->text.buf[i] = ' '; /* a name that an editor has broken */
    struct fr_str text = fr_str_trim(fr_strn(fr_strbuf_str(&r->text), r->text.len));
    bool image = (r->field == E_VALUE || r->field == E_RAW) && is_image(r);
    if (r->text.truncated && !image) {
        if (r->field == E_VALUE || r->field == E_RAW) {
            fail(r, "a value is longer than 64 MiB");
            return;
        }
        if (r->cut++ == 0)
            r->cut_line = line_of(r);
    }
    r->file.digest = fr_str_hash(text, r->file.digest + (uint64_t)r->field);
    if (slot && (text.n || !*slot))
        *slot = fr_arena_copy(&r->file.arena, text.s, text.n);
}

/* One System of the old tree stands for several identifiers: "ext3, ext4". */
static void split_system(struct reader *r)
{
    struct fr_pts_system *from = r->system;
    struct fr_str ids = fr_str(r->ids);
    bool first = true;
    while (ids.n) {
        size_t comma = fr_str_find(ids, ", ");
        struct fr_str id = fr_str_trim(fr_str_range(ids, 0, comma));
        ids = comma == (size_t)-1 ? fr_strn("", 0) : fr_str_from(ids, comma + 2);
        if (!id.n || r->file.systems.n > FR_PTS_COUNT_MAX)
            continue;
        struct fr_pts_system *to = first ? from : fr_pts_system_new(&r->file, from->line);
        if (!first) {
            *to = *from;
            to->next = NULL;
        }
        to->id = fr_arena_copy(&r->file.arena, id.s, id.n);
        to->column = from->column + r->file.systems.n;
        first = false;
    }
}

static void close_place(struct reader *r, enum place place)
{
    if (place == P_SYSTEM && r->ids)
        split_system(r);
    if (place == P_BENCHMARK && r->result->id && *r->result->id && r->profile_version && *r->profile_version)
        r->result->id = fr_arena_printf(&r->file.arena, "%s-%s", r->result->id, r->profile_version);
}

static void XMLCALL on_end(void *ctx, const XML_Char *name)
{
    struct reader *r = ctx;
    (void)name;
    if (r->failed)
        return;
    if (r->field != F_NONE && r->depth == r->field_depth) {
        close_field(r);
        r->field = F_NONE;
    }
    close_place(r, r->places[r->depth]);
    if (--r->depth == 0) {
        r->ended = true;
        r->end_byte = (long long)XML_GetCurrentByteIndex(r->xml) + XML_GetCurrentByteCount(r->xml);
        r->file.line_end = line_of(r);
        XML_StopParser(r->xml, XML_FALSE);
    }
}

static void XMLCALL on_doctype(void *ctx, const XML_Char *name, const XML_Char *system, const XML_Char *public,
                               int internal)
{
    (void)name;
    (void)system;
    (void)public;
    (void)internal;
    fail(ctx, "a document type definition is refused");
}

/* ---- one document ------------------------------------------------------------------------------------------------ */

static int reader_init(struct reader *r, const char *source, const char *encoding, uint32_t line, struct fr_log *log)
{
    memset(r, 0, sizeof *r);
    fr_pts_file_init(&r->file, source, line);
    r->log = log;
    r->first_line = line;
    r->text = (struct fr_strbuf)FR_STRBUF_INIT;
    r->xml = XML_ParserCreate(encoding);
    if (!r->xml)
        return fr_log_error(log, source, line, "out of memory, skipped");
    XML_SetUserData(r->xml, r);
    XML_SetElementHandler(r->xml, on_start, on_end);
    XML_SetCharacterDataHandler(r->xml, on_text);
    XML_SetStartDoctypeDeclHandler(r->xml, on_doctype);
    return 0;
}

static void reader_release(struct reader *r)
{
    if (r->xml)
        XML_ParserFree(r->xml);
    fr_strbuf_release(&r->text);
    fr_pts_file_release(&r->file);
}

/* True while more is wanted: not ended, not failed. */
static bool reader_feed(struct reader *r, const char *s, size_t n, bool last)
{
    if (r->ended || r->failed)
        return false;
    if (XML_Parse(r->xml, s, (int)n, last) == XML_STATUS_OK || r->ended || r->failed)
        return !r->ended && !r->failed;
    enum XML_Error error = XML_GetErrorCode(r->xml);
    bool cut = last &&
               (error == XML_ERROR_NO_ELEMENTS || error == XML_ERROR_UNCLOSED_TOKEN || error == XML_ERROR_PARTIAL_CHAR);
    struct fr_strbuf what = FR_STRBUF_INIT;
    if (cut)
        fr_strbuf_addstr(&what, "ends in the middle");
    else
        fr_strbuf_addf(&what, "is no well-formed XML (column %lu: %s)",
                       (unsigned long)XML_GetCurrentColumnNumber(r->xml) + 1, XML_ErrorString(error));
    fail(r, fr_strbuf_str(&what));
    fr_strbuf_release(&what);
    return false;
}

/* What follows a break cannot be told from it. */
static bool is_whole(const struct reader *r)
{
    return r->xml && r->ended && !r->failed;
}

/* The document was read to its end, or given up. -1 also when a value in it could not be read. */
static int reader_finish(struct reader *r, struct fr_batch *batch)
{
    if (!is_whole(r))
        return -1;
    if (r->cut)
        fr_log_warn(r->log, r->file.source, r->cut_line, "%u description%s too long, cut", r->cut,
                    r->cut == 1 ? " is" : "s are");
    if (r->file.results.n)
        return fr_pts_build(&r->file, batch, r->log);
    if (r->file.systems.n)
        fr_log_warn(r->log, r->file.source, r->file.line, "%zu system%s described, no results in it", r->file.systems.n,
                    r->file.systems.n == 1 ? "" : "s");
    else
        fr_log_warn(r->log, r->file.source, r->file.line,
                    "is a file of the Phoronix Test Suite but no result: results are in composite.xml");
    return 0;
}

/* ---- in a document of lines -------------------------------------------------------------------------------------- */

static bool is_root(struct fr_str s)
{
    return fr_take(&s, "<PhoronixTestSuite") && (!s.n || *s.s == '>' || *s.s == '/' || fr_is_space(*s.s));
}

/* Is the first element in this line the root? -1: there is none. */
static int first_is_root(struct fr_str s)
{
    for (size_t at; (at = fr_str_chr(s, '<')) != (size_t)-1; s = fr_str_from(s, 1)) {
        s = fr_str_from(s, at);
        if (s.n > 1 && fr_is_alpha(s.s[1]))
            return is_root(s);
    }
    return -1;
}

/* Does a result begin here: the root itself, or an XML declaration whose first element is the root? */
static bool begins_here(const struct fr_doc *doc, size_t i)
{
    struct fr_str s = fr_str_ltrim(doc->lines[i].text);
    if (!s.n || *s.s != '<')
        return false;
    if (!fr_str_starts(s, "<?xml"))
        return is_root(s);
    for (size_t j = i; j < doc->n && j < i + PROLOG_LINES; j++) {
        int found = first_is_root(doc->lines[j].text);
        if (found >= 0)
            return found > 0;
    }
    return false;
}

/* The result that begins in line i. Returns the index of the line after it. */
static size_t scan_xml(struct fr_doc *doc, size_t i, unsigned owner, struct fr_batch *batch, struct fr_log *log,
                       int *status)
{
    struct reader r;
    size_t j = i;
    bool more = reader_init(&r, doc->source, "UTF-8", doc->lines[i].no, log) == 0;
    r.doc = doc;
    r.first = i;
    for (; more && j < doc->n; j++) {
        struct fr_str s = j == i ? fr_str_ltrim(doc->lines[j].text) : doc->lines[j].text;
        for (; more && s.n > FR_BLOCK; s = fr_str_from(s, FR_BLOCK))
            more = reader_feed(&r, s.s, FR_BLOCK, false);
        more = more && reader_feed(&r, s.s, s.n, false) && reader_feed(&r, "\n", 1, false);
    }
    if (more)
        reader_feed(&r, "", 0, true);
    if (!is_whole(&r))
        j = doc->n;
    if (reader_finish(&r, batch) != 0)
        *status = -1;
    fr_doc_claim(doc, i, j - 1, owner, 0);
    reader_release(&r);
    return j;
}

/* Does this line belong to any form? By its first and last characters, as this is asked of every line of every text. */
static bool is_mark(struct fr_str line)
{
    if (!line.n)
        return false;
    switch (*line.s) {
    case '<':
        return fr_str_starts(line, "<?xml") || is_root(line);
    case ',':
        return fr_str_starts(line, ",,\"");
    case '{':
    case '"':
        return line.n == 1 || fr_str_find(line, "\"systems\"") != (size_t)-1;
    case 'A':
        return fr_str_starts(line, "Average: ");
    case 'S':
        return fr_str_starts(line, "Started Run 1 @");
    case 'T':
        return fr_str_starts(line, "Testing initiated at ");
    default:
        break;
    }
    char last = line.s[line.n - 1];
    return last == 'r' ? fr_str_ends(line, " Better")
                       : (last == '=' || last == '|') && fr_str_find(line, ". ") != (size_t)-1;
}

static bool probe(const struct fr_doc *doc)
{
    for (size_t i = 0; i < doc->n; i++)
        if (!doc->lines[i].owner && is_mark(fr_str_trim(doc->lines[i].text)))
            return true;
    return false;
}

static int scan(void *state, struct fr_doc *doc, unsigned owner, struct fr_batch *batch, struct fr_log *log)
{
    int status = 0;
    (void)state;
    for (size_t i = 0; i < doc->n;) {
        if (!doc->lines[i].owner && begins_here(doc, i))
            i = scan_xml(doc, i, owner, batch, log, &status);
        else
            i++;
    }
    if (fr_pts_scan_json(doc, owner, batch, log) != 0)
        status = -1;
    if (fr_pts_scan_csv(doc, owner, batch, log) != 0)
        status = -1;
    if (fr_pts_scan_text(doc, owner, batch, log) != 0)
        status = -1;
    fr_pts_scan_page(doc, owner, log);
    return status;
}

/* ---- as a stream ------------------------------------------------------------------------------------------------- */

/* A root, or a declaration and whatever may stand before the first element, which is the root. */
static bool starts_result(struct fr_str s)
{
    return is_root(s) || (fr_str_starts(s, "<?xml") && first_is_root(s) > 0);
}

/* By the ASCII of the first bytes, which also leaves out byte order marks and the zeros of UTF-16. */
static bool probe_stream(const char *name, const char *head, size_t n)
{
    char ascii[4096];
    size_t k = 0;
    (void)name;
    for (size_t i = 0; i < n && k < sizeof ascii; i++) {
        if (!head[i] || (unsigned char)head[i] >= 0x80 || (k == 0 && fr_is_space(head[i])))
            continue;
        ascii[k++] = head[i];
        if (ascii[0] != '<')
            return false;
    }
    return starts_result(fr_strn(ascii, k));
}

/* What follows the result: another result is read, anything else goes to `rest`. */
struct tail {
    struct fr_strbuf bytes;
    uint32_t line; /* of its first byte; 0: nothing was kept yet */
};

/* Bytes after the end of the result, from the block that holds it. */
static void take_tail(const struct reader *r, long long base, const char *p, size_t n, struct tail *tail)
{
    long long from = r->end_byte - base;
    tail->line = r->file.line_end;
    tail->bytes.max = REST_MAX;
    for (size_t i = from < 0 ? 0 : (size_t)from; i < n; i++)
        if (p[i])
            fr_strbuf_addch(&tail->bytes, p[i]);
}

static struct fr_str skip_blank(struct fr_str s, uint32_t *line)
{
    for (; s.n && fr_is_space(*s.s); s = fr_str_from(s, 1))
        *line += *s.s == '\n';
    return s;
}

/* The result that begins the bytes; they and *no move past it, to the end when it is broken. */
static int read_another(struct fr_str *s, uint32_t *no, const char *source, struct fr_batch *batch, struct fr_log *log)
{
    struct reader r;
    if (reader_init(&r, source, NULL, *no, log) == 0)
        reader_feed(&r, s->s, s->n, true);
    int status = reader_finish(&r, batch);
    *s = is_whole(&r) ? fr_str_from(*s, (size_t)r.end_byte) : fr_strn("", 0);
    *no = r.file.line_end;
    reader_release(&r);
    return status;
}

static unsigned own_number(void)
{
    unsigned i = 0;
    while (fr_parsers[i] && fr_parsers[i]->scan != scan)
        i++;
    return i + 1;
}

/* More results, in any form of the suite's, and what other parsers may know. */
static int read_tail(struct tail *tail, const char *source, struct fr_doc *rest, struct fr_batch *batch,
                     struct fr_log *log)
{
    int status = 0;
    uint32_t no = tail->line;
    struct fr_str s = skip_blank(fr_strn(fr_strbuf_str(&tail->bytes), tail->bytes.len), &no);
    if (tail->bytes.truncated)
        fr_log_warn(log, source, no, "more than 64 MiB follow the Phoronix result, the rest of it is not read");
    while (s.n) {
        if (starts_result(fr_str_ltrim(s))) {
            s = skip_blank(s, &no);
            if (read_another(&s, &no, source, batch, log) != 0)
                status = -1;
            continue;
        }
        size_t end = 0;
        while (end < s.n && s.s[end] != '\n' && s.s[end] != '\r')
            end++;
        struct fr_str line = fr_str_range(s, 0, end);
        s = fr_str_from(s, end);
        if (!fr_take(&s, "\r\n"))
            s = fr_str_from(s, 1);
        if (fr_str_trim(line).n)
            fr_doc_add_line(rest, fr_str_rtrim(line), no, 0);
        no++;
    }
    if (probe(rest) && scan(NULL, rest, own_number(), batch, log) != 0)
        status = -1;
    return status;
}

static int stream(void *state, struct fr_input *in, struct fr_doc *rest, struct fr_batch *batch, struct fr_log *log)
{
    struct reader r;
    struct tail tail = {.bytes = FR_STRBUF_INIT};
    const char *p;
    size_t n;
    long long base = 0;
    bool more = reader_init(&r, fr_input_name(in), NULL, 1, log) == 0;
    int status = more ? 0 : -1;
    (void)state;
    while ((p = fr_input_next(in, &n, log)) != NULL && n > 0) {
        struct fr_str s = fr_strn(p, n);
        if (base == 0) /* expat refuses blank lines before the declaration */
            s = skip_blank(s, &r.first_line);
        if (more)
            more = reader_feed(&r, s.s, s.n, false);
        if (r.ended && !tail.line)
            take_tail(&r, base, s.s, s.n, &tail);
        else if (r.ended)
            fr_strbuf_add(&tail.bytes, p, n);
        base += (long long)s.n;
    }
    if (more)
        reader_feed(&r, "", 0, true);
    if (!p || reader_finish(&r, batch) != 0)
        status = -1;
    if (p && is_whole(&r) && tail.line && read_tail(&tail, fr_input_name(in), rest, batch, log) != 0)
        status = -1;
    fr_strbuf_release(&tail.bytes);
    reader_release(&r);
    return status;
}

const struct fr_parser fr_parser_pts = {
    .name = "phoronix",
    .tool = "phoronix",
    .title = "Phoronix Test Suite: composite.xml, JSON and CSV exports, text and terminal output",
    .versions = "2.x, 3.0 to 10.8",
    .probe = probe,
    .scan = scan,
    .probe_stream = probe_stream,
    .stream = stream,
};
