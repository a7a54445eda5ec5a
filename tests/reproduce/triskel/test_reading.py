"""From folds to the figures that the paper prints."""

from __future__ import annotations

import numpy as np
import pytest

from covey.reproduce.paper import Found
from covey.reproduce.triskel import reading
from covey.reproduce.triskel.reading import ACCURACY, PAIRS, SECONDS, mark_of, marks, means, published_marks
from reproduce.triskel.printed import Made, flat, printed

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(("table", "what"), [(1, ACCURACY), (2, SECONDS)])
def test_printed_figures_come_back(table, what):
    np.testing.assert_allclose(means(printed(), what), reading.published_wide(table), atol=1e-9)


@pytest.mark.parametrize(("table", "what"), [(1, ACCURACY), (2, SECONDS)])
@pytest.mark.parametrize("pair", PAIRS)
def test_printed_marks_come_back(table, what, pair):
    assert marks(printed(), what, pair) == published_marks(table, pair[1])


def test_published_marks_are_as_the_text_counts_them():
    count = {
        second: [list(published_marks(1, second).values()).count(kind) for kind in ("increase", "decrease")]
        for _, second in PAIRS
    }
    assert count == {"triskel-m1": [3, 0], "triskel-1": [1, 1], "triskel-w2": [2, 2], "triskel-w4": [3, 0]}


def test_a_mark_is_of_the_second_method():
    base = RNG.normal(80, 1, 100)
    assert mark_of(base, base + RNG.normal(3, 1, 100)) == "increase"
    assert mark_of(base, base - RNG.normal(3, 1, 100)) == "decrease"
    assert mark_of(base, base + RNG.normal(0, 1, 100)) == ""
    assert mark_of(base, base) == ""


def test_marks_correct_for_the_overlap_of_training_sets():
    """A plain paired t-test would find this difference: t = 0.3 / (1 / 10) = 3."""
    change = RNG.normal(0, 1, 100)
    change = (change - change.mean()) / change.std(ddof=1) + 0.3
    assert mark_of(np.full(100, 80.0), 80.0 + change) == ""
    # By hand: t = 0.3 / sqrt(1/100 + 1/9) = 0.862, far below the 1.984 of 99 degrees of freedom; 0.7 is above.
    assert mark_of(np.full(100, 80.0), 80.4 + change) == "increase"


def test_datasets_are_in_the_papers_order():
    found = Found({"folds": flat({("zoo", "smo"): 90.0, ("glass", "smo"): 60.0})}, quick=True)
    assert reading.datasets_of(found) == ["glass", "zoo"]
    assert means(found, ACCURACY)["smo"].tolist() == pytest.approx([60.0, 90.0])
    assert means(found, ACCURACY)["triskel-1"].isna().all()
    assert reading.datasets_of(Found({}, quick=True)) == []
    assert means(Found({}, quick=True), ACCURACY).empty


def test_a_method_with_a_lacking_fold_has_no_figure():
    made = flat({("zoo", "smo"): 90.0, ("zoo", "triskel-m1"): 91.0})
    whole = made.frame()
    whole.loc[3, "status"] = "failed"
    broken = Made(made.accuracy)
    broken.frame = lambda: whole
    found = Found({"folds": broken}, quick=True)
    assert np.isnan(means(found, ACCURACY).loc["zoo", "smo"])
    assert means(found, ACCURACY).loc["zoo", "triskel-m1"] == pytest.approx(91.0)
    assert marks(found, ACCURACY, ("smo", "triskel-m1")) == {}


def test_misprints_are_found_by_place():
    assert [line.split(",")[0] for line in reading.misprints_on("table 1")] == ["TRI-I02", "TRI-I03"]
    assert len(reading.misprints_on("table 2")) == 5
    assert [line.split(",")[0] for line in reading.misprints_on("algorithm 1")] == ["TRI-I09", "TRI-I10"]
    assert [line.split(",")[0] for line in reading.misprints_on("section 5")] == ["TRI-I08"]
