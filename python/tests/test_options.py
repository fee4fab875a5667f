"""Parameters are the command line's options: names, defaults, signatures, docstrings and stubs come from one table."""

import inspect
import json
import os
import pickle
import pydoc
import re
from pathlib import Path

import pytest
from conftest import QUICK
from sklearn.base import clone

import perpend
from perpend import _core, _parameters
from perpend._estimators import ESTIMATORS, REGRESSORS

SCIKIT_LEARN = {
    "members": "n_estimators",
    "hidden": "hidden_layer_sizes",
    "threads": "n_jobs",
    "seed": "random_state",
    "positive": "pos_label",
    "categorical": "categorical_features",
    "early_stopping": "n_iter_no_change",
    "lambda": "lambda_",
}
NOT_PARAMETERS = {"method", "task", "loss", "target", "sample_weight"}  # the class, of regressors, and arguments of fit
ONLY_OF = {"lambda": {"lit", "ncl", "ace", "divdis", "dbat", "adp", "forde"}, "boosting": {"adaboost"}}
ONLY_OF |= dict.fromkeys(["penalty_reduction", "manifold", "penalty", "epsilon", "ascent_norm", "ascent_steps"], {"lit"})
DEFAULTS = {"class_weight": None, "split": "none", "threads": None, "lambda": None}  # where Python's differ
BY_METHOD = {("ncl", "weight_decay"): 0.0}
UNWRITTEN = {"calibrate": "none", "threshold": None, "aggregate": "mean"}  # defaults that files leave out
OURS = {"early_stopping": True, "warm_start": False, "verbose": False}


def as_json(value):
    return "" if value is None else list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("method", ESTIMATORS)
def test_names_and_defaults(method):
    options = json.loads(_core.default_options())
    options["threads"] = None
    wanted = {**OURS, **UNWRITTEN}
    for option, default in options.items():
        if option not in NOT_PARAMETERS and method in ONLY_OF.get(option, {method}):
            default = BY_METHOD.get((method, option), DEFAULTS.get(option, default))
            wanted[SCIKIT_LEARN.get(option, option)] = default
    found = ESTIMATORS[method]().get_params()
    assert {name: as_json(value) for name, value in found.items()} == {name: as_json(v) for name, v in wanted.items()}


@pytest.mark.parametrize("method", ESTIMATORS)
def test_signature_and_docstring_have_every_parameter(method):
    cls = ESTIMATORS[method]
    estimator = cls()
    signature = inspect.signature(cls)
    assert {name: p.default for name, p in signature.parameters.items()} == estimator.get_params()
    assert all(p.kind is p.KEYWORD_ONLY for p in signature.parameters.values())
    for name, value in estimator.get_params().items():
        assert re.search(rf"^{name} : .*, default={re.escape(repr(value))}\n    [A-Zacf]", inspect.getdoc(cls), re.M), name
    shown = pydoc.plain(pydoc.render_doc(cls))
    assert f"class {cls.__name__}(" in shown and "n_estimators=12, " in shown


def test_clone_set_params_and_repr():
    estimator = perpend.LITClassifier(n_estimators=3, hidden_layer_sizes=[8, 4], drop=["a"])
    copy = clone(estimator)
    assert copy is not estimator and copy.get_params() == estimator.get_params()
    assert copy.set_params(lambda_="auto", n_jobs=1).lambda_ == "auto"
    assert repr(estimator) == "LITClassifier(drop=['a'], hidden_layer_sizes=[8, 4], n_estimators=3)"


def test_a_subclass_may_have_its_own_constructor():
    class Small(perpend.LITClassifier):
        def __init__(self, n_estimators=2):
            super().__init__(n_estimators=n_estimators, hidden_layer_sizes=(4,))

    assert Small().n_estimators == 2 and Small().get_params() == {"n_estimators": 2}


@pytest.mark.parametrize("old, new", [*SCIKIT_LEARN.items(), ("progress", "verbose")])
def test_a_former_name_is_refused_with_the_new_one(old, new):
    if old == "early_stopping":
        with pytest.raises(ValueError, match="early_stopping is 5; it must be True or False, and n_iter_no_change the number"):
            perpend.LITClassifier(early_stopping=5).fit([[0.0], [1.0]], [0, 1])
        return
    with pytest.raises(TypeError, match=f"^LITClassifier has no parameter '{old}'; it is called {new}$"):
        perpend.LITClassifier(**{old: 1})
    with pytest.raises(TypeError, match=f"'{old}'; it is called {new}$"):
        perpend.LITClassifier().set_params(**{old: 1})


def test_an_unknown_parameter_is_refused():
    with pytest.raises(TypeError, match="^RestartClassifier has no parameter 'lambda_'$"):
        perpend.RestartClassifier(lambda_=1)


@pytest.mark.parametrize("name", ["n__estimators", "__", "estimator__epochs"])
def test_a_name_with_two_underscores_is_no_exception(name):
    with pytest.raises(TypeError, match=f"^LITClassifier has no parameter '{name}'$"):
        perpend.LITClassifier(**{name: 3})
    with pytest.raises(TypeError, match=f"^LITClassifier has no parameter '{name}'$"):
        perpend.LITClassifier().set_params(**{name: 3})


def test_every_method_of_the_table_has_its_estimator():
    entries = _core.methods()
    assert {entry["word"]: entry["class_name"] for entry in entries} == {w: c.__name__ for w, c in ESTIMATORS.items()}
    able = {entry["word"] for entry in entries if entry["regression"]}
    assert set(REGRESSORS) == able and {"lit", "subspaces"} <= able and "ace" not in able
    for cls in [*ESTIMATORS.values(), *REGRESSORS.values()]:
        assert getattr(perpend, cls.__name__) is cls and cls.__name__ in perpend.__all__


def test_a_method_without_a_class_gets_one_from_the_table(shortcut, tmp_path, monkeypatch):
    entry = {**_parameters.method_entry("ace"), "class_name": "EchoClassifier"}
    made = perpend._estimators._made(entry)
    assert made.__name__ == "EchoClassifier" and "lambda_ : float" in made.__doc__ and entry["help"] in made.__doc__
    monkeypatch.setattr(perpend._estimators, "EchoClassifier", made, raising=False)
    monkeypatch.setitem(ESTIMATORS, "ace", made)
    model = made(**QUICK).fit(*shortcut)
    model.save(tmp_path / "m")
    assert type(perpend.load(tmp_path / "m")) is made
    assert type(pickle.loads(pickle.dumps(model))) is made and type(clone(model)) is made


def test_a_model_of_an_unknown_method_is_refused_in_one_line(shortcut, tmp_path, monkeypatch):
    perpend.ACEClassifier(**QUICK).fit(*shortcut).save(tmp_path / "m")
    others = {word: cls for word, cls in ESTIMATORS.items() if word != "ace"}
    monkeypatch.setattr(perpend._estimators, "ESTIMATORS", others)
    with pytest.raises(perpend.ModelFileError, match="was trained with method 'ace', which this version does not have"):
        perpend.load(tmp_path / "m")


def test_n_jobs_as_in_scikit_learn():
    cores = os.cpu_count()
    given = {None: 0, -1: 0, 1: 1, 3: 3, -2: max(1, cores - 1), -1000: 1}
    assert {n: _parameters.threads_of(n) for n in given} == given
    for bad in (0, "all", 1.5, True):
        with pytest.raises(ValueError, match=f"n_jobs is {bad!r}; it must be None, -1"):
            _parameters.threads_of(bad)


def test_the_stub_is_that_of_the_table():
    stub = Path(perpend._estimators.__file__).with_suffix(".pyi").read_text()
    assert stub == _parameters.stub([*ESTIMATORS.values(), *REGRESSORS.values()]), "run tools/make_python_api --stub > python/perpend/_estimators.pyi"


def test_the_table_is_that_of_the_command_line(program):
    text = program("train", "--print-options").stdout
    printed = re.findall(r"^\| `(\w+)` \| `([^`]*)` \| `?([\w ]+)", text, re.M)
    defaults = json.loads(_core.default_options())
    assert {name: json.loads(default) for name, default, _ in printed} == {**defaults, "threads": 0, **UNWRITTEN}
    python = {p.option: p.name for cls in [*ESTIMATORS.values(), *REGRESSORS.values()] for p in _parameters.parameters(cls) if p.option}
    assert {name: word for name, _, word in printed if name not in NOT_PARAMETERS - {"loss"}} == python


def test_what_was_used_is_in_the_model(shortcut):
    model = perpend.LITClassifier(**{**QUICK, "hidden_layer_sizes": 8}, dropout=0.25, drop=["x0"]).fit(*shortcut)
    assert model.options_["hidden"] == [8] and model.options_["members"] == 2
    assert model.options_["dropout"] == 0.25
    assert model.options_["drop"] == ["x0"]
    assert model.options_["split"] == "none"
    assert "x0" not in model.features_


def test_a_loaded_model_has_the_parameters_it_was_trained_with(shortcut, tmp_path):
    X, y = shortcut
    given = dict(QUICK, early_stopping=True, n_iter_no_change=3, random_state=7, keep=("x1",), lambda_=0.5)
    model = perpend.LITClassifier(**given).fit(X, y, eval_set=(X, y))
    model.save(tmp_path / "m")
    assert perpend.load(tmp_path / "m").get_params() == model.get_params()
