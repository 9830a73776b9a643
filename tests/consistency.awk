# consistency.awk: what was read of the text, the terse line and the JSON that fio printed of ONE run, held together.
#
#   awk -f consistency.awk -v exceptions=FILE LIST
#
# Each line of LIST: NAME, the form that is held against the JSON (text, terse), the records of the JSON, the records of
# the form, and the form's source; tab separated. Prints a line `ok` or `FAIL` for each, and at the end a FAIL for each
# exception that nothing needed any more (only where -v all=1 says that everything was in the list).
#
# The JSON has all digits; the others are rounded in ways that are known. So each figure that both have must lie within
# the rounding of its print; one that the JSON does not have is invented; one that the form prints and that was not read
# is lost. Tests without I/O are in the JSON alone.

BEGIN {
    FS = "\t"
    while ((getline text < exceptions) > 0) {
        if (text ~ /^#/ || text !~ /[^ ]/)
            continue
        n = split(text, word, " ")
        exempt[++exempts] = word[1] " " word[2] " " word[3]
    }
}

function absolute(x) { return x < 0 ? -x : x }

# Read records into value[SIDE, TEST, op metric stat], line[...], name[SIDE, TEST], tests[SIDE]. Tests are numbered as
# they come. Terse lines of version 3 have no trims, versions 2 before 2.1 neither.
function read_records(path, side,    row, f, n, key, i, part) {
    while ((getline row < path) > 0) {
        n = split(row, f, "\t")
        if (f[1] == "run")
            runs[side]++
        if (f[1] == "disk")
            disk[side, f[3] " " f[4]] = f[5]
        if (f[1] == "param" && f[3] > 0)
            param[side, f[2] SUBSEP f[3], f[4]] = f[5]
        if (f[1] != "value")
            continue
        i = f[2] SUBSEP f[3]
        if (!((side, i) in name)) {
            name[side, i] = f[4]
            order[side, ++tests[side]] = i
        }
        key = (f[5] == "" ? "-" : f[5]) " " f[6] " " f[7]
        value[side, i, key] = f[8]
        line[side, i, key] = f[9]
        keys[side, i] = keys[side, i] key "\n"
        if (f[6] == "io_bytes" && f[8] > 0 && !(f[5] == "trim" && !trims))
            busy[side, i] = 1
        if (f[6] == "ios_prio") {                   # the text has them as shares
            count[side, i, f[5] " share_prio " f[7]] = f[8]
            total[side, i, f[5]] += f[8]
        }
    }
    close(path)
    for (key in count) {
        split(key, f, SUBSEP)
        split(f[4], part, " ")
        if (f[1] == side)
            value[key] = count[key] / total[side, f[2], f[3], part[1]]
    }
}

# One step of the last digit of a figure that fio's num2str shortened to `digits` characters.
function shortened(v, digits,    p) {
    p = 1
    while (absolute(v) / p >= 10)
        p *= 10
    return p / exp((digits - 1) * log(10))
}

function unit_of(text) {
    if (text ~ /\(nsec\)|\(ns\)/) return 1e-9
    if (text ~ /\(usec\)|\(us\)/) return 1e-6
    if (text ~ /\(msec\)|\(ms\)/) return 1e-3
    return 0
}

# The heading of percentiles has their unit: it stands some lines above.
function unit_at(no,    u) {
    for (u = unit_of(source[no]); u == 0 && no > 1; u = unit_of(source[no]))
        no--
    return u
}

# How far the figure of the text may lie below (low) and above (high) that of the JSON.
function slack_text(op, metric, stat, v, no,    u) {
    low = high = 0
    if (metric ~ /lat_prio$/) {                     # as the latencies that it is a part of
        sub(/_prio$/, "", metric)
        sub(/^.*:/, "", stat)
    }
    if (metric ~ /lat$/ && stat ~ /^p[0-9]/) {
        high = unit_at(no)                          # rounded up, once for each division by a thousand
        if (high == 0.001)
            high += 1e-6
    } else if (metric ~ /lat$/ && (stat == "min" || stat == "max")) {
        u = unit_at(no)
        low = u + shortened(v, 5)                  # cut to the unit, then shortened to six characters
        high = shortened(v, 5)
    } else if (metric ~ /lat$/) {
        low = high = 0.00501 * unit_at(no)
    } else if (metric ~ /^cpu|^share_prio/) {
        low = high = 0.0000501
    } else if (metric ~ /^iodepth_/) {
        low = high = 0.000501                      # a tenth of a per cent
    } else if (metric == "steadystate_criterion") {
        low = high = 0.00000501
    } else if (metric ~ /^steadystate_/) {
        low = high = 1 + v * 0.0051
    } else if (metric == "iops_sample") {
        low = high = (stat == "mean" || stat == "stdev") ? 0.00501 : 0.5
    } else if (metric == "bw_sample") {
        u = (source[no] ~ /MiB|MB/) ? 1048576 : 1024
        low = high = (stat == "mean" || stat == "stdev") ? u * 0.00501 : u
    } else if (metric == "bw") {
        # 2.x prints whole KiB/s in its JSON, cut, and whole KiB of data: then both sides are as coarse as that
        low = high = (v % 1024 == 0 ? 1024 : 1) + v * (own ? 1e-9 : 0.0051)
    } else if (metric == "iops") {
        low = refined ? v * 1e-9 + 1e-6 : 1 + v * 0.0051
        high = refined ? low : v * 0.0051
    } else if (metric == "io_bytes") {
        low = v * 0.0051
        high = low + (v % 1024 == 0 ? 1023 : 0)
    }
}

function slack_terse(op, metric, stat, v) {
    low = high = 0
    if (metric ~ /lat$/ && stat ~ /^(p[0-9]|min$|max$)/)
        low = 1e-6                                  # microseconds, cut
    else if (metric ~ /lat$/)
        low = high = 1e-12 + v * 1e-9
    else if (metric == "iops" || metric == "iops_sample" && (stat == "min" || stat == "max"))
        low = 1
    else if (metric == "bw")
        low = high = 1024
    else if (metric == "io_bytes")
        low = 1023
    else if (metric ~ /_sample/)
        low = high = 0.001 * (metric == "bw_sample" ? 1024 : 1) + v * 1e-9
    else if (metric ~ /^cpu/)
        low = high = 1e-8
    else if (metric ~ /^iodepth_/)
        low = high = 0.000501
    low += v * 1e-9                                 # records have ten digits
    high += v * 1e-9
}

function fail(metric, why,    i) {
    for (i = 1; i <= exempts; i++) {
        split(exempt[i], word, " ")
        if (like(id, word[1]) && like(form, word[2]) && like(metric, word[3])) {
            used[i]++
            excused++
            return
        }
    }
    if (!bad++)
        first = metric ": " why
}

# A name and a pattern with *.
function like(s, pattern) {
    gsub(/[.+()]/, "[&]", pattern)
    gsub(/\*/, ".*", pattern)
    return s ~ ("^" pattern "$")
}

function before_3_9(id,    part) {
    split(substr(id, 5), part, /[^0-9]/)
    return id ~ /^fio-/ && (part[1] < 3 || part[1] == 3 && part[2] < 9)
}

# Does the form print that figure at all, given that the JSON has it?
function prints(op, metric, stat, v) {
    if (op == "sync")
        return 0                                    # since 3.4 in the text, never in terse; what is there is compared
    if (metric == "ios_prio" || form == "terse" && metric ~ /_prio$/)
        return 0
    if (form == "terse" && metric ~ /^(iodepth_(submit|complete)|steadystate_.*|latency_depth)$/)
        return 0
    if (form == "terse") {
        if (metric ~ /^(ios|short_ios|drop_ios)$/ || metric ~ /lat$/ && stat == "n" || op == "trim" && !trims || op == "mixed")
            return 0
        if (metric ~ /lat$/ && stat ~ /^p[0-9]/)
            return 0                                # clat's alone, and not of every list
        if (metric == "iops_sample" || stat == "n")
            return source[1] ~ /^5;/
        if (metric == "iops" && v < 1)
            return 0                                # cut to 0, which is no figure
        return 1
    }
    if (metric ~ /lat$/ && stat == "n")
        return 0
    if (metric ~ /_sample$/ && (version < 2.99 && (metric != "bw_sample" || stat == "n") || op == "mixed"))
        return 0                                    # not before 2.99
    if (metric ~ /^(short_ios|drop_ios|ios)$/ && op == "mixed")
        return 0
    return 1
}

# Is the rate one that was made of the data and the time, with more digits than the print has?
function is_quotient(rate, bytes, time) { return time > 0 && absolute(bytes / time - rate) < 1e-8 * rate }

function compare(j, f,    list, n, i, part, v, w) {
    if (name["json", j] != name[form, f])
        fail("name", name["json", j] " in JSON is " name[form, f])
    n = split(keys[form, f], list, "\n")
    for (i = 1; i < n; i++) {
        split(list[i], part, " ")
        if (!(("json", j, list[i]) in value)) {
            if (part[2] == "zone_resets" || part[2] ~ /^iodepth_(submit|complete)$/ && before_3_9(id))
                continue                            # never in the JSON; since 3.9
            fail(part[2], list[i] " is not in the JSON")
            continue
        }
        v = value["json", j, list[i]]
        w = value[form, f, list[i]]
        refined = ((form, f, part[1] " ios total") in value) && value[form, f, part[1] " ios total"] == value["json", j, part[1] " ios total"]
        own = is_quotient(w, value[form, f, part[1] " io_bytes total"], value[form, f, part[1] " runtime total"])
        if (form == "text")
            slack_text(part[1], part[2], part[3], v, line[form, f, list[i]])
        else
            slack_terse(part[1], part[2], part[3], v)
        compared++
        if (w < v - low - absolute(v) * 1e-9 || w > v + high + absolute(v) * 1e-9)
            fail(part[2], list[i] " is " w ", in JSON " v " (line " line[form, f, list[i]] ")")
    }
    n = split(keys["json", j], list, "\n")
    for (i = 1; i < n; i++) {
        split(list[i], part, " ")
        if (!((form, f, list[i]) in value) && prints(part[1], part[2], part[3], value["json", j, list[i]]))
            fail(part[2], list[i] " is in the JSON alone")
    }
}

{
    id = $1; form = $2; version = 3
    if (match(id, /^fio-[0-9.]+/))
        version = substr(id, 5, RLENGTH - 4) + 0
    split("", value); split("", line); split("", name); split("", order); split("", tests); split("", keys)
    split("", busy); split("", source); split("", runs); split("", disk); split("", param) split("", count); split("", total)
    bad = compared = excused = 0
    for (no = 1; (getline text < $5) > 0; no++)
        source[no] = text
    close($5)
    trims = form != "terse" || source[1] ~ /^[45];/ || source[1] ~ /^2;/ && split(source[1], w, ";") > 150
    read_records($3, "json")
    read_records($4, form)
    # What did no I/O stands in the JSON alone, or in all.
    nj = nf = 0
    for (i = 1; i <= tests["json"]; i++)
        if (("json", order["json", i]) in busy)
            with_io["json", ++nj] = order["json", i]
    for (i = 1; i <= tests[form]; i++)
        if ((form, order[form, i]) in busy)
            with_io[form, ++nf] = order[form, i]
    if (runs["json"] != runs[form] && nj)
        fail("runs", runs[form] + 0 " runs, in JSON " runs["json"] + 0)
    if (nj != nf)
        fail("tests", nf " tests with I/O, in JSON " nj)
    else
        for (i = 1; i <= nj; i++)
            compare(with_io["json", i], with_io[form, i])
    if (bad)
        printf "FAIL consistency %s %s: %s (%d in all)\n", id, form, first, bad
    else
        printf "ok consistency %s %s %d%s\n", id, form, compared, excused ? " (" excused " excused)" : ""
    figures += compared
}

END {
    if (all)
        for (i = 1; i <= exempts; i++)
            if (!used[i])
                printf "FAIL consistency: the exception `%s` is needed by nothing\n", exempt[i]
}
