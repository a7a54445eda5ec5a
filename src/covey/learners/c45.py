"""C4.5 Release 8 and its stochastic variant."""

from __future__ import annotations

from numbers import Real
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey._sklearn import Interval, StrOptions
from covey.learners.base_tree import BaseTreeClassifier
from covey.learners.growth import Nodes, grow_nodes, prune_nodes
from covey.learners.presort import Presort
from covey.seeds import RandomState
from covey.table.table import CategoricalFeatures


class C45Classifier(BaseTreeClassifier):
    """C4.5 Release 8 (Quinlan 1993, 1996), the decision tree of the multi-strategy paper.

    A node tests the attribute with the greatest gain ratio among those whose information gain is at least average. A
    number is compared with a threshold, a value that occurs in the training data; a category has a branch of its own.
    A case whose value is missing goes down every branch with a fraction of its weight. The tree is then collapsed where
    it gains nothing in training, and pruned by pessimistic error estimates, which replace a subtree by a leaf or by its
    largest branch.

    Parameters
    ----------
    min_cases : float, default=2
        The least weight of cases in at least two branches of a test.
    confidence : float, default=0.25
        The confidence level CF of the error estimates; smaller values prune more. At most 0.5.
    pruning : bool, default=True
        Whether to prune.
    subtree_raising : bool, default=True
        Whether pruning may replace a subtree by its largest branch.
    collapse : bool, default=True
        Whether to make leaves of subtrees that make no fewer errors in training, pruned or not.
    threshold_charge : bool, default=True
        Whether a numeric test pays for the choice of its threshold, as of Release 8: log2 of the number of thresholds
        over the weight of cases is taken off its gain.
    nominal_splits : {"multiway", "binary"}, default="multiway"
        Whether categories have a branch each, or are put into two groups.
    attribute_probability : float, optional
        With which each attribute is available at a node (P in algorithm 3): with 0.33 the learner is the paper's
        C4.5SAS. If no available attribute has an acceptable test, the best of all is taken.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.
    random_state : int, RandomState, Generator or None
        The seed of the stochastic variant.

    Attributes
    ----------
    tree_ : Tree
        The nodes, as flat arrays.
    classes_ : ndarray of shape (n_classes,)
    feature_importances_ : ndarray of shape (n_features,)
        The share of each column in the reduction of entropy.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import C45Classifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> tree = C45Classifier().fit(X, y)
    >>> print(tree.export_text(max_depth=2))  # doctest: +NORMALIZE_WHITESPACE
    petal width (cm) <= 0.6: 0 (50)
    petal width (cm) > 0.6
    |   petal width (cm) <= 1.7: ... (3 leaves)
    |   petal width (cm) > 1.7: 2 (46/1)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "min_cases": [Interval(Real, 0, None, closed="neither")],
        "confidence": [Interval(Real, 0, 0.5, closed="right")],
        "pruning": ["boolean"],
        "subtree_raising": ["boolean"],
        "collapse": ["boolean"],
        "threshold_charge": ["boolean"],
        "nominal_splits": [StrOptions({"multiway", "binary"})],
        "attribute_probability": [None, Interval(Real, 0, 1, closed="right")],
    }

    def __init__(
        self,
        *,
        min_cases: float = 2.0,
        confidence: float = 0.25,
        pruning: bool = True,
        subtree_raising: bool = True,
        collapse: bool = True,
        threshold_charge: bool = True,
        nominal_splits: str = "multiway",
        attribute_probability: float | None = None,
        categorical_features: CategoricalFeatures = "from_dtype",
        random_state: RandomState = None,
    ) -> None:
        self.min_cases = min_cases
        self.confidence = confidence
        self.pruning = pruning
        self.subtree_raising = subtree_raising
        self.collapse = collapse
        self.threshold_charge = threshold_charge
        self.nominal_splits = nominal_splits
        self.attribute_probability = attribute_probability
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _grow(self, data: Presort, label: NDArray[np.int32], weight: NDArray[np.float64], n_classes: int) -> Nodes:
        stochastic = self.attribute_probability is not None
        seed = int(seeds.generator(self.random_state).integers(2**62)) if stochastic else 0
        grown = grow_nodes(
            data,
            label,
            weight,
            n_classes,
            float(self.min_cases),
            True,
            bool(self.threshold_charge),
            self.nominal_splits == "binary",
            float(self.attribute_probability) if self.attribute_probability is not None else 1.0,
            0,
            seed,
        )
        return prune_nodes(
            grown,
            data,
            label,
            weight,
            bool(self.collapse),
            bool(self.pruning),
            bool(self.subtree_raising),
            float(self.confidence),
            NormalDist().inv_cdf(1.0 - self.confidence),
        )
