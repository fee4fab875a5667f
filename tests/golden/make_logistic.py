"""Makes logistic.json: scikit-learn's LogisticRegression behind a StandardScaler, on small tables.

    python3 -m venv build/venv-golden && build/venv-golden/bin/pip install scikit-learn
    build/venv-golden/bin/python tests/golden/make_logistic.py > tests/golden/logistic.json

Each case has inputs (multiples of 1/64, so exact in float32), labels, row weights or null, and the results of scikit-learn
with its defaults (C = 1) and a small tolerance: coefficients and intercepts for the inputs as they are, and
probabilities. Rows are weighted in the scaler, too.
"""

import json
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

ROWS = 40


def numbers(rng, columns):
    return np.round(rng.normal(size=(ROWS, columns)) * 64) / 64


def levels(rng, count):
    """A full set of one-hot columns, which add up to one, and a constant."""
    one_hot = np.eye(count)[rng.integers(count, size=ROWS)]
    return np.hstack([one_hot, np.full((ROWS, 1), 3.0)])


def cases():
    rng = np.random.default_rng(11)
    x = numbers(rng, 3)
    noisy = (x[:, 0] - x[:, 1] + rng.normal(size=ROWS) > 0).astype(int)
    yield "two classes", x, noisy, None
    yield "row weights", x, noisy, rng.integers(0, 4, size=ROWS).astype(float)
    yield "three classes", x, np.digitize(x[:, 0] + rng.normal(size=ROWS) * 0.5, [-0.5, 0.5]), None
    yield "levels that add up to one, and a constant", np.hstack([x, levels(rng, 3)]), noisy, None
    yield "classes that a line separates", x, (x[:, 0] > 0).astype(int), None
    yield "far from zero", x / 2 + np.array([1000, -2000, 0]), noisy, None


def fitted(name, x, y, weights):
    scaler = StandardScaler().fit(x, sample_weight=weights)
    z = scaler.transform(x)
    model = LogisticRegression(tol=1e-12, max_iter=10000, solver="newton-cg").fit(z, y, sample_weight=weights)
    coefficients = model.coef_ / scaler.scale_
    return {
        "name": name,
        "classes": len(model.classes_),
        "inputs": x.tolist(),
        "labels": y.tolist(),
        "row_weights": None if weights is None else weights.tolist(),
        "coefficients": coefficients.tolist(),
        "intercepts": (model.intercept_ - coefficients @ scaler.mean_).tolist(),
        "probabilities": model.predict_proba(z).tolist(),
    }


if __name__ == "__main__":
    json.dump([fitted(*case) for case in cases()], sys.stdout)
    print()
