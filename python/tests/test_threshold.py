"""Calibrated probabilities and thresholds, as scikit-learn's tools use them."""

import json
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import recall_score
from sklearn.model_selection import GridSearchCV

import perpend

SMALL = dict(n_estimators=2, hidden_layer_sizes=(8,), epochs=5, random_state=1)


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", perpend.PerpendWarning)
        yield


@pytest.fixture
def noisy():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(300, 3))
    return X, np.where(X[:, 0] + rng.normal(size=300) > 0.8, "yes", "no")


def test_predict_follows_the_threshold(noisy):
    X, y = noisy
    model = perpend.LITClassifier(**SMALL, threshold=0.2).fit(X, y)
    p = model.predict_proba(X)[:, 1]
    assert ((p > 0.2) & (p <= 0.5)).any()
    assert (model.predict(X) == np.where(p > 0.2, "yes", "no")).all()
    assert model.score(X, y) == np.mean(model.predict(X) == y)
    counts = model.evaluate(X, y)["at_threshold"]
    assert counts["recall"] == pytest.approx(recall_score(y, model.predict(X), pos_label="yes"))


def test_an_aim_is_found_on_rows_held_out(noisy):
    X, y = noisy
    model = perpend.LITClassifier(**SMALL, threshold="recall=0.9").fit(X, y)
    assert model.summary_["metrics"]["validation"]["at_threshold"]["recall"] >= 0.9
    given = perpend.LITClassifier(**SMALL, threshold="recall=0.9").fit(X[:200], y[:200], eval_set=(X[200:], y[200:]))
    assert recall_score(y[200:], given.predict(X[200:]), pos_label="yes") >= 0.9


@pytest.mark.parametrize("calibrate", ["temperature", "isotonic"])
def test_members_keep_their_probabilities(noisy, calibrate):
    X, y = noisy
    plain = perpend.LITClassifier(**SMALL).fit(X, y)
    model = perpend.LITClassifier(**SMALL, calibrate=calibrate).fit(X, y)
    assert (model.predict_proba_members(X) == plain.predict_proba_members(X)).all()
    before, after = plain.predict_proba(X)[:, 1], model.predict_proba(X)[:, 1]
    assert not np.allclose(before, after)
    assert (np.diff(after[np.argsort(before)]) >= 0).all()


def test_clone_search_and_load_know_them(noisy, tmp_path):
    X, y = noisy
    model = perpend.LITClassifier(**SMALL, calibrate="temperature", threshold="cost=1:5")
    assert clone(model).get_params()["threshold"] == "cost=1:5"
    model.fit(X, y).save(tmp_path / "m.safetensors")
    back = perpend.load(tmp_path / "m.safetensors")
    assert (back.calibrate, back.threshold) == ("temperature", "cost=1:5")
    assert (back.predict(X) == model.predict(X)).all()
    plain = perpend.LITClassifier(**SMALL).fit(X, y)
    plain.save(tmp_path / "plain.safetensors")
    assert perpend.load(tmp_path / "plain.safetensors").threshold is None
    search = GridSearchCV(perpend.LITClassifier(**SMALL), {"threshold": [None, 0.3, "f1"]}, scoring="f1_macro", cv=2)
    assert search.fit(X, y).best_params_["threshold"] in (None, 0.3, "f1")


def test_the_file_is_the_command_lines(noisy, program, tmp_path):
    X, y = noisy
    rows = "\n".join(",".join([*map(repr, map(float, row)), label]) for row, label in zip(X, y))
    (tmp_path / "t.csv").write_text("x0,x1,x2,y\n" + rows + "\n")
    flags = ["--members", 2, "--hidden", 8, "--epochs", 5, "--seed", 1, "--split", "none", "--calibrate", "isotonic"]
    program("train", tmp_path / "t.csv", "--target", "y", "-o", tmp_path / "c", *flags, "--threshold", 0.3)
    program("predict", tmp_path / "c", tmp_path / "t.csv", "-o", tmp_path / "p.csv")
    labels = [line.split(",")[1] for line in (tmp_path / "p.csv").read_text().splitlines()[1:]]
    model = perpend.LITClassifier(**SMALL, calibrate="isotonic", threshold=0.3).fit(X, y)
    assert labels == model.predict(X).tolist()
    told = json.loads(program("inspect", tmp_path / "c", "--json").stdout)
    assert told["options"]["threshold"] == model.options_["threshold"] == 0.3


def test_refusals_are_python_s_own(noisy):
    X, y = noisy
    with pytest.raises(ValueError, match="threshold is 'recall=2'; it must be a number"):
        perpend.LITClassifier(**SMALL, threshold="recall=2").fit(X, y)
    three = np.digitize(X[:, 0], [-0.5, 0.5])
    with pytest.raises(ValueError, match="threshold is for two classes; the table has 3 classes"):
        perpend.LITClassifier(**SMALL, threshold=0.3).fit(X, three)
    with pytest.raises(ValueError, match='use calibrate="temperature"'):
        perpend.LITClassifier(**SMALL, calibrate="isotonic").fit(X, three)
    with pytest.raises(ValueError, match="needs validation rows"):
        perpend.LITClassifier(**SMALL, calibrate="temperature", early_stopping=False).fit(X, y)
