# figures.py TABLE.json SHEET.csv: every figure of the table must stand in the sheet, in the unit of its head.
import csv
import json
import re
import sys

scales = {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "B/s": 1, "KiB/s": 2**10, "MiB/s": 2**20, "GiB/s": 2**30}
table = json.load(open(sys.argv[1], encoding="utf-8"))
rows = list(csv.reader(open(sys.argv[2], encoding="utf-8")))
head = next(i for i, row in enumerate(rows) if row and row[0] == "label")
names = [re.sub(r" \[.*\]$", "", name) for name in rows[head]]
units = [(re.search(r"\[(.*)\]$", name) or [None, ""])[1] for name in rows[head]]
by_label = {row[0]: row for row in rows[head + 1 :] if row}
checked = 0
for entry in table:
    row = by_label.get(entry["label"], [])
    for name, cell in entry.items():
        if not isinstance(cell, dict):
            continue
        at = names.index(name)
        value = float(row[at]) * scales.get(units[at], 1)
        if abs(value - cell["value"]) > 1e-12 * abs(cell["value"]):
            sys.exit("# %s %s: %r in the sheet, %r in the table" % (entry["label"], name, value, cell["value"]))
        checked += 1
sys.exit(checked < 10)
