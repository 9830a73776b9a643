/* input.c: see input.h. SHA-256: nettle (FIPS 180-4). */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "banned.h"

#define PIECE ((size_t)64 << 10) /* read at a time: it stays in the cache */
#define PAGE  ((size_t)4096)     /* the kernel copies to the start of one faster */

struct fr_input {
    char *name;
    int fd; /* -1: memory or callback */
    const char *memory;
    size_t memory_left;
    ssize_t (*read)(void *ctx, char *buf, size_t n); /* or NULL */
    void *ctx;
    long long size, taken;
    char *block;
    size_t block_size;   /* FR_BLOCK, or enough for a small file */
    size_t head;         /* bytes in block that were looked at, not taken */
    size_t lent, hashed; /* bytes in block that were taken; of them */
    bool ended, was_cut;
    bool fifo;               /* nobody may have opened it for writing yet */
    bool (*stop)(void *ctx); /* or NULL */
    void *stop_ctx;
    bool failed; /* reading failed, which was reported: it does so again without a word */
    struct sha256_ctx sha;
};

static struct fr_input *input_new(const char *name, long long size)
{
    struct fr_input *in = calloc(1, sizeof *in);
    if (!in)
        return NULL;
    in->name = strdup(name);
    in->block_size = size > 0 && size < (long long)FR_BLOCK ? (size_t)size + 1 : FR_BLOCK;
    in->block = aligned_alloc(PAGE, (in->block_size + PAGE - 1) / PAGE * PAGE);
    in->fd = -1;
    in->size = size;
    sha256_init(&in->sha);
    if (!in->name || !in->block) {
        fr_input_close(in);
        return NULL;
    }
    return in;
}

/* Only what has an end. *size: of a file; else as it was. *fifo: it is one. */
static int check_kind(const char *path, int fd, long long *size, bool *fifo, struct fr_log *log)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return fr_log_error(log, path, 0, "cannot be read (%s), skipped", strerror(errno));
    if (S_ISDIR(st.st_mode))
        return fr_log_error(log, path, 0, "is a folder, skipped (--recursive reads folders)");
    if (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))
        return fr_log_error(log, path, 0, "is a device, skipped");
    if (S_ISREG(st.st_mode))
        *size = (long long)st.st_size;
    *fifo = S_ISFIFO(st.st_mode);
    return 0;
}

struct fr_input *fr_input_open(const char *path, struct fr_log *log)
{
    bool is_stdin = strcmp(path, "-") == 0, fifo = false;
    int fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    long long size = -1;
    if (fd < 0) {
        fr_log_error(log, path, 0, "cannot be opened (%s), skipped", strerror(errno));
        return NULL;
    }
    if (!is_stdin && check_kind(path, fd, &size, &fifo, log) != 0) {
        close(fd);
        return NULL;
    }
    if (size > (long long)FR_BLOCK)
        posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    struct fr_input *in = input_new(path, size);
    if (!in) {
        close(fd);
        fr_log_error(log, path, 0, "out of memory, skipped");
        return NULL;
    }
    in->fd = fd;
    in->fifo = fifo;
    return in;
}

void fr_input_on_signal(struct fr_input *in, bool (*stop)(void *ctx), void *ctx)
{
    in->stop = stop;
    in->stop_ctx = ctx;
}

struct fr_input *fr_input_memory(const char *name, const char *bytes, size_t n)
{
    struct fr_input *in = input_new(name, (long long)n);
    if (!in)
        return NULL;
    in->memory = bytes;
    in->memory_left = n;
    return in;
}

struct fr_input *fr_input_callback(const char *name, ssize_t (*read)(void *ctx, char *buf, size_t n), void *ctx)
{
    struct fr_input *in = input_new(name, -1);
    if (!in)
        return NULL;
    in->read = read;
    in->ctx = ctx;
    return in;
}

void fr_input_close(struct fr_input *in)
{
    if (!in)
        return;
    if (in->fd >= 0)
        close(in->fd);
    free(in->block);
    free(in->name);
    free(in);
}

const char *fr_input_name(const struct fr_input *in)
{
    return in->name;
}

bool fr_input_is_file(const struct fr_input *in)
{
    return in->fd >= 0 && in->size >= 0;
}

long long fr_input_size(const struct fr_input *in)
{
    return fr_input_is_file(in) ? in->size : -1;
}

bool fr_input_was_cut(const struct fr_input *in)
{
    return in->was_cut;
}

long long fr_input_taken(const struct fr_input *in)
{
    return in->taken;
}

/* Was the call broken off by a signal after which one goes on? */
static bool again(const struct fr_input *in)
{
    int why = errno;
    bool over = why != EINTR || (in->stop && in->stop(in->stop_ctx));
    errno = why;
    return !over;
}

/* A FIFO that nobody has opened for writing yet looks like one that has ended: wait until somebody has. */
static int await_writer(const struct fr_input *in)
{
    struct pollfd fifo = {.fd = in->fd, .events = POLLIN};
    while (poll(&fifo, 1, -1) < 0)
        if (!again(in))
            return -1;
    return fcntl(in->fd, F_SETFL, fcntl(in->fd, F_GETFL) & ~O_NONBLOCK);
}

/* One read, whatever the source is. 0 at the end. */
static ssize_t read_some(struct fr_input *in, char *buf, size_t n, struct fr_log *log)
{
    if (in->memory || in->memory_left) {
        if (n > in->memory_left)
            n = in->memory_left;
        memcpy(buf, in->memory, n);
        in->memory += n;
        in->memory_left -= n;
        return (ssize_t)n;
    }
    if (in->read)
        return in->read(in->ctx, buf, n);
    if (in->fd < 0)
        return 0;
    ssize_t got = in->fifo ? await_writer(in) : 0;
    in->fifo = false;
    if (got == 0)
        do
            got = read(in->fd, buf, n);
        while (got < 0 && again(in));
    if (got < 0)
        fr_log_error(log, in->name, 0, "reading failed (%s), skipped", strerror(errno));
    return got;
}

void fr_input_digest(struct fr_input *in, size_t n)
{
    if (n > in->lent - in->hashed)
        n = in->lent - in->hashed;
    sha256_update(&in->sha, n, (const uint8_t *)in->block + in->hashed);
    in->hashed += n;
}

/* Go on reading; 0 at the end, where `ended` is set, and where it was cut. */
static ssize_t read_on(struct fr_input *in, char *buf, size_t n, struct fr_log *log)
{
    ssize_t got = read_some(in, buf, n, log);
    if (got == FR_INPUT_CUT) {
        in->was_cut = true;
        got = 0;
    }
    in->ended = got == 0;
    in->failed = got < 0;
    return got;
}

/* Fill the block from what it holds already: all of it where that may be looked at first. -1 on an error. */
static int fill(struct fr_input *in, struct fr_log *log)
{
    size_t size = in->taken && in->block_size > PIECE ? PIECE : in->block_size;
    fr_input_digest(in, in->lent);
    in->lent = in->hashed = 0;
    while (!in->failed && !in->ended && in->head < size) {
        ssize_t got = read_on(in, in->block + in->head, size - in->head, log);
        in->head += got > 0 ? (size_t)got : 0;
    }
    return in->failed ? -1 : 0;
}

const char *fr_input_head(struct fr_input *in, size_t *n, struct fr_log *log)
{
    if (fill(in, log) != 0)
        return NULL;
    *n = in->head;
    return in->block;
}

const char *fr_input_next(struct fr_input *in, size_t *n, struct fr_log *log)
{
    if (fill(in, log) != 0)
        return NULL;
    *n = in->lent = in->head;
    in->taken += (long long)in->head;
    in->head = 0;
    return in->block;
}

int fr_input_all(struct fr_input *in, struct fr_strbuf *out, size_t max, struct fr_log *log)
{
    size_t n;
    const char *p = fr_input_next(in, &n, log); /* what was looked at already */
    if (!p)
        return -1;
    if (!in->ended && in->size > 0 && (size_t)in->size <= max)
        fr_strbuf_room(out, (size_t)in->size + FR_BLOCK);
    fr_strbuf_add(out, p, n);
    fr_input_digest(in, n);
    while (!in->ended && out->len <= max) { /* the rest goes to its place, and is hashed while it is in the cache */
        char *to = fr_strbuf_room(out, PIECE);
        ssize_t got = read_on(in, to, PIECE, log);
        if (got < 0)
            return -1;
        sha256_update(&in->sha, (size_t)got, (const uint8_t *)to);
        in->taken += got;
        fr_strbuf_added(out, (size_t)got);
    }
    if (out->len > max)
        return fr_log_error(log, in->name, 0, "is larger than %zu MiB and in no format that is read in pieces, skipped",
                            max >> 20);
    return 0;
}

static const char *hex_of(struct sha256_ctx *sha, char out[65])
{
    static const char hex[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(sha, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        out[2 * i] = hex[digest[i] >> 4];
        out[2 * i + 1] = hex[digest[i] & 15];
    }
    out[64] = 0;
    return out;
}

const char *fr_input_sha256(struct fr_input *in, char out[65])
{
    struct sha256_ctx copy = in->sha; /* digesting resets it */
    return hex_of(&copy, out);
}

int fr_input_ahead(const struct fr_input *in, char out[65])
{
    struct sha256_ctx sha;
    char *block = malloc(FR_BLOCK);
    long long at = 0;
    ssize_t got = -1;
    sha256_init(&sha);
    while (block && ((got = pread(in->fd, block, FR_BLOCK, (off_t)at)) > 0 || (got < 0 && again(in)))) {
        sha256_update(&sha, got > 0 ? (size_t)got : 0, (const uint8_t *)block);
        at += got > 0 ? got : 0;
    }
    free(block);
    hex_of(&sha, out);
    return got < 0 ? -1 : 0;
}
