"""Pairs of biased classifiers, and the ROC space of hard cases that is embedded between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from covey.analysis.numbers import LONG_SUM, TIE
from covey.analysis.roc.binary import BinaryCases, read_cases, read_pairs
from covey.analysis.roc.point import RocPoint, check_point, point_of, same_cases
from covey.analysis.tables.result import Finding

Pair = tuple[RocPoint, RocPoint]


@dataclass(frozen=True, repr=False)
class EmbeddedSpace(Finding):
    """The ROC space of the hard cases, where two biased classifiers disagree, inside that of all cases.

    Its corner (0, 0) is h+ and its corner (1, 1) is h- (Triskel paper, section 5, figure 3b).
    """

    plus: RocPoint  #: the biased classifier h+, in the space of all cases
    minus: RocPoint  #: the biased classifier h-

    @property
    def width(self) -> float:
        """FPr(h-) - FPr(h+): which share of the negative cases is hard."""
        return max(0.0, self.minus.fpr - self.plus.fpr)  # NaN, of a class without cases, is not greater

    @property
    def height(self) -> float:
        """TPr(h-) - TPr(h+): which share of the positive cases is hard."""
        return max(0.0, self.minus.tpr - self.plus.tpr)

    @property
    def n_positive(self) -> float:
        """The number of hard positive cases, P_A = P (TPr(h-) - TPr(h+))."""
        return self.plus.n_positive * self.height

    @property
    def n_negative(self) -> float:
        """The number of hard negative cases, N_A."""
        return self.plus.n_negative * self.width

    @property
    def best(self) -> RocPoint:
        """The best that any arbiter can reach, (FPr(h+), TPr(h-)), in any number of rounds."""
        return self.plus.at(self.plus.fpr, self.minus.tpr)

    @property
    def worst(self) -> RocPoint:
        """What an arbiter reaches that errs on every hard case, (FPr(h-), TPr(h+))."""
        return self.plus.at(self.minus.fpr, self.plus.tpr)

    @property
    def centre(self) -> RocPoint:
        """What an arbiter reaches that guesses: the middle of h+ and h-."""
        return middle(self.plus, self.minus)

    def contains(self, point: RocPoint) -> bool:
        """Whether a point of the space of all cases lies in this one."""
        check_point(point, "point")
        sides = ((self.plus.fpr, point.fpr, self.minus.fpr), (self.plus.tpr, point.tpr, self.minus.tpr))
        return not any(rate < low - TIE or rate > high + TIE for low, rate, high in sides)

    def outer(self, inner: RocPoint) -> RocPoint:
        """Return the ensemble that has an arbiter of some performance on the hard cases (proposition 1).

        ``TPr = TPr(h+) + TPr(arbiter) (TPr(h-) - TPr(h+))``, and the same for FPr.

        Parameters
        ----------
        inner : RocPoint
            The arbiter, on the hard cases alone. Rates of a class without hard cases do not matter.
        """
        check_point(inner, "inner")
        fpr = self.plus.fpr + (inner.fpr * self.width if self.width > TIE else 0.0)
        tpr = self.plus.tpr + (inner.tpr * self.height if self.height > TIE else 0.0)
        return self.plus.at(fpr, tpr)

    def inner(self, outer: RocPoint) -> RocPoint:
        """Return the arbiter, on the hard cases, with which the ensemble has some performance on all cases.

        Parameters
        ----------
        outer : RocPoint
            The ensemble, on all cases. It must lie in the embedded space.
        """
        if not self.contains(outer):
            raise ValueError(
                f"outer=({outer.fpr:.4g}, {outer.tpr:.4g}) lies outside the embedded space from ({self.plus.fpr:.4g}, "
                f"{self.plus.tpr:.4g}) to ({self.minus.fpr:.4g}, {self.minus.tpr:.4g}), so no arbiter reaches it; give "
                "a point that it contains."
            )
        wide, high = self.width > TIE, self.height > TIE
        fpr = (outer.fpr - self.plus.fpr) / self.width if wide else float("nan")
        tpr = (outer.tpr - self.plus.tpr) / self.height if high else float("nan")
        fpr, tpr = (min(max(rate, 0.0), 1.0) if rate == rate else rate for rate in (fpr, tpr))
        return RocPoint(fpr, tpr, self.n_positive if high else 0.0, self.n_negative if wide else 0.0)

    def plot(self, ax: Any = None, *, points: Any = None, title: str | None = None) -> Any:
        """Draw the space, and return the axes; see `covey.plots.draw_roc_spaces`."""
        from covey.plots import draw_roc_spaces, roc_space_diagram

        return draw_roc_spaces(roc_space_diagram(self, points=points), ax, title=title)

    def __str__(self) -> str:
        return (
            f"Embedded ROC space from ({self.plus.fpr:.3f}, {self.plus.tpr:.3f}) to ({self.minus.fpr:.3f}, "
            f"{self.minus.tpr:.3f}): {self.n_positive:g} positive and {self.n_negative:g} negative cases are hard; "
            f"accuracy {self.centre.accuracy:.3f} with a random arbiter, {self.best.accuracy:.3f} with the best"
        )


def middle(plus: RocPoint, minus: RocPoint) -> RocPoint:
    """Return the point half-way between two."""
    return plus.at((plus.fpr + minus.fpr) / 2, (plus.tpr + minus.tpr) / 2)


def embedded_space(h_plus: RocPoint, h_minus: RocPoint) -> EmbeddedSpace:
    """Return the ROC space of the cases on which two biased classifiers disagree.

    Under the inclusion assumption, that h+ says +1 only where h- does too (`inclusion_share` is 0), the performance of
    an ensemble of h+, h- and an arbiter is that of the arbiter on the hard cases, read in this space (Khoussainov, Heß
    and Kushmerick 2005, proposition 1).

    Parameters
    ----------
    h_plus : RocPoint
        The classifier biased to class +1: it says +1 only when sure, so it lies near (0, 0).
    h_minus : RocPoint
        The classifier biased to class -1, near (1, 1); on the same cases.

    Examples
    --------
    >>> from covey.analysis import RocPoint, embedded_space
    >>> space = embedded_space(RocPoint(0.0, 0.5, 10, 10), RocPoint(0.5, 1.0, 10, 10))
    >>> space.centre.accuracy, space.best.accuracy
    (0.75, 1.0)
    >>> space.outer(RocPoint(0.2, 0.8, 5, 5)).xy
    (0.1, 0.9)
    """
    plus, minus = check_point(h_plus, "h_plus"), check_point(h_minus, "h_minus")
    if not same_cases(plus, minus):
        raise ValueError(
            f"h_plus is of {plus.n_positive:g} positive and {plus.n_negative:g} negative cases, h_minus of "
            f"{minus.n_positive:g} and {minus.n_negative:g}; measure both on the same cases."
        )
    if plus.fpr > minus.fpr + TIE or plus.tpr > minus.tpr + TIE:
        raise ValueError(
            f"h_plus=({plus.fpr:.4g}, {plus.tpr:.4g}) calls a greater share of a class positive than h_minus="
            f"({minus.fpr:.4g}, {minus.tpr:.4g}) does, so there is no space between them; exchange them, or bias more."
        )
    return EmbeddedSpace(plus, minus)


def nested_spaces(pairs: Sequence[Pair], *, strict: bool = True) -> list[EmbeddedSpace]:
    """Return the ROC spaces of successive rounds, all in the coordinates of the outermost (figure 3c).

    Parameters
    ----------
    pairs : sequence of (RocPoint, RocPoint)
        h+ and h- of each round, measured on the cases that are hard in all rounds before, as `round_points` does.
    strict : bool, default=True
        Whether to refuse rounds whose numbers of cases are not those that the round before leaves. Where the inclusion
        assumption fails they are not, and the spaces, with ``strict=False``, are about right.

    Returns
    -------
    list of EmbeddedSpace
        The space of the cases that are hard in the first round, in the first two, and so on.
    """
    spaces: list[EmbeddedSpace] = []
    for number, pair in enumerate(pairs, start=1):
        if not isinstance(pair, Sequence) or len(pair) != 2:
            raise TypeError(f"pairs has {pair!r:.60} for round {number}; give (h_plus, h_minus) for each round.")
        space = embedded_space(*pair)
        if spaces:
            if strict:
                _check_left(spaces[-1], space, number)
            around = spaces[-1]
            space = EmbeddedSpace(around.outer(space.plus), around.outer(space.minus))
        spaces.append(space)
    return spaces


def _check_left(around: EmbeddedSpace, space: EmbeddedSpace, number: int) -> None:
    """Refuse a round that is not of the hard cases of the round before."""
    slack = LONG_SUM * around.plus.n_cases
    apart = abs(around.n_positive - space.plus.n_positive), abs(around.n_negative - space.plus.n_negative)
    if max(apart) > slack:
        raise ValueError(
            f"pairs, round {number} is of {space.plus.n_positive:g} positive and {space.plus.n_negative:g} negative "
            f"cases, but round {number - 1} leaves {around.n_positive:g} and {around.n_negative:g}; measure each "
            "round on the cases that are hard in all rounds before, as round_points does, or give strict=False if the "
            "inclusion assumption fails there."
        )


def round_points(y_true: Any, pairs: Any, positive: Any = None, sample_weight: Any = None) -> list[Pair]:
    """Return the biased classifiers of each round as points, on the cases that are hard in all rounds before.

    Hard is, as in the vote, where the two classifiers of a round disagree.

    Parameters
    ----------
    y_true, positive, sample_weight
        As for `roc_point`.
    pairs : sequence of (array-like, array-like)
        What h+ and h- of each round predict for all cases, as `first_agreement` takes them.

    Returns
    -------
    list of (RocPoint, RocPoint)
        A pair for each round, for `nested_spaces`; fewer than rounds if no hard case is left.
    """
    cases, points = read_cases(y_true, positive, sample_weight), []
    predicted = [
        tuple(cases.says_positive(labels, f"pairs[{number}][{side}]") for side, labels in enumerate(pair))
        for number, pair in enumerate(read_pairs(pairs))
    ]
    hard = cases.weights > 0
    for plus, minus in predicted:
        if not hard.any():
            break
        some = BinaryCases(cases.truth[hard], cases.weights[hard], cases.positive, cases.negative)
        points.append((point_of(some, plus[hard]), point_of(some, minus[hard])))
        hard &= plus != minus
    return points


@dataclass(frozen=True, eq=False, repr=False)
class BiasedPair(Finding):
    """A pair of biased classifiers on labelled cases, beside the unbiased one."""

    strength_plus: float  #: the strength of bias of h+
    strength_minus: float  #: and of h-
    base: RocPoint  #: the unbiased classifier h
    plus: RocPoint  #: h+
    minus: RocPoint  #: h-
    reversed: RocPoint  #: the ensemble in which h, reversed, decides the hard cases, where h+ and h- disagree
    hard_negative: float  #: the number of hard negative cases
    hard_positive: float  #: the number of hard positive cases
    excluded: float  #: which share of all cases breaks the inclusion assumption between h+ and h-, as `inclusion_share`

    @property
    def centre(self) -> RocPoint:
        """The ensemble with a random arbiter, as expected: the middle of h+ and h-, inclusion or not."""
        return middle(self.plus, self.minus)

    @property
    def hard_share(self) -> float:
        """Which share of all cases is hard."""
        return (self.hard_negative + self.hard_positive) / self.base.n_cases

    @cached_property
    def space(self) -> EmbeddedSpace:
        """The ROC space of the hard cases; an error if h+ does not lie below and to the left of h-."""
        return embedded_space(self.plus, self.minus)

    @property
    def base_on_hard(self) -> RocPoint:
        """Where h lies in the ROC space of the hard cases; near (1, 0) boosting will not help."""
        # Reversing h on hard cases moves the ensemble from the middle as far as h is from guessing, the other way.
        fpr = _rate(self.centre.fpr - self.reversed.fpr, self.hard_negative, self.base.n_negative)
        tpr = _rate(self.centre.tpr - self.reversed.tpr, self.hard_positive, self.base.n_positive)
        return RocPoint(fpr, tpr, self.hard_positive, self.hard_negative)

    @property
    def midpoint_gain(self) -> float:
        """By how much the ensemble with a random arbiter is more accurate than h."""
        return self.centre.accuracy - self.base.accuracy

    @property
    def reversal_gain(self) -> float:
        """By how much the ensemble with h reversed on the hard cases is more accurate than h."""
        return self.reversed.accuracy - self.base.accuracy

    @property
    def single_gain(self) -> float:
        """By how much the better of h+ and h- is more accurate than h."""
        return max(self.plus.accuracy, self.minus.accuracy) - self.base.accuracy

    @property
    def depth(self) -> float:
        """How deep h lies beneath the chord from h+ to h-, in accuracy; negative above it, -inf not between them.

        It is the accuracy that a random choice between h+ and h- has that calls as many cases positive as h does, less
        the accuracy of h.
        """
        low, middle, high = (point.called_positive for point in (self.plus, self.base, self.minus))
        if not low <= middle <= high:
            return float("-inf")
        share = (middle - low) / (high - low) if high > low else 0.5
        return (1 - share) * self.plus.accuracy + share * self.minus.accuracy - self.base.accuracy

    def __str__(self) -> str:
        return (
            f"h+ biased by {self.strength_plus:g} and h- by {self.strength_minus:g}: {self.hard_share:.1%} of the "
            f"cases are hard; accuracy {self.base.accuracy:.3f} of h, {self.centre.accuracy:.3f} with a random "
            f"arbiter, {self.reversed.accuracy:.3f} with h reversed on hard cases"
        )


def _rate(shift: float, hard: float, count: float) -> float:
    """Return the rate among hard cases of which reversing it moves the ensemble from the middle by so much."""
    if hard <= 0:
        return float("nan")
    return min(max(0.5 + shift * count / hard, 0.0), 1.0)
