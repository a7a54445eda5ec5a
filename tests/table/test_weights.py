import numpy as np
import pandas as pd
import polars as pl
import pytest

from covey.table import check_weight

ROWS = np.zeros((3, 2))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, [1, 1, 1]),
        (2, [2, 2, 2]),
        ([1, 0, 2], [1, 0, 2]),
        ([True, False, True], [1, 0, 1]),
        (np.array([1, 0, 2], dtype=np.float32), [1, 0, 2]),
        (pd.Series([1, 0, 2]), [1, 0, 2]),
        (pl.Series([1, 0, 2]), [1, 0, 2]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_weights_become_float64(given, expected):
    found = check_weight(given, ROWS)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1, 2], r"sample_weight.shape == \(2,\), expected \(3,\)"),
        (np.ones((3, 1)), "Sample weights must be 1D array or scalar"),
        ([1, -0.5, -2], r"Negative values in data passed to sample_weight: -0.5 at row 1; use 0 or more"),
        ([1, np.nan, 1], "Input sample_weight contains NaN"),
        ([1, np.inf, 1], "Input sample_weight contains infinity"),
        (pd.Series([1, None, 1], dtype="Int64"), "Input sample_weight contains NaN"),
        ([0, 0, 0], "(?i)sample.weight.*zero"),
        (0.0, "(?i)sample.weight.*zero"),
        ([1e308, 1e308, 1e308], "sample_weight adds up to inf, too much to reckon with; divide it by a constant"),
        (["a", "b", "c"], "could not convert string to float"),
    ],
    ids=str,
)
def test_unusable_weights_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        check_weight(given, ROWS)
