"""The paper's tables and figures, ours beside the published."""

from __future__ import annotations

from covey.reproduce.rsc import accuracy_views, gene_views, loss_views, size_views

VIEWS = (
    *(table.view for table in accuracy_views.TABLES),
    *size_views.VIEWS,
    *(table.view for table in gene_views.TABLES),
    *loss_views.VIEWS,
    *size_views.FIGURES,
    *accuracy_views.FIGURES,
    *loss_views.FIGURES,
)
