-- The database of fioreport, schema 1. Tables hold codes and may change with the schema's version; the views at the end are
-- the public face and stay (docs/schema.md describes them). Plain tables with CHECK constraints instead of STRICT: SQLite
-- before 3.37 could not open a database with STRICT tables at all.

-- Every text that comes often (names, keys, values) is kept once.
CREATE TABLE word (
    word_id INTEGER PRIMARY KEY,
    text    TEXT NOT NULL UNIQUE
);

CREATE TABLE op (
    op_id INTEGER PRIMARY KEY,
    name  TEXT NOT NULL UNIQUE
);

-- better: 1 higher, 2 lower, 3 neither. unit: of the base unit, in which every value is kept.
CREATE TABLE metric (
    metric_id INTEGER PRIMARY KEY,
    name      TEXT NOT NULL UNIQUE CHECK (name <> ''),
    unit      TEXT NOT NULL,
    better    INTEGER NOT NULL CHECK (better BETWEEN 1 AND 3),
    title     TEXT NOT NULL
);

CREATE TABLE source (
    source_id INTEGER PRIMARY KEY AUTOINCREMENT,
    name      TEXT NOT NULL CHECK (name <> ''),
    sha256    TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64),
    size      INTEGER NOT NULL CHECK (size >= 0)
);
CREATE INDEX source_name ON source (name);

-- A run_id that was removed is never given again. form: 1 text, 2 terse, 3 JSON, 4 a log (record.h).
CREATE TABLE run (
    run_id       INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id    INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
    run_no       INTEGER NOT NULL CHECK (run_no > 0),
    parser       INTEGER NOT NULL REFERENCES word,
    tool         INTEGER NOT NULL REFERENCES word,
    tool_version INTEGER REFERENCES word,
    label        TEXT,
    label_origin INTEGER NOT NULL CHECK (label_origin BETWEEN 0 AND 4),
    host         INTEGER REFERENCES word,
    started_at   TEXT,
    command      TEXT,
    title        TEXT,
    title_origin INTEGER NOT NULL DEFAULT 0 CHECK (title_origin BETWEEN 0 AND 4),
    form         INTEGER NOT NULL,
    line         INTEGER,
    line_end     INTEGER,
    cut_short    INTEGER NOT NULL CHECK (cut_short IN (0, 1)),
    steps_only   INTEGER NOT NULL CHECK (steps_only IN (0, 1)),
    UNIQUE (source_id, run_no)
);
CREATE INDEX run_log ON run (run_id) WHERE form = 4;

CREATE TABLE test (
    test_id INTEGER PRIMARY KEY,
    run_id  INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    test_no INTEGER NOT NULL CHECK (test_no > 0),
    name    INTEGER NOT NULL REFERENCES word,
    line    INTEGER,
    error   TEXT,
    UNIQUE (run_id, test_no)
);

-- One number a row. unit and better only where they are not the metric's own.
CREATE TABLE result (
    test_id   INTEGER NOT NULL REFERENCES test ON DELETE CASCADE,
    op_id     INTEGER NOT NULL,
    metric_id INTEGER NOT NULL,
    stat      INTEGER NOT NULL,
    value     REAL NOT NULL CHECK (value <= 1.7976931348623157e308), -- no text, which is above all numbers; not infinite
    line      INTEGER,
    unit      INTEGER,
    better    INTEGER CHECK (better BETWEEN 1 AND 3),
    PRIMARY KEY (test_id, op_id, metric_id, stat)
) WITHOUT ROWID;

-- test_no 0: of the whole run. origin: 1 inferred by the dictionary, 2 stands around the run, 3 the format says so, 4 the user.
CREATE TABLE param (
    run_id  INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    test_no INTEGER NOT NULL CHECK (test_no >= 0),
    key     INTEGER NOT NULL,
    value   INTEGER NOT NULL,
    origin  INTEGER NOT NULL CHECK (origin BETWEEN 0 AND 4),
    line    INTEGER,
    PRIMARY KEY (run_id, test_no, key)
) WITHOUT ROWID;

-- What stands around a run in its source: uname, hardware.
CREATE TABLE note (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    no     INTEGER NOT NULL,
    key    INTEGER NOT NULL,
    value  TEXT NOT NULL,
    line   INTEGER,
    PRIMARY KEY (run_id, no)
) WITHOUT ROWID;

CREATE TABLE disk (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    disk   INTEGER NOT NULL,
    key    INTEGER NOT NULL,
    value  REAL NOT NULL,
    line   INTEGER,
    PRIMARY KEY (run_id, disk, key)
) WITHOUT ROWID;

-- exact: the bins are fine enough to be merged with those of other tests. source_id: the log it was read from, where that
-- is not the run's own source. Bins of fio's own kind (hist.h) are packed: counts is a JSON array, its first element is of
-- bin number `first`; per_second is how many of the bins' units a second has. All other bins have rows of their own.
CREATE TABLE hist (
    hist_id   INTEGER PRIMARY KEY,
    test_id   INTEGER NOT NULL REFERENCES test ON DELETE CASCADE,
    op_id     INTEGER NOT NULL,
    metric_id INTEGER NOT NULL,
    exact     INTEGER NOT NULL CHECK (exact IN (0, 1)),
    line      INTEGER,
    source_id INTEGER REFERENCES source ON DELETE CASCADE,
    per_second INTEGER CHECK (per_second > 0),
    first      INTEGER CHECK (first >= 0),
    counts     TEXT CHECK ((counts IS NULL) = (per_second IS NULL) AND (counts IS NULL) = (first IS NULL))
);
CREATE INDEX hist_test ON hist (test_id);
CREATE INDEX hist_source ON hist (source_id) WHERE source_id IS NOT NULL;

-- upper NULL: no upper end.
CREATE TABLE bin (
    hist_id INTEGER NOT NULL REFERENCES hist ON DELETE CASCADE,
    no      INTEGER NOT NULL,
    lower   REAL NOT NULL,
    upper   REAL,
    count   INTEGER NOT NULL CHECK (count >= 0),
    PRIMARY KEY (hist_id, no)
) WITHOUT ROWID;

-- kind: 1 samples as logged, 2 rates made from growing counters. step: base units of one step of a packed value. columns:
-- what else each sample has, a mask (series.h). interval: milliseconds between two samples where that is even, else 0. source_id: as in hist.
CREATE TABLE log (
    log_id       INTEGER PRIMARY KEY,
    test_id      INTEGER NOT NULL REFERENCES test ON DELETE CASCADE,
    op_id        INTEGER NOT NULL,
    metric_id    INTEGER NOT NULL,
    kind         INTEGER NOT NULL,
    step         REAL NOT NULL,
    averaged     INTEGER NOT NULL CHECK (averaged IN (0, 1)),
    unix_time    INTEGER NOT NULL CHECK (unix_time IN (0, 1)),
    columns      INTEGER NOT NULL,
    interval     INTEGER NOT NULL,
    n            INTEGER NOT NULL CHECK (n >= 0),
    last_partial INTEGER NOT NULL CHECK (last_partial IN (0, 1)),
    line         INTEGER,
    source_id    INTEGER REFERENCES source ON DELETE CASCADE
);
CREATE INDEX log_test ON log (test_id);
CREATE INDEX log_source ON log (source_id) WHERE source_id IS NOT NULL;

-- Full resolution: delta varints, see series.h. t0 and t1 in milliseconds, min and max in steps.
CREATE TABLE chunk (
    log_id INTEGER NOT NULL REFERENCES log ON DELETE CASCADE,
    no     INTEGER NOT NULL,
    n      INTEGER NOT NULL CHECK (n > 0),
    t0     INTEGER NOT NULL,
    t1     INTEGER NOT NULL,
    min    INTEGER NOT NULL,
    max    INTEGER NOT NULL,
    data   BLOB NOT NULL,
    UNIQUE (log_id, no)
);

CREATE TABLE second (
    log_id INTEGER NOT NULL REFERENCES log ON DELETE CASCADE,
    t      INTEGER NOT NULL,
    n      INTEGER NOT NULL CHECK (n > 0),
    mean   REAL NOT NULL,
    min    REAL NOT NULL,
    max    REAL NOT NULL,
    PRIMARY KEY (log_id, t)
) WITHOUT ROWID;

-- The public views.

CREATE VIEW sources AS
SELECT source_id, name AS source, sha256, size, (SELECT count(*) FROM run r WHERE r.source_id = s.source_id) AS runs
FROM source s;

CREATE VIEW runs AS
SELECT r.run_id, s.name AS source, r.run_no, t.text AS tool, v.text AS tool_version, r.label, h.text AS host,
       r.started_at, r.command, r.title
FROM run r
JOIN source s ON s.source_id = r.source_id
JOIN word t ON t.word_id = r.tool
LEFT JOIN word v ON v.word_id = r.tool_version
LEFT JOIN word h ON h.word_id = r.host;

CREATE VIEW tests AS
SELECT r.run_id, s.name AS source, r.run_no, r.label, t.test_no, n.text AS test, t.error, r.cut_short, r.steps_only,
       t.line
FROM test t
JOIN run r ON r.run_id = t.run_id
JOIN source s ON s.source_id = r.source_id
JOIN word n ON n.word_id = t.name;

CREATE VIEW params AS
SELECT p.run_id, s.name AS source, r.run_no, p.test_no, k.text AS key, v.text AS value
FROM param p
JOIN run r ON r.run_id = p.run_id
JOIN source s ON s.source_id = r.source_id
JOIN word k ON k.word_id = p.key
JOIN word v ON v.word_id = p.value;

CREATE VIEW origins AS
SELECT p.run_id, s.name AS source, r.run_no, p.test_no, k.text AS key, v.text AS value,
       CASE p.origin WHEN 1 THEN 'inferred' WHEN 2 THEN 'surround' WHEN 3 THEN 'format' WHEN 4 THEN 'user' ELSE '' END
           AS origin, p.line
FROM param p
JOIN run r ON r.run_id = p.run_id
JOIN source s ON s.source_id = r.source_id
JOIN word k ON k.word_id = p.key
JOIN word v ON v.word_id = p.value
UNION ALL
SELECT r.run_id, s.name, r.run_no, 0, 'label', r.label,
       CASE r.label_origin WHEN 1 THEN 'inferred' WHEN 2 THEN 'surround' WHEN 3 THEN 'format' WHEN 4 THEN 'user' ELSE '' END,
       r.line
FROM run r
JOIN source s ON s.source_id = r.source_id
WHERE r.label IS NOT NULL;

CREATE VIEW notes AS
SELECT n.run_id, s.name AS source, r.run_no, k.text AS key, n.value, n.line
FROM note n
JOIN run r ON r.run_id = n.run_id
JOIN source s ON s.source_id = r.source_id
JOIN word k ON k.word_id = n.key;

CREATE VIEW results AS
SELECT r.run_id, s.name AS source, r.run_no, r.label, tool.text AS tool, t.test_no, n.text AS test, o.name AS op,
       m.name AS metric, st.text AS stat, v.value,
       CASE st.text WHEN 'n' THEN '' ELSE coalesce(u.text, m.unit) END AS unit,
       CASE coalesce(v.better, m.better) WHEN 1 THEN 'higher' WHEN 2 THEN 'lower' ELSE 'neither' END AS better, v.line
FROM result v
JOIN test t ON t.test_id = v.test_id
JOIN run r ON r.run_id = t.run_id
JOIN source s ON s.source_id = r.source_id
JOIN op o ON o.op_id = v.op_id
JOIN metric m ON m.metric_id = v.metric_id
JOIN word st ON st.word_id = v.stat
JOIN word n ON n.word_id = t.name
JOIN word tool ON tool.word_id = r.tool
LEFT JOIN word u ON u.word_id = v.unit;

CREATE VIEW disks AS
SELECT d.run_id, s.name AS source, r.run_no, n.text AS disk, k.text AS key, d.value
FROM disk d
JOIN run r ON r.run_id = d.run_id
JOIN source s ON s.source_id = r.source_id
JOIN word n ON n.word_id = d.disk
JOIN word k ON k.word_id = d.key;

-- The bounds of packed bins by fio's rule: below 128 each number has a bin, above that 64 bins double the value.
CREATE VIEW histogram AS
SELECT r.run_id, s.name AS source, r.run_no, t.test_no, o.name AS op, m.name AS metric,
       CASE WHEN b.no < 128 THEN b.no ELSE (64 + b.no % 64) << (b.no / 64 - 1) END * 1.0 / b.per_second AS lower,
       CASE WHEN b.no < 128 THEN b.no + 1 ELSE (65 + b.no % 64) << (b.no / 64 - 1) END * 1.0 / b.per_second AS upper,
       b.count
FROM (SELECT h.test_id, h.op_id, h.metric_id, h.per_second, h.first + e.key AS no, e.value AS count
      FROM hist h JOIN json_each(h.counts) e
      WHERE e.value > 0) b
JOIN test t ON t.test_id = b.test_id
JOIN run r ON r.run_id = t.run_id
JOIN source s ON s.source_id = r.source_id
JOIN op o ON o.op_id = b.op_id
JOIN metric m ON m.metric_id = b.metric_id
UNION ALL
SELECT r.run_id, s.name, r.run_no, t.test_no, o.name, m.name, b.lower, b.upper, b.count
FROM bin b
JOIN hist h ON h.hist_id = b.hist_id
JOIN test t ON t.test_id = h.test_id
JOIN run r ON r.run_id = t.run_id
JOIN source s ON s.source_id = r.source_id
JOIN op o ON o.op_id = h.op_id
JOIN metric m ON m.metric_id = h.metric_id;

CREATE VIEW series AS
SELECT r.run_id, s.name AS source, r.run_no, t.test_no, o.name AS op, m.name AS metric, x.t, x.n, x.mean, x.min, x.max
FROM second x
JOIN log l ON l.log_id = x.log_id
JOIN test t ON t.test_id = l.test_id
JOIN run r ON r.run_id = t.run_id
JOIN source s ON s.source_id = r.source_id
JOIN op o ON o.op_id = l.op_id
JOIN metric m ON m.metric_id = l.metric_id;
