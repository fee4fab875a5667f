"""monitor: new rows beside those that a model was trained on."""

import numpy as np
import pandas as pd
import pytest

import perpend
from perpend import LITClassifier, LITRegressor


def rows(count, seed, shift=0.0):
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"a": random.normal(shift, 1, count), "b": random.normal(0, 1, count)})
    X["c"] = random.choice(["red", "green", "blue"], count)
    return X, (X.a + 0.3 * random.normal(0, 1, count) > 0).map({True: "yes", False: "no"})


@pytest.fixture(scope="module")
def model():
    return LITClassifier(n_estimators=3, hidden_layer_sizes=8, epochs=20, random_state=0).fit(*rows(500, 0))


def test_like_rows_are_like(model):
    found = model.monitor(rows(200, 1)[0])
    assert isinstance(found, perpend.Monitoring)
    assert found.verdict == "like" and found.p_value >= found.alarm == 0.01
    assert found.measured is None and found.windows == []
    assert str(found).startswith("verdict              like\n")


def test_a_moved_column_is_named(model):
    X, y = rows(200, 2, shift=1.0)
    found = model.monitor(X, y)
    assert found.verdict == "moved"
    assert found.columns[0]["name"] == "a" and found.columns[0]["matters"] > 0.1
    assert len(found.columns[0]["members"]) == 3
    assert found.measured["accuracy"] == pytest.approx(model.score(X, y))
    assert "1 of 3 columns moved: 'a'" in found.summary
    assert found.before["part"] == "validation" and found.before["auc"] > found.measured["auc"] - 0.1


def test_unseen_levels_are_far_and_rows_count_from_zero(model):
    X, _ = rows(100, 3)
    X.loc[40:, "c"] = "violet"
    found = model.monitor(X)
    assert found.verdict == "far" and found.unseen_rows == 60
    unseen = [row["row"] for row in found.look if "c" in row["columns"]]
    assert unseen and all(row >= 40 for row in unseen)


def test_windows_say_from_which_row_on(model):
    X, y = rows(600, 4)
    X.loc[300:, "a"] += 3
    found = model.monitor(X, y, window=100)
    assert [window["first"] for window in found.windows] == [0, 100, 200, 300, 400, 500]
    assert found.windows[0]["p_value"] > 0.01 > found.windows[4]["p_value"]
    assert abs(found.changes[0]["row"] - 300) <= 64 and found.changes[0]["measure"] == "error"
    assert {window["name"] for window in model.monitor(X, window="c").windows} == {"red", "green", "blue"}


def test_the_training_rows_are_like(model):
    assert model.monitor(rows(500, 0)[0]).verdict == "like"


def test_a_file_remembers(model, tmp_path):
    model.save(tmp_path / "m.safetensors")
    X, _ = rows(100, 5, shift=0.5)
    assert str(perpend.load(tmp_path / "m.safetensors").monitor(X)) == str(model.monitor(X))


def test_regressors_are_monitored():
    X, _ = rows(400, 6)
    model = LITRegressor(n_estimators=2, hidden_layer_sizes=8, epochs=10, random_state=0).fit(X, 2 * X.a)
    X, _ = rows(200, 7, shift=2.0)
    found = model.monitor(X, 2 * X.a)
    assert found.verdict != "like" and found.doubt is None and found.measured["rmse"] > 0


def test_what_cannot_be_monitored_says_why(model):
    plain = LITClassifier(n_estimators=2, hidden_layer_sizes=8, epochs=5, views="plain").fit(*rows(200, 8))
    with pytest.raises(perpend.ConfigError, match="plain features"):
        plain.monitor(rows(50, 9)[0])
    with pytest.raises(perpend.ConfigError, match="alarm"):
        model.monitor(rows(50, 9)[0], alarm=2)
    with pytest.raises(perpend.DataError, match="month"):
        model.monitor(rows(50, 9)[0], window="month")
