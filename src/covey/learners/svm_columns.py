"""Columns on one scale, as machines over a kernel take them."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any, ClassVar, Literal

import numpy as np

from covey._sklearn import Interval, StrOptions
from covey.learners.design import Matrix, Positions, Vector, extent_of
from covey.learners.svm_fit import Kernel
from covey.models.fields import Array, Field, Number, require
from covey.table import Table, TableReader
from covey.table.design import Design, design_of

# Values on one scale are kept as small as this, so that their squares are numbers.
FARTHEST = 1e50
# So many values of the kernel are worked out at a time.
MOST_VALUES = 2**21


class KernelMachine(TableReader):
    """A model whose predictions follow from the kernel's values of a row with the support vectors."""

    kernel: str
    gamma: float | Literal["scale", "auto"]
    fill_: Vector  # what a missing value counts as, for each column of the design
    centre_: Vector  # what is taken off each column ...
    scale_: Vector  # ... and what the rest is divided by, 0 in columns that do not vary
    gamma_: float
    support_vectors_: Matrix

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "kernel": [StrOptions({"rbf", "linear"})],
        "C": [Interval(Real, 0, None, closed="neither")],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left"), None],
    }

    _state: ClassVar[dict[str, Field]] = {
        "fill_": Array(np.float64, "columns", low=-np.inf, high=np.inf),
        "centre_": Array(np.float64, "columns", low=-np.inf, high=np.inf),
        "scale_": Array(np.float64, "columns", low=0.0, high=np.inf),
        "gamma_": Number(0),
        "support_vectors_": Array(np.float64, "support", "columns", low=-FARTHEST, high=FARTHEST),
    }

    def _check_state(self) -> None:
        super()._check_state()
        require(len(self._design()) == len(self.fill_), "has support vectors of other columns")

    def _design(self) -> Design:
        return design_of(self.schema_, every=True, both=True)

    def _set_columns(self, table: Table, rows: Positions, weight: Vector) -> Matrix:
        """Learn how columns come to one scale and what the kernel is; return the rows, as rows x columns."""
        design = design_of(table.schema, every=True, both=True)
        values = design.of(table)
        values = np.ascontiguousarray(values if len(rows) == values.shape[1] else values[:, rows])
        share = weight[rows] / weight[rows].sum()
        numeric = np.isnan(design.category)
        missing = np.isnan(values)
        medians = [_median(row[~gap], share[~gap]) for row, gap in zip(values[numeric], missing[numeric], strict=True)]
        self.fill_ = np.zeros(len(values))
        self.fill_[numeric] = medians
        np.copyto(values, self.fill_[:, None], where=missing)
        constant, exponent = extent_of(values, None)
        np.ldexp(values, -exponent[:, None], out=values)  # so that no sum of squares overflows, without rounding
        centre = np.zeros(len(values))
        for _ in range(2):  # the second time takes off what rounding left
            shift = values @ share
            centre += shift
            values -= shift[:, None]
        scale = np.sqrt((values * values) @ share)
        scale[constant | (np.ldexp(scale, exponent) < np.finfo(np.float64).tiny)] = 0.0
        values /= np.where(scale > 0, scale, np.inf)[:, None]
        self.centre_, self.scale_ = np.ldexp(centre, exponent), np.ldexp(scale, exponent)
        # All columns that vary have the variance 1.
        count = np.count_nonzero(scale) if self.gamma == "scale" else len(scale)
        self.gamma_ = 1.0 / max(count, 1) if isinstance(self.gamma, str) else float(self.gamma)
        return np.ascontiguousarray(np.clip(values, -FARTHEST, FARTHEST).T)

    def _kernel(self) -> Kernel:
        return Kernel(self.kernel, self.gamma_)

    def _scaled(self, X: Any) -> Matrix:
        """Return new rows on the scale of the training rows."""
        values = self._design().filled(self._read_new(X), self.fill_)
        with np.errstate(over="ignore"):
            values = (values - self.centre_) / np.where(self.scale_ > 0, self.scale_, np.inf)
        return np.clip(values, -FARTHEST, FARTHEST)

    def _products(self, rows: Matrix) -> Iterator[tuple[slice, Matrix]]:
        """Give the kernel's values of some rows after the other with the support vectors."""
        kernel, step = self._kernel(), max(1, MOST_VALUES // max(1, len(self.support_vectors_)))
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            yield part, kernel(rows[part], self.support_vectors_)


def _median(values: Vector, weight: Vector) -> float:
    """Return the value with half the weight below, or the middle of two; 0 if there is none."""
    if not len(values):
        return 0.0
    order = np.argsort(values)
    below = np.cumsum(weight[order])
    half = below[-1] / 2.0
    low, high = np.searchsorted(below, [half * (1 - 1e-12), half * (1 + 1e-12)])
    return float(0.5 * values[order[low]] + 0.5 * values[order[min(high, len(order) - 1)]])
