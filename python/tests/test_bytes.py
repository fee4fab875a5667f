"""The same data, options and seed give the model file of the command line, byte for byte, and its predictions."""

import csv
import pickle

import numpy as np
import pytest
from conftest import FLAGS, QUICK

import perpend

METHODS = {
    "lit": perpend.LITClassifier,
    "restarts": perpend.RestartClassifier,
    "bagging": perpend.BaggingNetClassifier,
    "adaboost": perpend.AdaBoostNetClassifier,
    "ncl": perpend.NCLClassifier,
    "ace": perpend.ACEClassifier,
}


@pytest.fixture
def npy(shortcut, tmp_path):
    X, y = shortcut
    codes = (y == np.unique(y)[1]).astype(np.int64)
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", codes)
    return X, codes, f"{tmp_path / 'X.npy'},{tmp_path / 'y.npy'}"


@pytest.mark.parametrize("method", METHODS)
def test_every_method(method, npy, program, tmp_path):
    X, y, source = npy
    model = METHODS[method](**QUICK, random_state=7).fit(X, y)
    path = tmp_path / "cli"
    program("train", source, "--target", "target", "-o", path, "--method", method, "--split", "none", "--seed", 7, *FLAGS)
    assert model.to_bytes() == path.read_bytes()
    model.save(tmp_path / "python")
    assert (tmp_path / "python").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("split", ["random", "extrapolation", "limited"])
def test_every_split(split, npy, program, tmp_path):
    X, y, source = npy
    model = perpend.LITClassifier(**{**QUICK, "early_stopping": True}, split=split, lambda_=0.3, n_iter_no_change=2).fit(X, y)
    path = tmp_path / "cli"
    flags = ["--split", split, "--lambda", 0.3, "--early-stopping", 2, *FLAGS[:-2]]
    program("train", source, "--target", "target", "-o", path, *flags)
    assert model.to_bytes() == path.read_bytes()


USING_UNLABELED = {"lit": perpend.LITClassifier, "divdis": perpend.DivDisClassifier, "dbat": perpend.DBATClassifier}


@pytest.mark.parametrize("method", USING_UNLABELED)
def test_rows_without_labels(method, npy, program, tmp_path):
    X, y, source = npy
    new = X[:50] + 2
    np.savetxt(tmp_path / "new.csv", new, delimiter=",", header=",".join(f"x{i}" for i in range(X.shape[1])), comments="", fmt="%.17g")
    model = USING_UNLABELED[method](**QUICK).fit(X, y, unlabeled=new)
    path = tmp_path / "cli"
    flags = ["--method", method, "--split", "none", "--unlabeled", tmp_path / "new.csv", *FLAGS]
    program("train", source, "--target", "target", "-o", path, *flags)
    assert model.to_bytes() == path.read_bytes()
    assert model.to_bytes() != perpend.RestartClassifier(**QUICK).fit(X, y).to_bytes()
    if method != "lit":
        with pytest.raises(perpend.ConfigError, match="needs rows without labels; give unlabeled"):
            USING_UNLABELED[method](**QUICK).fit(X, y)


def test_a_comparison_has_methods_that_need_rows_without_labels_where_there_are_some(shortcut):
    X, y = shortcut
    options = {"restarts": 1, "splits": ["random"], **QUICK, "n_estimators": [2]}
    names = [perpend.compare(X, y, **options, **more).to_frame().model.tolist() for more in ({}, {"unlabeled": X[:30]})]
    assert sorted(set(names[1]) - set(names[0])) == ["dbat", "divdis"]


def test_a_comparison_has_the_methods_that_are_named(shortcut):
    X, y = shortcut
    options = {"restarts": 1, "splits": ["random"], **QUICK, "n_estimators": [2]}
    found = perpend.compare(X, y, methods=["snapshot", "restarts"], **options).to_frame()
    assert found.model.tolist() == ["restarts", "snapshot", "logistic regression"]
    with pytest.raises(ValueError, match="methods has 'snapshots'; it must be some of "):
        perpend.compare(X, y, methods=["snapshots"], **options)


def test_a_manifold(npy, program, tmp_path):
    import json

    X, y, source = npy
    model = perpend.LITClassifier(**QUICK, manifold="pca:2").fit(X, y)
    path = tmp_path / "cli"
    program("train", source, "--target", "target", "-o", path, "--manifold", "pca:2", "--split", "none", *FLAGS)
    assert model.to_bytes() == path.read_bytes()
    said = json.loads(program("evaluate", path, source, "--json").stdout)["metrics"]
    assert model.evaluate(X, y) == said and 0 < said["tangent_cos2"] < 1
    copy = pickle.loads(pickle.dumps(model))
    assert copy.to_bytes() == path.read_bytes()
    pairs = copy.explain(X).pairs
    assert np.mean([pair["tangent_cos2"] for pair in pairs]) == pytest.approx(said["tangent_cos2"])
    assert copy.explain(X).tangent_shares.sum(axis=1) == pytest.approx(np.ones(len(model.estimators_)))


def test_a_finite_penalty(npy, program, tmp_path):
    X, y, source = npy
    options = dict(QUICK, dropout=0.0, penalty="finite", epsilon=0.3, ascent_norm="linf", ascent_steps=2)
    model = perpend.LITClassifier(**options).fit(X, y)
    path = tmp_path / "cli"
    flags = ["--penalty", "finite", "--epsilon", 0.3, "--ascent-norm", "linf", "--ascent-steps", 2, "--dropout", 0]
    program("train", source, "--target", "target", "-o", path, "--split", "none", *flags, *FLAGS)
    assert model.to_bytes() == path.read_bytes()


def test_domains_are_left_out(mixed_frame, program, tmp_path):
    X = mixed_frame.drop(columns="weight").assign(site=[f"s{i % 3}" for i in range(120)])
    X.to_csv(tmp_path / "m.csv", index=False)
    flags = ["--target", "label", "--missing", "indicator", "--split", "domain", "--domain", "site", *FLAGS]
    program("train", tmp_path / "m.csv", "-o", tmp_path / "c", "--test-domains", "s2,s0", *flags)
    model = perpend.LITClassifier(**QUICK, missing="indicator", split="domain", domain="site", test_domains=["s2", "s0"])
    with pytest.warns(perpend.PerpendWarning, match="domains 's0' and 's2' are left out of training, and their rows"):
        model.fit(X.drop(columns="label"), X["label"])
    assert model.to_bytes() == (tmp_path / "c").read_bytes()
    assert model.summary_["rows"]["test"] == 80
    with pytest.raises(ValueError, match="this split needs domain"):
        perpend.LITClassifier(split="domain").fit(X.drop(columns="label"), X["label"])


def test_groups_stay_in_one_part(mixed_frame, program, tmp_path):
    frame = mixed_frame.drop(columns="weight").assign(patient=[f"p{row // 3}" for row in range(len(mixed_frame))])
    frame.to_csv(tmp_path / "t.csv", index=False)
    flags = ["--target", "label", "--missing", "indicator", "--group", "patient", *FLAGS]
    program("train", tmp_path / "t.csv", "-o", tmp_path / "cli", *flags)
    model = perpend.LITClassifier(**QUICK, missing="indicator", split="random", group="patient")
    X = frame.drop(columns="label")
    assert model.fit(X, frame["label"]).to_bytes() == (tmp_path / "cli").read_bytes()
    assert not any("patient" in feature for feature in model.features_)
    assert perpend.load(tmp_path / "cli").predict(X).tolist() == model.predict(X).tolist()


def test_lambda_auto(npy, program, tmp_path):
    X, y, source = npy
    model = perpend.LITClassifier(**QUICK, split="random", lambda_="auto").fit(X, y)
    path = tmp_path / "cli"
    program("train", source, "--target", "target", "-o", path, "--lambda", "auto", *FLAGS)
    assert model.to_bytes() == path.read_bytes()
    assert len(model.lambda_trials_) >= 2


def test_the_published_recipe(npy, program, tmp_path):
    X, y, source = npy
    model = perpend.LITClassifier.published(n_estimators=2, epochs=2, lambda_=0.01, split="random").fit(X, y)
    path = tmp_path / "cli"
    flags = ["--preset", "published", "--members", 2, "--epochs", 2, "--lambda", 0.01]
    program("train", source, "--target", "target", "-o", path, *flags)
    assert model.to_bytes() == path.read_bytes()


def test_layout_type_and_row_order_change_nothing(npy):
    X, y, _ = npy
    wanted = perpend.LITClassifier(**QUICK).fit(X, y).to_bytes()
    wide = np.zeros((len(X), 2 * X.shape[1]))
    wide[:, ::2] = X
    turned = np.random.default_rng(0).permutation(len(X))
    for same in (np.asfortranarray(X), X.astype(np.float64), wide[:, ::2], X[::-1][::-1], X.astype(">f4"), X.tolist()):
        assert perpend.LITClassifier(**QUICK).fit(same, y).to_bytes() == wanted
    assert perpend.LITClassifier(**QUICK).fit(X[turned], y[turned]).to_bytes() == wanted
    assert perpend.LITClassifier(**QUICK, n_jobs=1).fit(X, y).to_bytes() == wanted


def frame_model(frame, weights=None):
    X = frame.drop(columns=["label", "weight"])
    options = dict(QUICK, missing="indicator")
    return perpend.LITClassifier(**options).fit(X, frame["label"], sample_weight=weights)


def test_a_data_frame_is_its_csv_file(mixed_frame, program, tmp_path):
    mixed_frame.drop(columns="weight").to_csv(tmp_path / "t.csv", index=False)
    flags = ["--target", "label", "--missing", "indicator", "--split", "none", *FLAGS]
    program("train", tmp_path / "t.csv", "-o", tmp_path / "cli", *flags)
    assert frame_model(mixed_frame).to_bytes() == (tmp_path / "cli").read_bytes()


def test_weights_are_the_column_of_weights(mixed_frame, program, tmp_path):
    mixed_frame.to_csv(tmp_path / "t.csv", index=False)
    flags = ["--target", "label", "--sample-weight", "weight", "--missing", "indicator", "--split", "none", *FLAGS]
    program("train", tmp_path / "t.csv", "-o", tmp_path / "cli", *flags)
    assert frame_model(mixed_frame, mixed_frame["weight"]).to_bytes() == (tmp_path / "cli").read_bytes()


def test_predictions_have_the_same_bits(npy, program, tmp_path):
    X, y, source = npy
    path = tmp_path / "cli"
    program("train", source, "--target", "target", "-o", path, *FLAGS)
    program("predict", path, tmp_path / "X.npy", "-o", tmp_path / "p.csv", "--members")
    with open(tmp_path / "p.csv") as file:
        rows = list(csv.DictReader(file))
    model = perpend.load(path)
    # Six digits are printed; every digit is compared below, by the metrics.
    assert [row["probability"] for row in rows] == [f"{p:.6f}" for p in model.predict_proba(X)[:, 1]]
    assert [row["disagreement"] for row in rows] == [f"{d:.6f}" for d in model.disagreement(X)]
    assert [int(row["prediction"]) for row in rows] == model.predict(X).tolist()


def test_evaluate_says_what_the_command_line_says(npy, program, tmp_path):
    import json

    X, y, source = npy
    model = perpend.LITClassifier(**QUICK).fit(X, y)
    model.save(tmp_path / "m")
    said = json.loads(program("evaluate", tmp_path / "m", source, "--json").stdout)
    assert model.evaluate(X, y) == said["metrics"]
    assert model.diversity(X, y)["rho_av"] == said["metrics"]["rho_av"]
    assert model.diversity(X)["grad_cos2"] == said["metrics"]["grad_cos2"]
