"""Lines that tell how far a comparison is."""

from __future__ import annotations

import re
import sys

from covey import compare
from covey.comparison import telling
from covey.comparison.telling import Lines
from covey.study import Progress

QUICK = {"methods": ["c4.5", "baseline"], "n_repeats": 1, "n_workers": 1}


def test_lines_come_now_and_then_and_news_at_once(capsys, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(telling.time, "monotonic", lambda: now[0])
    lines = Lines()
    for done in range(1, 100):
        now[0] += 1.0
        lines(Progress(100, done, 0))
    lines(Progress(100, 100, 0, news="So far: a 90%"))
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "[0:01] 1 of 100 fits"
    assert told[-1] == "[1:39] So far: a 90%"
    assert 6 <= len(told) <= 20


def test_interactive_sessions_are_told_and_scripts_are_not(capsys, monkeypatch):
    compare("iris", **QUICK)
    assert capsys.readouterr().out == ""
    compare("iris", verbose=1, **QUICK)
    assert re.match(r"\[0:0\d\] 1 of 10 fits", capsys.readouterr().out)
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    compare("iris", **QUICK)
    assert " of 10 fits" in capsys.readouterr().out
    compare("iris", verbose=0, **QUICK)
    assert capsys.readouterr().out == ""
