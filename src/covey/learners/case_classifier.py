"""The base of classifiers that remember their cases: adding some and forgetting some, without learning anew."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from covey.learners.base import TableClassifier
from covey.learners.case_base import CaseLearner, Layout
from covey.models.fields import require
from covey.table import Table, as_table, check_weight, encode_classes, feature_names
from covey.table.table import extend_rows


class CaseClassifier(CaseLearner, TableClassifier):
    """A classifier that remembers its training cases as they were given.

    What it has chosen by them, such as a number of neighbours, stays when cases are added or forgotten; what follows
    from them, such as the range of a column, changes with them.
    """

    def _check_state(self) -> None:
        super()._check_state()
        require(self._cases.codes.max() < len(self.classes_), "has rows of classes that there are not")

    @abstractmethod
    def _choose(self, layout: Layout) -> None:
        """Choose by the cases what is to be chosen, ``n_neighbors_`` among it."""

    def _weigh(self, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return weights as they are: what they count is known only once all cases are."""
        return weight

    def _learn(self, table: Table, codes: NDArray[np.intp], weight: NDArray[np.float64], *, alone: bool) -> None:
        cases = self._case_base(table, codes.astype(np.int64), weight, alone=alone)
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
            return self._fit(table, feature_names(X), codes.astype(np.intp), weight, alone=True, classes=known)
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


def _codes_among(y: Any, classes: NDArray[Any]) -> NDArray[np.int64]:
    """Return the position of each label among the classes."""
    labels, codes = encode_classes(y)
    place = {label: code for code, label in enumerate(classes.tolist())}
    unknown = [label for label in labels.tolist() if label not in place]
    if unknown:
        raise ValueError(
            f"y has the labels {unknown}, which are not among the classes {classes.tolist()}; declare all classes in "
            "the first call of partial_fit, or fit anew."
        )
    return np.array([place[label] for label in labels.tolist()], dtype=np.int64)[codes]


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
