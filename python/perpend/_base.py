"""What the estimators share: fit, predictions, and the look at what members disagree about."""

from __future__ import annotations

import copy
import json
import os
from typing import Any, Callable, Iterable, Optional, Sequence, Union, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import NotFittedError

from . import _core, _display, _parameters, _plots, _table
from ._monitoring import Monitoring
from ._names import _array_columns, _check_feature_names
from ._progress import epoch_function
from ._records import Dependence, Explanation, Floats, Member, Permutation, Record, _warn

Callback = Callable[[Record], Any]


class Ensemble(_display.Shown, BaseEstimator):  # type: ignore[misc]
    """Base class of all estimators; do not use it directly. Each estimator has the parameters of its method."""

    _method = ""
    _task = "classify"
    _model: _core.Model
    # Parameters that are looked at here; all are made from the option table (_parameters.py).
    n_estimators: int
    missing: str
    views: Union[str, Sequence[str]]
    split: str
    n_jobs: Optional[int]
    verbose: bool
    warm_start: bool

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "_method" in vars(cls):
            _parameters.install(cls)

    # -- options ------------------------------------------------------------------------------------------------------

    def set_params(self, **params: Any) -> Any:
        """Set parameters by name, as scikit-learn does.

        Returns
        -------
        self
        """
        _parameters.check_names(type(self), params)
        return super().set_params(**params)

    @classmethod
    def published(cls, **options: Any) -> Any:
        """An estimator with the recipe of the paper's tables (`--preset published`). Parameters given here overrule it.

        Returns
        -------
        estimator
        """
        plain = json.loads(_core.default_options())
        preset = json.loads(_core.preset_options("published"))
        changed = {option: value for option, value in preset.items() if value != plain[option]}
        return cls(**{**_parameters.parameters_of(cls, changed), **options})

    @property
    def _threads(self) -> int:
        return _parameters.threads_of(self.n_jobs)

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

        With ``split="none"`` (the default), all rows train, and their order does not matter. A fifth of them is first held
        out as validation rows: they end the training and choose lambda. With up to 5,000 rows the members are then trained
        again on all rows (see refit). What the model keeps of the validation rows for abstains, predict_set,
        predict_interval and monitor was answered before that. With another ``split``, only a part of the rows trains, and
        ``summary_`` has the metrics on the others. The same data, options and seed give the same model file as
        ``perpend train``, byte for byte.

        Rows of one patient or customer are kept together in the validation rows only if ``group`` names a column of X that
        says which rows belong together.

        Parameters
        ----------
        X : array, data frame or Arrow table of shape (rows, columns)
            The training rows. float32 and float64 arrays, and Arrow columns without missing cells, are not copied. Text
            and categories are encoded as on the command line. The columns of an array are called x0, x1, ...
        y : array-like of shape (rows,)
            The targets: two or more classes as numbers or text, or the numbers of a regression. The name of a series
            becomes the target's name in the model file.
        sample_weight : array-like of shape (rows,), optional
            Weights >= 0. With ``split="none"``, a row of weight 0 is left out, and a row of weight 3 counts like three
            copies of it.
        unlabeled : array, data frame or Arrow table of shape (more rows, columns), optional
            Rows without labels, from the place where the model will be used. LIT keeps the members' input gradients
            orthogonal at these rows too. DivDis and D-BAT need such rows, and the other methods use none.
        eval_set : (X, y), or a list with one such pair, optional
            Rows to validate on. Early stopping, ``lambda_="auto"`` and the log use them. It needs ``split="none"``.
        callbacks : function or list of functions, optional
            Each function is called after every epoch with a dict that has round, epoch, epochs, steps, fit (per member),
            penalty, weight_decay and validation_log_loss. If it returns a true value, training ends there.

        Returns
        -------
        self
        """
        X = _table.as_rows(X)
        self._learn_names(X)
        names = _table.own_names(X) or _table.default_names(self.n_features_in_)
        labels = self._as_labels(y)
        if self._task == "regress" and len(labels) == 1:
            raise ValueError("y has 1 sample; a regression needs at least two")
        table, named = _table.training_table(X, y, labels, sample_weight)
        model, details = _core.fit(
            table,
            {**_parameters.options_of(self), **named},
            self._validation(eval_set, names, named["target"]),
            None if unlabeled is None else self._more_rows(unlabeled, names, "unlabeled"),
            self._model if self.warm_start and hasattr(self, "_model") else None,
            epoch_function(callbacks, self.verbose, self._method, self.n_estimators),
        )
        _warn(details["warnings"], 3)
        self._columns: Optional[list[str]] = names
        self._take(model)
        self._take_labels(labels)
        self.log_: list[Record] = json.loads(details["log"])
        self.fit_seconds_: float = details["seconds"]
        self.reading_: str = details["reading"]
        self.remarks_: list[str] = details["remarks"]
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
        _table.add_labels(table, target, self._as_labels(y))
        return table

    def _more_rows(self, X: Any, names: Sequence[str], called: str) -> _core.Table:
        X = _table.as_rows(X)
        _check_feature_names(self, X, reset=False)
        self._check_width(X)
        return _table.make_table(X, names, called)

    # What a classifier and a regressor make of y: the array, what the fitted estimator keeps of it, and rows with it.
    def _as_labels(self, y: Any) -> NDArray[Any]:
        raise NotImplementedError

    def _take_labels(self, labels: Optional[NDArray[Any]]) -> None:
        raise NotImplementedError

    def _labelled(self, X: Any, y: Any) -> _core.Table:
        raise NotImplementedError

    def _take(self, model: _core.Model) -> None:
        self._model = model
        self.features_ = model.features
        self.views_ = model.views
        self.estimator_weights_ = np.array(model.weights)
        self.options_ = json.loads(model.options)
        self.summary_ = json.loads(model.summary)
        if "lambda_" in self.get_params(deep=False):
            self.best_lambda_: float = self.options_["lambda"]

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

    def _need_fit(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit first")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def _answer(self, function: Callable[..., tuple[Any, list[str]]], X: Any) -> Any:
        result, said = function(self._model if hasattr(self, "_model") else None, self._rows(X), self._threads)
        _warn(said, 4)
        return result

    # -- predictions --------------------------------------------------------------------------------------------------

    def abstains(self, X: Any, share: Union[float, str] = 0.05) -> NDArray[np.bool_]:
        """Which rows the ensemble should not answer, because it is not sure enough.

        With share=0.05, a row is marked if it is less sure than 95 % of the validation rows. After ``fit(X, y)`` these are
        the fifth of the rows that was held out. A fit with ``early_stopping=False``, or with fewer than five rows of a
        class, holds none out, and the training rows then take their place. About 5 % of rows like them are marked, and more
        of the rows from elsewhere.

        Two signals can tell how sure a row is: the ensemble's doubt (1 less its largest probability) and the members'
        disagreement. The validation rows choose the one that found the errors there (see abstain_rule). Regressors use the
        disagreement.

        With share="error=0.05", so many rows are marked that at most 5 % of the others are wrong. This holds for rows like
        the validation rows, in at least nine of ten cases. It does not hold for other rows.

        Parameters
        ----------
        X : array, data frame or Arrow table
        share : float or str

        Returns
        -------
        ndarray of bool, of shape (rows,)
            True where the ensemble abstains.
        """
        return cast("NDArray[np.bool_]", self._predictions(X, share)["abstained"].astype(bool))

    def abstain_rule(self, share: Union[float, str] = 0.05) -> Record:
        """The signal and the limit that abstains(X, share) uses, and how well they work on the validation rows.

        Returns
        -------
        dict
            ``signal``: doubt or disagreement. ``most``: a row with a larger value abstains; below 0, every row does.
            ``home_rows``: how many validation rows the model remembers (0: none). ``answered``: how many of them are
            answered, and ``wrong``: how many of these are wrong. ``error_bound``: an upper bound of the share of wrong
            rows among the answered ones, with 99 % confidence.
        """
        return cast(Record, json.loads(_core.abstain_rule(self._model_or_fail(), str(share))))

    def expected_performance(self, X: Any) -> Record:
        """An estimate of how good the ensemble is on rows without labels.

        It starts from the metrics on the validation rows and lowers them by two signs of shift: how much more the members
        disagree, and how far the probabilities moved. The page "Whom to trust" of the documentation says how far off such
        estimates were. Read an interval as a warning rather than as a forecast: it is made to hold nine of ten true figures,
        so accuracies from 0.5 to 1 say that these rows need labels before anybody relies on the answers.

        Returns
        -------
        dict
            ``accuracy``, ``auc`` and ``log_loss``, each a dict with ``low``, ``mid`` and ``high``, or None. ``home`` has the
            same of the validation rows, as numbers. ``more_disagreement`` and ``moved`` are the signs of shift,
            ``home_rows`` and ``rows`` count rows, and ``reason`` says why nothing is expected: of a regressor, and of a
            model without validation rows.
        """
        return cast(Record, json.loads(_core.expected_performance(self._model_or_fail(), self._rows(X), self._threads)))

    def _predictions(
        self,
        X: Any,
        abstain: Optional[Union[float, str]] = None,
        interval: Optional[float] = None,
        members: bool = False,
    ) -> dict[str, Any]:
        asked = None if abstain is None else str(abstain)
        found = _core.predict(self._model_or_fail(), self._rows(X), asked, interval, members, self._threads)
        _warn(found["warnings"], 4)
        return found

    def card(self) -> str:
        """The model card as Markdown.

        It says what the model is, which rows trained it, how they were split, how good it is (with 95 % intervals), and what
        it was not tested on. ``perpend inspect --card`` writes the same.
        """
        return _core.card(self._model_or_fail())

    def rows_unlike(self, X: Any) -> dict[str, NDArray[np.int64]]:
        """In how many columns each row is unlike the training rows.

        The model extrapolates at a row with a level that training never saw, or with a number outside the range of the
        training rows. ``perpend predict --flags`` writes the same.

        Returns
        -------
        dict of str to ndarray of shape (rows,)
            ``unseen``: levels that training never saw. ``outside``: numbers outside the range of the training rows; a date
            counts once. ``missing``: missing cells.
        """
        return cast("dict[str, NDArray[np.int64]]", _core.rows_unlike(self._model_or_fail(), self._rows(X)))

    def disagreement(self, X: Any) -> Floats:
        """The standard deviation of the members' probabilities on each row. It is large where they extrapolate differently.

        With more than two classes it is the root of the mean of half the squared distances to the members' mean. Every
        member counts once, whatever its weight.
        """
        return cast(Floats, self._answer(_core.disagreement, X))

    def input_gradients(self, X: Any) -> NDArray[np.float32]:
        """The gradients of the members' scores with respect to the encoded inputs, (members, rows, features), float32.

        Boosted trees have no gradients and are left out. If there are any, they are the last member.

        The score is the log-odds of the second class. With more than two classes it is the log-odds of the class that the
        member predicts against the rest. A model with views has one feature per column of the table: for a number, the
        entry is the derivative per standard deviation of the training rows, and 0 where the cell is missing; for a
        category, it says by how much the row's level moves the score, compared with the mean level.
        """
        return cast("NDArray[np.float32]", self._answer(_core.input_gradients, X))

    # -- looking ------------------------------------------------------------------------------------------------------

    @property
    def estimators_(self) -> list[Member]:
        """The members, a list of Member."""
        self._need_fit()
        return [Member(w, self._model.layers(m), self.views_[m]) for m, w in enumerate(self._model.weights)]

    def evaluate(
        self, X: Any, y: Any, *, epsilon: Union[None, float, Sequence[float]] = None, manifold: str = ""
    ) -> dict[str, Any]:
        """The metrics of ``perpend evaluate``: those of the ensemble, and in ``members`` those of each member.

        A metric that is undefined is None.

        Parameters
        ----------
        X, y : rows and their classes
        epsilon : float or sequence of float, optional
            Distances, in encoded units, at which independence is also measured: how much one member's score changes at
            the point within epsilon of a row where another's is largest. It needs two classes and ``views="plain"``.
        manifold : str
            Directions such as "pca:3", found in these rows, along which ``tangent_cos2`` is measured. They need
            ``views="plain"``. By default they are those that the model keeps.

        Returns
        -------
        dict
            For a classifier: auc, accuracy, log_loss, brier, ece, grad_cos2, rho_av (the correlation of the members'
            errors), disagreement (the share of rows on which one of two members is right and the other wrong), members and
            more. For a regressor: rmse, mae, r2, grad_cos2 and more. With epsilon, its key ``finite`` holds what
            ``perpend evaluate --epsilon`` prints.
        """
        epsilons = [] if epsilon is None else np.atleast_1d(np.asarray(epsilon, float)).tolist()
        answer, said = _core.evaluation(self._model_or_fail(), self._labelled(X, y), epsilons, manifold, self._threads)
        _warn(said, 3)
        record = json.loads(answer)
        return _display.Metrics({**record["metrics"], **({"finite": record["finite"]} if epsilons else {})})

    def monitor(
        self, X: Any, y: Any = None, *, window: Union[None, int, str] = None, alarm: float = 0.01
    ) -> Monitoring:
        """Has the world moved? Compare new rows with those that the model was trained on.

        The model file is enough: it keeps how the columns were distributed, but no row. The page "Has the world moved?" of
        the documentation explains the evidence and the verdicts.

        Parameters
        ----------
        X : rows
        y : optional
            The classes or numbers of these rows. With them, the metrics are measured, too.
        window : int or str, optional
            Look at the rows in windows, in their order: so many rows each, or rows with equal values in this column.
        alarm : float
            The share of false alarms: how often rows like the training rows may be called moved.

        Returns
        -------
        Monitoring
        """
        table = self._rows(X) if y is None else self._labelled(X, y)
        answer, text = _core.monitor(
            self._model_or_fail(), table, y is not None, "" if window is None else str(window), alarm, self._threads
        )
        return Monitoring.from_record(answer, text)

    def adapt(self, X: Any, y: Any) -> Any:
        """Adapt the model to a new place by a few labelled rows from there.

        The answer of the new estimator moves towards the members that the labels support and away from the others, and it
        gets a bias. The networks do not change. The evidence of the labels decides how far the answer may move; if they
        do not support a change, it stays as it is. Sixteen rows are often enough, and ``ask`` chooses rows that are worth
        a label.

        ``reading_`` says what was done. ``summary_["adapted"]`` has the loss on these rows before and after, where each row
        is answered by what the other rows teach. ``estimator_weights_`` have sum 1 and may be negative.

        Parameters
        ----------
        X, y : rows and their classes or numbers

        Returns
        -------
        estimator
            A new one; this estimator stays as it is.
        """
        model, reading, said = _core.adapt(self._model_or_fail(), self._labelled(X, y), self._threads)
        _warn(said, 3)
        adapted = copy.copy(self)
        adapted._take(model)
        adapted.reading_ = reading
        return adapted

    def ask(self, X: Any, n: int = 32) -> np.ndarray:
        """The rows that are worth a label, so that ``adapt`` learns most from them.

        The rows are drawn at random. The more the members' answers differ from the ensemble's on a row, the more probable
        it is to be drawn. Every call draws the same rows, and those of a smaller ``n`` are the first of a larger one.

        Parameters
        ----------
        X : array, data frame or Arrow table
            Rows of the new place.
        n : int
            The number of rows to choose.

        Returns
        -------
        ndarray of shape (n,)
            The positions of the rows, from 0: take ``X.iloc[rows]`` and ``y.iloc[rows]`` of pandas, and ``y[rows]`` of an
            array.
        """
        rows, said = _core.ask(self._model_or_fail(), self._rows(X), n, self._threads)
        _warn(said, 3)
        return np.array(rows, dtype=np.intp)

    def diversity(self, X: Any, y: Any = None) -> dict[str, Any]:
        """How differently the members extrapolate (by their input gradients) and, with y, how differently they err.

        Returns
        -------
        dict
            It has grad_cos2, local_mutual_information, flat (the share of rows where a member has no gradient) and
            gradient_pairs. With y, that of a classifier also has rho_av, q_av, kappa, disagreement, double_fault,
            undefined_pairs and pairs (perpend.metrics.error_diversity). Its ``disagreement`` is the share of rows on which
            one of two members is right and the other wrong. That is another figure than the method ``disagreement``. With
            y, that of a regressor also has rho_av, disagreement and ambiguity.
        """
        answer, said = _core.gradient_diversity(self._model_or_fail(), self._rows(X), self._threads)
        _warn(said, 3)
        found: dict[str, Any] = json.loads(answer)
        found["gradient_pairs"] = found.pop("pairs")
        if y is not None:
            found.update(self._error_diversity(X, y))
        return found

    def _error_diversity(self, X: Any, y: Any) -> dict[str, Any]:
        raise NotImplementedError

    def explain(self, X: Any, *, manifold: str = "") -> Explanation:
        """What each member looks at on these rows, and which columns can stand in for one another.

        Parameters
        ----------
        X : array, data frame or Arrow table
        manifold : str
            The same as in evaluate.

        Returns
        -------
        Explanation
        """
        answer, said = _core.explain(self._model_or_fail(), self._rows(X), manifold, self._threads)
        _warn(said, 3)
        return Explanation.from_record(json.loads(answer))

    @property
    def feature_importances_(self) -> Floats:
        """Each column's share of what the ensemble looks at, (columns of X,), with sum 1.

        It is the column's share of the members' input gradients on training rows (of boosted trees, of their
        contributions), weighted like the members' answers. A column that the model does not look at has 0. The model file
        keeps these shares, and adapt does not change them. ``explain(X).importances`` has the shares on other rows and
        with new weights. ``permutation_importance`` measures instead how much worse the answers are without a column.

        If the model was loaded from a file, the columns have the order of training only if it was trained on an array.
        Otherwise the columns that the model looks at come first, followed by those that it ignores.
        """
        if not self.__sklearn_is_fitted__():
            raise AttributeError(f"this {type(self).__name__} is not fitted yet, so it has no feature_importances_")
        found = self._model.importances
        if found is None:
            raise AttributeError("this model file comes from an earlier version, which kept no feature importances; use explain")
        shares = dict(zip(self._model.columns, found))
        names = self._columns or [*self._model.columns, *self._model.ignored]
        values = np.array([shares.get(name, 0.0) for name in names])
        total = values.sum()
        return values / total if total > 0 else values

    def permutation_importance(self, X: Any, y: Any, repeats: int = 5) -> Permutation:
        """What each column is worth: how much the loss grows when the column's cells are shuffled among the rows.

        All that was made of a column moves together, and each member has its own figures. Columns that stand in for one
        another share their worth, because what one of them loses the other still tells.

        Parameters
        ----------
        X, y : rows and their classes or numbers
            Use rows that did not train: training rows overrate the columns that were learnt by heart.
        repeats : int
            How often each column is shuffled, at least 2.

        Returns
        -------
        Permutation
        """
        answer, said = _core.permutation_importance(self._model_or_fail(), self._labelled(X, y), repeats, self._threads)
        _warn(said, 3)
        return Permutation.from_record(json.loads(answer))

    def partial_dependence(self, X: Any, column: Union[str, int]) -> Dependence:
        """How the answers change with one column: the mean over the rows if all of them had the same value there.

        If columns depend on each other, such as age and height, the mean includes rows that do not exist. There the
        curves of members may differ even if the members agree on the rows.

        Parameters
        ----------
        X : array, data frame or Arrow table
            The rows to average over. At most 500 of them are used, evenly spread.
        column : str or int
            The name of the column, or its number in X. Each part of a date is a column, such as ``when.month``.

        Returns
        -------
        Dependence
        """
        model = self._model_or_fail()
        if not isinstance(column, str):
            names = self._columns or _table.own_names(_table.as_rows(X)) or []
            column = names[column]
        answer, said = _core.partial_dependence(model, self._rows(X), column, self._threads)
        _warn(said, 3)
        return Dependence.from_record(json.loads(answer))

    def plot(self, chart: str, X: Any = None, y: Any = None, *, new: Any = None, features: Sequence[str] = ()) -> Any:
        """A chart of the report as an Altair chart, which notebooks show and ``save`` writes to a file.

        Parameters
        ----------
        chart : str
            The name of the chart. loss, penalty, familiar and members need no rows. disagreement, gradients, cosine, levels
            (for categories) and distance (for a model without views) need X. roc, calibration, risk-coverage, worth and,
            for the columns of most worth, dependence-1 and so on need y, too. moved needs new rows.
        X, y, new, features
            The same as in report.

        Returns
        -------
        altair.Chart
        """
        data, newer = self._report_rows(X, y, new)
        is_distance = chart.startswith("distance")
        specifications = _core.charts(self._model_or_fail(), data, newer, list(features), is_distance, self._threads)
        return _plots.chart(chart, specifications)

    def _report_rows(self, X: Any, y: Any, new: Any) -> tuple[Optional[_core.Table], Optional[_core.Table]]:
        self._need_fit()
        if (X is None) != (y is None):
            raise ValueError("X and y come together; rows without classes go into new=")
        data = None if X is None else self._labelled(X, y)
        return data, None if new is None else self._labelled(*new) if isinstance(new, tuple) else self._rows(new)

    def report(
        self,
        path: Union[str, "os.PathLike[str]"],
        X: Any = None,
        y: Any = None,
        *,
        new: Any = None,
        features: Sequence[str] = (),
        overwrite: bool = True,
    ) -> _display.Report:
        """Write the page of ``perpend report``, one HTML file that opens offline. A notebook also shows it.

        Parameters
        ----------
        path : str or path
            The file to write.
        X, y : optional
            The training rows, or others, with their classes. Without them, the page shows what the model file holds:
            options, training curves and metrics.
        new : X, or (X, y), optional
            Rows from elsewhere. The page shows whether they have moved, what that means for the answers, and what to do.
        features : list of str
            The page draws the input gradients of these columns, however small their share is.
        overwrite : bool
            Whether an existing file is replaced.

        Returns
        -------
        Report
            The path of the file. Notebooks show it as the page.
        """
        from . import __version__

        model = self._model_or_fail()
        data, newer = self._report_rows(X, y, new)
        said = _core.report(
            model, os.fspath(path), type(self).__name__, __version__, data, newer, list(features), self._threads, overwrite
        )
        _warn(said, 3)
        return _display.Report(path)

    # -- files --------------------------------------------------------------------------------------------------------

    def _model_or_fail(self) -> _core.Model:
        self._need_fit()
        return self._model

    def to_bytes(self) -> bytes:
        """The bytes of the model file. ``perpend train`` writes the same for the same data, options and seed."""
        return self._model_or_fail().to_bytes()

    def save(self, path: Union[str, "os.PathLike[str]"], *, overwrite: bool = True) -> None:
        """Write the model file (safetensors), which the command line reads, too. A failure never leaves half a file."""
        self._model_or_fail().save(os.fspath(path), overwrite)

    def export_onnx(self, path: Union[str, "os.PathLike[str]"], *, overwrite: bool = True) -> None:
        """Write the model as one ONNX graph with encoding, members and decision rule, as ``perpend export --onnx`` does.

        Each column is an input of its own, of shape (rows, 1), float64 or text. The outputs are probabilities, label, disagreement
        and member_probabilities. The label is text: a class 1 comes back as "1".
        """
        from . import __version__

        self._model_or_fail().export_onnx(os.fspath(path), __version__, overwrite)

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> Any:
        """Load an estimator from a model file that ``save`` or ``perpend train`` wrote.

        The file keeps the names of columns and classes. Classes that are numbers come back as numbers. Predictions need a
        data frame with the column names of training, unless the model was trained on an array (x0, x1, ...).

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
        if cls._method and bool(model.classes) != (cls._task == "classify"):
            found = "classes" if model.classes else "a number"
            raise _core.ModelFileError(f"{name} predicts {found}, which {cls.__name__} does not; use perpend.load")
        estimator = cls(**_parameters.parameters_of(cls, options))
        estimator._columns = _array_columns(model)
        estimator.n_features_in_ = len(model.columns) + len(model.ignored)
        estimator._take(model)
        estimator._take_labels(None)
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
        tags.input_tags.allow_nan = self._takes_gaps()
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"allow_nan": self._takes_gaps()}

    def _takes_gaps(self) -> bool:
        return self.missing != "error" and (self.missing != "auto" or self.views != "plain")


class EnsembleClassifier(ClassifierMixin, Ensemble):  # type: ignore[misc]
    """Base class of the classifiers; do not use it directly."""

    classes_: NDArray[Any]

    def _as_labels(self, y: Any) -> NDArray[Any]:
        return _table.as_labels(y)

    def _take_labels(self, labels: Optional[NDArray[Any]]) -> None:
        names = self._model.classes
        self.classes_ = _table.loaded_classes(names) if labels is None else _table.class_values(names, labels)

    def _labelled(self, X: Any, y: Any) -> _core.Table:
        table = self._rows(X)
        labels = _table.as_labels(y)
        known = {value: name for value, name in zip(self.classes_.tolist(), self._model.classes)}
        if labels.dtype.kind in "biuf":
            _table.add_labels(table, self._model.target, labels)
        else:
            _table.add_labels(table, self._model.target, np.array([known.get(label, str(label)) for label in labels.tolist()]))
        return table

    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class, from the ensemble's decision rule and its calibration (see calibrate).

        Parameters
        ----------
        X : array, data frame or Arrow table

        Returns
        -------
        ndarray of shape (rows, classes)
        """
        return cast(Floats, self._answer(_core.probabilities, X))

    def predict_log_proba(self, X: Any) -> Floats:
        """The natural logarithms of predict_proba. A probability below 1e-15 counts as 1e-15."""
        return np.log(np.maximum(self.predict_proba(X), 1e-15))

    def predict(self, X: Any, abstain: Optional[Union[float, str]] = None) -> NDArray[Any]:
        """The most probable class of each row. A tie goes to the earlier class in classes_.

        With a threshold, the second class is predicted where its probability is above the threshold.

        Parameters
        ----------
        X : array, data frame or Arrow table
        abstain : float or str, optional
            With abstain=0.05, a row that is less sure than 95 % of the validation rows gets None in place of an answer. With
            abstain="error=0.05", at most 5 % of the answers are wrong on rows like the validation rows (see abstains).

        Returns
        -------
        ndarray of shape (rows,)
            Its type is that of classes_, or object if abstain is given.
        """
        found = self._predictions(X, abstain)
        answers = self.classes_[found["predicted"]]
        if abstain is not None:
            answers = np.where(found["abstained"].astype(bool), None, answers.astype(object))
        return cast(NDArray[Any], answers)

    def decision_function(self, X: Any) -> Floats:
        """With two classes, the log-odds of the second, (rows,). With more, the log-probabilities, (rows, classes).

        They come from predict_proba, so calibration changes them. A threshold does not: 0 is always a probability of one
        half.
        """
        logs = self.predict_log_proba(X)
        return logs[:, 1] - logs[:, 0] if logs.shape[1] == 2 else logs

    def predict_set(self, X: Any, coverage: float = 0.9, shifted: bool = False) -> NDArray[np.bool_]:
        """A set of classes per row, which holds the true class for a given share of the rows.

        This is split conformal prediction. It holds for rows like the validation rows. A set has several classes where the
        ensemble is unsure, and none where no class is probable enough.

        Parameters
        ----------
        X : array, data frame or Arrow table
        coverage : float
            The share of rows whose set holds the true class.
        shifted : bool
            If True, the validation rows are weighted so that the ensemble's answers on them resemble those on X. The
            coverage then holds better on rows from elsewhere, and the sets are larger there. A row's set then depends on
            the other rows of X.

        Returns
        -------
        ndarray of shape (rows, classes)
            True where the class is in the set; columns are in the order of classes_.
        """
        found, said = _core.prediction_sets(self._model_or_fail(), self._rows(X), coverage, shifted, self._threads)
        _warn(said, 3)
        return cast("NDArray[np.bool_]", found.astype(bool))

    def uncertainty(self, X: Any) -> dict[str, Floats]:
        """The entropy of the members' mean probabilities, in nats, as two parts per row.

        Returns
        -------
        dict of str to ndarray of shape (rows,)
            ``data``: the mean of the members' own entropies, which more training rows do not lower. ``knowledge``: the rest,
            which comes from disagreement. It is 0 where all members say the same.
        """
        found = _core.uncertainty(self._model_or_fail(), self._rows(X), self._threads)
        _warn(found.pop("warnings"), 3)
        return cast("dict[str, Floats]", found)

    def predict_proba_members(self, X: Any) -> NDArray[np.float32]:
        """The probabilities that each member gives, (members, rows, classes), float32.

        Calibration acts on the ensemble and does not change them.
        """
        return cast("NDArray[np.float32]", self._answer(_core.member_probabilities, X))

    def _error_diversity(self, X: Any, y: Any) -> dict[str, Any]:
        wanted = _core.class_indices(self._model, self._labelled(X, y))
        members, _ = _core.member_probabilities(self._model, self._rows(X), self._threads)
        errors = [np.ascontiguousarray(a != wanted, np.int32) for a in np.argmax(members, axis=2)]
        return cast("dict[str, Any]", json.loads(_core.error_diversity(errors)))


class EnsembleRegressor(RegressorMixin, Ensemble):  # type: ignore[misc]
    """Base class of the regressors; do not use it directly."""

    _task = "regress"

    def _as_labels(self, y: Any) -> NDArray[Any]:
        return _table.as_targets(y)

    def _take_labels(self, labels: Optional[NDArray[Any]]) -> None:
        return None

    def _labelled(self, X: Any, y: Any) -> _core.Table:
        table = self._rows(X)
        _table.add_labels(table, self._model.target, _table.as_targets(y))
        return table

    def predict(self, X: Any, abstain: Optional[Union[float, str]] = None) -> Floats:
        """The ensemble's prediction for each row.

        Parameters
        ----------
        X : array, data frame or Arrow table
        abstain : float, optional
            With abstain=0.05, a row on which the members disagree more than on 95 % of the validation rows gets nan in
            place of an answer (see abstains).

        Returns
        -------
        ndarray of shape (rows,)
        """
        found = self._predictions(X, abstain)
        if abstain is not None:
            return np.where(found["abstained"].astype(bool), np.nan, found["numbers"])
        return cast(Floats, found["numbers"])

    def predict_interval(self, X: Any, coverage: float = 0.9) -> Floats:
        """An interval around each prediction, which holds the target of a given share of the rows.

        This is split conformal prediction. The width is the same for all rows. It comes from the errors on the validation
        rows, made by members that had not trained on them. After ``fit(X, y)`` these are the fifth of the rows that was
        held out, also if the members were trained again on all rows afterwards. Only a fit with ``early_stopping=False``
        takes the errors on the training rows, and its intervals are too narrow. The share holds for rows like the
        validation rows. Other rows may need more, so look at disagreement.

        Parameters
        ----------
        X : array, data frame or Arrow table
        coverage : float
            The share of rows whose interval holds the target.

        Returns
        -------
        ndarray of shape (rows, 2)
            The low and the high end.
        """
        found = self._predictions(X, interval=coverage)
        return np.column_stack([found["low"], found["high"]])

    def predict_members(self, X: Any) -> Floats:
        """The predictions of each member, (members, rows)."""
        return cast(Floats, self._predictions(X, members=True)["member_numbers"])

    def _error_diversity(self, X: Any, y: Any) -> dict[str, Any]:
        found = self.evaluate(X, y)
        return {name: found[name] for name in ("rho_av", "disagreement", "ambiguity")}
