"""scikit-learn's own checks of every estimator: no failure, none expected."""

import warnings

import pytest
from sklearn.utils.estimator_checks import check_estimator

import perpend

FAST = dict(epochs=30, hidden_layer_sizes=(32,), batch_size=16, learning_rate=3e-3)
ESTIMATORS = [
    perpend.LITClassifier(n_estimators=3, **FAST),
    perpend.RestartClassifier(n_estimators=2, **FAST),
    perpend.BaggingNetClassifier(n_estimators=3, **FAST),
    perpend.AdaBoostNetClassifier(n_estimators=2, **FAST),
    perpend.NCLClassifier(n_estimators=2, **FAST),
    perpend.ACEClassifier(n_estimators=2, **FAST),
    perpend.LITClassifierCV(lambdas=(0.0, 0.1), n_estimators=(2,), estimator=perpend.LITClassifier(**FAST)),
    perpend.LITClassifier(n_estimators=2, missing="mean", **FAST),
    perpend.LITRegressor(n_estimators=3, **FAST),
    perpend.LITRegressor(n_estimators=2, loss="absolute", **FAST),
    perpend.RestartRegressor(n_estimators=2, **FAST),
    perpend.BaggingNetRegressor(n_estimators=3, **FAST),
    perpend.AdaBoostNetRegressor(n_estimators=2, **FAST),
    perpend.NCLRegressor(n_estimators=2, **FAST),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: f"{type(e).__name__}-{getattr(e, 'missing', '')}-{getattr(e, 'loss', '')}")
def test_every_check_passes(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(estimator) or []  # raises at the first failure; before 1.6 it returns nothing
    assert [r["check_name"] for r in results if r["status"] not in ("passed", "skipped")] == []
