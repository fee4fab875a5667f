"""All public names of the package. `perpend` fetches them from here when the first of them is used."""

from importlib.metadata import PackageNotFoundError, version

from . import datasets, metrics, splits
from ._base import Dependence, EnsembleClassifier, EnsembleRegressor, Explanation, Member, Permutation, PerpendWarning
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
    "compare",
    "datasets",
    "load",
    "metrics",
    "splits",
]

for _estimator in _ESTIMATORS.values():  # those that are made from the table of methods are here too
    globals()[_estimator.__name__] = _estimator
__all__.extend(sorted({_estimator.__name__ for _estimator in _ESTIMATORS.values()} - set(__all__)))
