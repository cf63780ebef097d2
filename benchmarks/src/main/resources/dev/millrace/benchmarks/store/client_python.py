"""client_python in its multi-process mode. See PeerProcess for what is said."""
import os
import sys
import time

directory, workload = sys.argv[1:]
# Read when the client is imported.
os.environ['PROMETHEUS_MULTIPROC_DIR'] = directory
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, multiprocess

VALUES = (0.003, 0.03, 0.3, 3)
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


def histogram(registry):
    return Histogram(
        'query_seconds', 'Time of queries.', ['db', 'statement'], buckets=BOUNDS, registry=registry)


def write(sets, count):
    pids = []
    for _ in range(count):
        pid = os.fork()
        if pid == 0:
            written = histogram(None)
            for db, statement in sets:
                for value in VALUES:
                    written.labels(db, statement).observe(value)
            os._exit(0)
        pids.append(pid)
    for pid in pids:
        if os.waitpid(pid, 0)[1] != 0:
            raise RuntimeError('a writer failed')


def text():
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)
    return generate_latest(registry)


def pairs(observed, incremented, count):
    for _ in range(count):
        observed.observe(0.03)
        incremented.inc()


def lookups(declared, db, statement, count):
    for _ in range(count):
        declared.labels(db, statement)


def main():
    with open(workload, encoding='utf-8') as file:
        sets = [line.rstrip('\n').split('\t') for line in file]
    middle = sets[len(sets) // 2]
    recorded = counted = None
    for line in sys.stdin:
        command, _, argument = line.strip().partition(' ')
        if command == 'open' and argument == 'pair':
            recorded = histogram(None)
            counted = Counter('queries', 'Queries.', ['db', 'statement'], registry=None)
            recorded.labels(*middle)
            counted.labels(*middle)
        before = time.process_time_ns()
        written = 0
        if command == 'write':
            write(sets, int(argument))
        elif command == 'scrape':
            written = len(text())
        elif command == 'text':
            with open(argument, 'wb') as file:
                file.write(text())
        elif command == 'pair':
            pairs(recorded.labels(*middle), counted.labels(*middle), int(argument))
        elif command == 'lookup':
            lookups(recorded, *middle, int(argument))
        elif command != 'open':
            raise ValueError('expected a command, found ' + line)
        print(time.process_time_ns() - before, written, flush=True)


main()
