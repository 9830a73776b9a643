/* opt_table.c: the commands and the options. See opt.h. */
#include "opt.h"

#include "banned.h"

#define EXAMPLES(...) ((const struct fr_example[]){__VA_ARGS__, {NULL, NULL}})

const struct fr_command fr_commands[] = {
    {"ingest", FR_ON_INGEST, "FILE|DIR|ARCHIVE|-...", "files", "read benchmark output into the database",
     "Reads each file as it lies there: one document may hold several runs, of several tools, with prose, prompts and "
     "progress lines around them. `-` is standard input. What looks like a result and cannot be read is reported with "
     "file "
     "and line. Each file is in or out, never half; a file whose content is already in the database is skipped.\n\n"
     "The last line on standard error counts what went in. An interrupt (`^C`) ends the ingest after the file that is "
     "being "
     "read; what was read before is kept.",
     EXAMPLES({"fioreport ingest results/*.json", "into ./fioreport.db"},
              {"fioreport ingest -r --tag host=alpha results/", "a folder and all below it"},
              {"fioreport ingest --name-pattern 'output.{label}.fio.txt' output.*.txt", "labels from file names"},
              {"fio job.fio --output-format=json | fioreport ingest --label new -", "from a pipe"}),
     fr_cmd_ingest},
    {"list", FR_ON_LIST, "[FILE...]", "files", "list the runs: id, label, tool, date, source",
     "One line a run. The id is what `show`, `rm` and `tag` take.",
     EXAMPLES({"fioreport list", NULL}, {"fioreport list --where tool=fio --sort -started", "newest first"}),
     fr_cmd_list},
    {"show", FR_ON_SHOW, "[RUN...|FILE...]", "labels", "show runs in full: every value, parameter and note",
     "RUN is an id (`7`), ids and ranges (`3,5-8`), a label or a source's name. An operand that names a file is read "
     "instead, unless --db is given. Without operands all runs of the database are shown.",
     EXAMPLES({"fioreport show 7", NULL}, {"fioreport show zfs", "all runs with that label"},
              {"fioreport show output.txt", "what is in this file"}),
     fr_cmd_show},
    {"rm", FR_ON_RM, "RUN...", "labels", "remove runs from the database",
     "RUN is an id (`7`), ids and ranges (`3,5-8`), a label or a source's name.",
     EXAMPLES({"fioreport rm 7", NULL}, {"fioreport rm old-run.json", "all runs of that file"}), fr_cmd_rm},
    {"tag", FR_ON_TAG, "RUN [KEY=VALUE...]", "labels", "set label, title and dimensions of runs",
     "RUN is as in `show`. `KEY=` without a value removes the dimension.",
     EXAMPLES({"fioreport tag 3-5 backend=zfs recordsize=16k", NULL}, {"fioreport tag output --label lvm", "rename"}),
     fr_cmd_tag},
    {"table", FR_ON_TABLE, "[FILE...]", "files", "write a table: Markdown, CSV, JSON, HTML and more",
     "Without options the table shows what a person wants from these runs: a row for each label (and test, and "
     "whatever "
     "parameter differs), and IOPS, bandwidth and latency of each direction that did I/O. "
     "Of a wide table, columns that most rows lack are left out, with a note that says how to see them.\n\n"
     "Runs that are equal in label, test, rw, bs, iodepth, numjobs, direct and size, and in what --tag or "
     "--name-pattern said of them, are repeats: one row with their median. A run with an error, or cut short, is "
     "marked and is in no median.",
     EXAMPLES({"fioreport table", "from the database"}, {"fioreport table output.*.txt", "straight from files"},
              {"fioreport table --metric write.iops,write.bw --sort -write.iops", "ranked, best first"},
              {"fioreport table --metric read.clat:p99 --rows bs --cols label", NULL},
              {"fioreport table --group bs --baseline lvm --geomean", "a heading for each block size"},
              {"fioreport table --baseline lvm --format csv", "with a column of ratios to lvm"},
              {"fioreport table -r --name-pattern '{host}/{label}.json' results/", "a folder for each host"}),
     fr_cmd_table},
    {"chart", FR_ON_CHART, "[FILE...]", "files", "draw a chart: PNG, SVG or PDF",
     "The ending of the output file says which. A file that is there already is overwritten only when fioreport wrote "
     "it, "
     "or with --force.",
     EXAMPLES({"fioreport chart --metric write.iops -o iops.png", NULL},
              {"fioreport chart --kind percentiles --metric read.clat -o latency.svg *.json", NULL}),
     fr_cmd_chart},
    {"xlsx", FR_ON_XLSX, "[FILE...]", "files", "write a spreadsheet: summary, results, latency, runs",
     "Numbers are numbers, not text; the summary has native charts, of each unit where rows have their own: then those "
     "of one unit stand together. A file that is there already is overwritten only "
     "when "
     "fioreport wrote it, or with --force.",
     EXAMPLES({"fioreport xlsx -o results.xlsx", NULL}), fr_cmd_xlsx},
    {"sql", FR_ON_SQL, "QUERY [FILE...]", "", "ask the database in SQL, read-only",
     "The views are `runs`, `params`, `results`, `disks`, `histogram`, `series`, `tests`, `sources`, `origins` and "
     "`notes`; docs/schema.md describes them. "
     "The table `samples` has every sample of the series, for `sql` alone: "
     "the file holds them packed. Values are in base units: seconds, bytes, bytes per second, operations per second, "
     "ratios 0 to 1.",
     EXAMPLES({"fioreport sql \"SELECT label, value FROM results WHERE metric = 'iops' AND op = 'write'\"", NULL},
              {"fioreport sql --format csv 'SELECT * FROM runs' *.json", "from files"}),
     fr_cmd_sql},
    {"metrics", FR_ON_METRICS, "", "", "list what can be measured",
     "The names that --metric takes, with unit and meaning.", EXAMPLES({"fioreport metrics", NULL}), fr_cmd_metrics},
    {"formats", FR_ON_FORMATS, "", "", "list the formats that can be read",
     "With the versions of the tools that write them. The format of a document is found by its content.",
     EXAMPLES({"fioreport formats", NULL}), fr_cmd_formats},
    {"help", FR_ON_HELP, "[COMMAND]", "commands", "explain fioreport or a command", "",
     EXAMPLES({"fioreport help table", NULL},
              {"source <(fioreport help --completion bash)", "completion in this shell"}),
     fr_cmd_help},
    {NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};

enum {
    READ = FR_ON_INGEST | FR_ON_LIST | FR_ON_SHOW | FR_ON_TABLE | FR_ON_CHART | FR_ON_XLSX | FR_ON_SQL,
    SHOW = READ & ~FR_ON_INGEST,
    SELECT = FR_ON_TABLE | FR_ON_CHART | FR_ON_XLSX,
    PRINT = FR_ON_LIST | FR_ON_SHOW | FR_ON_TABLE | FR_ON_SQL | FR_ON_METRICS | FR_ON_FORMATS
};

#define AT(member) offsetof(struct fr_args, member)
#define NO_RANGE   0, 0

const struct fr_opt fr_opts[] = {
    /* selecting */
    {"metric", 'm', FR_OPT_TEXT, AT(query.metrics), SELECT, "LIST", NULL, "metrics", NO_RANGE,
     "what to show: `[op.]metric[:stat]`, separated by commas: `write.iops`, `read.clat:p99`, `bw`; "
     "`fioreport metrics` lists them"},
    {"where", 'w', FR_OPT_LIST, AT(where), SELECT | FR_ON_LIST, "COND", NULL, "keys", NO_RANGE,
     "only what fulfils the condition, a key and a value with `=`, `!=`, `<`, `<=`, `>`, `>=`, or `~` for a pattern "
     "with "
     "`*` and `?`: `backend=zfs`, `iodepth>=8`, `label~zfs*`; may be given several times: all must hold. Keys are "
     "label, "
     "test, op, source, run, tool, tool_version, host, title, started and every parameter and dimension"},
    {"rows", 0, FR_OPT_TEXT, AT(query.rows), SELECT, "KEYS", NULL, "keys", NO_RANGE,
     "what names a row, separated by commas: label, test, op, source, run, metric or any parameter"},
    {"cols", 0, FR_OPT_TEXT, AT(query.cols), SELECT, "KEYS", NULL, "keys", NO_RANGE,
     "what names a column, likewise; metrics always stand side by side"},
    {"group", 'g', FR_OPT_TEXT, AT(query.group), SELECT, "KEYS", NULL, "keys", NO_RANGE,
     "what stands as a heading over a group of rows or bars, likewise; --sort orders the rows within each group, and "
     "--geomean "
     "gives each its mean"},
    {"sort", 's', FR_OPT_TEXT, AT(query.sort), SELECT | FR_ON_LIST, "KEY", NULL, "keys", NO_RANGE,
     "order of the rows: a metric (of several directions the first that a row has) or a key, with a `-` before it the "
     "greatest first; as ingested by default"},
    {"baseline", 'b', FR_OPT_TEXT, AT(query.baseline), SELECT, "LABEL", NULL, "labels", NO_RANGE,
     "add what each figure is in relation to this label's (or row's)"},
    {"baseline-value", 0, FR_OPT_LIST, AT(baseline_values), SELECT, "METRIC=N", NULL, NULL, NO_RANGE,
     "add what each figure of the metric is in relation to this number: `write.iops=36000`, `read.bw=500MiB/s`; may be "
     "given "
     "several times"},
    {"geomean", 0, FR_OPT_FLAG, AT(query.geomean), SELECT, NULL, NULL, NULL, NO_RANGE,
     "add a row with the geometric mean of the ratios, over rows that have both sides"},
    {"units", 'u', FR_OPT_TEXT, AT(units), SELECT, "SYSTEM", "auto iec si", NULL, NO_RANGE,
     "`iec` (KiB, MiB: 1024), `si` (kB, MB: 1000) or `auto`: iec, but in a table without figures of fio si, as its "
     "tools print them"},
    {"digits", 0, FR_OPT_INT, AT(query.digits), SELECT, "N", NULL, NULL, 1, 15,
     "significant digits; by default three, and as many places in all of a column as its least figure needs"},
    {"title", 0, FR_OPT_TEXT, AT(query.title), SELECT, "TEXT", NULL, NULL, NO_RANGE, "title of what is written"},
    {"x", 0, FR_OPT_TEXT, AT(query.x), FR_ON_CHART, "KEY", NULL, "keys", NO_RANGE,
     "the parameter on the x axis of scaling charts and heat maps; `time` for a heat map of a log of latencies"},
    /* writing */
    {"kind", 'k', FR_OPT_TEXT, AT(chart.kind), FR_ON_CHART, "KIND", NULL, "kinds", NO_RANGE,
     "kind of chart; bars by default"},
    {"output", 'o', FR_OPT_TEXT, AT(output), FR_ON_CHART | FR_ON_XLSX, "FILE", NULL, "files", NO_RANGE,
     "write to this file"},
    {"format", 'f', FR_OPT_TEXT, AT(dialect), PRINT, "DIALECT", NULL, "dialects", NO_RANGE,
     "how the table is written; by default md for `table`, text for the others"},
    {"theme", 0, FR_OPT_TEXT, AT(chart.theme), FR_ON_CHART, "THEME", "light dark print", NULL, NO_RANGE,
     "light, dark or print; light by default"},
    {"width", 0, FR_OPT_INT, AT(chart.width), FR_ON_CHART, "N", NULL, NULL, 100, 10000, "width in pixels (of CSS)"},
    {"height", 0, FR_OPT_INT, AT(chart.height), FR_ON_CHART, "N", NULL, NULL, 100, 10000, "height in pixels (of CSS)"},
    {"scale", 0, FR_OPT_REAL, AT(chart.scale), FR_ON_CHART, "N", NULL, NULL, 0.25, 8,
     "pixels of a PNG for each pixel of CSS; 2 by default"},
    {"log", 0, FR_OPT_FLAG, AT(chart.log_axis), FR_ON_CHART, NULL, NULL, NULL, NO_RANGE, "logarithmic axis"},
    {"axes", 0, FR_OPT_TEXT, AT(chart.axes), FR_ON_CHART, "HOW", "auto shared free", NULL, NO_RANGE,
     "panels of one metric have one axis (`shared`) or each its own (`free`); `auto`, the default, shares unless their "
     "figures are far apart"},
    {"subtitle", 0, FR_OPT_TEXT, AT(chart.subtitle), FR_ON_CHART, "TEXT", NULL, NULL, NO_RANGE,
     "second line of the title; by default what was run"},
    {"force", 0, FR_OPT_FLAG, AT(force), FR_ON_CHART | FR_ON_XLSX, NULL, NULL, NULL, NO_RANGE,
     "overwrite a file that fioreport did not write"},
    /* reading */
    {"label", 'l', FR_OPT_TEXT, AT(ingest.label), READ, "LABEL", NULL, NULL, NO_RANGE,
     "label of all runs that are read; else it is found in the format itself, a heading, the file's name"},
    {"name-pattern", 0, FR_OPT_TEXT, AT(ingest.name_pattern), READ, "PATTERN", NULL, NULL, NO_RANGE,
     "take label and dimensions from file names: `output.{label}.fio.txt`, `{backend}-{recordsize}.json`"},
    {"tag", 't', FR_OPT_LIST, AT(tags), READ, "KEY=VALUE", NULL, NULL, NO_RANGE,
     "dimension of all runs that are read: `backend=zfs`; may be given several times"},
    {"format", 'f', FR_OPT_TEXT, AT(ingest.format), FR_ON_INGEST, "FORMAT", NULL, "formats", NO_RANGE,
     "read nothing but this format"},
    {"input-format", 0, FR_OPT_TEXT, AT(ingest.format), SHOW, "FORMAT", NULL, "formats", NO_RANGE,
     "of files: read nothing but this format"},
    {"join", 0, FR_OPT_TEXT, AT(ingest.join), FR_ON_INGEST, "RUN", NULL, NULL, NO_RANGE,
     "id of the run that logs belong to; else found by name, folder and order"},
    {"recursive", 'r', FR_OPT_FLAG, AT(ingest.recursive), READ, NULL, NULL, NULL, NO_RANGE,
     "read folders with all that is below"},
    {"explain", 0, FR_OPT_FLAG, AT(ingest.explain), READ, NULL, NULL, NULL, NO_RANGE,
     "say for every run which format it was read as, where its label and dimensions came from, and what was not "
     "understood"},
    {"force", 0, FR_OPT_FLAG, AT(ingest.force), FR_ON_INGEST, NULL, NULL, NULL, NO_RANGE,
     "read anew what is in the database already"},
    {"replace", 0, FR_OPT_FLAG, AT(ingest.replace), FR_ON_INGEST, NULL, NULL, NULL, NO_RANGE,
     "drop older content of the same file name"},
    {"dry-run", 'n', FR_OPT_FLAG, AT(ingest.dry_run), FR_ON_INGEST, NULL, NULL, NULL, NO_RANGE,
     "read and report, but write nothing"},
    /* changing */
    {"label", 'l', FR_OPT_TEXT, AT(changes.label), FR_ON_TAG, "LABEL", NULL, "labels", NO_RANGE, "the new label"},
    {"title", 0, FR_OPT_TEXT, AT(changes.title), FR_ON_TAG, "TEXT", NULL, NULL, NO_RANGE, "the new title"},
    {"tag", 't', FR_OPT_LIST, AT(tags), FR_ON_TAG, "KEY=VALUE", NULL, NULL, NO_RANGE,
     "set a dimension; the same as an operand"},
    /* help */
    {"man", 0, FR_OPT_FLAG, AT(man), FR_ON_HELP, NULL, NULL, NULL, NO_RANGE, "write the manual page (mdoc)"},
    {"completion", 0, FR_OPT_TEXT, AT(completion), FR_ON_HELP, "SHELL", "bash zsh fish", NULL, NO_RANGE,
     "write the completion for this shell"},
    {"list", 0, FR_OPT_TEXT, AT(list), FR_ON_HELP, "WHAT",
     "commands dialects formats keys kinds labels metrics options", NULL, NO_RANGE,
     "list words, one a line, as the completion needs them"},
    /* global */
    {"db", 'd', FR_OPT_TEXT, AT(db), FR_ON_ALL, "FILE", NULL, "files", NO_RANGE,
     "the database; else `$FIOREPORT_DB`, else ./fioreport.db"},
    {"quiet", 'q', FR_OPT_COUNT, AT(quiet), FR_ON_ALL, NULL, NULL, NULL, NO_RANGE,
     "no notes, no closing line; twice: no warnings either"},
    {"verbose", 'v', FR_OPT_COUNT, AT(verbose), FR_ON_ALL, NULL, NULL, NULL, NO_RANGE,
     "the same as --explain where files are read"},
    {"color", 0, FR_OPT_TEXT, AT(color), FR_ON_ALL, "WHEN", "auto always never", NULL, NO_RANGE,
     "colours in messages: auto (on a terminal, unless `$NO_COLOR` is set), always or never"},
    {"help", 'h', FR_OPT_FLAG, AT(help), FR_ON_ALL, NULL, NULL, NULL, NO_RANGE, "explain, and do nothing else"},
    {"version", 'V', FR_OPT_FLAG, AT(version), FR_ON_ALL, NULL, NULL, NULL, NO_RANGE,
     "the version, and those of the libraries"},
    {NULL, 0, 0, 0, 0, NULL, NULL, NULL, NO_RANGE, NULL},
};
