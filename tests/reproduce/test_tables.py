"""Our figures beside published ones."""

from __future__ import annotations

import pandas as pd
import pytest

from covey.reproduce.tables import Beside, side_by_side

OURS = pd.DataFrame({"a": [90.0, 80.0], "b": [70.0, float("nan")]}, index=["iris", "wine"])
PUBLISHED = pd.DataFrame({"b": [71.0, 60.0, 1.0], "a": [92.0, 80.5, 2.0]}, index=["wine", "iris", "glass"])
SPREAD = pd.DataFrame({"a": [4.0, 0.0], "b": [2.0, 2.0]}, index=["wine", "iris"])


def test_deviation_is_in_spreads():
    found = Beside.of(OURS, PUBLISHED, SPREAD)
    assert list(found.frame.index) == [("wine", "b"), ("wine", "a"), ("iris", "b"), ("iris", "a")]
    assert found.frame.loc[("wine", "a"), "deviation"] == pytest.approx((80 - 92) / 4)
    assert found.frame.loc[("iris", "b"), "deviation"] == pytest.approx(5)
    # No spread above zero and no figure of ours: no deviation.
    assert found.frame["deviation"].isna().sum() == 2
    assert (found.compared, found.within(1), found.within(3)) == (2, 0, 1)
    assert (found.mean, found.median) == (1.0, 4.0)


def test_without_spread_it_is_a_difference():
    found = Beside.of(OURS, PUBLISHED, unit="percentage point")
    assert found.frame.loc[("iris", "a"), "deviation"] == pytest.approx(9.5)
    assert "spread" not in found.table().frame
    assert "one percentage point" in found.table().notes[-1]


def test_table_and_sentence_tell_the_same():
    found = Beside.of(OURS, PUBLISHED, SPREAD)
    table = found.table("caption")
    assert table.bold["deviation"].tolist() == [False, True, True, False]
    assert not table.bold.drop(columns="deviation").any().any()
    assert "-3.00" in str(table)
    assert found.sentence.startswith("0 of 2 figures are within one published standard deviation of the published, 0")


def test_closeness_is_told_in_spreads_or_in_points():
    spreads, points = Beside.of(OURS, PUBLISHED, SPREAD), Beside.of(OURS, PUBLISHED, unit="percentage point")
    assert spreads.closeness(7) == (
        "Table 7: 0 of 2 figures within one published standard deviation of the published, 0 within two."
    )
    assert points.closeness(7, 10) == (
        "Table 7: 2 of 3 figures within 10 percentage points of the published; median deviation 10.0, mean +2.5."
    )


def test_side_by_side_far_and_best():
    table = side_by_side(OURS, PUBLISHED, "c", far=9.6)
    assert list(table.frame) == ["a", "a, published", "b", "b, published"]
    assert table.bold["a"].tolist() == [False, True]
    assert table.notes == ("Bold: more than 9.6 percentage points from the published.",)
    best = side_by_side(OURS, PUBLISHED, "c", best=True, spreads=(OURS, SPREAD))
    assert best.bold.loc["wine"].tolist() == [True, True, False, False]
    assert best.spread.loc["wine", "a, published"] == 4


def test_nothing_in_common():
    found = Beside.of(OURS, PUBLISHED.loc[["glass"]])
    assert found.compared == 0
    assert "None of the published figures" in found.sentence
