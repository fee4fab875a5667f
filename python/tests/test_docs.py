"""The tutorial runs, the reference is current, docstrings' examples hold, types check."""

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import perpend

SOURCE = Path(os.environ.get("PERPEND_SOURCE", ""))
needs_source = pytest.mark.skipif(not os.environ.get("PERPEND_SOURCE"), reason="PERPEND_SOURCE does not name the source tree")


@needs_source
def test_the_tutorial_runs_and_says_what_it_shows():
    pytest.importorskip("pandas")
    text = (SOURCE / "docs/tutorial.md").read_text()
    session = {}
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) > 8
    for block in blocks:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(block, "docs/tutorial.md", "exec"), session)
        assert said.getvalue().split("\n")[:-1] == re.findall(r"# -> (.*)", block), block


@needs_source
def test_the_reference_is_current():
    pytest.importorskip("mypy")  # of the newest environment alone: signatures are shown as its Python shows them
    made = subprocess.run([sys.executable, SOURCE / "tools/make_python_api"], capture_output=True, text=True, check=True).stdout
    written = (SOURCE / "docs/python-api.md").read_text()
    assert made == written, "run tools/make_python_api > docs/python-api.md"


@pytest.mark.parametrize("module", [perpend, perpend._compare, perpend._estimators])
def test_examples_of_docstrings_hold(module):
    found = doctest.testmod(module)
    assert found.attempted > 0 and found.failed == 0


def test_the_package_is_typed():
    package = Path(perpend.__file__).parent
    assert (package / "py.typed").exists()
    stub = (package / "_core.pyi").read_text()
    assert "class Model" in stub and "def fit(" in stub


@needs_source
def test_types_check():
    pytest.importorskip("mypy")
    config = SOURCE / "pyproject.toml"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", os.devnull, "--config-file", config, "-p", "perpend"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
