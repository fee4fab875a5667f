"""Compares three ways to combine the same members: their mean, a stack and a gate (docs/methods.md).

    python benchmarks/tables/aggregate.py [--seeds 5]     trains the cases that docs/results/aggregate.jsonl lacks
    python benchmarks/tables/aggregate.py --summary       the tables of the docs

At most 1,500 random rows train, 1,000 validate and 4,000 test, so that a training takes seconds.
"""

import argparse
import json
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd

import tables

PATH = tables.ROOT / "docs" / "results" / "aggregate.jsonl"
MOST = {"train": 1500, "validation": 1000, "test": 4000}
WAYS = ["stack", "gate"]


def measure(program, seeds):
    lines = [json.loads(line) for line in PATH.read_text().splitlines()] if PATH.exists() else []
    done = {(line["table"], line["split"], line["seed"]) for line in lines}
    for seed in range(seeds):
        for name, split in reversed(tables.cases()):
            if (name, split, seed) in done:
                continue
            frames = []
            for part, rows in zip(MOST, tables.parts(name, split, seed)):
                taken = np.random.default_rng(seed).permutation(len(rows.y))[: MOST[part]]
                frames.append(rows.X.iloc[taken].assign(target=rows.y[taken], part=part))
            with tempfile.TemporaryDirectory() as folder:
                path = f"{folder}/rows.csv"
                pd.concat(frames).to_csv(path, index=False)
                found = subprocess.run([program, path, str(seed)], capture_output=True, text=True)
            if found.returncode != 0:
                sys.exit(f"{name}, {split}, seed {seed}: {found.stderr}")
            case = {"table": name, "split": split, "seed": seed}
            with PATH.open("a") as file:
                file.write(json.dumps(case | json.loads(found.stdout)) + "\n")


def summary():
    lines = [json.loads(line) for line in PATH.read_text().splitlines()]
    print("| way | split | tables | seeds | changed | log-loss gained | wins / losses | AUC gained | wins / losses |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    notes = []
    for way in WAYS:
        for split in ("random", "extrapolation", "domains"):
            some = [line for line in lines if line["split"] == split]
            names = sorted({line["table"] for line in some})
            cells, seeds = [], [sum(line["table"] == name for line in some) for name in names]
            changed = sum(line[f"{way}_changed"] for line in some)
            for what, sign in (("log_loss", -1), ("auc", 1)):
                means, clear = [], [0, 0]
                for name in names:
                    gains = np.array([sign * (line[way][what] - line["mean"][what]) for line in some if line["table"] == name])
                    means.append(gains.mean())
                    error = gains.std(ddof=1) / np.sqrt(len(gains)) if len(gains) > 1 else np.inf
                    clear[0] += gains.mean() > 2 * error and gains.any()
                    clear[1] += gains.mean() < -2 * error and gains.any()
                    if what == "log_loss" and abs(gains.mean()) > 0.005:
                        notes.append(f"- {way}, {name}, {split}: log-loss gained {gains.mean():+.4f} ± {error:.4f}")
                error = np.std(means, ddof=1) / np.sqrt(len(means))
                cells.append(f"{np.mean(means):+.4f} ± {error:.4f} | {clear[0]} / {clear[1]}")
            print(f"| {way} | {split} | {len(names)} | {min(seeds)} to {max(seeds)} | {changed} of {len(some)} | {' | '.join(cells)} |")
    print("\nLarger than 0.005 in log-loss:\n")
    print("\n".join(notes))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(tables.ROOT / "build" / "release" / "bin" / "bench_aggregate"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--summary", action="store_true")
    asked = parser.parse_args()
    if asked.summary:
        summary()
    else:
        measure(asked.program, asked.seeds)


if __name__ == "__main__":
    main()
