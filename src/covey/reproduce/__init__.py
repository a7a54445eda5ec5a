"""The papers' experiments, carried out again: tables and figures beside the published ones, and verdicts on claims.

Names are resolved when they are first used (PEP 562), so that importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._lazy import lazy_names

if TYPE_CHECKING:
    from covey.reproduce.carry_out import Reproduction, reproduce
    from covey.reproduce.catalogue import find_paper, papers
    from covey.reproduce.paper import Claim, Experiment, Found, Paper, Quick, Verdict, View
    from covey.reproduce.published import published_table

_HOMES = {
    "Reproduction": "carry_out",
    "reproduce": "carry_out",
    "find_paper": "catalogue",
    "papers": "catalogue",
    "Claim": "paper",
    "Experiment": "paper",
    "Found": "paper",
    "Paper": "paper",
    "Quick": "paper",
    "Verdict": "paper",
    "View": "paper",
    "published_table": "published",
}

__all__ = [
    "Claim",
    "Experiment",
    "Found",
    "Paper",
    "Quick",
    "Reproduction",
    "Verdict",
    "View",
    "find_paper",
    "papers",
    "published_table",
    "reproduce",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
