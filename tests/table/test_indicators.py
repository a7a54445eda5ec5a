from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError

from covey.table import Indicators

FRAME = pd.DataFrame(
    {
        "age": [31.0, np.nan, 47.0],
        "town": ["Ely", "York", None],
        "size": pd.Categorical(["s", "l", "s"], ["s", "m", "l"]),
    }
)


def test_numbers_stay_and_categories_become_columns_with_gaps_all_zero():
    found = Indicators().fit_transform(FRAME)
    np.testing.assert_array_equal(found, [[31.0, 1, 0, 1, 0, 0], [np.nan, 0, 1, 0, 0, 1], [47.0, 0, 0, 1, 0, 0]])


def test_columns_are_named_after_their_categories():
    names = Indicators().fit(FRAME).get_feature_names_out().tolist()
    assert names == ["age", "town=Ely", "town=York", "size=s", "size=m", "size=l"]


def test_a_category_never_seen_is_all_zero():
    encoder = Indicators().fit(FRAME)
    new = pd.DataFrame({"age": [1.0, 2.0], "town": ["Bath", "Ely"], "size": ["m", "m"]})
    np.testing.assert_array_equal(encoder.transform(new), [[1, 0, 0, 0, 1, 0], [2, 1, 0, 0, 1, 0]])


def test_any_frame_gives_the_same_numbers():
    other = pl.from_pandas(FRAME, schema_overrides={"size": pl.Enum(["s", "m", "l"])})
    np.testing.assert_array_equal(Indicators().fit_transform(other), Indicators().fit_transform(FRAME))


def test_arrays_go_through_and_columns_can_be_named_categorical():
    X = np.array([[0.0, 5.0], [1.0, 6.0]])
    np.testing.assert_array_equal(Indicators().fit_transform(X), X)
    np.testing.assert_array_equal(Indicators(categorical_features=[1]).fit_transform(X), [[0, 1, 0], [1, 0, 1]])


def test_a_column_without_a_single_value_is_a_column_of_zeros():
    empty = FRAME.assign(town=pd.Categorical([None] * 3, []))
    encoder = Indicators().fit(empty)
    assert encoder.transform(empty)[:, 1].tolist() == [0, 0, 0]
    assert encoder.get_feature_names_out().tolist()[:2] == ["age", "town"]


def test_it_must_be_fitted_and_given_the_same_columns():
    with pytest.raises(NotFittedError):
        Indicators().transform(FRAME)
    with pytest.raises(ValueError, match="feature names"):
        Indicators().fit(FRAME).transform(FRAME[["town", "age", "size"]])
