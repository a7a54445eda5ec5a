"""The thesis's tables and figures, ours beside the published."""

from __future__ import annotations

from covey._text import counted
from covey.reproduce.erassel import size_views, table_views, weight_views
from covey.reproduce.erassel.reading import NEAR, NEAR_TEXT, TABLES, deviations, percent
from covey.reproduce.paper import Found

VIEWS = (*table_views.VIEWS, *weight_views.VIEWS, *size_views.VIEWS)


def tell_all(found: Found) -> str:
    """Say how close the tables are to the published ones, and how often weights single out the relevant columns."""
    parts = {
        f"{method} on {table.id}": deviation
        for table in TABLES
        for method, deviation in deviations(found, table).items()
    }
    near = sum(abs(one) <= NEAR for one in parts.values())
    far = ", ".join(f"{name} {percent(one)}" for name, one in parts.items() if abs(one) > NEAR)
    text = f"Tables 5.1 to 5.9: {near} of {counted(len(parts), 'mean')} within {NEAR_TEXT} of the published"
    beyond = f"; not so {far}" if far else ""
    return " ".join((f"{text}{beyond}.", weight_views.tell_orthogonal(found), weight_views.tell_collinear(found)))
