"""Points in levels: their order, and the places of labels."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.plots.levels import crossings, label_lines, place_in_levels

CUBE = ["".join(word) for size in range(4) for word in combinations("abc", size)]
STEPS = [(low, high) for low, high in product(CUBE, CUBE) if set(low) < set(high) and len(high) == len(low) + 1]


def test_a_cube_has_two_crossings_and_no_fewer():
    places, paths = place_in_levels({name: len(name) for name in CUBE}, STEPS)
    rows = [sorted((name for name in CUBE if len(name) == size), key=lambda name: places[name][0]) for size in range(4)]
    assert crossings(rows, STEPS) == 2
    fewest = min(
        crossings([[""], list(low), list(high), ["abc"]], STEPS)
        for low, high in product(permutations(rows[1]), permutations(rows[2]))
    )
    assert fewest == 2
    assert {name: y for name, (_, y) in places.items()} == {name: len(name) for name in CUBE}
    assert sorted(x for name, (x, _) in places.items() if len(name) == 1) == [-1, 0, 1]
    assert [path[0] for path in paths] == [places[low] for low, _ in STEPS]
    assert [path[-1] for path in paths] == [places[high] for _, high in STEPS]


def test_a_tangle_is_undone():
    # Each upper point belongs to one lower point, given in the opposite order.
    levels = {"a": 0, "b": 0, "c": 0, "C": 1, "B": 1, "A": 1}
    places, _ = place_in_levels(levels, [("a", "A"), ("b", "B"), ("c", "C")])
    assert [places[low][0] - places[high][0] for low, high in ("aA", "bB", "cC")] == [0, 0, 0]


def test_a_line_that_passes_a_level_goes_around_its_points():
    places, paths = place_in_levels({"low": 0, "middle": 1, "high": 2}, [("low", "middle"), ("low", "high")])
    way = paths[1]
    assert len(way) == 3
    assert way[1][1] == 1
    assert way[1] != places["middle"]
    assert abs(way[1][0] - places["middle"][0]) >= 1


def test_labels_are_in_the_middle_if_there_is_room():
    _, paths = place_in_levels({"low": 0, "a": 1, "b": 1}, [("low", "a"), ("low", "b")])
    assert label_lines(paths) == [(-0.25, 0.5), (0.25, 0.5)]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_labels_of_lattices_are_apart_and_on_their_lines(size):
    names = ["".join(word) for count in range(size + 1) for word in combinations("abcd"[:size], count)]
    steps = [(low, high) for low, high in product(names, names) if set(low) < set(high) and len(high) == len(low) + 1]
    _, paths = place_in_levels({name: len(name) for name in names}, steps)
    labels = label_lines(paths)
    apart = [np.hypot(a - c, b - d) for (a, b), (c, d) in combinations(labels, 2)]
    assert min(apart) > 0.15
    for (x, y), path in zip(labels, paths, strict=True):
        (left, bottom), (right, top) = path[-2:]
        assert x == pytest.approx(left + (y - bottom) / (top - bottom) * (right - left))
        assert 0.25 < y - bottom < 0.75


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12, unique=True), st.data())
def test_any_levels_have_places_of_their_own(points, data):
    names = {f"{level}.{number}": level for level, number in points}
    upward = [(a, b) for a, b in product(names, names) if names[a] < names[b]]
    lines = data.draw(st.lists(st.sampled_from(upward), unique=True)) if upward else []
    places, paths = place_in_levels(names, lines)
    corners = {corner for path in paths for corner in path[1:-1]}
    assert len(set(places.values())) == len(names)
    assert not corners & set(places.values())
    assert len(label_lines(paths)) == len(lines)
