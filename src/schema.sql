-- The database of fioreport, schema 3. Tables hold codes and may change with the schema's version; the views at the end are
-- the public face and stay (docs/schema.md describes them). Plain tables with CHECK constraints instead of STRICT: SQLite
-- before 3.37 could not open a database with STRICT tables at all.

-- Every text that comes often (names, keys, values) is kept once. A word is never removed, nor is a shape (below): so what
-- refers to one is not checked, which would cost a search each.
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
    parser       INTEGER NOT NULL,
    tool         INTEGER NOT NULL,
    tool_version INTEGER,
    label        TEXT,
    label_origin INTEGER NOT NULL CHECK (label_origin BETWEEN 0 AND 4),
    host         INTEGER,
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

-- The numbers of a test, or of a disk, lie 16 in a row: that is a fraction of a row each, in space and in time. What they
-- are called is their shape, which is kept once: most outputs of a tool have the same figures in the same order. Number
-- `cell` of row `part` is what the slot says. digest: a hash of the slots, to find the shape.
CREATE TABLE shape (
    shape_id INTEGER PRIMARY KEY,
    digest   INTEGER NOT NULL
);
CREATE INDEX shape_digest ON shape (digest);

-- name: the stat. A number of a disk has op_id 0, metric_id 0 and its key for a name. unit and better only where they are
-- not the metric's own.
CREATE TABLE slot (
    shape_id  INTEGER NOT NULL,
    part      INTEGER NOT NULL CHECK (part >= 0),
    cell      INTEGER NOT NULL CHECK (cell BETWEEN 0 AND 15),
    op_id     INTEGER NOT NULL,
    metric_id INTEGER NOT NULL,
    name      INTEGER NOT NULL,
    unit      INTEGER,
    better    INTEGER CHECK (better BETWEEN 1 AND 3),
    PRIMARY KEY (shape_id, part, cell)
) WITHOUT ROWID;
CREATE UNIQUE INDEX slot_metric ON slot (metric_id, shape_id, op_id, name);

-- lines: the lines of the test's numbers, in their order, all of one width. The first character is that width ('0' + width);
-- 0 is no line, 1 the line line_from + 1 and so on. NULL: none has a line.
CREATE TABLE test (
    test_id   INTEGER PRIMARY KEY,
    run_id    INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    test_no   INTEGER NOT NULL CHECK (test_no > 0),
    name      INTEGER NOT NULL,
    line      INTEGER,
    error     TEXT,
    shape_id  INTEGER,
    line_from INTEGER NOT NULL,
    lines     INTEGER,
    UNIQUE (run_id, test_no)
);

-- Below 1.8e308: no text, which is above all numbers; not infinite.
CREATE TABLE result (
    test_id INTEGER NOT NULL REFERENCES test ON DELETE CASCADE,
    part    INTEGER NOT NULL,
    v0 REAL, v1 REAL, v2 REAL, v3 REAL, v4 REAL, v5 REAL, v6 REAL, v7 REAL,
    v8 REAL, v9 REAL, v10 REAL, v11 REAL, v12 REAL, v13 REAL, v14 REAL, v15 REAL,
    PRIMARY KEY (test_id, part),
    CHECK (v0 <= 1.7976931348623157e308 AND v1 <= 1.7976931348623157e308 AND v2 <= 1.7976931348623157e308 AND
           v3 <= 1.7976931348623157e308 AND v4 <= 1.7976931348623157e308 AND v5 <= 1.7976931348623157e308 AND
           v6 <= 1.7976931348623157e308 AND v7 <= 1.7976931348623157e308 AND v8 <= 1.7976931348623157e308 AND
           v9 <= 1.7976931348623157e308 AND v10 <= 1.7976931348623157e308 AND v11 <= 1.7976931348623157e308 AND
           v12 <= 1.7976931348623157e308 AND v13 <= 1.7976931348623157e308 AND v14 <= 1.7976931348623157e308 AND
           v15 <= 1.7976931348623157e308)
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

-- line: of the first of its numbers.
CREATE TABLE disk (
    run_id   INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    disk     INTEGER NOT NULL,
    part     INTEGER NOT NULL,
    shape_id INTEGER NOT NULL,
    line     INTEGER,
    v0 REAL, v1 REAL, v2 REAL, v3 REAL, v4 REAL, v5 REAL, v6 REAL, v7 REAL,
    v8 REAL, v9 REAL, v10 REAL, v11 REAL, v12 REAL, v13 REAL, v14 REAL, v15 REAL,
    PRIMARY KEY (run_id, disk, part)
) WITHOUT ROWID;

-- exact: the bins are fine enough to be merged with those of other tests. source_id: the log it was read from, where that
-- is not the run's own source. Bins are packed: counts is a JSON array, per_second is how many of the bins' units a second
-- has. Those of fio's own kind (hist.h) are numbered, the first element is of bin number `first`. Others have `bounds`: a
-- text of numbers of one width, like test.lines: what each bin begins and ends with, in those units; 0 is no end. What
-- fits neither has rows.
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
    bounds     INTEGER,
    counts     TEXT CHECK ((counts IS NULL) = (per_second IS NULL) AND
                           (first IS NOT NULL) + (bounds IS NOT NULL) = (counts IS NOT NULL))
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

-- Full resolution, packed to the bits: see series.h. t0 and t1 in milliseconds, min and max in steps.
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
       m.name AS metric, st.text AS stat,
       CAST(CASE k.cell WHEN 0 THEN v.v0 WHEN 1 THEN v.v1 WHEN 2 THEN v.v2 WHEN 3 THEN v.v3 WHEN 4 THEN v.v4
            WHEN 5 THEN v.v5 WHEN 6 THEN v.v6 WHEN 7 THEN v.v7 WHEN 8 THEN v.v8 WHEN 9 THEN v.v9 WHEN 10 THEN v.v10
            WHEN 11 THEN v.v11 WHEN 12 THEN v.v12 WHEN 13 THEN v.v13 WHEN 14 THEN v.v14 WHEN 15 THEN v.v15 END AS REAL) AS value,
       CASE st.text WHEN 'n' THEN '' ELSE coalesce(u.text, m.unit) END AS unit,
       CASE coalesce(k.better, m.better) WHEN 1 THEN 'higher' WHEN 2 THEN 'lower' ELSE 'neither' END AS better,
       CAST(t.line_from + nullif(CAST(substr(l.text, 2 + (16 * k.part + k.cell) * (unicode(l.text) - 48),
                                             unicode(l.text) - 48) AS INTEGER), 0) AS INTEGER) AS line
FROM result v
JOIN test t ON t.test_id = v.test_id
JOIN slot k ON k.shape_id = t.shape_id AND k.part = v.part
JOIN run r ON r.run_id = t.run_id
JOIN source s ON s.source_id = r.source_id
JOIN op o ON o.op_id = k.op_id
JOIN metric m ON m.metric_id = k.metric_id
JOIN word st ON st.word_id = k.name
JOIN word n ON n.word_id = t.name
JOIN word tool ON tool.word_id = r.tool
LEFT JOIN word u ON u.word_id = k.unit
LEFT JOIN word l ON l.word_id = t.lines;

CREATE VIEW disks AS
SELECT v.run_id, s.name AS source, r.run_no, n.text AS disk, w.text AS key,
       CAST(CASE k.cell WHEN 0 THEN v.v0 WHEN 1 THEN v.v1 WHEN 2 THEN v.v2 WHEN 3 THEN v.v3 WHEN 4 THEN v.v4
            WHEN 5 THEN v.v5 WHEN 6 THEN v.v6 WHEN 7 THEN v.v7 WHEN 8 THEN v.v8 WHEN 9 THEN v.v9 WHEN 10 THEN v.v10
            WHEN 11 THEN v.v11 WHEN 12 THEN v.v12 WHEN 13 THEN v.v13 WHEN 14 THEN v.v14 WHEN 15 THEN v.v15 END AS REAL) AS value
FROM disk v
JOIN slot k ON k.shape_id = v.shape_id AND k.part = v.part
JOIN run r ON r.run_id = v.run_id
JOIN source s ON s.source_id = r.source_id
JOIN word n ON n.word_id = v.disk
JOIN word w ON w.word_id = k.name;

-- The bounds of packed bins by fio's rule: below 128 each number has a bin, above that 64 bins double the value.
CREATE VIEW histogram AS
SELECT r.run_id, s.name AS source, r.run_no, t.test_no, o.name AS op, m.name AS metric,
       CASE WHEN b.no < 128 THEN b.no ELSE (64 + b.no % 64) << (b.no / 64 - 1) END * 1.0 / b.per_second AS lower,
       CASE WHEN b.no < 128 THEN b.no + 1 ELSE (65 + b.no % 64) << (b.no / 64 - 1) END * 1.0 / b.per_second AS upper,
       b.count
FROM (SELECT h.test_id, h.op_id, h.metric_id, h.per_second, h.first + e.key AS no, e.value AS count
      FROM hist h JOIN json_each(h.counts) e
      WHERE h.first IS NOT NULL AND e.value > 0) b
JOIN test t ON t.test_id = b.test_id
JOIN run r ON r.run_id = t.run_id
JOIN source s ON s.source_id = r.source_id
JOIN op o ON o.op_id = b.op_id
JOIN metric m ON m.metric_id = b.metric_id
UNION ALL
SELECT r.run_id, s.name, r.run_no, t.test_no, o.name, m.name,
       CAST(substr(w.text, 2 + 2 * e.key * (unicode(w.text) - 48), unicode(w.text) - 48) AS INTEGER) * 1.0 / h.per_second,
       nullif(CAST(substr(w.text, 2 + (2 * e.key + 1) * (unicode(w.text) - 48), unicode(w.text) - 48) AS INTEGER), 0)
           * 1.0 / h.per_second, e.value
FROM hist h
JOIN word w ON w.word_id = h.bounds
JOIN json_each(h.counts) e ON e.value > 0
JOIN test t ON t.test_id = h.test_id
JOIN run r ON r.run_id = t.run_id
JOIN source s ON s.source_id = r.source_id
JOIN op o ON o.op_id = h.op_id
JOIN metric m ON m.metric_id = h.metric_id
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
