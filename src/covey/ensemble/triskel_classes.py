"""Triskel-M: one biased classifier per class, and an arbiter that tells every pair of classes apart (section 3.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey.ensemble.ballot import member_output
from covey.ensemble.bias_choice import choose_biases
from covey.ensemble.biased import Biased, Rows, fit_biased
from covey.ensemble.binary import Pairing, one_vs_one, one_vs_rest
from covey.ensemble.feed import Feed
from covey.ensemble.fit import Cases, fit_member
from covey.ensemble.member import Member
from covey.ensemble.one_vs_one import fit_pairs, pair_votes
from covey.ensemble.triskel_rounds import Settings
from covey.models.fields import Field, Items, Part, Whole, require
from covey.parallel import each


@dataclass(frozen=True, eq=False, slots=True)
class ClassRounds:
    """A grown Triskel-M.

    Parameters
    ----------
    rounds : tuple of tuple of Biased
        In each round a classifier per class, which says 1 where it is sure of its class.
    pairings : tuple of Pairing
        The pairs of classes of the arbiter; none if it tells all classes apart itself.
    arbiters : tuple of Member
        A classifier for each of them, or the one for all.
    n_classes : int
    """

    rounds: tuple[tuple[Biased, ...], ...]
    pairings: tuple[Pairing, ...]
    arbiters: tuple[Member, ...]
    n_classes: int

    _state: ClassVar[dict[str, Field]] = {
        "rounds": Items(Items(Part(Biased), "classes", tuple), kind=tuple),
        "pairings": Items(Part(Pairing), kind=tuple),
        "arbiters": Items(Part(Member), kind=tuple),
        "n_classes": Whole(1, size="classes"),
    }

    def check_pairings(self) -> None:
        """Refuse an arbiter from a file that tells classes apart which there are not."""
        require(len(self.arbiters) == max(1, len(self.pairings)), "has an arbiter of several parts")
        codes = [code for one in self.pairings for code in (one.negative, one.positive)]
        require(all(0 <= code < self.n_classes for code in codes), "has an arbiter of classes that there are not")

    @property
    def members(self) -> list[Member]:
        """All members: those of the rounds, and the arbiter's last."""
        return [*(one.member for some in self.rounds for one in some), *self.arbiters]

    @property
    def spared(self) -> int:
        """In how many members a class had to be kept from being left out."""
        return sum(one.spared for some in self.rounds for one in some)

    def claims(self, feed: Feed, rows: Rows = None) -> NDArray[np.intp]:
        """Return the class that is claimed alone in the first round with such a claim; -1 if there is none."""
        found: NDArray[np.intp] | None = None
        for some in self.rounds:
            claimed = only_claims(some, feed, rows)
            found = claimed if found is None else np.where(found < 0, claimed, found)
        n_rows = len(feed.table.matrix) if rows is None else len(rows)
        return np.full(n_rows, -1) if found is None else found

    def arbitrated(self, feed: Feed, n_jobs: int | None) -> NDArray[np.intp]:
        """Return the class that the arbiter, or that of each pair, votes for."""
        if not self.pairings:
            return member_output(self.arbiters[0], feed, "codes", self.n_classes)[:, None]
        return pair_votes(list(self.arbiters), list(self.pairings), feed, n_jobs)


def only_claims(some: tuple[Biased, ...], feed: Feed, rows: Rows) -> NDArray[np.intp]:
    """Return the class whose classifier alone says 1; -1 where none or several do."""
    said = np.column_stack([one.codes(feed, rows) for one in some])
    return np.where(said.sum(axis=1) == 1, said.argmax(axis=1), -1)


def grow_classes(
    estimator: Any, cases: Cases, settings: Settings, seed: np.random.SeedSequence, n_jobs: int | None
) -> ClassRounds:
    """Train the classifiers of all rounds and the arbiter.

    Parameters
    ----------
    estimator : classifier
    cases : Cases
    settings : Settings
        Of the biases, that of h+ counts.
    seed : SeedSequence
    n_jobs : int or None
    """
    weight = cases.weight
    rounds: list[tuple[Biased, ...]] = []
    while len(rounds) < settings.n_rounds and len(np.unique(cases.y[weight > 0])) > 1:
        now, inner = replace(cases, weight=weight), seeds.child(seed, 1, len(rounds))
        jobs = (
            (estimator, now, one, settings, seeds.child(inner, place))
            for place, one in enumerate(one_vs_rest(cases.n_classes))
        )
        some = tuple(each(_detector, jobs, n_jobs))
        rounds.append(some)
        rows = np.flatnonzero(weight)
        easy = only_claims(some, cases.feed, rows) == cases.y[rows]
        if easy.all():
            break
        spread = np.zeros(len(weight), dtype=bool)
        spread[rows] = easy
        weight = settings.reweighted(weight, spread)
    pairings, arbiters = _fit_arbiter(estimator, replace(cases, weight=weight), seed, n_jobs)
    return ClassRounds(tuple(rounds), pairings, arbiters, cases.n_classes)


def _fit_arbiter(
    estimator: Any, cases: Cases, seed: np.random.SeedSequence, n_jobs: int | None
) -> tuple[tuple[Pairing, ...], tuple[Member, ...]]:
    """Train the arbiter on the hard cases, pair by pair unless the base estimator does that itself, as SMO does."""
    if getattr(estimator, "tells_pairs", False):
        rng = np.random.default_rng(seeds.child(seed, 3))
        return (), (fit_member(estimator, cases, cases.weight, None, rng),)
    left = set(np.unique(cases.y[cases.weight > 0]).tolist())
    pairings = [one for one in one_vs_one(cases.n_classes) if {one.negative, one.positive} & left]
    return tuple(pairings), tuple(fit_pairs(estimator, cases, pairings, seed, n_jobs))


def _detector(
    estimator: Any, cases: Cases, pairing: Pairing, settings: Settings, seed: np.random.SeedSequence
) -> Biased:
    own = pairing.cases(cases)
    rng = np.random.default_rng(seed)
    biases = settings.biases
    if biases is None:
        biases = choose_biases(settings.biasing, estimator, own, seeds.child(seed, 0))
    return fit_biased(settings.biasing, estimator, own, 1, biases[0], rng)
