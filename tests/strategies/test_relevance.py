from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import f_classif

from covey.strategies import WeightedSubspace
from covey.strategies.relevance import f_statistics, squared_correlations
from covey.table import as_table

RNG = np.random.default_rng(12)
X = RNG.normal(size=(40, 5)) * [1, 10, 0.1, 1, 1] + [0, 100, 0, 0, 0]
NUMBERS = X[:, 0] - X[:, 3] + RNG.normal(size=40)
CLASSES = (NUMBERS > 0).astype(int) + (NUMBERS > 1)
ONES = np.ones(40)


def test_scores_are_those_of_numpy_and_scikit_learn():
    np.testing.assert_allclose(f_statistics(as_table(X), CLASSES, ONES), f_classif(X, CLASSES)[0])
    expected = [np.corrcoef(column, NUMBERS)[0, 1] ** 2 for column in X.T]
    np.testing.assert_allclose(squared_correlations(as_table(X), NUMBERS, ONES), expected)


def test_a_whole_weight_is_a_repeated_row():
    weight = RNG.integers(0, 3, size=40).astype(float)
    rows = np.repeat(np.arange(40), weight.astype(int))
    np.testing.assert_allclose(
        squared_correlations(as_table(X), NUMBERS, weight),
        squared_correlations(as_table(X[rows]), NUMBERS[rows], np.ones(len(rows))),
    )
    shares = [
        f_statistics(as_table(values), codes, ones)
        for values, codes, ones in [(X, CLASSES, weight), (X[rows], CLASSES[rows], np.ones(len(rows)))]
    ]
    np.testing.assert_allclose(*(found / found.sum() for found in shares))


def test_a_nominal_column_of_two_categories_counts_as_its_0_1_column():
    letters = np.where(X[:, :1] > 0, "b", "a")
    table, numbers = as_table(pd.DataFrame(letters, dtype="category")), as_table((letters == "b") + 0.0)
    for score, y in ((squared_correlations, NUMBERS), (f_statistics, CLASSES)):
        np.testing.assert_allclose(score(table, y, ONES), score(numbers, y, ONES))


def test_a_nominal_column_has_the_share_of_variance_between_its_categories():
    codes = RNG.integers(0, 3, size=40)
    means = np.array([NUMBERS[codes == code].mean() for code in range(3)])
    frame = pd.DataFrame({"town": pd.Categorical.from_codes(codes, ["Ely", "Hull", "York"])})
    found = squared_correlations(as_table(frame), NUMBERS, ONES)
    np.testing.assert_allclose(found, means[codes].var() / NUMBERS.var())


def test_missing_values_count_as_the_mean():
    gaps = X.copy()
    gaps[:7, 1] = np.nan
    filled = np.where(np.isnan(gaps), np.nanmean(gaps, axis=0), gaps)
    for score, y in ((squared_correlations, NUMBERS), (f_statistics, CLASSES)):
        np.testing.assert_allclose(score(as_table(gaps), y, ONES), score(as_table(filled), y, ONES))


def test_columns_that_do_not_vary_tell_nothing():
    still = np.column_stack([np.full(40, 0.1), X[:, 0], np.full(40, np.nan), np.ones(40)])
    still[0, 3] = 5.0  # in a row without weight
    weight = np.where(np.arange(40) == 0, 0.0, 1.0)
    assert squared_correlations(as_table(still), NUMBERS, weight)[[0, 2, 3]].tolist() == [0.0, 0.0, 0.0]
    assert f_statistics(as_table(still), CLASSES, weight)[[0, 2, 3]].tolist() == [0.0, 0.0, 0.0]


def test_a_column_that_tells_the_classes_apart_has_a_finite_and_by_far_the_largest_score():
    perfect = np.column_stack([X, CLASSES])
    found = f_statistics(as_table(perfect), CLASSES, ONES)
    assert np.isfinite(found).all()
    assert found[-1] > 1e9 * found[:-1].max()


def test_many_columns_are_worked_through_in_parts():
    wide = np.random.default_rng(0).normal(size=(60, 80_000))
    codes = np.arange(60) % 2
    found = f_statistics(as_table(wide), codes, np.ones(60))
    np.testing.assert_allclose(found[::9999], f_classif(wide[:, ::9999], codes)[0])


@pytest.mark.parametrize(("y", "expected"), [(NUMBERS, squared_correlations), (CLASSES, f_statistics)])
def test_a_subspace_draws_by_relevance(y, expected):
    prepared = WeightedSubspace("relevance", 2).prepare(as_table(X), y, ONES)
    np.testing.assert_allclose(prepared.weights, expected(as_table(X), y, ONES))


@pytest.mark.parametrize("y", [np.full(40, 0.1), np.zeros(40, dtype=int)], ids=["number", "class"])
def test_where_nothing_tells_anything_columns_are_alike(y):
    prepared = WeightedSubspace("relevance", 2).prepare(as_table(X), y, ONES)
    assert set(prepared.weights) == {1.0}


def test_other_words_are_refused():
    with pytest.raises(ValueError, match=r"weights='chance' is not known; give 'relevance', an array or a function"):
        WeightedSubspace("chance", 2).prepare(as_table(X), NUMBERS, ONES)
