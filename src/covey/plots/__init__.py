"""Figures: for each a function that makes its data and one that draws it. Importing them does not load matplotlib."""

from __future__ import annotations

from covey.plots.cover import CoverMap, Spheres, cover_map, draw_cover
from covey.plots.tree import TreeLayout, draw_tree, tree_layout

__all__ = ["CoverMap", "Spheres", "TreeLayout", "cover_map", "draw_cover", "draw_tree", "tree_layout"]
