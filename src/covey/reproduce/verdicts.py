"""Claims of papers as rows of data, and what judges of all papers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sized
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from covey._text import counted, p_text
from covey.analysis.significance.records import sign_test
from covey.reproduce.paper import Claim, Found, Lacking, Verdict

# Below so many datasets no sign test is significant, and counts of datasets and ranks are left to chance.
FEW_DATASETS = 6
# Of significance tests.
LEVEL = 0.05
# Runs that are drawn to say how often a run of the same size would show a claim.
DRAWS = 200

# Whether a claim holds, and the figures that say so.
Judgement = tuple[bool, str]
Kind = TypeVar("Kind")
Many = TypeVar("Many", bound=Sized)


def claim(
    id: str, text: str, published: str, needs: tuple[str, ...], judge: Callable[..., Judgement], /, **arguments: Any
) -> Claim:
    """Return a claim whose judge is a function of results, and of further arguments."""
    return Claim(id, text, published, needs, partial(_judged, judge, arguments))


def _judged(judge: Callable[..., Judgement], arguments: dict[str, Any], results: Found) -> Verdict:
    """Return a verdict on what a judge says; a claim cannot be tested where results are lacking."""
    try:
        holds, text = judge(results, **arguments)
    except Lacking as lack:
        return Verdict("not testable", f"{lack}.")
    return Verdict("held" if bool(holds) else "failed", text if text.endswith(".") else f"{text}.")


def enough(datasets: Many, least: int = FEW_DATASETS) -> Many:
    """Return what has a row for each dataset; too few are lacking."""
    if len(datasets) < least:
        there = counted(len(datasets), "dataset")
        raise Lacking(f"{there} on which all methods of the claim were carried out, which is too few")
    return datasets


def needed(parts: Many, why: str) -> Many:
    """Return what is not empty."""
    if not len(parts):
        raise Lacking(why)
    return parts


def power_of(runs: Iterable[Kind], holds: Callable[[Kind], bool]) -> float:
    """Return in which share of drawn runs a claim shows."""
    return float(np.mean([holds(run) for run in runs]))


@dataclass(frozen=True)
class Record:
    """On how many datasets a method has the smaller value than another, the larger, and the same."""

    wins: int
    losses: int
    ties: int

    @classmethod
    def of(cls, errors: pd.DataFrame, method: str, against: str) -> Record:
        """Count on errors in per cent with one decimal, as papers print them; datasets without one are left out."""
        pair = errors[[method, against]].dropna().round(1)
        gain = (pair[against] - pair[method]).round(1)
        return cls(*(int(some.sum()) for some in (gain > 0, gain < 0, gain == 0)))

    @property
    def p_value(self) -> float:
        """Of the two-tailed sign test."""
        return sign_test(self.wins, self.losses)

    @property
    def total(self) -> int:
        """How many datasets were compared."""
        return self.wins + self.losses + self.ties

    @property
    def outcome(self) -> str:
        """Whether the method is "better", "worse" or "level", by the sign test."""
        if self.p_value >= LEVEL:
            return "level"
        return "better" if self.wins > self.losses else "worse"

    def __str__(self) -> str:
        return f"{self.wins}-{self.losses}-{self.ties} ({p_text(self.p_value)})"
