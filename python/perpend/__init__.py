"""Ensembles of locally independent neural networks on tabular data.

>>> from perpend import LITClassifier, datasets
>>> X, y = datasets.generate("shortcut", rows=200)
>>> model = LITClassifier(n_estimators=3, hidden_layer_sizes=16, epochs=20).fit(X, y)
>>> model.disagreement(X).shape
(200,)
"""

from importlib.metadata import PackageNotFoundError, version

from . import datasets, metrics, splits
from ._base import Dependence, EnsembleClassifier, EnsembleRegressor, Explanation, Member, Permutation, PerpendWarning
from ._capacity import Capacity, capacity
from ._compare import Comparison, compare
from ._core import ConfigError, DataError, DivergedError, IoError, ModelFileError
from ._estimators import (
    ESTIMATORS as _ESTIMATORS,
    ACEClassifier,
    AdaBoostNetClassifier,
    AdaBoostNetRegressor,
    BaggingNetClassifier,
    BaggingNetRegressor,
    DBATClassifier,
    DivDisClassifier,
    LITClassifier,
    LITRegressor,
    NCLClassifier,
    NCLRegressor,
    RestartClassifier,
    RestartRegressor,
    load,
)
from ._monitoring import Monitoring
from ._search import LITClassifierCV

try:
    __version__ = version("perpend")
except PackageNotFoundError:  # run from a source tree
    __version__ = "0"

__all__ = [
    "ACEClassifier",
    "AdaBoostNetClassifier",
    "AdaBoostNetRegressor",
    "BaggingNetClassifier",
    "BaggingNetRegressor",
    "Capacity",
    "Comparison",
    "ConfigError",
    "DBATClassifier",
    "DataError",
    "Dependence",
    "DivDisClassifier",
    "DivergedError",
    "EnsembleClassifier",
    "EnsembleRegressor",
    "Explanation",
    "IoError",
    "LITClassifier",
    "LITClassifierCV",
    "LITRegressor",
    "Member",
    "ModelFileError",
    "Monitoring",
    "NCLClassifier",
    "NCLRegressor",
    "Permutation",
    "PerpendWarning",
    "RestartClassifier",
    "RestartRegressor",
    "capacity",
    "compare",
    "datasets",
    "load",
    "metrics",
    "splits",
]

for _estimator in _ESTIMATORS.values():  # those that are made from the table of methods are here too
    globals()[_estimator.__name__] = _estimator
__all__.extend(sorted({_estimator.__name__ for _estimator in _ESTIMATORS.values()} - set(__all__)))
