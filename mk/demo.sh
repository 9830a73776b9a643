#!/bin/sh
# The main job on the samples: everything that is here goes in; the five storage backends are what is shown.
set -eu
rm -rf demo
mkdir demo
export FIOREPORT_DB=demo/results.db
# Some samples are broken on purpose: status 3 is expected, and says which.
find samples -type f ! -name '*.records' ! -name 'README*' | LC_ALL=C sort >demo/files
xargs -d '\n' ./fioreport ingest <demo/files 2>demo/ingest.log || true
rm demo/files
tail -n 1 demo/ingest.log
echo '(some samples are broken on purpose: demo/ingest.log says which, and what is wrong with them)'
backends="--where source~samples/backends/*"
./fioreport table $backends --metric write.iops,write.bw,write.clat:p99 --sort -write.iops >demo/table.md
./fioreport chart $backends --metric write.iops --sort -write.iops --force -o demo/write-iops.png
./fioreport xlsx $backends -o demo/results.xlsx --force
echo
cat demo/table.md
cat <<'EOT'

demo/ now holds what five runs of fio give. Open:
  demo/table.md         the table above, for a README
  demo/write-iops.png   the chart
  demo/results.xlsx     the spreadsheet
  demo/results.db       the database, with all samples in it: ./fioreport list --db demo/results.db
EOT
