"""Resampling along the border between classes, as the sphere covers of alpha-beta-RSE do."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey.learners import SphereCoverClassifier
from covey.strategies.draw import Weights
from covey.strategies.reweight import Lesson, Reweight, Step


class BorderResampling(Reweight):
    """Replaces the border cases of a sphere cover by others that are hard (sphere-cover paper, algorithm 2).

    The cases that halted the spheres of a member are taken out, all copies of them, so that the next member's spheres
    can grow past them. As many are drawn, with replacement, among these cases, those that no sphere held, and those of
    all the data that the member gets wrong. Each of them is as likely as another, however many copies of it there
    were. Every member has one vote.

    The base estimator must be a `SphereCoverClassifier`.
    """

    asks_all: ClassVar[bool] = True

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
