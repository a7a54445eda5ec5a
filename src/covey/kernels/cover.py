"""Sphere covers: which cases become centres, and which they cover."""

from __future__ import annotations

from typing import Any

from numba import types

from covey.kernels.compile import kernel, loop, read_only
from covey.kernels.inside import CROWD, Crowd, crowd_of, look_inside

# What became of a case: never a centre, the centre of a sphere, or of one that was too small.
NEVER, KEPT, PRUNED = 0, 1, 2

# What becomes of cases, which kernels fill in: the fate of each, the size of its sphere, and whether it is covered.
FATES = (types.int8[::1], types.float64[::1], types.boolean[::1])


@loop
def size_of(crowd: Crowd, k: int, weight: Any) -> float:
    """Return the weight of the cases in a sphere; one without a radius is no more than one case."""
    center = crowd.batch[k]
    if crowd.radius[center] == 0.0:
        return min(float(weight[center]), 1.0)
    total = 0.0
    for i in range(crowd.counts[k]):
        total += weight[crowd.inside[k, i]]
    return total


@loop
def take_listed(crowd: Crowd, k: int, offset: Any, listed: Any) -> None:
    """Take over the cases in a sphere of the batch from a list of them."""
    center = crowd.batch[k]
    start, count = offset[center], offset[center + 1] - offset[center]
    for i in range(count):
        crowd.inside[k, i] = listed[start + i, 0]
    crowd.counts[k] = count


@loop
def _next_four(crowd: Crowd, draws: Any, at: int, end: int, covered: Any, is_listed: Any) -> tuple[int, int]:
    """Fill the batch with the next cases not covered; return where to go on, and how many there are.

    A case whose sphere is listed already comes alone: it costs nothing, and those after it may be covered by it.
    """
    found = 0
    while at < end and found < 4:
        case = draws[at]
        if not covered[case]:
            if is_listed[case] and found > 0:
                break
            crowd.batch[found] = case
            found += 1
            if is_listed[case]:
                at += 1
                break
        at += 1
    for k in range(max(found, 1), 4):
        crowd.batch[k] = crowd.batch[0]
    return at, found


@kernel(
    types.void(
        *CROWD,
        types.int64,
        read_only(types.int64, 1),
        read_only(types.float64, 1),
        types.float64,
        read_only(types.boolean, 1),
        read_only(types.int64, 1),
        read_only(types.int32, 2),
        *FATES,
    )
)
def random_cover(
    lanes: Any,
    members: Any,
    blocks: Any,
    points: Any,
    exact: Any,
    reach: float,
    n_plain: int,
    n_numbers: int,
    unit: float,
    radius: Any,
    label: int,
    draws: Any,
    weight: Any,
    least_size: float,
    is_listed: Any,
    offset: Any,
    listed: Any,
    fate: Any,
    size: Any,
    covered: Any,
) -> None:
    """Cover cases of a class by spheres around cases drawn at random among those not covered (algorithm 1).

    Of four cases that are looked at together, those that turn out to be covered by one before them are given up.

    Parameters
    ----------
    lanes, members, blocks, points, exact, reach, n_plain, n_numbers, unit, radius
        The cases, as of `Crowd`.
    label, draws : int64
        A class, and cases of it in the order they are drawn.
    weight : float64 of shape (n_cases,)
        Cases without weight are absent.
    least_size : float
        A sphere of less weight is not kept.
    is_listed, offset, listed
        Whose spheres are listed already, where each case's list begins, and the lists.
    fate : int8 of shape (n_cases,)
        What is filled in: whether a case became a centre, and if its sphere was kept.
    size : float64 of shape (n_cases,)
        What is filled in: the weight of the cases in the sphere of each centre.
    covered : bool of shape (n_cases,)
        Which cases are inside of a sphere that was kept; more are added.
    """
    crowd = crowd_of(lanes, members, blocks, points, exact, reach, n_plain, n_numbers, unit, radius)
    at = 0
    while at < len(draws):
        at, found = _next_four(crowd, draws, at, len(draws), covered, is_listed)
        if found == 0:
            break
        if is_listed[crowd.batch[0]]:
            take_listed(crowd, 0, offset, listed)
        else:
            look_inside(crowd, label)
        for k in range(found):
            center = crowd.batch[k]
            if covered[center]:
                continue
            size[center] = size_of(crowd, k, weight)
            fate[center] = KEPT if size[center] >= least_size else PRUNED
            if fate[center] == KEPT:
                for i in range(crowd.counts[k]):
                    covered[crowd.inside[k, i]] = True
