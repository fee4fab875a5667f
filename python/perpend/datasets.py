"""Generated sets in which the truth is known, and the public sets of the paper's Table 1."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _core

Pair = tuple[NDArray[np.float32], NDArray[Any]]


def list_generated() -> dict[str, str]:
    """The names of the generated sets, each with a line that describes it."""
    return {name: about for name, about, _, _ in _core.generated_sets()}


def generate(name: str, *, rows: int = 0, seed: int = 0, as_frame: bool = False) -> Any:
    """A generated set: the same name, seed and number of rows give the same bytes everywhere.

    Parameters
    ----------
    name : str
        One of list_generated().
    rows : int
        The number of rows; 0 is the set's own. Grids have a fixed number of rows.
    seed : int
    as_frame : bool
        Whether to return a pandas data frame and series.

    Returns
    -------
    (X, y)
        X is float32, and y has the names of the classes.
    """
    X, codes, classes, features = _core.generate(name, seed, rows)
    y = np.array(classes)[codes]
    if not as_frame:
        return X, y
    import pandas

    return pandas.DataFrame(X, columns=features), pandas.Series(y, name="target")


def list_public() -> list[dict[str, Any]]:
    """The public sets: name, title, page, target, positive, rows, licence, citation."""
    return _core.public_sets()


def data_folder(folder: Union[None, str, "os.PathLike[str]"] = None) -> Path:
    """Where public sets are kept: the folder given, else $PERPEND_DATA, else the user's data folder."""
    if folder is not None:
        return Path(folder)
    if os.environ.get("PERPEND_DATA"):
        return Path(os.environ["PERPEND_DATA"])
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "perpend"


def fetch_public(
    name: str, *, mirror: str = "", folder: Union[None, str, "os.PathLike[str]"] = None
) -> Path:
    """Download a public set by its official address (or from a mirror), check its sha256 and keep it as NAME.csv."""
    path = data_folder(folder) / f"{name}.csv"
    text = _core.fetch_public(name, mirror, _download)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".csv.part")
    partial.write_bytes(text)
    partial.replace(path)
    return path


def _download(address: str, most: int) -> bytes:
    """The bytes at an address; an answer of more than `most` bytes is given up."""
    from urllib.request import urlopen

    with urlopen(address, timeout=60) as answer:
        content: bytes = answer.read(most + 1)
    if len(content) > most:
        raise ValueError(f"{address} is not the published file: it sends more than the {most:,} bytes that are expected at most")
    return content


def load_public(
    name: str, *, folder: Union[None, str, "os.PathLike[str]"] = None, as_frame: bool = False
) -> Any:
    """A public set from the data folder, as the command line reads it.

    Returns
    -------
    (X, y)
        X is float64, or text if the set has letters, and y has the classes. With as_frame, a data frame and a series.
    """
    about = _core.public_set(name)
    columns = _core.read_source(str(data_folder(folder) / f"{name}.csv"), "")
    y = np.array(columns.pop(about["target"]))
    if as_frame:
        import pandas

        return pandas.DataFrame(columns), pandas.Series(y, name=about["target"])
    return np.column_stack([_cells(column) for column in columns.values()]), y


def _cells(column: Any) -> NDArray[Any]:
    return column if isinstance(column, np.ndarray) else np.array(column, dtype=object)
