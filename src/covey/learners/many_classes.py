"""The likelihood of many classes: a logit for each, and Newton's direction by conjugate gradients.

The second derivatives of K classes and d columns are (K d)² numbers, too many to be worked out, let alone inverted. A
product of them with a step takes as long as a gradient, and what couples a class to the others is small beside its own
block of d² where there are many classes: with these blocks as preconditioner few products are enough.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from covey.learners.design import Matrix, Vector
from covey.learners.newton import LEAST_PIVOT, ROUNDING, ManyClasses
from covey.learners.rare_columns import Columns, RareColumns, sums_over

# A direction is sought until what is left of the gradient is this share of it, by so many products at most.
SHARE, MOST_PRODUCTS = 0.1, 200


class EveryClass:
    """Several classes: a logit for each, of which a number may be taken off all without a change.

    Rows are in the order of their classes, each of which has some, and their weights add up to 1.
    """

    def __init__(self, codes: NDArray[np.intp], weight: Vector, n_classes: int) -> None:
        self.n_logits = n_classes
        self._codes, self._rows, self._weight = codes, np.arange(len(codes)), weight

    @cached_property
    def _starts(self) -> NDArray[np.intp]:
        return np.searchsorted(self._codes, np.arange(self.n_logits))

    def exact(self) -> ManyClasses:
        """Return the same in coordinates for which second derivatives are worked out."""
        return ManyClasses(self._codes, self._weight, self.n_logits)

    def residuals(self, logits: Matrix) -> Matrix:
        """Return by how much the probabilities are too high, times the weight."""
        shares: Matrix = logits - logits.max(axis=0)
        np.exp(shares, out=shares)
        shares /= shares.sum(axis=0)
        self._probability = shares.copy()
        shares[self._codes, self._rows] -= 1.0
        shares *= self._weight
        return shares

    def margins(self, logits: Matrix) -> Vector:
        """Return by how much the logit of each row's own class is above the highest of the others."""
        own, others = self._parted(logits)
        margins: Vector = own - others.max(axis=0)
        return margins

    def tells_one(self, logits: Matrix) -> bool:
        """Whether the logit of one class tells it from all others, which proves that there is no finite maximum."""
        own, others = self._parted(logits)
        ahead = np.minimum.reduceat(own, self._starts) - others.max(axis=1)
        return bool(ahead.max() > ROUNDING * np.abs(logits).max())

    def _parted(self, logits: Matrix) -> tuple[Vector, Matrix]:
        """Return the logits of rows' own classes, and those of others, minus infinity for the own ones."""
        others = logits.copy()
        others[self._codes, self._rows] = -np.inf
        return logits[self._codes, self._rows], others

    def by_class(self, coefficients: Matrix) -> Matrix:
        """Return coefficients of each class, which add up to 0."""
        return np.asarray(coefficients - coefficients.mean(axis=0))

    def direction(self, columns: Columns, gradient: Matrix, penalty: Vector) -> Matrix | None:
        """Return about Newton's step; None if there is no curvature to go by."""
        inverses = self._inverses(columns, penalty)
        step, left = np.zeros_like(gradient), -gradient
        along = towards = self._preconditioned(inverses, left)
        size = first = float(np.vdot(left, towards))
        for _ in range(MOST_PRODUCTS):
            product = self._product(columns, along, penalty)
            bend = float(np.vdot(along, product))
            if not bend > 0:
                break
            step = step + (size / bend) * along
            left = left - (size / bend) * product
            towards = self._preconditioned(inverses, left)
            before, size = size, float(np.vdot(left, towards))
            if size <= SHARE**2 * first:
                break
            along = towards + (size / before) * along
        return step if step.any() else None

    def _preconditioned(self, inverses: NDArray[np.float64], left: Matrix) -> Matrix:
        towards: Matrix = np.matmul(inverses, left[:, :, None])[:, :, 0]
        towards -= towards.mean(axis=0)
        return towards

    def _inverses(self, columns: Columns, penalty: Vector) -> NDArray[np.float64]:
        """Return the inverses of each class's own second derivatives."""
        n_columns = len(columns)
        curvature = self._weight * self._probability * (1.0 - self._probability)
        blocks = np.empty((self.n_logits, n_columns, n_columns))
        if isinstance(columns, RareColumns):
            for block, weight in zip(blocks, curvature, strict=True):
                block[:] = columns.products(weight)
            return self._inverted(blocks, penalty)
        for one in range(n_columns):
            blocks[:, one, one:] = blocks[:, one:, one] = curvature @ (columns[one] * columns[one:]).T
        return self._inverted(blocks, penalty)

    def _inverted(self, blocks: NDArray[np.float64], penalty: Vector) -> NDArray[np.float64]:
        diagonal = np.arange(len(penalty))
        # A class that is told apart has hardly any curvature left, less than rounding makes of its gradient.
        blocks[:, diagonal, diagonal] += penalty + LEAST_PIVOT
        return np.asarray(np.linalg.inv(blocks), dtype=np.float64)

    def _product(self, columns: Columns, step: Matrix, penalty: Vector) -> Matrix:
        """Return the second derivatives times a step."""
        change = step @ columns
        change -= np.einsum("ij,ij->j", self._probability, change)
        change *= self._probability
        change *= self._weight
        product = sums_over(change, columns)
        product += step * penalty
        return product
