"""Makes boosting.json: scikit-learn's AdaBoost (SAMME) over learners whose answers are given.

    python3 -m venv build/venv-golden && build/venv-golden/bin/pip install scikit-learn
    build/venv-golden/bin/python tests/golden/make_boosting.py > tests/golden/boosting.json

Each case has labels, first row weights and the probabilities of a few learners on the rows (multiples of 1/1024, so
exact in float32; no ties). scikit-learn computes the weights that each learner is given, its error and say, and
the joint answers of the learners. Newer versions of scikit-learn have no SAMME.R: the test writes that one out.
"""

import json
import sys

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import AdaBoostClassifier

DENOMINATOR = 1024


class Given(ClassifierMixin, BaseEstimator):
    """The next learner of the table at each fit; X has the numbers of the rows."""

    table = None
    seen_weights = []

    def fit(self, X, y, sample_weight):
        self.number = len(Given.seen_weights)
        self.classes_ = np.arange(Given.table.shape[2])
        Given.seen_weights.append(sample_weight.tolist())
        return self

    def predict_proba(self, X):
        return Given.table[self.number, X[:, 0]]

    def predict(self, X):
        return self.predict_proba(X).argmax(axis=1)


def answers(rng, labels, classes, accuracy):
    """Probabilities of one learner that is right on about this share of the rows."""
    parts = np.empty((len(labels), classes), dtype=np.int64)
    for row, label in enumerate(labels):
        while True:
            cuts = np.sort(rng.choice(np.arange(1, DENOMINATOR), classes - 1, replace=False))
            split = np.sort(np.diff(np.concatenate(([0], cuts, [DENOMINATOR]))))[::-1]
            if split[0] > split[1]:
                break
        best = label if rng.random() < accuracy else rng.choice([k for k in range(classes) if k != label])
        others = rng.permutation([k for k in range(classes) if k != best])
        parts[row, best], parts[row, others] = split[0], split[1:]
    return parts


def case(name, seed, rows, classes, accuracies, weights=None):
    rng = np.random.default_rng(seed)
    labels = np.arange(rows) % classes
    Given.table = np.stack([answers(rng, labels, classes, a) for a in accuracies]) / DENOMINATOR
    Given.seen_weights = []
    numbers = np.arange(rows)[:, None]
    model = AdaBoostClassifier(Given(), n_estimators=len(accuracies)).fit(numbers, labels, sample_weight=weights)
    kept = len(model.estimators_)
    return {
        "name": name,
        "labels": labels.tolist(),
        "first_weights": None if weights is None else np.asarray(weights).tolist(),
        "probabilities": Given.table.tolist(),
        "kept": kept,
        "row_weights": Given.seen_weights,
        "errors": model.estimator_errors_[:kept].tolist(),
        "weights": model.estimator_weights_[:kept].tolist(),
        "ensemble": model.predict_proba(numbers).tolist(),
    }


def main():
    given = [0.0, 3.0] + [1.0 + i % 3 for i in range(28)]
    cases = [
        case("two classes", 1, 40, 2, [0.8, 0.7, 0.75, 0.9, 0.65]),
        case("three classes", 2, 45, 3, [0.8, 0.6, 0.5, 0.7]),
        case("given weights, one of them 0", 3, 30, 2, [0.8, 0.8, 0.7], given),
        case("ends with a perfect learner", 4, 40, 3, [0.7, 0.8, 1.0, 0.7]),
        case("ends with a learner no better than chance", 5, 40, 2, [0.8, 0.7, 0.2, 0.7]),
        case("begins with a perfect learner", 6, 20, 2, [1.0, 0.7]),
    ]
    assert [c["kept"] for c in cases] == [5, 4, 3, 3, 2, 1]
    json.dump(cases, sys.stdout)
    print()


if __name__ == "__main__":
    main()
