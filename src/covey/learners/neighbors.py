"""Nearest neighbours among cases of mixed types: along all columns, and along columns selected one by one."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass
from numbers import Integral
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from covey._arguments import check_count
from covey._progress import Progress
from covey._sklearn import Interval, StrOptions
from covey.learners.base import put_ahead
from covey.learners.case_base import SLACK, Layout, by_chunks, bytes_of
from covey.learners.case_classifier import CaseClassifier
from covey.learners.closest import find_in_subsets
from covey.learners.nearest import bytes_along, class_shares, find_cases, nearest_winners, winners_along
from covey.learners.sampling import some_of_each
from covey.learners.space import Points
from covey.learners.sphere_size import best_of
from covey.models.fields import Array, Curve, Field, Items, Maybe, Number, Row, Whole
from covey.table.table import CategoricalFeatures

# How many rows are left out at most to select columns.
MOST_LEFT_OUT = 10_000


class BaseNeighborsClassifier(CaseClassifier):
    """What classifiers share that ask the nearest cases along some columns."""

    @abstractmethod
    def _columns(self) -> NDArray[np.int64]:
        """Return how often each column counts."""

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class that most of the nearest cases have.

        Of several it is the one whose nearest case is nearest, or, of those at the same distance, the first.
        """
        _, winners = self._decide(X)
        return np.asarray(self.classes_[winners])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return each class's share of the nearest cases, columns in the order of ``classes_``."""
        return put_ahead(*self._decide(X))

    def _decide(self, X: Any) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        rows = self._rows(X)
        layout, k, n_classes = self._cases.layout, self.n_neighbors_, len(self.classes_)
        parts = by_chunks(
            _decide, len(rows), bytes_of(1, k, n_classes), self.n_jobs, layout, rows, self._columns(), k, n_classes
        )
        decided = np.concatenate(list(parts))
        return decided[:, :-1], decided[:, -1].astype(np.intp)

    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        """Find the nearest cases of each row.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features), optional
            Rows; by default the cases themselves, each of which is then not among its own neighbours.
        n_neighbors : int, optional
            How many; by default ``n_neighbors_``. A row counts once, whatever its weight.
        return_distance : bool, default=True
            Whether to return distances too.

        Returns
        -------
        distances : ndarray of shape (n_samples, n_neighbors)
            In scaled numbers, the nearest first.
        indices : ndarray of int64 of shape (n_samples, n_neighbors)
            Positions among the cases, of those at the same distance the lowest first.
        """
        check_is_fitted(self)
        k = self.n_neighbors_ if n_neighbors is None else n_neighbors
        check_count("n_neighbors", k, 1)
        layout = self._cases.layout
        n_others = len(layout.rows) - (X is None)
        if k > n_others:
            raise ValueError(
                f"n_neighbors={k} is more than the {n_others} cases there are to find; give at most as many."
            )
        rows = self._cases.matrix if X is None else self._rows(X)
        own = None
        if X is None:
            own = np.full(len(rows), -1)
            own[layout.rows] = np.arange(len(layout.rows))
        chunks = list(
            by_chunks(_find, len(rows), bytes_of(1, k, 0), self.n_jobs, layout, rows, self._columns(), k, own)
        )
        where, squared = (np.concatenate(parts) for parts in zip(*chunks, strict=True))
        indices = layout.rows[where]
        return (np.sqrt(squared), indices) if return_distance else indices


@dataclass(eq=False, repr=False)
class MixedNeighborsClassifier(BaseNeighborsClassifier):
    """Nearest neighbours among cases of mixed types: the feature-subset paper's NN and kNN (section 4.1).

    Numbers count by their difference, scaled to [0, 1] by their range among the cases; categories are at distance 0 or
    1, and so is a missing value from one that is there, while two missing ones are alike. The distance is the root of
    the sum of squares over the columns. Cases at the same distance count alike: those as near as the last of the k
    nearest share the places that are left for them, so that k = 1 asks all of the nearest.

    Parameters
    ----------
    n_neighbors : int or "auto", default=1
        How many cases k are asked. "auto" chooses by leave-one-out accuracy, the smaller of equals.
    max_neighbors : int, default=20
        The most that "auto" tries.
    scale : bool, default=True
        Whether to scale numbers to [0, 1] by their range.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, as of `EnsembleClassifier`.
    n_jobs : int, optional
        How many threads search.
    verbose : int, default=0
        1 prints at most once a second how many cases the search for a number has left out, 2 after each part of them.

    Attributes
    ----------
    n_neighbors_ : int
        How many are asked, as given or as chosen.
    neighbors_curve_ : dict of int to float
        With "auto", the leave-one-out accuracy of each number.
    n_cases_ : int
        How many rows are remembered.
    classes_, n_classes_, n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import MixedNeighborsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = MixedNeighborsClassifier(3).fit(X[::2], y[::2])
    >>> model.partial_fit(X[1::2], y[1::2]).forget([0, 1]).n_cases_
    148
    >>> model.predict(X[:2])
    array([0, 0])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CaseClassifier._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})],
        "max_neighbors": [Interval(Integral, 1, None, closed="left")],
        "verbose": ["verbose"],
    }
    _state: ClassVar[dict[str, Field]] = {"neighbors_curve_": Maybe(Curve(Whole(1), Number()))}

    n_neighbors: int | str = 1
    _: KW_ONLY
    max_neighbors: int = 20
    scale: bool = True
    categorical_features: CategoricalFeatures = "from_dtype"
    n_jobs: int | None = None
    verbose: int = 0

    def _columns(self) -> NDArray[np.int64]:
        return np.ones(self.n_features_in_, dtype=np.int64)

    def _choose(self, layout: Layout) -> None:
        self.__dict__.pop("neighbors_curve_", None)
        if self.n_neighbors != "auto":
            self._check_enough(int(self.n_neighbors), layout.n_cases)
            self.n_neighbors_ = int(self.n_neighbors)
            return
        # With one case left out there is one less to ask.
        most = max(1, min(self.max_neighbors, int(layout.n_cases) - 1))
        counts = layout.space.coordinate_counts(np.ones((1, layout.n_columns), dtype=np.int64))
        n_classes = len(self.classes_)
        size = bytes_of(1, most, 2 * n_classes)
        progress, parts = Progress(type(self).__name__, len(layout.rows), self.verbose, unit="cases left out"), []
        asked = _right_by_neighbors, len(layout.rows), size, self.n_jobs
        for part in by_chunks(*asked, layout, counts, most, n_classes):
            parts.append(part)
            progress.advance(part.shape[1])
        right = np.concatenate(parts, axis=1)
        accuracy = right @ layout.weight / layout.weight.sum()
        self.neighbors_curve_ = {k: float(accuracy[k - 1]) for k in range(1, most + 1)}
        self.n_neighbors_ = best_of(self.neighbors_curve_)


def _decide(
    chunk: slice, layout: Layout, rows: NDArray[np.float64], columns: NDArray[np.int64], k: int, n_classes: int
) -> NDArray[np.float64]:
    """Return the shares of the classes for some rows and, in the last column, the winner."""
    queries = layout.space.place(rows[chunk])
    decided = np.zeros((len(queries), n_classes + 1))
    for near in find_cases(layout, queries, layout.space.coordinate_counts(columns[None]), k, n_classes):
        decided[near.asked, :-1] = class_shares(near, k, n_classes)[:, 0]
        decided[near.asked, -1] = nearest_winners(near, k, n_classes)[:, 0]
    return decided


def _find(
    chunk: slice,
    layout: Layout,
    rows: NDArray[np.float64],
    columns: NDArray[np.int64],
    k: int,
    own: NDArray[np.int64] | None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    queries: Points = layout.space.place(rows[chunk])
    counts = layout.space.coordinate_counts(columns[None])
    closest = find_in_subsets(queries, layout.points, counts, own=None if own is None else own[chunk], count=k)
    return closest.rows[:, 0], closest.squared[:, 0]


def _right_by_neighbors(
    chunk: slice, layout: Layout, counts: NDArray[np.int64], most: int, n_classes: int
) -> NDArray[np.bool_]:
    """Say for each number of neighbours which cases of a chunk get their own class when they are left out."""
    own = np.arange(chunk.start, chunk.stop)
    right = np.zeros((most, len(own)), dtype=bool)
    for near in find_cases(layout, layout.points.take(own), counts, most, n_classes, own):
        for k in range(1, most + 1):
            right[k - 1, near.asked] = nearest_winners(near, k, n_classes)[:, 0] == layout.codes[own[near.asked]]
    return right


@dataclass(eq=False, repr=False)
class SelectedNeighborsClassifier(BaseNeighborsClassifier):
    """Nearest neighbours along selected columns: the feature-subset paper's FSS and BSS (section 4.1).

    Columns are selected by the leave-one-out accuracy of the neighbours along them. Forward, the first is the best by
    itself, and further ones are added as long as the best of them makes it better. Backward, all are there to begin
    with, and one is dropped as long as that makes it no worse. Of equally good columns the first is taken. Of more than
    10,000 rows as many are left out, always the same, drawn as large a share of each class.

    Parameters
    ----------
    direction : {"forward", "backward"}, default="forward"
        Whether to add columns (FSS) or to drop them (BSS).
    n_neighbors : int, default=1
        How many cases k are asked.
    scale, categorical_features, n_jobs
        As of `MixedNeighborsClassifier`.
    verbose : int, default=0
        1 prints at most once a second how many columns are added or dropped, 2 after each.

    Attributes
    ----------
    selected_features_ : ndarray of shape (n_selected,)
        The positions of the selected columns, in ascending order.
    n_selected_features_ : int
        How many there are.
    selection_path_ : list of (int, float)
        The column that each step added or dropped, and the leave-one-out accuracy after it.
    selection_score_ : float
        The leave-one-out accuracy along the selected columns.
    n_neighbors_, n_cases_, classes_, n_classes_, n_features_in_, feature_names_in_, schema_
        As of `MixedNeighborsClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import SelectedNeighborsClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SelectedNeighborsClassifier().fit(X, y)
    >>> model.selected_features_
    array([3])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CaseClassifier._parameter_constraints,
        "verbose": ["verbose"],
        "direction": [StrOptions({"forward", "backward"})],
    }

    _state: ClassVar[dict[str, Field]] = {
        "selected_features_": Array(np.intp, "selected", low=0, below="features"),
        "n_selected_features_": Whole(1, size="selected"),
        "selection_path_": Items(Row(Whole(), Number())),
        "selection_score_": Number(),
    }

    direction: Literal["forward", "backward"] = "forward"
    _: KW_ONLY
    n_neighbors: int = 1
    scale: bool = True
    categorical_features: CategoricalFeatures = "from_dtype"
    n_jobs: int | None = None
    verbose: int = 0

    def get_support(self, indices: bool = False) -> NDArray[Any]:
        """Return which columns are selected: a mask, or with ``indices`` their positions."""
        check_is_fitted(self)
        return self.selected_features_.copy() if indices else self._columns().astype(bool)

    def _columns(self) -> NDArray[np.int64]:
        return np.bincount(self.selected_features_, minlength=self.n_features_in_)

    def _choose(self, layout: Layout) -> None:
        self._check_enough(self.n_neighbors, layout.n_cases)
        self.n_neighbors_ = int(self.n_neighbors)
        forward = self.direction == "forward"
        chosen = np.full(layout.n_columns, not forward)
        # Forward, even a useless first column is better than none at all.
        own = some_of_each(layout.codes, layout.weight, MOST_LEFT_OUT, np.random.default_rng(0))
        score = -1.0 if forward else float(self._accuracy(layout, own, chosen[None])[0])
        path: list[tuple[int, float]] = []
        n_steps, unit = (len(chosen), "columns added") if forward else (len(chosen) - 1, "columns dropped")
        progress = Progress(type(self).__name__, n_steps, self.verbose, unit=unit)
        while not chosen.all() if forward else chosen.sum() > 1:
            changes = np.flatnonzero(chosen != forward)
            candidates = np.repeat(chosen[None], len(changes), axis=0)
            candidates[np.arange(len(changes)), changes] = forward
            accuracy = self._accuracy(layout, own, candidates)
            best = int(np.argmax(accuracy >= accuracy.max() - SLACK))
            if not self._goes_on(float(accuracy[best]), score):
                break
            chosen, score = candidates[best], float(accuracy[best])
            path.append((int(changes[best]), score))
            progress.advance()
        progress.end()
        self.selected_features_ = np.flatnonzero(chosen)
        self.n_selected_features_ = len(self.selected_features_)
        self.selection_path_ = path
        self.selection_score_ = score

    def _goes_on(self, accuracy: float, before: float) -> bool:
        """Whether a step is worth it: a column has to earn its place, coming or staying."""
        return accuracy > before + SLACK if self.direction == "forward" else accuracy >= before - SLACK

    def _accuracy(self, layout: Layout, own: NDArray[np.int64], candidates: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the accuracy of some rows, left out one by one, along each choice of columns."""
        counts = layout.space.coordinate_counts(candidates)
        k, n_classes = self.n_neighbors_, len(self.classes_)
        size = bytes_along(layout, len(counts), k, n_classes)
        parts = by_chunks(_right_along, len(own), size, self.n_jobs, layout, own, counts, k, n_classes)
        weight = layout.weight[own]
        accuracy: NDArray[np.float64] = weight @ np.concatenate(list(parts)) / weight.sum()
        return accuracy


def _right_along(
    chunk: slice, layout: Layout, left_out: NDArray[np.int64], counts: NDArray[np.int64], k: int, n_classes: int
) -> NDArray[np.bool_]:
    """Say for each choice of columns which cases of a chunk get their own class when they are left out."""
    own = left_out[chunk]
    winners = winners_along(layout, layout.points.take(own), counts, k, n_classes, own=own)
    return np.asarray(winners == layout.codes[own, None])
