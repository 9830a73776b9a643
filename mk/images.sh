#!/bin/sh
# Make the pictures of docs/charts.md by the commands that stand there.
set -eu
cd "$(dirname "$0")/.."
top=$PWD tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ln -s "$top/samples" "$tmp/samples"
cp "${FIOREPORT:-$top/fioreport}" "$tmp/fioreport"
export SOURCE_DATE_EPOCH=1700000000 FIOREPORT_DB=none.db
sed -n 's/^    \(\.\/fioreport chart .*\)$/\1/p' docs/charts.md | while IFS= read -r command; do
    (cd "$tmp" && sh -c "$command --scale 1 --quiet")
done
for picture in "$tmp"/*.png; do
    cp "$picture" "docs/images/chart-${picture##*/}"
done
