/* ingest_paths.c: see ingest_paths.h. */
#include "ingest_paths.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "scan.h"
#include "strbuf.h"

#include "banned.h"

static int append(struct fr_paths *paths, const char *path, struct fr_log *log)
{
    if (paths->n == paths->alloc) {
        size_t alloc = paths->alloc ? paths->alloc * 2 : 64;
        char **more = realloc(paths->path, alloc * sizeof *more);
        if (!more)
            return fr_log_error(log, path, 0, "out of memory, skipped");
        paths->path = more;
        paths->alloc = alloc;
    }
    char *copy = strdup(path);
    if (!copy)
        return fr_log_error(log, path, 0, "out of memory, skipped");
    paths->path[paths->n++] = copy;
    return 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

static int walk(struct fr_paths *paths, const char *folder, int depth, struct fr_log *log);

/* One entry of a folder; `type` as the folder has it, which is one call less for nearly all. */
static int visit(struct fr_paths *paths, const char *path, unsigned char type, int depth, struct fr_log *log)
{
    struct stat st, link;
    if (type == DT_REG)
        return append(paths, path, log);
    bool fine = lstat(path, &link) == 0;
    st = link;
    if (fine && S_ISLNK(link.st_mode))
        fine = stat(path, &st) == 0;
    if (!fine)
        return fr_log_error(log, path, 0, "cannot be read (%s), skipped", strerror(errno));
    if (S_ISREG(st.st_mode))
        return append(paths, path, log);
    if (!S_ISDIR(st.st_mode))
        fr_log_explain(log, path, 0, "is no file, left out");
    else if (S_ISLNK(link.st_mode)) /* could lead round in a circle */
        fr_log_explain(log, path, 0, "is a link to a folder, left out");
    else
        return walk(paths, path, depth + 1, log);
    return 0;
}

static int walk(struct fr_paths *paths, const char *folder, int depth, struct fr_log *log)
{
    if (depth > FR_PATHS_DEPTH)
        return fr_log_error(log, folder, 0, "lies more than %d folders deep, skipped", FR_PATHS_DEPTH);
    struct dirent **entries;
    int n = scandir(folder, &entries, visible, by_bytes);
    if (n < 0)
        return fr_log_error(log, folder, 0, "cannot be listed (%s), skipped", strerror(errno));
    int status = 0;
    size_t length = strlen(folder);
    for (int i = 0; i < n; i++) {
        struct fr_strbuf path = FR_STRBUF_INIT;
        fr_strbuf_addf(&path, "%s%s%s", folder, length && folder[length - 1] == '/' ? "" : "/", entries[i]->d_name);
        if (visit(paths, fr_strbuf_str(&path), entries[i]->d_type, depth, log) != 0)
            status = -1;
        fr_strbuf_release(&path);
        free(entries[i]);
    }
    free(entries);
    return status;
}

int fr_paths_add(struct fr_paths *paths, const char *path, bool recursive, struct fr_log *log)
{
    struct stat st;
    if (recursive && strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        size_t before = paths->n;
        if (walk(paths, path, 1, log) != 0)
            return -1;
        if (paths->n == before)
            return fr_log_error(log, path, 0, "is a folder without files");
        return 0;
    }
    return append(paths, path, log);
}

/* Bytes of a path up to its name. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

bool fr_paths_is_part(const char *path)
{
    struct fr_str s = fr_str(path + folder_length(path));
    uint64_t n;
    return fr_take(&s, "test-") && fr_take_u64(&s, &n, NULL) && fr_str_is(s, ".xml");
}

bool fr_paths_is_whole(const char *path)
{
    return strcmp(path + folder_length(path), "composite.xml") == 0;
}

bool fr_paths_same_folder(const char *a, const char *b)
{
    size_t n = folder_length(a);
    return folder_length(b) == n && strncmp(a, b, n) == 0;
}

const char *fr_paths_whole_of(const struct fr_paths *wholes, const char *part)
{
    for (size_t i = 0; i < wholes->n; i++)
        if (fr_paths_same_folder(wholes->path[i], part))
            return wholes->path[i];
    return NULL;
}

void fr_paths_part(struct fr_paths *paths, struct fr_paths *parts, struct fr_log *log)
{
    struct fr_paths wholes = FR_PATHS_INIT;
    size_t kept = 0;
    for (size_t i = 0; i < paths->n; i++)
        if (fr_paths_is_whole(paths->path[i]))
            append(&wholes, paths->path[i], log);
    for (size_t i = 0; i < paths->n; i++) {
        char *path = paths->path[i];
        if (wholes.n && fr_paths_is_part(path) && fr_paths_whole_of(&wholes, path) && append(parts, path, log) == 0)
            free(path);
        else
            paths->path[kept++] = path;
    }
    paths->n = kept;
    fr_paths_release(&wholes);
}

void fr_paths_release(struct fr_paths *paths)
{
    for (size_t i = 0; i < paths->n; i++)
        free(paths->path[i]);
    free(paths->path);
    *paths = (struct fr_paths)FR_PATHS_INIT;
}
