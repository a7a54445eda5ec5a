"""The ROC space of hard cases, embedded between two biased classifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from covey.analysis.finding import Finding
from covey.analysis.labels import TIE
from covey.analysis.roc.agreement import read_pairs
from covey.analysis.roc.binary import BinaryCases, read_cases
from covey.analysis.roc.point import RocPoint, check_point, point_of, same_cases

Pair = tuple[RocPoint, RocPoint]


@dataclass(frozen=True, repr=False)
class EmbeddedSpace(Finding):
    """The ROC space of the hard cases, where two biased classifiers disagree, inside that of all cases.

    Its corner (0, 0) is h+ and its corner (1, 1) is h- (Triskel paper, section 5, figure 3b).

    Parameters
    ----------
    plus, minus : RocPoint
        The biased classifiers h+ and h-, in the space of all cases.
    """

    plus: RocPoint
    minus: RocPoint

    @property
    def width(self) -> float:
        """FPr(h-) - FPr(h+): which share of the negative cases is hard."""
        return _extent(self.plus.fpr, self.minus.fpr)

    @property
    def height(self) -> float:
        """TPr(h-) - TPr(h+): which share of the positive cases is hard."""
        return _extent(self.plus.tpr, self.minus.tpr)

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
        return self.plus.at((self.plus.fpr + self.minus.fpr) / 2, (self.plus.tpr + self.minus.tpr) / 2)

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


def _extent(low: float, high: float) -> float:
    """Return how far it is from one rate to a greater one; 0 if a class has no case."""
    return high - low if high > low else 0.0


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

    Returns
    -------
    EmbeddedSpace

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
        try:
            own = embedded_space(*pair)
        except (TypeError, ValueError) as error:
            raise type(error)(f"pairs, round {number}: {error}") from error
        if spaces:
            if strict:
                _check_left(spaces[-1], own, number)
            around = spaces[-1]
            own = EmbeddedSpace(around.outer(own.plus), around.outer(own.minus))
        spaces.append(own)
    return spaces


def _check_left(around: EmbeddedSpace, own: EmbeddedSpace, number: int) -> None:
    """Refuse a round that is not of the hard cases of the round before."""
    slack = 1e-9 * around.plus.n_cases
    apart = abs(around.n_positive - own.plus.n_positive), abs(around.n_negative - own.plus.n_negative)
    if max(apart) > slack:
        raise ValueError(
            f"pairs, round {number} is of {own.plus.n_positive:g} positive and {own.plus.n_negative:g} negative cases, "
            f"but round {number - 1} leaves {around.n_positive:g} and {around.n_negative:g}; measure each round on "
            "the cases that are hard in all rounds before, as round_points does, or if the inclusion assumption fails "
            "there give strict=False."
        )


def round_points(y_true: Any, pairs: Any, positive: Any = None, sample_weight: Any = None) -> list[Pair]:
    """Return the biased classifiers of each round as points, on the cases that are hard in all rounds before.

    Hard is, as in the vote, where the two classifiers of a round disagree.

    Parameters
    ----------
    y_true : array-like of shape (n_cases,)
        The true labels, of two classes.
    pairs : sequence of (array-like, array-like)
        What h+ and h- of each round predict for all cases, as `first_agreement` takes them.
    positive : label, optional
        The positive class, by default the greater label.
    sample_weight : array-like of shape (n_cases,), optional
        What each case counts; by default 1.

    Returns
    -------
    list of (RocPoint, RocPoint)
        A pair for each round, for `nested_spaces`; fewer than rounds if no hard case is left.
    """
    cases, found = read_cases(y_true, positive, sample_weight), []
    said = [
        tuple(cases.says_positive(one, f"pairs[{number}][{side}]") for side, one in enumerate(pair))
        for number, pair in enumerate(read_pairs(pairs))
    ]
    hard = cases.weights > 0
    for plus, minus in said:
        if not hard.any():
            break
        some = BinaryCases(cases.truth[hard], cases.weights[hard], cases.positive, cases.negative)
        found.append((point_of(some, plus[hard]), point_of(some, minus[hard])))
        hard &= plus != minus
    return found
