"""Errors by the number of columns, and the number chosen."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from covey import RandomSubspaceRegressor
from covey.datasets import make_simulated_regression
from covey.ensemble.size_choice import SizeCurve, choose_size
from covey.plots.subspaces import draw_size_errors, plot_size_curve, size_errors
from plots.drawn import is_on_page, line, save

HAND = SizeCurve(np.array([1, 2, 4]), np.array([0.5, 0.25, 0.375]), np.array([0.1, 0.05, 0.1]), 2, "minimum")


def curve_with(**parts):
    return SizeCurve(**{**vars(HAND), **parts})


def test_from_a_curve_or_a_model():
    alone = size_errors(HAND)
    assert (alone.sizes.tolist(), alone.errors.tolist()) == ([1, 2, 4], [0.5, 0.25, 0.375])
    assert (alone.chosen, alone.reason, alone.metric) == (2, "minimum", "error")
    regressor = SimpleNamespace(size_curve_=HAND, n_features_in_=4)
    classifier = SimpleNamespace(size_curve_=HAND, n_features_in_=4, classes_=[0, 1])
    assert size_errors(regressor).metric == "mean squared error"
    assert size_errors(classifier).metric == "error"
    assert size_errors(regressor, metric="loss").metric == "loss"


def test_in_words():
    found = size_errors(HAND)
    assert found.title == "Error by number of columns"
    assert found.description == (
        "Error by number of columns on cases set aside: 0.5 at 1, 0.375 at 4, least 0.25 at 2. 2 chosen, a clear "
        "minimum."
    )
    assert size_errors(curve_with(reason="elbow")).verdict == "2 chosen, the elbow"
    ruled = size_errors(curve_with(chosen=3, reason="rule"))
    assert ruled.verdict == "3 by rule, as there is no clear minimum or elbow"
    one = SizeCurve(np.array([1]), np.array([0.5]), np.array([np.nan]), 1, "rule")
    assert "cases set aside: 0.5 at 1. 1 by rule" in size_errors(one).description


def test_what_is_drawn():
    found = size_errors(HAND)
    ax = draw_size_errors(found)
    assert line(ax, "errors").get_xydata().tolist() == [[1, 0.5], [2, 0.25], [4, 0.375]]
    assert line(ax, "ring").get_xydata().tolist() == [[2, 0.25]]
    assert list(line(ax, "chosen").get_xdata()) == [2, 2]
    (bars,) = ax.collections
    ends = np.array([segment[:, 1] for segment in bars.get_segments()])
    np.testing.assert_allclose(ends, [[0.4, 0.6], [0.2, 0.3], [0.275, 0.475]])
    assert ax.get_title() == found.title
    assert ax.get_xlabel().replace("\n", " ") == "columns that a member sees (dashed: 2 chosen, a clear minimum)"
    assert ax.get_ylabel() == "error (bars: standard error)"


def test_a_rule_may_choose_what_was_not_tried():
    ax = plot_size_curve(curve_with(chosen=3, reason="rule"))
    assert list(line(ax, "chosen").get_xdata()) == [3, 3]
    assert not [drawn for drawn in ax.lines if drawn.get_label() == "_ring"]


def test_errors_of_one_case_have_no_bars():
    ax = plot_size_curve(choose_size([1, 2, 3], [[1.0], [2.0], [3.0]], 2))
    assert ax.get_ylabel() == "error"
    save(ax)


def test_a_fitted_ensemble():
    X, y = make_simulated_regression(200, random_state=0)
    model = RandomSubspaceRegressor(n_estimators=10, weighting="relevance", random_state=0).fit(X, y)
    found = size_errors(model)
    assert found.sizes.tolist() == list(range(1, 11))
    assert (found.metric, found.chosen) == ("mean squared error", model.subspace_size_)
    assert is_on_page(draw_size_errors(found))
    fixed = RandomSubspaceRegressor(n_estimators=3, subspace_size=3, random_state=0).fit(X, y)
    with pytest.raises(TypeError, match='subspace_size="auto"'):
        size_errors(fixed)
