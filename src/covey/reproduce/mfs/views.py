"""The paper's tables and figures, ours beside the published."""

from __future__ import annotations

from covey.reproduce.mfs import error_views, loss_views, member_views, noise_views
from covey.reproduce.mfs.loss_views import tell_terms
from covey.reproduce.paper import Found

VIEWS = (
    *error_views.VIEWS,
    *noise_views.VIEWS,
    *loss_views.VIEWS,
    *error_views.CHOSEN,
    *member_views.VIEWS,
)


def tell_all(found: Found) -> str:
    """Say how close the tables are to the published ones."""
    noise = next(view.tell for view in noise_views.VIEWS)
    assert noise is not None
    return " ".join((error_views.tell_errors(found), noise(found), tell_terms(found)))
