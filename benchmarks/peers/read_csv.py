"""Reads one CSV with pandas, polars and DuckDB on one core and prints the seconds next to perpend's.

    read_csv.py FILE.csv BENCH_CSV [ROUNDS]

BENCH_CSV is the program bench_csv; run_csv prepares both and pins this process to one core. Seconds are
processor time of the whole process, rounds are interleaved, and the best of each counts, so that a busy machine matters
little.
"""
import os
import subprocess
import sys
import time

ONE_THREAD = {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
os.environ.update(ONE_THREAD)

import duckdb  # noqa: E402  (the thread count is read on import)
import pandas  # noqa: E402
import polars  # noqa: E402


def read_pandas(path):
    return len(pandas.read_csv(path))


def read_polars(path):
    return polars.read_csv(path).height


def read_duckdb(path):
    # Read into an in-memory table, which is what a user wants. A mere count would skip the columns.
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.execute("CREATE TABLE t AS SELECT * FROM read_csv(?)", [path])
    return connection.execute("SELECT count(*) FROM t").fetchone()[0]


def main():
    path, bench = sys.argv[1], sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    megabytes = os.path.getsize(path) / 1e6
    readers = {"pandas": read_pandas, "polars": read_polars, "duckdb": read_duckdb}
    best = {}
    for _ in range(rounds):
        seconds = float(subprocess.run([bench, "--read", path], check=True, capture_output=True, text=True).stdout)
        best["perpend"] = min(best.get("perpend", seconds), seconds)
        for name, read in readers.items():
            start = time.process_time()
            read(path)
            seconds = time.process_time() - start
            best[name] = min(best.get(name, seconds), seconds)
    versions = {"pandas": pandas.__version__, "polars": polars.__version__, "duckdb": duckdb.__version__}
    print(f"{'reader':<18}{'seconds':>9}{'MB/s':>8}{'perpend is':>14}")
    for name, seconds in sorted(best.items(), key=lambda item: item[1]):
        label = f"{name} {versions.get(name, '')}".strip()
        print(f"{label:<18}{seconds:>9.3f}{megabytes / seconds:>8.0f}{seconds / best['perpend']:>12.2f} x")


if __name__ == "__main__":
    main()
