"""Comparing learners on one's own data: a shortlist, a study of it, and what comes out in an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._lazy import lazy_names

if TYPE_CHECKING:
    from covey.comparison.comparing import compare
    from covey.comparison.outcome import Comparison
    from covey.comparison.shortlists import shortlist

_HOMES = {"Comparison": "outcome", "compare": "comparing", "shortlist": "shortlists"}

__all__ = ["Comparison", "compare", "shortlist"]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
