"""The engine's metrics: how good probabilities are, and how differently members fail.

Probabilities are those of the second class, (rows,), or of all classes, (rows, classes). Labels are class indices 0, 1, ...;
``np.searchsorted(model.classes_, y)`` gives them for an estimator. A metric that is undefined, such as the AUC of rows of one
class, is None.
"""

from __future__ import annotations

import json
from typing import Any, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _core, _independence

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
    """How differently members err.

    Parameters
    ----------
    errors : sequence of (rows,)
        One list per member, true where the member is wrong.

    Returns
    -------
    dict
        rho_av (correlation of errors), q_av (Yule's Q), kappa (agreement between raters, beyond chance), disagreement (the
        share of rows on which one of two members is right and the other wrong), double_fault (the share on which both are
        wrong), undefined_pairs and pairs.
    """
    if not all(np.isin(np.asarray(e), (0, 1)).all() for e in errors):
        raise ValueError("errors must be true or false per row: true where the member's class is not the label")
    flags = [np.ascontiguousarray(np.asarray(e).astype(bool), np.int32) for e in errors]
    if len({f.shape for f in flags}) > 1 or any(f.ndim != 1 for f in flags):
        raise ValueError("errors must be lists of the same length, one per member")
    found: dict[str, Any] = json.loads(_core.error_diversity(flags))
    return found


def grad_cos2(gradients: Any) -> Metric:
    """The squared cosine between the input gradients of two members, averaged over rows and pairs of members.

    Parameters
    ----------
    gradients : ndarray of shape (members, rows, features)
        What ``input_gradients`` returns. The result is 0 if members are locally independent and 1 if they are copies of
        one explanation.
    """
    g = np.ascontiguousarray(gradients, np.float32)
    if g.ndim != 3:
        raise ValueError(f"gradients have {g.ndim} axes; give (members, rows, features)")
    return _core.grad_cos2(g)


def _gradients_of(models: Any, X: Any, step: Union[float, Sequence[float]]) -> NDArray[np.float32]:
    values = _independence.numbers(X)
    found = []
    for model in models:
        if _independence.is_torch_module(model):
            found.append(_independence.TorchScorer(model).gradients(X) * values.std(axis=0))
        else:
            found.append(_independence.slopes(_independence.Scorer(model, X), X, values, step))
    return np.ascontiguousarray(found, np.float32)


def _errors_of(models: Any, X: Any, y: Any) -> list[NDArray[np.bool_]]:
    wanted = np.asarray(y)
    classes = np.unique(wanted)
    table = _core.Table("answers", len(wanted))
    table.add_objects("y", wanted.tolist(), True)
    for i, model in enumerate(models):
        named = hasattr(model, "predict")
        torch = _independence.is_torch_module(model)
        answers = (_independence.TorchScorer(model) if torch else _independence.Scorer(model, X)).answers(X)
        # A function answers with a number of a class, in their sorted order.
        answers = np.asarray(answers if named and not torch else classes[answers])
        table.add_objects(f"model {i + 1}", answers.ravel().tolist(), True)
    return [np.asarray(errors, bool) for errors in _core.errors_of_answers(table, "y")]


def local_independence(
    models: Any, X: Any, y: Any = None, *, gradients: Any = None, step: Union[float, Sequence[float]] = 0.1
) -> dict[str, Any]:
    """How differently any models extrapolate around the rows of X.

    Parameters
    ----------
    models : sequence, or an ensemble of this package
        Each model is a fitted estimator, or a function from rows to scores (log-odds of the second class, or one logit per
        class). Its gradients are central differences of decision_function, of the log-odds of predict_proba, or of predict.
        Those of a torch.nn.Module come from autograd. If models is one ensemble of this package, its members are compared
        by their exact gradients.
    X : (rows, columns)
        An array or a pandas data frame of numbers. A missing cell is refused, even if the models take it, because there is
        no step from a missing cell. Take the rows without missing cells, fill the cells, or give gradients.
    y : (rows,), optional
        The classes of the rows. With them, the errors are compared, too. predict must then answer with these classes; an
        answer that is a probability or a number of a regression is refused.
    gradients : (models, rows, columns), optional
        The input gradients, if you have them. Then models may be None, unless y is given.
    step : float or (columns,)
        The step of the differences in a column, in standard deviations of that column in X. Trees are constant between
        their thresholds, so the step decides which thresholds are seen. If none is within a step of a row, the slope is 0.
        For trees grad_cos2 depends on the step. Report the step with it, and compare only figures of the same step.

    Returns
    -------
    dict
        grad_cos2 is the mean over rows and pairs of the squared cosine of two models' gradients per standard deviation of
        each column: 0 if the models are locally independent, 1 if they are copies of one explanation. ``matrix`` has it
        for each pair. ``flat`` has each model's share of rows where it has no slope at all; such a row counts as 0. With y,
        there are also rho_av, q_av, kappa, disagreement, double_fault, undefined_pairs and pairs (see error_diversity).
    """
    own = hasattr(models, "input_gradients") and hasattr(models, "diversity")
    if gradients is None:
        gradients = models.input_gradients(X) if own else _gradients_of(models, X, step)
    g = np.ascontiguousarray(gradients, np.float32)
    if g.ndim != 3:
        raise ValueError(f"gradients have {g.ndim} axes; give (models, rows, columns)")
    errors = _errors_of(models, X, y) if y is not None and not own else []
    told = json.loads(_core.local_independence(g, [np.ascontiguousarray(e, np.int32) for e in errors]))
    matrix = np.eye(len(g))
    for pair in told["pairs"]:
        i, j = pair["members"]
        matrix[i, j] = matrix[j, i] = np.nan if pair["cos2"] is None else pair["cos2"]
    found: dict[str, Any] = {"grad_cos2": told["grad_cos2"], "matrix": matrix, "flat": np.array(told["flat"])}
    if y is not None:
        if own:
            of_members = models.diversity(X, y)
            found.update({k: v for k, v in of_members.items() if k not in found and not k.startswith(("gradient", "local"))})
        else:
            found.update(told["errors"])
    return found


def risk_coverage(uncertainty: Any, errors: Any) -> dict[str, Any]:
    """The share of errors among the rows answered, if the least uncertain rows are answered first: coverage, risk, area."""
    doubts = np.ascontiguousarray(uncertainty, np.float64)
    flags = np.ascontiguousarray(np.asarray(errors).astype(bool), np.int32)
    if doubts.ndim != 1 or doubts.shape != flags.shape or not np.isfinite(doubts).all():
        raise ValueError("uncertainty and errors must be lists of the same length, and uncertainty must be finite")
    coverage, risk, area = _core.risk_coverage(doubts, flags)
    return {"coverage": np.array(coverage), "risk": np.array(risk), "area": area}


def shift_auroc(familiar: Any, shifted: Any) -> Metric:
    """How well a score, such as disagreement, tells shifted rows from familiar ones: 1 is perfect, 1/2 is chance."""
    a, b = (np.ascontiguousarray(values, np.float64) for values in (familiar, shifted))
    if a.ndim != 1 or b.ndim != 1 or not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("scores of familiar and shifted rows must be two lists of finite numbers")
    return _core.shift_auroc(a, b)
