"""Parts that claims of this paper share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey._text import p_text
from covey.analysis.significance.records import sign_test

if TYPE_CHECKING:
    import pandas as pd

# Below so many datasets no sign test is significant.
FEW_DATASETS = 6
LEVEL = 0.05
# Of the paper's 28 comparisons of pairs.
BONFERRONI = LEVEL / 28


@dataclass(frozen=True)
class Record:
    """On how many datasets one method errs less than another.

    Parameters
    ----------
    name : str
        Of the two.
    wins, losses, ties : int
        Datasets on which the first errs less, more, and as much.
    """

    name: str
    wins: int
    losses: int
    ties: int

    @classmethod
    def of(cls, errors: pd.DataFrame, method: str, against: str) -> Record:
        """Count on errors in per cent as the paper prints them, with one decimal; datasets without one are left out."""
        pair = errors[[method, against]].dropna().round(1)
        gain = (pair[against] - pair[method]).round(1)
        counts = (int((gain > 0).sum()), int((gain < 0).sum()), int((gain == 0).sum()))
        return cls(f"{method} against {against}", *counts)

    @property
    def p_value(self) -> float:
        """Of the two-tailed sign test."""
        return sign_test(self.wins, self.losses)

    @property
    def total(self) -> int:
        """How many datasets were compared."""
        return self.wins + self.losses + self.ties

    @property
    def better(self) -> bool:
        """Whether the first errs less more often than not, significantly."""
        return self.wins > self.losses and self.p_value < LEVEL

    @property
    def outcome(self) -> str:
        """Whether the first is "better", "worse" or "level", by the sign test."""
        if self.p_value >= LEVEL:
            return "level"
        return "better" if self.wins > self.losses else "worse"

    def __str__(self) -> str:
        return f"{self.name} {self.wins}-{self.losses}-{self.ties} ({p_text(self.p_value)})"
