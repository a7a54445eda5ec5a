"""Attribute filters: scores of how much each attribute tells of the classes, and the choice of the best."""

from __future__ import annotations

from covey.analysis.filters.discretize import MDLDiscretizer, mdl_cut_points
from covey.analysis.filters.relief import relieff
from covey.analysis.filters.select import SelectAttributes, chi_squared, information_gain

__all__ = ["MDLDiscretizer", "SelectAttributes", "chi_squared", "information_gain", "mdl_cut_points", "relieff"]
