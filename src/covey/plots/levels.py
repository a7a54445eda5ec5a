"""Points in levels, joined by lines that go up, in an order in which few of them cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Point = tuple[float, float]
Node = str | tuple[str, str, int]  # a point, or where the line between two points passes a level
Rows = list[list[Node]]
Links = list[tuple[Node, Node]]

SWEEPS = 12
# How far up a line its label may be, the middle first, and how far from other lines is enough.
SHARES = (0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7)
ENOUGH = 0.25


def place_in_levels(
    levels: Mapping[str, int], lines: Sequence[tuple[str, str]]
) -> tuple[dict[str, Point], list[tuple[Point, ...]]]:
    """Return the place of each point, and the corners of each line, which has one at each level that it passes.

    Points of a level are 1 apart and centred at 0, levels are 1 apart. The order is found by the method of Sugiyama,
    Tagawa and Toda (1981): each level is sorted by the mean place of its neighbours in the level below, then, from
    the top, above, and so on; the order with the fewest crossings counts.

    Parameters
    ----------
    levels : mapping of str to int
        The level of each point: 0, 1, and so on.
    lines : sequence of tuple of str
        The lower and the upper point of each line.
    """
    rows: Rows = [[name for name in levels if levels[name] == depth] for depth in range(max(levels.values()) + 1)]
    ways: list[list[Node]] = []
    for lower, upper in lines:
        between: list[Node] = [(lower, upper, depth) for depth in range(levels[lower] + 1, levels[upper])]
        for depth, node in enumerate(between, levels[lower] + 1):
            rows[depth].append(node)
        ways.append([lower, *between, upper])
    links = [link for way in ways for link in pairwise(way)]
    best, fewest = rows, crossings(rows, links)
    for sweep in range(SWEEPS):
        rows = _sort(rows, links, upwards=sweep % 2 == 0)
        crossed = crossings(rows, links)
        if crossed < fewest:
            best, fewest = rows, crossed
    places: dict[Node, Point] = {
        node: (place, float(depth)) for depth, row in enumerate(best) for node, place in _centred(row).items()
    }
    return {name: places[name] for name in levels}, [tuple(places[node] for node in way) for way in ways]


def crossings(rows: Rows, links: Links) -> int:
    """Return how many pairs of links cross, where rows are the orders of the levels."""
    at = {node: (depth, place) for depth, row in enumerate(rows) for place, node in enumerate(row)}
    level, start, end = np.array([(*at[lower], at[upper][1]) for lower, upper in links]).reshape(-1, 3).T
    between = np.sign(start[:, None] - start) * np.sign(end[:, None] - end)
    return int(np.count_nonzero((between < 0) & (level[:, None] == level)) // 2)


def _centred(row: list[Node]) -> dict[Node, float]:
    return {node: place - (len(row) - 1) / 2 for place, node in enumerate(row)}


def _sort(rows: Rows, links: Links, *, upwards: bool) -> Rows:
    """Sort each level but the first by the mean place of its neighbours in the level before."""
    near: dict[Node, list[Node]] = {node: [] for row in rows for node in row}
    for lower, upper in links:
        near[upper if upwards else lower].append(lower if upwards else upper)
    places: dict[Node, float] = {}
    new = []
    for row in rows if upwards else rows[::-1]:
        wanted = _centred(row)
        wanted |= {node: float(np.mean([places[other] for other in near[node]])) for node in row if near[node]}
        new.append(sorted(row, key=wanted.__getitem__))
        places |= _centred(new[-1])
    return new if upwards else new[::-1]


def label_lines(paths: Sequence[tuple[Point, ...]]) -> list[Point]:
    """Return a point on the last stretch of each line, apart from the points and stretches of the others.

    Below each level all points are at one height if they can be: as near the middle as leaves enough room. Else each
    is where it has most room, the points before it being placed already.
    """
    labels: dict[int, Point] = {}
    for level in sorted({path[-1][1] for path in paths}):
        pairs = [(number, pair) for number, path in enumerate(paths) for pair in pairwise(path) if pair[1][1] == level]
        stretches = np.array([pair for _, pair in pairs])
        own = [place for place, (number, _) in enumerate(pairs) if paths[number][-1][1] == level]
        for place, share in zip(own, _shares(stretches, own), strict=True):
            start, end = stretches[place]
            x, y = start + share * (end - start)
            labels[pairs[place][0]] = (float(x), float(y))
    return [labels[number] for number in range(len(paths))]


def _shares(stretches: Floats, own: Sequence[int]) -> list[float]:
    """Return how far up some of the stretches between two levels their labels are."""
    start, end = stretches[:, 0], stretches[:, 1]
    heights = np.array([start[:, 0] + share * (end[:, 0] - start[:, 0]) for share in SHARES])  # where lines pass them
    gaps = np.diff(np.sort(heights, axis=1), axis=1).min(axis=1, initial=ENOUGH)
    if gaps.max() >= ENOUGH:
        return [SHARES[int(np.argmax(gaps))]] * len(own)
    chosen: list[float] = []
    taken: list[Point] = []
    for place in own:
        others = np.delete(heights, place, axis=1)
        room = np.abs(others - heights[:, place, None]).min(axis=1, initial=ENOUGH)
        for x, y in taken:
            room = np.minimum(room, np.hypot(heights[:, place] - x, np.array(SHARES) - y) / 2)
        best = int(np.argmax(np.round(room, 6)))
        chosen.append(SHARES[best])
        taken.append((float(heights[best, place]), SHARES[best]))
    return chosen
