"""What ``model.monitor`` finds."""

import json
from dataclasses import dataclass, field
from typing import Any, Optional

from . import _display


@dataclass(frozen=True)
class Monitoring:
    """What ``monitor`` returns: how new rows differ from those that a model was trained on.

    ``print`` shows it as ``perpend monitor`` does. "At home" means the rows that the model was trained and validated on.

    Attributes
    ----------
    verdict : str
        like: no test shows that the rows differ from those at home. moved: a test does. far: a test does, and at least a
        quarter of the rows have a level or a number that was never seen at home.
    summary, advice : str
        The verdict in words, and what to do next.
    p_value, alarm : float
        The p-value of all tests together. If it is below ``alarm``, the rows have moved.
    joint_p_value, answers_p_value : float
        The p-values of the test of all columns together and of the test of the ensemble's answers.
    rows, unseen_rows, outside_rows, missing_cells : int
        The number of rows, of rows with a level that training never saw, of rows with a number outside its range, and of
        missing cells.
    columns : list of dict
        The columns that matter most come first. Each has name, drift (how far it moved, from 0 to 1), p_value (adjusted for
        the number of columns), and outside, unseen and missing (numbers of cells). A column that moved also has change (in
        words), matters (how much the move changes the ensemble's answers), members (the same for each member) and gap
        (None, or a number that may stand for missing: its value, its share, and home_at_most, an upper bound of its share
        at home).
    disagreement, doubt : dict
        The means at home and here (``home``, ``new``). The doubt is 1 less the largest probability; regressors have none.
    expected : dict
        The expected accuracy, auc and log_loss without labels, each as (low, middle, high), or None. low and high are
        made so that nine of ten true figures lie between them. A wide interval says that labels are needed: an accuracy of
        (0.5, 0.67, 1) fits a good model and a useless one.
    measured : dict or None
        The metrics on these rows, if y was given.
    before : dict or None
        What measured is compared with: part ("test", "validation" or "training"), its rows, and auc, accuracy and log_loss
        (rmse and r2 for a regression). They are of test rows only if these were drawn like the training rows.
    look : list of dict
        The rows to look at first. Each has row (from 0), disagreement, and the columns in which it lies outside home.
    windows, changes : list of dict
        If windows were asked for: the windows, and the rows (from 0) from which on something is different.
    """

    rows: int
    verdict: str
    p_value: float
    joint_p_value: float
    answers_p_value: float
    alarm: float
    summary: str
    columns: list[dict[str, Any]]
    unseen_rows: int
    outside_rows: int
    missing_cells: int
    disagreement: dict[str, float]
    doubt: Optional[dict[str, float]]
    expected: dict[str, Optional[list[float]]]
    measured: Optional[dict[str, Any]]
    before: Optional[dict[str, Any]]
    look: list[dict[str, Any]]
    windows: list[dict[str, Any]]
    changes: list[dict[str, Any]]
    advice: str
    text: str = field(repr=False)

    @classmethod
    def from_record(cls, answer: str, text: str) -> "Monitoring":
        """Of the JSON document of ``perpend monitor --json``, where rows are counted from 1; here it is from 0."""
        record = json.loads(answer)
        record["look"] = [{**row, "row": row["row"] - 1} for row in record["look"]]
        record["windows"] = [{**window, "first": window["first"] - 1} for window in record["windows"]]
        record["changes"] = [{**change, "row": change["row"] - 1} for change in record["changes"]]
        return cls(**record, text=text)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return _display.monitoring(self)
