"""The estimators, one for each method of the command line."""

from __future__ import annotations

import json
import os
from typing import Any, Optional, Sequence, Union

from . import _core
from ._base import EnsembleClassifier


class LITClassifier(EnsembleClassifier):
    """An ensemble of locally independent networks (LIT).

    Members are trained together to predict the labels with input gradients that are orthogonal at the training rows, so
    that each reaches its answers from other features and they extrapolate differently.

    Parameters
    ----------
    members : int
        Networks in the ensemble.
    lambda_ : float or "auto"
        Strength of the penalty; "auto": the most that costs no validation log-loss (needs eval_set or a split).
    penalty_reduction : {"mean", "sum"}
        mean: over rows, ordered pairs (the paper's equation); sum: over rows, unordered pairs.
    manifold : str
        Along which directions input gradients are kept apart: "none" (all), "auto" (the principal directions that carry
        95 % of the variance, if columns are strongly correlated), "pca:K", "local-pca:K", tangents in a FILE.npy or an
        autoencoder in a FILE.json.
    penalty : {"cosine", "finite"}
        cosine: cos^2 of input gradients; finite: the squared change of a score where another member's is largest within
        epsilon, by gradient ascent in each step (two classes, no drop-out, small data).
    epsilon : float
        Of penalty finite: how far to look, in encoded units.
    ascent_norm : {"l2", "linf"}
        Of penalty finite: the shape of the ball.
    ascent_steps : int
        Of penalty finite: steps of gradient ascent.
    hidden : int or sequence of int
        Units of each hidden layer.
    activation : {"relu", "softplus", "tanh", "sigmoid"}
    dropout : float
        Share of hidden units left out in each step.
    weight_decay : float
        wd in wd/2 times the squared norm of the weights.
    learning_rate : float
        Of Adam.
    batch_size : int
    epochs : int, optional
        Passes over the training rows; None: as many as make 640,000 row visits.
    shuffle : bool
        Reshuffle the rows each epoch.
    early_stopping : int
        Stop after so many epochs without a better validation log-loss and keep the best; 0: never.
    standardize : bool
        Numbers to mean 0 and sd 1 of the training rows.
    missing : {"error", "mean", "indicator"}
        What a missing cell becomes: an error, the training mean, or the mean and an indicator.
    categorical, drop, keep : sequence of str
        Columns of numbers that are codes; columns that are no input; constant or id-like columns that are all the same.
    positive : class, optional
        Of two classes, the one that comes second in ``classes_``.
    split : {"none", "random", "extrapolation", "limited", "by-column", "labels"}
        "none": train on every row (the command line's default is "random"). Else the rows given are split as there.
    split_column, split_quantile
        As on the command line, for the last two splits.
    group : str, optional
        A column whose equal values (a patient's rows) stay in one part of the split; it is no input.
    random_state : int, None or generator
        The command line's seed. None and generators draw one.
    threads : int
        0: all; changes speed, never a result.
    warm_start : bool
        Start from the weights of the last fit, with fresh optimizer state (`--init`).
    progress : bool
        A tqdm bar, where tqdm is installed.

    Attributes
    ----------
    classes_ : ndarray
    members_ : list of Member
    member_weights_ : ndarray (members,)
    features_ : list of str
        Names of the encoded inputs.
    log_ : list of dict
        One record an epoch.
    summary_, options_ : dict
        As the model file has them.
    n_features_in_, feature_names_in_

    Examples
    --------
    >>> from perpend import LITClassifier, datasets
    >>> X, y = datasets.generate("shortcut", rows=200)
    >>> model = LITClassifier(members=3, hidden=16, epochs=20).fit(X, y)
    >>> model.predict_proba(X).shape
    (200, 2)
    """

    _method = "lit"

    def __init__(
        self,
        *,
        members: int = 5,
        lambda_: Union[float, str] = 1.0,
        penalty_reduction: str = "mean",
        manifold: str = "none",
        penalty: str = "cosine",
        epsilon: float = 0.1,
        ascent_norm: str = "l2",
        ascent_steps: int = 10,
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
        super().__init__(
            members=members,
            hidden=hidden,
            activation=activation,
            dropout=dropout,
            weight_decay=weight_decay,
            learning_rate=learning_rate,
            batch_size=batch_size,
            epochs=epochs,
            shuffle=shuffle,
            early_stopping=early_stopping,
            standardize=standardize,
            missing=missing,
            categorical=categorical,
            drop=drop,
            keep=keep,
            positive=positive,
            split=split,
            split_column=split_column,
            split_quantile=split_quantile,
            group=group,
            random_state=random_state,
            threads=threads,
            warm_start=warm_start,
            progress=progress,
        )
        self.lambda_ = lambda_
        self.penalty_reduction = penalty_reduction
        self.manifold = manifold
        self.penalty = penalty
        self.epsilon = epsilon
        self.ascent_norm = ascent_norm
        self.ascent_steps = ascent_steps


class RestartClassifier(EnsembleClassifier):
    """Independent networks from different random starts: what LIT is compared with.

    Parameters
    ----------
    **options
        All others, and the attributes of a fitted one: as LITClassifier.
    """

    _method = "restarts"


class BaggingNetClassifier(EnsembleClassifier):
    """Networks on bootstrap samples of the rows; ``summary_["out_of_bag"]`` scores them on the rows they have not seen.

    Parameters
    ----------
    **options
        All others, and the attributes of a fitted one: as LITClassifier.
    """

    _method = "bagging"


class AdaBoostNetClassifier(EnsembleClassifier):
    """Networks one after the other, each on rows reweighted by the errors before it (AdaBoost).

    Parameters
    ----------
    members : int
        Networks in the ensemble; fewer when a learner makes no error or does no better than chance.
    boosting : {"samme-r", "samme"}
        Weigh rows and decide by probabilities (as published) or by votes.
    **options
        All others, and the attributes of a fitted one: as LITClassifier.
    """

    _method = "adaboost"

    def __init__(
        self,
        *,
        members: int = 5,
        boosting: str = "samme-r",
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
        super().__init__(
            members=members,
            hidden=hidden,
            activation=activation,
            dropout=dropout,
            weight_decay=weight_decay,
            learning_rate=learning_rate,
            batch_size=batch_size,
            epochs=epochs,
            shuffle=shuffle,
            early_stopping=early_stopping,
            standardize=standardize,
            missing=missing,
            categorical=categorical,
            drop=drop,
            keep=keep,
            positive=positive,
            split=split,
            split_column=split_column,
            split_quantile=split_quantile,
            group=group,
            random_state=random_state,
            threads=threads,
            warm_start=warm_start,
            progress=progress,
        )
        self.boosting = boosting


class NCLClassifier(EnsembleClassifier):
    """Networks trained together to differ in predictions: negative correlation learning.

    Parameters
    ----------
    lambda_ : float or "auto"
        Strength of the penalty; from 1 on members owe the labels nothing.
    **options
        All others, and the attributes of a fitted one: as LITClassifier.
    """

    _method = "ncl"

    def __init__(
        self,
        *,
        members: int = 5,
        lambda_: Union[float, str] = 0.5,
        hidden: Union[int, Sequence[int]] = (256,),
        activation: str = "relu",
        dropout: float = 0.5,
        weight_decay: float = 0.0,
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
        super().__init__(
            members=members,
            hidden=hidden,
            activation=activation,
            dropout=dropout,
            weight_decay=weight_decay,
            learning_rate=learning_rate,
            batch_size=batch_size,
            epochs=epochs,
            shuffle=shuffle,
            early_stopping=early_stopping,
            standardize=standardize,
            missing=missing,
            categorical=categorical,
            drop=drop,
            keep=keep,
            positive=positive,
            split=split,
            split_column=split_column,
            split_quantile=split_quantile,
            group=group,
            random_state=random_state,
            threads=threads,
            warm_start=warm_start,
            progress=progress,
        )
        self.lambda_ = lambda_


class ACEClassifier(EnsembleClassifier):
    """Networks trained together to differ in predictions: amended cross-entropy.

    Parameters
    ----------
    lambda_ : float or "auto"
        Strength of the penalty; more: members that fit their rows take opposite sides.
    **options
        All others, and the attributes of a fitted one: as LITClassifier.
    """

    _method = "ace"

    def __init__(
        self,
        *,
        members: int = 5,
        lambda_: Union[float, str] = 0.1,
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
        super().__init__(
            members=members,
            hidden=hidden,
            activation=activation,
            dropout=dropout,
            weight_decay=weight_decay,
            learning_rate=learning_rate,
            batch_size=batch_size,
            epochs=epochs,
            shuffle=shuffle,
            early_stopping=early_stopping,
            standardize=standardize,
            missing=missing,
            categorical=categorical,
            drop=drop,
            keep=keep,
            positive=positive,
            split=split,
            split_column=split_column,
            split_quantile=split_quantile,
            group=group,
            random_state=random_state,
            threads=threads,
            warm_start=warm_start,
            progress=progress,
        )
        self.lambda_ = lambda_


ESTIMATORS: dict[str, Any] = {
    estimator._method: estimator
    for estimator in (
        LITClassifier,
        RestartClassifier,
        BaggingNetClassifier,
        AdaBoostNetClassifier,
        NCLClassifier,
        ACEClassifier,
    )
}


def load(path: Union[str, "os.PathLike[str]"]) -> Any:
    """The estimator that a model file belongs to, whichever method it was trained with.

    Returns
    -------
    estimator
    """
    model = _core.Model.load(os.fspath(path))
    return ESTIMATORS[json.loads(model.options)["method"]]._of_model(model, os.fspath(path))
