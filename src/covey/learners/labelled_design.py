"""A table's columns beside class labels, as logistic regression takes them, found once for all members."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from covey.learners.linear_solve import Factor
from covey.learners.memo import PerTable
from covey.learners.newton import Likelihood, ManyClasses, TwoClasses, hessian, maximise
from covey.learners.shared_design import SharedDesign, standardise
from covey.table import Table

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]
Positions = NDArray[np.intp]
Codes = NDArray[np.intp]

# The model over all columns, which members start from, has this ridge so that it exists, and so many iterations.
REFERENCE_RIDGE, REFERENCE_ITERATIONS, REFERENCE_TOL = 1e-6, 50, 1e-4
# It is made if it has at most so many times the columns of a member, and at most so many coefficients.
MOST_TIMES, MOST_COEFFICIENTS = 4, 400


@dataclass(frozen=True, eq=False)
class LabelledDesign:
    """A table's design columns and class labels, the rows that count in the order of their classes.

    Parameters
    ----------
    codes : ndarray of int
        The very array of labels that it was made with.
    order : ndarray of int of shape (n_counted,)
        The table's rows.
    labels : ndarray of int of shape (n_counted,)
        Their classes.
    shared : SharedDesign
        Their columns, with one of ones at the end for the intercept.
    lowest, highest : ndarray of float64 of shape (n_classes, n_columns + 1)
        The extremes of each column within each class.
    """

    codes: Codes
    order: Positions
    labels: Codes
    shared: SharedDesign
    lowest: Matrix
    highest: Matrix

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.lowest)


def label(table: Table, codes: Codes, counted: NDArray[np.bool_] | None) -> LabelledDesign:
    """Sort a table's rows that count by class and bring its columns to one scale."""
    order = np.argsort(codes, kind="stable")
    if counted is not None:
        order = order[counted[order]]
    shared = standardise(Table(np.take(table.matrix, order, axis=0), table.schema))
    values = np.vstack([shared.values, np.ones(len(order))])
    shared = replace(shared, values=values, place=np.append(shared.place, -1))
    labels = codes[order]
    return LabelledDesign(codes, order, labels, shared, *extremes(values, labels))


def extremes(values: Matrix, labels: Codes) -> tuple[Matrix, Matrix]:
    """Return the lowest and the highest value of each column within each class; infinite for a class without rows.

    Parameters
    ----------
    values : ndarray of shape (n_columns, n_rows)
    labels : ndarray of int of shape (n_rows,)
        Classes, in order.
    """
    ends = np.cumsum(np.bincount(labels)).tolist()
    parts = [values[:, start:end] for start, end in zip([0, *ends], ends, strict=False)]
    lowest = np.array([part.min(axis=1, initial=np.inf) for part in parts])
    return lowest, np.array([part.max(axis=1, initial=-np.inf) for part in parts])


def tells_apart(lowest: Matrix, highest: Matrix) -> bool:
    """Whether a column alone tells a class from the others, but for rows at the limit: a proof of separability."""
    for one in range(len(lowest) if len(lowest) > 2 else 1):  # what tells the first of two apart tells the second
        others = [k for k in range(len(lowest)) if k != one]
        below, above = lowest[others].min(axis=0), highest[others].max(axis=0)
        apart = (highest[one] <= below) | (lowest[one] >= above)
        if (apart & (np.minimum(lowest[one], below) < np.maximum(highest[one], above))).any():
            return True
    return False


def likelihood_of(labels: Codes, weight: Vector, n_classes: int) -> Likelihood:
    """Return the likelihood of labels."""
    return TwoClasses(labels, weight) if n_classes == 2 else ManyClasses(labels, weight, n_classes)


@dataclass(frozen=True, eq=False)
class Reference:
    """The model over all columns, and its likelihood's quadratic approximation, from which members start.

    Parameters
    ----------
    codes : ndarray of int
        The very array of labels that it was made with.
    pull : ndarray of shape (n_logits, n_columns + 1)
        The Hessian times the coefficients.
    hessian : ndarray of shape (n_logits, n_columns + 1, n_logits, n_columns + 1)
    """

    codes: Codes
    pull: Matrix
    hessian: Matrix

    def start(self, columns: Positions) -> Matrix:
        """Return the coefficients at which the approximation over some columns, the intercept last, is highest."""
        n_logits = len(self.pull)
        part = self.hessian[:, columns][:, :, :, columns].reshape(n_logits * len(columns), -1)
        return Factor(part).solve(self.pull[:, columns].ravel()).reshape(n_logits, -1)


def reference_for(whole: Table, labelled: LabelledDesign, n_columns: int) -> Reference | None:
    """Return the model over all columns of a table; None if it would cost more than it saves."""
    n_all, n_rows = labelled.shared.values.shape
    n_logits = labelled.n_classes - 1
    if not n_logits or n_all > MOST_TIMES * n_columns or n_all >= n_rows or n_logits * n_all > MOST_COEFFICIENTS:
        return None
    return _REFERENCES.get(whole, lambda: _refer(labelled), id(labelled.codes))


_REFERENCES: PerTable[Reference] = PerTable()


def _refer(labelled: LabelledDesign) -> Reference:
    values = labelled.shared.values
    n_all, n_rows = values.shape
    likelihood = likelihood_of(labelled.labels, np.full(n_rows, 1.0 / n_rows), labelled.n_classes)
    penalty = np.append(np.full(n_all - 1, REFERENCE_RIDGE), 0.0)
    start = np.zeros((labelled.n_classes - 1, n_all))
    theta = maximise(values, likelihood, start, penalty, REFERENCE_TOL, REFERENCE_ITERATIONS).coefficients
    likelihood.residuals(theta @ values)
    bend = hessian(values, likelihood.curvatures(), len(theta), penalty)
    pull = (bend @ theta.ravel()).reshape(theta.shape)
    return Reference(labelled.codes, pull, bend.reshape(len(theta), n_all, len(theta), n_all))
