"""Predictions, from bias curves, of whether Triskel will help, and what happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from covey._arguments import check_number
from covey.analysis.numbers import TIE
from covey.analysis.roc.curves import BiasCurves
from covey.analysis.roc.embedded import BiasedPair
from covey.analysis.tables.result import Finding

RANDOM, CONSTANT, NEITHER = "yes by a random arbiter", "yes by a constant arbiter", "not by these"


@dataclass(frozen=True, eq=False, repr=False)
class PredictionCheck(Finding):
    """A prediction beside what happened."""

    verdict: str  #: what was predicted
    base_accuracy: float  #: the accuracy of the unbiased classifier, ...
    promised: float  #: ... that the simple arbiter reaches (that of the unbiased classifier if none does better), ...
    accuracy: float  #: ... and that Triskel had

    @property
    def gain(self) -> float:
        """By how much Triskel was more accurate than the unbiased classifier."""
        return self.accuracy - self.base_accuracy

    @property
    def helped(self) -> bool:
        """Whether it was more accurate, by more than rounding."""
        return self.gain > TIE

    @property
    def kept(self) -> bool:
        """Whether what was predicted happened: a gain if one was predicted, none if none was."""
        return self.helped == (self.verdict != NEITHER)

    @property
    def reached(self) -> bool:
        """Whether Triskel was at least as accurate as promised; with a poor arbiter or another bias it may not be."""
        return self.accuracy >= self.promised - TIE

    def __str__(self) -> str:
        if self.verdict == NEITHER and not self.helped:
            happened = "no gain, as predicted"
        elif self.verdict == NEITHER:
            happened = "a gain all the same: a trained arbiter does better than a random or constant one"
        elif self.helped:
            beside = "no less than" if self.reached else "but less than"
            happened = f"a gain as predicted, {beside} a simple arbiter's {self.promised:.3f}"
        else:
            happened = "no gain though one was predicted, which other strengths of bias or a simpler arbiter reach"
        return (
            f"Accuracy {self.accuracy:.3f} against {self.base_accuracy:.3f} without bias ({self.gain:+.3f}): {happened}"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Prediction(Finding):
    """Whether Triskel will be more accurate than its base classifier on some data, and why."""

    #: "yes by a random arbiter", "yes by a constant arbiter" or "not by these": which of the paper's conditions holds;
    #: each is sufficient, and a trained arbiter may help where neither does
    verdict: str
    base_accuracy: float  #: the accuracy of the unbiased classifier h
    midpoint_gain: float  #: by how much the best pair with a random arbiter is more accurate, ...
    single_gain: float  #: ... the best single biased classifier, ...
    reversal_gain: float  #: ... and the best pair with h reversed on hard cases
    concavity: float  #: how deep the curves lie beneath their convex hull, in accuracy ...
    roc_distance: float  #: ... and in ROC space
    pair: BiasedPair  #: the pair with the best centre; where no centre gains, the best with h reversed
    reason: str  #: the verdict in words

    @property
    def helps(self) -> bool:
        """Whether a gain is predicted."""
        return self.verdict != NEITHER

    @property
    def promised(self) -> float:
        """The accuracy that the simple arbiter reaches; that of h if no gain is predicted."""
        gain = {RANDOM: self.midpoint_gain, CONSTANT: self.single_gain, NEITHER: 0.0}[self.verdict]
        return self.base_accuracy + gain

    def check(self, accuracy: Any) -> PredictionCheck:
        """Return the prediction beside the accuracy that Triskel had on the cases of the curves.

        Parameters
        ----------
        accuracy : float
            Of the ensemble; on the training cases if the curves are of these, as in the paper.
        """
        check_number("accuracy", accuracy, 0.0, 1.0)
        return PredictionCheck(self.verdict, self.base_accuracy, self.promised, float(accuracy))

    def __str__(self) -> str:
        return f"Will Triskel help? {self.verdict[:1].upper()}{self.verdict[1:]}: {self.reason}"


def predict_gain(curves: BiasCurves) -> Prediction:
    """Predict whether Triskel will be more accurate than its base classifier (section 5 of the Triskel paper).

    It will with a random arbiter if the middle of some h+ and h- lies above the line of classifiers as accurate as h.
    It will with a constant arbiter if a biased classifier itself lies above the line. If neither, only an arbiter that
    has learnt more can help.

    Parameters
    ----------
    curves : BiasCurves
        From `bias_curves`.

    Notes
    -----
    An arbiter that always says -1 makes the ensemble h+, where inclusion holds, and one that always says +1 makes it
    h-; the paper has the two the other way round.

    Examples
    --------
    >>> from covey.analysis import bias_curves, predict_gain
    >>> y = [-1, -1, 1, -1, 1, 1]
    >>> base = [-1, -1, -1, 1, 1, 1]
    >>> curves = bias_curves(y, base, {0.1: [-1, -1, -1, -1, 1, 1]}, {0.1: [-1, -1, 1, 1, 1, 1]})
    >>> prediction = predict_gain(curves)
    >>> prediction.verdict
    'yes by a random arbiter'
    >>> print(prediction.check(1.0))
    Accuracy 1.000 against 0.667 without bias (+0.333): a gain as predicted, no less than a simple arbiter's 0.833
    """
    if not isinstance(curves, BiasCurves):
        raise TypeError(f"curves={curves!r:.60} is no BiasCurves; give what bias_curves returns.")
    verdict = RANDOM if curves.midpoint_gain > TIE else CONSTANT if curves.single_gain > TIE else NEITHER
    pair = curves.best_pair("centre" if verdict == RANDOM else "reversal")
    return Prediction(
        verdict=verdict,
        base_accuracy=curves.base.accuracy,
        midpoint_gain=curves.midpoint_gain,
        single_gain=curves.single_gain,
        reversal_gain=curves.reversal_gain,
        concavity=curves.concavity.accuracy,
        roc_distance=curves.concavity.distance,
        pair=pair,
        reason=_reason(curves, pair, verdict),
    )


def _reason(curves: BiasCurves, pair: BiasedPair, verdict: str) -> str:
    base = curves.base.accuracy
    if verdict == RANDOM:
        return (
            f"the middle of h+ biased by {pair.strength_plus:g} and h- biased by {pair.strength_minus:g} is "
            f"{pair.midpoint_gain:.3f} more accurate than h ({base:.3f})"
        )
    if verdict == CONSTANT:
        curve = max((curves.plus, curves.minus), key=lambda side: float(side.accuracy[1:].max()))
        best = 1 + int(curve.accuracy[1:].argmax())
        name, says = ("h+", "-1") if curve.side == "plus" else ("h-", "+1")
        return (
            f"no middle of two biased classifiers is more accurate than h ({base:.3f}), but {name} biased by "
            f"{curve.strengths[best]:g} is by {curves.single_gain:.3f}, and so is an arbiter that always says {says}"
        )
    short = "is as accurate" if curves.single_gain >= -TIE else f"misses it by {-curves.single_gain:.3f}"
    return (
        f"no biased classifier is more accurate than h ({base:.3f}), and the best {short}; only an arbiter that "
        "learns the hard cases can help"
    )
