"""The engine's metrics: how good probabilities are, and how differently members fail.

Probabilities are those of the second class, (rows,), or of all classes, (rows, classes). Labels are class indices 0, 1, ...;
``np.searchsorted(model.classes_, y)`` gives them for an estimator. A metric that is undefined, such as the AUC of rows of one
class, is None.
"""

from __future__ import annotations

import json
from typing import Any, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core

Metric = Optional[float]


def _probabilities(values: Any) -> NDArray[np.float64]:
    array = np.ascontiguousarray(values, np.float64)
    if array.ndim not in (1, 2):
        raise ValueError(f"probabilities have {array.ndim} axes; give (rows,) or (rows, classes)")
    if not np.isfinite(array).all():
        raise ValueError("probabilities must be finite")
    return array


def _labels(values: Any, rows: int, classes: int) -> NDArray[np.int32]:
    array = np.ascontiguousarray(values)
    if array.shape != (rows,):
        raise ValueError(f"there are {rows} rows of probabilities and labels of shape {array.shape}")
    if array.dtype.kind not in "iub" or (rows > 0 and (array.min() < 0 or array.max() >= classes)):
        raise ValueError(f"labels must be whole numbers from 0 to {classes - 1}, the indices of the classes")
    return np.ascontiguousarray(array, np.int32)


def _both(probabilities: Any, labels: Any) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    p = _probabilities(probabilities)
    return p, _labels(labels, len(p), p.shape[1] if p.ndim == 2 else 2)


def scores(probabilities: Any, labels: Any) -> dict[str, Metric]:
    """auc, accuracy, log_loss, brier and ece, as in the metrics object of the command line."""
    return dict(zip(("auc", "accuracy", "log_loss", "brier", "ece"), _core.scores(*_both(probabilities, labels))))


def auc(probabilities: Any, labels: Any) -> Metric:
    """The probability that a positive row scores higher than a negative one, where a tie counts half.

    With K classes it is the mean over classes of one against the rest. With two classes any finite scores will do.
    """
    p, y = _both(probabilities, labels)
    return _core.auc(p, y) if p.ndim == 1 else _core.scores(p, y)[0]


def accuracy(probabilities: Any, labels: Any) -> Metric:
    """The share of rows whose most probable class is the label. A tie goes to the earlier class."""
    return scores(probabilities, labels)["accuracy"]


def log_loss(probabilities: Any, labels: Any) -> Metric:
    """The mean of -ln max(p, 1e-15), where p is the probability of the label."""
    return scores(probabilities, labels)["log_loss"]


def brier(probabilities: Any, labels: Any) -> Metric:
    """The mean of (p - y)^2. With K classes it is the mean of half the sum over classes."""
    return scores(probabilities, labels)["brier"]


def ece(probabilities: Any, labels: Any) -> Metric:
    """The expected calibration error over 15 bins of equal width."""
    return scores(probabilities, labels)["ece"]


def calibration(probabilities: Any, labels: Any) -> dict[str, Any]:
    """The 15 bins behind ece: the rows, mean_probability and frequency of each, and ece itself."""
    return _core.calibration(*_both(probabilities, labels))


def error_diversity(errors: Sequence[Any]) -> dict[str, Any]:
    """How differently members fail.

    Parameters
    ----------
    errors : sequence of (rows,)
        One list per member, true where the member is wrong.

    Returns
    -------
    dict
        rho_av (correlation of errors), q_av (Yule), kappa, disagreement, double_fault, undefined_pairs, pairs.
    """
    flags = [np.ascontiguousarray(np.asarray(e).astype(bool), np.int32) for e in errors]
    if len({f.shape for f in flags}) > 1 or any(f.ndim != 1 for f in flags):
        raise ValueError("errors of members must be lists of the same length")
    found: dict[str, Any] = json.loads(_core.error_diversity(flags))
    return found


def grad_cos2(gradients: Any) -> Metric:
    """The squared cosine between the input gradients of two members, averaged over rows and pairs of members.

    Parameters
    ----------
    gradients : ndarray (members, rows, features)
        What ``input_gradients`` returns. The result is 0 if members are locally independent and 1 if they are copies of
        one explanation.
    """
    g = np.ascontiguousarray(gradients, np.float32)
    if g.ndim != 3:
        raise ValueError(f"gradients have {g.ndim} axes; give (members, rows, features)")
    return _core.grad_cos2(g)


def risk_coverage(uncertainty: Any, errors: Any) -> dict[str, Any]:
    """The share of errors among the rows answered, if the least uncertain rows are answered first: coverage, risk, area."""
    doubts = np.ascontiguousarray(uncertainty, np.float64)
    flags = np.ascontiguousarray(np.asarray(errors).astype(bool), np.int32)
    if doubts.ndim != 1 or doubts.shape != flags.shape or not np.isfinite(doubts).all():
        raise ValueError("uncertainty and errors must be two lists of one length, the first of finite numbers")
    coverage, risk, area = _core.risk_coverage(doubts, flags)
    return {"coverage": np.array(coverage), "risk": np.array(risk), "area": area}


def shift_auroc(familiar: Any, shifted: Any) -> Metric:
    """How well a score, such as disagreement, tells shifted rows from familiar ones: 1 is perfect, 1/2 is chance."""
    a, b = (np.ascontiguousarray(values, np.float64) for values in (familiar, shifted))
    if a.ndim != 1 or b.ndim != 1 or not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("scores of familiar and shifted rows must be two lists of finite numbers")
    return _core.shift_auroc(a, b)
