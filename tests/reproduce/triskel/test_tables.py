"""Tables and figures of made-up results: the paper's own figures come back as they were printed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.analysis.roc import RocPoint
from covey.report.page import Drawing, TableBlock
from covey.reproduce.paper import Found
from covey.reproduce.published import published_wide
from covey.reproduce.triskel import PAPER, figures, tables
from covey.reproduce.triskel.experiments import PAIRS
from covey.reproduce.triskel.tables import (
    ACCURACY,
    SECONDS,
    geometric_mean,
    mark_of,
    marks,
    means,
    published_marks,
)
from reproduce.made_up import of_kind, words
from reproduce.triskel.printed import flat, folds_of, made_of, printed

RNG = np.random.default_rng(0)
VIEWS = {view.id: view for view in PAPER.views}


@pytest.mark.parametrize(("table", "what"), [(1, ACCURACY), (2, SECONDS)])
def test_printed_figures_and_marks_come_back(table, what):
    np.testing.assert_allclose(means(printed(), what), published_wide("triskel", table), atol=1e-9)
    for pair in PAIRS:
        assert marks(printed(), what, pair) == published_marks(table, pair[1])


def test_published_marks_are_as_the_text_counts_them():
    count = {
        second: [list(published_marks(1, second).values()).count(kind) for kind in ("increase", "decrease")]
        for _, second in PAIRS
    }
    assert count == {"triskel-m1": [3, 0], "triskel-1": [1, 1], "triskel-w2": [2, 2], "triskel-w4": [3, 0]}


def test_a_mark_is_of_the_second_method_and_corrects_for_the_overlap_of_training_sets():
    base = RNG.normal(80, 1, 100)
    assert mark_of(base, base + RNG.normal(3, 1, 100)) == "increase"
    assert mark_of(base, base - RNG.normal(3, 1, 100)) == "decrease"
    assert mark_of(base, base) == ""
    change = RNG.normal(0, 1, 100)
    change = (change - change.mean()) / change.std(ddof=1) + 0.3
    # A plain paired t-test would find this difference: t = 0.3 / (1 / 10) = 3.
    assert mark_of(np.full(100, 80.0), 80.0 + change) == ""
    # By hand: t = 0.3 / sqrt(1/100 + 1/9) = 0.862, far below the 1.984 of 99 degrees of freedom; 0.7 is above.
    assert mark_of(np.full(100, 80.0), 80.4 + change) == "increase"


def test_a_method_with_a_lacking_fold_has_no_figure():
    made = flat({("zoo", "smo"): 90.0, ("zoo", "triskel-m1"): 91.0}).failing("zoo", "smo", 3)
    found = Found({"folds": made}, quick=True)
    assert np.isnan(means(found, ACCURACY).loc["zoo", "smo"])
    assert means(found, ACCURACY).loc["zoo", "triskel-m1"] == pytest.approx(91.0)
    assert marks(found, ACCURACY, ("smo", "triskel-m1")) == {}
    assert geometric_mean(pd.Series([0.5, 8.0])) == pytest.approx(2.0)


def test_printed_accuracies_do_not_deviate():
    text = VIEWS["1"].tell(printed())
    assert text == (
        "Table 1, points from the published: smo within 2 on 15 of 15, 12 of 15 wanted; triskel-1 within 2.5 on 15 of "
        "15, 11 of 15 wanted; triskel-w4 within 2.5 on 15 of 15, 11 of 15 wanted. Of 60 marks of significance 60 are "
        "as published, none the other way round."
    )
    blocks = VIEWS["1"].show(printed())
    by_method, *pairs, every = of_kind(blocks, TableBlock)
    assert (by_method.table.frame["near"] == 15).all()
    assert by_method.table.frame.loc["triskel-m1", "mean"] == pytest.approx(81.83, abs=0.005)
    for (first, second), block in zip(PAIRS, pairs, strict=True):
        frame = block.table.frame
        np.testing.assert_allclose(frame[first], frame[f"{first}, published"])
        np.testing.assert_allclose(frame[second], frame[f"{second}, published"])
        assert frame["mark"].tolist() == frame["mark, published"].tolist()
        assert not block.table.bold.any(axis=None)
    assert pairs[-1].table.frame["mark"]["segment"] == "better"
    assert every.table.frame["deviation"].abs().max() < 1e-9
    assert "TRI-I03" in words(blocks)


def moved(changes):
    """Return the printed accuracies with some moved by so many points."""
    accuracy = folds_of(1)
    for key, change in changes.items():
        accuracy[key] = accuracy[key] + change
    return Found({"folds": made_of(accuracy, folds_of(2))}, quick=False)


def test_misses_are_named_and_bold():
    found = moved(
        {("zoo", "smo"): 2.1, ("glass", "smo"): -1.9, ("zoo", "triskel-1"): 2.1, ("glass", "triskel-1"): -2.6}
    )
    assert tables.near(found, "smo") == (14, 15, ["zoo +2.10"])
    assert tables.near(found, "triskel-1") == (14, 15, ["glass -2.60"])
    bold = tables.pair_table(found, 1, PAIRS[0]).bold
    assert bold["smo"][bold["smo"]].index.tolist() == ["zoo"]
    assert "(not glass -2.60)" in VIEWS["1"].tell(found)


def test_marks_the_other_way_round_are_named():
    found = moved({("segment", "triskel-w4"): -4.0})
    same, total, opposed = tables.same_marks(found, 1)
    assert (same, total, opposed) == (59, 60, ["triskel-w4 on segment"])


def test_printed_times_are_faster_where_the_paper_is():
    text = VIEWS["2"].tell(printed())
    assert "triskel-w4 than adaboost-50 on 11 of 15 (11)" in text
    assert "triskel-w2 than adaboost-10 on 9 of 15 (9), geometric mean of ratios 1.18 (1.18)" in text
    assert "Of 60 marks of significance 60 are as published" in text
    blocks = VIEWS["2"].show(printed())
    frame = of_kind(blocks, TableBlock)[-1].table.frame
    np.testing.assert_allclose(frame["ratio"], frame["ratio, published"])
    assert frame["mark"]["zoo"] == "slower"
    assert "noisy" in words(blocks)
    assert "TRI-I05" in words(blocks)


@pytest.mark.slow
def test_figure_2_is_drawn_of_six_datasets():
    blocks = VIEWS["figure 2"].show(printed())
    assert len(of_kind(blocks, Drawing)) == 12
    text = VIEWS["figure 2"].tell(printed())
    assert text.startswith("Figure 2: 11 of 18 settings of AdaBoost are beaten by a Triskel")
    assert "(11 as published)" in text


def test_beaten_in_both():
    """By hand, from the printed tables on glass: w2 has 63.40 in 26.58 s, adaboost-10 62.23 in 39.10, -50 62.33."""
    printed_tables = published_wide("triskel", 1), published_wide("triskel", 2)
    assert figures.beaten(printed_tables, "glass") == ["adaboost-10", "adaboost-50"]
    assert figures.beaten(printed_tables, "automobile") == ["adaboost-10", "adaboost-50"]


@pytest.mark.slow
def test_figures_of_the_cake_are_drawn(small):
    first = VIEWS["figure 1"].show(small)
    assert [one.name for one in of_kind(first, Drawing)] == ["triskel-figure-1a", "triskel-figure-1b"]
    (table,) = of_kind(first, TableBlock)
    assert table.table.frame.loc["three cuts along the layers", "training"] == 1
    assert table.table.frame.loc["smo", "new cases"] == pytest.approx(0.6)
    assert "TRI-I10" in words(first)
    third = VIEWS["figure 3"].show(small)
    assert len(of_kind(third, Drawing)) == 2
    assert "Yes by a random arbiter" in words(third)
    assert "TRI-I08" in words(third)
    fourth = VIEWS["figure 4"].show(small)
    assert len(of_kind(fourth, Drawing)) == 1
    assert len(of_kind(fourth, TableBlock)[0].table.frame) == 11


def test_a_space_that_is_none_is_told(small, monkeypatch):
    def refuse(pairs, *, strict):
        raise ValueError("h_plus and h_minus leave no space")

    monkeypatch.setattr(figures, "nested_spaces", refuse)
    blocks = VIEWS["figure 3"].show(small)
    assert "Figure 3(b) cannot be drawn of cake 1: h_plus and h_minus leave no space" in words(blocks)


def test_rounds_without_space_are_left_out():
    """h+ of the second round lies above its h-."""
    first = RocPoint(0.1, 0.4, 10, 10), RocPoint(0.6, 0.9, 10, 10)
    second = RocPoint(0.5, 0.8, 5, 5), RocPoint(0.5, 0.6, 5, 5)
    assert len(figures.spaces_of([first, second])) == 1
    assert len(figures.spaces_of([first, second[::-1]])) == 2


def test_a_part_of_the_experiments_makes_a_part_of_the_tables():
    found = printed(("zoo", "glass"))
    assert "smo within 2 on 2 of 2" in VIEWS["1"].tell(found)
    assert "on 1 of 2 (1)" in VIEWS["2"].tell(found)
    assert "1 of 1 dataset" in VIEWS["figure 2"].tell(found)


def test_all_is_told_of_both_tables():
    text = PAPER.tell(printed())
    assert "Table 1, points" in text
    assert "Table 2, faster" in text
