/* registry.c: the list of parsers, in the order in which they claim lines. A new format is one line here. */
#include "banned.h"
#include "parser.h"

#define FR_PARSERS(X)                                                                                                  \
    X(pts)                                                                                                             \
    X(fio_json)                                                                                                        \
    X(fio_terse)                                                                                                       \
    X(fio_text)                                                                                                        \
    X(fio_log)                                                                                                         \
    X(cdm)                                                                                                             \
    X(dd)                                                                                                              \
    X(tables)

#define DECLARE(name) extern const struct fr_parser fr_parser_##name;
FR_PARSERS(DECLARE)

#define ENTRY(name) &fr_parser_##name,
const struct fr_parser *const fr_parsers[] = {FR_PARSERS(ENTRY) NULL};
