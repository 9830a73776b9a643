#!/bin/sh
# Who may include whom (docs/design: "Layers"). Prints `ok FILE` or `FAIL FILE: ...` for every source and header.
#
#   program (main, opt, cmd_*)    fioreport.h opt.h
#   render                        render headers, table and core; cairo and pango in canvas, xlsxwriter in xlsx
#   query                         store, record, table, core
#   store                         record, table, core; sqlite3
#   ingest                        parser.h, store, identity, label, core
#   parsers                       parser.h, own private headers (same first word), core; json-c in fio_json*, expat in pts*
#   core                          core; one foreign library a file
cd "$(dirname "$0")/.." || exit 2

core='arena|banned|strbuf|scan|units|log|input|archive|gunzip|doc|doc_[a-z]+|record|series|series_pack|hist|literal|metrics|stats|table|rx|identity[a-z_]*|surround|label|dims|digest|digits|latency_target|words|fio_options|fioreport'
core="($core)"
render=$(ls render/*.h | sed 's|^render/||; s/\.h$//' | tr '\n' '|' | sed 's/|$//')

# layer FILE -> extended regex of what it may include in quotes, and in angle brackets beyond the C library and POSIX
rules()
{
    own=$(basename "$1" | sed 's/\.[ch]$//; s/_.*//')
    name=$(basename "$1")
    foreign='none'
    case $1 in
    src/main.c | src/opt*.[ch] | src/cmd_*.[ch]) allowed='^(fioreport|opt|opt_[a-z]+|cmd|banned)\.h$' ;;
    render/*) allowed="^($core|$render)\.h\$" ;;
    src/query*) allowed="^($core|query[a-z_]*|store)\.h\$" ;;
    src/store*) allowed="^($core|store[a-z_]*)\.h\$|^schema\.inc\$" foreign='^sqlite3\.h$' ;;
    src/ingest*) allowed="^($core|ingest[a-z_]*|parser|store)\.h\$" ;;
    src/facts.c | src/version.c) allowed="^($core|parser)\.h\$" ;;
    parsers/parser.h) allowed="^$core\.h\$" ;;
    parsers/*)
        base=$(echo "$name" | sed 's/\.[ch]$//')
        family=$(echo "$base" | sed -E 's/^(fio_[a-z]+|[a-z]+).*/\1/')
        allowed="^($core|parser|$family[a-z_]*)\.h\$"
        ;;
    include/*) allowed='^none$' ;;
    *) allowed="^$core\.h\$|^(metrics|dims|fio_options)\.def\$" ;;
    esac
    case $1 in
    src/rx.c) foreign='^pcre2\.h$' ;;
    src/input.c | src/digest.c) foreign='^nettle/' ;;
    src/gunzip.c) foreign='^zlib\.h$' ;;
    src/archive.c) foreign='^archive(_entry)?\.h$' ;;
    src/version.c) foreign='^(sqlite3|pcre2|cairo|expat|archive|xlsxwriter|json-c/.*|json|pango/.*|nettle/.*|zlib)\.h$|^(pango|json-c|nettle)/' ;;
    src/digits.h | src/scan.c) foreign='^emmintrin\.h$' ;; # the compiler's own, as stdint.h is
    parsers/fio_json*) foreign='^(json-c/|json)' ;;
    parsers/pts*) foreign='^(expat\.h$|json-c/|json)' ;;
    render/canvas*.[ch]) foreign='^(cairo.*|zlib)\.h$|^pango/' ;;
    render/output.c) foreign='^zlib\.h$' ;;
    render/xlsx*) foreign='^xlsxwriter' ;;
    esac
}

libc='^(assert|ctype|dirent|errno|fcntl|float|fnmatch|glob|inttypes|limits|locale|math|poll|pthread|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|strings|time|unistd|wchar|sys/[a-z]+)\.h$'

git ls-files --cached --others --exclude-standard 'include/*.h' 'src/*.[ch]' 'parsers/*.[ch]' 'render/*.[ch]' | while read -r file; do
    [ -f "$file" ] || continue
    rules "$file"
    bad=$(sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$file" | grep -Ev "$allowed" | tr '\n' ' ')
    strange=$(sed -n 's/^ *# *include *<\([^>]*\)>.*/\1/p' "$file" | grep -Ev "$libc" | grep -Ev "$foreign" | tr '\n' ' ')
    if [ -n "$bad$strange" ]; then
        echo "FAIL layers $file: must not include $bad$strange"
    elif case $file in *.c) ! grep -q '#include "banned.h"' "$file" ;; *) false ;; esac; then
        echo "FAIL layers $file: does not include banned.h"
    else
        echo "ok layers $file"
    fi
done
