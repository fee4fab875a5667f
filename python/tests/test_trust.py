"""Whom to trust: sets, promises, the parts of uncertainty, and performance without labels."""

import warnings

import numpy as np
import pytest

import perpend

SMALL = dict(n_estimators=3, hidden_layer_sizes=(8,), epochs=10, random_state=1)


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", perpend.PerpendWarning)
        yield


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(900, 3))
    return X, np.where(X[:, 0] + 0.5 * rng.normal(size=900) > 0, "yes", "no")


@pytest.fixture(scope="module")
def model(rows):
    X, y = rows
    return perpend.LITClassifier(**SMALL).fit(X[:300], y[:300], eval_set=(X[300:600], y[300:600]))


def test_sets_hold_the_share_that_was_asked(model, rows):
    X, y = rows
    found = model.predict_set(X[600:], coverage=0.9)
    assert found.shape == (300, 2) and found.dtype == bool
    holds = found[np.arange(300), np.searchsorted(model.classes_, y[600:])]
    assert 0.84 < holds.mean() < 0.96
    assert model.predict_set(X[600:], 0.99).sum() >= found.sum()
    assert model.predict_set(X[600:], shifted=True).shape == (300, 2)


def test_a_promise_is_kept_and_named(model, rows):
    X, y = rows
    refused = model.abstains(X[600:], "error=0.1")
    rule = model.abstain_rule("error=0.1")
    assert rule["signal"] == "doubt" and rule["home_rows"] == 300 and rule["error_bound"] <= 0.1
    doubt = 1 - model.predict_proba(X[600:]).max(axis=1)
    assert (refused == (doubt > rule["most"])).all()
    answers = model.predict(X[600:], abstain="error=0.1")
    assert (answers[~refused] != y[600:][~refused]).mean() < 0.1
    assert all(answer is None for answer in answers[refused])


def test_a_share_is_that_of_the_validation_rows(model, rows):
    X, _ = rows
    assert model.abstains(X[300:600], 0.2).mean() == pytest.approx(0.2, abs=0.01)
    with pytest.raises(perpend.ConfigError, match="abstain"):
        model.predict(X, abstain="errors=0.1")


def test_uncertainty_is_the_entropy_of_the_mean(model, rows):
    X, _ = rows
    parts = model.uncertainty(X)
    mean = model.predict_proba_members(X).astype(float).mean(axis=0)
    entropy = -(mean * np.log(mean)).sum(axis=1)
    assert parts["data"] + parts["knowledge"] == pytest.approx(entropy, abs=1e-6)
    assert (parts["knowledge"] >= 0).all()


def test_expected_performance_is_that_at_home_on_like_rows_and_less_elsewhere(model, rows):
    X, y = rows
    like = model.expected_performance(X[600:])
    assert like["accuracy"]["low"] <= model.score(X[600:], y[600:]) <= like["accuracy"]["high"]
    far = model.expected_performance(X[600:] * 8 + 20)
    assert far["accuracy"]["mid"] < like["accuracy"]["mid"]
    assert far["accuracy"]["high"] - far["accuracy"]["low"] > like["accuracy"]["high"] - like["accuracy"]["low"]


def test_a_number_has_no_expected_performance(rows):
    X, _ = rows
    model = perpend.LITRegressor(**SMALL).fit(X, X[:, 0])
    found = model.expected_performance(X)
    assert found["accuracy"] is None and "number" in found["reason"]
    assert model.abstain_rule(0.1)["signal"] == "disagreement"
    with pytest.raises(perpend.ConfigError, match="abstain"):
        model.abstains(X, "error=0.1")
