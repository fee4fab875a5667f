#!/usr/bin/env python3
"""Tables whose target is a number: LITRegressor() compared with common regressors.

    benchmarks/tables/regression.py [--seeds 5] [--tables NAME...]

Each line of docs/results/regression.jsonl is one fit. What the file has is not measured again, so the same command
resumes. At the end the tables of docs/benchmarks.md are printed.

All models learn from the same training rows and answer the same test rows. The splits are those of perpend.splits:
"random", and "far", which tests on other domains where the table has some and extrapolates where it has none. The
validation rows of a split are not used: LITRegressor() holds out rows of its own among the training rows.
"""

import argparse
import json
import time
import warnings
from typing import NamedTuple, Optional

import numpy as np
import pandas as pd
import perpend
from lightgbm import LGBMRegressor
from sklearn.compose import make_column_transformer
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from tables import FOLDER, ROOT, test_domains

RESULTS = ROOT / "docs" / "results" / "regression.jsonl"
OURS = "perpend LIT"
PENALTIES = np.logspace(-3, 4, 15)  # RidgeCV chooses from these


class Numbers(NamedTuple):
    X: pd.DataFrame
    y: np.ndarray
    domains: Optional[np.ndarray] = None
    tests: tuple = ()  # the domains that test


# --- tables --------------------------------------------------------------------------------------------------------


def housing(rows=8000):
    """Generated in the style of the California housing table: towns make prices high around them, prices have a heavy right
    tail and are cut off at 5. The table is the same for all seeds."""
    draw = np.random.default_rng(2024)
    towns = draw.uniform([0, 0], [10, 10], size=(8, 2))
    near = draw.integers(0, 16, rows)  # half of the blocks are around a town, the others anywhere
    place = np.where(near[:, None] < 8, towns[near % 8] + draw.normal(0, 0.7, (rows, 2)), draw.uniform(0, 10, (rows, 2)))
    distance = np.linalg.norm(place[:, None] - towns, axis=2)
    town = (np.linspace(0.4, 1.2, 8) * np.exp(-((distance / 1.2) ** 2))).sum(axis=1)
    income = draw.lognormal(1.2, 0.45, rows) * (1 + 0.2 * town)
    age = np.minimum(draw.gamma(4, 7, rows), 52)
    rooms = 3 + 0.5 * income + draw.normal(0, 0.8, rows)
    bedrooms = 0.2 * rooms + draw.normal(0, 0.1, rows)
    people = draw.lognormal(7, 0.7, rows)
    household = draw.lognormal(1.0, 0.25, rows)
    price = -0.6 + 0.33 * np.log(income) + 0.9 * town + 0.006 * age * town - 0.35 * np.log(household)
    price += 0.1 * np.log(rooms / bedrooms.clip(0.2)) + draw.normal(0, 0.25, rows)
    names = ["income", "age", "rooms", "bedrooms", "people", "household", "north", "west"]
    cells = np.column_stack([income, age, rooms, bedrooms, people, household, place])
    return Numbers(pd.DataFrame(cells, columns=names), np.minimum(np.exp(price), 5))


def friedman(rows=2000):
    """Friedman's first problem (1991), which is generated: ten columns, five of which matter."""
    draw = np.random.default_rng(1991)
    X = draw.random((rows, 10))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]
    return Numbers(pd.DataFrame(X).add_prefix("x"), y + draw.normal(size=rows))


def from_file(file, target, drop=(), every=1):
    frame = pd.read_csv(FOLDER / file, keep_default_na=False, na_values=[""]).iloc[::every].reset_index(drop=True)
    frame = frame.drop(columns=["target", *drop])
    domains = frame.pop("domain").astype(str).to_numpy() if "domain" in frame else None
    y = frame.pop(target).to_numpy(float)
    for column, cells in list(frame.items()):
        frame[column] = cells.astype(float) if cells.dtype.kind in "if" else cells.astype("category")
    name = file.removeprefix("shift/").removesuffix(".csv")
    return Numbers(frame, y, domains, tuple(test_domains().get(name, ())))


TABLES = {
    "housing": housing,
    "friedman1": friedman,
    "wine, alcohol": lambda: from_file("shift/wine.csv", "alcohol"),
    "bike, temperature": lambda: from_file("shift/bike_hour.csv", "temp", ["feelingTemp"], every=3),
    "communities, unemployed": lambda: from_file("shift/communities_crime.csv", "PctUnemployed"),
    "student, absences": lambda: from_file("shift/student_por.csv", "absences"),
    "electricity, demand": lambda: from_file("electricity.csv", "nswdemand", every=6),
}


def parts(table, split, seed):
    """Row numbers (train, test)."""
    if split == "random":
        train, _, test = perpend.splits.RandomSplit(random_state=seed).parts(table.X, table.y)
    elif table.domains is None:
        train, _, test = perpend.splits.ExtrapolationSplit(random_state=seed).parts(table.X, table.y)
    else:
        X = table.X.assign(domain=table.domains)
        train, _, test = perpend.splits.DomainSplit("domain", table.tests, random_state=seed).parts(X, table.y)
    return train, test


# --- models --------------------------------------------------------------------------------------------------------


def words(X):
    return list(X.select_dtypes("category").columns)


def as_text(X):
    return X.astype({name: object for name in words(X)})


def coded(model, for_numbers, X):
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    numbers = [name for name in X if name not in words(X)]
    filled = make_pipeline(SimpleImputer(strategy="mean", keep_empty_features=True), for_numbers)
    return make_pipeline(make_column_transformer((filled, numbers), (one_hot, words(X))), model)


# name -> (X, seed) -> an estimator, and the function that prepares X for it
MODELS = {
    OURS: lambda X, seed: (perpend.LITRegressor(random_state=seed, n_jobs=1), as_text),
    "ridge": lambda X, seed: (coded(RidgeCV(PENALTIES), StandardScaler(), X), as_text),
    "extra trees": lambda X, seed: (coded(ExtraTreesRegressor(random_state=seed, n_jobs=1), "passthrough", X), as_text),
    "random forest": lambda X, seed: (coded(RandomForestRegressor(random_state=seed, n_jobs=1), "passthrough", X), as_text),
    "LightGBM": lambda X, seed: (LGBMRegressor(random_state=seed, n_jobs=1, verbose=-1), lambda X: X),
}


def measure(table, split, seed, model):
    train, test = parts(table, split, seed)
    estimator, given = MODELS[model](table.X, seed)
    start = time.process_time()
    estimator.fit(given(table.X.iloc[train]), table.y[train])
    seconds = time.process_time() - start
    y = table.y[test]
    squares = np.mean((estimator.predict(given(table.X.iloc[test])) - y) ** 2)
    found = {"rmse": np.sqrt(squares), "r2": 1 - squares / np.var(y), "seconds": seconds}
    return {name: round(float(value), 6) for name, value in found.items()}


# --- tables of the page --------------------------------------------------------------------------------------------


def standard_error(values):
    return np.std(values, ddof=1) / np.sqrt(len(values))


def by_case(lines):
    """(split, table) -> model -> seed -> line, in the order of this file."""
    cases = {(split, name): {} for split in ("random", "far") for name in TABLES}
    for line in lines:
        cases[line["split"], line["table"]].setdefault(line["model"], {})[line["seed"]] = line
    return {case: models for case, models in cases.items() if len(models) == len(MODELS)}


def figures(cases, metric, digits):
    rows = [f"| {metric}: table, split | " + " | ".join(MODELS) + " |", "| --- " * (len(MODELS) + 1) + "|"]
    for (split, name), models in cases.items():
        values = {model: [line[metric.lower().replace("²", "2")] for line in models[model].values()] for model in MODELS}
        cells = [f"{np.mean(v):.{digits}f} ± {standard_error(v):.{digits}f}" for v in values.values()]
        rows.append(f"| {name}, {split} | " + " | ".join(cells) + " |")
    return rows


def comparisons(cases):
    """Wins, losses and ties per rival, paired by seed, and the losses by name."""
    counts = {(rival, split): [0, 0, 0] for rival in MODELS if rival != OURS for split in ("random", "far")}
    losses = []
    for (split, name), models in cases.items():
        for rival in (model for model in MODELS if model != OURS):
            seeds = sorted(models[OURS].keys() & models[rival].keys())
            ours, theirs = (np.array([models[m][s]["rmse"] for s in seeds]) for m in (OURS, rival))
            mean, noise = np.mean(ours - theirs), 2 * standard_error(ours - theirs)
            outcome = 2 if abs(mean) <= noise else int(mean > 0)
            counts[rival, split][outcome] += 1
            if outcome == 1:
                more = 100 * mean / theirs.mean()
                losses.append(f"- **{name}, {split}**: {rival} {theirs.mean():.4g}, {OURS} {ours.mean():.4g} ({more:.1f} % more)")
    rows = [f"| RMSE of {OURS} against | random: wins / losses / ties | far: wins / losses / ties |", "| --- | --- | --- |"]
    for rival in (model for model in MODELS if model != OURS):
        rows.append("| " + " | ".join([rival, *(" / ".join(map(str, counts[rival, s])) for s in ("random", "far"))]) + " |")
    return [*rows, "", *losses]


def print_tables(lines):
    cases = by_case(lines)
    print("\n".join([*figures(cases, "RMSE", 4), "", *figures(cases, "R²", 3), "", *comparisons(cases), ""]))
    for model in MODELS:
        print(f"{model}: {np.mean([line['seconds'] for line in lines if line['model'] == model]):.1f} seconds per fit")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=list(TABLES), metavar="NAME")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    lines = [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []
    done = {(line["table"], line["split"], line["seed"], line["model"]) for line in lines}
    tables = {name: TABLES[name]() for name in asked.tables}
    for seed in range(asked.seeds):
        for name, table in tables.items():
            for split in ("random", "far"):
                for model in MODELS:
                    if (name, split, seed, model) in done:
                        continue
                    case = {"table": name, "split": split, "seed": seed, "model": model}
                    lines.append(case | measure(table, split, seed, model))
                    with RESULTS.open("a") as file:
                        file.write(json.dumps(lines[-1]) + "\n")
    print_tables(lines)


if __name__ == "__main__":
    main()
