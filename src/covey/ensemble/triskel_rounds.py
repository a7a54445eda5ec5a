"""Triskel on two classes: rounds of biased pairs, and an arbiter for what they leave (algorithm 1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey.ensemble.ballot import member_output
from covey.ensemble.bias_choice import choose_biases
from covey.ensemble.biased import Biased, Rows, fit_biased
from covey.ensemble.feed import Feed
from covey.ensemble.fit import Cases, fit_member
from covey.ensemble.member import Member
from covey.models.fields import Field, Items, Number, Part, Row
from covey.strategies.bias import Biasing


@dataclass(frozen=True)
class Settings:
    """How Triskel is grown.

    Parameters
    ----------
    n_rounds : int
        The number of rounds K.
    easy, hard : float
        What multiplies the weights of easy and of hard cases.
    biases : tuple of (float, float) or None
        The strength of the bias of h+ and of h-; None to choose them.
    biasing : str
        How classifiers are biased.
    normalize : bool
        Whether weights are brought back to their sum after each round.
    """

    n_rounds: int
    easy: float
    hard: float
    biases: tuple[float, float] | None
    biasing: Biasing
    normalize: bool

    def reweighted(self, weight: NDArray[np.float64], easy: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the weights of the next round."""
        after = weight * np.where(easy, self.easy, self.hard)
        return np.asarray(after * (weight.sum() / after.sum())) if self.normalize and after.any() else after


@dataclass(frozen=True, eq=False, slots=True)
class Rounds:
    """A grown Triskel of two classes, 0 and 1.

    Parameters
    ----------
    pairs : tuple of (Biased, Biased)
        Of each round h+, which is biased against saying 1, and h-, against saying 0.
    arbiter : Member
        Decides where no pair agrees.
    biases : tuple of (float, float)
        How strongly h+ and h- are biased.
    """

    pairs: tuple[tuple[Biased, Biased], ...]
    arbiter: Member
    biases: tuple[float, float]

    _state: ClassVar[dict[str, Field]] = {
        "pairs": Items(Row(Part(Biased), Part(Biased)), kind=tuple),
        "arbiter": Part(Member),
        "biases": Row(Number(0, 1), Number(0, 1)),
    }

    @property
    def members(self) -> list[Member]:
        """All members: the pairs, and the arbiter last."""
        return [*(one.member for pair in self.pairs for one in pair), self.arbiter]

    @property
    def vote_weights(self) -> NDArray[np.float64]:
        """What each member's vote counts: an agreeing pair more than all after it."""
        rounds = [2.0 ** (len(self.pairs) - number) for number in range(1, len(self.pairs) + 1)]
        return np.array([*np.repeat(rounds, 2), 1.0])

    @property
    def spared(self) -> int:
        """In how many members a class had to be kept from being left out."""
        return sum(one.spared for pair in self.pairs for one in pair)

    def opinions(self, feed: Feed, rows: Rows = None) -> NDArray[np.intp]:
        """Return what each member says, of shape (n_rows, n_members)."""
        said = [one.codes(feed, rows) for pair in self.pairs for one in pair]
        return np.column_stack([*said, member_output(self.arbiter, feed, "codes", 2, rows)])

    def codes(self, feed: Feed, rows: Rows = None) -> NDArray[np.intp]:
        """Return what the first pair says that agrees, else the arbiter: the same as the weighted vote."""
        said = self.opinions(feed, rows)
        decided = said[:, -1].copy()
        for place in range(2 * len(self.pairs) - 2, -1, -2):
            agree = said[:, place] == said[:, place + 1]
            decided[agree] = said[agree, place]
        return decided


def grow_rounds(estimator: Any, cases: Cases, settings: Settings, seed: np.random.SeedSequence) -> Rounds:
    """Train the pairs of all rounds and the arbiter.

    Where no hard case is left, there are fewer rounds, and the arbiter learns from the cases of the last one. Hard
    cases of one class have a constant arbiter.

    Parameters
    ----------
    estimator : classifier
    cases : Cases
        Of two classes, 0 and 1; cases of other problems have no weight.
    settings : Settings
    seed : SeedSequence
    """
    biases = settings.biases
    if biases is None:
        biases = choose_biases(settings.biasing, estimator, cases, seeds.child(seed, 0))
    weight = cases.weight
    rows = np.flatnonzero(weight)
    pairs: list[tuple[Biased, Biased]] = []
    while len(pairs) < settings.n_rounds and len(np.unique(cases.y[rows])) > 1:
        rng = np.random.default_rng(seeds.child(seed, 1, len(pairs)))
        now = replace(cases, weight=weight)
        pair = (
            fit_biased(settings.biasing, estimator, now, 1, biases[0], rng),
            fit_biased(settings.biasing, estimator, now, 0, biases[1], rng),
        )
        pairs.append(pair)
        right = [one.codes(cases.feed, rows) == cases.y[rows] for one in pair]
        easy = right[0] & right[1]
        if easy.all():
            break
        spread = np.zeros(len(weight), dtype=bool)
        spread[rows] = easy
        weight = settings.reweighted(weight, spread)
        rows = np.flatnonzero(weight)
    rng = np.random.default_rng(seeds.child(seed, 2))
    return Rounds(tuple(pairs), fit_member(estimator, cases, weight, None, rng), biases)
