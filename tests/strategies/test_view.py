"""What members see: columns as numbers on one scale, and views of views."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from covey.strategies.rotation import Rotation
from covey.strategies.view import CHUNK, FARTHEST, Rotated, as_numbers, view_within
from covey.table import Table, as_table

nan = np.nan


def numbers_of(frame, weight=None):
    table = as_table(frame)
    numbers = as_numbers(table, np.ones(len(table.matrix)) if weight is None else np.asarray(weight, dtype=float))
    return numbers, numbers.of(table.matrix, None)


def rotation(table, seed, **params):
    y = np.arange(len(table.matrix)) % 2
    return Rotation(**params).choose(table, y, np.ones(len(y)), np.random.default_rng(seed))


def test_numbers_are_scaled_by_their_range():
    numbers, values = numbers_of(np.array([[1.0, 10.0], [2.0, 10.0], [5.0, 30.0]]))
    np.testing.assert_allclose(values, [[-1, -0.5, 1], [-1, -1, 1]])
    assert numbers.attribute.tolist() == [0, 1]


def test_each_category_becomes_a_column_and_two_become_one():
    frame = pd.DataFrame({"colour": ["red", "blue", "green", "red"], "open": ["no", "yes", "yes", "no"]})
    numbers, values = numbers_of(frame)
    assert numbers.attribute.tolist() == [0, 0, 0, 1]
    assert numbers.category.tolist() == [0, 1, 2, 1]  # blue, green, red; yes
    np.testing.assert_array_equal(values, [[-1, 1, -1, -1], [-1, -1, 1, -1], [1, -1, -1, 1], [-1, 1, 1, -1]])


def test_a_gap_becomes_the_mean_or_the_most_frequent_category_of_the_rows_that_have_weight():
    frame = pd.DataFrame({"size": [0.0, nan, 3.0, 4.0, 2.0], "colour": ["red", None, "blue", "green", "red"]})
    _, values = numbers_of(frame, [1, 1, 2, 1, 0])
    assert values[0, 1] == pytest.approx((-1 + 2 * 0.5 + 1) / 4)
    np.testing.assert_array_equal(values[1:, 1], [1, -1, -1])  # blue weighs most


def test_columns_that_do_not_vary_are_dropped():
    frame = pd.DataFrame(
        {
            "same": 3.0,
            "gaps": [nan, 7.0, nan],
            "empty": [nan] * 3,
            "size": [1.0, 2.0, 4.0],
            "weightless": [1.0, 1.0, 2.0],
            "unused": pd.Categorical(["a", "a", None], ["a", "b"]),
        }
    )
    assert numbers_of(frame, [1, 1, 0])[0].attribute.tolist() == [3]


def test_if_no_column_varies_one_is_kept():
    numbers, values = numbers_of(np.full((3, 2), 5.0))
    assert len(numbers) == 1
    assert len(np.unique(values)) == 1


@pytest.mark.parametrize("values", [[-1.7e308, 0.0, 1.7e308], [0.0, 5e-324, 1e-323], [1e308, 1.1e308, 1.2e308]])
def test_the_largest_and_smallest_numbers_stay_in_order(values):
    _, found = numbers_of(np.array(values)[:, None])
    assert np.isfinite(found).all()
    assert (np.diff(found[0]) > 0).all()
    assert np.abs(found).max() <= 1


def test_new_values_far_outside_stay_finite():
    numbers = as_numbers(as_table(np.array([[0.0, 0.0], [1e-300, 1.0]])), np.ones(2))
    found = numbers.of(np.array([[1e300, -1e308]]), None)
    np.testing.assert_array_equal(found, [[FARTHEST], [-FARTHEST]])


@settings(derandomize=True, deadline=None, max_examples=40)
@given(n_columns=st.integers(1, 9), size=st.integers(1, 5), seed=st.integers(0, 999))
def test_seeing_is_multiplying_by_the_matrix(n_columns, size, seed):
    table = as_table(np.random.default_rng(seed).normal(size=(15, n_columns)))
    view = rotation(table, seed, group_size=size)
    expected = view.numbers.of(table.matrix, None).T @ view.matrix
    np.testing.assert_allclose(view.see(table).matrix, expected, atol=1e-12)


def test_a_row_has_the_same_values_alone_and_among_others():
    table = as_table(np.random.default_rng(0).normal(size=(2 * CHUNK + 7, 8)))
    view = rotation(table, 1)
    whole = view.see(table).matrix
    for rows in ([5], [CHUNK - 1, CHUNK, 2 * CHUNK + 6], np.arange(0, len(whole), 3)):
        chosen = np.array(rows)
        np.testing.assert_array_equal(view.see(table, chosen).matrix, whole[chosen])
        np.testing.assert_array_equal(view.see(Table(table.matrix[chosen], table.schema)).matrix, whole[chosen])


def test_new_columns_are_numbers_without_gaps_in_one_block():
    frame = pd.DataFrame({"size": [1.0, nan, 3.0, 2.0], "colour": ["red", "blue", None, "green"]})
    seen = rotation(as_table(frame), 0).see(as_table(frame))
    assert not seen.categorical.any()
    assert np.isfinite(seen.matrix).all()
    assert seen.matrix.flags.c_contiguous
    assert seen.shape == (4, 4)


@pytest.mark.parametrize("outer", ["columns", "rotation", "both"])
@pytest.mark.parametrize("inner", ["columns", "rotation", "both"])
def test_a_view_within_a_view_shows_what_one_after_the_other_shows(outer, inner):
    table = as_table(np.random.default_rng(2).normal(size=(20, 7)))

    def look(view, table):
        return view.see(table) if isinstance(view, Rotated) else Table(table.matrix[:, view], table.schema.take(view))

    def make(kind, table):
        if kind == "columns":
            return np.array([3, 0, 2, 3])
        view = rotation(table, 3)
        return view if kind == "rotation" else view.take(np.array([2, 1, 0, 3]))

    first = make(outer, table)
    shown = look(first, table)
    second = make(inner, shown)
    expected = look(second, shown).matrix
    np.testing.assert_array_equal(look(view_within(second, first), table).matrix, expected)
    third = np.array([1, 0])
    np.testing.assert_array_equal(
        look(view_within(third, view_within(second, first)), table).matrix, expected[:, third]
    )
    deeper = rotation(look(second, shown), 5)
    np.testing.assert_array_equal(
        look(view_within(deeper, view_within(second, first)), table).matrix,
        look(view_within(view_within(deeper, second), first), table).matrix,
    )


def test_none_shows_everything():
    columns = np.array([1, 0])
    assert view_within(None, None) is None
    assert view_within(columns, None) is columns
    assert view_within(None, columns) is columns


def test_the_attributes_are_those_of_the_table():
    table = as_table(np.random.default_rng(2).normal(size=(20, 7)))
    first = np.array([5, 1, 3])
    inner = rotation(Table(table.matrix[:, first], table.schema.take(first)), 0)
    view = view_within(inner, first)
    assert view.attributes.tolist() == [1, 3, 5]
    assert rotation(view.see(table), 1).within(view).attributes.tolist() == [1, 3, 5]
