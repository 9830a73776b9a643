import unittest

LIMITS = {"iops": 200, "jobs": 1}

# as pprint shows it
RESULT = {'disk_util': [{'in_queue': 38140,
                'name': 'sdb',
                'read_ios': 0,
                'read_merges': 0,
                'read_ticks': 0,
                'util': 97.25,
                'write_ios': 5120,
                'write_merges': 14,
                'write_ticks': 38112}],
 'fio version': 'fio-3.28',
 'global options': {'direct': '1', 'ioengine': 'libaio'},
 'jobs': [{'ctx': 5140,
           'elapsed': 21,
           'error': 0,
           'groupid': 0,
           'job options': {'bs': '1m', 'iodepth': '4', 'rw': 'write'},
           'jobname': "it's",
           'majf': 0,
           'minf': 9,
           'read': {'bw_bytes': 0,
                    'io_bytes': 0,
                    'iops': 0.0,
                    'runtime': 0,
                    'total_ios': 0},
           'sys_cpu': 2.5,
           'usr_cpu': 1.25,
           'write': {'bw': 262144,
                     'bw_bytes': 268435456,
                     'clat_ns': {'N': 5120,
                                 'max': 92110848,
                                 'mean': 15520113.25,
                                 'min': 1802112,
                                 'percentile': {'50.000000': 15138816,
                                                '99.000000': 26345472},
                                 'stddev': 3110225.5},
                     'drop_ios': 0,
                     'io_bytes': 5368709120,
                     'io_kbytes': 5242880,
                     'iops': 256.0,
                     'runtime': 20000,
                     'short_ios': 0,
                     'total_ios': 5120}}],
 'time': 'Tue Feb  6 10:11:12 2024',
 'timestamp': 1707214272}


class TestResult(unittest.TestCase):
    def test_iops(self):
        self.assertGreater(RESULT["jobs"][0]["write"]["iops"], LIMITS["iops"])
