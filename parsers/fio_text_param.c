/* fio_text_param.c: params of a test: from its header, its run's command line, a job file shown above it. */
#include "fio_text.h"

#include "banned.h"

static void set(struct ft_scan *s, struct fr_test *test, const char *key, struct fr_str value, uint32_t line)
{
    fr_param_set(s->batch, s->r.run, test, key, value, FR_FROM_FORMAT, line);
}

void ft_section_add(struct ft_scan *s, struct ft_section *section, struct fr_str key, struct fr_str value)
{
    struct fr_fio_option *option = fr_arena_new(&s->arena, struct fr_fio_option);
    option->name = fr_arena_copy(&s->arena, key.s, key.n);
    option->value = fr_strn(fr_arena_copy(&s->arena, value.s, value.n), value.n);
    option->line = s->line;
    fr_fio_option_add(&s->arena, &section->options, option);
}

void ft_section_apply(struct ft_scan *s, struct fr_test *test, const struct ft_section *own,
                      const struct ft_section *all)
{
    fr_fio_options_apply(s->batch, s->r.run, test, own ? &own->options : NULL, all ? &all->options : NULL,
                         FR_FROM_SURROUND);
}

/* ---- job file ---------------------------------------------------------------------------------------------------- */

/* `key=value` or a flag, as job files have it. */
static bool file_option(struct fr_str line, struct fr_str *key, struct fr_str *value)
{
    size_t i = 0;
    while (i < line.n && (fr_is_alpha(line.s[i]) || fr_is_digit(line.s[i]) || line.s[i] == '_'))
        i++;
    *key = fr_str_range(line, 0, i);
    struct fr_str rest = fr_str_trim(fr_str_from(line, i));
    if (i < 2 || !fr_is_alpha(line.s[0]))
        return false;
    *value = fr_str("1");
    if (!rest.n)
        return true;
    if (!fr_take_ch(&rest, '='))
        return false;
    *value = fr_str_trim(rest);
    return true;
}

bool ft_job_file_line(struct ft_scan *s, struct fr_str line)
{
    struct fr_str key, value;
    if (line.n > 2 && line.s[0] == '[' && line.s[line.n - 1] == ']') {
        struct ft_section *section = fr_arena_new(&s->arena, struct ft_section);
        struct fr_str name = fr_str_range(line, 1, line.n - 1);
        section->name = fr_str(fr_arena_copy(&s->arena, name.s, name.n));
        section->options.job_file = true;
        if (!s->in_file) {
            memset(&s->file, 0, sizeof s->file);
            s->file_first = s->index;
        }
        s->file_last = s->index;
        fr_list_add(&s->file, section);
        s->in_file = true;
        return true;
    }
    if (!s->in_file || *line.s == '#' || *line.s == ';')
        return s->in_file;
    if (!file_option(line, &key, &value)) {
        s->in_file = false;
        return false;
    }
    ft_section_add(s, s->file.tail, key, value);
    s->file_last = s->index;
    return true;
}

/* The section of that name, and [global]; only where the section is there. */
static void apply_file(struct ft_scan *s, struct fr_test *test)
{
    const struct ft_section *own = NULL, *all = NULL;
    fr_list_each (struct ft_section, x, s->file) {
        if (fr_str_is(x->name, test->name))
            own = x;
        if (fr_str_is(x->name, "global"))
            all = x;
    }
    if (!own || !*test->name)
        return;
    fr_doc_claim(s->doc, s->file_first, s->file_last, s->owner, FR_LINE_NOISE);
    ft_section_apply(s, test, ft_is_many(s, test) ? NULL : own, all);
}

/* What the headers of a block's jobs agree on: a copy of the first, with nothing where another one differs. */
static struct ft_job common_header(const struct ft_scan *s, const struct fr_test *test, const struct ft_job *first)
{
    struct ft_job common = *first;
    fr_list_each (struct ft_job, j, s->r.jobs)
        if (ft_is_of_block(j, test))
            ft_header_agree(&common, j);
    return common;
}

static bool set_printed_bs(struct ft_scan *s, struct fr_test *test, const struct ft_job *header)
{
    return fr_fio_printed_bs(s->batch, s->r.run, test, header->rw, header->bs, header->line);
}

void ft_params_apply(struct ft_scan *s, struct fr_test *test)
{
    const struct ft_job *job = ft_job_find(s, test);
    struct ft_job header = {.line = 0};
    bool sure = true;
    if (job) {
        header = ft_is_many(s, test) ? common_header(s, test, job) : *job;
        sure = fr_fio_printed_bs_is_sure(&s->arena, header.bs);
        set(s, test, "rw", header.rw, job->line);
        if (sure)
            set_printed_bs(s, test, &header);
        set(s, test, "ioengine", header.ioengine, job->line);
        set(s, test, "iodepth", header.iodepth, job->line);
    }
    ft_command_params(s, test);
    apply_file(s, test);
    if (!sure) /* what was given is better than a rounded print, and stays */
        s->t.bs_rounded = set_printed_bs(s, test, &header);
}
