"""The rounds of Triskel: biased classifiers, and an arbiter for what they leave (algorithm 1, section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey._progress import told
from covey.ensemble.biased import N_TRIED, Biased, Codes, Report, Rows, choose_biases, fit_biased, silent
from covey.ensemble.fit import TrainingData, fit_member
from covey.ensemble.inputs import Inputs
from covey.ensemble.member import Member
from covey.ensemble.one_vs_one import Pairing, fit_pairs, log_odds_of, one_vs_one, one_vs_rest, pair_votes
from covey.ensemble.voting import member_output
from covey.models.fields import Field, Items, Number, Part, Row, Whole, require
from covey.parallel import each
from covey.strategies.bias import Biasing

# The classifiers of one round.
Round = tuple[Biased, ...]


@dataclass(frozen=True)
class Settings:
    """How Triskel is grown."""

    n_rounds: int  # the number of rounds K
    easy: float  # what multiplies the weights of easy rows
    hard: float  # and of hard ones
    biases: tuple[float, float] | None  # the strengths of h+ and of h-; None to choose them
    biasing: Biasing
    normalize: bool  # whether weights are brought back to their sum after each round

    def reweighted(self, weight: NDArray[np.float64], easy: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the weights of the next round."""
        after = weight * np.where(easy, self.easy, self.hard)
        return np.asarray(after * (weight.sum() / after.sum())) if self.normalize and after.any() else after

    @property
    def n_fits(self) -> int:
        """How many classifiers two classes take at most."""
        return 2 * self.n_rounds + 1 + (N_TRIED if self.biases is None else 0)

    def biases_for(
        self, estimator: Any, data: TrainingData, seed: np.random.SeedSequence, report: Report = silent
    ) -> tuple[float, float]:
        """Return the strengths of h+ and of h-, chosen by the data unless given."""
        return self.biases or choose_biases(self.biasing, estimator, data, seeds.child(seed, 0), report)


def agreement(pair: Round, inputs: Inputs, rows: Rows = None) -> Codes:
    """Return what h+ and h- both say; -1 where they disagree."""
    plus, minus = (biased.codes(inputs, rows) for biased in pair)
    return np.where(plus == minus, plus, -1)


def only_claims(detectors: Round, inputs: Inputs, rows: Rows = None) -> Codes:
    """Return the class whose classifier alone says 1; -1 where none or several do."""
    codes = np.column_stack([biased.codes(inputs, rows) for biased in detectors])
    return np.where(codes.sum(axis=1) == 1, codes.argmax(axis=1), -1)


Decide = Callable[[Round, Inputs, Rows], Codes]


def _first_decisions(rounds: Iterable[Round], decide: Decide, inputs: Inputs) -> Codes:
    """Return what the first round that decides says of each row; -1 where none does."""
    decided = np.full(len(inputs.table.matrix), -1)
    for classifiers in rounds:
        decided = np.where(decided < 0, decide(classifiers, inputs, None), decided)
    return decided


def _fit_rounds(
    data: TrainingData, settings: Settings, fit_round: Callable[[TrainingData, int], Round], decide: Decide
) -> tuple[list[Round], NDArray[np.float64]]:
    """Train round after round, each on what the last one left hard; return the weights for the arbiter too.

    Where no hard row is left, there are fewer rounds, and the arbiter learns from the rows of the last one.
    """
    weight = data.weight
    rounds: list[Round] = []
    while len(rounds) < settings.n_rounds and len(np.unique(data.y[weight > 0])) > 1:
        rounds.append(fit_round(replace(data, weight=weight), len(rounds)))
        rows = np.flatnonzero(weight)
        easy = np.zeros(len(weight), dtype=bool)
        easy[rows] = decide(rounds[-1], data.inputs, rows) == data.y[rows]
        if easy[rows].all():
            break
        weight = settings.reweighted(weight, easy)
    return rounds, weight


@dataclass(frozen=True, eq=False, slots=True)
class Rounds:
    """A grown Triskel of two classes, 0 and 1."""

    pairs: tuple[Round, ...]  # of each round h+, which is biased against saying 1, and h-, against saying 0
    arbiter: Member  # decides where no pair agrees
    biases: tuple[float, float]  # how strongly h+ and h- are biased

    _state: ClassVar[dict[str, Field]] = {
        "pairs": Items(Row(Part(Biased), Part(Biased)), kind=tuple),
        "arbiter": Part(Member),
        "biases": Row(Number(0, 1), Number(0, 1)),
    }

    @property
    def members(self) -> list[Member]:
        """All members: the pairs, and the arbiter last."""
        return [*(biased.member for pair in self.pairs for biased in pair), self.arbiter]

    @property
    def vote_weights(self) -> NDArray[np.float64]:
        """What each member's vote counts: an agreeing pair more than all after it."""
        rounds = [2.0 ** (len(self.pairs) - number) for number in range(1, len(self.pairs) + 1)]
        return np.array([*np.repeat(rounds, 2), 1.0])

    @property
    def spared(self) -> int:
        """In how many members a class had to be kept from being left out."""
        return sum(biased.spared for pair in self.pairs for biased in pair)

    def member_codes(self, inputs: Inputs) -> Codes:
        """Return what each member says, of shape (n_rows, n_members)."""
        codes = [biased.codes(inputs) for pair in self.pairs for biased in pair]
        return np.column_stack([*codes, member_output(self.arbiter, inputs, "codes", 2)])

    def decisions(self, inputs: Inputs) -> tuple[Codes, NDArray[np.float64]]:
        """Return what the first pair says that agrees, else the arbiter, as the weighted vote; and its log odds."""
        members = self.member_codes(inputs)
        decided = members[:, -1]
        for place in range(2 * len(self.pairs) - 2, -1, -2):
            decided = np.where(members[:, place] == members[:, place + 1], members[:, place], decided)
        return decided, log_odds_of(members, decided)


def fit_triskel(
    estimator: Any, data: TrainingData, settings: Settings, seed: np.random.SeedSequence, report: Report = silent
) -> Rounds:
    """Train the pairs of all rounds and the arbiter, for classes 0 and 1; rows of other problems have no weight.

    Hard rows of one class have a constant arbiter. What is reported is each classifier.
    """
    biases = settings.biases_for(estimator, data, seed, report)

    def fit_pair(now: TrainingData, number: int) -> Round:
        rng = np.random.default_rng(seeds.child(seed, 1, number))
        sides = zip((1, 0), biases, strict=True)
        fits = (fit_biased(settings.biasing, estimator, now, against, bias, rng) for against, bias in sides)
        return tuple(told(fits, report))

    pairs, weight = _fit_rounds(data, settings, fit_pair, agreement)
    arbiter = fit_member(estimator, data, weight, None, np.random.default_rng(seeds.child(seed, 2)))
    report()
    return Rounds(tuple(pairs), arbiter, biases)


def fit_pairing(
    estimator: Any, data: TrainingData, pairing: Pairing, settings: Settings, seed: np.random.SeedSequence
) -> Rounds:
    """Train what tells two of the classes apart."""
    return fit_triskel(estimator, pairing.binary(data), settings, seed)


@dataclass(frozen=True, eq=False, slots=True)
class ClassRounds:
    """A grown Triskel-M."""

    rounds: tuple[Round, ...]  # in each round a classifier per class, which says 1 where it is sure of its class
    pairings: tuple[Pairing, ...]  # the pairs of classes of the arbiter; none if it tells all classes apart itself
    arbiters: tuple[Member, ...]  # a classifier for each of them, or the one for all
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
        codes = [code for pair in self.pairings for code in (pair.negative, pair.positive)]
        require(all(0 <= code < self.n_classes for code in codes), "has an arbiter of classes that there are not")

    @property
    def members(self) -> list[Member]:
        """All members: those of the rounds, and the arbiter's last."""
        return [*(biased.member for detectors in self.rounds for biased in detectors), *self.arbiters]

    @property
    def spared(self) -> int:
        """In how many members a class had to be kept from being left out."""
        return sum(biased.spared for detectors in self.rounds for biased in detectors)

    def claims(self, inputs: Inputs) -> Codes:
        """Return the class that is claimed alone in the first round with such a claim; -1 if there is none."""
        return _first_decisions(self.rounds, only_claims, inputs)

    def arbitrated(self, inputs: Inputs, n_jobs: int | None) -> Codes:
        """Return the class that the arbiter, or that of each pair, votes for."""
        if not self.pairings:
            return member_output(self.arbiters[0], inputs, "codes", self.n_classes)[:, None]
        return pair_votes(list(self.arbiters), list(self.pairings), inputs, n_jobs)


def fit_triskel_m(
    estimator: Any,
    data: TrainingData,
    settings: Settings,
    seed: np.random.SeedSequence,
    n_jobs: int | None,
    report: Report,
) -> ClassRounds:
    """Train the classifiers of all rounds, which are reported, and the arbiter; of the biases, that of h+ counts."""

    def fit_detectors(now: TrainingData, number: int) -> Round:
        inner = seeds.child(seed, 1, number)
        jobs = (
            (estimator, now, pair, settings, seeds.child(inner, place))
            for place, pair in enumerate(one_vs_rest(data.n_classes))
        )
        return tuple(told(each(_fit_detector, jobs, n_jobs), report))

    rounds, weight = _fit_rounds(data, settings, fit_detectors, only_claims)
    pairings, arbiters = _fit_arbiter(estimator, replace(data, weight=weight), seed, n_jobs)
    return ClassRounds(tuple(rounds), pairings, arbiters, data.n_classes)


def _fit_arbiter(
    estimator: Any, data: TrainingData, seed: np.random.SeedSequence, n_jobs: int | None
) -> tuple[tuple[Pairing, ...], tuple[Member, ...]]:
    """Train the arbiter on the hard rows, pair by pair unless the base estimator does that itself, as SMO does."""
    if getattr(estimator, "tells_pairs", False):
        rng = np.random.default_rng(seeds.child(seed, 3))
        return (), (fit_member(estimator, data, data.weight, None, rng),)
    left = set(np.unique(data.y[data.weight > 0]).tolist())
    pairings = [pair for pair in one_vs_one(data.n_classes) if {pair.negative, pair.positive} & left]
    return tuple(pairings), tuple(fit_pairs(estimator, data, pairings, seed, n_jobs, silent))


def _fit_detector(
    estimator: Any, data: TrainingData, pairing: Pairing, settings: Settings, seed: np.random.SeedSequence
) -> Biased:
    binary = pairing.binary(data)
    biases = settings.biases_for(estimator, binary, seed)
    return fit_biased(settings.biasing, estimator, binary, 1, biases[0], np.random.default_rng(seed))
