from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from covey import SphereCoverClassifier
from covey.learners.space import space_of
from covey.models.fields import RefusedError
from covey.table import Table, as_table
from models.files import reread

FRAME = pd.DataFrame(
    {
        "gaps": [1.0, np.nan, 5.0, 3.0],
        "colour": pd.Categorical(["red", None, "blue", "red"]),
        "whole": [10, 20, 30, 50],
        "flat": [7.0, 7.0, 7.0, 7.0],
        "real": [0.0, 0.5, 1.0, 0.25],
    }
)


def test_coordinates_by_kind():
    space, points = space_of(as_table(FRAME))
    # whole, flat and real, one more to make them even, then gaps, then colour
    assert space.columns.tolist() == [2, 3, 4, -1, 0, 1]
    assert (points.n_plain, points.n_numbers) == (4, 5)
    np.testing.assert_array_equal(
        points.exact,
        [
            [0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            [0.25, 0.0, 0.5, 0.0, np.inf, -1.0],
            [0.5, 0.0, 1.0, 0.0, 1.0, 0.0],
            [1.0, 0.0, 0.25, 0.0, 0.5, 1.0],
        ],
    )


def test_without_scale_numbers_stay_as_they_are():
    _, points = space_of(as_table(FRAME), scale=False)
    np.testing.assert_array_equal(points.exact[:, 0], [10, 20, 30, 50])
    np.testing.assert_array_equal(points.exact[:, 4], [1, np.inf, 5, 3])


def test_new_rows_may_lie_outside_and_have_new_gaps():
    space, _ = space_of(as_table(FRAME))
    new = space.place(np.array([[9.0, 0.0, np.nan, 100.0, -1.0]]))
    assert new.n_plain == 0  # a number was missing where none was in training
    assert new.exact[0].tolist() == [np.inf, 0.0, -1.0, 0.0, 2.0, 0.0]


@pytest.mark.parametrize("columns", [[4, 0], [1], [2, 3], [0, 1, 2, 2]])
def test_some_columns_keep_their_place_and_scale(columns):
    table = as_table(FRAME)
    part = table.take(np.array(columns))
    space, points = space_of(part)
    np.testing.assert_array_equal(points.exact, space.place(part.matrix).exact)
    alone, expected = space_of(Table(part.matrix, part.schema))
    np.testing.assert_array_equal(points.exact, expected.exact)
    np.testing.assert_array_equal(space.columns, alone.columns)
    assert (space.n_plain, space.n_numbers) == (alone.n_plain, alone.n_numbers)


def test_only_rows_that_count_span_the_space():
    table = as_table(FRAME).counting(np.array([True, True, True, False]))
    _, points = space_of(table)
    np.testing.assert_array_equal(points.exact[:, 0], [0, 0.5, 1, 2])


@pytest.mark.parametrize("largest", [1e-310, 1e-200, 1e200, 1.7e308])
def test_ranges_at_the_ends_of_what_can_be_written(largest):
    _, points = space_of(as_table(np.array([[-largest], [0.0], [largest]])))
    np.testing.assert_allclose(points.exact[:, 0], [0.0, 0.5, 1.0], rtol=1e-12)


def test_a_column_without_values_counts_for_the_missing_alone():
    space, points = space_of(as_table(np.array([[np.nan], [np.nan]])))
    assert np.isinf(points.exact).all()
    assert space.place(np.array([[3.0]])).exact[0, -1] == 0.0


def test_gaps_in_rows_that_do_not_count():
    X = np.random.default_rng(0).random((6, 3))
    X[5] = np.nan
    table = as_table(X).counting(np.arange(6) < 5)
    for part in (table, table.take(np.array([0, 2]))):
        space, points = space_of(part)
        assert (space.n_plain, points.n_plain) == (space.n_numbers, 0)
        assert np.isinf(points.exact[5, : len(part.names)]).all()


@pytest.mark.parametrize(
    "forged",
    [
        {"n_plain": 6},
        {"n_numbers": 9},
        {"n_plain": 3},
        {"low": np.zeros(2)},
        {"columns": np.arange(6)},
        {"n_plain": -2},
    ],
)
def test_a_forged_space_is_noticed(forged):
    cover = SphereCoverClassifier(random_state=0).fit(FRAME, np.arange(len(FRAME)) % 2)
    reread(cover)
    cover._space = replace(cover._space, **forged)
    with pytest.raises(RefusedError):
        reread(cover)
