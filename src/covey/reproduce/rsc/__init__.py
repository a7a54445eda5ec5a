"""Bagnall and Younsi, Ensembles of random sphere cover classifiers (2014)."""

from covey.reproduce.paper import paper_of
from covey.reproduce.rsc import figures, tables
from covey.reproduce.rsc.claims import CLAIMS
from covey.reproduce.rsc.experiments import EXPERIMENTS

__all__ = ["PAPER"]

PAPER = paper_of("rsc", EXPERIMENTS, (*tables.VIEWS, *figures.VIEWS), CLAIMS)
