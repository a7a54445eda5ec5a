"""Lobato Ramos, Evolutionary weights for random subspace learning (2016)."""

from covey.reproduce.erassel import figures, tables
from covey.reproduce.erassel.claims import CLAIMS
from covey.reproduce.erassel.experiments import EXPERIMENTS
from covey.reproduce.paper import Found, paper_of
from covey.reproduce.text import tell_views

__all__ = ["PAPER"]


def _tell(results: Found) -> str:
    """Say how close the tables are to the published ones, and how often weights single out the relevant columns."""
    return f"{tables.tell_tables(results)} {tell_views(figures.VIEWS, 'figure 5.1', 'figure 5.4')(results)}"


PAPER = paper_of("erassel", EXPERIMENTS, (*tables.VIEWS, *figures.VIEWS), CLAIMS, _tell)
