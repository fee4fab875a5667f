"""Scores, slopes and answers of any models, for perpend.metrics.local_independence."""

from __future__ import annotations

import sys
from typing import Any, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _core

Floats = NDArray[np.float64]

# A probability of exactly 1 has no finite log-odds.
_LEAST_PROBABILITY = 1e-6


def _log_odds(probabilities: Floats) -> Floats:
    p = np.clip(probabilities, _LEAST_PROBABILITY, 1 - _LEAST_PROBABILITY)
    return np.log(p / (1 - p))


def _against_the_rest(scores: Floats, classes: NDArray[np.intp]) -> Floats:
    """Of (rows, K) logits: that of one class per row less the log-sum-exp of the others."""
    own = np.arange(len(scores)), classes
    rest = scores.copy()
    rest[own] = -np.inf
    most = rest.max(axis=1)
    return np.asarray(scores[own] - most - np.log(np.exp(rest - most[:, None]).sum(axis=1)))


class Scorer:
    """One model as a function from rows to one score each."""

    def __init__(self, model: Any, rows: Any) -> None:
        self._model = model
        self._classes: Optional[NDArray[np.intp]] = None
        raw = self._raw(rows)
        if raw.ndim == 2:
            # The class that the model predicts at the row itself, which the slope must not change under way.
            self._classes = raw.argmax(axis=1)

    def _raw(self, rows: Any) -> Floats:
        """(rows,) scores, or (rows, K) logits."""
        model = self._model
        if hasattr(model, "decision_function"):
            found = np.asarray(model.decision_function(rows), np.float64)
        elif hasattr(model, "predict_proba"):
            found = np.asarray(model.predict_proba(rows), np.float64)
            found = np.log(np.maximum(found, _LEAST_PROBABILITY)) if found.shape[1] > 2 else _log_odds(found[:, -1])
        elif hasattr(model, "predict"):
            found = np.asarray(model.predict(rows), np.float64)
        elif callable(model):
            found = np.asarray(model(rows), np.float64)
        else:
            raise TypeError(f"{model!r} is neither a fitted model nor a function of rows")
        if found.ndim == 2 and found.shape[1] < 3:
            found = found[:, -1] if found.shape[1] == 1 else found[:, 1] - found[:, 0]
        if found.ndim not in (1, 2) or len(found) != len(rows):
            raise ValueError(f"{type(self._model).__name__} gives scores of shape {found.shape} for {len(rows)} rows")
        return found

    def __call__(self, rows: Any) -> Floats:
        raw = self._raw(rows)
        return raw if self._classes is None else _against_the_rest(raw, self._classes)

    def answers(self, rows: Any) -> NDArray[Any]:
        """The classes that the model predicts; of a function, whether its score is above 0 (or the largest one)."""
        if hasattr(self._model, "predict"):
            return np.asarray(self._model.predict(rows))
        raw = self._raw(rows)
        return raw.argmax(axis=1) if raw.ndim == 2 else (raw > 0).astype(np.intp)


def numbers(rows: Any) -> Floats:
    """The rows as an array, all of whose cells are numbers."""
    try:
        values = np.ascontiguousarray(rows, np.float64)
    except (TypeError, ValueError):
        raise ValueError("columns that are not numbers have no slopes; give gradients") from None
    if values.ndim != 2 or not len(values):
        raise ValueError("X must be a table of rows and columns")
    if not np.isfinite(values).all():
        raise ValueError("X has missing or infinite cells. A slope is measured by small steps of each cell, and such a cell has no next "
            "number, even if the model takes it; fill these cells, leave their rows out, or give gradients")
    return values


def _as_given(rows: Any, values: Floats, moved: Floats) -> Any:
    """The moved values as what the model takes: a data frame of pandas has names that it may want."""
    if not hasattr(rows, "isetitem"):
        return moved
    frame = rows.copy()
    for column in map(int, np.flatnonzero((moved != values).any(axis=0))):
        frame.isetitem(column, moved[:, column])
    return frame


def slopes(scorer: Scorer, rows: Any, values: Floats, step: Union[float, Sequence[float]]) -> Any:
    """Central differences per standard deviation of each column, (rows, columns); 0 for a constant column."""

    def score(moved: Floats) -> Floats:
        return np.ascontiguousarray(scorer(_as_given(rows, values, moved)), np.float64)

    return _core.difference_gradients(score, values, [float(s) for s in np.atleast_1d(np.asarray(step, np.float64))])


def is_torch_module(model: Any) -> bool:
    torch = sys.modules.get("torch")  # whoever made the module has imported it
    return torch is not None and isinstance(model, torch.nn.Module)


class TorchScorer:
    """A torch.nn.Module, whose slopes come from autograd."""

    def __init__(self, module: Any) -> None:
        self._module, self._torch = module, sys.modules["torch"]

    def _out(self, rows: Any) -> tuple[Any, Any]:
        kinds = [p.dtype for p in self._module.parameters()]
        x = self._torch.tensor(np.asarray(rows, np.float64), dtype=(kinds or [self._torch.float32])[0], requires_grad=True)
        out = self._module(x)
        return x, out[:, 0] if out.ndim == 2 and out.shape[1] == 1 else out

    def gradients(self, rows: Any) -> Floats:
        x, out = self._out(rows)
        if out.ndim == 2:
            if out.shape[1] == 2:
                out = out[:, 1] - out[:, 0]
            else:
                best = out.detach().argmax(1, keepdim=True)
                rest = out.scatter(1, best, -float("inf"))
                out = out.gather(1, best)[:, 0] - self._torch.logsumexp(rest, 1)
        (found,) = self._torch.autograd.grad(out.sum(), x)
        return np.asarray(found.detach().cpu().numpy(), np.float64)

    def answers(self, rows: Any) -> NDArray[Any]:
        _, out = self._out(rows)
        scores = np.asarray(out.detach().cpu().numpy())
        return scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(np.intp)
