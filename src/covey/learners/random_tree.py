"""A tree that looks at a few attributes drawn at random at each node."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey._sklearn import Interval, StrOptions
from covey.learners.base_tree import BaseTreeClassifier
from covey.learners.growth import Nodes, grow_nodes
from covey.learners.presort import Presort
from covey.seeds import RandomState
from covey.table.table import CategoricalFeatures


class RandomTreeClassifier(BaseTreeClassifier):
    """A tree grown in full, each node testing the best of a few attributes drawn at random.

    The member of random committees, after Weka's RandomTree: the test is the one with the greatest information gain;
    as long as none of the attributes drawn has any, more are drawn. Nothing is pruned.

    Parameters
    ----------
    n_candidates : int or "log2", default="log2"
        The number of attributes drawn at a node; "log2" is the logarithm of their number, rounded down, plus 1.
    min_cases : float, default=1
        The least weight of cases in at least two branches of a test.
    nominal_splits : {"multiway", "binary"}, default="multiway"
        Whether categories have a branch each, or are put into two groups.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.
    random_state : int, RandomState, Generator or None
        The seed.

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
    >>> from covey import RandomTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> RandomTreeClassifier(random_state=0).fit(X, y).score(X, y)
    1.0
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_candidates": [StrOptions({"log2"}), Interval(Integral, 1, None, closed="left")],
        "min_cases": [Interval(Real, 0, None, closed="neither")],
        "nominal_splits": [StrOptions({"multiway", "binary"})],
    }

    def __init__(
        self,
        *,
        n_candidates: int | str = "log2",
        min_cases: float = 1.0,
        nominal_splits: str = "multiway",
        categorical_features: CategoricalFeatures = "from_dtype",
        random_state: RandomState = None,
    ) -> None:
        self.n_candidates = n_candidates
        self.min_cases = min_cases
        self.nominal_splits = nominal_splits
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _grow(self, data: Presort, label: NDArray[np.int32], weight: NDArray[np.float64], n_classes: int) -> Nodes:
        n_columns = len(data.n_values)
        wanted = n_columns.bit_length() if self.n_candidates == "log2" else int(self.n_candidates)
        return grow_nodes(
            data,
            label,
            weight,
            n_classes,
            float(self.min_cases),
            False,
            False,
            self.nominal_splits == "binary",
            1.0,
            wanted,
            int(seeds.generator(self.random_state).integers(2**62)),
        )
