"""Frames with categories, text and gaps, in training and in prediction."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.utils import get_tags

from common.roster import opinions
from covey import load_model, save_model
from covey.models import needed_trust


def with_gaps(frame: pd.DataFrame) -> pd.DataFrame:
    gaps = frame.astype({"count": float})
    gaps.loc[::5, "length"] = np.nan
    gaps.loc[::7, "count"] = np.nan
    gaps.loc[::3, "colour"] = None
    return gaps


def test_frames_of_any_library_give_the_same_model(entry, mixed):
    frame, y = mixed
    other = pl.from_pandas(frame, schema_overrides={"colour": pl.Enum(["red", "green", "blue"])})
    expected = entry.new().fit(frame, y).predict(frame)
    np.testing.assert_array_equal(expected, entry.new().fit(other, y).predict(other))


def test_categories_by_position_name_and_mask(entry, mixed):
    frame, y = mixed
    codes = frame.assign(colour=frame["colour"].cat.codes, place=(frame["place"] == "here") * 1.0)
    by_name = entry.new(categorical_features=["colour", "place"]).fit(codes, y)
    by_position = entry.new(categorical_features=[2, 3]).fit(codes.to_numpy(dtype=float), y)
    by_mask = entry.new(categorical_features=[False, False, True, True, False]).fit(codes, y)
    expected = by_name.predict(codes)
    np.testing.assert_array_equal(expected, by_position.predict(codes.to_numpy(dtype=float)))
    np.testing.assert_array_equal(expected, by_mask.predict(codes))
    assert by_name.schema_.categorical.tolist() == [False, False, True, True, False]


def test_unknown_category_counts_as_missing(entry, mixed):
    frame, y = mixed
    model = entry.new().fit(frame, y)
    strange = frame.assign(colour="purple")
    absent = frame.assign(colour=pd.Categorical([None] * len(frame), ["red", "green", "blue"]))
    with pytest.warns(UserWarning, match="Column 'colour': none of its 120 values, such as 'purple', was seen"):
        found = model.predict(strange)
    np.testing.assert_array_equal(found, model.predict(absent))


@pytest.mark.filterwarnings("ignore:Missing values in column .* are replaced:UserWarning")
def test_gaps_are_used_or_refused(entry, mixed):
    frame, y = mixed
    gaps = with_gaps(frame)
    if get_tags(entry.estimator).input_tags.allow_nan:
        model = entry.new().fit(gaps, y)
        assert len(model.predict(gaps)) == len(y)
        return
    with pytest.raises(ValueError, match=r"NaN in column 'length'.*impute"):
        entry.new().fit(gaps, y)


def test_column_names(entry, mixed):
    frame, y = mixed
    model = entry.new().fit(frame, y)
    assert model.feature_names_in_.tolist() == list(frame.columns)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[frame.columns[::-1]])
    with pytest.raises(ValueError, match="unknown columns \\['weight'\\]"):
        entry.new(categorical_features=["weight"]).fit(frame, y)


def test_saved_and_loaded_it_predicts_the_same(entry, mixed, tmp_path):
    frame, y = mixed
    model = entry.new().fit(frame, y)
    path = save_model(model, tmp_path / "model.covey")
    # scikit-learn's linear regression is none of the models that declare their state.
    assert needed_trust(path) == (("sklearn",) if "linear-regressor" in entry.name else ())
    loaded = load_model(path)
    np.testing.assert_array_equal(loaded.predict(frame), model.predict(frame))
    np.testing.assert_array_equal(opinions(loaded, frame), opinions(model, frame))
    assert loaded.schema_ == model.schema_


@pytest.mark.parametrize(
    ("name", "value"), [("n_estimators", 0), ("n_estimators", 2.5), ("n_jobs", "two"), ("warm_start", "yes")]
)
def test_bad_parameter_is_named(entry, data, name, value):
    with pytest.raises(ValueError, match=name):
        entry.new(**{name: value}).fit(*data)
