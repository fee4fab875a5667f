"""What notebooks show: the estimator, what it explains, measures and monitors, and the report where it stands.

Everything is plain HTML without scripts, but for the report and the charts, which are the report's own Vega-Lite.
"""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import Any, Iterable, Sequence, Union

_MOST_COLUMNS = 12  # that a table of columns shows
_METRICS = {  # in the order of `perpend evaluate`; those that are undefined are left out
    "auc": "AUC",
    "accuracy": "accuracy",
    "log_loss": "log-loss",
    "brier": "Brier score",
    "ece": "calibration error",
    "rmse": "RMSE",
    "mae": "mean absolute error",
    "r2": "R²",
    "grad_cos2": "gradients' cos²",
    "rho_av": "error correlation",
    "disagreement": "disagreement",
}
_IN_UNITS_OF_THE_TARGET = {"rmse", "mae"}


class Report(os.PathLike):  # type: ignore[type-arg]
    """The page that ``report`` wrote. A notebook shows it where it stands; elsewhere it is the path of the file."""

    def __init__(self, path: Union[str, "os.PathLike[str]"], height: int = 640) -> None:
        self.path = Path(path)
        self.height = height

    def __fspath__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        return f"Report({str(self.path)!r})"

    def _repr_html_(self) -> str:
        page = escape(self.path.read_text(encoding="utf-8"), quote=True)
        return (
            f'<iframe srcdoc="{page}" title="Report" sandbox="allow-scripts allow-downloads" '
            f'style="border:1px solid #8888;width:100%;height:{self.height}px"></iframe>'
        )


class Metrics(dict):  # type: ignore[type-arg]
    """The metrics of ``evaluate``: a dict, which a notebook shows as a table."""

    def _repr_html_(self) -> str:
        members = self.get("members") or []
        named = [name for name in _METRICS if isinstance(self.get(name), (int, float))]
        own = [name for name in named if any(isinstance(m.get(name), (int, float)) for m in members)]
        rows = [[_METRICS[name], _metric(name, self[name]), *_spread(members, name, own)] for name in named]
        return _table(["", "ensemble", "least of members", "most of members"], rows)


def _spread(members: Sequence[dict[str, Any]], name: str, own: Sequence[str]) -> list[str]:
    values = [m[name] for m in members if isinstance(m.get(name), (int, float))] if name in own else []
    return [_metric(name, min(values)), _metric(name, max(values))] if values else ["", ""]


def _metric(name: str, value: float) -> str:
    return _number(value) if name in _IN_UNITS_OF_THE_TARGET else f"{value:.3f}"


def explanation(columns: Sequence[str], importances: Any, shares: Any, substitutes: Sequence[Any]) -> str:
    """What each column is to the ensemble and to its members, most important first."""
    order = sorted(range(len(columns)), key=lambda i: -importances[i])
    rows = [
        [_code(columns[i]), _bar(importances[i]), f"{100 * shares[:, i].min():.0f} %", f"{100 * shares[:, i].max():.0f} %"]
        for i in order[:_MOST_COLUMNS]
    ]
    said = [_caption(f"and {len(order) - _MOST_COLUMNS} more columns")] if len(order) > _MOST_COLUMNS else []
    for one in substitutes[:3]:
        (left, some), (right, others) = one
        said.append(
            _caption(
                f"Substitutes: {_members(some)} from {_listed(left)} and {_members(others)} from {_listed(right)} "
                "reach the same answers. Members are counted from 0."
            )
        )
    return _table(["column", "share", "least of members", "most of members"], rows) + "".join(said)


def monitoring(found: Any) -> str:
    """The verdict, the columns that moved, and what to do."""
    colour = {"like": "#2e7d32", "moved": "#b26a00", "far": "#b3261e"}.get(found.verdict, "#666")
    verdict = f'<strong style="border-bottom:3px solid {colour}">{escape(found.verdict)}</strong>'
    moved = [c for c in found.columns if c.get("change")]
    rows = [
        [_code(c["name"]), _bar(c["drift"], share=False), _number(c["matters"]), escape(c["change"])]
        for c in moved[:_MOST_COLUMNS]
    ]
    table = _table(["column that moved", "drift", "matters", "change"], rows) if rows else ""
    return f"<p>{verdict} {escape(found.summary)}</p>{table}<p>{escape(found.advice)}</p>"


def estimator(model: Any) -> str:
    """What a fitted estimator is: its views, their say, and what its numbers say."""
    views: dict[str, list[float]] = {}
    for view, weight in zip(model.views_, model.estimator_weights_):
        views.setdefault(view, []).append(float(weight))
    rows = [[escape(view), str(len(weights)), _bar(sum(weights))] for view, weights in views.items()]
    reading = f"<p>{escape(model.reading_)}</p>" if getattr(model, "reading_", "") else ""
    return f"{_table(['view', 'members', 'say'], rows)}{reading}"


class Shown:
    """What is added to scikit-learn's own diagram of an estimator: once it is fitted, what was fitted stands below."""

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in shown:
            shown["text/html"] += _fitted(self)
        return shown

    def _repr_html_inner(self) -> str:
        return str(super()._repr_html_inner()) + _fitted(self)  # type: ignore[misc]


def _fitted(model: Any) -> str:
    if not model.__sklearn_is_fitted__():
        return ""
    return f"<details><summary>What was fitted</summary>{estimator(model)}</details>"


# -- pieces -------------------------------------------------------------------------------------------------------------


def _table(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    style = 'style="padding:2px 14px 2px 0;text-align:left"'
    head = "".join(f'<th scope="col" {style}>{escape(text)}</th>' for text in heads)
    body = "".join("<tr>" + "".join(f"<td {style}>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _bar(value: float, share: bool = True) -> str:
    """A number from 0 to 1 with a bar of that length; the say of an adapted member may lie outside."""
    width = 6 * min(max(float(value), 0.0), 1.0)
    text = f"{100 * value:.0f} %" if share else f"{value:.2f}"
    bar = f'<span style="background:#7b5ea7;display:inline-block;height:.7em;width:{width:.2f}em"></span>'
    return f'<span style="display:inline-block;width:3.2em">{text}</span>{bar}'


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, (int, float)) else "–"


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _caption(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _members(numbers: Sequence[int]) -> str:
    return f"member{'s' if len(numbers) > 1 else ''} {_listed(numbers)}"


def _listed(things: Sequence[Any]) -> str:
    return ", ".join(str(thing) for thing in things)
