"""Triskel-M: one biased classifier per class, and an arbiter that tells every pair of classes apart (section 3.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey.ensemble.bias_choice import choose_biases
from covey.ensemble.biased import Biased, Rows, fit_biased
from covey.ensemble.binary import Pairing, one_vs_one, one_vs_rest
from covey.ensemble.feed import Feed
from covey.ensemble.fit import Cases
from covey.ensemble.member import Member
from covey.ensemble.one_vs_one import fit_pairs, pair_votes
from covey.ensemble.triskel_rounds import Settings
from covey.parallel import each


@dataclass(frozen=True, eq=False, slots=True)
class ClassRounds:
    """A grown Triskel-M.

    Parameters
    ----------
    rounds : tuple of tuple of Biased
        In each round a classifier per class, which says 1 where it is sure of its class.
    pairings : tuple of Pairing
        The pairs of classes of the arbiter.
    arbiters : tuple of Member
        A classifier for each of them.
    """

    rounds: tuple[tuple[Biased, ...], ...]
    pairings: tuple[Pairing, ...]
    arbiters: tuple[Member, ...]

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
        """Return the class that the arbiter of each pair votes for."""
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
    left = np.unique(cases.y[weight > 0])
    pairings = [one for one in one_vs_one(cases.n_classes) if {one.negative, one.positive} & set(left.tolist())]
    arbiters = fit_pairs(estimator, replace(cases, weight=weight), pairings, seed, n_jobs)
    return ClassRounds(tuple(rounds), tuple(pairings), tuple(arbiters))


def _detector(
    estimator: Any, cases: Cases, pairing: Pairing, settings: Settings, seed: np.random.SeedSequence
) -> Biased:
    own = pairing.cases(cases)
    rng = np.random.default_rng(seed)
    biases = settings.biases
    if biases is None:
        biases = choose_biases(settings.biasing, estimator, own, seeds.child(seed, 0))
    return fit_biased(settings.biasing, estimator, own, 1, biases[0], rng)
