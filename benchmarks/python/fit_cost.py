"""Measures the overhead of fit: time in addition to the C++ call, and memory in addition to the data.

    python benchmarks/python/fit_cost.py [rows] [columns]

Time: `fit` minus the seconds spent in the library (prepare, run, model_of), against one pass over the data (numpy's
check that every number is finite). Memory: the growth of the peak resident size during `fit`, in units of the data, for a
float32 array in C order. Each figure has a process of its own, after a small fit that warms allocators up.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time


def peak_bytes() -> int:
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


def measure(rows: int, columns: int) -> dict[str, float]:
    import warnings

    import numpy as np

    import perpend

    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, columns), dtype=np.float32)
    y = (X[:, 0] > 0).astype(np.int64)
    options = dict(n_estimators=5, hidden_layer_sizes=(32,), epochs=1)
    perpend.LITClassifier(**options).fit(X[:1000], y[:1000])
    start = time.perf_counter()
    assert np.isfinite(X).all()
    one_pass = time.perf_counter() - start
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")  # the peak starts again from the memory that is held now
    before = peak_bytes()
    best = float("inf")
    for _ in range(3 if rows < 10**5 else 1):  # the least of a few runs, because other programs run too
        start = time.perf_counter()
        model = perpend.LITClassifier(**options).fit(X, y)
        whole = time.perf_counter() - start
        best = min(best, whole - model.fit_seconds_)
    return {
        "rows": rows,
        "columns": columns,
        "fit_seconds": whole,
        "library_seconds": model.fit_seconds_,
        "overhead_ms": 1e3 * best,
        "one_pass_ms": 1e3 * one_pass,
        "memory_over_data": (peak_bytes() - before) / X.nbytes,
    }


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(int(sys.argv[2]), int(sys.argv[3]))))
        return
    shapes = [(int(sys.argv[1]), int(sys.argv[2]))] if len(sys.argv) == 3 else [(1000, 32), (100_000, 64), (400_000, 128)]
    print("     rows  columns     fit s  library s  overhead ms  one pass ms  memory / data")
    for rows, columns in shapes:
        text = subprocess.run(
            [sys.executable, __file__, "--one", str(rows), str(columns)], capture_output=True, text=True, check=True
        ).stdout
        m = json.loads(text)
        print(
            f"{rows:9} {columns:8} {m['fit_seconds']:9.3f} {m['library_seconds']:10.3f} {m['overhead_ms']:12.2f} "
            f"{m['one_pass_ms']:12.2f} {m['memory_over_data']:14.2f}"
        )


if __name__ == "__main__":
    main()
