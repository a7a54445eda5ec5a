"""The base estimators that ensembles of trees fall back on; loaded when first needed, as their kernels take a while."""

from __future__ import annotations

from typing import Any


def default_tree(**params: Any) -> Any:
    """Return a new C4.5, the base of the papers' ensembles."""
    from covey.learners.tree_classifiers import C45Classifier

    return C45Classifier(**params)


def default_random_tree(**params: Any) -> Any:
    """Return a new random tree."""
    from covey.learners.tree_classifiers import RandomTreeClassifier

    return RandomTreeClassifier(**params)
