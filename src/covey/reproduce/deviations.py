"""What is known of figures that deviate from the published ones: why, or what was tried."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache

import pandas as pd

from covey.reproduce.published import PUBLISHED

FILE = PUBLISHED.parent / "deviations.csv"
UNKNOWN = "not looked into"
CLAIMS = "claims"


@dataclass(frozen=True)
class Reason:
    """Why a figure deviates."""

    is_open: bool  # whether it is not explained
    text: str  # the explanation, or what was tried

    def __str__(self) -> str:
        return f"open: {self.text}" if self.is_open else self.text


@lru_cache(maxsize=1)
def known_deviations() -> pd.DataFrame:
    """Return the file of reasons: paper, table, first, second, state, text.

    `first` and `second` are the labels of a figure, a dataset and a method in most tables; stars stand for anything.
    The first row that fits a figure holds for it. Rows with "claims" as their table are on claims that did not hold,
    with their ids first.
    """
    return pd.read_csv(FILE, dtype=str, keep_default_na=False)


def reason_for(paper: str, table: str, labels: tuple[str, ...]) -> Reason:
    """Return what is known of a figure that deviates."""
    figure = (paper, table, *(*labels, "")[:2])
    for *patterns, state, text in known_deviations().to_numpy().tolist():
        if all(fnmatchcase(part, pattern) for part, pattern in zip(figure, patterns, strict=True)):
            return Reason(state == "open", text)
    return Reason(True, UNKNOWN)


def claim_reason(paper: str, id: str) -> Reason:
    """Return why a claim did not hold."""
    return reason_for(paper, CLAIMS, (id,))
