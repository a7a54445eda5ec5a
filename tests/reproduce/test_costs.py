"""What fits took."""

from __future__ import annotations

import pytest

from covey.reproduce.costs import Cost, costs, total
from covey.reproduce.paper import Found


def test_a_full_run_is_estimated_from_the_fits_that_there_are(result):
    parts = costs(result.paper, result.found)
    assert set(parts) == {"systems", "others"}
    frame = result.found["others"].frame()
    seconds = frame["fit seconds"] + frame["predict seconds"]
    spent = 6 * float(seconds.groupby([frame["dataset"], frame["method"]]).median().sum())
    # Two of ten cycles of three folds, of two methods on two datasets.
    assert parts["others"] == (pytest.approx(spent), pytest.approx(5 * spent), 24, 120)
    assert total(parts).fits == 24 + 108


def test_nothing_was_carried_out(small_paper):
    assert total(costs(small_paper, Found({}, quick=True))) == Cost(0.0, 0.0, 0, 0)
