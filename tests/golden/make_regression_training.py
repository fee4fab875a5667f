"""Makes regression_training.json: whole trainings of regressions, in PyTorch double.

It is used like make_training.py, and shares its random numbers, steps and output. What it adds follows the definitions
in perpend/base/quantity.h and perpend/objective/ncl.h. A member's prediction of the target is its score z1 - z0.
"""

import torch

from make_training import FEATURES, MEMBERS, GateTooClose, case, first_weights, main, penalty, take_steps, terms
from make_training import data as data_with_labels

# The slope of an absolute or quantile loss jumps where the error is zero, as a ReLU's does. error_margin is the distance
# from zero that every error keeps in double.
CASES = {
    "regression_relu_1": case("relu", [24], 0.5, 0.01, "sum", 1e-4, seed=9, gate_margin=1e-6) | {"loss": "squared"},
    "regression_softplus_2": case("softplus", [24, 16], 0.2, 1.0, "mean", 1e-4) | {"loss": "squared"},
    "regression_absolute": case("softplus", [24], 0.0, 0.3, "mean", 0.0, seed=10)
    | {"loss": "absolute", "error_margin": 1e-5},
    "regression_quantile": case("tanh", [12, 8], 0.0, 0.3, "mean", 0.0, seed=8)
    | {"loss": "quantile=0.8", "error_margin": 1e-5},
    "regression_ncl": case("softplus", [24], 0.2, 0.5, "sum", 1e-4, method="ncl") | {"loss": "squared"},
}


def data(seed):
    """The targets are not standardised: their mean is near 0 and their standard deviation near 1 as they are."""
    x, _ = data_with_labels(seed)
    a, b, c = (x[:, i].astype("float64") for i in range(3))
    return x, (a * b + 0.5 * c).astype("float32")


def loss_of(error, word):
    if word == "squared":
        return error**2 / 2
    if word == "absolute":
        return error.abs()
    q = float(word.removeprefix("quantile="))
    return torch.maximum(-q * error, (1 - q) * error)


def scores_of(all_logits):
    return [z[:, 1] - z[:, 0] for z in all_logits]


def lit(x, t, all_logits, options):
    scores = scores_of(all_logits)
    gradients = [torch.autograd.grad(s.sum(), x, create_graph=True)[0] for s in scores]
    errors = [s - t for s in scores]
    if x.dtype == torch.float64 and any((e.abs() < options.get("error_margin", 0.0)).any() for e in errors):
        raise GateTooClose
    fits = [loss_of(e, options["loss"]).mean() for e in errors]
    return fits, penalty(gradients, options["penalty_reduction"])


def ncl(_, t, all_logits, __):
    """Negative correlation learning, summed over rows: squared errors less squared distances from the mean."""
    scores = scores_of(all_logits)
    mean = sum(scores) / len(scores)
    return [((s - t) ** 2).sum() / 2 for s in scores], -sum(((s - mean) ** 2).sum() / 2 for s in scores)


METHODS = {"lit": lit, "ncl": ncl}


def train(options, dtype):
    x, t = (torch.tensor(part, dtype=dtype) for part in data(options["seed"]))
    first = [first_weights(options["seed"], m, FEATURES, options["hidden"]) for m in range(MEMBERS)]

    def terms_of_rows(members, rows, masks):
        return terms(members, x[rows], t[rows], options, masks, methods=METHODS)

    return take_steps(options, dtype, first, terms_of_rows)


def summary(seed):
    x, t = data(seed)
    return {"first_row": x[0], "last_row": x[-1], "first_target": float(t[0]), "last_target": float(t[-1])}


if __name__ == "__main__":
    main("regression_training.json", "make_regression_training.py", CASES, train, summary, features=FEATURES, members=MEMBERS)
