"""Sphere covers: the rows in a sphere, the rows that become centres, and those that they cover.

The rows of a class lie side by side, 64 in a block, and no block holds two classes: a sphere holds rows of its own
class only. Four spheres are looked at in one pass over the blocks.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from covey.kernels.compile import (
    Codes2,
    Flags,
    Floats,
    Floats2,
    Ints,
    Ints2,
    OutBytes,
    OutCodes2,
    OutFlags,
    OutFloats,
    OutInts,
    Singles2,
    fields_of,
    kernel,
    loop,
    part,
)
from covey.kernels.distance import four_distances, squared_distance
from covey.kernels.sizes import LANES
from covey.kernels.tiles import slack_of, stretch

# What became of a row: never a centre, the centre of a sphere, or of one that was too small.
NEVER, KEPT, PRUNED = 0, 1, 2


class ClassRows(NamedTuple):
    """The training rows, in the order of their classes."""

    lanes: Singles2  # the coordinates side by side, block by block
    members: Ints2  # (block, lane): which row is there, -1 for none
    blocks: Ints  # the first block of each class
    single: Singles2  # the rows in float32, ...
    exact: Floats2  # ... and in float64
    reach: float  # the largest size of a number
    n_plain: int  # coordinates that are numbers and never missing
    n_numbers: int  # coordinates that are numbers
    unit: float  # what exact coordinates are multiplied by to make single ones
    radius: Floats  # how large each row's sphere would be


class Batch(NamedTuple):
    """Room to look at four spheres."""

    centers: Any  # four rows
    inside: Any  # (4, n_rows): the rows in their spheres ...
    counts: Any  # ... and how many there are
    sums: Any  # (4, LANES): squared distances in float32


# A `ClassRows` as kernels are given it.
Given = Annotated[tuple[Any, ...], fields_of(ClassRows)]


@part
def new_batch(n_rows: int) -> Batch:
    """Return room for four spheres."""
    inside = np.empty((4, max(n_rows, 1)), dtype=np.int32)
    return Batch(np.zeros(4, np.int64), inside, np.zeros(4, np.int64), np.empty((4, LANES), dtype=np.float32))


@loop
def look_inside(rows: ClassRows, batch: Batch, label: int) -> None:
    """List the rows in the spheres of a batch of centres of a class; one without a radius holds its centre alone."""
    centers, counts = batch.centers, batch.counts
    n_columns = rows.single.shape[1]
    slack = slack_of(rows.reach, rows.reach, n_columns, rows.n_numbers, rows.unit)
    one = np.float32(rows.unit * rows.unit)
    factor = stretch(n_columns)
    for k in range(4):
        counts[k] = 0
    for block in range(rows.blocks[label], rows.blocks[label + 1]):
        which = (centers[0], centers[1], centers[2], centers[3])
        four_distances(rows.lanes, block * n_columns, rows.single, which, rows.n_plain, rows.n_numbers, one, batch.sums)
        for k in range(4):
            reach = rows.radius[centers[k]] * rows.unit
            upper = reach * factor + slack
            lower = max(reach - slack, 0.0) / factor if slack < np.inf else 0.0
            _keep_inside(rows, batch, block, k, lower * lower / factor, upper * upper * factor)
    for k in range(4):
        if counts[k] == 0:
            batch.inside[k, 0] = centers[k]
            counts[k] = 1


@loop
def _keep_inside(rows: ClassRows, batch: Batch, block: int, k: int, lower: float, upper: float) -> None:
    """Note the rows of a block that lie in a sphere: surely below one bound, possibly below the other."""
    sums, n_columns = batch.sums, rows.single.shape[1]
    center = batch.centers[k]
    near = 0
    for lane in range(LANES):
        near += sums[k, lane] <= upper
    if near == 0:
        return
    for lane in range(LANES):
        row = rows.members[block, lane]
        if sums[k, lane] > upper or row < 0:
            continue
        if sums[k, lane] >= lower:
            squared = squared_distance(rows.exact, center, rows.exact, row, rows.n_plain, rows.n_numbers, n_columns)
            if np.sqrt(squared) >= rows.radius[center]:
                continue
        batch.inside[k, batch.counts[k]] = row
        batch.counts[k] += 1


@kernel
def list_inside(
    given: Given,
    centers: Ints,  # in the order of their classes
    labels: Ints,  # of the centres
    most: int,  # a sphere that holds more is not listed, ...
    most_in_all: int,  # ... nor one with which the lists would hold more
    sphere: int,  # the spheres from this one ...
    last: int,  # ... to before this one are looked at, but no more than there is room for
    offset: OutInts,  # where the list of each begins
    listed: OutCodes2,  # (room, 1): the lists one after the other
    is_listed: OutFlags,
) -> int:
    """List the rows in the spheres around some rows; return the sphere to go on with."""
    rows = ClassRows(*given)
    batch = new_batch(len(rows.single))
    while sphere < last:
        label, n_alike = labels[sphere], 1
        while n_alike < 4 and sphere + n_alike < last and labels[sphere + n_alike] == label:
            n_alike += 1
        for k in range(4):
            batch.centers[k] = centers[sphere + min(k, n_alike - 1)]
        look_inside(rows, batch, label)
        for k in range(n_alike):
            start, count = offset[sphere + k], batch.counts[k]
            is_listed[sphere + k] = count <= most and start + count <= most_in_all
            if not is_listed[sphere + k]:
                count = 0
            if start + count > len(listed):
                return sphere + k
            for i in range(count):
                listed[start + i, 0] = batch.inside[k, i]
            offset[sphere + k + 1] = start + count
        sphere += n_alike
    return sphere


@loop
def _size_of(rows: ClassRows, batch: Batch, k: int, weight: Any) -> float:
    """Return the weight of the rows in a sphere; one without a radius is no more than one row."""
    center = batch.centers[k]
    if rows.radius[center] == 0.0:
        return min(float(weight[center]), 1.0)
    total = 0.0
    for i in range(batch.counts[k]):
        total += weight[batch.inside[k, i]]
    return total


@loop
def _cover_inside(batch: Batch, k: int, covered: Any) -> None:
    """Mark the rows in a sphere as covered."""
    for i in range(batch.counts[k]):
        covered[batch.inside[k, i]] = True


@loop
def _take_listed(batch: Batch, offset: Any, listed: Any) -> None:
    """Take over the rows in the first sphere of the batch from a list of them."""
    center = batch.centers[0]
    start, count = offset[center], offset[center + 1] - offset[center]
    for i in range(count):
        batch.inside[0, i] = listed[start + i, 0]
    batch.counts[0] = count


@loop
def _next_four(batch: Batch, draws: Any, at: int, end: int, covered: Any, is_listed: Any) -> tuple[int, int]:
    """Fill the batch with the next rows not covered; return where to go on, and how many there are.

    A row whose sphere is listed already comes alone: it costs nothing, and those after it may be covered by it.
    """
    n_centers = 0
    while at < end and n_centers < 4:
        row = draws[at]
        if not covered[row]:
            if is_listed[row] and n_centers > 0:
                break
            batch.centers[n_centers] = row
            n_centers += 1
            if is_listed[row]:
                at += 1
                break
        at += 1
    for k in range(max(n_centers, 1), 4):
        batch.centers[k] = batch.centers[0]
    return at, n_centers


@kernel
def random_cover(
    given: Given,
    label: int,  # a class
    draws: Ints,  # rows of it in the order they are drawn
    weight: Floats,  # rows without weight are absent
    least_size: float,  # a sphere of less weight is not kept
    is_listed: Flags,  # whose spheres are listed already, ...
    offset: Ints,  # ... where the list of each row begins, ...
    listed: Codes2,  # ... and the lists, as of `list_inside`
    fate: OutBytes,  # whether a row became a centre, and if its sphere was kept
    size: OutFloats,  # the weight of the rows in the sphere of each centre
    covered: OutFlags,  # the rows inside of a sphere that was kept; more are added
) -> None:
    """Cover rows of a class by spheres around rows drawn at random among those not covered (algorithm 1).

    Of four rows that are looked at together, those that turn out to be covered by one before them are given up.
    """
    rows = ClassRows(*given)
    batch = new_batch(len(rows.single))
    at = 0
    while at < len(draws):
        at, n_centers = _next_four(batch, draws, at, len(draws), covered, is_listed)
        if n_centers == 0:
            break
        if is_listed[batch.centers[0]]:
            _take_listed(batch, offset, listed)
        else:
            look_inside(rows, batch, label)
        for k in range(n_centers):
            center = batch.centers[k]
            if covered[center]:
                continue
            size[center] = _size_of(rows, batch, k, weight)
            fate[center] = KEPT if size[center] >= least_size else PRUNED
            if fate[center] == KEPT:
                _cover_inside(batch, k, covered)


# Greedy covers, as class cover catch digraphs make them: the sphere that covers most comes first.


@kernel
def measure_spheres(
    given: Given,
    label: int,  # a class
    first: int,  # the spheres around its rows from this one ...
    last: int,  # ... to before this one
    weight: Floats,
    least_size: float,  # a sphere of less weight is never a centre
    fate: OutBytes,
    size: OutFloats,
    gain: OutFloats,  # the weight that each sphere would cover if it came first
) -> None:
    """Fill in the sizes of some spheres of a class, and what each would cover if it came first."""
    rows = ClassRows(*given)
    batch = new_batch(len(rows.single))
    for at in range(first, last, 4):
        for k in range(4):
            batch.centers[k] = min(at + k, last - 1)
        look_inside(rows, batch, label)
        for k in range(4):
            center = batch.centers[k]
            if weight[center] > 0.0:
                size[center] = _size_of(rows, batch, k, weight)
                fate[center] = NEVER if size[center] >= least_size else PRUNED
                gain[center] = size[center] if fate[center] == NEVER else 0.0


@loop
def _gain(batch: Batch, k: int, covered: Any, weight: Any) -> float:
    """Return the weight of the rows in a sphere that are not covered."""
    total = 0.0
    for i in range(batch.counts[k]):
        if not covered[batch.inside[k, i]]:
            total += weight[batch.inside[k, i]]
    return total


@loop
def _four_most_promising(centers: Any, gain: Any, first: int, last: int) -> None:
    """Fill in the four rows of a class whose spheres may cover most, the first of equals first."""
    for k in range(4):
        best = -1
        for i in range(first, last):
            taken = False
            for other in range(k):
                taken = taken or centers[other] == i
            if not taken and (best < 0 or gain[i] > gain[best]):
                best = i
        centers[k] = centers[0] if best < 0 else best


@kernel
def greedy_cover(
    given: Given,
    label: int,  # a class, ...
    first: int,  # ... its first row, ...
    last: int,  # ... and the first of the next class
    n_looks: int,  # how often to look before the rest is left to another call
    weight: Floats,
    fate: OutBytes,
    gain: OutFloats,  # what each sphere promises, as of `measure_spheres`
    covered: OutFlags,
) -> bool:
    """Cover the rows of a class by the spheres that cover most of those not covered yet; say if some is left to do.

    What a sphere would cover can only shrink: the one that promises most is looked at again, and taken if it still
    does.
    """
    rows = ClassRows(*given)
    batch = new_batch(len(rows.single))
    for _ in range(n_looks):
        _four_most_promising(batch.centers, gain, first, last)
        best = batch.centers[0]
        promised = gain[best]
        if promised <= 0.0:
            return False
        look_inside(rows, batch, label)
        for k in range(4):
            if gain[batch.centers[k]] > 0.0:
                gain[batch.centers[k]] = _gain(batch, k, covered, weight)
        if gain[best] < promised:
            continue
        fate[best] = KEPT
        gain[best] = 0.0
        _cover_inside(batch, 0, covered)
    return True
