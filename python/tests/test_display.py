"""What a notebook shows: tables without scripts, scikit-learn's own diagram, and the report where it stands."""

import html
import html.parser
import json
import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from perpend import LITClassifier, LITRegressor, datasets

SOURCE = Path(os.environ.get("PERPEND_SOURCE", ""))
needs_source = pytest.mark.skipif(not os.environ.get("PERPEND_SOURCE"), reason="PERPEND_SOURCE does not name the source tree")


@pytest.fixture(scope="module")
def rows():
    return datasets.generate("shortcut", rows=200, as_frame=True) if _has_pandas() else datasets.generate("shortcut", rows=200)


@pytest.fixture(scope="module")
def model(rows):
    return LITClassifier(n_estimators=3, epochs=10).fit(*rows)


def _has_pandas():
    try:
        import pandas  # noqa: F401
    except ImportError:
        return False
    return True


def tags_of(text):
    """The tags of a piece of HTML, all of which are closed."""
    seen, open_tags = [], []

    class Reader(html.parser.HTMLParser):
        def handle_starttag(self, tag, attributes):
            seen.append(tag)
            open_tags.append(tag)

        def handle_endtag(self, tag):
            assert open_tags.pop() == tag

    Reader().feed(text)
    assert not open_tags
    return seen


def test_explanation_metrics_and_monitoring_are_tables_without_scripts(model, rows):
    X, y = rows
    for shown in (model.explain(X), model.evaluate(X, y), model.monitor(X)):
        tags = tags_of(shown._repr_html_())
        assert "script" not in tags
    assert "ward" in model.explain(X)._repr_html_()
    assert "log-loss" in model.evaluate(X, y)._repr_html_()


def test_metrics_are_a_dict_still(model, rows):
    found = model.evaluate(*rows)
    assert isinstance(found, dict) and json.loads(json.dumps(found))["auc"] == found["auc"]


def test_names_of_columns_cannot_write_html(rows):
    pd = pytest.importorskip("pandas")
    X, y = rows
    nasty = pd.DataFrame(np.asarray(X)).rename(columns=lambda i: f"<script>{i}</script>&")
    shown = LITClassifier(n_estimators=2, epochs=5).fit(nasty, y).explain(nasty)._repr_html_()
    assert "<script>" not in shown and "&lt;script&gt;" in shown


def test_the_diagram_of_scikit_learn_stays_and_says_what_was_fitted(model):
    for estimator in (LITClassifier(), LITRegressor(), model):
        shown = estimator._repr_mimebundle_()
        assert shown["text/plain"] == repr(estimator)
        assert "sk-container" in shown["text/html"] and "sk-container" in estimator._repr_html_()
    assert "What was fitted" in model._repr_mimebundle_()["text/html"]
    assert "What was fitted" not in LITClassifier()._repr_mimebundle_()["text/html"]
    assert "LITClassifier" in make_pipeline(StandardScaler(), LITClassifier())._repr_mimebundle_()["text/html"]


def test_the_report_is_a_path_and_shows_itself(model, rows, tmp_path):
    page = model.report(tmp_path / "report.html", *rows)
    assert os.fspath(page) == str(tmp_path / "report.html") and os.path.getsize(page) > 1000
    shown = page._repr_html_()
    assert tags_of(shown) == ["iframe"] and "sandbox=" in shown
    inner = shown.split('srcdoc="')[1].split('"')[0]
    assert html.unescape(inner) == page.path.read_text()


@needs_source
def test_the_notebook_runs_from_top_to_bottom(tmp_path, monkeypatch):
    """Cells run in order in one session, as a notebook runs them; what a cell ends with must be fit to be shown."""
    pytest.importorskip("pandas")
    pytest.importorskip("altair")
    import ast

    notebook = json.loads((SOURCE / "examples/first_steps.ipynb").read_text())
    assert notebook["nbformat"] == 4 and len(notebook["cells"]) > 10
    monkeypatch.chdir(tmp_path)
    session = {"__name__": "__main__"}
    shown = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "the notebook is kept without its outputs"
        body = ast.parse("".join(cell["source"]))
        last = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
        exec(compile(body, "first_steps.ipynb", "exec"), session)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "first_steps.ipynb", "eval"), session)
            bundle = getattr(value, "_repr_mimebundle_", None)
            page = getattr(value, "_repr_html_", None)
            assert repr(value)
            assert bundle is None or bundle(include=None, exclude=None)
            shown += bundle is not None or (page is not None and bool(page()))
    assert shown >= 5
