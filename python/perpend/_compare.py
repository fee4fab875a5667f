"""Every method on the same splits of one table."""

from __future__ import annotations

import json
from typing import Any, Optional, Sequence

from . import _core, _parameters, _table


class Comparison:
    """What compare found; print it to see the table of ``perpend compare``.

    Attributes
    ----------
    record : dict
        The JSON document of ``perpend compare --json``: splits with a summary per method, and every training.
    readings : list of str
        One sentence per split: who won, and whether that is more than noise.
    """

    def __init__(self, record: dict[str, Any], text: str, readings: list[str]) -> None:
        self.record = record
        self.readings = readings
        self._text = text

    def __repr__(self) -> str:
        return self._text

    @property
    def winners(self) -> dict[str, Optional[str]]:
        """The best method of each split, or None where no training was finished."""
        return {split["split"]: split["winner"] for split in self.record["splits"]}

    def to_frame(self) -> Any:
        """A pandas data frame with one row per split and method: the test AUC over restarts, and what was chosen."""
        import pandas

        rows = []
        for split in self.record["splits"]:
            for found in split["methods"]:
                auc = {f"auc_{key}": found["auc"][key] for key in ("mean", "sd", "low", "high")}
                others = {key: found[key]["mean"] for key in ("rho_av", "grad_cos2")}
                chosen = {"n_estimators": found["members"], "lambda_": found["lambda"], "best": found["best"]}
                rows.append({"split": split["split"], "method": found["method"], **auc, **others, **chosen})
        return pandas.DataFrame(rows)


def compare(
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    minutes: Optional[float] = 2,
    restarts: int = 10,
    splits: Sequence[str] = ("random", "extrapolation"),
    n_estimators: Sequence[int] = (5,),
    lambdas: Sequence[float] = (),
    **parameters: Any,
) -> Comparison:
    """Train every method on the same splits of a table and say which one is best, as ``perpend compare`` does.

    Parameters
    ----------
    X, y, sample_weight
        As of an estimator's fit.
    minutes : float, optional
        The time budget. Restarts go on while the next one is expected to fit; one is always finished. None sets no limit.
    restarts : int
        The largest number of restarts. Each has another split and other first weights.
    splits : sequence of str
        There is one table per split.
    n_estimators : sequence of int
        The numbers of members to choose from, by validation AUC.
    lambdas : sequence of float
        The strengths of the penalty to choose from, for each method that has one; by default a few per method.
    **parameters
        All other parameters of LITClassifier, the same for every method.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import perpend
    >>> X, y = perpend.datasets.generate("shortcut", rows=200)
    >>> found = perpend.compare(X, y, restarts=1, minutes=None, epochs=2, hidden_layer_sizes=8, splits=["random"])
    >>> [split["split"] for split in found.record["splits"]]
    ['random']
    """
    from ._estimators import LITClassifier

    options = _parameters.options_of(LITClassifier(**parameters))
    for varied in ("split", "method", "members", "lambda"):
        del options[varied]
    table, named, _ = _table.training_table(X, y, sample_weight)
    seconds = None if minutes is None else 60.0 * minutes
    words, counts, strengths = [str(s) for s in splits], [int(n) for n in n_estimators], [float(v) for v in lambdas]
    record, text, readings = _core.compare(table, {**options, **named}, words, counts, strengths, int(restarts), seconds)
    return Comparison(json.loads(record), text, readings)
