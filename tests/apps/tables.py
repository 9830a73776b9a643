"""Compare what a real program made of a table with fioreport's own CSV of it.

    tables.py html FILE.html FILE.csv [exact]   the cells of an HTML table
    tables.py xlsx FILE.xlsx FILE.csv           the sheet Results, by openpyxl
    tables.py sheet SHEET.csv FILE.csv          the sheet Results, as LibreOffice exports it

Prints nothing and ends with 0 where they agree; else says where they do not. FILE.csv holds full figures; the table shows
rounded ones, so a figure agrees when it is the full one rounded to the decimals that are shown.
"""
import csv
import html.parser
import re
import sys


class Cells(html.parser.HTMLParser):
    """The rows of all tables as lists of texts; bold, superscripts and links are looked through."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.rows, self.cell, self.raised = [], None, 0

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.cell = ""
        elif tag == "br" and self.cell is not None:
            self.cell += "\n"
        elif tag == "sup":
            self.raised += 1
        elif tag == "a" and (dict(attrs).get("href") or "").startswith("mailto:"):
            pass  # GitHub links a mail address whatever stands before it; its text stays
        elif tag in ("em", "del", "code", "img", "a", "script", "style", "input") and self.cell is not None:
            self.cell += "<" + tag + ">"  # nothing that a name says may become markup

    def handle_endtag(self, tag):
        if tag in ("td", "th") and self.cell is not None:
            self.rows[-1].append(self.cell)
            self.cell = None
        elif tag == "sup":
            self.raised -= 1

    def handle_data(self, data):
        if self.cell is not None and not self.raised:
            self.cell += data


def fail(text):
    print(text)
    sys.exit(1)


def read_csv(path):
    with open(path, newline="", encoding="utf-8-sig") as f:
        # The CSV has an apostrophe before what a spreadsheet would take for a formula.
        return [[re.sub(r"^'(?=[=+@-])", "", cell) for cell in row] for row in csv.reader(f)]


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def plain(text):
    """A text as HTML shows it: runs of blanks are one."""
    return re.sub(r"[ \t\r\f\v]+", " ", text).strip()


FIGURE = re.compile(r"^(-?[0-9]+(?:\.([0-9]+))?)(?: %)?(?: \(n=([0-9]+)(?:, (-?[0-9.]+)–(-?[0-9.]+) ?%?)?\))?[¹²³⁰⁴-⁹†]*$")


def shows(shown, full):
    """Is this the full figure, rounded to the decimals that are shown?"""
    if "." in shown:
        half = 0.5 * 10.0 ** -len(shown.split(".")[1])
    else:
        half = 0.5
    return abs(float(shown) - full) <= half * 1.000001 + abs(full) * 1e-12


def head_names(head):
    """The CSV's columns as (name, index), those of runs and spread left out."""
    names = []
    for i, name in enumerate(head):
        base = re.sub(r" \[[^]]*\]$", "", name)
        if re.search(r" (n|low|high|notes?)$", base) or base in ("notes", "note", "group"):
            continue
        names.append((name, i))
    return names


def compare_cell(where, shown, full):
    value = number(full)
    if full == "":
        if not re.match(r"^–?[¹²³⁰⁴-⁹†]*$", shown):
            fail("%s: shows '%s' where there is nothing" % (where, shown))
    elif value is None:
        if re.sub(r"[¹²³⁰⁴-⁹†]+$", "", plain(shown)) != re.sub(r"[¹²³⁰⁴-⁹†]+$", "", plain(full)):
            fail("%s: shows %r, not %r" % (where, shown, full))
    else:
        m = FIGURE.match(shown.replace("\u00a0", " "))
        if shown.strip() == full:
            return
        if not m or not shows(m.group(1), value):
            fail("%s: shows '%s' for %s" % (where, shown, full))


def compare_html(path, csv_path, exact):
    parser = Cells()
    with open(path, encoding="utf-8") as f:
        parser.feed(f.read())
    want = read_csv(csv_path)
    names = [(n, i) for i, n in enumerate(want[0])] if exact else head_names(want[0])
    rows = [r for r in parser.rows if len(r) == len(names)]
    if len(rows) != len(want):
        fail("%d rows of %d cells, not %d" % (len(rows), len(names), len(want)))
    if any(len(r) != len(names) and len(r) != 1 for r in parser.rows):
        fail("a row has another number of cells")
    for j, (name, _) in enumerate(names):
        if plain(rows[0][j]) != plain(re.sub(r" \[%\]$", "", name)) and plain(rows[0][j]) != plain(name):
            fail("column %d is headed %r, not %r" % (j + 1, rows[0][j], name))
    for r, row in enumerate(rows[1:], 1):
        for j, (name, i) in enumerate(names):
            full = want[r][i] if i < len(want[r]) else ""
            where = "row %d, %s" % (r, name)
            if exact:
                if plain(row[j]) != plain(full) and not (full == "" and row[j] == "–"):
                    fail("%s: shows %r, not %r" % (where, row[j], full))
            else:
                compare_cell(where, plain(row[j]), full)


def same(a, b):
    x, y = number(a), number(b)
    if x is None or y is None:
        return a == b
    return x == y or abs(x - y) <= 1e-12 * max(abs(x), abs(y))


def in_order(rows, keys):
    return rows[:1] + sorted(rows[1:], key=lambda row: [(number(row[k]) or 0) if k in keys[:2] else row[k] for k in keys])


def compare_rows(got, want):
    if [h.replace(" ", "_").replace("run_id", "run") for h in got[0]] != [h.replace("run_id", "run") for h in want[0]]:
        fail("heads %s, not %s" % (got[0], want[0]))
    if len(got) != len(want):
        fail("%d rows, the database has %d" % (len(got) - 1, len(want) - 1))
    keys = [want[0].index(k) for k in ("run_id", "test_no", "test", "op", "metric", "stat", "unit")]
    got, want = in_order(got, keys), in_order(want, keys)
    for r in range(1, len(want)):
        for c, name in enumerate(want[0]):
            if not same(got[r][c], want[r][c]):
                fail("row %d, %s: %r, the database has %r" % (r, name, got[r][c], want[r][c]))


def compare_xlsx(path, csv_path):
    import openpyxl

    book = openpyxl.load_workbook(path)
    if book.sheetnames[:2] != ["Summary", "Results"] or book.sheetnames[-1] != "Runs":
        fail("sheets are %s" % book.sheetnames)
    for sheet in book.worksheets:
        if not sheet.freeze_panes:
            fail("%s: its head is not frozen" % sheet.title)
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type in ("f", "e"):
                    fail("%s!%s is a formula or an error: %r" % (sheet.title, cell.coordinate, cell.value))
    sheet = book["Results"]
    if not sheet.tables:
        fail("Results is no table")
    want = read_csv(csv_path)
    got = [["" if v is None else v for v in row] for row in sheet.iter_rows(values_only=True)]
    texts = [[repr(v) if isinstance(v, float) else str(v) for v in row] for row in got]
    compare_rows(texts, want)
    numbers = [i for i, name in enumerate(want[0]) if name in ("run_id", "test_no", "value", "line")]
    for r, row in enumerate(got[1:], 1):
        for c, v in enumerate(row):
            if v != "" and isinstance(v, (int, float)) != (c in numbers):
                fail("row %d, %s: %r is %s" % (r, want[0][c], v, type(v).__name__))


mode, got, want = sys.argv[1:4]
if mode == "html":
    compare_html(got, want, len(sys.argv) > 4)
elif mode == "xlsx":
    compare_xlsx(got, want)
else:
    compare_rows(read_csv(got), read_csv(want))
