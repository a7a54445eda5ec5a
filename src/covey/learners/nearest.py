"""The cases that are nearest, and their vote.

Cases at the same distance count alike, in whatever order they were given: those as near as the last of the k nearest
share the places that are left for them. Of categories and whole numbers many cases are equally near, and the first of
them would be no better than any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.sizes import pieces
from covey.learners.case_base import SLACK, Layout, bytes_of
from covey.learners.closest import find_in_subsets, vote_in_subsets
from covey.learners.space import Points


class Neighbors(NamedTuple):
    """The nearest rows of some queries in each subset, the nearest first: (query, subset, count)."""

    asked: NDArray[np.int64]  # which queries they are
    rows: NDArray[np.int64]  # the rows ...
    codes: NDArray[np.int64]  # ... and their classes
    mass: NDArray[np.float64]  # how many cases each row stands for; 0 where there are no more
    squared: NDArray[np.float64]  # squared distances
    # The places, queries times subsets, where more rows are at the last distance than there was room for: that distance
    # has no mass there, which is all in what follows.
    cut: NDArray[np.int64]
    cut_codes: NDArray[np.int64]  # (cut, class): the classes of all rows at the last distance, by their first rows, ...
    cut_mass: NDArray[np.float64]  # ... and how many cases they have
    cut_sums: NDArray[np.float64]  # (cut,): the sums of their numbers, if these were asked for

    def lists(self, places: NDArray[np.int64]) -> Lists:
        """Return what was found at some places, queries times subsets."""
        count = self.codes.shape[2]
        rows, codes = self.rows.reshape(-1, count)[places], self.codes.reshape(-1, count)[places]
        mass, squared = self.mass.reshape(-1, count)[places], self.squared.reshape(-1, count)[places]
        if not len(self.cut):
            return Lists(rows, codes, mass, squared)
        more_codes = np.zeros((len(places), self.cut_codes.shape[1]), dtype=np.int64)
        more_mass = np.zeros(more_codes.shape)
        at = np.minimum(np.searchsorted(self.cut, places), len(self.cut) - 1)
        is_cut = self.cut[at] == places
        more_codes[is_cut], more_mass[is_cut] = self.cut_codes[at[is_cut]], self.cut_mass[at[is_cut]]
        order = np.broadcast_to(np.arange(more_codes.shape[1]), more_codes.shape)
        last = np.broadcast_to(squared[:, -1:], more_codes.shape)
        return Lists(
            np.concatenate([rows, order], axis=1),
            np.concatenate([codes, more_codes], axis=1),
            np.concatenate([mass, more_mass], axis=1),
            np.concatenate([squared, last], axis=1),
        )


class Lists(NamedTuple):
    """What was found for a query in a subset, the nearest first, in a row of each array, as of `Neighbors`."""

    order: NDArray[np.int64]  # which of those at the same distance comes first
    codes: NDArray[np.int64]
    mass: NDArray[np.float64]
    squared: NDArray[np.float64]


def find_cases(
    layout: Layout,
    queries: Points,
    counts: NDArray[Any],
    n_neighbors: int,
    n_classes: int,
    own: NDArray[np.int64] | None = None,
    values: NDArray[np.float64] | None = None,
) -> Iterator[Neighbors]:
    """Find the rows that stand for the wanted number of cases and all that are as near as the last of them.

    If there are not as many cases, all are found. ``own`` are the places of the queries in the layout, each of which is
    one case less there: leave-one-out. ``values`` are numbers of the rows. The neighbours come in groups, until each
    query was in one.
    """
    n_rows = len(layout.rows)
    # One more than needed tells whether others are as near.
    todo = [(np.arange(len(queries)), n_neighbors + 1)]
    while todo:
        asked, count = todo.pop()
        part, subsets = queries, counts
        if len(asked) < len(queries):
            part, subsets = queries.take(asked), counts if counts.ndim == 2 else counts[asked]
        itself = np.full(len(asked), -1) if own is None else own[asked]
        # Of a row that stands for several cases only one is left out.
        out = np.where((itself >= 0) & (layout.weight[itself] <= 1.0), itself, -1)
        rows, squared = find_in_subsets(part, layout.points, subsets, own=out, count=min(count, n_rows))
        mass = np.where(rows < 0, 0.0, layout.weight[rows])
        if own is not None:
            mass[rows == itself[:, None, None]] -= 1.0
        reached = np.cumsum(mass, axis=2) >= n_neighbors - SLACK
        is_full = (rows[..., -1] >= 0) & (count < n_rows)
        short = (is_full & ~reached[..., -1]).any(axis=1)
        if short.any():  # rows of little weight: more of them
            todo += [(piece, 4 * count) for piece in np.array_split(asked[short], 4) if len(piece)]
            part, subsets = part.take(np.flatnonzero(~short)), subsets if subsets.ndim == 2 else subsets[~short]
            asked, itself, rows, is_full = asked[~short], itself[~short], rows[~short], is_full[~short]
            squared, mass, reached = squared[~short], mass[~short], reached[~short]
        bound = np.take_along_axis(squared, reached.argmax(axis=2)[..., None], axis=2)
        cut = np.flatnonzero(is_full & (squared[..., -1] <= bound[..., 0] * (1.0 + SLACK)))
        sums = _all_equals(layout, part, subsets, itself, squared, mass, cut, n_classes, values)
        yield Neighbors(asked, rows, layout.codes[rows], mass, squared, cut, *sums)


def _all_equals(
    layout: Layout,
    queries: Points,
    counts: NDArray[Any],
    own: NDArray[np.int64],
    squared: NDArray[np.float64],
    mass: NDArray[np.float64],
    cut: NDArray[np.int64],
    n_classes: int,
    values: NDArray[np.float64] | None,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Sum up all rows at the last distance found, in place of those that were."""
    sums = np.empty((len(cut), n_classes), dtype=np.int64), np.empty((len(cut), n_classes)), np.empty(len(cut))
    if len(cut):
        from covey.kernels.equals import sum_equals

        lists = squared.reshape(-1, squared.shape[2])
        last = np.ascontiguousarray(lists[cut, -1])
        pairs = np.stack(np.divmod(cut, squared.shape[1]), axis=1)
        counts = np.ascontiguousarray(counts if counts.ndim == 3 else counts[None], dtype=np.int64)
        for some in pieces(len(cut), layout.points.exact.size):
            sum_equals(
                pairs[some],
                queries.exact,
                layout.points.exact,
                counts,
                min(queries.n_plain, layout.points.n_plain),
                layout.points.n_numbers,
                last[some],
                SLACK,
                layout.codes,
                layout.weight,
                np.empty(0) if values is None else values,
                own,
                sums[0][some],
                sums[1][some],
                sums[2][some],
            )
        among = mass.reshape(lists.shape)
        among[cut] = np.where(lists[cut] >= last[:, None] * (1.0 - SLACK), 0.0, among[cut])
    return sums


def take_nearest(mass: NDArray[np.float64], squared: NDArray[np.float64], n_neighbors: int) -> NDArray[np.float64]:
    """Return how many cases of each row are among the nearest; those as near as the last share what is left for them.

    Both arrays are lists x count, the nearest first.
    """
    reached = np.cumsum(mass, axis=1) >= n_neighbors - SLACK
    bound = np.take_along_axis(squared, reached.argmax(axis=1)[:, None], axis=1)
    bound = np.where(reached.any(axis=1, keepdims=True), bound, np.inf)
    nearer = np.where(squared < bound * (1.0 - SLACK), mass, 0.0)
    as_near = np.where((squared >= bound * (1.0 - SLACK)) & (squared <= bound * (1.0 + SLACK)), mass, 0.0)
    left = n_neighbors - nearer.sum(axis=1, keepdims=True)
    return np.asarray(nearer + as_near * np.minimum(left / np.maximum(as_near.sum(axis=1, keepdims=True), SLACK), 1.0))


def class_shares(near: Neighbors, n_neighbors: int, n_classes: int) -> NDArray[np.float64]:
    """Return the share of each class in the nearest cases of each query and subset; 0 where there are none."""
    n_asked, n_subsets, _ = near.codes.shape
    lists = near.lists(np.arange(n_asked * n_subsets))
    shares = _shares(lists.codes, take_nearest(lists.mass, lists.squared, n_neighbors), n_classes)
    return shares.reshape(n_asked, n_subsets, n_classes)


def nearest_winners(
    near: Neighbors, n_neighbors: int, n_classes: int, keys: NDArray[np.float64] | None = None
) -> NDArray[np.int64]:
    """Return the class with the most nearest cases of each query and subset; -1 without cases.

    Of several classes it is the one whose nearest case is nearest; of several such the one that has the greatest of
    the keys of a subset, of shape (n_subsets, n_classes), or without keys the one whose nearest case is the first.
    """
    winners = near.codes[..., 0].copy()
    alone = np.zeros(winners.shape, dtype=bool)
    if n_neighbors == 1:
        alone = near.mass[..., 0] >= 1.0 - SLACK
        if near.squared.shape[2] > 1:
            alone &= near.squared[..., 1] > near.squared[..., 0] * (1.0 + SLACK)
    places = np.flatnonzero(~alone)
    if not len(places):
        return winners
    order, codes, mass, squared = near.lists(places)
    taken = take_nearest(mass, squared, n_neighbors)
    shares = _shares(codes, taken, n_classes)
    tied = shares >= shares.max(axis=1, keepdims=True) - SLACK
    best = np.take_along_axis(tied, codes, axis=1) & (taken > 0)
    first = best.argmax(axis=1)[:, None]
    best &= squared <= np.take_along_axis(squared, first, axis=1) * (1.0 + SLACK)
    liked = -order if keys is None else keys[places[:, None] % len(keys), codes]
    first = np.where(best, liked, -np.inf).argmax(axis=1)[:, None]
    chosen = np.take_along_axis(codes, first, axis=1)[:, 0]
    winners.reshape(-1)[places] = np.where(best.any(axis=1), chosen, -1)
    return winners


def bytes_along(layout: Layout, n_subsets: int, n_neighbors: int, n_classes: int) -> int:
    """Return about how much memory `winners_along` takes for one query."""
    is_direct = n_neighbors == 1 and layout.has_whole_cases
    return 16 * n_subsets if is_direct else bytes_of(n_subsets, n_neighbors, n_classes)


def winners_along(
    layout: Layout,
    queries: Points,
    counts: NDArray[Any],
    n_neighbors: int,
    n_classes: int,
    *,
    keys: NDArray[np.float64] | None = None,
    own: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Return the class that the nearest cases of each query vote for in each subset, as `nearest_winners` does.

    Parameters are those of `find_cases` and `nearest_winners`. For one neighbour, of rows that stand for whole cases,
    the search itself counts the votes.
    """
    weight = layout.weight
    if n_neighbors == 1 and layout.has_whole_cases:
        twin = None if own is None else np.where(weight[own] > 1.0, own, -1)
        out = None if own is None else np.where(weight[own] > 1.0, -1, own)
        return vote_in_subsets(
            queries, layout.points, counts, layout.codes, weight, n_classes, keys=keys, own=out, twin=twin
        )
    winners = np.empty((len(queries), counts.shape[-2]), dtype=np.int64)
    for near in find_cases(layout, queries, counts, n_neighbors, n_classes, own):
        winners[near.asked] = nearest_winners(near, n_neighbors, n_classes, keys)
    return winners


def means_along(
    layout: Layout,
    values: NDArray[np.float64],
    queries: Points,
    counts: NDArray[Any],
    n_neighbors: Sequence[int],
    own: NDArray[np.int64] | None = None,
) -> NDArray[np.float64]:
    """Return the mean number of the nearest cases: (number of neighbours, query, subset), NaN without cases.

    ``values`` are the numbers of the layout's rows, which have one class; other parameters are those of `find_cases`.
    """
    n_subsets = counts.shape[-2]
    means = np.empty((len(n_neighbors), len(queries), n_subsets))
    for near in find_cases(layout, queries, counts, max(n_neighbors), 1, own, values):
        lists = near.lists(np.arange(len(near.asked) * n_subsets))
        numbers = np.zeros(lists.mass.shape)
        numbers[:, : near.rows.shape[2]] = values[near.rows].reshape(len(numbers), -1)
        if len(near.cut):
            numbers[near.cut, -1] = near.cut_sums / np.maximum(near.cut_mass[:, 0], SLACK)
        for at, k in enumerate(n_neighbors):
            taken = take_nearest(lists.mass, lists.squared, k)
            with np.errstate(invalid="ignore"):
                mean = np.einsum("ij,ij->i", taken, numbers) / taken.sum(axis=1)
            means[at, near.asked] = mean.reshape(-1, n_subsets)
    return means


def _shares(codes: NDArray[np.int64], taken: NDArray[np.float64], n_classes: int) -> NDArray[np.float64]:
    n_lists = len(codes)
    votes = (np.arange(n_lists)[:, None] * n_classes + codes).ravel()
    shares = np.bincount(votes, taken.ravel(), minlength=n_lists * n_classes).reshape(n_lists, n_classes)
    return np.asarray(shares / np.maximum(shares.sum(axis=1, keepdims=True), SLACK))
