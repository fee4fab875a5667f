"""Made by tools/make_python_api --stub; a test compares."""

import os
from typing import Any, Literal, Sequence

from numpy.random import Generator, RandomState

from ._base import EnsembleClassifier, EnsembleRegressor

class LITClassifier(EnsembleClassifier):
    n_estimators: int
    lambda_: float | Literal["auto"] | None
    penalty_reduction: Literal["mean", "sum"]
    manifold: str
    penalty: Literal["cosine", "finite", "dpp"]
    epsilon: float
    ascent_norm: Literal["l2", "linf"]
    ascent_steps: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    calibrate: Literal["none", "temperature", "isotonic"]
    threshold: float | str | None
    pos_label: Any
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    class_weight: dict[Any, float] | Literal["balanced"] | None
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        lambda_: float | Literal["auto"] | None = None,
        penalty_reduction: Literal["mean", "sum"] = 'mean',
        manifold: str = 'none',
        penalty: Literal["cosine", "finite", "dpp"] = 'cosine',
        epsilon: float = 0.1,
        ascent_norm: Literal["l2", "linf"] = 'l2',
        ascent_steps: int = 10,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        calibrate: Literal["none", "temperature", "isotonic"] = 'none',
        threshold: float | str | None = None,
        pos_label: Any = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class RestartClassifier(EnsembleClassifier):
    n_estimators: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    calibrate: Literal["none", "temperature", "isotonic"]
    threshold: float | str | None
    pos_label: Any
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    class_weight: dict[Any, float] | Literal["balanced"] | None
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        calibrate: Literal["none", "temperature", "isotonic"] = 'none',
        threshold: float | str | None = None,
        pos_label: Any = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class BaggingNetClassifier(EnsembleClassifier):
    n_estimators: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    calibrate: Literal["none", "temperature", "isotonic"]
    threshold: float | str | None
    pos_label: Any
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    class_weight: dict[Any, float] | Literal["balanced"] | None
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        calibrate: Literal["none", "temperature", "isotonic"] = 'none',
        threshold: float | str | None = None,
        pos_label: Any = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class AdaBoostNetClassifier(EnsembleClassifier):
    n_estimators: int
    boosting: Literal["samme-r", "samme"]
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    calibrate: Literal["none", "temperature", "isotonic"]
    threshold: float | str | None
    pos_label: Any
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    class_weight: dict[Any, float] | Literal["balanced"] | None
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        boosting: Literal["samme-r", "samme"] = 'samme-r',
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        calibrate: Literal["none", "temperature", "isotonic"] = 'none',
        threshold: float | str | None = None,
        pos_label: Any = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class NCLClassifier(EnsembleClassifier):
    n_estimators: int
    lambda_: float | Literal["auto"] | None
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    calibrate: Literal["none", "temperature", "isotonic"]
    threshold: float | str | None
    pos_label: Any
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    class_weight: dict[Any, float] | Literal["balanced"] | None
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        lambda_: float | Literal["auto"] | None = None,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        calibrate: Literal["none", "temperature", "isotonic"] = 'none',
        threshold: float | str | None = None,
        pos_label: Any = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class ACEClassifier(EnsembleClassifier):
    n_estimators: int
    lambda_: float | Literal["auto"] | None
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    calibrate: Literal["none", "temperature", "isotonic"]
    threshold: float | str | None
    pos_label: Any
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    class_weight: dict[Any, float] | Literal["balanced"] | None
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        lambda_: float | Literal["auto"] | None = None,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        calibrate: Literal["none", "temperature", "isotonic"] = 'none',
        threshold: float | str | None = None,
        pos_label: Any = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class DivDisClassifier(EnsembleClassifier):
    n_estimators: int
    lambda_: float | Literal["auto"] | None
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    calibrate: Literal["none", "temperature", "isotonic"]
    threshold: float | str | None
    pos_label: Any
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    class_weight: dict[Any, float] | Literal["balanced"] | None
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        lambda_: float | Literal["auto"] | None = None,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        calibrate: Literal["none", "temperature", "isotonic"] = 'none',
        threshold: float | str | None = None,
        pos_label: Any = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class DBATClassifier(EnsembleClassifier):
    n_estimators: int
    lambda_: float | Literal["auto"] | None
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    calibrate: Literal["none", "temperature", "isotonic"]
    threshold: float | str | None
    pos_label: Any
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    class_weight: dict[Any, float] | Literal["balanced"] | None
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        lambda_: float | Literal["auto"] | None = None,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        calibrate: Literal["none", "temperature", "isotonic"] = 'none',
        threshold: float | str | None = None,
        pos_label: Any = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class SubspaceClassifier(EnsembleClassifier):
    n_estimators: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    calibrate: Literal["none", "temperature", "isotonic"]
    threshold: float | str | None
    pos_label: Any
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    class_weight: dict[Any, float] | Literal["balanced"] | None
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        calibrate: Literal["none", "temperature", "isotonic"] = 'none',
        threshold: float | str | None = None,
        pos_label: Any = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class SnapshotClassifier(EnsembleClassifier):
    n_estimators: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    calibrate: Literal["none", "temperature", "isotonic"]
    threshold: float | str | None
    pos_label: Any
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    class_weight: dict[Any, float] | Literal["balanced"] | None
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        calibrate: Literal["none", "temperature", "isotonic"] = 'none',
        threshold: float | str | None = None,
        pos_label: Any = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class ExpertsClassifier(EnsembleClassifier):
    n_estimators: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    calibrate: Literal["none", "temperature", "isotonic"]
    threshold: float | str | None
    pos_label: Any
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    class_weight: dict[Any, float] | Literal["balanced"] | None
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        calibrate: Literal["none", "temperature", "isotonic"] = 'none',
        threshold: float | str | None = None,
        pos_label: Any = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class ADPClassifier(EnsembleClassifier):
    n_estimators: int
    lambda_: float | Literal["auto"] | None
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    calibrate: Literal["none", "temperature", "isotonic"]
    threshold: float | str | None
    pos_label: Any
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    class_weight: dict[Any, float] | Literal["balanced"] | None
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        lambda_: float | Literal["auto"] | None = None,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        calibrate: Literal["none", "temperature", "isotonic"] = 'none',
        threshold: float | str | None = None,
        pos_label: Any = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class FoRDEClassifier(EnsembleClassifier):
    n_estimators: int
    lambda_: float | Literal["auto"] | None
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    calibrate: Literal["none", "temperature", "isotonic"]
    threshold: float | str | None
    pos_label: Any
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    class_weight: dict[Any, float] | Literal["balanced"] | None
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        lambda_: float | Literal["auto"] | None = None,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        calibrate: Literal["none", "temperature", "isotonic"] = 'none',
        threshold: float | str | None = None,
        pos_label: Any = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class DivE2Classifier(EnsembleClassifier):
    n_estimators: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    calibrate: Literal["none", "temperature", "isotonic"]
    threshold: float | str | None
    pos_label: Any
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    class_weight: dict[Any, float] | Literal["balanced"] | None
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        calibrate: Literal["none", "temperature", "isotonic"] = 'none',
        threshold: float | str | None = None,
        pos_label: Any = None,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class LITRegressor(EnsembleRegressor):
    n_estimators: int
    lambda_: float | Literal["auto"] | None
    penalty_reduction: Literal["mean", "sum"]
    manifold: str
    penalty: Literal["cosine", "finite", "dpp"]
    epsilon: float
    ascent_norm: Literal["l2", "linf"]
    ascent_steps: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    loss: str
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        lambda_: float | Literal["auto"] | None = None,
        penalty_reduction: Literal["mean", "sum"] = 'mean',
        manifold: str = 'none',
        penalty: Literal["cosine", "finite", "dpp"] = 'cosine',
        epsilon: float = 0.1,
        ascent_norm: Literal["l2", "linf"] = 'l2',
        ascent_steps: int = 10,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        loss: str = 'squared',
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class RestartRegressor(EnsembleRegressor):
    n_estimators: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    loss: str
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        loss: str = 'squared',
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class BaggingNetRegressor(EnsembleRegressor):
    n_estimators: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    loss: str
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        loss: str = 'squared',
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class AdaBoostNetRegressor(EnsembleRegressor):
    n_estimators: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    loss: str
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        loss: str = 'squared',
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class NCLRegressor(EnsembleRegressor):
    n_estimators: int
    lambda_: float | Literal["auto"] | None
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    loss: str
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        lambda_: float | Literal["auto"] | None = None,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        loss: str = 'squared',
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class SubspaceRegressor(EnsembleRegressor):
    n_estimators: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    loss: str
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        loss: str = 'squared',
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class SnapshotRegressor(EnsembleRegressor):
    n_estimators: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    loss: str
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        loss: str = 'squared',
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class ExpertsRegressor(EnsembleRegressor):
    n_estimators: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    loss: str
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        loss: str = 'squared',
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class FoRDERegressor(EnsembleRegressor):
    n_estimators: int
    lambda_: float | Literal["auto"] | None
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    loss: str
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        lambda_: float | Literal["auto"] | None = None,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        loss: str = 'squared',
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

class DivE2Regressor(EnsembleRegressor):
    n_estimators: int
    views: str | Sequence[str]
    bins: int | Literal["auto"]
    hidden_layer_sizes: int | Sequence[int] | Literal["auto"]
    activation: Literal["relu", "softplus", "tanh", "sigmoid"]
    dropout: float
    early_stopping: bool
    weight_decay: float
    learning_rate: float
    batch_size: int | Literal["auto"]
    epochs: int | None
    shuffle: bool
    n_iter_no_change: int
    refit: bool
    remember: bool
    rate_drops: int
    random_state: int | RandomState | Generator | None
    n_jobs: int | None
    aggregate: Literal["mean", "gate", "stack"]
    loss: str
    drop: Sequence[str]
    keep: Sequence[str]
    categorical_features: Sequence[str]
    increasing: Sequence[str]
    decreasing: Sequence[str]
    missing: Literal["auto", "error", "mean", "indicator"]
    standardize: bool
    split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"]
    split_column: str | None
    split_quantile: float
    domain: str | None
    test_domains: Sequence[str]
    group: str | None
    warm_start: bool
    verbose: bool
    def __init__(
        self,
        *,
        n_estimators: int = 12,
        views: str | Sequence[str] = 'auto',
        bins: int | Literal["auto"] = 'auto',
        hidden_layer_sizes: int | Sequence[int] | Literal["auto"] = 'auto',
        activation: Literal["relu", "softplus", "tanh", "sigmoid"] = 'relu',
        dropout: float = 0.2,
        early_stopping: bool = True,
        weight_decay: float = 0.0001,
        learning_rate: float = 0.002,
        batch_size: int | Literal["auto"] = 'auto',
        epochs: int | None = None,
        shuffle: bool = True,
        n_iter_no_change: int = 8,
        refit: bool = True,
        remember: bool = True,
        rate_drops: int = 2,
        random_state: int | RandomState | Generator | None = 0,
        n_jobs: int | None = None,
        aggregate: Literal["mean", "gate", "stack"] = 'mean',
        loss: str = 'squared',
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical_features: Sequence[str] = (),
        increasing: Sequence[str] = (),
        decreasing: Sequence[str] = (),
        missing: Literal["auto", "error", "mean", "indicator"] = 'auto',
        standardize: bool = True,
        split: Literal["random", "extrapolation", "limited", "by-column", "domain", "labels", "none"] = 'none',
        split_column: str | None = None,
        split_quantile: float = 0.5,
        domain: str | None = None,
        test_domains: Sequence[str] = (),
        group: str | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None: ...

ESTIMATORS: dict[str, Any]
REGRESSORS: dict[str, Any]

def load(path: str | os.PathLike[str]) -> Any: ...
