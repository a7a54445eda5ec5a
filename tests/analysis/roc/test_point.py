"""Classifiers as points of ROC space."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.metrics import accuracy_score, recall_score

from analysis.roc.drawing import labelled, signs
from covey.analysis.roc import RocPoint, roc_point

QUICK = settings(deadline=None, max_examples=60)


def test_by_hand():
    point = roc_point([-1, -1, -1, -1, 1, 1], [1, -1, -1, -1, 1, -1])
    assert point.xy == (0.25, 0.5)
    assert (point.n_positive, point.n_negative, point.n_cases) == (2, 4, 6)
    assert point.accuracy == pytest.approx(4 / 6)
    assert point.called_positive == pytest.approx(2 / 6)
    assert str(point) == (
        "ROC point: false positive rate 0.250, true positive rate 0.500, accuracy 0.667 of 2 positive and 4 negative "
        "cases"
    )


@QUICK
@given(labelled(), st.data())
def test_as_scikit_learn_has_it(cases, data):
    y, weights = cases
    said = data.draw(signs(len(y)))
    point = roc_point(y, said, sample_weight=weights)
    kept = {"sample_weight": weights, "zero_division": 0}
    assert point.tpr == pytest.approx(recall_score(y, said, pos_label=1, **kept))
    assert point.fpr == pytest.approx(1 - recall_score(y, said, pos_label=-1, **kept))
    assert point.accuracy == pytest.approx(accuracy_score(y, said, sample_weight=weights))
    assert point.called_positive == pytest.approx(np.average(said == 1, weights=weights))


@QUICK
@given(labelled(), st.data())
def test_reversing_mirrors_in_the_middle(cases, data):
    """Figure 3a."""
    y, weights = cases
    said = data.draw(signs(len(y)))
    point, opposite = roc_point(y, said, sample_weight=weights), roc_point(y, -said, sample_weight=weights)
    assert opposite.xy == pytest.approx(point.reversed.xy, abs=1e-12)
    assert point.reversed.accuracy == pytest.approx(1 - point.accuracy)


def test_the_other_class_as_positive_turns_the_space():
    y, said = ["a", "a", "b"], ["a", "b", "b"]
    one, other = roc_point(y, said, "b"), roc_point(y, said, "a")
    assert other.xy == (1 - one.tpr, 1 - one.fpr)
    assert one.accuracy == other.accuracy


def test_a_class_without_cases_has_no_rate():
    point = roc_point([1, 1], [1, -1], positive=1)
    assert np.isnan(point.fpr)
    assert (point.tpr, point.accuracy, point.called_positive) == (0.5, 0.5, 0.5)
    negative = roc_point([-1, -1], [1, -1], positive=1)
    assert np.isnan(negative.tpr)
    assert negative.accuracy == 0.5
    assert np.isnan(RocPoint(np.nan, np.nan, 0, 0).accuracy)
    assert np.isnan(RocPoint(np.nan, np.nan, 0, 0).called_positive)


def test_rounding_does_not_leave_the_space():
    assert RocPoint(-1e-16, 1 + 1e-15, 1, 1).xy == (0, 1)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((0.5, 1.5, 1, 1), r"tpr=1\.5 is no rate; give a share from 0 to 1"),
        ((np.nan, 0.5, 1, 1), "fpr=nan is no rate"),
        ((0.5, 0.5, -1, 1), "n_positive=-1 must be a number of cases"),
        ((0.5, 0.5, 1, np.inf), "n_negative=inf must be a number"),
    ],
)
def test_what_is_no_point(values, message):
    with pytest.raises(ValueError, match=message):
        RocPoint(*values)


def test_more_classes_are_refused():
    with pytest.raises(ValueError, match="ROC analysis is of binary problems"):
        roc_point([0, 1, 2], [0, 1, 2])
