#!/usr/bin/env python3
"""Measures what calibration is worth (docs/calibration.md): log-loss and calibration error with none, temperature and isotonic.

One training per table and seed gives the probabilities of all rows. The maps are fitted to the validation rows as
perpend/run/calibrate.h does it, and judged on other rows. A line of JSON per table, split, seed and map goes to the results
file, which the same command resumes; --show prints the tables of the page.

    benchmarks/tables/calibration.py PROGRAM --seeds 5      measures
    benchmarks/tables/calibration.py --show                 prints

Splits: `held-out` leaves out one training domain (choose_defaults.py) and sees no test row; the default was chosen by
it. `random`, `far` (extrapolation) and `domains` judge the choice on test rows.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd

from choose_defaults import DATA, TEST_DOMAINS, pseudo_shift

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "results" / "calibration.jsonl"
SPLITS = {"held-out": list(TEST_DOMAINS), "domains": list(TEST_DOMAINS)}
SPLITS |= {split: ["ionosphere", "sonar", "spectf", "electricity", "mushroom"] for split in ("random", "far")}
LEAST = 5e-7  # predict writes six decimals
STRENGTH = 4  # kTemperatureStrength


def temperature(p, y):
    """p -> tempered p."""
    logits = np.log(p) - np.log1p(-p)
    low, high = -np.log(16), np.log(16)
    for _ in range(40):
        u = (low + high) / 2
        b = np.exp(u)
        slope = b * np.sum((y - 1 / (1 + np.exp(-b * logits))) * logits)
        low, high = (u, high) if slope > STRENGTH * u else (low, u)
    return lambda q: 1 / (1 + np.exp(-np.exp(u) * (np.log(q) - np.log1p(-q))))


def isotonic(p, y, most=32):
    """p -> p on a rising curve through the knots."""
    order = np.argsort(p, kind="stable")
    p, y, size = p[order], y[order], -(-len(y) // most)
    groups, first = [], 0
    while first < len(y):
        last = first + size
        while last < len(y) and p[last] == p[last - 1]:
            last += 1
        groups.append([len(y[first:last]), p[first:last].sum(), y[first:last].sum()])
        while len(groups) > 1 and groups[-2][2] / groups[-2][0] >= groups[-1][2] / groups[-1][0]:
            more = groups.pop()
            groups[-1] = [a + b for a, b in zip(groups[-1], more)]
        first = last
    least = 1 / (len(y) + 2)
    knots = [(total / count, np.clip(positive / count, least, 1 - least)) for count, total, positive in groups]
    return lambda q: np.interp(q, *zip(*knots))


MAPS = {"none": lambda p, y: lambda q: q, "temperature": temperature, "isotonic": isotonic}


def calibration_error(y, p, bins=15):
    own = np.minimum((p * bins).astype(int), bins - 1)
    return sum(abs(np.sum(p[own == b]) - np.sum(y[own == b])) for b in range(bins)) / len(y)


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


def source(name, split, seed, folder):
    """(file, options of its split)"""
    if split == "held-out":
        return pseudo_shift(name, seed, folder), ["--split", "labels", "--split-column", "__part"]
    if split == "domains":
        return DATA / "shift" / f"{name}.csv", ["--split", "domain", "--domain", "domain", "--test-domains", ",".join(TEST_DOMAINS[name])]
    return DATA / f"{name}.csv", ["--split", "extrapolation" if split == "far" else split]


def measure(program, name, split, seed, folder):
    """One record per map."""
    path, options = source(name, split, seed, folder)
    model, answers = folder / f"{name}.{split}.{seed}.model", folder / f"{name}.{split}.{seed}.csv"
    fixed = ["--target", "target", "--seed", seed, "--threads", "1", "-o", model, "--force", "--json", "--list-rows"]
    rows = json.loads(run(program, "train", path, *fixed, *options))["split"]
    run(program, "predict", model, path, "-o", answers, "--force", "--threads", "1")
    target = pd.read_csv(path, usecols=["target"]).target
    y = (target == target.max()).to_numpy().astype(int)
    p = np.clip(pd.read_csv(answers, usecols=["probability"]).probability.to_numpy(), LEAST, 1 - LEAST)
    near, far = rows["validation"], rows["test"]
    records = []
    for kind, fit in MAPS.items():
        q = np.clip(fit(p[near], y[near])(p[far]), LEAST, 1 - LEAST)
        losses = -np.log(np.where(y[far] == 1, q, 1 - q))
        records.append({"table": name, "split": split, "seed": seed, "map": kind,
                        "log_loss": round(float(losses.mean()), 6), "ece": round(float(calibration_error(y[far], q)), 6)})
    return records


def done(results):
    lines = results.read_text().splitlines() if results.exists() else []
    return [json.loads(line) for line in lines]


def measure_all(program, seeds, results):
    known = {(r["table"], r["split"], r["seed"]) for r in done(results)}
    cases = [(name, split, seed) for seed in range(seeds) for split, names in SPLITS.items() for name in names]
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        left = [case for case in cases if case not in known]
        for records in pool.map(lambda case: measure(program, *case, pathlib.Path(name)), left):
            with results.open("a") as file:
                file.writelines(json.dumps(record) + "\n" for record in records)


def show(results):
    """Per split: means over tables, and the gain of each map with its standard error over tables, wins and losses."""
    found = defaultdict(dict)
    for r in done(results):
        found[r["split"], r["table"], r["map"]].setdefault("log_loss", []).append(r["log_loss"])
        found[r["split"], r["table"], r["map"]].setdefault("ece", []).append(r["ece"])
    print("| split | tables | map | log-loss | gain in log-loss | better, worse | calibration error | gain in it | better, worse |")
    print("|---|---|---|---|---|---|---|---|---|")
    for split in SPLITS:
        names = [name for name in SPLITS[split] if (split, name, "none") in found]
        for kind in MAPS if names else []:
            cells = [split, str(len(names)), kind]
            for figure in ("log_loss", "ece"):
                own = np.array([np.mean(found[split, name, kind][figure]) for name in names])
                gain = np.array([np.mean(found[split, name, "none"][figure]) for name in names]) - own
                error = gain.std(ddof=1) / np.sqrt(len(gain))
                cells += [f"{own.mean():.4f}"]
                cells += ["", ""] if kind == "none" else [f"{gain.mean():+.4f} ± {error:.4f}", f"{(gain > 0).sum()}, {(gain < 0).sum()}"]
            print("| " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--results", type=pathlib.Path, default=RESULTS)
    parser.add_argument("--show", action="store_true", help="print the tables of the page")
    asked = parser.parse_args()
    if asked.program:
        measure_all(asked.program, asked.seeds, asked.results)
    if asked.show:
        show(asked.results)


if __name__ == "__main__":
    main()
