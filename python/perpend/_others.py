"""Other models in a comparison: any scikit-learn classifiers on the rows that the methods train and test on."""

from __future__ import annotations

import importlib
from typing import Any, Callable, Sequence, Union

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter

# What "found" looks for: the row's name, the module, the class, and what keeps it quiet and repeatable.
FINDABLE: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("LightGBM", "lightgbm", "LGBMClassifier", {"verbose": -1}),
    ("XGBoost", "xgboost", "XGBClassifier", {}),
    ("CatBoost", "catboost", "CatBoostClassifier", {"verbose": False, "allow_writing_files": False}),
    ("extra trees", "sklearn.ensemble", "ExtraTreesClassifier", {}),
    ("random forest", "sklearn.ensemble", "RandomForestClassifier", {}),
)


def found(task: str) -> list[tuple[str, Any]]:
    """The models of FINDABLE whose packages are installed, with their defaults; as regressors where the task asks for it."""
    models = []
    for name, module, cls, quiet in FINDABLE:
        if task == "regress":
            cls = cls.replace("Classifier", "Regressor")
        try:
            models.append((name, getattr(importlib.import_module(module), cls)(random_state=0, **quiet)))
        except (ImportError, OSError):  # not there, or without a library of the system that it needs
            continue
    return models


def named(others: Union[str, Sequence[Any]], taken: Sequence[str], task: str) -> list[tuple[str, Any]]:
    """Names and estimators of what a user gave. An estimator without a name has that of its class."""
    if isinstance(others, str):
        if others != "found":
            raise ValueError(f'others is {others!r}; it must be "found", or a list of estimators or (name, estimator) pairs')
        return found(task)
    models: list[tuple[str, Any]] = []
    for one in others:
        if isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], str):
            name, model = one[0], one[1]
        else:
            name, model = type(one).__name__, one
        if isinstance(model, type) or not hasattr(model, "fit"):
            raise TypeError(f"others has {model!r}, which is not an estimator; give one, or a (name, estimator) pair")
        if name in [*taken, *(known for known, _ in models)]:
            raise ValueError(f"others has a second model called {name!r}; give it another name, as a (name, estimator) pair")
        models.append((name, model))
    return models


def _takes_missing(model: Any) -> bool:
    try:
        from sklearn.utils import get_tags

        return bool(get_tags(model).input_tags.allow_nan)
    except (ImportError, AttributeError):  # scikit-learn before 1.6, or a model that was written for it
        tags: dict[str, Any] = getattr(model, "_get_tags", dict)()
        return bool(tags.get("allow_nan", False))


def _prepared(model: Any, is_category: Sequence[bool], has_missing: bool) -> Pipeline:
    """The estimator behind what it needs: one-hot levels, and medians where numbers are missing and it cannot take that."""
    places = np.arange(len(is_category))
    categories = np.asarray(is_category, dtype=bool)
    fill = has_missing and not _takes_missing(model)
    steps = [
        ("numbers", SimpleImputer(strategy="median", add_indicator=True) if fill else "passthrough", places[~categories]),
        ("categories", OneHotEncoder(handle_unknown="ignore", sparse_output=False), places[categories]),
    ]
    return Pipeline([("columns", ColumnTransformer(steps)), ("model", model)])


def _answers(model: Any, X: Any, weights: Any, rows: dict[str, Any]) -> NDArray[np.float64]:
    """Fits a copy of the model to the training rows and answers the test rows: the classes' probabilities, or numbers."""
    model = clone(model)
    if isinstance(model, Pipeline):
        train, test = _safe_indexing(X, rows["train"]), _safe_indexing(X, rows["test"])
    else:
        train, test = rows["train_inputs"], rows["test_inputs"]
        model = _prepared(model, rows["is_category"], bool(np.isnan(train).any() or np.isnan(test).any()))
    more = {}
    if weights is not None:
        last, estimator = model.steps[-1]
        if not has_fit_parameter(estimator, "sample_weight"):
            raise TypeError(f"{type(estimator).__name__} takes no sample_weight")
        more = {f"{last}__sample_weight": np.asarray(weights)[rows["train"]]}
    if rows["classes"] == 0:
        return _finite(np.asarray(model.fit(train, rows["targets"], **more).predict(test), float).reshape(-1, 1))
    model.fit(train, rows["labels"], **more)
    if not hasattr(model, "predict_proba"):
        raise TypeError(f"{type(model.steps[-1][1]).__name__} has no predict_proba")
    answers = np.zeros((len(rows["test"]), rows["classes"]))
    answers[:, np.asarray(model.classes_, dtype=int)] = model.predict_proba(test)
    return _finite(answers)


def _finite(answers: NDArray[np.float64]) -> NDArray[np.float64]:
    if not np.isfinite(answers).all():
        raise ValueError("it gave answers that are not finite numbers")
    return answers


def function_of(model: Any, X: Any, weights: Any) -> Callable[[dict[str, Any]], Union[str, NDArray[np.float64]]]:
    """What the engine calls with the rows of a restart. An error becomes its first line."""

    def answer(rows: dict[str, Any]) -> Union[str, NDArray[np.float64]]:
        try:
            return _answers(model, X, weights, rows)
        except Exception as error:
            lines = str(error).strip().splitlines()
            text = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
            return text.encode("utf-8", "replace").decode("utf-8")

    return answer
