#!/usr/bin/env python3
"""Compares the default ensemble with logistic regression on small generated tables, with 4,000 test rows each.

    benchmarks/tables/small.py PROGRAM [--seeds 5] [-- OPTIONS of perpend train]

line     10 numbers; the log-odds are linear in some of them
levels   6 categories of 2 to 8 levels and 3 numbers, whose effects add up
curved   8 numbers; a line, one product of two numbers and one absolute value

Prints the mean difference of the test log-loss and AUC, ensemble less logistic regression, with its standard error over
seeds. perpend makes the logistic regression itself, on the same training rows.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np
import pandas as pd

TEST_ROWS = 4000


def line(draw, rows):
    X = draw.normal(size=(rows, 10))
    return pd.DataFrame(X).add_prefix("x"), X @ (draw.normal(size=10) * (draw.random(10) < 0.6))


def levels(draw, rows):
    columns, score = {}, np.zeros(rows)
    for c in range(6):
        count = draw.integers(2, 9)
        level = draw.integers(0, count, rows)
        score += draw.normal(size=count)[level]
        columns[f"c{c}"] = [f"l{i}" for i in level]
    for c in range(3):
        columns[f"x{c}"] = draw.normal(size=rows)
        score += columns[f"x{c}"] * draw.normal()
    return pd.DataFrame(columns), score


def curved(draw, rows):
    X = draw.normal(size=(rows, 8))
    return pd.DataFrame(X).add_prefix("x"), X @ draw.normal(size=8) + 1.5 * X[:, 0] * X[:, 1] + 1.5 * np.abs(X[:, 2])


def table(kind, train_rows, seed):
    """A column __part says train, validation or test; a fifth of the training rows validates."""
    draw = np.random.default_rng([seed, train_rows])
    frame, score = kind(draw, train_rows + TEST_ROWS)
    chance = 1 / (1 + np.exp(np.median(score) - score))
    part = np.where(np.arange(len(frame)) < train_rows, "train", "test").astype(object)
    part[draw.permutation(train_rows)[: train_rows // 5]] = "validation"
    return frame.assign(y=(draw.random(len(frame)) < chance).astype(int), __part=part)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=5)
    asked, options = parser.parse_known_args()
    options = [word for word in options if word != "--"]
    with tempfile.TemporaryDirectory() as name:
        data, model = pathlib.Path(name) / "t.csv", pathlib.Path(name) / "m"
        split = ["--split", "labels", "--split-column", "__part"]
        for kind in (line, levels, curved):
            for rows in (200, 500, 1000):
                found = []
                for seed in range(asked.seeds):
                    table(kind, rows, seed).to_csv(data, index=False)
                    words = [asked.program, "train", data, "--target", "y", *split, "--seed", seed, "-o", model, "--force"]
                    done = subprocess.run([*map(str, words), "--json", *options], capture_output=True, text=True, check=True)
                    ours, theirs = json.loads(done.stdout), json.loads(done.stdout)["baselines"]["logistic"]
                    found.append([ours["metrics"]["test"][metric] - theirs[metric] for metric in ("log_loss", "auc")])
                mean, error = np.mean(found, axis=0), np.std(found, axis=0, ddof=1) / np.sqrt(len(found))
                print(f"{kind.__name__:<7} {rows:>5} rows   log-loss {mean[0]:+.4f} ± {error[0]:.4f}   "
                      f"AUC {mean[1]:+.4f} ± {error[1]:.4f}", flush=True)


if __name__ == "__main__":
    main()
