"""The chains of an ensemble, grown from nothing or from where an earlier fit left off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey._progress import Progress
from covey._text import listed
from covey.ensemble.chain import Chain, grow_chain
from covey.ensemble.fit import TrainingData
from covey.ensemble.member import Member, Plan
from covey.models.fields import Array, Field, Flag, Items, OrNone, Part, Whole, require
from covey.parallel import each
from covey.seeds import RandomState
from covey.strategies import Round

# Stands for the checksum of rows that differ from fit to fit.
SEVERAL = -1
# A seed as it is kept in a file.
ENTROPY = Items(Whole(0, 2**32 - 1), 4, tuple)


def new_entropy(random_state: RandomState) -> tuple[int, ...]:
    """Return a seed that can be kept."""
    return tuple(seeds.seed_sequence(random_state).generate_state(4).tolist())


@dataclass(frozen=True, eq=False)
class Growth:
    """What a fit leaves for a later one to go on from."""

    entropy: tuple[int, ...]  # the ensemble's seed
    chains: tuple[int, ...] = ()  # the number of members of each chain so far
    attempts: int = 0  # how many members were trained for the last chain
    weight: NDArray[np.float64] | None = None  # the row weights that the last chain goes on with
    checksum: int | None = None  # of the rows that all members were grown on; None if not kept, SEVERAL if they differ
    rounds: tuple[Round, ...] = ()  # how members did on the rows that they had not seen, where that was noted
    ended: bool = False  # whether the last chain cannot grow on

    _state: ClassVar[dict[str, Field]] = {
        "entropy": ENTROPY,
        "chains": Items(Whole(), kind=tuple),
        "attempts": Whole(),
        "weight": OrNone(Array(np.float64, None, low=0.0)),
        "checksum": OrNone(Whole(SEVERAL)),
        "rounds": Items(Part(Round), kind=tuple),
        "ended": Flag(),
    }

    def _check_state(self) -> None:
        require(all(past.chain < len(self.chains) for past in self.rounds), "has rounds of chains that there are not")

    @property
    def seed(self) -> np.random.SeedSequence:
        """The ensemble's seed sequence."""
        return np.random.SeedSequence(list(self.entropy))

    @property
    def n_members(self) -> int:
        """How many members have been grown."""
        return sum(self.chains)


def check_extends(plan: Plan, growth: Growth, data: TrainingData, oob_score: bool) -> None:
    """Refuse a plan that does not go on where the growth ends."""
    if sum(plan.chains) < growth.n_members:
        raise ValueError(
            f"n_estimators={sum(plan.chains)} is less than the {growth.n_members} members already grown; with "
            "warm_start=True an ensemble can only be enlarged. Give a larger n_estimators or warm_start=False."
        )
    *whole, last = growth.chains
    goes_on = plan.chains[: len(whole)] == tuple(whole) and plan.chains[len(whole)] >= last
    if not goes_on:
        have, wanted = (listed(list(map(str, chains))) for chains in (growth.chains, plan.chains))
        raise ValueError(
            f"The chains grown so far have {have} members, which chains of {wanted} do not continue; a warm start "
            "needs the chain_length of the last fit, or chains as long as then, of which only the last may grow."
        )
    if not (oob_score or plan.chains[len(whole)] > last):
        return
    if growth.checksum is None:
        raise ValueError("The last fit kept nothing to go on from; fit with warm_start=True from the start.")
    if growth.checksum != checksum(data):
        raise ValueError(
            "X, y or sample_weight differ from those that members were grown on; to go on with a chain or with "
            "out-of-bag votes a warm start needs the same rows."
        )


def checksum(data: TrainingData) -> int:
    """Return a number that other training data is unlikely to have."""
    total = 0
    for array in (data.inputs.table.matrix, data.y, data.weight):
        total = crc32(np.ascontiguousarray(array).data, total)
    return total


def grow_chains(
    plan: Plan, estimator: Any, data: TrainingData, growth: Growth, n_jobs: int | None, progress: Progress, keep: bool
) -> tuple[list[Member], Growth]:
    """Grow what the plan asks for beyond the members there are, chains in parallel.

    Returns the new members, chain by chain, and where they end; without ``keep`` there are no weights to go on from.
    """
    grown = (*growth.chains, *[0] * (len(plan.chains) - len(growth.chains)))
    going_on = [past for past in growth.rounds if past.chain == len(growth.chains) - 1]
    opened = Chain([], growth.attempts, growth.weight, going_on)
    jobs = [
        (chain, wanted - have, opened if have else None)
        for chain, (wanted, have) in enumerate(zip(plan.chains, grown, strict=True))
        if wanted > have and not (have and growth.ended)
    ]
    if not jobs:
        return [], growth
    # A lone chain is grown here, where it can tell of each member; several tell when they are done.
    report: Callable[[int], None] | None = (lambda _: progress.advance()) if len(jobs) == 1 else None
    last_job = jobs[-1][0]
    arguments = [
        (keep and chain == last_job, plan, estimator, data, count, chain, growth.seed, start, report)
        for chain, count, start in jobs
    ]
    members: list[Member] = []
    rounds: list[Round] = [*growth.rounds]
    last = opened
    for last in each(_grow, arguments, n_jobs if report is None else 1):
        members += last.members
        rounds += last.rounds
        if report is None:
            progress.advance(len(last.members))
    left = Growth(growth.entropy, plan.chains, last.attempts, rounds=tuple(rounds), ended=last.ended)
    if keep:
        rows = checksum(data)
        left = replace(
            left, weight=last.weight, checksum=SEVERAL if growth.chains and growth.checksum != rows else rows
        )
    return members, left


def _grow(goes_on: bool, *arguments: Any) -> Chain:
    """Grow a chain; the weights that it ends with come back, maybe from another machine, only where it is to go on."""
    grown = grow_chain(*arguments)
    return grown if goes_on else replace(grown, weight=None)
