"""The linear support vector machine, over numbers and categories."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import combinations
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from covey._progress import Progress
from covey._sklearn import Interval
from covey.learners.base import CLASS_WEIGHT, TIE, ClassWeight, TableClassifier
from covey.learners.design import Matrix, Vector, own_design, shared_design
from covey.learners.linear import LinearModel
from covey.models.fields import Array, Field, require
from covey.table import Table
from covey.table.design import Design, design_of
from covey.table.table import CategoricalFeatures

# How many steps there may be by default for a pair of classes, or per row if that is more.
MOST_STEPS, STEPS_PER_ROW = 10_000_000, 100
# Numbers that the kernel goes through in about a second.
WORK = 2**29
# Costs and unscaled values may be as large as this: their products are still numbers.
LARGEST = 1e100


@dataclass(eq=False, repr=False, kw_only=True)
class LinearSVMClassifier(LinearModel, TableClassifier):
    """A linear support vector machine with hinge loss and an intercept without a penalty.

    It is the machine that Platt's sequential minimal optimisation (SMO, 1999) trains: the least of half the squared
    length of the coefficients plus C times the sum of the hinge losses. A number is one column, a nominal attribute of
    two categories one column of 0 and 1, and one of more has such a column for each, of more than 255 for the most
    frequent. A missing value counts as the mean, or the most frequent category, of the training rows, and so does a
    category never seen. Columns are brought to [0, 1] over the training rows; one that does not vary gets the
    coefficient 0.

    More than two classes are told apart by a machine for each pair of them, each of which has a vote. Of classes with
    as many votes the one wins for which the decision values of its machines add up to most. Where those are equal too,
    or the decision value of two classes is 0, it is the class with more weight among the training rows, and of those
    the first.

    In an ensemble a member's columns are brought to [0, 1] over its own rows, and missing values count as the mean or
    the most frequent category of these; all else about a table is worked out once for all members.

    Parameters
    ----------
    C : float, default=1.0
        What a unit of hinge loss costs. A case's weight multiplies its cost.
    scale : bool, default=True
        Whether columns are brought to [0, 1].
    tol : float, default=1e-3
        By how much decision values may miss the conditions of the optimum.
    max_iter : int or None, default=None
        How many steps there may be for a pair of classes; by default ten million, or a hundred per row if that is
        more.
    class_weight : dict, "balanced" or None
        Weights of classes, by which case weights are multiplied; "balanced" gives all classes the same in sum.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.
    verbose : int, default=0
        1 prints at most once a second how many pairs of classes are done, 2 after each.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (n_pairs, n_columns)
        The coefficients of the columns as they are before scaling, of which `coef_names_` tells which is which; a row
        for each pair of classes, in the order (0, 1), (0, 2), ..., (1, 2), ..., where the second is the positive one.
    intercept_ : ndarray of shape (n_pairs,)
    n_iter_ : ndarray of int of shape (n_pairs,)
        How many steps there were.
    class_count_ : ndarray of shape (n_classes,)
        The weight of each class's training rows.
    fill_ : ndarray of shape (n_columns,)
        What a missing value counts as.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> import numpy as np
    >>> from covey import LinearSVMClassifier
    >>> X = np.array([[0.0], [1.0], [2.0], [8.0], [9.0], [10.0]])
    >>> model = LinearSVMClassifier().fit(X, ["low", "low", "low", "high", "high", "high"])
    >>> model.predict([[3.0], [7.0]]).tolist()
    ['low', 'high']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "class_weight": CLASS_WEIGHT,
        "verbose": ["verbose"],
        "C": [Interval(Real, 0, None, closed="neither")],
        "scale": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left"), None],
    }

    # It tells several classes apart pair by pair.
    tells_pairs: ClassVar[bool] = True

    _state: ClassVar[dict[str, Field]] = {
        "coef_": Array(np.float64, "pairs", "columns"),
        "intercept_": Array(np.float64, "pairs"),
        "n_iter_": Array(np.int64, "pairs", low=0),
        "class_count_": Array(np.float64, "classes", low=0.0),
    }

    def _check_state(self) -> None:
        super()._check_state()
        n_classes = len(self.classes_)
        require(len(self.coef_) == n_classes * (n_classes - 1) // 2, "has machines for other pairs of classes")

    C: float = 1.0
    scale: bool = True
    tol: float = 0.001
    max_iter: int | None = None
    class_weight: ClassWeight = None
    categorical_features: CategoricalFeatures = "from_dtype"
    verbose: int = 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows and their classes.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Numbers, categories or text; NaN is missing.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), optional
            Case weights, which multiply C case by case as they are; a row of weight 0 counts as absent, and one of
            weight 2 as two rows.

        Returns
        -------
        self
        """
        return super().fit(X, y, sample_weight)

    def _weigh(self, weight: Vector) -> Vector:
        return weight

    def _design(self) -> Design:
        return design_of(self.schema_, every=True)

    def _learn(self, table: Table, codes: NDArray[np.intp], weight: Vector, *, alone: bool) -> None:
        check_cost(float(self.C), weight)
        design = own_design(table, weight) if alone else shared_design(table)
        rows = places = np.flatnonzero(weight)
        cost = weight * float(self.C)
        if not alone and design.known is not None:
            design, places, cost = design.of_rows(rows, weight[rows]), np.arange(len(rows)), cost[rows]
        if not self.scale:
            _check_values(design.values[places])
        order = places[np.argsort(codes[rows], kind="stable")]
        sizes = np.bincount(codes[rows], minlength=len(self.classes_))
        count = np.bincount(codes, weight, minlength=len(self.classes_))
        present = np.flatnonzero(sizes)
        if len(present) < len(sizes):  # a member may have drawn no row of a class
            self.classes_, self.n_classes_ = self.classes_[present], len(present)
        starts = np.concatenate([[0], np.cumsum(sizes[present])])
        most = most_steps(self.max_iter, len(rows))
        data = design.values, design.columns, order, starts, cost, bool(self.scale), float(self.tol), most
        n_pairs = len(present) * (len(present) - 1) // 2
        progress = Progress(type(self).__name__, n_pairs, self.verbose, unit="pairs of classes")
        self.coef_, self.intercept_, gaps, self.n_iter_ = fit_pairs(*data, progress)
        self.class_count_, self.fill_ = count[present], design.fill
        if (gaps > self.tol).any():
            warn_of_gap(int(self.n_iter_[gaps.argmax()]), float(gaps.max()), float(self.tol), stacklevel=5)

    def decision_function(self, X: Any) -> Matrix:
        """Return decision values.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            With two classes the machine's value, positive for the second class. With more the votes of each class, and
            as a fraction the sum of its machines' decision values, brought to less than a third of a vote.
        """
        check_is_fitted(self)
        values = self._sums(X, self.coef_, self.intercept_)
        if len(self.classes_) == 2:
            return values[:, 0]
        votes = np.zeros((len(values), len(self.classes_)))
        confidence = np.zeros_like(votes)
        for pair, (one, other) in enumerate(combinations(range(len(self.classes_)), 2)):
            vote = (1.0 + np.sign(values[:, pair])) / 2.0
            votes[:, other] += vote
            votes[:, one] += 1.0 - vote
            confidence[:, other] += values[:, pair]
            confidence[:, one] -= values[:, pair]
        return np.asarray(votes + confidence / (3.0 * (np.abs(confidence) + 1.0)))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row with most votes."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            scores = np.column_stack([-scores, scores])
        tied = scores >= scores.max(axis=1, keepdims=True) - TIE
        return np.asarray(self.classes_[np.where(tied, self.class_count_, -1.0).argmax(axis=1)])


def check_cost(C: float, weight: Vector) -> None:
    """Refuse costs so large that their products would not be numbers."""
    largest = float(weight.max())
    if LARGEST / max(largest, 1.0) < C:
        raise ValueError(
            f"C={C:g} with a weight of {largest:g} is too much to reckon with; give a smaller C, or divide the weights "
            "by a constant."
        )


def most_steps(max_iter: int | None, n_rows: int) -> int:
    """Return how many steps there may be."""
    return max(MOST_STEPS, STEPS_PER_ROW * n_rows) if max_iter is None else int(max_iter)


def warn_of_gap(n_iter: int, gap: float, tol: float, stacklevel: int) -> None:
    """Warn that the optimum was not reached; ``stacklevel`` is that of the caller's own warnings."""
    warnings.warn(
        f"After {n_iter} steps the solution is still {gap:g} short of the optimum, more than tol={tol:g}; raise "
        "max_iter or tol.",
        ConvergenceWarning,
        stacklevel=stacklevel + 1,
    )


def _check_values(values: Matrix) -> None:
    largest = max(values.max(initial=0.0), -values.min(initial=0.0))
    if largest > LARGEST:
        raise ValueError(f"X has values as large as {largest:g}, too large for scale=False; set scale=True.")


def fit_pairs(
    matrix: Matrix,
    columns: NDArray[np.int64],
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    cost: Vector,
    scale: bool,
    tol: float,
    max_iter: int,
    progress: Progress,
) -> tuple[Matrix, Vector, Vector, NDArray[np.int64]]:
    """Train a machine for each pair of classes, in calls of about a second each, as of `improve_pairs`.

    Returns the coefficients, the intercepts, by how much decision values miss the conditions of the optimum, and how
    many steps there were.
    """
    from covey.kernels.multipliers import STATES
    from covey.kernels.smo import N_COUNTS, PAIR, improve_pairs, working_rows

    sizes, n_columns = np.diff(starts), len(columns)
    n_pairs = len(sizes) * (len(sizes) - 1) // 2
    results = np.empty((n_pairs, n_columns)), np.empty(n_pairs), np.empty(n_pairs), np.empty(n_pairs, dtype=np.int64)
    room = np.empty((n_columns + STATES + 1) * int(np.sort(sizes)[-2:].sum()) + n_columns)
    chosen = np.empty(working_rows(n_columns), dtype=np.int64)
    counts = np.zeros(N_COUNTS, dtype=np.int64)
    while counts[PAIR] < n_pairs:
        improve_pairs(matrix, columns, order, starts, cost, scale, tol, max_iter, *results, room, chosen, counts, WORK)
        progress.advance(int(counts[PAIR]) - progress.done)
    return results
