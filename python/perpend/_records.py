"""What estimators hand out beside arrays: members, explanations, importances, dependence; and the class of warnings."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any, Iterable, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _display

Record = dict[str, Any]
Floats = NDArray[np.float64]


class PerpendWarning(UserWarning):
    """A remark about the data, such as dropped columns, levels that training never saw, or too few rows.

    The command line writes the same lines to stderr.
    """


@dataclass(frozen=True)
class Member:
    """One member of a fitted ensemble.

    Attributes
    ----------
    weight : float
        The member's weight in the ensemble's mean.
    layers : list of (weight, bias)
        The layers from the input on, each as float32 arrays of shape (in, out) and (out,). The inputs of the first layer
        are those that the member's view makes of the columns. Boosted trees have no layers.
    view : str
        How the member sees the columns: linear, piecewise, logistic, trees or plain.
    """

    weight: float
    layers: list[tuple[NDArray[np.float32], NDArray[np.float32]]]
    view: str = "plain"


@dataclass(frozen=True)
class Explanation:
    """What members look at on some rows. `perpend explain` prints the same.

    Attributes
    ----------
    columns, features : list of str
        The columns of the table, and the encoded features made of them. A model with views has one feature per column.
    shares : ndarray of shape (members, columns)
        Each column's share of a member's gradient; each row has sum 1. Boosted trees have no gradients; here and below,
        their contributions take the place of gradients.
    mean, sd : ndarray of shape (members, features)
        The mean and the standard deviation of the input gradients over the rows. For a number they are per standard
        deviation; for a category of a model with views they say how far its level moves the score, compared with the mean
        level.
    quantiles : ndarray of shape (members, features, 5)
        The 5, 25, 50, 75 and 95 % quantiles of the input gradients.
    pairs : list of dict
        One dict per pair of members, with cos2, cosine, same_prediction and kappa. If the model keeps a manifold, it also
        has tangent_cos2, which is measured along it.
    substitutes : list of ((columns, members), (columns, members))
        Columns that can replace one another: some members reach the same answers from the first as others from the second.
    importances : ndarray of shape (columns,)
        Each column's share of what the ensemble looks at: the members' shares, weighted as in the mean of their answers.
    tangent_shares : ndarray of shape (members, columns), or None
        If the model keeps a manifold, the shares of the part of the gradients that lies along it.
    levels : dict of str to list
        For each category of a model with views, its levels in these rows. None stands for the missing cell.
    contrasts : dict of str to ndarray of shape (members, levels)
        How much each of these levels moves a member's score, compared with the mean level: the mean over the rows that
        have the level. It is nan for trees if none of the rows at which they are explained has the level.
    """

    columns: list[str]
    features: list[str]
    shares: Floats
    mean: Floats
    sd: Floats
    quantiles: Floats
    pairs: list[dict[str, Any]]
    substitutes: list[Any]
    importances: Floats
    tangent_shares: Optional[Floats] = None
    levels: dict[str, list[Optional[str]]] = field(default_factory=dict)
    contrasts: dict[str, Floats] = field(default_factory=dict)

    def _repr_html_(self) -> str:
        return _display.explanation(self.columns, self.importances, self.shares, self.substitutes)

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> "Explanation":
        """Of the JSON document of ``perpend explain --json``, where members are counted from 1; here it is from 0."""
        members = record["members"]
        features = [m["features"] for m in members]
        has_tangents = "tangent_columns" in members[0]
        found = {c["column"]: c["share"] for c in record["importances"]}
        categories = {f["column"]: i for i, f in enumerate(features[0]) if "levels" in f}
        return cls(
            columns=[c["column"] for c in members[0]["columns"]],
            features=[f["feature"] for f in features[0]],
            shares=np.array([[c["share"] for c in m["columns"]] for m in members]),
            mean=np.array([[f["mean"] for f in one] for one in features]),
            sd=np.array([[f["sd"] for f in one] for one in features]),
            quantiles=np.array([[list(f["quantiles"].values()) for f in one] for one in features]),
            pairs=[{**pair, "members": _from_zero(pair["members"])} for pair in record["pairs"]],
            substitutes=[tuple((s["columns"], list(_from_zero(s["members"]))) for s in one) for one in record["substitutes"]],
            importances=np.array([found[c["column"]] for c in members[0]["columns"]]),
            tangent_shares=np.array([[c["share"] for c in m["tangent_columns"]] for m in members]) if has_tangents else None,
            levels={name: [level["level"] for level in features[0][i]["levels"]] for name, i in categories.items()},
            contrasts={
                name: np.array([_in_order(features[0][i]["levels"], one[i]["levels"]) for one in features])
                for name, i in categories.items()
            },
        )


@dataclass(frozen=True)
class Permutation:
    """What each column is worth: how much the loss grows when the column is shuffled. See permutation_importance.

    Attributes
    ----------
    columns : list of str
        The columns that the model looks at, in the table's order.
    increases : ndarray of shape (columns,)
        How much the ensemble's loss grows: the mean over repeats.
    standard_errors : ndarray of shape (columns,)
        The standard errors of these means. An increase of less than two of them may be noise.
    members : ndarray of shape (members, columns)
        How much the loss of each member grows.
    loss : float
        The ensemble's loss on the rows as they are.
    loss_name : str
        log-loss, squared error, absolute error or pinball loss.
    rows : int
        How many rows were shuffled: at most 2,000, evenly spread.
    """

    columns: list[str]
    increases: Floats
    standard_errors: Floats
    members: Floats
    loss: float
    loss_name: str
    rows: int

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> "Permutation":
        """Of the JSON that ``perpend explain --permute --json`` has under ``permutation``."""
        columns = record["columns"]
        return cls(
            columns=[c["column"] for c in columns],
            increases=np.array([c["increase"] for c in columns]),
            standard_errors=np.array([c["standard_error"] for c in columns]),
            members=np.array([c["members"] for c in columns]).T,
            loss=record["loss"],
            loss_name=record["loss_name"],
            rows=record["rows"],
        )


@dataclass(frozen=True)
class Dependence:
    """How the answers change with one column. See partial_dependence.

    With two classes the answer is the probability of the second class, and with a regressor it is the prediction. With
    more than two classes, the first axis of every curve is the class.

    Attributes
    ----------
    column : str
    grid : list
        The points: numbers in ascending order, or levels with the most frequent first. None stands for the missing cell.
    ensemble : ndarray of shape (points,) or (classes, points)
        The mean answer of the ensemble at each point.
    members : ndarray of shape (members, points) or (classes, members, points)
        The mean answers of each member.
    """

    column: str
    grid: list[Any]
    ensemble: Floats
    members: Floats

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> "Dependence":
        """Of the JSON document of ``perpend explain --curve COL --json``."""
        curves = record["curves"]
        one = len(curves) == 1
        ensemble = np.array([c["ensemble"] for c in curves])
        members = np.array([c["members"] for c in curves])
        return cls(record["column"], record["points"], ensemble[0] if one else ensemble, members[0] if one else members)


def _in_order(levels: list[dict[str, Any]], own: list[dict[str, Any]]) -> list[float]:
    """A member's contrasts of these levels; nan where it was explained at rows without the level."""
    means = {level["level"]: level["mean"] for level in own}
    return [means.get(level["level"], np.nan) for level in levels]


def _from_zero(members: Sequence[int]) -> tuple[int, ...]:
    return tuple(m - 1 for m in members)


def _warn(lines: Iterable[str], level: int) -> None:
    for line in lines:
        warnings.warn(line, PerpendWarning, stacklevel=level)
