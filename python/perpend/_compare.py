"""Every method, and other models beside them, on the same splits of one table."""

from __future__ import annotations

import json
from typing import Any, Optional, Sequence, Union

from . import _core, _others, _parameters, _table
from ._records import _warn

# Parameters of an estimator that a comparison has no use for, and what to give instead.
NOT_OURS = {
    "lambda_": "give lambdas=, the strengths to choose from",
    "split": "give splits=, one table is made for each",
    "warm_start": "every training starts afresh",
    "verbose": "a comparison shows no progress bar",
}


class Comparison:
    """The result of compare; print it to see the table of ``perpend compare``.

    Attributes
    ----------
    record : dict
        The JSON document of ``perpend compare --json``: splits with a summary per model, and every training.
    readings : list of str
        A sentence or two per split: which model is best, and whether by more than noise.
    winners : dict of str to str
        The model with the best mean AUC (or R²) of each split, or None. It may be a model that is no method of perpend.
    """

    def __init__(self, record: dict[str, Any], text: str, readings: list[str]) -> None:
        self.record = record
        self.readings = readings
        self._text = text

    def __repr__(self) -> str:
        return self._text

    @property
    def winners(self) -> dict[str, Optional[str]]:
        """The model with the best mean AUC (or R²) of each split, or None. It may be a model that is no method of perpend."""
        return {split["split"]: split["winner"] for split in self.record["splits"]}

    def estimator(self, split: str) -> Any:
        """The best method of a split as an estimator. Its fit to the same X and y trains it as the first restart did.

        The estimator splits the rows given to fit as the comparison did, so summary_ has the test figures of the first
        restart. Set its split to "none" to train on all rows.
        """
        from ._estimators import ESTIMATORS, REGRESSORS

        found = next((one for one in self.record["splits"] if one["split"] == split), None)
        if found is None:
            raise ValueError(f"split is {split!r}; this comparison has {', '.join(s['split'] for s in self.record['splits'])}")
        if found["retrain"] is None:
            raise ValueError(f"no method has a test figure with split {split}")
        known = REGRESSORS if "r2" in found["methods"][0] else ESTIMATORS
        cls = known[found["best_method"]]
        return cls(**_parameters.parameters_of(cls, found["retrain"]))

    def to_frame(self) -> Any:
        """A pandas data frame with one row per split and model: test figures over restarts, and what was chosen."""
        import pandas

        rows = []
        for split in self.record["splits"]:
            for found in [*split["methods"], *split["others"]]:
                merit, others = ("r2", ["rmse"]) if "r2" in found else ("auc", ["log_loss", "ece"])
                auc = {f"{merit}_{key}": found[merit][key] for key in ("mean", "sd", "standard_error", "low", "high")}
                costs = {f"{name}_{key}": found[name][key] for name in others for key in ("mean", "standard_error")}
                diversity = {key: found[key]["mean"] if key in found else None for key in ("rho_av", "grad_cos2")}
                chosen = {"n_estimators": found.get("members"), "lambda_": found.get("lambda"), "best": found["best"]}
                name = found["method"] if "method" in found else found["name"]
                rows.append({"split": split["split"], "model": name, **auc, **costs, **diversity, **chosen})
        return pandas.DataFrame(rows)


def _given_options(estimator: Any, given: dict[str, Any]) -> dict[str, Any]:
    """The options that were given, and no others: a method's own default, such as NCL's weight decay, is then used."""
    every = _parameters.options_of(estimator)
    names = {p.option: p.name for p in _parameters.parameters(estimator)}
    names_given = {*given, *(["n_iter_no_change"] if "early_stopping" in given else [])}
    found = {option: value for option, value in every.items() if names.get(option) in names_given}
    return {**found, **({"task": "regress"} if estimator._task == "regress" else {})}


def compare(
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    minutes: Optional[float] = None,
    restarts: Optional[int] = None,
    splits: Sequence[str] = ("random", "extrapolation"),
    n_estimators: Sequence[int] = (),
    lambdas: Sequence[float] = (),
    others: Union[str, Sequence[Any]] = (),
    unlabeled: Any = None,
    methods: Sequence[str] = (),
    **parameters: Any,
) -> Comparison:
    """Train every method on the same splits of a table and say which one is best, as ``perpend compare`` does.

    Each method is trained with the defaults of its estimator, and compared with one logistic regression. If y is a number
    (fractions, or more than 20 different whole numbers), the methods are regressors, they are compared with one linear
    regression, and R² takes the place of AUC.

    Parameters
    ----------
    X, y, sample_weight
        The same as in the fit of an estimator.
    minutes : float, optional
        The time budget. Another restart begins only if it is expected to fit, and the first one always finishes. The
        default is 2, or no limit if restarts is given.
    restarts : int, optional
        The largest number of restarts, by default 10. Each has another split and other initial weights.
    splits : sequence of str
        The splits to compare on. There is one table per split.
    n_estimators : sequence of int
        The numbers of members to try; the validation AUC chooses. By default it is that of an estimator.
    lambdas : sequence of float
        The strengths of the penalty to try for each method that has one; the validation AUC chooses. By default it is that
        of its estimator, which LITClassifier chooses by validation log-loss.
    others : sequence of estimators or of (name, estimator) pairs, or "found"
        Other models in scikit-learn's style, which train on the same rows and are tested on the same rows. "found" stands
        for LightGBM, XGBoost, CatBoost, extra trees and random forest with their defaults, as far as they are installed. An
        estimator gets numbers as they are, categories one-hot, and missing numbers as medians if it takes no missing ones.
        A Pipeline gets the rows of X instead. Labels are the numbers 0, 1, ... of the sorted classes. If a model fails, a
        line says why. minutes does not shorten their training.
    unlabeled : array, data frame or Arrow table of shape (more rows, columns), optional
        Rows without labels, as in fit, for the methods that use them. Without them, divdis and dbat are left out.
    methods : sequence of str
        The methods to compare, by their words: "restarts", "subspaces", ... By default restarts, bagging, adaboost, ncl, ace and
        lit, with divdis and dbat where there are rows without labels.
    **parameters
        Other parameters of LITClassifier, the same for every method: epochs, hidden_layer_sizes, missing, ...

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import perpend
    >>> X, y = perpend.datasets.generate("shortcut", rows=200)
    >>> found = perpend.compare(X, y, restarts=1, epochs=2, hidden_layer_sizes=8, splits=["random"])
    >>> [split["split"] for split in found.record["splits"]]
    ['random']
    """
    from ._estimators import ESTIMATORS, LITClassifier, LITRegressor

    for name in parameters:
        if name in NOT_OURS:
            raise TypeError(f"compare has no parameter {name!r}; {NOT_OURS[name]}")
    for word in methods:
        if word not in ESTIMATORS:
            raise ValueError(f"methods has {word!r}; it must be some of {', '.join(ESTIMATORS)}")
    estimator = (LITRegressor if _table.is_number(y) else LITClassifier)(**parameters)
    options = _given_options(estimator, parameters)
    table, named = _table.training_table(X, y, estimator._as_labels(y), sample_weight)
    taken = [*ESTIMATORS, "logistic regression", "linear regression"]
    models = _others.named(others, taken, estimator._task)
    functions = [(name, _others.function_of(model, X, sample_weight)) for name, model in models]
    if minutes is None and restarts is None:
        minutes = 2
    seconds = None if minutes is None else 60.0 * minutes
    words, counts, strengths = [str(s) for s in splits], [int(n) for n in n_estimators], [float(v) for v in lambdas]
    most = None if restarts is None else int(restarts)
    more = None if unlabeled is None else _table.named_rows(unlabeled, "unlabeled")
    found = _core.compare(table, {**options, **named}, words, counts, strengths, most, seconds, functions, more, [str(m) for m in methods])
    record, text, readings, said = found
    _warn(said, 3)
    return Comparison(json.loads(record), text, readings)
