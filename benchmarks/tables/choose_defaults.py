#!/usr/bin/env python3
"""Repeats how the defaults were chosen (docs/columns.md), without a look at any test row.

Each shift table holds out one of its training domains, by seed. A table with a single domain holds out the quarter of its
rows that is farthest out. The small tables of the paper are split near and far. Prints one line per setting: means over
tables of AUC and log-loss in the held-out place, then on validation rows.

    benchmarks/tables/choose_defaults.py PROGRAM --seeds 3 -- --lambda 0.1      one setting of perpend train
    benchmarks/tables/choose_defaults.py PROGRAM --seeds 3 --lambdas            five lambdas, and the rule `auto`
    benchmarks/tables/choose_defaults.py PROGRAM --seeds 3 --shares             sets of views, and their shares by several rules
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
from sklearn.metrics import roc_auc_score

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


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


def train(program, table, seed, options, folder):
    """(model, what train --json prints)"""
    if isinstance(table, str):
        source = [pseudo_shift(table, seed, folder), "--split", "labels", "--split-column", "__part"]
    else:
        source = [DATA / f"{table[0]}.csv", "--split", table[1]]
    model = folder / f"{table if isinstance(table, str) else '.'.join(table)}.{seed}.model"
    fixed = ["--target", "target", "--seed", seed, "--threads", "1", "-o", model, "--force", "--json"]
    return model, json.loads(run(program, "train", *source, *fixed, *options))


def fit(program, table, seed, options, folder):
    metrics = train(program, table, seed, options, folder)[1]["metrics"]
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


def log_losses(y, p):
    return -np.log(np.maximum(np.where(y == 1, p, 1 - p), 1e-15))


def shares_of(of_label, strength, usual):
    """(views, rows) probabilities of the labels -> shares of the views, as in perpend/run/view_weights.h."""
    usual = np.array(usual) / sum(usual)
    shares = usual.copy()
    for _ in range(500 if np.isfinite(strength) else 0):
        credit = shares[:, None] * of_label
        shares = ((credit / credit.sum(axis=0)).mean(axis=1) + strength * usual) / (1 + strength)
    return shares


def measure_shares(program, seeds, folder, options):
    """Trains once per shift table and seed; the members' own answers show the result of any shares."""
    found = []
    for table, seed in [(table, seed) for table in TEST_DOMAINS for seed in range(seeds)]:
        model, _ = train(program, table, seed, options, folder)
        rows = pd.read_csv(folder / f"{table}.{seed}.csv", usecols=["target", "__part"])
        answers = folder / "answers.csv"
        run(program, "predict", model, folder / f"{table}.{seed}.csv", "--members", "-o", answers, "--force")
        members = pd.read_csv(answers).filter(regex="^member").to_numpy()
        networks = members[:, :-2]
        views = np.stack([networks[:, 0::2].mean(axis=1), networks[:, 1::2].mean(axis=1), members[:, -2], members[:, -1]])
        y = (rows.target == rows.target.max()).to_numpy().astype(int)
        near, far = (rows["__part"] == "validation").to_numpy(), (rows["__part"] == "test").to_numpy()
        settings = [(name, kinds, [1] * len(kinds), 0.1) for name, kinds in (
            ("networks", [0, 1]), ("networks, logistic", [0, 1, 2]), ("networks, trees", [0, 1, 3]), ("trees", [3]))]
        settings += [(f"all, trees count as {count}", [0, 1, 2, 3], [1, 1, 1, count], 0.1) for count in (1, 2, 3, 4)]
        settings += [(f"all, strength {strength}", [0, 1, 2, 3], [1, 1, 1, 2], strength) for strength in (np.inf, 1, 0.3, 0.03, 0)]
        for title, chosen, usual, strength in settings:
            kinds = views[chosen]
            of_label = np.where(y == 1, kinds, 1 - kinds)
            p = shares_of(np.maximum(of_label[:, near], 1e-15), strength, usual) @ kinds
            found.append({"setting": title, "table": table, "seed": seed,
                          "auc": roc_auc_score(y[far], p[far]), "log_loss": log_losses(y[far], p[far]).mean(),
                          "validation_auc": roc_auc_score(y[near], p[near]),
                          "validation_log_loss": log_losses(y[near], p[near]).mean()})
    for setting, results in pd.DataFrame(found).groupby("setting", sort=False):
        show(setting, results.drop(columns="setting"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--lambdas", action="store_true", help="five lambdas, and what the rule auto makes of them")
    parser.add_argument("--shares", action="store_true", help="sets of views, and their shares by several rules")
    arguments, options = parser.parse_known_args()
    arguments.options = [word for word in options if word != "--"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if arguments.shares:
            measure_shares(arguments.program, arguments.seeds, folder, arguments.options)
            return
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
