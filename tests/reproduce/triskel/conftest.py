from __future__ import annotations

import pytest

from covey.reproduce.triskel import problems
from reproduce.triskel.printed import one_cake


@pytest.fixture
def small(monkeypatch):
    """Few strengths on one draw of the cake, and no real dataset: as where there is none."""
    caches = (problems.accuracies, problems.curves_of, problems.opinions)
    for function in caches:
        function.cache_clear()
    monkeypatch.setattr(problems, "STRENGTHS", (0.1, 0.4, 0.55, 0.65, 0.9))
    monkeypatch.setattr(problems, "real_problem", lambda: None)
    yield one_cake()
    for function in caches:
        function.cache_clear()
