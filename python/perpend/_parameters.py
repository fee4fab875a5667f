"""Parameters of the estimators, made from the engine's option table: signatures, docstrings, stubs and conversions.

The table (perpend/run/option_table.cpp) holds both spellings of an option: ``members`` of the command line and of model
files is ``n_estimators`` here. Only the parameters that no option stands for are written below.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import textwrap
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Optional, Union

import numpy as np

from . import _core

GROUPS = ("Method", "Network", "Training", "Answers", "Columns", "Rows", "Python")  # the order of signatures and docstrings
FORMER = {"progress": "verbose"}  # names of 0.1 that are no option's


@dataclass(frozen=True)
class Parameter:
    """One parameter of an estimator; option is None where the engine has none."""

    name: str
    type: str  # an annotation
    default: Any
    help: str
    group: str
    option: Optional[str] = None


OWN = (
    Parameter(
        "early_stopping",
        "bool",
        True,
        "Whether training stops when the validation log-loss no longer improves (see n_iter_no_change), and keeps the best "
        "weights. The validation rows are eval_set of fit, or those of a split; otherwise a fifth of the rows is held out "
        "(see refit).",
        "Training",
    ),
    Parameter(
        "warm_start",
        "bool",
        False,
        "Whether fit starts from the weights of the last fit, with fresh optimizer state (`perpend train --init`).",
        "Python",
    ),
    Parameter("verbose", "bool", False, "Whether fit shows a progress bar, if tqdm is installed.", "Python"),
)


@lru_cache(maxsize=None)
def method_entry(method: str) -> dict[str, Any]:
    """What the engine's table of methods says of a method: word, title, help, class_name, regression, one_after_another."""
    return next(entry for entry in _core.methods() if entry["word"] == method)


# Options of which the other kind of estimator has no use.
OTHERS = {"classify": {"loss"}, "regress": {"positive", "class_weight", "boosting", "calibrate", "threshold"}}


def parameters(cls: Any) -> tuple[Parameter, ...]:
    """The parameters of an estimator, in the order of its signature."""
    return _parameters_of_method(cls._method, cls._task)


@lru_cache(maxsize=None)
def _parameters_of_method(method: str, task: str) -> tuple[Parameter, ...]:
    found = list(OWN)
    for row in json.loads(_core.option_table(method)):
        if row["name"] is not None and row["option"] not in OTHERS[task]:
            found.append(Parameter(row["name"], row["type"], _value(row["default"]), row["help"], row["group"], row["option"]))
    return tuple(sorted(found, key=lambda p: GROUPS.index(p.group)))


def _value(json_value: Any) -> Any:
    return tuple(json_value) if isinstance(json_value, list) else json_value


def signature(cls: Any) -> inspect.Signature:
    """The signature of an estimator's constructor, without types, as scikit-learn shows it."""
    kind = inspect.Parameter.KEYWORD_ONLY
    own = [inspect.Parameter(p.name, kind, default=p.default) for p in parameters(cls)]
    return inspect.Signature([inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD), *own])


def install(cls: Any) -> None:
    """Gives an estimator's class its constructor and the sections Parameters and Attributes of its docstring."""
    defaults = {p.name: p.default for p in parameters(cls)}

    def __init__(self: Any, **given: Any) -> None:
        check_names(cls, given)
        for name, default in defaults.items():
            setattr(self, name, given.get(name, default))

    __init__.__signature__ = signature(cls)  # type: ignore[attr-defined]
    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    cls.__init__ = __init__
    cls.__doc__ = _docstring(cls)


def check_names(cls: Any, names: Any) -> None:
    """Raises TypeError for a parameter that the estimator does not have, with the name it has now."""
    known = {p.name: p.option for p in parameters(cls)}
    for name in names:
        if name not in known:
            now = FORMER.get(name) or next((new for new, option in known.items() if option == name), None)
            raise TypeError(f"{cls.__name__} has no parameter {name!r}" + (f"; it is called {now}" if now else ""))


CLASSES = """classes_ : ndarray
    The classes, in the order of predict_proba's columns.
"""
ATTRIBUTES = """estimators_ : list of Member
    The members.
estimator_weights_ : ndarray of shape (members,)
    The weight of each member in the ensemble's mean. After adapt it may be negative.
features_ : list of str
    The names of the encoded inputs. With views there is one per column.
views_ : list of str
    How each member sees the columns: linear, piecewise, logistic (of a regressor: ridge), trees or plain.
log_ : list of dict
    One record per epoch.
reading_ : str
    The result in a sentence or two: whether the members are independent, and what to try if they are not. It speaks of
    the test rows of a split, of the validation rows if there are no test rows, and of the training rows if there are
    neither. After adapt it says what was done and why. A model that was loaded from a file has none.
best_lambda_ : float
    The lambda that the members were trained with: the one that validation chose, or the one that was given. Methods
    without a lambda do not have it.
lambda_trials_ : list of dict
    The validation log-loss of each lambda that was tried. It exists only if fit chose lambda.
summary_, options_ : dict
    The summary and the options in the model file, under the names of the command line.
n_features_in_, feature_names_in_
    The number of columns, and their names if X had names.
"""


def _docstring(cls: Any) -> str:
    summary, _, examples = inspect.cleandoc(cls.__doc__ or "").partition("Examples\n--------\n")
    lines = [summary.rstrip(), "", "Parameters", "----------"]
    for p in parameters(cls):
        lines.append(f"{p.name} : {shown_type(p)}, default={p.default!r}")
        lines += textwrap.wrap(p.help, 116, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
    attributes = "\nAttributes\n----------\n" + (CLASSES if cls._task == "classify" else "") + ATTRIBUTES
    return "\n".join(lines) + "\n" + attributes + (f"\nExamples\n--------\n{examples}\n" if examples else "")


def shown_type(p: Parameter) -> str:
    """A type as docstrings of scikit-learn have it: {"mean", "sum"}."""
    return re.sub(r"Literal\[(.*?)\]", r"{\1}", p.type)


def stub(classes: Any) -> str:
    """The text of _estimators.pyi, by which editors and type checkers know the parameters."""
    out = ['"""Made by tools/make_python_api --stub; a test compares."""', "", "import os"]
    out += ["from typing import Any, Literal, Sequence", "", "from numpy.random import Generator, RandomState", ""]
    out.append("from ._base import EnsembleClassifier, EnsembleRegressor")
    for cls in classes:
        own = parameters(cls)
        out += ["", f"class {cls.__name__}({'EnsembleClassifier' if cls._task == 'classify' else 'EnsembleRegressor'}):"]
        out += [f"    {p.name}: {p.type}" for p in own]
        out += ["    def __init__(", "        self,", "        *,"]
        out += [f"        {p.name}: {p.type} = {p.default!r}," for p in own]
        out.append("    ) -> None: ...")
    out += ["", "ESTIMATORS: dict[str, Any]", "REGRESSORS: dict[str, Any]", "", "def load(path: str | os.PathLike[str]) -> Any: ..."]
    return "\n".join(out) + "\n"


# -- from parameters to options, and back -----------------------------------------------------------------------------


def options_of(estimator: Any) -> dict[str, Any]:
    """An estimator's parameters as options of the engine: texts as they would be typed, or lists of texts."""
    options: dict[str, Any] = {"method": estimator._method, "task": estimator._task}
    for p in parameters(estimator):
        value = getattr(estimator, p.name)
        if p.option == "seed":
            options["seed"] = seed_of(value)
        elif p.option == "threads":
            options["threads"] = str(threads_of(value))
        elif p.option == "early_stopping":
            options["early_stopping"] = typed(value) if wants_early_stopping(estimator) else "0"
        elif p.option == "class_weight":
            options["class_weight"] = class_weight_words(value)
        elif p.option is not None and value is not None:
            is_names = p.type == "Sequence[str]"
            if p.option in COLUMNS:
                check_column_names(p.name, [value] if isinstance(value, str) else value)
            options[p.option] = typed([value] if is_names and isinstance(value, str) else value)
    return options


COLUMNS = ("categorical", "drop", "keep", "increasing", "decreasing")  # options that are lists of names of columns


def check_column_names(parameter: str, names: Any) -> None:
    """Raises ValueError where a column is given by its place."""
    for name in names:
        if not isinstance(name, str):
            raise ValueError(
                f"{parameter} has {name!r}; give names of columns. Those of an array are x0, x1, ..., so its third is 'x2'"
            )


def parameters_of(cls: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Options of a model file as parameters; what the file leaves open keeps its default."""
    given: dict[str, Any] = {}
    for p in parameters(cls):
        value = options.get(p.option, "") if p.option else ""
        if p.option == "early_stopping" and value != "":
            given.update({"early_stopping": True, p.name: value} if value else {"early_stopping": False})
        elif p.option == "class_weight" and value != "":
            given[p.name] = class_weight_of(value)
        elif value != "":
            given[p.name] = _value(value)
    return given


def class_weight_words(value: Any) -> list[str]:
    """class_weight as the engine takes it: ["balanced"], or ["a=2.0", "b=1.0"]."""
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    return [f"{typed_one(name)}={typed_one(weight)}" for name, weight in value.items()]


def class_weight_of(words: Any) -> Any:
    """The other way round; the names of classes are texts then."""
    if not words:
        return None
    return words[0] if words == ["balanced"] else {word.rpartition("=")[0]: float(word.rpartition("=")[2]) for word in words}


def wants_early_stopping(estimator: Any) -> bool:
    value = estimator.early_stopping
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"early_stopping is {value!r}; it must be True or False, and n_iter_no_change the number of measurements")
    return bool(value)


def threads_of(n_jobs: Any) -> int:
    """n_jobs as the engine's number of threads, where 0 is all."""
    if n_jobs is None or n_jobs == -1:
        return 0
    if isinstance(n_jobs, (int, np.integer)) and not isinstance(n_jobs, bool):
        if n_jobs == 0:
            raise ValueError("n_jobs is 0; it must be None, -1 (all cores) or a number of threads")
        return int(n_jobs) if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))
    raise ValueError(f"n_jobs is {n_jobs!r}; it must be None, -1 (all cores) or a number of threads")


def seed_of(random_state: Any) -> str:
    """The seed as the command line takes it. None and generators draw one."""
    if random_state is None:
        return str(np.random.randint(2**31 - 1))
    if isinstance(random_state, np.random.RandomState):
        return str(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return str(random_state.integers(2**31 - 1))
    return typed_one(random_state)


def typed(value: Any) -> Union[str, list[str]]:
    """A value as it would be typed behind a flag; a list stays a list."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return [typed_one(part) for part in value]
    return typed_one(value)


def typed_one(value: Any) -> str:
    """One value as it would be typed."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    return str(value)
