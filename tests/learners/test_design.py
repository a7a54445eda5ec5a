"""The columns that linear models share."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from covey.learners import design as module
from covey.learners.design import own_design, shared_design, standardise
from covey.learners.per_table import whole_of
from covey.table import Table, as_table

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


FRAME = pd.DataFrame(
    {
        "age": [31.0, np.nan, 47.0, 60.0],
        "town": ["Ely", "York", None, "York"],
        "size": pd.Categorical(["s", "l", None, "l"], ["s", "m", "l"]),
        "empty": [np.nan] * 4,
    }
)


def test_a_gap_is_filled_by_the_mean_or_the_most_frequent_category():
    design = own_design(as_table(FRAME, ["town", "size"]))
    np.testing.assert_array_equal(design.fill, [46, 1, 0, 0, 1, 0])
    np.testing.assert_array_equal(
        design.values, [[31, 0, 1, 0, 0, 0], [46, 1, 0, 0, 1, 0], [47, 1, 0, 0, 1, 0], [60, 1, 0, 0, 1, 0]]
    )
    assert design.values.flags.c_contiguous
    assert design.columns.tolist() == [0, 1, 2, 3, 4, 5]


def test_rows_count_by_their_weight():
    table = as_table(FRAME, ["town", "size"])
    weighted = own_design(table, np.array([3.0, 1.0, 1.0, 0.0]))
    np.testing.assert_array_equal(weighted.fill, [35, 0, 1, 0, 0, 0])
    counted = own_design(table.counting(np.array([True, False, True, False])))
    np.testing.assert_array_equal(counted.fill, [39, 0, 1, 0, 0, 0])


def test_of_two_categories_as_frequent_the_first_fills():
    table = as_table(pd.DataFrame({"town": ["b", "a", "c", None, "c", "a"]}))
    np.testing.assert_array_equal(own_design(table).fill, [1, 0, 0])


def test_the_mean_of_huge_numbers_is_a_number():
    table = as_table(np.array([[1.7e308], [1.7e308], [np.nan]]))
    np.testing.assert_allclose(own_design(table).fill, [1.7e308])


def test_complete_numbers_are_taken_as_they_are():
    table = as_table(np.arange(6.0).reshape(3, 2))
    assert own_design(table).values is table.matrix


def test_columns_of_a_table_are_those_of_the_whole():
    whole = as_table(FRAME, ["town", "size"])
    shared = shared_design(whole)
    part = shared_design(whole.take(np.array([2, 0, 3])).take(np.array([1, 0])))
    assert part.values is shared.values
    assert part.columns.tolist() == [0, 2, 3, 4]
    np.testing.assert_array_equal(part.fill, [46, 0, 0, 1])


def test_a_table_is_looked_at_once(monkeypatch):
    table, asked = as_table(FRAME, ["town", "size"]), []
    monkeypatch.setattr(module, "own_design", lambda one: asked.append(one) or own_design(one))
    for _ in range(3):
        shared_design(table)
        shared_design(table.take(np.array([0, 1])))
    assert len(asked) == 1


def test_categories_that_would_take_too_much_room_are_refused(monkeypatch):
    monkeypatch.setattr("covey.table.design.MOST_BYTES", 100)
    with pytest.raises(ValueError, match="column 'size' has 3 categories"):
        own_design(as_table(FRAME, ["town", "size"]))


def test_what_is_usual_among_some_rows_is_what_a_table_of_them_has():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=40),
            "town": rng.choice(["Ely", "Hull", "York"], 40),
            "flag": rng.choice(["no", "yes"], 40),
        }
    ).astype({"town": "category", "flag": "category"})
    for column in frame:
        frame.loc[rng.random(40) < 0.3, column] = None
    table, rows = as_table(frame), np.arange(3, 40, 2)
    weight = rng.integers(1, 4, size=len(rows)).astype(float)
    found = shared_design(table).of_rows(rows, weight)
    own = own_design(Table(table.matrix[rows], table.schema), weight)
    np.testing.assert_allclose(found.values, own.values)
    np.testing.assert_allclose(found.fill, own.fill)


def test_an_attribute_that_is_there_twice_is_filled_twice():
    frame = pd.DataFrame({"size": np.arange(6.0), "town": [*"abccc", None]}).astype({"town": "category"})
    table = as_table(frame)
    found = shared_design(table.take(np.array([1, 1]))).of_rows(np.arange(6), np.ones(6))
    assert found.values[-1].tolist() == [0, 0, 1, 0, 0, 1]
