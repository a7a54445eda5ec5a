"""Mean scores of methods with confidence intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.plots import draw_method_intervals, method_intervals
from plots.drawn import extents, is_on_page, overlapping, row_names

NAN = float("nan")


def made(means, lows, highs, names, larger_is_better=True, metric="accuracy", **options):
    return method_intervals(means, lows, highs, names, metric=metric, larger_is_better=larger_is_better, **options)


THREE = ([0.7, 0.9, 0.5], [0.6, 0.8, 0.4], [0.8, 1.0, 0.6], ["b", "a", "c"])
VERDICTS = ["tie", "best", "behind"]


def drawn_lines(ax):
    return [segment[:, 0].tolist() for lines in ax.collections for segment in lines.get_segments()]


def marks(ax):
    return {line.get_label(): line for line in ax.lines if line.get_linestyle() == "None"}


def test_the_best_is_first():
    found = made(*THREE, verdicts=VERDICTS)
    assert found.methods == ("a", "b", "c")
    assert found.means.tolist() == [0.9, 0.7, 0.5]
    assert found.lows.tolist() == [0.8, 0.6, 0.4]
    assert found.verdicts == ("best", "tie", "behind")
    assert made(*THREE, larger_is_better=False).methods == ("c", "b", "a")


def test_methods_that_tie_stay_as_they_were_given():
    found = made([0.3, 0.1 + 0.2, 0.3], [NAN] * 3, [NAN] * 3, ["z", "m", "a"])
    assert found.methods == ("z", "m", "a")


def test_words():
    found = made(*THREE, verdicts=VERDICTS)
    assert found.title == "Mean accuracy by method"
    assert found.description == (
        "Mean accuracy by method, with 95% confidence intervals, larger is better, the best first. "
        "a: 0.9 (0.8 to 1), best mean. b: 0.7 (0.6 to 0.8), ties with the best. "
        "c: 0.5 (0.4 to 0.6), behind."
    )
    plain = made([2.0], [NAN], [NAN], ["a"], larger_is_better=False, metric="error")
    assert plain.description == "Mean error by method, smaller is better, the best first. a: 2."


def test_numbers_are_matched_by_name():
    by_name = {"a": 0.9, "b": 0.7}
    found = made(pd.Series(by_name), {"b": 0.6, "a": 0.8}, {"b": 0.8, "a": 1.0}, ["b", "a"])
    assert (found.methods, found.lows.tolist()) == (("a", "b"), [0.8, 0.6])


def test_a_line_and_a_mark_for_each_method():
    ax = draw_method_intervals(made(*THREE, verdicts=VERDICTS))
    assert drawn_lines(ax) == [[0.8, 1.0], [0.6, 0.8], [0.4, 0.6]]
    found = marks(ax)
    assert {label: line.get_xydata().tolist() for label, line in found.items()} == {
        "_best": [[0.9, 0.0]],
        "_tie": [[0.7, 1.0]],
        "_behind": [[0.5, 2.0]],
    }
    # What they say does not hang on colour: a diamond, a dot and a cross, and a ring where nothing is shown.
    assert [found[label].get_marker() for label in ("_best", "_tie", "_behind")] == ["D", "o", "X"]
    assert found["_tie"].get_markerfacecolor() != "white"
    ring = marks(draw_method_intervals(made(*THREE, verdicts=["unclear", "best", "behind"])))["_unclear"]
    assert (ring.get_marker(), ring.get_markerfacecolor()) == ("o", "white")
    label = ax.get_xlabel().replace("\n", " ")
    assert label == "accuracy (line: 95% confidence interval, diamond: best, dot: tie, cross: behind)"
    assert row_names(ax) == ["a", "b", "c"]


def test_methods_without_interval_have_a_mark_only():
    ax = draw_method_intervals(made([0.7, 0.9], [NAN, 0.8], [NAN, 1.0], ["b", "a"]))
    assert drawn_lines(ax) == [[0.8, 1.0]]
    assert marks(ax)["_untested"].get_xdata().tolist() == [0.9, 0.7]
    alone = draw_method_intervals(made([0.7], [NAN], [NAN], ["b"]))
    assert alone.get_xlabel() == "accuracy"


@pytest.mark.parametrize("count", [1, 2, 7, 30])
def test_names_do_not_overlap_and_nothing_is_cut_off(count):
    means = np.linspace(0.5, 0.9, count)
    names = [f"a_$name$ that is rather long, number {number}" for number in range(count)]
    verdicts = ["unclear"] * (count - 1) + ["best"]
    ax = draw_method_intervals(made(means, means - 0.1, means + 0.1, names, verdicts=verdicts))
    assert is_on_page(ax)
    assert not overlapping(extents(ax.get_yticklabels()))
