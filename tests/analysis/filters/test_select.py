"""Scores of columns, against the published formulas and Weka, and the choice of the best."""

from __future__ import annotations

from collections import Counter
from functools import partial
from math import log2

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy.sparse import csr_array
from scipy.stats import chi2_contingency
from sklearn.datasets import load_diabetes, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest, f_classif, f_regression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from covey import C45Classifier, load_model, save_model
from covey.analysis.filters import MDLDiscretizer, SelectAttributes, chi_squared, information_gain, relieff
from covey.table import as_table

GAP = np.nan


MADE = pd.DataFrame(
    {
        "size": [1.0, 1.5, GAP, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, GAP, 6.0, 6.5, 7.0, 7.5, 8.0, 8.5, 9.0],
        "colour": pd.Series(list("rrbrgr-rbbgb-bgbr")).replace("-", None),
        "open": pd.Series(list("yyn-ynynnnyn-nnyn")).replace("-", None),
    }
)


CLASSES = list("aaaaaaaabbbbbbbbb")


def spread(values, codes):
    """Cases of each value and class, a row with a gap spread over the values as they occur."""
    known = Counter(value for value in values if value is not None)
    cells = Counter()
    for value, code in zip(values, codes, strict=True):
        for other, times in known.items():
            cells[other, code] += times / known.total() if value is None else float(value == other)
    return np.array([[cells[value, code] for code in sorted(set(codes))] for value in sorted(known)])


def bits(cases):
    total = sum(cases)
    return -sum(case / total * log2(case / total) for case in cases if case > 0)


COLUMN = st.lists(st.tuples(st.sampled_from([0, 1, 2, 3, None]), st.integers(0, 2)), min_size=2, max_size=30).filter(
    lambda rows: len({code for _, code in rows}) > 1 and any(value is not None for value, _ in rows)
)


@given(COLUMN)
def test_nominal_scores_are_those_of_the_table_of_cases(rows):
    values, codes = zip(*rows, strict=True)
    X = np.array(values, dtype=float)[:, None]
    cases = spread(values, codes)
    chi = chi2_contingency(cases, correction=False).statistic
    gain = bits(cases.sum(axis=0)) - sum(row.sum() / cases.sum() * bits(row) for row in cases)
    assert chi_squared(X, codes, categorical_features=[0])[0] == pytest.approx(chi, abs=1e-9)
    assert information_gain(X, codes, categorical_features=[0])[0] == pytest.approx(gain, abs=1e-9)


def test_numbers_score_as_their_intervals_do():
    X, y = load_wine(return_X_y=True)
    intervals = MDLDiscretizer(charge="values").fit_transform(X, y)
    for score in (chi_squared, information_gain):
        np.testing.assert_array_equal(score(X, y), score(intervals, y, categorical_features=range(X.shape[1])))


def test_scores_by_hand():
    frame = pd.DataFrame({"same": list("xxyy"), "other": list("xyxy"), "constant": list("xxxx"), "number": range(4)})
    y = ["a", "a", "b", "b"]
    np.testing.assert_allclose(chi_squared(frame, y), [4, 0, 0, 4], atol=1e-12)
    np.testing.assert_allclose(information_gain(frame, y), [1, 0, 0, 1], atol=1e-12)
    one_gap = pd.DataFrame({"same": ["x", "x", "y", None]})
    # The gap is 2/3 x and 1/3 y, so the cases are x: 2 + 0 and 2/3, y: 0 and 1 + 1/3.
    assert chi_squared(one_gap, y)[0] == pytest.approx(2.0)
    assert information_gain(one_gap, y)[0] == pytest.approx(1 - (8 / 3) / 4 * bits([2, 2 / 3]))


def test_scores_are_wekas():
    """Of Weka 3.6.14, ChiSquaredAttributeEval and InfoGainAttributeEval, with their defaults."""
    np.testing.assert_allclose(chi_squared(MADE, CLASSES), [13.2222222222, 4.9583333333, 1.4166666667])
    np.testing.assert_allclose(information_gain(MADE, CLASSES), [0.6747455875, 0.2233387267, 0.0608351645])
    X, y = load_wine(return_X_y=True)
    some = [0, 2, 4, 6, 12]
    chi = [118.0680108428, 33.9561419148, 65.6611949078, 230.3736154253, 177.5024106925]
    gain = [0.6034276801, 0.1648586486, 0.3211074814, 1.01510962, 0.827829555]
    np.testing.assert_allclose(chi_squared(X, y)[some], chi)
    np.testing.assert_allclose(information_gain(X, y)[some], gain)


@pytest.mark.parametrize("score", [chi_squared, information_gain])
def test_order_of_rows_columns_and_the_kind_of_frame_do_not_matter(score):
    rows = np.random.default_rng(0).permutation(len(MADE))
    expected = score(MADE, CLASSES)
    np.testing.assert_allclose(score(MADE.iloc[rows], np.array(CLASSES)[rows]), expected)
    np.testing.assert_allclose(score(MADE[["open", "size", "colour"]], CLASSES), expected[[2, 0, 1]])
    np.testing.assert_array_equal(score(pl.from_pandas(MADE), CLASSES), expected)


@pytest.mark.parametrize("score", [chi_squared, information_gain])
def test_a_column_that_tells_nothing_scores_zero(score):
    noise = np.random.default_rng(1).normal(size=(60, 2))
    noise[:, 1] = np.nan
    frame = pd.DataFrame(noise).assign(empty=pd.Categorical([None] * 60, ["a", "b"]), unused=pd.Categorical(["a"] * 60))
    assert score(frame.rename(columns=str), [0, 1] * 30).tolist() == [0, 0, 0, 0]


def test_scikit_learns_selector_takes_them():
    X, y = load_wine(return_X_y=True)
    gains = information_gain(X, y)
    chosen = SelectKBest(information_gain, k=10).fit(X, y)
    assert set(chosen.get_support(indices=True)) == set(np.argsort(gains)[-10:])
    np.testing.assert_array_equal(SelectKBest(chi_squared, k=3).fit(X, y).scores_, chi_squared(X, y))


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
