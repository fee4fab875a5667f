"""What users hand over (arrays, data frames, Arrow tables) as a table of the engine, without copies where it can be."""

from __future__ import annotations

import numbers
import warnings
from typing import Any, Optional, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from . import _core

IN_PLACE = (np.dtype(np.float32), np.dtype(np.float64))


def is_pandas(X: Any) -> bool:
    return hasattr(X, "iloc") and hasattr(X, "columns") and hasattr(X, "dtypes")


def is_arrow(X: Any) -> bool:
    return hasattr(X, "__arrow_c_stream__") and not is_pandas(X) and not isinstance(X, np.ndarray)


def is_sparse(X: Any) -> bool:
    return hasattr(X, "toarray") and hasattr(X, "nnz")


def as_rows(X: Any) -> Any:
    """X as something with rows and columns: a data frame, an Arrow table, or a 2-D array. Raises for anything else."""
    if is_sparse(X):
        raise TypeError("X is a sparse matrix, which is not supported; give a dense one, for example X.toarray()")
    if is_pandas(X) or is_arrow(X):
        rows, columns = shape_of(X)
    else:
        X = _dense(X)
        rows, columns = X.shape
    if rows == 0:
        raise ValueError(f"X has no rows: 0 sample(s) (shape=({rows}, {columns})) while a minimum of 1 is required.")
    if columns == 0:
        raise ValueError(f"X has no columns: 0 feature(s) (shape=({rows}, 0)) while a minimum of 1 is required.")
    return X


def _dense(X: Any) -> NDArray[Any]:
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    try:
        array: NDArray[Any] = np.asarray(X)
    except ValueError as error:  # rows of several lengths
        raise ValueError(f"X is not a table: {error}") from None
    if array.ndim != 2:
        raise ValueError(
            f"X has {array.ndim} axes where rows and columns are needed (a 2D array). Reshape your data: "
            "X.reshape(-1, 1) if it is one column, X.reshape(1, -1) if it is one row"
        )
    if array.dtype.kind == "c":
        raise ValueError("X is complex. Complex data not supported; give its real and imaginary parts as columns")
    if array.dtype.kind in "mMV":
        raise TypeError(f"X has dtype {array.dtype}; save numbers, for example with .astype('float32')")
    return array


def shape_of(X: Any) -> tuple[int, int]:
    if hasattr(X, "shape"):
        rows, columns = X.shape
        return int(rows), int(columns)
    raise TypeError("X has an Arrow stream but no shape; give a table, such as pyarrow.table(X)")


def own_names(X: Any) -> Optional[list[str]]:
    """The names of X's columns, where it has any."""
    if is_pandas(X):
        return [str(name) for name in X.columns]
    if is_arrow(X):
        names = X.column_names if hasattr(X, "column_names") else X.columns
        return [str(name) for name in names]
    return None


def default_names(count: int) -> list[str]:
    """x0, x1, ...: as the command line calls the columns of X.npy."""
    return [f"x{i}" for i in range(count)]


def make_table(X: Any, names: Sequence[str], source: str = "X") -> _core.Table:
    """X, which is as_rows() gave it, under these names."""
    names = list(names)
    rows, _ = shape_of(X)
    table = _core.Table(source, rows)
    if is_arrow(X):
        table.add_arrow(X.__arrow_c_stream__(None), names)
    elif is_pandas(X):
        _add_frame(table, X, names)
    else:
        _add_array(table, X, names)
    seen: dict[str, int] = {}
    for i, name in enumerate(names):
        if seen.setdefault(name, i) != i:
            raise ValueError(f"{source}: columns {seen[name] + 1} and {i + 1} are both called {name!r}")
    return table


def named_rows(X: Any, called: str) -> _core.Table:
    """Rows under their own names, or those of an array's columns."""
    X = as_rows(X)
    return make_table(X, own_names(X) or default_names(shape_of(X)[1]), called)


def _add_array(table: _core.Table, X: NDArray[Any], names: list[str]) -> None:
    if X.dtype in IN_PLACE and X.dtype.isnative:
        table.add_matrix(names, X)
    elif X.dtype.kind in "biuf":
        table.add_matrix(names, X.astype(np.float64))
    else:
        for i, name in enumerate(names):
            _add_objects(table, name, X[:, i])


def _add_objects(table: _core.Table, name: str, cells: NDArray[Any], nominal: bool = False) -> None:
    if cells.dtype.kind == "S":
        cells = np.char.decode(cells, "utf-8")
    table.add_objects(name, cells.tolist(), nominal)


def _add_frame(table: _core.Table, X: Any, names: list[str]) -> None:
    if len(set(X.dtypes)) == 1 and X.dtypes.iloc[0] in IN_PLACE:
        _add_array(table, X.to_numpy(), names)
        return
    for i, name in enumerate(names):
        _add_series(table, name, X.iloc[:, i])


def _add_series(table: _core.Table, name: str, column: Any) -> None:
    dtype = column.dtype
    if hasattr(dtype, "categories") and hasattr(column, "cat"):
        levels = column.cat.categories
        if all(isinstance(level, str) for level in levels):
            table.add_words(name, np.ascontiguousarray(column.cat.codes, np.int32), list(levels), True)
        else:
            _add_objects(table, name, column.astype(object).to_numpy(), nominal=True)
        return
    kind = getattr(dtype, "kind", "O")
    if kind == "c":
        raise ValueError(f"column {name!r} is complex. Complex data not supported")
    if kind == "m":
        raise TypeError(f"column {name!r} has dtype {dtype}; make numbers or text of it")
    if kind == "M":  # read as the dates of a CSV file are
        moments = column.dt.tz_localize(None) if getattr(dtype, "tz", None) is not None else column
        text: NDArray[Any] = np.datetime_as_string(moments.to_numpy().astype("datetime64[s]")).astype(object)
        text[column.isna().to_numpy()] = None
        _add_objects(table, name, text)
        return
    if kind in "biuf":
        values = column.to_numpy() if isinstance(dtype, np.dtype) else column.to_numpy(np.float64, na_value=np.nan)
        if values.dtype not in IN_PLACE or not values.dtype.isnative:
            values = values.astype(np.float64)
        table.add_numbers(name, values)
    else:
        _add_objects(table, name, column.to_numpy(object))


def name_for(values: Any, fallback: str, taken: Sequence[str]) -> str:
    """The name of a target or weight column: a series' own, else the fallback; never one of the inputs'."""
    own = getattr(values, "name", None)
    name = own if isinstance(own, str) and own else fallback
    while name in taken:
        name += "_"
    return name


def as_labels(y: Any) -> NDArray[Any]:
    """y as one array of labels; raises what scikit-learn raises for targets that are no classes."""
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None")
    if is_sparse(y):
        raise TypeError("y is a sparse matrix, which is not supported; give an array of labels")
    if hasattr(y, "to_numpy"):
        y = y.to_numpy()
    labels: NDArray[Any] = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected; its one column is used",
            DataConversionWarning,
            stacklevel=4,
        )
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {labels.shape} instead")
    if labels.dtype.kind == "c":
        raise ValueError("y is complex. Complex data not supported")
    if labels.dtype.kind in "fO" and len(labels) > 0:
        labels = _checked_labels(labels)
    return labels


def as_targets(y: Any) -> NDArray[np.float64]:
    """y as one array of numbers; raises what scikit-learn raises for targets that are none."""
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None")
    if is_sparse(y):
        raise TypeError("y is a sparse matrix, which is not supported; give an array of numbers")
    if hasattr(y, "to_numpy"):
        y = y.to_numpy()
    values: NDArray[Any] = np.asarray(y)
    if values.ndim == 2 and values.shape[1] > 1:
        raise ValueError(
            f"y has {values.shape[1]} columns, and one is predicted; sklearn.multioutput.MultiOutputRegressor fits one model per column"
        )
    if values.dtype.kind == "c":
        raise ValueError("y is complex. Complex data not supported")
    if values.ndim == 2:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected; its one column is used",
            DataConversionWarning,
            stacklevel=4,
        )
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {values.shape} instead")
    try:
        values = values.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError("Unknown label type: y has text; a regression needs numbers") from None
    if not np.isfinite(values).all():
        raise ValueError("Input y contains NaN or infinity; every row needs a finite number")
    return values


def is_number(y: Any) -> bool:
    """Whether y is a number to predict, as scikit-learn tells it: fractions, or more than 20 different whole numbers."""
    try:
        values = as_targets(y)
    except (TypeError, ValueError):
        return False
    kind = getattr(getattr(y, "dtype", None), "kind", "f")
    return kind in "iuf" and (type_of_target(values) == "continuous" or len(np.unique(values)) > 20)


def _checked_labels(y: NDArray[Any]) -> NDArray[Any]:
    if y.dtype.kind == "O":
        if all(isinstance(label, str) for label in y):
            return y
        if any(label is None or label != label for label in y):
            row = next(i for i, label in enumerate(y) if label is None or label != label)
            raise ValueError(f"y[{row}]: the label is empty; every row needs one")
        check_classification_targets(y)
        if all(isinstance(label, (numbers.Number, np.bool_)) for label in y):
            return np.asarray(y.tolist())
        raise ValueError("Unknown label type: labels must be all numbers or all text")
    if np.isfinite(y).all():
        check_classification_targets(y)
    return y


def add_labels(table: _core.Table, name: str, y: NDArray[Any]) -> None:
    if len(y) != table.rows:
        raise ValueError(f"X has {table.rows} rows and y has {len(y)}; they must be the same")
    if y.dtype.kind in "biuf":
        y = y if y.dtype in IN_PLACE and y.dtype.isnative else y.astype(np.float64)
        table.add_numbers(name, y)
        return
    words, codes = np.unique(y.astype(str) if y.dtype.kind != "S" else np.char.decode(y), return_inverse=True)
    table.add_words(name, codes.astype(np.int32).reshape(-1), [str(word) for word in words], False)


def training_table(X: Any, y: Any, labels: NDArray[Any], sample_weight: Any = None) -> tuple[_core.Table, dict[str, str]]:
    """X, y (as these labels) and weights as one table, and the options that name the last two."""
    X = as_rows(X)
    names = own_names(X) or default_names(shape_of(X)[1])
    table = make_table(X, names)
    target, weight = name_for(y, "target", names), ""
    add_labels(table, target, labels)
    if sample_weight is not None:
        weight = name_for(sample_weight, "sample_weight", [*names, target])
        table.add_numbers(weight, as_weights(sample_weight, table.rows))
    return table, {"target": target, "sample_weight": weight}


def class_values(names: Sequence[str], y: NDArray[Any]) -> NDArray[Any]:
    """The engine's class names as values of y's type."""
    if y.dtype.kind == "b":
        return np.array([float(name) != 0 for name in names])
    if y.dtype.kind in "iu":
        return np.array([int(float(name)) for name in names]).astype(y.dtype)
    if y.dtype.kind == "f":
        return np.array([float(name) for name in names]).astype(y.dtype)
    if y.dtype.kind == "S":
        return np.array([name.encode() for name in names])
    return np.array(names, dtype=object if y.dtype.kind == "O" else None)


def loaded_classes(names: Sequence[str]) -> NDArray[Any]:
    """Of a model file, which knows names only: whole numbers, numbers or text."""
    for kind in (int, float):
        try:
            values = np.array([kind(name) for name in names])
        except ValueError:
            continue
        if [name for name in names] == [f"{v:g}" if kind is float else str(v) for v in values.tolist()]:
            return values
    return np.array(names)


def as_weights(sample_weight: Any, rows: int) -> NDArray[Any]:
    if hasattr(sample_weight, "to_numpy"):
        sample_weight = sample_weight.to_numpy()
    if isinstance(sample_weight, numbers.Number):
        sample_weight = np.full(rows, sample_weight)
    weights = np.asarray(sample_weight)
    if weights.dtype not in IN_PLACE or not weights.dtype.isnative:
        try:
            weights = weights.astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError("sample_weight must be numbers >= 0") from None
    if weights.ndim != 1:
        raise ValueError(f"sample_weight must be a 1D array, got {weights.ndim} axes")
    if len(weights) != rows:
        raise ValueError(f"X has {rows} rows and sample_weight has {len(weights)}; they must be the same")
    return weights
