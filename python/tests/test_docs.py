"""The pages run, the reference is current, docstrings' examples hold, types check."""

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import perpend

SOURCE = Path(os.environ.get("PERPEND_SOURCE", ""))
needs_source = pytest.mark.skipif(not os.environ.get("PERPEND_SOURCE"), reason="PERPEND_SOURCE does not name the source tree")


def pages_that_run():
    """README.md, and the pages of docs whose Python blocks are one session each."""
    docs = SOURCE / "docs"
    named = [docs / f"{name}.md" for name in ("tutorial", "start", "ideas", "independence")]
    pages = [SOURCE / "README.md", *named, *sorted(docs.glob("how-to/*.md"))]
    return [page for page in pages if page.exists() and python_blocks(page)]


def python_blocks(page):
    """The Python blocks of a page, which may be indented, as in a tab of the site."""
    found = re.findall(r"^( *)```python\n(.*?)^ *```", page.read_text(), re.S | re.M)
    return [textwrap.dedent(block) for _, block in found]


@needs_source
@pytest.mark.parametrize("page", pages_that_run(), ids=lambda page: page.stem)
def test_the_pages_run_and_say_what_they_show(page, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    if page.stem != "tutorial":
        pytest.importorskip("mypy")  # of the newest environment alone, for one of them is enough
    monkeypatch.chdir(tmp_path)
    session = {}
    for block in python_blocks(page):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(block, str(page), "exec"), session)
        assert said.getvalue().split("\n")[:-1] == re.findall(r"# -> (.*)", block), block


@needs_source
def test_the_tutorial_and_the_first_pages_are_among_them():
    assert {"README", "tutorial", "start", "shift"} <= {page.stem for page in pages_that_run()}
    assert len(python_blocks(SOURCE / "docs/tutorial.md")) > 8


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
