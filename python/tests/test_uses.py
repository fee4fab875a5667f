"""What the command line's verbs do, Python does with the same numbers: predict --abstain, adapt, evaluate --epsilon, compare."""

import json
import warnings

import numpy as np
import pytest
from conftest import QUICK

import perpend


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", perpend.PerpendWarning)
        yield


@pytest.fixture
def model(shortcut):
    return perpend.LITClassifier(**QUICK).fit(*shortcut)


@pytest.fixture
def saved(model, shortcut, tmp_path):
    """The paths of the model, of rows and of rows with labels, as the command line takes them."""
    X, y = shortcut
    model.save(tmp_path / "m")
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", np.searchsorted(model.classes_, y))
    return tmp_path / "m", tmp_path / "X.npy", f"{tmp_path}/X.npy,{tmp_path}/y.npy"


def test_predict_abstains_where_members_disagree_more_than_usual(model, shortcut):
    X, _ = shortcut
    plain = model.predict(X)
    marked = model.abstains(X, 0.1)
    answers = model.predict(X, abstain=0.1)
    assert marked.dtype == bool and 0 < marked.mean() <= 0.1, "these are the familiar rows"
    assert model.disagreement(X)[marked].min() > model.disagreement(X)[~marked].max()
    assert answers.dtype == object
    assert [a is None for a in answers] == marked.tolist()
    assert (answers[~marked] == plain[~marked]).all()
    assert model.abstains(X * 5, 0.1).mean() > marked.mean()
    with pytest.raises(ValueError, match="abstain"):
        model.predict(X, abstain=2)


def test_abstaining_is_that_of_the_command_line(model, saved, shortcut, program, tmp_path):
    path, rows, _ = saved
    program("predict", path, rows, "-o", tmp_path / "p.csv", "--abstain", 0.2)
    lines = (tmp_path / "p.csv").read_text().splitlines()
    cells = [dict(zip(lines[0].split(","), line.split(","))) for line in lines[1:]]
    there = [cell.get("abstain", cell.get("abstained")) in ("1", "true", "yes") for cell in cells]
    assert there == model.abstains(shortcut[0], 0.2).tolist()


def test_adapt_gives_a_new_estimator(model, shortcut):
    X, y = shortcut
    before = model.to_bytes()
    there = model.adapt(X[:40], y[:40])
    assert model.to_bytes() == before and type(there) is type(model) and there.get_params() == model.get_params()
    assert there.estimator_weights_.sum() == pytest.approx(1) and (there.estimator_weights_ != model.estimator_weights_).any()
    assert there.summary_["adapted"]["rows"] == 40
    assert there.summary_["adapted"]["log_loss_after"] <= there.summary_["adapted"]["log_loss_before"]
    assert (there.predict_proba_members(X) == model.predict_proba_members(X)).all()
    assert (there.predict_proba(X) != model.predict_proba(X)).any()
    with pytest.warns(perpend.PerpendWarning, match="rows? cannot say much about the members"):
        model.adapt(X[:4], y[:4])


def test_adapting_gives_the_bytes_of_the_command_line(model, saved, shortcut, program, tmp_path):
    X, y = shortcut
    path, _, labelled = saved
    codes = np.searchsorted(model.classes_, y)
    here = perpend.LITClassifier(**QUICK).fit(X, codes)
    here.save(tmp_path / "codes")
    program("adapt", tmp_path / "codes", labelled, "-o", tmp_path / "there")
    assert here.adapt(X, codes).to_bytes() == (tmp_path / "there").read_bytes()


def test_independence_at_a_distance_is_that_of_the_command_line(shortcut, program, saved, tmp_path):
    X, y = shortcut
    codes = (y == np.unique(y)[1]).astype(int)
    here = perpend.LITClassifier(**QUICK).fit(X, codes)
    here.save(tmp_path / "codes")
    there = json.loads(program("evaluate", tmp_path / "codes", saved[2], "--epsilon", "0.1,1", "--json").stdout)
    found = here.evaluate(X, codes, epsilon=(0.1, 1))
    assert found["finite"] == there["finite"] and found["auc"] == there["metrics"]["auc"]
    assert here.evaluate(X, codes, epsilon=0.1)["finite"]["epsilons"] == there["finite"]["epsilons"][:1]
    assert "finite" not in here.evaluate(X, codes)


def test_compare(shortcut, program, tmp_path):
    X, y = shortcut
    codes = (y == np.unique(y)[1]).astype(int)
    given = dict(hidden_layer_sizes=8, epochs=2, batch_size=32, n_jobs=1)
    found = perpend.compare(X, codes, restarts=2, minutes=None, n_estimators=(2,), lambdas=(0.1, 1.0), splits=["random"], **given)
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", codes)
    flags = ["--hidden", 8, "--epochs", 2, "--batch-size", 32, "--threads", 1, "--restarts", 2, "--split", "random"]
    flags += ["--members", 2, "--lambdas", "0.1,1"]
    there = json.loads(program("compare", f"{tmp_path}/X.npy,{tmp_path}/y.npy", "--target", "target", "--json", *flags).stdout)
    assert found.record["splits"] == there["splits"] and found.record["trials"] == there["trials"]
    assert repr(found).startswith("\nrandom split\nmethod") and "restarts" in repr(found) and found.readings[0] in repr(found)
    assert set(found.winners) == {"random"}
    pytest.importorskip("pandas")
    frame = found.to_frame()
    assert len(frame) == len(there["splits"][0]["methods"]) and set(frame["n_estimators"]) == {2}
    assert frame["auc_mean"].between(0, 1).all()
    with pytest.raises(TypeError, match="'members'; it is called n_estimators"):
        perpend.compare(X, codes, members=3)


def test_uses_take_frames_and_words(mixed_frame):
    X, y = mixed_frame.drop(columns=["label"]), mixed_frame["label"]
    model = perpend.RestartClassifier(**QUICK, missing="mean").fit(X, y)
    there = model.adapt(X[:30], y[:30])
    assert set(there.predict(X, abstain=0.5)) <= {"yes", "no", None}
    assert len(there.evaluate(X, y)["members"]) == 2
