from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.naive_bayes import GaussianNB

from covey import EnsembleClassifier
from covey.ensemble.inputs import Inputs
from covey.table import Table, as_table

nan = np.nan


@pytest.fixture
def table() -> Table:
    return as_table(
        pd.DataFrame(
            {
                "size": [1.5, nan, 3.5],
                "colour": pd.Categorical(["red", "blue", None], ["red", "green", "blue"]),
                "place": ["here", "there", "here"],
            }
        )
    )


def test_indicators_have_a_column_per_category_and_zeros_for_a_gap(table):
    given = Inputs(table).for_model(GaussianNB(), None)
    np.testing.assert_array_equal(given, [[1.5, 1, 0, 0, 1, 0], [nan, 0, 0, 1, 0, 1], [3.5, 0, 0, 0, 1, 0]])


def test_chosen_columns_are_spread_in_their_order_and_as_often_as_chosen(table):
    given = Inputs(table).for_model(GaussianNB(), np.array([2, 0, 2]), np.array([1, 0]))
    np.testing.assert_array_equal(given, [[0, 1, nan, 0, 1], [1, 0, 1.5, 1, 0]])


def test_a_column_without_any_category_is_a_column_of_zeros():
    table = as_table(pd.DataFrame({"empty": pd.Categorical([None, None]), "size": [1.0, 2.0]}))
    np.testing.assert_array_equal(Inputs(table).for_model(GaussianNB(), np.array([0])), [[0], [0]])


def test_codes_come_with_a_mask(table):
    model = HistGradientBoostingClassifier()
    inputs = Inputs(table)
    inputs.tell_categories(model, np.array([0, 2]))
    assert model.categorical_features.tolist() == [False, True]
    np.testing.assert_array_equal(inputs.for_model(model, np.array([0, 2])), [[1.5, 0], [nan, 1], [3.5, 0]])


def test_covey_models_get_tables(table):
    given = Inputs(table).for_model(EnsembleClassifier(), np.array([1]), np.array([0, 1]))
    assert isinstance(given, Table)
    assert given.names == ("colour",)
    assert given.categories[0].tolist() == ["red", "green", "blue"]
    np.testing.assert_array_equal(given.matrix, [[0], [2]])


def test_all_rows_and_columns_of_plain_numbers_are_not_copied():
    matrix = np.ones((4, 2))
    given = Inputs(as_table(matrix)).for_model(GaussianNB(), None)
    assert np.shares_memory(given, matrix)
    assert not given.flags.writeable
    assert matrix.flags.writeable


def test_covey_models_share_one_table():
    inputs = Inputs(as_table(np.ones((4, 2))))
    assert inputs.for_model(EnsembleClassifier(), None) is inputs.for_model(EnsembleClassifier(), None)


def test_with_gaps_each_model_gets_its_own_copy():
    matrix = np.array([[1.0, nan], [2.0, 3.0]])
    given = Inputs(as_table(matrix)).for_model(GaussianNB(), None)
    given[:] = 7
    assert matrix[0, 0] == 1


def test_too_many_categories_are_refused_by_name(monkeypatch):
    monkeypatch.setattr("covey.table.design.MOST_BYTES", 10_000)
    frame = pd.DataFrame({"colour": ["red", "blue"] * 50, "id": [f"U{i}" for i in range(100)]})
    with pytest.raises(ValueError, match=r"column 'id' has 100 categories; .* Leave the column out"):
        Inputs(as_table(frame)).for_model(GaussianNB(), None)
