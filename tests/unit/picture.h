/* picture.h: what tests of charts share: columns of tables, pictures drawn, and what they say. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "chart.h"

static inline struct fr_column *value_column(struct fr_table *t, const char *group, const char *name, enum fr_dim dim,
                                             const char *metric, enum fr_better better)
{
    struct fr_column *c = fr_table_column(t, name, FR_COL_VALUE);
    c->group = group;
    c->dim = dim;
    c->metric = metric;
    c->better = better;
    return c;
}

static inline void say(void *ctx, const struct fr_message *message)
{
    (void)ctx;
    if (message->level != FR_NOTE)
        printf("# %s\n", message->text);
}

static inline struct fr_canvas *drawn(const struct fr_table *t, const char *kind, const char *axes)
{
    static struct fr_log log = {.say = say};
    struct fr_chart_options options = {.kind = kind, .scale = 1, .axes = axes};
    return fr_chart_draw(t, &options, FR_PNG, &log);
}

static inline bool says(const struct fr_canvas *canvas, const char *start)
{
    size_t n;
    const struct fr_box *boxes = fr_canvas_boxes(canvas, &n);
    for (size_t i = 0; i < n; i++)
        if (boxes[i].text && strncmp(boxes[i].text, start, strlen(start)) == 0)
            return true;
    return false;
}

static inline bool mentions(const struct fr_canvas *canvas, const char *words)
{
    size_t n;
    const struct fr_box *boxes = fr_canvas_boxes(canvas, &n);
    for (size_t i = 0; i < n; i++)
        if (boxes[i].text && strstr(boxes[i].text, words))
            return true;
    return false;
}

#endif
