"""The methods. Each is a function (train, validation, seed, **options) that fits and returns X -> probability of class 1.

All train on the training rows. The validation rows serve only to stop early and to choose among configurations.
Packages that only some methods need are imported by these.
"""

from functools import partial
from itertools import product

import numpy as np
import pandas as pd
from lightgbm import LGBMClassifier, early_stopping
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

try:
    import perpend
except ImportError:
    perpend = None

FILL = SimpleImputer(strategy="median", add_indicator=True)
PATIENCE = 50  # rounds without a better validation log-loss


def words(X):
    return list(X.select_dtypes("category").columns)


def numbers(X):
    return list(X.select_dtypes("number").columns)


def as_text(X, missing=np.nan):
    """Words as plain strings instead of categories."""
    return X.assign(**{c: X[c].astype(object).where(X[c].notna(), missing) for c in words(X)})


def fit_coded(model, for_numbers, train):
    """Fits the model to words that are coded as 0 and 1 per level."""
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    coded = make_column_transformer((for_numbers, numbers(train.X)), (one_hot, words(train.X)))
    fitted = make_pipeline(coded, model).fit(as_text(train.X), train.y)
    return lambda X: fitted.predict_proba(as_text(X))[:, 1]


def logistic(train, validation, seed, **options):
    return fit_coded(LogisticRegression(max_iter=5000, **options), make_pipeline(clone(FILL), StandardScaler()), train)


def forest(kind, train, validation, seed, **options):
    return fit_coded(kind(n_jobs=1, random_state=seed, **options), "passthrough", train)


def lightgbm(train, validation, seed, stop=False, **options):
    more = {}
    if stop:
        options["n_estimators"] = 2000
        more = {"eval_set": [tuple(validation)], "callbacks": [early_stopping(PATIENCE, verbose=False)]}
    model = LGBMClassifier(n_jobs=1, random_state=seed, verbose=-1, **options).fit(train.X, train.y, **more)
    return lambda X: model.predict_proba(X)[:, 1]


def xgboost(train, validation, seed, stop=False, **options):
    from xgboost import XGBClassifier

    if stop:
        options |= {"n_estimators": 2000, "early_stopping_rounds": PATIENCE}
    model = XGBClassifier(n_jobs=1, random_state=seed, enable_categorical=True, **options)
    model.fit(train.X, train.y, verbose=False, eval_set=[tuple(validation)] if stop else None)
    return lambda X: model.predict_proba(X)[:, 1]


def catboost(train, validation, seed, stop=False, **options):
    from catboost import CatBoostClassifier

    text = partial(as_text, missing="missing")
    more = {"eval_set": (text(validation.X), validation.y), "early_stopping_rounds": PATIENCE} if stop else {}
    model = CatBoostClassifier(thread_count=1, random_seed=seed, verbose=0, allow_writing_files=False, **options)
    model.fit(text(train.X), train.y, cat_features=words(train.X), **more)
    return lambda X: model.predict_proba(text(X))[:, 1]


def tabkit(name, **options):
    """A default classifier of pytabkit, with the settings that its documentation advises for log-loss and AUC."""

    def fit(train, validation, seed):
        import pytabkit

        fill = make_column_transformer((clone(FILL), numbers(train.X))).set_output(transform="pandas").fit(train.X)

        def coded(X):
            return pd.concat([fill.transform(X), as_text(X, "missing")[words(X)]], axis=1)

        own = {"device": "cpu", "n_threads": 1, "random_state": seed, "val_metric_name": "cross_entropy"}
        model = getattr(pytabkit, name)(**own, **options)
        model.fit(coded(train.X), train.y, coded(validation.X), validation.y, cat_col_names=words(train.X))
        return lambda X: model.predict_proba(coded(X))[:, 1]

    return fit


def ours(name, **options):
    def fit(train, validation, seed):
        gaps = train.X.isna().any(axis=None) or validation.X.isna().any(axis=None)
        # Plain features refuse missing cells unless told otherwise, and the test rows may be the
        # first to have some.
        missing = "indicator" if gaps else "mean" if options.get("views") == "plain" else "auto"
        own = options | {"missing": missing}
        model = getattr(perpend, name)(n_jobs=1, random_state=seed, **own)
        model.fit(as_text(train.X), train.y, eval_set=(as_text(validation.X), validation.y))

        def predict(X):
            return model.predict_proba(as_text(X))[:, 1]

        predict.model = model  # for views.py
        return predict

    return fit


def tuned(fit, **grid):
    """The configuration with the least validation log-loss among all combinations of the grid's lists."""
    lists = [values if isinstance(values, list) else [values] for values in grid.values()]
    configurations = [dict(zip(grid, chosen)) for chosen in product(*lists)]

    def choose(train, validation, seed):
        fits = [fit(train, validation, seed, **options) for options in configurations]
        losses = [log_loss(validation.y, np.clip(predict(validation.X), 1e-15, 1 - 1e-15)) for predict in fits]
        return fits[int(np.argmin(losses))]

    return choose


FOREST = {"min_samples_leaf": [1, 3, 10], "max_features": ["sqrt", 0.5], "n_estimators": 200}
SLOW = {"learning_rate": 0.05, "stop": True}
METHODS = {
    "perpend LIT": ours("LITClassifier"),
    "perpend restarts": ours("RestartClassifier"),
    "logistic": logistic,
    "extra trees": partial(forest, ExtraTreesClassifier),
    "random forest": partial(forest, RandomForestClassifier),
    "LightGBM": lightgbm,
    "XGBoost": xgboost,
    "CatBoost": catboost,
    "LightGBM stopped": partial(lightgbm, stop=True),
    "XGBoost stopped": partial(xgboost, stop=True),
    "CatBoost stopped": partial(catboost, stop=True),
    "logistic tuned": tuned(logistic, C=[0.001, 0.01, 0.1, 1.0, 10.0, 100.0]),
    "extra trees tuned": tuned(partial(forest, ExtraTreesClassifier), **FOREST),
    "random forest tuned": tuned(partial(forest, RandomForestClassifier), **FOREST),
    "LightGBM tuned": tuned(lightgbm, num_leaves=[8, 31], min_child_samples=[5, 20, 80], **SLOW),
    "XGBoost tuned": tuned(xgboost, max_depth=[3, 6, 9], min_child_weight=[1, 10], **SLOW),
    "CatBoost tuned": tuned(catboost, depth=[4, 8], l2_leaf_reg=[1, 3, 10], stop=True),
    "RealMLP": tabkit("RealMLP_TD_Classifier", use_ls=False),
    "TabM": tabkit("TabM_D_Classifier"),
}

# These lead from the network of the paper to LITClassifier(), one change at a time;
# docs/benchmarks.md describes each.
SIZES = {"hidden_layer_sizes": 256, "dropout": 0.5, "learning_rate": 0.001, "batch_size": 256}
STEPS = {
    "paper's network": ours("RestartClassifier", views="plain", early_stopping=False, **SIZES),
    "+ early stop": ours("RestartClassifier", views="plain", **SIZES),
    "+ default sizes": ours("RestartClassifier", views="plain"),
    "+ piecewise columns": ours("RestartClassifier", views="piecewise"),
    "+ two views": ours("RestartClassifier", views="linear,piecewise"),
    "+ logistic member": ours("RestartClassifier", views="linear,piecewise,logistic"),
    "+ trees": ours("RestartClassifier"),
    "+ LIT": ours("LITClassifier", lambda_=0.3),
    "+ lambda auto": ours("LITClassifier"),
}
OURS = ["perpend LIT", "perpend restarts", *STEPS]
MOST_ROWS = {"RealMLP": 15000, "TabM": 15000}  # training rows; larger tables are left out
