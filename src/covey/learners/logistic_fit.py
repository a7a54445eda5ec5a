"""The fit of one logistic model, with a ridge if there is no unique finite maximum without.

Members of an ensemble share a table's columns in the order of the classes, and start from the model over all of them.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from covey.learners.design import Matrix, Positions, SharedDesign, Vector, standardise
from covey.learners.linear import Factor, thin_svd
from covey.learners.many_classes import EveryClass
from covey.learners.newton import LEAST_PIVOT, Exact, Fit, Likelihood, ManyClasses, TwoClasses, hessian, maximise
from covey.learners.per_table import PerTable, whole_of
from covey.learners.rare_columns import Columns, taken_apart
from covey.table import Table

Codes = NDArray[np.intp]

# The model over all columns, which members start from, has this ridge so that it exists, and so many iterations.
REFERENCE_RIDGE, REFERENCE_ITERATIONS, REFERENCE_TOL = 1e-6, 50, 1e-4
# It is made if it has at most so many times the columns of a member, and of two classes so many at most.
MOST_TIMES, MOST_COLUMNS = 4, 400
# So many classes, with so many coefficients if they are more than two, have all second derivatives worked out.
MOST_CLASSES, MOST_COEFFICIENTS = 5, 200
# Without a penalty conjugate gradients have so many iterations to find a maximum. Then up to so many coefficients are
# sought with all second derivatives, and with more the ridge is used.
MOST_ITERATIONS, MOST_EXACT = 30, 1000
# Up to so many columns there are few enough choices of some for members to repeat them.
MOST_REPEATED = 12
# The second derivatives of a likelihood may take so many bytes.
MOST_BYTES = 2**32


@dataclass(frozen=True, eq=False)
class LabelledDesign:
    """A table's design columns and class labels, the rows that count in the order of their classes."""

    codes: Codes  # the very array of labels that it was made with
    order: Positions  # the table's rows that count
    labels: Codes  # their classes
    shared: SharedDesign  # their columns, with one of ones at the end for the intercept
    lowest: Matrix  # (class, column): the lowest value ...
    highest: Matrix  # ... and the highest
    solutions: dict[Hashable, Solution] = field(default_factory=dict)  # of members over all rows

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

    Values are columns x rows, and the labels are in order.
    """
    ends = np.cumsum(np.bincount(labels)).tolist()
    parts = [values[:, start:end] for start, end in zip([0, *ends], ends, strict=False)]
    lowest = np.array([part.min(axis=1, initial=np.inf) for part in parts])
    return lowest, np.array([part.max(axis=1, initial=-np.inf) for part in parts])


def tells_apart(lowest: Matrix, highest: Matrix) -> bool:
    """Whether a column alone tells a class from the others, but for rows at the limit: a proof of separability."""
    n_classes = len(lowest) if len(lowest) > 2 else 1  # what tells the first of two apart tells the second
    below, above = others_least(lowest)[:n_classes], -others_least(-highest)[:n_classes]
    low, high = lowest[:n_classes], highest[:n_classes]
    apart = (high <= below) | (low >= above)
    return bool((apart & (np.minimum(low, below) < np.maximum(high, above))).any())


def others_least(values: Matrix) -> Matrix:
    """Return the least that the other rows have in each column."""
    order = np.argsort(values, axis=0, kind="stable")[:2]
    least = np.take_along_axis(values, order, axis=0)
    return np.asarray(np.where(np.arange(len(values))[:, None] == order[0], least[1], least[0]))


def likelihood_of(labels: Codes, weight: Vector, n_classes: int, n_columns: int = 1) -> Likelihood:
    """Return the likelihood of labels as a function of so many columns."""
    if is_many(n_classes, n_columns):
        return EveryClass(labels, weight, n_classes)
    return _exact(labels, weight, n_classes)


def _exact(labels: Codes, weight: Vector, n_classes: int) -> Exact:
    return TwoClasses(labels, weight) if n_classes == 2 else ManyClasses(labels, weight, n_classes)


def is_many(n_classes: int, n_columns: int) -> bool:
    """Whether conjugate gradients are quicker than the inverse of all second derivatives."""
    return n_classes > MOST_CLASSES or (n_classes > 2 and (n_classes - 1) * n_columns > MOST_COEFFICIENTS)


@dataclass(frozen=True, eq=False)
class Reference:
    """The model over all columns, and its likelihood's quadratic approximation, from which members start."""

    codes: Codes  # the very array of labels that it was made with
    pull: Matrix  # (logit, column): the Hessian times the coefficients
    hessian: Matrix  # (logit, column, logit, column)

    def start(self, columns: Positions) -> Matrix:
        """Return the coefficients at which the approximation over some columns, the intercept last, is highest."""
        n_logits = len(self.pull)
        part = self.hessian[:, columns][:, :, :, columns].reshape(n_logits * len(columns), -1)
        return Factor(part).solve(self.pull[:, columns].ravel()).reshape(n_logits, -1)


def reference_for(whole: Table, labelled: LabelledDesign, n_columns: int) -> Reference | None:
    """Return the model over all columns of a table; None if it would cost more than it saves."""
    n_all, n_rows = labelled.shared.values.shape
    if labelled.n_classes == 1 or n_all > min(MOST_TIMES * n_columns, MOST_COLUMNS, n_rows - 1):
        return None
    if is_many(labelled.n_classes, n_all):
        return None
    return _REFERENCES.get(whole, lambda: _refer(labelled), id(labelled.codes))


_REFERENCES: PerTable[Reference] = PerTable()


def _refer(labelled: LabelledDesign) -> Reference:
    values = labelled.shared.values
    n_all, n_rows = values.shape
    likelihood = _exact(labelled.labels, np.full(n_rows, 1.0 / n_rows), labelled.n_classes)
    penalty = np.append(np.full(n_all - 1, REFERENCE_RIDGE), 0.0)
    start = np.zeros((labelled.n_classes - 1, n_all))
    theta = maximise(values, likelihood, start, penalty, REFERENCE_TOL, REFERENCE_ITERATIONS).coefficients
    likelihood.residuals(theta @ values)
    bend = hessian(values, likelihood.curvatures(), len(theta), penalty)
    pull = (bend @ theta.ravel()).reshape(theta.shape)
    return Reference(labelled.codes, pull, bend.reshape(len(theta), n_all, len(theta), n_all))


@dataclass(frozen=True, eq=False)
class Solution:
    """Coefficients of columns on one scale."""

    coefficients: Matrix  # (logit, column)
    intercepts: Vector
    mean: Vector  # the weighted mean of each column
    n_iter: int = 0
    ridge: float = 0.0
    is_singular: bool = False  # whether columns are linearly dependent
    is_done: bool = True  # whether there were iterations enough


@dataclass(frozen=True, eq=False)
class Task:
    """One model to be fitted: some columns of a labelled design, and weights."""

    labelled: LabelledDesign
    columns: Positions  # which columns of it
    weight: Vector  # weights of its rows
    reference: Reference | None = None  # the model to start from

    @property
    def scale(self) -> Vector:
        """What the columns were divided by."""
        return self.labelled.shared.scale[self.columns]

    @property
    def centre(self) -> Vector:
        """What was taken off the columns."""
        return self.labelled.shared.centre[self.columns]

    def solve(self, ridge: float, tol: float, max_iter: int) -> Solution:
        """Fit the model; see `LogisticClassifier` for the parameters.

        Members that see few columns see the same ones again, and over the same rows they are the same.
        """
        if len(self.labelled.shared.design.starts) - 1 > MOST_REPEATED or self.weight.min() < self.weight.max():
            return self._solve(ridge, tol, max_iter)
        key, known = (tuple(self.columns.tolist()), ridge, tol, max_iter), self.labelled.solutions
        if key not in known:
            known[key] = self._solve(ridge, tol, max_iter)
        return known[key]

    def _solve(self, ridge: float, tol: float, max_iter: int) -> Solution:
        n_columns = len(self.columns)
        if self.labelled.n_classes == 1:
            return Solution(np.zeros((1, n_columns)), np.zeros(1), np.zeros(n_columns))
        seen = self.see(tol, max_iter)
        start = None if self.reference is None else self.reference.start(seen.chosen[seen.varies])
        fit, used, singular = seen.problem.solve(ridge, start, tells_apart(seen.lowest, seen.highest))
        theta = seen.problem.likelihood.by_class(fit.coefficients)
        coefficients = np.zeros((len(theta), n_columns))
        coefficients[:, seen.varies[:-1]] = theta[:, :-1]
        done = fit.outcome == "converged"
        return Solution(coefficients, theta[:, -1], seen.mean, fit.n_iter, used, singular, done)

    def rows(self, rows: Positions, seen: Seen) -> Matrix:
        """Return some of the table's rows as columns x rows, the mean of those seen in place of missing values."""
        place = np.full(int(max(rows.max(), self.labelled.order.max())) + 1, -1)
        place[self.labelled.order] = np.arange(len(self.labelled.order))
        return self.labelled.shared.rows(seen.chosen, place[rows], np.append(seen.mean, 1.0))

    def see(self, tol: float, max_iter: int) -> Seen:
        """Return what the model is fitted to."""
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
        varying = values if varies.all() else values[varies]
        likelihood = likelihood_of(labels, weight, self.labelled.n_classes, len(varying))
        problem = Problem(varying, weight, likelihood, tol, max_iter)
        return Seen(chosen, varies, lowest, highest, values[:-1] @ weight, problem)


@dataclass(frozen=True, eq=False)
class Seen:
    """What a model is fitted to."""

    chosen: Positions  # the columns of the labelled design, that of ones last
    varies: NDArray[np.bool_]  # which of them vary
    lowest: Matrix  # (class, column): the lowest value ...
    highest: Matrix  # ... and the highest
    mean: Vector  # the weighted mean of each column but the last
    problem: Problem  # of those that vary


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
    """Columns, the last of them ones, and the likelihood that is to be maximised over their coefficients."""

    values: Matrix  # (column, row)
    weight: Vector  # of rows, which add up to 1
    likelihood: Likelihood
    tol: float
    max_iter: int

    @cached_property
    def columns(self) -> Columns:
        """The values, those of rare categories apart."""
        return taken_apart(self.values)

    def solve(self, ridge: float, start: Matrix | None, separable: bool) -> tuple[Fit, float, bool]:
        """Return where the search ended, the ridge, and whether the columns are linearly dependent.

        The ridge is used where there is no unique finite maximum without, which is known already if ``separable``.
        """
        n_columns, n_rows = self.values.shape
        if n_columns > n_rows:
            return self._reduced(ridge), ridge, True
        self._check_size()
        used, singular = 0, False
        if start is None:
            start = np.zeros((self.likelihood.n_logits, n_columns))
        if isinstance(self.likelihood, EveryClass):  # whose search would not tell
            singular = self._is_dependent()
        if not (separable or singular):
            fit = self._unpenalised(start)
            if fit.outcome in ("converged", "unfinished"):
                return fit, 0.0, False
            used = fit.n_iter
            singular = fit.outcome == "singular" and self._is_dependent()
        fit = self._search(self.columns, start, self.penalty(ridge))
        return replace(fit, n_iter=used + fit.n_iter), ridge, singular

    def penalty(self, ridge: float) -> Vector:
        """Return what a ridge on standardised columns is on each of these."""
        mean = self.values @ self.weight
        penalty = ridge * ((self.values * self.values) @ self.weight - mean**2)
        penalty[-1] = 0.0
        return np.asarray(penalty)

    def _check_size(self) -> None:
        """Refuse more coefficients than whose second derivatives have room."""
        blocks, n_columns = isinstance(self.likelihood, EveryClass), len(self.values)
        n_classes = self.likelihood.n_logits + (not blocks)
        size = 8 * n_columns**2 * (n_classes if blocks else (n_classes - 1) ** 2)
        if size > MOST_BYTES:
            raise ValueError(
                f"{n_classes} classes and {n_columns - 1} columns, categories counted, make "
                f"{(n_classes - 1) * n_columns} coefficients, whose second derivatives would take "
                f"{size / 2**30:.0f} GiB; leave columns out, or use members that see some of them."
            )

    def _unpenalised(self, start: Matrix) -> Fit:
        """Search without a ridge, with all second derivatives where conjugate gradients do not come to an end."""
        n_columns = len(self.values)
        penalty = np.zeros(n_columns)
        if not isinstance(self.likelihood, EveryClass):
            return self._search(self.columns, start, penalty)
        most = min(self.max_iter, MOST_ITERATIONS)
        fit = maximise(self.columns, self.likelihood, start, penalty, self.tol, most)
        if fit.outcome in ("converged", "separable") or most == self.max_iter:
            return fit
        exact = self.likelihood.exact()
        if exact.n_logits * n_columns > MOST_EXACT:
            return replace(fit, outcome="separable")
        again = maximise(
            self.columns, exact, np.zeros((exact.n_logits, n_columns)), penalty, self.tol, self.max_iter - most
        )
        return replace(again, coefficients=exact.by_class(again.coefficients), n_iter=fit.n_iter + again.n_iter)

    def _search(self, values: Columns, start: Matrix, penalty: Vector) -> Fit:
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
        fit = self._search(reduced, start, np.append(np.full(rank, ridge), 0.0))
        slopes = fit.coefficients[:, :-1] @ left.T / deviation
        intercepts = fit.coefficients[:, -1] - slopes @ mean
        return replace(fit, coefficients=np.column_stack([slopes, intercepts]))
