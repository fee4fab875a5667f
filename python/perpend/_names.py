"""The names of columns: those of an array, and those of tables that scikit-learn does not know."""

from __future__ import annotations

from typing import Any, Optional

from . import _core, _table


def _array_columns(model: _core.Model) -> Optional[list[str]]:
    """x0, x1, ... when the model was trained on an array, so that it takes arrays again."""
    names = [*model.columns, *model.ignored]
    wanted = _table.default_names(len(names))
    return wanted if set(names) == set(wanted) else None


class _Names:
    """The names of a table, for a scikit-learn that does not know its kind."""

    def __init__(self, names: list[str]) -> None:
        self.columns = names

    def __dataframe__(self) -> "_Names":
        return self

    def column_names(self) -> list[str]:
        return self.columns


def _check_feature_names(estimator: Any, X: Any, reset: bool) -> None:
    from sklearn.utils import validation

    names = _table.own_names(X)
    if names is not None and validation._get_feature_names(X) is None:
        X = _Names(names)
    if hasattr(validation, "_check_feature_names"):
        validation._check_feature_names(estimator, X, reset=reset)
    else:  # before 1.6
        estimator._check_feature_names(X, reset=reset)
