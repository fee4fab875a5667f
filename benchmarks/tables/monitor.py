"""Measures how often monitor raises an alarm: on like rows, where it should not, and on rows of another place, where it should.

A default LITClassifier is trained on three quarters of a table's rows at home. The last quarter are the like rows, which
the model has never seen. The rows away are those of the test domains (in the paper's tables, those far from the training
rows). 50 and 200 rows of each kind are drawn many times. monitor is compared with two tests that need the rows at home
themselves:

  columns   each column by Kolmogorov-Smirnov or chi-square, Bonferroni over the columns
  LightGBM  LightGBM tells at most 1,000 rows at home from the new ones, each half scored by a model of the other half;
            the p-value is that of Wilcoxon's rank-sum test of these scores

Lines of docs/results/monitor.jsonl: table, split, seed, rows drawn, like or away, test, draws, and how many of them had a
p-value below 0.01 and 0.05. What the file has is not measured again. --show prints the tables of docs/monitoring.md.
"""

import argparse
import json
import time
import warnings
from collections import defaultdict

import numpy as np
from scipy import stats

import tables

RESULTS = tables.ROOT / "docs" / "results" / "monitor.jsonl"
SIZES = [50, 200]
DRAWS = {"like": 7, "away": 4}
LEVELS = [0.01, 0.05]
MOST_AT_HOME = 1000


def cases():
    return [(name, split) for name, split in tables.cases() if split != "random"]


def as_text(X):
    words = X.select_dtypes("category").columns
    return X.assign(**{c: X[c].astype(object).where(X[c].notna(), np.nan) for c in words})


def by_monitor(model, home, new):
    return model.monitor(as_text(new)).p_value


def by_columns(model, home, new):
    least = 1.0
    for column in home:
        here, there = new[column], home[column]
        if here.dtype == "category":
            levels = sorted(set(here.dropna()) | set(there.dropna()))
            table = np.array([[*((side == level).sum() for level in levels), side.isna().sum()] for side in (here, there)])
            table = table[:, table.sum(axis=0) > 0]
            if table.shape[1] > 1:
                least = min(least, stats.chi2_contingency(table).pvalue)
        elif here.notna().any() and there.notna().any():
            least = min(least, stats.ks_2samp(here.dropna(), there.dropna()).pvalue)
    return min(1.0, least * home.shape[1])


def by_lightgbm(model, home, new):
    import pandas as pd
    from lightgbm import LGBMClassifier

    home = home.sample(min(len(home), MOST_AT_HOME), random_state=0)
    rows = pd.concat([home, new], ignore_index=True)
    is_new = np.r_[np.zeros(len(home)), np.ones(len(new))]
    order = np.random.default_rng(0).permutation(len(rows))
    halves = [order[::2], order[1::2]]
    p = []
    for fit, judged in (halves, halves[::-1]):
        told = LGBMClassifier(n_jobs=1, verbose=-1, n_estimators=50).fit(rows.iloc[fit], is_new[fit])
        scores = told.predict_proba(rows.iloc[judged])[:, 1]
        p.append(stats.mannwhitneyu(scores[is_new[judged] == 1], scores[is_new[judged] == 0], alternative="greater").pvalue)
    return min(1.0, 2 * min(p))


TESTS = {"monitor": by_monitor, "columns": by_columns, "LightGBM": by_lightgbm}


def measure(name, split, seed):
    import perpend

    train, _, away = tables.parts(name, split, seed)
    at_home, like = tables.stratified_cut(np.arange(len(train.y)), train.y, np.random.default_rng(100 + seed))
    home = train.X.iloc[at_home].reset_index(drop=True)
    options = {"missing": "indicator"} if train.X.isna().any(axis=None) else {}
    model = perpend.LITClassifier(n_jobs=1, random_state=seed, **options).fit(as_text(home), train.y[at_home])
    random = np.random.default_rng(seed)
    for kind, rows in (("like", train.X.iloc[like]), ("away", away.X)):
        for size in SIZES:
            if size > len(rows):
                continue
            drawn = [rows.iloc[random.permutation(len(rows))[:size]] for _ in range(DRAWS[kind])]
            for test, function in TESTS.items():
                start = time.process_time()
                p = np.array([function(model, home, new) for new in drawn])
                seconds = (time.process_time() - start) / len(drawn)
                line = {"table": name, "split": split, "seed": seed, "rows": size, "kind": kind, "test": test, "draws": len(p)}
                line |= {f"below_{level}": int((p < level).sum()) for level in LEVELS} | {"seconds": round(seconds, 4)}
                with RESULTS.open("a") as file:
                    file.write(json.dumps(line) + "\n")


def show():
    lines = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    seeds = len({line["seed"] for line in lines})
    print(f"{seeds} seeds, {len({line['table'] for line in lines})} tables\n")
    for kind, title in (("like", "False alarms on like rows"), ("away", "Alarms on rows away")):
        print(f"{title}\n\n| rows | test | draws | below 0.01 | below 0.05 |\n|---|---|---|---|---|")
        for size in SIZES:
            for test in TESTS:
                own = [line for line in lines if (line["kind"], line["rows"], line["test"]) == (kind, size, test)]
                draws = sum(line["draws"] for line in own)
                shares = [sum(line[f"below_{level}"] for line in own) / max(draws, 1) for level in LEVELS]
                print(f"| {size} | {test} | {draws} | " + " | ".join(f"{100 * share:.1f} %" for share in shares) + " |")
        print()
    print("Alarms (below 0.01) on 50 rows away, by table\n\n| table | " + " | ".join(TESTS) + " |\n|---|" + "---|" * len(TESTS))
    by_table = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for line in lines:
        if line["kind"] == "away" and line["rows"] == 50:
            found = by_table[line["table"]][line["test"]]
            found[0] += line["below_0.01"]
            found[1] += line["draws"]
    for name, tests in by_table.items():
        print(f"| {name} | " + " | ".join(f"{100 * tests[t][0] / tests[t][1]:.0f} %" for t in TESTS) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    if asked.show:
        return show()
    lines = [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []
    done = {(line["table"], line["seed"]) for line in lines}
    for seed in range(asked.seeds):
        for name, split in cases():
            if (name, seed) not in done:
                measure(name, split, seed)


if __name__ == "__main__":
    main()
