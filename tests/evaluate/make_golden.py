"""Makes tests/golden/metrics.json: random cases with ties, and their metrics by scikit-learn and numpy.

    python3 -m venv build/venv && build/venv/bin/pip install scikit-learn
    build/venv/bin/python tests/evaluate/make_golden.py > tests/golden/metrics.json
"""

import itertools
import json
import sys

import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.metrics import (
    accuracy_score,
    brier_score_loss,
    confusion_matrix,
    log_loss,
    roc_auc_score,
)
from sklearn.metrics.pairwise import cosine_similarity

BINS = 15
DENOMINATOR = 1024  # probabilities are multiples of 1/1024, so that means are exact and ties are ties


def expected_calibration_error(probability, event):
    frequency, mean = calibration_curve(event, probability, n_bins=BINS, strategy="uniform")
    edges = np.linspace(0, 1, BINS + 1)
    counts = np.bincount(np.searchsorted(edges[1:-1], probability), minlength=BINS)
    return float(np.abs(frequency - mean) @ counts[counts > 0] / len(event))


def pairwise(function, members):
    return [function(a, b) for a, b in itertools.combinations(members, 2)]


def yule_q(a, b):
    (n11, n10), (n01, n00) = confusion_matrix(a, b, labels=[0, 1])
    top = int(n11) * int(n00) - int(n10) * int(n01)
    return top / (int(n11) * int(n00) + int(n10) * int(n01)) if top else 0.0


def mean_or_none(values):
    defined = [float(v) for v in values if v is not None and np.isfinite(v)]
    return float(np.mean(defined)) if defined else None


def correlation(a, b):
    return float(np.corrcoef(a, b)[0, 1]) if 0 < a.sum() < len(a) and 0 < b.sum() < len(b) else None


def risk_coverage_area(uncertainty, errors):
    """Rows of equal uncertainty come in random order, so on average each has the mean error of its group."""
    smooth = errors.astype(float)
    for value in np.unique(uncertainty):
        tied = uncertainty == value
        smooth[tied] = errors[tied].mean()
    ordered = smooth[np.argsort(uncertainty, kind="stable")]
    return float(np.mean(np.cumsum(ordered) / np.arange(1, len(ordered) + 1)))


def binary_case(rng, index):
    rows, members = int(rng.integers(8, 25)), int(rng.integers(2, 5))
    labels = np.r_[0, 1, rng.integers(0, 2, rows - 2)]
    step = [64, 1][index % 2]  # every other case is full of ties
    signal = np.clip(0.5 + 0.2 * (2 * labels - 1) + 0.3 * rng.normal(size=(members, rows)), 0.07, 0.93)
    numerators = (np.round(signal * DENOMINATOR / step) * step).astype(int)
    if index % 8 == 7:
        numerators[0] = np.where(labels == 1, 960, 64)  # a member without errors
    probabilities = numerators / DENOMINATOR
    gradients = np.round(rng.normal(size=(members, rows, 2)) * 9) + 30 * np.eye(2)[rng.integers(0, 2, (members, rows))]
    ensemble = probabilities.mean(axis=0)
    errors = ((probabilities > 0.5) != (labels == 1)).astype(int)
    accuracy = 1 - errors.mean()
    disagreement = mean_or_none(pairwise(lambda a, b: (a != b).mean(), errors))
    spread = 2 * accuracy * (1 - accuracy)
    cos2 = [np.diag(cosine_similarity(g, h)) ** 2 for g, h in itertools.combinations(gradients, 2)]
    return {
        "labels": labels.tolist(),
        "numerators": numerators.tolist(),
        "gradients": gradients.astype(int).tolist(),
        "expected": {
            "auc": float(roc_auc_score(labels, ensemble)),
            "accuracy": float(accuracy_score(labels, ensemble > 0.5)),
            "log_loss": float(log_loss(labels, ensemble)),
            "brier": float(brier_score_loss(labels, ensemble)),
            "ece": expected_calibration_error(ensemble, labels),
            "member_auc": [float(roc_auc_score(labels, p)) for p in probabilities],
            "rho_av": mean_or_none(pairwise(correlation, errors)),
            "q_av": mean_or_none(pairwise(yule_q, errors)),
            "kappa": 1 - disagreement / spread if spread else None,
            "disagreement": disagreement,
            "double_fault": mean_or_none(pairwise(lambda a, b: (a & b).mean(), errors)),
            "grad_cos2": float(np.mean(cos2)),
            "mean_row_disagreement": float(probabilities.std(axis=0).mean()),
            "risk_coverage_area": risk_coverage_area(1 - probabilities[-1], errors[-1]),
        },
    }


def class_case(rng):
    rows, classes = int(rng.integers(10, 25)), int(rng.integers(3, 5))
    labels = np.r_[np.arange(classes), rng.integers(0, classes, rows - classes)]
    logits = rng.normal(size=(rows, classes)) + 1.5 * np.eye(classes)[labels]
    numerators = np.maximum(1, np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True) * DENOMINATOR).astype(int)
    numerators[:, 0] += DENOMINATOR - numerators.sum(axis=1)
    p = numerators / DENOMINATOR
    right = (p.argmax(axis=1) == labels).astype(int)
    return {
        "labels": labels.tolist(),
        "numerators": numerators.tolist(),
        "expected": {
            "auc": float(roc_auc_score(labels, p, multi_class="ovr", average="macro")),
            "accuracy": float(accuracy_score(labels, p.argmax(axis=1))),
            "log_loss": float(log_loss(labels, p)),
            "brier": float(brier_score_loss(labels, p, labels=list(range(classes)), scale_by_half=True)),
            "ece": expected_calibration_error(p.max(axis=1), right),
        },
    }


def main():
    rng = np.random.default_rng(20200203)
    golden = {"binary": [binary_case(rng, i) for i in range(40)], "classes": [class_case(rng) for _ in range(20)]}
    golden["denominator"] = DENOMINATOR
    json.dump(golden, sys.stdout, separators=(",", ":"))
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
