"""What labels of a new place are worth: `adapt` with rows by lot and with the rows that `ask` chooses.

The test rows are cut into halves, by lot: labelled rows come from one, and the other is evaluated. Lines of
docs/results/adapt.jsonl, each the means over the draws of a case:

  labels             how many rows were labelled
  before             AUC and log-loss of the model as trained
  random, ask        the same after `adapt`, and the share of draws in which it changed the answer
  random_sd, ask_sd  standard deviations over the draws of the differences to `before`

With --summary it prints the tables of docs/adapting.md instead. A case whose rows are fewer than three times the labels
is left out.
"""

import argparse
import json
import warnings
from collections import defaultdict

import numpy as np

import tables
from measure import figures
from methods import METHODS, as_text

OURS = ["perpend LIT", "perpend restarts"]
LABELS = [16, 32, 64, 128]
PATH = tables.ROOT / "docs" / "results" / "adapt.jsonl"


def scores(model, X, y):
    of = figures(y, model.predict_proba(X)[:, 1])
    return [of["auc"], of["log_loss"]]


def line_of(model, X, y, labels, draws):
    found = defaultdict(list)
    for draw in range(draws):
        random = np.random.default_rng(1000 + draw)
        rows = random.permutation(len(y))
        pool, others = rows[: len(y) // 2], rows[len(y) // 2 :]
        if len(np.unique(y[others])) < 2:
            continue
        X_others = X.iloc[others]
        found["before"].append(scores(model, X_others, y[others]))
        for name, some in (("random", pool[:labels]), ("ask", pool[model.ask(X.iloc[pool], labels)])):
            there = model.adapt(X.iloc[some], y[some])
            changed = there.reading_.find("do not support") < 0
            found[name].append([*scores(there, X_others, y[others]), changed])
    line = {name: np.mean(values, axis=0).round(6).tolist() for name, values in found.items()}
    for name in ("random", "ask"):
        if found[name]:
            line[f"{name}_sd"] = np.std(np.array(found[name])[:, :2] - found["before"], axis=0).round(6).tolist()
    return line | {"draws": len(found["before"])}


def measure(seeds, draws):
    lines = [json.loads(line) for line in PATH.read_text().splitlines()] if PATH.exists() else []
    done = {(line["seed"], line["table"], line["split"], line["method"]) for line in lines}
    for seed in range(seeds):
        for name, split in tables.cases():
            for method in OURS:
                if (seed, name, split, method) in done:
                    continue
                train, validation, test = tables.parts(name, split, seed)
                model = METHODS[method](train, validation, seed).model
                for labels in LABELS:
                    if labels > len(test.y) / 3:
                        continue
                    case = {"table": name, "split": split, "seed": seed, "method": method, "labels": labels}
                    with PATH.open("a") as file:
                        file.write(json.dumps(case | line_of(model, as_text(test.X), test.y, labels, draws)) + "\n")


def gains(lines, name):
    """Per case, its mean over the seeds and the standard error of it: (AUC, log-loss), larger is better."""
    cases = defaultdict(list)
    for line in lines:
        if line["draws"]:
            cases[line["table"], line["split"]].append(line)
    found = {}
    for case, some in cases.items():
        gain = np.array([[line[name][0] - line["before"][0], line["before"][1] - line[name][1]] for line in some])
        spread = np.array([line[f"{name}_sd"] for line in some]) / np.sqrt([[line["draws"]] for line in some])
        found[case] = gain.mean(axis=0), np.sqrt((spread**2).sum(axis=0)) / len(some)
    return found


def summary():
    lines = [json.loads(line) for line in PATH.read_text().splitlines()]
    print("| method | split | labels | tables | rows | AUC | wins / losses | log-loss | wins / losses |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    losses = defaultdict(list)
    for method in OURS:
        for split in ("random", "extrapolation", "domains"):
            for labels in LABELS:
                some = [x for x in lines if (x["method"], x["split"], x["labels"]) == (method, split, labels)]
                for name in ("random", "ask") if some else ():
                    by_case = gains(some, name)
                    mean = np.array([gain for gain, _ in by_case.values()])
                    error = mean.std(axis=0, ddof=1) / np.sqrt(len(mean)) if len(mean) > 1 else np.zeros(2)
                    z = np.array([gain / np.maximum(own, 1e-12) for gain, own in by_case.values()])
                    cells = [
                        f"{mean[:, i].mean():+.4f} ± {error[i]:.4f} | {(z[:, i] > 2).sum()} / {(z[:, i] < -2).sum()}"
                        for i in (0, 1)
                    ]
                    print(f"| {method} | {split} | {labels} | {len(mean)} | {name} | {' | '.join(cells)} |")
                    for (table, _), (gain, own) in by_case.items():
                        for i, what in enumerate(("AUC", "log-loss")):
                            if gain[i] < -2 * own[i]:
                                losses[f"{method}, {table}, {split}, {what}"].append((gain[i], f"{labels} by {name}"))
    print("\nThese are the losses.\n")
    for case, some in losses.items():
        print(f"- {case}: {min(some)[0]:+.4f} at worst; {', '.join(which for _, which in some)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--summary", action="store_true")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    if asked.summary:
        summary()
    else:
        measure(asked.seeds, asked.draws)


if __name__ == "__main__":
    main()
