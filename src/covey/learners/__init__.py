"""Base learners: what ensembles are made of."""

from __future__ import annotations

from covey.learners.least_squares import LeastSquaresRegressor
from covey.learners.linear_svm import LinearSVMClassifier
from covey.learners.logistic import LogisticClassifier
from covey.learners.neighbors import MixedNeighborsClassifier, SelectedNeighborsClassifier
from covey.learners.sphere_cover import SphereCoverClassifier
from covey.learners.tree import Tree
from covey.learners.trees import C45Classifier, RandomTreeClassifier

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
