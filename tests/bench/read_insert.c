/*
 * read_insert FOLDER DB ROWS: what any program must do with many small files: read each (open, read, close), and insert
 * that many rows of two integers and a double for each, in transactions of 500 files. For comparison.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    long rows = strtol(argv[3], NULL, 10), files = 0;
    sqlite3 *db;
    sqlite3_stmt *insert;
    struct dirent *entry;
    DIR *dir = opendir(argv[1]);
    if (!dir || sqlite3_open(argv[2], &db) != SQLITE_OK)
        return 1;
    sqlite3_exec(db, "CREATE TABLE v (file INTEGER, name INTEGER, value REAL)", NULL, NULL, NULL);
    if (sqlite3_prepare_v2(db, "INSERT INTO v VALUES (?, ?, ?)", -1, &insert, NULL) != SQLITE_OK)
        return 1;
    sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
    while ((entry = readdir(dir)) != NULL) {
        char path[4096], block[65536];
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        int fd = open(path, O_RDONLY);
        long sum = 0;
        for (ssize_t n; fd >= 0 && (n = read(fd, block, sizeof block)) > 0;)
            sum += n;
        close(fd);
        for (long i = 0; i < rows; i++) {
            sqlite3_bind_int64(insert, 1, files);
            sqlite3_bind_int64(insert, 2, i);
            sqlite3_bind_double(insert, 3, (double)sum * (double)i);
            sqlite3_step(insert);
            sqlite3_reset(insert);
        }
        if (++files % 500 == 0)
            sqlite3_exec(db, "COMMIT; BEGIN", NULL, NULL, NULL);
    }
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    sqlite3_finalize(insert);
    sqlite3_close(db);
    closedir(dir);
    return 0;
}
