"""Compares boosted trees with LightGBM's, with the same leaves, rounds and learning rate, on the same arrays, in one run.

speed    made tables of 45,000 x 8 and 100,000 x 50 numbers; both train and score the training rows in turn
quality  electricity (random split) and the shift tables (test domains): AUC and log-loss on the test rows, with 100
         rounds, and with early stopping on the validation rows (50 rounds of patience)

Seconds are the least of all repeats. A ratio above 1 means that ours is faster. Ratios come from the wall clock, and
with one thread also from processor time, which a busy machine changes less.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

import lightgbm
import numpy as np
from sklearn.metrics import log_loss, roc_auc_score

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks" / "tables"))
import tables  # noqa: E402

FOLDER = ROOT / "build" / "trees"
PARTS = ("train", "valid", "test")


def write(parts, levels):
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (X, y) in zip(PARTS, parts):
        with (FOLDER / name).open("wb") as file:
            np.array(X.shape, np.int64).tofile(file)
            X.astype(np.float32).tofile(file)
            y.astype(np.float32).tofile(file)
    np.array(levels, np.int64).tofile(FOLDER / "levels")


def ours(program, **settings):
    words = [f"{key}={value}" for key, value in settings.items()]
    found = json.loads(subprocess.run([program, FOLDER, *words], check=True, capture_output=True, text=True).stdout)
    return found, np.fromfile(FOLDER / "scores", np.float32)


def least(seconds, work):
    wall, processor = time.perf_counter(), time.process_time()
    result = work()
    now = (time.perf_counter() - wall, time.process_time() - processor)
    seconds[:] = [min(old, new) for old, new in zip(seconds, now)] if seconds else now
    return result


def theirs(parts, levels, rounds=100, leaves=31, patience=0, threads=1, repeats=1):
    words = [column for column, count in enumerate(levels) if count]
    settings = {"objective": "binary", "num_leaves": leaves, "num_threads": threads, "verbose": -1}
    (X, y), (XV, yV), (XT, _) = parts
    stop = [lightgbm.early_stopping(patience, verbose=False)] if patience else []
    fit, predict = [], []

    def train():
        data = lightgbm.Dataset(X, y, categorical_feature=words, params=settings)
        valid = [data.create_valid(XV, yV)] if patience else []
        return lightgbm.train(settings, data, rounds, valid_sets=valid, callbacks=stop)

    for _ in range(repeats):
        model = least(fit, train)
        scores = least(predict, lambda: model.predict(XT, raw_score=True, num_threads=threads))
    names = ("fit", "fit_cpu", "predict", "predict_cpu")
    return dict(zip(names, fit + predict), trees=model.num_trees() if not patience else model.best_iteration), scores


def made(rows, columns):
    random = np.random.default_rng(1)
    X = random.normal(size=(rows, columns)).astype(np.float32)
    score = X[:, 0] * X[:, 1] + np.sin(3 * X[:, 2]) + X[:, 3] + 0.5 * np.abs(X[:, 4]) - 0.4
    return X, (score + 0.5 * random.normal(size=rows) > 0).astype(int)


def speed(asked):
    print("| rows x columns | threads | training, wall | training, processor | scoring, wall | scoring, processor | ns per row and tree, ours | LightGBM |")
    print("|---|---|---|---|---|---|---|---|")
    for rows, columns in ((45_000, 8), (100_000, 50)):
        X, y = made(rows, columns)
        none = (X[:0], y[:0])
        parts, levels = ((X, y), none, (X, y)), [0] * columns
        write(parts, levels)
        for threads in (1, 2):
            runs = []
            for _ in range(asked.repeats):  # in turns, so that both meet the same state of the machine
                mine = ours(asked.program, threads=threads)[0]
                other = theirs(parts, levels, threads=threads)[0]
                runs.append((mine, other))
            mine, other = ({key: min(run[i][key] for run in runs) for key in runs[0][i]} for i in (0, 1))
            ratios = {key: f"{other[key] / mine[key]:.2f}" for key in ("fit", "fit_cpu", "predict", "predict_cpu")}
            if threads > 1:
                ratios["fit_cpu"] = ratios["predict_cpu"] = ""
            per_tree = [1e9 * of["predict"] / rows / of["trees"] for of in (mine, other)]
            print(f"| {rows:,} x {columns} | {threads} | {' | '.join(ratios.values())} "
                  f"| {per_tree[0]:.1f} | {per_tree[1]:.1f} |", flush=True)


def encoded(parts):
    """(rows as perpend encodes them, the same with missing categories as NaN for LightGBM, numbers of levels)"""
    X = parts[0].X
    levels = [len(seen_levels(X[c])) if X[c].dtype == "category" else 0 for c in X]
    own, plain = [], []
    for part in parts:
        columns, others = [], []
        for count, name in zip(levels, X):
            cells = part.X[name]
            if count:
                index = {level: code for code, level in enumerate(seen_levels(X[name]))}
                codes = np.array([count if c != c else index.get(c, -1) for c in cells.astype(object)], float)
                columns.append(codes)
                others.append(np.where((codes < 0) | (codes == count), np.nan, codes))
            else:
                spread = X[name].std(ddof=0)
                columns.append(((cells - X[name].mean()) / (spread if spread > 0 else 1)).to_numpy())
                others.append(columns[-1])
        own.append((np.column_stack(columns).astype(np.float32), part.y))
        plain.append((np.column_stack(others).astype(np.float32), part.y))
    return own, plain, levels


def seen_levels(cells):
    return sorted(cells.dropna().unique())


def figures(y, scores):
    p = 1 / (1 + np.exp(-np.asarray(scores, float)))
    return roc_auc_score(y, p), log_loss(y, np.clip(p, 1e-15, 1 - 1e-15))


def quality(asked):
    cases = [("electricity", "random")] + [(name, "domains") for name in tables.test_domains()]
    for title, settings in (("100 rounds", {}), ("early stopping", {"rounds": 1000, "patience": 50})):
        print(f"\n{title}\n| table | AUC, ours | LightGBM | log-loss, ours | LightGBM |\n|---|---|---|---|---|")
        lines = []
        for name, split in cases:
            found = []
            for seed in range(asked.seeds):
                own, plain, levels = encoded(tables.parts(name, split, seed))
                if not settings:
                    own[1] = tuple(part[:0] for part in own[1])
                write(own, levels)
                y = own[2][1]
                found.append([*figures(y, ours(asked.program, **settings)[1]), *figures(y, theirs(plain, levels, **settings)[1])])
            lines.append(np.mean(found, axis=0))
            auc, loss, other_auc, other_loss = lines[-1]
            print(f"| {name} | {auc:.4f} | {other_auc:.4f} | {loss:.4f} | {other_loss:.4f} |", flush=True)
        lines = np.array(lines)
        auc, loss, other_auc, other_loss = lines.mean(axis=0)
        difference = lines[:, 0] - lines[:, 2]
        print(f"| mean | {auc:.4f} | {other_auc:.4f} | {loss:.4f} | {other_loss:.4f} |")
        print(f"AUC, ours less LightGBM's: {difference.mean():+.4f} "
              f"(standard error {difference.std(ddof=1) / np.sqrt(len(difference)):.4f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "bin" / "bench_trees")
    parser.add_argument("--only", choices=("speed", "quality"))
    parser.add_argument("--repeats", type=int, default=5, help="of each timing")
    parser.add_argument("--seeds", type=int, default=2, help="splits of each table")
    asked = parser.parse_args()
    if asked.only != "quality":
        speed(asked)
    if asked.only != "speed":
        quality(asked)


main()
