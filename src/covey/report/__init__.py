"""Reports: what studies found, in words, tables and figures, as one HTML file.

Names are resolved when they are first used (PEP 562), so that importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._lazy import lazy_names

if TYPE_CHECKING:
    from covey.report.overall import Overall, rank_overall
    from covey.report.page import Page
    from covey.report.ranked import RankedMethod, Ranking
    from covey.report.ranking import rank_methods
    from covey.report.rendering import render_page
    from covey.report.writing import write_report

_HOMES = {
    "Overall": "overall",
    "rank_overall": "overall",
    "Page": "page",
    "RankedMethod": "ranked",
    "Ranking": "ranked",
    "rank_methods": "ranking",
    "render_page": "rendering",
    "write_report": "writing",
}

__all__ = [
    "Overall",
    "Page",
    "RankedMethod",
    "Ranking",
    "rank_methods",
    "rank_overall",
    "render_page",
    "write_report",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
