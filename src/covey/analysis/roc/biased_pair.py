"""Two biased classifiers of some strengths, and what becomes of them with one arbiter or another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from covey.analysis.finding import Finding
from covey.analysis.roc.embedded import EmbeddedSpace, embedded_space
from covey.analysis.roc.point import RocPoint


@dataclass(frozen=True, eq=False, repr=False)
class BiasedPair(Finding):
    """A pair of biased classifiers on labelled cases, beside the unbiased one.

    Parameters
    ----------
    strength_plus, strength_minus : float
        The strengths of bias of h+ and h-.
    base, plus, minus : RocPoint
        The unbiased classifier h, and h+ and h-.
    reversed : RocPoint
        The ensemble in which h, reversed, decides the hard cases, where h+ and h- disagree.
    hard_negative, hard_positive : float
        The numbers of hard cases.
    excluded : float
        Which share of all cases breaks the inclusion assumption between h+ and h-, as `inclusion_share`.
    """

    strength_plus: float
    strength_minus: float
    base: RocPoint
    plus: RocPoint
    minus: RocPoint
    reversed: RocPoint
    hard_negative: float
    hard_positive: float
    excluded: float

    @property
    def centre(self) -> RocPoint:
        """The ensemble with a random arbiter, as expected: the middle of h+ and h-, inclusion or not."""
        return self.base.at((self.plus.fpr + self.minus.fpr) / 2, (self.plus.tpr + self.minus.tpr) / 2)

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
        low, middle, high = (one.called_positive for one in (self.plus, self.base, self.minus))
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
