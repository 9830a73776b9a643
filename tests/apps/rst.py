# rst.py TABLE.json TABLE.rst: docutils must find the labels of the one in the other.
import json
import sys

import docutils.core
import docutils.nodes as nodes

want = [row["label"].replace("\n", " ").strip() for row in json.load(open(sys.argv[1], encoding="utf-8"))]
tree = docutils.core.publish_doctree(
    open(sys.argv[2], encoding="utf-8").read(), settings_overrides={"report_level": 3, "halt_level": 5}
)
for message in list(tree.findall(nodes.system_message)):
    if message["level"] < 3:
        message.parent.remove(message)
rows = [row for body in tree.findall(nodes.tbody) for row in body.children]
got = [row.children[0].astext().strip() for row in rows]
bad = [pair for pair in zip(want, got) if pair[0] != pair[1]]
for pair in bad:
    print("# %r -> %r" % pair)
sys.exit(bool(bad) or len(got) != len(want))
