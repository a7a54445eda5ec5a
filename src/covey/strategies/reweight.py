"""Reweighting: row weights that a chain learns from the mistakes of its last member."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from covey.learners import SphereCoverClassifier
from covey.learners.metric import EUCLIDEAN
from covey.strategies.draw import Weights

# A member that repeats the last one's mistakes has an error of one half but for rounding, and is no better than chance.
CHANCE = 1e-10


@dataclass(frozen=True, eq=False)
class Step:
    """What follows from a member's mistakes."""

    vote: float  #: the weight of the member's vote
    weight: Weights | None  #: the case weights for the next member; None starts afresh from a new random draw
    ends: bool = False  #: whether the chain ends here


@dataclass(frozen=True, eq=False)
class Lesson:
    """What there is to learn from a member besides its mistakes."""

    model: Any  #: the member as it was trained
    given: Weights  #: the case weights that the ensemble was given
    rng: np.random.Generator  #: for what is drawn at random


class Reweight(BaseEstimator, ABC):
    """Turns a member's mistakes into its vote and the next member's case weights."""

    def asks(self, weight: Weights, model: Any) -> NDArray[np.bool_]:
        """Say in which rows mistakes of a member count: those that it was trained on."""
        return weight > 0

    @abstractmethod
    def step(self, weight: Weights, wrong: NDArray[np.bool_], lesson: Lesson | None = None) -> Step | None:
        """Return what follows, or None if the member is to be dropped and the chain to start afresh.

        Parameters
        ----------
        weight : ndarray of float64
            The case weights that the member was trained with.
        wrong : ndarray of bool
            Which of the rows that `asks` names it gets wrong.
        lesson : Lesson, optional
            What else there is to learn from.
        """

    def check(self, estimator: Any = None) -> None:
        """Raise ValueError if a parameter makes no sense, or the base estimator has nothing to learn from."""
        return


class AdaBoost(Reweight):
    """AdaBoost in Bauer and Kohavi's variant, as in the multi-strategy paper's algorithm 2.

    One-step update (step 17), no weight below a floor (step 18), a fresh start where the error is nought (step 10), and
    a member dropped where it is one half or more (step 5 prints "more than", but means members better than chance).

    Parameters
    ----------
    floor : float, default=1e-8
        The least weight, as a share of the mean weight, that a row which has weight can come down to.
    perfect : float, default=1e-10
        The value of beta for a member without error, and the least value for any: ``log(1 / perfect)`` is the
        greatest vote.
    restart : bool, default=True
        Whether a chain goes on from new weights after a member without error, or in place of one no better than
        chance. Otherwise it ends there and is left without that member, unless it is the first: AdaBoost.M1 (Freund and
        Schapire 1996) as Weka has it.
    """

    def __init__(self, floor: float = 1e-8, perfect: float = 1e-10, restart: bool = True) -> None:
        self.floor = floor
        self.perfect = perfect
        self.restart = restart

    def step(self, weight: Weights, wrong: NDArray[np.bool_], lesson: Lesson | None = None) -> Step | None:
        """Raise the weights of the rows that the member got wrong."""
        total = weight.sum()
        error = weight[wrong].sum() / total
        if error >= 0.5 - CHANCE:
            return None if self.restart else Step(vote=0.0, weight=None, ends=True)
        if error <= 0.0:
            return Step(vote=float(np.log(1.0 / self.perfect)), weight=None, ends=not self.restart)
        active = weight > 0
        raised = weight / np.where(wrong, 2.0 * error, 2.0 * (1.0 - error))
        least = self.floor * total / np.count_nonzero(active)
        beta = max(error / (1.0 - error), self.perfect)
        return Step(vote=float(np.log(1.0 / beta)), weight=np.where(active, np.maximum(raised, least), 0.0))

    def check(self, estimator: Any = None) -> None:
        """Refuse a floor or a beta that are no shares."""
        if not 0 <= self.floor < 1:
            raise ValueError(f"AdaBoost floor={self.floor!r} must be 0 or more and less than 1.")
        if not 0 < self.perfect < 1:
            raise ValueError(f"AdaBoost perfect={self.perfect!r} must lie between 0 and 1.")


class BorderResampling(Reweight):
    """Replaces the border cases of a sphere cover by others that are hard (sphere-cover paper, algorithm 2).

    The cases that halted the spheres of a member are taken out, all copies of them, so that the next member's spheres
    can grow past them. As many are drawn, with replacement, among these cases, those that no sphere held, and those of
    all the data that the member gets wrong. Each of them is as likely as another, however many copies of it there
    were. Every member has one vote.

    The base estimator must be a `SphereCoverClassifier`.
    """

    def asks(self, weight: Weights, model: Any) -> NDArray[np.bool_]:
        """Say in which rows mistakes of a cover count: all whose fate does not tell already.

        A row that a sphere holds is in none of another class, which ends before it, unless these may hold strangers. A
        sphere without a radius does not hold its centre. A row that no sphere holds is hard, right or wrong.
        """
        if model.max_enemies or model.metric not in EUCLIDEAN:
            return np.ones(len(weight), dtype=bool)
        asked = weight <= 0
        asked[model.center_indices_[model.radii_ == 0]] = True
        return np.asarray(asked)

    def step(self, weight: Weights, wrong: NDArray[np.bool_], lesson: Lesson | None = None) -> Step | None:
        """Draw the next member's cases."""
        if lesson is None:
            raise ValueError("BorderResampling learns from a member's border; give the lesson as well.")
        border, uncovered = (np.zeros(len(weight), dtype=bool) for _ in range(2))
        border[lesson.model.border_indices_] = True
        uncovered[lesson.model.uncovered_indices_] = True
        removed = weight[border].sum()
        if removed <= 0:  # one class was left: nothing halts its sphere, and nothing would ever bring others back
            return Step(vote=1.0, weight=lesson.given)
        hard = lesson.given * (border | uncovered | wrong)
        n_draws = max(1, round(removed))
        drawn = lesson.rng.choice(len(weight), size=n_draws, p=hard / hard.sum())
        copies = np.bincount(drawn, minlength=len(weight)) * (removed / n_draws)
        return Step(vote=1.0, weight=np.where(border, 0.0, weight) + copies)

    def check(self, estimator: Any = None) -> None:
        """Refuse a base estimator that has no border."""
        if not isinstance(estimator, SphereCoverClassifier):
            name = type(estimator).__name__
            raise ValueError(
                f"BorderResampling needs a SphereCoverClassifier, whose border it learns from, but estimator={name}()."
            )
