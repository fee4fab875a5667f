"""Measures what labels of a new place are worth: `adapt` with random rows and with the rows that `ask` chooses.

The test rows are cut into random halves: labelled rows come from one, and the other is evaluated. LightGBM gets the
same random labelled rows: once its scores are calibrated on them (Platt scaling), and once it is trained again on the
training rows and the labelled rows together (refit). Lines of docs/results/adapt.jsonl are means over the draws:

  labels             how many rows were labelled
  before             AUC and log-loss of the model as trained
  random, ask        the same after `adapt`, and the share of draws in which it changed the answer
  platt, refit       the same for LightGBM
  random_sd, ...     standard deviations over the draws of the differences to `before`

A case with fewer rows than three times the labels is left out. Lines `by` a prototype come from the same rule in
numpy, on the members' answers. They count as done: delete a line to have it measured by the package. With --summary the
script prints the gains of docs/adapting.md instead, and with --beside its comparison with LightGBM.
"""

import argparse
import json
import warnings
from collections import defaultdict
from itertools import product

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

import tables
from measure import figures
from methods import METHODS, as_text

OURS = ["perpend LIT", "perpend restarts"]
PEER = "LightGBM"
REFITS = 4  # each is a training, so there are fewer draws than for the others
LABELS = [16, 32, 64, 128]
WAYS = {method: ("random", "ask") for method in OURS} | {PEER: ("platt", "refit")}
PATH = tables.ROOT / "docs" / "results" / "adapt.jsonl"


def adapted_on(model, X, y, rows):
    there = model.adapt(X.iloc[rows], y[rows])
    changed = "do not support" not in there.reading_
    return lambda some: there.predict_proba(as_text(some))[:, 1], changed


def ways_of_ours(predict, test, labels):
    model, X = predict.model, as_text(test.X)
    return {
        "random": lambda pool: adapted_on(model, X, test.y, pool[:labels]),
        "ask": lambda pool: adapted_on(model, X, test.y, pool[model.ask(X.iloc[pool], labels)]),
    }


def platt(predict, X, y):
    """Platt (1999): a logistic curve of the scores. Its targets avoid 0 and 1, as if each class had one more row."""
    if len(np.unique(y)) < 2:
        return predict, False

    def logits(some):
        p = np.clip(predict(some), 1e-6, 1 - 1e-6)
        return np.log(p / (1 - p))[:, None]

    target = np.where(y == 1, (y.sum() + 1) / (y.sum() + 2), 1 / ((1 - y).sum() + 2))
    curve = LogisticRegression(C=1e6, max_iter=1000).fit(
        np.concatenate([logits(X)] * 2), np.repeat([1, 0], len(y)), np.concatenate([target, 1 - target])
    )
    return lambda some: curve.predict_proba(logits(some))[:, 1], True


def ways_of_peer(predict, train, test, labels, seed):
    def refit(pool):
        rows = pool[:labels]
        together = tables.Rows(pd.concat([train.X, test.X.iloc[rows]]), np.concatenate([train.y, test.y[rows]]))
        return METHODS[PEER](together, None, seed), True

    return {"platt": lambda pool: platt(predict, test.X.iloc[pool[:labels]], test.y[pool[:labels]]), "refit": refit}


def line_of(predict, ways, test, draws):
    """`draws` has the number of draws of each way."""
    before, found = defaultdict(list), defaultdict(list)
    everywhere = predict(test.X)

    def scores(y, p):
        of = figures(y, p)
        return [of["auc"], of["log_loss"]]

    for draw in range(max(draws.values())):
        rows = np.random.default_rng(1000 + draw).permutation(len(test.y))
        pool, others = rows[: len(rows) // 2], rows[len(rows) // 2 :]
        if len(np.unique(test.y[others])) < 2:
            continue
        for name in (name for name, count in draws.items() if draw < count):
            there, changed = ways[name](pool)
            before[name].append(scores(test.y[others], everywhere[others]))
            found[name].append([*scores(test.y[others], there(test.X.iloc[others])), changed])
    line = {"draws": {name: len(values) for name, values in found.items()}}
    for name, values in found.items():
        line[name] = np.mean(values, axis=0).round(6).tolist()
        line[f"{name}_before"] = np.mean(before[name], axis=0).round(6).tolist()
        line[f"{name}_sd"] = np.std(np.array(values)[:, :2] - before[name], axis=0).round(6).tolist()
    return line


def measure(seeds, draws, methods):
    lines = [json.loads(line) for line in PATH.read_text().splitlines()] if PATH.exists() else []
    done = {(line["seed"], line["table"], line["split"], line["method"]) for line in lines}
    for (name, split), seed, method in product(reversed(tables.cases()), range(seeds), methods):
        if (seed, name, split, method) in done:
            continue
        train, validation, test = tables.parts(name, split, seed)
        predict = METHODS[method](train, validation, seed)
        found = []
        for labels in (labels for labels in LABELS if labels <= len(test.y) / 3):
            case = {"table": name, "split": split, "seed": seed, "method": method, "labels": labels}
            ours = method in OURS
            ways = ways_of_ours(predict, test, labels) if ours else ways_of_peer(predict, train, test, labels, seed)
            counts = {way: draws if way != "refit" else min(draws, REFITS) for way in ways}
            found.append(json.dumps(case | line_of(predict, ways, test, counts)) + "\n")
        with PATH.open("a") as file:
            file.writelines(found)


def gains(lines, name):
    """Per case, its mean over the seeds and the mean's standard error: (AUC, log-loss), larger is better."""
    cases = defaultdict(list)
    for line in lines:
        if line["draws"].get(name):
            cases[line["table"], line["split"]].append(line)
    found = {}
    for case, some in cases.items():
        gain = np.array([[line[name][0] - line[f"{name}_before"][0], line[f"{name}_before"][1] - line[name][1]] for line in some])
        spread = np.array([line[f"{name}_sd"] for line in some]) / np.sqrt([[line["draws"][name]] for line in some])
        found[case] = gain.mean(axis=0), np.sqrt((spread**2).sum(axis=0)) / len(some)
    return found


def summary():
    lines = [json.loads(line) for line in PATH.read_text().splitlines()]
    print("| method | split | labels | tables | rows | AUC | wins / losses | log-loss | wins / losses |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    losses = defaultdict(list)
    for method in (*OURS, PEER):
        for split in ("random", "extrapolation", "domains"):
            for labels in LABELS:
                some = [x for x in lines if (x["method"], x["split"], x["labels"]) == (method, split, labels)]
                for name in WAYS[method] if some else ():
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
                                losses[method, table, split, what].append((gain[i], f"{labels} by {name}"))
    print("\n| method | table | split | figure | at worst | labels and rows of each loss |")
    print("| --- | --- | --- | --- | --- | --- |")
    for case, some in losses.items():
        print(f"| {' | '.join(case)} | {min(some)[0]:+.4f} | {', '.join(which for _, which in some)} |")


COLUMNS = [  # of the comparison: title, method, figure
    ("LIT before", "perpend LIT", "random_before"),
    ("LIT adapted", "perpend LIT", "random"),
    ("restarts adapted", "perpend restarts", "random"),
    ("LightGBM before", "LightGBM", "platt_before"),
    ("Platt", "LightGBM", "platt"),
    ("refit", "LightGBM", "refit"),
]


def levels(lines, method, figure, which):
    """The figures of each case's seeds: AUC (which = 0) or log-loss (which = 1)."""
    found = defaultdict(dict)
    for line in lines:
        if line["method"] == method and figure in line:
            found[line["table"], line["split"]][line["seed"]] = line[figure][which]
    return found


def compared(ours, theirs, sign):
    """The numbers of tables that we win and lose by more than two standard errors over paired seeds."""
    counts = [0, 0]
    for case in ours.keys() & theirs.keys():
        seeds = sorted(ours[case].keys() & theirs[case].keys())
        lead = sign * np.array([ours[case][seed] - theirs[case][seed] for seed in seeds])
        noise = 2 * lead.std(ddof=1) / np.sqrt(len(seeds)) if len(seeds) > 1 else np.inf
        counts[0] += lead.mean() > noise
        counts[1] += lead.mean() < -noise
    return f"{counts[0]} / {counts[1]}"


def beside():
    lines = [json.loads(line) for line in PATH.read_text().splitlines()]
    rivals = [column for column in COLUMNS if column[2] in ("platt", "refit") or column[0] == "restarts adapted"]
    titles = [title for title, _, _ in COLUMNS] + [f"against {title}" for title, _, _ in rivals]
    print(f"| split | labels | tables | {' | '.join(titles)} |")
    print("| --- " * (3 + len(titles)) + "|")
    for which, what in enumerate(("AUC", "log-loss")):
        for split, labels in product(("random", "extrapolation", "domains"), LABELS):
            some = [x for x in lines if (x["split"], x["labels"]) == (split, labels)]
            of = {title: levels(some, method, figure, which) for title, method, figure in COLUMNS}
            cases = set.intersection(*(set(cases) for cases in of.values()))
            if not cases:
                continue
            cells = [f"{np.mean([np.mean(list(cases_of[case].values())) for case in cases]):.3f}" for cases_of in of.values()]
            cells += [compared(of["LIT adapted"], of[title], 1 - 2 * which) for title, _, _ in rivals]
            print(f"| {split}, {what} | {labels} | {len(cases)} | {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--methods", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--beside", action="store_true")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    if asked.summary:
        summary()
    elif asked.beside:
        beside()
    else:
        measure(asked.seeds, asked.draws, asked.methods)


if __name__ == "__main__":
    main()
