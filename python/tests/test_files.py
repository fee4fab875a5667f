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
        assert other.lambda_ == 0.25 and other.hidden == (16,)
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
