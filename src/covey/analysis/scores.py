"""Scores of methods on datasets, as every comparison of methods takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scores:
    """A score for each dataset and method.

    Parameters
    ----------
    values : ndarray of float64 of shape (n_datasets, n_methods)
        The scores, all finite.
    methods, datasets : tuple of str
        The names of the columns and the rows.
    """

    values: Floats
    methods: tuple[str, ...]
    datasets: tuple[str, ...]

    def ranks(self, *, larger_is_better: bool) -> Floats:
        """Return the rank of each method on each dataset: 1 is best, and ties share the mean of their ranks."""
        from scipy.stats import rankdata

        return np.asarray(rankdata(-self.values if larger_is_better else self.values, axis=1))


def read_scores(
    scores: Any, *, methods: Sequence[str] | None = None, datasets: Sequence[str] | None = None, least_datasets: int = 2
) -> Scores:
    """Return scores with the names of methods and datasets.

    Parameters
    ----------
    scores : array-like or data frame of shape (n_datasets, n_methods), or mapping of method to scores
        One score per dataset and method, for example mean accuracies.
    methods, datasets : sequence of str, optional
        Names; by default a frame's columns and index, otherwise "1", "2", ...
    least_datasets : int, default=2
        How many datasets there must be.
    """
    if isinstance(scores, Scores):
        return scores
    if isinstance(scores, Mapping):
        methods = list(scores) if methods is None else methods
        scores = np.column_stack([np.asarray(column) for column in scores.values()])
    values = _numbers(scores)
    n_datasets, n_methods = values.shape
    rows = getattr(scores, "index", None) if hasattr(scores, "columns") else None
    read = Scores(
        values,
        _names(methods, getattr(scores, "columns", None), n_methods, "methods"),
        _names(datasets, rows, n_datasets, "datasets"),
    )
    if n_methods < 2:
        raise ValueError(f"scores has {n_methods} method, but a comparison needs two or more: one column each.")
    if n_datasets < least_datasets:
        raise ValueError(
            f"scores has {n_datasets} dataset, but {least_datasets} or more are needed: one row each. To compare two "
            "methods on one dataset, use corrected_t_test with the scores of repeated splits."
        )
    _check_finite(read)
    return read


def check_direction(larger_is_better: Any) -> bool:
    """Return whether larger is better, which only the caller can know."""
    if not isinstance(larger_is_better, bool | np.bool_):
        raise TypeError(
            f"larger_is_better={larger_is_better!r} must be True, as for accuracies, or False, as for errors and times."
        )
    return bool(larger_is_better)


def check_alpha(alpha: Any) -> float:
    """Return a significance level, refusing what is none."""
    if not isinstance(alpha, int | float | np.floating) or not 0 < alpha < 1:
        raise ValueError(f"alpha={alpha!r} must be a number between 0 and 1, such as 0.05.")
    return float(alpha)


def _numbers(scores: Any) -> Floats:
    try:
        values = np.array(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            "scores must be numbers, a row per dataset and a column per method; set other columns as "
            "the index, or drop them."
        ) from None
    if values.ndim != 2:
        raise ValueError(f"scores has {values.ndim} dimensions, but needs two: a row per dataset, a column per method.")
    return values


def _names(given: Any, found: Any, count: int, what: str) -> tuple[str, ...]:
    source = given if given is not None else found
    if source is None:
        return tuple(str(number) for number in range(1, count + 1))
    names = tuple(map(str, source))
    if len(names) != count:
        raise ValueError(f"{what} has {len(names)} names, but scores has {count} {what}.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"{what} has {twice!r} twice; names must differ.")
    return names


def _check_finite(scores: Scores) -> None:
    wrong = np.argwhere(~np.isfinite(scores.values))
    if len(wrong):
        row, column = wrong[0]
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise ValueError(
            f"scores has {scores.values[row, column]} for method {scores.methods[column]!r} on dataset "
            f"{scores.datasets[row]!r}{more}; run what is missing, or leave that dataset or method out."
        )
