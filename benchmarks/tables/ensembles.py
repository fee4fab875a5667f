#!/usr/bin/env python3
"""Measures every method on the same rows: the shift tables and the paper's five sets (docs/methods.md, "All methods on sixteen tables").

shift   eleven tables whose test domains no training sees. `perpend train` with its defaults, so LIT chooses its lambda by validation
        rows. DivDis and D-BAT have the inputs of at most 2,000 test rows, as in unlabeled.py.
paper   the published recipe on ionosphere, sonar, spectf, mushroom and electricity, random and extrapolation split, 5 members.
        `perpend compare` chooses among four lambdas by validation AUC. There are no rows without labels, so DivDis and D-BAT are
        left out.

Each result is a line of docs/results/ensembles.jsonl: AUC and log-loss of the test rows, and processor seconds: of the training with
all that belongs to it (shift), or of the comparison per training (paper). What the file has is not measured again, so the same command
resumes. One seed of everything comes first. ADP is not here: it is for more than two classes, and all of these tables have two.

    benchmarks/tables/ensembles.py PROGRAM [--seeds 5] [--parts shift paper] [--tables NAME ...]     measures
    benchmarks/tables/ensembles.py PROGRAM --shortcut         the shortcut table, and rows where the shortcut is reversed
    benchmarks/tables/ensembles.py --table                                                            the tables of docs/methods.md
"""

import argparse
import json
import math
import pathlib
import tempfile
from statistics import mean

from unlabeled import DATA, ROOT, read, rows_of, run, standard_error, test_domains, unlabeled_of

RESULTS = ROOT / "docs" / "results" / "ensembles.jsonl"
METHODS = ["restarts", "bagging", "adaboost", "ncl", "ace", "lit", "divdis", "dbat", "subspaces", "snapshot", "experts", "forde", "dive"]
UNLABELED = ["divdis", "dbat"]
SHIFT = ["student_por", "heart_site", "communities_crime", "ozone8h", "wine", "compas", "software_defects", "gas_drift", "support2",
         "online_shoppers", "bike_hour"]  # the smallest first
PAPER = ["sonar", "spectf", "ionosphere", "mushroom", "electricity"]
SPLITS = ["random", "extrapolation"]
FIGURES = {"auc": "AUC", "log_loss": "log-loss"}


def shift_line(program, name, method, seed, folder):
    domains = test_domains()[name]
    header, rows, domain = read(name)
    listed = ",".join(f'"{d}"' if "," in d else d for d in domains)
    more = ["--unlabeled", unlabeled_of(header, rows_of(rows, domain, domains), seed, folder)] if method in UNLABELED else []
    told, seconds = run(program, "train", DATA / f"{name}.csv", "--target", "target", "--split", "domain", "--domain", "domain",
                        "--test-domains", listed, "--method", method, "--seed", seed, "--threads", 1, "--json", "--force", "-o",
                        folder / "model.safetensors", *more)
    test = json.loads(told)["metrics"]["test"]
    return {"auc": test["auc"], "log_loss": test["log_loss"], "seconds": seconds}


def paper_line(program, name, split, method, seed, folder):
    told, seconds = run(program, "compare", DATA.parent / f"{name}.csv", "--target", "target", "--preset", "published", "--split", split,
                  "--restarts", 1, "--members", 5, "--methods", method, "--seed", seed, "--threads", 1, "--json")
    found = json.loads(told)
    model = next(one for one in found["splits"][0]["methods"] if one["method"] == method)
    return {"auc": model["auc"]["mean"], "log_loss": model["log_loss"]["mean"], "lambda": model.get("lambda"),
            "seconds": seconds / len(found["trials"])}


def jobs(asked):
    """(part, table, split, method) of one seed."""
    if "shift" in asked.parts:
        yield from (("shift", name, "domain", method) for name in SHIFT for method in METHODS)
    if "paper" in asked.parts:
        labelled = [method for method in METHODS if method not in UNLABELED]
        yield from (("paper", name, split, method) for name in PAPER for split in SPLITS for method in labelled)


def lines():
    return [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []


def measure_all(asked, folder):
    done = {(line["table"], line["split"], line["method"], line["seed"]) for line in lines()}
    for seed in range(asked.seeds):
        for part, name, split, method in jobs(asked):
            if (name, split, method, seed) in done or (asked.tables and name not in asked.tables):
                continue
            figures = (shift_line(asked.program, name, method, seed, folder) if part == "shift" else
                       paper_line(asked.program, name, split, method, seed, folder))
            line = {"part": part, "table": name, "split": split, "method": method, "seed": seed}
            line |= {key: round(value, 6) if isinstance(value, float) else value for key, value in figures.items()}
            with RESULTS.open("a") as file:
                file.write(json.dumps(line) + "\n")


def whole(found, methods):
    """The lines of the cases (table, split, seed) on which every method has been measured."""
    measured = {}
    for line in found:
        measured.setdefault((line["table"], line["split"], line["seed"]), set()).add(line["method"])
    return [line for line in found if measured[line["table"], line["split"], line["seed"]] >= set(methods)]


def by_case(found, method, figure):
    """{(table, split): {seed: figure}}"""
    cases = {}
    for line in found:
        if line["method"] == method:
            cases.setdefault((line["table"], line["split"]), {})[line["seed"]] = line[figure]
    return cases


def mean_ranks(found, methods, figure):
    """The mean rank of each method over cases, 1 for the best; ties share theirs."""
    values = {method: by_case(found, method, figure) for method in methods}
    ranks = {method: [] for method in methods}
    for case in values[methods[0]]:
        means = {method: mean(values[method][case].values()) * (1 if figure == "auc" else -1) for method in methods}
        for method, own in means.items():
            above = sum(other > own for other in means.values())
            ranks[method].append(above + (1 + sum(other == own for other in means.values())) / 2)
    return {method: mean(own) for method, own in ranks.items()}


def mean_cell(found, method, figure):
    """The mean over cases. Its standard error is over seeds, if all cases have the same seeds and there are several."""
    cases = by_case(found, method, figure)
    seeds = [set(values) for values in cases.values()]
    if min(map(len, seeds)) < 2 or any(own != seeds[0] for own in seeds):
        return f"{mean(mean(values.values()) for values in cases.values()):.3f}"
    of_seeds = [mean(values[seed] for values in cases.values()) for seed in seeds[0]]
    return f"{mean(of_seeds):.3f} ± {standard_error(of_seeds):.3f}"


def against_restarts(found, method, figure):
    """(cases won, cases lost, names of those lost); with several seeds a difference must be two standard errors to count."""
    won, lost = 0, []
    base = by_case(found, "restarts", figure)
    for case, values in by_case(found, method, figure).items():
        gains = [(values[seed] - base[case][seed]) * (1 if figure == "auc" else -1) for seed in values]
        noise = 2 * standard_error(gains) if len(gains) > 1 else 0
        if mean(gains) > noise:
            won += 1
        elif mean(gains) < -noise:
            lost.append((case, mean(gains)))
    return won, [case for case, _ in sorted(lost, key=lambda one: one[1])]


def cost(found, method):
    """Processor seconds, as a multiple of those of restarts: the geometric mean."""
    base = {(line["table"], line["split"], line["seed"]): line["seconds"] for line in found if line["method"] == "restarts"}
    ratios = [line["seconds"] / base[line["table"], line["split"], line["seed"]] for line in found if line["method"] == method]
    return math.exp(mean(map(math.log, ratios)))


def name_of(case, part):
    return case[0] if part == "shift" else f"{case[0]} {case[1]}"


def table(part):
    methods = METHODS if part == "shift" else [method for method in METHODS if method not in UNLABELED]
    found = whole([line for line in lines() if line["part"] == part], methods)
    if not found:
        return
    cases = by_case(found, "restarts", "auc")
    seeds = [len(values) for values in cases.values()]
    print(f"{part}: {', '.join(name_of(case, part) for case in cases)}; {min(seeds)} to {max(seeds)} seeds each\n")
    print("| | AUC | rank | won, lost | log-loss | rank | won, lost | cost |\n|---|---|---|---|---|---|---|---|")
    ranks = {figure: mean_ranks(found, methods, figure) for figure in FIGURES}
    for method in methods:
        cells = []
        for figure in FIGURES:
            won, lost = against_restarts(found, method, figure)
            counts = "" if method == "restarts" else f"{won}, {len(lost)}"
            cells += [mean_cell(found, method, figure), f"{ranks[figure][method]:.1f}", counts]
        print(f"| `{method}` | " + " | ".join(cells) + f" | {cost(found, method):.1f} |")
    print()
    for method in methods[1:]:
        losses = {title: against_restarts(found, method, figure)[1] for figure, title in FIGURES.items()}
        told = [f"{title} " + ", ".join(name_of(case, part) for case in lost) for title, lost in losses.items() if lost]
        if told:
            print(f"- `{method}` loses to restarts: " + "; ".join(told) + ".")
    print()


def shortcut(asked, folder):
    """AUC on familiar rows; where the shortcut is reversed, AUC of the ensemble and of its best member. Nothing is stored."""
    print("| | log-loss on familiar rows | AUC, flipped | best member's | cos² |\n|---|---|---|---|---|")
    for method in METHODS:
        if method in UNLABELED:
            continue
        found = []
        for seed in range(asked.seeds):
            model = folder / "model.safetensors"
            words = ["--target", "target", "--method", method, "--seed", seed, "--threads", 1, "--json", "--force", "-o", model]
            near = json.loads(run(asked.program, "train", "builtin:shortcut", *words)[0])["metrics"]["test"]
            far = json.loads(run(asked.program, "evaluate", model, "builtin:shortcut-flipped", "--json")[0])["metrics"]
            best = max(member["auc"] for member in far["members"])
            found.append((near["log_loss"], far["auc"], best, near.get("grad_cos2")))
        cells = ["" if None in column else f"{mean(column):.3f} ± {standard_error(column):.3f}" for column in zip(*found)]
        print(f"| `{method}` | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--parts", nargs="+", choices=["shift", "paper"], default=["shift", "paper"])
    parser.add_argument("--tables", nargs="+", choices=SHIFT + PAPER, metavar="NAME")
    parser.add_argument("--shortcut", action="store_true")
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    if asked.table:
        for part in asked.parts:
            table(part)
        return
    with tempfile.TemporaryDirectory() as name:
        (shortcut if asked.shortcut else measure_all)(asked, pathlib.Path(name))


if __name__ == "__main__":
    main()
