"""Measures how far a refit alone moves the answers on like rows: the tolerance of monitor's test of the answers after a refit.

A model that was trained with `--split none` is trained again on all rows once the time to stop is known. Its file remembers
what the members answered on validation rows before that. So `monitor` compares answers of two ensembles, and their AUROC may
differ from 1/2 on like rows (evaluate/drift.h, kRefitTolerance).

At most 1,500 rows at home of each table train, and at most 1,000 others at home are the like rows. Rows of test domains are not
used. The ensemble is trained with the refit and without, from the same seed, so the members at home are the same in both. Then

  shift   AUROC of the like rows against those at home, with the refit less without it: the effect of the refit
  alarms  of 20 draws of 50 and of 200 like rows, those whose verdict would be `moved` because of their answers alone
          (six times the p-value of one test below 0.01), at each tolerance

Lines of docs/results/refit.jsonl, one for each table and seed; what the file has is not measured again. --show prints the
tables of docs/monitoring.md.

    benchmarks/tables/run refit.py PROGRAM --seeds 3
"""

import argparse
import json
import os
import pathlib
import struct
import subprocess
import tempfile

import numpy as np
from scipy import stats

import tables

RESULTS = tables.ROOT / "docs" / "results" / "refit.jsonl"
TOLERANCES = [0.0, 0.025, 0.05, 0.075, 0.1, 0.15]
SIZES = [50, 200]
DRAWS = 20
MOST_TRAIN, MOST_LIKE = 1500, 1000
TESTS = 6  # the least of two tests, times three (api/monitor.h)


def run(program, *words):
    return subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True).stdout


def home_scores(path):
    """The members' log-odds on the rows that the file remembers, and their weights: (rows, members), (members,)."""
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + size])
    tensor = header["home.scores"]
    first, last = (8 + size + at for at in tensor["data_offsets"])
    return np.frombuffer(data[first:last], dtype="<f4").reshape(tensor["shape"]).astype(float)


def answers_of(members, weights):
    """(disagreement, probability) from the members' probabilities."""
    return members.std(axis=1), members @ weights / weights.sum()


def auroc(home, here):
    """How often a row here is above one at home, and the standard deviation of that share if rows are alike."""
    n, m = len(home), len(here)
    both = np.concatenate([home, here])
    above = stats.rankdata(both)[n:].sum() / m / n - (m + 1) / 2 / n
    ties = np.unique(both, return_counts=True)[1].astype(float)
    variance = ((n + m + 1) - (ties**3 - ties).sum() / ((n + m) * (n + m - 1))) / (12 * n * m)
    return above, np.sqrt(max(variance, 1e-30))


def p_value(home, here, tolerance):
    """Twice the smaller p-value of evaluate/drift.h's two tests of the answers."""
    p = []
    for at_home, now, both_sides in zip(home, here, (False, True)):
        area, deviation = auroc(at_home, now)
        off = abs(area - 0.5) if both_sides else area - 0.5
        tails = stats.norm.sf((off - tolerance) / deviation)
        p.append(1.0 if off <= tolerance else 2 * tails if both_sides else tails)
    return 2 * min(p)


def write(frame, y, path):
    frame.assign(target=y).to_csv(path, index=False)


def measure(program, name, split, seed):
    random = np.random.default_rng(seed)
    X, y, tests = tables.read(name)
    everything = np.arange(len(y)) if tests is None else np.flatnonzero(~tests)
    at_home, like = tables.stratified_cut(everything, y, random)
    like = random.permutation(like)[:MOST_LIKE]
    at_home = at_home[:MOST_TRAIN]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write(X.iloc[at_home], y[at_home], folder / "home.csv")
        write(X.iloc[like], y[like], folder / "like.csv")
        found = {}
        for word in ("refit", "no-refit"):
            model = folder / f"{word}.model"
            run(program, "train", folder / "home.csv", "--target", "target", "--split", "none", "--seed", seed,
                "--threads", 1, f"--{word}", "-o", model)
            weights = np.array(json.loads(run(program, "inspect", model, "--json"))["member_weights"])
            text = run(program, "predict", model, folder / "like.csv", "--members", "--threads", 1).splitlines()
            first = text[0].split(",").index("member_1")
            members = np.array([[float(cell) for cell in line.split(",")[first:]] for line in text[1:]])
            home = 1 / (1 + np.exp(-home_scores(model)))
            found[word] = answers_of(home, weights), answers_of(members, weights)
    line = {"table": name, "seed": seed, "rows": len(at_home), "home_rows": len(home), "like": len(like)}
    for i, what in enumerate(("disagreement", "answer")):
        after, before = ((auroc(found[word][0][i], found[word][1][i])[0]) for word in ("refit", "no-refit"))
        line |= {f"{what}_shift": round(after - before, 4)}
    for size in SIZES:
        if size > len(like):
            continue
        draws = [random.permutation(len(like))[:size] for _ in range(DRAWS)]
        for word, (at_home_answers, here) in found.items():
            line[f"alarms_{size}_{word}"] = [
                sum(TESTS / 2 * p_value(at_home_answers, [part[rows] for part in here], tolerance) < 0.01 for rows in draws)
                for tolerance in TOLERANCES
            ]
    line = json.loads(json.dumps(line, default=int))
    with RESULTS.open("a") as file:
        file.write(json.dumps(line) + "\n")
    print(json.dumps(line), flush=True)


def quantiles(values):
    return " | ".join(f"{np.quantile(values, q):.3f}" for q in (0.5, 0.75, 0.9, 0.95, 1))


def show():
    lines = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    print(f"{len(lines)} models of {len({line['table'] for line in lines})} tables\n")
    print("| what the refit moves (AUROC) | half of the models | 75 % | 90 % | 95 % | all |\n|---|---|---|---|---|---|")
    print("| disagreement, upwards | " + quantiles([line["disagreement_shift"] for line in lines]) + " |")
    print("| answers, either way | " + quantiles([abs(line["answer_shift"]) for line in lines]) + " |")
    names = " | ".join(f"{t:g}" for t in TOLERANCES)
    print(f"\n| like rows | refit | draws | {names} |\n|---|---|---|" + "---|" * len(TOLERANCES))
    for size in SIZES:
        for word in ("no-refit", "refit"):
            own = [line[f"alarms_{size}_{word}"] for line in lines if f"alarms_{size}_{word}" in line]
            shares = np.sum(own, axis=0) / (DRAWS * len(own))
            cells = " | ".join(f"{100 * share:.1f} %" for share in shares)
            print(f"| {size} | {'yes' if word == 'refit' else 'no'} | {DRAWS * len(own)} | {cells} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    if asked.show:
        return show()
    lines = [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []
    done = {(line["table"], line["seed"]) for line in lines}
    names = list(dict.fromkeys(name for name, _ in tables.cases()))
    for seed in range(asked.seeds):
        for name in names:
            if (name, seed) not in done:
                measure(os.path.abspath(asked.program), name, "home", seed)


main()
