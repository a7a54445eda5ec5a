"""Decision trees: C4.5 Release 8, its stochastic variant, and random trees."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from numbers import Integral, Real
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.utils.validation import check_is_fitted

from covey import seeds
from covey._sklearn import Interval, StrOptions
from covey.learners.base import CLASS_WEIGHT, ClassWeight, TableClassifier
from covey.learners.presort import Nodes, Presort, grow_nodes, presort, prune_nodes
from covey.learners.tree import Tree
from covey.models.fields import Field, Part, require
from covey.seeds import RandomState
from covey.table import Table
from covey.table.table import CategoricalFeatures


class BaseTreeClassifier(TableClassifier):
    """A tree; a subclass names its parameters and grows it."""

    tree_: Tree

    _state: ClassVar[dict[str, Field]] = {"tree_": Part(Tree, ["classes"])}

    def _check_state(self) -> None:
        super()._check_state()
        require(self.tree_.attribute.max() < self.n_features_in_, "has a tree that tests columns that there are not")

    @abstractmethod
    def _grow(self, data: Presort, label: NDArray[np.int32], weight: NDArray[np.float64], n_classes: int) -> Nodes:
        """Return the nodes of a tree, as the kernels give them."""

    def _learn(self, table: Table, codes: NDArray[np.intp], weight: NDArray[np.float64], *, alone: bool) -> None:
        data = presort(table)
        nodes = self._grow(data, codes.astype(np.int32), np.ascontiguousarray(weight), self.n_classes_)
        self.tree_ = Tree.from_kernels(*nodes, data)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row, the first of equals."""
        rows = self._rows(X)
        return np.asarray(self.classes_[self.tree_.predict_codes(rows)])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the class probabilities of each row, columns in the order of ``classes_``.

        They are the class frequencies in its leaf; a case with a missing value goes down all branches, with weights in
        proportion to the training cases that went there.
        """
        rows = self._rows(X)
        return self.tree_.predict_shares(rows)

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the leaf of each row; with missing values the one that its largest fraction reaches.

        A category that no training case had at a node ends at that node itself.
        """
        rows = self._rows(X)
        return self.tree_.leaves_of(rows)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return which nodes each row passes, as a sparse 0/1 matrix of shape (n_samples, n_nodes)."""
        rows = self._rows(X)
        return self.tree_.paths_of(rows)

    # Looking at the tree

    def get_depth(self) -> int:
        """Return how many tests lead to the deepest leaf."""
        check_is_fitted(self)
        return int(self.tree_.depth.max())

    def get_n_leaves(self) -> int:
        """Return the number of leaves; as in C4.5, a category that no case had at a node is a leaf of its own."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """How much each column's tests reduce the entropy of the training cases, as shares of the whole."""
        check_is_fitted(self)
        return self.tree_.importances(self.n_features_in_)

    def export_text(self, *, max_depth: int | None = None, decimals: int = 4, show_weights: bool = True) -> str:
        """Return the tree as text, a line per branch.

        Behind a leaf's class stands the weight of its training cases, and after a slash of those of other classes.

        Parameters
        ----------
        max_depth : int, optional
            Leave out what lies deeper.
        decimals : int, default=4
            Digits of thresholds, more where two thresholds would look alike.
        show_weights : bool, default=True
            Whether to show the weights.
        """
        from covey.learners.describe import export_text

        check_is_fitted(self)
        return export_text(
            self.tree_, self.schema_, self.classes_, max_depth=max_depth, decimals=decimals, show_weights=show_weights
        )

    def to_dot(self, *, max_depth: int | None = None) -> str:
        """Return the tree in Graphviz's language."""
        from covey.plots.tree import to_dot

        check_is_fitted(self)
        return to_dot(self.tree_, self.schema_, self.classes_, max_depth=max_depth)

    def plot(self, ax: Any = None, *, max_depth: int | None = None) -> Any:
        """Draw the tree with matplotlib, root at the left, and return the axes.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure of fitting size.
        max_depth : int, optional
            Leave out what lies deeper.
        """
        from covey.plots.tree import draw_tree, tree_layout

        check_is_fitted(self)
        return draw_tree(tree_layout(self.tree_, self.schema_, self.classes_, max_depth=max_depth), ax)


@dataclass(eq=False, repr=False, kw_only=True)
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
    class_weight : dict, "balanced" or None
        Weights of classes, by which case weights are multiplied; "balanced" gives all classes the same in sum.
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
        "class_weight": CLASS_WEIGHT,
        "min_cases": [Interval(Real, 0, None, closed="neither")],
        "confidence": [Interval(Real, 0, 0.5, closed="right")],
        "pruning": ["boolean"],
        "subtree_raising": ["boolean"],
        "collapse": ["boolean"],
        "threshold_charge": ["boolean"],
        "nominal_splits": [StrOptions({"multiway", "binary"})],
        "attribute_probability": [None, Interval(Real, 0, 1, closed="right")],
    }

    min_cases: float = 2.0
    confidence: float = 0.25
    pruning: bool = True
    subtree_raising: bool = True
    collapse: bool = True
    threshold_charge: bool = True
    nominal_splits: str = "multiway"
    attribute_probability: float | None = None
    class_weight: ClassWeight = None
    categorical_features: CategoricalFeatures = "from_dtype"
    random_state: RandomState = None

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


@dataclass(eq=False, repr=False, kw_only=True)
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
    class_weight : dict, "balanced" or None
        Weights of classes, by which case weights are multiplied; "balanced" gives all classes the same in sum.
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
        "class_weight": CLASS_WEIGHT,
        "n_candidates": [StrOptions({"log2"}), Interval(Integral, 1, None, closed="left")],
        "min_cases": [Interval(Real, 0, None, closed="neither")],
        "nominal_splits": [StrOptions({"multiway", "binary"})],
    }

    n_candidates: int | str = "log2"
    min_cases: float = 1.0
    nominal_splits: str = "multiway"
    class_weight: ClassWeight = None
    categorical_features: CategoricalFeatures = "from_dtype"
    random_state: RandomState = None

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
