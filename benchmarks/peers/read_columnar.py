"""Reads generated tables with pyarrow and with perpend on one core and prints the seconds side by side.

    read_columnar.py FOLDER BENCH_COLUMNAR [ROUNDS]

BENCH_COLUMNAR is the program bench_columnar; run_columnar prepares both and pins this process to one core. pyarrow reads
each file to one float64 array per column, as perpend does, or to its own texts. Seconds are processor time, rounds are
interleaved; the table has the median of each and the median, least and greatest ratio of a round.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

ROWS = 1_000_000


def tables():
    rng = np.random.default_rng(1)
    normal = pa.table({f"x{i}": rng.normal(size=ROWS) for i in range(20)})
    gaps = pa.table({f"x{i}": pa.array(rng.normal(size=ROWS), mask=rng.random(ROWS) < 0.1) for i in range(20)})
    levels = pa.table({f"x{i}": rng.integers(0, 1000, ROWS) for i in range(20)})
    words = [f"level {i}" for i in range(50)]
    texts = pa.table({f"x{i}": pa.array(words).take(pa.array(rng.integers(0, 50, ROWS))) for i in range(5)})
    return {"normal": normal, "gaps": gaps, "levels": levels, "words": texts}


KINDS = {
    "plain": dict(compression="none", use_dictionary=False),
    "default": {},
    "zstd": dict(compression="zstd"),
    "split": dict(compression="zstd", use_dictionary=False, column_encoding="BYTE_STREAM_SPLIT"),
    "delta": dict(use_dictionary=False, column_encoding="DELTA_BINARY_PACKED"),
}


def files(folder):
    for name, table in tables().items():
        for kind, options in KINDS.items():
            if (kind == "delta" and name != "levels") or (kind == "split" and name == "words"):
                continue
            path = folder / f"{name}_{kind}.parquet"
            if not path.exists():
                pq.write_table(table, path, **options)
            yield path
        path = folder / f"{name}.feather"
        if not path.exists():
            feather.write_feather(table, path)
        yield path


def numbers_of(column):
    if pa.types.is_string(column.type):
        return column
    if not pa.types.is_float64(column.type):
        column = column.cast(pa.float64())
    return column.to_numpy()


def read_pyarrow(path):
    parquet = path.suffix == ".parquet"
    table = pq.read_table(path, use_threads=False) if parquet else feather.read_table(path, use_threads=False)
    return [numbers_of(table[name]) for name in table.column_names]


def main():
    folder, bench = pathlib.Path(sys.argv[1]), sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    folder.mkdir(exist_ok=True)
    print(f"pyarrow {pa.__version__}, {ROWS:,} rows, {rounds} rounds, one core")
    print(f"{'file':<24}{'MB':>6}{'pyarrow s':>11}{'perpend s':>11}   perpend is (least to greatest)")
    for path in files(folder):
        peer, own = [], []
        for _ in range(rounds):
            start = time.process_time()
            read_pyarrow(path)
            peer.append(time.process_time() - start)
            done = subprocess.run([bench, str(path)], check=True, capture_output=True, text=True).stdout
            own.append(float(done.split()[0]))
        ratios = sorted(a / b for a, b in zip(peer, own))
        print(
            f"{path.name:<24}{os.path.getsize(path) / 1e6:>6.0f}{statistics.median(peer):>11.3f}"
            f"{statistics.median(own):>11.3f}{statistics.median(ratios):>8.2f} x ({ratios[0]:.2f} to {ratios[-1]:.2f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
