from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.learners import filled_design as module
from covey.learners.filled_design import own_design, shared_design
from covey.table import Table, as_table

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
