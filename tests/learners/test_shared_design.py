from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from covey.learners.shared_design import standardise, whole_of
from covey.table import as_table

numbers = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 3))
matrices = st.tuples(st.integers(1, 9), st.integers(1, 3)).flatmap(
    lambda shape: arrays(float, shape, elements=st.one_of(numbers, st.just(np.nan)))
)


@given(matrices)
@settings(derandomize=True, deadline=None)
def test_columns_have_mean_0_and_deviation_1_or_do_not_vary(matrix):
    shared = standardise(as_table(matrix))
    for column, found, scale in zip(matrix.T, shared.values, shared.scale, strict=True):
        known = column[~np.isnan(column)]
        np.testing.assert_array_equal(found[np.isnan(column)], 0.0)
        assert (scale > 0) == (len(np.unique(known)) > 1)
        if scale > 0:
            np.testing.assert_allclose(found[~np.isnan(column)], (known - known.mean()) / known.std(), atol=1e-6)
            np.testing.assert_allclose([scale, found.sum()], [known.std(), 0.0], rtol=1e-6, atol=1e-6)
        else:
            assert not found.any()


def test_numbers_at_the_ends_of_the_range_are_brought_to_one_scale():
    matrix = np.array([[1e308, 1e-300, 1e9], [-1e308, 3e-300, 1e9 + 1], [0.0, 2e-300, 1e9 + 2]])
    shared = standardise(as_table(matrix))
    root = np.sqrt(1.5)
    np.testing.assert_allclose(shared.values, [[root, -root, 0], [-root, root, 0], [-root, 0, root]], atol=1e-12)
    np.testing.assert_allclose(shared.scale, np.array([1e308, 1e-300, 1]) / root)


def test_rows_that_do_not_count_are_not_looked_at():
    table = as_table(np.array([[1.0], [3.0], [1e300]]))
    shared = standardise(table.counting(np.array([True, True, False])))
    np.testing.assert_array_equal(shared.values, [[-1, 1, 0]])
    assert (shared.centre, shared.scale) == (2.0, 1.0)
    np.testing.assert_array_equal(standardise(table, np.array([True, True, False])).values, shared.values)


def test_a_gap_becomes_the_weighted_mean_of_the_rows_asked_for():
    shared = standardise(as_table(np.array([[0.0, 5.0], [2.0, 6.0], [4.0, 7.0], [np.nan, 8.0]])))
    weight = np.array([3.0, 0.0, 1.0, 2.0])
    values = shared.part(None, weight)
    in_units = shared.centre[:, None] + shared.scale[:, None] * values
    np.testing.assert_allclose(in_units[0], [0, 2, 4, 1], atol=1e-12)  # (3 * 0 + 1 * 4) / 4
    rows = np.array([0, 2, 3])
    some = shared.part(np.array([1, 0]), weight[rows], rows)
    np.testing.assert_allclose(some, values[[1, 0]][:, rows])
    np.testing.assert_array_equal(shared.values[0, 3], 0.0)  # what is shared stays as it is


def test_a_column_without_a_known_value_does_not_vary():
    frame = pd.DataFrame({"a": [np.nan, np.nan], "b": [1.0, 2.0]})
    shared = standardise(as_table(frame))
    assert shared.scale[0] == 0
    np.testing.assert_array_equal(shared.part(None, np.ones(2))[0], [0, 0])


def test_columns_of_columns_belong_to_the_whole_table():
    table = as_table(np.arange(12.0).reshape(3, 4))
    inner = table.take(np.array([3, 1, 0])).take(np.array([2, 0]))
    whole, attributes = whole_of(inner)
    assert whole is table
    assert attributes.tolist() == [0, 3]
    assert whole_of(table) == (table, None)
