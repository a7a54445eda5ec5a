"""Bad input: what is refused, by the name of the column or argument, before any member is fitted."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from covey import CoveyClassifier
from covey.combination.members import CLASSIFIERS


def few(**params):
    members = [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(max_depth=4))]
    return CoveyClassifier(members, random_state=0, **params)


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"budget": 0}, "The 'budget' parameter of CoveyClassifier must be"),
        ({"budget": "quick"}, "The 'budget' parameter of CoveyClassifier must be"),
        ({"cv": 1}, "The 'cv' parameter of CoveyClassifier must be"),
        ({"cv": 570}, "cv=570 folds cannot be made of 569 rows; give 2 to 569"),
        ({"cv": []}, r"cv=\[\] has a split without rows"),
        ({"cv": [1, 2]}, r"cv=\[1, 2\] does not give pairs of row numbers below 569"),
        ({"cv": [([0, 1], [2, 700])]}, "does not give pairs of row numbers below 569"),
        ({"weighting": "best"}, "The 'weighting' parameter of CoveyClassifier must be"),
    ],
)
def test_wrong_settings_are_refused(params, message, cancer):
    with pytest.raises(ValueError, match=message):
        few(**params).fit(*cancer)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([1, 2], r"groups has the shape \(2,\), and X has 4 rows; give one group per row"),
        ([1, 1, 1, 1], "groups has one group only; give two groups or more"),
        (["a", None, "b", "b"], "groups has no value for row 1"),
    ],
)
def test_wrong_groups_are_refused(groups, message):
    with pytest.raises(ValueError, match=message):
        few().fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1], groups=groups)


@pytest.mark.parametrize(
    ("column", "error", "message"),
    [
        ([np.inf, 1.0, 2.0, 3.0], ValueError, "infinity in column 'day'; replace"),
        (pd.date_range("2024-01-01", periods=4), TypeError, "column 'day' is of type Datetime.*turn it into numbers"),
        ([[1], [2], [3], [4]], TypeError, "column 'day' holds a value of type list"),
    ],
)
def test_columns_that_no_member_takes_are_refused_by_name(column, error, message):
    frame = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "day": column})
    with pytest.raises(error, match=message):
        CoveyClassifier().fit(frame, [0, 1, 0, 1])


def test_columns_with_missing_values_are_named_where_a_member_takes_none(cancer):
    frame = pd.DataFrame(cancer[0][:, :2], columns=["age", "size"])
    frame.loc[3, "size"] = np.nan
    said = (
        "Left out: GaussianNB: ValueError: Input X contains NaN. Values are missing in 'size'; fill them, or put an "
        "imputer before a member that takes none."
    )
    with pytest.warns(UserWarning, match=f"^{re.escape(said)}$"):
        CoveyClassifier([GaussianNB(), "c4.5"], cv=2).fit(frame, cancer[1])


def test_a_column_of_names_is_not_used_and_told(cancer):
    X, y = cancer
    frame = pd.DataFrame({"id": [f"p{row}" for row in range(len(y))], "age": X[:, 0], "size": X[:, 1]})
    with pytest.warns(UserWarning, match="another category in every row.*not used: 'id'. Leave them out"):
        model = few().fit(frame, y)
    plain = few().fit(frame[["age", "size"]], y)
    np.testing.assert_array_equal(model.predict_proba(frame), plain.predict_proba(frame[["age", "size"]]))


def test_boosting_is_not_tried_on_more_categories_than_it_takes():
    boosting = next(candidate for candidate in CLASSIFIERS if candidate.name == "gradient boosting")
    assert boosting.suits(600, np.array([0, 255]), 2)
    assert not boosting.suits(600, np.array([0, 256]), 2)
    rows = np.arange(600)
    HistGradientBoostingClassifier(max_iter=1, categorical_features=[0]).fit((rows % 255)[:, None], rows % 2)
    with pytest.raises(ValueError, match="cardinality"):
        HistGradientBoostingClassifier(max_iter=1, categorical_features=[0]).fit((rows % 256)[:, None], rows % 2)


@pytest.mark.parametrize("ask", ["predict", "predict_proba", "explain"])
def test_an_unfitted_combination_says_so(ask):
    with pytest.raises(NotFittedError):
        getattr(few(), ask)([[0.0]])
