"""The closest rows to queries: in the whole space, and along many subsets of its coordinates at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.sizes import LANES, pieces
from covey.learners.space import Lanes, Points, aligned

# Of so many columns, products of matrices are faster than lanes; so many queries take part in one.
MANY_COLUMNS, CHUNK = 150, 256

# How many rows tell where the middle is, and how many numbers are moved there at a time.
CENTERED, MOVED = 64, 2**15

# Up to how many rows the products of two classes are kept, to be used for both.
MOST_MIRRORED = 4000

# Numbers are multiplied in float32 if the largest of them lies between these.
SMALLEST_PRODUCT, LARGEST_PRODUCT = 1e-10, 1e15

# How many coordinates may make a block of those whose sums subsets share.
WIDTHS = (1, 2, 3, 4, 5, 6)

# How long a step takes, which reads two sums and writes a third, beside an addition to what is in the registers.
STEP = 4


def find_closest(
    queries: Points,  # all queries, in the unit of the rows
    lanes: Lanes,  # those to search for
    rows: Points,  # points, or the centres of spheres
    *,
    skip: NDArray[np.int64] | None = None,  # (group, 2): the range of rows that is not searched for each group
    rank: NDArray[np.int64] | None = None,  # which of several rows at the same distance comes first
    radius: NDArray[np.float64] | None = None,  # only spheres that hold a query are searched for it
    count: int = 1,
    by_edge: bool = False,  # whether to look for the closest edge of a sphere, whether the query is in it or not
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Find the closest rows to those queries that are in the lanes.

    Rows, the closest first and -1 where there are none, come with squared distances, or distances from edges.
    """
    from covey.kernels.search import search

    skip = np.zeros((len(lanes.starts) - 1, 2), dtype=np.int64) if skip is None else skip
    if radius is None and count == 1 and are_for_products(queries, rows):
        groups = [members[members >= 0] for members in np.split(lanes.members, lanes.starts[1:-1])]
        return closest_by_products(queries, groups, rows, np.arange(len(rows)), skip, rank)
    largest = float(rows.reach.max(initial=0.0))
    skip_of_blocks = np.repeat(skip, np.diff(lanes.starts), axis=0)
    rank = np.arange(len(rows)) if rank is None else rank
    radius = np.full(len(rows), np.inf) if radius is None else radius
    where, value = np.full((len(queries), count), -1, dtype=np.int64), np.full((len(queries), count), np.inf)
    n_plain, n_columns = min(queries.n_plain, rows.n_plain), rows.single.shape[1]
    searched = rows.single, rows.exact, rank, radius, largest, n_plain, rows.n_numbers, rows.unit, by_edge
    for some in pieces(len(lanes.members), LANES * rows.single.size):
        search(
            lanes.values[some.start * n_columns : some.stop * n_columns],
            lanes.members[some],
            skip_of_blocks[some],
            queries.exact,
            queries.reach,
            searched,
            where,
            value,
        )
    return where, value


def are_for_products(queries: Points, rows: Points) -> bool:
    """Whether the closest rows are found by products of matrices: complete numbers, many of them, of moderate size."""
    is_plain = min(queries.n_plain, rows.n_plain) == rows.n_numbers == rows.exact.shape[1]
    if not is_plain or rows.n_numbers < MANY_COLUMNS:
        return False
    largest = float(rows.reach.max(initial=0.0))
    return largest > SMALLEST_PRODUCT and max(largest, queries.reach.max(initial=0.0)) < LARGEST_PRODUCT


def closest_by_products(
    queries: Points,
    groups: list[NDArray[np.int64]],  # queries that skip the same rows; if they are the rows, places in the order
    rows: Points,
    order: NDArray[np.int64],  # the rows to search
    skip: NDArray[np.int64],  # (group, 2): the range of places in this order that is not searched for each group
    rank: NDArray[np.int64] | None = None,  # as of `find_closest`
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Find the closest row by products of matrices: points of many columns, none of which is missing."""
    from covey.kernels.search import search_products

    middle = rows.exact[:: -(-len(rows) // CENTERED)].mean(axis=0)
    centred = _centred(rows, order, middle)
    norms = np.einsum("ij,ij->i", centred, centred)
    rank = np.arange(len(rows)) if rank is None else rank
    where = np.full((len(queries), 1), -1, dtype=np.int64)
    value = np.full((len(queries), 1), np.inf)
    all_others = [np.delete(np.arange(len(order)), slice(*skipped)) for skipped in skip.tolist()]
    # Of two classes that are each other's enemies, each product is needed twice.
    is_mirrored = queries is rows and len(rows) <= MOST_MIRRORED and len(groups) == 2
    is_mirrored = is_mirrored and all(map(np.array_equal, groups, reversed(all_others)))
    size, products = MOST_MIRRORED if is_mirrored else CHUNK, np.empty((0, 0), dtype=np.float32)
    for at, (members, others) in enumerate(zip(groups, all_others, strict=True)):
        targets = _some_of(centred, others)
        for start in range(0, len(members) if len(others) else 0, size):
            chunk = members[start : start + size]
            asked = _some_of(centred, chunk) if queries is rows else _centred(queries, chunk, middle)
            products = np.ascontiguousarray(products.T) if is_mirrored and at == 1 else asked @ targets.T
            own = norms[chunk] if queries is rows else np.einsum("ij,ij->i", asked, asked)
            known = queries.exact, rows.exact, rank, own, norms[others], where, value
            search_products(products, order[chunk] if queries is rows else chunk, order[others], *known)
    return where, value


def _centred(points: Points, which: NDArray[np.int64], middle: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return some points in float32, seen from a middle, a few at a time: large arrays between would take longer."""
    centred, size = np.empty((len(which), len(middle)), dtype=np.float32), -(-MOVED // len(middle))
    for start in range(0, len(which), size):
        centred[start : start + size] = points.exact[which[start : start + size]] - middle
    return centred


def _some_of(lines: NDArray[np.float32], which: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return some lines, in ascending order, without a copy if they follow each other."""
    follow = len(which) > 0 and which[-1] - which[0] == len(which) - 1
    return lines[which[0] : which[-1] + 1] if follow else lines[which]


class Closest(NamedTuple):
    """The closest rows to each query in each subset, of shape (n_queries, n_subsets, count)."""

    rows: NDArray[np.int64]  # the closest first, of rows at the same distance the lowest; -1 where there are no more
    squared: NDArray[np.float64]  # squared distances; infinite where there are no more


def find_in_subsets(
    queries: Points,
    rows: Points,
    counts: NDArray[Any],  # ([query,] subset, coordinate): how often each coordinate counts, for all queries or each
    *,
    own: NDArray[np.int64] | None = None,  # a row that is not searched for the query, -1 for none
    count: int = 1,
    is_paired: bool = False,  # whether distances are added up as in the space of a subset alone
) -> Closest:
    """Find the closest rows to each query along each of many subsets of the coordinates."""
    shape = (len(queries), counts.shape[-2], count)
    closest = Closest(np.empty(shape, dtype=np.int64), np.empty(shape))
    nobody, no_numbers = np.full(len(queries), -1), np.empty(0, dtype=np.int64)
    polled = Polled(no_numbers, np.empty(0), np.empty((0, 0)), nobody, 0, np.empty((0, 0), dtype=np.int64))
    _search(queries, rows, counts, own, polled, *closest, is_paired=is_paired)
    return closest


def vote_in_subsets(
    queries: Points,
    rows: Points,
    counts: NDArray[Any],
    codes: NDArray[np.int64],  # the class of each row ...
    weight: NDArray[np.float64],  # ... and how many votes it has, at least 1
    n_classes: int,
    *,
    keys: NDArray[np.float64] | None = None,  # (subset, class): of even votes the greatest wins, else the lowest row
    own: NDArray[np.int64] | None = None,
    twin: NDArray[np.int64] | None = None,  # a row that has one vote less for the query, -1 for none
) -> NDArray[np.int64]:
    """Find the class of the closest rows to each query along each subset, -1 without any: all at one distance vote.

    Parameters are those of `find_in_subsets`, and who votes for what.
    """
    n_subsets = counts.shape[-2]
    winners = np.full((len(queries), n_subsets), -1, dtype=np.int64)
    twin = np.full(len(queries), -1) if twin is None else twin
    keys = np.empty((0, n_classes)) if keys is None else keys
    polled = Polled(codes, weight, np.ascontiguousarray(keys), twin, n_classes, winners)
    _search(
        queries, rows, counts, own, polled, np.empty((1, n_subsets, 1), dtype=np.int64), np.empty((1, n_subsets, 1))
    )
    return winners


class Polled(NamedTuple):
    """Who votes for what, as the kernel takes it, and where it fills in who won."""

    codes: NDArray[np.int64]
    weight: NDArray[np.float64]
    keys: NDArray[np.float64]
    twin: NDArray[np.int64]
    n_classes: int
    winners: NDArray[np.int64]


def _search(
    queries: Points,
    rows: Points,
    counts: NDArray[Any],
    own: NDArray[np.int64] | None,
    polled: Polled,
    where: NDArray[np.int64],
    value: NDArray[np.float64],
    *,
    is_paired: bool = False,
) -> None:
    from covey.kernels.subset_search import search_subsets

    counts = np.ascontiguousarray(counts if counts.ndim == 3 else counts[None], dtype=np.int64)
    if not len(queries) or not counts.shape[1]:
        return
    n_entries, most = max(int(np.count_nonzero(counts, axis=(1, 2)).max(initial=0)), 1), int(counts.max(initial=1))
    own = np.full(len(queries), -1) if own is None else own
    width = _best_width(counts[0], n_entries, most)
    room = aligned((counts.shape[2] + n_entries + counts.shape[1] + 2, LANES // 2))
    has_vote = len(polled.codes) > 0
    n_plain = min(queries.n_plain, rows.n_plain)
    largest, whole = float(rows.reach.max(initial=0.0)), rows.whole & queries.whole
    searched = rows.exact, largest, rows.unit, n_plain, rows.n_numbers, whole, is_paired
    for some in pieces(len(queries), len(rows) * n_entries):
        search_subsets(
            rows.blocks,
            queries.single[some],
            queries.exact[some],
            queries.reach[some],
            searched,
            own[some],
            counts[some] if len(counts) > 1 else counts,
            width,
            n_entries,
            most,
            room,
            polled.codes,
            polled.weight,
            polled.keys,
            polled.twin[some],
            polled.n_classes,
            where if has_vote else where[some],
            value if has_vote else value[some],
            polled.winners[some],
        )


def _best_width(counts: NDArray[np.int64], n_entries: int, most: int) -> int:
    """Return how many coordinates to take together so that the sums of all subsets take the least time."""
    from covey.kernels.subset_program import measure_program

    def cost(width: int) -> int:
        _, n_steps, n_parts = measure_program(counts, width, n_entries, most)
        return int(STEP * n_steps + n_parts)

    return min(WIDTHS, key=cost)
