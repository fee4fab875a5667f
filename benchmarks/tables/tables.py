"""The tables and their splits. Every method gets the same rows.

The shares are those of perpend/data/split.h, but numpy draws the rows, so that perpend's package is not needed:

random         20 % of the rows test, 20 % of the others validate; stratified
extrapolation  rows with norm up to the median train; of the far half 80 % test, 20 % validate
domains        the domains that test_domains.json lists test; of the other rows 20 % validate
"""

import json
import os
import pathlib
import sys
from typing import NamedTuple

import numpy as np
import pandas as pd

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path(os.environ.get("PERPEND_DATA") or ROOT.parent / "shared" / "data")
PAPER = ["ionosphere", "sonar", "spectf", "electricity", "mushroom"]


class Rows(NamedTuple):
    X: pd.DataFrame  # numbers are float64; words are of dtype category, with the levels of the whole table
    y: np.ndarray  # 0 or 1


def test_domains():
    path = FOLDER / "shift" / "test_domains.json"
    if not path.exists():
        sys.exit(f"{path} is missing; set PERPEND_DATA to the folder that holds the tables")
    return json.loads(path.read_text())


def cases():
    """All pairs (table, split)."""
    paper = [(name, split) for split in ("random", "extrapolation") for name in PAPER]
    return paper + [(name, "domains") for name in test_domains()]


def read(name):
    """(inputs, labels, which rows are of a test domain)"""
    path = FOLDER / ("" if name in PAPER else "shift") / f"{name}.csv"
    frame = pd.read_csv(path, keep_default_na=False, na_values=[""])
    target = frame.pop("target")
    tests = None if name in PAPER else frame.pop("domain").astype(str).isin(test_domains()[name]).to_numpy()
    for column, cells in list(frame.items()):
        text = cells.astype(object).map(str, na_action="ignore")
        frame[column] = cells.astype(float) if cells.dtype.kind in "if" else text.astype("category")
    return frame, (target == target.max()).to_numpy().astype(int), tests


def stratified_cut(rows, y, random):
    """(80 %, 20 %) of the rows, stratified by class."""
    kept, held_out = [], []
    for label in (0, 1):
        own = random.permutation(rows[y[rows] == label])
        count = max(1, round(len(own) / 5))
        held_out.append(own[:count])
        kept.append(own[count:])
    return random.permutation(np.concatenate(kept)), np.sort(np.concatenate(held_out))


def norms(X):
    """Euclidean norms of the rows, as in the paper: words become 0 and 1 per level, and then all columns are scaled."""
    coded = pd.concat([X.select_dtypes("number"), *(levels(X[c]) for c in X.select_dtypes("category"))], axis=1)
    coded = coded.loc[:, coded.std() > 0]
    return np.sqrt((((coded - coded.mean()) / coded.std(ddof=0)) ** 2).sum(axis=1).to_numpy())


def levels(cells):
    """One column per level; two levels take one column."""
    coded = pd.get_dummies(cells, dtype=float, dummy_na=bool(cells.isna().any()))
    return coded.iloc[:, 1:] if coded.shape[1] == 2 else coded


def parts(name, split, seed):
    """Rows (train, validation, test)."""
    X, y, tests = read(name)
    random = np.random.default_rng(seed)
    everything = np.arange(len(y))
    if split == "random":
        rest, test = stratified_cut(everything, y, random)
        train, validation = stratified_cut(rest, y, random)
    elif split == "extrapolation":
        distance = norms(X)
        near = distance <= np.median(distance)
        train = random.permutation(everything[near])
        test, validation = stratified_cut(everything[~near], y, random)
    else:
        train, validation = stratified_cut(everything[~tests], y, random)
        test = everything[tests]
    return [Rows(X.iloc[part].reset_index(drop=True), y[part]) for part in (train, validation, test)]
