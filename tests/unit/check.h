/* check.h: how a unit test speaks: `ok NAME` or `FAIL NAME: why`, status 1 if anything failed. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int check_failed;

#define CHECK(name, condition)                                                                                         \
    do {                                                                                                               \
        if (condition) {                                                                                               \
            printf("ok %s\n", (name));                                                                                 \
        } else {                                                                                                       \
            printf("FAIL %s: %s:%d: %s\n", (name), __FILE__, __LINE__, #condition);                                    \
            check_failed = 1;                                                                                          \
        }                                                                                                              \
    } while (0)

#define CHECK_STR(name, got, want)                                                                                     \
    do {                                                                                                               \
        const char *check_got = (got), *check_want = (want);                                                           \
        if (check_got && strcmp(check_got, check_want) == 0) {                                                         \
            printf("ok %s\n", (name));                                                                                 \
        } else {                                                                                                       \
            printf("FAIL %s: got '%s', want '%s'\n", (name), check_got ? check_got : "(null)", check_want);            \
            check_failed = 1;                                                                                          \
        }                                                                                                              \
    } while (0)

/* The same as a function: `why` is what to look at where it is not so. */
static inline void check(bool fine, const char *name, const char *why)
{
    if (fine) {
        printf("ok %s\n", name);
    } else {
        printf("FAIL %s: %s\n", name, why);
        check_failed = 1;
    }
}

#endif
