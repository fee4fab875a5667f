#!/usr/bin/env python3
"""Measures what columns with a direction cost or gain (docs/columns.md): AUC and log-loss on test rows with --increasing and
--decreasing, and without.

    benchmarks/tables/directions.py PROGRAM --seeds 5      measures
    benchmarks/tables/directions.py --show                 prints the table of the page

Each line of docs/results/directions.jsonl is one table, split and seed. What the file has is not measured again, so the
same command resumes. The directions are common beliefs about the columns. They were chosen before the first training and
not changed after it. Splits: `random`, and `domains`, which tests on other places or times.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from choose_defaults import DATA, TEST_DOMAINS

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "results" / "directions.jsonl"
# table -> (increasing, decreasing)
DIRECTIONS = {
    "compas": ("priors_count", "age"),
    "student_por": ("studytime", "failures"),
    "heart_site": ("age,oldpeak", ""),
    "wine": ("alcohol", "volatile_acidity"),
    "support2": ("age,scoma", ""),
    "bike_hour": ("temp", "weathersit"),
}
SPLITS = ("random", "domains")


def train(program, name, split, seed, folder, directions):
    """(AUC, log-loss) on the test rows."""
    words = [program, "train", DATA / "shift" / f"{name}.csv", "--target", "target", "--seed", seed, "--threads", 1, "--json"]
    if split == "domains":
        words += ["--split", "domain", "--domain", "domain", "--test-domains", ",".join(TEST_DOMAINS[name])]
    else:
        words += ["--split", "random", "--drop", "domain"]
    for flag, columns in zip(("--increasing", "--decreasing"), directions):
        words += [flag, columns] if columns else []
    words += ["-o", folder / f"{name}.{split}.{seed}.{bool(any(directions))}.model"]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True)
    test = json.loads(done.stdout)["metrics"]["test"]
    return test["auc"], test["log_loss"]


def measure(program, name, split, seed, folder):
    record = {"table": name, "split": split, "seed": seed}
    for kind, directions in (("free", ("", "")), ("directed", DIRECTIONS[name])):
        auc, log_loss = train(program, name, split, seed, folder, directions)
        record |= {f"{kind}_auc": round(auc, 6), f"{kind}_log_loss": round(log_loss, 6)}
    return record


def done(results):
    return [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []


def measure_all(program, seeds, results):
    known = {(r["table"], r["split"], r["seed"]) for r in done(results)}
    cases = [(name, split, seed) for name in DIRECTIONS for seed in range(seeds) for split in SPLITS]
    left = [case for case in cases if case not in known]
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        for record in pool.map(lambda case: measure(program, *case, pathlib.Path(name)), left):
            with results.open("a") as file:
                file.write(json.dumps(record) + "\n")


def shown(differences, digits):
    error = np.std(differences, ddof=1) / np.sqrt(len(differences))
    return f"{np.mean(differences):+.{digits}f} ± {error:.{digits}f}"


def show(results):
    """Means over seeds. A difference is (with directions) - (without), paired by seed, with its standard error."""
    records = done(results)
    print("| table, split | increasing; decreasing | AUC | change in AUC | log-loss | change in log-loss |")
    print("|---|---|---|---|---|---|")
    for split in SPLITS:
        means = []
        for name, (up, down) in DIRECTIONS.items():
            own = [r for r in records if (r["table"], r["split"]) == (name, split)]
            if len(own) < 2:
                continue
            figure = {k: np.array([r[k] for r in own]) for k in own[0] if k.endswith(("auc", "loss"))}
            changes = [figure[f"directed_{m}"] - figure[f"free_{m}"] for m in ("auc", "log_loss")]
            means.append([change.mean() for change in changes])
            columns = "; ".join(f"`{c.replace(',', '`, `')}`" if c else "none" for c in (up, down))
            print(f"| {name}, {split} | {columns} | {figure['free_auc'].mean():.4f} | {shown(changes[0], 4)} "
                  f"| {figure['free_log_loss'].mean():.4f} | {shown(changes[1], 4)} |")
        if len(means) > 1:
            auc, log_loss = np.array(means).T
            print(f"| **mean of tables, {split}** | | | {shown(auc, 4)} | | {shown(log_loss, 4)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--results", type=pathlib.Path, default=RESULTS)
    parser.add_argument("--show", action="store_true", help="print the table of the page")
    asked = parser.parse_args()
    if asked.program:
        measure_all(asked.program, asked.seeds, asked.results)
    if asked.show:
        show(asked.results)


if __name__ == "__main__":
    main()
