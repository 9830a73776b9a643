/*
 * What any program must do with many small files: read each (open, read, close) and insert rows for it, by prepared
 * statements in transactions of 500 files. For comparison.
 *
 *   read_insert FOLDER DB ROWS           that many bare rows a file: two integers and a double, in a table without a
 * key read_insert FOLDER DB ONE.db TWO.db  the rows that fioreport stores for a file, in its own tables, with their
 * indexes and checks: of two databases that it made, TWO has one file more than ONE, and what that added is inserted
 * for each file (with ids and unique texts of its own)
 */
#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS_MAX = 1000, COLUMNS_MAX = 64, FILES_AT_ONCE = 500 };

/* What a file adds to: the key says which rows are new, and grows from file to file. */
static const struct {
    const char *name, *key;
} tables[] = {{"source", "source_id"}, {"word", "word_id"}, {"run", "run_id"},    {"test", "test_id"},
              {"result", "test_id"},   {"param", "run_id"}, {"note", "run_id"},   {"disk", "run_id"},
              {"hist", "hist_id"},     {"bin", "hist_id"},  {"second", "log_id"}, {"log", "log_id"}};
enum { TABLES = sizeof tables / sizeof *tables };

struct table {
    sqlite3_stmt *insert;
    int columns;
    long long step[COLUMNS_MAX]; /* what a column grows by from file to file */
    char unique[COLUMNS_MAX];    /* a text that must differ */
    sqlite3_value *row[ROWS_MAX][COLUMNS_MAX];
    int rows;
};

static void fail(const char *what, sqlite3 *db)
{
    fprintf(stderr, "read_insert: %s: %s\n", what, db ? sqlite3_errmsg(db) : "");
    exit(1);
}

static void run(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail(sql, db);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
        fail(sql, db);
    return st;
}

static sqlite3 *open_database(const char *path)
{
    sqlite3 *db;
    if (sqlite3_open(path, &db) != SQLITE_OK)
        fail(path, db);
    return db;
}

static long long most(sqlite3 *db, const char *table, const char *column)
{
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT max(%s) FROM %s", column, table);
    sqlite3_stmt *st = prepare(db, sql);
    sqlite3_step(st);
    long long n = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return n;
}

/* The table that an id numbers; -1: the column is none of them. */
static int numbered(const char *column)
{
    for (int i = 0; i < TABLES; i++)
        if (strcmp(column, tables[i].key) == 0)
            return i;
    return -1;
}

static void load(struct table *t, int i, sqlite3 *one, sqlite3 *two, sqlite3 *db)
{
    char sql[512] = "";
    snprintf(sql, sizeof sql, "SELECT * FROM %s WHERE %s > %lld", tables[i].name, tables[i].key,
             most(one, tables[i].name, tables[i].key));
    sqlite3_stmt *st = prepare(two, sql);
    t->columns = sqlite3_column_count(st);
    int n = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (?", tables[i].name);
    for (int c = 0; c < t->columns; c++) {
        const char *column = sqlite3_column_name(st, c);
        int of = numbered(column);
        if (of >= 0)
            t->step[c] = most(two, tables[of].name, column) - most(one, tables[of].name, column);
        t->unique[c] = strcmp(column, "sha256") == 0 || strcmp(tables[i].name, "word") == 0;
        n += snprintf(sql + n, sizeof sql - (size_t)n, "%s", c ? ", ?" : "");
    }
    snprintf(sql + n, sizeof sql - (size_t)n, ")");
    t->insert = prepare(db, sql);
    for (; sqlite3_step(st) == SQLITE_ROW && t->rows < ROWS_MAX; t->rows++)
        for (int c = 0; c < t->columns; c++)
            t->row[t->rows][c] = sqlite3_value_dup(sqlite3_column_value(st, c));
    sqlite3_finalize(st);
}

/* The tables and indexes of the model, its dictionaries, and what a file adds. */
static struct table *model(const char *one_path, const char *two_path, sqlite3 *db)
{
    struct table *t = calloc(TABLES + 1, sizeof *t); /* the last has no statement */
    sqlite3 *one = open_database(one_path), *two = open_database(two_path);
    sqlite3_stmt *st = prepare(two, "SELECT sql FROM sqlite_schema WHERE sql NOT NULL AND type IN ('table', 'index') "
                                    "AND name NOT LIKE 'sqlite%'");
    while (sqlite3_step(st) == SQLITE_ROW)
        run(db, (const char *)sqlite3_column_text(st, 0));
    sqlite3_finalize(st);
    for (int i = 0; t && i < TABLES; i++)
        load(&t[i], i, one, two, db);
    sqlite3_close(one);
    sqlite3_close(two);
    return t;
}

static void insert_as_stored(struct table *t, long file)
{
    for (; t->insert; t++) {
        for (int r = 0; r < t->rows; r++) {
            for (int c = 0; c < t->columns; c++) {
                sqlite3_value *v = t->row[r][c];
                char text[80];
                if (t->step[c] && sqlite3_value_type(v) == SQLITE_INTEGER) {
                    sqlite3_bind_int64(t->insert, c + 1, sqlite3_value_int64(v) + file * t->step[c]);
                } else if (t->unique[c] && sqlite3_value_type(v) == SQLITE_TEXT) {
                    snprintf(text, sizeof text, "%0*ld.%d", sqlite3_value_bytes(v) - 2, file, r % 10);
                    sqlite3_bind_text(t->insert, c + 1, text, -1, SQLITE_TRANSIENT);
                } else {
                    sqlite3_bind_value(t->insert, c + 1, v);
                }
            }
            if (sqlite3_step(t->insert) != SQLITE_DONE)
                fail(sqlite3_sql(t->insert), sqlite3_db_handle(t->insert));
            sqlite3_reset(t->insert);
        }
    }
}

static void insert_bare(sqlite3_stmt *insert, long rows, long file, long sum)
{
    for (long i = 0; i < rows; i++) {
        sqlite3_bind_int64(insert, 1, file);
        sqlite3_bind_int64(insert, 2, i);
        sqlite3_bind_double(insert, 3, (double)sum * (double)i);
        sqlite3_step(insert);
        sqlite3_reset(insert);
    }
}

static long read_file(const char *folder, const char *name)
{
    char path[4096], block[65536];
    long sum = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_RDONLY);
    for (ssize_t n; fd >= 0 && (n = read(fd, block, sizeof block)) > 0;)
        sum += n;
    close(fd);
    return sum;
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5)
        return 2;
    DIR *dir = opendir(argv[1]);
    sqlite3 *db = open_database(argv[2]);
    struct table *as_stored = argc == 5 ? model(argv[3], argv[4], db) : NULL;
    sqlite3_stmt *bare = NULL;
    long files = 0;
    if (!dir)
        return 1;
    if (!as_stored) {
        run(db, "CREATE TABLE v (file INTEGER, name INTEGER, value REAL)");
        bare = prepare(db, "INSERT INTO v VALUES (?, ?, ?)");
    }
    run(db, "BEGIN");
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        long sum = read_file(argv[1], entry->d_name);
        if (as_stored)
            insert_as_stored(as_stored, files);
        else
            insert_bare(bare, strtol(argv[3], NULL, 10), files, sum);
        if (++files % FILES_AT_ONCE == 0)
            run(db, "COMMIT; BEGIN");
    }
    run(db, "COMMIT");
    return 0; /* the process ends: nothing is worth freeing */
}
