"""What the peers share: options, one pinned core, the data, the clock. Imported before any framework.

Every peer trains M networks D - 256 - 2 (ReLU, drop-out 0.5) on batches of 256 rows with Adam and weight decay 1e-4,
alone ("restarts") or with the local-independence penalty, mean form, lambda 1 ("lit"). A peer gives train(passes),
which passes that many more times over the 8 batches, a step each, waits, and returns the last step's (cross-entropy
summed over members, penalty).
"""

import argparse
import json
import math
import os
import statistics
import time

import numpy as np

BATCH, HIDDEN, BATCHES = 256, 256, 8
KEEP, LAMBDA, DECAY, EPSILON = 0.5, 1.0, 1e-4, 1e-6
RATE, BETA1, BETA2, ADAM_EPSILON = 1e-3, 0.9, 0.999, 1e-8
WINDOWS = 7
CHECKED_PASSES = 32  # by then the penalty has fallen well below its first value


def options():
    """The command line; pins the process and tells every thread pool to have one thread."""
    parser = argparse.ArgumentParser(description="times one framework's LIT or restarts step on one core")
    parser.add_argument("--features", type=int, default=33)
    parser.add_argument("--members", type=int, default=5)
    parser.add_argument("--method", choices=("lit", "restarts"), default="lit")
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    os.sched_setaffinity(0, {chosen.core})
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NPROC"):
        os.environ[name] = "1"
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    return chosen


def data(features):
    """X (batches, rows, features) and labels (batches, rows)."""
    x = np.random.default_rng(1).standard_normal((BATCHES, BATCH, features), dtype=np.float32)
    return x, (x[..., 0] * x[..., 1] + 0.5 * x[..., 2] > 0).astype(np.int32)


def first_weights(features, members):
    """Glorot-uniform weights and zero biases: (M, D, H), (M, 1, H), (M, H, 2), (M, 1, 2)."""
    random = np.random.default_rng(2)

    def glorot(inputs, outputs):
        limit = math.sqrt(6 / (inputs + outputs))
        return random.uniform(-limit, limit, (members, inputs, outputs)).astype(np.float32)

    def zeros(outputs):
        return np.zeros((members, 1, outputs), dtype=np.float32)

    return glorot(features, HIDDEN), zeros(HIDDEN), glorot(HIDDEN, 2), zeros(2)


def time_steps(train, seconds):
    """Passes made, then milliseconds a step: median, least and most over windows that share the given seconds."""
    begin = time.perf_counter()
    train(1)
    passes = max(1, round(seconds / WINDOWS / (time.perf_counter() - begin)))
    times = []
    for _ in range(WINDOWS):
        begin = time.perf_counter()
        train(passes)
        times.append(1e3 * (time.perf_counter() - begin) / (passes * BATCHES))
    return passes * WINDOWS, statistics.median(times), min(times), max(times)


def report(chosen, peer, form, train):
    first_loss, first_penalty = train(1)  # compiles, too
    train(1)
    passes, middle, least, most = time_steps(train, chosen.seconds)
    loss, penalty = train(max(1, CHECKED_PASSES - passes))
    if not math.isfinite(loss) or (chosen.method == "lit" and not penalty < first_penalty):
        raise SystemExit(f"{peer}, {form}: loss {first_loss} -> {loss}, penalty {first_penalty} -> {penalty}")
    line = {
        "peer": peer,
        "form": form,
        "method": chosen.method,
        "features": chosen.features,
        "members": chosen.members,
        "ms_per_step": round(middle, 4),
        "spread": [round(least, 4), round(most, 4)],
    }
    if chosen.json:
        print(json.dumps(line), flush=True)
    else:
        print(f"{peer}, {form}, {chosen.method}: {middle:.3f} ms a step ({least:.3f} to {most:.3f}); "
              f"penalty {first_penalty:.3g} -> {penalty:.3g}", flush=True)
