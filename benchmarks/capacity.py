"""Counts with `perpend capacity` how many locally independent models sets hold; one line per set in a result file.

    python benchmarks/capacity.py --known 10    sets whose answer is known, ten seeds each
    python benchmarks/capacity.py --tables      the sixteen tables of benchmarks/tables (PERPEND_DATA names their folder)
    python benchmarks/capacity.py --ridge       the same and the known sets, with the best lambda by the number of networks
    python benchmarks/capacity.py --summary     the tables of docs/capacity.md from docs/results/capacity.jsonl
    python benchmarks/capacity.py --figure      docs/capacity.svg from the same file

Sets that the file has are not counted again. If a table has a domain, the rows of its training domains are counted.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parents[1]
PATH = ROOT / "docs" / "results" / "capacity.jsonl"
KNOWN = {
    "planted-1": 1,
    "planted-2": 2,
    "planted-3": 3,
    "planted-5": 5,
    "quadrants": 2,
    "shortcut": 2,
    "blocks": 3,
    "toy-1": 2,
    "toy-2": 2,
}
# The axes of toy-2 are turned. Standardised columns would no longer be orthogonal there.
FLAGS = {"toy-2": ["--no-standardize"]}


def count(program, data, seed, restarts, more=()):
    command = [program, "capacity", data, "--target", "target", "--seed", str(seed), "--restarts", str(restarts), "--threads", "1"]
    done = subprocess.run([*command, "--json", *more], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)


def lines():
    return [json.loads(line) for line in PATH.read_text().splitlines()] if PATH.exists() else []


def write(line):
    with PATH.open("a") as file:
        file.write(json.dumps(line) + "\n")


def known(program, seeds):
    """Makes one count per seed, without the ridge."""
    done = {(line["set"], line["seed"]) for line in lines() if line["kind"] == "known"}
    for name, models in KNOWN.items():
        for seed in range(seeds):
            if (name, seed) in done:
                continue
            # The seed also draws the rows.
            with tempfile.TemporaryDirectory() as folder:
                table = f"{folder}/rows.csv"
                made = subprocess.run([program, "data", "make", name, "--seed", str(seed), "-o", table], capture_output=True)
                if made.returncode != 0:
                    sys.exit(made.stderr.decode())
                found = count(program, table, seed, 1, ["--no-ridge", *FLAGS.get(name, [])])
            write({"kind": "known", "set": name, "seed": seed, "models": models, "found": found["capacity"]})
    right = Counter()
    counts = {}
    for line in lines():
        if line["kind"] == "known":
            right[line["set"]] += line["found"] == line["models"]
            counts.setdefault(line["set"], []).append(line["found"])
    print("| set | models | right | counts |\n| --- | --- | --- | --- |")
    for name, found in counts.items():
        print(f"| {name} | {KNOWN[name]} | {right[name]} of {len(found)} | {' '.join(map(str, found))} |")


def measured(program, kind):
    """Five restarts each. kind: "count" (the tables), or "ridge" (the known sets and the tables)."""
    sys.path.insert(0, str(ROOT / "benchmarks" / "tables"))
    import tables

    done = {line["set"] for line in lines() if line["kind"] == kind}
    for name in KNOWN if kind == "ridge" else ():
        if name not in done:
            found = count(program, f"builtin:{name}", 0, 5, FLAGS.get(name, []))
            write({"kind": kind, "set": name, "models": KNOWN[name], **kept(found)})
    for name in [*tables.PAPER, *tables.test_domains()]:
        if name in done:
            continue
        X, y, tests = tables.read(name)
        rows = slice(None) if tests is None else ~tests
        with tempfile.TemporaryDirectory() as folder:
            X[rows].assign(target=y[rows]).to_csv(f"{folder}/rows.csv", index=False)
            found = count(program, f"{folder}/rows.csv", 0, 5, ["--no-ridge"] if kind == "count" else [])
        write({"kind": kind, "set": name, "models": None, **kept(found)})
        print(name, found["reading"], flush=True)


def kept(found):
    names = ["capacity", "interval", "at_least", "restarts", "measure", "alone", "guess", "rows", "features"]
    return {name: found[name] for name in [*names, "manifold", "members", "ridge"]}


def trend(line):
    """The slope of log best lambda by log M, from two networks on; lambda 0 counts as 0.01. None for fewer than three M."""
    points = [(math.log(m["members"]), math.log(max(m["best_lambda"], 0.01))) for m in line["members"] if m["members"] > 1 and m["best_lambda"] is not None]
    if len(points) < 3:
        return None
    x, y = (sum(values) / len(points) for values in zip(*points))
    across = sum((a - x) ** 2 for a, _ in points)
    return sum((a - x) * (b - y) for a, b in points) / across


def ranks(values):
    order = sorted(values)
    return [order.index(v) + (order.count(v) - 1) / 2 for v in values]


def correlation(a, b):
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    above = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    below = math.sqrt(sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b))
    return above / below if below else float("nan")


def answer(line):
    low, high = line["interval"]
    return f"{'at least ' if line['at_least'] else ''}{line['capacity']} | {low} to {high}"


def by_set():
    """One line per set, with the ridge where it has been found."""
    found = {}
    for kind in ("count", "ridge"):
        for line in lines():
            if line["kind"] == kind:
                found[line["set"]] = line
    return sorted(found.values(), key=lambda line: line["models"] is None)


def summary():
    some = by_set()
    print("| set | known | capacity | interval | one network | one more loses | best lambda for M = 2, 3, ... | trend |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for line in some:
        following = next((m for m in line["members"] if m["members"] == line["capacity"] + 1), None)
        loses = f"{100 * following['weakest_loses']:.1f} ± {100 * following['weakest_loses_standard_error']:.1f}" if following else "–"
        ridge = ", ".join(f"{m['best_lambda']:g}" for m in line["members"] if m["best_lambda"] is not None) or "–"
        slope = trend(line)
        print(f"| {line['set']} | {line['models'] or ''} | {answer(line)} | {line['measure']} {line['alone']:.3f} | {loses} | {ridge} | " + ("–" if slope is None else f"{slope:+.1f}") + " |")
    for what, chosen in (("known sets", [x for x in some if x["models"]]), ("tables", [x for x in some if not x["models"]])):
        with_trend = [x for x in chosen if trend(x) is not None]
        for name, of in (("slope of the trend", trend), ("best lambda of two networks", second)):
            pairs = [(x["capacity"], of(x)) for x in with_trend if of(x) is not None]
            if len(pairs) > 2:
                rho = correlation(ranks([a for a, _ in pairs]), ranks([b for _, b in pairs]))
                print(f"\n{what}: rank correlation of the capacity with the {name}: {rho:+.2f} ({len(pairs)} sets)")


def second(line):
    return next((m["best_lambda"] for m in line["members"] if m["members"] == 2), None)


def figure():
    """Per set, the share of the skill of one network that the weakest of M networks has."""
    some = by_set()
    width, height, left, top = 720, 300, 46, 16
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * width // 2} {height + 60}" font-family="sans-serif" font-size="11">']
    out.append('<rect width="100%" height="100%" fill="white"/>')
    groups = [("sets whose capacity is known", [x for x in some if x["models"]]), ("tables", [x for x in some if not x["models"]])]
    colours = ["#0b6fb8", "#c8501e", "#2f8f4e", "#8a4fb0", "#b8860b", "#c0396b", "#4a5a6a", "#1f9ea8"]
    for place, (title, group) in enumerate(groups):
        x0, wide = left + place * (width // 2), width // 2 - left - 16
        most = max((m["members"] for line in group for m in line["members"]), default=2)

        def at(members, share):
            return x0 + wide * (members - 1) / max(1, most - 1), top + height * (1 - max(0, min(1.05, share)) / 1.05)

        out.append(f'<text x="{x0}" y="{top - 4}" font-weight="bold">{title}</text>')
        for share in (0, 0.5, 0.95, 1):
            x, y = at(1, share)
            dash = ' stroke-dasharray="4 3"' if share == 0.95 else ""
            out.append(f'<line x1="{x0}" x2="{x0 + wide}" y1="{y:.1f}" y2="{y:.1f}" stroke="#bbb"{dash}/>')
            if share != 1:
                out.append(f'<text x="{x0 - 6}" y="{y + 4:.1f}" text-anchor="end">{share:g}</text>')
        for members in range(1, most + 1):
            out.append(f'<text x="{at(members, 0)[0]:.1f}" y="{top + height + 16}" text-anchor="middle">{members}</text>')
        for i, line in enumerate(group):
            skill = line["alone"] - line["guess"]
            points = [at(m["members"], 1 - m["weakest_loses"] / skill) for m in line["members"]] if skill > 0 else []
            colour = colours[i % len(colours)]
            dash = ' stroke-dasharray="5 2"' if i >= len(colours) else ""
            out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.6"{dash} points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"><title>{line["set"]}</title></polyline>')
            if points:
                out.append(f'<text x="{points[-1][0] + 3:.1f}" y="{points[-1][1] + 4:.1f}" font-size="8" fill="{colour}">{line["set"]}</text>')
        out.append(f'<text x="{x0 + wide / 2}" y="{top + height + 34}" text-anchor="middle">networks trained together</text>')
    out.append('<text x="46" y="354">What the weakest network keeps of what one alone has above a guess; dashed: 0.95, which is good enough.</text></svg>')
    (ROOT / "docs" / "capacity.svg").write_text("\n".join(out) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "bin" / "perpend"))
    parser.add_argument("--known", type=int, metavar="SEEDS")
    parser.add_argument("--tables", action="store_true")
    parser.add_argument("--ridge", action="store_true")
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--figure", action="store_true")
    asked = parser.parse_args()
    if asked.known:
        known(asked.program, asked.known)
    if asked.tables:
        measured(asked.program, "count")
    if asked.ridge:
        measured(asked.program, "ridge")
    if asked.summary:
        summary()
    if asked.figure:
        figure()


if __name__ == "__main__":
    main()
