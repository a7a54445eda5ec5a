"""Bias curves: where a classifier lies in ROC space as its bias to either class grows, and what pairs make of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from covey._arguments import check_choice, check_number
from covey.analysis.numbers import LONG_SUM, TIE, Floats
from covey.analysis.roc.binary import BinaryCases, Bools, read_cases
from covey.analysis.roc.embedded import BiasedPair
from covey.analysis.roc.point import Concavity, IsoAccuracy, RocPoint, concavity_of, iso_accuracy, point_of
from covey.analysis.tables.result import Finding, ResultTable, table_of

# Predictions by the strength of bias.
Strengths = Mapping[float, Any]


@dataclass(frozen=True, eq=False, repr=False)
class BiasCurve(Finding):
    """The points of a classifier at growing strengths of bias to one class."""

    side: str  #: "plus" if biased to class +1 (h+, towards (0, 0)), "minus" if to class -1 (h-, towards (1, 1))
    strengths: Floats  #: ascending; the first is 0, the classifier without bias
    fpr: Floats  #: its false positive rate at each strength
    tpr: Floats  #: its true positive rate at each strength
    n_positive: float  #: the number of positive cases, or their weight
    n_negative: float  #: the number of negative cases, or their weight

    def __len__(self) -> int:
        return len(self.strengths)

    def point(self, place: int) -> RocPoint:
        """Return the point at a place among the strengths."""
        return RocPoint(float(self.fpr[place]), float(self.tpr[place]), self.n_positive, self.n_negative)

    @property
    def points(self) -> tuple[RocPoint, ...]:
        """The point at each strength."""
        return tuple(self.point(place) for place in range(len(self)))

    @property
    def accuracy(self) -> Floats:
        """The accuracy at each strength."""
        return np.array([point.accuracy for point in self.points])

    def place(self, strength: float) -> int:
        """Return the place of a strength, refusing one that was not tried."""
        nearest = int(np.abs(self.strengths - strength).argmin())
        if not np.isclose(self.strengths[nearest], strength, rtol=LONG_SUM, atol=TIE):
            tried = ", ".join(f"{value:g}" for value in self.strengths)
            raise ValueError(f"strength={strength!r} was not tried for {self.side}; give one of {tried}.")
        return nearest

    def __str__(self) -> str:
        last = self.point(-1)
        return (
            f"Bias curve of h{'+' if self.side == 'plus' else '-'}: {len(self)} strengths from 0 at "
            f"({self.fpr[0]:.3f}, {self.tpr[0]:.3f}) to {self.strengths[-1]:g} at ({last.fpr:.3f}, {last.tpr:.3f})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class BiasCurves(Finding):
    """The bias curves of both classes on the same cases, and what each pair of their points makes (figure 4)."""

    plus: BiasCurve  #: the curve of h+, which begins with the unbiased classifier h
    minus: BiasCurve  #: the curve of h-, which begins with it too
    positive: Any  #: the positive class
    reversed_fpr: Floats  #: of shape (n_plus, n_minus): the rates of the ensemble of each pair in which h, ...
    reversed_tpr: Floats  #: ... reversed, decides the hard cases
    hard_negative: Floats  #: which share of the negative cases is hard for each pair, ...
    hard_positive: Floats  #: ... and of the positive ones
    excluded: Floats  #: which share of all cases breaks the inclusion assumption, as `inclusion_share`, for each pair

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
        strengths = np.append(-self.plus.strengths[:0:-1], self.minus.strengths)
        points = np.column_stack([self._joined("fpr"), self._joined("tpr")])
        return concavity_of(points, strengths, self.base.n_positive / self.base.n_cases)

    def _joined(self, part: str) -> Floats:
        """Return a part of both curves, from the strongest h+ over h to the strongest h-."""
        return np.append(getattr(self.plus, part)[:0:-1], getattr(self.minus, part))

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
            allowed = np.isclose(self.plus.strengths[1:, None], self.minus.strengths[1:], rtol=LONG_SUM, atol=TIE)
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
        parts = {
            "strengths": "strength",
            "fpr": "false positive rate",
            "tpr": "true positive rate",
            "accuracy": "accuracy",
        }
        names = ["h+"] * (len(self.plus) - 1) + ["h"] + ["h-"] * (len(self.minus) - 1)
        columns = {name: self._joined(part) for part, name in parts.items()}
        return table_of(columns, names, "classifier", caption="Bias curves")

    def __str__(self) -> str:
        best = self.best_pair()
        return (
            f"Bias curves of {len(self.plus) - 1} strengths for h+ and {len(self.minus) - 1} for h- on "
            f"{self.base.n_cases:g} cases: accuracy of h {self.base.accuracy:.3f}; gains {self.midpoint_gain:+.3f} "
            f"with a random arbiter, {self.single_gain:+.3f} by one biased classifier, {self.reversal_gain:+.3f} with "
            f"h reversed on hard cases (strengths {best.strength_plus:g} and {best.strength_minus:g})"
        )


def bias_curves(
    y_true: Any, base: Any, plus: Strengths, minus: Strengths, positive: Any = None, sample_weight: Any = None
) -> BiasCurves:
    """Return the bias curves of a learner in ROC space, from what its classifiers predict.

    Khoussainov, Heß and Kushmerick, "Ensembles of biased classifiers" (2005), section 5, figure 4. Of binary problems
    only. The paper reasons about the training cases.

    Parameters
    ----------
    y_true, positive, sample_weight
        As for `roc_point`; both classes must occur, and the positive one is the paper's +1.
    base : array-like of shape (n_cases,)
        What the unbiased classifier h predicts: strength 0 of both curves.
    plus, minus : mapping of float to array-like of shape (n_cases,)
        What the classifiers biased to class +1, and to class -1, predict, by the strength of bias, which is above 0; a
        strength of 0 may be there if its predictions are those of base. h+ says +1 only when sure, h- says -1 only
        when sure.

    Examples
    --------
    >>> from covey.analysis import bias_curves
    >>> y = [-1, -1, 1, -1, 1, 1]
    >>> base = [-1, -1, -1, 1, 1, 1]  # wrong on the two cases in the middle
    >>> curves = bias_curves(y, base, {0.1: [-1, -1, -1, -1, 1, 1]}, {0.1: [-1, -1, 1, 1, 1, 1]})
    >>> round(curves.midpoint_gain, 3), round(curves.reversal_gain, 3)
    (0.167, 0.333)
    """
    cases = read_cases(y_true, positive, sample_weight)
    if not cases.n_positive or not cases.n_negative:
        raise ValueError("y_true has cases of one class alone, as weighted, so there is no curve; give both classes.")
    unbiased = cases.says_positive(base, "base")
    curve_plus, said_plus = _read_curve(cases, unbiased, plus, "plus")
    curve_minus, said_minus = _read_curve(cases, unbiased, minus, "minus")
    (fpr, hard_negative), (tpr, hard_positive) = (
        _pair_shares(said_plus, said_minus, unbiased, cases, kind) for kind in (False, True)
    )
    share = cases.weights / cases.weights.sum()
    excluded = (said_plus * share) @ (~said_minus).T.astype(np.float64)
    return BiasCurves(curve_plus, curve_minus, cases.positive, fpr, tpr, hard_negative, hard_positive, excluded)


def _read_curve(cases: BinaryCases, base: Bools, predictions: Strengths, name: str) -> tuple[BiasCurve, Bools]:
    """Return a curve, and where the classifier of each strength says positive, a row each."""
    if not isinstance(predictions, Mapping):
        raise TypeError(f"{name}={predictions!r:.60} is no mapping; give labels by strength, such as {{0.1: labels}}.")
    read: dict[float, Bools] = {}
    for strength, predicted in predictions.items():
        check_number(f"strength of {name}", strength, 0.0)
        positive = cases.says_positive(predicted, f"{name}[{strength!r}]")
        if strength:
            read[float(strength)] = positive
        elif (positive != base).any():
            raise ValueError(f"{name}[{strength!r}] differs from base, which is the classifier of no bias; omit it.")
    if not read:
        raise ValueError(f"{name} has no strength above 0; give the predictions of at least one biased classifier.")
    strengths = sorted(read)
    positive = np.stack([base, *(read[strength] for strength in strengths)])
    fpr, tpr = np.array([point_of(cases, row).xy for row in positive]).T.copy()
    return BiasCurve(name, np.array([0.0, *strengths]), fpr, tpr, cases.n_positive, cases.n_negative), positive


def _pair_shares(plus: Bools, minus: Bools, base: Bools, cases: BinaryCases, kind: bool) -> tuple[Floats, Floats]:
    """Return, for each pair, which share of a class is called positive with h reversed on hard cases, and is hard.

    Called positive are cases of which both say so, and those that are hard where h does not: with p and m for what h+
    and h- say and b for h, p m + (p + m - 2 p m)(1 - b), whose sums over cases are products of matrices.
    """
    of_class = (cases.truth == kind) & (cases.weights > 0)
    share = cases.weights[of_class] / cases.weights[of_class].sum()
    p, m = plus[:, of_class].astype(np.float64), minus[:, of_class].astype(np.float64)
    against = share * ~base[of_class]
    both, none = (p * share) @ m.T, (p * against) @ m.T
    called = both + (p @ against)[:, None] + m @ against - 2 * none
    hard = (p @ share)[:, None] + m @ share - 2 * both
    hard[hard < TIE] = 0.0  # where no case is hard, sums may differ in their last digits
    return np.clip(called, 0.0, 1.0), np.clip(hard, 0.0, 1.0)
