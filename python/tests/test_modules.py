"""perpend.metrics against scikit-learn, perpend.splits against the command line, perpend.datasets."""

import json

import numpy as np
import pytest
import sklearn.metrics

import perpend
from perpend import datasets, metrics, splits


def test_metrics_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    p = np.clip(y * 0.3 + rng.random(300) * 0.7, 0.001, 0.999).round(2)
    assert metrics.auc(p, y) == pytest.approx(sklearn.metrics.roc_auc_score(y, p))
    assert metrics.log_loss(p, y) == pytest.approx(sklearn.metrics.log_loss(y, p))
    assert metrics.brier(p, y) == pytest.approx(sklearn.metrics.brier_score_loss(y, p))
    assert metrics.accuracy(p, y) == pytest.approx(((p > 0.5) == y).mean())
    assert sum(metrics.calibration(p, y)["rows"]) == 300
    assert metrics.ece(p, y) == metrics.calibration(p, y)["ece"]
    three = rng.dirichlet(np.ones(3), 300)
    labels = rng.integers(0, 3, 300)
    assert metrics.log_loss(three, labels) == pytest.approx(sklearn.metrics.log_loss(labels, three))
    assert metrics.auc(three, labels) == pytest.approx(
        sklearn.metrics.roc_auc_score(labels, three, multi_class="ovr", average="macro")
    )
    assert metrics.auc([0.2, 0.3], [1, 1]) is None


def test_diversity_and_selective_metrics():
    a = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0], bool)
    b = np.array([0, 0, 1, 1, 0, 0, 0, 0, 0, 0], bool)
    found = metrics.error_diversity([a, b])
    assert found["rho_av"] == pytest.approx(np.corrcoef(a, b)[0, 1])
    assert found["disagreement"] == 0.3 and found["q_av"] == 0.5
    assert metrics.shift_auroc([0, 0.1], [0.2, 0.3]) == 1
    curve = metrics.risk_coverage([0.1, 0.2, 0.3, 0.4], [0, 0, 1, 1])
    assert curve["risk"].tolist() == [0, 0, 1 / 3, 0.5]
    assert metrics.grad_cos2([[[1, 0]], [[0, 1]]]) == 0
    for act in (
        lambda: metrics.auc([0.5], [2]),
        lambda: metrics.auc([0.5, 0.1], [1]),
        lambda: metrics.log_loss([[[1.0]]], [0]),
        lambda: metrics.log_loss([np.nan], [0]),
        lambda: metrics.error_diversity([[1], [1, 0]]),
        lambda: metrics.risk_coverage([1], [1, 0]),
        lambda: metrics.grad_cos2([1]),
    ):
        with pytest.raises(ValueError):
            act()


def test_splits_are_those_of_the_command_line(program, tmp_path):
    X, y = datasets.generate("shortcut", rows=150)
    codes = (y == np.unique(y)[0]).astype(int)
    expect_splits_of_the_command_line(program, tmp_path, X, codes)


def test_splits_of_numbers_to_predict_are_those_of_the_command_line(program, tmp_path):
    X, _ = datasets.generate("shortcut", rows=150)
    expect_splits_of_the_command_line(program, tmp_path, X, X[:, 0] * X[:, 1])  # fractions
    expect_splits_of_the_command_line(program, tmp_path, X, np.arange(150) % 40)  # many whole numbers


def expect_splits_of_the_command_line(program, tmp_path, X, y):
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    for splitter, flags in (
        (splits.RandomSplit(random_state=3), ["--split", "random", "--seed", 3]),
        (splits.LimitedSplit(), ["--split", "limited"]),
        (splits.ExtrapolationSplit(), ["--split", "extrapolation"]),
        (splits.ByColumnSplit(1, 0.4), ["--split", "by-column", "--split-column", "x1", "--split-quantile", 0.4]),
    ):
        flags += ["--epochs", 0, "--hidden", 2, "--json", "--list-rows", "--force"]
        source = f"{tmp_path}/X.npy,{tmp_path}/y.npy"
        said = json.loads(program("train", source, "--target", "target", "-o", tmp_path / "m", *flags).stdout)
        parts = splitter.parts(X, y)
        assert [p.tolist() for p in parts] == [said["split"][k] for k in ("train", "validation", "test")]
        for held_out, wanted in (("test", parts[2]), ("validation", parts[1]), ("all", np.concatenate(parts[1:]))):
            splitter.held_out = held_out
            ((train, test),) = splitter.split(X, y)
            assert train.tolist() == parts[0].tolist() and test.tolist() == wanted.tolist()


def test_domain_splits_leave_out_whole_domains(program, tmp_path):
    X, y = datasets.generate("shortcut", rows=150)
    years = 2000 + np.arange(150) % 4
    X = np.column_stack([X, years]).astype(np.float32)
    column = X.shape[1] - 1
    codes = (y == np.unique(y)[0]).astype(int)
    each = splits.DomainSplit(column, n_splits=4)
    assert [set(years[test]) for _, test in each.split(X, codes)] == [{2000}, {2001}, {2002}, {2003}]
    named = splits.DomainSplit(column, [2003, 2001], random_state=5)
    train, validation, test = named.parts(X, codes)
    assert set(years[test]) == {2001, 2003} and set(years[train]) == {2000, 2002} == set(years[validation])
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", codes)
    flags = ["--split", "domain", "--domain", f"x{column}", "--test-domains", "2003,2001", "--seed", 5, "--json", "--list-rows"]
    source = f"{tmp_path}/X.npy,{tmp_path}/y.npy"
    run = program("train", source, "--target", "target", "-o", tmp_path / "m", "--epochs", 0, "--hidden", 2, *flags)
    said = json.loads(run.stdout)["split"]
    assert [train.tolist(), validation.tolist(), test.tolist()] == [said[k] for k in ("train", "validation", "test")]
    with pytest.raises(perpend.DataError, match="there is no domain '1999' to test on; the domains are '2000', '2001'"):
        splits.DomainSplit(column, [1999]).parts(X, codes)


def test_splitters_repeat_with_other_seeds():
    X, y = datasets.generate("shortcut", rows=100)
    splitter = splits.RandomSplit(3)
    found = list(splitter.split(X, y))
    assert len(found) == splitter.get_n_splits() == 3
    assert found[0][0].tolist() != found[1][0].tolist()
    assert "RandomSplit(n_splits=3" in repr(splitter)
    with pytest.raises(ValueError, match="held_out"):
        list(splits.RandomSplit(held_out="none").split(X, y))


def test_generated_sets(program, tmp_path):
    assert "shortcut" in datasets.list_generated()
    X, y = datasets.generate("quadrants", rows=50, seed=2)
    assert X.shape == (50, 2) and X.dtype == np.float32 and len(np.unique(y)) == 2
    pytest.importorskip("pandas")
    frame, target = datasets.generate("shortcut", rows=1500, as_frame=True)
    program("data", "make", "shortcut", "-o", tmp_path / "s.csv")
    import pandas

    written = pandas.read_csv(tmp_path / "s.csv")
    assert (written[frame.columns].to_numpy(np.float32) == frame.to_numpy()).all()
    assert (written["target"].astype(str) == target.astype(str)).all()
    with pytest.raises(perpend.DataError, match="there is no generated set 'shortcutt'"):
        datasets.generate("shortcutt")


def test_public_sets(tmp_path, monkeypatch):
    assert {"ionosphere", "mushroom"} <= {s["name"] for s in datasets.list_public()}
    monkeypatch.setenv("PERPEND_DATA", str(tmp_path))
    with pytest.raises(OSError):
        datasets.load_public("ionosphere")
    with pytest.raises(perpend.DataError, match="did you mean sonar"):
        datasets.load_public("sonr")
    (tmp_path / "ionosphere.csv").write_text("a,b,target\n1,x,g\n2,,b\n")
    X, y = datasets.load_public("ionosphere")
    assert X.tolist() == [[1.0, "x"], [2.0, None]] and y.tolist() == ["g", "b"]
    with pytest.raises(perpend.DataError):
        datasets.fetch_public("ionosphere", mirror=str(tmp_path))  # not the bytes it should be
    (tmp_path / "endless").mkdir()
    (tmp_path / "endless" / "sonar.all-data").symlink_to("/dev/zero")
    with pytest.raises(ValueError, match="sends more than the"):
        datasets.fetch_public("sonar", mirror=(tmp_path / "endless").as_uri(), folder=tmp_path)
