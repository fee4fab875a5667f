"""Numpy, pandas, polars and Arrow tables; what is read in place; what is refused, and that nothing crashes."""

import numpy as np
import pytest
from conftest import QUICK

import perpend
from perpend import _core

LABELS = np.arange(60) % 2


def rows(seed=0, columns=4):
    return np.random.default_rng(seed).normal(size=(60, columns)).astype(np.float32)


def model_of(X, y=LABELS, **options):
    return perpend.LITClassifier(**{**QUICK, **options}).fit(X, y)


def named(X):
    return {f"c{i}": X[:, i] for i in range(X.shape[1])}


def test_frames_of_numbers_agree():
    pandas, polars, pyarrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    X = rows()
    wanted = model_of(pandas.DataFrame(named(X))).to_bytes()
    assert model_of(polars.DataFrame(named(X))).to_bytes() == wanted
    assert model_of(pyarrow.table(named(X))).to_bytes() == wanted
    halves = pyarrow.concat_tables([pyarrow.table(named(X[:25])), pyarrow.table(named(X[25:]))])
    assert model_of(halves).to_bytes() == wanted, "a table of two chunks"
    sliced = pyarrow.table(named(np.vstack([X, X])))[60:]
    assert model_of(sliced).to_bytes() == wanted, "a slice, which begins at an offset"


def test_frames_of_everything_agree(mixed_frame):
    polars, pyarrow = map(pytest.importorskip, ("polars", "pyarrow"))
    y = mixed_frame.pop("label")
    del mixed_frame["weight"]
    wanted = model_of(mixed_frame, y, missing="mean").to_bytes()
    table = pyarrow.Table.from_pandas(mixed_frame, preserve_index=False)
    assert model_of(table, y, missing="mean").to_bytes() == wanted
    frame = polars.from_arrow(table)
    assert model_of(frame, y, missing="mean").to_bytes() == wanted
    words = frame.with_columns(polars.col("colour").cast(polars.String))
    assert model_of(words, y, missing="mean").to_bytes() == wanted, "text in place of categories"
    assert model_of(frame.with_columns(polars.col("age").fill_null(float("nan"))), y, missing="mean").to_bytes() == wanted


def test_arrow_types_and_gaps():
    pyarrow = pytest.importorskip("pyarrow")
    n = 60
    rng = np.random.default_rng(1)
    numbers = rng.integers(0, 50, n)
    types = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"]
    gaps = np.arange(n) % 7 == 0
    columns = {
        name: pyarrow.array(numbers.astype(name), mask=np.roll(gaps, i)) for i, name in enumerate(types)
    }
    columns["bool"] = pyarrow.array(numbers % 3 == 0, mask=gaps)
    columns["nothing"] = pyarrow.nulls(n)
    columns["large"] = pyarrow.array(["w" + str(i % 3) for i in range(n)], pyarrow.large_string())
    columns["view"] = pyarrow.array(["a word of many letters " + str(i % 2) for i in range(n)], pyarrow.string_view())
    pandas = pytest.importorskip("pandas")
    same = {name: column.to_pylist() for name, column in columns.items()}
    frame = pandas.DataFrame({name: pandas.Series(values, dtype=object) for name, values in same.items()})
    options = dict(missing="indicator")
    assert model_of(pyarrow.table(columns), **options).to_bytes() == model_of(frame, **options).to_bytes()
    dates = pyarrow.table({"d": pyarrow.array([0] * n, pyarrow.date32()), "x": rows()[:, 0]})
    with pytest.raises(TypeError, match="column 'd' has Arrow type"):
        model_of(dates)


def test_a_stream_without_any_library():
    """Anything with the method of the protocol will do."""
    pyarrow = pytest.importorskip("pyarrow")

    class Stream:
        def __init__(self, table):
            self.table, self.shape, self.columns = table, table.shape, table.column_names

        def __arrow_c_stream__(self, requested_schema=None):
            return self.table.__arrow_c_stream__(requested_schema)

    X = rows()
    stream = Stream(pyarrow.table(named(X)))
    assert model_of(stream).predict_proba(stream).shape == (60, 2)


def test_float_arrays_are_not_copied():
    X = np.zeros((60, 3), np.float32)
    X += rows(columns=3)
    table = _core.Table("X", 60)
    before = table.names
    table.add_matrix(["a", "b", "c"], X)
    with pytest.raises(ValueError):  # numpy refuses: someone holds its memory
        X.resize((10, 3), refcheck=True)
    assert (before, table.names) == ([], ["a", "b", "c"])


def test_feature_names_are_kept_and_asked_for():
    pandas = pytest.importorskip("pandas")
    X = rows()
    frame = pandas.DataFrame(named(X))
    model = model_of(frame)
    assert list(model.feature_names_in_) == ["c0", "c1", "c2", "c3"]
    assert model.features_ == ["c0", "c1", "c2", "c3"]
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert (model.predict_proba(X) == model.predict_proba(frame)).all()
    with pytest.raises(ValueError, match="same order"):
        model.predict(frame[["c1", "c0", "c2", "c3"]])
    polars = pytest.importorskip("polars")
    assert list(model_of(polars.DataFrame(named(X))).feature_names_in_) == ["c0", "c1", "c2", "c3"]


def test_categories_gaps_and_new_levels(mixed_frame):
    y = mixed_frame.pop("label")
    model = model_of(mixed_frame, y, missing="indicator")
    assert {"colour=blue", "colour=red", "age", "age=missing"} <= set(model.features_)
    other = mixed_frame.head(3).copy()
    other["colour"] = ["mauve", "red", None]
    with pytest.warns(perpend.PerpendWarning, match="'colour' has 1 cell with a level that training never saw"):
        assert np.isfinite(model.predict_proba(other)).all()


ONE_LINE = {
    "missing": (lambda X: np.where(np.arange(60)[:, None] == 17, np.nan, X), "[17]: column 'x0' is empty where 59 other rows"),
    "infinite": (lambda X: np.where(np.arange(60)[:, None] == 3, np.inf, X), "[3]: column 'x0' is 'inf' where 59 other rows"),
    "beyond float": (lambda X: X.astype(float) * 1e39, "a number outside float range (3.4e38)"),
    "constant": (lambda X: X * 0, "has no input column left besides the target 'target'"),
}


SPELLINGS = {
    "--missing mean": 'missing="mean"',
    "--missing indicator": 'missing="indicator"',
    "--drop x0": 'drop=["x0"]',
    "--categorical x0": 'categorical_features=["x0"]',
}


@pytest.mark.parametrize("case", ONE_LINE)
def test_bad_data_has_the_line_of_the_command_line(case, program, tmp_path):
    change, text = ONE_LINE[case]
    X = change(rows())
    with pytest.raises(ValueError) as caught:
        model_of(X)
    assert text in str(caught.value) and "\n" not in str(caught.value)
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", LABELS)
    done = program("train", f"{tmp_path}/X.npy,{tmp_path}/y.npy", "--target", "target", "-o", tmp_path / "m", "--views", "plain", check=False)
    said = done.stderr.strip().removeprefix("perpend: ").replace(f"{tmp_path}/X.npy,{tmp_path}/y.npy", "X")
    for flag, keyword in SPELLINGS.items():
        said = said.replace(flag, keyword)
    assert said == str(caught.value)


def test_bad_shapes_and_types():
    X = rows()
    for bad, error in [
        (X[0], ValueError),
        (X[None], ValueError),
        (X[:0], ValueError),
        (X[:, :0], ValueError),
        (X + 1j, ValueError),
        (X.astype("M8[s]"), TypeError),
        (np.zeros(60, [("a", "f4")]), (TypeError, ValueError)),
        ([[1, 2], [3]], ValueError),
        ("text", ValueError),
        (None, ValueError),
        ([[{}] * 3] * 60, TypeError),
    ]:
        with pytest.raises(error):
            model_of(bad)
    for y in (LABELS[:50], LABELS[:, None] * [1, 2], None, LABELS * 1j, np.linspace(0, 1, 60), [None] * 60, LABELS * 0):
        with pytest.raises(ValueError):
            model_of(X, y)
    with pytest.raises(ValueError, match=r"X has 60 rows and y has 50; they must be the same"):
        model_of(X, LABELS[:50])
    with pytest.raises(ValueError, match="both called 'a'|unique column names"):  # ours, or scikit-learn's before it
        pandas = pytest.importorskip("pandas")
        model_of(pandas.DataFrame(X, columns=["a", "a", "b", "c"]))


DTYPES = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 g c8 c16 O S3 U3 M8[s] m8[s] V4".split()


def odd_array(rng):
    """Of any type, shape, stride, byte order, with gaps and extremes."""
    dtype = np.dtype(DTYPES[rng.integers(len(DTYPES))])
    axes = rng.choice([0, 1, 2, 2, 2, 2, 2, 2, 3])
    shape = tuple(int(s) for s in rng.choice([0, 1, 2, 5, 12, 30], axes))
    values = rng.normal(size=shape) * 10.0 ** rng.integers(-3, 4)
    with np.errstate(all="ignore"):
        if dtype.kind == "V":
            X = np.zeros(shape, dtype)
        elif dtype.kind == "O":
            choices = np.array([1.5, "a", None, float("nan"), 10**400, b"x", {}, True, "7", np.float32(2)], object)
            X = choices[rng.integers(len(choices), size=shape)]
            X = np.asarray(X, object).reshape(shape)
        else:
            X = np.asarray(values).astype(np.int64 if dtype.kind in "mM" else dtype, copy=True).astype(dtype)
    if dtype.kind in "fc" and X.size and rng.random() < 0.3:
        X.reshape(-1)[rng.integers(X.size)] = rng.choice([np.nan, np.inf, -np.inf, np.finfo("f4").max])
    if rng.random() < 0.3:
        X = X.astype(X.dtype.newbyteorder())
    if X.ndim == 2 and rng.random() < 0.6:
        way = rng.integers(6)
        X = [X[::-1], X[:, ::-1], X[::2], X[:, ::2], X.T, np.asfortranarray(X)][way]
    if X.ndim == 2 and X.size and rng.random() < 0.1:
        X = np.broadcast_to(X[:1], (20, X.shape[1]))
    if rng.random() < 0.2 and X.size:
        X = X.copy()
        X.flags.writeable = False
    return X


@pytest.mark.filterwarnings("ignore")
def test_two_thousand_odd_arrays_never_crash():
    rng = np.random.default_rng(11)
    fitted = refused = 0
    trained = model_of(rows())
    for i in range(2000):
        X = odd_array(rng)
        y = np.arange(len(X) if X.ndim else 1) % 2
        model = perpend.RestartClassifier(n_estimators=1, hidden_layer_sizes=(2,), epochs=1, n_jobs=1, missing=["error", "mean"][i % 2])
        for act in (lambda: model.fit(X, y), lambda: trained.predict(X)):
            try:
                act()
                fitted += 1
            except (ValueError, TypeError) as error:
                refused += 1
                assert str(error), X
    assert fitted > 300 and refused > 1000
