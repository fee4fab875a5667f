#!/usr/bin/env python3
"""Compares LIT, DivDis, D-BAT and restarts that get rows without labels of the new place (docs/unlabeled.md).

The tables are the shift tables, the split leaves their test domains out, and the rows without labels are the test rows' inputs, at
most 2,000 of them. Each model is a line of docs/results/unlabeled.jsonl: AUC and log-loss of the ensemble, the AUC of its best
member (a choice that nobody could make without labels), both figures on the other test rows after `adapt` with 64 labels, and the
processor seconds of the training. What the file has is not measured again.

    benchmarks/tables/unlabeled.py PROGRAM [--seeds 5] [--tables NAME ...]     measures
    benchmarks/tables/unlabeled.py PROGRAM --choose METHOD LAMBDA ...          a lambda, without a look at any test domain
    benchmarks/tables/unlabeled.py PROGRAM --shortcut                          the shortcut table, where a shortcut flips or fails
    benchmarks/tables/unlabeled.py --table                                     the tables of docs/unlabeled.md

--choose drops the test domains and holds out one training domain per seed; tables with a single one are left out. It needs
nothing but Python itself.
"""

import argparse
import csv
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from statistics import mean, stdev

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("PERPEND_DATA") or ROOT.parent / "shared" / "data") / "shift"
RESULTS = ROOT / "docs" / "results" / "unlabeled.jsonl"
MOST_UNLABELED, LABELS = 2000, 64
WAYS = {  # name: (method, with rows without labels)
    "restarts": ("restarts", False), "LIT": ("lit", False), "LIT, with rows": ("lit", True),
    "DivDis": ("divdis", True), "D-BAT": ("dbat", True),
}
FIGURES = {"auc": "AUC", "log_loss": "log-loss", "best_auc": "best member's AUC", "adapted_auc": "AUC, adapted",
           "adapted_log_loss": "log-loss, adapted"}


def run(*words):
    """(what it prints, processor seconds)"""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen([str(word) for word in words], stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        out.seek(0), err.seek(0)
        if status:
            sys.exit(f"{' '.join(map(str, words))}\n{err.read().decode()}")
        return out.read().decode(), usage.ru_utime + usage.ru_stime


def read(name):
    with (DATA / f"{name}.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows, header.index("domain")


def write(path, header, rows, without=()):
    kept = [i for i, column in enumerate(header) if column not in without]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([row[i] for i in kept] for row in [header, *rows])
    return path


def train(program, source, way, seed, folder, more, unlabeled):
    method, with_rows = WAYS[way]
    model = folder / "model.safetensors"
    words = [program, "train", source, "--target", "target", "--split", "domain", "--domain", "domain", "--method", method,
             "--seed", seed, "--threads", 1, "--json", "--force", "-o", model, *more]
    told, seconds = run(*words, *(["--unlabeled", unlabeled] if with_rows else []))
    return model, json.loads(told), seconds


def adapted(program, model, header, rows, seed, folder):
    """Figures on the other test rows once 64 of them have labels; empty if a part misses a class."""
    drawn = random.Random(1000 + seed).sample(rows, len(rows))
    target = header.index("target")
    if any(len({row[target] for row in part}) < 2 for part in (drawn[:LABELS], drawn[LABELS:])):
        return {}
    some = write(folder / "some.csv", header, drawn[:LABELS], ["domain"])
    others = write(folder / "others.csv", header, drawn[LABELS:], ["domain"])
    run(program, "adapt", model, some, "-o", folder / "adapted.safetensors", "--force")
    metrics = json.loads(run(program, "evaluate", folder / "adapted.safetensors", others, "--json")[0])["metrics"]
    return {"adapted_auc": metrics["auc"], "adapted_log_loss": metrics["log_loss"]}


def rows_of(rows, domain, domains):
    return [row for row in rows if row[domain] in domains]


def unlabeled_of(header, rows, seed, folder):
    drawn = random.Random(seed).sample(rows, min(MOST_UNLABELED, len(rows)))
    return write(folder / "unlabeled.csv", header, drawn, ["domain", "target"])


def measure(program, name, domains, way, seed, folder):
    header, rows, domain = read(name)
    tests = rows_of(rows, domain, domains)
    unlabeled = unlabeled_of(header, tests, seed, folder)
    listed = ",".join(f'"{d}"' if "," in d else d for d in domains)
    source = DATA / f"{name}.csv"
    model, told, seconds = train(program, source, way, seed, folder, ["--test-domains", listed], unlabeled)
    test = told["metrics"]["test"]
    members = [member["auc"] for member in test["members"]]
    line = {"table": name, "seed": seed, "way": way, "lambda": None if way == "restarts" else told["options"]["lambda"],
            "auc": test["auc"], "log_loss": test["log_loss"], "best_auc": max(members), "seconds": seconds}
    line |= adapted(program, model, header, tests, seed, folder)
    return {key: round(value, 6) if isinstance(value, float) else value for key, value in line.items()}


def measure_all(asked, folder):
    lines = map(json.loads, RESULTS.read_text().splitlines()) if RESULTS.exists() else []
    done = {(line["table"], line["seed"], line["way"]) for line in lines}
    for seed in range(asked.seeds):
        for name, domains in test_domains().items():
            for way in WAYS:
                if (name, seed, way) in done or (asked.tables and name not in asked.tables):
                    continue
                line = measure(asked.program, name, domains, way, seed, folder)
                with RESULTS.open("a") as file:
                    file.write(json.dumps(line) + "\n")


def test_domains():
    return json.loads((DATA / "test_domains.json").read_text())


def choose(asked, folder):
    """Means over tables and seeds of each lambda's figures in the held-out training domain."""
    method, *lambdas = asked.choose
    way = next(name for name, (word, _) in reversed(WAYS.items()) if word == method)
    found = {}
    for name, domains in test_domains().items():
        header, rows, domain = read(name)
        rows = [row for row in rows if row[domain] not in domains]
        known = sorted({row[domain] for row in rows})
        if len(known) < 2 or (asked.tables and name not in asked.tables):
            continue
        source = write(folder / "train.csv", header, rows)
        for seed in range(asked.seeds):
            held_out = known[seed % len(known)]
            unlabeled = unlabeled_of(header, rows_of(rows, domain, [held_out]), seed, folder)
            for value in lambdas:
                more = ["--test-domains", held_out, "--lambda", value]
                _, told, _ = train(asked.program, source, way, seed, folder, more, unlabeled)
                test, validation = told["metrics"]["test"], told["metrics"]["validation"]
                if test["auc"] is not None:
                    figures = (test["auc"], test["log_loss"], validation["log_loss"])
                    found.setdefault((value, name), []).append(figures)
        for value in lambdas:
            of_tables = [[mean(column) for column in zip(*lines)] for (of, _), lines in found.items() if of == value]
            cells = [f"{mean(column):.4f}" for column in zip(*of_tables)]
            print(f"{method} lambda {value}: {len(of_tables)} tables, AUC {cells[0]}, log-loss {cells[1]}, on validation "
                  f"rows {cells[2]}", flush=True)


def standard_error(numbers):
    return stdev(numbers) / math.sqrt(len(numbers))


def shortcut(asked, folder):
    """Ensemble and best member where the shortcut breaks, whose rows without labels are given, and log-loss on familiar rows."""
    model = folder / "model.safetensors"
    print("| rows | | AUC | best member's AUC | log-loss on familiar rows |\n|---|---|---|---|---|")
    for place in ("shortcut-flipped", "shortcut-failed"):
        for way, (method, with_rows) in WAYS.items():
            found = []
            for seed in range(asked.seeds):
                words = ["--target", "target", "--method", method, "--seed", seed, "--threads", 1, "--json", "--force", "-o", model]
                more = ["--unlabeled", f"builtin:{place}"] if with_rows else []
                near = json.loads(run(asked.program, "train", "builtin:shortcut", *words, *more)[0])["metrics"]["test"]
                far = json.loads(run(asked.program, "evaluate", model, f"builtin:{place}", "--json")[0])["metrics"]
                found.append((far["auc"], max(member["auc"] for member in far["members"]), near["log_loss"]))
            cells = [f"{mean(column):.3f} ± {standard_error(column):.3f}" for column in zip(*found)]
            print(f"| {place} | {way} | " + " | ".join(cells) + " |", flush=True)


def compared(lines, way, other, figure):
    """(wins, losses, ties, mean lead, its standard error over tables); a win is a lead of two standard errors over seeds."""
    words, leads = [], []
    for table in sorted({line["table"] for line in lines}):
        ours, theirs = ({line["seed"]: line.get(figure) for line in lines if (line["table"], line["way"]) == (table, name)}
                        for name in (way, other))
        seeds = [seed for seed in ours if ours[seed] is not None and theirs.get(seed) is not None]
        gains = [(ours[seed] - theirs[seed]) * (-1 if "loss" in figure else 1) for seed in seeds]
        if len(gains) < 2:
            continue
        leads.append(mean(gains))
        noise = abs(leads[-1]) < 2 * standard_error(gains) or leads[-1] == 0
        words.append("tie" if noise else "win" if leads[-1] > 0 else "loss")
    return [words.count(word) for word in ("win", "loss", "tie")], mean(leads), standard_error(leads)


def mean_cell(lines, way, figure):
    of_tables = {}
    for line in lines:
        if line["way"] == way and line.get(figure) is not None:
            of_tables.setdefault(line["table"], []).append(line[figure])
    return f"{mean(mean(values) for values in of_tables.values()):.3f}"


def table():
    lines = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    seeds = {(way, line["table"]): 0 for way in WAYS for line in lines}
    for line in lines:
        seeds[line["way"], line["table"]] += 1
    print(f"{len({line['table'] for line in lines})} tables, {min(seeds.values())} to {max(seeds.values())} seeds\n")
    print("| | " + " | ".join(FIGURES.values()) + " | cost |\n|---|" + "---|" * (len(FIGURES) + 1))
    base = {(line["table"], line["seed"]): line["seconds"] for line in lines if line["way"] == "restarts"}
    for way in WAYS:
        ratios = [line["seconds"] / base[line["table"], line["seed"]] for line in lines if line["way"] == way]
        cost = math.exp(mean(map(math.log, ratios)))
        print(f"| {way} | " + " | ".join(mean_cell(lines, way, figure) for figure in FIGURES) + f" | {cost:.1f} |")
    print("\n| | against | " + " | ".join(FIGURES.values()) + " |\n|---|---|" + "---|" * len(FIGURES))
    for way, other in (("LIT", "restarts"), ("LIT, with rows", "LIT"), ("DivDis", "restarts"), ("D-BAT", "restarts"),
                       ("LIT", "DivDis"), ("LIT", "D-BAT")):
        cells = []
        for figure in FIGURES:
            counts, lead, error = compared(lines, way, other, figure)
            cells.append(f"{counts[0]} / {counts[1]} / {counts[2]}, {lead:+.3f} ± {error:.3f}")
        print(f"| {way} | {other} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--tables", nargs="+", metavar="NAME")
    parser.add_argument("--choose", nargs="+", metavar="METHOD LAMBDA")
    parser.add_argument("--shortcut", action="store_true")
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    if asked.table:
        table()
        return
    with tempfile.TemporaryDirectory() as name:
        (choose if asked.choose else shortcut if asked.shortcut else measure_all)(asked, pathlib.Path(name))


if __name__ == "__main__":
    main()
