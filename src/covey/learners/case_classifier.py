"""What classifiers share that remember their cases: adding some and forgetting some, without learning anew."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from covey._sklearn import Interval
from covey.learners.cases import SLACK, CaseBase, Layout
from covey.learners.memo import PerTable
from covey.learners.space import space_of
from covey.learners.table_classifier import TableClassifier
from covey.models.fields import Field, Part, Whole, require
from covey.table import Table, as_table, check_weight, encode_classes, feature_names
from covey.table.table import extend_rows

_COPIES: PerTable[NDArray[np.float64]] = PerTable()


class CaseClassifier(TableClassifier):
    """A classifier that remembers its training cases as they were given.

    What it has chosen by them, such as a number of neighbours, stays when cases are added or forgotten; what follows
    from them, such as the range of a column, changes with them. A subclass names its parameters, ``scale``,
    ``n_neighbors`` and ``n_jobs`` among them.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "scale": ["boolean"],
        "n_jobs": [None, Interval(Integral, None, -1, closed="right"), Interval(Integral, 1, None, closed="left")],
    }

    scale: bool
    n_jobs: int | None
    n_neighbors_: int
    _cases: CaseBase

    _state: ClassVar[dict[str, Field]] = {"n_neighbors_": Whole(1), "_cases": Part(CaseBase, ["features"])}

    def _check_state(self) -> None:
        super()._check_state()
        require(self._cases.codes.max() < len(self.classes_), "has rows of classes that there are not")
        require(self._cases.schema == self.schema_, "has rows of other columns")
        self._check_enough(self.n_neighbors_, float(self._cases.counts.sum()))

    @abstractmethod
    def _choose(self, layout: Layout) -> None:
        """Choose by the cases what is to be chosen, ``n_neighbors_`` among it."""

    @property
    def n_cases_(self) -> int:
        """The number of rows that are remembered."""
        return len(self._cases)

    def _weigh(self, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return weights as they are: what they count is known only once all cases are."""
        return weight

    def _learn(self, table: Table, codes: NDArray[np.intp], weight: NDArray[np.float64], *, alone: bool) -> None:
        labels = codes.astype(np.int64)
        if alone:
            cases = CaseBase(table.matrix.copy(), table.schema, labels, weight.copy(), bool(self.scale))
        else:  # in an ensemble all members share the range of the columns, and one copy of the same table
            space, _ = space_of(table, scale=self.scale)
            matrix = _COPIES.get(table, table.matrix.copy) if table.whole is None else table.matrix
            cases = CaseBase(matrix, table.schema, labels, weight.copy(), bool(self.scale), space)
        self._choose(cases.layout)
        self._cases = cases

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add cases.

        The first call is a fit, which may be all that chooses parameters. Later ones only remember further cases:
        predictions are then those of a model with the same parameters fitted to all of them. A category that was not
        there before becomes one.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows with the same columns as before.
        y : array-like of shape (n_samples,)
            Class labels.
        classes : array-like of shape (n_classes,), optional
            All classes that there will ever be; needed in the first call unless there was a ``fit``.
        sample_weight : array-like of shape (n_samples,), optional
            Case weights, on the scale of those given before.

        Returns
        -------
        self
        """
        self._validate_params()
        is_first = not hasattr(self, "_cases")
        known = self._declared(classes)
        if is_first:
            table = as_table(X, self.categorical_features)
        else:
            check = partial(validate_data, self, X, reset=False, skip_check_array=True)
            table = extend_rows(X, self.schema_, check)
        codes = _codes_among(y, known)
        check_consistent_length(table.matrix, codes)
        weight = check_weight(sample_weight, table.matrix)
        if is_first:
            return self._fit(table, feature_names(X), known, codes.astype(np.intp), weight, alone=True)
        self._cases = self._cases.add(table, codes, weight)
        self.schema_ = table.schema
        return self

    def _declared(self, classes: Any) -> NDArray[Any]:
        """Return the classes that cases may have."""
        fitted: NDArray[Any] | None = getattr(self, "classes_", None)
        if classes is None:
            if fitted is None:
                raise ValueError(
                    "classes=None: the first call of partial_fit needs all classes that later ones may bring; give "
                    "them as classes, or call fit first."
                )
            return fitted
        declared, _ = encode_classes(classes, name="classes")
        if fitted is not None and declared.tolist() != fitted.tolist():
            raise ValueError(
                f"classes={declared.tolist()} are not the classes {fitted.tolist()} declared before; leave classes "
                "out, or fit anew."
            )
        return declared if fitted is None else fitted

    def forget(self, rows: Any) -> Self:
        """Remove cases.

        Predictions are then those of a model with the same parameters fitted to the cases that remain, in their order.
        A class without cases stays in ``classes_`` with probability 0.

        Parameters
        ----------
        rows : array-like of int or of bool
            Positions among the cases, in the order they were given; negative ones count from the end. Or a mask of
            length ``n_cases_``, True for what is to be forgotten.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        cases = self._cases.keep(~_forgotten(rows, len(self._cases)))
        if not cases.weight.any():
            raise ValueError(
                f"forget would leave none of the {len(self._cases)} cases; keep at least one, or fit anew."
            )
        self._check_enough(self.n_neighbors_, float(cases.counts.sum()))
        self._cases = cases
        return self

    def _check_enough(self, n_neighbors: int, n_cases: float) -> None:
        if n_neighbors > n_cases + SLACK:
            raise ValueError(
                f"n_neighbors={n_neighbors} is more than the {n_cases:g} cases there are; give at most as many."
            )


def _codes_among(y: Any, classes: NDArray[Any]) -> NDArray[np.int64]:
    """Return the position of each label among the classes."""
    found, codes = encode_classes(y)
    place = {label: code for code, label in enumerate(classes.tolist())}
    unknown = [label for label in found.tolist() if label not in place]
    if unknown:
        raise ValueError(
            f"y has the labels {unknown}, which are not among the classes {classes.tolist()}; declare all classes in "
            "the first call of partial_fit, or fit anew."
        )
    return np.array([place[label] for label in found.tolist()], dtype=np.int64)[codes]


def _forgotten(rows: Any, n_cases: int) -> NDArray[np.bool_]:
    """Return a mask of the rows to be forgotten."""
    chosen = np.atleast_1d(np.asarray(rows))
    if chosen.ndim != 1:
        raise ValueError(f"rows has shape {chosen.shape}; give a list of positions or a mask.")
    if chosen.dtype.kind == "b":
        if len(chosen) != n_cases:
            raise ValueError(f"rows is a mask of length {len(chosen)}, but there are {n_cases} cases.")
        return chosen
    mask = np.zeros(n_cases, dtype=bool)
    if not chosen.size:
        return mask
    if chosen.dtype.kind not in "iu":
        raise ValueError(f"rows holds {chosen.dtype.name} values; give positions, which are integers, or a mask.")
    wrong = chosen[(chosen < -n_cases) | (chosen >= n_cases)]
    if len(wrong):
        raise IndexError(f"rows has the position {int(wrong[0])}, but there are {n_cases} cases.")
    mask[chosen] = True
    return mask
