"""The bias curves of both classes, and what each pair of their points makes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._arguments import check_choice
from covey.analysis.finding import Finding
from covey.analysis.labels import TIE
from covey.analysis.numbers import Floats
from covey.analysis.roc.biased_pair import BiasedPair
from covey.analysis.roc.concavity import Concavity, concavity_of
from covey.analysis.roc.curve import BiasCurve
from covey.analysis.roc.iso_accuracy import IsoAccuracy, iso_accuracy
from covey.analysis.roc.point import RocPoint

if TYPE_CHECKING:
    from covey.analysis.tables import ResultTable


@dataclass(frozen=True, eq=False, repr=False)
class BiasCurves(Finding):
    """The bias curves of both classes on the same cases, and what each pair of their points makes (figure 4).

    Parameters
    ----------
    plus, minus : BiasCurve
        The curves of h+ and h-; both begin with the unbiased classifier h.
    positive : label
        The positive class.
    reversed_fpr, reversed_tpr : ndarray of float64 of shape (n_plus, n_minus)
        The rates of the ensemble of each pair in which h, reversed, decides the hard cases.
    hard_negative, hard_positive : ndarray of float64 of shape (n_plus, n_minus)
        Which share of the negative and of the positive cases is hard for each pair.
    excluded : ndarray of float64 of shape (n_plus, n_minus)
        Which share of all cases breaks the inclusion assumption, as `inclusion_share`.
    """

    plus: BiasCurve
    minus: BiasCurve
    positive: Any
    reversed_fpr: Floats
    reversed_tpr: Floats
    hard_negative: Floats
    hard_positive: Floats
    excluded: Floats

    @property
    def base(self) -> RocPoint:
        """The unbiased classifier h."""
        return self.plus.point(0)

    @property
    def line(self) -> IsoAccuracy:
        """The line of classifiers as accurate as h."""
        return iso_accuracy(self.base)

    @cached_property
    def concavity(self) -> Concavity:
        """How deep the curves lie beneath their convex hull."""
        return concavity_of(self.plus, self.minus)

    def pair(self, plus: float, minus: float) -> BiasedPair:
        """Return what h+ and h- make at given strengths of bias, which must be among those tried."""
        return self._pair(self.plus.place(plus), self.minus.place(minus))

    def _pair(self, row: int, column: int) -> BiasedPair:
        base = self.base
        negative, positive = float(self.hard_negative[row, column]), float(self.hard_positive[row, column])
        return BiasedPair(
            strength_plus=float(self.plus.strengths[row]),
            strength_minus=float(self.minus.strengths[column]),
            base=base,
            plus=self.plus.point(row),
            minus=self.minus.point(column),
            reversed=base.at(float(self.reversed_fpr[row, column]), float(self.reversed_tpr[row, column])),
            hard_negative=base.n_negative * negative,
            hard_positive=base.n_positive * positive,
            excluded=float(self.excluded[row, column]),
        )

    def plot(self, ax: Any = None, *, by: str = "reversal", symmetric: bool = False, title: str | None = None) -> Any:
        """Draw the curves, and return the axes; see `covey.plots.draw_bias_curves`."""
        from covey.plots import bias_curve_diagram, draw_bias_curves

        return draw_bias_curves(bias_curve_diagram(self, by=by, symmetric=symmetric), ax, title=title)

    def best_pair(self, by: str = "reversal", *, symmetric: bool = False) -> BiasedPair:
        """Return the pair of biased strengths, both above 0, that promises most.

        Among equal pairs that of the least bias counts.

        Parameters
        ----------
        by : {"reversal", "centre", "concavity"}, default="reversal"
            What is to be greatest: the accuracy with h reversed on the hard cases; the accuracy with a random arbiter;
            or how deep h lies beneath the chord from h+ to h- (`BiasedPair.depth`), by which the paper picks.
        symmetric : bool, default=False
            Whether both have to have the same strength.

        Returns
        -------
        BiasedPair

        Notes
        -----
        Its accuracy is the greatest of many on the same cases, so is flattered, the more so the more pairs are tried:
        one strength per class never does worse than one for both. To choose a bias, give `bias_curves` predictions for
        cases that the classifiers were not trained on.
        """
        check_choice("by", by, ("reversal", "centre", "concavity"))
        value = {"reversal": self._reversal, "centre": self._centre, "concavity": self._depth}[by]()[1:, 1:]
        total = self.plus.strengths[1:, None] + self.minus.strengths[1:]
        allowed = np.ones(value.shape, dtype=bool)
        if symmetric:
            allowed = np.isclose(self.plus.strengths[1:, None], self.minus.strengths[1:], rtol=1e-9, atol=1e-12)
            if not allowed.any():
                raise ValueError("symmetric=True, but plus and minus have no strength in common; give them the same.")
        value = np.where(allowed, value, -np.inf)
        best = (value >= value.max() - TIE) & allowed
        row, column = np.unravel_index(np.where(best, total, np.inf).argmin(), value.shape)
        return self._pair(int(row) + 1, int(column) + 1)

    def _accuracy(self, fpr: Floats, tpr: Floats) -> Floats:
        base = self.base
        return np.asarray((base.n_positive * tpr + base.n_negative * (1.0 - fpr)) / base.n_cases)

    def _reversal(self) -> Floats:
        return self._accuracy(self.reversed_fpr, self.reversed_tpr)

    def _centre(self) -> Floats:
        return np.asarray((self.plus.accuracy[:, None] + self.minus.accuracy) / 2)

    def _depth(self) -> Floats:
        places = np.ndindex(len(self.plus), len(self.minus))
        return np.array([self._pair(*place).depth for place in places]).reshape(len(self.plus), len(self.minus))

    @property
    def midpoint_gain(self) -> float:
        """By how much the best pair with a random arbiter is more accurate than h; negative if none is."""
        return float(self._centre()[1:, 1:].max() - self.base.accuracy)

    @property
    def single_gain(self) -> float:
        """By how much the best single biased classifier is more accurate than h; negative if none is."""
        return float(max(self.plus.accuracy[1:].max(), self.minus.accuracy[1:].max()) - self.base.accuracy)

    @property
    def reversal_gain(self) -> float:
        """By how much the best pair with h reversed on the hard cases is more accurate than h; negative if none is.

        Where h+ says +1 only if h does, and h only if h- does, it is twice the midpoint gain.
        """
        return float(self._reversal()[1:, 1:].max() - self.base.accuracy)

    def table(self) -> ResultTable:
        """Return the points of both curves, from the strongest bias to +1 to the strongest to -1."""
        import pandas as pd

        from covey.analysis.tables import ResultTable

        rows = [("h+", strength, point) for strength, point in zip(self.plus.strengths, self.plus.points, strict=True)]
        rows = [*rows[:0:-1], ("h", 0.0, self.base)]
        rows += [("h-", *one) for one in list(zip(self.minus.strengths, self.minus.points, strict=True))[1:]]
        columns = {
            "strength": [strength for _, strength, _ in rows],
            "false positive rate": [point.fpr for *_, point in rows],
            "true positive rate": [point.tpr for *_, point in rows],
            "accuracy": [point.accuracy for *_, point in rows],
        }
        frame = pd.DataFrame(columns, index=pd.Index([name for name, *_ in rows], name="classifier"))
        return ResultTable(frame, caption="Bias curves")

    def __str__(self) -> str:
        best = self.best_pair()
        return (
            f"Bias curves of {len(self.plus) - 1} strengths for h+ and {len(self.minus) - 1} for h- on "
            f"{self.base.n_cases:g} cases: accuracy of h {self.base.accuracy:.3f}; gains {self.midpoint_gain:+.3f} "
            f"with a random arbiter, {self.single_gain:+.3f} by one biased classifier, {self.reversal_gain:+.3f} with "
            f"h reversed on hard cases (strengths {best.strength_plus:g} and {best.strength_minus:g})"
        )
