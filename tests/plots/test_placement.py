"""Labels beside points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.plots.layout import candidates, nearest, place_labels

PAGE = np.array([0.0, 0, 600, 400])
NO_LINES = np.zeros((0, 2))


def placed(points, sizes, lines=NO_LINES, page=PAGE):
    marks = np.concatenate([points - 4, points + 4], axis=1)
    corners = place_labels(points, sizes, page, marks, lines)
    return np.concatenate([corners, corners + sizes], axis=1), marks


def common(boxes, others):
    low, high = np.maximum(boxes[:, None, :2], others[:, :2]), np.minimum(boxes[:, None, 2:], others[:, 2:])
    return np.maximum(high - low, 0).prod(axis=2)


def test_a_lone_label_is_on_the_right():
    boxes, _ = placed(np.array([[300.0, 200]]), np.array([[50.0, 12]]))
    left, low, _, high = boxes[0]
    assert 304 < left < 310
    assert (low + high) / 2 == pytest.approx(200)


def test_at_the_right_edge_it_is_elsewhere():
    boxes, marks = placed(np.array([[595.0, 200]]), np.array([[50.0, 12]]))
    assert boxes[0, 2] <= 600
    assert common(boxes, marks).max() == 0


def test_it_keeps_off_lines():
    line = np.stack([np.arange(0.0, 600, 4), np.full(150, 200.0)], axis=1)
    boxes, _ = placed(np.array([[300.0, 200]]), np.array([[50.0, 12]]), lines=line)
    assert boxes[0, 1] > 200 or boxes[0, 3] < 200


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32 - 1), st.integers(1, 25), st.floats(0.02, 1))
def test_nothing_overlaps(seed, count, crowd):
    rng = np.random.default_rng(seed)
    points = PAGE[2:] * (0.5 + crowd * (rng.random((count, 2)) - 0.5) * 0.95)
    sizes = np.stack([rng.uniform(20, 70, count), np.full(count, 12.0)], axis=1)
    boxes, marks = placed(points, sizes)
    shared = common(boxes, boxes)
    np.fill_diagonal(shared, 0)
    assert shared.max() == 0
    assert common(boxes, marks).max() == 0
    assert (boxes[:, :2] >= 0).all()
    assert (boxes[:, 2:] <= PAGE[2:]).all()


def test_equal_points_have_labels_apart_and_always_the_same():
    points, sizes = np.full((9, 2), 200.0), np.tile([[40.0, 12]], (9, 1))
    boxes, _ = placed(points, sizes)
    shared = common(boxes, boxes)
    np.fill_diagonal(shared, 0)
    assert shared.max() == 0
    np.testing.assert_array_equal(placed(points, sizes)[0], boxes)


def test_more_labels_than_room_are_placed_all_the_same():
    boxes, _ = placed(np.full((30, 2), 20.0), np.tile([[40.0, 12]], (30, 1)), page=np.array([0.0, 0, 50, 50]))
    assert np.isfinite(boxes).all()


def test_candidates_do_not_touch_the_point():
    point, size = np.array([10.0, 20]), np.array([50.0, 12])
    boxes = candidates(point, size)
    away = np.hypot(*(nearest(point, boxes) - point).T)
    assert away.min() > 0.5 * 0.55 * 12
    np.testing.assert_allclose(boxes[:, 2:] - boxes[:, :2], np.tile(size, (len(boxes), 1)))
