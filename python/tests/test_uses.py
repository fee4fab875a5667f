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
    turned = np.where(y == model.classes_[1], *model.classes_)  # the other class
    there = model.adapt(X[:40], turned[:40])
    assert model.to_bytes() == before and type(there) is type(model) and there.get_params() == model.get_params()
    assert there.estimator_weights_.sum() == pytest.approx(1) and (there.estimator_weights_ != model.estimator_weights_).any()
    assert there.summary_["adapted"]["rows"] == 40
    assert there.summary_["adapted"]["log_loss_after"] < there.summary_["adapted"]["log_loss_before"]
    assert "likelier if the answer changes" in there.reading_
    assert (there.predict_proba_members(X) == model.predict_proba_members(X)).all()
    assert (there.predict_proba(X) != model.predict_proba(X)).any()
    with pytest.warns(perpend.PerpendWarning, match="rows? cannot say much about the members"):
        model.adapt(X[:4], y[:4])


def test_ask_chooses_the_rows_of_the_command_line(model, saved, shortcut, program, tmp_path):
    X, _ = shortcut
    path, _, labelled = saved
    rows = model.ask(X, 5)
    assert len(set(rows)) == 5 and (model.ask(X, 3) == rows[:3]).all()
    found = json.loads(program("ask", path, labelled, "-n", "5", "-o", tmp_path / "rows.csv", "--json").stdout)
    assert found["rows"] == (rows + 1).tolist()
    with pytest.raises(perpend.DataError, match="fewer than the 4"):
        model.ask(X[:3], 4)


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
    found = perpend.compare(X, codes, restarts=2, n_estimators=(2,), lambdas=(0.1, 1.0), splits=["random"], **given)
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", codes)
    flags = ["--hidden", 8, "--epochs", 2, "--batch-size", 32, "--threads", 1, "--restarts", 2, "--split", "random"]
    flags += ["--members", 2, "--lambdas", "0.1,1"]
    there = json.loads(program("compare", f"{tmp_path}/X.npy,{tmp_path}/y.npy", "--target", "target", "--json", *flags).stdout)
    for split in there["splits"]:
        assert split.pop("command").startswith("perpend train ")
    assert found.record["splits"] == there["splits"] and found.record["trials"] == there["trials"]
    assert repr(found).startswith("\nrandom split\nmodel") and "restarts" in repr(found) and found.readings[0] in repr(found)
    assert set(found.winners) == {"random"}
    pytest.importorskip("pandas")
    frame = found.to_frame()
    assert len(frame) == len(there["splits"][0]["methods"]) + 1 and set(frame["n_estimators"].dropna()) == {2}
    assert frame["model"].iloc[-1] == "logistic regression" and frame["log_loss_mean"].gt(0).all() and frame["ece_mean"].ge(0).all()
    assert frame["auc_mean"].between(0, 1).all()
    with pytest.raises(TypeError, match="'members'; it is called n_estimators"):
        perpend.compare(X, codes, members=3)


def test_capacity(program, tmp_path):
    X, y = perpend.datasets.generate("planted-2", rows=400)
    codes = (y == np.unique(y)[1]).astype(int)
    page = tmp_path / "capacity.html"
    found = perpend.capacity(X, codes, most=3, restarts=2, n_jobs=1, ridge=False, report=page)
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", codes)
    flags = ["--most", 3, "--restarts", 2, "--threads", 1, "--no-ridge", "--json"]
    there = json.loads(program("capacity", f"{tmp_path}/X.npy,{tmp_path}/y.npy", "--target", "target", *flags).stdout)
    assert found.record["members"] == there["members"] and found.number == there["capacity"] == 2
    assert found.interval == (2, 2) and not found.at_least and found.reading in repr(found)
    assert "<html" in page.read_text()
    with pytest.raises(TypeError, match="^capacity has no parameter 'epochs'"):
        perpend.capacity(X, codes, epochs=3)
    with pytest.raises(perpend.ConfigError, match="the number of restarts must be from 1 to 1000"):
        perpend.capacity(X, codes, restarts=0)


def test_a_gate_decides_as_it_does_on_the_command_line(shortcut, program, tmp_path):
    X, y = shortcut
    codes = (y == np.unique(y)[1]).astype(int)
    for way in ("stack", "gate"):
        model = perpend.LITClassifier(**QUICK, aggregate=way, split="random").fit(X, codes)
        assert any(way in line for line in model.remarks_)
        model.save(tmp_path / way)
        np.testing.assert_array_equal(perpend.load(tmp_path / way).predict_proba(X), model.predict_proba(X))
    with pytest.raises(perpend.ConfigError, match='aggregate="gate"|aggregate'):
        perpend.AdaBoostNetClassifier(aggregate="gate").fit(X, codes)


@pytest.mark.parametrize(
    "given, instead",
    [
        ({"lambda_": 3}, "give lambdas="),
        ({"split": "limited"}, "give splits="),
        ({"warm_start": True}, "every training starts afresh"),
        ({"verbose": True}, "a comparison shows no progress bar"),
    ],
)
def test_compare_refuses_what_it_has_no_use_for(shortcut, given, instead):
    with pytest.raises(TypeError, match=f"^compare has no parameter '{next(iter(given))}'; {instead}"):
        perpend.compare(*shortcut, **given)


@pytest.mark.parametrize("given, budget", [({}, 120), ({"restarts": 1}, None), ({"restarts": 1, "minutes": 3}, 180)])
def test_the_budget_of_compare_is_that_of_the_command_line(shortcut, monkeypatch, given, budget):
    asked = []

    def hear(*arguments):
        asked.append(arguments)
        return json.dumps({"splits": []}), "", [], []

    monkeypatch.setattr(perpend._core, "compare", hear)
    perpend.compare(*shortcut, **given)
    assert asked[0][-5:-3] == (given.get("restarts"), budget)


TINY = dict(restarts=2, splits=["random"], epochs=2, hidden_layer_sizes=4, n_estimators=(2,), lambdas=(0.1,), n_jobs=1)


def test_the_best_method_of_a_comparison_is_an_estimator(shortcut):
    X, y = shortcut
    found = perpend.compare(X, y, **{**TINY, "splits": ["random", "extrapolation"], "dropout": 0.1, "random_state": 3})
    for split in found.record["splits"]:
        model = found.estimator(split["split"]).fit(X, y)
        first = next(t for t in found.record["trials"] if (t["split"], t["method"]) == (split["split"], split["best_method"]))
        assert first["restart"] == 0
        seen = model.summary_["metrics"]["test"]
        assert (seen["auc"], seen["log_loss"]) == (first["test_auc"], first["test_log_loss"])
    with pytest.raises(ValueError, match="split is 'limited'; this comparison has random, extrapolation"):
        found.estimator("limited")


def test_other_models_are_compared_on_the_same_rows(shortcut):
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss, roc_auc_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import LinearSVC

    X, y = shortcut
    line = make_pipeline(StandardScaler(), LogisticRegression())
    found = perpend.compare(X, y, others=[("line", line), LinearSVC()], **TINY)
    rows = {(r["name"], r["restart"]): r for r in found.record["others"]}
    for restart in (0, 1):
        train, _, test = perpend.splits.RandomSplit(random_state=restart).parts(X, y)
        fitted = line.fit(X[train], y[train])
        chances = fitted.predict_proba(X[test])[:, 1]
        row = rows["line", restart]
        assert row["test_auc"] == pytest.approx(roc_auc_score(y[test], chances))
        assert row["test_log_loss"] == pytest.approx(log_loss(y[test], chances))
        ours = rows["logistic regression", restart]
        assert ours["test_log_loss"] == pytest.approx(row["test_log_loss"], rel=1e-3)
    assert "LinearSVC failed in 2 restarts: TypeError: LinearSVC has no predict_proba" in repr(found)
    summary = {one["name"]: one for one in found.record["splits"][0]["others"]}
    assert list(summary) == ["logistic regression", "line", "LinearSVC"]
    assert summary["LinearSVC"]["auc"]["mean"] is None and summary["line"]["auc"]["restarts"] == 2


def test_other_models_get_categories_missing_cells_and_weights(mixed_frame):
    from sklearn.ensemble import ExtraTreesClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier

    y = mixed_frame.pop("label")
    others = [ExtraTreesClassifier(n_estimators=5), LogisticRegression(max_iter=1000), KNeighborsClassifier()]
    found = perpend.compare(mixed_frame, y, others=others, **TINY)
    assert [one["problem"] for one in found.record["splits"][0]["others"]] == [None] * 4
    found = perpend.compare(mixed_frame, y, others=others, sample_weight=np.ones(len(y)), **TINY)
    problems = [one["problem"] for one in found.record["splits"][0]["others"]]
    assert problems == [None] * 3 + ["TypeError: KNeighborsClassifier takes no sample_weight"]


def test_a_better_model_wins_a_comparison(shortcut):
    from sklearn.base import BaseEstimator, ClassifierMixin

    X, y = shortcut

    class Oracle(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict_proba(self, X):
            first = np.array([0.99 if tuple(row) in ZEROS else 0.01 for row in X])
            return np.column_stack([first, 1 - first])

    noise = np.random.default_rng(0).normal(size=(len(X), 2))
    ZEROS = {tuple(row) for row, label in zip(noise, y) if label == np.unique(y)[0]}
    found = perpend.compare(noise, y, others=[Oracle()], **TINY)
    assert found.winners == {"random": "Oracle"}
    assert found.readings[0].startswith("Oracle has the best mean AUC; ")


def test_models_that_are_installed_are_found(shortcut):
    names = [name for name, _ in perpend._others.found("classify")]
    assert names[-2:] == ["extra trees", "random forest"]
    found = perpend.compare(*shortcut, others="found", **{**TINY, "restarts": 1})
    assert [one["name"] for one in found.record["others"]] == ["logistic regression", *names]
    assert all(one["problem"] is None for one in found.record["others"])


@pytest.mark.parametrize(
    "others, problem",
    [
        ("all", "others is 'all'; it must be \"found\""),
        ([3], "others has 3, which is not an estimator"),
        ([("lit", perpend.LITClassifier())], "others has a second model called 'lit'"),
    ],
)
def test_what_is_no_model_is_refused_before_any_training(shortcut, others, problem):
    with pytest.raises((TypeError, ValueError), match=problem):
        perpend.compare(*shortcut, others=others)


def test_compare_goes_through_the_domains(shortcut):
    X, y = shortcut
    X = np.column_stack([X, np.arange(len(X)) % 3])
    found = perpend.compare(X, y, restarts=2, splits=["domain"], domain=f"x{X.shape[1] - 1}", epochs=1, hidden_layer_sizes=4)
    assert found.record["left_out"] == [["0"], ["1"]]
    assert "each restart leaves one of 3 domains out of training and tests on it: '0' and '1'" in repr(found)


def test_compare_says_what_is_odd_about_the_table(shortcut):
    X, y = shortcut
    with pytest.warns(perpend.PerpendWarning, match="fewer than a batch of 256"):
        options = dict(epochs=1, hidden_layer_sizes=4, n_estimators=(2,), lambdas=(1,), splits=["random"], batch_size=256)
        perpend.compare(X, y, restarts=1, **options)


def test_every_look_at_rows_says_what_encoding_met(mixed_frame):
    y = mixed_frame.pop("label")
    model = perpend.LITClassifier(**QUICK, missing="mean").fit(mixed_frame, y)
    other = mixed_frame.head(30).copy()
    other["word"] = ["z"] + ["a"] * 29
    for look in (
        lambda: model.evaluate(other, y[:30]),
        lambda: model.explain(other),
        lambda: model.diversity(other),
        lambda: model.adapt(other, y[:30]),
    ):
        with pytest.warns(perpend.PerpendWarning, match="'word' has 1 cell with a level that training never saw"):
            look()


def test_a_manifold_that_is_not_kept_is_said_and_may_be_given(shortcut):
    X, y = shortcut
    model = perpend.LITClassifier(**QUICK, manifold="local-pca:2").fit(X, y)
    with pytest.warns(perpend.PerpendWarning, match="is not kept; give manifold to measure"):
        assert "tangent_cos2" not in model.evaluate(X, y)
    assert 0 <= model.evaluate(X, y, manifold="pca:2")["tangent_cos2"] <= 1
    assert model.explain(X, manifold="pca:2").tangent_shares.shape == (2, X.shape[1])


def test_diversity_refuses_a_label_that_is_no_class(model, shortcut):
    X, y = shortcut
    assert model.diversity(X, y)["rho_av"] == model.evaluate(X, y)["rho_av"]
    words = np.where(y == model.classes_[1], "yes", "no")
    there = perpend.LITClassifier(**QUICK).fit(X, words)
    for wrong in ("zebra", "a"):
        with pytest.raises(perpend.DataError, match=wrong):
            there.diversity(X, np.where(np.arange(len(X)) == 3, wrong, words))


def test_fit_and_adapt_say_what_the_numbers_mean(shortcut):
    X, y = shortcut
    model = perpend.RestartClassifier(**QUICK).fit(X, y)
    assert model.reading_.startswith("The ensemble is worse than one logistic regression (log-loss ")
    assert "more epochs may help" in model.reading_ and "cos²" not in model.reading_
    beside = model.summary_["baselines"]
    assert beside["logistic"]["log_loss"] < model.summary_["metrics"]["train"]["log_loss"] < beside["majority"]["log_loss"]
    grid, colour = perpend.datasets.generate("toy-4")
    able = perpend.RestartClassifier(n_estimators=2, hidden_layer_sizes=64, epochs=40).fit(grid, colour)
    assert able.reading_.startswith("The members' input gradients have a mean cos² of ")
    assert "The ensemble is better than one logistic regression (log-loss " in able.reading_
    there = model.adapt(X[:40], y[:40])
    assert there.reading_ and there.reading_ != model.reading_
    with pytest.warns(perpend.PerpendWarning, match="there are only 200 rows to train on, fewer than a batch of 256"):
        copies = perpend.RestartClassifier(**{**QUICK, "hidden_layer_sizes": 4, "epochs": 30, "batch_size": 256}).fit(X[:, :2] ** 3, y)
    if "copies of one explanation" in copies.reading_:
        assert "LITClassifier makes them differ" in copies.reading_


def test_uses_take_frames_and_words(mixed_frame):
    X, y = mixed_frame.drop(columns=["label"]), mixed_frame["label"]
    model = perpend.RestartClassifier(**QUICK, missing="mean").fit(X, y)
    there = model.adapt(X[:30], y[:30])
    assert set(there.predict(X, abstain=0.5)) <= {"yes", "no", None}
    assert len(there.evaluate(X, y)["members"]) == 2


def test_card_is_that_of_the_program(model, saved, program):
    text = model.card()
    assert text == program("inspect", saved[0], "--card").stdout
    assert "## What it was not tested on" in text and "| AUC |" in text
