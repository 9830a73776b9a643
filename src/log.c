/* log.c: see log.h. */
#include "log.h"
#include "banned.h"
#include "strbuf.h"

static void say(struct fr_log *log, enum fr_level level, const char *file, unsigned line, const char *format,
                va_list ap)
{
    if (!log || (level == FR_EXPLAIN && log->unexplained))
        return;
    log->count[level]++;
    if (!log->say)
        return;
    struct fr_strbuf text = FR_STRBUF_INIT;
    fr_strbuf_vaddf(&text, format, ap);
    struct fr_message m = {.level = level, .file = file, .line = line, .text = fr_strbuf_str(&text), .kind = format};
    log->say(log->ctx, &m);
    fr_strbuf_release(&text);
}

int fr_log_error(struct fr_log *log, const char *file, unsigned line, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    say(log, FR_ERROR, file, line, format, ap);
    va_end(ap);
    return -1;
}

void fr_log_warn(struct fr_log *log, const char *file, unsigned line, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    say(log, FR_WARNING, file, line, format, ap);
    va_end(ap);
}

void fr_log_note(struct fr_log *log, const char *file, unsigned line, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    say(log, FR_NOTE, file, line, format, ap);
    va_end(ap);
}

void fr_log_explain(struct fr_log *log, const char *file, unsigned line, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    say(log, FR_EXPLAIN, file, line, format, ap);
    va_end(ap);
}
