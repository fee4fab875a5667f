"""The choice of lambda and of the number of members by validation."""

from __future__ import annotations

from typing import Any, Optional, Sequence, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import StratifiedGroupKFold, check_cv
from sklearn.utils import _safe_indexing

from . import _core, _table, metrics
from ._estimators import LITClassifier


def _content_folds(X: Any, y: NDArray[Any], weights: Any, count: int) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    if count < 2:
        raise ValueError(f"cv is {count}; it must be at least 2")
    table = _table.make_table(X, _table.default_names(_table.shape_of(X)[1]))
    _table.add_labels(table, "target", y)
    hashes = _core.row_hashes(table)
    counts = np.ones(len(y), bool) if weights is None else weights != 0
    fold = np.full(len(y), -1)
    for label in np.unique(y):
        rows = np.flatnonzero((y == label) & counts)
        fold[rows] = np.unique(hashes[rows], return_inverse=True)[1].reshape(-1) % count
    folds = [(np.flatnonzero((fold >= 0) & (fold != k)), np.flatnonzero(fold == k)) for k in range(count)]
    folds = [(train, test) for train, test in folds if len(np.unique(y[train])) > 1 and len(test) > 0]
    if not folds:
        raise _core.DataError("X: no fold has rows of two classes to train on; give more rows, or an eval_set")
    return folds


def _where_a_penalty_acts(unlabeled: Any, lam: float, members: int) -> Any:
    """Rows without labels are for the penalty alone; a fit without one refuses them."""
    return unlabeled if lam > 0 and members > 1 else None


class LITClassifierCV(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """LITClassifier with lambda and the number of members chosen by validation, then trained on all rows.

    Parameters
    ----------
    lambdas : sequence of float, optional
        The strengths of the penalty to try; by default those that ``lambda_="auto"`` tries.
    n_estimators : sequence of int
        The numbers of members to try. With fewer than six, an ensemble has no logistic regression and no boosted trees
        (see views of LITClassifier). So the default, 5, is a smaller kind of ensemble than LITClassifier's twelve members.
        Give ``n_estimators=(12,)`` to choose lambda alone for that one.
    scoring : {"log_loss", "auc"}
    rule : {"free", "best"}
        "free" takes as much independence as costs nothing. Of the best number of members it takes the largest lambda whose
        log-loss is within 0.01 nats of the best, as ``lambda_="auto"`` does. If the score is the AUC, it takes the largest
        lambda whose AUC equals the best. "best" takes the best score.
    cv : int, splitter or list of (train, test)
        An int is the number of stratified folds. They depend on the rows and not on their order, and equal rows share a
        fold. If fit gets groups, an int makes a StratifiedGroupKFold, and a splitter gets the groups. cv is not used if fit
        gets an eval_set.
    estimator : LITClassifier, optional
        The estimator that has the other parameters.
    random_state : int
        The seed of all trainings.

    Attributes
    ----------
    best_estimator_ : LITClassifier
    best_lambda_, best_n_estimators_
        What was chosen.
    cv_results_ : dict of ndarray
        lambda_, n_estimators, score and standard_error of each combination. A large AUC or a small log-loss is good.

    Notes
    -----
    LITClassifier itself works in GridSearchCV, too. This class adds its rule, which a search for the maximum cannot express.
    """

    def __init__(
        self,
        *,
        lambdas: Optional[Sequence[float]] = None,
        n_estimators: Sequence[int] = (5,),
        scoring: str = "log_loss",
        rule: str = "free",
        cv: Any = 3,
        estimator: Optional[LITClassifier] = None,
        random_state: Any = 0,
    ) -> None:
        self.lambdas = lambdas
        self.n_estimators = n_estimators
        self.scoring = scoring
        self.rule = rule
        self.cv = cv
        self.estimator = estimator
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        unlabeled: Any = None,
        eval_set: Any = None,
        callbacks: Any = None,
        groups: Any = None,
    ) -> Any:
        """Choose lambda and the number of members, then train on all rows.

        Parameters
        ----------
        X, y, sample_weight, unlabeled, eval_set, callbacks
            As in LITClassifier.fit.
        groups : array-like of shape (rows,), optional
            The group of each row, such as its patient. The folds of cv keep each group together. Each training still
            holds out a random fifth of its rows for early stopping; if ``estimator`` names a column as its ``group``,
            that fifth keeps the groups of the column together, too.

        Returns
        -------
        self
        """
        self._check_options()
        X = _table.as_rows(X)
        labels = _table.as_labels(y)
        if len(labels) != _table.shape_of(X)[0]:
            raise ValueError(f"X has {_table.shape_of(X)[0]} rows and y has {len(labels)}; they must be the same")
        weights = None if sample_weight is None else _table.as_weights(sample_weight, len(labels))
        if weights is not None and not (weights != 0).any():
            raise _core.DataError("X: every sample weight is zero")
        if len(np.unique(labels)) < 2:
            raise _core.DataError("X: target 'target' has only one class; at least two are needed")
        folds = self._folds(X, labels, weights, eval_set, self._groups(groups, len(labels)))
        lambdas = _core.lambda_grid() if self.lambdas is None else self.lambdas
        tried = [(float(lam), int(count)) for count in self.n_estimators for lam in lambdas]
        found = [self._score(lam, count, folds, unlabeled) for lam, count in tried]
        self.cv_results_ = {
            "lambda_": np.array([lam for lam, _ in tried]),
            "n_estimators": np.array([count for _, count in tried]),
            "score": np.array([score for score, _ in found]),
            "standard_error": np.array([error for _, error in found]),
        }
        self.best_lambda_, self.best_n_estimators_ = tried[self._choose()]
        self.best_estimator_ = self._candidate(self.best_lambda_, self.best_n_estimators_)
        more = _where_a_penalty_acts(unlabeled, self.best_lambda_, self.best_n_estimators_)
        self.best_estimator_.fit(X, y, sample_weight=sample_weight, unlabeled=more, eval_set=eval_set, callbacks=callbacks)
        self.classes_ = self.best_estimator_.classes_
        self.n_features_in_ = self.best_estimator_.n_features_in_
        if hasattr(self.best_estimator_, "feature_names_in_"):
            self.feature_names_in_ = self.best_estimator_.feature_names_in_
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_gaps()
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"allow_nan": self._takes_gaps()}

    def _takes_gaps(self) -> bool:
        return bool((self.estimator or LITClassifier())._takes_gaps())

    def _check_options(self) -> None:
        for name, value, choices in (
            ("scoring", self.scoring, ("log_loss", "auc")),
            ("rule", self.rule, ("free", "best")),
        ):
            if value not in choices:
                raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(choices)}")
        if (self.lambdas is not None and len(self.lambdas) == 0) or len(self.n_estimators) == 0:
            raise ValueError("lambdas and n_estimators must not be empty")

    def _candidate(self, lam: float, members: int) -> LITClassifier:
        estimator = LITClassifier() if self.estimator is None else clone(self.estimator)
        return cast(LITClassifier, estimator.set_params(lambda_=lam, n_estimators=members, random_state=self.random_state))

    def _groups(self, groups: Any, rows: int) -> Optional[NDArray[Any]]:
        if groups is None:
            return None
        found = np.asarray(groups)
        if found.shape != (rows,):
            raise ValueError(f"groups has shape {found.shape}; it must have one entry for each of the {rows} rows")
        return found

    def _splits(self, X: Any, y: NDArray[Any], weights: Any, groups: Optional[NDArray[Any]]) -> Any:
        if isinstance(self.cv, (int, np.integer)):
            if groups is None:
                return _content_folds(X, y, weights, int(self.cv))
            return StratifiedGroupKFold(int(self.cv)).split(np.zeros(len(y)), y, groups)
        return check_cv(self.cv, y, classifier=True).split(X, y, groups)

    def _folds(self, X: Any, y: NDArray[Any], weights: Any, eval_set: Any, groups: Optional[NDArray[Any]]) -> list[Any]:
        """(X, y, weights, X held out, y held out, weights held out) of each fold."""
        if eval_set is not None:
            held_out = eval_set[0] if isinstance(eval_set, list) else eval_set
            labels = _table.as_labels(held_out[1])
            return [(X, y, weights, held_out[0], labels, np.ones(len(labels)))]
        folds = []
        for train, test in self._splits(X, y, weights, groups):
            w, v = (None, np.ones(len(test))) if weights is None else (weights[train], weights[test])
            folds.append((_safe_indexing(X, train), y[train], w, _safe_indexing(X, test), y[test], v))
        return folds

    def _score(self, lam: float, members: int, folds: list[Any], unlabeled: Any) -> tuple[float, float]:
        """Mean and standard error of the score."""
        losses, of_rows, areas = [], [], []
        for X, y, w, X_out, y_out, w_out in folds:
            more = _where_a_penalty_acts(unlabeled, lam, members)
            model = self._candidate(lam, members).fit(X, y, sample_weight=w, unlabeled=more)
            kept = (w_out > 0) & np.isin(y_out, model.classes_)
            codes = np.array([model.classes_.tolist().index(v) for v in y_out[kept].tolist()], dtype=np.int32)
            if self.scoring == "auc":
                p = np.ascontiguousarray(model.predict_proba(X_out)[kept])
                area = metrics.auc(p[:, 1] if p.shape[1] == 2 else p, codes) if len(p) else None
                areas.append(np.nan if area is None else area)
            else:
                losses.append(-model.predict_log_proba(X_out)[kept][np.arange(len(codes)), codes])
                of_rows.append(w_out[kept])
        if self.scoring == "auc":
            return float(np.nanmean(areas)), float(np.nanstd(areas) / np.sqrt(len(areas)))
        loss, weight = np.concatenate(losses), np.concatenate(of_rows)
        mean = float(np.average(loss, weights=weight))
        variance = float(np.average((loss - mean) ** 2, weights=weight))
        return mean, float(np.sqrt(variance / weight.sum()))

    def _choose(self) -> int:
        found = self.cv_results_
        sign = -1.0 if self.scoring == "auc" else 1.0
        costs = sign * found["score"]
        best = int(np.nanargmin(costs))
        if self.rule == "best":
            return best
        same = np.flatnonzero(found["n_estimators"] == found["n_estimators"][best])
        lambdas, errors = found["lambda_"][same], found["standard_error"][same]
        free = _core.free_lambda(lambdas.tolist(), costs[same].tolist(), errors.tolist(), self.scoring == "log_loss")
        return int(same[lambdas == free][0])

    def _best(self) -> LITClassifier:
        if not hasattr(self, "best_estimator_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit first")
        return self.best_estimator_

    def predict(self, X: Any) -> NDArray[Any]:
        """As LITClassifier."""
        return self._best().predict(self._named(X))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """As LITClassifier."""
        return self._best().predict_proba(self._named(X))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """As LITClassifier."""
        return self._best().predict_log_proba(self._named(X))

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """As LITClassifier."""
        return self._best().decision_function(self._named(X))

    def disagreement(self, X: Any) -> NDArray[np.float64]:
        """As LITClassifier; everything else is at best_estimator_."""
        return self._best().disagreement(X)

    def _named(self, X: Any) -> Any:
        X = _table.as_rows(X)
        if _table.shape_of(X)[1] != self.n_features_in_:
            raise ValueError(
                f"X has {_table.shape_of(X)[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        return X
