"""Khoussainov, Heß and Kushmerick, Ensembles of biased classifiers (2005)."""

from covey.reproduce.paper import paper_of
from covey.reproduce.text import tell_views
from covey.reproduce.triskel import figures, tables
from covey.reproduce.triskel.claims import CLAIMS
from covey.reproduce.triskel.experiments import EXPERIMENTS

__all__ = ["PAPER"]

PAPER = paper_of("triskel", EXPERIMENTS, (*tables.VIEWS, *figures.VIEWS), CLAIMS, tell_views(tables.VIEWS, "1", "2"))
