"""Charts by Altair, when it is there."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np


def _altair() -> Any:
    try:
        import altair
    except ImportError:
        raise ImportError("plots need Altair; install it with: pip install altair") from None
    return altair


def _data(altair: Any, rows: list[dict[str, Any]]) -> Any:
    return altair.Data(values=rows)


def training(log: list[dict[str, Any]]) -> Any:
    altair = _altair()
    rows = []
    for record in log:
        step = {"step": record["steps"]}
        rows.append({**step, "term": "loss (mean of members)", "value": float(np.mean(record["fit"]))})
        rows.append({**step, "term": "penalty", "value": record["penalty"]})
        if record.get("validation_log_loss") is not None:
            rows.append({**step, "term": "validation log-loss", "value": record["validation_log_loss"]})
    chart = altair.Chart(_data(altair, rows)).mark_line()
    return chart.encode(x="step:Q", y="value:Q", color="term:N").properties(title="Training")


def shares(explanation: Any) -> Any:
    altair = _altair()
    rows = [
        {"member": m + 1, "column": column, "share": float(explanation.shares[m, c])}
        for m in range(explanation.shares.shape[0])
        for c, column in enumerate(explanation.columns)
    ]
    chart = altair.Chart(_data(altair, rows)).mark_rect()
    return chart.encode(x="member:O", y=altair.Y("column:N", sort=None), color="share:Q").properties(title="What members look at")


def disagreement(values: Any, other: Optional[Any]) -> Any:
    altair = _altair()
    rows = [{"rows": "these", "disagreement": float(v)} for v in values]
    if other is not None:
        rows += [{"rows": "other", "disagreement": float(v)} for v in other]
    chart = altair.Chart(_data(altair, rows)).mark_bar(opacity=0.6)
    x = altair.X("disagreement:Q", bin=altair.Bin(maxbins=40))
    return chart.encode(x=x, y=altair.Y("count():Q", stack=None), color="rows:N").properties(title="Disagreement")


def calibration(found: dict[str, Any]) -> Any:
    altair = _altair()
    rows = [
        {"probability": p, "frequency": f, "rows": n}
        for p, f, n in zip(found["mean_probability"], found["frequency"], found["rows"])
        if n > 0
    ]
    chart = altair.Chart(_data(altair, rows)).mark_line(point=True)
    return chart.encode(x="probability:Q", y="frequency:Q", tooltip="rows:Q").properties(title="Calibration")
