"""Parameters are the command line's options, with their names and defaults."""

import json
import re

import pytest

import perpend
from perpend import _core
from perpend._estimators import ESTIMATORS

NOT_PARAMETERS = {"method", "target", "sample_weight"}  # the class, and arguments of fit
ONLY_OF = {"lambda": {"lit", "ncl", "ace"}, "boosting": {"adaboost"}}
ONLY_OF |= dict.fromkeys(["penalty_reduction", "manifold", "penalty", "epsilon", "ascent_norm", "ascent_steps"], {"lit"})
BY_METHOD = {("ncl", "lambda"): 0.5, ("ace", "lambda"): 0.1, ("ncl", "weight_decay"): 0.0}
OURS = {"warm_start", "progress"}


def as_json(value):
    return "" if value is None else list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("method", ESTIMATORS)
def test_names_and_defaults(method):
    estimator = ESTIMATORS[method]()
    names = estimator.option_names()
    table = {name: json.loads(text) for name, text, _, _ in _core.option_table()}
    wanted = {o for o in table if o not in NOT_PARAMETERS and method in ONLY_OF.get(o, {method})}
    assert set(names.values()) == wanted
    assert set(estimator.get_params()) == set(names) | OURS
    for parameter, option in names.items():
        default = BY_METHOD.get((method, option), table[option])
        if option == "split":
            assert (estimator.split, default) == ("none", "random"), "fit trains on the rows it is given"
        elif option == "epochs":
            assert estimator.epochs is None and default is None
        else:
            assert as_json(getattr(estimator, parameter)) == default, option


def test_the_table_is_that_of_the_command_line(program):
    text = program("train", "--print-options").stdout
    printed = dict(re.findall(r"^\| `(\w+)` \| `([^`]*)` \|", text, re.M))
    assert printed == {name: default for name, default, _, _ in _core.option_table()}


def test_what_was_used_is_in_the_model(shortcut):
    model = perpend.LITClassifier(members=2, hidden=8, epochs=1, dropout=0.25, drop=["x0"]).fit(*shortcut)
    assert model.options_["hidden"] == [8]
    assert model.options_["dropout"] == 0.25
    assert model.options_["drop"] == ["x0"]
    assert model.options_["split"] == "none"
    assert "x0" not in model.features_
