"""What tree classifiers share: growing, predictions, and ways to look at the tree."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.utils.validation import check_is_fitted

from covey.learners.growth import Nodes
from covey.learners.presort import Presort, presort
from covey.learners.table_classifier import TableClassifier
from covey.learners.tree import Tree
from covey.models.fields import Field, Part, require
from covey.table import Table


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
