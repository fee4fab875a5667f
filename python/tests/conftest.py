"""Shared by the tests: small data, quick options, the command line."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import perpend

# Plain features for a given time: what members are can then be worked out by hand.
QUICK = dict(n_estimators=2, hidden_layer_sizes=(16,), epochs=4, batch_size=32, views="plain", early_stopping=False)
FLAGS = ["--members", "2", "--hidden", "16", "--epochs", "4", "--batch-size", "32", "--views", "plain"]
FLAGS += ["--early-stopping", "0"]


@pytest.fixture
def quick():
    return dict(QUICK)


@pytest.fixture
def shortcut():
    return perpend.datasets.generate("shortcut", rows=200)


@pytest.fixture
def program():
    """Runs the command line; skipped where there is none (PERPEND_PROGRAM names it)."""
    path = os.environ.get("PERPEND_PROGRAM")
    if not path or not Path(path).exists():
        pytest.skip("PERPEND_PROGRAM does not name the command line's program")

    def run(*arguments, check=True):
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True)
        if check:
            assert done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture
def mixed_frame():
    """Numbers, text, gaps, a code, a weight."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    n = 120
    x = rng.normal(size=n).round(3)
    return pandas.DataFrame(
        {
            "age": np.where(np.arange(n) % 11 == 0, np.nan, x),
            "colour": pandas.Categorical(rng.choice(["red", "green", "blue"], n)),
            "word": rng.choice(["a", "b"], n),
            "count": rng.integers(0, 9, n),
            "weight": rng.integers(0, 3, n) + 0.5,
            "label": np.where(x + rng.normal(size=n) > 0, "yes", "no"),
        }
    )
