"""Base learners: what ensembles are made of."""

from __future__ import annotations

from covey.learners.c45 import C45Classifier
from covey.learners.least_squares import LeastSquaresRegressor
from covey.learners.linear_svm import LinearSVMClassifier
from covey.learners.logistic import LogisticClassifier
from covey.learners.neighbors import MixedNeighborsClassifier
from covey.learners.random_tree import RandomTreeClassifier
from covey.learners.selected_neighbors import SelectedNeighborsClassifier
from covey.learners.sphere_cover import SphereCoverClassifier
from covey.learners.tree import Tree

__all__ = [
    "C45Classifier",
    "LeastSquaresRegressor",
    "LinearSVMClassifier",
    "LogisticClassifier",
    "MixedNeighborsClassifier",
    "RandomTreeClassifier",
    "SelectedNeighborsClassifier",
    "SphereCoverClassifier",
    "Tree",
]
