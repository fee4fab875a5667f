"""Measures what each view adds, from one training per table, split, seed and method.

The members of LITClassifier() and RestartClassifier() answer one by one. Every set of views is combined from
their answers by the rule of the program (perpend/run/view_weights.h, on the validation rows). So the networks of a set
were trained together with the others. Lines of docs/results/views.jsonl:

  views        the set. auc, log_loss and ece are those of the test rows
  spotted      how well disagreement tells test rows from validation rows (AUROC): between all members of the set, and
               between the means of its views
  kept_errors  the share of errors among the half of the test rows that is kept by the smaller disagreement of either
               kind, or by the ensemble's own doubt

The set of all views also has adapt_before and adapt_after, the AUC and log-loss of the other test rows before and
after `adapt` with 64 of them. The ensemble's own figures go to docs/results/tables.jsonl as lines of measure.py do.
"""

import argparse
import json
import time
import warnings
from itertools import combinations

import numpy as np
from sklearn.metrics import roc_auc_score

import tables
from measure import figures
from methods import METHODS, as_text

OURS = ["perpend LIT", "perpend restarts"]
VIEWS = ["linear", "piecewise", "logistic", "trees"]
STRENGTH, TREES_COUNT_AS = 0.1, 2  # as in perpend/run/view_weights.h
LABELS = 64
RESULTS = tables.ROOT / "docs" / "results"


def shares_of(of_label, usual):
    shares = usual.copy()
    for _ in range(500):
        credit = shares[:, None] * of_label
        before, shares = shares, ((credit / credit.sum(axis=0)).mean(axis=1) + STRENGTH * usual) / (1 + STRENGTH)
        if np.abs(shares - before).max() < 1e-6:
            break
    return shares


def ensemble_of(kinds, near, y_near, far):
    """Probabilities of the test rows: means over each view's members, weighted by the shares from the validation rows."""
    usual = np.array([TREES_COUNT_AS if kind == "trees" else 1.0 for kind in kinds])
    mean = {part: np.stack([members[kind].mean(axis=0) for kind in kinds]) for part, members in (("near", near), ("far", far))}
    of_label = np.maximum(np.where(y_near == 1, mean["near"], 1 - mean["near"]), 1e-15)
    return shares_of(of_label, usual / usual.sum()) @ mean["far"]


def spread(members, kinds, by_view):
    rows = [members[kind].mean(axis=0, keepdims=True) if by_view else members[kind] for kind in kinds]
    return np.concatenate(rows).std(axis=0)


def kept_errors(uncertainty, wrong):
    order = np.argsort(uncertainty, kind="stable")
    return float(wrong[order[: len(order) // 2]].mean())


def line_of(kinds, near, y_near, far, y_far):
    p = ensemble_of(kinds, near, y_near, far)
    wrong = (p > 0.5) != y_far
    line = {"views": "+".join(kinds)} | figures(y_far, p)
    line["kept_errors_doubt"] = kept_errors(-np.abs(p - 0.5), wrong)
    is_far = np.r_[np.zeros(len(y_near)), np.ones(len(y_far))]
    for name, by_view in (("members", False), ("views", True)):
        there, here = spread(far, kinds, by_view), spread(near, kinds, by_view)
        if there.any():
            line[f"spotted_{name}"] = roc_auc_score(is_far, np.r_[here, there])
            line[f"kept_errors_{name}"] = kept_errors(there, wrong)
    return line


def adapted(model, test, seed):
    drawn = np.random.default_rng(1000 + seed).permutation(len(test.y))
    some, others = drawn[:LABELS], drawn[LABELS:]
    if len(np.unique(test.y[some])) < 2 or len(np.unique(test.y[others])) < 2:
        return {}
    after = model.adapt(as_text(test.X.iloc[some]), test.y[some])
    found = {}
    for name, one in (("before", model), ("after", after)):
        of = figures(test.y[others], one.predict_proba(as_text(test.X.iloc[others]))[:, 1])
        found |= {f"adapt_{name}_auc": of["auc"], f"adapt_{name}_log_loss": of["log_loss"]}
    return found


def by_view(model, X):
    probabilities = np.stack([p[:, 1] for p in model.predict_proba_members(as_text(X))])
    views = np.array(model.views_)
    return {kind: probabilities[views == kind] for kind in VIEWS if (views == kind).any()}


def append(path, lines):
    with path.open("a") as file:
        file.writelines(json.dumps({k: round(v, 6) if isinstance(v, float) else v for k, v in line.items()}) + "\n" for line in lines)


def measure(name, split, seed, method):
    train, validation, test = tables.parts(name, split, seed)
    case = {"table": name, "split": split, "seed": seed, "method": method}
    start = time.process_time()
    predict = METHODS[method](train, validation, seed)
    seconds = round(time.process_time() - start, 6)
    near, far = by_view(predict.model, validation.X), by_view(predict.model, test.X)
    kinds = list(near)
    sets = [list(some) for size in range(1, len(kinds) + 1) for some in combinations(kinds, size)]
    lines = [case | line_of(some, near, validation.y, far, test.y) for some in sets]
    lines[-1] |= adapted(predict.model, test, seed)
    append(RESULTS / "views.jsonl", lines)
    append(RESULTS / "tables.jsonl", [case | figures(test.y, predict(test.X)) | {"seconds": seconds}])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--tables", nargs="+", metavar="NAME")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    path = RESULTS / "tables.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    done = {(line["seed"], line["table"], line["split"], line["method"]) for line in lines}
    for seed in range(asked.seeds):
        for name, split in tables.cases():
            for method in OURS:
                wanted = not asked.tables or name in asked.tables
                if wanted and (seed, name, split, method) not in done:
                    measure(name, split, seed, method)


if __name__ == "__main__":
    main()
