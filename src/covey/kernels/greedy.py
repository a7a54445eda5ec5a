"""Greedy covers, as class cover catch digraphs make them: the sphere that covers most comes first."""

from __future__ import annotations

from typing import Any

from numba import types

from covey.kernels.compile import kernel, loop, read_only
from covey.kernels.cover import KEPT, NEVER, PRUNED, size_of
from covey.kernels.inside import CROWD, Crowd, crowd_of, look_inside


@loop
def _gain(crowd: Crowd, k: int, covered: Any, weight: Any) -> float:
    """Return the weight of the cases in a sphere that are not covered."""
    total = 0.0
    for i in range(crowd.counts[k]):
        if not covered[crowd.inside[k, i]]:
            total += weight[crowd.inside[k, i]]
    return total


@loop
def _four_most_promising(crowd: Crowd, gain: Any, first: int, last: int) -> None:
    """Fill the batch with the four cases of a class whose spheres may cover most, the first of equals first."""
    batch = crowd.batch
    for k in range(4):
        best = -1
        for i in range(first, last):
            taken = False
            for other in range(k):
                taken = taken or batch[other] == i
            if not taken and (best < 0 or gain[i] > gain[best]):
                best = i
        batch[k] = batch[0] if best < 0 else best


@kernel(
    types.void(
        *CROWD,
        types.int64,
        types.int64,
        types.int64,
        read_only(types.float64, 1),
        types.float64,
        types.int8[::1],
        types.float64[::1],
        types.float64[::1],
    )
)
def measure_spheres(
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
    first: int,
    last: int,
    weight: Any,
    least_size: float,
    fate: Any,
    size: Any,
    gain: Any,
) -> None:
    """Fill in the sizes of some spheres of a class, and what each would cover if it came first."""
    crowd = crowd_of(lanes, members, blocks, points, exact, reach, n_plain, n_numbers, unit, radius)
    for at in range(first, last, 4):
        for k in range(4):
            crowd.batch[k] = min(at + k, last - 1)
        look_inside(crowd, label)
        for k in range(4):
            center = crowd.batch[k]
            if weight[center] > 0.0:
                size[center] = size_of(crowd, k, weight)
                fate[center] = NEVER if size[center] >= least_size else PRUNED
                gain[center] = size[center] if fate[center] == NEVER else 0.0


@kernel(
    types.boolean(
        *CROWD,
        types.int64,
        types.int64,
        types.int64,
        types.int64,
        read_only(types.float64, 1),
        types.int8[::1],
        types.float64[::1],
        types.boolean[::1],
    )
)
def greedy_cover(
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
    first: int,
    last: int,
    n_looks: int,
    weight: Any,
    fate: Any,
    gain: Any,
    covered: Any,
) -> bool:
    """Cover the cases of a class by the spheres that cover most of those not covered yet, one after the other.

    What a sphere would cover can only shrink: the one that promises most is looked at again, and taken if it still
    does. After so many looks the rest is left to another call.

    Parameters
    ----------
    lanes, members, blocks, points, exact, reach, n_plain, n_numbers, unit, radius, weight
        The cases, as of `covey.kernels.cover.random_cover`.
    label, first, last : int
        A class, its first case, and the first of the next class.
    n_looks : int
        How often to look.
    fate, gain, covered
        What has become of the cases, what each sphere promises, as of `measure_spheres`, and which cases are covered;
        all are changed.

    Returns
    -------
    bool
        Whether some is left to do.
    """
    crowd = crowd_of(lanes, members, blocks, points, exact, reach, n_plain, n_numbers, unit, radius)
    for _ in range(n_looks):
        _four_most_promising(crowd, gain, first, last)
        best = crowd.batch[0]
        promised = gain[best]
        if promised <= 0.0:
            return False
        look_inside(crowd, label)
        for k in range(4):
            if gain[crowd.batch[k]] > 0.0:
                gain[crowd.batch[k]] = _gain(crowd, k, covered, weight)
        if gain[best] < promised:
            continue
        fate[best] = KEPT
        gain[best] = 0.0
        for i in range(crowd.counts[0]):
            covered[crowd.inside[0, i]] = True
    return True
