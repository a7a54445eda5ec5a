"""Base of all generated classification problems: drawing rows, and the best possible rule for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from covey._arguments import check_count
from covey.seeds import RandomState, generator

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

# X and y: two arrays, or a pandas frame and series when ``as_frame=True``.
Sample = tuple[Any, Any]


class ClassificationTask(ABC):
    """A classification problem whose distribution is known, and with it the Bayes-optimal rule.

    A task draws cases with ``sample`` and gives the posterior of each class with ``class_probabilities``; the optimal
    decision and its error follow from these two.
    """

    @abstractmethod
    def sample(self, n_samples: int, random_state: RandomState = None) -> tuple[Floats, Codes]:
        """Draw independent cases.

        Parameters
        ----------
        n_samples : int
            Number of cases.
        random_state : int, None, RandomState, Generator or SeedSequence
            Where the randomness comes from.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
        y : ndarray of shape (n_samples,)
            Class codes 0, 1, ...
        """

    @abstractmethod
    def class_probabilities(self, X: ArrayLike) -> Floats:
        """Return P(class | x), one row per case and one column per class code."""

    def predict(self, X: ArrayLike) -> Codes:
        """Return the Bayes-optimal class codes; where classes tie, the lowest code."""
        return np.asarray(self.class_probabilities(X).argmax(axis=1), dtype=np.int64)

    def bayes_error(self, n_samples: int = 200_000, random_state: RandomState = 0) -> float:
        """Estimate the lowest error any classifier can reach.

        The mean of ``1 - max P(class | x)`` over drawn cases is used rather than the share of wrong decisions: both
        have the same expectation, but the mean does not carry the noise of the drawn classes.

        Parameters
        ----------
        n_samples : int
            Number of cases to draw.
        random_state : int, None, RandomState, Generator or SeedSequence
            Where the randomness comes from.

        Returns
        -------
        float
            The error, from 0 to 1.
        """
        check_count("n_samples", n_samples, 1)
        X, _ = self.sample(n_samples, random_state)
        return float(np.mean(1.0 - self.class_probabilities(X).max(axis=1)))


def start(n_samples: int, random_state: RandomState) -> np.random.Generator:
    """Check how many rows are to be drawn and return what draws them."""
    check_count("n_samples", n_samples, 1)
    return generator(random_state)


def check_columns(X: ArrayLike, n_features: int) -> Floats:
    """Return X as a matrix of floats; raise unless it has as many columns as the task generates."""
    table = np.asarray(X, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != n_features:
        raise ValueError(
            f"X has the shape {table.shape} but the task generates {n_features} features; "
            "give one row per case with the generated columns in their order."
        )
    return table


def numbered_names(n_features: int, prefix: str = "x") -> list[str]:
    """Return x1, x2, ...: numbered from one, as in the papers."""
    return [f"{prefix}{number}" for number in range(1, n_features + 1)]


def present(
    X: Floats,
    y: NDArray[Any],
    *,
    as_frame: bool,
    target: str = "class",
    names: Sequence[str] | None = None,
    categorical: Sequence[str] = (),
) -> Sample:
    """Return the sample as arrays, or as a frame with the columns `names` (x1, x2, ...) and a series called `target`.

    Columns in `categorical` are boolean: in a frame they get the category dtype with the categories 0 and 1.
    """
    if not as_frame:
        return X, y
    frame = pd.DataFrame(X, columns=list(names) if names is not None else numbered_names(X.shape[1]))
    boolean = pd.CategoricalDtype([0, 1])
    return frame.astype(dict.fromkeys(categorical, boolean)), pd.Series(y, name=target)
