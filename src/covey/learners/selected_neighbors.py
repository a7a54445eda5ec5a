"""Nearest neighbours along columns that were selected one by one."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from covey._sklearn import StrOptions
from covey.learners.case_classifier import CaseClassifier
from covey.learners.cases import SLACK, Layout, by_chunks
from covey.learners.nearest import bytes_along, winners_along
from covey.learners.neighbors import BaseNeighborsClassifier
from covey.models.fields import Array, Field, Items, Number, Row, Whole
from covey.table.table import CategoricalFeatures


class SelectedNeighborsClassifier(BaseNeighborsClassifier):
    """Nearest neighbours along selected columns: the feature-subset paper's FSS and BSS (section 4.1).

    Columns are selected by the leave-one-out accuracy of the neighbours along them. Forward, the first is the best by
    itself, and further ones are added as long as the best of them makes it better. Backward, all are there to begin
    with, and one is dropped as long as that makes it no worse. Of equally good columns the first is taken.

    Parameters
    ----------
    direction : {"forward", "backward"}, default="forward"
        Whether to add columns (FSS) or to drop them (BSS).
    n_neighbors : int, default=1
        How many cases k are asked.
    scale, categorical_features, n_jobs
        As of `MixedNeighborsClassifier`.

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
        "direction": [StrOptions({"forward", "backward"})],
    }

    _state: ClassVar[dict[str, Field]] = {
        "selected_features_": Array(np.intp, "selected", low=0, below="features"),
        "n_selected_features_": Whole(1, size="selected"),
        "selection_path_": Items(Row(Whole(), Number())),
        "selection_score_": Number(),
    }

    def __init__(
        self,
        direction: Literal["forward", "backward"] = "forward",
        *,
        n_neighbors: int = 1,
        scale: bool = True,
        categorical_features: CategoricalFeatures = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.direction = direction
        self.n_neighbors = n_neighbors
        self.scale = scale
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def get_support(self, indices: bool = False) -> NDArray[Any]:
        """Return which columns are selected: a mask, or with ``indices`` their positions."""
        check_is_fitted(self)
        return self.selected_features_.copy() if indices else self._columns().astype(bool)

    def _is_sound(self) -> bool:
        places = self.selected_features_
        return super()._is_sound() and bool(places.min() >= 0 and places.max() < self.n_features_in_)

    def _columns(self) -> NDArray[np.int64]:
        return np.bincount(self.selected_features_, minlength=self.n_features_in_)

    def _choose(self, layout: Layout) -> None:
        self._check_enough(self.n_neighbors, layout.n_cases)
        self.n_neighbors_ = int(self.n_neighbors)
        forward = self.direction == "forward"
        chosen = np.full(layout.n_columns, not forward)
        # Forward, even a useless first column is better than none at all.
        score = -1.0 if forward else float(self._accuracy(layout, chosen[None])[0])
        path: list[tuple[int, float]] = []
        while not chosen.all() if forward else chosen.sum() > 1:
            changes = np.flatnonzero(chosen != forward)
            candidates = np.repeat(chosen[None], len(changes), axis=0)
            candidates[np.arange(len(changes)), changes] = forward
            accuracy = self._accuracy(layout, candidates)
            best = int(np.argmax(accuracy >= accuracy.max() - SLACK))
            if not self._goes_on(float(accuracy[best]), score):
                break
            chosen, score = candidates[best], float(accuracy[best])
            path.append((int(changes[best]), score))
        self.selected_features_ = np.flatnonzero(chosen)
        self.n_selected_features_ = len(self.selected_features_)
        self.selection_path_ = path
        self.selection_score_ = score

    def _goes_on(self, accuracy: float, before: float) -> bool:
        """Whether a step is worth it: a column has to earn its place, coming or staying."""
        return accuracy > before + SLACK if self.direction == "forward" else accuracy >= before - SLACK

    def _accuracy(self, layout: Layout, candidates: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the leave-one-out accuracy along each choice of columns."""
        counts = layout.space.coordinate_counts(candidates)
        k, n_classes = self.n_neighbors_, len(self.classes_)
        size = bytes_along(layout, len(counts), k, n_classes)
        parts = by_chunks(_right_along, len(layout.rows), size, self.n_jobs, layout, counts, k, n_classes)
        accuracy: NDArray[np.float64] = layout.weight @ np.concatenate(list(parts)) / layout.weight.sum()
        return accuracy


def _right_along(chunk: slice, layout: Layout, counts: NDArray[np.int64], k: int, n_classes: int) -> NDArray[np.bool_]:
    """Say for each choice of columns which cases of a chunk get their own class when they are left out."""
    own = np.arange(chunk.start, chunk.stop)
    said = winners_along(layout, layout.points.take(own), counts, k, n_classes, own=own)
    return np.asarray(said == layout.codes[own, None])
