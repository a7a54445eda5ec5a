"""Bay, Nearest neighbor classification from multiple feature subsets (1999)."""

from covey.reproduce.mfs import figures, tables
from covey.reproduce.mfs.claims import CLAIMS
from covey.reproduce.mfs.experiments import EXPERIMENTS
from covey.reproduce.paper import paper_of
from covey.reproduce.text import tell_views

__all__ = ["PAPER"]

PAPER = paper_of("mfs", EXPERIMENTS, (*tables.VIEWS, *figures.VIEWS), CLAIMS, tell_views(tables.VIEWS, "2", "5", "6"))
