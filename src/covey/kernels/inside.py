"""Which cases lie in a sphere around one of them.

The cases of a class lie side by side, 64 in a block, and no block holds two classes: a sphere holds cases of its own
class only. Four spheres are looked at in one pass over the blocks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from covey.kernels.compile import kernel, loop, part, read_only
from covey.kernels.distance import four_distances, squared_distance
from covey.kernels.lanes import LANES
from covey.kernels.tiles import slack_of, stretch


class Crowd(NamedTuple):
    """The training cases, and room to look at four spheres.

    Attributes
    ----------
    lanes, members, blocks
        The cases side by side, which case is in a lane, and the first block of each class.
    points, exact
        The cases' coordinates in float32 and float64.
    reach, n_plain, n_numbers, unit
        The largest size of a number, what kinds of coordinates there are, and what exact coordinates are multiplied by
        to make single ones.
    radius
        How large each case's sphere would be.
    sums, batch, inside, counts
        Distances, four centres, the cases in their spheres, and how many there are.
    """

    lanes: Any
    members: Any
    blocks: Any
    points: Any
    exact: Any
    reach: float
    n_plain: int
    n_numbers: int
    unit: float
    radius: Any
    sums: Any
    batch: Any
    inside: Any
    counts: Any


# The types of a crowd up to its radius, which kernels take as arguments.
CROWD = (
    read_only(types.float32, 2),
    read_only(types.int64, 2),
    read_only(types.int64, 1),
    read_only(types.float32, 2),
    read_only(types.float64, 2),
    types.float64,
    types.int64,
    types.int64,
    types.float64,
    read_only(types.float64, 1),
)


@part
def crowd_of(
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
) -> Crowd:
    """Return cases with room to look at four spheres."""
    sums = np.empty((4, LANES), dtype=np.float32)
    inside = np.empty((4, max(len(points), 1)), dtype=np.int32)
    batch, counts = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
    return Crowd(
        lanes, members, blocks, points, exact, reach, n_plain, n_numbers, unit, radius, sums, batch, inside, counts
    )


@loop
def look_inside(crowd: Crowd, label: int) -> None:
    """List the cases in the spheres of a batch of centres of a class; one without a radius holds its centre alone."""
    batch, counts, radius = crowd.batch, crowd.counts, crowd.radius
    n_columns = crowd.points.shape[1]
    slack = slack_of(crowd.reach, crowd.reach, n_columns, crowd.n_numbers, crowd.unit)
    one = np.float32(crowd.unit * crowd.unit)
    factor = stretch(n_columns)
    for k in range(4):
        counts[k] = 0
    for block in range(crowd.blocks[label], crowd.blocks[label + 1]):
        which = (batch[0], batch[1], batch[2], batch[3])
        four_distances(
            crowd.lanes, block * n_columns, crowd.points, which, crowd.n_plain, crowd.n_numbers, one, crowd.sums
        )
        for k in range(4):
            reach = radius[batch[k]] * crowd.unit
            upper = reach * factor + slack
            lower = max(reach - slack, 0.0) / factor if slack < np.inf else 0.0
            _sift(crowd, block, k, lower * lower / factor, upper * upper * factor)
    for k in range(4):
        if counts[k] == 0:
            crowd.inside[k, 0] = batch[k]
            counts[k] = 1


@loop
def _sift(crowd: Crowd, block: int, k: int, lower: float, upper: float) -> None:
    """Note the cases of a block that lie in a sphere: surely below one bound, possibly below the other."""
    sums, n_columns = crowd.sums, crowd.points.shape[1]
    center = crowd.batch[k]
    near = 0
    for lane in range(LANES):
        near += sums[k, lane] <= upper
    if near == 0:
        return
    for lane in range(LANES):
        case = crowd.members[block, lane]
        if sums[k, lane] > upper or case < 0:
            continue
        if sums[k, lane] >= lower:
            squared = squared_distance(
                crowd.exact, center, crowd.exact, case, crowd.n_plain, crowd.n_numbers, n_columns
            )
            if np.sqrt(squared) >= crowd.radius[center]:
                continue
        crowd.inside[k, crowd.counts[k]] = case
        crowd.counts[k] += 1


@kernel(
    types.int64(
        *CROWD,
        read_only(types.int64, 1),
        read_only(types.int64, 1),
        types.int64,
        types.int64,
        types.int64,
        types.int64,
        types.int64[::1],
        types.int32[:, ::1],
        types.boolean[::1],
    )
)
def list_inside(
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
    centers: Any,
    labels: Any,
    most: int,
    most_in_all: int,
    sphere: int,
    last: int,
    offset: Any,
    cases: Any,
    is_listed: Any,
) -> int:
    """List the cases in the spheres around some cases, given in the order of their classes.

    A sphere that holds more than ``most`` is not listed, nor one with which the lists would hold more than
    ``most_in_all``. Spheres from ``sphere`` to before ``last`` are looked at, but no more than there is room for.

    Parameters
    ----------
    offset : int64 of shape (n_centers + 1,)
        What is filled in: where the list of each begins.
    cases : int32 of shape (room, 1)
        What is filled in: the lists one after the other.
    is_listed : bool of shape (n_centers,)
        What is filled in: which spheres are listed.

    Returns
    -------
    int
        The sphere to go on with.
    """
    crowd = crowd_of(lanes, members, blocks, points, exact, reach, n_plain, n_numbers, unit, radius)
    while sphere < last:
        label, found = labels[sphere], 1
        while found < 4 and sphere + found < last and labels[sphere + found] == label:
            found += 1
        for k in range(4):
            crowd.batch[k] = centers[sphere + min(k, found - 1)]
        look_inside(crowd, label)
        for k in range(found):
            start, count = offset[sphere + k], crowd.counts[k]
            is_listed[sphere + k] = count <= most and start + count <= most_in_all
            if not is_listed[sphere + k]:
                count = 0
            if start + count > len(cases):
                return sphere + k
            for i in range(count):
                cases[start + i, 0] = crowd.inside[k, i]
            offset[sphere + k + 1] = start + count
        sphere += found
    return sphere
