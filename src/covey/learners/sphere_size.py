"""The choice of the least size of a sphere, by cross-validation of one cover."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from covey._progress import Progress
from covey.learners.cover import Coverable, CoverRule, Weights, cover_by, draw_order
from covey.learners.sampling import class_by_class

Size = TypeVar("Size", int, float)
Fold = tuple[NDArray[np.int64], NDArray[np.int64]]

# How many held-out predictions tell sizes apart; fewer rows are covered several times, at most so often.
ENOUGH, MOST_REPEATS = 1000, 5

# What is divided by where nothing could be tried at all.
TINY = 1e-300

# Accuracies that differ by less are sums of the same in another order.
EQUAL = 1e-12

# What is tried: every small size, as published, and some larger ones.
SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20)


def splits(cv: Any, codes: NDArray[np.int64], weight: Weights, rng: np.random.Generator) -> Iterator[Fold]:
    """Give training and test rows of each fold.

    A number of folds deals the rows that have weight out to them class by class, at random, so that it works for
    classes of any size; else ``cv`` is what scikit-learn takes.
    """
    if not isinstance(cv, Integral):
        yield from check_cv(cv, codes, classifier=True).split(np.zeros((len(codes), 1)), codes)
        return
    by_class = class_by_class(codes, weight, rng)
    folds = np.arange(len(by_class)) % cv
    for fold in range(min(int(cv), len(by_class))):
        yield by_class[folds != fold], by_class[folds == fold]


class Answer(NamedTuple):
    """What a cover says of rows that it has not seen."""

    at: int  # which least size it has, of those that were tried
    rows: NDArray[np.int64]  # the rows, ...
    codes: NDArray[np.int64]  # ... and the classes it gives them
    is_regular: bool  # whether it has spheres of that size


def answers(
    data: Coverable,
    weight: Weights,
    folds: Iterable[Fold],
    sizes: Sequence[float],
    rng: np.random.Generator,
    *,
    rule: CoverRule = "random",
    repeats: int = 1,
) -> Iterator[Answer]:
    """Cover each fold's training rows by spheres of each least size, all with the same draws."""
    for train, test in folds:
        rest = np.zeros(len(weight))
        rest[train] = weight[train]
        if not rest.any():
            continue
        radius, border = data.surrounded(rest)
        for _ in range(repeats):
            draws = draw_order(rest, rng) if rule == "random" else np.arange(len(rest))
            for at, size in enumerate(sizes):
                cover = cover_by(data, rest, size, radius, border, draws, rule)
                sphere = data.rows.decide(test, cover.centers, cover.radii).sphere
                yield Answer(at, test, data.rows.codes[cover.centers[sphere]], cover.is_regular)


def sphere_size_curve(
    data: Coverable,
    weight: Weights,
    cv: Any,
    rng: np.random.Generator,
    *,
    rule: CoverRule = "random",
    sizes: Sequence[float] = SIZES,
    name: str = "",
    verbose: int = 0,
) -> dict[float, float]:
    """Return the cross-validated accuracy of one cover for each least size.

    Sizes that no sphere reaches in some fold are left out. Of few rows several random covers are made in each fold,
    since one says little. Progress is told in the name of what is fitted.
    """
    codes = data.rows.codes
    right, asked, regular = np.zeros(len(sizes)), np.zeros(len(sizes)), np.ones(len(sizes), dtype=bool)
    repeats = 1
    if rule == "random":
        repeats = min(MOST_REPEATS, max(1, round(ENOUGH / np.count_nonzero(weight))))
    folds = list(splits(cv, codes, weight, rng))
    progress = Progress(name, len(folds) * repeats * len(sizes), verbose, unit="covers tried")
    for answer in answers(data, weight, folds, sizes, rng, rule=rule, repeats=repeats):
        progress.advance()
        regular[answer.at] &= answer.is_regular
        right[answer.at] += weight[answer.rows] @ (answer.codes == codes[answer.rows])
        asked[answer.at] += weight[answer.rows].sum()
    progress.end()
    return {sizes[at]: float(right[at] / max(asked[at], TINY)) for at in np.flatnonzero(regular).tolist()}


def best_of(curve: Mapping[Size, float]) -> Size:
    """Return the value of the greatest accuracy, the first of equals."""
    most = max(curve.values())
    return next(value for value in curve if curve[value] >= most - EQUAL)
