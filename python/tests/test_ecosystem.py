"""Inside scikit-learn's tools."""

import numpy as np
import pytest
from conftest import QUICK
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import perpend

pytestmark = pytest.mark.filterwarnings("ignore::perpend.PerpendWarning")


def test_pipeline_and_column_transformer(mixed_frame):
    y = mixed_frame.pop("label")
    encode = ColumnTransformer(
        [("words", OneHotEncoder(sparse_output=False), ["colour", "word"]), ("numbers", StandardScaler(), ["count"])]
    )
    model = make_pipeline(encode, perpend.LITClassifier(**QUICK))
    model.set_output(transform="pandas")
    model.fit(mixed_frame, y)
    assert model[-1].feature_names_in_[0] == "words__colour_blue"
    assert model.predict_proba(mixed_frame).shape == (len(y), 2)
    model.set_output(transform="default").fit(mixed_frame, y, litclassifier__sample_weight=np.ones(len(y)))


def test_grid_search_in_two_processes(shortcut):
    grid = {"lambda_": [0.0, 1.0], "n_estimators": [2, 3]}
    search = GridSearchCV(perpend.LITClassifier(**QUICK, n_jobs=1), grid, n_jobs=2, cv=2, scoring="neg_log_loss")
    search.fit(*shortcut)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    alone = GridSearchCV(perpend.LITClassifier(**QUICK), grid, cv=2, scoring="neg_log_loss").fit(*shortcut)
    assert (alone.cv_results_["mean_test_score"] == search.cv_results_["mean_test_score"]).all()


def test_calibration_and_cross_validation(shortcut):
    X, y = shortcut
    calibrated = CalibratedClassifierCV(perpend.LITClassifier(**QUICK), cv=2).fit(X, y, sample_weight=np.ones(len(y)))
    assert calibrated.predict_proba(X).shape == (len(y), 2)
    assert cross_val_score(perpend.NCLClassifier(**QUICK), X, y, cv=3, scoring="roc_auc").shape == (3,)
    split = perpend.splits.ExtrapolationSplit()
    assert cross_val_score(perpend.LITClassifier(**QUICK), X, y, cv=split).shape == (1,)


def test_clone_keeps_options_and_forgets_the_fit(shortcut):
    model = perpend.LITClassifier(**QUICK, lambda_=0.25).fit(*shortcut)
    other = clone(model)
    assert other.get_params() == model.get_params()
    assert not hasattr(other, "classes_")
    assert other.fit(*shortcut).to_bytes() == model.to_bytes()


def test_choice_of_lambda_and_members(shortcut):
    X, y = shortcut
    options = dict(lambdas=(0.0, 0.3), n_estimators=(2, 3), estimator=perpend.LITClassifier(**QUICK))
    for scoring in ("log_loss", "auc"):
        search = perpend.LITClassifierCV(scoring=scoring, **options).fit(X, y)
        assert len(search.cv_results_["score"]) == 4
        assert search.best_estimator_.n_estimators == search.best_n_estimators_
        assert search.predict_proba(X).shape == (len(y), 2)
    search = perpend.LITClassifierCV(rule="best", **options).fit(X[:100], y[:100], eval_set=(X[100:], y[100:]))
    best = np.argmin(search.cv_results_["score"])
    assert search.best_lambda_ == search.cv_results_["lambda_"][best]
    free = perpend.LITClassifierCV(**options)
    free.cv_results_ = {
        "lambda_": np.array([0, 1, 3, 10.0]),
        "n_estimators": np.array([2, 2, 2, 3]),
        "score": np.array([0.30, 0.305, 0.40, 0.31]),
        "standard_error": np.array([0.01, 0.01, 0.01, 0.01]),
    }
    assert free._choose() == 1, "the largest lambda that costs less than 0.02, of the best number of members"
    with pytest.raises(ValueError, match="scoring is 'f1'"):
        perpend.LITClassifierCV(scoring="f1").fit(X, y)


def test_a_search_keeps_groups_together():
    X, y = perpend.datasets.generate("shortcut", rows=240)
    patient = np.arange(240) // 4
    seen = []

    class Splitter(GroupKFold):
        def split(self, X, y=None, groups=None):
            for train, test in super().split(X, y, groups):
                seen.append(set(groups[train]) & set(groups[test]))
                yield train, test

    options = dict(lambdas=(0.0,), n_estimators=(2,), estimator=perpend.LITClassifier(epochs=2, hidden_layer_sizes=4))
    perpend.LITClassifierCV(cv=Splitter(3), **options).fit(X, y, groups=patient)
    assert seen == [set(), set(), set()]
    perpend.LITClassifierCV(cv=3, **options).fit(X, y, groups=list(patient))
    with pytest.raises(ValueError, match="one entry for each of the 240 rows"):
        perpend.LITClassifierCV(cv=3, **options).fit(X, y, groups=patient[:-1])


def test_charts(shortcut):
    pytest.importorskip("altair")
    X, y = shortcut
    model = perpend.LITClassifier(**QUICK).fit(X, y)
    charts = {
        "loss": model.plot("loss"),
        "calibration": model.plot("calibration", X, y),
        "disagreement": model.plot("disagreement", X, y, new=X + 3),
        "gradients": model.plot("gradients", new=X),
        "cosine": model.plot("cosine", X, y),
        "members": model.plot("members", X, y),
        "distance": model.plot("distance", X, y),
    }
    for name, chart in charts.items():
        specification = chart.to_dict()
        assert specification["data"].get("values") or specification["datasets"], name
        assert "var(--" not in str(specification) and specification["title"], name
    with pytest.raises(ValueError, match="there is no chart 'calibration' from what is given; there are: .*loss"):
        model.plot("calibration")
    with pytest.raises(ValueError, match="X and y come together"):
        model.plot("roc", X)
