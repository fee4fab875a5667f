#!/usr/bin/env python3
"""Measures whom to trust (docs/trusting.md): expected performance, abstaining and prediction sets, at home and away.

There is one LIT ensemble with default options per table, split and seed. Half of the validation rows are the model's own: they stop
the training, and the model remembers them. The other half are like rows that it never saw ("home"). The test rows are
"away" (in the split `random` they are like rows, too). A line of JSON per table, split and seed goes to the results file,
which the same command resumes; --show prints the tables of the page.

    python3 -m pip install perpend numpy pandas scikit-learn scipy
    benchmarks/tables/trust.py --seeds 5      measures
    benchmarks/tables/trust.py --show         prints

--show judges the expected performance table by table: the numbers of perpend/evaluate/expected.cpp are fitted again on
the other tables.
"""

import argparse
import json
import pathlib

import numpy as np

import tables

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "results" / "trust.jsonl"
COVERAGES = (0.2, 0.5, 0.8)
PROMISES = (0.05, 0.1)
METRICS = {"accuracy": -1, "auc": -1, "log_loss": 1}


def as_text(X):
    words = X.select_dtypes("category").columns
    return X.assign(**{c: X[c].astype(object).where(X[c].notna(), np.nan) for c in words})


def area(signal, wrong):
    """Area under risk against coverage."""
    return float((np.cumsum(wrong[np.argsort(signal, kind="stable")]) / np.arange(1, len(wrong) + 1)).mean())


def risk(signal, wrong, coverage):
    count = max(1, round(coverage * len(wrong)))
    return float(wrong[np.argsort(signal, kind="stable")[:count]].mean())


def judge(model, rows):
    """The answers of the model to labelled rows, with the truth."""
    from sklearn.metrics import log_loss, roc_auc_score

    X, y = as_text(rows.X), rows.y
    p = model.predict_proba(X)
    wrong = (p.argmax(axis=1) != y).astype(float)
    truth = {"accuracy": float(1 - wrong.mean()), "log_loss": float(log_loss(y, np.clip(p[:, 1], 1e-15, 1 - 1e-15), labels=[0, 1]))}
    truth["auc"] = float(roc_auc_score(y, p[:, 1])) if len(set(y)) == 2 else None
    signals = {"doubt": 1 - p.max(axis=1), "disagreement": model.disagreement(X)}
    signals |= {"chosen": signals[model.abstain_rule(0.05)["signal"]], "entropy": sum(model.uncertainty(X).values())}
    signals["knowledge"] = model.uncertainty(X)["knowledge"]
    record = {"rows": len(y), "truth": truth, "expected": model.expected_performance(X)}
    record["confidence"] = float(p.max(axis=1).mean())
    record["areas"] = {name: area(s, wrong) for name, s in signals.items()}
    record["risks"] = {name: [risk(s, wrong, c) for c in COVERAGES] for name, s in signals.items()}
    record["promises"] = {}
    for most in PROMISES:
        answered = ~model.abstains(X, f"error={most}")
        record["promises"][str(most)] = [int(answered.sum()), int(wrong[answered].sum())]
    for name, shifted in (("sets", False), ("shifted_sets", True)):
        found = model.predict_set(X, 0.9, shifted)
        holds = found[np.arange(len(y)), y]
        record[name] = {
            "coverage": float(holds.mean()),
            "size": float(found.sum(axis=1).mean()),
            "empty": float((~found.any(axis=1)).mean()),
            "of_classes": [float(holds[y == k].mean()) if (y == k).any() else None for k in (0, 1)],
        }
    return record


def measure(name, split, seed):
    import perpend

    train, validation, test = tables.parts(name, split, seed)
    order = np.random.default_rng(1000 + seed).permutation(len(validation.y))
    half = len(order) // 2
    own, home = (tables.Rows(validation.X.iloc[part].reset_index(drop=True), validation.y[part]) for part in (order[:half], order[half:]))
    gaps = train.X.isna().any(axis=None) or own.X.isna().any(axis=None)
    model = perpend.LITClassifier(n_jobs=1, random_state=seed, missing="indicator" if gaps else "auto")
    model.fit(as_text(train.X), train.y, eval_set=(as_text(own.X), own.y))
    record = {"table": name, "split": split, "seed": seed, "signal": model.abstain_rule(0.05)["signal"]}
    return record | {"home": judge(model, home), "away": judge(model, test)}


def key(record):
    return record["table"], record["split"], record["seed"]


def read():
    return [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []


def mean_over_cases(records, value):
    """Mean over cases of the mean over seeds."""
    cases = {}
    for record in records:
        found = value(record)
        if found is not None:
            cases.setdefault(key(record)[:2], []).append(found)
    return float(np.mean([np.mean(values) for values in cases.values()]))


def found_anew(records, metric):
    """Per record (estimate, half width): coefficients and width are those of the other tables."""
    from scipy.optimize import nnls

    sign = METRICS[metric]
    least, most = (0, np.inf) if metric == "log_loss" else (0.5, 1)
    known = [r for r in records if r["away"]["truth"][metric] is not None and r["away"]["expected"]["home"][metric] is not None]
    weights = np.array([1 / sum(key(o)[:2] == key(r)[:2] for o in known) for r in known])
    shift = np.array([[r["away"]["expected"]["more_disagreement"], r["away"]["expected"]["moved"]] for r in known])
    home = np.array([r["away"]["expected"]["home"][metric] for r in known])
    truth = np.array([r["away"]["truth"][metric] for r in known])
    names = np.array([r["table"] for r in known])
    noise = np.array([noise_of(r, metric) for r in known])
    out = {}
    for name in [*np.unique(names), None]:
        others = names != name
        root = np.sqrt(weights[others])
        by, _ = nnls(shift[others] * root[:, None], sign * (truth - home)[others] * root)
        change = shift @ by
        estimate = np.clip(home + sign * change, least, most)
        off = np.abs(truth - estimate) / np.sqrt(noise**2 + change**2)
        order = np.argsort(off[others])
        reached = np.searchsorted(np.cumsum(weights[others][order]) / weights[others].sum(), 0.9)
        q = off[others][order][min(reached, len(order) - 1)]
        if name is None:
            print(f"{metric}: d {sign * by[0]:.2f}, k {sign * by[1]:.2f}, q {q:.2f}")
        for i in np.flatnonzero(names == name):
            out[key(known[i])] = float(estimate[i]), float(q * np.hypot(noise[i], change[i]))
    return out


def noise_of(record, metric):
    """The standard error due to the numbers of rows, from the interval that perpend/evaluate/expected.cpp computes."""
    expected = record["away"]["expected"]
    d, k, q = {"accuracy": (-2.1, -0.3, 2.0), "auc": (-1.8, -0.1, 2.0), "log_loss": (3.8, 0.6, 2.5)}[metric]
    e = expected[metric]
    change = d * expected["more_disagreement"] + k * expected["moved"]
    half = max(e["high"] - e["mid"], e["mid"] - e["low"]) / q
    return float(np.sqrt(max(half**2 - change**2, 1e-6)))


def table(head, lines):
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for line in lines:
        print("| " + " | ".join(cell if isinstance(cell, str) else f"{cell:.3f}" for cell in line) + " |")
    print()


def show():
    records = read()
    splits = ("random", "extrapolation", "domains")
    groups = {**{s: [r for r in records if r["split"] == s] for s in splits}, "all 21": records}
    groups = {name: group for name, group in groups.items() if group}
    for metric in METRICS:
        anew = found_anew(records, metric)
        ways = {"as at home": lambda r: r["away"]["expected"]["home"][metric]}
        if metric == "accuracy":
            ways["average confidence"] = lambda r: r["away"]["confidence"]
        ways["expected, from other tables"] = lambda r: anew[key(r)][0] if key(r) in anew else None
        ways["expected, as built"] = lambda r: r["away"]["expected"][metric] and r["away"]["expected"][metric]["mid"]

        def off(way):
            def of(r):
                value, truth = way(r), r["away"]["truth"][metric]
                return None if value is None or truth is None else abs(value - truth)

            return of

        def held(r):
            return abs(anew[key(r)][0] - r["away"]["truth"][metric]) <= anew[key(r)][1] if key(r) in anew else None

        table([f"{metric}: absolute error", *groups], [[name, *(mean_over_cases(g, off(way)) for g in groups.values())] for name, way in ways.items()]
              + [["share within the interval", *(mean_over_cases(g, held) for g in groups.values())],
                 ["its half width", *(mean_over_cases(g, lambda r: anew[key(r)][1] if key(r) in anew else None) for g in groups.values())]])
        cases = sorted({key(r)[:2] for r in records})
        lines = []
        for case in cases:
            own = [r for r in records if key(r)[:2] == case]
            lines.append([" ".join(case), *(mean_over_cases(own, off(way)) for way in ways.values())])
        table([metric, *ways], lines)
    for where in ("home", "away"):
        names = list(records[0][where]["areas"])
        table([f"{where}: area under risk-coverage", *groups],
              [[n, *(mean_over_cases(g, lambda r: r[where]["areas"][n]) for g in groups.values())] for n in names])
    cases = sorted({key(r)[:2] for r in records})
    lines = []
    for case in cases:
        own = [r for r in records if key(r)[:2] == case]
        chosen = sum(r["signal"] == "disagreement" for r in own)
        lines.append([" ".join(case), *(mean_over_cases(own, lambda r: r["away"]["risks"][s][i]) for s in ("doubt", "disagreement") for i in range(3)),
                      f"{chosen} of {len(own)}"])
    table(["away: errors at 20, 50, 80 %", "doubt 20", "50", "80", "disagreement 20", "50", "80", "disagreement chosen"], lines)
    for most in map(str, PROMISES):
        lines = []
        for name, group in groups.items():
            row = [name]
            for where in ("home", "away"):
                answered = mean_over_cases(group, lambda r: r[where]["promises"][most][0] / r[where]["rows"])
                errors = [r[where]["promises"][most] for r in group if r[where]["promises"][most][0] > 0]
                rate = np.mean([wrong / count for count, wrong in errors]) if errors else float("nan")
                broken = sum(wrong > float(most) * count for count, wrong in errors)
                row += [answered, float(rate), f"{broken} of {len(errors)}"]
            lines.append(row)
        table([f"error={most}", "home: answered", "errors", "above", "away: answered", "errors", "above"], lines)
    lines = []
    for case in cases:
        own = [r for r in records if key(r)[:2] == case]
        lines.append([" ".join(case), *(mean_over_cases(own, lambda r: r[w][s][v]) for w, s in (("home", "sets"), ("away", "sets"), ("away", "shifted_sets")) for v in ("coverage", "size"))])
    sixteen = [r for r in records if r["split"] != "extrapolation"]
    for name, group in {**groups, "the sixteen tables": sixteen}.items():
        lines.append([name, *(mean_over_cases(group, lambda r: r[w][s][v]) for w, s in (("home", "sets"), ("away", "sets"), ("away", "shifted_sets")) for v in ("coverage", "size"))])
    table(["sets at 90 %", "home", "size", "away", "size", "away, shifted", "size"], lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    if arguments.show:
        return show()
    done = {key(record) for record in read()}
    for seed in range(arguments.seeds):
        for name, split in tables.cases():
            if (name, split, seed) in done:
                continue
            record = measure(name, split, seed)
            with RESULTS.open("a") as file:
                file.write(json.dumps(record) + "\n")
            print(name, split, seed, flush=True)


if __name__ == "__main__":
    main()
