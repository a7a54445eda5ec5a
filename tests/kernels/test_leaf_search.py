"""Rows arranged in leaves, and the closest of them that the search finds."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.kernels.leaves import CAP, FAN, HIGH, LOW, SIDES
from covey.kernels.sizes import LANES
from covey.learners.leaves import Leaves
from covey.learners.space import Points
from learners.test_leaves import find_by_leaves


def mixed_points(rng, n_points):
    """Two numbers, two that may be missing, and a category."""
    exact = rng.integers(0, 7, (n_points, 5)) / 6
    exact[:, 1] = rng.random(n_points)
    exact[:, 2:4][rng.random((n_points, 2)) < 0.2] = np.inf
    exact[:, 4] = rng.integers(-1, 3, n_points)
    return Points(exact, 2, 4)


def closest_rows():
    """The closest rows to some queries, in several subsets."""
    rng = np.random.default_rng(5)
    rows, queries = mixed_points(rng, 1200), mixed_points(rng, 12)
    groups = {"row_groups": rng.integers(0, 3, 1200), "query_groups": rng.integers(0, 3, 12)}
    lists = []
    with np.errstate(invalid="ignore"):  # the difference of two missing numbers
        for counts in ([1, 1, 0, 0, 0], [0, 1, 2, 1, 0], [1, 1, 1, 1, 3], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0]):
            for given_groups in ({}, groups):
                where, squared = find_by_leaves(queries, rows, np.array(counts), count=2, **given_groups)
                lists.append([where.tolist(), squared.tolist()])
    return lists


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n_rows=st.integers(1, 3000), n_groups=st.integers(1, 30))
def test_leaves_are_full_and_hold_rows_of_one_group(seed, n_rows, n_groups):
    rng = np.random.default_rng(seed)
    rows, groups = mixed_points(rng, n_rows), rng.integers(0, n_groups, n_rows)
    made = Leaves.of(rows, np.array([1, 2, 1, 0, 1]), groups)
    leaves, bunches = made.leaves, made.bunches
    np.testing.assert_array_equal(np.sort(made.members), np.arange(n_rows))
    sizes, widths = np.diff(leaves.starts), np.diff(bunches.starts)
    assert leaves.starts[-1] == n_rows
    assert bunches.starts[-1] == len(sizes)
    assert sizes.min() >= 1
    assert sizes.max() <= LANES
    assert widths.max() <= FAN
    n_present = len(np.unique(groups))
    assert (sizes < LANES).sum() <= n_present
    assert (widths < FAN).sum() <= n_present
    for leaf in range(len(sizes)):
        members = made.members[leaves.starts[leaf] : leaves.starts[leaf + 1]]
        assert len(np.unique(groups[members])) == 1
        assert leaves.lowest[leaf] == members.min()
    for group, (first, last) in enumerate(zip(made.bunch_starts[:-1], made.bunch_starts[1:], strict=True)):
        held = made.members[leaves.starts[bunches.starts[first]] : leaves.starts[bunches.starts[last]]]
        assert (groups[held] == group).all()
        assert len(held) == (groups == group).sum()


def assert_boxes(made, boxes, block_and_lane, members_of):
    for at in range(len(boxes.lowest)):
        block, lane = block_and_lane(at)
        values = made.rows.exact[members_of(at)][:, made.chosen.which]
        single = made.rows.single[members_of(at)][:, made.chosen.which] * made.chosen.roots
        for f in range(len(made.chosen.which)):
            here, finite = values[:, f], np.isfinite(values[:, f])
            sides = boxes.boxes[SIDES * (block * len(made.chosen.which) + f) :, lane]
            assert boxes.lows[at, f] == here[finite].min(initial=np.inf)
            assert boxes.highs[at, f] == here[finite].max(initial=-np.inf)
            assert boxes.missing[at, f] == (not finite.all())
            assert sides[LOW] == single[finite, f].min(initial=np.inf)
            assert sides[HIGH] == single[finite, f].max(initial=-np.inf)
            assert sides[CAP] == (np.inf if finite.all() else made.chosen.ones[f])


@pytest.mark.parametrize("n_rows", [1, 70, 1024, 2600])
def test_boxes_hold_their_rows_and_nothing_else(n_rows):
    made = Leaves.of(mixed_points(np.random.default_rng(n_rows), n_rows), np.array([1, 2, 3, 0, 1]))
    leaves, bunches = made.leaves, made.bunches
    bunch_of = np.repeat(np.arange(len(bunches.lowest)), np.diff(bunches.starts))

    def rows_of_leaves(first, last):
        return made.members[leaves.starts[first] : leaves.starts[last]]

    assert_boxes(
        made,
        leaves,
        lambda leaf: (bunch_of[leaf], leaf - bunches.starts[bunch_of[leaf]]),
        lambda leaf: rows_of_leaves(leaf, leaf + 1),
    )
    assert_boxes(
        made,
        bunches,
        lambda bunch: divmod(bunch, FAN),
        lambda bunch: rows_of_leaves(bunches.starts[bunch], bunches.starts[bunch + 1]),
    )


def test_equal_rows_stay_in_their_order():
    made = Leaves.of(Points(np.zeros((3000, 2)), 2, 2), np.ones(2, int))
    assert (np.diff(made.leaves.lowest) > 0).all()


def test_rows_are_split_where_they_spread_most():
    rng = np.random.default_rng(0)
    exact = rng.random((6400, 2)) * [1.0, 0.01]
    made = Leaves.of(Points(exact, 2, 2), np.ones(2, int))
    widths = (made.leaves.highs - made.leaves.lows).mean(axis=0)
    assert widths[0] < 0.02
    assert widths[1] > 0.009


def test_categories_and_missing_numbers_are_told_apart():
    rng = np.random.default_rng(0)
    exact = np.stack([np.where(rng.random(6400) < 0.5, np.inf, 0.3), np.zeros(6400), rng.integers(0, 2, 6400)], axis=1)
    made = Leaves.of(Points(exact, 0, 2), np.ones(3, int))
    leaves = made.leaves
    is_pure = (leaves.lows[:, 2] == leaves.highs[:, 2]) & (leaves.missing[:, 0] == np.isinf(leaves.lows[:, 0]))
    assert is_pure.mean() > 0.9
