#!/usr/bin/env python3
"""How the defaults were chosen (docs/columns.md), without a look at any test row.

Each shift table gives up one of its training domains, by seed; a table with a single one gives up the quarter of its rows
that is farthest out. The small tables of the paper are split near and far. Prints one line per setting: means over
tables of AUC and log-loss in the held-out place, then on validation rows.

    benchmarks/tables/choose_defaults.py PROGRAM --seeds 3 -- --lambda 0.1      one setting of perpend train
    benchmarks/tables/choose_defaults.py PROGRAM --seeds 3 --lambdas            five lambdas, and the rule `auto`
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd

DATA = pathlib.Path(os.environ.get("PERPEND_DATA") or pathlib.Path(__file__).parents[3] / "shared" / "data")
TEST_DOMAINS = json.loads((DATA / "shift" / "test_domains.json").read_text())
SMALL = [(name, split) for name in ("ionosphere", "sonar", "spectf") for split in ("random", "extrapolation")]
FAR = [("electricity", "extrapolation"), ("mushroom", "extrapolation")]
LAMBDAS = [0, 0.03, 0.1, 0.3, 1]


def pseudo_shift(name, seed, folder):
    """A CSV without the test domains, whose column __part says train, validation or test."""
    path = folder / f"{name}.{seed}.csv"
    table = pd.read_csv(DATA / "shift" / f"{name}.csv")
    table = table[~table.domain.astype(str).isin(TEST_DOMAINS[name])].reset_index(drop=True)
    domains = sorted(table.domain.astype(str).unique())
    if len(domains) > 1:
        held_out = (table.domain.astype(str) == domains[seed % len(domains)]).to_numpy()
    else:
        numbers = table.drop(columns=["domain", "target"]).select_dtypes("number")
        norm = (((numbers - numbers.mean()) / numbers.std()).fillna(0) ** 2).sum(axis=1).to_numpy()
        held_out = norm > np.quantile(norm, 0.75)
    part = np.where(held_out, "test", "train").astype(object)
    draw = np.random.default_rng(seed)
    for label in (0, 1):
        rows = np.flatnonzero(~held_out & (table.target.to_numpy() == label))
        draw.shuffle(rows)
        part[rows[: len(rows) // 5]] = "validation"
    table.drop(columns="domain").assign(__part=part).to_csv(path, index=False)
    return path


def fit(program, table, seed, options, folder):
    if isinstance(table, str):
        source = [str(pseudo_shift(table, seed, folder)), "--split", "labels", "--split-column", "__part"]
    else:
        source = [str(DATA / f"{table[0]}.csv"), "--split", table[1]]
    model = folder / f"{table if isinstance(table, str) else '.'.join(table)}.{seed}.model"
    words = [program, "train", *source, "--target", "target", "--seed", str(seed), "--threads", "1", "-o", str(model)]
    done = subprocess.run([*words, "--force", "--json", *options], capture_output=True, text=True, check=True)
    metrics = json.loads(done.stdout)["metrics"]
    return {
        "table": str(table), "seed": seed, "auc": metrics["test"]["auc"], "log_loss": metrics["test"]["log_loss"],
        "validation_auc": metrics["validation"]["auc"], "validation_log_loss": metrics["validation"]["log_loss"],
    }


def measure(program, tables, seeds, options, folder):
    cases = [(table, seed) for table in tables for seed in range(seeds)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return pd.DataFrame(list(pool.map(lambda case: fit(program, *case, options, folder), cases)))


def show(title, results):
    means = results.groupby("table").mean(numeric_only=True).mean()
    print(f"{title:<40}", *(f"{name} {means[name]:.4f}" for name in
                            ("auc", "log_loss", "validation_auc", "validation_log_loss")), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--lambdas", action="store_true", help="five lambdas, and what the rule auto makes of them")
    parser.add_argument("options", nargs="*", help="options of perpend train")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if not arguments.lambdas:
            tables = [*TEST_DOMAINS, *SMALL]
            show(" ".join(arguments.options), measure(arguments.program, tables, arguments.seeds, arguments.options, folder))
            return
        found = []
        for value in LAMBDAS:
            options = [*arguments.options, "--lambda", str(value)]
            found.append(measure(arguments.program, [*TEST_DOMAINS, *SMALL, *FAR], arguments.seeds, options, folder))
            show(" ".join(options), found[-1])
            found[-1]["lambda"] = value
        every = pd.concat(found)
        for tolerance in (0.005, 0.01, 0.02):
            chosen = []
            for _, trials in every.groupby(["table", "seed"]):
                free = trials[trials.validation_log_loss <= trials.validation_log_loss.min() + tolerance]
                chosen.append(free.sort_values("lambda").iloc[-1])
            show(f"auto, within {tolerance}", pd.DataFrame(chosen).drop(columns="lambda").infer_objects())


if __name__ == "__main__":
    main()
