/* store_module.c: what our virtual tables have in common: they can only be read, and lie in memory of their own. */
#include "store_db.h"

#include "banned.h"

int fr_module_connect(sqlite3 *db, const char *declaration, void *owner, sqlite3_vtab **out)
{
    int rc = sqlite3_declare_vtab(db, declaration);
    if (rc != SQLITE_OK)
        return rc;
    struct fr_module_table *table = calloc(1, sizeof *table);
    if (!table)
        return SQLITE_NOMEM;
    table->owner = owner;
    *out = &table->base;
    return SQLITE_OK;
}

int fr_module_disconnect(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

int fr_module_open(size_t size, sqlite3_vtab_cursor **out)
{
    *out = calloc(1, size);
    return *out ? SQLITE_OK : SQLITE_NOMEM;
}

int fr_module_close(sqlite3_vtab_cursor *cursor)
{
    free(cursor);
    return SQLITE_OK;
}

int fr_module_row(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    *out = ((struct fr_module_cursor *)(void *)cursor)->row;
    return SQLITE_OK;
}
