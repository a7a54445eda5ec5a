"""Bay, Nearest neighbor classification from multiple feature subsets (1999)."""

from covey.reproduce.mfs import figures, tables, times
from covey.reproduce.mfs.claims import CLAIMS
from covey.reproduce.mfs.experiments import EXPERIMENTS
from covey.reproduce.paper import paper_of
from covey.reproduce.text import tell_views

__all__ = ["PAPER"]

_TABLES = sorted((*tables.VIEWS, times.VIEW), key=lambda view: view.id)
PAPER = paper_of("mfs", EXPERIMENTS, (*_TABLES, *figures.VIEWS), CLAIMS, tell_views(tables.VIEWS, "2", "5", "6"))
