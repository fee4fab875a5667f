"""The charts of the report as Altair charts: both are Vega-Lite specifications."""

from __future__ import annotations

import json
from typing import Any


def chart(name: str, specifications: dict[str, str]) -> Any:
    try:
        import altair
    except ImportError:
        raise ImportError("plots need Altair; install it with: pip install altair") from None
    if name not in specifications:
        raise ValueError(f"there is no chart {name!r} from what is given; there are: {', '.join(specifications)}")
    return altair.Chart.from_dict(json.loads(specifications[name]))
