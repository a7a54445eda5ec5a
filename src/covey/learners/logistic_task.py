"""One logistic model: what it is fitted to, with a ridge if there is no unique finite maximum without."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from covey.learners.labelled_design import (
    LabelledDesign,
    Reference,
    extremes,
    label,
    likelihood_of,
    reference_for,
    tells_apart,
)
from covey.learners.linear_solve import Factor, thin_svd
from covey.learners.memo import PerTable
from covey.learners.newton import LEAST_PIVOT, Fit, Likelihood, contrasts, maximise
from covey.learners.shared_design import whole_of
from covey.table import Table

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]
Positions = NDArray[np.intp]
Codes = NDArray[np.intp]

# The second derivatives of a likelihood may take so many bytes.
MOST_BYTES = 2**32


@dataclass(frozen=True, eq=False)
class Solution:
    """Coefficients of columns on one scale.

    Parameters
    ----------
    coefficients : ndarray of shape (n_logits, n_columns)
    intercepts : ndarray of shape (n_logits,)
    mean : ndarray of shape (n_columns,)
        The weighted mean of each column.
    n_iter : int
    ridge : float
    is_singular, is_done : bool
        Whether columns are linearly dependent, and whether there were iterations enough.
    """

    coefficients: Matrix
    intercepts: Vector
    mean: Vector
    n_iter: int = 0
    ridge: float = 0.0
    is_singular: bool = False
    is_done: bool = True


@dataclass(frozen=True, eq=False)
class Task:
    """One model to be fitted: some columns of a labelled design, and weights.

    Parameters
    ----------
    labelled : LabelledDesign
    columns : ndarray of int
        Which columns of it.
    weight : ndarray of float64 of shape (n_counted,)
        Weights of its rows.
    reference : Reference or None
        The model to start from.
    """

    labelled: LabelledDesign
    columns: Positions
    weight: Vector
    reference: Reference | None = None

    @property
    def scale(self) -> Vector:
        """What the columns were divided by."""
        return self.labelled.shared.scale[self.columns]

    @property
    def centre(self) -> Vector:
        """What was taken off the columns."""
        return self.labelled.shared.centre[self.columns]

    def solve(self, ridge: float, tol: float, max_iter: int) -> Solution:
        """Fit the model; see `LogisticClassifier` for the parameters."""
        n_classes, n_columns = self.labelled.n_classes, len(self.columns)
        if n_classes == 1:
            return Solution(np.zeros((1, n_columns)), np.zeros(1), np.zeros(n_columns))
        chosen = np.append(self.columns, len(self.labelled.shared.values) - 1)
        rows = None if self.weight.all() else np.flatnonzero(self.weight)
        labels, weight = self.labelled.labels, self.weight
        if rows is not None:
            labels, weight = labels[rows], weight[rows]
        weight = weight / weight.sum()
        values = self.labelled.shared.part(chosen, weight, rows)
        if rows is None and not (self.labelled.shared.place[chosen] >= 0).any():
            lowest, highest = self.labelled.lowest[:, chosen], self.labelled.highest[:, chosen]
        else:
            lowest, highest = extremes(values, labels)
        varies = lowest.min(axis=0) < highest.max(axis=0)
        varies[-1] = True
        problem = Problem(
            values if varies.all() else values[varies], weight, likelihood_of(labels, weight, n_classes), tol, max_iter
        )
        start = None if self.reference is None else self.reference.start(chosen[varies])
        found, used, singular = problem.solve(ridge, start, tells_apart(lowest, highest))
        theta = found.coefficients if n_classes == 2 else contrasts(n_classes) @ found.coefficients
        coefficients = np.zeros((len(theta), n_columns))
        coefficients[:, varies[:-1]] = theta[:, :-1]
        done = found.outcome == "converged"
        return Solution(coefficients, theta[:, -1], values[:-1] @ weight, found.n_iter, used, singular, done)


def own_task(table: Table, codes: Codes, weight: Vector) -> Task:
    """Return the fit to a table of which nothing is known yet."""
    labelled = label(table, codes, weight > 0)
    return Task(labelled, np.arange(len(labelled.shared.design)), weight[labelled.order])


def shared_task(table: Table, codes: Codes, weight: Vector) -> Task:
    """Return a member's fit, with what all members share: the whole table's columns and a model to start from."""
    whole, attributes = whole_of(table)
    # What is kept holds the codes, so that no others can have their id.
    labelled = _LABELLED.get(whole, lambda: label(whole, codes, whole.counted), id(codes))
    columns = labelled.shared.design.columns_of(np.arange(whole.shape[1]) if attributes is None else attributes)
    return Task(labelled, columns, weight[labelled.order], reference_for(whole, labelled, len(columns)))


_LABELLED: PerTable[LabelledDesign] = PerTable()


@dataclass(frozen=True, eq=False)
class Problem:
    """Columns, the last of them ones, and the likelihood that is to be maximised over their coefficients.

    Parameters
    ----------
    values : ndarray of shape (n_columns, n_rows)
    weight : ndarray of shape (n_rows,)
        The rows' weights, which add up to 1.
    likelihood : Likelihood
    tol, max_iter
        As of `maximise`.
    """

    values: Matrix
    weight: Vector
    likelihood: Likelihood
    tol: float
    max_iter: int

    def solve(self, ridge: float, start: Matrix | None, separable: bool) -> tuple[Fit, float, bool]:
        """Return where the search ended, the ridge, and whether the columns are linearly dependent.

        Parameters
        ----------
        ridge : float
            What to use where there is no unique finite maximum without.
        start : ndarray of shape (n_logits, n_columns) or None
            Where to start; 0 if None.
        separable : bool
            Whether it is known already that there is no finite maximum.
        """
        n_columns, n_rows = self.values.shape
        if n_columns > n_rows:
            return self._reduced(ridge), ridge, True
        self._check_size()
        used, singular = 0, False
        if start is None:
            start = np.zeros((self.likelihood.n_logits, n_columns))
        if not separable:
            found = self._search(self.values, start, np.zeros(n_columns))
            if found.outcome in ("converged", "unfinished"):
                return found, 0.0, False
            used = found.n_iter
            singular = found.outcome == "singular" and self._is_dependent()
        mean = self.values @ self.weight
        penalty = ridge * ((self.values * self.values) @ self.weight - mean**2)
        penalty[-1] = 0.0
        found = self._search(self.values, start, penalty)
        return replace(found, n_iter=used + found.n_iter), ridge, singular

    def _check_size(self) -> None:
        """Refuse more coefficients than whose second derivatives have room."""
        n_logits, n_columns = self.likelihood.n_logits, len(self.values)
        size = 8 * (n_logits * n_columns) ** 2
        if size > MOST_BYTES:
            raise ValueError(
                f"{n_logits + 1} classes and {n_columns - 1} columns, categories counted, make "
                f"{n_logits * n_columns} coefficients, whose second derivatives would take {size / 2**30:.0f} GiB; "
                "leave columns out, or use members that see some of them."
            )

    def _search(self, values: Matrix, start: Matrix, penalty: Vector) -> Fit:
        return maximise(values, self.likelihood, start, penalty, self.tol, self.max_iter)

    def _is_dependent(self) -> bool:
        return Factor((self.values * self.weight) @ self.values.T).least_pivot < LEAST_PIVOT

    def _reduced(self, ridge: float) -> Fit:
        """Fit with a ridge in as many dimensions as the columns span, at most one less than there are rows."""
        values = self.values[:-1]
        mean = values @ self.weight
        centred = values - mean[:, None]
        deviation = np.sqrt((centred * centred) @ self.weight)
        centred /= deviation[:, None]
        left, _, _, rank = thin_svd(centred * np.sqrt(self.weight))
        left = left[:, :rank]
        reduced = np.vstack([left.T @ centred, np.ones(len(self.weight))])
        start = np.zeros((self.likelihood.n_logits, rank + 1))
        found = self._search(reduced, start, np.append(np.full(rank, ridge), 0.0))
        slopes = found.coefficients[:, :-1] @ left.T / deviation
        intercepts = found.coefficients[:, -1] - slopes @ mean
        return replace(found, coefficients=np.column_stack([slopes, intercepts]))
