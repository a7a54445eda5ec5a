from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_diabetes, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest, f_classif, f_regression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from covey import C45Classifier, load_model, save_model
from covey.analysis.filters import SelectAttributes, chi_squared, information_gain, relieff
from covey.table import as_table

SCORES = {"chi_squared": chi_squared, "information_gain": information_gain, "relieff": relieff}


@pytest.fixture
def wine():
    return load_wine(return_X_y=True)


@pytest.fixture
def mixed(wine):
    """A frame of a useless number, two useful columns and a useful number with gaps, and a useless text."""
    X, y = wine
    noise = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "noise": noise.integers(9, size=len(y)),
            "level": pd.Categorical.from_codes(np.digitize(X[:, 6], [1, 2]), ["low", "middle", "high"], ordered=True),
            "proline": X[:, 12].astype(np.float32),
            "town": noise.choice(["Ely", "York"], size=len(y)),
            "colour": X[:, 9],
        },
        index=np.arange(len(y))[::-1],
    )
    frame.iloc[::7, 1] = None
    frame.iloc[::9, 2] = np.nan
    frame.iloc[::5, 3] = None
    return frame, y


@pytest.mark.parametrize("name", SCORES)
def test_the_best_attributes_of_a_frame_keep_their_types(name, mixed):
    frame, y = mixed
    model = SelectAttributes(name, k=3).fit(frame, y)
    np.testing.assert_array_equal(model.scores_, SCORES[name](frame, y))
    assert model.get_feature_names_out().tolist() == ["level", "proline", "colour"]
    pd.testing.assert_frame_equal(model.transform(frame), frame[["level", "proline", "colour"]])
    pd.testing.assert_frame_equal(
        SelectAttributes(name, k=3).set_output(transform="pandas").fit_transform(frame, y), model.transform(frame)
    )


def test_a_polars_frame_stays_one(mixed):
    frame, y = mixed
    other = pl.from_pandas(frame)
    found = SelectAttributes(k=2).fit_transform(other, y)
    assert found.equals(other["proline", "colour"], null_equal=True)


def test_an_array_stays_one_whatever_it_holds(wine):
    X, y = wine
    chosen = SelectAttributes(k=4).fit(X, y)
    np.testing.assert_array_equal(chosen.transform(X), X[:, chosen.get_support()])
    assert chosen.get_feature_names_out().tolist() == ["x6", "x9", "x11", "x12"]
    text = np.column_stack([np.where(y > 0, "some", "none"), np.full(len(y), "same")]).astype(object)
    assert SelectAttributes(k=1).fit_transform(text, y)[:, 0].tolist() == text[:, 0].tolist()
    np.testing.assert_array_equal(chosen.inverse_transform(X[:1, chosen.get_support()]) != 0, [chosen.get_support()])


def test_a_table_stays_one(mixed):
    frame, y = mixed
    table = as_table(frame)
    assert SelectAttributes(k=2).fit(table, y).transform(table).names == ("proline", "colour")


@pytest.mark.parametrize(("k", "expected"), [(1, 1), (13, 13), (0.5, 6), (0.01, 1), (1.0, 13), ("all", 13)])
def test_how_many(k, expected, wine):
    assert SelectAttributes("information_gain", k).fit_transform(*wine).shape[1] == expected


def test_of_equals_the_earlier_are_kept(wine):
    X, y = wine
    twice = np.hstack([X[:, [2, 6]], X[:, [6, 6]]])
    assert SelectAttributes(k=2).fit(twice, y).get_support().tolist() == [False, True, True, False]
    some = SelectAttributes(lambda X, y: [1.0, np.nan, 1.0, 0.0], k=3).fit(twice, y)
    assert some.get_support(indices=True).tolist() == [0, 2, 3]


def test_columns_can_be_named_categorical():
    X = np.array([[0.0, 1.0], [1.0, 2.0], [2.0, 3.0], [0.0, 4.0], [1.0, 5.0], [2.0, 6.0]])
    y = [0, 1, 0, 0, 1, 0]
    assert SelectAttributes(k=1).fit(X, y).scores_.tolist() == [0, 0]
    assert SelectAttributes(k=1, categorical_features=[0]).fit(X, y).scores_ == pytest.approx([6, 0])


def test_scores_of_others(wine, mixed):
    X, y = wine
    model, peer = SelectAttributes(f_classif, k=5).fit(X, y), SelectKBest(f_classif, k=5).fit(X, y)
    np.testing.assert_array_equal(model.get_support(), peer.get_support())
    np.testing.assert_array_equal(model.pvalues_, peer.pvalues_)
    frame, labels = mixed
    few = SelectAttributes(partial(relieff, n_neighbors=3), k=2).fit(frame, labels)
    np.testing.assert_array_equal(few.scores_, relieff(frame, labels, n_neighbors=3))
    assert few.pvalues_ is None
    X, y = load_diabetes(return_X_y=True)
    assert SelectAttributes(f_regression, k=2).fit(X, y).get_support(indices=True).tolist() == [2, 8]


def test_in_a_search_and_on_disk(mixed, tmp_path):
    frame, y = mixed
    pipeline = make_pipeline(SelectAttributes(), C45Classifier())
    grid = {"selectattributes__k": [1, 3], "selectattributes__score_func": ["chi_squared", "relieff"]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(frame, y)
    assert search.best_params_["selectattributes__k"] == 3
    assert search.best_score_ > 0.8
    loaded = load_model(save_model(search.best_estimator_, tmp_path / "model.covey"))
    np.testing.assert_array_equal(loaded.predict(frame), search.predict(frame))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            SelectAttributes(),
            "k=50 asks for 50 attributes, but X has 13; give at most 13, a share .* or 'all'",
        ),
        (SelectAttributes(k=0), "'k' parameter"),
        (SelectAttributes(k=1.5), "'k' parameter"),
        (SelectAttributes("gini", k=2), "'score_func' parameter"),
        (SelectAttributes(lambda X, y: [1.0, 2.0], k=2), r"gave an array of shape \(2,\), but there are 13 attributes"),
    ],
)
def test_parameters_that_are_refused(model, message, wine):
    with pytest.raises(ValueError, match=message):
        model.fit(*wine)


@pytest.mark.parametrize("score_func", ["chi_squared", "relieff", f_classif])
def test_data_that_is_refused(score_func, wine):
    X, y = wine
    model = SelectAttributes(score_func, k=2)
    with pytest.raises(NotFittedError):
        model.transform(X)
    with pytest.raises(ValueError, match="y is None"):
        model.fit(X)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(X, y[1:])
    with pytest.raises(TypeError, match="Sparse data"):
        model.fit(csr_array(X), y)
    with pytest.raises(ValueError, match="0 sample"):
        model.fit(X[:0], y[:0])
    with pytest.raises(ValueError, match="12 features"):
        model.fit(X, y).transform(X[:, 1:])


def test_columns_must_be_those_seen(mixed):
    frame, y = mixed
    model = SelectAttributes(k=2).fit(frame, y)
    with pytest.raises(ValueError, match="feature names"):
        model.transform(frame[frame.columns[::-1]])
    with pytest.raises(ValueError, match="y has one class only"):
        model.fit(frame, np.zeros(len(y)))
