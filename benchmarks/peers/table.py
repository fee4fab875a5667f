#!/usr/bin/env python3
"""One table of ratios from the lines that `run` collects: table.py RESULTS.jsonl.

table.py --ours BENCH.json METHOD... turns these methods of one `perpend bench --json` into such lines.
"""

import json
import statistics
import sys

SHAPE = ("bins", "features", "members", "method")


def our_lines(path, methods):
    with open(path, encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    for case in cases:
        if case["threads"] == 1 and case["method"] in methods:
            milliseconds = case["ms_per_step"]
            yield {"peer": "perpend", "form": "", **{key: case[key] for key in SHAPE},
                   "ms_per_step": milliseconds, "spread": [milliseconds, milliseconds]}


def grouped(lines):
    """{(bins, features, members, method): {(peer, form): (median, least, most)}} over repeated runs."""
    groups = {}
    for line in lines:
        shape = groups.setdefault(tuple(line[key] for key in SHAPE), {})
        shape.setdefault((line["peer"], line["form"]), []).append(line)
    return {
        shape: {
            who: (
                statistics.median(line["ms_per_step"] for line in runs),
                min(line["spread"][0] for line in runs),
                max(line["spread"][1] for line in runs),
            )
            for who, runs in found.items()
        }
        for shape, found in groups.items()
    }


def table(lines):
    print(f"{'bins':>4} {'D':>4} {'M':>3} {'method':<9} {'peer':<14} {'form':<9} {'ms a step (least to most)':>28} "
          f"{'times ours (least to most)':>30}")
    for (bins, features, members, method), found in sorted(grouped(lines).items()):
        ours = found.get(("perpend", ""))
        for (peer, form), (middle, least, most) in sorted(found.items(), key=lambda item: item[1][0]):
            ratio = "-"
            if ours and peer != "perpend":
                ratio = f"{middle / ours[0]:.1f} ({least / ours[2]:.1f} to {most / ours[1]:.1f})"
            took = f"{middle:.3f} ({least:.3f} to {most:.3f})"
            print(f"{bins:>4} {features:>4} {members:>3} {method:<9} {peer:<14} {form:<9} {took:>28} {ratio:>30}")


def main():
    if sys.argv[1] == "--ours":
        for line in our_lines(sys.argv[2], sys.argv[3:]):
            print(json.dumps(line))
        return
    with open(sys.argv[1], encoding="utf-8") as file:
        table([json.loads(line) for line in file])


if __name__ == "__main__":
    main()
