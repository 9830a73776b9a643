/*
 * input.h: bytes of a source, in blocks: a file, standard input, or a member of an archive. Computes the SHA-256 of
 * what is read on the way.
 */
#ifndef FR_INPUT_H
#define FR_INPUT_H

#include <stdint.h>
#include <sys/types.h>

#include "log.h"
#include "strbuf.h"

#define FR_BLOCK ((size_t)256 << 10)

struct fr_input;

/*
 * Open a file, or standard input for "-"; the first read of a FIFO waits until somebody writes to it. NULL with a
 * message when it cannot be read (also: a folder, a device).
 */
struct fr_input *fr_input_open(const char *path, struct fr_log *log);
/*
 * A wait for data that a signal breaks off: `stop` is asked whether to give up, which is a failure of reading,
 * reported. Without it every wait goes on.
 */
void fr_input_on_signal(struct fr_input *in, bool (*stop)(void *ctx), void *ctx);
/* An input of n bytes in memory (lent). */
struct fr_input *fr_input_memory(const char *name, const char *bytes, size_t n);
/*
 * An input whose bytes come from `read` (a member of an archive): up to n bytes into buf, 0 at the end, -1 on an error
 * that was reported, FR_INPUT_CUT at an end that came too early, which was reported. `name` is copied.
 */
#define FR_INPUT_CUT (-2)
struct fr_input *fr_input_callback(const char *name, ssize_t (*read)(void *ctx, char *buf, size_t n), void *ctx);
void fr_input_close(struct fr_input *in);

const char *fr_input_name(const struct fr_input *in);
/* Is it a file on a disk? Reading it waits for nobody. */
bool fr_input_is_file(const struct fr_input *in);
/* Bytes of such a file when it was opened; -1: it is none. */
long long fr_input_size(const struct fr_input *in);
/* SHA-256 in hex of such a file as it lies there; nothing is taken by it. -1, without a message, where that fails. */
int fr_input_ahead(const struct fr_input *in, char out[65]);
/* Did it end too early? What came before is what there is. Known once everything was read. */
bool fr_input_was_cut(const struct fr_input *in);
/* Bytes taken so far. */
long long fr_input_taken(const struct fr_input *in);

/*
 * Look at the first bytes without taking them: up to FR_BLOCK. *n is how many there are; fewer than asked for means
 * that is all there is. NULL on a read error, reported.
 */
const char *fr_input_head(struct fr_input *in, size_t *n, struct fr_log *log);
/* The next block, lent until the next call; *n = 0 at the end. NULL on a read error, reported. */
const char *fr_input_next(struct fr_input *in, size_t *n, struct fr_log *log);
/*
 * Hash up to n more of the bytes lent last, which all are before the next ones are lent. Waiting for the hash leaves
 * most of a processor idle: in pieces of FR_DIGEST bytes between other work it costs a third less.
 */
#define FR_DIGEST 64
void fr_input_digest(struct fr_input *in, size_t n);
/* Everything that is left, at most `max` bytes (more is an error). -1 with a message. */
int fr_input_all(struct fr_input *in, struct fr_strbuf *out, size_t max, struct fr_log *log);

/* SHA-256 in hex of all bytes; valid once everything was read (fr_input_next gave 0 bytes). */
const char *fr_input_sha256(struct fr_input *in, char out[65]);

#endif
