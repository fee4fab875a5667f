"""Callbacks and the progress bar as one function of an epoch's record."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Optional, Union

from ._parameters import method_entry

Record = dict[str, Any]
Callback = Callable[[Record], Any]


class _Bar:
    """tqdm over epochs, or over learners and their epochs."""

    def __init__(self, method: str, rounds: int) -> None:
        from tqdm.auto import tqdm

        self._make = tqdm
        self._bar: Any = None
        self._method = method
        self._rounds = rounds if method_entry(method)["one_after_another"] else 1

    def __call__(self, record: Record) -> None:
        if self._bar is None:
            self._bar = self._make(total=record["epochs"] * self._rounds, desc=self._method, unit="epoch")
        self._bar.update(1)
        fit = sum(record["fit"]) / len(record["fit"])
        self._bar.set_postfix(loss=f"{fit:.4f}", penalty=f"{record['penalty']:.4f}", refresh=False)
        if self._bar.n >= self._bar.total:
            self._bar.close()


def epoch_function(
    callbacks: Union[None, Callback, Iterable[Callback]], verbose: bool, method: str, rounds: int
) -> Optional[Callback]:
    functions: list[Callback] = []
    if callbacks is not None:
        functions = [callbacks] if callable(callbacks) else list(callbacks)
        for function in functions:
            if not callable(function):
                raise TypeError(f"callbacks must be functions of an epoch's record, not {type(function).__name__}")
    if verbose:
        try:
            functions.append(_Bar(method, int(rounds)))
        except ImportError:
            pass  # without tqdm training is silent
    if not functions:
        return None

    def each(record: Record) -> bool:
        stop = False
        for function in functions:
            stop = bool(function(record)) or stop
        return stop

    return each
