/* version.c: the versions of the libraries that fioreport was built with. */
#include "fioreport.h"

#include <archive.h>
#include <cairo.h>
#include <expat.h>
#include <json-c/json_c_version.h>
#include <nettle/version.h>
#include <pango/pango-features.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <sqlite3.h>
#include <xlsxwriter.h>
#include <zlib.h>

#include "banned.h"

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *fr_library_versions(void)
{
    return "sqlite " SQLITE_VERSION ", json-c " JSON_C_VERSION ", pcre2 " TEXT(PCRE2_MAJOR) "." TEXT(
        PCRE2_MINOR) ", cairo " CAIRO_VERSION_STRING ", pango " PANGO_VERSION_STRING ", libxlsxwriter " LXW_VERSION
                     ", expat " TEXT(XML_MAJOR_VERSION) "." TEXT(XML_MINOR_VERSION) "." TEXT(
                         XML_MICRO_VERSION) ", libarchive " ARCHIVE_VERSION_ONLY_STRING
                                            ", nettle " TEXT(NETTLE_VERSION_MAJOR) "." TEXT(
                                                NETTLE_VERSION_MINOR) ", zlib " ZLIB_VERSION;
}
