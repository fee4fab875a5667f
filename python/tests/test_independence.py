"""perpend.metrics.local_independence: any models, against gradients that are known."""

import sys
import types

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression

import perpend
from perpend import datasets, metrics


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)) * [1, 10, 0.1]
    return X, (X[:, 0] + X[:, 1] / 10 > 0).astype(int)


def test_linear_models_have_the_cosine_of_their_weights_per_standard_deviation(rows):
    X, y = rows
    a = LogisticRegression().fit(X, y)
    b = LogisticRegression(C=0.01).fit(X[:, ::1], X[:, 0] > 0)
    v, w = (m.coef_[0] * X.std(axis=0) for m in (a, b))
    wanted = (v @ w) ** 2 / (v @ v) / (w @ w)
    found = metrics.local_independence([a, b], X, y)
    assert found["grad_cos2"] == pytest.approx(wanted, abs=1e-5)
    assert found["matrix"].tolist() == [[1, found["matrix"][0, 1]], [found["matrix"][0, 1], 1]]
    assert found["flat"].tolist() == [0, 0]
    errors = [m.predict(X) != y for m in (a,)] + [b.predict(X) != y]
    assert found["rho_av"] == metrics.error_diversity(errors)["rho_av"]


def test_functions_and_given_gradients_are_taken_as_they_are(rows):
    X, y = rows
    found = metrics.local_independence([lambda x: x[:, 0], lambda x: 100 * x[:, 1]], X, y)
    assert found["grad_cos2"] == 0 and found["disagreement"] > 0.2
    assert metrics.local_independence([lambda x: x[:, 0], lambda x: -3 * x[:, 0]], X)["grad_cos2"] == pytest.approx(1)
    assert metrics.local_independence(None, X, gradients=[[[1, 0]], [[1, 1]]])["grad_cos2"] == pytest.approx(0.5)
    # A cubic needs the difference to be central: its slope at 0 is that of the linear part.
    bent = metrics.local_independence([lambda x: x[:, 0] + x[:, 0] ** 2, lambda x: x[:, 0]], np.array([[-1.0], [1.0]]))
    assert bent["grad_cos2"] == pytest.approx(1)


def test_logits_of_three_classes_are_those_of_the_predicted_class_against_the_rest():
    X = np.array([[3.0, 0.0], [0.0, 3.0], [-3.0, -3.0]])
    logits = lambda x: np.column_stack([x[:, 0], x[:, 1], 0 * x[:, 0]])  # noqa: E731
    found = metrics.local_independence([logits, logits], X, [0, 1, 2])
    assert found["grad_cos2"] == pytest.approx(1) and found["disagreement"] == 0


def test_regressors_and_data_frames_work(rows):
    pd = pytest.importorskip("pandas")
    X, y = rows
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    models = [LinearRegression().fit(frame[["a", "b", "c"]], frame["a"]), LinearRegression().fit(frame, frame["b"])]
    assert metrics.local_independence(models, frame)["grad_cos2"] == pytest.approx(0, abs=1e-6)


def test_trees_are_flat_within_a_short_step_and_slope_over_a_long_one(rows):
    X, y = rows
    models = [GradientBoostingClassifier(n_estimators=3, random_state=s, max_features=1).fit(X, y) for s in range(2)]
    short, long = (metrics.local_independence(models, X, step=s) for s in (1e-6, 1))
    assert short["flat"].min() > 0.9 and short["grad_cos2"] < 0.1
    assert long["flat"].max() < 0.2 and long["grad_cos2"] > short["grad_cos2"]
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    assert 0 <= metrics.local_independence([forest, models[0]], X)["grad_cos2"] <= 1


def test_an_ensemble_of_the_package_is_compared_by_its_exact_gradients():
    X, y = datasets.generate("shortcut", rows=150)
    model = perpend.LITClassifier(n_estimators=2, epochs=3, random_state=0).fit(X, y)
    found = metrics.local_independence(model, X, y)
    wanted = model.diversity(X, y)
    assert found["grad_cos2"] == pytest.approx(wanted["grad_cos2"])
    assert found["rho_av"] == wanted["rho_av"] and found["kappa"] == wanted["kappa"]


def test_a_torch_module_is_asked_for_its_gradients(rows, monkeypatch):
    """Torch may not be installed: a module here is a line with known slopes, and autograd returns them."""
    X, y = rows

    class Tensor:
        def __init__(self, values):
            self.values = np.asarray(values)
            self.ndim, self.shape = self.values.ndim, self.values.shape

        def sum(self):
            return self

        def detach(self):
            return self

        def cpu(self):
            return self

        def numpy(self):
            return self.values

    class Module:
        def __init__(self, weights):
            self.weights = np.asarray(weights)

        def parameters(self):
            return []

        def __call__(self, x):
            out = Tensor(x.values @ self.weights)
            out.slope = np.tile(self.weights, (len(x.values), 1))
            return out

    torch = types.SimpleNamespace(
        nn=types.SimpleNamespace(Module=Module),
        float32=np.float32,
        tensor=lambda values, dtype, requires_grad: Tensor(values),
        autograd=types.SimpleNamespace(grad=lambda out, x: (Tensor(out.slope),)),
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    found = metrics.local_independence([Module([1, 0, 0]), lambda x: x[:, 0] + x[:, 1] / X[:, 1].std() * X[:, 0].std()], X, y)
    assert found["grad_cos2"] == pytest.approx(0.5, abs=1e-5) and found["disagreement"] > 0


def test_an_answer_that_is_no_class_is_refused(rows):
    X, y = rows

    class Probability:
        def predict(self, X):
            return 1 / (1 + np.exp(-np.asarray(X)[:, 0]))

    with pytest.raises(perpend.DataError, match="the answer 'model 1' is 0.[0-9]+, which looks like a probability"):
        metrics.local_independence([Probability(), Probability()], X, y)
    with pytest.raises(ValueError, match="errors must be true or false per row"):
        metrics.error_diversity([[0.2, 0.9], [0, 1]])


def test_what_has_no_slopes_is_refused_in_one_line(rows):
    X, _ = rows
    for act in (
        lambda: metrics.local_independence([lambda x: x[:, 0]], X),
        lambda: metrics.local_independence([np.sum, lambda x: x[:, 0]], X),
        lambda: metrics.local_independence([lambda x: x[:, 0]] * 2, [["a"], ["b"]]),
        lambda: metrics.local_independence([lambda x: x[:, 0]] * 2, [[np.nan], [1]]),
        lambda: metrics.local_independence([lambda x: x[:, 0]] * 2, X, step=0),
    ):
        with pytest.raises(ValueError) as told:
            act()
        assert "\n" not in str(told.value)
    with pytest.raises(TypeError):
        metrics.local_independence([1, 2], X)
