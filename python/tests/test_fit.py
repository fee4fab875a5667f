"""Training as notebooks use it: callbacks, Ctrl-C, threads, warm starts, validation, weights."""

import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pandas as pd
import pytest
from conftest import FLAGS, QUICK

import perpend


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", perpend.PerpendWarning)
        yield


def test_callbacks_hear_of_every_epoch(shortcut):
    seen = []
    model = perpend.LITClassifier(**QUICK).fit(*shortcut, callbacks=[seen.append])
    assert [record["epoch"] for record in seen] == [1, 2, 3, 4]
    assert len(seen[0]["fit"]) == 2 and seen[0]["epochs"] == 4
    assert [record["epoch"] for record in model.log_] == [1, 2, 3, 4]


def test_a_true_answer_ends_the_training_and_keeps_it(shortcut):
    model = perpend.LITClassifier(**QUICK).fit(*shortcut, callbacks=lambda record: record["epoch"] == 2)
    assert len(model.log_) == 2
    assert model.summary_["status"] == "stopped"


def test_an_exception_of_a_callback_comes_out(shortcut):
    def fail(record):
        raise KeyError("mine")

    model = perpend.LITClassifier(**QUICK)
    with pytest.raises(KeyError, match="mine"):
        model.fit(*shortcut, callbacks=fail)
    assert not hasattr(model, "classes_")
    with pytest.raises(TypeError, match="callbacks must be functions"):
        model.fit(*shortcut, callbacks=[3])


def test_control_c_ends_a_fit_at_once():
    code = (
        "import perpend, sys\n"
        "X, y = perpend.datasets.generate('shortcut', rows=1500)\n"
        "print('begun', flush=True)\n"
        "try:\n"
        "    perpend.LITClassifier(epochs=10**6).fit(X, y)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
    )
    # A job in the background of a shell ignores Ctrl-C, and so would its children.
    listen = lambda: signal.signal(signal.SIGINT, signal.default_int_handler)  # noqa: E731
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, preexec_fn=listen)
    try:
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        said, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert said == "interrupted\n"
    assert process.returncode == 0
    assert time.monotonic() - start < 30


def test_two_fits_at_once_give_the_models_of_one_after_the_other(shortcut):
    wanted = [perpend.LITClassifier(**QUICK, random_state=s).fit(*shortcut).to_bytes() for s in range(2)]
    found = [b"", b""]

    def work(s):
        found[s] = perpend.LITClassifier(**QUICK, random_state=s).fit(*shortcut).to_bytes()

    for _ in range(5):
        threads = [threading.Thread(target=work, args=(s,)) for s in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == wanted


def test_other_threads_run_while_one_trains(shortcut):
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    perpend.LITClassifier(n_estimators=3, epochs=600, n_jobs=1).fit(*shortcut)
    done.set()
    thread.join()
    assert len(ticks) > 5  # one or two, if the interpreter's lock were kept


def test_warm_start_goes_on_from_the_weights(shortcut, program, tmp_path):
    X, y = shortcut
    codes = (y == np.unique(y)[1]).astype(int)
    model = perpend.LITClassifier(**QUICK, warm_start=True).fit(X, codes)
    first = model.to_bytes()
    model.save(tmp_path / "first")
    model.fit(X, codes)
    assert model.to_bytes() != first
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", codes)
    flags = ["--members", 2, "--hidden", 16, "--epochs", 4, "--batch-size", 32, "--split", "none", *FLAGS[-4:]]
    source = f"{tmp_path}/X.npy,{tmp_path}/y.npy"
    program("train", source, "--target", "target", "-o", tmp_path / "m", "--init", tmp_path / "first", *flags)
    assert model.to_bytes() == (tmp_path / "m").read_bytes()
    model.set_params(hidden_layer_sizes=(8,))
    with pytest.raises(ValueError, match="another architecture"):
        model.fit(X, codes)


def test_an_eval_set_validates(shortcut):
    X, y = shortcut
    model = perpend.LITClassifier(**{**QUICK, "epochs": 4000, "early_stopping": True}, n_iter_no_change=3)
    model.fit(X[:100], y[:100], eval_set=(X[100:], y[100:]))
    assert len(model.log_) < 4000
    assert model.summary_["rows"] == {"train": 100, "validation": 100, "test": 0}
    assert model.summary_["metrics"]["validation"] == model.evaluate(X[100:], y[100:])
    model.fit(X, y)  # a fifth of the rows is held out, and the members are then trained on all of them
    assert model.summary_["rows"] == {"train": 160, "validation": 40, "test": 0}
    assert any("trained again on all 200 rows" in remark for remark in model.remarks_)
    with pytest.raises(ValueError, match="give one of them"):
        perpend.LITClassifier(**QUICK, split="random").fit(X, y, eval_set=[(X, y)])


def test_rows_without_labels_join_the_training(shortcut):
    X, y = shortcut
    new = X[:60] + np.float32(3)
    model = perpend.LITClassifier(**QUICK).fit(X, y, unlabeled=new)
    assert model.summary_["rows"] == {"train": 200, "validation": 0, "test": 0, "unlabeled": 60}
    assert model.summary_["unlabeled"]["grad_cos2"] == pytest.approx(model.diversity(new)["grad_cos2"])
    with pytest.raises(ValueError, match="features"):
        model.fit(X, y, unlabeled=new[:, 1:])
    with pytest.raises(ValueError, match="method lit"):
        perpend.NCLClassifier(**QUICK).fit(X, y, unlabeled=new)


def test_lambda_auto_chooses(shortcut):
    X, y = shortcut
    model = perpend.LITClassifier(**QUICK, lambda_="auto").fit(X[:100], y[:100], eval_set=(X[100:], y[100:]))
    assert model.options_["lambda"] in [trial["lambda"] for trial in model.lambda_trials_]
    assert model.best_lambda_ == model.options_["lambda"]
    assert perpend.LITClassifier(**QUICK, lambda_=0.3).fit(X, y).best_lambda_ == 0.3
    assert not hasattr(perpend.RestartClassifier(**QUICK).fit(X, y), "best_lambda_")
    with pytest.raises(ValueError, match='lambda_="auto" needs validation rows'):
        perpend.LITClassifier(**QUICK, lambda_="auto").fit(X, y)


def test_columns_are_named_and_not_counted(shortcut):
    with pytest.raises(ValueError, match="increasing has 2; give names of columns.* its third is 'x2'"):
        perpend.LITClassifier(**QUICK, increasing=[2]).fit(*shortcut)


def test_a_dropped_column_is_as_if_it_were_not_there():
    X, y = perpend.datasets.generate("shortcut", rows=300, as_frame=True)
    place = X.assign(place=np.arange(300) * 7 % 5)
    options = {**QUICK, "early_stopping": True, "lambda_": 0.1}
    dropped = perpend.LITClassifier(**options, drop=["place"]).fit(place, y)
    without = perpend.LITClassifier(**options).fit(X, y)
    np.testing.assert_array_equal(dropped.predict_proba(place), without.predict_proba(X))


def test_a_weight_of_three_is_three_rows(shortcut):
    X, y = shortcut
    weights = np.arange(len(y)) % 4
    copied = np.repeat(np.arange(len(y)), weights)
    weighted = perpend.LITClassifier(**QUICK).fit(X, y, sample_weight=weights)
    assert (weighted.predict_proba(X) == perpend.LITClassifier(**QUICK).fit(X[copied], y[copied]).predict_proba(X)).all()
    half = perpend.LITClassifier(**QUICK).fit(X, y, sample_weight=weights + 0.5)
    assert (weighted.predict_proba(X) != half.predict_proba(X)).any()


def test_random_state(shortcut):
    def probabilities(state):
        return perpend.RestartClassifier(**QUICK, random_state=state).fit(*shortcut).predict_proba(shortcut[0])

    assert (probabilities(3) == probabilities(np.int64(3))).all()
    assert (probabilities(np.random.RandomState(1)) == probabilities(np.random.RandomState(1))).all()
    assert (probabilities(None) != probabilities(None)).any()
    for bad in (-1, "x", 1.5):
        with pytest.raises(ValueError, match="random_state is .*; it must be a whole number"):
            probabilities(bad)


def test_divergence_is_an_error_with_advice(shortcut):
    model = perpend.LITClassifier(**{**QUICK, "epochs": 50}, learning_rate=1e30)
    with pytest.raises(perpend.DivergedError, match="training diverged at step .*; lower learning_rate or lambda_"):
        model.fit(*shortcut)


def test_wrong_options_have_the_line_of_the_command_line(shortcut, program, tmp_path):
    cases = {
        "n_estimators": (0, "--members"),
        "dropout": (2, "--dropout"),
        "activation": ("rulu", "--activation"),
        "epochs": ("many", "--epochs"),
        "hidden_layer_sizes": ((8, 0), "--hidden"),
        "missing": ("drop", "--missing"),
        "drop": (["nobody"], "--drop"),
    }
    for name, (value, flag) in cases.items():
        with pytest.raises(ValueError) as caught:
            perpend.LITClassifier(**{**QUICK, name: value}).fit(*shortcut)
        assert "\n" not in str(caught.value)
        text = ",".join(map(str, value)) if isinstance(value, (tuple, list)) else value
        done = program("train", "builtin:shortcut", "--target", "target", "-o", tmp_path / "m", flag, text, check=False)
        said = done.stderr.strip().removeprefix("perpend: ").replace("builtin:shortcut", "X").replace(flag, name)
        assert said == str(caught.value), name


def test_messages_spell_options_as_keywords(shortcut):
    pandas = pytest.importorskip("pandas")
    X, y = shortcut
    for name, literal in [("age", '"age"'), ('my "age"', r'"my \"age\""'), ("a\x0eforged\x0f\n", r'"a\x0eforged\x0f\n"')]:
        gaps = pandas.DataFrame({name: np.where(np.arange(len(y)) == 7, np.nan, X[:, 0]), "x": X[:, 1]})
        with pytest.raises(perpend.DataError) as caught:
            perpend.LITClassifier(**QUICK, missing="error").fit(gaps, y)
        assert str(caught.value).endswith(f'give missing="mean", missing="indicator" or drop=[{literal}]')
        ids = pandas.DataFrame({name: np.arange(len(y)), "x": X[:, 1]})
        with pytest.warns(perpend.PerpendWarning) as warned:
            perpend.LITClassifier(**QUICK).fit(ids, y)
        assert any(f"keep=[{literal}] keeps it" in str(one.message) for one in warned)


def test_a_list_stays_a_list(shortcut):
    X, y = shortcut
    table = {"a,b": X[:, 0], "a": X[:, 1]}
    model = perpend.LITClassifier(**QUICK, drop=["a,b"]).fit(pytest.importorskip("pandas").DataFrame(table), y)
    assert list(model.options_["drop"]) == ["a,b"]
    with pytest.raises(ValueError, match="dropout is the list '0.5'; it must be one value"):
        perpend.LITClassifier(**{**QUICK, "dropout": [0.5]}).fit(X, y)
    with pytest.raises(ValueError, match="hidden_layer_sizes is '8,4'"):
        perpend.LITClassifier(**{**QUICK, "hidden_layer_sizes": ["8,4"]}).fit(X, y)


def test_progress_is_a_bar_or_silence(shortcut, capfd):
    perpend.LITClassifier(**QUICK).fit(*shortcut)
    assert capfd.readouterr() == ("", "")
    perpend.LITClassifier(**QUICK, verbose=True).fit(*shortcut)
    out, err = capfd.readouterr()
    tqdm = pytest.importorskip("tqdm")
    assert tqdm and out == "" and "4/4" in err
    perpend.AdaBoostNetClassifier(**QUICK, verbose=True).fit(*shortcut)
    assert "/8" in capfd.readouterr()[1], "members are trained one after another"


def test_more_than_two_classes_and_words(shortcut):
    X, _ = shortcut
    y = np.array(["b", "a", "c", "10"])[np.arange(len(X)) % 4]
    model = perpend.LITClassifier(**QUICK).fit(X, y)
    assert model.classes_.tolist() == ["10", "a", "b", "c"]
    assert model.predict_proba(X).shape == (len(X), 4)
    assert model.decision_function(X).shape == (len(X), 4)
    assert model.disagreement(X).shape == (len(X),)
    assert set(model.predict(X)) <= set(y)
    assert model.evaluate(X, y)["accuracy"] == model.score(X, y)
    assert model.diversity(X, y)["disagreement"] is not None


def test_positive_comes_second(shortcut):
    X, y = shortcut
    first = np.unique(y)[0]
    plain = perpend.LITClassifier(**QUICK).fit(X, y)
    turned = perpend.LITClassifier(**QUICK, pos_label=first).fit(X, y)
    assert turned.classes_.tolist() == plain.classes_.tolist()[::-1]
    assert turned.evaluate(X, y)["accuracy"] == turned.score(X, y)
    assert turned.diversity(X, y)["rho_av"] == turned.evaluate(X, y)["rho_av"]


def test_looking_at_members(shortcut):
    X, y = shortcut
    model = perpend.LITClassifier(**QUICK).fit(X, y)
    members = model.estimators_
    assert len(members) == 2 and members[0].weight == 0.5
    (w1, b1), (w2, b2) = members[0].layers
    assert w1.shape == (8, 16) and b1.shape == (16,) and w2.shape == (16, 2) and b2.shape == (2,)
    z = (X - X.mean(axis=0, dtype=float)) / X.std(axis=0, dtype=float)
    logits = np.maximum(z @ w1 + b1, 0) @ w2 + b2
    p = 1 / (1 + np.exp(logits[:, 0] - logits[:, 1]))
    np.testing.assert_allclose(model.predict_proba_members(X)[0, :, 1], p, atol=1e-5)
    gradients = model.input_gradients(X)
    assert gradients.shape == (2, len(X), 8)
    active = (z @ w1 + b1) > 0
    np.testing.assert_allclose(gradients[0], (active * (w2[:, 1] - w2[:, 0])) @ w1.T, atol=1e-4)
    np.testing.assert_allclose(perpend.metrics.grad_cos2(gradients), model.diversity(X)["grad_cos2"], rtol=1e-6)
    found = model.explain(X)
    np.testing.assert_allclose(found.shares.sum(axis=1), 1)
    np.testing.assert_allclose(found.mean, gradients.mean(axis=1), atol=1e-5)
    np.testing.assert_allclose(model.disagreement(X), model.predict_proba_members(X)[:, :, 1].std(axis=0), atol=1e-6)


def test_class_weight_balanced_and_by_class():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(600, 3))
    y = np.where((X[:, 0] > 1) & (rng.random(600) < 0.3), "rare", "usual")

    def found(**options):
        model = perpend.LITClassifier(n_estimators=2, lambda_=0.0, random_state=0, **options).fit(X, y)
        return np.mean(model.predict(X) == "rare")

    assert found() < 0.05
    assert found(class_weight="balanced") > 0.1
    assert found(class_weight={"rare": 20}) > 0.1
    assert found(class_weight={"usual": 20.0}) < 0.05
    with pytest.raises(ValueError, match="class 'raer'.*did you mean 'rare'"):
        found(class_weight={"raer": 2})
    with pytest.raises(ValueError, match="class_weight has 'even'"):
        found(class_weight="even")


def test_class_weight_comes_back_from_a_file(tmp_path):
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
    for given in (None, "balanced", {"1": 2.5}):
        model = perpend.LITClassifier(n_estimators=2, epochs=1, class_weight=given).fit(X, y)
        model.save(tmp_path / "m")
        assert perpend.load(tmp_path / "m").class_weight == given


def test_explain_has_the_ensembles_importances():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 3))
    y = (X[:, 1] + 0.3 * rng.normal(size=300) > 0).astype(int)
    model = perpend.LITClassifier(random_state=0).fit(X, y)
    found = model.explain(X)
    np.testing.assert_allclose(found.importances, model.estimator_weights_ @ found.shares)
    assert found.importances.argmax() == 1 and found.importances.sum() == pytest.approx(1)


def test_dates_of_a_frame_are_those_of_a_file():
    when = pd.Series(pd.date_range("2024-01-01", periods=200, freq="7h"))
    y = (when.dt.hour > 11).astype(int)
    frame = pd.DataFrame({"when": when, "x": np.random.default_rng(0).normal(size=200)})
    frame.loc[3, "when"] = pd.NaT
    text = frame.assign(when=frame.when.dt.strftime("%Y-%m-%dT%H:%M:%S"))
    options = {"n_estimators": 2, "epochs": 3, "random_state": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = perpend.LITClassifier(**options).fit(frame, y)
        other = perpend.LITClassifier(**options).fit(text, y)
        zoned = perpend.LITClassifier(**options).fit(frame.assign(when=frame.when.dt.tz_localize("UTC")), y)
    assert {"when", "when.hour", "x"} <= set(model.features_)
    assert model.to_bytes() == other.to_bytes() == zoned.to_bytes()
    np.testing.assert_array_equal(model.predict_proba(frame), other.predict_proba(text))
