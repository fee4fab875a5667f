"""Regressors: numbers in, numbers out, the same as the command line's, and at home among scikit-learn's tools."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import TransformedTargetRegressor
from sklearn.metrics import mean_pinball_loss, r2_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import perpend

FAST = dict(n_estimators=3, hidden_layer_sizes=16, epochs=40)


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(0)
    X = pd.DataFrame({"a": random.normal(size=300), "b": random.normal(size=300), "c": random.choice(["x", "y", "z"], 300)})
    y = pd.Series(50 + 10 * X.a + 3 * X.a * X.b + 5 * (X.c == "x") + random.normal(size=300), name="price")
    return X, y


@pytest.fixture(scope="module")
def model(rows):
    return perpend.LITRegressor(random_state=0).fit(*rows)


def test_a_fit_predicts_numbers(model, rows):
    X, y = rows
    assert r2_score(y, model.predict(X)) > 0.95
    assert model.score(X, y) == pytest.approx(model.evaluate(X, y)["r2"], abs=1e-6)
    members = model.predict_members(X)
    assert members.shape == (len(model.estimators_), len(X))
    np.testing.assert_allclose(model.estimator_weights_ @ members, model.predict(X), rtol=1e-12)
    np.testing.assert_allclose(model.disagreement(X), members.std(axis=0), rtol=1e-9)
    assert not hasattr(model, "predict_proba") and not hasattr(model, "classes_")


def test_intervals_hold_their_share_of_fresh_rows(model):
    random = np.random.default_rng(1)
    X = pd.DataFrame({"a": random.normal(size=2000), "b": random.normal(size=2000), "c": random.choice(["x", "y", "z"], 2000)})
    y = 50 + 10 * X.a + 3 * X.a * X.b + 5 * (X.c == "x") + random.normal(size=2000)
    low, high = model.predict_interval(X, coverage=0.8).T
    assert 0.7 < ((low <= y) & (y <= high)).mean() < 0.9


def test_a_quantile_is_better_by_its_own_loss(rows):
    X, y = rows
    mean = perpend.LITRegressor(random_state=0).fit(X, y)
    high = perpend.LITRegressor(random_state=0, loss="quantile=0.9").fit(X, y)
    assert mean_pinball_loss(y, high.predict(X), alpha=0.9) < mean_pinball_loss(y, mean.predict(X), alpha=0.9)
    assert 0.8 < (y <= high.predict(X)).mean() < 0.995


def test_the_command_line_trains_the_same_bytes(rows, tmp_path, program):
    X, y = rows
    table = X.assign(price=y)
    table.to_csv(tmp_path / "t.csv", index=False, float_format="%.17g")
    made = tmp_path / "m.safetensors"
    program("train", tmp_path / "t.csv", "--target", "price", "--split", "none", "--task", "regress", "-o", made)
    assert (tmp_path / "m.safetensors").read_bytes() == perpend.LITRegressor(random_state=0).fit(X, y).to_bytes()
    loaded = perpend.load(tmp_path / "m.safetensors")
    assert type(loaded) is perpend.LITRegressor
    np.testing.assert_array_equal(loaded.predict(X), perpend.LITRegressor(random_state=0).fit(X, y).predict(X))
    with pytest.raises(perpend.ModelFileError, match="predicts a number"):
        perpend.LITClassifier.load(tmp_path / "m.safetensors")


def test_it_works_in_scikit_learns_tools(rows):
    X, y = rows[0][["a", "b"]], rows[1]
    pipeline = make_pipeline(StandardScaler(), perpend.LITRegressor(**FAST))
    assert pipeline.fit(X, y).score(X, y) > 0.7
    search = GridSearchCV(perpend.LITRegressor(**FAST), {"lambda_": [0.0, 0.1]}, cv=2).fit(X, y)
    assert search.best_params_["lambda_"] in (0.0, 0.1)
    logarithm = TransformedTargetRegressor(perpend.LITRegressor(**FAST), func=np.log, inverse_func=np.exp)
    assert logarithm.fit(X, np.exp(y / 20)).predict(X).min() > 0
    both = MultiOutputRegressor(perpend.LITRegressor(**FAST)).fit(X, np.column_stack([y, -y]))
    assert both.predict(X).shape == (len(X), 2)


def test_processes_give_the_scores_of_one(rows):
    X, y = rows[0][["a", "b"]], rows[1]
    alone = cross_val_score(perpend.LITRegressor(n_jobs=1, **FAST), X, y, cv=3)
    np.testing.assert_array_equal(alone, cross_val_score(perpend.LITRegressor(n_jobs=1, **FAST), X, y, cv=3, n_jobs=2))


def test_what_cannot_be_predicted_is_said(rows):
    X, y = rows
    with pytest.raises(ValueError, match="MultiOutputRegressor"):
        perpend.LITRegressor().fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="needs numbers"):
        perpend.LITRegressor().fit(X, X.c)
    with pytest.raises(ValueError, match="NaN"):
        perpend.LITRegressor().fit(X, y.where(y < 60))
    with pytest.raises(TypeError, match="class_weight"):
        perpend.LITRegressor(class_weight="balanced")


def test_a_comparison_of_numbers(rows):
    from sklearn.ensemble import ExtraTreesRegressor

    X, y = rows
    found = perpend.compare(X, y, restarts=1, epochs=3, hidden_layer_sizes=8, splits=["random"], others=[ExtraTreesRegressor()])
    split = found.record["splits"][0]
    assert {other["name"] for other in split["others"]} == {"linear regression", "ExtraTreesRegressor"}
    assert "ace" not in [method["method"] for method in split["methods"]]
    assert found.to_frame().r2_mean.notna().all()
    assert type(found.estimator("random")).__name__.endswith("Regressor")


def test_weights_adapt_to_a_new_place(model, rows):
    X, y = rows
    adapted = model.adapt(X.iloc[:20], y.iloc[:20])
    assert adapted.summary_["adapted"]["rows"] == 20
    assert json.loads(json.dumps(adapted.summary_))["adapted"]["loss_after"] <= 1.05 * adapted.summary_["adapted"]["loss_before"]


def test_onnx_gives_the_same_numbers(model, rows, tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    X, y = rows
    model.export_onnx(tmp_path / "m.onnx")
    session = onnxruntime.InferenceSession(str(tmp_path / "m.onnx"))
    feeds = {
        "a": X.a.to_numpy().reshape(-1, 1),
        "b": X.b.to_numpy().reshape(-1, 1),
        "c": X.c.to_numpy(object).reshape(-1, 1),
    }
    outputs = dict(zip([o.name for o in session.get_outputs()], session.run(None, feeds)))
    np.testing.assert_allclose(outputs["prediction"], model.predict(X), rtol=1e-6)
    np.testing.assert_allclose(outputs["disagreement"], model.disagreement(X), rtol=1e-4)
