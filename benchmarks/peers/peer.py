"""The peers share this: options, one pinned core, the data, the clock. It is imported before any framework.

The clock is the process's processor time, which does not grow when the machine is busy. On one pinned core it never
exceeds wall time, so it is fair to the peers.

Every peer trains M networks D - 256 - 2 (ReLU, drop-out 0.5) on batches of 256 rows with Adam and weight decay 1e-4,
alone ("restarts") or with the local-independence penalty, mean form, lambda 1 ("lit"). A peer provides train(passes).
It makes that many more passes over the 8 batches, one step per batch, waits, and returns the last step's (cross-entropy
summed over members, penalty).

With --bins K the columns are piecewise linear as in perpend/data/column_table.h: K dense ramps per column are the
inputs, and the penalty is on the gradient by the column, which is the slopes of the ramps times the gradient by the
ramps. A column has one slope that is not zero. Ramps and slopes do not change in training, so they are made once.
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
    parser.add_argument("--bins", type=int, default=0, help="ramps per column; 0: the columns themselves")
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


def data(chosen):
    """Inputs (batches, rows, D or D K), slopes (batches, rows, D, K or 1) and labels (batches, rows)."""
    x = np.random.default_rng(1).standard_normal((BATCHES, BATCH, chosen.features), dtype=np.float32)
    y = (x[..., 0] * x[..., 1] + 0.5 * x[..., 2] > 0).astype(np.int32)
    if not chosen.bins:
        return x, np.ones_like(x)[..., None], y
    inputs, slopes = ramps(x, chosen.bins)
    return inputs, slopes, y


def ramps(x, bins):
    """Centred ramps between quantiles and their slopes. The outer edges lie just inside: no row is on an edge."""
    edges = np.quantile(x, np.linspace(3e-4, 1 - 3e-4, bins + 1), axis=(0, 1)).T.astype(np.float32)
    steep = 1 / np.diff(edges)
    places = (x[..., None] - edges[:, :-1]) * steep
    inputs = np.clip(places, 0, 1)
    inputs -= inputs.mean(axis=(0, 1))
    return inputs.reshape(*x.shape[:2], -1), np.where((places > 0) & (places < 1), steep, np.float32(0))


def first_weights(chosen):
    """Glorot-uniform weights and zero biases: (M, inputs, H), (M, 1, H), (M, H, 2), (M, 1, 2)."""
    random = np.random.default_rng(2)
    features, members = chosen.features * max(1, chosen.bins), chosen.members

    def glorot(inputs, outputs):
        limit = math.sqrt(6 / (inputs + outputs))
        return random.uniform(-limit, limit, (members, inputs, outputs)).astype(np.float32)

    def zeros(outputs):
        return np.zeros((members, 1, outputs), dtype=np.float32)

    return glorot(features, HIDDEN), zeros(HIDDEN), glorot(HIDDEN, 2), zeros(2)


def expected(chosen):
    """(cross-entropy, penalty) of the first weights on the first batch without drop-out, in double precision."""
    w1, b1, w2, b2 = (w.astype(float) for w in first_weights(chosen))
    x, slopes, y = (a[0] for a in data(chosen))
    z = x @ w1 + b1
    v = w2[..., 1] - w2[..., 0]
    margin = np.einsum("mbh,mh->mb", np.maximum(z, 0), v) + b2[..., 1] - b2[..., 0]
    loss = np.logaddexp(0, np.where(y == 1, -margin, margin)).sum() / BATCH
    by_input = ((z > 0) * v[:, None]) @ w1.transpose(0, 2, 1)
    g = (by_input.reshape(chosen.members, *slopes.shape) * slopes).sum(axis=-1)
    dots = np.einsum("ibd,jbd->ijb", g, g)
    norms = np.einsum("iib->ib", dots)
    cos2 = dots**2 / (norms[:, None] * norms + EPSILON)
    return loss, (cos2.sum() - np.einsum("iib->", cos2)) / BATCH


def check_objective(chosen, peer, form, found):
    """Ends the program if a peer's objective of the first weights without drop-out is not the intended one.

    Rounding turns a unit over that is at its kink. The loss hardly changes then, but the penalty jumps in that row.
    """
    for name, want, got, tolerance in zip(("loss", "penalty"), expected(chosen), found, (1e-4, 1e-3)):
        if not abs(got - want) < tolerance * want and (name == "loss" or chosen.method == "lit"):
            raise SystemExit(f"{peer}, {form}: {name} {got} instead of {want}")


def time_steps(train, seconds):
    """Passes made, then milliseconds per step: median, least and most over windows that share the given seconds."""
    begin = time.process_time()
    train(1)
    passes = max(1, round(seconds / WINDOWS / (time.process_time() - begin)))
    times = []
    for _ in range(WINDOWS):
        begin = time.process_time()
        train(passes)
        times.append(1e3 * (time.process_time() - begin) / (passes * BATCHES))
    return passes * WINDOWS, statistics.median(times), min(times), max(times)


def report(chosen, peer, form, first, train):
    """first is (cross-entropy, penalty) of the first weights on the first batch without drop-out."""
    check_objective(chosen, peer, form, first)
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
        "bins": chosen.bins,
        "ms_per_step": round(middle, 4),
        "spread": [round(least, 4), round(most, 4)],
    }
    if chosen.json:
        print(json.dumps(line), flush=True)
    else:
        print(f"{peer}, {form}, {chosen.method}: {middle:.3f} ms a step ({least:.3f} to {most:.3f}); "
              f"penalty {first_penalty:.3g} -> {penalty:.3g}", flush=True)
