"""The time that a comparison may take."""

from __future__ import annotations

from datetime import timedelta
from math import inf

import pytest

from covey.comparison import budget
from covey.comparison.budget import DEFAULT, Clock, read_budget


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        (None, DEFAULT),
        (90, 90.0),
        (0.5, 0.5),
        ("90", 90.0),
        ("90s", 90.0),
        ("10m", 600.0),
        ("1.5 h", 5400.0),
        ("2 min", 120.0),
        (timedelta(minutes=3), 180.0),
        ("none", None),
        (inf, None),
    ],
)
def test_times(given, seconds):
    assert read_budget(given) == seconds


@pytest.mark.parametrize("given", [0, -1, True, "soon", "10 parsecs", "", float("nan"), [], "0s"])
def test_what_is_no_time_is_refused_with_the_remedy(given):
    with pytest.raises(ValueError, match="is no time; give seconds, text such as '10m'"):
        read_budget(given)


def test_fits_end_before_the_time_is_over(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(budget, "monotonic", lambda: now[0])
    short, long, endless = Clock(50.0), Clock(3600.0), Clock(None)
    assert short.fits_until == 140.0  # a fifth is kept for what comes after
    assert long.fits_until == 100.0 + 3600.0 - 60.0
    assert (endless.fits_until, endless.left(), endless.left_for_fits()) == (None, inf, inf)
    now[0] = 130.0
    assert (short.left(), short.left_for_fits()) == (20.0, 10.0)
