"""The chart that fioreport draws of samples/backends, by matplotlib."""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(8, 4.5), dpi=200)
bars = ax.bar(["dir-lvm", "dir-md", "lvm", "zfs-nc", "zfs-zstd"], [109.4, 58.3, 114.1, 93.9, 97.1])
ax.bar_label(bars, fmt="%.3g")
ax.set_title("write IOPS")
ax.set_ylabel("IOPS")
fig.savefig(sys.argv[1])
