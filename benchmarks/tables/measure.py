"""Measures the methods on the tables: one line of JSON for each table, split, seed and method.

Lines are appended to the results file. What the file has is not measured again, so the same command resumes. A fit
that takes more than --limit processor seconds is a line as well, with the limit instead of figures. With --steps the
methods are the steps from the paper's network to perpend's defaults.
"""

import argparse
import json
import logging
import pathlib
import signal
import sys
import time
import warnings

import numpy as np
from sklearn.metrics import log_loss, roc_auc_score

import tables
from methods import METHODS, MOST_ROWS, OURS, STEPS, perpend


def calibration_error(y, p, bins=15):
    """Uses equal-width bins of the probability of class 1, as perpend/evaluate/metrics.h does."""
    own = np.minimum((p * bins).astype(int), bins - 1)
    return sum(abs(np.sum(p[own == b]) - np.sum(y[own == b])) for b in range(bins)) / len(y)


def figures(y, p):
    """The figures of probabilities of class 1."""
    found = {
        "auc": roc_auc_score(y, p),
        "log_loss": log_loss(y, np.clip(p, 1e-15, 1 - 1e-15)),
        "ece": calibration_error(y, p),
        "accuracy": np.mean((p > 0.5) == y),
    }
    return {name: round(float(value), 6) for name, value in found.items()}


def overtime(signum, frame):
    raise TimeoutError


def measure(fit, train, validation, test, seed, limit):
    signal.signal(signal.SIGPROF, overtime)
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        start = time.process_time()
        predict = fit(train, validation, seed)
        seconds = time.process_time() - start
    except TimeoutError:
        return {"over_seconds": limit}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return figures(test.y, np.asarray(predict(test.X), dtype=float)) | {"seconds": round(seconds, 6)}


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", action="store_true", help="the steps, into steps.jsonl")
    parser.add_argument("--results", type=pathlib.Path, help="docs/results/tables.jsonl or steps.jsonl unless given")
    known = METHODS | STEPS
    parser.add_argument("--methods", nargs="+", choices=known, metavar="NAME", help=", ".join(known))
    names = [name for name, _ in tables.cases()]
    parser.add_argument("--tables", nargs="+", choices=names, default=names, metavar="NAME")
    parser.add_argument("--seeds", type=int, default=5, help="seeds 0 to this number minus one")
    parser.add_argument("--limit", type=int, default=1800, help="processor seconds that one fit may take")
    asked = parser.parse_args()
    asked.results = asked.results or tables.ROOT / "docs" / "results" / ("steps.jsonl" if asked.steps else "tables.jsonl")
    asked.methods = asked.methods or (STEPS if asked.steps else METHODS)
    return asked


def jobs(asked):
    """(seed, table, split, methods to measure). Seeds come first, so that a run that is cut short has whole seeds."""
    lines = map(json.loads, asked.results.read_text().splitlines()) if asked.results.exists() else []
    done = {(line["seed"], line["table"], line["split"], line["method"]) for line in lines}
    methods = [method for method in asked.methods if perpend or method not in OURS]
    if len(methods) < len(asked.methods):
        print("perpend is left out, because its package is not installed", file=sys.stderr)
    for seed in range(asked.seeds):
        for name, split in tables.cases():
            left = [method for method in methods if (seed, name, split, method) not in done]
            if left and name in asked.tables:
                yield seed, name, split, left


def main():
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    asked, failures = options(), 0
    asked.results.parent.mkdir(parents=True, exist_ok=True)
    for seed, name, split, methods in jobs(asked):
        train, validation, test = tables.parts(name, split, seed)
        for method in methods:
            if len(train.y) >= MOST_ROWS.get(method, len(train.y) + 1):
                continue
            line = {"table": name, "split": split, "seed": seed, "method": method}
            try:
                line |= measure((METHODS | STEPS)[method], train, validation, test, seed, asked.limit)
            except Exception as error:  # one fit that fails must not end a long run
                print(f"{name}, {split}, seed {seed}, {method}: {type(error).__name__}: {error}", file=sys.stderr)
                failures += 1
            else:
                with asked.results.open("a") as file:
                    file.write(json.dumps(line) + "\n")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
