from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from analysis.diversity.ballots import PREDICTIONS, TRUTH
from covey.analysis.diversity import kappa_error_points, pairwise


def test_a_point_for_each_pair():
    points = kappa_error_points(PREDICTIONS, TRUTH)
    assert len(points) == 3
    assert list(zip(points.first, points.second, strict=True)) == list(combinations(range(3), 2))
    np.testing.assert_allclose(points.kappa, [1 / 16, 4 / 14, -2 / 18])
    np.testing.assert_allclose(points.error, [0.4, 0.5, 0.5])


def test_points_are_those_of_the_pairs():
    random = np.random.default_rng(1)
    predictions, y = random.integers(3, size=(50, 8)), random.integers(3, size=50)
    pairs, points = pairwise(predictions, y), kappa_error_points(predictions, y)
    np.testing.assert_array_equal(points.kappa, pairs.kappa[points.first, points.second])
    np.testing.assert_array_equal(points.error, pairs.mean_error[points.first, points.second])
    assert points.kappa.mean() == pytest.approx(pairs.mean("kappa"))


def test_codes_of_an_ensemble_are_read_as_its_classes():
    codes = [["abc".index(label) for label in row] for row in PREDICTIONS]
    points = kappa_error_points(codes, TRUTH, classes=["a", "b", "c"])
    np.testing.assert_array_equal(points.kappa, kappa_error_points(PREDICTIONS, TRUTH).kappa)


def test_text_and_table_tell_the_same():
    points = kappa_error_points(PREDICTIONS, TRUTH)
    frame = points.table().frame
    np.testing.assert_array_equal(frame["kappa"], points.kappa)
    np.testing.assert_array_equal(frame[["first", "second"]], [[0, 1], [0, 2], [1, 2]])
    assert str(points).startswith("3 pairs of members")
    assert f"error {frame['error'].mean():.3f} (0.400 to 0.500)" in str(points)


def test_one_member_has_no_pair():
    with pytest.raises(ValueError, match="kappa_error_points compares members"):
        kappa_error_points([[0], [1]], [0, 1])
