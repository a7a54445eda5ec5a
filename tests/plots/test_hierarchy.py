"""The hierarchy of strategies: the published records, and any other lattice."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from covey.analysis.significance.records import Records, sign_test, win_draw_loss
from covey.plots.hierarchy import LARGE, MULTISTRATEGY, SMALL, draw_hierarchy, hierarchy_diagram
from covey.reproduce.published import PUBLISHED
from plots.drawn import extents, is_on_page, overlapping


def published(number):
    """The records of a table of Webb and Zheng (2004): of the column's system against the row's on 41 datasets."""
    table = pd.read_csv(PUBLISHED / f"multistrategy-table-{number:02d}.csv")
    methods = tuple(dict.fromkeys([*table["row_method"], *table["col_method"]]))
    k, at = len(methods), methods.index
    wins, draws, p_values = np.zeros((k, k), dtype=int), 41 * np.eye(k, dtype=int), np.ones((k, k))
    for row in table.itertuples():
        one, other = at(row.col_method), at(row.row_method)
        wins[one, other], wins[other, one] = row.wins, row.losses
        draws[one, other] = draws[other, one] = row.draws
        p_values[one, other] = p_values[other, one] = sign_test(row.wins, row.losses)
    return Records(
        methods=methods,
        n_datasets=41,
        larger_is_better=False,
        tolerance=0.0,
        wins=wins,
        draws=draws,
        p_values=p_values,
        ratios=np.ones((k, k)),
    )


def signs(diagram):
    """The steps by sign, in capitals where they are significant."""
    words = {"+": "up", "-": "down", "=": "even"}
    return {
        (step.lower, step.upper): words[step.sign].upper() if step.significant else words[step.sign]
        for step in diagram.steps
    }


def test_error_as_published():
    diagram = hierarchy_diagram(published(1), measure="error")
    assert diagram.methods == tuple(MULTISTRATEGY)
    assert "c4.5sas" not in diagram.methods
    found = signs(diagram)
    assert len(found) == 12
    # Section 5.1: better in all steps; not significant are boost to boostsasc, mb to mbsasc and wagsasc to mbsasc.
    small = {("boost", "boostsasc"), ("mb", "mbsasc"), ("wagsasc", "mbsasc")}
    assert found == {step: "up" if step in small else "UP" for step in found}
    (step,) = (step for step in diagram.steps if (step.lower, step.upper) == ("c4.5", "boost"))
    assert step.record == (34, 2, 5)
    assert step.p_value < 0.0001
    assert diagram.title == "Error: 12 of 12 steps up improve (9 significantly)"


def test_bias_and_variance_as_published():
    bias, variance = (signs(hierarchy_diagram(published(number))) for number in (2, 3))
    # MB has a worse record of bias than BOOST, MBSASC than BOOSTSASC, neither significantly.
    down = {("boost", "mb"), ("boostsasc", "mbsasc")}
    assert {step for step, sign in bias.items() if sign.lower() == "down"} == down
    assert all(bias[step] == "down" for step in down)
    assert {step for step, sign in bias.items() if sign == "UP"} == {
        ("c4.5", "boost"),
        ("wag", "mb"),
        ("sasc", "boostsasc"),
        ("wagsasc", "mbsasc"),
    }
    # Adding BOOST to WAGSASC is the one step that worsens variance significantly.
    assert {step for step, sign in variance.items() if sign == "DOWN"} == {("wagsasc", "mbsasc")}
    assert (variance["wag", "mb"], variance["sasc", "boostsasc"]) == ("up", "up")


def test_diversity_has_no_base_learner():
    diagram = hierarchy_diagram(published(4))
    assert len(diagram.methods) == 7
    assert len(diagram.steps) == 9
    assert diagram.places[:, 1].max() == 2


def test_levels_and_places():
    diagram = hierarchy_diagram(published(1))
    at = dict(zip(diagram.methods, diagram.places.tolist(), strict=True))
    for name, own in MULTISTRATEGY.items():
        assert at[name][1] == len(own)
    assert at["c4.5"][0] == at["mbsasc"][0] == 0
    assert sorted(at[name][0] for name in ("boost", "wag", "sasc")) == [-1, 0, 1]
    for step in diagram.steps:
        assert step.path == (tuple(at[step.lower]), tuple(at[step.upper]))
    apart = [np.hypot(a - c, b - d) for (a, b), (c, d) in combinations([step.label for step in diagram.steps], 2)]
    assert min(apart) > 0.25


def test_means_and_words():
    means = {name: 0.2 - 0.0125 * number for number, name in enumerate(MULTISTRATEGY)}
    diagram = hierarchy_diagram(published(2), means, measure="bias", digits=2)
    assert diagram.labels[:3] == ["c4.5\n0.20", "boost\n0.19", "wag\n0.18"]  # 0.1875 and 0.175
    assert diagram.title == "Bias: 10 of 12 steps up improve (4 significantly), 2 decline (none significantly)"
    assert "Means: c4.5 0.20, boost 0.19" in diagram.description
    assert "c4.5 to boost better significantly (33/2/6)" in diagram.description
    assert "smaller is better" in diagram.legend
    assert "p < 0.05" in diagram.legend


def signs_of(ax):
    return [line for line in ax.lines if line.get_label().startswith("_sign")]


def odd_lattice():
    """Strategies of which not all combinations were tried, and a step over two levels."""
    parts = {"base": [], "a": ["a"], "cd": ["c", "d"], "bcd": ["b", "c", "d"], "abcd": ["a", "b", "c", "d"]}
    scores = pd.DataFrame({name: np.arange(6.0) + len(own) for name, own in parts.items()})
    scores["cd"] = scores["base"]
    return win_draw_loss(scores, larger_is_better=True), parts


def test_any_lattice():
    records, parts = odd_lattice()
    diagram = hierarchy_diagram(records, None, parts, alpha=0.04)
    assert signs(diagram) == {
        ("base", "a"): "UP",
        ("base", "cd"): "even",
        ("a", "abcd"): "UP",
        ("cd", "bcd"): "UP",
        ("bcd", "abcd"): "UP",
    }
    assert diagram.title == "4 of 5 steps up improve (4 significantly), 1 even"
    assert signs(hierarchy_diagram(records, None, parts, alpha=0.03))["base", "a"] == "up"
    (long,) = (step for step in diagram.steps if (step.lower, step.upper) == ("a", "abcd"))
    assert len(long.path) == 4
    losing = win_draw_loss(pd.DataFrame({"base": [2.0, 3, 1], "a": [1.0, 2, 0]}), larger_is_better=True)
    only = hierarchy_diagram(losing, {"base": 2, "a": 1}, {"base": (), "a": {"a"}})
    assert signs(only) == {("base", "a"): "down"}
    assert only.title == "0 of 1 step up improve, 1 declines (none significantly)"


@pytest.mark.parametrize("number", [1, 4])
def test_a_new_figure(number):
    diagram = hierarchy_diagram(published(number), measure="error")
    ax = draw_hierarchy(diagram)
    assert is_on_page(ax)
    assert ax.get_label() == diagram.description
    texts = {text.get_text(): text for text in ax.texts}
    assert set(diagram.methods) <= set(texts)
    boxes = [text.get_bbox_patch().get_window_extent() for text in ax.texts if text.get_bbox_patch()]
    assert len(boxes) == len(diagram.methods)
    drawn = signs_of(ax)
    for mark, step in zip(drawn, diagram.steps, strict=True):
        assert tuple(mark.get_xydata()[0]) == step.label
        assert (mark.get_markersize(), mark.get_markeredgewidth()) == (LARGE if step.significant else SMALL)
        assert mark.get_label() == f"_sign {step.sign}"
    assert len({mark.get_color() for mark in drawn}) == len({mark.get_label() for mark in drawn})
    assert not overlapping([*boxes, *extents(drawn)], slack=3)
    assert ax.get_xlabel().replace("\n", " ") == diagram.legend


def test_long_names_and_sixteen_methods():
    words = ("bagging", "boosting", "subspace", "rotation")
    parts = {"+".join(own) or "base": own for size in range(5) for own in combinations(words, size)}
    scores = pd.DataFrame({name: np.arange(9.0) + len(own) for name, own in parts.items()})
    diagram = hierarchy_diagram(win_draw_loss(scores, larger_is_better=True), scores.mean().to_dict(), parts)
    assert len(diagram.steps) == 32
    ax = draw_hierarchy(diagram, title="")
    assert is_on_page(ax)
    boxes = [text.get_bbox_patch().get_window_extent() for text in ax.texts if text.get_bbox_patch()]
    assert len(boxes) == 16
    assert not overlapping(boxes)
    assert ax.get_title() == ""
