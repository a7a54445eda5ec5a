"""Nearest neighbours over feature subsets for numbers, with weights that members earn on rows left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from numbers import Integral
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.optimize import nnls

from covey._progress import Progress
from covey._sklearn import Interval, StrOptions
from covey.ensemble.subset_neighbors import Integers, SubsetNeighbors, multiplicities
from covey.learners.base import TableRegressor
from covey.learners.case_base import CaseBase, Layout, by_chunks, bytes_of
from covey.learners.nearest import means_along
from covey.learners.space import Points
from covey.models.fields import Array, Field, Number, Part, require
from covey.seeds import RandomState
from covey.strategies.draw import Size
from covey.table import Table
from covey.table.table import CategoricalFeatures

Floats = NDArray[np.float64]

# What "auto" tries.
NEIGHBORS = (1, 2, 3, 5)

# How strongly weights are drawn towards equal ones, for each member; from a tenth of it to five times as much, errors
# on the packaged data sets were the same within one per cent.
SHRINKAGE = 2e-4

# How many rows at most choose a size, and weigh the members of that size.
CHOOSING, WEIGHING = 400, 1000

# Errors that differ by a smaller share are sums of the same in another order.
EQUAL = 1e-9


@dataclass(eq=False, repr=False)
class FeatureSubsetNeighborsRegressor(SubsetNeighbors, TableRegressor):
    """Nearest neighbours from multiple feature subsets, for numbers.

    Each member predicts the mean of the nearest cases along a random choice of columns, as many for each, as those of
    `FeatureSubsetNeighborsClassifier` vote. The prediction is a weighted sum of theirs, by weights that have the least
    squared error on rows left out: members that see columns of little use get none.

    Parameters
    ----------
    n_estimators : int, default=100
        The number of members.
    subset_size : int, float, str or "auto", default="auto"
        The number of columns of each member: a number, a share, "sqrt", "log2" or "third". "auto" chooses among ten
        sizes, evenly spread up to all columns, by the leave-one-out error of the ensemble; of equals the smaller. Of
        more than 400 rows, as many are left out, drawn by the seed.
    replacement : bool, default=True
        Whether a column may be drawn more than once, to count more than others.
    n_neighbors : int or "auto", default="auto"
        How many cases k a member asks, those as near as the last of them sharing its place. "auto" chooses among 1, 2,
        3 and 5, together with the size.
    weighting : {"optimal", "uniform"}, default="optimal"
        Whether members are weighted by least squares on the rows left out, without negative weights and somewhat drawn
        towards equal ones, or have equal weights. Of more than 1,000 rows, as many are left out, drawn by the seed.
    scale, categorical_features
        As of `MixedNeighborsClassifier`.
    n_jobs : int, optional
        How many threads search; the predictions are the same for any number.
    random_state : int, RandomState, Generator or None
        What columns are drawn from.
    verbose : int, default=0
        1 prints at most once a second how many sizes have been tried, 2 after each.

    Attributes
    ----------
    subset_size_, n_neighbors_ : int
        The number of columns of each member, and of the cases it asks.
    size_curve_ : dict of int to float
        With "auto", the leave-one-out root mean squared error of each size, with its best number of neighbours.
    estimators_features_ : list of ndarray
        The columns of each member, in ascending order.
    estimator_weights_ : ndarray of shape (n_members,)
        What each member's prediction is multiplied by. The sum may be other than 1: means of neighbours vary less than
        what they predict.
    intercept_ : float
        What is added to their sum.
    n_cases_ : int
        How many rows are remembered.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from covey import FeatureSubsetNeighborsRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = FeatureSubsetNeighborsRegressor(n_estimators=10, random_state=0).fit(X, y)
    >>> model.predict(X[:2]).shape
    (2,)
    """

    n_estimators: int = 100
    _: KW_ONLY
    subset_size: Size = "auto"
    replacement: bool = True
    n_neighbors: int | Literal["auto"] = "auto"
    weighting: Literal["optimal", "uniform"] = "optimal"
    scale: bool = True
    categorical_features: CategoricalFeatures = "from_dtype"
    n_jobs: int | None = None
    random_state: RandomState = None
    verbose: int = 0

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SubsetNeighbors._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})],
        "weighting": [StrOptions({"optimal", "uniform"})],
    }
    _state: ClassVar[dict[str, Field]] = {
        "_cases": Part(CaseBase, ["features", "rows"]),  # all of one class
        "_values": Array(np.float64, "rows"),
        "estimator_weights_": Array(np.float64, "members", low=0.0),
        "intercept_": Number(),
    }

    def _check_state(self) -> None:
        super()._check_state()
        require(not self._cases.codes.any(), "has rows of several classes")
        require(len(self.estimator_weights_), "has no members")

    # Training

    def _learn(self, table: Table, y: NDArray[Any], weight: Floats, *, alone: bool) -> None:
        values = y.astype(np.float64)
        cases = self._case_base(table, np.zeros(len(y), dtype=np.int64), weight, alone=alone)
        layout = cases.layout
        if self.n_neighbors != "auto":
            self._check_enough(int(self.n_neighbors), layout.n_cases)
        self._begin()
        self.subset_size_ = max(self._sizes(layout.n_columns))
        drawn = self._draws(layout.n_columns).of_members()
        self._choose(layout, values[layout.rows], drawn)
        self.estimators_features_ = list(np.sort(drawn[:, : self.subset_size_], axis=1))
        self._cases, self._values = cases, values

    def _choose(self, layout: Layout, values: Floats, drawn: Integers) -> None:
        """Choose the number of columns and of neighbours with the least error, and weigh the members."""
        sizes = self._sizes(layout.n_columns)
        # With one case left out there is one less to ask.
        auto = [k for k in NEIGHBORS if k < layout.n_cases] or [1]
        ks = auto if self.n_neighbors == "auto" else [int(self.n_neighbors)]
        self.n_neighbors_, self.subset_size_ = ks[0], sizes[0]
        own = self._left_out(layout, CHOOSING)
        progress, least, curve = Progress(type(self).__name__, len(sizes), self.verbose, unit="sizes"), np.inf, {}
        for size in sizes if self.subset_size == "auto" or len(ks) > 1 else []:
            tried = self._left_out_means(layout, values, drawn[:, :size], own, ks)
            errors = [self._weigh(means, values[own], layout.weight[own]).error for means in tried]
            curve[size] = min(errors)
            for k, error in zip(ks, errors, strict=True):
                if error < least * (1.0 - EQUAL) or not np.isfinite(least):
                    least, self.subset_size_, self.n_neighbors_ = error, size, k
            progress.advance()
        if self.subset_size == "auto":
            self.size_curve_ = curve
        if self.weighting == "uniform":
            self.estimator_weights_, self.intercept_ = np.full(len(drawn), 1 / len(drawn)), 0.0
            return
        own = self._left_out(layout, WEIGHING)
        means = self._left_out_means(layout, values, drawn[:, : self.subset_size_], own, [self.n_neighbors_])[0]
        self.estimator_weights_, self.intercept_, *_ = _weigh_optimally(means, values[own], layout.weight[own])

    def _weigh(self, means: Floats, values: Floats, weight: Floats) -> _Weighed:
        return (_weigh_optimally if self.weighting == "optimal" else _weigh_uniformly)(means, values, weight)

    def _left_out_means(
        self, layout: Layout, values: Floats, drawn: Integers, own: Integers, ks: Sequence[int]
    ) -> Floats:
        """Return what members say of rows left out: (number of neighbours, row, member); the mean of all if nothing."""
        queries, counts = layout.points.take(own), self._counts(layout, drawn)
        size = bytes_of(len(drawn), max(ks), len(ks))
        parts = by_chunks(_means, len(own), size, self.n_jobs, layout, values, queries, counts, ks, own)
        means = np.concatenate(list(parts), axis=1)
        means[np.isnan(means)] = np.average(values, weights=layout.weight)
        return means

    def _counts(self, layout: Layout, drawn: Integers) -> Integers:
        return layout.space.coordinate_counts(multiplicities(drawn, layout.n_columns))

    def _left_out_outputs(self) -> Floats:
        """Return the prediction of each case when it is left out; NaN for one without weight."""
        layout, n_members = self._cases.layout, len(self.estimator_weights_)
        values, every = self._values[layout.rows], np.arange(len(layout.rows))
        drawn = np.stack(self.estimators_features_)
        means = self._left_out_means(layout, values, drawn, every, [self.n_neighbors_])[0]
        outputs = self.intercept_ + means @ self.estimator_weights_
        own = self._left_out(layout, WEIGHING)
        if (self.estimator_weights_ != 1 / n_members).any():  # weights are left out, too
            outputs[own] = _weigh_optimally(means[own], values[own], layout.weight[own]).outputs
        result = np.full(len(self._cases), np.nan)
        result[layout.rows] = outputs
        return result

    # Predictions

    def predict(self, X: Any) -> Floats:
        """Return the weighted sum of the members' predictions for each row."""
        rows = self._rows(X)
        asked = np.flatnonzero(self.estimator_weights_)
        return np.asarray(self.intercept_ + self._ask(rows, asked) @ self.estimator_weights_[asked])

    def member_predictions(self, X: Any) -> Floats:
        """Return what each member predicts.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_members)
        """
        rows = self._rows(X)
        return self._ask(rows, np.arange(len(self.estimator_weights_)))

    def _ask(self, rows: Floats, members: NDArray[np.intp]) -> Floats:
        layout, ks = self._cases.layout, [self.n_neighbors_]
        means = np.empty((len(rows), len(members)))
        if len(members):
            counts = self._counts(layout, np.stack([self.estimators_features_[member] for member in members]))
            queries, values = layout.space.place(rows), self._values[layout.rows]
            size, done = bytes_of(len(members), self.n_neighbors_, 1), 0
            for part in by_chunks(_means, len(rows), size, self.n_jobs, layout, values, queries, counts, ks, None):
                means[done : done + part.shape[1]] = part[0]
                done += part.shape[1]
        return means


def _means(
    chunk: slice,
    layout: Layout,
    values: Floats,
    queries: Points,
    counts: Integers,
    ks: Sequence[int],
    own: Integers | None,
) -> Floats:
    some = queries.take(np.arange(chunk.start, chunk.stop))
    return means_along(layout, values, some, counts, ks, None if own is None else own[chunk])


class _Weighed(NamedTuple):
    """How members' predictions become the ensemble's."""

    weights: Floats
    intercept: float
    outputs: Floats  # what it says of the rows left out
    error: float  # the root mean squared error of that


def _weigh_uniformly(means: Floats, values: Floats, weight: Floats) -> _Weighed:
    n_members = means.shape[1]
    outputs = means.mean(axis=1)
    return _Weighed(np.full(n_members, 1 / n_members), 0.0, outputs, _root_mean_square(outputs - values, weight))


def _weigh_optimally(means: Floats, values: Floats, weight: Floats) -> _Weighed:
    """Find the weights by least squares, each row's output by those that are found without it."""
    centre = float(np.average(values, weights=weight))
    scale = float(np.abs(values - centre).max())
    if not scale > 0.0:
        return _weigh_uniformly(means, values, weight)
    said, true, n_members = (means - centre) / scale, (values - centre) / scale, means.shape[1]
    penalty = SHRINKAGE * n_members * float(weight @ true**2)
    gram = said.T @ (weight[:, None] * said) + penalty * np.eye(n_members)
    sums = said.T @ (weight * true) + penalty / n_members
    root = np.linalg.cholesky(gram)
    weights, _ = nnls(root.T, solve_triangular(root, sums, lower=True), maxiter=100 * n_members)
    # One case less of a row changes the weights of the members that have any as in ridge regression.
    active = np.flatnonzero(weights)
    leverage = np.zeros(len(said))
    if len(active):
        inverse = cho_solve(cho_factor(gram[np.ix_(active, active)]), said[:, active].T)
        leverage = np.minimum(weight, 1.0) * np.einsum("ij,ji->i", said[:, active], inverse)
    outputs = true - (true - said @ weights) / np.maximum(1.0 - leverage, EQUAL)
    error = scale * _root_mean_square(outputs - true, weight)
    return _Weighed(weights, centre * (1.0 - float(weights.sum())), centre + scale * outputs, error)


def _root_mean_square(errors: Floats, weight: Floats) -> float:
    largest = float(np.abs(errors).max(initial=0.0))
    return largest * float(np.sqrt(np.average((errors / largest) ** 2, weights=weight))) if largest > 0.0 else 0.0
