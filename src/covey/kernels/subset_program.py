"""Programs that put the sums of many subsets of coordinates together from sums that they share.

A term is a vector of squared differences, or a sum of such. The first terms are those of the single coordinates; each
step makes a new one: an earlier term and a coordinate's own, some number of times. Coordinates go in blocks of a few
neighbours, and what a subset takes from a block is one term, the same for all subsets that take the same. The distance
along a subset is then the sum of one term for each block that it has a part in.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from covey.kernels.compile import Ints2, kernel, loop, part

# From how many parts on a subset's sum is put together in several turns.
MANY = 9


class Program(NamedTuple):
    """Sums that subsets share."""

    used: Any  # the coordinate of each of the first terms; the term after those is always 0, those of the steps follow
    once: Any  # ones, as many as there are coordinates
    base: Any  # step by step, the term that is begun with, ...
    add: Any  # ... the one that is added to it, ...
    times: Any  # ... and how often
    parts: Any  # the terms of each subset, at least two, one subset after the other, ...
    starts: Any  # ... and where those of each begin
    order: Any  # the subsets by their number of parts, ...
    groups: Any  # ... where those of each number up to `MANY` begin, ...
    ordered: Any  # ... and the parts of all in that order
    along: Any  # the coordinates of each subset in ascending order, ...
    often: Any  # ... how often each counts, ...
    along_starts: Any  # ... and where those of each subset begin
    place: Any  # for the making: the term of each coordinate, -1 for none, ...
    child: Any  # ... and which term a step from another leads to


class Size(NamedTuple):
    """How much of a program's arrays is in use: its coordinates and its steps."""

    n_used: int
    n_steps: int


@part
def new_program(n_subsets: int, n_coordinates: int, n_entries: int, width: int, most: int) -> Program:
    """Return room for a program of so many subsets with so many coordinates in all, none more than ``most`` times."""
    return Program(
        np.empty(n_coordinates, dtype=np.int64),
        np.ones(n_coordinates),
        np.empty(n_entries, dtype=np.uint32),
        np.empty(n_entries, dtype=np.uint32),
        np.empty(n_entries, dtype=np.float32),
        np.empty(n_entries + 2 * n_subsets, dtype=np.uint32),
        np.empty(n_subsets + 1, dtype=np.uint32),
        np.empty(n_subsets, dtype=np.uint32),
        np.empty(MANY + 1, dtype=np.int64),
        np.empty(n_entries + 2 * n_subsets, dtype=np.uint32),
        np.empty(n_entries, dtype=np.int64),
        np.empty(n_entries, dtype=np.float64),
        np.empty(n_subsets + 1, dtype=np.int64),
        np.empty(n_coordinates, dtype=np.int64),
        np.empty((n_coordinates + n_entries + 1, width * most), dtype=np.int32),
    )


@loop
def fill_program(program: Program, counts: Any, width: int, most: int) -> Size:
    """Put the sums of subsets together, given how often each coordinate counts in each; blocks have so many of them."""
    n_used = _fill_used(program, counts)
    n_steps, n_parts, n_along = 0, 0, 0
    for term in range(n_used + 1):
        _clear(program.child, term)
    for subset in range(len(counts)):
        program.starts[subset] = n_parts
        program.along_starts[subset] = n_along
        block, term = -1, n_used  # a subset of nothing is the term that is 0
        for at in range(n_used):
            count = counts[subset, program.used[at]]
            if count == 0:
                continue
            program.along[n_along] = program.used[at]
            program.often[n_along] = count
            n_along += 1
            if at // width != block:
                if block >= 0:
                    program.parts[n_parts] = term
                    n_parts += 1
                block, term = at // width, n_used
            term, n_steps = _step(program, Size(n_used, n_steps), term, at, count, width, most)
        program.parts[n_parts] = term
        n_parts += 1
        if n_parts == program.starts[subset] + 1:  # two at least, the second being 0
            program.parts[n_parts] = n_used
            n_parts += 1
    program.starts[len(counts)] = n_parts
    program.along_starts[len(counts)] = n_along
    _fill_order(program)
    return Size(n_used, n_steps)


@loop
def _fill_used(program: Program, counts: Any) -> int:
    """Number the coordinates that some subset has."""
    for f in range(counts.shape[1]):
        program.place[f] = -1
    for subset in range(len(counts)):
        for f in range(counts.shape[1]):
            if counts[subset, f] > 0:
                program.place[f] = 0
    n_used = 0
    for f in range(counts.shape[1]):
        if program.place[f] >= 0:
            program.place[f] = n_used
            program.used[n_used] = f
            n_used += 1
    return n_used


@loop
def _clear(child: Any, term: int) -> None:
    for key in range(child.shape[1]):
        child[term, key] = -1


@loop
def _step(program: Program, size: Size, term: int, at: int, count: int, width: int, most: int) -> tuple[int, int]:
    """Return the term that is a term and a coordinate's own, so often, and how many steps there are then."""
    if term == size.n_used and count == 1:
        return at, size.n_steps
    key = (at % width) * most + count - 1
    # Nothing is common to all blocks: a step from there is noted with the coordinate, which is never added to itself.
    origin = at if term == size.n_used else term
    known = program.child[origin, key]
    if known >= 0:
        return known, size.n_steps
    new = size.n_used + 1 + size.n_steps
    program.child[origin, key] = new
    _clear(program.child, new)
    program.base[size.n_steps] = term
    program.add[size.n_steps] = at
    program.times[size.n_steps] = count
    return new, size.n_steps + 1


@loop
def _fill_order(program: Program) -> None:
    """Sort subsets by their number of parts."""
    n_subsets = len(program.order)
    most = MANY
    for subset in range(n_subsets):
        most = max(most, program.starts[subset + 1] - program.starts[subset])
    place, end = 0, 0
    for n_parts in range(most + 1):
        if n_parts <= MANY:
            program.groups[n_parts] = place
        for subset in range(n_subsets):
            start = program.starts[subset]
            if program.starts[subset + 1] - start == n_parts:
                program.order[place] = subset
                place += 1
                for at in range(n_parts):
                    program.ordered[end + at] = program.parts[start + at]
                end += n_parts


@kernel
def measure_program(counts: Ints2, width: int, n_entries: int, most: int) -> tuple[int, int, int]:
    """Return the numbers of coordinates, steps and parts of the program for blocks of a width."""
    program = new_program(len(counts), counts.shape[1], n_entries, width, most)
    size = fill_program(program, counts, width, most)
    return size.n_used, size.n_steps, int(program.starts[len(counts)])
