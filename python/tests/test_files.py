"""Model files, pickle, joblib: the same bytes."""

import copy
import pickle

import numpy as np
import pytest
from conftest import QUICK

import perpend


def test_pickle_and_joblib_keep_model_and_types(shortcut, tmp_path):
    joblib = pytest.importorskip("joblib")
    X, y = shortcut
    model = perpend.AdaBoostNetClassifier(**QUICK).fit(X, y)
    joblib.dump(model, tmp_path / "m.joblib")
    for other in (pickle.loads(pickle.dumps(model)), joblib.load(tmp_path / "m.joblib"), copy.deepcopy(model)):
        assert other.to_bytes() == model.to_bytes()
        assert (other.predict(X) == model.predict(X)).all()
        assert other.classes_.dtype == model.classes_.dtype
    assert model.to_bytes() in pickle.dumps(model)
    pickle.loads(pickle.dumps(perpend.LITClassifier()))


def test_a_loaded_model_predicts_the_same(shortcut, tmp_path):
    X, y = shortcut
    model = perpend.NCLClassifier(**QUICK, lambda_=0.25).fit(X, np.where(y == y[0], 3, 7))
    model.save(tmp_path / "m")
    for other in (perpend.load(tmp_path / "m"), perpend.NCLClassifier.load(str(tmp_path / "m"))):
        assert type(other) is perpend.NCLClassifier
        assert other.classes_.tolist() == [3, 7]
        assert other.lambda_ == 0.25 and other.hidden_layer_sizes == (16,)
        assert (other.predict_proba(X) == model.predict_proba(X)).all()
        assert other.to_bytes() == model.to_bytes()
    with pytest.raises(perpend.ModelFileError, match="was trained with method ncl, not lit"):
        perpend.LITClassifier.load(tmp_path / "m")


def test_a_model_of_a_frame_wants_names(mixed_frame, tmp_path):
    y = mixed_frame.pop("label")
    model = perpend.LITClassifier(**QUICK, missing="mean").fit(mixed_frame, y)
    model.save(tmp_path / "m")
    other = perpend.load(tmp_path / "m")
    shuffled = mixed_frame[mixed_frame.columns[::-1]]
    with pytest.warns(perpend.PerpendWarning):
        assert (other.predict_proba(shuffled) == model.predict_proba(mixed_frame)).all()
    with pytest.raises(ValueError, match="has no column 'age', which the model needs"):
        other.predict(mixed_frame.drop(columns="age"))
    with pytest.raises(ValueError, match="by name"):
        other.predict(np.zeros((2, 5)))


def test_files_that_cannot_be_used(tmp_path, shortcut):
    with pytest.raises(OSError, match="nowhere"):
        perpend.load(tmp_path / "nowhere")
    (tmp_path / "m").write_bytes(b"not a model")
    with pytest.raises(perpend.ModelFileError):
        perpend.load(tmp_path / "m")
    model = perpend.LITClassifier(**QUICK).fit(*shortcut)
    with pytest.raises(OSError, match="m"):
        model.save(tmp_path / "m", overwrite=False)
    with pytest.raises(OSError):
        model.save(tmp_path / "no folder" / "m")
    state = pickle.dumps(model)
    at = state.index(model.to_bytes()) + 3000
    damaged = state[:at] + bytes([state[at] ^ 1]) + state[at + 1 :]
    with pytest.raises(perpend.ModelFileError):
        pickle.loads(damaged)


def test_the_report_is_the_command_lines_page(shortcut, tmp_path):
    X, y = shortcut
    model = perpend.LITClassifier(**QUICK).fit(X, y)
    model.report(tmp_path / "bare.html")
    model.report(tmp_path / "own.html", X, y, new=X[:50])
    model.report(tmp_path / "other.html", X[:100], y[:100], new=(X[:50], y[:50]), features=["x1"])
    bare, own, other = ((tmp_path / f"{name}.html").read_text() for name in ("bare", "own", "other"))
    assert all(page.startswith("<!doctype html>") and page.rstrip().endswith("</html>") for page in (bare, own, other))
    assert own.count("new rows") > bare.count("new rows")
    assert perpend.__version__ in own
    with pytest.raises(OSError, match="will not overwrite"):
        model.report(tmp_path / "own.html", overwrite=False)
    with pytest.raises(ValueError, match="together"):
        model.report(tmp_path / "own.html", X)
    assert (tmp_path / "own.html").read_text() == own


def test_the_report_of_the_same_model_and_table_is_the_command_lines_page(shortcut, program, tmp_path):
    X, y = shortcut
    y = (y == y[0]).astype(int)
    model = perpend.LITClassifier(**QUICK).fit(X, y)
    model.save(tmp_path / "LITClassifier")
    names = ",".join([f"x{i}" for i in range(X.shape[1])] + ["target"])
    np.savetxt(tmp_path / "X", np.column_stack([X, y]), "%.17g", ",", header=names, comments="")
    model.report(tmp_path / "here.html", X, y)
    program("report", tmp_path / "LITClassifier", tmp_path / "X", "-o", tmp_path / "there.html")
    assert (tmp_path / "here.html").read_text() == (tmp_path / "there.html").read_text()
