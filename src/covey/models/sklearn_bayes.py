"""What scikit-learn's naive Bayes classifiers declare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from covey.models.declaration import Declaration
from covey.models.fields import Array, Field, Items, Labels, Number, Sizes, require
from covey.models.sklearn_trees import COLUMNS

# Squares of distances divided by variances, and sums of such, stay finite within these.
_SMALLEST, _LARGEST = 1e-90, 1e90
# A column that is all but certain; a probability of 1 would leave minus infinity for the other case.
_CERTAIN = -1e-15

_COUNTS: Mapping[str, Field] = {
    "class_count_": Array(np.float64, "classes", low=0.0, high=_LARGEST),
    "class_log_prior_": Array(np.float64, "classes", low=-_LARGEST, high=0.0),
    "feature_count_": Array(np.float64, "classes", "features", low=0.0, high=_LARGEST),
}
_FIELDS: Mapping[str, Mapping[str, Field]] = {
    "GaussianNB": {
        "class_count_": Array(np.float64, "classes", low=0.0, high=_LARGEST),
        "class_prior_": Array(np.float64, "classes", low=0.0, high=1.0),
        "theta_": Array(np.float64, "classes", "features", low=-_LARGEST, high=_LARGEST),
        "var_": Array(np.float64, "classes", "features", low=_SMALLEST, high=_LARGEST),
        "epsilon_": Number(0.0, _LARGEST),
    },
    "BernoulliNB": {
        **_COUNTS,
        "feature_log_prob_": Array(np.float64, "classes", "features", low=-_LARGEST, high=_CERTAIN),
    },
    "MultinomialNB": {
        **_COUNTS,
        "feature_log_prob_": Array(np.float64, "classes", "features", low=-_LARGEST, high=0.0),
    },
    "ComplementNB": {
        **_COUNTS,
        "feature_all_": Array(np.float64, "features", low=0.0, high=_LARGEST),
        "feature_log_prob_": Array(np.float64, "classes", "features", low=-_LARGEST, high=_LARGEST),
    },
    "CategoricalNB": {
        "class_count_": _COUNTS["class_count_"],
        "class_log_prior_": _COUNTS["class_log_prior_"],
        "category_count_": Items(Array(np.float64, "classes", None, low=0.0, high=_LARGEST), "features"),
        "n_categories_": Array(np.int64, "features", low=1),
        "feature_log_prob_": Items(Array(np.float64, "classes", None, low=-_LARGEST, high=0.0), "features"),
    },
}


class BayesDeclaration(Declaration):
    """A naive Bayes classifier."""

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.fields = {**COLUMNS, "classes_": Labels("classes", distinct=True), **_FIELDS[kind.__name__]}
        self.derived = frozenset()

    def restore(self, model: Any, state: dict[str, Any], sizes: Sizes) -> Any:
        """Give a new classifier its counts and probabilities, which have to add up."""
        prior = state["class_prior_"] if "class_prior_" in state else np.exp(state["class_log_prior_"])
        require(prior.any() and prior.max() <= 1.0, "has no class that is possible")
        if "category_count_" in state:
            widths = [one.shape[1] for one in state["feature_log_prob_"]]
            require(widths == [one.shape[1] for one in state["category_count_"]], "has counts of other categories")
            require(widths == state["n_categories_"].tolist(), "has counts of other categories")
        return super().restore(model, state, sizes)


DECLARED = dict.fromkeys(_FIELDS, BayesDeclaration)
