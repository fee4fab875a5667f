"""What columns are worth, and how the answers change with them: as on the command line."""

import hashlib
import json
import pickle

import numpy as np
import pytest
from conftest import QUICK
from sklearn.base import clone

import perpend


@pytest.fixture
def rows():
    """The second column decides, the first is noise, the third is constant and so dropped."""
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=200), rng.normal(size=200), np.full(200, 3.0)])
    return X, X[:, 1] > 0


@pytest.fixture
def model(rows):
    with pytest.warns(perpend.PerpendWarning, match="constant"):
        return perpend.LITClassifier(**{**QUICK, "epochs": 40}).fit(*rows)


def test_feature_importances_follow_the_columns_of_X(model, rows):
    found = model.feature_importances_
    assert found.shape == (3,) and found.sum() == pytest.approx(1)
    assert found[1] > found[0] > 0
    assert found[2] == 0, "a dropped column has none"
    expected = model.explain(rows[0]).importances
    assert found[:2] == pytest.approx(expected, abs=2e-6)


def test_feature_importances_are_in_files_and_pickles(model, tmp_path):
    found = model.feature_importances_
    model.save(tmp_path / "m")
    assert (perpend.load(tmp_path / "m").feature_importances_ == found).all()
    assert (pickle.loads(pickle.dumps(model)).feature_importances_ == found).all()


def without_importances(file):
    """The model file as an earlier version wrote it: its summary has no importances."""
    length = int.from_bytes(file[:8], "little")
    header = json.loads(file[8 : 8 + length])
    metadata = header["__metadata__"]
    summary = json.loads(metadata["summary"])
    del summary["importances"]
    metadata |= {"summary": json.dumps(summary), "sha256": "0" * 64}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % 64)
    made = len(text).to_bytes(8, "little") + text + file[8 + length :]
    return made.replace(b"0" * 64, hashlib.sha256(made).hexdigest().encode(), 1)


def test_there_are_none_before_fit_and_in_old_files(model, tmp_path):
    assert not hasattr(clone(model), "feature_importances_")
    old = tmp_path / "old"
    old.write_bytes(without_importances(model.to_bytes()))
    with pytest.raises(AttributeError, match="earlier version"):
        perpend.load(old).feature_importances_


def test_permutation_importance_finds_what_decides(model, rows, program, tmp_path):
    found = model.permutation_importance(*rows)
    assert found.columns == ["x0", "x1"]
    assert found.increases[1] > 0.1 > abs(found.increases[0])
    assert found.members.shape == (2, 2)
    assert found.loss == pytest.approx(model.evaluate(*rows)["log_loss"])
    assert model.permutation_importance(*rows, repeats=9).standard_errors[1] > 0
    with pytest.raises(ValueError, match="repeats"):
        model.permutation_importance(*rows, repeats=1)
    model.save(tmp_path / "m")
    np.save(tmp_path / "X.npy", rows[0])
    np.save(tmp_path / "y.npy", rows[1].astype(int))
    columns = (perpend.load(tmp_path / "m").explain(rows[0]).columns, found.columns)
    assert columns[0] == columns[1]


def test_partial_dependence_is_the_mean_of_changed_rows(model, rows, program, tmp_path):
    X, _ = rows
    found = model.partial_dependence(X, 1)
    assert found.column == "x1" and len(found.grid) == 20
    assert (np.diff(found.grid) > 0).all() and (np.diff(found.ensemble) > 0).all()
    assert found.members.shape == (2, 20)
    changed = X.copy()
    changed[:, 1] = found.grid[7]
    assert found.ensemble[7] == pytest.approx(model.predict_proba(changed)[:, 1].mean(), abs=1e-9)
    members = model.predict_proba_members(changed)[:, :, 1].astype(float).mean(axis=1)
    assert found.members[:, 7] == pytest.approx(members, abs=1e-9)
    model.save(tmp_path / "m")
    np.save(tmp_path / "X.npy", X)
    there = json.loads(program("explain", tmp_path / "m", tmp_path / "X.npy", "--curve", "x1", "--json").stdout)
    assert there["curves"][0]["ensemble"] == found.ensemble.tolist()
    with pytest.raises(ValueError, match="x2"):
        model.partial_dependence(X, "x2")


def test_a_regressor_has_them_too(rows):
    X, _ = rows
    y = 5 + 2 * X[:, 1]
    with pytest.warns(perpend.PerpendWarning, match="constant"):
        model = perpend.LITRegressor(**{**QUICK, "epochs": 40}).fit(X, y)
    assert np.argmax(model.feature_importances_) == 1
    found = model.permutation_importance(X, y)
    assert found.loss_name == "squared error" and found.increases[1] > 1
    curve = model.partial_dependence(X, "x1")
    assert curve.ensemble[0] < 5 < curve.ensemble[-1]


def test_three_classes_have_a_curve_each(rows):
    X, _ = rows
    y = np.digitize(X[:, 1], [-0.5, 0.5])
    with pytest.warns(perpend.PerpendWarning, match="constant"):
        model = perpend.RestartClassifier(**QUICK).fit(X, y)
    found = model.partial_dependence(X, "x1")
    assert found.ensemble.shape == (3, 20) and found.members.shape == (3, 2, 20)
    assert found.ensemble.sum(axis=0) == pytest.approx(np.ones(20))
