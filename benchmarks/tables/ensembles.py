#!/usr/bin/env python3
"""Every method on the same rows: the shift tables and the paper's five sets (docs/methods.md, "All methods on sixteen tables").

shift   eleven tables whose test domains no training sees. `perpend train` with its defaults, so LIT chooses its lambda by validation
        rows. DivDis and D-BAT have the inputs of at most 2,000 test rows, as in unlabeled.py.
paper   the published recipe on ionosphere, sonar, spectf, mushroom and electricity, random and extrapolation split, 5 members.
        `perpend compare` chooses among four lambdas by validation AUC. There are no rows without labels, so DivDis and D-BAT are
        left out.

Each result is a line of docs/results/ensembles.jsonl: AUC and log-loss of the test rows, and processor seconds: of the
training with all that belongs to it (shift), or of the comparison per training (paper). What the file has is not measured again, so the same command resumes. One seed of everything comes
first. ADP is not here: it is for more than two classes, and all of these tables have two.

    benchmarks/tables/ensembles.py PROGRAM [--seeds 5] [--parts shift paper] [--tables NAME ...]     measures
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
    """(part, table, split, method), those of one seed."""
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


def by_case(found, method, figure):
    """{(table, split): {seed: figure}}"""
    cases = {}
    for line in found:
        if line["method"] == method and line[figure] is not None:
            cases.setdefault((line["table"], line["split"]), {})[line["seed"]] = line[figure]
    return cases


def mean_ranks(found, methods, figure):
    """The mean rank of each method over the cases that all of them have, 1 for the best; ties share theirs."""
    values = {method: by_case(found, method, figure) for method in methods}
    shared = set.intersection(*(set(cases) for cases in values.values()))
    ranks = {method: [] for method in methods}
    for case in shared:
        means = {method: mean(values[method][case].values()) * (1 if figure == "auc" else -1) for method in methods}
        for method, own in means.items():
            above = sum(other > own for other in means.values())
            ranks[method].append(above + (1 + sum(other == own for other in means.values())) / 2)
    return {method: mean(own) for method, own in ranks.items()}, len(shared)


def mean_cell(found, method, figure):
    """The mean over cases, and its standard error over seeds where there are several."""
    cases = by_case(found, method, figure)
    seeds = set.intersection(*(set(values) for values in cases.values()))
    of_seeds = [mean(values[seed] for values in cases.values()) for seed in sorted(seeds)]
    if len(of_seeds) < 2:
        return f"{mean(mean(values.values()) for values in cases.values()):.3f}"
    return f"{mean(of_seeds):.3f} ± {standard_error(of_seeds):.3f}"


def against_restarts(found, method, figure):
    """(cases won, cases lost, names of those lost); with several seeds a difference counts from two standard errors on."""
    won, lost = 0, []
    base = by_case(found, "restarts", figure)
    for case, values in by_case(found, method, figure).items():
        gains = [(values[seed] - base[case][seed]) * (1 if figure == "auc" else -1) for seed in values if seed in base.get(case, {})]
        noise = 2 * standard_error(gains) if len(gains) > 1 else 0
        if gains and mean(gains) > noise:
            won += 1
        elif gains and mean(gains) < -noise:
            lost.append((case, mean(gains)))
    return won, [case for case, _ in sorted(lost, key=lambda one: one[1])]


def cost(found, method):
    base = {(line["table"], line["split"], line["seed"]): line["seconds"] for line in found if line["method"] == "restarts"}
    ratios = [line["seconds"] / base[line["table"], line["split"], line["seed"]] for line in found
              if line["method"] == method and (line["table"], line["split"], line["seed"]) in base]
    return math.exp(mean(map(math.log, ratios)))


def name_of(case, part):
    return case[0] if part == "shift" else f"{case[0]} {case[1]}"


def table(part):
    found = [line for line in lines() if line["part"] == part]
    methods = [method for method in METHODS if any(line["method"] == method for line in found)]
    if not methods:
        return
    seeds = [len({line["seed"] for line in found if (line["table"], line["split"], line["method"]) == case})
             for case in {(line["table"], line["split"], line["method"]) for line in found}]
    ranks = {figure: mean_ranks(found, methods, figure) for figure in FIGURES}
    print(f"{len({(line['table'], line['split']) for line in found})} cases, {min(seeds)} to {max(seeds)} seeds; ranks over "
          f"{ranks['auc'][1]} cases\n")
    print("| | AUC | rank | won, lost | log-loss | rank | won, lost | cost |\n|---|---|---|---|---|---|---|---|")
    for method in methods:
        cells = []
        for figure in FIGURES:
            won, lost = against_restarts(found, method, figure)
            counts = "" if method == "restarts" else f"{won}, {len(lost)}"
            cells += [mean_cell(found, method, figure), f"{ranks[figure][0][method]:.1f}", counts]
        print(f"| `{method}` | " + " | ".join(cells) + f" | {cost(found, method):.1f} |")
    print()
    for method in methods[1:]:
        for figure, title in FIGURES.items():
            lost = against_restarts(found, method, figure)[1]
            if lost:
                print(f"- `{method}` has a worse {title} than restarts on " + ", ".join(name_of(case, part) for case in lost) + ".")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--parts", nargs="+", choices=["shift", "paper"], default=["shift", "paper"])
    parser.add_argument("--tables", nargs="+", choices=SHIFT + PAPER, metavar="NAME")
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    if asked.table:
        for part in asked.parts:
            table(part)
        return
    with tempfile.TemporaryDirectory() as name:
        measure_all(asked, pathlib.Path(name))


if __name__ == "__main__":
    main()
