"""Scores against a parameter."""

from __future__ import annotations

import numpy as np
import pandas as pd

from covey.plots.parameter import draw_parameter_curves, parameter_curves
from plots.drawn import extents, legend_of, line, names_of, overlapping, save

ALPHA = [3, 1, 2]
SCORES = np.array([[0.7, 0.95], [0.8, 0.9], [0.8, 0.8]])
WORDS = {"parameter": "alpha", "metric": "accuracy", "larger_is_better": True}


def test_values_are_sorted_and_the_best_is_found():
    curves = parameter_curves(ALPHA, SCORES, **WORDS, methods=["single", "vote"], spread=SCORES / 10)
    assert curves.values.tolist() == [1, 2, 3]
    assert curves.scores.tolist() == [[0.8, 0.9], [0.8, 0.8], [0.7, 0.95]]
    np.testing.assert_allclose(curves.spread, curves.scores / 10)
    # Of equal scores the one of the smaller value.
    assert curves.best == (0, 2)
    assert [curve.note for curve in curves.curves] == ["best 0.8 at 1", "best 0.95 at 3"]
    assert parameter_curves(ALPHA, SCORES, **{**WORDS, "larger_is_better": False}).best == (2, 1)


def test_title_and_description():
    curves = parameter_curves(ALPHA, SCORES, **WORDS, methods=["single", "vote"])
    assert curves.title == "Accuracy against alpha"
    assert curves.description == (
        "Accuracy against alpha from 1 to 3, larger is better. single: best 0.8 at 1. vote: best 0.95 at 3."
    )
    banded = parameter_curves(ALPHA, SCORES[:, 0], **WORDS, spread=[0.1, 0.1, 0.1])
    assert banded.description.endswith("Best 0.8 at 1. Bands show the spread.")


def test_the_same_curves_from_arrays_frames_and_mappings():
    frame = pd.DataFrame(SCORES, columns=["single", "vote"])
    mapping = {"single": SCORES[:, 0].tolist(), "vote": SCORES[:, 1].tolist()}
    spread = {"vote": [1, 2, 3], "single": [4, 5, 6]}
    for given in (frame, mapping):
        curves = parameter_curves(ALPHA, given, **WORDS, spread=spread)
        assert curves.methods == ("single", "vote")
        assert curves.scores.tolist() == [[0.8, 0.9], [0.8, 0.8], [0.7, 0.95]]
        # By name, not by position; sorted with the values.
        assert curves.spread.tolist() == [[5, 2], [6, 3], [4, 1]]
    assert parameter_curves(ALPHA, SCORES, **WORDS).methods == ("1", "2")
    assert parameter_curves(ALPHA, SCORES[:, 0], **WORDS).methods == ("",)
    renamed = parameter_curves(ALPHA, frame, **WORDS, methods=["a", "b"], spread=frame)
    assert renamed.methods == ("a", "b")
    np.testing.assert_allclose(renamed.spread, renamed.scores)


def test_what_is_drawn():
    curves = parameter_curves(ALPHA, SCORES, **WORDS, methods=["_single", "$vote"], spread=SCORES / 10)
    ax = draw_parameter_curves(curves)
    assert line(ax, "$vote").get_xydata().tolist() == [[1, 0.9], [2, 0.8], [3, 0.95]]
    assert line(ax, "best of $vote").get_xydata().tolist() == [[3, 0.95]]
    assert len(ax.collections) == 2
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == (curves.title, "alpha", "accuracy")
    assert [text.get_text() for text in names_of(ax)] == ["_single\nbest 0.8 at 1", "$vote\nbest 0.95 at 3"]
    assert not overlapping(extents(names_of(ax)))


def test_one_method_needs_no_name():
    ax = draw_parameter_curves(parameter_curves(ALPHA, SCORES[:, 0], **WORDS))
    assert names_of(ax) == []
    assert legend_of(ax) == ["best 0.8 at 1"]


def test_axes_fit_the_values():
    ax = draw_parameter_curves(parameter_curves(ALPHA, SCORES, **WORDS))
    ax.figure.canvas.draw()
    assert all(float(tick).is_integer() for tick in ax.get_xticks())
    powers = 2 ** np.arange(8)
    ax = draw_parameter_curves(parameter_curves(powers, powers / 200, **WORDS))
    assert ax.get_xscale() == "log"
    assert [text.get_text() for text in ax.get_xticklabels()] == [str(power) for power in powers]
    save(draw_parameter_curves(parameter_curves([3], [[0.5, 0.5]], **WORDS)))


def test_rows_with_labels_are_matched_by_them():
    expected = [[0.8, 0.9], [0.8, 0.8], [0.7, 0.95]]
    frame = pd.DataFrame(SCORES, index=ALPHA, columns=["single", "vote"])
    turned = frame.iloc[::-1]
    for given in (frame, turned, {name: turned[name] for name in turned}):
        assert parameter_curves(ALPHA, given, **WORDS).scores.tolist() == expected
        assert parameter_curves(ALPHA, SCORES, **WORDS, spread=given).spread.tolist() == expected
    alone = parameter_curves(ALPHA, turned["vote"], **WORDS)
    assert alone.scores[:, 0].tolist() == [0.9, 0.8, 0.95]
    # The columns of one frame have the labels of its rows, whatever they are.
    table = pd.DataFrame({"alpha": ALPHA, "score": [0.7, 0.8, 0.9]}, index=["x", "y", "z"])
    found = parameter_curves(table["alpha"], table["score"].iloc[::-1], **WORDS)
    assert found.scores[:, 0].tolist() == [0.8, 0.9, 0.7]


def test_scores_that_differ_by_rounding_are_equally_good():
    assert parameter_curves([1, 2, 3], [0.3, 0.1 + 0.2, 0.2], **WORDS).best == (0,)
    assert parameter_curves([1, 2, 3], [0.1 + 0.2, 0.3, 0.4], **{**WORDS, "larger_is_better": False}).best == (0,)
