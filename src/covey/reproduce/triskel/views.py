"""The paper's tables and figures, ours beside the published."""

from __future__ import annotations

from covey.reproduce.paper import Found
from covey.reproduce.triskel import roc_views, table_views, time_views
from covey.reproduce.triskel.table_views import tell_accuracies, tell_times

_FIRST, *_OTHERS = roc_views.VIEWS

VIEWS = (*table_views.VIEWS, _FIRST, *time_views.VIEWS, *_OTHERS)


def tell_all(found: Found) -> str:
    """Say how close the tables are to the published ones."""
    return f"{tell_accuracies(found)} {tell_times(found)}"
