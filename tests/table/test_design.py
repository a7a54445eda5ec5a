from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from covey import (
    C45Classifier,
    EnsembleClassifier,
    LeastSquaresRegressor,
    LinearSVMClassifier,
    RandomSubspace,
    load_model,
    save_model,
)
from covey.table import Indicators, as_table, design as module
from covey.table.design import design_of, spread
from covey.table.schema import Schema

FRAME = pd.DataFrame(
    {
        "age": [31.0, np.nan, 47.0],
        "town": ["Ely", "York", None],
        "size": pd.Categorical(["s", "l", "m"], ["s", "m", "l"]),
    }
)


def test_a_number_is_one_column_and_categories_all_but_the_first_have_one():
    table = as_table(FRAME)
    design = design_of(table.schema)
    np.testing.assert_array_equal(design.of(table), [[31, np.nan, 47], [0, 1, np.nan], [0, 0, 1], [0, 1, 0]])
    assert design.names(table.schema).tolist() == ["age", "town=York", "size=m", "size=l"]
    assert not design.is_plain
    assert design.columns_of(np.array([2, 0])).tolist() == [2, 3, 0]
    assert design.columns_of(np.array([], dtype=np.intp)).tolist() == []
    some = spread(table.matrix, design.attribute, design.category, np.array([2, 0]))
    np.testing.assert_array_equal(some, design.of(table)[:, [2, 0]])


def test_every_category_of_more_than_two_may_have_a_column():
    table = as_table(FRAME)
    design = design_of(table.schema, every=True)
    values = [[31, np.nan, 47], [0, 1, np.nan], [1, 0, 0], [0, 0, 1], [0, 1, 0]]
    np.testing.assert_array_equal(design.of(table), values)
    assert design.names(table.schema).tolist() == ["age", "town=York", "size=s", "size=m", "size=l"]
    assert design.columns_of(np.array([2, 0])).tolist() == [2, 3, 4, 0]


def test_an_attribute_with_one_category_or_none_has_no_column():
    frame = pd.DataFrame({"a": ["x", "x"], "b": pd.Categorical([None, None], []), "c": [1.0, 2.0]})
    design = design_of(as_table(frame).schema)
    assert design.attribute.tolist() == [2]
    assert not design.is_plain


def test_missing_values_and_categories_never_seen_are_filled():
    table = as_table(FRAME)
    design = design_of(table.schema)
    new = table.schema.encode(pd.DataFrame({"age": [np.nan, 5.0], "town": ["Bath", "York"], "size": ["l", "s"]}))
    found = design.filled(new, np.array([39.0, 0.5, 0.25, 0.75]))
    np.testing.assert_array_equal(found, [[39, 0.5, 0, 1], [5, 1, 0, 0]])


def test_numbers_alone_are_handed_on_as_they_are():
    table = as_table(np.arange(6.0).reshape(3, 2))
    design = design_of(table.schema)
    assert design.is_plain
    assert design.filled(table.matrix, np.zeros(2)) is table.matrix


def test_an_identifier_is_refused_by_name(monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 100)
    table = as_table(pd.DataFrame({"age": [1.0, 2, 3, 4, 5], "key": list("abcde")}))
    with pytest.raises(ValueError, match=r"column 'key' has 5 categories.*identifier"):
        design_of(table.schema).of(table)


def many_categories() -> pd.DataFrame:
    """Return 400 categories of one row each, but five rows of the last one and three of the first."""
    keys = [f"k{i:03}" for i in range(400)] + ["k399"] * 4 + ["k000"] * 2
    return pd.DataFrame({"age": np.arange(len(keys)) * 1.0, "key": keys})


FREQUENT = ["k399", *(f"k{i:03}" for i in range(254))]  # of equally frequent ones the first


@pytest.mark.parametrize("every", [False, True])
def test_of_many_categories_the_most_frequent_have_a_column_and_the_others_are_the_base(every):
    frame = many_categories()
    table = as_table(frame)
    assert table.categories[1].tolist() == sorted(set(frame["key"]))
    design = design_of(table.schema, every=every)
    values = dict(zip(design.names(table.schema), design.of(table), strict=True))
    expected = ["age", *(f"key={name}" for name in FREQUENT[: 255 if every else 254])]
    assert list(values) == expected
    for name in expected[1:]:
        np.testing.assert_array_equal(values[name], frame["key"] == name.removeprefix("key="))


def test_categories_that_do_not_occur_leave_rows_for_the_base():
    """Review: with 300 declared categories, 250 of them there, each had a column, and these depended on each other."""
    rng = np.random.default_rng(0)
    codes = rng.integers(250, size=3000)
    frame = pd.DataFrame({"key": pd.Categorical.from_codes(codes, [f"k{i}" for i in range(300)])})
    values = design_of(as_table(frame).schema).of(as_table(frame))
    assert np.linalg.matrix_rank(np.vstack([np.ones(len(frame)), values])) == 250
    model = LeastSquaresRegressor().fit(frame, codes * 1.0)
    assert model.ridge_ == 0
    np.testing.assert_allclose(model.predict(frame), codes, atol=1e-9)


def test_all_categories_that_occur_are_told_from_missing_ones():
    """Review: of 300 declared categories, three of them there, one had no column, and looked like a missing value."""
    keys = np.array(["k0", "k100", "k299", None], dtype=object)[np.arange(800) % 4]
    frame = pd.DataFrame({"key": pd.Categorical(keys, [f"k{i}" for i in range(300)])})
    np.testing.assert_array_equal(Indicators().fit_transform(frame)[:4], np.eye(4)[:, :3])
    assert Indicators().fit(frame).get_feature_names_out().tolist() == ["key=k0", "key=k100", "key=k299"]
    model = EnsembleClassifier(DecisionTreeClassifier(), 1).fit(frame, pd.isna(keys))
    assert model.score(frame, pd.isna(keys)) == 1
    nothing = frame.assign(key=frame["key"].where(frame["key"].isna()))
    np.testing.assert_array_equal(Indicators().fit_transform(nothing), np.zeros((800, 1)))


def test_rows_of_other_frequencies_are_of_the_same_columns():
    """Review: tables of the same declared categories differed in what was frequent, and were refused."""
    older = pd.concat([many_categories()] * 3, ignore_index=True)
    newer = older.assign(key=older["key"].to_numpy()[::-1]).iloc[:300]
    kind = pd.CategoricalDtype(sorted(set(older["key"])))
    older, newer = (frame.astype({"key": kind}) for frame in (older, newer))
    assert as_table(older).schema == as_table(newer).schema
    y = older["key"].cat.codes % 2
    model = C45Classifier().fit(as_table(older), y)
    np.testing.assert_array_equal(model.predict(as_table(newer)), model.predict(newer))
    grown = EnsembleClassifier(DecisionTreeClassifier(), 1, warm_start=True, random_state=0).fit(older, y)
    before, columns = grown.predict(older), grown.schema_.spread(1)
    with pytest.warns(UserWarning, match="identifier"):
        grown.set_params(n_estimators=2).fit(newer, y[newer.index])
    np.testing.assert_array_equal(grown.schema_.spread(1), columns)
    np.testing.assert_array_equal(np.stack([*grown.staged_predict(older)])[0], before)


def test_many_categories_are_saved_with_those_that_have_columns(tmp_path):
    frame = many_categories()
    model = LinearSVMClassifier().fit(frame, frame["age"] > 200)
    save_model(model, tmp_path / "model.covey")
    loaded = load_model(tmp_path / "model.covey")
    np.testing.assert_array_equal(loaded.decision_function(frame), model.decision_function(frame))
    early = Schema(("key",), (np.unique(frame["key"]).astype(str),))  # as files have it that are older than the limit
    assert design_of(early).category.tolist() == [*range(1, 400)]


def test_what_is_usual_has_a_column_whatever_the_weights():
    """Review: alone a machine filled gaps by a category without a column, and as a member by one that has one."""
    frame = many_categories()
    frame.loc[::7, "key"] = None
    weight = np.where(frame["key"] == "k300", 500.0, 1.0)
    target = np.where(frame["age"] > 200, "old", "young")
    alone = LinearSVMClassifier().fit(frame, target, sample_weight=weight)
    ensemble = EnsembleClassifier(LinearSVMClassifier(), 1, subspace=RandomSubspace(1.0)).fit(
        frame, target, sample_weight=weight
    )
    np.testing.assert_array_equal(ensemble.estimators_[0].fill_, alone.fill_)
    assert alone.fill_[1:].sum() == 1


def test_indicators_of_many_categories_are_those_of_the_most_frequent():
    frame = many_categories()
    encoder = Indicators().fit(frame)
    names = [name.removeprefix("key=") for name in encoder.get_feature_names_out()[1:]]
    assert names == FREQUENT
    new = pd.DataFrame({"age": 0.0, "key": ["k399", "k300", None, "never seen", "k000"]})
    expected = [[key == name for name in names] for key in new["key"]]
    np.testing.assert_array_equal(encoder.transform(new)[:, 1:], expected)


def test_indicators_of_every_category_with_missing_values_all_zero():
    encoder = Indicators()
    expected = [[31.0, 1, 0, 1, 0, 0], [np.nan, 0, 1, 0, 0, 1], [47.0, 0, 0, 0, 1, 0]]
    np.testing.assert_array_equal(encoder.fit_transform(FRAME), expected)
    names = ["age", "town=Ely", "town=York", "size=s", "size=m", "size=l"]
    assert encoder.get_feature_names_out().tolist() == names
    never_seen = pd.DataFrame({"age": [1.0, 2.0], "town": ["Bath", "Ely"], "size": ["m", "m"]})
    np.testing.assert_array_equal(encoder.transform(never_seen), [[1, 0, 0, 0, 1, 0], [2, 1, 0, 0, 1, 0]])
    other = pl.from_pandas(FRAME, schema_overrides={"size": pl.Enum(["s", "m", "l"])})
    np.testing.assert_array_equal(Indicators().fit_transform(other), expected)


def test_arrays_go_through_indicators_and_columns_can_be_named_categorical():
    X = np.array([[0.0, 5.0], [1.0, 6.0]])
    np.testing.assert_array_equal(Indicators().fit_transform(X), X)
    np.testing.assert_array_equal(Indicators(categorical_features=[1]).fit_transform(X), [[0, 1, 0], [1, 0, 1]])


def test_the_indicator_of_a_column_without_a_single_value_is_zero():
    empty = FRAME.assign(town=pd.Categorical([None] * 3, []))
    encoder = Indicators().fit(empty)
    assert encoder.transform(empty)[:, 1].tolist() == [0, 0, 0]
    assert encoder.get_feature_names_out().tolist()[:2] == ["age", "town"]


def test_indicators_must_be_fitted_and_given_the_same_columns():
    with pytest.raises(NotFittedError):
        Indicators().transform(FRAME)
    with pytest.raises(ValueError, match="feature names"):
        Indicators().fit(FRAME).transform(FRAME[["town", "age", "size"]])
