"""Draws of rows, which give the weights that a chain of members starts with, and sizes of draws."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

Weights = NDArray[np.float64]
Size = int | float | str

RULES: dict[str, Callable[[int], float]] = {
    "sqrt": math.sqrt,
    "log2": lambda total: math.log2(total) + 1,
    "third": lambda total: total / 3,
}


def resolve_size(size: Size, total: int, *, name: str, of: str, limit: bool = True) -> int:
    """Turn a size, which is a count, a share (rounded) or a rule, into a count of at least 1.

    ``name`` and ``of`` are the parameter and the things counted, for errors; ``limit`` refuses more than there are.
    """
    if isinstance(size, str) and size in RULES:
        return max(1, round(RULES[size](total)))
    number: Any = size
    if isinstance(number, bool) or not isinstance(number, Real) or not math.isfinite(number) or number <= 0:
        raise ValueError(f"{name}={size!r} must be a positive count, a positive share or one of {sorted(RULES)}.")
    count = int(number) if isinstance(number, Integral) else max(1, round(float(number) * total))
    if limit and count > total:
        raise ValueError(f"{name}={size!r} asks for {count} {of}, but there are {total}; ask for at most {total}.")
    return count


class Draw(BaseEstimator, ABC):
    """Opens a chain: turns the case weights into those that its first member is trained with.

    Attributes
    ----------
    is_random : bool
        Whether two draws may differ.
    """

    is_random: ClassVar[bool] = True

    @abstractmethod
    def draw(self, weight: Weights, rng: np.random.Generator) -> Weights:
        """Return new weights; rows without weight stay without."""

    def leaves_out(self, n_samples: int) -> bool:
        """Whether a draw from so many rows gives some no weight, so that they can serve as a test set."""
        return False

    def check(self, n_samples: int) -> None:
        """Raise ValueError if no such draw can be made from so many rows."""
        return


class Everything(Draw):
    """Every row as it is."""

    is_random = False

    def draw(self, weight: Weights, rng: np.random.Generator) -> Weights:
        """Return the weights unchanged."""
        return weight


class Bootstrap(Draw):
    """Rows drawn at random, each in proportion to its weight; a row's new weight is how often it was drawn.

    Parameters
    ----------
    size : int, float or str, default=1.0
        How many rows to draw: a number (1 is one row), a share of the rows that have weight (1.0 is as many as there
        are), "sqrt", "log2" or "third".
    replacement : bool, default=True
        Whether a row may be drawn more than once.
    """

    def __init__(self, size: Size = 1.0, replacement: bool = True) -> None:
        self.size = size
        self.replacement = replacement

    def draw(self, weight: Weights, rng: np.random.Generator) -> Weights:
        """Count the draws of each row."""
        if self.replacement and (weight == weight[0]).all():
            # What is drawn one by one takes a tenth of the time that as many binomial variates do.
            places = rng.integers(len(weight), size=self._count(len(weight)))
            return np.bincount(places, minlength=len(weight)).astype(np.float64)
        rows = np.flatnonzero(weight)
        count = self._count(len(rows))
        share = weight[rows] / weight[rows].sum()
        drawn = np.zeros(len(weight))
        if self.replacement:
            drawn[rows] = rng.multinomial(count, share)
        else:
            share = np.maximum(share, np.finfo(float).tiny)  # a weight lost in rounding is still a weight
            drawn[rng.choice(rows, size=count, replace=False, p=share / share.sum())] = 1.0
        return drawn

    def leaves_out(self, n_samples: int) -> bool:
        """Whether some rows stay undrawn: always with replacement, else if fewer are drawn than there are."""
        return self.replacement or self._count(n_samples) < n_samples

    def check(self, n_samples: int) -> None:
        """Refuse to draw more rows than there are, unless they may be repeated."""
        self._count(n_samples)

    def _count(self, total: int) -> int:
        return resolve_size(self.size, total, name="Bootstrap size", of="rows", limit=not self.replacement)


class Wagging(Draw):
    """All rows, with random weights from the continuous Poisson (exponential) distribution.

    The weights are those of the multi-strategy paper's equation 1, ``-log(Rand(1..999) / 1000)``, times the case
    weights, standardised to the sum of the case weights.

    Parameters
    ----------
    resolution : int or None, default=1000
        The number of steps in which the uniform variate is drawn, 1000 as published; None draws exact exponentials.
    """

    def __init__(self, resolution: int | None = 1000) -> None:
        self.resolution = resolution

    def draw(self, weight: Weights, rng: np.random.Generator) -> Weights:
        """Multiply each weight by a random one."""
        if self.resolution is None:
            factor = rng.standard_exponential(len(weight))
        else:
            factor = -np.log(rng.integers(1, self.resolution, size=len(weight)) / self.resolution)
        drawn = weight * factor
        return np.asarray(drawn * (weight.sum() / drawn.sum()))

    def check(self, n_samples: int) -> None:
        """Refuse a resolution that leaves no choice."""
        resolution: Any = self.resolution
        if resolution is not None and (not isinstance(resolution, Integral) or resolution < 3):
            raise ValueError(
                f"Wagging resolution={resolution!r} must be an integer from 3 up, or None for exact draws."
            )
