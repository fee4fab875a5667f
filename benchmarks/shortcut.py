#!/usr/bin/env python3
"""Repeats the story of the README for several seeds: train on shortcut, see where the column ward fails, adapt with 16
labelled rows.

    benchmarks/shortcut.py PROGRAM [--seeds 10] [-- OPTIONS of perpend train]

Prints per seed the AUC of the ensemble and of its best member where ward is useless (shortcut-failed), and the AUC where
ward is reversed (shortcut-flipped), before and after adapt.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=10)
    asked, options = parser.parse_known_args()
    options = [word for word in options if word != "--"]

    def run(*words):
        return subprocess.run([asked.program, *map(str, words)], capture_output=True, text=True, check=True).stdout

    def evaluate(model, data):
        return json.loads(run("evaluate", model, data, "--json"))["metrics"]

    print("seed  failed: ensemble  best member  flipped: before  after adapt")
    with tempfile.TemporaryDirectory() as name:
        data, few, model, there = (pathlib.Path(name) / file for file in ("s.csv", "few.csv", "m", "there"))
        run("data", "make", "shortcut", "-o", data)
        for seed in range(asked.seeds):
            run("train", data, "--target", "target", "--seed", seed, "-o", model, "--force", *options)
            run("data", "make", "shortcut-flipped", "--rows", 16, "--seed", seed + 1, "-o", few, "--force")
            run("adapt", model, few, "-o", there, "--force")
            failed = evaluate(model, "builtin:shortcut-failed")
            best = max(member["auc"] for member in failed["members"])
            before, after = (evaluate(file, "builtin:shortcut-flipped")["auc"] for file in (model, there))
            print(f"{seed:4}  {failed['auc']:16.3f}  {best:11.3f}  {before:15.3f}  {after:11.3f}", flush=True)


if __name__ == "__main__":
    main()
