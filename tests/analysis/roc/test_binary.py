"""Labelled cases of a binary problem."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.analysis.roc.binary import read_cases


def test_the_greater_label_is_positive_unless_another_is_named():
    assert read_cases([-1, 1]).positive == 1
    assert read_cases(["yes", "no"]).positive == "yes"
    assert read_cases([False, True]).truth.tolist() == [False, True]
    named = read_cases(["yes", "no", "no"], "no")
    assert (named.positive, named.negative) == ("no", "yes")
    assert (named.n_positive, named.n_negative) == (2, 1)


def test_weights_count():
    cases = read_cases([0, 0, 1], sample_weight=[1, 3, 2])
    assert (cases.n_positive, cases.n_negative) == (2, 4)
    assert cases.shares(np.array([True, False, True])) == (0.25, 1.0)


def test_series_frames_and_kinds_of_numbers():
    cases = read_cases(pd.Series([0, 1, 1]))
    np.testing.assert_array_equal(cases.says_positive([False, True, False], "h"), [False, True, False])
    np.testing.assert_array_equal(cases.says_positive(np.array([1.0, 0, 1]), "h"), [True, False, True])


def test_one_class_needs_the_name_of_the_positive_one():
    alone = read_cases([1, 1], positive=1)
    assert alone.negative is None
    assert np.isnan(alone.shares(np.array([True, False]))[0])
    np.testing.assert_array_equal(alone.says_positive([1, -1], "h"), [True, False])
    with pytest.raises(ValueError, match=r"h has the label 2, but the classes are 1 .positive. and one other"):
        alone.says_positive([-1, 2], "h")
    assert read_cases([-1, -1], positive=1).negative == -1


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        ([1, 2, 3], {}, r"y_true has 3 classes \(1, 2, 3\), but ROC analysis is of binary problems; give the cases of"),
        (list("abcdef"), {}, r"6 classes \('a', 'b', 'c', 'd', \.\.\.\)"),
        ([1, 1], {}, "y_true has the one class 1; say by positive"),
        ([], {}, "y_true has no case"),
        ([0, 1], {"positive": 2}, r"positive=2 is not among the classes of y_true, which are \[0, 1\]"),
        ([0, np.nan], {}, "y_true"),
        ([0, 1], {"sample_weight": [1]}, r"sample_weight has shape \(1,\), but there are 2 cases"),
        ([0, 1], {"sample_weight": [1, -1]}, "sample_weight must not be negative"),
        ([0, 1], {"sample_weight": [0, 0]}, "not zero throughout"),
        ([0, 1], {"sample_weight": [1, np.inf]}, "sample_weight has inf at position 1"),
        ([0, 1], {"sample_weight": ["a", 1]}, "sample_weight must be numbers"),
    ],
)
def test_bad_cases(y, options, message):
    with pytest.raises(ValueError, match=message):
        read_cases(y, **options)


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        ([0, 1], "h has 2 labels for 3 cases; give a label for each"),
        ([0, 1, 2], r"h has the label 2, but the classes are 1 \(positive\) and 0; ROC analysis is of binary problems"),
        (["0", "1", "1"], "h has the label '1'"),
    ],
)
def test_bad_predictions(predicted, message):
    with pytest.raises(ValueError, match=message):
        read_cases([0, 1, 1]).says_positive(predicted, "h")
