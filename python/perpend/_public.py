"""All public names of the package. `perpend` fetches them from here when the first of them is used."""

from importlib.metadata import PackageNotFoundError, version

from . import datasets, metrics, splits
from ._base import EnsembleClassifier, EnsembleRegressor
from ._capacity import Capacity, capacity
from ._compare import Comparison, compare
from ._core import ConfigError, DataError, DivergedError, IoError, ModelFileError
from ._estimators import (
    ESTIMATORS as _ESTIMATORS,
    REGRESSORS as _REGRESSORS,
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
from ._records import Dependence, Explanation, Member, Permutation, PerpendWarning
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

# Those that are made from the table of methods are here too.
_made = {_estimator.__name__: _estimator for _estimator in [*_ESTIMATORS.values(), *_REGRESSORS.values()]}
globals().update(_made)
__all__.extend(sorted(set(_made) - set(__all__)))
