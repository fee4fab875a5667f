#!/usr/bin/env python3
"""Measures what a quick try saves and costs (docs/how-to/quick.md): processor time of a fit, and metrics on held-out rows.

    python benchmarks/quick_try.py              every setting on scikit-learn's breast cancer table, seeds 0 to 2
    python benchmarks/quick_try.py SETTING...   these settings alone, by their names
"""

import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

from perpend import LITClassifier

SETTINGS = {
    "defaults": {},
    "refit=False": {"refit": False},
    "lambda_=0.1": {"lambda_": 0.1},
    "lambda_=0.1, n_estimators=6": {"lambda_": 0.1, "n_estimators": 6},
    "lambda_=0.1, n_estimators=6, epochs=20": {"lambda_": 0.1, "n_estimators": 6, "epochs": 20},
}


def main():
    warnings.simplefilter("ignore")
    X, y = load_breast_cancer(return_X_y=True)
    print("| setting | processor seconds | AUC | log-loss |\n|---|---|---|---|")
    for name in sys.argv[1:] or SETTINGS:
        seconds, areas, losses = [], [], []
        for seed in range(3):
            X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=seed, stratify=y)
            start = time.process_time()
            model = LITClassifier(random_state=seed, n_jobs=1, **SETTINGS[name]).fit(X_train, y_train)
            seconds.append(time.process_time() - start)
            p = model.predict_proba(X_test)
            areas.append(roc_auc_score(y_test, p[:, 1]))
            losses.append(log_loss(y_test, p))
        spread = [f"{np.mean(v):.3f} ± {np.std(v, ddof=1) / 3**0.5:.3f}" for v in (areas, losses)]
        print(f"| `{name}` | {np.mean(seconds):.1f} | {' | '.join(spread)} |", flush=True)


main()
