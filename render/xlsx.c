/* xlsx.c: see xlsx.h: the workbook. The sheets are in xlsx_sheet.c, the charts in xlsx_chart.c. */
#include "xlsx.h"

#include <errno.h>
#include <unistd.h>

#include "log.h"
#include "output.h"
#include "utf8.h"

#include "banned.h"

enum { NAME_MAX_UNITS = 31 };

const char *fr_xlsx_text(struct fr_xlsx *x, const char *text)
{
    struct fr_strbuf clean = FR_STRBUF_INIT;
    size_t units = 0;
    if (!text)
        text = "";
    for (const char *at = text; *at;) {
        bool plain = *at == '\t';
        uint32_t c = plain ? (uint32_t)*at++ : fr_utf8_next(&at);
        if (c == '\r')
            continue;
        if ((c < 0x20 && c != '\n' && !plain) || (c >= 0x7F && c < 0xA0) || c == 0xFFFE || c == 0xFFFF)
            continue;
        units += c >= 0x10000 ? 2 : 1;
        if (units > FR_XLSX_TEXT - 1) {
            fr_strbuf_addstr(&clean, "…");
            x->cut = true;
            break;
        }
        fr_utf8_add(&clean, c);
    }
    const char *copy = clean.len == strlen(text) ? text : fr_arena_copy(&x->arena, fr_strbuf_str(&clean), clean.len);
    fr_strbuf_release(&clean);
    return copy;
}

/* At most `most` UTF-16 units of the name, with a suffix. */
static char *cut_name(struct fr_xlsx *x, const char *name, size_t most, const char *suffix)
{
    struct fr_strbuf out = FR_STRBUF_INIT;
    size_t units = 0;
    for (uint32_t c; (c = fr_utf8_clean(&name)) != 0;) {
        units += c >= 0x10000 ? 2 : 1;
        if (units > most)
            break;
        bool legal = c >= 0x80 || (c >= 0x20 && !strchr("[]:*?/\\", (char)c));
        fr_utf8_add(&out, legal ? c : '_');
    }
    char *s = fr_arena_printf(&x->arena, "%s%s", fr_strbuf_str(&out), suffix);
    fr_strbuf_release(&out);
    if (*s == '\'')
        *s = '_';
    size_t n = strlen(s);
    if (n && s[n - 1] == '\'')
        s[n - 1] = '_';
    return s;
}

static bool name_taken(const struct fr_xlsx *x, const char *name)
{
    if (strcasecmp(name, "History") == 0) /* reserved */
        return true;
    for (size_t i = 0; i < x->names_n; i++)
        if (strcasecmp(x->names[i], name) == 0)
            return true;
    return false;
}

const char *fr_xlsx_name(struct fr_xlsx *x, const char *name)
{
    char *s = cut_name(x, name && *name ? name : "Sheet", NAME_MAX_UNITS, "");
    for (unsigned i = 2; name_taken(x, s); i++) {
        char suffix[16];
        snprintf(suffix, sizeof suffix, " (%u)", i);
        s = cut_name(x, name && *name ? name : "Sheet", NAME_MAX_UNITS - strlen(suffix), suffix);
    }
    if (x->names_n == x->names_alloc) {
        size_t alloc = x->names_alloc ? x->names_alloc * 2 : 16;
        char **names = fr_arena_alloc(&x->arena, alloc * sizeof *names);
        if (x->names_n)
            memcpy(names, x->names, x->names_n * sizeof *names);
        x->names = names;
        x->names_alloc = alloc;
    }
    return x->names[x->names_n++] = s;
}

static lxw_format *new_format(struct fr_xlsx *x, bool bold, lxw_color_t color)
{
    lxw_format *f = workbook_add_format(x->workbook);
    if (bold)
        format_set_bold(f);
    if (color)
        format_set_font_color(f, color);
    return f;
}

static lxw_format *head_format(struct fr_xlsx *x)
{
    lxw_format *f = new_format(x, true, 0);
    format_set_bottom(f, LXW_BORDER_THIN);
    format_set_text_wrap(f);
    format_set_align(f, LXW_ALIGN_VERTICAL_BOTTOM);
    format_set_bg_color(f, 0xE4E7EB);
    return f;
}

static void make_formats(struct fr_xlsx *x)
{
    x->title = new_format(x, true, 0);
    format_set_font_size(x->title, 14);
    x->subtitle = new_format(x, false, 0x59636E);
    x->head = head_format(x);
    x->head_right = head_format(x);
    format_set_align(x->head_right, LXW_ALIGN_RIGHT);
    x->group_head = new_format(x, true, 0);
    format_set_align(x->group_head, LXW_ALIGN_CENTER);
    format_set_bg_color(x->group_head, 0xE4E7EB);
    x->id = new_format(x, false, 0);
    format_set_align(x->id, LXW_ALIGN_LEFT);
    x->bold = new_format(x, true, 0);
    x->failed_text = new_format(x, false, 0);
    format_set_bg_color(x->failed_text, FR_XLSX_FAILED);
    x->muted = new_format(x, false, 0x59636E);
}

static void set_properties(struct fr_xlsx *x, const struct fr_sheet *sheets, size_t n)
{
    const struct fr_table *table = n ? sheets[0].table : NULL;
    lxw_doc_properties p = {
        .author = (char *)(uintptr_t) "fioreport " FR_VERSION, .company = NULL, .created = (time_t)fr_output_time()};
    if (table) { /* the library copies them */
        p.title = (char *)(uintptr_t)(table->title ? fr_xlsx_text(x, table->title) : NULL);
        p.subject = (char *)(uintptr_t)(table->subtitle ? fr_xlsx_text(x, table->subtitle) : NULL);
        p.comments = (char *)(uintptr_t)(table->command ? fr_xlsx_text(x, table->command) : NULL);
    }
    workbook_set_properties(x->workbook, &p);
}

static int fill(struct fr_xlsx *x, const struct fr_sheet *sheets, size_t n)
{
    make_formats(x);
    set_properties(x, sheets, n);
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = fr_xlsx_sheet(x, &sheets[i]);
    if (n == 0) /* a workbook needs a sheet */
        workbook_add_worksheet(x->workbook, NULL);
    return rc;
}

static bool is_big(const struct fr_sheet *sheets, size_t n)
{
    size_t cells = 0;
    for (size_t i = 0; i < n; i++)
        cells += sheets[i].table->rows_n * sheets[i].table->columns_n;
    return cells > FR_XLSX_BIG;
}

int fr_xlsx_write_split(const struct fr_sheet *sheets, size_t n, const char *path, bool force, unsigned rows_max,
                        struct fr_log *log)
{
    if (fr_output_check(path, force, log) != 0)
        return -1;
    char *temp = fr_output_temp(path);
    struct fr_xlsx x = {.arena = FR_ARENA_INIT, .rows_max = rows_max, .log = log, .constant_memory = is_big(sheets, n)};
    lxw_workbook_options options = {.constant_memory = x.constant_memory, .tmpdir = NULL, .use_zip64 = LXW_FALSE};
    /* Where the file cannot be made the library only says so at the end. */
    FILE *probe = fopen(temp, "wb");
    int rc = probe ? 0 : fr_log_error(log, path, 0, "cannot be written: %s, nothing was changed", strerror(errno));
    if (probe)
        fclose(probe);
    if (rc == 0) {
        x.workbook = workbook_new_opt(temp, &options);
        if (!x.workbook)
            rc = fr_log_error(log, path, 0, "cannot be written: out of memory, nothing was changed");
    }
    if (rc == 0) {
        rc = fill(&x, sheets, n);
        lxw_error error = workbook_close(x.workbook);
        if (rc == 0 && error != LXW_NO_ERROR)
            rc = fr_log_error(log, path, 0, "cannot be written: %s, nothing was changed", lxw_strerror(error));
        if (rc != 0)
            unlink(temp);
        else
            rc = fr_output_commit(temp, path, log);
    }
    if (x.cut)
        fr_log_warn(log, path, 0, "a text is longer than a cell can be (%u characters), it was cut", FR_XLSX_TEXT);
    fr_arena_release(&x.arena);
    free(temp);
    return rc;
}

int fr_xlsx_write(const struct fr_sheet *sheets, size_t n, const char *path, bool force, struct fr_log *log)
{
    return fr_xlsx_write_split(sheets, n, path, force, FR_XLSX_ROWS, log);
}
