"""The estimators, one for each method of the command line. Their parameters come from the option table.

A method of the engine's table without a class here gets one that is made from its entry (``_made``).
"""

from __future__ import annotations

import json
import os
from typing import Any, Union

from . import _core
from ._base import EnsembleClassifier, EnsembleRegressor


class LITClassifier(EnsembleClassifier):
    """An ensemble of locally independent networks (LIT).

    Members are trained together to predict the labels with input gradients that are orthogonal at the training rows. So
    each member reaches its answers from other features, and the members extrapolate differently.

    Examples
    --------
    >>> from perpend import LITClassifier, datasets
    >>> X, y = datasets.generate("shortcut", rows=200)
    >>> model = LITClassifier(n_estimators=3, hidden_layer_sizes=16, epochs=20).fit(X, y)
    >>> model.predict_proba(X).shape
    (200, 2)
    """

    _method = "lit"


class RestartClassifier(EnsembleClassifier):
    """Independent networks from different random initial weights, also called a deep ensemble: the baseline of LIT."""

    _method = "restarts"


class BaggingNetClassifier(EnsembleClassifier):
    """Networks on bootstrap samples of the rows. ``summary_["out_of_bag"]`` scores them on the rows they have not seen."""

    _method = "bagging"


class AdaBoostNetClassifier(EnsembleClassifier):
    """Networks trained one after another, each on rows reweighted by the errors before it (AdaBoost).

    There are fewer networks than n_estimators if one of them makes no error, or is no better than chance.
    """

    _method = "adaboost"


class NCLClassifier(EnsembleClassifier):
    """Networks trained together to differ in their predictions, by negative correlation learning."""

    _method = "ncl"


class ACEClassifier(EnsembleClassifier):
    """Networks trained together to differ in their predictions, by amended cross-entropy."""

    _method = "ace"


class DivDisClassifier(EnsembleClassifier):
    """Networks trained together to answer independently of one another on rows without labels, by DivDis.

    ``fit`` needs those rows: ``fit(X, y, unlabeled=U)``.
    """

    _method = "divdis"


class DBATClassifier(EnsembleClassifier):
    """Networks trained one after another, each to disagree with those before it on rows without labels, by D-BAT.

    ``fit`` needs those rows: ``fit(X, y, unlabeled=U)``.
    """

    _method = "dbat"


class LITRegressor(EnsembleRegressor):
    """An ensemble of locally independent networks (LIT) that predicts a number.

    Members are trained together to predict the target with input gradients that are orthogonal at the training rows. So
    each member reaches its answers from other features, and the members extrapolate differently. ``loss="absolute"``
    predicts the median of the target, and ``loss="quantile=0.9"`` a quantile.

    Examples
    --------
    >>> import numpy as np
    >>> from perpend import LITRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = 10 + X[:, 0] * X[:, 1]
    >>> model = LITRegressor(n_estimators=3, hidden_layer_sizes=16, epochs=20).fit(X, y)
    >>> model.predict(X).shape, model.predict_interval(X, coverage=0.9).shape
    ((200,), (200, 2))
    """

    _method = "lit"


class RestartRegressor(EnsembleRegressor):
    """Independent networks from different random initial weights that predict a number: the baseline of LIT."""

    _method = "restarts"


class BaggingNetRegressor(EnsembleRegressor):
    """Networks on bootstrap samples of the rows. ``summary_["out_of_bag"]`` scores them on the rows they have not seen."""

    _method = "bagging"


class AdaBoostNetRegressor(EnsembleRegressor):
    """Networks trained one after another, each on rows reweighted by the errors before it (AdaBoost.R2).

    The ensemble predicts the weighted median of its members.
    """

    _method = "adaboost"


class NCLRegressor(EnsembleRegressor):
    """Networks trained together to differ in their predictions, by negative correlation learning (Liu and Yao 1999)."""

    _method = "ncl"


def _made(entry: dict[str, Any], base: Any = EnsembleClassifier) -> Any:
    """The class of a method, from its entry in the engine's table of methods."""
    is_regressor = base is EnsembleRegressor
    text = f"A {'regressor' if is_regressor else 'classifier'} with the method {entry['word']} ({entry['title']}).\n\n{entry['help']}"
    name = entry["class_name"].replace("Classifier", "Regressor") if is_regressor else entry["class_name"]
    return type(name, (base,), {"__doc__": text, "__module__": __name__, "_method": entry["word"]})


ESTIMATORS: dict[str, Any] = {cls._method: cls for cls in EnsembleClassifier.__subclasses__()}
for _entry in _core.methods():
    if _entry["word"] not in ESTIMATORS:
        ESTIMATORS[_entry["word"]] = globals()[_entry["class_name"]] = _made(_entry)


REGRESSORS: dict[str, Any] = {cls._method: cls for cls in EnsembleRegressor.__subclasses__()}
for _entry in _core.methods():
    if _entry["regression"] and _entry["word"] not in REGRESSORS:
        _class = _made(_entry, EnsembleRegressor)
        REGRESSORS[_entry["word"]] = globals()[_class.__name__] = _class


def load(path: Union[str, "os.PathLike[str]"]) -> Any:
    """The estimator that a model file belongs to, whichever method it was trained with.

    Returns
    -------
    estimator
    """
    model = _core.Model.load(os.fspath(path))
    method = json.loads(model.options)["method"]
    known = ESTIMATORS if model.classes else REGRESSORS
    if method not in known:
        raise _core.ModelFileError(f"{os.fspath(path)} was trained with method {method!r}, which this version does not have")
    return known[method]._of_model(model, os.fspath(path))
