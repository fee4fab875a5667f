"""Ensembles of locally independent neural networks on tabular data.

>>> from perpend import LITClassifier, datasets
>>> X, y = datasets.generate("shortcut", rows=200)
>>> model = LITClassifier(n_estimators=3, hidden_layer_sizes=16, epochs=20).fit(X, y)
>>> model.disagreement(X).shape
(200,)
"""

# scikit-learn takes half a second to import. `import perpend` leaves it until a name of the package is used.
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._public import *  # noqa: F403
    from ._public import __all__ as __all__
    from ._public import __version__ as __version__


def __getattr__(name: str) -> Any:
    # `from . import _core` asks here first, and finds the submodule itself when it is told that there is no such name.
    if name.startswith("_") and name not in ("__all__", "__version__"):
        raise AttributeError(f"module 'perpend' has no attribute {name!r}")
    names = import_module("._public", __name__)  # also makes the submodules attributes of this module
    if name not in globals() and not hasattr(names, name):
        raise AttributeError(f"module 'perpend' has no attribute {name!r}")
    if name not in globals():
        globals()[name] = getattr(names, name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
