/*
 * fio_json_tree.h: one piece of fio's JSON as a tree (json-c), with what json-c does not give: the line of every key,
 * duplicate keys, and tolerance for what fio and people do to JSON. Nothing of json-c is visible here.
 *
 * Before json-c sees a piece it is put in order: nan, inf, numbers of no JSON form become null (a missing value), raw
 * control characters are escaped, bytes that are no UTF-8 are taken as ISO-8859-1, backslashes that escape nothing are
 * doubled, single quotes (Python's repr) become double ones. Every key gets a number in front, so that duplicates stay
 * and the line can be looked up. The members of `bins` (most of a json+ file) never reach json-c.
 */
#ifndef FR_FIO_JSON_TREE_H
#define FR_FIO_JSON_TREE_H

#include "arena.h"
#include "fio_json_scan.h"

struct fr_fj_tree;
struct fr_fj_node; /* a value; lent by the tree until the next parse */

struct fr_fj_tree *fr_fj_tree_new(void);
void fr_fj_tree_free(struct fr_fj_tree *tree);

/*
 * Parse a piece that begins at that line; `taken` (may be NULL): what was taken out of it. NULL when it is no JSON:
 * *why (static) and *bad_line say what and where. *dropped is raised by the values that were no number.
 */
const struct fr_fj_node *fr_fj_parse(struct fr_fj_tree *tree, struct fr_str text, const struct fr_fj_taken *taken,
                                     uint32_t line, const char **why, uint32_t *bad_line, unsigned *dropped);

/* The member of that name (the first of duplicates), NULL when there is none or `object` is none; *line (may be NULL):
 * where its key stands. */
const struct fr_fj_node *fr_fj_get(const struct fr_fj_tree *tree, const struct fr_fj_node *object, const char *key,
                                   uint32_t *line);
/* Call `each` with every member (objects) or element (lists; key is NULL), in order. */
void fr_fj_each(const struct fr_fj_tree *tree, const struct fr_fj_node *node,
                void (*each)(void *ctx, const char *key, const struct fr_fj_node *value, uint32_t line), void *ctx);
bool fr_fj_is_object(const struct fr_fj_node *node);

/* A number (also one in a string); false for everything else. *integer (may be NULL): it was written without a point.
 */
bool fr_fj_number(const struct fr_fj_node *node, double *value, bool *integer);
/* A string; false for everything else. */
bool fr_fj_string(const struct fr_fj_node *node, struct fr_str *value);
/* A string, a number or a truth value (1, 0) as text, which lives as long as the tree or the arena. */
bool fr_fj_plain(const struct fr_fj_node *node, struct fr_arena *arena, struct fr_str *value);
/* The counters under a key `bins`; NULL when there are none. *indexed: keys are fio's bin numbers, not values (2.x). */
const struct fr_fj_bin *fr_fj_bins(const struct fr_fj_tree *tree, const struct fr_fj_node *node, size_t *n,
                                   bool *indexed);

#endif
