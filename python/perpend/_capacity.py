"""How many locally independent models the data hold."""

from __future__ import annotations

import json
import os
from typing import Any, Optional, Union

from . import _core, _table
from ._compare import _given_options
from ._records import _warn

# Parameters of an estimator that say how the columns are read, and those that a count needs beside them.
OURS = [
    "pos_label",
    "drop",
    "keep",
    "categorical_features",
    "missing",
    "class_weight",
    "standardize",
    "group",
    "loss",
    "random_state",
    "n_jobs",
]


class Capacity:
    """The result of capacity; print it to see the table of ``perpend capacity``.

    Attributes
    ----------
    number : int
        How many locally independent models the data hold. 0 means that one network alone is not better than a guess.
    interval : tuple of (int, int)
        The interval that holds the counts of 95 % of the restarts.
    at_least : bool
        Whether all networks that were tried together were good and independent, so that there may be more.
    reading : str
        The result in a sentence or two.
    record : dict
        The JSON document of ``perpend capacity --json``.
    """

    def __init__(self, record: dict[str, Any], reading: str, text: str) -> None:
        self.record = record
        self.reading = reading
        self.number: int = record["capacity"]
        self.interval: tuple[int, int] = (record["interval"][0], record["interval"][1])
        self.at_least: bool = record["at_least"]
        self._text = text

    def __repr__(self) -> str:
        return self._text


def capacity(
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    most: int = 8,
    restarts: int = 5,
    lambda_: float = 5,
    keep_share: float = 0.95,
    most_cos2: float = 0.05,
    manifold: str = "auto",
    ridge: bool = True,
    report: Optional[Union[str, "os.PathLike[str]"]] = None,
    overwrite: bool = False,
    **parameters: Any,
) -> Capacity:
    """Count the locally independent models that the data hold, as ``perpend capacity`` does.

    perpend trains 1, 2, 3, ... networks together, with a strong penalty that keeps them independent. The capacity is the
    number of networks that can do so and still be almost as good on held-out rows as one network alone.

    Parameters
    ----------
    X, y, sample_weight
        The same as in the fit of an estimator.
    most : int
        The largest number of networks to train together.
    restarts : int
        The number of times to count, each time with other held-out rows and other initial weights.
    lambda_ : float
        The strength of the penalty.
    keep_share : float
        A network is good if it keeps this share of the lead that one network alone has over a guess.
    most_cos2 : float
        Two networks are independent if their mean cos² is at most this.
    manifold : str
        The directions along which input gradients are compared: "auto", "none", "pca:K", or a file with one basis for all
        rows.
    ridge : bool
        Whether to search the best lambda for each number of networks, which takes five of six trainings.
    report : str or path, optional
        The offline page (HTML) to write the curves to.
    overwrite : bool
        Whether that page may replace a file.
    **parameters
        Parameters of LITClassifier that say how the columns are read, and random_state and n_jobs.

    Returns
    -------
    Capacity

    Examples
    --------
    >>> import perpend
    >>> X, y = perpend.datasets.generate("planted-2", rows=500)
    >>> perpend.capacity(X, y, restarts=1, ridge=False).number
    2
    """
    from . import __version__
    from ._estimators import LITClassifier, LITRegressor

    for name in parameters:
        if name not in OURS:
            raise TypeError(f"capacity has no parameter {name!r}; it takes those that say how the columns are read")
    estimator = (LITRegressor if _table.is_number(y) else LITClassifier)(**parameters)
    table, named = _table.training_table(X, y, estimator._as_labels(y), sample_weight)
    found = _core.capacity(
        table,
        {**_given_options(estimator, parameters), **named},
        int(most),
        int(restarts),
        float(lambda_),
        float(keep_share),
        float(most_cos2),
        str(manifold),
        bool(ridge),
        "" if report is None else os.fspath(report),
        __version__,
        bool(overwrite),
    )
    record, reading, text, said = found
    _warn(said, 3)
    return Capacity(json.loads(record), reading, text)
