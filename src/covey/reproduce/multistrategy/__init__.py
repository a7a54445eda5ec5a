"""Webb and Zheng (2004): combinations of boosting, wagging and stochastic attribute selection, and why they work."""

from covey.reproduce.multistrategy import figures, tables
from covey.reproduce.multistrategy.claims import CLAIMS
from covey.reproduce.multistrategy.experiments import EXPERIMENTS
from covey.reproduce.paper import paper_of

__all__ = ["PAPER"]

PAPER = paper_of("multistrategy", EXPERIMENTS, (*tables.VIEWS, *figures.VIEWS), CLAIMS, tables.tell_all)
