"""The command line's splits as splitters of scikit-learn: pass one as ``cv``.

Each split has three parts; ``parts`` gives them. ``split`` yields pairs (train, test), where test is what ``held_out``
names: "test" (the default), "validation", or "all" for both. With ``n_splits`` splits the i-th has seed random_state + i.
A y of fractions, or of more than 20 different whole numbers, is a number to predict, as in ``compare``.
"""

from __future__ import annotations

from typing import Any, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core, _table
from ._parameters import seed_of, typed_one

Rows = NDArray[np.int64]


class _Split:
    _kind = ""

    def __init__(self, n_splits: int = 1, *, held_out: str = "test", random_state: Any = 0) -> None:
        self.n_splits = n_splits
        self.held_out = held_out
        self.random_state = random_state

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({options})"

    def _options(self, X: Any, names: list[str]) -> dict[str, Any]:
        return {"split": self._kind, "missing": "mean", "keep": names}

    def _seeds(self) -> list[int]:
        first = int(seed_of(self.random_state))
        return [first + i for i in range(self.get_n_splits())]

    def _parts(self, X: Any, y: Any, seed: int) -> tuple[Rows, Rows, Rows]:
        X = _table.as_rows(X)
        names = _table.own_names(X) or _table.default_names(_table.shape_of(X)[1])
        table = _table.make_table(X, names)
        target = _table.name_for(y, "target", names)
        is_number = _table.is_number(y)
        _table.add_labels(table, target, _table.as_targets(y) if is_number else _table.as_labels(y))
        task = "regress" if is_number else "classify"
        return _core.split(table, {**self._options(X, names), "task": task, "target": target, "seed": str(seed)})

    def parts(self, X: Any, y: Any) -> tuple[Rows, Rows, Rows]:
        """The row numbers (train, validation, test) of the first split, as of the command line with the same seed."""
        return self._parts(X, y, self._seeds()[0])

    def split(self, X: Any, y: Any, groups: Any = None) -> Iterator[tuple[Rows, Rows]]:
        """Pairs of row numbers (train, held out)."""
        if self.held_out not in ("test", "validation", "all"):
            raise ValueError(f"held_out is {self.held_out!r}; it must be one of test, validation, all")
        for seed in self._seeds():
            train, validation, test = self._parts(X, y, seed)
            held_out = {"test": test, "validation": validation, "all": np.concatenate([validation, test])}
            yield train, held_out[self.held_out]

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """The number of splits."""
        return int(self.n_splits)


class RandomSplit(_Split):
    """A stratified random split: 20 % of the rows test, and 20 % of the others validate."""

    _kind = "random"


class LimitedSplit(_Split):
    """Like RandomSplit, but only the first 1,000 training rows train."""

    _kind = "limited"


class ExtrapolationSplit(_Split):
    """Train near, test far: rows with a norm up to the median train. Of the other half, 80 % test and 20 % validate.

    The norm is that of the rows after standardising over all of them. Which rows train does not depend on the seed.
    """

    _kind = "extrapolation"


class ByColumnSplit(_Split):
    """Rows with low values of a column train. Of the others, 80 % test and 20 % validate.

    Parameters
    ----------
    column : str or int
        The name of the column, or its number in an array.
    quantile : float
        The share of rows that train.
    """

    _kind = "by-column"

    def __init__(
        self,
        column: Any,
        quantile: float = 0.5,
        n_splits: int = 1,
        *,
        held_out: str = "test",
        random_state: Any = 0,
    ) -> None:
        super().__init__(n_splits, held_out=held_out, random_state=random_state)
        self.column = column
        self.quantile = quantile

    def _options(self, X: Any, names: list[str]) -> dict[str, Any]:
        column = _name_of(self.column, names)
        return {**super()._options(X, names), "split_column": column, "split_quantile": repr(float(self.quantile))}


class DomainSplit(_Split):
    """The rows of whole domains test, like rows of a new place. Of the other rows, 20 % validate.

    Parameters
    ----------
    column : str or int
        The column that names the place, time or group that a row comes from: its name, or its number in an array. An
        estimator would see it as an input; give the estimator ``drop=[column]``.
    test_domains : sequence
        The domains that test. By default one domain is left out, and each seed takes the next one in sorted order. With as
        many ``n_splits`` as there are domains, each domain is left out once.
    """

    _kind = "domain"

    def __init__(
        self,
        column: Any,
        test_domains: Sequence[Any] = (),
        n_splits: int = 1,
        *,
        held_out: str = "test",
        random_state: Any = 0,
    ) -> None:
        super().__init__(n_splits, held_out=held_out, random_state=random_state)
        self.column = column
        self.test_domains = test_domains

    def _options(self, X: Any, names: list[str]) -> dict[str, Any]:
        domains = [typed_one(name) for name in self.test_domains]
        return {**super()._options(X, names), "domain": _name_of(self.column, names), "test_domains": domains}


def _name_of(column: Any, names: list[str]) -> str:
    return names[column] if isinstance(column, int) else str(column)
