"""What tree classifiers share: reading the data, weights, predictions, and ways to look at the tree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from covey.learners.counts import case_counts
from covey.learners.presort import Presort, presort
from covey.learners.tree import Tree
from covey.table import Table, TableReader, as_table, check_class_weights, check_weight, encode_classes, feature_names
from covey.table.table import CategoricalFeatures


class BaseTreeClassifier(ClassifierMixin, TableReader, ABC):
    """A tree over numbers and categories, with missing values and real case weights.

    A subclass names its parameters, ``categorical_features`` among them, and grows the tree.
    """

    takes_zero_weights: ClassVar[bool] = True

    categorical_features: CategoricalFeatures
    tree_: Tree
    classes_: NDArray[Any]

    @abstractmethod
    def _grow(
        self, data: Presort, label: NDArray[np.int32], weight: NDArray[np.float64], n_classes: int
    ) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]:
        """Return the nodes of a tree, as the kernels give them."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Numbers, categories or text; NaN is missing.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), optional
            Case weights; a row of weight 0 counts as absent. Weights that are whole multiples of one number count
            cases: the fit is that on repeated rows. Others are scaled to a mean of 1. Either way weights that differ
            by a factor give the same tree.

        Returns
        -------
        self
        """
        self._validate_params()
        table = as_table(X, self.categorical_features)
        classes, codes = encode_classes(y)
        check_consistent_length(table.matrix, codes)
        weight = check_weight(sample_weight, table.matrix)
        check_class_weights(classes, codes, weight)
        return self._fit(table, feature_names(X), classes, codes, case_counts(weight))

    def _fit_member(self, table: Table, codes: NDArray[np.intp], weight: NDArray[np.float64]) -> Self:
        self._validate_params()
        classes = np.flatnonzero(np.bincount(codes))
        codes = codes if len(classes) == classes[-1] + 1 else np.searchsorted(classes, codes)
        return self._fit(table, feature_names(table), classes, codes, weight)

    def _fit(
        self,
        table: Table,
        names: NDArray[Any] | None,
        classes: NDArray[Any],
        codes: NDArray[np.intp],
        weight: NDArray[np.float64],
    ) -> Self:
        data = presort(table)
        nodes = self._grow(data, codes.astype(np.int32), np.ascontiguousarray(weight), len(classes))
        self.tree_ = Tree.from_kernels(*nodes, data)
        self.classes_ = classes
        self.n_classes_ = len(classes)
        self._remember_columns(table, names)
        return self

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

    def _rows(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        return np.ascontiguousarray(self._read_new(X))

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
        from covey.learners.describe import to_dot

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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
