"""The ONNX graph gives what the model gives, run by someone else."""

import numpy as np
import pytest
from conftest import QUICK

import perpend

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")

VIEWED = {name: value for name, value in QUICK.items() if name != "views"}


def graph_of(model, path):
    model.export_onnx(path)
    onnx.checker.check_model(str(path), full_check=True)
    return runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])


def columns_of(frame):
    """A frame as the graph takes it: NaN and "" are missing."""
    feeds = {}
    for name in frame.columns:
        column = frame[name]
        if column.dtype.kind in "biuf":
            feeds[name] = column.to_numpy(np.float64)[:, None]
        else:
            feeds[name] = np.array([[cell if isinstance(cell, str) else ""] for cell in column], dtype=object)
    return feeds


def check(model, X, session, feeds):
    names = [output.name for output in session.get_outputs()]
    assert [name.rstrip("_") for name in names] == ["probabilities", "label", "disagreement", "member_probabilities"]
    probabilities, label, disagreement, members = session.run(None, feeds)
    np.testing.assert_allclose(probabilities, model.predict_proba(X), rtol=0, atol=1e-6)
    np.testing.assert_allclose(members, model.predict_proba_members(X), rtol=0, atol=2e-6)
    np.testing.assert_allclose(disagreement, model.disagreement(X), rtol=0, atol=2e-6)
    sure = np.abs(np.diff(np.sort(model.predict_proba(X), axis=1)[:, -2:], axis=1))[:, 0] > 1e-5
    assert sure.mean() > 0.8
    assert (label[sure] == model.predict(X)[sure].astype(str)).all()


@pytest.mark.parametrize(
    "estimator",
    [
        perpend.LITClassifier(**QUICK),
        perpend.AdaBoostNetClassifier(**QUICK),
        perpend.AdaBoostNetClassifier(**QUICK, boosting="samme"),
        perpend.BaggingNetClassifier(**{**QUICK, "hidden_layer_sizes": (8, 4)}, activation="tanh"),
        perpend.RestartClassifier(**QUICK, activation="softplus", standardize=False),
        perpend.NCLClassifier(**QUICK, activation="sigmoid"),
        perpend.LITClassifier(**VIEWED, views="plain"),
        perpend.BaggingNetClassifier(**{**VIEWED, "hidden_layer_sizes": (8, 4)}, views="plain"),
    ],
    ids=["lit", "samme-r", "samme", "deep", "softplus", "sigmoid", "plain", "plain-deep"],
)
@pytest.mark.parametrize("classes", [2, 3])
def test_numbers(estimator, classes, tmp_path):
    rng = np.random.default_rng(1)
    X = rng.normal(3, 5, size=(150, 4))
    y = np.digitize(X[:, 0] + rng.normal(size=150), np.linspace(-10, 10, 20)) % classes
    model = estimator.fit(X, y)
    check(model, X, graph_of(model, tmp_path / "m.onnx"), {f"x{i}": X[:, [i]] for i in range(4)})


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("calibrate", ["none", "temperature", "isotonic"])
@pytest.mark.parametrize("estimator", [perpend.LITClassifier, perpend.AdaBoostNetClassifier], ids=["mean", "samme-r"])
def test_calibration_and_threshold(estimator, calibrate, classes, tmp_path):
    if calibrate == "isotonic" and classes > 2:
        pytest.skip("isotonic is for two classes")
    rng = np.random.default_rng(1)
    X = rng.normal(3, 5, size=(150, 4))
    y = np.digitize(X[:, 0] + rng.normal(0, 3, size=150), [2, 6] if classes == 3 else [4])
    threshold = 0.3 if classes == 2 else None
    model = estimator(**{**QUICK, "early_stopping": True}, calibrate=calibrate, threshold=threshold).fit(X, y)
    session = graph_of(model, tmp_path / "m.onnx")
    probabilities, label, _, members = session.run(None, {f"x{i}": X[:, [i]] for i in range(4)})
    np.testing.assert_allclose(probabilities, model.predict_proba(X), rtol=0, atol=1e-6)
    np.testing.assert_allclose(members, model.predict_proba_members(X), rtol=0, atol=2e-6)
    if classes == 2:
        sure = np.abs(probabilities[:, 1] - 0.3) > 1e-5
        assert 0 < np.mean((probabilities[:, 1] > 0.3) & (probabilities[:, 1] < 0.5))
        assert (label[sure] == model.predict(X)[sure].astype(str)).all()


VIEWS = ["plain", "linear", "piecewise", ["linear", "piecewise"]]


@pytest.mark.parametrize("views", VIEWS, ids=str)
@pytest.mark.parametrize("missing", ["mean", "indicator"])
def test_categories_gaps_and_levels_never_seen(mixed_frame, missing, views, tmp_path):
    y = mixed_frame.pop("label")
    mixed_frame.loc[5, "colour"] = None
    standardize = missing == "mean" or views != "plain"
    model = perpend.LITClassifier(**VIEWED, missing=missing, standardize=standardize, views=views).fit(mixed_frame, y)
    session = graph_of(model, tmp_path / "m.onnx")
    other = mixed_frame.head(40).copy()
    other["colour"] = other["colour"].astype(object)
    other.loc[0, "colour"] = "mauve"
    other.loc[1, "colour"] = None
    other.loc[2, "age"] = np.inf
    other.loc[3, "count"] = np.nan
    other.loc[4, "word"] = None
    other.loc[5, "word"] = "c"
    with pytest.warns(perpend.PerpendWarning):
        check(model, other, session, columns_of(other))


@pytest.fixture
def varied_frame():
    """Columns of every kind that a view tells apart, and cells that training never saw."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(5)
    n = 300
    x = rng.normal(size=n)
    frame = pandas.DataFrame(
        {
            "smooth": x,
            "skewed": np.exp(2 * rng.normal(size=n)),
            "gappy": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n) + x),
            "few": rng.integers(0, 5, n).astype(float),
            "two": rng.integers(0, 2, n).astype(float),
            "two_gappy": np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 2, n)),
            "letter": rng.choice(list("abcde"), n).astype(object),
            "holed": np.where(rng.random(n) < 0.3, None, rng.choice(["u", "v"], n)),
        }
    )
    score = x + (frame["letter"] == "a") - (frame["two"] == 1) + np.log(frame["skewed"]) / 2 + rng.normal(size=n) / 2
    strange = frame.head(60).copy()
    for i, column in enumerate(["smooth", "skewed", "gappy", "few", "two", "two_gappy"]):
        cells = [np.nan, np.inf, -np.inf, -1e3, 1e3, 1e30, -1e30, frame[column].min(), frame[column].max()]
        strange.loc[strange.index[i : i + len(cells)], column] = cells
    for column in ["letter", "holed"]:
        strange.loc[strange.index[20:23], column] = [None, "never seen", "missing"]
    return frame, score, strange


@pytest.mark.parametrize(
    "estimator",
    [
        perpend.LITClassifier(**VIEWED, views="linear"),
        perpend.LITClassifier(**VIEWED, views="piecewise", bins=5),
        perpend.LITClassifier(**{**VIEWED, "n_estimators": 5}, views=["linear", "piecewise"]),
        perpend.LITClassifier(**VIEWED, views=["linear", "piecewise"], missing="mean"),
        perpend.AdaBoostNetClassifier(**VIEWED, views=["piecewise", "linear"]),
        perpend.RestartClassifier(**{**VIEWED, "hidden_layer_sizes": (8, 4)}, views=["linear", "piecewise"]),
        perpend.RestartClassifier(**VIEWED, views=["linear", "piecewise"], activation="tanh"),
        perpend.SubspaceClassifier(**VIEWED, views=["linear", "piecewise"]),
        perpend.SnapshotClassifier(**VIEWED, views=["linear", "piecewise"]),
        perpend.ExpertsClassifier(**VIEWED, views=["linear", "piecewise"]),
    ],
    ids=["linear", "piecewise", "both", "mean", "boosted", "deep", "tanh", "subspaces", "snapshot", "experts"],
)
@pytest.mark.parametrize("classes", [2, 3])
def test_views_within_at_and_beyond_the_edges(varied_frame, estimator, classes, tmp_path):
    frame, score, strange = varied_frame
    y = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
    model = estimator.fit(frame, y)
    session = graph_of(model, tmp_path / "m.onnx")
    check(model, frame, session, columns_of(frame))
    with pytest.warns(perpend.PerpendWarning):
        check(model, strange, session, columns_of(strange))


TREES = {**VIEWED, "views": ["linear", "trees"]}


def with_trees(**more):
    return perpend.LITClassifier(**{**TREES, **more})


def trees_of(path):
    """The attributes of the graph's trees, and the mean and sd of each number."""
    graph = onnx.load(path).graph
    (node,) = [node for node in graph.node if node.op_type == "TreeEnsembleRegressor"]
    constants = {constant.name: onnx.numpy_helper.to_array(constant) for constant in graph.initializer}
    attributes = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
    return attributes, constants["numbers_mean"][0], constants["numbers_sd"][0]


def test_default_models_have_trees(shortcut, tmp_path):
    X, y = shortcut[0].astype(np.float64), shortcut[1]
    model = perpend.LITClassifier(epochs=2).fit(X, y)
    session = graph_of(model, tmp_path / "m.onnx")
    assert len(trees_of(tmp_path / "m.onnx")[0]["nodes_treeids"]) > 0
    check(model, X, session, {f"x{i}": X[:, [i]] for i in range(X.shape[1])})


@pytest.mark.parametrize("missing", ["mean", "indicator"])
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_trees_of_every_kind_of_column(varied_frame, classes, missing, tmp_path):
    frame, score, strange = varied_frame
    y = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
    model = with_trees(missing=missing).fit(frame, y)
    session = graph_of(model, tmp_path / "m.onnx")
    check(model, frame, session, columns_of(frame))
    with pytest.warns(perpend.PerpendWarning):
        check(model, strange, session, columns_of(strange))


@pytest.mark.parametrize("columns", [["letter"], ["letter", "holed"], ["smooth"], ["gappy", "holed"]], ids=str)
def test_trees_of_few_columns(varied_frame, columns, tmp_path):
    frame, score, _ = varied_frame
    model = with_trees().fit(frame[columns], (score > 0).astype(int))
    session = graph_of(model, tmp_path / "m.onnx")
    check(model, frame[columns], session, columns_of(frame[columns]))


def test_cells_at_the_thresholds_of_trees_go_left_as_in_perpend(tmp_path):
    rng = np.random.default_rng(6)
    X = rng.normal(3, 5, size=(400, 2))
    model = with_trees().fit(X, (np.sin(X[:, 0]) + X[:, 1] / 5 > 0).astype(int))
    session = graph_of(model, tmp_path / "m.onnx")
    trees, mean, sd = trees_of(tmp_path / "m.onnx")
    thresholds = onnx.numpy_helper.to_array(trees["nodes_values_as_tensor"])
    inner = np.array(trees["nodes_modes"]) != b"LEAF"
    at, own = thresholds[inner], np.array(trees["nodes_featureids"])[inner]
    cells = np.zeros((3 * len(at), 2))
    for i, towards in enumerate([-np.inf, None, np.inf]):
        near = at if towards is None else np.nextafter(at.astype(np.float32), np.float32(towards)).astype(float)
        cells[np.arange(len(at)) + i * len(at), own] = mean[own] + near * sd[own]
    on_threshold = np.float32((cells[len(at) : 2 * len(at)][np.arange(len(at)), own] - mean[own]) / sd[own]) == at
    assert on_threshold.mean() > 0.9
    check(model, cells, session, {f"x{i}": cells[:, [i]] for i in range(2)})


def test_three_hundred_trees_agree_to_one_in_a_million(tmp_path):
    rng = np.random.default_rng(7)
    X = rng.normal(size=(2000, 6))
    y = np.digitize(np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2] + rng.normal(size=2000) / 4, [-1, 0, 1])
    model = with_trees(epochs=1).fit(X, y)
    session = graph_of(model, tmp_path / "m.onnx")
    assert len(set(trees_of(tmp_path / "m.onnx")[0]["nodes_treeids"])) >= 300
    members = session.run(["member_probabilities"], {f"x{i}": X[:, [i]] for i in range(6)})[0]
    np.testing.assert_allclose(members[-1], model.predict_proba_members(X)[-1], rtol=0, atol=1e-6)


def test_trees_that_learned_nothing(tmp_path):
    rng = np.random.default_rng(8)
    X = rng.normal(size=(16, 2))  # too few for two leaves of ten rows
    model = with_trees().fit(X, np.arange(16) % 2)
    session = graph_of(model, tmp_path / "m.onnx")
    assert set(trees_of(tmp_path / "m.onnx")[0]["nodes_modes"]) == {b"LEAF"}
    check(model, X, session, {f"x{i}": X[:, [i]] for i in range(2)})


def test_trees_refuse_rows_with_missing_cells_where_the_model_does(mixed_frame, tmp_path):
    y = mixed_frame.pop("label")
    model = with_trees(drop=["age"], missing="error").fit(mixed_frame, y)
    session = graph_of(model, tmp_path / "m.onnx")
    feeds = columns_of(mixed_frame.drop(columns="age"))
    feeds["count"][3] = np.nan
    feeds["colour"][4] = ""
    feeds["colour"][5] = "mauve"
    refused = np.isnan(session.run(["member_probabilities"], feeds)[0]).any(axis=2)
    assert [member.nonzero()[0].tolist() for member in refused] == [[3, 4], [3, 4]]


def test_more_columns_and_bins_take_no_more_nodes(tmp_path):
    rng = np.random.default_rng(4)
    nodes = []
    for columns, bins in [(2, 3), (20, 12)]:
        X = rng.normal(size=(200, columns))
        model = perpend.LITClassifier(**VIEWED, views=["linear", "piecewise"], bins=bins).fit(X, X[:, 0] > 0)
        model.export_onnx(tmp_path / "m.onnx")
        nodes.append(len(onnx.load(tmp_path / "m.onnx").graph.node))
    assert nodes[0] == nodes[1]


@pytest.mark.parametrize("views", VIEWS, ids=str)
def test_a_row_that_the_model_refuses_is_nan(mixed_frame, views, tmp_path):
    y = mixed_frame.pop("label")
    model = perpend.LITClassifier(**VIEWED, drop=["age"], missing="error", views=views).fit(mixed_frame, y)
    session = graph_of(model, tmp_path / "m.onnx")
    feeds = columns_of(mixed_frame.drop(columns="age"))
    feeds["count"][3] = np.nan
    feeds["colour"][4] = ""
    feeds["colour"][5] = "mauve"
    refused = np.isnan(session.run(["probabilities"], feeds)[0]).any(axis=1)
    assert refused.nonzero()[0].tolist() == [3, 4]


def test_columns_may_be_called_as_anything(tmp_path):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(2)
    names = ["label", "probabilities", "features", "label_", "a b\n\u00e9", "disagreement"]
    X = pandas.DataFrame(rng.normal(size=(80, 6)), columns=names)
    model = perpend.LITClassifier(**QUICK).fit(X, (X["label"] > 0).astype(int))
    check(model, X, graph_of(model, tmp_path / "m.onnx"), columns_of(X))


def test_the_command_line_writes_the_same_file(shortcut, program, tmp_path):
    model = perpend.LITClassifier(**QUICK).fit(*shortcut)
    model.save(tmp_path / "m")
    model.export_onnx(tmp_path / "here.onnx")
    said = program("export", tmp_path / "m", "--onnx", tmp_path / "there.onnx").stdout
    assert "2 members" in said and "there.onnx" in said
    assert (tmp_path / "here.onnx").read_bytes() == (tmp_path / "there.onnx").read_bytes()
    done = program("export", tmp_path / "m", "--onnx", tmp_path / "there.onnx", check=False)
    assert done.returncode == 6 and "will not overwrite" in done.stderr


def test_codes_may_be_spelled_as_floats(tmp_path):
    rng = np.random.default_rng(3)
    codes = rng.integers(-1, 3, size=120)
    y = (codes + rng.integers(0, 2, size=120) > 1).astype(int)
    model = perpend.LITClassifier(**QUICK, categorical_features=["x0"]).fit(codes[:, None].astype(float), y)
    session = graph_of(model, tmp_path / "m.onnx")
    name = session.get_inputs()[0].name
    for spelled in (["-1", "0", "2"], ["-1.0", "0.0", "2.0"]):
        found = session.run(["probabilities"], {name: np.array(spelled, dtype=object)[:, None]})[0]
        np.testing.assert_allclose(found, model.predict_proba(np.array([[-1.0], [0], [2]])), atol=2e-6)
