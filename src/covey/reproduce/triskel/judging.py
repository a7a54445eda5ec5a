"""Parts that claims of this paper share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from covey._text import counted
from covey.reproduce.triskel.reading import Floats

# Below so many datasets a claim about most of them says nothing.
FEW_DATASETS = 6


@dataclass(frozen=True)
class Marked:
    """On which datasets a method is significantly above another, and below it.

    Parameters
    ----------
    wins, losses : tuple of str
        Datasets with a significant increase and decrease.
    total : int
        How many were compared.
    """

    wins: tuple[str, ...]
    losses: tuple[str, ...]
    total: int

    @classmethod
    def of(cls, marks: Mapping[str, str]) -> Marked:
        """Count the marks of datasets."""
        up, down = (tuple(name for name, mark in marks.items() if mark == kind) for kind in ("increase", "decrease"))
        return cls(up, down, len(marks))

    def __str__(self) -> str:
        parts = [
            f"{counted(len(names), 'significant ' + kind, plural)}{_named(names)}"
            for names, kind, plural in (
                (self.wins, "win", "significant wins"),
                (self.losses, "loss", "significant losses"),
            )
        ]
        return f"{' and '.join(parts)} on {counted(self.total, 'dataset')}"


def _named(names: tuple[str, ...]) -> str:
    return f" ({', '.join(names)})" if names else ""


def geometric_mean(ratios: Floats) -> float:
    """Return the geometric mean of ratios."""
    return float(np.exp(np.mean(np.log(ratios))))
