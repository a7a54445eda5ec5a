"""Scores of methods on datasets, as every comparison of methods takes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from covey._text import listed
from covey.analysis.numbers import ROUNDING, Floats, check_finite, read_numbers


@dataclass(frozen=True, eq=False)
class Scores:
    """A finite score for each dataset (row) and method (column)."""

    values: Floats
    methods: tuple[str, ...]
    datasets: tuple[str, ...]

    def ranks(self, *, larger_is_better: bool) -> Floats:
        """Return the rank of each method on each dataset: 1 is best, and ties, but for rounding, share the mean."""
        from scipy.stats import rankdata

        order = np.argsort(self.values, axis=1)
        ordered = np.take_along_axis(self.values, order, axis=1)
        size = np.abs(ordered)
        rises = np.diff(ordered, axis=1) > ROUNDING * np.maximum(size[:, 1:], size[:, :-1])
        places = np.zeros(ordered.shape)
        np.put_along_axis(places, order[:, 1:], np.cumsum(rises, axis=1, dtype=np.float64), axis=1)
        return np.asarray(rankdata(-places if larger_is_better else places, axis=1))


def read_scores(
    scores: Any, *, methods: Sequence[str] | None = None, datasets: Sequence[str] | None = None, least_datasets: int = 2
) -> Scores:
    """Return scores with the names of methods and datasets; given names choose those of a frame, or rename all."""
    if isinstance(scores, Scores):
        return scores
    if isinstance(scores, Mapping):
        scores = _from_mapping(scores)
    if hasattr(scores, "columns"):
        scores, methods, datasets = _from_frame(scores, methods, datasets)
    values = read_numbers(scores, "scores", "give a row per dataset and a column per method")
    if values.ndim != 2:
        raise ValueError(f"scores has {values.ndim} dimensions, but needs two: a row per dataset, a column per method.")
    n_datasets, n_methods = values.shape
    read = Scores(values, _names(methods, n_methods, "methods"), _names(datasets, n_datasets, "datasets"))
    if n_methods < 2:
        raise ValueError(f"scores has {n_methods} method, but a comparison needs two or more: one column each.")
    if n_datasets < least_datasets:
        raise ValueError(
            f"scores has {n_datasets} dataset, but {least_datasets} or more are needed: one row each. To compare two "
            "methods on one dataset, use corrected_t_test with the scores of repeated splits."
        )
    axes = (("on dataset", read.datasets), ("for method", read.methods))
    check_finite(values, "scores", "run what is missing, or leave that dataset or method out", axes)
    values.setflags(write=False)
    return read


def _from_mapping(scores: Mapping[Any, Any]) -> Any:
    """Return scores by method as a frame; series are matched by their datasets."""
    import pandas as pd

    if not scores:
        raise ValueError("scores is empty, but a comparison needs two methods or more.")
    if all(isinstance(column, pd.Series) for column in scores.values()):
        return pd.DataFrame(dict(scores))
    lengths = {name: len(np.ravel(column)) for name, column in scores.items()}
    if len(set(lengths.values())) > 1:
        told = listed([f"{length} for {name!r}" for name, length in lengths.items()], 4)
        raise ValueError(f"scores has different numbers of datasets: {told}; give every method as many scores.")
    frame = pd.DataFrame({name: list(np.ravel(column)) for name, column in scores.items()})
    return frame.rename(index=lambda row: row + 1)


def _from_frame(frame: Any, methods: Any, datasets: Any) -> tuple[Any, Any, Any]:
    """Return a frame with the methods and datasets asked for, and their names; unknown names rename all in order."""
    index = getattr(frame, "index", None)
    if index is not None and getattr(index, "nlevels", 1) > 1:
        levels = ", ".join(str(name) for name in index.names)
        raise ValueError(
            f"scores has several levels of rows ({levels}), but folds or runs of a dataset are no datasets: take means "
            "first, as by scores.groupby(level=0).mean()."
        )
    for name in frame.columns:
        try:
            read_numbers(frame[name], "scores")
        except ValueError:
            raise ValueError(
                f"scores has the column {name!r}, which holds no numbers; make a row per dataset and a column per "
                "method: scores.set_index('dataset'), or from a row per run "
                "scores.pivot_table(index='dataset', columns='method', values='accuracy')."
            ) from None
    frame, methods = _choose(frame, list(frame.columns), methods, lambda names: frame[names])
    if index is not None:
        frame, datasets = _choose(frame, list(index), datasets, lambda names: frame.loc[names])
    return frame, methods, datasets


def _choose(frame: Any, known: list[Any], wanted: Any, take: Callable[[list[Any]], Any]) -> tuple[Any, Any]:
    if wanted is None:
        return frame, known
    place = {str(name): name for name in known}
    names = [str(name) for name in wanted]
    if len(place) == len(known) and set(names) <= set(place):
        return take([place[name] for name in names]), names
    return frame, names


def check_direction(larger_is_better: Any) -> bool:
    """Return whether larger is better, which only the caller can know."""
    if not isinstance(larger_is_better, bool | np.bool_):
        raise TypeError(
            f"larger_is_better={larger_is_better!r} must be True, as for accuracies, or False, as for errors and times."
        )
    return bool(larger_is_better)


def check_alpha(alpha: Any) -> float:
    """Return a significance level, refusing what is none."""
    if not isinstance(alpha, int | float | np.floating) or not 1e-300 <= alpha < 1:
        raise ValueError(f"alpha={alpha!r} must be a number between 0 and 1, such as 0.05.")
    return float(alpha)


def _names(wanted: Any, count: int, what: str) -> tuple[str, ...]:
    names = tuple(map(str, range(1, count + 1) if wanted is None else wanted))
    if len(names) != count:
        raise ValueError(f"{what} has {len(names)} names, but scores has {count} {what}.")
    twice = next((name for name, often in Counter(names).items() if often > 1), None)
    if twice is not None:
        advice = "names must differ" if what == "methods" else "take the mean of its runs, or name them apart"
        raise ValueError(f"{what} has {twice!r} twice; {advice}.")
    return names
