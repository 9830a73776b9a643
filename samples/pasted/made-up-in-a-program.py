SAMPLE = """t1: (g=0): rw=read, bs=(R) 16.0KiB-16.0KiB, (W) 16.0KiB-16.0KiB, (T) 16.0KiB-16.0KiB, ioengine=psync, iodepth=1
fio-3.28
Starting 1 process

t1: (groupid=0, jobs=1): err= 0: pid=901: Tue Sep 12 13:14:42 2023
  read: IOPS=20.1k, BW=314MiB/s (329MB/s)(9423MiB/30001msec)
    clat (nsec): min=8200, max=990120, avg=48710.15, stdev=6120.40
"""
PARTS = (
    "t2: (groupid=0, jobs=1): err= 0: pid=77\n"
    "  read: IOPS=1331, BW=13.3MiB/s (13.9MB/s)(100MiB/7522msec)\n"
    "  write: IOPS=610, BW=6248KiB/s (6398kB/s)(100MiB/16389msec)\n"
)
