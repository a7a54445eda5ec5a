"""Training rows under any metric that scikit-learn knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import VALID_METRICS

from covey.learners.cover import MOST_LISTED, UNLISTED, ClassedRows, Enemies, Lists, Verdict, Weights
from covey.learners.space import Space
from covey.table import Table

Metric = str | Callable[..., float]


# Names of the mixed distance.
EUCLIDEAN = ("euclidean", "l2")

# What these need to know of the data, which scikit-learn works out only where there are no new rows.
NEEDED = {"mahalanobis": "VI", "seuclidean": "V"}

# How many distances are held at a time.
MOST_DISTANCES = 2_000_000

# Differences up to this are rounding: between rows that are the same, or at the edge of a sphere.
ROUNDING = 1e-12


def check_metric(metric: Metric, params: Mapping[str, Any] | None) -> None:
    """Refuse the name of a metric that scikit-learn does not know, and parameters that do not go with it."""
    if not isinstance(metric, str):
        return
    known = set(VALID_METRICS["brute"]) - {"precomputed"}
    if metric not in known:
        raise ValueError(f"metric={metric!r} is unknown; give one of {sorted(known)}, or a function of two rows.")
    if metric in (*EUCLIDEAN, "nan_euclidean") and params:
        raise ValueError(f"metric_params={params!r}, but metric={metric!r} has no parameters; leave them out.")
    if metric in NEEDED and NEEDED[metric] not in (params or {}):
        raise ValueError(f"metric={metric!r} needs {NEEDED[metric]!r} in metric_params, as SciPy's function does.")


def takes_missing(metric: Metric) -> bool:
    """Whether a metric has a use for missing values."""
    return metric in (*EUCLIDEAN, "nan_euclidean")


def distances_between(
    left: NDArray[np.float64], right: NDArray[np.float64], metric: Metric, params: Mapping[str, Any]
) -> Iterator[NDArray[np.float64]]:
    """Give the distances of rows from rows, some rows at a time.

    A distance must not depend on which others are asked for with it, or a row could lie inside of the sphere that it
    halts. scikit-learn's products of matrices do, so these metrics are worked out otherwise.
    """
    rows = max(1, int(MOST_DISTANCES / max(len(right), 1)))
    for start in range(0, len(left), rows):
        block = left[start : start + rows]
        if metric == "nan_euclidean":
            yield _nan_euclidean(block, right)
        elif metric in ("cosine", "correlation"):
            distances = cdist(block, right, metric=metric, **params)
            # A row without a direction is as far from others as one at a right angle.
            distances = np.where(np.isnan(distances), 1.0, distances)
            yield np.where(distances < ROUNDING, 0.0, distances)
        else:
            distances = pairwise_distances(block, right, metric=metric, **params)
            yield np.where(np.isnan(distances), np.inf, distances)


def _nan_euclidean(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return distances over the columns that both rows have, scaled up to all; rows with none are as far as can be."""
    total, count = np.zeros((len(left), len(right))), np.zeros((len(left), len(right)))
    for column in range(left.shape[1]):
        squares = (left[:, column, None] - right[None, :, column]) ** 2
        known = ~np.isnan(squares)
        total += np.where(known, squares, 0.0)
        count += known
    n_columns = left.shape[1]
    return np.sqrt(np.where(count > 0, total * n_columns / np.maximum(count, 1), float(n_columns)))


def metric_rows(table: Table, space: Space | None, metric: Metric) -> NDArray[np.float64]:
    """Return rows as a metric other than the mixed distance takes them, scaled if there is a space.

    Of a categorical column there is a column for each category, missing ones among them, that is 1/2 for its own rows
    and 0 for others: absolute differences of two categories add up to 1.
    """
    numbers = ~table.categorical
    missing = np.isnan(table.matrix).any(axis=0) & numbers
    if missing.any() and not takes_missing(metric):
        name = table.names[int(np.argmax(missing))]
        raise ValueError(
            f"Input X contains NaN in column {name!r}, and metric={metric!r} has no use for missing values; use "
            "metric='euclidean' or 'nan_euclidean', which have, or impute them."
        )
    values = table.matrix
    if space is not None:
        exact = space.place(values).exact
        values = values.copy()
        is_number = np.flatnonzero(space.columns[: space.n_numbers] >= 0)
        values[:, space.columns[is_number]] = np.where(np.isinf(exact[:, is_number]), np.nan, exact[:, is_number])
    counts = table.schema.n_categories
    spread = [
        0.5 * (np.nan_to_num(values[:, [j]], nan=counts[j]) == np.arange(counts[j] + 1))
        for j in np.flatnonzero(table.categorical)
    ]
    return np.hstack([values[:, numbers], *spread])


@dataclass(frozen=True, eq=False)
class MetricRows(ClassedRows):
    """Training rows of numbers."""

    rows: NDArray[np.float64]
    metric: Metric  # it and its parameters as `sklearn.metrics.pairwise_distances` takes them
    params: Mapping[str, Any] = field(default_factory=dict)

    def _holds(self, distances: NDArray[np.float64], radius: float) -> NDArray[np.bool_]:
        return distances < radius * (1.0 - ROUNDING)

    def distances(self, row: int) -> NDArray[np.float64]:
        """Return a row's distances from all rows."""
        return np.asarray(next(distances_between(self.rows[[row]], self.rows, self.metric, self.params))[0])

    def list_all(self, radius: Weights) -> Lists | None:
        """List the rows in the sphere of each row, unless they are too many."""
        held: list[NDArray[np.int64]] = [np.empty(0, dtype=np.int64)] * len(self.codes)
        in_all = 0
        for label in np.unique(self.codes):
            alike = np.flatnonzero(self.codes == label)
            start = 0
            for block in distances_between(self.rows[alike], self.rows[alike], self.metric, self.params):
                for distances, row in zip(block, alike[start : start + len(block)].tolist(), strict=True):
                    held[row] = alike[self._holds(distances, radius[row]) | (alike == row)]
                    in_all += len(held[row])
                start += len(block)
                if in_all > MOST_LISTED:
                    return None
        offset = np.cumsum([0, *map(len, held)], dtype=np.int64)
        listed = np.where(radius > 0, radius, UNLISTED)
        return Lists(listed, offset, np.concatenate(held)[:, None].astype(np.int32))

    def decide(self, asked: NDArray[np.int64], centers: NDArray[np.int64], radii: Weights) -> Verdict:
        """Find the sphere that decides each of some rows."""
        return decide(self.rows[asked], self.rows[centers], radii, self.metric, self.params)

    def closest_enemies(self, of: NDArray[np.int64], among: NDArray[np.int64], count: int) -> Enemies:
        """Find the closest rows of other classes."""
        rows = np.full((len(of), count), -1, dtype=np.int64)
        distances = np.full((len(of), count), np.inf)
        for label in np.unique(self.codes[of]):
            asked = np.flatnonzero(self.codes[of] == label)
            others = among[self.codes[among] != label]
            if not len(others):
                continue
            start = 0
            for block in distances_between(self.rows[of[asked]], self.rows[others], self.metric, self.params):
                into = asked[start : start + len(block)]
                best = np.argsort(block, axis=1, kind="stable")[:, :count]
                rows[into, : best.shape[1]] = others[best]
                distances[into, : best.shape[1]] = np.take_along_axis(block, best, axis=1)
                start += len(block)
        return Enemies(rows, distances)


def decide(
    queries: NDArray[np.float64],
    centers: NDArray[np.float64],
    radii: Weights,
    metric: Metric,
    params: Mapping[str, Any],
) -> Verdict:
    """Find the sphere that decides each query."""
    verdicts = []
    for block in distances_between(queries, centers, metric, params):
        holds = block < radii * (1.0 - ROUNDING)
        inside = np.asarray(holds.any(axis=1))
        by_center = np.argmin(np.where(holds, block, np.inf), axis=1)
        sphere = np.where(inside, by_center, np.argmin(block - radii, axis=1))
        verdicts.append(Verdict(sphere, np.take_along_axis(block, sphere[:, None], axis=1)[:, 0], inside))
    return Verdict(*map(np.concatenate, zip(*verdicts, strict=True)))
