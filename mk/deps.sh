#!/bin/sh
# Install what the build needs and is missing: apt, dnf or brew. Says what it does; where none fits, says what to install.
set -eu

missing=
for pkg in json-c libpcre2-8 sqlite3 cairo pangocairo expat libarchive nettle zlib; do
    pkg-config --exists "$pkg" 2>/dev/null || missing="$missing $pkg"
done
printf '#include <xlsxwriter.h>\n' | cc -E -x c - >/dev/null 2>&1 || missing="$missing libxlsxwriter"
for tool in cc make pkg-config; do
    command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
done
# Text in pictures needs a font that has the letters.
fonts=
if [ -z "$(fc-list : family 2>/dev/null | head -n 1)" ]; then fonts=1; fi
if [ -z "$missing" ] && [ -z "$fonts" ]; then
    echo "deps: nothing is missing"
    exit 0
fi
echo "deps: missing:$missing${fonts:+ fonts}"

as_root=
if [ "$(id -u)" != 0 ]; then as_root=sudo; fi
if command -v apt-get >/dev/null 2>&1; then
    $as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends gcc make pkg-config \
        libc6-dev libjson-c-dev libpcre2-dev libsqlite3-dev libcairo2-dev libpango1.0-dev libxlsxwriter-dev \
        libexpat1-dev libarchive-dev nettle-dev zlib1g-dev fontconfig fonts-dejavu-core
elif command -v dnf >/dev/null 2>&1; then
    $as_root dnf install -y gcc make pkgconf-pkg-config json-c-devel pcre2-devel sqlite-devel cairo-devel pango-devel \
        libxlsxwriter-devel expat-devel libarchive-devel nettle-devel zlib-devel fontconfig dejavu-sans-fonts
elif command -v brew >/dev/null 2>&1; then
    brew install pkg-config json-c pcre2 sqlite cairo pango libxlsxwriter expat libarchive nettle zlib
else
    cat >&2 <<EOT
deps: this system has none of apt-get, dnf, brew. Please install, with headers: json-c, pcre2, sqlite3, cairo, pango
(pangocairo), libxlsxwriter, expat, libarchive, nettle, zlib; a C11 compiler, make, pkg-config and a font (DejaVu Sans).
EOT
    exit 1
fi
