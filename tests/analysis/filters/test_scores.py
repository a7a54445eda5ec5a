from __future__ import annotations

from collections import Counter
from math import log2

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy.sparse import csr_array
from scipy.stats import chi2_contingency
from sklearn.datasets import load_iris, load_wine
from sklearn.feature_selection import SelectKBest, chi2

from covey.analysis.filters import MDLDiscretizer, chi_squared, information_gain
from covey.table import Indicators

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


def test_scikit_learns_chi2_of_indicators_adds_up_to_pearsons():
    X, y = load_iris(return_X_y=True)
    intervals = MDLDiscretizer(charge="values").fit_transform(X, y)
    for j, expected in enumerate(chi_squared(X, y)):
        indicators = Indicators(categorical_features=[0]).fit_transform(intervals[:, [j]])
        assert chi2(indicators, y)[0].sum() == pytest.approx(expected)


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


@pytest.mark.parametrize("score", [chi_squared, information_gain])
@pytest.mark.parametrize(
    ("X", "y", "error", "message"),
    [
        ([[1.0], [2.0]], [3, 3], ValueError, "y has one class only, 3.*two or more"),
        (np.empty((0, 2)), [], ValueError, "0 sample"),
        ([[1.0], [2.0]], [1, 2, 1], ValueError, "inconsistent numbers of samples"),
        (csr_array(np.eye(2)), [0, 1], TypeError, "Sparse data.*toarray"),
    ],
)
def test_what_is_refused(score, X, y, error, message):
    with pytest.raises(error, match=message):
        score(X, y)
