# Sequential read
fio --name=seqread --filename=/dev/sdb --rw=read --bs=1M \
    --ioengine=io_uring --direct=1 --size=2G --numjobs=1
# seqread: (groupid=0, jobs=1): err= 0: pid=1311: Mon Jul 21 10:02:00 2025
#   read: IOPS=501, BW=501MiB/s (525MB/s)

# Random read
fio --name=randread --filename=/dev/sdb --rw=randread --bs=4k \ --ioengine=io_uring --direct=1 --iodepth=32 \\
# randread: (groupid=0, jobs=4):
#   read: IOPS=71.3k, BW=279MiB/s (292MB/s)
#   slat (usec): avg=3.10
#   clat (usec): avg=1790.20, max=20110
#   clat percentiles (usec):
#      99.00th=4015
#      99.90th=9240

# Sequential write, the line that counts:
fio -rw=write -bs=512k -direct=1 -name="big writes" -iodepth=8
#   write: IOPS=884, BW=442MiB/s (463MB/s)(25.9GiB/60007msec)
