#!/bin/sh
# make gallery: every kind of chart, in every theme and with hard data, into gallery/, to be looked at. What samples/
# has not is made up here (gallery/made-up/). Where ImageMagick is installed, contact sheets of them as well.
# gallery.sh PATTERN draws only those whose name matches the shell pattern.
set -eu
cd "$(dirname "$0")/.."
only=${1:-*}
top=$PWD dir=$PWD/gallery
rm -rf "$dir/made-up"
mkdir -p "$dir/made-up/logs"
cd "$dir"
ln -sfn "$top/samples" samples
export SOURCE_DATE_EPOCH=1700000000 FIOREPORT_DB=none.db LC_ALL=C.UTF-8

# draw NAME ARG...: NAME.png
draw()
{
    name=$1
    shift
    # shellcheck disable=SC2254
    case $name in $only) ;; *) return 0 ;; esac
    "$top/fioreport" chart --quiet --force --scale "${SCALE:-1}" -o "$name.png" "$@" || echo "$name: status $?" >&2
}

# in_themes NAME ARG...: NAME-light, NAME-dark, NAME-print
in_themes()
{
    base=$1
    shift
    for theme in light dark print; do draw "$base-$theme" --theme "$theme" "$@"; done
}

# ---- made-up data ----------------------------------------------------------------------------------------------------

# labels N LENGTH: N labels, a line each; LENGTH `mixed` takes them from many scripts
labels()
{
    awk -v n="$1" -v length_of="$2" 'BEGIN {
        split("lvm|zfs über iscsi|日本語のラベル|مرحبا بالعالم|🚀 rocket|한국어|ext4|btrfs-zstd:15|ελληνικά|Ω≈ç√|nfs4.2|x", words, "|")
        for (i = 1; i <= n; i++) {
            if (length_of == "mixed") { print words[(i - 1) % 12 + 1] (i > 12 ? " v" int((i - 1) / 12) + 1 "x" : ""); continue }
            s = "b" i
            while (length(s) < length_of) s = s (length(s) % 9 == 8 ? " " : substr("storage backend behind multipath", length(s) % 30 + 1, 1))
            gsub(/  /, " a", s); print substr(s, 1, length_of < length("b" i) ? length("b" i) : length_of)
        }
    }'
}

# table N LENGTH VALUES: a published table, tests down, labels across, VALUES an awk expression of i (label) and k (test)
table()
{
    labels "$1" "$2" | awk -v OFS='\t' '{l[NR] = $0} END {
        printf "test"; for (i = 1; i <= NR; i++) printf "\t%s", l[i]; print ""
        split("4k randwrite|1M read", tests, "|")
        for (k = 1; k <= 2; k++) {
            printf "%s", tests[k]
            for (i = 1; i <= NR; i++) { v = '"$3"'; printf "\t%s", v == "" ? "-" : v " MB/s" }
            print ""
        }
    }'
}

# json LABELS DEPTHS: fio JSON with percentiles, a job a depth; on stdin nothing
json()
{
    labels "$1" mixed | while IFS= read -r label; do
        number=$((${number:-0} + 1))
        awk -v name="$label" -v i="$number" -v depths="$2" 'BEGIN {
            printf "{\"fio version\": \"fio-3.33\", \"timestamp\": %d, \"jobs\": [", 1700000000 + i
            m = split(depths, d, " "); split("1 5 10 20 30 40 50 60 70 80 90 95 99 99.5 99.9 99.95 99.99", p, " ")
            for (k = 1; k <= m; k++) {
                iops = 9000 * d[k] / (1 + d[k] / (4 * i)); lat = d[k] / iops * 1e9
                printf "%s{\"jobname\": \"j\", \"error\": 0, \"job options\": {\"rw\": \"randread\", \"bs\": \"4k\", \"iodepth\": \"%d\"}, ", (k > 1 ? "," : ""), d[k]
                printf "\"read\": {\"io_bytes\": %.0f, \"bw_bytes\": %.0f, \"iops\": %.3f, \"runtime\": 60000, \"total_ios\": %.0f, ", iops * 4096 * 60, iops * 4096, iops, iops * 60
                printf "\"clat_ns\": {\"min\": %.0f, \"max\": %.0f, \"mean\": %.3f, \"stddev\": 10, \"N\": %.0f, \"percentile\": {", lat / 4, lat * 400, lat, iops * 60
                for (q = 1; q <= 17; q++) printf "%s\"%.6f\": %.0f", (q > 1 ? "," : ""), p[q], lat * (0.4 + p[q] / 100 + (p[q] > 98 ? (p[q] - 98) ^ (2 + i % 3) : 0))
                print "}}}}"
            }
            print "]}"
        }' >"made-up/$label.fio.json"
    done
}

# failed ERRNO IOPS: a run that ended with an error
failed()
{
    echo '{"fio version": "fio-3.33", "jobs": [{"jobname": "write", "error": '"$1"', "job options": {"rw": "randrw", "bs": "4k"},
        "write": {"iops": '"$2"', "bw_bytes": '"$(($2 * 4096))"', "io_bytes": 1048576000, "runtime": 10000, "total_ios": 1000}}]}'
}

# log N SECONDS PER_SECOND: bandwidth logs of N labels, and one of latencies
log()
{
    labels "$1" mixed | while IFS= read -r label; do
        number=$((${number:-0} + 1))
        awk -v i="$number" -v s="$2" -v f="$3" 'BEGIN {
            srand(i)
            for (k = 1; k <= s * f; k++) {
                t = k / f; v = 100000 * (1 + i / 4) * (1 + 0.1 * sin(t / 9 + i)) * (0.9 + rand() / 5) * (rand() < 0.002 ? 3 : 1) * (t % 60 > 57 ? 0.2 : 1)
                printf "%d, %d, 1, 0, 0\n", t * 1000, v
            }
        }' >"made-up/logs/${label}_bw.1.log"
    done
}

for n in 1 2 5 12 40; do
    table "$n" 3 'i * 37 % 50 + 100 * k' >"made-up/table-$n-short.tsv"
    table "$n" 60 'i * 37 % 50 + 100 * k' >"made-up/table-$n-long.tsv"
    table "$n" mixed 'i * 37 % 50 + 100 * k' >"made-up/table-$n-mixed.tsv"
done
table 12 3 '10 ^ (i - 4)' >made-up/table-decades.tsv
table 5 5 '123.4' >made-up/table-equal.tsv
table 5 5 'i == 3 && k == 1 ? "" : i * 20' >made-up/table-missing.tsv
json 40 "1 2 4 8 16 32 64"
log 40 30 2
first() { labels "$1" mixed | sed "s|^|made-up/|;s|\$|$2|"; }

# ---- pictures --------------------------------------------------------------------------------------------------------

backends=$(echo samples/backends/*.txt)
sweep=$(echo samples/sweep/*.txt)
# shellcheck disable=SC2086
{
    in_themes bars-standing --metric write.iops --sort -write.iops $backends
    in_themes bars-lying --metric write.iops,write.clat:p99 $backends
    in_themes bars-grouped --rows test --cols label made-up/table-5-mixed.tsv
    in_themes bars-target --metric write.iops,write.clat:p99 --baseline-value write.iops=120 $backends
    in_themes relative --kind relative --baseline lvm --metric write.iops,write.clat:p99 $backends
    in_themes facets --kind facets --metric bw samples/phoronix/made-up-composite-10.8.xml
    in_themes percentiles --kind percentiles samples/series/mixed.json
    in_themes cdf --kind cdf samples/series/mixed.json
    in_themes histogram --kind histogram samples/series/mixed.json
    in_themes series --kind series --metric bw samples/series/mixed.json samples/series/*.log
    in_themes series-latency --kind series --metric clat samples/time/raw.json samples/time/*_clat.1.log
    in_themes series-steady --kind series --metric bw samples/time/steady.json samples/time/*_bw.1.log
    in_themes series-metrics --kind series --metric bw,clat samples/series/mixed.json samples/series/*.log
    in_themes scaling-target --kind scaling --where bs=4k --metric read.iops,read.clat:p99 --baseline-value read.iops=50000 $sweep
    in_themes scaling --kind scaling --x iodepth --cols label,bs --metric read.iops $sweep
    in_themes latency-iops --kind latency-iops --rows label,iodepth --where bs=4k --metric read.iops,read.clat:p99 $sweep
    in_themes heatmap --kind heatmap --rows bs --cols iodepth --where label=direct --metric read.iops $sweep
    in_themes heatmap-time --kind heatmap --metric clat samples/time/raw.json samples/time/*_clat.1.log
}
for n in 1 2 5 12 40; do
    for length in short long mixed; do
        draw "labels-bars-$n-$length" --rows label --cols test "made-up/table-$n-$length.tsv"
    done
    draw "labels-one-test-$n" --rows label --cols test --where 'test=1M read' "made-up/table-$n-mixed.tsv"
    first "$n" .fio.json | tr '\n' '\0' | xargs -0 sh -c 'printf "%s\n" "$@" >made-up/list' sh
    set --
    while IFS= read -r file; do set -- "$@" "$file"; done <made-up/list
    for theme in light print; do
        draw "labels-percentiles-$n-$theme" --theme $theme --kind percentiles --where iodepth=16 "$@"
        draw "labels-scaling-$n-$theme" --theme $theme --kind scaling --metric read.iops,read.clat:p99 "$@"
        draw "labels-latency-iops-$n-$theme" --theme $theme --kind latency-iops --metric read.iops,read.clat:p99 "$@"
    done
    draw "labels-heatmap-$n" --kind heatmap --rows label --cols iodepth --metric read.iops "$@"
    set --
    first "$n" _bw.1.log | sed 's|made-up/|&logs/|' >made-up/list
    while IFS= read -r file; do set -- "$@" "$file"; done <made-up/list
    draw "labels-series-$n-light" --kind series --name-pattern '{label}_bw.1.log' "$@"
    draw "labels-series-$n-print" --theme print --kind series --name-pattern '{label}_bw.1.log' "$@"
done
draw values-decades --rows label --cols test made-up/table-decades.tsv
draw values-decades-log --log --rows label --cols test made-up/table-decades.tsv
draw values-decades-one --log --rows label --cols test --where 'test=1M read' made-up/table-decades.tsv
draw values-equal --rows label --cols test made-up/table-equal.tsv
draw values-missing --rows label --cols test made-up/table-missing.tsv
draw values-missing-one --rows label --cols test --where 'test=1M read' made-up/table-missing.tsv
failed 28 900 >made-up/failed.json
draw values-failed --metric write.iops made-up/failed.json samples/backends/*.txt
draw values-failed-standing --metric write.iops made-up/failed.json samples/backends/*lvm*.txt
for width in 270 500; do
    draw "narrow-$width-bars" --width $width --rows label --cols test made-up/table-decades.tsv
    draw "narrow-$width-scaling" --width $width --kind scaling --x iodepth --cols label,bs --metric read.iops samples/sweep/*.txt
    draw "narrow-$width-heatmap" --width $width --kind heatmap --rows bs --cols iodepth --where label=direct --metric read.iops samples/sweep/*.txt
    draw "narrow-$width-series" --width $width --kind series --metric bw samples/series/mixed.json samples/series/*.log
    draw "narrow-$width-percentiles" --width $width --kind percentiles samples/series/mixed.json
done

# ---- contact sheets --------------------------------------------------------------------------------------------------

command -v montage >/dev/null 2>&1 || exit 0
sheet()
{
    name=$1
    shift
    # shellcheck disable=SC2254
    case $only in '*') montage "$@" -tile "${tile:-3x}" -geometry '800x900>+6+6' -background '#888' "sheet-$name.png" ;; esac
}
for kind in bars-standing bars-lying bars-grouped bars-target relative facets percentiles cdf histogram series \
    series-latency series-steady series-metrics scaling scaling-target latency-iops heatmap heatmap-time; do
    sheet "$kind" "$kind-light.png" "$kind-dark.png" "$kind-print.png"
done
for group in labels-bars labels-percentiles labels-scaling labels-latency-iops labels-heatmap labels-series labels-one values \
    narrow; do
    sheet "$group" "$group"-*.png
done
