"""What the six estimators share: options, fit, predictions, and the look at what members disagree about."""

from __future__ import annotations

import json
import os
import warnings
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Optional, Sequence, Union, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError

from . import _core, _plots, _table
from ._progress import epoch_function

Record = dict[str, Any]
Callback = Callable[[Record], Any]
Floats = NDArray[np.float64]

_NOT_TYPED = ("method", "target", "sample_weight", "seed")  # set by fit, not by a parameter of that name
_LISTS = ("drop", "keep", "categorical")


class PerpendWarning(UserWarning):
    """What the command line says on stderr: dropped columns, levels that training never saw, near-duplicate columns."""


@dataclass(frozen=True)
class Member:
    """One network of a fitted ensemble.

    Attributes
    ----------
    weight : float
        Its share in the ensemble's mean.
    layers : list of (weight, bias)
        Arrays of shape (in, out) and (out,), float32, from the input to the last layer.
    """

    weight: float
    layers: list[tuple[NDArray[np.float32], NDArray[np.float32]]]


@dataclass(frozen=True)
class Explanation:
    """What members look at on some rows, as `perpend explain` prints it.

    Attributes
    ----------
    columns, features : list of str
        The columns of the table, and the encoded features made of them.
    shares : ndarray (members, columns)
        Which part of a member's gradient each column has; rows sum to 1.
    mean, sd : ndarray (members, features)
        Of the input gradients over the rows.
    quantiles : ndarray (members, features, 5)
        5, 25, 50, 75 and 95 % of the input gradients.
    pairs : list of dict
        Per pair of members: cos2, cosine, same_prediction, kappa; tangent_cos2, along the model's manifold, where it
        keeps one.
    substitutes : list of ((columns, members), (columns, members))
        Columns from which members reach the same answers without the others'.
    tangent_shares : ndarray (members, columns), or None
        As shares, of the part of the gradients that lies along the model's manifold, where it keeps one.
    """

    columns: list[str]
    features: list[str]
    shares: Floats
    mean: Floats
    sd: Floats
    quantiles: Floats
    pairs: list[dict[str, Any]]
    substitutes: list[Any]
    tangent_shares: Optional[Floats] = None


def typed(value: Any) -> Union[str, list[str]]:
    """A value as it would be typed behind a flag; a list stays a list."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return [typed_one(part) for part in value]
    return typed_one(value)


def typed_one(value: Any) -> str:
    """One value as it would be typed."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    return str(value)


def seed_of(random_state: Any) -> str:
    """The seed as the command line takes it. None and generators draw one."""
    if random_state is None:
        return str(np.random.randint(2**31 - 1))
    if isinstance(random_state, np.random.RandomState):
        return str(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return str(random_state.integers(2**31 - 1))
    return typed_one(random_state)


class EnsembleClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the estimators; not to be used itself. Parameters are documented at LITClassifier."""

    _method = ""
    _model: _core.Model

    def __init__(
        self,
        *,
        members: int = 5,
        hidden: Union[int, Sequence[int]] = (256,),
        activation: str = "relu",
        dropout: float = 0.5,
        weight_decay: float = 1e-4,
        learning_rate: float = 1e-3,
        batch_size: int = 256,
        epochs: Optional[int] = None,
        shuffle: bool = True,
        early_stopping: int = 0,
        standardize: bool = True,
        missing: str = "error",
        categorical: Sequence[str] = (),
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        positive: Any = None,
        split: str = "none",
        split_column: Optional[str] = None,
        split_quantile: float = 0.5,
        group: Optional[str] = None,
        random_state: Any = 0,
        threads: int = 0,
        warm_start: bool = False,
        progress: bool = False,
    ) -> None:
        self.members = members
        self.hidden = hidden
        self.activation = activation
        self.dropout = dropout
        self.weight_decay = weight_decay
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.epochs = epochs
        self.shuffle = shuffle
        self.early_stopping = early_stopping
        self.standardize = standardize
        self.missing = missing
        self.categorical = categorical
        self.drop = drop
        self.keep = keep
        self.positive = positive
        self.split = split
        self.split_column = split_column
        self.split_quantile = split_quantile
        self.group = group
        self.random_state = random_state
        self.threads = threads
        self.warm_start = warm_start
        self.progress = progress

    # -- options ------------------------------------------------------------------------------------------------------

    @classmethod
    def option_names(cls) -> dict[str, str]:
        """Parameters that are options of the command line, with their names there."""
        names = {option[0] for option in _core.option_table()}
        own = {name: name.rstrip("_") for name in cls._get_param_names()}
        own["random_state"] = "seed"
        return {parameter: option for parameter, option in own.items() if option in names}

    @classmethod
    def published(cls, **options: Any) -> Any:
        """An estimator with the recipe of the paper's tables (`--preset published`); options given here win.

        Returns
        -------
        estimator
        """
        preset = json.loads(_core.preset_options("published"))
        plain = {name: json.loads(text) for name, text, _, _ in _core.option_table() if text}
        changed = {p: preset[o] for p, o in cls.option_names().items() if o in preset and preset[o] != plain.get(o)}
        return cls(**{**changed, **options})

    def _options(self, target: str, weight: str) -> dict[str, Any]:
        options: dict[str, Any] = {"method": self._method, "target": target, "sample_weight": weight}
        for parameter, option in self.option_names().items():
            value = getattr(self, parameter)
            if option == "seed":
                options[option] = seed_of(value)
            elif option in _LISTS:
                options[option] = [value] if isinstance(value, str) else [str(name) for name in value]
            elif value is not None:
                options[option] = typed(value)
        return options

    # -- fitting ------------------------------------------------------------------------------------------------------

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        unlabeled: Any = None,
        eval_set: Any = None,
        callbacks: Union[None, Callback, Iterable[Callback]] = None,
    ) -> Any:
        """Train the ensemble.

        With ``split="none"`` (the default) every row given trains, and the model depends on the rows, not on their
        order. The same data, options and seed give the bytes of ``perpend train --split none``; with another ``split``
        those of ``perpend train --split ...``, which trains on a part of the rows and reports on the others.

        Parameters
        ----------
        X : array, data frame or Arrow table of shape (rows, columns)
            float32 and float64 arrays of any strides and Arrow columns without gaps are read where they lie. Text and
            categories are encoded as on the command line; columns of an array are called x0, x1, ...
        y : array-like of shape (rows,)
            Classes: numbers or text, two or more of them. A series' name is the target's name in the model file.
        sample_weight : array-like of shape (rows,), optional
            Weights >= 0. With ``split="none"`` a row of weight 0 is left out and whole numbers are copies: weight 3 is
            the same as the row three times.
        unlabeled : array, data frame or Arrow table of shape (more rows, columns), optional
            Rows without labels, of LIT alone: the members' input gradients are kept orthogonal at them too. Rows of the place
            where the model will be used are the ones to give.
        eval_set : (X, y), or a list with one such pair, optional
            Rows to validate on: for early stopping, ``lambda_="auto"`` and the log. Needs ``split="none"``.
        callbacks : function or list of functions, optional
            Each is called after an epoch with a dict: round, epoch, epochs, steps, fit (per member), penalty,
            weight_decay, validation_log_loss. A true answer ends the training and keeps what is trained.

        Returns
        -------
        self
        """
        X = _table.as_rows(X)
        labels = _table.as_labels(y)
        self._learn_names(X)
        names = _table.own_names(X) or _table.default_names(self.n_features_in_)
        table = _table.make_table(X, names)
        target = _table.name_for(y, "target", names)
        _table.add_labels(table, target, labels)
        weight = ""
        if sample_weight is not None:
            weight = _table.name_for(sample_weight, "sample_weight", [*names, target])
            table.add_numbers(weight, _table.as_weights(sample_weight, table.rows))
        options = self._options(target, weight)
        model, details = _core.fit(
            table,
            options,
            self._validation(eval_set, names, target),
            None if unlabeled is None else self._more_rows(unlabeled, names, "unlabeled"),
            self._model if self.warm_start and hasattr(self, "_model") else None,
            epoch_function(callbacks, self.progress, self._method, self.members),
        )
        for line in details["warnings"]:
            warnings.warn(line, PerpendWarning, stacklevel=2)
        self._columns: Optional[list[str]] = names
        self._take(model, _table.class_values(model.classes, labels))
        self.log_: list[Record] = json.loads(details["log"])
        self.fit_seconds_: float = details["seconds"]
        if details["lambda_trials"]:
            self.lambda_trials_: list[Record] = details["lambda_trials"]
        return self

    def _validation(self, eval_set: Any, names: Sequence[str], target: str) -> Optional[_core.Table]:
        if eval_set is None:
            return None
        if self.split != "none":
            raise ValueError(f"eval_set and split={self.split!r} both name rows to validate on; give one of them")
        if isinstance(eval_set, list):
            if len(eval_set) != 1:
                raise ValueError(f"eval_set has {len(eval_set)} pairs; give one, (X, y)")
            eval_set = eval_set[0]
        X, y = eval_set
        table = self._more_rows(X, names, "eval_set")
        _table.add_labels(table, target, _table.as_labels(y))
        return table

    def _more_rows(self, X: Any, names: Sequence[str], called: str) -> _core.Table:
        X = _table.as_rows(X)
        _check_feature_names(self, X, reset=False)
        self._check_width(X)
        return _table.make_table(X, names, called)

    def _take(self, model: _core.Model, classes: NDArray[Any]) -> None:
        self._model = model
        self.classes_ = classes
        self.features_ = model.features
        self.member_weights_ = np.array(model.weights)
        self.options_ = json.loads(model.options)
        self.summary_ = json.loads(model.summary)

    # -- names and shapes of inputs -----------------------------------------------------------------------------------

    def _learn_names(self, X: Any) -> None:
        self.n_features_in_ = _table.shape_of(X)[1]
        _check_feature_names(self, X, reset=True)

    def _check_width(self, X: Any) -> None:
        found = _table.shape_of(X)[1]
        if found != self.n_features_in_:
            raise ValueError(
                f"X has {found} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input"
            )

    def _rows(self, X: Any) -> _core.Table:
        """X as a table of the fitted model, checked as scikit-learn checks it."""
        self._need_fit()
        X = _table.as_rows(X)
        if self._columns is None:  # from a file: by name alone, as the command line does
            names = _table.own_names(X)
            if names is None:
                raise ValueError("this model knows its columns by name; give a data frame with the names it was trained on")
            return _table.make_table(X, names)
        _check_feature_names(self, X, reset=False)
        self._check_width(X)
        return _table.make_table(X, self._columns)

    def _labelled(self, X: Any, y: Any) -> _core.Table:
        table = self._rows(X)
        labels = _table.as_labels(y)
        known = {value: name for value, name in zip(self.classes_.tolist(), self._model.classes)}
        if labels.dtype.kind in "biuf":
            _table.add_labels(table, self._model.target, labels)
        else:
            _table.add_labels(table, self._model.target, np.array([known.get(label, str(label)) for label in labels.tolist()]))
        return table

    def _need_fit(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit first")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def _answer(self, function: Callable[..., tuple[Any, list[str]]], X: Any) -> Any:
        result, said = function(self._model if hasattr(self, "_model") else None, self._rows(X), int(self.threads))
        for line in said:
            warnings.warn(line, PerpendWarning, stacklevel=3)
        return result

    # -- predictions --------------------------------------------------------------------------------------------------

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the classes, (rows, classes), by the ensemble's decision rule.

        Parameters
        ----------
        X : array, data frame or Arrow table

        Returns
        -------
        ndarray (rows, classes)
        """
        return cast(Floats, self._answer(_core.probabilities, X))

    def predict_log_proba(self, X: Any) -> Floats:
        """Natural logarithms of predict_proba, each probability taken as at least 1e-15."""
        return np.log(np.maximum(self.predict_proba(X), 1e-15))

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row; on a tie the earlier one."""
        answers = np.argmax(self.predict_proba(X), axis=1)
        return cast(NDArray[Any], self.classes_[answers])

    def decision_function(self, X: Any) -> Floats:
        """Two classes: the log-odds of the second, (rows,). More: the log-probabilities, (rows, classes)."""
        logs = self.predict_log_proba(X)
        return logs[:, 1] - logs[:, 0] if logs.shape[1] == 2 else logs

    def predict_proba_members(self, X: Any) -> NDArray[np.float32]:
        """Probabilities of each member, (members, rows, classes), float32."""
        return cast("NDArray[np.float32]", self._answer(_core.member_probabilities, X))

    def disagreement(self, X: Any) -> Floats:
        """Per row, the standard deviation of the members' probabilities: large where they extrapolate differently.

        With more than two classes, of half the squared distance over classes; every member counts once.
        """
        return cast(Floats, self._answer(_core.disagreement, X))

    def input_gradients(self, X: Any) -> NDArray[np.float32]:
        """Gradients of the members' scores by the encoded inputs, (members, rows, features_), float32.

        The score is the log-odds; with more than two classes, that of the predicted class against the rest.
        """
        return cast("NDArray[np.float32]", self._answer(_core.input_gradients, X))

    # -- looking ------------------------------------------------------------------------------------------------------

    @property
    def members_(self) -> list[Member]:
        """The networks: a list of Member."""
        self._need_fit()
        return [Member(w, self._model.layers(m)) for m, w in enumerate(self._model.weights)]

    def evaluate(self, X: Any, y: Any) -> dict[str, Any]:
        """The metrics object of ``perpend evaluate``: of the ensemble, and in ``members`` of each. Undefined is None."""
        return cast("dict[str, Any]", json.loads(_core.evaluation(self._model_or_fail(), self._labelled(X, y), int(self.threads))))

    def diversity(self, X: Any, y: Any = None) -> dict[str, Any]:
        """How differently members extrapolate (from input gradients) and, with y, how differently they fail.

        Returns
        -------
        dict
            grad_cos2, local_mutual_information, gradient_pairs; with y also rho_av, q_av, kappa, disagreement,
            double_fault, undefined_pairs, pairs (perpend.metrics.error_diversity).
        """
        found = dict(_core.gradient_diversity(self._model_or_fail(), self._rows(X), int(self.threads)))
        found["gradient_pairs"] = found.pop("pairs")
        if y is not None:
            wanted = np.searchsorted(np.sort(self.classes_), _table.as_labels(y))
            order = np.argsort(self.classes_)
            answers = np.argmax(self.predict_proba_members(X), axis=2)
            errors = [np.ascontiguousarray(a != order[wanted], np.int32) for a in answers]
            found.update(_core.error_diversity(errors))
        return found

    def explain(self, X: Any) -> Explanation:
        """What each member looks at on these rows, and which columns stand in for one another."""
        found = _core.explain(self._model_or_fail(), self._rows(X), int(self.threads))
        members = found["members"]
        return Explanation(
            columns=self._model.columns,
            features=self._model.features,
            shares=np.array([m["shares"] for m in members]),
            mean=np.array([[f["mean"] for f in m["features"]] for m in members]),
            sd=np.array([[f["sd"] for f in m["features"]] for m in members]),
            quantiles=np.array([[f["quantiles"] for f in m["features"]] for m in members]),
            pairs=found["pairs"],
            substitutes=found["substitutes"],
            tangent_shares=np.array([m["tangent_shares"] for m in members]) if members[0]["tangent_shares"] else None,
        )

    def plot_training(self) -> Any:
        """Loss, penalty and validation log-loss by epoch, as an Altair chart."""
        self._need_fit()
        return _plots.training(self.summary_["log"])

    def plot_shares(self, X: Any) -> Any:
        """Which columns each member looks at, as an Altair chart."""
        return _plots.shares(self.explain(X))

    def plot_disagreement(self, X: Any, other: Any = None) -> Any:
        """The distribution of disagreement on rows, and on other rows beside it, as an Altair chart."""
        return _plots.disagreement(self.disagreement(X), None if other is None else self.disagreement(other))

    def plot_calibration(self, X: Any, y: Any) -> Any:
        """Frequency of the second class against its probability, as an Altair chart. Two classes."""
        if len(self.classes_) != 2:
            raise ValueError(f"plot_calibration needs two classes; this model has {len(self.classes_)}")
        labels = np.ascontiguousarray(_table.as_labels(y) == self.classes_[1], np.int32)
        p = np.ascontiguousarray(self.predict_proba(X)[:, 1])
        return _plots.calibration(_core.calibration(p, labels))

    def report(
        self,
        path: Union[str, "os.PathLike[str]"],
        X: Any = None,
        y: Any = None,
        *,
        new: Any = None,
        features: Sequence[str] = (),
        overwrite: bool = True,
    ) -> None:
        """Write the page of ``perpend report``: one HTML file that opens offline.

        Parameters
        ----------
        path : str or path
            The file to write.
        X, y : optional
            The rows it was trained on, or others, with their classes. Without them the page shows what the model itself
            knows: options, training curves, its metrics.
        new : X, or (X, y), optional
            Rows from elsewhere: is disagreement larger there?
        features : list of str
            Columns whose input gradients to draw, whatever their share.
        overwrite : bool
            Replace a file of that name.
        """
        from . import __version__

        model = self._model_or_fail()
        if (X is None) != (y is None):
            raise ValueError("report takes X and y together; rows without classes go into new=")
        data = None if X is None else self._labelled(X, y)
        newer = None if new is None else self._labelled(*new) if isinstance(new, tuple) else self._rows(new)
        _core.report(
            model, os.fspath(path), type(self).__name__, __version__, data, newer, list(features), int(self.threads), overwrite
        )

    # -- files --------------------------------------------------------------------------------------------------------

    def _model_or_fail(self) -> _core.Model:
        self._need_fit()
        return self._model

    def to_bytes(self) -> bytes:
        """The model file's bytes: those that ``perpend train`` writes for the same data, options and seed."""
        return self._model_or_fail().to_bytes()

    def save(self, path: Union[str, "os.PathLike[str]"], *, overwrite: bool = True) -> None:
        """Write the model file, which the command line reads too (safetensors; never half a file)."""
        self._model_or_fail().save(os.fspath(path), overwrite)

    def export_onnx(self, path: Union[str, "os.PathLike[str]"], *, overwrite: bool = True) -> None:
        """Write the model as one ONNX graph, as ``perpend export --onnx``: encoding, networks and decision rule.

        Each column is an input of its own, (rows, 1), float64 or text. Outputs: probabilities, label, disagreement,
        member_probabilities.
        """
        from . import __version__

        self._model_or_fail().export_onnx(os.fspath(path), __version__, overwrite)

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> Any:
        """An estimator from a model file, written here or by ``perpend train``.

        The file knows columns and classes by name: classes that are numbers come back as numbers, and predictions want
        a data frame with the names of training, unless the columns are x0, x1, ... of an array.

        Returns
        -------
        estimator
        """
        return cls._of_model(_core.Model.load(os.fspath(path)), os.fspath(path))

    @classmethod
    def _of_model(cls, model: _core.Model, name: str) -> Any:
        options = json.loads(model.options)
        if cls._method and options["method"] != cls._method:
            raise _core.ModelFileError(f"{name} was trained with method {options['method']}, not {cls._method}; use perpend.load")
        given = {p: options[o] for p, o in cls.option_names().items() if o in options}
        given = {p: tuple(v) if isinstance(v, list) else v for p, v in given.items() if v != ""}
        estimator = cls(**given)
        estimator._columns = _array_columns(model)
        estimator.n_features_in_ = len(model.columns) + len(model.ignored)
        estimator._take(model, _table.loaded_classes(model.classes))
        return estimator

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        if "_model" in state:
            state["_model"] = state["_model"].to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        if "_model" in state:
            state["_model"] = _core.Model.from_bytes(state["_model"], "the pickled model")
        super().__setstate__(state)

    # -- what scikit-learn asks ---------------------------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"allow_nan": self.missing != "error"}


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
