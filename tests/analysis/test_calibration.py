"""Reliability bins and the expected calibration error."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import calibration_curve

from covey.analysis import expected_calibration_error, reliability_bins

HAND = [[0.75, 0.25], [0.75, 0.25], [1.0, 0.0]]


def drawn(n_rows, n_classes, seed=0):
    """Probabilities, and labels that are less sure than these."""
    rng = np.random.default_rng(seed)
    probabilities = rng.dirichlet(np.full(n_classes, 0.5), n_rows)
    softer = probabilities**0.5
    softer /= softer.sum(axis=1, keepdims=True)
    return np.array([rng.choice(n_classes, p=row) for row in softer]), probabilities


@pytest.mark.parametrize("n_bins", [1, 7, 10])
@pytest.mark.parametrize("n_classes", [2, 5])
def test_bins_are_those_of_scikit_learn(n_classes, n_bins):
    y, probabilities = drawn(400, n_classes)
    probabilities[:80] = np.random.default_rng(1).multinomial(10, probabilities[:80]) / 10  # on the edges of bins
    bins = reliability_bins(y, probabilities, n_bins=n_bins)
    right = probabilities.argmax(axis=1) == y
    accuracy, confidence = calibration_curve(right, probabilities.max(axis=1), n_bins=n_bins)
    used = bins.counts > 0
    np.testing.assert_allclose(bins.accuracy[used], accuracy)
    np.testing.assert_allclose(bins.confidence[used], confidence)
    assert bins.n_cases == 400
    assert np.isnan([bins.accuracy[~used], bins.confidence[~used], bins.low[~used], bins.high[~used]]).all()


def test_the_error_is_the_sum_over_rows_by_bin():
    y, probabilities = drawn(300, 4)
    sure, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == y
    total = 0.0
    for number in range(10):
        inside = [row for row in range(300) if number / 10 < sure[row] <= (number + 1) / 10]
        total += abs(sum(float(right[row]) - sure[row] for row in inside))
    assert expected_calibration_error(y, probabilities) == pytest.approx(total / 300)
    assert reliability_bins(y, probabilities).error == expected_calibration_error(y, probabilities)


def test_intervals_are_wilsons():
    y, probabilities = drawn(300, 3)
    bins = reliability_bins(y, probabilities)
    z = 1.959963984540054
    for count, share, low, high in zip(bins.counts, bins.accuracy, bins.low, bins.high, strict=True):
        if count:
            middle = (share + z**2 / (2 * count)) / (1 + z**2 / count)
            half = z / (1 + z**2 / count) * np.sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
            assert (low, high) == pytest.approx((middle - half, middle + half), abs=1e-12)


def test_worked_by_hand():
    bins = reliability_bins(["a", "b", "a"], HAND)
    assert bins.counts.tolist() == [0, 0, 0, 0, 0, 0, 0, 2, 0, 1]
    assert bins.error == pytest.approx((2 * 0.25 + 0) / 3)
    assert str(bins) == "Expected calibration error 0.1667 of 3 cases in 10 bins"
    table = bins.table().frame
    assert table.loc["0.7 to 0.8", ["rows", "accuracy"]].tolist() == [2, 0.5]


def test_any_labels_and_classes_that_y_lacks():
    y, probabilities = drawn(60, 3)
    expected = expected_calibration_error(y, probabilities)
    assert expected_calibration_error(np.array(["x", "y", "z"])[y], pd.DataFrame(probabilities)) == expected
    rows = y < 2
    some = reliability_bins(y[rows], probabilities[rows], classes=[0, 1, 2])
    assert some.n_cases == rows.sum()


def test_rows_that_were_not_predicted_are_left_out():
    y, probabilities = drawn(60, 3)
    holes = probabilities.copy()
    holes[::4] = np.nan
    there = np.arange(60) % 4 > 0
    bins = reliability_bins(y, holes)
    assert bins.n_cases == 45
    assert bins.error == expected_calibration_error(y[there], probabilities[there])


@pytest.mark.parametrize(
    ("y", "probabilities", "options", "message"),
    [
        (None, HAND, {}, "y is None"),
        (["a", "b"], HAND, {}, r"shape \(3, 2\), but y has 2 rows and y 2 classes"),
        (["a", "a", "a"], HAND, {}, "y 1 class; .* classes_ as classes if y lacks some"),
        (["a", "b", "c"], HAND, {"classes": ["a", "b"]}, "'c', which is not among classes"),
        (["a", "b", "a"], [0.1, 0.2, 0.3], {}, r"shape \(3,\)"),
        (["a", "b", "a"], [["x", "y"]] * 3, {}, "probabilities must be numbers"),
        (["a", "b", "a"], [*HAND[:2], [2.0, -1.0]], {}, "in row 2, counted from 0"),
        (["a", "b", "a"], [HAND[0], [0.3, 0.3], HAND[2]], {}, "in row 1, .* do not add up to 1"),
        (["a", "b", "a"], [[np.nan] * 2, [np.nan, 0.3], HAND[2]], {}, "in row 1, .* missing"),
        (["a", "b", "a"], np.full((3, 2), np.nan), {}, "no row that is not NaN"),
        (["a", "b", "a"], HAND, {"n_bins": 0}, "n_bins=0 must be a whole number"),
        (["a", "b", "a"], HAND, {"n_bins": 2.5}, "n_bins=2.5 must be a whole number"),
    ],
)
def test_what_is_refused(y, probabilities, options, message):
    with pytest.raises(ValueError, match=message):
        reliability_bins(y, probabilities, **options)
